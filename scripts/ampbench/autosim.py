# SPDX-License-Identifier: GPL-3.0-or-later
"""auto against the best fixed schedule of each kernel.  Runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

AUTO = "auto"
# Targets of auto: the mean over the kernels, and each of them.
MEAN_GOAL, LEAST_GOAL = 0.97, 0.93


@dataclass(frozen=True)
class Row:
    """What a kernel's loops take under each schedule, in any unit."""

    kernel: str
    times: Mapping[str, float]

    def best(self, fixed: Sequence[str]) -> str:
        return min(fixed, key=lambda s: self.times[s])

    def part(self, schedule: str, fixed: Sequence[str]) -> float:
        """Speed under SCHEDULE over that under the fastest of FIXED."""
        return self.times[self.best(fixed)] / self.times[schedule]


def records(machine: str, rows: Sequence[Row], fixed: Sequence[str]) -> list[dict[str, str | float]]:
    """What the table has, one row for each kernel and schedule."""
    return [
        {"machine": machine, "kernel": row.kernel, "schedule": s, "milliseconds": t / 1e6,
         "speed": row.part(s, fixed)}
        for row in rows for s, t in row.times.items()
    ]  # fmt: skip


def table(machine: str, rows: Sequence[Row], fixed: Sequence[str]) -> str:
    shown = [*fixed, AUTO]
    out = [f"{machine}: speed against the fastest fixed schedule; auto's worst kernels first"]
    out.append(f"  {'kernel':<16}{'fastest':<16}" + "".join(f"{s:>15}" for s in shown))
    for row in sorted(rows, key=lambda r: r.part(AUTO, fixed)):
        parts = "".join(f"{row.part(s, fixed):>15.3f}" for s in shown)
        out.append(f"  {row.kernel:<16}{row.best(fixed):<16}{parts}")
    means = {s: geometric_mean([r.part(s, fixed) for r in rows]) for s in shown}
    out.append(f"  {'geometric mean':<32}" + "".join(f"{means[s]:>15.3f}" for s in shown))
    worst = min(r.part(AUTO, fixed) for r in rows)
    for what, value, goal in (("mean", means[AUTO], MEAN_GOAL), ("worst", worst, LEAST_GOAL)):
        met = "met" if value >= goal else "NOT MET"
        out.append(f"  {met}: auto's {what} at least {goal}: {value:.3f}")
    return "\n".join(out) + "\n"
