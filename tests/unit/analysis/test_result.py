"""The result document, against numbers derived from a few rows by hand."""

import json
import math
from typing import Any

import pytest

from simulator.analysis.result import result
from simulator.run import simulate
from simulator.trace.folder import Run
from simulator.trace.schema import Kind, TraceLevel
from tests.builders import MS, PS, WORKER, run_of, scenario, span_row, step_row, update_row

# Four steps of one worker: 10, 20, 30 and 40 ms; after each, an update of the shard is applied.
LENGTHS = (10, 20, 30, 40)
ENDS = (10, 30, 60, 100)
STALENESS = (0, 1, 1, 3)


def steps(**changes: Any) -> list[Any]:
    return [step_row(i, (e - n) * MS, e * MS, **changes) for i, (n, e) in enumerate(zip(LENGTHS, ENDS, strict=True))]


def updates(**changes: Any) -> list[Any]:
    return [update_row(i, s, e * MS - 1, **changes) for i, (s, e) in enumerate(zip(STALENESS, ENDS, strict=True))]


def run(warmup: int = 0, **more: Any) -> Run:
    return run_of(steps(), more.pop("spans", []), updates(), made=scenario(warmup=warmup), **more)


def test_throughput_is_steps_over_the_window() -> None:
    # Four steps in 100 ms; batches of 32; one worker.
    found = result(run())["throughput"]
    assert found["steps_per_s"] == pytest.approx(40)
    assert found["examples_per_s"] == pytest.approx(1280)
    assert found["per_worker_examples_per_s"] == pytest.approx(1280)
    # One replication of four steps: too little to say how sure that is.
    assert found["ci95"] is None


def test_the_warm_up_is_left_out() -> None:
    # Steps 2 to 4 in the 90 ms from 10 to 100.
    found = result(run(warmup=1))
    assert found["throughput"]["steps_per_s"] == pytest.approx(3 / 0.09)
    assert found["step_time_s"]["mean"] == pytest.approx(0.03)
    assert found["staleness"]["histogram"] == {"1": 2, "3": 1}
    assert found["measured_steps"] == 3


def test_quantiles_of_step_times_lie_between_the_values() -> None:
    # Sorted 10 20 30 40; the q-quantile lies at position 3 q, linear in between: 0.3 -> 13, 1.5 -> 25, 2.7 -> 37.
    found = result(run())["step_time_s"]
    assert found == pytest.approx({"mean": 0.025, "p10": 0.013, "p50": 0.025, "p90": 0.037, "p99": 0.0397})


def test_quantiles_of_staleness_are_values_that_occurred() -> None:
    # 0 1 1 3: half of them are at most 1, nine tenths only at 3.
    found = result(run())["staleness"]
    assert found["mean"] == pytest.approx(1.25)
    assert (found["p50"], found["p90"], found["p99"], found["max"]) == (1, 3, 3, 3)
    assert found["histogram"] == {"0": 1, "1": 2, "3": 1}


def test_the_step_level_staleness_is_what_the_global_step_passed() -> None:
    # Read at 0, written as 3: two others came between.  The other two saw nobody.
    rows = [
        step_row(0, 0, 10 * MS, read=0, written=1),
        step_row(1, 10 * MS, 20 * MS, read=1, written=2),
        step_row(0, 0, 30 * MS, read=0, written=3, task="/job:worker/task:1"),
    ]
    found = result(run_of(rows, [], [update_row(0, 0, MS)], made=scenario(workers=2)))
    assert found["staleness"]["step_mean"] == pytest.approx(2 / 3)


def test_dropped_gradients_have_no_staleness_and_are_counted() -> None:
    rows = [*updates(), update_row(4, 9, 99 * MS, dropped=True)]
    found = result(run_of(steps(), [], rows, made=scenario()))
    assert found["dropped_gradients"] == 1
    assert found["staleness"]["max"] == 3


def test_updates_that_were_not_measured_have_no_staleness() -> None:
    found = result(run_of(steps(), [], [], made=scenario()))["staleness"]
    assert found["histogram"] == {}
    assert (found["mean"], found["p50"], found["max"]) == (None, None, None)


def test_replications_give_an_interval() -> None:
    # 40 and 20 steps/s (the same steps, twice as slow): mean 30, t of one degree 12.7062, sd sqrt(200), over sqrt(2).
    slow = [
        step_row(i, 2 * (e - n) * MS, 2 * e * MS, replication=1)
        for i, (n, e) in enumerate(zip(LENGTHS, ENDS, strict=True))
    ]
    found = result(run_of([*steps(), *slow], [], updates(), made=scenario()))
    assert found["throughput"]["steps_per_s"] == pytest.approx(30)
    assert found["throughput"]["ci95"] == pytest.approx([30 - 127.062, 30 + 127.062])
    assert found["replications"] == 2


def test_one_long_run_gives_an_interval_by_batches() -> None:
    # 100 steps, in ten batches of ten: nine batches at 10 ms a step (100 steps/s) and one at 20 ms (50 steps/s).
    at, rows = 0, []
    for i in range(100):
        length = (20 if i >= 90 else 10) * MS
        rows.append(step_row(i, at, at + length))
        at += length
    found = result(run_of(rows, [], [update_row(0, 0, MS)], made=scenario(last_step=100)))["throughput"]
    # Mean of the batches 95, variance (9 * 25 + 45 ** 2) / 9 = 250; t of nine degrees 2.2622.
    half = 2.2622 * math.sqrt(250) / math.sqrt(10)
    assert found["ci95"] == pytest.approx([95 - half, 95 + half])


def test_traced_steps_of_a_real_run_are_left_out_of_its_step_times() -> None:
    rows = [
        step_row(0, 0, 10 * MS, traced=False),
        step_row(1, 10 * MS, 90 * MS),
        step_row(2, 90 * MS, 110 * MS, traced=False),
    ]
    of = {kind: result(run_of(rows, [], updates(), kind=kind))["step_time_s"]["mean"] for kind in Kind}
    # Tracing slows a real step down, not a simulated one.
    assert of[Kind.REAL] == pytest.approx(0.015)
    assert of[Kind.SIMULATED] == pytest.approx(0.11 / 3)


def test_phases_are_means_of_the_traced_steps_and_sum_to_their_mean() -> None:
    spans = [span_row("nic_in", "pull", 0, 4 * MS), span_row("compute", "backward", 20 * MS, 30 * MS, step=1)]
    found = result(run(spans=spans))
    assert found["phases_s"] == pytest.approx(
        {"pull": 0.001, "forward": 0, "backward": 0.0025, "push": 0, "apply": 0, "wait": 0.0215}
    )
    assert sum(found["phases_s"].values()) == pytest.approx(found["step_time_s"]["mean"])


def test_without_spans_there_are_no_phases_and_no_verdict() -> None:
    found = result(run())
    assert (found["phases_s"], found["tasks"]) == ({}, {})
    assert found["bottleneck"]["resource"] == "unknown"


def test_the_document_has_what_the_contract_names() -> None:
    summary = simulate(scenario(ps=2, workers=2, last_step=30, seed=5)).info.summary
    assert summary is not None
    assert summary["schema"] == "paramscope/result/1"
    assert (summary["scenario"], summary["kind"], summary["seed"]) == ("built", "simulated", 5)
    assert (summary["complete"], summary["replications"], summary["global_step"] >= 30) == (True, 1, True)
    assert {"steps_per_s", "ci95", "examples_per_s"} <= set(summary["throughput"])
    assert {"mean", "p10", "p50", "p90", "p99"} <= set(summary["step_time_s"])
    assert {"mean", "p50", "p90", "p99", "max", "histogram"} <= set(summary["staleness"])
    assert summary["placement"] == {"global_step": "/job:ps/task:0", "v": "/job:ps/task:1"}
    assert {"nic_out", "nic_in", "apply", "bytes_out", "bytes_in"} <= set(summary["tasks"][PS])
    assert list(summary["tasks"]) == [PS, "/job:ps/task:1", WORKER, "/job:worker/task:1"]
    assert {"pull", "forward", "backward", "push", "apply"} <= set(summary["phases_s"])
    assert {"resource", "utilization", "advice"} <= set(summary["bottleneck"])
    assert {"dropped_gradients", "lost_steps", "simulated_s"} <= set(summary)
    # No NaN, no infinity: any JSON reader takes it.
    assert json.loads(json.dumps(summary, allow_nan=False)) == summary


@pytest.mark.parametrize("level", list(TraceLevel))
def test_what_is_kept_of_a_run_changes_no_throughput(level: TraceLevel) -> None:
    made = scenario(workers=2, last_step=30)
    full, other = simulate(made).info.summary, simulate(made, trace=level).info.summary
    assert full is not None
    assert other is not None
    for name in ("throughput", "step_time_s", "staleness", "global_step"):
        assert other[name] == full[name]
