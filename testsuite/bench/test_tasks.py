# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels that can be built as taskloops and as tasks with dependences: right in every form,
as the loops are, wrong results seen."""

import re
from pathlib import Path

import programs
import pytest
from ampbench.config import Config, parse
from ampbench.emulation import Slowing
from ampbench.launch import Launcher
from made import cases

TASKS = {name: row for name, row in programs.kernels().items() if row.tasks}
# What shows that nothing is left out: the result is compared with a serial run's, whatever
# the form.  stencil's only with its hash, and it has no --damage.
DAMAGED = [name for name in TASKS if name != "stencil"]
FORMS = ("taskloop", "tasks")


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    programs.build("tasks")


def test_which() -> None:
    assert set(TASKS) == {
        "blackscholes", "bodytrack", "lavamd", "pipeline", "stencil", "streamcluster", "swaptions",
    }  # fmt: skip


@cases("cut", [(), ("--tasks", "7"), ("--grainsize", "5")], ids=str)
@cases("threads", (1, 3))
@cases("form", FORMS)
@cases("name", TASKS)
def test_right(name: str, form: str, threads: int, cut: tuple[str, ...]) -> None:
    if name == "streamcluster" and cut == ("--grainsize", "5"):
        pytest.skip("a million tasks")
    programs.good(form, name, "S", *cut, threads=threads)


@cases("form", FORMS)
@cases("name", DAMAGED)
def test_one_wrong_bit_is_seen(name: str, form: str) -> None:
    programs.damaged(form, name, "S")


@cases("name", TASKS)
def test_only_these_forms_have_the_options(name: str) -> None:
    for form in FORMS:
        assert "--grainsize" in programs.start(form, name, "--help").stdout
        programs.refused(form, name, "S", "--tasks", "0")
    programs.refused("amp", name, "S", "--tasks", "3")


@cases("name", TASKS)
def test_dependences(name: str) -> None:
    """Where the published task versions have dependences, so do ours."""
    text = programs.source(TASKS[name]).read_text()
    chained = {"blackscholes", "bodytrack", "pipeline", "stencil"}
    assert bool(re.search(r"\bdepend \(", text)) == (name in chained)


@cases("runtime, folder", [("task", "taskloop"), ("tasks", "tasks")])
def test_configurations(runtime: str, folder: str) -> None:
    config = Config(runtime, "threads")
    assert parse(config.name) == config
    assert (config.build, config.library) == (folder, "amp")
    assert config.environment() == {} and not config.told


def test_more_tasks() -> None:
    config = parse("task:threads,8")
    assert config.build == "taskloop" and parse(config.name) == config
    launcher = Launcher(Path("build"), {}, [3], [0, 1], Slowing("1ms"), 1.0)
    kernel = TASKS["blackscholes"]
    places = {"bin": "/b", "class": "S"}
    assert launcher.command(kernel, config, places)[2:] == ["--tasks", "24"]
    assert "--tasks" not in launcher.command(kernel, parse("task:threads"), places)


def test_weighted_team() -> None:
    config = parse("team:weighted")
    assert (config.build, config.library) == ("stock", "amp")
    assert config.told and not config.bound
    assert config.environment() == {"GOMP_AMP_TEAM": "weighted"} and parse(config.name) == config
