# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of `scripts/bench device`, and the chips that it simulates.  Runs nothing.

The chips are those of the paper that libamp-device follows (Corbera et al., Reducing overheads of
dynamic scheduling on heterogeneous chips); what its text tells of them is in CHIPS, and so is what
had to be assumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from .record import Record, runs
from .tables import Verdict, grid, targets

PERCENTS = tuple(range(0, 101, 10))
CHUNKS = (64, 256, 512, 1024, 2048, 4096, 8192)
LEAST_SHARE, LEAST_RATE, MOST_SCHEDULING = 0.93, 0.90, 0.001


@dataclass(frozen=True)
class Chip:
    """RATE is the device's, in cores, with chunks of KNEE (the paper's table 1).

    RATE follows from the best percentages of table 1: with K cores P percent go to a device whose
    rate with one large chunk is K P / (100 - P); that is SLOWER times less than its best.  SLOWER
    is assumed: the paper shows in pictures only that large chunks are slower.  COST, in ms an
    iteration on a core, follows from the times and shares of kernel launches (section 4.2), COPY
    from the shares of copies, DISPATCH, without priority and with more threads than cores, from
    that of thread dispatch.  FILL: 20 units of 16 on Haswell, in the text; 6 units of 16 on Ivy
    Bridge's HD 2500; 64 is assumed on Exynos."""

    name: str
    rate: float
    knee: int
    fill: int
    cost: float
    launch: float
    copy: float
    dispatch: float
    slower: float = 1.25

    def words(self, cores: str, dispatch: float = 0.0) -> list[str]:
        numbers = {
            "rate": self.rate, "knee": self.knee, "fill": self.fill, "least": self.fill,
            "cost": self.cost, "launch": self.launch, "copy": self.copy, "dispatch": dispatch,
            "slower": self.slower, "chunk": self.knee,
        }  # fmt: skip
        return [f"cores={cores}", *(f"{k}={v:g}" for k, v in numbers.items())]


CHIPS = (
    Chip("Ivy Bridge", 3.5, 1536, 96, 0.137, 1.8, 0.3, 17.0),
    Chip("Haswell", 10.2, 2048, 320, 1.245, 1.0, 1.2, 123.0),
    Chip("Exynos", 1.09, 2048, 64, 0.096, 3.6, 8.0, 0.15),
)
# A little core of Exynos, in big ones: from the paper's 4+1 and 8+1.
LITTLE = 0.28
# What the paper says: the sign of (dynamic, 4+1) - (bulk, 3+1), and so on.
PAPER = {
    "Ivy Bridge": {"bulk 3+1": "50", "bulk 4+1": "40", "pri": "1.10"},
    "Haswell": {"bulk 3+1": "70", "bulk 4+1": "70", "pri": "1.37"},
    "Exynos": {"bulk 3+1": "20", "bulk 4+1": "20", "pri": "about 1"},
}

Simulation = Mapping[str, Any]


def team(k: int) -> str:
    return f"{k}:1"


def exynos(k: int, host_little: bool) -> str:
    """The cores of K threads.  The host's takes part of one where all have threads; with seven
    the kernel puts them on the cores that the host leaves."""
    host = 0.06  # copies and launches, of a big core
    if k <= 4:
        return team(k)
    little = k - 4
    if host_little and k == 8:
        return f"4:1,{little - 1}:{LITTLE},1:{LITTLE - host:g}"
    if k == 8 or not host_little:
        return f"3:1,1:{1 - host:g},{little}:{LITTLE}"
    return f"4:1,{little}:{LITTLE}"


def figure_2(chip: Chip, found: Mapping[str, Simulation]) -> list[str]:
    """Times of one chip over those of Bulk-Oracle 3+1; beside them what the paper tells."""
    base = found["bulk 3+1"]["seconds"]
    row = [chip.name]
    for name in COLUMNS:
        one = found[name]
        text = f"{one['seconds'] / base:.3f}"
        if name.startswith("bulk"):
            text += f" ({one['percent']} %; paper {PAPER[chip.name][name]} %)"
        elif name.startswith("adaptive"):
            text += f" (G {one['chunk']})"
        row.append(text)
    return row


COLUMNS = (
    "bulk 3+1", "bulk 4+1", "dynamic 3+1", "dynamic 4+1", "pri 4+1", "adaptive 3+1", "adaptive 4+1",
)  # fmt: skip


def simulated_report(
    found: Mapping[str, Mapping[str, Simulation]],
    sizes: Sequence[tuple[int, float]],
    little: Mapping[str, Mapping[str, Simulation]],
) -> str:
    """All tables.  FOUND: chip -> column -> what was simulated; SIZES: chunks and rates on
    Haswell; LITTLE: team -> where the host thread is -> what was simulated on Exynos."""
    out = ["Figures 2 and 6: time over that of Bulk-Oracle 3+1", ""]
    out += grid([["chip", *COLUMNS], *(figure_2(c, found[c.name]) for c in CHIPS)]).splitlines()
    rows = [["chip", "dynamic over pri, 4+1", "the paper's"]]
    for c in CHIPS:
        ratio = found[c.name]["dynamic 4+1"]["seconds"] / found[c.name]["pri 4+1"]["seconds"]
        rows.append([c.name, f"{ratio:.3f}", PAPER[c.name]["pri"]])
    out += ["", "Priority of the host thread (the paper's 10 % and 37 %)", "", *grid(rows).splitlines()]
    rows = [["chip", "team", "copies %", "launch %", "dispatch %", "kernel %"]]
    for c in CHIPS:
        for name in ("dynamic 3+1", "dynamic 4+1", "pri 4+1"):
            one = found[c.name][name]
            parts = [one[k] for k in ("copies", "launch", "dispatch", "kernel")]
            rows.append([c.name, name, *(f"{100 * p:.2f}" for p in parts)])
    out += ["", "Figure 5: overheads, of the time", "", *grid(rows).splitlines()]
    rows = [["chunk", "rate over the best"]]
    best = max(rate for _, rate in sizes)
    rows += [[str(n), f"{rate / best:.3f}"] for n, rate in sizes]
    out += ["", "Figure 1e: Haswell's device, one time step (best at 640)", "", *grid(rows).splitlines()]
    rows = [["team", *(next(iter(little.values())))]]
    base = little["4+1"]["dynamic"]["seconds"]
    for name, columns in little.items():
        rows.append([name, *(f"{one['seconds'] / base:.3f}" for one in columns.values())])
    out += ["", "Figure 7: Exynos, time over that of dynamic 4+1 (paper: 8+1 is 1 / 1.22 = 0.82)", "",
            *grid(rows).splitlines(), "", *targets(judge_simulated(found))]  # fmt: skip
    return "\n".join(out)


def judge_simulated(found: Mapping[str, Mapping[str, Simulation]]) -> list[Verdict]:
    """The signs that the paper's text tells."""
    out = []
    for c in CHIPS:
        t = {name: one["seconds"] for name, one in found[c.name].items()}
        ahead = t["dynamic 3+1"] < t["bulk 3+1"]
        out.append(Verdict(f"{c.name}: dynamic ahead of Bulk-Oracle, 3+1",
                           f"{t['dynamic 3+1'] / t['bulk 3+1']:.3f}", ahead))  # fmt: skip
        worse = t["dynamic 4+1"] > t["dynamic 3+1"]
        wanted = c.name == "Haswell"
        out.append(Verdict(f"{c.name}: 4+1 {'behind' if wanted else 'ahead of'} 3+1, dynamic",
                           f"{t['dynamic 4+1'] / t['dynamic 3+1']:.3f}", worse == wanted))  # fmt: skip
        gain = t["dynamic 4+1"] / t["pri 4+1"]
        small = abs(gain - 1.0) < 0.02
        out.append(Verdict(f"{c.name}: priority {'changes little' if c.name == 'Exynos' else 'helps'}",
                           f"{gain:.3f}", small == (c.name == "Exynos")))  # fmt: skip
    return out


def at_640(chip: Chip) -> Chip:
    """The device in the time step of figure 1."""
    return replace(chip, knee=640)


# What was measured.


@dataclass(frozen=True)
class Case:
    """All runs of one program at one ratio: configuration -> their reports."""

    kernel: str
    ratio: float
    reports: dict[str, list[Record]]

    def seconds(self, config: str) -> float | None:
        found = [r["loop_seconds"] for r in self.reports.get(config, ())]
        return median(found) if found else None

    def rate(self, config: str) -> float | None:
        """Of the device, in iterations per second, with all that a chunk costs."""
        parts = ("to_device", "launch", "kernel_seconds", "from_device", "dispatch")
        found = []
        for r in self.reports.get(config, ()):
            busy = sum(r[k] for k in parts)
            if busy > 0 and r["chunks"]:
                found.append(r["on_devices"] * r["n_iterations"] / busy)
        return median(found) if found else None

    @property
    def dynamic(self) -> list[str]:
        return [c for c in self.reports if c.startswith("dynamic,")]

    def rate_near(self, chunk: int) -> float | None:
        """With the size nearest to CHUNK that was tried, if none is twice off."""
        near = {max(c / chunk, chunk / c): f"dynamic,{c}" for c in CHUNKS} if chunk else {}
        return self.rate(near[min(near)]) if near and min(near) < 2 else None

    @property
    def best_rate(self) -> float | None:
        found = [r for c in self.dynamic if (r := self.rate(c))]
        return max(found) if found else None

    @property
    def ideal(self) -> float | None:
        """Seconds, if the cores alone and the device at its best did not hinder one another."""
        alone = self.seconds("off")
        rate = self.best_rate
        if not alone or not rate:
            return None
        n = self.reports["off"][0]["n_iterations"]
        return float(n / (n / alone + rate))

    def joules(self, config: str | None) -> float | None:
        """Of the whole program."""
        found = [r["joules"] for r in self.reports.get(config or "", ()) if "joules" in r]
        return median(found) if found else None

    def best(self, front: str) -> str | None:
        known = {c: s for c in self.reports if c.startswith(front) and (s := self.seconds(c))}
        return min(known, key=lambda c: known[c]) if known else None

    def share(self, config: str | None) -> float | None:
        seconds = self.seconds(config) if config else None
        return self.ideal / seconds if seconds and self.ideal else None

    @property
    def adaptive_chunk(self) -> int | None:
        found = self.reports.get("adaptive", ())
        return int(median(r["chunk"] for r in found)) if found else None

    @property
    def scheduling(self) -> float | None:
        found = [r["scheduling"] / r["loop_seconds"]
                 for c in [*self.dynamic, "adaptive"] for r in self.reports.get(c, ())]  # fmt: skip
        return max(found) if found else None


def cases(records: Sequence[Record]) -> list[Case]:
    out: dict[tuple[str, float], dict[str, list[Record]]] = {}
    for r in runs(records):
        if r.ok:
            out.setdefault((r.kernel, r.ratio), {}).setdefault(r.config, []).append(r.report)
    return [Case(*key, found) for key, found in out.items()]


def scene(ratio: float) -> str:
    if ratio == 1:
        return "equal"
    return f"device {ratio:g} times slower" if ratio > 1 else f"core {1 / ratio:g} times slower"


def text(value: float | None, form: str = ".3f") -> str:
    return format(value, form) if value is not None else "-"


def energy_table(some: Sequence[Case]) -> list[str]:
    """Nothing where nothing was measured."""
    rows = [["program", "machine", "", "joules", "joules times seconds"]]
    for case in some:
        for config in ("off", case.best("bulk,"), case.best("dynamic,"), "adaptive"):
            joules, seconds = case.joules(config), case.seconds(config or "")
            if joules and seconds:
                rows.append([case.kernel, scene(case.ratio), str(config), f"{joules:.2f}",
                             f"{joules * seconds:.2f}"])  # fmt: skip
    return ["", *grid(rows).splitlines()] if len(rows) > 1 else []


def measured_report(records: Sequence[Record]) -> str:
    rows = [["program", "machine", "best bulk", "share", "best dynamic", "share", "adaptive",
             "share", "its G's rate", "scheduling"]]  # fmt: skip
    verdicts = []
    for case in cases(records):
        bulk, dynamic = case.best("bulk,"), case.best("dynamic,")
        adaptive, best = case.share("adaptive"), case.best_rate
        rate = case.rate_near(case.adaptive_chunk or 0)
        relative = rate / best if rate and best else None
        rows.append([
            case.kernel, scene(case.ratio), bulk or "-", text(case.share(bulk)), dynamic or "-",
            text(case.share(dynamic)), f"G {case.adaptive_chunk}", text(adaptive), text(relative),
            text(case.scheduling, ".4%"),
        ])  # fmt: skip
        if case.kernel != "barneshut":
            continue
        where = f"{case.kernel}, {scene(case.ratio)}"
        for name, share in (("dynamic", case.share(dynamic)), ("adaptive", adaptive)):
            met = share >= LEAST_SHARE if share is not None else None
            verdicts.append(Verdict(f"{where}: {name}, {LEAST_SHARE} of the ideal", text(share), met))
            other = case.share(bulk)
            ahead = share > other if share is not None and other is not None else None
            verdicts.append(Verdict(f"{where}: {name} ahead of the best bulk", text(other), ahead))
        met = relative >= LEAST_RATE if relative is not None else None
        verdicts.append(Verdict(f"{where}: adaptive's G, {LEAST_RATE} of the best G's rate",
                                text(relative), met))  # fmt: skip
        part = case.scheduling
        met = part < MOST_SCHEDULING if part is not None else None
        verdicts.append(Verdict(f"{where}: scheduling below {MOST_SCHEDULING:.1%}",
                                text(part, ".4%"), met))  # fmt: skip
    out = [
        "share: of the ideal, the cores alone and the device at its best rate, added up;",
        "its G's rate: the device's with a G near adaptive's over that with the best G", "",
        *grid(rows).splitlines(), *energy_table(cases(records)), "", *targets(verdicts),
    ]  # fmt: skip
    return "\n".join(out)
