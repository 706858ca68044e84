"""Run a scenario on a real cluster and hand back a run, complete or not."""

import os
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from realrun.cluster import LocalCluster, Progress
from realrun.collect import Collector
from simulator.analysis.result import result
from simulator.errors import InvalidInputError, NothingMeasuredError, ParamscopeError
from simulator.provenance import provenance
from simulator.scenario.placement import placement
from simulator.scenario.scenario import Scenario
from simulator.scenario.workload import DType
from simulator.trace.folder import Run, RunInfo, RunWriter
from simulator.trace.schema import Kind, TraceLevel

# Above this share of the cores, other programs take part in what is measured.
_BUSY_LOAD = 0.5
_FLOATS = (DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64)


@dataclass(frozen=True, slots=True, kw_only=True)
class RealRun:
    """A run and how it ended: *failure* is what to raise when it did not complete."""

    run: Run
    failure: BaseException | None


def check_runnable(scenario: Scenario) -> None:
    """Raise InvalidInputError for a scenario that TensorFlow cannot train."""
    whole = [v.name for v in scenario.variables if v.dtype not in _FLOATS]
    if whole:
        raise InvalidInputError(
            f"realrun cannot train variables of whole numbers: {', '.join(whole)}; use a float dtype"
        )


def run_for_real(scenario: Scenario, *, timeout: float, out: Path | None, progress: Progress) -> RealRun:
    """Run *scenario* on this machine with the local launcher.

    Args:
        scenario: what to run; every task is put on this machine, and the run's scenario says so.
        timeout: seconds from the first process to the last.
        out: the run folder; without one, only the returned run holds the tables.
        progress: told in words how it goes.

    Returns:
        The run; incomplete with what was measured when it failed or was interrupted.
    """
    check_runnable(scenario)
    given = scenario
    scenario = scenario.all_on_one_machine()
    started = datetime.now(UTC)
    load = os.getloadavg()[0]
    info = RunInfo(
        kind=Kind.REAL,
        complete=False,
        scenario=scenario.name,
        seed=scenario.seed,
        replications=1,
        trace=TraceLevel.FULL,
        notes=_notes(given, scenario, load),
    )
    writer = RunWriter(out, info, scenario) if out is not None else None
    collector = Collector(scenario)
    failure: BaseException | None = None
    with tempfile.TemporaryDirectory(prefix="paramscope-") if out is None else _same(out) as work:
        with _terminate_as_interrupt(), LocalCluster(scenario, Path(work), collector, progress) as cluster:
            try:
                cluster.run(timeout)
            except (ParamscopeError, KeyboardInterrupt) as error:
                failure = error
        run = _finish(scenario, info, collector, cluster, failure)
        if writer is not None:
            more = {
                "launcher": "local",
                "load_average_before": load,
                "cpu_s": cluster.outcome.cpu_s,
                "latency": "that of this machine's loopback; cluster.network.latency is not enforced",
                "nic": "loopback; cluster.hosts.*.nic is not enforced",
            }
            writer.finish(run.info, run.given, provenance(started, **more))
    return RealRun(run=run, failure=failure)


def _finish(
    scenario: Scenario,
    info: RunInfo,
    collector: Collector,
    cluster: LocalCluster,
    failure: BaseException | None,
) -> Run:
    outcome = cluster.outcome
    info = replace(
        info,
        complete=failure is None,
        failure=None if failure is None else (str(failure) or "interrupted"),
        learning=outcome.learning,
    )
    placed = placement(scenario)
    if outcome.placement and outcome.placement != placed:
        differing = sorted(k for k in placed if outcome.placement.get(k) != placed[k])
        info = replace(info, notes=(*info.notes, f"TensorFlow placed otherwise than predicted: {', '.join(differing)}"))
    run = Run(info=info, scenario=scenario, given=collector.recorder.tables())
    try:
        summary: dict[str, Any] = result(run)
    except NothingMeasuredError as error:
        if failure is None:
            raise
        return replace(run, info=replace(info, notes=(*info.notes, str(error))))
    if outcome.placement:
        summary["placement"] = outcome.placement
    if outcome.learning:
        summary["learning"] = outcome.learning
    return replace(run, info=replace(info, summary=summary))


def _notes(given: Scenario, run: Scenario, load: float) -> tuple[str, ...]:
    notes = []
    if run is not given:
        hosts = len(given.machines())
        notes.append(
            f"the scenario has {hosts} hosts; the local launcher ran all tasks on this machine,"
            " so that they share its cores and loopback"
        )
    if given.cluster.addresses is not None:
        notes.append("cluster.addresses are not used: the local launcher takes free ports of this machine's loopback")
    if load > _BUSY_LOAD * (os.cpu_count() or 1):
        notes.append(f"this machine was busy before the run (load average {load:.2f}): its times are disturbed")
    return tuple(notes)


@contextmanager
def _same(folder: Path) -> Iterator[str]:
    yield str(folder)


@contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """Let SIGTERM unwind like Ctrl-C, so that the tasks are ended by either."""

    def interrupt(_signum: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
