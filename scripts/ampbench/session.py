# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands that measure share: options, CPUs, the raw file and its session record."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from . import machine, plots, record, runtimes
from .emulation import METHODS, REPEAT, Emulation, NotPossible, Repeated, Slowing, other_slowing
from .kernels import TOP, Kernel
from .launch import Launcher
from .plan import EQUAL, REAL
from .record import RawFile, Record, Run

Parser = argparse.ArgumentParser


def fail(text: str) -> NoReturn:
    sys.exit(f"bench: {text}")


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr)


def build_folder() -> Path:
    build = Path(os.environ.get("BUILD") or "build")
    return build if build.is_absolute() else TOP / build


def words(text: str) -> list[str]:
    return text.split(",")


def numbers(text: str) -> list[int]:
    try:
        return sorted({int(n) for n in text.split(",")})
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: numbers, separated by commas") from None


def counted(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(text)


def slower(text: str) -> float:
    try:
        ratio = float(text)
    except ValueError:
        ratio = 0.0
    if not 1.0 < ratio <= 100.0:
        raise argparse.ArgumentTypeError("must be above 1, at most 100")
    return ratio


def add_emulation(p: Parser, period: str, what: str = "") -> None:
    """How CPUs are slowed: None where it is not given."""
    p.add_argument(
        "--emulate", action=argparse.BooleanOptionalAction,
        help="slow CPUs by amp-emulate, or never (if all cores are of one type)",
    )  # fmt: skip
    p.add_argument("--period", help=f"{what}amp-emulate's period ({period})")
    p.add_argument("--method", choices=METHODS, help=f"{what}amp-emulate's method ({METHODS[0]})")


def add_rounds(p: Parser, reps: str, budget: str = "", limit: str = "120") -> None:
    p.add_argument("--reps", type=counted, metavar="N", help=f"rounds that count ({reps})")
    if budget:
        p.add_argument(
            "--budget", type=float, metavar="MINUTES",
            help=f"then it stops, but not before one round is finished ({budget})",
        )  # fmt: skip
    p.add_argument("--seed", type=int, help="of the order of runs (the time)")
    p.add_argument(
        "--limit", type=float, metavar="SECONDS", help=f"that a run may take ({limit})"
    )


def existing(text: str) -> Path:
    path = Path(text)
    if not path.exists():
        raise argparse.ArgumentTypeError(f"{path}: no such file")
    return path


def add_raw(p: Parser, default: str, plot: str = "") -> None:
    p.add_argument("--out", type=Path, metavar="FILE", help=f"raw file (build/bench/{default})")
    p.add_argument(
        "--resume", type=existing, metavar="FILE", help="go on with this raw file, with its options"
    )
    p.add_argument(
        "--table-from", "--tables-from", dest="table_from", type=existing, metavar="FILE",
        help="only print what FILE says",
    )  # fmt: skip
    if plot:
        p.add_argument("--plot", "--plots", dest="plot", type=Path, metavar="FILE", help=plot)


def libraries(*needed: str) -> tuple[dict[str, runtimes.Runtime], dict[str, str]]:
    """Those that are there, and why others are not; ends the program where one is NEEDED."""
    have, lack = runtimes.find(build_folder())
    for name in needed:
        if name in lack:
            fail(lack[name])
    return have, lack


class Cpus:
    """Which CPUs are run on, and which of them are slow: by their type, or by emulation."""

    def __init__(self, args: argparse.Namespace, slow: Sequence[int] | None = None) -> None:
        """SLOW, or args.emulate: those of this machine that are to be slowed."""
        usable = sorted(os.sched_getaffinity(0))
        types = machine.core_types(build_folder() / "stage" / "bin" / "amp-info")
        emulate = getattr(args, "emulate", None)
        self.real = types.several and not emulate and not slow
        if slow and not set(slow) <= set(usable):
            fail(f"--slow {machine.cpu_list(slow)}: usable are {machine.cpu_list(usable)}")
        if self.real:
            say(f"{types}: they are measured as they are (--emulate slows CPUs beside that)")
            self.fast, self.slow = list(types.cpus[0]), [c for t in types.cpus[1:] for c in t]
        else:
            self.slow = list(slow or usable[-1:])
            self.fast = [c for c in usable if c not in self.slow]
            if types.several:
                say(f"{types}: CPU {machine.cpu_list(self.slow)} is slowed beside that")
        self.emulate = bool(self.fast) and not self.real and emulate is not False
        self.guess = types.ratio  # of real types
        self.types = os.environ.get("GOMP_AMP_TYPES") if self.real else None

    def limit(self, threads: int | None) -> None:
        """THREADS only."""
        cpus = len(self.fast) + len(self.slow)
        if threads and threads > cpus:
            fail(f"--threads {threads}: there are {cpus} usable CPUs, one a thread")
        if threads:
            self.fast = self.fast[: max(threads - len(self.slow), 0)]
            self.slow = self.slow[: threads - len(self.fast)]

    def ratios(self, wanted: Sequence[float], only: str | None) -> list[float]:
        """Of the machines to be measured: equal cores and emulated ones, or the one that is."""
        if self.real:
            if only:
                fail(f"--only {only}: the cores are not equal, and not emulated (--emulate)")
            return [REAL]
        emulated = list(wanted) if self.emulate and only != "equal" else []
        if only == "emulated" and not emulated:
            fail("an emulated AMP needs a CPU beside the slow ones, and no --no-emulate")
        if not emulated and only is None:
            say("equal cores only")
        return ([EQUAL] if only != "emulated" else []) + emulated

    def launcher(
        self, args: argparse.Namespace, have: dict[str, runtimes.Runtime], period: str
    ) -> Launcher:
        slowing = Slowing(
            getattr(args, "period", None) or period, getattr(args, "method", None) or METHODS[0]
        )
        return Launcher(
            build_folder(), have, self.fast, self.slow, slowing, args.limit, types=self.types
        )


class Session:
    """A raw file that is being written, begun or gone on with."""

    def __init__(self, args: argparse.Namespace, mode: str, default: str) -> None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        bench = build_folder() / "bench"
        self.args, self.mode = args, mode
        self.raw: Path = args.resume or args.out or bench / f"{default}-{stamp}.jsonl"
        self.before = load(self.raw) if self.raw.is_file() else []
        seeds = [s["seed"] for s in record.sessions(self.before) if "seed" in s]
        given = getattr(args, "seed", None)
        self.seed: int = given if given is not None else (seeds or [int(time.time())])[0]

    @property
    def known(self) -> list[Run]:
        """The runs of earlier sessions."""
        return [Run.of(r) for r in self.before if r["type"] == "run"]

    def same_slowing(self, how: Slowing) -> None:
        """Ends the program where CPUs were slowed otherwise than by HOW."""
        why = other_slowing(self.before, how)
        if why:
            fail(f"{self.raw}: {why}")

    def head(self, launcher: Launcher | None = None, **more: object) -> Record:
        """The record of this session."""
        out: Record = {
            "type": "session", "format": record.FORMAT, "mode": self.mode,
            "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "command": sys.argv,
            "machine": machine.describe(), "revision": machine.revision(TOP), "seed": self.seed,
        }  # fmt: skip
        if launcher:
            how = f"thread i on CPU {launcher.cpus}[i], free: unbound"
            out |= {
                "libraries": {n: r.record() for n, r in launcher.runtimes.items()},
                "pinning": {"cpus": launcher.cpus, "slow": launcher.slow, "how": how},
                **launcher.slowing.record(),
            }  # fmt: skip
        return out | more

    def measure(self, head: Record, work: Callable[[RawFile], None]) -> int | None:
        """Do WORK with the raw file; the exit status where it did not come to its end."""
        with RawFile(self.raw) as out:
            out.write(head)
            try:
                work(out)
            except NotPossible as e:
                fail(f"no emulated AMP: {e}\n(--no-emulate compares on the cores as they are)")
            except KeyboardInterrupt:
                print(f"\nbench: stopped; go on with --resume {self.raw}", file=sys.stderr)
                return 130
        return None


def emulations(launcher: Launcher) -> Callable[[float], Emulation]:
    """A Plan's emulate."""
    if launcher.slowing.method == REPEAT:
        return lambda ratio: Repeated(launcher.fast, launcher.slow, ratio)
    return lambda ratio: Emulation(launcher.emulator, launcher.slow, ratio, launcher.slowing)


def load(path: Path) -> list[Record]:
    try:
        return record.load(path)
    except (OSError, ValueError) as e:
        fail(str(e))


def chosen(names: str | Sequence[str] | None, known: dict[str, Any], what: str) -> list[Any]:
    """Those of KNOWN that NAMES (all without) stand for, separated by commas."""
    if isinstance(names, str):
        names = words(names)
    for name in names or ():
        if name not in known:
            fail(f"no {what} {name}; there are {', '.join(known)}")
    return [known[n] for n in (names or known)]


def settle_evaluation(args: argparse.Namespace, parts: Sequence[str], reps: int) -> None:
    """What ARGS leave open, of a command that simulates kernels and runs them; it ends the program
    if --only names none of PARTS.  REPS: rounds unless --quick."""
    args.limit = args.limit or 120.0
    args.seed = 1 if args.seed is None else args.seed
    args.klass = args.klass or ("S" if args.quick else "W")
    args.reps = args.reps or (1 if args.quick else reps)
    for part in args.parts:
        if part not in parts:
            args.parser.error(f"--only {part}: there are {', '.join(parts)}")
    if args.slower <= 0.0:
        args.parser.error("--slower must be above 0")


def class_of(kernel: Kernel, klass: str) -> str:
    if klass not in kernel.classes:
        fail(f"{kernel.name} has no class {klass}; there are {', '.join(kernel.classes)}")
    return klass


def take_over(args: argparse.Namespace, p: Parser, mode: str, kept: Sequence[str],
              free: Sequence[str]) -> list[Record]:  # fmt: skip
    """The records of args.resume, a raw file of MODE; ends the program if it is none.

    ARGS take the options KEPT of its first session.  Of these only the ones of FREE may be given.
    """
    records = load(args.resume)
    first = next(iter(record.sessions(records)), {})
    if first.get("mode") != mode or "arguments" not in first:
        p.error(f"{args.resume}: not a raw file of {p.prog}")
    for name in kept:
        if getattr(args, name) in (None, []):
            setattr(args, name, first["arguments"].get(name))
        elif name not in free:
            may = ", ".join("--" + f.replace("_", "-") for f in free)
            p.error(f"with --resume the options are those of {args.resume}; only {may} may differ")
    return records


def defaults(args: argparse.Namespace, **values: object) -> None:
    """Set what was not given."""
    for name, value in values.items():
        if getattr(args, name) in (None, []):
            setattr(args, name, value)


def draw(work: Callable[[], Any]) -> None:
    """WORK makes pictures, which nothing else depends on."""
    try:
        made = work()
    except plots.NoMatplotlib as e:
        print(f"no plots: {e}")
    except ValueError as e:
        print(f"no plots: {e}")
    else:
        for path in [made] if isinstance(made, Path) else made:
            print(f"plot: {path}")
