# SPDX-License-Identifier: GPL-3.0-or-later
"""What all tables of text are made of: rows in columns, verdicts, numbers with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .stats import Estimate

# Work of other processes, in CPUs, above which runs cannot be trusted.
NOISE_LIMIT = 0.1


@dataclass(frozen=True)
class Verdict:
    """One target: MET is None when it could not be judged."""

    target: str
    measured: str
    met: bool | None
    indicative: bool = False

    def __str__(self) -> str:
        word = {True: "met", False: "NOT MET", None: "not measured"}[self.met]
        if self.indicative and self.met is not None:
            word += ", indicative only"
        return f"{word:<24} {self.target}: {self.measured}"


def below(goal: float, e: Estimate | None) -> bool | None:
    """Whether a measured value is at most GOAL."""
    return None if e is None else e.value <= goal


def targets(verdicts: Iterable[object]) -> list[str]:
    """A part of a report, if there are any."""
    lines = [str(v) for v in verdicts]
    return ["targets:\n  " + "\n  ".join(lines)] if lines else []


def number(value: float | None) -> str:
    return f"{value:.3f}" if value is not None else "-"


def interval(e: Estimate | None, empty: str = "-") -> str:
    return f"{e.value:.3f}{e.bounds('.3f')}" if e else empty


def noisy(others: float | None) -> bool:
    return others is not None and others > NOISE_LIMIT


def noise(others: float | None) -> str | None:
    """What to say where others worked meanwhile."""
    if others is None or not noisy(others):
        return None
    return f"NOISY: other processes took {others:.2f} CPUs on average; do not trust this"


def counts(found: dict[str, int]) -> str:
    return ", ".join(f"{s} x{n}" for s, n in sorted(found.items()))


def columns(rows: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    """Lines; a cell goes to the right of its width, or to the left where that is negative.

    What is too long is set apart by a blank; cells beyond WIDTHS come as they are.
    """
    return [
        ("  " + "".join(
            c.ljust(-w) if w < 0 else c.rjust(w) if len(c) < w else " " * (w > 0 and bool(c)) + c
            for c, w in zip(row, widths, strict=False)
        ) + "".join(row[len(widths):])).rstrip()
        for row in rows
    ]  # fmt: skip


def grid(rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, all others to the right, as wide as they must be."""
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return "\n".join(columns(rows, [-widths[0], *(w + 2 for w in widths[1:])]))
