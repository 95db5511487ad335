# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw data: one JSON object a line, on disk as soon as a run has ended.

"type" says what a line is: session (one each time that a file is begun or gone on with; with the
version of this form and the tables that are to be made), run, and what belongs to these.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

FORMAT = 2
Record = dict[str, Any]
Key = tuple[str, str, str, str, int]
# Ratios of speeds: the slow CPUs are so many times slower by emulation, but for these.
EQUAL, REAL = 1.0, 0.0


def scene(ratio: float) -> str:
    """On which machine, in the words of tables."""
    named = {EQUAL: "equal cores", REAL: "the machine's own types of cores"}
    return named.get(ratio, f"ratio {ratio:g}")


@dataclass
class Run:
    """One run of a program, or of its simulation."""

    config: str = ""
    round: int = 0
    status: str = "ok"  # only "ok" counts
    seconds: float | None = None
    program: str = ""
    klass: str = ""
    where: str = ""  # on which machine, in words
    ratio: float = EQUAL
    part: str = ""  # of the experiment
    wall: float | None = None
    others: float | None = None  # CPUs' worth of work of other processes
    report: Record = field(default_factory=dict)  # the program's own
    why: str = ""
    stderr: str = ""
    more: Record = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    @property
    def bad(self) -> bool:
        return self.status not in ("ok", "skipped")

    @property
    def key(self) -> Key:
        """What makes a run unique in a raw file."""
        return self.program, self.klass, self.where, self.config, self.round

    @classmethod
    def of(cls, record: Record) -> Run:
        known = {_PLAIN[k]: v for k, v in record.items() if k in _PLAIN and v is not None}
        more = {k: v for k, v in record.items() if k not in _PLAIN and k != "type"}
        # Format 1.
        known.setdefault("program", more.get("kernel", ""))
        known.setdefault("where", scene(known.get("ratio", EQUAL)))
        return cls(**known, more=more)

    def record(self) -> Record:
        found = {key: getattr(self, name) for name, key in _KEYS.items()}
        kept = {k: v for k, v in found.items() if v not in ("", None, {})}
        return {"type": "run", "seconds": None, **kept, **self.more}


_KEYS = {f.name: {"klass": "class"}.get(f.name, f.name) for f in fields(Run) if f.name != "more"}
_PLAIN = {key: name for name, key in _KEYS.items()}


def runs(records: Iterable[Record]) -> list[Run]:
    """The runs that count, and those that failed: not the warm-ups."""
    return [Run.of(r) for r in records if r["type"] == "run" and r["round"] > 0]


def sessions(records: Iterable[Record]) -> list[Record]:
    return [r for r in records if r["type"] == "session"]


class RawFile:
    """Appends records; a line cut short by a crash is left behind on its own line."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        torn = path.is_file() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
        self._file = path.open("a", encoding="utf-8")
        if torn:
            self._file.write("\n")

    def write(self, record: Record | Run) -> None:
        plain = record.record() if isinstance(record, Run) else record
        self._file.write(json.dumps(plain, separators=(",", ":")) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> RawFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def load(path: Path) -> list[Record]:
    """All whole records of a raw file; torn lines are left out.

    Raises ValueError where a later version of this program wrote it.
    """
    records = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "type" in record:
            records.append(record)
    if any(s.get("format", 0) > FORMAT for s in sessions(records)):
        raise ValueError(f"{path}: of a later version of this program")
    return records
