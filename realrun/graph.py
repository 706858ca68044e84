"""The graph of a worker: variables placed by replica_device_setter, one train step, counters of versions.

Traces rely on names (realrun/timeline.py): of the read of variable i on its ps, of its arrival on the
worker and of the finished gradient on the worker; the names of the apply ops are in ``Graph.apply_names``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

from realrun.accelerator import Accelerator, delayed
from realrun.digits import Digits
from realrun.timeline import ARRIVE, PUSH, READ
from simulator.scenario.layers import layers
from simulator.scenario.scenario import Scenario
from simulator.scenario.workload import Optimizer, Overlap

tf1 = tf.compat.v1

_NEVER = 2**62
OPTIMIZERS: dict[Optimizer, Callable[[float], Any]] = {
    Optimizer.SGD: lambda rate: tf1.train.GradientDescentOptimizer(rate),
    Optimizer.MOMENTUM: lambda rate: tf1.train.MomentumOptimizer(rate, momentum=0.9),
    Optimizer.ADAGRAD: lambda rate: tf1.train.AdagradOptimizer(rate),
    Optimizer.ADAM: lambda rate: tf1.train.AdamOptimizer(rate),
    Optimizer.RMSPROP: lambda rate: tf1.train.RMSPropOptimizer(rate),
}


@dataclass(slots=True, kw_only=True)
class Graph:
    """What the training loop runs and what it needs to know of it."""

    global_step: Any
    variables: list[Any]
    fetches: list[Any]  # per ps, in Graph.ps order: [global step read, written] on its ps, then reads, then counts
    ps: list[str]
    members: dict[str, list[int]]  # ps device -> variables on it
    loss: Any
    accuracy: Any
    feed: Callable[[np.random.Generator], dict[Any, Any]]
    test_feed: dict[Any, Any]
    apply_names: dict[str, int] = field(default_factory=dict)


def build(scenario: Scenario, index: int, cluster: Any, accelerator: Accelerator, digits: Digits | None) -> Graph:
    """Build the graph of worker *index* in the default graph.

    Variables are resource variables, TensorFlow 2's default.  Version counters are created after all else
    and on a named device, so that they take no turn in the round robin.
    """
    worker = f"/job:worker/task:{index}"
    with tf1.device(tf1.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        global_step = tf1.train.get_or_create_global_step()
        variables = [_variable(v.name, v.shape, v.dtype.value, real=digits is not None) for v in scenario.variables]
    versions, reads, values = _reads(variables)
    with tf1.device(worker):
        arrived = [tf.identity(v, name=f"{ARRIVE}_{i}") for i, v in enumerate(values)]
        if scenario.workload.compute.overlap is Overlap.NONE:
            arrived = tf.tuple(arrived)
        if digits is not None:
            loss, accuracy, grads, feed, test_feed = _digits(scenario, arrived, accelerator, digits)
        else:
            loss, accuracy, grads, feed, test_feed = _synthetic(scenario, arrived, accelerator)
        if scenario.workload.compute.overlap is Overlap.NONE:
            grads = tf.tuple(grads)
        grads = [tf.identity(g, name=f"{PUSH}_{i}") for i, g in enumerate(grads)]
    with tf1.device(tf1.train.replica_device_setter(worker_device=worker, cluster=cluster)):
        apply_all, applies = _apply(
            OPTIMIZERS[scenario.workload.optimizer](scenario.workload.learning_rate), grads, variables
        )
    counts = []
    for op, version in zip(applies, versions, strict=True):
        with tf1.device(version.device), tf1.control_dependencies([op]):
            counts.append(_fetch_and_increment(version))
    with tf1.device(global_step.device):
        read_step = global_step.read_value()
        with tf1.control_dependencies([apply_all]):
            written = _fetch_and_increment(global_step) + 1
    ps = sorted({v.device for v in (global_step, *variables)})
    members = {device: [i for i, v in enumerate(variables) if v.device == device] for device in ps}
    fetches = []
    for device in ps:
        with tf1.device(device):
            head = [read_step, written] if device == global_step.device else []
            mine = members[device]
            fetches.append(tf.stack([*head, *(reads[i] for i in mine), *(counts[i] for i in mine)]))
    return Graph(
        global_step=global_step,
        variables=variables,
        fetches=fetches,
        ps=ps,
        members=members,
        loss=loss,
        accuracy=accuracy,
        feed=feed,
        test_feed=test_feed,
        apply_names={op.name: i for i, op in enumerate(applies)},
    )


def _variable(name: str, shape: tuple[int, ...], dtype: str, *, real: bool) -> Any:
    # A synthetic model learns nothing, so its values need no random start.
    kernel = real and len(shape) > 1
    initializer = tf1.glorot_uniform_initializer() if kernel else tf1.zeros_initializer()
    return tf1.get_variable(name, shape, dtype=tf.as_dtype(dtype), initializer=initializer, use_resource=True)


def _reads(variables: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return for each variable its version counter, the version read, and the value read just after it."""
    versions, reads, values = [], [], []
    for i, variable in enumerate(variables):
        with tf1.device(variable.device):
            version = tf1.get_variable(
                f"paramscope_version_{i}",
                [],
                dtype=tf.int64,
                initializer=tf1.zeros_initializer(),
                trainable=False,
                use_resource=True,
            )
            read = version.read_value()
            with tf1.control_dependencies([read]):
                value = tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype, name=f"{READ}_{i}")
                value.set_shape(variable.shape)
        versions.append(version)
        reads.append(read)
        values.append(value)
    return versions, reads, values


def _fetch_and_increment(counter: Any) -> Any:
    """Return the value before the increment, atomically (CountUpTo holds the variable's lock; assign_add would not)."""
    return tf.raw_ops.ResourceCountUpTo(resource=counter.handle, limit=_NEVER, T=tf.int64)


def _apply(optimizer: Any, grads: list[Any], variables: list[Any]) -> tuple[Any, list[Any]]:
    """Return the op that applies all gradients, and the apply op of each variable."""
    ops: dict[str, Any] = {}
    inner = optimizer._resource_apply_dense

    def remember(grad: Any, handle: Any) -> Any:
        op = inner(grad, handle)
        ops[handle.handle.name] = op.op if hasattr(op, "op") else op
        return op

    optimizer._resource_apply_dense = remember
    apply_all = optimizer.apply_gradients(list(zip(grads, variables, strict=True)))
    return apply_all, [ops[v.handle.name] for v in variables]


Parts = tuple[Any, Any, list[Any], Callable[[np.random.Generator], dict[Any, Any]], dict[Any, Any]]


def _digits(scenario: Scenario, arrived: list[Any], accelerator: Accelerator, digits: Digits) -> Parts:
    """The real classifier on real data, each layer with its share of emulated accelerator time."""
    x = tf1.placeholder(tf.float32, [None, digits.train_x.shape[1]], name="images")
    y = tf1.placeholder(tf.int32, [None], name="labels")
    logits = plain = x
    found = layers(scenario.variables)
    for i, layer in enumerate(found):
        kernel, bias = (arrived[v] for v in layer.variables)
        logits = tf.matmul(logits, kernel) + bias
        plain = tf.matmul(plain, kernel) + bias
        if i + 1 < len(found):
            logits, plain = tf.nn.relu(logits), tf.nn.relu(plain)
        logits = delayed(accelerator, layer.share, logits)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    grads = tf1.gradients(loss, arrived)
    # Judged without the accelerator's delay.
    right = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(plain, 1, output_type=tf.int32), y), tf.float32))
    size = scenario.workload.batch_size

    def feed(rng: np.random.Generator) -> dict[Any, Any]:
        batch = rng.integers(0, len(digits.train_y), size)
        return {x: digits.train_x[batch], y: digits.train_y[batch]}

    return loss, right, grads, feed, {x: digits.test_x, y: digits.test_y}


def _synthetic(scenario: Scenario, arrived: list[Any], accelerator: Accelerator) -> Parts:
    """Compute that takes its time and moves the scenario's bytes: gradients are zeros of the variables' shapes."""
    signal = tf.constant(0.0)
    found = layers(scenario.variables)
    for layer in found:
        values = [arrived[v] for v in layer.variables]
        signal = tf1.py_func(
            accelerator.forward(layer.share), [signal, *values], tf.float32, name="accelerator_forward"
        )
    loss = signal
    grads: list[Any] = [None] * len(arrived)
    for layer in reversed(found):
        zeros = [np.zeros(scenario.variables[v].shape, arrived[v].dtype.as_numpy_dtype) for v in layer.variables]
        sleep = accelerator.backward(layer.share)

        def backward(before: Any, sleep: Callable[..., Any] = sleep, zeros: list[Any] = zeros) -> list[Any]:
            return [sleep(before), *zeros]

        signal, *made = tf1.py_func(
            backward,
            [signal],
            [tf.float32, *(arrived[v].dtype for v in layer.variables)],
            name="accelerator_backward",
        )
        for v, grad in zip(layer.variables, made, strict=True):
            grad.set_shape(arrived[v].shape)
            grads[v] = grad
    return loss, None, grads, lambda _: {}, {}
