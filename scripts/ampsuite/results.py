# SPDX-License-Identifier: GPL-3.0-or-later
"""From raw records to what tables and plots show.  Runs nothing, draws nothing.

Performance is relative to a baseline, static(SB) where it was measured: geometric mean
over the rounds that both have of (baseline's time / time).  Only runs whose status is
"ok" count, never the warm-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, geometric_mean
from typing import Any

from ampbench.emulation import how_of
from ampbench.report import NOISE_LIMIT, order_key, others
from ampbench.stats import Estimate, estimate, paired

from .plan import TRACED
from .schedules import title

Record = dict[str, Any]

# Configurations that play a part in the paper, by the names that raw files give them:
# those of run-suite, then those of scripts/bench.
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
    runs: list[Record]
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
        types = sorted({r["types"] for r in self.runs if r.get("types") is not None})
        if types:
            out.append(f"core types in force: {'; '.join(types)}")
        if types and not any(":" in t for t in types):
            out.append("CAUTION: the library knew of one type of core: SB is BS, and AID is static")
        governors = sorted({str(r["governor"]) for r in self.runs if r.get("governor")})
        out.append("governor: " + ("; ".join(governors) or "not shown by this machine"))
        if governors and governors != ["performance"]:
            out.append("CAUTION: with another governor than performance, clocks vary")
        hottest = [r["hottest"] for r in self.runs if r.get("hottest") is not None]
        out.append(
            f"temperature: highest {max(hottest):.0f} C, lowest peak of a run {min(hottest):.0f} C"
            if hottest
            else "temperature: no sensor"
        )
        throttled = sum(1 for r in self.runs if r.get("throttled"))
        if throttled:
            out.append(f"CAUTION: the machine slowed itself because of heat in {throttled} runs")
        out.append(self.energy_note())
        noise = others(known for known in self.runs if known.get("status") == "ok")
        if noise is not None and noise > NOISE_LIMIT:
            out.append(f"NOISY: other processes took {noise:.2f} CPUs on average")
        return out

    def energy_note(self) -> str:
        energy = next((s["energy"] for s in self.sessions if s.get("energy")), None)
        if not energy or not energy["group"]:
            closed = f"; not readable: {energy['unreadable'][0]}" if energy and energy[
                "unreadable"] else ""  # fmt: skip
            return "energy: no sensor" + closed
        note = f"energy: {energy['group']}, the sum of {', '.join(energy['meters'])}"
        lasting = [r["seconds"] for r in self.runs if r.get("energy") is not None]
        if lasting and energy["group"] != "rapl" and min(lasting) < SHORT_RUN:
            note += f"; CAUTION: some runs are shorter than {SHORT_RUN:g} s, too short for it"
        return note

    def measures_energy(self) -> bool:
        return any(c.energy for p in self.programs for c in p.cells.values())


def fastest(p: ProgramResult, configs: Iterable[str]) -> str | None:
    known = [(c.mean, n) for n in configs if (c := p.cells.get(n)) and c.mean]
    return min(known)[1] if known else None


def of_bench(records: Sequence[Record]) -> list[Record]:
    """Records of scripts/bench in the form of run-suite's; `suite` is the machine."""
    out = []
    for r in records:
        if r["type"] == "run" and "kernel" in r:
            if r["config"].partition(":")[0] in ("split", "single") or r["kernel"] == "empty":
                continue
            ratio = float(r["ratio"])
            machine = "equal cores" if ratio == 1 else f"emulated AMP, ratio {ratio:g}"
            out.append({**r, "machine": machine, "suite": "", "own": r["seconds"],
                        "program": f"{r['kernel']} {r['class']}", "round": r["round"]})  # fmt: skip
        elif r["type"] == "emulation":
            out.append({**r, "machine": f"emulated AMP, ratio {float(r['ratio']):g}"})
        else:
            out.append(r)
    return out


def platforms(
    records: Sequence[Record], name: str, *, own: bool = False, baseline: str | None = None
) -> list[Platform]:
    """The platforms of a raw file: one, or of scripts/bench one a ratio of speeds.

    OWN: the seconds that programs report themselves, where they do.
    """
    if any("kernel" in r for r in records):
        records = of_bench(records)
    machines = dict.fromkeys(r.get("machine", "") for r in records if r["type"] == "run")
    out = []
    for machine in machines:
        mine = [r for r in records if r.get("machine", machine) == machine
                or r["type"] == "session"]  # fmt: skip
        title_ = f"{name}: {machine}" if machine else name
        out.append(platform_of(mine, title_, own, baseline))
    return out


def platform_of(records: Sequence[Record], name: str, own: bool, baseline: str | None) -> Platform:
    programs: dict[tuple[str, str], ProgramResult] = {}
    p = Platform(name, [r for r in records if r["type"] == "session"], [], [], None, [])
    for r in records:
        if r["type"] not in ("program", "run", "sf"):
            if r["type"] == "emulation" and r["round"] > 0:
                for cpu, values in (r["reached"] or {}).items():
                    p.emulation.setdefault(int(cpu), []).extend(values)
            continue
        key = (r["suite"], r["program"])
        program = programs.setdefault(key, ProgramResult(*key))
        if r["type"] == "program":
            program.about, program.command = r["about"], r["command"]
            program.missing = r["missing"]
        elif r["type"] == "sf":
            program.loops = r.get("loops") or program.loops
        elif r["round"] == TRACED:
            if r["status"] == "ok" and r.get("trace"):
                p.traces.append((f"{program.title} under {title(r['config'])}", r["trace"]))
        else:
            add_run(program, r, own)
            if r["config"] not in p.configs:
                p.configs.append(r["config"])
            if r["round"] > 0:
                p.runs.append(r)
    p.programs = list(programs.values())
    # scripts/bench shuffles; its own tables have an order by runtime.
    order = next(
        (s["configs"] for s in p.sessions if s.get("configs")), sorted(p.configs, key=order_key)
    )

    def rank(config: str) -> int:
        return order.index(config) if config in order else len(order)

    p.configs.sort(key=rank)
    for program in p.programs:
        program.cells = dict(sorted(program.cells.items(), key=lambda c: rank(c[0])))
    wanted = [baseline] if baseline else [*STATIC_SB, *STATIC_BS, *p.configs]
    p.baseline = p.pick(wanted)
    return p


def add_run(program: ProgramResult, r: Record, own: bool) -> None:
    cell = program.cells.setdefault(r["config"], Cell())
    if r["status"] != "ok":
        cell.bad[r["status"]] = cell.bad.get(r["status"], 0) + 1
        if r["status"] != "skipped" or not cell.why:
            cell.why = r.get("why") or r.get("stderr", "").partition("\n")[0]
        return
    if r["round"] < 1:
        return
    seconds = r.get("own") if own and r.get("own") is not None else r["seconds"]
    # A time of 0 has no ratio; programs that print few digits can report one.
    if not seconds or seconds <= 0:
        cell.bad["no time"] = cell.bad.get("no time", 0) + 1
        return
    cell.seconds[r["round"]] = seconds
    cell.throttled += bool(r.get("throttled"))
    # A counter that did not move says nothing.
    if (r.get("energy") or 0) > 0:
        cell.energy[r["round"]] = r["energy"]
        cell.edp[r["round"]] = r["edp"]
