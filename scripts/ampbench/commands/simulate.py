# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kernel under every schedule in amp-sim."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import tempfile
from pathlib import Path

from .. import autosim, kernels, replay, session
from ..emulation import PERIOD
from ..plan import Progress
from ..session import Cpus, Parser

MACHINES = ("1x1+1x0.6667", "1x1+1x0.5", "1x1+1x0.3333", "1x1+1x0.2", "4x1+4x0.4")
SCHEDULES = (
    "static", "dynamic,1", "guided", "aid_static", "aid_hybrid,80", "aid_hybrid",
    "aid_dynamic", "ich",
)  # fmt: skip


class Simulate:
    """Every kernel under every schedule on machines that one need not have.

    Each kernel is recorded with one thread (GOMP_AMP_TRACE=costs); amp-sim then says what its
    loops take on each MACHINE under each schedule.  Printed is each schedule's efficiency
    against the fastest fixed one of the kernel, and how near auto, which has to find it
    out, comes to that: the geometric mean over the kernels and the worst of them."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("--kernels", help="comma-separated (all)")
        p.add_argument("--class", dest="klass", default="W", help="problem class (W)")
        p.add_argument("--machines", type=session.words, default=MACHINES,
                       help=f"amp-sim's ({','.join(MACHINES)})")
        p.add_argument("--schedules", type=lambda s: s.split(";"), default=SCHEDULES,
                       help="fixed ones, semicolons between them")
        p.add_argument("--format", choices=("text", "csv", "json"), default="text",
                       help="text: tables; csv, json: a line for each machine, kernel and "
                       "schedule (text)")
        for name, ns, what in (("grant", 60.0, "an update of a shared word"),
                               ("call", 20.0, "a grant beside that"), ("fork", 1500.0, "a loop")):
            p.add_argument(f"--{name}-ns", type=float, default=ns, help=f"{what} ({ns:g})")
        p.add_argument("--costs", type=Path, metavar="FOLDER",
                       help="recordings, KERNEL.costs: made if missing")
        p.add_argument("--limit", type=float, default=120.0,
                       help="seconds a run may take (120)")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args

    def recorded(self, folder: Path) -> list[str]:
        """The kernels that FOLDER has recordings of, after recording those it lacks."""
        have, _ = session.libraries("amp")
        chosen = session.chosen(self.args.kernels, kernels.load("first"), "kernel")
        kernels.make(session.build_folder())
        launcher = Cpus(self.args).launcher(self.args, have, PERIOD)
        progress = Progress(len(chosen))
        found = []
        for kernel in chosen:
            klass = session.class_of(kernel, self.args.klass)
            costs = folder / f"{kernel.name}.costs"
            if not costs.is_file():
                cpu = min(os.sched_getaffinity(0))
                run = replay.record(launcher, kernel, klass, cpu, costs, 3)
                if not run.ok:
                    progress.say(f"{kernel.name}: {run.status}; left out")
                    continue
            found.append(kernel.name)
            progress.step(kernel.name)
        progress.finish()
        return found

    def tell(self, machine: str, rows: list[autosim.Row]) -> None:
        """Print a table, or lines of CSV or JSON."""
        fixed, form = self.args.schedules, self.args.format
        if form == "text":
            print(autosim.table(machine, rows, fixed), flush=True)
            return
        records = autosim.records(machine, rows, fixed)
        if form == "json":
            for record in records:
                print(json.dumps(record), flush=True)
            return
        writer = csv.DictWriter(sys.stdout, list(records[0]), lineterminator="\n")
        if machine == self.args.machines[0]:
            writer.writeheader()
        writer.writerows(records)

    def run(self) -> int:
        args = self.args
        sim = session.build_folder() / "stage" / "bin" / "amp-sim"
        options = [f"--{n}-ns={getattr(args, f'{n}_ns'):g}" for n in ("grant", "call", "fork")]
        with tempfile.TemporaryDirectory() as scratch:
            folder = args.costs or Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            names = self.recorded(folder)
            for machine in args.machines:
                rows = []
                for name in names:
                    said = replay.simulate(
                        sim, folder / f"{name}.costs", machine, [*args.schedules, "auto"], options
                    )
                    times = {s: replay.in_loops(r) for s, r in said.items()}
                    rows.append(autosim.Row(name, times))
                self.tell(machine, rows)
        return 0
