"""Budget files: what they may say, and what is said of their faults."""

from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # no stubs without types-jsonschema
import pytest
from pydantic import ValidationError

from simulator.errors import DocumentError, Fault
from simulator.scenario.budget import METRICS, Budget, Level, Limit, load_budget
from simulator.scenario.json_schema import document_schema
from simulator.scenario.reading import read

ROOT = Path(__file__).parents[3]


def limit(relative: str | None = None, absolute: float | None = None, level: str = "gate") -> Limit:
    return Limit.model_validate({"relative": relative, "absolute": absolute, "level": level})


def faults(tmp_path: Path, text: str) -> list[Fault]:
    path = tmp_path / "budget.yaml"
    path.write_text(text)
    with pytest.raises(DocumentError) as caught:
        load_budget(path)
    assert str(path) in str(caught.value)
    return caught.value.faults


def test_a_percent_is_a_share_and_a_number_is_in_the_metric_s_unit(tmp_path: Path) -> None:
    path = tmp_path / "budget.yaml"
    path.write_text(
        "metrics:\n"
        "  throughput.steps_per_s: '15 %'\n"
        "  staleness.mean: 0.5\n"
        "  step_time_s.p99: {relative: 30%, absolute: 0.002, level: warn}\n"
        "  tasks./job:ps/task:0.nic_out: 0.1\n"
    )
    metrics = load_budget(path).metrics
    assert metrics["throughput.steps_per_s"] == limit("15 %")
    assert metrics["throughput.steps_per_s"].relative == pytest.approx(0.15)
    assert metrics["staleness.mean"] == limit(absolute=0.5)
    assert metrics["step_time_s.p99"].level is Level.WARN
    assert (metrics["step_time_s.p99"].relative, metrics["step_time_s.p99"].absolute) == (0.3, 0.002)
    assert metrics["tasks./job:ps/task:0.nic_out"].absolute == 0.1


def test_every_fault_of_a_budget_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    found = faults(
        tmp_path,
        "version: 2\n"
        "metrics:\n"
        "  throughput.step_per_s: 15 %\n"
        "  staleness.mean: {relative: 15, level: gatee}\n"
        "  step_time_s.ks: 15 %\n"
        "  tasks.ps:1.nicout: 3\n"
        "  step_time_s.p50: -1\n"
        "  step_time_s.p90: .nan\n"
        "  step_time_s.p99: {level: warn}\n"
        "  staleness.max: {absolut: 3}\n"
        "extra: 1\n",
    )
    # Line and column, counted in the text above, and the word that must be in the message.
    expected = {
        (1, 10): "1",
        (3, 3): "did you mean 'throughput.steps_per_s'?",
        (4, 30): "'15 %'",
        (4, 41): "did you mean 'gate'?",
        (5, 19): "absolute",
        (6, 3): "did you mean 'tasks./job:ps/task:1.nic_out'?",
        (7, 20): "out of range",
        (8, 20): "number",
        (9, 20): "give a limit",
        (10, 19): "did you mean 'absolute'?",
        (11, 1): "unknown field 'extra'",
    }
    assert [(f.line, f.column) for f in found] == sorted(expected)
    for fault in found:
        assert expected[fault.line, fault.column] in fault.message


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "an empty file"),
        ("metrics: {}\n", 1, 10, "judges nothing"),
        ("metrics:\n  staleness.mean: [1]\n", 2, 19, "not a mapping"),
        ("metrics:\n  staleness.mean: true\n", 2, 19, "not a mapping"),
        ("metrics:\n  staleness.mean: 1\n  staleness.mean: 2\n", 3, 3, "given twice"),
        ("metrics: [\n", 2, 1, "not YAML"),
        ("version: 1\n", 1, 1, "'metrics' is missing"),
    ],
)
def test_a_budget_that_is_none_says_so(tmp_path: Path, text: str, line: int, column: int, message: str) -> None:
    (found,) = faults(tmp_path, text)
    assert (found.line, found.column) == (line, column)
    assert message in found.message


def test_the_shipped_budget_gates_three_metrics_and_warns_of_three() -> None:
    metrics = load_budget(ROOT / "scenarios/budgets/default.yaml").metrics
    assert set(metrics) <= set(METRICS)
    assert {name: level(given) for name, given in metrics.items()} == {
        "throughput.steps_per_s": ("gate", 0.15, None),
        "staleness.mean": ("gate", None, 0.5),
        "step_time_s.p50": ("gate", 0.15, None),
        "step_time_s.p99": ("warn", 0.3, None),
        "staleness.total_variation": ("warn", None, 0.15),
        "step_time_s.ks": ("warn", None, 0.3),
    }


def level(given: Limit) -> tuple[str, float | None, float | None]:
    return given.level.value, given.relative, given.absolute


def test_the_budget_in_the_reference_is_valid_and_every_metric_is_explained(tmp_path: Path) -> None:
    text = (ROOT / "docs/reference/compare.md").read_text()
    path = tmp_path / "budget.yaml"
    path.write_text(text.partition("```yaml\n")[2].partition("```")[0])
    assert len(load_budget(path).metrics) == 5
    for name in METRICS:
        section, _, last = name.rpartition(".")
        assert f"`{name}`" in text or (f"`{section}." in text and f"`.{last}`" in text), name


def test_the_json_schema_takes_what_the_loader_takes() -> None:
    schema = jsonschema.Draft202012Validator(document_schema("budget"))
    shipped = read(ROOT / "scenarios/budgets/default.yaml", "budget").data
    for good in (shipped, {"metrics": {"tasks./job:ps/task:0.nic_out": {"absolute": 1}, "staleness.mean": 0.5}}):
        assert list(schema.iter_errors(good)) == []
        assert Budget.model_validate(good)
    for bad in ({}, {"staleness.mean": {"level": "warn"}}, {"staleness.mean": "15"}, {"staleness.mean": -1}):
        assert list(schema.iter_errors({"metrics": bad}))
        with pytest.raises(ValidationError):
            Budget.model_validate({"metrics": bad})
    # Names are checked by the loader with a hint; the schema lets editors complete them.
    assert list(schema.iter_errors({"metrics": {"throughput.step": 1}}))
