"""The bars of a timeline: spans and steps of a window, placed on the lanes of their tasks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.analysis.window import Ints, bools, ints, words
from simulator.trace.folder import Run
from simulator.trace.schema import Lane

# More bars than this make a browser slow (first draw in headless Chromium: 1,000 bars 0.5 s, 20,000 3.4 s).
MAX_BARS = 1500
# When there are more, spans of one kind on one lane that are closer than this part of the window are joined.
JOIN = 1 / 1000
# Parallel spans of a lane are drawn one above the other, on up to this many rows.
MAX_ROWS = 8
STEP_LANE = "step"
LANE_ORDER = (STEP_LANE, Lane.CLIENT, Lane.COMPUTE, Lane.NIC_IN, Lane.RPC, Lane.APPLY, Lane.NIC_OUT)

LaneOfTask = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Bars of one window, a column each; times in ns from the window's start.

    ``row`` of ``rows`` places a bar among the parallel ones of its lane; ``joined`` spans make one bar.
    ``window`` is the part that the bars cover: shorter than asked for when there were too many.
    """

    lane: list[LaneOfTask]
    row: Ints
    rows: Ints
    phase: list[str]
    start: Ints
    length: Ints
    joined: Ints
    worker: list[str]
    step: Ints
    variable: list[str]
    size: Ints
    peer: list[str]
    window: int

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBar:
    """One step of a worker, with spans or without; times in ns from the window's start."""

    worker: str
    step: int
    start: int
    length: int
    traced: bool


def lanes(*runs: Run) -> list[LaneOfTask]:
    """Return the lanes that any of *runs* uses: ps before workers, and the parts of each task in order."""
    used: dict[LaneOfTask, None] = {}
    for run in runs:
        task, tasks = words(run, "spans", "task")
        lane, names = words(run, "spans", "lane")
        for cell in np.unique(task.astype(np.int64) * max(len(names), 1) + lane):
            used[tasks[cell // len(names)], names[cell % len(names)]] = None
        for name in words(run, "steps", "task")[1]:
            used[name, STEP_LANE] = None
    return sorted(used, key=_order)


def step_bars(run: Run, start: int, length: int) -> list[StepBar]:
    """Return the steps of the first replication that touch the window, cut at its edges."""
    begin, end = ints(run, "steps", "start"), ints(run, "steps", "end")
    here = (ints(run, "steps", "replication") == 0) & (end > start) & (begin < start + length)
    task, names = words(run, "steps", "task")
    step, traced = ints(run, "steps", "local_step"), bools(run, "steps", "traced")
    out = []
    for at in np.flatnonzero(here)[:MAX_BARS]:
        lo, hi = max(int(begin[at]) - start, 0), min(int(end[at]) - start, length)
        out.append(
            StepBar(worker=names[task[at]], step=int(step[at]), start=lo, length=hi - lo, traced=bool(traced[at]))
        )
    return out


def span_bars(run: Run, start: int, length: int, limit: int = MAX_BARS) -> Bars:
    """Return the bars of *run* from *start* on for *length* ns, at most *limit* of them.

    When there are more, neighbours are joined first; when that is not enough, the window is cut short.
    """
    begin, end = ints(run, "spans", "start"), ints(run, "spans", "end")
    rows = np.flatnonzero((end > start) & (begin < start + length))
    begin, end = begin[rows] - start, end[rows] - start
    joined = np.ones(len(rows), dtype=np.int64)
    if len(rows) > limit:
        key = _lane_key(run, rows)
        keep, end, joined = _join(key, begin, end, int(length * JOIN))
        rows, begin = rows[keep], begin[keep]
    window = length
    if len(rows) > limit:
        order = np.argsort(begin, kind="stable")
        window = max(int(begin[order[limit]]), 1)
        kept = np.sort(order[:limit])
        rows, begin, end, joined = rows[kept], begin[kept], end[kept], joined[kept]
    return _bars(run, rows, begin, end, joined, window)


def _bars(run: Run, rows: Ints, begin: Ints, end: Ints, joined: Ints, window: int) -> Bars:
    texts = {c: _texts(run, c, rows) for c in ("task", "lane", "phase", "worker", "variable", "peer")}
    lane = list(zip(texts["task"], texts["lane"], strict=True))
    row, rows_of_lane = _rows(lane, ints(run, "spans", "slot")[rows])
    return Bars(
        lane=lane,
        row=row,
        rows=rows_of_lane,
        phase=texts["phase"],
        start=begin,
        length=end - begin,
        joined=joined,
        worker=texts["worker"],
        step=ints(run, "spans", "step")[rows],
        variable=texts["variable"],
        size=ints(run, "spans", "bytes")[rows],
        peer=texts["peer"],
        window=window,
    )


def _rows(lane: list[LaneOfTask], slot: Ints) -> tuple[Ints, Ints]:
    """Return each bar's row and how many rows its lane has."""
    count: dict[LaneOfTask, int] = {}
    for name, s in zip(lane, slot, strict=True):
        count[name] = max(count.get(name, 1), int(s) + 1)
    rows = np.array([min(count[name], MAX_ROWS) for name in lane], dtype=np.int64)
    of = np.array([count[name] for name in lane], dtype=np.int64)
    return (slot * rows) // np.maximum(of, 1), rows


def _join(key: Ints, begin: Ints, end: Ints, gap: int) -> tuple[Ints, Ints, Ints]:
    """Join spans of equal *key* that are at most *gap* apart.

    Returns the index of the first span of each group, in order of start, and each group's end and size.
    """
    order = np.lexsort((begin, key))
    key, lo, hi = key[order], begin[order], end[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (key[1:] != key[:-1]) | (lo[1:] - hi[:-1] > gap)
    first = np.flatnonzero(new)
    last_end = np.maximum.reduceat(hi, first)
    size = np.diff(np.append(first, len(order)))
    by_start = np.argsort(lo[first], kind="stable")
    return order[first][by_start], last_end[by_start], size[by_start]


def _lane_key(run: Run, rows: Ints) -> Ints:
    """Return a number per span that is equal for spans of one task, lane, slot and phase."""
    key = ints(run, "spans", "slot")[rows]
    for column in ("task", "lane", "phase"):
        codes, names = words(run, "spans", column)
        key = key * max(len(names), 1) + codes[rows]
    return key


def _texts(run: Run, column: str, rows: Ints) -> list[str]:
    codes, names = words(run, "spans", column)
    found: NDArray[np.object_] = np.array([*names, ""], dtype=object)[codes[rows]]
    return [str(text) for text in found]


def _order(lane: LaneOfTask) -> tuple[int, str, int, int, str]:
    """Sort ps before workers, tasks by number, lanes by LANE_ORDER; what is unknown comes last."""
    job, _, index = lane[0].removeprefix("/job:").partition("/task:")
    place = LANE_ORDER.index(lane[1]) if lane[1] in LANE_ORDER else len(LANE_ORDER)
    return (0 if job == "ps" else 1, job, int(index) if index.isdigit() else 0, place, lane[1])
