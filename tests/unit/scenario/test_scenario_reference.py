"""docs/reference/scenario.md lists every field, with the default it has and an example that is valid."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.errors import DocumentError
from simulator.scenario.json_schema import document_schema
from simulator.scenario.loader import loads_scenario, validate_document
from simulator.scenario.overrides import override
from simulator.scenario.reading import parse
from tests.builders import scenario_yaml

PAGE = (Path(__file__).parents[3] / "docs/reference/scenario.md").read_text()
SCHEMA = document_schema("scenario")
ROW = re.compile(r"^\| `(?P<path>[^`]+)` \| (?P<meaning>.+) \| (?P<default>.+) \| `(?P<example>.+)` \|$", re.MULTILINE)
ROWS = {row["path"]: row for row in ROW.finditer(PAGE)}
NOT_YET = "*not yet*: "


def fields(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield path, schema and "required" of every field: ``hosts.*`` is any key, ``variables[]`` any item."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    for option in schema.get("anyOf", ()):
        yield from fields(option, path)
    for key, inner in schema.get("properties", {}).items():
        here = f"{path}.{key}".lstrip(".")
        yield here, inner, key in schema.get("required", ())
        yield from fields(inner, here)
    for inner in (*schema.get("patternProperties", {}).values(), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield from fields(inner, f"{path}.*")
    if isinstance(schema.get("items"), dict):
        yield from fields(schema["items"], f"{path}[]")


FIELDS = {path: (schema, required) for path, schema, required in fields(SCHEMA)}

# A scenario in which every path of the page leads somewhere.
BASE = scenario_yaml(
    ps=1,
    workers=2,
    last_step=1000,
    cluster__ps__host="gpu_node",
    cluster__hosts={"gpu_node": {}},
    cluster__per_task={"worker:1": {}},
    workload__compute__distribution={"kind": "lognormal", "cv": 0.1},
)
NAMES = {"cluster.hosts.*": "cluster.hosts.gpu_node", "cluster.per_task.*": "cluster.per_task.worker:1"}
# What an example needs beside it: another field gives way, or the part around it is required to be whole.
BESIDE: dict[str, list[str]] = {
    "cluster.addresses.ps": ["cluster.addresses.worker=[a:1, b:2]"],
    "cluster.addresses.worker": ["cluster.addresses.ps=[a:1]"],
    "cluster.network.racks.*.tasks": ["cluster.network.racks.a.uplink=1 Gbit/s"],
    "cluster.network.racks.*.uplink": ['cluster.network.racks.a.tasks=["ps:0"]'],
    "workload.preset": ["workload.variables=null"],
    "workload.model": ["workload.variables=null"],
    "workload.compute.distribution.kind": ["workload.compute.distribution.cv=null"],
    "workload.compute.distribution.values": ["workload.compute.distribution={kind: empirical}"],
    "training.replicas_to_aggregate": ["training.mode=sync"],
    "training.sync_rule": ["training.mode=sync"],
    "training.staleness_bound": ["training.mode=ssp"],
    "training.partitioner.min_max.axis": ["training.partitioner.min_max.max_partitions=4"],
    "training.partitioner.min_max.min_slice_size": ["training.partitioner.min_max.max_partitions=4"],
    "training.partitioner.variable_axis_size.axis": ["training.partitioner.variable_axis_size.max_shard_bytes=1 MiB"],
    "training.partitioner.variable_axis_size.max_shards": [
        "training.partitioner.variable_axis_size.max_shard_bytes=1 MiB"
    ],
    **{f"faults[].{name}": ['faults=[{at: 1 s, task: "ps:0", kind: slow}]'] for name in
       ("at", "task", "kind", "restart_after", "factor", "nic", "for")},
}  # fmt: skip


def test_the_page_lists_exactly_the_fields_there_are() -> None:
    assert sorted(ROWS) == sorted(FIELDS)


@pytest.mark.parametrize("path", sorted(FIELDS))
def test_the_default_is_the_one_it_has(path: str) -> None:
    schema, required = FIELDS[path]
    said, default = ROWS[path]["default"], schema.get("default")
    if required:
        assert said == "required"
    elif default is None:
        # Absent means: nothing, or what another field (or page) says, as the words tell.
        assert not said.startswith("`")
        assert said != "required"
    elif isinstance(default, dict):
        assert said in ("as its fields", "`none`")
    else:
        assert said == ("empty" if default == "" else f"`{default}`")


@pytest.mark.parametrize("path", sorted(FIELDS))
def test_the_example_is_valid_or_refused_as_not_yet(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "profile.yaml").write_text("costs: {apply: 20 us}\n")
    document = parse(BASE, file="base")
    where = path.replace("cluster.network.racks.*", "cluster.network.racks.a").replace("[]", "[0]")
    for pattern, name in NAMES.items():
        where = where.replace(pattern, name)
    for assignment in (*BESIDE.get(path, ()), f"{where}={ROWS[path]['example']}"):
        override(document, assignment)
    faults: list[str] = []
    try:
        validate_document(document, tmp_path)
    except DocumentError as error:
        faults = [fault.message for fault in error.faults]
    assert bool(faults) == ROWS[path]["meaning"].startswith(NOT_YET), faults
    assert all("not supported yet" in fault for fault in faults)


def test_the_scenarios_of_the_page_are_valid() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert blocks
    for block in blocks:
        assert loads_scenario(block).name == "my-cluster"
