# SPDX-License-Identifier: GPL-3.0-or-later
"""Carries an experiment out: on which CPUs, into which raw file, part by part."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from . import machine, packages, programs, record, runtimes, sensors, short
from .config import WILD, Config, parse_all
from .emulation import METHODS, REPEAT, Emulation, NotPossible, Repeated, Slowing
from .experiment import Experiment, Part
from .job import Job
from .launch import Launcher
from .plan import Plan
from .programs import Program
from .record import EQUAL, REAL, RawFile, Record, Run, scene
from .simulation import Simulator
from .tables import NOISE_LIMIT

COOLING_LIMIT = 300.0
# Signals that have asked to stop.  What a handler raises while Python forks is lost, so it is
# raised again before the next run.
ASKED: list[int] = []


def fail(text: str) -> NoReturn:
    sys.exit(f"bench: {text}")


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr)


def build_folder() -> Path:
    return (programs.TOP / (os.environ.get("BUILD") or "build")).absolute()


def interrupt(number: int, frame: object) -> None:
    ASKED.append(number)
    raise KeyboardInterrupt


class Cpus:
    """Which CPUs are run on, and which of them are slow: by their type, or by emulation."""

    def __init__(self, tools: Path, emulate: bool | None, slow: Sequence[int] | None,
                 threads: int | None) -> None:  # fmt: skip
        usable = sorted(os.sched_getaffinity(0))
        types = machine.core_types(tools / "amp-info")
        self.real = types.several and not emulate and not slow
        if slow and not set(slow) < set(usable):
            fail(f"--slow {machine.cpu_list(slow)}: usable are {machine.cpu_list(usable)}")
        if self.real:
            say(f"{types}: they are measured as they are (--emulate slows CPUs beside that)")
            self.fast, self.slow = list(types.cpus[0]), [c for t in types.cpus[1:] for c in t]
        else:
            self.slow = list(slow or usable[-1:])
            self.fast = [c for c in usable if c not in self.slow]
        if not self.fast:
            self.fast, self.slow = self.slow, []
        self.emulate = bool(self.slow) and not self.real and emulate is not False
        self.guess = types.ratio  # of real types
        self.types = os.environ.get("GOMP_AMP_TYPES") if self.real else None
        if threads and threads > len(usable):
            fail(f"--threads {threads}: there are {len(usable)} usable CPUs, one a thread")
        if threads:
            self.fast = self.fast[: max(threads - len(self.slow), 0)] or self.fast[:threads]
            self.slow = self.slow[: threads - len(self.fast)]

    def ratios(self, part: Part) -> list[float]:
        """Of the machines to be measured: equal cores and emulated ones, or the one that is."""
        if self.real:
            return [REAL]
        return [r for r in part.ratios if r == EQUAL or self.emulate]


class Engine:
    """One experiment with the options of the command line."""

    def __init__(self, experiment: Experiment, args: argparse.Namespace) -> None:
        self.experiment, self.args = experiment, args
        self.build = build_folder()
        args.limit = args.limit or None
        stamp = time.strftime("%Y%m%d-%H%M%S")
        default = self.build / "bench" / f"{experiment.name}-{stamp}.jsonl"
        self.raw: Path = (args.resume or args.out or default).absolute()
        self.before: list[Record] = record.load(self.raw) if self.raw.is_file() else []
        seeds = [s["seed"] for s in record.sessions(self.before)]
        self.seed: int = args.seed if args.seed is not None else (seeds or [int(time.time())])[0]
        self.chosen: dict[str, list[Program]] = {}
        for part in experiment.parts:
            found = part.chosen(experiment.suite)
            if part.lengths:
                self.prepare_build(found)
                found = short.programs_of(self.build, found[0], part, self.before, args.programs)
            self.chosen[part.name] = found
        # Wrong configurations are found before anything is begun.
        self.order()

    def launcher(self) -> Launcher:
        args = self.args
        have, self.lack = runtimes.find(self.build)
        prefix = args.prefix
        if args.lib == "none":
            have["amp"] = runtimes.Runtime("amp", None, None)
        elif args.lib or prefix:
            folder = Path(args.lib) if args.lib else prefix / "lib"
            if not (folder / "libgomp.so.1").is_file():
                fail(f"{folder}/libgomp.so.1 is not there")
            have["amp"] = runtimes.Runtime("amp", (folder / "libgomp.so.1").resolve(), folder)
            have.setdefault("gomp", runtimes.Runtime("gomp", None, None))
            self.lack.pop("amp", None)
        elif "amp" in self.lack:
            fail(self.lack["amp"])
        root = Path(args.sysfs)
        meters: list[sensors.Meter] = []
        if args.energy != "none":
            sensors.enable(root, say)
            meters = sensors.meters(root, args.energy)
        if args.energy in sensors.GROUPS and not meters:
            fail(f"--energy {args.energy}: nothing of it can be read below {root}")
        suite = self.experiment.suite
        folder = Path(args.bin) if args.bin else None
        if suite.bin:
            folder = folder or self.build / "bench" / suite.bin
        needs_bin = any("{bin}" in word for p in suite.programs for word in p.command)
        if folder is None and suite.name != "kernels" and needs_bin:
            fail("--bin DIR: where are the programs?")
        emulate = args.emulate
        if emulate is None and not all(p.own_types for p in self.experiment.parts):
            emulate = True
        cpus = self.cpus = Cpus(runtimes.tools_of(have, self.build), emulate, args.slow, args.cpus)
        return Launcher(
            self.build, have, cpus.fast, cpus.slow, Slowing(args.period or "", METHODS[0]),
            args.limit, dict(s.split("=", 1) for s in args.env), folder and folder.resolve(),
            Path(args.data).resolve() if args.data else None, args.types or cpus.types,
            self.raw.with_suffix(".files"), root, meters, args.interval,
        )  # fmt: skip

    def prepare_build(self, some: Sequence[Program]) -> None:
        """What is there is taken with --bin and --prefix."""
        suite = self.experiment.suite
        if self.args.bin or self.args.prefix:
            return
        tasks = any(c.startswith("task") for p in self.experiment.parts for c in p.configs)
        programs.make(self.build, some, tasks)
        if suite.build:
            places = {"here": suite.programs[0].here, "build": str(self.build)}
            command = [word.format_map(places) for word in suite.build]
            if subprocess.run(command, check=False, stdout=sys.stderr.fileno()).returncode:
                fail(f"{' '.join(command)}: does not build")

    # What is to be done with the programs before they are measured, or in place of it.

    def setup(self) -> int:
        """Install the packages of programs, and make their inputs."""
        home = packages.Home(self.build / "field")
        some = [p for found in self.chosen.values() for p in found if p.packaged]
        home.folder.mkdir(parents=True, exist_ok=True)
        home.install(list({p.name: p for p in some}.values()), say)
        return 0

    def listed(self) -> int:
        """Say what would run, and what is missing."""
        launcher = self.launcher()
        for part in self.experiment.parts:
            for p in self.chosen[part.name]:
                klass = p.class_of(part.klass)
                stock = Config("amp", "unset")
                values = launcher.values(p, stock, klass, Path("WORK"))
                # Kernels are built when they are to run.
                why = None if p.row and not (self.args.bin or self.args.prefix) else p.missing(values)
                print(f"{part.name} {p.key}: {' '.join(launcher.command(p, stock, values))}"
                      + (f"  (left out: {why})" if why else ""))  # fmt: skip
            some = [
                part.configs_of(p, ratio, launcher.cpus, self.cpus.guess, self.args.configs)
                for p in self.chosen[part.name] for ratio in self.cpus.ratios(part)
            ]  # fmt: skip
            kinds = [x.name for x in part.lines] or [c.name for each in some for c in each]
            print(f"  under: {' '.join(dict.fromkeys(kinds))}")
        return 0

    # Measuring.

    def head(self, launcher: Launcher) -> Record:
        """The record of this session."""
        e, args = self.experiment, self.args
        ours = {n: r.record() for n, r in launcher.runtimes.items() if r.library}
        lacking = {runtimes.PEER_TITLES.get(n, n): why for n, why in self.lack.items()}
        out: Record = {
            "type": "session", "format": record.FORMAT, "experiment": e.name, "title": e.title,
            "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "command": sys.argv, "seed": self.seed,
            "machine": machine.describe(), "revision": machine.revision(programs.TOP),
            "arguments": args.kept, "tables": e.tables, "notes": e.notes, "libraries": ours,
            "lacking": lacking, "alone": {p.name: p.alone for p in e.parts if p.alone},
            "pinning": {"cpus": launcher.cpus, "slow": launcher.slow}, "order": self.order(),
            **Slowing(args.period or e.parts[0].period, args.method or e.parts[0].method).record(),
        }  # fmt: skip
        work = {p.name: p.values["length"] for e in self.experiment.parts if e.lengths
                for p in self.chosen[e.name]}  # fmt: skip
        if launcher.meters:
            out["energy"] = [f"{m.group} {m.name}" for m in launcher.meters]
        elif closed := sensors.unreadable(launcher.sysfs):
            out["unreadable"] = closed[:1]
        if any(p.packaged for found in self.chosen.values() for p in found):
            out["packages"] = launcher.home.installed()
        return out | ({"work": work} if work else {})

    def order(self) -> Record:
        """In which programs and configurations are shown."""
        each = [c for p in self.experiment.parts for c in p.configs]
        plain = [c for c in self.args.configs if not set(c) & WILD] if each else []
        named = [c.name for c in parse_all([*each, *plain])]
        return {
            "programs": [p.name for found in self.chosen.values() for p in found],
            "configs": [*named, *(x.name for p in self.experiment.parts for x in p.lines)],
        }  # fmt: skip

    def possible(self, launcher: Launcher, part: Part) -> Launcher:
        """With the way of slowing that PART wants: of any the first that is possible."""
        method = self.args.method or part.method
        period = self.args.period or part.period
        tried = METHODS if method == "any" else (method,)
        for one in tried:
            out = replace(launcher, slowing=Slowing(period, one), limit=self.args.limit or part.limit or None)
            if method != "any" or not self.cpus.emulate:
                return out
            try:
                with self.emulation(out)(2.0):
                    return out
            except NotPossible as e:
                say(f"no emulated AMP by amp-emulate --method={one}: {e}")
        self.cpus.emulate = False
        return out

    @staticmethod
    def emulation(launcher: Launcher) -> Callable[[float], Emulation]:
        """A Plan's emulate; below 1 the other CPUs are slow."""
        if launcher.slowing.method == REPEAT:
            return lambda ratio: Repeated(launcher.fast, launcher.slow, ratio)

        def emulate(ratio: float) -> Emulation:
            slow, factor = (launcher.slow, ratio) if ratio > 1 else (launcher.fast, 1 / ratio)
            return Emulation(launcher.emulator, slow, factor, launcher.slowing)

        return emulate

    def run(self) -> int:
        """Everything; the exit status."""
        args, e = self.args, self.experiment
        launcher = self.launcher()
        self.prepare_build([p for found in self.chosen.values() for p in found])
        self.same_programs(launcher)
        load = machine.load_average()[0]
        if load > NOISE_LIMIT * len(launcher.cpus) + 0.5:
            say(f"NOISY: the load is {load:.1f} before anything runs; what follows says little")
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        with RawFile(self.raw) as out:
            out.write(self.head(launcher))
            for r in self.programs:
                out.write(r)
            try:
                for part in e.parts:
                    if part.simulated:
                        Simulator(
                            launcher, part, self.seed, args.costs or self.raw.with_suffix(".costs"),
                            record.load(self.raw), out.write, say,
                        ).run(self.chosen[part.name], part.klass)  # fmt: skip
                    else:
                        self.measure(self.possible(launcher, part), part, out)
            except NotPossible as why:
                fail(f"no emulated AMP: {why}\n(--no-emulate compares on the cores as they are)")
            except KeyboardInterrupt:
                say(f"stopped; go on with --resume {self.raw}")
                return 130
        return 0

    def same_programs(self, launcher: Launcher) -> None:
        """Describes the programs; a session goes on with what it began with."""
        self.programs: list[Record] = []
        earlier = {r["program"]: r for r in self.before if r["type"] == "program"}
        for part in self.experiment.parts:
            there = []
            for p in self.chosen[part.name]:
                stock = Config("stock" if p.row else "amp", "unset")
                values = launcher.values(p, stock, p.class_of(part.klass), Path("WORK"))
                why = p.missing(values)
                if why:
                    say(f"{p.key} is left out: {why}")
                else:
                    there.append(p)
                if p.row:
                    continue
                command = [p.fill(c, values) for c in p.command]
                r = {"type": "program", "suite": p.suite, "program": p.name, "command": command,
                     "sha256": machine.sha256(Path(command[0])), "missing": why}  # fmt: skip
                was = earlier.get(p.name)
                if was and not was["missing"] and was["sha256"] != r["sha256"]:
                    fail(f"{p.key} has changed since the session began: start anew")
                self.programs.append(r)
            if not there:
                fail("none of the programs is there (--bin, --data, --list)")
            self.chosen[part.name] = there

    def thread_counts(self, part: Part) -> list[int | None]:
        cpus = len(self.cpus.fast + self.cpus.slow)
        counts = [1 << i for i in range(cpus.bit_length()) if 1 << i < cpus] + [cpus]
        wanted = counts if part.threads == (0,) else list(part.threads)
        if any(t > cpus for t in wanted):
            fail(f"--threads {max(wanted)}: there are {cpus} usable CPUs, one a thread")
        return [*wanted] or [None]

    def jobs(self, launcher: Launcher, part: Part, out: RawFile) -> list[Job]:
        found = []
        ratios = self.cpus.ratios(part)
        counts = self.thread_counts(part)
        if ratios == [EQUAL] and part.own_types and not self.args.types:
            say("equal cores: --slow or --emulate makes some of them slow")
        for program in self.chosen[part.name]:
            klass = program.class_of(part.klass)
            warm = program.classes[:1] if part.warm == "least" else part.warm or klass
            warm = min(warm, klass, key=program.classes.find) if klass else ""
            for ratio in ratios:
                for threads in counts if ratio == EQUAL else [None]:
                    configs = part.configs_of(
                        program, ratio, launcher.cpus, self.cpus.guess, self.args.configs
                    )
                    # Another runtime may be missing, and of a program one of the builds.
                    configs = [c for c in configs if self.can(launcher, program, c)]
                    if not configs:
                        continue
                    here = launcher
                    if threads:
                        count = threads
                        here = replace(launcher, fast=launcher.cpus[:count], slow=launcher.cpus[count:][:0])
                        configs = [c for c in configs if c.runtime != "single"
                                   or int(c.schedule) in here.cpus]  # fmt: skip
                    where = scene(ratio) + (f", {threads} threads" if threads else "")
                    if len(counts) > 1 and not threads:
                        where += f", {len(launcher.cpus)} threads"
                    job = Job(here, program, configs, where, ratio, klass, warm, part.name,
                              out.write, say)  # fmt: skip
                    job.remember(self.before)
                    found.append(job)
        return found

    def can(self, launcher: Launcher, program: Program, config: Config) -> bool:
        if program.packaged or program.plain:
            return True
        why = launcher.missing(program, config)
        if why and config.runtime not in ("llvm", "intel"):
            text = f"{program.name} under {config.name}: {why}"
            if not self.args.bin:
                fail(text)
            # A board may lack some builds.
            say(f"left out: {text}")
        if not why and not program.row and (complaint := launcher.complaint_of(config)):
            fail(f"{config.name}: {complaint}")
        return not why

    def measure(self, launcher: Launcher, part: Part, out: RawFile) -> None:
        jobs = self.jobs(launcher, part, out)
        if not jobs:
            say(f"{part.name} is left out: nothing to run with these options, or no slow CPU")
            return
        known = [Run.of(r) for r in self.before if r["type"] == "run" and r.get("part") == part.name]
        Plan(
            jobs, part.reps, self.seed, out.write, known, 60 * part.budget,
            self.emulation(launcher), part.by_job, self.args.quiet, brief=part.brief,
            warm_once=part.warm_once, patient=part.patient, before_run=self.before_run,
        ).run()  # fmt: skip

    def before_run(self) -> None:
        if ASKED:
            raise KeyboardInterrupt
        end = time.monotonic() + COOLING_LIMIT
        while self.args.cool_to is not None:
            heat = sensors.temperatures(Path(self.args.sysfs))
            if not heat or max(heat.values()) <= self.args.cool_to:
                return
            if time.monotonic() > end:
                say(f"still above {self.args.cool_to:g} degrees after {COOLING_LIMIT:g} s")
                return
            time.sleep(1.0)
