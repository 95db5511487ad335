# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from .. import compared, demonstration, kernels, machine, plots, session
from ..config import Config, parse
from ..demonstration import GCC, OURS
from ..emulation import METHODS, NotPossible
from ..kernels import Kernel
from ..launch import Launcher, Usage
from ..plan import EQUAL, REAL, Plan, Series
from ..record import RawFile, Run
from ..session import Cpus, Parser, Session
from ..tables import noisy

RATIO = 3.0
# Rounds before medians are looked at; then after each further one.
LEAST = 3
# Seconds that class A may take for so many rounds; after which no further round begins.
PATIENCE, LONGEST = 60.0, 150.0


class Demo:
    """What gomp-amp is for, seen on this machine in about a minute.

    Runs NPB EP as gcc makes it, as amp-gcc makes it, with nothing set, and as gcc makes it on the fast
    cores alone: on the types of cores that this machine has, else on an emulated AMP, where
    amp-emulate makes the last CPU 3 times slower.  Where that is not possible it compares on equal
    cores and says so.  It goes on until medians settle, or says that they do not.
    `bench compare` has options."""

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
        usage = Usage(cpus.fast + cpus.slow, None)
        time.sleep(1.0)
        if noisy(others := usage.others(1.0)):
            print(
                f"demo: NOISY: other processes take {others:.1f} CPUs just now; what follows says"
                " little until they rest"
            )
        # A real-time thread slows any program, but needs a right.
        methods = [self.args.method] if self.args.method else METHODS
        for method in methods if cpus.emulate else ():
            self.args.method = method
            try:
                return self.measure(cpus.launcher(self.args, have, "1ms"), RATIO)
            except NotPossible as e:
                print(f"demo: no emulated AMP by amp-emulate --method={method}: {e}")
        return self.measure(cpus.launcher(self.args, have, "1ms"), REAL if cpus.real else EQUAL)

    def choose_class(self, launcher: Launcher, kernel: Kernel, ratio: float) -> str:
        """A, or W where A would take too long, judged by one thread's time for W.

        A holds 8 times the pairs of W.  With one fast and one slow CPU a round takes, in units of
        a thread alone: static ratio/2, ours a little less, the fast CPU 1.
        """
        alone = parse(f"single:{launcher.cpus[0]}")
        seconds = launcher.execute(alone, kernel, "W").seconds
        return "A" if seconds and 8 * seconds * (ratio + 1) * LEAST <= PATIENCE else "W"

    def configs(self, launcher: Launcher, ratio: float) -> list[Config]:
        fast = [Config("stock", "static", len(launcher.fast))] if ratio != EQUAL else []
        return [parse(GCC), parse(OURS), *fast]

    def measure(self, launcher: Launcher, ratio: float) -> int:
        kernel = kernels.load()["ep"]
        klass = self.choose_class(launcher, kernel, ratio or 2.0)
        what = "equal cores"
        if ratio == REAL:
            what = f"the machine's own cores, fast {launcher.fast}, slow {launcher.slow}"
        elif ratio != EQUAL:
            what = f"CPU {launcher.slow[0]} {RATIO:g} times slower, emulated"
        print(f"demo: NPB EP class {klass}, {what}; about a minute", flush=True)
        raw = Session(self.args, "demo", "demo")
        series = Series(launcher, kernel, klass, "S", ratio, tuple(self.configs(launcher, ratio)))
        known: list[Run] = []
        begin = time.monotonic()
        with RawFile(raw.raw) as out:
            out.write(raw.head(launcher, ratios=[ratio]))
            rounds = LEAST
            while True:
                Plan([series], rounds, raw.seed, out.write, known, LONGEST,
                     session.emulations(launcher), patient=True).run()  # fmt: skip
                records = session.load(raw.raw)
                known = [Run.of(r) for r in records if r["type"] == "run"]
                result = demonstration.of(records)
                if result.settled or time.monotonic() - begin > LONGEST:
                    break
                rounds += 1
        return self.show(launcher, ratio, raw.raw, result)

    def show(
        self, launcher: Launcher, ratio: float, raw: Path, result: demonstration.Result
    ) -> int:
        records = session.load(raw)
        pinned = f"{len(launcher.cpus)} threads pinned to CPUs {launcher.cpus}"
        print(f"\nNPB EP class {result.klass}, {pinned}, on {machine.describe()['cpu']}")
        print(compared.machine_text(ratio, compared.reached_text(records, ratio)))
        print(*result.lines(), sep="\n")
        if len(result.bars) < (2 if ratio == EQUAL else 3):
            print(f"not every form ran through; see {raw}")
            return 1
        plots.draw(raw, raw.with_suffix(".png"))
        more = "more kernels, schedules and libraries: make bench"
        print(f"raw data: {os.path.relpath(raw)}; {more}")
        return 0
