# SPDX-License-Identifier: GPL-3.0-or-later
"""Experiments: what is run, what is simulated, and the tables that are made of it.

An experiment is a TOML file; benchmarks/experiments has ours, benchmarks/papers what papers need,
and a description of programs may have parts and tables of its own.  docs/measure/measuring.md has
the format.
"""

from __future__ import annotations

import fnmatch
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from . import programs, toml
from .config import Config, parse, parse_all, select
from .emulation import METHODS, PERIOD
from .programs import Program, Suite, Wrong
from .record import EQUAL

BENCHMARKS = programs.TOP / "benchmarks"
# What makes sense only where CPUs are unequal.
UNEQUAL = ("fast", "split", "blind", "replace", "team")
KEYS = {"title", "notes", "part", "table", "quick", "inputs", "groups"}


@dataclass(frozen=True)
class Line:
    """One bar of a simulation: a schedule, or more of amp-sim's options, under a name."""

    name: str
    schedule: str = ""
    options: tuple[str, ...] = ()
    machine: str = ""  # in place of the part's
    only: tuple[str, ...] = ()  # of these machines, by name


@dataclass(frozen=True)
class Part:
    """What is run, or, where there are machines, simulated."""

    name: str = "run"
    programs: tuple[str, ...] = ()  # of the suite, shell patterns; all without
    tasks: bool = False  # only those that are built as tasks
    small: bool = False  # with the values of that name
    klass: str = "quick"  # a class, or the register's quick, default, evaluation
    reps: int = 5
    budget: float = 60.0  # minutes
    limit: float = 0.0  # seconds of a run; 0: the programs' own
    # Of what is run.
    configs: tuple[str, ...] = ()
    ratios: tuple[float, ...] = (EQUAL,)
    threads: tuple[int, ...] = ()  # one a CPU; 0: 1, 2, 4 ... and all
    splits: tuple[float, ...] = ()  # splits by hand, in ratios of speeds
    singles: bool = True  # each CPU alone
    alone: tuple[str, ...] = ()  # whose speeds make the ideal, in place of these
    own_types: bool = True  # the machine's own types of cores are taken where it has any
    period: str = PERIOD
    method: str = METHODS[0]  # any: the first that is possible, else equal cores
    warm: str = ""  # the class of the warm-up, else the same; least: the smallest
    brief: bool = False  # Plan's, as the three below
    by_job: bool = False
    patient: bool = False
    warm_once: bool = False
    lengths: tuple[int, ...] = ()  # of the kernel short's loops, in microseconds
    kinds: tuple[str, ...] = ()  # of these loops
    calls: bool = False  # each of these loops is a parallel region
    # Of what is simulated.
    machines: Mapping[str, str] = field(default_factory=dict)  # name -> amp-sim's --machine
    lines: tuple[Line, ...] = ()
    options: tuple[str, ...] = ()  # amp-sim's
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # by program, for {}
    watts: Mapping[str, str] = field(default_factory=dict)  # amp-sim's, by machine; *: of others
    cores: tuple[int, ...] = ()  # of each type that are there; what a machine lacks of them ...
    unused: tuple[float, ...] = ()  # ... draws so many watts each; as idle cores without
    sf: Mapping[str, Sequence[float]] = field(default_factory=dict)  # bounds of loops' SFs
    serial: str = "all"  # what counts beside loops: all, timed (between loops), none
    paid: bool = False  # what updates and loops cost is measured here
    recordings: int = 3
    least_loops: int = 0  # so many loops are executed at least
    beside: str = ""  # the part whose real runs it predicts

    @property
    def simulated(self) -> bool:
        return bool(self.machines)

    def chosen(self, suite: Suite) -> list[Program]:
        known = [p for p in suite.programs if not self.tasks or p.tasks]
        for pattern in self.programs:
            if not fnmatch.filter([n for p in suite.programs for n in (p.name, p.key)], pattern):
                there = ", ".join(p.name for p in suite.programs)
                raise Wrong(f"no program {pattern}; there are {there}")
        return [
            p.as_small() if self.small else p for p in known
            if any(fnmatch.fnmatchcase(n, w) for w in self.programs for n in (p.name, p.key))
            or not (self.programs or p.optional)
        ]  # fmt: skip

    def configs_of(self, program: Program, ratio: float, cpus: Sequence[int], guess: float,
                   wanted: Sequence[str] = ()) -> list[Config]:  # fmt: skip
        """What PROGRAM is run under on CPUS, RATIO times slower; GUESS: where that is not known."""
        out = parse_all(self.configs)
        if program.split and ratio != EQUAL:
            out += [parse(f"split:{(ratio or guess) * f:.3g}") for f in self.splits]
        if self.singles:
            out += [Config("single", str(c)) for c in cpus]
        out = select(out, wanted)
        return [
            c for c in out
            if not (ratio == EQUAL and c.runtime in UNEQUAL)
            and not (c.schedule == "replace" and c.runtime == "run" and not program.replace)
        ]  # fmt: skip


def expanded(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row with `over', once for each choice of its values, which fill its texts."""
    over = row.get("over", {})
    plain = {k: v for k, v in row.items() if k != "over"}
    for choice in itertools.product(*over.values()):
        values = dict(zip(over, choice))

        def fill(v: Any, values: Mapping[str, Any] = values) -> Any:
            if isinstance(v, list):
                return [fill(x) for x in v]
            if isinstance(v, str):
                for name, value in values.items():
                    v = v.replace(f"<{name}>", str(value))
            return v

        yield {k: fill(v) for k, v in plain.items()}


def frozen(where: str, kind: type, row: Mapping[str, Any]) -> Any:
    """KIND made of ROW, whose keys must be its fields."""
    known = {f.name for f in fields(kind)}
    if unknown := set(row) - known:
        raise Wrong(f"{where}: unknown key {', '.join(sorted(unknown))}")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})


def part_of(where: str, row: Mapping[str, Any]) -> Part:
    named = {"class": "klass", "line": "lines"}
    found = {named.get(k, k): v for k, v in row.items()}
    lines = [frozen(where, Line, one) for r in found.get("lines", []) for one in expanded(r)]
    part: Part = frozen(where, Part, {**found, "lines": lines})
    return part


@dataclass(frozen=True)
class Experiment:
    """A file, with what options have changed."""

    name: str
    title: str
    suite: Suite
    parts: tuple[Part, ...]
    tables: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()


def names(folder: str) -> list[str]:
    return sorted(f.stem for f in (BENCHMARKS / folder).glob("*.toml"))


def find(name: str) -> Path:
    """The file of NAME."""
    if name.endswith(".toml") or "/" in name:
        return Path(name)
    for folder in ("experiments", "papers", "suites", name):
        path = BENCHMARKS / folder / f"{name}.toml"
        if path.is_file():
            return path
    known = ", ".join(names("experiments") + names("papers") + names("suites"))
    raise Wrong(f"no experiment, paper or suite {name}; there are {known}")


def load(path: Path, quick: bool = False, settings: Sequence[str] = ()) -> Experiment:
    """QUICK: with what the file says under that name, for all parts.  A file without parts is run
    as suites.toml says, one without programs runs our kernels."""
    try:
        raw = toml.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise Wrong(f"{path}: {e}") from e
    if "program" in raw:
        suite = programs.load(path, settings)
    else:
        groups = raw.get("groups", ["bench", "ich", "suites"])
        suite = programs.kernels(raw.get("inputs", "own"), groups)
        if unknown := set(raw) - KEYS:
            raise Wrong(f"{path.name}: unknown key {', '.join(sorted(unknown))}")
    shape = raw
    if "part" not in raw:
        shape = toml.loads((BENCHMARKS / "experiments/suites.toml").read_text(encoding="utf-8"))
    parts = []
    for row in shape["part"]:
        more = {k: v for k, v in shape.get("quick", {}).items()
                if quick and (k != "machines" or k in row)}  # fmt: skip
        parts.append(part_of(path.name, {**row, **more}))
    return Experiment(path.stem, raw.get("title") or raw.get("about") or suite.name, suite,
                      tuple(parts), tuple(shape.get("table", ())), tuple(raw.get("notes", ())))  # fmt: skip


def overridden(part: Part, **given: Any) -> Part:
    """PART with what options say; None says nothing."""
    known: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in given.items() if v is not None
    }
    if part.simulated and (lines := known.pop("configs", None)):
        new = [Line(x, x) for x in lines if not any(fnmatch.fnmatchcase(y.name, x) for y in part.lines)]
        kept = [y for y in part.lines if any(fnmatch.fnmatchcase(y.name, x) for x in lines)]
        known["lines"] = (*kept, *new)
    elif not part.simulated:
        known.pop("configs", None)  # which are selected from
        known.pop("machines", None)
    return replace(part, **known)
