# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan: what is run, in which order, what counts, what is skipped.

Programs are played by a small script that prints what a kernel would.
"""

import json
import os
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from ampbench import config, kernels, launch, plan, sites
from ampbench.commands import compare
from ampbench.emulation import Emulation, NotPossible, Slowing, other_slowing
from ampbench.record import Run
from ampbench.runtimes import Runtime

TOP = Path(__file__).resolve().parents[2]
CPU = min(os.sched_getaffinity(0))

# Prints the report that the file `report` beside it holds, after what `before` says.
PROGRAM = """#!/bin/sh
here=${0%/*}
. "$here/before"
cat "$here/report"
exit $(cat "$here/status")
"""


class Selection(unittest.TestCase):
    def setUp(self) -> None:
        self.kernels = kernels.load()

    def test_every_kernel_has_its_source_and_classes(self) -> None:
        rows = kernels.load(groups=[*kernels.TARGETS, "bare"]).values()
        known = {".c", ".cpp", ".f90", ".F90"}
        self.assertEqual({Path(row.source).suffix for row in rows}, known)
        for row in rows:
            self.assertTrue((kernels.FOLDER / row.source).is_file(), row.name)
            for which in (row.quick, row.default, row.evaluation):
                self.assertIn(which, row.classes)

    def test_the_makefile_builds_what_the_register_names(self) -> None:
        said = subprocess.run(
            ["make", "-npr", "-C", str(kernels.FOLDER)], capture_output=True, text=True, check=False
        ).stdout
        for variable, groups in (
            ("KERNELS", ["bench", "bare"]), ("APPS", ["ich"]), ("SUITES", ["suites"]),
        ):  # fmt: skip
            names = " ".join(n for g in groups for n in kernels.load(groups=[g]))
            self.assertIn(f"\n{variable} := {names}\n", said)

    def test_comparison_covers_what_issue_2_names(self) -> None:
        cg = self.kernels["cg"]
        names = {c.name for c in compare.comparison_configs(cg, [0, 1], 3.0, ["llvm"])}
        for schedule in ("static", "dynamic,1", "guided", *config.PAPER):
            self.assertIn(f"amp:{schedule}", names)
        for schedule in ("dynamic,1", "guided", "static_steal"):
            self.assertIn(f"llvm:{schedule}", names)
        self.assertTrue({"stock:static", "gomp:dynamic,1", "single:0", "single:1"} <= names)
        self.assertIn("split:3", names)
        self.assertFalse(any(n.startswith("intel:") for n in names))

    def test_select(self) -> None:
        ep = compare.comparison_configs(self.kernels["ep"], [0, 1], 3.0, ["llvm"])
        kept = {c.name for c in config.select(ep, ["amp:aid_*", "amp:dynamic,7"])}
        self.assertEqual(
            kept,
            {f"amp:{s}" for s in config.PAPER}
            | {"amp:dynamic,7", "stock:static", "gomp:dynamic,1", "single:0", "single:1"},
        )
        with self.assertRaises(ValueError):
            config.select(ep, ["nonsense"])

    def test_unusual_configurations_come_by_pattern_only(self) -> None:
        ep = compare.comparison_configs(self.kernels["ep"], [0, 1], 3.0, [])
        more = compare.unusual_configs(3.0)
        self.assertEqual(config.select(ep, [], more), ep)
        kept = [c.name for c in config.select(ep, ["free:*"], more)]
        self.assertEqual(
            [n for n in kept if n.startswith("free:")],
            ["free:static", "free:aid_static", "free:aid_hybrid,80", "free:unset"],
        )
        self.assertEqual(len(kept), len(set(kept)))

    def test_sites_cover_what_issue_3_names(self) -> None:
        cg = self.kernels["cg"]
        names = {c.name for c in compare.sites_configs(cg, [0, 1], 3.0, ["llvm", "intel"])}
        wanted = {
            "stock:static", "gomp:dynamic,1", "amp:aid_static", "amp:aid_hybrid,80",
            "amp:aid_dynamic,1,5", "amp:unset", "free:aid_static", "free:unset", "blind:unset",
            "llvm:guided", "llvm:static_steal", "intel:guided", "intel:static_steal",
            "split:3", "single:0", "single:1",
        }  # fmt: skip
        self.assertLessEqual(wanted, names)
        # On equal cores there is nothing that blind would not be told.
        equal = {c.name for c in compare.sites_configs(cg, [0, 1], 1.0, [])}
        self.assertNotIn("blind:unset", equal)
        self.assertIn("free:unset", equal)
        for kernel in sites.KERNELS:
            self.assertIn(kernel, self.kernels)

    def test_names(self) -> None:
        self.assertEqual(config.parse("amp:aid_dynamic,1,5").schedule, "aid_dynamic,1,5")
        for wrong in ("amp", "amp:", "tbb:static", ":static"):
            with self.assertRaises(ValueError):
                config.parse(wrong)


class WithPrograms(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        self.library = self.build / "libgomp.so.1"
        self.library.touch()
        for which in ("stock", "amp"):
            bench = self.build / "bench" / which
            bench.mkdir(parents=True)
            (bench / "ep").write_text(PROGRAM)
            (bench / "ep").chmod(0o755)
            (bench / "before").write_text("")
            (bench / "status").write_text("0\n")
        self.report: dict[str, Any] = {
            "kernel": "ep",
            "class": "S",
            "seconds": 0.5,
            "verified": True,
            "threads": 1,
            "loops": 1,
            "runtime": str(self.library),
            "cpus": [CPU],
        }
        self.say()
        library = Runtime("any", self.library.resolve(), None)
        self.setup_ = launch.Launcher(
            self.build, {"gomp": library, "amp": library}, [CPU], [], Slowing("1ms"), 2.0
        )
        self.kernel = kernels.load()["ep"]

    def say(self, which: str = "stock", **changes: Any) -> None:
        for w in {which, "amp"} if which == "stock" else {which}:
            path = self.build / "bench" / w / "report"
            path.write_text(json.dumps({**self.report, **changes}) + "\n")

    def status(self, name: str = "stock:static") -> str:
        c = config.parse(name)
        return self.setup_.execute(c, self.kernel, "S").status

    def test_good(self) -> None:
        record = self.setup_.execute(config.parse("stock:static"), self.kernel, "S")
        self.assertEqual((record.status, record.seconds), ("ok", 0.5))
        self.assertGreaterEqual(record.others, 0.0)

    def test_what_does_not_count(self) -> None:
        for changes, status in (
            ({"verified": False}, "wrong result"),
            ({"verified": "true"}, "wrong result"),
            ({"runtime": "/lib/other.so"}, "wrong library"),
            ({"threads": 2}, "wrong team"),
            ({"cpus": [CPU + 1]}, "wrong placement"),
            ({"seconds": None}, "no report"),
        ):
            self.say(**changes)
            self.assertEqual(self.status(), status)

    def test_unbound_threads_may_be_anywhere_on_the_cpus(self) -> None:
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            self.skipTest("needs two CPUs")
        self.setup_.fast, self.setup_.slow = [usable[0]], [usable[1]]
        self.say("amp", threads=2, cpus=[usable[1], usable[1]])
        self.assertEqual(self.status("free:unset"), "ok")
        self.assertEqual(self.status("amp:unset"), "wrong placement")
        self.say("amp", threads=2, cpus=[usable[0], usable[-1] + 1])
        self.assertEqual(self.status("free:unset"), "wrong placement")

    def test_work_of_others(self) -> None:
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
            self.assertAlmostEqual(usage.others(10.0), 0.5)
            own = 30.0
            self.assertEqual(usage.others(10.0), 0.0)

    def test_no_json(self) -> None:
        (self.build / "bench" / "stock" / "report").write_text("hello\n")
        self.assertEqual(self.status(), "no report")

    def test_crash_after_a_good_report(self) -> None:
        (self.build / "bench" / "stock" / "status").write_text("139\n")
        self.assertEqual(self.status(), "crashed")

    def test_time_limit_ends_children_too(self) -> None:
        mark = self.build / "mark"
        (self.build / "bench" / "stock" / "before").write_text(f"(sleep 4; touch {mark}) & wait\n")
        self.setup_.limit = 0.5
        record = self.setup_.execute(config.parse("stock:static"), self.kernel, "S")
        self.assertEqual((record.status, record.seconds), ("timeout", None))
        self.assertLess(record.wall, 3.0)
        self.assertFalse(mark.exists())

    def test_emulation_is_for_runs_within(self) -> None:
        tool = self.build / "emulator"
        tool.write_text(
            "#!/bin/sh\n"
            f'echo "$@" >{self.build}/arguments\n'
            'until [ "$1" = -- ]; do shift; done; shift\n'
            "export GOMP_AMP_TYPES=0:1 AMP_EMULATE_TABLE=/a/table LD_PRELOAD=/a/lib.so\n"
            'exec "$@"\n'
        )
        tool.chmod(0o755)
        seen = self.build / "seen"
        (self.build / "bench" / "stock" / "before").write_text(
            f'echo "${{AMP_EMULATE_TABLE-none}} ${{LD_PRELOAD-none}}" >{seen}\n'
        )
        stock = config.parse("stock:static")
        for method, table in (("signal", "/a/table /a/lib.so"), ("thief", "none none")):
            how = Slowing("300us", method)
            with Emulation(tool, [1], 3.0, how) as emulation:
                self.assertEqual(emulation.types, "0:1")
                self.setup_.execute(stock, self.kernel, "S", emulation)
            self.assertEqual(seen.read_text().strip(), table)
            self.assertIn(
                f"--slow 1=3 --period 300us --method {method} --json",
                (self.build / "arguments").read_text(),
            )
        self.setup_.execute(stock, self.kernel, "S")
        self.assertEqual(seen.read_text().strip(), "none none")
        with Emulation(tool, [1], 3.0, Slowing("1ms", "signal")) as emulation:
            env = {"LD_PRELOAD": "/mine.so"}
            emulation.add_to(env)
        self.assertEqual(env["LD_PRELOAD"], "/a/lib.so:/mine.so")

    def test_a_program_that_was_not_slowed(self) -> None:
        (self.build / "bench" / "stock" / "before").write_text(
            "echo 'libamp-slow.so: /x: No such file: all of process 1 at full speed' >&2\n"
        )
        self.assertEqual(self.status(), "not slowed")

    def test_sessions_of_other_slowing_do_not_mix(self) -> None:
        old: list[dict[str, Any]] = [{"type": "session", "period": "1ms"}, {"type": "run"}]
        self.assertIsNone(other_slowing(old, Slowing("1ms")))
        self.assertIn("--method thief", str(other_slowing(old, Slowing("1ms", "signal"))))
        self.assertIn("--period 1ms", str(other_slowing(old, Slowing("2ms"))))
        new = [{"type": "session", **Slowing("2ms", "signal").record()}]
        self.assertIsNone(other_slowing(new, Slowing("2ms", "signal")))

    def test_emulation_that_is_refused(self) -> None:
        tool = self.build / "emulator"
        tool.write_text("#!/bin/sh\necho no right >&2\nexit 2\n")
        tool.chmod(0o755)
        with (
            self.assertRaisesRegex(NotPossible, "no right"),
            Emulation(tool, [1], 3.0, Slowing("1ms")),
        ):
            self.fail("entered")

    def test_environment(self) -> None:
        two = launch.Launcher(self.build, self.setup_.runtimes, [0], [1], Slowing("1ms"), 2.0)
        ours = two.environment(config.parse("amp:aid_hybrid,80"), "0:1")
        self.assertEqual(ours["OMP_SCHEDULE"], "aid_hybrid,80")
        self.assertEqual(ours["GOMP_AMP_AFFINITY"], "1")
        self.assertEqual(ours["GOMP_AMP_TYPES"], "0:1")
        self.assertEqual(ours["OMP_NUM_THREADS"], "2")
        self.assertNotIn("OMP_PLACES", ours)
        stock = two.environment(config.parse("gomp:dynamic,1"), "0:1")
        self.assertEqual(stock["OMP_PLACES"], "{0},{1}")
        self.assertNotIn("GOMP_AMP_TYPES", stock)
        unset = two.environment(config.parse("amp:unset"), None)
        self.assertNotIn("OMP_SCHEDULE", unset)
        alone = two.environment(config.parse("single:1"), "0:1")
        self.assertEqual((alone["OMP_NUM_THREADS"], alone["OMP_PLACES"]), ("1", "{1}"))

    def test_environment_without_binding(self) -> None:
        two = launch.Launcher(self.build, self.setup_.runtimes, [0], [1], Slowing("1ms"), 2.0)
        binding = {"GOMP_AMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"}
        free = two.environment(config.parse("free:aid_static"), "0:1")
        self.assertFalse(binding & set(free))
        self.assertEqual((free["OMP_SCHEDULE"], free["GOMP_AMP_TYPES"]), ("aid_static", "0:1"))
        unset = two.environment(config.parse("free:unset"), "0:1")
        self.assertFalse((binding | {"OMP_SCHEDULE"}) & set(unset))
        # The baseline of these is the stock program on the stock library.
        base = config.parse("free:static")
        self.assertEqual((base.binary, base.library), ("stock", "gomp"))
        stock = two.environment(base, "0:1")
        self.assertFalse((binding | {"OMP_SCHEDULE", "GOMP_AMP_TYPES"}) & set(stock))

    def test_environment_without_types(self) -> None:
        two = launch.Launcher(self.build, self.setup_.runtimes, [0], [1], Slowing("1ms"), 2.0)
        blind = two.environment(config.parse("blind:unset"), "0:1")
        self.assertNotIn("GOMP_AMP_TYPES", blind)
        self.assertEqual(blind["GOMP_AMP_AFFINITY"], "1")
        # Without types the library would place thread 0 on CPU 0.
        turned = launch.Launcher(self.build, self.setup_.runtimes, [1], [0], Slowing("1ms"), 2.0)
        blind = turned.environment(config.parse("blind:unset"), "1:0")
        self.assertNotIn("GOMP_AMP_AFFINITY", blind)
        self.assertEqual((blind["OMP_PLACES"], blind["OMP_PROC_BIND"]), ("{1},{0}", "true"))

    def test_environment_with_invented_types(self) -> None:
        two = launch.Launcher(self.build, self.setup_.runtimes, [0, 2], [1], Slowing("1ms"), 2.0)
        typed = two.environment(config.parse("typed:aid_static"), None)
        self.assertEqual(typed["GOMP_AMP_TYPES"], "0,2:1")
        self.assertNotIn("GOMP_AMP_TYPES", two.environment(config.parse("amp:unset"), None))

    def test_split_gives_the_weight_to_the_fast(self) -> None:
        two = launch.Launcher(self.build, self.setup_.runtimes, [0, 2], [1], Slowing("1ms"), 2.0)
        command = two.command(config.parse("split:2.5"), self.kernel, "W")
        self.assertEqual(command[1:], ["W", "--split", "2.5:2.5:1"])

    def plan(self, names: list[str], reps: int, known: Sequence[Run] = (), seed: int = 5,
             **more: Any) -> list[Run]:  # fmt: skip
        chosen = tuple(config.parse(n) for n in names)
        series = [plan.Series(self.setup_, self.kernel, "A", "S", 1.0, chosen)]
        if more:
            series.append(plan.Series(self.setup_, self.kernel, "A", "S", 2.0, ()))
        out: list[Run] = []
        plan.Plan(series, reps, seed, out.append, known, 60.0, quiet=True, **more).run()
        return out

    def test_round_robin_with_one_warm_up(self) -> None:
        names = ["stock:static", "gomp:guided", "amp:aid_static"]
        records = self.plan(names, 2)
        self.assertEqual(len(records), 9)
        for i in range(3):
            part = records[3 * i : 3 * i + 3]
            self.assertEqual({r.round for r in part}, {i})
            self.assertEqual({r.config for r in part}, set(names))
        self.assertEqual({r.more["ran_class"] for r in records[:3]}, {"S"})

    def test_the_seed_decides_the_order(self) -> None:
        names = [f"gomp:dynamic,{i}" for i in range(1, 9)]

        def order(seed: int) -> list[str]:
            return [r.config for r in self.plan(names, 1, seed=seed)]

        self.assertEqual(order(1), order(1))
        self.assertNotEqual(order(1), order(2))
        self.assertNotEqual(order(1)[:8], order(1)[8:])

    def test_resume_runs_only_what_is_missing(self) -> None:
        names = ["stock:static", "gomp:guided"]
        whole = self.plan(names, 2)
        rest = self.plan(names, 2, known=whole[:3])
        self.assertEqual([r.key for r in rest], [r.key for r in whole[3:]])

    def test_what_failed_twice_is_skipped_and_says_so(self) -> None:
        self.say("amp", verified=False)
        records = [r for r in self.plan(["stock:static", "amp:guided"], 3)
                   if r.config == "amp:guided"]  # fmt: skip
        self.assertEqual([r.status for r in records],
                         ["wrong result", "wrong result", "skipped", "skipped"])  # fmt: skip
        self.assertIn("failed 2 times", records[2].why)

    def test_what_is_much_slower_runs_twice_only(self) -> None:
        self.say("amp", seconds=5.0)
        records = [r for r in self.plan(["stock:static", "amp:guided"], 4)
                   if r.config == "amp:guided"]  # fmt: skip
        self.assertEqual([r.status for r in records],
                         ["ok", "ok", "ok", "skipped", "skipped"])  # fmt: skip

    def test_what_is_hopeless_at_one_ratio_is_not_run_at_another(self) -> None:
        names = ["stock:static", "gomp:guided", "amp:guided"]
        # Of the other ratio's series the records are there already.
        before = [
            Run(name, 1, seconds=seconds, kernel=self.kernel.name, klass="A", ratio=2.0)
            for name, seconds in zip(names, (1.0, 5.5, 5.5), strict=True)
        ]
        for brief, wanted in ((True, "skipped"), (False, "ok")):
            out = self.plan(names, 1, before, brief=brief)
            status = {r.config: r.status for r in out if r.round == 1}
            self.assertEqual(status, {"stock:static": "ok", "gomp:guided": wanted,
                                      "amp:guided": "ok"})  # fmt: skip
