"""Spans of one step from its RunMetadata.  Pure: it reads StepStats and returns rows.

FULL_TRACE lists the ops of all partitions (``/job:ps``, ``/job:worker``) with start and end.  A transfer
is cut from the ops at its two ends rather than from its RecvTensor row, which has microseconds only and
begins when the receiver asks, before there is anything to send: a variable travels from the end of its
read on the ps to its arrival on the worker; a gradient from its end on the worker until its apply op can
run.  Both include the wait for the channel.
"""

import re
from collections.abc import Iterable
from typing import Any

from simulator.scenario.workload import Variable
from simulator.trace.schema import Lane, Phase

_TASK = re.compile(r"/job:(\w+)/replica:\d+/task:(\d+)/")
# Op names end in the index of their variable.  The prefix keeps them unique: TensorFlow compares names
# without case, and ``read_1`` would become ``read_1_1`` beside the ``Read_1`` of another variable.
READ, ARRIVE, PUSH = "paramscope_read", "paramscope_arrive", "paramscope_push"
_INDEXED = re.compile(rf"({READ}|{ARRIVE}|{PUSH})_(\d+)")
_APPLY = "apply"
# Compute ops this close together are one span: what lies between is the executor's own time.
_GAP_NS = 20_000
_NO_COMPUTE = ("_SOURCE", "_SINK", "_recv", "_send", "RecvTensor", "global_step", "Func/global_step")

Span = list[Any]


def spans_of_step(
    stats: Any,
    worker: str,
    step: int,
    variables: tuple[Variable, ...],
    apply_names: dict[str, int],
    start_ns: int,
) -> list[Span]:
    """Return rows of the spans table (without slot), times in ns since *start_ns* of training.

    Args:
        stats: ``RunMetadata.step_stats``.
        worker: TensorFlow name of the worker whose step it is.
        step: its local step.
        variables: the scenario's variables.
        apply_names: apply op name to index of its variable.
        start_ns: epoch nanoseconds of the start of training.
    """
    at: dict[tuple[str, int], tuple[int, int, int, str]] = {}  # (kind, variable): scheduled, start, end, task
    ops: list[tuple[int, int, str]] = []
    # Ops of the optimizer that run on the worker wait for the applies; they compute nothing.
    skipped = (*_NO_COMPUTE, *sorted({name.partition("/")[0] for name in apply_names}))
    for task, node in _nodes(stats):
        begin = (node.all_start_nanos or node.all_start_micros * 1000) - start_ns
        end = begin + (node.all_end_rel_nanos or node.all_end_rel_micros * 1000)
        scheduled = (node.scheduled_nanos or node.scheduled_micros * 1000) - start_ns
        name = node.node_name
        match = _INDEXED.fullmatch(name)
        if match:
            at[match[1], int(match[2])] = (min(scheduled, begin), begin, end, task)
        elif name in apply_names:
            at[_APPLY, apply_names[name]] = (min(scheduled, begin), begin, end, task)
        elif task == worker and end > begin and not name.startswith(skipped):
            ops.append((begin, end, name))
    # Before the first variable is there, only constants are made.
    first = min((got[0] for (kind, _), got in at.items() if kind == ARRIVE), default=0)
    compute = [(begin, end, _phase(name)) for begin, end, name in ops if begin >= first]
    spans: list[Span] = []
    for begin, end, phase in _merged(compute):
        spans.append([worker, Lane.COMPUTE, phase, worker, step, "", 0, "", begin, end])
    for v, variable in enumerate(variables):
        for phase, (source, target) in {Phase.PULL: (READ, ARRIVE), Phase.PUSH: (PUSH, _APPLY)}.items():
            sent, got = at.get((source, v)), at.get((target, v))
            if sent is None or got is None or got[0] <= sent[2]:
                continue
            what = [phase, worker, step, variable.name, variable.size]
            spans.append([sent[3], Lane.NIC_OUT, *what, got[3], sent[2], got[0]])
            spans.append([got[3], Lane.NIC_IN, *what, sent[3], sent[2], got[0]])
        applied = at.get((_APPLY, v))
        if applied is not None:
            scheduled, begin, end, task = applied
            if begin > scheduled:
                spans.append([task, Lane.APPLY, Phase.WAIT, worker, step, variable.name, 0, worker, scheduled, begin])
            spans.append(
                [
                    task,
                    Lane.APPLY,
                    Phase.APPLY,
                    worker,
                    step,
                    variable.name,
                    0,
                    worker,
                    begin,
                    max(end, begin + 1),
                ]
            )
    return spans


def _phase(op: str) -> Phase:
    return Phase.BACKWARD if op.startswith("gradients") or "accelerator_backward" in op else Phase.FORWARD


def _nodes(stats: Any) -> Iterable[tuple[str, Any]]:
    for device in stats.dev_stats:
        found = _TASK.search(device.device + "/")
        if found:
            for node in device.node_stats:
                yield f"/job:{found[1]}/task:{found[2]}", node


def _merged(ops: list[tuple[int, int, Phase]]) -> list[tuple[int, int, Phase]]:
    """Join ops of one phase that follow each other closely; phases do not overlap (the later one yields)."""
    out: list[tuple[int, int, Phase]] = []
    for begin, end, phase in sorted(ops):
        if out and phase is out[-1][2] and begin - out[-1][1] <= _GAP_NS:
            out[-1] = (out[-1][0], max(out[-1][1], end), phase)
        else:
            begin = max(begin, out[-1][1]) if out else begin
            if end > begin:
                out.append((begin, end, phase))
    return out
