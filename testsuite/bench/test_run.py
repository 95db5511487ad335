# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments on made-up programs: bad ones, interruption, sensors; and a real one."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from made import (
    BENCH,
    PROGRAMS,
    STAGE,
    cases,
    description,
    executable,
    gone,
    odroid,
    programs,
    records,
    run_suite,
)
from pytest import approx

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
HERE = sorted(os.sched_getaffinity(0))


class Case:
    """A session: its folder, its raw file, a machine without sensors whatever the real one has."""

    @pytest.fixture(autouse=True)
    def make(self, tmp_path: Path) -> None:
        self.folder, self.raw, self.sysfs = tmp_path, tmp_path / "raw.jsonl", tmp_path / "sys"
        self.sysfs.mkdir()
        self.common = ("--sysfs", self.sysfs, "--out", self.raw, "--quiet")

    def options(self, *names: str, **more: float) -> list[object]:
        return [description(self.folder, *names, **more), "--bin", programs(self.folder, *names),
                "--lib", "none", *self.common]  # fmt: skip

    def good(self, *arguments: object, **env: str) -> str:
        """What a session says that ends well."""
        done = run_suite(*arguments, notes=self.folder, **env)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def resume(self, *more: object) -> str:
        return self.good("--resume", self.raw, "--quiet", *more)


class TestBad(Case):
    def test_each_kind_is_recorded_and_not_averaged(self) -> None:
        expected = {
            "good": "ok", "crash": "crashed", "signal": "crashed", "hang": "timeout",
            "nothing": "no output", "wrong": "wrong result", "untimed": "no output",
            "fileless": "no output", "other": "wrong library", "refused": "refused",
            "errs": "wrong result",
        }  # fmt: skip
        assert set(PROGRAMS) - set(expected) == {"fickle", "slow"}
        working = self.folder / "tmp"
        working.mkdir()
        said = self.good(*self.options(*expected, limit=10), "--reps", 2, "--configs", "static@sb",
                         TMPDIR=str(working))  # fmt: skip
        table = said.partition(": performance")[2].partition("\nbad runs")[0]
        for name, status in expected.items():
            mine = [r for r in records(self.raw) if r["program"] == name]
            assert [r["round"] for r in mine] == [0, 1, 2]
            # After two failures no time is wasted.
            wanted = [status] * 3 if status == "ok" else [status, status, "skipped"]
            assert [r["status"] for r in mine] == wanted, (name, mine)
            assert all("why" in r for r in mine) == (status != "ok"), name
            assert (f"\n  {name} " in table) == (name == "good")
            assert (f"\n  {name}, " in said.partition("\nbad runs")[2]) == (name != "good")
        assert [r["own"] for r in records(self.raw) if r["program"] == "good"] == [2.5] * 3
        assert all(r["seconds"] == approx(r["wall"], abs=1e-3) for r in records(self.raw)
                   if r["status"] == "ok")  # fmt: skip
        assert "killed by SIGSEGV" in said
        # What the hanging one had started is gone too.
        assert gone(int((self.folder / "hung").read_text()))
        assert list(working.iterdir()) == []

    def test_results_that_differ(self) -> None:
        self.good(*self.options("fickle"), "--reps", 2, "--configs",
                  "static@sb static@bs aid_static", "--seed", 1)  # fmt: skip
        statuses: dict[str, set[str]] = {}
        for r in records(self.raw):
            statuses.setdefault(r["config"].partition("@")[0], set()).add(r["status"])
        # Whichever came first is the reference: one of the two schedules is found wrong.
        assert sorted(map(sorted, statuses.values())) == [["ok"], ["skipped", "wrong result"]]

    def test_missing_programs_are_left_out(self) -> None:
        options = self.options("good", "crash")
        (self.folder / "bin" / "crash").unlink()
        assert "not there" in self.good(*options, "--list")
        self.good(*options, "--reps", 1, "--configs", "static@sb")
        assert {r["program"] for r in records(self.raw)} == {"good"}
        missing = {r["program"]: r["missing"] for r in records(self.raw, "program")}
        assert missing["good"] is None
        assert "not there" in missing["crash"]

    @cases("option, value, says", [
        ("--configs", "static@big", "binding"), ("--programs", "ep", "no program ep"),
        ("--reps", "0", "at least 1"), ("--slow", "x", "list of CPUs"), ("--slow", "9999", "usable"), ("--energy", "rapl", "rapl"),
        ("--lib", "/nowhere", "not there"), ("--set", "n", "NAME=VALUE"),
    ])  # fmt: skip
    def test_wrong_options(self, option: str, value: str, says: str) -> None:
        done = run_suite(*self.options("good"), option, value)
        assert done.returncode != 0
        assert says in done.stderr
        assert "Traceback" not in done.stderr
        assert not self.raw.exists()

    def test_a_raw_file_that_is_there(self) -> None:
        self.raw.write_text("{}\n")
        assert "already" in run_suite(*self.options("good")).stderr


class TestEnvironment(Case):
    def test_schedule_and_binding(self) -> None:
        """What the programs see; OpenMP variables of whoever calls are gone."""
        program = executable(
            self.folder / "bin" / "env",
            "#!/bin/sh\necho GOMP_AMP_AFFINITY >&2\nenv >$FAKE_NOTES/env-$MARK\n"
            'echo "$@"; cat input; pwd\n',
        )  # fmt: skip
        (self.folder / "data").mkdir()
        (self.folder / "data" / "file").write_text("from a file\n")
        suite = self.folder / "x.toml"
        suite.write_text(
            'suite = "x"\n[[program]]\nname = "env"\n'
            'command = ["{bin}/env", "{threads}", "{n}"]\nneeds = ["{data}/file"]\n'
            'links = { "in/input" = "{data}/file" }\nfolder = "in"\n'
            "values = { n = 5 }\nexpect = '. 5\\nfrom a file\\n.*/in\\n'\n"
            'environment = { MARK = "{n}" }\n'
        )
        said = self.good(suite, "--bin", program.parent, "--data", self.folder / "data", "--lib",
                         "none", *self.common, "--threads", len(HERE), "--reps", 1, "--types", "1:0",
                         "--configs", "aid_hybrid,80@sb", "--env", "MORE=1", OMP_PLACES="cores",
                         GOMP_AMP_SF="3,1")  # fmt: skip
        assert [r["status"] for r in records(self.raw)] == ["ok", "ok"], said
        lines = (self.folder / "env-5").read_text().splitlines()
        seen = dict(x.split("=", 1) for x in lines if x.startswith(("OMP_", "GOMP_", "MORE")))
        assert seen == {
            "OMP_SCHEDULE": "aid_hybrid,80", "GOMP_AMP_AFFINITY": "sb", "OMP_NUM_THREADS": str(len(HERE)),
            "OMP_DYNAMIC": "false", "OMP_DISPLAY_ENV": "verbose", "GOMP_AMP_TYPES": "1:0",
            "MORE": "1",
        }  # fmt: skip

    def test_sensors_are_recorded(self) -> None:
        odroid(self.sysfs)
        said = self.good(*self.options("slow"), "--reps", 2, "--configs", "static@sb static@bs",
                         "--interval", 0.05)  # fmt: skip
        for r in records(self.raw):
            assert list(r["joules"]) == ["A15", "memory", "GPU", "A7"]
            # 4 W for as long as the program lasted, and a little before and after.
            assert r["energy"] > 4 * 0.2
            assert r["edp"] / (r["energy"] * r["seconds"]) == approx(1, abs=1e-3)
            assert (r["hottest"], r["governor"]) == (61.0, "performance")
        for words in ("the sum of ina231 A15", "highest 61 C", "energy times delay", "too short"):
            assert words in said


class TestInterrupted(Case):
    @contextmanager
    def started(self, count: int) -> Iterator[subprocess.Popen[str]]:
        """A session that has just written its COUNT-th run."""
        with subprocess.Popen(
            [sys.executable, BENCH, "run", *map(str, self.options("slow", "good")),
             "--reps", "2", "--configs", "static@sb static@bs aid_static"],
            env={**os.environ, "FAKE_NOTES": str(self.folder)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            while process.poll() is None:
                if self.raw.is_file() and self.raw.read_text().count('"type":"run"') >= count:
                    break
                time.sleep(0.02)
            try:
                yield process
            finally:
                process.kill()

    def whole(self) -> bool:
        """Whether each run is there once."""
        keys = Counter((r["program"], r["config"], r["round"]) for r in records(self.raw))
        return len(keys) == 2 * 3 * 3 and set(keys.values()) == {1}

    def test_resume_after_kill(self) -> None:
        with self.started(4) as process:
            process.kill()
            process.wait()
        # Nothing runs on behind its back.
        assert gone(int((self.folder / "slow").read_text()))
        # The line that was being written when it died.
        torn = '{"type":"run","config":"amp'
        with self.raw.open("a") as out:
            out.write(torn)
        said = self.resume()
        self.raw.write_text(self.raw.read_text().replace(torn + "\n", ""))
        assert self.whole()
        assert len({r["seed"] for r in records(self.raw, "session")}) == 1
        assert "went on 1 times" in said
        # Nothing is left to do.
        size = len(records(self.raw))
        self.resume()
        assert len(records(self.raw)) == size

    def test_resume_after_signal(self) -> None:
        with self.started(2) as process:
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=300)
        assert process.returncode == 130, err
        assert f"--resume {self.raw}" in err
        self.resume()
        assert self.whole()

    def test_more_rounds(self) -> None:
        self.good(*self.options("good"), "--reps", 1, "--configs", "static@sb")
        self.resume("--reps", 3)
        assert [r["round"] for r in records(self.raw)] == [0, 1, 2, 3]
        assert run_suite("--resume", self.raw, "--configs", "static").returncode != 0

    def test_changed_program(self) -> None:
        self.good(*self.options("good"), "--reps", 1, "--configs", "static@sb")
        with (self.folder / "bin" / "good").open("a") as out:
            out.write("# changed\n")
        done = run_suite("--resume", self.raw, "--reps", 2, "--quiet")
        assert "has changed" in done.stderr
        assert done.returncode == 1

    def test_progress(self) -> None:
        options = [str(o) for o in self.options("good") if o != "--quiet"]
        command = [sys.executable, str(BENCH), "run", *options, "--reps 1 --configs static@sb"]
        try:
            for fd in os.openpty():
                os.close(fd)
            done = subprocess.run(["script", "-qec", " ".join(command), "/dev/null"], text=True,
                                  capture_output=True, timeout=600, check=False,
                                  stdin=subprocess.DEVNULL)  # fmt: skip
        except OSError:
            pytest.skip("no terminal, or no script(1) to make one")
        assert re.search(r"2/2  about \S+ min left  good equal cores amp:static@sb", done.stdout)


class TestReal(Case):
    @pytest.fixture(autouse=True)
    def build(self, make: None) -> None:
        if not (STAGE / "bin" / "amp-gcc").exists():
            pytest.skip(f"no {STAGE}/bin/amp-gcc: run make first")
        folder = self.folder / "bin"
        folder.mkdir()
        (self.folder / "loop.c").write_text(LOOP)
        suite = self.folder / "real.toml"
        text = ""
        for compiler, name in ((STAGE / "bin" / "amp-gcc", "amp"), ("gcc", "stock")):
            subprocess.run([compiler, "-O1", "-fopenmp", self.folder / "loop.c", "-o",
                            folder / name], check=True)  # fmt: skip
            text += f"[[program]]\nname = '{name}'\ncommand = ['{{bin}}/{name}']\nexpect = 'OK 1'\n"
        suite.write_text(text)
        self.command = (suite, "--bin", folder, *self.common)

    def test_our_library_serves(self) -> None:
        self.good(*self.command, "--lib", "none", "--reps", 1, "--configs",
                  "static@sb aid_static@bs", "--types", "0:1")  # fmt: skip
        found = records(self.raw)
        statuses = {(r["program"], r["status"]) for r in found}
        assert statuses == {("amp", "ok"), ("stock", "wrong library")}

    def test_library_refuses(self) -> None:
        done = run_suite(*self.command, "--lib", STAGE / "lib", "--configs", "aid_hybrid,120@bs")
        assert done.returncode == 1
        assert "aid_hybrid's percent" in done.stderr

    def test_offline_factors(self) -> None:
        if len(HERE) < 2:
            pytest.skip("one CPU: no two types of cores")
        self.good(*self.command, "--lib", STAGE / "lib", "--reps", 1, "--configs",
                  "static@sb aid_static+sf@bs", "--types",
                  f"{HERE[0]}-{HERE[0]}:{HERE[1]}-{HERE[1]}", "--programs", "amp", "--threads",
                  2)  # fmt: skip
        assert {r["status"] for r in records(self.raw)} == {"ok"}
        (sf,) = records(self.raw, "sf")
        (factors,) = sf["loops"].values()
        assert factors.count(",") == 1
        assert "# program:" in Path(sf["file"]).read_text()

    def test_the_session_says_with_what(self) -> None:
        self.good(*self.command, "--lib", STAGE / "lib", "--reps", 1, "--configs", "static@sb",
                  "--programs", "amp")  # fmt: skip
        (session,) = records(self.raw, "session")
        assert len(session["libraries"]["amp"]["sha256"]) == 64
        assert {"machine", "seed", "pinning", "order", "arguments", "tables"} <= set(session)
