# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs of a program have in common, and what differs in another one."""

from __future__ import annotations

import argparse
import math
import os
import re
import signal
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable


def say(text: str) -> None:
    print(f"amp-run: {text}", file=sys.stderr, flush=True)


def die(text: str) -> NoReturn:
    say(text)
    sys.exit(2)


class Parser(argparse.ArgumentParser):
    """Of options that amp-run hands on.  A file to be written is opened by it, so that nobody is
    told afterwards that it cannot be."""

    def error(self, message: str) -> NoReturn:
        die(re.sub("^argument ", "", message))


def number_of(text: str, least: float, kind: Callable[[str], float] = float) -> float:
    try:
        if least <= (value := kind(text)) < math.inf:
            return value
    except ValueError:
        pass
    whole = " whole" if kind is int else ""
    raise argparse.ArgumentTypeError(f"'{text}': a{whole} number from {least:g} is expected")


def count(text: str) -> int:
    return int(number_of(text, 1, int))


def status_of(main: Callable[[], int], failed: int) -> int:
    """MAIN's status; FAILED where something cannot be written, which is said."""
    try:
        status = main()
        sys.stdout.flush()
        return status
    except OSError as e:
        # Nor is what is left written at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(e, BrokenPipeError):
            file = f" {e.filename}" if e.filename else ""
            say(f"cannot write{file}: {e.strerror}")
        return failed


@dataclass
class Outcome:
    """What a run has left.  The status is None if it did not end in time."""

    status: int | None
    seconds: float
    streams: dict[str, list[str]]  # Lines.

    def end(self) -> str:
        if self.status is None:
            return f"did not end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"was ended by signal {signal.Signals(-self.status).name}"
        return f"ended with status {self.status}"


NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]+|(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w])"
)
# A time of day, a date, or a time with its unit.
CLOCK = r"(?<![\w.:])(?:\d+:\d\d(?::\d\d)?(?:\.\d+)?|\d{4}-\d\d-\d\d|(?:\d+m)?[\d.]+[mun\u00b5]?s)(?!\w)"
FIELD = re.compile(rf"({CLOCK}|{NUMBER.pattern})|\s+")
# A number is a time, or a rate, before such a word or behind such a one.
UNIT = re.compile(r"\W*([mun\u00b5]?s(ecs?)?|secs?|seconds?|\w+/s(ec)?|[kmgt]?flops?)\W*", re.I)
LABEL = re.compile(r"\W*(time|wall|elapsed|took|seconds|duration)[])=:]*", re.I)


@dataclass(frozen=True)
class Tolerance:
    relative: float
    absolute: float

    def equal(self, a: str, b: str) -> bool:
        """Two fields: numbers that are near, or the same text."""
        if a == b:
            return True
        integer = re.compile(r"[-+]?\d+")
        try:
            if integer.fullmatch(a) and integer.fullmatch(b):
                return int(a) == int(b)
            x, y = (float(t.upper().replace("D", "E")) for t in (a, b))
        except ValueError:
            return False
        return abs(x - y) <= self.absolute + self.relative * max(abs(x), abs(y))


def fields(line: str) -> list[str]:
    """Words and numbers; # for what says that it is a time."""
    found = [f for f in FIELD.split(line) if f]
    words = [re.search(r"[^\W\d]", f) for f in found]
    for i, f in enumerate(found):
        if re.fullmatch(CLOCK, f):
            found[i] = "#"
        elif NUMBER.fullmatch(f):
            before = next((found[j] for j in range(i - 1, -1, -1) if words[j]), "")
            after = found[i + 1] if i + 1 < len(found) else ""
            if LABEL.fullmatch(before) or UNIT.fullmatch(after):
                found[i] = "#"
    return found


# What is compared of a text, columns of fields: of each line, under its number, or, where lines
# come in any order, of all lines with the same words, under -1 and these.
if TYPE_CHECKING:
    Key = tuple[int, str]
    Table = dict[Key, list[list[str]]]
    Cell = tuple[Key, int]


def words(columns: list[str]) -> str:
    return " ".join("#" if NUMBER.fullmatch(f) else f for f in columns)


def order(f: str) -> tuple[float, str]:
    try:
        return float(f), f
    except ValueError:
        return math.inf, f


def table(lines: list[str], ordered: bool) -> Table:
    found: Table = {}
    for i, line in enumerate(lines):
        cells = fields(line)
        if ordered:
            found[i, ""] = [[f] for f in cells]
        else:
            cells = ["line", *(f for f in cells if NUMBER.fullmatch(f))]
            columns = found.setdefault((-1, words(fields(line))), [[] for _ in cells])
            for column, f in zip(columns, cells):
                column.append(f)
    for columns in found.values():
        for column in columns:
            column.sort(key=order)
    return found


class Text:
    """What samples of a text have in common; the rest is noise."""

    def __init__(self, tolerance: Tolerance) -> None:
        self.tolerance = tolerance
        self.lines: list[str] = []  # Of the first sample.
        self.samples: dict[bool, list[Table]] = {True: [], False: []}

    def learn(self, lines: list[str]) -> None:
        self.lines = self.lines or lines
        for ordered, tables in self.samples.items():
            tables.append(table(lines, ordered))
        # That form of which the least is noise.
        self.noise, self.ordered = min(
            ((self.common(o), o) for o in self.samples), key=lambda form: len(form[0])
        )
        self.first, *rest = self.samples[self.ordered]
        # Are there lines that only some samples have?
        self.loose = any(t.keys() != self.first.keys() for t in rest)
        # Words count only if there are any.
        cells = {
            (key, i)
            for key, columns in self.first.items()
            for i, column in enumerate(columns)
            if any(re.search(r"\w", f) for f in column)
        }
        self.cells, self.noisy = len(cells), len(cells & self.noise)

    def differing(self, columns: list[list[str]], others: list[list[str]] | None) -> list[int]:
        """Which columns differ; all of them, if the lines are other ones."""
        if others is None or [len(c) for c in columns] != [len(c) for c in others]:
            return list(range(len(columns)))
        return [
            i
            for i, (a, b) in enumerate(zip(columns, others))
            if not all(self.tolerance.equal(x, y) for x, y in zip(a, b))
        ]

    def common(self, ordered: bool) -> set[Cell]:
        """The first sample's cells that are noise."""
        first, *rest = self.samples[ordered]
        noise = {
            (key, i)
            for key, columns in first.items()
            for t in rest
            for i in self.differing(columns, t.get(key))
        }
        # Where two lines with the same words differ, the others with these may do so, too.
        alike = {key: words([c[0] for c in columns]) for key, columns in first.items() if columns}
        often = Counter((alike[key], i) for key, i in noise)
        return noise | {
            (key, i)
            for key, columns in first.items()
            for i in range(len(columns))
            if often[alike[key], i] > 1
        }

    def differences(self, lines: list[str]) -> dict[Cell, str]:
        seen = table(lines, self.ordered)
        found: dict[Cell, str] = {}
        for key in dict.fromkeys([*self.first, *seen]):
            columns = self.first.get(key)
            if columns is None or key not in seen:
                if not self.loose:
                    found[key, -1] = self.told(key, lines)
                continue
            for i in self.differing(columns, seen[key]):
                if (key, i) not in self.noise:
                    found[key, i] = self.told(key, lines)
        return found

    def told(self, key: Key, lines: list[str]) -> str:
        number, text = key
        if number < 0:
            return f"the lines like '{text[:60]}'"
        a, b = (x[number].strip()[:60] if number < len(x) else "" for x in (lines, self.lines))
        return f"line {number + 1}: '{a}' instead of '{b}'"


class Reference:
    """What runs under static have in common."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.parts: dict[str, Text] = {}
        self.absent: set[str] = set()  # From some runs.
        self.runs = 0

    def ignores(self, text: str) -> bool:
        return any(p.search(text) for p in self.options.ignore)

    def lines(self, lines: list[str]) -> list[str]:
        return [line for line in lines if not self.ignores(line)]

    def learn(self, outcome: Outcome) -> None:
        self.status = outcome.status
        self.runs += 1
        for name, lines in outcome.streams.items():
            # Files are known from the second run on.
            if name not in self.parts and (self.runs > 2 or self.ignores(name)):
                continue
            self.parts.setdefault(name, Text(self.options.tolerance)).learn(self.lines(lines))
        if self.runs > 1:
            self.absent |= self.parts.keys() - outcome.streams.keys()

    def noise(self) -> list[str]:
        compared = [part.noisy < part.cells for part in self.parts.values() if part.cells]
        nothing = ["nothing that the program puts out is the same each time; only how it ends is compared"]
        return nothing * (compared != [] and not any(compared)) + [
            f"{name}: {part.noisy} of {part.cells} fields differ from run to run by themselves;"
            " not compared"
            for name, part in self.parts.items()
            if part.noisy
        ] + [f"{name}: not written in each run; not compared" for name in sorted(self.absent)]

    def differences(self, outcome: Outcome) -> dict[tuple[str, Cell], str]:
        if outcome.status != self.status:
            return {("", ((0, ""), 0)): outcome.end()}
        found: dict[tuple[str, Cell], str] = {}
        for name, part in self.parts.items():
            if name in self.absent:
                continue
            if name not in outcome.streams:
                found[name, ((0, ""), 0)] = f"{name}: is not written"
                continue
            for cell, what in part.differences(self.lines(outcome.streams[name])).items():
                found[name, cell] = f"{name}: {what}"
        return found
