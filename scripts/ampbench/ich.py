# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the iCh paper (section 6): applications, methods, tables.

Configurations are amp:SCHEDULE@THREADS and task:threads@THREADS.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

from .compared import alone, failures, heading, others, times
from .config import Config, configs
from .record import Record, Run, cpus_of, runs
from .stats import Estimate, estimate, ideal_by_round, paired
from .tables import columns, counts, interval, noise, targets

# The paper's table 2.  "threads": as many tasks as threads.
METHODS: dict[str, tuple[str, ...]] = {
    "guided": ("guided,1", "guided,2", "guided,3"),
    "dynamic": ("dynamic,1", "dynamic,2", "dynamic,3"),
    "taskloop": ("threads",),
    "binlpt": ("binlpt,128", "binlpt,384", "binlpt,576"),
    "stealing": ("steal,1", "steal,2", "steal,3", "steal,64"),
    "ich": ("ich,25", "ich,33", "ich,50"),
}
# iCh as the paper has it where ours knows of core types: not one of the six.
PUBLISHED = "ich as published"
PUBLISHED_SCHEDULES = ("ich,25,1", "ich,33,1", "ich,50,1")
# What --quick runs.
QUICK_APPS = "synth-exp-inc,synth-exp-dec,bfs-scale-free,kmeans,lavamd,spmv-circuit,spmv-web"
# Targets that the project sets itself.
WORST_RANK = 3
MEAN_EXCESS = 1.05


def method_of(config: str) -> str | None:
    """The method that a configuration's name belongs to; None for baselines."""
    runtime, _, schedule = config.partition(":")
    schedule = schedule.partition("@")[0]
    if runtime == "task":
        return "taskloop"
    if runtime != "amp":
        return None
    if schedule in PUBLISHED_SCHEDULES:
        return PUBLISHED
    return next((m for m, known in METHODS.items() if schedule in known), None)


def rejected(library: Path, schedule: str) -> str | None:
    """What LIBRARY says against OMP_SCHEDULE=SCHEDULE, or None."""
    done = subprocess.run(
        ["/bin/true"],
        env={"LD_PRELOAD": str(library), "OMP_SCHEDULE": schedule},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=20,
        check=False,
    )
    said = done.stderr.strip()
    return said or (f"status {done.returncode}" if done.returncode else None)


def available(
    library: Path, wanted: Iterable[str], emulated: bool
) -> tuple[dict[str, tuple[str, ...]], dict[str, str]]:
    """Methods with the schedules that LIBRARY accepts, and why the others are left out."""
    have: dict[str, tuple[str, ...]] = {}
    lack: dict[str, str] = {}
    candidates = {m: METHODS[m] for m in wanted}
    if emulated and "ich" in candidates:
        candidates[PUBLISHED] = PUBLISHED_SCHEDULES
    for method, schedules in candidates.items():
        if method == "taskloop":
            have[method] = schedules
            continue
        good = []
        for schedule in schedules:
            why = rejected(library, schedule)
            if why is None:
                good.append(schedule)
            else:
                lack[schedule] = re.sub(r"\s+", " ", why)[:200]
        if good:
            have[method] = tuple(good)
    return have, lack


def configurations(
    methods: Mapping[str, Sequence[str]], threads: Sequence[int], cpus: Sequence[int], ratio: float
) -> list[Config]:
    """Everything that one application is run under.

    The slowed CPUs come last, so that fewer threads than CPUs are not on an AMP:
    emulated, only all of them are used.
    """
    out = [Config("stock", "static"), *configs("single", *cpus)]
    for p in threads if ratio == 1.0 else [len(cpus)]:
        for method, schedules in methods.items():
            if method == PUBLISHED and ratio == 1.0:
                continue
            runtime = "task" if method == "taskloop" else "amp"
            out += [Config(runtime, s, p) for s in schedules]
    return out


# From here on: what raw records say.


@dataclass(frozen=True, order=True)
class Setting:
    """Where a loop ran: on how many threads, how unequal, really or in a simulation."""

    simulated: bool
    ratio: float
    threads: int

    def __str__(self) -> str:
        text = f"{self.threads} thread" + ("s" if self.threads > 1 else "")
        if self.ratio != 1.0:
            text += f", {self.ratio:g}x AMP" if self.ratio else ", its own types of cores"
        return text + (", simulated" if self.simulated else "")


@dataclass(frozen=True)
class Result:
    """One method with the best of its parameters (by the median)."""

    method: str
    config: str
    by_round: dict[int, float]

    @property
    def seconds(self) -> float:
        return median(self.by_round.values())

    @property
    def parameter(self) -> str:
        return self.config.partition(":")[2].partition("@")[0]


@dataclass
class Panel:
    """One application in one setting."""

    app: str
    klass: str
    setting: Setting
    results: list[Result]  # fastest first; PUBLISHED beside the six
    all: dict[str, dict[int, float]]  # configuration -> round -> seconds
    serial: dict[int, float]  # one thread on the fastest CPU, by round
    ideal: dict[int, float]
    failed: dict[str, dict[str, int]]
    others: float | None

    def result(self, method: str) -> Result | None:
        return next((r for r in self.results if r.method == method), None)

    @property
    def six(self) -> list[Result]:
        return [r for r in self.results if r.method != PUBLISHED]

    def rank(self, method: str) -> int | None:
        """1 is the fastest of the six methods."""
        return next((i for i, r in enumerate(self.six, 1) if r.method == method), None)

    def speedup(self, result: Result) -> Estimate | None:
        ratios = paired(self.serial, result.by_round)
        return estimate(ratios) if ratios else None

    def excess(self, result: Result) -> Estimate | None:
        """Time over that of the fastest of the six."""
        ratios = paired(result.by_round, self.six[0].by_round) if self.six else []
        return estimate(ratios) if ratios else None

    def extremes(self, method: str) -> tuple[float, float] | None:
        """Least and greatest median over a method's parameters, when all were measured."""
        wanted = PUBLISHED_SCHEDULES if method == PUBLISHED else METHODS[method]
        found = [
            median(by_round.values())
            for config, by_round in self.all.items()
            if by_round and method_of(config) == method
        ]
        return (min(found), max(found)) if len(found) == len(wanted) else None

    @property
    def epsilon_ratio(self) -> float | None:
        """Equation 10: the worst iCh over the best, over the epsilons."""
        ich = self.extremes("ich")
        return ich[1] / ich[0] if ich else None

    @property
    def stealing_ratio(self) -> float | None:
        """Equation 11: the best stealing over the worst iCh; below 1 stealing wins."""
        ich, steal = self.extremes("ich"), self.extremes("stealing")
        return steal[0] / ich[1] if ich and steal else None


def setting_of(run: Run, cpus: int) -> Setting:
    """THREADS of baselines is that of the whole machine."""
    threads = run.config.partition("@")[2]
    return Setting(bool(run.source), run.ratio, int(threads) if threads else cpus)


def panels(records: Sequence[Record]) -> list[Panel]:
    """All of a raw file, by application and setting.

    Records of a simulation have the form of runs, with "source": "simulation".
    """
    cpus = cpus_of(records)
    groups: dict[tuple[str, str, Setting], list[Run]] = {}
    common: dict[tuple[str, str, float, bool], list[Run]] = {}
    for r in runs(records):
        if method_of(r.config) is None:
            common.setdefault((r.kernel, r.klass, r.ratio, bool(r.source)), []).append(r)
        else:
            groups.setdefault((r.kernel, r.klass, setting_of(r, len(cpus))), []).append(r)
    out = []
    for key in sorted(groups):
        app, klass, setting = key
        seconds = times(groups[key])
        # A simulation without a lane of its own has the machine's.
        mine = common.get((app, klass, setting.ratio, setting.simulated))
        singles = alone(times(mine or common.get((app, klass, setting.ratio, False), [])), cpus)
        best: dict[str, Result] = {}
        for config, by_round in seconds.items():
            method = method_of(config)
            if method is None or not by_round:
                continue
            found = Result(method, config, by_round)
            if method not in best or found.seconds < best[method].seconds:
                best[method] = found
        whole = setting.threads == len(cpus) and not setting.simulated
        failed = {c: failures(groups[key], c) for c in seconds}
        out.append(
            Panel(
                app=app, klass=klass, setting=setting,
                results=sorted(best.values(), key=lambda r: r.seconds), all=seconds,
                serial=singles[cpus[0]] if cpus else {},
                ideal=ideal_by_round(singles, cpus) if whole else {},
                failed={c: f for c, f in failed.items() if f}, others=others(groups[key]),
            )
        )  # fmt: skip
    return out


def format_panel(panel: Panel) -> str:
    out = [f"{panel.app} class {panel.klass}, {panel.setting}"]
    if panel.ideal:
        out[0] += f"; ideal {median(panel.ideal.values()):.4f} s"
    if loud := noise(panel.others):
        out.append("  " + loud)
    rows = [["method", "best of its own", "median s", "", "speedup", "to the fastest", "n"]]
    for r in panel.results:
        rows.append([r.method, r.parameter, f"{r.seconds:.4f}", "", interval(panel.speedup(r)),
                     interval(panel.excess(r)), str(len(r.by_round))])  # fmt: skip
    out += columns(rows, (-18, -16, 9, 2, -22, -22, 3))
    out += [f"  FAILED {config}: {counts(what)}" for config, what in sorted(panel.failed.items())]
    epsilon, stealing = panel.epsilon_ratio, panel.stealing_ratio
    if epsilon:
        text = f"  worst / best epsilon {epsilon:.3f}"
        out.append(text + (f"; best stealing / worst ich {stealing:.3f}" if stealing else ""))
    return "\n".join(out)


def summary(some: Sequence[Panel]) -> list[str]:
    """For each method over the applications of one setting: its ranks and its excess."""
    rows = [["method", "first", "top 3", "worst", "gmean excess", "worst excess"]]
    for method in (*METHODS, PUBLISHED):
        found = [(p, r) for p in some if (r := p.result(method))]
        excess = [e.value for p, r in found if (e := p.excess(r))]
        ranks = [k for p, _ in found if (k := p.rank(method))]
        if excess:
            places = [ranks.count(1), sum(k <= 3 for k in ranks), max(ranks)] if ranks else [""] * 3
            means = [f"{geometric_mean(excess):.3f}", f"{max(excess):.3f}"]
            rows.append([method, *map(str, places), *means])
    return columns(rows, (-18, 6, 6, 6, 14, 14))


def program_of(app: str) -> str:
    return app.partition("-")[0]


def met(good: bool) -> str:
    return "met" if good else "NOT MET"


def verdicts(all_panels: Sequence[Panel]) -> list[str]:
    """Targets: the five applications (inputs of one by their geometric mean)."""
    out: list[str] = []
    for setting in sorted({p.setting for p in all_panels}):
        if setting.threads < 2:
            continue
        some = [p for p in all_panels if p.setting == setting]
        missing = [m for m in METHODS if not all(p.result(m) for p in some)]
        if missing:
            out.append(f"not judged: {setting}: no complete data for {', '.join(missing)}")
            continue
        by_program: dict[str, list[Panel]] = {}
        for p in some:
            by_program.setdefault(program_of(p.app), []).append(p)
        ranks: dict[str, int] = {}
        excess: dict[str, float] = {}
        for program, mine in by_program.items():
            mean = {
                m: geometric_mean([p.result(m).seconds for p in mine])  # type: ignore[union-attr]
                for m in METHODS
            }
            ranks[program] = sorted(mean, key=mean.__getitem__).index("ich") + 1
            excess[program] = mean["ich"] / min(mean.values())
        worst = max(ranks, key=ranks.__getitem__)
        average = geometric_mean(list(excess.values()))
        out.append(
            f"{met(ranks[worst] <= WORST_RANK)}: {setting}: ich among the best"
            f" {WORST_RANK} of {len(METHODS)}: at worst number {ranks[worst]} ({worst})"
        )
        out.append(
            f"{met(average <= MEAN_EXCESS)}: {setting}: ich within"
            f" {100 * (MEAN_EXCESS - 1):.0f} % of the best on average: {average:.3f} ("
            + ", ".join(f"{k} {v:.3f}" for k, v in excess.items())
            + ")"
        )
        gains = []
        for p in some:
            ours, theirs = p.result("ich"), p.result(PUBLISHED)
            if ours and theirs and (e := paired(theirs.by_round, ours.by_round)):
                gains.append(median(e))
        if gains:
            gain = geometric_mean(gains)
            out.append(
                f"{met(gain > 1)}: {setting}: ich that knows of core types beats"
                f" ich as published: {gain:.3f} times as fast (gmean of {len(gains)})"
            )
    return out


def full_report(records: Sequence[Record]) -> str:
    """Everything that is printed at the end, or by --tables-from."""
    # amp-sim's own records have no session.
    out = heading(records)
    all_panels = panels(records)
    if not all_panels:
        return "\n\n".join([*out, "no measured runs"])
    out += [format_panel(p) for p in all_panels]
    for setting in sorted({p.setting for p in all_panels}):
        some = [p for p in all_panels if p.setting == setting]
        out.append(
            f"{setting}, over {len(some)} inputs (six methods, each with its best parameter;"
            " excess: time to the fastest)\n" + "\n".join(summary(some))
        )
    return "\n\n".join([*out, *targets(verdicts(all_panels))])
