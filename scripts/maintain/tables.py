#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what pages list and the code says anew: tables.py [--check].

A page has such a list between two lines with `BEGIN NAME` and `END NAME`, which are comments.
With --check nothing is written; pages that differ are named, and the status is 1."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]


class Setting(NamedTuple):
    name: str
    values: str
    text: str


def settings() -> list[Setting]:
    """The rows of libgomp/runtime/gomp-amp-settings.h."""
    source = (TOP / "libgomp/runtime/gomp-amp-settings.h").read_text()
    string = r'((?:"[^"]*"\s*)+)'
    row = rf"^GOMP_AMP_SETTING \({string}, \w+, \w+,\s*{string},\s*{string}\)"
    plain = [[re.sub(r'"\s*"?', "", s) for s in r] for r in re.findall(row, source, re.M)]
    found = [Setting("GOMP_AMP" + name, values, text) for name, values, text in plain]
    return sorted(found, key=lambda s: s.name == "GOMP_AMP_DEBUG")


def setting_rows() -> list[str]:
    """For docs/use/environment.md."""
    rows = [
        f"| [`{s.name}`](#{s.name.lower()}) | `{s.values.replace('|', chr(92) + '|')}` | {s.text} |"
        for s in settings()
    ]
    return ["", "| variable | values | effect |", "| --- | --- | --- |", *rows, ""]


def setting_items() -> list[str]:
    """For gomp-amp(7)."""
    lines: list[str] = []
    for s in settings():
        lines += [f".It Ev {s.name}", f"{s.text}:"]
        lines += [".Bd -literal -compact -offset indent", s.values, ".Ed"]
    return lines


LISTS: dict[str, Callable[[], list[str]]] = {
    "setting-rows": setting_rows,
    "setting-items": setting_items,
}


def pages() -> list[Path]:
    return sorted([*TOP.glob("docs/**/*.md"), *TOP.glob("docs/man/*.[1-8]")])


def renewed(text: str) -> str:
    """A page's TEXT with its lists as they are to be."""

    def write(match: re.Match[str]) -> str:
        return "".join([match[1], *(f"{line}\n" for line in LISTS[match[2]]()), match[3]])

    return re.sub(r"(.*BEGIN ([a-z-]+)\b.*\n)(?:.*\n)*?(.*END \2\b)", write, text)


def main() -> int:
    wrong = 0
    for page in pages():
        text = page.read_text()
        new = renewed(text)
        if new != text and "--check" in sys.argv[1:]:
            print(f"{page.relative_to(TOP)}: run scripts/maintain/tables.py")
            wrong = 1
        elif new != text:
            page.write_text(new)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
