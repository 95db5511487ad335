# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of benchmarks/kernels: built, started, and held to what they must say."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ampbench import programs as known
from made import STAGE

BENCH = STAGE.parent / "bench"
LIBRARY = STAGE / "lib" / "libgomp.so.1"


def kernels(inputs: str = "own", *groups: str) -> dict[str, known.Program]:
    """Of GROUPS, all but those that are run by hand without."""
    found = known.kernels(inputs, groups) if groups else known.kernels(inputs)
    return {p.name: p for p in found.programs}


def source(program: known.Program) -> Path:
    return known.KERNELS / str(program.row["source"])


def arguments(program: known.Program) -> tuple[str, ...]:
    """Those of its input."""
    return program.command[2:]


def build(*targets: object) -> None:
    """Skips the test where nothing can be built."""
    for program in ("make", "gcc", "g++", "gfortran"):
        if not shutil.which(program):
            pytest.skip(f"no {program}")
    if not LIBRARY.is_file():
        pytest.skip(f"no {LIBRARY}: run make first")
    done = subprocess.run(
        ["make", "-s", "-j2", "-C", str(known.KERNELS), f"BUILD={STAGE.parent}",
         *map(str, targets)],
        capture_output=True, text=True, timeout=2800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr or done.stdout


def start(folder: str, program: str, *arguments: object, threads: int = 2,
          **env: str) -> subprocess.CompletedProcess[str]:  # fmt: skip
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    # Threads that spin would wait for each other where there are fewer CPUs.
    fixed = {"OMP_DYNAMIC": "false", "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads)}
    return subprocess.run(
        [str(BENCH / folder / program), *map(str, arguments)], env=kept | fixed | env,
        capture_output=True, text=True, timeout=1000, check=False,
    )  # fmt: skip


def good(folder: str, program: str, klass: str, *arguments: object, threads: int = 2,
         **env: str) -> dict[str, Any]:  # fmt: skip
    """The report of a run that must be right, and served by our library in folder amp."""
    done = start(folder, program, klass, *arguments, threads=threads, **env)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["verified"] is True
    assert (report["kernel"], report["class"], report["threads"]) == (program, klass, threads)
    assert report["loops"] > 0
    if folder == "amp":
        assert Path(report["runtime"]).resolve() == LIBRARY.resolve()
    return report


def damaged(folder: str, program: str, *arguments: object) -> None:
    """One wrong bit is seen."""
    done = start(folder, program, *arguments, "--damage")
    assert done.returncode == 1
    assert json.loads(done.stdout)["verified"] is False


def refused(folder: str, program: str, *arguments: object) -> str:
    """What PROGRAM says against wrong ARGUMENTS."""
    done = start(folder, program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert program + ": " in done.stderr
    return done.stderr
