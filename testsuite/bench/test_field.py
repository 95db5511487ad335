# SPDX-License-Identifier: GPL-3.0-or-later
"""Field programs: the register, installing, judging and tables, on made-up programs and packages."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ampbench import field, fieldsetup, fieldtables
from ampbench.describe import Wrong
from ampbench.field import STOCK, WAYS, Result
from ampbench.record import Run
from made import SESSION, STAGE, bench, cases, executable, records
from made import run as run_of

# What says of a run how many threads ours takes, and which run it is.
REPORT = """
OPENMP DISPLAY ENVIRONMENT BEGIN
  [host] OMP_NUM_THREADS = '1'
  [host] threads of a team = '{threads}'
{more}OPENMP DISPLAY ENVIRONMENT END
"""
OURS = "  GOMP_AMP_AFFINITY = ''\n"
PROGRAM = """
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int
main (int argc, char **argv)
{
  double begin = omp_get_wtime (), sum = 0;
  int n = atoi (argv[1]);
#pragma omp parallel for reduction(+:sum) schedule(static)
  for (int i = 0; i < n; i++)
    sum += 1.0 / (1 + i);
  if (argc > 2 && getenv ("GOMP_AMP_TEAM"))
    sum++;
  printf ("result: %.15g %d\\nseconds: %.9f\\n", sum, omp_get_max_threads (),
          omp_get_wtime () - begin);
  return 0;
}
"""
ROWS = r"""
[defaults]
time = '(?m)^seconds: (\S+)$'
numbers = '^result: (.*)$'
tolerance = 1e-12
values = { n = 1000000 }
small = { n = 10 }
[[program]]
name = "good"
command = ["{here}/good", "{n}"]
[[program]]
name = "wrong"
command = ["{here}/good", "{n}", "weighted"]
[[program]]
name = "alone"
command = ["{here}/alone"]
[[program]]
name = "absent"
command = ["{root}/usr/bin/absent"]
[[program]]
name = "shy"
command = ["{here}/good", "{n}"]
optional = true
"""


def register(folder: Path, text: str = ROWS) -> Path:
    path = folder / "made.toml"
    path.write_text(text)
    return path


def test_the_register_is_whole() -> None:
    fields = field.load()
    assert {"numpy", "sklearn", "fftw", "gromacs"} <= set(fields)
    places = field.Home(Path("/nowhere")).places("/work")
    for f in fields.values():
        for program in (f.program, f.small):
            for text in (*program.command, *program.needs, *f.input, *program.environment.values()):
                assert "{" not in program.fill(text, places)
            # Of what is ours each file is there.
            for word in program.command[1:]:
                if "{here}" in word:
                    assert Path(program.fill(word, places)).is_file()
        assert f.small.values != f.program.values, f.name
        assert all("==" in pin for pin in f.pip), f.name


@cases("line, why", [
    ("nonsense = 1", "unknown key nonsense"),
    ("small = { m = 1 }", "small has a value that values lacks"),
    ("numbers = ''", "nothing tells a wrong result"),
    ("numbers = 'result'", r"a group \( \)"),
    ("tolerance = 'much'", "wrong kind"),
    ("apt = 'gcc'", "wrong kind"),
])  # fmt: skip
def test_what_is_wrong_in_a_register(tmp_path: Path, line: str, why: str) -> None:
    row = ["[[program]]", 'name = "a"', 'command = ["a"]']
    if not line.startswith("numbers"):
        row.append("numbers = '(.)'")
    with pytest.raises(Wrong, match=why):
        field.load(register(tmp_path, "\n".join([*row, line])))


def test_a_program_is_described_once(tmp_path: Path) -> None:
    row = '[[program]]\nname = "a"\ncommand = ["a"]\nnumbers = "(.)"\n'
    with pytest.raises(Wrong, match="described twice"):
        field.load(register(tmp_path, row + row))


def test_numbers_are_those_of_the_last_match() -> None:
    said = "result: 1 2\nEnergy\n  3.5 -4e2\n\nresult: 5 6e-3\n"
    assert field.numbers_in("^result: (.*)$", said) == (5.0, 6e-3)
    assert field.numbers_in(r"Energy\n(.*)\n", said) == (3.5, -400.0)
    assert field.numbers_in(None, said) == ()
    with pytest.raises(ValueError, match="nothing matches"):
        field.numbers_in("^energy: (.*)$", said)


@cases("found, wanted, why", [
    (Result((1.0, 2.0)), Result((1.0, 2.0 + 1e-9)), None),
    (Result((1.0, 2.0)), Result((1.0, 2.1)), "2 instead of 2.1"),
    (Result((1.0,)), Result((1.0, 2.0)), "1 numbers, by stock 2"),
    (Result((0.0,)), Result((1e-13,)), None),
    (Result((float("nan"),)), Result((1.0,)), "nan instead of 1"),
    (Result(digest="a"), Result(digest="b"), "its file differs"),
])  # fmt: skip
def test_results_are_held_against_stock(found: Result, wanted: Result, why: str | None) -> None:
    said = found.other_than(wanted, 1e-6)
    assert (said is None) if why is None else why in (said or "")


def test_threads_are_those_of_our_library() -> None:
    stock, ours = REPORT.format(threads=2, more=""), REPORT.format(threads=5, more=OURS)
    assert field.threads_of(f"{ours}a line\n{stock}") == 5
    assert field.threads_of(stock) is None


def test_bindings_tell_which_library_serves(tmp_path: Path) -> None:
    line = " 7: binding file {} [0] to {} [0]: normal symbol `{}' [GOMP_4.0]\n"
    (tmp_path / "bindings.7").write_text(
        line.format("/app", "/a/libgomp.so.1", "GOMP_parallel")
        + line.format("/app", "/b/libgomp.so.1", "omp_get_max_threads")
        + line.format("/other", "/c/libgomp-1.so", "GOMP_parallel_loop_static")
    )
    assert field.bindings(tmp_path) == {"/a/libgomp.so.1", "/c/libgomp-1.so"}


def test_ways_are_those_that_make_sense(tmp_path: Path) -> None:
    good = field.load(register(tmp_path))["good"]
    names = [w.name for w in field.ways_of(good, list(WAYS.values()), 1.0)]
    assert names == [STOCK, "ours", "weighted", "auto"]
    dynamic = replace(good, replace="dynamic=ich")
    assert [w.name for w in field.ways_of(dynamic, list(WAYS.values()), 4.0)] == list(WAYS)


# A job on a stand that plays.


class Played:
    """Answers each run with what is in ANSWERS under its way, else with 1 on two threads."""

    klass = field.FULL

    def __init__(self, **answers: list[tuple[float, int, str]]) -> None:
        self.answers, self.asked = answers, list[tuple[str, str, int | None]]()

    def once(
        self, of: field.Field, way: field.Way, klass: str, ratio: float, emulation: object,
        threads: int | None = None, probe: bool = False,
    ) -> tuple[Run, Result]:  # fmt: skip
        self.asked.append((way.name, klass, threads))
        value, team, learning = 1.0, threads or 2, ""
        if threads is None and self.answers.get(way.name):
            value, team, learning = self.answers[way.name].pop(0)
        more = {"learning": learning} if learning else {}
        return Run(seconds=1.0, report={"threads": team}, more=more), Result((value,))


def job(tmp_path: Path, stand: Any, said: list[Any]) -> field.Job:
    good = field.load(register(tmp_path))["good"]
    ways = list(WAYS.values())
    return field.Job(stand, good, ways, 4.0, {}, said.append, said.append)


def test_a_reference_is_run_once_for_each_number_of_threads(tmp_path: Path) -> None:
    stand, said = Played(weighted=[(1.0, 5, ""), (1.0, 5, "")]), list[Any]()
    j = job(tmp_path, stand, said)
    for round_ in (1, 2):
        for way in ("weighted", STOCK):
            assert j.run(WAYS[way], round_, None).status == "ok"
    assert [a for a in stand.asked if a[2]] == [(STOCK, "full", 5), (STOCK, "full", 2)]
    again = field.references(said)
    assert again == {"good": j.references}


def test_another_result_than_stocks_is_wrong(tmp_path: Path) -> None:
    j = job(tmp_path, Played(weighted=[(1.5, 5, "")]), [])
    run = j.run(WAYS["weighted"], 1, None)
    assert (run.status, run.why) == (
        "wrong result",
        "1.5 instead of 1, stock's with as many threads",
    )
    assert j.run(WAYS["weighted"], 2, None).ok


def test_the_first_round_is_small(tmp_path: Path) -> None:
    stand = Played()
    run = job(tmp_path, stand, []).run(WAYS["ours"], 0, None)
    assert stand.asked == [("ours", "small", None), (STOCK, "small", 2)]
    assert run.more["ran_class"] == "small"


def test_auto_learns_before_it_is_timed(tmp_path: Path) -> None:
    lessons = [(1.0, 2, "a first run"), (1.0, 5, "a run to find out")]
    stand, said = Played(auto=[*lessons, (1.0, 1, "")]), list[Any]()
    j = job(tmp_path, stand, said)
    for round_ in (1, 2):
        assert j.run(WAYS["auto"], round_, None).ok
    assert [a[0] for a in stand.asked if not a[2]] == ["auto"] * 5
    taught = [r for r in said if r["type"] == "lesson"]
    assert [(r["lesson"], r["learning"], r["config"]) for r in taught] == [
        (1, "a first run", "auto"), (2, "a run to find out", "auto"),
    ]  # fmt: skip


# Tables.


def measured(ratio: float, program: str, **seconds: float) -> list[dict[str, Any]]:
    return [
        run_of(way, round_, s, "full", kernel=program, ratio=ratio, report={"threads": 5})
        for round_ in (1, 2, 3)
        for way, s in seconds.items()
    ]


HEAD = SESSION | {"mode": "field", "ratios": [1.0, 4.0], "environment": {"OPENBLAS_X": "1"}}


def test_losses_come_first_and_are_named() -> None:
    lines = [
        HEAD, *measured(1.0, "numpy", stock=1.0, ours=1.0), *measured(1.0, "fftw", stock=2.0, ours=2.1),
        *measured(4.0, "numpy", stock=3.2, weighted=2.0, fast=1.8),
        *measured(4.0, "sklearn", stock=1.0, weighted=4.0, auto=0.4),
    ]  # fmt: skip
    by_ratio = fieldtables.rows(lines)
    assert [r.program for r in by_ratio[4.0]] == ["sklearn", "numpy"]
    assert [r.program for r in by_ratio[1.0]] == ["fftw", "numpy"]
    numpy = by_ratio[4.0][1]
    # Two CPUs that take a second: one of them and a quarter take 1.6.
    assert numpy.ideal == pytest.approx(3.2 / 1.6)
    assert (numpy.threads, numpy.speeds["weighted"].value) == (5, pytest.approx(1.6))
    text = fieldtables.report(lines)
    assert "losses: sklearn weighted: 0.25 [0.25 0.25]\n" in text
    assert "OPENBLAS_X=1" in text
    verdicts = {str(v)[:24].strip(): str(v)[25:] for v in fieldtables.judged(by_ratio)}
    assert verdicts["NOT MET"].endswith("fftw 0.95")
    met = [v.met for v in fieldtables.judged(by_ratio)]
    assert met == [False, True, True]


def test_a_program_that_fails_is_told() -> None:
    bad = run_of("ours", 1, None, "full", kernel="a", ratio=1.0, status="crashed", why="signal 11")
    text = fieldtables.report([HEAD, *measured(1.0, "a", stock=1.0), bad])
    assert "bad: a under ours, round 1: crashed: signal 11" in text


def test_no_run_no_table() -> None:
    with pytest.raises(ValueError, match="no measured run"):
        fieldtables.report([HEAD])


# Installing.


def test_packages_are_unpacked_in_the_folder(tmp_path: Path, monkeypatch: Any) -> None:
    if not shutil.which("dpkg-deb"):
        pytest.skip("no dpkg-deb")
    for name in ("tool", "part"):
        tree = tmp_path / name
        executable(tree / "usr" / "bin" / name, "#!/bin/sh\necho here\n")
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN" / "control").write_text(
            f"Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: m\nDescription: d\n"
        )
        subprocess.run(["dpkg-deb", "-b", str(tree), str(tmp_path / f"{name}_1_all.deb")], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    # `tool` is on the system, so that only what it depends on comes with it.
    executable(
        tmp_path / "fake" / "apt-get",
        f'#!/bin/sh\necho "$@" >>{tmp_path}/asked\n'
        f"case $1 in install) name=part ;; download) name=tool ;; esac\ncp {tmp_path}/${{name}}_1_all.deb .\n",
    )
    monkeypatch.setenv("PATH", f"{tmp_path}/fake:{os.environ['PATH']}")
    row = '[[program]]\nname = "t"\napt = ["tool"]\ncommand = ["{root}/usr/bin/tool"]\nnumbers = "(.)"\n'
    row += (
        'values = { n = 2 }\nsmall = { n = 1 }\ninput = ["sh", "-c", "echo {n} >{inputs}/in-{n}"]\n'
    )
    home = field.Home(tmp_path / "home")
    fields = list(field.load(register(tmp_path, row)).values())
    assert home.missing(fields[0])
    fieldsetup.install(home, fields, lambda _: None)
    assert home.missing(fields[0]) is None
    assert (home.root / "usr/bin/part").is_file()
    assert (home.inputs / "in-2").read_text() == "2\n"
    assert (home.inputs / "in-1").read_text() == "1\n"
    assert fieldsetup.installed(home)["debian"] == {n: f"{n}_1_all.deb" for n in ("part", "tool")}
    asked = (tmp_path / "asked").read_text().splitlines()
    assert "--download-only" in asked[0] and asked[0].startswith("install")
    assert asked[1].split()[0] == "download" and asked[1].split()[-1] == "tool"


def test_what_cannot_be_installed_is_told(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="wheels: no such"):
        fieldsetup.run("wheels", ["sh", "-c", "echo no such >&2; exit 1"], tmp_path)
    with pytest.raises(RuntimeError, match="nothing-like-it"):
        fieldsetup.run("apt", ["nothing-like-it"], tmp_path)


# From one end to the other.


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not shutil.which("gcc") or not (STAGE / "bin" / "amp-run").is_file():
        pytest.skip("no gcc, or nothing built")
    folder = tmp_path_factory.mktemp("field")
    (folder / "good.c").write_text(PROGRAM)
    command = ["gcc", "-O1", "-fopenmp", str(folder / "good.c"), "-o", str(folder / "good")]
    subprocess.run(command, check=True)
    executable(folder / "alone", "#!/bin/sh\necho 'result: 1'\necho 'seconds: 1'\n")
    register(folder)
    return folder


def start(made: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return bench("field", "--register", made / "made.toml", "--folder", made / "home", *arguments)


def test_programs_are_run_and_judged(made: Path) -> None:
    raw = made / "out.jsonl"
    ways = ("--ways", "ours,weighted", "--only", "equal", "--reps", "1", "--seed", "1")
    done = start(made, *ways, "--out", raw)
    assert done.returncode == 0, done.stderr
    assert "absent is left out" in done.stderr and "shy" not in done.stdout
    found = {(r["kernel"], r["config"], r["round"]): r for r in records(raw)}
    good = [r for (name, _, _), r in found.items() if name == "good"]
    assert [r["status"] for r in good] == ["ok"] * 6
    cpus = len(os.sched_getaffinity(0))
    assert {r["report"]["threads"] for r in good} == {cpus}
    served = {way: found["good", way, 0]["report"]["served"] for way in (STOCK, "ours", "weighted")}
    ours = [str((STAGE / "lib" / "libgomp.so.1").resolve())]
    assert served["ours"] == served["weighted"] == ours != served[STOCK]
    assert {found["wrong", w, 1]["status"] for w in (STOCK, "ours")} == {"ok"}
    assert found["wrong", "weighted", 1]["status"] == "wrong result"
    assert found["alone", "ours", 0]["status"] == "wrong library"
    assert "wrong under weighted, round 1: wrong result" in done.stdout
    # It goes on where it was, and finds nothing more to do.
    before = len(records(raw))
    again = bench("field", "--resume", raw, "--reps", "1")
    assert (again.returncode, len(records(raw))) == (0, before), again.stderr
    more = bench("field", "--resume", raw, "--reps", "2")
    assert more.returncode == 0 and max(r["round"] for r in records(raw)) == 2
    shown = bench("field", "--table-from", raw)
    assert shown.returncode == 0 and "equal cores; full inputs" in shown.stdout


@cases("arguments, why", [
    (("nobody",), "no program nobody; there are good, wrong, alone, absent, shy"),
    (("absent",), "none of the programs is installed"),
    (("--ratio", "1"), "must be above 1"),
    (("--ways", "best"), "--ways best: there are stock"),
])  # fmt: skip
def test_what_is_asked_wrongly(made: Path, arguments: tuple[str, ...], why: str) -> None:
    done = start(made, *arguments)
    assert done.returncode != 0 and why in done.stderr


def test_optional_programs_are_named(made: Path) -> None:
    assert "shy" not in start(made, "--list").stdout
    assert "shy: " in start(made, "s*", "--list").stdout


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    raw = tmp_path / "raw.jsonl"
    lines = [HEAD, *measured(4.0, "numpy", stock=3.2, weighted=2.0)]
    raw.write_text("".join(json.dumps(r) + "\n" for r in lines))
    done = bench("field", "--table-from", raw, "--plot", tmp_path / "p.png")
    assert done.returncode == 0 and (tmp_path / "p.png").read_bytes()[1:4] == b"PNG", done.stdout
