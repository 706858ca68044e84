"""The classic distributed TensorFlow program, to run by hand: one process for each task.

On four machines (or in four terminals with localhost and four ports), with the same two lists everywhere::

    H='--ps_hosts=ps0:2222,ps1:2222 --worker_hosts=worker0:2222,worker1:2222'
    python trainer.py $H --job_name=ps --task_index=0
    python trainer.py $H --job_name=ps --task_index=1
    python trainer.py $H --job_name=worker --task_index=0
    python trainer.py $H --job_name=worker --task_index=1

A ps holds variables and applies gradients to them; it starts nothing itself and runs until it is ended.
A worker runs the training loop; worker 0, the chief, also initialises the variables.  This file needs
TensorFlow and scikit-learn only, so that it can be copied to a machine alone.
"""

import argparse
import os
import signal
import sys
import time
from typing import Any

_PROXIES = ("http_proxy", "https_proxy", "grpc_proxy", "all_proxy")
_HELD_OUT = 360
_HIDDEN = 128


def main() -> None:
    """Be the task that the command line names."""
    args = _arguments()
    # gRPC would send even local traffic through a proxy.
    for name in [n for n in os.environ if n.lower() in _PROXIES]:
        del os.environ[name]
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")
    import tensorflow as tf

    tf1 = tf.compat.v1
    tf1.disable_eager_execution()
    cluster = tf1.train.ClusterSpec({"ps": args.ps_hosts, "worker": args.worker_hosts})
    config = tf1.ConfigProto()
    if args.job_name == "worker":
        # A worker talks to the ps and to itself; without this it would wait for every other worker.
        config.device_filters.extend(["/job:ps", f"/job:worker/task:{args.task_index}"])
    server = tf1.train.Server(cluster, job_name=args.job_name, task_index=args.task_index, config=config)
    if args.job_name == "ps":
        _say(f"ps {args.task_index}: serving variables at {args.ps_hosts[args.task_index]}; end me with Ctrl-C")
        # join() never comes back to Python, so Python's own handler would never run.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        server.join()
    else:
        _train(args, tf1, server, cluster, config)


def _train(args: argparse.Namespace, tf1: Any, server: Any, cluster: Any, config: Any) -> None:
    import numpy as np
    from sklearn.datasets import load_digits

    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images, labels = (digits.data[order] / 16).astype("float32"), digits.target[order].astype("int32")
    me = f"worker {args.task_index}"

    # Variables go to the ps in turns, everything else to this worker.
    with tf1.device(
        tf1.train.replica_device_setter(worker_device=f"/job:worker/task:{args.task_index}", cluster=cluster)
    ):
        step = tf1.train.get_or_create_global_step()
        x = tf1.placeholder("float32", [None, images.shape[1]])
        y = tf1.placeholder("int32", [None])
        logits = _dense(tf1, "output", tf1.nn.relu(_dense(tf1, "hidden", x, _HIDDEN)), 10)
        loss = tf1.reduce_mean(tf1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        right = tf1.reduce_mean(tf1.cast(tf1.equal(tf1.argmax(logits, 1, output_type="int32"), y), "float32"))
        train = tf1.train.AdagradOptimizer(args.learning_rate).minimize(loss, global_step=step)
    for variable in tf1.global_variables():
        _say(f"{me}: {variable.op.name} lives on {variable.device}")

    rng = np.random.default_rng(args.task_index)
    if args.task_index > 0:
        _wait_for_chief(tf1, server, config, me)
    hooks = [tf1.train.StopAtStepHook(last_step=args.last_step)]
    with tf1.train.MonitoredTrainingSession(
        master=server.target, is_chief=args.task_index == 0, hooks=hooks, config=config
    ) as session:
        began = shown = time.monotonic()
        steps, reached = 0, 0
        while not session.should_stop():
            batch = rng.integers(_HELD_OUT, len(labels), args.batch_size)
            _, reached, now = session.run([train, step, loss], {x: images[batch], y: labels[batch]})
            steps += 1
            if time.monotonic() - shown > 1:
                shown = time.monotonic()
                _say(f"{me}: step {steps} of mine, global step {reached}, loss {now:.3f}")
        seconds = time.monotonic() - began
    with tf1.Session(server.target, config=config) as session:
        accuracy = session.run(right, {x: images[:_HELD_OUT], y: labels[:_HELD_OUT]})
    _say(
        f"{me}: {steps} steps of mine in {seconds:.1f} s, global step {reached};"
        f" accuracy on {_HELD_OUT} held-out digits {accuracy:.3f}"
    )


def _wait_for_chief(tf1: Any, server: Any, config: Any, me: str) -> None:
    """Return when the chief has initialised the variables.

    MonitoredTrainingSession waits for that too, but looks every 30 s only (``recovery_wait_secs``), in which
    a short training is over.
    """
    missing = tf1.report_uninitialized_variables()
    _say(f"{me}: waiting for worker 0, the chief, to initialise the variables")
    with tf1.Session(server.target, config=config) as session:
        while len(session.run(missing)):
            time.sleep(0.5)


def _dense(tf1: Any, scope: str, x: Any, units: int) -> Any:
    with tf1.variable_scope(scope):
        kernel = tf1.get_variable("kernel", [x.shape[1], units])
        bias = tf1.get_variable("bias", [units], initializer=tf1.zeros_initializer())
    return tf1.matmul(x, kernel) + bias


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="One task of a ps/worker TensorFlow cluster; start one process for each."
    )

    def hosts(text: str) -> list[str]:
        found = text.split(",")
        for address in found:
            host, _, port = address.rpartition(":")
            if not host or not port.isdecimal() or not 0 < int(port) < 65536:
                raise argparse.ArgumentTypeError(f"{address!r} is not host:port")
        return found

    parser.add_argument(
        "--ps_hosts", type=hosts, required=True, metavar="HOST:PORT,...", help="All ps, the same list everywhere."
    )
    parser.add_argument(
        "--worker_hosts", type=hosts, required=True, metavar="HOST:PORT,...", help="All workers, likewise."
    )
    parser.add_argument("--job_name", choices=["ps", "worker"], required=True, help="What this process is.")
    parser.add_argument("--task_index", type=int, required=True, help="Its place in the list, from 0.")
    parser.add_argument("--last_step", type=int, default=10_000, help="Global step at which training stops.")
    parser.add_argument("--batch_size", type=int, default=32)
    parser.add_argument("--learning_rate", type=float, default=0.1)
    args = parser.parse_args()
    count = len(args.ps_hosts if args.job_name == "ps" else args.worker_hosts)
    if not 0 <= args.task_index < count:
        parser.error(f"--task_index {args.task_index}: there are {count} {args.job_name} tasks, 0 to {count - 1}")
    for name in ("last_step", "batch_size", "learning_rate"):
        if getattr(args, name) <= 0:
            parser.error(f"--{name} is more than zero")
    return args


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
