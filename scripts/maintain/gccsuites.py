# SPDX-License-Identifier: GPL-3.0-or-later
"""What check-gcc and check-compiler share: running one of GCC's own DejaGnu suites in
several processes, and comparing what it says with an earlier run."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

TOP = Path(__file__).resolve().parents[2]
# Nothing that whoever runs this has set may reach the tests.
OTHERS = ("OMP_", "GOMP_", "KMP_")
ALSO = ("LD_LIBRARY_PATH", "LD_PRELOAD", "MAKEFLAGS", "MAKELEVEL")


def say(text: str) -> None:
    print(f"gomp-amp: {text}", flush=True)


def die(text: str) -> NoReturn:
    print(f"gomp-amp: {Path(sys.argv[0]).name}: {text}", file=sys.stderr)
    sys.exit(1)


@dataclass(frozen=True)
class Host:
    """What scripts/build/lib.sh knows of compilers and folders."""

    cc: str
    cxx: str
    fc: str
    cc_version: str
    # That of the patches, and of the source.
    version: str
    triplet: str
    build: Path
    stage: Path
    jobs: int


def begin() -> None:
    """Clear the environment, end processes with this one, look for runtest."""
    for name in list(os.environ):
        if name.startswith(OTHERS) or name in ALSO:
            del os.environ[name]
    os.environ["LC_ALL"] = "C"
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(1))
    if shutil.which("runtest") is None:
        die("runtest is missing; install dejagnu")


def output(*command: str) -> str:
    """What a command prints; empty where it fails."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def find_host(prefix: Path | None) -> Host:
    """The host's compilers; the version is that of the patched GCC in `prefix`, if any."""
    env = dict(os.environ)
    if prefix is not None:
        env["GCC_VERSION"] = output(str(prefix / "bin/gcc"), "-dumpfullversion")
        if not env["GCC_VERSION"]:
            die(f"{prefix}/bin/gcc does not run")
        env["LIBGOMP_ONLY"] = "yes"
    words = "$host_cc $host_cxx $host_fc $host_version $version $triplet $BUILD $stage $J"
    script = '. "$0"; find_compilers; printf "%s\\n" ' + " ".join(f'"{w}"' for w in words.split())
    done = subprocess.run(
        ["sh", "-c", script, str(TOP / "scripts/build/lib.sh")],
        env=env,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(1)
    cc, cxx, fc, cc_version, version, triplet, build, stage, jobs = done.stdout.splitlines()
    return Host(
        cc, cxx, fc, cc_version, version, triplet, Path(build), Path(stage), int(jobs)
    )


def path_of(compiler: str) -> str:
    """The same compiler, by its path; it may be several words."""
    first, *rest = shlex.split(compiler)
    return shlex.join([shutil.which(first) or first, *rest])


def digest(*parts: str | Path) -> str:
    """One hash of texts and of what files hold; a file that is absent counts as such."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            part = hashlib.sha256(part.read_bytes()).hexdigest() if part.is_file() else "absent"
        total.update(part.encode() + b"\n")
    return total.hexdigest()


def read(path: Path) -> list[str]:
    """The lines of a file; of none, none."""
    return path.read_text(encoding="latin-1").split("\n")[:-1] if path.is_file() else []


def write(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="latin-1")


def kept(path: Path, key: str) -> bool:
    """Was this run completed, with the same inputs?"""
    return read(path.with_name(path.name + ".done")) == [key]


def complete(path: Path, key: str) -> None:
    write(path.with_name(path.name + ".done"), [key])


@dataclass(frozen=True)
class Suite:
    """A DejaGnu suite, and how it is run."""

    tool: str
    source: Path
    # Runtest's argument: the .exp file, with a list of patterns after `='.
    what: str
    # Of site.exp, beside the folders and the machine.
    variables: Mapping[str, str]
    host: Host
    jobs: int
    # Files that GCC's configure would make.
    files: Mapping[str, str]
    # Of the paths in the results, what differs from run to run.
    varies: str

    def run(self, folder: Path, name: str, env: Mapping[str, str]) -> list[str]:
        """Run it; leaves folder/name.sum, which is returned, and folder/name.log.  Each of
        the processes takes the tests that no other has taken yet."""
        work = folder / f"{name}.d"
        shutil.rmtree(work, ignore_errors=True)
        (work / "parallel").mkdir(parents=True)
        for file, text in self.files.items():
            # GCC 13 and later look one folder up.
            (work / file).write_text(text)
        processes = []
        try:
            for n in range(1, self.jobs + 1):
                processes.append(self.start(work, work / str(n), env))
            for process in processes:
                process.wait()
        finally:
            for process in processes:
                if process.poll() is None:
                    process.terminate()
        parts = sorted(work.glob("*/" + self.tool + ".log"))
        with (folder / f"{name}.log").open("wb") as log:
            for part in parts:
                log.write(part.read_bytes())
        lines = [
            re.sub(self.varies, "", line)
            for part in parts
            for line in read(part.with_suffix(".sum"))
            if re.match(r"[A-Z]{4,}: ", line)
        ]
        lines.sort()
        write(folder / f"{name}.sum", lines)
        if not lines:
            print("\n".join(read(work / "1/out")[-20:]), file=sys.stderr)
            die(f"runtest ran nothing; see {work}/1/out")
        shutil.rmtree(work)
        return lines

    def start(self, work: Path, folder: Path, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        folder.mkdir()
        machine = self.host.triplet
        site = {
            "srcdir": f'"{self.source}"',
            "objdir": f'"{folder}"',
            "tmpdir": f'"{folder}"',
            "rootme": f'"{folder}"',
            "tool": self.tool,
            "host_triplet": machine,
            "build_triplet": machine,
            "target_triplet": machine,
            "TORTURE_OPTIONS": "{ { -O2 } }",
            **self.variables,
        }
        write(folder / "site.exp", [f"set {name} {value}" for name, value in site.items()])
        for file, text in self.files.items():
            (folder / file).write_text(text)
        with (folder / "out").open("wb") as out:
            return subprocess.Popen(
                ["runtest", "--tool", self.tool, self.what],
                cwd=folder,
                env={**os.environ, "GCC_RUNTEST_PARALLELIZE_DIR": str(work / "parallel"), **env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )


def passing(lines: Iterable[str]) -> list[str]:
    """What passes, without the word."""
    return [line.removeprefix("PASS: ") for line in lines if line.startswith("PASS: ")]


def failing(want: Iterable[str], got: Iterable[str]) -> list[str]:
    """What passes in `want` and does not in `got`, once for each time that one is lacking."""
    return sorted((Counter(passing(want)) - Counter(passing(got))).elements())


def counts(lines: Iterable[str], words: Iterable[str]) -> list[int]:
    """How many lines begin with each of the words."""
    found = list(lines)
    return [sum(line.startswith(word) for line in found) for word in words]


class Exceptions:
    """A file of tests that are not held against us, one a line, the name first; those of
    ALWAYS have a + before it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        words = [
            line.split()[0] for line in read(path) if line.strip() and not line.startswith("#")
        ]
        self.names = [word.removeprefix("+") for word in words]
        self.always = {word[1:] for word in words if word.startswith("+")}

    def split(self, lines: Iterable[str], always: bool = False) -> tuple[list[str], list[str]]:
        """Of results, those of tests that are listed, or are in ALWAYS, and the others."""
        names = self.always if always else self.names
        listed: list[str] = []
        others: list[str] = []
        for line in lines:
            (listed if name_of(line) in names else others).append(line)
        return listed, others


def name_of(line: str) -> str:
    """The file that a result is about."""
    return re.sub(r".*/\.\./", "", re.sub(r":.*", "", line.split(" ")[0]))


class Tally:
    """The sum over all runs."""

    def __init__(self, table: Path, heading: str) -> None:
        self.table = table
        self.rows = [heading]
        self.passed = self.failed = self.skipped = 0
        self.began = time.monotonic()

    def add(self, passed: int, failed: int, skipped: int) -> None:
        self.passed += passed
        self.failed += failed
        self.skipped += skipped

    def close(self) -> int:
        write(self.table, self.rows)
        print("\n" + "\n".join(self.rows))
        print(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped")
        return 0 if self.failed == 0 and self.passed != 0 else 1


def show(word: str, lines: Iterable[str]) -> None:
    for line in lines:
        print(f"{word}: {line}")
