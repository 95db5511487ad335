# SPDX-License-Identifier: GPL-3.0-or-later
"""Run programs interleaved, one JSON line a run, so that nothing is lost.

A round runs every (kernel, configuration) once, in an order shuffled by the seed;
round 0 warms up and is kept but never counted.  What fails is recorded as failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from . import machine
from .configs import Config, Kernel
from .emulation import Emulation, reached_ratios
from .runtimes import Runtime

Key = tuple[float, str, str, int]


@dataclass(frozen=True)
class Job:
    """One program under one configuration."""

    kernel: Kernel
    klass: str
    config: Config


@dataclass
class Plan:
    """What a call of scripts/bench runs."""

    top: Path
    build: Path
    jobs: list[Job]
    runtimes: dict[str, Runtime]
    threads: int
    cpus: list[int]
    slow: list[int]
    ratios: list[float]
    period: str
    reps: int
    seed: int
    limit: float


def key_of(row: dict[str, Any]) -> Key:
    return (row["ratio"], row["kernel"], row["config"], row["round"])


def read_rows(path: Path) -> list[dict[str, Any]]:
    """All rows of a raw file; a last line cut off in the middle is dropped."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            rows.append(json.loads(line))
        except ValueError:
            print(f"{path}: a line that is no JSON is left out", file=sys.stderr)
    return rows


def placement(plan: Plan, config: Config) -> list[int]:
    """The CPUs of threads 0, 1, ...: fast ones first, or the one CPU of single:N."""
    if config.runtime == "single":
        return [int(config.schedule)]
    order = [c for c in plan.cpus if c not in plan.slow] + plan.slow
    return [order[i % len(order)] for i in range(plan.threads)]


def environment(plan: Plan, config: Config, types: str | None) -> dict[str, str]:
    """The variables of one run, and none of the caller's that could interfere."""
    env = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_"))
    }
    places = placement(plan, config)
    env["OMP_NUM_THREADS"] = str(len(places))
    if config.runtime in ("gomp", "amp", "llvm", "intel") and config.schedule != "unset":
        env["OMP_SCHEDULE"] = config.schedule
    if config.runtime == "amp":
        env["GOMP_AMP_AFFINITY"] = "1"
        if types:
            env["GOMP_AMP_TYPES"] = types
    else:
        env["OMP_PLACES"] = ",".join(f"{{{c}}}" for c in places)
        env["OMP_PROC_BIND"] = "close"
    runtime = plan.runtimes.get(config.runtime)
    if runtime and runtime.folder:
        env["LD_LIBRARY_PATH"] = str(runtime.folder)
    return env


def wrong(plan: Plan, config: Config, said: dict[str, Any]) -> str | None:
    """Why a run that ended well does not count, or None."""
    if not said.get("verified"):
        return "the result does not verify"
    runtime = plan.runtimes.get(config.runtime) or plan.runtimes["gomp"]
    served = Path(said["runtime"]).resolve()
    if served != runtime.library.resolve():
        return f"served by {served} instead of {runtime.library}"
    if "cpus" in said and said["cpus"] != placement(plan, config):
        return f"threads ran on CPUs {said['cpus']} instead of {placement(plan, config)}"
    return None


def run_one(plan: Plan, job: Job, types: str | None) -> dict[str, Any]:
    """Run JOB; `seconds` is None and `error` says why if that failed."""
    config = job.config
    command = [str(plan.build / "bench" / config.binary / job.kernel.name)]
    if config.runtime == "split":
        slow = len([c for c in placement(plan, config) if c in plan.slow])
        weights = [config.schedule] * (plan.threads - slow) + ["1"] * slow
        command += ["--split", ":".join(weights)]
    command.append(job.klass)
    row: dict[str, Any] = {"seconds": None, "error": None}
    try:
        done = subprocess.run(
            command,
            check=False,
            env=environment(plan, config, types),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=plan.limit,
        )
    except subprocess.TimeoutExpired:
        row["error"] = f"no end within {plan.limit:g} s"
        return row
    except OSError as e:
        row["error"] = str(e)
        return row
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    try:
        said = json.loads(lines[-1]) if lines else None
    except ValueError:
        said = None
    if done.returncode != 0 or said is None:
        last = (done.stderr.strip().splitlines() or ["no output"])[-1]
        row["error"] = f"status {done.returncode}: {last}"
        return row
    row["error"] = wrong(plan, config, said)
    if row["error"] is None:
        row["seconds"] = said["seconds"]
    row["said"] = said
    return row


class Progress:
    """A bar with the time left on a terminal; elsewhere a line a minute."""

    def __init__(self, total: int, out: TextIO = sys.stderr) -> None:
        self.total, self.out, self.done = total, out, 0
        self.begin = time.monotonic()
        self.said = self.begin
        self.terminal = out.isatty()

    def step(self, what: str) -> None:
        self.done += 1
        now = time.monotonic()
        left = (now - self.begin) / self.done * (self.total - self.done)
        text = f"{self.done}/{self.total}, {left / 60:.1f} min left, {what}"
        if self.terminal:
            full = 24 * self.done // max(self.total, 1)
            print(f"\r\x1b[K[{'#' * full}{'.' * (24 - full)}] {text}", end="", file=self.out)
            if self.done == self.total:
                print(file=self.out)
        elif now - self.said >= 60 or self.done == self.total:
            self.said = now
            print(text, file=self.out)
        self.out.flush()


@contextlib.contextmanager
def slowed(plan: Plan, ratio: float) -> Iterator[Emulation | None]:
    """The CPUs of PLAN.slow slower by RATIO, or nothing for a ratio of 1."""
    if ratio == 1.0:
        yield None
        return
    tool = plan.build / "stage" / "bin" / "amp-emulate"
    with Emulation(tool, plan.slow, ratio, plan.period) as emulation:
        yield emulation


def header(plan: Plan) -> dict[str, Any]:
    return {
        "kind": "session",
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "machine": machine.describe(),
        "revision": machine.revision(plan.top),
        "runtimes": {name: r.record() for name, r in plan.runtimes.items()},
        "threads": plan.threads,
        "cpus": plan.cpus,
        "slow": plan.slow,
        "ratios": plan.ratios,
        "period": plan.period,
        "reps": plan.reps,
        "seed": plan.seed,
    }


def jobs_for(plan: Plan, ratio: float) -> list[Job]:
    """A ratio of 1 leaves hand-weighted splits out: they are for slow CPUs."""
    return [j for j in plan.jobs if ratio != 1.0 or j.config.runtime != "split"]


def run(plan: Plan, raw: Path, done: Iterable[Key] = ()) -> None:
    """Run PLAN and append to RAW, leaving out what is DONE already."""
    have = set(done)
    total = sum(
        (ratio, j.kernel.name, j.config.name, r) not in have
        for ratio in plan.ratios
        for j in jobs_for(plan, ratio)
        for r in range(plan.reps + 1)
    )
    progress = Progress(total)
    raw.parent.mkdir(parents=True, exist_ok=True)
    with raw.open("a", encoding="utf-8") as out:

        def write(row: dict[str, Any]) -> None:
            out.write(json.dumps(row) + "\n")
            out.flush()

        write(header(plan))
        for ratio in plan.ratios:
            with slowed(plan, ratio) as emulation:
                types = emulation.types if emulation else None
                for number in range(plan.reps + 1):
                    run_round(plan, ratio, number, types, have, write, progress)
            if emulation is not None:
                record = emulation.record or {}
                write(
                    {
                        "kind": "emulation",
                        "ratio": ratio,
                        "reached": reached_ratios(record),
                        "record": record,
                        "messages": emulation.messages,
                    }
                )


def run_round(
    plan: Plan,
    ratio: float,
    number: int,
    types: str | None,
    have: set[Key],
    write: Any,
    progress: Progress,
) -> None:
    jobs: Sequence[Job] = jobs_for(plan, ratio)
    order = list(jobs)
    random.Random(f"{plan.seed} {ratio} {number}").shuffle(order)
    for job in order:
        key = (ratio, job.kernel.name, job.config.name, number)
        if key in have:
            continue
        row = {
            "kind": "run",
            "ratio": ratio,
            "kernel": job.kernel.name,
            "class": job.klass,
            "config": job.config.name,
            "round": number,
            "warmup": number == 0,
            "pinning": placement(plan, job.config),
            "load": machine.load_average(),
            "time": round(time.time(), 3),
        }
        row |= run_one(plan, job, types)
        write(row)
        progress.step(f"{job.kernel.name} {job.config.name} ratio {ratio:g}")
