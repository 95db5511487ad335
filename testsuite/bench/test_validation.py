# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictions beside real runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from ampbench import kernels, replay, validation
from ampbench.config import Config
from ampbench.emulation import Slowing
from ampbench.launch import Launcher
from ampbench.record import Run
from made import cases


def prediction(seconds: float) -> dict[str, Any]:
    return {
        "type": "prediction", "kernel": "k", "class": "W", "round": 1, "schedule": "static",
        "seconds": seconds, "serial": 1.0, "loops": 4.0, "one_thread": 5.0, "ratio": 3.0,
    }  # fmt: skip


def run(seconds: float | None, *one_thread: float, **more: Any) -> dict[str, Any]:
    return {
        "type": "run", "kernel": "k", "class": "W", "round": 1, "turn": 0, "schedule": "static",
        "status": "ok", "seconds": seconds, "others": 0.25, "one_thread": one_thread or [5.0, 5.0],
    } | more  # fmt: skip


@cases("runs, predicted, paced, expected", [
    # 3 s, of which 1 s is serial: half a second too much is a quarter.
    ([run(3.0)], 3.5, False, 0.25),
    ([run(90.0), run(3.0), run(1.5)], 3.0, False, 0.0),  # the median
    # One thread took 5 s when it was recorded and 10 s beside the run.
    ([run(6.0, 9.0, 11.0)], 3.0, True, 0.0), ([run(6.0, 9.0, 11.0)], 3.0, False, -0.6),
    ([run(1.0)], 3.0, False, None),  # too short
])  # fmt: skip
def test_errors(runs: Any, predicted: float, paced: bool, expected: float | None) -> None:
    assert validation.error(runs, prediction(predicted), paced) == expected


BAD = run(None, status="hang", turn=1)


@cases("records, words", [
    # The last prediction counts.
    ([prediction(99.0), run(3.0), prediction(2.96)],
     ("median error: 2.0 %, worst 2.0 %, of 1 pairs, with signs -2.0 %", "target 5 %: met",
      "other processes took 0.25 CPUs")),
    ([run(3.0), prediction(3.2)], ("median error: 10.0 %", "target 5 %: missed")),
    ([BAD, run(3.0), prediction(3.0)],
     ("FAILED k static: hang", "median error: 0.0 %, worst 0.0 %, of 1 pairs")),
    ([BAD, prediction(3.0)], ("no run",)),
    # An interrupted round is done again.
    ([run(9.0), run(3.0), run(3.0, turn=1), prediction(3.0)], ("median error: 0.0 %", "n=2")),
    ([{"type": "failed", "kernel": "k", "why": "exit 3"}], ("FAILED k: exit 3",)),
])  # fmt: skip
def test_tables(records: list[dict[str, Any]], words: tuple[str, ...]) -> None:
    text = validation.tables(records)
    assert [w for w in words if w not in text] == []
    assert ("median error" in text) == any("median error" in w for w in words)


class TestSubjects:
    @pytest.fixture(autouse=True)
    def build(self, tmp_path: Path) -> None:
        self.folder = tmp_path
        kernel = kernels.load("first")["ep"]
        setup = Launcher(tmp_path, {}, [0], [1], Slowing("100us"), 1.0)
        args = argparse.Namespace(ratio=3.0, schedules=["ich"], runs=1, seed=1)
        self.subject = validation.Subject(args, setup, Path("amp-sim"), kernel, "S", tmp_path)

    def measured(self, recording: str = "", **more: Any) -> validation.Measured:
        known: dict[str, Any] = {
            "recorded": 1.0, "beside": [1.0], "fast": [], "slow": [], "reached": [],
            "paid": replay.Costs(1.0, 2.0, 3.0, 4.0, 5.0),
        }  # fmt: skip
        return validation.Measured(recording, **(known | more))

    @cases("rounds, expected", [
        ([], 3.0), ([{"reached": [3.2, 3.4]}, {"reached": [3.0]}], 3.2),
        ([{"fast": [1.0, 1.0], "slow": [4.0], "reached": [3.0]},
          {"fast": [8.0], "slow": [4.0, 90.0]}], 4.0),
        ([{"fast": [1.0], "slow": [0.5]}], 1.0),
    ])  # fmt: skip
    def test_the_ratio_is_the_kernels_own(self, rounds: Any, expected: float) -> None:
        self.subject.measured = [self.measured(**r) for r in rounds]
        assert self.subject.ratio() == expected

    def test_a_round(self) -> None:
        said: list[dict[str, Any]] = []
        seen: list[tuple[str, int, str]] = []

        def execute(
            setup: Launcher, config: Config, kernel: object, klass: str,
            emulation: mock.Mock | None = None,
        ) -> Run:  # fmt: skip
            slow = "slow" if emulation or "SLOW" in setup.extra else ""
            seen.append((config.schedule, len(setup.cpus), slow))
            return Run(seconds=1.0, wall=1.0, others=0.0)

        emulation = mock.MagicMock(record={}, pid=1)
        emulation.__enter__.return_value = emulation
        emulation.add_to = lambda env: env.update(SLOW="1")
        with (
            mock.patch.object(Launcher, "execute", execute),
            mock.patch.object(validation, "Emulation", lambda *_: emulation),
            mock.patch.object(replay, "record", lambda *_: Run(seconds=1.0)),
            mock.patch.object(replay, "measure_costs", lambda *_: self.measured().paid),
        ):
            self.subject.round(1, mock.Mock(write=said.append), mock.Mock())
        # Only what is to be slow is: between the recording's yardsticks and within the emulation.
        two = [("static", 1, "slow")] * 2
        assert seen == [("static", 1, "")] * 5 + two + [("ich", 2, "slow")] + two
        assert [r["type"] for r in said] == ["run", "measured"]

    def test_what_an_earlier_session_wrote(self) -> None:
        one = self.measured("ep-1.costs", fast=[1.5], slow=[2.5, 3.5], reached=[3.25])
        head = self.subject.head
        self.subject.remember(
            [
                {"type": "session"}, {"type": "run", **head(1)},
                {"type": "measured", **head(1), **one.record()},
                {"type": "failed", **head(2), "why": "hang"},
                {"type": "measured", **head(3), "kernel": "cg", **one.record()},
            ]
        )  # fmt: skip
        assert self.subject.measured == [one]
        # What failed is tried again.
        assert self.subject.done == {1}

    @cases("texts, expected", [
        ([f"# loop 0: 2 iterations at a+0x1\n{c} x2\n" for c in (3, 500, 4)],
         "# loop 0: 2 iterations at a+0x1\n4 x2\n"),
        # Of other loops the last.
        (["# loop 0: 2 iterations at a+0x1\n3 x2\n", "# loop 0: 1 iterations at a+0x1\n7\n"],
         "# loop 0: 1 iterations at a+0x1\n7\n"),
    ])  # fmt: skip
    def test_recordings_of_all_rounds(self, texts: list[str], expected: str) -> None:
        for i, text in enumerate(texts):
            (self.folder / f"{i}.costs").write_text(text)
            self.subject.measured.append(self.measured(f"{i}.costs"))
        assert self.subject.costs().read_text() == expected
