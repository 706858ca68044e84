"""What limits a run, from phases and uses made up for the purpose."""

import pytest

from simulator.analysis.bottleneck import bottleneck
from simulator.analysis.usage import TaskUsage
from simulator.run import simulate
from tests.builders import PS, WORKER, scenario


def use(**shares: float) -> TaskUsage:
    return TaskUsage(
        **{"nic_out": 0.1, "nic_in": 0.1, "apply": 0.1, "compute": 0.1, "cpu": 0.1, **shares}, bytes_out=0, bytes_in=0
    )


def phases(**seconds: float) -> dict[str, float]:
    return {"pull": 0, "forward": 0, "backward": 0, "push": 0, "apply": 0, "wait": 0, **seconds}


@pytest.mark.parametrize(
    ("where", "ps", "worker", "resource", "advice"),
    [
        (phases(pull=5, push=3, backward=2), use(nic_out=0.95), use(), f"{PS} nic_out", "steps spend 80% in transfers"),
        (phases(pull=5, push=3, backward=2), use(), use(nic_in=0.9), f"{WORKER} nic_in", "the network"),
        # The same waiting for the channel, which is no transfer of one's own.
        (phases(wait=6, backward=4), use(nic_in=0.9), use(), f"{PS} nic_in", "the network"),
        (phases(wait=6, backward=4), use(apply=0.9), use(), f"{PS} apply", "gradients wait for its threads"),
        (phases(wait=6, backward=4), use(cpu=0.9), use(), f"{PS} cpu", "CPU for messages"),
        (phases(forward=3, backward=5, wait=2), use(), use(compute=0.8), f"{WORKER} compute", "it fills 80% of a step"),
        # Half of the time is where a resource begins to count as busy.
        (phases(wait=6, backward=4), use(nic_in=0.5), use(cpu=0.4), f"{PS} nic_in", "the network"),
        (phases(wait=6, backward=4), use(nic_in=0.49), use(cpu=0.4), f"{WORKER} cpu", "fixed costs of a step"),
        # A busy NIC that nobody waits for is not the limit.
        (phases(backward=8, wait=2), use(nic_out=0.7), use(compute=0.8), f"{WORKER} compute", "more workers"),
        (phases(apply=6, backward=4), use(apply=0.2), use(), f"{PS} apply", "a cheaper optimizer"),
        # A ps that idles for the most part, and steps that transfer all the time: one worker's own way.
        (phases(pull=8, backward=2), use(nic_out=0.4), use(nic_in=0.4), f"{PS} nic_out", "faster NICs or more ps"),
        (phases(wait=8, backward=2), use(), use(cpu=0.3), f"{WORKER} cpu", "fixed costs of a step: 80% of it"),
    ],
)
def test_the_limit_is_what_steps_wait_for(
    where: dict[str, float], ps: TaskUsage, worker: TaskUsage, resource: str, advice: str
) -> None:
    found = bottleneck(where, {PS: ps, WORKER: worker})
    assert found.resource == resource
    assert advice in found.advice
    assert found.advice.startswith("Limited by ")
    task, kind = resource.split()
    assert found.utilization == getattr({PS: ps, WORKER: worker}[task], kind)


@pytest.mark.parametrize(("where", "uses"), [({}, {}), (phases(), {PS: use()}), (phases(pull=1), {})])
def test_without_traced_steps_nothing_is_named(where: dict[str, float], uses: dict[str, TaskUsage]) -> None:
    found = bottleneck(where, uses)
    assert (found.resource, found.utilization) == ("unknown", 0)
    assert "run with --trace full" in found.advice


def of(**changes: object) -> str:
    summary = simulate(scenario(last_step=60, warmup=10, **changes)).info.summary
    assert summary is not None
    resource = summary["bottleneck"]["resource"]
    assert isinstance(resource, str)
    return resource


def test_simulated_clusters_are_limited_by_what_they_were_built_to_be_limited_by() -> None:
    big = {"v": [2_000_000]}
    # 8 MB each way at 1 Gbit/s: 64 ms, against 3 ms of compute.
    assert of(workers=4, shapes=big, cluster__hosts={"default": {"nic": "1 Gbit/s"}}).startswith(f"{PS} nic")
    # 40 bytes, against 300 ms of compute.
    assert of(workers=2, workload__compute__forward="300 ms").endswith(" compute")
    # An apply that takes 50 ms of a single thread, and four workers who wait for it.
    slow = {"apply": "50 ms"}
    assert of(workers=4, workload__costs=slow, cluster__hosts={"default": {"threads": 1}}) == f"{PS} apply"
