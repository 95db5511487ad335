# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables as text and CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from statistics import geometric_mean
from typing import TextIO

from .results import LOSS_LIMIT, PAPER_GAINS, Platform
from .schedules import title


def grid(rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, all others to the right."""
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  "
        + "  ".join(
            c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(r, widths))
        ).rstrip()
        for r in rows
    )


def performance_rows(p: Platform, what: str = "seconds") -> list[list[str]]:
    """Per program relative to the baseline, then mean and geometric mean."""
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        cells = []
        for c in configs:
            e = p.performance(program, c, what)
            cell = program.cells.get(c)
            bad = cell is not None and any(s != "skipped" for s in cell.bad)
            cells.append((f"{e.value:.3f}" if e else "-") + ("*" if bad else ""))
        rows.append([program.title, *cells])
    means, count = p.means(configs, what)
    if means:
        rows.append([f"mean of {count}", *(f"{means[c][0]:.3f}" for c in configs)])
        rows.append([f"gmean of {count}", *(f"{means[c][1]:.3f}" for c in configs)])
    return rows


def gain_rows(p: Platform) -> list[list[str]]:
    rows = [["", "mean", "gmean", "n", "worst", "best", "paper A", "paper B"]]
    for g in p.gains():
        paper = PAPER_GAINS.get(g.what)
        rows.append(
            [
                g.what,
                f"{g.mean:+.2f} %",
                f"{g.gmean:+.2f} %",
                str(g.programs),
                f"{g.worst[1]} {100 * (g.worst[0] - 1):+.1f} %",
                f"{g.best[1]} {100 * (g.best[0] - 1):+.1f} %",
                *(f"{a:+.2f} / {b:+.2f} %" for a, b in paper or ()),
                *(() if paper else ("", "")),
            ]
        )
    return rows


def loss_rows(p: Platform) -> list[list[str]]:
    rows = [["", "best AID", "against", "ratio", "interval", ""]]
    for x in p.losses():
        e = x.ratio
        mark = "LOSS" if e.value < LOSS_LIMIT else ""
        interval = f"{e.low:.3f}..{e.high:.3f}"
        rows.append([x.program, title(x.aid), title(x.stock), f"{e.value:.3f}", interval, mark])
    return rows


def joule_rows(p: Platform) -> list[list[str]]:
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        cells = []
        for c in configs:
            cell = program.cells.get(c)
            known = [v for v in cell.energy.values() if v > 0] if cell else []
            cells.append(f"{geometric_mean(known):.4g}" if known else "-")
        rows.append([program.title, *cells])
    return rows


def energy_rows(p: Platform, what: str) -> list[list[str]]:
    """Energy or energy-delay product relative to the baseline: lower is better."""
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        found = [program.ratio(p.baseline, c, what) for c in configs]
        rows.append([program.title, *(f"{e.value:.3f}" if e else "-" for e in found)])
    means, count = p.means(configs, what)
    if means:
        rows.append([f"gmean of {count}", *(f"{1 / means[c][1]:.3f}" for c in configs)])
    return rows


def bad_rows(p: Platform) -> list[list[str]]:
    rows = [["", "under", "what", "why"]]
    for program, config, statuses, why in p.bad():
        what = ", ".join(f"{s} x{n}" for s, n in sorted(statuses.items()))
        rows.append([program, title(config), what, why])
    return rows


def sweep_rows(p: Platform, prefix: str) -> list[list[str]]:
    points = p.sweep(prefix)
    rows = [[prefix, *(f"{v:g}" for v, _ in points), "best"]]
    for program in p.shown:
        found = [(p.performance(program, c), v) for v, c in points]
        known = [(e.value, v) for e, v in found if e]
        if known:
            rows.append([program.title, *(f"{e.value:.3f}" if e else "-" for e, _ in found),
                         f"{max(known)[1]:g}"])  # fmt: skip
    means, count = p.means([c for _, c in points])
    if means:
        rows.append([f"gmean of {count}", *(f"{means[c][1]:.3f}" for _, c in points), ""])
    return rows


SWEEPS = {
    "dynamic": "chunk of dynamic",
    "aid_dynamic": "major chunk M of aid_dynamic",
    "aid_hybrid": "percent of aid_hybrid",
}


def base_title(p: Platform) -> str:
    return title(p.baseline) if p.baseline else "nothing"


def tables(p: Platform) -> list[tuple[str, str, list[list[str]]]]:
    """(short name, heading, rows) of all tables that have something to say."""
    out: list[tuple[str, str, list[list[str]]]] = []

    def add(name: str, heading: str, rows: list[list[str]]) -> None:
        if len(rows) > 1:
            out.append((name, heading, rows))

    add("losses", "best AID of each program against the better of static(BS) and dynamic(BS),"
        f" worst first; LOSS below {LOSS_LIMIT}", loss_rows(p))  # fmt: skip
    add("gains", "gains, beside those of the AID paper's table 2 (mean / gmean)", gain_rows(p))
    add("performance", f"performance relative to {base_title(p)}, higher is better"
        " (*: bad runs are left out)", performance_rows(p))  # fmt: skip
    for prefix, what in SWEEPS.items():
        if p.sweep(prefix):
            add(f"sweep-{prefix}", f"{what}: performance relative to {base_title(p)}",
                sweep_rows(p, prefix))  # fmt: skip
    if p.measures_energy():
        add("joules", "energy of a run, joules", joule_rows(p))
        for what, name in (("energy", "energy"), ("edp", "energy-delay product")):
            heading = f"{name} relative to {base_title(p)}, lower is better"
            add(what, heading, energy_rows(p, what))
    add("bad", "bad runs: none of these is part of any number", bad_rows(p))
    missing = [[x.title, x.missing or ""] for x in p.programs if x.missing]
    if missing:
        add("missing", "programs left out", [["", "why"], *missing])
    return out


def report(p: Platform) -> str:
    parts = [p.title, "\n".join(f"  {c}" for c in p.conditions())]
    for _, heading, rows in tables(p):
        parts.append(f"{heading}\n{grid(rows)}")
    if not p.shown:
        parts.append("no good runs")
    return "\n\n".join(parts)


COLUMNS = (
    "platform", "suite", "program", "config", "n", "seconds_gmean", "seconds_min", "seconds_max",
    "performance", "performance_low", "performance_high", "joules_gmean", "edp_gmean", "bad", "why",
)  # fmt: skip


def write_csv(all_platforms: Sequence[Platform], out: TextIO) -> None:
    """One line a program and configuration; what was not measured is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for p in all_platforms:
        for program in p.programs:
            for config, cell in program.cells.items():
                e = p.performance(program, config)
                s = list(cell.seconds.values())
                joules = [v for v in cell.energy.values() if v > 0]
                edp = [v for v in cell.edp.values() if v > 0]
                bad = " ".join(f"{k}:{n}" for k, n in sorted(cell.bad.items()))
                writer.writerow(
                    [p.title, program.suite, program.name, config, len(s)]
                    + ([f"{cell.mean:.6f}", f"{min(s):.6f}", f"{max(s):.6f}"] if s else [""] * 3)
                    + ([f"{v:.6f}" for v in (e.value, e.low, e.high)] if e else [""] * 3)
                    + [f"{geometric_mean(v):.6f}" if v else "" for v in (joules, edp)]
                    + [bad, cell.why]
                )
