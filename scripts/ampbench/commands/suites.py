# SPDX-License-Identifier: GPL-3.0-or-later
"""Suites of programs that are there already."""

from __future__ import annotations

import argparse
import os
import signal
import time
from pathlib import Path

from .. import describe, kernels, machine, results, sensors, session, suite
from ..config import Config, parse_all
from ..emulation import METHODS, PERIOD, Slowing
from ..launch import Launcher
from ..plan import EQUAL, REAL, Plan
from ..record import RawFile, Record
from ..runtimes import Runtime
from ..session import Cpus, Parser, Session, fail, say

SUITES = kernels.TOP / "benchmarks" / "suites"
COOLING_LIMIT = 300.0
# What a session that goes on takes from its file.
KEPT = (
    "suites", "bin", "data", "lib", "programs", "set", "configs", "threads", "types", "reps",
    "warm_once", "trace", "seed", "env", "slow", "ratio", "period", "method", "energy", "sysfs",
    "interval", "cool_to", "limit",
)  # fmt: skip


def suite_file(name: str) -> Path:
    path = Path(name)
    return path if path.suffix == ".toml" or "/" in name else SUITES / f"{name}.toml"


def same_programs(now: list[Record], before: list[Record]) -> None:
    """A session goes on with what it began with, else the rounds are of different programs."""
    earlier = {(r["suite"], r["program"]): r for r in before if r["type"] == "program"}
    for r in now:
        e = earlier.get((r["suite"], r["program"]))
        if e and not e["missing"] and (e["sha256"], e["command"]) != (r["sha256"], r["command"]):
            fail(f"{r['suite']}/{r['program']} has changed since the session began: start anew")


class Suites:
    """Run a benchmark suite that you have built with amp-gcc under a list of schedules.

    A SUITE is a description of commands and inputs: a TOML file, or the name of one in
    benchmarks/suites (npb, rodinia, parsec, kernels). docs/measure/benchmarks.md says how.
    `bench report` makes tables and plots of the raw data.

    A configuration is SCHEDULE[+sf]@BINDING: static@sb, static@bs, dynamic,1@bs,
    aid_static@bs, aid_hybrid,80@4-7:0-3, unset@free. Without a binding it is bs. The
    names of presets stand for several: paper, default, chunks, percent, offline."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("suites", nargs="*", metavar="SUITE", help="descriptions, or their names")
        p.add_argument("--bin", metavar="DIR", help="the folder of the programs (for kernels: "
                       "build/bench/amp)")
        p.add_argument("--data", metavar="DIR", help="the folder of their inputs (that of --bin)")
        p.add_argument("--programs", metavar="A,B", help="only these")
        p.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                       help="a value of the description, as class=A; PROGRAM.NAME=VALUE for one "
                       "program")
        p.add_argument("--configs", action="append", default=[], metavar="'C C ...'",
                       help="configurations, separated by blanks (default)")
        p.add_argument("--threads", type=session.counted, metavar="N",
                       help="threads (one a usable CPU)")
        p.add_argument("--types", metavar="LISTS", help="core types, as GOMP_AMP_TYPES: 4-7:0-3")
        p.add_argument("--lib", metavar="DIR", help="the folder of our libgomp.so.1 "
                       "(build/stage/lib if it is there); none: as the programs were linked")
        session.add_rounds(p, "4", limit="the description's")
        p.add_argument("--warm-once", action="store_true", default=None,
                       help="one discarded run a program, not one a configuration")
        p.add_argument("--env", action="append", default=[], metavar="NAME=VALUE",
                       help="set in the programs' environment")
        p.add_argument("--trace", action="store_true", default=None,
                       help="afterwards one run a configuration with GOMP_AMP_TRACE")
        p.add_argument("--slow", metavar="CPUS", help="slow these CPUs by amp-emulate: 1 or 2,3 "
                       "(--emulate: the last)")
        p.add_argument("--ratio", type=session.slower, help="--slow: how many times (3)")
        session.add_emulation(p, PERIOD, "--slow: ")
        p.add_argument("--energy", choices=("auto", "none", *sensors.GROUPS),
                       help="where energy comes from (auto: the first that is there)")
        p.add_argument("--interval", type=float, metavar="S",
                       help="between samples of sensors (0.25)")
        p.add_argument("--cool-to", type=float, metavar="C",
                       help="before each run wait until nothing is hotter, at most 5 minutes")
        p.add_argument("--sysfs", metavar="DIR", help="read sensors there instead of in /sys")
        p.add_argument("--out", type=Path, metavar="FILE", help="raw file (build/suite/TIME.jsonl)")
        p.add_argument("--resume", type=session.existing, metavar="FILE",
                       help="go on with this raw file, with its options")
        p.add_argument("--list", action="store_true", help="say what would run, and what is missing")
        p.add_argument("--quiet", action="store_true", help="no progress")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args, error = args, args.parser.error
        if args.resume and args.out:
            error("--resume and --out exclude each other")
        if args.resume:
            session.take_over(args, args.parser, "suite", KEPT, ("reps", "limit", "cool_to"))
        if not args.suites:
            error("which suite? " + ", ".join(sorted(f.stem for f in SUITES.glob("*.toml"))))
        session.defaults(
            args, reps=4, ratio=3.0, period=PERIOD, method=METHODS[0], energy="auto",
            interval=sensors.INTERVAL, sysfs="/sys", seed=int(time.time()), warm_once=False,
            trace=False, configs=["default"],
        )  # fmt: skip
        if args.interval <= 0 or (args.limit is not None and args.limit <= 0):
            error("--interval and --limit must be above 0")
        if any("=" not in s for s in args.env):
            error("--env: NAME=VALUE is expected")
        if args.emulate is False and args.slow:
            error("--slow slows CPUs: not with --no-emulate")
        # The session's file may be continued from another folder.
        args.suites = [str(suite_file(s).resolve()) for s in args.suites]
        for name in ("bin", "data", "sysfs"):
            if getattr(args, name):
                setattr(args, name, str(Path(getattr(args, name)).resolve()))
        if args.bin is None:
            if [Path(s).stem for s in args.suites] != ["kernels"]:
                fail("--bin DIR: where are the programs?")
            args.bin = str(session.build_folder() / "bench" / "amp")
        args.data = args.data or args.bin

    def library(self) -> Path | None:
        if self.args.lib == "none":
            return None
        given = self.args.lib
        folder = Path(given) if given else session.build_folder() / "stage" / "lib"
        if (folder / "libgomp.so.1").is_file():
            return folder.resolve()
        if given:
            fail(f"{folder}/libgomp.so.1 is not there")
        return None

    def programs(self) -> list[describe.Program]:
        args = self.args
        programs = [p for s in args.suites for p in describe.load(Path(s), args.set)]
        keys = [p.key for p in programs]
        twice = {k for k in keys if keys.count(k) > 1}
        if twice:
            fail(f"{', '.join(sorted(twice))}: described twice")
        if not args.programs:
            return programs
        known = {n: p for p in programs for n in (p.key, p.name)}
        session.chosen(args.programs, {p.name: p for p in programs} | known, "program")
        wanted = session.words(args.programs)
        return [p for p in programs if p.name in wanted or p.key in wanted]

    def described(self, place: suite.Place, programs: list[describe.Program]) -> list[Record]:
        out = []
        for p in programs:
            places = place.places("WORK")
            why = describe.missing(p, places)
            command = [p.fill(c, places) for c in p.command]
            for other in (*p.links.values(), *p.same, *p.environment.values()):
                p.fill(other, places)
            out.append(
                {
                    "type": "program", "suite": p.suite, "program": p.name, "about": p.about,
                    "command": command, "sha256": machine.sha256(Path(command[0])), "missing": why,
                }
            )  # fmt: skip
            if why:
                say(f"{p.key} is left out: {why}")
        return out

    def slowed(self) -> tuple[Launcher, float]:
        """Who slows CPUs, if anybody, and the ratio of speeds."""
        args = self.args
        try:
            wanted = session.numbers(args.slow) if args.slow else None
        except argparse.ArgumentTypeError as e:
            fail(f"--slow {args.slow}: CPU numbers, separated by commas ({e})")
        cpus = Cpus(args, wanted)
        if wanted and not cpus.fast:
            fail(f"--slow {args.slow}: not all CPUs")
        args.slow = machine.cpu_list(cpus.slow) if wanted or args.emulate else None
        ratio = args.ratio if args.slow else REAL if cpus.real else EQUAL
        if ratio == EQUAL and not args.types:
            say("one type of cores: --emulate or --slow makes some of them slow")
        slowing = Slowing(args.period, args.method)
        return Launcher(session.build_folder(), {}, cpus.fast, cpus.slow, slowing, 0.0), ratio

    def before_run(self) -> None:
        if ASKED:
            raise KeyboardInterrupt
        self.cool()

    def cool(self) -> None:
        wanted = self.args.cool_to
        end = time.monotonic() + COOLING_LIMIT
        while wanted is not None:
            heat = sensors.temperatures(Path(self.args.sysfs))
            if not heat or max(heat.values()) <= wanted:
                return
            if time.monotonic() > end:
                say(f"still above {wanted:g} degrees after {COOLING_LIMIT:g} s")
                return
            time.sleep(1.0)

    def run(self) -> int:
        try:
            return self.work()
        except (describe.Wrong, ValueError) as e:
            fail(str(e))

    def work(self) -> int:
        args = self.args
        configs = parse_all(args.configs)
        programs = self.programs()
        root = Path(args.sysfs)
        if args.energy != "none":
            sensors.enable(root, say)
        meters = [] if args.energy == "none" else sensors.meters(root, args.energy)
        if args.energy in sensors.GROUPS and not meters:
            fail(f"--energy {args.energy}: nothing of it can be read below {root}")
        library = self.library()
        args.lib = str(library) if library else "none"
        place = suite.Place(
            bin=Path(args.bin), data=Path(args.data), library=library,
            threads=args.threads or len(os.sched_getaffinity(0)),
            types=args.types or os.environ.get("GOMP_AMP_TYPES"), sysfs=root,
            interval=args.interval, meters=meters, limit=args.limit,
            environment=dict(s.split("=", 1) for s in args.env),
        )  # fmt: skip
        args.threads = place.threads
        described = self.described(place, programs)
        if args.list:
            for r in described:
                note = f"  (left out: {r['missing']})" if r["missing"] else ""
                print(f"{r['suite']}/{r['program']}: {' '.join(r['command'])}{note}")
            print("under: " + " ".join(c.name for c in configs))
            return 0
        here = [p for p, r in zip(programs, described) if not r["missing"]]
        if not here:
            fail("none of the programs is there (--bin, --data, --list)")
        slower, ratio = self.slowed()
        for config in configs:
            if why := suite.complaint_of(place, config, args.types):
                fail(f"{config.name}: {why}")
        name = "-".join(Path(s).stem for s in args.suites)
        if args.out and args.out.is_file():
            fail(f"{args.out} is there already; --resume goes on with it")
        stamp = time.strftime("%Y%m%d-%H%M%S")
        args.out = args.out or session.build_folder() / "suite" / f"{name}-{stamp}.jsonl"
        raw = Session(args, "suite", name)
        same_programs(described, raw.before)

        def measure(out: RawFile) -> None:
            for r in described:
                out.write(r)
            amp_run = library.parent / "bin" / "amp-run" if library else None
            jobs = [
                suite.Job(
                    place, p, configs, ratio, raw.raw.with_suffix(".files").absolute(),
                    amp_run if amp_run and amp_run.is_file() else None, out.write, say,
                )
                for p in here
            ]  # fmt: skip
            for job in jobs:
                job.remember(raw.before)
            Plan(
                jobs, args.reps, args.seed, out.write, raw.known, by_job=True, patient=True,
                emulate=session.emulations(slower), warm_once=args.warm_once, traced=args.trace,
                before_run=self.before_run, quiet=args.quiet,
            ).run()  # fmt: skip

        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        status = raw.measure(self.head(raw, place, configs, slower, ratio), measure)
        if status is not None:
            return status
        for platform in results.platforms(session.load(raw.raw), raw.raw.stem):
            print(results.report(platform))
        print(f"\nraw data: {raw.raw}\nscripts/bench report {raw.raw} --html {raw.raw.stem}.html")
        return 0

    def head(self, raw: Session, place: suite.Place, configs: list[Config], slower: Launcher,
             ratio: float) -> Record:  # fmt: skip
        args, root = self.args, place.sysfs
        group = place.meters[0].group if place.meters else None
        served = None
        if place.library:
            file = (place.library / "libgomp.so.1").resolve()
            served = Runtime("amp", file, place.library).record()
        slow = {"cpus": slower.slow, "ratio": ratio, "method": args.method}
        return raw.head(
            arguments={k: getattr(args, k) for k in KEPT}, library=served,
            configs=[c.name for c in configs], threads=place.threads, types=args.types,
            slow=slow if ratio not in (EQUAL, REAL) else None,
            own_types=[slower.fast, slower.slow] if ratio == REAL else None,
            clocks=sensors.clocks(root), governor=sensors.governors(root),
            energy={
                "group": group, "meters": [m.name for m in place.meters],
                "unreadable": sensors.unreadable(root),
            },
        )  # fmt: skip


# Signals that have asked to stop.  What a handler raises while Python forks is lost, so it is
# raised again before the next run.
ASKED: list[int] = []


def interrupt(number: int, frame: object) -> None:
    ASKED.append(number)
    raise KeyboardInterrupt
