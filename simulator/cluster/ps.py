"""A parameter server: it holds variables, answers reads and applies gradients.  It starts nothing itself."""

from simulator.cluster.context import Activity, Context
from simulator.cluster.cpu import Cpu
from simulator.scenario.resolve import ResolvedCosts
from simulator.scenario.workload import APPLY_TRAFFIC, Optimizer
from simulator.trace.schema import Lane, Phase
from simulator.units import MIB


class ParameterServer:
    """One ps task: versions of its variables and the threads that apply gradients to them.

    Applies to one variable run one after the other; different variables run beside each other as far as
    there are threads.
    """

    def __init__(self, ctx: Context, name: str, cpu: Cpu, costs: ResolvedCosts, optimizer: Optimizer) -> None:
        self.name = name
        self.cpu = cpu
        self._ctx = ctx
        self._fixed = costs.apply
        self._per_byte = costs.apply_per_mib / MIB * APPLY_TRAFFIC[optimizer]
        self._version: dict[str, int] = {}
        self._free: dict[str, float] = {}

    def read(self, variable: str) -> int:
        """Return the version of *variable*: how many gradients have been applied to it."""
        return self._version.get(variable, 0)

    def apply(self, variable: str, size: int, read: int, owner: tuple[str, int]) -> Activity:
        """Apply the gradient that *owner*'s step computed from version *read*; the update is a fact."""
        env, ctx = self._ctx.env, self._ctx
        arrived = env.now
        start, end = self.cpu.reserve(self._fixed + self._per_byte * size, not_before=self._free.get(variable, 0.0))
        self._free[variable] = end
        ctx.span(self.name, Lane.APPLY, Phase.WAIT, owner, arrived, start, variable=variable, peer=owner[0])
        ctx.span(self.name, Lane.APPLY, Phase.APPLY, owner, start, end, variable=variable, peer=owner[0])
        if end > env.now:
            yield env.timeout(end - env.now)
        before = self.read(variable)
        self._version[variable] = before + 1
        ctx.recorder.updates.append(
            (ctx.replication, *owner, variable, read, before, before - read, round(env.now), False)
        )
