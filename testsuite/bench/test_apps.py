# SPDX-License-Identifier: GPL-3.0-or-later
"""The applications of the iCh paper: right under every schedule, wrong results seen."""

from typing import Any

import programs
import pytest
from ampbench.programs import Program
from made import cases

APPS = programs.kernels("all", "ich")
SCHEDULES = (
    "static", "dynamic,3", "guided", "aid_static", "aid_hybrid,80", "aid_dynamic,1,5",
    "steal", "steal,64", "ich", "binlpt,128",
)  # fmt: skip
each_app = cases("app", APPS.values(), ids=APPS)
pytestmark = pytest.mark.usefixtures("built")


@pytest.fixture(scope="module")
def built() -> None:
    programs.build("apps")


def name_of(app: Program) -> str:
    """Without its input."""
    return app.name.partition("-")[0]


def good(folder: str, app: Program, *arguments: object, **how: Any) -> dict[str, Any]:
    return programs.good(folder, name_of(app), "S", *programs.arguments(app), *arguments, **how)


@cases("threads", (1, 2, 3))
@cases("schedule", SCHEDULES)
@each_app
def test_right_under_every_schedule(app: Program, schedule: str, threads: int) -> None:
    good("amp", app, threads=threads, OMP_SCHEDULE=schedule)


@cases("threads", (1, 2, 3))
@each_app
def test_right_with_stock_and_as_taskloop(app: Program, threads: int) -> None:
    good("stock", app, threads=threads)
    for cut in ((), ("--tasks", "7"), ("--grainsize", "5")):
        good("taskloop", app, *cut, threads=threads)


@cases("folder", ("amp", "stock"))
@each_app
def test_workloads_may_be_given_to_any_library(app: Program, folder: str) -> None:
    good(folder, app, "--workload", OMP_SCHEDULE="dynamic,1")


@cases("folder", ("amp", "stock", "taskloop"))
@each_app
def test_one_wrong_bit_is_seen(app: Program, folder: str) -> None:
    programs.damaged(folder, name_of(app), "S", *programs.arguments(app))


# What tells one input from another, where its shape is random.
TELLING = {"synth": "steps", "bfs": "edges", "kmeans": "largest", "lavamd": "energy",
           "spmv": "nonzeros"}  # fmt: skip


@cases("app", [a for a in APPS.values() if not a.name.endswith(("-linear", "-mesh"))])
def test_the_seed_decides_the_input(app: Program) -> None:
    key = TELLING[name_of(app)]
    first, again, other = (good("amp", app, "--seed", s) for s in ("5", "5", "6"))
    assert first[key] == again[key] != other[key]
    assert (first["seed"], other["seed"]) == (5, 6)


def test_shapes_of_synth() -> None:
    linear, rising, falling = (
        programs.good("amp", "synth", "S", "--shape", shape)
        for shape in ("linear", "exp-inc", "exp-dec")
    )
    assert rising["steps"] == falling["steps"]
    mean = {r["shape"]: r["steps"] / r["iterations"] for r in (linear, rising)}
    assert linear["most"] < 3 * mean["linear"]
    # Of n exponential samples the largest is about ln n times the mean.
    assert rising["most"] > 8 * mean["exp-inc"]


# Mean length and spread of rows, as in the paper's table 1.
@cases("name, mean, ratio, variance", [
    ("circuit", (7, 11), (1000, 1e9), (1000, 1e9)), ("web", (20, 30), (500, 1e9), (500, 1e9)),
    ("road", (2.2, 2.6), (1, 9), (0.3, 1.0)), ("kmer", (2.0, 2.3), (1, 20), (0.05, 0.4)),
    ("mesh", (5.5, 6.0), (1, 7), (0.5, 1.8)),
])  # fmt: skip
def test_structures_of_spmv(name: str, mean: Any, ratio: Any, variance: Any) -> None:
    report = programs.good("amp", "spmv", "S", "--structure", name)
    spread = report["row_most"] / max(report["row_least"], 1)
    found = (report["row_mean"], spread, report["row_variance"])
    for value, (low, high) in zip(found, (mean, ratio, variance)):
        assert low <= value <= high


def test_graphs_of_bfs() -> None:
    uniform = programs.good("amp", "bfs", "S", "--graph", "uniform")
    free = programs.good("amp", "bfs", "S", "--graph", "scale-free")
    assert uniform["degree_most"] < 5 * uniform["degree_mean"]
    assert free["degree_most"] > 50 * free["degree_mean"]
    assert free["reached"] > 0.9


@cases("program, arguments", [
    ("synth", ("--shape", "cubic")), ("synth", ("--shape",)), ("synth", ("--seed", "x")),
    ("synth", ("Q",)), ("bfs", ("--graph", "star")), ("kmeans", ("--clusters", "1")),
    ("lavamd", ("--matrix", "x")), ("spmv", ("--structure", "full")),
    ("spmv", ("--tasks", "4")), ("spmv", ("--costs", "x")),
])  # fmt: skip
def test_wrong_usage(program: str, arguments: tuple[str, ...]) -> None:
    programs.refused("amp", program, *arguments)


@cases("program", sorted({name_of(a) for a in APPS.values()}))
def test_help(program: str) -> None:
    done = programs.start("amp", program, "--help")
    assert done.returncode == 0
    for option in ("--seed", "--workload", "--class"):
        assert option in done.stdout
    assert "--tasks" not in done.stdout
    assert "--tasks" in programs.start("taskloop", program, "--help").stdout
