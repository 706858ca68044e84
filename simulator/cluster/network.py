"""The network between tasks (docs/models/network.md).

``ideal``: each tensor is a flow of its own, at its max-min fair share of the NICs, after one latency.
``tcp``: the tensors of one pair of tasks share a channel and pass one after the other (observed with
TensorFlow 2.21: one gRPC channel a pair of tasks, first in first out), and only the goodput of the line
rate carries payload.  Unequal sharing between channels, shallow queues and window limits are left out yet.
"""

from collections import deque

import simpy

from simulator.cluster.context import Activity, Context
from simulator.cluster.fluid import Fluid, Route
from simulator.scenario.cluster import NetworkModel
from simulator.scenario.resolve import ResolvedCosts
from simulator.scenario.scenario import Scenario, task_path
from simulator.trace.schema import Lane
from simulator.units import BITS_PER_BYTE, NS_PER_S


class _Channel:
    """First in, first out."""

    __slots__ = ("busy", "waiting")

    def __init__(self) -> None:
        self.busy = False
        self.waiting: deque[simpy.Event] = deque()


class Network:
    """Moves tensors between tasks; full-duplex NICs, one per host."""

    def __init__(self, ctx: Context, scenario: Scenario, costs: ResolvedCosts, *, record_links: bool) -> None:
        self._ctx = ctx
        self._latency = scenario.cluster.network.latency
        self._fifo = scenario.cluster.network.model is NetworkModel.TCP
        self._loopback = costs.loopback / BITS_PER_BYTE / NS_PER_S
        self._host = {task_path(t): i for i, m in enumerate(scenario.machines()) for t in m.tasks}
        rates = [m.nic * costs.goodput / BITS_PER_BYTE / NS_PER_S for m in scenario.machines() for _ in range(2)]
        # Host i sends through link 2 i and receives through link 2 i + 1.
        self._names = [
            f"{task_path(m.name)} {lane}"
            for m in scenario.machines()
            for lane in (Lane.NIC_OUT.value, Lane.NIC_IN.value)
        ]
        self._fluid = Fluid(ctx.env, rates, self._record if record_links else None)
        self._channels: dict[tuple[str, str], _Channel] = {}

    def latency(self, source: str, target: str) -> int:
        """Return the one-way latency between two tasks in ns: none within a host."""
        return 0 if self._host[source] == self._host[target] else self._latency

    def send(self, source: str, target: str, size: int) -> Activity:
        """Move *size* bytes; return when it was ready to go, when it started and when it had arrived (ns)."""
        env = self._ctx.env
        latency = self.latency(source, target)
        if latency:
            yield env.timeout(latency)
        ready = env.now
        channel = self._channels.setdefault((source, target), _Channel()) if self._fifo else None
        if channel is not None:
            if channel.busy:
                turn = env.event()
                channel.waiting.append(turn)
                yield turn
            channel.busy = True
        start = env.now
        if self._host[source] == self._host[target]:
            if self._loopback:
                yield env.timeout(size / self._loopback)
        else:
            yield self._fluid.start(self._route(source, target), size)
        if channel is not None:
            # The channel stays busy when somebody waits: it passes to the first in the queue.
            if channel.waiting:
                channel.waiting.popleft().succeed()
            else:
                channel.busy = False
        return ready, start, env.now

    def _route(self, source: str, target: str) -> Route:
        return (2 * self._host[source], 2 * self._host[target] + 1)

    def _record(self, link: int, time: float, bytes_per_ns: float, flows: int) -> None:
        rate = bytes_per_ns * BITS_PER_BYTE * NS_PER_S
        self._ctx.recorder.links.append((self._names[link], round(time), rate, flows))
