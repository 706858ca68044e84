"""Every valid scenario: survives writing and reading, and agrees with its JSON Schema."""

import copy
import math
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from simulator.errors import DocumentError, InvalidInputError
from simulator.scenario.document import dump
from simulator.scenario.json_schema import document_schema
from simulator.scenario.loader import dump_scenario, loads_scenario
from simulator.scenario.placement import placement
from tests.strategies import scenario_documents

VALIDATOR = Draft202012Validator(document_schema("scenario"))
quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(scenario_documents())
def test_a_scenario_survives_writing_and_reading(data: dict[str, Any]) -> None:
    made = loads_scenario(dump(data))
    text = dump_scenario(made)
    again = loads_scenario(text)
    assert again == made
    assert dump_scenario(again) == text


@quick
@given(scenario_documents())
def test_the_json_schema_accepts_every_valid_scenario(data: dict[str, Any]) -> None:
    loads_scenario(dump(data))
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []


@quick
@given(scenario_documents())
def test_every_task_has_one_host_and_every_variable_one_ps(data: dict[str, Any]) -> None:
    made = loads_scenario(dump(data))
    placed = [task for machine in made.machines() for task in machine.tasks]
    assert sorted(placed) == sorted((*made.ps_tasks, *made.worker_tasks))
    where = placement(made)
    assert set(where) == {"global_step", *(v.name for v in made.variables)}
    # Turns go round: no ps has two variables more than another.
    count = [list(where.values()).count(f"/job:ps/task:{i}") for i in range(made.cluster.ps.tasks)]
    assert max(count) - min(count) <= 1


def places(data: Any, loc: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the places of all values, containers included."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [loc, *(place for key, value in inner for place in places(value, (*loc, key)))]


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, -1, 0, "", "5", 5, 1.5, True, [], {}, [[]], {"x": 1}, "1 ms", math.inf, 10**30, "\ud7ff"]
)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenario_documents(), st.data(), JUNK)
def test_junk_anywhere_is_a_fault_at_its_place_or_valid_and_never_a_crash(
    data: dict[str, Any], draw: st.DataObject, junk: Any
) -> None:
    loc = draw.draw(st.sampled_from(places(data)[1:]))
    broken = copy.deepcopy(data)
    holder: Any = broken
    for part in loc[:-1]:
        holder = holder[part]
    holder[loc[-1]] = junk
    faults = []
    try:
        made = loads_scenario(dump(broken))
    except DocumentError as error:
        faults = error.faults
    if not faults:
        assert loads_scenario(dump_scenario(made)) == made
    for fault in faults:
        assert fault.line >= 1
        # In our words, not in the library's.
        assert not re.search("Input |input |Tuple |Dictionary |String ", fault.message)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_any_text_is_refused_with_an_error_of_ours(text: str) -> None:
    with pytest.raises(InvalidInputError):
        loads_scenario(text)
