# SPDX-License-Identifier: GPL-3.0-or-later
"""What short loops are judged by, on hand-made data; and how CPUs repeat iterations."""

import subprocess
from typing import Any

import pytest
from ampbench import short
from ampbench.emulation import Repeated
from made import BUILD, TOP, cases, run

# Seconds at ratio 3: alone 2 and 6, so that the ideal is 1.5.
GOOD = {
    "single:0": 2.0, "single:1": 6.0, "stock:static": 3.0, "gomp:dynamic,1": 4.0,
    "split:3": 1.5, "split:2.5": 1.6, "amp:aid_static": 1.53, "amp:unset": 1.56,
    "amp:aid_hybrid,80": 1.6, "amp:aid_dynamic,1,5": 1.7, "llvm:guided": 1.9,
    "intel:static_steal": 1.8,
}  # fmt: skip


def records(us: int = 30, ratio: float = 3.0, **changes: float) -> list[dict[str, Any]]:
    """Two kinds of loops, two rounds, at different speeds."""
    base = GOOD | {n.replace("_", ":", 1): s for n, s in changes.items()}
    out: list[dict[str, Any]] = [{"type": "session", "pinning": {"cpus": [0, 1], "slow": [1]}}]
    for kind in ("matvec", "chain"):
        for round_, pace in ((1, 1.0), (2, 1.3)):
            out += [
                run(config, round_, s * pace, "S", kernel=f"{kind}-{us}us", ratio=ratio)
                for config, s in base.items()
            ]
    return out


def test_efficiency_is_the_share_of_both_cpus_together() -> None:
    point = short.points(records())[0]
    assert point.speed("split:3") == pytest.approx(1.0)
    assert point.speed("stock:static") == pytest.approx(0.5)
    assert point.speed("amp:aid_static", point.best_split) == pytest.approx(1.5 / 1.53)
    assert point.own_ratio == pytest.approx(3.0)


@cases("word, data, met", [
    ("known, from 10", records(), True),
    ("known, from 10", records(amp_aid_static=1.54), False),
    ("known, from 3", records(3, amp_aid_static=1.65), True),
    ("known, from 3", records(3, amp_aid_static=1.7), False),
    ("known, from 3", records(10), None),
    ("static, replaced", records(replace_aid_static=1.57), True),
    ("static, replaced", records(replace_aid_static=1.6), False),
    ("team, from", records(2000, team_weighted=1.6), True),
    ("team, from", records(2000, team_weighted=1.62), False),
    ("team, from", records(1000, team_weighted=1.62), None),
    ("by hand", records(200, team_weighted=1.7, placed_unset=2.0, placed_passive=1.9), True),
    ("by hand", records(200, team_weighted=1.75, placed_unset=2.0, placed_passive=1.9), False),
    ("by hand", records(2000, team_weighted=1.7, placed_unset=2.0), None),
    ("of nothing set", records(200, team_weighted=1.9), True),
    ("of nothing set", records(200, team_weighted=2.0), False),
    ("best fixed", records(amp_unset=1.6), True),
    ("best fixed", records(amp_unset=1.7), False),
    ("best fixed", records(10), None),
    ("of stock's time", records(1, amp_unset=3.05), True),
    ("of stock's time", records(1, amp_unset=3.2), False),
    ("of stock's time", records(1, 1.0, amp_unset=3.2), False),
    ("libomp's", records(amp_unset=1.89), True),
    ("libomp's", records(amp_unset=1.91), False),
    ("libiomp5's", records(amp_unset=1.85), False),
    ("libomp's", records(3), None),
])  # fmt: skip
def test_targets(word: str, data: list[dict[str, Any]], met: bool | None) -> None:
    (found,) = (v for v in short.judge(short.points(data)) if word in v.target)
    assert found.met is met, str(found)


def test_one_bad_length_is_named() -> None:
    data = records(10) + records(30, amp_aid_static=2.0)[1:]
    (found,) = (v for v in short.judge(short.points(data)) if "known, from 10" in v.target)
    assert found.met is False and "1 of 2 points" in found.measured
    assert "30 us, ratio 3" in found.measured


def test_the_table_has_a_line_a_length() -> None:
    text = short.full_report(records(10) + records(1000)[1:])
    (line,) = (x.split() for x in text.splitlines() if x.split()[:1] == ["1000"])
    assert line[1] == "3.00" and line[2] == "0.500"
    assert len([x for x in text.splitlines() if x.split()[:1] == ["10"]]) == 1


def test_programs_are_told() -> None:
    env = {"AMP_BENCH_SLOW": "old"}
    with Repeated([0, 1], [2, 3], 1.5) as slow:
        assert slow.types == "0,1:2,3" and slow.ratio == 1.5
        slow.add_to(env)
    assert env["AMP_BENCH_SLOW"] == "2,3=1.5"


@pytest.fixture(scope="module")
def program() -> str:
    build = BUILD if BUILD.is_absolute() else TOP / BUILD
    made = subprocess.run(
        ["make", "-s", "-C", str(TOP / "benchmarks" / "kernels"), f"BUILD={build}",
         str(build / "bench" / "stock" / "short")], capture_output=True, check=False,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    return str(build / "bench" / "stock" / "short")


@cases("kind", [*short.KINDS])
@cases("slow", ["", "0-4095=2.5"])
def test_repeated_iterations_leave_the_result(program: str, kind: str, slow: str) -> None:
    argv = [program, "--kind", kind, "--work", "5", "--loops", "20", "--warm", "3"]
    env = {"OMP_NUM_THREADS": "2", "AMP_BENCH_SLOW": slow}
    for extra in ([], ["--split", "3:1"], ["--calls", "1"]):
        ran = subprocess.run([*argv, *extra], env=env, capture_output=True, text=True, check=False)
        assert ran.returncode == 0 and '"verified":true' in ran.stdout, ran.stderr + ran.stdout


@cases("text", ["1", "1=", "=2", "1=0.5", "x=2", "1-0=2", "1,=x", "5000=2"])
def test_a_wrong_list_is_refused(program: str, text: str) -> None:
    env = {"AMP_BENCH_SLOW": text}
    ran = subprocess.run([program], env=env, capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and f"AMP_BENCH_SLOW={text}" in ran.stderr
