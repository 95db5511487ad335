# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that people install, as their packages have them: described by a register, run on the
system's libgomp and on ours, and judged by their results.

The register is benchmarks/field/field.toml, which says what its keys mean.
"""

from __future__ import annotations

import math
import os
import platform
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import describe, machine, reading
from .config import Config
from .describe import Program, Wrong
from .emulation import Emulation
from .kernels import TOP
from .launch import Launch, Launcher, Outcome, Usage, start
from .plan import EQUAL, REAL
from .record import Record, Run
from .suite import DISPLAY, digest, judge

REGISTER = TOP / "benchmarks" / "field" / "field.toml"
KEYS = {
    "apt", "pip", "input", "numbers", "tolerance", "log", "preload", "replace", "optional", "small",
}  # fmt: skip
FULL, SMALL = "full", "small"
# Numbers this close to nought are equal.
NOTHING = 1e-12
# Of the dynamic linker's own account: which library's code a call of OpenMP's goes to.
BINDING = re.compile(rb"binding file .* to (\S+) \[\d+\]: \w+ symbol `GOMP_parallel\w*'")
OURS_SAYS = "GOMP_AMP_AFFINITY"
# amp-run, where it does not go by earlier runs yet.
LEARNING = re.compile(
    r"^amp-run: --auto: (a (?:first run|run to find out).*)$", re.MULTILINE
)
# Three forms of a team, and three runs of each.
LESSONS = 9
THREADS = re.compile(r"^\s*\[host\] threads of a team = '(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Way(Config):
    """How a program is started.  A Plan knows it by its name."""

    options: tuple[str, ...] = ()  # of amp-run; the runtime is then amp
    fast: bool = False  # on the fast CPUs alone

    @property
    def name(self) -> str:
        return self.schedule

    @property
    def ours(self) -> bool:
        return self.runtime == "amp"

    @property
    def weighted(self) -> bool:
        """Whether it chooses the number of threads itself."""
        return any(o.startswith("--weighted") for o in self.options)

    @property
    def learns(self) -> bool:
        """Whether it goes by what earlier runs have taken."""
        return "--auto" in self.options


STOCK, REPLACE = "stock", "replace"
WAYS = {
    w.name: w
    for w in (
        Way("stock", STOCK),
        Way("amp", "ours"),
        Way("amp", "weighted", options=("--weighted",)),
        Way("amp", "auto", options=("-v", "--auto")),
        Way("amp", REPLACE),
        Way("stock", "fast", fast=True),
    )
}
WHAT = {
    STOCK: "the libgomp of the system or package, a thread on each CPU",
    "ours": "amp-run, nothing set",
    "weighted": "amp-run --weighted",
    "auto": "amp-run --auto, after the runs from which it learns",
    REPLACE: "amp-run --replace: dynamic and guided loops under schedules of ours",
    "fast": "the system's libgomp, on the fast CPUs alone",
}


@dataclass(frozen=True)
class Field:
    """A program of the register."""

    program: Program
    small: Program  # with the small input
    apt: tuple[str, ...] = ()
    pip: tuple[str, ...] = ()
    input: tuple[str, ...] = ()  # a command that makes the input
    numbers: str | None = None  # regular expression: its last match holds the result's numbers
    tolerance: float = 0.0
    log: str = ""  # a file that is looked at like the output
    preload: bool = False
    replace: str = ""
    optional: bool = False

    @property
    def name(self) -> str:
        return self.program.name

    def of(self, klass: str) -> Program:
        return self.small if klass == SMALL else self.program


def field_of(where: str, row: Mapping[str, Any], defaults: Mapping[str, Any]) -> Field:
    both = {**defaults, **row}
    own = {k: both.pop(k) for k in list(both) if k in KEYS}
    program = describe.program_of(where, "field", both, {}, {})
    where = f"{where}: {program.name}"
    small = describe.table(where, "small", own.get("small", {}))
    if set(small) - set(program.values):
        raise Wrong(f"{where}: small has a value that values lacks")
    numbers = own.get("numbers") or None
    if numbers is None and not program.same:
        raise Wrong(f"{where}: neither numbers nor same: nothing tells a wrong result")
    return Field(
        program, replace(program, values={**program.values, **small}),
        apt=describe.texts(where, "apt", own.get("apt", [])),
        pip=describe.texts(where, "pip", own.get("pip", [])),
        input=describe.texts(where, "input", own.get("input", [])),
        numbers=describe.expression(where, "numbers", numbers, 1) if numbers is not None else None,
        tolerance=float(
            describe.expect_kind(where, "tolerance", own.get("tolerance", 0.0), (int, float))
        ),
        log=describe.expect_kind(where, "log", own.get("log", ""), str),
        preload=describe.expect_kind(where, "preload", own.get("preload", False), bool),
        replace=describe.expect_kind(where, "replace", own.get("replace", ""), str),
        optional=describe.expect_kind(where, "optional", own.get("optional", False), bool),
    )  # fmt: skip


def load(path: Path = REGISTER) -> dict[str, Field]:
    """The programs of the register by name, in its order."""
    try:
        raw = reading.tables(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise Wrong(f"{path}: {e}") from e
    rows = describe.expect_kind(path.name, "program", raw.get("program", []), list)
    found = [field_of(path.name, row, raw.get("defaults", {})) for row in rows]
    out = {f.name: f for f in found}
    if not found or len(out) < len(found):
        raise Wrong(f"{path.name}: no program, or one that is described twice")
    return out


@dataclass(frozen=True)
class Home:
    """The folder in which programs and their inputs are installed."""

    folder: Path
    here: Path = REGISTER.parent

    @property
    def root(self) -> Path:
        """Debian's packages, unpacked."""
        return self.folder / "debian"

    @property
    def venv(self) -> Path:
        return self.folder / "venv"

    @property
    def inputs(self) -> Path:
        return self.folder / "inputs"

    @property
    def lib(self) -> Path:
        found = sorted((self.root / "usr" / "lib").glob("*-linux-gnu*"))
        return (found or [self.root / "usr" / "lib" / f"{platform.machine()}-linux-gnu"])[0]

    def places(self, work: Path | str = "") -> dict[str, str]:
        wheels = sorted((self.venv / "lib").glob("python3*/site-packages"))
        named = {
            "python": "/usr/bin/python3", "venv": self.venv / "bin" / "python",
            "site": (wheels or [self.venv])[0], "root": self.root, "lib": self.lib, "here": self.here, "inputs": self.inputs, "work": work,
        }  # fmt: skip
        return {name: str(value) for name, value in named.items()}

    def environment(self, of: Field, work: Path | str = "") -> dict[str, str]:
        """Ours cleared of what concerns OpenMP, and where PROGRAM finds its parts."""
        env = machine.clean_environment()
        if of.apt:
            folders = (self.lib / "openblas-openmp", self.lib, self.root / "usr" / "lib",
                       self.root / "lib" / self.lib.name)  # fmt: skip
            env["LD_LIBRARY_PATH"] = ":".join(map(str, folders))
        filled = self.places(work)
        return env | {k: of.program.fill(v, filled) for k, v in of.program.environment.items()}

    def missing(self, of: Field) -> str | None:
        return describe.missing(of.program, self.places()) or describe.missing(
            of.small, self.places()
        )


@dataclass(frozen=True)
class Result:
    """What a program has found out."""

    numbers: tuple[float, ...] = ()
    digest: str | None = None

    def record(self) -> Record:
        return {"numbers": list(self.numbers), "digest": self.digest}

    def other_than(self, reference: Result, tolerance: float) -> str | None:
        """How it differs from REFERENCE, or None."""
        if self.digest != reference.digest:
            return "its file differs from stock's with as many threads"
        if len(self.numbers) != len(reference.numbers):
            return f"{len(self.numbers)} numbers, by stock {len(reference.numbers)}"
        for a, b in zip(self.numbers, reference.numbers):
            if not math.isclose(a, b, rel_tol=tolerance, abs_tol=NOTHING):
                return f"{a:.10g} instead of {b:.10g}, stock's with as many threads"
        return None


def numbers_in(pattern: str | None, text: str) -> tuple[float, ...]:
    """Those of the last place that PATTERN matches; raises ValueError where there are none."""
    if pattern is None:
        return ()
    found = list(re.finditer(pattern, text, re.MULTILINE))
    numbers = tuple(float(w) for w in found[-1][1].split()) if found else ()
    if not numbers:
        raise ValueError(f"nothing matches {pattern}")
    return numbers


def threads_of(said: str) -> int | None:
    """The default number of threads that our library names, of several the last process's."""
    ours = [block for block in DISPLAY.findall(said) if OURS_SAYS in block]
    found = THREADS.search(ours[-1]) if ours else None
    return int(found[1]) if found else None


def bindings(folder: Path) -> set[str]:
    """The libraries that serve parallel regions, by the linker's files in FOLDER."""
    out = set()
    for path in folder.glob("bindings.*"):
        with path.open("rb") as lines:
            for line in lines:
                if b"`GOMP_parallel" in line and (found := BINDING.search(line)):
                    out.add(os.path.realpath(found[1].decode()))
    return out


@dataclass
class Stand:
    """What all runs of a session share."""

    home: Home
    launcher: Launcher
    klass: str
    cache: Path  # what is remembered between runs: a folder for each program and ratio

    @property
    def library(self) -> Path:
        return (self.launcher.build / "stage" / "lib" / "libgomp.so.1").resolve()

    def launch(
        self, of: Field, way: Way, klass: str, work: Path, ratio: float,
        emulation: Emulation | None, threads: int | None = None,
    ) -> Launch:  # fmt: skip
        """THREADS: stock with so many, however few CPUs there are."""
        program, home, cpus = of.of(klass), self.home, self.launcher.cpus
        if way.fast:
            cpus = self.launcher.fast
        env = home.environment(of, work) | {
            "OMP_DISPLAY_ENV": "verbose",
            "XDG_CACHE_HOME": str(work.parent),
        }
        if not way.weighted:
            env["OMP_NUM_THREADS"] = str(threads or len(cpus))
        if threads and threads > len(cpus):
            env["OMP_WAIT_POLICY"] = "passive"
        types = emulation.types if emulation else self.launcher.types
        if emulation:
            emulation.add_to(env)
        command = [program.fill(c, home.places(work)) for c in program.command]
        if way.ours:
            words = [str(self.launcher.tools / "amp-run"), *way.options]
            if not way.learns:
                words.append("--quiet")
            if of.preload:
                words.append("--preload")
            if way.name == REPLACE:
                words += ["--replace", of.replace]
            if types:
                words += ["--types", types]
            if way.weighted and ratio not in (EQUAL, REAL):
                # The library cannot see what amp-emulate takes of a CPU.
                words += ["--sf", f"{ratio:g},1"]
            command = [*words, "--", *command]
        limit = self.launcher.limit or program.limit
        stdin = Path(program.fill(program.stdin, home.places(work))) if program.stdin else None
        return Launch(command, env, limit, sorted(cpus), work, stdin)

    def once(
        self, of: Field, way: Way, klass: str, ratio: float, emulation: Emulation | None,
        threads: int | None = None, probe: bool = False,
    ) -> tuple[Run, Result]:  # fmt: skip
        """One run, not yet held against another.  PROBE: see which library serves it."""
        # The same for each run, and kept for a session that goes on: what is remembered of a
        # program goes by its arguments.
        root = self.cache / f"{of.name}-{klass}-{ratio:g}-{way.name}{'-probe' * probe}"
        work, links = root / "work", root / "links"
        for folder in (work, links):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        launch = self.launch(of, way, klass, work, ratio, emulation, threads)
        if probe:
            launch.env["LD_DEBUG"] = "bindings"
            launch.env["LD_DEBUG_OUTPUT"] = str(links / "bindings")
        load = machine.load_average()
        usage = Usage(self.launcher.cpus, emulation.pid if emulation else None)
        try:
            outcome = start(launch)
        except OSError as e:
            return Run(status="crashed", why=f"cannot be started: {e}"), Result()
        others = usage.others(outcome.wall)
        served = bindings(links) if probe else None
        run, result = self._judged(of, way, klass, work, outcome, served, threads, others, load)
        for folder in (work, links):
            shutil.rmtree(folder)
        return run, result

    def _judged(
        self, of: Field, way: Way, klass: str, work: Path, outcome: Outcome,
        served: set[str] | None, threads: int | None, others: float, load: list[float],
    ) -> tuple[Run, Result]:  # fmt: skip
        program = of.of(klass)
        if of.log and (work / of.log).is_file():
            text = (work / of.log).read_text(encoding="utf-8", errors="replace")
            outcome = replace(outcome, stdout=f"{outcome.stdout}\n{text}")
        files = [Path(program.fill(f, self.home.places(work))) for f in program.same]
        loaded = OURS_SAYS in outcome.stderr
        status, why, found = judge(program, outcome, files, loaded or not way.ours, None)
        cpus = self.launcher.fast if way.fast else self.launcher.cpus
        team = threads_of(outcome.stderr) if way.ours else threads or len(cpus)
        report: Record = {"threads": team}
        if served is not None:
            report["served"] = sorted(served)
            others_too = [s for s in served if (Path(s) == self.library) != way.ours]
            if status == "ok" and (others_too or not served):
                status = "wrong library"
                why = f"its regions go to {', '.join(sorted(served)) or 'no libgomp'}"
        result = Result()
        if status == "ok":
            try:
                numbers = numbers_in(of.numbers, outcome.stdout)
                result = Result(numbers, digest(files) if files else None)
            except ValueError as e:
                status, why = "no output", str(e)
        run = Run(
            status=status, seconds=found.get("own", round(outcome.wall, 4)), wall=round(outcome.wall, 4),
            others=others, report=report | result.record(), why=why or "",
            more={"cpu": round(outcome.cpu, 4), "load": load},
        )  # fmt: skip
        if learning := LEARNING.search(outcome.stderr):
            run.more["learning"] = learning[1]
        if not run.ok:
            run.stderr = DISPLAY.sub("", outcome.stderr).strip()[-500:]
        return run, result


@dataclass
class Job:
    """A program with its ways at one ratio of speeds, as a Plan runs it."""

    stand: Stand
    of: Field
    configs: Sequence[Way]
    ratio: float
    # The results of stock by class and number of threads; shared by all ratios.
    references: dict[tuple[str, int], Result]
    write: Callable[[Record], None]
    say: Callable[[str], None]
    taught: set[str] = field(default_factory=set)

    @property
    def title(self) -> str:
        return self.of.name

    @property
    def place(self) -> Run:
        return Run(kernel=self.of.name, klass=self.stand.klass, ratio=self.ratio)

    def _reference(self, klass: str, threads: int) -> Result | None:
        """What stock finds with so many threads, run for that once; it is not timed."""
        key = klass, threads
        if key not in self.references:
            run, result = self.stand.once(
                self.of, WAYS[STOCK], klass, self.ratio, None, threads=threads
            )
            self.write(
                {
                    "type": "reference", "kernel": self.of.name, "class": klass,
                    "threads": threads, "status": run.status, "why": run.why, **result.record(),
                }
            )  # fmt: skip
            if not run.ok:
                self.say(f"{self.title}: stock with {threads} threads: {run.status}: {run.why}")
                return None
            self.references[key] = result
        return self.references[key]

    def _checked(
        self, way: Way, klass: str, emulation: Emulation | None, probe: bool = False
    ) -> Run:
        run, result = self.stand.once(self.of, way, klass, self.ratio, emulation, probe=probe)
        if not run.ok:
            return run
        threads = run.report["threads"]
        reference = self._reference(klass, threads) if threads else None
        why = (
            "no reference" if reference is None else result.other_than(reference, self.of.tolerance)
        )
        if why:
            run.status, run.why = "wrong result", why
        return run

    def _teach(self, way: Way, emulation: Emulation | None) -> None:
        """Runs that are not timed, until amp-run knows what is best."""
        if not way.learns or way.name in self.taught:
            return
        self.taught.add(way.name)
        for lesson in range(1, LESSONS + 1):
            run = self._checked(way, self.stand.klass, emulation)
            if "learning" not in run.more:
                return
            self.write({**replace(run, kernel=self.of.name, klass=self.stand.klass, ratio=self.ratio,
                                  config=way.name, round=0).record(), "type": "lesson",
                        "lesson": lesson})  # fmt: skip

    def run(self, config: Config, round_: int, emulation: Emulation | None) -> Run:
        way = next(w for w in self.configs if w.name == config.name)
        if round_:
            self._teach(way, emulation)
            return self._checked(way, self.stand.klass, emulation)
        run = self._checked(way, SMALL, emulation, probe=True)
        run.more["ran_class"] = SMALL
        return run


def references(records: Iterable[Record]) -> dict[str, dict[tuple[str, int], Result]]:
    """By program, what earlier sessions have run."""
    out: dict[str, dict[tuple[str, int], Result]] = {}
    for r in records:
        if r["type"] == "reference" and r["status"] == "ok":
            result = Result(tuple(r["numbers"]), r["digest"])
            out.setdefault(r["kernel"], {})[r["class"], r["threads"]] = result
    return out


def ways_of(of: Field, wanted: Sequence[Way], ratio: float) -> list[Way]:
    """Those that make sense for a program, and at a ratio."""
    return [
        w for w in wanted
        if (w.name != REPLACE or of.replace) and not (w.fast and ratio == EQUAL)
    ]  # fmt: skip
