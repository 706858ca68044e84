"""A comparison as Markdown, for a pull request or ``$GITHUB_STEP_SUMMARY``."""

from simulator.analysis.compare import Comparison
from simulator.report.words import MARKS, difference_text, headline, limit_text, rows_shown, value_text, verdict_text

_SPECIAL = "\\`*_{}[]<>#|!~&"


def escaped(text: str) -> str:
    """Return *text* so that Markdown (and HTML inside it) shows it as it stands, on one line."""
    one_line = " ".join(text.split())
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in one_line)


def comparison_markdown(comparison: Comparison) -> str:
    """Return the whole document."""
    kinds = [run.info.kind.value for run in (comparison.first, comparison.second)]
    lines = [
        f"## {escaped(comparison.first.info.scenario)}: {kinds[0]} and {kinds[1]}",
        "",
        f"**{escaped(verdict_text(comparison))}** {escaped(headline(comparison))}",
        "",
        f"| metric | {kinds[0]} | {kinds[1]} | difference | budget | verdict |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for row in rows_shown(comparison):
        cells = (
            row.name,
            value_text(row.name, row.first),
            value_text(row.name, row.second),
            difference_text(row),
            limit_text(row.name, row.limit),
            MARKS[row.verdict],
        )
        lines.append("| " + " | ".join(escaped(cell) for cell in cells) + " |")
    for title, items in (("Notes", comparison.notes), ("Differences between the scenarios", comparison.differences)):
        if items:
            lines += ["", f"### {title}", "", *(f"- {escaped(item)}" for item in items)]
    return "\n".join(lines) + "\n"
