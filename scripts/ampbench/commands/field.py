# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that people install."""

from __future__ import annotations

import argparse
import fnmatch
import os
import subprocess
from pathlib import Path

from .. import field, fieldsetup, fieldtables, plots, session
from ..describe import Wrong
from ..emulation import PERIOD
from ..field import FULL, SMALL, WAYS, WHAT, Way
from ..launch import Launcher
from ..plan import Plan
from ..record import RawFile
from ..session import Cpus, Parser, Session, fail, say

# What a session that goes on takes from its file.
KEPT = ("names", "folder", "register", "ways", "ratios", "slow", "quick", "reps", "seed", "limit",
        "period", "method", "only")  # fmt: skip
# Settings of the machine's that libraries heed, and a reader must know.
TOLD = ("OPENBLAS_",)


def learns(amp_run: Path) -> bool:
    """Whether amp-run has --auto."""
    done = subprocess.run(
        [str(amp_run), "--quiet", "--auto", "--dry-run", "true"], capture_output=True,
        check=False,
    )  # fmt: skip
    return done.returncode == 0


class FieldPrograms:
    """Measure numpy, scikit-learn, ImageMagick, GROMACS and others on the system's libgomp and ours.

    The programs are Debian's packages and wheels, unchanged; --setup installs them, and makes
    their inputs, in a folder of their own (some 500 MB; PyTorch, which is left out unless it is
    named, 1 GB more). Each is run in turns on stock libgomp, on ours with nothing set, with
    --weighted, and where loops ask for a schedule with --replace, on equal cores and with the
    last CPU slowed. Each run's result must be what stock finds with as many threads.

    NAMES are names of programs or shell patterns; all but the optional ones if left out.
    docs/measure/field.md says more."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("names", nargs="*", metavar="NAME", help="programs (--list)")
        p.add_argument("--setup", action="store_true", help="install them, measure nothing")
        p.add_argument("--list", action="store_true", help="say what there is, and what is missing")
        p.add_argument("--folder", metavar="DIR", help="where they are (build/field)")
        p.add_argument(
            "--register", metavar="FILE", help="other programs (benchmarks/field/field.toml)"
        )
        p.add_argument("--ways", type=session.words, help=", ".join(WAYS) + " (all; stock is kept)")
        p.add_argument("--quick", action="store_true", default=None, help="small inputs")
        p.add_argument(
            "--slow",
            type=session.numbers,
            metavar="CPUS",
            help="CPUs to slow, comma-separated (the last)",
        )
        p.add_argument(
            "--ratio",
            type=session.words,
            dest="ratios",
            metavar="RATIOS",
            help="how many times slower; a list is possible (2,4)",
        )
        p.add_argument("--only", choices=("equal", "emulated"), help="one of the two machines")
        session.add_emulation(p, PERIOD)
        session.add_rounds(p, "5", "60", "the register's")
        session.add_raw(p, "field-TIME.jsonl", "also plot (png, svg, pdf)")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        if args.resume:
            session.take_over(args, args.parser, "field", KEPT, ("reps", "limit"))
        elif args.out and args.out.exists() and not args.table_from:
            args.parser.error(f"{args.out} is there already: --resume goes on with it")
        session.defaults(
            args, reps=5, budget=60.0, limit=0.0, ratios=["2", "4"], quick=False, folder="",
            register="", ways=[w for w in WAYS],
        )  # fmt: skip
        try:
            self.ratios = sorted({session.slower(r) for r in args.ratios})
        except argparse.ArgumentTypeError as e:
            args.parser.error(f"--ratio {e} (--only equal compares on equal cores)")
        for way in args.ways:
            if way not in WAYS:
                args.parser.error(f"--ways {way}: there are {', '.join(WAYS)}")

    def run(self) -> int:
        if self.args.table_from:
            self.show(self.args.table_from)
            return 0
        try:
            return self.work()
        except Wrong as e:
            fail(str(e))

    def chosen(self) -> list[field.Field]:
        """Those of the register that are named."""
        known = field.load(Path(self.args.register) if self.args.register else field.REGISTER)
        names = self.args.names
        for name in names:
            if not fnmatch.filter(known, name):
                fail(f"no program {name}; there are {', '.join(known)}")
        return [
            f for f in known.values()
            if any(fnmatch.fnmatchcase(f.name, n) for n in names) or not (names or f.optional)
        ]  # fmt: skip

    def home(self) -> field.Home:
        folder = Path(self.args.folder) if self.args.folder else session.build_folder() / "field"
        register = Path(self.args.register) if self.args.register else field.REGISTER
        self.args.folder = str(folder.absolute())
        return field.Home(folder.absolute(), register.parent.absolute())

    def listed(self, home: field.Home, chosen: list[field.Field]) -> int:
        for f in chosen:
            why = home.missing(f)
            packages = " ".join((*f.apt, *f.pip))
            print(f"{f.name}: {f.program.about}\n  of {packages or 'no package'}"
                  + (f"\n  missing: {why}" if why else ""))  # fmt: skip
        print("ways:")
        for name, text in WHAT.items():
            print(f"  {name}: {text}")
        return 0

    def work(self) -> int:
        args = self.args
        chosen, home = self.chosen(), self.home()
        if args.list:
            return self.listed(home, chosen)
        if args.setup:
            fieldsetup.install(home, chosen, say)
            lacking = {f.name: why for f in chosen if (why := home.missing(f))}
            for name, why in lacking.items():
                say(f"{name}: {why}")
            return 1 if lacking else 0
        there = []
        for f in chosen:
            if why := home.missing(f):
                say(f"{f.name} is left out: {why} (--setup installs it)")
            else:
                there.append(f)
        if not there:
            fail("none of the programs is installed (--setup)")
        have, _ = session.libraries("amp")
        cpus = Cpus(args, args.slow)
        launcher = cpus.launcher(args, {k: have[k] for k in ("amp", "gomp") if k in have}, PERIOD)
        ratios = cpus.ratios(self.ratios, args.only)
        ways = [WAYS[w] for w in WAYS if w in {*args.ways, field.STOCK}]
        if not learns(launcher.tools / "amp-run"):
            say("auto is left out: this amp-run has no --auto")
            ways = [w for w in ways if not w.learns]
        return self.measure(home, there, launcher, ratios, ways)

    def measure(
        self, home: field.Home, there: list[field.Field], launcher: Launcher,
        ratios: list[float], ways: list[Way],
    ) -> int:  # fmt: skip
        args = self.args
        raw = Session(args, "field", "field")
        raw.same_slowing(launcher.slowing)
        cache = raw.raw.with_suffix(".cache").absolute()
        stand = field.Stand(home, launcher, SMALL if args.quick else FULL, cache)
        known = field.references(raw.before)
        args.seed = raw.seed
        head = raw.head(
            launcher, ratios=ratios, arguments={k: getattr(args, k) for k in KEPT},
            packages=fieldsetup.installed(home), ways=[w.name for w in ways],
            environment={k: v for k, v in os.environ.items() if k.startswith(TOLD)},
        )  # fmt: skip
        head["pinning"]["how"] = "no thread bound by us"

        def measure(out: RawFile) -> None:
            jobs = []
            for f in there:
                references = known.setdefault(f.name, {})
                jobs += [
                    field.Job(stand, f, field.ways_of(f, ways, r), r, references, out.write, say)
                    for r in ratios
                ]
            Plan(
                jobs, args.reps, raw.seed, out.write, raw.known, 60 * args.budget,
                session.emulations(launcher), patient=True,
            ).run()  # fmt: skip

        status = raw.measure(head, measure)
        if status is None:
            self.show(raw.raw)
        return status or 0

    def show(self, raw: Path) -> None:
        try:
            print(f"{fieldtables.report(session.load(raw))}\n\nraw data: {raw}", flush=True)
        except ValueError as e:
            fail(f"{raw}: {e}")
        if self.args.plot:
            plots.draw(raw, self.args.plot)
