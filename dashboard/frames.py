"""Records of a run as the small tables that the figures draw.  Numbers come from the result document."""

from dataclasses import dataclass
from typing import Any

from simulator.analysis.result import result
from simulator.errors import InvalidInputError, NothingMeasuredError
from simulator.trace.folder import RUN_FILE, Run
from simulator.trace.schema import Kind, Phase

# A histogram with more bars than this is not read; neighbours are put together.
MAX_BARS = 60
COMPUTING = (Phase.FORWARD, Phase.BACKWARD)
MOVING = (Phase.PULL, Phase.PUSH)
WAITING = (Phase.WAIT, Phase.WAIT_TOKEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigures:
    """The key figures of a run.  Times in seconds, staleness in updates; None: not measured."""

    kind: Kind
    steps_per_s: float
    ci95: tuple[float, float] | None
    examples_per_s: float
    step_p50: float
    step_p99: float
    staleness_mean: float | None
    staleness_p99: int | None
    histogram: dict[int, int]
    phases: dict[str, float]
    limit: str
    utilization: float
    advice: str
    replications: int


def key_figures(run: Run) -> KeyFigures:
    """Return the key figures of *run*: from its summary, or computed anew when it holds none.

    Raises:
        NothingMeasuredError: no step was measured.
        InvalidInputError: the summary in ``run.json`` is not one of ours.
    """
    document = run.info.summary if run.info.summary is not None else result(run)
    try:
        return _figures(run.info.kind, document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInputError(
            f"{run.name}: the summary in {RUN_FILE} is not complete ({type(error).__name__}: {error});"
            " write the run again"
        ) from None


def _figures(kind: Kind, document: dict[str, Any]) -> KeyFigures:
    throughput, step, stale = document["throughput"], document["step_time_s"], document["staleness"]
    interval, limit = throughput["ci95"], document["bottleneck"]
    if not throughput["steps_per_s"] > 0:
        raise ValueError("steps_per_s is not more than zero")
    return KeyFigures(
        kind=kind,
        steps_per_s=float(throughput["steps_per_s"]),
        ci95=(float(interval[0]), float(interval[1])) if interval else None,
        examples_per_s=float(throughput["examples_per_s"]),
        step_p50=float(step["p50"]),
        step_p99=float(step["p99"]),
        staleness_mean=None if stale["mean"] is None else float(stale["mean"]),
        staleness_p99=None if stale["p99"] is None else int(stale["p99"]),
        histogram={int(value): int(count) for value, count in stale["histogram"].items() if int(count) > 0},
        phases={str(name): float(seconds) for name, seconds in document["phases_s"].items()},
        limit=str(limit["resource"]),
        utilization=float(limit["utilization"]),
        advice=str(limit["advice"]),
        replications=int(document["replications"]),
    )


def maybe_figures(run: Run) -> KeyFigures | None:
    """Return the key figures of *run*; None when nothing was measured."""
    try:
        return key_figures(run)
    except NothingMeasuredError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One line of the list of runs."""

    kind: str
    scenario: str
    ps: int
    workers: int
    mode: str
    steps_per_s: float | None
    staleness_mean: float | None
    complete: bool


def run_row(run: Run) -> RunRow:
    """Return the line of *run*; its numbers are those of its summary, None when it has none."""
    found = key_figures(run) if run.info.summary is not None else None
    return RunRow(
        kind=run.info.kind.value,
        scenario=run.info.scenario,
        ps=run.scenario.cluster.ps.tasks,
        workers=run.scenario.cluster.worker.tasks,
        mode=run.scenario.training.mode.value,
        steps_per_s=found.steps_per_s if found else None,
        staleness_mean=found.staleness_mean if found else None,
        complete=run.info.complete,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """A histogram as shares that sum to 1; each bar covers ``width`` values from ``first`` on."""

    first: list[int]
    width: int
    share: list[float]

    def label(self, at: int) -> str:
        """Return the values that bar *at* covers."""
        first = self.first[at]
        return str(first) if self.width == 1 else f"{first} to {first + self.width - 1}"


def bar_width(*histograms: dict[int, int]) -> int:
    """Return how many staleness values one bar covers, so that none of *histograms* has more than MAX_BARS."""
    largest = max((value for histogram in histograms for value in histogram), default=0)
    return largest // MAX_BARS + 1


def staleness_shares(histogram: dict[int, int], width: int = 1) -> Shares:
    """Return the shares of *histogram* in bars of *width* values, from 0 on without gaps."""
    total = sum(histogram.values())
    bars = max(histogram, default=-1) // width + 1
    share = [0.0] * bars
    for value, count in histogram.items():
        share[value // width] += count / total
    return Shares(first=[i * width for i in range(bars)], width=width, share=share)


def phase_shares(phases: dict[str, float]) -> dict[str, float]:
    """Return the share of a mean step per phase; they sum to 1.  Empty when no step was traced."""
    total = sum(phases.values())
    return {name: seconds / total for name, seconds in phases.items()} if total > 0 else {}


def share_of(shares: dict[str, float], names: tuple[Phase, ...]) -> float:
    """Return the share of the phases *names* together."""
    return sum(shares.get(name.value, 0.0) for name in names)
