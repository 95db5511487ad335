# SPDX-License-Identifier: GPL-3.0-or-later
"""Predictions beside real runs."""

from __future__ import annotations

import argparse
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from ampbench import kernels, replay, validation
from ampbench.config import Config
from ampbench.emulation import Slowing
from ampbench.launch import Launcher
from ampbench.record import Run


def prediction(seconds: float, **more: Any) -> dict[str, Any]:
    return {
        "type": "prediction", "kernel": "k", "class": "W", "round": 1, "schedule": "static",
        "seconds": seconds, "serial": 1.0, "loops": 4.0, "one_thread": 5.0, "ratio": 3.0,
    } | more  # fmt: skip


def run(seconds: float | None, one_thread: list[float], **more: Any) -> dict[str, Any]:
    return {
        "type": "run", "kernel": "k", "class": "W", "round": 1, "turn": 0, "schedule": "static",
        "status": "ok", "seconds": seconds, "others": 0.25, "one_thread": one_thread,
    } | more  # fmt: skip


class Errors(unittest.TestCase):
    def test_of_the_time_within_loops(self) -> None:
        # 3 s, of which 1 s is serial: half a second too much is a quarter.
        runs = [run(3.0, [5.0, 5.0])]
        self.assertEqual(validation.error(runs, prediction(3.5), False), 0.25)

    def test_the_median_of_the_runs(self) -> None:
        runs = [run(t, [5.0, 5.0]) for t in (90.0, 3.0, 1.5)]
        self.assertEqual(validation.error(runs, prediction(3.0), False), 0.0)

    def test_pace(self) -> None:
        # One thread took 5 s when it was recorded and 10 s beside the run.
        runs = [run(6.0, [9.0, 11.0])]
        self.assertEqual(validation.error(runs, prediction(3.0), True), 0.0)
        self.assertEqual(validation.error(runs, prediction(3.0), False), -0.6)

    def test_too_short(self) -> None:
        self.assertIsNone(validation.error([run(1.0, [5.0, 5.0])], prediction(3.0), False))


class Tables(unittest.TestCase):
    def test_the_last_prediction_counts(self) -> None:
        said = validation.tables([prediction(99.0), run(3.0, [5.0, 5.0]), prediction(2.96)])
        self.assertIn("median error: 2.0 %, worst 2.0 %, of 1 pairs, with signs -2.0 %", said)
        self.assertIn("target 5 %: met", said)
        self.assertIn("other processes took 0.25 CPUs", said)

    def test_missed(self) -> None:
        said = validation.tables([run(3.0, [5.0, 5.0]), prediction(3.2)])
        self.assertIn("median error: 10.0 %", said)
        self.assertIn("target 5 %: missed", said)

    def test_runs_that_failed_count_for_nothing(self) -> None:
        bad = run(None, [5.0, 5.0], status="hang", turn=1)
        said = validation.tables([bad, run(3.0, [5.0, 5.0]), prediction(3.0)])
        self.assertIn("FAILED k static: hang", said)
        self.assertIn("median error: 0.0 %, worst 0.0 %, of 1 pairs", said)
        self.assertIn("no run", validation.tables([bad, prediction(3.0)]))
        self.assertNotIn("median error", validation.tables([bad, prediction(3.0)]))

    def test_an_interrupted_round_is_done_again(self) -> None:
        again = [run(t, [5.0, 5.0]) for t in (9.0, 3.0)]
        said = validation.tables([*again, run(3.0, [5.0, 5.0], turn=1), prediction(3.0)])
        self.assertIn("median error: 0.0 %", said)
        self.assertIn("n=2", said)

    def test_what_was_not_recorded(self) -> None:
        said = validation.tables([{"type": "failed", "kernel": "k", "why": "exit 3"}])
        self.assertIn("FAILED k: exit 3", said)


class Subjects(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        kernel = kernels.load("first")["ep"]
        setup = Launcher(self.folder, {}, [0], [1], Slowing("100us"), 1.0)
        args = argparse.Namespace(ratio=3.0)
        self.subject = validation.Subject(args, setup, Path("amp-sim"), kernel, "S", self.folder)

    def measured(self, recording: str = "", **more: Any) -> validation.Measured:
        known: dict[str, Any] = {
            "recorded": 1.0, "beside": [1.0], "fast": [], "slow": [], "reached": [],
            "paid": replay.Costs(1.0, 2.0, 3.0, 4.0, 5.0),
        }  # fmt: skip
        return validation.Measured(recording, **(known | more))

    def test_the_ratio_is_the_kernels_own(self) -> None:
        s = self.subject
        self.assertEqual(s.ratio(), 3.0)
        s.measured = [self.measured(reached=[3.2, 3.4]), self.measured(reached=[3.0])]
        self.assertEqual(s.ratio(), 3.2)
        s.measured = [
            self.measured(fast=[1.0, 1.0], slow=[4.0], reached=[3.0]),
            self.measured(fast=[8.0], slow=[4.0, 90.0]),
        ]
        self.assertEqual(s.ratio(), 4.0)
        s.measured = [self.measured(fast=[1.0], slow=[0.5])]
        self.assertEqual(s.ratio(), 1.0)

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
        self.subject.args = argparse.Namespace(ratio=3.0, schedules=["ich"], runs=1, seed=1)
        with (
            mock.patch.object(Launcher, "execute", execute),
            mock.patch.object(validation, "Emulation", lambda *_: emulation),
            mock.patch.object(replay, "record", lambda *_: Run(seconds=1.0)),
            mock.patch.object(replay, "measure_costs", lambda *_: self.measured().paid),
        ):
            self.subject.round(1, mock.Mock(write=said.append), mock.Mock())
        # Only what is to be slow is: between the recording's yardsticks and within the emulation.
        self.assertEqual(seen[:5], [("static", 1, "")] * 5)
        self.assertEqual(
            seen[5:],
            [("static", 1, "slow")] * 2 + [("ich", 2, "slow")] + [("static", 1, "slow")] * 2,
        )
        self.assertEqual([r["type"] for r in said], ["run", "measured"])

    def test_what_an_earlier_session_wrote(self) -> None:
        one = self.measured("ep-1.costs", fast=[1.5], slow=[2.5, 3.5], reached=[3.25])
        other = self.subject.head(3) | {"kernel": "cg"}
        self.subject.remember(
            [
                {"type": "session"},
                {"type": "run", **self.subject.head(1)},
                {"type": "measured", **self.subject.head(1), **one.record()},
                {"type": "failed", **self.subject.head(2), "why": "hang"},
                {"type": "measured", **other, **one.record()},
            ]
        )
        self.assertEqual(self.subject.measured, [one])
        # What failed is tried again.
        self.assertEqual(self.subject.done, {1})

    def recorded(self, *texts: str) -> str:
        for i, text in enumerate(texts):
            path = self.folder / f"{i}.costs"
            path.write_text(text, encoding="utf-8")
            self.subject.measured.append(self.measured(path.name))
        return self.subject.costs().read_text(encoding="utf-8")

    def test_recordings_of_all_rounds(self) -> None:
        loop = "# loop 0: 2 iterations at a+0x1\n"
        self.assertEqual(self.recorded(*(loop + f"{c} x2\n" for c in (3, 500, 4))), loop + "4 x2\n")

    def test_recordings_of_other_loops(self) -> None:
        loop = "# loop 0: 2 iterations at a+0x1\n3 x2\n"
        other = "# loop 0: 1 iterations at a+0x1\n7\n"
        self.assertEqual(self.recorded(loop, other), other)
