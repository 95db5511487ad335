# SPDX-License-Identifier: GPL-3.0-or-later
"""The applications of the iCh paper: right under every schedule, wrong results seen."""

import json
from collections.abc import Callable
from pathlib import Path
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
    for value, (low, high) in zip(found, (mean, ratio, variance), strict=True):
        assert low <= value <= high


def test_graphs_of_bfs() -> None:
    uniform = programs.good("amp", "bfs", "S", "--graph", "uniform")
    free = programs.good("amp", "bfs", "S", "--graph", "scale-free")
    assert uniform["degree_most"] < 5 * uniform["degree_mean"]
    assert free["degree_most"] > 50 * free["degree_mean"]
    assert free["reached"] > 0.9


@cases("program, arguments", [
    ("synth", ("--shape", "cubic")), ("synth", ("--shape",)), ("synth", ("--iterations", "0")),
    ("synth", ("--seed", "x")), ("synth", ("Q",)), ("bfs", ("--graph", "star")),
    ("bfs", ("--vertices", "1e9")), ("kmeans", ("--clusters", "-1")),
    ("lavamd", ("--boxes", "0")), ("lavamd", ("--boxes",)), ("lavamd", ("--matrix", "x")),
    ("spmv", ("--structure", "full")), ("spmv", ("--repeat", "")), ("spmv", ("--tasks", "4")),
    ("spmv", ("--costs", "x")), ("spmv", ("--matrix", "/nowhere/m.mtx")),
    ("spmv", ("--matrix", "/")),
])  # fmt: skip
def test_wrong_usage(program: str, arguments: tuple[str, ...]) -> None:
    said = programs.refused("amp", program, *arguments)
    assert "--matrix" not in arguments or program == "lavamd" or arguments[1] in said


@cases("program", sorted({name_of(a) for a in APPS.values()}))
def test_help(program: str) -> None:
    done = programs.start("amp", program, "--help")
    assert done.returncode == 0
    for option in ("--seed", "--workload", "--class"):
        assert option in done.stdout
    assert "--tasks" not in done.stdout
    assert "--tasks" in programs.start("taskloop", program, "--help").stdout


# spmv --matrix: what is read, and what is refused in which words.


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "m.mtx"


@pytest.fixture
def rows(file: Path) -> Callable[[str], tuple[dict[str, Any], tuple[int, int, int]]]:
    """Of a text the report, and of its rows the least, the most, and all entries."""

    def read(text: str) -> tuple[dict[str, Any], tuple[int, int, int]]:
        file.write_bytes(text.encode())
        done = programs.start("amp", "spmv", "S", "--matrix", file)
        assert (done.returncode, done.stderr) == (0, "")
        report = json.loads(done.stdout)
        return report, (report["row_least"], report["row_most"], report["nonzeros"])

    return read


BANNER = "%%MatrixMarket matrix coordinate real general\n"
SYMMETRIC = BANNER.replace("general", "symmetric")
ENTRIES = "3 3 3\n2 1 4\n3 2 5\n"


def test_read(rows: Any) -> None:
    report, lengths = rows(
        BANNER + "% a comment\n\n4 5 4\n1 1 1.5\n%\n1 5 -2e3\n\n4 2 .5 \n3\t3  7\r\n"
    )
    assert lengths == (0, 2, 4)
    assert (report["structure"], report["class"]) == ("file", "-")


@cases("text, lengths", [
    (f"%%matrixmarket Matrix Coordinate Integer symmetric\n{ENTRIES}3 3 1\n", (1, 2, 5)),
    (f"%%matrixmarket Matrix Coordinate Integer skew-symmetric\n{ENTRIES}3 1 1\n", (2, 2, 6)),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", (1, 1, 2)),
    # Twice given is one entry.
    (BANNER + "2 2 3\n1 2 1\n1 2 1\n2 2 1\n", (1, 1, 2)),
])  # fmt: skip
def test_kinds(rows: Any, text: str, lengths: tuple[int, int, int]) -> None:
    assert rows(text)[1] == lengths


@cases("text, line, message", [
    ("", 1, "empty"), ("1 1 1\n1 1 1\n", 1, "does not begin with %%MatrixMarket"),
    ("\x1f\x8b\x08\x00abc", 1, "compressed"),
    ("%%MatrixMarket tensor coordinate real general\n", 1, "'tensor'"),
    ("%%MatrixMarket matrix array real general\n2 2\n", 1, "'array'"),
    ("%%MatrixMarket matrix coordinate complex general\n", 1, "'complex'"),
    ("%%MatrixMarket matrix coordinate real hermitian\n", 1, "'hermitian'"),
    ("%%MatrixMarket matrix coordinate\n", 1, "''"), (BANNER, 2, "is missing"),
    (BANNER + "2 2\n", 2, "rows, columns and entries"),
    (BANNER + "2 2 1 1\n", 2, "rows, columns and entries"),
    (BANNER + "2 x 1\n", 2, "rows, columns and entries"),
    (BANNER + "0 2 0\n", 2, "make no matrix"), (BANNER + "2 2 -1\n", 2, "make no matrix"),
    (BANNER + "2 2 5\n", 2, "more than"), (BANNER + "3000000000 2 1\n", 2, "rows or columns"),
    (BANNER + "99999999999999999999 2 1\n", 2, "rows, columns and entries"),
    (SYMMETRIC + "2 3 1\n", 2, "symmetric matrix of"),
    (BANNER + "2 2 2\n1 1 1\n", 4, "ends after 1 of 2"),
    (BANNER + "2 2 1\n1 1 1\n2 2 1\n", 4, "more than the 1"),
    (BANNER + "2 2 1\n3 1 1\n", 3, "row 3 is outside 1..2"),
    (BANNER + "2 2 1\n0 1 1\n", 3, "row 0 is outside"),
    (BANNER + "2 2 1\n1 3 1\n", 3, "column 3 is outside"),
    (BANNER + "2 2 1\n1 1\n", 3, "finite value"), (BANNER + "2 2 1\n1 1 1 1\n", 3, "finite value"),
    (BANNER + "2 2 1\n1 1 nan\n", 3, "finite value"),
    (BANNER + "2 2 1\n1 1 1e999\n", 3, "finite value"),
    (BANNER + "2 2 1\n1.5 1 1\n", 3, "finite value"),
    (BANNER.replace("real", "pattern") + "2 2 1\n1 1 1\n", 3, "not row and column"),
    (SYMMETRIC + "2 2 1\n1 2 1\n", 3, "below the diagonal"),
    (BANNER.replace("general", "skew-symmetric") + "2 2 1\n1 1 1\n", 3, "no diagonal"),
])  # fmt: skip
def test_refused(file: Path, text: str, line: int, message: str) -> None:
    file.write_bytes(text.encode("latin-1"))
    said = programs.refused("amp", "spmv", "S", "--matrix", file)
    assert f"{file}:{line}: " in said
    assert message in said
