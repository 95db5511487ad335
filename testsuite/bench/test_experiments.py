# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments: what their files say, and how options change it; simulations."""

import argparse
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from ampbench import cli, config, experiment, short, simulation, tables
from ampbench.emulation import Slowing
from ampbench.experiment import Part, find
from ampbench.launch import Launcher
from ampbench.programs import Program, Wrong
from ampbench.runtimes import Runtime
from made import STAGE, TOP, bench, cases, executable, records
from programs import kernels

CG = kernels()["cg"]
ALL = [*experiment.names("experiments"), *experiment.names("papers"), *experiment.names("suites"),
       "field", "mpi", "device"]  # fmt: skip


@cases("quick", [False, True])
@cases("name", ALL)
def test_files(name: str, quick: bool) -> None:
    found = experiment.load(find(name), quick)
    for part in found.parts:
        assert part.chosen(found.suite), part.name
        assert (part.lines and not part.configs) if part.simulated else config.parse_all(part.configs)
        assert len({line.name for line in part.lines}) == len(part.lines)
        for p in part.chosen(found.suite):
            p.class_of(part.klass)
    parts = {p.name for p in found.parts}
    for spec in found.tables:
        tables.Table(spec, [], [])
        assert spec.get("part", "*") in {*parts, "*"}
    # What tables name is there, as a column or as what columns are made of.
    known = [c.name for p in found.parts for c in config.parse_all(p.configs)]
    known += [x.name for p in found.parts for x in p.lines]
    for spec in found.tables:
        for column, patterns in spec.get("columns", {}).items():
            some = [p.removeprefix("worst:") for p in tables.listed(patterns)]
            made = any(s.startswith("split:") for s in some)
            assert made or any(config.matches(k, some) for k in known), (spec.get("title"), column)


def test_the_pages_name_what_there_is() -> None:
    text = "".join(p.read_text() for p in (TOP / "docs").rglob("*.md"))
    for folder, command in (("experiments", "run"), ("papers", "reproduce")):
        missing = [n for n in experiment.names(folder) if f"{command} {n}" not in text]
        assert set(missing) <= {"compare", "simulate", "suites"}, command


def names(part: str, ratio: float, *wanted: str, program: Program = CG) -> set[str]:
    (found,) = [p for p in experiment.load(find(part)).parts if not p.simulated][:1]
    return {c.name for c in found.configs_of(program, ratio, [0, 1], 2.0, wanted)}


def test_what_is_compared() -> None:
    found = names("compare", 3.0)
    assert found >= {"stock:static", "gomp:dynamic,1", "fast:static", "single:0", "single:1", "split:3",
                     "amp:aid_hybrid,80", "amp:unset", "llvm:static_steal"}  # fmt: skip
    equal = names("compare", 1.0)
    assert equal == {n for n in found if not n.startswith(("fast:", "split:"))}
    # Of types of cores of which one knows no ratio, splits go by a guess.
    assert "split:2" in names("compare", 0.0)
    assert names("compare", 3.0, "amp:aid_*", "amp:ich,25") == {
        "stock:static", "gomp:dynamic,1", "single:0", "single:1", "amp:aid_static", "amp:ich,25",
        "amp:aid_hybrid,80", "amp:aid_dynamic,1,5",
    }  # fmt: skip
    assert not any(n.startswith("split:") for n in names("compare", 3.0, program=kernels()["ep"]))


def test_rows_are_expanded() -> None:
    row = {"name": "<a> <b>", "options": ["--x=<b>"], "over": {"a": [1, 2], "b": ["u", "v"]}}
    found = list(experiment.expanded(row))
    assert [r["name"] for r in found] == ["1 u", "1 v", "2 u", "2 v"]
    assert found[3]["options"] == ["--x=v"]


@cases("text, says", [
    ("[[part]]\nnme = 'x'\n", "unknown key nme"), ("parts = 1\n", "unknown key parts"),
    ("[[part]]\nline = [ { nme = 'x' } ]\n", "unknown key nme"), ("x", "Expected"),
])  # fmt: skip
def test_wrong_files(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(Wrong, match=says):
        experiment.load(path)


def changed(*arguments: str) -> tuple[Part, ...]:
    return cli.experiment_of(cli.parser().parse_args(arguments)).parts


def test_options_change_what_is_run() -> None:
    (part,) = changed("compare", "--kernels", "lud", "--class", "S", "--ratio", "1,4", "--reps", "7")
    assert (part.programs, part.klass, part.ratios, part.reps) == (("lud",), "S", (1.0, 4.0), 7)
    (part,) = changed("compare", "--quick")
    assert (part.klass, part.reps, part.warm_once) == ("quick", 3, True)
    (part,) = changed("simulate", "--machines", "4x2+4x1,2x1", "--configs", "static; halves,4")
    assert part.machines == {"4x2+4x1": "4x2+4x1", "2x1": "2x1"}
    assert [x.name for x in part.lines] == ["static", "halves,4"]
    own = cli.experiment_of(cli.parser().parse_args(["reproduce", "aid", "--also", "halves,4"]))
    assert all("halves,4" in t["columns"] for t in own.tables if "columns" in t)
    sim, real = own.parts
    assert sim.lines[-1].name == "halves,4" and real.configs[-1] == "halves,4"
    assert [p.name for p in changed("reproduce", "aid", "--only", "real")] == ["real"]
    npb = [changed("suites", "npb", *more)[0].ratios for more in ((), ("--slow", "1"))]
    assert npb == [(1.0,), (3.0,)]


@cases("wrong", [
    "compare --ratio 0", "compare --ratio x", "compare --only nothing", "nothing", "run", "compare --reps 0",
    "compare --limit -1", "compare --limit nan", "compare --slow 3-1", "suites npb rodinia", "compare --env X",
    "simulate --set X",
])  # fmt: skip
def test_wrong_options(wrong: str) -> None:
    assert bench(*wrong.split()).returncode == 2


@cases("wrong, says", [
    ("run nothing", "no experiment"), ("compare --kernels nothing", "no program nothing"),
    ("compare --class X", "no class X"), ("suites npb", "--bin DIR"),
])  # fmt: skip
def test_what_is_not_there(wrong: str, says: str) -> None:
    if says != "no experiment" and not (STAGE / "lib" / "libgomp.so.1").exists():
        pytest.skip("run make first")
    done = bench(*wrong.split(), "--list")
    assert done.returncode == 1 and says in done.stderr


def test_help_has_every_command_and_file() -> None:
    told = bench("--help").stdout
    assert all(re.search(rf"^ +{name}\b", told, re.M) for name in cli.COMMANDS)
    assert "aid, corbera, ich, libhetmp, maturity" in " ".join(bench("reproduce", "--help").stdout.split())


# Simulations, by a program that plays amp-sim and writes down what it was asked.
SIM = """#!/usr/bin/env python3
import json, sys
from pathlib import Path
with Path(sys.argv[0]).with_name("asked").open("a") as out: print(*sys.argv[1:], file=out)
a = sys.argv
on, names = a[a.index("-m") + 1], a[a.index("-S") + 1].split(";")
for i, n in enumerate(names):
    print(json.dumps({"seconds": i + 1.0, "efficiency": 0.5, "grants": 7, "machine": on, "executions": 1,
                      "serial_ns": 5e8, "speeds": [1.0], "joules": 3.0}))
"""


class TestSimulation:
    @pytest.fixture(autouse=True)
    def make(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        self.tools = tmp_path / "stage" / "bin"
        executable(self.tools / "amp-sim", SIM)
        (tmp_path / "cg-S.costs").write_text("# serial 9\n# loop 0: 1 iterations at cg+1\n4\n# serial 9\n")
        self.out: list[Any] = []

    def run(self, part: Part, before: Any = ()) -> list[Any]:
        ours = {"amp": Runtime("amp", None, None)}
        launcher = Launcher(self.folder, ours, [0], [1], Slowing("1ms"))
        simulation.Simulator(launcher, part, 1, self.folder, list(before), self.out.append,
                             lambda _: None).run([CG], "S")  # fmt: skip
        return self.out

    def asked(self) -> list[list[str]]:
        return [line.split() for line in (self.tools / "asked").read_text().splitlines()]

    def part(self, *lines: dict[str, Any], **more: Any) -> Part:
        found: Part = experiment.part_of("x", {"name": "sim", "line": list(lines), **more})
        return found

    def test_lines_with_the_same_options_are_one_simulation(self) -> None:
        one, two = {"name": "a", "schedule": "static"}, {"name": "b", "schedule": "ich"}
        three = {"name": "c", "schedule": "<s>", "options": ["--sb"], "over": {"s": ["guided"]}}
        runs = self.run(self.part(one, two, three, machines={"m": "2x1"}, options=["-g", "60"]))
        asked = self.asked()
        assert [a[a.index("-S") + 1] for a in asked] == ["static;ich", "guided"]
        assert "--sb" in asked[1] and "--sb" not in asked[0] and asked[0][-2:] == ["-g", "60"]
        found = {r.config: (r.seconds, r.where, r.klass, r.more["schedule"]) for r in runs}
        assert found == {"a": (1.0, "m", "S", "static"), "b": (2.0, "m", "S", "ich"),
                         "c": (1.0, "m", "S", "guided")}  # fmt: skip

    def test_placeholders_and_what_a_machine_lacks(self) -> None:
        values = {"all": {"ratio": 4.0, "how": "all"}, "cg": {"ratio": 2.0}}
        part = self.part({"name": "a", "options": ["--depend={how}"]}, values=values, cores=[4, 4],
                         machines={"m": "0x1+3x{per_ratio}"}, watts={"*": "5/5/2,1/1/0.5"})  # fmt: skip
        (run,) = self.run(part)
        (asked,) = self.asked()
        # Four fast cores, and one slow one, are idle for a second.
        assert asked[asked.index("-m") + 1] == "3x0.5" and "--watts=1/1/0.5" in asked
        assert "--depend=all" in asked and run.more["energy"] == 3.0 + 4 * 2.0 + 0.5
        with pytest.raises(Wrong, match="placeholder"):
            self.run(self.part({"name": "b", "schedule": "{nothing}"}, machines={"m": "1x1"}))

    def test_work_between_loops(self) -> None:
        (run,) = self.run(self.part({"name": "a"}, machines={"m": "1x1"}, serial="none"))
        assert run.seconds == 0.5
        assert (self.folder / "cg-S.loops").read_text() == "# loop 0: 1 iterations at cg+1\n4\n"

    def test_what_is_known_is_not_simulated_again(self) -> None:
        part = self.part({"name": "a"}, {"name": "b"}, machines={"m": "1x1"})
        first = self.run(part)[0].record()
        self.out.clear()
        assert [r.config for r in self.run(part, [first])] == ["b"]

    def test_each_loop_has_an_sf_of_its_own(self) -> None:
        self.run(self.part({"name": "a", "options": ["--sf={sf}"]}, machines={"m": "1x1"},
                           sf={"m": [2.0, 8.0]}))  # fmt: skip
        place, sf = (self.folder / "cg-S.m.sf").read_text().split()
        assert place == "cg+1" and 2.0 <= float(sf.partition(",")[0]) <= 8.0
        many = [math.log2(simulation.loop_sf([2.0, 8.0], i)) for i in range(300)]
        assert 1.0 <= min(many) < 1.1 and 2.9 < max(many) <= 3.0
        assert simulation.loop_sf([2.0, 8.0], 5) == simulation.loop_sf([2.0, 8.0], 5)

    def test_real_runs_tell_the_ratio(self) -> None:
        real = [{"type": "run", "program": "cg", "part": "real", "config": c, "round": r, "seconds": s}
                for r in (1, 2) for c, s in (("single:0", 2.0), ("single:1", 6.0))]  # fmt: skip
        recorded = {"type": "recording", "file": str(self.folder / "cg-S.costs"), "seconds": 1.0}
        part = self.part({"name": "a"}, machines={"m": "{fast}x1+{slow}x{per_ratio}"}, beside="real",
                         options=["--unit={unit}"])  # fmt: skip
        self.run(part, [*real, recorded])
        (asked,) = self.asked()
        assert "1x1+1x0.333333" in asked and "--unit=2.0" in asked

    def test_failures_are_told(self) -> None:
        executable(self.tools / "amp-sim", "#!/bin/sh\necho what >&2; exit 1\n")
        (run,) = self.run(self.part({"name": "a"}, machines={"m": "1x1"}))
        assert (run.status, run.why) == ("failed", "what")
        # What amp-sim does not understand it will not understand of another program.
        executable(self.tools / "amp-sim", "#!/bin/sh\necho usage >&2; echo more >&2; exit 2\n")
        with pytest.raises(Wrong, match="^usage$"):
            self.run(self.part({"name": "a"}, machines={"m": "1x1"}))


def test_short_loops_are_calibrated_once(tmp_path: Path) -> None:
    executable(tmp_path / "bench" / "stock" / "short", '#!/bin/sh\necho \'{"work": 7}\'\n')
    base, part = kernels("own", "bare")["short"], Part(kinds=("chain", "matvec"), lengths=(1, 30))
    before = [{"type": "session", "work": {"chain-30us": "9"}}]
    found = short.programs_of(tmp_path, base, part, before, ["chain-*"])
    assert [(p.name, p.values["length"]) for p in found] == [("chain-1us", "7"), ("chain-30us", "9")]
    assert found[1].command[2:] == ("--kind", "chain", "--trip", "200", "--work", "{length}", "--loops",
                                    "889", "--calls", "0")  # fmt: skip


def test_a_paper_from_end_to_end(tmp_path: Path) -> None:
    if not (STAGE / "bin" / "amp-sim").exists():
        pytest.skip("run make first")
    raw = tmp_path / "raw.jsonl"
    done = bench("reproduce", "libhetmp", "--quick", "--kernels", "ep", "--configs",
                 "one cluster;hetprobe", "--out", raw)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {r["status"] for r in records(raw)} == {"ok"}
    assert {r["config"] for r in records(raw)} >= {"hetprobe"}
    assert "hetprobe over" in done.stdout
    assert json.loads(raw.read_text().splitlines()[0])["format"] == 2


def test_parser_knows_no_other_command() -> None:
    (action,) = [a for a in cli.parser()._actions if isinstance(a, argparse._SubParsersAction)]
    assert set(action.choices) == set(cli.COMMANDS) and len(cli.COMMANDS) == 6
