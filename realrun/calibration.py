"""From a real run of one worker to the costs of a step.  Pure: it reads a run and returns a profile.

What is measured where (docs/models/costs.md has the reasons):

* a message: a gradient of at most 64 KiB from the worker to the moment its apply op can run, the median;
  half is the sender's, half the receiver's.  Larger variables give the cost of a MiB by least squares.
* an apply: the time of the apply op.
* the host's part of the compute: measured compute spans less the accelerator's nominal time.
* the start of a step: from ``session.run`` until the variables of the first layer are there, less the
  messages that carry them.
* a further ps: how much longer a step is with the scenario's ps than with one, beyond the accelerator.
* the end of a step: what is left of the mean step, so that the model gives this run's mean step back.

Tracing makes a step a millisecond or more longer, and every piece of it takes part in that.  Pieces are
therefore scaled by the ratio of the steps' time beyond the accelerator's, untraced to traced.
"""

from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.analysis.phases import step_of_spans
from simulator.analysis.result import step_times
from simulator.analysis.window import Ints, Window, bools, ints, traced_rows, windows, words
from simulator.errors import InvalidInputError, NothingMeasuredError
from simulator.rng import RandomStreams
from simulator.scenario.cluster import NetworkModel
from simulator.scenario.compute_times import factors
from simulator.scenario.layers import layers
from simulator.scenario.profile import Fit, Profile
from simulator.scenario.resolve import resolve
from simulator.scenario.scenario import Scenario, task_path
from simulator.scenario.workload import APPLY_TRAFFIC, Costs, Overlap
from simulator.trace.folder import Run
from simulator.trace.schema import Kind, Lane, Phase
from simulator.units import MIB

MIN_TRACED_STEPS = 10
SMALL_BYTES = 64 << 10  # below this, a message costs the same whatever its size

Floats = NDArray[np.float64]


def one_worker(scenario: Scenario, *, ps: int, last_step: int, warmup: int) -> Scenario:
    """Return *scenario* cut down to ``worker:0`` and its first *ps* ps on one host, for *last_step* steps."""
    cluster = scenario.cluster
    kept = (*(f"ps:{i}" for i in range(ps)), "worker:0")
    cut = cluster.model_copy(
        update={
            "ps": cluster.ps.model_copy(update={"tasks": ps}),
            "worker": cluster.worker.model_copy(update={"tasks": 1}),
            "addresses": None,
            "per_task": {task: change for task, change in cluster.per_task.items() if task in kept},
            "colocate": (kept,),
        }
    )
    return scenario.model_copy(
        update={
            "cluster": cut,
            "training": scenario.training.model_copy(update={"last_step": last_step}),
            "measure": scenario.measure.model_copy(update={"warmup_steps": warmup}),
        }
    )


def calibrated(run: Run, measured: dict[str, Any], spread: Run | None = None) -> Profile:
    """Return the profile of *run* (one worker, one ps); *measured* is its provenance.

    Args:
        run: the run that costs are taken from.
        measured: written into the profile.
        spread: the same with more ps, from which the cost of a further ps is taken.

    Raises:
        InvalidInputError: the run is not a real one of one worker.
        NothingMeasuredError: it has too few traced steps, none untraced, or no transfer among its spans.
    """
    if run.info.kind is not Kind.REAL:
        raise InvalidInputError(f"{run.name}: a simulated run; costs are measured in a real one (paramscope realrun)")
    workers, servers = run.scenario.cluster.worker.tasks, run.scenario.cluster.ps.tasks
    if (workers, servers) != (1, 1):
        raise InvalidInputError(
            f"{run.name}: has {servers} ps and {workers} workers; calibrate from a run of one ps and one worker,"
            " or leave out --from"
        )
    found = windows(run)
    samples = _Samples.of(run, found[0]) if found else None
    if samples is None or len(samples.start) < MIN_TRACED_STEPS:
        count = 0 if samples is None else len(samples.start)
        raise NothingMeasuredError(
            f"{run.name}: {count} traced steps after the warm-up, {MIN_TRACED_STEPS} are needed; run more steps"
        )
    for what, count in (("push", len(samples.message)), ("apply", len(samples.apply))):
        if count == 0:
            raise NothingMeasuredError(f"{run.name}: no {what} was traced, so its cost is not known; run more steps")
    mean_step, nominal = _means(run, found)
    scale = (mean_step - nominal) / samples.beyond.mean()
    per_ps = None
    if spread is not None:
        longer, its_nominal = _means(spread, windows(spread))
        further = spread.scenario.cluster.ps.tasks - 1
        per_ps = max(0.0, ((longer - its_nominal) - (mean_step - nominal)) / further)
    return _fit(run.scenario, samples.scaled(min(1.0, float(scale))), mean_step, nominal, per_ps, measured)


def _means(run: Run, found: list[Window]) -> tuple[float, float]:
    """Return the mean untraced step of the run's worker and the accelerator's part of it, in ns."""
    if not found:
        raise NothingMeasuredError(f"{run.name}: no step was measured; run more steps")
    plain = _plain_steps(run, found[0])
    if len(plain) == 0:
        raise NothingMeasuredError(f"{run.name}: every step was traced, which slows it down; some must not be")
    return float(step_times(run, found).mean()) * 1e9, float(_nominal(run)[plain].mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Samples:
    """Per traced step or per message, in ns; sizes in bytes."""

    start: Floats  # session.run to the first layer's variables
    compute: Floats  # beyond the nominal time
    beyond: Floats  # the whole step beyond the nominal time
    message: Floats
    message_size: Floats
    apply: Floats
    apply_size: Floats

    @classmethod
    def of(cls, run: Run, window: Window) -> "_Samples":
        rows = traced_rows(run, window)
        if len(rows) == 0 or run.table("spans").num_rows == 0:
            rows, step = rows[:0], np.full(run.table("spans").num_rows, -1)
        else:
            step = step_of_spans(run, rows)
        begin = ints(run, "spans", "start").astype(float)
        length = ints(run, "spans", "end") - begin
        phase, lane = _column(run, "phase"), _column(run, "lane")
        variable = _column(run, "variable")
        sizes = {v.name: float(v.size) for v in run.scenario.variables}
        size = np.array([sizes.get(name, 0.0) for name in variable])

        def of(lane_: Lane, *phases: Phase) -> NDArray[np.bool_]:
            chosen: NDArray[np.bool_] = np.isin(phase, [p.value for p in phases])
            both: NDArray[np.bool_] = chosen & (step >= 0) & (lane == lane_.value)
            return both

        names = [run.scenario.variables[v].name for v in _first_needed(run.scenario)]
        pulls = of(Lane.NIC_IN, Phase.PULL) & np.isin(variable, names)
        computes = of(Lane.COMPUTE, Phase.FORWARD, Phase.BACKWARD)
        pushes, applies = of(Lane.NIC_IN, Phase.PUSH), of(Lane.APPLY, Phase.APPLY)
        arrived = np.zeros(len(rows))
        np.maximum.at(arrived, step[pulls], (begin + length)[pulls])
        nominal = _nominal(run)[ints(run, "steps", "local_step")[rows]] if len(rows) else np.zeros(0)
        spent = np.bincount(step[computes], weights=length[computes], minlength=len(rows))
        # A step whose trace came back without its transfers tells nothing.
        whole = (arrived > 0) & (spent > 0)
        return cls(
            start=(arrived - ints(run, "steps", "start")[rows])[whole],
            compute=(spent - nominal)[whole],
            beyond=(ints(run, "steps", "end")[rows] - ints(run, "steps", "start")[rows] - nominal)[whole],
            message=length[pushes],
            message_size=size[pushes],
            apply=length[applies],
            apply_size=size[applies],
        )

    def scaled(self, factor: float) -> "_Samples":
        """Return the same with all times multiplied by *factor*."""
        times = ("start", "compute", "beyond", "message", "apply")
        return replace(self, **{name: getattr(self, name) * factor for name in times})


def _plain_steps(run: Run, window: Window) -> Ints:
    """Return the local steps of the window that were not traced."""
    traced = bools(run, "steps", "traced")
    steps: Ints = ints(run, "steps", "local_step")[window.rows[~traced[window.rows]]]
    return steps


def _column(run: Run, name: str) -> NDArray[np.str_]:
    codes, texts = words(run, "spans", name)
    return np.array(texts, dtype=str)[codes] if texts else np.zeros(0, dtype=str)


def _nominal(run: Run) -> Floats:
    """Return the accelerator's time of each local step of the worker: the draws are known by their stream."""
    compute = run.scenario.workload.compute
    drawn = factors(compute, RandomStreams(run.scenario.seed).stream(f"{task_path('worker:0')}/compute"))
    count = int(ints(run, "steps", "local_step").max()) + 1
    speed = run.scenario.host_type("worker:0").speed
    return np.array([next(drawn) for _ in range(count)]) * (compute.forward + compute.backward) / speed


def _first_needed(scenario: Scenario) -> tuple[int, ...]:
    """Return the variables that the compute waits for before it begins."""
    if scenario.workload.compute.overlap is Overlap.NONE:
        return tuple(range(len(scenario.variables)))
    return layers(scenario.variables)[0].variables


def _fit(
    scenario: Scenario,
    samples: _Samples,
    mean_step: float,
    nominal: float,
    per_ps: float | None,
    measured: dict[str, Any],
) -> Profile:
    defaults = resolve(scenario)
    message, per_byte = _line(samples.message, samples.message_size)
    traffic = APPLY_TRAFFIC[scenario.workload.optimizer]
    apply, apply_per_byte = _line(samples.apply, samples.apply_size)
    loopback = 8e9 / defaults.loopback if defaults.loopback else 0.0  # ns a byte
    per_mib = None if per_byte is None else max(0.0, (per_byte - loopback) / 2) * MIB
    apply_per_mib = None if apply_per_byte is None else apply_per_byte / traffic * MIB
    overhead = max(0.0, float(samples.compute.mean()))
    handling = 2 * (defaults.message_per_mib if per_mib is None else per_mib) / MIB + loopback
    applying = (defaults.apply_per_mib if apply_per_mib is None else apply_per_mib) * traffic / MIB
    pull, rest = _transfers(scenario, message, handling, apply, applying)
    start = max(0.0, float(samples.start.mean()) - pull)
    model = start + pull + nominal + overhead + rest
    end = max(0.0, mean_step - model)
    costs = {
        "session_start": start,
        "session_per_ps": per_ps,
        "session_end": end,
        "message_send": message / 2,
        "message_receive": message / 2,
        "message_per_mib": per_mib,
        "apply": apply,
        "apply_per_mib": apply_per_mib,
        "compute_overhead": overhead,
    }
    return Profile(
        measured=measured,
        holds_for=_range(scenario, samples),
        costs=Costs.model_construct(
            _fields_set={k for k, v in costs.items() if v is not None},
            **{k: round(v) for k, v in costs.items() if v is not None},
        ),
        fits={
            "message": _summary(samples.message[samples.message_size <= SMALL_BYTES]),
            "apply": _summary(samples.apply),
            "compute_overhead": _summary(samples.compute),
            "first_layer_there": _summary(samples.start),
        },
        residuals={"modelled_step_over_measured": round((model + end) / mean_step, 4)},
    )


def _line(duration: Floats, size: Floats) -> tuple[float, float | None]:
    """Return the median of small ones, and ns a byte beyond that; None where none is large."""
    small, large = size <= SMALL_BYTES, size > SMALL_BYTES
    if not large.any():
        return float(np.median(duration)), None
    if not small.any():
        slope, base = np.polyfit(size, duration, 1) if len(np.unique(size)) > 1 else (np.median(duration / size), 0.0)
        return max(0.0, float(base)), max(0.0, float(slope))
    base = float(np.median(duration[small]))
    slope = float(np.sum((duration[large] - base) * size[large]) / np.sum(size[large] ** 2))
    return base, max(0.0, slope)


def _transfers(
    scenario: Scenario, message: float, per_byte: float, apply: float, apply_per_byte: float
) -> tuple[float, float]:
    """Return what the model takes for the first layer's pull, and for the last push, its apply and the commit.

    On one host of n threads, V tensors that are ready at once are sent n at a time, and received after
    that; control messages (ps to worker, worker to ps, ps to worker) follow one another.
    """
    threads = scenario.machines()[0].threads
    sizes = [v.size for v in scenario.variables]
    first = [sizes[v] for v in _first_needed(scenario)]
    half = message / 2
    pull = ceil(len(sizes) / threads) * half + ceil(len(first) / threads) * half + sum(first) * per_byte
    push = 2 * ceil(len(first) / threads) * half + sum(first) * per_byte
    controls = 3 if scenario.cluster.network.model is NetworkModel.TCP else 0
    return pull, push + apply + max(first) * apply_per_byte + controls * message


def _summary(values: Floats) -> Fit:
    if len(values) == 0:
        return Fit(samples=0, mean_us=0.0, sd_us=0.0)
    return Fit(
        samples=len(values),
        mean_us=round(float(values.mean()) / 1e3, 2),
        sd_us=round(float(values.std()) / 1e3, 2),
    )


def _range(scenario: Scenario, samples: _Samples) -> str:
    compute = scenario.workload.compute
    low, high = (int(f(samples.message_size)) for f in (np.min, np.max))
    return (
        f"{len(scenario.variables)} variables of {low} to {high} bytes, optimizer {scenario.workload.optimizer.value},"
        f" {(compute.forward + compute.backward) / 1e6:g} ms of compute a step, all tasks on one host"
        " (loopback, no NIC in between)"
    )
