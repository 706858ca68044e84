"""The list of runs."""

import time
from typing import Any

import dash_mantine_components as dmc
from dash import Input, Output, html

from dashboard import ids
from dashboard.frames import RunRow, run_row
from dashboard.pages.parts import glossary, kind_badge
from dashboard.pages.sentences import age, number
from dashboard.store import Entry, RunStore
from simulator.errors import ParamscopeError
from simulator.trace.schema import Kind

HEAD = ("", "Run", "Kind", "Scenario", "ps × workers", "Mode", "Steps/s", "Mean staleness", "Complete", "Age")
CHOOSE = "Choose one run, or two to compare"


def layout(store: RunStore) -> Any:
    """Return the page: all runs of *store*, newest first, or how to make the first one."""
    entries = store.entries()
    if not entries:
        return _empty(store)
    now = time.time()
    table = dmc.Table(
        [
            dmc.TableThead(dmc.TableTr([dmc.TableTh(name) for name in HEAD])),
            dmc.TableTbody([_line(entry, now) for entry in entries]),
        ],
        highlightOnHover=True,
        tabularNums=True,
        verticalSpacing="xs",
    )
    return dmc.Stack(
        [
            dmc.Title("Runs", order=1, size="h2"),
            dmc.Text(
                f"{len(entries)} run{'s' if len(entries) != 1 else ''} in {store.root}, newest first. Open one, or tick"
                " two - a simulated and a real one, say - to see them side by side."
            ),
            dmc.Group(dmc.Anchor(CHOOSE, id=ids.RUNS_OPEN, href=ids.RUNS_PATH, className="action off")),
            dmc.CheckboxGroup(
                dmc.TableScrollContainer(table, minWidth=900, type="native"), id=ids.RUNS_CHOSEN, value=[]
            ),
            glossary(),
        ]
    )


def register(app: Any) -> None:
    """Add the page's callback to *app*."""
    app.callback(
        Output(ids.RUNS_OPEN, "href"),
        Output(ids.RUNS_OPEN, "children"),
        Output(ids.RUNS_OPEN, "className"),
        Input(ids.RUNS_CHOSEN, "value"),
    )(open_link)


def open_link(chosen: list[str] | None) -> tuple[str, str, str]:
    """Return address, text and class of the link that opens the *chosen* runs: the first two count."""
    if not chosen:
        return ids.RUNS_PATH, CHOOSE, "action off"
    if len(chosen) == 1:
        return ids.run_path(chosen[0]), f"Open {chosen[0]}", "action"
    text = f"Compare {chosen[0]} with {chosen[1]}"
    if len(chosen) > 2:
        text += " (the first two ticked)"
    return ids.run_path(chosen[0], chosen[1]), text, "action"


def _line(entry: Entry, now: float) -> Any:
    if entry.run is None:
        return _broken(entry, entry.error or "")
    try:
        row = run_row(entry.run)
    except ParamscopeError as error:
        return _broken(entry, str(error))
    return dmc.TableTr([dmc.TableTd(cell) for cell in _cells(entry, row, now)])


def _cells(entry: Entry, row: RunRow, now: float) -> list[Any]:
    return [
        dmc.Checkbox(value=entry.id, **{"aria-label": f"choose {entry.id}"}),
        dmc.Anchor(entry.id, href=ids.run_path(entry.id), className="run-name"),
        kind_badge(Kind(row.kind)),
        row.scenario,
        f"{row.ps} × {row.workers}",
        row.mode,
        "-" if row.steps_per_s is None else number(row.steps_per_s),
        "-" if row.staleness_mean is None else number(row.staleness_mean),
        "yes" if row.complete else html.Strong("no"),
        age(now - entry.changed),
    ]


def _broken(entry: Entry, error: str) -> Any:
    return dmc.TableTr(
        [
            dmc.TableTd(""),
            dmc.TableTd(entry.id),
            dmc.TableTd([html.Strong("cannot be read: "), error], tableProps={"colSpan": len(HEAD) - 2}),
        ]
    )


def _empty(store: RunStore) -> Any:
    return dmc.Stack(
        [
            dmc.Title("No run yet", order=1, size="h2"),
            dmc.Text(f"There is no run in {store.root}. Make one, then load this page again:"),
            dmc.Code(
                f"paramscope simulate scenarios/classic-2ps-2workers.yaml --out {store.root / 'first'}", block=True
            ),
            dmc.Text("To compare it with TensorFlow itself on this machine:"),
            dmc.Code(f"paramscope realrun scenarios/classic-2ps-2workers.yaml --out {store.root / 'real'}", block=True),
            glossary(),
        ]
    )
