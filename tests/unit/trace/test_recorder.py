"""Rows become tables: in order of time, spans in slots."""

from simulator.trace.recorder import Recorder, assign_slots
from simulator.trace.schema import TABLES
from tests.builders import span_row, step_row, update_row


def slots(*spans: tuple[str, int, int]) -> list[int]:
    rows = [span_row(lane, "pull", start, end) for lane, start, end in spans]
    return [int(slot) for slot in assign_slots(rows)]


def test_spans_that_follow_one_another_share_a_slot() -> None:
    assert slots(("nic_in", 0, 5), ("nic_in", 5, 9)) == [0, 0]


def test_spans_that_overlap_lie_beside_one_another() -> None:
    # The third begins when the first has ended, and takes its place.
    assert slots(("nic_in", 0, 5), ("nic_in", 2, 9), ("nic_in", 5, 6)) == [0, 1, 0]


def test_lanes_have_slots_of_their_own() -> None:
    assert slots(("nic_in", 0, 5), ("nic_out", 0, 5)) == [0, 0]


def test_every_table_has_its_schema_even_without_rows() -> None:
    tables = Recorder().tables()
    assert set(tables) == set(TABLES)
    for name, schema in TABLES.items():
        assert tables[name].schema == schema
        assert tables[name].num_rows == 0


def test_rows_are_sorted_by_time_however_they_came() -> None:
    recorder = Recorder()
    recorder.steps = [step_row(1, 10, 20), step_row(0, 0, 10)]
    recorder.spans = [span_row("nic_in", "pull", 7, 9, step=1), span_row("nic_in", "pull", 1, 3)]
    recorder.updates = [update_row(1, 0, 15), update_row(0, 0, 5)]
    recorder.events = [(0, "ps:0", "stop", 9, ""), (0, "ps:0", "session", 1, "")]
    tables = recorder.tables()
    assert tables["steps"]["local_step"].to_pylist() == [0, 1]
    assert tables["spans"]["start"].to_pylist() == [1, 7]
    assert tables["updates"]["time"].to_pylist() == [5, 15]
    assert tables["events"]["kind"].to_pylist() == ["session", "stop"]


def test_replications_are_not_mixed() -> None:
    recorder = Recorder()
    recorder.steps = [step_row(0, 0, 9, replication=1), step_row(0, 5, 20)]
    assert recorder.tables()["steps"]["replication"].to_pylist() == [0, 1]
