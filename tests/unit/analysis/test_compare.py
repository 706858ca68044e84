"""Two runs side by side: values, distances, notes, and runs that leave too little."""

import json
import math
from typing import Any

import pytest

from simulator.analysis.budget import Verdict
from simulator.analysis.compare import compare
from simulator.analysis.differences import scenario_differences
from simulator.errors import NothingMeasuredError
from simulator.scenario.budget import METRICS, TASK_METRICS, Budget
from simulator.trace.folder import Run
from simulator.trace.schema import Kind, TraceLevel
from tests.builders import PS, WORKER, scenario
from tests.run_builder import steady_run, with_summary


def budget(**metrics: Any) -> Budget:
    return Budget.model_validate({"metrics": {name.replace("__", "."): limit for name, limit in metrics.items()}})


def real(**changes: Any) -> Run:
    return steady_run(Kind.REAL, **changes)


def test_differences_are_second_minus_first_and_relative_to_the_first() -> None:
    # Steps of 10 ms and of 8 ms: 100 and 125 steps/s, 25 more, 25 %.  A batch has 32 examples.
    found = compare(real(step_ms=10), steady_run(step_ms=8))
    rate = found.row("throughput.steps_per_s")
    assert (rate.first, rate.second) == pytest.approx((100, 125))
    assert (rate.difference, rate.relative) == pytest.approx((25, 0.25))
    assert found.row("throughput.examples_per_s").difference == pytest.approx(25 * 32)
    # The step: 2 ms less, 20 %; so is each of its phases: forward 3/10 of 10 ms, of 8 ms.
    assert found.row("step_time_s.p50").difference == pytest.approx(-0.002)
    assert found.row("step_time_s.p50").relative == pytest.approx(-0.2)
    assert found.row("phases_s.forward").difference == pytest.approx(0.3 * 0.008 - 0.3 * 0.010)
    assert found.verdict is Verdict.INFO


def test_a_difference_from_zero_has_no_share() -> None:
    found = compare(real(staleness=[0]), steady_run(staleness=[0, 1])).row("staleness.mean")
    assert (found.first, found.second, found.difference, found.relative) == (0, 0.5, 0.5, None)


def test_distances_compare_shapes() -> None:
    found = compare(real(step_ms=10, staleness=[0, 1]), steady_run(step_ms=8, staleness=[1, 1, 2, 1]))
    # Shares by staleness: 1/2, 1/2, 0 and 0, 3/4, 1/4; half the sum of differences is (1/2 + 1/4 + 1/4) / 2.
    assert found.row("staleness.total_variation").difference == pytest.approx(0.5)
    # All steps of the second are shorter than any of the first.
    assert found.row("step_time_s.ks").difference == 1
    same = compare(real(), steady_run())
    assert same.row("step_time_s.ks").difference == same.row("staleness.total_variation").difference == 0


def test_uses_of_tasks_are_metrics_by_tensorflow_s_names() -> None:
    name = "tasks./job:worker/task:0.compute"
    judged = compare(real(), steady_run(), Budget.model_validate({"metrics": {name: 0.1}})).row(name)
    # Forward and backward are 7 of 10 ms.
    assert (judged.first, judged.second) == pytest.approx((0.7, 0.7))
    assert judged.verdict is Verdict.PASS


def test_a_task_that_neither_run_has_is_missing() -> None:
    limits = Budget.model_validate({"metrics": {"tasks./job:ps/task:7.nic_out": 0.1}})
    found = compare(real(), steady_run(), limits)
    assert found.row("tasks./job:ps/task:7.nic_out").verdict is Verdict.MISSING
    assert found.verdict is Verdict.FAIL


def test_phases_that_one_run_did_not_trace_are_missing_and_fail_the_gate() -> None:
    limits = budget(phases_s__pull="10 %", throughput__steps_per_s="10 %")
    found = compare(real(spans=False), steady_run(), limits)
    assert found.row("phases_s.pull").verdict is Verdict.MISSING
    assert "the real run" in str(found.row("phases_s.pull").reason)
    assert found.row("throughput.steps_per_s").verdict is Verdict.PASS
    assert found.verdict is Verdict.FAIL


def test_a_run_without_tables_is_compared_by_its_summary_but_for_its_step_times() -> None:
    limits = budget(step_time_s__ks={"absolute": 0.3, "level": "warn"}, throughput__steps_per_s="30 %")
    found = compare(real(), with_summary(steady_run(step_ms=8)), limits)
    assert found.row("throughput.steps_per_s").difference == pytest.approx(25)
    assert found.row("staleness.total_variation").difference == 0
    ks = found.row("step_time_s.ks")
    assert (ks.difference, ks.verdict) == (None, Verdict.MISSING)
    assert "the simulation kept no steps" in str(ks.reason)
    assert any("--trace none" in note and "the simulation" in note for note in found.notes)
    assert found.verdict is Verdict.PASS  # at level warn; a gate that cannot be judged fails:
    assert compare(real(), with_summary(steady_run()), budget(step_time_s__ks=0.3)).verdict is Verdict.FAIL


@pytest.mark.parametrize("which", [0, 1])
def test_fewer_than_20_measured_steps_of_either_run_are_too_few(which: int) -> None:
    runs = [real(steps=20), steady_run(steps=20)]
    assert compare(runs[0], runs[1]).verdict is Verdict.INFO
    runs[which] = steady_run(steps=19)
    with pytest.raises(NothingMeasuredError, match="19 measured steps"):
        compare(runs[0], runs[1])


def test_the_warm_up_does_not_count_as_measured() -> None:
    with pytest.raises(NothingMeasuredError, match="15 measured steps"):
        compare(real(), steady_run(steps=40, made=scenario(last_step=40, warmup=25)))


def test_a_run_without_steps_and_summary_measured_nothing() -> None:
    with pytest.raises(NothingMeasuredError, match="no step was measured"):
        compare(real(), steady_run(steps=0))


def test_an_incomplete_run_is_compared_with_a_warning() -> None:
    found = compare(real(complete=False, failure="worker:1 died"), steady_run())
    assert found.row("throughput.steps_per_s").difference == pytest.approx(0)
    (warning,) = found.warnings
    assert "the real run is INCOMPLETE (worker:1 died)" in warning
    assert warning in found.as_json()["notes"]


def test_json_never_holds_what_json_cannot() -> None:
    whole = with_summary(steady_run()).info.summary
    assert whole is not None
    odd = with_summary(steady_run(), summary={**whole, "step_time_s": {"mean": math.nan, "p50": math.inf}})
    found = compare(odd, real())
    text = json.dumps(found.as_json(), allow_nan=False)
    assert json.loads(text) == found.as_json()
    assert found.row("step_time_s.p50").first is None


def test_intervals_of_the_throughput_are_told_and_whether_they_overlap() -> None:
    # From 100 steps on, one run has an interval; steps of one length make it a point: 100 and 125 steps/s.
    apart = compare(real(steps=100, step_ms=10), steady_run(steps=100, step_ms=8)).intervals
    assert "the real run 100 to 100 steps/s; the simulation 125 to 125 steps/s; they do not overlap" in apart
    assert compare(real(steps=100), steady_run(steps=100)).intervals.endswith("they overlap")
    assert compare(real(steps=99), steady_run(steps=99)).intervals.startswith("No 95 % interval")
    assert "the real run none" in compare(real(steps=99), steady_run(steps=100)).intervals


def test_runs_of_one_kind_are_called_by_their_order() -> None:
    found = compare(steady_run(complete=False), steady_run())
    assert found.warnings[0].startswith("the first run is INCOMPLETE")


def test_a_simulation_given_first_is_noted() -> None:
    assert any("simulation was given first" in note for note in compare(steady_run(), real()).notes)
    assert compare(real(), steady_run()).notes == ()


def test_equal_scenarios_have_no_differences() -> None:
    assert scenario_differences(scenario(), scenario()) == []


def test_differences_name_the_field_and_both_values() -> None:
    first = scenario(shapes={"a": [10], "b": [2]}, cluster__network__latency="100 us")
    second = scenario(shapes={"a": [20], "b": [2]}, cluster__network__latency="1 ms", workers=2, name="other")
    assert scenario_differences(first, second) == [
        "name: built -> other",
        "cluster.worker.tasks: 1 -> 2",
        "cluster.network.latency: 100 us -> 1 ms",
        "workload.variables[0].shape[0]: 10 -> 20",
    ]


def test_who_shares_a_host_is_told_in_words() -> None:
    apart = scenario(ps=2)
    together = apart.all_on_one_machine()
    some = scenario(ps=2, cluster__colocate=[["worker:0", "ps:0"]])
    assert scenario_differences(apart, together) == [
        "cluster.colocate: every task on a host of its own in the first run, all tasks on one host in the second"
    ]
    assert scenario_differences(some, apart) == [
        "cluster.colocate: ps:0, worker:0 on one host in the first run, every task on a host of its own in the second"
    ]
    turned = scenario(ps=2, cluster__colocate=[["ps:0", "worker:0"]])
    assert "named in another order" in scenario_differences(some, turned)[0]


def test_costs_are_told_in_one_line_with_what_is_a_default() -> None:
    # The default of model tcp for an apply is 20 us (docs/models/costs.md).
    (line,) = scenario_differences(scenario(), scenario(workload__costs={"apply": "2 ms", "goodput": 0.5}))
    assert line.startswith("workload.costs")
    assert "apply 20 us (default) -> 2 ms" in line
    assert "-> 0.5" in line


def test_many_differences_are_cut() -> None:
    # 50 shapes differ; 40 lines are told and the rest counted.
    found = scenario_differences(
        scenario(shapes={f"v{i}": [1] for i in range(50)}), scenario(shapes={f"v{i}": [2] for i in range(50)})
    )
    assert len(found) == 41
    assert found[-1] == "... and 10 more"


def test_a_trace_of_steps_alone_still_gives_every_distance() -> None:
    found = compare(real(spans=False, trace=TraceLevel.STEPS), steady_run(spans=False, trace=TraceLevel.STEPS))
    assert found.row("step_time_s.ks").difference == 0
    assert found.row("phases_s.pull").first is None


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    itself = real(steps=100, staleness=[0, 1, 2])
    found = compare(itself, itself, budget(**{name.replace(".", "__"): 0 for name in METRICS}))
    # Phases and uses are measured, too: a row that nobody measured would be a hole in this test.
    assert {row.difference for row in found.rows} == {0}
    assert {row.verdict for row in found.rows if row.limit} == {Verdict.PASS}
    assert found.verdict is Verdict.PASS
    assert found.differences == found.notes == found.warnings == ()


def test_runs_that_update_nothing_have_no_staleness() -> None:
    limits = budget(
        staleness__mean=0.5,
        staleness__total_variation={"absolute": 0.1, "level": "warn"},
        throughput__steps_per_s="1 %",
    )
    found = compare(real(staleness=[]), steady_run(), limits)
    mean, distance = found.row("staleness.mean"), found.row("staleness.total_variation")
    assert (mean.first, mean.second, mean.difference, mean.verdict) == (None, 0, None, Verdict.MISSING)
    assert mean.reason == "not measured by the real run"
    assert (distance.difference, distance.verdict) == (None, Verdict.MISSING)
    assert distance.reason == "not both runs recorded updates of variables"
    assert [row.name for row in found.rows if row.fails] == ["staleness.mean"]
    assert found.verdict is Verdict.FAIL


def test_a_side_that_kept_only_its_steps_lacks_its_phases_alone() -> None:
    limits = budget(phases_s__pull={"absolute": 1, "level": "warn"}, step_time_s__ks=0, staleness__total_variation=0)
    found = compare(real(), steady_run(spans=False, trace=TraceLevel.STEPS), limits)
    assert found.row("phases_s.pull").reason == "not measured by the simulation"
    # Steps of one length and updates of one staleness in both.
    assert found.row("step_time_s.ks").verdict is found.row("staleness.total_variation").verdict is Verdict.PASS
    assert found.verdict is Verdict.PASS
    assert [row.name for row in found.rows if row.warns] == ["phases_s.pull"]


def test_the_use_of_an_unknown_bottleneck_was_not_measured() -> None:
    # Of the run with spans it is compute, 7 of 10 ms; the other one has nothing, which is not a use of 0.
    found = compare(real(), steady_run(spans=False), budget(bottleneck__utilization=1)).row("bottleneck.utilization")
    assert found.first == pytest.approx(0.7)
    assert (found.second, found.verdict) == (None, Verdict.MISSING)


def test_two_sides_without_spans_are_told_how_to_keep_them() -> None:
    bare = compare(real(spans=False), steady_run(spans=False), budget(phases_s__pull=1)).row("phases_s.pull")
    assert bare.reason == (
        "not measured by the real run and the simulation, which kept no spans (write it with --trace full)"
    )


def test_both_limits_in_a_budget_are_either_of_two() -> None:
    # 100 and 125 steps/s: 25 more are beyond 20 %, within 30.
    # Staleness 0 and 0.25: within 0.5, and no share of 0.
    limits = budget(
        throughput__steps_per_s={"relative": "20 %", "absolute": 30},
        staleness__mean={"relative": "5 %", "absolute": 0.5},
        step_time_s__mean={"relative": "19 %", "absolute": 0.0019},  # 2 ms, 20 %: beyond both
    )
    found = compare(real(), steady_run(step_ms=8, staleness=[0, 0, 0, 1]), limits)
    assert found.row("throughput.steps_per_s").verdict is Verdict.PASS
    assert found.row("staleness.mean").verdict is Verdict.PASS
    assert found.row("step_time_s.mean").verdict is Verdict.FAIL


def test_rows_are_every_metric_once_and_those_of_every_task() -> None:
    names = [row.name for row in compare(real(), steady_run()).rows]
    tasks = [f"tasks.{task}.{use}" for task in (PS, WORKER) for use in TASK_METRICS]
    assert names[: len(METRICS)] == list(METRICS)
    assert sorted(names[len(METRICS) :]) == sorted(tasks)
