"""Named random streams: each its own, the same everywhere."""

import os
import subprocess
import sys

import numpy as np
import pytest

from simulator.rng import RandomStreams


def draws(name: str = "a", *, seed: int = 0, replication: int = 0, count: int = 5) -> list[float]:
    drawn: list[float] = RandomStreams(seed, replication).stream(name).random(count).tolist()
    return drawn


def test_the_same_name_gives_the_same_stream() -> None:
    streams = RandomStreams(3)
    assert streams.stream("a").random(5).tolist() == streams.stream("a").random(5).tolist() == draws(seed=3)


def test_names_seeds_and_replications_differ() -> None:
    first = [draws(), draws("b"), draws(seed=1), draws(replication=1), draws(seed=1, replication=1)]
    assert len({tuple(d) for d in first}) == len(first)


def test_seed_and_replication_do_not_trade_places() -> None:
    assert draws(seed=1, replication=2) != draws(seed=2, replication=1)


def test_a_draw_on_one_stream_moves_no_other() -> None:
    streams = RandomStreams(0)
    other = streams.stream("other")
    other.random(1000)
    assert streams.stream("a").random(5).tolist() == draws()


def test_streams_of_two_names_are_uncorrelated() -> None:
    a, b = draws("/job:worker/task:0", count=20_000), draws("/job:worker/task:1", count=20_000)
    # The correlation of n independent pairs has a standard deviation of 1 / sqrt(n) = 0.007: five of them.
    assert abs(float(np.corrcoef(a, b)[0, 1])) < 0.035


def test_a_stream_is_the_same_under_any_hash_seed() -> None:
    program = "from simulator.rng import RandomStreams; print(RandomStreams(5, 2).stream('é/x').random(3).tolist())"
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert said == [str(draws("é/x", seed=5, replication=2, count=3))] * 2


@pytest.mark.parametrize(("seed", "replication"), [(-1, 0), (0, -1)])
def test_a_negative_seed_is_refused(seed: int, replication: int) -> None:
    with pytest.raises(ValueError, match="not negative"):
        RandomStreams(seed, replication)


def test_the_largest_seed_a_scenario_may_have_is_taken() -> None:
    assert draws(seed=2**63 - 1) != draws(seed=0)
