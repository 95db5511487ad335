#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""amp-run --compare: runs a program in several forms, in turns, and says which is faster."""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO

from amp_compare import Parser, Text, Tolerance, count, die, say, status_of

# Seconds that all rounds should take, and how many there are at least and at most.
BUDGET, LEAST, MOST = 60.0, 6, 20
# What is printed beyond this is not compared.
COMPARED = 4 << 20
# So much of others' work, in CPUs, is worth a word.
NOISE = 0.2
FAILS = 125
# What a verdict needs: four rounds.
SURE = 0.8
TITLES = {
    "plain": "as it is",
    "ours": "as amp-run runs it",
    "fast": "as it is, on the fast CPUs alone",
    "weighted": "amp-run --weighted",
    "replace": "amp-run --replace",
}


@dataclass
class Form:
    name: str
    settings: dict[str, str]
    cpus: list[int] | None = None
    seconds: list[float] = field(default_factory=list)
    printed: list[list[str]] = field(default_factory=list)
    failed: str = ""


@dataclass
class Ratio:
    """How many times as fast: a median of rounds, and its interval."""

    value: float
    low: float
    high: float
    level: float

    @classmethod
    def of(cls, slow: list[float], fast: list[float]) -> Ratio:
        """By ranks, so that no law of the times is assumed."""
        each = sorted(a / b for a, b in zip(slow, fast))
        n, k, beyond = len(each), 0, 0.5 ** len(each)
        while 2 * (more := beyond + math.comb(n, k + 1) * 0.5**n) <= 0.05:
            k, beyond = k + 1, more
        return cls(median(each), each[k], each[n - 1 - k], max(0.0, 1 - 2 * beyond))

    def interval(self) -> str:
        return f"{self.low:.2f} to {self.high:.2f}"

    def verdict(self, one: str, other: str) -> str:
        if self.level < SURE:
            return f"{one}: {self.value:.2f} times as fast as {other}, in too few rounds to be sure"
        if self.low > 1:
            return f"{one} is {self.value:.2f} times as fast as {other} ({self.interval()})"
        if self.high < 1:
            return f"{one} takes {1 / self.value:.2f} times as long as {other} ({1 / self.high:.2f} to {1 / self.low:.2f})"
        if self.low > 0.97 and self.high < 1.03:
            return f"{one} is as fast as {other} ({self.interval()})"
        return f"no difference between {one} and {other} can be told ({self.interval()})"


def busy_cpus() -> float:
    """CPU seconds of all processes so far."""
    words = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, _, _, irq, soft, _ = map(int, words)
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


def own_cpus() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def input_file() -> IO[bytes] | int:
    """What each run reads from the beginning."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return subprocess.DEVNULL
    if stat.S_ISREG(mode):
        return sys.stdin.buffer
    if os.isatty(0) or stat.S_ISCHR(mode):
        return subprocess.DEVNULL
    kept = tempfile.TemporaryFile()
    shutil.copyfileobj(sys.stdin.buffer, kept)
    return kept


def dry(prefix: Path, options: list[str], path: str, env: dict[str, str]) -> dict[str, str]:
    """What amp-run sets with such options."""
    command = [str(prefix / "amp-run"), "-q", *options, "--dry-run", "--", path]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, check=False)
    return dict(line.split("=", 1) for line in done.stdout.decode().splitlines() if "=" in line)


class Comparison:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.command: list[str] = [options.program, *options.arguments]
        self.input = input_file()
        env = {**os.environ, **options.set}
        info = subprocess.run(
            [options.info, "--json"], env=env, stdout=subprocess.PIPE, check=False
        )
        types = [t for t in json.loads(info.stdout or "{}").get("types", []) if t["used"]]
        self.fast: list[int] = types[0]["cpus"] if len(types) > 1 else []
        self.notes = (
            [] if self.fast else ["the CPUs are alike: there are no fast ones to run on alone"]
        )
        self.forms = [f for name in self.names() if (f := self.form(name, env))]
        self.others = 0.0
        self.status = 0  # Of plain.

    def names(self) -> list[str]:
        given = self.options.forms
        if given in ("", "all"):
            return list(TITLES)[: None if given else 3]
        names = given.split(",")
        if wrong := set(names) - set(TITLES):
            die(f"--compare: no form {wrong.pop()}; there are {', '.join(TITLES)}, and all")
        return list(dict.fromkeys(["plain", *names]))

    def form(self, name: str, env: dict[str, str]) -> Form | None:
        prefix = Path(self.options.info).parent
        # A program of amp-gcc finds our library by itself.
        if name in ("plain", "fast"):
            cpus = self.fast if name == "fast" else None
            return None if name == "fast" and not cpus else Form(name, {"GOMP_AMP": "off"}, cpus)
        more = {"weighted": ["--weighted"], "replace": [f"--replace={self.options.replaced}"]}
        settings = self.options.set
        if name in more:
            settings = {**settings, **dry(prefix, more[name], self.options.program, env)}
        return Form(name, settings)

    def run(self, form: Form) -> float:
        """Seconds from its start to its end."""
        if not isinstance(self.input, int):
            os.lseek(self.input.fileno(), 0, os.SEEK_SET)

        def begin() -> None:
            if form.cpus:
                os.sched_setaffinity(0, form.cpus)

        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            start = time.monotonic()
            try:
                ended = subprocess.run(
                    self.command, env={**os.environ, **form.settings}, stdin=self.input,
                    stdout=out, stderr=err, preexec_fn=begin, check=False,
                ).returncode  # fmt: skip
            except OSError as e:
                die(f"{self.command[0]}: {e.strerror}")
            seconds = time.monotonic() - start
            out.seek(0)
            form.printed.append(out.read(COMPARED).decode(errors="replace").splitlines())
            if ended != (0 if form.name == "plain" else self.status):
                err.seek(max(0, err.seek(0, os.SEEK_END) - 500))
                what = f"signal {-ended}" if ended < 0 else f"status {ended}"
                text = err.read().decode(errors="replace").rstrip()
                if not form.failed:
                    say(
                        f"{form.name}: the program ends with {what}"
                        + (f"; the end of its standard error:\n{text}" if text else "")
                    )
                form.failed = f"{form.name}: the program ends with {what}"
                if form.name == "plain" and ended < 0:
                    say("--compare: nothing to compare")
                    sys.exit(FAILS)
            self.status = ended if form.name == "plain" else self.status
        return seconds

    def measure(self) -> None:
        shuffled = random.Random(1)
        names = ", ".join(f.name for f in self.forms)
        say(f"--compare: {names}, in turns; a first round does not count")
        begin, busy, own = time.monotonic(), busy_cpus(), own_cpus()
        first = {f.name: self.run(f) for f in self.forms}
        if self.forms[0].failed:
            self.notes.append(f"{self.forms[0].failed} by itself")
        self.forms = [f for f in self.forms if f.name == "plain" or not f.failed]
        total = sum(first.values())
        rounds = self.options.runs or max(LEAST, min(MOST, int(BUDGET / total)))
        if sys.stderr.isatty() or total * rounds > 2 * BUDGET:
            say(f"{rounds} rounds, about {total * rounds:.0f} s")
        try:
            for _ in range(rounds):
                order = shuffled.sample(self.forms, len(self.forms))
                times = {f.name: self.run(f) for f in order}
                for f in self.forms:
                    f.seconds.append(times[f.name])
        except KeyboardInterrupt:
            say("interrupted; this is what was measured so far")
        self.forms = [f for f in self.forms if f.name == "plain" or not f.failed]
        passed = time.monotonic() - begin
        self.others = max(0.0, (busy_cpus() - busy - (own_cpus() - own)) / passed)

    def compare_output(self) -> list[str]:
        """What the other forms print that plain does not."""
        plain, *others = self.forms
        text = Text(Tolerance(1e-6, 1e-12))
        for lines in plain.printed:
            text.learn(lines)
        found = []
        for f in others:
            # A line that is there only because of how it ran is no result.
            for lines in f.printed:
                if differing := text.differences(lines):
                    found.append(
                        f"{f.name} prints something else than plain: {next(iter(differing.values()))}"
                    )
                    break
        return found

    def show(self) -> int:
        plain, *others = self.forms
        if not plain.seconds:
            return 130
        rounds = len(plain.seconds)
        ratios = {f.name: Ratio.of(plain.seconds, f.seconds) for f in others}
        print(f"{' '.join(self.command)}: medians of {rounds} round{'s' * (rounds != 1)}")
        if self.others > NOISE:
            print(
                f"NOISY: other processes took {self.others:.1f} CPUs meanwhile; repeat this on a quiet machine"
            )
        for f in self.forms:
            more = [f"CPUs {','.join(map(str, f.cpus))}"] if f.cpus else []
            more += [
                f"{n}={v}" for n, v in f.settings.items() if n.startswith(("OMP_", "GOMP_AMP_"))
            ]
            ratio = f"{ratios[f.name].value:6.2f} times as fast" if f.name in ratios else ""
            title = TITLES[f.name] + (f" ({', '.join(more)})" if more else "")
            print(f"  {f.name:9}{median(f.seconds):10.3f} s {ratio:22} {title}")
        by_name = {f.name: f for f in self.forms}
        says = [ratios[f.name].verdict(f.name, "plain") for f in others]
        if "ours" in by_name and "fast" in by_name:
            ratios["ours/fast"] = Ratio.of(by_name["fast"].seconds, by_name["ours"].seconds)
            says.append(ratios["ours/fast"].verdict("ours", "the fast CPUs alone"))
        for line in says:
            print(line)
        level = next((r.level for r in ratios.values()), 0.0)
        if level:
            print(
                f"(in brackets: where the median of such rounds is, with {100 * level:.0f} % confidence)"
            )
        self.notes += self.compare_output()
        for note in self.notes:
            print(note)
        if self.options.json:
            found = {
                "program": self.command,
                "rounds": rounds,
                "forms": {
                    f.name: {"seconds": f.seconds, "cpus": f.cpus, "settings": f.settings}
                    for f in self.forms
                },
                "times_as_fast": {n: vars(r) for n, r in ratios.items()},
                "others_cpus": round(self.others, 3),
                "verdict": says,
                "notes": self.notes,
            }
            try:
                self.options.json.write(json.dumps(found, indent=1) + "\n")
                self.options.json.close()
            except OSError as e:
                die(f"--json: {self.options.json.name}: {e.strerror}")
        return 0


class Settings(argparse.Action):
    def __call__(
        self, parser: object, options: argparse.Namespace, value: object, _: object = None
    ) -> None:
        name, _, text = str(value).partition("=")
        options.set = {**options.set, name: text}


def main() -> int:
    p = Parser(add_help=False, allow_abbrev=False)
    p.add_argument("--set", action=Settings, default={})
    p.add_argument("--forms", default="")
    p.add_argument("--replaced", default="")
    p.add_argument("--runs", type=count, default=0)
    p.add_argument("--json", type=argparse.FileType("w"))
    end = sys.argv.index("--")
    options = p.parse_args(sys.argv[1:end])
    options.info, options.program, *options.arguments = sys.argv[end + 1 :]
    # As at an interrupt: the program ends, and what is known is shown.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    # A name may be no text.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    comparison = Comparison(options)
    try:
        comparison.measure()
    except KeyboardInterrupt:
        return 130
    return comparison.show()


if __name__ == "__main__":
    sys.exit(status_of(main, 2))
