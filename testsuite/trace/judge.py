# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge a trace or a recording.

judge.py json FILE THREADS [FLAG...]   judge.py prv FILE THREADS   judge.py costs FILE
Flags: cancelled (loops need not be covered), covered=N (so many are, though), PHASE (there are
such chunks), loops=N, schedule=NAME (there are loops under it), block (the last loop of a site is
one aid chunk a thread), NAME@WAY (there are loops under the schedule NAME, divided WAY),
NAME@WAY! (and no others).
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

Event = dict[str, Any]
PHASES = {"sampling", "aid", "tail", "chunk"}


def covered(chunks: list[Event]) -> int:
    """How many iterations from 0 on CHUNKS cover, each once."""
    at = 0
    for e in sorted(chunks, key=lambda e: e["args"]["first"]):
        assert e["args"]["first"] == at, f"expected {at}: {e}"
        assert e["args"]["count"] > 0, e
        at += e["args"]["count"]
    return at


def covered_p(chunks: list[Event], n: int) -> bool:
    try:
        return covered(chunks) == n
    except AssertionError:
        return False


def disjoint(chunks: list[Event]) -> None:
    """A thread's chunks follow, or contain, one another."""
    ends: list[float] = []
    for e in sorted(chunks, key=lambda e: (e["ts"], -e["dur"])):
        while ends and ends[-1] <= e["ts"] + 0.002:
            ends.pop()
        assert not ends or e["ts"] + e["dur"] <= ends[-1] + 0.002, e
        ends.append(e["ts"] + e["dur"])


def judge_json(file: Path, threads: int, flags: list[str]) -> None:
    trace = json.loads(file.read_text())
    events: list[Event] = trace["traceEvents"]
    loops = {e["args"]["loop"]: e for e in events if e["name"] == "loop"}
    by_loop: dict[int, list[Event]] = defaultdict(list)
    by_thread: dict[int, list[Event]] = defaultdict(list)
    assert loops, "no loop"
    for e in events:
        if e["ph"] == "M":
            continue
        assert e["ts"] >= 0 and re.fullmatch(r"\w[\w.]*\+0x[0-9a-f]+", e["args"]["site"]), e
        if e["ph"] == "i":
            continue
        assert e["ph"] == "X" and e["dur"] >= 0 and e["name"] in PHASES, e
        assert e["args"]["site"] == loops[e["args"]["loop"]]["args"]["site"], e
        by_loop[e["args"]["loop"]].append(e)
        by_thread[e["tid"]].append(e)
    assert set(by_thread) <= set(range(threads)), set(by_thread)
    short = [
        k for k, e in loops.items() if covered(by_loop[k]) != e["args"]["iterations"]
    ] if "cancelled" not in flags else []  # fmt: skip
    assert not short, f"loops {short} are not covered"
    for chunks in by_thread.values():
        disjoint(chunks)
    for flag in flags:
        name, _, value = flag.partition("=")
        if "@" in flag:
            kind, _, way = flag.partition("@")
            ways = {e["args"]["by"] for e in loops.values() if e["cat"] == kind}
            assert way.rstrip("!") in ways, f"{kind}: divided by {ways}"
            assert len(ways) == 1 or not way.endswith("!"), f"{kind}: divided by {ways}"
        if name in PHASES:
            assert any(e["name"] == name for c in by_loop.values() for e in c), f"no {name}"
        elif name == "covered":
            whole = [k for k, e in loops.items() if covered_p(by_loop[k], e["args"]["iterations"])]
            assert len(whole) >= int(value), f"{len(whole)} loops are covered"
        elif name == "loops":
            assert len(loops) == int(value), f"{len(loops)} loops"
        elif name == "schedule":
            assert any(e["cat"] == value for e in loops.values()), f"no {value}"
        elif name == "block":
            site = loops[min(loops)]["args"]["site"]
            last = max(k for k, e in loops.items() if e["args"]["site"] == site)
            got = [(e["name"], e["tid"]) for e in by_loop[last]]
            assert sorted(got) == [("aid", t) for t in range(threads)], got


def judge_prv(file: Path, threads: int) -> None:
    head, *lines = file.read_text().splitlines()
    form = r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:1\((\d+)\):1:1\((\d+):1\)"
    told = re.fullmatch(form, head)
    assert told and int(told[2]) == int(told[3]) == threads, head
    end = int(told[1])
    at = [0] * (threads + 1)
    last = 0
    counts: dict[int, int] = defaultdict(int)
    states = set()
    for line in lines:
        kind, cpu, appl, task, thread, *rest = (int(x) for x in line.split(":"))
        assert appl == task == 1 and cpu == thread and 1 <= thread <= threads, line
        assert last <= rest[0] <= end, f"not in order of time: {line}"
        last = rest[0]
        if kind == 1:
            begin, stop, state = rest
            assert begin == at[thread] < stop <= end, f"{at[thread]}: {line}"
            at[thread] = stop
            states.add(state)
        else:
            assert kind == 2 and len(rest) % 2 == 1, line
            pairs = dict(zip(rest[1::2], rest[2::2]))
            if 91000003 in pairs:
                counts[pairs[91000003]] += pairs[91000002]
    assert at[1:] == [end] * threads, f"states end at {at[1:]}, not at {end}"
    labels = file.with_suffix(".pcf").read_text()
    for state in states:
        assert re.search(rf"^{state}    \w+$", labels, re.MULTILINE), f"state {state}"
    rows = file.with_suffix(".row").read_text()
    assert f"LEVEL THREAD SIZE {threads}\n" in rows, rows
    wanted = {3000: 3, 1000: 6, 667: 3, 1001: 3}
    for n, times in wanted.items():
        assert sum(c == n for c in counts.values()) == times, (n, dict(counts))


def judge_costs(file: Path) -> None:
    told = have = loops = 0
    for line in file.read_text().splitlines():
        head = re.match(r"# loop (\d+): (\d+) iterations at \w+\+0x[0-9a-f]+$", line)
        if head:
            assert told == have, f"{have} of {told} costs before {line}"
            assert int(head[1]) == loops, line
            told, have, loops = int(head[2]), 0, loops + 1
        elif not line.startswith("#"):
            cost, _, count = line.partition(" x")
            assert float(cost) >= 0, line
            have += int(count or 1)
    assert told == have and loops == 15, (told, have, loops)


def main() -> None:
    what, file, *rest = sys.argv[1:]
    try:
        if what == "json":
            judge_json(Path(file), int(rest[0]), rest[1:])
        elif what == "prv":
            judge_prv(Path(file), int(rest[0]))
        else:
            judge_costs(Path(file))
    except (AssertionError, KeyError, ValueError, OSError) as wrong:
        sys.exit(f"{what} {file}: {type(wrong).__name__}: {wrong}"[:500])


main()
