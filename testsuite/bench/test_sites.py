# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets on hand-made data: met, missed, not measured."""

from typing import Any

from ampbench import sites
from ampbench.tables import Verdict
from made import cases, run

# Seconds under each configuration, where every target is just met.
GOOD: dict[str, float] = {
    "stock:static": 2.0, "gomp:dynamic,1": 1.6, "amp:aid_static": 1.03, "amp:aid_hybrid,80": 1.1,
    "amp:aid_dynamic,1,5": 1.2, "amp:unset": 1.06, "free:aid_static": 1.08, "free:unset": 1.11,
    "blind:unset": 1.2, "llvm:guided": 1.04, "llvm:static_steal": 1.05, "split:3": 1.0,
    "split:2.55": 1.02,
}  # fmt: skip
EQUAL: dict[str, float] = {"stock:static": 1.0, "amp:unset": 1.02, "gomp:dynamic,1": 1.5}
KERNELS = ("cg", "ep", "stencil", "tail")


def records(
    kernels: tuple[str, ...] = KERNELS, ratio: float = 3.0, base: dict[str, float] = GOOD,
    klass: str = "A", loops: int = 1000, others: float = 0.0, changed: str | None = None,
    **changes: float | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Three rounds, in which the machine's speed differs; CHANGES (with _ for : and ,) replace
    seconds of the kernel CHANGED, or of all; None leaves a configuration out."""
    out = []
    for kernel in kernels:
        seconds: dict[str, float | None] = dict(base)
        for name, value in changes.items():
            (config,) = (c for c in base if c.translate(str.maketrans(":,.", "___")) == name)
            if changed in (None, kernel):
                seconds[config] = value
        for round_, pace in ((1, 1.0), (2, 1.7), (3, 1.1)):
            out += [
                run(config, round_, s * pace, klass, kernel=kernel, ratio=ratio, others=others,
                    report={"loops": loops})
                for config, s in seconds.items() if s is not None
            ]  # fmt: skip
    return out


def verdict(data: list[dict[str, Any]], *words: str) -> Verdict:
    (found,) = (v for v in sites.judge(data) if all(w in v.target for w in words))
    return found


def targets(data: list[dict[str, Any]], word: str) -> list[str]:
    return [v.target for v in sites.judge(data) if word in v.target]


SPLIT, PEER = ("cg", "best split"), ("cg", "LLVM")
MEAN, WORST = ("auto", "geometric mean"), ("auto", "no kernel")
UNSET, AID = ("tail", "free:unset"), ("tail", "free:aid_static")
FAST = records(KERNELS[:3])


@cases("words, data, met, text", [
    *(((k, "best split"), records(amp_aid_static=s), met, "of 3:1")
      for s, met in ((1.03, True), (1.032, False)) for k in ("cg", "stencil")),
    # One bad ratio spoils it, one that was not measured is not met, equal cores do not count.
    (SPLIT, records(ratio=2.0) + records(ratio=5.0, amp_aid_static=1.2), False, "2: 1.030"),
    (SPLIT, records(ratio=2.0) + records(ratio=5.0, amp_aid_static=1.2), False, "5: 1.200"),
    (SPLIT, records(ratio=2.0) + records(ratio=5.0, amp_aid_static=None), None, ""),
    (SPLIT, records() + records(ratio=1.0, amp_aid_static=5.0), True, ""),
    # The better of the peer's schedules counts, and equal is not ahead.
    (PEER, records(), True, ""),
    (PEER, records(llvm_static_steal=1.02), False, ""),
    (PEER, records(llvm_guided=1.03), False, ""),
    (MEAN, records(), True, ""),
    (MEAN, records(amp_unset=1.07), False, "0.963"),
    # tail at 0.92 of the best; the mean of four is 0.98 of it.
    (WORST, records(amp_unset=1.03), True, ""),
    (WORST, records(KERNELS[:3], amp_unset=1.03) + records(("tail",), amp_unset=1.12), False, ""),
    (MEAN, records(KERNELS[:3], amp_unset=1.03) + records(("tail",), amp_unset=1.12), True, ""),
    # The best is chosen for each kernel.
    (WORST, FAST + records(("tail",), gomp_dynamic_1=0.5), False, "tail: 0.472"),
    (WORST, FAST + records(("tail",), gomp_dynamic_1=0.5), False, "of gomp:dynamic,1"),
    # These are no fixed schedules.
    (MEAN, records(free_aid_static=0.1, blind_unset=0.1, llvm_guided=0.1, split_3=0.1), True, ""),
    (MEAN, records(changed="ep", amp_unset=None), None, ""),
    (("cg", "equal cores"), records(ratio=1.0, base=EQUAL), True, ""),
    (("cg", "equal cores"), records(ratio=1.0, base=EQUAL, amp_unset=1.021), False, ""),
    (("cg", "equal cores"), records(ratio=1.0, base=EQUAL, loops=200_000, amp_unset=2.0), None,
     "below 10 us"),
    (UNSET, records(), True, ""), (AID, records(), True, ""),
    (UNSET, records(free_unset=1.12), False, ""),
    (AID, records(free_aid_static=1.09), False, ""),
    (UNSET, records(free_aid_static=1.09), True, ""),
])  # fmt: skip
def test_targets(words: tuple[str, ...], data: Any, met: bool | None, text: str) -> None:
    found = verdict(data, *words)
    assert found.met is met
    assert text in found.measured


@cases("data, word, count", [
    (records(), "best split", 2),  # only cg and stencil have one to reach
    (records(), "Intel", 0), (records(ratio=1.0), "best fixed", 0), (records(), "blind", 0),
])  # fmt: skip
def test_what_has_no_target(data: Any, word: str, count: int) -> None:
    assert len(targets(data, word)) == count


def test_blind_is_told_without_a_verdict() -> None:
    (line,) = sites.compare_blind(records(("cg",)))
    assert "takes 1.132" in line


@cases("words", [SPLIT, ("cg", "free:unset"), WORST])
def test_small_classes_and_noise_are_indicative_only(words: tuple[str, ...]) -> None:
    assert not verdict(records(), *words).indicative
    assert verdict(records(klass="W"), *words).indicative
    assert verdict(records(others=0.5), *words).indicative


def test_a_missing_kernel_makes_auto_indicative() -> None:
    assert verdict(records(("cg", "ep")), *WORST).indicative


def test_failed_runs_and_warm_ups_do_not_count() -> None:
    data = records()
    for r in records(amp_aid_static=9.0):
        data += [{**r, "round": r["round"] + 3, "status": "wrong result"}, {**r, "round": 0}]
    assert verdict(data, *SPLIT).met is True
