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
Factor = Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
TaskName = Annotated[str, Field(pattern=r"^(ps|worker):(0|[1-9][0-9]{0,5})$", examples=["worker:1"])]
HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$")]
