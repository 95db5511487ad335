# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/measure/suites.md says what the code does."""

import inspect
import re
import unittest

from ampbench import config, describe, sensors, suite
from made import TOP, report, run_suite

PAGE = (TOP / "docs/measure/suites.md").read_text()


def cells(section: str) -> set[str]:
    """What stands in code marks in the first cells of a section's tables."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    first = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    return {name for cell in first for name in re.findall(r"`([^`]+)`", cell)}


class Docs(unittest.TestCase):
    def test_keys(self) -> None:
        self.assertEqual(cells("Descriptions"), describe.PROGRAM_KEYS - {"name", "about"})

    def test_presets(self) -> None:
        named = cells("What is run") - {"+sf", "@bs", "@sb", "@free", "@4-7:0-3"}
        self.assertEqual(named, set(config.PRESETS))

    def test_statuses(self) -> None:
        found = set(re.findall(r'return "([a-z ]+)", ', inspect.getsource(suite.judge)))
        self.assertEqual(cells("Bad runs"), found - {"ok"})

    def test_energy_groups(self) -> None:
        self.assertEqual(cells("Energy"), set(sensors.GROUPS))

    def test_options(self) -> None:
        known = {"suites": run_suite("--help").stdout, "report": report("--help").stdout}
        for name, text in known.items():
            self.assertIn(f"usage: bench {name}", text)
        both = "".join(known.values())
        for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - {"--measure-sf"}:
            self.assertIn(f"{option} ", both.replace(",", " ").replace("\n", " "), option)
