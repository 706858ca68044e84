"""A comparison as JUnit XML: one test case for each limit of the budget."""

import re
import xml.etree.ElementTree as ET

from simulator.analysis.budget import Row, Verdict
from simulator.analysis.compare import Comparison
from simulator.report.words import column_titles, difference_text, judged_rows, limit_text, printable, value_text

# Characters that XML 1.0 cannot hold at all.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def comparison_junit(comparison: Comparison) -> str:
    """Return the document; metrics at level ``warn`` that are out of their budget count as skipped."""
    judged = judged_rows(comparison)
    suite = ET.Element(
        "testsuite",
        name=_clean(f"paramscope compare {comparison.first.info.scenario}"),
        tests=str(len(judged)),
        failures=str(sum(row.fails for row in judged)),
        errors="0",
        skipped=str(sum(row.warns for row in judged)),
    )
    for row in judged:
        case = ET.SubElement(suite, "testcase", classname="paramscope.compare", name=_clean(row.name))
        if row.verdict is not Verdict.PASS:
            message = _clean(_message(row, column_titles(comparison)))
            what = ET.SubElement(case, "failure" if row.fails else "skipped", message=message)
            what.text = message
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _message(row: Row, titles: tuple[str, str]) -> str:
    if row.verdict is Verdict.MISSING:
        return f"{row.name}: {row.reason}"
    values = "".join(
        f"{title} {value_text(row.name, value)}, "
        for title, value in zip(titles, (row.first, row.second), strict=True)
        if value is not None
    )
    return f"{row.name}: {values}difference {difference_text(row)}, allowed {limit_text(row.name, row.limit)}"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("?", printable(text))
