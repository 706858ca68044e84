"""Exit codes of ``paramscope compare``, and what it says beside them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator.cli import cli
from simulator.trace.schema import Kind
from tests.builders import scenario
from tests.run_builder import steady_run, with_summary, write_run
from tests.unit.commands.compare_calls import DEFAULT, ROOT, Called


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


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("metrics:\n  step_time_s.p5: 1\n", 2, 3, "did you mean 'step_time_s.p"),
        ("metrics:\n  staleness.mean: '15'\n", 2, 19, "write it in quotes like '15 %'"),
        ("metrics:\n  staleness.mean: '-15 %'\n", 2, 19, "is not a percentage"),
        ("metrics:\n  staleness.mean: -0.1\n", 2, 19, "out of range; it is at least 0"),
        ("metrics:\n  staleness.mean: .nan\n", 2, 19, "is not a finite number"),
        ("metrics:\n  staleness.mean: .inf\n", 2, 19, "is not a finite number"),
        ("metrics: {}\n", 1, 10, "judges nothing"),
        ("version: 2\nmetrics:\n  staleness.mean: 1\n", 1, 10, "2 is not one of the values allowed here; there is: 1"),
        ("metrics:\n  staleness.mean: 1\n  staleness.mean: 2\n", 3, 3, "given twice"),
        ("metrics:\n  step_time_s.ks: {relative: 15 %}\n", 2, 19, "is a distance between the runs"),
        ("", 1, 1, "an empty file"),
    ],
)
def test_a_bad_budget_is_2_with_place_and_remedy_and_nothing_is_written(
    capsys: pytest.CaptureFixture[str],
    real: Path,
    near: Path,
    tmp_path: Path,
    text: str,
    line: int,
    column: int,
    message: str,
) -> None:
    budget = tmp_path / "budget.yaml"
    budget.write_text(text)
    called = Called(capsys, real, near, "--budget", budget, "--report", tmp_path / "report", "--json")
    assert called.code == 2
    (told,) = [told for told in called.err.splitlines() if told.startswith(f"{budget}:{line}:{column}: ")]
    assert message in told
    assert called.out == ""
    assert not (tmp_path / "report").exists()


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


@pytest.mark.slow
def test_the_process_ends_with_each_code(real: Path, near: Path, far: Path, tmp_path: Path) -> None:
    short = write_run(tmp_path / "short", steady_run(steps=19))
    for second, options, code in (
        (near, ["--budget", str(DEFAULT)], 0),
        (far, ["--budget", str(DEFAULT)], 1),
        (tmp_path / "nowhere", [], 2),
        (short, [], 4),
    ):
        command = [sys.executable, "-m", "simulator", "compare", str(real), str(second), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        assert bool(done.stdout) == (code < 2)


def test_click_s_own_runner_sees_the_gate_too(real: Path, near: Path, far: Path) -> None:
    for second, code in ((near, 0), (far, 1)):
        done = CliRunner().invoke(
            cli, ["compare", str(real), str(second), "--budget", str(DEFAULT)], standalone_mode=False
        )
        assert done.exception is None
        assert done.return_value == code


def test_a_run_compared_with_itself_passes_a_budget_of_zeros(
    capsys: pytest.CaptureFixture[str], real: Path, tmp_path: Path
) -> None:
    budget = tmp_path / "budget.yaml"
    budget.write_text("metrics: {throughput.steps_per_s: 0, staleness.mean: 0 %, step_time_s.ks: 0}")
    called = Called(capsys, real, real, "--budget", budget, "--json")
    assert called.code == 0
    assert {row["difference"] for row in json.loads(called.out)["metrics"]} == {0}


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
