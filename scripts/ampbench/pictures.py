# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of tables, by matplotlib, and one HTML page with everything in it."""

from __future__ import annotations

import base64
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from .tables import Grid

# Set for the interpreter that this one hands over to.
HANDED_OVER = "AMPBENCH_HANDED_OVER"
# What a reader can still tell apart in one picture.
BARS = 240
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1c2733; margin: 0 auto; padding: 1.5rem;
  max-width: 75rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .4rem; }
.caution { color: #a33b00; font-weight: 600; }
div { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .86rem; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid #dde3ea; text-align: right; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; }
"""


def matplotlib() -> Any:
    """Pyplot, drawing into files; or the name of a Python that has it; or None."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        pass
    else:
        return pyplot
    for name in ("python3", "/usr/bin/python3", *(f"python3.{minor}" for minor in range(20, 10, -1))):
        found = shutil.which(name)
        if not found or os.environ.get(HANDED_OVER) or Path(found).samefile(sys.executable):
            continue
        test = [found, "-c", "import sys, matplotlib; sys.exit(sys.version_info < (3, 11))"]
        if subprocess.run(test, capture_output=True, check=False).returncode == 0:
            return found
    return None


def figure(pyplot: Any, grid: Grid, form: str) -> bytes:
    """Bars, a group a row."""
    rows = list(grid.numbers)
    columns = list(dict.fromkeys(c for r in grid.numbers.values() for c in r))
    width = 0.8 / max(len(columns), 1)
    drawn, axes = pyplot.subplots(figsize=(max(6.0, 1.5 + 0.09 * len(rows) * len(columns)), 3.6))
    for i, column in enumerate(columns):
        values = [grid.numbers[r].get(column) or 0.0 for r in rows]
        at = [j - 0.4 + width * (i + 0.5) for j in range(len(rows))]
        axes.bar(at, values, width, label=column, color=f"C{i % 10}",
                 hatch="//" if i > 9 else None)  # fmt: skip
        for x, value in zip(at, values) if len(rows) * len(columns) < 13 else ():
            axes.text(x, value, f"{value:.2f}", ha="center", va="bottom")
    axes.set_xticks(range(len(rows)))
    axes.set_xticklabels(rows, rotation=40, ha="right", fontsize=8)
    if "being 1" in grid.title or "ideal" in grid.title:
        axes.axhline(1.0, color="#1c2733", linewidth=0.7)
    axes.set_title(grid.title, fontsize=9)
    axes.grid(axis="y", linewidth=0.3)
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    out = io.BytesIO()
    drawn.savefig(out, format=form, bbox_inches="tight", dpi=120)
    pyplot.close(drawn)
    return out.getvalue()


def table(grid: Grid) -> str:
    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(c)}</{tag}>" for c in cells) + "</tr>"

    body = "\n".join(row(cells, "td") for cells in grid.rows[1:])
    return f"<div><table>\n{row(grid.rows[0], 'th')}\n{body}\n</table></div>"


def page(grids: Sequence[Grid], facts: Sequence[str], drawn: dict[int, bytes]) -> str:
    """Nothing is loaded, so it opens from disk."""
    loud = ("CAUTION", "NOISY")
    out = ["<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8">', "<title>gomp-amp</title>",
           f"<style>{STYLE}</style>", "<ul>"]  # fmt: skip
    for fact in facts:
        mark = ' class="caution"' if fact.startswith(loud) else ""
        out.append(f"<li{mark}>{escape(fact)}</li>")
    out.append("</ul>")
    for i, grid in enumerate(grids):
        out += [f"<h2>{escape(grid.title)}</h2>", table(grid)]
        if i in drawn:
            data = base64.b64encode(drawn[i]).decode()
            out.append(f'<img alt="{escape(grid.title)}" src="data:image/svg+xml;base64,{data}">')
    return "\n".join([*out, "</html>", ""])


def write(pyplot: Any, grids: Sequence[Grid], facts: Sequence[str], html: Path | None,
          plots: Path | None, form: str) -> None:  # fmt: skip
    """PYPLOT: None where no Python here has matplotlib."""
    if pyplot is None:
        print("no pictures: no Python here has matplotlib")
    few = [i for i, g in enumerate(grids)
           if g.numbers and sum(map(len, g.numbers.values())) <= BARS]  # fmt: skip
    if plots and pyplot:
        plots.mkdir(parents=True, exist_ok=True)
        for i in few:
            path = plots / f"{i + 1}.{form}"
            path.write_bytes(figure(pyplot, grids[i], form))
            print(f"plot: {path}: {grids[i].title}")
    if html:
        drawn = {i: figure(pyplot, grids[i], "svg") for i in few} if pyplot else {}
        html.parent.mkdir(parents=True, exist_ok=True)
        html.write_text(page(grids, facts, drawn), encoding="utf-8")
        print(f"page: {html}")
