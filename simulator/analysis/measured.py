"""The result document of a run that is to be compared: enough steps, whole sections, finite numbers."""

import re
from math import isfinite
from typing import Any

from simulator.analysis.result import result
from simulator.errors import InvalidInputError, NothingMeasuredError
from simulator.trace.folder import RUN_FILE, Run

# Fewer measured steps than this say nothing about a mean.
MIN_STEPS = 20
# What must be in a document of which nothing but run.json is left.
_SECTIONS = ("throughput", "step_time_s", "staleness", "placement", "tasks", "phases_s", "bottleneck")
# Numbers of a run fit in its tables; of larger ones, differences would leave what a float holds.
_MAX_WHOLE = 2**63
_HISTOGRAM_KEY = re.compile(r"0|[1-9][0-9]{0,17}")


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
    try:
        finite: dict[str, Any] = _finite(document)
    except RecursionError:
        raise _spoilt(run) from None
    return finite


def _checked(summary: Any, run: Run) -> dict[str, Any]:
    """Return *summary*, which anybody can have edited, when it is a result document."""
    if not isinstance(summary, dict) or not all(isinstance(summary.get(name), dict) for name in _SECTIONS):
        raise _spoilt(run)
    steps, throughput, staleness = summary.get("measured_steps"), summary["throughput"], summary["staleness"]
    tasks = summary["tasks"].values()
    fits = (
        isinstance(steps, int)
        and _is_number(steps)
        and all(_is_number_or_none(summary.get(name)) for name in ("dropped_gradients", "lost_steps", "global_step"))
        and _is_interval(throughput.get("ci95"))
        and _is_histogram(staleness.get("histogram"))
        and _holds_numbers(throughput, but="ci95")
        and _holds_numbers(staleness, but="histogram")
        and _holds_numbers(summary["step_time_s"])
        and _holds_numbers(summary["phases_s"])
        and all(isinstance(use, dict) and _holds_numbers(use) for use in tasks)
        and all(isinstance(task, str) for task in summary["placement"].values())
        and all(isinstance(summary["bottleneck"].get(name), str) for name in ("resource", "advice"))
        and _is_number_or_none(summary["bottleneck"].get("utilization"))
    )
    if not fits:
        raise _spoilt(run)
    # A number that is not there is one that was not measured.
    return {**summary, "throughput": {"ci95": None, **throughput}}


def _spoilt(run: Run) -> InvalidInputError:
    return InvalidInputError(
        f"{run.folder}: has no tables, and the summary in {RUN_FILE} is not a result document; write the run again"
    )


def _holds_numbers(section: dict[str, Any], *, but: str = "") -> bool:
    return all(_is_number_or_none(value) for name, value in section.items() if name != but)


def _is_interval(value: Any) -> bool:
    return value is None or (
        isinstance(value, list) and len(value) == 2 and all(_is_number(v) and isfinite(v) for v in value)
    )


def _is_histogram(value: Any) -> bool:
    if not isinstance(value, dict) or not all(_HISTOGRAM_KEY.fullmatch(key) for key in value):
        return False
    counts = list(value.values())
    # Counts of zero alone have no shares.
    return all(isinstance(n, int) and _is_number(n) and n >= 0 for n in counts) and (not counts or sum(counts) > 0)


def _is_number_or_none(value: Any) -> bool:
    return value is None or _is_number(value)


def _is_number(value: Any) -> bool:
    """Tell whether *value* is a number that a run can have, or one of those that JSON cannot hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < _MAX_WHOLE or (isinstance(value, float) and not isfinite(value))


def _finite(value: Any) -> Any:
    """Return *value* with None for every number that JSON cannot hold."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    return value
