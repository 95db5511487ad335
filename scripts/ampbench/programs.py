# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that are measured: the kernels of benchmarks/kernels, and those of descriptions.

A description is a small TOML file that says how programs are started and judged;
docs/measure/benchmarks.md has the format.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from . import toml

TOP = Path(__file__).resolve().parents[2]
KERNELS = TOP / "benchmarks" / "kernels"
# Group of kernels -> what builds it.
TARGETS = {"bench": "all", "ich": "apps", "suites": "suites", "bare": "all"}
OWN = ("bin", "data", "work", "threads", "name", "schedule", "cpus", "here")
SUITE_KEYS = {"suite", "about", "source", "defaults", "values", "program", "bin", "build", "part",
              "table", "title", "notes", "quick"}  # fmt: skip
# Of a kernel's row in the register, not of a description.
ROW = ("group", "source", "what", "quick", "default", "evaluation", "inputs")


class Wrong(Exception):
    """A description cannot be used; the text says why."""


@dataclass(frozen=True)
class Program:
    """One program with its input.  File names and commands still hold placeholders."""

    name: str
    command: tuple[str, ...]
    about: str = ""
    needs: tuple[str, ...] = ()  # files that must be there
    expect: str | None = None  # regular expression that a right result matches
    reject: str | None = None  # regular expression that a wrong result matches
    time: str | None = None  # regular expression whose group is the program's own seconds
    own: bool = False  # these seconds count, and not those of the process
    json: bool = False  # the last line is a report: seconds, verified, threads, cpus, runtime
    same: tuple[str, ...] = ()  # files that must come out alike in every run
    numbers: str | None = None  # regular expression: its last match holds the result's numbers ...
    tolerance: float = 0.0  # ... which must be stock's with as many threads, as near as that
    silent: bool = False  # may print nothing
    plain: bool = False  # gets no variable of ours but its environment, and any library serves
    limit: float = 3600.0
    folder: str = ""  # where in {work} it is started
    links: Mapping[str, str] = field(default_factory=dict)  # path in {work} -> target
    stdin: str | None = None
    log: str = ""  # a file of {work} that is looked at like the output
    environment: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    small: Mapping[str, str] = field(default_factory=dict)  # values of --quick and of warm-ups
    # From packages.
    apt: tuple[str, ...] = ()
    pip: tuple[str, ...] = ()
    input: tuple[str, ...] = ()  # a command that makes its input
    preload: bool = False  # it loads a libgomp of its own, under another name
    replace: str = ""  # amp-run's --replace for it
    optional: bool = False  # only where it is named
    # Of kernels.
    classes: str = ""  # smallest first
    split: bool = False
    workload: bool = False
    overhead: bool = False
    tasks: bool = False
    # Not of descriptions.
    suite: str = ""
    here: str = ""  # the description's folder
    row: Mapping[str, Any] = field(default_factory=dict)  # a kernel's, in the register

    @property
    def packaged(self) -> bool:
        """Whether it is run as its package has it."""
        return bool(self.apt or self.pip)

    @property
    def key(self) -> str:
        return f"{self.suite}/{self.name}"

    def fill(self, text: str, places: Mapping[str, str]) -> str:
        """TEXT with its placeholders replaced."""
        try:
            return text.format_map({**self.values, "name": self.name, **places})
        except (KeyError, IndexError, ValueError) as e:
            raise Wrong(f"{self.key}: '{text}': no value for placeholder {e}") from e

    def as_small(self) -> Program:
        return replace(self, values={**self.values, **self.small}) if self.small else self

    def class_of(self, wanted: str) -> str:
        """WANTED: a class, or quick, default, evaluation: the register's."""
        klass = str(self.row.get(wanted) or self.row.get("quick", wanted)) if len(wanted) > 1 else wanted
        if self.classes and klass not in self.classes:
            raise Wrong(f"{self.name} has no class {klass}; there are {', '.join(self.classes)}")
        return klass if self.classes else ""

    def missing(self, places: Mapping[str, str]) -> str | None:
        """Why it cannot be started, or None."""
        binary = self.fill(self.command[0], places)
        if not Path(binary).is_file() or not os.access(binary, os.X_OK):
            return f"{binary} is not there, or not executable"
        for name in (*self.needs, *([self.stdin] if self.stdin else [])):
            if not Path(self.fill(name, places)).exists():
                return f"{self.fill(name, places)} is not there"
        return None


FIELDS = {f.name: str(f.type) for f in fields(Program)}
PROGRAM_KEYS = set(FIELDS) - {"suite", "here", "row"}
EXPRESSIONS = {"expect": 0, "reject": 0, "time": 1, "numbers": 1}


def checked(where: str, key: str, value: Any) -> Any:
    """VALUE as the field KEY has it; raises Wrong."""
    kind = FIELDS[key]
    plain = (str, int, float)
    if kind.startswith("tuple"):
        good, out = isinstance(value, list) and all(isinstance(v, str) for v in value), value
        out = tuple(value) if good else ()
    elif kind.startswith("Mapping"):
        good = isinstance(value, dict) and all(isinstance(v, plain) for v in value.values())
        out = {k: str(v) for k, v in value.items()} if good else {}
    elif kind == "bool":
        good, out = isinstance(value, bool), value
    elif kind == "float":
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        out = float(value) if good else 0.0
    else:
        good, out = isinstance(value, str), value or (None if "None" in kind else value)
    if not good:
        raise Wrong(f"{where}: {key} has a value of the wrong kind")
    if key in EXPRESSIONS and out is not None:
        try:
            groups = re.compile(out).groups
        except re.error as e:
            raise Wrong(f"{where}: {key}: {e}") from e
        if groups < EXPRESSIONS[key]:
            raise Wrong(f"{where}: {key}: a group ( ) around the number is missing")
    return out


def program_of(
    where: str, suite: str, here: Path, row: Mapping[str, Any], values: Mapping[str, str]
) -> Program:
    name = row.get("name")
    where = f"{where}: {name}"
    if unknown := set(row) - PROGRAM_KEYS:
        raise Wrong(f"{where}: unknown key {', '.join(sorted(unknown))}")
    known = {k: checked(where, k, v) for k, v in row.items()}
    if not known.get("name") or "/" in known["name"] or not known.get("command"):
        raise Wrong(f"{where}: name or command is empty, or a name has a slash")
    known["values"] = {**values, **known.get("values", {})}
    if reserved := set(known["values"]) & set(OWN):
        raise Wrong(f"{where}: {', '.join(sorted(reserved))} cannot be given a value")
    if lacking := set(known.get("small", {})) - set(known["values"]):
        raise Wrong(f"{where}: small has {', '.join(sorted(lacking))}, which values lacks")
    for path in (*known.get("links", {}), known.get("folder", "")):
        if path.startswith("/") or ".." in Path(path).parts:
            raise Wrong(f"{where}: '{path}' leads out of the working folder")
    if known.get("limit", 1.0) <= 0:
        raise Wrong(f"{where}: limit must be above 0")
    return Program(**known, suite=suite, here=str(here))


@dataclass(frozen=True)
class Suite:
    """What a description says."""

    name: str
    programs: list[Program]
    bin: str | None = None  # the programs' folder, below build/bench
    build: tuple[str, ...] = ()  # a command that builds them


def load(path: Path, settings: Sequence[str] = ()) -> Suite:
    """A description; SETTINGS are NAME=VALUE or PROGRAM.NAME=VALUE."""
    where = path.name
    try:
        raw = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise Wrong(f"{path}: {e}") from e
    if unknown := set(raw) - SUITE_KEYS:
        raise Wrong(f"{where}: unknown key {', '.join(sorted(unknown))}")
    suite = checked(where, "name", raw.get("suite", path.stem))
    values = checked(where, "values", raw.get("values", {}))
    single: dict[str, dict[str, str]] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        program, _, inner = name.rpartition(".")
        if not equals or not inner:
            raise Wrong(f"--set {setting}: NAME=VALUE or PROGRAM.NAME=VALUE is expected")
        single.setdefault(program, {})[inner] = value
    values |= single.get("", {})
    programs = []
    rows = raw.get("program", [])
    if not isinstance(rows, list) or not isinstance(raw.get("defaults", {}), dict):
        raise Wrong(f"{where}: program or defaults has a value of the wrong kind")
    for row in rows:
        own = {**single.get("", {}), **single.get(row.get("name", ""), {})}
        both = {**raw.get("defaults", {}), **row}
        both["values"] = {**both.get("values", {}), **own}
        programs.append(program_of(where, suite, path.resolve().parent, both, values))
    names = [p.name for p in programs]
    if twice := {n for n in names if names.count(n) > 1}:
        raise Wrong(f"{where}: {', '.join(sorted(twice))}: described twice")
    if not programs:
        raise Wrong(f"{where}: describes no program")
    return Suite(suite, programs, raw.get("bin"), tuple(raw.get("build", ())))


def kernels(inputs: str = "own", groups: Collection[str] = ("bench", "ich", "suites")) -> Suite:
    """The kernels of GROUPS, in the register's order.

    own: each with the input that it has without arguments; first, all: those that do more than
    measure overhead, with the first of their inputs or with each, named after it.
    """
    out = []
    register = toml.loads((KERNELS / "kernels.toml").read_text(encoding="utf-8"))
    for program, told in register.items():
        row = {"classes": "SWAB", "quick": "W", "default": "A", **told}
        listed = list(row.get("inputs", {"": []}).items())
        if row["group"] not in groups or (row.get("overhead") and inputs != "own"):
            continue
        chosen = {"own": [("", [])], "first": [("", listed[0][1])], "all": listed}[inputs]
        for title, arguments in chosen:
            out.append(Program(
                f"{program}-{title}" if title else program,
                ("{bin}/" + program, "{class}", *arguments), row["what"], json=True, own=True,
                suite="kernels", row=row, **{k: v for k, v in row.items() if k not in ROW},
            ))  # fmt: skip
    return Suite("kernels", out)


def make(build: Path, programs: Collection[Program], tasks: bool = False) -> None:
    """Build the kernels among PROGRAMS; standard output is left to results."""
    groups = {p.row["group"] for p in programs if p.row}
    wanted = sorted({TARGETS[g] for g in groups}) + (["tasks"] if tasks and groups else [])
    command = ["make", "-s", "-C", str(KERNELS), f"BUILD={build}", *wanted]
    if wanted and subprocess.run(command, check=False, stdout=sys.stderr.fileno()).returncode:
        sys.exit("bench: the kernels do not build")
