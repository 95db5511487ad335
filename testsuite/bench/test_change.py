# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow CPU that changes: traces, thirds, verdicts on hand-made runs, one played run."""

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

from ampbench import change, config, kernels, launch, plan
from ampbench.emulation import NotPossible, Slowing
from ampbench.record import Run
from ampbench.runtimes import Runtime
from ampbench.tables import Verdict

TOP = Path(__file__).resolve().parents[2]
CPU = min(os.sched_getaffinity(0))
AT = 2.0


def trace(*pieces: tuple[float, float], begin: float = 0.1) -> change.Trace:
    """Steps of so many seconds until that time, piece after piece."""
    times = [begin]
    for until, step in pieces:
        while times[-1] + step <= until + 1e-9:
            times.append(times[-1] + step)
    return change.Trace(times)


SESSION: dict[str, Any] = {
    "type": "session", "mode": "change",
    "machine": {"cpu": "Test CPU", "cpus": 2, "kernel": "6.0", "governor": None,
                "hypervisor": None, "load": [0.1, 0.1, 0.1]},
    "pinning": {"cpus": [0, 1], "slow": [1], "how": "thread i on CPU i"},
    "libraries": {}, "lacking": {}, "ratios": [3.0], "period": "200us", "seed": 1,
    "revision": "abc",
    "scene": {"kernel": "stencil", "class": "B", "ratio": 3.0, "at": AT, "slow": [1],
              "then": [0]},
}  # fmt: skip


def run(name: str, round_: int, t: change.Trace | None, others: float = 0.0) -> dict[str, Any]:
    return {
        "type": "run", "kernel": "stencil", "class": "B", "ratio": 3.0, "config": name,
        "round": round_, "status": "ok" if t else "crashed",
        "seconds": t.end - t.begin if t else None, "wall": 5.0, "others": others,
        "report": {"loops": 1000}, "trace": change.pack(t) if t else None,
        "reached": {"1": [3.0], "0": [2.9]},
    }  # fmt: skip


# CPU 0 alone needs 4 ms a step before and 12 ms after, CPU 1 the reverse: ideal 3 ms always.
ALONE = {
    "single:0": trace((AT, 0.004), (8.0, 0.012)),
    "single:1": trace((AT, 0.012), (8.0, 0.004)),
}


def session(others: float = 0.0, **runs: change.Trace | None) -> list[dict[str, Any]]:
    out = [SESSION]
    for round_ in (1, 2, 3):
        for name, t in ALONE.items():
            out.append(run(name, round_, t, others))
        for name, one in runs.items():
            out.append(run(name.replace("_", ":", 1), round_, one, others))
    return out


def verdict(data: list[dict[str, Any]], words: str) -> Verdict:
    result = change.evaluate(data)
    assert result is not None
    found = [v for v in change.verdicts(result) if words in v.target]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} verdicts hold '{words}'")
    return found[0]


class Traces(unittest.TestCase):
    def test_file(self) -> None:
        got = change.read_trace("# start 1000.5\n0.010\n0.030\n", 1000.0)
        self.assertEqual([round(t, 6) for t in got.times], [0.5, 0.51, 0.53])
        for wrong in ("0.01\n0.02\n", "# begin 3\n", "# start x\n", "# start 1\nmuch\n"):
            with self.assertRaises(ValueError):
                change.read_trace(wrong, 0.0)

    def test_raw_form_keeps_the_microsecond(self) -> None:
        # Rounding errors of steps must not add up.
        t = change.Trace([0.2 + i * 0.0012345678 for i in range(5001)])
        back = change.unpack(json.loads(json.dumps(change.pack(t))))
        self.assertEqual(len(back.times), 5001)
        self.assertAlmostEqual(back.end, t.end, delta=2e-6)

    def test_mean_step(self) -> None:
        t = trace((1.0, 0.01), (2.0, 0.02), begin=0.0)
        self.assertAlmostEqual(t.mean_step(0.0, 1.0) or 0, 0.01)
        self.assertAlmostEqual(t.mean_step(1.0, 2.0) or 0, 0.02)
        self.assertIsNone(t.mean_step(0.0, 0.15))

    def test_thirds(self) -> None:
        t = trace((4.0, 0.01), begin=1.0)
        self.assertEqual([round(x, 3) for p in t.thirds(2.5) or () for x in p], [1, 2, 3, 4])
        # Neither holds the other side of the change.
        self.assertEqual([round(x, 3) for p in t.thirds(1.5) or () for x in p], [1, 1.5, 3, 4])
        self.assertEqual([round(x, 3) for p in t.thirds(3.5) or () for x in p], [1, 2, 3.5, 4])
        self.assertIsNone(t.thirds(4.5))
        self.assertIsNone(t.thirds(0.5))

    def test_rates(self) -> None:
        got = trace((1.0, 0.005), (2.0, 0.01), begin=0.0).rates(0.5, 0.25)
        self.assertEqual([round(m, 3) for m, _ in got][:2], [0.625, 0.875])
        self.assertEqual([round(r / 10) for _, r in got[:4]], [20, 20, 10, 10])

    def test_settled(self) -> None:
        t = trace((AT, 0.003), (2.4, 0.009), (5.0, 0.003))
        self.assertAlmostEqual(t.settled(AT, 0.003) or 0, 0.4, delta=0.06)
        self.assertAlmostEqual(trace((5.0, 0.003)).settled(AT, 0.003) or 0, 0.0, delta=0.06)
        self.assertIsNone(trace((5.0, 0.003)).settled(AT, 0.001))


class Scenes(unittest.TestCase):
    def test_arguments(self) -> None:
        scene = change.Scene("B", 3.0, 2.25, (1,), (0,))
        self.assertEqual(scene.arguments(), ["--slow", "1=3", "--change-at", "2.250:0=3"])

    def test_which_cpus_are_slow_then(self) -> None:
        self.assertEqual(change.other_cpus([0], [1]), (0,))
        self.assertEqual(change.other_cpus([0, 1, 2], [3]), (0,))
        self.assertEqual(change.other_cpus([0], [1, 2]), (0, 1))

    def test_the_change_comes_in_the_middle_of_an_ideal_run(self) -> None:
        # Two CPUs take 3 s: 6 s of work; with one at a third they take 4.5 s.
        self.assertAlmostEqual(change.half_of_ideal(3.0, 1, 1, 3.0), 2.25)

    def test_the_cpus_alone_are_always_run(self) -> None:
        names = [c.name for c in change.default_configs([0, 1], ["amp:unset"])]
        self.assertEqual(names, ["amp:unset", "single:0", "single:1"])
        with self.assertRaises(ValueError):
            change.default_configs([0, 1], ["nonsense"])


class Verdicts(unittest.TestCase):
    good = trace((AT, 0.0031), (5.0, 0.0032))

    def test_ideal_and_efficiency(self) -> None:
        result = change.evaluate(session(amp_unset=self.good))
        assert result is not None and result.ideal_rate is not None
        line = result.line("amp:unset")
        assert line is not None and line.efficiency is not None
        self.assertAlmostEqual(result.ideal_rate[0], 1 / 0.003, delta=1)
        self.assertAlmostEqual(line.efficiency[0].value, 30 / 31, places=2)
        self.assertAlmostEqual(line.efficiency[1].value, 30 / 32, places=2)

    def test_follows(self) -> None:
        v = verdict(session(amp_unset=self.good), "amp:unset follows")
        self.assertIs(v.met, True)
        self.assertFalse(v.indicative)
        self.assertTrue(verdict(session(0.5, amp_unset=self.good), "amp:unset follows").indicative)

    def test_does_not_follow(self) -> None:
        data = session(amp_unset=trace((AT, 0.0031), (5.0, 0.0033)))
        self.assertIs(verdict(data, "amp:unset follows").met, False)

    def test_each_phase_against_its_own_ideal(self) -> None:
        # After the change both CPUs are at twice the pace, and so must the run be.
        fast = {
            "single:0": trace((AT, 0.004), (8.0, 0.006)),
            "single:1": trace((AT, 0.012), (8.0, 0.002)),
        }
        for step, met in ((0.00155, True), (0.0031, False)):
            data = [r for r in session(amp_unset=trace((AT, 0.0031), (5.0, step)))
                    if not str(r.get("config")).startswith("single:")]  # fmt: skip
            data += [run(c, r, t) for r in (1, 2, 3) for c, t in fast.items()]
            self.assertIs(verdict(data, "amp:unset follows").met, met)

    def test_not_measured(self) -> None:
        ended = trace((AT - 0.1, 0.003))
        data = session(amp_unset=ended)
        self.assertIsNone(verdict(data, "amp:unset follows").met)
        result = change.evaluate(data)
        assert result is not None
        self.assertIn("3 ended before the change", change.format_result(result))
        self.assertIsNone(verdict(session(amp_unset=None), "amp:unset follows").met)
        data = [r for r in session(amp_unset=self.good) if r.get("config") != "single:1"]
        self.assertIsNone(verdict(data, "amp:unset follows").met)

    def test_stock_has_no_verdict(self) -> None:
        result = change.evaluate(session(stock_static=self.good, amp_unset=self.good))
        assert result is not None
        self.assertFalse([v for v in change.verdicts(result) if "stock" in v.target])

    def test_without_pinning(self) -> None:
        for end, met in ((4.9, True), (5.3, False)):
            data = session(amp_unset=self.good, free_unset=trace((end, 0.0031)))
            self.assertIs(verdict(data, "without pinning").met, met)
        self.assertIsNone(verdict(session(amp_unset=self.good), "without pinning").met)

    def test_report(self) -> None:
        text = change.full_report(session(amp_unset=self.good, stock_static=None))
        for words in ("until 2.00 s", "CPU 0 reached 2.90", "FAILED x3", "targets:", "3000.0 us a step"):
            self.assertIn(words, text)
        self.assertIn("no measured runs", change.full_report([SESSION]))


# Plays amp-emulate: says on what terms, and runs what follows `--`.
EMULATOR = """#!/bin/sh
here=${0%/*}
echo "$@" >"$here/arguments"
[ ! -e "$here/refuse" ] || { echo "not allowed" >&2; exit 2; }
while [ "$1" != -- ]; do
  [ "$1" != --json ] || echo '{"phases":[{"cpus":[{"cpu":1,"reached_before":{"median":3.1}}]}]}' >"$2"
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


class Played(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        build = Path(folder.name)
        self.bin = build / "stage" / "bin"
        self.program = build / "bench" / "amp"
        for path in (self.bin, self.program):
            path.mkdir(parents=True)
        library = build / "libgomp.so.1"
        library.touch()
        programs = {self.bin / "amp-emulate": EMULATOR, self.program / "stencil": PROGRAM}
        for path, text in programs.items():
            path.write_text(text)
            path.chmod(0o755)
        (self.program / "report").write_text(
            json.dumps({"seconds": 1.0, "verified": True, "threads": 1, "loops": 2,
                        "runtime": str(library), "cpus": [CPU]}) + "\n"
        )  # fmt: skip
        runtime = Runtime("any", library.resolve(), None)
        self.setup_ = launch.Launcher(
            build, {"gomp": runtime, "amp": runtime}, [CPU], [], Slowing("1ms"), 10.0
        )
        self.kernel = kernels.load()["stencil"]
        self.scene = change.Scene("B", 3.0, 0.5, (1,), (0,))

    def job(self, *configs: str) -> change.Job:
        chosen = [config.parse(c) for c in configs]
        return change.Job(self.setup_, self.scene, self.kernel, chosen)

    def execute(self, name: str = "amp:unset") -> Run:
        return self.job().run(config.parse(name))

    def told(self) -> str:
        return (self.program / "types").read_text().strip()

    def test_good(self) -> None:
        record = self.execute()
        self.assertEqual((record.status, record.seconds), ("ok", 1.0))
        self.assertEqual(record.more["trace"]["steps_us"], [500000, 500000])
        # The trace counts from when amp-emulate started the program.
        self.assertLess(abs(record.more["trace"]["begin"]), 5.0)
        self.assertEqual(record.more["reached"], {1: [3.1]})
        arguments = (self.bin / "arguments").read_text()
        self.assertIn("--slow 1=3 --change-at 0.500:0=3 --period 1ms --method thief", arguments)

    def test_types(self) -> None:
        self.execute("amp:unset")
        self.assertEqual(self.told(), "0:1")
        self.execute("blind:unset")
        self.assertEqual(self.told(), "none")

    def test_without_a_trace_it_does_not_count(self) -> None:
        (self.program / "mute").touch()
        self.assertEqual(self.execute().status, "no trace")

    def test_no_emulation(self) -> None:
        (self.bin / "refuse").touch()
        with self.assertRaisesRegex(NotPossible, "not allowed"):
            self.execute()

    def test_what_is_known_is_not_run_again(self) -> None:
        out: list[Run] = []
        first = Run("amp:unset", 1, kernel="stencil", klass="B", ratio=3.0)
        job = self.job("amp:unset", "blind:unset")
        plan.Plan([job], 2, 1, out.append, [first], 60.0, warm=False, patient=True,
                  quiet=True).run()  # fmt: skip
        self.assertEqual(
            sorted((r.config, r.round) for r in out),
            [("amp:unset", 2), ("blind:unset", 1), ("blind:unset", 2)],
        )
