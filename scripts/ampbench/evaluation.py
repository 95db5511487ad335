# SPDX-License-Identifier: GPL-3.0-or-later
"""All kernels side by side: what each runtime's best schedule reaches.  Runs nothing.

Efficiencies are medians of ideal over time, in the same round; means over kernels are
geometric.  The figures that are judged are targets that the project sets itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import geometric_mean, median

from .compared import (
    Table,
    failures,
    fastest,
    format_table,
    heading,
    machine_text,
    others,
    reached_text,
    schedule_of,
    series_of,
    starting,
    tables,
)
from .config import BASELINE, FAST_ONLY, PAPER, STOCK_DYNAMIC
from .emulation import period_us
from .plan import EQUAL, scene
from .record import Record, cpus_of, sessions
from .runtimes import PEER_TITLES
from .tables import Verdict, columns, noise, noisy, number, targets

SINGLE_GOAL = 0.93
BEST_GOAL = 0.95
AUTO = "amp:unset"
AID = tuple(f"amp:{s}" for s in (*PAPER, "aid_hybrid", "aid_dynamic"))
# Below this share of the better of static and dynamic,1 a kernel is marked.
LOSS = 0.97
# amp-emulate's slow CPU is a slow CPU only to loops of so many of its periods: a shorter one
# sees it stopped or at full speed, and waits at its end for a stopped one, whatever the schedule.
PERIODS = 5.0


class Row(Table):
    """One kernel at one ratio: efficiency by configuration, and each runtime's best."""

    def __post_init__(self) -> None:
        super().__post_init__()
        shares = {c: self.shares(c) for c in self.seconds if not c.startswith("single:")}
        self.shown = {c: median(found) for c, found in shares.items() if found}
        self.best: dict[str, str] = {}  # runtime -> its fastest configuration
        for runtime in ("stock", *PEER_TITLES, "aid"):
            mine = [c for c in self.shown if runtime_of(c) == runtime]
            if best := fastest(self.seconds, mine):
                self.best[runtime] = best
        self.fast = self.of_fast()
        self.bad = [c for c, found in self.seconds.items() if not found and failures(self.runs, c)]

    def of_fast(self) -> float | None:
        """Of the fast cores only; of two CPUs that is the faster one alone."""
        if FAST_ONLY in self.shown or len(self.cpus) != 2:
            return self.shown.get(FAST_ONLY)
        one = fastest(self.seconds, starting(self.seconds, "single:"))
        shares = self.shares(one) if one else []
        return median(shares) if shares else None

    @property
    def rival(self) -> tuple[str, float] | None:
        """What was fastest of all that is not ours, and how fast nothing set is beside it."""
        auto = self.shown.get(AUTO)
        found = {schedule_title(c): self.shown[c] for r, c in self.best.items() if r != "aid"}
        if self.fast and self.ratio != EQUAL:
            found["fast cores only"] = self.fast
        name = max(found, key=lambda n: found[n], default=None)
        return (name, auto / found[name]) if auto and name else None

    def of_best(self, runtime: str) -> float | None:
        return self.shown.get(self.best.get(runtime, ""))

    @property
    def to_stock(self) -> float | None:
        """Speed of the best AID over that of the better of static and dynamic,1."""
        pair = [self.shown[c] for c in (BASELINE, STOCK_DYNAMIC) if c in self.shown]
        aid = self.of_best("aid")
        return aid / max(pair) if aid and pair else None


@dataclass
class Scene:
    """All kernels at one ratio of speeds; 1 are equal cores."""

    ratio: float
    rows: list[Row]
    noise: float | None = None
    period_us: float | None = None

    def is_short(self, row: Row) -> bool:
        limit = PERIODS * (self.period_us or 0.0)
        return self.ratio != EQUAL and row.loop_us is not None and row.loop_us < limit

    def without_short(self) -> Scene:
        rows = [r for r in self.rows if not self.is_short(r)]
        return Scene(self.ratio, rows, self.noise, self.period_us)

    def mean(self, values: Sequence[float | None]) -> tuple[float | None, int]:
        known = [v for v in values if v]
        return (geometric_mean(known) if known else None), len(known)

    def of(self, config: str) -> tuple[float | None, int]:
        return self.mean([r.shown.get(config) for r in self.rows])

    def of_best(self, runtime: str) -> tuple[float | None, int]:
        return self.mean([r.of_best(runtime) for r in self.rows])

    @property
    def worst(self) -> tuple[Row, str, float] | None:
        """The program where nothing set is furthest behind its best rival."""
        found = [(r, *r.rival) for r in self.rows if r.rival]
        return min(found, key=lambda x: x[2], default=None)

    @property
    def runtimes(self) -> list[str]:
        """Those of which anything was measured, in the order in which they are shown."""
        return [
            r for r in ("stock", *PEER_TITLES, "aid") if any(r in row.best for row in self.rows)
        ]


def runtime_of(config: str) -> str | None:
    """Whose contender CONFIG is; None for what does not contend."""
    runtime = config.partition(":")[0]
    if runtime in ("stock", "gomp"):
        return "stock"
    if runtime in PEER_TITLES:
        return runtime
    return "aid" if config in AID else None


def schedule_title(config: str) -> str:
    """Whose schedule CONFIG is, and which."""
    runtime = runtime_of(config)
    return f"{title_of(runtime)} {schedule_of(config)}" if runtime else config


def title_of(runtime: str) -> str:
    return {"stock": "stock", "aid": "AID"}.get(runtime) or PEER_TITLES.get(runtime, runtime)


def scenes(records: Sequence[Record]) -> list[Scene]:
    """What was measured, by ratio; of a scene the worst kernels first."""
    cpus = cpus_of(records)
    periods = [str(s["period"]) for s in sessions(records) if s.get("period")]
    period = period_us(periods[0]) if periods else None
    out: dict[float, Scene] = {}
    for key, runs in series_of(records).items():
        if key[0] != "empty":
            row = Row(*key, runs, cpus)
            out.setdefault(row.ratio, Scene(row.ratio, [], None, period)).rows.append(row)
    for found in out.values():
        found.noise = others(r for row in found.rows for r in row.runs)
        found.rows.sort(key=lambda r: r.to_stock or 0.0)
    return [out[r] for r in sorted(out)]


def format_scene(scene: Scene, reached: str) -> str:
    """A line a kernel, and the geometric means."""
    count = sorted({len(r.ideals) for r in scene.rows})
    rounds = f"{count[0]}" if len(count) == 1 else f"{count[0]} to {count[-1]}"
    out = [
        f"{machine_text(scene.ratio, reached)}: efficiency, {rounds} rounds;"
        " the kernels where AID does worst come first"
    ]
    if loud := noise(scene.noise):
        out.append("  " + loud)
    aid = [c for c in (*AID, AUTO) if any(c in r.shown for r in scene.rows)]
    rows = [["kernel", "loop us", *("best " + title_of(r) for r in scene.runtimes),
             *(schedule_of(c) for c in aid), "AID/stock"]]  # fmt: skip
    for row in scene.rows:
        length = "-" if row.loop_us is None else f"{row.loop_us:.0f}"
        bests = [f"{schedule_of(row.best.get(r))} {number(row.of_best(r))}" for r in scene.runtimes]
        each = [number(row.shown.get(c)) for c in aid]
        mark = "  LOSS" if row.to_stock is not None and row.to_stock < LOSS else ""
        mark += "  FAILED: " + ", ".join(row.bad) if row.bad else ""
        rows.append([f"{row.kernel} {row.klass}", length + ("*" if scene.is_short(row) else " "),
                     *bests, *each, number(row.to_stock), mark])  # fmt: skip
    longer = scene.without_short()
    for title, part in (("geometric mean", scene), ("  without *", longer)):
        if part is scene or len(part.rows) < len(scene.rows):
            means = [part.of_best(r) for r in scene.runtimes] + [part.of(c) for c in aid]
            means.append(part.mean([r.to_stock for r in part.rows]))
            rows.append([title, "", *(number(m) for m, _ in means)])
    widths = [-18, 9] + [23] * len(scene.runtimes) + [16] * len(aid) + [11]
    out += columns(rows, widths)
    if any(r.fast for r in scene.rows) and scene.ratio != EQUAL:
        out.append(f"  fast cores only: {number(scene.mean([r.fast for r in scene.rows])[0])}")
    if worst := scene.worst:
        row, name, share = worst
        out.append(
            "  nothing set, worst program of all against the best rival chosen afterwards:"
            f" {share:.2f} ({row.kernel}, {name})"
        )
    if len(longer.rows) < len(scene.rows):
        out.append(f"  *: shorter than {PERIODS:g} periods of amp-emulate")
    return "\n".join(out)


def whole(scene: Scene, value: tuple[float | None, int]) -> float | None:
    """A mean that no kernel is missing from."""
    return value[0] if value[1] == len(scene.rows) > 0 else None


def judge_scene(scene: Scene, where: str) -> list[Verdict]:
    doubtful = noisy(scene.noise)
    single = {c: whole(scene, scene.of(c)) for c in AID}
    known = {c: v for c, v in single.items() if v is not None}
    top = max(known, key=lambda c: known[c]) if known else None
    best = whole(scene, scene.of_best("aid"))
    out = [
        Verdict(
            f"{where}: the best single AID setting at least {SINGLE_GOAL}",
            f"{schedule_of(top)} {known[top]:.3f}" if top else "-",
            known[top] >= SINGLE_GOAL if top else None,
            doubtful,
        ),
        Verdict(
            f"{where}: the best AID of each kernel at least {BEST_GOAL}",
            number(best),
            best >= BEST_GOAL if best is not None else None,
            doubtful,
        ),
    ]
    for runtime in scene.runtimes:
        if runtime == "aid":
            continue
        theirs = whole(scene, scene.of_best(runtime))
        out.append(
            Verdict(
                f"{where}: that ahead of {title_of(runtime)} with its best of each",
                f"{number(best)} to {number(theirs)}",
                None if best is None or theirs is None else best > theirs,
                doubtful,
            )
        )
    return out


def judge(all_scenes: Sequence[Scene]) -> list[Verdict]:
    """The targets on real runs: over all kernels, and without short loops."""
    out = []
    for found in all_scenes:
        if found.ratio != EQUAL:
            where = scene(found.ratio)
            out += judge_scene(found, f"{where}, {len(found.rows)} kernels")
            longer = found.without_short()
            if 0 < len(longer.rows) < len(found.rows):
                out += judge_scene(longer, f"{where}, {len(longer.rows)} without *")
    return out


def full_report(records: Sequence[Record], details: bool = False) -> str:
    """What a run over all kernels prints; DETAILS: each kernel's own table, too."""
    out = heading(records)
    all_scenes = scenes(records)
    if not all_scenes:
        return "\n\n".join([*out, "no measured runs"])
    if details:
        out += [
            format_table(t, reached_text(records, t.ratio))
            for t in tables(records)
        ]
    out += [format_scene(s, reached_text(records, s.ratio)) for s in all_scenes]
    return "\n\n".join([*out, *targets(judge(all_scenes))])
