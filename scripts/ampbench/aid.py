# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the AID paper (section 5): what is run, what its numbers were, tables.

A record is {"type": "point", "figure", "where", "kernel", "line", "seconds", ...}: WHERE is a
platform of the simulator ("A", "B") or "real RATIO"; LINE is what a figure has a bar for.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, geometric_mean

from .record import Record
from .tables import grid, number

BASELINE = "static(SB)"
# Figures 6 and 7: the line, the schedule, and whether thread 0 is on a slow core.
LINES: dict[str, tuple[str, bool]] = {
    BASELINE: ("static", True),
    "static(BS)": ("static", False),
    "dynamic(SB)": ("dynamic,1", True),
    "dynamic(BS)": ("dynamic,1", False),
    "AID-static": ("aid_static,1", False),
    "AID-hybrid": ("aid_hybrid,80,1", False),
    "AID-dynamic": ("aid_dynamic,1,5", False),
    # Ours: the same, samples and chunks chosen at run time.
    "aid_static": ("aid_static", False),
    "aid_hybrid": ("aid_hybrid,80", False),
    "aid_dynamic": ("aid_dynamic", False),
    "auto": ("auto", False),
}
AID = ("AID-static", "AID-hybrid", "AID-dynamic")
OURS = ("aid_static", "aid_hybrid", "aid_dynamic")
# Table 2 of the paper: gains in percent, (mean, geometric mean) on platforms A and B.
TABLE_2 = {
    ("AID-static", "static(BS)"): {"A": (14.98, 13.54), "B": (15.93, 14.64)},
    ("AID-hybrid", "static(BS)"): {"A": (27.55, 22.67), "B": (20.08, 16.06)},
    ("AID-dynamic", "dynamic(BS)"): {"A": (3.12, 2.81), "B": (22.34, 16.00)},
}
OUR_PAIRS = {
    "AID-static": "aid_static",
    "AID-hybrid": "aid_hybrid",
    "AID-dynamic": "aid_dynamic",
}
CHUNKS = (1, 2, 4, 8, 16, 32, 64)
MAJORS = (5, 10, 20, 40, 80)
PERCENTS = (50, 60, 70, 80, 90, 100)
# No program below this share of the better of static and dynamic under its best AID.
LEAST = 0.97


@dataclass(frozen=True)
class Platform:
    """Four fast and four slow cores.  SF: the least and the greatest of a loop."""

    name: str
    what: str
    sf: tuple[float, float]

    @property
    def machine(self) -> str:
        """Speed 1 is that of a fast core, on which costs were recorded."""
        return f"4x1+4x{1 / math.sqrt(self.sf[0] * self.sf[1]):.6g}"


# The paper prints SFs only as plots.  The text has the extremes: 7.7 among the loops of BT and
# CG on A, 8.9 among all loops; 2.3 on B.  The least on A is the ratio of the clocks (2.0 and
# 1.5 GHz).  On B the slow cores run at 1.2 of 2.1 GHz and 87.5 % of the duty cycle, 2.0 times
# slower, unless a loop waits for memory.
PLATFORMS = {
    "A": Platform("A", "Odroid-XU4: 4 Cortex-A15 and 4 Cortex-A7", (2.0 / 1.5, 7.7)),
    "B": Platform("B", "Xeon E5-2620 v4, four cores slowed", (1.2, 2.3)),
}


def site_sf(platform: Platform, kernel: str, place: str, seed: int) -> float:
    """The SF of the loop at PLACE of KERNEL: log-uniform between the platform's extremes."""
    text = f"{seed} {platform.name} {kernel} {place}"
    part = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) / 2**64
    low, high = (math.log(x) for x in platform.sf)
    return math.exp(low + part * (high - low))


def places(lines: Iterable[str]) -> list[str]:
    """The places of the loops in a file of costs."""
    found: dict[str, None] = {}
    for line in lines:
        if line.startswith("# loop") and " at " in line:
            found[line.rpartition(" at ")[2].strip()] = None
    return list(found)


def select(records: Iterable[Record], **wanted: object) -> list[Record]:
    return [
        r
        for r in records
        if r["type"] == "point" and all(r.get(k) == v for k, v in wanted.items())
    ]


def times(records: Iterable[Record], figure: str, where: str) -> dict[str, dict[str, float]]:
    """kernel -> line -> seconds; repetitions by their geometric mean, as in the paper."""
    found: dict[str, dict[str, list[float]]] = {}
    for r in select(records, figure=figure, where=where):
        if r["seconds"] is not None:
            found.setdefault(r["kernel"], {}).setdefault(r["line"], []).append(r["seconds"])
    return {k: {n: geometric_mean(v) for n, v in lines.items()} for k, lines in found.items()}


def wheres(records: Iterable[Record], figure: str) -> list[str]:
    return list(dict.fromkeys(r["where"] for r in select(records, figure=figure)))


def gain(base: dict[str, dict[str, float]], line: str, over: str) -> tuple[float, float] | None:
    """Mean and geometric mean of the gains in percent of LINE over OVER."""
    ratios = [x[over] / x[line] for x in base.values() if line in x and over in x]
    return (
        (100 * (fmean(ratios) - 1), 100 * (geometric_mean(ratios) - 1)) if ratios else None
    )


def table(title: str, wanted: Sequence[str], rows: dict[str, dict[str, float]]) -> list[str]:
    cells = [[name, *(number(row.get(c)) for c in wanted)] for name, row in rows.items()]
    return [title, grid([["", *wanted], *cells]), ""]


def normalised(
    found: dict[str, dict[str, float]], baseline: str
) -> dict[str, dict[str, float]]:
    """Performance against BASELINE, and its geometric mean over the kernels."""
    out = {
        k: {n: x[baseline] / s for n, s in x.items()} for k, x in found.items() if baseline in x
    }
    columns = {n for x in out.values() for n in x}
    means = {
        n: geometric_mean([x[n] for x in out.values() if n in x]) for n in columns
    }
    return out | {"gmean": means} if out else {}


def lines(records: Sequence[Record]) -> list[str]:
    """Those of figures 6 and 7: the paper's, ours, and what was asked for besides."""
    here = (str(r["line"]) for r in records if r["type"] == "point" and r["figure"] == "6/7")
    return list(dict.fromkeys([*LINES, *here]))


def format_main(records: Sequence[Record], where: str) -> list[str]:
    found = times(records, "6/7", where)
    figure = {"A": "figure 6", "B": "figure 7"}.get(where, "as figures 6 and 7")
    out = table(
        f"{where}: performance against {BASELINE} ({figure})", lines(records),
        normalised(found, BASELINE),
    )  # fmt: skip
    out.append(f"{where}: gains in percent, mean and gmean (table 2)")
    for (line, over), paper in TABLE_2.items():
        here = gain(found, line, over)
        ours = gain(found, OUR_PAIRS[line], over)
        if here is None:
            continue
        text = f"  {line + ' over ' + over:<30} {here[0]:+7.2f} {here[1]:+7.2f}"
        if ours:
            text += f"   {OUR_PAIRS[line]}: {ours[0]:+7.2f} {ours[1]:+7.2f}"
        if where in paper:
            text += "   paper: {:+7.2f} {:+7.2f}".format(*paper[where])
        out.append(text)
    return [*out, "", *format_worst(found, where)]


def format_worst(found: dict[str, dict[str, float]], where: str) -> list[str]:
    """Each kernel under its best AID, against the better of static and dynamic; worst first."""
    rows = []
    for kernel, x in found.items():
        stock = [x[n] for n in ("static(BS)", "dynamic(BS)") if n in x]
        best = [(x[n], n) for n in (*AID, *OURS) if n in x]
        if stock and best:
            rows.append((min(stock) / min(best)[0], kernel, min(best)[1]))
    out = [f"{where}: best AID against the better of static(BS) and dynamic(BS), worst first"]
    for share, kernel, line in sorted(rows):
        mark = f"  BELOW {LEAST}" if share < LEAST else ""
        out.append(f"  {kernel:<18} {share:6.3f}  {line}{mark}")
    return [*out, ""]


# Figures beside the main one: title, what is 1, and the columns where they are fixed.
FIGURES: dict[str, tuple[str, str, Sequence[str]]] = {
    "8": ("chunks, performance against dynamic,1 (figure 8)", "dynamic,1", ()),
    "percent": ("percent of AID-hybrid, performance against 80 (section 5B)", "80",
                [str(p) for p in PERCENTS]),
    "9": ("offline SF, performance against AID-static (figure 9a, 9b)", "AID-static", ()),
    "9c": ("a team's SF half of what one thread had (blackscholes, figure 9c)", "AID-static", ()),
}  # fmt: skip


def chunk_gains(found: dict[str, dict[str, float]], where: str) -> list[str]:
    gains = []
    for x in found.values():
        best = [
            min((s for n, s in x.items() if n.startswith(name)), default=None)
            for name in ("dynamic", "aid_dynamic")
        ]
        if best[0] and best[1]:
            gains.append(100 * (best[0] / best[1] - 1))
    if not gains:
        return []
    return [
        f"{where}: aid_dynamic's gain, each with its best chunk, in percent: mean"
        f" {fmean(gains):+.1f}, most {max(gains):+.1f} (paper: 5.5 and 21.9)",
        "",
    ]


def format_all(records: Sequence[Record]) -> str:
    out: list[str] = []
    for where in wheres(records, "6/7"):
        out += format_main(records, where)
    for figure, (title, baseline, fixed) in FIGURES.items():
        for where in wheres(records, figure):
            found = times(records, figure, where)
            columns = fixed or list(dict.fromkeys(n for x in found.values() for n in x))
            out += table(f"{where}: {title}", columns, normalised(found, baseline))
            out += chunk_gains(found, where) if figure == "8" else []
    loops = [r for r in records if r["type"] == "loop"]
    if loops:
        out.append("SF of each loop, one thread on each type of core (figure 2)")
        for r in loops:
            out.append(
                f"  {r['kernel']:<18} {r['place']:<24} {r['where']:<10} SF {r['sf']:.2f}"
            )
        out.append("")
    for r in records:
        if r["type"] == "failed":
            out.append(f"FAILED {r['kernel']} {r.get('line', '')}: {r['why']}")
    return "\n".join(out)
