# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy, temperatures and clocks, from made-up sysfs trees."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from ampbench import sensors
from made import cases, odroid, write, xeon
from pytest import approx

PACKAGE = "class/powercap/intel-rapl:"
HWMON = "class/hwmon/hwmon"
COOLING = "class/thermal/cooling_device0/cur_state"
THROTTLED = "devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"


def watch(root: Path, later: dict[str, object] | None = None) -> dict[str, Any]:
    """A reading during which the files of LATER get new values."""
    with sensors.Watch(root, sensors.meters(root), 0.01) as watch:
        watch.start()
        time.sleep(0.05)
        write(root, later or {})
        time.sleep(0.05)
    return watch.reading(1.0)


def counted(root: Path, later: dict[str, object]) -> dict[str, Any]:
    """The same, with samples at the beginning and the end alone."""
    with sensors.Watch(root, sensors.meters(root), 10.0) as watch:
        write(root, later)
    return watch.reading(1.0)


def names(root: Path) -> list[str]:
    return [m.name for m in sensors.meters(root)]


def test_odroid(tmp_path: Path) -> None:
    odroid(tmp_path)
    assert names(tmp_path) == ["A15", "memory", "GPU", "A7"]
    begin = time.monotonic()
    reading = watch(tmp_path)
    spent = time.monotonic() - begin
    # 4 W all the time, whenever samples came.
    assert reading["joules"]["A15"] / reading["energy"] == approx(2.5 / 4, abs=1e-4)
    assert 4 * 0.1 < reading["energy"] <= 4 * spent
    assert reading["edp"] == reading["energy"]
    assert (reading["governor"], reading["hottest"]) == ("performance", 61.0)
    assert "throttled" not in reading


def test_meters_are_switched_on(tmp_path: Path) -> None:
    odroid(tmp_path)
    said: list[str] = []
    sensors.enable(tmp_path, said.append)
    assert said == []
    chips = (tmp_path / "bus/i2c/drivers/INA231").iterdir()
    assert [(c / "enable").read_text() for c in chips] == ["1\n"] * 4


def test_rapl_takes_no_rail_twice(tmp_path: Path) -> None:
    xeon(tmp_path)
    assert names(tmp_path) == ["package-0", "dram-0", "package-1"]
    later = {"0": 103000000, "0:1": 11000000, "1": 206000000}
    reading = counted(tmp_path, {f"{PACKAGE}{zone}/energy_uj": v for zone, v in later.items()})
    assert reading["joules"] == {"package-0": 3, "dram-0": 1, "package-1": 6}
    assert reading["energy"] == 10


def test_counter_that_begins_anew(tmp_path: Path) -> None:
    write(xeon(tmp_path), {f"{PACKAGE}0/energy_uj": 262143328850 - 2000000})
    reading = counted(tmp_path, {f"{PACKAGE}0/energy_uj": 3000000})
    assert reading["joules"]["package-0"] == approx(5)


def test_unknown_range_gives_no_energy(tmp_path: Path) -> None:
    write(tmp_path, {f"{HWMON}0/name": "scmi", f"{HWMON}0/energy1_input": 9})
    reading = counted(tmp_path, {f"{HWMON}0/energy1_input": 3})
    assert "no_energy" in reading and "energy" not in reading


def test_meter_that_goes_away(tmp_path: Path) -> None:
    odroid(tmp_path)
    with sensors.Watch(tmp_path, sensors.meters(tmp_path), 10.0) as watch:
        (tmp_path / "bus/i2c/drivers/INA231/3-0040/sensor_W").unlink()
    assert "A15" in watch.reading(1.0)["no_energy"]


def test_hwmon(tmp_path: Path) -> None:
    """Power only of ina2xx; a battery's or a graphics card's is not the CPUs'."""
    write(tmp_path, {f"{HWMON}0/name": "amdgpu", f"{HWMON}0/power1_input": 9000000,
                     f"{HWMON}1/name": "ina231", f"{HWMON}1/power1_input": 2000000})  # fmt: skip
    assert names(tmp_path) == ["ina231 power1_input"]
    assert sensors.meters(tmp_path, "rapl") == []


@cases("before, later, throttled", [
    ({}, {}, False), ({}, {COOLING: 2}, True), ({THROTTLED: 5}, {}, False),
    ({THROTTLED: 5}, {THROTTLED: 6}, True),
])  # fmt: skip
def test_throttling_is_seen(tmp_path: Path, before: dict[str, object], later: dict[str, object],
                            throttled: bool) -> None:  # fmt: skip
    write(odroid(tmp_path), before)
    assert watch(tmp_path, later).get("throttled", False) == throttled


def test_governors(tmp_path: Path) -> None:
    odroid(tmp_path)
    assert sensors.governors(tmp_path) == "performance"
    write(tmp_path, {"devices/system/cpu/cpufreq/policy4/scaling_governor": "ondemand"})
    assert sensors.governors(tmp_path) == "policy0: performance, policy4: ondemand"


def test_nothing_there(tmp_path: Path) -> None:
    assert watch(tmp_path) == {}
    assert sensors.unreadable(tmp_path) == []
    (tmp_path / f"{PACKAGE}0/energy_uj").mkdir(parents=True)
    assert len(sensors.unreadable(tmp_path)) == 1
    assert sensors.meters(tmp_path) == []
