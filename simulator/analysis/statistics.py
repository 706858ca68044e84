"""Means with confidence intervals, quantiles, distances between distributions."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

# Two-sided 95 % quantile of Student's t by degrees of freedom (1 to 30), then the normal one.
_T_95 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)  # fmt: skip
BATCHES = 10
MIN_STEPS_FOR_BATCHES = 100

Floats = NDArray[np.float64]


def t_quantile(degrees: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    return _T_95[degrees - 1] if degrees <= len(_T_95) else 1.96 + 2.4 / degrees


def interval(values: list[float]) -> list[float] | None:
    """Return the 95 % confidence interval of the mean of independent *values*; None for fewer than two."""
    if len(values) < 2:
        return None
    mean = float(np.mean(values))
    half = t_quantile(len(values) - 1) * float(np.std(values, ddof=1)) / sqrt(len(values))
    return [mean - half, mean + half]


def ks_distance(a: Floats, b: Floats) -> float:
    """Return the two-sample Kolmogorov-Smirnov distance: the largest gap between the two ECDFs."""
    if not len(a) or not len(b):
        raise ValueError("an empty sample: nothing to compare")
    a, b = np.sort(a), np.sort(b)
    points = np.concatenate([a, b])
    gap = np.searchsorted(a, points, "right") / len(a) - np.searchsorted(b, points, "right") / len(b)
    return float(np.max(np.abs(gap)))


def total_variation(a: dict[str, int], b: dict[str, int]) -> float:
    """Return the total-variation distance of two histograms: half the sum of differences of shares."""
    total_a, total_b = sum(a.values()), sum(b.values())
    if not total_a or not total_b:
        raise ValueError("an empty histogram: nothing to compare")
    return sum(abs(a.get(k, 0) / total_a - b.get(k, 0) / total_b) for k in sorted({*a, *b})) / 2
