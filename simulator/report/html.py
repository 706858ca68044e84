"""A comparison as one HTML file that needs nothing else: plotly.js is inside, nothing is fetched."""

from typing import Any

import jinja2
import plotly.graph_objects as go
import plotly.io
from plotly.offline import get_plotlyjs

from simulator.analysis.budget import Row
from simulator.analysis.compare import Comparison, has_steps, run_names
from simulator.report import figures
from simulator.report.meanings import meaning
from simulator.report.timeline import timeline_figures
from simulator.report.words import (
    MARKS,
    column_titles,
    difference_text,
    headline,
    judged_rows,
    limit_text,
    other_rows,
    printable,
    title,
    value_text,
    verdict_text,
)
from simulator.trace.folder import Run
from simulator.trace.schema import Kind

# How many mean steps a timeline shows.
_STEPS_SHOWN = 3
# In s; a mean beyond it is from a run.json that somebody edited, and its timeline would leave the range of times.
_LONGEST_STEP = 86_400.0
_USES = ("compute", "cpu", "apply", "nic_out", "nic_in", "bytes_out", "bytes_in")
_FIRST_TIMELINE = (
    "A few steps in the middle of the run, every ps and worker. A worker pulls variables, computes forward and"
    " backward, and pushes gradients; a ps answers reads and applies. Where a row is empty, the task waits."
)
_TRACED = (
    " A real run traces only some steps, and traced ones are a little slower: the window begins at one, and steps"
    " that were not traced have no bars."
)


def comparison_html(comparison: Comparison) -> str:
    """Return the document.  Names and notes come from files and are escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("simulator.report", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    template = environment.get_template("report.html.j2")
    placed = _placement(comparison)
    text = template.render(
        title=title(comparison),
        description=comparison.first.scenario.description,
        verdict=verdict_text(comparison),
        verdict_class=comparison.verdict.value,
        headline=headline(comparison),
        intervals=comparison.intervals,
        warnings=comparison.warnings,
        notes=comparison.notes,
        differences=comparison.differences,
        columns=column_titles(comparison),
        judged=[_cells(row) for row in judged_rows(comparison)],
        others=[_cells(row) for row in other_rows(comparison, tasks=False)],
        sections=_sections(comparison),
        placement=placed,
        moved=[name for name, *homes in placed if len(set(homes)) > 1],
        uses=_USES,
        tasks=_tasks(comparison),
        runs=[_about(*pair) for pair in zip(comparison.runs, column_titles(comparison), strict=True)],
        plotlyjs=get_plotlyjs(),
    )
    return printable(text)


def _cells(row: Row) -> dict[str, str]:
    return {
        "name": row.name,
        "meaning": meaning(row.name),
        "first": value_text(row.name, row.first),
        "second": value_text(row.name, row.second),
        "difference": row.reason or difference_text(row),
        "limit": limit_text(row.name, row.limit),
        "verdict": row.verdict.value,
        "mark": MARKS[row.verdict],
    }


def _placement(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return variable, its ps in the first run, its ps in the second."""
    first, second = (document["placement"] for document in comparison.results)
    names = dict.fromkeys([*first, *second])
    return [(name, str(first.get(name, "-")), str(second.get(name, "-"))) for name in names]


def _tasks(comparison: Comparison) -> list[tuple[str, list[str]]]:
    """Return each task with its use of every resource, both runs in one cell."""
    first, second = (document["tasks"] for document in comparison.results)
    rows = []
    for task in dict.fromkeys([*first, *second]):
        cells = []
        for use in _USES:
            texts = [value_text(f"tasks.{task}.{use}", side.get(task, {}).get(use)) for side in (first, second)]
            cells.append(" | ".join(texts))
        rows.append((task, cells))
    return rows


def _about(run: Run, name: str) -> dict[str, Any]:
    info = run.info
    return {
        "name": name,
        "folder": str(run.folder or run.name),
        "kind": info.kind.value,
        "scenario": info.scenario,
        "complete": info.complete,
        "replications": info.replications,
        "seed": info.seed,
    }


def _sections(comparison: Comparison) -> list[dict[str, str]]:
    runs = comparison.runs
    sections = []
    if has_steps(runs[0]) and has_steps(runs[1]):
        sections += [
            _section(
                "Throughput",
                "Global step over time (first replication). The slope is the throughput: lines that lie on each other"
                " mean that the prediction is right; a bend is a change of pace.",
                figures.progress_figure(runs),
            ),
            _section(
                "Step times",
                "For each duration, the share of steps that took at most so long: the closer the lines, the better;"
                " a steeper line means steadier steps. The slowest 1 % may lie beyond the right edge.",
                figures.step_time_figure(runs),
            ),
        ]
    if any(document["staleness"]["histogram"] for document in comparison.results):
        sections.append(
            _section(
                "Staleness",
                "How many updates others had applied to a variable between the moment a worker read it and the moment"
                " its own gradient was applied. Two bars of one height side by side: the prediction is right.",
                figures.staleness_figure(runs, comparison.results),
            )
        )
    if any(document["phases_s"] for document in comparison.results):
        sections.append(
            _section(
                "Where a step's time goes",
                "The mean step of a worker. Each moment counts for one phase; wait is what is left: dispatch, messages"
                " under way, a busy channel or thread. Look for the phase whose bars differ in length. Of a real run,"
                " these are the traced steps, which tracing makes longer than those the other numbers are of.",
                figures.phases_figure(runs, comparison.results),
            )
        )
    return sections + _timelines(comparison)


def _timelines(comparison: Comparison) -> list[dict[str, str]]:
    """Return both timelines, one above the other, on the same length of time."""
    mean = min(comparison.results[0]["step_time_s"].get("mean") or 0.1, _LONGEST_STEP)
    drawn = timeline_figures(comparison.runs, max(1, round(_STEPS_SHOWN * mean * 1e9)))
    names = run_names(comparison.first, comparison.second)
    captions = [_FIRST_TIMELINE if drawn[0] or not drawn[1] else "", "" if drawn[0] else _FIRST_TIMELINE]
    captions[1] = captions[1] or "The same length of time: compare the order and the width of the bars."
    return [
        _section(
            f"Timeline: {name}",
            caption + (_TRACED if run.info.kind is Kind.REAL else "")
            if figure is not None
            else f"No timeline: {name} kept no spans; write it with --trace full.",
            figure,
        )
        for run, name, figure, caption in zip(comparison.runs, names, drawn, captions, strict=True)
    ]


def _section(heading: str, caption: str, figure: go.Figure | None) -> dict[str, str]:
    name = "-".join("".join(c if c.isalnum() else " " for c in heading.lower()).split())
    html = ""
    if figure is not None:
        html = plotly.io.to_html(
            figure, config=figures.config(), include_plotlyjs=False, full_html=False, div_id=f"figure-{name}"
        )
    return {"title": heading, "id": name, "caption": caption, "html": html}
