# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs recorded on one thread (GOMP_AMP_TRACE=costs) and replayed by amp-sim."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from . import machine
from .config import Config
from .launch import EMPTY_ARGUMENTS, Launcher
from .programs import Program, Wrong
from .record import Record, Run

RECORDING = Config("amp", "static")
Piece = tuple[str, list[tuple[float, int]]]


def read_recording(path: Path) -> list[Piece]:
    """Each line that begins with #, with the costs and counts of the lines that follow it.

    Of `# serial NS` the number counts as a cost.
    """
    out: list[Piece] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            text = line.strip()
            if text.startswith("# serial "):
                out.append(("# serial", [(float(text.split()[2]), 1)]))
            elif text.startswith("#"):
                out.append((text, []))
            elif text:
                cost, _, count = text.partition(" x")
                if not out:
                    out.append(("", []))
                out[-1][1].append((float(cost), int(count or 1)))
    return out


def middle_costs(parts: Sequence[Sequence[tuple[float, int]]]) -> list[tuple[float, int]]:
    """Iteration by iteration the median of PARTS' costs, which hold equally many iterations."""
    out: list[tuple[float, int]] = []
    places = [0] * len(parts)
    left = [part[0][1] if part else 0 for part in parts]
    while all(left):
        step = min(left)
        out.append((median(p[i][0] for p, i in zip(parts, places)), step))
        for k, part in enumerate(parts):
            left[k] -= step
            if left[k] == 0 and places[k] + 1 < len(part):
                places[k] += 1
                left[k] = part[places[k]][1]
    return out


def total(costs: Sequence[tuple[float, int]]) -> float:
    """Of all iterations of COSTS."""
    return sum(cost * count for cost, count in costs)


def merge(recordings: Sequence[Path], out: Path) -> bool:
    """Write the medians of RECORDINGS of the same program to OUT.

    A spike is what something else took of the CPU just then, and is not at the same iteration
    in the next recording.  But there will be others: each loop is given the median of its totals,
    so that what spikes take is spread over it.  False, and nothing written, if the recordings
    are not of the same loops.
    """
    read = [read_recording(path) for path in recordings]
    heads = [[(head, sum(n for _, n in costs)) for head, costs in r] for r in read]
    if any(h != heads[0] for h in heads):
        return False
    with out.open("w", encoding="utf-8") as file:
        for pieces in zip(*read):
            parts = [costs for _, costs in pieces]
            head, merged = pieces[0][0], middle_costs(parts)
            if head == "# serial":
                file.write(f"{head} {merged[0][0]:.0f}\n")
                continue
            if head:
                file.write(f"{head}\n")
            whole = total(merged)
            scale = median(map(total, parts)) / whole if whole > 0.0 else 1.0
            for cost, count in merged:
                text = f"{cost * scale:g}"
                file.write(f"{text}\n" if count == 1 else f"{text} x{count}\n")
    return True


def record(launcher: Launcher, program: Program, klass: str, costs: Path, times: int = 1) -> Run:
    """Run PROGRAM with one thread on the fastest CPU, and write what its iterations cost to COSTS.

    Of TIMES recordings the medians are kept, iteration by iteration, with the record of the
    median run, or the shortest where their loops are not the same: what others take of the CPU
    would pass for costs.
    """
    runs: list[tuple[Run, Path]] = []
    for i in range(times):
        new, spool = costs.with_suffix(f".new{i}"), costs.with_suffix(f".spool{i}")
        alone = launcher.alone(launcher.cpus[0], {"GOMP_AMP_TRACE": f"costs:{spool}"})
        run = alone.execute(program, RECORDING, klass)
        if run.ok and not spool.is_file():
            run.status = "no loop chooses its schedule at run time"
        if not run.ok:
            return run
        trace = str(launcher.tools / "amp-trace")
        subprocess.run([trace, "--to", "costs", str(spool), str(new)], check=True)
        spool.unlink()
        runs.append((run, new))
    runs.sort(key=lambda r: r[0].seconds or 0.0)
    best = runs[0][0]
    if len(runs) > 1 and merge([f for _, f in runs], costs):
        best = runs[len(runs) // 2][0]
    else:
        runs[0][1].replace(costs)
    for _, other in runs:
        other.unlink(missing_ok=True)
    return best


def places(costs: Path) -> list[str]:
    """The places of the loops in a file of costs."""
    with costs.open(encoding="utf-8") as lines:
        return list(dict.fromkeys(
            line.rpartition(" at ")[2].strip()
            for line in lines if line.startswith("# loop") and " at " in line
        ))  # fmt: skip


def loops_alone(costs: Path, out: Path) -> None:
    """Write COSTS without what lies before the first loop and behind the last to OUT.

    That is mostly making the input and verifying the result.
    """
    lines = costs.read_text(encoding="utf-8").splitlines(keepends=True)
    loops = [i for i, line in enumerate(lines) if line.startswith("# loop")]
    last = max((i for i, line in enumerate(lines) if not line.startswith("#")), default=-1)
    kept = [line for i, line in enumerate(lines)
            if not line.startswith("# serial") or (loops and loops[0] < i < last)]  # fmt: skip
    out.write_text("".join(kept), encoding="utf-8")


@dataclass(frozen=True)
class Costs:
    """What things cost here beside iterations, in nanoseconds."""

    grant: float  # fetching the line of a word whose line another CPU has
    hold: float  # of that: until it leaves the other CPU
    own: float  # an update of a word whose line this CPU has
    call: float  # a grant beside its updates
    fork: float  # a loop beside its grants

    def options(self) -> list[str]:
        return [
            f"--grant-ns={self.grant:.6g}", f"--hold-ns={self.hold:.6g}",
            f"--own-ns={self.own:.6g}", f"--call-ns={self.call:.6g}", f"--fork-ns={self.fork:.6g}",
        ]  # fmt: skip

    def record(self) -> dict[str, float]:
        """For raw files."""
        return {f"{name}_ns": value for name, value in asdict(self).items()}


def costs_of(update: float, alone: float, together: float, spaced: float, fork: float) -> Costs:
    """What is measured, taken apart.

    UPDATE: an atomic update on one CPU; ALONE: a grant of dynamic,1 with one thread, a call and an
    update; TOGETHER: nanoseconds from one grant to the next where all threads do nothing but ask;
    SPACED: what a thread waits for a grant where iterations are long, so that another one has had
    the line since: it is fetched.  With all asking, the line goes around, a fetch and an update
    each time, but while it is asked for its owner goes on, a grant each ALONE:
    TOGETHER == (fetch + update) / (1 + hold / ALONE).
    """
    own = min(update, alone)
    fetch = max(spaced - alone, together - own, 0.0)
    hold = alone * ((fetch + own) / together - 1.0) if together > 0.0 else 0.0
    return Costs(fetch, min(max(hold, 0.0), fetch), own, alone - own, fork)


def empty_loops(launcher: Launcher, schedule: str, cpus: Sequence[int]) -> Record | None:
    """What the kernel `empty` reports under SCHEDULE with a thread on each of CPUS."""
    env = machine.clean_environment() | {
        "OMP_NUM_THREADS": str(len(cpus)),
        "OMP_SCHEDULE": schedule,
        "OMP_PLACES": ",".join(f"{{{c}}}" for c in cpus),
        "OMP_PROC_BIND": "true",
    }
    done = subprocess.run(
        [str(launcher.build / "bench/amp/empty"), *EMPTY_ARGUMENTS],
        env=env, capture_output=True, text=True, timeout=launcher.limit or 120.0, check=False,
    )  # fmt: skip
    try:
        report: Record = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return None
    return report


def measure_costs(launcher: Launcher, sim: Path) -> Costs:
    """The costs of updates, of fetching lines, of a call and of a loop, on the LAUNCHER's CPUs.

    A loop takes what an empty one does beyond what it does with one thread.
    """
    fast = launcher.cpus[:1]
    said = subprocess.run(
        [str(sim), "-m", "2x1", "-n", "2", "-S", "static", "-g", "measure", "--json"],
        capture_output=True, text=True, check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, fast),
    )  # fmt: skip
    update = float(json.loads(said.stdout)["grant_ns"])
    grants = [empty_loops(launcher, "dynamic,1", cpus) for cpus in (fast, launcher.cpus)]
    if not grants[0] or not grants[1]:
        raise RuntimeError("the kernel `empty` says nothing of what grants cost")
    alone, together = (float(g["ns_per_grant"]) for g in grants if g)
    spaced = float(grants[1]["ns_per_spaced_grant"])
    forks = [empty_loops(launcher, "static", cpus) for cpus in (launcher.cpus, fast)]
    fork = 0.0
    if forks[0] and forks[1]:
        both = [float(f["ns_per_loop"]["runtime,2"]) for f in forks if f]
        fork = max(both[0] - both[1], 0.0)
    return costs_of(update, alone, together, spaced, fork)


def simulate(
    sim: Path, costs: Path, machine: str, schedules: Iterable[str], options: Sequence[str] = ()
) -> dict[str, Record]:
    """amp-sim's records, by schedule."""
    wanted = list(schedules)
    done = subprocess.run(
        [str(sim), "-m", machine, "-c", str(costs), "-S", ";".join(wanted), "--json", *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 2:
        # What was asked for is wrong, and so for each recording.
        raise Wrong(done.stderr.partition("\n")[0])
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{sim}: status {done.returncode}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return dict(zip(wanted, records))
