"""Threads of a host."""

import simpy

from simulator.cluster.cpu import Cpu


def test_work_runs_beside_other_work_while_threads_are_free() -> None:
    cpu = Cpu(simpy.Environment(initial_time=0.0), 2)
    # Two threads: the third waits for the one that is free first (at 3), the fourth for the other (at 5).
    assert [cpu.reserve(d) for d in (5, 3, 4, 1)] == [(0, 5), (0, 3), (3, 7), (5, 6)]


def test_work_that_must_wait_keeps_its_moment() -> None:
    cpu = Cpu(simpy.Environment(initial_time=0.0), 1)
    assert cpu.reserve(2, not_before=10) == (10, 12)


def test_no_work_takes_no_thread() -> None:
    cpu = Cpu(simpy.Environment(initial_time=0.0), 1)
    cpu.reserve(5)
    assert cpu.reserve(0) == (0, 0)
