"""Two runs side by side: the same numbers of both, how far apart they are, and what a budget says of it."""

from dataclasses import dataclass
from typing import Any

from simulator.analysis.budget import Row, Verdict, judge, overall
from simulator.analysis.differences import scenario_differences
from simulator.analysis.measured import measured_result
from simulator.analysis.result import step_times
from simulator.analysis.statistics import ks_distance, total_variation
from simulator.analysis.window import windows
from simulator.scenario.budget import DISTANCES, METRICS, TASK_METRICS, Budget, Limit
from simulator.trace.folder import Run
from simulator.trace.schema import Kind

COMPARISON_SCHEMA = "paramscope/comparison/1"

Documents = tuple[dict[str, Any], dict[str, Any]]
# The resource that analysis/bottleneck.py names when no step was traced.
UNKNOWN = "unknown"
_NAMES = {Kind.REAL: "the real run", Kind.SIMULATED: "the simulation"}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two runs (*first* is what the *second* is measured by) and everything said about them.

    ``warnings`` limit what the numbers are worth; ``notes`` are good to know.
    """

    first: Run
    second: Run
    results: Documents
    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    intervals: str = ""
    differences: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """``fail`` when a gate is exceeded, ``pass`` when none is, ``info`` without a budget."""
        return overall(self.rows)

    @property
    def runs(self) -> tuple[Run, Run]:
        """Both runs."""
        return (self.first, self.second)

    def row(self, name: str) -> Row:
        """Return the row of metric *name*."""
        return next(row for row in self.rows if row.name == name)

    def as_json(self) -> dict[str, Any]:
        """Return the document of comparison.json."""
        sides = {}
        for name, run, document in zip(("first", "second"), self.runs, self.results, strict=True):
            sides[name] = {
                "folder": str(run.folder) if run.folder else None,
                "kind": run.info.kind.value,
                "scenario": run.info.scenario,
                "complete": run.info.complete,
                "result": document,
            }
        return {
            "schema": COMPARISON_SCHEMA,
            "verdict": self.verdict.value,
            **sides,
            "metrics": [row.as_json() for row in self.rows],
            "notes": [*self.warnings, self.intervals, *self.notes],
            "scenario_differences": list(self.differences),
        }


def run_names(first: Run, second: Run) -> tuple[str, str]:
    """Return how sentences call the two runs: by kind, or by order where both are of one kind."""
    if first.info.kind is second.info.kind:
        return "the first run", "the second run"
    return _NAMES[first.info.kind], _NAMES[second.info.kind]


def compare(first: Run, second: Run, budget: Budget | None = None) -> Comparison:
    """Compare *second* with *first*.

    Raises:
        NothingMeasuredError: one of them has too few measured steps to judge.
    """
    names = run_names(first, second)
    results = (measured_result(first, names[0]), measured_result(second, names[1]))
    distances = _distances(first, second, results)
    limits = budget.metrics if budget else {}
    rows = []
    for name in [*METRICS, *_task_metrics(results, limits)]:
        if name in DISTANCES:
            a, b, difference = None, None, distances.get(name)
        else:
            a, b = (_number(document, name) for document in results)
            difference = None if a is None or b is None else b - a
        limit = limits.get(name)
        verdict = judge(a, difference, limit)
        reason = _reason(name, (a, b), (first, second), names) if verdict is Verdict.MISSING else None
        rows.append(
            Row(name=name, first=a, second=b, difference=difference, limit=limit, verdict=verdict, reason=reason)
        )
    return Comparison(
        first=first,
        second=second,
        results=results,
        rows=tuple(rows),
        warnings=tuple(_warnings(first, second)),
        notes=tuple(_notes(first, second)),
        intervals=_intervals(results, names),
        differences=tuple(scenario_differences(first.scenario, second.scenario)),
    )


def has_steps(run: Run) -> bool:
    """Tell whether *run* kept its steps, not only a summary."""
    return bool(run.table("steps").num_rows)


def _distances(first: Run, second: Run, results: Documents) -> dict[str, float]:
    out = {}
    histograms = [document["staleness"]["histogram"] for document in results]
    if all(histograms):
        out["staleness.total_variation"] = total_variation(*histograms)
    if has_steps(first) and has_steps(second):
        out["step_time_s.ks"] = ks_distance(*(step_times(run, windows(run)) for run in (first, second)))
    return out


def _task_metrics(results: Documents, limits: dict[str, Limit]) -> list[str]:
    """Return the paths of both runs' tasks, and of those the budget names."""
    tasks = list(dict.fromkeys(task for document in results for task in document["tasks"]))
    names = [f"tasks.{task}.{name}" for task in tasks for name in TASK_METRICS]
    return names + sorted(name for name in limits if name.startswith("tasks.") and name not in names)


def _number(document: dict[str, Any], name: str) -> float | None:
    """Return the number at path *name*, or None; names of tasks hold no dot."""
    if name.startswith("bottleneck.") and document["bottleneck"]["resource"] == UNKNOWN:
        return None  # the 0 that stands there is no use that anybody measured
    value: Any = document
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _reason(name: str, values: tuple[float | None, float | None], runs: tuple[Run, Run], names: tuple[str, str]) -> str:
    """Say why metric *name* has no difference."""
    if name == "step_time_s.ks":
        lacking = [n for n, run in zip(names, runs, strict=True) if not has_steps(run)]
        return f"{_joined(lacking)} kept no steps: write it with --trace steps or full"
    if name == "staleness.total_variation":
        return "not both runs recorded updates of variables"
    lacking = [n for n, value in zip(names, values, strict=True) if value is None]
    hint = ""
    if name.startswith(("tasks.", "phases_s.", "bottleneck.")) and all(
        run.table("spans").num_rows == 0 for run in runs
    ):
        hint = ", which kept no spans (write it with --trace full)"
    return f"not measured by {_joined(lacking)}{hint}"


def _joined(words: list[str]) -> str:
    return " and ".join(words)


def _warnings(first: Run, second: Run) -> list[str]:
    names = run_names(first, second)
    return [
        f"{name} is INCOMPLETE ({run.info.failure or 'it did not end'}): its numbers are of the steps it did"
        for name, run in zip(names, (first, second), strict=True)
        if not run.info.complete
    ]


def _notes(first: Run, second: Run) -> list[str]:
    notes = []
    if first.info.kind is Kind.SIMULATED and second.info.kind is Kind.REAL:
        notes.append("the simulation was given first: differences are shares of the prediction, not of the real run")
    for name, run in zip(run_names(first, second), (first, second), strict=True):
        if not has_steps(run):
            notes.append(
                f"{name} kept no tables (--trace none): its numbers are of its run.json,"
                " and step times cannot be compared as distributions (step_time_s.ks)"
            )
        notes += [f"{name}: {note}" for note in run.info.notes]
    return notes


def _intervals(results: Documents, names: tuple[str, str]) -> str:
    """Say where the 95 % intervals of both throughputs lie, and whether they overlap."""
    intervals = [document["throughput"]["ci95"] for document in results]
    if not any(intervals):
        return "No 95 % interval of the throughput: both runs are one replication of fewer than 100 steps"
    parts = [
        f"{name} {interval[0]:.4g} to {interval[1]:.4g} steps/s"
        if interval
        else f"{name} none (one replication of fewer than 100 steps)"
        for name, interval in zip(names, intervals, strict=True)
    ]
    text = f"95 % intervals of the throughput: {'; '.join(parts)}"
    if all(intervals):
        (a, b), (c, d) = intervals
        text += "; they overlap" if a <= d and c <= b else "; they do not overlap"
    return text
