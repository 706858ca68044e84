"""Which steps are measured, and over which time."""

import pytest

from simulator.analysis.result import result
from simulator.analysis.window import Window, windows
from simulator.errors import NothingMeasuredError
from simulator.run import simulate
from simulator.scenario.scenario import Scenario
from simulator.trace.folder import Run
from tests.builders import WORKER, run_of, scenario, step_row

OTHER = "/job:worker/task:1"


def run(*steps: tuple[object, ...], warmup: int = 0, last_step: int = 10, workers: int = 1) -> Run:
    return run_of(steps, made=scenario(warmup=warmup, last_step=last_step, workers=workers))


def found(made: Run) -> list[tuple[int, int, int, int]]:
    return [(w.replication, w.start, w.end, len(w.rows)) for w in windows(made)]


# Five steps of 10 ns, one after the other from 100 on; the i-th writes global step i + 1.
FIVE = [step_row(i, 100 + 10 * i, 110 + 10 * i) for i in range(5)]


def test_without_a_warm_up_the_window_opens_with_the_first_step() -> None:
    assert found(run(*FIVE)) == [(0, 100, 150, 5)]


def test_the_window_opens_when_the_warm_up_ends() -> None:
    # Global steps 1 and 2 are left out; step 2 ends at 120.
    assert found(run(*FIVE, warmup=2)) == [(0, 120, 150, 3)]


def test_the_window_closes_with_the_last_step_not_with_those_who_drain() -> None:
    # Global steps 1 to 3 count; those of 4 and 5 had begun before.
    assert found(run(*FIVE, last_step=3)) == [(0, 100, 130, 3)]


def test_it_follows_the_global_step_not_the_rows() -> None:
    # Worker 1 is slow: its step 3 ends last, after the window has opened with global step 2 at 40.
    rows = [
        step_row(0, 0, 20, written=1),
        step_row(1, 20, 40, written=2),
        step_row(0, 0, 60, written=3, task=OTHER),
        step_row(2, 40, 70, written=4),
    ]
    assert found(run(*rows, warmup=2, workers=2)) == [(0, 40, 70, 2)]


def test_each_replication_has_its_own() -> None:
    second = [step_row(i, 1000 * i, 1000 * (i + 1), replication=1) for i in range(3)]
    assert found(run(*FIVE, *second, warmup=1)) == [(0, 110, 150, 4), (1, 1000, 3000, 2)]


def test_a_replication_that_never_leaves_the_warm_up_has_none() -> None:
    second = [step_row(0, 0, 10, replication=1)]
    assert [w[0] for w in found(run(*FIVE, *second, warmup=3))] == [0]


def test_steps_that_end_in_the_moment_the_window_opens_leave_none() -> None:
    rows = [step_row(0, 0, 10, written=1), step_row(0, 0, 10, written=2, task=OTHER)]
    assert found(run(*rows, warmup=1, workers=2)) == []


def test_seconds_of_a_window() -> None:
    (window,) = windows(run(*FIVE))
    assert window.seconds == pytest.approx(50e-9)
    assert isinstance(window, Window)


@pytest.mark.parametrize("steps", [0, 3])
def test_a_warm_up_longer_than_the_run_leaves_nothing_to_report(steps: int) -> None:
    # The scenario's ten steps were meant; a run that was stopped has fewer than its warm-up of four.
    with pytest.raises(NothingMeasuredError) as caught:
        result(run(*FIVE[:steps], warmup=4))
    assert str(caught.value) == (
        f"built: no step was measured: {steps} steps ended, the warm-up is 4;"
        " run more steps or lower measure.warmup_steps"
    )


def test_a_simulation_is_measured_from_its_warm_up_to_its_last_step() -> None:
    made: Scenario = scenario(workers=3, last_step=30, warmup=5)
    simulated = simulate(made)
    (window,) = windows(simulated)
    # Every global step from 6 to 30 once; the drain (up to two more) is out.
    written = simulated.table("steps")["global_step_written"].to_numpy()[window.rows]
    assert sorted(written.tolist()) == list(range(6, 31))
    assert simulated.table("steps").num_rows > 30
    assert WORKER in simulated.table("steps")["task"].to_pylist()
