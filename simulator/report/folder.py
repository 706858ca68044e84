"""The report folder: comparison.json, comparison.md, junit.xml and report.html."""

import json
from pathlib import Path

from simulator.analysis.compare import Comparison
from simulator.errors import InvalidInputError
from simulator.report.html import comparison_html
from simulator.report.junit import comparison_junit
from simulator.report.markdown import comparison_markdown
from simulator.scenario.document import write_text

FILES = ("comparison.json", "comparison.md", "junit.xml", "report.html")


def check_report_folder(path: Path) -> None:
    """Make *path* a folder for a report; raise InvalidInputError when it holds something else."""
    try:
        if path.exists() and not path.is_dir():
            raise InvalidInputError(f"{path}: is a file; give a folder for --report")
        path.mkdir(parents=True, exist_ok=True)
        foreign = [p.name for p in sorted(path.iterdir()) if p.name not in FILES and not p.name.endswith(".part")]
    except OSError as error:
        raise InvalidInputError(
            f"{path}: cannot be written: {error.strerror}; give another folder for --report"
        ) from None
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
        "junit.xml": comparison_junit(comparison).decode(),
        "report.html": comparison_html(comparison),
    }
    try:
        for name, text in texts.items():
            write_text(path / name, text)
    except OSError as error:
        raise InvalidInputError(
            f"{path}: cannot be written: {error.strerror}; give another folder for --report"
        ) from None


def comparison_json(comparison: Comparison) -> str:
    """Return comparison.json; not-a-number never appears in it."""
    return json.dumps(comparison.as_json(), indent=1, allow_nan=False, ensure_ascii=False) + "\n"
