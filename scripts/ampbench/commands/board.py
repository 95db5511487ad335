# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of a board."""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from .. import compared, kernels, machine, runtimes, sensors, session
from ..config import BASELINE, PAPER, configs, parse
from ..emulation import Slowing
from ..launch import Launcher
from ..plan import REAL, Plan, Series
from ..record import RawFile, runs
from ..session import Parser, Session, fail
from ..stats import ideal_seconds, paired

CONFIGS = [parse(BASELINE), *configs("amp", "static", "dynamic,1", "guided", *PAPER, "ich", "unset")]
KERNELS = ("ep", "cg", "stencil", "tail")


class Board:
    """Kernels under the schedules, on a board itself, as a table.

    Runs the kernels in FOLDER/stock and FOLDER/amp (ep, cg, stencil, tail) with one
    thread a CPU, bound, fast cores first: all configurations once a round, in an
    order shuffled by the seed, after one round that is not counted.  Prints a table
    in Markdown: seconds, efficiency against the asymmetric ideal of the same rounds,
    and the ratio of times to stock:static, all medians.  Needs no compiler."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("folder", type=session.existing, metavar="FOLDER", help="of the kernels")
        p.add_argument("-p", dest="prefix", type=Path, default=Path("/opt/gomp-amp"),
                       metavar="PREFIX", help="gomp-amp on this board (/opt/gomp-amp)")
        p.add_argument("-n", dest="reps", type=session.counted, default=5, metavar="ROUNDS",
                       help="rounds that count (5)")
        p.add_argument("-c", dest="klass", choices="SWA", default="W", help="problem class (W)")
        p.add_argument("-s", dest="seed", type=int, default=1, metavar="SEED",
                       help="of the order (1)")
        p.add_argument("-o", dest="out", type=Path, metavar="FILE",
                       help="keep each run as a line there")
        p.add_argument("-k", dest="kernels", type=str.split, metavar="KERNELS",
                       help="only these, separated by blanks")
        p.set_defaults(resume=None)  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def run(self) -> int:
        args = self.args
        if not all((args.folder / d).is_dir() for d in ("stock", "amp")):
            fail(f"{args.folder}: no folders stock and amp in it")
        tool, library = args.prefix / "bin" / "amp-info", args.prefix / "lib" / "libgomp.so.1"
        if not os.access(tool, os.X_OK) or not library.is_file():
            fail(f"no gomp-amp in {args.prefix} (-p)")
        self.types = machine.core_types(tool)
        fast, slow = self.types.cpus[0], [c for t in self.types.cpus[1:] for c in t]
        have = {
            "amp": runtimes.Runtime("amp", library.resolve(), library.parent),
            # Whichever the system's linker finds.
            "gomp": runtimes.Runtime("gomp", None, None),
        }
        launcher = Launcher(
            session.build_folder(), have, list(fast), slow, Slowing("1ms"), 3600.0,
            folder=args.folder, types=os.environ.get("GOMP_AMP_TYPES"),
        )  # fmt: skip
        singles = configs("single", *(t[0] for t in self.types.cpus))
        known = kernels.load()
        wanted = session.chosen(args.kernels or KERNELS, known, "kernel")
        there = [k for k in wanted if all(not launcher.missing(c, k) for c in CONFIGS)]
        if not there:
            fail(f"no kernels in {args.folder}")
        chosen = (*CONFIGS, *singles)
        series = [Series(launcher, k, args.klass, args.klass, REAL, chosen) for k in there]
        raw = Session(args, "board", "board")
        hottest: list[float] = []

        def heat() -> None:
            hottest.extend(sensors.temperatures(Path("/sys")).values())

        def work(out: RawFile) -> None:
            Plan(series, args.reps, args.seed, out.write, raw.known, patient=True,
                 before_run=heat).run()  # fmt: skip

        status = raw.measure(raw.head(launcher, ratios=[REAL]), work)
        if status is None:
            self.show(raw.raw, hottest)
        return status or 0

    def show(self, raw: Path, hottest: Sequence[float]) -> None:
        args, types = self.args, self.types.cpus
        model = machine.read("/proc/device-tree/model") or platform.node()
        board = model.rstrip("\0")
        print(f"Board: {board}, Linux {platform.release()}, {platform.machine()}.")
        for i, cpus in enumerate(types):
            f = f"/sys/devices/system/cpu/cpu{cpus[0]}/cpufreq"
            print(f"Type {i}: CPUs {' '.join(map(str, cpus))}; governor"
                  f" {machine.read(f'{f}/scaling_governor') or 'unknown'}, at most"
                  f" {machine.read(f'{f}/scaling_max_freq') or '?'} kHz.")  # fmt: skip
        warmest = f"{max(hottest):.0f}" if hottest else "-"
        print(f"Class {args.klass}, {args.reps} rounds, seed {args.seed}, {sum(map(len, types))}"
              f" threads, bound; hottest {warmest} degrees;"
              f" {time.strftime('%Y-%m-%d', time.gmtime())}.")  # fmt: skip
        records = session.load(raw)
        for (kernel, _, _), some in compared.series_of(records).items():
            self.table(kernel, compared.times(some))
        for r in runs(records):
            if r.bad:
                print(f"\nFAILED: {r.kernel} under {r.config}: {r.status}")

    def table(self, kernel: str, seconds: compared.Seconds) -> None:
        alone = {t: seconds.get(f"single:{t[0]}", {}) for t in self.types.cpus}
        said = [
            f" type {i} {median(by_round.values()):.3f} s;"
            for i, by_round in enumerate(alone.values())
            if by_round
        ]
        print(f"\n{kernel}, one thread:{''.join(said)}\n")
        print("| configuration | seconds | efficiency | / stock:static |\n| --- | --- | --- | --- |")
        rounds = set.intersection(*(set(r) for r in alone.values()))
        ideal = {
            r: ideal_seconds([by_round[r] for t, by_round in alone.items() for _ in t])
            for r in rounds
        }
        for config in CONFIGS:
            mine = seconds.get(config.name, {})
            columns = (
                (list(mine.values()), 3), (paired(ideal, mine), 2),
                (paired(mine, seconds.get(BASELINE, {})), 3),
            )  # fmt: skip
            cells = [f"{median(v):.{digits}f}" if v else "-" for v, digits in columns]
            print(f"| {config.name} | {' | '.join(cells)} |")
