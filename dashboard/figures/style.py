"""Colours, templates and the graph options that all figures share.

The palettes are those of every drawing of a trace (simulator/trace/colours.py).  A real run is hatched as
well: colour is never the only sign.
"""

from dataclasses import dataclass
from typing import Any

import dash_mantine_components as dmc
import plotly.graph_objects as go
import plotly.io as pio

from simulator.trace import colours
from simulator.trace.schema import Kind, Phase

PHASE_COLOURS: dict[str, str] = {phase.value: colour for phase, colour in colours.PHASE_COLOURS.items()}
PHASE_WORDS: dict[str, str] = {
    Phase.PULL: "pull (read variables)",
    Phase.FORWARD: "forward",
    Phase.BACKWARD: "backward",
    Phase.PUSH: "push (send gradients)",
    Phase.APPLY: "apply (update variables)",
    Phase.WAIT: "wait",
    Phase.WAIT_TOKEN: "wait for a token",
    Phase.DOWN: "down",
}
UNKNOWN_COLOUR = "#FFFFFF"
# First and second run of a kind.
_PALER = {Kind.SIMULATED: "#C0AEF9", Kind.REAL: "#A9C77A"}
KIND_COLOURS = {kind: (colour, _PALER[kind]) for kind, colour in colours.KIND_COLOURS.items()}
KIND_PATTERNS = {Kind.SIMULATED: ("", "."), Kind.REAL: ("/", "x")}
STEP_COLOURS = {"light": "#E9ECEF", "dark": "#495057"}
BAND_COLOURS = {"light": "rgba(0,0,0,0.04)", "dark": "rgba(255,255,255,0.05)"}
INK = {"light": "#212529", "dark": "#E9ECEF"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStyle:
    """How bars of one run look, and what the run is called in a figure."""

    name: str
    colour: str
    pattern: str


def run_styles(names: list[str], kinds: list[Kind]) -> list[RunStyle]:
    """Return the style of each run of a figure; a second run of the same kind is paler and dotted or crossed."""
    seen: dict[Kind, int] = {}
    out = []
    for name, kind in zip(names, kinds, strict=True):
        at = min(seen.get(kind, 0), 1)
        seen[kind] = seen.get(kind, 0) + 1
        out.append(RunStyle(name=name, colour=KIND_COLOURS[kind][at], pattern=KIND_PATTERNS[kind][at]))
    return out


def phase_colour(phase: str) -> str:
    """Return the colour of *phase*."""
    return PHASE_COLOURS.get(phase, UNKNOWN_COLOUR)


def phase_words(phase: str) -> str:
    """Return *phase* as a legend names it."""
    return PHASE_WORDS.get(phase, phase)


def phases_in_order(names: list[str]) -> list[str]:
    """Return *names* without repetition: the known ones in the order of a step, then the others."""
    known = [phase for phase in PHASE_COLOURS if phase in names]
    return [*known, *sorted({n for n in names if n not in PHASE_COLOURS})]


def graph_config() -> dict[str, Any]:
    """Return the options of every graph: nothing leaves this machine, no advertisement."""
    return {
        "showSendToCloud": False,
        "displaylogo": False,
        "responsive": True,
        "scrollZoom": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    }


def empty_figure(scheme: str, *, height: int) -> Any:
    """Return a figure in the colours of *scheme* (``light`` or ``dark``) with nothing in it."""
    template = f"mantine_{scheme}"
    if template not in pio.templates:
        dmc.add_figure_templates()
    figure = go.Figure()
    figure.update_layout(
        template=template,
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"size": 13, "color": INK[scheme]},
        legend={"orientation": "h", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "title": None},
        hoverlabel={"align": "left"},
    )
    figure.update_xaxes(automargin=True, title_font_size=13)
    figure.update_yaxes(automargin=True, title_font_size=13)
    return figure


def note_figure(text: str, scheme: str) -> Any:
    """Return a figure that holds only *text*."""
    figure = empty_figure(scheme, height=120)
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.add_annotation(text=text, showarrow=False, x=0.5, y=0.5, xref="paper", yref="paper")
    return figure
