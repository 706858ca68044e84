"""Named random streams: a new draw on one moves no other (CONVENTIONS section 3)."""

import hashlib

import numpy as np


class RandomStreams:
    """Independent generators, one per name, derived from a seed and a replication number.

    The key of a stream is ``SeedSequence([seed, replication, SHA-256(name)])``, so that streams are
    independent of the order in which they are asked for and of ``PYTHONHASHSEED``.
    """

    def __init__(self, seed: int, replication: int = 0) -> None:
        if seed < 0 or replication < 0:
            raise ValueError("seed and replication are not negative")
        self._entropy = (seed, replication)

    def stream(self, name: str) -> np.random.Generator:
        """Return a fresh generator for *name*; the same name gives the same sequence."""
        digest = hashlib.sha256(name.encode()).digest()
        words = np.frombuffer(digest, dtype="<u4").tolist()
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence([*self._entropy, *words])))
