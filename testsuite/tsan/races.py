#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""races.py KNOWN LOG...: the data races in ThreadSanitizer's reports that KNOWN does not have.

A race is two places, the innermost frames of its accesses, each FUNCTION FILE.  KNOWN has a
pattern for one of them, or for both with " - " between, a line, an empty line and lines with #
apart; a race is known if either place or both match one as a whole.  But a place in our own code
is never known by the other one.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

ACCESS = re.compile(r"^  (?:Previous )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite) of size", re.M)
# The first one that is no function of the sanitizer's, which stands for one of the C library.
FRAME = re.compile(r"^    #\d+ (\S+) (?!\S*/tsan_)(\S+)", re.M)
# gomp-amp.h's functions are hooks, inlined in libgomp's own.
OURS = re.compile(r"(?:gomp-)?amp-[^/]*\.[ch]")


def places(report: str) -> list[str]:
    """The places of a report."""
    found = []
    for access in ACCESS.split(report)[1:]:
        if frame := FRAME.search(access.split("\n\n", 1)[0]):
            found.append(f"{frame[1]} {Path(frame[2].split(':')[0]).name}")
        else:
            found.append("? ?")
    return sorted(found)


def main() -> int:
    patterns = [
        re.compile(line)
        for line in Path(sys.argv[1]).read_text().splitlines()
        if line and not line.startswith("#")
    ]
    known = 0
    others: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for log in sys.argv[2:]:
        text = Path(log).read_text(errors="replace")
        for report in text.split("WARNING: ThreadSanitizer: ")[1:]:
            where = places(report)
            ours = any(OURS.fullmatch(place.split()[1]) for place in where)
            race = " - ".join(where) or report.split("\n", 1)[0]
            if not ours and any(p.fullmatch(x) for p in patterns for x in (*where, race)):
                known += 1
                continue
            others[race] += 1
            shown.setdefault(race, f"{Path(log).name}: {report}")
    for race, times in others.most_common():
        print(f"{times} times: {race}")
        print(shown[race])
    print(f"{known} known races, {sum(others.values())} others")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
