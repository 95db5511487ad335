#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the places stand that the library names, as OBJECT+0xOFFSET: file and line, if the
object tells them.  amp-run completes the text of --report and the file of --loops by this."""

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


def lines_of(file: str, addresses: list[int]) -> list[str]:
    """FILE:LINE of each, or nothing."""
    functions = re.findall(r":\s+(\w+)\s+\S+ FUNC ", said("readelf", "-sW", file))
    begins = {int(f, 16) for f in functions}
    # Where no function begins, a call returns.
    found = said("addr2line", "-e", file, *(hex(a - (a not in begins)) for a in addresses))
    lines = re.sub(r" \(discriminator \d+\)", "", found).splitlines()
    return [line if re.search(r":[1-9]\d*$", line) else "" for line in lines]


def source_of(place: str, objects: dict[str, str]) -> str:
    """FILE:LINE, or nothing."""
    name, at = split_place(place)
    return "".join(lines_of(objects[name], [at])) if name in objects else ""


def loops_of(file: str) -> list[int]:
    """The addresses by which the library knows the loops of FILE."""
    code = said("objdump", "-d", "--no-show-raw-insn", file)
    calls = re.findall(r"\t[^\n]*<GOMP_loop_\w*start\S*>\n\s*([0-9a-f]+):", code)
    return [int(a, 16) for a in calls + re.findall(r"^([0-9a-f]+) <\S*_omp_fn\S*>:", code, re.M)]


def resolve(file: str, objects: dict[str, str]) -> int:
    """Print FILE, of loops, with places instead of FILE:LINE; what is wrong is a comment.
    Each line has its number in FILE; a loop's further places come last."""
    known: dict[str, list[str]] = {}
    further = []
    for name, path in objects.items():
        if name == "program" or " UND GOMP_" in said("readelf", "--dyn-syms", "-W", path):
            loops = loops_of(path)
            for at, source in zip(loops, lines_of(path, loops)):
                for i, letter in enumerate(source):
                    if i == 0 or source[i - 1] == "/" != letter:
                        known.setdefault(source[i:], []).append(f"{name}+{at:#x}")
    with open(file, encoding="utf-8", errors="surrogateescape") as f:
        for line in f:
            words = line.split("#")[0].split()
            if not words or not re.search(r":\d+$", words[0]):
                print(*words)
                continue
            # The compiler's line is that of the loop, or of the directive above it.
            name, _, number = words[0].rpartition(":")
            near = (known.get(f"{name}:{int(number) + i}") for i in (0, 1, -1))
            found = next(filter(None, near), [])
            if not found:
                print(f"#{words[0]}: no such loop was found")
                continue
            print(found[0], *words[1:])
            further += [[place, *words[1:]] for place in found[1:]]
    for words in further:
        print(*words)
    return 0


def main() -> int:
    """amp_places.py PROGRAM LIBRARY_PATH: a report, with the lines of the source;
    with FILE, a file of loops for the library."""
    objects = objects_of(sys.argv[1], sys.argv[2])
    sys.stdout.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    if len(sys.argv) > 3:
        return resolve(sys.argv[3], objects)

    def located(match: re.Match[str]) -> str:
        source = source_of(match[2], objects)
        return f"{match[1]}{match[2]} ({source}):" if source else match[0]

    for line in sys.stdin.buffer.read().decode(errors="surrogateescape").splitlines(True):
        line = re.sub(r"^(libgomp: loop )([^: ]+\+0x[0-9a-f]+):", located, line)
        sys.stdout.buffer.write(line.encode(errors="surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
