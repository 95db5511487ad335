# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers worked out by hand against ampbench.stats."""

import pytest
from ampbench import stats
from ampbench.stats import Estimate
from made import cases
from pytest import approx


@cases("values, expected", [
    ([3.0, 1.0, 2.0], Estimate(2.0, 1.0, 3.0, 3)),  # few values give min and max
    ([4.0] * 9, Estimate(4.0, 4.0, 4.0, 9)),
    # One outlier of eleven moves neither the median nor the interval far.
    ([1.0] * 10 + [100.0], Estimate(1.0, 1.0, 1.0, 11)),
])  # fmt: skip
def test_intervals(values: list[float], expected: Estimate) -> None:
    assert stats.estimate(values) == expected


def test_one_value_has_no_interval() -> None:
    assert stats.estimate([0.892]).bounds(".3f") == ""
    assert stats.estimate([1.0, 2.0]).bounds(".1f") == " [1.0 2.0]"


def test_bootstrap_holds_the_median_and_repeats() -> None:
    values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    e = stats.estimate(values, seed=7)
    assert e == stats.estimate(values, seed=7)
    assert 1.0 <= e.low < e.value == 1.3 < e.high <= 1.6


@cases("function, arguments", [
    (stats.estimate, ([],)), (stats.ideal_seconds, ([],)),
    (stats.ideal_seconds, ([1.0, 0.0],)), (stats.ideal_seconds, ([-1.0],)),
])  # fmt: skip
def test_nothing(function, arguments) -> None:
    with pytest.raises(ValueError):
        function(*arguments)


def test_pairs_of_common_rounds_in_order() -> None:
    assert stats.paired({3: 6.0, 1: 2.0, 9: 1.0}, {1: 4.0, 3: 2.0, 2: 5.0}) == [0.5, 3.0]
    assert stats.paired({1: 1.0}, {2: 1.0}) == []


# 4 s and 12 s alone: speeds 1/4 and 1/12, together 1/3.
@cases("singles, expected", [([4.0, 12.0], 3.0), ([2.0, 2.0], 1.0), ([5.0], 5.0)])
def test_speeds_add(singles: list[float], expected: float) -> None:
    assert stats.ideal_seconds(singles) == approx(expected)


@cases("singles, cpus, expected", [
    ({0: {1: 4.0, 2: 2.0}, 1: {1: 12.0, 2: 6.0}}, [0, 1], {1: 3.0, 2: 1.5}),
    # A missing round borrows the median.
    ({0: {1: 4.0, 2: 4.0, 3: 4.0}, 1: {1: 10.0, 3: 14.0}}, [0, 1],
     {1: 20 / 7, 2: 3.0, 3: 28 / 9}),
    # A CPU never measured gives none.
    ({0: {1: 4.0}, 1: {}}, [0, 1], {}), ({0: {1: 4.0}}, [0, 1], {}), ({}, [], {}),
])  # fmt: skip
def test_ideal_by_round(singles, cpus: list[int], expected: dict[int, float]) -> None:
    assert stats.ideal_by_round(singles, cpus) == approx(expected)
