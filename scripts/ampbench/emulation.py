# SPDX-License-Identifier: GPL-3.0-or-later
"""An emulated AMP for as long as a `with` block lasts.

amp-emulate runs a child that waits for the end of its input; while it does, the
chosen CPUs are slow for everybody, so a whole round of runs shares one
calibration and sees the same machine.  When this process dies, the pipe closes,
the child ends, and with it amp-emulate.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .machine import cpu_list

CALIBRATION_LIMIT = 60.0
# Of the slow CPUs unless told otherwise.  Within a period a CPU is stopped or at full speed: only to
# loops of several periods is it a slow CPU.  A shorter one is for bound threads only: unbound ones
# are moved about by the kernel, which sees what the thief takes.
PERIOD = "200us"
METHODS = ("thief", "signal")
# Kernels that know how run iterations again on CPUs that are to be slow: without periods.
REPEAT = "repeat"
REPEAT_VARIABLE = "AMP_BENCH_SLOW"


@dataclass(frozen=True)
class Slowing:
    """How amp-emulate slows CPUs: its --period and --method."""

    period: str
    method: str = METHODS[0]

    def arguments(self) -> list[str]:
        return ["--period", self.period, "--method", self.method]

    def record(self) -> dict[str, str]:
        """For a session's record."""
        return {"period": self.period, "method": self.method}


class NotPossible(Exception):
    """amp-emulate is missing or not allowed here; the text says why."""


# What amp-emulate puts into a command's environment.
TYPES, PRELOAD = "GOMP_AMP_TYPES", "LD_PRELOAD"
TOLD = (TYPES, "AMP_EMULATE_TABLE", PRELOAD)
# The one that waits need not be slow.
TELL = (
    "; ".join(f'echo "{name}=${{{name}-}}"' for name in TOLD)
    + f"; unset {PRELOAD}; exec cat >/dev/null"
)
# What a program says that was to be slow, and is not.
COMPLAINT = re.compile(r"^libamp-slow\.so: .*at full speed", re.MULTILINE)


class Emulation:
    """Slow CPUs.

    Inside the block .types and .pid are known, and programs that are to see the slow CPUs get
    what they need for it from add_to; after the block .record and .messages are known.
    """

    def __init__(self, tool: Path, slow: Sequence[int], ratio: float, how: Slowing) -> None:
        self.tool, self.slow, self.ratio, self.how = tool, list(slow), ratio, how
        self.types: str | None = None
        self._told: dict[str, str] = {}
        self.pid: int | None = None
        self.record: dict[str, Any] | None = None
        self.messages = ""

    def __enter__(self) -> Emulation:
        if not os.access(self.tool, os.X_OK):
            raise NotPossible(f"{self.tool} is not built")
        handle, name = tempfile.mkstemp(prefix="amp-emulate-", suffix=".json")
        os.close(handle)
        self._json = Path(name)
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [str(self.tool), "--slow", f"{cpu_list(self.slow)}={self.ratio:g}",
             *self.how.arguments(), "--json", name, "--", "sh", "-c", TELL],
            env={k: v for k, v in os.environ.items() if k != PRELOAD},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
        )  # fmt: skip
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            told = {}
            if waiting.select(CALIBRATION_LIMIT):
                lines = [self._process.stdout.readline().decode().strip() for _ in TOLD]
                told = dict(line.split("=", 1) for line in lines if "=" in line)
        self.pid = self._process.pid
        if TYPES not in told:
            self._close()
            raise NotPossible(self.messages or "amp-emulate said nothing")
        self.types = told.pop(TYPES) or None
        if self.how.method == "signal":
            self._told = told
        return self

    def add_to(self, env: dict[str, str]) -> None:
        """Make a program with ENV see the slow CPUs."""
        for name, value in self._told.items():
            more = env.get(name) if name == PRELOAD else None
            env[name] = f"{value}:{more}" if more else value

    def _close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(CALIBRATION_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.seek(0)
        self.messages = self._errors.read().decode(errors="replace").strip()
        self._errors.close()
        try:
            self.record = json.loads(self._json.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.record = None
        self._json.unlink(missing_ok=True)

    def __exit__(self, *_: object) -> None:
        self._close()


class Repeated(Emulation):
    """Slow CPUs for programs that repeat iterations there; others run at full speed."""

    def __init__(self, fast: Sequence[int], slow: Sequence[int], ratio: float) -> None:
        self.ratio = ratio
        self.types = f"{cpu_list(fast)}:{cpu_list(slow)}"
        self.how = Slowing("", REPEAT)
        self._told = {REPEAT_VARIABLE: f"{cpu_list(slow)}={ratio:g}"}
        self.pid, self.record, self.messages = None, None, ""

    def __enter__(self) -> Repeated:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def reached_ratios(record: dict[str, Any]) -> dict[int, list[float]]:
    """CPU -> the ratios measured before and after, from amp-emulate's JSON."""
    out: dict[int, list[float]] = {}
    for phase in record.get("phases", []):
        for cpu in phase.get("cpus", []):
            for when in ("reached_before", "reached_after"):
                if cpu.get(when):
                    out.setdefault(cpu["cpu"], []).append(cpu[when]["median"])
    return out
