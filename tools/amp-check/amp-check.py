#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds loops of a program that rely on static's division of iterations.

amp-run --check runs this; amp-run(1) has the options, docs/use/checking.md the method.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from amp_places import objects_of, source_of, split_place

NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]+|(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w])"
)
REPORT = re.compile(r"libgomp: loop (\S+): \d+ threads, .*, executed (\d+) times, .* ms, (.*)")
WATCH_BYTES, WATCH_FILES = 1 << 28, 20000  # What is saved of a folder, at most.
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
    contiguous: bool

    def __str__(self) -> str:
        return f"seed {self.seed}, {'contiguous' if self.contiguous else 'scattered'}"


@dataclass
class Outcome:
    """What a run has left.  The status is None if it did not end in time."""

    status: int | None
    streams: dict[str, bytes]
    seconds: float

    def end(self) -> str:
        if self.status is None:
            return f"did not end within {self.seconds:.0f} s"
        if self.status < 0:
            return f"was ended by signal {signal.Signals(-self.status).name}"
        return f"ended with status {self.status}"


@dataclass
class Difference:
    seed: int
    contiguous: bool
    setting: str  # Of GOMP_AMP_CHECK.
    what: str


@dataclass
class Loop:
    place: str
    source: str = ""
    minds: str = "unknown"  # Any, or not-contiguous.


@dataclass
class Findings:
    """What --json writes."""

    command: list[str]
    verdict: str = ""
    status: int = CLEAN
    threads: str = ""
    delay_microseconds: int = 0
    loops_seen: int = 0
    runs: int = 0
    differences: list[Difference] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    certain: bool = False
    static: str = ""  # For GOMP_AMP_STATIC.

    def suffice(self, places: list[str]) -> None:
        """With these loops static the result is right."""
        self.loops = [Loop(p) for p in places]
        self.static = ",".join(places)


# Comparing.


@dataclass(frozen=True)
class Tolerance:
    relative: float
    absolute: float

    def equal(self, a: str, b: str) -> bool:
        """Two tokens: numbers that are near, or the same text."""
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


# What is compared of a text, the columns of its tokens: under each line's number, or, where
# lines come in any order, under -1 and their words.
Key = tuple[int, str]
Table = dict[Key, list[list[str]]]


def order(token: str) -> tuple[float, str]:
    try:
        return float(token), token
    except ValueError:
        return math.inf, token


def table(lines: list[str], ordered: bool) -> Table:
    found: Table = {}
    for i, line in enumerate(lines):
        words = " ".join(NUMBER.sub("#", line).split())
        numbers = NUMBER.findall(line)
        if ordered:
            found[i, ""] = [[words]] + [[n] for n in numbers]
        else:
            columns = found.setdefault((-1, words), [[] for _ in range(len(numbers) + 1)])
            columns[0].append("line")
            for column, n in zip(columns[1:], numbers):
                column.append(n)
    for columns in found.values():
        for column in columns:
            column.sort(key=order)
    return found


class Text:
    """What samples of a text have in common; the rest is noise."""

    def __init__(self, samples: list[list[str]], tolerance: Tolerance) -> None:
        self.tolerance = tolerance
        self.lines = samples[0]
        # Are there lines that only some samples have?
        self.loose = False
        self.table, self.noise, self.loose = min(
            (self.common([table(s, ordered) for s in samples]) for ordered in (True, False)),
            key=lambda form: len(form[1]),
        )
        self.ordered = all(number >= 0 for number, _ in self.table)
        # Words count only if there are any.
        cells = {
            (key, i)
            for key, columns in self.table.items()
            for i in range(len(columns))
            if i > 0 or re.search(r"\w", key[1] or columns[0][0])
        }
        self.cells, self.noisy = len(cells), len(cells & self.noise)

    def same(self, a: list[str], b: list[str]) -> bool:
        return len(a) == len(b) and all(self.tolerance.equal(x, y) for x, y in zip(a, b))

    def common(self, samples: list[Table]) -> tuple[Table, set[tuple[Key, int]], bool]:
        """The first sample, which of its (key, column) are noise, and are there loose lines."""
        first, *rest = samples
        noise: set[tuple[Key, int]] = set()
        for key, columns in first.items():
            others = [t.get(key, [[]]) for t in rest]
            for i, column in enumerate(columns):
                # With other words the line is another one.
                if any(
                    not self.same(o[0], columns[0]) or not self.same(o[i], column) for o in others
                ):
                    noise.add((key, i))
        return first, noise, any(t.keys() != first.keys() for t in rest)

    def difference(self, lines: list[str]) -> str:
        """What differs in these lines; '' if nothing does."""
        seen = table(lines, self.ordered)
        for key in dict.fromkeys([*self.table, *seen]):
            columns, others = self.table.get(key), seen.get(key)
            if columns is None or others is None:
                if not self.loose:
                    return self.told(key, lines)
            elif (key, 0) not in self.noise and any(
                (key, i) not in self.noise and not self.same(column, others[i])
                for i, column in enumerate(columns[: len(others)])
            ):
                return self.told(key, lines)
        return ""

    def told(self, key: Key, lines: list[str]) -> str:
        number, words = key
        if number < 0:
            return f"the lines like '{words[:60]}'"
        a, b = (x[number].strip()[:60] if number < len(x) else "" for x in (lines, self.lines))
        return f"line {number + 1}: '{a}' instead of '{b}'"


class Reference:
    """What runs under static have in common."""

    def __init__(self, outcomes: list[Outcome], options: argparse.Namespace) -> None:
        self.ignored: list[re.Pattern[str]] = options.ignore
        self.status = outcomes[0].status
        self.parts: dict[str, Text] = {}
        for name in outcomes[0].streams:
            samples = [self.lines(o.streams[name]) for o in outcomes if name in o.streams]
            if len(samples) == len(outcomes) and not self.ignores(name):
                self.parts[name] = Text(samples, options.tolerance)

    def ignores(self, text: str) -> bool:
        return any(p.search(text) for p in self.ignored)

    def lines(self, data: bytes) -> list[str]:
        # What is no text is one word.
        if b"\0" in data:
            return [f"bytes_{hashlib.sha256(data).hexdigest()[:16]}"]
        text = data.decode(errors="replace")
        return [line for line in text.splitlines() if not self.ignores(line)]

    def all_noise(self) -> bool:
        parts = [p for p in self.parts.values() if p.cells]
        return bool(parts) and all(p.noisy == p.cells for p in parts)

    def noise(self) -> list[str]:
        return [
            f"{name}: {part.noisy} of {part.cells} parts are noise, and not compared"
            for name, part in self.parts.items()
            if part.noisy
        ]

    def difference(self, outcome: Outcome) -> str:
        if outcome.status != self.status:
            return outcome.end()
        for name, part in self.parts.items():
            if name not in outcome.streams:
                return f"{name}: is not there"
            if what := part.difference(self.lines(outcome.streams[name])):
                return f"{name}: {what}"
        return ""


# Running.


class Files:
    """The files that the program writes: what was there before, and what each run leaves.

    A file counts as the program's if each of two runs has written it.  Others are left alone.
    """

    def __init__(self, roots: list[Path], store: Path) -> None:
        self.roots = roots
        self.store = store
        self.written: set[Path] = set()
        self.first: set[Path] | None = None
        self.folders: set[Path] = set()
        self.before = self.scan()
        self.known_folders = frozenset(self.folders)
        if len(self.before) > WATCH_FILES or sum(s[1] for s in self.before.values()) > WATCH_BYTES:
            raise Stop(
                USAGE,
                f"too many or too large files in {roots[0]} to save them first;"
                " run in another folder, or name what the program writes: --output FILE",
            )
        self.saved = {path: store / str(i) for i, path in enumerate(sorted(self.before))}
        for path in list(self.saved):
            try:
                shutil.copy2(path, self.saved[path])
            except OSError:
                del self.saved[path], self.before[path]

    def scan(self) -> dict[Path, tuple[int, int, int]]:
        found: dict[Path, tuple[int, int, int]] = {}
        for root in self.roots:
            paths = [root] if root.is_file() else []
            for folder, folders, names in os.walk(root):
                skipped = (".git", self.store.parent.name)
                folders[:] = [f for f in folders if f not in skipped]
                self.folders.add(Path(folder))
                paths += [Path(folder, n) for n in names]
                if len(paths) > WATCH_FILES:
                    break
            for path in paths:
                try:
                    s = path.lstat()
                except OSError:
                    continue
                if path.is_file() and not path.is_symlink():
                    found[path] = (s.st_mtime_ns, s.st_size, s.st_ino)
        return found

    def changed(self) -> set[Path]:
        now = self.scan()
        return {p for p in {*now, *self.before} if now.get(p) != self.before.get(p)}

    def restore(self, paths: set[Path]) -> None:
        """As they were before the first run."""
        for path in paths:
            if path in self.saved:
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.saved[path], path)
                s = path.lstat()
                self.before[path] = (s.st_mtime_ns, s.st_size, s.st_ino)
            elif path not in self.before:
                path.unlink(missing_ok=True)
                for folder in path.parents:
                    if folder in self.known_folders:
                        break
                    try:
                        folder.rmdir()
                    except OSError:  # There is something in it.
                        break

    def collect(self, outcome: Outcome) -> None:
        """After a run: note what it has left, and undo that."""
        if self.first is None:
            self.first = self.written = self.changed()
            for i, path in enumerate(sorted(self.first)):
                if path.exists():
                    shutil.copy2(path, self.store / f"first-{i}")
        for path in self.written:
            if path.is_file():
                outcome.streams[os.path.relpath(path)] = path.read_bytes()
        self.restore(self.written)

    def settle(self) -> None:
        """After the second run, before it is collected."""
        again = self.changed()
        for i, path in enumerate(sorted(self.first or set())):
            # Someone else's: as it was.
            if path not in again and (self.store / f"first-{i}").exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(self.store / f"first-{i}", path)
        self.written = again & (self.first or set())


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

    def __init__(self, command: list[str], settings: list[str], files: Files, tmp: Path) -> None:
        self.command = command
        self.files = files
        self.tmp = tmp
        self.report = tmp / "report"
        self.delay = 0
        self.count = 0
        environment = dict(os.environ)
        environment.update(s.partition("=")[::2] for s in settings)
        for name in ("", "_CHECK", "_STATIC", "_REPORT", "_TRACE", "_RECORD", "_RECORD_SF"):
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
        static: list[str],
        limit: float | None = None,
        **more: str,
    ) -> Outcome:
        environment = {**self.environment, **more}
        if trial is not None:
            environment["GOMP_AMP_CHECK"] = self.setting(trial)
        if static:
            (self.tmp / "static").write_text("\n".join(static) + "\n")
            environment["GOMP_AMP_STATIC"] = str(self.tmp / "static")
        self.count += 1
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
        streams = {"standard output": out.read_bytes(), "standard error": err.read_bytes()}
        outcome = Outcome(status, streams, time.monotonic() - began)
        if self.count == 2:
            self.files.settle()
        self.files.collect(outcome)
        return outcome

    def setting(self, trial: Trial) -> str:
        form = ",contiguous" if trial.contiguous else ""
        return f"seed={trial.seed},delay={self.delay}{form}"

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
    """The search, phase by phase."""

    def __init__(self, options: argparse.Namespace, runner: Runner, findings: Findings) -> None:
        self.options = options
        self.runner = runner
        self.findings = findings
        self.progress = Progress(options.quiet)
        self.loops: list[str] = []
        self.reference: Reference | None = None
        self.limit = 0.0
        # Trials that showed a difference, the latest first.
        self.telling: list[Trial] = []
        self.repeats = 0
        self.seen: dict[frozenset[str], bool] = {}
        # For the time left: tests that may follow, and what they have taken.
        self.tests = 0
        self.seconds: list[float] = []

    def trial(self, i: int) -> Trial:
        return Trial(self.options.seed + i, i % 2 == 1)

    def even_run(self, static: list[str], settings: dict[str, str]) -> Outcome:
        outcome = self.runner.run(None, static, self.options.limit, **settings)
        if outcome.status != 0:
            raise Stop(FAILS, f"the program {outcome.end()} under static: nothing to compare")
        return outcome

    def baseline(self) -> None:
        """Run under static, and learn what loops there are and what is noise."""
        runner = self.runner
        report = {"GOMP_AMP_REPORT": str(runner.report)}
        self.progress.phase("under static")
        self.progress.step(1)
        outcomes = [self.even_run([], report)]
        self.progress.step(2)
        places = runner.places()
        if not places:
            # Loops of more threads than CPUs are not reported.
            report["OMP_NUM_THREADS"] = str(len(os.sched_getaffinity(0)))
            self.even_run([], report)
            places = runner.places()
        second = self.even_run(list(places), report)
        # Those with a schedule of their own have not become static.
        loops = {p: n for p, (n, even) in runner.places().items() if even}
        # In the program's order: loops that matter together are often neighbours.
        self.loops = sorted(loops, key=split_place)
        self.findings.loops_seen = len(loops)
        if not loops:
            raise Stop(
                CLEAN,
                "nothing to check: no loop that asks the library for its schedule was run by two"
                " threads or more (compile with amp-gcc, or write schedule(runtime))",
            )
        outcomes.append(self.even_run([], {}) if "OMP_NUM_THREADS" in report else second)
        seconds = max(o.seconds for o in outcomes)
        executions = sum(loops.values())
        # At a loop threads are held up twice, and sleep some 60 us longer than asked for.
        share = ((self.options.slowdown - 1) * seconds + 0.1) / (2 * executions)
        runner.delay = min(MAX_DELAY, max(0, int(share * 1e6) - 60))
        self.findings.delay_microseconds = runner.delay
        slowed = seconds + 2e-6 * executions * (runner.delay + 100)
        self.limit = self.options.limit or 10 * slowed + 10
        self.progress.phase(
            f"under static, threads held up by {runner.delay} us; {len(loops)}"
            f" loop{'s' * (len(loops) > 1)}, run {executions} times"
        )
        for i in range(2):
            self.progress.step(i + 1, (2 - i) * slowed)
            outcomes.append(runner.run(self.trial(-2 + i), self.loops, self.limit))
            if outcomes[-1].status != 0:
                raise Stop(
                    FAILS,
                    f"the program {outcomes[-1].end()} with all loops static, when threads"
                    " are held up: that is a race of another kind",
                )
        self.reference = Reference(outcomes, self.options)
        if self.reference.all_noise():
            raise Stop(FAILS, "all that the program puts out differs from run to run under static")

    def differs(self, trial: Trial, static: list[str]) -> str:
        assert self.reference is not None
        outcome = self.runner.run(trial, static, self.limit)
        if outcome.status is None and not self.telling:
            # Was it only slow?
            self.limit *= 2
            outcome = self.runner.run(trial, static, self.limit)
            if outcome.status is None:
                self.limit /= 2
        self.seconds.append(outcome.seconds)
        return self.reference.difference(outcome)

    def hunt(self) -> None:
        """All loops in other divisions."""
        runs = self.options.runs
        self.progress.phase(f"{runs} runs under other divisions")
        began = time.monotonic()
        for i in range(runs):
            self.progress.step(i + 1, (time.monotonic() - began) / i * (runs - i) if i else None)
            trial = self.trial(i)
            what = self.differs(trial, [])
            self.findings.runs = i + 1
            if what:
                self.telling.append(trial)
                self.findings.differences.append(
                    Difference(trial.seed, trial.contiguous, self.runner.setting(trial), what)
                )
                # Hangs take their time, and more of them say no more.
                if "did not end" in what:
                    break
        if self.telling:
            self.repeats = needed(len(self.telling) / self.findings.runs)

    def right(self, static: list[str], only: bool | None = None) -> bool:
        """Is the result right with these loops static?  ONLY: in contiguous divisions, or not."""
        key = frozenset(static)
        if only is None and key in self.seen:
            return self.seen[key]
        fresh = (self.trial(self.options.runs + i) for i in range(4 * self.repeats))
        trials = [t for t in (*self.telling, *fresh) if only in (None, t.contiguous)]
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
        if only is None:
            self.seen[key] = result
        return result

    def smallest(self) -> list[str]:
        """Loops of which each must be static for the result to be right: ddmin."""
        keep, pieces = list(self.loops), 2
        while len(keep) > 1:
            self.progress.phase(f"looking for the loops: {len(keep)} of {len(self.loops)} left")
            self.findings.suffice(keep)
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

    def reduce(self) -> None:
        findings = self.findings
        self.progress.phase("with all loops static once more")
        if not self.right(self.loops):
            raise Stop(
                FAILS,
                "the result differs now and then though all loops are static: that is a race of"
                " another kind",
            )
        for _ in range(3):
            keep = self.smallest()
            findings.suffice(keep)
            # With trials not used before; something rarer may have hidden behind these.
            self.progress.phase(f"trying once more with {len(keep)} of {len(self.loops)} static")
            fresh = max(self.repeats, self.options.runs)
            again = [self.trial(1000 + self.runner.count + i) for i in range(fresh)]
            wrong = [t for t in again if self.differs(t, keep)]
            findings.certain = not wrong
            if findings.certain:
                break
            self.telling = wrong + self.telling
            self.repeats = max(2 * self.repeats, needed(len(wrong) / fresh))
            self.seen.clear()
        self.progress.phase("does it mind contiguous divisions, too?")
        self.tests = len(keep)
        for loop in findings.loops:
            others = [p for p in keep if p != loop.place]
            loop.minds = "not-contiguous" if self.right(others, True) else "any"


# Telling.


def tell(findings: Findings, noise: list[str]) -> None:
    for line in noise:
        print(f"note: {line}")
    differences = findings.differences
    if differences:
        print(f"{len(differences)} of {findings.runs} runs differ from those under static:")
        for d in differences[:5]:
            print(f"  {Trial(d.seed, d.contiguous)}: {d.what}")
        if len(differences) > 5:
            print(f"  and {len(differences) - 5} more")
        threads = f"OMP_NUM_THREADS={findings.threads} " if findings.threads else ""
        print("to see the first again:")
        print(f"  {threads}OMP_SCHEDULE=static GOMP_AMP_CHECK={findings.differences[0].setting}")
    if findings.loops:
        minds = {
            "any": ": minds any other division",
            "not-contiguous": ": minds only divisions that are not contiguous",
        }
        if findings.status == INTERRUPTED:
            print(f"it suffices that these stay static, of {findings.loops_seen} loops:")
        else:
            print(f"what must stay static, of {findings.loops_seen} loops:")
        for loop in findings.loops:
            where = f" ({loop.source})" if loop.source else ""
            print(f"  {loop.place}{where}{minds.get(loop.minds, '')}")
        print("to mend it, one of these:")
        print("  write schedule(static) at each of these loops")
        print("  if they have no schedule clause, compile their files with amp-gcc")
        print("    -fopenmp-default-schedule=static")
        print("  for this binary as it is, set")
        print(f"    GOMP_AMP_STATIC={findings.static}")
        if not findings.certain and findings.status == FOUND:
            print("this is not certain: with these loops static it still differs now and then")
    print(f"amp-run --check: {findings.verdict}", flush=True)


def verdict(findings: Findings) -> str:
    if findings.loops:
        n = len(findings.loops)
        most = "" if findings.certain else "up to "
        return f"FOUND: {most}{n} loop{'s rely' if n > 1 else ' relies'} on the division of static"
    if findings.differences:
        return "FOUND: the result depends on the division of the loops"
    return (
        f"nothing found in {findings.runs} runs; {findings.loops_seen}"
        f" loop{'s' * (findings.loops_seen != 1)} checked"
    )


def interrupt(number: int, _: object) -> None:
    raise KeyboardInterrupt


def tolerance(text: str) -> Tolerance:
    relative, _, absolute = text.partition(",")
    found = Tolerance(float(relative), float(absolute or 1e-12))
    if not (found.relative >= 0 and found.absolute >= 0):
        raise ValueError
    return found


def positive(text: str) -> float:
    if not 0 < (number := float(text)) < math.inf:
        raise ValueError
    return number


def count(text: str) -> int:
    return int(positive(str(int(text))))


def pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text}: {error}") from None


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"amp-run: {message.removeprefix('argument ')}", file=sys.stderr)
        sys.exit(USAGE)


def arguments() -> argparse.Namespace:
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--runs", type=count, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tolerance", type=tolerance, default="1e-6")
    parser.add_argument("--ignore", type=pattern, action="append", default=[])
    parser.add_argument("--output", type=Path, action="append", default=[])
    parser.add_argument("--limit", type=positive)
    parser.add_argument("--slowdown", type=positive, default=3.0)
    # Not to be told afterwards that it cannot be written.
    parser.add_argument("--json", type=argparse.FileType("a"))
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def search(check: Check) -> None:
    """Fills in check.findings."""
    findings = check.findings
    check.baseline()
    check.hunt()
    if check.telling:
        findings.status = FOUND
        check.reduce()


def main() -> int:
    options = arguments()
    findings = Findings(options.command)
    noise: list[str] = []
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    with tempfile.TemporaryDirectory(prefix="amp-check.") as folder:
        tmp = Path(folder)
        (tmp / "saved").mkdir()
        check: Check | None = None
        try:
            files = Files([p.absolute() for p in options.output or [Path()]], tmp / "saved")
            try:
                runner = Runner(options.command, options.set, files, tmp)
                findings.threads = runner.environment.get("OMP_NUM_THREADS", "")
                check = Check(options, runner, findings)
                search(check)
            finally:
                files.restore(files.written)
            findings.verdict = verdict(findings)
        except Stop as stop:
            findings.status, findings.verdict = stop.status, str(stop)
        except KeyboardInterrupt:
            findings.status = INTERRUPTED
            findings.verdict = f"interrupted; so far: {verdict(findings)}"
        if check is not None:
            check.progress.clear()
            if check.reference is not None:
                noise = check.reference.noise()
            library_path = check.runner.environment.get("LD_LIBRARY_PATH", "")
            objects = objects_of(options.command[0], library_path) if findings.loops else {}
            for loop in findings.loops:
                loop.source = source_of(loop.place, objects)
        tell(findings, noise)
        if options.json is not None:
            text = json.dumps(dataclasses.asdict(findings), indent=2)
            options.json.truncate(0)
            options.json.write(text + "\n")
            options.json.close()
    return findings.status


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Exception:  # noqa: BLE001
        # Its status would be that of a finding.
        traceback.print_exc()
        sys.exit(FAILS)
