"""Costs with their defaults filled in: zero in network model ``ideal``, documented ones in ``tcp``.

The defaults of ``tcp`` are assumed round figures; docs/models/costs.md compares them with measured ones.
"""

from dataclasses import dataclass

from simulator.scenario.cluster import NetworkModel
from simulator.scenario.scenario import Scenario
from simulator.scenario.workload import Costs


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedCosts:
    """Every cost of scenario.workload.Costs as a number: ns, bit/s (0: unlimited) or a share."""

    session_start: int = 0
    session_per_ps: int = 0
    session_end: int = 0
    message_send: int = 0
    message_receive: int = 0
    message_per_mib: int = 0
    apply: int = 0
    apply_per_mib: int = 0
    compute_overhead: int = 0
    goodput: float = 1.0
    loopback: int = 0


DEFAULTS: dict[NetworkModel, ResolvedCosts] = {
    NetworkModel.IDEAL: ResolvedCosts(),
    NetworkModel.TCP: ResolvedCosts(
        session_start=700_000,
        session_per_ps=500_000,
        session_end=400_000,
        message_send=100_000,
        message_receive=150_000,
        message_per_mib=300_000,
        apply=20_000,
        apply_per_mib=150_000,
        compute_overhead=300_000,
        goodput=0.957,
        loopback=20 * 10**9,
    ),
}


def resolve(scenario: Scenario) -> ResolvedCosts:
    """Return the costs of *scenario*: its own (or its profile's), else the network model's defaults."""
    defaults = DEFAULTS[scenario.cluster.network.model]
    given = scenario.workload.costs
    values = {name: getattr(given, name) for name in Costs.model_fields}
    return ResolvedCosts(
        **{name: getattr(defaults, name) if value is None else value for name, value in values.items()}
    )


def goodput(scenario: Scenario) -> float:
    """Return the payload share of the line rate."""
    return resolve(scenario).goodput
