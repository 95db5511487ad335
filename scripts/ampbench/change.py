# SPDX-License-Identifier: GPL-3.0-or-later
"""A run in the middle of which other CPUs become the slow ones.

Each run has an amp-emulate of its own, whose change comes a fixed time after the
program's start, and writes when each of its steps was over.  The CPUs alone are
run through the same change: their speeds before and after make the two ideals.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from . import machine
from .configs import Config, Kernel, parse_config
from .emulation import CALIBRATION_LIMIT, NotPossible, cpu_list, reached_ratios
from .report import (
    NOISE_LIMIT,
    Record,
    Verdict,
    format_session,
    order_key,
    others,
    percent_interval,
)
from .runner import Key, Progress, Setup, Usage, collect, judge, key_of, shuffled
from .stats import Estimate, estimate, ideal_by_round, paired

KERNEL = "stencil"
DEFAULT_CLASS = "B"
QUICK_CLASS = "A"
CONFIGS = ("stock:static", "gomp:dynamic,1", "amp:aid_static", "amp:unset", "free:unset")
# Those that must follow the change, and the pair whose whole time is compared.
FOLLOWERS = ("amp:", "free:", "blind:")
FREE, PINNED = "free:unset", "amp:unset"
CHANGE_LIMIT = 1.05
FREE_LIMIT = 1.05
# Steps that a window must hold for its mean to be believed.
LEAST_STEPS = 20
# How long after the change a run is at its later speed again.
SETTLE_WINDOW = 0.05
SETTLE_SHARE = 0.95
SETTLE_WINDOWS = 4


@dataclass(frozen=True)
class Scene:
    """AT seconds after the program's start, THEN is slow instead of SLOW."""

    klass: str
    ratio: float
    at: float
    slow: tuple[int, ...]
    then: tuple[int, ...]

    def arguments(self) -> list[str]:
        return [
            "--slow", f"{cpu_list(self.slow)}={self.ratio:g}",
            "--change-at", f"{self.at:.3f}:{cpu_list(self.then)}={self.ratio:g}",
        ]  # fmt: skip

    def record(self) -> dict[str, Any]:
        return {
            "kernel": KERNEL,
            "class": self.klass,
            "ratio": self.ratio,
            "at": self.at,
            "slow": list(self.slow),
            "then": list(self.then),
        }


def other_cpus(fast: Sequence[int], slow: Sequence[int]) -> tuple[int, ...]:
    """As many CPUs as SLOW has, to be slow afterwards: fast ones first."""
    return tuple([*fast, *slow][: len(slow)])


def half_of_ideal(equal_seconds: float, fast: int, slow: int, ratio: float) -> float:
    """Half of the time that perfect division would take, EQUAL_SECONDS being static's on
    equal cores: a change then comes in the middle of a good run."""
    return 0.5 * equal_seconds * (fast + slow) / (fast + slow / ratio)


@dataclass(frozen=True)
class Trace:
    """When steps were over, in seconds since the program's start; [0]: the first began."""

    times: list[float]

    @property
    def begin(self) -> float:
        return self.times[0]

    @property
    def end(self) -> float:
        return self.times[-1]

    def mean_step(self, low: float, high: float) -> float | None:
        """Mean length of the steps that lie within [LOW, HIGH], None if there are too few."""
        inside = [t for t in self.times if low <= t <= high]
        if len(inside) <= LEAST_STEPS:
            return None
        return (inside[-1] - inside[0]) / (len(inside) - 1)

    def thirds(self, at: float) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The first and the last third of the run, the one cut off at the change if that comes
        earlier, the other if it comes later; None if the run was over before it."""
        if not self.begin < at < self.end:
            return None
        third = (self.end - self.begin) / 3
        return (
            (self.begin, min(self.begin + third, at)),
            (max(self.end - third, at), self.end),
        )

    def settled(self, at: float, step: float) -> float | None:
        """Seconds from the change until steps take about STEP, and keep to it for a while."""
        rates = self.rates(at, SETTLE_WINDOW)
        goal = SETTLE_SHARE / step
        for i in range(len(rates) - SETTLE_WINDOWS + 1):
            if sum(r for _, r in rates[i : i + SETTLE_WINDOWS]) / SETTLE_WINDOWS >= goal and (
                rates[i][1] >= goal
            ):
                return rates[i][0] - SETTLE_WINDOW / 2 - at
        return None

    def rates(self, origin: float, width: float) -> list[tuple[float, float]]:
        """(middle, steps a second) of the whole windows of WIDTH from ORIGIN on."""
        out = []
        start, i = origin, 0
        while start + width <= self.end:
            while i < len(self.times) and self.times[i] <= start:
                i += 1
            j = i
            while j < len(self.times) and self.times[j] <= start + width:
                j += 1
            out.append((start + width / 2, (j - i) / width))
            start += width
            i = j
        return out


def read_trace(text: str, program_start: float) -> Trace:
    """A file of --trace; PROGRAM_START is on the same clock as its head."""
    head, *lines = text.splitlines()
    word = head.split()
    if word[:2] != ["#", "start"]:
        raise ValueError("no line '# start SECONDS'")
    first = float(word[2]) - program_start
    return Trace([first, *(first + float(t) for t in lines)])


def pack(trace: Trace) -> dict[str, Any]:
    """As it stands in a raw file: microseconds a step."""
    rounded = [round(1e6 * (t - trace.begin)) for t in trace.times]
    steps = [b - a for a, b in pairwise(rounded)]
    return {"begin": round(trace.begin, 6), "steps_us": steps}


def unpack(packed: dict[str, Any]) -> Trace:
    times = [float(packed["begin"])]
    for us in packed["steps_us"]:
        times.append(times[-1] + us / 1e6)
    return Trace(times)


def execute(setup: Setup, scene: Scene, config: Config, kernel: Kernel) -> dict[str, Any]:
    """One run through the change, as a raw record without its place in the plan.

    Raises NotPossible when CPUs cannot be slowed.
    """
    with tempfile.TemporaryDirectory(prefix="bench-change-") as name:
        folder = Path(name)
        trace_file, emulation_file = folder / "trace", folder / "emulation.json"
        # amp-emulate tells its child the types; some must not know them.
        prepare = "" if config.told else "unset GOMP_AMP_TYPES; "
        hear, tell = os.pipe()
        command = [
            str(setup.emulator), *scene.arguments(), *setup.slowing.arguments(),
            "--json", str(emulation_file), "--",
            "sh", "-c", f'{prepare}echo start >&{tell}; exec {tell}>&-; exec "$@"', "sh",
            *setup.command(config, kernel, scene.klass), "--trace", str(trace_file),
        ]  # fmt: skip
        load = machine.load_average()
        usage = Usage(setup.cpus, None)
        launched = time.monotonic()
        process = subprocess.Popen(
            command, env=setup.environment(config, None), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True,
            errors="replace", pass_fds=[tell],
            preexec_fn=lambda: os.sched_setaffinity(0, setup.cpus),  # noqa: PLW1509 - no threads here
        )  # fmt: skip
        os.close(tell)
        try:
            with selectors.DefaultSelector() as waiting:
                waiting.register(hear, selectors.EVENT_READ)
                begun = bool(waiting.select(2 * CALIBRATION_LIMIT) and os.read(hear, 1))
            started = time.monotonic()
        except BaseException:
            collect(process, 0)
            raise
        finally:
            os.close(hear)
        out, err, code = collect(process, setup.limit + CALIBRATION_LIMIT)
        wall = time.monotonic() - launched
        if not begun:
            raise NotPossible(err.strip() or "amp-emulate said nothing")
        status, report = judge(setup, config, code, out, err)
        trace = None
        if status == "ok":
            try:
                trace = pack(read_trace(trace_file.read_text(encoding="utf-8"), started))
            except (OSError, ValueError, IndexError):
                status = "no trace"
        try:
            emulation = json.loads(emulation_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            emulation = {}
        return {
            "status": status,
            "seconds": report["seconds"] if report else None,
            "wall": round(wall, 4),
            "load": load,
            "others": usage.others(wall),
            "report": report,
            "reached": reached_ratios(emulation),
            "stderr": err.strip()[:500],
            "trace": trace,
        }


def measure(
    setup: Setup,
    scene: Scene,
    kernel: Kernel,
    configs: Sequence[Config],
    reps: int,
    budget: float,
    seed: int,
    write: Callable[[dict[str, Any]], None],
    known: dict[Key, dict[str, Any]],
) -> None:
    """REPS rounds, each in its own order, until BUDGET seconds are spent."""
    progress = Progress(len(configs) * reps)
    begin = time.monotonic()
    took: list[float] = []
    for round_ in range(1, reps + 1):
        spent = time.monotonic() - begin
        if took and spent + median(took) > budget:
            progress.say(f"time budget: {round_ - 1} of {reps} rounds (--budget, --reps)")
            break
        for order, config in enumerate(shuffled(configs, seed, "change", round_)):
            head = {
                "type": "run",
                "kernel": kernel.name,
                "class": scene.klass,
                "ratio": scene.ratio,
                "config": config.name,
                "round": round_,
                "order": order,
            }
            if key_of(head) in known:
                progress.step(config.name)
                continue
            record = execute(setup, scene, config, kernel)
            write({**head, **record})
            progress.step(config.name)
            if record["status"] != "ok":
                progress.say(f"{config.name}: {record['status']} {record['stderr'][:200]}")
        took.append(time.monotonic() - begin - spent)
    progress.finish()


@dataclass
class Line:
    """One configuration: steps in microseconds, shares of the ideal, and by how much the
    distance from the ideal has grown from the first to the last third."""

    config: str
    seconds: Estimate | None = None
    step: tuple[float, float] | None = None
    efficiency: tuple[Estimate, Estimate] | None = None
    growth: Estimate | None = None
    settled: float | None = None
    median_trace: Trace | None = None
    too_short: int = 0
    failed: int = 0


@dataclass
class Result:
    """What a session's records say."""

    scene: Scene
    lines: list[Line]
    # Steps a second of perfect division, before and after; None without the CPUs alone.
    ideal_rate: tuple[float, float] | None
    # free over pinned, whole runs.
    free_ratio: Estimate | None
    noisy: bool
    others: float | None

    def line(self, config: str) -> Line | None:
        return next((x for x in self.lines if x.config == config), None)


def scene_of(records: Sequence[Record]) -> Scene | None:
    for r in records:
        if r["type"] == "session" and r.get("scene"):
            s = r["scene"]
            return Scene(s["class"], s["ratio"], s["at"], tuple(s["slow"]), tuple(s["then"]))
    return None


def session_cpus(records: Sequence[Record]) -> list[int]:
    return next((list(r["pinning"]["cpus"]) for r in records if r["type"] == "session"), [])


Steps = dict[int, float]


def evaluate(records: Sequence[Record]) -> Result | None:
    scene = scene_of(records)
    if scene is None:
        return None
    runs = [r for r in records if r["type"] == "run"]
    good = [r for r in runs if r["status"] == "ok" and r.get("trace")]
    traces = {(r["config"], r["round"]): unpack(r["trace"]) for r in good}
    cpus = session_cpus(records)
    alone: tuple[dict[int, Steps], dict[int, Steps]] = ({}, {})
    for (config, round_), trace in traces.items():
        if not config.startswith("single:"):
            continue
        cpu = int(config.partition(":")[2])
        for which, (low, high) in enumerate(((0.0, scene.at), (scene.at, trace.end))):
            step = trace.mean_step(low, high)
            if step:
                alone[which].setdefault(cpu, {})[round_] = step
    ideals = [ideal_by_round(alone[which], cpus) for which in (0, 1)]
    lines = []
    for config in sorted({r["config"] for r in runs}, key=order_key):
        if not config.startswith("single:"):
            lines.append(build_line(config, scene, runs, traces, ideals))
    seconds = {
        c: {r["round"]: float(r["seconds"]) for r in good if r["config"] == c}
        for c in (FREE, PINNED)
    }
    ratios = paired(seconds[FREE], seconds[PINNED])
    load = others(runs)
    return Result(
        scene=scene,
        lines=lines,
        ideal_rate=(1 / median(ideals[0].values()), 1 / median(ideals[1].values()))
        if all(ideals)
        else None,
        free_ratio=estimate(ratios) if ratios else None,
        noisy=load is not None and load > NOISE_LIMIT,
        others=load,
    )


def build_line(
    config: str,
    scene: Scene,
    runs: Sequence[Record],
    traces: dict[tuple[str, int], Trace],
    ideals: Sequence[Steps],
) -> Line:
    line = Line(config)
    mine = [r for r in runs if r["config"] == config]
    line.failed = sum(r["status"] != "ok" for r in mine)
    seconds, settled = [], []
    steps: tuple[Steps, Steps] = ({}, {})
    for r in mine:
        trace = traces.get((config, r["round"]))
        if trace is None:
            continue
        seconds.append(float(r["seconds"]))
        thirds = trace.thirds(scene.at)
        means = [trace.mean_step(*t) for t in thirds] if thirds else [None, None]
        if means[0] is None or means[1] is None:
            line.too_short += 1
            continue
        for which in (0, 1):
            steps[which][r["round"]] = means[which]  # type: ignore[assignment]
        after = trace.settled(scene.at, means[1])
        if after is not None:
            settled.append(after)
    if seconds:
        line.seconds = estimate(seconds)
        whole = [t for (name, _), t in traces.items() if name == config]
        whole.sort(key=lambda t: t.end - t.begin)
        line.median_trace = whole[(len(whole) - 1) // 2]
    if steps[0]:
        line.step = (1e6 * median(steps[0].values()), 1e6 * median(steps[1].values()))
        line.settled = median(settled) if settled else None
    # The distance from the ideal, step / ideal step, of each round.
    far = [{r: steps[i][r] / ideals[i][r] for r in steps[i] if r in ideals[i]} for i in (0, 1)]
    growth = paired(far[1], far[0])
    if growth:
        line.growth = estimate(growth)
        before, after_ = ([1 / v for v in f.values()] for f in far)
        line.efficiency = (estimate(before), estimate(after_))
    return line


def verdicts(result: Result) -> list[Verdict]:
    out = []
    indicative = result.noisy or result.scene.klass != DEFAULT_CLASS
    for line in result.lines:
        if not line.config.startswith(FOLLOWERS):
            continue
        g = line.growth
        met = g.value <= CHANGE_LIMIT if g else None
        out.append(
            Verdict(
                f"{line.config} follows the change: step over ideal step, last third, at most"
                f" {CHANGE_LIMIT} of the first third's",
                f"{percent_interval(g)}, n {g.n}" if g else "-",
                met,
                indicative,
            )
        )
    f = result.free_ratio
    out.append(
        Verdict(
            f"no loss without pinning: {FREE} at most {FREE_LIMIT} of {PINNED}, whole run",
            f"{percent_interval(f)}, n {f.n}" if f else "-",
            f.value <= FREE_LIMIT if f else None,
            indicative,
        )
    )
    return out


def format_result(result: Result) -> str:
    s = result.scene
    head = (
        f"{KERNEL} class {s.klass}: CPU {cpu_list(s.slow)} is {s.ratio:g} times slower until"
        f" {s.at:.2f} s after the start, from then on CPU {cpu_list(s.then)}"
    )
    out = [head]
    if result.ideal_rate:
        before, after = result.ideal_rate
        out.append(f"  ideal: {1e6 / before:.1f} us a step before, {1e6 / after:.1f} us after")
    else:
        out.append("  no ideal: the CPUs were not measured alone")
    if result.noisy:
        out.append(
            f"  NOISY: other processes took {result.others:.2f} CPUs on average; do not trust this"
        )
    out.append(
        f"  {'configuration':<16} {'median s':>9} {'us a step':>17} {'of the ideal':>13}"
        f" {'last / first third':>21} {'settled s':>9}  n"
    )
    for x in result.lines:
        step = f"{x.step[0]:.1f} -> {x.step[1]:.1f}" if x.step else "-"
        share = f"{x.efficiency[0].value:.3f} {x.efficiency[1].value:.3f}" if x.efficiency else "-"
        row = (
            f"  {x.config:<16} {f'{x.seconds.value:.3f}' if x.seconds else '-':>9} {step:>17}"
            f" {share:>13} {percent_interval(x.growth) if x.growth else '-':>21}"
            f" {f'{x.settled:.2f}' if x.settled is not None else '-':>9}"
            f"  {x.seconds.n if x.seconds else 0}"
        )
        if x.too_short:
            row += f"  {x.too_short} ended before the change or too soon after it"
        if x.failed:
            row += f"  FAILED x{x.failed}"
        out.append(row)
    return "\n".join(out)


def full_report(records: Sequence[Record]) -> str:
    sessions = [r for r in records if r["type"] == "session"]
    out = [format_session(sessions[0])] if sessions else []
    result = evaluate(records)
    if result is None or not result.lines:
        return "\n\n".join([*out, "no measured runs"])
    out.append(format_result(result))
    reached: dict[str, list[float]] = {}
    for r in records:
        for cpu, values in (r.get("reached") or {}).items():
            reached.setdefault(str(cpu), []).extend(values)
    if reached:
        text = "; ".join(
            f"CPU {c} {median(v):.2f} ({min(v):.2f}..{max(v):.2f})"
            for c, v in sorted(reached.items())
        )
        out.append(f"amp-emulate, asked {result.scene.ratio:g}, reached: {text}")
    out.append("targets:\n  " + "\n  ".join(str(v) for v in verdicts(result)))
    return "\n\n".join(out)


def default_configs(cpus: Sequence[int], chosen: Sequence[str]) -> list[Config]:
    """CHOSEN or all of CONFIGS, and the CPUs alone, which make the ideal."""
    names = [*(chosen or CONFIGS), *(f"single:{c}" for c in cpus)]
    return [parse_config(n) for n in dict.fromkeys(names)]
