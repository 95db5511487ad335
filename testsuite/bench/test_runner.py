# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan: what is run, in which order, what counts, what is skipped.

Programs are played by a small script that prints what a kernel would.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ampbench import config, launch, plan
from ampbench import programs as known
from ampbench.emulation import Emulation, NotPossible, Slowing
from ampbench.job import Job
from ampbench.record import Run
from ampbench.runtimes import Runtime
from made import cases, executable, gone
from programs import kernels, source
from pytest import approx

CPU = min(os.sched_getaffinity(0))
EP = kernels()["ep"]

# Prints the report that the file `report` beside it holds, after what `before` says.
PROGRAM = """#!/bin/sh
here=${0%/*}
. "$here/before"
cat "$here/report"
exit $(cat "$here/status")
"""


def test_every_kernel_has_its_source_and_classes() -> None:
    rows = kernels("own", *known.TARGETS).values()
    assert {source(row).suffix for row in rows} == {".c", ".cpp", ".f90", ".F90"}
    for row in rows:
        assert source(row).is_file(), row.name
        assert {row.class_of(c) for c in ("quick", "default", "evaluation")} <= set(row.classes)


def test_the_makefile_builds_what_the_register_names() -> None:
    said = subprocess.run(
        ["make", "-npr", "-C", str(known.KERNELS)], capture_output=True, text=True, check=False
    ).stdout
    groups = {"KERNELS": ["bench", "bare"], "APPS": ["ich"], "SUITES": ["suites"]}
    for variable, members in groups.items():
        names = " ".join(n for g in members for n in kernels("own", g))
        assert f"\n{variable} := {names}\n" in said


def test_work_of_others() -> None:
    tick = os.sysconf("SC_CLK_TCK")
    own, thief, busy = 0.0, 0, {0: 0, 1: 0, 2: 0}

    def read(path: str | Path) -> str:
        if path == "/proc/77/stat":
            return f"77 (a b) S {'0 ' * 10}{thief} 0 0"
        # Idle and waiting time and other CPUs must not count.
        rows = [f"cpu{c} {t} 0 0 {7 * t} {3 * t} 0 0 0 0 0" for c, t in busy.items()]
        return "\n".join(["cpu 1 1 1 1 1 1 1 1", *rows, "intr 5"])

    with (
        mock.patch.object(launch.machine, "read", read),
        mock.patch.object(launch.os, "times", lambda: (0.0, 0.0, own, 0.0, 0.0)),
    ):
        usage = launch.Usage([0, 1], 77)
        busy = {0: 10 * tick, 1: 9 * tick, 2: 50 * tick}
        own, thief = 12.0, 2 * tick
        # 19 s busy, 12 of them ours and 2 the thief's: 5 s of others in 10.
        assert usage.others(10.0) == approx(0.5)
        own = 30.0
        assert usage.others(10.0) == 0.0


def two(fast: list[int], slow: list[int]) -> launch.Launcher:
    libraries = {n: Runtime("any", Path("/x"), None) for n in ("gomp", "amp")}
    return launch.Launcher(Path("/b"), libraries, fast, slow, Slowing("1ms"), 2.0)


BINDING = ("GOMP_AMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY")


@cases("name, types, fast, slow, wanted", [
    ("amp:aid_hybrid,80", "0:1", [0], [1],
     {"OMP_SCHEDULE": "aid_hybrid,80", "GOMP_AMP_AFFINITY": "bs", "GOMP_AMP_TYPES": "0:1",
      "OMP_NUM_THREADS": "2", "OMP_PLACES": None}),
    ("gomp:dynamic,1", "0:1", [0], [1], {"OMP_PLACES": "{0},{1}", "GOMP_AMP_TYPES": None}),
    ("amp:unset", None, [0], [1], {"OMP_SCHEDULE": None}),
    ("single:1", "0:1", [0], [1], {"OMP_NUM_THREADS": "1", "OMP_PLACES": "{1}"}),
    # Without binding.
    ("amp:aid_static@free", "0:1", [0], [1],
     dict.fromkeys(BINDING) | {"OMP_SCHEDULE": "aid_static", "GOMP_AMP_TYPES": "0:1"}),
    ("amp:unset@free", "0:1", [0], [1], dict.fromkeys((*BINDING, "OMP_SCHEDULE"))),
    ("stock:static@free", "0:1", [0], [1],
     dict.fromkeys((*BINDING, "OMP_SCHEDULE", "GOMP_AMP_TYPES"))),
    ("blind:unset", "0:1", [0], [1], {"GOMP_AMP_TYPES": None, "GOMP_AMP_AFFINITY": "bs"}),
    # Without types the library would place thread 0 on CPU 0.
    ("blind:unset", "1:0", [1], [0],
     {"GOMP_AMP_AFFINITY": None, "OMP_PLACES": "{1},{0}", "OMP_PROC_BIND": "true"}),
    ("amp:aid_static@sb", "0:1", [0], [1], {"GOMP_AMP_AFFINITY": "sb"}),
    ("team:weighted", "0:1", [0], [1],
     dict.fromkeys((*BINDING, "OMP_NUM_THREADS")) | {"GOMP_AMP_TEAM": "weighted"}),
    ("replace:aid_static", "0:1", [0], [1],
     {"GOMP_AMP_REPLACE": "static=aid_static", "OMP_SCHEDULE": None}),
    ("amp:ich,25@1", "0:1", [0], [1], {"OMP_NUM_THREADS": "1"}),
    ("fast:static", "0:1", [0], [1], {"OMP_NUM_THREADS": "1", "OMP_PLACES": "{0}"}),
    ("amp:unset", None, [0, 2], [1], {"GOMP_AMP_TYPES": None}),
])  # fmt: skip
def test_environment(name: str, types: str | None, fast: list[int], slow: list[int],
                     wanted: dict[str, str | None]) -> None:  # fmt: skip
    env = two(fast, slow).environment(EP, config.parse(name), types)
    assert {k: env.get(k) for k in wanted} == wanted


def test_split_gives_the_weight_to_the_fast() -> None:
    launcher = two([0, 2], [1])
    command = launcher.command(EP, config.parse("split:2.5"), {"bin": "/b", "class": "W"})
    assert command == ["/b/ep", "W", "--split", "2.5:2.5:1"]


@cases("name, ratio, words", [
    ("run:unset", 3.0, ["--quiet", "--types", "0:1", "--"]),
    ("run:weighted", 3.0, ["--weighted", "--quiet", "--types", "0:1", "--sf", "3,1", "--"]),
    ("run:weighted", 1.0, ["--weighted", "--quiet", "--types", "0:1", "--"]),
    ("run:auto", 3.0, ["--auto", "-v", "--types", "0:1", "--"]),
    ("run:replace", 3.0, ["--replace", "a=b", "--quiet", "--types", "0:1", "--"]),
])  # fmt: skip
def test_behind_amp_run(name: str, ratio: float, words: list[str]) -> None:
    program = known.Program("p", ("p",), replace="a=b")
    found = two([0], [1]).amp_run(program, config.parse(name), ratio, "0:1")
    assert (Path(found[0]).name, found[1:]) == ("amp-run", words)


class TestPrograms:
    @pytest.fixture(autouse=True)
    def make(self, tmp_path: Path) -> None:
        self.build, library = tmp_path, tmp_path / "libgomp.so.1"
        library.touch()
        for which in ("stock", "amp", "portable"):
            executable(self.file("ep", which), PROGRAM)
            self.file("before", which).write_text("")
            self.file("status", which).write_text("0\n")
        self.report: dict[str, Any] = {
            "kernel": "ep", "class": "S", "seconds": 0.5, "verified": True, "threads": 1,
            "loops": 1, "runtime": str(library), "cpus": [CPU],
        }  # fmt: skip
        self.say()
        runtime = Runtime("any", library.resolve(), None)
        self.launcher = launch.Launcher(
            tmp_path, {"gomp": runtime, "amp": runtime}, [CPU], [], Slowing("1ms"), 2.0
        )

    def file(self, name: str, which: str = "stock") -> Path:
        return self.build / "bench" / which / name

    def say(self, *which: str, **changes: Any) -> None:
        for w in which or ("stock", "amp", "portable"):
            self.file("report", w).write_text(json.dumps({**self.report, **changes}) + "\n")

    def execute(self, name: str = "stock:static", within: Emulation | None = None) -> Run:
        return self.launcher.execute(EP, config.parse(name), "S", within)

    def test_good(self) -> None:
        record = self.execute()
        assert (record.status, record.seconds) == ("ok", 0.5)
        assert record.others >= 0.0

    @cases("changes, status", [
        ({"verified": False}, "wrong result"), ({"verified": "true"}, "wrong result"),
        ({"runtime": "/lib/other.so"}, "wrong library"), ({"threads": 2}, "wrong team"),
        ({"cpus": [CPU + 1]}, "wrong placement"), ({"seconds": None}, "no output"),
    ])  # fmt: skip
    def test_what_does_not_count(self, changes: dict[str, Any], status: str) -> None:
        self.say(**changes)
        assert self.execute().status == status

    @cases("file, text, status", [
        ("report", "hello\n", "no output"), ("status", "139\n", "crashed"),
        ("before", "echo 'libamp-slow.so: /x: No such file: all of process 1 at full speed' >&2\n",
         "refused"),
    ])  # fmt: skip
    def test_what_else_does_not_count(self, file: str, text: str, status: str) -> None:
        self.file(file).write_text(text)
        assert self.execute().status == status

    def test_unbound_threads_may_be_anywhere_on_the_cpus(self) -> None:
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            pytest.skip("needs two CPUs")
        self.launcher.fast, self.launcher.slow = [usable[0]], [usable[1]]
        self.say("amp", threads=2, cpus=[usable[1], usable[1]])
        assert self.execute("amp:unset@free").status == "ok"
        assert self.execute("amp:unset").status == "wrong placement"
        self.say("amp", threads=2, cpus=[usable[0], usable[-1] + 1])
        assert self.execute("amp:unset@free").status == "wrong placement"

    @cases("threads, status", [(1, "ok"), (3, "ok"), (0, "wrong team"), (None, "wrong team")])
    def test_a_weighted_team_may_be_larger(self, threads: int | None, status: str) -> None:
        self.say(threads=threads, cpus=[CPU] * (threads or 1))
        assert self.execute("team:weighted").status == status

    def test_time_limit_ends_children_too(self) -> None:
        child = self.build / "child"
        self.file("before").write_text(f"sleep 1000 & echo $! >{child}; wait\n")
        self.launcher.limit = 5.0
        record = self.execute()
        assert (record.status, record.seconds) == ("timeout", None)
        assert gone(int(child.read_text()))

    def emulator(self, text: str, method: str = "signal", period: str = "1ms") -> Emulation:
        tool = executable(self.build / "emulator", "#!/bin/sh\n" + text)
        return Emulation(tool, [1], 3.0, Slowing(period, method))

    # Plays amp-emulate.
    SLOWS = (
        'echo "$@" >"${0%/*}/arguments"\n'
        'until [ "$1" = -- ]; do shift; done; shift\n'
        "export GOMP_AMP_TYPES=0:1 AMP_EMULATE_TABLE=/a/table LD_PRELOAD=/a/lib.so\n"
        'exec "$@"\n'
    )

    @cases("method, table", [("signal", "/a/table /a/lib.so"), ("thief", "none none")])
    def test_emulation_is_for_runs_within(self, method: str, table: str) -> None:
        seen = self.build / "seen"
        self.file("before").write_text(
            f'echo "${{AMP_EMULATE_TABLE-none}} ${{LD_PRELOAD-none}}" >{seen}\n'
        )
        with self.emulator(self.SLOWS, method, "300us") as emulation:
            assert emulation.types == "0:1"
            self.execute(within=emulation)
        assert seen.read_text().strip() == table
        wanted = f"--slow 1=3 --period 300us --method {method} --json"
        assert wanted in (self.build / "arguments").read_text()
        self.execute()
        assert seen.read_text().strip() == "none none"

    def test_what_is_loaded_before_stays(self) -> None:
        with self.emulator(self.SLOWS) as emulation:
            env = {"LD_PRELOAD": "/mine.so"}
            emulation.add_to(env)
        assert env["LD_PRELOAD"] == "/a/lib.so:/mine.so"

    def test_emulation_that_is_refused(self) -> None:
        with pytest.raises(NotPossible, match="no right"):
            self.emulator("echo no right >&2\nexit 2\n").__enter__()

    def job(self, names: list[str]) -> Job:
        chosen = tuple(config.parse(n) for n in names)
        return Job(self.launcher, EP, chosen, "equal cores", 1.0, "A", "S")

    def plan(self, names: list[str], reps: int, known: Sequence[Run] = (), seed: int = 5,
             **more: Any) -> list[Run]:  # fmt: skip
        series = [self.job(names)]
        if more:
            series.append(Job(self.launcher, EP, (), "ratio 2", 2.0, "A", "S"))
        out: list[Run] = []
        plan.Plan(series, reps, seed, out.append, known, 60.0, quiet=True, **more).run()
        return out

    def test_round_robin_with_one_warm_up(self) -> None:
        names = ["stock:static", "gomp:guided", "amp:aid_static"]
        records = self.plan(names, 2)
        assert [r.round for r in records] == [0] * 3 + [1] * 3 + [2] * 3
        for i in (0, 3, 6):
            assert {r.config for r in records[i : i + 3]} == set(names)
        assert {r.where for r in records} == {"equal cores"}

    def test_the_seed_decides_the_order(self) -> None:
        names = [f"gomp:dynamic,{i}" for i in range(1, 9)]
        one, again, other = ([r.config for r in self.plan(names, 1, seed=s)] for s in (1, 1, 2))
        assert one == again != other
        assert one[:8] != one[8:]

    def test_the_budget_ends_a_round_but_not_the_first(self) -> None:
        out: list[Run] = []
        job = self.job(["stock:static", "gomp:guided"])
        # A run takes a minute.
        with mock.patch("ampbench.plan.time.monotonic", side_effect=lambda: 60.0 * len(out)):
            work = plan.Plan([job], 9, 5, out.append, (), 330.0, quiet=True, warm=False)
            work.run()
        assert [r.round for r in out] == [1, 1, 2, 2]
        out.clear()
        with mock.patch("ampbench.plan.time.monotonic", side_effect=lambda: 60.0 * len(out)):
            plan.Plan([job], 9, 5, out.append, (), 30.0, quiet=True, warm=False).run()
        assert [r.round for r in out] == [1, 1]

    def test_resume_runs_only_what_is_missing(self) -> None:
        names = ["stock:static", "gomp:guided"]
        whole = self.plan(names, 2)
        rest = self.plan(names, 2, known=whole[:3])
        assert [r.key for r in rest] == [r.key for r in whole[3:]]

    @cases("says, reps, statuses", [
        # What failed twice is skipped.
        ({"verified": False}, 3, ["wrong result", "wrong result", "skipped", "skipped"]),
        # What is much slower runs twice only.
        ({"seconds": 5.0}, 4, ["ok", "ok", "ok", "skipped", "skipped"]),
    ])  # fmt: skip
    def test_what_is_skipped_says_so(self, says: dict[str, Any], reps: int,
                                     statuses: list[str]) -> None:  # fmt: skip
        self.say("amp", **says)
        runs = self.plan(["stock:static", "amp:guided"], reps)
        mine = [r for r in runs if r.config == "amp:guided"]
        assert [r.status for r in mine] == statuses
        assert ("failed 2 times" in mine[-1].why) == ("verified" in says)

    @cases("brief, status", [(True, "skipped"), (False, "ok")])
    def test_what_is_hopeless_at_one_ratio_is_not_run_at_another(
        self, brief: bool, status: str
    ) -> None:
        names = ["stock:static", "gomp:guided", "amp:guided"]
        # Of the other ratio's series the records are there already.
        before = [Run(name, 1, seconds=seconds, program="ep", klass="A", where="ratio 2", ratio=2.0)
                  for name, seconds in zip(names, (1.0, 5.5, 5.5))]  # fmt: skip
        out = self.plan(names, 1, before, brief=brief)
        found = {r.config: r.status for r in out if r.round == 1}
        assert found == {"stock:static": "ok", "gomp:guided": status, "amp:guided": "ok"}
