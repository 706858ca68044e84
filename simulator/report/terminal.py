"""A comparison in a terminal."""

import io
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simulator.analysis.budget import Row, Verdict
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

_STYLES = {Verdict.PASS: "green", Verdict.FAIL: "bold red", Verdict.WARN: "yellow", Verdict.MISSING: "bold red"}


def print_comparison(comparison: Comparison) -> None:
    """Print verdict, headline and table to standard output (plain when that is no terminal)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal without ± shows ? instead of ending here
    rows = [*judged_rows(comparison), *other_rows(comparison, tasks=False)]
    console = Console(highlight=False, emoji=False, markup=False)
    table = _table(comparison, rows)
    if not sys.stdout.isatty():
        # A log or a file has no width: nothing is cut or folded there.
        console = Console(width=_natural_width(table), highlight=False, emoji=False, markup=False)
    elif _natural_width(table) > console.width:
        table = _table(comparison, rows, short=True)
    wrap = sys.stdout.isatty()
    console.print(Text(one_line(title(comparison)), style="bold"), soft_wrap=not wrap)
    console.print(Text(verdict_text(comparison), style=_STYLES.get(comparison.verdict, "")), soft_wrap=not wrap)
    console.print(Text(one_line(headline(comparison))), soft_wrap=not wrap)
    console.print(Text(comparison.intervals + "."), soft_wrap=not wrap)
    console.print()
    console.print(table)
    console.print(Text("The use of every task is in --json and in the report.", style="dim"), soft_wrap=not wrap)


def _natural_width(table: Table) -> int:
    return Console(width=10_000).measure(table).maximum


def _table(comparison: Comparison, rows: list[Row], *, short: bool = False) -> Table:
    """Return the table; *short* for narrow terminals, where names fold and differences are shares alone."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric", overflow="fold", min_width=20)
    for name in (*column_titles(comparison), "difference", "budget"):
        table.add_column(name, justify="right", no_wrap=True, overflow="fold")
    table.add_column("verdict", no_wrap=True, overflow="fold")
    for row in rows:
        table.add_row(
            Text(row.name),
            value_text(row.name, row.first),
            value_text(row.name, row.second),
            difference_text(row, short=short),
            limit_text(row.name, row.limit),
            Text(MARKS[row.verdict], style=_STYLES.get(row.verdict, "")),
        )
    return table
