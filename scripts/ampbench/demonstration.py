# SPDX-License-Identifier: GPL-3.0-or-later
"""What the demonstration has seen: times, bars and a sentence.  Runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import compared
from .record import Record
from .stats import Estimate, estimate, paired
from .tables import noise

GCC, OURS, FAST = "stock:static", "amp:unset", "stock:static@"
# Ratios whose interval is no wider than this share have settled.
SETTLED = 0.05


@dataclass(frozen=True)
class Form:
    title: str
    seconds: Estimate


@dataclass(frozen=True)
class Result:
    klass: str
    rounds: int
    bars: Sequence[Form]
    ratios: dict[str, Estimate]  # how many times as fast as what
    others: float | None

    @property
    def settled(self) -> bool:
        return bool(self.ratios) and all(
            r.high - r.low <= SETTLED * r.value for r in self.ratios.values()
        )

    def sentence(self) -> str:
        parts = []
        for i, (what, r) in enumerate(self.ratios.items()):
            times = "times as fast as" if i == 0 else "times"
            parts.append(f"{r.value:.2f} {times} {what}")
        return f"amp-gcc, nothing set: {'; '.join(parts)}."

    def lines(self) -> list[str]:
        out = [f"medians of {self.rounds} interleaved rounds"]
        if said := noise(self.others):
            out.append(said)
        if not self.settled:
            out.append("the medians have not settled: once more on a quiet machine")
        longest = max((b.seconds.value for b in self.bars), default=1.0)
        out.append("")
        for b in self.bars:
            bar = "#" * max(1, round(40 * b.seconds.value / longest))
            out.append(f"  {b.title:24} {b.seconds.value:7.2f} s  {bar}")
        return [*out, "", *([self.sentence()] if self.ratios else [])]


def of(records: Sequence[Record]) -> Result:
    (table,) = compared.tables(records)
    fast = next((c for c in table.seconds if c.startswith(FAST)), "")
    count = int(fast.removeprefix(FAST) or 0)
    alone = "the fast core alone" if count == 1 else f"the {count} fast cores alone"
    titles = {GCC: "gcc", OURS: "amp-gcc, nothing set", fast: f"gcc, {alone}"}
    bars = [
        Form(title, estimate(list(table.seconds[name].values())))
        for name, title in titles.items()
        if table.seconds.get(name)
    ]
    ours = table.seconds.get(OURS, {})
    ratios = {
        what: estimate(each)
        for name, what in ((GCC, "gcc"), (fast, alone))
        if (each := paired(table.seconds.get(name, {}), ours))
    }
    rounds = max((b.seconds.n for b in bars), default=0)
    return Result(table.klass, rounds, bars, ratios, table.others)
