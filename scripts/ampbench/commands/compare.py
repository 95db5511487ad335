# SPDX-License-Identifier: GPL-3.0-or-later
"""The comparisons of kernels: compare, sites, change."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from .. import change, compared, evaluation, kernels, plots, runtimes, session, sites
from ..config import BASELINE, PAPER, STOCK_DYNAMIC, Config, configs, parse, select
from ..emulation import PERIOD, SHORT_PERIOD
from ..kernels import Kernel
from ..launch import Launcher
from ..plan import EQUAL, REAL, Plan, Series
from ..record import RawFile, sessions
from ..session import Cpus, Parser, Session, fail

RATIOS = (1.5, 2.0, 3.0, 5.0)
STOCK_SCHEDULES = ("static", "dynamic,1", "guided")
PEER_SCHEDULES = ("dynamic,1", "guided", "static_steal")
# The fast CPUs' weight over the ratio: a kernel may be slowed by more than is asked.
SPLIT_FACTORS = (0.7, 0.85, 1.0, 1.2, 1.45, 1.75)
BASELINES = [parse(BASELINE), parse(STOCK_DYNAMIC)]


def yardsticks(kernel: Kernel, cpus: Sequence[int], ratio: float, guess: float) -> list[Config]:
    """What results are held against: hand-weighted splits, and each CPU alone."""
    splits = [f"{(ratio or guess) * f:.3g}" for f in SPLIT_FACTORS] if ratio != EQUAL else ["1"]
    out = configs("split", *splits) if kernel.split else []
    return out + configs("single", *cpus)


# What is compared for a kernel on CPUS.  GUESS: how unequal they are where RATIO is REAL.


def comparison_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Sequence[str], guess: float = 2.0
) -> list[Config]:
    out = [*BASELINES, *configs("gomp", "guided"), *configs("amp", *STOCK_SCHEDULES, *PAPER, "unset")]
    for peer in peers:
        out += configs(peer, *PEER_SCHEDULES)
    return out + yardsticks(kernel, cpus, ratio, guess)


def evaluation_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Sequence[str], _guess: float = 2.0
) -> list[Config]:
    """On equal cores only what asymmetry changes nothing for."""
    out = list(BASELINES)
    if ratio != EQUAL:
        out += configs("gomp", "guided")
        for peer in peers:
            out += configs(peer, *PEER_SCHEDULES)
    out += configs("amp", *PAPER, "aid_hybrid", "aid_dynamic", "unset")
    return out + configs("single", *cpus)


def sites_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Sequence[str], guess: float = 2.0
) -> list[Config]:
    out = [*BASELINES, *configs("amp", *PAPER, "unset"), *configs("free", *sites.FREE)]
    if ratio not in (EQUAL, REAL):  # else there is nothing that it would not be told
        out += configs("blind", "unset")
    for peer in peers:
        out += configs(peer, *sites.PEERS)
    return out + yardsticks(kernel, cpus, ratio, guess)


def overhead_configs(kernel: Kernel) -> list[Config]:
    """The plugin's code under static against inline static."""
    out = [*configs("stock", "static"), *configs("amp", "static")]
    if kernel.overhead:
        out += configs("gomp", *STOCK_SCHEDULES)
        out += configs("amp", "aid_static", "unset", "dynamic,1", "guided")
        # A team of one type is static by itself: plans need two.
        out += configs("typed", "aid_static", "unset")
    return out


def unusual_configs(ratio: float) -> list[Config]:
    """What no comparison has by itself, but a pattern may ask for."""
    out = configs("free", "static", "aid_static", "aid_hybrid,80", "unset")
    return out + (configs("blind", "aid_static", "unset") if ratio != EQUAL else [])


class Common:
    """Options and steps of the three."""

    name = ""
    period = PERIOD
    several_ratios = False
    brief = False  # Plan's
    reps, budget, limit = "5; quick 3", "20; quick 3", 120.0
    extra = ""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--quick", action="store_true", help="small classes; about 3 minutes on an idle machine")
        p.add_argument("--kernels", type=session.words, help=f"comma-separated ({cls.extra})")
        p.add_argument("--class", dest="klass", help="problem class for every kernel")
        p.add_argument("--configs", action="append", default=[], metavar="RUNTIME:SCHEDULE",
                       help="only these (shell patterns; several times), baselines are kept")
        p.add_argument("--threads", type=session.counted,
                       help="threads, one a CPU (all usable CPUs)")
        p.add_argument("--slow", type=session.numbers, metavar="CPUS",
                       help="CPUs to slow, comma-separated (the last)")
        p.add_argument("--ratio", type=session.words, dest="ratios", metavar="RATIOS",
                       help="how many times slower; a list is possible (3; of all kernels and "
                       "of sites 1.5,2,3,5)")
        session.add_emulation(p, f"{PERIOD}; all {SHORT_PERIOD}")
        p.add_argument("--only", choices=("equal", "emulated"), help="one of the two machines")
        session.add_rounds(p, cls.reps, cls.budget, "120; all 40")
        session.add_raw(p, f"{cls.name}-TIME.jsonl", "also plot (png, svg, pdf)")
        p.add_argument("--fetch-peers", action="store_true",
                       help="get Intel's libiomp5 from PyPI into the build folder first")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.details = getattr(args, "details", False)
        default = [f"{r:g}" for r in RATIOS] if self.several_ratios else ["3"]
        try:
            args.ratios = sorted({session.slower(r) for r in args.ratios or default})
        except argparse.ArgumentTypeError as e:
            args.parser.error(f"--ratio {e} (--only equal compares on equal cores)")

    @property
    def mode(self) -> str:
        return self.name

    def run(self) -> int:
        args = self.args
        if args.table_from:
            self.show(args.table_from)
            return 0
        if args.fetch_peers:
            session.say(f"libiomp5: {runtimes.fetch_intel(session.build_folder())}")
        have, self.lack = session.libraries("amp", "gomp")
        args.limit = args.limit or self.limit
        self.cpus = Cpus(args, args.slow)
        self.cpus.limit(args.threads)
        self.peers = [p for p in runtimes.PEER_TITLES if p in have]
        self.launcher = self.cpus.launcher(args, have, self.period)
        self.session = Session(args, self.mode, self.mode)
        self.session.same_slowing(self.launcher.slowing)
        status = self.measure()
        # Also of what there is when it was interrupted.
        if status is None or any(r.get("round", 0) > 0 for r in session.load(self.session.raw)):
            self.show(self.session.raw)
        return status or 0

    def measure(self) -> int | None:
        raise NotImplementedError

    def report(self, raw: Path) -> str:
        """The tables of a raw file, whichever of the comparisons it is of."""
        records = session.load(raw)
        mode = next((s.get("mode", "") for s in sessions(records)), "")
        if mode == "change":
            return change.full_report(records)
        if mode == "all":
            return evaluation.full_report(records, self.details)
        if mode != "sites":
            return compared.full_report(records)
        text = compared.full_report(records, sites.judge)
        untold = sites.compare_blind(records)
        return text + ("\n\nnot told the types:\n  " + "\n  ".join(untold) if untold else "")

    def show(self, raw: Path) -> None:
        print(f"{self.report(raw)}\n\nraw data: {raw}", flush=True)
        if self.args.plot:
            plots.draw(raw, self.args.plot)

    def head(self, ratios: Sequence[float], **more: object) -> dict[str, object]:
        lacking = {runtimes.PEER_TITLES.get(n, n): why for n, why in self.lack.items()}
        return self.session.head(self.launcher, ratios=ratios, lacking=lacking, **more)

    def plan(self, work: Plan, head: dict[str, object]) -> int | None:
        def measure(out: RawFile) -> None:
            work.write = out.write
            work.run()

        return self.session.measure(head, measure)


class Compare(Common):
    """Compare schedules and OpenMP libraries on the kernels of benchmarks/kernels.

    Builds the kernels, runs them interleaved on equal cores and on an emulated AMP (amp-emulate
    slows the last CPU), or on the types of cores that this machine has, and prints tables with
    the efficiency against the asymmetric ideal of the same rounds."""

    name = "compare"
    extra = "ep, cg, stencil and tail"
    reps, budget = "5; quick and all 3; overhead 11", "20; quick 3; all 27"

    @classmethod
    def options(cls, p: Parser) -> None:
        super().options(p)
        if cls is Sites:
            return
        kind = p.add_mutually_exclusive_group()
        kind.add_argument("--all", action="store_true",
                          help="every kernel at four ratios; efficiencies side by side")
        kind.add_argument("--overhead", action="store_true",
                          help="equal cores: our code under static against gcc's inline static")
        p.add_argument("--details", action="store_true",
                       help="--all: print each kernel's table, too")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.all = getattr(args, "all", False)
        self.overhead = getattr(args, "overhead", False)
        self.several_ratios = self.several_ratios or self.all
        if self.all:
            self.period, self.limit = SHORT_PERIOD, 40.0
            if args.quick:
                args.parser.error("--all: without --quick (--class S and --budget make it short)")
        if self.overhead:
            args.only, args.emulate = "equal", args.emulate or True
        super().__init__(args)

    @property
    def mode(self) -> str:
        if self.name == "sites":
            return "sites"
        return "all" if self.all else "overhead" if self.overhead else "comparison"

    def candidates(self) -> list[Kernel]:
        wanted = self.args.kernels
        groups = tuple(kernels.TARGETS) if self.all or wanted else ("bench",)
        known = kernels.load("own", groups)
        found: list[Kernel] = session.chosen(wanted, known, "kernel")
        return [k for k in found if self.overhead or not k.overhead]

    def usual_class(self, k: Kernel) -> str:
        return k.evaluation if self.all else k.quick if self.args.quick else k.default

    def configs(self, kernel: Kernel, ratio: float) -> list[Config]:
        if self.overhead:
            return overhead_configs(kernel)
        of = evaluation_configs if self.all else comparison_configs
        return of(kernel, self.launcher.cpus, ratio, self.peers, self.cpus.guess)

    def series(self, ratios: Sequence[float]) -> list[Series]:
        out = []
        for kernel in self.candidates():
            klass = session.class_of(kernel, self.args.klass or self.usual_class(kernel))
            least = kernel.classes[0] if self.all else kernel.quick
            warm = min(klass, least, key=kernel.classes.index)
            for ratio in ratios:
                try:
                    chosen = select(
                        self.configs(kernel, ratio), self.args.configs, unusual_configs(ratio)
                    )
                except ValueError as e:
                    fail(str(e))
                out.append(Series(self.launcher, kernel, klass, warm, ratio, tuple(chosen)))
        return out

    def measure(self) -> int | None:
        args = self.args
        ratios = self.cpus.ratios(args.ratios, args.only)
        series = self.series(ratios)
        if not series:
            fail("nothing to run with these options")
        kernels.make(self.launcher.build, {"bench", *(s.kernel.group for s in series)})
        for job in series:
            for c in job.configs:
                if why := self.launcher.missing(c, job.kernel):
                    fail(f"{c.name}: {why}")
        reps = args.reps or (11 if self.overhead else 3 if args.quick else 5)
        usual = {"all": 27.0, "sites": 25.0}.get(self.mode, 20.0)
        budget = args.budget or (3.0 if args.quick else usual)
        plan = Plan(
            series, reps, self.session.seed, print, self.session.known, budget * 60,
            session.emulations(self.launcher), brief=self.brief or self.all, warm_once=args.quick,
        )  # fmt: skip
        return self.plan(plan, self.head(ratios))


class Sites(Compare):
    """Known loop sites, auto, and no pinning; on equal cores and at four ratios.

    Whether loops that come again are as fast as a split by hand, auto as the best schedule, and
    unbound threads as bound ones; on the types of cores that this machine has, or by emulation."""

    name = "sites"
    extra = ",".join(sites.KERNELS)
    several_ratios = True
    reps, budget = "5; quick 3", "25; quick 3"

    def candidates(self) -> list[Kernel]:
        self.args.kernels = self.args.kernels or list(sites.KERNELS)
        return super().candidates()

    def configs(self, kernel: Kernel, ratio: float) -> list[Config]:
        return sites_configs(kernel, self.launcher.cpus, ratio, self.peers, self.cpus.guess)


class Change(Common):
    """The slow CPU changes in the middle of each run; speed over time.

    Always by emulation, beside whatever types of cores the machine has."""

    name = "change"
    extra = "stencil, the one that can say when its steps were over"
    reps, budget = "3", "20"

    @classmethod
    def options(cls, p: Parser) -> None:
        super().options(p)
        p.add_argument("--at", type=float, metavar="SECONDS",
                       help="when it changes, after the program's start (measured)")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__(args)
        if len(args.ratios) > 1 or args.only or args.kernels or args.emulate is False:
            args.parser.error("one ratio, without --only, --kernels and --no-emulate")
        if args.at is not None and args.at <= 0:
            args.parser.error("--at: a positive number of seconds")
        args.emulate = True

    def scene(self, launcher: Launcher, kernel: Kernel) -> change.Scene:
        """When what changes.  A session that goes on keeps its own."""
        args = self.args
        earlier = change.scene_of(self.session.before)
        if earlier:
            return earlier
        usual = change.QUICK_CLASS if args.quick else change.DEFAULT_CLASS
        klass = session.class_of(kernel, args.klass or usual)
        ratio, at = args.ratios[0], args.at
        if at is None:
            probe = launcher.execute(parse(BASELINE), kernel, klass)
            if not probe.ok or probe.seconds is None:
                fail(f"{kernel.name} {klass}: {probe.status}")
            count = (len(launcher.fast), len(launcher.slow))
            at = change.half_of_ideal(probe.seconds, *count, ratio)
        then = change.other_cpus(launcher.fast, launcher.slow)
        return change.Scene(klass, ratio, round(at, 3), tuple(launcher.slow), then)

    def measure(self) -> int | None:
        args, launcher = self.args, self.launcher
        if not launcher.fast or not launcher.slow:
            fail("change needs a fast and a slow CPU")
        kernel = kernels.load()[change.KERNEL]
        kernels.make(launcher.build, ["bench"])
        scene = self.scene(launcher, kernel)
        try:
            chosen = change.default_configs(launcher.cpus, args.configs)
        except ValueError as e:
            fail(str(e))
        for c in chosen:
            if why := launcher.missing(c, kernel):
                fail(f"{c.name}: {why}")
        plan = Plan(
            [change.Job(launcher, scene, kernel, chosen)], args.reps or 3, self.session.seed,
            print, self.session.known, 60 * (args.budget or 20.0), warm=False, patient=True,
        )  # fmt: skip
        return self.plan(plan, self.head([scene.ratio], scene=scene.record()))
