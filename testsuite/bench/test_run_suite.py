# SPDX-License-Identifier: GPL-3.0-or-later
"""bench suites on made-up programs: bad ones, interruption, sensors; and a real one."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

from made import BENCH, PROGRAMS, STAGE, description, odroid, programs, records, run_suite

LOOP = """
#include <stdio.h>
int main (void)
{
  double sum = 0;
  for (int k = 0; k < 20; k++)
    {
#pragma omp parallel for reduction (+: sum)
      for (int i = 0; i < 200000; i++)
        sum += 1.0 / (1 + i % 7);
    }
  printf ("OK %.0f\\n", sum > 0 ? 1.0 : 0.0);
}
"""


def gone(pid: int) -> bool:
    """Whether a process has ended, in a while; one that nobody has waited for yet counts."""
    for _ in range(100):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


class Case(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.raw = self.folder / "raw.jsonl"
        # A machine without sensors, whatever the real one has.
        self.sysfs = self.folder / "sys"
        self.sysfs.mkdir()

    def options(self, *names: str, **more: float) -> list[object]:
        return [description(self.folder, *names, **more), "--bin", programs(self.folder, *names),
                "--lib", "none", "--sysfs", self.sysfs, "--out", self.raw, "--quiet"]  # fmt: skip


class Bad(Case):
    def test_each_kind_is_recorded_and_not_averaged(self) -> None:
        expected = {
            "good": "ok", "crash": "crashed", "signal": "crashed", "hang": "timeout",
            "nothing": "no output", "wrong": "wrong result", "untimed": "no output",
            "fileless": "no output", "other": "wrong library", "refused": "refused",
            "errs": "wrong result",
        }  # fmt: skip
        self.assertEqual(set(PROGRAMS) - set(expected), {"fickle", "slow"})
        working = self.folder / "tmp"
        working.mkdir()
        done = run_suite(*self.options(*expected, limit=3), "--reps", 2, "--configs", "static@sb",
                         "--warm-once", notes=self.folder, TMPDIR=str(working))  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, status in expected.items():
            mine = [r for r in records(self.raw) if r["program"] == name]
            self.assertEqual([r["round"] for r in mine], [0, 1, 2])
            # After two failures no time is wasted.
            wanted = [status] * 3 if status == "ok" else [status, status, "skipped"]
            self.assertEqual([r["status"] for r in mine], wanted, (name, mine))
            self.assertEqual(all("why" in r for r in mine), status != "ok", name)
        self.assertEqual([r["own"] for r in records(self.raw) if r["program"] == "good"], [2.5] * 3)
        self.assertIn("killed by SIGSEGV", done.stdout)
        table = done.stdout.partition("performance relative")[2].partition("\nbad runs")[0]
        self.assertIn("made/good", table)
        self.assertIn("gmean of 1", table)
        for name in set(expected) - {"good"}:
            self.assertNotIn(f"made/{name}", table)
            self.assertIn(f"made/{name}", done.stdout.partition("\nbad runs")[2])
        # What the hanging one had started is gone too.
        self.assertTrue(gone(int((self.folder / "hung").read_text())))
        self.assertEqual(list(working.iterdir()), [])

    def test_results_that_differ(self) -> None:
        done = run_suite(*self.options("fickle"), "--reps", 2, "--configs",
                         "static@sb static@bs aid_static", "--seed", 1)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        statuses: dict[str, set[str]] = {}
        for r in records(self.raw):
            statuses.setdefault(r["config"].partition("@")[0], set()).add(r["status"])
        # Whichever came first is the reference: one of the two schedules is found wrong.
        self.assertIn({"ok"}, statuses.values())
        self.assertIn({"wrong result", "skipped"}, statuses.values())

    def test_missing_programs_are_left_out(self) -> None:
        options = self.options("good", "crash")
        (self.folder / "bin" / "crash").unlink()
        done = run_suite(*options, "--reps", 1, "--configs", "static@sb")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({r["program"] for r in records(self.raw)}, {"good"})
        missing = {r["program"]: r["missing"] for r in records(self.raw, "program")}
        self.assertIsNone(missing["good"])
        self.assertIn("not there", missing["crash"])
        self.assertIn("made/crash", done.stdout)

    def test_wrong_options(self) -> None:
        options = self.options("good")
        for wrong, says in (
            (["--configs", "static@big"], "binding"),
            (["--programs", "ep"], "no program ep"),
            (["--reps", "0"], "at least 1"),
            (["--slow", "x"], "CPU numbers"),
            (["--energy", "rapl"], "rapl"),
            (["--lib", "/nowhere"], "not there"),
            (["--set", "n"], "NAME=VALUE"),
        ):
            done = run_suite(*options, *wrong)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(self.raw.exists())
        self.raw.write_text("{}\n")
        self.assertIn("already", run_suite(*options).stderr)


class Environment(Case):
    def test_schedule_and_binding(self) -> None:
        """What the programs see; OpenMP variables of whoever calls are gone."""
        (self.folder / "bin").mkdir()
        program = self.folder / "bin" / "env"
        program.write_text("#!/bin/sh\necho GOMP_AMP_AFFINITY >&2\nenv >$FAKE_NOTES/env-$MARK\n"
                           "echo \"$@\"; cat input; pwd\n")  # fmt: skip
        program.chmod(0o755)
        (self.folder / "data").mkdir()
        (self.folder / "data" / "file").write_text("from a file\n")
        suite = self.folder / "x.toml"
        suite.write_text(
            'suite = "x"\n[[program]]\nname = "env"\n'
            'command = ["{bin}/env", "{threads}", "{n}"]\nneeds = ["{data}/file"]\n'
            'links = { "in/input" = "{data}/file" }\nfolder = "in"\n'
            "values = { n = 5 }\nexpect = '3 5\\nfrom a file\\n.*/in\\n'\n"
            'environment = { MARK = "{n}" }\n'
        )
        done = run_suite(suite, "--bin", self.folder / "bin", "--data", self.folder / "data",
                         "--lib", "none", "--out", self.raw, "--quiet", "--threads", 3, "--reps", 1,
                         "--types", "1:0", "--configs", "aid_hybrid,80@sb", "--env", "MORE=1",
                         "--sysfs", self.sysfs, notes=self.folder, OMP_PLACES="cores",
                         GOMP_AMP_SF="3,1")  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["status"] for r in records(self.raw)], ["ok", "ok"], done.stdout)
        seen = dict(x.split("=", 1) for x in (self.folder / "env-5").read_text().splitlines()
                    if "=" in x)  # fmt: skip
        self.assertEqual(
            {k: v for k, v in seen.items() if k.startswith(("OMP_", "GOMP_", "MORE"))},
            {
                "OMP_SCHEDULE": "aid_hybrid,80", "GOMP_AMP_AFFINITY": "sb", "OMP_NUM_THREADS": "3",
                "OMP_DYNAMIC": "false", "OMP_DISPLAY_ENV": "verbose", "GOMP_AMP_TYPES": "1:0",
                "MORE": "1",
            },
        )  # fmt: skip

    def test_sensors_are_recorded(self) -> None:
        odroid(self.sysfs)
        done = run_suite(*self.options("slow"), "--reps", 2, "--configs", "static@sb static@bs",
                         "--interval", 0.05, notes=self.folder)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        for r in records(self.raw):
            self.assertEqual(list(r["joules"]), ["A15", "memory", "GPU", "A7"])
            # 4 W for as long as the program lasted, and a little before and after.
            self.assertGreater(r["energy"], 4 * 0.2)
            self.assertAlmostEqual(r["edp"] / (r["energy"] * r["seconds"]), 1, places=3)
            self.assertEqual((r["hottest"], r["governor"]), (61.0, "performance"))
        for words in ("energy: ina231", "highest 61 C", "energy-delay product", "too short"):
            self.assertIn(words, done.stdout)


class Interrupted(Case):
    CONFIGS = "static@sb static@bs aid_static"

    def start(self, count: int) -> subprocess.Popen[str]:
        """A session that has just written its COUNT-th run."""
        process = subprocess.Popen(
            [sys.executable, BENCH, "suites", *map(str, self.options("slow", "good")), "--reps", "2",
             "--configs", self.CONFIGS],
            env={**os.environ, "FAKE_NOTES": str(self.folder)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(lambda: [f.close() for f in (process.stdout, process.stderr) if f])
        while process.poll() is None:
            if self.raw.is_file() and self.raw.read_text().count('"type":"run"') >= count:
                break
            time.sleep(0.02)
        return process

    def check_whole(self) -> None:
        keys = Counter((r["program"], r["config"], r["round"]) for r in records(self.raw))
        self.assertEqual(len(keys), 2 * 3 * 3)
        self.assertEqual(set(keys.values()), {1})

    def test_resume_after_kill(self) -> None:
        process = self.start(4)
        process.kill()
        process.wait()
        # Nothing runs on behind its back.
        self.assertTrue(gone(int((self.folder / "slow").read_text())))
        # The line that was being written when it died.
        with self.raw.open("a") as out:
            out.write('{"type":"run","suite":"made","pro')
        before = self.raw.read_text().count('"type":"run","suite":"made","program"')
        self.assertLess(before, 10)
        done = run_suite("--resume", self.raw, "--quiet", notes=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.raw.read_text()
        self.raw.write_text(text.replace('{"type":"run","suite":"made","pro\n', ""))
        self.check_whole()
        self.assertEqual(len({r["seed"] for r in records(self.raw, "session")}), 1)
        self.assertIn("went on 1 times", done.stdout)
        # Nothing is left to do.
        size = len(records(self.raw))
        self.assertEqual(run_suite("--resume", self.raw, "--quiet").returncode, 0)
        self.assertEqual(len(records(self.raw)), size)

    def test_resume_after_signal(self) -> None:
        process = self.start(2)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, err)
        self.assertIn(f"--resume {self.raw}", err)
        done = run_suite("--resume", self.raw, "--quiet", notes=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check_whole()

    def test_more_rounds(self) -> None:
        options = self.options("good")
        run_suite(*options, "--reps", 1, "--configs", "static@sb")
        done = run_suite("--resume", self.raw, "--quiet", "--reps", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([r["round"] for r in records(self.raw)], [0, 1, 2, 3])
        self.assertNotEqual(run_suite("--resume", self.raw, "--configs", "static").returncode, 0)

    def test_changed_program(self) -> None:
        run_suite(*self.options("good"), "--reps", 1, "--configs", "static@sb")
        with (self.folder / "bin" / "good").open("a") as out:
            out.write("# changed\n")
        done = run_suite("--resume", self.raw, "--reps", 2, "--quiet")
        self.assertIn("has changed", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_progress(self) -> None:
        options = [o for o in self.options("good") if o != "--quiet"]
        script = ["script", "-qec", " ".join(map(str, [
            sys.executable, BENCH, "suites", *options, "--reps", 1, "--configs", "static@sb"])),
            "/dev/null"]  # fmt: skip
        try:
            done = subprocess.run(script, capture_output=True, text=True, timeout=60, check=False,
                                  stdin=subprocess.DEVNULL)  # fmt: skip
        except FileNotFoundError:
            self.skipTest("no script(1) to make a terminal")
        self.assertIn("2/2  about 0.0 min left  made/good static@sb", done.stdout)


class Real(Case):
    def build(self) -> Path:
        if not (STAGE / "bin" / "amp-gcc").exists():
            self.skipTest(f"no {STAGE}/bin/amp-gcc: run make first")
        folder = self.folder / "bin"
        folder.mkdir()
        (self.folder / "loop.c").write_text(LOOP)
        for compiler, name in ((STAGE / "bin" / "amp-gcc", "amp"), ("gcc", "stock")):
            subprocess.run([compiler, "-O1", "-fopenmp", self.folder / "loop.c", "-o",
                            folder / name], check=True)  # fmt: skip
        suite = self.folder / "real.toml"
        suite.write_text("".join(
            f"[[program]]\nname = '{n}'\ncommand = ['{{bin}}/{n}']\nexpect = 'OK 1'\n"
            for n in ("amp", "stock")
        ))  # fmt: skip
        return suite

    def test_our_library_serves(self) -> None:
        suite = self.build()
        done = run_suite(suite, "--bin", self.folder / "bin", "--lib", "none", "--reps", 1,
                         "--configs", "static@sb aid_static@bs", "--types", "0:1", "--out",
                         self.raw, "--quiet", "--sysfs", self.sysfs)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        statuses = {(r["program"], r["status"]) for r in records(self.raw)}
        self.assertEqual(statuses, {("amp", "ok"), ("stock", "wrong library")}, done.stdout)
        types = {r.get("types") for r in records(self.raw) if r["program"] == "amp"}
        self.assertEqual(types, {"0:1"})

    def test_library_refuses(self) -> None:
        done = run_suite(self.build(), "--bin", self.folder / "bin", "--lib", STAGE / "lib",
                         "--configs", "aid_hybrid,120@bs", "--out", self.raw)  # fmt: skip
        self.assertEqual(done.returncode, 1)
        self.assertIn("aid_hybrid's percent", done.stderr)

    def test_offline_factors(self) -> None:
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one CPU: no two types of cores")
        suite = self.build()
        first, second = sorted(os.sched_getaffinity(0))[:2]
        done = run_suite(suite, "--bin", self.folder / "bin", "--lib", STAGE / "lib", "--reps", 1,
                         "--configs", "static@sb aid_static+sf@bs", "--types",
                         f"{first}-{first}:{second}-{second}", "--programs", "amp", "--out",
                         self.raw, "--quiet", "--threads", 2, "--sysfs", self.sysfs)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({r["status"] for r in records(self.raw)}, {"ok"}, done.stdout)
        (sf,) = records(self.raw, "sf")
        (factors,) = sf["loops"].values()
        self.assertEqual(len(factors), 2)
        self.assertIn("# program:", Path(sf["file"]).read_text())

    def test_the_session_says_with_what(self) -> None:
        suite = self.build()
        run_suite(suite, "--bin", self.folder / "bin", "--lib", STAGE / "lib", "--reps", 1,
                  "--configs", "static@sb", "--programs", "amp", "--out", self.raw, "--quiet",
                  "--sysfs", self.sysfs)  # fmt: skip
        (session,) = records(self.raw, "session")
        self.assertEqual(len(session["library"]["sha256"]), 64)
        for key in ("machine", "seed", "threads", "configs", "governor", "energy"):
            self.assertIn(key, session)
        json.dumps(session)
