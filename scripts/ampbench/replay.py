# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs recorded on one thread (GOMP_AMP_RECORD) and replayed by amp-sim."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .configs import Config, Kernel
from .runner import Setup, execute

RECORDING = Config("amp", "static")


@dataclass(frozen=True)
class Program(Kernel):
    """A kernel with one of its inputs: NAME is PROGRAM-INPUT, or PROGRAM."""

    program: str = ""
    arguments: tuple[str, ...] = ()


def load_programs(path: Path, all_inputs: bool) -> dict[str, Program]:
    """The kernels of benchmarks/kernels.json as it is now, but for those that measure overhead,
    each with its first input or with all of them."""
    out: dict[str, Program] = {}
    for row in json.loads(path.read_text(encoding="utf-8"))["kernels"]:
        if row.get("overhead_only"):
            continue
        inputs = list((row.get("inputs") or {"": []}).items())
        for name, arguments in inputs if all_inputs else inputs[:1]:
            program = Program(
                name=f"{row['name']}-{name}" if name and all_inputs else row["name"],
                classes=row["classes"],
                quick=row["quick"],
                default=row["default"],
                split=False,
                memory_bound=row.get("memory_bound", False),
                overhead_only=False,
                what=row["what"],
                program=row["name"],
                arguments=tuple(arguments),
            )
            out[program.name] = program
    return out


@dataclass
class ReplaySetup(Setup):
    """Setup for programs with inputs, for recording, and for threads in the other order."""

    extra: dict[str, str] = field(default_factory=dict)
    sb: bool = False  # thread 0 on the slowest CPU

    def program(self, config: Config, kernel: Kernel) -> Path:
        assert isinstance(kernel, Program)
        return self.build / "bench" / config.binary / kernel.program

    def environment(self, config: Config, types: str | None) -> dict[str, str]:
        env = super().environment(config, types) | self.extra
        if self.sb and "GOMP_AMP_AFFINITY" in env:
            env["GOMP_AMP_AFFINITY"] = "sb"
        return env

    def places(self, config: Config) -> list[int]:
        places = super().places(config)
        return places[::-1] if self.sb else places

    def command(self, config: Config, kernel: Kernel, klass: str) -> list[str]:
        assert isinstance(kernel, Program)
        return [*super().command(config, kernel, klass), *kernel.arguments]


def programs(build: Path, top: Path) -> None:
    """Build the kernels."""
    subprocess.run(
        ["make", "-s", "-C", str(top / "benchmarks"), f"BUILD={build}", "all", "apps", "suites"],
        check=True,
    )


def alone(setup: Setup, cpu: int, extra: Mapping[str, str]) -> ReplaySetup:
    """One thread on CPU."""
    return ReplaySetup(
        setup.build, setup.runtimes, [cpu], [], setup.period, setup.limit, dict(extra)
    )


def record(
    setup: Setup, kernel: Program, klass: str, cpu: int, costs: Path, times: int = 1
) -> dict[str, Any]:
    """Run KERNEL with one thread on CPU, which writes what its iterations cost to COSTS.

    Of TIMES recordings the shortest is kept: what others take of the CPU would pass for costs.
    """
    best: dict[str, Any] | None = None
    new = costs.with_suffix(".new")
    for _ in range(times):
        new.unlink(missing_ok=True)
        run = execute(alone(setup, cpu, {"GOMP_AMP_RECORD": str(new)}), RECORDING, kernel, klass)
        if run["status"] == "ok" and not new.is_file():
            run["status"] = "no loop chooses its schedule at run time"
        if run["status"] != "ok":
            return run
        if best is None or run["wall"] < best["wall"]:
            best = run
            new.replace(costs)
    assert best is not None
    return best


@dataclass(frozen=True)
class Costs:
    """What things cost here beside iterations, in nanoseconds."""

    grant: float
    call: float
    fork: float

    def options(self) -> list[str]:
        return [
            f"--grant-ns={self.grant:.6g}", f"--call-ns={self.call:.6g}",
            f"--fork-ns={self.fork:.6g}",
        ]  # fmt: skip


def empty_loops(setup: Setup, schedule: str, cpus: Sequence[int]) -> dict[str, Any] | None:
    """What the kernel `empty` reports under SCHEDULE with a thread on each of CPUS."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    env |= {
        "OMP_NUM_THREADS": str(len(cpus)),
        "OMP_SCHEDULE": schedule,
        "OMP_PLACES": ",".join(f"{{{c}}}" for c in cpus),
        "OMP_PROC_BIND": "true",
    }
    done = subprocess.run(
        [str(setup.build / "bench/amp/empty"), "--rounds", "5", "--loops", "1000",
         "--grants", "200000"],
        env=env, capture_output=True, text=True, timeout=setup.limit, check=False,
    )  # fmt: skip
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        return None


def measure_costs(setup: Setup, sim: Path) -> Costs:
    """The costs of an atomic update, of a call and of a loop, on the CPUs of SETUP.

    A grant of `dynamic,1` takes max (update, (call + update) / threads) where all ask at once;
    a loop takes what an empty one does beyond what it does with one thread.
    """
    said = subprocess.run(
        [str(sim), "-m", "2x1", "-n", "2", "-S", "static", "--json"],
        capture_output=True, text=True, check=True,
        preexec_fn=lambda: os.sched_setaffinity(0, setup.cpus),
    )  # fmt: skip
    grant = float(json.loads(said.stdout)["grant_ns"])
    many = empty_loops(setup, "dynamic,1", setup.cpus)
    forks = [empty_loops(setup, "static", cpus) for cpus in (setup.cpus, setup.cpus[:1])]
    call = fork = 0.0
    if many:
        call = max(len(setup.cpus) * float(many["ns_per_grant"]) - grant, 0.0)
    if forks[0] and forks[1]:
        both = [float(f["ns_per_loop"]["runtime,2"]) for f in forks if f]
        fork = max(both[0] - both[1], 0.0)
    return Costs(grant, call, fork)


def simulate(
    sim: Path, costs: Path, machine: str, schedules: Iterable[str], options: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """amp-sim's records, by schedule."""
    wanted = list(schedules)
    done = subprocess.run(
        [str(sim), "-m", machine, "-c", str(costs), "-S", ";".join(wanted), "--json", *options],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"{sim}: status {done.returncode}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    return dict(zip(wanted, records, strict=True))
