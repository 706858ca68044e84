"""Tables to figures, tested as functions."""

from typing import Any

import pytest

from dashboard.bars import lanes, span_bars, step_bars
from dashboard.figures.shares import phases_figure, staleness_figure
from dashboard.figures.style import (
    KIND_COLOURS,
    PHASE_COLOURS,
    graph_config,
    note_figure,
    phases_in_order,
    run_styles,
)
from dashboard.figures.timeline import WAIT_HEIGHT, timeline_figure
from dashboard.frames import staleness_shares
from simulator.trace.schema import Kind, Phase
from tests.unit.dashboard.dashboard_runs import CHIEF, MS, PS, run_of, span, step, three_steps

SCHEMES = ("light", "dark")
BOTH = run_styles(["simulated", "real"], [Kind.SIMULATED, Kind.REAL])


def timeline(run: Any, start: int = 0, length: int = 30 * MS, scheme: str = "light", **changes: Any) -> Any:
    given = {"length": length, "own": lanes(run), "scheme": scheme, **changes}
    return timeline_figure(lanes(run), span_bars(run, start, length), step_bars(run, start, length), **given)


def trace(figure: Any, name: str) -> Any:
    return next(t for t in figure.data if t.name and t.name.startswith(name))


def test_no_graph_offers_to_send_its_data_away() -> None:
    assert graph_config()["showSendToCloud"] is False
    assert graph_config()["displaylogo"] is False


def test_every_phase_has_a_colour_of_its_own_and_no_kind_of_run_has_it() -> None:
    assert set(PHASE_COLOURS) == set(Phase)
    kinds = [colour for pair in KIND_COLOURS.values() for colour in pair]
    all_colours = [*PHASE_COLOURS.values(), *kinds]
    assert len(set(all_colours)) == len(all_colours)


def test_a_real_run_is_hatched_and_a_simulated_one_solid() -> None:
    assert [style.pattern for style in BOTH] == ["", "/"]
    figure = staleness_figure([(style, staleness_shares({0: 1})) for style in BOTH], "light")
    assert [t.marker.pattern.shape for t in figure.data] == ["", "/"]


def test_two_runs_of_one_kind_differ_in_colour_and_pattern() -> None:
    first, second = run_styles(["a", "b"], [Kind.REAL, Kind.REAL])
    assert first.colour != second.colour
    assert first.pattern != second.pattern


def test_the_histogram_draws_the_shares_side_by_side() -> None:
    shares = [staleness_shares({0: 1, 1: 3}), staleness_shares({2: 1})]
    figure = staleness_figure(list(zip(BOTH, shares, strict=True)), "light")
    assert figure.layout.barmode == "group"
    assert list(figure.data[0].y) == [0.25, 0.75]
    assert list(figure.data[1].y) == [0, 0, 1]
    assert list(figure.layout.xaxis.categoryarray) == ["0", "1", "2"]


def test_a_histogram_of_nothing_is_a_figure_too() -> None:
    figure = staleness_figure([(BOTH[0], staleness_shares({}))], "light")
    assert len(figure.data[0].x) == 0


def test_phases_of_both_runs_are_stacked_in_the_order_of_a_step() -> None:
    figure = phases_figure([(BOTH[0], {"push": 0.5, "pull": 0.5}), (BOTH[1], {"wait": 1.0})], "dark")
    assert [t.name.split(" (")[0] for t in figure.data] == ["pull", "push", "wait"]
    assert [list(t.x) for t in figure.data] == [[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]]
    assert figure.layout.barmode == "stack"


def test_phases_that_we_do_not_know_come_last() -> None:
    assert phases_in_order(["zeta", "wait", "pull", "pull"]) == ["pull", "wait", "zeta"]


def test_the_timeline_draws_every_span_in_ms_on_the_row_of_its_lane() -> None:
    run = three_steps()
    figure = timeline(run)
    pull = trace(figure, "pull")
    # Pulls from 0, 10, 20 ms on, 1 ms each, on nic_in: step, compute, nic_in, nic_out from the top.
    assert list(pull.base) == [0, 10, 20]
    assert list(pull.x) == [1, 1, 1]
    assert list(pull.y) == [2, 2, 2]
    assert list(figure.layout.yaxis.ticktext) == ["<b>worker 0</b> step", "compute", "nic in", "nic out"]
    assert pull.marker.color == PHASE_COLOURS[Phase.PULL]


def test_waiting_is_thinner_than_work() -> None:
    spans = [span(PS, "apply", "wait", 0, 1), span(PS, "apply", "apply", 1, 2)]
    figure = timeline(run_of([step(CHIEF, 0, 0, 5)], spans))
    wait, work = trace(figure, "wait"), trace(figure, "apply")
    assert wait.width[0] == pytest.approx(work.width[0] * WAIT_HEIGHT)
    assert wait.y[0] == work.y[0]


def test_parallel_spans_do_not_cover_each_other() -> None:
    spans = [span(PS, "nic_in", "push", 0, 3), span(PS, "nic_in", "push", 1, 4)]
    push = trace(timeline(run_of([step(CHIEF, 0, 0, 5)], spans)), "push")
    (a, b), (wa, wb) = push.y, push.width
    assert abs(a - b) >= (wa + wb) / 2


def test_steps_without_spans_say_so() -> None:
    run = run_of(
        [step(CHIEF, 0, 0, 15), step(CHIEF, 1, 15, 30, traced=False)], [span(CHIEF, "compute", "forward", 0, 9)]
    )
    assert list(timeline(run).data[0].text) == ["step 0", "step 1, not traced"]


def test_rows_that_only_the_other_run_records_are_marked() -> None:
    run = three_steps()
    figure = timeline(run, own=lanes(run)[:2])
    assert [("n/a" in text) for text in figure.layout.yaxis.ticktext] == [False, False, True, True]


def test_a_bar_tells_what_it_is_when_pointed_at() -> None:
    lines = trace(timeline(three_steps()), "pull").hovertext[1].split("<br>")
    assert lines[0] == "<b>worker 0, nic in</b>"
    assert lines[2:] == ["v", "3.81e-05 MiB", "with ps 0", "for step 1 of worker 0", "1 ms, from 10 ms on"]


def test_the_time_axis_is_as_long_as_asked_for_even_if_this_run_is_shorter() -> None:
    assert list(timeline(three_steps(), length=90 * MS).layout.xaxis.range) == [0, 90]


def test_the_part_of_a_window_with_too_many_bars_is_covered() -> None:
    run = three_steps()
    whole, cut = span_bars(run, 0, 30 * MS), span_bars(run, 0, 30 * MS, limit=6)
    given: dict[str, Any] = {"length": 30 * MS, "own": lanes(run), "scheme": "light"}
    assert not timeline_figure(lanes(run), whole, [], **given).layout.annotations
    figure = timeline_figure(lanes(run), cut, [], **given)
    assert "not drawn" in figure.layout.annotations[0].text
    # The seventh span is the push of step 1, from 18 ms on: pull, forward, backward, push, pull, forward, backward.
    assert [(s.x0, s.x1) for s in figure.layout.shapes if s.yref == "paper"] == [(cut.window / MS, 30)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_figures_take_the_colours_of_the_page(scheme: str) -> None:
    figures = [timeline(three_steps(), scheme=scheme), note_figure("gone", scheme)]
    other = [timeline(three_steps(), scheme=s) for s in SCHEMES if s != scheme]
    assert figures[0].layout.font.color == figures[1].layout.font.color
    assert figures[0].layout.font.color != other[0].layout.font.color
    assert figures[0].layout.template != other[0].layout.template
