# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw records to tables and verdicts.  Runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from .configs import BASELINE, PAPER, RUNTIMES, STOCK_DYNAMIC
from .stats import Estimate, estimate, ideal_by_round, paired

Record = dict[str, Any]

# Targets that the project sets itself.
EP_TARGETS = {"aid_static": 0.95, "aid_hybrid,80": 0.97, "aid_dynamic,1,5": 0.97}
LOSS_LIMIT = 1.05
# Work of other processes, in CPUs, above which a series cannot be trusted.
NOISE_LIMIT = 0.1
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
    lines: list[Line]
    ideal: Estimate | None
    best_stock: str | None
    best_split: str | None
    best_aid: str | None
    best_peer: str | None
    loop_us: float | None
    own_ratio: float | None
    others: float | None

    @property
    def emulated(self) -> bool:
        return self.ratio != 1.0

    @property
    def where(self) -> str:
        return f"{self.kernel} {self.klass}, " + (
            f"ratio {self.ratio:g}" if self.emulated else "equal cores"
        )

    def line(self, config: str | None) -> Line | None:
        return next((x for x in self.lines if x.config == config), None)


@dataclass(frozen=True)
class Verdict:
    """One target: MET is None when it could not be judged."""

    target: str
    measured: str
    met: bool | None
    indicative: bool = False

    def __str__(self) -> str:
        word = {True: "met", False: "NOT MET", None: "not measured"}[self.met]
        if self.indicative and self.met is not None:
            word += ", indicative only"
        return f"{word:<24} {self.target}: {self.measured}"


def series_of(records: Iterable[Record]) -> dict[tuple[str, str, float], list[Record]]:
    """Measured runs (not warm-ups) by kernel, class and ratio, in order of appearance."""
    out: dict[tuple[str, str, float], list[Record]] = {}
    for r in records:
        if r["type"] == "run" and r["round"] > 0:
            out.setdefault((r["kernel"], r["class"], float(r["ratio"])), []).append(r)
    return out


def times(runs: Iterable[Record]) -> dict[str, dict[int, float]]:
    """Configuration -> round -> seconds; only runs whose status is "ok" count."""
    out: dict[str, dict[int, float]] = {}
    for r in runs:
        by_round = out.setdefault(r["config"], {})
        if r["status"] == "ok":
            by_round[r["round"]] = float(r["seconds"])
    return out


def failures(runs: Iterable[Record], config: str) -> dict[str, int]:
    out: dict[str, int] = {}
    for r in runs:
        if r["config"] == config and r["status"] not in ("ok", "skipped"):
            out[r["status"]] = out.get(r["status"], 0) + 1
    return out


def fastest(seconds: dict[str, dict[int, float]], names: Iterable[str]) -> str | None:
    """The name with the least median; None when none of them was measured."""
    known = [n for n in names if seconds.get(n)]
    return min(known, key=lambda n: median(seconds[n].values())) if known else None


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
    alone = [median(by_round.values()) for by_round in singles.values() if by_round]
    return alone[-1] / alone[0] if len(alone) == len(singles) > 1 else None


def others(runs: Iterable[Record]) -> float | None:
    """Mean work of other processes during these runs, in CPUs, each run weighing its length."""
    known = [(r["others"], r["wall"]) for r in runs if r.get("others") is not None]
    length = sum(wall for _, wall in known)
    return sum(o * wall for o, wall in known) / length if length > 0 else None


def loop_us(runs: Iterable[Record]) -> float | None:
    """What a loop lasts on average under BASELINE, in microseconds: the median run's."""
    each = [
        1e6 * r["seconds"] / max(r["report"]["loops"], 1)
        for r in runs
        if r["config"] == BASELINE and r["status"] == "ok"
    ]
    return median(each) if each else None


def build_table(key: tuple[str, str, float], runs: Sequence[Record], cpus: Sequence[int]) -> Table:
    """The table of one series.  CPUS are those whose speeds make the ideal."""
    kernel, klass, ratio = key
    seconds = times(runs)
    singles = {c: seconds.get(f"single:{c}", {}) for c in cpus}
    ideal = ideal_by_round(singles, cpus)
    best_stock = fastest(seconds, [BASELINE, STOCK_DYNAMIC])
    lines = []
    for config in sorted(seconds, key=order_key):
        line = Line(config, failures=failures(runs, config))
        mine = seconds[config]
        if mine:
            line.seconds = estimate(list(mine.values()))
            if not config.startswith("single:"):
                together = paired(ideal, mine)
                line.efficiency = estimate(together) if together else None
                if best_stock:
                    ratios = paired(mine, seconds[best_stock])
                    line.ratio = estimate(ratios) if ratios else None
        lines.append(line)
    names = list(seconds)
    return Table(
        kernel=kernel,
        klass=klass,
        ratio=ratio,
        lines=lines,
        ideal=estimate(list(ideal.values())) if ideal else None,
        best_stock=best_stock,
        best_split=fastest(seconds, [n for n in names if n.startswith("split:")]),
        best_aid=fastest(seconds, [f"amp:{s}" for s in PAPER]),
        best_peer=fastest(seconds, [n for n in names if n.startswith(("llvm:", "intel:"))]),
        loop_us=loop_us(runs),
        own_ratio=own_ratio(singles),
        others=others(runs),
    )


def tables(records: Sequence[Record]) -> list[Table]:
    """All tables of a raw file, empty loops apart."""
    cpus = session_cpus(records)
    return [
        build_table(key, runs, cpus)
        for key, runs in series_of(records).items()
        if key[0] != "empty"
    ]


def session_cpus(records: Sequence[Record]) -> list[int]:
    for r in records:
        if r["type"] == "session":
            return list(r["pinning"]["cpus"])
    return []


def percent_interval(e: Estimate) -> str:
    return f"{e.value:.3f} [{e.low:.3f} {e.high:.3f}]"


def marks(table: Table, line: Line) -> str:
    """What the eye should be drawn to: losses first."""
    out = []
    if line.failures:
        out.append("FAILED: " + ", ".join(f"{s} x{n}" for s, n in sorted(line.failures.items())))
    if line.ratio and line.ratio.value > LOSS_LIMIT and not line.config.startswith("split:"):
        out.append("LOSS")
    if line.config == table.best_stock:
        out.append("better of static and dynamic,1")
    if line.config == table.best_aid:
        out.append("best AID")
    if line.config == table.best_peer:
        out.append("best peer")
    if line.config == table.best_split:
        out.append("best split")
    return "; ".join(out)


def format_table(table: Table, reached: str = "") -> str:
    """The table as text."""
    what = f"emulated AMP, asked {table.ratio:g}{reached}" if table.emulated else "equal cores"
    if table.own_ratio is not None:
        what += f"; this kernel alone: {table.own_ratio:.2f}"
    out = [f"{table.kernel} class {table.klass}, {what}"]
    facts = []
    if table.loop_us is not None:
        facts.append(f"a loop lasts {table.loop_us:.1f} us under {BASELINE} (mean)")
    if table.ideal:
        facts.append(
            f"ideal {table.ideal.value:.4f} s [{table.ideal.low:.4f} {table.ideal.high:.4f}]"
        )
    else:
        facts.append("no ideal: the CPUs were not measured alone")
    out.append("  " + "; ".join(facts))
    if table.others is not None and table.others > NOISE_LIMIT:
        out.append(
            f"  NOISY: other processes took {table.others:.2f} CPUs on average; do not trust this"
        )
    out.append(
        f"  {'configuration':<22} {'median s':>9} {'min..max or 95 %':>19}"
        f" {'efficiency':>21} {'to better stock':>21}  {'n':>2}"
    )
    for line in table.lines:
        if line.seconds is None:
            out.append(f"  {line.config:<22} {'-':>9} {'':>19} {'':>21} {'':>21}  {0:>2}  "
                       + marks(table, line))  # fmt: skip
            continue
        s = line.seconds
        row = (
            f"  {line.config:<22} {s.value:>9.4f} {f'{s.low:.4f}..{s.high:.4f}':>19}"
            f" {percent_interval(line.efficiency) if line.efficiency else '':>21}"
            f" {percent_interval(line.ratio) if line.ratio else '':>21}  {s.n:>2}"
        )
        note = marks(table, line)
        out.append(row + (f"  {note}" if note else ""))
    return "\n".join(line.rstrip() for line in out)


def judge_comparison(all_tables: Sequence[Table]) -> list[Verdict]:
    """The targets that a comparison can tell."""
    out: list[Verdict] = []
    for t in all_tables:
        noisy = t.others is not None and t.others > NOISE_LIMIT
        indicative = t.klass != "A" or noisy
        where = t.where
        if t.kernel == "ep" and t.emulated:
            for schedule, goal in EP_TARGETS.items():
                line = t.line(f"amp:{schedule}")
                e = line.efficiency if line else None
                out.append(
                    Verdict(
                        f"{where}: {schedule} at least {goal} of the ideal",
                        percent_interval(e) if e else "-",
                        None if e is None else e.value >= goal,
                        indicative,
                    )
                )
        aid, stock = t.line(t.best_aid), t.line(t.best_stock)
        if aid and aid.ratio and stock:
            best = aid.config.partition(":")[2]
            losers = [
                x.config.partition(":")[2]
                for x in t.lines
                if x.config in [f"amp:{s}" for s in PAPER]
                and x.ratio
                and x.ratio.value > LOSS_LIMIT
            ]
            out.append(
                Verdict(
                    f"{where}: best AID at most {LOSS_LIMIT} of the better of static and dynamic,1",
                    f"{best} {percent_interval(aid.ratio)} of {stock.config}"
                    + (f"; slower than that: {', '.join(losers)}" if losers else ""),
                    aid.ratio.value <= LOSS_LIMIT,
                    indicative,
                )
            )
        else:
            out.append(Verdict(f"{where}: best AID against stock", "-", None, indicative))
        peer = t.line(t.best_peer)
        if t.kernel == "ep" and t.emulated and aid and aid.seconds and peer and peer.seconds:
            ratio = aid.seconds.value / peer.seconds.value
            out.append(
                Verdict(
                    f"{where}: parity with the best peer (ratio of medians at most 1.02)",
                    f"{aid.config} / {peer.config} = {ratio:.3f}",
                    ratio <= 1.02,
                    indicative,
                )
            )
    return out


def compare_short_loops(all_tables: Sequence[Table]) -> list[str]:
    """Beside the best hand-weighted split and the best peer; no threshold is set."""
    out = []
    for t in all_tables:
        aid, split, peer = t.line(t.best_aid), t.line(t.best_split), t.line(t.best_peer)
        if not (t.emulated and aid and aid.seconds and split and split.seconds):
            continue
        text = (
            f"{t.where}: best AID ({aid.config.partition(':')[2]}) takes"
            f" {aid.seconds.value / split.seconds.value:.2f} of the best hand-weighted split"
            f" ({split.config.partition(':')[2]}:1)"
        )
        if peer and peer.seconds:
            text += f", {aid.seconds.value / peer.seconds.value:.2f} of {peer.config}"
        out.append(text)
    return out


def overhead_values(runs: Sequence[Record]) -> dict[str, dict[str, dict[int, float]]]:
    """Empty loops: variant -> configuration -> round -> ns."""
    out: dict[str, dict[str, dict[int, float]]] = {}
    for r in runs:
        if r["status"] != "ok":
            continue
        values = dict(r["report"]["ns_per_loop"])
        values["grant"] = r["report"]["ns_per_grant"]
        for variant, ns in values.items():
            out.setdefault(variant, {}).setdefault(r["config"], {})[r["round"]] = ns
    return out


def paired_difference(top: dict[int, float], bottom: dict[int, float]) -> Estimate | None:
    """Median of top - bottom over the rounds that both have."""
    both = sorted(top.keys() & bottom.keys())
    return estimate([top[r] - bottom[r] for r in both]) if both else None


def report_overhead(records: Sequence[Record]) -> tuple[str, list[Verdict]]:
    """Text and verdicts of an --overhead run."""
    out: list[str] = []
    verdicts: list[Verdict] = []
    series = series_of(records)
    for key, runs in series.items():
        if key[0] != "empty":
            continue
        values = overhead_values(runs)
        names = sorted({c for v in values.values() for c in v}, key=order_key)
        variants = [v for v in values if v.startswith("default") or v == "grant"]
        titles = [v.removeprefix("default,") for v in variants]
        out.append("empty loop without schedule clause, ns per loop by trip count")
        out.append("(grant: ns per iteration of a long loop)")
        out.append(f"  {'configuration':<18}" + "".join(f"{t:>14}" for t in titles))
        for name in names:
            cells = []
            for v in variants:
                got = values[v].get(name)
                cells.append(f"{median(got.values()):>14.1f}" if got else f"{'-':>14}")
            out.append(f"  {name:<18}" + "".join(cells))
        for v in variants:
            if v == "grant":
                continue
            d = paired_difference(values[v].get("amp:static", {}), values[v].get(BASELINE, {}))
            verdicts.append(
                Verdict(
                    f"empty loop ({v}): amp:static at most {OVERHEAD_NS_LIMIT:g} ns above"
                    f" {BASELINE}",
                    f"{d.value:+.1f} ns [{d.low:+.1f} {d.high:+.1f}], n {d.n}" if d else "-",
                    d.value <= OVERHEAD_NS_LIMIT if d else None,
                )
            )
        base = values.get("default,2", {}).get("amp:static", {})
        for name in ("amp:aid_static", "typed:aid_static"):
            ratios = paired(values.get("default,2", {}).get(name, {}), base)
            e = estimate(ratios) if ratios else None
            verdicts.append(
                Verdict(
                    f"empty loop (default,2): {name} at most {KNOWN_SITE_LIMIT} of amp:static",
                    f"{percent_interval(e)}, n {e.n}" if e else "-",
                    e.value <= KNOWN_SITE_LIMIT if e else None,
                )
            )
        for name in names:
            bad = failures(runs, name)
            if bad:
                out.append(f"  {name}: FAILED " + ", ".join(f"{s} x{n}" for s, n in bad.items()))
    noise = others(r for runs in series.values() for r in runs)
    noisy = noise is not None and noise > NOISE_LIMIT
    if noisy:
        out.append(f"NOISY: other processes took {noise:.2f} CPUs on average; do not trust this")
        verdicts = [replace(v, indicative=True) for v in verdicts]
    for key, runs in series.items():
        if key[0] == "empty":
            continue
        table = build_table(key, runs, [])
        line = table.line("amp:static")
        ratio = line.ratio if line else None
        where = f"{key[0]} {key[1]}, equal cores"
        loop = f", a loop lasts {table.loop_us:.1f} us" if table.loop_us else ""
        long_enough = table.loop_us is None or table.loop_us >= OVERHEAD_LOOP_US
        verdicts.append(
            Verdict(
                f"{where}: amp:static / {BASELINE} at most {OVERHEAD_RATIO_LIMIT}",
                (f"{percent_interval(ratio)}, n {ratio.n}" if ratio else "-")
                + loop
                + ("" if long_enough else " (below 10 us: not a target)"),
                None if ratio is None or not long_enough else ratio.value <= OVERHEAD_RATIO_LIMIT,
                noisy,
            )
        )
        if line and line.failures:
            out.append(f"{where}: amp:static FAILED: {line.failures}")
    return "\n".join(out), verdicts


def reached_text(records: Sequence[Record], ratio: float) -> str:
    """What amp-emulate measured before and after each round of RATIO, as text."""
    seen: dict[str, list[float]] = {}
    for r in records:
        if r["type"] == "emulation" and float(r["ratio"]) == ratio and r["round"] > 0:
            for cpu, values in (r["reached"] or {}).items():
                seen.setdefault(str(cpu), []).extend(values)
    return "".join(
        f", CPU {c} reached {median(v):.2f} ({min(v):.2f}..{max(v):.2f})"
        for c, v in sorted(seen.items())
    )


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
    if any(r != 1.0 for r in session["ratios"]):
        lines.append(
            f"emulation: slow CPUs {p['slow']}, period {session['period']}, "
            f"method {session.get('method', 'thief')}"
        )
    for name, why in session.get("lacking", {}).items():
        lines.append(f"not measured: {name}: {why}")
    return "\n".join(lines)


def full_report(
    records: Sequence[Record],
    judge: Callable[[Sequence[Record]], list[Verdict]] | None = None,
) -> str:
    """Everything that is printed at the end of a run, or by --table-from.

    JUDGE finds the verdicts of a comparison (the targets above).
    """
    sessions = [r for r in records if r["type"] == "session"]
    out: list[str] = []
    if sessions:
        out.append(format_session(sessions[0]))
        if len(sessions) > 1:
            out.append(f"(resumed {len(sessions) - 1} times)")
    overhead = bool(sessions) and sessions[0].get("mode") == "overhead"
    if overhead:
        text, verdicts = report_overhead(records)
        out.append(text)
    else:
        all_tables = tables(records)
        for t in all_tables:
            reached = reached_text(records, t.ratio) if t.emulated else ""
            out.append(format_table(t, reached))
        short = compare_short_loops(all_tables)
        if short:
            out.append("short loops:\n  " + "\n  ".join(short))
        verdicts = judge(records) if judge else judge_comparison(all_tables)
    if verdicts:
        out.append("targets:\n  " + "\n  ".join(str(v) for v in verdicts))
    if len(out) <= bool(sessions):
        out.append("no measured runs")
    return "\n\n".join(out)
