"""Figures of a report, as functions."""

import pytest

from dashboard.figures import style
from simulator.analysis.compare import compare
from simulator.report import figures
from simulator.report.timeline import MAX_BARS, timeline_figures
from simulator.trace.folder import Run
from simulator.trace.schema import Kind
from tests.builders import MS, PS, WORKER, run_of, scenario, span_row, step_row
from tests.run_builder import SPANS, steady_run


def pair(steps: int = 40) -> tuple[Run, Run]:
    return steady_run(Kind.REAL, steps=steps), steady_run(Kind.SIMULATED, steps=steps)


def test_the_one_configuration_offers_no_upload() -> None:
    assert figures.config() == {"showSendToCloud": False, "displaylogo": False, "responsive": True}


def test_colour_is_never_the_only_cue() -> None:
    for kinds in ((Kind.REAL, Kind.SIMULATED), (Kind.SIMULATED, Kind.REAL), (Kind.REAL, Kind.REAL)):
        first, second = figures.sides((steady_run(kinds[0]), steady_run(kinds[1])))
        assert len({first.name, second.name}) == len({first.colour, second.colour}) == 2
        assert len({first.dash, second.dash}) == len({first.hatch, second.hatch}) == 2


def test_a_kind_keeps_its_colour_on_either_side() -> None:
    real, simulated = pair()
    assert figures.sides((real, simulated)) == figures.sides((simulated, real))[::-1]
    assert figures.sides((real, simulated))[0].hatch == "/"
    assert figures.sides((real, simulated))[1].dash == "solid"


def test_report_and_dashboard_have_the_same_colours() -> None:
    for phase, colour in figures.PHASE_COLOURS.items():
        assert style.PHASE_COLOURS[phase] == colour
    for kind, colour in figures.KIND_COLOURS.items():
        assert style.KIND_COLOURS[kind][0] == colour


def test_progress_is_global_step_over_time() -> None:
    # Steps of 10 ms, one behind the other: step n ends after n / 100 s.
    real, simulated = figures.progress_figure(pair()).data
    assert list(real.y) == list(range(1, 41))
    assert list(real.x) == pytest.approx([n / 100 for n in range(1, 41)])
    assert (real.line.dash, simulated.line.dash) == ("dash", "solid")


def test_long_series_are_thinned_and_keep_their_ends() -> None:
    line = figures.progress_figure(pair(steps=5000)).data[0]
    assert len(line.x) <= 1000
    assert (line.y[0], line.y[-1]) == (1, 5000)


def test_step_times_rise_to_all_of_the_steps() -> None:
    line = figures.step_time_figure(pair()).data[0]
    assert line.y[-1] == 1
    assert set(line.x) == {10}  # ms


def test_the_axis_of_step_times_ends_near_the_99th_percentile() -> None:
    # 300 steps of 10 ms and one of 10 s: the slow one would squeeze all others into a line.
    rows = [step_row(i, i * 10 * MS, (i + 1) * 10 * MS) for i in range(300)]
    slow = run_of([*rows, step_row(300, 3000 * MS, 13_000 * MS)], made=scenario(last_step=301))
    low, high = figures.step_time_figure((slow, slow)).layout.xaxis.range
    assert low < 10 < high < 20


def test_staleness_is_shown_in_shares() -> None:
    runs = (steady_run(Kind.REAL, staleness=[0, 1]), steady_run(steps=80, staleness=[1, 1, 2, 1]))
    real, simulated = figures.staleness_figure(runs, compare(*runs).results).data
    assert (list(real.x), list(real.y)) == ([0, 1], [0.5, 0.5])
    assert (list(simulated.x), list(simulated.y)) == ([1, 2], [0.75, 0.25])
    assert (real.marker.pattern.shape, simulated.marker.pattern.shape) == ("/", "")


def test_phases_stack_to_the_mean_step() -> None:
    runs = pair()
    bars = figures.phases_figure(runs, compare(*runs).results).data
    assert {bar.name: bar.x[0] for bar in bars} == pytest.approx(
        {"pull": 1, "forward": 3, "backward": 4, "push": 1, "apply": 0, "wait": 1}
    )


def drawn(run: Run, length: int) -> list[tuple[str, str, float, float]]:
    figure, _ = timeline_figures((run, run), length)
    assert figure is not None
    return sorted(
        (bar.name, task, base, width)
        for bar in figure.data
        for task, base, width in zip(bar.y, bar.base, bar.x, strict=True)
        if width
    )


def test_a_timeline_shows_the_steps_from_the_middle_on() -> None:
    # 41 steps: step 20 begins in the middle, at 200 ms.
    run = steady_run(steps=41)
    figure, _ = timeline_figures((run, run), 10 * MS)
    assert figure is not None
    assert "0.200 s" in figure.layout.xaxis.title.text
    assert drawn(run, 10 * MS) == sorted((phase, WORKER, a, b - a) for _, phase, a, b in SPANS)


def test_a_timeline_of_a_real_run_begins_at_the_first_of_a_row_of_traced_steps() -> None:
    traced = (10, 11, 12, 30, 31, 32)
    rows = [step_row(i, i * 10 * MS, (i + 1) * 10 * MS, traced=i in traced) for i in range(40)]
    spans = [span_row("compute", "forward", i * 10 * MS, (i * 10 + 4) * MS, step=i) for i in traced]
    run = run_of(rows, spans, kind=Kind.REAL, made=scenario(last_step=40))
    # Rows begin at 100 and 300 ms; both are 100 ms from the middle of the traced ones; the first is taken.
    assert drawn(run, 30 * MS) == [("forward", WORKER, 0, 4), ("forward", WORKER, 10, 4), ("forward", WORKER, 20, 4)]


def test_both_timelines_have_all_tasks_and_one_length() -> None:
    runs = pair()
    one, other = timeline_figures(runs, 25 * MS)
    assert one is not None
    assert other is not None
    assert one.layout.xaxis.range == other.layout.xaxis.range == (0, 25)
    assert one.layout.yaxis.categoryarray == (WORKER, PS)
    assert [bar.name for bar in one.data] == [bar.name for bar in other.data]


def test_spans_that_touch_are_one_bar() -> None:
    # Three pulls beside each other, 0-2, 1-3 and 3-4 ms, and one that stands apart, 6-7.
    spans = [span_row("nic_in", "pull", a * MS, b * MS) for a, b in ((0, 2), (1, 3), (3, 4), (6, 7))]
    run = run_of([step_row(0, 0, 10 * MS)], spans)
    assert drawn(run, 10 * MS) == [("pull", WORKER, 0, 4), ("pull", WORKER, 6, 1)]


def test_a_crowded_timeline_is_shortened_for_both_runs() -> None:
    # 200 tasks that each pull every 1 ms, in 100 ms: 20 000 bars that nobody can tell apart.
    tasks = [f"/job:worker/task:{i}" for i in range(200)]
    rows = [step_row(0, 0, 100 * MS, task=task) for task in tasks]
    spans = [
        span_row("nic_in", "pull", t * MS, t * MS + MS // 2, task=task, worker=task)
        for t in range(100)
        for task in tasks
    ]
    crowded = run_of(rows, spans, made=scenario(workers=200))
    one, other = timeline_figures((crowded, steady_run()), 100 * MS)
    assert one is not None
    assert other is not None
    # 200 bars begin each ms, and 1500 are the most: the first 7 ms, with 1400.
    assert sum(len(bar.x) for bar in one.data if any(bar.x)) == 1400 <= MAX_BARS
    assert one.layout.xaxis.range == other.layout.xaxis.range == (0, 7)


def test_a_run_without_spans_has_no_timeline() -> None:
    none, some = timeline_figures((steady_run(spans=False), steady_run()), 30 * MS)
    assert none is None
    assert some is not None
    assert timeline_figures((steady_run(spans=False), steady_run(spans=False)), 30 * MS) == [None, None]


def test_tasks_that_the_scenario_does_not_have_are_not_drawn() -> None:
    spans = [span_row("compute", "forward", 0, MS), span_row("compute", "forward", 0, MS, task="<script>")]
    run = run_of([step_row(0, 0, 10 * MS)], spans)
    assert drawn(run, 10 * MS) == [("forward", WORKER, 0, 1)]
