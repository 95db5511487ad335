# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one program under one configuration and judges what came of it."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ampbench import machine
from ampbench.emulation import COMPLAINT as NOT_SLOWED
from ampbench.emulation import Emulation
from ampbench.runner import Usage

from .describe import Program
from .schedules import Config
from .sensors import Meter, Watch

# What of a program's output is looked at: its beginning and its end.
OUTPUT_HEAD = 1 << 20
OUTPUT_TAIL = 8 << 20
PR_SET_PDEATHSIG = 1
# Loaded before any fork: the child may do no more than call it.
LIBC = ctypes.CDLL(None)
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
        return {
            "bin": str(self.bin),
            "data": str(self.data),
            "threads": str(self.threads),
            "work": str(work),
        }

    def variables(self, config: Config, types: str | None) -> dict[str, str]:
        """The environment of a run: ours cleared of every OpenMP variable, then set anew."""
        env = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_")) and k not in ("LD_PRELOAD", "LD_DEBUG")
        }
        env["OMP_NUM_THREADS"] = str(self.threads)
        env["OMP_DYNAMIC"] = "false"
        env["OMP_DISPLAY_ENV"] = "verbose"
        env |= config.environment()
        if types:
            env["GOMP_AMP_TYPES"] = types
        if self.library:
            before = env.get("LD_LIBRARY_PATH")
            env["LD_LIBRARY_PATH"] = str(self.library) + (f":{before}" if before else "")
        return env | self.environment


def die_with_parent() -> None:
    """In the child: end when run-suite is killed, so that nothing runs on behind its back."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


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


def digest(paths: Sequence[Path]) -> str | None:
    """One hash of several files; None when one is missing or empty."""
    total = hashlib.sha256()
    for path in paths:
        try:
            if path.stat().st_size == 0:
                return None
            with path.open("rb") as file:
                total.update(hashlib.file_digest(file, "sha256").digest())
        except OSError:
            return None
    return total.hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What a process left behind; CODE is None when it was killed at its limit."""

    code: int | None
    wall: float
    cpu: float
    kilobytes: int
    stdout: str
    stderr: str


def prepare(program: Program, work: Path, places: Mapping[str, str]) -> Path:
    """Make the folder in which PROGRAM is started, below WORK."""
    folder = work / program.folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, target in program.links.items():
        link = work / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(program.fill(target, places))
    return folder


def start_and_wait(
    command: Sequence[str], folder: Path, env: Mapping[str, str], limit: float,
    logs: Path, stdin: Path | None, started: Callable[[], None],
) -> Outcome:  # fmt: skip
    """Run to the end or the limit.  Waiting polls nothing, so the time is exact.

    There must be no other thread yet: the child runs Python before it becomes the
    program.  STARTED may make some.
    """
    late = threading.Event()
    with (logs / "out").open("wb") as out, (logs / "err").open("wb") as err:
        source = stdin.open("rb") if stdin else None
        begin = time.monotonic()
        try:
            process = subprocess.Popen(
                command, cwd=folder, env=dict(env), stdin=source or subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True,
                preexec_fn=die_with_parent,  # noqa: PLW1509
            )  # fmt: skip
        finally:
            if source:
                source.close()

        def kill() -> None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        def stop() -> None:
            late.set()
            kill()

        timer = threading.Timer(limit, stop)
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
    return Outcome(
        None if late.is_set() else process.returncode,
        wall,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss,
        head_and_tail(logs / "out"),
        head_and_tail(logs / "err"),
    )


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
    place: Place,
    program: Program,
    config: Config,
    emulation: Emulation | None = None,
    reference: str | None = None,
    extra: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """One run, as a raw record without its place in the plan."""
    root = Path(tempfile.mkdtemp(prefix="run-suite-"))
    try:
        work, logs = root / "work", root / "logs"
        places = place.places(work)
        folder = prepare(program, work, places)
        logs.mkdir()
        command = [program.fill(c, places) for c in program.command]
        env = place.variables(config, (emulation.types if emulation else None) or place.types)
        env |= {k: program.fill(v, places) for k, v in program.environment.items()}
        env |= dict(extra or {})
        if emulation:
            emulation.add_to(env)
        stdin = Path(program.fill(program.stdin, places)) if program.stdin else None
        files = [Path(program.fill(f, places)) for f in program.same]
        limit = place.limit or program.limit
        load = machine.load_average()
        usage = Usage(sorted(os.sched_getaffinity(0)), emulation.pid if emulation else None)
        with Watch(place.sysfs, place.meters, place.interval) as watch:
            try:
                outcome = start_and_wait(command, folder, env, limit, logs, stdin, watch.start)
            except OSError as e:
                return {"status": "crashed", "why": f"cannot be started: {e}", "seconds": None}
        others = usage.others(outcome.wall)
        served = "GOMP_AMP_AFFINITY" in outcome.stderr
        status, why, found = judge(program, outcome, files, served, reference)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    record: dict[str, Any] = {
        "status": status,
        "seconds": round(outcome.wall, 6),
        "wall": round(outcome.wall, 6),
        "cpu": round(outcome.cpu, 4),
        "kilobytes": outcome.kilobytes,
        "load": load,
        "others": others,
        **found,
        **watch.reading.record(outcome.wall),
    }
    in_force = TYPES.search(outcome.stderr)
    if in_force:
        record["types"] = in_force[1]
    if why:
        record["why"] = why
    if status != "ok":
        record["stdout"] = outcome.stdout.strip()[-300:]
        record["stderr"] = DISPLAY.sub("", outcome.stderr).strip()[-500:]
    return record


def complaint_of(place: Place, config: Config, types: str | None) -> str | None:
    """What our library says to a configuration, in a process that does nothing else."""
    if place.library is None:
        return None
    env = place.variables(config, types)
    env["LD_PRELOAD"] = str(place.library / "libgomp.so.1")
    done = subprocess.run(
        ["true"], env=env, capture_output=True, text=True, timeout=60, check=False
    )
    found = COMPLAINT.search(done.stderr)
    return found.group() if found else None


def execute_behind(
    place: Place, program: Program, before: list[str], emulation: Emulation | None = None
) -> str | None:
    """Run PROGRAM with one thread, behind the words BEFORE; None, or why it failed."""
    with tempfile.TemporaryDirectory(prefix="run-suite-") as root:
        places = {**place.places(root), "threads": "1"}
        folder = prepare(program, Path(root), places)
        env = place.variables(Config("unset", "free"), None)
        del env["OMP_DISPLAY_ENV"]
        env |= {k: program.fill(v, places) for k, v in program.environment.items()}
        if emulation:
            emulation.add_to(env)
        stdin = Path(program.fill(program.stdin, places)) if program.stdin else Path("/dev/null")
        # Alone, and once on each type of core.
        limit = (place.limit or program.limit) * 2 * place.threads
        with stdin.open("rb") as source:
            try:
                done = subprocess.run(
                    [*before, *(program.fill(c, places) for c in program.command)], cwd=folder,
                    env=env, stdin=source, capture_output=True, text=True, errors="replace",
                    timeout=limit, check=False,
                    preexec_fn=die_with_parent,
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as e:
                return str(e)
    if done.returncode != 0:
        return (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1][:300]
    return None
