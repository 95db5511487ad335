# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of benchmarks/kernels: their register, and how they are built."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import reading

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "benchmarks" / "kernels"
REGISTER = FOLDER / "kernels.toml"
# Group -> what builds it.
TARGETS = {"bench": "all", "ich": "apps", "suites": "suites"}


@dataclass(frozen=True)
class Kernel:
    """One row of the register, which says what its fields mean, with one input or its own."""

    name: str  # PROGRAM, or PROGRAM-INPUT
    program: str
    source: str
    group: str
    what: str
    classes: str
    quick: str
    default: str
    evaluation: str
    split: bool = False
    memory_bound: bool = False
    overhead: bool = False
    workload: bool = False
    tasks: bool = False
    arguments: tuple[str, ...] = ()


def load(
    inputs: Literal["own", "first", "all"] = "own",
    groups: Collection[str] = tuple(TARGETS),
    file: Path = REGISTER,
) -> dict[str, Kernel]:
    """The kernels of GROUPS by name, in the register's order.

    own: each with the input that it has without arguments; first, all: those that do more than
    measure overhead, with the first of their inputs or with each, named after it.
    """
    out: dict[str, Kernel] = {}
    for program, row in reading.tables(file.read_text(encoding="utf-8")).items():
        listed = list(row.pop("inputs", {"": []}).items())
        if row["group"] not in groups or (row.get("overhead") and inputs != "own"):
            continue
        row.setdefault("evaluation", row["quick"])
        chosen = {"own": [("", [])], "first": [("", listed[0][1])], "all": listed}[inputs]
        for title, arguments in chosen:
            name = f"{program}-{title}" if title else program
            out[name] = Kernel(name, program, arguments=tuple(arguments), **row)
    return out


def make(build: Path, groups: Collection[str] = tuple(TARGETS), tasks: bool = False) -> None:
    """Build the kernels of GROUPS; standard output is left to results.

    TASKS: also as tasks, what can be.
    """
    wanted = [*(TARGETS[g] for g in groups), *(["tasks"] if tasks else [])]
    command = ["make", "-s", "-C", str(FOLDER), f"BUILD={build}", *wanted]
    if subprocess.run(command, check=False, stdout=sys.stderr.fileno()).returncode:
        sys.exit("bench: the kernels do not build")
