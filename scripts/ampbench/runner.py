# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one program under one configuration, and a plan of them, interleaved."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, TextIO

from . import machine
from .configs import BASELINE, OURS, Config, Kernel
from .emulation import COMPLAINT, Emulation, Slowing, cpu_list, reached_ratios
from .runtimes import Runtime

EMPTY_ARGUMENTS = ["--rounds", "5", "--loops", "1000", "--grants", "200000"]
# A configuration this many times slower than the baseline when first measured ...
SLOW_FACTOR = 5.0
# ... is measured only so often.
SLOW_REPS = 2


@dataclass(frozen=True)
class Series:
    """One kernel, one class, one ratio of speeds, and what it is run under."""

    kernel: Kernel
    klass: str
    warm_class: str
    ratio: float  # how many times slower the slow CPUs are; 1: equal cores
    configs: tuple[Config, ...]

    @property
    def title(self) -> str:
        return f"{self.kernel.name} {self.klass} ratio {self.ratio:g}"


@dataclass
class Setup:
    """What all runs of a session share."""

    build: Path
    runtimes: dict[str, Runtime]
    fast: list[int]
    slow: list[int]
    slowing: Slowing
    limit: float

    @property
    def cpus(self) -> list[int]:
        """Fastest first: the order of the threads."""
        return self.fast + self.slow

    @property
    def emulator(self) -> Path:
        return self.build / "stage" / "bin" / "amp-emulate"

    def program(self, config: Config, kernel: Kernel) -> Path:
        return self.build / "bench" / config.binary / kernel.name

    def missing(self, config: Config, kernel: Kernel) -> str | None:
        """Why CONFIG cannot be run, or None."""
        if config.library not in self.runtimes:
            return f"no {config.library} library"
        program = self.program(config, kernel)
        return None if os.access(program, os.X_OK) else f"{program} is not built"

    def threads(self, config: Config) -> int:
        return 1 if config.runtime == "single" else len(self.cpus)

    def places(self, config: Config) -> list[int]:
        """The CPU of each thread."""
        return [int(config.schedule)] if config.runtime == "single" else self.cpus

    def environment(self, config: Config, types: str | None) -> dict[str, str]:
        """The environment of a run: ours cleared of every OpenMP variable, then set anew."""
        env = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_"))
        }
        env["OMP_NUM_THREADS"] = str(self.threads(config))
        env["OMP_DYNAMIC"] = "false"
        if config.binary == "amp" and config.schedule != "unset":
            env["OMP_SCHEDULE"] = config.schedule
        if config.runtime == "typed" and self.fast and self.slow:
            types = f"{cpu_list(self.fast)}:{cpu_list(self.slow)}"
        if config.told and types:
            env["GOMP_AMP_TYPES"] = types
        if config.bound:
            # Untold, the library binds in the order of the CPUs' numbers.
            in_order = config.told or self.cpus == sorted(self.cpus)
            if config.library == "amp" and in_order:
                env["GOMP_AMP_AFFINITY"] = "1"
            else:
                env["OMP_PLACES"] = ",".join(f"{{{c}}}" for c in self.places(config))
                env["OMP_PROC_BIND"] = "true"
        folder = self.runtimes[config.library].folder
        if folder:
            env["LD_LIBRARY_PATH"] = str(folder)
        return env

    def command(self, config: Config, kernel: Kernel, klass: str) -> list[str]:
        command = [str(self.program(config, kernel)), klass]
        if config.runtime == "split":
            weights = [config.schedule] * len(self.fast) + ["1"] * len(self.slow)
            command += ["--split", ":".join(weights)]
        if kernel.overhead_only:
            command += EMPTY_ARGUMENTS
        return command


def judge(
    setup: Setup, config: Config, code: int | None, stdout: str, stderr: str
) -> tuple[str, dict[str, Any] | None]:
    """Status of a finished run and the kernel's own report; only "ok" counts."""
    if code is None:
        return "timeout", None
    try:
        report = json.loads(stdout.strip().splitlines()[-1])
        float(report["seconds"])
    except (IndexError, ValueError, KeyError, TypeError):
        return ("crashed" if code else "no report"), None
    if report.get("verified") is not True:
        return "wrong result", report
    if code != 0:
        return "crashed", report
    wanted = setup.runtimes[config.library].library
    if Path(str(report.get("runtime"))).resolve() != wanted:
        return "wrong library", report
    if report.get("threads") != setup.threads(config):
        return "wrong team", report
    cpus = report.get("cpus") or []
    if cpus != setup.places(config) if config.bound else not set(cpus) <= set(setup.cpus):
        return "wrong placement", report
    if COMPLAINT.search(stderr):
        return "not slowed", report
    return "ok", report


def collect(process: subprocess.Popen[str], limit: float) -> tuple[str, str, int | None]:
    """Output, messages and status of PROCESS, a session of its own.

    After LIMIT seconds it is killed, with all that it has started, and the status is None.
    """
    try:
        out, err = process.communicate(timeout=limit)
        return out, err, process.returncode
    except BaseException as stop:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        if not isinstance(stop, subprocess.TimeoutExpired):
            raise
        return out, err, None


def execute(
    setup: Setup,
    config: Config,
    kernel: Kernel,
    klass: str,
    emulation: Emulation | None = None,
) -> dict[str, Any]:
    """One run, as a raw record without its place in the plan."""
    load = machine.load_average()
    usage = Usage(setup.cpus, emulation.pid if emulation else None)
    env = setup.environment(config, emulation.types if emulation else None)
    if emulation:
        emulation.add_to(env)
    begin = time.monotonic()
    process = subprocess.Popen(
        setup.command(config, kernel, klass),
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
        errors="replace",
        preexec_fn=lambda: os.sched_setaffinity(0, setup.places(config)),  # noqa: PLW1509
    )
    out, err, code = collect(process, setup.limit)
    wall = time.monotonic() - begin
    others = usage.others(wall)
    status, report = judge(setup, config, code, out, err)
    record: dict[str, Any] = {
        "status": status,
        "seconds": report["seconds"] if report else None,
        "wall": round(wall, 4),
        "load": load,
        "others": others,
        "report": report,
    }
    if code:
        record["exit"] = code
    if err.strip():
        record["stderr"] = err.strip()[:500]
    return record


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


class Progress:
    """A bar with the time left on a terminal, a line now and then elsewhere."""

    def __init__(
        self, total: int, stream: TextIO = sys.stderr, quiet: bool = False, name: str = "bench"
    ) -> None:
        self.total, self.done, self.stream, self.quiet = total, 0, stream, quiet
        self.name = name
        self.start = self.said = time.monotonic()
        self.tty = stream.isatty()

    def step(self, what: str, count: int = 1, left: float | None = None) -> None:
        """LEFT: seconds, where they are known better than by the share that is done."""
        self.done += count
        if self.quiet:
            return
        now = time.monotonic()
        if left is None:
            left = (now - self.start) / max(self.done, 1) * max(self.total - self.done, 0)
        share = min(self.done / max(self.total, 1), 1.0)
        text = f"{self.done}/{self.total}  about {left / 60:.1f} min left  {what}"
        if self.tty:
            bar = "#" * round(24 * share)
            self.stream.write(f"\r\x1b[K[{bar:<24}] {text}")
        elif now - self.said >= 15:
            self.said = now
            self.stream.write(f"{self.name}: {text}\n")
        self.stream.flush()

    def say(self, text: str) -> None:
        if self.tty:
            self.stream.write("\r\x1b[K")
        self.stream.write(f"{self.name}: {text}\n")
        self.stream.flush()

    def finish(self) -> None:
        if self.tty and not self.quiet:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


Key = tuple[str, str, float, str, int]
Place = tuple[str, float, str]


def key_of(record: dict[str, Any]) -> Key:
    """What makes a run unique in a raw file."""
    return (
        record["kernel"],
        record["class"],
        float(record["ratio"]),
        record["config"],
        record["round"],
    )


def shuffled(items: Sequence[Any], *seed: object) -> list[Any]:
    """ITEMS in an order that the seed alone decides, so that --resume repeats it."""
    out = list(items)
    random.Random(repr(seed)).shuffle(out)
    return out


class Plan:
    """Round robin over all configurations of all series, for REPS rounds or until the
    budget is spent; round 0 warms up, on a smaller class, and is discarded.  BRIEF: with the
    baseline only, where there is one, and what is hopeless at one ratio of speeds is not run at
    the others, unless it is ours."""

    def __init__(
        self,
        setup: Setup,
        series: Sequence[Series],
        reps: int,
        budget: float,
        seed: int,
        write: Callable[[dict[str, Any]], None],
        known: dict[Key, dict[str, Any]],
        quiet: bool = False,
        brief: bool = False,
    ) -> None:
        self.setup, self.series, self.reps, self.budget = setup, list(series), reps, budget
        self.brief = brief
        self.seed, self.write, self.known, self.quiet = seed, write, known, quiet
        self.first: dict[Place, dict[str, Any]] = {}
        self.failures: dict[Place, int] = {}

    def _remember(self, s: Series, config: Config, round_: int, record: dict[str, Any]) -> None:
        place = (s.kernel.name, s.ratio, config.name)
        if round_ == 1:
            self.first[place] = record
        if record["status"] not in ("ok", "skipped"):
            self.failures[place] = self.failures.get(place, 0) + 1

    def _skip(self, s: Series, config: Config, round_: int) -> str | None:
        """Why CONFIG sits this round out."""
        place = (s.kernel.name, s.ratio, config.name)
        if self.failures.get(place, 0) >= 2:
            return "failed twice before"
        if config.runtime == "single":
            return None
        slow = f"more than {SLOW_FACTOR:g} times slower than {BASELINE}"
        if round_ > SLOW_REPS and self._is_slow(s.kernel.name, s.ratio, config):
            return f"{slow}: {SLOW_REPS} runs only"
        if self.brief and round_ > 0 and config.runtime not in OURS:
            for other in sorted({o.ratio for o in self.series} - {s.ratio}):
                if self._is_slow(s.kernel.name, other, config):
                    return f"{slow} at ratio {other:g}"
        return None

    def _is_slow(self, kernel: str, ratio: float, config: Config) -> bool:
        first = self.first.get((kernel, ratio, config.name), {})
        if first.get("status") == "timeout":
            return True
        here = first.get("seconds")
        base = self.first.get((kernel, ratio, BASELINE), {}).get("seconds")
        return bool(here and base and here > SLOW_FACTOR * base)

    def _configs(self, s: Series, round_: int) -> list[Config]:
        base = [c for c in s.configs if c.name == BASELINE]
        return base if base and self.brief and round_ == 0 else list(s.configs)

    def _round(self, round_: int, progress: Progress) -> None:
        """Ratio by ratio, so that all series of one share a calibration."""
        ratios = sorted({s.ratio for s in self.series})
        for ratio in shuffled(ratios, self.seed, "ratios", round_):
            todo: list[tuple[Series, list[Config]]] = []
            same = [s for s in self.series if s.ratio == ratio]
            for s in shuffled(same, self.seed, "series", round_):
                missing = []
                configs = self._configs(s, round_)
                for config in shuffled(configs, self.seed, s.title, round_):
                    key = (s.kernel.name, s.klass, s.ratio, config.name, round_)
                    if key in self.known:
                        self._remember(s, config, round_, self.known[key])
                        progress.step(s.title)
                    else:
                        missing.append(config)
                if missing:
                    todo.append((s, missing))
            if todo and ratio == 1.0:
                for s, missing in todo:
                    self._runs(s, round_, missing, None, progress)
            elif todo:
                self._emulated(ratio, round_, todo, progress)

    def _emulated(
        self, ratio: float, round_: int, todo: list[tuple[Series, list[Config]]], progress: Progress
    ) -> None:
        setup = self.setup
        emulation = Emulation(setup.emulator, setup.slow, ratio, setup.slowing)
        with emulation:
            for s, missing in todo:
                self._runs(s, round_, missing, emulation, progress)
        self.write(
            {
                "type": "emulation",
                "ratio": ratio,
                "round": round_,
                "reached": reached_ratios(emulation.record or {}),
                "messages": emulation.messages,
                "record": emulation.record,
            }
        )

    def _runs(
        self,
        s: Series,
        round_: int,
        configs: Sequence[Config],
        emulation: Emulation | None,
        progress: Progress,
    ) -> None:
        klass = s.warm_class if round_ == 0 else s.klass
        for order, config in enumerate(configs):
            reason = self._skip(s, config, round_)
            if reason:
                record: dict[str, Any] = {"status": "skipped", "seconds": None, "why": reason}
            else:
                record = execute(self.setup, config, s.kernel, klass, emulation)
            head = {
                "type": "run",
                "kernel": s.kernel.name,
                "class": s.klass,
                "ratio": s.ratio,
                "config": config.name,
                "round": round_,
                "order": order,
            }
            if round_ == 0:
                head["ran_class"] = klass
            self.write({**head, **record})
            self._remember(s, config, round_, record)
            progress.step(f"{s.title} {config.name}")
            if record["status"] not in ("ok", "skipped"):
                progress.say(
                    f"{s.title} under {config.name}: {record['status']}"
                    + (f" ({record['stderr'].splitlines()[0]})" if "stderr" in record else "")
                )

    def run(self) -> int:
        """Returns the number of complete measured rounds.

        Raises emulation.NotPossible when CPUs cannot be slowed.
        """
        rounds = range(self.reps + 1)
        total = sum(len(self._configs(s, r)) for s in self.series for r in rounds)
        progress = Progress(total, quiet=self.quiet)
        begin = time.monotonic()
        complete = 0
        took: list[float] = []
        for round_ in rounds:
            spent = time.monotonic() - begin
            if round_ > 1 and spent + median(took) > self.budget:
                progress.say(
                    f"time budget: {complete} of {self.reps} repetitions"
                    f" in {spent / 60:.1f} min (--budget, --reps)"
                )
                break
            start = time.monotonic()
            self._round(round_, progress)
            if round_ > 0:
                took.append(time.monotonic() - start)
                complete += 1
        progress.finish()
        return complete
