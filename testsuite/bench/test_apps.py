# SPDX-License-Identifier: GPL-3.0-or-later
"""The applications of the iCh paper: right under every schedule, wrong results seen."""

import functools
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any

from ampbench import ich, kernels

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / (os.environ.get("BUILD") or "build")
APPS = kernels.load("all", ["ich"])
LIBRARY = BUILD / "stage" / "lib" / "libgomp.so.1"
# What of these the library knows is tested.
SCHEDULES = (
    "static", "dynamic,3", "guided", "aid_static", "aid_hybrid,80", "aid_dynamic,1,5",
    "steal", "steal,64", "ich", "binlpt,128",
)  # fmt: skip


def environment(threads: int, **more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    # Threads that spin would wait for each other where there are fewer CPUs.
    fixed = {"OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive"}
    return kept | fixed | {"OMP_NUM_THREADS": str(threads)} | more


def lacking() -> str | None:
    """None when programs can be built, else why not."""
    for program in ("make", "gcc", "g++", "gfortran"):
        if not shutil.which(program):
            return f"no {program}"
    if not LIBRARY.is_file():
        return f"no {LIBRARY}: run make first"
    return None


@functools.cache
def build() -> str | None:
    """None when all applications are built, else why not."""
    if why := lacking():
        return why
    done = subprocess.run(
        ["make", "-s", "-C", str(TOP / "benchmarks/kernels"), f"BUILD={BUILD}", "apps"],
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)
    return None


@functools.cache
def known(schedule: str) -> bool:
    return ich.rejected(LIBRARY, schedule) is None


class WithApplications(unittest.TestCase):
    def setUp(self) -> None:
        if why := build():
            self.skipTest(why)

    def start(
        self, folder: str, program: str, *arguments: str, threads: int = 2, **env: str
    ) -> subprocess.CompletedProcess[str]:
        command = [str(BUILD / "bench" / folder / program), *arguments]
        return subprocess.run(
            command, env=environment(threads, **env), capture_output=True, text=True,
            timeout=100, check=False,
        )  # fmt: skip

    def good(
        self, folder: str, program: str, *arguments: str, threads: int = 2, **env: str
    ) -> dict[str, Any]:
        done = self.start(folder, program, *arguments, threads=threads, **env)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.args)
        report: dict[str, Any] = json.loads(done.stdout)
        self.assertIs(report["verified"], True)
        self.assertEqual(report["threads"], threads)
        self.assertEqual((report["kernel"], report["class"]), (program, arguments[0]))
        self.assertGreater(report["loops"], 0)
        return report


class Applications(WithApplications):
    def test_right_under_every_schedule(self) -> None:
        for app in APPS.values():
            for threads in (1, 2, 3):
                for schedule in filter(known, SCHEDULES):
                    with self.subTest(app=app.name, threads=threads, schedule=schedule):
                        report = self.good("amp", app.program, "S", *app.arguments,
                                           threads=threads, OMP_SCHEDULE=schedule)  # fmt: skip
                        self.assertEqual(Path(report["runtime"]).resolve(), LIBRARY.resolve())

    def test_right_with_stock_and_as_taskloop(self) -> None:
        for app in APPS.values():
            for threads in (1, 2, 3):
                with self.subTest(app=app.name, threads=threads):
                    self.good("stock", app.program, "S", *app.arguments, threads=threads)
                    for cut in ((), ("--tasks", "7"), ("--grainsize", "5")):
                        self.good("taskloop", app.program, "S", *app.arguments, *cut,
                                  threads=threads)  # fmt: skip

    def test_workloads_may_be_given_to_any_library(self) -> None:
        for app in APPS.values():
            with self.subTest(app=app.name):
                for folder in ("amp", "stock"):
                    self.good(folder, app.program, "S", *app.arguments, "--workload",
                              OMP_SCHEDULE="dynamic,1")  # fmt: skip

    def test_one_wrong_bit_is_seen(self) -> None:
        for app in APPS.values():
            with self.subTest(app=app.name):
                for folder in ("amp", "stock", "taskloop"):
                    done = self.start(folder, app.program, "S", *app.arguments, "--damage")
                    self.assertEqual(done.returncode, 1)
                    self.assertIs(json.loads(done.stdout)["verified"], False)

    def test_the_seed_decides_the_input(self) -> None:
        telling = {
            "synth": "steps", "bfs": "edges", "kmeans": "largest", "lavamd": "energy",
            "spmv": "nonzeros",
        }  # fmt: skip
        for app in APPS.values():
            if app.name.endswith(("-linear", "-mesh")):
                continue  # its shape is not random
            with self.subTest(app=app.name):
                key = telling[app.program]
                values = [
                    self.good("amp", app.program, "S", *app.arguments, "--seed", seed)
                    for seed in ("5", "5", "6")
                ]
                self.assertEqual(values[0][key], values[1][key])
                self.assertNotEqual(values[0][key], values[2][key])
                self.assertEqual([v["seed"] for v in values], [5, 5, 6])

    def test_costs(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for app in APPS.values():
                file = Path(folder) / app.name
                report = self.good("amp", app.program, "S", *app.arguments, "--costs", str(file))
                loops: list[list[int]] = []
                for line in file.read_text().splitlines():
                    if line.startswith("#"):
                        words = line.split()
                        self.assertEqual(words[1:3], ["loop", f"{len(loops)}:"])
                        loops.append([int(words[3])])
                    else:
                        loops[-1].append(int(line))
                for length, *costs in loops:
                    self.assertEqual(len(costs), length, app.name)
                total = sum(sum(loop[1:]) for loop in loops)
                with self.subTest(app=app.name):
                    if app.program == "synth":
                        self.assertEqual((len(loops), total), (1, report["steps"]))
                    elif app.program == "spmv":
                        self.assertEqual((len(loops), total), (1, report["nonzeros"]))
                    elif app.program == "lavamd":
                        self.assertEqual((len(loops), total), (report["steps"], report["pairs"]))
                    elif app.program == "kmeans":
                        self.assertEqual(len(loops), report["rounds"])
                        self.assertEqual({loop[0] for loop in loops}, {report["points"]})
                    else:
                        # Every edge of the reached part is looked at from both ends.
                        self.assertEqual(loops[0][0], 1)
                        self.assertLessEqual(total, 2 * report["edges"])
                        self.assertGreater(total, report["edges"])

    def test_shapes_of_synth(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            costs = {}
            for shape in ("linear", "exp-inc", "exp-dec"):
                file = Path(folder) / shape
                self.good("amp", "synth", "S", "--shape", shape, "--costs", str(file))
                costs[shape] = [int(s) for s in file.read_text().splitlines()[1:]]
        self.assertEqual(costs["exp-inc"], sorted(costs["exp-inc"]))
        self.assertEqual(costs["exp-dec"], costs["exp-inc"][::-1])
        self.assertEqual(costs["linear"], sorted(costs["linear"]))
        self.assertLess(max(costs["linear"]), 3 * sum(costs["linear"]) / len(costs["linear"]))
        # Of n exponential samples the largest is about ln n times the mean.
        mean = sum(costs["exp-inc"]) / len(costs["exp-inc"])
        self.assertGreater(max(costs["exp-inc"]), 8 * mean)

    def test_structures_of_spmv(self) -> None:
        """Mean length and spread of rows, as in the paper's table 1."""
        for name, mean, ratio, variance in (
            ("circuit", (7, 11), (1000, None), (1000, None)),
            ("web", (20, 30), (500, None), (500, None)),
            ("road", (2.2, 2.6), (1, 9), (0.3, 1.0)),
            ("kmer", (2.0, 2.3), (1, 20), (0.05, 0.4)),
            ("mesh", (5.5, 6.0), (1, 7), (0.5, 1.8)),
        ):
            with self.subTest(structure=name):
                report = self.good("amp", "spmv", "S", "--structure", name)
                spread = report["row_most"] / max(report["row_least"], 1)
                for value, (low, high) in (
                    (report["row_mean"], mean),
                    (spread, ratio),
                    (report["row_variance"], variance),
                ):
                    self.assertGreaterEqual(value, low)
                    if high is not None:
                        self.assertLessEqual(value, high)

    def test_graphs_of_bfs(self) -> None:
        uniform = self.good("amp", "bfs", "S", "--graph", "uniform")
        free = self.good("amp", "bfs", "S", "--graph", "scale-free")
        self.assertLess(uniform["degree_most"], 5 * uniform["degree_mean"])
        self.assertGreater(free["degree_most"], 50 * free["degree_mean"])
        self.assertGreater(free["reached"], 0.9)

    def test_wrong_usage(self) -> None:
        for program, *arguments in (
            ("synth", "--shape", "cubic"),
            ("synth", "--shape"),
            ("synth", "--iterations", "0"),
            ("synth", "--seed", "x"),
            ("synth", "Q"),
            ("bfs", "--graph", "star"),
            ("bfs", "--vertices", "1e9"),
            ("kmeans", "--clusters", "-1"),
            ("lavamd", "--boxes", "0"),
            ("lavamd", "--boxes"),
            ("lavamd", "--matrix", "x"),
            ("spmv", "--structure", "full"),
            ("spmv", "--repeat", ""),
            ("spmv", "--tasks", "4"),
            ("spmv", "--costs", "/nowhere/at/all"),
        ):
            with self.subTest(program=program, arguments=arguments):
                done = self.start("amp", program, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(program + ": ", done.stderr)

    def test_help(self) -> None:
        for program in sorted({a.program for a in APPS.values()}):
            done = self.start("amp", program, "--help")
            self.assertEqual(done.returncode, 0)
            for option in ("--seed", "--costs", "--workload", "--class"):
                self.assertIn(option, done.stdout)
            self.assertNotIn("--tasks", done.stdout)
            self.assertIn("--tasks", self.start("taskloop", program, "--help").stdout)


BANNER = "%%MatrixMarket matrix coordinate real general\n"


class MatrixMarket(WithApplications):
    """spmv --matrix: what is read, and what is refused in which words."""

    def setUp(self) -> None:
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "m.mtx"

    def read(self, text: str | bytes) -> subprocess.CompletedProcess[str]:
        self.file.write_bytes(text.encode() if isinstance(text, str) else text)
        return self.start("amp", "spmv", "S", "--matrix", str(self.file), "--costs",
                          str(self.file) + ".costs")  # fmt: skip

    def rows(self, text: str) -> tuple[dict[str, Any], list[int]]:
        """The report, and the length of each row."""
        done = self.read(text)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lengths = Path(str(self.file) + ".costs").read_text().splitlines()[1:]
        return json.loads(done.stdout), [int(s) for s in lengths]

    def test_read(self) -> None:
        report, rows = self.rows(
            BANNER + "% a comment\n\n4 5 4\n1 1 1.5\n%\n1 5 -2e3\n\n4 2 .5 \n3\t3  7\r\n"
        )
        self.assertEqual(rows, [2, 0, 1, 1])
        self.assertEqual((report["structure"], report["class"]), ("file", "-"))
        self.assertEqual((report["row_least"], report["row_most"]), (0, 2))

    def test_symmetric(self) -> None:
        entries = "3 3 3\n2 1 4\n3 2 5\n"
        for kind, last, rows in (
            ("symmetric", "3 3 1\n", [1, 2, 2]),
            ("skew-symmetric", "3 1 1\n", [2, 2, 2]),
        ):
            with self.subTest(kind=kind):
                text = f"%%matrixmarket Matrix Coordinate Integer {kind}\n{entries}{last}"
                self.assertEqual(self.rows(text)[1], rows)

    def test_pattern(self) -> None:
        text = "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n"
        self.assertEqual(self.rows(text)[1], [1, 1])

    def test_twice_given_is_one_entry(self) -> None:
        self.assertEqual(self.rows(BANNER + "2 2 3\n1 2 1\n1 2 1\n2 2 1\n")[1], [1, 1])

    def test_refused(self) -> None:
        for text, line, message in (
            ("", 1, "empty"),
            ("1 1 1\n1 1 1\n", 1, "does not begin with %%MatrixMarket"),
            (b"\x1f\x8b\x08\x00abc", 1, "compressed"),
            ("%%MatrixMarket tensor coordinate real general\n", 1, "'tensor'"),
            ("%%MatrixMarket matrix array real general\n2 2\n", 1, "'array'"),
            ("%%MatrixMarket matrix coordinate complex general\n", 1, "'complex'"),
            ("%%MatrixMarket matrix coordinate real hermitian\n", 1, "'hermitian'"),
            ("%%MatrixMarket matrix coordinate\n", 1, "''"),
            (BANNER, 2, "is missing"),
            (BANNER + "2 2\n", 2, "rows, columns and entries"),
            (BANNER + "2 2 1 1\n", 2, "rows, columns and entries"),
            (BANNER + "2 x 1\n", 2, "rows, columns and entries"),
            (BANNER + "0 2 0\n", 2, "make no matrix"),
            (BANNER + "2 2 -1\n", 2, "make no matrix"),
            (BANNER + "2 2 5\n", 2, "more than"),
            (BANNER + "3000000000 2 1\n", 2, "rows or columns"),
            (BANNER + "99999999999999999999 2 1\n", 2, "rows, columns and entries"),
            (BANNER.replace("general", "symmetric") + "2 3 1\n", 2, "symmetric matrix of"),
            (BANNER + "2 2 2\n1 1 1\n", 4, "ends after 1 of 2"),
            (BANNER + "2 2 1\n1 1 1\n2 2 1\n", 4, "more than the 1"),
            (BANNER + "2 2 1\n3 1 1\n", 3, "row 3 is outside 1..2"),
            (BANNER + "2 2 1\n0 1 1\n", 3, "row 0 is outside"),
            (BANNER + "2 2 1\n1 3 1\n", 3, "column 3 is outside"),
            (BANNER + "2 2 1\n1 1\n", 3, "finite value"),
            (BANNER + "2 2 1\n1 1 1 1\n", 3, "finite value"),
            (BANNER + "2 2 1\n1 1 nan\n", 3, "finite value"),
            (BANNER + "2 2 1\n1 1 1e999\n", 3, "finite value"),
            (BANNER + "2 2 1\n1.5 1 1\n", 3, "finite value"),
            (BANNER.replace("real", "pattern") + "2 2 1\n1 1 1\n", 3, "not row and column"),
            (BANNER.replace("general", "symmetric") + "2 2 1\n1 2 1\n", 3, "below the diagonal"),
            (BANNER.replace("general", "skew-symmetric") + "2 2 1\n1 1 1\n", 3, "no diagonal"),
        ):
            with self.subTest(text=text):
                done = self.read(text)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"{self.file}:{line}: ", done.stderr)
                self.assertIn(message, done.stderr)

    def test_no_file(self) -> None:
        for name in ("/nowhere/m.mtx", "/"):
            done = self.start("amp", "spmv", "--matrix", name)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"spmv: {name}", done.stderr)
