# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs of field programs say: how many times as fast as stock, losses first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import geometric_mean, median

from .compared import heading, others, pairs, reached_text, series_of, times
from .field import REPLACE, STOCK, WAYS, WHAT
from .plan import EQUAL, REAL, scene
from .record import Record, Run, cpus_of, sessions
from .stats import Estimate
from .tables import Verdict, grid, noise, targets

# Slower than this by stock's measure is a loss; on equal cores it is more than is allowed.
LOSS = 0.98
# Of a program under a way at ratio 4: how many times as fast as stock it must be.
WANTED = (("numpy", "weighted", 1.6), ("torch-matrix", "weighted", 1.6), ("sklearn", "auto", 2.0))
WANTED_RATIO = 4.0


@dataclass
class Row:
    """A program at one ratio of speeds."""

    program: str
    klass: str
    ratio: float
    stock: float | None  # seconds, the median
    ideal: float | None = None  # how many times as fast as stock a perfect division is
    speeds: dict[str, Estimate] = field(default_factory=dict)  # over stock, by way
    threads: int | None = None  # of a weighted team
    bad: list[str] = field(default_factory=list)

    @property
    def worst(self) -> float:
        """The least of what our library does."""
        ours = [e.value for w, e in self.speeds.items() if WAYS[w].ours]
        return min(ours, default=0.0)


def row_of(key: tuple[str, str, float], some: Sequence[Run]) -> Row:
    seconds = times(some)
    stock = seconds.get(STOCK, {})
    row = Row(*key, median(stock.values()) if stock else None)
    for way in WAYS:
        if way != STOCK and (e := pairs(seconds, STOCK, way)):
            row.speeds[way] = e
    teams = [r.report.get("threads") for r in some if r.config == "weighted" and r.ok]
    row.threads = teams[-1] if teams else None
    for r in some:
        if r.bad:
            row.bad.append(f"{r.kernel} under {r.config}, round {r.round}: {r.status}: {r.why}")
    return row


def rows(records: Sequence[Record]) -> dict[float, list[Row]]:
    """By ratio, in ascending order; in each those that lose most come first."""
    found = [row_of(key, some) for key, some in series_of(records).items()]
    head = next(iter(sessions(records)), {})
    slow = len(head["pinning"]["slow"]) if head else 0
    cpus = len(cpus_of(records)) if head else 0
    equal = {(r.program, r.klass): r.stock for r in found if r.ratio == EQUAL}
    out: dict[float, list[Row]] = {}
    for row in sorted(found, key=lambda r: (r.ratio, r.worst)):
        free = equal.get((row.program, row.klass))
        if row.ratio not in (EQUAL, REAL) and free and row.stock:
            row.ideal = row.stock / (free * cpus / (cpus - slow + slow / row.ratio))
        out.setdefault(row.ratio, []).append(row)
    return out


def cell(e: Estimate | None) -> str:
    return f"{e.value:.2f}{e.bounds('.2f')}" if e else "-"


def shown_ways(of: Sequence[Row]) -> list[str]:
    return [w for w in WAYS if any(w in r.speeds for r in of)]


def table(of: Sequence[Row]) -> str:
    ways = shown_ways(of)
    lines = [["program", "stock, s", "ideal", *ways, "threads"]]
    for r in of:
        numbers = [f"{v:.2f}" if v else "-" for v in (r.stock, r.ideal)]
        team = str(r.threads) if r.threads else "-"
        lines.append([r.program, *numbers, *(cell(r.speeds.get(w)) for w in ways), team])
    means = []
    for w in ways:
        values = [r.speeds[w].value for r in of if w in r.speeds]
        means.append(f"{geometric_mean(values):.2f} of {len(values)}" if values else "-")
    return grid([*lines, ["geometric mean", "", "", *means, ""]])


def losses(of: Sequence[Row]) -> list[str]:
    return [
        f"{r.program} {w}: {cell(e)}"
        for r in of
        for w, e in r.speeds.items()
        if WAYS[w].ours and e.value < LOSS
    ]


def judged(by_ratio: dict[float, list[Row]]) -> list[Verdict]:
    out = []
    if equal := by_ratio.get(EQUAL):
        slowest = {
            r.program: min(e.value for w, e in r.speeds.items() if WAYS[w].ours)
            for r in equal
            if any(WAYS[w].ours for w in r.speeds)
        }
        below = [f"{p} {v:.2f}" for p, v in slowest.items() if v < LOSS]
        out.append(
            Verdict(
                "equal cores, none more than 2 % slower", ", ".join(below) or "none",
                not below if slowest else None,
            )
        )  # fmt: skip
    for program, way, wanted in WANTED:
        for r in by_ratio.get(WANTED_RATIO, []):
            if r.program == program and (e := r.speeds.get(way)):
                what = f"{program} {way}, ratio {WANTED_RATIO:g}, at least {wanted:g} times stock"
                out.append(Verdict(what, cell(e), e.value >= wanted))
    return out


def report(records: Sequence[Record]) -> str:
    by_ratio = rows(records)
    if not by_ratio:
        raise ValueError("no measured run")
    used = {w for of in by_ratio.values() for w in shown_ways(of)} | {STOCK}
    parts = heading(records)
    head = next(iter(sessions(records)), {})
    if kept := head.get("environment"):
        parts[-1] += "\nenvironment: " + ", ".join(f"{k}={v}" for k, v in sorted(kept.items()))
    parts.append("\n".join(f"{w}: {text}" for w, text in WHAT.items() if w in used))
    for ratio, of in by_ratio.items():
        klass = of[0].klass
        some = [r for s in series_of(records).items() if s[0][2] == ratio for r in s[1]]
        title = f"{scene(ratio)}{reached_text(records, ratio)}; {klass} inputs"
        text = f"{title}\nhow many times as fast as stock, losses first\n\n{table(of)}"
        if lost := losses(of):
            text += "\nlosses: " + "; ".join(lost)
        text += "".join(f"\nbad: {b}" for r in of for b in r.bad)
        if warn := noise(others(some)):
            text += f"\n{warn}"
        parts.append(text)
    if any(REPLACE in shown_ways(of) for of in by_ratio.values()):
        parts.append("replace: as benchmarks/field/field.toml says for each program")
    return "\n\n".join([*parts, *targets(judged(by_ratio))])
