"""What each metric is, in a few words for somebody who has not read docs/reference/compare.md."""

_MEANINGS = {
    "throughput.steps_per_s": "global steps per second, all workers together",
    "throughput.examples_per_s": "training examples per second, all workers together",
    "throughput.per_worker_examples_per_s": "training examples per second of one worker",
    "step_time_s.mean": "mean length of a worker's step",
    "step_time_s.p10": "one step in ten is shorter",
    "step_time_s.p50": "median: half of the steps are shorter",
    "step_time_s.p90": "one step in ten is longer",
    "step_time_s.p99": "one step in a hundred is longer",
    "step_time_s.ks": "largest gap between the curves of step times: 0 the same, 1 nothing in common",
    "staleness.mean": "updates by others between a worker's read and its own update, mean",
    "staleness.p50": "half of the updates are at most so stale",
    "staleness.p90": "one update in ten is staler",
    "staleness.p99": "one update in a hundred is staler",
    "staleness.max": "the stalest update",
    "staleness.step_mean": "global steps by others during a step, mean",
    "staleness.total_variation": "share of updates whose staleness would have to change: 0 the same, 1 all",
    "dropped_gradients": "gradients that came too late to be applied",
    "phases_s.pull": "of a mean step: variables arrive",
    "phases_s.forward": "of a mean step: the loss is computed",
    "phases_s.backward": "of a mean step: gradients are computed",
    "phases_s.push": "of a mean step: gradients leave",
    "phases_s.apply": "of a mean step: a ps applies gradients",
    "phases_s.wait": "of a mean step: dispatch, messages under way, busy channels",
    "bottleneck.utilization": "use of the resource that limits the run",
}
_OF_TASKS = {
    "nic_out": "use of its network card, sending",
    "nic_in": "use of its network card, receiving",
    "apply": "use of its threads, applying gradients",
    "compute": "share of the time in which it computes",
    "cpu": "use of its threads, all work but compute",
    "bytes_out": "tensors sent",
    "bytes_in": "tensors received",
}


def meaning(name: str) -> str:
    """Return what the metric *name* is."""
    if name.startswith("tasks."):
        return _OF_TASKS[name.rpartition(".")[2]]
    return _MEANINGS[name]
