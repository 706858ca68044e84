"""report.html: self-contained, escaped, complete."""

import html.parser
import re
from typing import Any

import pytest

from simulator.analysis.compare import Comparison, compare
from simulator.report.html import comparison_html
from simulator.scenario.budget import Budget
from simulator.trace.schema import Kind
from tests.builders import scenario
from tests.run_builder import steady_run, with_summary

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
BUDGET = Budget.model_validate({"metrics": {"throughput.steps_per_s": "15 %", "step_time_s.ks": 0.3}})


class Page(html.parser.HTMLParser):
    """Collects the tags of a page and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data


def compared(**changes: Any) -> Comparison:
    return compare(steady_run(Kind.REAL, step_ms=10, **changes), steady_run(step_ms=8), BUDGET)


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(comparison_html(compared()))


def test_nothing_is_loaded_from_anywhere(page: Page) -> None:
    for tag, attributes in page.tags:
        assert tag not in ("link", "iframe", "object", "embed", "base", "form")
        assert "src" not in attributes, f"<{tag}> loads {attributes['src']}"
        assert "href" not in attributes
    policy = next(a["content"] for tag, a in page.tags if tag == "meta" and "http-equiv" in a)
    assert str(policy).startswith("default-src 'none'")
    assert "http" not in str(policy)


def test_plotly_is_inside_once_and_offers_no_upload(page: Page) -> None:
    library = [script for script in page.scripts if len(script) > 1_000_000]
    assert len(library) == 1
    own = [script for script in page.scripts if script is not library[0]]
    figures = [script for script in own if "Plotly.newPlot" in script]
    assert len(figures) == 6  # throughput, step times, staleness, phases, two timelines
    for script in figures:
        assert '"showSendToCloud": false' in script
        assert '"displaylogo": false' in script
        assert "plotlyServerURL" not in script
    assert not re.search(r"showSendToCloud\W+true", " ".join(own))


def test_a_stranger_finds_verdict_numbers_captions_and_tables(page: Page) -> None:
    # 100 and 125 steps/s: 25 % is beyond 15 %.
    assert "FAIL: beyond the budget: throughput.steps_per_s (+25.0%, allowed ± 15 %)" in page.text
    assert "The simulation predicts 125 steps/s, the real run made 100" in page.text
    assert "95 % interval" in page.text
    headings = ("Throughput", "Step times", "Staleness", "Where a step", "Timeline: the real run", "Use of every task")
    for heading in (*headings, "Where variables live", "The runs"):
        assert heading in page.text
    captions = [a for tag, a in page.tags if tag == "p" and a.get("class") == "caption"]
    assert len(captions) >= 8
    assert "70.0% | 70.0%" in page.text  # compute of the worker, forward and backward: 7 of 10 ms
    assert "global_step" in page.text


def test_it_is_for_light_and_dark_and_for_phones() -> None:
    text = comparison_html(compared())
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text
    assert "color-scheme: light dark" in text


def test_names_descriptions_and_failures_are_shown_not_run() -> None:
    made = scenario(last_step=40, description=ATTACK)
    found = compared(made=made, scenario=ATTACK, complete=False, failure=ATTACK, notes=(ATTACK,))
    text = comparison_html(found)
    page = Page(text)
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert not [script for script in page.scripts if script.startswith("alert")]
    # As text it is there: in title, heading, description, warning, note and table of runs.
    assert page.text.count(ATTACK) >= 5
    assert "INCOMPLETE" in page.text


def test_the_same_runs_give_the_same_file() -> None:
    assert comparison_html(compared()) == comparison_html(compared())


def test_a_run_without_spans_says_so_in_place_of_its_timeline() -> None:
    page = Page(comparison_html(compared(spans=False)))
    assert "No timeline: the real run kept no spans" in page.text
    assert sum("Plotly.newPlot" in script for script in page.scripts) == 5


def test_a_run_without_tables_still_gives_a_report() -> None:
    page = Page(comparison_html(compare(with_summary(steady_run(Kind.REAL)), steady_run(), BUDGET)))
    assert "the real run kept no steps" in page.text
    # Staleness, phases, one timeline.
    assert sum("Plotly.newPlot" in script for script in page.scripts) == 3


def test_a_placement_that_differs_is_marked() -> None:
    made = scenario(last_step=40, ps=2)
    page = Page(comparison_html(compare(steady_run(Kind.REAL), steady_run(made=made))))
    # One ps has everything; of two, the variable goes to the second (global_step came first).
    assert "/job:ps/task:1 (differs)" in page.text
