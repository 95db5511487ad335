# SPDX-License-Identifier: GPL-3.0-or-later
"""bench ich: the plan, the environment of runs, the tables and verdicts."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ampbench import ich, ichsim, kernels, plots
from ampbench.config import Config
from ampbench.emulation import Slowing
from ampbench.launch import Launcher, Outcome
from ampbench.plots import NoMatplotlib, import_pyplot
from ampbench.runtimes import Runtime
from made import SESSION, STAGE, cases, executable
from made import run as run_of
from pytest import approx

Records = list[dict[str, Any]]
APPS = kernels.load("all", ["ich"])
APP = "synth-linear"


def launcher(build: Path, fast: list[int], slow: list[int]) -> Launcher:
    library = Runtime("any", Path("/x/libgomp.so.1"), None)
    return Launcher(build, {"gomp": library, "amp": library}, fast, slow, Slowing("1ms"), 2.0)


SETUP = launcher(Path("/b"), [0, 1], [2])


def run(config: str, round_: int, seconds: float, app: str = APP, ratio: float = 1.0,
        **more: Any) -> dict[str, Any]:  # fmt: skip
    return run_of(config, round_, seconds, "W", kernel=app, ratio=ratio, **more)


def app_runs(app: str, ich_seconds: float, ratio: float = 1.0, threads: int = 2,
             **seconds: float) -> Records:  # fmt: skip
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


def panels(*data: Records) -> list[ich.Panel]:
    return ich.panels([SESSION, *(r for d in data for r in d)])


def panel(*data: Records) -> ich.Panel:
    (found,) = panels(*data)
    return found


def verdicts(*data: Records) -> str:
    return "\n".join(ich.verdicts(panels(*data)))


def test_the_five_applications() -> None:
    programs = [a.program for a in APPS.values()]
    assert set(programs) == {"synth", "bfs", "kmeans", "lavamd", "spmv"}
    assert (programs.count("synth"), programs.count("spmv")) == (3, 5)
    assert APPS["bfs-scale-free"].arguments == ("--graph", "scale-free")
    assert all(app.quick in app.classes for app in APPS.values())


def test_bench_knows_them_but_leaves_them_out() -> None:
    known = kernels.load()
    apps = {k.name for k in known.values() if k.group == "ich"}
    assert apps == {"synth", "bfs", "kmeans", "lavamd", "spmv"}
    assert known["ep"].group == "bench"


@cases("config, app, places, command", [
    (Config("amp", "dynamic,2", 2), "spmv-web", [0, 1], "/b/bench/amp/spmv W --structure web"),
    (Config("task", "threads", 3), "spmv-web", [0, 1, 2],
     "/b/bench/taskloop/spmv W --structure web"),
    (Config("amp", "binlpt,128", 3), "spmv-web", [0, 1, 2],
     "/b/bench/amp/spmv W --structure web --workload"),
    (Config("amp", "binlpt,128", 3), "kmeans", [0, 1, 2], "/b/bench/amp/kmeans W"),
    (Config("stock", "static"), "kmeans", [0, 1, 2], "/b/bench/stock/kmeans W"),
    (Config("single", "1"), "kmeans", [1], "/b/bench/stock/kmeans W"),
])  # fmt: skip
def test_runs_of_methods(config: Config, app: str, places: list[int], command: str) -> None:
    assert SETUP.places(config) == places
    assert SETUP.command(config, APPS[app], "W") == command.split()


def test_environments_of_methods() -> None:
    env = SETUP.environment(Config("amp", "dynamic,2", 2), "0-1:2")
    assert (env["OMP_SCHEDULE"], env["OMP_NUM_THREADS"]) == ("dynamic,2", "2")
    task = Config("task", "threads", 3)
    env = SETUP.environment(task, None)
    assert "OMP_SCHEDULE" not in env
    assert (env["OMP_PLACES"], task.library) == ("{0},{1},{2}", "amp")


@cases("threads, cpus, status", [
    (2, "[0, 1]", "ok"), (3, "[0, 1, 2]", "wrong team"), (2, "[0, 2]", "wrong placement"),
])  # fmt: skip
def test_judged_by_their_own_team(threads: int, cpus: str, status: str) -> None:
    report = (f'{{"seconds": 1.0, "verified": true, "threads": {threads}, "cpus": {cpus},'
              ' "runtime": "/x/libgomp.so.1"}')  # fmt: skip
    outcome = Outcome(0, 1.0, 1.0, 0, report, "")
    assert SETUP.judge(Config("amp", "guided,1", 2), outcome)[0] == status


def test_configurations() -> None:
    methods = {**ich.METHODS, ich.PUBLISHED: ich.PUBLISHED_SCHEDULES}
    equal = {c.name for c in ich.configurations(methods, [1, 2], [0, 1], 1.0)}
    assert equal >= {"stock:static", "single:0", "single:1", "amp:ich,33@1", "amp:ich,33@2",
                     "task:threads@2"}  # fmt: skip
    assert "amp:ich,33,1@2" not in equal
    assert len(equal) == 3 + 2 * sum(len(s) for s in ich.METHODS.values())
    slow = {c.name for c in ich.configurations(methods, [1, 2], [0, 1], 3.0)}
    assert "amp:ich,33,1@2" in slow
    assert not any(n.endswith("@1") for n in slow)


def test_what_the_library_rejects_is_left_out_with_its_words() -> None:
    def rejected(_: Path, schedule: str) -> str | None:
        return "libgomp:\n no such" if schedule.startswith(("steal,64", "ich")) else None

    with mock.patch.object(ich, "rejected", rejected):
        have, lack = ich.available(Path("/x"), ich.METHODS, True)
    assert set(have) == {"guided", "dynamic", "taskloop", "binlpt", "stealing"}
    assert have["stealing"] == ("steal,1", "steal,2", "steal,3")
    assert lack["ich,33"] == "libgomp: no such"


def test_rejected_asks_the_library() -> None:
    library = STAGE / "lib" / "libgomp.so.1"
    if not library.is_file():
        pytest.skip("run make first")
    assert ich.rejected(library, "guided,2") is None
    assert "no_such" in ich.rejected(library, "no_such,2")


@cases("name, method", [
    ("amp:guided,3@1", "guided"), ("task:threads@2", "taskloop"), ("amp:steal,64@28", "stealing"),
    ("amp:ich,50@2", "ich"), ("amp:ich,50,1@2", ich.PUBLISHED), ("stock:static", None),
    ("single:0", None), ("amp:dynamic,7@2", None),
])  # fmt: skip
def test_methods_of_names(name: str, method: str | None) -> None:
    assert ich.method_of(name) == method


def test_best_of_each_method() -> None:
    p = panel(app_runs(APP, 0.8, guided=0.7, dynamic=3.0))
    assert [r.method for r in p.results][:2] == ["guided", "ich"]
    assert (p.rank("ich"), p.rank("dynamic")) == (2, 6)
    best = p.result("ich")
    assert best.parameter == "ich,25"
    assert (p.speedup(best).value, p.excess(best).value) == approx((2.0 / 0.8, 0.8 / 0.7))
    # Speeds 1/2 and 1/6 add up.
    assert p.ideal[1] == approx(1.5)


def test_sensitivity() -> None:
    p = panel(app_runs(APP, 1.0, stealing=0.6))
    assert (p.epsilon_ratio, p.stealing_ratio) == approx((1.2, 0.6 / 1.2))
    part = [r for r in app_runs(APP, 1.0) if r["config"] != "amp:ich,50@2"]
    assert panel(part).epsilon_ratio is None


def test_failed_runs_do_not_count() -> None:
    bad = {"status": "wrong result", "seconds": 0.001}
    p = panel([r | bad if r["config"] == "amp:ich,25@2" else r for r in app_runs(APP, 1.0)])
    assert p.result("ich").parameter == "ich,33"
    assert p.failed == {"amp:ich,25@2": {"wrong result": 2}}
    assert "FAILED amp:ich,25@2: wrong result x2" in ich.format_panel(p)


def test_settings_are_apart() -> None:
    found = panels(
        app_runs(APP, 0.9), app_runs(APP, 1.5, threads=1), app_runs(APP, 3.0, ratio=3.0),
        [{**r, "source": "simulation"} for r in app_runs(APP, 0.1, threads=28)],
    )  # fmt: skip
    assert [(str(p.setting), p.rank("ich"), bool(p.ideal)) for p in found] == [
        ("1 thread", 6, False), ("2 threads", 1, True), ("2 threads, 3x AMP", 6, True),
        ("28 threads, simulated", 1, False),
    ]  # fmt: skip


MET = app_runs(APP, 0.9) + app_runs("kmeans", 1.04, guided=1.0, dynamic=1.1, taskloop=1.1,
                                    binlpt=1.1)  # fmt: skip


@cases("data, met, missed, words", [
    (MET, 2, 0, ()),
    (app_runs(APP, 0.9) + app_runs("kmeans", 1.6), 0, 2, ("at worst number 6 (kmeans)",)),
    ([r for r in MET if not r["config"].startswith("amp:steal")], 0, 0,
     ("not judged", "stealing")),
    # Inputs of a program count as one: slow on one of two, first on the other, the mean decides.
    (app_runs("spmv-web", 1.1) + app_runs("spmv-road", 0.5), 2, 0,
     ("at worst number 1 (spmv)",)),
])  # fmt: skip
def test_verdicts(data: Records, met: int, missed: int, words: tuple[str, ...]) -> None:
    text = verdicts(data)
    assert (text.count("met: "), text.count("NOT MET")) == (met, missed)
    assert [w for w in words if w not in text] == []


def test_aware_against_published() -> None:
    published = [run(f"amp:{schedule}@2", round_, 1.2, ratio=3.0)
                 for round_ in (1, 2) for schedule in ich.PUBLISHED_SCHEDULES]  # fmt: skip
    data = app_runs(APP, 1.0, ratio=3.0) + published
    assert "1.200 times as fast" in verdicts(data)
    # It takes no place among the six.
    assert panel(data).rank(ich.PUBLISHED) is None
    assert len(panel(data).six) == 6


def test_report_names_everything() -> None:
    text = ich.full_report([SESSION, *app_runs(APP, 1.0), *app_runs("spmv-web", 1.0, ratio=3.0)])
    for word in ("Test CPU", "spmv-web class W, 2 threads, 3x AMP", "stealing", "worst / best"):
        assert word in text
    assert "no measured runs" in ich.full_report([SESSION])


@cases("lanes, ratio, expected", [(28, 1.0, "28x1"), (28, 4.0, "14x1+14x0.25"),
                                  (3, 2.0, "2x1+1x0.5")])  # fmt: skip
def test_machines(lanes: int, ratio: float, expected: str) -> None:
    assert ichsim.machine(lanes, ratio) == expected


def test_wanted_machines() -> None:
    assert list(ichsim.wanted([1, 2], 3.0)) == [(1, 1.0), (2, 1.0)]
    assert (28, 3.0) in ichsim.wanted([1, 28], 3.0)


def test_schedules() -> None:
    names = ichsim.schedules(ich.METHODS, 1.0)
    assert "steal,64" in names
    assert not {"threads", "ich,33,1"} & set(names)
    assert "ich,33,1" in ichsim.schedules(ich.METHODS, 3.0)
    assert "ich,33,1" not in ichsim.schedules({"guided": ("guided,1",)}, 3.0)


def test_simulated_records() -> None:
    lines = ['{"config":"amp:static@1","seconds":2}', '{"config":"amp:ich,33@1","seconds":3}']
    found = ichsim.records_of(lines, 1, 1.0, 7, True)
    assert [(r["config"], r["seconds"]) for r in found] == [
        ("single:7", 2), ("task:threads@1", 2), ("amp:ich,33@1", 3)
    ]  # fmt: skip
    found = ichsim.records_of(lines[:1], 1, 3.0, 7, True)
    assert [(r["config"], r["ratio"]) for r in found] == [("single:7", 3.0)]


# Without a simulated lane, speedup is over the machine's.
@cases("lane, expected", [([run("single:0", 1, 20.0, source="simulation")], 20.0), ([], 50.0)])
def test_speedup_is_over_the_simulated_lane(lane: Records, expected: float) -> None:
    ours = run("amp:ich,33@28", 1, 1.0, source="simulation")
    p = panel([run("single:0", 1, 50.0), ours, *lane])
    assert p.speedup(p.results[0]).value == approx(expected)


def test_unit() -> None:
    app = next(iter(APPS.values()))
    runs = [run("single:0", k, seconds, app.name, report={"loops": 10})
            for k, seconds in enumerate((0.1, 6.0, 5.0, 7.0))]  # fmt: skip
    # 5 s for 10 loops, of which 2 cost 1000.
    assert ichsim.unit_ns(SETUP, app, "W", (1000, 2), runs) == approx(1e6)


def test_from_program_to_panels(tmp_path: Path) -> None:
    simulator = STAGE / "bin" / "amp-sim"
    if not simulator.is_file():
        pytest.skip("no build/stage")
    app = replace(kernels.load()["synth"], name="it", program="it")
    program = executable(
        tmp_path / "bench" / "stock" / "it",
        "#!/bin/sh\n[ \"$2\" = --costs ] || exit 9\n"
        "{ echo '# loop 0: 200 iterations'; seq 1 200; } >\"$3\"\n",
    )  # fmt: skip
    (tmp_path / "stage" / "bin").mkdir(parents=True)
    (tmp_path / "stage" / "bin" / "amp-sim").symlink_to(simulator)
    unit = {"type": "costs", "kernel": "it", "class": "S", "unit_ns": 1000.0}

    def simulate(lanes: list[int], before: Records) -> Records:
        out: Records = []
        ichsim.simulate(launcher(tmp_path, [0], []), [(app, "S")], ich.METHODS, lanes, 3.0, 10.0,
                        before, out.append, str)  # fmt: skip
        return out

    out = simulate([1, 28], [unit])
    found = {str(p.setting): p for p in panels(out)}
    assert set(found) == {"1 thread, simulated", "28 threads, simulated",
                          "28 threads, 3x AMP, simulated"}  # fmt: skip
    for text, p in found.items():
        assert (len(p.six), len(p.results)) == (6, 7 if "AMP" in text else 6)
        # 14 and 14/3 fast cores on the AMP.
        most = 18.7 if "AMP" in text else p.setting.threads
        for result in p.results:
            assert 0.5 < p.speedup(result).value <= most + 0.01, (text, result)
    # What is there is not simulated again.
    assert simulate([1, 28], out) == []
    program.write_text("#!/bin/sh\necho no such option >&2; exit 2\n")
    with pytest.raises(ichsim.Failed, match="no such option"):
        simulate([2], [unit])


def test_mean_and_range_over_matrices() -> None:
    found = panels(app_runs("spmv-web", 1.0), app_runs("spmv-road", 0.25))
    assert list(plots.by_picture(found, ("spmv",))) == ["spmv (gmean of all inputs)"]
    assert plots.speedup_bar(found, "ich") == approx((4.0, 2.0, 8.0))


def test_pictures(tmp_path: Path) -> None:
    try:
        import_pyplot()
    except NoMatplotlib as why:
        pytest.skip(str(why))
    apps = (APP, "bfs-uniform", "kmeans", "lavamd", "spmv-web")
    found = panels(*(app_runs(app, 1.0, ratio) for app in apps for ratio in (1.0, 3.0)))
    made = plots.ich_figures(found, tmp_path)
    assert len(made) == 4
    assert all(path.stat().st_size > 1000 for path in made)
    assert plots.ich_figures([], tmp_path / "none") == []
