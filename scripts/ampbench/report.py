# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw rows to tables, verdicts and a plot.

Efficiency is T_ideal / T, T_ideal from the single:N runs of the same round.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from .configs import BASELINE, STOCK_DYNAMIC, Config, parse_config
from .stats import Estimate, estimate, ideal_by_round, paired

Times = dict[int, float]


@dataclass
class Cell:
    """A configuration of one kernel at one ratio."""

    config: Config
    times: Times
    failures: list[str]

    @property
    def seconds(self) -> float | None:
        return median(self.times.values()) if self.times else None


@dataclass
class Group:
    """All configurations of one kernel at one ratio."""

    kernel: str
    klass: str
    ratio: float
    cells: dict[str, Cell]

    def ideal(self) -> Times:
        singles = {
            int(c.config.schedule): c.times
            for c in self.cells.values()
            if c.config.runtime == "single"
        }
        return ideal_by_round(singles, sorted(singles))

    def efficiency(self, name: str) -> Estimate | None:
        values = paired(self.ideal(), self.cells[name].times)
        return estimate(values) if values else None

    def against(self, name: str, other: str) -> Estimate | None:
        """Paired ratio of times: below 1, NAME is faster than OTHER."""
        if other not in self.cells:
            return None
        values = paired(self.cells[name].times, self.cells[other].times)
        return estimate(values) if values else None

    def fastest(self, names: list[str]) -> str | None:
        known = [(s, n) for n in names if n in self.cells and (s := self.cells[n].seconds)]
        return min(known)[1] if known else None

    def speed_ratio(self) -> float | None:
        """Measured: slowest single CPU's time / the fastest's."""
        times = [
            s for c in self.cells.values() if c.config.runtime == "single" and (s := c.seconds)
        ]
        return max(times) / min(times) if len(times) > 1 else None


def groups(rows: list[dict[str, Any]]) -> list[Group]:
    """The counted runs of ROWS by ratio and kernel, in order of first occurrence."""
    out: dict[tuple[float, str], Group] = {}
    for row in rows:
        if row.get("kind") != "run" or row["warmup"]:
            continue
        group = out.setdefault(
            (row["ratio"], row["kernel"]), Group(row["kernel"], row["class"], row["ratio"], {})
        )
        cell = group.cells.setdefault(
            row["config"], Cell(parse_config(row["config"]), {}, [])
        )
        if row["seconds"] is None:
            cell.failures.append(row["error"] or "no reason given")
        else:
            cell.times[row["round"]] = row["seconds"]
    return sorted(out.values(), key=lambda g: (g.ratio, g.kernel))


ORDER = ("stock", "gomp", "amp", "llvm", "intel", "split", "single")


def in_order(group: Group) -> list[str]:
    return sorted(
        group.cells,
        key=lambda n: (ORDER.index(group.cells[n].config.runtime), list(group.cells).index(n)),
    )


def show(e: Estimate | None) -> str:
    return f"{e.value:5.3f} [{e.low:5.3f} {e.high:5.3f}]" if e else "-".center(21)


def table(group: Group) -> str:
    """One kernel at one ratio as text; losses against the better stock schedule marked."""
    best = group.fastest([BASELINE, STOCK_DYNAMIC])
    measured = group.speed_ratio()
    title = f"{group.kernel} class {group.klass}, "
    title += "equal cores" if group.ratio == 1.0 else f"slow CPU asked {group.ratio:g} times slower"
    if measured:
        title += f" (this kernel alone: {measured:.2f})"
    ideal = group.ideal()
    lines = [title]
    if ideal:
        lines.append(f"asymmetric ideal {median(ideal.values()):.4f} s")
    lines.append(f"  {'configuration':24} {'median s':>9}  {'efficiency':21}  time / best of stock")
    for name in in_order(group):
        cell = group.cells[name]
        if cell.seconds is None:
            lines.append(f"  {name:24} FAILED: {cell.failures[0]}")
            continue
        single = cell.config.runtime == "single"
        eff = None if single else group.efficiency(name)
        rel = None if single or best is None else group.against(name, best)
        mark = "  LOSS" if rel and cell.config.is_aid and rel.value > 1.05 else ""
        if cell.failures:
            mark += f"  ({len(cell.failures)} failed: {cell.failures[0]})"
        lines.append(f"  {name:24} {cell.seconds:9.4f}  {show(eff)}  {show(rel)}{mark}".rstrip())
    return "\n".join(lines)


def gmean_table(all_groups: list[Group]) -> str:
    """Geometric mean of efficiency over kernels, per configuration and ratio."""
    sums: dict[tuple[float, str], list[float]] = defaultdict(list)
    kernels: dict[float, set[str]] = defaultdict(set)
    for group in all_groups:
        kernels[group.ratio].add(group.kernel)
        for name, cell in group.cells.items():
            e = group.efficiency(name) if cell.times and cell.config.runtime != "single" else None
            if e:
                sums[group.ratio, name].append(e.value)
    lines = ["geometric mean of efficiency (configurations that ran every kernel)"]
    for (ratio, name), values in sorted(sums.items(), key=lambda i: (i[0][0], -product(i[1]))):
        if len(values) == len(kernels[ratio]):
            lines.append(f"  ratio {ratio:g}  {name:24} {product(values) ** (1 / len(values)):.3f}")
    return "\n".join(lines)


def product(values: list[float]) -> float:
    result = 1.0
    for v in values:
        result *= v
    return result


def verdicts(all_groups: list[Group]) -> list[str]:
    """The project's targets that these data can judge, met or not."""
    out = []

    def judge(what: str, e: Estimate | None, bound: float, atleast: bool) -> None:
        if e is None:
            return
        met = e.value >= bound if atleast else e.value <= bound
        word = "at least" if atleast else "at most"
        out.append(f"{'met    ' if met else 'NOT MET'} {what}: {show(e)}, {word} {bound:g}")

    for g in all_groups:
        where = f"{g.kernel} class {g.klass}, ratio {g.ratio:g}"
        if g.ratio == 1.0:
            if g.kernel != "empty" and "amp:static" in g.cells:
                judge(
                    f"{where}: amp:static / {BASELINE}",
                    g.against("amp:static", BASELINE),
                    1.03,
                    False,
                )
            continue
        if g.kernel == "ep":
            for name, bound in (
                ("amp:aid_static", 0.95),
                ("amp:aid_hybrid,80", 0.97),
                ("amp:aid_dynamic,1,5", 0.97),
            ):
                if name in g.cells:
                    judge(f"{where}: efficiency of {name}", g.efficiency(name), bound, True)
        aid = g.fastest([n for n, c in g.cells.items() if c.config.is_aid])
        stock = g.fastest([BASELINE, STOCK_DYNAMIC])
        if aid and stock:
            judge(f"{where}: {aid} / {stock}", g.against(aid, stock), 1.05, False)
    return out


def empty_table(rows: list[dict[str, Any]]) -> str | None:
    """Nanoseconds a loop, from the runs of the empty kernel on equal cores."""
    seen: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.get("kind") == "run" and row["kernel"] == "empty" and row["ratio"] == 1.0:
            if row["warmup"] or row["seconds"] is None or row["config"].startswith("single"):
                continue
            for variant, ns in row["said"]["ns_per_loop"].items():
                seen[variant][row["config"]].append(ns)
            seen["one grant"][row["config"]].append(row["said"]["ns_per_grant"])
    if not seen:
        return None
    names = sorted({n for v in seen.values() for n in v}, key=lambda n: ORDER.index(n.split(":")[0]))
    lines = ["empty loop, median ns (default: no schedule clause; trip count behind the comma)"]
    lines.append("  " + " " * 22 + "".join(f"{n:>18}" for n in names))
    for variant, by in seen.items():
        cells = "".join(f"{median(by[n]):18.1f}" if n in by else " " * 18 for n in names)
        lines.append(f"  {variant:22}{cells}")
    return "\n".join(lines)


def text(rows: list[dict[str, Any]]) -> str:
    """Everything that ROWS have to say."""
    parts = []
    for row in rows:
        if row.get("kind") == "session":
            m = row["machine"]
            parts.append(
                f"{row['time']}  {m['cpu']}, {len(m['allowed'])} CPUs, "
                f"hypervisor {m['hypervisor'] or 'none'}, Linux {m['kernel']}, load {m['load'][0]}\n"
                f"revision {row['revision']}, {row['threads']} threads, slow CPUs {row['slow']}, "
                f"period {row['period']}, {row['reps']} rounds, seed {row['seed']}"
            )
        elif row.get("kind") == "emulation":
            reached = "; ".join(
                f"CPU {c}: {', '.join(f'{v:.2f}' for v in vs)}" for c, vs in row["reached"].items()
            )
            parts.append(f"amp-emulate, asked {row['ratio']:g}, reached {reached or 'unknown'}")
    found = [g for g in groups(rows) if g.kernel != "empty"]
    parts += [table(g) for g in found]
    if len({g.kernel for g in found}) > 1:
        parts.append(gmean_table(found))
    overhead = empty_table(rows)
    if overhead:
        parts.append(overhead)
    judged = verdicts(groups(rows))
    if judged:
        parts.append("\n".join(["targets", *("  " + line for line in judged)]))
    return "\n\n".join(parts)


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Bars of efficiency per kernel, one panel a ratio, to a PNG, SVG or PDF."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = [g for g in groups(rows) if g.kernel != "empty" and g.ideal()]
    ratios = sorted({g.ratio for g in found})
    if not ratios:
        raise ValueError("no efficiency to plot: the single:N runs are missing")
    figure, axes = plt.subplots(
        len(ratios), 1, figsize=(11, 4.2 * len(ratios)), squeeze=False, layout="constrained"
    )
    for axis, ratio in zip(axes[:, 0], ratios, strict=True):
        here = [g for g in found if g.ratio == ratio]
        names: list[str] = []
        for g in here:
            names += [
                n
                for n in in_order(g)
                if n not in names and g.cells[n].config.runtime not in ("single", "split")
            ]
        width = 0.8 / max(len(names), 1)
        colors = plt.get_cmap("tab20")
        for i, name in enumerate(names):
            xs, ys, low, high = [], [], [], []
            for x, g in enumerate(here):
                e = g.efficiency(name) if name in g.cells else None
                if e:
                    xs.append(x - 0.4 + width * (i + 0.5))
                    ys.append(e.value)
                    low.append(e.value - e.low)
                    high.append(e.high - e.value)
            axis.bar(xs, ys, width, label=name, color=colors(i % 20))
            axis.errorbar(xs, ys, [low, high], fmt="none", ecolor="black", elinewidth=0.7)
        axis.axhline(1.0, color="black", linewidth=0.8, linestyle="--")
        axis.set_xticks(range(len(here)), [f"{g.kernel} {g.klass}" for g in here])
        axis.set_ylabel("efficiency (ideal time / time)")
        axis.set_title("equal cores" if ratio == 1.0 else f"one CPU {ratio:g} times slower")
        axis.legend(fontsize=7, ncols=2, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.savefig(path, dpi=110)
    plt.close(figure)
