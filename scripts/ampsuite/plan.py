# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan of runs: program after program, its configurations interleaved.

A program's runs follow one another, so that its input stays in memory and its
configurations, which are compared with one another only, see the same machine.
Round 0 warms up and is discarded.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from ampbench import spools
from ampbench.emulation import Emulation, Slowing, reached_ratios
from ampbench.runner import Progress, shuffled

from . import sensors
from .describe import Program
from .execute import Place, execute, execute_behind
from .schedules import Config

Record = dict[str, Any]
Key = tuple[str, str, str, int]
# The "round" of the runs that are traced after the measured ones.
TRACED = -1
FAILURES = 2
COOLING_LIMIT = 300.0


def key_of(record: Record) -> Key:
    """What makes a run unique in a raw file."""
    return (record["suite"], record["program"], record["config"], record["round"])


@dataclass(frozen=True)
class Slow:
    """CPUs to be slowed by amp-emulate for as long as a round lasts."""

    tool: Path
    cpus: tuple[int, ...]
    ratio: float
    how: Slowing


def sf_loops(path: Path) -> dict[str, list[float]]:
    """Place of a loop -> factors, from a file that amp-run --measure-sf wrote."""
    out = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(r"(\S+) ([0-9.]+(?:,[0-9.]+)*)", line.partition("#")[0].strip())
        if found:
            out[found[1]] = [float(v) for v in found[2].split(",")]
    return out


class Plan:
    """RUNS of the programs' configurations; KNOWN are the records of an earlier session."""

    def __init__(
        self,
        place: Place,
        programs: Sequence[Program],
        configs: Sequence[Config],
        reps: int,
        seed: int,
        write: Callable[[Record], None],
        known: Sequence[Record],
        folder: Path,
        *,
        warm_once: bool = False,
        traces: bool = False,
        slow: Slow | None = None,
        cool_to: float | None = None,
        amp_run: Path | None = None,
        quiet: bool = False,
    ) -> None:
        self.place, self.programs, self.configs = place, list(programs), list(configs)
        self.reps, self.seed, self.write, self.folder = reps, seed, write, folder
        self.warm_once, self.traces, self.slow = warm_once, traces, slow
        self.cool_to, self.amp_run = cool_to, amp_run
        self.known: dict[Key, Record] = {}
        self.failures: dict[tuple[str, str], int] = {}
        self.reference: dict[str, str] = {}
        self.walls: dict[str, list[float]] = {}
        self.sf_files: dict[str, Path | None] = {}
        for r in known:
            if r["type"] == "run":
                self.known[key_of(r)] = r
                self._remember(r)
            elif r["type"] == "sf" and r.get("file") and Path(r["file"]).is_file():
                self.sf_files[f"{r['suite']}/{r['program']}"] = Path(r["file"])
        total = len(self.programs) * len(self._rounds_and_configs())
        self.progress = Progress(total, quiet=quiet, name="run-suite")

    def _configs_of(self, round_: int) -> list[Config]:
        return self.configs[:1] if round_ == 0 and self.warm_once else self.configs

    def _rounds(self) -> list[int]:
        return [*range(self.reps + 1), *([TRACED] if self.traces else [])]

    def _rounds_and_configs(self) -> list[tuple[int, Config]]:
        return [(r, c) for r in self._rounds() for c in self._configs_of(r)]

    def _remember(self, record: Record) -> None:
        program = f"{record['suite']}/{record['program']}"
        status = record["status"]
        if status == "ok":
            if record.get("digest"):
                self.reference.setdefault(program, record["digest"])
        elif status != "skipped":
            place = (program, record["config"])
            self.failures[place] = self.failures.get(place, 0) + 1
        if record.get("seconds"):
            self.walls.setdefault(program, []).append(record["seconds"])

    def _left(self, index: int, pending: int) -> float | None:
        """Seconds left: PENDING runs of program INDEX and all of the later programs.

        A program that has not run yet is taken to last as long as the mean one.
        """
        medians = {p: median(w) for p, w in self.walls.items()}
        if not medians:
            return None
        mean = sum(medians.values()) / len(medians)
        each = len(self._rounds_and_configs())
        left = pending * medians.get(self.programs[index].key, mean)
        for p in self.programs[index + 1 :]:
            runs = each - sum(1 for k in self.known if f"{k[0]}/{k[1]}" == p.key)
            left += max(runs, 0) * medians.get(p.key, mean)
        return left

    def _cool(self) -> None:
        if self.cool_to is None:
            return
        end = time.monotonic() + COOLING_LIMIT
        while time.monotonic() < end:
            heat = sensors.temperatures(self.place.sysfs)
            if not heat or max(heat.values()) <= self.cool_to:
                return
            time.sleep(1.0)
        self.progress.say(f"still above {self.cool_to:g} degrees after {COOLING_LIMIT:g} s")

    def _measure_sf(self, program: Program, emulation: Emulation | None) -> Path | None:
        """The file of offline factors of PROGRAM, measured now unless there is one."""
        if program.key in self.sf_files:
            return self.sf_files[program.key]
        self.sf_files[program.key] = None
        record: Record = {"type": "sf", "suite": program.suite, "program": program.name}
        if self.amp_run is None:
            self.write({**record, "why": "no amp-run beside the library"})
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{program.suite}-{program.name}.sf"
        inner = [str(self.amp_run), "--quiet"]
        types = (emulation.types if emulation else None) or self.place.types
        if types:
            inner += ["--types", types]
        inner += ["--measure-sf", str(file), "--"]
        done = execute_behind(self.place, program, inner, emulation)
        if done is not None or not file.is_file():
            self.write({**record, "why": done or "amp-run --measure-sf wrote no file"})
            self.progress.say(f"{program.key}: no offline SF: {done}")
            return None
        self.write({**record, "file": str(file), "loops": sf_loops(file)})
        self.sf_files[program.key] = file
        return file

    def _one(self, program: Program, config: Config, round_: int, order: int,
             emulation: Emulation | None) -> Record:  # fmt: skip
        head: Record = {
            "type": "run",
            "suite": program.suite,
            "program": program.name,
            "config": config.name,
            "round": round_,
            "order": order,
        }
        place = (program.key, config.name)
        if self.failures.get(place, 0) >= FAILURES:
            return {**head, "status": "skipped", "seconds": None,
                    "why": f"failed {FAILURES} times before"}  # fmt: skip
        extra = {}
        if config.offline:
            file = self._measure_sf(program, emulation)
            if file is None:
                return {**head, "status": "skipped", "seconds": None, "why": "no offline SF"}
            extra["GOMP_AMP_SF"] = str(file)
        trace = None
        if round_ == TRACED:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"[^\w.+@-]", "_", f"{program.suite}-{program.name}-{config.name}")
            trace = self.folder / f"{name}.trace.json"
            extra["GOMP_AMP_TRACE"] = f"{trace}{spools.SUFFIX}"
        self._cool()
        record = execute(
            self.place, program, config, emulation, self.reference.get(program.key), extra
        )
        if trace and self.amp_run and spools.convert(self.amp_run.with_name("amp-trace"), trace):
            record["trace"] = str(trace)
        return {**head, **record}

    def _round(self, index: int, round_: int, todo: list[Config], pending: int) -> None:
        program = self.programs[index]
        slow = self.slow
        emulation = Emulation(slow.tool, slow.cpus, slow.ratio, slow.how) if slow else None
        with emulation or nullcontext():
            for order, config in enumerate(todo):
                record = self._one(program, config, round_, order, emulation)
                self.write(record)
                self._remember(record)
                pending -= 1
                self.progress.step(f"{program.key} {config.name}", left=self._left(index, pending))
                if record["status"] not in ("ok", "skipped"):
                    self.progress.say(
                        f"{program.key} under {config.name}: {record['status']}:"
                        f" {record.get('why', '')}"
                    )
        if emulation:
            assert slow is not None
            self.write(
                {
                    "type": "emulation",
                    "suite": program.suite,
                    "program": program.name,
                    "ratio": slow.ratio,
                    "round": round_,
                    "reached": reached_ratios(emulation.record or {}),
                    "messages": emulation.messages,
                }
            )

    def run(self) -> None:
        """Raises emulation.NotPossible when CPUs cannot be slowed."""
        for index, program in enumerate(self.programs):
            pending = sum(
                (program.suite, program.name, c.name, r) not in self.known
                for r, c in self._rounds_and_configs()
            )
            self.progress.step(program.key, len(self._rounds_and_configs()) - pending,
                               self._left(index, pending))  # fmt: skip
            for round_ in self._rounds():
                configs = self._configs_of(round_)
                todo = [
                    c
                    for c in shuffled(configs, self.seed, program.key, round_)
                    if (program.suite, program.name, c.name, round_) not in self.known
                ]
                if todo:
                    self._round(index, round_, todo, pending)
                    pending -= len(todo)
        self.progress.finish()
