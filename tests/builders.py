"""Scenarios and runs of which a test writes only what matters to it."""

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.scenario.document import dump
from simulator.scenario.loader import loads_scenario
from simulator.scenario.scenario import Scenario, task_path
from simulator.trace.folder import Run, RunInfo
from simulator.trace.recorder import Recorder
from simulator.trace.schema import Kind, TraceLevel

MS = 1_000_000  # ns


def scenario_data(
    *,
    name: str = "built",
    ps: int = 1,
    workers: int = 1,
    shapes: Mapping[str, Sequence[int]] | None = None,
    last_step: int = 10,
    warmup: int = 0,
    **changes: Any,
) -> dict[str, Any]:
    """Return a scenario as plain data: one ps, one worker, one small variable, ten steps of 3 ms.

    Args:
        name: its name.
        ps: tasks of job ps.
        workers: tasks of job worker.
        shapes: the variables, by name, in creation order.
        last_step: where the training stops.
        warmup: steps left out.
        changes: any other field by its path with ``__`` for the dot: ``cluster__network__latency="1 ms"``.
    """
    data: dict[str, Any] = {
        "name": name,
        "cluster": {"ps": {"tasks": ps}, "worker": {"tasks": workers}},
        "workload": {
            "variables": [{"name": n, "shape": list(s)} for n, s in (shapes or {"v": [10]}).items()],
            "compute": {"forward": "1 ms", "backward": "2 ms"},
        },
        "training": {"last_step": last_step},
        "measure": {"warmup_steps": warmup, "replications": 1},
    }
    for path, value in changes.items():
        *holders, last = path.split("__")
        here = data
        for part in holders:
            here = here.setdefault(part, {})
        here[last] = value
    return data


def scenario_yaml(**changes: Any) -> str:
    """Return the text of a scenario file; see scenario_data."""
    return dump(scenario_data(**changes))


def scenario(**changes: Any) -> Scenario:
    """Return a scenario; see scenario_data."""
    return loads_scenario(scenario_yaml(**changes))


PS, WORKER = task_path("ps:0"), task_path("worker:0")


def step_row(local: int, start: int, end: int, *, task: str = WORKER, **changes: Any) -> tuple[Any, ...]:
    """Return a row of steps, times in ns; the global step follows the local one."""
    row = {"replication": 0, "read": local, "written": local + 1, "traced": True, **changes}
    return (row["replication"], task, local, row["read"], row["written"], start, end, row["traced"])


def span_row(lane: str, phase: str, start: int, end: int, *, step: int = 0, **changes: Any) -> tuple[Any, ...]:
    """Return a row of spans without its slot, times in ns: worker 0 with ps 0."""
    row = {"task": WORKER, "worker": WORKER, "variable": "v", "bytes": 40, "peer": PS, **changes}
    return (
        row["task"], lane, phase, row["worker"], step, row["variable"], row["bytes"], row["peer"], start, end,
    )  # fmt: skip


def update_row(step: int, staleness: int, time: int, **changes: Any) -> tuple[Any, ...]:
    """Return a row of updates, *time* in ns."""
    row = {"replication": 0, "worker": WORKER, "shard": "v", "version": staleness, "dropped": False, **changes}
    applied = row["version"]
    return (
        row["replication"], row["worker"], step, row["shard"], applied - staleness, applied, staleness, time,
        row["dropped"],
    )  # fmt: skip


def run_of(
    steps: Sequence[Any] = (),
    spans: Sequence[Any] = (),
    updates: Sequence[Any] = (),
    *,
    made: Scenario | None = None,
    kind: Kind = Kind.SIMULATED,
    **info: Any,
) -> Run:
    """Return a run in memory with these rows."""
    recorder = Recorder()
    recorder.steps, recorder.spans, recorder.updates = list(steps), list(spans), list(updates)
    made = made or scenario()
    facts = {"complete": True, "seed": 0, "replications": 1, "trace": TraceLevel.FULL, "scenario": made.name, **info}
    return Run(info=RunInfo(kind=kind, **facts), scenario=made, given=recorder.tables())
