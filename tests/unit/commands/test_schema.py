"""``paramscope schema``: a JSON Schema that agrees with the loader, for editors."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from ruamel.yaml import YAML

from simulator.cli import cli
from simulator.scenario.json_schema import DOCUMENTS, document_schema
from simulator.units import parse_duration, parse_rate, parse_size
from tests.builders import scenario_data

ROOT = Path(__file__).parents[3]
SHIPPED = sorted((ROOT / "scenarios").rglob("*.yaml"))
SCHEMA = document_schema("scenario")


def errors(data: Any, schema: dict[str, Any] = SCHEMA) -> list[str]:
    return [error.json_path for error in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_schema_is_one_of_draft_2020_12(name: str) -> None:
    schema = json.loads(CliRunner().invoke(cli, ["schema", "--of", name]).stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    assert schema == document_schema(name)


def test_the_schema_of_a_scenario_is_printed_without_asking() -> None:
    assert json.loads(CliRunner().invoke(cli, ["schema"]).stdout) == SCHEMA


@pytest.mark.parametrize("path", SHIPPED, ids=[p.stem for p in SHIPPED])
def test_it_accepts_the_shipped_files(path: Path) -> None:
    data = YAML(typ="safe", pure=True).load(path.read_text())
    name = "budget" if "budgets" in path.parts else "scenario"
    assert errors(data, document_schema(name)) == []


@pytest.mark.parametrize(
    "place",
    [
        "",
        *("cluster", "cluster.ps", "cluster.network", "cluster.hosts.h"),
        *("workload", "workload.compute", "workload.compute.distribution", "workload.costs"),
        *("training", "measure"),
    ],
)
def test_it_refuses_a_typo_in_every_part(place: str) -> None:
    data = scenario_data(cluster__hosts={"h": {}})
    holder: Any = data
    for part in filter(None, place.split(".")):
        holder = holder.setdefault(part, {})
    assert errors(data) == []
    holder["tpyo"] = 1
    assert errors(data) != []


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "With Space"},
        {"version": 2},
        {"seed": -1},
        {"seed": 2**63},
        {"cluster__ps__tasks": 0},
        {"cluster__worker__tasks": "2"},
        {"cluster__network__latency": 5},
        {"cluster__network__latency": "5"},
        {"cluster__network__latency": "5 msec"},
        {"cluster__hosts": {"h": {"nic": "10 Gbps"}}},
        {"cluster__hosts": {"with space": {}}},
        {"cluster__per_task": {"worker1": {}}},
        {"cluster__colocate": [["ps0"]]},
        {"workload__optimizer": "adagard"},
        {"workload__variables": []},
        {"workload__variables": [{"name": "v"}]},
        {"workload__variables": [{"name": "v", "shape": [0]}]},
        {"workload__costs": {"goodput": 1.5}},
        {"workload__learning_rate": 0},
        {"training": {"last_step": 0}},
        {"training": {"last_step": 1.5}},
    ],
    ids=str,
)
def test_it_refuses_what_the_loader_refuses(changes: dict[str, Any]) -> None:
    assert errors(scenario_data(**changes)) != []


def quantities(node: Any) -> list[dict[str, Any]]:
    """Return every part of the schema that describes a quantity."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    own = [node] if isinstance(node, dict) and "with its unit" in str(node.get("description", "")) else []
    return own + [found for child in inner for found in quantities(child)]


PARSERS = {"duration": parse_duration, "size": parse_size, "rate": parse_rate}


@pytest.mark.parametrize("kind", sorted(PARSERS))
def test_quantities_carry_a_pattern_that_says_what_the_parser_says(kind: str) -> None:
    described = [q for q in quantities(SCHEMA) if q["description"].startswith(f"A {kind} ")]
    assert described
    (pattern,) = {q["pattern"] for q in described}
    (example,) = {e for q in described for e in q["examples"]}
    assert PARSERS[kind](example) > 0
    for text in ("5", "5 parsec", "us 5", "five us", "-5 us", "0x5 us", "1,5 ms"):
        assert not re.search(pattern, text), text
    assert re.search(pattern, example)


def with_default(node: Any) -> list[dict[str, Any]]:
    """Return every part of the schema that has a default."""
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    own = [node] if isinstance(node, dict) and "default" in node and "title" in node else []
    return own + [found for child in inner for found in with_default(child)]


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_default_is_valid_where_it_stands(name: str) -> None:
    schema = document_schema(name)
    for part in with_default(schema):
        assert errors(part["default"], {**part, "$defs": schema.get("$defs", {})}) == [], part["title"]


def test_every_field_of_type_quantity_has_its_pattern() -> None:
    # Of the host: nic, queue; of a task: nic; of compute: two; and every cost but goodput.
    definitions = SCHEMA["$defs"]
    for part, names in {
        "Host": ["nic", "queue"],
        "TaskOverride": ["nic"],
        "Compute": ["forward", "backward"],
        "Network": ["latency"],
        "Costs": [name for name in definitions["Costs"]["properties"] if name != "goodput"],
    }.items():
        for name in names:
            assert "pattern" in json.dumps(definitions[part]["properties"][name]), f"{part}.{name}"


def test_an_unknown_document_is_refused() -> None:
    done = CliRunner().invoke(cli, ["schema", "--of", "scenrio"])
    assert done.exit_code == 2
    assert "'scenario'" in done.output
