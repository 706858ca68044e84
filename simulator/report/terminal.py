"""A comparison in a terminal."""

import os

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulator.analysis.compare import Comparison, Verdict
from simulator.report.words import MARKS, difference_text, headline, limit_text, rows_shown, value_text, verdict_text

_STYLES = {Verdict.PASS: "green", Verdict.FAIL: "bold red", Verdict.WARN: "yellow", Verdict.MISSING: "bold red"}
# Wide enough for every number; a terminal that is narrower wraps cells, never cuts them.
_PLAIN_WIDTH = 120


def print_comparison(comparison: Comparison) -> None:
    """Print the headline, the verdict and the table to standard output (plain when that is no terminal)."""
    width = None if os.isatty(1) else _PLAIN_WIDTH
    console = Console(width=width, highlight=False, emoji=False, markup=False)
    console.print(headline(comparison))
    console.print(Text(verdict_text(comparison), style=_STYLES.get(comparison.verdict, "")))
    kinds = [run.info.kind.value for run in (comparison.first, comparison.second)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric", overflow="fold")
    for title in (kinds[0], kinds[1], "difference", "budget"):
        table.add_column(title, justify="right", overflow="fold")
    table.add_column("", overflow="fold")
    for row in rows_shown(comparison, tasks=False):
        table.add_row(
            Text(row.name),
            value_text(row.name, row.first),
            value_text(row.name, row.second),
            difference_text(row),
            limit_text(row.name, row.limit),
            Text(MARKS[row.verdict], style=_STYLES.get(row.verdict, "")),
        )
    console.print(table)
    console.print("The use of every task is in --json and in the report.", style="dim")
