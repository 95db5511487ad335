# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a described program under one configuration and judges what came of it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from . import machine, spools
from .config import Config
from .describe import Program
from .emulation import COMPLAINT as NOT_SLOWED
from .emulation import Emulation
from .launch import Launch, Outcome, Usage, start
from .plan import TRACED
from .record import Record, Run
from .sensors import Meter, Watch

# Lines that the library prints because of OMP_DISPLAY_ENV, which proves that it serves.
DISPLAY = re.compile(
    r"^\s*OPENMP DISPLAY ENVIRONMENT BEGIN$.*?^\s*OPENMP DISPLAY ENVIRONMENT END$\n?",
    re.MULTILINE | re.DOTALL,
)
TYPES = re.compile(r"^\s*GOMP_AMP_TYPES = '([^']*)'", re.MULTILINE)
COMPLAINT = re.compile(
    r"^libgomp: .*(?:[Ii]nvalid value|Unknown value|is ignored|does not bind).*$", re.MULTILINE
)


@dataclass
class Place:
    """What all runs of a session share."""

    bin: Path
    data: Path
    library: Path | None  # the folder of our libgomp.so.1; None: as the program was linked
    threads: int
    types: str | None  # GOMP_AMP_TYPES
    sysfs: Path
    interval: float
    meters: list[Meter] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    limit: float | None = None  # instead of the descriptions' own

    def places(self, work: Path | str = "") -> dict[str, str]:
        named = {"bin": self.bin, "data": self.data, "threads": self.threads, "work": work}
        return {name: str(value) for name, value in named.items()}

    def variables(self, config: Config, types: str | None) -> dict[str, str]:
        """The environment of a run: ours cleared of every OpenMP variable, then set anew."""
        env = machine.clean_environment("LD_LIBRARY_PATH") | config.environment()
        env["OMP_NUM_THREADS"] = str(self.threads)
        env["OMP_DYNAMIC"] = "false"
        env["OMP_DISPLAY_ENV"] = "verbose"
        if types:
            env["GOMP_AMP_TYPES"] = types
        if self.library:
            before = env.get("LD_LIBRARY_PATH")
            env["LD_LIBRARY_PATH"] = str(self.library) + (f":{before}" if before else "")
        return env | self.environment

    def launch(
        self, program: Program, config: Config, work: Path, emulation: Emulation | None,
        types: str | None, **more: str,
    ) -> Launch:  # fmt: skip
        """PROGRAM in WORK, which is made ready; placeholders have the values of MORE."""
        places = self.places(work) | more
        folder = work / program.folder
        folder.mkdir(parents=True, exist_ok=True)
        for name, target in program.links.items():
            link = work / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(program.fill(target, places))
        env = self.variables(config, types)
        env |= {k: program.fill(v, places) for k, v in program.environment.items()}
        if emulation:
            emulation.add_to(env)
        stdin = Path(program.fill(program.stdin, places)) if program.stdin else None
        command = [program.fill(c, places) for c in program.command]
        limit = self.limit or program.limit
        return Launch(command, env, limit, folder=folder, stdin=stdin)


def digest(paths: Sequence[Path]) -> str | None:
    """One hash of several files; None when one is missing or empty."""
    total = hashlib.sha256()
    for path in paths:
        try:
            if path.stat().st_size == 0:
                return None
            with path.open("rb") as file:
                total.update(hashlib.sha256(file.read()).digest())
        except OSError:
            return None
    return total.hexdigest()


def judge(
    program: Program, outcome: Outcome, files: Sequence[Path], served: bool,
    reference: str | None,
) -> tuple[str, str | None, dict[str, Any]]:  # fmt: skip
    """Status, why, and what was found; only "ok" is ever averaged."""
    found: dict[str, Any] = {}
    said = DISPLAY.sub("", outcome.stderr)
    text = outcome.stdout + "\n" + said
    if outcome.code is None:
        return "timeout", f"killed after {outcome.wall:.0f} s", found
    if outcome.code != 0:
        how = f"ended with status {outcome.code}"
        if outcome.code < 0:
            try:
                how = f"killed by {signal.Signals(-outcome.code).name}"
            except ValueError:
                how = f"killed by signal {-outcome.code}"
        return "crashed", how, found
    if not served:
        return "wrong library", "gomp-amp's libgomp did not serve it", found
    complaint = COMPLAINT.search(said) or NOT_SLOWED.search(said)
    if complaint:
        return "refused", complaint.group(), found
    if not text.strip() and not program.silent:
        return "no output", "it printed nothing", found
    rejected = re.search(program.reject, text) if program.reject else None
    if rejected:
        return "wrong result", f"it says: {rejected.group().strip()}", found
    if program.time:
        own = re.search(program.time, text)
        try:
            found["own"] = float(own[1].replace(",", "")) if own else None
        except ValueError:
            found["own"] = None
        if found["own"] is None:
            return "no output", f"nothing matches its time, {program.time}", found
    if program.expect and not re.search(program.expect, text):
        return "wrong result", f"nothing matches {program.expect}", found
    if files:
        got = digest(files)
        if got is None:
            return "no output", "a file of its result is missing or empty", found
        found["digest"] = got
        if reference and got != reference:
            return "wrong result", "its result differs from that of the first good run", found
    return "ok", None, found


def execute(
    place: Place, program: Program, config: Config, emulation: Emulation | None,
    reference: str | None, extra: Mapping[str, str],
) -> Run:  # fmt: skip
    """One run, without its place in a plan."""
    root = Path(tempfile.mkdtemp(prefix="run-suite-"))
    try:
        work = root / "work"
        types = (emulation.types if emulation else None) or place.types
        launch = place.launch(program, config, work, emulation, types)
        launch.env.update(extra)
        files = [Path(program.fill(f, place.places(work))) for f in program.same]
        load = machine.load_average()
        usage = Usage(sorted(os.sched_getaffinity(0)), emulation.pid if emulation else None)
        with Watch(place.sysfs, place.meters, place.interval) as watch:
            try:
                outcome = start(launch, watch.start)
            except OSError as e:
                return Run(status="crashed", why=f"cannot be started: {e}")
        others = usage.others(outcome.wall)
        served = "GOMP_AMP_AFFINITY" in outcome.stderr
        status, why, found = judge(program, outcome, files, served, reference)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    more: Record = {
        "cpu": round(outcome.cpu, 4), "kilobytes": outcome.kilobytes, "load": load, **found,
        **watch.reading.record(outcome.wall),
    }  # fmt: skip
    in_force = TYPES.search(outcome.stderr)
    if in_force:
        more["types"] = in_force[1]
    run = Run(status=status, wall=round(outcome.wall, 6), others=others, why=why or "", more=more)
    run.seconds = run.wall
    if not run.ok:
        more["stdout"] = outcome.stdout.strip()[-300:]
        run.stderr = DISPLAY.sub("", outcome.stderr).strip()[-500:]
    return run


def complaint_of(place: Place, config: Config, types: str | None) -> str | None:
    """What our library says to a configuration, in a process that does nothing else."""
    if place.library is None:
        return None
    env = place.variables(config, types)
    env["LD_PRELOAD"] = str(place.library / "libgomp.so.1")
    found = COMPLAINT.search(start(Launch(["true"], env, 60)).stderr)
    return found.group() if found else None


def execute_behind(
    place: Place, program: Program, before: list[str], emulation: Emulation | None = None
) -> str | None:
    """Run PROGRAM with one thread, behind the words BEFORE; None, or why it failed."""
    with tempfile.TemporaryDirectory(prefix="run-suite-") as root:
        free = Config("amp", "unset", binding="free")
        launch = place.launch(program, free, Path(root), emulation, None, threads="1")
        del launch.env["OMP_DISPLAY_ENV"]
        # Alone, and once on each type of core.
        limit = launch.limit * 2 * place.threads
        try:
            done = start(replace(launch, argv=[*before, *launch.argv], limit=limit))
        except OSError as e:
            return str(e)
    if done.code is None:
        return f"killed after {limit:g} s"
    if done.code != 0:
        return (done.stderr.strip().splitlines() or [f"status {done.code}"])[-1][:300]
    return None


def sf_loops(path: Path) -> dict[str, list[float]]:
    """Place of a loop -> factors, from a file that amp-run --measure-sf wrote."""
    out = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"(\S+) ([0-9.]+(?:,[0-9.]+)*)", line.partition("#")[0].strip())
        if found:
            out[found[1]] = [float(v) for v in found[2].split(",")]
    return out


@dataclass
class Job:
    """A program with its configurations, as a Plan runs it."""

    where: Place
    program: Program
    configs: Sequence[Config]
    ratio: float
    folder: Path  # of its files
    amp_run: Path | None
    write: Callable[[Record], None]
    say: Callable[[str], None]
    reference: str | None = None  # what its files must be like
    sf: Path | None = None
    sf_tried: bool = False

    @property
    def title(self) -> str:
        return self.program.key

    @property
    def place(self) -> Run:
        return Run(suite=self.program.suite, program=self.program.name)

    def remember(self, records: Sequence[Record]) -> None:
        """Take over what an earlier session found out."""
        mine = [r for r in records
                if (r.get("suite"), r.get("program")) == (self.program.suite, self.program.name)]
        good = [r["digest"] for r in mine if r.get("status") == "ok" and r.get("digest")]
        self.reference = good[0] if good else None
        for r in mine:
            if r["type"] == "sf" and r.get("file") and Path(r["file"]).is_file():
                self.sf, self.sf_tried = Path(r["file"]), True

    def measure_sf(self, emulation: Emulation | None) -> Path | None:
        """The file of offline factors, measured now unless there is one."""
        if self.sf_tried:
            return self.sf
        self.sf_tried = True
        name = {"suite": self.program.suite, "program": self.program.name}
        file = self.folder / f"{self.program.suite}-{self.program.name}.sf"
        why: str | None = "no amp-run beside the library"
        if self.amp_run:
            self.folder.mkdir(parents=True, exist_ok=True)
            types = (emulation.types if emulation else None) or self.where.types
            inner = [str(self.amp_run), "--quiet", *(["--types", types] if types else []),
                     "--measure-sf", str(file), "--"]  # fmt: skip
            why = execute_behind(self.where, self.program, inner, emulation)
            if why is None and not file.is_file():
                why = "amp-run --measure-sf wrote no file"
        if why:
            self.write({"type": "sf", **name, "why": why})
            self.say(f"{self.title}: no offline SF: {why}")
            return None
        self.write({"type": "sf", **name, "file": str(file), "loops": sf_loops(file)})
        self.sf = file
        return file

    def run(self, config: Config, round_: int, emulation: Emulation | None) -> Run:
        extra = {}
        if config.offline:
            file = self.measure_sf(emulation)
            if file is None:
                return Run(status="skipped", why="no offline SF")
            extra["GOMP_AMP_LOOPS"] = str(file)
        trace = None
        if round_ == TRACED:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"[^\w.+@-]", "_", f"{self.title.replace('/', '-')}-{config.name}")
            trace = self.folder / f"{name}.trace.json"
            extra["GOMP_AMP_TRACE"] = f"{trace}{spools.SUFFIX}"
        run = execute(self.where, self.program, config, emulation, self.reference, extra)
        if run.ok and self.reference is None:
            self.reference = run.more.get("digest")
        if trace and self.amp_run and spools.convert(self.amp_run.with_name("amp-trace"), trace):
            run.more["trace"] = str(trace)
        return run
