# SPDX-License-Identifier: GPL-3.0-or-later
"""One HTML page with everything in it: nothing is loaded, so it opens from disk."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from html import escape

from .results import Platform, tables
from .traces import Trace

STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; color: #1c2733; background: #fff;
  margin: 0 auto; padding: 1.5rem; max-width: 75rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .5rem; border-bottom: 2px solid #2b6cb0; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
nav a { margin-right: 1rem; }
ul.facts { margin: .3rem 0; padding-left: 1.2rem; }
.caution { color: #a33b00; font-weight: 600; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .86rem; }
th, td { padding: .2rem .55rem; border-bottom: 1px solid #dde3ea; text-align: right;
  white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
table.words td { text-align: left; white-space: normal; }
table.words th { text-align: left; }
thead th { white-space: normal; border-bottom: 2px solid #9aa8b7; vertical-align: bottom; }
tr.sum td { border-top: 1px solid #9aa8b7; font-weight: 600; }
tr.sum + tr.sum td { border-top: 0; }
td.low { background: #fbe3da; }
td.high { background: #dff1e5; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; }
figcaption { font-size: .86rem; color: #51606f; }
@media print { body { max-width: none; padding: 0; } figure { break-inside: avoid; } }
"""
WORDS = ("bad", "missing")
# Figure -> the table below which it stands; else at the end.
BELOW = {
    "performance": "performance",
    "sweep-chunk": "sweep-aid_dynamic",
    "sweep-percent": "sweep-aid_hybrid",
    "energy": "energy",
    "edp": "edp",
}
# Relative to the baseline: what is coloured in the table of performance.
LOW, HIGH = 0.97, 1.03


def mime(picture: bytes) -> str:
    return "image/png" if picture.startswith(b"\x89PNG") else "image/svg+xml"


def figure_html(name: str, caption: str, picture: bytes) -> str:
    data = base64.b64encode(picture).decode()
    return (
        f'<figure id="{escape(name)}"><img alt="{escape(caption)}"'
        f' src="data:{mime(picture)};base64,{data}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def shade(name: str, cell: str) -> str:
    if name == "losses" and cell == "LOSS":
        return ' class="low"'
    if name == "performance" and re.fullmatch(r"[0-9.]+\*?", cell):
        value = float(cell.rstrip("*"))
        return ' class="low"' if value < LOW else ' class="high"' if value > HIGH else ""
    return ""


def table_html(name: str, rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(c).replace('(', '<wbr>(')}</th>" for c in rows[0])
    body = []
    for row in rows[1:]:
        sum_ = ' class="sum"' if re.match(r"g?mean of \d+$", row[0]) else ""
        cells = "".join(f"<td{shade(name, c)}>{escape(c)}</td>" for c in row)
        body.append(f"<tr{sum_}>{cells}</tr>")
    kind = ' class="words"' if name in WORDS else ""
    return (
        f'<div class="scroll"><table{kind}><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def facts(lines: Sequence[str]) -> str:
    items = []
    for line in lines:
        loud = line.startswith("NOISY") or "CAUTION" in line
        items.append(f"<li{' class=caution' if loud else ''}>{escape(line)}</li>")
    return f'<ul class="facts">{"".join(items)}</ul>'


def shares_html(trace: Trace) -> str:
    rows = [["", "chunks", "iterations", "sampling", "aid", "tail", "chunk", "busy"]]
    for thread, chunks, iterations, spent, busy in trace.shares():
        times = [f"{spent[p] / 1000:.3f} ms" if p in spent else "-" for p in rows[0][3:7]]
        rows.append([trace.thread_name(thread), str(chunks), str(iterations),
                     *times, f"{100 * busy:.1f} %"])  # fmt: skip
    return table_html("trace", rows)


def platform_html(p: Platform, pictures: Sequence[tuple[str, str, bytes]], number: int) -> str:
    out = [f'<h2 id="p{number}">{escape(p.title)}</h2>', facts(p.conditions())]
    waiting = {n: figure_html(f"p{number}-{n}", c, i) for n, c, i in pictures}
    for name, heading, rows in tables(p):
        if name in WORDS:
            out += waiting.values()
            waiting.clear()
        out.append(f"<h3>{escape(heading[0].upper() + heading[1:])}</h3>{table_html(name, rows)}")
        here = [n for n in waiting if BELOW.get(n) == name]
        out += [waiting.pop(n) for n in here]
    out += waiting.values()
    if not p.shown:
        out.append("<p class=caution>No good runs.</p>")
    commands = [[x.title, " ".join(x.command), x.about] for x in p.programs if x.command]
    if commands:
        out.append(
            "<details><summary>Commands</summary>"
            + table_html("bad", [["", "command", ""], *commands])
            + "</details>"
        )
    return "\n".join(out)


def page(
    heading: str,
    parts: Sequence[tuple[Platform, Sequence[tuple[str, str, bytes]]]],
    traces: Sequence[tuple[str, Trace, bytes | None]],
    notes: Sequence[str] = (),
) -> str:
    links = [(f"p{i}", p.title) for i, (p, _) in enumerate(parts)]
    links += [("traces", "traces")] if traces else []
    nav = "".join(f'<a href="#{a}">{escape(t)}</a>' for a, t in links)
    out = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(heading)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(heading)}</h1>",
        f"<nav>{nav}</nav>",
    ]
    if notes:
        out.append(facts(notes))
    out += [platform_html(p, pictures, i) for i, (p, pictures) in enumerate(parts)]
    if traces:
        out.append('<h2 id="traces">Traces</h2>')
        for i, (name, trace, picture) in enumerate(traces):
            out.append(f"<h3>{escape(name)}</h3>")
            if picture:
                out.append(figure_html(f"t{i}", "As figures 1 and 4 of the AID paper.", picture))
            out.append(shares_html(trace))
    out.append("</body></html>\n")
    return "\n".join(out)
