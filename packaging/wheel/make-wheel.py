#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-wheel.py STAGE FOLDER: from a prefix a wheel for pip, with what serves programs as they are:
libgomp, amp-run with what it uses, amp-info.  Its tag follows from the newest symbol of glibc that
is needed.  No wrappers: they are for one compiler."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
# As they lie in the prefix.
FILES = ("bin/amp-run", "bin/amp-info", "bin/amp-trace", "lib/libgomp.so.1", "libexec/gomp-amp/*")
COMMANDS = ("amp-run", "amp-info", "amp-trace")
# The versions of glibc that tags are made of, as auditwheel has them.
POLICIES = (17, 24, 26, 27, 28, 31, 34, 35, 36, 39, 41)
# Of ELF's numbers of machines.
MACHINES = {62: "x86_64", 183: "aarch64"}
# A command is a program of the prefix, which finds the others from where it is.
START = '''# SPDX-License-Identifier: GPL-3.0-or-later
"""gomp-amp: libgomp for processors with fast and slow cores.  The commands are programs."""

import os
import sys

PREFIX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prefix")


def _become(name: str) -> None:
    program = os.path.join(PREFIX, "bin", name)
    os.execv(program, [name, *sys.argv[1:]])


def amp_run() -> None:
    _become("amp-run")


def amp_info() -> None:
    _become("amp-info")


def amp_trace() -> None:
    _become("amp-trace")
'''


def glibc(files: list[Path]) -> str:
    """The oldest version of glibc that tags know and FILES can do with, as in 2_17."""
    found = {POLICIES[0]}
    for path in files:
        if path.read_bytes()[:4] == b"\x7fELF":
            said = subprocess.run(["readelf", "-VW", path], stdout=subprocess.PIPE, check=True)
            found |= {int(minor) for minor in re.findall(rb"Name: GLIBC_2\.(\d+)", said.stdout)}
    return f"2_{next((p for p in POLICIES if p >= max(found)), max(found))}"


def record(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main() -> int:
    stage, folder = Path(sys.argv[1]), Path(sys.argv[2])
    version = (TOP / "VERSION").read_text().strip()
    files = [p for pattern in FILES for p in sorted(stage.glob(pattern)) if p.is_file()]
    machine = MACHINES[(stage / "lib/libgomp.so.1").read_bytes()[18]]
    tag = f"py3-none-manylinux_{glibc(files)}_{machine}"
    info = f"gomp_amp-{version}.dist-info"
    entries = "".join(f"{c} = gomp_amp:{c.replace('-', '_')}\n" for c in COMMANDS)
    texts = {
        "gomp_amp/__init__.py": START,
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: gomp-amp\n"
        f"Version: {version}\nSummary: libgomp for processors with fast and slow cores\n"
        "License: GPL-3.0-or-later WITH GCC-exception-3.1\nRequires-Python: >=3.8\n"
        "Description-Content-Type: text/markdown\n\n"
        + (TOP / "docs/use/helping.md").read_text().split("\n", 1)[1],
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: make-wheel.py\nRoot-Is-Purelib: false\n"
        f"Tag: {tag}\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{entries}",
        f"{info}/LICENSE": (TOP / "LICENSE").read_text(),
    }
    content = [(name, text.encode(), 0o644) for name, text in texts.items()]
    for path in files:
        mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
        content.append((f"gomp_amp/prefix/{path.relative_to(stage)}", path.read_bytes(), mode))
    lines = "".join(record(name, data) for name, data, _ in content) + f"{info}/RECORD,,\n"
    content.append((f"{info}/RECORD", lines.encode(), 0o644))
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"gomp_amp-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data, mode in content:
            # Of no date, so that the same input gives the same bytes.
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, data)
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
