# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a program writes."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
from pathlib import Path

from amp_compare import Outcome

WATCHED_FILES = 20000  # What is looked at in a folder, at most.
TEXT_BYTES = 1 << 24  # Of what is longer a digest is compared.


def lines_of(path: Path) -> list[str]:
    """A file's; its digest, where that is no text, or very long."""
    try:
        # Whatever it has become: without waiting.
        f = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return [f"unreadable, of {path.lstat().st_size} bytes"]
    try:
        size = os.fstat(f).st_size
        data = os.pread(f, min(size, TEXT_BYTES), 0) if size <= TEXT_BYTES else b"\0"
        if b"\0" not in data:
            return data.decode(errors="replace").splitlines()
        digest = hashlib.sha256(str(size).encode())
        at, step = 0, 1 << 16
        while at < size:
            # Holes are not read; whether zeros are one does not count.
            try:
                at = max(at, os.lseek(f, at, os.SEEK_DATA) // step * step)
            except OSError:
                break
            block = os.pread(f, step, at)
            if block.strip(b"\0"):
                digest.update(at.to_bytes(8, "big") + block)
            at += step
        return [f"bytes_{digest.hexdigest()[:16]}"]
    finally:
        os.close(f)


class Files:
    """The files that the program writes: those that each run under static has changed, and that
    nobody has changed between two runs.  Only they are read, and none is written."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder = Path.cwd()
        self.copy: Path | None = None
        self.source = self.folder
        if options.copy:
            # A neighbour: what the program finds by ../ it finds.
            self.folder = self.copy = Path(
                tempfile.mkdtemp(prefix=".amp-check.", dir=self.folder.parent)
            )
        self.roots = [self.folder / p for p in options.output or ["."]]
        self.notes: list[str] = []
        self.now: dict[Path, tuple[int, ...]] | None = None
        self.written: dict[Path, list[int]] | None = None  # With its sizes.
        self.others: set[Path] = set()
        self.named = [self.folder / p for p in options.output]  # No run has written these.

    def scan(self) -> dict[Path, tuple[int, ...]]:
        found: dict[Path, tuple[int, ...]] = {}
        for root in self.roots:
            paths = [root]
            for folder, folders, names in os.walk(root):
                folders[:] = [f for f in folders if f != ".git"]
                paths += [Path(folder, n) for n in names]
                if len(paths) > WATCHED_FILES:
                    self.roots.remove(root)
                    self.notes.append(
                        f"more than {WATCHED_FILES} files in {root}: they are not compared;"
                        " name those that the program writes: --output FILE"
                    )
                    return self.scan()
            for path in paths:
                try:
                    s = path.lstat()
                except OSError:
                    continue
                if stat.S_ISREG(s.st_mode):
                    found[path] = (s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino)
        return found

    def begin(self) -> None:
        """Before a run."""
        if self.copy is not None:
            self.remove()
            self.copy.mkdir()
            # What cannot be read the program could not read either.
            subprocess.run(
                ["cp", "-a", "--", f"{self.source}/.", self.copy],
                stderr=subprocess.DEVNULL,
                check=False,
            )
            self.now = None
        now = self.scan()
        if self.now is not None:
            self.others |= {p for p in {*now, *self.now} if now.get(p) != self.now.get(p)}
        self.now = now

    def collect(self, outcome: Outcome, static: bool) -> None:
        """After a run: note what it has left."""
        before, self.now = self.now or {}, self.scan()
        changed = {p: s[0] for p, s in self.now.items() if before.get(p) != s}
        self.named = [n for n in self.named if not any(n in (p, *p.parents) for p in changed)]
        if static:
            known = self.written
            self.written = {
                p: [*(known[p] if known else []), size]
                for p, size in changed.items()
                if known is None or p in known
            }
            if known is None:
                return
        for path in self.mine():
            if path in changed:
                outcome.streams[os.path.relpath(path, self.folder)] = lines_of(path)

    def mine(self) -> list[Path]:
        return [
            path
            for path, sizes in (self.written or {}).items()
            if path not in self.others and not self.grows(sizes)
        ]

    def grows(self, sizes: list[int]) -> bool:
        return len(sizes) > 2 and all(a < b for a, b in zip(sizes, sizes[1:]))

    def told(self) -> list[str]:
        return self.notes + [
            f"{os.path.relpath(path, self.folder)}: grows from run to run; not compared"
            " (with --copy it is)"
            for path, sizes in (self.written or {}).items()
            if path not in self.others and self.grows(sizes)
        ]

    def remove(self) -> None:
        if self.copy is not None:
            subprocess.run(["chmod", "-R", "u+rwX", self.copy], check=False)
            shutil.rmtree(self.copy, ignore_errors=True)
