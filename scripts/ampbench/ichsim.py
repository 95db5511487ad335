# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated part of `bench ich`: recorded iteration costs under amp-sim."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from .config import Config
from .ich import METHODS, PUBLISHED, PUBLISHED_SCHEDULES, setting_of
from .kernels import Kernel
from .launch import Launcher
from .record import Record, Run, runs

# The paper's numbers of threads, and one that its machine did not have.
LANES = (1, 2, 4, 8, 14, 28, 64)
# On an AMP half of the lanes are slow.
AMP_LANES = 28
# An update of a line that is another core's: what machines of that size need.
GRANT_NS = 50.0
TIMED_RUNS = 3


class Failed(Exception):
    """A program did not do what it should."""


def machine(lanes: int, ratio: float) -> str:
    """amp-sim's --machine: the fastest cores have speed 1."""
    if ratio == 1.0:
        return f"{lanes}x1"
    return f"{lanes - lanes // 2}x1+{lanes // 2}x{1 / ratio:.6g}"


def wanted(lanes: Sequence[int], ratio: float) -> Iterator[tuple[int, float]]:
    """Lanes and ratio of each machine."""
    for p in lanes:
        yield p, 1.0
    if ratio > 1.0 and AMP_LANES in lanes:
        yield 1, ratio
        yield AMP_LANES, ratio


def schedules(methods: Mapping[str, Sequence[str]], ratio: float) -> list[str]:
    """What amp-sim is asked for; static serves as baseline and for taskloop.

    As many tasks as threads are one block a thread, as static has it.
    """
    out = ["static"]
    for method, names in methods.items():
        if method != "taskloop" and (method != PUBLISHED or ratio != 1.0):
            out += names
    if ratio != 1.0 and "ich" in methods and PUBLISHED not in methods:
        out += PUBLISHED_SCHEDULES
    return out


def records_of(
    lines: Sequence[str], lanes: int, ratio: float, cpu: int, taskloop: bool
) -> list[Record]:
    """amp-sim's records as those of configurations of ours."""
    out = []
    for line in lines:
        record: Record = json.loads(line) | {"ratio": ratio, "status": "ok"}
        if not record["config"].startswith("amp:static@"):
            out.append(record)
            continue
        if lanes == 1:
            out.append({**record, "config": f"single:{cpu}"})
        if taskloop and (lanes > 1 or ratio == 1.0):
            out.append({**record, "config": f"task:{METHODS['taskloop'][0]}@{lanes}"})
    return out


def write_costs(launcher: Launcher, app: Kernel, klass: str, path: Path) -> tuple[int, int]:
    """Let APP write its costs to PATH; returns their sum, and of how many loops they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    launch = launcher.launch(Config("single", str(launcher.cpus[0])), app, klass)
    part = path.with_suffix(".part")
    done = subprocess.run(
        [*launch.argv, "--costs", str(part)], env=launch.env, capture_output=True, text=True,
        check=False, timeout=600,
    )  # fmt: skip
    if done.returncode or not part.is_file():
        raise Failed(f"{app.name}: no costs: {done.stderr.strip()[:300]}")
    part.rename(path)
    lines = path.read_text(encoding="ascii").splitlines()
    costs = [int(line) for line in lines if not line.startswith("#")]
    loops = len(lines) - len(costs)
    if not sum(costs) or not loops:
        raise Failed(f"{app.name}: costs of nothing")
    return sum(costs), loops


def per_loop(run: Run) -> float:
    """Seconds of one loop; a file of costs may have fewer loops than are timed."""
    return (run.seconds or 0.0) / run.loops


def unit_ns(
    launcher: Launcher, app: Kernel, klass: str, costs: tuple[int, int], records: Sequence[Record]
) -> float:
    """What a cost of 1 takes on the fastest CPU, from runs that were made or now.

    The fastest run counts: what disturbs makes it longer.  A file keeps to the unit that
    its first simulation had.
    """
    for r in records:
        if r["type"] == "costs" and (r["kernel"], r["class"]) == (app.name, klass):
            return float(r["unit_ns"])
    one = Config("single", str(launcher.cpus[0]))
    wanted = (app.name, klass, one.name, "")
    seconds = [
        per_loop(r)
        for r in runs(records)
        if r.ok and (r.kernel, r.klass, r.config, r.source) == wanted and r.ratio in (0.0, 1.0)
    ]
    while len(seconds) < TIMED_RUNS:
        run = launcher.execute(one, app, klass)
        if not run.ok:
            raise Failed(f"{app.name}: {run.status}")
        seconds.append(per_loop(run))
    total, loops = costs
    return min(seconds) * 1e9 * loops / total


def simulate(
    launcher: Launcher,
    apps: Sequence[tuple[Kernel, str]],
    methods: Mapping[str, Sequence[str]],
    lanes: Sequence[int],
    ratio: float,
    grant_ns: float,
    before: Sequence[Record],
    write: Callable[[Record], None],
    say: Callable[[str], None],
) -> None:
    """Simulate APPS, each with its class, on all machines that BEFORE does not have yet."""
    program = launcher.tools / "amp-sim"
    done = {(r.kernel, r.klass, setting_of(r, 1).threads, r.ratio) for r in runs(before) if r.source}
    for app, klass in apps:
        todo = [m for m in wanted(lanes, ratio) if (app.name, klass, *m) not in done]
        if not todo:
            continue
        path = launcher.build / "bench" / "costs" / f"{app.name}-{klass}.txt"
        costs = write_costs(launcher, app, klass, path)
        unit = unit_ns(launcher, app, klass, costs, before)
        write({"type": "costs", "kernel": app.name, "class": klass, "sum": costs[0],
               "loops": costs[1], "unit_ns": unit, "grant_ns": grant_ns})  # fmt: skip
        for p, slow in todo:
            names = schedules(methods, slow) if p > 1 or slow == 1.0 else ["static"]
            # One lane at a ratio is there for the fast core's time alone.
            on = machine(p, slow) if p > 1 else "1x1"
            command = [
                str(program), "--machine", on, "--grant-ns", f"{grant_ns:g}", "--costs", str(path),
                "--unit", f"{unit:.9g}", "--schedule", ";".join(names), "--json",
                "--kernel", app.name, "--class", klass,
            ]  # fmt: skip
            if app.workload:
                command.append("--workload")
            say(f"{app.name} {klass}: simulating {on}")
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                raise Failed(f"amp-sim: {run.stderr.strip()[:300]}")
            # All of a machine's at once: what is in the file is complete.
            for record in records_of(
                run.stdout.splitlines(), p, slow, launcher.cpus[0], "taskloop" in methods
            ):
                write(record)
        path.unlink()
