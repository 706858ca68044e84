"""Where variables live, against replica_device_setter's rule done by hand."""

from simulator.scenario.placement import placement, variable_ps
from tests.builders import scenario

LAYERS = {"hidden/kernel": [2], "hidden/bias": [2], "out/kernel": [2], "out/bias": [2]}


def test_global_step_takes_the_first_turn_and_shifts_the_rest() -> None:
    # Turns:  0 global_step, 1 hidden/kernel, 2 hidden/bias, 3 out/kernel, 4 out/bias; turn % 2 is the ps.
    # So ps 1 holds all kernels and ps 0 all biases, as the classic 2-ps cluster does.
    assert placement(scenario(ps=2, shapes=LAYERS)) == {
        "global_step": "/job:ps/task:0",
        "hidden/kernel": "/job:ps/task:1",
        "hidden/bias": "/job:ps/task:0",
        "out/kernel": "/job:ps/task:1",
        "out/bias": "/job:ps/task:0",
    }


def test_with_three_ps_layers_wander() -> None:
    # Turns 0 to 4, modulo 3.
    assert list(variable_ps(scenario(ps=3, shapes=LAYERS)).values()) == [0, 1, 2, 0, 1]


def test_one_ps_holds_everything() -> None:
    assert set(variable_ps(scenario(shapes=LAYERS)).values()) == {0}


def test_more_ps_than_variables_leave_some_empty() -> None:
    assert variable_ps(scenario(ps=5, shapes={"v": [1]})) == {"global_step": 0, "v": 1}


def test_turns_follow_the_order_of_creation_not_of_names() -> None:
    assert list(variable_ps(scenario(ps=2, shapes={"z": [1], "a": [1]}))) == ["global_step", "z", "a"]
