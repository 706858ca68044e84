"""The JSON Schema (draft 2020-12) of our documents, for editors and other tools."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from simulator.scenario.budget import METRICS, TASK_METRIC, Budget
from simulator.scenario.profile import Profile
from simulator.scenario.scenario import Scenario
from simulator.units import format_duration, format_rate, format_size

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DOCUMENTS: dict[str, type[BaseModel]] = {"scenario": Scenario, "profile": Profile, "budget": Budget}

# The example that units.py gives tells the kind of a quantity, whatever its field says of it.
_FORMATS: dict[str, Callable[[int], str]] = {
    "50 us": format_duration,
    "4 MiB": format_size,
    "10 Gbit/s": format_rate,
}


def document_schema(name: str) -> dict[str, Any]:
    """Return the schema of document *name*, a key of DOCUMENTS."""
    schema = DOCUMENTS[name].model_json_schema(mode="validation", by_alias=True)
    _word_for_no_partitioner(schema)
    _only_keys_of_the_pattern(schema)
    _defaults_with_units(schema)
    if name == "budget":
        _short_limits(schema)
    return {"$schema": DIALECT, "$id": f"paramscope-{name}.json", **schema}


def _word_for_no_partitioner(schema: dict[str, Any]) -> None:
    """``partitioner: none`` is a word that pydantic's schema cannot see, as it is read before validation."""
    parts = schema.get("$defs", {})
    if "Partitioner" in parts:
        parts["Partitioner"] = {"anyOf": [{"const": "none"}, parts["Partitioner"]]}


def _only_keys_of_the_pattern(schema: Any) -> None:
    """Refuse ``worker1`` as a task: pydantic writes a pattern for keys and lets other keys pass."""
    if isinstance(schema, dict) and "patternProperties" in schema:
        schema.setdefault("additionalProperties", False)
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _only_keys_of_the_pattern(inner)


def _defaults_with_units(schema: Any) -> None:
    """Write the default of a quantity as a file has it: an editor that inserts 10000000000 makes a fault."""
    if isinstance(schema, dict) and isinstance(schema.get("default"), int) and schema.get("type") == "string":
        (example,) = schema["examples"]
        schema["default"] = _FORMATS[example](schema["default"])
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _defaults_with_units(inner)


def _short_limits(schema: dict[str, Any]) -> None:
    """Add what is read before validation: ``15 %`` or ``0.5`` in place of a mapping, and the names of metrics."""
    parts = schema["$defs"]
    percent, number = (parts["Limit"]["properties"][key]["anyOf"][0] for key in ("relative", "absolute"))
    mapping = {**parts["Limit"], "anyOf": [{"required": ["relative"]}, {"required": ["absolute"]}]}
    parts["Limit"] = {"title": "Limit", "anyOf": [percent, number, mapping]}
    schema["properties"]["metrics"]["propertyNames"] = {
        "anyOf": [{"enum": list(METRICS)}, {"pattern": f"^{TASK_METRIC.pattern}$"}]
    }
