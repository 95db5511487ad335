# SPDX-License-Identifier: GPL-3.0-or-later
"""All kernels side by side, on hand-made data."""

from typing import Any

import test_sites
from ampbench import evaluation, kernels
from ampbench.commands import compare
from made import SESSION, cases
from pytest import approx

# The CPUs alone take 4 and 4 s: the ideal is 2 s.
GOOD: dict[str, float] = {
    "single:0": 4.0, "single:1": 4.0, "stock:static": 4.0, "gomp:dynamic,1": 2.5,
    "gomp:guided": 2.2, "llvm:guided": 2.11, "amp:aid_static": 2.1, "amp:aid_hybrid,80": 2.2,
    "amp:aid_dynamic,1,5": 2.5, "amp:aid_hybrid": 2.18, "amp:aid_dynamic": 2.15,
    "amp:unset": 2.05,
}  # fmt: skip
ALL = SESSION | {"mode": "all"}


def records(
    kernel: str = "ep", ratio: float = 3.0, loops: int = 100, others: float = 0.0,
    failed: tuple[str, ...] = (), **changes: float,
) -> list[dict[str, Any]]:  # fmt: skip
    """Three rounds, in which the machine's speed differs; 40 ms a loop unless LOOPS says else."""
    out = test_sites.records((kernel,), ratio, GOOD, "W", loops, others, **changes)
    bad = {"status": "crashed", "seconds": None}
    return [r | bad if r["config"] in failed else r for r in out]


def every_aid(seconds: float) -> dict[str, float]:
    return {c.translate(str.maketrans(":,.", "___")): seconds for c in evaluation.AID}


def scene(*data: list[dict[str, Any]]) -> evaluation.Scene:
    (found,) = evaluation.scenes([ALL, *(r for d in data for r in d)])
    return found


def met(found: evaluation.Scene, words: str) -> list[bool | None]:
    return [v.met for v in evaluation.judge([found]) if words in v.target]


def test_best_of_each() -> None:
    (row,) = scene(records()).rows
    assert row.best == {"stock": "gomp:guided", "llvm": "llvm:guided", "aid": "amp:aid_static"}
    # guided is not what the papers compare with.
    assert (row.of_best("aid"), row.to_stock) == approx((2 / 2.1, 2.5 / 2.1))


def test_rivals() -> None:
    (row,) = scene(records()).rows
    assert row.fast == approx(2 / 4)
    assert row.rival == ("LLVM libomp guided", approx(2.11 / 2.05))
    # The faster CPU alone is as good as any library, and better.
    found = scene(records(single_0=1.5, single_1=6.0), records("cg", single_0=3.0, single_1=6.0))
    assert found.worst and found.worst[0].kernel == "ep"
    assert found.worst[1:] == ("fast cores only", approx(1.5 / 2.05))
    text = evaluation.format_scene(found, "")
    assert "best rival chosen afterwards: 0.73 (ep, fast cores only)" in text
    # Several fast cores have a run of their own.
    several = test_sites.records(("ep",), 3.0, GOOD | {"fast:static": 1.9}, "W", 100)
    (row,) = scene(several).rows
    assert row.fast == approx(2 / 1.9) and row.rival == ("fast cores only", approx(1.9 / 2.05))
    (row,) = scene(records(ratio=1.0, single_0=1.5)).rows
    assert row.rival and row.rival[0] == "LLVM libomp guided"


def test_auto_is_no_aid() -> None:
    (row,) = scene(records(amp_unset=1.0)).rows
    assert row.best["aid"] == "amp:aid_static"
    assert row.shown["amp:unset"] == approx(2.0)


def test_worst_first() -> None:
    found = scene(records(), records("cg", **every_aid(3.0)))
    assert [r.kernel for r in found.rows] == ["cg", "ep"]
    (loss,) = (x for x in evaluation.format_scene(found, "").splitlines() if "LOSS" in x)
    assert loss.startswith("  cg")


def test_failed() -> None:
    text = evaluation.format_scene(scene(records(failed=("amp:aid_static",))), "")
    assert "FAILED: amp:aid_static" in text


def test_equal_cores_and_ratios_are_apart() -> None:
    found = evaluation.scenes([ALL, *records(ratio=5.0), *records(ratio=1.0)])
    assert [s.ratio for s in found] == [1.0, 5.0]
    assert not [v for v in evaluation.judge(found) if "ratio 1" in v.target]


def test_means_are_geometric() -> None:
    found = scene(records(amp_aid_static=2.0), records("cg", amp_aid_static=8.0))
    assert found.of("amp:aid_static")[0] == approx(0.5)


def test_short_loops() -> None:
    # Five periods are 1 ms; the median of the rounds is 4.4 s.
    assert scene(records(loops=4390)).without_short().rows
    found = scene(records(), records("cg", loops=4410, **every_aid(40.0)))
    assert [r.kernel for r in found.without_short().rows] == ["ep"]
    assert "*" in evaluation.format_scene(found, "")
    assert met(found, "single AID") == [False, True]


def test_equal_cores_have_no_short_loops() -> None:
    assert len(scene(records(ratio=1.0, loops=40000)).without_short().rows) == 1


# Each kernel has an AID that is ideal, but no setting is so for both.
DIVIDED = scene(records(amp_aid_static=2.0, amp_aid_dynamic=2.5),
                records("cg", amp_aid_static=2.5, amp_aid_dynamic=2.0))  # fmt: skip
MISSING = scene(records(), records("cg", failed=evaluation.AID))


@cases("found, words, expected", [
    (scene(records(amp_aid_static=2 / 0.931)), "single AID", [True]),
    (scene(records(amp_aid_static=2 / 0.929, amp_aid_dynamic=3.0)), "single AID", [False]),
    (DIVIDED, "single AID", [False]), (DIVIDED, "best AID of each", [True]),
    (scene(records()), "ahead of LLVM", [True]),
    (scene(records(llvm_guided=2.0)), "ahead of LLVM", [False]),
    (scene(records(gomp_guided=2.0)), "ahead of stock", [False]),
    (scene(records()), "ahead of Intel", []),
    (MISSING, "best AID of each", [None]), (MISSING, "single AID", [None]),
    (MISSING, "ahead of LLVM", [None]),
])  # fmt: skip
def test_verdicts(found: evaluation.Scene, words: str, expected: list[bool | None]) -> None:
    assert met(found, words) == expected


def test_noise() -> None:
    verdicts = evaluation.judge([scene(records(others=0.5))])
    assert verdicts and all(v.indicative for v in verdicts)


def test_configurations() -> None:
    kernel = kernels.load()["ep"]
    names = [c.name for c in compare.evaluation_configs(kernel, [0, 1], 3.0, ["llvm"])]
    assert {*evaluation.AID, evaluation.AUTO, "llvm:static_steal"} <= {*names}
    equal = [c.name for c in compare.evaluation_configs(kernel, [0, 1], 1.0, ["llvm"])]
    assert "llvm:guided" not in equal
    assert "single:1" in equal


def test_empty_file() -> None:
    assert "no measured runs" in evaluation.full_report([ALL])
