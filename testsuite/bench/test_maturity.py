# SPDX-License-Identifier: GPL-3.0-or-later
"""The comparison of program, kernel, loops and tasks: figures from made-up simulations."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from ampbench import kernels, maturity, maturitypage
from ampbench.cli import main
from ampbench.maturity import EDP, ENERGY, LINES, ONE, POWER, SPEEDUP, THREADING, Cores
from made import cases

SESSION = {"type": "session", "time": "2026-01-01", "machine": {"cpu": "x"}, "arguments": {"a": 1}}


def point(kernel: str, cores: Cores, line: str, seconds: float, joules: float) -> dict[str, Any]:
    return {
        "type": "point", "source": "simulation", "kernel": kernel, "big": cores[0],
        "little": cores[1], "line": line, "seconds": seconds, "joules": joules,
    }  # fmt: skip


def made(kernel: str = "stencil") -> list[dict[str, Any]]:
    """One little core takes 12 s, four 4 s and 3 J; at 4+0 all lines take 2 s and 8 J."""
    out = [SESSION, point(kernel, ONE, THREADING, 12.0, 2.0)]
    for line in LINES:
        out.append(point(kernel, (0, 4), line.name, 4.0, 3.0))
        out.append(point(kernel, (4, 0), line.name, 2.0, 8.0))
        for cores in ((2, 2), (4, 1), (4, 2), (4, 3), (4, 4)):
            out.append(point(kernel, cores, line.name, 1.0, 6.0))
    return out


TABLE = maturity.tabulate(made())


@cases("quantity, cores, wanted", [
    (SPEEDUP, (4, 0), 6.0), (SPEEDUP, (0, 4), 3.0), (POWER, (4, 0), 4.0), (POWER, (4, 4), 6.0),
    (ENERGY, (0, 4), 1.0), (ENERGY, (4, 0), 8 / 3), (EDP, (4, 4), 0.5), (EDP, (4, 0), 4 / 3),
])  # fmt: skip
def test_quantities(quantity: maturity.Quantity, cores: Cores, wanted: float) -> None:
    assert quantity.of(TABLE, "stencil", cores, "tasks") == pytest.approx(wanted)
    assert maturity.means(TABLE, quantity, cores)["tasks"] == pytest.approx(wanted)


def test_what_is_missing_is_left_out() -> None:
    table = maturity.tabulate([r for r in made() if r.get("line") != "tasks"])
    assert SPEEDUP.of(table, "stencil", (4, 4), "tasks") is None
    assert "tasks" not in maturity.means(table, SPEEDUP, (4, 4))
    assert maturity.change(table, SPEEDUP, (4, 4), "tasks") is None


def test_change_and_losses() -> None:
    assert maturity.change(TABLE, SPEEDUP, (4, 4), "tasks") == pytest.approx(100.0)
    assert maturity.change(TABLE, ENERGY, (4, 4), "tasks") == pytest.approx(-25.0)
    assert maturity.losses(TABLE) == {"stencil": 0.5}


@cases("ratio, cores, wanted", [(2.18, (4, 4), 12.72), (4.16, (2, 2), 10.32), (3.0, (0, 1), 1.0)])
def test_equation_4(ratio: float, cores: Cores, wanted: float) -> None:
    assert maturity.ideal(ratio, cores) == pytest.approx(wanted)


def test_machines_and_watts() -> None:
    assert maturity.machine((4, 2), 2.0) == "4x1+2x0.5"
    assert maturity.machine((0, 4), 4.0) == "4x0.25"
    assert maturity.watts((4, 0)) == "0.8125/0.8125/0.224"
    assert maturity.watts((1, 1)).count(",") == 1
    assert maturity.unused_watts((4, 4)) == 0.0 < maturity.unused_watts((4, 0))
    # Four little cores draw what paper 001 has, four big ones with four idle little ones too.
    assert 4 * maturity.LITTLE[0] + maturity.unused_watts((0, 4)) == pytest.approx(0.75)
    assert 4 * maturity.BIG[0] + maturity.unused_watts((4, 0)) == pytest.approx(3.5)


def test_programs_with_queues_divide_their_work() -> None:
    threading = next(x for x in LINES if x.name == THREADING)
    assert maturity.schedule_of(threading, "stencil") == "static"
    assert maturity.schedule_of(threading, "pipeline").startswith("dynamic")
    assert {k for k in maturity.RATIOS} == {n for n, k in kernels.load().items() if k.tasks}


def test_verdicts() -> None:
    def with_time(line: str, seconds: float) -> maturity.Table:
        some = [r for r in made() if (r.get("line"), r.get("big"), r.get("little")) != (line, 4, 4)]
        return maturity.tabulate([*some, point("stencil", (4, 4), line, seconds, 6.0)])

    def met(table: maturity.Table, words: str) -> bool | None:
        found = [v.met for v in maturity.verdicts(table) if words in v.target]
        assert len(found) == 1
        return found[0]

    assert met(TABLE, "nothing set at 4+4") is True
    assert met(with_time("nothing set", 2.05), "nothing set at 4+4") is False
    assert met(with_time("nothing set", 2.03), "nothing set at 4+4") is True
    assert met(with_time("AID-hybrid", 0.9), "AID ahead of tasks") is True
    assert met(TABLE, "AID ahead of tasks") is False
    assert met(TABLE, "static threading loses") is False
    assert met(with_time("static threading", 3.0), "static threading loses") is True
    assert met(with_time("GTS", 2.1), "GTS gains") is False


@cases("ours, met", [(1.02, True), (1.04, False)])
def test_goals(ours: float, met: bool) -> None:
    goal = {"type": "goal", "kernel": "stencil", "goal": "edp", "idle": "switched off",
            "best": 2.0, "cores": "4+4", "schedule": "aid_static", "ours": 2.0 * ours,
            "told": 2.0, "unset": 2.2}  # fmt: skip
    found = [v for v in maturity.verdicts(TABLE, [goal]) if "goal edp" in v.target]
    assert [v.met for v in found] == [met, True]
    assert ["stencil, edp, switched off", "4+4", "aid_static", f"{ours:.3f}", "1.000", "1.100"] in (
        maturitypage.goal_rows([goal])
    )
    choices = [{"energy": 3.0, "edp": 1.0}, {"energy": 2.0, "edp": 5.0}]
    assert maturity.best_choice(choices, "energy") == choices[1]


def test_periods() -> None:
    some = [point("stencil", (4, 0), "GTS, 1 ms", 2.0, 8.0),
            point("stencil", (4, 4), "GTS, 1 ms", 1.6, 8.0)]  # fmt: skip
    found = maturity.periods(maturity.tabulate([*made(), *some]))
    assert found == {"GTS": pytest.approx(100.0), "GTS, 1 ms": pytest.approx(25.0)}


class Page(HTMLParser):
    """Tags that must be closed are; nothing is loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "wbr", "br", "rect", "line"):
            self.open.append(tag)
        self.loads += [v or "" for n, v in attrs if n in ("src", "href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [v or "" for n, v in attrs if n in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line"):
            assert self.open.pop() == tag


def test_page() -> None:
    records = [*made(), {**point("stencil", (1, 1), "tasks", 2.0, 0.0), "source": "run"}]
    text = maturitypage.page(records)
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.loads and all(link.startswith("#") for link in page.loads)
    assert all(f'id="{link[1:]}"' in text for link in page.loads)
    for figure in range(2, 9):
        assert f"Figure {figure}" in text
    assert "6.000" in text


def test_bars_are_to_scale() -> None:
    text = maturitypage.bars({"a": {"tasks": 2.0, "GTS": 1.0}}, "s")
    heights = dict(re.findall(r'height="([\d.]+)" fill="[^"]+"><title>a, (\w+)', text))
    assert {v: float(k) for k, v in heights.items() if float(k)} == {
        "tasks": maturitypage.HEIGHT, "GTS": maturitypage.HEIGHT / 2,
    }  # fmt: skip
    assert maturitypage.bars({}, "s") == ""


def test_tables_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import json

    raw = tmp_path / "raw.jsonl"
    raw.write_text("".join(json.dumps(r) + "\n" for r in made()))
    assert main(["maturity", "--table-from", str(tmp_path)]) == 0
    assert "Figure 7, 4+4" in capsys.readouterr().out
    assert (tmp_path / "index.html").read_text().startswith("<!DOCTYPE html>")


@cases("arguments", [("--only", "all"), ("--slower", "0")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as why:
        main(["maturity", *arguments])
    assert why.value.code == 2
