"""How busy each task's NIC and threads are, from the spans of the measured steps.

A real run traces a sample of its steps, a simulation all of them.  For both, what a traced step of a
worker moves and applies is taken for each of that worker's measured steps.  Tensors between tasks on one
host take the loopback, not the NIC.
"""

from dataclasses import dataclass

import numpy as np

from simulator.analysis.phases import step_of_spans
from simulator.analysis.window import Window, ints, traced_rows, words
from simulator.scenario.resolve import goodput
from simulator.scenario.scenario import task_path
from simulator.trace.folder import Run
from simulator.trace.schema import Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskUsage:
    """Of one task over the window: shares between 0 and 1, bytes of tensors of the measured steps."""

    nic_out: float
    nic_in: float
    apply: float
    compute: float
    cpu: float
    bytes_out: int
    bytes_in: int


def usage(run: Run, window: Window) -> dict[str, TaskUsage]:
    """Return the use of every task in *window* by its TensorFlow name."""
    rows = traced_rows(run, window)
    totals = _totals(run, window, rows)
    machine = {task: m for m in run.scenario.machines() for task in m.tasks}
    length = (window.end - window.start) or 1
    out = {}
    for task in (*run.scenario.ps_tasks, *run.scenario.worker_tasks):
        host, path = machine[task], task_path(task)

        def total(name: str, path: str = path) -> float:
            return totals.get((path, name), 0.0)

        # Payload bits the NIC can carry in the window.
        capacity = host.nic * goodput(run.scenario) * length / 1e9
        out[path] = TaskUsage(
            nic_out=min(1.0, 8 * total("wire:" + Lane.NIC_OUT) / capacity),
            nic_in=min(1.0, 8 * total("wire:" + Lane.NIC_IN) / capacity),
            apply=min(1.0, total("time:" + Lane.APPLY) / (host.threads * length)),
            compute=min(1.0, total("time:" + Lane.COMPUTE) / length),
            cpu=min(
                1.0,
                sum(total("time:" + lane) for lane in (Lane.APPLY, Lane.RPC, Lane.CLIENT)) / (host.threads * length),
            ),
            bytes_out=round(total("bytes:" + Lane.NIC_OUT)),
            bytes_in=round(total("bytes:" + Lane.NIC_IN)),
        )
    return out


def _totals(run: Run, window: Window, rows: np.ndarray) -> dict[tuple[str, str], float]:
    """Return sums over spans, scaled from each worker's traced steps to all its measured steps."""
    if len(rows) == 0 or run.table("spans").num_rows == 0:
        return {}
    step = step_of_spans(run, rows)
    worker, _ = words(run, "steps", "task")
    measured = np.bincount(worker[window.rows], minlength=int(worker.max()) + 1)
    sampled = np.bincount(worker[rows], minlength=int(worker.max()) + 1)
    scale = measured / np.maximum(sampled, 1)
    task, tasks = words(run, "spans", "task")
    lane, lanes = words(run, "spans", "lane")
    peer, peers = words(run, "spans", "peer")
    phase, phases = words(run, "spans", "phase")
    size, duration = ints(run, "spans", "bytes"), ints(run, "spans", "end") - ints(run, "spans", "start")
    busy = np.array([p != "wait" for p in phases])[phase] & (step >= 0)
    weight = np.where(step >= 0, scale[worker[rows[np.maximum(step, 0)]]], 0.0)
    host = {task_path(t): i for i, m in enumerate(run.scenario.machines()) for t in m.tasks}
    task_host = np.array([host.get(t, -1) for t in tasks])[task]
    peer_host = np.array([host.get(p, -2) for p in peers])[peer]
    out: dict[tuple[str, str], float] = {}
    cells = task.astype(np.int64) * len(lanes) + lane
    for what, values in (
        ("bytes:", np.where(busy, size * weight, 0.0)),
        ("wire:", np.where(busy & (task_host != peer_host), size * weight, 0.0)),
        ("time:", np.where(busy, duration * weight, 0.0)),
    ):
        sums = np.bincount(cells, weights=values, minlength=len(tasks) * len(lanes))
        for cell in np.flatnonzero(sums):
            out[tasks[cell // len(lanes)], what + lanes[cell % len(lanes)]] = float(sums[cell])
    return out
