# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of benchmarks/mpi: how they are run over ranks, one a CPU, and what comes of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from . import machine
from .emulation import Emulation
from .kernels import TOP
from .launch import Launch, Usage, start
from .record import Record, Run, cpus_of, runs
from .stats import ideal_by_round
from .tables import Verdict, grid, noise, targets

FOLDER = TOP / "benchmarks" / "mpi"
PROGRAMS = ("ep", "mandelbrot", "lavamd", "kmeans")
SCHEDULES = ("static", "dynamic", "guided", "weighted", "hetprobe")
# How often a program runs its whole work in one process, and how many of these are for learning:
# weighted's blocks find their place in some five, hetprobe probes ten.
ROUNDS = {"weighted": (9, 6), "hetprobe": (14, 11)}
OTHER_ROUNDS = (5, 1)
ALONE = "alone:"
TARGET, STATIC_RANGE = 0.95, (0.45, 0.60)
JUDGED = ("ep", "mandelbrot")


@dataclass(frozen=True)
class Mpi:
    """An MPI: its compiler, its launcher, and the options that the latter needs."""

    compiler: str
    launcher: str
    options: tuple[str, ...]
    version: str

    def command(self, cpus: Sequence[int], program: Sequence[str]) -> list[str]:
        """One rank on each of CPUS."""
        out = [self.launcher, *self.options]
        for i, cpu in enumerate(cpus):
            out += [":"] * (i > 0) + ["-np", "1", "taskset", "-c", str(cpu), *program]
        return out


def find(compiler: str) -> Mpi | None:
    """The MPI that COMPILER, a name such as mpicc.mpich, belongs to."""
    launcher = compiler.replace("mpicc", "mpirun")
    if not shutil.which(compiler) or not shutil.which(launcher):
        return None
    said = machine.output(launcher, "--version") or ""
    version = " ".join(said.split()[:6])
    own = ("--allow-run-as-root", "--oversubscribe", "--bind-to", "none")
    return Mpi(compiler, launcher, own if "MPI) " in said or "Open" in said else (), version)


def make(mpi: Mpi, folder: Path) -> None:
    command = ["make", "-s", "-C", str(FOLDER), f"MPICC={mpi.compiler}", f"OUT={folder}"]
    if subprocess.run(command, check=False, stdout=sys.stderr.fileno()).returncode:
        sys.exit("bench: the programs over ranks do not build")


def settled(config: str, seconds: Sequence[float]) -> float:
    """The time of one run of the work when what can be learnt has been."""
    return median(seconds[ROUNDS.get(config, OTHER_ROUNDS)[1] :])


def execute(
    mpi: Mpi, program: Path, klass: str, config: str, cpus: Sequence[int], limit: float,
    emulation: Emulation,
) -> Run:  # fmt: skip
    """CONFIG: a schedule, on one rank a CPU, or alone:CPU."""
    rounds, _ = ROUNDS.get(config, OTHER_ROUNDS)
    argv = [str(program), klass, "--rounds", str(rounds)]
    places = cpus
    if config.startswith(ALONE):
        places = [int(config.removeprefix(ALONE))]
    else:
        argv += ["--schedule", config]
    env = machine.clean_environment() | {"OMP_NUM_THREADS": "1"}
    emulation.add_to(env)
    usage = Usage(cpus, emulation.pid)
    done = start(Launch(mpi.command(places, argv), env, limit))
    run = Run(config, kernel=program.name, klass=klass, wall=round(done.wall, 4),
              others=usage.others(done.wall), stderr=done.stderr.strip()[:500])  # fmt: skip
    try:
        run.report = json.loads(done.stdout.strip().splitlines()[-1])
        run.seconds = settled(config, run.report["rounds"])
    except (IndexError, ValueError, KeyError, TypeError):
        run.status = "timeout" if done.code is None else "crashed"
        return run
    if run.report.get("verified") is not True:
        run.status = "wrong result"
    elif run.report.get("ranks") != len(places):
        run.status = "wrong team"
    return run


class Shares:
    """Of one program: what share of the ideal, all CPUs busy to the end, each schedule reaches."""

    def __init__(self, program: str, some: Sequence[Run], cpus: Sequence[int]) -> None:
        self.program = program
        good = [r for r in some if r.ok and r.seconds]
        self.seconds: dict[str, dict[int, float]] = {}
        self.first: dict[int, float] = {}
        for r in good:
            self.seconds.setdefault(r.config, {})[r.round] = r.seconds or 0.0
            if r.config == "weighted":
                self.first[r.round] = r.report["rounds"][0]
        alone = {c: self.seconds.get(f"{ALONE}{c}", {}) for c in cpus}
        self.ideal = ideal_by_round(alone, cpus)
        self.alone = [median(alone[c].values()) for c in cpus if alone[c]]

    @property
    def ratio(self) -> float | None:
        return max(self.alone) / min(self.alone) if len(self.alone) > 1 else None

    def share(self, config: str, of: dict[int, float] | None = None) -> list[float]:
        found = self.seconds.get(config, {}) if of is None else of
        return [self.ideal[r] / s for r, s in found.items() if r in self.ideal]


def text(values: Sequence[float]) -> str:
    if not values:
        return "-"
    return f"{median(values):.3f} [{min(values):.3f} {max(values):.3f}]"


def shares(records: Sequence[Record]) -> list[Shares]:
    found = list(runs(records))
    programs = dict.fromkeys(r.kernel for r in found)
    return [Shares(p, [r for r in found if r.kernel == p], cpus_of(records)) for p in programs]


def judge(found: Sequence[Shares]) -> list[Verdict]:
    out = []
    for s in found:
        if s.program not in JUDGED:
            continue
        for config in ("dynamic", "weighted"):
            values = s.share(config)
            met = median(values) >= TARGET if values else None
            out.append(Verdict(f"{s.program}, {config}: at least {TARGET} of the ideal",
                               text(values), met))  # fmt: skip
        values = s.share("static")
        low, high = STATIC_RANGE
        met = low <= median(values) <= high if values else None
        out.append(Verdict(f"{s.program}, static: about half", text(values), met))
    return out


def full_report(records: Sequence[Record]) -> str:
    found = shares(records)
    rows = [["program", "ratio", "static", "dynamic", "guided", "weighted, first", "weighted",
             "hetprobe"]]  # fmt: skip
    for s in found:
        rows.append([s.program, f"{s.ratio:.2f}" if s.ratio else "-", text(s.share("static")),
                     text(s.share("dynamic")), text(s.share("guided")),
                     text(s.share("weighted", s.first)), text(s.share("weighted")),
                     text(s.share("hetprobe"))])  # fmt: skip
    out = ["share of the ideal, which is what each CPU does alone, added up; medians [least, most]",
           "ratio: how many times slower the slow CPU is alone", "", grid(rows)]  # fmt: skip
    all_runs = list(runs(records))
    bad = [f"{r.kernel} {r.config}: {r.status}" for r in all_runs if r.bad]
    if bad:
        out += ["", "failed: " + ", ".join(bad)]
    busy = [r.others for r in all_runs if r.others is not None]
    loud = noise(median(busy)) if busy else None
    return "\n".join([*out, *([loud] if loud else []), "", *targets(judge(found))])
