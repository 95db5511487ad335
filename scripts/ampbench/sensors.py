# SPDX-License-Identifier: GPL-3.0-or-later
"""What the machine says of itself while a program runs: energy, temperature, clocks.

Everything is read below ROOT, /sys in earnest and a made tree in tests.  Energy comes
from the first of these groups that is there; a machine's rails are never summed twice:

  ina231  power meters of Odroid XU3 boards: one a rail, sampled, integrated
  rapl    energy counters of x86 packages, with their DRAM
  hwmon   energy counters of hwmon chips; without any, power of ina2xx chips, sampled
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .machine import read as text

# INA231 meters measure anew every 0.26 s.
INTERVAL = 0.25
# Odroid XU3 and XU4: the meters' addresses, on a bus whose number depends on the kernel.
INA231_RAILS = {"0040": "A15", "0041": "memory", "0044": "GPU", "0045": "A7"}
GROUPS = ("ina231", "rapl", "hwmon")
Warn = Callable[[str], None]


def number(path: Path) -> float | None:
    try:
        return float(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def natural(path: Path) -> list[Any]:
    return [int(p) if p.isdigit() else p for p in re.split(r"(\d+)", path.name)]


def matching(folder: Path, pattern: str) -> Iterator[Path]:
    """Files of a folder that may not be there, cpu2 before cpu10."""
    yield from sorted(folder.glob(pattern), key=natural)


@dataclass
class Meter:
    """One rail.  SCALE makes joules (counter) or watts (power) of the file's number."""

    group: str
    name: str
    path: Path
    scale: float
    counter: bool
    wraps_at: float | None = None  # joules at which a counter begins anew

    def value(self) -> float | None:
        raw = number(self.path)
        return raw * self.scale if raw is not None else None


def rapl(root: Path) -> Iterator[Meter]:
    for zone in matching(root / "class/powercap", "intel-rapl:*"):
        name = text(zone / "name") or zone.name
        inner = zone.name.count(":") > 1
        # A package's counter has its cores in it, but not the DRAM; psys has all.
        if (inner and name != "dram") or name == "psys":
            continue
        limit = number(zone / "max_energy_range_uj")
        if number(zone / "energy_uj") is None:
            continue
        if inner:
            name = f"{name}-{zone.name.split(':')[1]}"
        yield Meter("rapl", name, zone / "energy_uj", 1e-6, True, limit * 1e-6 if limit else None)


def ina231(root: Path) -> Iterator[Meter]:
    for chip in matching(root / "bus/i2c/drivers/INA231", "*-00*"):
        if number(chip / "sensor_W") is not None:
            name = INA231_RAILS.get(chip.name.partition("-")[2], chip.name)
            yield Meter("ina231", name, chip / "sensor_W", 1.0, False)


def hwmon(root: Path) -> Iterator[Meter]:
    counters, powers = [], []
    for chip in matching(root / "class/hwmon", "hwmon*"):
        name = text(chip / "name") or chip.name
        for path in matching(chip, "energy*_input"):
            label = text(chip / path.name.replace("_input", "_label")) or path.name
            if number(path) is not None:
                counters.append(Meter("hwmon", f"{name} {label}", path, 1e-6, True))
        for path in matching(chip, "power*_input"):
            label = text(chip / path.name.replace("_input", "_label")) or path.name
            if name.startswith("ina2") and number(path) is not None:
                powers.append(Meter("hwmon", f"{name} {label}", path, 1e-6, False))
    yield from counters or powers


def unreadable(root: Path) -> list[str]:
    """Energy files that are there, but not for us."""
    out = []
    for pattern in ("class/powercap/intel-rapl:*/energy_uj", "bus/i2c/drivers/INA231/*/sensor_W",
                    "class/hwmon/hwmon*/energy*_input"):  # fmt: skip
        out += [str(p) for p in sorted(root.glob(pattern)) if text(p) is None]
    return out


def meters(root: Path, group: str = "auto") -> list[Meter]:
    """The meters of one group; `auto` takes the first group that has any."""
    finders = {"ina231": ina231, "rapl": rapl, "hwmon": hwmon}
    for name in GROUPS if group == "auto" else (group,):
        found = list(finders[name](root)) if name in finders else []
        if found:
            names = [m.name for m in found]
            for m in found:
                if names.count(m.name) > 1:
                    m.name = f"{m.name} {m.path.parent.name}"
            return found
    return []


def enable(root: Path, warn: Warn) -> None:
    """Switch on the meters of an Odroid; they are off after a start."""
    for chip in matching(root / "bus/i2c/drivers/INA231", "*-00*"):
        if text(chip / "enable") == "0":
            try:
                (chip / "enable").write_text("1\n", encoding="utf-8")
            except OSError as e:
                warn(f"{chip}/enable: {e.strerror}; as root, the meter could be switched on")


def temperatures(root: Path) -> dict[str, float]:
    """Degrees Celsius by thermal zone; of hwmon chips where there are no zones."""
    out: dict[str, float] = {}
    for zone in matching(root / "class/thermal", "thermal_zone*"):
        value = number(zone / "temp")
        if value is not None:
            out[f"{text(zone / 'type') or zone.name}#{zone.name[12:]}"] = value / 1000
    if not out:
        for chip in matching(root / "class/hwmon", "hwmon*"):
            for path in matching(chip, "temp*_input"):
                value = number(path)
                label = text(chip / path.name.replace("_input", "_label")) or path.name
                if value is not None:
                    out[f"{text(chip / 'name') or chip.name} {label}"] = value / 1000
    return out


def governors(root: Path) -> str | None:
    """One word where all policies agree, else each with its own."""
    policies = matching(root / "devices/system/cpu/cpufreq", "policy*")
    known = {p.name: g for p in policies if (g := text(p / "scaling_governor"))}
    if len(set(known.values())) <= 1:
        return next(iter(known.values()), None)
    return ", ".join(f"{p}: {g}" for p, g in known.items())


def throttling(root: Path) -> dict[str, float]:
    """What grows, or is above 0, when the machine slows itself because of heat."""
    out: dict[str, float] = {}
    for path in (root / "devices/system/cpu").glob("cpu[0-9]*/thermal_throttle/*_throttle_count"):
        value = number(path)
        if value is not None:
            out[f"{path.parts[-3]} {path.name}"] = value
    for device in matching(root / "class/thermal", "cooling_device*"):
        kind = (text(device / "type") or "").lower()
        value = number(device / "cur_state")
        if value is not None and ("cpufreq" in kind or kind == "processor"):
            out[f"{device.name} state"] = value
    return out


class Watch:
    """Reads the sensors around a run and, once started, now and then while it lasts.

    The times of samples are their own, so that a late one weighs what it lasted.
    """

    def __init__(self, root: Path, chosen: list[Meter], interval: float = INTERVAL) -> None:
        self.root, self.meters, self.interval = root, chosen, interval
        self._stop = threading.Event()

    def _sample(self) -> None:
        now = time.monotonic()
        for m in self.meters:
            value = m.value()
            if value is None:
                self._lost.add(m.name)
                continue
            before = self._last.get(m.name)
            if before is not None:
                step = (value + before[1]) / 2 * (now - before[0])
                if m.counter:
                    step = value - before[1]
                    if step < 0:
                        # It began anew; without a known range that cannot be told.
                        if m.wraps_at is None:
                            self._lost.add(m.name)
                        step += m.wraps_at or 0.0
                self._joules[m.name] += step
            self._last[m.name] = (now, value)

    def _look(self) -> None:
        self._heat += temperatures(self.root).values()
        states = (v for n, v in throttling(self.root).items() if n.endswith(" state"))
        self._throttled |= any(v > 0 for v in states)

    def _run(self) -> None:
        ticks = 0
        while not self._stop.wait(self.interval):
            self._sample()
            ticks += 1
            if ticks % 4 == 0:
                self._look()

    def __enter__(self) -> Watch:
        self._joules = {m.name: 0.0 for m in self.meters}
        self._last: dict[str, tuple[float, float]] = {}
        self._lost: set[str] = set()
        self._heat: list[float] = []
        self._throttled = False
        self._look()
        self._counts = throttling(self.root)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._sample()
        return self

    def start(self) -> None:
        """From now on, look now and then."""
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._sample()
        self._look()
        after = throttling(self.root)
        self._throttled |= any(
            after.get(n, v) > v for n, v in self._counts.items() if n.endswith("_throttle_count")
        )

    def reading(self, seconds: float) -> dict[str, Any]:
        """What a run's record keeps."""
        out: dict[str, Any] = {}
        if governor := governors(self.root):
            out["governor"] = governor
        if self._heat:
            out["hottest"] = round(max(self._heat), 1)
        if self._throttled:
            out["throttled"] = True
        if self._lost:
            out["no_energy"] = f"{', '.join(sorted(self._lost))} could not be read throughout"
        elif self.meters:
            total = sum(self._joules.values())
            out["joules"] = {k: round(v, 6) for k, v in self._joules.items()}
            out |= {"energy": round(total, 6), "edp": round(total * seconds, 6)}
        return out
