"""A comparison as one HTML file that needs nothing else: plotly.js is inside, nothing is fetched."""

from typing import Any

import jinja2
import plotly.io
from plotly.offline import get_plotlyjs

from simulator.analysis.compare import Comparison
from simulator.report import figures
from simulator.report.words import MARKS, difference_text, headline, limit_text, rows_shown, value_text, verdict_text
from simulator.trace.folder import Run
from simulator.trace.schema import Kind

# How many mean steps a timeline shows.
_STEPS_SHOWN = 3


def comparison_html(comparison: Comparison) -> str:
    """Return the document.  Names and notes come from files and are escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("simulator.report", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    runs = (comparison.first, comparison.second)
    template = environment.get_template("report.html.j2")
    return template.render(
        comparison=comparison,
        runs=[{"run": run, "name": figures.side_name(run, i, runs)} for i, run in enumerate(runs)],
        headline=headline(comparison),
        verdict=verdict_text(comparison),
        rows=[
            {
                "name": row.name,
                "first": value_text(row.name, row.first),
                "second": value_text(row.name, row.second),
                "difference": difference_text(row),
                "limit": limit_text(row.name, row.limit),
                "verdict": row.verdict.value,
                "mark": MARKS[row.verdict],
                "judged": row.limit is not None,
            }
            for row in rows_shown(comparison)
        ],
        placement=comparison.results[0]["placement"],
        sections=_sections(comparison),
        plotlyjs=get_plotlyjs(),
    )


def _sections(comparison: Comparison) -> list[dict[str, Any]]:
    runs = (comparison.first, comparison.second)
    mean = comparison.results[0]["step_time_s"]["mean"]
    length = round(_STEPS_SHOWN * mean * 1e9)
    sections = []
    for side, run in enumerate(runs):
        sections.append(
            _section(
                f"Timeline, {figures.side_name(run, side, runs)}",
                _timeline_caption(run),
                figures.timeline_figure(run, length),
            )
        )
    sections.append(
        _section(
            "Where a step's time goes",
            "The mean step of a worker; every moment counts for one phase, and wait is what is left: dispatch,"
            " messages under way, a busy channel or thread.",
            figures.phases_figure(runs, comparison.results),
        )
    )
    sections.append(
        _section(
            "Staleness",
            "How many other gradients had changed a variable between the moment a worker read it and the moment"
            " its own gradient was applied. Bars of one height side by side mean that the prediction is right.",
            figures.staleness_figure(runs, comparison.results),
        )
    )
    if all(run.table("steps").num_rows for run in runs):
        sections.append(
            _section(
                "Step times",
                "For each duration, the share of steps that took at most so long. The closer the lines, the better.",
                figures.step_time_figure(runs),
            )
        )
        sections.append(
            _section(
                "Progress",
                "Global step over time; the slope is the throughput.",
                figures.progress_figure(runs),
            )
        )
    return sections


def _timeline_caption(run: Run) -> str:
    text = (
        "A few steps of every ps and worker. A worker pulls variables, computes forward and backward, and pushes"
        " gradients; a ps answers reads and applies. Where a row is empty, the task waits."
    )
    if run.info.kind is Kind.REAL:
        text += " Only every few steps of a real run are traced, so that some steps have no bars."
    return text


def _section(title: str, caption: str, figure: Any) -> dict[str, Any]:
    html = None
    if figure is not None:
        html = plotly.io.to_html(figure, config=figures.config(), include_plotlyjs=False, full_html=False)
    return {"title": title, "caption": caption, "html": html}
