# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels, and the configurations under which they are run.

A configuration's name says everything: RUNTIME:SCHEDULE.
  stock:static   the stock compiler's program: static, compiled inline; the baseline
  gomp:S         the program of our wrapper on the system's libgomp, OMP_SCHEDULE=S
  amp:S          the same on our libgomp (amp:unset: without OMP_SCHEDULE)
  free:S         the same, no thread bound; free:static is the stock program, unbound
  blind:S        the same as amp:S, but not told which CPUs are of which type
  typed:S        on equal cores, told that the slow CPUs were of another type
  llvm:S intel:S the same on LLVM's libomp and Intel's libiomp5
  split:W        the stock program's own contiguous split, the fast CPUs weighing W
  single:N       the stock program with one thread on CPU N
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAPER = ("aid_static", "aid_hybrid,80", "aid_dynamic,1,5")
STOCK_SCHEDULES = ("static", "dynamic,1", "guided")
PEER_SCHEDULES = ("dynamic,1", "guided", "static_steal")
BASELINE = "stock:static"
STOCK_DYNAMIC = "gomp:dynamic,1"
# A kernel may be slowed by more than is asked.
SPLIT_FACTORS = (0.7, 0.85, 1.0, 1.2, 1.45, 1.75)
FREE_STATIC = "free:static"
FREE_SCHEDULES = ("static", "aid_static", "aid_hybrid,80", "unset")
BLIND_SCHEDULES = ("aid_static", "unset")
OURS = ("amp", "free", "blind", "typed")
RUNTIMES = ("stock", "gomp", *OURS, "llvm", "intel", "split", "single")
# What --sites measures.
SITES_KERNELS = ("ep", "tail", "cg", "stencil")
SITES_RATIOS = (1.5, 2.0, 3.0, 5.0)
SITES_SCHEDULES = (*PAPER, "unset")
SITES_FREE = ("aid_static", "unset")
SITES_PEERS = ("guided", "static_steal")
# The AID settings that --all measures.
EVALUATION_AID = (*PAPER, "aid_hybrid", "aid_dynamic")


@dataclass(frozen=True)
class Kernel:
    """One row of benchmarks/kernels/kernels.json."""

    name: str
    classes: str
    quick: str
    default: str
    split: bool
    memory_bound: bool
    overhead_only: bool
    what: str
    # "ich": of scripts/bench-ich; "suites": on themes of NPB, Rodinia and PARSEC, and those that
    # rely on static.  Both are run by scripts/bench only when named, or with --all.
    group: str = ""
    # The class of --all: QUICK, or one whose loops last some periods of amp-emulate.
    evaluation: str = ""


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
        stock = self.runtime in ("stock", "split", "single") or self.name == FREE_STATIC
        return "stock" if stock else "amp"

    @property
    def library(self) -> str:
        """Which of the installed libraries serves it."""
        if self.binary == "stock":
            return "gomp"
        return "amp" if self.runtime in OURS else self.runtime

    @property
    def bound(self) -> bool:
        """Whether each thread has a CPU of its own from the start."""
        return self.runtime != "free"

    @property
    def told(self) -> bool:
        """Whether it gets GOMP_AMP_TYPES."""
        return self.library == "amp" and self.runtime != "blind"


def parse_config(name: str) -> Config:
    """The inverse of Config.name."""
    runtime, colon, schedule = name.partition(":")
    if not colon or not schedule or runtime not in RUNTIMES:
        raise ValueError(f"'{name}' is not RUNTIME:SCHEDULE with one of {', '.join(RUNTIMES)}")
    return Config(runtime, schedule)


def kernel_of(row: Mapping[str, Any]) -> Kernel:
    """The kernel that ROW of the registry tells of."""
    return Kernel(
        name=row["name"],
        classes=row["classes"],
        quick=row["quick"],
        default=row["default"],
        split=row["split"],
        memory_bound=row["memory_bound"],
        overhead_only=row.get("overhead_only", False),
        what=row["what"],
        group=row.get("group", ""),
        evaluation=row.get("evaluation", row["quick"]),
    )


def load_kernels(path: Path) -> dict[str, Kernel]:
    """The registry, by name, in its order."""
    rows = json.loads(path.read_text(encoding="utf-8"))["kernels"]
    return {row["name"]: kernel_of(row) for row in rows}


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
    out += [Config("amp", s) for s in (*STOCK_SCHEDULES, *PAPER, "unset")]
    for peer in peers:
        out += [Config(peer, s) for s in PEER_SCHEDULES]
    return out + yardsticks(kernel, cpus, ratio)


def yardsticks(kernel: Kernel, cpus: Sequence[int], ratio: float) -> list[Config]:
    """The hand-weighted splits and the CPUs alone."""
    out = [Config("split", w) for w in split_weights(ratio)] if kernel.split else []
    return out + [Config("single", str(c)) for c in cpus]


def unusual_configs(ratio: float) -> list[Config]:
    """What no comparison has by itself, but a pattern may ask for."""
    out = [Config("free", s) for s in FREE_SCHEDULES]
    if ratio != 1.0:
        out += [Config("blind", s) for s in BLIND_SCHEDULES]
    return out


def sites_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Iterable[str]
) -> list[Config]:
    """What --sites compares for KERNEL; RATIO is 1 on equal cores."""
    out = [parse_config(BASELINE), parse_config(STOCK_DYNAMIC)]
    out += [Config("amp", s) for s in SITES_SCHEDULES]
    out += [Config("free", s) for s in SITES_FREE]
    if ratio != 1.0:  # else there is nothing that it would not be told
        out.append(Config("blind", "unset"))
    for peer in peers:
        out += [Config(peer, s) for s in SITES_PEERS]
    return out + yardsticks(kernel, cpus, ratio)


def evaluation_configs(
    kernel: Kernel, cpus: Sequence[int], ratio: float, peers: Iterable[str]
) -> list[Config]:
    """What --all compares for KERNEL; on equal cores only what asymmetry changes nothing for."""
    out = [parse_config(BASELINE), parse_config(STOCK_DYNAMIC)]
    if ratio != 1.0:
        out.append(Config("gomp", "guided"))
        for peer in peers:
            out += [Config(peer, s) for s in PEER_SCHEDULES]
    out += [Config("amp", s) for s in (*EVALUATION_AID, "unset")]
    return out + [Config("single", str(c)) for c in cpus]


def overhead_configs(kernel: Kernel) -> list[Config]:
    """What --overhead compares: the plugin's code under static against inline static."""
    out = [Config("stock", "static"), Config("amp", "static")]
    if kernel.overhead_only:
        out += [Config("gomp", s) for s in STOCK_SCHEDULES]
        out += [Config("amp", s) for s in ("aid_static", "unset", "dynamic,1", "guided")]
        # A team of one type is static by itself: plans need two.
        out += [Config("typed", s) for s in ("aid_static", "unset")]
    return out


def select(
    configs: Sequence[Config], patterns: Sequence[str], more: Sequence[Config] = ()
) -> list[Config]:
    """CONFIGS, and MORE, that match one of the shell PATTERNS (all CONFIGS without patterns).

    A pattern without wildcards that names none of them is added as it stands, so
    that any schedule can be tried.  The baselines and the CPUs alone are kept:
    without them there is nothing to compare with.
    """
    if not patterns:
        return list(configs)
    kept = [
        c
        for c in dict.fromkeys([*configs, *more])
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
