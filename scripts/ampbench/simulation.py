# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of experiments that amp-sim runs, on recordings of the programs."""

from __future__ import annotations

import hashlib
import math
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from . import replay
from .experiment import Line, Part
from .launch import Launcher
from .programs import Program, Wrong
from .record import Record, Run, runs


def loop_sf(bounds: Sequence[float], *seed: object) -> float:
    """A loop's SF: log-uniform between BOUNDS, and always the same for one SEED."""
    text = " ".join(map(str, seed))
    part = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
    low, high = map(math.log, bounds)
    return math.exp(low + part * (high - low))


@dataclass
class Simulator:
    """One part."""

    launcher: Launcher
    part: Part
    seed: int
    folder: Path  # of recordings
    before: Sequence[Record]
    write: Callable[[Record | Run], None]
    say: Callable[[str], None]

    def recorded(self, program: Program, klass: str) -> tuple[Path, float]:
        """The recording, made unless it is there, and what the recorded run took."""
        self.folder.mkdir(parents=True, exist_ok=True)
        costs = self.folder / f"{program.name}-{klass}.costs"
        seconds = [r["seconds"] for r in self.before
                   if r["type"] == "recording" and r["file"] == str(costs)]  # fmt: skip
        if costs.is_file():
            return costs, float(seconds[-1]) if seconds else math.nan
        run = replay.record(self.launcher, program, klass, costs, self.part.recordings)
        if not run.ok or run.seconds is None:
            raise RuntimeError(f"{run.status}: {run.why or run.stderr}")
        self.write({"type": "recording", "program": program.name, "class": klass,
                    "file": str(costs), "seconds": run.seconds})  # fmt: skip
        return costs, run.seconds

    def beside(self, program: Program, recorded: float) -> dict[str, float]:
        """Of the real runs that are predicted: how unequal the CPUs were, and how fast."""
        took: dict[str, list[float]] = {}
        for r in runs(self.before):
            if r.part == self.part.beside and r.program == program.name and r.ok and r.seconds:
                took.setdefault(r.config, []).append(r.seconds)
        each = [median(took.get(f"single:{c}", [math.nan])) for c in self.launcher.cpus]
        if any(map(math.isnan, each)):
            raise RuntimeError("no runs of each CPU alone to go by")
        return {"ratio": each[-1] / each[0], "unit": each[0] / recorded,
                "fast": len(self.launcher.fast), "slow": len(self.launcher.slow)}  # fmt: skip

    def values(self, program: Program, costs: Path, machine: str) -> dict[str, object]:
        """Of the placeholders in machines, schedules and options; per_X is 1 / X."""
        out: dict[str, object] = {**self.part.values.get("all", {}),
                                  **self.part.values.get(program.name, {})}  # fmt: skip
        if bounds := self.part.sf.get(machine):
            for name, divisor in (("sf", 1.0), ("sf_half", 2.0)):
                file = costs.with_suffix(f".{machine}.{name}")
                lines = [
                    f"{p} {max(loop_sf(bounds, self.seed, machine, program.name, p) / divisor, 1.0):.6g},1\n"
                    for p in replay.places(costs)
                ]
                file.write_text("".join(lines), encoding="utf-8")
                out[name] = file
        return out

    def groups(
        self, lines: Sequence[Line], values: Mapping[str, object], machine: str
    ) -> Iterator[tuple[str, tuple[str, ...], dict[str, str]]]:
        """Machine, options, and the schedules by name, of lines that one simulation can do."""
        out: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {}
        numbers = {f"per_{k}": f"{1 / v:.6g}" for k, v in values.items() if isinstance(v, (int, float))}
        known = {**values, **numbers}
        for line in lines:
            try:
                on = (line.machine or self.part.machines[machine]).format_map(known)
                options = tuple(o.format_map(known) for o in line.options)
                schedule = (line.schedule or line.name).format_map(known)
            except KeyError as e:
                raise Wrong(f"{line.name}: no value for placeholder {e}") from e
            out.setdefault((on, options), {})[line.name] = schedule
        yield from ((on, options, named) for (on, options), named in out.items())

    def run(self, programs: Sequence[Program], klass: str) -> None:
        paid: list[str] = []
        if self.part.paid:
            try:
                costs = replay.measure_costs(self.launcher, self.launcher.tools / "amp-sim")
            except (RuntimeError, subprocess.SubprocessError) as e:
                self.say(f"what updates cost cannot be measured here, amp-sim's own are taken: {e}")
            else:
                self.write({"type": "costs", **costs.record()})
                paid = costs.options()
        done = {Run.of(r).key for r in self.before if r["type"] == "run"}
        for program in programs:
            wanted = program.class_of(klass)
            for machine in self.part.machines:
                place = Run(program=program.name, klass=wanted, where=machine, part=self.part.name,
                            round=1, ratio=0.0)  # fmt: skip
                lines = [x for x in self.part.lines if (not x.only or machine in x.only)
                         and replace(place, config=x.name).key not in done]  # fmt: skip
                if lines:
                    try:
                        self.simulate(program, place, lines, paid)
                    except RuntimeError as e:
                        self.write(replace(place, status="failed", why=str(e)))
                        self.say(f"{program.name} on {machine}: {e}")
            self.say(f"{program.name}: simulated")

    def simulate(self, program: Program, place: Run, lines: Sequence[Line], paid: list[str]) -> None:
        costs, seconds = self.recorded(program, place.klass)
        values = self.values(program, costs, place.where)
        common = [*paid]
        if self.part.beside:
            values |= self.beside(program, seconds)
        if self.part.serial != "all":
            costs, alone = costs.with_suffix(".loops"), costs
            replay.loops_alone(alone, costs)
        if self.part.least_loops:
            with costs.open(encoding="utf-8") as text:
                loops = sum(line.startswith("# loop") for line in text)
            common.append(f"--executions={math.ceil(self.part.least_loops / max(loops, 1))}")
        watts = self.part.watts.get(place.where, self.part.watts.get("*", "")).split(",")
        # Options of lines may repeat those of the part, and win.
        full = [replace(x, options=(*self.part.options, *x.options)) for x in lines]
        for on, options, named in self.groups(full, values, place.where):
            # No cores are no type.
            types = [(t, w) for t, w in zip(on.split("+"), watts * len(on)) if not t.startswith("0x")]
            if not types:
                continue
            drawn = [f"--watts={','.join(w for _, w in types)}"] if watts != [""] else []
            found = replay.simulate(
                self.launcher.tools / "amp-sim", costs, "+".join(t for t, _ in types),
                dict.fromkeys(named.values()), [*common, *drawn, *options],
            )  # fmt: skip
            here = [int(t.partition("x")[0]) for t in on.split("+")]
            idle = self.part.unused or [float(w.split("/")[2]) for w in watts if w.count("/") > 1]
            unused = sum((n - h) * w for n, h, w in zip(self.part.cores, here, idle))
            for name, schedule in named.items():
                self.write(self.point(replace(place, config=name), schedule, found[schedule], unused))

    def point(self, place: Run, schedule: str, said: Record, unused: float) -> Run:
        seconds = float(said["seconds"])
        if self.part.serial == "none":
            seconds -= said["executions"] * said["serial_ns"] / max(said["speeds"]) / 1e9
        more: Record = {
            "source": "simulation", "schedule": schedule, "machine": said["machine"],
            "efficiency": said["efficiency"], "grants": said["grants"],
        }  # fmt: skip
        if "joules" in said:
            more["energy"] = said["joules"] + unused * seconds
            more["edp"] = more["energy"] * seconds
        return replace(place, seconds=seconds, more=more)
