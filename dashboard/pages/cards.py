"""The cards with the key figures of one run or two."""

from typing import Any

import dash_mantine_components as dmc
from dash import html

from dashboard.figures.timeline import short
from dashboard.frames import KeyFigures
from dashboard.pages.sentences import number


def cards(names: list[str], found: list[KeyFigures | None]) -> Any:
    """Return four cards, each with a line per run; *found* is None for a run that measured nothing."""
    made = [
        _card("Throughput", "Steps of all workers together per second.", names, [_throughput(f) for f in found]),
        _card(
            "Time of a step", "Half of the steps are faster than p50, 99% than p99.", names, [_step(f) for f in found]
        ),
        _card("Staleness", "Updates by others between a read and the own update.", names, [_stale(f) for f in found]),
        _card("Held back by", "What limits the run now, and what would help.", names, [_limit(f) for f in found]),
    ]
    return dmc.SimpleGrid(made, cols={"base": 1, "sm": 2, "lg": 4}, spacing="sm")


def _card(title: str, help_text: str, names: list[str], values: list[tuple[str, str]]) -> Any:
    lines = []
    for name, (value, detail) in zip(names, values, strict=True):
        label = [dmc.Text(name, size="sm", fw=600, mt="xs")] if len(names) > 1 else []
        lines += [*label, dmc.Text(value, fz=24, fw=700, lh=1.2), dmc.Text(detail, size="sm")]
    return dmc.Paper(
        [html.H3(title, className="card-title"), dmc.Text(help_text, size="sm", className="help"), *lines],
        withBorder=True,
        p="sm",
    )


def _throughput(found: KeyFigures | None) -> tuple[str, str]:
    if found is None:
        return "-", "nothing was measured"
    interval = "too few steps for a confidence interval"
    if found.ci95:
        interval = f"95% interval {number(found.ci95[0])} to {number(found.ci95[1])}"
    return f"{number(found.steps_per_s)} steps/s", f"{interval}; {number(found.examples_per_s)} examples/s"


def _step(found: KeyFigures | None) -> tuple[str, str]:
    if found is None:
        return "-", "nothing was measured"
    return f"{number(found.step_p50 * 1e3)} ms", f"p50; p99 {number(found.step_p99 * 1e3)} ms"


def _stale(found: KeyFigures | None) -> tuple[str, str]:
    if found is None or found.staleness_mean is None:
        return "-", "no update was measured"
    return f"{number(found.staleness_mean)} updates", f"mean; p99 {found.staleness_p99}"


def _limit(found: KeyFigures | None) -> tuple[str, str]:
    if found is None:
        return "-", "nothing was measured"
    task, _, what = found.limit.partition(" ")
    use = f"Used {found.utilization:.0%} of the time. " if what else ""
    return f"{short(task)} {what.replace('_', ' ')}".strip(), use + found.advice
