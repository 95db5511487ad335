# SPDX-License-Identifier: GPL-3.0-or-later
"""amp-sim's predictions beside real runs of the same kernels.

A Subject is one kernel: what was recorded and measured of it in all rounds so far, and what
amp-sim makes of that.  Raw records are
  run         one real run: seconds, and those of one thread just before and after it
  measured    of a whole round: what amp-sim is told of it, and the recording's file
  prediction  of one schedule: seconds, and of what; of several the last one counts
  failed      what could not be recorded
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from . import replay
from .config import Config
from .emulation import Emulation, how_of, period_us, reached_ratios
from .kernels import Kernel
from .launch import Launcher
from .plan import Progress, shuffled
from .record import RawFile, Record, sessions

TARGET = 0.05
RECORDINGS = 3
# Simulations of which the median is taken: on who comes first to a loop, and on whether the slow
# CPU is stopped just then, much may depend, and both are at random.
SEEDS = 9
# Threads leave a barrier in any order, some fetches of a line from the other core apart.
ARRIVAL_NS = 200.0


@dataclass(frozen=True)
class Measured:
    """What a round said of a kernel.  Seconds of runs with one thread."""

    recording: str  # the file's name
    recorded: float  # the recorded run
    beside: list[float]  # runs around the recording
    fast: list[float]  # beside the emulated slow CPU
    slow: list[float]  # on it
    reached: list[float]  # amp-emulate's own ratios
    paid: replay.Costs

    def record(self) -> Record:
        """For raw files."""
        out = asdict(self)
        del out["paid"]
        return out | self.paid.record()

    @staticmethod
    def recorded_as(record: Record) -> Measured:
        """What record() made."""
        lists = {k: list(map(float, record[k])) for k in ("beside", "fast", "slow", "reached")}
        name, seconds = str(record["recording"]), float(record["recorded"])
        return Measured(name, seconds, **lists, paid=replay.Costs.recorded(record))


@dataclass
class Subject:
    """A kernel, and what is known of it."""

    args: argparse.Namespace  # of `bench validate`
    launcher: Launcher
    sim: Path
    kernel: Kernel
    klass: str
    folder: Path  # of recordings
    measured: list[Measured] = field(default_factory=list)
    done: set[int] = field(default_factory=set)  # rounds

    def head(self, round_: int) -> Record:
        return {"kernel": self.kernel.name, "class": self.klass, "round": round_}

    def remember(self, records: Sequence[Record]) -> None:
        """Take over what an earlier session wrote."""
        for r in records:
            if r["type"] == "measured" and r["kernel"] == self.kernel.name:
                self.done.add(r["round"])
                self.measured.append(Measured.recorded_as(r))

    def yardstick(self, cpu: int, emulation: Emulation | None = None) -> float:
        """Seconds with one thread on CPU, now; not a number if it fails."""
        extra: dict[str, str] = {}
        if emulation:
            emulation.add_to(extra)
        plain = self.launcher.alone(cpu, extra)
        run = plain.execute(Config("amp", "static"), self.kernel, self.klass)
        return run.seconds if run.ok and run.seconds is not None else math.nan

    def run(
        self, round_: int, out: RawFile, progress: Progress
    ) -> tuple[list[float], list[float], list[float]]:
        """Each schedule as often as is wanted, beside a slow CPU, between runs with one thread.

        Returns what one thread took on the fast CPU and on the slow one, and the ratios."""
        fast, slow = self.launcher.fast[0], self.launcher.slow[0]
        with Emulation(
            self.launcher.emulator, self.launcher.slow, self.args.ratio, self.launcher.slowing
        ) as emulation:
            slows, fasts = [self.yardstick(slow, emulation)], [self.yardstick(fast, emulation)]
            for turn in range(self.args.runs):
                for schedule in shuffled(
                    self.args.schedules, self.args.seed, self.kernel.name, round_, turn
                ):
                    run = self.launcher.execute(
                        Config("amp", schedule), self.kernel, self.klass, emulation
                    )
                    before = fasts[-1]
                    fasts.append(self.yardstick(fast, emulation))
                    status = run.status
                    if status == "ok" and math.isnan(before + fasts[-1]):
                        status = "no yardstick"
                    out.write(
                        {
                            "type": "run", **self.head(round_), "turn": turn,
                            "schedule": schedule, "status": status,
                            "seconds": run.seconds, "wall": run.wall, "others": run.others,
                            "one_thread": None if status != "ok" else [before, fasts[-1]],
                        }
                    )  # fmt: skip
                    progress.step(f"{self.kernel.name} {schedule}")
                slows.append(self.yardstick(slow, emulation))
        reached = [x for r in reached_ratios(emulation.record or {}).values() for x in r]
        return numbers(fasts), numbers(slows), reached

    def round(self, round_: int, out: RawFile, progress: Progress) -> None:
        """Record the kernel, with runs just before and after; then run it as it is wanted."""
        cpu = self.launcher.fast[0]
        self.yardstick(cpu)  # the first one reads the program from disk
        beside = [self.yardstick(cpu), self.yardstick(cpu)]
        costs = self.folder / f"{self.kernel.name}-{round_}.costs"
        costs.parent.mkdir(parents=True, exist_ok=True)
        run = replay.record(self.launcher, self.kernel, self.klass, cpu, costs, RECORDINGS)
        beside += [self.yardstick(cpu), self.yardstick(cpu)]
        why = run.status
        if why == "ok" and any(map(math.isnan, beside)):
            why = "a run with one thread failed"
        self.done.add(round_)
        if why != "ok":
            out.write({"type": "failed", **self.head(round_), "why": why})
            progress.step(self.kernel.name, len(self.args.schedules) * self.args.runs)
            return
        paid = replay.measure_costs(self.launcher, self.sim)
        measured = Measured(
            costs.name, run.seconds or math.nan, beside, *self.run(round_, out, progress), paid
        )
        self.measured.append(measured)
        out.write({"type": "measured", **self.head(round_), **measured.record()})

    def ratio(self) -> float:
        """How many times slower the slow CPU is to this kernel.

        A CPU that was stopped finds its caches cold, and kernels differ in what they make of it.
        """
        fast = [x for m in self.measured for x in m.fast]
        slow = [x for m in self.measured for x in m.slow]
        reached = [x for m in self.measured for x in m.reached]
        if fast and slow:
            return max(median(slow) / median(fast), 1.0)
        return median(reached) if reached else float(self.args.ratio)

    def costs(self) -> Path:
        """The medians of all recordings; the last one, if their loops are not the same."""
        merged = self.folder / f"{self.kernel.name}.costs"
        recordings = [self.folder / m.recording for m in self.measured]
        return merged if replay.merge(recordings, merged) else recordings[-1]

    def guesses(self, costs: Path, ratio: float, paid: replay.Costs) -> list[Record]:
        """Of each seed what amp-sim says of each schedule."""
        text = f"{len(self.launcher.fast)}x1+{len(self.launcher.slow)}x{1 / ratio:.6g}"
        options = [
            *paid.options(),
            f"--arrival-ns={ARRIVAL_NS:g}",
            f"--stopped={1e3 * period_us(self.launcher.slowing.period):.0f}",
        ]
        with ThreadPoolExecutor(len(self.launcher.cpus)) as pool:
            simulations = pool.map(
                lambda seed: replay.simulate(
                    self.sim, costs, text, self.args.schedules, [*options, f"--seed={seed}"]
                ),
                range(1, SEEDS + 1),
            )
            return list(simulations)

    def predict(self) -> list[Record]:
        """What amp-sim says from all that has been recorded and measured."""
        if not self.measured:
            return []
        costs, ratio = self.costs(), self.ratio()
        paid = replay.middle([m.paid for m in self.measured])
        one = replay.simulate(self.sim, costs, "1x1", ["static"])["static"]
        guesses = self.guesses(costs, ratio, paid)
        # What the recorded process took beside what was recorded, less what lies outside of the
        # part that the kernel times: that is serial, and no concern of the simulator.
        rest = median(m.recorded for m in self.measured) * 1e9 - one["last_ns"]
        reached = [x for m in self.measured for x in m.reached]
        return [
            {
                "type": "prediction", **self.head(len(self.measured)), "schedule": schedule,
                "seconds": (median(g[schedule]["last_ns"] for g in guesses) + rest) / 1e9,
                "serial": (one["serial_ns"] + rest) / 1e9,
                "loops": replay.in_loops(one) / 1e9,
                "one_thread": median(x for m in self.measured for x in m.beside),
                "ratio": ratio, "reached": median(reached) if reached else None,
                **paid.record(),
            }
            for schedule in self.args.schedules
        ]  # fmt: skip


def numbers(some: Sequence[float]) -> list[float]:
    """Those that are numbers."""
    return [x for x in some if not math.isnan(x)]


def pace_of(run: Record, prediction: Record) -> float:
    """How many times slower the machine was in RUN than when the kernel was recorded."""
    return float(sum(run["one_thread"])) / len(run["one_thread"]) / float(prediction["one_thread"])


def error(runs: Sequence[Record], prediction: Record, paced: bool) -> float | None:
    """(predicted - real) / real time within loops, the real time being the median of RUNS, each
    as if the machine had been as fast as when the kernel was recorded if PACED."""
    real = median(float(r["seconds"]) / (pace_of(r, prediction) if paced else 1.0) for r in runs)
    inside = real - float(prediction["serial"])
    return (float(prediction["seconds"]) - real) / inside if inside > 0.0 else None


def interval(runs: Sequence[Record]) -> float:
    """Half of the distance of the quartiles of RUNS' seconds over their median."""
    ordered = sorted(r["seconds"] for r in runs)
    quarter = len(ordered) // 4
    return float(ordered[-1 - quarter] - ordered[quarter]) / 2.0 / float(median(ordered))


def tables(records: Sequence[Record]) -> str:
    """What `bench validate` prints."""
    # A round that was interrupted is done again: its last run counts.
    last_runs = {
        (r["kernel"], r["schedule"], r["round"], r["turn"]): r
        for r in records
        if r["type"] == "run"
    }
    runs: dict[tuple[str, str], list[Record]] = {}
    for r in last_runs.values():
        if r["status"] == "ok":
            runs.setdefault((r["kernel"], r["schedule"]), []).append(r)
    predictions = {(r["kernel"], r["schedule"]): r for r in records if r["type"] == "prediction"}
    out = ["amp-sim against reality: (predicted - real) / real time within loops, in percent;"]
    how = {how_of(r["arguments"]) for r in sessions(records) if "arguments" in r}
    out = [f"emulated by amp-emulate {' '.join(h.arguments())}" for h in how] + out
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
    for r in last_runs.values():
        if r["status"] != "ok":
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
