"""Statistics, against values computed by hand."""

from math import sqrt

import numpy as np
import pytest

from simulator.analysis.statistics import interval, ks_distance, t_quantile, total_variation


def floats(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float64)


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    # Two-sided 95 % points of any printed t table.
    [(1, 12.706), (4, 2.776), (9, 2.262), (29, 2.045), (30, 2.042), (40, 2.021), (60, 2.000), (120, 1.980)],
)
def test_students_t_is_that_of_the_tables(degrees: int, quantile: float) -> None:
    assert t_quantile(degrees) == pytest.approx(quantile, rel=1e-3)


def test_an_interval_of_two_values() -> None:
    # Mean 2, standard deviation sqrt(2), over sqrt(2): 1; t of one degree: 12.7062.
    assert interval([1.0, 3.0]) == pytest.approx([2 - 12.7062, 2 + 12.7062])


def test_an_interval_of_five_values() -> None:
    # 1 to 5: mean 3, variance 10 / 4, t of four degrees 2.7764.
    half = 2.7764 * sqrt(2.5) / sqrt(5)
    assert interval([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx([3 - half, 3 + half])


def test_equal_values_leave_no_doubt_and_one_value_no_interval() -> None:
    assert interval([2.0, 2.0, 2.0]) == [2.0, 2.0]
    assert interval([2.0]) is None
    assert interval([]) is None


def test_an_interval_holds_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    hits = 0
    for _ in range(2000):
        found = interval(rng.normal(10, 3, 5).tolist())
        assert found is not None
        hits += found[0] <= 10 <= found[1]
    # 2000 tries at 95 %: standard deviation sqrt(0.95 * 0.05 / 2000) = 0.5 %; four of them.
    assert hits / 2000 == pytest.approx(0.95, abs=0.02)


def test_ks_of_equal_and_of_separate_samples() -> None:
    assert ks_distance(floats(1, 2, 3), floats(3, 1, 2)) == 0
    assert ks_distance(floats(1, 2), floats(5, 6, 7)) == 1


def test_ks_of_samples_that_overlap() -> None:
    # ECDFs at 1, 2, 3, 4: 1/4 2/4 3/4 1 and 0 0 1/2 1/2 (b has 3 and 5): the gap at 2 and at 4 is 1/2.
    assert ks_distance(floats(1, 2, 3, 4), floats(3, 5)) == 0.5


def test_ks_counts_ties_of_both_samples_at_once() -> None:
    # At 1: 1 against 2/3.
    assert ks_distance(floats(1, 1), floats(1, 1, 2)) == pytest.approx(1 / 3)


def test_ks_is_symmetric() -> None:
    a, b = floats(1, 4, 4, 8), floats(2, 3, 9)
    assert ks_distance(a, b) == ks_distance(b, a)


def test_total_variation_of_equal_and_of_separate_histograms() -> None:
    assert total_variation({"0": 5, "1": 5}, {"1": 50, "0": 50}) == 0
    assert total_variation({"0": 3}, {"1": 7}) == 1


def test_total_variation_is_the_share_that_has_to_move() -> None:
    # Shares 0.5 0.5 0 and 0.25 0.25 0.5: differences 0.25 0.25 0.5, half their sum 0.5.
    assert total_variation({"0": 2, "1": 2}, {"0": 1, "1": 1, "2": 2}) == 0.5


def test_a_distance_to_nothing_is_no_number() -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        ks_distance(floats(), floats(1))
    with pytest.raises(ValueError, match="nothing to compare"):
        total_variation({"0": 1}, {})
