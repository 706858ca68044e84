"""How it is trained, what goes wrong on the way, and what is measured."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, model_validator

from simulator.scenario.base import Count, Factor, Part, StepCount, TaskName
from simulator.units import BitsPerSecond, Bytes, Nanoseconds


class Mode(StrEnum):
    """What orders the workers."""

    ASYNC = "async"
    SYNC = "sync"
    SSP = "ssp"


class SyncRule(StrEnum):
    """Which gradients a synchronous step takes."""

    TENSORFLOW = "tensorflow"
    FIRST_K = "first_k"


class Placement(StrEnum):
    """The ``ps_strategy`` of replica_device_setter."""

    ROUND_ROBIN = "round_robin"
    GREEDY_BYTES = "greedy_bytes"


class MinMax(Part):
    """``tf.compat.v1.min_max_variable_partitioner``."""

    max_partitions: Count
    axis: Annotated[int, Field(strict=True, ge=0, le=16)] = 0
    min_slice_size: Bytes = 256 << 10


class VariableAxisSize(Part):
    """``tf.compat.v1.variable_axis_size_partitioner``."""

    max_shard_bytes: Bytes
    axis: Annotated[int, Field(strict=True, ge=0, le=16)] = 0
    max_shards: Count | None = None


class Partitioner(Part):
    """``none``, or one of TensorFlow's partitioners."""

    fixed: Count | None = None
    min_max: MinMax | None = None
    variable_axis_size: VariableAxisSize | None = None

    @model_validator(mode="before")
    @classmethod
    def _none_is_a_word(cls, value: Any) -> Any:
        return {} if value == "none" or value is None else value

    @model_validator(mode="after")
    def _at_most_one(self) -> "Partitioner":
        if len(self.model_fields_set) > 1:
            raise ValueError("give one partitioner: none, fixed, min_max or variable_axis_size")
        return self


class Checkpoint(Part):
    """``CheckpointSaverHook``."""

    every: Nanoseconds | None = None
    every_steps: StepCount | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> "Checkpoint":
        if (self.every is None) == (self.every_steps is None):
            raise ValueError("give either every (600 s) or every_steps (1000)")
        return self


class Training(Part):
    """Update rule, placement and end of the training."""

    mode: Mode = Mode.ASYNC
    replicas_to_aggregate: Count | None = None
    sync_rule: SyncRule | None = None
    staleness_bound: Annotated[int, Field(strict=True, ge=0, le=10**9)] | None = None
    placement: Placement = Placement.ROUND_ROBIN
    partitioner: Partitioner = Partitioner()
    last_step: StepCount = Field(default=1000, description="StopAtStepHook: global step at which training stops")
    checkpoint: Checkpoint | None = None


class FaultKind(StrEnum):
    """What happens to a task."""

    CRASH = "crash"
    SLOW = "slow"
    LINK = "link"


class InjectedFault(Part):
    """Something that goes wrong at a time."""

    at: Nanoseconds
    task: TaskName
    kind: FaultKind
    restart_after: Nanoseconds | None = None
    factor: Factor | None = None
    nic: BitsPerSecond | None = None
    for_: Nanoseconds | None = Field(default=None, alias="for")


class Measure(Part):
    """What is reported."""

    warmup_steps: Annotated[int, Field(strict=True, ge=0, le=10**12)] | None = Field(
        default=None, description="Global steps left out at the start; default 20, at most a tenth of last_step"
    )
    replications: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 5
