# SPDX-License-Identifier: GPL-3.0-or-later
"""The command scripts/bench."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import experiment, pictures, record, runtimes, sensors, tables, watts
from .emulation import METHODS, NotPossible
from .engine import Engine, build_folder, fail, say
from .experiment import Experiment, Part
from .programs import TOP, Wrong
from .record import EQUAL

Parser = argparse.ArgumentParser
COMMANDS = {
    "run": "an experiment of benchmarks/experiments, or a file; watts: what a core of each type draws",
    "compare": "kernels under schedules and other OpenMP libraries",
    "suites": "programs that you have built, or packages: npb, rodinia, parsec, field, a file",
    "reproduce": "what a paper has measured: benchmarks/papers",
    "simulate": "kernels under every schedule on machines that one need not have",
    "report": "tables, pictures, a page and CSV of raw data",
}
# What a session that goes on takes from its file, and what of that may be given anew.
KEPT = ("names", "quick", "programs", "klass", "configs", "ratios", "threads", "cpus", "slow", "emulate",
        "period", "method", "parts", "reps", "budget", "limit", "set", "bin", "data", "lib", "prefix",
        "types", "env", "energy", "sysfs", "interval", "cool_to", "machines", "seed", "also")  # fmt: skip
FREE = ("reps", "budget", "limit", "cool_to")


def words(text: str) -> list[str]:
    """Names, with semicolons between them or blanks."""
    return [w.strip() for w in (text.split(";") if ";" in text else text.split())]


def commas(text: str) -> list[str]:
    return text.split(",")


def numbers(text: str) -> list[int]:
    """A list of CPUs as taskset and amp-emulate take it: 1,4-7."""
    found: set[int] = set()
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            if not (some := range(int(first), int(last or first) + 1)):
                raise ValueError
            found |= set(some)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: no list of CPUs, as 1,4-7") from None
    return sorted(found)


def counted(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)


def positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < float("inf"):
        raise argparse.ArgumentTypeError("must be a number above 0")
    return value


def ratios(text: str) -> list[float]:
    found = [positive(r) for r in text.split(",")]
    if not all(0.01 <= r <= 100.0 for r in found):
        raise argparse.ArgumentTypeError("must be from 0.01 to 100")
    return found


def existing(text: str) -> Path:
    if not Path(text).exists():
        raise argparse.ArgumentTypeError(f"{text}: no such file")
    return Path(text)


def add_experiment(p: Parser) -> None:
    what = p.add_argument_group("what is run; each option changes what the experiment says")
    what.add_argument("--programs", "--kernels", type=commas, metavar="A,B", help="only these")
    what.add_argument("--class", dest="klass", help="problem class of kernels")
    what.add_argument("--configs", action="append", default=[], metavar="CONFIG",
                      help="only these, several times, or with blanks or semicolons between; shell "
                      "patterns choose of those that there are; of simulations the lines")
    what.add_argument("--quick", action="store_true", default=None, help="small and short")
    what.add_argument("--only", dest="parts", type=commas, metavar="PART", help="of its parts")
    what.add_argument("--ratio", type=ratios, dest="ratios", metavar="R,R",
                      help="how many times slower the slow CPUs are; 1: equal cores")
    what.add_argument("--threads", type=counted, dest="cpus", metavar="N", help="one a CPU (all)")
    what.add_argument("--thread-counts", type=numbers, dest="threads", help=argparse.SUPPRESS)
    what.add_argument("--slow", type=numbers, metavar="CPUS", help="the slow ones (the last)")
    what.add_argument("--emulate", action=argparse.BooleanOptionalAction,
                      help="slow CPUs by amp-emulate, or never (if all cores are of one type)")
    what.add_argument("--period", help="amp-emulate's")
    what.add_argument("--method", choices=METHODS, help="amp-emulate's")
    what.add_argument("--machines", type=commas, metavar="M,M", help="amp-sim's")
    what.add_argument("--also", action="append", default=[], metavar="SCHEDULE",
                      help="one more, in simulations and real runs")
    what.add_argument("--set", action="append", default=[], metavar="NAME=VALUE",
                      help="a value of the description; PROGRAM.NAME=VALUE for one program")
    how = p.add_argument_group("how")
    how.add_argument("--reps", type=counted, metavar="N", help="rounds that count")
    how.add_argument("--budget", type=positive, metavar="MINUTES",
                     help="then it stops, but not before one round is finished")
    how.add_argument("--seed", type=int, help="of the order of runs (the time)")
    how.add_argument("--limit", type=positive, metavar="SECONDS", help="that a run may take")
    how.add_argument("--cool-to", type=float, metavar="C", help="wait before each run, at most 5 "
                     "minutes, until nothing is hotter")
    how.add_argument("--energy", choices=("auto", "none", *sensors.GROUPS), default="auto",
                     help="where energy comes from (auto: the first that is there)")
    how.add_argument("--interval", type=positive, default=sensors.INTERVAL, metavar="S",
                     help="between samples of sensors (%(default)g)")
    how.add_argument("--sysfs", default="/sys", metavar="DIR", help="read sensors there")
    how.add_argument("--env", action="append", default=[], metavar="NAME=VALUE",
                     help="set in the programs' environment")
    how.add_argument("--quiet", action="store_true", help="no progress")
    where = p.add_argument_group("where things are")
    where.add_argument("--bin", metavar="DIR", help="the programs (build/bench); nothing is built then")
    where.add_argument("--data", metavar="DIR", help="their inputs (that of --bin)")
    where.add_argument("--lib", metavar="DIR", help="our libgomp.so.1 (build/stage/lib); none: as the "
                       "programs were linked")
    where.add_argument("--prefix", type=Path, metavar="DIR", help="gomp-amp, installed (/opt/gomp-amp)")
    where.add_argument("--types", metavar="LISTS", help="core types, as GOMP_AMP_TYPES: 4-7:0-3")
    where.add_argument("--costs", type=Path, metavar="DIR", help="recordings: made if missing")
    where.add_argument("--fetch-peers", action="store_true",
                       help="get Intel's libiomp5 from PyPI into the build folder first")
    where.add_argument("--out", type=Path, metavar="FILE", help="raw file (build/bench/NAME-TIME.jsonl)")
    where.add_argument("--resume", type=existing, metavar="FILE",
                       help="go on with this raw file, with its options")
    p.add_argument("--list", action="store_true", help="say what would run, and what is missing")
    p.add_argument("--setup", action="store_true", help="install what the programs need, into build/field")
    p.add_argument("--seconds", type=positive, default=5.0, help=argparse.SUPPRESS)


def add_report(p: Parser) -> None:
    p.add_argument("--own-time", action="store_true", help="the seconds that programs report themselves")
    p.add_argument("--details", action="store_true", help="each program's own table, too")
    p.add_argument("--csv", type=Path, metavar="FILE", help="a line a program and configuration")
    p.add_argument("--html", type=Path, metavar="FILE", help="one page with everything in it")
    p.add_argument("--plot", "--plots", dest="plots", type=Path, metavar="DIR",
                   help="a picture of each table")
    p.add_argument("--format", choices=("svg", "png", "pdf"), default="svg", help="of pictures (svg)")


def parser() -> Parser:
    p = Parser(prog="bench", description=(
        "Measure gomp-amp: its schedules, the peers', and the papers'. Raw data are kept as lines "
        "of JSON; whatever measures goes on with its file by --resume."
    ))  # fmt: skip
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")
    folders = {"run": "experiments", "suites": "suites", "reproduce": "papers"}
    for name, text in COMMANDS.items():
        there = experiment.names(folders[name]) if name in folders else []
        more = f" There are {', '.join(there)}." if there else ""
        sub = commands.add_parser(name, help=text, description=text.capitalize() + "." + more)
        sub.set_defaults(parser=sub)
        if name == "report":
            sub.add_argument("raw", nargs="+", type=existing, metavar="RAW", help="raw files")
            sub.add_argument("--quiet", action="store_true", help="print no tables")
        else:
            if name in folders:
                sub.add_argument("names", nargs="*", metavar="NAME")
            else:
                sub.set_defaults(names=[name])
            add_experiment(sub)
        add_report(sub)
    return p


def take_over(args: argparse.Namespace) -> None:
    """Take the options of the file that is gone on with."""
    sessions = record.sessions(record.load(args.resume))
    kept: dict[str, Any] = sessions[0].get("arguments", {}) if sessions else {}
    if "names" not in kept:
        args.parser.error(f"{args.resume}: not a raw file that can be gone on with")
    plain = vars(args.parser.parse_args([]))
    for name in KEPT:
        given, usual = getattr(args, name), plain.get(name)
        if given != usual and name not in FREE and name != "names":
            may = ", ".join("--" + f.replace("_", "-") for f in FREE)
            args.parser.error(f"with --resume the options are those of {args.resume}; only {may} "
                              "may differ")  # fmt: skip
        if name not in FREE or given is None:
            value = kept.get(name)
            setattr(args, name, Path(value) if name == "prefix" and value else value)


def changed(part: Part, args: argparse.Namespace) -> Part:
    configs = [c for text in args.configs for c in words(text)]
    given: dict[str, Any] = {
        # The kernel short is one of many kinds of loops, by name.
        "programs": None if part.lengths else args.programs, "klass": args.klass, "ratios": args.ratios,
        "threads": args.threads, "reps": args.reps, "budget": args.budget,
        "period": args.period, "method": args.method,
        "machines": dict(zip(args.machines, args.machines)) if args.machines else None,
        "configs": configs or None,
    }  # fmt: skip
    if (args.slow or args.emulate) and part.ratios == (EQUAL,):
        given["ratios"] = args.ratios or [3.0]
    part = experiment.overridden(part, **given)
    if args.also and part.simulated:
        lines = (*part.lines, *(experiment.Line(s, s) for s in args.also))
        return experiment.overridden(part, lines=lines)
    return replace(part, configs=(*part.configs, *args.also))


def experiment_of(args: argparse.Namespace) -> Experiment:
    if len(args.names) != 1:
        args.parser.error("one NAME: " + ", ".join(
            n for f in ("experiments", "papers", "suites") for n in experiment.names(f)))  # fmt: skip
    found = experiment.load(experiment.find(args.names[0]), bool(args.quick), args.set)
    for part in args.parts or ():
        if part not in [p.name for p in found.parts]:
            args.parser.error(f"--only {part}: there are {', '.join(p.name for p in found.parts)}")
    wanted = [p for p in found.parts if not args.parts or p.name in args.parts]
    more = {s: [s, f"amp:{s}"] for s in args.also}
    shown = [{**t, "columns": {**t["columns"], **more}} if "columns" in t else t for t in found.tables]
    return replace(found, parts=tuple(changed(p, args) for p in wanted), tables=tuple(shown))


def measure(args: argparse.Namespace) -> int:
    if args.resume:
        if args.out:
            args.parser.error("--resume and --out exclude each other")
        take_over(args)
    elif args.out and args.out.exists() and not args.list:
        fail(f"{args.out} is there already: --resume goes on with it")
    if args.names == ["watts"]:
        return watts.run(args.seconds, args.reps or 3, args.energy, Path(args.sysfs))
    for name in ("env", "set"):
        if any("=" not in s for s in getattr(args, name)):
            args.parser.error(f"--{name}: NAME=VALUE is expected")
    # A session may be gone on with from another folder.
    for name in ("bin", "data", "lib", "sysfs"):
        if (value := getattr(args, name)) and value != "none":
            setattr(args, name, str(Path(value).resolve()))
    args.names = [str(Path(n).resolve()) if n.endswith(".toml") else n for n in args.names]
    args.kept = {k: str(v) if isinstance(v, Path) else v for k in KEPT for v in [getattr(args, k)]}
    if args.fetch_peers:
        say(f"libiomp5: {runtimes.fetch_intel(build_folder())}")
    engine = Engine(experiment_of(args), args)
    if args.setup:
        return engine.setup()
    if args.list:
        return engine.listed()
    status = engine.run()
    if any(r.get("round", 0) > 0 for r in record.load(engine.raw)):
        args.raw = [engine.raw]
        show(args)
        print(f"\nraw data: {os.path.relpath(engine.raw)}", flush=True)
    return status


def show(args: argparse.Namespace) -> None:
    """Tables of raw files, and what else of them is wanted."""
    found = [record.load(path) for path in args.raw]
    how = {"own": args.own_time, "details": args.details}
    if not (args.command == "report" and args.quiet):
        print("\n\n".join(tables.report(records, **how) for records in found), flush=True)
    if args.csv:
        args.csv.parent.mkdir(parents=True, exist_ok=True)
        with args.csv.open("w", encoding="utf-8", newline="") as out:
            tables.write_csv([r for records in found for r in records], out)
    if args.html or args.plots:
        grids = [g for records in found for g in tables.all_grids(records, **how)]
        facts = [c for records in found for c in tables.conditions(records)]
        pyplot = pictures.matplotlib()
        if isinstance(pyplot, str):
            # Another Python has matplotlib.
            again = [pyplot, str(TOP / "scripts" / "bench"), "report", "--quiet", *map(str, args.raw)]
            again += ["--html", str(args.html)] if args.html else []
            again += ["--plots", str(args.plots), "--format", args.format] if args.plots else []
            subprocess.run(again, check=False, env={**os.environ, pictures.HANDED_OVER: "1"})
            return
        pictures.write(pyplot, grids, facts, args.html, args.plots, args.format)


def main(arguments: Sequence[str] | None = None) -> int:
    args = parser().parse_args(arguments)
    try:
        if args.command == "report":
            show(args)
            return 0
        return measure(args)
    except BrokenPipeError:
        # Nobody reads on; nothing is left to be written at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except (Wrong, NotPossible, OSError, ValueError, RuntimeError, subprocess.SubprocessError) as e:
        sys.exit(f"bench: {e}")
