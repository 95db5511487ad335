# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots in the manner of the AID paper's figures; needs matplotlib.

performance   figures 6 and 7: bars of performance relative to static(SB)
sweep-*       figure 8: performance by chunk, and by aid_hybrid's percent
offline       figure 9: aid_static with sampled and with offline SF
factors       figure 2: the SF of each loop, measured offline
energy, edp   the same bars for energy
trace         figures 1 and 4: what each thread did, over time
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from ampbench.ichplot import draw_groups
from ampbench.plot import import_pyplot

from .results import OFFLINE, STATIC_SB, Platform, ProgramResult
from .schedules import title
from .text import SWEEPS, base_title
from .traces import PHASES, Trace, bars

PER_ROW = 8
LEGEND_COLUMNS = 5
# The same colour for a configuration in all pictures: grey static, orange dynamic,
# green and blue AID; others take what is left, in turn.
COLOURS = {
    "static@sb": "#b9c4cf", "static@bs": "#7d8b99", "stock:static": "#7d8b99",
    "dynamic,1@sb": "#f3c98b", "dynamic,1@bs": "#d98e32", "gomp:dynamic,1": "#d98e32",
    "aid_static@bs": "#8cc7a1", "amp:aid_static": "#8cc7a1", "aid_static+sf@bs": "#c2b280",
    "aid_hybrid,80@bs": "#2f8f5b", "amp:aid_hybrid,80": "#2f8f5b",
    "aid_dynamic,1,5@bs": "#2b6cb0", "amp:aid_dynamic,1,5": "#2b6cb0",
    "unset@bs": "#6b4fa0", "amp:unset": "#6b4fa0",
}  # fmt: skip
OTHERS = ("#c0504d", "#e3a5a3", "#5fb3b3", "#8064a2", "#b0a04f", "#4f81bd", "#a65628", "#999999")
SWEEP_COLOURS = {"dynamic": "#d98e32", "aid_dynamic": "#2b6cb0", "aid_hybrid": "#2f8f5b"}
PHASE_COLOURS = {"sampling": "#d9822b", "aid": "#2b6cb0", "tail": "#8cc7a1", "chunk": "#5b7c99"}
# Bars closer than this share of the picture's width are drawn as one, and none is thinner.
RESOLUTION = 1 / 1500


def saved(pyplot: Any, figure: Any, kind: str) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format=kind, dpi=130, metadata={"Date": None} if kind == "svg" else None)
    pyplot.close(figure)
    return out.getvalue()


def legend_above(figure: Any, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """A legend at the top, for which the layout leaves room."""
    lines = -(-len(labels) // LEGEND_COLUMNS)
    room = (0.12 + 0.19 * lines) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - room))
    figure.legend(handles, labels, loc="upper left", ncol=LEGEND_COLUMNS, fontsize=8,
                  frameon=False)  # fmt: skip


def colours_of(configs: Sequence[str]) -> dict[str, str]:
    """Of the titles that a legend shows."""
    others = [c for c in configs if c not in COLOURS]
    more = {c: OTHERS[i % len(OTHERS)] for i, c in enumerate(others)}
    return {title(c): COLOURS.get(c) or more[c] for c in configs}


def rows_of(items: Sequence[Any]) -> list[Sequence[Any]]:
    """In rows of about the same length, at most PER_ROW."""
    count = -(-len(items) // PER_ROW)
    length = -(-len(items) // count)
    return [items[i : i + length] for i in range(0, len(items), length)]


def bars_figure(
    p: Platform, configs: Sequence[str], what: str, label: str, kind: str
) -> bytes | None:
    """Grouped bars, a group a program, and at the end the geometric mean."""
    programs = [x for x in p.shown if any(p.performance(x, c, what) for c in configs)]
    if not programs:
        return None
    pyplot = import_pyplot()
    means, count = p.means(configs, what)
    rows = rows_of([*programs, *([None] if len(programs) > 1 and means else [])])
    figure, all_axes = pyplot.subplots(
        len(rows), 1, figsize=(11, 0.7 + 2.5 * len(rows)), layout="constrained", squeeze=False
    )
    colours = colours_of(configs)
    inverse = what != "seconds"
    for axes, row in zip(all_axes[:, 0], rows, strict=True):
        series: dict[str, list[tuple[float, float, float] | None]] = {}
        for c in configs:
            here: list[tuple[float, float, float] | None] = []
            for program in row:
                if program is None:
                    v = 1 / means[c][1] if inverse else means[c][1]
                    here.append((v, v, v))
                    continue
                e = program.ratio(p.baseline, c, what) if inverse else p.performance(program, c)
                here.append((e.value, e.low, e.high) if e else None)
            series[title(c)] = here
        draw_groups(axes, [x.name if x else f"gmean of {count}" for x in row], series, colours)
        axes.axhline(1.0, color="black", linewidth=0.7)
        axes.set_ylabel(label, fontsize=8)
        axes.tick_params(labelsize=8)
        # Rows that are not full keep the width of a group.
        axes.set_xlim(-0.6, max(len(r) for r in rows) - 0.4)
        axes.grid(axis="y", linewidth=0.3)
        axes.set_axisbelow(True)
    legend_above(figure, *all_axes[0][0].get_legend_handles_labels())
    return saved(pyplot, figure, kind)


def sweep_figure(p: Platform, prefixes: Sequence[str], kind: str) -> bytes | None:
    """Lines over a parameter, a panel a program."""
    swept = {x: points for x in prefixes if (points := p.sweep(x))}
    programs = [
        x for x in p.shown if any(p.performance(x, c) for s in swept.values() for _, c in s)
    ]
    if not swept or not programs:
        return None
    pyplot = import_pyplot()
    columns = min(len(programs), 4)
    rows = -(-len(programs) // columns)
    figure, all_axes = pyplot.subplots(
        rows, columns, figsize=(1.5 + 2.7 * columns, 0.8 + 2.2 * rows), layout="constrained",
        squeeze=False, sharey=True,
    )  # fmt: skip
    # At equal distances, whatever the steps.
    values = sorted({v for points in swept.values() for v, _ in points})
    for axes, program in zip(all_axes.flat, programs, strict=False):
        for prefix, points in swept.items():
            known = [(v, e) for v, c in points if (e := p.performance(program, c))]
            below = [e.value - e.low for _, e in known]
            above = [e.high - e.value for _, e in known]
            axes.errorbar(
                [values.index(v) for v, _ in known],
                [e.value for _, e in known], yerr=[below, above],
                label=SWEEPS[prefix], marker="o", markersize=3, linewidth=1.2, elinewidth=0.6,
                color=SWEEP_COLOURS[prefix],
            )  # fmt: skip
        axes.axhline(1.0, color="black", linewidth=0.6)
        axes.set_title(program.name, fontsize=9)
        axes.set_xticks(range(len(values)), [f"{v:g}" for v in values])
        axes.tick_params(labelsize=7)
        axes.grid(linewidth=0.3)
    for axes in list(all_axes.flat)[len(programs) :]:
        axes.set_visible(False)
    all_axes[0][0].set_ylim(bottom=0)  # of all panels
    figure.supylabel(f"performance relative to {base_title(p)}", fontsize=8)
    if len(swept) > 1:
        legend_above(figure, *all_axes[0][0].get_legend_handles_labels())
    return saved(pyplot, figure, kind)


def factors_figure(programs: Sequence[ProgramResult], kind: str) -> bytes | None:
    """The fastest type's speed over the slowest's in each loop, in the order of the file."""
    shown = [x for x in programs if x.loops]
    if not shown:
        return None
    pyplot = import_pyplot()
    figure, all_axes = pyplot.subplots(
        len(shown), 1, figsize=(9, 0.5 + 1.7 * len(shown)), layout="constrained", squeeze=False
    )
    for axes, program in zip(all_axes[:, 0], shown, strict=True):
        values = [factors[0] / factors[-1] for factors in program.loops.values()]
        axes.bar(range(1, len(values) + 1), values, color=SWEEP_COLOURS["aid_dynamic"], width=0.7)
        axes.axhline(1.0, color="black", linewidth=0.6)
        axes.set_xlim(0.3, max(len(values), 12) + 0.7)
        axes.set_title(program.title, fontsize=9)
        axes.set_xlabel("loop", fontsize=8)
        axes.set_ylabel("SF", fontsize=8)
        axes.set_xticks(range(1, len(values) + 1, max(1, len(values) // 30)))
        axes.tick_params(labelsize=7)
    return saved(pyplot, figure, kind)


def trace_figure(trace: Trace, heading: str, kind: str) -> bytes:
    """The whole time, and below it one execution of the main loop if that is less."""
    pyplot = import_pyplot()
    views = [("everything", trace)]
    site, begin, end = trace.typical_execution()
    if end - begin < 0.8 * trace.end:
        views.append((f"one execution of {site}", trace.window(begin, end)))
    height = 0.32 * len(trace.threads) + 0.9
    figure, all_axes = pyplot.subplots(
        len(views), 1, figsize=(11, 0.5 + height * len(views)), layout="constrained", squeeze=False
    )
    for axes, (what, view) in zip(all_axes[:, 0], views, strict=True):
        unit, scale = ("ms", 1e-3) if view.end > 2000 else ("us", 1.0)
        for row, thread in enumerate(trace.threads):
            mine = [c for c in view.chunks if c.thread == thread]
            for phase, drawn in bars(mine, view.end * RESOLUTION).items():
                axes.broken_barh(
                    [(b * scale, max(w, view.end * RESOLUTION) * scale) for b, w in drawn],
                    (row - 0.4, 0.8), facecolors=PHASE_COLOURS[phase], linewidth=0,
                )  # fmt: skip
        names = [trace.thread_name(t) for t in trace.threads]
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.set_xlim(0, view.end * scale)
        axes.set_xlabel(unit, fontsize=8)
        axes.set_title(f"{heading}: {what}", fontsize=9)
        axes.tick_params(labelsize=8)
    used = {c.phase for c in trace.chunks}
    from matplotlib.patches import Patch

    marks = [Patch(color=PHASE_COLOURS[x], label=x) for x in PHASES if x in used]
    marks.append(Patch(facecolor="white", edgecolor="#999999", label="not in a loop, or waiting"))
    legend_above(figure, marks, [m.get_label() for m in marks])
    return saved(pyplot, figure, kind)


def figures(p: Platform, kind: str = "svg") -> list[tuple[str, str, bytes]]:
    """(name, caption, picture) of everything that can be drawn of P."""
    out = []
    relative = f"relative to {base_title(p)}"
    configs = [c for c in p.main_configs() if c not in OFFLINE]

    def add(name: str, caption: str, picture: bytes | None) -> None:
        if picture:
            out.append((name, caption, picture))

    add("performance", f"Performance {relative}; higher is better; whiskers: 95 %, or the range "
        "below 5 rounds. As figures 6 and 7 of the AID paper.",
        bars_figure(p, configs, "seconds", "performance", kind))  # fmt: skip
    add("sweep-chunk", f"Performance {relative} by chunk. As figure 8.",
        sweep_figure(p, ("dynamic", "aid_dynamic"), kind))  # fmt: skip
    add("sweep-percent", f"Performance {relative} by aid_hybrid's percent.",
        sweep_figure(p, ("aid_hybrid",), kind))  # fmt: skip
    offline = p.pick(OFFLINE)
    if offline:
        pair = [c for c in p.configs if c.startswith("aid_static")]
        base = [c for c in STATIC_SB if c == p.baseline]
        add("offline", f"aid_static with sampled and with offline SF, performance {relative}. "
            "As figure 9.",
            bars_figure(p, [*base, *pair], "seconds", "performance", kind))  # fmt: skip
    add("factors", "Speedup factor of each loop, one thread on each type of core. As figure 2.",
        factors_figure(p.programs, kind))  # fmt: skip
    if p.measures_energy():
        add("energy", f"Energy {relative}; lower is better.",
            bars_figure(p, configs, "energy", "energy", kind))  # fmt: skip
        add("edp", f"Energy-delay product {relative}; lower is better.",
            bars_figure(p, configs, "edp", "EDP", kind))  # fmt: skip
    return out
