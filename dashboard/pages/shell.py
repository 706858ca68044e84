"""What is around every page: heading, light and dark, and which page an address means."""

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Input, Output, dcc, html

from dashboard import ids
from dashboard.pages import run, runs
from dashboard.pages.parts import problem
from dashboard.store import RunStore


def layout() -> Any:
    """Return the frame; the page itself follows the address."""
    return dmc.MantineProvider(
        [
            dcc.Location(id=ids.LOCATION, refresh="callback-nav"),
            dcc.Store(id=ids.SCHEME),  # "light" or "dark", as the page is now
            dmc.Container(
                [
                    html.Header(
                        dmc.Group(
                            [
                                dmc.Anchor("paramscope", href=ids.RUNS_PATH, fw=800, size="xl", underline="never"),
                                dmc.Group(
                                    [
                                        dmc.Anchor("All runs", href=ids.RUNS_PATH),
                                        dmc.ColorSchemeToggle(
                                            id=ids.SCHEME_TOGGLE,
                                            lightIcon="☀",
                                            darkIcon="☾",
                                            variant="default",
                                            size="lg",
                                            **{"aria-label": "switch between light and dark"},
                                        ),
                                    ]
                                ),
                            ],
                            justify="space-between",
                            py="sm",
                        )
                    ),
                    html.Main(id=ids.PAGE),
                ],
                size=1500,
                px={"base": "xs", "sm": "md"},
                pb="xl",
            ),
        ],
        defaultColorScheme="auto",
    )


def page(store: RunStore, path: str | None, query: str | None) -> Any:
    """Return the page at *path*."""
    if path in (None, "", ids.RUNS_PATH):
        return runs.layout(store)
    id_ = ids.run_of(path or "")
    if id_ is None:
        return problem("There is no such page", "Choose a run from the list of all runs.")
    return run.layout(store, id_, ids.versus_of(query))


def register(app: Any, store: RunStore) -> None:
    """Add the callback that changes pages to *app*."""

    def show(path: str | None, query: str | None) -> Any:
        return page(store, path, query)

    app.clientside_callback(
        ClientsideFunction("paramscope", "scheme"), Output(ids.SCHEME, "data"), Input(ids.LOCATION, "pathname")
    )
    app.callback(Output(ids.PAGE, "children"), Input(ids.LOCATION, "pathname"), Input(ids.LOCATION, "search"))(show)
