"""Small runs whose every number is known, and folders of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simulator.run import simulate
from simulator.scenario.loader import loads_scenario
from simulator.scenario.scenario import Scenario
from simulator.trace.folder import Run, RunInfo, RunWriter
from simulator.trace.recorder import Recorder
from simulator.trace.schema import KEPT, Kind, TraceLevel

PS, CHIEF, OTHER = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"
MS = 1_000_000


def scenario(name: str = "tiny", *, workers: int = 2, warmup: int = 0, last_step: int = 100) -> Scenario:
    """Return a scenario of one ps, one variable and 3 ms of compute."""
    return loads_scenario(
        f"""\
name: {name}
cluster: {{ps: {{tasks: 1}}, worker: {{tasks: {workers}}}}}
workload:
  variables: [{{name: v, shape: [10]}}]
  compute: {{forward: 1 ms, backward: 2 ms, distribution: {{kind: deterministic}}}}
training: {{last_step: {last_step}}}
measure: {{warmup_steps: {warmup}, replications: 1}}
"""
    )


def step(task: str, local: int, start: int, end: int, *, written: int | None = None, traced: bool = True) -> Any:
    """Return a row of steps; times in ms."""
    return (0, task, local, local, local + 1 if written is None else written, start * MS, end * MS, traced)


def span(task: str, lane: str, phase: str, start: int, end: int, *, worker: str = CHIEF, of: int = 0) -> Any:
    """Return a row of spans without slot; times in ms."""
    return (task, lane, phase, worker, of, "v", 40, PS if task != PS else worker, start * MS, end * MS)


def update(local: int, staleness: int, time: int) -> Any:
    """Return a row of updates of the chief; *time* in ms."""
    return (0, CHIEF, local, "v", 0, staleness, staleness, time * MS, False)


def run_of(
    steps: Sequence[Any] = (),
    spans: Sequence[Any] = (),
    updates: Sequence[Any] = (),
    *,
    kind: Kind = Kind.SIMULATED,
    made: Scenario | None = None,
    **info: Any,
) -> Run:
    """Return a run in memory with these rows."""
    recorder = Recorder()
    recorder.steps, recorder.spans, recorder.updates = list(steps), list(spans), list(updates)
    made = made or scenario()
    facts = {"complete": True, "seed": 0, "replications": 1, "trace": TraceLevel.FULL, "scenario": made.name, **info}
    return Run(info=RunInfo(kind=kind, **facts), scenario=made, given=recorder.tables())


def three_steps(kind: Kind = Kind.SIMULATED, **info: Any) -> Run:
    """Return a run of one worker with three steps of 10 ms, each 1 pull, 3 forward, 4 backward, 1 push, 1 wait."""
    steps, spans, updates = [], [], []
    for i in range(3):
        at = 10 * i
        steps.append(step(CHIEF, i, at, at + 10))
        spans += [
            span(CHIEF, "nic_in", "pull", at, at + 1, of=i),
            span(CHIEF, "compute", "forward", at + 1, at + 4, of=i),
            span(CHIEF, "compute", "backward", at + 4, at + 8, of=i),
            span(CHIEF, "nic_out", "push", at + 8, at + 9, of=i),
        ]
        updates.append(update(i, 0 if i else 1, at + 9))
    return run_of(steps, spans, updates, kind=kind, made=scenario(workers=1), **info)


def write(folder: Path, run: Run) -> Path:
    """Write *run* to *folder*; an incomplete one as a run that has only begun."""
    writer = RunWriter(folder, run.info, run.scenario)
    if run.info.complete:
        writer.finish(run.info, {name: run.table(name) for name in KEPT[run.info.trace]}, {"started": "2026-01-01"})
    return folder


def simulated(**changes: Any) -> Run:
    """Return a truly simulated run, with its summary."""
    return simulate(scenario(**changes))
