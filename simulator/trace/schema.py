"""Tables of a run folder.  Times are whole nanoseconds since the start of training, sizes whole bytes.

A change of these columns raises SCHEMA_VERSION; readers refuse a newer version.
"""

from enum import StrEnum

import pyarrow as pa

SCHEMA_VERSION = 1


class Kind(StrEnum):
    """Where a run comes from."""

    SIMULATED = "simulated"
    REAL = "real"


class TraceLevel(StrEnum):
    """How much of a run is kept."""

    NONE = "none"
    STEPS = "steps"
    FULL = "full"


class Phase(StrEnum):
    """What a step is doing.  Every moment of a step has one phase (analysis/phases.py)."""

    INIT = "init"
    WAIT = "wait"
    PULL = "pull"
    FORWARD = "forward"
    BACKWARD = "backward"
    PUSH = "push"
    APPLY = "apply"
    WAIT_TOKEN = "wait_token"
    CHECKPOINT = "checkpoint"
    RESTORE = "restore"
    DOWN = "down"


class Lane(StrEnum):
    """Which part of a task is busy."""

    CLIENT = "client"  # session.run: dispatch and return
    COMPUTE = "compute"
    NIC_OUT = "nic_out"  # a tensor leaves (wire or loopback)
    NIC_IN = "nic_in"
    RPC = "rpc"  # threads that serve messages
    APPLY = "apply"


STEPS = pa.schema(
    [
        ("replication", pa.int32()),
        ("task", pa.string()),
        ("local_step", pa.int64()),
        ("global_step_read", pa.int64()),
        ("global_step_written", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("traced", pa.bool_()),  # spans of this step were recorded
    ]
)
SPANS = pa.schema(
    [
        ("task", pa.string()),
        ("lane", pa.string()),
        ("slot", pa.int32()),  # spans of one (task, lane, slot) never overlap
        ("phase", pa.string()),
        ("worker", pa.string()),  # whose step it belongs to
        ("step", pa.int64()),  # local step of that worker
        ("variable", pa.string()),
        ("bytes", pa.int64()),
        ("peer", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
    ]
)
UPDATES = pa.schema(
    [
        ("replication", pa.int32()),
        ("worker", pa.string()),
        ("step", pa.int64()),
        ("shard", pa.string()),
        ("version_read", pa.int64()),
        ("version_applied", pa.int64()),  # versions applied before this one
        ("staleness", pa.int64()),
        ("time", pa.int64()),
        ("dropped", pa.bool_()),
    ]
)
LINKS = pa.schema([("link", pa.string()), ("time", pa.int64()), ("bit_per_s", pa.float64()), ("flows", pa.int32())])
EVENTS = pa.schema(
    [
        ("replication", pa.int32()),
        ("task", pa.string()),
        ("kind", pa.string()),
        ("time", pa.int64()),
        ("detail", pa.string()),
    ]
)

TABLES: dict[str, pa.Schema] = {
    "steps": STEPS,
    "spans": SPANS,
    "updates": UPDATES,
    "links": LINKS,
    "events": EVENTS,
}

# Spans, links: of the first replication only.  Which tables each level keeps:
KEPT: dict[TraceLevel, tuple[str, ...]] = {
    TraceLevel.NONE: (),
    TraceLevel.STEPS: ("steps", "updates", "events"),
    TraceLevel.FULL: ("steps", "spans", "updates", "links", "events"),
}
