"""Puts the dashboard together."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import dash
import dash_mantine_components as dmc

from dashboard.pages import drawing, runs, shell
from dashboard.store import RunStore

INDEX = """<!DOCTYPE html>
<html lang="en">
    <head>
        {%metas%}
        <title>{%title%}</title>
        {%favicon%}
        {%css%}
    </head>
    <body>
        {%app_entry%}
        <footer>
            {%config%}
            {%scripts%}
            {%renderer%}
        </footer>
    </body>
</html>
"""


def create_app(store: RunStore, *, trusted_hosts: Sequence[str] | None = None) -> Any:
    """Return the Dash app that shows the runs of *store*.

    Args:
        store: where the runs are.
        trusted_hosts: names in a request's Host header that are answered; None: any.
    """
    dmc.add_figure_templates()
    app = dash.Dash(
        __name__,
        title="paramscope",
        update_title=None,
        assets_folder=str(Path(__file__).parent / "assets"),
        index_string=INDEX,
        compress=True,
        serve_locally=True,
        suppress_callback_exceptions=True,  # pages come and go; their parts are not there at first
    )
    app.server.config["TRUSTED_HOSTS"] = list(trusted_hosts) if trusted_hosts else None
    app.layout = shell.layout()
    shell.register(app, store)
    runs.register(app)
    drawing.register(app, store)
    return app
