# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the AID paper: what is simulated and what is run here."""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from .. import aid, kernels, plots, replay, session, spools
from ..config import Config, parse
from ..emulation import METHODS, PERIOD, NotPossible
from ..kernels import Kernel
from ..launch import start
from ..machine import cpu_list
from ..plan import REAL, Plan, Progress, Series
from ..record import RawFile, Record, Run
from ..session import Cpus, Parser, Session

PARTS = ("sim", "real", "sf", "trace")
QUICK_KERNELS = ("ep", "cg", "tail")
SWEEP = "A"


def config_of(schedule: str, slow_first: bool) -> Config:
    return Config("amp", schedule, binding="sb" if slow_first else None)


@dataclass
class Simulation:
    """One kernel's recording on one platform."""

    args: argparse.Namespace
    sim: Path
    paid: replay.Costs
    kernel: str
    costs: Path
    platform: aid.Platform
    write: Callable[[Record], None]

    def __post_init__(self) -> None:
        with self.costs.open(encoding="utf-8") as lines:
            found = aid.places(lines)
        self.sf = {p: aid.site_sf(self.platform, self.kernel, p, self.args.seed) for p in found}
        self.file = self.save("sf", self.sf)

    def save(self, name: str, sf: dict[str, float]) -> Path:
        file = self.costs.with_suffix(f".{self.platform.name}.{name}")
        file.write_text("".join(f"{p} {x:.6g},1\n" for p, x in sf.items()), encoding="utf-8")
        return file

    def run(
        self, figure: str, lines: dict[str, str], sb: bool = False, *options: str,
        speeds: Path | None = None,
    ) -> None:  # fmt: skip
        # The slow cores are the platform's in serial parts and each loop's own in loops: a fast
        # core's speed there is that of the costs.
        common = [
            f"--sf={speeds or self.file}", *self.paid.options(),
            f"--unit={self.args.slower:.6g}", *(["--sb"] if sb else []), *options,
        ]  # fmt: skip
        try:
            found = replay.simulate(
                self.sim, self.costs, self.platform.machine, lines.values(), common
            )
        except RuntimeError as why:
            self.write({"type": "failed", "kernel": self.kernel, "line": figure, "why": str(why)})
            return
        for line, schedule in lines.items():
            kept = {k: found[schedule][k] for k in ("seconds", "efficiency", "grants")}
            self.write(
                {
                    "type": "point", "source": "simulation", "figure": figure,
                    "where": self.platform.name, "kernel": self.kernel, "class": self.args.klass,
                    "line": line, "schedule": schedule, **kept,
                }
            )  # fmt: skip

    def all(self) -> None:
        for sb in (True, False):
            lines = {n: s for n, (s, slow_first) in self.args.lines.items() if slow_first == sb}
            self.run("6/7", lines, sb)
        if self.platform.name == SWEEP:
            names = [f"dynamic,{c}" for c in aid.CHUNKS] + [f"aid_dynamic,1,{m}" for m in aid.MAJORS]
            self.run("8", {n: n for n in names})
            self.run("percent", {str(p): f"aid_hybrid,{p},1" for p in aid.PERCENTS})
        self.offline("9", self.file)
        if self.kernel.startswith("blackscholes"):
            self.contention()

    def offline(self, figure: str, speeds: Path) -> None:
        self.run(figure, {"AID-static": "aid_static,1"}, speeds=speeds)
        self.run(figure, {"AID-static(offline-SF)": "aid_static,1"}, False,
                 f"--known-sf={self.file}", speeds=speeds)  # fmt: skip

    def contention(self) -> None:
        """What one thread showed is twice what a team gets, where fast cores share a cache."""
        self.offline("9c", self.save("team", {p: max(x / 2, 1.0) for p, x in self.sf.items()}))


class Aid:
    """The evaluation of the AID paper (Saez et al., ICPP 2020, section 5), as far as it can be had.

    In amp-sim: every kernel, recorded here with one thread, on models of the paper's
    platforms A and B, four fast and four slow cores.  On this machine: the same lines
    with the last CPU slowed by amp-emulate, or on the types of cores that it has.  Tables and
    plots go into a folder; the paper's numbers stand beside ours.
    docs/measure/papers.md says what differs."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--quick", action="store_true", help="ep, cg and tail, class S, once")
        p.add_argument("--kernels", help="comma-separated (all)")
        p.add_argument("--all-inputs", action="store_true",
                       help="every input of a kernel, not one")
        p.add_argument("--class", dest="klass", help="problem class for every kernel (W)")
        p.add_argument("--also", action="append", default=[], metavar="SCHEDULE",
                       help="a further line in figures 6 and 7, such as one's own; may be "
                       "given again")
        p.add_argument("--only", dest="parts", type=session.words, default=PARTS,
                       help="sim: amp-sim; real: runs here; sf: SF of each loop here; "
                       "trace: traces (all four)")
        p.add_argument("--ratio", type=session.slower, default=3.0,
                       help="of the emulated slow CPU (3)")
        session.add_emulation(p, PERIOD)
        session.add_rounds(p, "real runs, after one that does not; 4; quick 1")
        p.add_argument("--grant-ns", type=float, help="amp-sim: of fetching the line of a shared "
                       "word (measured here)")
        p.add_argument("--slower", type=float, default=1.0, metavar="X",
                       help="amp-sim: its fast cores are X times slower than ours (1)")
        p.add_argument("--out", type=Path, help="folder (build/bench/reproduce-aid-TIME)")
        p.add_argument("--table-from", "--tables-from", dest="table_from", type=session.existing,
                       metavar="FOLDER", help="print and plot it again")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        args.lines = aid.LINES | {s: (s, False) for s in args.also}
        session.settle_evaluation(args, PARTS, 4)

    def run(self) -> int:
        args = self.args
        if args.table_from:
            self.show(args.table_from)
            return 0
        have, _ = session.libraries("amp")
        known = kernels.load("all" if args.all_inputs else "first")
        wanted = args.kernels or (QUICK_KERNELS if args.quick else None)
        chosen = session.chosen(wanted, known, "kernel")
        self.chosen: list[Kernel] = [k for k in chosen if args.klass in k.classes]
        kernels.make(session.build_folder())
        stamp = time.strftime("%Y%m%d-%H%M%S")
        self.folder = args.out or session.build_folder() / "bench" / f"reproduce-aid-{stamp}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.cpus = Cpus(args)
        if not self.cpus.fast:
            self.cpus.fast, self.cpus.slow = self.cpus.slow, []
        self.launcher = self.cpus.launcher(args, have, PERIOD)
        unequal = self.cpus.real or self.cpus.emulate
        parts = {"sim": self.simulated, "real": self.real, "sf": self.factors, "trace": self.traces}
        args.resume, args.out = None, self.folder / "raw.jsonl"
        raw = Session(args, "reproduce-aid", "")

        def work(out: RawFile) -> None:
            self.write = out.write
            for part in args.parts:
                if part != "sim" and not unequal:
                    print(f"bench: {part} left out: no slow CPU")
                    continue
                try:
                    parts[part]()
                except NotPossible as why:
                    print(f"bench: {part} left out: no emulated slow CPU here: {why}")

        kept = {n: getattr(args, n) for n in ("klass", "ratio", "reps", "slower", "seed")}
        extremes = {n: list(p.sf) for n, p in aid.PLATFORMS.items()}
        status = raw.measure(raw.head(self.launcher, arguments=kept, sf=extremes), work)
        if status is None:
            self.show(self.folder)
            print(f"in {os.path.relpath(self.folder)}: raw.jsonl, tables.txt and the pictures")
        return status or 0

    @property
    def where(self) -> str:
        """The platform of real runs, as records name it."""
        if self.cpus.real:
            return "real, its own cores"
        method = self.launcher.slowing.method
        return f"real {self.args.ratio:g}" + (f", by {method}s" if method != METHODS[0] else "")

    def failed(self, kernel: str, line: str, why: str) -> None:
        self.write({"type": "failed", "kernel": kernel, "line": line, "why": why})

    def simulated(self) -> None:
        args, sim = self.args, self.launcher.tools / "amp-sim"
        paid = replay.measure_costs(self.launcher, sim)
        if args.grant_ns is not None:
            paid = replace(paid, grant=args.grant_ns, hold=min(paid.hold, args.grant_ns))
        self.write({"type": "costs", **paid.record()})
        progress = Progress(len(self.chosen) * len(aid.PLATFORMS))
        black = any(k.name.startswith("blackscholes") for k in self.chosen)
        for kernel in self.chosen:
            costs = self.folder / f"{kernel.name}.costs"
            cpu, times = self.launcher.cpus[0], 1 if args.quick else 3
            run = replay.record(self.launcher, kernel, args.klass, cpu, costs, times)
            if not run.ok:
                self.failed(kernel.name, "", run.status)
                continue
            for platform in aid.PLATFORMS.values():
                one = Simulation(args, sim, paid, kernel.name, costs, platform, self.write)
                one.all()
                # Without blackscholes the case is shown with what there is.
                if kernel is self.chosen[-1] and not black:
                    one.contention()
                progress.step(f"{kernel.name} on {platform.name}")
            for file in self.folder.glob(f"{kernel.name}.*"):
                file.unlink()
        progress.finish()

    def real(self) -> None:
        args, of = self.args, self.launcher
        lines = {config_of(*what).name: line for line, what in args.lines.items()}
        ratio = REAL if self.cpus.real else args.ratio
        configs = tuple(config_of(*what) for what in args.lines.values())
        series = [Series(of, k, args.klass, args.klass, ratio, configs) for k in self.chosen]

        def write(run: Record | Run) -> None:
            if not isinstance(run, Run):
                self.write(run)
            elif not run.ok:
                self.failed(run.kernel, lines[run.config], run.status)
            elif run.round > 0:
                line = lines[run.config]
                self.write(
                    {
                        "type": "point", "source": "run", "figure": "6/7", "where": self.where,
                        "kernel": run.kernel, "class": run.klass, "line": line,
                        "schedule": args.lines[line][0], "round": run.round, "seconds": run.wall,
                        "kernel_seconds": run.seconds, "others": run.others,
                    }
                )  # fmt: skip

        Plan(series, args.reps, args.seed, write, emulate=session.emulations(of), by_job=True,
             patient=True).run()  # fmt: skip

    def factors(self) -> None:
        """Figure 2: one thread on each type of core, loop by loop."""
        file, of = self.folder / "loops.sf", self.launcher
        slowed = [str(of.emulator), "--slow", f"{cpu_list(of.slow)}={self.args.ratio:g}",
                  *of.slowing.arguments(), "--"]  # fmt: skip
        for kernel in self.chosen:
            file.unlink(missing_ok=True)
            launch = of.launch(parse("amp:aid_static"), kernel, self.args.klass)
            # amp-run sets the environment itself.
            env = {k: v for k, v in launch.env.items() if not k.startswith(("OMP_", "GOMP_"))}
            measure = [str(of.tools / "amp-run"), "-q", "--measure-sf", str(file), "--"]
            argv = [*([] if self.cpus.real else slowed), *measure, *launch.argv]
            done = start(
                replace(launch, argv=argv, env=env, cpus=None, limit=20 * self.args.limit)
            )
            if done.code != 0 or not file.is_file():
                why = done.stderr.strip().splitlines() or [f"status {done.code}"]
                self.failed(kernel.name, "SF", why[-1])
                continue
            for line in file.read_text(encoding="utf-8").splitlines():
                if line and not line.startswith("#"):
                    place, sf = line.split()
                    self.write({"type": "loop", "kernel": kernel.name, "place": place,
                                "where": self.where, "sf": float(sf.split(",")[0])})  # fmt: skip
            file.unlink()

    def traces(self) -> None:
        """Figures 1 and 4: traces of EP, on this machine and of 2 + 2 cores in the simulator."""
        kernel = kernels.load("first")["ep"]
        slowed = session.emulations(self.launcher)
        with nullcontext() if self.cpus.real else slowed(self.args.ratio) as emulation:
            for schedule in ("static", "aid_static,1", "aid_hybrid,80,1", "aid_dynamic,1,5"):
                name = self.folder / f"trace-{schedule.replace(',', '-')}.json"
                traced = replace(self.launcher, extra={"GOMP_AMP_TRACE": f"{name}{spools.SUFFIX}"})
                traced.execute(Config("amp", schedule), kernel, self.args.klass, emulation)
                spools.convert(self.launcher.tools / "amp-trace", name)
        subprocess.run(
            [str(self.launcher.tools / "amp-sim"), "-m", f"2x{self.args.ratio:g}+2x1", "-n", "4096",
             "-u", "100000", "-S", "static;aid_static,1;aid_hybrid,80,1", "-g", "20",
             "--gantt", str(self.folder / "simulated-2+2.svg")],
            stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip

    def show(self, folder: Path) -> None:
        raw = next(f for f in (folder / "raw.jsonl", folder / "raw.jsonl.xz") if f.is_file())
        text = aid.format_all(session.load(raw))
        (folder / "tables.txt").write_text(text + "\n", encoding="utf-8")
        print(text)
        plots.draw(raw, folder)
