# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the comparison of auto with fixed schedules."""

from __future__ import annotations

import unittest

from ampbench import autosim

FIXED = ("static", "ich")


class Table(unittest.TestCase):
    def test_best_is_fixed(self) -> None:
        row = autosim.Row("a", {"static": 4.0, "ich": 2.0, "auto": 1.0})
        self.assertEqual(row.best(FIXED), "ich")
        self.assertAlmostEqual(row.part("auto", FIXED), 2.0)
        self.assertAlmostEqual(row.part("static", FIXED), 0.5)

    def test_goals(self) -> None:
        near = autosim.Row("near", {"static": 1.0, "ich": 2.0, "auto": 1 / 0.98})
        far = autosim.Row("far", {"static": 2.0, "ich": 1.0, "auto": 1 / 0.92})
        text = autosim.table("2x1", [near], FIXED)
        self.assertNotIn("NOT MET", text)
        text = autosim.table("2x1", [near, far], FIXED)
        self.assertEqual(text.count("NOT MET"), 2)
        kernels = [line.split()[0] for line in text.splitlines()[2:4]]
        self.assertEqual(kernels, ["far", "near"])
