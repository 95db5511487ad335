# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of `scripts/bench device`, on given data."""

from __future__ import annotations

from typing import Any

import pytest
from ampbench import device


def run(config: str, seconds: float, on_devices: float, busy: float, **more: Any) -> dict[str, Any]:
    report = {
        "loop_seconds": seconds, "on_devices": on_devices, "n_iterations": 1000, "chunks": 5,
        "chunk": 512, "to_device": 0.0, "launch": 0.0, "kernel_seconds": busy, "from_device": 0.0,
        "dispatch": 0.0, "scheduling": 0.0005 * seconds, **more,
    }  # fmt: skip
    return {"type": "run", "config": config, "kernel": "barneshut", "ratio": 2.0, "round": 1,
            "seconds": seconds, "report": report}  # fmt: skip


def given() -> list[dict[str, Any]]:
    """Cores: 100 iterations a second.  Device: 300 with chunks of 512, 200 with others."""
    return [
        run("off", 10.0, 0.0, 0.0, chunks=0),
        run("dynamic,256", 3.5, 0.6, 3.0),
        run("dynamic,512", 2.6, 0.75, 2.5),
        run("adaptive", 2.8, 0.74, 2.6),
        run("bulk,70", 3.4, 0.7, 2.4),
        run("bulk,60", 4.1, 0.6, 2.0),
    ]


def test_ideal_is_cores_alone_and_the_device_at_its_best() -> None:
    (case,) = device.cases(given())
    assert case.best_rate == pytest.approx(300.0)
    assert case.ideal == pytest.approx(2.5)
    assert case.share("dynamic,512") == pytest.approx(2.5 / 2.6)
    assert case.best("bulk,") == "bulk,70"


def test_verdicts() -> None:
    text = device.measured_report(given())
    assert "device 2 times slower" in text
    assert "met                      barneshut, device 2 times slower: dynamic, 0.93" in text
    assert "NOT MET                  barneshut, device 2 times slower: adaptive, 0.93" in text
    assert "adaptive's G, 0.9 of the best G's rate: 1.000" in text


def test_too_much_scheduling_is_seen() -> None:
    records = given()
    records[2]["report"]["scheduling"] = 0.01
    assert "NOT MET                  barneshut, device 2 times slower: scheduling" in (
        device.measured_report(records)
    )


def test_energy_is_shown_where_it_was_measured() -> None:
    records = given()
    assert "joules" not in device.measured_report(records)
    for r, joules in zip(records, (60.0, 30.0, 25.0, 28.0, 31.0, 40.0), strict=True):
        r["report"]["joules"] = joules
    lines = [" ".join(li.split()) for li in device.measured_report(records).splitlines()]
    where = "barneshut device 2 times slower"
    assert f"{where} off 60.00 600.00" in lines
    assert f"{where} dynamic,512 25.00 65.00" in lines
    assert f"{where} bulk,70 31.00 105.40" in lines


def test_little_cores_come_after_big_ones() -> None:
    assert device.exynos(4, False) == "4:1"
    assert device.exynos(8, False) == "3:1,1:0.94,4:0.28"
    assert device.exynos(8, True) == "4:1,3:0.28,1:0.22"
    assert device.exynos(7, True) == "4:1,3:0.28"


def test_percentages_of_the_paper_follow_from_the_rates() -> None:
    """The rate with one large chunk, over that and three cores, is the best percentage."""
    for chip in device.CHIPS:
        large = chip.rate / chip.slower
        wanted = float(device.PAPER[chip.name]["bulk 3+1"])
        assert 100 * large / (large + 3) == pytest.approx(wanted, abs=5)
