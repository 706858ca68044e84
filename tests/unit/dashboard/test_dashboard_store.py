"""Which runs are found, and that nothing outside the folder is read."""

import json
import os
from pathlib import Path

import pytest

from dashboard.store import RunStore, valid_id
from simulator.errors import InvalidInputError
from tests.unit.dashboard.dashboard_runs import scenario, simulated, three_steps, write


def test_runs_are_found_up_to_three_levels_down(tmp_path: Path) -> None:
    for id_ in ("a", "group/b", "group/deeper/c", "group/deeper/deepest/d"):
        write(tmp_path / id_, three_steps())
    assert sorted(e.id for e in RunStore(tmp_path).entries()) == ["a", "group/b", "group/deeper/c"]


def test_a_folder_that_is_a_run_is_the_only_run(tmp_path: Path) -> None:
    write(tmp_path / "mine", three_steps())
    store = RunStore(tmp_path / "mine")
    assert [e.id for e in store.entries()] == ["mine"]
    assert store.run("mine").info.scenario == "tiny"
    with pytest.raises(InvalidInputError, match="no run 'other'"):
        store.run("other")


def test_the_run_written_last_comes_first(tmp_path: Path) -> None:
    for age, id_ in enumerate(("new", "older", "oldest")):
        os.utime(write(tmp_path / id_, three_steps()) / "run.json", (10_000 - age, 10_000 - age))
    assert [e.id for e in RunStore(tmp_path).entries()] == ["new", "older", "oldest"]


@pytest.mark.parametrize("missing", ["nowhere", "file"])
def test_a_root_that_is_no_folder_is_refused_with_the_command_that_makes_a_run(tmp_path: Path, missing: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match="paramscope simulate SCENARIO --out"):
        RunStore(tmp_path / missing)


@pytest.mark.parametrize(
    "id_", ["", ".", "..", "../secret", "a/../../secret", "/etc", "a//b", "a\\..\\b", "a\0b", "a/b/c/d", "a\nb"]
)
def test_an_id_that_is_no_plain_path_is_refused(tmp_path: Path, id_: str) -> None:
    write(tmp_path / "secret", three_steps())
    write(tmp_path / "runs" / "a", three_steps())
    assert not valid_id(id_)
    with pytest.raises(InvalidInputError, match="not the name of a run"):
        RunStore(tmp_path / "runs").run(id_)


def test_a_folder_that_links_out_of_the_root_is_listed_but_not_read(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", three_steps())
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "link").symlink_to(outside)
    store = RunStore(tmp_path / "runs")
    (entry,) = store.entries()
    assert entry.run is None
    assert "leads out of" in (entry.error or "")
    with pytest.raises(InvalidInputError, match="leads out of"):
        store.run("link")


def test_a_table_that_links_out_of_the_root_is_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "steps.parquet"
    folder = write(tmp_path / "runs" / "a", three_steps())
    (folder / "steps.parquet").rename(secret)
    (folder / "steps.parquet").symlink_to(secret)
    with pytest.raises(InvalidInputError, match=r"steps\.parquet is a link that leads out"):
        RunStore(tmp_path / "runs").run("a")


def test_a_link_to_a_run_inside_the_root_is_followed(tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(write(tmp_path / "a", three_steps()))
    assert sorted(e.id for e in RunStore(tmp_path).entries() if e.run) == ["a", "latest"]


@pytest.mark.parametrize("text", ["{", "[]", '{"schema_version": 99}', '{"schema_version": 1}', "\0"])
def test_a_broken_run_does_not_hide_the_others(tmp_path: Path, text: str) -> None:
    write(tmp_path / "good", three_steps())
    (write(tmp_path / "bad", three_steps()) / "run.json").write_text(text)
    entries = {e.id: e for e in RunStore(tmp_path).entries()}
    assert entries["good"].run is not None
    assert entries["bad"].run is None
    assert entries["bad"].error


def test_a_run_is_read_once_and_again_when_it_changes(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", three_steps())
    store = RunStore(tmp_path)
    first = store.run("a")
    assert store.run("a") is first
    document = json.loads((folder / "run.json").read_text())
    document["notes"] = ["changed"]
    (folder / "run.json").write_text(json.dumps(document))
    assert store.run("a").info.notes == ("changed",)


def test_a_run_that_is_deleted_is_gone(tmp_path: Path) -> None:
    folder = write(tmp_path / "a", three_steps())
    store = RunStore(tmp_path)
    store.run("a")
    (folder / "run.json").unlink()
    assert store.entries() == []
    with pytest.raises(InvalidInputError, match="there is no run 'a'"):
        store.run("a")


def test_many_runs_are_listed_without_reading_their_tables(tmp_path: Path) -> None:
    write(tmp_path / "a", simulated(last_step=30))
    (tmp_path / "a" / "spans.parquet").write_text("broken")
    (entry,) = RunStore(tmp_path).entries()
    assert entry.run is not None
    assert entry.run.info.scenario == scenario().name
