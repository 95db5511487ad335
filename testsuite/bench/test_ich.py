# SPDX-License-Identifier: GPL-3.0-or-later
"""bench ich: the plan, the environment of runs, the tables and verdicts."""

import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import test_compared
from ampbench import ich, ichsim, kernels, plots
from ampbench.config import Config
from ampbench.emulation import Slowing
from ampbench.launch import Launcher, Outcome
from ampbench.plots import NoMatplotlib, import_pyplot
from ampbench.runtimes import Runtime

TOP = Path(__file__).resolve().parents[2]
SESSION: dict[str, Any] = {"type": "session", "pinning": {"cpus": [0, 1]}}


def run(
    config: str, round_: int, seconds: float | None, app: str = "synth-linear", ratio: float = 1.0,
    status: str = "ok", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    return {
        "type": "run", "kernel": app, "class": "W", "ratio": ratio, "config": config,
        "round": round_, "status": status, "seconds": seconds, "wall": 1.0, "others": 0.0, **more,
    }  # fmt: skip


def app_runs(
    app: str, ich_seconds: float, ratio: float = 1.0, threads: int = 2, **seconds: float
) -> list[dict[str, Any]]:
    """Two rounds of all six methods: 1 s each unless said otherwise."""
    out = []
    for round_ in (1, 2):
        out += [run("single:0", round_, 2.0, app, ratio), run("single:1", round_, 6.0, app, ratio)]
        for method, schedules in ich.METHODS.items():
            for k, schedule in enumerate(schedules):
                name = f"{'task' if method == 'taskloop' else 'amp'}:{schedule}@{threads}"
                base = ich_seconds if method == "ich" else seconds.get(method, 1.0)
                # The first parameter is the best, each further one 10 % slower.
                out.append(run(name, round_, base * (1 + 0.1 * k), app, ratio))
    return out


class Registry(unittest.TestCase):
    def test_the_five_applications(self) -> None:
        apps = kernels.load("all", ["ich"])
        programs = {a.program for a in apps.values()}
        self.assertEqual(programs, {"synth", "bfs", "kmeans", "lavamd", "spmv"})
        self.assertEqual(len([a for a in apps.values() if a.program == "synth"]), 3)
        self.assertEqual(len([a for a in apps.values() if a.program == "spmv"]), 5)
        self.assertEqual(apps["bfs-scale-free"].arguments, ("--graph", "scale-free"))
        for app in apps.values():
            self.assertIn(app.quick, app.classes)

    def test_bench_knows_them_but_leaves_them_out(self) -> None:
        known = kernels.load()
        self.assertEqual(
            {k.name for k in known.values() if k.group == "ich"},
            {"synth", "bfs", "kmeans", "lavamd", "spmv"},
        )
        self.assertEqual(known["ep"].group, "bench")


class PlanOfRuns(unittest.TestCase):
    def setUp(self) -> None:
        library = Runtime("any", Path("/x/libgomp.so.1"), None)
        self.setup_ = Launcher(
            Path("/b"), {"gomp": library, "amp": library}, [0, 1], [2], Slowing("1ms"), 2.0
        )
        self.apps = kernels.load("all", ["ich"])

    def test_runs_of_methods(self) -> None:
        dynamic = Config("amp", "dynamic,2", 2)
        web = self.apps["spmv-web"]
        env = self.setup_.environment(dynamic, "0-1:2")
        self.assertEqual((env["OMP_SCHEDULE"], env["OMP_NUM_THREADS"]), ("dynamic,2", "2"))
        self.assertEqual(self.setup_.places(dynamic), [0, 1])
        self.assertEqual(
            self.setup_.command(dynamic, web, "W"),
            ["/b/bench/amp/spmv", "W", "--structure", "web"],
        )
        task = Config("task", "threads", 3)
        env = self.setup_.environment(task, None)
        self.assertNotIn("OMP_SCHEDULE", env)
        self.assertEqual(env["OMP_PLACES"], "{0},{1},{2}")
        self.assertEqual(self.setup_.command(task, web, "W")[0], "/b/bench/taskloop/spmv")
        self.assertEqual(task.library, "amp")
        binlpt = Config("amp", "binlpt,128", 3)
        self.assertEqual(self.setup_.command(binlpt, web, "W")[-1], "--workload")
        kmeans = self.apps["kmeans"]
        self.assertNotIn("--workload", self.setup_.command(binlpt, kmeans, "W"))
        base = Config("stock", "static")
        self.assertEqual(len(self.setup_.places(base)), 3)
        self.assertEqual(self.setup_.command(base, kmeans, "W"), ["/b/bench/stock/kmeans", "W"])
        alone = Config("single", "1")
        self.assertEqual(self.setup_.places(alone), [1])

    def test_judged_by_their_own_team(self) -> None:
        report = (
            '{"seconds": 1.0, "verified": true, "threads": %d, "cpus": %s,'
            ' "runtime": "/x/libgomp.so.1"}'
        )
        two = Config("amp", "guided,1", 2)
        for threads, cpus, status in (
            (2, "[0, 1]", "ok"), (3, "[0, 1, 2]", "wrong team"), (2, "[0, 2]", "wrong placement"),
        ):  # fmt: skip
            judged = self.setup_.judge(two, Outcome(0, 1.0, 1.0, 0, report % (threads, cpus), ""))
            self.assertEqual(judged[0], status)

    def test_configurations(self) -> None:
        methods = {**ich.METHODS, ich.PUBLISHED: ich.PUBLISHED_SCHEDULES}
        equal = {c.name for c in ich.configurations(methods, [1, 2], [0, 1], 1.0)}
        self.assertTrue({"stock:static", "single:0", "single:1"} <= equal)
        self.assertTrue({"amp:ich,33@1", "amp:ich,33@2", "task:threads@2"} <= equal)
        self.assertNotIn("amp:ich,33,1@2", equal)
        self.assertEqual(len(equal), 3 + 2 * sum(len(s) for s in ich.METHODS.values()))
        slow = {c.name for c in ich.configurations(methods, [1, 2], [0, 1], 3.0)}
        self.assertIn("amp:ich,33,1@2", slow)
        self.assertFalse(any(n.endswith("@1") for n in slow))

    def test_what_the_library_rejects_is_left_out_with_its_words(self) -> None:
        def rejected(_: Path, schedule: str) -> str | None:
            return "libgomp:\n no such" if schedule.startswith(("steal,64", "ich")) else None

        with mock.patch.object(ich, "rejected", rejected):
            have, lack = ich.available(Path("/x"), ich.METHODS, True)
        self.assertNotIn("ich", have)
        self.assertNotIn(ich.PUBLISHED, have)
        self.assertEqual(have["stealing"], ("steal,1", "steal,2", "steal,3"))
        self.assertEqual(lack["ich,33"], "libgomp: no such")
        self.assertEqual(set(have), {"guided", "dynamic", "taskloop", "binlpt", "stealing"})

    def test_rejected_asks_the_library(self) -> None:
        library = TOP / "build" / "stage" / "lib" / "libgomp.so.1"
        if not library.is_file():
            self.skipTest("run make first")
        self.assertIsNone(ich.rejected(library, "guided,2"))
        self.assertIn("no_such", ich.rejected(library, "no_such,2") or "")

    def test_methods_of_names(self) -> None:
        for name, method in (
            ("amp:guided,3@1", "guided"), ("task:threads@2", "taskloop"),
            ("amp:steal,64@28", "stealing"), ("amp:ich,50@2", "ich"),
            ("amp:ich,50,1@2", ich.PUBLISHED), ("stock:static", None), ("single:0", None),
            ("amp:dynamic,7@2", None),
        ):  # fmt: skip
            self.assertEqual(ich.method_of(name), method, name)


class Tables(unittest.TestCase):
    def panel(self, records: list[dict[str, Any]], **wanted: Any) -> ich.Panel:
        found = [
            p for p in ich.panels([SESSION, *records])
            if all(getattr(p.setting, k, None) == v or getattr(p, k, None) == v
                   for k, v in wanted.items())
        ]  # fmt: skip
        self.assertEqual(len(found), 1)
        return found[0]

    def test_best_of_each_method(self) -> None:
        p = self.panel(app_runs("synth-linear", 0.8, guided=0.7, dynamic=3.0))
        self.assertEqual([r.method for r in p.results][:2], ["guided", "ich"])
        self.assertEqual(p.rank("ich"), 2)
        self.assertEqual(p.rank("dynamic"), 6)
        best = p.result("ich")
        assert best is not None
        self.assertEqual(best.parameter, "ich,25")
        speedup, excess = p.speedup(best), p.excess(best)
        assert speedup and excess
        self.assertAlmostEqual(speedup.value, 2.0 / 0.8)
        self.assertAlmostEqual(excess.value, 0.8 / 0.7)
        # Speeds 1/2 and 1/6 add up.
        self.assertAlmostEqual(p.ideal[1], 1.5)

    def test_sensitivity(self) -> None:
        p = self.panel(app_runs("synth-linear", 1.0, stealing=0.6))
        assert p.epsilon_ratio and p.stealing_ratio
        self.assertAlmostEqual(p.epsilon_ratio, 1.2)
        self.assertAlmostEqual(p.stealing_ratio, 0.6 / 1.2)
        part = [r for r in app_runs("synth-linear", 1.0) if r["config"] != "amp:ich,50@2"]
        self.assertIsNone(self.panel(part).epsilon_ratio)

    def test_failed_runs_do_not_count(self) -> None:
        records = app_runs("synth-linear", 1.0)
        for r in records:
            if r["config"] == "amp:ich,25@2":
                r.update(status="wrong result", seconds=0.001)
        p = self.panel(records)
        best = p.result("ich")
        assert best is not None
        self.assertEqual(best.parameter, "ich,33")
        self.assertEqual(p.failed, {"amp:ich,25@2": {"wrong result": 2}})
        self.assertIn("FAILED amp:ich,25@2: wrong result x2", ich.format_panel(p))

    def test_settings_are_apart(self) -> None:
        records = (
            app_runs("synth-linear", 0.9)
            + app_runs("synth-linear", 1.5, threads=1)
            + app_runs("synth-linear", 3.0, ratio=3.0)
            + [{**r, "source": "simulation"} for r in app_runs("synth-linear", 0.1, threads=28)]
        )
        found = ich.panels([SESSION, *records])
        self.assertEqual(
            [str(p.setting) for p in found],
            ["1 thread", "2 threads", "2 threads, 3x AMP", "28 threads, simulated"],
        )
        self.assertEqual([p.rank("ich") for p in found], [6, 1, 6, 1])
        self.assertEqual([bool(p.ideal) for p in found], [False, True, True, False])

    def test_verdicts(self) -> None:
        met = app_runs("synth-linear", 0.9) + app_runs("kmeans", 1.04, guided=1.0, dynamic=1.1,
                                                       taskloop=1.1, binlpt=1.1)  # fmt: skip
        text = "\n".join(ich.verdicts(ich.panels([SESSION, *met])))
        self.assertEqual(text.count("met: "), 2)
        self.assertNotIn("NOT MET", text)
        bad = app_runs("synth-linear", 0.9) + app_runs("kmeans", 1.6)
        text = "\n".join(ich.verdicts(ich.panels([SESSION, *bad])))
        self.assertIn("at worst number 6 (kmeans)", text)
        self.assertEqual(text.count("NOT MET"), 2)
        part = [r for r in met if not r["config"].startswith("amp:steal")]
        text = "\n".join(ich.verdicts(ich.panels([SESSION, *part])))
        self.assertIn("not judged", text)
        self.assertIn("stealing", text)
        self.assertNotIn("met:", text)

    def test_inputs_of_a_program_count_as_one(self) -> None:
        # Slow on one of two inputs, first on the other: the mean decides.
        records = app_runs("spmv-web", 1.1) + app_runs("spmv-road", 0.5)
        text = "\n".join(ich.verdicts(ich.panels([SESSION, *records])))
        self.assertIn("at worst number 1 (spmv)", text)

    def test_aware_against_published(self) -> None:
        records = app_runs("synth-linear", 1.0, ratio=3.0)
        for round_ in (1, 2):
            for schedule in ich.PUBLISHED_SCHEDULES:
                records.append(run(f"amp:{schedule}@2", round_, 1.2, ratio=3.0))
        found = ich.panels([SESSION, *records])
        text = "\n".join(ich.verdicts(found))
        self.assertIn("1.200 times as fast", text)
        # It takes no place among the six.
        self.assertIsNone(found[0].rank(ich.PUBLISHED))
        self.assertEqual(len(found[0].six), 6)

    def test_report_names_everything(self) -> None:
        session = {**test_compared.SESSION, **SESSION, "pinning": test_compared.SESSION["pinning"]}
        records = [session, *app_runs("synth-linear", 1.0), *app_runs("spmv-web", 1.0, ratio=3.0)]
        text = ich.full_report(records)
        for word in ("Test CPU", "spmv-web class W, 2 threads, 3x AMP", "stealing", "worst / best"):
            self.assertIn(word, text)
        self.assertIn("no measured runs", ich.full_report([session]))


class Simulation(unittest.TestCase):
    def test_machines(self) -> None:
        self.assertEqual(ichsim.machine(28, 1.0), "28x1")
        self.assertEqual(ichsim.machine(28, 4.0), "14x1+14x0.25")
        self.assertEqual(ichsim.machine(3, 2.0), "2x1+1x0.5")
        self.assertEqual(list(ichsim.wanted([1, 2], 3.0)), [(1, 1.0), (2, 1.0)])
        self.assertIn((28, 3.0), list(ichsim.wanted([1, 28], 3.0)))

    def test_schedules(self) -> None:
        names = ichsim.schedules(ich.METHODS, 1.0)
        self.assertNotIn("threads", names)
        self.assertNotIn("ich,33,1", names)
        self.assertIn("steal,64", names)
        self.assertIn("ich,33,1", ichsim.schedules(ich.METHODS, 3.0))
        self.assertNotIn("ich,33,1", ichsim.schedules({"guided": ("guided,1",)}, 3.0))

    def test_records(self) -> None:
        lines = ['{"config":"amp:static@1","seconds":2}', '{"config":"amp:ich,33@1","seconds":3}']
        found = ichsim.records_of(lines, 1, 1.0, 7, True)
        self.assertEqual(
            [(r["config"], r["seconds"]) for r in found],
            [("single:7", 2), ("task:threads@1", 2), ("amp:ich,33@1", 3)],
        )
        found = ichsim.records_of(lines[:1], 1, 3.0, 7, True)
        self.assertEqual([(r["config"], r["ratio"]) for r in found], [("single:7", 3.0)])

    def test_speedup_is_over_the_simulated_lane(self) -> None:
        sim = {"source": "simulation"}
        records = [
            SESSION, run("single:0", 1, 50.0), run("amp:ich,33@28", 1, 1.0, **sim),
            run("single:0", 1, 20.0, **sim),
        ]  # fmt: skip
        (panel,) = ich.panels(records)
        speedup = panel.speedup(panel.results[0])
        assert speedup is not None
        self.assertAlmostEqual(speedup.value, 20.0)
        # Without one, over the machine's.
        (panel,) = ich.panels(records[:3])
        speedup = panel.speedup(panel.results[0])
        assert speedup is not None
        self.assertAlmostEqual(speedup.value, 50.0)

    def test_unit(self) -> None:
        app = next(iter(kernels.load("all", ["ich"]).values()))
        library = Runtime("any", Path("/x/libgomp.so.1"), None)
        setup = Launcher(Path("/b"), {"gomp": library}, [0], [1], Slowing("1ms"), 2.0)
        runs = [
            run("single:0", k, seconds, app.name, report={"loops": 10})
            for k, seconds in ((0, 0.1), (1, 6.0), (2, 5.0), (3, 7.0))
        ]
        # 5 s for 10 loops, of which 2 cost 1000.
        self.assertAlmostEqual(ichsim.unit_ns(setup, app, "W", (1000, 2), runs), 1e6)

    def test_from_program_to_panels(self) -> None:
        simulator = TOP / "build" / "stage" / "bin" / "amp-sim"
        if not simulator.is_file():
            self.skipTest("no build/stage")
        app = replace(kernels.load()["synth"], name="it", program="it")
        with tempfile.TemporaryDirectory() as name:
            build = Path(name)
            program = build / "bench" / "stock" / "it"
            program.parent.mkdir(parents=True)
            program.write_text(
                "#!/bin/sh\n[ \"$2\" = --costs ] || exit 9\n"
                "{ echo '# loop 0: 200 iterations'; seq 1 200; } >\"$3\"\n"
            )
            program.chmod(0o755)
            (build / "stage" / "bin").mkdir(parents=True)
            (build / "stage" / "bin" / "amp-sim").symlink_to(simulator)
            library = Runtime("any", Path("/x/libgomp.so.1"), None)
            both = {"gomp": library, "amp": library}
            setup = Launcher(build, both, [0], [], Slowing("1ms"), 2.0)
            unit = {"type": "costs", "kernel": "it", "class": "S", "unit_ns": 1000.0}
            out: list[dict[str, Any]] = []
            ichsim.simulate(
                setup, [(app, "S")], ich.METHODS, [1, 28], 3.0, 10.0, [unit], out.append, str
            )
            found = {str(p.setting): p for p in ich.panels([SESSION, *out])}
            self.assertEqual(
                set(found),
                {"1 thread, simulated", "28 threads, simulated", "28 threads, 3x AMP, simulated"},
            )
            for text, panel in found.items():
                self.assertEqual(len(panel.six), 6, text)
                self.assertEqual(len(panel.results), 7 if "AMP" in text else 6)
                for result in panel.results:
                    speedup = panel.speedup(result)
                    assert speedup is not None
                    # 14 and 14/3 fast cores on the AMP.
                    most = 18.7 if "AMP" in text else panel.setting.threads
                    self.assertTrue(0.5 < speedup.value <= most + 0.01, (text, result, speedup))
            # What is there is not simulated again.
            again: list[dict[str, Any]] = []
            ichsim.simulate(
                setup, [(app, "S")], ich.METHODS, [1, 28], 3.0, 10.0, [*out], again.append, str
            )
            self.assertEqual(again, [])
            program.write_text("#!/bin/sh\necho no such option >&2; exit 2\n")
            with self.assertRaisesRegex(ichsim.Failed, "no such option"):
                ichsim.simulate(
                    setup, [(app, "S")], ich.METHODS, [2], 3.0, 10.0, [unit], out.append, str
                )


class Plots(unittest.TestCase):
    def test_mean_and_range_over_matrices(self) -> None:
        records = app_runs("spmv-web", 1.0) + app_runs("spmv-road", 0.25)
        found = ich.panels([SESSION, *records])
        shown = plots.by_picture(found, ("spmv",))
        self.assertEqual(list(shown), ["spmv (gmean of all inputs)"])
        bar = plots.speedup_bar(found, "ich")
        assert bar is not None
        for value, expected in zip(bar, (4.0, 2.0, 8.0), strict=True):
            self.assertAlmostEqual(value, expected)

    def test_files(self) -> None:
        try:
            import_pyplot()
        except NoMatplotlib as why:
            self.skipTest(str(why))
        records = [SESSION]
        for app in ("synth-linear", "bfs-uniform", "kmeans", "lavamd", "spmv-web"):
            records += app_runs(app, 1.0) + app_runs(app, 1.0, ratio=3.0)
        with tempfile.TemporaryDirectory() as folder:
            made = plots.ich_figures(ich.panels(records), Path(folder))
            self.assertEqual(len(made), 4)
            for path in made:
                self.assertGreater(path.stat().st_size, 1000)
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(plots.ich_figures([], Path(folder)), [])
