"""Where the time of a worker's step goes: every moment of it has exactly one phase.

Spans of a step overlap (layer by layer, pulls run beside compute).  Each moment counts for the first of
this list that is going on: backward, forward, pull, push, apply; when none is, the step waits (for the
dispatch, a channel, a ps thread, a host thread, a message under way).  So the phases of a step sum to
its length, and "pull" is the pull that compute did not hide.
"""

import numpy as np
from numpy.typing import NDArray

from simulator.analysis.window import Ints, Window, ints, traced_rows, words
from simulator.trace.folder import Run
from simulator.trace.schema import Phase

PRECEDENCE = (Phase.BACKWARD, Phase.FORWARD, Phase.PULL, Phase.PUSH, Phase.APPLY)


def step_phases(run: Run, window: Window) -> tuple[Ints, NDArray[np.int64]]:
    """Return the traced rows of *window* and, per row, ns in each of PRECEDENCE, then in ``wait``."""
    rows = traced_rows(run, window)
    if len(rows) == 0 or run.table("spans").num_rows == 0:
        return rows[:0], np.zeros((0, len(PRECEDENCE) + 1), np.int64)
    step = step_of_spans(run, rows)
    begin, end = ints(run, "steps", "start")[rows], ints(run, "steps", "end")[rows]
    phase, names = words(run, "spans", "phase")
    rank_of = np.array([PRECEDENCE.index(Phase(n)) if n in PRECEDENCE else -1 for n in names])
    rank = rank_of[phase]
    keep = (step >= 0) & (rank >= 0)
    step, rank = step[keep], rank[keep]
    # Put the steps one behind the other on one axis, so that one sweep serves all of them.
    length = end - begin
    offset = np.concatenate([[0], np.cumsum(length)[:-1]])
    lo = np.clip(ints(run, "spans", "start")[keep] - begin[step], 0, length[step]) + offset[step]
    hi = np.clip(ints(run, "spans", "end")[keep] - begin[step], 0, length[step]) + offset[step]
    return rows, _sweep(lo, hi, rank, offset, length)


def step_of_spans(run: Run, rows: Ints) -> Ints:
    """Return, for every span, the index into *rows* of the step it belongs to (-1: none)."""
    step_task, tasks = words(run, "steps", "task")
    span_task, span_tasks = words(run, "spans", "worker")
    code = {name: i for i, name in enumerate(tasks)}
    as_step = np.array([code.get(name, -1) for name in span_tasks], dtype=np.int64)[span_task]
    base = int(ints(run, "steps", "local_step").max()) + 2
    row_key = step_task[rows].astype(np.int64) * base + ints(run, "steps", "local_step")[rows]
    span_key = as_step * base + ints(run, "spans", "step")
    order = np.argsort(row_key)
    at = np.searchsorted(row_key[order], span_key)
    at = np.minimum(at, len(rows) - 1)
    found = order[at]
    return np.where((row_key[found] == span_key) & (as_step >= 0), found, -1)


def _sweep(lo: Ints, hi: Ints, rank: Ints, offset: Ints, length: Ints) -> NDArray[np.int64]:
    phases = len(PRECEDENCE)
    points = np.unique(np.concatenate([lo, hi, offset, offset + length]))
    widths = np.diff(points)
    first = np.full(len(widths), phases)
    for r in range(phases - 1, -1, -1):
        here = rank == r
        change = np.zeros(len(points), np.int64)
        np.add.at(change, np.searchsorted(points, lo[here]), 1)
        np.add.at(change, np.searchsorted(points, hi[here]), -1)
        first[np.cumsum(change)[:-1] > 0] = r
    owner = np.searchsorted(offset, points[:-1], "right") - 1
    out = np.zeros((len(offset), phases + 1), np.int64)
    np.add.at(out, (owner, first), widths)
    return out
