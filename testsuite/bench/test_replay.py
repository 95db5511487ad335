# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings of one program: their medians."""

from __future__ import annotations

from pathlib import Path

from ampbench import replay
from ampbench.replay import Costs
from made import cases

HEAD = "# gomp-amp: nanoseconds an iteration\n"
LOOP = "# loop 0: {} iterations at a+0x1\n"
ONE = LOOP.format(2) + "1\n1\n"


@cases("loop, recordings, expected", [
    # A spike goes.  The medians are 10, 20, 30; those of the whole loops 61.
    ("# serial 100\n" + LOOP.format(3), ["10\n20\n31\n", "10\n9000\n30\n", "11\n20\n30\n"],
     "10.1667\n20.3333\n30.5\n"),
    # Spikes in every recording are spread.
    (LOOP.format(4), ["50\n10\n10\n10\n", "10\n50\n10\n10\n", "10\n10 x2\n50\n"],
     "20\n20\n20\n20\n"),
    ("", ["# serial 5\n", "# serial 7\n", "# serial 600\n"], "# serial 7\n"),
    # Pieces of other lengths.  The medians are 4, 4, 5, 4...: 33 in all, those of the whole
    # loops 32.
    (LOOP.format(8), ["4 x8\n", "1 x2\n5 x6\n", "9 x3\n2 x5\n"],
     "3.87879 x2\n4.84848\n3.87879 x5\n"),
    (LOOP.format(0), ["", ""], ""),
    # Of other loops.
    ("", [ONE, ONE.replace("0x1", "0x2")], None), ("", [ONE, ONE + ONE], None),
    ("", [ONE, ONE + "1\n"], None),
])  # fmt: skip
def test_merge(tmp_path: Path, loop: str, recordings: list[str], expected: str | None) -> None:
    files = [tmp_path / f"r{i}" for i in range(len(recordings))]
    for file, text in zip(files, recordings):
        file.write_text(HEAD + loop + text)
    out = tmp_path / "out"
    assert replay.merge(files, out) == out.exists() == (expected is not None)
    if expected is not None:
        assert out.read_text() == HEAD + loop + expected


@cases("measured, expected", [
    # A fetch takes 60 ns and the grant 5; another one is made in the 6 ns of holding on.
    ((5.0, 6.0, 32.5, 66.0, 40.0), Costs(60.0, 6.0, 5.0, 1.0, 40.0)),
    # Nothing is gained by holding on: all that is known of a fetch is that with an update it
    # takes no less than 90 ns.
    ((5.0, 6.0, 90.0, 66.0, 0.0), Costs(85.0, 0.0, 5.0, 1.0, 0.0)),
    # An update cannot take longer than a grant, nor a fetch less than nothing.
    ((9.0, 6.0, 6.0, 5.0, 0.0), Costs(0.0, 0.0, 6.0, 0.0, 0.0)),
    ((9.0, 9.0, 1.0, 18.0, 0.0), Costs(9.0, 9.0, 9.0, 0.0, 0.0)),
])  # fmt: skip
def test_costs_of_grants(measured: tuple[float, ...], expected: Costs) -> None:
    assert replay.costs_of(*measured) == expected


@cases("text, expected", [
    ("# serial 5\n# loop 0: 1 iterations at a\n3\n# serial 7\n# loop 1: 1 iterations at a\n4\n"
     "# serial 9\n",
     "# loop 0: 1 iterations at a\n3\n# serial 7\n# loop 1: 1 iterations at a\n4\n"),
    ("# head\n# loop 0: 2 iterations\n1 x2\n", "# head\n# loop 0: 2 iterations\n1 x2\n"),
    ("# serial 5\n", ""),
])  # fmt: skip
def test_loops_alone(tmp_path: Path, text: str, expected: str) -> None:
    costs, out = tmp_path / "costs", tmp_path / "out"
    costs.write_text(text)
    replay.loops_alone(costs, out)
    assert out.read_text() == expected


def test_places(tmp_path: Path) -> None:
    costs = tmp_path / "costs"
    costs.write_text("# loop 0: 1 iterations at a+1\n3\n# loop 1: 1 iterations at b\n# loop 2: 1 "
                     "iterations at a+1\n# serial 3\n")  # fmt: skip
    assert replay.places(costs) == ["a+1", "b"]
