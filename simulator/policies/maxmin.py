"""Max-min fair rates of flows that share links."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

F = TypeVar("F", bound=Hashable)
L = TypeVar("L", bound=Hashable)


def max_min_rates(
    routes: Mapping[F, Sequence[L]], capacity: Mapping[L, float], weight: Mapping[F, float] | None = None
) -> dict[F, float]:
    """Return the max-min fair rate of every flow (or class of *weight* equal flows, per flow).

    Progressive filling: all rates grow together; when a link is full, its flows stop growing.  A flow with
    an empty route is limited by nothing and gets infinity.

    Args:
        routes: the links each flow crosses.
        capacity: bit/s (any unit) of each link.
        weight: how many flows of the same rate each entry stands for; default 1.

    References:
        D. Bertsekas, R. Gallager, "Data Networks", 2nd ed., 1992, sec. 6.5.2.
    """
    count = {f: 1.0 if weight is None else weight[f] for f in routes}
    rates = {f: float("inf") for f in routes}
    growing = {f: tuple(route) for f, route in routes.items() if route}
    left: dict[L, float] = {}
    while growing:
        users: dict[L, float] = {}
        for f, route in growing.items():
            for link in route:
                users[link] = users.get(link, 0.0) + count[f]
                left.setdefault(link, float(capacity[link]))
        tightest = min(users, key=lambda link: left[link] / users[link])
        level = left[tightest] / users[tightest]
        for f in [f for f, route in growing.items() if tightest in route]:
            rates[f] = level
            for link in growing.pop(f):
                left[link] = max(0.0, left[link] - level * count[f])
    return rates
