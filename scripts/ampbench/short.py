# SPDX-License-Identifier: GPL-3.0-or-later
"""The loops of 1 us to 1 ms of the kernel `short', each kind and length a program of its own."""

from __future__ import annotations

import fnmatch
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from .experiment import Part
from .programs import Program
from .record import Record, sessions

# A run lasts about so long where every CPU is fast.
SECONDS = 0.08
TRIP = 200


def work_of(program: Path, kind: str, us: int) -> int:
    """The length of the inner loop with which as many threads as CPUs take US."""
    cpus = sorted(os.sched_getaffinity(0))
    argv = [str(program), "--kind", kind, "--trip", str(TRIP),
            "--calibrate", str(1000 * us * len(cpus))]  # fmt: skip
    ran = subprocess.run(["taskset", "-c", str(cpus[0]), *argv], env={"OMP_NUM_THREADS": "1"},
                         capture_output=True, check=True)  # fmt: skip
    return int(json.loads(ran.stdout)["work"])


def programs_of(
    build: Path, base: Program, part: Part, before: Sequence[Record],
    wanted: Sequence[str] | None,
) -> list[Program]:  # fmt: skip
    """WANTED: shell patterns of names.  Calibrated once, so that all configurations, and later
    sessions, do the same work."""
    earlier = {k: w for s in sessions(before) for k, w in s.get("work", {}).items()}
    out = []
    for kind in part.kinds:
        for us in part.lengths:
            name = f"{kind}-{us}us"
            if wanted and not any(fnmatch.fnmatchcase(name, w) for w in wanted):
                continue
            work = earlier.get(name) or str(work_of(build / "bench/stock/short", kind, us))
            loops = max(10, round(SECONDS * 1e6 / us / (3 if kind == "chain" else 1)))
            arguments = ("--kind", kind, "--trip", str(TRIP), "--work", "{length}",
                         "--loops", str(loops), "--calls", str(int(part.calls)))  # fmt: skip
            out.append(replace(base, name=name, command=(*base.command, *arguments),
                               values={"length": str(work)}))  # fmt: skip
    return out
