"""Two runs side by side: the same numbers of both, how far apart they are, and what a budget says of it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from simulator.analysis.differences import scenario_differences
from simulator.analysis.result import result, step_times
from simulator.analysis.statistics import ks_distance, total_variation
from simulator.analysis.window import windows
from simulator.errors import NothingMeasuredError
from simulator.scenario.budget import DISTANCES, METRICS, TASK_METRICS, Budget, Level, Limit
from simulator.trace.folder import Run

COMPARISON_SCHEMA = "paramscope/comparison/1"
# Fewer measured steps than this say nothing about a mean.
MIN_STEPS = 20


class Verdict(StrEnum):
    """What a row, or the whole comparison, says."""

    PASS = "pass"
    FAIL = "fail"
    WARN = "warn"
    INFO = "info"  # the budget says nothing of it
    MISSING = "missing"  # in the budget, but not measured by both


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of both runs; of a distance, only *difference*."""

    name: str
    first: float | None
    second: float | None
    difference: float | None
    limit: Limit | None
    verdict: Verdict

    @property
    def relative(self) -> float | None:
        """Difference as a share of the first run's value; None where that is 0."""
        if self.difference is None or not self.first:
            return None
        return self.difference / abs(self.first)

    @property
    def gates(self) -> bool:
        """Tell whether this row fails the gate."""
        gate = self.limit is not None and self.limit.level is Level.GATE
        return gate and self.verdict in (Verdict.FAIL, Verdict.MISSING)

    def as_json(self) -> dict[str, Any]:
        """Return the row as it stands in comparison.json."""
        limit = self.limit
        return {
            "name": self.name,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "relative": self.relative,
            "limit_relative": limit.relative if limit else None,
            "limit_absolute": limit.absolute if limit else None,
            "level": limit.level.value if limit else None,
            "verdict": self.verdict.value,
        }


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two runs (*first* is what the *second* is measured by) and everything said about them."""

    first: Run
    second: Run
    results: tuple[dict[str, Any], dict[str, Any]]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    differences: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """``fail`` when a gate is exceeded, ``pass`` when none is, ``info`` without a budget."""
        if any(row.gates for row in self.rows):
            return Verdict.FAIL
        return Verdict.PASS if any(row.limit for row in self.rows) else Verdict.INFO

    def row(self, name: str) -> Row:
        """Return the row of metric *name*."""
        return next(row for row in self.rows if row.name == name)

    def as_json(self) -> dict[str, Any]:
        """Return the document of comparison.json."""
        sides = {}
        for name, run, document in zip(("first", "second"), (self.first, self.second), self.results, strict=True):
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
            "notes": list(self.notes),
            "scenario_differences": list(self.differences),
        }


def compare(first: Run, second: Run, budget: Budget | None = None) -> Comparison:
    """Compare *second* with *first*.

    Raises:
        NothingMeasuredError: one of them has fewer than MIN_STEPS measured steps.
    """
    results = (_result(first), _result(second))
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
        rows.append(
            Row(name=name, first=a, second=b, difference=difference, limit=limit, verdict=_judge(a, difference, limit))
        )
    return Comparison(
        first=first,
        second=second,
        results=results,
        rows=tuple(rows),
        notes=tuple(_notes(first, second, results)),
        differences=tuple(scenario_differences(first.scenario, second.scenario)),
    )


def _judge(first: float | None, difference: float | None, limit: Limit | None) -> Verdict:
    """A row passes when either of its limits holds: a relative one says nothing near zero."""
    if limit is None:
        return Verdict.INFO
    if difference is None:
        return Verdict.MISSING
    within = limit.absolute is not None and abs(difference) <= limit.absolute
    if limit.relative is not None and first is not None:
        within = within or abs(difference) <= limit.relative * abs(first)
    if within:
        return Verdict.PASS
    return Verdict.FAIL if limit.level is Level.GATE else Verdict.WARN


def _result(run: Run) -> dict[str, Any]:
    """Return the result of *run*, from its tables; from run.json when it kept none."""
    kept_none = run.table("steps").num_rows == 0
    document = run.info.summary if kept_none and run.info.summary else result(run)
    steps = document.get("measured_steps", 0)
    if not isinstance(steps, int) or steps < MIN_STEPS:
        raise NothingMeasuredError(
            f"{run.name}: {steps} measured steps are too few to judge; run at least {MIN_STEPS} after the warm-up"
        )
    return document


def _distances(first: Run, second: Run, results: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, float]:
    out = {}
    histograms = [document["staleness"]["histogram"] for document in results]
    if all(histograms):
        out["staleness.total_variation"] = total_variation(*histograms)
    if all(run.table("steps").num_rows for run in (first, second)):
        out["step_time_s.ks"] = ks_distance(*(step_times(run, windows(run)) for run in (first, second)))
    return out


def _task_metrics(results: tuple[dict[str, Any], dict[str, Any]], limits: dict[str, Limit]) -> list[str]:
    """Return the paths of both runs' tasks, and of those the budget names."""
    tasks = sorted({task for document in results for task in document["tasks"]})
    names = [f"tasks.{task}.{name}" for task in tasks for name in TASK_METRICS]
    return names + sorted(name for name in limits if name.startswith("tasks.") and name not in names)


def _number(document: dict[str, Any], name: str) -> float | None:
    """Return the number at path *name*, or None; names of tasks hold no dot."""
    value: Any = document
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _notes(first: Run, second: Run, results: tuple[dict[str, Any], dict[str, Any]]) -> list[str]:
    notes = []
    for run in (first, second):
        kind = run.info.kind.value
        if not run.info.complete:
            notes.append(f"{run.name} ({kind}) is incomplete: {run.info.failure or 'it did not end'}")
        if run.table("steps").num_rows == 0:
            notes.append(f"{run.name} ({kind}) kept no tables: step times cannot be compared as distributions")
        notes += [f"{run.name} ({kind}): {note}" for note in run.info.notes]
    intervals = [document["throughput"]["ci95"] for document in results]
    if all(intervals):
        (a, b), (c, d) = intervals
        overlap = a <= d and c <= b
        notes.append(
            f"95 % intervals of the throughput {'overlap' if overlap else 'do not overlap'}:"
            f" {a:.4g} to {b:.4g} and {c:.4g} to {d:.4g} steps/s"
        )
    return notes
