# SPDX-License-Identifier: GPL-3.0-or-later
"""How one program is run under one configuration: with what, on which CPUs, and what came of it."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import machine
from .config import TASKS, Config
from .emulation import COMPLAINT, Emulation, Slowing
from .kernels import Kernel
from .machine import cpu_list
from .record import Run
from .runtimes import Runtime

EMPTY_ARGUMENTS = ["--rounds", "5", "--loops", "1000", "--grants", "200000"]
# What of a program's output is looked at: its beginning and its end.
OUTPUT_HEAD = 1 << 20
OUTPUT_TAIL = 8 << 20
PR_SET_PDEATHSIG = 1
# Loaded before any fork: the child may do no more than call it.
LIBC = ctypes.CDLL(None)


@dataclass(frozen=True)
class Launch:
    """A process that is to be: what, in which environment, on which CPUs, where, how long."""

    argv: Sequence[str]
    env: dict[str, str]
    limit: float
    cpus: Sequence[int] | None = None  # None: as we are
    folder: Path | None = None
    stdin: Path | None = None
    fds: Sequence[int] = ()  # open in it


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
        if size <= OUTPUT_HEAD + OUTPUT_TAIL:
            raw = file.read()
        else:
            raw = file.read(OUTPUT_HEAD) + b"\n"
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
                stderr=err, start_new_session=True, pass_fds=launch.fds,
                preexec_fn=prepare,  # noqa: PLW1509
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


@dataclass
class Launcher:
    """From a configuration and a kernel to a process.  All runs of a session share one."""

    build: Path
    runtimes: dict[str, Runtime]
    fast: list[int]
    slow: list[int]
    slowing: Slowing
    limit: float
    extra: dict[str, str] = field(default_factory=dict)  # in the environment
    folder: Path | None = None  # of the kernels, else build/bench
    types: str | None = None  # what the library is told of the machine's own cores

    @property
    def cpus(self) -> list[int]:
        """Fastest first: the order of the threads."""
        return self.fast + self.slow

    @property
    def tools(self) -> Path:
        return self.build / "stage" / "bin"

    @property
    def emulator(self) -> Path:
        return self.tools / "amp-emulate"

    def program(self, config: Config, kernel: Kernel) -> Path:
        return (self.folder or self.build / "bench") / config.binary / kernel.program

    def missing(self, config: Config, kernel: Kernel) -> str | None:
        """Why CONFIG cannot be run, or None."""
        if config.library not in self.runtimes:
            return f"no {config.library} library"
        program = self.program(config, kernel)
        return None if os.access(program, os.X_OK) else f"{program} is not built"

    def places(self, config: Config) -> list[int]:
        """The CPU of each thread."""
        if config.runtime == "single":
            return [int(config.schedule)]
        if config.runtime == "fast":
            return self.fast or self.cpus
        if config.binding == "sb":
            return self.cpus[::-1]
        if config.runtime == "placed" and config.threads and self.fast:
            left = config.threads - len(self.slow)
            return sorted((self.fast * left)[:left], key=self.fast.index) + self.slow
        return self.cpus[: config.threads]

    def environment(self, config: Config, types: str | None) -> dict[str, str]:
        """The environment of a run: ours cleared of every OpenMP variable, then set anew."""
        env = machine.clean_environment() | config.environment()
        if config.runtime != "team":
            env["OMP_NUM_THREADS"] = str(len(self.places(config)))
        env["OMP_DYNAMIC"] = "false"
        if config.runtime == "typed" and self.fast and self.slow:
            types = f"{cpu_list(self.fast)}:{cpu_list(self.slow)}"
        if config.told and types:
            env["GOMP_AMP_TYPES"] = types
        if config.bound and not config.binding:
            # Untold, the library binds in the order of the CPUs' numbers.
            in_order = config.told or self.cpus == sorted(self.cpus)
            if config.library == "amp" and config.runtime not in TASKS and in_order:
                env["GOMP_AMP_AFFINITY"] = "1"
            else:
                env["OMP_PLACES"] = ",".join(f"{{{c}}}" for c in self.places(config))
                env["OMP_PROC_BIND"] = "true"
        runtime = self.runtimes[config.library]
        folder = runtime.folder
        if config.runtime == "team" and runtime.library:
            folder = runtime.library.parent
        if folder:
            env["LD_LIBRARY_PATH"] = str(folder)
        return env | self.extra

    def command(self, config: Config, kernel: Kernel, klass: str) -> list[str]:
        command = [str(self.program(config, kernel)), klass]
        if config.runtime == "split":
            weights = [config.schedule] * len(self.fast) + ["1"] * len(self.slow)
            command += ["--split", ":".join(weights)]
        if config.runtime == "task" and "," in config.schedule:
            each = int(config.schedule.partition(",")[2])
            command += ["--tasks", str(each * len(self.places(config)))]
        if kernel.overhead:
            command += EMPTY_ARGUMENTS
        command += kernel.arguments
        if kernel.workload and config.schedule.startswith("binlpt"):
            command.append("--workload")
        return command

    def launch(
        self, config: Config, kernel: Kernel, klass: str, emulation: Emulation | None = None
    ) -> Launch:
        env = self.environment(config, emulation.types if emulation else self.types)
        if emulation:
            emulation.add_to(env)
            if config.runtime == "team":
                env["GOMP_AMP_SF"] = f"{emulation.ratio:g}"
        argv = self.command(config, kernel, klass)
        return Launch(argv, env, self.limit, self.places(config))

    def alone(self, cpu: int, extra: Mapping[str, str]) -> Launcher:
        """One thread on CPU."""
        return Launcher(
            self.build, self.runtimes, [cpu], [], self.slowing, self.limit, dict(extra), self.folder
        )

    def judge(self, config: Config, outcome: Outcome) -> tuple[str, dict[str, Any] | None]:
        """Status of a finished run and the kernel's own report; only "ok" counts."""
        if outcome.code is None:
            return "timeout", None
        try:
            report = json.loads(outcome.stdout.strip().splitlines()[-1])
            float(report["seconds"])
        except (IndexError, ValueError, KeyError, TypeError):
            return ("crashed" if outcome.code else "no report"), None
        if report.get("verified") is not True:
            return "wrong result", report
        if outcome.code != 0:
            return "crashed", report
        wanted = self.runtimes[config.library].library
        if wanted and Path(str(report.get("runtime"))).resolve() != wanted:
            return "wrong library", report
        places, cpus = self.places(config), report.get("cpus") or []
        team = report.get("threads")
        larger = config.runtime == "team" and isinstance(team, int) and team > len(places)
        if team != len(places) and not larger:
            return "wrong team", report
        if cpus != places if config.bound else not set(cpus) <= set(self.cpus):
            return "wrong placement", report
        if COMPLAINT.search(outcome.stderr):
            return "not slowed", report
        return "ok", report

    def execute(
        self, config: Config, kernel: Kernel, klass: str, emulation: Emulation | None = None
    ) -> Run:
        """One run, without its place in a plan."""
        launch = self.launch(config, kernel, klass, emulation)
        return self.observe(config, launch, emulation.pid if emulation else None)

    def observe(
        self, config: Config, launch: Launch, thief: int | None,
        started: Callable[[], None] = lambda: None,
    ) -> Run:  # fmt: skip
        load = machine.load_average()
        usage = Usage(self.cpus, thief)
        outcome = start(launch, started)
        others = usage.others(outcome.wall)
        status, report = self.judge(config, outcome)
        return Run(
            status=status, seconds=report["seconds"] if report else None,
            wall=round(outcome.wall, 4), others=others, report=report or {},
            stderr=outcome.stderr.strip()[:500],
            more={"load": load} | ({"exit": outcome.code} if outcome.code else {}),
        )  # fmt: skip
