"""A few steps of every ps and worker as bars, of two runs on the same length of time."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from simulator.analysis.window import Ints, bools, ints, words
from simulator.report.figures import PHASE_COLOURS, blank
from simulator.scenario.scenario import task_path
from simulator.trace.folder import Run

# More bars than this make a browser slow; a bar narrower than a pixel is nobody's.
MAX_BARS = 1500
_PIXELS = 1000
_SHOWN = tuple(phase for phase in PHASE_COLOURS if phase != "wait")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """Spans of one task and phase that touch, as one; times in ns since the run began."""

    task: str
    phase: str
    start: int
    end: int
    spans: int


def timeline_figures(runs: tuple[Run, Run], wanted: int) -> list[go.Figure | None]:
    """Return the timeline of each run (None: it kept no spans), both of one length: *wanted* ns or less.

    A length that takes more than MAX_BARS bars is shortened, for both.
    """
    drawn = [_bars(run, wanted) for run in runs]
    length = min([wanted, *(_length(found, begin, wanted) for begin, found in drawn if found)])
    return [
        _figure(run, begin, [bar for bar in found if bar.start < begin + length][:MAX_BARS], length) if found else None
        for run, (begin, found) in zip(runs, drawn, strict=True)
    ]


def _length(found: list[Bar], begin: int, wanted: int) -> int:
    """Return how many ns the first MAX_BARS bars reach."""
    if len(found) <= MAX_BARS:
        return wanted
    return max(1, found[MAX_BARS].start - begin)


def _moment(run: Run) -> int:
    """Return the start of a traced step in the middle of the run.

    A real run traces a few steps in a row, now and then: the first of a row is taken.
    """
    replication = ints(run, "steps", "replication")
    worker, _ = words(run, "steps", "task")
    mine = bools(run, "steps", "traced")
    if not mine.any():
        return int(ints(run, "spans", "start").min())
    mine &= (replication == replication[mine].min()) & (worker == worker[mine][0])
    start, local = ints(run, "steps", "start")[mine], ints(run, "steps", "local_step")[mine]
    first = start[~np.isin(local - 1, local)]
    chosen = first if len(first) > 1 else start
    return int(chosen[np.argmin(np.abs(chosen - np.median(start)))])


def _bars(run: Run, length: int) -> tuple[int, list[Bar]]:
    """Return where the timeline begins and its bars, by start."""
    if run.table("spans").num_rows == 0:
        return 0, []
    begin = _moment(run)
    start, end = ints(run, "spans", "start"), ints(run, "spans", "end")
    phase, phases = words(run, "spans", "phase")
    task, tasks = words(run, "spans", "task")
    known = set(_rows(run))
    inside = (end > begin) & (start < begin + length)
    found: list[Bar] = []
    for t, name in enumerate(tasks):
        for p, what in enumerate(phases):
            if name in known and what in _SHOWN:
                mine = np.flatnonzero(inside & (task == t) & (phase == p))
                found += _joined(name, what, start[mine], end[mine], length // _PIXELS)
    return begin, sorted(found, key=lambda bar: (bar.start, bar.task, bar.phase))


def _joined(task: str, phase: str, start: Ints, end: Ints, gap: int) -> list[Bar]:
    """Return spans that overlap, or are at most *gap* ns apart, as one bar."""
    if len(start) == 0:
        return []
    order = np.argsort(start, kind="stable")
    start, end = start[order], np.maximum.accumulate(end[order])
    cut = np.flatnonzero(start[1:] > end[:-1] + gap) + 1
    firsts, lasts = np.concatenate([[0], cut]), np.concatenate([cut, [len(start)]])
    return [
        Bar(task=task, phase=phase, start=int(start[a]), end=int(end[b - 1]), spans=int(b - a))
        for a, b in zip(firsts, lasts, strict=True)
    ]


def _rows(run: Run) -> list[str]:
    return [task_path(task) for task in (*run.scenario.ps_tasks, *run.scenario.worker_tasks)]


def _figure(run: Run, begin: int, bars: list[Bar], length: int) -> go.Figure:
    names = _rows(run)
    figure = blank(xaxis_title=f"ms after {begin / 1e9:.3f} s of training", barmode="overlay")
    figure.update_layout(height=140 + (34 * len(names) if len(names) <= 20 else max(680, 9 * len(names))))
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], range=[-0.5, len(names) - 0.5])
    figure.update_xaxes(range=[0, length / 1e6])
    for phase in _SHOWN:
        mine = [bar for bar in bars if bar.phase == phase]
        figure.add_bar(
            orientation="h",
            # An empty bar keeps the phase in the legend, so that both timelines have the same one.
            y=[bar.task for bar in mine] or names[:1],
            base=[(bar.start - begin) / 1e6 for bar in mine] or [0],
            x=[(bar.end - bar.start) / 1e6 for bar in mine] or [0],
            customdata=[bar.spans for bar in mine] or [0],
            name=phase,
            width=0.7,
            marker={"color": PHASE_COLOURS[phase], "opacity": 0.85, "line": {"width": 0}},
            hovertemplate=f"{phase}: %{{x:.3g}} ms, %{{customdata}} span(s)<extra>%{{y}}</extra>",
        )
    figure.update_layout(legend_traceorder="normal")
    return figure
