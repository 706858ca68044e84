"""The result document of a run (DESIGN section 5), computed from its tables alone."""

from typing import Any

import numpy as np

from simulator.analysis.bottleneck import bottleneck
from simulator.analysis.phases import PRECEDENCE, step_phases
from simulator.analysis.statistics import BATCHES, MIN_STEPS_FOR_BATCHES, Floats, interval
from simulator.analysis.usage import TaskUsage, usage
from simulator.analysis.window import Window, bools, ints, windows
from simulator.errors import NothingMeasuredError
from simulator.scenario.placement import placement
from simulator.trace.folder import Run
from simulator.trace.schema import Phase

RESULT_SCHEMA = "paramscope/result/1"


def result(run: Run) -> dict[str, Any]:
    """Return the result document of *run*; raise NothingMeasuredError when no step was measured."""
    found = windows(run)
    if not found:
        warmup = run.scenario.warmup_steps
        raise NothingMeasuredError(
            f"{run.name}: no step was measured: {run.table('steps').num_rows} steps ended, the warm-up is {warmup};"
            " run more steps or lower measure.warmup_steps"
        )
    batch = run.scenario.workload.batch_size
    rates = [len(w.rows) / w.seconds for w in found]
    rate = float(np.mean(rates))
    first_with_spans = found[0]  # spans are kept of the first replication only
    phases = _phases(run, first_with_spans)
    use = usage(run, first_with_spans) if phases else {}
    limit = bottleneck(phases, use)
    written = ints(run, "steps", "global_step_written")
    return {
        "schema": RESULT_SCHEMA,
        "scenario": run.info.scenario,
        "kind": run.info.kind.value,
        "seed": run.info.seed,
        "replications": len(found),
        "complete": run.info.complete,
        "throughput": {
            "steps_per_s": rate,
            "ci95": interval(rates) if len(rates) > 1 else _batch_interval(run, found[0]),
            "examples_per_s": rate * batch,
            "per_worker_examples_per_s": rate * batch / run.scenario.cluster.worker.tasks,
        },
        "step_time_s": _step_times(run, found),
        "staleness": _staleness(run, found),
        "placement": placement(run.scenario),
        "tasks": {task: _rounded(use_) for task, use_ in use.items()},
        "phases_s": phases,
        "bottleneck": {"resource": limit.resource, "utilization": limit.utilization, "advice": limit.advice},
        "dropped_gradients": int(np.sum(bools(run, "updates", "dropped"))),
        "lost_steps": 0,
        "global_step": int(written.max()),
        "measured_steps": int(sum(len(w.rows) for w in found)),
        "simulated_s": float(ints(run, "steps", "end").max()) / 1e9,
    }


def step_times(run: Run, found: list[Window]) -> Floats:
    """Return seconds of every measured step that tracing did not slow down."""
    start, end = ints(run, "steps", "start"), ints(run, "steps", "end")
    rows = np.concatenate([w.rows for w in found])
    if run.info.kind.value == "real":
        traced = bools(run, "steps", "traced")
        plain = rows[~traced[rows]]
        rows = plain if len(plain) else rows
    seconds: Floats = (end[rows] - start[rows]) / 1e9
    return seconds


def _step_times(run: Run, found: list[Window]) -> dict[str, float]:
    seconds = step_times(run, found)
    p10, p50, p90, p99 = np.percentile(seconds, [10, 50, 90, 99])
    return {"mean": float(seconds.mean()), "p10": float(p10), "p50": float(p50), "p90": float(p90), "p99": float(p99)}


def _batch_interval(run: Run, window: Window) -> list[float] | None:
    """Return the interval of one run's rate by batch means: steps in a row are not independent."""
    if len(window.rows) < MIN_STEPS_FOR_BATCHES:
        return None
    ends = np.sort(ints(run, "steps", "end")[window.rows])
    edges = np.linspace(0, len(ends), BATCHES + 1).astype(int)
    at = np.concatenate([[window.start], ends])[edges]
    lengths = np.diff(at) / 1e9
    if not np.all(lengths > 0):
        return None
    return interval([float(r) for r in np.diff(edges) / lengths])


def _staleness(run: Run, found: list[Window]) -> dict[str, Any]:
    time, replication = ints(run, "updates", "time"), ints(run, "updates", "replication")
    value = ints(run, "updates", "staleness")
    dropped = bools(run, "updates", "dropped")
    keep = np.zeros(len(time), dtype=bool)
    for w in found:
        keep |= (replication == w.replication) & (time > w.start) & (time <= w.end)
    value = value[keep & ~dropped]
    rows = np.concatenate([w.rows for w in found])
    by_step = ints(run, "steps", "global_step_written")[rows] - 1 - ints(run, "steps", "global_step_read")[rows]
    if len(value) == 0:
        return {"mean": None, "p50": None, "p90": None, "p99": None, "max": None, "histogram": {}, "step_mean": None}
    values, counts = np.unique(value, return_counts=True)
    p50, p90, p99 = (int(v) for v in np.percentile(value, [50, 90, 99], method="inverted_cdf"))
    return {
        "mean": float(value.mean()),
        "p50": p50,
        "p90": p90,
        "p99": p99,
        "max": int(value.max()),
        "histogram": {str(int(v)): int(c) for v, c in zip(values, counts, strict=True)},
        "step_mean": float(by_step.mean()),
    }


def _phases(run: Run, window: Window) -> dict[str, float]:
    _, nanoseconds = step_phases(run, window)
    if len(nanoseconds) == 0:
        return {}
    names = [*(p.value for p in PRECEDENCE), Phase.WAIT.value]
    means = dict(zip(names, (float(m) / 1e9 for m in nanoseconds.mean(axis=0)), strict=True))
    order = ("pull", "forward", "backward", "push", "apply", "wait")
    return {name: means[name] for name in order}


def _rounded(use: TaskUsage) -> dict[str, Any]:
    return {
        "nic_out": use.nic_out,
        "nic_in": use.nic_in,
        "apply": use.apply,
        "compute": use.compute,
        "cpu": use.cpu,
        "bytes_out": use.bytes_out,
        "bytes_in": use.bytes_in,
    }
