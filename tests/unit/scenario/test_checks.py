"""What must hold between fields; the broken files of tests/data cover most of it."""

from typing import Any

import pytest

from simulator.errors import DocumentError
from simulator.scenario.loader import loads_scenario
from tests.builders import scenario, scenario_yaml


def faults(**changes: Any) -> list[str]:
    with pytest.raises(DocumentError) as caught:
        loads_scenario(scenario_yaml(**changes))
    return [f"{fault.path}: {fault.message}" for fault in caught.value.faults]


def test_the_host_type_default_needs_no_entry() -> None:
    assert scenario(cluster__ps__host="default").host_type("ps:0").nic == 10**10


def test_default_may_be_given_other_numbers() -> None:
    assert scenario(cluster__hosts={"default": {"threads": 3}}).host_type("worker:0").threads == 3


def test_a_task_of_another_host_overrides_what_it_names_alone() -> None:
    made = scenario(
        workers=2,
        cluster__worker__host="gpu",
        cluster__hosts={"gpu": {"nic": "1 Gbit/s", "threads": 4, "speed": 2.0}},
        cluster__per_task={"worker:1": {"nic": "100 Mbit/s"}},
    )
    assert (made.host_type("worker:0").nic, made.host_type("worker:1").nic) == (10**9, 10**8)
    assert (made.host_type("worker:1").threads, made.host_type("worker:1").speed) == (4, 2.0)


def test_colocated_tasks_have_the_host_of_the_first() -> None:
    made = scenario(
        workers=2,
        cluster__per_task={"worker:1": {"threads": 3}},
        cluster__colocate=[["worker:1", "ps:0"]],
    )
    assert [(m.name, m.threads, m.tasks) for m in made.machines()] == [
        ("worker:1", 3, ("worker:1", "ps:0")),
        ("worker:0", 8, ("worker:0",)),
    ]


def test_what_another_says_of_the_shared_host_would_count_for_nothing_and_is_refused() -> None:
    found = faults(
        cluster__per_task={"worker:0": {"nic": "1 Gbit/s", "threads": 2, "speed": 0.5}},
        cluster__colocate=[["ps:0", "worker:0"]],
    )
    assert found == [
        "cluster.per_task.worker:0.nic: 'worker:0' shares the host of 'ps:0'; give nic for 'ps:0'",
        "cluster.per_task.worker:0.threads: 'worker:0' shares the host of 'ps:0'; give threads for 'ps:0'",
    ]


@pytest.mark.parametrize(
    ("distribution", "said"),
    [
        ({"kind": "lognormal"}, "kind lognormal needs cv, like cv: 0.05"),
        ({"kind": "gamma"}, "kind gamma needs cv, like cv: 0.05"),
        ({"cv": 0.1}, "kind deterministic takes no cv"),
        ({"kind": "exponential", "cv": 0.1}, "kind exponential takes no cv"),
        ({"kind": "empirical"}, "kind empirical needs values, like values: [0.9, 1.0, 1.3]"),
        ({"kind": "gamma", "values": [1.0]}, "kind gamma needs cv, like cv: 0.05; kind gamma takes no values"),
    ],
)
def test_a_distribution_has_what_its_kind_needs_and_nothing_else(distribution: dict[str, Any], said: str) -> None:
    assert faults(workload__compute__distribution=distribution) == [f"workload.compute.distribution: {said}"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "give at least one value"),
        ([1.0, "3 ms"], "give either factors (1.1) or durations (33 ms), not both"),
        (["3"], "'3' is not a duration; write it like 50 us"),
        ([-1.0], "-1.0 is not a factor between 0 and 1e6"),
        ([float("nan")], "nan is not a factor between 0 and 1e6"),
    ],
)
def test_empirical_values_are_factors_or_durations(values: list[Any], said: str) -> None:
    (found,) = faults(workload__compute__distribution={"kind": "empirical", "values": values})
    assert said in found


def test_empirical_durations_of_no_compute_would_count_for_nothing() -> None:
    nothing = {"distribution": {"kind": "empirical", "values": ["3 ms"]}, "backward": "0 s"}
    assert faults(workload__compute=nothing) == [
        "workload.compute.distribution.values: durations of a step are split as forward and backward are;"
        " give these, too"
    ]


def test_one_of_variables_and_model_is_trained() -> None:
    assert faults(workload__variables=None) == ["workload: nothing is trained; give one of variables, preset, model"]
    made = scenario(workload__variables=None, workload__model="digits-mlp")
    # 64 pixels, 128 hidden, 10 digits: kernels and biases.
    assert [v.shape for v in made.variables] == [(64, 128), (128,), (128, 10), (10,)]


def test_the_warm_up_leaves_something_to_measure() -> None:
    assert faults(last_step=10, warmup=10) == [
        "measure.warmup_steps: the warm-up of 10 steps leaves nothing of 10 steps to measure"
    ]
    assert scenario(last_step=10, warmup=9).warmup_steps == 9
    # last_step is 1000 when it is not given.
    assert faults(training={}, warmup=1000) != []


@pytest.mark.parametrize(("last", "warmup"), [(1000, 20), (200, 20), (199, 19), (9, 0)])
def test_without_a_word_the_warm_up_is_20_steps_or_a_tenth(last: int, warmup: int) -> None:
    assert scenario(last_step=last, warmup=None).warmup_steps == warmup


def test_as_many_gradients_a_step_as_one_likes() -> None:
    # TensorFlow's SyncReplicasOptimizer lets replicas_to_aggregate pass total_num_replicas; only "not yet" is said.
    found = faults(workers=2, training__mode="sync", training__replicas_to_aggregate=4)
    assert all("not supported yet" in fault for fault in found)
