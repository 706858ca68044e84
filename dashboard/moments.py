"""The moments of a run that a timeline can show: a few steps of one worker whose spans were recorded."""

from dataclasses import dataclass

import numpy as np

from simulator.analysis.window import Ints, bools, ints, words
from simulator.trace.folder import Run

# How many steps one timeline shows when they were recorded one after the other.
STEPS_SHOWN = 3
# The chief is followed through a run unless it has less than this part of another worker's traced steps.
FEWER = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Local steps ``first`` to ``last`` of ``worker``, from ``start`` to ``end`` (ns since training began)."""

    worker: str
    first: int
    last: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """How long it lasts, in ns."""
        return self.end - self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """How many of the run's steps have spans."""

    traced: int
    steps: int

    @property
    def all(self) -> bool:
        """Whether every step has."""
        return self.traced == self.steps


def recorded(run: Run) -> Recorded:
    """Return how many steps of the first replication have spans (the others never have)."""
    first = ints(run, "steps", "replication") == 0
    traced = _traced(run) & first
    return Recorded(traced=int(traced.sum()), steps=int(first.sum()))


def moments(run: Run, count: int = 1) -> list[Moment]:
    """Return the moments of *run* in order of time, each of up to *count* traced steps in a row.

    They are steps of the chief, or of another worker when the chief has far fewer traced steps.  Where only
    a sample was traced, a moment lasts until the steps that others had traced beside it end as well.
    """
    rows = np.flatnonzero(_traced(run) & (ints(run, "steps", "replication") == 0))
    if len(rows) == 0:
        return []
    task, names = words(run, "steps", "task")
    step, start, end = (ints(run, "steps", c) for c in ("local_step", "start", "end"))
    often = np.bincount(task[rows], minlength=len(names))
    followed = [t for t in range(len(names)) if often[t] >= FEWER * often.max()]
    chosen = min(followed, key=lambda t: names[t])
    mine = rows[task[rows] == chosen]
    mine = mine[np.argsort(step[mine], kind="stable")]
    sampled = not recorded(run).all
    out = []
    for group in _in_a_row(step[mine], count):
        first, last = mine[group[0]], mine[group[-1]]
        until = int(end[last])
        if sampled:
            beside = rows[(start[rows] < end[last]) & (end[rows] > start[first])]
            until = int(end[beside].max())
        out.append(
            Moment(
                worker=names[chosen], first=int(step[first]), last=int(step[last]), start=int(start[first]), end=until
            )
        )
    return out


def steps_shown(*runs: Run) -> int:
    """Return how many steps a timeline of all *runs* shows: one where a run has no longer row of traced ones."""
    for run in runs:
        found = moments(run, STEPS_SHOWN)
        if found and all(m.last - m.first + 1 < STEPS_SHOWN for m in found):
            return 1
    return STEPS_SHOWN


def first_measured(run: Run, found: list[Moment]) -> int:
    """Return the index of the first moment after the warm-up; 0 when there is none."""
    if not found:
        return 0
    task, names = words(run, "steps", "task")
    measured = ints(run, "steps", "global_step_written") > run.scenario.warmup_steps
    mine = (task == names.index(found[0].worker)) & (ints(run, "steps", "replication") == 0) & measured
    steps = ints(run, "steps", "local_step")[mine]
    from_step = int(steps.min()) if len(steps) else 0
    return next((at for at, moment in enumerate(found) if moment.first >= from_step), 0)


def nearest(found: list[Moment], step: int) -> Moment:
    """Return the moment whose first step is nearest to *step*; *found* is not empty."""
    return min(found, key=lambda m: (abs(m.first - step), m.first))


def _traced(run: Run) -> np.ndarray:
    """Tell for each step whether its spans are kept: marked as traced, in a run that kept spans at all."""
    traced = bools(run, "steps", "traced")
    return traced if run.table("spans").num_rows else np.zeros_like(traced)


def _in_a_row(steps: Ints, count: int) -> list[Ints]:
    """Return index groups of up to *count* consecutive numbers each."""
    if len(steps) == 0:
        return []
    out = []
    for row in np.split(np.arange(len(steps)), np.flatnonzero(np.diff(steps) != 1) + 1):
        out += [row[at : at + count] for at in range(0, len(row), count)]
    return out
