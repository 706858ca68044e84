"""Where each variable lives."""

from simulator.scenario.scenario import GLOBAL_STEP, Scenario, task_path


def round_robin(names: list[str], ps_tasks: int) -> dict[str, int]:
    """Return the ps of each variable: every one placed takes the next turn, in creation order.

    ``tf.compat.v1.train.replica_device_setter`` without a ``ps_strategy``: ``_RoundRobinStrategy`` in
    tensorflow/python/training/device_setter.py.  Slot variables are colocated with theirs and take no turn.
    """
    return {name: turn % ps_tasks for turn, name in enumerate(names)}


def variable_ps(scenario: Scenario) -> dict[str, int]:
    """Return the ps index of ``global_step`` (created first) and of every trained variable."""
    names = [GLOBAL_STEP, *(v.name for v in scenario.variables)]
    return round_robin(names, scenario.cluster.ps.tasks)


def placement(scenario: Scenario) -> dict[str, str]:
    """Return the task of every variable, as TensorFlow writes it: ``/job:ps/task:0``."""
    return {name: task_path(f"ps:{ps}") for name, ps in variable_ps(scenario).items()}
