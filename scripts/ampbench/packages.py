# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs as their packages have them, in a folder of their own: Debian's packages unpacked, wheels
in a virtual environment, and inputs.  Nothing outside of the folder changes."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .machine import clean_environment, output
from .programs import Program
from .record import Record

# Of the dynamic linker's own account: which library's code a call of OpenMP's goes to.
BINDING = re.compile(rb"binding file .* to (\S+) \[\d+\]: \w+ symbol `GOMP_parallel\w*'")
THREADS = re.compile(r"^\s*\[host\] threads of a team = '(\d+)", re.MULTILINE)


def threads_of(said: str) -> int | None:
    """The default number of threads that our library names, of several the last process's."""
    found = THREADS.findall(said)
    return int(found[-1]) if found else None


def bindings(folder: Path) -> set[str]:
    """The libraries that serve parallel regions, by the linker's files in FOLDER."""
    out = set()
    for path in folder.glob("bindings.*"):
        with path.open("rb") as lines:
            for line in lines:
                if b"`GOMP_parallel" in line and (found := BINDING.search(line)):
                    out.add(os.path.realpath(found[1].decode()))
    return out


@dataclass(frozen=True)
class Home:
    """The folder in which programs and their inputs are installed."""

    folder: Path

    @property
    def root(self) -> Path:
        """Debian's packages, unpacked."""
        return self.folder / "debian"

    @property
    def lib(self) -> Path:
        found = sorted((self.root / "usr" / "lib").glob("*-linux-gnu*"))
        return (found or [self.root / "usr" / "lib" / f"{platform.machine()}-linux-gnu"])[0]

    def places(self) -> dict[str, object]:
        venv = self.folder / "venv"
        wheels = sorted((venv / "lib").glob("python3*/site-packages"))
        return {
            "python": "/usr/bin/python3", "venv": venv / "bin" / "python",
            "site": (wheels or [venv])[0], "root": self.root, "lib": self.lib,
            "inputs": self.folder / "inputs",
        }  # fmt: skip

    def environment(self, of: Program) -> dict[str, str]:
        """Where OF finds its parts."""
        if not of.apt:
            return {}
        folders = (self.lib / "openblas-openmp", self.lib, self.root / "usr" / "lib",
                   self.root / "lib" / self.lib.name)  # fmt: skip
        return {"LD_LIBRARY_PATH": ":".join(map(str, folders))}

    def run(self, what: str, command: Sequence[str], env: dict[str, str] | None = None) -> None:
        """COMMAND in the folder; raises RuntimeError with what it said."""
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=env, capture_output=True, text=True, check=False,
                errors="replace",
            )  # fmt: skip
        except OSError as e:
            raise RuntimeError(f"{what}: {e}") from e
        if done.returncode:
            raise RuntimeError(f"{what}: {(done.stderr or done.stdout).strip()[-800:]}")

    def installed(self) -> Record:
        """Package -> version."""
        try:
            return dict(json.loads((self.folder / "installed.json").read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def debian(self, packages: Sequence[str]) -> Record:
        """Unpack PACKAGES, and what they depend on and this system lacks."""
        debs = self.folder / "debs"
        (debs / "partial").mkdir(parents=True, exist_ok=True)
        self.root.mkdir(exist_ok=True)
        where = ["-o", "Debug::NoLocking=1", "-o", f"Dir::Cache::archives={debs}"]
        self.run("apt-get (is this Debian, and `apt-get update` done?)",
                 ["apt-get", "install", "--download-only", "--no-install-recommends", "-y", "-qq",
                  *where, *packages])  # fmt: skip
        # Of those that the system has already, the ones that are named are wanted here as well.
        for p in packages:
            if not list(debs.glob(f"{p}_*.deb")):
                self.run("apt-get download", ["sh", "-c", 'cd "$1" && apt-get download -qq "$2"',
                                              "sh", str(debs), p])  # fmt: skip
        there = self.installed().get("debian", {}).values()
        for deb in sorted(debs.glob("*.deb")):
            if deb.name not in there:
                self.run(f"dpkg-deb {deb.name}", ["dpkg-deb", "-x", str(deb), str(self.root)])
        return {deb.name.partition("_")[0]: deb.name for deb in sorted(debs.glob("*.deb"))}

    def wheels(self, pins: Sequence[str]) -> Record:
        pip = self.folder / "venv" / "bin" / "pip"
        if not pip.is_file():
            self.run("python3 -m venv", [sys.executable, "-m", "venv", str(self.folder / "venv")])
        # No other packages than those of the index, and nothing to be built.
        self.run("pip", [str(pip), "install", "-q", "--only-binary=:all:", *pins])
        said = output(str(pip), "list", "--format=json") or "[]"
        return {row["name"]: row["version"] for row in json.loads(said)}

    def install(self, programs: Sequence[Program], say: Callable[[str], None]) -> None:
        """PROGRAMS and their inputs; raises RuntimeError where something is not to be had."""
        (self.folder / "inputs").mkdir(parents=True, exist_ok=True)
        found = self.installed()
        for key, how, names in (
            ("debian", self.debian, [n for p in programs for n in p.apt]),
            ("wheels", self.wheels, [n for p in programs for n in p.pip]),
        ):
            if names:
                say(f"{key}: {' '.join(dict.fromkeys(names))}")
                found[key] = how(list(dict.fromkeys(names)))
        text = json.dumps(found, indent=1) + "\n"
        (self.folder / "installed.json").write_text(text, encoding="utf-8")
        for p in programs:
            places = {k: str(v) for k, v in self.places().items()} | {"here": p.here}
            for sized in (p, p.as_small()) if p.input else ():
                env = clean_environment() | self.environment(p)
                env |= {k: p.fill(v, places) for k, v in p.environment.items()}
                self.run(f"input of {p.name}", [sized.fill(c, places) for c in p.input], env)
