"""The timeline: what every part of every ps and worker does at each moment."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from dashboard.bars import STEP_LANE, Bars, LaneOfTask, StepBar
from dashboard.figures.style import (
    BAND_COLOURS,
    INK,
    STEP_COLOURS,
    empty_figure,
    phase_colour,
    phase_words,
    phases_in_order,
)
from simulator.trace.schema import Phase
from simulator.units import MIB

LANE_PIXELS = 19
FRAME_PIXELS = 60  # axis and its title
WORK_HEIGHT = 0.86
# Waiting is drawn thinner than work, so that the two differ without colour.
WAIT_HEIGHT = 0.34
WAITS = (Phase.WAIT, Phase.WAIT_TOKEN)
# A step shorter than this part of the window has no room for its number.
MIN_LABEL = 0.1
NS_PER_MS = 1e6


def timeline_figure(
    lanes: list[LaneOfTask],
    bars: Bars,
    steps: list[StepBar],
    *,
    length: int,
    own: list[LaneOfTask],
    scheme: str,
) -> Any:
    """Return the timeline of one window.

    Args:
        lanes: all lanes, from top to bottom.
        bars: the spans.
        steps: the steps of the workers, drawn on their ``step`` lanes.
        length: of the time axis, in ns.
        own: the lanes that this run records; the others are marked, so that nobody takes them for idle.
        scheme: ``light`` or ``dark``.
    """
    figure = empty_figure(scheme, height=FRAME_PIXELS + LANE_PIXELS * len(lanes))
    place = {lane: at for at, lane in enumerate(lanes)}
    _add_steps(figure, steps, place, length, scheme)
    _add_spans(figure, bars, place)
    _add_bands(figure, lanes, scheme)
    if bars.window < length:
        _add_end(figure, bars.window / NS_PER_MS, length / NS_PER_MS, scheme)
    figure.update_layout(barmode="overlay", bargap=0, showlegend=False)
    figure.update_xaxes(title_text="ms from the start of this window", range=[0, length / NS_PER_MS], zeroline=False)
    figure.update_yaxes(
        tickvals=list(range(len(lanes))),
        ticktext=_labels(lanes, own),
        range=[len(lanes) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        fixedrange=True,
        tickfont={"size": 11},
        ticks="outside",
        ticklen=6,
        tickcolor="rgba(0,0,0,0)",
    )
    return figure


def _add_steps(figure: Any, steps: list[StepBar], place: dict[LaneOfTask, int], length: int, scheme: str) -> None:
    shown = [s for s in steps if (s.worker, STEP_LANE) in place]
    figure.add_trace(
        go.Bar(
            orientation="h",
            base=[s.start / NS_PER_MS for s in shown],
            x=[s.length / NS_PER_MS for s in shown],
            y=[place[s.worker, STEP_LANE] for s in shown],
            width=WORK_HEIGHT,
            text=[_step_label(s) if s.length >= MIN_LABEL * length else "" for s in shown],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            constraintext="none",
            textfont={"color": INK[scheme], "size": 11},
            marker={
                "color": [STEP_COLOURS[scheme] if s.traced else "rgba(0,0,0,0)" for s in shown],
                "line": {"color": INK[scheme], "width": 1},
            },
            hovertext=[f"{short(s.worker)}: its {_step_label(s)}" for s in shown],
            hoverinfo="text",
        )
    )


def _add_spans(figure: Any, bars: Bars, place: dict[LaneOfTask, int]) -> None:
    lane = np.array([place.get(name, -1) for name in bars.lane], dtype=np.int64)
    row_height = WORK_HEIGHT / np.maximum(bars.rows, 1)
    middle = lane - WORK_HEIGHT / 2 + (bars.row + 0.5) * row_height
    kind = np.array(bars.phase, dtype=object)
    for phase in phases_in_order(bars.phase):
        at = np.flatnonzero((kind == phase) & (lane >= 0))
        thin = WAIT_HEIGHT if phase in WAITS else 1.0
        figure.add_trace(
            go.Bar(
                name=phase_words(phase),
                orientation="h",
                base=(bars.start[at] / NS_PER_MS).tolist(),
                x=(bars.length[at] / NS_PER_MS).tolist(),
                y=middle[at].tolist(),
                width=(row_height[at] * thin).tolist(),
                # The line makes a span of less than a pixel visible.
                marker={"color": phase_colour(phase), "line": {"width": 1, "color": phase_colour(phase)}},
                hovertext=[_hover(bars, int(i)) for i in at],
                hoverinfo="text",
            )
        )


def _add_bands(figure: Any, lanes: list[LaneOfTask], scheme: str) -> None:
    """Shade every other task."""
    tasks = list(dict.fromkeys(task for task, _ in lanes))
    for at, task in enumerate(tasks):
        rows = [i for i, lane in enumerate(lanes) if lane[0] == task]
        if at % 2 == 0:
            figure.add_shape(
                type="rect",
                xref="paper",
                x0=0,
                x1=1,
                y0=rows[0] - 0.5,
                y1=rows[-1] + 0.5,
                fillcolor=BAND_COLOURS[scheme],
                line_width=0,
                layer="below",
            )


def _add_end(figure: Any, start: float, end: float, scheme: str) -> None:
    """Cover the part of the window whose bars were too many to draw."""
    figure.add_shape(
        type="rect", yref="paper", x0=start, x1=end, y0=0, y1=1, fillcolor=STEP_COLOURS[scheme], line_width=0
    )
    figure.add_annotation(
        text="too many bars:<br>not drawn", x=(start + end) / 2, y=0.5, yref="paper", showarrow=False, textangle=-90
    )


def _step_label(step: StepBar) -> str:
    return f"step {step.step}" + ("" if step.traced else ", not traced")


def _labels(lanes: list[LaneOfTask], own: list[LaneOfTask]) -> list[str]:
    out, before = [], ""
    for task, lane in lanes:
        words = lane.replace("_", " ") if (task, lane) in own else f"<i>{lane.replace('_', ' ')} n/a</i>"
        out.append(f"<b>{short(task)}</b> {words}" if task != before else words)
        before = task
    return out


def _hover(bars: Bars, i: int) -> str:
    task, lane = bars.lane[i]
    lines = [f"<b>{short(task)}, {lane.replace('_', ' ')}</b>", phase_words(bars.phase[i])]
    if bars.joined[i] > 1:
        lines.append(f"{bars.joined[i]} spans close together")
    else:
        if bars.variable[i]:
            lines.append(bars.variable[i])
        if bars.size[i]:
            lines.append(f"{bars.size[i] / MIB:.3g} MiB")
        if bars.peer[i]:
            lines.append(f"with {short(bars.peer[i])}")
        lines.append(f"for step {bars.step[i]} of {short(bars.worker[i])}")
    lines.append(f"{bars.length[i] / NS_PER_MS:.4g} ms, from {bars.start[i] / NS_PER_MS:.4g} ms on")
    return "<br>".join(lines)


def short(task: str) -> str:
    """Return TensorFlow's task name as people say it: ``/job:ps/task:0`` is ``ps 0``."""
    return task.removeprefix("/job:").replace("/task:", " ")
