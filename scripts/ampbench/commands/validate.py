# SPDX-License-Identifier: GPL-3.0-or-later
"""amp-sim's predictions beside real runs."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from .. import kernels, machine, session, validation
from ..emulation import METHODS, SHORT_PERIOD
from ..plan import Progress, shuffled
from ..record import RawFile, sessions
from ..session import Cpus, Parser, Session

SCHEDULES = (
    "static", "dynamic,1", "guided", "aid_static", "aid_hybrid,80", "aid_dynamic,1,5",
    "aid_dynamic", "steal", "ich",
)  # fmt: skip
QUICK_KERNELS = ("ep", "tail")
# What a raw file is begun with, and holds for all its sessions but for the rounds.
KEPT = ("kernels", "klass", "schedules", "ratio", "period", "method", "runs", "seed", "reps")


def recordings(raw: Path) -> Path:
    """The folder of a raw file's recordings."""
    return raw.with_suffix(".costs")


class Validate:
    """Hold amp-sim against reality: two or more CPUs, the last of them slowed by amp-emulate.

    In each round a kernel is recorded with one thread on a fast CPU (GOMP_AMP_TRACE=costs),
    what a grant and a loop cost is measured, and the program runs with all CPUs, one of
    them slow, under each schedule.  From the medians of all rounds amp-sim says what
    each schedule takes.  How many times slower the slow CPU is is what the program
    with one thread says.  The error is the difference of the two times over the real
    time within loops, the real time being the median of the runs.  It is told twice:
    from the runs as they are, and with each divided by what the program took with one
    thread just before and after it, over what it took when it was recorded: machines
    have their faster and slower minutes.  The second one is judged.

    Recordings are kept beside the raw file.  --resume FILE does the rounds that FILE lacks of
    --reps, and predicts anew, with amp-sim as it is now, from all of them."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--quick", action="store_true", help="ep and tail, class S, one round")
        p.add_argument("--kernels", type=session.words, help="comma-separated (all)")
        p.add_argument("--class", dest="klass", help="problem class for all (W; quick S)")
        p.add_argument("--schedules", type=lambda s: s.split(";"),
                       help="semicolons between them (those of the papers)")
        p.add_argument("--ratio", type=session.slower, help="how many times slower (3)")
        session.add_emulation(p, SHORT_PERIOD)
        session.add_rounds(p, "in all 3; quick 1", "25")
        p.add_argument("--runs", type=session.counted,
                       help="of each schedule in a round (2; quick 1)")
        session.add_raw(p, "validate-sim-TIME.jsonl")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        args.limit = args.limit or 120.0
        if args.resume:
            if args.quick or args.out:
                args.parser.error("with --resume only --reps, --budget and --limit")
            self.resumed()
        elif args.out and args.out.exists():
            args.parser.error(f"{args.out} is there already: --resume goes on with it")
        if args.emulate is False:
            args.parser.error("without a slowed CPU there is nothing to compare")
        args.emulate = True
        quick = args.quick
        session.defaults(
            args, kernels=list(QUICK_KERNELS) if quick else [], klass="S" if quick else "W",
            schedules=list(SCHEDULES), ratio=3.0, period=SHORT_PERIOD, method=METHODS[0],
            runs=1 if quick else 2, seed=1, reps=1 if quick else 3, budget=25.0,
        )  # fmt: skip

    def resumed(self) -> None:
        """Take the options that the raw file was begun with; --reps, --budget, --limit may change.

        The machine must be the same, and the recordings must be there.
        """
        args = self.args
        records = session.take_over(args, args.parser, "validate-sim", KEPT, ("reps",))
        first, here = sessions(records)[0], machine.describe()
        for name in ("host", "cpu", "allowed"):
            was = first["machine"][name]
            if here[name] != was:
                args.parser.error(
                    f"{args.resume} is of another machine: {name} {was}, here {here[name]}"
                )
        for r in records:
            file = recordings(args.resume) / r.get("recording", ".")
            if r["type"] == "measured" and not file.is_file():
                args.parser.error(f"{file}: no such file")

    def run(self) -> int:
        args = self.args
        if args.table_from:
            return self.show(args.table_from)
        have, _ = session.libraries("amp")
        cpus = Cpus(args)
        if not cpus.fast:
            session.fail("two CPUs are needed")
        kernels.make(session.build_folder())
        launcher = cpus.launcher(args, {"amp": have["amp"]}, SHORT_PERIOD)
        chosen = session.chosen(args.kernels, kernels.load("first"), "kernel")
        raw = Session(args, "validate-sim", "validate-sim")
        subjects = [
            validation.Subject(
                args, launcher, launcher.tools / "amp-sim", k, args.klass, recordings(raw.raw)
            )
            for k in chosen
            if args.klass in k.classes
        ]
        for subject in subjects:
            subject.remember(raw.before)

        def work(out: RawFile) -> None:
            self.measure(subjects, out)
            progress = Progress(len(subjects))
            for subject in subjects:
                for prediction in subject.predict():
                    out.write(prediction)
                progress.step(f"{subject.kernel.name}: predicted")
            progress.finish()

        kept = {name: getattr(args, name) for name in KEPT}
        status = raw.measure(raw.head(launcher, arguments=kept), work)
        return self.show(raw.raw) if status is None else status

    def measure(self, subjects: Sequence[validation.Subject], out: RawFile) -> None:
        """All rounds that are wanted and were not done before."""
        args = self.args
        begin = time.monotonic()
        rounds = range(1, args.reps + 1)
        lacking = sum(r not in s.done for r in rounds for s in subjects)
        progress = Progress(lacking * args.runs * len(args.schedules))
        for round_ in rounds:
            for subject in shuffled(subjects, args.seed, round_):
                if round_ in subject.done:
                    continue
                if time.monotonic() - begin > 60 * args.budget:
                    progress.say(
                        f"time budget: stopped in round {round_} of {args.reps} (--budget)"
                    )
                    return
                subject.round(round_, out, progress)
        progress.finish()

    def show(self, raw: Path) -> int:
        records = session.load(raw)
        if not any(r["type"] in ("prediction", "failed") for r in records):
            session.fail(f"{raw}: no predictions")
        print(f"{validation.tables(records)}\nraw data: {raw}")
        return 0
