"""The one door through which facts leave a run: rows in, tables out."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from simulator.trace.schema import TABLES

Row = tuple[Any, ...]


class Recorder:
    """Collects rows in memory, in the column order of trace/schema.py; ``slot`` of spans is filled at the end."""

    def __init__(self) -> None:
        self.steps: list[Row] = []
        self.spans: list[Row] = []  # without slot
        self.updates: list[Row] = []
        self.links: list[Row] = []
        self.events: list[Row] = []

    def tables(self) -> dict[str, pa.Table]:
        """Return everything recorded as arrow tables, each sorted by time."""
        spans = sorted(self.spans, key=lambda r: (r[8], r[9], r[0], r[1], r[3], r[4], r[5]))
        slots = assign_slots(spans)
        rows: dict[str, Iterable[Row]] = {
            "steps": sorted(self.steps, key=lambda r: (r[0], r[6], r[4], r[1])),
            "spans": [(r[0], r[1], slot, *r[2:]) for r, slot in zip(spans, slots, strict=True)],
            "updates": sorted(self.updates, key=lambda r: (r[0], r[7], r[3], r[5])),
            "links": self.links,
            "events": sorted(self.events, key=lambda r: (r[0], r[3], r[1], r[2])),
        }
        return {name: _table(schema, list(rows[name])) for name, schema in TABLES.items()}


def assign_slots(spans: list[Row]) -> np.ndarray:
    """Return for each span (sorted by start) the lowest slot of its (task, lane) that is free by then."""
    busy: dict[tuple[str, str], list[int]] = {}
    out = np.zeros(len(spans), dtype=np.int32)
    for i, row in enumerate(spans):
        ends = busy.setdefault((row[0], row[1]), [])
        start, end = row[8], row[9]
        for slot, until in enumerate(ends):
            if until <= start:
                ends[slot] = end
                out[i] = slot
                break
        else:
            out[i] = len(ends)
            ends.append(end)
    return out


def _table(schema: pa.Schema, rows: list[Row]) -> pa.Table:
    if not rows:
        return schema.empty_table()
    columns = list(zip(*rows, strict=True))
    return pa.table([pa.array(c, type=f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
