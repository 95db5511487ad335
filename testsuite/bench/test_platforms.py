# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/bench report: numbers by hand, CSV, the page, plots, traces."""

import csv
import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from ampbench import plots, results, traces
from ampbench.results import Platform, platforms
from made import cases, report, runs, save, session
from pytest import approx

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

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: dict[str, list[str]] = {"src": [], "href": [], "id": []}
        self.feed(text)
        assert self.open == []
        urls = self.found["src"] + self.found["href"]
        assert all(u.startswith(("data:", "#")) for u in urls)
        ids = self.found["id"]
        assert len(ids) == len(set(ids))
        assert {u.removeprefix("#") for u in self.found["href"]} <= set(ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "link", "iframe")
        if tag not in ("meta", "img", "br", "wbr"):
            self.open.append(tag)
        for name, value in attrs:
            self.found.get(name, []).append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag


def performance(lines: list[dict[str, Any]]) -> dict[str, list[str]]:
    return {r[0]: r[1:] for r in results.performance_rows(one(lines))}


def test_performance() -> None:
    assert one(sample()).baseline == "static@sb"
    rows = performance(sample())
    assert rows["made/a"] == ["1.000", "1.333", "0.667", "2.000", "1.600", "1.333"]
    # The round that went wrong under aid_static counts for the others only.
    assert rows["made/b"] == ["1.000", "0.900", "1.800", "1.125*", "1.500", "1.636"]
    assert (rows["mean of 2"][3], rows["gmean of 2"][3]) == ("1.562", "1.500")


def test_rounds_are_paired() -> None:
    """Geometric mean of the ratios 4 and 1, with their range; the third has no partner."""
    p = one([session(["static@sb", "static@bs"]), *runs("a", "static@sb", [9, 4, 4]),
             *runs("a", "static@bs", [9, 1, 4, 1000])])  # fmt: skip
    found = p.performance(p.programs[0], "static@bs")
    assert (found.value, found.low, found.high, found.n) == (approx(2), 1, 4, 2)


def test_programs_without_all_are_in_no_mean() -> None:
    rows = performance(
        [r for r in sample() if (r.get("program"), r.get("config")) != ("b", "static@bs")]
    )
    assert rows["made/b"][1] == "-"
    assert rows["gmean of 1"] == rows["made/a"]


def test_gains_as_in_table_2() -> None:
    gains = {g.what: g for g in one(sample()).gains()}
    static = gains["AID-static vs. static(BS)"]
    # 6/4 and 10/8.
    assert (static.mean, static.gmean) == approx((37.5, 100 * (1.875**0.5 - 1)))
    assert (static.worst[1], static.best[1], static.programs) == ("made/b", "made/a", 2)
    dynamic = gains["AID-dynamic vs. dynamic(BS)"]
    assert dynamic.mean == approx(100 * ((12 / 6 + 5 / 5.5) / 2 - 1))


def test_losses_worst_first() -> None:
    losses = one(sample()).losses()
    assert [x.program for x in losses] == ["made/b", "made/a"]
    assert (losses[0].aid, losses[0].stock) == ("aid_dynamic,1,5@bs", "dynamic,1@bs")
    assert [x.ratio.value for x in losses] == approx([5 / 5.5, 6 / 4])
    assert [r[-1] for r in results.loss_rows(one(sample()))] == ["", "LOSS", ""]


def test_bad_runs_are_named() -> None:
    (bad,) = one(sample()).bad()
    assert bad[:3] == ("made/b", "aid_static@bs", {"timeout": 1})
    assert "killed after" in results.report(one(sample()))


@cases("name, found", [("static@bs", "static@bs"), ("guided@bs", None)])
def test_baseline(name: str, found: str | None) -> None:
    assert one(sample(), baseline=name).baseline == found


@cases("own, expected", [(False, 1.0), (True, 2.0)])
def test_own_time(own: bool, expected: float) -> None:
    lines = [session(["static@sb", "static@bs"]), *runs("a", "static@sb", [9, 9], own=4.0),
             *runs("a", "static@bs", [9, 9], own=2.0)]  # fmt: skip
    p = one(lines, own=own)
    assert p.performance(p.programs[0], "static@bs").value == expected


def test_a_time_of_too_few_digits_says_nothing() -> None:
    lines = [session(["static@sb"]), *runs("b", "static@sb", [9, 9], own=0.0)]
    (bad,) = one(lines, own=True).bad()
    assert bad[2] == {"no time": 1}


def test_energy() -> None:
    tables = {name: rows for name, _, rows in results.tables(one(energetic()))}
    assert tables["joules"][1] == ["made/a", "40", "30"]
    assert tables["energy"][1] == ["made/a", "1.000", "0.750"]
    assert tables["edp"][1:] == [["made/a", "1.000", "0.375"], ["gmean of 1", "1.000", "0.375"]]
    assert "energy" not in {name for name, _, _ in results.tables(one(sample()))}


def test_sweeps() -> None:
    configs = ["static@sb", "dynamic,1@bs", "dynamic,10@bs", "aid_dynamic,1,5@bs",
               "aid_dynamic,1,20@bs", "aid_dynamic,2,20@bs"]  # fmt: skip
    measured = [r for i, c in enumerate(configs) for r in runs("a", c, [9, 1 + i])]
    p = one([session(configs), *measured])
    assert p.sweep("dynamic") == [(1, "dynamic,1@bs"), (10, "dynamic,10@bs")]
    assert [v for v, _ in p.sweep("aid_dynamic")] == [5, 20]
    assert p.sweep("aid_hybrid") == []
    assert results.sweep_rows(p, "dynamic")[1] == ["made/a", "0.500", "0.333", "1"]
    # The main table shows the defaults, and what is in no sweep.
    assert p.main_configs() == ["static@sb", "dynamic,1@bs", "aid_dynamic,1,5@bs",
                                "aid_dynamic,2,20@bs"]  # fmt: skip


@cases("more, words", [
    ({"hottest": 81.0, "types": "4-7:0-3"}, "highest 81 C"),
    ({"governor": "ondemand"}, "another governor"),
    ({"throttled": True}, "because of heat in 1 runs"), ({"others": 0.5}, "NOISY"),
    ({"types": "0,1"}, "one type of core"),
])  # fmt: skip
def test_cautions(more: dict[str, Any], words: str) -> None:
    p = one([session(["static@sb"]), *runs("a", "static@sb", [1, 1], **more)])
    said = "\n".join(p.conditions())
    assert words in said
    assert ("CAUTION" in said or "NOISY" in said) == (words != "highest 81 C")


def test_raw_files_of_bench() -> None:
    lines: list[dict[str, Any]] = [session([]) | {"configs": None, "mode": "comparison"}]
    # In the order of the ratios, whatever came first.
    for ratio in (3.0, 1.0):
        for config, s in (("amp:aid_static", 2 / ratio), ("stock:static", 2), ("single:0", 9)):
            kernel = {"kernel": "cg", "class": "S", "ratio": ratio}
            lines += [r | kernel for r in runs("", config, [9, s])]
    equal, emulated = platforms(lines, "p")
    assert (equal.title, emulated.title) == ("p: equal cores", "p: emulated AMP, ratio 3")
    assert emulated.configs == ["stock:static", "amp:aid_static"]
    assert emulated.baseline == "stock:static"
    assert emulated.gains()[0].gmean == approx(200)


def test_no_two_series_look_alike() -> None:
    seen = []

    class Axes:
        def bar(self, *_: object, color: object, hatch: object, **__: object) -> None:
            seen.append((color, hatch))

        def axhline(self, *_: object, **__: object) -> None: ...
        def set_xticks(self, *_: object, **__: object) -> None: ...

    configs = [*plots.COLOURS, *(f"peer:{i}" for i in range(25))]
    shown = {plots.title(c): [(1.0, 1.0, 1.0)] for c in configs}
    plots.draw_groups(Axes(), ["a"], shown, plots.colours_of(configs))
    assert len(set(seen)) == len(shown)


TRACE = traces.parse(chrome(CHUNKS))


def test_executions() -> None:
    assert TRACE.threads == [0, 1]
    assert TRACE.names[1] == "lane 1"
    assert TRACE.executions("x+1") == [(0, 100), (300, 560)]
    # Of two the longer one; of the other loop none.
    assert TRACE.typical_execution() == ("x+1", 300, 560)
    view = TRACE.window(300, 560)
    assert [(c.thread, c.begin, c.end) for c in view.chunks] == [(0, 0, 250), (1, 0, 260)]


def test_numbered_executions() -> None:
    """The second begins on one thread before the first has ended on the other."""
    raw = chrome([(0, 0.0, 10.0, "chunk", "x", 0, 5), (1, 0.0, 14.0, "chunk", "x", 5, 5),
                  (0, 12.0, 20.0, "chunk", "x", 0, 10)])  # fmt: skip
    assert traces.parse(raw).executions("x") == [(0, 20)]
    for event, loop in zip(raw["traceEvents"][-3:], (7, 7, 8), strict=True):
        event["args"] |= {"loop": loop, "type": event["tid"]}
    trace = traces.parse(raw)
    assert trace.executions("x") == [(0, 14), (12, 20)]
    assert trace.thread_name(1) == "lane 1, type 1"
    assert trace.window(12, 20).chunks[0].loop == 8
    raw["traceEvents"] += chrome([(0, 30.0, 99.0, "chunk", "x", 0, 10)])["traceEvents"]
    assert traces.parse(raw).typical_execution() == ("x", 0, 14)


def test_shares() -> None:
    shares = {s[0]: s[1:] for s in TRACE.shares()}
    assert shares[0][:3] == (4, 20, {"sampling": 10, "aid": 330, "chunk": 10})
    assert shares[1][3] == approx((30 + 70 + 15 + 260) / 560)


def test_neighbours_become_one_bar() -> None:
    mine = [c for c in TRACE.chunks if c.thread == 0]
    assert traces.bars(mine, 1.0)["aid"] == [(10, 80), (300, 250)]
    dense = [traces.Chunk(0, float(i), i + 0.9, "tail", "x", i, 1) for i in range(50)]
    assert traces.bars(dense, 0.2) == {"tail": [(0, 49.9)]}
    assert len(traces.bars(dense, 0.05)["tail"]) == 50


@cases("raw", [7, {}, [], [{"ph": "X", "name": "aid", "ts": 1}], [7], {"traceEvents": 3}])
def test_unusable(raw: object) -> None:
    with pytest.raises(traces.Unusable):
        traces.parse(raw)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return save(tmp_path / "raw.jsonl", sample())


@pytest.fixture
def page(tmp_path: Path) -> Callable[..., tuple[Page, str, bool]]:
    """The page that a command makes, its text, and whether it has plots."""

    def make(*arguments: object) -> tuple[Page, str, bool]:
        file = tmp_path / "page.html"
        done = report(*arguments, "--quiet", "--html", file)
        assert done.returncode == 0, done.stderr
        return Page(file.read_text()), file.read_text(), "no plots" not in done.stderr

    return make


def test_text_and_csv(tmp_path: Path, raw: Path) -> None:
    file = tmp_path / "out" / "x.csv"
    done = report(raw, "--csv", file, "--name", "Board A")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Board A\n")
    with file.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 2 * len(CONFIGS)
    (row,) = (r for r in rows if (r["program"], r["config"]) == ("b", "aid_static@bs"))
    assert (row["platform"], row["n"], row["bad"]) == ("Board A", "2", "timeout:1")
    assert float(row["performance"]) == approx(9 / 8)
    assert float(row["seconds_gmean"]) == approx(8)
    assert row["joules_gmean"] == ""


def test_page(tmp_path: Path, raw: Path, page: Any) -> None:
    trace = tmp_path / "ep.json"
    trace.write_text(json.dumps(chrome(CHUNKS)))
    board = save(tmp_path / "b.jsonl", energetic())
    found, text, plots = page(raw, board, "--trace", f"{trace}=EP <here>", "--title", "A & B")
    for words in ("A &amp; B", "EP &lt;here&gt;", "LOSS", "killed after 1000000 s", "1.125*"):
        assert words in text
    images = found.found["src"]
    if not plots:
        assert images == []
        pytest.skip("no Python here has matplotlib")
    assert "figures 6 and 7" in text
    # Of the first platform one, of the second with energy three, and the trace.
    assert len(images) == 1 + 3 + 1
    assert all(i.startswith("data:image/svg+xml;base64,") for i in images)


def test_plots(tmp_path: Path) -> None:
    more = ["dynamic,8@bs", "aid_hybrid,60@bs", "aid_static+sf@bs"]
    head, *lines = sample()
    head["configs"] = [*CONFIGS, *more]
    lines += [r for config in more for r in runs("a", config, [9, 4, 4])]
    lines.append({"type": "sf", "suite": "made", "program": "a", "file": "x",
                  "loops": {"program+0x1": [2.5, 1.0]}})  # fmt: skip
    plots = tmp_path / "plots"
    raw = save(tmp_path / "raw.jsonl", [head, *lines])
    done = report(raw, "--quiet", "--plots", plots, "--format", "png")
    assert done.returncode == 0, done.stderr
    if "no plots" in done.stderr:
        pytest.skip("no Python here has matplotlib")
    names = ("performance", "sweep-chunk", "sweep-percent", "offline", "factors")
    assert {p.name for p in plots.iterdir()} == {f"{n}.png" for n in names}
    assert all(p.read_bytes().startswith(b"\x89PNG") for p in plots.iterdir())


def test_only_bad_runs(raw: Path, page: Any) -> None:
    bad = {"status": "crashed", "why": "killed by SIGSEGV"}
    save(raw, [r | bad if r["type"] == "run" else r for r in sample()])
    _, text, _ = page(raw)
    assert "No good runs" in text
    assert "gmean of" not in text


@cases("arguments, says", [
    ((), "raw file"), (("{}/none",), "none"), (("{}/empty.jsonl",), "no runs"),
    (("{}/raw.jsonl", "--baseline", "guided@bs"), "static@sb"),
    (("{}/raw.jsonl", "--html", "{}/x", "--trace", "{}/raw.jsonl"), "raw.jsonl"),
    (("{}/raw.jsonl", "--trace", "{}/raw.jsonl"), "--trace needs"),
])  # fmt: skip
def test_wrong(tmp_path: Path, raw: Path, arguments: tuple[str, ...], says: str) -> None:
    save(tmp_path / "empty.jsonl", [])
    done = report(*(a.format(tmp_path) for a in arguments))
    assert done.returncode != 0
    assert says in done.stderr
    assert "Traceback" not in done.stderr
