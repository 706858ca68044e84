"""A comparison as text, Markdown and JUnit."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from simulator.analysis.compare import Comparison, compare
from simulator.report.junit import comparison_junit
from simulator.report.markdown import comparison_markdown, escaped
from simulator.report.terminal import print_comparison
from simulator.report.words import difference_text, headline, limit_text, title, value_text, verdict_text
from simulator.scenario.budget import Budget
from simulator.trace.schema import Kind
from tests.builders import MS, run_of, scenario, span_row, step_row
from tests.run_builder import steady_run

LIMITS = {
    "throughput.steps_per_s": "15 %",  # 100 and 125 steps/s: 25 %, fails
    "step_time_s.p50": {"relative": "5 %", "level": "warn"},  # 20 %, warns
    "staleness.mean": 0.5,  # 0 and 0.25, passes
    "tasks./job:ps/task:9.nic_out": 0.1,  # there is none, missing
}


def compared(limits: dict[str, Any] | None = None, **changes: Any) -> Comparison:
    """Return 100 steps/s measured, 125 steps/s predicted."""
    first = steady_run(Kind.REAL, step_ms=10, **changes)
    second = steady_run(step_ms=8, staleness=[0, 0, 0, 1])
    return compare(first, second, Budget.model_validate({"metrics": limits}) if limits else None)


def test_the_headline_says_throughput_and_staleness_in_words() -> None:
    text = headline(compared())
    # 25 more than 100 are 25 %.
    assert "The simulation predicts 125 steps/s, the real run made 100: 25.0% faster." in text
    assert "staleness is 0.25 updates in the simulation, 0.00 in the real run" in text
    assert "slower" in headline(compare(steady_run(step_ms=8), steady_run(step_ms=10)))
    assert "the same" in headline(compare(steady_run(), steady_run()))


def test_the_headline_says_what_holds_back_each_run() -> None:
    # Compute is 7 of 10 ms in both.
    assert headline(compared()).endswith(
        " Both are limited by /job:worker/task:0 compute, in use 70.0% of the time in the real run"
        " and 70.0% in the simulation."
    )
    # No worker computes, and 9 ms of each step of 10 bring 10 Gbit/s, the rate of the NIC: 11.25 million bytes.
    spans = [span_row("nic_in", "pull", i * 10 * MS, (i * 10 + 9) * MS, step=i, bytes=11_250_000) for i in range(40)]
    steps = [step_row(i, i * 10 * MS, (i + 1) * 10 * MS) for i in range(40)]
    starved = run_of(steps, spans, [], made=scenario(last_step=40, cluster__network__model="ideal"))
    assert headline(compare(steady_run(Kind.REAL), starved)).endswith(
        "The real run is limited by /job:worker/task:0 compute (in use 70.0% of the time),"
        " the simulation by /job:worker/task:0 nic_in (90.0%)."
    )
    assert "limited" not in headline(compare(steady_run(Kind.REAL), steady_run(spans=False)))


def test_the_verdict_names_what_failed_and_what_only_warned() -> None:
    text = verdict_text(compared(LIMITS))
    failed, warned = text.split("Warnings")
    assert failed.startswith("FAIL")
    assert "throughput.steps_per_s (+25.0%, allowed ± 15 %)" in failed
    assert "tasks./job:ps/task:9.nic_out (not measured by the real run and the simulation)" in failed
    assert "step_time_s.p50 (-20.0%, allowed ± 5 %)" in warned
    assert "staleness" not in text
    assert verdict_text(compared({"staleness.mean": 0.5})) == "PASS: within the budget."
    assert "nothing is judged" in verdict_text(compared())


def test_the_title_names_both_scenarios_where_they_differ() -> None:
    assert title(compared()) == "built: real and simulated"
    other = steady_run(made=scenario(name="other", last_step=40))
    assert title(compare(steady_run(), other)) == "built and other: two simulated runs"


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("step_time_s.p50", 0.0384881265, "38.49 ms"),
        ("throughput.steps_per_s", 51.2, "51.2"),
        ("staleness.total_variation", 0.0861, "0.086"),
        ("phases_s.apply", 2.84255e-05, "0.02843 ms"),
        ("tasks./job:ps/task:0.apply", 0.125, "12.5%"),
        ("tasks./job:ps/task:0.bytes_in", 3 * 2**20, "3.0 MiB"),
        ("staleness.max", None, "-"),
    ],
)
def test_values_carry_their_unit(name: str, value: float | None, text: str) -> None:
    assert value_text(name, value) == text


def test_differences_carry_their_sign_and_share() -> None:
    found = compared(LIMITS)
    assert difference_text(found.row("throughput.steps_per_s")) == "+25 (+25.0%)"
    assert difference_text(found.row("step_time_s.p50")) == "-2 ms (-20.0%)"
    assert difference_text(found.row("staleness.mean")) == "+0.25"  # from zero there is no share
    assert difference_text(found.row("tasks./job:worker/task:0.compute")) == "0.0 points"
    assert difference_text(found.row("step_time_s.ks")) == "1.000"


def test_limits_are_written_as_what_they_allow() -> None:
    both = Budget.model_validate({"metrics": {"step_time_s.p50": {"relative": "5 %", "absolute": 0.001}}})
    assert limit_text("step_time_s.p50", both.metrics["step_time_s.p50"]) == "± 5 % or 1 ms"
    ks = Budget.model_validate({"metrics": {"step_time_s.ks": 0.3}})
    assert limit_text("step_time_s.ks", ks.metrics["step_time_s.ks"]) == "≤ 0.300"


def test_a_terminal_gets_the_verdict_first_and_every_number_whole(capsys: pytest.CaptureFixture[str]) -> None:
    print_comparison(compared(LIMITS))
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[1].startswith("FAIL")
    (rate,) = [line.split() for line in lines if line.startswith("throughput.steps_per_s")]
    assert rate == ["throughput.steps_per_s", "100", "125", "+25", "(+25.0%)", "±", "15", "%", "✗", "fail"]
    assert "95 % interval" in out
    assert "\x1b" not in out  # no colours where there is no terminal
    assert "…" not in out


def test_markdown_has_a_row_for_each_judged_metric() -> None:
    text = comparison_markdown(compared(LIMITS))
    above, _, below = text.partition("<details>")
    assert "| throughput.steps\\_per\\_s | 100 | 125 | +25 (+25.0%) | ± 15 % | ✗ fail |" in above
    assert "? missing" in above
    assert "step\\_time\\_s.p90" not in above
    assert "| step\\_time\\_s.p90 | 10 ms | 8 ms | -2 ms (-20.0%) |  |  |" in below
    assert text.count("<details>") == text.count("</details>") == 1


def test_markdown_shows_names_as_they_stand() -> None:
    assert escaped("a\x1b[2J\u202e b\u2028c") == "a \\[2J b c"  # no cursor, direction or line is changed
    assert escaped("<script>|`*_\n# x") == "\\<script\\>\\|\\`\\*\\_ \\# x"
    text = comparison_markdown(compared(complete=False, failure="<script>alert(1)</script>\n| x |"))
    assert "<script>" not in text
    assert "INCOMPLETE" in text


def suite_of(comparison: Comparison) -> ET.Element:
    (suite,) = ET.fromstring(comparison_junit(comparison))
    return suite


def test_junit_has_a_case_for_each_limit_and_its_numbers() -> None:
    suite = suite_of(compared(LIMITS))
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "1")
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == set(LIMITS)
    failure = cases["throughput.steps_per_s"].find("failure")
    assert failure is not None
    assert failure.get("message") == (
        "throughput.steps_per_s: real 100, simulated 125, difference +25 (+25.0%), allowed ± 15 %"
    )
    missing = cases["tasks./job:ps/task:9.nic_out"].find("failure")
    assert missing is not None
    assert "not measured" in str(missing.get("message"))
    assert cases["step_time_s.p50"].find("skipped") is not None
    assert list(cases["staleness.mean"]) == []


def test_junit_without_a_budget_is_an_empty_suite() -> None:
    assert suite_of(compared()).get("tests") == "0"


def test_junit_is_well_formed_for_any_name() -> None:
    odd = 'a<b>&"\x00\x1b\ud800 é'
    found = compare(steady_run(scenario=odd), steady_run(), Budget.model_validate({"metrics": {"staleness.mean": 1}}))
    # What XML 1.0 cannot hold (and a lone surrogate) became a question mark.
    assert suite_of(found).get("name") == 'paramscope compare a<b>&"??? é'
