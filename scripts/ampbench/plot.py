# SPDX-License-Identifier: GPL-3.0-or-later
"""Bars of efficiency, one group a kernel, and speed over time; needs matplotlib."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .change import Result
from .evaluation import Scene, title_of
from .report import Table, order_key

# The width over which speed is averaged, in seconds.
SPEED_WINDOW = 0.1


class NoMatplotlib(Exception):
    """matplotlib cannot be imported."""


def import_pyplot() -> Any:
    """Pyplot, drawing into files.  Raises NoMatplotlib."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError as why:
        raise NoMatplotlib(f"plots need matplotlib ({why})") from why
    return pyplot


def other_interpreter() -> str | None:
    """Another Python, 3.11 or later, that has matplotlib."""
    test = "import sys, matplotlib; sys.exit(sys.version_info < (3, 11))"
    names = ["python3", *(f"python3.{minor}" for minor in range(20, 10, -1))]
    places = [f"/usr/bin/{n}" for n in names] + [shutil.which(n) or "" for n in names]
    for candidate in dict.fromkeys(p for p in places if p and Path(p).is_file()):
        if Path(candidate).samefile(sys.executable):
            continue
        try:
            done = subprocess.run(
                [candidate, "-c", test], capture_output=True, timeout=60, check=False
            )
        except (OSError, subprocess.SubprocessError):
            continue
        if done.returncode == 0:
            return candidate
    return None


def plot(tables: Sequence[Table], path: Path, caption: str) -> None:
    """Efficiency of every configuration of every emulated table, with intervals."""
    pyplot = import_pyplot()
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


def plot_change(result: Result, path: Path, caption: str) -> None:
    """Speed over time, of each configuration the round of the median time."""
    pyplot = import_pyplot()
    at = result.scene.at
    shown = [x for x in result.lines if x.median_trace]
    if not shown:
        raise ValueError("nothing to plot: no run was good")
    figure, axes = pyplot.subplots(figsize=(10, 5), layout="constrained")
    last = 0.0
    for line in shown:
        trace = line.median_trace
        assert trace is not None
        # Windows are counted from the change, so that none holds both sides of it.
        first = at - SPEED_WINDOW * int((at - trace.begin) / SPEED_WINDOW)
        points = trace.rates(first, SPEED_WINDOW)
        axes.plot([t - at for t, _ in points], [rate for _, rate in points],
                  label=f"{line.config}, {trace.end - trace.begin:.2f} s", linewidth=1.2)
        last = max(last, trace.end - at)
    if result.ideal_rate:
        before, after = result.ideal_rate
        axes.hlines([before, after], [-at, 0.0], [0.0, last], colors="black",
                    linestyles="dotted", label="ideal")  # fmt: skip
    axes.axvline(0.0, color="black", linewidth=0.8)
    axes.set_xlabel("seconds since the slow CPU changed")
    axes.set_ylabel("time steps a second")
    axes.set_ylim(bottom=0)
    axes.set_title(caption, fontsize=8)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def plot_evaluation(scenes: Sequence[Scene], path: Path, caption: str) -> None:
    """For each ratio each kernel's efficiency with each runtime's best schedule."""
    pyplot = import_pyplot()
    shown = [s for s in scenes if s.ratio != 1.0] or list(scenes)
    if not shown:
        raise ValueError("nothing to plot: no efficiency was measured")
    widest = max(len(s.rows) for s in shown)
    figure, grid = pyplot.subplots(
        len(shown), 1, figsize=(3 + 0.7 * widest, 0.8 + 2.6 * len(shown)), layout="constrained",
        squeeze=False, sharey=True,
    )  # fmt: skip
    for axes, scene in zip(grid[:, 0], shown, strict=True):
        names = [r.kernel for r in scene.rows] + ["geometric\nmean"]
        width = 0.85 / max(len(scene.runtimes), 1)
        for i, runtime in enumerate(scene.runtimes):
            heights = [r.of_best(runtime) or 0.0 for r in scene.rows]
            heights.append(scene.of_best(runtime)[0] or 0.0)
            middle = (len(scene.runtimes) - 1) / 2
            axes.bar([g + (i - middle) * width for g in range(len(names))], heights, width,
                     label=f"{title_of(runtime)}, best schedule")  # fmt: skip
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_xticks(range(len(names)), names, fontsize=7)
        where = "equal cores" if scene.ratio == 1.0 else f"slow CPU {scene.ratio:g} times slower"
        axes.set_title(where, fontsize=8)
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.set_ylabel("efficiency")
    grid[-1, 0].legend(fontsize=8, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.25))
    figure.suptitle(caption, fontsize=8)
    figure.savefig(path, dpi=130)
    pyplot.close(figure)
