# SPDX-License-Identifier: GPL-3.0-or-later
"""The OpenMP libraries that can serve a program: ours, the system's, the peers'.

A program finds libgomp.so.1 by name; a folder that holds a link of that name to
another library, put into LD_LIBRARY_PATH (which wins over the DT_RUNPATH that our
wrappers write), lets that library serve it.  Each kernel reports the library it
was served by, and a run served by another than was asked for does not count.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import machine

PEER_TITLES = {"llvm": "LLVM libomp", "intel": "Intel libiomp5"}


@dataclass(frozen=True)
class Runtime:
    """A library, and the folder for LD_LIBRARY_PATH (None: the program's own choice)."""

    name: str
    library: Path | None  # None: whichever the program finds
    folder: Path | None

    def record(self) -> dict[str, Any]:
        known = self.library
        return {"path": str(known), "sha256": machine.sha256(known) if known else None}


def first(paths: list[Path]) -> Path | None:
    return next((p.resolve() for p in paths if p.is_file()), None)


def system_libgomp() -> Path | None:
    found = machine.output("gcc", "-print-file-name=libgomp.so.1")
    return first([Path(found)]) if found else None


def llvm_libomp() -> Path | None:
    libs = sorted(Path("/usr/lib").glob("llvm-*/lib/libomp*.so.5"), reverse=True)
    return first(libs + sorted(Path("/usr/lib").glob("*/libomp.so.5")))


def intel_libiomp(build: Path) -> Path | None:
    here = [build / "peers" / "intel" / "libiomp5.so"]
    installed = [Path(sys.prefix) / "lib" / "libiomp5.so"]
    oneapi = sorted(Path("/opt/intel/oneapi").glob("compiler/*/lib/libiomp5.so"), reverse=True)
    return first(here + installed + oneapi)


def link_folder(build: Path, name: str, library: Path) -> Path:
    """The folder whose libgomp.so.1 is LIBRARY."""
    folder = build / "peers" / f"as-libgomp-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    link = folder / "libgomp.so.1"
    if not link.is_symlink() or link.resolve() != library:
        link.unlink(missing_ok=True)
        link.symlink_to(library)
    return folder


def find(build: Path) -> tuple[dict[str, Runtime], dict[str, str]]:
    """What is installed, and why the rest is not there."""
    have: dict[str, Runtime] = {}
    lack: dict[str, str] = {}
    ours = first([build / "stage" / "lib" / "libgomp.so.1"])
    if ours:
        have["amp"] = Runtime("amp", ours, None)
    else:
        lack["amp"] = f"{build}/stage/lib/libgomp.so.1 is not built (make)"
    for name, library, remedy in (
        ("gomp", system_libgomp(), "gcc does not find libgomp.so.1"),
        ("llvm", llvm_libomp(), "not installed (apt-get install libomp5)"),
        ("intel", intel_libiomp(build), "not installed (scripts/bench compare --fetch-peers)"),
    ):
        if library:
            have[name] = Runtime(name, library, link_folder(build, name, library))
        else:
            lack[name] = remedy
    return have, lack


def tools_of(have: dict[str, Runtime], build: Path) -> Path:
    """The folder of the tools that belong to our library."""
    ours = have.get("amp")
    beside = ours.library.parent.parent / "bin" if ours and ours.library else build
    return beside if (beside / "amp-info").exists() else build / "stage" / "bin"


def fetch_intel(build: Path) -> Path:
    """Get PyPI's intel-openmp wheel with pip and unpack libiomp5.so from it."""
    folder = build / "peers" / "intel"
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
         "--dest", str(folder), "intel-openmp"],
        check=True,
    )  # fmt: skip
    for wheel in sorted(folder.glob("intel_openmp-*.whl"), reverse=True):
        with zipfile.ZipFile(wheel) as archive:
            for member in archive.namelist():
                if member.endswith("/libiomp5.so"):
                    target = folder / "libiomp5.so"
                    partial = folder / "libiomp5.so.part"
                    partial.write_bytes(archive.read(member))
                    partial.rename(target)
                    return target
    raise RuntimeError("the intel-openmp wheel holds no libiomp5.so")
