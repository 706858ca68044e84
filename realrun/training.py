"""The training loop of a worker, as the classic example writes it, with a log of every step."""

import time
from typing import Any

import numpy as np
import tensorflow as tf

from realrun import digits as digits_data
from realrun.accelerator import Accelerator
from realrun.graph import Graph, build
from realrun.protocol import TaskEnd
from realrun.server import cluster_spec, session_config, start_server
from realrun.timeline import spans_of_step
from simulator.rng import RandomStreams
from simulator.scenario.compute_times import factors
from simulator.scenario.loader import loads_scenario
from simulator.scenario.scenario import task_path
from simulator.scenario.workload import WorkloadModel

tf1 = tf.compat.v1

_REPORT_EVERY_S = 0.5
TRACED_IN_A_ROW = 3


class StepLog:
    """Rows of finished steps, sent to the launcher in batches so that a kill loses little."""

    def __init__(self, graph: Graph, control: TaskEnd, start_ns: int) -> None:
        self._graph = graph
        self._control = control
        self._start_ns = start_ns
        self._rows: list[list[Any]] = []
        self._sent = time.monotonic()
        self.finished = 0

    def add(self, start: int, end: int, traced: bool, fetched: list[Any]) -> None:
        """Log one step: times in ns since the start of training, what ``Graph.fetches`` returned."""
        read = written = 0
        versions: dict[int, tuple[int, int]] = {}
        for device, values in zip(self._graph.ps, fetched, strict=True):
            numbers = values.tolist()
            if device == self._graph.global_step.device:
                read, written, *numbers = numbers
            mine = self._graph.members[device]
            for at, v in enumerate(mine):
                versions[v] = (numbers[at], numbers[at + len(mine)])
        self._rows.append(
            [
                start - self._start_ns,
                end - self._start_ns,
                read,
                written,
                int(traced),
                [versions[v] for v in sorted(versions)],
            ]
        )
        self.finished += 1
        if time.monotonic() - self._sent > _REPORT_EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Send what has gathered."""
        if self._rows:
            self._control.send("steps", rows=self._rows)
        self._rows, self._sent = [], time.monotonic()


def train(task: str, config: dict[str, Any], control: TaskEnd) -> None:
    """Be a worker: start the server, build the graph, train when told to, report, end when told to."""
    tf1.disable_eager_execution()
    scenario = loads_scenario(config["scenario"], file="the run's scenario")
    server = start_server(task, config)
    control.send("server")
    index = int(task.split(":")[1])
    streams = RandomStreams(scenario.seed)
    path = task_path(task)
    speed = scenario.host_type(task).speed
    compute = scenario.workload.compute
    accelerator = Accelerator(
        compute.forward / speed, compute.backward / speed, factors(compute, streams.stream(f"{path}/compute"))
    )
    digits = digits_data.load() if scenario.workload.model is WorkloadModel.DIGITS_MLP else None
    graph = build(scenario, index, cluster_spec(config), accelerator, digits)
    control.send("built", placement={v.op.name: v.device for v in (graph.global_step, *graph.variables)})
    _expect(control, "create")
    proto = session_config(task, config)
    hooks = [tf1.train.StopAtStepHook(last_step=scenario.training.last_step)]
    with tf1.train.MonitoredTrainingSession(
        master=server.target, is_chief=index == 0, hooks=hooks, config=proto
    ) as session:
        control.send("ready")
        start_ns = int(_expect(control, "go")["start_ns"])
        log = StepLog(graph, control, start_ns)
        cpu = time.process_time()
        metadata = _loop(session, graph, accelerator, streams.stream(f"{path}/batches"), log, config["trace_every"])
        cpu = time.process_time() - cpu
        log.flush()
        spans = [
            span
            for step, data in metadata
            for span in spans_of_step(data.step_stats, path, step, scenario.variables, graph.apply_names, start_ns)
        ]
        control.send("finished", steps=log.finished, cpu_s=cpu, spans=spans)
        while (order := control.wait()) is not None and order["kind"] != "close":
            if order["kind"] == "evaluate":
                control.send("evaluated", learning=_evaluate(server, proto, graph))


def is_traced(step: int, every: int) -> bool:
    """Tell whether a local step is traced: one in *every*, some in a row so that they show workers meeting."""
    return (step // TRACED_IN_A_ROW) % every == every // 2


def _loop(
    session: Any,
    graph: Graph,
    accelerator: Accelerator,
    rng: np.random.Generator,
    log: StepLog,
    trace_every: int,
) -> list[tuple[int, Any]]:
    """Run steps until StopAtStepHook says stop; return the RunMetadata of the traced ones."""
    metadata = []
    step = 0
    options = tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE)
    while not session.should_stop():
        feed = graph.feed(rng)
        accelerator.begin_step()
        traced = is_traced(step, trace_every)
        more = {"options": options, "run_metadata": tf1.RunMetadata()} if traced else {}
        start = time.time_ns()
        fetched = session.run(graph.fetches, feed_dict=feed, **more)
        end = time.time_ns()
        log.add(start, end, traced, fetched)
        if traced:
            metadata.append((step, more["run_metadata"]))
        step += 1
    return metadata


def _evaluate(server: Any, proto: Any, graph: Graph) -> dict[str, float] | None:
    """Return loss and accuracy on held-out data; None for a synthetic workload."""
    if graph.accuracy is None:
        return None
    with tf1.Session(server.target, graph=graph.loss.graph, config=proto) as session:
        loss, accuracy = session.run([graph.loss, graph.accuracy], feed_dict=graph.test_feed)
    return {"held_out_loss": float(loss), "held_out_accuracy": float(accuracy)}


def _expect(control: TaskEnd, kind: str) -> dict[str, Any]:
    order = control.wait()
    if order is None or order["kind"] != kind:
        raise SystemExit(f"the launcher is gone (waited for {kind!r}, got {order!r})")
    return order
