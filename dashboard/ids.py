"""Ids of everything that a callback reads or writes, and the addresses of the pages."""

from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode

from dash import ALL

LOCATION = "location"
PAGE = "page"
SCHEME = "scheme"  # assets/scheme.js knows it as well
SCHEME_TOGGLE = "scheme-toggle"

RUNS_CHOSEN = "runs-chosen"
RUNS_OPEN = "runs-open"

RUN_PICKER = "run-picker"
MOMENT_BACK = "moment-back"
MOMENT_ON = "moment-on"

# Parts of the run page that are there once for each run, or not at all: see part() and every().
PAIR = "pair"
MOMENT = "moment"
TIMELINE = "timeline"
TIMELINE_CAPTION = "timeline-caption"
SHARES = "shares"
STALENESS = "staleness"
PHASES = "phases"

RUNS_PATH = "/"
RUN_PREFIX = "/run/"


def part(name: str, which: int | str = 0) -> dict[str, Any]:
    """Return the id of a part of the run page."""
    return {"part": name, "which": which}


def every(name: str) -> dict[str, Any]:
    """Return what stands for all parts *name* on the page, none included."""
    return {"part": name, "which": ALL}


def run_path(run: str, versus: str | None = None) -> str:
    """Return the address of the page of *run*, next to *versus* when given."""
    return RUN_PREFIX + quote(run) + versus_query(versus)


def versus_query(versus: str | None) -> str:
    """Return the query part of a run's address."""
    return "?" + urlencode({"vs": versus}) if versus else ""


def run_of(path: str) -> str | None:
    """Return the run that *path* names; None when it is no address of a run."""
    return unquote(path[len(RUN_PREFIX) :]).rstrip("/") if path.startswith(RUN_PREFIX) else None


def versus_of(query: str | None) -> str | None:
    """Return the run that the query part names as the second one."""
    return parse_qs((query or "").lstrip("?")).get("vs", [None])[-1]
