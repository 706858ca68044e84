"""scikit-learn's handwritten digits: 1,797 real images that come with the package."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_HELD_OUT = 360  # one fifth
_SPLIT_SEED = 0  # the split is part of the data set, not of a run


@dataclass(frozen=True, slots=True, kw_only=True)
class Digits:
    """Images (n, 64) scaled to 0..1 and labels (n,), split once and for all."""

    train_x: NDArray[np.float32]
    train_y: NDArray[np.int32]
    test_x: NDArray[np.float32]
    test_y: NDArray[np.int32]


def load() -> Digits:
    """Load and split the data set."""
    from sklearn.datasets import load_digits

    data = load_digits()
    order = np.random.default_rng(_SPLIT_SEED).permutation(len(data.target))
    x = (data.data[order] / 16).astype(np.float32)
    y = data.target[order].astype(np.int32)
    return Digits(train_x=x[_HELD_OUT:], train_y=y[_HELD_OUT:], test_x=x[:_HELD_OUT], test_y=y[:_HELD_OUT])
