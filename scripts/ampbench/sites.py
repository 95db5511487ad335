# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets that `scripts/bench sites` can tell.  Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median

from .compared import OVERHEAD_LOOP_US, Seconds, Table, fastest, schedule_of, starting, tables
from .compared import pairs as compare
from .config import BASELINE
from .plan import EQUAL, scene
from .record import Record
from .runtimes import PEER_TITLES
from .stats import Estimate
from .tables import Verdict, below, interval, number

# What is measured.
KERNELS = ("ep", "tail", "cg", "stencil")
FREE = ("aid_static", "unset")
PEERS = ("guided", "static_steal")

SHORT_KERNELS = ("cg", "stencil")
KNOWN = "amp:aid_static"
AUTO = "amp:unset"
BLIND = "blind:unset"
SPLIT_LIMIT = 1 / 0.97
AUTO_MEAN = 0.97
AUTO_WORST = 0.93
EQUAL_LIMIT = 1.02
FREE_LIMIT = 1.05


@dataclass(frozen=True)
class Finding:
    """One ratio's part in a verdict; VALUE is held against the limit."""

    where: str
    text: str
    value: float | None


def cases_of(records: Sequence[Record]) -> list[Table]:
    """What was measured of each kernel at each ratio of speeds."""
    return sorted(tables(records), key=lambda t: (t.kernel, t.klass, t.ratio))


def fixed_schedules(seconds: Seconds) -> list[str]:
    """The stock and our own pinned configurations whose schedule somebody chose."""
    return [
        c
        for c in seconds
        if c.partition(":")[0] in ("stock", "gomp", "amp")
        and c.partition(":")[2] not in ("unset", "auto")
    ]


def verdict(
    target: str, findings: Sequence[Finding], good: Callable[[float], bool], indicative: bool
) -> Verdict:
    """Met when every finding is good; not met when one is bad, whatever the others are."""
    known = [f.value for f in findings if f.value is not None]
    met: bool | None = None
    if any(not good(v) for v in known):
        met = False
    elif known and len(known) == len(findings):
        met = True
    text = "; ".join(f"{f.where}: {f.text}" for f in findings) or "-"
    return Verdict(target, text, met, indicative)


def finding(where: str | float, e: Estimate | None, of: str = "") -> Finding:
    name = where if isinstance(where, str) else f"{where:g}"
    return Finding(name, f"{interval(e)}{of}", e.value) if e else Finding(name, "-", None)


def versus_split(case: Table) -> Finding:
    best = fastest(case.seconds, starting(case.seconds, "split:"))
    return finding(case.ratio, compare(case.seconds, KNOWN, best), f" of {schedule_of(best)}:1")


def versus_peer(case: Table, peer: str) -> Finding:
    best = fastest(case.seconds, [f"{peer}:{s}" for s in PEERS])
    mine = case.seconds.get(KNOWN)
    if best is None or not mine:
        return finding(case.ratio, None)
    value = median(mine.values()) / median(case.seconds[best].values())
    return Finding(f"{case.ratio:g}", f"{value:.3f} of {schedule_of(best)}", value)


def versus_hindsight(case: Table) -> Finding:
    """How fast auto is, 1 being the best fixed schedule."""
    best = fastest(case.seconds, fixed_schedules(case.seconds))
    return finding(case.kernel, compare(case.seconds, best or "", AUTO), f" of {best}")


def by_kernel(cases: Iterable[Table]) -> list[tuple[str, list[Table]]]:
    """Kernels with their classes, in the order of KERNELS."""
    found: dict[tuple[str, str], list[Table]] = {}
    for c in cases:
        found.setdefault((c.kernel, c.klass), []).append(c)
    order = {k: i for i, k in enumerate(KERNELS)}
    titles = sorted(found, key=lambda t: (order.get(t[0], len(order)), t))
    return [(f"{k} {c}, each ratio", found[k, c]) for k, c in titles]


def judge_short_loops(cases: Sequence[Table]) -> list[Verdict]:
    out = []
    for where, mine in by_kernel(c for c in cases if c.kernel in SHORT_KERNELS):
        doubtful = any(c.indicative for c in mine)
        text = f"{where}: {KNOWN} at most 1/0.97 of the best split"
        splits = [versus_split(c) for c in mine]
        out.append(verdict(text, splits, lambda v: v <= SPLIT_LIMIT, doubtful))
        for peer, title in PEER_TITLES.items():
            if any(starting(c.seconds, f"{peer}:") for c in mine):
                text = f"{where}: {KNOWN} ahead of {title}"
                peers = [versus_peer(c, peer) for c in mine]
                out.append(verdict(text, peers, lambda v: v < 1.0, doubtful))
    return out


def judge_auto(cases: Sequence[Table]) -> list[Verdict]:
    out = []
    for ratio in sorted({c.ratio for c in cases}):
        here = [c for c in cases if c.ratio == ratio]
        doubtful = any(c.indicative for c in here) or {c.kernel for c in here} != set(KERNELS)
        findings = [versus_hindsight(c) for c in here]
        known = [f.value for f in findings if f.value is not None]
        whole = len(known) == len(findings) > 0
        mean = geometric_mean(known) if whole else None
        where = f"auto, {scene(ratio)}"
        text = f"{where}: {AUTO} at least {AUTO_MEAN} of the best fixed schedule (geometric mean)"
        means = [Finding("mean", number(mean), mean)]
        out.append(verdict(text, means, lambda v: v >= AUTO_MEAN, doubtful))
        text = f"{where}: no kernel below {AUTO_WORST} of it"
        out.append(verdict(text, findings, lambda v: v >= AUTO_WORST, doubtful))
    return out


def judge_equal(cases: Sequence[Table]) -> list[Verdict]:
    out = []
    for c in cases:
        if c.loop_us is None:
            continue
        e = compare(c.seconds, AUTO, BASELINE)
        long_enough = c.loop_us >= OVERHEAD_LOOP_US
        text = f"{interval(e)}, a loop lasts {c.loop_us:.1f} us"
        text += "" if long_enough else " (below 10 us: not a target)"
        target = f"{c.kernel} {c.klass}, equal cores: {AUTO} at most {EQUAL_LIMIT} of {BASELINE}"
        met = below(EQUAL_LIMIT, e) if long_enough else None
        out.append(Verdict(target, text, met, c.indicative))
    return out


def judge_free(cases: Sequence[Table]) -> list[Verdict]:
    out = []
    for where, mine in by_kernel(cases):
        for s in FREE:
            text = f"{where}: free:{s} at most {FREE_LIMIT} of amp:{s}"
            found = [
                finding(c.ratio, compare(c.seconds, f"free:{s}", f"amp:{s}")) for c in mine
            ]
            doubtful = any(c.indicative for c in mine)
            out.append(verdict(text, found, lambda v: v <= FREE_LIMIT, doubtful))
    return out


def judge(records: Sequence[Record]) -> list[Verdict]:
    """All verdicts on the records of a session."""
    cases = cases_of(records)
    unequal = [c for c in cases if c.ratio != EQUAL]
    return [
        *judge_short_loops(unequal), *judge_auto(unequal),
        *judge_equal([c for c in cases if c.ratio == EQUAL]), *judge_free(unequal),
    ]  # fmt: skip


def compare_blind(records: Sequence[Record]) -> list[str]:
    """What not being told the types costs; no threshold is set."""
    return [
        f"{c.kernel} {c.klass}, {scene(c.ratio)}: {BLIND} takes {interval(e)} of {AUTO}"
        for c in cases_of(records)
        if (e := compare(c.seconds, BLIND, AUTO))
    ]
