"""A comparison as JUnit XML: one test case a limit of the budget."""

import re
import xml.etree.ElementTree as ET

from simulator.analysis.compare import Comparison, Verdict
from simulator.report.words import difference_text, limit_text, value_text

# Characters that XML 1.0 cannot hold at all.
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def comparison_junit(comparison: Comparison) -> bytes:
    """Return the document as UTF-8; metrics at level ``warn`` beyond their limit count as skipped."""
    judged = [row for row in comparison.rows if row.limit is not None]
    suite = ET.Element(
        "testsuite",
        name=_clean(f"paramscope compare {comparison.first.info.scenario}"),
        tests=str(len(judged)),
        failures=str(sum(row.gates for row in judged)),
        errors="0",
        skipped=str(sum(row.verdict is not Verdict.PASS and not row.gates for row in judged)),
    )
    for row in judged:
        case = ET.SubElement(suite, "testcase", classname="paramscope.compare", name=_clean(row.name))
        if row.verdict is Verdict.PASS:
            continue
        if row.verdict is Verdict.MISSING:
            message = "not measured by both runs"
        else:
            message = (
                f"{value_text(row.name, row.first)} and {value_text(row.name, row.second)}:"
                f" difference {difference_text(row)}, budget {limit_text(row.name, row.limit)}"
            )
        ET.SubElement(case, "failure" if row.gates else "skipped", message=_clean(message))
    root = ET.Element("testsuites")
    root.append(suite)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("?", text)
