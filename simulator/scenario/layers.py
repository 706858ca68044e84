"""Layers: which variables are needed together, and which share of the compute is theirs."""

from dataclasses import dataclass

from simulator.scenario.workload import Variable


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Variables that one layer reads; *share* of the step's forward (and backward) compute is its own."""

    name: str
    variables: tuple[int, ...]
    share: float


def layers(variables: tuple[Variable, ...]) -> tuple[Layer, ...]:
    """Group neighbours with the same scope (``dense/kernel``, ``dense/bias``) into layers.

    A scenario says how long a step computes, not how that splits over layers; every layer gets the same
    share.  A measured split is a matter for calibration (docs/models/step.md, "Scope and limitations").
    """
    groups: list[tuple[str, list[int]]] = []
    for index, variable in enumerate(variables):
        scope = variable.name.rpartition("/")[0] or variable.name
        if groups and groups[-1][0] == scope:
            groups[-1][1].append(index)
        else:
            groups.append((scope, [index]))
    return tuple(Layer(name=name, variables=tuple(members), share=1 / len(groups)) for name, members in groups)
