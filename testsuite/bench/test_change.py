# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow CPU that changes: traces, thirds, verdicts on hand-made runs, one played run."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from ampbench import change, config, kernels, launch, plan
from ampbench.emulation import NotPossible, Slowing
from ampbench.record import Run
from ampbench.runtimes import Runtime
from ampbench.tables import Verdict
from made import SESSION, cases, executable
from made import run as run_of
from pytest import approx

CPU = min(os.sched_getaffinity(0))
AT = 2.0
Records = list[dict[str, Any]]


def trace(*pieces: tuple[float, float], begin: float = 0.1) -> change.Trace:
    """Steps of so many seconds until that time, piece after piece."""
    times = [begin]
    for until, step in pieces:
        while times[-1] + step <= until + 1e-9:
            times.append(times[-1] + step)
    return change.Trace(times)


HEAD = SESSION | {
    "mode": "change", "libraries": {}, "lacking": {},
    "scene": {"kernel": "stencil", "class": "B", "ratio": 3.0, "at": AT, "slow": [1],
              "then": [0]},
}  # fmt: skip


def run(name: str, round_: int, t: change.Trace | None, others: float = 0.0) -> dict[str, Any]:
    return run_of(
        name, round_, t.end - t.begin if t else None, "B", kernel="stencil", wall=5.0,
        others=others, status="ok" if t else "crashed", trace=change.pack(t) if t else None,
        reached={"1": [3.0], "0": [2.9]},
    )  # fmt: skip


# CPU 0 alone needs 4 ms a step before and 12 ms after, CPU 1 the reverse: ideal 3 ms always.
ALONE = {
    "single:0": trace((AT, 0.004), (8.0, 0.012)), "single:1": trace((AT, 0.012), (8.0, 0.004))
}  # fmt: skip
GOOD = trace((AT, 0.0031), (5.0, 0.0032))


def session(
    others: float = 0.0, alone: dict[str, change.Trace] = ALONE, **runs: change.Trace | None
) -> Records:
    """Of each thing three rounds; _ in the names of RUNS stands for :."""
    traces = alone | {name.replace("_", ":", 1): t for name, t in runs.items()}
    return [HEAD] + [run(c, r, t, others) for r in (1, 2, 3) for c, t in traces.items()]


def verdict(data: Records, words: str) -> Verdict:
    (found,) = (v for v in change.verdicts(change.evaluate(data)) if words in v.target)
    return found


def test_file() -> None:
    got = change.read_trace("# start 1000.5\n0.010\n0.030\n", 1000.0)
    assert got.times == approx([0.5, 0.51, 0.53])


@cases("text", ["0.01\n0.02\n", "# begin 3\n", "# start x\n", "# start 1\nmuch\n"])
def test_no_file(text: str) -> None:
    with pytest.raises(ValueError):
        change.read_trace(text, 0.0)


def test_raw_form_keeps_the_microsecond() -> None:
    # Rounding errors of steps must not add up.
    t = change.Trace([0.2 + i * 0.0012345678 for i in range(5001)])
    back = change.unpack(json.loads(json.dumps(change.pack(t))))
    assert len(back.times) == 5001
    assert back.end == approx(t.end, abs=2e-6)


@cases("low, high, step", [(0.0, 1.0, 0.01), (1.0, 2.0, 0.02), (0.0, 0.15, None)])
def test_mean_step(low: float, high: float, step: float | None) -> None:
    found = trace((1.0, 0.01), (2.0, 0.02), begin=0.0).mean_step(low, high)
    assert found == (step and approx(step))


@cases("at, ends", [
    (2.5, [1, 2, 3, 4]),
    # Neither holds the other side of the change.
    (1.5, [1, 1.5, 3, 4]), (3.5, [1, 2, 3.5, 4]),
    (4.5, []), (0.5, []),
])  # fmt: skip
def test_thirds(at: float, ends: list[float]) -> None:
    found = trace((4.0, 0.01), begin=1.0).thirds(at)
    assert [x for part in found or () for x in part] == approx(ends)


def test_rates() -> None:
    got = trace((1.0, 0.005), (2.0, 0.01), begin=0.0).rates(0.5, 0.25)
    assert [m for m, _ in got][:2] == approx([0.625, 0.875])
    assert [round(r / 10) for _, r in got[:4]] == [20, 20, 10, 10]


@cases("pieces, step, expected", [
    (((AT, 0.003), (2.4, 0.009), (5.0, 0.003)), 0.003, 0.4), (((5.0, 0.003),), 0.003, 0.0),
    (((5.0, 0.003),), 0.001, None),
])  # fmt: skip
def test_settled(pieces: Any, step: float, expected: float | None) -> None:
    found = trace(*pieces).settled(AT, step)
    assert found == (None if expected is None else approx(expected, abs=0.06))


def test_arguments() -> None:
    scene = change.Scene("B", 3.0, 2.25, (1,), (0,))
    assert scene.arguments() == ["--slow", "1=3", "--change-at", "2.250:0=3"]


@cases("fast, slow, then", [([0], [1], (0,)), ([0, 1, 2], [3], (0,)), ([0], [1, 2], (0, 1))])
def test_which_cpus_are_slow_then(fast: list[int], slow: list[int], then: tuple[int]) -> None:
    assert change.other_cpus(fast, slow) == then


def test_the_change_comes_in_the_middle_of_an_ideal_run() -> None:
    # Two CPUs take 3 s: 6 s of work; with one at a third they take 4.5 s.
    assert change.half_of_ideal(3.0, 1, 1, 3.0) == approx(2.25)


def test_the_cpus_alone_are_always_run() -> None:
    names = [c.name for c in change.default_configs([0, 1], ["amp:unset"])]
    assert names == ["amp:unset", "single:0", "single:1"]
    with pytest.raises(ValueError):
        change.default_configs([0, 1], ["nonsense"])


def test_ideal_and_efficiency() -> None:
    result = change.evaluate(session(amp_unset=GOOD))
    assert result.ideal_rate[0] == approx(1 / 0.003, abs=1)
    shares = [e.value for e in result.line("amp:unset").efficiency]
    assert shares == approx([30 / 31, 30 / 32], abs=0.005)


FOLLOWS, PINNING = "amp:unset follows", "without pinning"
# After the change both CPUs are at twice the pace, and so must the run be.
FAST = {
    "single:0": trace((AT, 0.004), (8.0, 0.006)), "single:1": trace((AT, 0.012), (8.0, 0.002))
}  # fmt: skip


@cases("data, words, met", [
    (session(amp_unset=GOOD), FOLLOWS, True),
    (session(amp_unset=trace((AT, 0.0031), (5.0, 0.0033))), FOLLOWS, False),
    (session(alone=FAST, amp_unset=trace((AT, 0.0031), (5.0, 0.00155))), FOLLOWS, True),
    (session(alone=FAST, amp_unset=trace((AT, 0.0031), (5.0, 0.0031))), FOLLOWS, False),
    (session(amp_unset=trace((AT - 0.1, 0.003))), FOLLOWS, None),
    (session(amp_unset=None), FOLLOWS, None),
    (session(alone={"single:0": ALONE["single:0"]}, amp_unset=GOOD), FOLLOWS, None),
    (session(amp_unset=GOOD, free_unset=trace((4.9, 0.0031))), PINNING, True),
    (session(amp_unset=GOOD, free_unset=trace((5.3, 0.0031))), PINNING, False),
    (session(amp_unset=GOOD), PINNING, None),
])  # fmt: skip
def test_verdicts(data: Records, words: str, met: bool | None) -> None:
    assert verdict(data, words).met is met


def test_noise_is_indicative_only() -> None:
    assert not verdict(session(amp_unset=GOOD), FOLLOWS).indicative
    assert verdict(session(0.5, amp_unset=GOOD), FOLLOWS).indicative


def test_stock_has_no_verdict() -> None:
    result = change.evaluate(session(stock_static=GOOD, amp_unset=GOOD))
    assert not [v for v in change.verdicts(result) if "stock" in v.target]


@cases("data, words", [
    (session(amp_unset=GOOD, stock_static=None),
     ("until 2.00 s", "CPU 0 reached 2.90", "FAILED x3", "targets:", "3000.0 us a step")),
    (session(amp_unset=trace((AT - 0.1, 0.003))), ("3 ended before the change",)),
    ([HEAD], ("no measured runs",)),
])  # fmt: skip
def test_report(data: Records, words: tuple[str, ...]) -> None:
    text = change.full_report(data)
    assert [w for w in words if w not in text] == []


# Plays amp-emulate: says on what terms, and runs what follows `--`.
EMULATOR = """#!/bin/sh
here=${0%/*}
echo "$@" >"$here/arguments"
[ ! -e "$here/refuse" ] || { echo "not allowed" >&2; exit 2; }
said='{"phases":[{"cpus":[{"cpu":1,"reached_before":{"median":3.1}}]}]}'
while [ "$1" != -- ]; do
  [ "$1" != --json ] || echo "$said" >"$2"
  shift
done
shift
GOMP_AMP_TYPES=0:1
export GOMP_AMP_TYPES
exec "$@"
"""
# Plays the stencil: two steps, and what it was told of the types.
PROGRAM = """#!/bin/sh
here=${0%/*}
[ "$2" = --trace ] || exit 3
now=$(cut -d' ' -f1 /proc/uptime)
echo "${GOMP_AMP_TYPES-none}" >"$here/types"
[ -e "$here/mute" ] || printf '# start %s\\n0.5\\n1.0\\n' "$now" >"$3"
cat "$here/report"
"""


class TestPlayed:
    @pytest.fixture(autouse=True)
    def build(self, tmp_path: Path) -> None:
        self.bin, self.program = tmp_path / "stage" / "bin", tmp_path / "bench" / "amp"
        executable(self.bin / "amp-emulate", EMULATOR)
        executable(self.program / "stencil", PROGRAM)
        library = tmp_path / "libgomp.so.1"
        library.touch()
        report = {"seconds": 1.0, "verified": True, "threads": 1, "loops": 2,
                  "runtime": str(library), "cpus": [CPU]}  # fmt: skip
        (self.program / "report").write_text(json.dumps(report) + "\n")
        runtime = Runtime("any", library.resolve(), None)
        self.launcher = launch.Launcher(
            tmp_path, {"gomp": runtime, "amp": runtime}, [CPU], [], Slowing("1ms"), 10.0
        )

    def job(self, *configs: str) -> change.Job:
        scene = change.Scene("B", 3.0, 0.5, (1,), (0,))
        chosen = [config.parse(c) for c in configs]
        return change.Job(self.launcher, scene, kernels.load()["stencil"], chosen)

    def execute(self, name: str = "amp:unset") -> Run:
        return self.job().run(config.parse(name))

    def test_good(self) -> None:
        record = self.execute()
        assert (record.status, record.seconds) == ("ok", 1.0)
        assert record.more["trace"]["steps_us"] == [500000, 500000]
        # The trace counts from when amp-emulate started the program.
        assert abs(record.more["trace"]["begin"]) < 5.0
        assert record.more["reached"] == {1: [3.1]}
        wanted = "--slow 1=3 --change-at 0.500:0=3 --period 1ms --method thief"
        assert wanted in (self.bin / "arguments").read_text()

    @cases("name, types", [("amp:unset", "0:1\n"), ("blind:unset", "none\n")])
    def test_types(self, name: str, types: str) -> None:
        self.execute(name)
        assert (self.program / "types").read_text() == types

    def test_without_a_trace_it_does_not_count(self) -> None:
        (self.program / "mute").touch()
        assert self.execute().status == "no trace"

    def test_no_emulation(self) -> None:
        (self.bin / "refuse").touch()
        with pytest.raises(NotPossible, match="not allowed"):
            self.execute()

    def test_what_is_known_is_not_run_again(self) -> None:
        out: list[Run] = []
        first = Run("amp:unset", 1, kernel="stencil", klass="B", ratio=3.0)
        job = self.job("amp:unset", "blind:unset")
        plan.Plan([job], 2, 1, out.append, [first], 60.0, warm=False, patient=True,
                  quiet=True).run()  # fmt: skip
        assert sorted((r.config, r.round) for r in out) == [
            ("amp:unset", 2), ("blind:unset", 1), ("blind:unset", 2)
        ]  # fmt: skip
