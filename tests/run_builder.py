"""Runs, real and simulated, of which every number is known, and folders of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simulator.analysis.result import result
from simulator.scenario.scenario import Scenario
from simulator.trace.folder import Run, RunInfo, RunWriter
from simulator.trace.schema import KEPT, Kind, TraceLevel
from tests.builders import MS, PS, run_of, scenario, span_row, step_row, update_row

# Of a step of 10 ms: lane, phase, begin and end in ms.  The last millisecond is nobody's: the step waits.
SPANS = (
    ("nic_in", "pull", 0, 1),
    ("compute", "forward", 1, 4),
    ("compute", "backward", 4, 8),
    ("nic_out", "push", 8, 9),
)


def steady_run(
    kind: Kind = Kind.SIMULATED,
    *,
    steps: int = 40,
    step_ms: int = 10,
    staleness: Sequence[int] = (0,),
    spans: bool = True,
    made: Scenario | None = None,
    **info: Any,
) -> Run:
    """Return a run of one worker with steps of one length, one behind the other, from time 0 on.

    So it makes 1000 / step_ms steps/s.  Updates take the values of *staleness* in turn (none: nothing is
    updated).  Each step is 1/10 pull, 3/10 forward, 4/10 backward, 1/10 push and 1/10 wait.
    """
    length = step_ms * MS
    rows = [step_row(i, i * length, (i + 1) * length) for i in range(steps)]
    bars = [
        span_row(lane, phase, i * length + a * length // 10, i * length + b * length // 10, step=i)
        for i in range(steps)
        for lane, phase, a, b in SPANS
    ]
    stale = [staleness[i % len(staleness)] for i in range(steps)] if staleness else []
    updates = [update_row(i, value, (i + 1) * length, version=i + 9) for i, value in enumerate(stale)]
    made = made or scenario(last_step=max(1, steps))
    return run_of(rows, bars if spans else [], updates, made=made, kind=kind, **info)


def with_summary(run: Run, **info: Any) -> Run:
    """Return *run* as ``--trace none`` leaves it: a summary and no tables."""
    kept: dict[str, Any] = {
        "kind": run.info.kind,
        "complete": True,
        "scenario": run.info.scenario,
        "seed": 0,
        "replications": 1,
        "trace": TraceLevel.NONE,
        "summary": result(run),
        **info,
    }
    return Run(info=RunInfo(**kept), scenario=run.scenario)


def write_run(folder: Path, run: Run) -> Path:
    """Write *run* to *folder* as both executions do, and return the folder."""
    writer = RunWriter(folder, run.info, run.scenario)
    writer.finish(run.info, {name: run.table(name) for name in KEPT[run.info.trace]}, {"started": "2026-01-01"})
    return folder


__all__ = ["MS", "PS", "steady_run", "with_summary", "write_run"]
