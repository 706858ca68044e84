"""The threads of a host: first come, first served."""

import heapq

import simpy


class Cpu:
    """A pool of equal threads with one queue.

    Kept in closed form: because work arrives in order of time, its start and end are known on arrival
    (the thread that is free first takes it), and no event per queue position is needed.  Time slicing
    is left out: a burst runs to its end (docs/models/host.md).
    """

    def __init__(self, env: simpy.Environment, threads: int) -> None:
        self._env = env
        self._free = [0.0] * threads

    def reserve(self, duration: float, *, not_before: float = 0.0) -> tuple[float, float]:
        """Take a thread for *duration* ns from now (or *not_before*) on; return when it starts and ends."""
        ready = max(self._env.now, not_before)
        if duration <= 0:
            return ready, ready
        start = max(ready, self._free[0])
        heapq.heapreplace(self._free, start + duration)
        return start, start + duration
