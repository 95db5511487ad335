# SPDX-License-Identifier: GPL-3.0-or-later
"""All pictures; they need matplotlib.

Of comparisons: efficiency, speed over time where the slow CPU changes, all kernels side by side.
Of the iCh paper: speedup-* (figures 4 to 6; of spmv the mean over the matrices, whiskers from the
worst to the best one) and sensitivity (figure 7).  Of the AID paper: figure-*.  Of platforms, in
the manner of the AID paper's figures:
  performance   figures 6 and 7: bars of performance relative to static(SB)
  sweep-*       figure 8: performance by chunk, and by aid_hybrid's percent
  offline       figure 9: aid_static with sampled and with offline SF
  factors       figure 2: the SF of each loop, measured offline
  energy, edp   the same bars for energy
  trace         figures 1 and 4: what each thread did, over time
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from . import aid, change, compared, evaluation, fieldtables, ich
from .compared import Table, order_key
from .config import BASELINE, STOCK_DYNAMIC, title
from .plan import scene
from .record import Record, load, sessions
from .results import OFFLINE, STATIC_SB, SWEEPS, Platform, ProgramResult, base_title
from .traces import PHASES, Trace, bars
from .traces import load as load_trace

LAUNCHER = Path(__file__).resolve().parents[1] / "bench"
# Set for the interpreter that this one hands over to.
HANDED_OVER = "AMPBENCH_HANDED_OVER"
# The width over which speed is averaged, in seconds.
SPEED_WINDOW = 0.1
PER_ROW = 8
LEGEND_COLUMNS = 5
# What a reader can still tell apart in one panel of a figure.
BARS_PER_PANEL = 90
# The same colour for a configuration in all pictures of platforms: grey static, orange dynamic,
# green and blue AID; others take what is left, in turn.
COLOURS = {
    "static@sb": "#b9c4cf", "static@bs": "#7d8b99", "stock:static": "#7d8b99",
    "dynamic,1@sb": "#f3c98b", "dynamic,1@bs": "#d98e32", "gomp:dynamic,1": "#d98e32",
    "aid_static@bs": "#8cc7a1", "amp:aid_static": "#8cc7a1", "aid_static+sf@bs": "#c2b280",
    "aid_hybrid,80@bs": "#2f8f5b", "amp:aid_hybrid,80": "#2f8f5b",
    "aid_dynamic,1,5@bs": "#2b6cb0", "amp:aid_dynamic,1,5": "#2b6cb0",
    "unset@bs": "#6b4fa0", "amp:unset": "#6b4fa0",
}  # fmt: skip
OTHERS = ("#c0504d", "#e3a5a3", "#5fb3b3", "#b0a04f", "#7f3b08", "#1a1a1a", "#e7298a", "#f2d024",
          "#00c5e8", "#ff9fdc")  # fmt: skip
SWEEP_COLOURS = {"dynamic": "#d98e32", "aid_dynamic": "#2b6cb0", "aid_hybrid": "#2f8f5b"}
PHASE_COLOURS = {"sampling": "#d9822b", "aid": "#2b6cb0", "tail": "#8cc7a1", "chunk": "#5b7c99"}
# Bars closer than this share of the picture's width are drawn as one, and none is thinner.
RESOLUTION = 1 / 1500

Bar = tuple[float, float, float]  # height, and the ends of the whisker


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
    if os.environ.get(HANDED_OVER):
        return None
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


def draw(raw: Path, target: Path) -> None:
    """Make the pictures of RAW, a file or a folder, and say which; by another Python where this
    one cannot."""
    sys.stdout.flush()
    try:
        for path in pictures(load(raw), target):
            print(f"plot: {path}")
    except NoMatplotlib as e:
        other = other_interpreter()
        if other is None:
            print(f"no plots: {e}; no other Python here has it either")
            return
        again = [other, str(LAUNCHER), "draw", str(raw), str(target)]
        subprocess.run(again, check=False, env=os.environ | {HANDED_OVER: "1"})
    except ValueError as e:
        print(f"no plots: {e}")


def pictures(records: Sequence[Record], target: Path) -> list[Path]:
    """Those that belong to what RECORDS are of; raises ValueError where there is nothing in them."""
    heads = sessions(records)
    mode = heads[0].get("mode") if heads else "ich"
    if mode == "ich":
        return ich_figures(ich.panels(records), target)
    if mode == "reproduce-aid":
        return aid_figures(records, target)
    caption = compared.format_session(heads[0]).partition("\n")[0]
    if mode == "change":
        return [change_figure(change.evaluate(records), target, caption)]
    if mode == "field":
        return [field_figure(fieldtables.rows(records), target, caption)]
    if mode == "all":
        scenes = evaluation.scenes(records)
        share = target.with_name(f"{target.stem}-share{target.suffix}")
        return [evaluation_figure(scenes, target, caption), share_figure(scenes, share)]
    return [efficiency_figure(compared.tables(records), target, caption)]


class Canvas:
    """A figure of ROWS x COLUMNS axes."""

    def __init__(self, rows: int, columns: int, size: tuple[float, float], **more: Any) -> None:
        self.pyplot = import_pyplot()
        self.figure, self.axes = self.pyplot.subplots(
            rows, columns, figsize=size, squeeze=False, **({"layout": "constrained"} | more)
        )

    def save(self, path: Path) -> Path:
        self.figure.savefig(path, dpi=130)
        self.pyplot.close(self.figure)
        return path

    def bytes(self, kind: str) -> bytes:
        out = io.BytesIO()
        dateless = {"Date": None} if kind == "svg" else None
        self.figure.savefig(out, format=kind, dpi=130, metadata=dateless)
        self.pyplot.close(self.figure)
        return out.getvalue()

    def colours(self, names: Sequence[str], of: str = "tab20") -> dict[str, Any]:
        table = self.pyplot.get_cmap(of)
        return {name: table(i % table.N) for i, name in enumerate(names)}

    def legend_above(self, handles: Sequence[Any], labels: Sequence[str]) -> None:
        """A legend at the top, for which the layout leaves room."""
        lines = ceil(len(labels) / LEGEND_COLUMNS)
        room = (0.12 + 0.19 * lines) / self.figure.get_figheight()
        self.figure.get_layout_engine().set(rect=(0, 0, 1, 1 - room))
        self.figure.legend(handles, labels, loc="upper left", ncol=LEGEND_COLUMNS, fontsize=8,
                           frameon=False)  # fmt: skip


def legend_beside(axes: Any, *known: Any) -> None:
    # "outside" places need matplotlib 3.7.
    axes.legend(*known, fontsize=7, loc="center left", bbox_to_anchor=(1.02, 0.5))


def draw_groups(
    axes: Any, groups: Sequence[str], series: Mapping[str, Sequence[Bar | None]],
    colours: Mapping[str, Any], **ticks: Any,
) -> None:  # fmt: skip
    """Grouped bars: for each of GROUPS one bar of each series that has one there.  Series of the
    same colour are hatched."""
    width = 0.85 / max(len(series), 1)
    used: Counter[object] = Counter()
    for i, (name, found) in enumerate(series.items()):
        hatch = "//" * used[colours[name]] or None
        used[colours[name]] += 1
        known = [(g, bar) for g, bar in enumerate(found) if bar]
        errors = [[max(b[0] - b[1], 0.0) for _, b in known], [max(b[2] - b[0], 0.0) for _, b in known]]
        axes.bar([g + (i - (len(series) - 1) / 2) * width for g, _ in known],
                 [b[0] for _, b in known], width, yerr=errors, label=name, color=colours[name],
                 hatch=hatch, error_kw={"linewidth": 0.7})  # fmt: skip
    axes.axhline(1.0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(groups)), groups, **ticks)


def efficiency_figure(tables: Sequence[Table], path: Path, caption: str) -> Path:
    """Efficiency of every configuration of every table of unequal cores, with intervals."""
    shown = [t for t in tables if t.unequal] or list(tables)
    names = sorted(
        {x.config for t in shown for x in t.lines if x.efficiency and x.config[:6] != "split:"},
        key=order_key,
    )
    if not names:
        raise ValueError("no efficiency was measured")
    canvas = Canvas(1, 1, (2 + 2.6 * len(shown), 4.5))
    axes = canvas.axes[0, 0]
    found = {n: [t.efficiency(n) for t in shown] for n in names}
    series = {n: [(e.value, e.low, e.high) if e else None for e in es] for n, es in found.items()}
    draw_groups(axes, [f"{t.kernel} {t.klass}" for t in shown], series, canvas.colours(names))
    for g, table in enumerate(shown):
        e = table.efficiency(table.best_split)
        if e:
            axes.hlines(e.value, g - 0.45, g + 0.45, colors="black", linestyles="dotted",
                        label="best split" if g == 0 else None)  # fmt: skip
    axes.set_ylabel("efficiency: ideal time / time")
    axes.set_title(caption, fontsize=8)
    legend_beside(axes)
    return canvas.save(path)


def change_figure(result: change.Result | None, path: Path, caption: str) -> Path:
    """Speed over time, of each configuration the round of the median time."""
    shown = [(x, x.median_trace) for x in result.lines if x.median_trace] if result else []
    if not result or not shown:
        raise ValueError("no run was good")
    canvas = Canvas(1, 1, (10, 5))
    axes, at, last = canvas.axes[0, 0], result.scene.at, 0.0
    for line, trace in shown:
        # Windows are counted from the change, so that none holds both sides of it.
        first = at - SPEED_WINDOW * int((at - trace.begin) / SPEED_WINDOW)
        points = trace.rates(first, SPEED_WINDOW)
        axes.plot([t - at for t, _ in points], [rate for _, rate in points],
                  label=f"{line.config}, {trace.end - trace.begin:.2f} s", linewidth=1.2)
        last = max(last, trace.end - at)
    if result.ideal_rate:
        axes.hlines(result.ideal_rate, [-at, 0.0], [0.0, last], colors="black",
                    linestyles="dotted", label="ideal")  # fmt: skip
    axes.axvline(0.0, color="black", linewidth=0.8)
    axes.set_xlabel("seconds since the slow CPU changed")
    axes.set_ylabel("time steps a second")
    axes.set_ylim(bottom=0)
    axes.set_title(caption, fontsize=8)
    legend_beside(axes)
    return canvas.save(path)


def evaluation_figure(scenes: Sequence[evaluation.Scene], path: Path, caption: str) -> Path:
    """For each ratio each kernel's efficiency with each runtime's best schedule."""
    shown = [s for s in scenes if s.ratio != 1.0] or list(scenes)
    if not shown:
        raise ValueError("no efficiency was measured")
    widest = max(len(s.rows) for s in shown)
    canvas = Canvas(len(shown), 1, (3 + 0.7 * widest, 0.8 + 2.6 * len(shown)), sharey=True)
    for axes, s in zip(canvas.axes[:, 0], shown, strict=True):
        series = {}
        for runtime in s.runtimes:
            heights = [r.of_best(runtime) for r in s.rows] + [s.of_best(runtime)[0]]
            series[f"{evaluation.title_of(runtime)}, best schedule"] = [
                (h, h, h) if h else None for h in heights
            ]
        names = [r.kernel for r in s.rows] + ["geometric\nmean"]
        draw_groups(axes, names, series, canvas.colours(list(series), "tab10"), fontsize=7)
        axes.set_title(scene(s.ratio), fontsize=8)
        axes.set_xlim(-0.6, len(names) - 0.4)
        axes.set_ylabel("efficiency")
    canvas.axes[-1, 0].legend(fontsize=8, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.25))
    canvas.figure.suptitle(caption, fontsize=8)
    return canvas.save(path)


def share_figure(scenes: Sequence[evaluation.Scene], path: Path) -> Path:
    """For each ratio the mean efficiency over all kernels of what people compare."""
    shown = [s for s in scenes if s.ratio != 1.0] or list(scenes)
    heights = {
        "gcc, static": [s.of(BASELINE)[0] for s in shown],
        "gcc, dynamic": [s.of(STOCK_DYNAMIC)[0] for s in shown],
        "libomp, each kernel's best schedule": [s.of_best("llvm")[0] for s in shown],
        "libiomp5, each kernel's best schedule": [s.of_best("intel")[0] for s in shown],
        "amp-gcc, nothing set": [s.of(evaluation.AUTO)[0] for s in shown],
    }
    canvas = Canvas(1, 1, (8, 3.6))
    axes = canvas.axes[0, 0]
    series = {n: [(h, h, h) if h else None for h in found] for n, found in heights.items()}
    colours = dict(zip(series, ("#bbbbbb", "#888888", "#9ec9e2", "#5b9ac6", "#d9541e"), strict=True))
    names = [f"{s.ratio:g} times slower" for s in shown]
    draw_groups(axes, names, series, colours)
    for drawn in axes.containers:
        if hasattr(drawn, "patches"):
            axes.bar_label(drawn, fmt="%.2f", fontsize=6)
    axes.set_ylabel("ideal time / time")
    axes.set_xlabel("one of two CPUs is")
    axes.legend(fontsize=7, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return canvas.save(path)


def field_figure(
    by_ratio: Mapping[float, Sequence[fieldtables.Row]], path: Path, caption: str
) -> Path:
    """For each ratio each program's speed over stock under each way, losses first."""
    shown = {ratio: rows for ratio, rows in by_ratio.items() if any(r.speeds for r in rows)}
    if not shown:
        raise ValueError("no way was measured beside stock")
    widest = max(len(rows) for rows in shown.values())
    canvas = Canvas(len(shown), 1, (3 + 1.1 * widest, 0.8 + 2.6 * len(shown)))
    ways = list(dict.fromkeys(w for rows in shown.values() for w in fieldtables.shown_ways(rows)))
    colours = canvas.colours(ways, "tab10")
    for axes, (ratio, rows) in zip(canvas.axes[:, 0], shown.items(), strict=True):
        found = {w: [r.speeds.get(w) for r in rows] for w in ways}
        series = {
            w: [(e.value, e.low, e.high) if e else None for e in es] for w, es in found.items()
        }
        draw_groups(axes, [r.program for r in rows], series, colours, fontsize=7)
        for g, row in enumerate(rows):
            if row.ideal:
                axes.hlines(row.ideal, g - 0.45, g + 0.45, colors="black", linestyles="dotted",
                            label="ideal" if g == 0 else None)  # fmt: skip
        axes.set_title(scene(ratio), fontsize=8)
        axes.set_ylabel("times as fast as stock")
    legend_beside(canvas.axes[-1, 0])
    canvas.figure.suptitle(caption, fontsize=8)
    return canvas.save(path)


# The iCh paper.  A picture's name, and the programs that it shows.
ICH_FIGURES = {
    "speedup-synth": ("synth",),
    "speedup-bfs-kmeans": ("bfs", "kmeans"),
    "speedup-lavamd-spmv": ("lavamd", "spmv"),
}
# Programs of which one picture shows the mean of all inputs.
MEANT = ("spmv",)


def speedup_bar(panels: Sequence[ich.Panel], method: str) -> Bar | None:
    """Of one panel the speedup with its interval, of several their geometric mean and range."""
    found = [e for p in panels if (r := p.result(method)) and (e := p.speedup(r))]
    if not found:
        return None
    if len(panels) == 1:
        return (found[0].value, found[0].low, found[0].high)
    values = [e.value for e in found]
    return (geometric_mean(values), min(values), max(values))


def by_picture(panels: Sequence[ich.Panel], programs: Sequence[str]) -> dict[str, list[ich.Panel]]:
    """Title -> the panels that one picture shows."""
    out: dict[str, list[ich.Panel]] = {}
    for p in panels:
        program = ich.program_of(p.app)
        if program in programs:
            name = f"{program} (gmean of all inputs)" if program in MEANT else p.app
            out.setdefault(name, []).append(p)
    return out


def short(setting: ich.Setting) -> str:
    text = str(setting.threads)
    if setting.ratio != 1.0:
        text += f"\n{setting.ratio:g}x AMP" if setting.ratio else "\nAMP"
    return text + ("\nsim" if setting.simulated else "")


def speedup_figure(shown: Mapping[str, Sequence[ich.Panel]], path: Path) -> Path:
    canvas = Canvas(1, len(shown), (2 + 3.4 * len(shown), 4))
    methods = (*ich.METHODS, ich.PUBLISHED)
    colours = canvas.colours(methods, "tab10")
    known: dict[str, Any] = {}
    for axes, (name, mine) in zip(canvas.axes[0], shown.items(), strict=True):
        settings = sorted({p.setting for p in mine})
        series = {
            m: [speedup_bar([p for p in mine if p.setting == s], m) for s in settings]
            for m in methods
        }
        series = {m: found for m, found in series.items() if any(found)}
        draw_groups(axes, [short(s) for s in settings], series, colours)
        axes.set_title(name, fontsize=9)
        axes.set_xlabel("threads")
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    canvas.axes[0][0].set_ylabel("speedup over one fast core")
    legend_beside(canvas.axes[0][-1], known.values(), known.keys())
    return canvas.save(path)


def sensitivity_figure(shown: Sequence[ich.Panel], path: Path) -> Path:
    names = ("worst ich / best ich", "best stealing / worst ich")
    settings = sorted({p.setting for p in shown})
    apps = list(dict.fromkeys(p.app for p in shown))
    size = (2 + 0.9 * len(apps), 2.6 * len(settings))
    canvas = Canvas(len(settings), 1, size, sharex=True)
    for axes, setting in zip(canvas.axes[:, 0], settings, strict=True):
        here = {p.app: (p.epsilon_ratio, p.stealing_ratio) for p in shown if p.setting == setting}
        series = {
            name: [(v, v, v) if (v := here.get(app, (None, None))[i]) else None for app in apps]
            for i, name in enumerate(names)
        }
        colours = {names[0]: "lightblue", names[1]: "darkblue"}
        draw_groups(axes, apps, series, colours)
        axes.set_title(str(setting), fontsize=9)
        axes.tick_params(axis="x", labelrotation=45)
    canvas.axes[0][0].legend(fontsize=7)
    return canvas.save(path)


def ich_figures(panels: Sequence[ich.Panel], folder: Path) -> list[Path]:
    """Make what can be made of PANELS; returns the files."""
    import_pyplot()
    folder.mkdir(parents=True, exist_ok=True)
    made = [
        speedup_figure(shown, folder / f"{name}.png")
        for name, programs in ICH_FIGURES.items()
        if (shown := by_picture(panels, programs))
    ]
    sensitive = [p for p in panels if p.epsilon_ratio]
    return made + ([sensitivity_figure(sensitive, folder / "sensitivity.png")] if sensitive else [])


# The AID paper.


def aid_bars(
    path: Path, heading: str, columns: Sequence[str], rows: Mapping[str, Mapping[str, float]],
    unit: str = "normalised performance",
) -> Path:  # fmt: skip
    """A group of bars for each row, in as many panels as it takes."""
    columns = [c for c in columns if any(c in r for r in rows.values())]
    panels = max(ceil(len(rows) * len(columns) / BARS_PER_PANEL), 1)
    each = max(ceil(len(rows) / panels), 1)
    names = list(rows)
    size = (12.0 if panels > 1 else 9.0, 0.8 + 2.6 * panels)
    canvas = Canvas(panels, 1, size, sharey=True)
    for panel, axes in enumerate(canvas.axes[:, 0]):
        shown = names[panel * each : (panel + 1) * each]
        series = {
            c: [(v, v, v) if (v := rows[n].get(c)) else None for n in shown] for c in columns
        }
        draw_groups(axes, shown, series, canvas.colours(columns),
                    fontsize=8 if each <= 30 else 6, rotation=90 if each > 12 else 0)  # fmt: skip
        axes.set_xlim(-0.6, each - 0.4)
        axes.set_ylabel(unit, fontsize=8)
    canvas.figure.suptitle(heading)
    if len(columns) > 1:
        legend_beside(canvas.axes[0, 0])
    return canvas.save(path)


def aid_figures(records: Sequence[Record], folder: Path) -> list[Path]:
    """All figures that there are records of, in FOLDER."""
    import_pyplot()
    before = set(folder.glob("*.png"))
    for figure, baseline in (
        ("6/7", aid.BASELINE), ("8", "dynamic,1"), ("percent", "80"), ("9", "AID-static"),
        ("9c", "AID-static"),
    ):  # fmt: skip
        for where in aid.wheres(records, figure):
            found = aid.times(records, figure, where)
            columns = list(dict.fromkeys(n for x in found.values() for n in x))
            name = f"figure-{figure}-{where}.png".replace("/", "-").replace(" ", "-")
            aid_bars(
                folder / name, f"{where}: performance against {baseline}",
                aid.lines(records) if figure == "6/7" else columns, aid.normalised(found, baseline),
            )  # fmt: skip
    loops = [r for r in records if r["type"] == "loop"]
    if loops:
        rows = {f"{r['kernel']} {n}": {"SF": r["sf"]} for n, r in enumerate(loops, 1)}
        aid_bars(folder / "figure-2.png", "SF of each loop", ["SF"], rows, "SF")
    traces = [(t.stem.removeprefix("trace-"), load_trace(t)) for t in folder.glob("trace-*.json")]
    if traces:
        canvas = Canvas(len(traces), 1, (9, 1.0 + 1.1 * len(traces)), sharex=True)
        for axes, (name, trace) in zip(canvas.axes[:, 0], sorted(traces), strict=True):
            draw_trace(axes, trace, trace, 1e-3)
            axes.set_title(name, fontsize=9, loc="left")
        canvas.axes[-1, 0].set_xlabel("ms")
        canvas.legend_above(*phase_marks({c.phase for _, t in traces for c in t.chunks}))
        canvas.save(folder / "figure-1-4.png")
    return sorted(set(folder.glob("*.png")) | before)


# Platforms.


def colours_of(configs: Sequence[str]) -> dict[str, str]:
    """Of the titles that a legend shows."""
    others = [c for c in configs if c not in COLOURS]
    more = {c: OTHERS[i % len(OTHERS)] for i, c in enumerate(others)}
    return {title(c): COLOURS.get(c) or more[c] for c in configs}


def rows_of(items: Sequence[Any]) -> list[Sequence[Any]]:
    """In rows of about the same length, at most PER_ROW."""
    length = ceil(len(items) / ceil(len(items) / PER_ROW))
    return [items[i : i + length] for i in range(0, len(items), length)]


def bars_figure(
    p: Platform, configs: Sequence[str], what: str, label: str, kind: str
) -> bytes | None:
    """Grouped bars, a group a program, and at the end the geometric mean."""
    programs = [x for x in p.shown if any(p.performance(x, c, what) for c in configs)]
    if not programs:
        return None
    means, count = p.means(configs, what)
    rows = rows_of([*programs, *([None] if len(programs) > 1 and means else [])])
    canvas = Canvas(len(rows), 1, (11, 0.7 + 2.5 * len(rows)))
    inverse = what != "seconds"

    def bar(program: ProgramResult | None, c: str) -> Bar | None:
        if program is None:
            v = 1 / means[c][1] if inverse else means[c][1]
            return (v, v, v)
        e = program.ratio(p.baseline, c, what) if inverse else p.performance(program, c)
        return (e.value, e.low, e.high) if e else None

    for axes, row in zip(canvas.axes[:, 0], rows, strict=True):
        series = {title(c): [bar(program, c) for program in row] for c in configs}
        groups = [x.name if x else f"gmean of {count}" for x in row]
        draw_groups(axes, groups, series, colours_of(configs))
        axes.set_ylabel(label, fontsize=8)
        axes.tick_params(labelsize=8)
        # Rows that are not full keep the width of a group.
        axes.set_xlim(-0.6, max(len(r) for r in rows) - 0.4)
        axes.grid(axis="y", linewidth=0.3)
        axes.set_axisbelow(True)
    canvas.legend_above(*canvas.axes[0][0].get_legend_handles_labels())
    return canvas.bytes(kind)


def sweep_figure(p: Platform, prefixes: Sequence[str], kind: str) -> bytes | None:
    """Lines over a parameter, a panel a program."""
    swept = {x: points for x in prefixes if (points := p.sweep(x))}
    programs = [
        x for x in p.shown if any(p.performance(x, c) for s in swept.values() for _, c in s)
    ]
    if not swept or not programs:
        return None
    columns = min(len(programs), 4)
    rows = ceil(len(programs) / columns)
    canvas = Canvas(rows, columns, (1.5 + 2.7 * columns, 0.8 + 2.2 * rows), sharey=True)
    # At equal distances, whatever the steps.
    values = sorted({v for points in swept.values() for v, _ in points})
    for axes, program in zip(canvas.axes.flat, programs, strict=False):
        for prefix, points in swept.items():
            known = [(v, e) for v, c in points if (e := p.performance(program, c))]
            errors = [[e.value - e.low for _, e in known], [e.high - e.value for _, e in known]]
            axes.errorbar(
                [values.index(v) for v, _ in known], [e.value for _, e in known], yerr=errors,
                label=SWEEPS[prefix], marker="o", markersize=3, linewidth=1.2, elinewidth=0.6,
                color=SWEEP_COLOURS[prefix],
            )  # fmt: skip
        axes.axhline(1.0, color="black", linewidth=0.6)
        axes.set_title(program.name, fontsize=9)
        axes.set_xticks(range(len(values)), [f"{v:g}" for v in values])
        axes.tick_params(labelsize=7)
        axes.grid(linewidth=0.3)
    for axes in list(canvas.axes.flat)[len(programs) :]:
        axes.set_visible(False)
    canvas.axes[0][0].set_ylim(bottom=0)  # of all panels
    canvas.figure.supylabel(f"performance relative to {base_title(p)}", fontsize=8)
    if len(swept) > 1:
        canvas.legend_above(*canvas.axes[0][0].get_legend_handles_labels())
    return canvas.bytes(kind)


def factors_figure(programs: Sequence[ProgramResult], kind: str) -> bytes | None:
    """The fastest type's speed over the slowest's in each loop, in the order of the file."""
    shown = [x for x in programs if x.loops]
    if not shown:
        return None
    canvas = Canvas(len(shown), 1, (9, 0.5 + 1.7 * len(shown)))
    for axes, program in zip(canvas.axes[:, 0], shown, strict=True):
        values = [factors[0] / factors[-1] for factors in program.loops.values()]
        axes.bar(range(1, len(values) + 1), values, color=SWEEP_COLOURS["aid_dynamic"], width=0.7)
        axes.axhline(1.0, color="black", linewidth=0.6)
        axes.set_xlim(0.3, max(len(values), 12) + 0.7)
        axes.set_title(program.title, fontsize=9)
        axes.set_xlabel("loop", fontsize=8)
        axes.set_ylabel("SF", fontsize=8)
        axes.set_xticks(range(1, len(values) + 1, max(1, len(values) // 30)))
        axes.tick_params(labelsize=7)
    return canvas.bytes(kind)


def draw_trace(axes: Any, trace: Trace, view: Trace, scale: float) -> None:
    """What each thread of TRACE did in VIEW, a part of it."""
    least = view.end * RESOLUTION
    for row, thread in enumerate(trace.threads):
        for phase, drawn in bars([c for c in view.chunks if c.thread == thread], least).items():
            axes.broken_barh(
                [(b * scale, max(w, least) * scale) for b, w in drawn], (row - 0.4, 0.8),
                facecolors=PHASE_COLOURS[phase], linewidth=0,
            )  # fmt: skip
    names = [trace.thread_name(t) for t in trace.threads]
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.tick_params(labelsize=8)


def phase_marks(used: set[str]) -> tuple[list[Any], list[str]]:
    from matplotlib.patches import Patch

    marks = [Patch(color=PHASE_COLOURS[x], label=x) for x in PHASES if x in used]
    marks.append(Patch(facecolor="white", edgecolor="#999999", label="not in a loop, or waiting"))
    return marks, [m.get_label() for m in marks]


def trace_figure(trace: Trace, heading: str, kind: str) -> bytes:
    """The whole time, and below it one execution of the main loop if that is less."""
    views = [("everything", trace)]
    site, begin, end = trace.typical_execution()
    if end - begin < 0.8 * trace.end:
        views.append((f"one execution of {site}", trace.window(begin, end)))
    height = 0.32 * len(trace.threads) + 0.9
    canvas = Canvas(len(views), 1, (11, 0.5 + height * len(views)))
    for axes, (what, view) in zip(canvas.axes[:, 0], views, strict=True):
        unit, scale = ("ms", 1e-3) if view.end > 2000 else ("us", 1.0)
        draw_trace(axes, trace, view, scale)
        axes.set_xlim(0, view.end * scale)
        axes.set_xlabel(unit, fontsize=8)
        axes.set_title(f"{heading}: {what}", fontsize=9)
    canvas.legend_above(*phase_marks({c.phase for c in trace.chunks}))
    return canvas.bytes(kind)


def figures(p: Platform, kind: str = "svg") -> list[tuple[str, str, bytes]]:
    """(name, caption, picture) of everything that can be drawn of P."""
    relative = f"relative to {base_title(p)}"
    configs = [c for c in p.main_configs() if c not in OFFLINE]
    pair = [c for c in p.configs if c.startswith("aid_static")]
    base = [c for c in STATIC_SB if c == p.baseline]
    offline, energy = p.pick(OFFLINE), p.measures_energy()
    found = (
        ("performance", f"Performance {relative}; higher is better; whiskers: 95 %, or the range "
         "below 5 rounds. As figures 6 and 7 of the AID paper.",
         bars_figure(p, configs, "seconds", f"performance {relative}", kind)),
        ("sweep-chunk", f"Performance {relative} by chunk. As figure 8.",
         sweep_figure(p, ("dynamic", "aid_dynamic"), kind)),
        ("sweep-percent", f"Performance {relative} by aid_hybrid's percent.",
         sweep_figure(p, ("aid_hybrid",), kind)),
        ("offline", f"aid_static with sampled and with offline SF, performance {relative}. "
         "As figure 9.",
         bars_figure(p, [*base, *pair], "seconds", f"performance {relative}", kind) if offline else None),
        ("factors", "Speedup factor of each loop, one thread on each type of core. As figure 2.",
         factors_figure(p.programs, kind)),
        ("energy", f"Energy {relative}; lower is better.",
         bars_figure(p, configs, "energy", f"energy {relative}", kind) if energy else None),
        ("edp", f"Energy-delay product {relative}; lower is better.",
         bars_figure(p, configs, "edp", f"EDP {relative}", kind) if energy else None),
    )  # fmt: skip
    return [(name, caption, picture) for name, caption, picture in found if picture]
