# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of suites: small TOML files that say how programs are started.

docs/measure/benchmarks.md has the format.  Placeholders in commands and file names:
{bin} {data} {work} {threads}, and what [values] and --set define.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import kernels, reading

DEFAULT_LIMIT = 3600.0
OWN = ("bin", "data", "work", "threads", "name")
SUITE_KEYS = {"suite", "about", "source", "defaults", "values", "program", "kernels"}
PROGRAM_KEYS = {
    "name", "about", "command", "needs", "expect", "reject", "time", "same", "silent", "limit",
    "folder", "links", "stdin", "environment", "values",
}  # fmt: skip


class Wrong(Exception):
    """A description cannot be used; the text says why."""


@dataclass(frozen=True)
class Program:
    """One program with its input.  File names and commands still hold placeholders."""

    suite: str
    name: str
    command: tuple[str, ...]
    about: str = ""
    needs: tuple[str, ...] = ()  # files that must be there
    expect: str | None = None  # regular expression that a right result matches
    reject: str | None = None  # regular expression that a wrong result matches
    time: str | None = None  # regular expression whose group is the program's own seconds
    same: tuple[str, ...] = ()  # files that must come out alike in every run
    silent: bool = False  # may print nothing
    limit: float = DEFAULT_LIMIT
    folder: str = ""  # where in {work} it is started
    links: Mapping[str, str] = field(default_factory=dict)  # path in {work} -> target
    stdin: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.name}"

    def fill(self, text: str, places: Mapping[str, str]) -> str:
        """TEXT with its placeholders replaced."""
        try:
            return text.format_map({**self.values, **places})
        except (KeyError, IndexError, ValueError) as e:
            raise Wrong(f"{self.key}: '{text}': no value for placeholder {e}") from e


def expect_kind(where: str, key: str, value: Any, kind: type | tuple[type, ...]) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Wrong(f"{where}: {key} has a value of the wrong kind")
    return value


def texts(where: str, key: str, value: Any) -> tuple[str, ...]:
    expect_kind(where, key, value, list)
    return tuple(expect_kind(where, key, v, str) for v in value)


def table(where: str, key: str, value: Any) -> dict[str, str]:
    expect_kind(where, key, value, dict)
    return {k: str(expect_kind(where, key, v, (str, int, float))) for k, v in value.items()}


def expression(where: str, key: str, value: Any, groups: int) -> str:
    expect_kind(where, key, value, str)
    try:
        found = re.compile(value).groups
    except re.error as e:
        raise Wrong(f"{where}: {key}: {e}") from e
    if found < groups:
        raise Wrong(f"{where}: {key}: a group ( ) around the number is missing")
    return str(value)


def program_of(
    where: str, suite: str, row: Mapping[str, Any], defaults: Mapping[str, Any],
    values: Mapping[str, str],
) -> Program:  # fmt: skip
    both = {**defaults, **row}
    name = expect_kind(where, "name", both.get("name"), str)
    where = f"{where}: {name}"
    unknown = set(both) - PROGRAM_KEYS
    if unknown:
        raise Wrong(f"{where}: unknown key {', '.join(sorted(unknown))}")
    command = texts(where, "command", both.get("command"))
    if not name or "/" in name or not command:
        raise Wrong(f"{where}: name or command is empty, or a name has a slash")
    own = {**values, **table(where, "values", both.get("values", {}))}
    reserved = set(own) & set(OWN)
    if reserved:
        raise Wrong(f"{where}: {', '.join(sorted(reserved))} cannot be given a value")
    links = table(where, "links", both.get("links", {}))
    folder = expect_kind(where, "folder", both.get("folder", ""), str)
    for path in (*links, folder):
        if path.startswith("/") or ".." in Path(path).parts:
            raise Wrong(f"{where}: '{path}' leads out of the working folder")
    limit = float(expect_kind(where, "limit", both.get("limit", DEFAULT_LIMIT), (int, float)))
    if limit <= 0:
        raise Wrong(f"{where}: limit must be above 0")
    return Program(
        suite=suite,
        name=name,
        command=command,
        about=expect_kind(where, "about", both.get("about", ""), str),
        needs=texts(where, "needs", both.get("needs", [])),
        expect=expression(where, "expect", both["expect"], 0) if both.get("expect") else None,
        reject=expression(where, "reject", both["reject"], 0) if both.get("reject") else None,
        time=expression(where, "time", both["time"], 1) if both.get("time") else None,
        same=texts(where, "same", both.get("same", [])),
        silent=expect_kind(where, "silent", both.get("silent", False), bool),
        limit=limit,
        folder=folder,
        links=links,
        stdin=expect_kind(where, "stdin", both["stdin"], str) if both.get("stdin") else None,
        environment=table(where, "environment", both.get("environment", {})),
        values={**own, "name": name},
    )


def kernels_of(
    where: str, path: Path, suite: str, table_: Mapping[str, Any], defaults: Mapping[str, Any],
    values: Mapping[str, str], single: Mapping[str, Mapping[str, str]],
) -> list[Program]:  # fmt: skip
    """The programs of a register such as benchmarks/kernels/kernels.toml, each input one program."""
    expect_kind(where, "kernels", table_, dict)
    file = path.parent / str(table_.get("file", ""))
    command = list(texts(where, "kernels.command", table_.get("command")))
    try:
        rows = kernels.load("all", file=file)
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise Wrong(f"{where}: {file}: {e}") from e
    out = []
    for name, kernel in rows.items():
        wanted = {**values, **single.get(name, {})}.get("class", "")
        entry = {
            "name": name,
            "about": kernel.what,
            "command": [*(c.replace("{name}", kernel.program) for c in command), *kernel.arguments],
            "values": {"class": wanted if wanted in list(kernel.classes) else kernel.default},
        }
        out.append(program_of(where, suite, entry, defaults, values))
    return out


def load(path: Path, settings: Sequence[str] = ()) -> list[Program]:
    """The programs of a description; SETTINGS are NAME=VALUE or PROGRAM.NAME=VALUE."""
    where = path.name
    try:
        raw = reading.tables(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise Wrong(f"{path}: {e}") from e
    unknown = set(raw) - SUITE_KEYS
    if unknown:
        raise Wrong(f"{where}: unknown key {', '.join(sorted(unknown))}")
    suite = expect_kind(where, "suite", raw.get("suite", path.stem), str)
    values = table(where, "values", raw.get("values", {}))
    defaults = expect_kind(where, "defaults", raw.get("defaults", {}), dict)
    everywhere: dict[str, str] = {}
    single: dict[str, dict[str, str]] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        program, dot, inner = name.rpartition(".")
        if not equals or not inner:
            raise Wrong(f"--set {setting}: NAME=VALUE or PROGRAM.NAME=VALUE is expected")
        if dot:
            single.setdefault(program, {})[inner] = value
        else:
            everywhere[inner] = value
    values |= everywhere
    programs = []
    for row in expect_kind(where, "program", raw.get("program", []), list):
        given = {**row.get("values", {}), **everywhere, **single.get(row.get("name", ""), {})}
        programs.append(program_of(where, suite, {**row, "values": given}, defaults, values))
    if "kernels" in raw:
        programs += kernels_of(where, path, suite, raw["kernels"], defaults, values, single)
    names = [p.name for p in programs]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise Wrong(f"{where}: {', '.join(sorted(twice))}: described twice")
    if not programs:
        raise Wrong(f"{where}: describes no program")
    return programs


def missing(program: Program, places: Mapping[str, str]) -> str | None:
    """Why PROGRAM cannot be started, or None."""
    binary = program.fill(program.command[0], places)
    if not Path(binary).is_file() or not os.access(binary, os.X_OK):
        return f"{binary} is not there, or not executable"
    if program.stdin and not Path(program.fill(program.stdin, places)).is_file():
        return f"{program.fill(program.stdin, places)} is not there"
    for name in program.needs:
        if not Path(program.fill(name, places)).exists():
            return f"{program.fill(name, places)} is not there"
    return None
