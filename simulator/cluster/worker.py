"""A worker: its client calls ``session.run`` again and again; each call is one step.

A step reads every variable from its ps (no snapshot: each read has its own moment), computes forward in
layer order and backward in reverse, sends each gradient to the ps of its variable as soon as it exists,
and ends when all are applied and ``global_step`` is incremented.  Nothing orders two workers.
docs/models/step.md says what real traces show of this and what is left out.
"""

import simpy

from simulator.cluster.context import Activity, Context
from simulator.cluster.coordinator import Coordinator
from simulator.cluster.cpu import Cpu
from simulator.cluster.network import Network
from simulator.cluster.ps import ParameterServer
from simulator.scenario.cluster import NetworkModel
from simulator.scenario.compute_times import factors
from simulator.scenario.layers import layers
from simulator.scenario.placement import variable_ps
from simulator.scenario.resolve import ResolvedCosts
from simulator.scenario.scenario import GLOBAL_STEP, Scenario
from simulator.scenario.workload import Overlap
from simulator.trace.schema import Lane, Phase
from simulator.units import MIB


class _Countdown:
    """An event that succeeds when as many things are done as it waits for."""

    __slots__ = ("event", "left")

    def __init__(self, env: simpy.Environment, count: int) -> None:
        self.event = env.event()
        self.left = count
        if count == 0:
            self.event.succeed()

    def done(self) -> None:
        self.left -= 1
        if self.left == 0:
            self.event.succeed()


class Worker:
    """One worker task."""

    def __init__(
        self,
        ctx: Context,
        name: str,
        *,
        scenario: Scenario,
        costs: ResolvedCosts,
        speed: float,
        cpu: Cpu,
        network: Network,
        servers: list[ParameterServer],
        coordinator: Coordinator,
    ) -> None:
        self.name = name
        self._ctx = ctx
        self._costs = costs
        self._cpu = cpu
        self._network = network
        self._coordinator = coordinator
        compute = scenario.workload.compute
        self._forward = compute.forward / speed
        self._backward = compute.backward / speed
        self._layered = compute.overlap is Overlap.PER_VARIABLE
        self._protocol = scenario.cluster.network.model is NetworkModel.TCP
        self._variables = scenario.variables
        self._layers = layers(scenario.variables)
        # The host's part of the compute: each layer's forward and backward has its share.
        self._overhead = costs.compute_overhead / speed / (2 * len(self._layers))
        self._layer_of = {v: i for i, layer in enumerate(self._layers) for v in layer.variables}
        place = variable_ps(scenario)
        self._place = [place[v.name] for v in scenario.variables]
        self._used = sorted(set(self._place))
        self._step_server = servers[place[GLOBAL_STEP]]
        self._servers = servers
        others = len({*self._used, place[GLOBAL_STEP]}) - 1
        self._dispatch = costs.session_start + costs.session_per_ps * others
        self._factors = factors(compute, ctx.streams.stream(f"{name}/compute"))
        # Of the step under way.
        self._owner = (name, 0)
        self._read: dict[int, int] = {}

    def run(self) -> Activity:
        """Train until the global step has reached the last one."""
        self._ctx.event(self.name, "session_created")
        step, read = 0, -1
        while not self._coordinator.should_stop(read):
            self._owner = (self.name, step)
            read = yield from self._step()
            step += 1
        self._ctx.event(self.name, "stop", f"global step {self._coordinator.global_step}")

    def _step(self) -> Activity:
        """Do one step; return the global step that it read."""
        env = self._ctx.env
        start = env.now
        yield from self._burst(self._cpu, self.name, Lane.CLIENT, Phase.WAIT, self._dispatch)
        read = self._coordinator.global_step
        arrived = self._pull()
        factor = next(self._factors)
        yield from self._compute_forward(arrived, factor)
        applied = self._expect_applies()
        yield from self._compute_backward(applied, factor)
        for ps in self._used:
            yield applied[ps].event
        written = yield from self._commit()
        yield from self._burst(self._cpu, self.name, Lane.CLIENT, Phase.WAIT, self._costs.session_end)
        ctx = self._ctx
        ctx.recorder.steps.append(
            (
                ctx.replication,
                *self._owner,
                read,
                written,
                round(start),
                round(env.now),
                ctx.traced(self._owner[1]),
            )
        )
        return read

    # -- pull ------------------------------------------------------------------------------------------

    def _pull(self) -> list[_Countdown]:
        """Ask for every variable; return for each layer what waits for its variables."""
        arrived = [_Countdown(self._ctx.env, len(layer.variables)) for layer in self._layers]
        for v in range(len(self._variables)):
            self._ctx.env.process(self._pull_one(v, arrived[self._layer_of[v]]))
        return arrived

    def _pull_one(self, v: int, arrived: _Countdown) -> Activity:
        server, variable = self._servers[self._place[v]], self._variables[v]
        request = self._network.latency(self.name, server.name) if self._protocol else 0
        if request:
            yield self._ctx.env.timeout(request)
        self._read[v] = server.read(variable.name)
        yield from self._message(
            server.cpu, server.name, self._cpu, self.name, Phase.PULL, variable.name, variable.size
        )
        arrived.done()

    # -- compute ---------------------------------------------------------------------------------------

    def _compute_forward(self, arrived: list[_Countdown], factor: float) -> Activity:
        if not self._layered:
            for pulled in arrived:
                yield pulled.event
        for i, layer in enumerate(self._layers):
            yield arrived[i].event
            yield from self._compute(Phase.FORWARD, layer.name, self._forward * layer.share * factor)

    def _compute_backward(self, applied: dict[int, _Countdown], factor: float) -> Activity:
        ready: list[int] = []
        for layer in reversed(self._layers):
            yield from self._compute(Phase.BACKWARD, layer.name, self._backward * layer.share * factor)
            ready += layer.variables
            if self._layered:
                self._push(ready, applied)
                ready = []
        self._push(ready, applied)

    def _compute(self, phase: Phase, layer: str, duration: float) -> Activity:
        env = self._ctx.env
        if duration > 0:
            start = env.now
            yield env.timeout(duration)
            self._ctx.span(self.name, Lane.COMPUTE, phase, self._owner, start, env.now, variable=layer)
        yield from self._burst(self._cpu, self.name, Lane.COMPUTE, phase, self._overhead, variable=layer)

    # -- push ------------------------------------------------------------------------------------------

    def _expect_applies(self) -> dict[int, _Countdown]:
        """Return for each ps with variables what waits for the applies of this step there."""
        return {ps: _Countdown(self._ctx.env, self._place.count(ps)) for ps in self._used}

    def _push(self, variables: list[int], applied: dict[int, _Countdown]) -> None:
        for v in variables:
            self._ctx.env.process(self._push_one(v, applied))

    def _push_one(self, v: int, applied: dict[int, _Countdown]) -> Activity:
        server, variable = self._servers[self._place[v]], self._variables[v]
        owner, read = self._owner, self._read[v]
        yield from self._message(
            self._cpu, self.name, server.cpu, server.name, Phase.PUSH, variable.name, variable.size
        )
        yield from server.apply(variable.name, variable.size, read, owner)
        applied[self._place[v]].done()

    def _commit(self) -> Activity:
        """Increment ``global_step`` on its ps once all gradients are applied; return its new value.

        Over gRPC this takes three messages in a row: each ps tells the worker, the worker tells the ps of
        ``global_step``, and that answers (control edges of the train op, seen in FULL_TRACE).
        """
        if not self._protocol:
            return self._coordinator.increment()
        told = [self._ctx.env.process(self._control(self._servers[ps], to_worker=True)) for ps in self._used]
        yield self._ctx.env.all_of(told)
        yield from self._control(self._step_server, to_worker=False)
        written = self._coordinator.increment()
        yield from self._control(self._step_server, to_worker=True)
        return written

    # -- messages --------------------------------------------------------------------------------------

    def _control(self, server: ParameterServer, *, to_worker: bool) -> Activity:
        """A message without payload."""
        ends = ((server.cpu, server.name), (self._cpu, self.name))
        (cpu, task), (peer_cpu, peer) = ends if to_worker else ends[::-1]
        yield from self._burst(cpu, task, Lane.RPC, Phase.WAIT, self._costs.message_send, peer=peer)
        latency = self._network.latency(task, peer)
        if latency:
            yield self._ctx.env.timeout(latency)
        yield from self._burst(peer_cpu, peer, Lane.RPC, Phase.WAIT, self._costs.message_receive, peer=task)

    def _message(
        self, cpu: Cpu, source: str, peer_cpu: Cpu, target: str, phase: Phase, variable: str, size: int
    ) -> Activity:
        """Move a tensor: a thread sends it, the network carries it, a thread receives it."""
        ctx, owner = self._ctx, self._owner
        handling = self._costs.message_per_mib * size / MIB
        yield from self._burst(
            cpu, source, Lane.RPC, phase, self._costs.message_send + handling, variable=variable, peer=target
        )
        ready, start, end = yield from self._network.send(source, target, size)
        ctx.span(source, Lane.NIC_OUT, Phase.WAIT, owner, ready, start, variable=variable, peer=target)
        ctx.span(source, Lane.NIC_OUT, phase, owner, start, end, variable=variable, size=size, peer=target)
        ctx.span(target, Lane.NIC_IN, phase, owner, start, end, variable=variable, size=size, peer=source)
        yield from self._burst(
            peer_cpu,
            target,
            Lane.RPC,
            phase,
            self._costs.message_receive + handling,
            variable=variable,
            peer=source,
        )

    def _burst(
        self,
        cpu: Cpu,
        task: str,
        lane: Lane,
        phase: Phase,
        duration: float,
        *,
        variable: str = "",
        peer: str = "",
    ) -> Activity:
        """Run for *duration* on a thread of a host; waiting for one is a span of its own."""
        if duration <= 0:
            return
        ctx, env, owner = self._ctx, self._ctx.env, self._owner
        asked = env.now
        start, end = cpu.reserve(duration)
        ctx.span(task, lane, Phase.WAIT, owner, asked, start, variable=variable, peer=peer)
        ctx.span(task, lane, phase, owner, start, end, variable=variable, peer=peer)
        yield env.timeout(end - asked)
