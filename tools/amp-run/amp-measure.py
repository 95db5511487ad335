#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""amp-run --measure-sf: runs a program once on each type of core, with one thread, and writes
to a file how fast its loops were."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from amp_compare import die, say, status_of

# What is sent to this process is for the program.
PASSED = [getattr(signal, f"SIG{name}") for name in "HUP INT QUIT TERM USR1 USR2 ALRM CONT".split()]
# Of amp-run's settings; what tells the types has done its work by then.
KEPT = ("LD_", "GOMP_AMP_REPLACE", "GOMP_AMP_REPORT")
DROPPED = (
    *(f"GOMP_AMP_{name}" for name in ("TEAM", "AFFINITY", "TYPES", "CORES", "SF", "LOOPS")),
    *("OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"),
)
MOST = 64.0


def first_cpus(amp_info: str, env: dict[str, str]) -> list[int]:
    """Of each type of core, fastest first."""
    done = subprocess.run([amp_info, "--json"], env=env, stdout=subprocess.PIPE, check=False)
    types = json.loads(done.stdout)["types"] if done.stdout else []
    if len(types) < 2:
        die(
            "there is one type of cores, so there is nothing to compare; if that is not so, "
            "name the types: --types 4-7:0-3"
        )
    return [entry["cpus"][0] for entry in types]


def run(command: list[str], cpu: int, record: Path, env: dict[str, str]) -> int:
    """Its status, as subprocess has it: negative after a signal."""
    record.touch()
    env = {name: value for name, value in env.items() if name not in DROPPED}
    # A schedule of ours, for others' loops are not recorded.
    env.update(OMP_NUM_THREADS="1", OMP_THREAD_LIMIT="1", OMP_SCHEDULE="aid_static")
    env["GOMP_AMP_TRACE"] = f"sf:{record}"
    # Every run reads a regular file from its beginning.
    if stat.S_ISREG(os.fstat(0).st_mode):
        os.lseek(0, 0, os.SEEK_SET)
    # No signal gets lost before it can be handed on.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, PASSED)

    def begin() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        os.sched_setaffinity(0, {cpu})

    with subprocess.Popen(command, env=env, preexec_fn=begin) as process:
        for number in PASSED:
            signal.signal(number, lambda n, _: process.send_signal(n))
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return process.wait()


def table(records: list[Path]) -> tuple[list[str], int]:
    """A line for each loop, and how many have a value."""
    times: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0.0]))
    for n, record in enumerate(records):
        for line in record.read_text(errors="replace").splitlines():
            words = line.split()
            # A place that other processes would not find, or could not name.
            if len(words) != 3 or words[0].startswith("unknown+") or "#" in words[0]:
                continue
            times[words[0]][n][0] += float(words[1])
            times[words[0]][n][1] += float(words[2])
    lines, lacking = [], []
    for place, of_type in times.items():
        each = [
            ticks / iterations if ticks > 0 and iterations > 0 else 0.0
            for ticks, iterations in (of_type[n] for n in range(len(records)))
        ]
        if min(each) > 0:
            factors = ",".join(f"{min(max(each) / t, MOST):.4g}" for t in each)
            lines.append(f"{place} {factors}")
        else:
            lacking.append(f"# {place}: not run on every type")
    return sorted(lines) + sorted(lacking), len(lines)


def plain(text: str) -> str:
    """The library stops at lines that are long, and at what it cannot print."""
    return re.sub(r"[^ -~]", "?", text.replace("\n", " "))[:200]


def main() -> int:
    """amp-measure [--set=NAME=VALUE]... -- AMP_INFO FILE PROGRAM [ARGUMENT]..."""
    end = sys.argv.index("--")
    amp_info, name, *command = sys.argv[end + 1 :]
    file = Path(name)
    settings = dict(word.split("=", 2)[1:] for word in sys.argv[1:end])
    cpus = first_cpus(amp_info, {**os.environ, **settings})
    env = {**os.environ, **{n: v for n, v in settings.items() if n.startswith(KEPT)}}
    if file.exists() and not file.is_file():
        what = "it is a folder" if file.is_dir() else "it is no regular file"
        die(f"cannot write {file}: {what}")
    real = Path(os.path.realpath(file))
    with tempfile.TemporaryDirectory() as folder:
        records = [Path(folder) / str(n) for n in range(len(cpus))]
        # In the same folder, so that the file appears whole or not at all.
        new = real.with_name(f"{real.name}.{os.getpid()}")
        try:
            new.touch()
        except OSError:
            die(f"cannot write {file}")
        try:
            for n, cpu in enumerate(cpus):
                say(f"core type {n} of {len(cpus)}: one thread on CPU {cpu}")
                if status := run(command, cpu, records[n], env):
                    what = f"signal {-status}" if status < 0 else f"status {status}"
                    say(f"the program ended with {what}; {file} is not written")
                    return status
            lines, loops = table(records)
            if loops == 0:
                say(
                    "no loop that chooses its schedule when it runs was seen on every type; "
                    f"{file} is not written"
                )
                return 1
            used = ", ".join(f"{cpu} (type {n})" for n, cpu in enumerate(cpus))
            head = [
                "Speed of loops, one thread, against the slowest type of core; fastest type first.",
                time.strftime("Written by amp-run --measure-sf, %Y-%m-%d %H:%M:%S %z"),
                plain("program: " + " ".join(command)),
                plain(f"CPUs: {used}"),
            ]
            new.write_text("".join(f"{x}\n" for x in [*(f"# {h}" for h in head), *lines]))
            new.replace(real)
        finally:
            new.unlink(missing_ok=True)
    say(f"{file}: {loops} loop{'s' * (loops != 1)}; use it with --loops")
    return 0


if __name__ == "__main__":
    ended = status_of(main, 2)
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    sys.exit(ended)
