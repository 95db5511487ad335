# SPDX-License-Identifier: GPL-3.0-or-later
"""What a number needs beside it: the machine, the libraries, the revision."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Any


def read(path: str | Path) -> str | None:
    """Contents of a file without the last newline, or None."""
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None


def output(*command: str) -> str | None:
    """Standard output of a command that succeeded, or None."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=20, check=True, errors="replace"
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def cpuinfo(key: str) -> str | None:
    found = re.search(rf"^{re.escape(key)}\s*:\s*(.*)$", read("/proc/cpuinfo") or "", re.MULTILINE)
    return found.group(1) if found else None


def load_average() -> list[float]:
    return [round(v, 2) for v in os.getloadavg()]


def describe() -> dict[str, Any]:
    """The machine, as it stands in every raw file."""
    flags = (cpuinfo("flags") or "").split()
    return {
        "host": platform.node(),
        "cpu": cpuinfo("model name") or platform.processor() or platform.machine(),
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "cpus": os.cpu_count(),
        "allowed": sorted(os.sched_getaffinity(0)),
        "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "hypervisor": read("/sys/hypervisor/type")
        or output("systemd-detect-virt", "--vm")
        or ("yes (CPU flag)" if "hypervisor" in flags else None),
        "memory": (read("/proc/meminfo") or "").partition("\n")[0].partition(":")[2].strip()
        or None,
        "compiler": (output("gcc", "--version") or "").partition("\n")[0] or None,
        "glibc": " ".join(platform.libc_ver()),
        "load": load_average(),
    }


def revision(top: Path) -> str | None:
    """Git revision of the tree, `+` when it has changes."""
    head = output("git", "-C", str(top), "rev-parse", "--short=12", "HEAD")
    if head is None:
        return None
    changed = output("git", "-C", str(top), "status", "--porcelain", "-uno")
    return head + ("+" if changed else "")


def sha256(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
