"""Max-min fair rates, against progressive filling done by hand, and by what defines them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.policies.maxmin import max_min_rates

INF = math.inf


def test_one_flow_gets_its_tightest_link() -> None:
    assert max_min_rates({"f": ["a", "b"]}, {"a": 10, "b": 3}) == {"f": 3}


def test_flows_of_one_link_share_it_equally() -> None:
    assert max_min_rates({"f": ["a"], "g": ["a"], "h": ["a"]}, {"a": 12}) == {"f": 4, "g": 4, "h": 4}


def test_a_flow_held_elsewhere_leaves_its_share_to_the_others() -> None:
    # a crosses both links, b only x, c only y.  y is tighter (4 / 2 < 10 / 2): a = c = 2; then b = 10 - 2.
    routes = {"a": ["x", "y"], "b": ["x"], "c": ["y"]}
    assert max_min_rates(routes, {"x": 10, "y": 4}) == {"a": 2, "b": 8, "c": 2}


def test_three_links_fill_one_after_the_other() -> None:
    # Bertsekas and Gallager's way: all grow to 1 (z: 2 flows, 2), p and q stop; then r and s share x: (9 - 1) / 2 = 4,
    # but y (3) holds r at 3; s gets 9 - 1 - 3 = 5.
    routes = {"p": ["x", "z"], "q": ["z"], "r": ["x", "y"], "s": ["x"]}
    assert max_min_rates(routes, {"x": 9, "y": 3, "z": 2}) == {"p": 1, "q": 1, "r": 3, "s": 5}


def test_weights_stand_for_that_many_flows() -> None:
    # Three flows of class f and one g: each gets a quarter; f is per flow.
    assert max_min_rates({"f": ["a"], "g": ["a"]}, {"a": 8}, {"f": 3, "g": 1}) == {"f": 2, "g": 2}


def test_nothing_limits_a_flow_that_crosses_no_link() -> None:
    assert max_min_rates({"f": [], "g": ["a"]}, {"a": 5}) == {"f": INF, "g": 5}


def test_no_flows_have_no_rates() -> None:
    assert max_min_rates({}, {"a": 1}) == {}


LINKS = ["a", "b", "c", "d"]
networks = st.tuples(
    st.lists(st.lists(st.sampled_from(LINKS), min_size=1, max_size=3, unique=True), min_size=1, max_size=8),
    st.fixed_dictionaries({link: st.integers(1, 1000) for link in LINKS}),
)


@given(networks)
def test_no_link_is_overfull_and_every_flow_has_a_full_one_where_it_is_among_the_fastest(
    network: tuple[list[list[str]], dict[str, int]],
) -> None:
    # Exactly this defines the max-min fair allocation (Bertsekas, Gallager, sec. 6.5.2, the bottleneck condition).
    routes, capacity = dict(enumerate(network[0])), network[1]
    rates = max_min_rates(routes, capacity)
    load = {link: sum(rates[f] for f, route in routes.items() if link in route) for link in LINKS}
    for link in LINKS:
        assert load[link] <= capacity[link] * (1 + 1e-9)
    for f, route in routes.items():
        assert any(
            load[link] == pytest.approx(capacity[link])
            and all(rates[f] >= rates[g] * (1 - 1e-9) for g, other in routes.items() if link in other)
            for link in route
        )


@given(networks)
def test_the_order_of_flows_changes_nothing(network: tuple[list[list[str]], dict[str, int]]) -> None:
    routes = dict(enumerate(network[0]))
    turned = dict(reversed(routes.items()))
    first, second = max_min_rates(routes, network[1]), max_min_rates(turned, network[1])
    for f in routes:
        assert first[f] == pytest.approx(second[f])


@given(networks, st.integers(2, 4))
def test_a_weight_is_that_many_equal_flows(network: tuple[list[list[str]], dict[str, int]], times: int) -> None:
    routes, capacity = dict(enumerate(network[0])), network[1]
    many = {(f, i): route for f, route in routes.items() for i in range(times if f == 0 else 1)}
    by_weight = max_min_rates(routes, capacity, {f: times if f == 0 else 1 for f in routes})
    one_by_one = max_min_rates(many, capacity)
    for f, i in many:
        assert by_weight[f] == pytest.approx(one_by_one[f, i])
