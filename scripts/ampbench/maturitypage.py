# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of the comparison in maturity.py: figures 2 to 8 of the paper beside ours, as tables and
bars.  Nothing is loaded, so it opens from disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from statistics import geometric_mean

from . import maturity
from .maturity import (
    CHANGES,
    CONFIGURATIONS,
    EDP,
    ENERGY,
    GROWING,
    LINES,
    PAPER,
    POWER,
    RATIOS,
    SPEEDUP,
    SYMMETRIC,
    TABLE_1,
    Cores,
    Quantity,
    Table,
    change,
    ideal,
    means,
    named,
)
from .page import STYLE, facts, table_html
from .record import Record, sessions
from .tables import grid, number

COLOURS = (
    "#7d8b99", "#c0504d", "#b9c4cf", "#d98e32", "#8064a2", "#d9c7e8", "#b18fcf", "#5fb3b3",
    "#2f5f9b", "#8cc7a1", "#2f8f5b", "#1f6fb0",
)  # fmt: skip
WIDTH, HEIGHT = 900.0, 170.0
LEFT = 40.0

# Why ours differ, for the page and its reader.
DIFFERENCES = (
    "Their programs are PARSEC's, with native inputs, on an Odroid-XU3; ours are kernels on their "
    "themes, recorded on one core of a server, each with the ratio of speeds of the paper's "
    "table 1, and simulated. canneal, facesim, ferret and freqmine have no kernel; lavamd is "
    "added.",
    "The simulator knows no caches and no memory bandwidth. So four big cores reach nearly four "
    "times one (the paper: 9.5 of 12.1), and added little cores cannot take bandwidth from them.",
    "Static threading loses more from little cores here: most of the paper's programs that gain "
    "are pipelines, three of nine; here two of seven. With a ratio of r, 4+4 threads with even "
    "blocks take r/2 times the time of 4+0, so all ratios above 2 lose, by 33 % at 3.03; the "
    "paper's 6 % on average has its serial parts and limits by memory in it, which little cores "
    "do not lengthen.",
    "GTS gains more here at 4+4, as a move costs 50 us and nothing else: the paper blames "
    "migration for its 8 %. At 4+1 both lose: the fifth thread's block waits for a big core.",
    "Tasks gain more here: no dispatch through memory, eight tasks a thread, a queue that costs "
    "0.5 us for each task. The paper's 15 % is of an ideal of 33 %.",
    "Loop static and loop dynamic are not bound, as in the paper (section 5.3), and libgomp's "
    "threads spin for about 1 ms before they sleep: a core is not idle to the kernel before.",
    "Power is a model: busy, spinning and idle watts per type, fitted to averages of the paper "
    "and to paper 002's shares. That average power falls with added little cores under static "
    "threading follows from idle big cores, and is no independent finding.",
)


def _path(x: float, y: float, width: float, height: float, colour: str, title: str) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}"><title>{escape(title)}</title></rect>'
    )


def bars(groups: Mapping[str, Mapping[str, float]], unit: str) -> str:
    """An SVG: a group of bars for each of GROUPS, one a line."""
    top = max((v for g in groups.values() for v in g.values()), default=0.0)
    if top <= 0.0:
        return ""
    step = (WIDTH - LEFT) / len(groups)
    out = [
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT + 40:.0f}" role="img" font-size="11" '
        'font-family="sans-serif" style="max-width:100%">'
    ]
    for k in range(5):
        value = top * k / 4
        y = 10 + HEIGHT * (1 - k / 4)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dde3ea"/>'
                   f'<text x="{LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    for i, (name, values) in enumerate(groups.items()):
        wide = step * 0.86 / len(LINES)
        for j, line in enumerate(LINES):
            value = values.get(line.name, 0.0)
            high = HEIGHT * value / top
            out.append(_path(LEFT + step * (i + 0.07) + j * wide, 10 + HEIGHT - high, wide * 0.92,
                             high, COLOURS[j], f"{name}, {line.name}: {value:.3g} {unit}"))  # fmt: skip
        out.append(f'<text x="{LEFT + step * (i + 0.5):.1f}" y="{HEIGHT + 26:.0f}" '
                   f'text-anchor="middle">{escape(name)}</text>')
    return "".join([*out, "</svg>"])


def legend() -> str:
    items = "".join(
        f'<span style="white-space:nowrap;margin-right:1rem"><span style="display:inline-block;'
        f'width:.8rem;height:.8rem;background:{c}"></span> {escape(x.name)}</span>'
        for x, c in zip(LINES, COLOURS)
    )
    return f"<p>{items}</p>"


Rows = list[list[str]]


def rows_of(groups: Mapping[str, Mapping[str, float]], first: str = "") -> Rows:
    head = [first, *(x.name for x in LINES)]
    return [head, *([k, *(number(v.get(n)) for n in head[1:])] for k, v in groups.items())]


def by_kernel(table: Table, quantity: Quantity, cores: Cores) -> dict[str, dict[str, float]]:
    """Kernel -> line -> value, and the mean of all."""
    out: dict[str, dict[str, float]] = {}
    for kernel in (k for k in RATIOS if k in table):
        found = {x.name: quantity.of(table, kernel, cores, x.name) for x in LINES}
        out[kernel] = {n: v for n, v in found.items() if v is not None}
    out["mean"] = means(table, quantity, cores)
    return out


def by_cores(table: Table, quantity: Quantity, some: Sequence[Cores]) -> dict[str, dict[str, float]]:
    return {named(c): means(table, quantity, c) for c in some}


def ideal_rows(records: Sequence[Record]) -> Rows:
    """Figure 2: equation 4 by hand, and what amp-sim says is ideal."""
    simulated = {(r["kernel"], r["big"], r["little"]): r["value"]
                 for r in records if r["type"] == "ideal"}  # fmt: skip
    out = [["", *(named(c) for c in CONFIGURATIONS)]]
    for kernel, ratio in RATIOS.items():
        cells = [f"{ideal(ratio, c):.2f}" for c in CONFIGURATIONS]
        out.append([f"{kernel} ({ratio:g})", *cells])
        ours = [simulated.get((kernel, *c)) for c in CONFIGURATIONS]
        if any(v is not None for v in ours):
            out.append(["  amp-sim's", *(f"{v:.2f}" if v is not None else "-" for v in ours)])
    for name, ratio in TABLE_1.items():
        if name not in RATIOS:
            out.append([f"{name} ({ratio:g}), the paper's only",
                        *(f"{ideal(ratio, c):.2f}" for c in CONFIGURATIONS)])  # fmt: skip
    return out


def beside_paper(table: Table) -> Rows:
    """Averages that the paper's text has, and ours."""
    out = [["", "configuration", "line", "paper", "ours"]]
    for quantity, cores, line, value in PAPER:
        here = means(table, quantity, cores).get(line)
        out.append([quantity.name, named(cores), line, f"{value:g}", number(here)])
    return out


def changes(table: Table) -> Rows:
    out = [["", "from 4+0 to", "line", "paper", "ours"]]
    for quantity, cores, line, value in CHANGES:
        here = change(table, quantity, cores, line)
        out.append([quantity.name, named(cores), line, f"{value:+g} %",
                    f"{here:+.1f} %" if here is not None else "-"])  # fmt: skip
    return out


def loss_rows(table: Table) -> Rows:
    found = maturity.losses(table)
    return [["kernel", "time at 4+4 over 4+0, nothing set"],
            *([k, f"{v:.3f}"] for k, v in found.items())]  # fmt: skip


def goals_of(records: Sequence[Record]) -> list[Record]:
    return [r for r in records if r["type"] == "goal"]


def goal_rows(records: Sequence[Record]) -> Rows:
    out = [["kernel, goal, idle cores", "best cores", "schedule", "GOMP_AMP_ENERGY",
            "and GOMP_AMP_SF", "nothing set"]]  # fmt: skip
    for r in goals_of(records):
        both = [f"{r[k] / r['best']:.3f}" for k in ("ours", "told", "unset")]
        out.append([f"{r['kernel']}, {r['goal']}, {r['idle']}", r["cores"], r["schedule"], *both])
    return out


def real_rows(records: Sequence[Record]) -> Rows:
    """This machine: kernel -> line, seconds over those of static threading, medians of rounds."""
    found: dict[str, dict[str, list[float]]] = {}
    for r in maturity.points(records, "run"):
        found.setdefault(r["kernel"], {}).setdefault(r["line"], []).append(float(r["seconds"]))
    lines = list(dict.fromkeys(n for x in found.values() for n in x))
    out = [["", *lines]]
    shares: dict[str, list[float]] = {n: [] for n in lines}
    for kernel, x in found.items():
        base = sorted(x.get(maturity.THREADING, []))
        cells = []
        for n in lines:
            if n not in x or not base:
                cells.append("-")
                continue
            value = base[len(base) // 2] / sorted(x[n])[len(x[n]) // 2]
            shares[n].append(value)
            cells.append(f"{value:.3f}")
        out.append([kernel, *cells])
    complete = [f"{geometric_mean(v):.3f}" if v else "-" for v in shares.values()]
    return [*out, ["gmean", *complete]] if found else []


Part = tuple[str, str, Rows, str]


def parts(records: Sequence[Record]) -> list[Part]:
    """Identifier, heading, table and picture of each part."""
    table = maturity.tabulate(records)
    out: list[Part] = [
        ("averages", "Averages that the paper names", beside_paper(table), ""),
        ("changes", "What little cores add to four big ones, on average", changes(table), ""),
        ("periods", "GTS from 4+0 to 4+4, mean speedup, by how often the kernel looks",
         [["", "change"], *([n, f"{v:+.1f} %"] for n, v in maturity.periods(table).items())], ""),
        ("f2", "Figure 2: ideal speedup over one little core (equation 4)", ideal_rows(records), ""),
    ]
    for figure, quantity in (("3", SPEEDUP), ("4", POWER), ("5", ENERGY)):
        for cores in SYMMETRIC:
            groups = by_kernel(table, quantity, cores)
            out.append((f"f{figure}-{named(cores)}",
                        f"Figure {figure}, {named(cores)}: {quantity.name}, {quantity.unit}",
                        rows_of(groups), bars(groups, quantity.unit)))  # fmt: skip
    groups = by_cores(table, EDP, SYMMETRIC)
    out.append(("f5-edp", f"Figure 5: mean {EDP.name}, {EDP.unit}", rows_of(groups),
                bars(groups, "")))  # fmt: skip
    for quantity in maturity.QUANTITIES:
        groups = by_cores(table, quantity, GROWING)
        out.append((f"f6-{quantity.name.split()[-1]}",
                    f"Figure 6: mean {quantity.name}, {quantity.unit}", rows_of(groups),
                    bars(groups, quantity.unit)))  # fmt: skip
    for figure, quantity in (("7", SPEEDUP), ("8", POWER)):
        for cores in GROWING[1:]:
            groups = by_kernel(table, quantity, cores)
            out.append((f"f{figure}-{named(cores)}",
                        f"Figure {figure}, {named(cores)}: {quantity.name}, {quantity.unit}",
                        rows_of(groups), bars(groups, quantity.unit)))  # fmt: skip
    out.append(("losses", "Nothing set on all cores, against the big ones alone",
                loss_rows(table), ""))  # fmt: skip
    if goals_of(records):
        out.append(("goal", "GOMP_AMP_ENERGY and nothing set, against the best choice of cores and "
                    "schedule", goal_rows(records), ""))  # fmt: skip
    real = real_rows(records)
    if real:
        out.append(("real", "On this machine, one fast and one slow CPU: speed against static "
                    "threading", real, ""))  # fmt: skip
    return out


def conditions(records: Sequence[Record]) -> list[str]:
    out = []
    for s in sessions(records):
        said = s.get("arguments", {})
        out.append(f"{s['time']}, {s['machine'].get('cpu', '')}: "
                   + ", ".join(f"{k} {v}" for k, v in said.items()))  # fmt: skip
    out.append(f"watts, busy/spinning/idle: big {'/'.join(map(str, maturity.BIG))}, "
               f"little {'/'.join(map(str, maturity.LITTLE))}")  # fmt: skip
    out += [f"FAILED {r['kernel']}: {r['why']}" for r in records if r["type"] == "failed"]
    return out


def text(records: Sequence[Record]) -> str:
    """All tables, for a terminal."""
    out = [*conditions(records), ""]
    for _, heading, rows, _ in parts(records):
        out += [heading, grid(rows), ""]
    out += [str(v) for v in maturity.verdicts(maturity.tabulate(records), goals_of(records))]
    return "\n".join(out)


def page(records: Sequence[Record]) -> str:
    found = parts(records)
    heading = "Who divides the work? The comparison of paper 001, and ours"
    links = {name.split("-")[0]: title for name, title, _, _ in reversed(found)}
    nav = "".join(f'<a href="#{n}">{escape(t.split(":")[0].split(",")[0])}</a>'
                  for n, t in reversed(links.items()))  # fmt: skip
    out = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(heading)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(heading)}</h1>", f"<nav>{nav}</nav>", facts(conditions(records)),
        "<h2>What must come out</h2>",
        facts([str(v) for v in maturity.verdicts(maturity.tabulate(records), goals_of(records))]),
        "<h2>Why ours differ</h2>", facts(DIFFERENCES), "<h2>Figures</h2>", legend(),
    ]  # fmt: skip
    seen = set()
    for name, title, rows, picture in found:
        anchor = name.split("-")[0]
        mark = "" if anchor in seen else f'<a id="{anchor}"></a>'
        seen.add(anchor)
        out.append(f"{mark}<h3>{escape(title)}</h3>{picture}{table_html(name, rows)}")
    out.append("</body></html>\n")
    return "\n".join(out)
