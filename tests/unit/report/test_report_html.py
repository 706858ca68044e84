"""report.html: self-contained, escaped, complete."""

import html.parser
import re
from pathlib import Path
from typing import Any

import pytest

from simulator.analysis.compare import Comparison, compare
from simulator.report.html import comparison_html
from simulator.report.meanings import meaning
from simulator.report.words import other_rows
from simulator.scenario.budget import METRICS, TASK_METRICS, Budget
from simulator.trace.folder import read_run
from simulator.trace.schema import Kind
from tests.builders import scenario
from tests.run_builder import steady_run, with_summary, write_run

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


def test_every_metric_is_explained_under_its_name() -> None:
    for name in (*METRICS, *(f"tasks./job:ps/task:0.{use}" for use in TASK_METRICS)):
        assert meaning(name)
    page = Page(comparison_html(compared()))
    assert "largest gap between the curves of step times" in page.text
    # In the table of the budget (2 rows) and in the others (what both runs measured).
    assert sum(tag == "small" for tag, _ in page.tags) == 2 + len(other_rows(compared(), tasks=False))


def test_tables_wider_than_a_phone_can_be_reached_and_say_what_they_are(page: Page) -> None:
    scrolling = [attributes for _, attributes in page.tags if attributes.get("class") == "scroll"]
    assert len(scrolling) == sum(tag == "table" for tag, _ in page.tags) == 5
    for attributes in scrolling:
        assert (attributes["tabindex"], attributes["role"]) == ("0", "region")
        assert attributes["aria-label"]


@pytest.mark.slow
def test_thirty_tasks_and_two_thousand_variables_are_folded_away() -> None:
    shapes = {f"layer_{i}/kernel": [3, 3, 64, 64] for i in range(2000)}
    made = scenario(ps=10, workers=20, shapes=shapes, last_step=40)
    text = comparison_html(compare(steady_run(Kind.REAL, made=made), steady_run(made=made), BUDGET))
    page = Page(text)
    assert "30 tasks" in page.text
    assert "2001 variables" in page.text  # with global_step
    small = comparison_html(compared())
    # A row of a variable is about 150 bytes, of a task 300.
    assert len(text) - len(small) < 2001 * 200 + 30 * 400
    # Open at first: other numbers are folded (a budget is given), so are tasks and variables.
    assert [a for tag, a in page.tags if tag == "details" and "open" in a] == []
    assert len([a for tag, a in Page(small).tags if tag == "details" and "open" in a]) == 2


def test_variables_that_moved_are_told_above_the_folded_table() -> None:
    shapes = {f"v{i}": [10] for i in range(20)}
    one, two = (scenario(ps=n, shapes=shapes, last_step=40) for n in (1, 2))
    page = Page(comparison_html(compare(steady_run(Kind.REAL, made=one), steady_run(made=two))))
    # Of two ps, global_step goes to the first, v0 to the second, v1 to the first: every other one moved.
    assert "10 of 21 variables live on different ps in the two runs: v0, v2, v4, ..." in page.text
    assert "live on different ps" not in Page(comparison_html(compared())).text


def test_names_in_a_summary_and_of_a_folder_are_shown_not_run(tmp_path: Path) -> None:
    attack = ATTACK.replace("/", "|")  # no folder's name holds a slash
    whole = with_summary(steady_run()).info.summary
    assert whole is not None
    spoilt = {
        **whole,
        "placement": {ATTACK: ATTACK},
        "tasks": {ATTACK: {"nic_out": 0.5}},
        "bottleneck": {"resource": ATTACK, "utilization": 0.5, "advice": ATTACK},
    }
    folder = write_run(tmp_path / attack, with_summary(steady_run(), summary=spoilt))
    page = Page(comparison_html(compare(steady_run(Kind.REAL), read_run(folder))))
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert not [script for script in page.scripts if script.startswith("alert")]
    # Variable, its ps, task, bottleneck in the headline.  The sentence of the moved variable names it once more.
    assert page.text.count(ATTACK) == 5
    assert attack in page.text


def test_a_variable_may_have_what_html_has_of_its_own() -> None:
    made = scenario(last_step=40, shapes={"a>b": [10]})
    text = comparison_html(compare(steady_run(Kind.REAL, made=made), steady_run(made=made)))
    assert "a&gt;b" in text
    assert "a>b" in Page(text).text


def test_two_runs_without_spans_still_give_a_report() -> None:
    page = Page(comparison_html(compare(steady_run(Kind.REAL, spans=False), steady_run(spans=False), BUDGET)))
    assert page.text.count("No timeline") == 2
    assert "Use of every task" not in page.text
    assert sum("Plotly.newPlot" in script for script in page.scripts) == 3  # throughput, step times, staleness


def test_runs_that_update_nothing_have_no_figure_of_staleness() -> None:
    page = Page(comparison_html(compare(steady_run(Kind.REAL, staleness=[]), steady_run(staleness=[]))))
    assert "Staleness was not measured by both." in page.text
    assert sum("Plotly.newPlot" in script for script in page.scripts) == 5
