# SPDX-License-Identifier: GPL-3.0-or-later
"""Configurations: a schedule and a binding, written SCHEDULE[+sf]@BINDING.

static@sb is the paper's static(SB), which is also understood.  Bindings: sb (slow
cores get the low thread numbers), bs (fast ones do), free (threads are not bound),
or CPU lists, fastest type first (4-7:0-3).  +sf: with speedup factors measured
before (the paper's offline SF).  The schedule `unset` leaves OMP_SCHEDULE out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

PAPER = (
    "static@sb", "static@bs", "dynamic,1@sb", "dynamic,1@bs",
    "aid_static@bs", "aid_hybrid,80@bs", "aid_dynamic,1,5@bs",
)  # fmt: skip
CHUNKS = (1, 2, 5, 10, 20, 40)
PERCENTS = (50, 60, 70, 80, 90, 95)
PRESETS: dict[str, tuple[str, ...]] = {
    "paper": PAPER,
    "default": (*PAPER, "unset@bs"),
    "chunks": (
        "static@sb",
        *(f"dynamic,{c}@bs" for c in CHUNKS),
        *(f"aid_dynamic,1,{c}@bs" for c in CHUNKS),
    ),
    "percent": (
        "static@sb", "static@bs", "dynamic,1@bs", "aid_static@bs",
        *(f"aid_hybrid,{p}@bs" for p in PERCENTS),
    ),
    "offline": ("static@sb", "aid_static@bs", "aid_static+sf@bs", "aid_hybrid,80@bs"),
}  # fmt: skip
LISTS = re.compile(r"[0-9]+(-[0-9]+)?([,:][0-9]+(-[0-9]+)?)*")
SCHEDULE = re.compile(r"[a-z][a-z_]*(,[0-9]+)*(,amp)?|(non)?monotonic:[a-z][a-z_]*(,[0-9]+)*")
NAMED = ("sb", "bs", "free")


@dataclass(frozen=True)
class Config:
    """See the module's text."""

    schedule: str
    binding: str
    offline: bool = False

    @property
    def name(self) -> str:
        return f"{self.schedule}{'+sf' if self.offline else ''}@{self.binding}"

    def environment(self) -> dict[str, str]:
        env = {}
        if self.schedule != "unset":
            env["OMP_SCHEDULE"] = self.schedule
        if self.binding != "free":
            env["GOMP_AMP_AFFINITY"] = self.binding
        return env


def parse(text: str) -> Config:
    """The inverse of Config.name; without a binding, bs."""
    lower = text.strip().lower()
    called = re.fullmatch(r"(.+)\((sb|bs|free)\)", lower)
    schedule, at, binding = (called[1], "@", called[2]) if called else lower.partition("@")
    schedule, plus, sf = schedule.partition("+")
    schedule = schedule.replace("-", "_")
    if at and not binding or plus and sf != "sf":
        raise ValueError(f"'{text}' is not SCHEDULE[+sf][@BINDING]")
    binding = binding or "bs"
    if binding not in NAMED and not LISTS.fullmatch(binding):
        raise ValueError(f"'{text}': a binding is sb, bs, free or CPU lists as in 4-7:0-3")
    if not SCHEDULE.fullmatch(schedule):
        raise ValueError(f"'{text}': '{schedule}' is not a schedule")
    return Config(schedule, binding, bool(plus))


def parse_all(arguments: Sequence[str]) -> list[Config]:
    """Words of several arguments; the name of a preset stands for its configurations."""
    words = [w for a in arguments for w in a.split()]
    out = [parse(c) for w in words for c in PRESETS.get(w, (w,))]
    return list(dict.fromkeys(out))


def title(name: str) -> str:
    """A configuration's name as tables show it: static(SB) for static@sb."""
    schedule, _, binding = name.partition("@")
    return f"{schedule}({binding.upper()})" if binding in NAMED else name
