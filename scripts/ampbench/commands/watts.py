# SPDX-License-Identifier: GPL-3.0-or-later
"""What GOMP_AMP_ENERGY is to be."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from .. import machine, sensors, session
from ..session import Parser, fail, say

# Integers and floating point, without memory: an upper bound of what most programs draw.
LOAD = "x = 1.0\nwhile True: x = x * 0.999 + 1e-3"
# Until clocks and meters have followed a change of load.
SETTLE = 1.0


def per_core(
    idle: float, busy: Sequence[float], counts: Sequence[int]
) -> list[tuple[float, float]]:
    """Watts of a core of each type, busy and idle.

    IDLE: of the machine when nothing runs.  BUSY: when all cores of one type run, of which there
    are COUNTS.  What an idle machine draws is shared out evenly: an energy is right that way,
    whoever draws it."""
    rest = idle / sum(counts)
    return [(rest + (b - idle) / n, rest) for b, n in zip(busy, counts)]


def setting(watts: Sequence[tuple[float, float]]) -> str:
    """The line for a shell."""
    return "GOMP_AMP_ENERGY=energy," + ",".join(f"{busy:.3g}/{idle:.3g}" for busy, idle in watts)


@contextmanager
def load(cpus: Sequence[int]) -> Iterator[list[int]]:
    """A busy process on each of CPUS; yields their numbers."""
    running = [
        subprocess.Popen([sys.executable, "-c", LOAD], start_new_session=True) for _ in cpus
    ]
    try:
        for process, cpu in zip(running, cpus):
            os.sched_setaffinity(process.pid, {cpu})
        yield [p.pid for p in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


class Watts:
    """What a core of each type draws, by the machine's sensors, as GOMP_AMP_ENERGY wants it.

    Measures the machine idle and with all cores of one type busy, in turns, and prints the line
    to set. The machine should have nothing else to do. Energy is read from RAPL (often by root
    only), INA231 meters or hwmon."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--seconds", type=float, default=5.0, help="that each state is watched (5)")
        p.add_argument(
            "--reps", type=session.counted, default=3, metavar="N",
            help="rounds, of which medians are taken (3)",
        )  # fmt: skip
        p.add_argument(
            "--energy", choices=("auto", *sensors.GROUPS), default="auto",
            help="the sensors (auto: the first that are there)",
        )  # fmt: skip
        p.add_argument("--sysfs", type=Path, default=Path("/sys"), help="in place of /sys")

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def run(self) -> int:
        args = self.args
        types = machine.core_types(session.build_folder() / "stage" / "bin" / "amp-info")
        if not types.several:
            fail("all usable cores are of one type, as far as amp-info sees: GOMP_AMP_ENERGY would "
                 "change nothing (GOMP_AMP_TYPES names types)")  # fmt: skip
        sensors.enable(args.sysfs, say)
        self.meters = sensors.meters(args.sysfs, args.energy)
        if not self.meters:
            closed = sensors.unreadable(args.sysfs)
            fail(f"{closed[0]} cannot be read; root may" if closed else
                 "no sensor of energy here: neither RAPL nor INA231 nor hwmon")  # fmt: skip
        if machine.load_average()[0] > 0.5:
            say("this machine has something else to do: watts will be too high")
        print(f"{types}; by {', '.join(m.name for m in self.meters)} ({self.meters[0].group})")
        states: list[tuple[int, ...]] = [(), *types.cpus]
        found: list[list[float]] = [[] for _ in states]
        for round_ in range(args.reps):
            for cpus, values in zip(states, found):
                say(f"round {round_ + 1} of {args.reps}:"
                    f" {'CPU ' + machine.cpu_list(cpus) if cpus else 'nothing'} busy")  # fmt: skip
                values.append(self.power(cpus))
        idle, *busy = map(median, found)
        print(f"nothing busy: {idle:.3g} W")
        for cpus, power in zip(types.cpus, busy):
            print(f"CPU {machine.cpu_list(cpus)} busy: {power:.3g} W")
        for cpus, power in zip(types.cpus, busy):
            if power <= idle:
                fail(
                    f"with CPU {machine.cpu_list(cpus)} busy the sensors show no more than "
                    "without: they do not see these cores, or --seconds is too little"
                )
        print(setting(per_core(idle, busy, [len(c) for c in types.cpus])))
        return 0

    def power(self, cpus: Sequence[int]) -> float:
        """Watts that the sensors show while CPUS are busy."""
        with load(cpus):
            time.sleep(SETTLE)
            watch = sensors.Watch(self.args.sysfs, self.meters)
            with watch:
                begun = time.monotonic()
                watch.start()
                time.sleep(self.args.seconds)
                seconds = time.monotonic() - begun
        if watch.reading.total is None:
            fail(watch.reading.problem or "the sensors said nothing")
        return watch.reading.total / seconds
