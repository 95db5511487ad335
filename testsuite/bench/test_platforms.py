# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bench report: numbers by hand, CSV, the page, plots, traces."""

import csv
import json
import re
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from ampbench import results, traces
from ampbench.results import Platform, platforms
from made import report, runs, save, session

CONFIGS = ["static@sb", "static@bs", "dynamic,1@bs", "aid_static@bs", "aid_hybrid,80@bs",
           "aid_dynamic,1,5@bs"]  # fmt: skip


def sample() -> list[dict[str, Any]]:
    """Two programs.  Round 0, the warm-up, is far off; one run of b is bad."""
    out = [session(CONFIGS)]
    seconds = {
        "a": {"static@sb": 8, "static@bs": 6, "dynamic,1@bs": 12, "aid_static@bs": 4,
              "aid_hybrid,80@bs": 5, "aid_dynamic,1,5@bs": 6},
        "b": {"static@sb": 9, "static@bs": 10, "dynamic,1@bs": 5, "aid_static@bs": 8,
              "aid_hybrid,80@bs": 6, "aid_dynamic,1,5@bs": 5.5},
    }  # fmt: skip
    for program, by_config in seconds.items():
        for config, s in by_config.items():
            # Rounds of one half and double: their geometric mean is s.
            out += runs(program, config, [100 * s, s / 2, 2 * s])
    bad = runs("b", "aid_static@bs", [0] * 4)[3] | {
        "status": "timeout", "seconds": 1e6, "wall": 1e6, "why": "killed after 1000000 s",
    }  # fmt: skip
    return [*out, bad, *runs("b", "static@sb", [0] * 3 + [1e-3])[3:]]


def energetic() -> list[dict[str, Any]]:
    rapl = {"group": "rapl", "meters": ["package-0"], "unreadable": []}
    out = [session(["static@sb", "aid_static@bs"], energy=rapl)]
    out += runs("a", "static@sb", [8, 8, 8], energy=40.0, edp=320.0)
    return out + runs("a", "aid_static@bs", [4, 4, 4], energy=30.0, edp=120.0)


def chrome(chunks: list[tuple[int, float, float, str, str, int, int]]) -> dict[str, Any]:
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": t, "args": {"name": f"lane {t}"}}
        for t in sorted({c[0] for c in chunks})
    ]
    for tid, begin, end, phase, site, first, count in chunks:
        events.append({"ph": "X", "name": phase, "pid": 1, "tid": tid, "ts": begin,
                       "dur": end - begin, "args": {"site": site, "first": first,
                                                    "count": count}})  # fmt: skip
    return {"traceEvents": events}


CHUNKS = [
    (0, 1000.0, 1010.0, "sampling", "x+1", 0, 1), (1, 1000.0, 1030.0, "sampling", "x+1", 1, 1),
    (0, 1010.0, 1090.0, "aid", "x+1", 2, 8), (1, 1030.0, 1100.0, "aid", "x+1", 10, 2),
    (1, 1200.0, 1215.0, "chunk", "x+2", 0, 1), (0, 1201.0, 1211.0, "chunk", "x+2", 1, 1),
    (0, 1300.0, 1550.0, "aid", "x+1", 0, 10), (1, 1300.0, 1560.0, "aid", "x+1", 10, 2),
]  # fmt: skip


def one(lines: list[dict[str, Any]], **more: Any) -> Platform:
    (platform,) = platforms(lines, "p", **more)
    return platform


class Page(HTMLParser):
    """Well-formed as far as elements go, and nothing from elsewhere."""

    VOID = ("meta", "img", "br", "wbr", "link")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.images: list[str] = []
        self.foreign: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith(("data:", "#")):
                self.foreign.append(value or "")
            if name == "src":
                self.images.append(value or "")
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.links.append((value or "").removeprefix("#"))
        if tag in ("script", "link", "iframe"):
            self.foreign.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Numbers(unittest.TestCase):
    def test_performance(self) -> None:
        p = one(sample())
        self.assertEqual(p.baseline, "static@sb")
        rows = {r[0]: r[1:] for r in results.performance_rows(p)}
        self.assertEqual(rows["made/a"], ["1.000", "1.333", "0.667", "2.000", "1.600", "1.333"])
        # The round that went wrong under aid_static counts for the others only.
        self.assertEqual(rows["made/b"], ["1.000", "0.900", "1.800", "1.125*", "1.500", "1.636"])
        self.assertEqual(rows["mean of 2"][3], "1.562")
        self.assertEqual(rows["gmean of 2"][3], "1.500")

    def test_rounds_are_paired(self) -> None:
        """Geometric mean of the ratios 4 and 1, with their range; the third has no partner."""
        lines = [session(["static@sb", "static@bs"]), *runs("a", "static@sb", [9, 4, 4]),
                 *runs("a", "static@bs", [9, 1, 4, 1000])]  # fmt: skip
        p = one(lines)
        found = p.performance(p.programs[0], "static@bs")
        assert found is not None
        self.assertEqual((round(found.value, 9), found.low, found.high, found.n), (2, 1, 4, 2))

    def test_programs_without_all_are_in_no_mean(self) -> None:
        lines = [r for r in sample() if (r.get("program"), r.get("config")) != ("b", "static@bs")]
        rows = {r[0]: r[1:] for r in results.performance_rows(one(lines))}
        self.assertEqual(rows["made/b"][1], "-")
        self.assertEqual(rows["gmean of 1"], rows["made/a"])

    def test_gains_as_in_table_2(self) -> None:
        gains = {g.what: g for g in one(sample()).gains()}
        static = gains["AID-static vs. static(BS)"]
        # 6/4 and 10/8.
        self.assertAlmostEqual(static.mean, 37.5)
        self.assertAlmostEqual(static.gmean, 100 * (1.875**0.5 - 1))
        self.assertEqual(
            (static.worst[1], static.best[1], static.programs), ("made/b", "made/a", 2)
        )
        dynamic = gains["AID-dynamic vs. dynamic(BS)"]
        self.assertAlmostEqual(dynamic.mean, 100 * ((12 / 6 + 5 / 5.5) / 2 - 1))

    def test_losses_worst_first(self) -> None:
        losses = one(sample()).losses()
        self.assertEqual([x.program for x in losses], ["made/b", "made/a"])
        self.assertEqual((losses[0].aid, losses[0].stock), ("aid_dynamic,1,5@bs", "dynamic,1@bs"))
        self.assertAlmostEqual(losses[0].ratio.value, 5 / 5.5)
        self.assertAlmostEqual(losses[1].ratio.value, 6 / 4)
        rows = results.loss_rows(one(sample()))
        self.assertEqual([r[-1] for r in rows], ["", "LOSS", ""])

    def test_bad_runs_are_named(self) -> None:
        (bad,) = one(sample()).bad()
        self.assertEqual(bad[:3], ("made/b", "aid_static@bs", {"timeout": 1}))
        self.assertIn("killed after", results.report(one(sample())))

    def test_baseline(self) -> None:
        self.assertEqual(one(sample(), baseline="static@bs").baseline, "static@bs")
        self.assertIsNone(one(sample(), baseline="guided@bs").baseline)

    def test_own_time(self) -> None:
        lines = [session(["static@sb", "static@bs"]), *runs("a", "static@sb", [9, 9], own=4.0),
                 *runs("a", "static@bs", [9, 9], own=2.0)]  # fmt: skip
        for own, expected in ((False, 1.0), (True, 2.0)):
            p = one(lines, own=own)
            found = p.performance(p.programs[0], "static@bs")
            self.assertEqual(found and found.value, expected)
        # Printed with too few digits, a time says nothing.
        (bad,) = one([*lines, *runs("b", "static@sb", [9, 9], own=0.0)], own=True).bad()
        self.assertEqual(bad[2], {"no time": 1})

    def test_energy(self) -> None:
        p = one(energetic())
        tables = {name: rows for name, _, rows in results.tables(p)}
        self.assertEqual(tables["joules"][1], ["made/a", "40", "30"])
        self.assertEqual(tables["energy"][1], ["made/a", "1.000", "0.750"])
        self.assertEqual(tables["edp"][1], ["made/a", "1.000", "0.375"])
        self.assertEqual(tables["edp"][2], ["gmean of 1", "1.000", "0.375"])
        self.assertNotIn("energy", {name for name, _, _ in results.tables(one(sample()))})

    def test_sweeps(self) -> None:
        lines = [session(["static@sb", "dynamic,1@bs", "dynamic,10@bs", "aid_dynamic,1,5@bs",
                          "aid_dynamic,1,20@bs", "aid_dynamic,2,20@bs"])]  # fmt: skip
        for i, config in enumerate(lines[0]["configs"]):
            lines += runs("a", config, [9, 1 + i])
        p = one(lines)
        self.assertEqual(p.sweep("dynamic"), [(1, "dynamic,1@bs"), (10, "dynamic,10@bs")])
        self.assertEqual([v for v, _ in p.sweep("aid_dynamic")], [5, 20])
        self.assertEqual(p.sweep("aid_hybrid"), [])
        self.assertEqual(results.sweep_rows(p, "dynamic")[1], ["made/a", "0.500", "0.333", "1"])
        # The main table shows the defaults, and what is in no sweep.
        self.assertEqual(p.main_configs(), ["static@sb", "dynamic,1@bs", "aid_dynamic,1,5@bs",
                                            "aid_dynamic,2,20@bs"])  # fmt: skip

    def test_cautions(self) -> None:
        lines = [
            session(["static@sb"]),
            *runs("a", "static@sb", [1, 1], hottest=81.0, types="4-7:0-3"),
        ]
        said = "\n".join(one(lines).conditions())
        self.assertIn("highest 81 C", said)
        self.assertNotIn("CAUTION", said)
        self.assertNotIn("NOISY", said)
        for more, word in (
            ({"governor": "ondemand"}, "another governor"),
            ({"throttled": True}, "because of heat in 1 runs"),
            ({"others": 0.5}, "NOISY"),
            ({"types": "0,1"}, "one type of core"),
        ):
            lines = [session(["static@sb"]), *runs("a", "static@sb", [1, 1], **more)]
            self.assertIn(word, "\n".join(one(lines).conditions()))

    def test_raw_files_of_bench(self) -> None:
        lines: list[dict[str, Any]] = [session([]) | {"configs": None, "mode": "comparison"}]
        for ratio in (1.0, 3.0):
            for config, s in (("amp:aid_static", 2 / ratio), ("stock:static", 2), ("single:0", 9)):
                for r in runs("", config, [9, s]):
                    lines.append(r | {"kernel": "cg", "class": "S", "ratio": ratio})
        equal, emulated = platforms(lines, "p")
        self.assertEqual((equal.title, emulated.title),
                         ("p: equal cores", "p: emulated AMP, ratio 3"))  # fmt: skip
        self.assertEqual(emulated.configs, ["stock:static", "amp:aid_static"])
        self.assertEqual(emulated.baseline, "stock:static")
        self.assertAlmostEqual(emulated.gains()[0].gmean, 200)


class Traces(unittest.TestCase):
    def test_executions(self) -> None:
        trace = traces.parse(chrome(CHUNKS))
        self.assertEqual(trace.threads, [0, 1])
        self.assertEqual(trace.names[1], "lane 1")
        self.assertEqual(trace.executions("x+1"), [(0, 100), (300, 560)])
        # Of two the longer one; of the other loop none.
        self.assertEqual(trace.typical_execution(), ("x+1", 300, 560))
        view = trace.window(300, 560)
        self.assertEqual([(c.thread, c.begin, c.end) for c in view.chunks],
                         [(0, 0, 250), (1, 0, 260)])  # fmt: skip

    def test_numbered_executions(self) -> None:
        """The second begins on one thread before the first has ended on the other."""
        raw = chrome([(0, 0.0, 10.0, "chunk", "x", 0, 5), (1, 0.0, 14.0, "chunk", "x", 5, 5),
                      (0, 12.0, 20.0, "chunk", "x", 0, 10)])  # fmt: skip
        self.assertEqual(traces.parse(raw).executions("x"), [(0, 20)])
        for event, loop in zip(raw["traceEvents"][-3:], (7, 7, 8), strict=True):
            event["args"] |= {"loop": loop, "type": event["tid"]}
        trace = traces.parse(raw)
        self.assertEqual(trace.executions("x"), [(0, 14), (12, 20)])
        self.assertEqual(trace.thread_name(1), "lane 1, type 1")
        self.assertEqual(trace.window(12, 20).chunks[0].loop, 8)
        longer = (0, 30.0, 99.0, "chunk", "x", 0, 10)
        raw["traceEvents"] += chrome([longer])["traceEvents"]
        self.assertEqual(traces.parse(raw).typical_execution(), ("x", 0, 14))

    def test_shares(self) -> None:
        shares = {s[0]: s[1:] for s in traces.parse(chrome(CHUNKS)).shares()}
        self.assertEqual(shares[0][:2], (4, 20))
        self.assertEqual(shares[0][2], {"sampling": 10, "aid": 330, "chunk": 10})
        self.assertAlmostEqual(shares[1][3], (30 + 70 + 15 + 260) / 560)

    def test_neighbours_become_one_bar(self) -> None:
        mine = [c for c in traces.parse(chrome(CHUNKS)).chunks if c.thread == 0]
        self.assertEqual(traces.bars(mine, 1.0)["aid"], [(10, 80), (300, 250)])
        dense = [traces.Chunk(0, float(i), i + 0.9, "tail", "x", i, 1) for i in range(50)]
        self.assertEqual(traces.bars(dense, 0.2), {"tail": [(0, 49.9)]})
        self.assertEqual(len(traces.bars(dense, 0.05)["tail"]), 50)

    def test_unusable(self) -> None:
        for raw in (7, {}, [], [{"ph": "X", "name": "aid", "ts": 1}], [7], {"traceEvents": 3}):
            with self.assertRaises(traces.Unusable, msg=raw):
                traces.parse(raw)


class Command(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.raw = save(self.folder / "raw.jsonl", sample())

    def page(self, *arguments: object) -> tuple[Page, str]:
        file = self.folder / "page.html"
        done = report(*arguments, "--quiet", "--html", file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.without_plots = "no plots" in done.stderr
        page = Page()
        text_ = file.read_text()
        page.feed(text_)
        self.assertEqual((page.wrong, page.open, page.foreign), ([], [], []))
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLessEqual(set(page.links), set(page.ids))
        return page, text_

    def test_text_and_csv(self) -> None:
        file = self.folder / "out" / "x.csv"
        done = report(self.raw, "--csv", file, "--name", "Board A")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("Board A\n"))
        with file.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual(len(rows), 2 * len(CONFIGS))
        (row,) = [r for r in rows if (r["program"], r["config"]) == ("b", "aid_static@bs")]
        self.assertEqual((row["platform"], row["n"], row["bad"]), ("Board A", "2", "timeout:1"))
        self.assertAlmostEqual(float(row["performance"]), 9 / 8)
        self.assertAlmostEqual(float(row["seconds_gmean"]), 8)
        self.assertEqual(row["joules_gmean"], "")

    def test_page(self) -> None:
        trace = self.folder / "ep.json"
        trace.write_text(json.dumps(chrome(CHUNKS)))
        board = save(self.folder / "b.jsonl", energetic())
        page, text_ = self.page(
            self.raw, board, "--trace", f"{trace}=EP <here>", "--title", "A & B"
        )
        for words in ("A &amp; B", "EP &lt;here&gt;", "LOSS", "killed after 1000000 s", "1.125*",
                      "CAUTION" if self.without_plots else "figures 6 and 7"):  # fmt: skip
            if words != "CAUTION":
                self.assertIn(words, text_)
        if self.without_plots:
            self.assertEqual(page.images, [])
            self.skipTest("no Python here has matplotlib")
        # Of the first platform one, of the second with energy three, and the trace.
        self.assertEqual(len(page.images), 1 + 3 + 1)
        self.assertTrue(all(i.startswith("data:image/svg+xml;base64,") for i in page.images))

    def test_plots(self) -> None:
        lines = sample()
        lines[0]["configs"] = [*CONFIGS, "dynamic,8@bs", "aid_hybrid,60@bs", "aid_static+sf@bs"]
        for config in lines[0]["configs"][-3:]:
            lines += runs("a", config, [9, 4, 4])
        lines.append({"type": "sf", "suite": "made", "program": "a", "file": "x",
                      "loops": {"program+0x1": [2.5, 1.0]}})  # fmt: skip
        plots = self.folder / "plots"
        done = report(save(self.raw, lines), "--quiet", "--plots", plots, "--format", "png")
        self.assertEqual(done.returncode, 0, done.stderr)
        if "no plots" in done.stderr:
            self.skipTest("no Python here has matplotlib")
        self.assertEqual(
            {p.name for p in plots.iterdir()},
            {f"{n}.png" for n in ("performance", "sweep-chunk", "sweep-percent", "offline",
                                  "factors")},
        )  # fmt: skip
        self.assertTrue(all(p.read_bytes().startswith(b"\x89PNG") for p in plots.iterdir()))

    def test_only_bad_runs(self) -> None:
        lines = [r | {"status": "crashed", "why": "killed by SIGSEGV"} if r["type"] == "run" else r
                 for r in sample()]  # fmt: skip
        _, text_ = self.page(save(self.raw, lines))
        self.assertIn("No good runs", text_)
        self.assertIsNone(re.search(r"gmean of", text_))

    def test_wrong(self) -> None:
        for arguments, says in (
            ([], "raw file"),
            ([self.folder / "none"], "none"),
            ([save(self.folder / "empty.jsonl", [])], "no runs"),
            ([self.raw, "--baseline", "guided@bs"], "static@sb"),
            ([self.raw, "--html", self.folder / "x", "--trace", self.raw], "raw.jsonl"),
            ([self.raw, "--trace", self.raw], "--trace needs"),
        ):
            done = report(*arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(says, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
