#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds loops of a program that rely on a division of iterations that OpenMP does not promise.

amp-run --check runs this; amp-run(1) has the options, docs/use/checking.md the method.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import math
import os
import re
import resource
import shlex
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from amp_compare import Outcome, Parser, Reference, Tolerance, count, number_of, status_of
from amp_files import Files, lines_of
from amp_places import objects_of, source_of, split_place

if TYPE_CHECKING:
    from amp_compare import Cell

REPORT = re.compile(r"libgomp: loop (\S+): \d+ threads, .*executed (\d+) times?, (.*)")
MAX_DELAY = 50000  # Microseconds.
FAILS, CLEAN, FOUND, USAGE, INTERRUPTED = 125, 0, 1, 2, 130


class Stop(Exception):
    """The check ends here, with this status and verdict."""

    def __init__(self, status: int, verdict: str) -> None:
        super().__init__(verdict)
        self.status = status


@dataclass(frozen=True)
class Trial:
    """One way to divide all loops; with the same seed the same one."""

    seed: int
    form: str  # Scattered, contiguous or descending.

    def __str__(self) -> str:
        return f"seed {self.seed}, {self.form}"

    def setting(self, delay: int) -> str:
        """Of GOMP_AMP_DEBUG."""
        form = "" if self.form == "scattered" else f",{self.form}"
        return f"seed={self.seed},delay={delay}{form}"


@dataclass
class Difference:
    seed: int
    form: str
    setting: str
    what: str


@dataclass
class Loop:
    place: str
    needs: str  # Static, contiguous or ascending.
    source: str = ""


@dataclass
class Findings:
    """What --json writes."""

    command: list[str]
    verdict: str = ""
    status: int = CLEAN
    fit: str = ""  # For which schedules: any, any ascending, or static.
    threads: str = ""
    again: str = ""  # The shell's words that run the program as it was.
    delay_microseconds: int = 0
    loops_seen: int = 0
    runs: int = 0
    differences: list[Difference] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    certain: bool = True
    static: str = ""  # Their places.
    notes: list[str] = field(default_factory=list)


class Progress:
    """On a terminal one line that changes, else a line for each phase."""

    def __init__(self, quiet: bool) -> None:
        self.tty = sys.stderr.isatty() and not quiet
        self.quiet = quiet
        self.text = ""

    def clear(self) -> None:
        if self.tty:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def phase(self, text: str) -> None:
        self.text = text
        if not self.tty and not self.quiet:
            print(f"amp-run: {text}", file=sys.stderr, flush=True)

    def step(self, done: int, left: float | None = None) -> None:
        if self.tty:
            self.clear()
            eta = "" if left is None else f", about {int(left) // 60}:{int(left) % 60:02} left"
            sys.stderr.write(f"amp-run: {self.text}: run {done}{eta}")
            sys.stderr.flush()


class Runner:
    """Runs the program."""

    def __init__(self, options: argparse.Namespace, files: Files, tmp: Path) -> None:
        self.command: list[str] = options.command
        if "/" in self.command[0]:
            self.command = [os.path.abspath(self.command[0]), *self.command[1:]]
        self.files = files
        self.tmp = tmp
        self.report = tmp / "report"
        self.delay = 0
        self.count = 0
        environment = dict(os.environ, PWD=str(files.folder))
        environment.update(s.partition("=")[::2] for s in options.set)
        for name in ("", "_DEBUG", "_LOOPS", "_REPORT", "_TRACE"):
            environment.pop("GOMP_AMP" + name, None)
        environment["OMP_SCHEDULE"] = "static"
        environment.setdefault("OMP_DYNAMIC", "false")
        environment.setdefault("OMP_WAIT_POLICY", "passive")
        if len(os.sched_getaffinity(0)) < 4:
            environment.setdefault("OMP_NUM_THREADS", "4")
        self.environment = environment
        # What comes through a pipe or from a terminal comes once.
        again = stat.S_ISREG(os.fstat(0).st_mode)
        self.input = Path("/proc/self/fd/0" if again else os.devnull).resolve()

    def run(
        self,
        trial: Trial | None,
        static: list[str] | None,
        limit: float | None = None,
        **more: str,
    ) -> Outcome:
        """STATIC: the loops that stay so; None: all, without a trial."""
        environment = {**self.environment, **more}
        if trial is not None:
            environment["GOMP_AMP_DEBUG"] = trial.setting(self.delay)
        if static:
            (self.tmp / "loops").write_text("".join(f"{place} static\n" for place in static))
            environment["GOMP_AMP_LOOPS"] = str(self.tmp / "loops")
        self.count += 1
        self.files.begin()
        out, err = self.tmp / "out", self.tmp / "err"
        began = time.monotonic()
        status: int | None = None
        with self.input.open() as stdin, out.open("wb") as stdout, err.open("wb") as stderr:
            process = subprocess.Popen(
                self.command,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                cwd=self.files.copy,
                # One group, so that what it starts ends with it.
                start_new_session=True,
            )
            try:
                status = process.wait(limit)
            except subprocess.TimeoutExpired:
                pass
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        streams = {"standard output": lines_of(out), "standard error": lines_of(err)}
        outcome = Outcome(status, time.monotonic() - began, streams)
        self.files.collect(outcome, trial is None)
        return outcome

    def places(self) -> dict[str, tuple[int, bool]]:
        """What the last report says: place -> executions, and whether static at the end."""
        found: dict[str, tuple[int, bool]] = {}
        text = self.report.read_text(errors="replace") if self.report.exists() else ""
        for place, executions, rest in REPORT.findall(text):
            words = rest.split(", ")[1:]
            before, even = found.get(place, (0, True))
            found[place] = (before + int(executions), even and "static" in words)
        self.report.unlink(missing_ok=True)
        return found


def needed(share: float) -> int:
    """So many trials that what SHARE of them show is missed once in 50 times."""
    return max(3, min(25, math.ceil(math.log(0.02) / math.log(max(1e-9, 1 - share)))))


class Check:
    """The search, phase by phase: first under divisions that ascend, as the library makes them
    itself, then, with the loops static that these have told, under such as do not."""

    def __init__(self, options: argparse.Namespace, runner: Runner, findings: Findings) -> None:
        self.options = options
        self.runner = runner
        self.findings = findings
        self.progress = Progress(options.quiet)
        self.forms = ["scattered", "contiguous"]
        self.loops: list[str] = []
        self.reference = Reference(options)
        self.limit = 0.0
        # Trials that showed a difference, the latest first.
        self.telling: list[Trial] = []
        self.base: list[str] = []  # Loops that are static in all trials.
        self.repeats = 0
        self.seen: dict[frozenset[str], bool] = {}
        # For the time left: tests that may follow, and what they have taken.
        self.tests = 0
        self.seconds: list[float] = []

    def trial(self, i: int) -> Trial:
        return Trial(self.options.seed + i, self.forms[i % len(self.forms)])

    def even_run(self, static: list[str] | None, settings: dict[str, str]) -> Outcome:
        outcome = self.runner.run(None, static, self.options.limit, **settings)
        if outcome.status != 0:
            again = (
                "; if it cannot run again in the same folder, try --copy"
                if self.runner.count > 1 and self.runner.files.copy is None
                else ""
            )
            raise Stop(
                FAILS, f"the program {outcome.end()} under static: nothing to compare{again}"
            )
        return outcome

    def baseline(self) -> None:
        """Run under static, and learn what loops there are and what is noise."""
        runner = self.runner
        report = {"GOMP_AMP_REPORT": str(runner.report)}
        self.progress.phase("under static")
        self.progress.step(1)
        outcomes = [self.even_run(None, report)]
        self.progress.step(2)
        places = runner.places()
        if not places:
            # Loops of more threads than CPUs are not reported.
            report["OMP_NUM_THREADS"] = str(len(os.sched_getaffinity(0)))
            self.even_run(None, report)
            places = runner.places()
        second = self.even_run(list(places), report)
        # Those with a schedule of their own were not static at first.
        own = {p for p, (_, even) in places.items() if not even}
        loops = {p: n for p, (n, even) in runner.places().items() if even and p not in own}
        # In the program's order: loops that matter together are often neighbours.
        self.loops = sorted(loops, key=split_place)
        self.findings.loops_seen = len(loops)
        if not loops:
            raise Stop(
                CLEAN,
                "nothing to check: no loop that asks the library for its schedule was run by two"
                " threads or more (compile with amp-gcc, or write schedule(runtime))",
            )
        outcomes.append(self.even_run(None, {}) if "OMP_NUM_THREADS" in report else second)
        for path in set(runner.files.named) & set(runner.files.roots):
            name = os.path.relpath(path, runner.files.folder)
            raise Stop(USAGE, f"--output {name}: the program has written no such file")
        seconds = max(o.seconds for o in outcomes)
        executions = sum(loops.values())
        # At a loop a thread is delayed twice, and sleeps some 60 us longer than asked for.
        share = ((self.options.slowdown - 1) * seconds + 0.1) / (2 * executions)
        runner.delay = min(MAX_DELAY, max(0, int(share * 1e6) - 60))
        self.findings.delay_microseconds = runner.delay
        slowed = seconds + 2e-6 * executions * (runner.delay + 100)
        self.limit = self.options.limit or 10 * slowed + 10
        self.progress.phase(
            f"under static, with threads delayed by {runner.delay} us; {len(loops)}"
            f" loop{'s' * (len(loops) > 1)}, run {executions} times"
        )
        for i in range(2):
            self.progress.step(i + 1, (2 - i) * slowed)
            outcomes.append(self.all_static(self.trial(-2 + i)))
        for outcome in outcomes:
            self.reference.learn(outcome)

    def all_static(self, trial: Trial) -> Outcome:
        """All loops static, and threads delayed as in TRIAL."""
        outcome = self.runner.run(trial, self.loops, self.limit)
        if outcome.status != 0:
            raise Stop(
                FAILS,
                f"the program {outcome.end()} with all loops static, when threads are delayed:"
                " that is a race of another kind",
            )
        return outcome

    def run(self, trial: Trial, static: list[str]) -> Outcome:
        static = [*self.base, *static]
        outcome = self.runner.run(trial, static, self.limit)
        if outcome.status is None and not self.telling:
            # Was it only slow?
            self.limit *= 2
            outcome = self.runner.run(trial, static, self.limit)
            if outcome.status is None:
                self.limit /= 2
        self.seconds.append(outcome.seconds)
        return outcome

    def differs(self, trial: Trial, static: list[str]) -> bool:
        return bool(self.reference.differences(self.run(trial, static)))

    def hunt(self, runs: int) -> None:
        """All loops in other divisions."""
        self.progress.phase(f"{runs} runs under {' and '.join(self.forms)} divisions")
        began = time.monotonic()
        outcomes: dict[Trial, Outcome] = {}
        for i in range(runs):
            self.progress.step(i + 1, (time.monotonic() - began) / i * (runs - i) if i else None)
            trial = self.trial(i)
            outcome = self.run(trial, [])
            self.findings.runs += 1
            if self.reference.differences(outcome):
                outcomes[trial] = outcome
            # Hangs take their time, and more of them say no more.
            if outcome.status is None:
                break
        found = self.settle(outcomes, i + 1)
        self.telling = list(found)
        self.findings.differences += [
            Difference(t.seed, t.form, t.setting(self.runner.delay), next(iter(d.values())))
            for t, d in found.items()
        ]

    def settle(
        self, outcomes: dict[Trial, Outcome], runs: int
    ) -> dict[Trial, dict[tuple[str, Cell], str]]:
        """What differs in OUTCOMES, of so many RUNS, without what differs with all loops static,
        too.  That is looked for so long that it is found, if it comes as often."""
        for _ in range(5):
            found = {t: d for t, o in outcomes.items() if (d := self.reference.differences(o))}
            if not found:
                break
            often = Counter(cell for d in found.values() for cell in d).most_common(1)[0][1]
            self.repeats = needed(often / runs)
            self.progress.phase("with all loops static once more")
            fresh = False
            for i in range(self.repeats):
                self.progress.step(self.runner.count)
                outcome = self.all_static(list(found)[i % len(found)])
                if self.reference.differences(outcome):
                    self.reference.learn(outcome)
                    fresh = True
            if not fresh:
                break
        return found

    def right(self, static: list[str], form: str = "") -> bool:
        """Is the result right with these loops static?  FORM: in such divisions."""
        key = frozenset(static)
        if not form and key in self.seen:
            return self.seen[key]
        fresh = (self.trial(self.options.runs + i) for i in range(4 * self.repeats))
        trials = [t for t in (*self.telling, *fresh) if form in ("", t.form)]
        result = True
        mean = sum(self.seconds) / len(self.seconds)
        for i, trial in enumerate(trials[: self.repeats]):
            left = self.repeats * max(1, self.tests) - i
            self.progress.step(self.runner.count, mean * left)
            if self.differs(trial, static):
                # What told once will tell again.
                self.telling.sort(key=lambda t: t != trial)
                if trial not in self.telling:
                    self.telling.insert(0, trial)
                result = False
                break
        self.tests -= 1
        if not form:
            self.seen[key] = result
        return result

    def suffice(self, places: list[str], needs: str) -> None:
        """With these loops static, too, the result is right."""
        findings = self.findings
        findings.loops = [x for x in findings.loops if x.place in self.base]
        findings.loops += [Loop(p, needs) for p in places]
        findings.static = ",".join(x.place for x in findings.loops if x.needs != "ascending")

    def smallest(self, needs: str) -> list[str]:
        """Loops of which each must be static for the result to be right: ddmin."""
        keep, pieces = [p for p in self.loops if p not in self.base], 2
        while len(keep) > 1:
            self.progress.phase(f"looking for the loops: {len(keep)} of {len(self.loops)} left")
            self.suffice(keep, needs)
            self.tests = 2 * len(keep).bit_length()
            size = math.ceil(len(keep) / pieces)
            parts = [keep[i : i + size] for i in range(0, len(keep), size)]
            rests = [[p for p in keep if p not in part] for part in parts]
            for candidate in [*parts, *rests] if pieces > 2 else parts:
                if self.right(candidate):
                    pieces = 2 if candidate in parts else max(pieces - 1, 2)
                    keep = candidate
                    break
            else:
                if size == 1:
                    break
                pieces = min(2 * pieces, len(keep))
        return keep

    def reduce(self, needs: str) -> None:
        self.seen.clear()
        for _ in range(3):
            keep = self.smallest(needs)
            self.suffice(keep, needs)
            # With trials not used before; something rarer may have hidden behind these.
            self.progress.phase(f"trying once more with {len(keep)} of {len(self.loops)} static")
            fresh = max(self.repeats, self.options.runs)
            again = [self.trial(1000 + self.runner.count + i) for i in range(fresh)]
            wrong = [t for t in again if self.differs(t, keep)]
            if not wrong:
                break
            self.telling = wrong + self.telling
            self.repeats = max(2 * self.repeats, needed(len(wrong) / fresh))
            self.seen.clear()
        self.findings.certain &= not wrong
        if "contiguous" in self.forms:
            self.progress.phase("trying contiguous divisions of each")
            self.tests = len(keep)
            for loop in self.findings.loops:
                others = [p for p in keep if p != loop.place]
                loop.needs = "contiguous" if self.right(others, "contiguous") else "static"
        self.base += keep

    def search(self) -> None:
        """Fill in the findings."""
        findings = self.findings
        self.baseline()
        runs = self.options.runs
        self.hunt(runs)
        if self.telling:
            findings.status, findings.fit = FOUND, "static"
            self.reduce("static")
        if set(self.loops) - set(self.base) and findings.certain:
            self.telling, self.forms = [], ["descending"]
            self.hunt((runs + 1) // 2)
            findings.fit = findings.fit or ("any ascending" if self.telling else "any")
            if self.telling:
                self.reduce("ascending")
        if self.runner.files.copy is None and self.runner.files.mine():
            self.progress.phase("under static, for the files that it leaves")
            self.runner.run(None, None, self.limit)


# Telling.


def tell(findings: Findings) -> None:
    for line in findings.notes:
        print(f"note: {line}")
    differences = findings.differences
    if differences:
        print(f"{len(differences)} of {findings.runs} runs differ from those under static:")
        for d in differences[:5]:
            print(f"  {Trial(d.seed, d.form)}: {d.what}")
        if len(differences) > 5:
            print(f"  and {len(differences) - 5} more")
        print("to see the first again:")
        print(f"  GOMP_AMP_DEBUG={differences[0].setting} {findings.again}")
    needs = {
        "static": "needs the division of static",
        "contiguous": "needs contiguous blocks in order of threads",
        "ascending": "needs ascending iterations",
    }
    if findings.loops:
        n = len(findings.loops)
        need = "needs" if n == 1 else "need"
        print(f"{n} of {findings.loops_seen} loops {need} more than OpenMP promises:")
        for loop in findings.loops:
            where = f" ({loop.source})" if loop.source else ""
            print(f"  {loop.place}{where}: {needs[loop.needs]}")
    if findings.static:
        print("for those that need static or contiguous blocks, one of these:")
        print("  write schedule(static) at each of these loops")
        print("  if they have no schedule clause, compile their files with amp-gcc")
        print("    -fopenmp-default-schedule=static")
        print("  for this binary as it is, run it by amp-run --loops FILE, a file with")
        for place in findings.static.split(","):
            print(f"    {place} static")
    if any(loop.needs == "ascending" for loop in findings.loops):
        print("for those that need ascending iterations:")
        print("  leave them without a schedule clause; write neither nonmonotonic: nor free;")
        print("  where they say schedule(runtime), write schedule(monotonic:runtime)")
    if not findings.certain and findings.status == FOUND:
        print("this is not certain: with these loops static it still differs now and then")
    print(f"amp-run --check: {findings.verdict}", flush=True)


def verdict(findings: Findings) -> str:
    def loops(number: int, one: str, more: str = "") -> str:
        return f"{number} loop {one}" if number == 1 else f"{number} loops {more or one}"

    if not findings.differences:
        fit = f"fit for {findings.fit} schedule: " if findings.fit else ""
        seen = loops(findings.loops_seen, "checked")
        return f"{fit}nothing found in {findings.runs} runs; {seen}"
    ascending = sum(x.needs == "ascending" for x in findings.loops)
    if findings.fit == "any ascending":
        needing = loops(ascending, "needs ascending iterations", "need ascending iterations")
        return f"fit for any ascending schedule, not for any: {needing}"
    if not findings.loops:
        return "FOUND: the result depends on the division of the loops"
    most = "" if findings.certain else "up to "
    relying = loops(len(findings.loops) - ascending, "relies", "rely")
    rest = f"; {ascending} more on ascending iterations" if ascending else ""
    return f"FOUND: {most}{relying} on the division of static{rest}"


def again(options: argparse.Namespace, threads: str) -> str:
    """Where our library is amp-run finds by itself."""
    given = dict(s.split("=", 1) for s in options.set)
    ours = ["amp-run", "--preload"] if "LD_PRELOAD" in given else ["amp-run"]
    given.update({"OMP_SCHEDULE": "static", **({"OMP_NUM_THREADS": threads} if threads else {})})
    words = [f"{n}={shlex.quote(v)}" for n, v in given.items() if not n.startswith("LD_")]
    return " ".join([*words, *ours, "--", *map(shlex.quote, options.command)])


def interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt


def tolerance(text: str) -> Tolerance:
    relative, comma, absolute = text.partition(",")
    try:
        found = Tolerance(float(relative), float(absolute) if comma else 1e-12)
        if found.relative >= 0 and found.absolute >= 0:
            return found
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"'{text}': X or X,Y, numbers from 0, is expected")


def pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None


def arguments() -> argparse.Namespace:
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--runs", type=count, default=10)
    parser.add_argument("--seed", type=lambda text: int(number_of(text, 0, int)), default=1)
    parser.add_argument("--tolerance", type=tolerance, default="1e-6")
    parser.add_argument("--ignore", type=pattern, action="append", default=[])
    parser.add_argument("--output", type=Path, action="append", default=[])
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--limit", type=lambda text: number_of(text, 0.001))
    parser.add_argument("--slowdown", type=lambda text: number_of(text, 1), default=3.0)
    parser.add_argument("--json", type=argparse.FileType("a"))
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    findings = Findings(options.command)
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    with tempfile.TemporaryDirectory(prefix="amp-check.") as folder:
        check: Check | None = None
        try:
            try:
                files = Files(options)
            except OSError as error:
                raise Stop(USAGE, f"--copy: {error}") from None
            try:
                runner = Runner(options, files, Path(folder))
                findings.threads = runner.environment.get("OMP_NUM_THREADS", "")
                findings.again = again(options, findings.threads)
                check = Check(options, runner, findings)
                check.search()
            finally:
                files.remove()
            findings.verdict = verdict(findings)
        except Stop as stop:
            findings.status, findings.verdict = stop.status, str(stop)
        except KeyboardInterrupt:
            findings.status = INTERRUPTED
            findings.verdict = f"interrupted; so far: {verdict(findings)}"
        if check is not None:
            check.progress.clear()
            findings.notes = check.reference.noise() + files.told()
            library_path = runner.environment.get("LD_LIBRARY_PATH", "")
            objects = objects_of(options.command[0], library_path) if findings.loops else {}
            for loop in findings.loops:
                loop.source = source_of(loop.place, objects)
        tell(findings)
        if options.json is not None:
            text = json.dumps(dataclasses.asdict(findings), indent=2)
            with contextlib.suppress(OSError):
                # A device has no length.
                options.json.truncate(0)
            options.json.write(text + "\n")
            options.json.close()
    return findings.status


if __name__ == "__main__":
    try:
        sys.exit(status_of(main, USAGE))
    except Exception:  # noqa: BLE001
        # Its status would be that of a finding.
        traceback.print_exc()
        sys.exit(FAILS)
