# SPDX-License-Identifier: GPL-3.0-or-later
"""GOMP_AMP_ENERGY from sensors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from ampbench import machine, sensors, watts
from ampbench.machine import CoreTypes

TYPES = CoreTypes(((2, 3), (0,)), "a list", 2.0)
DRAWN = {(): 3.0, (2, 3): 11.0, (0,): 4.0}


def test_cores_add_up_to_what_was_seen() -> None:
    assert watts.per_core(3.0, [11.0, 4.0], [2, 1]) == "GOMP_AMP_ENERGY=energy,5/1,2/1"


def test_load_is_where_it_is_wanted_and_ends() -> None:
    cpu = min(os.sched_getaffinity(0))
    with watts.load([cpu, cpu]) as pids:
        assert len(pids) == 2 and all(os.sched_getaffinity(p) == {cpu} for p in pids)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


class TestCommand:
    @pytest.fixture(autouse=True)
    def make(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.zone = tmp_path / "class/powercap/intel-rapl:0"
        self.zone.mkdir(parents=True)
        (self.zone / "energy_uj").write_text("1000000\n")
        self.types, self.drawn, self.asked = TYPES, dict(DRAWN), 0
        monkeypatch.setattr(machine, "core_types", lambda tool: self.types)
        self.root = tmp_path

    def run(self, monkeypatch: pytest.MonkeyPatch) -> int:
        def power(cpus: Sequence[int], *_: object) -> float:
            self.asked += 1
            # The first round is disturbed.
            return self.drawn[tuple(cpus)] * (1 if self.asked > 3 else 9)

        monkeypatch.setattr(watts, "power", power)
        return watts.run(0.1, 3, "auto", self.root)

    def test_line(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.run(monkeypatch) == 0 and self.asked == 9
        assert capsys.readouterr().out.splitlines()[-1] == "GOMP_AMP_ENERGY=energy,5/1,2/1"

    def test_one_type(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.types = CoreTypes(((0, 1),), "nothing", 2.0)
        with pytest.raises(SystemExit, match="of one type"):
            self.run(monkeypatch)

    def test_no_sensor(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (self.zone / "energy_uj").unlink()
        with pytest.raises(SystemExit, match="no sensor of energy"):
            self.run(monkeypatch)

    def test_a_type_that_sensors_do_not_see(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.drawn[(0,)] = 3.0
        with pytest.raises(SystemExit, match="CPU 0 busy the sensors show no more"):
            self.run(monkeypatch)

    def test_power_is_energy_over_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        now, meters = [0.0], sensors.meters(self.root)

        def sleep(seconds: float) -> None:
            now[0] += seconds
            joules = 7.0 * now[0]
            (self.zone / "energy_uj").write_text(f"{1e6 * joules:.0f}\n")

        sleep(0.0)
        monkeypatch.setattr("time.sleep", sleep)
        monkeypatch.setattr("time.monotonic", lambda: now[0])
        assert watts.power((), 0.1, meters, self.root) == pytest.approx(7.0)
