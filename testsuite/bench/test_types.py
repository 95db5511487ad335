# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of cores as amp-info tells them: they are measured as they are, and by emulation only where
there are none."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from ampbench import machine, plan, session
from made import BENCH, STAGE, description, programs, records, run_suite


def said(*types: list[int], **more: Any) -> dict[str, Any]:
    """As amp-info --json says it of a board, fastest first."""
    rows = [
        {"type": i, "role": None, "capacity": 1024 // (i + 1), "max_khz": None, "sf": None,
         "used": True, "cpus": cpus}
        for i, cpus in enumerate(types)
    ]  # fmt: skip
    return {"usable_cpus": 8, "evidence_text": "cpu_capacity", "types": rows, **more}


class Types(unittest.TestCase):
    def test_usable_ones_count(self) -> None:
        found = machine.types_of(said([4, 5], [0, 1, 2]), {0, 1, 4})
        self.assertEqual(found.cpus, ((4,), (0, 1)))
        self.assertEqual(found.ratio, 2.0)
        self.assertTrue(found.several)
        self.assertFalse(machine.types_of(said([4, 5], [0, 1]), {0, 1}).several)

    def test_unused_ones_do_not(self) -> None:
        text = said([0], [1], [2])
        text["types"][2]["used"] = False
        self.assertEqual(machine.types_of(text, {0, 1, 2}).cpus, ((0,), (1,)))

    def test_without_amp_info_there_is_one(self) -> None:
        found = machine.core_types(Path("/nowhere/amp-info"))
        self.assertEqual(found.cpus, (tuple(sorted(os.sched_getaffinity(0))),))


class WithAmpInfo(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def amp_info(self, text: dict[str, Any], build: Path) -> None:
        tool = build / "stage" / "bin" / "amp-info"
        tool.parent.mkdir(parents=True)
        tool.write_text(f"#!/bin/sh\ncat <<'END'\n{json.dumps(text)}\nEND\n")
        tool.chmod(0o755)


class Choice(WithAmpInfo):
    """Which CPUs are run on, of eight that are usable."""

    def choose(self, *types: list[int], slow: list[int] | None = None, **args: Any) -> session.Cpus:
        self.amp_info(said(*types), self.folder)
        with (
            mock.patch.dict(os.environ, {"BUILD": str(self.folder)}),
            mock.patch.object(os, "sched_getaffinity", lambda _: set(range(8))),
        ):
            return session.Cpus(argparse.Namespace(**args), slow)

    def test_several_types_are_run_on_as_they_are(self) -> None:
        cpus = self.choose([4, 5, 6, 7], [0, 1], [2, 3])
        self.assertEqual((cpus.fast, cpus.slow), ([4, 5, 6, 7], [0, 1, 2, 3]))
        self.assertTrue(cpus.real)
        self.assertFalse(cpus.emulate)
        self.assertEqual(cpus.ratios([3.0], None), [plan.REAL])
        for only in ("equal", "emulated"):
            with self.assertRaises(SystemExit):
                cpus.ratios([3.0], only)

    def test_one_type_is_emulated_on(self) -> None:
        cpus = self.choose(list(range(8)))
        self.assertEqual((cpus.fast, cpus.slow), (list(range(7)), [7]))
        self.assertEqual(cpus.ratios([2.0, 3.0], None), [1.0, 2.0, 3.0])
        self.assertEqual(cpus.ratios([3.0], "emulated"), [3.0])

    def test_emulation_may_be_forced(self) -> None:
        cpus = self.choose([4, 5, 6, 7], [0, 1, 2, 3], emulate=True)
        self.assertEqual((cpus.real, cpus.emulate, cpus.slow), (False, True, [7]))

    def test_who_names_slow_cpus_wants_emulation(self) -> None:
        cpus = self.choose([4, 5, 6, 7], [0, 1, 2, 3], slow=[2])
        self.assertEqual((cpus.real, cpus.emulate, cpus.slow), (False, True, [2]))

    def test_emulation_may_be_forbidden(self) -> None:
        cpus = self.choose(list(range(8)), emulate=False)
        self.assertEqual(cpus.ratios([3.0], None), [plan.EQUAL])
        with self.assertRaises(SystemExit):
            cpus.ratios([3.0], "emulated")


class Commands(WithAmpInfo):
    """On this machine, each CPU of which is said to be of a type of its own."""

    def setUp(self) -> None:
        super().setUp()
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one CPU: no two types of cores")
        if not (STAGE / "bin" / "amp-gcc").exists():
            self.skipTest(f"no {STAGE}/bin/amp-gcc: run make first")
        self.build = self.folder / "build"
        first, *others = sorted(os.sched_getaffinity(0))
        self.first, self.lists = first, f"{first}:{','.join(map(str, others))}"
        self.amp_info(said([first], others), self.build)
        for tool in (STAGE / "bin").iterdir():
            if tool.name != "amp-info":
                (self.build / "stage" / "bin" / tool.name).symlink_to(tool)
        (self.build / "stage" / "lib").symlink_to(STAGE / "lib")
        (self.build / "bench").symlink_to(STAGE.parent / "bench")
        self.raw = self.folder / "raw.jsonl"

    def bench(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, str(BENCH), *arguments, "--out", str(self.raw)], text=True,
            capture_output=True, timeout=200, check=False,
            env={**os.environ, "BUILD": str(self.build), "GOMP_AMP_TYPES": self.lists},
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 types of cores", done.stderr)
        return done.stdout

    def test_compare(self) -> None:
        text = self.bench("compare", "--kernels", "tail", "--class", "S", "--reps", "1",
                          "--configs", "amp:aid_static")  # fmt: skip
        self.assertIn("tail class S, the machine's own types of cores", text)
        self.assertNotIn("amp-emulate", text)
        self.assertEqual({r["type"] for r in map(json.loads, self.raw.open())}, {"session", "run"})
        runs = records(self.raw)
        self.assertEqual({(r["ratio"], r["status"]) for r in runs}, {(plan.REAL, "ok")})
        aid = [r["report"] for r in runs if r["config"] == "amp:aid_static"]
        self.assertEqual(aid[0]["cpus"][0], self.first)

    def test_suites(self) -> None:
        done = run_suite(
            description(self.folder, "good"), "--bin", programs(self.folder, "good"), "--lib",
            "none", "--out", self.raw, "--reps", 1, "--configs", "static@bs",
            BUILD=str(self.build), notes=self.folder,
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 types of cores", done.stderr)
        (head,) = records(self.raw, "session")
        self.assertEqual(head["own_types"][0], [self.first])
        self.assertEqual(records(self.raw, "emulation"), [])
