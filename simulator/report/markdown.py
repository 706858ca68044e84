"""A comparison as Markdown, for a pull request or ``$GITHUB_STEP_SUMMARY``."""

from simulator.analysis.budget import Row
from simulator.analysis.compare import Comparison
from simulator.report.words import (
    MARKS,
    column_titles,
    difference_text,
    headline,
    judged_rows,
    limit_text,
    one_line,
    other_rows,
    title,
    value_text,
    verdict_text,
)

_SPECIAL = "\\`*_{}[]<>#|!~&@"


def escaped(text: str) -> str:
    """Return *text* so that Markdown (and HTML inside it) shows it as it stands, on one line."""
    words = " ".join(one_line(text).split())
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in words)


def comparison_markdown(comparison: Comparison) -> str:
    """Return the whole document: verdict, judged metrics, notes; all other numbers folded away."""
    judged, others = judged_rows(comparison), other_rows(comparison, tasks=True)
    lines = [f"## {escaped(title(comparison))}", "", f"**{escaped(verdict_text(comparison))}**", ""]
    lines += [escaped(headline(comparison)), "", escaped(f"{comparison.intervals}."), ""]
    lines += [f"> **{escaped(warning)}**\n" for warning in comparison.warnings]
    if judged:
        lines += _table(comparison, judged)
    for name, items in (("Notes", comparison.notes), ("Differences between the scenarios", comparison.differences)):
        if items:
            lines += [f"### {name}", "", *(f"- {escaped(item)}" for item in items), ""]
    lines += ["<details><summary>All other numbers</summary>", "", *_table(comparison, others), "</details>"]
    return "\n".join(lines) + "\n"


def _table(comparison: Comparison, rows: list[Row]) -> list[str]:
    first, second = column_titles(comparison)
    lines = [
        f"| metric | {first} | {second} | difference | budget | verdict |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows:
        cells = (
            row.name,
            value_text(row.name, row.first),
            value_text(row.name, row.second),
            difference_text(row),
            limit_text(row.name, row.limit),
            MARKS[row.verdict],
        )
        lines.append("| " + " | ".join(escaped(cell) for cell in cells) + " |")
    return [*lines, ""]
