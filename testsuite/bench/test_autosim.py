# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the comparison of auto with fixed schedules."""

from ampbench import autosim
from pytest import approx

FIXED = ("static", "ich")


def test_best_is_fixed() -> None:
    row = autosim.Row("a", {"static": 4.0, "ich": 2.0, "auto": 1.0})
    assert row.best(FIXED) == "ich"
    assert (row.part("auto", FIXED), row.part("static", FIXED)) == approx((2.0, 0.5))


def test_records_are_the_table() -> None:
    rows = [autosim.Row("a", {"static": 4e6, "ich": 2e6, "auto": 1e6})]
    found = autosim.records("2x1", rows, FIXED)
    assert found[0] == {
        "machine": "2x1", "kernel": "a", "schedule": "static", "milliseconds": 4.0, "speed": 0.5
    }  # fmt: skip
    assert [r["schedule"] for r in found] == ["static", "ich", "auto"]


def test_goals() -> None:
    near = autosim.Row("near", {"static": 1.0, "ich": 2.0, "auto": 1 / 0.98})
    far = autosim.Row("far", {"static": 2.0, "ich": 1.0, "auto": 1 / 0.92})
    assert "NOT MET" not in autosim.table("2x1", [near], FIXED)
    text = autosim.table("2x1", [near, far], FIXED)
    assert text.count("NOT MET") == 2
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["far", "near"]
