"""Fluid sharing: flows over links, each at its max-min fair rate.

Flows of one route always have the same rate, so they form a class with one virtual clock: the bytes each
of its flows has received.  A flow ends when that clock has advanced by its size; a change of rate moves no
flow.  Rates are solved once per instant at which flows start or end.
"""

import heapq
from collections.abc import Callable

import simpy

from simulator.policies.maxmin import max_min_rates

# After everything else that happens at an instant: one solve for all flows that start or end in it.
_AFTER_ALL = 5
# A flow whose rest takes less than this many ulps of the clock is over: the clock cannot tell it from now.
_ULPS = 4 * 2.220446049250313e-16

Route = tuple[int, ...]
RateChange = Callable[[int, float, float, int], None]


class _Class:
    """Flows of one route."""

    __slots__ = ("clock", "ends", "rate", "route")

    def __init__(self, route: Route) -> None:
        self.route = route
        self.rate = 0.0  # bytes per ns of each flow
        self.clock = 0.0  # bytes each flow has received since the class was last empty
        self.ends: list[tuple[float, int, simpy.Event]] = []


class Fluid:
    """Links (indices into *capacity*, bytes per ns) shared by flows.

    Args:
        env: the clock.
        capacity: bytes per ns of each link.
        on_change: called with link, time, bytes per ns and number of flows when a link's load changes.
    """

    def __init__(self, env: simpy.Environment, capacity: list[float], on_change: RateChange | None = None) -> None:
        self._env = env
        self._capacity = dict(enumerate(capacity))
        self._classes: dict[Route, _Class] = {}
        self._active: dict[Route, _Class] = {}
        self._since = 0.0
        self._serial = 0
        self._settling = False
        self._timer = 0
        self._on_change = on_change
        self._load: dict[int, tuple[float, int]] = {}

    def start(self, route: Route, size: float) -> simpy.Event:
        """Start a flow of *size* bytes; the event succeeds when its last byte has passed."""
        done = self._env.event()
        if not route or size <= 0:
            done.succeed()
            return done
        self._advance()
        flows = self._classes.setdefault(route, _Class(route))
        self._active[route] = flows
        self._serial += 1
        heapq.heappush(flows.ends, (flows.clock + size, self._serial, done))
        self._settle_later()
        return done

    def _advance(self) -> None:
        now = self._env.now
        passed = now - self._since
        if passed > 0:
            for flows in self._active.values():
                flows.clock += flows.rate * passed
        self._since = now

    def _settle_later(self) -> None:
        if self._settling:
            return
        self._settling = True
        event = self._env.event()
        event._ok, event._value = True, None
        event.callbacks.append(self._settle)
        self._env.schedule(event, priority=_AFTER_ALL)

    def _settle(self, _: simpy.Event) -> None:
        """Complete what has ended, solve the rates, and set the timer for the next end."""
        self._settling = False
        self._advance()
        now = self._env.now
        for route, flows in list(self._active.items()):
            reach = flows.clock + flows.rate * now * _ULPS + flows.clock * _ULPS
            while flows.ends and flows.ends[0][0] <= reach:
                heapq.heappop(flows.ends)[2].succeed()
            if not flows.ends:
                flows.clock, flows.rate = 0.0, 0.0
                del self._active[route]
        rates = max_min_rates(
            {route: route for route in self._active},
            self._capacity,
            {r: len(c.ends) for r, c in self._active.items()},
        )
        soonest = float("inf")
        for route, flows in self._active.items():
            flows.rate = rates[route]
            soonest = min(soonest, (flows.ends[0][0] - flows.clock) / flows.rate)
        if self._on_change is not None:
            self._report()
        self._timer += 1
        if soonest < float("inf"):
            mine = self._timer
            wake = self._env.timeout(max(0.0, soonest))
            wake.callbacks.append(lambda event: self._settle_later() if mine == self._timer else None)

    def _report(self) -> None:
        load: dict[int, tuple[float, int]] = {}
        for route, flows in self._active.items():
            for link in route:
                rate, count = load.get(link, (0.0, 0))
                load[link] = (rate + flows.rate * len(flows.ends), count + len(flows.ends))
        assert self._on_change is not None
        for link in sorted({*load, *self._load}):
            new = load.get(link, (0.0, 0))
            if new != self._load.get(link, (0.0, 0)):
                self._on_change(link, self._env.now, *new)
        self._load = load
