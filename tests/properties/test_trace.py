"""Every trace: survives writing and reading, its slots never overlap, the phases of a step sum to it."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.analysis.phases import PRECEDENCE, step_phases
from simulator.analysis.usage import usage
from simulator.analysis.window import windows
from simulator.trace.folder import Run, RunWriter, read_run
from simulator.trace.recorder import Row, assign_slots
from simulator.trace.schema import TABLES
from tests.builders import run_of, scenario
from tests.strategies import UPDATES, spans, steps


def by_start(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row[8], row[9]))


@given(spans())
def test_spans_of_one_slot_never_overlap_and_no_slot_is_taken_in_vain(rows: list[Row]) -> None:
    rows = by_start(rows)
    slots = assign_slots(rows)
    for i, row in enumerate(rows):
        # Those of its lane that are still going on when it starts.
        beside = {int(slots[j]) for j in range(i) if rows[j][1] == row[1] and rows[j][9] > row[8]}
        assert slots[i] not in beside
        assert slots[i] == min(set(range(len(beside) + 1)) - beside)


@settings(max_examples=30, deadline=None)
@given(steps(), spans(), UPDATES, st.integers(0, 2**63 - 1), st.text(max_size=20))
def test_a_trace_survives_writing_and_reading(
    step_rows: list[Row], span_rows: list[Row], updates: list[Row], seed: int, note: str
) -> None:
    run = run_of(step_rows, span_rows, updates, seed=seed, notes=(note.encode(errors="ignore").decode(),))
    with tempfile.TemporaryDirectory() as folder:
        writer = RunWriter(Path(folder), run.info, run.scenario)
        writer.finish(run.info, {name: run.table(name) for name in TABLES}, {})
        read = read_run(folder)
        assert read.info == run.info
        for name in TABLES:
            assert read.table(name).equals(run.table(name))


def by_hand(run: Run, row: int) -> list[int]:
    """Return ns of the step per phase, nanosecond by nanosecond: the definition of analysis/phases.py."""
    step = run.table("steps").to_pylist()[row]
    mine = [s for s in run.table("spans").to_pylist() if s["step"] == step["local_step"]]
    count = [0] * (len(PRECEDENCE) + 1)
    for now in range(step["start"], step["end"]):
        going_on = {s["phase"] for s in mine if s["start"] <= now < s["end"]}
        first = next((i for i, phase in enumerate(PRECEDENCE) if phase in going_on), len(PRECEDENCE))
        count[first] += 1
    return count


@settings(max_examples=50, deadline=None)
@given(steps(), spans())
def test_every_moment_of_a_step_has_one_phase(step_rows: list[Row], span_rows: list[Row]) -> None:
    run = run_of(step_rows, span_rows, made=scenario(last_step=100))
    for window in windows(run):
        rows, phases = step_phases(run, window)
        for row, found in zip(rows, phases, strict=True):
            assert found.tolist() == by_hand(run, int(row))


@settings(max_examples=50, deadline=None)
@given(steps(), spans(), st.integers(0, 3))
def test_a_window_holds_steps_after_the_warm_up_and_uses_are_shares(
    step_rows: list[Row], span_rows: list[Row], warmup: int
) -> None:
    made = scenario(last_step=6, warmup=warmup)
    run = run_of(step_rows, span_rows, made=made)
    found = windows(run)
    written = [row[4] for row in step_rows]
    assert bool(found) == any(warmup < w <= 6 for w in written)
    for window in found:
        table = run.table("steps").to_pylist()
        assert [table[int(r)]["global_step_written"] for r in window.rows] == [w for w in written if warmup < w <= 6]
        assert window.end == max(table[int(r)]["end"] for r in window.rows)
        for use in usage(run, window).values():
            shares = [use.nic_out, use.nic_in, use.apply, use.compute, use.cpu]
            assert all(0 <= share <= 1 and np.isfinite(share) for share in shares)
