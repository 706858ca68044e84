"""What a budget says of a difference."""

import pytest

from simulator.analysis.budget import Row, Verdict, judge, overall
from simulator.scenario.budget import Limit


def limit(relative: str | None = None, absolute: float | None = None, level: str = "gate") -> Limit:
    return Limit.model_validate({"relative": relative, "absolute": absolute, "level": level})


def row(verdict: Verdict, given: Limit | None) -> Row:
    return Row(name="x", first=1, second=2, difference=1, limit=given, verdict=verdict)


@pytest.mark.parametrize(
    ("difference", "verdict"),
    [(15, Verdict.PASS), (-15, Verdict.PASS), (15.1, Verdict.FAIL), (-15.1, Verdict.FAIL)],
)
def test_a_relative_limit_is_a_share_of_the_first_value_in_both_directions(difference: float, verdict: Verdict) -> None:
    # 15 % of 100, and of -100, is 15.
    assert judge(100, difference, limit("15 %")) is verdict
    assert judge(-100, difference, limit("15 %")) is verdict


def test_either_of_two_limits_is_enough() -> None:
    both = limit("10 %", 0.5)
    # Near zero: 0.4 is 400 % of 0.1, but within 0.5.
    assert judge(0.1, 0.4, both) is Verdict.PASS
    # Far from zero: 0.9 is beyond 0.5, but 9 % of 10.
    assert judge(10, 0.9, both) is Verdict.PASS
    # 1.1 is beyond both 0.5 and 10 % of 10.
    assert judge(10, 1.1, both) is Verdict.FAIL


def test_a_relative_limit_alone_is_passed_from_zero_only_by_zero() -> None:
    assert judge(0, 0, limit("15 %")) is Verdict.PASS
    assert judge(0, 1e-9, limit("15 %")) is Verdict.FAIL


def test_a_distance_is_judged_by_its_value_alone() -> None:
    assert judge(None, 0.15, limit(absolute=0.15)) is Verdict.PASS
    assert judge(None, 0.16, limit(absolute=0.15)) is Verdict.FAIL


def test_level_warn_never_fails_and_no_limit_never_judges() -> None:
    assert judge(100, 50, limit("15 %", level="warn")) is Verdict.WARN
    assert judge(100, 50, None) is Verdict.INFO
    assert judge(None, None, None) is Verdict.INFO


def test_what_is_missing_fails_a_gate_and_not_a_warning() -> None:
    assert judge(None, None, limit("15 %")) is Verdict.MISSING
    gate, warn = row(Verdict.MISSING, limit("15 %")), row(Verdict.MISSING, limit("15 %", level="warn"))
    assert (gate.fails, gate.warns) == (True, False)
    assert (warn.fails, warn.warns) == (False, True)
    assert overall((gate,)) is Verdict.FAIL
    assert overall((warn,)) is Verdict.PASS


def test_one_failed_gate_fails_everything_and_nothing_judged_is_info() -> None:
    passed, failed = row(Verdict.PASS, limit("15 %")), row(Verdict.FAIL, limit("15 %"))
    assert overall((passed, failed)) is Verdict.FAIL
    assert overall((passed, row(Verdict.INFO, None))) is Verdict.PASS
    assert overall((row(Verdict.INFO, None),)) is Verdict.INFO
