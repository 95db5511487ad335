# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels on themes of NPB, Rodinia and PARSEC, and those that rely on static: right under
every schedule of the AID and iCh papers, wrong results seen.  SUITES_CLASSES=SW runs more classes
than S."""

import os
import re
from typing import Any

import programs
import pytest
from made import cases

SUITES = programs.kernels("own", "suites")
NPB = ("is", "mg", "ft")
CLASSES = os.environ.get("SUITES_CLASSES", "S")
SCHEDULES = ("static", "dynamic,64", "aid_static", "aid_hybrid,80", "aid_dynamic,1,5", "ich")
# What a kernel says of its input, and differs from seed to seed.
TELLING = {
    "hotspot3d": "hottest", "lud": "residual", "particlefilter": "off", "pathfinder": "cheapest",
    "srad": "speckle_before", "streamcluster": "cost", "blackscholes": "error",
    "swaptions": "errors", "bodytrack": "off", "pcg": "heat", "hydro": "densest",
    "pipeline": "written",
}  # fmt: skip
each = cases("name", SUITES)


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    programs.build(*(programs.BENCH / "amp" / name for name in SUITES))


def good(name: str, *arguments: str, **how: Any) -> dict[str, Any]:
    # The first CPU is said to be of another type than the others: AID has something to do.
    first, *others = sorted(os.sched_getaffinity(0))
    types = {"GOMP_AMP_TYPES": f"{first}:{','.join(map(str, others))}"} if others else {}
    return programs.good("amp", name, *arguments, **types, **how)


@cases("threads, schedule", [*((2, s) for s in SCHEDULES), *((3, s) for s in SCHEDULES[2:])])
@cases("klass", CLASSES)
@each
def test_right_under_every_schedule(name: str, klass: str, threads: int, schedule: str) -> None:
    good(name, klass, threads=threads, OMP_SCHEDULE=schedule)


@each
def test_one_wrong_bit_is_seen(name: str) -> None:
    programs.damaged("amp", name, "S")


@cases("name, key", TELLING.items())
def test_the_seed_decides_the_input(name: str, key: str) -> None:
    first, again, other = (good(name, "S", "--seed", seed) for seed in ("1", "1", "6"))
    assert first[key] == again[key] != other[key]
    assert (first["seed"], other["seed"]) == (1, 6)


@cases("arguments", [("Q",), ("--seed",), ("--seed", "x"), ("--costs", "x")])
@each
def test_wrong_usage(name: str, arguments: tuple[str, ...]) -> None:
    programs.refused("amp", name, *arguments)


@each
def test_help(name: str) -> None:
    done = programs.start("amp", name, "--help")
    assert done.returncode == 0
    assert ("--seed" in done.stdout) == (name not in NPB)


@each
def test_each_has_loops_without_a_schedule_clause_only(name: str) -> None:
    text = programs.source(SUITES[name]).read_text()
    assert not re.search(r"\bschedule *\(", text)


@cases("suffix", (".c", ".cpp", ".f90"))
def test_languages(suffix: str) -> None:
    assert [programs.source(row).suffix for row in SUITES.values()].count(suffix) >= 3
