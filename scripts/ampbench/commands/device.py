# SPDX-License-Identifier: GPL-3.0-or-later
"""The command device: loops on cores and a device."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import random
import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from .. import device, sensors, session
from ..emulation import PERIOD, Emulation, Slowing
from ..machine import core_types
from ..plan import EQUAL, Progress
from ..record import RawFile, Run
from ..session import Parser, Session

TOP = Path(__file__).resolve().parents[3]
PROGRAMS = {
    "barneshut": (100000, 4), "matmul": (700, 3), "spmv": (200000, 10),
}  # fmt: skip
RATIOS = (1.0, 2.0, 5.0, 0.5, 0.2)
LIMIT = 300.0
# The host thread shares the core: without priority it waits milliseconds for it.
HOST = "beside,rr=1"
SYS = Path("/sys")


class Device:
    """Loops on cores and a device: what libamp-device's policies reach.

    An OpenCL device on one CPU (PoCL), one core's thread on another, and either of them slowed
    by amp-emulate: the cores alone, every division in steps of 10 percent, chunks of several
    sizes, and adaptive. --simulate: the paper's three chips in virtual time, its figures 1e, 2,
    5, 6 and 7 as far as its text tells numbers."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--simulate", action="store_true", help="the paper's chips; measure nothing")
        p.add_argument("--programs", type=session.words, default=["barneshut"],
                       help=f"of {', '.join(PROGRAMS)} (barneshut)")  # fmt: skip
        p.add_argument("--ratios", type=lambda t: [float(r) for r in t.split(",")],
                       default=list(RATIOS),
                       help="how many times slower the device is; below 1, the core "
                            f"({','.join(f'{r:g}' for r in RATIOS)})")  # fmt: skip
        p.add_argument("--configs", action="append", metavar="PATTERN",
                       help="of off, adaptive, dynamic,G and bulk,P: those that match; may be "
                            "given again (all)")  # fmt: skip
        p.add_argument("--n", type=int, help="the programs' size (their own)")
        p.add_argument("--steps", type=int, help="executions of the loop (their own)")
        session.add_rounds(p, "1")
        session.add_raw(p, "device-TIME.jsonl", "")

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.build = session.build_folder()

    def run(self) -> int:
        if self.args.simulate:
            return self.simulate()
        if self.args.table_from:
            print(device.measured_report(session.load(self.args.table_from)))
            return 0
        return self.measure()

    # In virtual time.

    def simulator(self) -> Path:
        out = self.build / "bench" / "device" / "simulate"
        out.parent.mkdir(parents=True, exist_ok=True)
        rooms = [TOP / "libgomp/core", TOP / "libgomp/sched", TOP / "tools/amp-sim",
                 TOP / "libraries/libamp-device"]  # fmt: skip
        subprocess.run(
            ["gcc", "-std=gnu11", "-O2", '-DAMP_PORT_HEADER="sim-port.h"',
             *(f"-I{r}" for r in rooms), "-o", str(out),
             str(TOP / "benchmarks/device/simulate.c"), "-lm"],
            check=True,
        )  # fmt: skip
        return out

    def simulate(self) -> int:
        program = self.simulator()

        def run(words: list[str], **more: object) -> dict[str, Any]:
            said = subprocess.run(
                [str(program), *words, *(f"{k}={v}" for k, v in more.items())],
                capture_output=True, check=True, text=True,
            )  # fmt: skip
            return dict(json.loads(said.stdout))

        found: dict[str, dict[str, dict[str, Any]]] = {}
        for chip in device.CHIPS:
            here = found[chip.name] = {}
            for k in (3, 4):
                cores, name = device.team(k), f"{k}+1"
                late = chip.dispatch if k == 4 else 0.0
                words = chip.words(cores, late)
                tried = [run(words, policy="bulk", percent=p) | {"percent": p}
                         for p in device.PERCENTS]  # fmt: skip
                here[f"bulk {name}"] = min(tried, key=lambda r: float(r["seconds"]))
                here[f"dynamic {name}"] = run(words, policy="dynamic")
                here[f"pri {name}"] = run(chip.words(cores), policy="dynamic")
                here[f"adaptive {name}"] = run(words, policy="adaptive", steps=12)
        haswell = device.at_640(device.CHIPS[1])
        sizes = []
        for n in (320, 640, 1280, 2560, 5120, 10240):
            one = run(haswell.words(device.team(3)), policy="dynamic", chunk=n)
            busy = sum(one[k] for k in ("kernel", "copies", "launch"))
            sizes.append((n, one["on_device"] / (busy * one["seconds"])))
        little: dict[str, dict[str, dict[str, Any]]] = {}
        chip = device.CHIPS[2]
        for k in (3, 4, 7, 8):
            late = chip.dispatch if k in (4, 8) else 0.0
            little[f"{k}+1"] = {
                "dynamic": run(chip.words(device.exynos(k, False), late), policy="dynamic"),
                "pri": run(chip.words(device.exynos(k, False)), policy="dynamic"),
                "A7": run(chip.words(device.exynos(k, True), late), policy="dynamic"),
                "pri A7": run(chip.words(device.exynos(k, True)), policy="dynamic"),
            }
        print(device.simulated_report(found, sizes, little))
        return 0

    # On this machine.

    def one(self, program: str, config: str, cpus: tuple[int, int], types: str | None) -> Run:
        core, dev = cpus
        n, steps = PROGRAMS[program]
        n, steps = self.args.n or n, self.args.steps or steps
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
        env |= {"OMP_NUM_THREADS": "1", "AMP_DEVICE": config, "AMP_DEVICE_HOST": HOST}
        if types:
            env["GOMP_AMP_TYPES"] = types
        command = ["taskset", "-c", str(core),
                   str(self.build / "bench" / "device" / program), "--n", str(n),
                   "--steps", str(steps), "--device-cpu", str(dev)]  # fmt: skip
        run = Run(config=config, kernel=program, klass="")
        try:
            with sensors.Watch(SYS, self.meters) as watch:
                watch.start()
                done = subprocess.run(command, env=env, capture_output=True, check=False,
                                      text=True, timeout=self.args.limit or LIMIT)  # fmt: skip
        except subprocess.TimeoutExpired:
            run.status = "timeout"
            return run
        run.stderr = done.stderr[-2000:]
        if done.returncode != 0:
            run.status = "failed"
            return run
        run.report = json.loads(done.stdout)
        iterations = n * n if program == "matmul" else n
        run.report["n_iterations"] = iterations * steps
        run.seconds = run.report["loop_seconds"]
        if watch.reading.total is not None:
            run.report["joules"] = watch.reading.total
        return run

    def measure(self) -> int:
        args = self.args
        subprocess.run(["make", "-s", "-C", str(TOP / "benchmarks/device"),
                        f"BUILD={self.build}"], check=True)  # fmt: skip
        usable = sorted(os.sched_getaffinity(0))
        if len(usable) < 2:
            session.fail("one CPU for the cores and one for the device are needed")
        if core_types(self.build / "stage/bin/amp-info").several:
            session.say("cores of several types: the first two CPUs are taken as they are")
        cpus = (usable[0], usable[1])
        sensors.enable(SYS, session.say)
        self.meters = sensors.meters(SYS) + sensors.nvml()
        a_session = Session(args, "device", "device")
        reps = args.reps or 1
        configs = ["off", "adaptive", *(f"dynamic,{c}" for c in device.CHUNKS),
                   *(f"bulk,{p}" for p in device.PERCENTS)]  # fmt: skip
        configs = [c for c in configs
                   if any(fnmatch.fnmatchcase(c, p) for p in args.configs or ["*"])]  # fmt: skip
        if not configs:
            session.fail("no configuration matches --configs")
        known = {r.key for r in a_session.known if r.ok}
        order = random.Random(a_session.seed)
        slowing = Slowing(PERIOD)

        def work(out: RawFile) -> None:
            runs = len(args.ratios) * reps * len(args.programs) * len(configs)
            progress = Progress(runs - len(known))
            for ratio in args.ratios:
                slow = cpus[1] if ratio > 1 else cpus[0]
                factor = ratio if ratio > 1 else 1 / ratio
                emulation = (
                    nullcontext() if ratio == EQUAL
                    else Emulation(self.build / "stage/bin/amp-emulate", [slow], factor, slowing)
                )  # fmt: skip
                with emulation:
                    for number in range(1, reps + 1):
                        todo = [(p, c) for p in args.programs for c in configs]
                        order.shuffle(todo)
                        for program, config in todo:
                            run = Run(config=config, kernel=program, ratio=ratio, round=number)
                            if run.key in known:
                                continue
                            run = self.one(program, config, cpus, None)
                            run.ratio, run.round = ratio, number
                            out.write(run)
                            progress.step(f"{program} ratio {ratio:g} {config}")
                            if not run.ok:
                                progress.say(f"{program}, {config}: {run.status}: {run.stderr}")
            progress.finish()

        head = a_session.head(
            pinning={"cpus": list(cpus), "how": "core's thread and host thread on the first, "
                     "PoCL's thread on the second"},
            period=slowing.period, method=slowing.method,
            energy=[f"{m.group} {m.name}" for m in self.meters],
        )  # fmt: skip
        status = a_session.measure(head, work)
        if status is not None:
            return status
        print(device.measured_report(session.load(a_session.raw)))
        print(f"raw data: {a_session.raw}")
        return 0
