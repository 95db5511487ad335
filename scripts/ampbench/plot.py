# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars of efficiency, one group a kernel; needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .report import Table, order_key


class NoMatplotlib(Exception):
    """matplotlib cannot be imported."""


def plot(tables: Sequence[Table], path: Path, caption: str) -> None:
    """Efficiency of every configuration of every emulated table, with intervals."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as why:
        raise NoMatplotlib(f"--plot needs matplotlib ({why})") from why
    shown = [t for t in tables if t.emulated] or list(tables)
    names = sorted(
        {x.config for t in shown for x in t.lines if x.efficiency and x.config[:6] != "split:"},
        key=order_key,
    )
    if not names:
        raise ValueError("nothing to plot: no efficiency was measured")
    figure, axes = pyplot.subplots(figsize=(2 + 2.6 * len(shown), 4.5), layout="constrained")
    width = 0.85 / len(names)
    colours = pyplot.get_cmap("tab20")
    for i, name in enumerate(names):
        places, heights, errors = [], [], [[], []]  # type: ignore[var-annotated]
        for g, table in enumerate(shown):
            line = table.line(name)
            if line is None or line.efficiency is None:
                continue
            e = line.efficiency
            places.append(g + (i - (len(names) - 1) / 2) * width)
            heights.append(e.value)
            errors[0].append(e.value - e.low)
            errors[1].append(e.high - e.value)
        axes.bar(places, heights, width, yerr=errors, label=name, color=colours(i % 20),
                 error_kw={"linewidth": 0.7})  # fmt: skip
    for g, table in enumerate(shown):
        split = table.line(table.best_split)
        if split and split.efficiency:
            axes.hlines(split.efficiency.value, g - 0.45, g + 0.45, colors="black",
                        linestyles="dotted", label="best split" if g == 0 else None)  # fmt: skip
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(shown)), [f"{t.kernel} {t.klass}" for t in shown])
    axes.set_ylabel("efficiency: ideal time / time")
    axes.set_title(caption, fontsize=8)
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
