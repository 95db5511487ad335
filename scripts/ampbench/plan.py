# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan of interleaved rounds, that a later session can go on with.

A job is one program (of one class, at one ratio of speeds) with its configurations. Round 0 warms
up and is discarded.  What shares CPUs slowed at one time is a block: all jobs of one ratio of a
round, or of big programs one job, so that its input stays in memory.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Protocol, TextIO

from .config import BASELINE, OURS, Config
from .emulation import Emulation, reached_ratios
from .record import EQUAL, REAL, Key, Record, Run

# A configuration this many times slower than the baseline when first measured ...
SLOW_FACTOR = 5.0
# ... is measured only so often.
SLOW_REPS = 2
FAILURES = 2
# What a job says of a run; the rest is its place.
OUTCOME = ("status", "seconds", "wall", "others", "report", "why", "stderr")

def shuffled(items: Sequence[Any], *seed: object) -> list[Any]:
    """ITEMS in an order that the seed alone decides, so that --resume repeats it."""
    out = list(items)
    random.Random(repr(seed)).shuffle(out)
    return out


class Progress:
    """A bar with the time left on a terminal, a line now and then elsewhere."""

    def __init__(self, total: int, stream: TextIO = sys.stderr, quiet: bool = False) -> None:
        self.total, self.done, self.stream, self.quiet = total, 0, stream, quiet
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
            self.stream.write(f"bench: {text}\n")
        self.stream.flush()

    def say(self, text: str) -> None:
        self.stream.write(("\r\x1b[K" if self.tty else "") + f"bench: {text}\n")
        self.stream.flush()

    def finish(self) -> None:
        if self.tty and not self.quiet:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


class Job(Protocol):
    """What a plan runs."""

    @property
    def ratio(self) -> float: ...
    @property
    def where(self) -> str: ...
    @property
    def configs(self) -> Sequence[Config]: ...
    @property
    def place(self) -> Run:
        """A run of it that lacks all but the names of what is run."""
    @property
    def title(self) -> str: ...
    def run(self, config: Config, round_: int, emulation: Emulation | None) -> Run:
        """One run, without its place."""


@dataclass
class Plan:
    """Round robin over all configurations of all jobs, for REPS rounds or until the budget is
    spent."""

    jobs: Sequence[Job]
    reps: int
    seed: int
    write: Callable[[Record | Run], None]
    known: Iterable[Run] = ()  # of earlier sessions
    budget: float = float("inf")  # seconds
    emulate: Callable[[float], Emulation] | None = None  # slows CPUs for a block, by the ratio
    by_job: bool = False  # a block is a job's, and one job comes after the other
    quiet: bool = False
    warm: bool = True
    # With the baseline only, where there is one; and what is hopeless at one ratio of speeds is
    # not run at the others, unless it is ours.
    brief: bool = False
    warm_once: bool = False  # with one configuration
    patient: bool = False  # whatever is much slower than the baseline is run as often
    before_run: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.results: dict[Key, Run] = {}
        self.failures: dict[Key, int] = {}
        self.walls: dict[Key, list[float]] = {}
        for run in self.known:
            self._remember(run)
        runs = sum(len(self._configs(j, r)) for j in self.jobs for r in self._rounds())
        self.progress = Progress(runs, quiet=self.quiet)
        self.begin = time.monotonic()

    def _rounds(self) -> list[int]:
        return list(range(0 if self.warm else 1, self.reps + 1))

    def _configs(self, job: Job, round_: int) -> list[Config]:
        if round_ == 0 and self.warm_once:
            return list(job.configs[:1])
        base = [c for c in job.configs if c.name == BASELINE]
        return base if base and self.brief and round_ == 0 else list(job.configs)

    def _place(self, job: Job, config: Config, round_: int) -> Run:
        return replace(job.place, config=config.name, round=round_)

    def _result(self, job: Job, config: str, round_: int) -> Run | None:
        return self.results.get(replace(job.place, config=config, round=round_).key)

    def _remember(self, run: Run) -> None:
        self.results[run.key] = run
        if run.bad:
            key = replace(run, round=0).key
            self.failures[key] = self.failures.get(key, 0) + 1
        if run.wall:
            self.walls.setdefault(replace(run, config="", round=0).key, []).append(run.wall)

    def _skip(self, job: Job, config: Config, round_: int) -> str | None:
        """Why CONFIG sits this round out."""
        if self.failures.get(self._place(job, config, 0).key, 0) >= FAILURES:
            return f"failed {FAILURES} times before"
        if config.runtime == "single" or self.patient:
            return None
        slow = f"more than {SLOW_FACTOR:g} times slower than {BASELINE}"
        if round_ > SLOW_REPS and self._is_slow(job, config):
            return f"{slow}: {SLOW_REPS} runs only"
        if self.brief and round_ > 0 and config.runtime not in OURS:
            for other in self.jobs:
                same = (other.place.program, other.place.klass) == (job.place.program, job.place.klass)
                if same and other.where != job.where and self._is_slow(other, config):
                    return f"{slow} at {other.where}"
        return None

    def _is_slow(self, job: Job, config: Config) -> bool:
        first = self._result(job, config.name, 1)
        base = self._result(job, BASELINE, 1)
        if first and first.status == "timeout":
            return True
        times = [r.seconds for r in (first, base) if r and r.seconds]
        return len(times) == 2 and times[0] > SLOW_FACTOR * times[1]

    def _spent(self) -> float:
        return time.monotonic() - self.begin

    def _over(self, round_: int) -> bool:
        """Is the budget spent?  One measured round is finished all the same."""
        return round_ > 1 and self._spent() > self.budget

    def _expected(self) -> float | None:
        """Seconds left, of all rounds or of the budget."""
        whole, first = self._left(self._rounds()), self._left([r for r in self._rounds() if r in (0, 1)])
        if whole is None or first is None:
            return None
        return min(whole, max(first, self.budget - self._spent()))

    def _left(self, rounds: Sequence[int]) -> float | None:
        """Seconds that ROUNDS still take.  A job that has not run yet is taken to last as long as
        the mean one."""
        medians = {key: median(walls) for key, walls in self.walls.items()}
        if not medians:
            return None
        mean = sum(medians.values()) / len(medians)
        return sum(
            medians.get(job.place.key, mean) * len(self._todo(job, r))
            for job in self.jobs
            for r in rounds
        )

    def _todo(self, job: Job, round_: int) -> list[Config]:
        return [
            c
            for c in shuffled(self._configs(job, round_), self.seed, job.title, round_)
            if self._place(job, c, round_).key not in self.results
        ]

    def _blocks(self) -> Iterator[tuple[int, list[Job]]]:
        """(round, jobs)"""
        if self.by_job:
            yield from ((r, [job]) for job in self.jobs for r in self._rounds())
            return
        for r in self._rounds():
            for ratio in shuffled(sorted({j.ratio for j in self.jobs}), self.seed, "ratios", r):
                same = [j for j in self.jobs if j.ratio == ratio]
                yield r, shuffled(same, self.seed, "jobs", r)

    def _one(self, job: Job, config: Config, round_: int, emulation: Emulation | None) -> Run:
        why = self._skip(job, config, round_)
        if why:
            return Run(status="skipped", why=why)
        self.before_run()
        return job.run(config, round_, emulation)

    def _block(self, round_: int, todo: list[tuple[Job, list[Config]]]) -> None:
        ratio = todo[0][0].ratio
        emulation = self.emulate(ratio) if self.emulate and ratio not in (EQUAL, REAL) else None
        with emulation or nullcontext():
            for job, configs in todo:
                for order, config in enumerate(configs):
                    if self._over(round_):
                        break
                    place = self._place(job, config, round_)
                    found = self._one(job, config, round_, emulation)
                    run = replace(
                        place, **{n: getattr(found, n) for n in OUTCOME},
                        more=found.more | {"order": order},
                    )  # fmt: skip
                    self.write(run)
                    self._remember(run)
                    self.progress.step(f"{job.title} {config.name}", left=self._expected())
                    if run.bad:
                        why = run.why or run.stderr.partition("\n")[0]
                        self.progress.say(f"{job.title} under {config.name}: {run.status}: {why}")
        if emulation:
            self.write(
                {
                    "type": "emulation", "where": place.where, "ratio": ratio, "round": round_,
                    "reached": reached_ratios(emulation.record or {}),
                    "how": emulation.how.record(), "messages": emulation.messages,
                    "record": emulation.record,
                }
            )  # fmt: skip

    def run(self) -> None:
        """Raises emulation.NotPossible when CPUs cannot be slowed."""
        self.begin = time.monotonic()
        took: dict[int, float] = {}
        for round_, jobs in self._blocks():
            spent = self._spent()
            measured = [s for r, s in took.items() if 0 < r < round_]
            if self._over(round_) or (
                measured and round_ not in took and spent + median(measured) > self.budget
            ):
                self.progress.say(
                    f"time budget: {round_ - 1} of {self.reps} rounds in {spent / 60:.1f} min"
                    " (--budget, --reps)"
                )
                break
            todo = [(j, missing) for j in jobs if (missing := self._todo(j, round_))]
            there = sum(len(self._configs(j, round_)) for j in jobs)
            self.progress.step("", there - sum(len(c) for _, c in todo))
            first = self._left([1])
            if round_ == 1 and first is not None and not took.get(1) and first > self.budget:
                self.progress.say(
                    f"one round takes about {first / 60:.0f} min, longer than the budget; fewer"
                    " --kernels, a smaller --class make it shorter"
                )
            if todo:
                self._block(round_, todo)
            took[round_] = took.get(round_, 0.0) + self._spent() - spent
        self.progress.finish()
