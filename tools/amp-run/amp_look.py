#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which OpenMP libraries a Python's packages bring: amp-run has the very interpreter run this
that is to run the program.  Prints "own FILE" for libgomp under a name or in a place of a
package's own, and "foreign FILE" for libomp and libiomp5; one of each, at most."""

from __future__ import annotations

import os
import re
import sys

# Where packages keep libraries: their folder, folders in it with these names, and those that
# auditwheel puts beside it.
FOLDERS = ("lib", "libs", "lib64", ".libs", "capi")
OWN = re.compile(r"libgomp[-.].*")
FOREIGN = re.compile(r"lib(omp|iomp5)([-.].*)?")


def kind(path: str) -> str:
    # conda's libgomp.so.1 is a link to libomp.
    name, real = os.path.basename(path), os.path.basename(os.path.realpath(path))
    if ".so" not in name:
        return ""
    if FOREIGN.fullmatch(name) or FOREIGN.fullmatch(real):
        return "foreign"
    return "own" if OWN.fullmatch(name) else ""


def names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def folders() -> list[str]:
    """Those where libraries may be, in the order of sys.path."""
    found = [] if sys.prefix in ("/usr", "/") else [os.path.join(sys.prefix, "lib")]
    library = os.path.dirname(os.__file__)
    # The first one is where this file is.
    for path in sys.path[1:]:
        if path in (library, os.path.join(library, "lib-dynload")):
            continue
        for name in names(path):
            package = os.path.join(path, name)
            if name.endswith(".libs"):
                found.append(package)
            elif "." not in name:
                inside = names(package)
                found += [package, *(os.path.join(package, f) for f in FOLDERS if f in inside)]
    return found


def main() -> int:
    seen: dict[str, str] = {}
    for folder in folders():
        for name in names(folder):
            path = os.path.join(folder, name)
            if name.startswith("lib") and (what := kind(path)):
                seen.setdefault(what, os.path.realpath(path) if what == "foreign" else path)
    for what, path in sorted(seen.items()):
        print(what, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
