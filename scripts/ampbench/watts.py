# SPDX-License-Identifier: GPL-3.0-or-later
"""What a core of each type draws, by the machine's sensors, as GOMP_AMP_ENERGY wants it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from . import machine, sensors
from .engine import build_folder, fail, say

# Integers and floating point, without memory: an upper bound of what most programs draw.
LOAD = "x = 1.0\nwhile True: x = x * 0.999 + 1e-3"
# Until clocks and meters have followed a change of load.
SETTLE = 1.0


def per_core(idle: float, busy: Sequence[float], counts: Sequence[int]) -> str:
    """The line to set.

    IDLE: of the machine when nothing runs.  BUSY: when all cores of one type run, of which there
    are COUNTS.  What an idle machine draws is shared out evenly: an energy is right that way,
    whoever draws it."""
    rest = idle / sum(counts)
    each = [f"{rest + (b - idle) / n:.3g}/{rest:.3g}" for b, n in zip(busy, counts)]
    return "GOMP_AMP_ENERGY=energy," + ",".join(each)


@contextmanager
def load(cpus: Sequence[int]) -> Iterator[list[int]]:
    """A busy process on each of CPUS; yields their numbers."""
    running = [subprocess.Popen([sys.executable, "-c", LOAD], start_new_session=True) for _ in cpus]
    try:
        for process, cpu in zip(running, cpus):
            os.sched_setaffinity(process.pid, {cpu})
        yield [p.pid for p in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


def power(cpus: Sequence[int], seconds: float, meters: list[sensors.Meter], root: Path) -> float:
    """Watts that the sensors show while CPUS are busy."""
    with load(cpus):
        time.sleep(SETTLE)
        with sensors.Watch(root, meters) as watch:
            begun = time.monotonic()
            watch.start()
            time.sleep(seconds)
            took = time.monotonic() - begun
    found = watch.reading(took)
    if "energy" not in found:
        fail(found.get("no_energy", "the sensors said nothing"))
    return float(found["energy"]) / took


def run(seconds: float, reps: int, energy: str, root: Path) -> int:
    """Measure the machine idle and with all cores of one type busy, in turns."""
    types = machine.core_types(build_folder() / "stage" / "bin" / "amp-info")
    if not types.several:
        fail("all usable cores are of one type, as far as amp-info sees: GOMP_AMP_ENERGY would "
             "change nothing (GOMP_AMP_TYPES names types)")  # fmt: skip
    sensors.enable(root, say)
    meters = sensors.meters(root, energy)
    if not meters:
        closed = sensors.unreadable(root)
        fail(f"{closed[0]} cannot be read; root may" if closed else
             "no sensor of energy here: neither RAPL nor INA231 nor hwmon")  # fmt: skip
    if machine.load_average()[0] > 0.5:
        say("this machine has something else to do: watts will be too high")
    print(f"{types}; by {', '.join(m.name for m in meters)} ({meters[0].group})")
    states: list[tuple[int, ...]] = [(), *types.cpus]
    rounds = [[power(cpus, seconds, meters, root) for cpus in states] for _ in range(reps)]
    idle, *busy = (median(column) for column in zip(*rounds))
    print(f"nothing busy: {idle:.3g} W")
    for cpus, watts in zip(types.cpus, busy):
        print(f"CPU {machine.cpu_list(cpus)} busy: {watts:.3g} W")
    for cpus, watts in zip(types.cpus, busy):
        if watts <= idle:
            fail(f"with CPU {machine.cpu_list(cpus)} busy the sensors show no more than without: "
                 "they do not see these cores, or --seconds is too little")  # fmt: skip
    print(per_core(idle, busy, [len(c) for c in types.cpus]))
    return 0
