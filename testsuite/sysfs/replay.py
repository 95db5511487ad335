#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""replay.py AMP-INFO AMP-CAPTURE [TREE...]: what amp-info makes of each machine.

Unpacks each *.tree of this folder by `amp-capture --extract`, asks amp-info for
its JSON under several settings, and compares with the *.expected file beside it.
Then amp-capture captures each unpacked tree, and the copy must give the same.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


class Mistake(Exception):
    """A file of the suite is wrong."""


def cpus(text: str) -> list[int]:
    """0-3,8 -> [0, 1, 2, 3, 8], in that order."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def expected(path: Path) -> dict[str, object]:
    said = dict(line.split(" ", 1) for line in path.read_text().splitlines())
    types = [cpus(t) for t in said.pop("types").split(":")]
    kind, clusters = said.pop("clusters").split()
    roles = said.pop("roles", "- " * len(types)).split()
    quota = said.pop("quota", None)
    found: dict[str, object] = {
        "evidence": said.pop("evidence"),
        "types": types,
        "roles": [None if r == "-" else r for r in roles],
        "quota": float(quota) if quota else None,
        "clusters": [kind, [cpus(t) for t in clusters.split(":")]],
        "bs": cpus(said.pop("bs")),
        "sb": cpus(said.pop("sb")),
        "big": types[0],
        "nolp": sorted(sum(types, [])),
        "siblings": [],
        "offline": [],
        "excluded": [],
    }
    for key, text in said.items():
        if key not in ("big", "nolp", "siblings", "offline", "excluded"):
            raise Mistake(f"{path.name}: unknown: {key}")
        found[key] = cpus(text)
    return found


def ask(amp_info: str, root: Path, **settings: str) -> dict[str, Any]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    done = subprocess.run(
        [amp_info, "--json", f"--sysfs={root}"],
        env=clean | settings,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    if done.stderr:
        raise ValueError(f"amp-info says {done.stderr}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def team_holds(plain: dict[str, Any], team: dict[str, Any]) -> bool:
    """Is a weighted team what docs/use/environment.md promises: the least number of threads, at
    most four a CPU, with which equal blocks take at most 1.05 of the ideal time, or else come
    closest to it?  One thread a CPU is as without it."""
    speed = {c: t["capacity"] for t in plain["types"] for c in t["cpus"]}
    if len(plain["types"]) == 1 or len(speed) == 1:
        return bool(team["binding"] is None and team["threads"] == len(speed))
    if None in speed.values():
        return team["binding"] == "GOMP_AMP_TEAM" and team["threads"] is None
    sizes: dict[int, float] = {}
    load = dict.fromkeys(speed, 0)
    while max(load.values()) <= 4:
        cpu = min(load, key=lambda c: (load[c] + 1) / speed[c])
        load[cpu] += 1
        n = sum(load.values())
        sizes[n] = load[cpu] / speed[cpu] * sum(speed.values()) / n
        if sizes[n] <= 1.05:
            break
    else:
        del sizes[n]
    want = min(sizes, key=lambda k: sizes[k])
    got = [team["bound_to"].count(c) for c in speed]
    slowest = max(k / speed[c] for k, c in zip(got, speed))
    return bool(
        team["threads"] == sum(got) == want
        and abs(slowest * sum(speed.values()) / want - sizes[want]) < 1e-6
    )


def seen(amp_info: str, root: Path) -> dict[str, object]:
    """What amp-info says of the tree, in the terms of an *.expected file."""
    plain = ask(amp_info, root)
    bs = ask(amp_info, root, GOMP_AMP_AFFINITY="bs")
    sb = ask(amp_info, root, GOMP_AMP_AFFINITY="sb")
    big = ask(amp_info, root, GOMP_AMP_CORES="big")
    nolp = ask(amp_info, root, GOMP_AMP_CORES="nolp")
    both = ask(amp_info, root, GOMP_AMP_CORES="big", GOMP_AMP_AFFINITY="1")
    few = ask(amp_info, root, GOMP_AMP_CORES="nolp", OMP_NUM_THREADS="1")
    team = ask(amp_info, root, GOMP_AMP_TEAM="weighted")
    pair = ask(amp_info, root, GOMP_AMP_TEAM="weighted", OMP_NUM_THREADS="2")
    usable = sorted(c for t in plain["types"] for c in t["cpus"])

    # What must hold of any tree.
    several = len(plain["types"]) > 1
    alike = plain["evidence"] == "none"
    for what, holds in {
        "usable CPUs": plain["usable_cpus"] == len(usable),
        "no binding": plain["binding"] is None and plain["bound_to"] is None,
        "all CPUs": plain["program_cpus"] == usable and plain["threads"] == len(usable),
        "schedule": plain["default_schedule"]
        == ("auto" if several or (alike and len(usable) > 1) else "static"),
        "bs binds all": bs["binding"] == "GOMP_AMP_AFFINITY" and sorted(bs["bound_to"]) == usable,
        "sb binds all": sorted(sb["bound_to"]) == usable,
        "threads of big": big["threads"] == len(big["program_cpus"]),
        "schedule of big": big["default_schedule"]
        == ("auto" if alike and len(usable) > 1 else "static"),
        "types of big": [t["used"] for t in big["types"]]
        == [True] + [False] * (len(plain["types"]) - 1),
        "threads of nolp": nolp["threads"] == len(nolp["program_cpus"]),
        "big and bs": sorted(both["bound_to"]) == big["program_cpus"],
        "big and bs in order": both["bound_to"]
        == [c for c in bs["bound_to"] if c in big["program_cpus"]],
        "team": team_holds(plain, team),
        "team of two": pair["threads"] == 2 and len(pair["bound_to"] or usable[:2]) == 2,
        "OMP_NUM_THREADS wins": few["threads"] == 1 and few["program_cpus"] == nolp["program_cpus"],
    }.items():
        if not holds:
            raise ValueError(f"does not hold: {what}")
    return {
        "evidence": plain["evidence"],
        "types": [t["cpus"] for t in plain["types"]],
        "roles": [t["role"] for t in plain["types"]],
        "siblings": plain["siblings"],
        "bs": bs["bound_to"],
        "sb": sb["bound_to"],
        "big": big["program_cpus"],
        "nolp": nolp["program_cpus"],
        "quota": plain["quota"],
        "offline": plain["offline"],
        "excluded": plain["excluded"],
        "clusters": [plain["clusters"]["evidence"], plain["clusters"]["cpus"]],
    }


def unpack(amp_capture: str, tree: Path, root: Path) -> None:
    subprocess.run(["sh", amp_capture, "-x", str(root), str(tree)], timeout=600, check=True)


def replay(amp_info: str, amp_capture: str, tree: Path, tmp: Path) -> list[str]:
    """What is wrong."""
    want = expected(tree.with_suffix(".expected"))
    head = [line for line in tree.read_text().splitlines() if line.startswith("#")]
    told = " ".join(head).lower()
    wrong = []
    if "rebuilt" not in told and "made up" not in told and "captured" not in told:
        wrong.append("it does not say where it comes from")
    root = tmp / tree.stem
    unpack(amp_capture, tree, root)
    have = seen(amp_info, root)
    wrong += [f"{k}: {have[k]}, not {want[k]}" for k in want if have[k] != want[k]]

    # Capture the tree in turn.  amp-capture wants what a machine has: sys beside proc.
    machine = tmp / (tree.stem + "-machine")
    machine.mkdir()
    (machine / "sys").symlink_to(root)
    (machine / "proc").symlink_to(root / "proc")
    copy = tmp / (tree.stem + ".tree")
    subprocess.run(
        ["sh", amp_capture, f"--root={machine}", f"--output={copy}"], timeout=600, check=True
    )
    unpack(amp_capture, copy, tmp / (tree.stem + "-copy"))
    again = seen(amp_info, tmp / (tree.stem + "-copy"))
    wrong += [f"after capture, {k}: {again[k]}, not {have[k]}" for k in want if again[k] != have[k]]
    return wrong


def main() -> int:
    amp_info, amp_capture, *names = sys.argv[1:]
    trees = [HERE / f"{n}.tree" for n in names] or sorted(HERE.glob("*.tree"))
    passed = failed = 0
    orphans = {p.stem for p in HERE.glob("*.expected")} - {p.stem for p in HERE.glob("*.tree")}
    if orphans or not trees:
        print(f"FAIL: no tree for {sorted(orphans)}")
        failed += 1
    with tempfile.TemporaryDirectory() as folder:
        for tree in trees:
            try:
                wrong = replay(amp_info, amp_capture, tree, Path(folder))
            except (Mistake, ValueError, KeyError, OSError, subprocess.SubprocessError) as error:
                wrong = [f"{type(error).__name__}: {error}"]
            if wrong:
                failed += 1
                print(f"FAIL: {tree.stem}")
                for line in wrong:
                    print(f"  {line}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
