"""The profile: costs measured by ``paramscope calibrate``, which override a scenario's assumed ones."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simulator.scenario.base import Part
from simulator.scenario.document import Document, dump
from simulator.scenario.faults import collect
from simulator.scenario.reading import read
from simulator.scenario.workload import Costs

# Free text about where a measurement comes from: TensorFlow, machine, command, date.
Provenance = dict[str, Any]


class Fit(Part):
    """What a cost was fitted from."""

    samples: Annotated[int, Field(ge=0)]
    mean_us: float
    sd_us: float


class Profile(Part):
    """Measured costs with their provenance and the range they hold for."""

    version: Literal[1] = 1
    kind: Literal["profile"] = "profile"
    measured: Provenance = Field(default_factory=dict)
    holds_for: str = ""
    costs: Costs = Costs()
    fits: dict[str, Fit] = Field(default_factory=dict)
    residuals: dict[str, float] = Field(default_factory=dict)


def load_profile(path: Path) -> Profile:
    """Return the profile in *path*; raise DocumentError with every fault."""
    document = read(path, "profile")
    return validate_profile(document)


def validate_profile(document: Document) -> Profile:
    """Return the profile in *document*; raise DocumentError with every fault."""
    profile = Profile()
    try:
        profile = Profile.model_validate(document.data)
    except ValidationError as error:
        collect(error, Profile, document)
    document.raise_faults("profile")
    return profile


def dump_profile(profile: Profile) -> str:
    """Return *profile* as YAML that load_profile reads back."""
    return dump(profile.model_dump(mode="json", exclude_none=True))
