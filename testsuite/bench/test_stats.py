# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers worked out by hand against ampbench.stats."""

import unittest

from ampbench import stats


class Percentile(unittest.TestCase):
    def test_between_neighbours(self) -> None:
        self.assertEqual(stats.percentile([1, 2, 3, 4], 0.5), 2.5)
        self.assertEqual(stats.percentile([10, 20], 0.25), 12.5)
        self.assertEqual(stats.percentile([7], 0.9), 7)

    def test_ends(self) -> None:
        self.assertEqual(stats.percentile([1, 2, 3], 0.0), 1)
        self.assertEqual(stats.percentile([1, 2, 3], 1.0), 3)

    def test_nothing(self) -> None:
        with self.assertRaises(ValueError):
            stats.percentile([], 0.5)


class Intervals(unittest.TestCase):
    def test_few_values_give_min_and_max(self) -> None:
        self.assertEqual(stats.estimate([3.0, 1.0, 2.0]), stats.Estimate(2.0, 1.0, 3.0, 3))

    def test_same_values_give_a_point(self) -> None:
        self.assertEqual(stats.estimate([4.0] * 9), stats.Estimate(4.0, 4.0, 4.0, 9))

    def test_one_outlier_of_eleven_moves_neither_median_nor_interval_far(self) -> None:
        e = stats.estimate([1.0] * 10 + [100.0])
        self.assertEqual((e.value, e.low, e.high, e.n), (1.0, 1.0, 1.0, 11))

    def test_bootstrap_holds_the_median_and_repeats(self) -> None:
        values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
        e = stats.estimate(values, seed=7)
        self.assertEqual(e, stats.estimate(values, seed=7))
        self.assertEqual(e.value, 1.3)
        self.assertTrue(1.0 <= e.low < 1.3 < e.high <= 1.6)

    def test_nothing(self) -> None:
        with self.assertRaises(ValueError):
            stats.estimate([])


class Pairs(unittest.TestCase):
    def test_only_common_rounds_in_order(self) -> None:
        top = {3: 6.0, 1: 2.0, 9: 1.0}
        bottom = {1: 4.0, 3: 2.0, 2: 5.0}
        self.assertEqual(stats.paired(top, bottom), [0.5, 3.0])

    def test_none_in_common(self) -> None:
        self.assertEqual(stats.paired({1: 1.0}, {2: 1.0}), [])


class Ideal(unittest.TestCase):
    def test_speeds_add(self) -> None:
        # 4 s and 12 s alone: speeds 1/4 and 1/12, together 1/3.
        self.assertAlmostEqual(stats.ideal_seconds([4.0, 12.0]), 3.0)
        self.assertAlmostEqual(stats.ideal_seconds([2.0, 2.0]), 1.0)
        self.assertAlmostEqual(stats.ideal_seconds([5.0]), 5.0)

    def test_no_speed(self) -> None:
        for wrong in ([], [1.0, 0.0], [-1.0]):
            with self.assertRaises(ValueError):
                stats.ideal_seconds(wrong)

    def test_by_round(self) -> None:
        singles = {0: {1: 4.0, 2: 2.0}, 1: {1: 12.0, 2: 6.0}}
        ideal = stats.ideal_by_round(singles, [0, 1])
        self.assertEqual(sorted(ideal), [1, 2])
        self.assertAlmostEqual(ideal[1], 3.0)
        self.assertAlmostEqual(ideal[2], 1.5)

    def test_a_missing_round_borrows_the_median(self) -> None:
        singles = {0: {1: 4.0, 2: 4.0, 3: 4.0}, 1: {1: 10.0, 3: 14.0}}
        self.assertAlmostEqual(stats.ideal_by_round(singles, [0, 1])[2], 3.0)

    def test_a_cpu_never_measured_gives_none(self) -> None:
        self.assertEqual(stats.ideal_by_round({0: {1: 4.0}, 1: {}}, [0, 1]), {})
        self.assertEqual(stats.ideal_by_round({0: {1: 4.0}}, [0, 1]), {})
        self.assertEqual(stats.ideal_by_round({}, []), {})
