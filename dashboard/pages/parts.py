"""Pieces of layout that several pages use."""

from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from dashboard.figures.style import KIND_COLOURS, graph_config, phase_colour, phase_words, phases_in_order
from dashboard.figures.timeline import WAITS
from simulator.trace.schema import Kind

WORDS = (
    ("Parameter server (ps)", "A process that keeps a part of the model's variables and updates them."),
    (
        "Worker",
        "A process that computes gradients on its own share of the data, on a host of its own or beside others.",
    ),
    ("Task", "One process of the cluster; TensorFlow names it like /job:ps/task:0. Here: ps 0, worker 1."),
    ("Step", "One round of a worker: read the variables, compute a gradient, have it applied."),
    ("Pull", "A worker reads variables from the ps that keep them."),
    ("Forward, backward", "The two halves of computing a gradient."),
    ("Push", "A worker sends each gradient to the ps that keeps its variable."),
    ("Apply", "A ps changes a variable by a gradient; the variable's version goes up by one."),
    ("Wait", "Nothing of the step is going on: it waits for a message, a thread, a channel or the session."),
    (
        "Staleness",
        "How many updates others made to a variable between a worker's read of it and that worker's own update."
        " 0 is like training on one machine; large numbers can slow down learning.",
    ),
    (
        "Lanes",
        "client: session.run begins and ends. compute: forward and backward. nic in, nic out: tensors arrive and leave."
        " rpc: threads that handle messages. apply: updates of variables.",
    ),
)


def problem(title: str, text: str, *, back: bool = True) -> Any:
    """Return a notice in place of a page: what is wrong and what to do."""
    children = [html.Div(line) for line in text.splitlines()]
    if back:
        children.append(dmc.Anchor("All runs", href="/", mt="sm", display="inline-block"))
    return dmc.Alert(children, title=title, color="red", variant="light", mt="md")


def notice(text: str, *, title: str | None = None, color: str = "yellow") -> Any:
    """Return a remark above a figure."""
    return dmc.Alert(text, title=title, color=color, variant="light")


def kind_badge(kind: Kind) -> Any:
    """Return the sign of a kind of run: filled for simulated, outlined for real."""
    colour = KIND_COLOURS[kind][0]
    style = (
        {"backgroundColor": colour, "color": "#FFFFFF"}
        if kind is Kind.SIMULATED
        else {"backgroundColor": "transparent", "border": f"2px solid {colour}", "color": "inherit"}
    )
    return dmc.Badge(kind.value, style=style, radius="sm", tt="none", miw="max-content")


def section(title: str, help_text: str, *children: Any) -> Any:
    """Return a figure's section: its title, one line of help, the figure."""
    return dmc.Paper(
        [dmc.Title(title, order=2, size="h3"), dmc.Text(help_text, size="sm", mb="xs", maw=900), *children],
        withBorder=True,
        p="md",
        className="section",
    )


def graph(id_: Any, sentence: str) -> Any:
    """Return a graph that a screen reader can tell about."""
    # Nothing is drawn until the colours of the page are known (a callback's work).
    return html.Div(
        dcc.Graph(id=id_, config=graph_config(), figure={"layout": {"height": 120, "xaxis": {"visible": False},
                  "yaxis": {"visible": False}, "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)"}}),
        role="figure",
        **{"aria-label": sentence},
    )  # fmt: skip


def legend(phases: list[str]) -> Any:
    """Return what the colours of *phases* mean; waiting is as thin as in the timeline."""
    entries = []
    for phase in phases_in_order(phases):
        height = 5 if phase in WAITS else 13
        swatch = html.Span(className="swatch", style={"backgroundColor": phase_colour(phase), "height": height})
        entries.append(html.Span([swatch, phase_words(phase)], className="legend-entry"))
    return html.Div(entries, className="legend")


def data_table(head: list[str], rows: list[list[str]]) -> Any:
    """Return the numbers behind a figure, folded away."""
    return html.Details(
        [
            html.Summary("Show the numbers"),
            dmc.TableScrollContainer(
                dmc.Table(data={"head": head, "body": rows}, tabularNums=True, w="auto"), minWidth=0, type="native"
            ),
        ]
    )


def glossary() -> Any:
    """Return what the words mean, folded away."""
    words = []
    for word, meaning in WORDS:
        words += [html.Dt(word), html.Dd(meaning)]
    return html.Details([html.Summary("New to parameter servers? What the words mean"), html.Dl(words)])
