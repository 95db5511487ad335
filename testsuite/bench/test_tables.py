# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables of made-up records, by numbers worked out by hand; CSV, the page, pictures."""

import csv
from pathlib import Path
from typing import Any

import pytest
from ampbench import pictures, record, tables
from made import SESSION, bench, cases, runs, save
from pytest import approx

Records = list[dict[str, Any]]


def session(*specs: dict[str, Any], **more: object) -> dict[str, Any]:
    return SESSION | {"tables": list(specs)} | more


def grids(records: Records, **how: Any) -> list[tables.Grid]:
    return tables.all_grids(records, **how)


def cell(grid: tables.Grid, row: str, column: str) -> str:
    (found,) = [r for r in grid.rows if r[0] == row]
    return found[grid.rows[0].index(column)]


# Alone CPU 0 takes 3 s and CPU 1 takes 6 s, so that the ideal is 2 s.
ALONE = [*runs("ep", "single:0", [9, 3, 3]), *runs("ep", "single:1", [9, 6, 6])]
SHARE = {"value": "share", "columns": {"gcc": "stock:static", "best AID": "amp:aid_*"}}


def sample() -> Records:
    """Round 0, the warm-up, is far off; one run is bad."""
    return [
        *ALONE, *runs("ep", "stock:static", [99, 4, 8]), *runs("ep", "amp:aid_static", [99, 2.5, 2.5]),
        *runs("ep", "amp:aid_hybrid,80", [99, 2, 2.5]),
        *runs("ep", "amp:aid_dynamic", [0, 1])[:1],
        {**runs("ep", "amp:aid_dynamic", [0, 1e-3])[1], "status": "wrong result", "why": "it is wrong"},
    ]


def test_share_of_the_ideal() -> None:
    first, bad = grids([session(SHARE), *sample()])
    assert first.rows[0] == ["", "gcc", "best AID"]
    # Medians of 2/4, 2/8 and of 2/2, 2/2.5; the wrong run counts nowhere, and is told.
    assert (cell(first, "ep A", "gcc"), cell(first, "ep A", "best AID")) == ("0.375", "0.900*")
    assert bad.rows[1][1:] == ["amp:aid_dynamic", "wrong result x1", "it is wrong"]


def test_ratios_are_of_rounds() -> None:
    spec = {"over": "stock:static", "columns": {"h": "amp:aid_hybrid,80"}, "intervals": True}
    (grid, _) = grids([session(spec), *sample()])
    assert cell(grid, "ep A", "h") == "2.600 [2.000 3.200]"


@cases("pattern, expected", [("amp:aid_*", "1.778"), (["worst:amp:aid_*"], "1.600")])
def test_the_best_and_the_worst(pattern: Any, expected: str) -> None:
    records = [session({"over": "stock:static", "columns": {"x": pattern}}), *ALONE]
    for name, seconds in (("stock:static", 4), ("amp:aid_static", 2.25), ("amp:aid_hybrid", 2.5)):
        records += runs("ep", name, [9, seconds])
    assert cell(grids(records)[0], "ep A", "x") == expected


def test_bars_and_the_sentence_agree() -> None:
    columns = {"gcc": "stock:static", "ours": "amp:unset", "none": "fast:static"}
    records = [session({"columns": columns, "bars": "ours"})]
    records += [*runs("ep", "stock:static", [9, 4, 3, 9]), *runs("ep", "amp:unset", [9, 1, 2, 2])]
    (grid,) = grids(records)
    assert [len(r[2].rstrip()) for r in grid.rows[1:]] == [40, 20]
    assert grid.text().endswith("\nours: 2.00 times as fast as gcc")
    assert grid.numbers == {"ep A": {"gcc": 4, "ours": 2}}


def pair(**more: Any) -> list[str]:
    rival = {"name": "p", "of": "ours", "over": ["gcc", "fast:static"], **more}
    spec = {"columns": {"ours": "amp:unset", "gcc": "stock:static"}, "pairs": [rival]}
    records = [session(spec)]
    for program, gcc, fast, ours in (("a", 4, 2, 1), ("b", 2, 9, 4), ("c", 2, 9, 2)):
        records += runs(program, "stock:static", [9, gcc]) + runs(program, "fast:static", [9, fast])
        records += runs(program, "amp:unset", [9, ours])
    return grids(records)[-1].rows[1]


def test_pairs_have_the_worst_program_and_its_best_rival() -> None:
    # 2/1, 2/4, 2/2.
    assert pair() == ["ratio 3", "p", "1.000", "1.167", "0.500", "b (stock:static)", "2.000 a", "3",
                      "", ""]  # fmt: skip


@cases("goals, told", [
    ({"least": 1.0}, "1: met"), ({"each": 0.5}, "each 0.5: met"),
    ({"each": 0.6}, "each 0.6: NOT MET"), ({"least": 1.1, "each": 0.4}, "1.1: NOT MET, each 0.4: met"),
])  # fmt: skip
def test_targets(goals: dict[str, float], told: str) -> None:
    assert pair(**goals)[-2] == told


def test_the_papers_numbers() -> None:
    assert pair(paper={"ratio 3": "1.1"})[-1] == "1.1"
    assert pair(where="equal*") == [] if False else pair(paper="x")[-1] == "x"


def test_means_are_of_programs_that_all_columns_have() -> None:
    records = [session({"over": "stock:static", "means": ["gmean", "mean"]})]
    for program, seconds in (("a", 8), ("b", 2), ("c", 4)):
        records += runs(program, "stock:static", [9, 8]) + runs(program, "amp:unset", [9, seconds])
    records += runs("a", "amp:ich", [9, 8]) + runs("b", "amp:ich", [9, 1])
    (grid,) = grids(records)
    assert cell(grid, "gmean of 2", "amp:unset") == "2.000"
    assert cell(grid, "mean of 2", "amp:ich") == "4.500"


def test_loops_shorter_than_five_periods() -> None:
    records = [session({**SHARE, "lengths": True}), *ALONE, *runs("ep", "stock:static", [9, 4])]
    for r in runs("cg", "stock:static", [9, 4]), runs("cg", "single:0", [9, 3]), runs("cg", "single:1", [9, 6]):
        records += [x | {"report": {"loops": 10000}} for x in r]
    (grid,) = grids(records)
    assert (cell(grid, "cg A", "loop us"), cell(grid, "ep A", "loop us")) == ("400*", "4000")
    assert cell(grid, "without *, 1", "gcc") == cell(grid, "ep A", "gcc") == "0.500"


def test_rows_of_machines_and_of_lengths() -> None:
    records = [session({"rows": "where"}, {"rows": "suffix"})]
    for program, where, seconds in (("x-1us", "1", 2), ("y-1us", "1", 8), ("x-3us", "1", 3),
                                    ("x-1us", "2", 5)):  # fmt: skip
        records += runs(program, "amp:unset", [9, seconds], where=where)
    by_where, first, second = grids(records)
    assert cell(by_where, "2", "amp:unset") == "5.000"
    assert (cell(first, "1us", "amp:unset"), cell(first, "3us", "amp:unset")) == ("4.000", "3.000")
    assert cell(second, "1us", "amp:unset") == "5.000"


def simulated(program: str, config: str, where: str, seconds: float, **more: Any) -> Records:
    return runs(program, config, [9, seconds], where=where, part="sim", source="simulation", **more)[1:]


def test_against_another_machine() -> None:
    spec = {"over": "static", "over_where": "1", "rows": "where"}
    energy = {"over": "static", "over_where": "1", "rows": "where", "value": "energy"}
    records = [session(spec, energy), *simulated("a", "static", "1", 8, energy=4.0),
               *simulated("a", "static", "2", 4, energy=6.0), *simulated("a", "auto", "2", 2, energy=2.0)]  # fmt: skip
    speed, joules = grids(records)
    assert [cell(speed, "2", c) for c in ("static", "auto")] == ["2.000", "4.000"]
    assert [cell(joules, "2", c) for c in ("static", "auto")] == ["1.500", "0.500"]


def test_errors_of_predictions() -> None:
    records = [session({"part": "sim", "value": "error"}), *runs("a", "amp:ich", [9, 4], part="real"),
               *simulated("a", "amp:ich", "predicted", 5)]  # fmt: skip
    assert cell(grids(records)[0], "a A", "amp:ich") == "25.000"


def test_energy_of_runs_and_numbers_of_reports() -> None:
    records = [session({"value": "energy"}, {"value": "report.ns.default,2"})]
    records += runs("a", "amp:unset", [8, 8], energy=40.0, report={"ns": {"default,2": 7.5}})
    joules, ns = grids(records)
    assert (cell(joules, "a A", "amp:unset"), cell(ns, "a A", "amp:unset")) == ("40.000", "7.500")


def test_details_have_each_configuration() -> None:
    detail = grids([session({**SHARE, "over": "stock:static"}), *sample()], details=True)[0]
    assert "this program alone: 2.00; ideal 2.0000 s" in detail.title
    assert cell(detail, "amp:aid_static", "share of ideal") == "0.800 [0.800 0.800]"
    assert cell(detail, "amp:aid_dynamic", "") if False else "wrong result x1" in detail.text()


@cases("wrong", [{"clumns": {}}, {"pairs": [{"name": "x", "of": "a", "ovr": "b"}]}])
def test_unknown_keys(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="unknown key"):
        grids([session(wrong), *sample()])


def test_what_speaks_against_numbers() -> None:
    loud = [{**r, "others": 0.5, "governor": "ondemand", "hottest": 80.0, "throttled": True,
             "energy": 1.0} for r in sample()]  # fmt: skip
    emulated = {"type": "emulation", "ratio": 3.0, "round": 1, "reached": {"1": [2.5, 3.5]},
                "how": {"period": "200us", "method": "thief"}}  # fmt: skip
    said = "\n".join(tables.conditions([session(energy=["rapl package-0"]), emulated, *loud]))
    for words in ("CPU 1 asked 3 (200us thief), reached 3.00 (2.50..3.50)", "NOISY: other processes took 0.50",
                  "CAUTION: with another governor", "because of heat", "highest 80 C",
                  "not measured: Intel libiomp5", "sha256 abababababab"):  # fmt: skip
        assert words in said
    assert "NOISY" not in "\n".join(tables.conditions([session(), *sample()]))


def test_raw_files_of_later_versions_are_refused(tmp_path: Path) -> None:
    raw = save(tmp_path / "raw.jsonl", [session(format=record.FORMAT + 1)])
    done = bench("report", raw)
    assert done.returncode == 1 and "later version" in done.stderr


def test_csv_and_page(tmp_path: Path) -> None:
    raw = save(tmp_path / "raw.jsonl", [session(SHARE), *sample()])
    page = tmp_path / "page.html"
    done = bench("report", raw, "--csv", tmp_path / "out.csv", "--html", page, "--plot", tmp_path / "p")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    (aid,) = [r for r in rows if r["config"] == "amp:aid_hybrid,80"]
    assert (aid["n"], float(aid["seconds"]), float(aid["share_of_ideal"])) == ("2", 2.25, approx(0.9))
    assert [r["bad"] for r in rows if r["config"] == "amp:aid_dynamic"] == ["wrong result x1"]
    text = page.read_text()
    assert "<td>0.375</td>" in text and "http" not in text.replace("www.w3.org", "").partition("</style>")[0]
    if "matplotlib" in done.stdout:
        pytest.skip("no Python here has matplotlib")
    assert list((tmp_path / "p").glob("*.svg")) and "data:image/svg+xml" in text


def test_html_is_escaped() -> None:
    assert "&lt;b&gt;" in pictures.page([tables.Grid("<b>", [["", "x"]])], ["<b>"], {})
