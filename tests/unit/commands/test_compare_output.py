"""What ``paramscope compare`` writes: the JSON document, the report folder, lines that cannot be forged."""

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from simulator.trace.schema import Kind, TraceLevel
from tests.run_builder import steady_run, write_run
from tests.unit.commands.compare_calls import DEFAULT, Called

FILES = ["comparison.json", "comparison.md", "junit.xml", "report.html"]


HOSTILE = "\x1b[2J\x1b]0;taken\x07\n::error::forged\r\n\u202egnp"


def test_texts_of_a_run_cannot_command_a_terminal_or_a_ci(
    capsys: pytest.CaptureFixture[str], near: Path, tmp_path: Path
) -> None:
    hostile = steady_run(Kind.REAL, complete=False, failure=HOSTILE, notes=(HOSTILE,), scenario=HOSTILE)
    called = Called(capsys, write_run(tmp_path / "hostile", hostile), near)
    assert called.code == 0
    text = called.out + called.err
    # GitHub Actions obeys a line that begins with two colons.
    assert not [line for line in text.splitlines() if line.startswith("::")]
    assert not set(text) & set("\x1b\x07\r\u202e")
    assert text.count("::error::forged") == 3  # title, warning, note


def no_constant(word: str) -> Any:
    raise AssertionError(f"JSON holds {word}")


def test_json_is_one_document_that_holds_everything(
    capsys: pytest.CaptureFixture[str], real: Path, far: Path, tmp_path: Path
) -> None:
    called = Called(capsys, real, far, "--budget", DEFAULT, "--json", "--report", tmp_path / "report")
    document = json.loads(called.out, parse_constant=no_constant)
    assert (called.code, document["schema"], document["verdict"]) == (1, "paramscope/comparison/1", "fail")
    assert document == json.loads((tmp_path / "report/comparison.json").read_text())
    for side, folder, kind in (("first", real, "real"), ("second", far, "simulated")):
        assert document[side]["folder"] == str(folder)
        assert (document[side]["kind"], document[side]["complete"]) == (kind, True)
        assert document[side]["result"]["schema"] == "paramscope/result/1"
    rate = next(row for row in document["metrics"] if row["name"] == "throughput.steps_per_s")
    assert math.isclose(rate.pop("difference"), 25)
    assert math.isclose(rate.pop("relative"), 0.25)
    assert math.isclose(rate.pop("first"), 100)
    assert math.isclose(rate.pop("second"), 125)
    assert rate == {
        "name": "throughput.steps_per_s",
        "limit_relative": 0.15,
        "limit_absolute": None,
        "level": "gate",
        "verdict": "fail",
        "reason": None,
    }
    assert isinstance(document["notes"], list)
    assert document["scenario_differences"] == []


def test_a_report_is_four_files_and_is_replaced_by_the_next(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, far: Path, tmp_path: Path
) -> None:
    report = tmp_path / "new/report"
    assert Called(capsys, real, far, "--budget", DEFAULT, "--report", report).code == 1
    assert sorted(p.name for p in report.iterdir()) == FILES
    suite = ET.parse(report / "junit.xml").getroot()[0]
    assert int(suite.get("failures", "0")) == 2  # throughput and the median step
    assert Called(capsys, real, near, "--budget", DEFAULT, "--report", report).code == 0
    assert sorted(p.name for p in report.iterdir()) == FILES
    assert "PASS" in (report / "comparison.md").read_text()


def test_a_folder_with_something_else_is_left_alone(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, tmp_path: Path
) -> None:
    report = tmp_path / "mine"
    report.mkdir()
    (report / "thesis.txt").write_text("years of work")
    called = Called(capsys, real, near, "--report", report)
    assert called.code == 2
    assert "thesis.txt" in called.err
    assert [p.name for p in report.iterdir()] == ["thesis.txt"]
    # A run folder is something else, too.
    assert Called(capsys, real, near, "--report", near).code == 2


def test_a_report_that_cannot_be_written_is_2_before_anything_is(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    for wrong in (tmp_path / "file", tmp_path / "file/report", Path("/proc/nothing/report")):
        called = Called(capsys, real, near, "--report", wrong)
        assert called.code == 2
        assert "--report" in called.err
    blocked = tmp_path / "blocked"
    (blocked / "report.html").mkdir(parents=True)
    assert Called(capsys, real, near, "--report", blocked).code == 2
    assert [p.name for p in blocked.iterdir()] == ["report.html"]


def test_a_trace_of_steps_is_enough_for_the_default_budget(
    capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path
) -> None:
    steps = write_run(tmp_path / "steps", steady_run(trace=TraceLevel.STEPS, spans=False))
    called = Called(capsys, real, steps, "--budget", DEFAULT, "--report", tmp_path / "report")
    assert called.code == 0
    assert "missing" not in called.out
