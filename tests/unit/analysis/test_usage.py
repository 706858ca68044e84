"""How busy NICs and threads are, against sums done by hand."""

from typing import Any

import pytest

from simulator.analysis.usage import TaskUsage, usage
from simulator.analysis.window import windows
from simulator.run import simulate
from tests.builders import PS, WORKER, run_of, scenario, span_row, step_row

# NICs of 8 Gbit/s carry one byte a nanosecond.
HOST = {"default": {"nic": "8 Gbit/s", "threads": 2}}


def uses(steps: list[Any], spans: list[Any], **changes: Any) -> dict[str, TaskUsage]:
    changes = {"cluster__hosts": HOST, "cluster__network__model": "ideal", **changes}
    run = run_of(steps, spans, made=scenario(**changes))
    (window,) = windows(run)
    return usage(run, window)


def transfer(start: int, end: int, size: int, **more: Any) -> list[Any]:
    """Return a pull as both ends see it."""
    return [
        span_row("nic_in", "pull", start, end, bytes=size, **more),
        span_row("nic_out", "pull", start, end, bytes=size, **{"task": PS, "peer": WORKER, **more}),
    ]


def test_a_nic_is_used_for_the_bytes_it_carries_not_for_the_time_that_takes() -> None:
    # 30 bytes in a window of 100 ns at a byte a nanosecond; that they took 60 ns is another's fault.
    found = uses([step_row(0, 0, 100)], transfer(0, 60, 30))
    assert found[WORKER].nic_in == pytest.approx(0.3)
    assert found[PS].nic_out == pytest.approx(0.3)
    assert (found[WORKER].nic_out, found[PS].nic_in) == (0, 0)
    assert (found[WORKER].bytes_in, found[PS].bytes_out, found[PS].bytes_in) == (30, 30, 0)


def test_a_line_carries_less_payload_than_its_rate() -> None:
    # Goodput 0.5: a byte takes two nanoseconds, 30 of them fill 60 of 100.
    found = uses([step_row(0, 0, 100)], transfer(0, 60, 30), workload__costs={"goodput": 0.5})
    assert found[WORKER].nic_in == pytest.approx(0.6)


def test_tasks_on_one_host_leave_its_nic_alone() -> None:
    found = uses([step_row(0, 0, 100)], transfer(0, 60, 30), cluster__colocate=[["ps:0", "worker:0"]])
    assert (found[WORKER].nic_in, found[PS].nic_out) == (0, 0)
    assert found[WORKER].bytes_in == 30


def test_threads_are_shared_compute_is_the_tasks_own() -> None:
    spans = [
        span_row("apply", "apply", 0, 40, task=PS),
        span_row("rpc", "push", 40, 60, task=PS),
        span_row("client", "init", 0, 10),
        span_row("compute", "forward", 10, 40),
        span_row("compute", "backward", 40, 70),
    ]
    found = uses([step_row(0, 0, 100)], spans)
    # Two threads: 40 of 200 ns; with the message 60 of 200.
    assert [found[PS].apply, found[PS].cpu] == pytest.approx([0.2, 0.3])
    assert [found[WORKER].compute, found[WORKER].cpu] == pytest.approx([0.6, 0.05])


def test_waiting_uses_nothing() -> None:
    found = uses([step_row(0, 0, 100)], [span_row("nic_in", "wait", 0, 60, bytes=30), *transfer(60, 90, 30)])
    assert found[WORKER].nic_in == pytest.approx(0.3)
    assert found[WORKER].bytes_in == 30


def test_steps_that_were_not_traced_are_taken_to_move_as_much() -> None:
    # Four steps of 100 ns, the second traced: 20 bytes in each of them, 80 in 400 ns.
    steps = [step_row(i, 100 * i, 100 * i + 100, traced=i == 1) for i in range(4)]
    found = uses(steps, transfer(100, 150, 20, step=1))
    assert found[WORKER].nic_in == pytest.approx(0.2)
    assert found[WORKER].bytes_in == 80


def test_the_warm_up_is_not_counted() -> None:
    steps = [step_row(0, 0, 100), step_row(1, 100, 200)]
    found = uses(steps, [*transfer(0, 100, 90), *transfer(100, 130, 10, step=1)], warmup=1)
    assert found[WORKER].nic_in == pytest.approx(0.1)


def test_every_task_is_listed_even_without_a_span() -> None:
    found = uses([step_row(0, 0, 100)], [], ps=2, workers=2)
    assert list(found) == ["/job:ps/task:0", "/job:ps/task:1", "/job:worker/task:0", "/job:worker/task:1"]
    idle = TaskUsage(nic_out=0, nic_in=0, apply=0, compute=0, cpu=0, bytes_out=0, bytes_in=0)
    assert set(found.values()) == {idle}


@pytest.mark.parametrize("workers", [1, 4, 12])
def test_no_use_of_a_crowded_cluster_passes_what_there_is(workers: int) -> None:
    made = scenario(
        workers=workers,
        shapes={"v": [2_000_000]},
        last_step=60,
        warmup=10,
        cluster__hosts={"default": {"nic": "1 Gbit/s", "threads": 1}},
    )
    run = simulate(made)
    (window,) = windows(run)
    found = usage(run, window)
    # Counted anew and not cut at 1, so that a share above it would show: all that left the ps in its window, and
    # what the few steps around its edges may add.
    rows = [s for s in run.table("spans").to_pylist() if s["task"] == PS and s["lane"] == "nic_out"]
    inside = sum(s["bytes"] for s in rows if s["start"] >= window.start and s["end"] <= window.end)
    assert 8 * inside <= 1e9 * window.seconds
    assert all(0 <= value <= 1 for use in found.values() for value in (use.nic_in, use.apply, use.compute, use.cpu))
    # One worker pulls half of the time and pushes the other half; of several, some pull while others push.
    assert found[PS].nic_out > (0.4 if workers == 1 else 0.5)
