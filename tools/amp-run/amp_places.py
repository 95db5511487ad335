#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the places stand that the library names, as OBJECT+0xOFFSET: file and line, if the
object tells them.  amp-run --report has its text completed by this."""

from __future__ import annotations

import re
import subprocess
import sys


def said(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, check=False)
        return done.stdout.decode(errors="replace")
    except OSError:
        return ""


def split_place(place: str) -> tuple[str, int]:
    name, _, offset = place.rpartition("+")
    return name, int(offset, 16)


def objects_of(program: str, library_path: str) -> dict[str, str]:
    """The shared objects of the program by name, and the program itself."""
    listed = said("env", f"LD_LIBRARY_PATH={library_path}", "ldd", program)
    return {"program": program, **dict(re.findall(r"^\s*(\S+) => (/.*) \(", listed, re.MULTILINE))}


def source_of(place: str, objects: dict[str, str]) -> str:
    """FILE:LINE, or nothing."""
    name, at = split_place(place)
    if name not in objects:
        return ""
    functions = re.findall(r":\s+(\w+)\s+\S+ FUNC ", said("readelf", "-sW", objects[name]))
    # Where no function begins, a call returns.
    if at not in {int(f, 16) for f in functions}:
        at -= 1
    found = re.sub(r" \(discriminator \d+\)", "", said("addr2line", "-e", objects[name], hex(at)))
    return "" if "??" in found or found.strip().endswith(":0") else found.strip()


def main() -> int:
    """amp_places.py PROGRAM LIBRARY_PATH: a report, with the lines of the source."""
    objects = objects_of(sys.argv[1], sys.argv[2])

    def located(match: re.Match[str]) -> str:
        source = source_of(match[2], objects)
        return f"{match[1]}{match[2]} ({source}):" if source else match[0]

    for line in sys.stdin.buffer.read().decode(errors="surrogateescape").splitlines(True):
        line = re.sub(r"^(libgomp: loop )([^: ]+\+0x[0-9a-f]+):", located, line)
        sys.stdout.buffer.write(line.encode(errors="surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
