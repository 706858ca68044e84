"""Records to the tables that figures draw."""

from dataclasses import replace
from typing import Any

import pytest

from dashboard.bars import JOIN, LANE_ORDER, MAX_ROWS, STEP_LANE, lanes, span_bars, step_bars
from dashboard.frames import (
    MAX_BARS,
    bar_width,
    key_figures,
    maybe_figures,
    phase_shares,
    run_row,
    staleness_shares,
)
from dashboard.moments import first_measured, moments, nearest, recorded, steps_shown
from simulator.analysis.result import result
from simulator.errors import InvalidInputError
from simulator.trace.schema import Kind, TraceLevel
from tests.unit.dashboard.dashboard_runs import (
    CHIEF,
    MS,
    OTHER,
    PS,
    run_of,
    scenario,
    simulated,
    span,
    step,
    three_steps,
)

# -- key figures ---------------------------------------------------------------------------------------


def test_key_figures_are_those_of_the_result_document() -> None:
    run = simulated(last_step=60)
    document, found = result(run), key_figures(run)
    assert found.steps_per_s == document["throughput"]["steps_per_s"]
    assert found.staleness_mean == document["staleness"]["mean"]
    assert found.phases == document["phases_s"]
    assert found.advice == document["bottleneck"]["advice"]


def test_a_run_without_summary_is_analysed_anew() -> None:
    # Three steps of 10 ms, one after the other.
    assert key_figures(three_steps()).steps_per_s == pytest.approx(100)


def test_a_summary_wins_over_the_tables() -> None:
    document = result(three_steps())
    document["throughput"]["steps_per_s"] = 7.0
    assert key_figures(three_steps(summary=document)).steps_per_s == 7.0


@pytest.mark.parametrize("lost", ["throughput", "step_time_s", "staleness", "phases_s", "bottleneck"])
@pytest.mark.parametrize("wrong", [None, 3, []])
def test_a_summary_that_is_not_ours_is_an_error_with_a_remedy(lost: str, wrong: Any) -> None:
    document = {**result(three_steps()), lost: wrong}
    with pytest.raises(InvalidInputError, match="write the run again"):
        key_figures(three_steps(summary=document))


def test_a_run_in_which_nothing_was_measured_has_no_figures() -> None:
    assert maybe_figures(run_of(complete=False)) is None


def test_the_line_of_an_incomplete_run_has_no_numbers() -> None:
    row = run_row(run_of(complete=False))
    assert (row.ps, row.workers, row.mode) == (1, 2, "async")
    assert (row.steps_per_s, row.staleness_mean, row.complete) == (None, None, False)


# -- shares --------------------------------------------------------------------------------------------


def test_shares_of_a_histogram_count_from_zero_without_gaps() -> None:
    shares = staleness_shares({1: 3, 3: 1})
    assert shares.first == [0, 1, 2, 3]
    assert shares.share == [0, 0.75, 0, 0.25]


def test_a_long_histogram_is_put_together_in_bars_of_equal_width() -> None:
    histogram = dict.fromkeys(range(1000), 1)
    width = bar_width({0: 5}, histogram)
    shares = staleness_shares(histogram, width)
    assert len(shares.share) <= MAX_BARS
    assert sum(shares.share) == pytest.approx(1)
    # 999 // 60 + 1 = 17 values in a bar.
    assert shares.label(0) == "0 to 16"


def test_an_empty_histogram_has_no_bars() -> None:
    assert staleness_shares({}).share == []
    assert bar_width({}) == 1


def test_phase_shares_sum_to_one_and_are_empty_without_phases() -> None:
    # 1 pull, 3 forward, 4 backward, 1 push, 1 wait of 10 ms.
    shares = phase_shares(key_figures(three_steps()).phases)
    expected = {"pull": 0.1, "forward": 0.3, "backward": 0.4, "push": 0.1, "apply": 0.0, "wait": 0.1}
    assert shares == pytest.approx(expected)
    assert phase_shares({}) == {}


# -- moments -------------------------------------------------------------------------------------------


def sampled() -> Any:
    """Return a real run of two workers with steps 1 and 4 traced; the other worker is 5 ms behind."""
    steps, spans = [], []
    for i in range(6):
        traced = i in (1, 4)
        steps += [step(CHIEF, i, 10 * i, 10 * i + 10, traced=traced)]
        steps += [step(OTHER, i, 10 * i + 5, 10 * i + 15, traced=traced)]
        if traced:
            spans += [span(CHIEF, "compute", "forward", 10 * i, 10 * i + 5, of=i)]
            spans += [span(OTHER, "compute", "forward", 10 * i + 5, 10 * i + 10, worker=OTHER, of=i)]
    return run_of(steps, spans, kind=Kind.REAL)


def test_steps_in_a_row_make_one_moment() -> None:
    (moment,) = moments(three_steps(), 3)
    assert (moment.first, moment.last, moment.start, moment.length) == (0, 2, 0, 30 * MS)
    assert [(m.first, m.last) for m in moments(three_steps(), 2)] == [(0, 1), (2, 2)]


def test_a_moment_of_a_sample_lasts_until_the_others_traced_steps_end() -> None:
    found = moments(sampled(), 3)
    # Step 1 of the chief: 10 to 20 ms; that of the other worker, traced as well, ends at 25 ms.
    assert [(m.first, m.last, m.start // MS, m.end // MS) for m in found] == [(1, 1, 10, 25), (4, 4, 40, 55)]
    assert recorded(sampled()).traced == 4
    assert not recorded(sampled()).all


def test_the_chief_is_followed_unless_it_has_far_fewer_steps() -> None:
    for of_chief, followed in ((3, CHIEF), (1, OTHER)):
        steps = [step(CHIEF, i, 10 * i, 10 * i + 10) for i in range(of_chief)]
        steps += [step(OTHER, i, 10 * i, 10 * i + 10) for i in range(4)]
        run = run_of(steps, [span(CHIEF, "compute", "forward", 1, 2)])
        assert moments(run)[0].worker == followed


def test_a_run_that_kept_no_spans_has_no_moments_even_if_steps_were_sampled() -> None:
    assert moments(run_of([step(CHIEF, 0, 0, 10)], trace=TraceLevel.STEPS)) == []
    assert moments(run_of()) == []


def test_only_the_first_replication_has_moments() -> None:
    second = (1, *step(CHIEF, 7, 0, 10)[1:])
    run = run_of([step(CHIEF, 0, 0, 10), second], [span(CHIEF, "compute", "forward", 1, 2)])
    assert [m.first for m in moments(run)] == [0]
    assert recorded(run).steps == 1


def test_the_page_opens_on_the_first_moment_after_the_warm_up() -> None:
    steps = [step(CHIEF, i, 10 * i, 10 * i + 10) for i in range(6)]
    run = run_of(steps, [span(CHIEF, "compute", "forward", 1, 2)], made=scenario(warmup=3))
    # Local step i writes global step i + 1: step 3 writes 4, the first above 3.
    assert first_measured(run, moments(run, 1)) == 3
    assert first_measured(run, []) == 0


def test_two_runs_show_as_many_steps_as_the_sparser_one_has_in_a_row() -> None:
    assert steps_shown(three_steps()) == 3
    assert steps_shown(three_steps(), sampled()) == 1


def test_the_nearest_moment_is_the_one_whose_first_step_is_closest() -> None:
    assert nearest(moments(sampled()), 2).first == 1
    assert nearest(moments(sampled()), 99).first == 4


# -- bars ----------------------------------------------------------------------------------------------


def test_lanes_list_ps_before_workers_and_parts_in_order() -> None:
    run = run_of(
        [step(OTHER, 0, 0, 5), step(CHIEF, 0, 0, 5)],
        [
            span(OTHER, "nic_out", "push", 0, 1),
            span(OTHER, "compute", "forward", 0, 1),
            span(PS, "apply", "apply", 0, 1),
            span(PS, "nic_in", "push", 0, 1),
        ],
    )
    assert lanes(run) == [
        (PS, "nic_in"),
        (PS, "apply"),
        (CHIEF, STEP_LANE),
        (OTHER, STEP_LANE),
        (OTHER, "compute"),
        (OTHER, "nic_out"),
    ]
    assert set(LANE_ORDER) >= {lane for _, lane in lanes(run)}


def test_tasks_are_ordered_by_number_not_by_letter() -> None:
    tasks = [f"/job:worker/task:{i}" for i in (10, 9, 2)]
    run = run_of([step(task, 0, 0, 5) for task in tasks])
    assert [task for task, _ in lanes(run)] == tasks[::-1]


def test_bars_are_the_spans_that_touch_the_window_with_times_from_its_start() -> None:
    bars = span_bars(three_steps(), 8 * MS, 3 * MS)
    # The push of step 0 (8 to 9) and the pull of step 1 (10 to 11); what ends at 8 or starts at 11 is out.
    assert list(zip(bars.phase, (bars.start // MS).tolist(), (bars.length // MS).tolist(), strict=True)) == [
        ("push", 0, 1),
        ("pull", 2, 1),
    ]
    assert bars.window == 3 * MS


def test_parallel_spans_of_a_lane_get_rows_of_their_own() -> None:
    run = run_of([step(CHIEF, 0, 0, 5)], [span(PS, "nic_in", "push", 0, 2), span(PS, "nic_in", "push", 1, 3)])
    bars = span_bars(run, 0, 5 * MS)
    assert bars.row.tolist() == [0, 1]
    assert bars.rows.tolist() == [2, 2]


def test_very_many_parallel_spans_share_the_rows_of_a_lane() -> None:
    run = run_of([step(CHIEF, 0, 0, 5)], [span(PS, "nic_in", "push", 0, 2)] * (3 * MAX_ROWS))
    bars = span_bars(run, 0, 5 * MS)
    assert sorted(set(bars.row.tolist())) == list(range(MAX_ROWS))


def test_too_many_bars_are_joined_with_close_neighbours_of_their_kind() -> None:
    # 20 spans of 1 ms without gaps, alternating in phase after 10: two bars.
    spans = [span(CHIEF, "compute", "forward" if i < 10 else "backward", i, i + 1) for i in range(20)]
    bars = span_bars(run_of([step(CHIEF, 0, 0, 20)], spans), 0, 20 * MS, limit=5)
    assert bars.phase == ["forward", "backward"]
    assert bars.joined.tolist() == [10, 10]
    assert (bars.length // MS).tolist() == [10, 10]
    assert bars.window == 20 * MS


def test_spans_that_are_not_close_stay_apart_and_the_window_is_cut_instead() -> None:
    # Gaps of 1 ms are far more than JOIN of 40 ms.
    assert JOIN * 40 < 1
    spans = [span(CHIEF, "compute", "forward", 2 * i, 2 * i + 1) for i in range(20)]
    bars = span_bars(run_of([step(CHIEF, 0, 0, 40)], spans), 0, 40 * MS, limit=5)
    assert len(bars) == 5
    assert bars.joined.tolist() == [1] * 5
    # The sixth span begins at 10 ms.
    assert bars.window == 10 * MS


def test_steps_are_cut_at_the_edges_of_the_window() -> None:
    found = step_bars(three_steps(), 5 * MS, 10 * MS)
    assert [(s.step, s.start // MS, s.length // MS, s.traced) for s in found] == [(0, 0, 5, True), (1, 5, 5, True)]


def test_a_run_without_spans_has_no_bars() -> None:
    run = replace(three_steps())
    empty = run_of([step(CHIEF, 0, 0, 10)])
    assert len(span_bars(run, 10**12, MS)) == 0
    assert len(span_bars(empty, 0, MS)) == 0
