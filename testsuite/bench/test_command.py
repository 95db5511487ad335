# SPDX-License-Identifier: GPL-3.0-or-later
"""The command scripts/bench: wrong options, raw files of each kind, plots."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import test_change
import test_compared
import test_evaluation
import test_sites
from ampbench import plots

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(BENCH), *arguments],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


class Options(unittest.TestCase):
    def test_wrong(self) -> None:
        for wrong in (
            ["compare", "--all", "--overhead"],
            ["sites", "--overhead"],
            ["sites", "--all"],
            ["change", "--ratio", "2,3"],
            ["change", "--only", "equal"],
            ["change", "--kernels", "cg"],
            ["change", "--all"],
            ["compare", "--all", "--quick"],
            ["compare", "--ratio", "0.5"],
            ["compare", "--at", "2"],
            ["change", "--at", "-1"],
            ["nothing"],
        ):
            self.assertEqual(bench(*wrong).returncode, 2, wrong)


class RawFiles(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def raw(self, records: list[dict[str, Any]]) -> str:
        path = self.folder / "raw.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in records))
        return str(path)

    def test_each_mode_has_its_own_verdicts(self) -> None:
        session = test_compared.SESSION
        good = test_change.Verdicts.good
        for records, words, foreign in (
            (test_compared.comparison(), "best AID at most", "best fixed"),
            ([{**session, "mode": "sites"}, *test_sites.records()], "best fixed", "parity"),
            ([test_evaluation.session(), *test_evaluation.records()], "best of each", "parity"),
            (test_change.session(amp_unset=good), "follows the change", "best AID"),
        ):
            done = bench("compare", "--table-from", self.raw(records))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(words, done.stdout)
            self.assertNotIn(foreign, done.stdout)

    def test_plots(self) -> None:
        good = test_change.Verdicts.good
        for records in (
            test_compared.comparison(),
            test_change.session(amp_unset=good),
            [test_evaluation.session(), *test_evaluation.records()],
        ):
            picture = self.folder / "plot.png"
            done = bench("compare", "--table-from", self.raw(records), "--plot", str(picture))
            self.assertEqual(done.returncode, 0, done.stderr)
            # The tables come once, whichever interpreter has drawn.
            self.assertEqual(done.stdout.count("raw data:"), 1)
            if "no plot: plots need matplotlib" in done.stdout:
                self.assertIn("no other Python", done.stdout)
                self.skipTest("no Python here has matplotlib")
            self.assertIn(f"plot: {picture}", done.stdout)
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            picture.unlink()


class Interpreters(unittest.TestCase):
    def found(self, status: int) -> str | None:
        done = subprocess.CompletedProcess([], status)
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "python3"
            python.touch()
            with (
                mock.patch.object(plots.shutil, "which", lambda name: str(python)),
                mock.patch.object(plots.subprocess, "run", lambda *a, **k: done),
            ):
                return plots.other_interpreter()

    def test_found_and_not(self) -> None:
        self.assertIsNotNone(self.found(0))
        self.assertIsNone(self.found(1))

    def test_not_this_one(self) -> None:
        with (
            mock.patch.object(plots.shutil, "which", lambda name: sys.executable),
            mock.patch.object(plots.Path, "is_file", lambda self: str(self) == sys.executable),
            mock.patch.object(plots.subprocess, "run", mock.Mock(side_effect=AssertionError)),
        ):
            self.assertIsNone(plots.other_interpreter())
