"""Flows over links, against times derived by hand."""

import pytest
import simpy

from simulator.cluster.fluid import Fluid


def arrivals(capacity: list[float], flows: list[tuple[float, tuple[int, ...], float]]) -> list[float]:
    """Start flows (at, route, size) and return when each has passed."""
    env = simpy.Environment(initial_time=0.0)
    fluid = Fluid(env, capacity)
    ends = [0.0] * len(flows)

    def flow(i: int, at: float, route: tuple[int, ...], size: float) -> simpy.events.ProcessGenerator:
        yield env.timeout(at)
        yield fluid.start(route, size)
        ends[i] = env.now

    for i, (at, route, size) in enumerate(flows):
        env.process(flow(i, at, route, size))
    env.run()
    return ends


def test_one_flow_has_the_link_to_itself() -> None:
    assert arrivals([2.0], [(0, (0,), 10)]) == pytest.approx([5])


def test_two_flows_share_and_the_longer_one_speeds_up() -> None:
    # Half each until the short one is through at 4 (2 bytes at 0.5); the other has 2 of 6 then, 4 more at 1.
    assert arrivals([1.0], [(0, (0,), 2), (0, (0,), 6)]) == pytest.approx([4, 8])


def test_a_later_flow_slows_an_earlier_one() -> None:
    # Alone for 3 (3 bytes), then both at 0.5: 3 left take 6 -> 9; the second has 3 of 5 then, 2 more -> 11.
    assert arrivals([1.0], [(0, (0,), 6), (3, (0,), 5)]) == pytest.approx([9, 11])


def test_a_flow_held_elsewhere_leaves_its_share_to_the_others() -> None:
    # x = 10, y = 4; a crosses both, b only x, c only y: a = c = 2, b = 8.  b: 16 / 8 = 2.  At 2 nothing
    # changes for a and c (y is still the tighter): 8 / 2 = 4.
    assert arrivals([10.0, 4.0], [(0, (0, 1), 8), (0, (0,), 16), (0, (1,), 8)]) == pytest.approx([4, 2, 4])


def test_nothing_to_move_takes_no_time() -> None:
    assert arrivals([1.0], [(1, (0,), 0), (2, (), 5)]) == pytest.approx([1, 2])


def test_thousands_of_equal_flows_end_together() -> None:
    ends = arrivals([1.0], [(0, (0,), 1.0)] * 3000)
    assert min(ends) == pytest.approx(3000)
    assert max(ends) == pytest.approx(3000)
