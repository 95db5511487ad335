# SPDX-License-Identifier: GPL-3.0-or-later
"""The evaluation of the iCh paper (section 6): applications, methods, tables.

A configuration's name is RUNTIME:SCHEDULE@THREADS, RUNTIME being amp (a
worksharing loop on our libgomp) or task (the taskloop build on the same).
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean, median

from .configs import Config, Kernel
from .report import Record, failures, others, times
from .runner import Setup
from .stats import Estimate, estimate, ideal_by_round, paired

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
# scripts/bench-ich --quick.
QUICK_APPS = "synth-exp-inc,synth-exp-dec,bfs-scale-free,kmeans,lavamd,spmv-circuit,spmv-web"
EPSILONS = tuple(s.split(",")[1] for s in METHODS["ich"])
# Targets that the project sets itself.
WORST_RANK = 3
MEAN_EXCESS = 1.05


@dataclass(frozen=True)
class App(Kernel):
    """An application with one of its inputs: NAME is PROGRAM-INPUT, or PROGRAM."""

    program: str = ""
    input: str = ""
    arguments: tuple[str, ...] = ()
    workload: bool = False  # whether it can tell what its iterations cost


def load_apps(path: Path) -> dict[str, App]:
    """The rows of group "ich" of benchmarks/kernels/kernels.json, each with each input."""
    out: dict[str, App] = {}
    for row in json.loads(path.read_text(encoding="utf-8"))["kernels"]:
        if row.get("group") != "ich":
            continue
        for name, arguments in row["inputs"].items():
            app = App(
                name=f"{row['name']}-{name}" if name else row["name"],
                classes=row["classes"],
                quick=row["quick"],
                default=row["default"],
                split=False,
                memory_bound=row["memory_bound"],
                overhead_only=False,
                what=row["what"],
                program=row["name"],
                input=name,
                arguments=tuple(arguments),
                workload=row["workload"],
            )
            out[app.name] = app
    return out


def parts(config: Config) -> tuple[str, int | None]:
    """Schedule and number of threads (None: all)."""
    schedule, at, threads = config.schedule.partition("@")
    return schedule, int(threads) if at else None


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


@dataclass
class AppSetup(Setup):
    """Setup for configurations with a number of threads and programs with inputs."""

    def __post_init__(self) -> None:
        if "amp" in self.runtimes:
            self.runtimes["task"] = self.runtimes["amp"]

    def program(self, config: Config, kernel: Kernel) -> Path:
        assert isinstance(kernel, App)
        folder = "taskloop" if config.runtime == "task" else config.binary
        return self.build / "bench" / folder / kernel.program

    def threads(self, config: Config) -> int:
        return parts(config)[1] or super().threads(config)

    def places(self, config: Config) -> list[int]:
        threads = parts(config)[1]
        return self.cpus[:threads] if threads else super().places(config)

    def environment(self, config: Config, types: str | None) -> dict[str, str]:
        env = super().environment(config, types)
        env.pop("OMP_SCHEDULE", None)
        if config.runtime == "amp":
            env["OMP_SCHEDULE"] = parts(config)[0]
        return env

    def command(self, config: Config, kernel: Kernel, klass: str) -> list[str]:
        assert isinstance(kernel, App)
        command = [str(self.program(config, kernel)), klass, *kernel.arguments]
        if kernel.workload and config.schedule.startswith("binlpt"):
            command.append("--workload")
        return command


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
    out = [Config("stock", "static")]
    out += [Config("single", str(c)) for c in cpus]
    for p in threads if ratio == 1.0 else [len(cpus)]:
        for method, schedules in methods.items():
            if method == PUBLISHED and ratio == 1.0:
                continue
            runtime = "task" if method == "taskloop" else "amp"
            out += [Config(runtime, f"{s}@{p}") for s in schedules]
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
            text += f", {self.ratio:g}x AMP"
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


def setting_of(record: Record, cpus: int) -> Setting:
    """THREADS of baselines is that of the whole machine."""
    _, at, threads = record["config"].partition("@")
    return Setting(
        simulated=record.get("source") == "simulation",
        ratio=float(record["ratio"]),
        threads=int(threads) if at else cpus,
    )


def panels(records: Sequence[Record]) -> list[Panel]:
    """All of a raw file, by application and setting.

    Records of a simulation have the form of runs, with "source": "simulation".
    """
    sessions = [r for r in records if r["type"] == "session"]
    cpus = list(sessions[0]["pinning"]["cpus"]) if sessions else []
    runs = [r for r in records if r["type"] == "run" and r["round"] > 0]
    groups: dict[tuple[str, str, Setting], list[Record]] = {}
    common: dict[tuple[str, str, float, bool], list[Record]] = {}
    for r in runs:
        if method_of(r["config"]) is None:
            simulated = r.get("source") == "simulation"
            key_ = (r["kernel"], r["class"], float(r["ratio"]), simulated)
            common.setdefault(key_, []).append(r)
        else:
            key = (r["kernel"], r["class"], setting_of(r, len(cpus)))
            groups.setdefault(key, []).append(r)
    out = []
    for key in sorted(groups):
        app, klass, setting = key
        seconds = times(groups[key])
        # A simulation without a lane of its own has the machine's.
        mine = common.get((app, klass, setting.ratio, setting.simulated))
        base = times(mine or common.get((app, klass, setting.ratio, False), []))
        singles = {c: base.get(f"single:{c}", {}) for c in cpus}
        best: dict[str, Result] = {}
        for config, by_round in seconds.items():
            method = method_of(config)
            if method is None or not by_round:
                continue
            found = Result(method, config, by_round)
            if method not in best or found.seconds < best[method].seconds:
                best[method] = found
        fastest = singles[cpus[0]] if cpus else {}
        whole = setting.threads == len(cpus) and not setting.simulated
        failed = {c: failures(groups[key], c) for c in seconds}
        out.append(
            Panel(
                app=app,
                klass=klass,
                setting=setting,
                results=sorted(best.values(), key=lambda r: r.seconds),
                all=seconds,
                serial=fastest,
                ideal=ideal_by_round(singles, cpus) if whole else {},
                failed={c: f for c, f in failed.items() if f},
                others=others(groups[key]),
            )
        )
    return out


def interval(e: Estimate | None) -> str:
    return f"{e.value:.3f} [{e.low:.3f} {e.high:.3f}]" if e else "-"


def format_panel(panel: Panel, noise_limit: float) -> str:
    out = [f"{panel.app} class {panel.klass}, {panel.setting}"]
    if panel.ideal:
        out[0] += f"; ideal {median(panel.ideal.values()):.4f} s"
    if panel.others is not None and panel.others > noise_limit:
        out.append(
            f"  NOISY: other processes took {panel.others:.2f} CPUs on average; do not trust this"
        )
    out.append(
        f"  {'method':<18}{'best of its own':<16}{'median s':>9}  {'speedup':<22}"
        f"{'to the fastest':<22}{'n':>3}"
    )
    for r in panel.results:
        out.append(
            f"  {r.method:<18}{r.parameter:<16}{r.seconds:>9.4f}  "
            f"{interval(panel.speedup(r)):<22}{interval(panel.excess(r)):<22}{len(r.by_round):>3}"
        )
    for config, what in sorted(panel.failed.items()):
        out.append(f"  FAILED {config}: " + ", ".join(f"{s} x{n}" for s, n in sorted(what.items())))
    epsilon, stealing = panel.epsilon_ratio, panel.stealing_ratio
    if epsilon:
        text = f"  worst / best epsilon {epsilon:.3f}"
        if stealing:
            text += f"; best stealing / worst ich {stealing:.3f}"
        out.append(text)
    return "\n".join(out)


def summary(some: Sequence[Panel]) -> list[str]:
    """For each method over the applications of one setting: its ranks and its excess."""
    out = [
        (
            f"  {'method':<18}{'first':>6}{'top 3':>6}{'worst':>6}"
            f"{'gmean excess':>14}{'worst excess':>14}"
        )
    ]
    for method in (*METHODS, PUBLISHED):
        found = [(p, r) for p in some if (r := p.result(method))]
        excess = [e.value for p, r in found if (e := p.excess(r))]
        if not excess:
            continue
        row = f"  {method:<18}"
        ranks = [k for p, _ in found if (k := p.rank(method))]
        if ranks:
            row += f"{ranks.count(1):>6}{sum(k <= 3 for k in ranks):>6}{max(ranks):>6}"
        else:
            row += f"{'':>18}"
        out.append(row + f"{geometric_mean(excess):>14.3f}{max(excess):>14.3f}")
    return out


def program_of(app: str) -> str:
    return app.partition("-")[0]


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
            f"{'met' if ranks[worst] <= WORST_RANK else 'NOT MET'}: {setting}: ich among the best"
            f" {WORST_RANK} of {len(METHODS)}: at worst number {ranks[worst]} ({worst})"
        )
        out.append(
            f"{'met' if average <= MEAN_EXCESS else 'NOT MET'}: {setting}: ich within"
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
                f"{'met' if gain > 1 else 'NOT MET'}: {setting}: ich that knows of core types beats"
                f" ich as published: {gain:.3f} times as fast (gmean of {len(gains)})"
            )
    return out


def full_report(records: Sequence[Record], head: str, noise_limit: float) -> str:
    """Everything that is printed at the end, or by --tables-from."""
    out = [head] if head else []
    all_panels = panels(records)
    if not all_panels:
        return "\n\n".join([*out, "no measured runs"])
    out += [format_panel(p, noise_limit) for p in all_panels]
    for setting in sorted({p.setting for p in all_panels}):
        some = [p for p in all_panels if p.setting == setting]
        out.append(
            f"{setting}, over {len(some)} inputs (six methods, each with its best parameter;"
            " excess: time to the fastest)\n" + "\n".join(summary(some))
        )
    judged = verdicts(all_panels)
    if judged:
        out.append("targets:\n  " + "\n  ".join(judged))
    return "\n\n".join(out)
