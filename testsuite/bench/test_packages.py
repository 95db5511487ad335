# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs from packages: held to what stock finds with as many threads, and taught."""

from pathlib import Path
from typing import Any

import pytest
from ampbench import config, packages
from ampbench.emulation import Slowing
from ampbench.job import LESSONS, Job
from ampbench.launch import Launcher
from ampbench.programs import Program
from ampbench.runtimes import Runtime
from made import cases, executable

PROGRAM = """#!/bin/sh
here=${0%/*}
echo "$OMP_NUM_THREADS" >>"$here/ran"
echo "seconds: 0.25"
echo "result: $(cat "$here/result-$OMP_NUM_THREADS")"
"""
# Plays amp-run: with --weighted three threads, with --auto it learns for TRIES runs.
AMP_RUN = """#!/bin/sh
here=${0%/*}
threads=$OMP_NUM_THREADS
for word do
  case $word in
    --weighted) threads=3 ;;
    --auto)
      echo x >>"$here/tries"
      [ "$(wc -l <"$here/tries")" -gt "$(cat "$here/lessons")" ] || echo "amp-run: --auto: a first run" >&2 ;;
  esac
done
until [ "$1" = -- ]; do shift; done
shift
cat >&2 <<END
OPENMP DISPLAY ENVIRONMENT BEGIN
  [host] threads of a team = '$threads'
  GOMP_AMP_AFFINITY = 'x'
OPENMP DISPLAY ENVIRONMENT END
END
OMP_NUM_THREADS=$threads exec "$@"
"""


class TestJob:
    @pytest.fixture(autouse=True)
    def make(self, tmp_path: Path) -> None:
        self.folder, self.out = tmp_path, list[dict[str, Any]]()
        self.tools = tmp_path / "stage" / "bin"
        executable(self.tools / "amp-run", AMP_RUN)
        (self.tools / "lessons").write_text("0\n")
        executable(tmp_path / "p", PROGRAM)
        for threads, result in ((2, "1.0 2.0"), (3, "1.0 2.1")):
            self.say(threads, result)
        program = Program("p", (str(tmp_path / "p"),), apt=("x",), numbers="^result: (.*)$", own=True,
                          tolerance=1e-6, time=r"seconds: (\S+)")  # fmt: skip
        ours = {"amp": Runtime("amp", None, None)}
        launcher = Launcher(tmp_path, ours, [0], [0], Slowing("1ms"), files=tmp_path / "files")
        self.job = Job(launcher, program, (), "equal cores", 1.0, write=self.out.append)

    def say(self, threads: int, result: str) -> None:
        (self.folder / f"result-{threads}").write_text(f"{result}\n")

    def ran(self) -> list[str]:
        return (self.folder / "ran").read_text().split()

    def run(self, name: str) -> Any:
        return self.job.run(config.parse(name), 1, None)

    def test_each_number_of_threads_has_a_reference(self) -> None:
        for name, threads in (("stock:static", 2), ("run:unset", 2), ("run:weighted", 3)):
            run = self.run(name)
            assert (run.status, run.seconds, run.report["threads"]) == ("ok", 0.25, threads), run
        # Stock for two and for three threads was run once each.
        assert self.ran() == ["2", "2", "2", "3", "3"]
        assert [(r["threads"], r["numbers"]) for r in self.out] == [(2, [1.0, 2.0]), (3, [1.0, 2.1])]
        again = Job(self.job.launcher, self.job.program, (), "equal cores", 1.0)
        again.remember(self.out)
        assert again.run(config.parse("run:weighted"), 1, None).ok and len(self.ran()) == 6

    @cases("result, status, why", [
        ("1.0 2.0000001", "ok", ""), ("1.0 2.001", "wrong result", "2.001 instead of 2"),
        ("1.0", "wrong result", "1 numbers instead of 2"), ("x", "no output", "nothing matches"),
    ])  # fmt: skip
    def test_wrong_results_are_seen(self, result: str, status: str, why: str) -> None:
        self.run("stock:static")
        self.say(2, result)
        run = self.run("run:unset")
        assert run.status == status and why in run.why

    @cases("lessons", [0, 2, 100])
    def test_auto_is_timed_when_it_has_learnt(self, lessons: int) -> None:
        (self.tools / "lessons").write_text(f"{lessons}\n")
        self.run("stock:static")
        assert self.run("run:auto").ok
        told = [r for r in self.out if r["type"] == "lesson"]
        assert len(told) == min(lessons, LESSONS)
        # It is taught once.
        before = len(self.ran())
        self.run("run:auto")
        assert len(self.ran()) == before + 1

    def test_what_the_linker_says(self) -> None:
        run = self.job.run(config.parse("run:unset"), 0, None)
        assert run.status == "wrong library"
        (self.folder / "bindings.1").write_bytes(
            b" 7: binding file /a/app [0] to /nowhere/libgomp.so.1 [0]: normal symbol `GOMP_parallel' [V]\n"
        )
        assert packages.bindings(self.folder) == {"/nowhere/libgomp.so.1"}
