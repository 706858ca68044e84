"""How long the compute of each step takes."""

from collections.abc import Iterator
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from simulator.scenario.workload import Compute, Distribution, DistributionKind
from simulator.units import parse_duration

_CHUNK = 256


def factors(compute: Compute, rng: np.random.Generator) -> Iterator[float]:
    """Yield for each step the factor on its nominal compute time; mean 1 but for ``empirical``.

    One factor a step, for forward and backward alike: what makes a step slow (its batch, its host) makes
    all of it slow.
    """
    while True:
        yield from _draw(compute, rng).tolist()


def _draw(compute: Compute, rng: np.random.Generator) -> NDArray[np.float64]:
    spec = compute.distribution
    match spec.kind:
        case DistributionKind.LOGNORMAL if spec.cv:
            sigma = sqrt(log(1 + spec.cv**2))
            return rng.lognormal(-(sigma**2) / 2, sigma, _CHUNK)
        case DistributionKind.EXPONENTIAL:
            return rng.exponential(1.0, _CHUNK)
        case DistributionKind.GAMMA if spec.cv:
            shape = spec.cv**-2
            return rng.gamma(shape, 1 / shape, _CHUNK)
        case DistributionKind.EMPIRICAL:
            return rng.choice(_factors(compute, spec), _CHUNK)
        case _:
            return np.ones(_CHUNK)


def _factors(compute: Compute, spec: Distribution) -> NDArray[np.float64]:
    """Return the values as factors: a duration is the compute of a whole step."""
    assert spec.values is not None
    nominal = max(1, compute.forward + compute.backward)
    return np.array([parse_duration(v) / nominal if isinstance(v, str) else v for v in spec.values])
