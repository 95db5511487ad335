# SPDX-License-Identifier: GPL-3.0-or-later
"""Who is to divide the work: program, kernel or run-time library?  The comparison of Chronaki and
others, "On the Maturity of Parallel Applications for Asymmetric Multi-Core Processors", with our
lines beside the paper's: speed, power, energy and energy times delay.  Runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, geometric_mean

from .record import Record
from .tables import Verdict

# Table 1: how many times faster a big core is.  streamcluster to swaptions are the paper's own
# programs by name; ours are kernels on their themes.  stencil stands for fluidanimate, pipeline
# for dedup; lavamd has no counterpart and takes the average.
MEAN_RATIO = 3.03
RATIOS = {
    "blackscholes": 2.18, "bodytrack": 4.16, "pipeline": 2.67, "stencil": 3.32,
    "streamcluster": 3.48, "swaptions": 2.78, "lavamd": MEAN_RATIO,
}  # fmt: skip
TABLE_1 = {
    "blackscholes": 2.18, "bodytrack": 4.16, "canneal": 1.73, "dedup": 2.67, "facesim": 3.40,
    "ferret": 3.59, "fluidanimate": 3.32, "streamcluster": 3.48, "swaptions": 2.78,
}  # fmt: skip
# What a task waits for in the loop before (amp-sim's --depend), as in the kernels' task versions.
DEPEND = {"blackscholes": "same", "stencil": "near", "pipeline": "same"}
# Programs with queues of their own, between whose threads work goes to who is free; the others
# divide it evenly.
QUEUES = ("bodytrack", "pipeline")
QUEUED = "dynamic,4"

# Watts of a core, busy / spinning / idle.
#
# Little: paper 001 (section 5.1) has 0.75 W with four busy; of paper 002's energy (section 4.3)
# idle A7 cores take 2.5 %, busy ones 7.3 % of a run of 0.81 times the energy and 0.78 times the
# time, so that an idle one draws a third.  Big: 3.5 W on 4+0 (paper 001, tasks), of which 0.25 are
# the idle little cores'.  Idle big cores: on 2+2 the six programs of paper 001 that are no
# pipelines draw 1.79 times as much as on 0+4 with static threading, 1.34 W.  Two busy and two
# idle little cores are 0.5 of that, two big ones that are busy a third of the time (table 1's
# mean ratio) 0.54, and the rest is for 1.33 big cores that wait: 0.22 each.  Not fitted, and met:
# 2.1 W for tasks on 2+2 (here 2.13).
#
# No paper says what a core draws that spins: it executes instructions, and counts as busy.
# Little cores that a configuration leaves out are idle; big ones sleep, as a cluster, and draw
# what is in the little ones' 0.75 W.
BIG = (0.8125, 0.8125, 0.224)
LITTLE = (0.1875, 0.1875, 0.0625)

# Looks of the kernel at its cores, and what a move costs; in nanoseconds.
PLACEMENT, MIGRATION = 10e6, 50e3
# Threads of pthreads programs sleep at once, those of libgomp spin about so long before.
SPIN = 1e6
# Our cores of 2024 take so much less for an iteration than a Cortex-A15.
SLOWER = 4.0
# An update of a shared word, a grant beside it, a loop, a task; in nanoseconds, as in `bench
# simulate'.  A task is made and taken under the team's lock.
PAID = {"grant": 60.0, "call": 20.0, "fork": 1500.0, "task": 500.0}


@dataclass(frozen=True)
class Line:
    """One way to divide the work; OPTIONS are amp-sim's."""

    name: str
    schedule: str
    options: tuple[str, ...] = ()
    ours: bool = False
    queued: bool = False  # The program's own queues divide it where it has any


_SPIN = f"--spin-ns={SPIN:g}"
_PLACED = (f"--placement-ns={PLACEMENT:g}", f"--migration-ns={MIGRATION:g}")
THREADING, GTS, TASKS = "static threading", "GTS", "tasks"
TASKLOOP, MORE_TASKS = "taskloop", "taskloop, 8 a thread"
LOOP_STATIC, LOOP_DYNAMIC, WEIGHTED = "loop static", "loop dynamic", "weighted team"
UNSET, STATIC, HYBRID, DYNAMIC = "nothing set", "AID-static", "AID-hybrid", "AID-dynamic"
LINES = (
    Line(THREADING, "static", queued=True),
    Line(GTS, "static", _PLACED, queued=True),
    Line(LOOP_STATIC, "static", (*_PLACED, _SPIN)),
    Line(LOOP_DYNAMIC, "dynamic,1", (*_PLACED, _SPIN)),
    Line(TASKS, "tasks,8", (_SPIN,)),
    # No task of a taskloop waits for another; the loop does for all.
    Line(TASKLOOP, "tasks", (_SPIN, "--depend=all")),
    Line(MORE_TASKS, "tasks,8", (_SPIN, "--depend=all"), ours=True),
    Line(WEIGHTED, "weighted", (_SPIN,), ours=True),
    Line(UNSET, "auto", (*_PLACED, _SPIN), ours=True),
    Line(STATIC, "aid_static", (_SPIN,), ours=True),
    Line(HYBRID, "aid_hybrid", (_SPIN,), ours=True),
    Line(DYNAMIC, "aid_dynamic", (_SPIN,), ours=True),
)
AID = (UNSET, STATIC, HYBRID, DYNAMIC)
OTHERS = tuple(x.name for x in LINES if not x.ours)

# Big + little, as the paper's figures 3 and 6 have them.
Cores = tuple[int, int]
SYMMETRIC: tuple[Cores, ...] = ((0, 4), (2, 2), (4, 0))
GROWING: tuple[Cores, ...] = ((4, 0), (4, 1), (4, 2), (4, 3), (4, 4))
CONFIGURATIONS = tuple(dict.fromkeys([*SYMMETRIC, *GROWING]))
BASE: Cores = (0, 4)
ONE: Cores = (0, 1)


def named(cores: Cores) -> str:
    return f"{cores[0]}+{cores[1]}"


def machine(cores: Cores, ratio: float) -> str:
    """amp-sim's --machine: a big core has speed 1, that of the costs."""
    big, little = cores
    parts = [f"{big}x1"] * bool(big) + [f"{little}x{1 / ratio:.6g}"] * bool(little)
    return "+".join(parts)


def watts(cores: Cores, of: tuple[tuple[float, ...], ...] = (BIG, LITTLE)) -> str:
    """amp-sim's --watts."""
    both = [w for n, w in zip(cores, of) if n]
    return ",".join("/".join(f"{x:g}" for x in w) for w in both)


def unused_watts(cores: Cores) -> float:
    """What the cores draw that CORES leaves out."""
    return (4 - cores[1]) * LITTLE[2]


def schedule_of(line: Line, kernel: str) -> str:
    return QUEUED if line.queued and kernel in QUEUES else line.schedule


# Other periods of the kernel's looks, at 4+0 and 4+4.
PERIODS = (1e6, 100e6)


def ideal(ratio: float, cores: Cores) -> float:
    """Equation 4."""
    return cores[0] * ratio + cores[1]


# The energy goal, in amp-sim: what is left out, against the best choice of cores and schedule.
GOALS = ("energy", "edp")
# Idle cores as published, and such as are switched off one by one.
IDLE = {"as published": (BIG, LITTLE), "switched off": ((*BIG[:2], 0.0), (*LITTLE[:2], 0.0))}
SCHEDULES = ("static", "dynamic,1", "guided", "aid_static", "aid_hybrid", "aid_dynamic", "ich")
SUBSETS: tuple[Cores, ...] = tuple((b, n) for b in range(5) for n in range(5) if b + n)
# So many loops are executed at least, so that what is learnt of them counts.
LEAST_LOOPS = 40
GOAL_WITHIN = 1.03


def best_choice(choices: Iterable[Record], goal: str) -> Record:
    """Of records with cores and schedule: the one that takes least of GOAL."""
    return min(choices, key=lambda r: float(r[goal]))


# kernel -> configuration -> line -> what was simulated
Table = dict[str, dict[Cores, dict[str, Record]]]


def points(records: Iterable[Record], where: str = "simulation") -> Iterator[Record]:
    return (r for r in records if r["type"] == "point" and r["source"] == where)


def tabulate(records: Iterable[Record]) -> Table:
    out: Table = {}
    for r in points(records):
        cores = (int(r["big"]), int(r["little"]))
        out.setdefault(r["kernel"], {}).setdefault(cores, {})[r["line"]] = r
    return out


@dataclass(frozen=True)
class Quantity:
    """What a figure shows of a run."""

    name: str
    unit: str
    figures: str

    def of(self, table: Table, kernel: str, cores: Cores, line: str) -> float | None:
        """None where it was not simulated."""
        here = table[kernel].get(cores, {}).get(line)
        base = table[kernel].get(ONE if self is SPEEDUP else BASE, {}).get(THREADING)
        if here is None or (base is None and self is not POWER):
            return None
        if self is POWER:
            return float(here["joules"]) / float(here["seconds"])
        assert base is not None
        if self is SPEEDUP:
            return float(base["seconds"]) / float(here["seconds"])
        value = float(here["joules"]) / float(base["joules"])
        if self is ENERGY:
            return value
        return value * float(here["seconds"]) / float(base["seconds"])


SPEEDUP = Quantity("speedup", "over one little core", "3, 6 and 7")
POWER = Quantity("power", "watts on average", "4, 6 and 8")
ENERGY = Quantity("energy", "of static threading on four little cores", "5 and 6")
EDP = Quantity("energy times delay", "of static threading on four little cores", "5 and 6")
QUANTITIES = (SPEEDUP, POWER, ENERGY, EDP)


def means(
    table: Table, quantity: Quantity, cores: Cores, kernels: Iterable[str] = RATIOS,
    geometric: bool = False,
) -> dict[str, float]:  # fmt: skip
    """Line -> mean over KERNELS; arithmetic, as the paper's, or GEOMETRIC."""
    out = {}
    for line in LINES:
        found = [quantity.of(table, k, cores, line.name) for k in kernels if k in table]
        values = [v for v in found if v is not None]
        if values:
            out[line.name] = (geometric_mean if geometric else fmean)(values)
    return out


# What the paper's text says of averages: quantity, configuration, line, value.  Its bars are
# pictures, which the text we have is without.
PAPER: tuple[tuple[Quantity, Cores, str, float], ...] = (
    *((SPEEDUP, (0, 4), line, 3.8) for line in (THREADING, GTS, TASKS)),
    (SPEEDUP, (2, 2), THREADING, 5.0), (SPEEDUP, (2, 2), GTS, 5.9), (SPEEDUP, (2, 2), TASKS, 6.8),
    *((SPEEDUP, (4, 0), line, 9.5) for line in (THREADING, GTS, TASKS)),
    *((POWER, (0, 4), line, 0.75) for line in (THREADING, GTS, TASKS)),
    (POWER, (2, 2), THREADING, 1.6), (POWER, (2, 2), TASKS, 2.1), (POWER, (4, 0), TASKS, 3.5),
)  # fmt: skip
# What it says of 4+4, or another configuration, against 4+0: percent.
CHANGES: tuple[tuple[Quantity, Cores, str, float], ...] = (
    (SPEEDUP, (4, 4), THREADING, -6.0), (SPEEDUP, (4, 1), GTS, -22.0),
    (SPEEDUP, (4, 3), GTS, 0.0), (SPEEDUP, (4, 4), GTS, 8.0), (SPEEDUP, (4, 4), TASKS, 15.0),
    (POWER, (4, 4), THREADING, -23.0), (POWER, (4, 4), GTS, -6.2), (POWER, (4, 4), TASKS, 0.0),
    (ENERGY, (4, 4), THREADING, -14.0), (ENERGY, (4, 4), GTS, -15.0),
    (ENERGY, (4, 4), TASKS, -16.0), (EDP, (4, 4), THREADING, -6.0), (EDP, (4, 4), GTS, -24.0),
    (EDP, (4, 4), TASKS, -36.0),
)  # fmt: skip


def periods(table: Table) -> dict[str, float]:
    """GTS by how often the kernel looks: change of mean speedup from 4+0 to 4+4, percent."""
    out = {}
    for line in dict.fromkeys(n for at in table.values() for x in at.values() for n in x):
        if not line.startswith(GTS):
            continue
        both = [
            fmean(v for k in RATIOS if k in table
                  and (v := SPEEDUP.of(table, k, cores, line)) is not None)
            for cores in ((4, 0), (4, 4))
        ]  # fmt: skip
        out[line] = 100 * (both[1] / both[0] - 1)
    return out


def change(table: Table, quantity: Quantity, cores: Cores, line: str) -> float | None:
    """Of the mean from 4+0 to CORES, in percent."""
    here = means(table, quantity, cores).get(line)
    base = means(table, quantity, (4, 0)).get(line)
    return 100 * (here / base - 1) if here is not None and base else None


def losses(table: Table, line: str = UNSET, cores: Cores = (4, 4)) -> dict[str, float]:
    """Kernel -> time of LINE at CORES over that on the big cores alone, worst first."""
    out = {}
    for kernel, at in table.items():
        if line in at.get(cores, {}) and line in at.get((4, 0), {}):
            out[kernel] = float(at[cores][line]["seconds"]) / float(at[4, 0][line]["seconds"])
    return dict(sorted(out.items(), key=lambda item: -item[1]))


def _order(values: Mapping[str, float], lines: Sequence[str]) -> str:
    return ", ".join(f"{n} {values[n]:.2f}" for n in lines if n in values)


# Nothing set may cost so much of what the big cores alone take.
LOSS_GOAL = 1.02


def verdicts(table: Table, goals: Sequence[Record] = ()) -> list[Verdict]:
    """What the comparison must reach; GOALS are the records of that type."""
    out = []
    pairs = [("four big cores, 2+2: tasks above GTS above static threading", (2, 2)),
             ("4+4: tasks above GTS above static threading", (4, 4))]  # fmt: skip
    for text, cores in pairs:
        found = means(table, SPEEDUP, cores)
        if {TASKS, GTS, THREADING} <= found.keys():
            met = found[TASKS] > found[GTS] > found[THREADING]
            out.append(Verdict(text, _order(found, (TASKS, GTS, THREADING)), met))
    signs = ((THREADING, -1), (GTS, 1), (TASKS, 1), (LOOP_DYNAMIC, 1))
    for line, sign in signs:
        moved = change(table, SPEEDUP, (4, 4), line)
        if moved is not None:
            what = "loses from" if sign < 0 else "gains from"
            out.append(Verdict(f"{line} {what} four little cores", f"{moved:+.1f} %",
                               moved * sign > 0))  # fmt: skip
    speed = means(table, SPEEDUP, (4, 4), geometric=True)
    best = max((n for n in AID if n in speed), key=lambda n: speed[n], default=None)
    if best and {TASKS, LOOP_DYNAMIC} <= speed.keys():
        met = speed[best] > max(speed[TASKS], speed[LOOP_DYNAMIC])
        out.append(Verdict("4+4, geometric mean of speed: AID ahead of tasks and dynamic loops",
                           _order(speed, (*AID, TASKS, LOOP_DYNAMIC)), met))  # fmt: skip
    edp = means(table, EDP, (4, 4), geometric=True)
    if best and any(n in edp for n in OTHERS):
        met = min(edp[n] for n in AID if n in edp) < min(edp[n] for n in OTHERS if n in edp)
        out.append(Verdict("4+4, geometric mean of energy times delay: AID ahead of every other",
                           _order(edp, (*AID, *OTHERS)), met))  # fmt: skip
    for goal in GOALS:
        for how, text in (("ours", "observed"), ("told", "told")):
            shares = {(r["kernel"], r["idle"]): float(r[how]) / float(r["best"])
                      for r in goals if r["goal"] == goal}  # fmt: skip
            if shares:
                where = max(shares, key=lambda k: shares[k])
                out.append(Verdict(
                    f"goal {goal}, speeds {text}: at most {GOAL_WITHIN} of the best cores and "
                    "schedule", f"worst of {len(shares)}: {where[0]}, idle {where[1]}: "
                    f"{shares[where]:.3f}; mean {geometric_mean(shares.values()):.3f}",
                    shares[where] <= GOAL_WITHIN,
                ))  # fmt: skip
    lost = losses(table)
    if lost:
        worst = next(iter(lost))
        out.append(Verdict(
            f"nothing set at 4+4 takes at most {LOSS_GOAL} of the four big cores' time",
            f"worst of {len(lost)}: {worst} {lost[worst]:.3f}", lost[worst] <= LOSS_GOAL,
        ))  # fmt: skip
    return out
