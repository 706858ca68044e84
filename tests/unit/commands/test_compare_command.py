"""``paramscope compare`` as its callers see it: exit codes, standard output, the report folder."""

import json
import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from simulator.cli import main
from simulator.trace.schema import Kind, TraceLevel
from tests.builders import scenario
from tests.run_builder import steady_run, with_summary, write_run

ROOT = Path(__file__).parents[3]
DEFAULT = ROOT / "scenarios/budgets/default.yaml"
FILES = ["comparison.json", "comparison.md", "junit.xml", "report.html"]


class Called:
    """Exit code and output of one call."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *args: object) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["compare", *map(str, args)])
        self.code = caught.value.code
        self.out, self.err = capsys.readouterr()
        assert "Traceback" not in self.err


@pytest.fixture
def real(tmp_path: Path) -> Path:
    """100 steps/s, staleness 0."""
    return write_run(tmp_path / "real", steady_run(Kind.REAL))


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """The same, simulated."""
    return write_run(tmp_path / "near", steady_run())


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """125 steps/s: 25 % more."""
    return write_run(tmp_path / "far", steady_run(step_ms=8))


def test_within_the_budget_is_0(capsys: pytest.CaptureFixture[str], real: Path, near: Path) -> None:
    called = Called(capsys, real, near, "--budget", DEFAULT)
    assert called.code == 0
    assert "PASS" in called.out


def test_beyond_a_gate_is_1(capsys: pytest.CaptureFixture[str], real: Path, far: Path) -> None:
    called = Called(capsys, real, far, "--budget", DEFAULT)
    assert called.code == 1
    assert "FAIL" in called.out


def test_beyond_a_warning_is_0(capsys: pytest.CaptureFixture[str], real: Path, far: Path, tmp_path: Path) -> None:
    budget = tmp_path / "budget.yaml"
    budget.write_text("metrics: {throughput.steps_per_s: {relative: 15 %, level: warn}}")
    called = Called(capsys, real, far, "--budget", budget)
    assert called.code == 0
    assert "Warnings" in called.out


def test_without_a_budget_nothing_is_judged(capsys: pytest.CaptureFixture[str], real: Path, far: Path) -> None:
    called = Called(capsys, real, far, "--json")
    document = json.loads(called.out)
    assert called.code == 0
    assert document["verdict"] == "info"
    assert {row["verdict"] for row in document["metrics"]} == {"info"}


def test_a_gate_on_what_was_not_measured_is_1(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, tmp_path: Path
) -> None:
    budget = tmp_path / "budget.yaml"
    budget.write_text('metrics: {"tasks./job:ps/task:7.nic_out": 0.1}')
    called = Called(capsys, real, near, "--budget", budget)
    assert called.code == 1
    assert "missing" in called.out


def test_what_is_no_run_folder_is_2(capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for wrong in ("empty", "file", "nowhere"):
        called = Called(capsys, real, tmp_path / wrong)
        assert called.code == 2
        assert str(tmp_path / wrong) in called.err
        assert called.out == ""


def test_a_bad_budget_is_2_with_all_its_faults(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, tmp_path: Path
) -> None:
    budget = tmp_path / "budget.yaml"
    budget.write_text("metrics:\n  throughput.step_per_s: 15 %\n  staleness.mean: -1\n")
    called = Called(capsys, real, near, "--budget", budget)
    assert called.code == 2
    assert f"{budget}:2:3: there is no metric" in called.err
    assert f"{budget}:3:19: -1" in called.err
    assert Called(capsys, real, near, "--budget", tmp_path / "none.yaml").code == 2


def test_too_few_steps_are_4(capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path) -> None:
    short = write_run(tmp_path / "short", steady_run(steps=19))
    called = Called(capsys, real, short, "--report", tmp_path / "report", "--json")
    assert called.code == 4
    assert f"{short}: 19 measured steps" in called.err
    assert called.out == ""
    assert not (tmp_path / "report").exists()


def test_nothing_measured_is_4(capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path) -> None:
    nothing = write_run(tmp_path / "nothing", steady_run(Kind.REAL, steps=0, complete=False))
    assert Called(capsys, real, nothing).code == 4


def test_an_incomplete_run_is_compared_and_warned_of(
    capsys: pytest.CaptureFixture[str], near: Path, tmp_path: Path
) -> None:
    died = write_run(tmp_path / "died", steady_run(Kind.REAL, complete=False, failure="worker:1 died"))
    called = Called(capsys, died, near, "--budget", DEFAULT)
    assert called.code == 0
    assert "PASS: within the budget. But the real run is incomplete." in called.out
    assert "WARNING: the real run is INCOMPLETE (worker:1 died)" in called.err


def test_a_run_without_tables_is_compared_by_its_summary(
    capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path
) -> None:
    bare = write_run(tmp_path / "bare", with_summary(steady_run()))
    assert [p.suffix for p in sorted(bare.iterdir())] == [".json", ".json", ".yaml"]
    called = Called(capsys, real, bare, "--budget", DEFAULT, "--json")
    document = json.loads(called.out)
    ks = next(row for row in document["metrics"] if row["name"] == "step_time_s.ks")
    assert called.code == 0  # the default budget only warns of that distance
    assert (ks["verdict"], ks["difference"]) == ("missing", None)
    assert "--trace steps" in ks["reason"]
    assert "kept no tables" in called.err


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


def test_different_scenarios_are_compared_and_noted(
    capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path
) -> None:
    other = write_run(tmp_path / "other", steady_run(made=scenario(name="other", last_step=40, ps=2)))
    called = Called(capsys, real, other, "--json")
    assert called.code == 0
    assert json.loads(called.out)["scenario_differences"] == ["name: built -> other", "cluster.ps.tasks: 1 -> 2"]
    assert "the scenarios differ in cluster.ps.tasks: 1 -> 2" in called.err


def test_a_run_may_be_named_by_a_dot(
    capsys: pytest.CaptureFixture[str], real: Path, near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(real)
    assert Called(capsys, ".", near, "--budget", DEFAULT).code == 0


def test_a_trace_of_steps_is_enough_for_the_default_budget(
    capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path
) -> None:
    steps = write_run(tmp_path / "steps", steady_run(trace=TraceLevel.STEPS, spans=False))
    called = Called(capsys, real, steps, "--budget", DEFAULT, "--report", tmp_path / "report")
    assert called.code == 0
    assert "missing" not in called.out
