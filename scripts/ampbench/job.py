# SPDX-License-Identifier: GPL-3.0-or-later
"""A program with its configurations on one machine, as a plan runs it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from .config import Config
from .emulation import Emulation
from .launch import Launcher, start
from .programs import Program
from .record import Record, Run

# Numbers this close to nought are equal.
NOTHING = 1e-12
# Of amp-run --auto: three forms of a team, and three runs of each.
LESSONS = 9
STOCK = Config("stock", "static")


@dataclass
class Job:
    """PROGRAM in class KLASS on the machine WHERE, whose slow CPUs are RATIO times slower."""

    launcher: Launcher
    program: Program
    configs: Sequence[Config]
    where: str
    ratio: float
    klass: str = ""
    warm_class: str = ""
    part: str = ""
    write: Callable[[Record], None] = lambda _: None
    say: Callable[[str], None] = lambda _: None
    # Size and threads -> what is right there; of programs that are not from packages one for all.
    references: dict[tuple[str, int], Record] = field(default_factory=dict)
    taught: set[str] = field(default_factory=set)
    sf: Path | None = None

    @property
    def title(self) -> str:
        return f"{self.program.name} {self.klass} {self.where}".replace("  ", " ")

    @property
    def place(self) -> Run:
        """A run of it that lacks all but the names of what is run."""
        return Run(program=self.program.name, klass=self.klass, where=self.where,
                   ratio=self.ratio, part=self.part)  # fmt: skip

    def remember(self, records: Sequence[Record]) -> None:
        """Take over what an earlier session found out."""
        for r in records:
            if r["type"] == "reference" and r["program"] == self.program.name:
                self.references[r["size"], r["threads"]] = r
            if r["type"] == "sf" and r["program"] == self.program.name and r.get("file"):
                if Path(r["file"]).is_file() and r["where"] == self.where:
                    self.sf = Path(r["file"])

    def refer(self, size: str, threads: int, found: Record) -> Record:
        kept: Record = {k: v for k, v in found.items() if k in ("numbers", "digest")}
        self.references[size, threads] = kept
        self.write({"type": "reference", "program": self.program.name, "size": size,
                    "threads": threads, **kept})  # fmt: skip
        return kept

    def reference(self, size: str, program: Program, run: Run) -> Record | None:
        """What RUN's result is held against: the first one's, or stock's with as many threads."""
        if not program.packaged:
            return self.references.get(("", 0)) or self.refer("", 0, run.more)
        threads = run.report.get("threads") or 0
        if (size, threads) not in self.references and threads:
            many = replace(self.launcher, extra={"OMP_NUM_THREADS": str(threads),
                                                 "OMP_WAIT_POLICY": "passive"})  # fmt: skip
            found = many.execute(program, STOCK, self.klass)
            if found.ok:
                return self.refer(size, threads, found.more)
            self.say(f"{self.title}: stock with {threads} threads: {found.status}: {found.why}")
        return self.references.get((size, threads))

    def checked(self, size: str, program: Program, run: Run) -> Run:
        """RUN, which is bad where its result is not the one that it must be."""
        if not run.ok or not (program.same or program.numbers):
            return run
        right = self.reference(size, program, run)
        why = None
        if right is None:
            why = "no reference"
        elif run.more.get("digest") != right.get("digest"):
            why = "a file of its result differs from the reference's"
        else:
            pairs = list(zip(run.more.get("numbers", ()), right.get("numbers", ())))
            if len(pairs) != len(right.get("numbers", ())):
                why = f"{len(pairs)} numbers instead of {len(right['numbers'])}"
            for a, b in pairs:
                if not math.isclose(a, b, rel_tol=program.tolerance, abs_tol=NOTHING):
                    why = f"{a:.10g} instead of {b:.10g}"
        return replace(run, status="wrong result", why=why) if why else run

    def measure_sf(self, emulation: Emulation | None) -> Path | None:
        """The file of speedup factors, measured now unless there is one."""
        if self.sf is None:
            folder = self.launcher.files / "sf"
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / f"{self.title.replace('/', '-').replace(' ', '-')}.sf"
            one = Config("amp", "unset", binding="free")
            launch = self.launcher.launch(self.program, one, self.klass, emulation, folder / "work")
            types = launch.env.pop("GOMP_AMP_TYPES", None)
            launch.env.pop("OMP_DISPLAY_ENV", None)
            words = [str(self.launcher.tools / "amp-run"), "--quiet",
                     *(["--types", types] if types else []), "--measure-sf", str(file), "--"]  # fmt: skip
            done = start(replace(launch, argv=[*words, *launch.argv], cpus=None,
                                 limit=2 * len(self.launcher.cpus) * launch.limit))  # fmt: skip
            record = {"type": "sf", "program": self.program.name, "where": self.where}
            if done.code != 0 or not file.is_file():
                why = (done.stderr.strip().splitlines() or [f"status {done.code}"])[-1][:300]
                self.write({**record, "why": why})
                self.say(f"{self.title}: no offline SF: {why}")
                return None
            lines = file.read_text(encoding="utf-8").splitlines()
            loops = dict(line.split(maxsplit=1) for line in lines if line and line[0] != "#")
            self.write({**record, "file": str(file), "loops": loops})
            self.sf = file
        return self.sf

    def teach(self, config: Config, emulation: Emulation | None) -> None:
        """Runs that are not timed, until amp-run knows what is best."""
        for lesson in range(LESSONS if config.name not in self.taught else 0):
            self.taught.add(config.name)
            run = self.launcher.execute(self.program, config, self.klass, emulation)
            if "learning" not in run.more:
                return
            self.write({**replace(run, config=config.name).record(), "type": "lesson",
                        "program": self.program.name, "lesson": lesson})  # fmt: skip

    def run(self, config: Config, round_: int, emulation: Emulation | None) -> Run:
        """One run, without its place in a plan."""
        extra = {}
        if config.offline:
            file = self.measure_sf(emulation)
            if file is None:
                return Run(status="skipped", why="no offline SF")
            extra["GOMP_AMP_LOOPS"] = str(file)
        if round_ and config.schedule == "auto" and config.runtime == "run":
            self.teach(config, emulation)
        warm = round_ == 0
        program = self.program.as_small() if warm else self.program
        run = self.launcher.execute(
            program, config, self.warm_class if warm else self.klass, emulation, extra,
            probe=warm and program.packaged,
        )  # fmt: skip
        size = "small" if warm and program.packaged else ""
        return self.checked(size, program, run)
