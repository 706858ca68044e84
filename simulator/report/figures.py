"""Figures of a report that show a whole run: plain functions from two runs to plotly figures.

The palettes are those of every drawing of a trace (simulator/trace/colours.py); simulated is drawn solid,
real hatched or dashed, so that colour is never the only cue.  Of two runs of one kind, the second
is drawn dashed.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from simulator.analysis.result import step_times
from simulator.analysis.statistics import Floats
from simulator.analysis.window import ints, windows
from simulator.trace import colours
from simulator.trace.folder import Run
from simulator.trace.schema import Kind, Phase

Runs = tuple[Run, Run]
Documents = tuple[dict[str, Any], dict[str, Any]]

_DRAWN = (Phase.PULL, Phase.FORWARD, Phase.BACKWARD, Phase.PUSH, Phase.APPLY, Phase.WAIT)
PHASE_COLOURS: dict[str, str] = {phase.value: colours.PHASE_COLOURS[phase] for phase in _DRAWN}
KIND_COLOURS = colours.KIND_COLOURS
# The second of two runs of one kind.
_OTHER_COLOUR = "#C2570C"
_MAX_POINTS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """How one of the two runs is called and drawn."""

    name: str
    colour: str
    dash: str
    hatch: str


def config() -> dict[str, Any]:
    """Return the one plotly configuration: nothing offers an upload."""
    return {"showSendToCloud": False, "displaylogo": False, "responsive": True}


def sides(runs: Runs) -> tuple[Side, Side]:
    """Return the look of both runs: by kind, by order where both are of one kind."""
    kinds = [run.info.kind for run in runs]
    if kinds[0] is kinds[1]:
        return (
            Side(name=f"first ({kinds[0].value})", colour=KIND_COLOURS[kinds[0]], dash="solid", hatch=""),
            Side(name=f"second ({kinds[1].value})", colour=_OTHER_COLOUR, dash="dash", hatch="/"),
        )
    first, second = (
        Side(
            name=kind.value,
            colour=KIND_COLOURS[kind],
            dash="dash" if kind is Kind.REAL else "solid",
            hatch="/" if kind is Kind.REAL else "",
        )
        for kind in kinds
    )
    return first, second


def blank(**layout: Any) -> go.Figure:
    """Return an empty figure as all figures of a report begin."""
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


def progress_figure(runs: Runs) -> go.Figure:
    """Global step over time, first replication of each."""
    figure = blank(xaxis_title="time since the start of training (s)", yaxis_title="global step")
    for side, run in zip(sides(runs), runs, strict=True):
        replication = ints(run, "steps", "replication")
        first = replication == replication.min(initial=0)
        end, step = ints(run, "steps", "end")[first] / 1e9, ints(run, "steps", "global_step_written")[first]
        order = np.argsort(end)
        # Ends of two workers can change places between the increment and the return of session.run.
        x, y = _thinned(end[order], np.maximum.accumulate(step[order]).astype(float))
        figure.add_scatter(
            x=x, y=y, name=side.name, mode="lines", line={"color": side.colour, "dash": side.dash, "width": 2.5}
        )
    return figure


def step_time_figure(runs: Runs) -> go.Figure:
    """Share of measured steps that take at most so long; the axis ends behind both 99th percentiles."""
    figure = blank(xaxis_title="step time (ms)", yaxis_title="share of steps", yaxis_tickformat=".0%")
    begins, ends = [], []
    for side, run in zip(sides(runs), runs, strict=True):
        times = np.sort(step_times(run, windows(run))) * 1e3
        begins.append(float(times[0]))
        ends.append(float(np.percentile(times, 99)))
        x, y = _thinned(times, np.arange(1, len(times) + 1) / len(times))
        figure.add_scatter(
            x=x,
            y=y,
            name=side.name,
            mode="lines",
            line={"color": side.colour, "dash": side.dash, "shape": "hv", "width": 2.5},
        )
    margin = 0.1 * (max(ends) - min(begins)) or 1.0
    figure.update_xaxes(range=[min(begins) - margin, max(ends) + margin])
    return figure


def staleness_figure(runs: Runs, results: Documents) -> go.Figure:
    """Share of applied gradients by staleness."""
    figure = blank(
        xaxis_title="staleness (updates)", yaxis_title="share of gradients", yaxis_tickformat=".0%", barmode="group"
    )
    histograms = [document["staleness"]["histogram"] for document in results]
    top = max((int(k) for histogram in histograms for k in histogram), default=0)
    figure.update_xaxes(dtick=max(1, (top + 1) // 12), tickformat="d")
    for side, histogram in zip(sides(runs), histograms, strict=True):
        total = sum(histogram.values()) or 1
        figure.add_bar(
            x=[int(k) for k in histogram],
            y=[count / total for count in histogram.values()],
            name=side.name,
            marker={"color": side.colour, "pattern": {"shape": side.hatch, "solidity": 0.25}},
            hovertemplate="staleness %{x}: %{y:.1%}",
        )
    return figure


def phases_figure(runs: Runs, results: Documents) -> go.Figure:
    """Mean step of each run, cut into phases."""
    looks = sides(runs)
    figure = blank(xaxis_title="mean step (ms)", barmode="stack")
    figure.update_layout(height=240, legend_traceorder="normal")
    figure.update_yaxes(autorange="reversed")
    for phase, colour in PHASE_COLOURS.items():
        figure.add_bar(
            orientation="h",
            y=[side.name for side in looks],
            x=[(document["phases_s"].get(phase) or 0) * 1e3 for document in results],
            name=phase,
            marker={"color": colour, "pattern": {"shape": [side.hatch for side in looks], "solidity": 0.2}},
            hovertemplate=f"{phase}: %{{x:.3g}} ms<extra>%{{y}}</extra>",
        )
    return figure
