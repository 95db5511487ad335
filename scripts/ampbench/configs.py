# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels, and the configurations under which they are run.

A configuration's name says everything: RUNTIME:SCHEDULE.
  stock:static   the stock compiler's program: static, compiled inline; the baseline
  gomp:S         the program of our wrapper on the system's libgomp, OMP_SCHEDULE=S
  amp:S          the same on our libgomp (amp:unset: without OMP_SCHEDULE)
  llvm:S intel:S the same on LLVM's libomp and Intel's libiomp5
  split:W        the stock program's own contiguous split, the fast CPUs weighing W
  single:N       the stock program with one thread on CPU N
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PAPER = ("aid_static", "aid_hybrid,80", "aid_dynamic,1,5")
STOCK_SCHEDULES = ("static", "dynamic,1", "guided")
PEER_SCHEDULES = ("dynamic,1", "guided", "static_steal")
BASELINE = "stock:static"
STOCK_DYNAMIC = "gomp:dynamic,1"
SPLIT_FACTORS = (0.7, 0.85, 1.0, 1.2)
RUNTIMES = ("stock", "gomp", "amp", "llvm", "intel", "split", "single")


@dataclass(frozen=True)
class Kernel:
    """One row of benchmarks/kernels.json."""

    name: str
    classes: str
    quick: str
    default: str
    split: bool
    memory_bound: bool
    overhead_only: bool
    what: str
    group: str = ""  # "ich": run by scripts/bench-ich, by scripts/bench only when named


@dataclass(frozen=True)
class Config:
    """See the module's text."""

    runtime: str
    schedule: str

    @property
    def name(self) -> str:
        return f"{self.runtime}:{self.schedule}"

    @property
    def binary(self) -> str:
        """Which of the two builds it runs."""
        return "stock" if self.runtime in ("stock", "split", "single") else "amp"

    @property
    def is_aid(self) -> bool:
        return self.runtime == "amp" and self.schedule.startswith("aid_")


def parse_config(name: str) -> Config:
    """The inverse of Config.name."""
    runtime, colon, schedule = name.partition(":")
    if not colon or not schedule or runtime not in RUNTIMES:
        raise ValueError(f"'{name}' is not RUNTIME:SCHEDULE with one of {', '.join(RUNTIMES)}")
    return Config(runtime, schedule)


def load_kernels(path: Path) -> dict[str, Kernel]:
    """The registry, by name, in its order."""
    rows = json.loads(path.read_text(encoding="utf-8"))["kernels"]
    return {
        row["name"]: Kernel(
            name=row["name"],
            classes=row["classes"],
            quick=row["quick"],
            default=row["default"],
            split=row["split"],
            memory_bound=row["memory_bound"],
            overhead_only=row.get("overhead_only", False),
            what=row["what"],
            group=row.get("group", ""),
        )
        for row in rows
    }


def split_weights(ratio: float) -> list[str]:
    """Weights of a fast CPU against 1 of a slow one, around the speed ratio."""
    if ratio == 1.0:
        return ["1"]
    return [f"{ratio * f:.3g}" for f in SPLIT_FACTORS]


def comparison_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Iterable[str]
) -> list[Config]:
    """Everything that `make bench` compares for KERNEL; RATIO is 1 on equal cores."""
    out = [Config("stock", "static")]
    out += [Config("gomp", s) for s in ("dynamic,1", "guided")]
    out += [Config("amp", s) for s in STOCK_SCHEDULES + PAPER]
    for peer in peers:
        out += [Config(peer, s) for s in PEER_SCHEDULES]
    if kernel.split:
        out += [Config("split", w) for w in split_weights(ratio)]
    out += [Config("single", str(c)) for c in cpus]
    return out


def overhead_configs(kernel: Kernel) -> list[Config]:
    """What --overhead compares: the plugin's code under static against inline static."""
    out = [Config("stock", "static"), Config("amp", "static")]
    if kernel.overhead_only:
        out += [Config("gomp", s) for s in STOCK_SCHEDULES]
        out += [Config("amp", s) for s in ("unset", "dynamic,1", "guided")]
    return out


def select(configs: Sequence[Config], patterns: Sequence[str]) -> list[Config]:
    """CONFIGS that match one of the shell PATTERNS (all when there are none).

    A pattern without wildcards that names none of them is added as it stands, so
    that any schedule can be tried.  The baselines and the CPUs alone are kept:
    without them there is nothing to compare with.
    """
    if not patterns:
        return list(configs)
    kept = [
        c
        for c in configs
        if c.runtime == "single"
        or c.name in (BASELINE, STOCK_DYNAMIC)
        or any(fnmatch.fnmatchcase(c.name, p) for p in patterns)
    ]
    names = {c.name for c in kept}
    for p in patterns:
        if not any(ch in p for ch in "*?[") and p not in names:
            kept.append(parse_config(p))
            names.add(p)
    return kept
