# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets that `scripts/bench --sites` can tell.  Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median

from .configs import BASELINE, SITES_FREE, SITES_KERNELS, SITES_PEERS
from .report import (
    NOISE_LIMIT,
    OVERHEAD_LOOP_US,
    Record,
    Verdict,
    fastest,
    loop_us,
    others,
    percent_interval,
    series_of,
    times,
)
from .runtimes import PEER_TITLES
from .stats import Estimate, estimate, paired

Seconds = dict[str, dict[int, float]]

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
class Case:
    """What was measured of one kernel at one ratio of speeds."""

    kernel: str
    klass: str
    ratio: float
    seconds: Seconds
    loop_us: float | None  # of BASELINE
    noisy: bool

    @property
    def indicative(self) -> bool:
        return self.klass != "A" or self.noisy


@dataclass(frozen=True)
class Finding:
    """One ratio's part in a verdict; VALUE is held against the limit."""

    where: str
    text: str
    value: float | None


def cases_of(records: Sequence[Record]) -> list[Case]:
    out = []
    for (kernel, klass, ratio), runs in series_of(records).items():
        load = others(runs)
        out.append(
            Case(
                kernel,
                klass,
                ratio,
                times(runs),
                loop_us(runs),
                load is not None and load > NOISE_LIMIT,
            )
        )
    return sorted(out, key=lambda c: (c.kernel, c.klass, c.ratio))


def compare(seconds: Seconds, top: str, bottom: str | None) -> Estimate | None:
    """Paired ratios of the times of TOP and BOTTOM."""
    ratios = paired(seconds.get(top, {}), seconds.get(bottom or "", {}))
    return estimate(ratios) if ratios else None


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


def versus_split(case: Case) -> Finding:
    splits = [c for c in case.seconds if c.startswith("split:")]
    best = fastest(case.seconds, splits)
    e = compare(case.seconds, KNOWN, best)
    if best is None or e is None:
        return Finding(f"{case.ratio:g}", "-", None)
    text = f"{percent_interval(e)} of {best.partition(':')[2]}:1"
    return Finding(f"{case.ratio:g}", text, e.value)


def versus_peer(case: Case, peer: str) -> Finding:
    best = fastest(case.seconds, [f"{peer}:{s}" for s in SITES_PEERS])
    mine = case.seconds.get(KNOWN)
    if best is None or not mine:
        return Finding(f"{case.ratio:g}", "-", None)
    value = median(mine.values()) / median(case.seconds[best].values())
    return Finding(f"{case.ratio:g}", f"{value:.3f} of {best.partition(':')[2]}", value)


def versus_hindsight(case: Case) -> Finding:
    """How fast auto is, 1 being the best fixed schedule."""
    best = fastest(case.seconds, fixed_schedules(case.seconds))
    e = compare(case.seconds, best or "", AUTO)
    if best is None or e is None:
        return Finding(case.kernel, "-", None)
    return Finding(case.kernel, f"{percent_interval(e)} of {best}", e.value)


def versus_pinned(case: Case, schedule: str) -> Finding:
    e = compare(case.seconds, f"free:{schedule}", f"amp:{schedule}")
    return Finding(f"{case.ratio:g}", percent_interval(e) if e else "-", e.value if e else None)


def titles(cases: Iterable[Case]) -> list[tuple[str, str]]:
    """Kernels with their classes, in the order of SITES_KERNELS."""
    seen = {(c.kernel, c.klass) for c in cases}
    order = {k: i for i, k in enumerate(SITES_KERNELS)}
    return sorted(seen, key=lambda t: (order.get(t[0], len(order)), t))


def judge_short_loops(cases: Sequence[Case]) -> list[Verdict]:
    out = []
    emulated = [c for c in cases if c.ratio != 1.0 and c.kernel in SHORT_KERNELS]
    for kernel, klass in titles(emulated):
        mine = [c for c in emulated if (c.kernel, c.klass) == (kernel, klass)]
        doubtful = any(c.indicative for c in mine)
        out.append(
            verdict(
                f"{kernel} {klass}, each ratio: {KNOWN} at most 1/0.97 of the best split",
                [versus_split(c) for c in mine],
                lambda v: v <= SPLIT_LIMIT,
                doubtful,
            )
        )
        for peer, title in PEER_TITLES.items():
            if not any(n.startswith(f"{peer}:") for c in mine for n in c.seconds):
                continue
            out.append(
                verdict(
                    f"{kernel} {klass}, each ratio: {KNOWN} ahead of {title}",
                    [versus_peer(c, peer) for c in mine],
                    lambda v: v < 1.0,
                    doubtful,
                )
            )
    return out


def judge_auto(cases: Sequence[Case]) -> list[Verdict]:
    out = []
    for ratio in sorted({c.ratio for c in cases if c.ratio != 1.0}):
        here = [c for c in cases if c.ratio == ratio]
        doubtful = any(c.indicative for c in here) or {c.kernel for c in here} != set(SITES_KERNELS)
        findings = [versus_hindsight(c) for c in here]
        known = [f.value for f in findings if f.value is not None]
        where = f"ratio {ratio:g}"
        whole = len(known) == len(findings) > 0
        mean = Finding(
            "mean", f"{geometric_mean(known):.3f}" if whole else "-",
            geometric_mean(known) if whole else None,
        )  # fmt: skip
        out.append(
            verdict(
                f"auto, {where}: {AUTO} at least {AUTO_MEAN} of the best fixed schedule"
                " (geometric mean)",
                [mean],
                lambda v: v >= AUTO_MEAN,
                doubtful,
            )
        )
        out.append(
            verdict(
                f"auto, {where}: no kernel below {AUTO_WORST} of it",
                findings,
                lambda v: v >= AUTO_WORST,
                doubtful,
            )
        )
    for c in cases:
        if c.ratio != 1.0 or c.loop_us is None:
            continue
        e = compare(c.seconds, AUTO, BASELINE)
        long_enough = c.loop_us >= OVERHEAD_LOOP_US
        text = percent_interval(e) if e else "-"
        text += f", a loop lasts {c.loop_us:.1f} us"
        text += "" if long_enough else " (below 10 us: not a target)"
        out.append(
            Verdict(
                f"{c.kernel} {c.klass}, equal cores: {AUTO} at most {EQUAL_LIMIT} of {BASELINE}",
                text,
                e.value <= EQUAL_LIMIT if e and long_enough else None,
                c.indicative,
            )
        )
    return out


def judge_free(cases: Sequence[Case]) -> list[Verdict]:
    out = []
    emulated = [c for c in cases if c.ratio != 1.0]
    for kernel, klass in titles(emulated):
        mine = [c for c in emulated if (c.kernel, c.klass) == (kernel, klass)]
        for schedule in SITES_FREE:
            out.append(
                verdict(
                    f"{kernel} {klass}, each ratio: free:{schedule} at most {FREE_LIMIT} of"
                    f" amp:{schedule}",
                    [versus_pinned(c, schedule) for c in mine],
                    lambda v: v <= FREE_LIMIT,
                    any(c.indicative for c in mine),
                )
            )
    return out


def judge(records: Sequence[Record]) -> list[Verdict]:
    """All verdicts on the records of a session."""
    cases = cases_of(records)
    return judge_short_loops(cases) + judge_auto(cases) + judge_free(cases)


def compare_blind(records: Sequence[Record]) -> list[str]:
    """What not being told the types costs; no threshold is set."""
    out = []
    for c in cases_of(records):
        e = compare(c.seconds, BLIND, AUTO)
        if e:
            where = f"{c.kernel} {c.klass}, ratio {c.ratio:g}"
            out.append(f"{where}: {BLIND} takes {percent_interval(e)} of {AUTO}")
    return out
