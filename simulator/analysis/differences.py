"""What differs between two scenarios, in words."""

from typing import Any

from simulator.scenario.resolve import resolve
from simulator.scenario.scenario import Scenario
from simulator.scenario.workload import Costs

_MAX = 40
_ABSENT = object()


def scenario_differences(first: Scenario, second: Scenario) -> list[str]:
    """Return one line for each difference, ``path: first value -> second value`` or a sentence.

    A profile is already merged into the costs of a scenario as run, so it shows as differing costs.
    """
    found: list[str] = []
    _walk("", _plain(first), _plain(second), found)
    found += _hosts(first, second) + _costs(first, second)
    if len(found) > _MAX:
        found = [*found[:_MAX], f"... and {len(found) - _MAX} more"]
    return found


def _plain(scenario: Scenario) -> dict[str, Any]:
    data = scenario.model_dump(mode="json", exclude_none=True, by_alias=True)
    # Told in sentences of their own.
    data["cluster"].pop("colocate", None)
    data["workload"].pop("costs", None)
    return data


def _walk(path: str, a: Any, b: Any, found: list[str]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(k for k in b if k not in a)]:
            _walk(f"{path}.{key}" if path else str(key), a.get(key, _ABSENT), b.get(key, _ABSENT), found)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, (inner_a, inner_b) in enumerate(zip(a, b, strict=True)):
            _walk(f"{path}[{i}]", inner_a, inner_b, found)
    elif a != b:
        found.append(f"{path}: {_shown(a)} -> {_shown(b)}")


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "not given"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _hosts(first: Scenario, second: Scenario) -> list[str]:
    """Say who shares a host with whom, where that differs."""
    if first.cluster.colocate == second.cluster.colocate:
        return []
    a, b = _sharing(first), _sharing(second)
    if a == b:
        return ["cluster.colocate: the same tasks share hosts, named in another order (the first gives its NIC)"]
    return [f"cluster.colocate: {a} in the first run, {b} in the second"]


def _sharing(scenario: Scenario) -> str:
    machines = scenario.machines()
    if len(machines) == 1:
        return "all tasks on one host"
    groups = [sorted(m.tasks) for m in machines if len(m.tasks) > 1]
    if not groups:
        return "every task on a host of its own"
    return " and ".join(f"{', '.join(group)} on one host" for group in sorted(groups))


def _costs(first: Scenario, second: Scenario) -> list[str]:
    """Say in one line which costs differ: what was measured or given, or the default of the network model."""
    a, b = first.workload.costs, second.workload.costs
    real_a, real_b = resolve(first), resolve(second)
    parts = []
    for name in Costs.model_fields:
        if getattr(a, name) != getattr(b, name):
            sides = [
                _cost(name, getattr(resolved, name)) + (" (default)" if getattr(given, name) is None else "")
                for given, resolved in ((a, real_a), (b, real_b))
            ]
            parts.append(f"{name} {sides[0]} -> {sides[1]}")
    if not parts:
        return []
    return [f"workload.costs (given, or measured by a profile; a real run reads none): {', '.join(parts)}"]


def _cost(name: str, value: float) -> str:
    if name == "goodput":
        return f"{value:g}"
    if name == "loopback":
        return f"{value / 1e9:.4g} Gbit/s" if value else "unlimited"
    return f"{value / 1e6:.4g} ms" if value >= 1_000_000 else f"{value / 1e3:.4g} us"
