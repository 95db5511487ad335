# SPDX-License-Identifier: GPL-3.0-or-later
"""Energy, temperatures and clocks, from made-up sysfs trees."""

import tempfile
import time
import unittest
from pathlib import Path

from ampbench import sensors
from made import odroid, write, xeon


class Tree(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def watch(self, group: str = "auto", **later: object) -> sensors.Reading:
        """A reading during which the files of LATER get new values."""
        watch = sensors.Watch(self.root, sensors.meters(self.root, group), 0.01)
        with watch:
            watch.start()
            time.sleep(0.05)
            write(self.root, {name.replace("__", "/"): v for name, v in later.items()})
            time.sleep(0.05)
        return watch.reading

    def test_odroid(self) -> None:
        odroid(self.root)
        names = [m.name for m in sensors.meters(self.root)]
        self.assertEqual(names, ["A15", "memory", "GPU", "A7"])
        begin = time.monotonic()
        reading = self.watch()
        spent = time.monotonic() - begin
        # 4 W all the time, whenever samples came.
        assert reading.total is not None
        self.assertAlmostEqual(reading.joules["A15"] / reading.total, 2.5 / 4)
        self.assertGreater(reading.total, 4 * 0.1)
        self.assertLessEqual(reading.total, 4 * spent)
        record = reading.record(2.0)
        self.assertAlmostEqual(record["edp"], 2.0 * record["energy"], places=5)
        self.assertEqual(record["celsius"], {"cpu0-thermal#0": 61.0})
        self.assertEqual((record["governor"], record["hottest"]), ("performance", 61.0))
        self.assertEqual(record["mhz"], {"policy0": 1400, "policy4": 2000})
        self.assertNotIn("throttled", record)

    def test_meters_are_switched_on(self) -> None:
        odroid(self.root)
        said: list[str] = []
        sensors.enable(self.root, said.append)
        self.assertEqual(said, [])
        for chip in (self.root / "bus/i2c/drivers/INA231").iterdir():
            self.assertEqual((chip / "enable").read_text().strip(), "1")

    def test_rapl_takes_no_rail_twice(self) -> None:
        xeon(self.root)
        names = [m.name for m in sensors.meters(self.root)]
        self.assertEqual(names, ["package-0", "dram-0", "package-1"])
        at = "class/powercap/intel-rapl:"
        with sensors.Watch(self.root, sensors.meters(self.root), 10.0) as watch:
            write(self.root, {f"{at}0/energy_uj": 103000000, f"{at}0:1/energy_uj": 11000000,
                              f"{at}1/energy_uj": 206000000})  # fmt: skip
        self.assertEqual(watch.reading.joules, {"package-0": 3, "dram-0": 1, "package-1": 6})
        self.assertEqual(watch.reading.total, 10)

    def test_counter_that_begins_anew(self) -> None:
        xeon(self.root)
        write(self.root, {"class/powercap/intel-rapl:0/energy_uj": 262143328850 - 2000000})
        with sensors.Watch(self.root, sensors.meters(self.root), 10.0) as watch:
            write(self.root, {"class/powercap/intel-rapl:0/energy_uj": 3000000})
        self.assertAlmostEqual(watch.reading.joules["package-0"], 5)

    def test_unknown_range_gives_no_energy(self) -> None:
        write(self.root, {"class/hwmon/hwmon0/name": "scmi", "class/hwmon/hwmon0/energy1_input": 9})
        with sensors.Watch(self.root, sensors.meters(self.root), 10.0) as watch:
            write(self.root, {"class/hwmon/hwmon0/energy1_input": 3})
        self.assertIsNone(watch.reading.total)
        self.assertIn("no_energy", watch.reading.record(1.0))

    def test_meter_that_goes_away(self) -> None:
        odroid(self.root)
        with sensors.Watch(self.root, sensors.meters(self.root), 10.0) as watch:
            (self.root / "bus/i2c/drivers/INA231/3-0040/sensor_W").unlink()
        self.assertIsNone(watch.reading.total)
        self.assertIn("A15", str(watch.reading.problem))

    def test_hwmon(self) -> None:
        """Power only of ina2xx; a battery's or a graphics card's is not the CPUs'."""
        write(self.root, {"class/hwmon/hwmon0/name": "amdgpu",
                          "class/hwmon/hwmon0/power1_input": 9000000,
                          "class/hwmon/hwmon1/name": "ina231",
                          "class/hwmon/hwmon1/power1_input": 2000000})  # fmt: skip
        found = sensors.meters(self.root)
        self.assertEqual([m.name for m in found], ["ina231 power1_input"])
        self.assertEqual(sensors.meters(self.root, "rapl"), [])

    def test_throttling_is_seen(self) -> None:
        odroid(self.root)
        self.assertFalse(self.watch().throttled)
        self.assertTrue(self.watch(class__thermal__cooling_device0__cur_state=2).throttled)
        count = "devices__system__cpu__cpu0__thermal_throttle__core_throttle_count"
        write(self.root, {"class/thermal/cooling_device0/cur_state": 0,
                          count.replace("__", "/"): 5})  # fmt: skip
        self.assertFalse(self.watch().throttled)
        self.assertTrue(self.watch(**{count: 6}).throttled)

    def test_governors(self) -> None:
        odroid(self.root)
        self.assertEqual(sensors.governors(self.root), "performance")
        write(self.root, {"devices/system/cpu/cpufreq/policy4/scaling_governor": "ondemand"})
        self.assertEqual(sensors.governors(self.root), "policy0: performance, policy4: ondemand")

    def test_nothing_there(self) -> None:
        reading = self.watch()
        self.assertEqual(reading.record(1.0), {"governor": None})
        self.assertEqual(sensors.unreadable(self.root), [])
        (self.root / "class/powercap/intel-rapl:0/energy_uj").mkdir(parents=True)
        self.assertEqual(len(sensors.unreadable(self.root)), 1)
        self.assertEqual(sensors.meters(self.root), [])
