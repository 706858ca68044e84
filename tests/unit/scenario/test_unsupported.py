"""Fields whose behaviour is not built yet are refused by name: a scenario never means less than it says."""

from typing import Any

import pytest

from simulator.errors import DocumentError
from simulator.scenario.loader import loads_scenario
from simulator.scenario.unsupported import UNSUPPORTED
from tests.builders import scenario, scenario_yaml

# Path of the field with __ for the dot (and its value), the path that the fault names, and the words.
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"cluster__hosts": {"h": {"queue": "1 ms"}}}, "cluster.hosts.h.queue", "a queue other than 20 ms"),
    ({"cluster__network__racks": {"r": {"tasks": ["ps:0"], "uplink": "1 Gbit/s"}}}, "cluster.network.racks", "racks"),
    ({"workload__preset": "resnet50", "workload__variables": None}, "workload.preset", "preset"),
    (
        {"workload__variables": [{"name": "v", "shape": [9], "sparse": {"rows_per_step": 3}}]},
        "workload.variables[0].sparse",
        "sparse variables",
    ),
    ({"training__mode": "sync"}, "training.mode", "a mode other than async"),
    ({"training__mode": "ssp", "training__staleness_bound": 3}, "training.mode", "a mode other than async"),
    ({"training__replicas_to_aggregate": 1}, "training.replicas_to_aggregate", "replicas_to_aggregate"),
    ({"training__sync_rule": "first_k"}, "training.sync_rule", "sync_rule"),
    ({"training__staleness_bound": 3}, "training.staleness_bound", "staleness_bound"),
    ({"training__placement": "greedy_bytes"}, "training.placement", "placement greedy_bytes"),
    ({"training__partitioner": {"fixed": 2}}, "training.partitioner", "a partitioner"),
    ({"training__checkpoint": {"every": "600 s"}}, "training.checkpoint", "checkpoint"),
    ({"faults": [{"at": "1 s", "task": "ps:0", "kind": "crash"}]}, "faults", "faults"),
]


@pytest.mark.parametrize(("changes", "path", "what"), REFUSED, ids=[f"{r[1]}={next(iter(r[0]))}" for r in REFUSED])
def test_a_field_that_is_not_built_yet_is_refused_by_name(changes: dict[str, Any], path: str, what: str) -> None:
    with pytest.raises(DocumentError) as caught:
        loads_scenario(scenario_yaml(**changes))
    assert f"{what}: not supported yet; leave it out @ {path}\n" in str(caught.value)


def test_each_of_them_is_tested() -> None:
    assert {what for _, _, what in UNSUPPORTED} == {what for _, _, what in REFUSED}


def test_what_the_default_says_may_be_said() -> None:
    made = scenario(
        cluster__hosts={"h": {"queue": "20 ms"}},
        training__mode="async",
        training__placement="round_robin",
        training__partitioner="none",
        faults=[],
    )
    assert made.training == scenario().training
