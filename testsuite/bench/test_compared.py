# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed raw data in, expected tables and verdicts out."""

import json
from pathlib import Path
from typing import Any

from ampbench import compared, record
from made import SESSION, cases, run
from pytest import approx

Records = list[dict[str, Any]]
# Ideal 3 s; static 6 s; dynamic,1 4 s; AID 3 s, 3.125 s and 6 s; LLVM 3 s.
SECONDS = {
    "single:0": 4.0, "single:1": 12.0, "stock:static": 6.0, "gomp:dynamic,1": 4.0,
    "amp:aid_static": 6.0, "amp:aid_hybrid,80": 3.0, "amp:aid_dynamic,1,5": 3.125,
    "llvm:dynamic,1": 3.0,
}  # fmt: skip


def comparison(*without: str, **changes: Any) -> Records:
    kept = {c: s for c, s in SECONDS.items() if c not in without}
    return [SESSION] + [run(c, r, s, **changes) for r in (1, 2, 3) for c, s in kept.items()]


def table(records: Records) -> compared.Table:
    (found,) = compared.tables(records)
    return found


def line(records: Records, config: str) -> compared.Line:
    return table(records).line(config)


def verdict(records: Records, words: str) -> compared.Verdict:
    all_ = compared.judge_comparison(compared.tables(records))
    (found,) = (v for v in all_ if words in v.target)
    return found


@cases("config, what, value", [
    ("stock:static", "efficiency", 0.5), ("amp:aid_hybrid,80", "efficiency", 1.0),
    ("amp:aid_dynamic,1,5", "efficiency", 0.96),
    # To the better of static and dynamic.
    ("amp:aid_static", "ratio", 1.5), ("amp:aid_hybrid,80", "ratio", 0.75),
    ("gomp:dynamic,1", "ratio", 1.0),
])  # fmt: skip
def test_numbers(config: str, what: str, value: float) -> None:
    assert getattr(line(comparison(), config), what).value == approx(value)


@cases("what, value", [
    ("best_stock", "gomp:dynamic,1"), ("best_aid", "amp:aid_hybrid,80"),
    ("best_peer", "llvm:dynamic,1"), ("best_split", None),
    ("own_ratio", 3.0), ("loop_us", approx(6000.0)),
])  # fmt: skip
def test_facts(what: str, value: object) -> None:
    assert table(comparison()).ideal.value == approx(3.0)
    assert getattr(table(comparison()), what) == value


def test_a_single_has_no_efficiency() -> None:
    single = line(comparison(), "single:0")
    assert single.efficiency is single.ratio is None


def row(records: Records, config: str) -> str:
    text = compared.format_table(table(records))
    return next(r for r in text.splitlines() if r.split()[0] == config)


def test_losses_are_marked() -> None:
    assert "LOSS" in row(comparison(), "amp:aid_static")
    hybrid = row(comparison(), "amp:aid_hybrid,80")
    assert "LOSS" not in hybrid and "best AID" in hybrid
    assert "0.500 [0.500 0.500]" in row(comparison(), "stock:static")


HYBRID = "amp:aid_hybrid,80"
BAD = [run(HYBRID, 4, 0.001, status="wrong result"), run(HYBRID, 5, None, status="timeout")]


@cases("more, failures", [
    ([run(HYBRID, 0, 99.0)], {}),  # a warm-up
    (BAD, {"wrong result": 1, "timeout": 1}),
    ([run(HYBRID, 4, None, status="skipped")], {}),
])  # fmt: skip
def test_what_does_not_count(more: Records, failures: dict[str, int]) -> None:
    found = line(comparison() + more, HYBRID)
    assert (found.seconds.value, found.seconds.n, found.failures) == (3.0, 3, failures)


def test_failures_are_shown() -> None:
    assert "FAILED: timeout x1, wrong result x1" in row(comparison() + BAD, HYBRID)
    failed = [run("llvm:guided", r, None, status="crashed") for r in (1, 2)]
    assert "FAILED: crashed x2" in row(comparison() + failed, "llvm:guided")


def test_pairs_are_of_one_round() -> None:
    # The machine is twice as slow in round 2: medians differ, paired ratios do not.
    seconds = {"single:0": 4, "single:1": 12, "stock:static": 6, "amp:aid_static": 3}
    records = [run(c, r, s * pace) for r, pace in ((1, 1.0), (2, 2.0), (3, 1.0))
               for c, s in seconds.items()]  # fmt: skip
    found = line([SESSION, *records], "amp:aid_static")
    assert (found.ratio.low, found.ratio.high) == (0.5, 0.5)
    assert (found.efficiency.low, found.efficiency.high) == approx((1.0, 1.0))


def test_classes_and_ratios_are_kept_apart() -> None:
    records = comparison() + comparison(klass="W") + comparison(ratio=1.0)
    keys = {(t.kernel, t.klass, t.ratio) for t in compared.tables(records)}
    assert keys == {("ep", "A", 3.0), ("ep", "W", 3.0), ("ep", "A", 1.0)}


@cases("without, words, met", [
    ((), "aid_hybrid,80 at least", True),
    # 0.96 is short of 0.97, and 0.5 of 0.95.
    ((), "aid_dynamic,1,5 at least", False), ((), "aid_static at least", False),
    (("amp:aid_static",), "aid_static at least", None),
    (("single:1",), "aid_hybrid,80 at least", None),  # no ideal
    ((), "best AID", True), ((HYBRID, "amp:aid_dynamic,1,5"), "best AID", False),
    ((), "parity", True), ((HYBRID,), "parity", False),
])  # fmt: skip
def test_verdicts(without: tuple[str, ...], words: str, met: bool | None) -> None:
    assert verdict(comparison(*without), words).met is met


def test_slower_ones_are_named() -> None:
    assert "slower than that: aid_static" in verdict(comparison(), "best AID").measured


def test_small_classes_and_noise_are_indicative_only() -> None:
    assert not verdict(comparison(), "parity").indicative
    assert verdict(comparison(klass="W"), "parity").indicative
    assert verdict(comparison(others=0.5), "parity").indicative
    noisy = compared.full_report(comparison(others=0.5))
    assert "NOISY: other processes took 0.50 CPUs" in noisy
    assert "NOISY" not in compared.full_report(comparison(others=0.05))


def test_short_loops_beside_the_best_split() -> None:
    extra = [run(f"split:{w}", r, s) for r in (1, 2, 3) for w, s in (("3", 2.5), ("2", 4.0))]
    (text,) = compared.compare_short_loops(compared.tables(comparison() + extra))
    assert "takes 1.20 of the best hand-weighted split (3:1)" in text


OVERHEAD = SESSION | {"mode": "overhead", "ratios": [1.0]}


def empty(config: str, round_: int, **ns: float) -> dict[str, Any]:
    loops = {name.replace("_", ","): value for name, value in ns.items()}
    report = {"loops": 1000, "ns_per_loop": loops, "ns_per_grant": 10.0}
    return run(config, round_, 1.0, "S", kernel="empty", ratio=1.0, report=report)


def overhead(above: float, ratio: float, loops: int) -> Records:
    out = [OVERHEAD]
    for r, drift in ((1, 0.0), (2, 500.0), (3, 40.0)):
        for config, ns, seconds in (("stock:static", 0.0, 1.0), ("amp:static", above, ratio)):
            out.append(empty(config, r, default_2=200.0 + ns + drift))
            out.append(run(config, r, seconds, kernel="cg", ratio=1.0, report={"loops": loops}))
    return out


def verdicts(records: Records, known_sites: bool) -> list[compared.Verdict]:
    all_ = compared.report_overhead(records)[1]
    return [v for v in all_ if ("of amp:static" in v.target) == known_sites]


@cases("plain, typed", [(1.09, 1.11), (1.11, 1.09)])
def test_known_sites(plain: float, typed: float) -> None:
    """How many times what amp:static takes these take, whatever the drift."""
    times = {"stock:static": 0.9, "amp:static": 1.0, "amp:aid_static": plain,
             "typed:aid_static": typed}  # fmt: skip
    records = [
        # What other trip counts cost does not count.
        empty(c, r, default_2=200 * t * pace, default_1000=1.0 if c == "amp:static" else 1e6)
        for r, pace in ((1, 1.0), (2, 3.0), (3, 1.2)) for c, t in times.items()
    ]  # fmt: skip
    met = {v.target.split()[3]: v.met for v in verdicts([OVERHEAD, *records], True)}
    assert met == {"amp:aid_static": plain < 1.1, "typed:aid_static": typed < 1.1}


def test_known_sites_not_measured() -> None:
    assert [v.met for v in verdicts(overhead(1.0, 1.0, 1000), True)] == [None, None]


@cases("arguments, met, texts", [
    ((149.0, 1.02, 1000), [True, True], ["+149.0 ns [+149.0 +149.0]", "1.020"]),
    ((151.0, 1.04, 1000), [False, False], ["", ""]),
    ((0.0, 1.5, 200000), [True, None], ["", "below 10 us"]),
])  # fmt: skip
def test_overhead(arguments: Any, met: list[bool | None], texts: list[str]) -> None:
    found = verdicts(overhead(*arguments), False)
    assert [v.met for v in found] == met
    assert all(text in v.measured for v, text in zip(found, texts, strict=True))


@cases("records, words", [
    (overhead(10.0, 1.0, 1000), ("empty loop", "targets:")),
    ([SESSION], ("no measured runs",)),
    (comparison(), ("Test CPU", "seed 1", "abababab", "not measured: Intel libiomp5")),
])  # fmt: skip
def test_report(records: Records, words: tuple[str, ...]) -> None:
    text = compared.full_report(records)
    assert [w for w in words if w not in text] == []


def test_a_torn_line_is_left_out_and_what_follows_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_text(json.dumps(run("stock:static", 1, 6.0)) + "\n" + '{"type":"run","ker')
    with record.RawFile(path) as out:
        out.write(run("stock:static", 2, 7.0))
    assert [r["seconds"] for r in record.load(path)] == [6.0, 7.0]
