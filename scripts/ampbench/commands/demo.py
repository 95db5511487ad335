# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .. import compared, kernels, machine, session
from ..config import parse
from ..emulation import METHODS, NotPossible
from ..kernels import Kernel
from ..launch import Launcher
from ..plan import EQUAL, REAL, Plan, Series
from ..record import RawFile
from ..session import Cpus, Parser, Session
from ..tables import noisy

RATIO = 3.0
ROUNDS = {"A": 3, "W": 7}
# Seconds that class A may take, and after which no further round begins.
PATIENCE = 85.0
SHOWN = {
    "stock:static": "static, as gcc compiles it",
    "amp:aid_static": "aid_static",
    "amp:aid_hybrid,80": "aid_hybrid,80",
    "amp:aid_dynamic,1,5": "aid_dynamic,1,5",
}


class Demo:
    """What gomp-amp is for, seen on this machine in about a minute.

    Runs NPB EP under stock static and under AID: on the types of cores that this machine has, else
    on an emulated AMP, where amp-emulate makes the last CPU 3 times slower.  Where that is not
    possible it compares on equal cores and says so.  `bench compare` has options."""

    @classmethod
    def options(cls, p: Parser) -> None:
        session.add_emulation(p, "1ms")
        p.set_defaults(limit=120.0, out=None, resume=None, seed=1)

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def run(self) -> int:
        have, _ = session.libraries("amp", "gomp")
        kernels.make(session.build_folder(), ["bench"])
        cpus = Cpus(self.args)
        if not cpus.fast:
            cpus.fast, cpus.slow = cpus.slow, []
            print("demo: one usable CPU: nothing to make slower")
        # A real-time thread slows any program, but needs a right.
        methods = [self.args.method] if self.args.method else METHODS
        for method in methods if cpus.emulate else ():
            self.args.method = method
            try:
                return self.measure(cpus.launcher(self.args, have, "1ms"), RATIO, cpus.guess)
            except NotPossible as e:
                print(f"demo: no emulated AMP by amp-emulate --method={method}: {e}")
        launcher = cpus.launcher(self.args, have, "1ms")
        return self.measure(launcher, REAL if cpus.real else EQUAL, cpus.guess)

    def choose_class(self, launcher: Launcher, kernel: Kernel, ratio: float) -> str:
        """A, or W where A would take too long, judged by one thread's time for W.

        A holds 8 times the pairs of W.  With one fast and one slow CPU a round takes, in units of
        a thread alone: static ratio/2, AID three times the ideal, the CPUs alone 1 + ratio.
        """
        alone = parse(f"single:{launcher.cpus[0]}")
        seconds = launcher.execute(alone, kernel, "W").seconds
        units = ratio / 2 + 3 / (1 + 1 / ratio) + 1 + ratio
        return "A" if seconds and 8 * seconds * units * ROUNDS["A"] <= PATIENCE else "W"

    def measure(self, launcher: Launcher, ratio: float, guess: float) -> int:
        kernel = kernels.load()["ep"]
        klass = self.choose_class(launcher, kernel, ratio or guess)
        what = "equal cores"
        if ratio == REAL:
            what = f"the machine's own cores, fast {launcher.fast}, slow {launcher.slow}"
        elif ratio != EQUAL:
            what = f"CPU {launcher.slow[0]} {RATIO:g} times slower"
        print(f"demo: NPB EP class {klass}, {what}; about a minute", flush=True)
        chosen = tuple(parse(n) for n in [*SHOWN, *(f"single:{c}" for c in launcher.cpus)])
        raw = Session(self.args, "demo", "demo")
        series = Series(launcher, kernel, klass, "S", ratio, chosen)
        with RawFile(raw.raw) as out:
            out.write(raw.head(launcher, ratios=[ratio]))
            Plan([series], ROUNDS[klass], raw.seed, out.write, (), PATIENCE,
                 session.emulations(launcher)).run()  # fmt: skip
        return self.show(launcher, ratio, raw.raw)

    def show(self, launcher: Launcher, ratio: float, raw: Path) -> int:
        records = session.load(raw)
        (table,) = compared.tables(records)
        rounds = max((line.seconds.n for line in table.lines if line.seconds), default=0)
        pinned = f"{len(launcher.cpus)} threads pinned to CPUs {launcher.cpus}"
        cpu = machine.describe()["cpu"]
        print(f"\nNPB EP class {table.klass}, {pinned}, on {cpu}")
        print(compared.machine_text(ratio, compared.reached_text(records, ratio)))
        if ratio == REAL and table.own_ratio:
            print(f"one thread on the slowest core takes {table.own_ratio:.2f} times as long")
        print(f"medians of {rounds} interleaved rounds; the ideal: all CPUs busy to the end")
        if noisy(table.others):
            print(f"NOISY: other processes took {table.others:.2f} CPUs: the figures tell little")
        print()
        status = 0
        for name, title in SHOWN.items():
            line = table.line(name)
            if line is None or line.efficiency is None or line.seconds is None:
                print(f"  {title:28} no run succeeded; see {raw}")
                status = 1
                continue
            share = line.efficiency.value
            bar = "#" * min(round(30 * share), 40)
            seconds = f"{line.seconds.value:6.2f} s"
            print(f"  {title:28} {seconds}  {100 * share:5.1f} % of the ideal  {bar}")
        more = "more kernels, schedules and libraries: make bench"
        print(f"\nraw data: {os.path.relpath(raw)}; {more}")
        return status
