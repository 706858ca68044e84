"""The result document of a run that is to be compared: enough steps, whole sections, finite numbers."""

from math import isfinite
from typing import Any

from simulator.analysis.result import result
from simulator.errors import InvalidInputError, NothingMeasuredError
from simulator.trace.folder import RUN_FILE, Run

# Fewer measured steps than this say nothing about a mean.
MIN_STEPS = 20
# What must be in a document of which nothing but run.json is left.
_SECTIONS = ("throughput", "step_time_s", "staleness", "placement", "tasks", "phases_s", "bottleneck")


def measured_result(run: Run, name: str) -> dict[str, Any]:
    """Return the result document of *run* from its tables; from run.json when it kept none.

    Args:
        run: real or simulated, complete or not.
        name: how errors call it.

    Raises:
        NothingMeasuredError: fewer than MIN_STEPS steps were measured.
        InvalidInputError: there are no tables, and the summary in run.json is none of ours.
    """
    if run.table("steps").num_rows == 0 and run.info.summary is not None:
        document = _checked(run.info.summary, run)
    else:
        document = result(run)
    steps = document["measured_steps"]
    if steps < MIN_STEPS:
        raise NothingMeasuredError(
            f"{run.folder or run.name}: {steps} measured steps of {name} are too few to judge: at least {MIN_STEPS}"
            " after the warm-up; raise training.last_step or lower measure.warmup_steps"
        )
    finite: dict[str, Any] = _finite(document)
    return finite


def _checked(summary: Any, run: Run) -> dict[str, Any]:
    """Return *summary*, which anybody can have edited, when it is a result document."""
    fits = (
        isinstance(summary, dict)
        and all(isinstance(summary.get(section), dict) for section in _SECTIONS)
        and isinstance(summary.get("measured_steps"), int)
        and _is_interval(summary["throughput"].get("ci95"))
        and _is_histogram(summary["staleness"].get("histogram"))
        and all(isinstance(use, dict) for use in summary["tasks"].values())
    )
    if not fits:
        raise InvalidInputError(
            f"{run.folder}: has no tables, and the summary in {RUN_FILE} is not a result document; write the run again"
        )
    checked: dict[str, Any] = summary
    return checked


def _is_interval(value: Any) -> bool:
    return value is None or (isinstance(value, list) and len(value) == 2 and all(_is_number(v) for v in value))


def _is_histogram(value: Any) -> bool:
    return isinstance(value, dict) and all(
        key.isdecimal() and isinstance(count, int) and count >= 0 for key, count in value.items()
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _finite(value: Any) -> Any:
    """Return *value* with None for every number that JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
