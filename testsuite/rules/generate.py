#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs against the rules that say which loops may be divided otherwise.

Compiles random programs (drawn.py) by plain GCC and with the plugin, and runs them with 2 to 7
threads.  What plain GCC's program prints is right: ours must print it under static's division and
under ascending ones that are drawn at random; where all loops of a program are for any order,
under descending ones, too.  Prints the seed, and each program that does not.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import random
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from drawn import C, Cxx, Fortran, Program
from running import BUILD, Compiler, Decision, Verdict, compare

LANGUAGES: dict[str, C] = {w.name: w for w in (C(), Cxx(), Fortran())}
CXX_HEAD = [f"#include <{name}>" for name in ("algorithm", "numeric", "vector")]
CASE = re.compile(r"\s*(?:CASE \(case|subroutine case|(?:static void|subroutine|) ?loop)(\d+)")


def source(language: C, seed: str, numbers: list[int]) -> str:
    """A file with these programs."""
    programs = {n: Program(language, seed, n).text() for n in numbers}
    bodies = [x for text in programs.values() for x in ["", *text]]
    if not isinstance(language, Fortran):
        return "\n".join(
            [*(CXX_HEAD if isinstance(language, Cxx) else []), '#include "rules.h"', *bodies, ""]
        )
    calls = [f"call rules_add('case{n}'//c_null_char, c_funloc(case{n}))" for n in numbers]
    return "\n".join(
        [
            "module programs",
            "include 'rules.inc'",
            *[x[1:] for x in bodies if x.startswith("@")],
            "contains",
            "include 'rules-functions.inc'",
            *[x for x in bodies if not x.startswith("@")],
            "end module programs",
            "program main",
            "use programs",
            *calls,
            "if (rules_run() /= 0) stop 1",
            "end program main",
            "",
        ]
    )


@dataclass
class Result:
    """Of one program."""

    decisions: list[Decision]
    verdict: Verdict

    def failure(self) -> str:
        converted = [d for d in self.decisions if d.converted]
        if self.verdict.static:
            return "static"
        if converted and self.verdict.ascending:
            return "ascending"
        if converted and all(d.any_order for d in converted) and self.verdict.descending:
            return "any order"
        return ""


def judge(
    compiler: Compiler, folder: Path, language: C, seed: str, numbers: list[int], runs: int
) -> dict[int, Result]:
    """Compile and run these programs, one file."""
    folder = folder / f"{language.suffix[1:]}-{numbers[0]}"
    folder.mkdir(exist_ok=True)
    file = folder / f"programs{language.suffix}"
    text = source(language, seed, numbers)
    file.write_text(text)
    begins = {i: int(m[1]) for i, t in enumerate(text.splitlines(), 1) if (m := CASE.match(t))}
    main = compiler.main(folder)
    right, ours = folder / "right", folder / "ours"
    Compiler().compile(file, right, main)
    results = {n: Result([], Verdict()) for n in numbers}
    for decision in compiler.compile(file, ours, main):
        results[begins[max(i for i in begins if i <= decision.line)]].decisions.append(decision)
    for name, verdict in compare(right, ours, runs).items():
        results[int(name[4:])].verdict = verdict
    return results


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--count", type=int, default=200, help="programs in all (default: 200)")
    add("--seed", help="to draw from, instead of a new one")
    add("--languages", default="c,c++,fortran")
    add("--each", type=int, default=50, help="programs a file (default: 50)")
    add("--runs", type=int, default=8, help="drawn divisions (default: 8)")
    add("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    add("--stage", type=Path, default=BUILD / "stage")
    add("--plugin", type=Path, help="another plugin than the stage's")
    add("--default", default="runtime", help="what loops become; free: all are converted")
    add("--options", help="of the compiler, instead of -O2, -O0, -O1 and -O3 in turn")
    add("--keep", type=Path, metavar="FOLDER", help="leave sources and programs there")
    add("--show", type=int, metavar="NUMBER", help="print this program and end")
    add("--lost", action="store_true", help="list right programs that have a static loop, too")
    return parser.parse_args()


def main() -> int:
    args = arguments()
    seed = args.seed or str(random.SystemRandom().randrange(1 << 32))
    languages = [LANGUAGES[name] for name in args.languages.split(",")]
    numbers = list(range(args.count))
    groups = [numbers[k : k + args.each] for k in range(0, args.count, args.each)]
    of = [languages[k % len(languages)] for k in range(len(groups))]
    if args.show is not None:
        print("\n".join(Program(of[args.show // args.each], seed, args.show).text()))
        return 0
    print(f"seed {seed}", flush=True)
    totals: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (args.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)

        def one(k: int) -> dict[int, Result]:
            level = ("-O2", "-O0", "-O1", "-O3")[k // len(languages) % 4]
            compiler = Compiler(
                args.stage.resolve(),
                args.plugin and args.plugin.resolve(),
                args.default,
                tuple((args.options or level).split()),
            )
            return judge(compiler, folder, of[k], seed, groups[k], args.runs)

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for k, results in enumerate(pool.map(one, range(len(groups)))):
                for number, r in results.items():
                    ascending, descending = r.verdict.ascending, r.verdict.descending
                    converted = sum(d.converted for d in r.decisions)
                    totals["programs"] += 1
                    totals["loops"] += len(r.decisions)
                    totals["converted"] += converted
                    totals["mind ascending divisions"] += bool(ascending)
                    totals["mind only descending ones"] += bool(descending and not ascending)
                    failure = r.failure()
                    totals["failed"] += bool(failure)
                    text = f"{of[k].name} {number}"
                    where = (r.verdict.static or ascending or descending or ["no division"])[0]
                    said = " | ".join(d.text for d in r.decisions)
                    if failure:
                        print(f"FAIL: {text} ({failure}): {where}: {said}", flush=True)
                    elif args.lost and not ascending and converted < len(r.decisions):
                        print(f"perhaps lost: {text}: {said}")
    print(", ".join(f"{n} {what}" for what, n in totals.items()))
    print(f"{totals['programs'] - totals['failed']} passed, {totals['failed']} failed, 0 skipped")
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
