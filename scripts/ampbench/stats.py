# SPDX-License-Identifier: GPL-3.0-or-later
"""Medians, paired ratios, bootstrap intervals and the asymmetric ideal."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

RESAMPLES = 2000


@dataclass(frozen=True)
class Estimate:
    """A median and its interval: 95 % bootstrap, or min and max below 5 values."""

    value: float
    low: float
    high: float
    n: int

    def bounds(self, form: str) -> str:
        """The interval in brackets; one value has none."""
        return f" [{self.low:{form}} {self.high:{form}}]" if self.n > 1 else ""


def estimate(values: Sequence[float], seed: int = 1) -> Estimate:
    """The median of VALUES with its interval; the same seed gives the same interval."""
    if not values:
        raise ValueError("no values")
    if len(values) < 5:
        return Estimate(median(values), min(values), max(values), len(values))
    rng = random.Random(seed)
    medians = [median(rng.choices(values, k=len(values))) for _ in range(RESAMPLES)]
    low, *_, high = quantiles(medians, n=40, method="inclusive")
    return Estimate(median(values), low, high, len(values))


def paired(top: Mapping[int, float], bottom: Mapping[int, float]) -> list[float]:
    """top/bottom for every round that both have, in order of rounds."""
    return [top[r] / bottom[r] for r in sorted(top.keys() & bottom.keys())]


def ideal_seconds(singles: Sequence[float]) -> float:
    """T_ideal: one CPU alone takes singles[i], so its speed is 1/singles[i]; speeds add up."""
    if not singles or min(singles) <= 0:
        raise ValueError("the ideal needs a positive time for each CPU")
    return 1.0 / sum(1.0 / t for t in singles)


def ideal_by_round(
    singles: Mapping[int, Mapping[int, float]], cpus: Sequence[int]
) -> dict[int, float]:
    """T_ideal for each round; SINGLES is cpu -> round -> seconds.

    A CPU that lacks a round lends its median; nothing comes out when a CPU was
    never measured alone.
    """
    if not cpus or any(not singles.get(c) for c in cpus):
        return {}
    rounds = sorted(set().union(*(singles[c].keys() for c in cpus)))
    middle = {c: median(singles[c].values()) for c in cpus}
    return {r: ideal_seconds([singles[c].get(r, middle[c]) for c in cpus]) for r in rounds}
