"""The TensorFlow server of a task: cluster, filters, thread pools."""

from typing import Any

import tensorflow as tf

tf1 = tf.compat.v1

# Sleeping stands in for an accelerator; it holds one inter-op thread, and others must go on beside it.
_MIN_INTER_OP_THREADS = 4


def session_config(task: str, config: dict[str, Any]) -> Any:
    """Return the ConfigProto of *task*: a worker sees the ps and itself, never another worker.

    Without the filter each worker waits for every other before its first step.  The graph runs as written
    (no grappler, no pruning of identities), so that every read, push and apply keeps its name in a trace.
    """
    job, index = task.split(":")
    proto = tf1.ConfigProto(
        inter_op_parallelism_threads=max(_MIN_INTER_OP_THREADS, int(config["threads"][task])),
    )
    if job == "worker":
        proto.device_filters.extend(["/job:ps", f"/job:worker/task:{index}"])
    proto.graph_options.rewrite_options.disable_meta_optimizer = True
    proto.graph_options.optimizer_options.opt_level = tf1.OptimizerOptions.L0
    return proto


def cluster_spec(config: dict[str, Any]) -> Any:
    """Return the ClusterSpec of the run."""
    return tf1.train.ClusterSpec(config["cluster"])


def start_server(task: str, config: dict[str, Any]) -> Any:
    """Create and start the server of *task*."""
    job, index = task.split(":")
    return tf1.train.Server(
        cluster_spec(config), job_name=job, task_index=int(index), config=session_config(task, config)
    )
