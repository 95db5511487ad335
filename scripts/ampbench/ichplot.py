# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots in the manner of the iCh paper's figures 4 to 7; needs matplotlib.

speedup-synth.png          figure 4: speedup of each method at its best, by setting
speedup-bfs-kmeans.png     figure 5
speedup-lavamd-spmv.png    figure 6: of spmv the geometric mean over the matrices, whiskers
                           from the worst to the best matrix
sensitivity.png            figure 7: worst over best epsilon, best stealing over worst iCh
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from .ich import METHODS, PUBLISHED, Panel, Setting, program_of
from .plot import import_pyplot

FIGURES = {
    "speedup-synth": ("synth",),
    "speedup-bfs-kmeans": ("bfs", "kmeans"),
    "speedup-lavamd-spmv": ("lavamd", "spmv"),
}
# Programs of which one picture shows the mean of all inputs.
MEANT = ("spmv",)

Bar = tuple[float, float, float]  # height, and the ends of the whisker


def speedup_bar(panels: Sequence[Panel], method: str) -> Bar | None:
    """Of one panel the speedup with its interval, of several their geometric mean and range."""
    found = [e for p in panels if (r := p.result(method)) and (e := p.speedup(r))]
    if not found:
        return None
    if len(panels) == 1:
        return (found[0].value, found[0].low, found[0].high)
    values = [e.value for e in found]
    return (geometric_mean(values), min(values), max(values))


def pictures(panels: Sequence[Panel], programs: Sequence[str]) -> dict[str, list[Panel]]:
    """Title -> the panels that one picture shows."""
    out: dict[str, list[Panel]] = {}
    for p in panels:
        program = program_of(p.app)
        if program in programs:
            title = f"{program} (gmean of all inputs)" if program in MEANT else p.app
            out.setdefault(title, []).append(p)
    return out


def settings_of(panels: Sequence[Panel]) -> list[Setting]:
    return sorted({p.setting for p in panels})


def short(setting: Setting) -> str:
    text = str(setting.threads)
    if setting.ratio != 1.0:
        text += f"\n{setting.ratio:g}x AMP"
    return text + ("\nsim" if setting.simulated else "")


def draw_groups(axes: Any, groups: Sequence[str], series: dict[str, list[Bar | None]],
                colours: dict[str, Any]) -> None:  # fmt: skip
    """Grouped bars: for each of GROUPS one bar of each series that has one there."""
    width = 0.85 / max(len(series), 1)
    for i, (name, bars) in enumerate(series.items()):
        places, heights, errors = [], [], [[], []]  # type: ignore[var-annotated]
        for g, bar in enumerate(bars):
            if bar is None:
                continue
            places.append(g + (i - (len(series) - 1) / 2) * width)
            heights.append(bar[0])
            errors[0].append(max(bar[0] - bar[1], 0.0))
            errors[1].append(max(bar[2] - bar[0], 0.0))
        axes.bar(places, heights, width, yerr=errors, label=name, color=colours[name],
                 error_kw={"linewidth": 0.7})  # fmt: skip
    axes.set_xticks(range(len(groups)), groups)


def plot_speedups(panels: Sequence[Panel], programs: Sequence[str], path: Path) -> bool:
    shown = pictures(panels, programs)
    if not shown:
        return False
    plt = import_pyplot()
    colours = {m: plt.get_cmap("tab10")(i) for i, m in enumerate((*METHODS, PUBLISHED))}
    figure, all_axes = plt.subplots(
        1, len(shown), figsize=(2 + 3.4 * len(shown), 4), layout="constrained", squeeze=False
    )
    for axes, (title, mine) in zip(all_axes[0], shown.items(), strict=True):
        settings = settings_of(mine)
        series = {
            m: [speedup_bar([p for p in mine if p.setting == s], m) for s in settings]
            for m in (*METHODS, PUBLISHED)
        }
        series = {m: bars for m, bars in series.items() if any(bars)}
        draw_groups(axes, [short(s) for s in settings], series, colours)
        axes.set_title(title, fontsize=9)
        axes.set_xlabel("threads")
    all_axes[0][0].set_ylabel("speedup over one fast core")
    known: dict[str, Any] = {}
    for axes in all_axes[0]:
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    # Beside the last panel; "outside" places need matplotlib 3.7.
    all_axes[0][-1].legend(
        known.values(), known.keys(), fontsize=7, loc="center left", bbox_to_anchor=(1.02, 0.5)
    )
    figure.savefig(path, dpi=130)
    plt.close(figure)
    return True


def plot_sensitivity(panels: Sequence[Panel], path: Path) -> bool:
    shown = [p for p in panels if p.epsilon_ratio]
    if not shown:
        return False
    plt = import_pyplot()
    names = ("worst ich / best ich", "best stealing / worst ich")
    colours = {names[0]: "lightblue", names[1]: "darkblue"}
    settings = settings_of(shown)
    apps = list(dict.fromkeys(p.app for p in shown))
    figure, all_axes = plt.subplots(
        len(settings), 1, figsize=(2 + 0.9 * len(apps), 2.6 * len(settings)),
        layout="constrained", squeeze=False, sharex=True,
    )  # fmt: skip
    for axes, setting in zip(all_axes[:, 0], settings, strict=True):
        here = {p.app: p for p in shown if p.setting == setting}
        series: dict[str, list[Bar | None]] = {name: [] for name in names}
        for app in apps:
            panel = here.get(app)
            values = (panel.epsilon_ratio, panel.stealing_ratio) if panel else (None, None)
            for name, value in zip(names, values, strict=True):
                series[name].append((value, value, value) if value else None)
        draw_groups(axes, apps, series, colours)
        axes.axhline(1.0, color="black", linewidth=0.8)
        axes.set_title(str(setting), fontsize=9)
        axes.tick_params(axis="x", labelrotation=45)
    all_axes[0][0].legend(fontsize=7)
    figure.savefig(path, dpi=130)
    plt.close(figure)
    return True


def plot_all(panels: Sequence[Panel], folder: Path) -> list[Path]:
    """Make what can be made of PANELS; returns the files."""
    import_pyplot()
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name, programs in FIGURES.items():
        path = folder / f"{name}.png"
        if plot_speedups(panels, programs, path):
            made.append(path)
    path = folder / "sensitivity.png"
    if plot_sensitivity(panels, path):
        made.append(path)
    return made
