"""What differs between two scenarios, in words."""

from typing import Any

from simulator.scenario.scenario import Scenario

_MAX = 40
_ABSENT = object()


def scenario_differences(first: Scenario, second: Scenario) -> list[str]:
    """Return one line for each field that differs, as ``path: first value -> second value``.

    A profile is already merged into the costs of a scenario as run, so it shows as differing costs.
    """
    found: list[str] = []
    _walk("", _plain(first), _plain(second), found)
    if len(found) > _MAX:
        found = [*found[:_MAX], f"... and {len(found) - _MAX} more"]
    return found


def _plain(scenario: Scenario) -> dict[str, Any]:
    return scenario.model_dump(mode="json", exclude_none=True, by_alias=True)


def _walk(path: str, a: Any, b: Any, found: list[str]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            _walk(f"{path}.{key}" if path else str(key), a.get(key, _ABSENT), b.get(key, _ABSENT), found)
    elif a != b:
        found.append(f"{path}: {_shown(a)} -> {_shown(b)}")


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "not given"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
