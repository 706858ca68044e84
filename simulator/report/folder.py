"""The report folder: comparison.json, comparison.md, junit.xml and report.html."""

import json
import os
from pathlib import Path

from simulator.analysis.compare import Comparison
from simulator.errors import InvalidInputError
from simulator.report.html import comparison_html
from simulator.report.junit import comparison_junit
from simulator.report.markdown import comparison_markdown
from simulator.scenario.document import write_text

FILES = ("comparison.json", "comparison.md", "junit.xml", "report.html")


def check_report_folder(path: Path) -> None:
    """Raise InvalidInputError when no report can go to *path*: it holds something else, or cannot be written."""
    try:
        existing = path
        while not os.path.lexists(existing):
            existing = existing.parent
        if not existing.is_dir():
            raise InvalidInputError(f"{existing}: is not a folder; give a folder for --report")
        if not os.access(existing, os.W_OK | os.X_OK):
            raise InvalidInputError(f"{existing}: cannot be written; give another folder for --report")
        found = sorted(path.iterdir()) if existing == path else []
        foreign = [p.name for p in found if not _is_ours(p)]
    except OSError as error:
        raise _unwritable(path, error) from None
    if foreign:
        raise InvalidInputError(
            f"{path}: holds something else than a report ({', '.join(foreign[:3])});"
            " give an empty or new folder for --report"
        )


def write_report(path: Path, comparison: Comparison) -> None:
    """Write the four files to *path*, each in one atomic step."""
    texts = {
        "comparison.json": comparison_json(comparison),
        "comparison.md": comparison_markdown(comparison),
        "junit.xml": comparison_junit(comparison),
        "report.html": comparison_html(comparison),
    }
    try:
        path.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_text(path / name, text)
    except OSError as error:
        raise _unwritable(path, error) from None


def comparison_json(comparison: Comparison) -> str:
    """Return comparison.json; not-a-number never appears in it."""
    return json.dumps(comparison.as_json(), indent=1, allow_nan=False) + "\n"


def _is_ours(path: Path) -> bool:
    # A leftover of a write that was killed: ".report.html.<pid>.part".
    part = path.name.startswith(tuple(f".{name}." for name in FILES)) and path.name.endswith(".part")
    return (path.name in FILES or part) and path.is_file() and not path.is_symlink()


def _unwritable(path: Path, error: OSError) -> InvalidInputError:
    return InvalidInputError(f"{path}: cannot be written: {error.strerror}; give another folder for --report")
