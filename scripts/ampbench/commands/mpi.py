# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops over MPI ranks."""

from __future__ import annotations

import argparse
import random

from .. import ranks, session
from ..emulation import METHODS, PERIOD, Emulation, Slowing
from ..launch import Launcher
from ..plan import Progress
from ..record import RawFile
from ..session import Cpus, Parser, Session, fail


class Ranks:
    """Measure the programs over MPI ranks, one rank a CPU, the last CPU slowed.

    Each program runs alone on each CPU, which gives the ideal, and over all under every schedule
    of libamp-mpi, in turns; docs/use/mpi.md quotes it."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--programs", type=session.words, help=", ".join(ranks.PROGRAMS) + " (all)")
        p.add_argument("--class", dest="klass", default="W", help="S, W or A (W)")
        p.add_argument("--ratio", type=session.slower, default=3.0, help="how many times slower (3)")
        p.add_argument("--mpicc", default="mpicc", help="of the MPI to be measured (mpicc)")
        p.add_argument("--reps", type=session.counted, default=3, help="rounds (3)")
        p.add_argument("--period", default=PERIOD, help=f"amp-emulate's period ({PERIOD})")
        p.add_argument("--method", choices=METHODS, default=METHODS[0], help="amp-emulate's method")
        p.add_argument("--limit", type=float, default=120.0, help="seconds that a run may take (120)")
        p.set_defaults(seed=None)
        session.add_raw(p, "mpi-TIME.jsonl")

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def run(self) -> int:
        args = self.args
        if not args.table_from:
            mpi = ranks.find(args.mpicc)
            if mpi is None:
                fail(f"no {args.mpicc} with its mpirun (apt-get install libopenmpi-dev openmpi-bin)")
            raw = Session(args, "mpi", "mpi")
            folder = session.build_folder() / "bench" / args.mpicc
            ranks.make(mpi, folder)
            cpus = Cpus(args)
            if not cpus.fast:
                fail("a slow CPU needs one beside it")
            slowing = Slowing(args.period, args.method)
            launcher = Launcher(session.build_folder(), {}, cpus.fast, cpus.slow, slowing, args.limit)
            chosen = session.chosen(args.programs, {p: p for p in ranks.PROGRAMS}, "program")
            head = raw.head(launcher, mpi=mpi.version, ratio=args.ratio)
            configs = [*(f"{ranks.ALONE}{c}" for c in launcher.cpus), *ranks.SCHEDULES]
            rng = random.Random(raw.seed)
            done = {(r.kernel, r.config, r.round) for r in raw.known if r.ok}

            def work(out: RawFile) -> None:
                with Emulation(launcher.emulator, launcher.slow, args.ratio, slowing) as slow:
                    runs = args.reps * len(chosen) * len(configs)
                    progress = Progress(runs - len(done))
                    for rep in range(1, args.reps + 1):
                        for program in chosen:
                            for config in rng.sample(configs, len(configs)):
                                if (program, config, rep) in done:
                                    continue
                                run = ranks.execute(mpi, folder / program, args.klass, config,
                                                    launcher.cpus, args.limit, slow)  # fmt: skip
                                run.round, run.ratio = rep, args.ratio
                                out.write(run)
                                progress.step(f"{program} {config}")
                progress.finish()
                out.write({"type": "emulation", "record": slow.record, "messages": slow.messages})

            status = raw.measure(head, work)
            if status is not None:
                return status
            args.table_from = raw.raw
            session.say(f"raw data: {raw.raw}")
        print(ranks.full_report(session.load(args.table_from)))
        return 0
