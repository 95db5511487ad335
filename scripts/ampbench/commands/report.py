# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports on raw files as platforms: tables, CSV, a page, plots."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .. import page, plots, results, session, traces
from ..results import Platform
from ..session import Parser, fail


class Report:
    """Make tables and plots of raw data of suites or of compare, sites and ich.

    Without options it prints the tables. Several raw files are several platforms, one
    section each."""

    @classmethod
    def options(cls, p: Parser) -> None:
        p.add_argument("raw", nargs="*", type=Path, metavar="RAW", help="raw files (JSON lines)")
        p.add_argument("--html", type=Path, metavar="FILE", help="one page with everything in it")
        p.add_argument("--csv", type=Path, metavar="FILE",
                       help="a line a program and configuration")
        p.add_argument("--plots", type=Path, metavar="DIR", help="each plot as a file")
        p.add_argument("--format", choices=("svg", "png", "pdf"), default="svg",
                       help="of --plots (svg)")
        p.add_argument("--trace", action="append", default=[], metavar="FILE[=TITLE]",
                       help="add a plot of a trace (amp-trace, .json)")
        p.add_argument("--title", default="gomp-amp: results", help="of the page")
        p.add_argument("--name", action="append", default=[], metavar="NAME",
                       help="of each raw file's platform, in order (the file's name)")
        p.add_argument("--baseline", metavar="CONFIG",
                       help="what is 1 (static@sb, else static@bs)")
        p.add_argument("--own-time", action="store_true",
                       help="the seconds that programs report themselves, where they do")
        p.add_argument("--quiet", action="store_true", help="print no tables")  # fmt: skip

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        if not args.raw and not args.trace:
            args.parser.error("a raw file or --trace is needed")
        if args.trace and not (args.html or args.plots):
            args.parser.error("--trace needs --html or --plots")

    def platforms(self) -> list[Platform]:
        args = self.args
        out = []
        for i, raw in enumerate(args.raw):
            name = args.name[i] if i < len(args.name) else raw.stem
            found = results.platforms(
                session.load(raw), name, own=args.own_time, baseline=args.baseline
            )
            if not found:
                fail(f"{raw}: holds no runs")
            for p in found:
                if args.baseline and p.baseline is None:
                    fail(f"--baseline {args.baseline}: there are {', '.join(p.configs)}")
            out += found
        return out

    def can_draw(self) -> str | None:
        """Why nothing can be drawn, or None.  Hands over to a Python that has matplotlib."""
        try:
            plots.import_pyplot()
        except plots.NoMatplotlib as e:
            other = plots.other_interpreter()
            if other:
                os.environ[plots.HANDED_OVER] = "1"
                sys.stdout.flush()
                os.execv(other, [other, str(plots.LAUNCHER), *sys.argv[1:]])
            return f"no plots: {e}"
        return None

    def traces(self, found: list[Platform], notes: list[str]) -> list[tuple[str, traces.Trace]]:
        """Those that are wanted, which must be usable, after those that raw files name."""
        wanted = [t.partition("=")[::2] for t in self.args.trace]
        out = []
        for file, name in [*((f, n) for p in found for n, f in p.traces), *wanted]:
            try:
                out.append((name or Path(file).stem, traces.load(Path(file))))
            except traces.Unusable as e:
                if (file, name) in wanted:
                    fail(str(e))
                notes.append(f"no plot of a trace: {e}")
        return out

    def run(self) -> int:
        args = self.args
        problem = self.can_draw() if args.html or args.plots else None
        found = self.platforms()
        if not args.quiet:
            print("\n\n".join(results.report(p) for p in found))
        if args.csv:
            args.csv.parent.mkdir(parents=True, exist_ok=True)
            with args.csv.open("w", encoding="utf-8", newline="") as out:
                results.write_csv(found, out)
        notes = [problem] if problem else []
        if problem:
            session.say(problem)
        opened = self.traces(found, notes)
        if args.plots:
            args.plots.mkdir(parents=True, exist_ok=True)
        if args.plots and not problem:
            pictures = {
                f"{i}-{name}" if len(found) > 1 else name: picture
                for i, p in enumerate(found, 1)
                for name, _, picture in plots.figures(p, args.format)
            } | {
                f"trace-{i}": plots.trace_figure(trace, name, args.format)
                for i, (name, trace) in enumerate(opened, 1)
            }
            for name, picture in pictures.items():
                (args.plots / f"{name}.{args.format}").write_bytes(picture)
        if args.html:
            parts = [(p, [] if problem else plots.figures(p)) for p in found]
            drawn = [
                (n, t, None if problem else plots.trace_figure(t, n, "svg")) for n, t in opened
            ]
            args.html.parent.mkdir(parents=True, exist_ok=True)
            args.html.write_text(page.page(args.title, parts, drawn, notes), encoding="utf-8")
            print(f"page: {args.html}")
        return 0
