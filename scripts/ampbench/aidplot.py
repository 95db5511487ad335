# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of the AID paper's section 5, from records of scripts/reproduce-aid."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import aid
from .plot import import_pyplot

PHASE_COLOURS = {
    "sampling": "#e69f00", "aid": "#0072b2", "tail": "#009e73", "chunk": "#56b4e9",
}  # fmt: skip


# What a reader can still tell apart in one panel of a figure.
BARS_PER_PANEL = 90


def bars(
    pyplot: Any, path: Path, title: str, columns: Sequence[str], rows: dict[str, dict[str, float]],
    unit: str = "normalised performance",
) -> None:  # fmt: skip
    """A group of bars for each row, in as many panels as it takes."""
    columns = [c for c in columns if any(c in r for r in rows.values())]
    width = 0.85 / max(len(columns), 1)
    panels = max(math.ceil(len(rows) * len(columns) / BARS_PER_PANEL), 1)
    each = max(math.ceil(len(rows) / panels), 1)
    names = list(rows)
    figure, grid = pyplot.subplots(
        panels, 1, figsize=(12.0 if panels > 1 else 9.0, 0.8 + 2.6 * panels), squeeze=False,
        sharey=True, layout="constrained",
    )  # fmt: skip
    colours = pyplot.get_cmap("tab20")
    for panel, axes in enumerate(grid[:, 0]):
        shown = names[panel * each : (panel + 1) * each]
        for i, column in enumerate(columns):
            places = [n + (i - len(columns) / 2 + 0.5) * width for n in range(len(shown))]
            heights = [rows[name].get(column, 0.0) for name in shown]
            axes.bar(places, heights, width, label=column, color=colours(i % 20))
        axes.axhline(1.0, color="black", linewidth=0.7)
        axes.set_xlim(-0.6, each - 0.4)
        axes.set_xticks(range(len(shown)), shown, fontsize=8 if each <= 30 else 6,
                        rotation=90 if each > 12 else 0)  # fmt: skip
        axes.set_ylabel(unit, fontsize=8)
    figure.suptitle(title)
    if len(columns) > 1:
        grid[0, 0].legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(path, dpi=110)
    pyplot.close(figure)


def traces(pyplot: Any, path: Path, found: dict[str, Path]) -> None:
    """Chunks over time, one panel a trace (figures 1 and 4)."""
    figure, all_axes = pyplot.subplots(
        len(found), 1, figsize=(9, 1.0 + 1.1 * len(found)), sharex=True, squeeze=False
    )
    for axes, (name, file) in zip(all_axes[:, 0], found.items(), strict=True):
        events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
        chunks = [e for e in events if e["ph"] == "X"]
        start = min((e["ts"] for e in chunks), default=0.0)
        for phase, colour in PHASE_COLOURS.items():
            for thread in sorted({e["tid"] for e in chunks}):
                spans = [
                    ((e["ts"] - start) / 1000, e["dur"] / 1000)
                    for e in chunks
                    if e["tid"] == thread and e["name"] == phase
                ]
                axes.broken_barh(
                    spans, (thread - 0.4, 0.8), facecolors=colour, edgecolor="white",
                    linewidth=0.2,
                )  # fmt: skip
        axes.set_yticks(sorted({e["tid"] for e in chunks}))
        axes.invert_yaxis()
        axes.set_title(name, fontsize=9, loc="left")
    all_axes[-1, 0].set_xlabel("ms")
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=c) for c in PHASE_COLOURS.values()]
    figure.legend(handles, list(PHASE_COLOURS), ncols=4, fontsize=8, loc="upper right")
    figure.tight_layout()
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def file_of(where: str) -> str:
    return where.replace(" ", "-")


def plot_all(records: Sequence[aid.Record], folder: Path) -> list[Path]:
    """All figures that there are records of, in FOLDER."""
    pyplot = import_pyplot()
    before = set(folder.glob("*.png"))
    for where in aid.wheres(records, "6/7"):
        rows = aid.normalised(aid.times(records, "6/7", where), aid.BASELINE)
        bars(
            pyplot, folder / f"figure-6-7-{file_of(where)}.png",
            f"{where}: performance against {aid.BASELINE}", list(aid.LINES), rows,
        )  # fmt: skip
    for figure, baseline in (
        ("8", "dynamic,1"), ("percent", "80"), ("9", "AID-static"), ("9c", "AID-static"),
    ):  # fmt: skip
        for where in aid.wheres(records, figure):
            found = aid.times(records, figure, where)
            columns = list(dict.fromkeys(n for x in found.values() for n in x))
            bars(
                pyplot, folder / f"figure-{figure}-{file_of(where)}.png",
                f"{where}: performance against {baseline}", columns,
                aid.normalised(found, baseline),
            )  # fmt: skip
    loops = [r for r in records if r["type"] == "loop"]
    if loops:
        rows = {f"{r['kernel']} {n}": {"SF": r["sf"]} for n, r in enumerate(loops, 1)}
        bars(pyplot, folder / "figure-2.png", "SF of each loop", ["SF"], rows, "SF")
    found_traces = {
        t.stem.removeprefix("trace-"): t for t in sorted(folder.glob("trace-*.json"))
    }
    if found_traces:
        traces(pyplot, folder / "figure-1-4.png", found_traces)
    return sorted(set(folder.glob("*.png")) | before)
