# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of one program: their medians."""

import tempfile
import unittest
from pathlib import Path

from ampbench import replay

HEAD = "# gomp-amp: nanoseconds an iteration\n"


class Merge(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def merged(self, *texts: str) -> str | None:
        files = [self.folder / f"r{i}" for i in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(HEAD + text)
        out = self.folder / "out"
        out.unlink(missing_ok=True)
        if not replay.merge(files, out):
            self.assertFalse(out.exists())
            return None
        return out.read_text().removeprefix(HEAD)

    def test_a_spike_goes(self) -> None:
        loop = "# serial 100\n# loop 0: 3 iterations at a+0x1\n"
        got = self.merged(loop + "10\n20\n31\n", loop + "10\n9000\n30\n", loop + "11\n20\n30\n")
        # The medians are 10, 20, 30; those of the whole loops 61.
        self.assertEqual(got, loop + "10.1667\n20.3333\n30.5\n")

    def test_spikes_in_every_recording_are_spread(self) -> None:
        loop = "# loop 0: 4 iterations at a+0x1\n"
        got = self.merged(loop + "50\n10\n10\n10\n", loop + "10\n50\n10\n10\n",
                          loop + "10\n10 x2\n50\n")  # fmt: skip
        self.assertEqual(got, loop + "20\n20\n20\n20\n")

    def test_serial(self) -> None:
        self.assertEqual(self.merged("# serial 5\n", "# serial 7\n", "# serial 600\n"),
                         "# serial 7\n")  # fmt: skip

    def test_pieces_of_other_lengths(self) -> None:
        loop = "# loop 0: 8 iterations at a+0x1\n"
        got = self.merged(loop + "4 x8\n", loop + "1 x2\n5 x6\n", loop + "9 x3\n2 x5\n")
        # The medians are 4, 4, 5, 4...: 33 in all, those of the whole loops 32.
        self.assertEqual(got, loop + "3.87879 x2\n4.84848\n3.87879 x5\n")

    def test_a_loop_without_iterations(self) -> None:
        loop = "# loop 0: 0 iterations at a+0x1\n"
        self.assertEqual(self.merged(loop, loop), loop)

    def test_other_loops(self) -> None:
        one = "# loop 0: 2 iterations at a+0x1\n1\n1\n"
        self.assertIsNone(self.merged(one, one.replace("0x1", "0x2")))
        self.assertIsNone(self.merged(one, one + one))
        self.assertIsNone(self.merged(one, one + "1\n"))


class CostsOfGrants(unittest.TestCase):
    def test_the_line_goes_around(self) -> None:
        # A fetch takes 60 ns and the grant 5; another one is made in the 6 ns of holding on.
        self.assertEqual(
            replay.costs_of(5.0, 6.0, 32.5, 66.0, 40.0), replay.Costs(60.0, 6.0, 5.0, 1.0, 40.0)
        )

    def test_nothing_is_gained_by_holding_on(self) -> None:
        # All that is known of a fetch is that with an update it takes no less than 90 ns.
        self.assertEqual(
            replay.costs_of(5.0, 6.0, 90.0, 66.0, 0.0), replay.Costs(85.0, 0.0, 5.0, 1.0, 0.0)
        )

    def test_measured_one_against_the_other(self) -> None:
        # An update cannot take longer than a grant, nor a fetch less than nothing.
        self.assertEqual(
            replay.costs_of(9.0, 6.0, 6.0, 5.0, 0.0), replay.Costs(0.0, 0.0, 6.0, 0.0, 0.0)
        )
        self.assertEqual(
            replay.costs_of(9.0, 9.0, 1.0, 18.0, 0.0), replay.Costs(9.0, 9.0, 9.0, 0.0, 0.0)
        )

    def test_to_and_from_raw_files(self) -> None:
        some = replay.Costs(5.0, 4.0, 3.0, 2.0, 1.0)
        self.assertEqual(replay.Costs.recorded({"type": "costs", **some.record()}), some)

    def test_the_median_of_each(self) -> None:
        some = [replay.Costs(1.0, 1.0, 9.0, 5.0, 0.0), replay.Costs(3.0, 2.0, 7.0, 5.0, 8.0),
                replay.Costs(2.0, 0.0, 8.0, 4.0, 1.0)]  # fmt: skip
        self.assertEqual(replay.middle(some), replay.Costs(2.0, 1.0, 8.0, 5.0, 1.0))
