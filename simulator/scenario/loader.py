"""From a scenario file to a frozen scenario, and back to a normalised file."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from simulator.errors import DocumentError, InvalidInputError
from simulator.scenario.checks import check
from simulator.scenario.document import Document, dump
from simulator.scenario.faults import collect
from simulator.scenario.overrides import override
from simulator.scenario.profile import Profile, load_profile
from simulator.scenario.reading import parse, read
from simulator.scenario.scenario import Scenario
from simulator.scenario.unsupported import refuse
from simulator.scenario.workload import Costs

SCHEMA_LINE = "# yaml-language-server: $schema={}\n"


def load_scenario(path: Path | str, overrides: Sequence[str] = (), *, seed: int | None = None) -> Scenario:
    """Return the scenario in the file at *path*.

    Args:
        path: the YAML file.
        overrides: ``a.b.c=value`` assignments, applied in order before validation.
        seed: replaces the file's seed.

    Raises:
        DocumentError: the file (with overrides) has faults; it carries all of them.
        InvalidInputError: the file cannot be read, or an override is not one.
    """
    document = read(Path(path), "scenario")
    for assignment in overrides:
        override(document, assignment)
    if seed is not None:
        override(document, f"seed={seed}")
    return validate_document(document, Path(path).parent)


def loads_scenario(text: str, *, file: str = "scenario") -> Scenario:
    """Return the scenario in *text*; raise DocumentError as load_scenario does."""
    document = parse(text, file=file)
    if not isinstance(document.data, dict):
        document.fault((), "a scenario is a mapping of fields")
        document.raise_faults("scenario")
    return validate_document(document, Path.cwd())


def validate_document(document: Document, folder: Path) -> Scenario:
    """Return the scenario in *document*; a profile's path is relative to *folder* (``--set``: to here)."""
    scenario = None
    try:
        scenario = Scenario.model_validate(document.data)
    except ValidationError as error:
        collect(error, Scenario, document)
    check(document)
    refuse(document)
    profile = _profile(document, folder)
    document.raise_faults("scenario")
    assert scenario is not None
    return with_profile(scenario, profile) if profile else scenario


def _profile(document: Document, folder: Path) -> Profile | None:
    written = document.get("workload", "profile")
    if not isinstance(written, str):
        return None
    loc = ("workload", "profile")
    base = Path.cwd() if document.place(loc).source else folder
    try:
        return load_profile(base / written)
    except DocumentError as error:
        for fault in error.faults:
            place = f"{error.file}:{fault.line}:{fault.column}"
            where = f" @ {fault.path}" if fault.path else ""
            document.fault(loc, f"the profile cannot be used: {place}: {fault.message}{where}")
    except InvalidInputError as error:
        document.fault(loc, f"the profile cannot be used: {error}")
    return None


def with_profile(scenario: Scenario, profile: Profile) -> Scenario:
    """Return *scenario* with the profile's measured costs in place of its assumed ones."""
    workload = scenario.workload
    costs = {name: getattr(workload.costs, name) for name in Costs.model_fields}
    costs |= {name: getattr(profile.costs, name) for name in profile.costs.model_fields_set}
    changed = workload.model_copy(
        update={
            "costs": workload.costs.model_copy(update={k: v for k, v in costs.items() if v is not None}),
            "profile": None,
        }
    )
    return scenario.model_copy(update={"workload": changed})


def dump_scenario(scenario: Scenario) -> str:
    """Return *scenario* as normalised YAML: defaults left out, quantities in their largest whole unit.

    A profile is already merged into the costs, so that the text stands alone.  Loading the text gives an
    equal scenario.
    """
    data = scenario.model_dump(mode="json", exclude_defaults=True, exclude_none=True, by_alias=True)
    data = {"version": scenario.version, **{k: v for k, v in data.items() if k != "version"}}
    return dump(data)
