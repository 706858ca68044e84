"""Figures of a report: plain functions from runs to plotly figures.

Phases have one palette (Okabe-Ito, safe for colour blindness), kinds of run another; simulated is drawn
solid, real hatched or dashed, so that colour is never the only cue.
"""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from simulator.analysis.result import step_times
from simulator.analysis.statistics import Floats
from simulator.analysis.window import bools, ints, windows, words
from simulator.trace.folder import Run
from simulator.trace.schema import Kind, Phase

PHASE_COLOURS: dict[str, str] = {
    Phase.PULL.value: "#0072B2",
    Phase.FORWARD.value: "#009E73",
    Phase.BACKWARD.value: "#56B4E9",
    Phase.PUSH.value: "#D55E00",
    Phase.APPLY.value: "#CC79A7",
    Phase.WAIT.value: "#B0B0B0",
}
_SIDES = ("#4C4CB5", "#B5651D")
MAX_BARS = 1500
_MAX_POINTS = 1000


def config() -> dict[str, Any]:
    """Return the one plotly configuration: nothing offers an upload."""
    return {"showSendToCloud": False, "displaylogo": False, "responsive": True}


def side_name(run: Run, side: int, runs: tuple[Run, Run]) -> str:
    """Return how the legend calls a run: its kind, and its place where both are of one kind."""
    kind = run.info.kind.value
    return kind if runs[0].info.kind is not runs[1].info.kind else f"{('first', 'second')[side]} ({kind})"


def _dash(run: Run) -> str:
    return "dash" if run.info.kind is Kind.REAL else "solid"


def _pattern(run: Run) -> dict[str, Any]:
    return {"shape": "/" if run.info.kind is Kind.REAL else "", "solidity": 0.25}


def _figure(**layout: Any) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        template="plotly_white",
        margin={"l": 60, "r": 20, "t": 20, "b": 50},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        height=340,
        **layout,
    )
    return figure


def _thinned(*series: Floats) -> list[Floats]:
    """Return at most _MAX_POINTS of long series; the ends stay."""
    count = len(series[0])
    keep = np.unique(np.linspace(0, count - 1, min(count, _MAX_POINTS)).astype(int))
    return [s[keep] for s in series]


def progress_figure(runs: tuple[Run, Run]) -> go.Figure:
    """Global step over time, first replication of each."""
    figure = _figure(xaxis_title="time since the start of training (s)", yaxis_title="global step")
    for side, run in enumerate(runs):
        first = ints(run, "steps", "replication") == 0
        end, step = ints(run, "steps", "end")[first] / 1e9, ints(run, "steps", "global_step_written")[first]
        order = np.argsort(step)
        x, y = _thinned(end[order], step[order].astype(float))
        figure.add_scatter(
            x=x, y=y, name=side_name(run, side, runs), mode="lines", line={"color": _SIDES[side], "dash": _dash(run)}
        )
    return figure


def step_time_figure(runs: tuple[Run, Run]) -> go.Figure:
    """Share of measured steps that take at most so long."""
    figure = _figure(xaxis_title="step time (ms)", yaxis_title="share of steps", yaxis_tickformat=".0%")
    for side, run in enumerate(runs):
        times = np.sort(step_times(run, windows(run))) * 1e3
        x, y = _thinned(times, np.arange(1, len(times) + 1) / len(times))
        figure.add_scatter(
            x=x,
            y=y,
            name=side_name(run, side, runs),
            mode="lines",
            line={"color": _SIDES[side], "dash": _dash(run), "shape": "hv"},
        )
    return figure


def staleness_figure(runs: tuple[Run, Run], results: tuple[dict[str, Any], dict[str, Any]]) -> go.Figure:
    """Share of applied gradients by staleness."""
    figure = _figure(
        xaxis_title="staleness: versions applied between a gradient's read and its own apply",
        yaxis_title="share of gradients",
        yaxis_tickformat=".0%",
        barmode="group",
        xaxis_tickformat="d",
    )
    top = max((int(k) for document in results for k in document["staleness"]["histogram"]), default=0)
    figure.update_xaxes(dtick=max(1, (top + 1) // 12))
    for side, (run, document) in enumerate(zip(runs, results, strict=True)):
        histogram = document["staleness"]["histogram"]
        total = sum(histogram.values()) or 1
        figure.add_bar(
            x=[int(k) for k in histogram],
            y=[count / total for count in histogram.values()],
            name=side_name(run, side, runs),
            marker={"color": _SIDES[side], "pattern": _pattern(run)},
        )
    return figure


def phases_figure(runs: tuple[Run, Run], results: tuple[dict[str, Any], dict[str, Any]]) -> go.Figure:
    """Mean step of each run, cut into phases."""
    figure = _figure(xaxis_title="mean step (ms)", barmode="stack")
    figure.update_layout(height=240, legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    names = [side_name(run, side, runs) for side, run in enumerate(runs)]
    for phase in ("wait", "pull", "forward", "backward", "push", "apply"):
        figure.add_bar(
            orientation="h",
            y=names,
            x=[document["phases_s"].get(phase, 0) * 1e3 for document in results],
            name=phase,
            marker={
                "color": PHASE_COLOURS[phase],
                "pattern": {"shape": [_pattern(run)["shape"] for run in runs], "solidity": 0.2},
            },
            hovertemplate=f"{phase}: %{{x:.3g}} ms<extra></extra>",
        )
    return figure


def _a_traced_moment(run: Run) -> int:
    """Return the start of a step in the middle of the run from which on steps are traced."""
    mine = (ints(run, "steps", "replication") == 0) & bools(run, "steps", "traced")
    worker, _ = words(run, "steps", "task")
    mine &= worker == worker[0]
    start, local = ints(run, "steps", "start")[mine], ints(run, "steps", "local_step")[mine]
    if len(start) == 0:
        return 0
    # A real run traces a few steps in a row, now and then: begin with the first of a row.
    first = start[~np.isin(local - 1, local)]
    chosen = first if len(first) > 1 else start
    return int(chosen[np.argmin(np.abs(chosen - np.median(start)))])


def timeline_figure(run: Run, length_ns: int) -> go.Figure | None:
    """A few steps of every ps and worker around a traced step in the middle; None when no span was kept."""
    if run.table("spans").num_rows == 0:
        return None
    start, end = ints(run, "spans", "start"), ints(run, "spans", "end")
    phase, phases = words(run, "spans", "phase")
    task, tasks = words(run, "spans", "task")
    shown = np.isin(phase, [i for i, name in enumerate(phases) if name in PHASE_COLOURS and name != "wait"])
    begin = _a_traced_moment(run)
    inside = shown & (end > begin) & (start < begin + length_ns)
    rows = np.flatnonzero(inside)[:MAX_BARS]
    names = [*(f"/job:{t.replace(':', '/task:')}" for t in (*run.scenario.ps_tasks, *run.scenario.worker_tasks))]
    figure = _figure(xaxis_title="time (ms)", barmode="overlay")
    figure.update_layout(height=140 + 34 * len(names), legend_traceorder="normal")
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], range=[-0.5, len(names) - 0.5])
    figure.update_xaxes(range=[0, length_ns / 1e6])
    for name, colour in PHASE_COLOURS.items():
        mine = [r for r in rows if phases[phase[r]] == name]
        if not mine:
            continue
        figure.add_bar(
            orientation="h",
            y=[tasks[task[r]] for r in mine],
            base=[(start[r] - begin) / 1e6 for r in mine],
            x=[(end[r] - start[r]) / 1e6 for r in mine],
            name=name,
            width=0.7,
            marker={"color": colour, "opacity": 0.85, "line": {"width": 0}},
            hovertemplate=f"{name}: %{{x:.3g}} ms<extra>%{{y}}</extra>",
        )
    return figure
