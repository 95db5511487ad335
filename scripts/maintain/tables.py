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
        lines += [f".It Ev {s.name}", f".Dl {s.values}", f"{s.text}."]
    return lines


class Parameter(NamedTuple):
    name: str
    least: int
    most: int
    default: str


class Schedule(NamedTuple):
    name: str
    kind: int
    text: str
    parameters: list[Parameter]

    @property
    def grammar(self) -> str:
        names = "".join(f"[,{p.name}" for p in self.parameters)
        return f"{self.name}{names}{']' * len(self.parameters)}"


def schedules() -> list[Schedule]:
    """The rows of amp_schedulers, in libgomp/core/amp-core.c."""
    core = (TOP / "libgomp/core/amp-core.c").read_text()
    source = "".join(p.read_text() for p in sorted(TOP.glob("libgomp/*/amp*.[ch]")))
    macros = dict(re.findall(r"^#define (\w+) (\d+)$", source, re.M)) | {"INT32_MAX": "2147483647"}
    rows = dict(re.findall(r"struct amp_ops (\w+) = \{(.*?)\n\};", source, re.S))
    found: list[Schedule] = []
    for ops in re.findall(r"&(\w+)", core.partition("amp_schedulers[] = {")[2].partition("}")[0]):
        fields = dict(re.findall(r'\.(\w+) = "?([^",]+)', rows[ops]))
        fields["text"] = rows[ops].partition('.text = "')[2].rstrip('"')
        parameters: list[Parameter] = []
        for name, *numbers in re.findall(r'\{ "(\w+)", (\w+), (\w+), (\w+),', rows[ops]):
            least, most, default = (int(macros.get(n, n)) for n in numbers)
            told = str(default) if default != 0 else "chosen at run time"
            parameters.append(Parameter(name, least, most, told))
        found.append(Schedule(fields["name"], int(fields["kind"]), fields["text"], parameters))
    return found


def schedule_rows() -> list[str]:
    """For docs/use/schedulers.md."""
    rows = ["", "| schedule | | parameter | range | default |", "| --- | --- | --- | --- | --- |"]
    for s in schedules():
        for i, p in enumerate(s.parameters):
            first = f"`{s.grammar}` | {s.text}" if i == 0 else " | "
            rows.append(f"| {first} | {p.name} | {p.least}..{p.most} | {p.default} |")
    return [*rows, ""]


def schedule_items() -> list[str]:
    """For gomp-amp(7)."""
    lines: list[str] = []
    for s in schedules():
        lines += [f'.It Li "{s.grammar}"', f"{s.text}."]
        for p in s.parameters:
            lines += [f".Ar {p.name} :", f"{p.least} to {p.most}; {p.default} if left out."]
    return lines


def schedule_words() -> list[str]:
    """For the help of amp-run(1)."""
    words = [s.grammar for s in schedules() if s.name != "reference"]
    lines = [""]
    for word in [*words, "static|dynamic|guided[,chunk]", "auto"]:
        if len(lines[-1]) + len(word) > 70:
            lines.append("")
        lines[-1] += word + (", " if word != "auto" else "")
    return [f'    "{line}"' for line in lines]


def schedule_names() -> list[str]:
    """For amp-run(1)."""
    words = [s.grammar for s in schedules() if s.name != "reference"]
    return [
        *(f".BR {word} ," for word in words),
        ".BR static|dynamic|guided[,chunk] ,",
        ".BR auto .",
    ]


def kinds() -> list[Schedule]:
    return sorted(schedules(), key=lambda s: s.kind)


def kind_rows() -> list[str]:
    """For docs/use/environment.md."""
    rows = [f"| `omp_sched_{s.name}` | {s.kind} |" for s in kinds()]
    return ["", "| name | value |", "| --- | --- |", *rows, ""]


def kind_lines() -> list[str]:
    """For omp_amp.h."""
    return [
        f"  omp_sched_{s.name} = {s.kind}{',' if s != kinds()[-1] else ''}"
        f"\t/* {', '.join(p.name for p in s.parameters)}.  */"
        for s in kinds()
    ]


LISTS: dict[str, Callable[[], list[str]]] = {
    "setting-rows": setting_rows,
    "setting-items": setting_items,
    "schedule-rows": schedule_rows,
    "schedule-items": schedule_items,
    "schedule-words": schedule_words,
    "schedule-names": schedule_names,
    "kind-rows": kind_rows,
    "kind-lines": kind_lines,
}


def pages() -> list[Path]:
    code = [TOP / "libgomp/runtime/omp_amp.h", TOP / "tools/amp-run/amp-run.c"]
    return [*code, *sorted([*TOP.glob("docs/**/*.md"), *TOP.glob("docs/man/*.[1-8]")])]


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
