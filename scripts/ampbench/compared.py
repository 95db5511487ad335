# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw records to the tables and verdicts of a comparison.  Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median

from .config import BASELINE, PAPER, RUNTIMES, STOCK_DYNAMIC
from .plan import EQUAL, REAL, scene
from .record import Record, Run, cpus_of, runs, sessions
from .stats import Estimate, estimate, ideal_by_round, paired
from .tables import Verdict, below, columns, counts, interval, noise, noisy, targets

Seconds = dict[str, dict[int, float]]  # configuration -> round -> seconds

# Targets that the project sets itself.
EP_TARGETS = {"aid_static": 0.95, "aid_hybrid,80": 0.97, "aid_dynamic,1,5": 0.97}
LOSS_LIMIT = 1.05
PARITY = 1.02
OVERHEAD_NS_LIMIT = 150.0
# A loop at a known site, against static through runtime.
KNOWN_SITE_LIMIT = 1.1
OVERHEAD_RATIO_LIMIT = 1.03
OVERHEAD_LOOP_US = 10.0


@dataclass
class Line:
    """One configuration of a table."""

    config: str
    seconds: Estimate | None = None
    efficiency: Estimate | None = None
    ratio: Estimate | None = None
    failures: dict[str, int] = field(default_factory=dict)


@dataclass
class Table:
    """One kernel, one class, one ratio."""

    kernel: str
    klass: str
    ratio: float
    runs: Sequence[Run]
    cpus: Sequence[int]  # whose speeds make the ideal

    def __post_init__(self) -> None:
        self.seconds = times(self.runs)
        singles = alone(self.seconds, self.cpus)
        self.ideals = ideal_by_round(singles, self.cpus)
        self.ideal = estimate(list(self.ideals.values())) if self.ideals else None
        self.own_ratio = own_ratio(singles)
        self.loop_us = loop_us(self.runs)
        self.others = others(self.runs)
        self.best_stock = fastest(self.seconds, [BASELINE, STOCK_DYNAMIC])
        self.best_split = fastest(self.seconds, starting(self.seconds, "split:"))
        self.best_aid = fastest(self.seconds, [f"amp:{s}" for s in PAPER])
        self.best_peer = fastest(self.seconds, starting(self.seconds, "llvm:", "intel:"))

    @property
    def unequal(self) -> bool:
        return self.ratio != EQUAL

    @property
    def where(self) -> str:
        return f"{self.kernel} {self.klass}, {scene(self.ratio)}"

    @property
    def indicative(self) -> bool:
        """Whether it tells little: of a small class, or beside other work."""
        return self.klass != "A" or noisy(self.others)

    @cached_property
    def lines(self) -> list[Line]:
        return [self._line(config) for config in sorted(self.seconds, key=order_key)]

    def _line(self, config: str) -> Line:
        line = Line(config, failures=failures(self.runs, config))
        mine = self.seconds[config]
        if mine:
            line.seconds = estimate(list(mine.values()))
        if mine and not config.startswith("single:"):
            together = self.shares(config)
            line.efficiency = estimate(together) if together else None
            line.ratio = pairs(self.seconds, config, self.best_stock)
        return line

    def shares(self, config: str) -> list[float]:
        """Of the ideal, round by round."""
        return paired(self.ideals, self.seconds.get(config, {}))

    def line(self, config: str | None) -> Line | None:
        return next((x for x in self.lines if x.config == config), None)

    def efficiency(self, config: str | None) -> Estimate | None:
        line = self.line(config)
        return line.efficiency if line else None


def series_of(records: Iterable[Record]) -> dict[tuple[str, str, float], list[Run]]:
    """Measured runs (not warm-ups) by kernel, class and ratio, in order of appearance."""
    out: dict[tuple[str, str, float], list[Run]] = {}
    for r in runs(records):
        out.setdefault((r.kernel, r.klass, r.ratio), []).append(r)
    return out


def times(some: Iterable[Run]) -> Seconds:
    """Only runs whose status is "ok" count."""
    out: Seconds = {}
    for r in some:
        by_round = out.setdefault(r.config, {})
        if r.ok and r.seconds is not None:
            by_round[r.round] = r.seconds
    return out


def failures(some: Iterable[Run], config: str) -> dict[str, int]:
    out: dict[str, int] = {}
    for r in some:
        if r.config == config and r.bad:
            out[r.status] = out.get(r.status, 0) + 1
    return out


def fastest(seconds: Seconds, names: Iterable[str]) -> str | None:
    """The name with the least median; None when none of them was measured."""
    known = [n for n in names if seconds.get(n)]
    return min(known, key=lambda n: median(seconds[n].values())) if known else None


def starting(seconds: Seconds, *fronts: str) -> list[str]:
    return [n for n in seconds if n.startswith(fronts)]


def alone(seconds: Seconds, cpus: Sequence[int]) -> dict[int, dict[int, float]]:
    """What each CPU takes alone."""
    return {c: seconds.get(f"single:{c}", {}) for c in cpus}


def schedule_of(config: str | None) -> str:
    return (config or "").partition(":")[2]


def order_key(config: str) -> tuple[int, int, str]:
    runtimes = list(RUNTIMES)
    schedules = ["static", "dynamic,1", "guided", *PAPER]
    runtime, _, schedule = config.partition(":")
    return (
        runtimes.index(runtime) if runtime in runtimes else len(runtimes),
        schedules.index(schedule) if schedule in schedules else len(schedules),
        schedule,
    )


def own_ratio(singles: dict[int, dict[int, float]]) -> float | None:
    """How many times slower the last CPU ran this kernel alone than the first (fastest first)."""
    each = [median(by_round.values()) for by_round in singles.values() if by_round]
    return each[-1] / each[0] if len(each) == len(singles) > 1 else None


def others(some: Iterable[Run]) -> float | None:
    """Mean work of other processes during these runs, in CPUs, each run weighing its length."""
    known = [(r.others, r.wall or 0.0) for r in some if r.others is not None]
    length = sum(wall for _, wall in known)
    return sum(o * wall for o, wall in known) / length if length > 0 else None


def loop_us(some: Iterable[Run]) -> float | None:
    """What a loop lasts on average under BASELINE, in microseconds: the median run's."""
    each = [
        1e6 * r.seconds / max(r.loops, 1)
        for r in some
        if r.config == BASELINE and r.ok and r.seconds is not None
    ]
    return median(each) if each else None


def pairs(seconds: Seconds, top: str, bottom: str | None) -> Estimate | None:
    """Paired ratios of the times of TOP and BOTTOM."""
    ratios = paired(seconds.get(top, {}), seconds.get(bottom or "", {}))
    return estimate(ratios) if ratios else None


def tables(records: Sequence[Record]) -> list[Table]:
    """All tables of a raw file, empty loops apart."""
    cpus = cpus_of(records)
    return [
        Table(*key, some, cpus) for key, some in series_of(records).items() if key[0] != "empty"
    ]


def marks(table: Table, line: Line) -> str:
    """What the eye should be drawn to: losses first."""
    out = []
    if line.failures:
        out.append("FAILED: " + counts(line.failures))
    if line.ratio and line.ratio.value > LOSS_LIMIT and not line.config.startswith("split:"):
        out.append("LOSS")
    bests = (
        (table.best_stock, "better of static and dynamic,1"), (table.best_aid, "best AID"),
        (table.best_peer, "best peer"), (table.best_split, "best split"),
    )  # fmt: skip
    return "; ".join(out + [text for best, text in bests if line.config == best])


def machine_text(ratio: float, reached: str = "") -> str:
    return scene(ratio) if ratio in (EQUAL, REAL) else f"emulated AMP, asked {ratio:g}{reached}"


def format_table(table: Table, reached: str = "") -> str:
    """The table as text."""
    what = machine_text(table.ratio, reached)
    if table.own_ratio is not None:
        what += f"; this kernel alone: {table.own_ratio:.2f}"
    out = [f"{table.kernel} class {table.klass}, {what}"]
    facts = []
    if table.loop_us is not None:
        facts.append(f"a loop lasts {table.loop_us:.1f} us under {BASELINE} (mean)")
    i = table.ideal
    facts.append(
        f"ideal {i.value:.4f} s{i.bounds('.4f')}"
        if i
        else "no ideal: the CPUs were not measured alone"
    )
    out.append("  " + "; ".join(facts))
    if loud := noise(table.others):
        out.append("  " + loud)
    rows = [["configuration", "median s", "min..max or 95 %", "efficiency", "to better stock", "n"]]
    for line in table.lines:
        s, note = line.seconds, marks(table, line)
        cells = ["-", "", "", "", "0"]
        if s:
            span = f"{s.low:.4f}..{s.high:.4f}" if s.n > 1 else "one run"
            cells = [f"{s.value:.4f}", span, interval(line.efficiency, ""),
                     interval(line.ratio, ""), str(s.n)]  # fmt: skip
        rows.append([line.config, *cells, f"  {note}"])
    return "\n".join(out + columns(rows, (-22, 10, 20, 22, 22, 4)))


def judge_comparison(all_tables: Sequence[Table]) -> list[Verdict]:
    """The targets that a comparison can tell."""
    out: list[Verdict] = []
    for t in all_tables:
        if t.kernel == "ep" and t.unequal:
            for schedule, goal in EP_TARGETS.items():
                e = t.efficiency(f"amp:{schedule}")
                out.append(
                    Verdict(
                        f"{t.where}: {schedule} at least {goal} of the ideal", interval(e),
                        None if e is None else e.value >= goal, t.indicative,
                    )
                )  # fmt: skip
        aid, peer = t.line(t.best_aid), t.line(t.best_peer)
        losers = [
            schedule_of(x.config)
            for x in t.lines
            if x.config in [f"amp:{s}" for s in PAPER] and x.ratio and x.ratio.value > LOSS_LIMIT
        ]
        if aid and aid.ratio and t.best_stock:
            text = f"{schedule_of(aid.config)} {interval(aid.ratio)} of {t.best_stock}"
            text += f"; slower than that: {', '.join(losers)}" if losers else ""
            target = f"best AID at most {LOSS_LIMIT} of the better of static and dynamic,1"
            out.append(Verdict(f"{t.where}: {target}", text, below(LOSS_LIMIT, aid.ratio),
                               t.indicative))  # fmt: skip
        else:
            out.append(Verdict(f"{t.where}: best AID against stock", "-", None, t.indicative))
        if t.kernel == "ep" and t.unequal and aid and aid.seconds and peer and peer.seconds:
            ratio = aid.seconds.value / peer.seconds.value
            target = f"parity with the best peer (ratio of medians at most {PARITY})"
            text = f"{aid.config} / {peer.config} = {ratio:.3f}"
            out.append(Verdict(f"{t.where}: {target}", text, ratio <= PARITY, t.indicative))
    return out


def compare_short_loops(all_tables: Sequence[Table]) -> list[str]:
    """Beside the best hand-weighted split and the best peer; no threshold is set."""
    out = []
    for t in all_tables:
        aid, split, peer = t.line(t.best_aid), t.line(t.best_split), t.line(t.best_peer)
        if not (t.unequal and aid and aid.seconds and split and split.seconds):
            continue
        text = (
            f"{t.where}: best AID ({schedule_of(aid.config)}) takes"
            f" {aid.seconds.value / split.seconds.value:.2f} of the best hand-weighted split"
            f" ({schedule_of(split.config)}:1)"
        )
        if peer and peer.seconds:
            text += f", {aid.seconds.value / peer.seconds.value:.2f} of {peer.config}"
        out.append(text)
    return out


# Of the kernel of empty loops: what a barrier, a parallel region and a grant cost.
OTHER_COSTS = ("static,2", "region", "grant")


def overhead_values(some: Sequence[Run]) -> dict[str, Seconds]:
    """Empty loops: variant -> configuration -> round -> ns."""
    out: dict[str, Seconds] = {}
    for r in some:
        if r.ok:
            grant = {"grant": r.report["ns_per_grant"]}
            for variant, ns in {**r.report["ns_per_loop"], **grant}.items():
                out.setdefault(variant, {}).setdefault(r.config, {})[r.round] = ns
    return out


def paired_difference(top: dict[int, float], bottom: dict[int, float]) -> Estimate | None:
    """Median of top - bottom over the rounds that both have."""
    both = sorted(top.keys() & bottom.keys())
    return estimate([top[r] - bottom[r] for r in both]) if both else None


def report_empty(some: Sequence[Run]) -> tuple[list[str], list[Verdict]]:
    """Text and verdicts of the kernel of empty loops."""
    verdicts = []
    values = overhead_values(some)
    names = sorted({c for v in values.values() for c in v}, key=order_key)
    variants = [v for v in values if v.startswith("default") or v in OTHER_COSTS]
    rows = [["configuration", *(v.removeprefix("default,") for v in variants)]]
    for name in names:
        found = [values[v].get(name) for v in variants]
        rows.append([name, *(f"{median(f.values()):.1f}" if f else "-" for f in found)])
    out = ["empty loop without schedule clause, ns per loop by trip count",
           "(static,2: a barrier; region: a parallel region; grant: an iteration of a long loop)",
           *columns(rows, [-18] + [14] * len(variants))]  # fmt: skip
    for v in variants:
        if v in OTHER_COSTS:
            continue
        d = paired_difference(values[v].get("amp:static", {}), values[v].get(BASELINE, {}))
        verdicts.append(
            Verdict(
                f"empty loop ({v}): amp:static at most {OVERHEAD_NS_LIMIT:g} ns above {BASELINE}",
                f"{d.value:+.1f} ns{d.bounds('+.1f')}, n {d.n}" if d else "-",
                below(OVERHEAD_NS_LIMIT, d),
            )
        )
    for name in ("amp:aid_static", "typed:aid_static"):
        e = pairs(values.get("default,2", {}), name, "amp:static")
        target = f"empty loop (default,2): {name} at most {KNOWN_SITE_LIMIT} of amp:static"
        text = f"{interval(e)}, n {e.n}" if e else "-"
        verdicts.append(Verdict(target, text, below(KNOWN_SITE_LIMIT, e)))
    for name in names:
        bad = failures(some, name)
        if bad:
            out.append(f"  {name}: FAILED " + ", ".join(f"{s} x{n}" for s, n in bad.items()))
    return out, verdicts


def report_overhead(records: Sequence[Record]) -> tuple[str, list[Verdict]]:
    """Text and verdicts of an --overhead run."""
    out: list[str] = []
    verdicts: list[Verdict] = []
    series = series_of(records)
    for key, some in series.items():
        if key[0] == "empty":
            lines, judged = report_empty(some)
            out += lines
            verdicts += judged
    load = others(r for some in series.values() for r in some)
    if loud := noise(load):
        out.append(loud)
        verdicts = [replace(v, indicative=True) for v in verdicts]
    for key, some in series.items():
        if key[0] == "empty":
            continue
        table = Table(*key, some, [])
        line = table.line("amp:static")
        ratio = line.ratio if line else None
        where = f"{key[0]} {key[1]}, equal cores"
        long_enough = table.loop_us is None or table.loop_us >= OVERHEAD_LOOP_US
        text = f"{interval(ratio)}, n {ratio.n}" if ratio else "-"
        text += f", a loop lasts {table.loop_us:.1f} us" if table.loop_us else ""
        text += "" if long_enough else " (below 10 us: not a target)"
        verdicts.append(
            Verdict(
                f"{where}: amp:static / {BASELINE} at most {OVERHEAD_RATIO_LIMIT}", text,
                below(OVERHEAD_RATIO_LIMIT, ratio) if long_enough else None, noisy(load),
            )
        )  # fmt: skip
        if line and line.failures:
            out.append(f"{where}: amp:static FAILED: {line.failures}")
    return "\n".join(out), verdicts


def reached_by_cpu(records: Sequence[Record]) -> str:
    """What amp-emulate measured before and after, as text."""
    seen: dict[str, list[float]] = {}
    for r in records:
        for cpu, values in (r.get("reached") or {}).items():
            seen.setdefault(str(cpu), []).extend(values)
    return "; ".join(
        f"CPU {c} reached {median(v):.2f} ({min(v):.2f}..{max(v):.2f})"
        for c, v in sorted(seen.items())
    )


def reached_text(records: Sequence[Record], ratio: float) -> str:
    """The same of the measured rounds of RATIO."""
    mine = [r for r in records if r["type"] == "emulation" and r["round"] > 0]
    text = reached_by_cpu([r for r in mine if float(r["ratio"]) == ratio])
    return f", {text.replace(';', ',')}" if text else ""


def format_session(session: Record) -> str:
    m, p = session["machine"], session["pinning"]
    libs = "; ".join(
        f"{name} {lib['path']} (sha256 {(lib['sha256'] or '?')[:12]})"
        for name, lib in session["libraries"].items()
    )
    lines = [
        (
            f"machine: {m['cpu']}, {m['cpus']} CPUs, Linux {m['kernel']},"
            f" governor {m['governor'] or 'not shown'}, hypervisor {m['hypervisor'] or 'none'},"
            f" load {m['load'][0]}"
        ),
        f"pinning: {p['how']}; seed {session['seed']}, revision {session['revision']}",
        f"libraries: {libs}",
    ]
    if any(r not in (EQUAL, REAL) for r in session["ratios"]):
        lines.append(
            f"emulation: slow CPUs {p['slow']}, period {session['period']}, "
            f"method {session.get('method', 'thief')}"
        )
    if REAL in session["ratios"]:
        lines.append(f"types of cores: the machine's own; not of the fastest: CPUs {p['slow']}")
    for name, why in session.get("lacking", {}).items():
        lines.append(f"not measured: {name}: {why}")
    return "\n".join(lines)


def heading(records: Sequence[Record]) -> list[str]:
    """The beginning of every report."""
    return [format_session(s) for s in sessions(records)[:1]]


def full_report(
    records: Sequence[Record],
    judge: Callable[[Sequence[Record]], list[Verdict]] | None = None,
) -> str:
    """Everything that is printed at the end of a run, or by --table-from.

    JUDGE finds the verdicts of a comparison (the targets above).
    """
    begun = sessions(records)
    out = heading(records)
    if len(begun) > 1:
        out.append(f"(resumed {len(begun) - 1} times)")
    if begun and begun[0].get("mode") == "overhead":
        text, verdicts = report_overhead(records)
        out.append(text)
    else:
        all_tables = tables(records)
        out += [format_table(t, reached_text(records, t.ratio)) for t in all_tables]
        if short := compare_short_loops(all_tables):
            out.append("short loops:\n  " + "\n  ".join(short))
        verdicts = judge(records) if judge else judge_comparison(all_tables)
    out += targets(verdicts)
    if len(out) <= bool(begun):
        out.append("no measured runs")
    return "\n\n".join(out)
