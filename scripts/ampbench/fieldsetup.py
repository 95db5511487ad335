# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts field programs into a folder of their own: Debian's packages unpacked, wheels in a virtual
environment, and their inputs.  Nothing outside of the folder changes, and nobody need be root."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .field import Field, Home
from .machine import output
from .record import Record

Say = Callable[[str], None]
# Names what is unpacked, with versions.
INSTALLED = "installed.json"


def run(what: str, command: Sequence[str], folder: Path, env: dict[str, str] | None = None) -> None:
    """COMMAND in FOLDER; raises RuntimeError with what it said."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, check=False,
            errors="replace",
        )  # fmt: skip
    except OSError as e:
        raise RuntimeError(f"{what}: {e}") from e
    if done.returncode:
        raise RuntimeError(f"{what}: {(done.stderr or done.stdout).strip()[-800:]}")


def installed(home: Home) -> Record:
    """Package -> version, of both kinds."""
    try:
        out: Record = json.loads((home.folder / INSTALLED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return out


def debian(home: Home, packages: Sequence[str], say: Say) -> Record:
    """Unpack PACKAGES, and what they depend on and this system lacks."""
    say(f"Debian's packages: {' '.join(packages)}")
    debs = home.folder / "debs"
    (debs / "partial").mkdir(parents=True, exist_ok=True)
    home.root.mkdir(exist_ok=True)
    where = ["-o", "Debug::NoLocking=1", "-o", f"Dir::Cache::archives={debs}"]
    run("apt-get (is this Debian, and `apt-get update` done?)",
        ["apt-get", "install", "--download-only", "--no-install-recommends", "-y", "-qq", *where,
         *packages], debs)  # fmt: skip
    # Of those that the system has already, the ones that are named are wanted here as well.
    lacking = [p for p in packages if not list(debs.glob(f"{p}_*.deb"))]
    if lacking:
        run("apt-get download", ["apt-get", "download", "-qq", *where, *lacking], debs)
    there = installed(home).get("debian", {}).values()
    for deb in sorted(debs.glob("*.deb")):
        if deb.name not in there:
            run(f"dpkg-deb {deb.name}", ["dpkg-deb", "-x", str(deb), str(home.root)], debs)
    return {deb.name.partition("_")[0]: deb.name for deb in sorted(debs.glob("*.deb"))}


def wheels(home: Home, pins: Sequence[str], say: Say) -> Record:
    say(f"wheels: {' '.join(pins)}")
    pip = home.venv / "bin" / "pip"
    if not pip.is_file():
        run("python3 -m venv", [sys.executable, "-m", "venv", str(home.venv)], home.folder)
    # No other packages than those of the index, and nothing to be built.
    run("pip", [str(pip), "install", "-q", "--only-binary=:all:", *pins], home.folder)
    said = output(str(pip), "list", "--format=json") or "[]"
    return {row["name"]: row["version"] for row in json.loads(said)}


def inputs(home: Home, fields: Sequence[Field], say: Say) -> None:
    home.inputs.mkdir(parents=True, exist_ok=True)
    for f in fields:
        if not f.input:
            continue
        say(f"input of {f.name}")
        for program in (f.program, f.small):
            command = [program.fill(c, home.places()) for c in f.input]
            run(f"input of {f.name}", command, home.inputs, home.environment(f))


def install(home: Home, fields: Sequence[Field], say: Say) -> None:
    """Raises RuntimeError where something is not to be had."""
    home.folder.mkdir(parents=True, exist_ok=True)
    found = installed(home)
    apt = list(dict.fromkeys(p for f in fields for p in f.apt))
    pip = list(dict.fromkeys(p for f in fields for p in f.pip))
    if apt:
        found["debian"] = debian(home, apt, say)
    if pip:
        found["wheels"] = wheels(home, pip, say)
    text = json.dumps(found, indent=1)
    (home.folder / INSTALLED).write_text(text + "\n", encoding="utf-8")
    inputs(home, fields, say)
