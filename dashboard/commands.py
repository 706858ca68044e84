"""``paramscope dashboard``: serve run folders to a browser on this machine."""

from pathlib import Path

import click

DEFAULT_PORT = 8050


@click.command("dashboard", short_help="Show runs in the browser.")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path("runs"))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="TCP port; 0 takes any free one.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; the default is reached from this machine only.",
)
def command(folder: Path, port: int, host: str) -> None:
    """Show the runs in DIR (default: runs) in the browser.

    DIR holds run folders as simulate and realrun --out write them, up to three levels deep, or is one itself.
    """
    from dashboard.serving import listen, serve
    from dashboard.store import RunStore

    store = RunStore(folder)
    with listen(host, port) as listener:
        serve(store, listener, host)
