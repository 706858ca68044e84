"""Runs of which nothing but run.json is left, which anybody can have edited."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from simulator.analysis.compare import compare
from simulator.analysis.measured import measured_result
from simulator.errors import InvalidInputError
from simulator.report.folder import write_report
from simulator.trace.folder import Run
from tests.run_builder import PS, steady_run, with_summary

HUGE = 10**400  # no float holds it


def summary() -> dict[str, Any]:
    """Return the summary of a whole run, of which each test spoils one thing."""
    whole = with_summary(steady_run()).info.summary
    assert whole is not None
    return whole


def with_value(path: str, value: Any) -> Run:
    """Return a run without tables whose summary has *value* at *path* (parts joined by a blank)."""
    whole = summary()
    *holders, last = path.split()
    here = whole
    for part in holders:
        here = here[part]
    here[last] = value
    return with_summary(steady_run(), summary=whole)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("throughput", 3),
        ("throughput steps_per_s", "51"),
        ("throughput ci95", [1]),
        ("throughput ci95", [1, math.nan]),
        ("throughput ci95", [HUGE, 1]),
        ("throughput ci95", {"low": 1, "high": 2}),
        ("measured_steps", "many"),
        ("measured_steps", True),
        ("measured_steps", 40.5),
        ("measured_steps", HUGE),
        ("dropped_gradients", []),
        ("step_time_s mean", HUGE),
        ("step_time_s mean", 1e300),
        ("step_time_s mean", "10 ms"),
        ("staleness mean", "none"),
        ("staleness histogram", None),
        ("staleness histogram", {"x": 1}),
        ("staleness histogram", {"-1": 1}),
        ("staleness histogram", {"1": -1}),
        ("staleness histogram", {"1": 0}),  # has no shares
        ("staleness histogram", {"1": True}),
        ("staleness histogram", {"9" * 5000: 1}),  # longer than int() reads
        ("staleness histogram", {"\u0663": 1}),  # a decimal digit, but none of ours
        ("phases_s pull", "1 ms"),
        ("phases_s pull", [1]),
        ("tasks", {PS: 3}),
        ("tasks", {PS: {"nic_out": "0.5"}}),
        ("tasks", {PS: {"nic_out": {}}}),
        ("placement", {"v": ["/job:ps/task:0"]}),
        ("placement", ["v"]),
        ("bottleneck", {}),
        ("bottleneck utilization", "high"),
    ],
)
def test_a_summary_that_is_none_is_refused(path: str, value: Any) -> None:
    with pytest.raises(InvalidInputError, match="not a result document"):
        measured_result(with_value(path, value), "the simulation")


def test_an_empty_summary_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="not a result document"):
        measured_result(with_summary(steady_run(), summary={}), "the simulation")


def test_a_summary_nested_beyond_reason_is_refused() -> None:
    nested: list[Any] = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(InvalidInputError, match="not a result document"):
        measured_result(with_value("more", nested), "the simulation")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_hold_was_not_measured(value: float) -> None:
    document = measured_result(with_value("step_time_s p50", value), "the simulation")
    assert document["step_time_s"]["p50"] is None
    assert document["step_time_s"]["p99"] == summary()["step_time_s"]["p99"]


def test_a_summary_without_an_interval_has_none() -> None:
    whole = summary()
    del whole["throughput"]["ci95"]
    assert measured_result(with_summary(steady_run(), summary=whole), "it")["throughput"]["ci95"] is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("step_time_s mean", 5e-324),  # a share of it leaves what a float holds
        ("step_time_s mean", 9e18),  # in ns beyond any integer of a table
        ("step_time_s mean", -1),
        ("step_time_s mean", None),
        ("throughput steps_per_s", None),
        ("throughput steps_per_s", 0),
        ("staleness histogram", {str(10**17): 1, "0": 3}),
        ("staleness histogram", {}),
        ("tasks", {}),
        ("phases_s", {}),
        ("placement", {}),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_odd_numbers_still_give_a_report_without_nan(tmp_path: Path, path: str, value: Any, turned: bool) -> None:
    odd, whole = with_value(path, value), steady_run()
    found = compare(whole, odd) if turned else compare(odd, whole)
    assert json.loads(json.dumps(found.as_json(), allow_nan=False)) == found.as_json()
    write_report(tmp_path, found)
    for name in ("comparison.md", "junit.xml"):
        assert "nan" not in (tmp_path / name).read_text().lower().split()


def test_a_share_too_large_for_a_float_is_none() -> None:
    found = compare(with_value("step_time_s mean", 5e-324), steady_run()).row("step_time_s.mean")
    # 0.01 s of 5e-324 s would be 2e321; the largest float is 1.8e308.
    assert (found.difference, found.relative) == (0.01, None)
