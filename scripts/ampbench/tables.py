# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw records to tables.  Runs nothing.

A table is data of the experiment (docs/measure/measuring.md): which runs, which columns, what of
them.  A column is the fastest of the configurations that match its patterns.
"""

from __future__ import annotations

import csv
import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, geometric_mean, median
from typing import Any, TextIO

from .config import matches, title
from .record import EQUAL, REAL, Record, Run, runs, sessions
from .stats import Estimate, estimate, ideal_by_round, paired

# Work of other processes, in CPUs, above which runs cannot be trusted.
NOISE_LIMIT = 0.1
# amp-emulate's slow CPU is a slow CPU only to loops of so many of its periods.
PERIODS = 5.0
# A power meter that measures 4 times a second says little of shorter runs.
SHORT_RUN = 2.0
KEYS = {"title", "part", "where", "value", "over", "over_where", "rows", "columns", "means", "pairs",
        "intervals", "lengths", "reached", "details", "bars"}  # fmt: skip
PAIR_KEYS = {"name", "of", "over", "least", "each", "paper", "where", "value"}
Rounds = dict[int, float]


@dataclass
class Grid:
    """One table to be shown: the first row is its head."""

    title: str
    rows: list[list[str]]
    # For pictures: of each row and column the number; None where there is none.
    numbers: dict[str, dict[str, float | None]] = field(default_factory=dict)
    words: int = 1  # columns that go to the left
    foot: str = ""

    def text(self) -> str:
        widths = [max(len(r[i]) for r in self.rows) for i in range(len(self.rows[0]))]
        lines = [
            "  ".join(c.ljust(w) if i < self.words else c.rjust(w)
                      for i, (c, w) in enumerate(zip(r, widths)))
            for r in self.rows
        ]
        return "\n".join([self.title, *(f"  {line}".rstrip() for line in lines), *filter(None, [self.foot])])


@dataclass
class Case:
    """One program, of one class, on one machine: its runs by configuration."""

    part: str
    where: str
    ratio: float
    program: str
    klass: str
    runs: dict[str, dict[int, Run]] = field(default_factory=dict)
    bad: dict[str, list[Run]] = field(default_factory=dict)
    alone: Sequence[str] = ()  # the configurations whose speeds make the ideal

    @property
    def name(self) -> str:
        return f"{self.program} {self.klass}".strip()

    def of(self, config: str | None, what: str = "seconds") -> Rounds:
        """By round; only good runs count, and only what was measured."""
        found = {r: quantity(run, what) for r, run in self.runs.get(config or "", {}).items()}
        return {r: v for r, v in found.items() if v is not None and (v > 0 or "report" in what)}

    @property
    def ideals(self) -> Rounds:
        """What a perfect division takes: speeds add up."""
        each = {i: self.of(c) for i, c in enumerate(self.alone)}
        return ideal_by_round(each, list(each))

    @property
    def own_ratio(self) -> float | None:
        """How many times slower the last CPU ran this alone than the first."""
        each = [median(found.values()) for c in self.alone if (found := self.of(c))]
        return each[-1] / each[0] if len(each) == len(self.alone) > 1 else None

    def loop_us(self) -> float | None:
        """What a loop lasts on average under the first configuration of stock's."""
        each = [
            1e6 * r.seconds / max(int(r.report["loops"]), 1)
            for c in ("stock:static", "amp:static") for r in self.runs.get(c, {}).values()
            if r.seconds and r.report.get("loops")
        ]  # fmt: skip
        return median(each) if each else None

    def pick(self, patterns: Sequence[str], what: str = "seconds") -> str | None:
        """The configuration that takes least (or with worst: in front most) of WHAT."""
        worst = any(p.startswith("worst:") for p in patterns)
        plain = [p.removeprefix("worst:") for p in patterns]
        if "alone" in plain and self.alone and self.of(self.alone[0]):
            plain.append(self.alone[0])
        found = {c: median(v.values()) for c in self.runs
                 if matches(c, plain) and (v := self.of(c, what))}  # fmt: skip
        ordered = sorted(found, key=found.__getitem__, reverse=worst)
        return ordered[0] if ordered else None

    def share(self, config: str | None) -> list[float]:
        """Of the ideal, round by round."""
        if self.ideals:
            return paired(self.ideals, self.of(config))
        return list(self.of(config, "efficiency").values())


def quantity(run: Run, what: str) -> float | None:
    """A number of a run: seconds, energy, edp, power, a field, or report.NAME.NAME."""
    if what == "seconds":
        return run.seconds
    if what == "power":
        joules = run.more.get("energy")
        return joules / run.seconds if joules and run.seconds else None
    if not what.startswith("report."):
        found = run.more.get(what)
        return float(found) if found is not None else None
    value: Any = run.report
    for name in what.split(".")[1:]:
        value = value.get(name) if isinstance(value, dict) else None
    return float(value) if value is not None else None


def cases(records: Sequence[Record], own: bool = False) -> list[Case]:
    """OWN: the seconds that programs report themselves, where they do."""
    head = next(iter(sessions(records)), {})
    cpus = head.get("pinning", {}).get("cpus", [])
    out: dict[tuple[str, str, str, str], Case] = {}
    for run in runs(records):
        key = run.part, run.where, run.program, run.klass
        alone = head.get("alone", {}).get(run.part) or [f"single:{c}" for c in cpus]
        case = out.setdefault(key, Case(*key[:2], run.ratio, *key[2:], alone=alone))
        if not run.ok or not run.seconds:
            case.bad.setdefault(run.config, []).append(run)
            continue
        if own and run.more.get("own"):
            run.seconds = run.more["own"]
        case.runs.setdefault(run.config, {})[run.round] = run
    # Runs are shuffled; an experiment has an order.
    order = head.get("order", {})
    known = {name: i for names in order.values() for i, name in enumerate(names)}
    last = len(known)
    for case in out.values():
        case.runs = dict(sorted(case.runs.items(), key=lambda x: known.get(x[0], last)))
    return sorted(out.values(), key=lambda c: (c.ratio, known.get(c.program, last)))


def others(some: Sequence[Run]) -> float | None:
    """Mean work of other processes during these runs, in CPUs, each run weighing its length."""
    known = [(r.others, r.wall or 0.0) for r in some if r.others is not None]
    length = sum(wall for _, wall in known)
    return sum(o * wall for o, wall in known) / length if length > 0 else None


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if abs(value) < 1000 else f"{value:.4g}"


def interval(e: Estimate | None) -> str:
    return f"{e.value:.3f}{e.bounds('.3f')}" if e else "-"


def listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


@dataclass
class Table:
    """What an experiment wants to see."""

    spec: Mapping[str, Any]
    cases: list[Case]  # those that it is about
    everything: list[Case]
    period_us: float = 0.0

    def __post_init__(self) -> None:
        for row, known in ((self.spec, KEYS), *((p, PAIR_KEYS) for p in self.spec.get("pairs", ()))):
            if unknown := set(row) - known:
                raise ValueError(f"a table has an unknown key {', '.join(sorted(unknown))}")
        self.value = self.spec.get("value", "speed" if "over" in self.spec else "seconds")
        there = list(dict.fromkeys(c for case in self.cases for c in case.runs))
        shown = [c for c in there if not c.startswith(("single:", "split:"))]
        self.columns = {k: listed(v) for k, v in self.spec.get("columns", {}).items()} or {
            title(c): [c] for c in shown
        }

    @property
    def what(self) -> str:
        return "seconds" if self.value in ("speed", "share", "error") else str(self.value)

    def patterns(self, names: Any) -> list[str]:
        """Of columns, by name, or patterns as they are."""
        return [p for n in listed(names) for p in self.columns.get(n, [n])]

    def base(self, case: Case) -> Rounds:
        where = self.spec.get("over_where")
        at = case if not where else next(
            (c for c in self.everything
             if (c.part, c.where, c.program) == (case.part, where, case.program)), None,
        )  # fmt: skip
        return at.of(at.pick(self.patterns(self.spec["over"]), self.what), self.what) if at else {}

    def values(self, case: Case, config: str | None) -> list[float]:
        """Of one cell, by round."""
        if config is None:
            return []
        if self.value == "share":
            return case.share(config)
        mine = case.of(config, self.what)
        if self.value == "error":
            real = next((c.of(config) for c in self.everything
                         if c.program == case.program and c.part != case.part and c.of(config)), {})
            both = [median(v.values()) for v in (mine, real) if v]
            return [100 * (both[0] / both[1] - 1)] if len(both) == 2 else []
        if "over" not in self.spec:
            return list(mine.values())
        base = self.base(case)
        if self.spec.get("over_where") and base:
            base = dict.fromkeys(mine, median(base.values()))
        return paired(base, mine) if self.what == "seconds" else paired(mine, base)

    def estimate(self, case: Case, patterns: Sequence[str]) -> Estimate | None:
        found = self.values(case, case.pick(patterns, self.what))
        return estimate(found) if found else None

    def is_short(self, case: Case) -> bool:
        us = case.loop_us()
        return case.ratio not in (EQUAL, REAL) and us is not None and us < PERIODS * self.period_us

    def grouped(self) -> Iterator[tuple[str, dict[str, list[Case]]]]:
        """Title, and rows of cases, of each grid."""
        rows = self.spec.get("rows", "program")
        wheres = [""] if rows == "where" else list(dict.fromkeys(c.where for c in self.cases))
        for where in wheres:
            out: dict[str, list[Case]] = {}
            for c in self.cases:
                if rows == "where":
                    out.setdefault(c.where, []).append(c)
                elif c.where == where:
                    name = c.program.rpartition("-")[2] if rows == "suffix" else c.name
                    out.setdefault(name, []).append(c)
            yield where, out

    def mean(self, some: Sequence[Case], patterns: Sequence[str], how: str) -> float | None:
        found = [e.value for c in some if (e := self.estimate(c, patterns))]
        if not found:
            return None
        if how == "size":
            return median(map(abs, found))
        return geometric_mean(found) if how == "gmean" and min(found) > 0 else fmean(found)

    def heading(self, where: str) -> str:
        unit = {
            "seconds": "seconds", "share": "share of the ideal speed", "power": "watts",
            "energy": "joules", "edp": "joules times seconds", "error": "error in percent",
        }.get(self.value, self.value)  # fmt: skip
        if "over" in self.spec and self.value not in ("share", "error"):
            unit += f", {title(' '.join(listed(self.spec['over'])))} being 1"
        if at := self.spec.get("over_where"):
            unit += f" on {at}"
        return ": ".join(x for x in (where, self.spec.get("title", ""), unit) if x)

    def grids(self) -> Iterator[Grid]:
        if "bars" in self.spec:
            return
        how = listed(self.spec.get("means", "gmean"))
        for where, rows in self.grouped():
            columns = {n: p for n, p in self.columns.items()
                       if any(c.pick(p, self.what) for some in rows.values() for c in some)}  # fmt: skip
            single = self.spec.get("rows", "program") == "program"
            extra = [n for n in ("lengths", "reached") if self.spec.get(n)]
            grid = Grid(self.heading(where), [["", *({"lengths": "loop us"}.get(n, n) for n in extra), *columns]])

            def line(name: str, some: Sequence[Case], how: str, told: Sequence[str],
                     columns: Mapping[str, list[str]] = columns, grid: Grid = grid) -> None:  # fmt: skip
                found = {n: self.mean(some, p, how) for n, p in columns.items()}
                grid.numbers[name] = found
                grid.rows.append([name, *told, *map(number, found.values())])

            everything = [c for some in rows.values() for c in some]
            for name, some in rows.items():
                us = [u for c in some if (u := c.loop_us())]
                ratios = [r for c in some if (r := c.own_ratio)]
                facts = {
                    "lengths": (f"{us[0]:.0f}" if us else "-") + "*" * self.is_short(some[0]),
                    "reached": f"{geometric_mean(ratios):.2f}" if ratios else "-",
                }
                told = [facts[n] for n in extra]
                if single and self.spec.get("intervals"):
                    each = {n: self.estimate(some[0], p) for n, p in columns.items()}
                    grid.numbers[name] = {n: e.value if e else None for n, e in each.items()}
                    grid.rows.append([name, *told, *map(interval, each.values())])
                    continue
                line(name, some, how[0], told)
                if single and not any(grid.numbers[name].values()):
                    del grid.rows[-1], grid.numbers[name]
                elif single:
                    bad = some[0].bad
                    cells = grid.rows[-1]
                    for i, p in enumerate(columns.values(), len(told) + 1):
                        if any(r.bad for c, rs in bad.items() if matches(c, p) for r in rs):
                            cells[i] += "*"
            # Means are of the same programs in each column.
            whole = [c for c in everything if all(self.estimate(c, p) for p in columns.values())]
            longer = [c for c in whole if not self.is_short(c)]
            many = len(rows) > 1 and whole and self.spec.get("rows") != "where"
            for name in how if many else ():
                line(f"{name} of {len(whole)}", whole, name, [""] * len(extra))
            if self.spec.get("lengths") and 0 < len(longer) < len(whole):
                line(f"without *, {len(longer)}", longer, how[0], [""] * len(extra))
            if len(grid.rows) > 1 and columns:
                yield grid

    def pairs(self) -> Iterator[Grid]:
        """How many times as fast one column is as another, over the programs that have both."""
        if not self.spec.get("pairs"):
            return
        out: list[list[str]] = []
        for where in dict.fromkeys(c.where for c in self.cases):
            here = [c for c in self.cases if c.where == where]
            for pair in self.spec["pairs"]:
                if not any(fnmatch.fnmatchcase(where, w) for w in listed(pair.get("where", "*"))):
                    continue
                what = pair.get("value", self.what)
                found = []
                for c in here:
                    mine, base = (c.pick(self.patterns(pair[k]), what) for k in ("of", "over"))
                    each = paired(c.of(base, what), c.of(mine, what))
                    if each:
                        found.append((median(each), c.program, str(base)))
                if found:
                    out.append([where, pair["name"], *pair_cells(pair, where, found)])
        if out:
            head = ["", "", "gmean", "mean", "worst", "", "best", "n", "target", "the paper's"]
            yield Grid("how many times as fast, over the programs", [head, *out], words=2)

    def bars(self) -> Iterator[Grid]:
        """Of each program the medians as bars, and what they say of the column that is named."""
        mine = self.spec.get("bars")
        for case in self.cases if mine else ():
            rounds = {n: case.of(case.pick(p)) for n, p in self.columns.items()}
            each: dict[str, float | None] = {n: median(v.values()) for n, v in rounds.items() if v}
            seconds = {n: s for n, s in each.items() if s}
            if mine not in seconds:
                continue
            unit = 40 / max(seconds.values())
            rows = [[n, f"{s:.2f} s", f"{'#' * round(s * unit):40}"] for n, s in seconds.items()]
            faster = (f"{s / seconds[mine]:.2f} times as fast as {n}" for n, s in seconds.items() if n != mine)
            n = min(len(v) for v in rounds.values() if v)
            unsure = ", in too few rounds to be sure" if n < 3 else ""
            yield Grid(f"{case.name}, {case.where}: medians of {n} round{'s' * (n != 1)}", [["", "", ""], *rows],
                       {case.name: each}, foot=f"{mine}: {'; '.join(faster)}{unsure}")  # fmt: skip

    def details(self) -> Iterator[Grid]:
        """Of each program a line a configuration."""
        for case in self.cases if self.spec.get("details") else ():
            base = case.pick(self.patterns(self.spec.get("over", [])), "seconds")
            rows = [["", "median s", "min..max or 95 %", "share of ideal", f"to {base}", "n", ""]]
            for config in dict.fromkeys([*case.runs, *case.bad]):
                mine = case.of(config)
                e = estimate(list(mine.values())) if mine else None
                shares = case.share(config) if not config.startswith("single:") else []
                ratio = paired(mine, case.of(base))
                rows.append([
                    title(config), f"{e.value:.4f}" if e else "-",
                    f"{e.low:.4f}..{e.high:.4f}" if e and e.n > 1 else "",
                    interval(estimate(shares)) if shares else "",
                    interval(estimate(ratio)) if ratio and config != base else "",
                    str(len(mine)), statuses(case.bad.get(config, [])),
                ])  # fmt: skip
            ideal = f"; ideal {median(case.ideals.values()):.4f} s" if case.ideals else ""
            own = f"; this program alone: {case.own_ratio:.2f}" if case.own_ratio else ""
            us = f"; a loop lasts {u:.1f} us" if (u := case.loop_us()) else ""
            yield Grid(f"{case.name}, {case.where}{own}{ideal}{us}", rows)


def pair_cells(
    pair: Mapping[str, Any], where: str, found: Sequence[tuple[float, str, str]]
) -> list[str]:
    values = [v for v, *_ in found]
    mean, (low, program, base) = geometric_mean(values), min(found)
    goals = [(mean, pair.get("least"), ""), (low, pair.get("each"), "each ")]
    said = [
        f"{text}{goal:g}: {'met' if value >= goal else 'NOT MET'}"
        for value, goal, text in goals if goal is not None
    ]  # fmt: skip
    paper = pair.get("paper", "")
    if isinstance(paper, Mapping):
        paper = paper.get(where, "")
    return [number(mean), number(fmean(values)), number(low), f"{program} ({title(base)})",
            f"{number(max(values))} {max(found)[1]}", str(len(found)), ", ".join(said), str(paper)]  # fmt: skip


def statuses(some: Sequence[Run]) -> str:
    found = [r.status for r in some]
    return ", ".join(f"{s} x{found.count(s)}" for s in dict.fromkeys(found))


def bad_runs(all_cases: Sequence[Case]) -> Iterator[Grid]:
    rows = [["", "under", "what", "why"]]
    for case in all_cases:
        for config, some in case.bad.items():
            if any(r.bad for r in some):
                last = [r for r in some if r.bad][-1]
                why = last.why or last.stderr.partition("\n")[0]
                rows.append([f"{case.name}, {case.where}", title(config), statuses(some), why])
    if len(rows) > 1:
        yield Grid("bad runs: none of these is part of any number", rows)


def conditions(records: Sequence[Record]) -> list[str]:
    """What a number needs beside it, and what speaks against it."""
    begun = sessions(records)
    if not begun:
        return []
    s, m = begun[0], begun[0]["machine"]
    out = [
        f"machine: {m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']}, hypervisor"
        f" {m['hypervisor'] or 'none'}, load {m['load'][0]}",
        f"seed {s['seed']}, revision {s['revision']}"
        + (f"; went on {len(begun) - 1} times" if len(begun) > 1 else ""),
    ]
    if pinning := s.get("pinning"):
        out.append(f"CPUs {pinning['cpus']}, slow {pinning['slow']}")
    for name, lib in s.get("libraries", {}).items():
        out.append(f"{name}: {lib['path']} (sha256 {(lib['sha256'] or '?')[:12]})")
    out += [f"not measured: {name}: {why}" for name, why in s.get("lacking", {}).items()]
    reached: dict[str, list[float]] = {}
    for r in records:
        if r["type"] == "emulation" and r["round"] > 0:
            how = " ".join(str(v) for v in r.get("how", {}).values())
            for cpu, values in (r.get("reached") or {}).items():
                reached.setdefault(f"CPU {cpu} asked {r['ratio']:g} ({how})", []).extend(values)
    for asked, found in sorted(reached.items()):
        out.append(f"amp-emulate: {asked}, reached {median(found):.2f}"
                   f" ({min(found):.2f}..{max(found):.2f})")  # fmt: skip
    real = [r for r in runs(records) if not r.more.get("source")]
    governors = sorted({str(r.more["governor"]) for r in real if r.more.get("governor")})
    if governors:
        out.append(f"governor: {'; '.join(governors)}")
        if governors != ["performance"]:
            out.append("CAUTION: with another governor than performance, clocks vary")
    heat = [r.more["hottest"] for r in real if r.more.get("hottest") is not None]
    if heat:
        out.append(f"temperature: highest {max(heat):.0f} C")
    if throttled := sum(bool(r.more.get("throttled")) for r in real):
        out.append(f"CAUTION: the machine slowed itself because of heat in {throttled} runs")
    if energy := s.get("energy"):
        out.append(f"energy: the sum of {', '.join(energy)}")
        if any((r.seconds or 0.0) < SHORT_RUN for r in real if r.more.get("energy")):
            out.append(f"CAUTION: some runs are shorter than {SHORT_RUN:g} s, too short for meters")
    load = others([r for r in real if r.ok])
    if load is not None and load > NOISE_LIMIT:
        out.append(f"NOISY: other processes took {load:.2f} CPUs on average; do not trust this")
    return out


def all_grids(records: Sequence[Record], own: bool = False, details: bool = False,
              specs: Sequence[Mapping[str, Any]] | None = None) -> list[Grid]:  # fmt: skip
    """What the experiment's tables show; SPECS in place of the ones that the session names."""
    everything = cases(records, own)
    head = next(iter(sessions(records)), {})
    unit = {"us": 1.0, "ms": 1e3}
    period = str(head.get("period", "0us"))
    out = []
    for spec in specs or head.get("tables") or [{"over": "stock:static", "details": True}]:
        mine = [
            c for c in everything
            if fnmatch.fnmatchcase(c.part, spec.get("part", "*"))
            and any(fnmatch.fnmatchcase(c.where, w) for w in listed(spec.get("where", "*")))
        ]  # fmt: skip
        wanted = {**spec, "details": True} if details and spec is (specs or head["tables"])[0] else spec
        table = Table(wanted, mine, everything, float(period[:-2]) * unit.get(period[-2:], 1.0))
        out += [*table.details(), *table.bars(), *table.grids(), *table.pairs()]
    return [*out, *bad_runs(everything)]


def report(records: Sequence[Record], **how: Any) -> str:
    head = next(iter(sessions(records)), {})
    grids = [g.text() for g in all_grids(records, **how)] or ["no measured runs"]
    parts = [head.get("title", ""), "\n".join(conditions(records)), *head.get("notes", ())]
    return "\n\n".join([p for p in parts if p] + grids)


COLUMNS = ("part", "where", "program", "class", "config", "n", "seconds", "seconds_min",
           "seconds_max", "share_of_ideal", "joules", "edp", "bad", "why")  # fmt: skip


def write_csv(records: Sequence[Record], out: TextIO) -> None:
    """One line a program, machine and configuration; what was not measured is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for case in cases(records):
        for config in sorted({*case.runs, *case.bad}):
            s = list(case.of(config).values())
            bad = case.bad.get(config, [])
            cells = [[median(s), min(s), max(s)] if s else ["", "", ""],
                     *([median(v)] if v else [""] for v in (
                         case.share(config) if s else [], list(case.of(config, "energy").values()),
                         list(case.of(config, "edp").values())))]  # fmt: skip
            writer.writerow([case.part, case.where, case.program, case.klass, config, len(s),
                             *(f"{x:.6g}" if x != "" else "" for c in cells for x in c),
                             statuses(bad), bad[-1].why if bad else ""])  # fmt: skip


