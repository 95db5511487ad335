# SPDX-License-Identifier: GPL-3.0-or-later
"""Chrome trace-event files, as amp-trace writes them: one "X" event a chunk.

name: sampling, aid, tail or chunk; ts and dur in microseconds; tid: the thread;
args: site, first, count, and of which execution of a loop (loop) and on which type of
core (type) it is, where the file says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

PHASES = ("sampling", "aid", "tail", "chunk")
# Larger files are not for a page that a browser opens.
SIZE_LIMIT = 64 << 20


class Unusable(Exception):
    """The file is no trace; the text says why."""


@dataclass(frozen=True)
class Chunk:
    thread: int
    begin: float  # microseconds since the first chunk
    end: float
    phase: str
    site: str
    first: int
    count: int
    loop: int | None = None
    type: int | None = None


@dataclass
class Trace:
    chunks: list[Chunk]
    names: dict[int, str]  # thread -> what the file calls it

    @property
    def threads(self) -> list[int]:
        return sorted({c.thread for c in self.chunks})

    @property
    def end(self) -> float:
        return max(c.end for c in self.chunks)

    def window(self, begin: float, end: float) -> Trace:
        """What lies between BEGIN and END, from 0."""
        cut = [
            replace(c, begin=max(c.begin, begin) - begin, end=min(c.end, end) - begin)
            for c in self.chunks
            if c.end > begin and c.begin < end
        ]
        return Trace(cut, self.names)

    def executions(self, site: str) -> list[tuple[float, float]]:
        """Begin and end of each execution of a loop.

        In a file that does not number them, one begins where no thread has been in
        the loop since the one before.
        """
        mine = sorted((c for c in self.chunks if c.site == site), key=lambda c: c.begin)
        numbered: dict[int, tuple[float, float]] = {}
        out: list[tuple[float, float]] = []
        for c in mine:
            if c.loop is not None:
                begin, end = numbered.get(c.loop, (c.begin, c.end))
                numbered[c.loop] = (min(begin, c.begin), max(end, c.end))
            elif not out or c.begin >= out[-1][1]:
                out.append((c.begin, c.end))
            else:
                out[-1] = (out[-1][0], max(out[-1][1], c.end))
        return sorted([*numbered.values(), *out])

    def thread_name(self, thread: int) -> str:
        """With the type of core that it ran on most."""
        name = self.names.get(thread, f"thread {thread}")
        spent: dict[int, float] = {}
        for c in self.chunks:
            if c.thread == thread and c.type is not None:
                spent[c.type] = spent.get(c.type, 0.0) + c.end - c.begin
        return f"{name}, type {max(spent, key=lambda t: spent[t])}" if spent else name

    def typical_execution(self) -> tuple[str, float, float]:
        """Site, begin and end: of the loop that takes most time, the execution of the
        median length."""
        spent: dict[str, float] = {}
        for c in self.chunks:
            spent[c.site] = spent.get(c.site, 0.0) + c.end - c.begin
        site = max(sorted(spent), key=lambda s: spent[s])
        by_length = sorted(self.executions(site), key=lambda x: x[1] - x[0])
        return (site, *by_length[len(by_length) // 2])

    def shares(self) -> list[tuple[int, int, int, dict[str, float], float]]:
        """Thread, chunks, iterations, microseconds by phase, share of the time it was busy."""
        out = []
        for thread in self.threads:
            mine = [c for c in self.chunks if c.thread == thread]
            spent: dict[str, float] = {}
            for c in mine:
                spent[c.phase] = spent.get(c.phase, 0.0) + c.end - c.begin
            busy = sum(spent.values()) / self.end if self.end > 0 else 0.0
            out.append((thread, len(mine), sum(c.count for c in mine), spent, busy))
        return out


def load(path: Path) -> Trace:
    try:
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            raise Unusable(f"{path}: {size >> 20} MB is too much; see it in Perfetto")
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise Unusable(f"{path}: {e}") from e
    return parse(raw, str(path))


def parse(raw: Any, where: str = "trace") -> Trace:
    events = raw.get("traceEvents") if isinstance(raw, dict) else raw
    if not isinstance(events, list):
        raise Unusable(f"{where}: no list of trace events")
    chunks, names = [], {}
    for e in events:
        try:
            if e.get("ph") == "M" and e.get("name") == "thread_name":
                names[int(e["tid"])] = str(e["args"]["name"])
            elif e.get("ph") == "X" and e.get("name") in PHASES:
                args = e.get("args", {})
                begin = float(e["ts"])
                loop, kind = args.get("loop"), args.get("type")
                chunks.append(
                    Chunk(
                        thread=int(e["tid"]),
                        begin=begin,
                        end=begin + float(e["dur"]),
                        phase=e["name"],
                        site=str(args.get("site", "?")),
                        first=int(args.get("first", 0)),
                        count=int(args.get("count", 1)),
                        loop=None if loop is None else int(loop),
                        type=None if kind is None else int(kind),
                    )
                )
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise Unusable(f"{where}: an event of the wrong form: {problem!r}") from problem
    if not chunks:
        raise Unusable(f"{where}: holds no chunk of a loop")
    zero = min(c.begin for c in chunks)
    chunks = [replace(c, begin=c.begin - zero, end=c.end - zero) for c in chunks]
    return Trace(sorted(chunks, key=lambda c: (c.thread, c.begin)), names)


def bars(chunks: Sequence[Chunk], least: float) -> dict[str, list[tuple[float, float]]]:
    """Phase -> (begin, length) of what is to be drawn of one thread.

    Neighbours of one phase with less than LEAST between them become one bar.
    """
    out: dict[str, list[tuple[float, float]]] = {}
    last: tuple[str, float, float] | None = None
    for c in sorted(chunks, key=lambda c: c.begin):
        if last and last[0] == c.phase and c.begin - last[2] < least:
            last = (c.phase, last[1], max(last[2], c.end))
            continue
        if last:
            out.setdefault(last[0], []).append((last[1], last[2] - last[1]))
        last = (c.phase, c.begin, c.end)
    if last:
        out.setdefault(last[0], []).append((last[1], last[2] - last[1]))
    return out
