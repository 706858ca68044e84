"""Which resource limits the run, and one sentence of advice.

The verdict follows the time of a step, not the mean use of links: a NIC that is used 45 % each way while
the worker waits for it 90 % of the time is the bottleneck (docs/models/bottleneck.md).
"""

from dataclasses import dataclass

from simulator.analysis.usage import TaskUsage
from simulator.trace.schema import Phase

# Below this use of the busiest shared resource, waiting is not for a resource but for messages under way.
BUSY = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottleneck:
    """The limiting resource, its mean use (0 to 1) and what to do."""

    resource: str
    utilization: float
    advice: str


def bottleneck(phases: dict[str, float], usage: dict[str, TaskUsage]) -> Bottleneck:
    """Name the limiting resource from mean seconds per phase and the use of every task."""
    step = sum(phases.values())
    if step <= 0 or not usage:
        return Bottleneck(resource="unknown", utilization=0.0, advice="No step was traced: run with --trace full.")
    share = {name: seconds / step for name, seconds in phases.items()}
    compute = share.get(Phase.FORWARD, 0.0) + share.get(Phase.BACKWARD, 0.0)
    transfer = share.get(Phase.PULL, 0.0) + share.get(Phase.PUSH, 0.0)
    apply, wait = share.get(Phase.APPLY, 0.0), share.get(Phase.WAIT, 0.0)
    nic = _busiest(usage, ("nic_out", "nic_in"))
    threads = _busiest(usage, ("apply",))
    cpu = _busiest(usage, ("cpu",))
    if max(transfer, wait) >= compute and nic[1] >= max(BUSY, threads[1], cpu[1]):
        return _of(
            nic,
            f"the network: steps spend {transfer:.0%} in transfers;"
            " spread the variables over more ps or use faster NICs",
        )
    if max(apply, wait) >= compute and threads[1] >= BUSY:
        return _of(threads, "the ps: gradients wait for its threads; use more ps, more threads or a cheaper optimizer")
    if max(transfer, wait) >= compute and cpu[1] >= BUSY:
        return _of(cpu, "CPU for messages: use fewer, larger variables, more ps hosts or more threads")
    if compute >= max(transfer, apply, wait):
        worker = _busiest({k: v for k, v in usage.items() if "/job:worker" in k}, ("compute",))
        return _of(worker, f"compute: it fills {compute:.0%} of a step; more workers or faster ones help")
    if apply >= max(transfer, wait):
        return _of(threads, "applying gradients on the ps; a cheaper optimizer or faster ps helps")
    if transfer >= wait:
        return _of(nic, f"transfers: a step spends {transfer:.0%} in them; faster NICs or more ps help")
    return _of(
        cpu, f"fixed costs of a step: {wait:.0%} of it waits for dispatch and messages; larger batches per step help"
    )


def _busiest(usage: dict[str, TaskUsage], kinds: tuple[str, ...]) -> tuple[str, float]:
    if not usage:
        return "unknown", 0.0
    found = [(f"{task} {kind}", float(getattr(use, kind))) for task, use in usage.items() for kind in kinds]
    return max(found, key=lambda pair: pair[1])


def _of(resource: tuple[str, float], advice: str) -> Bottleneck:
    return Bottleneck(resource=resource[0], utilization=resource[1], advice=f"Limited by {advice}.")
