"""Numbers and verdicts of a comparison as people read them; one place for text, Markdown and HTML."""

from simulator.analysis.budget import Row, Verdict
from simulator.analysis.compare import Comparison, run_names
from simulator.scenario.budget import Limit
from simulator.trace.schema import Kind
from simulator.units import MIB

MARKS = {
    Verdict.PASS: "✓ pass",
    Verdict.FAIL: "✗ fail",
    Verdict.WARN: "! warn",
    Verdict.INFO: "",
    Verdict.MISSING: "? missing",
}
_SECONDS = ("step_time_s.", "phases_s.")
_SHARES = ("nic_out", "nic_in", "apply", "compute", "cpu", "utilization")


def printable(text: object) -> str:
    """Return *text* without what UTF-8 cannot hold (a folder's name may be any bytes)."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def one_line(text: object) -> str:
    """Return *text* with a blank for whatever ends a line, moves a cursor or turns the direction of reading.

    Names and notes come from files: on a line of their own they could be commands to a terminal or a CI.
    """
    return "".join(c if c.isprintable() else " " for c in printable(text))


def value_text(name: str, value: float | None) -> str:
    """Return a metric's *value* with its unit: seconds as ms, shares as %, counts as they are."""
    if value is None:
        return "-"
    if name.endswith((".ks", ".total_variation")):
        return f"{value:.3f}"
    if name.startswith(_SECONDS):
        return f"{value * 1e3:.4g} ms"
    if name.startswith(("tasks.", "bottleneck.")) and name.rpartition(".")[2] in _SHARES:
        return f"{value:.1%}"
    if name.endswith(("bytes_out", "bytes_in")):
        return f"{value / MIB:,.1f} MiB"
    return f"{value:.4g}"


def difference_text(row: Row, *, short: bool = False) -> str:
    """Return the difference with its sign, and as a share of the first value; *short*: in the limit's terms alone."""
    if row.difference is None:
        return "-"
    if row.first is None:
        return value_text(row.name, row.difference)
    sign = "-" if row.difference < 0 else "+" if row.difference > 0 else ""
    text = sign + value_text(row.name, abs(row.difference))
    if text.endswith("%"):
        return text.replace("%", " points")  # of a share, a share would only confuse
    if row.relative is None or not row.difference:
        return text
    if not short:
        return f"{text} ({row.relative:+.1%})"
    absolute = row.limit is not None and row.limit.relative is None
    return text if absolute else f"{row.relative:+.1%}"


def limit_text(name: str, limit: Limit | None) -> str:
    """Return what the budget allows."""
    if limit is None:
        return ""
    parts = []
    if limit.relative is not None:
        parts.append(f"{limit.relative * 100:g} %")
    if limit.absolute is not None:
        parts.append(value_text(name, limit.absolute))
    distance = name.endswith((".ks", ".total_variation"))
    return ("≤ " if distance else "± ") + " or ".join(parts)


def judged_rows(comparison: Comparison) -> list[Row]:
    """Return the rows that the budget names."""
    return [row for row in comparison.rows if row.limit is not None]


def other_rows(comparison: Comparison, *, tasks: bool) -> list[Row]:
    """Return the rows that the budget does not name and either run measured; *tasks*: with the use of every task."""
    return [
        row
        for row in comparison.rows
        if row.limit is None
        and not (row.first is None and row.second is None and row.difference is None)
        and (tasks or not row.name.startswith("tasks."))
    ]


def column_titles(comparison: Comparison) -> tuple[str, str]:
    """Return how columns and legends call the two runs."""
    kinds = [run.info.kind for run in comparison.runs]
    if kinds[0] is kinds[1]:
        return "first", "second"
    return kinds[0].value, kinds[1].value


def title(comparison: Comparison) -> str:
    """Return what is compared."""
    names = list(dict.fromkeys(run.info.scenario for run in comparison.runs))
    kinds = [run.info.kind for run in comparison.runs]
    of = "real and simulated" if set(kinds) == set(Kind) else f"two {kinds[0].value} runs"
    return f"{' and '.join(names)}: {of}"


def headline(comparison: Comparison) -> str:
    """Return throughput, staleness and bottleneck of both runs in a sentence each."""
    names = run_names(comparison.first, comparison.second)
    did, does = ("predicts" if name == "the simulation" else "made" for name in names)
    rate, stale = comparison.row("throughput.steps_per_s"), comparison.row("staleness.mean")
    text = (
        f"{names[1].capitalize()} {does} {value_text(rate.name, rate.second)} steps/s,"
        f" {names[0]} {did} {value_text(rate.name, rate.first)}{_by(rate.relative, 'faster', 'slower')}."
    )
    if stale.first is None or stale.second is None:
        return f"{text} Staleness was not measured by both.{_limits(comparison, names)}"
    return (
        f"{text} Mean staleness is {stale.second:.2f} updates in {names[1]}, {stale.first:.2f} in {names[0]}:"
        " what others applied to a variable between a worker's read of it and its own update."
        + _limits(comparison, names)
    )


def _limits(comparison: Comparison, names: tuple[str, str]) -> str:
    """Return what holds back each run, as a sentence; empty where one of them is not known."""
    a, b = (document["bottleneck"]["resource"] for document in comparison.results)
    used = comparison.row("bottleneck.utilization")
    if used.first is None or used.second is None:
        return ""
    first, second = (value_text(used.name, value) for value in (used.first, used.second))
    if a == b:
        return f" Both are limited by {a}, in use {first} of the time in {names[0]} and {second} in {names[1]}."
    return f" {names[0].capitalize()} is limited by {a} (in use {first} of the time), {names[1]} by {b} ({second})."


def _by(relative: float | None, more: str, less: str) -> str:
    if relative is None:
        return ""
    share = f"{abs(relative):.1%}"
    return ": the same" if share == "0.0%" else f": {share} {more if relative > 0 else less}"


def verdict_text(comparison: Comparison) -> str:
    """Return what the budget says, in a sentence."""
    judged = judged_rows(comparison)
    if comparison.verdict is Verdict.INFO:
        return "No budget was given, so nothing is judged."
    failed = [_named(row) for row in judged if row.fails]
    warned = [_named(row) for row in judged if row.warns]
    text = f"FAIL: beyond the budget: {', '.join(failed)}." if failed else "PASS: within the budget."
    names = run_names(comparison.first, comparison.second)
    text += "".join(
        f" But {name} is incomplete." for name, run in zip(names, comparison.runs, strict=True) if not run.info.complete
    )
    return text + (f" Warnings, which do not fail: {', '.join(warned)}." if warned else "")


def _named(row: Row) -> str:
    if row.verdict is Verdict.MISSING:
        return f"{row.name} ({row.reason})"
    return f"{row.name} ({difference_text(row, short=True)}, allowed {limit_text(row.name, row.limit)})"
