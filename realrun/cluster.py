"""The protocol of a real run: start every task, begin together, collect, end together."""

import json
import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from realrun.collect import Collector
from realrun.ports import LOOPBACK, PortLease
from realrun.processes import TaskProcess, start_task
from realrun.protocol import Message
from simulator.errors import RunFailedError
from simulator.scenario.loader import dump_scenario
from simulator.scenario.scenario import Scenario, task_path

# How long tasks may take to import TensorFlow and build their graphs; the run's timeout counts as well.
START_TIMEOUT_S = 180.0
_POLL_S = 0.2
TRACED_STEPS = 25  # of each worker, about

Progress = Callable[[str], None]


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What is known of a run beside its tables, complete or not."""

    learning: dict[str, float] | None = None
    placement: dict[str, str] = field(default_factory=dict)
    cpu_s: dict[str, float] = field(default_factory=dict)


class LocalCluster:
    """Every task of a scenario as a process on this machine, talking over loopback.

    Use it as a context manager: whatever happens inside, no process of it is left behind.
    """

    def __init__(self, scenario: Scenario, work: Path, collector: Collector, progress: Progress) -> None:
        self._scenario = scenario
        self._work = work
        self._collector = collector
        self._progress = progress
        self._tasks: dict[str, TaskProcess] = {}
        self._selector = selectors.DefaultSelector()
        self._lease: PortLease | None = None
        self._closing = False
        self._deadline = float("inf")
        self._timeout = float("inf")
        self.outcome = Outcome()
        self._said: dict[str, dict[str, Message]] = {}

    def __enter__(self) -> "LocalCluster":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._tasks.values():
            task.kill()
        self._selector.close()
        if self._lease is not None:
            self._lease.close()
        (self._work / "logs" / "config.json").unlink(missing_ok=True)

    def run(self, timeout: float) -> None:
        """Run the training; raise RunFailedError when a task dies, hangs or does not start in time."""
        self._timeout, self._deadline = timeout, time.monotonic() + timeout
        workers = list(self._scenario.worker_tasks)
        everybody = [*self._scenario.ps_tasks, *workers]
        self._start(everybody)
        began = time.monotonic()
        limit = began + START_TIMEOUT_S
        self._progress(f"starting {len(everybody)} tasks")
        self._await("server", everybody, limit)
        self._await("built", workers, limit)
        self.outcome.placement = self._said[workers[0]]["built"]["placement"]
        # The chief initialises the variables first, so that no other worker polls for them (every 30 s).
        self._order(workers[:1], "create")
        self._await("ready", workers[:1], limit)
        self._order(workers[1:], "create")
        self._await("ready", workers, limit)
        self._progress(f"all tasks are ready after {time.monotonic() - began:.1f} s; training")
        start_ns = time.time_ns()
        for worker in workers:
            self._collector.event(task_path(worker), "session_created", 0)
        self._order(workers, "go", start_ns=start_ns)
        self._await("finished", workers, float("inf"))
        for worker in workers:
            said = self._said[worker]["finished"]
            self.outcome.cpu_s[task_path(worker)] = said["cpu_s"]
            self._collector.spans(said["spans"])
            self._collector.event(task_path(worker), "stop", time.time_ns() - start_ns, f"{said['steps']} steps")
        self._finish(workers)

    def _finish(self, workers: list[str]) -> None:
        servers = list(self._scenario.ps_tasks)
        self._order(servers, "cpu")
        self._order(workers[:1], "evaluate")
        limit = time.monotonic() + START_TIMEOUT_S
        self._await("evaluated", workers[:1], limit)
        self.outcome.learning = self._said[workers[0]]["evaluated"]["learning"]
        self._await("cpu", servers, limit)
        for server in servers:
            self.outcome.cpu_s[task_path(server)] = self._said[server]["cpu"]["seconds"]
        self._closing = True
        self._order(workers, "close")

    def _start(self, everybody: list[str]) -> None:
        self._lease = PortLease(len(everybody))
        address = {task: f"{LOOPBACK}:{port}" for task, port in zip(everybody, self._lease.ports, strict=True)}
        local_steps = self._scenario.training.last_step / len(self._scenario.worker_tasks)
        config = {
            "cluster": {
                "ps": [address[t] for t in self._scenario.ps_tasks],
                "worker": [address[t] for t in self._scenario.worker_tasks],
            },
            "threads": {t: self._scenario.host_type(t).threads for t in everybody},
            "scenario": dump_scenario(self._scenario),
            "trace_every": max(2, round(local_steps / TRACED_STEPS)),
        }
        logs = self._work / "logs"
        logs.mkdir(exist_ok=True)
        path = logs / "config.json"
        path.write_text(json.dumps(config), encoding="utf-8")
        for task in everybody:
            started = start_task(task, config=path, log=logs / f"{task.replace(':', '-')}.log")
            self._tasks[task] = started
            self._selector.register(started.channel.socket, selectors.EVENT_READ, started)

    def _order(self, tasks: list[str], kind: str, **fields: Any) -> None:
        for task in tasks:
            self._tasks[task].channel.send(kind, **fields)

    def _await(self, kind: str, tasks: list[str], limit: float) -> None:
        """Serve all tasks until each of *tasks* has said *kind*."""
        shown = time.monotonic()
        while missing := [t for t in tasks if kind not in self._said.get(t, {})]:
            now = time.monotonic()
            if now >= self._deadline:
                raise self._failed(
                    missing[0],
                    f"the run took longer than its timeout of {self._timeout:g} s"
                    f" (waited for {', '.join(missing)} to be {kind!r})",
                )
            if now >= limit:
                raise self._failed(
                    missing[0], f"{', '.join(missing)} did not get {kind!r} within {START_TIMEOUT_S:g} s"
                )
            for key, _ in self._selector.select(_POLL_S):
                self._hear(key.data)
            self._check()
            if kind == "finished" and now - shown > 1:
                shown = now
                last = self._scenario.training.last_step
                self._progress(f"global step {self._collector.global_step} of {last}")

    def _hear(self, task: TaskProcess) -> None:
        messages, closed = task.channel.receive()
        for message in messages:
            if message["kind"] == "steps":
                self._collector.steps(task_path(task.task), message["rows"])
            self._said.setdefault(task.task, {})[message["kind"]] = message
        if closed:
            self._selector.unregister(task.channel.socket)

    def _check(self) -> None:
        """Fail when any task has ended."""
        if self._closing:
            return
        for task in self._tasks.values():
            code = task.process.poll()
            if code is not None:
                how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
                raise self._failed(task.task, f"{task_path(task.task)} {how} before the training was over")

    def _failed(self, task: str, message: str) -> RunFailedError:
        tail = self._tasks[task].log_tail()
        return RunFailedError(f"{message}\n{task_path(task)} printed last:\n{tail}" if tail else message)
