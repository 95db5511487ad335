# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of cores as amp-info tells them: they are measured as they are, and by emulation only where
there are none."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ampbench import engine, experiment, machine
from ampbench.record import EQUAL, REAL
from made import STAGE, bench, cases, description, executable, programs, records, run_suite

HERE = sorted(os.sched_getaffinity(0))


def said(*types: list[int], unused: int | None = None) -> dict[str, Any]:
    """As amp-info --json says it of a board, fastest first."""
    rows = [
        {"type": i, "role": None, "capacity": 1024 // (i + 1), "max_khz": None, "sf": None,
         "used": i != unused, "cpus": cpus}
        for i, cpus in enumerate(types)
    ]  # fmt: skip
    return {"usable_cpus": 8, "evidence_text": "cpu_capacity", "types": rows}


def amp_info(text: dict[str, Any], build: Path) -> None:
    tool = build / "stage" / "bin" / "amp-info"
    executable(tool, f"#!/bin/sh\ncat <<'END'\n{json.dumps(text)}\nEND\n")


@cases("text, usable, cpus", [
    (said([4, 5], [0, 1, 2]), {0, 1, 4}, ((4,), (0, 1))), (said([4, 5], [0, 1]), {0, 1}, ((0, 1),)),
    (said([0], [1], [2], unused=2), {0, 1, 2}, ((0,), (1,))),
])  # fmt: skip
def test_usable_and_used_ones_count(text: Any, usable: set[int], cpus: object) -> None:
    found = machine.types_of(text, usable)
    assert (found.cpus, found.several, found.ratio) == (cpus, len(cpus) > 1, 2.0)


def test_without_amp_info_there_is_one() -> None:
    assert machine.core_types(Path("/nowhere/amp-info")).cpus == (tuple(HERE),)


EIGHT, BOARD = [list(range(8))], [[4, 5, 6, 7], [0, 1, 2, 3]]


def choose(build: Path, types: list[list[int]], args: dict[str, Any]) -> engine.Cpus:
    """Which CPUs are run on, of eight that are usable."""
    amp_info(said(*types), build)
    with (
        mock.patch.object(os, "sched_getaffinity", lambda _: set(range(8))),
    ):
        return engine.Cpus(build / "stage" / "bin", args.get("emulate"), args.get("slow"),
                           args.get("threads"))  # fmt: skip


@cases("types, args, real, emulate, fast, slow", [
    # Several types are run on as they are.
    ([[4, 5, 6, 7], [0, 1], [2, 3]], {}, True, False, [4, 5, 6, 7], [0, 1, 2, 3]),
    (EIGHT, {}, False, True, list(range(7)), [7]),
    (BOARD, {"emulate": True}, False, True, list(range(7)), [7]),
    # Who names slow CPUs wants emulation.
    (BOARD, {"slow": [2]}, False, True, [0, 1, 3, 4, 5, 6, 7], [2]),
    (EIGHT, {"emulate": False}, False, False, list(range(7)), [7]),
    (EIGHT, {"threads": 3}, False, True, [0, 1], [7]),
])  # fmt: skip
def test_choice(tmp_path: Path, types: Any, args: dict[str, Any], real: bool, emulate: bool,
                fast: list[int], slow: list[int]) -> None:  # fmt: skip
    cpus = choose(tmp_path, types, dict(args))
    assert (cpus.real, cpus.emulate, cpus.fast, cpus.slow) == (real, emulate, fast, slow)



@cases("types, args, ratios", [
    (BOARD, {}, [REAL]), (BOARD, {"emulate": True}, [EQUAL, 2.0, 3.0]),
    (EIGHT, {}, [EQUAL, 2.0, 3.0]), (EIGHT, {"emulate": False}, [EQUAL]),
])  # fmt: skip
def test_ratios(tmp_path: Path, types: Any, args: dict[str, Any], ratios: list[float]) -> None:
    cpus = choose(tmp_path, types, dict(args))
    assert cpus.ratios(experiment.Part(ratios=(EQUAL, 2.0, 3.0))) == ratios


@pytest.fixture
def typed(tmp_path: Path) -> dict[str, str]:
    """The environment of this machine with each CPU of a type of its own, as it is said there."""
    if len(HERE) < 2:
        pytest.skip("one CPU: no two types of cores")
    if not (STAGE / "bin" / "amp-gcc").exists():
        pytest.skip(f"no {STAGE}/bin/amp-gcc: run make first")
    build, first, others = tmp_path / "build", HERE[0], HERE[1:]
    amp_info(said([first], others), build)
    for tool in (STAGE / "bin").iterdir():
        if tool.name != "amp-info":
            (build / "stage" / "bin" / tool.name).symlink_to(tool)
    (build / "stage" / "lib").symlink_to(STAGE / "lib")
    (build / "bench").symlink_to(STAGE.parent / "bench")
    return {"BUILD": str(build), "GOMP_AMP_TYPES": f"{first}:{','.join(map(str, others))}"}


def test_compare(tmp_path: Path, typed: dict[str, str]) -> None:
    raw = tmp_path / "raw.jsonl"
    done = bench("compare", "--kernels", "tail", "--class", "S", "--reps", 1, "--configs",
                 "amp:aid_static", "--out", raw, **typed)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 types of cores" in done.stderr
    assert "tail S, the machine's own types of cores" in done.stdout
    assert "emulated" not in done.stdout
    assert {r["type"] for r in map(json.loads, raw.open())} == {"session", "run"}
    runs = records(raw)
    assert {(r["ratio"], r["status"]) for r in runs} == {(REAL, "ok")}
    aid = next(r["report"] for r in runs if r["config"] == "amp:aid_static")
    assert aid["cpus"][0] == HERE[0]


def test_suites(tmp_path: Path, typed: dict[str, str]) -> None:
    raw = tmp_path / "raw.jsonl"
    done = run_suite(
        description(tmp_path, "good"), "--bin", programs(tmp_path, "good"), "--lib", "none",
        "--out", raw, "--reps", 1, "--configs", "static@bs", BUILD=typed["BUILD"], notes=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 types of cores" in done.stderr
    assert {r["where"] for r in records(raw)} == {"the machine's own types of cores"}
    assert records(raw, "emulation") == []
