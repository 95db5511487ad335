# SPDX-License-Identifier: GPL-3.0-or-later
"""The command maturity: program, kernel, loops or tasks; speed, power and energy."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from .. import kernels, maturity, maturitypage, replay, session
from ..config import parse
from ..emulation import PERIOD, NotPossible
from ..kernels import Kernel
from ..maturity import (
    CONFIGURATIONS,
    LINES,
    MEAN_RATIO,
    ONE,
    RATIOS,
    THREADING,
    UNSET,
    Cores,
    Line,
)
from ..plan import REAL, Plan, Series
from ..record import RawFile, Record, Run
from ..session import Cpus, Parser, Session

PARTS = ("sim", "goal", "real")
# The big cores alone, and all.
ENDS: tuple[Cores, ...] = ((4, 0), (4, 4))
GTS_LINE = next(x for x in LINES if x.name == maturity.GTS)
QUICK = ("blackscholes", "pipeline", "stencil")
# Of runs on this machine.  `free': the kernel places the stock program's threads.
RUNS = {
    "stock:static": THREADING, "free:static": maturity.GTS, "gomp:static": maturity.LOOP_STATIC,
    "gomp:dynamic,1": maturity.LOOP_DYNAMIC, "team:weighted": maturity.WEIGHTED, "amp:unset": UNSET,
    "amp:aid_static": maturity.STATIC, "amp:aid_hybrid": maturity.HYBRID,
    "amp:aid_dynamic": maturity.DYNAMIC, "task:threads": maturity.TASKLOOP,
    "task:threads,8": maturity.MORE_TASKS, "tasks:threads": maturity.TASKS,
}  # fmt: skip


class Maturity:
    """Static threading, the kernel, loops, tasks and ours, by speed, power and energy.

    The comparison of Chronaki and others, "On the Maturity of Parallel Applications for
    Asymmetric Multi-Core Processors". In amp-sim, on recordings, from four little cores over
    2+2 to 4+4; on this machine with the last CPU slowed. A folder gets raw data, tables and a
    page, index.html, with figures 2 to 8 beside the paper's numbers.
    docs/measure/papers.md says what differs."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--quick", action="store_true", help=f"{', '.join(QUICK)}, class S, once")
        p.add_argument("--kernels", help="comma-separated (all; the figures have seven)")
        p.add_argument("--class", dest="klass", help="problem class for every kernel (W)")
        p.add_argument("--only", dest="parts", type=session.words, default=PARTS,
                       help="sim: amp-sim; goal: GOMP_AMP_ENERGY there; real: runs here (all)")
        p.add_argument("--costs", type=Path, metavar="FOLDER",
                       help="recordings, KERNEL.costs: made if missing")
        p.add_argument("--slower", type=float, default=maturity.SLOWER, metavar="X",
                       help="the simulated big core is X times slower than ours (%(default)g)")
        p.add_argument("--ratio", type=session.slower, default=3.0,
                       help="of the emulated slow CPU (3)")
        session.add_emulation(p, PERIOD)
        session.add_rounds(p, "real runs, after one that does not; 3; quick 1")
        p.add_argument("--out", type=Path, help="folder (build/bench/maturity-TIME)")
        p.add_argument("--table-from", "--tables-from", dest="table_from", type=session.existing,
                       metavar="FOLDER", help="print it again, and make its page")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        session.settle_evaluation(args, PARTS, 3)

    def run(self) -> int:
        args = self.args
        if args.table_from:
            self.show(args.table_from)
            return 0
        have, _ = session.libraries("amp")
        wanted = args.kernels or (QUICK if args.quick else None)
        self.chosen: list[Kernel] = session.chosen(wanted, kernels.load("first"), "kernel")
        for kernel in self.chosen:
            session.class_of(kernel, args.klass)
        kernels.make(session.build_folder(), tasks=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.folder: Path = args.out or session.build_folder() / "bench" / f"maturity-{stamp}"
        self.costs: Path = args.costs or self.folder
        for folder in (self.folder, self.costs):
            folder.mkdir(parents=True, exist_ok=True)
        self.cpus = Cpus(args)
        if not self.cpus.fast:
            self.cpus.fast, self.cpus.slow = self.cpus.slow, []
        self.launcher = self.cpus.launcher(args, have, PERIOD)
        args.resume, args.out = None, self.folder / "raw.jsonl"
        raw = Session(args, "maturity", "")

        def work(out: RawFile) -> None:
            self.write = out.write
            if "sim" in args.parts:
                self.simulated()
            if "goal" in args.parts:
                self.goals()
            if "real" in args.parts:
                try:
                    self.real()
                except NotPossible as why:
                    print(f"bench: real left out: no emulated slow CPU here: {why}")

        kept = {n: getattr(args, n) for n in ("klass", "ratio", "reps", "slower", "seed")}
        status = raw.measure(raw.head(self.launcher, arguments=kept), work)
        if status is None:
            self.show(self.folder)
            print(f"in {os.path.relpath(self.folder)}: index.html, tables.txt, raw.jsonl")
        return status or 0

    def recorded(self, kernel: Kernel) -> Path | None:
        """The kernel's timed part, as the paper's figures have it."""
        costs = self.costs / f"{kernel.name}.costs"
        if not costs.is_file():
            cpu, times = self.launcher.cpus[0], 1 if self.args.quick else 3
            run = replay.record(self.launcher, kernel, self.args.klass, cpu, costs, times)
            if not run.ok:
                self.write({"type": "failed", "kernel": kernel.name, "why": run.status})
                return None
        alone = self.folder / f"{kernel.name}.loops"
        replay.loops_alone(costs, alone)
        return alone

    def simulated(self) -> None:
        for kernel in self.chosen:
            costs = self.recorded(kernel)
            if costs is None:
                continue
            # Of kernels beyond the figures only what nothing set loses is asked.
            compared = kernel.name in RATIOS
            ratio = RATIOS.get(kernel.name, MEAN_RATIO)
            lines = LINES if compared else [x for x in LINES if x.name == UNSET]
            for cores in (ONE, *CONFIGURATIONS) if compared else ENDS:
                self.points(kernel, costs, cores, ratio, lines if cores != ONE else lines[:1])
            for period in maturity.PERIODS if compared else ():
                gts = replace(GTS_LINE, name=f"GTS, {period / 1e6:g} ms",
                              options=(f"--placement-ns={period:g}", *GTS_LINE.options[1:]))  # fmt: skip
                for cores in ENDS:
                    self.points(kernel, costs, cores, ratio, [gts])
            costs.unlink()
            session.say(f"{kernel.name}: simulated")

    def points(self, kernel: Kernel, costs: Path, cores: Cores, ratio: float,
               lines: Sequence[Line]) -> None:  # fmt: skip
        """LINES on CORES: those that differ in their schedule only in one simulation."""
        depend = maturity.DEPEND.get(kernel.name, "all")
        common = [
            *(f"--{name}-ns={ns:g}" for name, ns in maturity.PAID.items()),
            f"--unit={self.args.slower:.6g}", f"--watts={maturity.watts(cores)}",
            f"--depend={depend}",
        ]  # fmt: skip
        machine = maturity.machine(cores, ratio)
        where = {"kernel": kernel.name, "big": cores[0], "little": cores[1]}
        for options in dict.fromkeys(x.options for x in lines):
            wanted = {x.name: maturity.schedule_of(x, kernel.name)
                      for x in lines if x.options == options}  # fmt: skip
            try:
                said = replay.simulate(self.launcher.tools / "amp-sim", costs, machine,
                                       dict.fromkeys(wanted.values()), [*common, *options])  # fmt: skip
            except RuntimeError as why:
                self.write({"type": "failed", **where, "why": str(why)})
                continue
            for line, schedule in wanted.items():
                found = said[schedule]
                kept = {k: found[k] for k in ("seconds", "grants", "efficiency")}
                joules = found["joules"] + maturity.unused_watts(cores) * found["seconds"]
                self.write(
                    {
                        "type": "point", "source": "simulation", **where, "line": line,
                        "schedule": schedule, "class": self.args.klass, "ratio": ratio, "joules": joules, **kept,
                    }
                )  # fmt: skip
                if line == THREADING and kernel.name in RATIOS:
                    self.ideal(where, cores, ratio, found)

    def goals(self) -> None:
        """GOMP_AMP_ENERGY against every choice of cores and schedule."""
        for kernel in (k for k in self.chosen if k.name in RATIOS):
            costs = self.recorded(kernel)
            if costs is None:
                continue
            for idle in maturity.IDLE:
                self.goal(kernel.name, costs, idle)
            costs.unlink()
            session.say(f"{kernel.name}: all choices simulated")

    def goal(self, kernel: str, costs: Path, idle: str) -> None:
        sim, draws = self.launcher.tools / "amp-sim", maturity.IDLE[idle]
        with costs.open(encoding="utf-8") as lines:
            loops = sum(line.startswith("# loop") for line in lines)
        executions = ceil(maturity.LEAST_LOOPS / loops)
        common = [
            *(f"--{name}-ns={ns:g}" for name, ns in maturity.PAID.items() if name != "task"),
            f"--unit={self.args.slower:.6g}", f"--executions={executions}",
            f"--spin-ns={maturity.SPIN:g}",
        ]  # fmt: skip

        def simulate(cores: Cores, schedules: Sequence[str], *more: str) -> list[Record]:
            said = replay.simulate(sim, costs, maturity.machine(cores, RATIOS[kernel]), schedules,
                                   [*common, f"--watts={maturity.watts(cores, draws)}", *more])  # fmt: skip
            unused = (4 - cores[0]) * draws[0][2] + (4 - cores[1]) * draws[1][2]
            out = []
            for schedule, r in said.items():
                joules = r["joules"] + unused * r["seconds"]
                out.append({"cores": maturity.named(cores), "schedule": schedule, "energy": joules,
                            "edp": joules * r["seconds"]})  # fmt: skip
            return out

        choices = [r for c in maturity.SUBSETS for r in simulate(c, maturity.SCHEDULES)]
        unset = simulate((4, 4), ["auto"])[0]
        for goal in maturity.GOALS:
            best = maturity.best_choice(choices, goal)
            ours, told = (
                simulate((4, 4), ["auto"], f"--goal={goal}", *more)[0]
                for more in ([], [f"--known-sf={RATIOS[kernel]:g}"])
            )
            self.write(
                {
                    "type": "goal", "kernel": kernel, "goal": goal, "idle": idle,
                    "best": best[goal], "cores": best["cores"], "schedule": best["schedule"],
                    "ours": ours[goal], "told": told[goal], "unset": unset[goal],
                }
            )  # fmt: skip

    def ideal(self, where: Record, cores: Cores, ratio: float, found: Record) -> None:
        """Figure 2 by amp-sim: all loops on one little core, over an ideal division of them.

        Equation 4 has no serial parts, so they are left out.
        """
        slowest = 1.0 if cores[0] else ratio
        parallel = found["ideal_ns"] - found["serial_ns"] * slowest
        if cores == ONE:
            self.alone = parallel
        else:
            self.write({"type": "ideal", **where, "value": self.alone / parallel})

    def real(self) -> None:
        if not (self.cpus.real or self.cpus.emulate):
            print("bench: real left out: no slow CPU")
            return
        args, of = self.args, self.launcher
        some = [k for k in self.chosen if k.tasks]
        shown = tuple(map(parse, RUNS))
        ratio = REAL if self.cpus.real else args.ratio
        series = [Series(of, k, args.klass, args.klass, ratio, shown) for k in some]

        def write(run: Record | Run) -> None:
            if not isinstance(run, Run):
                self.write(run)
            elif not run.ok:
                why = f"{run.config}: {run.status}"
                self.write({"type": "failed", "kernel": run.kernel, "why": why})
            elif run.round > 0:
                self.write(
                    {
                        "type": "point", "source": "run", "kernel": run.kernel,
                        "class": run.klass, "line": RUNS[run.config], "round": run.round,
                        "seconds": run.seconds, "others": run.others,
                    }
                )  # fmt: skip

        Plan(series, args.reps, args.seed, write, emulate=session.emulations(of), by_job=True,
             patient=True).run()  # fmt: skip

    def show(self, folder: Path) -> None:
        records = session.load(folder / "raw.jsonl")
        text = maturitypage.text(records)
        print(text)
        (folder / "tables.txt").write_text(text + "\n", encoding="utf-8")
        (folder / "index.html").write_text(maturitypage.page(records), encoding="utf-8")
