# SPDX-License-Identifier: GPL-3.0-or-later
"""The targets on hand-made data: met, missed, not measured."""

import unittest
from typing import Any

from ampbench import sites
from ampbench.tables import Verdict

# Seconds under each configuration, where every target is just met.
GOOD: dict[str, float] = {
    "stock:static": 2.0,
    "gomp:dynamic,1": 1.6,
    "amp:aid_static": 1.03,
    "amp:aid_hybrid,80": 1.1,
    "amp:aid_dynamic,1,5": 1.2,
    "amp:unset": 1.06,
    "free:aid_static": 1.08,
    "free:unset": 1.11,
    "blind:unset": 1.2,
    "llvm:guided": 1.04,
    "llvm:static_steal": 1.05,
    "split:3": 1.0,
    "split:2.55": 1.02,
}
EQUAL: dict[str, float] = {"stock:static": 1.0, "amp:unset": 1.02, "gomp:dynamic,1": 1.5}


def records(
    kernels: tuple[str, ...] = ("cg", "ep", "stencil", "tail"),
    ratio: float = 3.0,
    base: dict[str, float] = GOOD,
    klass: str = "A",
    loops: int = 1000,
    others: float = 0.0,
    changed: str | None = None,
    **changes: float | None,
) -> list[dict[str, Any]]:
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
            for config, s in seconds.items():
                if s is not None:
                    out.append(
                        {
                            "type": "run", "kernel": kernel, "class": klass, "ratio": ratio,
                            "config": config, "round": round_, "status": "ok",
                            "seconds": s * pace, "wall": 1.0, "others": others,
                            "report": {"loops": loops},
                        }
                    )  # fmt: skip
    return out


def verdict(data: list[dict[str, Any]], *words: str) -> Verdict:
    found = [v for v in sites.judge(data) if all(w in v.target for w in words)]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} verdicts hold {words}")
    return found[0]


class ShortLoops(unittest.TestCase):
    def test_split(self) -> None:
        for value, met in ((1.03, True), (1.032, False)):
            for kernel in ("cg", "stencil"):
                v = verdict(records(amp_aid_static=value), kernel, "best split")
                self.assertIs(v.met, met)
                self.assertIn("of 3:1", v.measured)

    def test_only_cg_and_stencil_have_a_split_to_reach(self) -> None:
        found = [v.target for v in sites.judge(records()) if "best split" in v.target]
        self.assertEqual(len(found), 2)

    def test_one_bad_ratio_spoils_it(self) -> None:
        data = records(ratio=2.0) + records(ratio=5.0, amp_aid_static=1.2)
        v = verdict(data, "cg", "best split")
        self.assertIs(v.met, False)
        self.assertIn("2: 1.030", v.measured)
        self.assertIn("5: 1.200", v.measured)

    def test_a_ratio_that_was_not_measured_is_not_met(self) -> None:
        data = records(ratio=2.0) + records(ratio=5.0, amp_aid_static=None)
        self.assertIsNone(verdict(data, "cg", "best split").met)

    def test_peers(self) -> None:
        self.assertIs(verdict(records(), "cg", "LLVM").met, True)
        # The better of the peer's schedules counts, and equal is not ahead.
        self.assertIs(verdict(records(llvm_static_steal=1.02), "cg", "LLVM").met, False)
        self.assertIs(verdict(records(llvm_guided=1.03), "cg", "LLVM").met, False)
        self.assertFalse([v for v in sites.judge(records()) if "Intel" in v.target])

    def test_equal_cores_do_not_count(self) -> None:
        data = records() + records(ratio=1.0, amp_aid_static=5.0)
        self.assertIs(verdict(data, "cg", "best split").met, True)


class Auto(unittest.TestCase):
    def test_mean(self) -> None:
        self.assertIs(verdict(records(), "auto", "geometric mean").met, True)
        v = verdict(records(amp_unset=1.07), "auto", "geometric mean")
        self.assertIs(v.met, False)
        self.assertIn("0.963", v.measured)

    def test_worst(self) -> None:
        # tail at 0.92 of the best; the mean of four is 0.98 of it.
        data = records(amp_unset=1.03, changed=None)
        self.assertIs(verdict(data, "auto", "no kernel").met, True)
        data = [r for r in data if r["kernel"] != "tail"]
        data += records(("tail",), amp_unset=1.12)
        self.assertIs(verdict(data, "auto", "no kernel").met, False)
        self.assertIs(verdict(data, "auto", "geometric mean").met, True)

    def test_the_best_is_chosen_per_kernel(self) -> None:
        data = records(("cg", "ep", "stencil"))
        data += records(("tail",), gomp_dynamic_1=0.5)
        v = verdict(data, "auto", "no kernel")
        self.assertIs(v.met, False)
        self.assertIn("tail: 0.472", v.measured)
        self.assertIn("of gomp:dynamic,1", v.measured)

    def test_free_blind_and_peers_are_no_fixed_schedules(self) -> None:
        data = records(free_aid_static=0.1, blind_unset=0.1, llvm_guided=0.1, split_3=0.1)
        self.assertIs(verdict(data, "auto", "geometric mean").met, True)

    def test_one_kernel_missing(self) -> None:
        data = records(changed="ep", amp_unset=None)
        self.assertIsNone(verdict(data, "auto", "geometric mean").met)
        self.assertTrue(verdict(records(("cg", "ep")), "auto", "no kernel").indicative)
        self.assertFalse(verdict(records(), "auto", "no kernel").indicative)

    def test_equal_cores(self) -> None:
        data = records(ratio=1.0, base=EQUAL)
        self.assertIs(verdict(data, "cg", "equal cores").met, True)
        data = records(ratio=1.0, base=EQUAL, amp_unset=1.021)
        self.assertIs(verdict(data, "cg", "equal cores").met, False)

    def test_equal_cores_have_no_hindsight(self) -> None:
        found = [v for v in sites.judge(records(ratio=1.0)) if "best fixed" in v.target]
        self.assertEqual(found, [])

    def test_loops_below_10_us_are_no_target(self) -> None:
        data = records(ratio=1.0, base=EQUAL, loops=200_000, amp_unset=2.0)
        v = verdict(data, "cg", "equal cores")
        self.assertIsNone(v.met)
        self.assertIn("below 10 us", v.measured)


class Free(unittest.TestCase):
    def test_within(self) -> None:
        self.assertIs(verdict(records(), "tail", "free:unset").met, True)
        self.assertIs(verdict(records(), "tail", "free:aid_static").met, True)

    def test_beyond(self) -> None:
        self.assertIs(verdict(records(free_unset=1.12), "tail", "free:unset").met, False)
        data = records(free_aid_static=1.09)
        self.assertIs(verdict(data, "tail", "free:aid_static").met, False)
        self.assertIs(verdict(data, "tail", "free:unset").met, True)

    def test_blind_is_told_without_a_verdict(self) -> None:
        (line,) = sites.compare_blind(records(("cg",)))
        self.assertIn("takes 1.132", line)
        self.assertFalse([v for v in sites.judge(records()) if "blind" in v.target])


class Doubt(unittest.TestCase):
    def test_small_classes_and_noise_are_indicative_only(self) -> None:
        for words in (("cg", "best split"), ("cg", "free:unset"), ("auto", "no kernel")):
            self.assertFalse(verdict(records(), *words).indicative)
            self.assertTrue(verdict(records(klass="W"), *words).indicative)
            self.assertTrue(verdict(records(others=0.5), *words).indicative)

    def test_failed_runs_and_warm_ups_do_not_count(self) -> None:
        data = records()
        for r in records(amp_aid_static=9.0):
            data.append({**r, "round": r["round"] + 3, "status": "wrong result"})
            data.append({**r, "round": 0})
        self.assertIs(verdict(data, "cg", "best split").met, True)
