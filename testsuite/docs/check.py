#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold the texts against the code; see run.

Each check is a function that yields what is wrong: nothing yielded is a pass.
What stands in the code is read from the code, or asked of the built programs,
never repeated here.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = TOP / os.environ.get("BUILD", "build")
STAGE = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else BUILD / "stage"
MAN = sorted((TOP / "docs/man").glob("*.[0-9]"))
# Texts for users, and those for who works on it.
FOR_USERS = [TOP / "README.md", TOP / "CHANGELOG.md"] + [
    *(TOP / f"docs/use/{n}.md" for n in ("quickstart", "schedulers", "checking", "environment")),
    TOP / "docs/measure/measuring.md",
    TOP / "docs/develop/status.md",
]
TEXTS = [*FOR_USERS, TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").glob("*/*.md"))]
TEXTS = list(dict.fromkeys(TEXTS))

Wrong = Iterator[str]


class Skip(Exception):
    """The check cannot be made here; the text says why."""


def read(name: str | Path) -> str:
    return (TOP / name).read_text(encoding="utf-8")


def matches(pattern: str, text: str) -> set[str]:
    """What the group of PATTERN, which may be of one line, matches."""
    return set(re.findall(pattern, text, re.MULTILINE))


def section(name: str, title: str) -> str:
    """The part of a page under a heading of the second level."""
    return read(name).partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def short(path: Path) -> str:
    return str(path.relative_to(TOP))


def differences(what: str, here: set[str], there: set[str], left: str, right: str) -> Wrong:
    for item in sorted(here - there):
        yield f"{what} {item}: in {left}, not in {right}"
    for item in sorted(there - here):
        yield f"{what} {item}: in {right}, not in {left}"


def run(command: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    return subprocess.run(
        command, env=clean | environment, capture_output=True, text=True, timeout=600, check=False
    )


def registry() -> list[str]:
    """What OMP_SCHEDULE takes, with parameters, of ours."""
    sys.path.insert(0, str(TOP / "scripts/maintain"))
    tables = importlib.import_module("tables")
    return [schedule.grammar for schedule in tables.schedules()]


def check_schedules() -> Wrong:
    """docs/use/schedulers.md has a section on each schedule, which begins with its grammar."""
    for g in registry():
        name = g.partition("[")[0]
        if f"\n## {name}\n" not in read("docs/use/schedulers.md"):
            yield f"docs/use/schedulers.md has no section on {name}"
        elif f"`{g}`" not in section("docs/use/schedulers.md", name):
            yield f"docs/use/schedulers.md: the section on {name} does not begin with its grammar {g}"


def rendered(page: Path) -> str:
    for command in (["mandoc", "-T", "utf8"], ["groff", "-man", "-mdoc", "-T", "utf8"]):
        if shutil.which(command[0]):
            text = re.sub(".\b", "", run([*command, str(page)]).stdout)
            return re.sub("\x1b\\[[0-9;]*m", "", text)
    raise Skip("neither mandoc nor groff")


def check_functions() -> Wrong:
    """docs/use/environment.md documents the functions that libgomp.map exports."""
    ours = r"(?:gomp_amp|omp)_\w+"
    header = read("libgomp/runtime/omp_amp.h")
    prototypes = matches(rf"^extern \w+ ({ours}) \(", header)
    told = matches(rf"^\| `[a-z]+ ({ours}) \(", read("docs/use/environment.md"))
    yield from differences("function", prototypes, told, "omp_amp.h", "docs/use/environment.md")
    for version in sorted((TOP / "gcc-patches").glob("*/libgomp")):
        patches = "".join(p.read_text() for p in version.glob("*.patch"))
        exported = matches(rf"^\+\t({ours});", patches)
        yield from differences("function", prototypes, exported, "omp_amp.h", short(version))


def library_variables() -> set[str]:
    """The variables that the libraries beside libgomp ask for."""
    text = "".join(source.read_text() for source in (TOP / "libraries").glob("*/*.c"))
    return matches(r'getenv \("((?:GOMP_)?AMP_[A-Z_]+)"', text)


def variables() -> set[str]:
    """The variables that libgomp asks for."""
    rows = matches(r'^GOMP_AMP_SETTING \("(\w*)"', read("libgomp/runtime/gomp-amp-settings.h"))
    if not rows:
        raise RuntimeError("libgomp/runtime/gomp-amp-settings.h has no row")
    return {"GOMP_AMP" + row for row in rows}


def check_variables() -> Wrong:
    """docs/use/environment.md has a section for each variable, and nobody asks for another."""
    sections = matches(r"^## (GOMP_AMP[A-Z_]*)$", read("docs/use/environment.md"))
    yield from differences("variable", variables(), sections, "libgomp", "docs/use/environment.md")
    for source in (TOP / "libgomp").glob("*/*.c"):
        for name in matches(r'getenv \("(GOMP_AMP_[A-Z_]+)"', source.read_text()) - variables():
            yield f"{short(source)}: {name} is not in gomp-amp-settings.h"


def check_lists() -> Wrong:
    """What pages list is what the code says."""
    yield from run(
        ["python3", str(TOP / "scripts/maintain/tables.py"), "--check"]
    ).stdout.splitlines()


def check_library_variables() -> Wrong:
    """The libraries' man pages document the variables that these ask for."""
    tagged: set[str] = set()
    for line in matches(r"^\.It Ev ((?:GOMP_)?AMP_.*)$", "".join(p.read_text() for p in MAN)):
        tagged |= set(re.findall(r"(?:GOMP_)?AMP_[A-Z_]+", line))
    for name in sorted(library_variables() - tagged):
        yield f"no man page has {name}"


def check_variables_elsewhere() -> Wrong:
    """No text for users names a GOMP_AMP_ variable that does not exist."""
    macros = matches(r"^#define (GOMP_AMP_\w+)", read("libgomp/runtime/omp_amp.h"))
    for path in [
        *FOR_USERS,
        *MAN,
        TOP / "tools/amp-run/amp-run.c",
        TOP / "tools/amp-gcc/amp-gcc.in",
    ]:
        for name in set(re.findall(r"GOMP_AMP_[A-Z_]+\b(?!\.)", path.read_text())):
            if name not in variables() | library_variables() | macros:
                yield f"{short(path)}: {name} does not exist"


def examples() -> list[tuple[str, str]]:
    """(command line, expected message) of docs/use/environment.md's section on messages."""
    pairs = r"^    \$ (.+) \./app\n    (libgomp: .+)$"
    return re.findall(pairs, section("docs/use/environment.md", "Messages"), re.MULTILINE)


def check_messages() -> Wrong:
    """The messages in docs/use/environment.md are what the library says."""
    library = STAGE / "lib/libgomp.so.1"
    if not library.exists():
        raise Skip(f"no {library}: run make first")
    if len(examples()) < 5:
        yield "docs/use/environment.md: the section on messages has hardly any examples"
    for settings, expected in examples():
        values = dict(s.split("=", 1) for s in shlex.split(settings))
        said = run(["true"], LD_PRELOAD=str(library), **values).stderr.split("\n")
        if [line for line in said if line] != [expected]:
            yield f"{settings}: the library says {said}, docs/use/environment.md: {expected}"


def check_static_loops() -> Wrong:
    """docs/use/checking.md lists the loops that the plugin leaves static."""
    table = read("plugin/clauses.h").partition("gomp_amp_reasons[] =")[2]
    real = set(re.findall(r'\{ "static", "([^"]+)" \}', table))
    names = read("plugin/report.h").partition("rule_names[R_RULES]")[2].partition(";")[0]
    real |= set(re.findall(r'"([^"]*)"', names)) - {""}
    page = "docs/use/checking.md"
    told = matches(r"^\| `([^`]+)` \|", section(page, "Loops that stay static"))
    yield from differences("reason", real, told, "plugin", page)


def code_of(text: str) -> list[str]:
    """Code spans, and the commands of indented blocks (without their comments)."""
    found = re.findall(r"`([^`\n]+)`", text)
    found += [re.sub(r"\s#.*", "", b) for b in re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE)]
    return [part for code in found for part in re.split(r" && |; ", code)]


def check_targets() -> Wrong:
    """Every `make X` in a text is a target, and the scripts that targets run exist."""
    makefile = read("Makefile")
    targets = matches(r"^([a-z][a-z-]*):", makefile)
    for path in TEXTS:
        for code in code_of(path.read_text()):
            words = code.split()
            if not words or words[0] != "make" or "-C" in words:
                continue
            for word in words[1:]:
                if re.fullmatch(r"[a-z][a-z-]*", word) and word not in targets:
                    yield f"{short(path)}: '{code}': there is no target {word}"
    for script in sorted(matches(r"^\t@((?:scripts|testsuite)/\S+)", makefile)):
        if not os.access(TOP / script, os.X_OK):
            yield f"Makefile: {script} is not there, or not executable"


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub and GitLab give to headings."""
    heads = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}


def check_links() -> Wrong:
    """Relative links in texts lead somewhere, anchors too."""
    for path in [*TEXTS, TOP / "plugin/README.md"]:
        for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                yield f"{short(path)}: {link}: no such file"
            elif anchor and anchor not in anchors(target):
                yield f"{short(path)}: {link}: no such heading"


def check_paths() -> Wrong:
    """Paths of this repository that a text names exist."""
    first = {p.name for p in TOP.iterdir() if p.is_dir() and p.name not in ("build", ".git")}
    for path in TEXTS:
        for code in code_of(path.read_text()):
            for word in code.split():
                if word.partition("/")[0] not in first or "/" not in word:
                    continue
                name = re.match(r"[\w./+-]+", word)[0].rstrip(".")  # type: ignore[index]
                # NAME, <version> and * stand for something.
                if re.search(r"[<*]|NAME|\$", word) or (TOP / name).exists():
                    continue
                yield f"{short(path)}: {name} does not exist"


def check_tables() -> Wrong:
    """Every row of a table in a text belongs to one."""
    for path in [*TEXTS, TOP / "plugin/README.md"]:
        lines = path.read_text().splitlines()
        for i, line in enumerate(lines):
            if not line.startswith("|") or (i > 0 and lines[i - 1].startswith("|")):
                continue
            rule = lines[i + 1] if i + 1 < len(lines) else ""
            if not re.fullmatch(r"\|([ :]*-+[ :]*\|)+", rule):
                yield f"{short(path)}: line {i + 1} is a row of no table"
            elif i > 0 and lines[i - 1].strip():
                yield f"{short(path)}: line {i + 1}: no empty line before a table"


def check_index() -> Wrong:
    """README.md leads to every page of docs/."""
    text = read("README.md")
    for page in sorted((TOP / "docs").glob("*/*.md")):
        if f"({short(page)}" not in text:
            yield f"README.md has no link to {short(page)}"
    for page in MAN:
        if f"`{page.stem}`({page.suffix[1:]})" not in text:
            yield f"README.md does not name {page.name}"


def names_of(page: Path) -> set[str]:
    """The names in a page's NAME section."""
    text = rendered(page).partition("\nNAME\n")[2]
    line = " ".join(text.partition("\n\n")[0].split())
    return {n.strip() for n in re.split(r" [\u2013\u2212\u2010-]+ | \u2014 ", line)[0].split(",")}


def check_tools() -> Wrong:
    """Every tool has a man page."""
    named = set().union(*(names_of(p) for p in MAN))
    for tool in sorted((TOP / "tools").iterdir()):
        name = tool.name.partition(".")[0]
        if tool.is_file() and name not in named:
            yield f"tools/{tool.name} has no man page"
    for program in sorted((STAGE / "bin").glob("*")):
        if program.name not in named:
            yield f"{program.name}, which make installs, has no man page"


def check_options() -> Wrong:
    """What a tool's --help says stands in its man page, every schedule in both."""
    if not (STAGE / "bin").is_dir():
        raise Skip(f"no {STAGE}/bin: run make first")
    for page in MAN:
        if page.suffix != ".1":
            continue
        program = STAGE / "bin" / page.stem
        if not program.exists():
            yield f"{page.name}: make has built no {page.stem}"
            continue
        option = "--amp-help" if page.stem == "amp-gcc" else "--help"
        listed = run([str(program), option], COLUMNS="80").stdout
        text = re.sub("[\u2010\u2212]", "-", rendered(STAGE / "share/man/man1" / page.name))
        for word in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", listed))):
            if word not in text:
                yield f"{page.name}: {word}, which {option} lists, is missing"


def check_man_lint() -> Wrong:
    """The man pages are clean."""
    if not shutil.which("mandoc") and not shutil.which("groff"):
        raise Skip("neither mandoc nor groff")
    # As installed, with what the tools say of themselves.
    for page in sorted((STAGE / "share/man").glob("man*/*amp*.[0-9]")) or MAN:
        said = []
        if shutil.which("mandoc"):
            done = run(["mandoc", "-T", "lint", "-W", "warning", str(page)])
            # A man(7) page need not bear a date.
            said += [s for s in done.stdout.splitlines() if "missing date, using" not in s]
        if shutil.which("groff"):
            said += run(["groff", "-mandoc", "-ww", "-z", str(page)]).stderr.splitlines()
        yield from said


def tracked() -> list[str]:
    if not shutil.which("git") or not (TOP / ".git").exists():
        raise Skip("no git checkout")
    out = run(["git", "-C", str(TOP), "-c", f"safe.directory={TOP}", "ls-files", "-z"])
    if out.returncode != 0:
        raise Skip(f"git ls-files: {out.stderr.strip()}")
    return [n for n in out.stdout.split("\0") if n and (TOP / n).is_file()]


# Texts of licences, GCC's own source in patches, lists and data that take no comment.
NO_SPDX = re.compile(
    r"LICENSES?(/.*)?|VERSION|.*\.patch|.*/series|.*/releases|.*\.gitignore"
    r"|packaging/debian/(changelog|copyright|source/format)"
    r"|benchmarks/results/.*|.*\.(golden|expected|csv|svg|png)"
    r"|testsuite/(sysfs/|.*/corpus/).*"
)


def check_spdx() -> Wrong:
    """Every source file says its licence, and libgomp/'s is the one with the exception."""
    for name in tracked():
        if NO_SPDX.fullmatch(name):
            continue
        head = (TOP / name).read_bytes()[:2000].decode(errors="replace")
        found = re.search(
            r'SPDX-License-Identifier"?: "?(GPL-3\.0-or-later(?: WITH GCC-exception-3\.1)?)(?![\w.-])',
            head,
        )
        if not found:
            yield f"{name}: no line SPDX-License-Identifier"
        elif (
            name.startswith(("libgomp/", "libraries/"))
            and not name.endswith("Makefile")
            and "WITH" not in found[1]
        ):
            yield f"{name}: the GCC Runtime Library Exception is missing"


# Words of all pages, man pages' sources among them.
MOST_WORDS = 30000


def check_words() -> Wrong:
    """The pages are short enough to be read: what has letters, outside of code blocks, is counted."""
    pages = [TOP / n for n in tracked() if n.endswith(".md")] + MAN
    texts = (re.sub(r"^ {4,}.*$", "", p.read_text(), flags=re.MULTILINE) for p in pages)
    words = sum(len(re.findall(r"\S*[A-Za-z]\S*", text)) for text in texts)
    if words > MOST_WORDS:
        yield f"{words} words: leave out what stands elsewhere, or raise MOST_WORDS in check.py"


def check_suites() -> Wrong:
    """testsuite/suites and testsuite/README.md list the suites that there are."""
    run_suite = run([sys.executable, str(TOP / "testsuite/run"), "--list"])
    if run_suite.returncode != 0:
        raise RuntimeError(run_suite.stderr)
    suites = set(run_suite.stdout.split())
    table = set(matches(r"^([a-z][\w.-]*)\t", read("testsuite/suites")))
    yield from differences("suite", suites, table, "testsuite", "testsuite/suites")
    page = read("testsuite/README.md")
    for name in sorted(suites):
        if not re.search(rf"[`*]{re.escape(name)}\b", page):
            yield f"testsuite/README.md does not name the suite {name}"


def check_versions() -> Wrong:
    """docs/develop/gcc.md and README.md name the GCC versions that there are patches for."""
    for version in sorted((TOP / "gcc-patches").glob("*/libgomp/series")):
        span = version.parents[1].name.replace("-", " to ")
        row = re.search(rf"^\| {span} \| .*", read("docs/develop/gcc.md"), re.MULTILINE)
        if row is None:
            yield f"docs/develop/gcc.md has no row for GCC {span}"
        if span not in read("README.md"):
            yield f"README.md does not name GCC {span}"
        for line in (version.parents[1] / "releases").read_text().splitlines():
            number = line.split()[0]
            if number != "#" and row is not None and number not in row.group():
                yield f"docs/develop/gcc.md does not name GCC {number}"
    own = read("VERSION").strip()
    if f"version {own}" not in read("docs/develop/status.md"):
        yield "docs/develop/status.md: the version is not that of VERSION"
    if f"\nversion: {own}\n" not in read("CITATION.cff"):
        yield "CITATION.cff: the version is not that of VERSION"
    major, minor, patch = (int(part) for part in own.split("."))
    value = 10000 * major + 100 * minor + patch
    if f"#define GOMP_AMP_VERSION {value}\n" not in read("libgomp/runtime/omp_amp.h"):
        yield f"libgomp/runtime/omp_amp.h: GOMP_AMP_VERSION is not {value}"


def check_figures() -> Wrong:
    """A table of figures in README.md names the result that it is from."""
    text = read("README.md")
    found = re.search(r"<!-- figures: (.*?) -->(.*?)\n(?=#|\Z)", text, re.DOTALL)
    if found is None:
        yield "README.md: the mark of the figures is gone"
        return
    rows = re.findall(r"^\|.*\d+\.\d+.*\|$", found[2], re.MULTILINE)
    named = re.findall(r"benchmarks/results/[\w./-]*\w", found[1] + found[2])
    if rows and not named:
        yield "README.md: figures without a table in benchmarks/results"
    for name in named:
        if not (TOP / name).is_file():
            yield f"README.md: the result {name} is not there"


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
        except (OSError, RuntimeError, subprocess.SubprocessError, ValueError) as error:
            wrong = [f"{type(error).__name__}: {error}"]
        if wrong:
            failed += 1
            print(f"FAIL: {title}")
            for line in wrong:
                print(f"  {line}")
        else:
            passed += 1
            print(f"PASS: {title}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
