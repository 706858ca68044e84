"""The budget: how far two runs may differ before a gate fails."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, WithJsonSchema, field_validator, model_validator

from simulator.scenario.base import Part
from simulator.scenario.document import Document
from simulator.scenario.faults import collect, near
from simulator.scenario.reading import read

# Paths into the result document (analysis/result.py) that are numbers, and two distances between runs.
METRICS = (
    "throughput.steps_per_s",
    "throughput.examples_per_s",
    "throughput.per_worker_examples_per_s",
    "step_time_s.mean",
    "step_time_s.p10",
    "step_time_s.p50",
    "step_time_s.p90",
    "step_time_s.p99",
    "step_time_s.ks",
    "staleness.mean",
    "staleness.p50",
    "staleness.p90",
    "staleness.p99",
    "staleness.max",
    "staleness.step_mean",
    "staleness.total_variation",
    "dropped_gradients",
    "phases_s.pull",
    "phases_s.forward",
    "phases_s.backward",
    "phases_s.push",
    "phases_s.apply",
    "phases_s.wait",
    "bottleneck.utilization",
)
# Distances have one value for both runs: the largest gap of the ECDFs of the step times
# (Kolmogorov-Smirnov), and half the sum of differences of the shares of the staleness histograms.
DISTANCES = ("step_time_s.ks", "staleness.total_variation")
TASK_METRICS = ("nic_out", "nic_in", "apply", "compute", "cpu", "bytes_out", "bytes_in")
TASK_METRIC = re.compile(rf"tasks\./job:(ps|worker)/task:[0-9]+\.({'|'.join(TASK_METRICS)})")
_PERCENT = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*%\s*")


class Level(StrEnum):
    """What a metric beyond its limit does."""

    GATE = "gate"
    WARN = "warn"


def _percent(value: Any) -> float:
    match = _PERCENT.fullmatch(value) if isinstance(value, str) and len(value) <= 40 else None
    if match is None:
        raise ValueError(f"{value!r} is not a percentage; write it in quotes like '15 %'")
    return float(match[1]) / 100


Percent = Annotated[
    float,
    BeforeValidator(_percent),
    WithJsonSchema({"type": "string", "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*%\s*$", "examples": ["15 %"]}),
]


class Limit(Part):
    """How far a metric of the second run may be from the first's; with both limits, one of them must hold."""

    relative: Percent | None = Field(default=None, description="Share of the first run's value, like '15 %'")
    absolute: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = Field(
        default=None, description="In the metric's own unit; of a distance, its largest value"
    )
    level: Level = Level.GATE

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"relative": value}
        if isinstance(value, int | float) and not isinstance(value, bool):
            return {"absolute": value}
        return value

    @model_validator(mode="after")
    def _has_a_limit(self) -> "Limit":
        if self.relative is None and self.absolute is None:
            raise ValueError("give a limit: '15 %', 0.5, or {relative: '15 %', absolute: 0.5}")
        return self


class Budget(Part):
    """Limits by metric, a path into the result document like ``throughput.steps_per_s``."""

    version: Literal[1] = 1
    metrics: Annotated[dict[str, Limit], Field(json_schema_extra={"minProperties": 1})]

    @field_validator("metrics")
    @classmethod
    def _judges_something(cls, metrics: dict[str, Limit]) -> dict[str, Limit]:
        if not metrics:
            raise ValueError("a budget without metrics judges nothing; add one like throughput.steps_per_s: 15 %")
        return metrics


def load_budget(path: Path) -> Budget:
    """Return the budget in *path*; raise DocumentError with every fault and its place."""
    document = read(path, "budget")
    budget = None
    try:
        budget = Budget.model_validate(document.data)
    except ValidationError as error:
        collect(error, Budget, document)
    _check(document)
    document.raise_faults("budget")
    assert budget is not None
    return budget


def _check(document: Document) -> None:
    metrics = document.get("metrics")
    for name in metrics if isinstance(metrics, dict) else ():
        loc = ("metrics", name)
        if name not in METRICS and not TASK_METRIC.fullmatch(name):
            document.fault(loc, f"there is no metric {name!r}" + near(name, _candidates(name)), of_key=True)
        limit = document.get(*loc)
        if name in DISTANCES and (isinstance(limit, str) or (isinstance(limit, dict) and "relative" in limit)):
            document.fault(loc, f"{name} is a distance between the runs: give it an absolute limit, like 0.2")


def _candidates(name: str) -> list[str]:
    """Return the metrics that *name* may have meant; of a task, those of the task it seems to name."""
    task = re.search(r"(ps|worker)(?:/task)?:([0-9]{1,6})", name)
    if not name.startswith("tasks") or task is None:
        return [*METRICS, *(f"tasks./job:ps/task:0.{metric}" for metric in TASK_METRICS)]
    return [f"tasks./job:{task[1]}/task:{task[2]}.{metric}" for metric in TASK_METRICS]
