#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the recipes of packaging/ and the workflows, and hold them against the rest.

Each check yields what is wrong; nothing yielded is a pass.
"""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
DEBIAN = TOP / "packaging/debian"
VERSION = (TOP / "VERSION").read_text().strip()

Wrong = Iterator[str]


class Skip(Exception):
    """The check cannot be made here; the text says why."""


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (TOP / "Makefile").read_text(), re.MULTILINE))


def commands(text: str) -> Iterator[str]:
    """The make targets and the paths of this repository that a shell text names."""
    for line in text.splitlines():
        for part in re.split(r"&&|\|\||;", line):
            words = [w for w in part.split() if "=" not in w and w != "sudo"]
            if words[:1] == ["make"]:
                yield from (w for w in words[1:] if re.fullmatch(r"[a-z-]+", w))


def read_yaml(path: Path) -> Any:
    try:
        return importlib.import_module("yaml").safe_load(path.read_text())
    except ImportError:
        raise Skip("no python3-yaml") from None


def check_workflows() -> Wrong:
    """The workflows are YAML, and what they make are targets."""
    files = sorted((TOP / ".github/workflows").glob("*.yml"))
    if not files:
        yield "there is no workflow"
    made: set[str] = set()
    for file in files:
        read: dict[Any, Any] = read_yaml(file)
        # YAML 1.1 reads the key `on` as true.
        if not {"push", "pull_request"} <= set(read.get("on", read.get(True)) or ()):
            yield f"{file.name}: runs neither for pushes nor for pull requests"
        for name, job in read["jobs"].items():
            if "runs-on" not in job or "timeout-minutes" not in job:
                yield f"{file.name}: {name}: no machine, or no limit"
            for step in job["steps"]:
                if len({"run", "uses"} & set(step)) != 1:
                    yield f"{file.name}: {name}: a step that is neither run nor uses"
                here = set(commands(step.get("run", "")))
                made |= here
                for target in sorted(here - targets()):
                    yield f"{file.name}: {name}: there is no target {target}"
    for target in sorted({"build", "check", "lint", "check-cross", "deb"} - made):
        yield f"no workflow makes {target}"


def check_container() -> Wrong:
    """The container's recipe copies what is there, and all that a build reads."""
    text = (TOP / "packaging/container/Containerfile").read_text().replace("\\\n", " ")
    copied: set[str] = set()
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word not in {"", "#", "ARG", "FROM", "RUN", "WORKDIR", "COPY", "ENV", "CMD"}:
            yield f"an unknown instruction: {line}"
        if word == "COPY" and not rest.startswith("--from"):
            copied |= set(rest.split()[:-1])
        if word == "RUN":
            yield from (f"no target {t}" for t in commands(rest) if t not in targets())
    yield from (f"{name} does not exist" for name in sorted(copied) if not (TOP / name).exists())
    scripts = "".join(f.read_text() for f in (TOP / "scripts/build").glob("*.sh"))
    for name in sorted(set(re.findall(r'\$top"?/([a-z][\w-]*)', scripts))):
        if (TOP / name).exists() and not any(c.split("/")[0] == name for c in copied):
            yield f"scripts/build reads {name}, which is not copied"


def check_debian() -> Wrong:
    """The Debian package is of this version, and its control file complete."""
    first = (DEBIAN / "changelog").read_text().splitlines()[0]
    if not first.startswith(f"gomp-amp ({VERSION}-"):
        yield f"changelog: {first}: not version {VERSION}"
    control = re.sub(r"^#.*\n", "", (DEBIAN / "control.template").read_text(), flags=re.MULTILINE)
    control = control.replace("@N@", "12")
    if "@" in control.replace("@gomp-amp.invalid", ""):
        yield "control.template: a place that is not filled in"
    source, *packages = (
        dict(re.findall(r"^([A-Z][\w-]*): ?((?:.*\n(?: .*\n)*))", part + "\n", re.MULTILINE))
        for part in control.strip().split("\n\n")
    )
    for needed in ("gcc-12", "gcc-12-plugin-dev", "gcc-12-source", "g++-12", "gfortran-12"):
        if needed not in re.split(r"[,\s]+", source["Build-Depends"]):
            yield f"control.template: builds without {needed}"
    if [p["Package"].strip() for p in packages] != ["gomp-amp", "gomp-amp-mpi"]:
        yield "control.template: not the packages gomp-amp and gomp-amp-mpi"
    rules = (DEBIAN / "rules").read_text()
    pattern = re.search(r"sed -n 's/(.*?)/", rules)
    if not pattern or not re.search(r"^ gcc-12-source", control, re.MULTILINE):
        yield "rules: does not find the compiler's version in the control file"
    for variable in re.findall(r"\$\{(gomp:\w+)\}", control):
        if f"'{variable}=" not in rules:
            yield f"rules: {variable} is not set"
    if shutil.which("dpkg-parsechangelog"):
        done = subprocess.run(
            ["dpkg-parsechangelog", "-l", str(DEBIAN / "changelog"), "-S", "Version"],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.stderr or not done.stdout.startswith(VERSION):
            yield f"changelog: {done.stdout} {done.stderr}"


def served(release: str) -> bool:
    """Has gcc-patches a folder of that release, or of a range of majors that holds it?"""
    major = int(release.partition(".")[0])
    for series in (TOP / "gcc-patches").glob("*/libgomp/series"):
        name = series.parents[1].name
        low, _, high = name.partition("-")
        if name == release or (low.isdigit() and int(low) <= major <= int(high or low)):
            return True
    return False


def check_spack() -> Wrong:
    """Spack's recipe parses, and names releases of GCC that are served, with digests."""
    tree = ast.parse((TOP / "packaging/spack/package.py").read_text())
    classes = [n for n in tree.body if isinstance(n, ast.ClassDef)]
    if [c.name for c in classes] != ["GompAmp"]:
        yield "not the one class GompAmp, as Spack derives it from the folder gomp_amp"
    releases: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "RELEASES":
            releases = ast.literal_eval(node.value)
    if not releases:
        yield "no release of GCC"
    for release, sha in releases.items():
        if not re.fullmatch(r"[0-9a-f]{64}", sha):
            yield f"{release}: no SHA-256"
        if not served(release):
            yield f"gcc-patches serves no GCC {release}"


def check_conda() -> Wrong:
    """The wheel holds what conda's recipe takes, and its commands run in such a prefix."""
    script = read_yaml(TOP / "packaging/conda/recipe.yaml")["build"]["script"]
    stage = TOP / os.environ.get("BUILD", "build") / "stage"
    if not stage.is_dir() or not shutil.which("unzip"):
        raise Skip("nothing is built, or there is no unzip")
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix"
        maker = str(TOP / "packaging/wheel/make-wheel.py")
        make = ["python3", maker, str(stage), folder]
        lines = "\n".join(["set -e", "mv gomp_amp-*.whl gomp_amp-0-x_x86_64.whl", *script])
        for command in (make, ["sh", "-c", lines]):
            env = os.environ | {"PREFIX": str(prefix)}
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False)
            if done.returncode:
                yield f"{command[0]}: {done.stderr.decode()}"
                return
        for name in sorted(p.name for p in (prefix / "bin").iterdir()):
            done = subprocess.run(
                [prefix / "bin" / name, "--version"], stdout=subprocess.PIPE, check=False
            )
            if VERSION not in done.stdout.decode():
                yield f"{name}: status {done.returncode}"
        env = {"LD_PRELOAD": str(prefix / "lib/libgomp.so.1"), "OMP_DISPLAY_ENV": "verbose"}
        done = subprocess.run(["/bin/true"], env=env, stderr=subprocess.PIPE, check=False)
        if b"GOMP_AMP_TYPES" not in done.stderr:
            yield f"the library: {done.stderr.decode()}"


def main() -> int:
    checks: list[Callable[[], Wrong]] = [
        value for name, value in globals().items() if name.startswith("check_")
    ]
    passed = failed = skipped = 0
    for check in checks:
        title = (check.__doc__ or check.__name__).rstrip(".")
        try:
            wrong = list(check())
        except Skip as why:
            skipped += 1
            print(f"SKIP: {title}: {why}")
            continue
        for line in wrong:
            print(f"  {line}")
        print(f"{'FAIL' if wrong else 'PASS'}: {title}")
        failed += bool(wrong)
        passed += not wrong
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
