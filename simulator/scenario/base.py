"""What all parts of the scenario share: the frozen base model and bounded numbers."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Part(BaseModel):
    """A part of a document: immutable, and every unknown field is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False, ser_json_inf_nan="constants")


MAX_TASKS = 100_000
MAX_STEPS = 10**12

Count = Annotated[int, Field(strict=True, ge=1, le=MAX_TASKS)]
StepCount = Annotated[int, Field(strict=True, ge=1, le=MAX_STEPS)]
Factor = Annotated[float, Field(strict=True, gt=0, le=1e6, allow_inf_nan=False)]
Share = Annotated[float, Field(strict=True, gt=0, le=1, allow_inf_nan=False)]

NAME_PATTERN = r"^[a-z0-9-]+$"
TASK_PATTERN = r"^(ps|worker):(0|[1-9][0-9]{0,5})$"
HOST_PATTERN = r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$"
ADDRESS_PATTERN = r"^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9_.-]+):[0-9]{1,5}$"
# tf.Graph's rule for op names, without the leading "/" (tensorflow/python/framework/ops.py).
VARIABLE_PATTERN = r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$"
# What to write instead; faults.py says it to people who do not read regular expressions.
PATTERN_WORDS = {
    NAME_PATTERN: "is no name; use small letters, digits and '-', like my-cluster",
    TASK_PATTERN: "is no task; write it like ps:0 or worker:1",
    HOST_PATTERN: "is no host type; use letters, digits, '_', '-' and '.', like gpu_node",
    ADDRESS_PATTERN: "is no address; write it like ps0.example.com:2222",
    VARIABLE_PATTERN: "is no name of a variable; use letters, digits, '_', '.', '-' and '/', like dense/kernel",
}

TaskName = Annotated[str, Field(pattern=TASK_PATTERN, examples=["worker:1"])]
HostName = Annotated[str, Field(pattern=HOST_PATTERN)]
