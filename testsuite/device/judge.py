# SPDX-License-Identifier: GPL-3.0-or-later
"""judge.py FILE: is this a trace in which chunks cover each loop once, and have their parts?"""

from __future__ import annotations

import json
import sys
from collections import defaultdict

PARTS = ["scheduling", "host to device", "launch", "kernel", "device to host", "dispatch"]


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        events = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]
    chunks = [e for e in events if e["name"] == "chunk"]
    loops: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for e in chunks:
        first, count = e["args"]["first"], e["args"]["count"]
        loops[e["args"]["loop"]].append((first, first + count))
    for number, ranges in loops.items():
        at = 0
        for first, end in sorted(ranges):
            if first != at:
                print(f"loop {number}: {at} is followed by {first}")
                return 1
            at = end
        if at not in (4000, 40000):
            print(f"loop {number} ends at {at}")
            return 1
    devices = [e for e in chunks if e["cat"] == "device"]
    for e in devices:
        inside = [
            p for p in events
            if p["name"] != "chunk" and p["tid"] == e["tid"]
            and e["ts"] - 0.0005 <= p["ts"] < e["ts"] + e["dur"] + 0.0005
        ]  # fmt: skip
        if [p["name"] for p in inside] != PARTS:
            print(f"parts of a chunk: {[p['name'] for p in inside]}")
            return 1
        if abs(sum(p["dur"] for p in inside) - e["dur"]) > 0.01:
            print("parts do not add up")
            return 1
    if len(loops) != 22 or not devices:
        print(f"{len(loops)} loops, {len(devices)} chunks of devices")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
