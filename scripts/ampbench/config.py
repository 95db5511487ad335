# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations, under which programs are run, and the one grammar of their names.

    [RUNTIME:]SCHEDULE[+sf][@WHERE]

RUNTIME says which build is run on which library; amp where it is left out:
  stock          the stock compiler's program: static, compiled inline; the baseline
  fast           the same with a thread on each of the fast CPUs, and none on the others
  single         the same with one thread, on CPU number SCHEDULE
  split          the same with a contiguous split of its own, SCHEDULE is the fast CPUs' weight
  team           the same on our libgomp with GOMP_AMP_TEAM=SCHEDULE, with as many threads as that
                 gives; told how much slower an emulated CPU is
  gomp           the program of our wrapper on the system's libgomp, in the portable form: any
                 library takes its loops' schedule from OMP_SCHEDULE
  llvm, intel    the same on LLVM's libomp and Intel's libiomp5
  amp            the program of our wrapper on our libgomp, OMP_SCHEDULE=SCHEDULE
  blind          the same, but not told which CPUs are of which type
  replace        the build whose loops say static, under -fopenmp-replace-static, on our libgomp with
                 GOMP_AMP_REPLACE=static=SCHEDULE
  task           the taskloop build on our libgomp: task:threads as libgomp has it, a task a thread;
                 task:threads,8 with eight a thread
  tasks          the build as tasks with dependences, on our libgomp
  run            the program behind amp-run --SCHEDULE (weighted, auto, replace); unset: no option
The schedule `unset` leaves OMP_SCHEDULE out.  +sf: with speedup factors measured before.  WHERE is
a number of threads, or a binding: sb (slow cores get the low thread numbers), bs (fast ones do,
the default), free (threads are not bound), or CPU lists, fastest type first (4-7:0-3).
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BASELINE = "stock:static"
TASKS = ("task", "tasks")
STOCK = ("stock", "fast", "single", "split", "team")
OURS = ("amp", "blind", "replace", "team", "run", *TASKS)
RUNTIMES = ("stock", "fast", "gomp", *OURS, "llvm", "intel", "split", "single")
NAMED = ("sb", "bs", "free")
LISTS = re.compile(r"[0-9]+(-[0-9]+)?([,:][0-9]+(-[0-9]+)?)*")
SCHEDULE = re.compile(r"((non)?monotonic:)?[a-z][a-z_]*(,[0-9]+)*(,amp)?")
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")
WILD = set("*?[")


@dataclass(frozen=True)
class Config:
    """See the module's text."""

    runtime: str
    schedule: str
    threads: int | None = None  # None: one a CPU
    binding: str | None = None  # None: as the runtime has it
    offline: bool = False

    @property
    def name(self) -> str:
        where = self.binding or self.threads
        front = f"{self.runtime}:{self.schedule}{'+sf' if self.offline else ''}"
        return f"{front}@{where}" if where else front

    @property
    def build(self) -> str:
        """Which of the builds of a kernel it runs."""
        if self.runtime in STOCK:
            return "stock"
        named = {"task": "taskloop", "blind": "amp", "run": "amp"}
        return named.get(self.runtime, self.runtime if self.runtime in OURS else "portable")

    @property
    def library(self) -> str:
        """Which of the installed libraries serves it."""
        if self.runtime in OURS:
            return "amp"
        return "gomp" if self.runtime in STOCK else self.runtime

    @property
    def bound(self) -> bool:
        """Whether each thread has a CPU of its own from the start."""
        return self.runtime not in ("team", "run") and self.binding != "free"

    @property
    def chooses(self) -> bool:
        """Whether it chooses the number of threads itself."""
        return self.runtime == "team" or (self.runtime == "run" and self.schedule == "weighted")

    @property
    def told(self) -> bool:
        """Whether it gets GOMP_AMP_TYPES."""
        return self.library == "amp" and self.runtime not in ("blind", "run", *TASKS)

    def environment(self) -> dict[str, str]:
        """What the schedule says to the library."""
        if self.runtime == "team":
            return {"GOMP_AMP_TEAM": self.schedule}
        if self.runtime == "replace":
            return {"GOMP_AMP_REPLACE": f"static={self.schedule}"}
        chosen = self.runtime in ("amp", "blind", "gomp", "llvm", "intel")
        return {"OMP_SCHEDULE": self.schedule} if chosen and self.schedule != "unset" else {}


def parse(text: str) -> Config:
    """The inverse of Config.name; static(SB) is amp:static@sb."""
    name = re.sub(r"\((sb|bs|free)\)$", r"@\1", text.strip().lower())
    front, at, where = name.partition("@")
    runtime, colon, schedule = front.partition(":")
    if not colon or runtime not in RUNTIMES:
        runtime, schedule = "amp", front
    schedule, plus, sf = schedule.partition("+")
    schedule = schedule.replace("-", "_")
    if (at and not where) or (plus and sf != "sf"):
        raise ValueError(f"'{text}' is not [RUNTIME:]SCHEDULE[+sf][@WHERE]")
    wanted = NUMBER if runtime in ("split", "single") else SCHEDULE
    if not wanted.fullmatch(schedule):
        raise ValueError(f"'{text}': '{schedule}' is not a schedule")
    if where.isdecimal() and int(where):
        return Config(runtime, schedule, int(where), None, bool(plus))
    if where and not (where in NAMED or LISTS.fullmatch(where)):
        raise ValueError(f"'{text}': a binding is sb, bs, free or CPU lists as in 4-7:0-3")
    return Config(runtime, schedule, None, None if where == "bs" else where or None, bool(plus))


_SB = "static@sb"
_PAPER = (_SB, "static", "dynamic,1@sb", "dynamic,1", "aid_static", "aid_hybrid,80",
          "aid_dynamic,1,5")  # fmt: skip
_CHUNKS = (1, 2, 5, 10, 20, 40)
PRESETS: dict[str, tuple[str, ...]] = {
    "paper": _PAPER,
    "default": (*_PAPER, "unset"),
    "chunks": (_SB, *(f"dynamic,{c}" for c in _CHUNKS), *(f"aid_dynamic,1,{c}" for c in _CHUNKS)),
    "percent": (_SB, "static", "dynamic,1", "aid_static",
                *(f"aid_hybrid,{p}" for p in (50, 60, 70, 80, 90, 95))),
    "offline": (_SB, "aid_static", "aid_static+sf", "aid_hybrid,80"),
}  # fmt: skip


def parse_all(arguments: Iterable[str]) -> list[Config]:
    """Words of several arguments; the name of a preset stands for its configurations."""
    words = [w for a in arguments for w in a.split()]
    return list(dict.fromkeys(parse(c) for w in words for c in PRESETS.get(w, (w,))))


def title(name: str) -> str:
    """A configuration's name as tables show it: static(SB) for amp:static@sb."""
    front, _, binding = name.partition("@")
    if front.startswith("amp:") and binding in NAMED:
        return f"{front.removeprefix('amp:')}({binding.upper()})"
    return name


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(name == p or (set(p) & WILD and fnmatch.fnmatchcase(name, p)) for p in patterns)


def select(known: Sequence[Config], patterns: Sequence[str]) -> list[Config]:
    """KNOWN that match one of the shell PATTERNS (all KNOWN without patterns).

    A pattern without wildcards that names none of them is added as it stands, so that any schedule
    can be tried.  The baseline, stock dynamic and CPUs alone are kept: without them there is
    nothing to compare with.
    """
    if not patterns:
        return list(known)
    fixed = [c for p in patterns if not set(p) & WILD for c in parse_all([p])]
    globs = [p for p in patterns if set(p) & WILD]
    kept = [
        c for c in known
        if c.runtime == "single" or c.name in (BASELINE, "gomp:dynamic,1")
        or c in fixed or matches(c.name, globs)
    ]  # fmt: skip
    return list(dict.fromkeys([*kept, *fixed]))
