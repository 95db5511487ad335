# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables and verdicts of `scripts/bench short`.  Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import geometric_mean, median

from .compared import Table, fastest, others, series_of, starting
from .config import BASELINE
from .plan import EQUAL, scene
from .record import Record, cpus_of
from .stats import paired
from .tables import Verdict, grid, noise, targets

KINDS = ("arith", "matvec", "stencil", "spmv", "distance", "chain")
LENGTHS_US = (1, 3, 10, 30, 100, 1000)
KNOWN, AUTO, FREE = "amp:aid_static", "amp:unset", "free:unset"
REPLACED, WEIGHTED = "replace:aid_static", "team:weighted"
PLACED = "placed:"
FIXED = ("amp:aid_static", "amp:aid_hybrid,80", "amp:aid_dynamic,1,5", "gomp:dynamic,1", BASELINE)
STOCK = (BASELINE, "gomp:dynamic,1", "gomp:guided")
PEERS = {"libomp": "llvm:", "libiomp5": "intel:"}
# A known loop against the best split by hand, from this length on.
SPLIT_TARGETS = {10: 0.98, 3: 0.90}
REPLACED_US, REPLACED_TARGET = 10, 0.95
WEIGHTED_US, WEIGHTED_TARGET = 2000, 0.93
# In shorter regions: against as many of stock's threads placed by hand, and nothing set.
PLACED_TARGET, WEIGHTED_UNSET_TARGET = 1.10, 0.80
FIXED_US, FIXED_TARGET = 30, 0.95
STOCK_LIMIT = 1.03
PEER_US = 10


def name_of(kind: str, us: int) -> str:
    return f"{kind}-{us}us"


class Point(Table):
    """One kind of loop, of one length, at one ratio of speeds."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.kind, _, us = self.kernel.rpartition("-")
        self.us = int(us.removesuffix("us"))

    def speed(self, config: str | None, of: str | None = None) -> float | None:
        """How fast CONFIG is, as a share of OF's speed, or without it of the ideal."""
        mine = self.seconds.get(config or "", {})
        found = paired(self.seconds.get(of, {}) if of else self.ideals, mine)
        return median(found) if found else None

    def best(self, names: Sequence[str]) -> str | None:
        return fastest(self.seconds, names)

    def best_of(self, front: str) -> str | None:
        return self.best(starting(self.seconds, front))

    def ahead_of(self, front: str) -> float | None:
        return self.speed(AUTO, self.best_of(front))


def points(records: Sequence[Record]) -> list[Point]:
    out = [Point(*key, some, cpus_of(records)) for key, some in series_of(records).items()]
    return sorted(out, key=lambda p: (p.ratio, p.us, KINDS.index(p.kind)))


def mean(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v]
    return geometric_mean(known) if known else None


# Column -> the configuration of a point that stands there.
COLUMNS: dict[str, Callable[[Point], str | None]] = {
    "static": lambda _: BASELINE,
    "best stock": lambda p: p.best(STOCK),
    "split": lambda p: p.best_split,
    "known": lambda _: KNOWN,
    "replaced": lambda _: REPLACED,
    "weighted": lambda _: WEIGHTED,
    "placed": partial(Point.best_of, front=PLACED),
    "hybrid,80": lambda _: "amp:aid_hybrid,80",
    "dynamic,1,5": lambda _: "amp:aid_dynamic,1,5",
    "unset": lambda _: AUTO,
    "unbound": lambda _: FREE,
    **{name: partial(Point.best_of, front=front) for name, front in PEERS.items()},
}


def table(some: Sequence[Point]) -> list[str]:
    """Of one ratio of speeds: a line a length, geometric means over the kinds."""
    rows = [["us", "reached", *COLUMNS]]
    for us in sorted({p.us for p in some}):
        here = [p for p in some if p.us == us]
        found = [mean([p.speed(pick(p)) for p in here]) for pick in COLUMNS.values()]
        reached = mean([p.own_ratio for p in here])
        rows.append([str(us), f"{reached:.2f}" if reached else "-",
                     *(f"{v:.3f}" if v else "-" for v in found)])  # fmt: skip
    return grid(rows).splitlines()


def verdict(
    target: str, some: Sequence[Point], value: Callable[[Point], float | None], least: float
) -> Verdict:
    """Whether the geometric mean over the kinds is at least LEAST at each length and ratio."""
    found: list[tuple[float, str]] = []
    for ratio, us in sorted({(p.ratio, p.us) for p in some}):
        v = mean([value(p) for p in some if (p.ratio, p.us) == (ratio, us)])
        if v is not None:
            found.append((v, f"{us} us, {scene(ratio)}"))
    if not found:
        return Verdict(target, "-", None)
    low = [f"{v:.3f} at {where}" for v, where in sorted(found) if v < least]
    text = f"{len(found) - len(low)} of {len(found)} points"
    return Verdict(target, "; ".join([text, *(low or [f"least {min(found)[0]:.3f}"])]), not low)


def judge(all_points: Sequence[Point]) -> list[Verdict]:
    """Each length and ratio counts by its geometric mean over the kinds of loops."""
    unequal = [p for p in all_points if p.ratio != EQUAL]
    out = []
    longer: float = float("inf")
    for us, least in SPLIT_TARGETS.items():
        some = [p for p in unequal if us <= p.us < longer]
        longer = us
        out.append(verdict(f"known, from {us} us: {least} of the best split", some,
                           lambda p: p.speed(KNOWN, p.best_split), least))  # fmt: skip
    out.append(verdict(
        f"static, replaced, from {REPLACED_US} us: {REPLACED_TARGET} of the best split",
        [p for p in unequal if p.us >= REPLACED_US], lambda p: p.speed(REPLACED, p.best_split),
        REPLACED_TARGET,
    ))  # fmt: skip
    out.append(verdict(
        f"a weighted team, from {WEIGHTED_US} us: {WEIGHTED_TARGET} of the ideal",
        [p for p in unequal if p.us >= WEIGHTED_US], lambda p: p.speed(WEIGHTED), WEIGHTED_TARGET,
    ))  # fmt: skip
    shorter = [p for p in unequal if p.us < WEIGHTED_US]
    out.append(verdict(
        f"a weighted team, below that: {PLACED_TARGET} of the same threads placed by hand",
        shorter, lambda p: p.speed(WEIGHTED, p.best_of(PLACED)), PLACED_TARGET,
    ))  # fmt: skip
    out.append(verdict(
        f"a weighted team, below that: {WEIGHTED_UNSET_TARGET} of nothing set", shorter,
        lambda p: p.speed(WEIGHTED, AUTO), WEIGHTED_UNSET_TARGET,
    ))  # fmt: skip
    out.append(verdict(
        f"nothing set, from {FIXED_US} us: {FIXED_TARGET} of the best fixed schedule",
        [p for p in unequal if p.us >= FIXED_US], lambda p: p.speed(AUTO, p.best(FIXED)),
        FIXED_TARGET,
    ))  # fmt: skip
    out.append(verdict(f"nothing set: at most {STOCK_LIMIT} of stock's time", all_points,
                       lambda p: p.speed(AUTO, BASELINE), 1 / STOCK_LIMIT))  # fmt: skip
    for name, front in PEERS.items():
        some = [p for p in unequal if p.us >= PEER_US and starting(p.seconds, front)]
        ahead = partial(Point.ahead_of, front=front)
        out.append(verdict(f"nothing set, from {PEER_US} us: ahead of {name}'s best", some,
                           ahead, 1.0))  # fmt: skip
    return out


def full_report(records: Sequence[Record]) -> str:
    """Efficiency: the share of the ideal, which is what each CPU does alone, added up."""
    found = points(records)
    out = ["share of the ideal speed, geometric means over the kinds of loops;",
           "reached: how many times slower the last CPU is alone"]  # fmt: skip
    for ratio in sorted({p.ratio for p in found}):
        some = [p for p in found if p.ratio == ratio]
        out += ["", f"{scene(ratio)}:", *table(some)]
    loud = noise(others(r for p in found for r in p.runs))
    return "\n".join([*out, *([loud] if loud else []), "", *targets(judge(found))])
