# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels on themes of NPB, Rodinia and PARSEC, and those that rely on static: right under
every schedule of the AID and iCh papers, wrong results seen.  SUITES_CLASSES=SW runs more classes than S."""

import functools
import json
import os
import subprocess
import unittest
from pathlib import Path
from typing import Any

import test_apps
from ampbench import kernels

BENCH = test_apps.BUILD / "bench" / "amp"
SUITES = kernels.load(groups=["suites"])
NPB = ("is", "mg", "ft")
CLASSES = os.environ.get("SUITES_CLASSES", "S")
SCHEDULES = ("static", "dynamic,64", "aid_static", "aid_hybrid,80", "aid_dynamic,1,5", "ich")
# What a kernel says of its input, and differs from seed to seed.
TELLING = {
    "hotspot3d": "hottest", "lud": "residual", "particlefilter": "off", "pathfinder": "cheapest",
    "srad": "speckle_before", "streamcluster": "cost", "blackscholes": "error",
    "swaptions": "errors", "bodytrack": "off", "pcg": "heat", "hydro": "densest",
}  # fmt: skip


@functools.cache
def build() -> str | None:
    """None when all are built, else why not."""
    why = test_apps.lacking()
    if why:
        return why
    targets = [str(BENCH / name) for name in SUITES]
    command = ["make", "-s", "-j2", "-C", str(test_apps.TOP / "benchmarks/kernels")]
    done = subprocess.run(
        [*command, f"BUILD={test_apps.BUILD}", *targets],
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr or done.stdout)
    return None


class Suites(unittest.TestCase):
    def setUp(self) -> None:
        if why := build():
            self.skipTest(why)

    def start(
        self, program: str, *arguments: str, threads: int = 2, **env: str
    ) -> subprocess.CompletedProcess[str]:
        # The first CPU is said to be of another type than the others: AID has something to do.
        first, *others = sorted(os.sched_getaffinity(0))
        types = {"GOMP_AMP_TYPES": f"{first}:{','.join(map(str, others))}"} if others else {}
        return subprocess.run(
            [str(BENCH / program), *arguments],
            env=test_apps.environment(threads, **types, **env), capture_output=True,
            text=True, timeout=100, check=False,
        )  # fmt: skip

    def good(self, program: str, *arguments: str, threads: int = 2, **env: str) -> dict[str, Any]:
        done = self.start(program, *arguments, threads=threads, **env)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        report: dict[str, Any] = json.loads(done.stdout)
        self.assertIs(report["verified"], True)
        self.assertEqual((report["kernel"], report["class"]), (program, arguments[0]))
        self.assertEqual(report["threads"], threads)
        self.assertGreater(report["loops"], 0)
        self.assertEqual(Path(report["runtime"]).resolve(), test_apps.LIBRARY.resolve())
        return report

    def test_right_under_every_schedule(self) -> None:
        for name in SUITES:
            for klass in CLASSES:
                for threads, schedule in (
                    *((2, s) for s in SCHEDULES),
                    *((3, s) for s in SCHEDULES[2:]),
                ):
                    with self.subTest(kernel=name, threads=threads, schedule=schedule):
                        self.good(name, klass, threads=threads, OMP_SCHEDULE=schedule)

    def test_one_wrong_bit_is_seen(self) -> None:
        for name in SUITES:
            with self.subTest(kernel=name):
                done = self.start(name, "S", "--damage")
                self.assertEqual(done.returncode, 1)
                self.assertIs(json.loads(done.stdout)["verified"], False)

    def test_the_seed_decides_the_input(self) -> None:
        for name, key in TELLING.items():
            with self.subTest(kernel=name):
                first, again, other = (
                    self.good(name, "S", "--seed", seed) for seed in ("1", "1", "6")
                )
                self.assertEqual(first[key], again[key])
                self.assertNotEqual(first[key], other[key])
                self.assertEqual((first["seed"], other["seed"]), (1, 6))

    def test_wrong_usage(self) -> None:
        for name in SUITES:
            for arguments in (("Q",), ("--seed",), ("--seed", "x"), ("--costs", "x")):
                with self.subTest(kernel=name, arguments=arguments):
                    done = self.start(name, *arguments)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertIn(name + ": ", done.stderr)
            done = self.start(name, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertEqual("--seed" in done.stdout, name not in NPB)

    def test_each_has_loops_without_a_schedule_clause_only(self) -> None:
        for name, row in SUITES.items():
            with self.subTest(kernel=name):
                text = (kernels.FOLDER / row.source).read_text()
                self.assertNotRegex(text, r"\bschedule *\(")
        suffixes = [Path(row.source).suffix for row in SUITES.values()]
        for suffix in (".c", ".cpp", ".f90"):
            self.assertGreaterEqual(suffixes.count(suffix), 3)
