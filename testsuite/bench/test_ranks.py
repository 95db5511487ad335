# SPDX-License-Identifier: GPL-3.0-or-later
"""How programs over MPI ranks are started, and what their shares of the ideal are judged by."""

from typing import Any

import pytest
from ampbench import ranks
from ampbench.ranks import Mpi, settled
from made import cases

# Seconds: alone 1 and 3, so that the ideal is 0.75.
GOOD = {"alone:0": 1.0, "alone:1": 3.0, "static": 1.5, "dynamic": 0.76, "weighted": 0.77}


def records(**changes: float) -> list[dict[str, Any]]:
    """Two rounds, at different speeds; weighted begins as static does."""
    out: list[dict[str, Any]] = [{"type": "session", "pinning": {"cpus": [0, 1], "slow": [1]}}]
    for round_, pace in ((1, 1.0), (2, 1.4)):
        out += [
            {"type": "run", "config": config, "round": round_, "status": "ok", "kernel": "ep",
             "class": "W", "ratio": 3.0, "seconds": s * pace, "report": {"rounds": [1.5 * pace]}}
            for config, s in (GOOD | changes).items()
        ]  # fmt: skip
    return out


def test_shares() -> None:
    (ep,) = ranks.shares(records())
    assert ep.share("static") == pytest.approx([0.5, 0.5])
    assert ep.share("weighted", ep.first) == pytest.approx([0.5, 0.5])
    assert ep.share("dynamic") == pytest.approx([0.75 / 0.76] * 2)
    assert ep.ratio == pytest.approx(3.0)


@cases("word, data, met", [
    ("dynamic", records(), True),
    ("dynamic", records(dynamic=0.80), False),
    ("weighted", records(weighted=0.78), True),
    ("weighted", records(weighted=0.80), False),
    ("static", records(), True),
    ("static", records(static=1.0), False),
    ("static", records(static=2.0), False),
    ("dynamic", records()[:1], None),
])  # fmt: skip
def test_targets(word: str, data: list[dict[str, Any]], met: bool | None) -> None:
    found = [v for v in ranks.judge(ranks.shares(data)) if word in v.target]
    assert [v.met for v in found] == ([] if met is None else [met])


def test_a_wrong_result_does_not_count() -> None:
    data = records()
    for r in data[1:]:
        if r["config"] == "dynamic":
            r["status"] = "wrong result"
    (ep,) = ranks.shares(data)
    assert ep.share("dynamic") == []
    assert "ep dynamic: wrong result" in ranks.full_report(data)


def test_what_is_learnt_is_left_out() -> None:
    assert settled("dynamic", [9.0, 1.0, 3.0, 2.0]) == 2.0
    assert settled("weighted", [9.0] * 6 + [1.0, 3.0, 2.0]) == 2.0
    assert settled("hetprobe", [9.0] * 11 + [1.0, 1.0, 1.0]) == 1.0


def test_one_rank_a_cpu() -> None:
    mpi = Mpi("mpicc", "mpirun", ("--loud",), "")
    assert mpi.command([0, 3], ["ep", "S"]) == [
        "mpirun", "--loud", "-np", "1", "taskset", "-c", "0", "ep", "S",
        ":", "-np", "1", "taskset", "-c", "3", "ep", "S",
    ]  # fmt: skip
