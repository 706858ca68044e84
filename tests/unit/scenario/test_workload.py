"""Sizes of variables, layers, compute times."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from simulator.rng import RandomStreams
from simulator.scenario.compute_times import factors
from simulator.scenario.layers import layers
from simulator.scenario.workload import ITEM_BYTES, DType
from tests.builders import scenario


def drawn(distribution: dict[str, Any], count: int = 50_000, **compute: Any) -> np.ndarray:
    made = scenario(workload__compute__distribution=distribution, **compute).workload.compute
    return np.array(list(islice(factors(made, RandomStreams(0).stream("test")), count)))


@pytest.mark.parametrize(
    ("shape", "dtype", "size"),
    [([784, 100], "float32", 313_600), ([], "float64", 8), ([3], "bfloat16", 6), ([2, 3, 4], "int64", 192)],
)
def test_a_variable_has_the_bytes_of_its_shape(shape: list[int], dtype: str, size: int) -> None:
    made = scenario(workload__variables=[{"name": "v", "shape": shape, "dtype": dtype}])
    assert made.variables[0].size == size


def test_every_type_has_a_size() -> None:
    assert set(ITEM_BYTES) == set(DType)


def test_neighbours_of_one_scope_are_a_layer_with_an_equal_share() -> None:
    made = layers(scenario(shapes={"a/kernel": [1], "a/bias": [1], "v": [1], "b/c/kernel": [1], "a/x": [1]}).variables)
    # a comes twice: creation order is what the backward pass follows.
    assert [(la.name, la.variables) for la in made] == [("a", (0, 1)), ("v", (2,)), ("b/c", (3,)), ("a", (4,))]
    assert all(la.share == 0.25 for la in made)


def test_deterministic_compute_is_always_the_same() -> None:
    assert set(drawn({"kind": "deterministic"}, 600).tolist()) == {1.0}


# Standard error of the mean: cv / sqrt(50000) = cv / 224; five of them are allowed.  The spread of a spread
# depends on the fourth moment, which is large for lognormal and exponential: 5 %.
@pytest.mark.parametrize(
    ("distribution", "cv"),
    [
        ({"kind": "lognormal", "cv": 0.05}, 0.05),
        ({"kind": "lognormal", "cv": 0.5}, 0.5),
        ({"kind": "gamma", "cv": 0.3}, 0.3),
        ({"kind": "exponential"}, 1.0),
    ],
)
def test_a_distribution_has_mean_1_and_its_spread(distribution: dict[str, Any], cv: float) -> None:
    values = drawn(distribution)
    assert values.mean() == pytest.approx(1, abs=5 * cv / 224)
    assert values.std() / values.mean() == pytest.approx(cv, rel=0.05)
    assert values.min() > 0


def test_without_spread_a_distribution_is_deterministic() -> None:
    assert set(drawn({"kind": "lognormal", "cv": 0}, 600).tolist()) == {1.0}
    assert set(drawn({"kind": "gamma", "cv": 0.0}, 600).tolist()) == {1.0}


def test_empirical_factors_are_drawn_as_given() -> None:
    values = drawn({"kind": "empirical", "values": [0.5, 2.0]})
    assert set(values.tolist()) == {0.5, 2.0}
    # Fair coin, 50000 throws: standard deviation of the share 0.0022.
    assert (values == 2.0).mean() == pytest.approx(0.5, abs=0.012)


def test_empirical_durations_are_of_a_whole_step() -> None:
    # The builder's step is 1 ms forward and 2 ms backward: 6 ms are twice that, 1.5 ms half.
    assert set(drawn({"kind": "empirical", "values": ["6 ms", "1.5 ms"]}, 600).tolist()) == {2.0, 0.5}
