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
import selectors
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

CALIBRATION_LIMIT = 60.0
# Of the slow CPUs unless told otherwise.  Within a period a CPU is stopped or at full speed: only to
# loops of several periods is it a slow CPU.  The shorter one, amp-emulate's least, is for bound
# threads only: unbound ones are moved about by the kernel, which sees what the thief takes.
PERIOD = "200us"
SHORT_PERIOD = "100us"
UNITS_US = {"us": 1.0, "ms": 1e3}


def period_us(text: str) -> float:
    """What TEXT, in amp-emulate's notation, is in microseconds; a number alone is one of them."""
    for unit, us in UNITS_US.items():
        if text.endswith(unit):
            return float(text.removesuffix(unit)) * us
    return float(text)


class NotPossible(Exception):
    """amp-emulate is missing or not allowed here; the text says why."""


def cpu_list(cpus: Sequence[int]) -> str:
    return ",".join(str(c) for c in cpus)


class Emulation:
    """Slow CPUs; .types and .pid are known inside, .record and .messages after the block."""

    def __init__(self, tool: Path, slow: Sequence[int], ratio: float, period: str) -> None:
        self.tool, self.slow, self.ratio, self.period = tool, list(slow), ratio, period
        self.types: str | None = None
        self.pid: int | None = None
        self.record: dict[str, Any] | None = None
        self.messages = ""

    def __enter__(self) -> Self:
        if not os.access(self.tool, os.X_OK):
            raise NotPossible(f"{self.tool} is not built")
        handle, name = tempfile.mkstemp(prefix="amp-emulate-", suffix=".json")
        os.close(handle)
        self._json = Path(name)
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [str(self.tool), "--slow", f"{cpu_list(self.slow)}={self.ratio:g}",
             "--period", self.period, "--json", name, "--",
             "sh", "-c", 'echo "types=${GOMP_AMP_TYPES-}"; exec cat >/dev/null'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
        )  # fmt: skip
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._process.stdout, selectors.EVENT_READ)
            line = ""
            if waiting.select(CALIBRATION_LIMIT):
                line = self._process.stdout.readline().decode().strip()
        self.pid = self._process.pid
        if not line.startswith("types="):
            self._close()
            raise NotPossible(self.messages or "amp-emulate said nothing")
        self.types = line.removeprefix("types=") or None
        return self

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()


def reached_ratios(record: dict[str, Any]) -> dict[int, list[float]]:
    """CPU -> the ratios measured before and after, from amp-emulate's JSON."""
    out: dict[int, list[float]] = {}
    for phase in record.get("phases", []):
        for cpu in phase.get("cpus", []):
            for when in ("reached_before", "reached_after"):
                if cpu.get(when):
                    out.setdefault(cpu["cpu"], []).append(cpu[when]["median"])
    return out
