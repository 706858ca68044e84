"""What is trained: variables, compute of a step, optimizer, costs."""

from enum import StrEnum
from math import prod
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from simulator.scenario.base import VARIABLE_PATTERN, Factor, Part, Share
from simulator.units import BitsPerSecond, Nanoseconds, parse_duration


class DType(StrEnum):
    """Element types a variable can have here."""

    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    INT32 = "int32"
    INT64 = "int64"


ITEM_BYTES = {
    DType.FLOAT16: 2,
    DType.BFLOAT16: 2,
    DType.FLOAT32: 4,
    DType.FLOAT64: 8,
    DType.INT32: 4,
    DType.INT64: 8,
}

Dimension = Annotated[int, Field(strict=True, ge=1, le=2**40)]
MAX_RANK = 254  # TensorShape::MaxDimensions
MAX_VARIABLE_BYTES = 2**50
VariableName = Annotated[str, Field(pattern=VARIABLE_PATTERN, max_length=500)]


class Sparse(Part):
    """Only looked-up rows travel."""

    rows_per_step: Annotated[int, Field(strict=True, ge=1)]


class Variable(Part):
    """A variable as the graph creates it."""

    name: VariableName
    shape: Annotated[tuple[Dimension, ...], Field(max_length=MAX_RANK)]
    dtype: DType = DType.FLOAT32
    sparse: Sparse | None = None

    @field_validator("shape")
    @classmethod
    def _bounded(cls, shape: tuple[int, ...]) -> tuple[int, ...]:
        if prod(shape) > MAX_VARIABLE_BYTES:
            raise ValueError("the variable is larger than any this tool takes")
        return shape

    @property
    def size(self) -> int:
        """Bytes of the variable's value."""
        return prod(self.shape) * ITEM_BYTES[self.dtype]


class Optimizer(StrEnum):
    """Decides slots and apply cost."""

    SGD = "sgd"
    MOMENTUM = "momentum"
    ADAGRAD = "adagrad"
    ADAM = "adam"
    RMSPROP = "rmsprop"


# Memory traffic of an apply relative to sgd's, counting reads and writes of value, gradient and slots:
# sgd 3 (read value and gradient, write value); momentum, adagrad 5; adam, rmsprop (two slots) 7.
# tensorflow/core/kernels/training_ops.cc says which slots each kernel touches.
APPLY_TRAFFIC: dict[Optimizer, float] = {
    Optimizer.SGD: 1.0,
    Optimizer.MOMENTUM: 5 / 3,
    Optimizer.ADAGRAD: 5 / 3,
    Optimizer.ADAM: 7 / 3,
    Optimizer.RMSPROP: 7 / 3,
}


class DistributionKind(StrEnum):
    """How the compute time of a step varies."""

    DETERMINISTIC = "deterministic"
    LOGNORMAL = "lognormal"
    EXPONENTIAL = "exponential"
    GAMMA = "gamma"
    EMPIRICAL = "empirical"


class Distribution(Part):
    """The factor by which one step's compute differs from its mean; mean 1 but for ``empirical``."""

    kind: DistributionKind = DistributionKind.DETERMINISTIC
    cv: Annotated[float, Field(strict=True, ge=0, le=100, allow_inf_nan=False)] | None = Field(
        default=None, description="Coefficient of variation (lognormal, gamma)"
    )
    values: tuple[Annotated[float, Field(strict=True)] | str, ...] | None = Field(
        default=None,
        description="empirical: factors (numbers) or compute times of a step (with units)",
        max_length=10**6,
    )

    @field_validator("values")
    @classmethod
    def _of_one_kind(cls, values: tuple[float | str, ...] | None) -> tuple[float | str, ...] | None:
        if values is None:
            return None
        if not values:
            raise ValueError("give at least one value")
        if len({isinstance(v, str) for v in values}) != 1:
            raise ValueError("give either factors (1.1) or durations (33 ms), not both")
        for v in values:
            if isinstance(v, str):
                parse_duration(v)
            elif not 0 <= v <= 1e6:
                raise ValueError(f"{v!r} is not a factor between 0 and 1e6")
        return values

    @model_validator(mode="after")
    def _fits_its_kind(self) -> "Distribution":
        contradiction = misfit(self.kind, cv=self.cv is not None, values=self.values is not None)
        if contradiction:
            raise ValueError(contradiction)
        return self


def misfit(kind: str, *, cv: bool, values: bool) -> str:
    """Return what a distribution of *kind* lacks or has too much; empty when it fits."""
    wants_cv = kind in (DistributionKind.LOGNORMAL, DistributionKind.GAMMA)
    wants_values = kind == DistributionKind.EMPIRICAL
    found = []
    if wants_cv and not cv:
        found.append(f"kind {kind} needs cv, like cv: 0.05")
    if cv and not wants_cv:
        found.append(f"kind {kind} takes no cv")
    if wants_values and not values:
        found.append("kind empirical needs values, like values: [0.9, 1.0, 1.3]")
    if values and not wants_values:
        found.append(f"kind {kind} takes no values")
    return "; ".join(found)


class Overlap(StrEnum):
    """Whether transfers run beside the compute."""

    NONE = "none"
    PER_VARIABLE = "per_variable"


class Compute(Part):
    """Compute of one step on a host with speed 1, on an accelerator that burns no host CPU."""

    forward: Nanoseconds = 0
    backward: Nanoseconds = 0
    distribution: Distribution = Distribution()
    overlap: Overlap = Overlap.PER_VARIABLE


class Costs(Part):
    """Costs besides wire and compute; an absent one takes its default (docs/models/costs.md).

    All durations are CPU time on the threads of the host of the task that does the work.
    """

    session_start: Nanoseconds | None = Field(
        default=None, description="worker: from session.run until the ps have the request of the step"
    )
    session_per_ps: Nanoseconds | None = Field(
        default=None, description="worker: what dispatching a step to each ps beyond the first adds"
    )
    session_end: Nanoseconds | None = Field(
        default=None, description="worker: from the last reply until session.run returns"
    )
    message_send: Nanoseconds | None = Field(default=None, description="sender, for each tensor")
    message_receive: Nanoseconds | None = Field(default=None, description="receiver, for each tensor")
    message_per_mib: Nanoseconds | None = Field(
        default=None, description="sender and receiver each, for a MiB of tensor"
    )
    apply: Nanoseconds | None = Field(default=None, description="ps, for each applied gradient")
    apply_per_mib: Nanoseconds | None = Field(
        default=None,
        description="ps, for a MiB of variable under sgd; other optimizers by their memory traffic",
    )
    compute_overhead: Nanoseconds | None = Field(
        default=None,
        description="worker: host time of a step's ops beside the accelerator, all layers together",
    )
    goodput: Share | None = Field(default=None, description="payload share of the line rate")
    loopback: BitsPerSecond | None = Field(default=None, description="rate between tasks on one host")


class WorkloadModel(StrEnum):
    """Real models with real data."""

    DIGITS_MLP = "digits-mlp"


class Workload(Part):
    """What is trained."""

    variables: Annotated[tuple[Variable, ...], Field(min_length=1, max_length=100_000)] | None = None
    preset: str | None = None
    model: WorkloadModel | None = None
    batch_size: Annotated[int, Field(strict=True, ge=1, le=10**9)] = 32
    optimizer: Optimizer = Optimizer.SGD
    learning_rate: Factor = 0.01
    compute: Compute = Compute()
    profile: str | None = Field(default=None, description="A file written by `paramscope calibrate`")
    costs: Costs = Costs()


# sklearn.datasets.load_digits: 8 x 8 pixels, ten classes; one hidden layer.
DIGITS_MLP = (
    Variable(name="hidden/kernel", shape=(64, 128)),
    Variable(name="hidden/bias", shape=(128,)),
    Variable(name="output/kernel", shape=(128, 10)),
    Variable(name="output/bias", shape=(10,)),
)

MODEL_VARIABLES: dict[WorkloadModel, tuple[Variable, ...]] = {WorkloadModel.DIGITS_MLP: DIGITS_MLP}
