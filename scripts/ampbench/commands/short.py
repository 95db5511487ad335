# SPDX-License-Identifier: GPL-3.0-or-later
"""The command short: loops of 1 us to 1 ms."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from .. import kernels, session, short
from ..config import Config, configs, parse
from ..emulation import REPEAT
from ..kernels import Kernel
from ..plan import EQUAL
from .compare import BASELINES, Compare

# A run lasts about so long where every CPU is fast.
SECONDS = 0.08
TRIP = 200
PEER_SCHEDULES = ("static", "guided", "static_steal")
# The fast CPUs' weight over the ratio.
SPLITS = (0.85, 1.0, 1.15)
WAITS = ("unset", "passive", "active")


class Short(Compare):
    """Loops of 1 us to 1 ms, where a CPU is slow because it repeats iterations.

    Known loops against splits by hand, nothing set against fixed schedules, peers and stock, on
    equal cores and at four ratios. A CPU that repeats is slow without periods, so that loops of
    any length meet it; the ratio that each kind of loop reaches is measured and shown."""

    name = "short"
    extra = ",".join(short.KINDS)
    several_ratios = brief = True
    reps, budget = "3; quick 1", "60; quick 3"

    @classmethod
    def options(cls, p: session.Parser) -> None:
        super().options(p)
        p.add_argument("--lengths", type=session.numbers, metavar="US",
                       help=f"of the loops ({','.join(map(str, short.LENGTHS_US))})")  # fmt: skip
        p.add_argument("--calls", action="store_true",
                       help="each loop is a parallel region of its own")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        if args.method or args.period or args.all or args.overhead:
            args.parser.error("slows by repeating, alone: no --method, --period, --all, --overhead")
        args.method = REPEAT
        args.reps = args.reps or (1 if args.quick else 3)
        args.budget = args.budget or (3.0 if args.quick else 60.0)
        super().__init__(args)

    @property
    def mode(self) -> str:
        return self.name

    def work_of(self, kind: str, us: int) -> int:
        """The length of the inner loop with which as many threads as CPUs take US."""
        program = self.launcher.build / "bench" / "stock" / "short"
        ns = 1000 * us * len(self.launcher.cpus)
        argv = [str(program), "--kind", kind, "--trip", str(TRIP), "--calibrate", str(ns)]
        env = {"OMP_NUM_THREADS": "1"}
        ran = subprocess.run(["taskset", "-c", str(self.launcher.cpus[0]), *argv],
                             env=env, capture_output=True, check=True)  # fmt: skip
        return int(json.loads(ran.stdout)["work"])

    def candidates(self) -> list[Kernel]:
        """Calibrated once, so that all configurations, and later sessions, do the same work."""
        kernels.make(self.launcher.build, {"bench"})
        base = kernels.load("own", ("bare",))["short"]
        kinds = self.args.kernels or (["matvec", "chain"] if self.args.quick else short.KINDS)
        lengths = self.args.lengths or ((10, 100) if self.args.quick else short.LENGTHS_US)
        known = {k: k for k in short.KINDS}
        earlier = {k: w for s in self.session.before for k, w in s.get("work", {}).items()}
        self.work: dict[str, int] = {}
        out = []
        for kind in session.chosen(list(kinds), known, "kind"):
            for us in lengths:
                name = short.name_of(kind, us)
                self.work[name] = earlier.get(name) or self.work_of(kind, us)
                loops = max(10, round(SECONDS * 1e6 / us / (3 if kind == "chain" else 1)))
                arguments = ["--kind", kind, "--trip", str(TRIP), "--work", str(self.work[name]),
                             "--loops", str(loops), "--calls", str(int(self.args.calls))]  # fmt: skip
                out.append(Kernel(**{**vars(base), "name": name, "group": "bench",
                                     "arguments": tuple(arguments)}))
        return out

    def configs(self, kernel: Kernel, ratio: float) -> list[Config]:
        out = [*BASELINES, parse("gomp:guided"), *configs("amp", "aid_static", "unset")]
        if ratio != EQUAL:
            out += configs("amp", "aid_hybrid,80", "aid_dynamic,1,5")
            out += configs("replace", "aid_static")
            # A weighted team helps where a region divides its work once.
            if self.args.calls:
                threads = round(ratio) * len(self.launcher.fast) + len(self.launcher.slow)
                out += configs("team", "weighted")
                out += [Config("placed", wait, threads) for wait in WAITS]
            out += configs("split", *(f"{ratio * f:.3g}" for f in SPLITS))
        out += configs("free", "unset")
        for peer in self.peers:
            out += configs(peer, *PEER_SCHEDULES)
        return out + configs("single", *self.launcher.cpus)

    def head(self, ratios: Sequence[float], **more: object) -> dict[str, object]:
        return super().head(ratios, work=self.work, **more)

    def report(self, raw: Path) -> str:
        return short.full_report(session.load(raw))
