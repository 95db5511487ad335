# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of suites, and the names of configurations."""

import re
from pathlib import Path

import pytest
from ampbench import config, describe, kernels
from made import TOP, cases

SUITES = TOP / "benchmarks" / "suites"
PLACES = {"bin": "/b", "data": "/d", "work": "/w", "threads": "8"}


def test_all_load_and_fill() -> None:
    names = {}
    for path in sorted(SUITES.glob("*.toml")):
        programs = describe.load(path)
        names[path.stem] = {p.name for p in programs}
        for p in programs:
            filled = [p.fill(t, PLACES) for t in (*p.command, *p.needs, *p.same, *p.links.values())]
            assert all("{" not in t and t for t in filled), (p.key, filled)
            assert filled[0].startswith("/b/"), p.key
    assert set(names) == {"kernels", "npb", "parsec", "rodinia"}
    assert names["npb"] >= {"bt", "cg", "ep", "ft", "is", "lu", "mg", "sp", "ua"}
    assert names["rodinia"] >= {"bfs", "leukocyte", "sradv1", "streamcluster"}


def program(suite: str, name: str) -> describe.Program:
    return next(p for p in describe.load(SUITES / f"{suite}.toml") if p.name == name)


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


def test_kernels_are_those_of_the_registry() -> None:
    programs = describe.load(SUITES / "kernels.toml", ["class=S", "cg.class=W"])
    commands = {p.name: " ".join(p.fill(c, PLACES) for c in p.command) for p in programs}
    assert set(commands) == set(kernels.load("all"))
    assert (commands["cg"], commands["ep"]) == ("/b/cg W", "/b/ep S")
    assert commands["bfs-uniform"] == "/b/bfs S --graph uniform"


def load(folder: Path, text: str, *settings: str) -> list[describe.Program]:
    path = folder / "x.toml"
    path.write_text(text)
    return describe.load(path, settings)


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


@cases("text, name, schedule, binding", [
    ("static@sb", "static@sb", "static", "sb"), ("static(SB)", "static@sb", "static", "sb"),
    ("AID-Static", "aid_static@bs", "aid_static", "bs"),
    ("aid_hybrid,80@4-7:0-3", "aid_hybrid,80@4-7:0-3", "aid_hybrid,80", "4-7:0-3"),
    ("unset@free", "unset@free", None, None),
    ("aid_static+sf@bs", "aid_static+sf@bs", "aid_static", "bs"),
])  # fmt: skip
def test_parse(text: str, name: str, schedule: str | None, binding: str | None) -> None:
    found = config.parse(text, bare=True)
    env = {"OMP_SCHEDULE": schedule, "GOMP_AMP_AFFINITY": binding}
    assert (found.name, found.environment()) == (name, {k: v for k, v in env.items() if v})
    assert config.parse(found.name, bare=True) == found
    assert config.parse(config.title(found.name), bare=True) == found


@cases("text", ["", "@bs", "static@", "static@big", "sta tic", "static+x@bs", "static,x", "4@bs"])
def test_wrong_configurations(text: str) -> None:
    with pytest.raises(ValueError):
        config.parse(text, bare=True)


def test_presets() -> None:
    paper = config.parse_all(["paper", "static@sb unset"])
    assert [c.name for c in paper] == [*config.PRESETS["paper"], "unset@bs"]
    assert all(config.parse_all([name]) for name in config.PRESETS)
