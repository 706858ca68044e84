"""docs/reference/compare.md says what compare does."""

import re
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]  # no stubs without types-PyYAML
from click.testing import CliRunner

from simulator.analysis.compare import COMPARISON_SCHEMA, compare
from simulator.cli import cli
from simulator.errors import ExitCode
from simulator.report.folder import FILES
from simulator.scenario.budget import DISTANCES, METRICS, TASK_METRICS, Budget, Level, Limit
from simulator.trace.schema import Kind
from tests.run_builder import steady_run

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs/reference/compare.md").read_text()


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def first_column(table: str) -> set[str]:
    """Return every word in backquotes in the first column of the tables in *table*."""
    rows = re.findall(r"^\|([^|]*)\|", table, flags=re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def test_the_document_is_described_field_by_field() -> None:
    document = compare(steady_run(Kind.REAL), steady_run()).as_json()
    written = section("What is written")
    whole, _, rest = written.partition("Of `first` and `second`:")
    run, _, rest = rest.partition("Of each row in `metrics`:")
    assert first_column(whole) == set(document)
    assert first_column(run) == set(document["first"]) == set(document["second"])
    assert first_column(rest.partition("Numbers are finite")[0]) == set(document["metrics"][0])
    assert COMPARISON_SCHEMA in whole


def test_every_field_of_a_budget_is_described() -> None:
    described = first_column(section("The budget"))
    assert set(Budget.model_fields) <= described
    assert {f"metrics.<metric>.{name}" for name in Limit.model_fields} <= described
    assert all(f"`{level.value}`" in section("The budget") for level in Level)


def test_every_metric_and_distance_is_described() -> None:
    text = section("Metrics")
    for name in METRICS:
        head, _, last = name.rpartition(".")
        assert f"`{name}`" in text or (f"`{head}." in text and f"`.{last}`" in text), name
    assert set(DISTANCES) <= first_column(text)
    for use in TASK_METRICS:
        assert f"`.{use}`" in text or f"`tasks.<task>.{use}`" in text, use


def test_exit_codes_and_files_are_those_of_the_command() -> None:
    codes = re.findall(r"^\| (\d) \|", section("Exit codes"), flags=re.MULTILINE)
    expected = (ExitCode.GOOD, ExitCode.GATE_FAILED, ExitCode.INVALID, ExitCode.NOTHING_MEASURED)
    assert codes == [str(int(code)) for code in expected]
    assert set(FILES) <= first_column(section("What is written"))


@pytest.fixture
def workflow() -> list[str]:
    """Return the commands of the workflow in the reference."""
    block = section("In CI").partition("```yaml\n")[2].partition("```")[0]
    steps = yaml.safe_load(block)["jobs"]["compare"]["steps"]
    return [step["run"] for step in steps if "run" in step]


def test_the_workflow_calls_commands_that_exist_with_options_they_have(workflow: list[str]) -> None:
    calls = [line.split() for line in workflow if line.startswith("paramscope ")]
    assert [words[1] for words in calls] == ["calibrate", "simulate", "realrun", "compare"]
    for words in calls:
        shown = CliRunner().invoke(cli, [words[1], "--help"]).output
        for option in words[2:]:
            if option.startswith("-"):
                assert re.search(rf"(?<![\w-]){re.escape(option)}\b", shown), f"{words[1]} has no {option}"
        for path in words[2:]:
            if path.startswith("scenarios/"):
                assert (ROOT / path).is_file()


def test_the_workflow_reads_only_files_that_a_report_has(workflow: list[str]) -> None:
    named = set(re.findall(r"report/([\w.]+)", section("In CI")))
    assert named <= set(FILES)
    assert any("GITHUB_STEP_SUMMARY" in line for line in workflow)
