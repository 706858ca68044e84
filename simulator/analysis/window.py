"""The measured part of a run: after the warm-up, up to the last step."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.trace.folder import Run

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """One replication's measured interval, in ns, and the rows of ``steps`` that ended in it."""

    replication: int
    start: int
    end: int
    rows: Ints

    @property
    def seconds(self) -> float:
        """Its length."""
        return (self.end - self.start) / 1e9


def ints(run: Run, table: str, column: str) -> Ints:
    """Return an integer column as a numpy array."""
    return np.asarray(run.table(table)[column].to_numpy(), dtype=np.int64)


def bools(run: Run, table: str, column: str) -> NDArray[np.bool_]:
    """Return a yes/no column as a numpy array."""
    return np.asarray(run.table(table)[column].to_numpy(zero_copy_only=False), dtype=bool)


def words(run: Run, table: str, column: str) -> tuple[NDArray[np.int32], list[str]]:
    """Return a text column as codes and the texts they stand for."""
    column_ = run.table(table)[column].combine_chunks().dictionary_encode()
    if len(column_) == 0:
        return np.zeros(0, dtype=np.int32), []
    return np.asarray(column_.indices.to_numpy(zero_copy_only=False), np.int32), column_.dictionary.to_pylist()


def traced_rows(run: Run, window: Window) -> Ints:
    """Return the rows of *window* whose spans were recorded."""
    rows: Ints = window.rows[bools(run, "steps", "traced")[window.rows]]
    return rows


def windows(run: Run) -> list[Window]:
    """Return the window of each replication that has a measured step.

    It opens when the global step reaches the warm-up and closes when it reaches ``last_step``: the time in
    which workers drain after that (StopAtStepHook lets them finish their step) is no part of it.
    """
    replication = ints(run, "steps", "replication")
    written, start, end = (ints(run, "steps", c) for c in ("global_step_written", "start", "end"))
    warmup, last = run.scenario.warmup_steps, run.scenario.training.last_step
    out = []
    for r in np.unique(replication):
        rows = np.flatnonzero(replication == r)
        before = rows[written[rows] <= warmup]
        measured = rows[(written[rows] > warmup) & (written[rows] <= last)]
        if len(measured) == 0:
            continue
        opened = int(end[before].max()) if len(before) else int(start[rows].min())
        closed = int(end[measured].max())
        if closed > opened:
            out.append(Window(replication=int(r), start=opened, end=closed, rows=measured))
    return out
