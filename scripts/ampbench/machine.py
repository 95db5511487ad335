# SPDX-License-Identifier: GPL-3.0-or-later
"""What a number needs beside it: the machine, its types of cores, the revision."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


# What would change how OpenMP programs run, and which libraries they get.
CLEARED = ("OMP_", "GOMP_", "KMP_", "LD_")


def clean_environment(*kept: str) -> dict[str, str]:
    """Our environment without what is CLEARED, but for the names KEPT."""
    return {k: v for k, v in os.environ.items() if k in kept or not k.startswith(CLEARED)}


def cpu_list(cpus: Sequence[int]) -> str:
    return ",".join(str(c) for c in cpus)


@dataclass(frozen=True)
class CoreTypes:
    """The types of cores that amp-info finds here, fastest first, each with its usable CPUs."""

    cpus: tuple[tuple[int, ...], ...]
    evidence: str
    ratio: float  # about how many times faster the first type is than the last

    @property
    def several(self) -> bool:
        return len(self.cpus) > 1

    def __str__(self) -> str:
        lists = ", ".join(cpu_list(c) for c in self.cpus)
        return f"{len(self.cpus)} types of cores ({self.evidence}): CPUs {lists}, fastest first"


# Where nothing says how unequal types are.
GUESSED_RATIO = 2.0


def types_of(said: Mapping[str, Any], usable: set[int]) -> CoreTypes:
    """What amp-info's JSON says of the CPUs that are USABLE."""
    rows = [(r, tuple(c for c in r["cpus"] if c in usable)) for r in said["types"] if r["used"]]
    rows = [(r, cpus) for r, cpus in rows if cpus]
    ratio = 0.0
    for key in ("sf", "capacity", "max_khz"):
        if len(rows) > 1 and ratio <= 1.0 and all(r.get(key) for r, _ in (rows[0], rows[-1])):
            ratio = rows[0][0][key] / rows[-1][0][key]
    found = tuple(cpus for _, cpus in rows)
    return CoreTypes(found, str(said["evidence_text"]), ratio if ratio > 1.0 else GUESSED_RATIO)


def core_types(amp_info: Path) -> CoreTypes:
    """What amp-info finds; of one type where it is missing or finds nothing."""
    usable = os.sched_getaffinity(0)
    # What tells the types is the user's to say.
    done = None
    if os.access(amp_info, os.X_OK):
        done = subprocess.run(
            [str(amp_info), "--json"], capture_output=True, text=True, check=False, timeout=60,
            env=clean_environment("GOMP_AMP_TYPES"),
        )  # fmt: skip
    try:
        return types_of(json.loads(done.stdout if done else ""), usable)
    except (ValueError, KeyError, TypeError):
        return CoreTypes((tuple(sorted(usable)),), "amp-info says nothing", GUESSED_RATIO)
