"""Build a cluster from a scenario, run it as often as asked, and hand back a run."""

from collections.abc import Callable
from dataclasses import replace

import simpy

from simulator.analysis.result import result
from simulator.cluster.context import Context
from simulator.cluster.coordinator import Coordinator
from simulator.cluster.cpu import Cpu
from simulator.cluster.network import Network
from simulator.cluster.ps import ParameterServer
from simulator.cluster.worker import Worker
from simulator.rng import RandomStreams
from simulator.scenario.resolve import resolve
from simulator.scenario.scenario import Scenario, task_path
from simulator.trace.folder import Run, RunInfo
from simulator.trace.recorder import Recorder
from simulator.trace.schema import Kind, TraceLevel

# With less than a full trace, spans of about this many steps of each worker are kept for the summary.
SAMPLED_STEPS = 200

Progress = Callable[[int, int], None]


def simulate(
    scenario: Scenario,
    *,
    replications: int | None = None,
    trace: TraceLevel = TraceLevel.FULL,
    progress: Progress | None = None,
) -> Run:
    """Simulate *scenario* and return the run with its summary.

    Args:
        scenario: what to simulate.
        replications: independent repetitions; default ``measure.replications``.
        trace: what the run keeps when it is written.
        progress: called with (finished, all) replications.

    Raises:
        NothingMeasuredError: no step ended after the warm-up.
    """
    count = replications if replications is not None else scenario.measure.replications
    recorder = Recorder()
    for replication in range(count):
        if progress is not None:
            progress(replication, count)
        _replicate(scenario, replication, recorder, trace)
    info = RunInfo(
        kind=Kind.SIMULATED,
        complete=True,
        scenario=scenario.name,
        seed=scenario.seed,
        replications=count,
        trace=trace,
    )
    run = Run(info=info, scenario=scenario, given=recorder.tables())
    return replace(run, info=replace(info, summary=result(run)))


def _replicate(scenario: Scenario, replication: int, recorder: Recorder, trace: TraceLevel) -> None:
    """Run one replication; spans and links are recorded of the first."""
    env = simpy.Environment(initial_time=0.0)
    first = replication == 0
    stride = 0
    if first:
        stride = 1 if trace is TraceLevel.FULL else max(1, scenario.training.last_step // SAMPLED_STEPS)
    ctx = Context(env, RandomStreams(scenario.seed, replication), recorder, replication=replication, stride=stride)
    costs = resolve(scenario)
    network = Network(ctx, scenario, costs, record_links=first and trace is TraceLevel.FULL)
    cpus = {}
    for machine in scenario.machines():
        cpu = Cpu(env, machine.threads)
        cpus.update(dict.fromkeys(machine.tasks, cpu))
    servers = [
        ParameterServer(ctx, task_path(task), cpus[task], costs, scenario.workload.optimizer)
        for task in scenario.ps_tasks
    ]
    coordinator = Coordinator(scenario.training.last_step)
    for task in scenario.worker_tasks:
        worker = Worker(
            ctx,
            task_path(task),
            scenario=scenario,
            costs=costs,
            speed=scenario.host_type(task).speed,
            cpu=cpus[task],
            network=network,
            servers=servers,
            coordinator=coordinator,
        )
        env.process(worker.run())
    env.run()
