# SPDX-License-Identifier: GPL-3.0-or-later
"""The command scripts/bench: wrong options, raw files of each kind, plots."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import test_change
import test_compared
import test_evaluation
import test_sites
from ampbench import plots
from made import SESSION, bench, cases, save

COMPARED = test_compared.comparison()
CHANGED = test_change.session(amp_unset=test_change.GOOD)
EVALUATED = [test_evaluation.ALL, *test_evaluation.records()]


@cases("wrong", [
    "compare --all --overhead", "sites --overhead", "sites --all", "change --ratio 2,3",
    "change --only equal", "change --kernels cg", "change --all", "compare --all --quick",
    "compare --ratio 0.5", "compare --at 2", "change --at -1", "nothing",
])  # fmt: skip
def test_wrong_options(wrong: str) -> None:
    assert bench(*wrong.split()).returncode == 2


def test_help_has_every_command() -> None:
    told = bench("--help").stdout
    known = bench("nothing").stderr.partition("choose from")[2]
    names = re.findall(r"[a-z]+", known)
    assert "draw" in names
    assert [n for n in names if not re.search(rf"^ +{n} ", told, re.M)] == []


@cases("records, words, foreign", [
    (COMPARED, "best AID at most", "best fixed"),
    ([SESSION | {"mode": "sites"}, *test_sites.records()], "best fixed", "parity"),
    (EVALUATED, "best of each", "parity"), (CHANGED, "follows the change", "best AID"),
])  # fmt: skip
def test_each_mode_has_its_own_verdicts(
    tmp_path: Path, records: list[dict[str, Any]], words: str, foreign: str
) -> None:
    done = bench("compare", "--table-from", save(tmp_path / "raw.jsonl", records))
    assert (done.returncode, done.stderr) == (0, "")
    assert words in done.stdout
    assert foreign not in done.stdout


@cases("records", [COMPARED, CHANGED, EVALUATED])
def test_plots(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    picture = tmp_path / "plot.png"
    raw = save(tmp_path / "raw.jsonl", records)
    done = bench("compare", "--table-from", raw, "--plot", picture)
    assert done.returncode == 0, done.stderr
    # The tables come once, whichever interpreter has drawn.
    assert done.stdout.count("raw data:") == 1
    if "no plots: plots need matplotlib" in done.stdout:
        assert "no other Python" in done.stdout
        pytest.skip("no Python here has matplotlib")
    assert f"plot: {picture}" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


@cases("status", [0, 1])
def test_another_interpreter(tmp_path: Path, status: int) -> None:
    python = tmp_path / "python3"
    python.touch()
    done = subprocess.CompletedProcess([], status)
    with (
        mock.patch.object(plots.shutil, "which", lambda name: str(python)),
        mock.patch.object(plots.subprocess, "run", lambda *a, **k: done),
    ):
        assert (plots.other_interpreter() is None) == bool(status)


def test_not_this_interpreter() -> None:
    with (
        mock.patch.object(plots.shutil, "which", lambda name: sys.executable),
        mock.patch.object(plots.Path, "is_file", lambda self: str(self) == sys.executable),
        mock.patch.object(plots.subprocess, "run", mock.Mock(side_effect=AssertionError)),
    ):
        assert plots.other_interpreter() is None
