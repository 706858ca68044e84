"""Run folders: what is written is read back, nothing of somebody else's is touched, damage is said."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from simulator.errors import InvalidInputError
from simulator.scenario.loader import load_scenario
from simulator.trace.folder import OWN_FILES, Run, RunWriter, read_run
from simulator.trace.schema import KEPT, SCHEMA_VERSION, TABLES, Kind, TraceLevel
from tests.builders import run_of, scenario, span_row, step_row, update_row


def example(**info: Any) -> Run:
    return run_of([step_row(0, 0, 9)], [span_row("nic_in", "pull", 0, 4)], [update_row(0, 2, 8)], **info)


def write(folder: Path, run: Run | None = None) -> Path:
    run = run or example()
    writer = RunWriter(folder, run.info, run.scenario)
    writer.finish(run.info, {name: run.table(name) for name in TABLES}, {"command": "test"})
    return folder


def refusal(folder: Path, read: Callable[[Run], object] = lambda run: run) -> str:
    with pytest.raises(InvalidInputError) as caught:
        read(read_run(folder))
    return str(caught.value)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = example(
        kind=Kind.REAL,
        seed=7,
        replications=3,
        failure="worker:1 died",
        notes=("a", "é"),
        learning={"loss": 0.5},
        summary={"throughput": {"steps_per_s": 12.5}},
    )
    read = read_run(write(tmp_path / "run", written))
    assert read.info == written.info
    assert read.scenario == written.scenario
    assert read.name == "run"
    for name, schema in TABLES.items():
        assert read.table(name).equals(written.table(name))
        assert read.table(name).schema == schema


@pytest.mark.parametrize("level", list(TraceLevel))
def test_a_level_keeps_its_tables_and_the_others_are_empty(level: TraceLevel, tmp_path: Path) -> None:
    folder = write(tmp_path, example(trace=level))
    assert {p.stem for p in folder.glob("*.parquet")} == set(KEPT[level])
    run = read_run(folder)
    for name in TABLES:
        # Of the example, steps, spans and updates have one row each.
        rows = 1 if name in KEPT[level] and name in ("steps", "spans", "updates") else 0
        assert run.table(name).num_rows == rows


def test_a_folder_holds_what_the_contract_says_and_nothing_else(tmp_path: Path) -> None:
    assert sorted(contents(write(tmp_path))) == sorted(OWN_FILES)
    document = json.loads((tmp_path / "run.json").read_text())
    assert (document["schema"], document["schema_version"]) == ("paramscope/run/1", SCHEMA_VERSION)
    assert (tmp_path / "scenario.yaml").read_text().startswith("# yaml-language-server: $schema=")
    assert load_scenario(tmp_path / "scenario.yaml") == scenario()


def test_until_it_is_finished_a_run_says_that_it_is_incomplete_and_is_readable(tmp_path: Path) -> None:
    run = example(complete=False)
    RunWriter(tmp_path, run.info, run.scenario)
    read = read_run(tmp_path)
    assert read.info.complete is False
    assert [read.table(name).num_rows for name in TABLES] == [0] * len(TABLES)


def test_a_new_run_leaves_nothing_of_the_one_before(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "logs").mkdir()
    for name in ("ps-0.log", "worker-11.log", "config.json"):
        (tmp_path / "logs" / name).write_text("old")
    # What killed writers leave.
    for name in (".run.json.123.part", "steps.parquet.part"):
        (tmp_path / name).write_text("old")
    run = example(trace=TraceLevel.NONE, complete=False)
    RunWriter(tmp_path, run.info, run.scenario)
    assert sorted(contents(tmp_path)) == ["run.json", "scenario.yaml"]


def foreign_file(folder: Path) -> None:
    (folder / "thesis.tex").write_text("x")


def foreign_part(folder: Path) -> None:
    (folder / "film.part").write_text("x")


def foreign_folder(folder: Path) -> None:
    (folder / "photos").mkdir()
    (folder / "photos/a.jpg").write_text("x")


def scenario_alone(folder: Path) -> None:
    (folder / "scenario.yaml").write_text("# my only copy\n")


def logs_of_others(folder: Path) -> None:
    (folder / "logs").mkdir()
    (folder / "logs/access.log").write_text("x")


def folder_inside_logs(folder: Path) -> None:
    write(folder)
    (folder / "logs/ps-0.log").mkdir(parents=True)
    (folder / "logs/ps-0.log/x").write_text("x")


def logs_elsewhere(folder: Path) -> None:
    write(folder)
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "ps-0.log").write_text("x")
    (folder / "logs").symlink_to(elsewhere)


def folder_called_like_a_file(folder: Path) -> None:
    (folder / "run.json").mkdir()
    (folder / "run.json/x").write_text("x")


FOREIGN = [
    *(foreign_file, foreign_part, foreign_folder, scenario_alone),
    *(logs_of_others, folder_inside_logs, logs_elsewhere, folder_called_like_a_file),
]


@pytest.mark.parametrize("put", FOREIGN, ids=lambda put: put.__name__)
def test_what_is_not_ours_is_refused_and_not_touched(put: Callable[[Path], None], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    put(folder)
    before = contents(tmp_path)
    run = example()
    with pytest.raises(InvalidInputError, match=r"holds something else than a run .*; give an empty or new folder"):
        RunWriter(folder, run.info, run.scenario)
    assert contents(tmp_path) == before


def test_a_file_or_a_place_without_rights_is_no_folder_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    run = example()
    with pytest.raises(InvalidInputError, match="is a file; give a folder for --out"):
        RunWriter(tmp_path / "file", run.info, run.scenario)
    with pytest.raises(InvalidInputError, match="cannot be written: Not a directory; give another folder"):
        RunWriter(tmp_path / "file/run", run.info, run.scenario)
    # /proc takes no new folders, not even from root.
    with pytest.raises(InvalidInputError, match=r"cannot be written: .*; give another folder for --out"):
        RunWriter(Path("/proc/run"), run.info, run.scenario)


def test_a_second_writer_in_another_process_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    program = f"""
from pathlib import Path
from simulator.errors import InvalidInputError
from simulator.trace.folder import RunWriter
from tests.builders import run_of
run = run_of()
try:
    RunWriter(Path({str(folder)!r}), run.info, run.scenario)
except InvalidInputError as error:
    print(error)
else:
    print("taken")
"""

    def other() -> str:
        root = Path(__file__).parents[3]
        return subprocess.run(
            [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
        ).stdout.strip()

    run = example()
    writer = RunWriter(folder, run.info, run.scenario)
    before = contents(folder)
    assert other() == f"{folder}: another run is writing there; give another folder for --out"
    assert contents(folder) == before
    writer.finish(run.info, {name: run.table(name) for name in TABLES}, {})
    # The first has ended, and the second lets go of the folder when its process ends.
    assert [other(), other()] == ["taken", "taken"]


def test_a_refused_writer_holds_no_lock(tmp_path: Path) -> None:
    foreign_file(tmp_path)
    run = example()
    with pytest.raises(InvalidInputError):
        RunWriter(tmp_path, run.info, run.scenario)
    (tmp_path / "thesis.tex").unlink()
    write(tmp_path)


def change(folder: Path, **changes: Any) -> None:
    path = folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    change(tmp_path, schema_version=SCHEMA_VERSION + 1)
    newer, known = SCHEMA_VERSION + 1, SCHEMA_VERSION
    assert refusal(tmp_path) == (
        f"{tmp_path}: written by a newer paramscope (schema {newer}, this one reads up to {known}); upgrade"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"schema_version": "1"},
        {"schema_version": None},
        {"kind": "imagined"},
        {"trace": "some"},
        {"seed": "x"},
        {"seed": float("nan")},
        {"replications": None},
        {"notes": None},
        {"summary": "fine"},
        {"summary": [1]},
        {"failure": 3},
        {"learning": 0.5},
    ],
    ids=str,
)
def test_a_damaged_run_json_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path)
    change(tmp_path, **changes)
    said = refusal(tmp_path)
    assert said.startswith(f"{tmp_path}/run.json: not a run's run.json (")
    assert said.endswith("; write the run again")


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"12", b"\xff\xfe", b"[" * 100_000, b'{"schema_version": 1}', b"{}"]
)
def test_what_is_no_run_json_is_refused(content: bytes, tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "run.json").write_bytes(content)
    assert refusal(tmp_path).startswith(f"{tmp_path}/run.json: not a run's run.json (")


def test_what_is_no_run_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"{tmp_path}: not a run folder (no run.json); give one written by --out"
    assert "no such folder; give a folder written by" in refusal(tmp_path / "missing")
    (tmp_path / "run.json").mkdir()
    assert "not a run's run.json" in refusal(tmp_path)


def test_a_run_without_its_scenario_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "scenario.yaml").unlink()
    assert "scenario.yaml: cannot be read: No such file" in refusal(tmp_path)
    (tmp_path / "scenario.yaml").write_text("nme: x\n")
    assert "unknown field 'nme'; did you mean 'name'?" in refusal(tmp_path)


def steps_of(run: Run) -> pa.Table:
    return run.table("steps")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    data[4:40] = b"x" * 36
    path.write_bytes(bytes(data))


def empty(path: Path) -> None:
    path.write_bytes(b"")


def without_a_column(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["end"]), path)


def with_text_for_numbers(path: Path) -> None:
    table = pq.read_table(path)
    at = table.schema.get_field_index("end")
    pq.write_table(table.set_column(at, "end", pa.array(["soon"] * table.num_rows)), path)


def with_empty_cells(path: Path) -> None:
    table = pq.read_table(path)
    at = table.schema.get_field_index("end")
    pq.write_table(table.set_column(at, "end", pa.array([None] * table.num_rows, pa.int64())), path)


@pytest.mark.parametrize(
    "damage",
    [cut, flip, empty, without_a_column, with_text_for_numbers, with_empty_cells],
    ids=lambda damage: damage.__name__,
)
def test_a_damaged_table_is_refused(damage: Callable[[Path], None], tmp_path: Path) -> None:
    write(tmp_path)
    damage(tmp_path / "steps.parquet")
    said = refusal(tmp_path, steps_of)
    assert said.startswith(f"{tmp_path}/steps.parquet: not a table of a run folder: ")
    assert said.endswith("; write the run again")
    assert "\n" not in said


def test_a_complete_run_that_has_lost_a_table_says_so(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "steps.parquet").unlink()
    assert refusal(tmp_path) == (f"{tmp_path}/steps.parquet: is missing from a complete run; write the run again")


def test_columns_that_a_later_version_adds_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path)
    path = tmp_path / "steps.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("mood", pa.array(["good"] * table.num_rows)), path)
    assert steps_of(read_run(tmp_path)).equals(example().table("steps"))


def test_a_folder_may_be_moved_and_lie_anywhere(tmp_path: Path) -> None:
    # "a=b" is how pyarrow spells a partition; here it is a name.
    moved = tmp_path / "a=b" / "späte läufe"
    moved.parent.mkdir()
    shutil.move(write(tmp_path / "run"), moved)
    assert steps_of(read_run(moved)).equals(example().table("steps"))


def test_the_same_run_is_written_with_the_same_bytes(tmp_path: Path) -> None:
    first, second = contents(write(tmp_path / "a")), contents(write(tmp_path / "b"))
    assert first == second


def test_a_folder_that_goes_away_during_the_run_is_said(tmp_path: Path) -> None:
    run = example()
    writer = RunWriter(tmp_path / "run", run.info, run.scenario)
    shutil.rmtree(tmp_path / "run")
    with pytest.raises(InvalidInputError, match="cannot be written: No such file or directory"):
        writer.finish(run.info, {name: run.table(name) for name in TABLES}, {})
