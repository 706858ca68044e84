"""What a budget says of a metric of two runs."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import Any

from simulator.scenario.budget import Level, Limit


class Verdict(StrEnum):
    """What a row, or the whole comparison, says."""

    PASS = "pass"
    FAIL = "fail"
    WARN = "warn"
    INFO = "info"  # the budget says nothing of it
    MISSING = "missing"  # in the budget, but not measured by both


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of both runs in its own unit; of a distance, only *difference*.

    ``reason`` says why a missing one is missing.
    """

    name: str
    first: float | None
    second: float | None
    difference: float | None
    limit: Limit | None
    verdict: Verdict
    reason: str | None = None

    @property
    def relative(self) -> float | None:
        """Difference as a share of the first run's value; None where that is 0, or too near to it for a float."""
        if self.difference is None or not self.first:
            return None
        share = self.difference / abs(self.first)
        return share if isfinite(share) else None

    @property
    def fails(self) -> bool:
        """Tell whether this row fails the gate."""
        gate = self.limit is not None and self.limit.level is Level.GATE
        return gate and self.verdict in (Verdict.FAIL, Verdict.MISSING)

    @property
    def warns(self) -> bool:
        """Tell whether this row is out of its budget at level ``warn``."""
        return self.limit is not None and self.verdict is not Verdict.PASS and not self.fails

    def as_json(self) -> dict[str, Any]:
        """Return the row as it stands in comparison.json."""
        limit = self.limit
        return {
            "name": self.name,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "relative": self.relative,
            "limit_relative": limit.relative if limit else None,
            "limit_absolute": limit.absolute if limit else None,
            "level": limit.level.value if limit else None,
            "verdict": self.verdict.value,
            "reason": self.reason,
        }


def judge(first: float | None, difference: float | None, limit: Limit | None) -> Verdict:
    """Return the verdict on *difference* from *first*.

    With both a relative and an absolute limit, either is enough: near zero a relative one is passed by
    nothing, far from zero an absolute one asks more than anybody means.
    """
    if limit is None:
        return Verdict.INFO
    if difference is None:
        return Verdict.MISSING
    within = limit.absolute is not None and abs(difference) <= limit.absolute
    if limit.relative is not None and first is not None:
        within = within or abs(difference) <= limit.relative * abs(first)
    if within:
        return Verdict.PASS
    return Verdict.FAIL if limit.level is Level.GATE else Verdict.WARN


def overall(rows: tuple[Row, ...]) -> Verdict:
    """Return ``fail`` when a gate is exceeded, ``pass`` when none is, ``info`` when nothing is judged."""
    if any(row.fails for row in rows):
        return Verdict.FAIL
    return Verdict.PASS if any(row.limit for row in rows) else Verdict.INFO
