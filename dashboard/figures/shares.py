"""Staleness histogram and share of a step per phase, of one run or two."""

from typing import Any

import plotly.graph_objects as go

from dashboard.figures.style import RunStyle, empty_figure, phase_colour, phase_words, phases_in_order
from dashboard.frames import Shares

MIN_LABEL = 0.06  # a share below this has no room for its number


def staleness_figure(runs: list[tuple[RunStyle, Shares]], scheme: str) -> Any:
    """Return the histogram: for each staleness the share of updates, the bars of *runs* side by side."""
    figure = empty_figure(scheme, height=300)
    labels = _longest([[shares.label(at) for at in range(len(shares.first))] for _, shares in runs])
    for style, shares in runs:
        few = len(labels) <= 12
        figure.add_trace(
            go.Bar(
                name=style.name,
                x=[shares.label(at) for at in range(len(shares.first))],
                y=shares.share,
                text=[_label(share) if few else "" for share in shares.share],
                textposition="outside",
                textangle=0,
                cliponaxis=False,
                marker={"color": style.colour, "pattern": _pattern(style)},
                hovertemplate="%{y:.2%} of the updates were %{x} updates old<extra>" + style.name + "</extra>",
            )
        )
    figure.update_layout(barmode="group", bargap=0.25, showlegend=len(runs) > 1)
    figure.update_xaxes(
        title_text="staleness (updates by others)",
        type="category",
        categoryorder="array",
        categoryarray=labels,
    )
    largest = max((max(shares.share, default=0.0) for _, shares in runs), default=0.0)
    figure.update_yaxes(title_text="share of updates", tickformat=".0%", range=[0, (largest or 1) * 1.15])
    return figure


def phases_figure(runs: list[tuple[RunStyle, dict[str, float]]], scheme: str) -> Any:
    """Return one stacked bar per run: which share of a mean step each phase takes."""
    figure = empty_figure(scheme, height=70 + 60 * len(runs))
    names = [style.name for style, _ in runs]
    for phase in phases_in_order([phase for _, shares in runs for phase in shares]):
        values = [shares.get(phase, 0.0) for _, shares in runs]
        figure.add_trace(
            go.Bar(
                name=phase_words(phase),
                orientation="h",
                y=names,
                x=values,
                text=[f"{value:.0%}" if value >= MIN_LABEL else "" for value in values],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"color": "#FFFFFF" if phase in ("backward", "down") else "#111111"},
                marker={
                    "color": phase_colour(phase),
                    "line": {"width": 0},
                    "pattern": {
                        "shape": ["/" if style.pattern in ("/", "x") else "" for style, _ in runs],
                        "fgopacity": 0.25,
                        "fgcolor": "#000000",
                        "size": 7,
                    },
                },
                hovertemplate="%{x:.2%} of a step: " + phase_words(phase) + "<extra>%{y}</extra>",
            )
        )
    figure.update_layout(barmode="stack", bargap=0.3, showlegend=False)
    figure.update_layout(margin_r=24)  # room for half of "100%"
    figure.update_xaxes(title_text="share of a mean step", tickformat=".0%", range=[0, 1])
    figure.update_yaxes(autorange="reversed", ticks="outside", ticklen=6, tickcolor="rgba(0,0,0,0)")
    return figure


def _pattern(style: RunStyle) -> dict[str, Any]:
    return {"shape": style.pattern, "fgcolor": "#FFFFFF", "fgopacity": 0.7, "size": 8}


def _label(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 or share == 0 else f"{share:.1%}"


def _longest(lists: list[list[str]]) -> list[str]:
    """Return the longest of *lists*: histograms count from 0 without gaps, so it holds all of them."""
    return max(lists, key=len, default=[])
