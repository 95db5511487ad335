# SPDX-License-Identifier: GPL-3.0-or-later
"""Judge a picture and the records of amp-sim: see run.sh for the command."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "scripts"))

from ampbench.record import Run

SVG = "{http://www.w3.org/2000/svg}"
LANES = 4
ITERATIONS = 5000
TITLE = re.compile(
    r"thread (\d+): (\d+) iterations in (\d+) chunks, the first from (\d+), ([\d.]+) to ([\d.]+) (\w+)"
)


def judge_panel(panel: ET.Element, record: dict[str, Any]) -> None:
    """The rectangles of one schedule: all iterations, all chunks, none over another."""
    iterations = chunks = 0
    ends = [0.0] * LANES
    for rect in panel.iter(f"{SVG}rect"):
        title = rect.findtext(f"{SVG}title")
        if title is None:
            continue
        told = TITLE.fullmatch(title)
        assert told, title
        lane = int(told[1])
        iterations += int(told[2])
        chunks += int(told[3])
        x, width = float(rect.get("x", "")), float(rect.get("width", ""))
        assert x >= ends[lane] - 0.01, f"lane {lane}: {x} is before {ends[lane]}"
        ends[lane] = x + width
    assert iterations == ITERATIONS, f"{iterations} iterations"
    assert chunks == record["grants"], f"{chunks} chunks, {record['grants']} grants"


def main() -> None:
    picture, raw = sys.argv[1:]
    records = [json.loads(line) for line in Path(raw).read_text().splitlines()]
    panels = [g for g in ET.parse(picture).iter(f"{SVG}g") if g.get("id", "")[:8] == "schedule"]
    assert len(panels) == len(records) >= 10, (len(panels), len(records))
    for panel, record in zip(panels, records):
        judge_panel(panel, record)
        assert record["kernel"] == 'a "name"' and record["class"] == "A" and record["round"] == 3
        assert record["ratio"] == 2 and record["status"] == "ok"
        assert record["speeds"] == [2, 1] and record["grant_ns"] == 30
        total = record["executions"] * record["mean_ns"]
        assert abs(record["seconds"] * 1e9 - total) < 1e-3, record
        assert record["efficiency"] <= 1.0001, record
    # As runs of scripts/bench.
    run = Run.of(records[0])
    assert run.ok and (run.program, run.klass, run.ratio) == ('a "name"', "A", 2.0), run
    assert run.more["source"] == "simulation" and run.config.endswith(f"@{LANES}"), run


main()
