# SPDX-License-Identifier: GPL-3.0-or-later
"""Raw data: one JSON object a line, on disk as soon as a run has ended."""

from __future__ import annotations

import argparse
import json
import lzma
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class RawFile:
    """Appends records; a line cut short by a crash is left behind on its own line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        torn = path.is_file() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
        self._file = path.open("a", encoding="utf-8")
        if torn:
            self._file.write("\n")

    def write(self, record: dict[str, Any]) -> None:
        self._file.write(json.dumps(record, separators=(",", ":")) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def load(path: Path) -> list[dict[str, Any]]:
    """All whole records of a raw file, compressed (.xz) or not; torn lines are left out."""
    records = []
    data = path.read_bytes()
    text = (lzma.decompress(data) if path.suffix == ".xz" else data).decode()
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict) and "type" in record:
            records.append(record)
    return records


def resume(
    p: argparse.ArgumentParser,
    args: argparse.Namespace,
    mode: str,
    kept: Sequence[str],
    free: Sequence[str],
) -> list[dict[str, Any]]:
    """The records of args.resume, a raw file of MODE; ends the program if it is none.

    ARGS take the options KEPT of its first session. Of these only the ones of FREE may be given.
    """
    path: Path = args.resume
    if not path.is_file():
        p.error(f"{path}: no such file")
    records = load(path)
    first = next((r for r in records if r["type"] == "session"), {})
    if first.get("mode") != mode or "arguments" not in first:
        p.error(f"{path}: not a raw file of {p.prog}")
    for name in kept:
        if getattr(args, name) in (None, []):
            setattr(args, name, first["arguments"].get(name))
        elif name not in free:
            may = ", ".join("--" + f.replace("_", "-") for f in free)
            p.error(
                f"with --resume the options are those of {path}; of them only {may} may be given"
            )
    return records
