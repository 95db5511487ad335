# SPDX-License-Identifier: GPL-3.0-or-later
"""How one program is run under one configuration: with what, on which CPUs, and what came of it."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import machine
from .config import TASKS, Config
from .emulation import COMPLAINT, Emulation, Slowing
from .machine import cpu_list
from .packages import Home, bindings, threads_of
from .programs import Program
from .record import EQUAL, REAL, Record, Run
from .runtimes import Runtime, tools_of
from .sensors import INTERVAL, Meter, Watch

EMPTY_ARGUMENTS = ("--rounds", "5", "--loops", "1000", "--grants", "200000")
# What of a program's output is looked at: its beginning and its end.
OUTPUT_HEAD, OUTPUT_TAIL = 1 << 20, 8 << 20
PR_SET_PDEATHSIG = 1
# Loaded before any fork: the child may do no more than call it.
LIBC = ctypes.CDLL(None)
# Lines that the library prints because of OMP_DISPLAY_ENV, which proves that it serves.
DISPLAY = re.compile(
    r"^\s*OPENMP DISPLAY ENVIRONMENT BEGIN$.*?^\s*OPENMP DISPLAY ENVIRONMENT END$\n?",
    re.MULTILINE | re.DOTALL,
)
OURS_SAYS = "GOMP_AMP_AFFINITY"
REFUSED = re.compile(
    r"^libgomp: .*(?:[Ii]nvalid value|Unknown value|is ignored|does not bind).*$", re.MULTILINE
)
# amp-run --auto, where it does not go by earlier runs yet.
LEARNING = re.compile(r"^amp-run: --auto: (a (?:first run|run to find out).*)$", re.MULTILINE)


@dataclass(frozen=True)
class Launch:
    """A process that is to be: what, in which environment, on which CPUs, where, how long."""

    argv: Sequence[str]
    env: dict[str, str]
    limit: float
    cpus: Sequence[int] | None = None  # None: as we are
    folder: Path | None = None
    stdin: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What a process left behind; CODE is None when it was killed at its limit."""

    code: int | None
    wall: float
    cpu: float
    kilobytes: int
    stdout: str
    stderr: str


def head_and_tail(path: Path) -> str:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        raw = file.read(OUTPUT_HEAD)
        if size > OUTPUT_HEAD + OUTPUT_TAIL:
            raw += b"\n"
            file.seek(size - OUTPUT_TAIL)
        raw += file.read()
    return raw.decode(errors="replace")


def start(launch: Launch, started: Callable[[], None] = lambda: None) -> Outcome:
    """Run to the end or the limit.  Waiting polls nothing, so the time is exact.

    There must be no other thread yet: the child runs Python before it becomes the
    program.  STARTED may make some.
    """
    late = threading.Event()

    def prepare() -> None:
        """In the child: end when we are killed, so that nothing runs on behind our back."""
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if launch.cpus is not None:
            os.sched_setaffinity(0, launch.cpus)

    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        logs = Path(name)
        with (
            (logs / "out").open("wb") as out,
            (logs / "err").open("wb") as err,
            (launch.stdin or Path(os.devnull)).open("rb") as source,
        ):
            begin = time.monotonic()
            process = subprocess.Popen(
                launch.argv, cwd=launch.folder, env=launch.env, stdin=source, stdout=out,
                stderr=err, start_new_session=True, preexec_fn=prepare,  # noqa: PLW1509
            )  # fmt: skip

            def kill() -> None:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

            def stop() -> None:
                late.set()
                kill()

            timer = threading.Timer(launch.limit, stop)
            timer.daemon = True
            try:
                timer.start()
                started()
                _, status, usage = os.wait4(process.pid, 0)
                wall = time.monotonic() - begin
                process.returncode = os.waitstatus_to_exitcode(status)
            except BaseException:
                kill()
                process.wait()
                raise
            finally:
                timer.cancel()
            # What it started and left behind.
            kill()
        code = None if late.is_set() else process.returncode
        said = (head_and_tail(logs / "out"), head_and_tail(logs / "err"))
    return Outcome(code, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, *said)


class Usage:
    """What other processes take of the CPUs while a child runs.

    The busy time of CPUS less that of the children waited for, of this process and
    of the emulator's thief.  Counted in clock ticks, so that short runs tell little.
    """

    def __init__(self, cpus: Sequence[int], emulator_pid: int | None) -> None:
        self.names = {f"cpu{c}" for c in cpus}
        self.pid = emulator_pid
        self.start = self._foreign()

    def _foreign(self) -> float:
        tick = os.sysconf("SC_CLK_TCK")
        busy = 0.0
        for line in (machine.read("/proc/stat") or "").splitlines():
            name, *values = line.split()
            if name in self.names:
                # user nice system idle iowait irq softirq steal; guest time is in user
                busy += sum(int(v) for i, v in enumerate(values[:8]) if i not in (3, 4)) / tick
        mine = sum(os.times()[:4])
        if self.pid is not None:
            stat = (machine.read(f"/proc/{self.pid}/stat") or "").rpartition(")")[2].split()
            mine += sum(int(v) for v in stat[11:13]) / tick
        return busy - mine

    def others(self, wall: float) -> float:
        """CPUs' worth of work of others since the start, on average."""
        return round(max(self._foreign() - self.start, 0.0) / max(wall, 1e-9), 3)


def digest(paths: Sequence[Path]) -> str | None:
    """One hash of several files; None when one is missing or empty."""
    total = hashlib.sha256()
    for path in paths:
        try:
            text = path.read_bytes()
        except OSError:
            return None
        if not text:
            return None
        total.update(hashlib.sha256(text).digest())
    return total.hexdigest()


@dataclass
class Launcher:
    """From a configuration and a program to a process.  All runs of a session share one."""

    build: Path
    runtimes: dict[str, Runtime]
    fast: list[int]
    slow: list[int]
    slowing: Slowing
    limit: float | None = None  # instead of the programs' own
    extra: dict[str, str] = field(default_factory=dict)  # in the environment
    bin: Path | None = None  # of the programs; of kernels the folder of the builds
    data: Path | None = None
    types: str | None = None  # what the library is told of the machine's own cores
    files: Path = Path(tempfile.gettempdir())  # what runs leave behind
    sysfs: Path = Path("/sys")
    meters: list[Meter] = field(default_factory=list)
    interval: float = INTERVAL

    @property
    def cpus(self) -> list[int]:
        """Fastest first: the order of the threads."""
        return self.fast + self.slow

    @property
    def tools(self) -> Path:
        return tools_of(self.runtimes, self.build)

    @property
    def emulator(self) -> Path:
        return self.tools / "amp-emulate"

    @property
    def home(self) -> Home:
        return Home(self.build / "field")

    def places(self, config: Config) -> list[int]:
        """The CPU of each thread."""
        if config.runtime == "single":
            return [int(config.schedule)]
        if config.runtime == "fast":
            return (self.fast or self.cpus)[: config.threads]
        cpus = self.cpus[::-1] if config.binding == "sb" else self.cpus
        return cpus[: config.threads]

    def values(self, program: Program, config: Config, klass: str, work: Path) -> dict[str, str]:
        """Of the placeholders."""
        cpus = self.places(config)
        folder = self.bin or self.build / "bench"
        out: dict[str, object] = {
            "bin": folder / config.build if program.row else folder, "data": self.data or folder,
            "threads": len(cpus), "work": work, "class": klass, "cpus": cpu_list(cpus),
            "schedule": "static" if config.runtime == "single" else config.schedule,
            "here": program.here,
        }  # fmt: skip
        if not klass and not program.classes:
            del out["class"]
        if program.packaged:
            out |= self.home.places()
        return {k: str(v) for k, v in out.items()}

    def missing(self, program: Program, config: Config) -> str | None:
        """Why CONFIG cannot be run, or None."""
        if config.library not in self.runtimes and not program.packaged and not program.plain:
            return f"no {config.library} library"
        return program.missing(self.values(program, config, "", Path("WORK")))

    def environment(self, program: Program, config: Config, types: str | None) -> dict[str, str]:
        """The environment of a run: ours cleared of every OpenMP variable, then set anew."""
        kept = () if program.row or program.packaged else ("LD_LIBRARY_PATH",)
        env = machine.clean_environment(*kept)
        if program.packaged:
            env |= self.home.environment(program)
        if program.plain:
            return env | self.extra
        env |= config.environment() | {"OMP_DYNAMIC": "false"}
        if not config.chooses:
            env["OMP_NUM_THREADS"] = str(len(self.places(config)))
        if not program.json:
            env["OMP_DISPLAY_ENV"] = "verbose"
        if config.told and types:
            env["GOMP_AMP_TYPES"] = types
        if config.bound and not program.packaged:
            # Untold, the library binds in the order of the CPUs' numbers.
            in_order = config.told or self.cpus == sorted(self.cpus)
            if config.library == "amp" and config.runtime not in TASKS and in_order:
                env["GOMP_AMP_AFFINITY"] = config.binding or "bs"
            else:
                env["OMP_PLACES"] = ",".join(f"{{{c}}}" for c in self.places(config))
                env["OMP_PROC_BIND"] = "true"
        if not program.packaged:
            runtime = self.runtimes[config.library]
            folder = runtime.folder
            if runtime.library and (config.runtime == "team" or not program.row):
                folder = folder or runtime.library.parent
            if folder:
                before = env.get("LD_LIBRARY_PATH")
                env["LD_LIBRARY_PATH"] = str(folder) + (f":{before}" if before else "")
        return env | self.extra

    def command(self, program: Program, config: Config, values: Mapping[str, str]) -> list[str]:
        command = [program.fill(c, values) for c in program.command]
        if config.runtime == "split":
            weights = [config.schedule] * len(self.fast) + ["1"] * len(self.slow)
            command += ["--split", ":".join(weights)]
        if config.runtime == "task" and "," in config.schedule:
            each = int(config.schedule.partition(",")[2])
            command += ["--tasks", str(each * len(self.places(config)))]
        if program.overhead:
            command += EMPTY_ARGUMENTS
        if program.workload and config.schedule.startswith("binlpt"):
            command.append("--workload")
        return command

    def amp_run(self, program: Program, config: Config, ratio: float, types: str | None) -> list[str]:
        """What stands in front of the command where amp-run starts it."""
        words = [str(self.tools / "amp-run")]
        if config.schedule == "replace":
            words += ["--replace", program.replace]
        elif config.schedule != "unset":
            words.append(f"--{config.schedule}")
        words.append("-v" if config.schedule == "auto" else "--quiet")
        words += ["--preload"] if program.preload else []
        words += ["--types", types] if types else []
        if config.schedule == "weighted" and ratio not in (EQUAL, REAL):
            # The library cannot see what amp-emulate takes of a CPU.
            words += ["--sf", f"{ratio:g},1"]
        return [*words, "--"]

    def launch(
        self, program: Program, config: Config, klass: str, emulation: Emulation | None = None,
        work: Path = Path("."),
    ) -> Launch:  # fmt: skip
        """PROGRAM in WORK, which is made ready."""
        values = self.values(program, config, klass, work)
        types = (emulation.types if emulation else None) or self.types
        env = self.environment(program, config, types)
        env |= {k: program.fill(v, values) for k, v in program.environment.items()}
        if program.packaged:
            env["XDG_CACHE_HOME"] = str(work.parent)
        if emulation:
            emulation.add_to(env)
            if config.runtime == "team":
                env["GOMP_AMP_SF"] = f"{emulation.ratio:g}"
        argv = self.command(program, config, values)
        if config.runtime == "run":
            argv = self.amp_run(program, config, emulation.ratio if emulation else EQUAL, types) + argv
        folder = None
        if not program.row:
            folder = work / program.folder
            folder.mkdir(parents=True, exist_ok=True)
            for name, target in program.links.items():
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                (work / name).symlink_to(program.fill(target, values))
        stdin = Path(program.fill(program.stdin, values)) if program.stdin else None
        cpus = None if program.plain else self.places(config)
        return Launch(argv, env, self.limit or program.limit, cpus, folder, stdin)

    def alone(self, cpu: int, extra: Mapping[str, str]) -> Launcher:
        """One thread on CPU."""
        return replace(self, fast=[cpu], slow=[], extra=dict(extra))

    def judge(
        self, program: Program, config: Config, done: Outcome, work: Path
    ) -> tuple[str, str, Record, Record]:
        """Status, why, what was found, and the program's own report; only "ok" counts."""
        found: Record = {}
        report: Record = {}
        said = DISPLAY.sub("", done.stderr)
        if done.code is None:
            return "timeout", f"killed after {done.wall:.0f} s", found, report
        if program.json:
            try:
                report = json.loads(done.stdout.strip().splitlines()[-1])
                found["own"] = float(report["seconds"])
            except (IndexError, ValueError, KeyError, TypeError):
                if done.code == 0:
                    return "no output", "no report", found, {}
        if report.get("verified", True) is not True:
            return "wrong result", "it did not verify its result", found, report
        if done.code != 0:
            how = f"ended with status {done.code}"
            if done.code < 0:
                how = f"killed by {signal.Signals(-done.code).name}"
            return "crashed", how, found, report
        if why := self.served(program, config, done, report):
            return *why, found, report
        if complaint := REFUSED.search(said) or COMPLAINT.search(said):
            return "refused", complaint.group(), found, report
        text = f"{done.stdout}\n{said}"
        if program.log and (work / program.log).is_file():
            text += (work / program.log).read_text(encoding="utf-8", errors="replace")
        if not text.strip() and not program.silent:
            return "no output", "it printed nothing", found, report
        if program.reject and (rejected := re.search(program.reject, text)):
            return "wrong result", f"it says: {rejected.group().strip()}", found, report
        if program.time:
            own = re.search(program.time, text)
            try:
                found["own"] = float(own[1].replace(",", "")) if own else None
            except ValueError:
                found["own"] = None
            if found["own"] is None:
                return "no output", f"nothing matches its time, {program.time}", found, report
        if program.expect and not re.search(program.expect, text):
            return "wrong result", f"nothing matches {program.expect}", found, report
        if program.same:
            values = self.values(program, config, "", work)
            found["digest"] = digest([Path(program.fill(f, values)) for f in program.same])
            if found["digest"] is None:
                return "no output", "a file of its result is missing or empty", found, report
        if program.numbers:
            last = list(re.finditer(program.numbers, text, re.MULTILINE))[-1:]
            try:
                found["numbers"] = [float(w) for m in last for w in m[1].split()]
            except ValueError:
                found["numbers"] = []
            if not found["numbers"]:
                return "no output", f"nothing matches {program.numbers}", found, report
        return "ok", "", found, report

    def served(
        self, program: Program, config: Config, done: Outcome, report: Record
    ) -> tuple[str, str] | None:
        """What was wrong with the library, the team or its places."""
        if program.plain:
            return None
        if not program.json:
            if config.library == "amp" and OURS_SAYS not in done.stderr:
                return "wrong library", "gomp-amp's libgomp did not serve it"
            return None
        wanted = self.runtimes[config.library].library
        if wanted and Path(str(report.get("runtime"))).resolve() != wanted:
            return "wrong library", f"served by {report.get('runtime')}"
        places, cpus = self.places(config), report.get("cpus") or []
        team = report.get("threads")
        larger = config.chooses and isinstance(team, int) and team > len(places)
        if team != len(places) and not larger:
            return "wrong team", f"{team} threads"
        if cpus != places if config.bound else not set(cpus) <= set(self.cpus):
            return "wrong placement", f"on CPUs {cpu_list(cpus)}"
        return None

    def execute(
        self, program: Program, config: Config, klass: str = "", emulation: Emulation | None = None,
        extra: Mapping[str, str] | None = None, probe: bool = False,
    ) -> Run:  # fmt: skip
        """One run, without its place in a plan.  PROBE: see which library serves a package."""
        # The same for each run, and kept: what is remembered of a program goes by its arguments.
        name = f"{program.name}-{config.name}{'-probe' * probe}"
        if emulation:
            name += f"-{emulation.ratio:g}"
        root = self.files / re.sub(r"[^\w.+@-]", "_", name)
        work, links = root / "work", root / "links"
        try:
            launch = self.launch(program, config, klass, emulation, work)
            launch.env.update(extra or {})
            if probe:
                links.mkdir(parents=True, exist_ok=True)
                launch.env.update(LD_DEBUG="bindings", LD_DEBUG_OUTPUT=str(links / "bindings"))
            load = machine.load_average()
            usage = Usage(self.cpus, emulation.pid if emulation else None)
            with Watch(self.sysfs, self.meters, self.interval) as watch:
                try:
                    done = start(launch, watch.start)
                except OSError as e:
                    return Run(status="crashed", why=f"cannot be started: {e}")
            others = usage.others(done.wall)
            status, why, found, report = self.judge(program, config, done, work)
            if probe and status == "ok":
                ours = (self.build / "stage" / "lib" / "libgomp.so.1").resolve()
                served = bindings(links)
                if not served or any((Path(s) == ours) != (config.library == "amp") for s in served):
                    status, why = "wrong library", f"its regions go to {', '.join(sorted(served))}"
        finally:
            for folder in (work, links):
                shutil.rmtree(folder, ignore_errors=True)
            if root.is_dir() and not any(root.iterdir()):
                root.rmdir()
        if program.packaged:
            own_choice = config.library == "amp"
            report["threads"] = threads_of(done.stderr) if own_choice else len(self.places(config))
        if lesson := LEARNING.search(done.stderr):
            found["learning"] = lesson[1]
        seconds = found.get("own") if program.own else round(done.wall, 6)
        run = Run(
            status=status, why=why, seconds=seconds, wall=round(done.wall, 4), others=others,
            report=report, more={
                "cpu": round(done.cpu, 4), "kilobytes": done.kilobytes, "load": load, **found,
                **watch.reading(done.wall),
            },
        )  # fmt: skip
        if not run.ok:
            run.more["stdout"] = done.stdout.strip()[-300:]
            run.stderr = DISPLAY.sub("", done.stderr).strip()[-500:]
        return run

    def complaint_of(self, config: Config) -> str | None:
        """What our library says to a configuration, in a process that does nothing else."""
        ours = self.runtimes.get("amp")
        if config.runtime not in ("amp", "blind", "replace") or not ours or not ours.library:
            return None
        nothing = Program("true", ("true",), suite="none")
        env = self.environment(nothing, config, self.types)
        env["LD_PRELOAD"] = str(ours.library)
        found = REFUSED.search(start(Launch(["true"], env, 60)).stderr)
        return found.group() if found else None
