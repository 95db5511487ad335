# SPDX-License-Identifier: GPL-3.0-or-later
"""Platforms: from raw records to their tables, as text and CSV, and to what plots show.

Performance is relative to a baseline, static(SB) where it was measured: geometric mean
over the rounds that both have of (baseline's time / time).  Only runs whose status is
"ok" count, never the warm-up.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, geometric_mean
from typing import TextIO

from .compared import order_key, others
from .config import title
from .emulation import how_of
from .plan import EQUAL, TRACED, scene
from .record import Record, Run, sessions
from .stats import Estimate, estimate, paired
from .tables import grid, noisy

# Configurations that play a part in the paper, by the names that raw files give them:
# those of suites, then those of comparisons.
STATIC_SB = ("static@sb",)
STATIC_BS = ("static@bs", "stock:static")
DYNAMIC_BS = ("dynamic,1@bs", "dynamic@bs", "gomp:dynamic,1")
AID_STATIC = ("aid_static@bs", "amp:aid_static")
AID_HYBRID = ("aid_hybrid,80@bs", "aid_hybrid@bs", "amp:aid_hybrid,80")
AID_DYNAMIC = ("aid_dynamic,1,5@bs", "aid_dynamic@bs", "amp:aid_dynamic,1,5")
UNSET = ("unset@bs", "amp:unset")
OFFLINE = ("aid_static+sf@bs",)
# The paper's table 2: gain in percent, mean and geometric mean, platforms A and B.
PAPER_GAINS = {
    "AID-static vs. static(BS)": ((14.98, 13.54), (15.93, 14.64)),
    "AID-hybrid vs. static(BS)": ((27.55, 22.67), (20.08, 16.06)),
    "AID-dynamic vs. dynamic(BS)": ((3.12, 2.81), (22.34, 16.00)),
}
PAIRS = (
    ("AID-static vs. static(BS)", AID_STATIC, STATIC_BS),
    ("AID-hybrid vs. static(BS)", AID_HYBRID, STATIC_BS),
    ("AID-dynamic vs. dynamic(BS)", AID_DYNAMIC, DYNAMIC_BS),
    ("unset (auto) vs. static(BS)", UNSET, STATIC_BS),
)
# No program's best AID below this share of the better of static and dynamic.
LOSS_LIMIT = 0.97
# A power meter that measures 4 times a second says little of shorter runs.
SHORT_RUN = 2.0


@dataclass
class Cell:
    """One program under one configuration."""

    seconds: dict[int, float] = field(default_factory=dict)  # round -> seconds, good runs
    energy: dict[int, float] = field(default_factory=dict)
    edp: dict[int, float] = field(default_factory=dict)
    bad: dict[str, int] = field(default_factory=dict)  # status -> how often
    why: str = ""
    throttled: int = 0

    @property
    def mean(self) -> float | None:
        return geometric_mean(self.seconds.values()) if self.seconds else None


@dataclass
class ProgramResult:
    suite: str
    name: str
    about: str = ""
    command: Sequence[str] = ()
    missing: str | None = None
    cells: dict[str, Cell] = field(default_factory=dict)
    loops: dict[str, list[float]] = field(default_factory=dict)  # offline SF by place

    @property
    def title(self) -> str:
        return f"{self.suite}/{self.name}" if self.suite else self.name

    def ratio(self, config: str | None, base: str | None, what: str = "seconds") -> Estimate | None:
        """How many times less CONFIG takes than BASE, over the rounds that both have."""
        mine, other = self.cells.get(config or ""), self.cells.get(base or "")
        if mine is None or other is None:
            return None
        values = paired(getattr(other, what), getattr(mine, what))
        return estimate(values, middle=geometric_mean) if values else None


@dataclass
class Gain:
    """One row of the paper's table 2."""

    what: str
    mean: float  # percent
    gmean: float
    worst: tuple[float, str]
    best: tuple[float, str]
    programs: int


@dataclass
class Loss:
    """The best AID of a program against the better of static and dynamic."""

    program: str
    aid: str
    stock: str
    ratio: Estimate


@dataclass
class Platform:
    """All that one raw file says of one machine."""

    title: str
    sessions: list[Record]
    programs: list[ProgramResult]
    configs: list[str]
    baseline: str | None
    runs: list[Run]
    emulation: dict[int, list[float]] = field(default_factory=dict)
    traces: list[tuple[str, str]] = field(default_factory=list)  # (title, file)

    @property
    def shown(self) -> list[ProgramResult]:
        """Programs with a good run."""
        return [p for p in self.programs if any(c.seconds for c in p.cells.values())]

    def pick(self, names: Sequence[str]) -> str | None:
        return next((n for n in names if n in self.configs), None)

    def performance(self, p: ProgramResult, config: str, what: str = "seconds") -> Estimate | None:
        return p.ratio(config, self.baseline, what)

    def means(
        self, configs: Sequence[str], what: str = "seconds"
    ) -> tuple[dict[str, tuple[float, float]], int]:
        """Mean and geometric mean of each configuration, over the programs that have
        good runs under all of CONFIGS; and how many these are."""
        whole = []
        for p in self.shown:
            row = {c: self.performance(p, c, what) for c in configs}
            if all(row.values()):
                whole.append({c: e.value for c, e in row.items() if e})
        if not whole:
            return {}, 0
        columns = {c: [row[c] for row in whole] for c in configs}
        return {c: (fmean(v), geometric_mean(v)) for c, v in columns.items()}, len(whole)

    def gains(self) -> list[Gain]:
        out = []
        for what, ours, theirs in PAIRS:
            mine, other = self.pick(ours), self.pick(theirs)
            found = [
                (e.value, p.title) for p in self.shown if (e := p.ratio(mine, other)) is not None
            ]
            if found:
                values = [v for v, _ in found]
                out.append(
                    Gain(
                        what,
                        100 * (fmean(values) - 1),
                        100 * (geometric_mean(values) - 1),
                        min(found),
                        max(found),
                        len(found),
                    )
                )
        return out

    def losses(self) -> list[Loss]:
        """Worst first."""
        aids = [a for n in (AID_STATIC, AID_HYBRID, AID_DYNAMIC) if (a := self.pick(n))]
        stocks = [s for n in (STATIC_BS, DYNAMIC_BS) if (s := self.pick(n))]
        out = []
        for p in self.shown:
            best = fastest(p, stocks)
            if best is None:
                continue
            found = [(e, a) for a in aids if (e := p.ratio(a, best))]
            if found:
                ratio, aid = max(found, key=lambda f: f[0].value)
                out.append(Loss(p.title, aid, best, ratio))
        return sorted(out, key=lambda x: x.ratio.value)

    def bad(self) -> list[tuple[str, str, dict[str, int], str]]:
        """Program, configuration, what happened how often, why (the last time)."""
        return [
            (p.title, c, cell.bad, cell.why)
            for p in self.programs
            for c, cell in p.cells.items()
            if cell.bad
        ]

    def sweep(self, prefix: str) -> list[tuple[float, str]]:
        """(parameter, configuration) of the configurations that differ in their last number."""
        out = []
        for c in self.configs:
            schedule, _, binding = c.partition("@")
            name, _, rest = schedule.partition(",")
            if name == prefix and binding == "bs" and rest:
                numbers = rest.split(",")
                if prefix == "aid_dynamic" and (len(numbers) != 2 or numbers[0] != "1"):
                    continue
                if prefix != "aid_dynamic" and len(numbers) != 1:
                    continue
                out.append((float(numbers[-1]), c))
        return sorted(out) if len(out) > 1 else []

    def main_configs(self) -> list[str]:
        """What the main table shows: of a sweep only the paper's defaults."""
        swept = {c for p in ("dynamic", "aid_dynamic", "aid_hybrid") for _, c in self.sweep(p)}
        keep = {c for n in (DYNAMIC_BS, AID_HYBRID, AID_DYNAMIC) if (c := self.pick(n))}
        return [c for c in self.configs if c not in swept or c in keep]

    def conditions(self) -> list[str]:
        """What a number needs beside it, and what speaks against it."""
        out = []
        if self.sessions:
            s = self.sessions[0]
            m = s["machine"]
            out.append(
                f"machine: {m['cpu']}, {m['cpus']} CPUs, {m['architecture']}, Linux {m['kernel']},"
                f" hypervisor {m['hypervisor'] or 'none'}"
            )
            threads = s.get("threads") or len(s.get("pinning", {}).get("cpus", []))
            out.append(
                f"threads: {threads}, seed {s['seed']}, revision {s['revision']}"
                + (f"; went on {len(self.sessions) - 1} times" if len(self.sessions) > 1 else "")
            )
        if self.emulation:
            asked = [s["arguments"] for s in self.sessions if s.get("arguments")]
            how = f" ({' '.join(how_of(asked[0]).arguments())})" if asked else ""
            out.append(
                f"emulated AMP{how}: "
                + ", ".join(
                    f"CPU {c} reached {geometric_mean(v):.2f} times slower"
                    f" ({min(v):.2f}..{max(v):.2f})"
                    for c, v in sorted(self.emulation.items())
                )
            )
        known = [r.more for r in self.runs]
        types = sorted({m["types"] for m in known if m.get("types") is not None})
        if types:
            out.append(f"core types in force: {'; '.join(types)}")
        if types and not any(":" in t for t in types):
            out.append("CAUTION: the library knew of one type of core: SB is BS, and AID is static")
        governors = sorted({str(m["governor"]) for m in known if m.get("governor")})
        out.append("governor: " + ("; ".join(governors) or "not shown by this machine"))
        if governors and governors != ["performance"]:
            out.append("CAUTION: with another governor than performance, clocks vary")
        hottest = [m["hottest"] for m in known if m.get("hottest") is not None]
        out.append(
            f"temperature: highest {max(hottest):.0f} C, lowest peak of a run {min(hottest):.0f} C"
            if hottest
            else "temperature: no sensor"
        )
        throttled = sum(1 for m in known if m.get("throttled"))
        if throttled:
            out.append(f"CAUTION: the machine slowed itself because of heat in {throttled} runs")
        out.append(self.energy_note())
        load = others(r for r in self.runs if r.ok)
        if load is not None and noisy(load):
            out.append(f"NOISY: other processes took {load:.2f} CPUs on average")
        return out

    def energy_note(self) -> str:
        energy = next((s["energy"] for s in self.sessions if s.get("energy")), None)
        if not energy or not energy["group"]:
            closed = f"; not readable: {energy['unreadable'][0]}" if energy and energy[
                "unreadable"] else ""  # fmt: skip
            return "energy: no sensor" + closed
        note = f"energy: {energy['group']}, the sum of {', '.join(energy['meters'])}"
        lasting = [r.seconds or 0.0 for r in self.runs if r.more.get("energy") is not None]
        if lasting and energy["group"] != "rapl" and min(lasting) < SHORT_RUN:
            note += f"; CAUTION: some runs are shorter than {SHORT_RUN:g} s, too short for it"
        return note

    def measures_energy(self) -> bool:
        return any(c.energy for p in self.programs for c in p.cells.values())


def fastest(p: ProgramResult, configs: Iterable[str]) -> str | None:
    known = [(c.mean, n) for n in configs if (c := p.cells.get(n)) and c.mean]
    return min(known)[1] if known else None


def machine_of(r: Record) -> str | None:
    """Of which machine a record of a comparison is; None: of any."""
    if r["type"] not in ("run", "emulation") or ("suite" in r and "kernel" not in r):
        return None
    ratio = float(r["ratio"])
    return scene(ratio) if ratio == EQUAL else f"emulated AMP, {scene(ratio)}"


def platforms(
    records: Sequence[Record], name: str, *, own: bool = False, baseline: str | None = None
) -> list[Platform]:
    """The platforms of a raw file: one, or of a comparison one a ratio of speeds.

    OWN: the seconds that programs report themselves, where they do.
    """
    # Equal cores first, then by ratio.
    ratios = {
        machine_of(r): float(r.get("ratio") or 0.0)
        for r in records if r["type"] == "run" and counted(Run.of(r))
    }  # fmt: skip
    machines = sorted(ratios, key=lambda machine: ratios[machine])
    return [
        platform_of(
            [r for r in records if machine_of(r) in (None, machine)],
            f"{name}: {machine}" if machine else name, own, baseline,
        )
        for machine in machines
    ]  # fmt: skip


def counted(run: Run) -> bool:
    """Whether a run is shown: of comparisons not the yardsticks, nor empty loops."""
    return run.config.partition(":")[0] not in ("split", "single") and run.kernel != "empty"


def platform_of(records: Sequence[Record], name: str, own: bool, baseline: str | None) -> Platform:
    programs: dict[tuple[str, str], ProgramResult] = {}
    p = Platform(name, sessions(records), [], [], None, [])

    def program_of(suite: str, program: str) -> ProgramResult:
        return programs.setdefault((suite, program), ProgramResult(suite, program))

    for r in records:
        if r["type"] == "emulation" and r["round"] > 0:
            for cpu, values in (r["reached"] or {}).items():
                p.emulation.setdefault(int(cpu), []).extend(values)
        elif r["type"] == "program":
            program = program_of(r["suite"], r["program"])
            program.about, program.command = r["about"], r["command"]
            program.missing = r["missing"]
        elif r["type"] == "sf":
            program = program_of(r["suite"], r["program"])
            program.loops = r.get("loops") or program.loops
        elif r["type"] == "run" and counted(run := Run.of(r)):
            program = program_of(run.suite, run.program or f"{run.kernel} {run.klass}")
            if run.round == TRACED:
                if run.ok and run.more.get("trace"):
                    heading = f"{program.title} under {title(run.config)}"
                    p.traces.append((heading, run.more["trace"]))
                continue
            add_run(program, run, own)
            if run.config not in p.configs:
                p.configs.append(run.config)
            if run.round > 0:
                p.runs.append(run)
    p.programs = list(programs.values())
    # Comparisons are shuffled; their own tables have an order by runtime.
    order = next(
        (s["configs"] for s in p.sessions if s.get("configs")), sorted(p.configs, key=order_key)
    )

    def rank(config: str) -> int:
        return order.index(config) if config in order else len(order)

    p.configs.sort(key=rank)
    for program in p.programs:
        program.cells = dict(sorted(program.cells.items(), key=lambda c: rank(c[0])))
    p.baseline = p.pick([baseline] if baseline else [*STATIC_SB, *STATIC_BS, *p.configs])
    return p


def add_run(program: ProgramResult, r: Run, own: bool) -> None:
    cell = program.cells.setdefault(r.config, Cell())
    if not r.ok:
        cell.bad[r.status] = cell.bad.get(r.status, 0) + 1
        if r.bad or not cell.why:
            cell.why = r.why or r.stderr.partition("\n")[0]
        return
    if r.round < 1:
        return
    seconds = r.more.get("own") if own and r.more.get("own") is not None else r.seconds
    # A time of 0 has no ratio; programs that print few digits can report one.
    if not seconds or seconds <= 0:
        cell.bad["no time"] = cell.bad.get("no time", 0) + 1
        return
    cell.seconds[r.round] = seconds
    cell.throttled += bool(r.more.get("throttled"))
    # A counter that did not move says nothing.
    if (r.more.get("energy") or 0) > 0:
        cell.energy[r.round] = r.more["energy"]
        cell.edp[r.round] = r.more["edp"]


# Tables as text and CSV.

SWEEPS = {
    "dynamic": "chunk of dynamic",
    "aid_dynamic": "major chunk M of aid_dynamic",
    "aid_hybrid": "percent of aid_hybrid",
}


def base_title(p: Platform) -> str:
    return title(p.baseline) if p.baseline else "nothing"


def performance_rows(p: Platform, what: str = "seconds") -> list[list[str]]:
    """Per program relative to the baseline, then mean and geometric mean."""
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        cells = []
        for c in configs:
            e = p.performance(program, c, what)
            cell = program.cells.get(c)
            bad = cell is not None and any(s != "skipped" for s in cell.bad)
            cells.append((f"{e.value:.3f}" if e else "-") + ("*" if bad else ""))
        rows.append([program.title, *cells])
    means, count = p.means(configs, what)
    if means:
        rows.append([f"mean of {count}", *(f"{means[c][0]:.3f}" for c in configs)])
        rows.append([f"gmean of {count}", *(f"{means[c][1]:.3f}" for c in configs)])
    return rows


def gain_rows(p: Platform) -> list[list[str]]:
    rows = [["", "mean", "gmean", "n", "worst", "best", "paper A", "paper B"]]
    for g in p.gains():
        paper = PAPER_GAINS.get(g.what)
        rows.append(
            [
                g.what,
                f"{g.mean:+.2f} %",
                f"{g.gmean:+.2f} %",
                str(g.programs),
                f"{g.worst[1]} {100 * (g.worst[0] - 1):+.1f} %",
                f"{g.best[1]} {100 * (g.best[0] - 1):+.1f} %",
                *(f"{a:+.2f} / {b:+.2f} %" for a, b in paper or ()),
                *(() if paper else ("", "")),
            ]
        )
    return rows


def loss_rows(p: Platform) -> list[list[str]]:
    rows = [["", "best AID", "against", "ratio", "interval", ""]]
    for x in p.losses():
        e = x.ratio
        mark = "LOSS" if e.value < LOSS_LIMIT else ""
        interval = f"{e.low:.3f}..{e.high:.3f}" if e.n > 1 else "one run"
        rows.append([x.program, title(x.aid), title(x.stock), f"{e.value:.3f}", interval, mark])
    return rows


def joule_rows(p: Platform) -> list[list[str]]:
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        cells = []
        for c in configs:
            cell = program.cells.get(c)
            known = [v for v in cell.energy.values() if v > 0] if cell else []
            cells.append(f"{geometric_mean(known):.4g}" if known else "-")
        rows.append([program.title, *cells])
    return rows


def energy_rows(p: Platform, what: str) -> list[list[str]]:
    """Energy or energy-delay product relative to the baseline: lower is better."""
    configs = p.main_configs()
    rows = [["", *(title(c) for c in configs)]]
    for program in p.shown:
        found = [program.ratio(p.baseline, c, what) for c in configs]
        rows.append([program.title, *(f"{e.value:.3f}" if e else "-" for e in found)])
    means, count = p.means(configs, what)
    if means:
        rows.append([f"gmean of {count}", *(f"{1 / means[c][1]:.3f}" for c in configs)])
    return rows


def bad_rows(p: Platform) -> list[list[str]]:
    rows = [["", "under", "what", "why"]]
    for program, config, statuses, why in p.bad():
        what = ", ".join(f"{s} x{n}" for s, n in sorted(statuses.items()))
        rows.append([program, title(config), what, why])
    return rows


def sweep_rows(p: Platform, prefix: str) -> list[list[str]]:
    points = p.sweep(prefix)
    rows = [[prefix, *(f"{v:g}" for v, _ in points), "best"]]
    for program in p.shown:
        found = [(p.performance(program, c), v) for v, c in points]
        known = [(e.value, v) for e, v in found if e]
        if known:
            rows.append([program.title, *(f"{e.value:.3f}" if e else "-" for e, _ in found),
                         f"{max(known)[1]:g}"])  # fmt: skip
    means, count = p.means([c for _, c in points])
    if means:
        rows.append([f"gmean of {count}", *(f"{means[c][1]:.3f}" for _, c in points), ""])
    return rows


def tables(p: Platform) -> list[tuple[str, str, list[list[str]]]]:
    """(short name, heading, rows) of all tables that have something to say."""
    out: list[tuple[str, str, list[list[str]]]] = []

    def add(name: str, heading: str, rows: list[list[str]]) -> None:
        if len(rows) > 1:
            out.append((name, heading, rows))

    add("losses", "best AID of each program against the better of static(BS) and dynamic(BS),"
        f" worst first; LOSS below {LOSS_LIMIT}", loss_rows(p))  # fmt: skip
    add("gains", "gains, beside those of the AID paper's table 2 (mean / gmean)", gain_rows(p))
    add("performance", f"performance relative to {base_title(p)}, higher is better"
        " (*: bad runs are left out)", performance_rows(p))  # fmt: skip
    for prefix, what in SWEEPS.items():
        if p.sweep(prefix):
            add(f"sweep-{prefix}", f"{what}: performance relative to {base_title(p)}",
                sweep_rows(p, prefix))  # fmt: skip
    if p.measures_energy():
        add("joules", "energy of a run, joules", joule_rows(p))
        for what, name in (("energy", "energy"), ("edp", "energy-delay product")):
            heading = f"{name} relative to {base_title(p)}, lower is better"
            add(what, heading, energy_rows(p, what))
    add("bad", "bad runs: none of these is part of any number", bad_rows(p))
    missing = [[x.title, x.missing or ""] for x in p.programs if x.missing]
    if missing:
        add("missing", "programs left out", [["", "why"], *missing])
    return out


def report(p: Platform) -> str:
    parts = [p.title, "\n".join(f"  {c}" for c in p.conditions())]
    for _, heading, rows in tables(p):
        parts.append(f"{heading}\n{grid(rows)}")
    if not p.shown:
        parts.append("no good runs")
    return "\n\n".join(parts)


COLUMNS = (
    "platform", "suite", "program", "config", "n", "seconds_gmean", "seconds_min", "seconds_max",
    "performance", "performance_low", "performance_high", "joules_gmean", "edp_gmean", "bad", "why",
)  # fmt: skip


def write_csv(all_platforms: Sequence[Platform], out: TextIO) -> None:
    """One line a program and configuration; what was not measured is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for p in all_platforms:
        for program in p.programs:
            for config, cell in program.cells.items():
                e = p.performance(program, config)
                s = list(cell.seconds.values())
                joules = [v for v in cell.energy.values() if v > 0]
                edp = [v for v in cell.edp.values() if v > 0]
                bad = " ".join(f"{k}:{n}" for k, n in sorted(cell.bad.items()))
                writer.writerow(
                    [p.title, program.suite, program.name, config, len(s)]
                    + ([f"{cell.mean:.6f}", f"{min(s):.6f}", f"{max(s):.6f}"] if s else [""] * 3)
                    + ([f"{v:.6f}" for v in (e.value, e.low, e.high)] if e else [""] * 3)
                    + [f"{geometric_mean(v):.6f}" if v else "" for v in (joules, edp)]
                    + [bad, cell.why]
                )
