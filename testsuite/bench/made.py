# SPDX-License-Identifier: GPL-3.0-or-later
"""Made-up programs, descriptions, sensors and records."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

cases = pytest.mark.parametrize
TOP = Path(__file__).resolve().parents[2]
BENCH = TOP / "scripts" / "bench"
BUILD = Path(os.environ.get("BUILD") or "build")
STAGE = (BUILD if BUILD.is_absolute() else TOP / BUILD) / "stage"

# What our library prints because of OMP_DISPLAY_ENV.
SERVED = """cat >&2 <<END

OPENMP DISPLAY ENVIRONMENT BEGIN
  OMP_SCHEDULE = '$OMP_SCHEDULE'
  GOMP_AMP_AFFINITY = '$GOMP_AMP_AFFINITY'
OPENMP DISPLAY ENVIRONMENT END
END
"""
GOOD = 'echo "Time: ${FAKE_TIME:-2.5} s"; echo result >result.txt; echo OK\n'
PROGRAMS = {
    "good": SERVED + GOOD,
    "crash": SERVED + "echo OK; exit 3\n",
    "signal": SERVED + "echo OK; kill -SEGV $$\n",
    # The child outlives its parent, unless it is killed with it.
    "hang": SERVED + "echo OK; sleep 1000 & echo $! >$FAKE_NOTES/hung; sleep 1000\n",
    "nothing": SERVED,
    "wrong": SERVED + 'echo "Time: 2.5 s"; echo result >result.txt; echo BAD\n',
    "untimed": SERVED + "echo result >result.txt; echo OK\n",
    "fileless": SERVED + 'echo "Time: 2.5 s"; echo OK\n',
    "other": 'echo "Time: 2.5 s"; echo result >result.txt; echo OK\n',
    "refused": SERVED + 'echo "libgomp: Invalid value for X: it is ignored" >&2\n' + GOOD,
    # Wrong only where the mapping is not static.
    "fickle": SERVED + 'echo "Time: 2.5 s"; echo OK; echo "$OMP_SCHEDULE" >result.txt\n',
    "errs": SERVED + GOOD + 'echo "Error: no such graph"\n',
    "slow": SERVED + "sleep 0.2\necho $$ >$FAKE_NOTES/slow\n" + GOOD,
}  # fmt: skip


def executable(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def programs(folder: Path, *names: str) -> Path:
    """A folder of made-up programs."""
    for name in names or PROGRAMS:
        executable(folder / "bin" / name, "#!/bin/sh\n" + PROGRAMS[name])
    return folder / "bin"


def description(folder: Path, *names: str, limit: float = 60) -> Path:
    lines = [
        'suite = "made"',
        "[defaults]",
        f"limit = {limit}",
        "expect = 'OK'",
        "reject = '(?m)^Error.*'",
        r"time = 'Time:\s*([0-9.]+)'",
        'same = ["{work}/result.txt"]',
    ]
    for name in names:
        lines += ["[[program]]", f'name = "{name}"', f'command = ["{{bin}}/{name}"]']
    path = folder / "made.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


def bench(*arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(BENCH), *map(str, arguments)], capture_output=True, text=True,
        timeout=2000, check=False, env={**os.environ, **env},
    )  # fmt: skip


def run_suite(
    *arguments: object, notes: Path | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    return bench("run", *arguments, FAKE_NOTES=str(notes), **more)


def report(*arguments: object) -> subprocess.CompletedProcess[str]:
    return bench("report", *arguments)


def gone(pid: int) -> bool:
    """Whether a process has ended, in a while; one that nobody has waited for yet counts."""
    for _ in range(1200):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        if stat.rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def records(path: Path, kind: str = "run") -> list[dict[str, Any]]:
    out = [json.loads(line) for line in path.read_text().splitlines() if line]
    return [r for r in out if r["type"] == kind]


def write(root: Path, files: dict[str, object]) -> Path:
    for name, value in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{value}\n")
    return root


def odroid(root: Path) -> Path:
    """An Odroid XU3's rails, two clusters, one zone and a cooling device that rests."""
    files: dict[str, object] = {}
    for address, watts in (("0040", 2.5), ("0041", 0.25), ("0044", 0.5), ("0045", 0.75)):
        chip = f"bus/i2c/drivers/INA231/3-{address}"
        files |= {f"{chip}/sensor_W": watts, f"{chip}/enable": 0}
    for policy, cpus, top in (("policy0", "0 1 2 3", 1400000), ("policy4", "4 5 6 7", 2000000)):
        at = f"devices/system/cpu/cpufreq/{policy}"
        files |= {
            f"{at}/affected_cpus": cpus,
            f"{at}/scaling_governor": "performance",
            f"{at}/scaling_min_freq": 200000,
            f"{at}/scaling_max_freq": top,
            f"{at}/scaling_cur_freq": top,
        }
    files |= {
        "class/thermal/thermal_zone0/temp": 61000,
        "class/thermal/thermal_zone0/type": "cpu0-thermal",
        "class/thermal/cooling_device0/type": "thermal-cpufreq-0",
        "class/thermal/cooling_device0/cur_state": 0,
    }
    return write(root, files)


def xeon(root: Path) -> Path:
    """Two packages with DRAM and cores, and psys, which has all of it again."""
    files: dict[str, object] = {}
    for zone, name, joules in (
        ("intel-rapl:0", "package-0", 100), ("intel-rapl:0:0", "core", 60),
        ("intel-rapl:0:1", "dram", 10), ("intel-rapl:1", "package-1", 200),
        ("intel-rapl:2", "psys", 1000),
    ):  # fmt: skip
        at = f"class/powercap/{zone}"
        files |= {
            f"{at}/name": name,
            f"{at}/energy_uj": joules * 1000000,
            f"{at}/max_energy_range_uj": 262143328850,
        }
    return write(root, files)


# Of an experiment.
SESSION: dict[str, Any] = {
    "type": "session", "format": 2, "seed": 1, "revision": "abc", "period": "200us",
    "method": "thief", "title": "made", "tables": [], "arguments": {},
    "machine": {"cpu": "Test CPU", "cpus": 2, "kernel": "6.0", "governor": None,
                "hypervisor": None, "load": [0.1, 0.1, 0.1]},
    "pinning": {"cpus": [0, 1], "slow": [1]},
    "libraries": {"amp": {"path": "/x/libgomp.so.1", "sha256": "ab" * 32}},
    "lacking": {"Intel libiomp5": "not installed"},
}  # fmt: skip


def runs(program: str, config: str, seconds: list[float], **more: object) -> list[dict[str, Any]]:
    """Good runs; the first of SECONDS is the warm-up."""
    return [
        {
            "type": "run", "program": program, "class": "A", "where": "ratio 3", "ratio": 3.0,
            "part": "made", "config": config, "round": i, "status": "ok", "seconds": s, "wall": s,
            "others": 0.0, "report": {"loops": 1000}, **more,
        }
        for i, s in enumerate(seconds)
    ]  # fmt: skip


def save(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in lines))
    return path
