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
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

from .compared import heading, order_key, others, reached_by_cpu
from .config import Config, parse
from .emulation import CALIBRATION_LIMIT, Emulation, NotPossible, reached_ratios
from .kernels import Kernel
from .launch import Launcher
from .machine import cpu_list
from .record import Record, Run, cpus_of, runs, sessions
from .stats import Estimate, estimate, ideal_by_round, paired
from .tables import Verdict, below, columns, interval, noise, noisy, targets

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
    steps = [b - a for a, b in zip(rounded, rounded[1:])]
    return {"begin": round(trace.begin, 6), "steps_us": steps}


def unpack(packed: dict[str, Any]) -> Trace:
    times = [float(packed["begin"])]
    for us in packed["steps_us"]:
        times.append(times[-1] + us / 1e6)
    return Trace(times)


@dataclass(frozen=True)
class Job:
    """A kernel through the change, as a Plan runs it.  Raises NotPossible when CPUs cannot be
    slowed."""

    launcher: Launcher
    scene: Scene
    kernel: Kernel
    configs: Sequence[Config]

    @property
    def ratio(self) -> float:
        return self.scene.ratio

    @property
    def title(self) -> str:
        return self.kernel.name

    @property
    def place(self) -> Run:
        return Run(kernel=self.kernel.name, klass=self.scene.klass, ratio=self.ratio)

    def run(self, config: Config, _round: int = 1, _: Emulation | None = None) -> Run:
        launcher = self.launcher
        with tempfile.TemporaryDirectory(prefix="bench-change-") as name:
            folder = Path(name)
            trace_file, emulation_file = folder / "trace", folder / "emulation.json"
            # amp-emulate tells its child the types; some must not know them.
            prepare = "" if config.told else "unset GOMP_AMP_TYPES; "
            hear, tell = os.pipe()
            inner = launcher.launch(config, self.kernel, self.scene.klass)
            outer = replace(
                inner, cpus=launcher.cpus, fds=[tell], limit=launcher.limit + CALIBRATION_LIMIT,
                argv=[
                    str(launcher.emulator), *self.scene.arguments(),
                    *launcher.slowing.arguments(), "--json", str(emulation_file), "--", "sh", "-c",
                    f'{prepare}echo start >/dev/fd/{tell}; exec "$@"', "sh", *inner.argv,
                    "--trace", str(trace_file),
                ],
            )  # fmt: skip
            begun: list[float] = []

            def started() -> None:
                os.close(tell)
                with selectors.DefaultSelector() as waiting:
                    waiting.register(hear, selectors.EVENT_READ)
                    if waiting.select(2 * CALIBRATION_LIMIT) and os.read(hear, 1):
                        begun.append(time.monotonic())

            try:
                run = launcher.observe(config, outer, None, started)
            finally:
                os.close(hear)
            if not begun:
                raise NotPossible(run.stderr or "amp-emulate said nothing")
            trace = None
            if run.ok:
                try:
                    text = trace_file.read_text(encoding="utf-8")
                    trace = pack(read_trace(text, begun[0]))
                except (OSError, ValueError, IndexError):
                    run.status = "no trace"
            try:
                emulation = json.loads(emulation_file.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                emulation = {}
        run.more |= {"reached": reached_ratios(emulation), "trace": trace}
        return run


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
    others: float | None

    def line(self, config: str) -> Line | None:
        return next((x for x in self.lines if x.config == config), None)


def scene_of(records: Sequence[Record]) -> Scene | None:
    for r in sessions(records):
        if s := r.get("scene"):
            return Scene(s["class"], s["ratio"], s["at"], tuple(s["slow"]), tuple(s["then"]))
    return None


Steps = dict[int, float]


def evaluate(records: Sequence[Record]) -> Result | None:
    scene = scene_of(records)
    if scene is None:
        return None
    some = list(runs(records))
    good = [r for r in some if r.ok and r.more.get("trace")]
    traces = {(r.config, r.round): unpack(r.more["trace"]) for r in good}
    cpus = cpus_of(records)
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
    names = sorted({r.config for r in some if r.config[:7] != "single:"}, key=order_key)
    seconds = {c: {r.round: r.seconds or 0.0 for r in good if r.config == c} for c in (FREE, PINNED)}
    ratios = paired(seconds[FREE], seconds[PINNED])
    load = others(some)
    return Result(
        scene=scene,
        lines=[build_line(name, scene, some, traces, ideals) for name in names],
        ideal_rate=(1 / median(ideals[0].values()), 1 / median(ideals[1].values()))
        if all(ideals)
        else None,
        free_ratio=estimate(ratios) if ratios else None,
        others=load,
    )


def build_line(
    config: str, scene: Scene, some: Sequence[Run], traces: dict[tuple[str, int], Trace],
    ideals: Sequence[Steps],
) -> Line:  # fmt: skip
    mine = [r for r in some if r.config == config]
    line = Line(config, failed=sum(not r.ok for r in mine))
    seconds, settled = [], []
    steps: tuple[Steps, Steps] = ({}, {})
    for r in mine:
        trace = traces.get((config, r.round))
        if trace is None:
            continue
        seconds.append(r.seconds or 0.0)
        thirds = trace.thirds(scene.at)
        means = [m for t in thirds or () if (m := trace.mean_step(*t)) is not None]
        if len(means) < 2:
            line.too_short += 1
            continue
        steps[0][r.round], steps[1][r.round] = means
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
    indicative = noisy(result.others) or result.scene.klass != DEFAULT_CLASS
    judged = [
        (f"{x.config} follows the change: step over ideal step, last third, at most"
         f" {CHANGE_LIMIT} of the first third's", x.growth, CHANGE_LIMIT)
        for x in result.lines if x.config.startswith(FOLLOWERS)
    ]  # fmt: skip
    text = f"no loss without pinning: {FREE} at most {FREE_LIMIT} of {PINNED}, whole run"
    judged.append((text, result.free_ratio, FREE_LIMIT))
    return [
        Verdict(text, f"{interval(e)}, n {e.n}" if e else "-", below(limit, e), indicative)
        for text, e, limit in judged
    ]


def format_result(result: Result) -> str:
    s = result.scene
    out = [
        f"{KERNEL} class {s.klass}: CPU {cpu_list(s.slow)} is {s.ratio:g} times slower until"
        f" {s.at:.2f} s after the start, from then on CPU {cpu_list(s.then)}"
    ]
    if result.ideal_rate:
        before, after = result.ideal_rate
        out.append(f"  ideal: {1e6 / before:.1f} us a step before, {1e6 / after:.1f} us after")
    else:
        out.append("  no ideal: the CPUs were not measured alone")
    if loud := noise(result.others):
        out.append("  " + loud)
    rows = [["configuration", "median s", "us a step", "of the ideal", "last / first third",
             "settled s", "  n"]]  # fmt: skip
    for x in result.lines:
        note = f"  {x.seconds.n if x.seconds else 0}"
        if x.too_short:
            note += f"  {x.too_short} ended before the change or too soon after it"
        note += f"  FAILED x{x.failed}" if x.failed else ""
        rows.append([
            x.config, f"{x.seconds.value:.3f}" if x.seconds else "-",
            f"{x.step[0]:.1f} -> {x.step[1]:.1f}" if x.step else "-",
            " ".join(f"{e.value:.3f}" for e in x.efficiency) if x.efficiency else "-",
            interval(x.growth), f"{x.settled:.2f}" if x.settled is not None else "-", note,
        ])  # fmt: skip
    return "\n".join(out + columns(rows, (-16, 10, 18, 14, 22, 10)))


def full_report(records: Sequence[Record]) -> str:
    out = heading(records)
    result = evaluate(records)
    if result is None or not result.lines:
        return "\n\n".join([*out, "no measured runs"])
    out.append(format_result(result))
    if reached := reached_by_cpu(records):
        out.append(f"amp-emulate, asked {result.scene.ratio:g}: {reached}")
    return "\n\n".join([*out, *targets(verdicts(result))])


def default_configs(cpus: Sequence[int], chosen: Sequence[str]) -> list[Config]:
    """CHOSEN or all of CONFIGS, and the CPUs alone, which make the ideal."""
    names = [*(chosen or CONFIGS), *(f"single:{c}" for c in cpus)]
    return [parse(n) for n in dict.fromkeys(names)]
