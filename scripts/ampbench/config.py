# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations, under which programs are run, and the one grammar of their names.

    [RUNTIME:]SCHEDULE[+sf][@WHERE]

RUNTIME says which build is run on which library:
  stock          the stock compiler's program: static, compiled inline; the baseline
  amp            the program of our wrapper on our libgomp, OMP_SCHEDULE=SCHEDULE
  gomp           the same on the system's libgomp, in the portable form: any library takes
                 its loops' schedule from OMP_SCHEDULE
  free           the same as amp, no thread bound; free:static is the stock program, unbound
  blind          the same as amp, but not told which CPUs are of which type
  typed          on equal cores, told that the slow CPUs were of another type
  task           the taskloop build on our libgomp: task:threads as libgomp has it, a task a thread;
                 task:threads,8 with eight a thread
  tasks          the build as tasks with dependences, on our libgomp
  replace        the build whose loops say static, under -fopenmp-replace-static, on our libgomp with
                 GOMP_AMP_REPLACE=static=SCHEDULE
  team           the stock program on our libgomp with GOMP_AMP_TEAM=SCHEDULE, with as many threads
                 as that gives; told how much slower an emulated CPU is
  placed         the stock program with more threads than CPUs, one on each slow one and as many on
                 each fast one as there are left for it; SCHEDULE is OMP_WAIT_POLICY
  fast           the stock program with a thread on each of the fast CPUs, and none on the others
  llvm, intel    the same as gomp on LLVM's libomp and Intel's libiomp5
  split          the stock program's own contiguous split, SCHEDULE is the fast CPUs' weight
  single         the stock program with one thread on CPU number SCHEDULE
The schedule `unset` leaves OMP_SCHEDULE out.  +sf: with speedup factors measured before (the AID
paper's offline SF).  After RUNTIME: a number as WHERE is one of threads.  Else WHERE is a
binding of our library: sb (slow cores get the low thread numbers), bs (fast ones do), free (threads
are not bound), or CPU lists, fastest type first (4-7:0-3); static(SB) is static@sb.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass

PAPER = ("aid_static", "aid_hybrid,80", "aid_dynamic,1,5")
BASELINE = "stock:static"
STOCK_DYNAMIC = "gomp:dynamic,1"
FAST_ONLY = "fast:static"
TASKS = ("task", "tasks")
OURS = ("amp", "free", "blind", "typed", "replace", "team", *TASKS)
RUNTIMES = ("stock", "placed", "fast", "gomp", *OURS, "llvm", "intel", "split", "single")
NAMED = ("sb", "bs", "free")
LISTS = re.compile(r"[0-9]+(-[0-9]+)?([,:][0-9]+(-[0-9]+)?)*")
SCHEDULE = re.compile(r"((non)?monotonic:)?[a-z][a-z_]*(,[0-9]+)*(,amp)?")
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")


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
        if self.binding:
            return f"{self.schedule}{'+sf' if self.offline else ''}@{self.binding}"
        return f"{self.runtime}:{self.schedule}" + (f"@{self.threads}" if self.threads else "")

    @property
    def binary(self) -> str:
        """Which of the builds it runs."""
        if self.runtime in TASKS:
            return {"task": "taskloop"}.get(self.runtime, self.runtime)
        if self.runtime == "replace":
            return self.runtime
        stock = ("stock", "placed", "fast", "split", "single", "team")
        if self.runtime in stock or self.name == "free:static":
            return "stock"
        return "amp" if self.runtime in OURS else "portable"

    @property
    def library(self) -> str:
        """Which of the installed libraries serves it."""
        if self.binary == "stock" and self.runtime != "team":
            return "gomp"
        return "amp" if self.runtime in OURS else self.runtime

    @property
    def bound(self) -> bool:
        """Whether each thread has a CPU of its own from the start."""
        return self.runtime not in ("free", "team") and self.binding != "free"

    @property
    def told(self) -> bool:
        """Whether it gets GOMP_AMP_TYPES."""
        return self.library == "amp" and self.runtime not in ("blind", *TASKS)

    def environment(self) -> dict[str, str]:
        """What the schedule and the binding say to the library."""
        env = {}
        if self.binary in ("amp", "portable") and self.schedule != "unset":
            env["OMP_SCHEDULE"] = self.schedule
        if self.runtime == "placed" and self.schedule != "unset":
            env["OMP_WAIT_POLICY"] = self.schedule
        if self.runtime == "team":
            env["GOMP_AMP_TEAM"] = self.schedule
        if self.runtime == "replace":
            env["GOMP_AMP_REPLACE"] = f"static={self.schedule}"
        if self.binding and self.bound:
            env["GOMP_AMP_AFFINITY"] = self.binding
        return env


def parse(text: str, *, bare: bool = False) -> Config:
    """The inverse of Config.name.  BARE: RUNTIME: is amp:, bound by bs, where it is left out."""
    name = re.sub(r"\((sb|bs|free)\)$", r"@\1", text.strip().lower())
    front, at, where = name.partition("@")
    runtime, colon, schedule = front.partition(":")
    if not colon or runtime not in RUNTIMES:
        if not bare:
            known = ", ".join(RUNTIMES)
            raise ValueError(f"'{text}' is not RUNTIME:SCHEDULE with one of {known}")
        runtime, schedule, where = "amp", front, where or ("" if at else "bs")
        colon = ""
    schedule, plus, sf = schedule.partition("+")
    schedule = schedule.replace("-", "_")
    if (at and not where) or (plus and sf != "sf"):
        raise ValueError(f"'{text}' is not [RUNTIME:]SCHEDULE[+sf][@WHERE]")
    wanted = NUMBER if runtime in ("split", "single") else SCHEDULE
    if not wanted.fullmatch(schedule):
        raise ValueError(f"'{text}': '{schedule}' is not a schedule")
    if colon and where.isdecimal():
        return Config(runtime, schedule, int(where))
    if where and (runtime != "amp" or where not in NAMED and not LISTS.fullmatch(where)):
        raise ValueError(f"'{text}': a binding is sb, bs, free or CPU lists as in 4-7:0-3")
    return Config(runtime, schedule, None, where or None, bool(plus))


_SB = "static@sb"
_AID = ("aid_static@bs", "aid_hybrid,80@bs", "aid_dynamic,1,5@bs")
_PAPER = (_SB, "static@bs", "dynamic,1@sb", "dynamic,1@bs", *_AID)
_CHUNKS = (1, 2, 5, 10, 20, 40)
PRESETS: dict[str, tuple[str, ...]] = {
    "paper": _PAPER,
    "default": (*_PAPER, "unset@bs"),
    "chunks": (_SB, *(f"dynamic,{c}@bs" for c in _CHUNKS),
               *(f"aid_dynamic,1,{c}@bs" for c in _CHUNKS)),
    "percent": (_SB, "static@bs", "dynamic,1@bs", "aid_static@bs",
                *(f"aid_hybrid,{p}@bs" for p in (50, 60, 70, 80, 90, 95))),
    "offline": (_SB, "aid_static@bs", "aid_static+sf@bs", "aid_hybrid,80@bs"),
}  # fmt: skip


def parse_all(arguments: Sequence[str]) -> list[Config]:
    """Words of several arguments; the name of a preset stands for its configurations."""
    words = [w for a in arguments for w in a.split()]
    return list(dict.fromkeys(parse(c, bare=True) for w in words for c in PRESETS.get(w, (w,))))


def title(name: str) -> str:
    """A configuration's name as tables show it: static(SB) for static@sb."""
    schedule, _, binding = name.partition("@")
    return f"{schedule}({binding.upper()})" if binding in NAMED else name


def configs(runtime: str, *schedules: object) -> list[Config]:
    return [Config(runtime, str(s)) for s in schedules]


def select(
    known: Sequence[Config], patterns: Sequence[str], more: Sequence[Config] = ()
) -> list[Config]:
    """KNOWN, and MORE, that match one of the shell PATTERNS (all KNOWN without patterns).

    A pattern without wildcards that names none of them is added as it stands, so
    that any schedule can be tried.  The baselines and the CPUs alone are kept:
    without them there is nothing to compare with.
    """
    if not patterns:
        return list(known)
    kept = [
        c
        for c in dict.fromkeys([*known, *more])
        if c.runtime == "single"
        or c.name in (BASELINE, STOCK_DYNAMIC)
        or any(fnmatch.fnmatchcase(c.name, p) for p in patterns)
    ]
    names = {c.name for c in kept}
    return kept + [
        parse(p) for p in dict.fromkeys(patterns) if not set(p) & set("*?[") and p not in names
    ]
