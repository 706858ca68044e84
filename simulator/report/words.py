"""Numbers and verdicts of a comparison as people read them; one place for text, Markdown and HTML."""

from simulator.analysis.compare import Comparison, Row, Verdict
from simulator.scenario.budget import Limit

MARKS = {
    Verdict.PASS: "✓ pass",
    Verdict.FAIL: "✗ fail",
    Verdict.WARN: "! warn",
    Verdict.INFO: "",
    Verdict.MISSING: "? missing",
}
_SECONDS = ("step_time_s.", "phases_s.")
_SHARES = ("nic_out", "nic_in", "apply", "compute", "cpu", "utilization")


def value_text(name: str, value: float | None) -> str:
    """Return a metric's *value* with its unit: seconds as ms, shares as %, counts as they are."""
    if value is None:
        return "-"
    if name.endswith((".ks", ".total_variation")):
        return f"{value:.3f}"
    if name.startswith(_SECONDS):
        return f"{value * 1e3:.4g} ms"
    if name.rpartition(".")[2] in _SHARES:
        return f"{value:.1%}"
    if name.endswith(("bytes_out", "bytes_in")):
        return f"{value / 2**20:,.1f} MiB"
    return f"{value:.4g}"


def difference_text(row: Row) -> str:
    """Return the difference with its sign, and as a share of the first value."""
    if row.difference is None:
        return "-"
    if row.first is None:
        return value_text(row.name, row.difference)
    sign = "+" if row.difference >= 0 else "-"
    text = sign + value_text(row.name, abs(row.difference))
    if text.endswith("%"):
        return text.replace("%", " points")  # of a share, a share would only confuse
    return text if row.relative is None else f"{text} ({row.relative:+.1%})"


def limit_text(name: str, limit: Limit | None) -> str:
    """Return what the budget allows."""
    if limit is None:
        return ""
    parts = []
    if limit.relative is not None:
        parts.append(f"{limit.relative * 100:g} %")
    if limit.absolute is not None:
        parts.append(value_text(name, limit.absolute))
    return "± " + " or ".join(parts)


def rows_shown(comparison: Comparison, *, tasks: bool = True) -> list[Row]:
    """Return the rows that a reader wants: judged ones first, then those measured by either run.

    Args:
        comparison: where they come from.
        tasks: with the use of every task, which is many rows.
    """
    judged = [row for row in comparison.rows if row.limit is not None]
    others = [
        row
        for row in comparison.rows
        if row.limit is None
        and not (row.first is None and row.second is None and row.difference is None)
        and (tasks or not row.name.startswith("tasks."))
    ]
    return judged + others


def headline(comparison: Comparison) -> str:
    """Return the comparison in a sentence or two."""
    kinds = [run.info.kind.value for run in (comparison.first, comparison.second)]
    rate, stale = comparison.row("throughput.steps_per_s"), comparison.row("staleness.mean")
    names = (
        ["the real run", "the simulation"] if kinds == ["real", "simulated"] else ["the first run", "the second run"]
    )
    text = f"{names[0].capitalize()} made {value_text(rate.name, rate.first)} steps/s"
    text += f", {names[1]} {value_text(rate.name, rate.second)}"
    if rate.relative is not None:
        text += f" ({rate.relative:+.1%})"
    if stale.first is not None and stale.second is not None:
        text += f"; mean staleness was {stale.first:.2f} and {stale.second:.2f} updates"
    return text + "."


def verdict_text(comparison: Comparison) -> str:
    """Return what the budget says, in a sentence."""
    judged = [row for row in comparison.rows if row.limit is not None]
    if comparison.verdict is Verdict.INFO:
        return "No budget was given, so nothing is judged."
    failed = [row.name for row in judged if row.gates]
    warned = [row.name for row in judged if row.verdict is not Verdict.PASS and not row.gates]
    text = f"FAIL: beyond the budget: {', '.join(failed)}." if failed else "PASS: within the budget."
    return text + (f" Warnings: {', '.join(warned)}." if warned else "")
