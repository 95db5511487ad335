# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the iCh paper: what is run here and what is simulated."""

from __future__ import annotations

import argparse
from pathlib import Path

from .. import ich, ichsim, kernels, plots, session
from ..emulation import PERIOD
from ..kernels import Kernel
from ..plan import Plan, Series
from ..record import RawFile
from ..session import Cpus, Parser, Session, fail, say


class Ich:
    """The evaluation of the iCh paper on this machine.

    Runs each application under guided, dynamic, taskloop, binlpt, stealing and ich, each with
    the paper's choice of parameters: on equal cores at several numbers of threads, on an
    emulated AMP with all of them (or on the types of cores that this machine has), and, with
    recorded iteration costs, on simulated machines of up to 64 cores.  Prints tables and which
    targets are met, and plots figures like the paper's 4 to 7.  A schedule that the library does
    not know is left out, and named."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--apps", help="comma-separated, e.g. synth,spmv-web (all)")
        p.add_argument("--methods", type=session.words,
                       help=f"comma-separated ({','.join(ich.METHODS)})")
        p.add_argument("--class", dest="klass",
                       help="problem class (W; A takes five times as long)")
        p.add_argument("--threads", type=session.numbers,
                       help="comma-separated (1, 2, 4, ... and all CPUs)")
        p.add_argument("--slow", type=session.numbers, metavar="CPUS", help="to slow (the last)")
        p.add_argument("--ratio", type=session.slower, default=3.0,
                       help="how many times slower (3)")
        session.add_emulation(p, PERIOD)
        p.add_argument("--only", choices=("equal", "emulated", "simulated"),
                       help="one of the three")
        p.add_argument("--quick", action="store_true",
                       help="eight minutes: some inputs, all CPUs, nothing simulated")
        session.add_rounds(p, "5; quick 3", "30; quick 6")
        p.add_argument("--lanes", type=session.numbers, help="of simulated machines "
                       f"({','.join(map(str, ichsim.LANES))}); 0: no simulation")
        p.add_argument("--grant-ns", type=float, default=ichsim.GRANT_NS,
                       help=f"what an update of a shared word costs there ({ichsim.GRANT_NS:g})")
        session.add_raw(p, "ich-TIME.jsonl", "a folder (the raw file without .jsonl)")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        args.limit = args.limit or 120.0
        if args.quick:
            args.apps = args.apps or ich.QUICK_APPS
            args.lanes = args.lanes or [0]

    def apps(self) -> list[Kernel]:
        known = kernels.load("all", ["ich"])
        if not self.args.apps:
            return list(known.values())
        out: list[Kernel] = []
        for name in session.words(self.args.apps):
            found = [a for a in known.values() if name in (a.name, a.program)]
            out += found or session.chosen([name], known, "application")
        return list(dict.fromkeys(out))

    def threads(self, cpus: int) -> list[int]:
        wanted: list[int] | None = self.args.threads
        if wanted:
            if not 1 <= wanted[0] <= wanted[-1] <= cpus:
                fail(f"--threads {wanted}: there are {cpus} usable CPUs, one a thread")
            return wanted
        if self.args.quick:
            return [cpus]
        return sorted({1 << i for i in range(cpus.bit_length()) if 1 << i <= cpus} | {cpus})

    def lanes(self) -> list[int]:
        if self.args.only in ("equal", "emulated"):
            return []
        chosen: list[int] = self.args.lanes or list(ichsim.LANES)
        if chosen == [0]:
            return []
        if not 1 <= chosen[0] <= chosen[-1] <= 1024:
            fail(f"--lanes {chosen}: from 1 to 1024, or 0 alone")
        # What speedups are over.
        return sorted({1, *chosen})

    def run(self) -> int:
        args = self.args
        if args.table_from:
            return self.show(args.table_from)
        have, _ = session.libraries("amp", "gomp")
        have = {name: have[name] for name in ("amp", "gomp")}
        cpus = Cpus(args, args.slow)
        ratios = [] if args.only == "simulated" else cpus.ratios([args.ratio], args.only)
        launcher = cpus.launcher(args, have, PERIOD)
        lanes, apps = self.lanes(), self.apps()
        threads = self.threads(len(launcher.cpus))
        session.chosen(args.methods, dict(ich.METHODS), "method")
        methods, rejected = ich.available(
            launcher.build / "stage/lib/libgomp.so.1", args.methods or ich.METHODS, ratios != [1.0]
        )
        for schedule, why in rejected.items():
            say(f"{schedule} is left out: {why}")
        if not methods:
            fail("the library knows none of these methods' schedules")
        series = []
        for app in apps:
            klass = session.class_of(app, args.klass or app.quick)
            for r in ratios:
                chosen = ich.configurations(methods, threads, launcher.cpus, r)
                series.append(Series(launcher, app, klass, app.classes[0], r, tuple(chosen)))
        kernels.make(launcher.build, ["ich"])
        raw = Session(args, "ich", "ich")
        raw.same_slowing(launcher.slowing)

        def work(out: RawFile) -> None:
            if series:
                budget = args.budget or (6.0 if args.quick else 30.0)
                Plan(
                    series, args.reps or (3 if args.quick else 5), raw.seed, out.write, raw.known,
                    budget * 60, session.emulations(launcher),
                ).run()  # fmt: skip
            if lanes:
                ichsim.simulate(
                    launcher, [(a, args.klass or a.quick) for a in apps], methods, lanes,
                    args.ratio, args.grant_ns, session.load(raw.raw), out.write, say,
                )  # fmt: skip

        status = raw.measure(raw.head(launcher, lacking=rejected, ratios=ratios or [1.0]), work)
        return self.show(raw.raw) if status is None else status

    def show(self, raw: Path) -> int:
        print(f"{ich.full_report(session.load(raw))}\n\nraw data: {raw}")
        plots.draw(raw, self.args.plot or raw.with_suffix(""))
        return 0
