# SPDX-License-Identifier: GPL-3.0-or-later
"""Compile and run the programs of this suite: cases that print what they leave."""

from __future__ import annotations

import collections
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
BUILD = TOP / (os.environ.get("BUILD") or "build")
LIMIT = 60 * float(os.environ.get("SLOW") or 1)  # Seconds that a run may take.
# A patched GCC, by its prefix (make gcc), instead of the plugin; with the host's driver it is one
# of the very compiler.
PATCHED = Path(os.environ["COMPILER"]).resolve() if os.environ.get("COMPILER") else None
COMPILERS = {".c": ("CC", "gcc"), ".cc": ("CXX", "g++"), ".f90": ("FC", "gfortran")}
ROUNDS = 3  # Of main.c.
SAID = re.compile(r"^(.*?):(\d+): ((?:any order|ascending|steady|static: |explicit: ).*)", re.M)
RAN = re.compile(r"(\d+) (\w+) ([0-9a-f]+)")


@dataclass
class Decision:
    """What the plugin says of a loop."""

    line: int
    text: str

    @property
    def converted(self) -> bool:
        return not self.text.startswith(("static", "explicit"))

    @property
    def any_order(self) -> bool:
        return self.text.startswith("any order")


def has_hosts_driver(prefix: Path) -> bool:
    return (prefix / "lib/gomp-amp-cc1").exists()


def decisions_in(dump: Path, file: Path) -> list[Decision]:
    """What DUMP says of FILE's loops."""
    text = dump.read_text(errors="replace") if dump.exists() else ""
    return [Decision(int(m[2]), m[3]) for m in SAID.finditer(text) if Path(m[1]).name == file.name]


@dataclass
class Compiler:
    """GCC with our library, and with the patch, the stage's plugin or another one; without a stage
    plain GCC, or what the patch leaves alone."""

    stage: Path | None = None
    plugin: Path | None = None
    default: str = "runtime"
    options: tuple[str, ...] = ("-O0",)

    def run(self, command: list[str], folder: Path | None = None) -> None:
        r = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder
        )
        if r.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{r.stderr[:4000]}")

    def plain(self, suffix: str) -> str:
        variable, name = COMPILERS[suffix]
        if PATCHED and not has_hosts_driver(PATCHED):
            return str(PATCHED / "bin" / name)
        return os.environ.get(variable) or name

    def main(self, folder: Path) -> Path:
        """The object that each program needs."""
        out = folder / "main.o"
        self.run([self.plain(".c"), "-O1", "-fopenmp", "-c", str(HERE / "main.c"), "-o", str(out)])
        return out

    def compile(self, file: Path, out: Path, main: Path | None) -> list[Decision]:
        """Make a program of FILE, or without MAIN only look at it."""
        dump = out.with_suffix(".dump")
        dump.unlink(missing_ok=True)
        command = [self.plain(file.suffix)]
        options = ["-fopenmp", "-w", "-fwrapv", f"-I{HERE}", *self.options]
        if file.suffix == ".cc":
            options += ["-std=gnu++17"]
        elif file.suffix == ".f90":
            options += ["-ffree-line-length-none", f"-J{out.parent}"]
        name = self.plugin.stem if self.plugin else "gomp_amp_plugin"
        arguments = {"dump": str(dump)} | (
            {"default": self.default} if self.default != "runtime" else {}
        )
        if self.stage and PATCHED:
            command = [str(PATCHED / "bin" / COMPILERS[file.suffix][1])]
            # GCC 8 takes a hyphen for the next option of the dump.
            options += [f"-fdump-tree-omplower-details={dump.name}"]
            options += [f"-fopenmp-default-schedule={self.default}"]
        elif self.stage:
            if self.plugin:
                options += [f"-fplugin={self.plugin}"]
            else:
                command = [str(self.stage / "bin" / f"amp-{COMPILERS[file.suffix][1]}")]
            options += [f"-fplugin-arg-{name}-{k}={v}" for k, v in arguments.items()]
        elif PATCHED and not has_hosts_driver(PATCHED):
            options += ["-fopenmp-default-schedule=static"]
        if self.stage and not (PATCHED and not has_hosts_driver(PATCHED)):
            options += [f"-L{self.stage / 'lib'}", f"-Wl,-rpath,{self.stage / 'lib'}"]
        what = [str(file), str(main)] if main else ["-c", str(file)]
        self.run([*command, *options, *what, "-o", str(out)], out.parent)
        return decisions_in(dump, file)


def execute(program: Path, environment: dict[str, str]) -> dict[str, list[str]]:
    """What each case prints.  One that ends or holds up the program lacks rounds."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    kept |= {"OMP_WAIT_POLICY": "passive"} | environment
    found: dict[str, list[str]] = collections.defaultdict(list)
    begin = 0
    while True:
        kept["RULES_FROM"] = str(begin)
        try:
            r = subprocess.run(
                [str(program)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, env=kept, timeout=LIMIT,
            )  # fmt: skip
            text, good = r.stdout, r.returncode == 0
        except subprocess.TimeoutExpired as e:
            text, good = (e.stdout or b"").decode() if isinstance(e.stdout, bytes) else "", False
        ran = [m for line in text.splitlines() if (m := RAN.fullmatch(line))]
        for m in ran:
            found[m[2]].append(m[3])
        if good or len({m[1] for m in ran}) == 0 and begin > 1024:
            return found
        # It ended in the case after the last one that is complete.
        complete = {m[1] for m in ran if sum(o[1] == m[1] for o in ran) == ROUNDS}
        begin = begin + len(complete) + 1


@dataclass
class Verdict:
    """The divisions under which a case fails, of each kind."""

    static: list[str] = field(default_factory=list)
    ascending: list[str] = field(default_factory=list)
    descending: list[str] = field(default_factory=list)


def divisions(runs: int) -> list[tuple[str, dict[str, str]]]:
    """RUNS that are drawn, with 2 to 7 threads, and a few more: kind and environment."""
    found = []
    for threads in ("2", "3", "7"):
        found.append(("static", {"OMP_NUM_THREADS": threads, "OMP_SCHEDULE": "static"}))
    for k in range(runs):
        draw = f"seed={k + 1}" + ",contiguous" * (k % 3 == 0)
        found.append(("ascending", {"OMP_NUM_THREADS": str(2 + k % 6), "GOMP_AMP_DEBUG": draw}))
    for threads, schedule in (("3", "dynamic,1"), ("5", "guided")):
        found.append(("ascending", {"OMP_NUM_THREADS": threads, "OMP_SCHEDULE": schedule}))
    for k in range(runs // 2):
        draw = f"seed={k + 1},descending"
        threads = str(2 + k * 3 % 6)
        found.append(("descending", {"OMP_NUM_THREADS": threads, "GOMP_AMP_DEBUG": draw}))
    return found


def compare(right: Path, ours: Path, runs: int) -> dict[str, Verdict]:
    """Where cases of OURS do not print what those of RIGHT, plain GCC's, do."""
    wanted: dict[str, dict[str, list[str]]] = {}
    verdicts: dict[str, Verdict] = {}
    for kind, environment in divisions(runs):
        threads = environment["OMP_NUM_THREADS"]
        if threads not in wanted:
            wanted[threads], again = (
                execute(right, {"OMP_NUM_THREADS": threads}) for _ in range(2)
            )
            for name, values in wanted[threads].items():
                if len(values) != ROUNDS or values != again[name]:
                    raise RuntimeError(f"{right}: {name} has no result of its own")
        got = execute(ours, environment)
        for name, values in wanted[threads].items():
            verdict = verdicts.setdefault(name, Verdict())
            if got[name] != values:
                where = " ".join(f"{k}={v}" for k, v in environment.items())
                getattr(verdict, kind).append(where)
    return verdicts
