# SPDX-License-Identifier: GPL-3.0-or-later
"""amp-sim's predictions beside real runs of the same kernels.

A Subject is one kernel: what was recorded and measured of it in all rounds so far, and what
amp-sim makes of that.  Raw records are
  run         one real run: seconds, and those of one thread just before and after it
  prediction  of one schedule: seconds, and of what; of several the last one counts
  failed      what could not be recorded
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from . import replay
from .configs import Config
from .emulation import Emulation, period_us, reached_ratios
from .rawfile import RawFile
from .runner import Progress, execute, shuffled

TARGET = 0.05
RECORDINGS = 3
# Simulations of which the median is taken: on who comes first to a loop, and on whether the slow
# CPU is stopped just then, much may depend, and both are at random.
SEEDS = 9
# Threads leave a barrier in any order, some fetches of a line from the other core apart.
ARRIVAL_NS = 200.0

Record = dict[str, Any]


@dataclass
class Subject:
    """A kernel, and what is known of it.  Seconds; of one thread but for the runs themselves."""

    args: argparse.Namespace  # of scripts/validate-sim
    setup: replay.ReplaySetup
    sim: Path
    kernel: replay.Program
    klass: str
    folder: Path  # for recordings
    recordings: list[Path] = field(default_factory=list)
    recorded: list[float] = field(default_factory=list)  # the recorded runs
    beside: list[float] = field(default_factory=list)  # runs around recordings
    fast: list[float] = field(default_factory=list)  # beside the emulated slow CPU
    slow: list[float] = field(default_factory=list)  # on it
    reached: list[float] = field(default_factory=list)  # amp-emulate's own ratios
    paid: list[replay.Costs] = field(default_factory=list)

    def head(self, round_: int) -> Record:
        return {"kernel": self.kernel.name, "class": self.klass, "round": round_}

    def yardstick(self, cpu: int) -> float:
        """Seconds with one thread on CPU, now; not a number if it fails."""
        plain = replay.alone(self.setup, cpu, {})
        run = execute(plain, Config("amp", "static"), self.kernel, self.klass)
        return run["seconds"] if run["status"] == "ok" else math.nan

    def record(self, round_: int) -> str:
        """Record the kernel, and run it just before and after; why it failed, or nothing."""
        fast = self.setup.fast[0]
        self.yardstick(fast)  # the first one reads the program from disk
        beside = [self.yardstick(fast), self.yardstick(fast)]
        costs = self.folder / f"{self.kernel.name}-{round_}.costs"
        run = replay.record(self.setup, self.kernel, self.klass, fast, costs, RECORDINGS)
        beside += [self.yardstick(fast), self.yardstick(fast)]
        if run["status"] != "ok":
            return run["status"]
        if any(map(math.isnan, beside)):
            return "a run with one thread failed"
        self.recordings.append(costs)
        self.recorded.append(run["seconds"])
        self.beside += beside
        self.paid.append(replay.measure_costs(self.setup, self.sim))
        return ""

    def run(self, round_: int, out: RawFile, progress: Progress) -> None:
        """Each schedule as often as is wanted, beside a slow CPU, between runs with one thread."""
        fast, slow = self.setup.fast[0], self.setup.slow[0]
        with Emulation(
            self.setup.emulator, self.setup.slow, self.args.ratio, self.args.period
        ) as emulation:
            slows, fasts = [self.yardstick(slow)], [self.yardstick(fast)]
            for turn in range(self.args.runs):
                for schedule in shuffled(
                    self.args.schedules, self.args.seed, self.kernel.name, round_, turn
                ):
                    run = execute(
                        self.setup, Config("amp", schedule), self.kernel, self.klass,
                        emulation.types, emulation.pid,
                    )  # fmt: skip
                    before = fasts[-1]
                    fasts.append(self.yardstick(fast))
                    status = run["status"]
                    if status == "ok" and math.isnan(before + fasts[-1]):
                        status = "no yardstick"
                    out.write(
                        {
                            "type": "run", **self.head(round_), "turn": turn,
                            "schedule": schedule, "status": status,
                            "seconds": run["seconds"], "wall": run["wall"],
                            "others": run["others"],
                            "one_thread": None if status != "ok" else [before, fasts[-1]],
                        }
                    )  # fmt: skip
                    progress.step(f"{self.kernel.name} {schedule}")
                slows.append(self.yardstick(slow))
        self.fast += [x for x in fasts if not math.isnan(x)]
        self.slow += [x for x in slows if not math.isnan(x)]
        self.reached += [x for r in reached_ratios(emulation.record or {}).values() for x in r]

    def ratio(self) -> float:
        """How many times slower the slow CPU is to this kernel.

        A CPU that was stopped finds its caches cold, and kernels differ in what they make of it.
        """
        if self.fast and self.slow:
            return max(median(self.slow) / median(self.fast), 1.0)
        return median(self.reached) if self.reached else self.args.ratio

    def costs(self) -> Path:
        """The medians of all recordings; the last one, if their loops are not the same."""
        merged = self.folder / f"{self.kernel.name}.costs"
        return merged if replay.merge(self.recordings, merged) else self.recordings[-1]

    def predict(self, round_: int, out: RawFile) -> None:
        """What amp-sim says from all that has been recorded and measured."""
        costs, ratio = self.costs(), self.ratio()
        paid = replay.middle(self.paid)
        text = f"{len(self.setup.fast)}x1+{len(self.setup.slow)}x{1 / ratio:.6g}"
        options = [
            *paid.options(),
            f"--arrival-ns={ARRIVAL_NS:g}",
            f"--stopped={1e3 * period_us(self.args.period):.0f}",
        ]
        one = replay.simulate(self.sim, costs, "1x1", ["static"])["static"]
        guesses = [
            replay.simulate(self.sim, costs, text, self.args.schedules, [*options, f"--seed={s}"])
            for s in range(1, SEEDS + 1)
        ]
        # What the recorded process took beside what was recorded, less what lies outside of the
        # part that the kernel times: that is serial, and no concern of the simulator.
        rest = median(self.recorded) * 1e9 - one["last_ns"]
        for schedule in self.args.schedules:
            out.write(
                {
                    "type": "prediction", **self.head(round_), "schedule": schedule,
                    "seconds": (median(g[schedule]["last_ns"] for g in guesses) + rest) / 1e9,
                    "serial": (one["serial_ns"] + rest) / 1e9,
                    "loops": (one["last_ns"] - one["serial_ns"]) / 1e9,
                    "one_thread": median(self.beside), "ratio": ratio,
                    "reached": median(self.reached) if self.reached else None,
                    **paid.record(),
                }
            )  # fmt: skip

    def round(self, round_: int, out: RawFile, progress: Progress) -> None:
        """One round: recorded, run, predicted."""
        why = self.record(round_)
        if why:
            out.write({"type": "failed", **self.head(round_), "why": why})
            progress.step(self.kernel.name, len(self.args.schedules) * self.args.runs)
            return
        self.run(round_, out, progress)
        self.predict(round_, out)


def pace_of(run: Record, prediction: Record) -> float:
    """How many times slower the machine was in RUN than when the kernel was recorded."""
    return sum(run["one_thread"]) / len(run["one_thread"]) / prediction["one_thread"]


def error(runs: Sequence[Record], prediction: Record, paced: bool) -> float | None:
    """(predicted - real) / real time within loops, the real time being the median of RUNS, each
    as if the machine had been as fast as when the kernel was recorded if PACED."""
    real = median(r["seconds"] / (pace_of(r, prediction) if paced else 1.0) for r in runs)
    inside = real - prediction["serial"]
    return (prediction["seconds"] - real) / inside if inside > 0.0 else None


def interval(runs: Sequence[Record]) -> float:
    """Half of the distance of the quartiles of RUNS' seconds over their median."""
    ordered = sorted(r["seconds"] for r in runs)
    quarter = len(ordered) // 4
    return (ordered[-1 - quarter] - ordered[quarter]) / 2.0 / median(ordered)


def tables(records: Sequence[Record]) -> str:
    """What scripts/validate-sim prints."""
    runs: dict[tuple[str, str], list[Record]] = {}
    predictions: dict[tuple[str, str], Record] = {}
    for r in records:
        if r["type"] == "run" and r["status"] == "ok":
            runs.setdefault((r["kernel"], r["schedule"]), []).append(r)
        elif r["type"] == "prediction":
            predictions[r["kernel"], r["schedule"]] = r
    out = ["amp-sim against reality: (predicted - real) / real time within loops, in percent;"]
    out += ["in brackets without regard to how fast the machine just was", ""]
    width = max((len(s) for _, s in predictions), default=8) + 2
    found: dict[bool, list[float]] = {True: [], False: []}
    apart: list[float] = []
    last = ""
    for (kernel, schedule), p in sorted(predictions.items(), key=lambda x: x[0][0]):
        if kernel != last:
            out += [""] if last else []
            out.append(
                f"{kernel} class {p['class']}: {p['loops']:.3f} s within loops on one thread, "
                f"{p['serial']:.3f} s outside; ratio {p['ratio']:.2f}"
            )
            last = kernel
        mine = runs.get((kernel, schedule), [])
        if not mine:
            out.append(f"  {schedule:<{width}} no run")
            continue
        one, two = error(mine, p, True), error(mine, p, False)
        if one is None or two is None:
            out.append(f"  {schedule:<{width}} too short to be judged")
            continue
        found[True].append(one)
        found[False].append(two)
        apart.append(interval(mine))
        real = median(r["seconds"] for r in mine)
        out.append(
            f"  {schedule:<{width}} {real:8.4f} s real {100 * one:+8.1f} % "
            f"[{100 * two:+7.1f} %]  n={len(mine)}"
        )
    out.append("")
    for r in records:
        if r["type"] == "failed":
            out.append(f"FAILED {r['kernel']}: {r['why']}")
        elif r["type"] == "run" and r["status"] != "ok":
            out.append(f"FAILED {r['kernel']} {r['schedule']}: {r['status']}")
    for paced, title in ((True, "median error"), (False, "... without pace")):
        if found[paced]:
            sizes = [abs(e) for e in found[paced]]
            verdict = "met" if median(sizes) <= TARGET else "missed"
            out.append(
                f"{title}: {100 * median(sizes):.1f} %, worst {100 * max(sizes):.1f} %, of "
                f"{len(sizes)} pairs, with signs {100 * median(found[paced]):+.1f} %; "
                f"target {100 * TARGET:.0f} %: {verdict}"
            )
    if apart:
        out.append(
            f"equal real runs: half of their quartiles' distance is {100 * median(apart):.1f} % of "
            "their median (median of all pairs)"
        )
    busy = [r["others"] for some in runs.values() for r in some if r["others"] is not None]
    if busy:
        out.append(f"other processes took {median(busy):.2f} CPUs meanwhile")
    return "\n".join(out)
