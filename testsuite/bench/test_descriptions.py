# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of suites, and the names of configurations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ampbench import config
from ampbench import programs as describe
from made import TOP, cases

SUITES = TOP / "benchmarks" / "suites"
PLACES = {"bin": "/b", "data": "/d", "work": "/w", "threads": "8"}


def test_all_load_and_fill() -> None:
    names = {}
    for path in sorted(SUITES.glob("*.toml")):
        programs = describe.load(path).programs
        names[path.stem] = {p.name for p in programs}
        for p in programs:
            filled = [p.fill(t, PLACES) for t in (*p.command, *p.needs, *p.same, *p.links.values())]
            assert all("{" not in t and t for t in filled), (p.key, filled)
            assert filled[0].startswith("/b/"), p.key
    assert set(names) == {"npb", "parsec", "rodinia"}
    assert names["npb"] >= {"bt", "cg", "ep", "ft", "is", "lu", "mg", "sp", "ua"}
    assert names["rodinia"] >= {"bfs", "leukocyte", "sradv1", "streamcluster"}


def program(suite: str, name: str) -> describe.Program:
    return next(p for p in describe.load(SUITES / f"{suite}.toml").programs if p.name == name)


def test_npb_output() -> None:
    ep = program("npb", "ep")
    good = " Time in seconds =                12.34\n Verification    =   SUCCESSFUL\n"
    assert re.search(ep.expect, good)
    assert not re.search(ep.expect, good.replace("SUCC", "UNSUCC"))
    assert re.search(ep.time, good)[1] == "12.34"


@cases("text, bad", [
    ("x\nError Reading graph file\n", True), ("ERROR: 3 is wrong", True),
    ("Usage: bfs <n>", True), ("The file was not opened", True),
    ("Accuracy: 1e-6, error 0.1", False), ("Result stored in result.txt", False),
])  # fmt: skip
def test_rodinia_errors(text: str, bad: bool) -> None:
    assert bool(re.search(program("rodinia", "bfs").reject, text)) == bad


def load(folder: Path, text: str, *settings: str) -> list[describe.Program]:
    path = folder / "x.toml"
    path.write_text(text)
    return describe.load(path, settings).programs


@cases("settings, expected", [
    ((), ["3x", "4"]), (("n=7",), ["7x", "7"]), (("b.n=9",), ["3x", "9"]),
    (("n=7", "b.n=9"), ["7x", "9"]),
])  # fmt: skip
def test_values(tmp_path: Path, settings: tuple[str, ...], expected: list[str]) -> None:
    text = (
        'values = { n = 3, m = "x" }\n'
        '[[program]]\nname = "a"\ncommand = ["{bin}/a", "{n}{m}"]\n'
        '[[program]]\nname = "b"\ncommand = ["{bin}/b", "{n}"]\nvalues = { n = 4 }\n'
    )
    assert [p.fill(p.command[1], PLACES) for p in load(tmp_path, text, *settings)] == expected


HEAD = '[[program]]\nname = "a"\n'
GOOD = HEAD + 'command = ["{bin}/a"]\n'


@cases("text, settings, says", [
    ("", (), "no program"), ("x = 1\n" + GOOD, (), "unknown key x"),
    (GOOD + "typo = 1\n", (), "unknown key typo"), (HEAD, (), "command"),
    (GOOD + "expect = '('\n", (), "expect"), (GOOD + "time = 'Time'\n", (), "group"),
    (GOOD + "limit = -1\n", (), "limit"), (GOOD + "silent = 1\n", (), "silent"),
    (GOOD + 'folder = "../up"\n', (), "leads out"),
    (GOOD + 'links = { "/etc" = "x" }\n', (), "leads out"),
    (GOOD + 'values = { bin = "x" }\n', (), "bin"), (GOOD + GOOD, (), "twice"),
    ("not toml", (), "x.toml"), (GOOD, ("n",), "NAME=VALUE"),
])  # fmt: skip
def test_wrong(tmp_path: Path, text: str, settings: tuple[str, ...], says: str) -> None:
    with pytest.raises(describe.Wrong, match=says):
        load(tmp_path, text, *settings)


def test_a_placeholder_without_a_value(tmp_path: Path) -> None:
    (found,) = load(tmp_path, HEAD + 'command = ["{bin}/a", "{size}"]\n')
    with pytest.raises(describe.Wrong, match="size"):
        found.fill(found.command[1], PLACES)


@cases("text, name, schedule", [
    ("static@sb", "amp:static@sb", "static"), ("static(SB)", "amp:static@sb", "static"),
    ("AID-Static@bs", "amp:aid_static", "aid_static"), ("unset@free", "amp:unset@free", None),
    ("aid_hybrid,80@4-7:0-3", "amp:aid_hybrid,80@4-7:0-3", "aid_hybrid,80"),
    ("aid_static+sf", "amp:aid_static+sf", "aid_static"), ("amp:ich,25@2", "amp:ich,25@2", "ich,25"),
    ("gomp:dynamic,1", "gomp:dynamic,1", "dynamic,1"), ("single:3", "single:3", None),
    ("run:weighted", "run:weighted", None), ("stock:static@free", "stock:static@free", None),
])  # fmt: skip
def test_parse(text: str, name: str, schedule: str | None) -> None:
    found = config.parse(text)
    assert (found.name, found.environment().get("OMP_SCHEDULE")) == (name, schedule)
    assert config.parse(found.name) == found == config.parse(config.title(found.name))


@cases("text", ["", "@bs", "static@", "static@big", "sta tic", "static+x@bs", "static,x", "4@bs",
                "amp:", "tbb:static", ":static"])  # fmt: skip
def test_wrong_configurations(text: str) -> None:
    with pytest.raises(ValueError):
        config.parse(text)


def test_presets() -> None:
    paper = config.parse_all(["paper", "static@sb unset"])
    assert [c.name for c in paper] == [*(f"amp:{n}" for n in config.PRESETS["paper"]), "amp:unset"]
    assert all(config.parse_all([name]) for name in config.PRESETS)


def test_select() -> None:
    known = config.parse_all(["stock:static gomp:dynamic,1 gomp:guided amp:aid_static amp:unset single:0"])
    kept = [c.name for c in config.select(known, ["amp:aid_*", "amp:dynamic,7"])]
    assert kept == ["stock:static", "gomp:dynamic,1", "amp:aid_static", "single:0", "amp:dynamic,7"]
    assert config.select(known, []) == known
    with pytest.raises(ValueError):
        config.select(known, ["static,x"])
