"""The whole scenario: one frozen value that both executions read."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from simulator.scenario.base import NAME_PATTERN, Part
from simulator.scenario.cluster import DEFAULT_HOST, Cluster, Host
from simulator.scenario.training import InjectedFault, Measure, Training
from simulator.scenario.workload import MODEL_VARIABLES, Variable, Workload

DEFAULT_WARMUP_STEPS = 20
GLOBAL_STEP = "global_step"
GLOBAL_STEP_BYTES = 8  # tf.int64


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The host of one or more tasks: NIC in bit/s each way, threads."""

    name: str
    nic: int
    threads: int
    tasks: tuple[str, ...]


def task_path(task: str) -> str:
    """Return TensorFlow's name of *task*: ``worker:1`` becomes ``/job:worker/task:1``."""
    job, index = task.split(":")
    return f"/job:{job}/task:{index}"


class Scenario(Part):
    """A parameter-server training job (DESIGN section 2)."""

    version: Literal[1] = 1
    name: Annotated[str, Field(pattern=NAME_PATTERN, max_length=100)]
    description: Annotated[str, Field(max_length=10_000)] = ""
    seed: Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)] = 0
    cluster: Cluster
    workload: Workload
    training: Training = Training()
    faults: tuple[InjectedFault, ...] = ()
    measure: Measure = Measure()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The trained variables in creation order, without ``global_step``."""
        if self.workload.variables is not None:
            return self.workload.variables
        if self.workload.model is not None:
            return MODEL_VARIABLES[self.workload.model]
        raise ValueError("a scenario names its variables or its model")

    @property
    def ps_tasks(self) -> tuple[str, ...]:
        """``ps:0``, ``ps:1``, ..."""
        return tuple(f"ps:{i}" for i in range(self.cluster.ps.tasks))

    @property
    def worker_tasks(self) -> tuple[str, ...]:
        """``worker:0`` (the chief), ``worker:1``, ..."""
        return tuple(f"worker:{i}" for i in range(self.cluster.worker.tasks))

    @property
    def warmup_steps(self) -> int:
        """Global steps that reported numbers leave out."""
        if self.measure.warmup_steps is not None:
            return self.measure.warmup_steps
        return min(DEFAULT_WARMUP_STEPS, self.training.last_step // 10)

    def host_type(self, task: str) -> Host:
        """Return the host type of *task* with its ``per_task`` overrides."""
        job = self.cluster.ps if task.startswith("ps:") else self.cluster.worker
        host = self.cluster.hosts.get(job.host) or Host()
        override = self.cluster.per_task.get(task)
        changes = override.model_dump(exclude_none=True, mode="python") if override else {}
        # model_dump writes quantities as text; take the values themselves.
        return host.model_copy(update={name: getattr(override, name) for name in changes})

    def machines(self) -> tuple[Machine, ...]:
        """Return the hosts, in order of their first task: colocated tasks share one.

        A shared host has the NIC and threads of the first of its tasks in the ``colocate`` list.
        """
        groups = {task: group for group in self.cluster.colocate for task in group}
        made: dict[str, Machine] = {}
        for task in (*self.ps_tasks, *self.worker_tasks):
            tasks = groups.get(task, (task,))
            if tasks[0] not in made:
                host = self.host_type(tasks[0])
                made[tasks[0]] = Machine(name=tasks[0], nic=host.nic, threads=host.threads, tasks=tasks)
        return tuple(made.values())

    def all_on_one_machine(self) -> "Scenario":
        """Return this scenario with every task colocated, as the local launcher runs it."""
        everybody = (*self.ps_tasks, *self.worker_tasks)
        if len(self.machines()) == 1:
            return self
        return self.model_copy(update={"cluster": self.cluster.model_copy(update={"colocate": (everybody,)})})


__all__ = ["DEFAULT_HOST", "GLOBAL_STEP", "GLOBAL_STEP_BYTES", "Machine", "Scenario", "task_path"]
