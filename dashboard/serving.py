"""The listening socket and the WSGI server on it."""

import logging
import socket
from ipaddress import ip_address

import click

from dashboard.store import RunStore
from simulator.errors import InvalidInputError

BACKLOG = 128
THREADS = 8
# Names by which a browser on this machine may ask; any other Host header is a page of somebody else that
# had its own name resolve to the loopback ("DNS rebinding") in order to read the runs.
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on *host* and *port* (0: any free one); raise InvalidInputError."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise InvalidInputError(f"--host {host}: no such address; leave it out to use 127.0.0.1") from None
    listener = socket.socket(family, kind, proto)
    try:
        # Lets a dashboard start again at once; two listeners on one port stay refused.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise InvalidInputError(
            f"cannot listen on {host}:{port}: {error.strerror}; give another port with --port (0: any free one)"
        ) from None
    return listener


def serve(store: RunStore, listener: socket.socket, host: str) -> None:
    """Serve *store* on *listener* until Ctrl-C."""
    from waitress.server import create_server

    from dashboard.app import create_app

    loopback = is_loopback(listener.getsockname()[0])
    names = (*LOOPBACK_NAMES, *((host,) if host not in ("::1", *LOOPBACK_NAMES) else ()))
    app = create_app(store, trusted_hosts=names if loopback else None)
    # A page asks for more files at once than there are threads; that is no news.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = create_server(app.server, sockets=[listener], threads=THREADS, ident=None)
    shown = f"[{host}]" if ":" in host else host
    port = listener.getsockname()[1]
    warning = "" if loopback else " - readable by everybody who reaches this address"
    click.echo(f"dashboard of {store.root}: http://{shown}:{port}/ (Ctrl-C ends it){warning}", err=True)
    server.run()


def is_loopback(address: str) -> bool:
    """Tell whether only this machine reaches *address*."""
    return ip_address(address.partition("%")[0]).is_loopback
