# SPDX-License-Identifier: GPL-3.0-or-later
"""The command scripts/bench: finds the subcommand and lets it work."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from . import plots, session
from .commands import (
    aid,
    board,
    compare,
    demo,
    device,
    field,
    ich,
    maturity,
    mpi,
    report,
    short,
    simulate,
    suites,
    validate,
    watts,
)


class Command(Protocol):
    """What stands for a subcommand; its text is the help."""

    @classmethod
    def options(cls, p: session.Parser) -> None: ...
    def __init__(self, args: argparse.Namespace) -> None: ...
    def run(self) -> int:
        """Returns the exit status."""


COMMANDS: dict[str, type[Command]] = {
    "demo": demo.Demo,
    "compare": compare.Compare,
    "sites": compare.Sites,
    "change": compare.Change,
    "short": short.Short,
    "ich": ich.Ich,
    "aid": aid.Aid,
    "device": device.Device,
    "field": field.FieldPrograms,
    "mpi": mpi.Ranks,
    "validate": validate.Validate,
    "maturity": maturity.Maturity,
    "simulate": simulate.Simulate,
    "suites": suites.Suites,
    "report": report.Report,
    "board": board.Board,
    "watts": watts.Watts,
}


def parser() -> session.Parser:
    p = session.Parser(prog="bench", description=(
        "Measure gomp-amp: its schedules, the peers', and the papers'. Raw data are kept as lines "
        "of JSON; every command that measures goes on with its file by --resume."
    ))  # fmt: skip
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        text = (command.__doc__ or "").strip()
        sub = commands.add_parser(
            name, help=text.partition("\n")[0].rstrip("."), description=text,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        sub.set_defaults(make=command, parser=sub)
        command.options(sub)
    text = "Draw the plots of raw data: what a Python without matplotlib leaves to another one"
    sub = commands.add_parser("draw", help=text, description=text)
    sub.add_argument("raw", type=Path)
    sub.add_argument("target", type=Path)
    return p


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        if args.command == "draw":
            plots.draw(args.raw, args.target)
            return 0
        return int(args.make(args).run())
    except BrokenPipeError:
        # Nobody reads on; nothing is left to be written at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (OSError, RuntimeError, subprocess.SubprocessError) as e:
        sys.exit(f"bench: {e}")
