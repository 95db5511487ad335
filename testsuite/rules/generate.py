#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random programs against the rules that say which loops may be divided otherwise.

Compiles random programs (programs.py) by plain GCC and with the plugin, and runs them with 2 to 7
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
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from programs import C, Cxx, Fortran, Program, indented

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
SLOW = float(os.environ.get("SLOW") or 1)
LIMIT = 60 * SLOW  # Seconds a run may take.
COMPILERS = {"c": ("CC", "gcc"), "c++": ("CXX", "g++"), "fortran": ("FC", "gfortran")}
LANGUAGES: dict[str, C] = {w.name: w for w in (C(), Cxx(), Fortran())}
# Iterations of the rounds of each program.
ROUNDS = (41, 6, 97)

C_HELPERS = """
#define STATIC(name) static inline u64 name##_in
u64 mix_X (u64 a, u64 b) { return (a ^ b >> 3) * 2654435761ul; }
void put_X (u64 *s, u64 a) { *s = a; }
u64 get_X (const u64 *s) { return *s * 3; }
void add_X (u64 *s, u64 a) { *s += a; }
u64 draw_X (u64 *s) { return *s = *s * 69069 + 1; }
void fill_X (u64 *w, u64 a) { for (int k = 0; k < 8; k++) w[k] = a + k; }
u64 sum_X (const u64 *w) { u64 s = 0; for (int k = 0; k < 8; k++) s = s * 5 + w[k]; return s; }
void record_put_X (struct record *s, u64 a)
{ s->a = a; s->b = a >> 2; for (int k = 0; k < 4; k++) s->c[k] = a ^ k; }
u64 record_get_X (const struct record *s) { return s->a + s->b * 7 + s->c[1] + s->c[3] * 3; }
"""
C_HEAD = """#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long u64;
struct record { u64 a, b, c[4]; };
"""
CXX_HEAD = """#include <algorithm>
#include <numeric>
#include <vector>
"""
C_SHARED = """
static const u64 *const in = table;
static u64 out0[512], out1[512], out2[512], tail[64], sums[64], total;
static inline struct record make (u64 a, u64 b)
{ struct record s = { a, b, { a, b, 3, 4 } }; return s; }
static inline u64 who_in (u64 a) { return a ^ omp_get_thread_num (); }
static __attribute__ ((noinline)) u64 who_out (u64 a) { return a + omp_get_thread_num (); }
"""
CXX_SHARED = """
class Gen
{
  u64 x = 1;
public:
  Gen () {}
  explicit Gen (u64 v) : x (v) {}
  void set (u64 v) { x = v; }
  u64 get () const { return x * 3; }
  void add (u64 v) { x += v; }
  u64 next () { return x = x * 69069 + 1; }
};
"""
C_MAIN = """
static void
run (int number, void (*f) (int), int n)
{
  u64 h = 0;
  memset (out0, 0, sizeof out0);
  memset (out1, 0, sizeof out1);
  memset (out2, 0, sizeof out2);
  memset (tail, 0, sizeof tail);
  memset (sums, 0, sizeof sums);
  total = 0;
  f (n);
  for (int i = 0; i < 512; i++)
    h = h * 31 + (out0[i] ^ out1[i] * 5 ^ out2[i] * 11);
  for (int i = 0; i < 64; i++)
    h = h * 31 + tail[i], total += sums[i];
  printf ("%d %lx\\n", number, h ^ total * 7);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  static const int rounds[] = { ROUNDS };
  int from = argc > 1 ? atoi (argv[1]) : 0;
  for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int t = 0; t < 3; t++)
      if (cases[c].number >= from)
	run (cases[c].number, cases[c].f, rounds[t]);
}
"""
FORTRAN_HEAD = """module programs
  use omp_lib
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(c) :: record
    integer(8) :: a, b, c(0:3)
  end type record
  integer(8), bind(c, name="table") :: in(0:127)
  integer(8) :: out0(0:511), out1(0:511), out2(0:511), tail(0:63), sums(0:63), total
"""
FORTRAN_FAR = """
    VALUE function mix_far(a, b) bind(c)
      integer(8), value :: a, b
    end
    subroutine put_far(s, a) bind(c)
      integer(8) :: s
      integer(8), value :: a
    end
    VALUE function get_far(s) bind(c)
      integer(8), intent(in) :: s
    end
    subroutine add_far(s, a) bind(c)
      integer(8) :: s
      integer(8), value :: a
    end
    VALUE function draw_far(s) bind(c)
      integer(8) :: s
    end
    subroutine fill_far(w, a) bind(c)
      integer(8) :: w(0:7)
      integer(8), value :: a
    end
    VALUE function sum_far(w) bind(c)
      integer(8), intent(in) :: w(0:7)
    end
    subroutine record_put_far(s, a) bind(c)
      import record
      type(record) :: s
      integer(8), value :: a
    end
    VALUE function record_get_far(s) bind(c)
      import record
      type(record), intent(in) :: s
    end
"""
FORTRAN_HELPERS = """
  integer(8) function mix_X(a, b)
    integer(8), intent(in) :: a, b
    mix_X = ieor(a, shiftr(b, 3)) * 2654435761_8
  end
  subroutine put_X(s, a)
    integer(8), intent(out) :: s
    integer(8), intent(in) :: a
    s = a
  end
  integer(8) function get_X(s)
    integer(8), intent(in) :: s
    get_X = s * 3
  end
  subroutine add_X(s, a)
    integer(8), intent(inout) :: s
    integer(8), intent(in) :: a
    s = s + a
  end
  integer(8) function draw_X(s)
    integer(8), intent(inout) :: s
    s = s * 69069 + 1
    draw_X = s
  end
  subroutine fill_X(w, a)
    integer(8), intent(out) :: w(0:7)
    integer(8), intent(in) :: a
    integer :: k
    do k = 0, 7
      w(k) = a + k
    end do
  end
  integer(8) function sum_X(w)
    integer(8), intent(in) :: w(0:7)
    integer :: k
    sum_X = 0
    do k = 0, 7
      sum_X = sum_X * 5 + w(k)
    end do
  end
  subroutine record_put_X(s, a)
    type(record), intent(out) :: s
    integer(8), intent(in) :: a
    s = record(a, a * 5, [a, a + 1, a * 3, a])
  end
  integer(8) function record_get_X(s)
    type(record), intent(in) :: s
    record_get_X = s%a + s%b * 7 + s%c(1) + s%c(3) * 3
  end
  integer(8) function who_X(a)
    integer(8), intent(in) :: a
    who_X = a + omp_get_thread_num()
  end
"""
FORTRAN_MAIN = """
  subroutine run(number, f, n)
    integer, intent(in) :: number, n
    interface
      subroutine f(n)
        integer, value :: n
      end
    end interface
    integer(8) :: h
    integer :: i
    out0 = 0
    out1 = 0
    out2 = 0
    tail = 0
    sums = 0
    total = 0
    call f(n)
    h = 0
    do i = 0, 511
      h = h * 31 + ieor(ieor(out0(i), out1(i) * 5), out2(i) * 11)
    end do
    do i = 0, 63
      h = h * 31 + tail(i)
    end do
    write (*, '(i0, " ", z0)') number, ieor(h, (total + sum(sums)) * 7)
    flush (6)
  end
end module programs
program main
  use programs
  character(20) :: word
  integer :: from
  from = 0
  call get_command_argument(1, word)
  if (word /= ' ') read (word, *) from
"""


def helpers_in_c(language: str) -> str:
    """Those that are inlined, those that are not, and those of another file."""
    text = "\n".join(C_HELPERS.splitlines()[2:])
    define = re.compile(r"^(u64|void) ", re.M)
    there = 'extern "C" {\n' if language == "c++" else ""
    far = re.sub(r"\s*\{ .*", ";", re.sub(r"\)\n\{.*", ");", text)).replace("_X", "_far")
    return (
        f"{there}extern const u64 table[128];\n{far}\n{'}' if there else ''}\n"
        + define.sub(r"static inline \1 ", text).replace("_X", "_in")
        + "\n"
        + define.sub(r"static __attribute__ ((noinline)) \1 ", text).replace("_X", "_out")
    )


def other_file() -> str:
    text = "\n".join(C_HELPERS.splitlines()[2:]).replace("_X", "_far")
    values = random.Random("table")
    numbers = ", ".join(str(values.randrange(1 << 32)) for _ in range(128))
    return (
        f"{C_HEAD}\nextern const u64 table[128];\nconst u64 table[128] = {{ {numbers} }};\n{text}\n"
    )


def source(language: C, seed: str, numbers: list[int]) -> str:
    programs = {n: Program(language, seed, n).text() for n in numbers}
    if isinstance(language, Fortran):
        shared = [x[1:] for text in programs.values() for x in text if x.startswith("@")]
        bodies = [x for text in programs.values() for x in ["", *text] if not x.startswith("@")]
        far = FORTRAN_FAR.replace("VALUE", "integer(8)")
        return "\n".join(
            [
                FORTRAN_HEAD,
                *indented(shared),
                "  interface",
                far,
                "  end interface",
                "contains",
                FORTRAN_HELPERS.replace("_X", "_in"),
                FORTRAN_HELPERS.replace("_X", "_out"),
                *indented(bodies),
                FORTRAN_MAIN,
                *[
                    f"  if (from <= {n}) call run({n}, case{n}, {rounds})"
                    for n in numbers
                    for rounds in ROUNDS
                ],
                "end program main",
                "",
            ]
        )
    cxx = isinstance(language, Cxx)
    table = ", ".join(f"{{ {n}, case{n} }}" for n in numbers)
    return "\n".join(
        [
            CXX_HEAD if cxx else "",
            C_HEAD,
            helpers_in_c(language.name),
            C_SHARED,
            CXX_SHARED if cxx else "",
            *[x for text in programs.values() for x in ["", *text]],
            f"\nstatic const struct {{ int number; void (*f) (int); }} cases[] = {{ {table} }};",
            C_MAIN.replace("ROUNDS", ", ".join(map(str, ROUNDS))),
        ]
    )


@dataclass
class Tool:
    """How programs are compiled."""

    stage: Path
    plugin: Path | None
    default: str
    options: list[str]
    folder: Path

    def compiler(self, language: str) -> str:
        variable, name = COMPILERS[language]
        return os.environ.get(variable) or name

    def compile(self, file: Path, language: str, out: Path, ours: bool) -> list[tuple[int, str]]:
        """Of each loop line and decision."""
        dump = out.with_suffix(".dump")
        dump.unlink(missing_ok=True)
        options = ["-fopenmp", "-w", "-fwrapv", *(self.options if ours else ["-O0"])]
        if language == "fortran":
            options += ["-ffree-line-length-none", f"-J{out.parent}"]
        command = [self.compiler(language)]
        if ours and self.plugin is None:
            command = [str(self.stage / "bin" / f"amp-{COMPILERS[language][1]}")]
            options += [
                f"-fplugin-arg-gomp_amp_plugin-dump={dump}",
                f"-fopenmp-default-schedule={self.default}",
            ]
        elif ours and self.plugin is not None:
            name = self.plugin.stem
            options += [f"-fplugin={self.plugin}", f"-fplugin-arg-{name}-dump={dump}"]
            if self.default != "runtime":
                options += [f"-fplugin-arg-{name}-default={self.default}"]
        options += [str(file), str(self.folder / "other.o"), "-o", str(out)]
        if ours:
            options += [f"-L{self.stage / 'lib'}", f"-Wl,-rpath,{self.stage / 'lib'}"]
        r = subprocess.run(
            [*command, *options], capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        if r.returncode != 0:
            raise RuntimeError(f"{' '.join([*command, *options])}\n{r.stderr[:4000]}")
        found = []
        if dump.exists():
            for line in dump.read_text().splitlines():
                if m := re.match(r".*?:(\d+)(?::\d+)?: (.*)", line):
                    found.append((int(m[1]), m[2]))
        return found


def execute(program: Path, environment: dict[str, str], last: int) -> dict[int, list[str]]:
    """Of each program its lines; one that ends them all has the line `crashed'."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_"))}
    kept |= {"OMP_WAIT_POLICY": "passive"} | environment
    found: dict[int, list[str]] = collections.defaultdict(list)
    begin = 0
    while begin <= last:
        try:
            r = subprocess.run(
                [str(program), str(begin)],
                capture_output=True,
                text=True,
                env=kept,
                stdin=subprocess.DEVNULL,
                timeout=LIMIT,
            )
            text, how = r.stdout, "" if r.returncode == 0 else f"ended with {r.returncode}"
        except subprocess.TimeoutExpired as e:
            text = e.stdout.decode() if isinstance(e.stdout, bytes) else e.stdout or ""
            how = "hung"
        for line in text.splitlines():
            if m := re.fullmatch(r"(\d+) ([0-9a-fA-F]+)", line):
                found[int(m[1])].append(m[2])
        if not how:
            break
        at = max(found, default=begin)
        if len(found[at]) >= len(ROUNDS):
            at += 1
        found[at].append(how)
        begin = at + 1
    return found


@dataclass
class Verdict:
    """Of one program: its loops' decisions, and the divisions under which it fails."""

    decisions: list[str]
    static: list[str] = field(default_factory=list)
    ascending: list[str] = field(default_factory=list)
    descending: list[str] = field(default_factory=list)

    @property
    def converted(self) -> bool:
        return any(not d.startswith(("static", "explicit")) for d in self.decisions)

    @property
    def any_order(self) -> bool:
        return self.converted and all(
            d.startswith(("any", "static", "explicit")) for d in self.decisions
        )

    def failure(self) -> str:
        if self.static:
            return "static"
        if self.converted and self.ascending:
            return "ascending"
        return "any order" if self.any_order and self.descending else ""


def divisions(runs: int) -> list[tuple[str, dict[str, str]]]:
    found = [
        ("static", {"OMP_NUM_THREADS": str(2 + k % 6), "OMP_SCHEDULE": "static"}) for k in (0, 1, 5)
    ]
    for k in range(runs):
        threads = str(2 + k % 6)
        form = ",contiguous" if k % 3 == 0 else ""
        found.append(
            ("ascending", {"OMP_NUM_THREADS": threads, "GOMP_AMP_CHECK": f"seed={k + 1}{form}"})
        )
    found += [
        ("ascending", {"OMP_NUM_THREADS": t, "OMP_SCHEDULE": s})
        for t, s in (("3", "dynamic,1"), ("5", "guided"))
    ]
    for k in range(runs // 2):
        found.append(
            (
                "descending",
                {
                    "OMP_NUM_THREADS": str(2 + k * 3 % 6),
                    "GOMP_AMP_CHECK": f"seed={k + 1},descending",
                },
            )
        )
    return found


def judge(tool: Tool, language: C, seed: str, numbers: list[int], runs: int) -> dict[int, Verdict]:
    """Compile and run these programs, one file."""
    name = f"{language.name}-{numbers[0]}"
    file = tool.folder / f"{name}{language.suffix}"
    text = source(language, seed, numbers)
    file.write_text(text)
    begins: dict[int, int] = {}  # Lines, and the programs that begin there.
    for i, line in enumerate(text.splitlines(), 1):
        if m := re.match(r"\s*(?:static void|subroutine) (?:case|loop)(\d+)(?:_\d+)? ?\(", line):
            begins[i] = int(m[1])
        elif m := re.match(r"\s*loop(\d+)_\d+ \(", line):
            begins[i] = int(m[1])
    folder = tool.folder / name
    folder.mkdir(exist_ok=True)
    right, ours = folder / "right", folder / "ours"
    tool.compile(file, language.name, right, False)
    verdicts = {n: Verdict([]) for n in numbers}
    for at, decision in tool.compile(file, language.name, ours, True):
        verdicts[begins[max(i for i in begins if i <= at)]].decisions.append(decision)
    wanted: dict[str, dict[int, list[str]]] = {}
    for kind, environment in divisions(runs):
        threads = environment["OMP_NUM_THREADS"]
        if threads not in wanted:
            wanted[threads] = execute(right, {"OMP_NUM_THREADS": threads}, numbers[-1])
            again = execute(right, {"OMP_NUM_THREADS": threads}, numbers[-1])
            for n in numbers:
                if wanted[threads][n] != again[n] or len(again[n]) != len(ROUNDS):
                    raise RuntimeError(
                        f"program {n} of {seed}: no result of its own ({threads} threads)"
                    )
        got = execute(ours, environment, numbers[-1])
        where = ", ".join(f"{k}={v}" for k, v in environment.items())
        for n in numbers:
            if got[n] != wanted[threads][n]:
                getattr(verdicts[n], kind).append(where)
    return verdicts


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="programs in all (default: 200)")
    parser.add_argument("--seed", help="to draw from, instead of a new one")
    parser.add_argument("--languages", default="c,c++,fortran")
    parser.add_argument("--each", type=int, default=50, help="programs a file (default: 50)")
    parser.add_argument("--runs", type=int, default=8, help="drawn divisions (default: 8)")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument(
        "--stage", type=Path, default=Path(os.environ.get("BUILD") or TOP / "build") / "stage"
    )
    parser.add_argument("--plugin", type=Path, help="another plugin than the stage's")
    parser.add_argument(
        "--default", default="runtime", help="what loops become; free: all are converted"
    )
    parser.add_argument(
        "--options", help="of the compiler, instead of -O0, -O1, -O2 and -O3 in turn"
    )
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="leave sources and programs there"
    )
    parser.add_argument(
        "--show", type=int, metavar="NUMBER", help="print this program's source and end"
    )
    parser.add_argument(
        "--lost",
        action="store_true",
        help="list programs, too, that no division changes but that have a static loop",
    )
    return parser.parse_args()


def main() -> int:
    args = arguments()
    seed = args.seed or str(random.SystemRandom().randrange(1 << 32))
    languages = [LANGUAGES[name] for name in args.languages.split(",")]
    groups = []
    for k, begin in enumerate(range(0, args.count, args.each)):
        groups.append(
            (
                languages[k % len(languages)],
                list(range(begin, min(begin + args.each, args.count))),
                k,
            )
        )
    if args.show is not None:
        group = next(g for g in groups if args.show in g[1])
        print("\n".join(Program(group[0], seed, args.show).text()))
        return 0
    print(f"seed {seed}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = (args.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "other.c").write_text(other_file())
        subprocess.run(
            [
                os.environ.get("CC") or "gcc",
                "-O1",
                "-w",
                "-c",
                folder / "other.c",
                "-o",
                folder / "other.o",
            ],
            check=True,
        )
        totals: collections.Counter[str] = collections.Counter()

        def one(group: tuple[C, list[int], int]) -> dict[int, Verdict]:
            options = (
                args.options or ("-O2", "-O0", "-O1", "-O3")[group[2] // len(languages) % 4]
            ).split()
            tool = Tool(
                args.stage.resolve(),
                args.plugin and args.plugin.resolve(),
                args.default,
                options,
                folder,
            )
            return judge(tool, group[0], seed, group[1], args.runs)

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for group, verdicts in zip(groups, pool.map(one, groups)):
                for number, v in verdicts.items():
                    totals["programs"] += 1
                    totals["loops"] += len(v.decisions)
                    totals["converted loops"] += sum(
                        not d.startswith(("static", "explicit")) for d in v.decisions
                    )
                    changed = bool(v.ascending)
                    totals["minds an ascending division"] += v.converted and changed
                    totals["minds a descending one alone"] += (
                        v.converted and not changed and bool(v.descending)
                    )
                    lost = not changed and any(d.startswith("static") for d in v.decisions)
                    if args.lost and lost:
                        print(f"perhaps lost: {group[0].name} {number}: {' | '.join(v.decisions)}")
                    if failure := v.failure():
                        totals["failed"] += 1
                        first = (v.static or v.ascending or v.descending)[0]
                        print(
                            f"FAIL: {group[0].name} {number} ({failure}): {first}: {' | '.join(v.decisions)}",
                            flush=True,
                        )
    print(", ".join(f"{n} {what}" for what, n in totals.items()))
    print(f"{totals['programs'] - totals['failed']} passed, {totals['failed']} failed, 0 skipped")
    return 1 if totals["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
