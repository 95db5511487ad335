#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules on big out-of-order and little in-order cores that gem5 simulates.

Run by Python it builds the kernels, has gem5 run them and prints what `scripts/bench compare`
does; run by gem5 it is the machine.  README.md says how.
"""

import argparse
import importlib
import json
import math
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
BUILD = HERE.parents[1] / "build"
TARGET = "aarch64-linux-gnu"
# In class T.
PROGRAMS = {
    "tail": ("tail.c", []),
    "blackscholes": ("blackscholes.c", []),
    "synth": ("synth.c", ["--shape", "linear"]),
    "stencil": ("stencil.cpp", []),
}
CONFIGS = ["stock:static", "fast:static", "amp:aid_static", "amp:aid_hybrid,80"]
CONFIGS += ["amp:aid_dynamic", "amp:unset"]
ALONE = ["alone:big", "alone:LITTLE"]
CLOCKS = {"big": "2GHz", "LITTLE": "1.4GHz"}


def simulate(what: dict[str, Any]) -> None:
    """In gem5: run a program on a machine of two clusters, each with an L2 of its own."""
    m5: Any = importlib.import_module("m5")
    objects: Any = importlib.import_module("m5.objects")
    sys.path.append(what["models"])

    system = objects.System(mem_mode="timing", mem_ranges=[objects.AddrRange("512MB")])
    system.clk_domain = objects.SrcClockDomain(
        clock="1GHz", voltage_domain=objects.VoltageDomain()
    )
    system.membus = objects.SystemXBar()
    system.system_port = system.membus.cpu_side_ports
    system.memory = objects.SimpleMemory(
        range=system.mem_ranges[0], latency="60ns", bandwidth="12.8GiB/s"
    )
    system.memory.port = system.membus.mem_side_ports
    system.workload = objects.SEWorkload.init_compatible(what["command"][0])
    process = objects.Process(
        cmd=what["command"], executable=what["command"][0], env=what["env"], output="program"
    )

    number = 0
    for kind, cores in what["cores"].items():
        if not cores:
            continue
        model: Any = importlib.import_module(f"ex5_{kind}")
        cluster = objects.SubSystem()
        # gem5 numbers processors in the order of names.
        setattr(system, f"cluster{number}", cluster)
        cluster.clk_domain = objects.SrcClockDomain(
            clock=CLOCKS[kind], voltage_domain=objects.VoltageDomain()
        )
        cluster.bus = objects.L2XBar(clk_domain=cluster.clk_domain)
        cluster.l2 = model.L2()
        cluster.l2.cpu_side = cluster.bus.mem_side_ports
        cluster.l2.mem_side = system.membus.cpu_side_ports
        cluster.cpus = [getattr(model, f"ex5_{kind}")(cpu_id=number + i) for i in range(cores)]
        number += cores
        for cpu in cluster.cpus:
            cpu.workload = process
            cpu.createThreads()
            # Armv8.0, not the vectors and atomics of later cores; but without pointer
            # authentication xpaclri, which __builtin_return_address has, loses x30.
            for isa in cpu.isa:
                isa.release_se = objects.ArmRelease(extensions=["FEAT_PAuth"])
            cpu.createInterruptController()
            cpu.addPrivateSplitL1Caches(model.L1I(), model.L1D())
            cpu.connectCachedPorts(cluster.bus.cpu_side_ports)
    root = objects.Root(full_system=False, system=system)
    del root
    m5.instantiate()
    print(m5.simulate().getCause())


def stock_compiler(name: str) -> str:
    """Debian's cross compiler: of any version, as `make deps' installs one."""
    for suffix in ["", *(f"-{n}" for n in range(16, 8, -1))]:
        if shutil.which(f"{TARGET}-{name}{suffix}"):
            return f"{TARGET}-{name}{suffix}"
    raise SystemExit(f"no {TARGET}-{name}: make deps TARGET={TARGET}")


def build(program: str, stock: bool) -> Path:
    """The kernel as a static AArch64 program, by Debian's cross compiler or by ours."""
    out = BUILD / "gem5" / f"{program}-{'stock' if stock else 'amp'}"
    source = KERNELS / PROGRAMS[program][0]
    ours = BUILD / TARGET / "cross/bin" / f"{TARGET}-amp-"
    driver = stock_compiler if stock else str(ours).__add__
    flags = ["-O3", "-static", "-fopenmp", "-ffp-contract=off", "-Wno-unknown-pragmas"]
    objects = []
    files = [source, HERE / "affinity.c", *sorted((KERNELS / "common").glob("*.c"))]
    made_of = [*files, BUILD / TARGET / "cross/lib/libgomp.a"]
    if out.is_file() and out.stat().st_mtime > max(f.stat().st_mtime for f in made_of):
        return out
    out.parent.mkdir(parents=True, exist_ok=True)
    for file in files:
        compiler = driver("g++" if file.suffix == ".cpp" else "gcc")
        objects.append(f"{out}-{file.stem}.o")
        subprocess.run([compiler, *flags, "-c", file, "-o", objects[-1]], check=True)
    linker = driver("g++" if source.suffix == ".cpp" else "gcc")
    subprocess.run([linker, *flags, *objects, "-o", out, "-lm"], check=True)
    # System emulation has no counter to be read: with a frequency of 0 (mrs x0, cntfrq_el0)
    # the library asks clock_gettime.
    code = out.read_bytes().replace(b"\x00\xe0\x3b\xd5", b"\x00\x00\x80\xd2")
    out.write_bytes(code)
    return out


def run(args: argparse.Namespace, program: str, config: str, binary: Path) -> float:
    """Seconds that the program reports; checked: its result, and that thread i was on CPU i."""
    how, schedule = config.split(":")
    cores = dict(zip(("big", "LITTLE"), args.cores))
    if how == "alone":
        cores = {kind: int(kind == schedule) for kind in cores}
    threads = args.cores[0] if how == "fast" else sum(cores.values())
    env = {"OMP_NUM_THREADS": threads, "OMP_WAIT_POLICY": "active", "GEM5_CPUS": sum(args.cores)}
    if how == "amp":
        env["GOMP_AMP_TYPES"] = f"0-{args.cores[0] - 1}:{args.cores[0]}-{sum(args.cores) - 1}"
        if schedule != "unset":
            env["OMP_SCHEDULE"] = schedule
    what = {
        "cores": cores,
        "command": [str(binary), "T", *PROGRAMS[program][1]],
        "env": [f"{name}={value}" for name, value in env.items()],
        "models": str(Path(args.gem5).parents[2] / "configs/common/cores/arm"),
    }
    folder = BUILD / "gem5" / "+".join(map(str, args.cores)) / program / config
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "program"
    if args.again or not out.is_file() or out.stat().st_mtime < binary.stat().st_mtime:
        with (folder / "log").open("w") as log:
            if args.qemu:
                command = ["env", *what["env"], "qemu-aarch64", *what["command"]]
                out.write_bytes(subprocess.run(command, check=True, stdout=-1).stdout)
            else:
                command = [args.gem5, "-d", str(folder), __file__, json.dumps(what)]
                subprocess.run(command, check=True, stdout=log, stderr=log)
    said = json.loads(out.read_text())
    if not said["verified"] or said["threads"] != threads:
        raise SystemExit(f"{folder}: wrong: {said}")
    if not args.qemu and said["cpus"] != list(range(threads)):
        raise SystemExit(f"{folder}: threads on CPUs {said['cpus']}")
    print(f"{program} {config} {said['seconds']:.6f}", file=sys.stderr, flush=True)
    return float(said["seconds"])


def table(times: dict[str, dict[str, float]], cores: list[int], configs: list[str]) -> None:
    """What part of the ideal each reaches, the programs that `unset' loses first."""
    rows = []
    for program, t in times.items():
        ideal = 1 / (cores[0] / t["alone:big"] + cores[1] / t["alone:LITTLE"])
        rival = min((c for c in configs if c != "amp:unset"), key=lambda c: t[c])
        over = t[rival] / t["amp:unset"] if "amp:unset" in t else math.nan
        rows.append((over, program, t["alone:LITTLE"] / t["alone:big"], t, ideal, rival))
    print(f"{'program':<14}{'big/LITTLE':>11}", *(f"{c:>17}" for c in configs), "  unset/rival")
    for over, program, ratio, t, ideal, rival in sorted(rows, key=lambda row: row[0]):
        shares = "".join(f"{ideal / t[c]:>18.3f}" for c in configs)
        print(f"{program:<14}{ratio:>11.2f}{shares}  {over:.3f} {rival}")
    means = (math.exp(sum(math.log(r[4] / r[3][c]) for r in rows) / len(rows)) for c in configs)
    print(f"{'geometric mean':<25}" + "".join(f"{m:>18.3f}" for m in means))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--cores", default="2+2", help="big+LITTLE ones (default %(default)s)")
    parser.add_argument("--kernels", default=",".join(PROGRAMS))
    parser.add_argument("--configs", default=" ".join(CONFIGS), help="as of scripts/bench")
    parser.add_argument("--jobs", type=int, default=1, help="simulations at a time")
    parser.add_argument("--again", action="store_true", help="also what has been run")
    parser.add_argument("--qemu", action="store_true", help="try it: qemu-user, times mean nothing")
    args = parser.parse_args()
    args.gem5 = os.environ.get("GEM5") or ("/qemu/without/gem5" if args.qemu else "")
    if not args.gem5:
        parser.error("GEM5 must name gem5's program, as in SOURCE/build/ARM/gem5.opt")
    args.cores = [int(n) for n in args.cores.split("+")]
    configs = args.configs.split()
    jobs = {}
    with ThreadPoolExecutor(args.jobs) as pool:
        for program in args.kernels.split(","):
            stock, amp = build(program, True), build(program, False)
            for config in ALONE + configs:
                binary = amp if config.startswith("amp:") else stock
                jobs[program, config] = pool.submit(run, args, program, config, binary)
    times: dict[str, dict[str, float]] = {}
    for (program, config), job in jobs.items():
        times.setdefault(program, {})[config] = job.result()
    if not args.qemu:
        table(times, args.cores, configs)
    return 0


if __name__ == "__m5_main__":
    simulate(json.loads(sys.argv[1]))
elif __name__ == "__main__":
    sys.exit(main())
