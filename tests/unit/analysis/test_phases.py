"""Where the time of a step goes."""

from typing import Any

from simulator.analysis.phases import PRECEDENCE, step_of_spans, step_phases
from simulator.analysis.window import ints, windows
from simulator.run import simulate
from tests.builders import run_of, scenario, span_row, step_row

OTHER = "/job:worker/task:1"
NAMES = [*(p.value for p in PRECEDENCE), "wait"]


def phases(steps: list[Any], spans: list[Any], **changes: Any) -> list[dict[str, int]]:
    """Return per measured step its phases that take any time."""
    run = run_of(steps, spans, made=scenario(**changes))
    (window,) = windows(run)
    _, found = step_phases(run, window)
    return [{n: int(v) for n, v in zip(NAMES, row, strict=True) if v} for row in found]


def test_what_comes_one_after_the_other_is_counted_as_it_is() -> None:
    spans = [
        span_row("nic_in", "pull", 2, 10),
        span_row("compute", "forward", 10, 13),
        span_row("compute", "backward", 13, 19),
        span_row("nic_out", "push", 19, 24),
        span_row("apply", "apply", 25, 27, task="/job:ps/task:0"),
    ]
    # 0-2, 24-25 and 27-30 are nobody's: 6 ns of waiting.
    assert phases([step_row(0, 0, 30)], spans) == [
        {"pull": 8, "forward": 3, "backward": 6, "push": 5, "apply": 2, "wait": 6}
    ]


def test_a_moment_counts_for_the_compute_that_goes_on_in_it() -> None:
    # 0-4 pull alone; 4-10 pull under forward; 10-14 forward; 14-20 push under backward; 20-22 push; 22-25 nothing.
    spans = [
        span_row("nic_in", "pull", 0, 10),
        span_row("compute", "forward", 4, 14),
        span_row("compute", "backward", 14, 20),
        span_row("nic_out", "push", 15, 22),
    ]
    assert phases([step_row(0, 0, 25)], spans) == [{"pull": 4, "forward": 10, "backward": 6, "push": 2, "wait": 3}]


def test_two_pulls_at_once_take_their_time_once() -> None:
    spans = [span_row("nic_in", "pull", 0, 6), span_row("nic_in", "pull", 2, 8)]
    assert phases([step_row(0, 0, 10)], spans) == [{"pull": 8, "wait": 2}]


def test_what_lies_outside_the_step_is_cut_off() -> None:
    spans = [span_row("nic_in", "pull", 0, 30)]
    assert phases([step_row(0, 10, 20)], spans) == [{"pull": 10}]


def test_waiting_is_a_phase_only_where_nothing_else_goes_on() -> None:
    spans = [span_row("rpc", "wait", 0, 10), span_row("nic_in", "pull", 4, 6)]
    assert phases([step_row(0, 0, 10)], spans) == [{"pull": 2, "wait": 8}]


def test_a_span_belongs_to_the_step_of_its_worker() -> None:
    steps = [step_row(0, 0, 10), step_row(0, 0, 10, task=OTHER, written=2), step_row(1, 10, 20, written=3)]
    spans = [
        span_row("nic_in", "pull", 0, 4),
        span_row("nic_in", "pull", 0, 7, worker=OTHER, task=OTHER),
        span_row("nic_in", "pull", 10, 15, step=1),
    ]
    # Rows are sorted by end, then start, then task.
    assert phases(steps, spans, workers=2) == [{"pull": 4, "wait": 6}, {"pull": 7, "wait": 3}, {"pull": 5, "wait": 5}]


def test_spans_of_steps_that_are_not_asked_for_belong_to_none() -> None:
    run = run_of(
        [step_row(i, 10 * i, 10 * i + 10) for i in range(3)], [span_row("rpc", "wait", 0, 1, step=i) for i in (0, 2, 5)]
    )
    rows = ints(run, "steps", "local_step")[1:]
    # Rows 1 and 2 are asked for: step 0 and step 5 (which is nobody's) are not among them.
    assert sorted(step_of_spans(run, rows).tolist()) == [-1, -1, 1]


def test_steps_that_were_not_traced_have_no_phases() -> None:
    steps = [step_row(0, 0, 10), step_row(1, 10, 20, traced=False)]
    assert phases(steps, [span_row("nic_in", "pull", 0, 4)]) == [{"pull": 4, "wait": 6}]
    assert phases(steps, []) == []
    assert phases(steps[1:], [span_row("nic_in", "pull", 0, 4)]) == []


def test_the_phases_of_every_simulated_step_sum_to_it() -> None:
    # Ideal: no cost is added to the 2 ms of the backward pass.
    made = scenario(ps=2, workers=3, shapes={"a": [500, 500], "b": [9]}, last_step=40, cluster__network__model="ideal")
    run = simulate(made)
    (window,) = windows(run)
    rows, found = step_phases(run, window)
    length = (ints(run, "steps", "end") - ints(run, "steps", "start"))[rows]
    assert len(rows) == 40
    assert (found.sum(axis=1) == length).all()
    assert (found[:, NAMES.index("backward")] == 2_000_000).all()
