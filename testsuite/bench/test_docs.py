# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/measure/benchmarks.md says what the code does."""

import inspect
import re

from ampbench import config, describe, sensors, suite
from made import TOP, cases, report, run_suite

PAGE = (TOP / "docs/measure/benchmarks.md").read_text().partition("\n## Benchmark suites")[2]
STATUSES = set(re.findall(r'return "([a-z ]+)", ', inspect.getsource(suite.judge))) - {"ok"}
BINDINGS = {"+sf", "@bs", "@sb", "@free", "@4-7:0-3"}


@cases("section, names", [
    ("Descriptions", describe.PROGRAM_KEYS - {"name", "about"}),
    ("What is run", {*config.PRESETS, *BINDINGS}), ("Bad runs", STATUSES),
    ("Energy", set(sensors.GROUPS)),
])  # fmt: skip
def test_first_cells_of_tables(section: str, names: set[str]) -> None:
    """What stands there in code marks."""
    text = PAGE.partition(f"\n### {section}\n")[2].partition("\n### ")[0]
    first = re.findall(r"^\| (`[^|]*`) \|", text, re.MULTILINE)
    assert {name for cell in first for name in re.findall(r"`([^`]+)`", cell)} == names


def test_options() -> None:
    known = {"suites": run_suite("--help").stdout, "report": report("--help").stdout}
    for name, text in known.items():
        assert f"usage: bench {name}" in text
    both = "".join(known.values()).replace(",", " ").replace("\n", " ")
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)) - {"--measure-sf"}:
        assert f"{option} " in both
