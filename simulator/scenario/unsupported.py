"""Fields of the format whose behaviour is not built yet: refused by name, never ignored."""

from collections.abc import Callable
from typing import Any

from simulator.scenario.cluster import DEFAULT_QUEUE
from simulator.scenario.document import Document, Loc
from simulator.units import QuantityError, parse_duration


def _given(value: Any) -> bool:
    return value is not None


def _is(*words: str) -> Callable[[Any], bool]:
    return lambda value: value in words


def _other_queue(value: Any) -> bool:
    try:
        return value is not None and parse_duration(value) != DEFAULT_QUEUE
    except QuantityError:
        return False  # reported as a bad quantity


# Path ("*": every key or index) and what makes a value there unsupported.
UNSUPPORTED: tuple[tuple[Loc, Callable[[Any], bool], str], ...] = (
    (("cluster", "hosts", "*", "queue"), _other_queue, "a queue other than 20 ms"),
    (("cluster", "network", "racks"), _given, "racks"),
    (("workload", "preset"), _given, "preset"),
    (("workload", "variables", "*", "sparse"), _given, "sparse variables"),
    (("training", "mode"), _is("sync", "ssp"), "a mode other than async"),
    (("training", "replicas_to_aggregate"), _given, "replicas_to_aggregate"),
    (("training", "sync_rule"), _given, "sync_rule"),
    (("training", "staleness_bound"), _given, "staleness_bound"),
    (("training", "placement"), _is("greedy_bytes"), "placement greedy_bytes"),
    (("training", "partitioner"), lambda v: v not in (None, "none", {}), "a partitioner"),
    (("training", "checkpoint"), _given, "checkpoint"),
    (("faults",), lambda v: bool(v), "faults"),
)


def _matches(document: Document, pattern: Loc, loc: Loc = ()) -> list[Loc]:
    if not pattern:
        return [loc]
    head, rest = pattern[0], pattern[1:]
    here = document.get(*loc)
    if head != "*":
        return _matches(document, rest, (*loc, head))
    keys: list[str | int] = []
    if isinstance(here, dict):
        keys = list(here)
    elif isinstance(here, list):
        keys = list(range(len(here)))
    return [found for key in keys for found in _matches(document, rest, (*loc, key))]


def refuse(document: Document) -> None:
    """Record a fault for every field in use whose behaviour is not built yet."""
    for pattern, used, what in UNSUPPORTED:
        for loc in _matches(document, pattern):
            if used(document.get(*loc)):
                document.fault(loc, f"{what}: not supported yet; leave it out", of_key=True)
