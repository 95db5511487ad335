# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of suites, and the names of configurations."""

import re
import tempfile
import unittest
from pathlib import Path

from ampbench import config, describe, kernels
from made import TOP

SUITES = TOP / "benchmarks" / "suites"
PLACES = {"bin": "/b", "data": "/d", "work": "/w", "threads": "8"}


class Shipped(unittest.TestCase):
    def test_all_load_and_fill(self) -> None:
        names = {}
        for path in sorted(SUITES.glob("*.toml")):
            programs = describe.load(path)
            names[path.stem] = {p.name for p in programs}
            for p in programs:
                texts = [*p.command, *p.needs, *p.same, *p.links.values()]
                filled = [p.fill(t, PLACES) for t in texts]
                self.assertTrue(all("{" not in t and t for t in filled), (p.key, filled))
                self.assertTrue(filled[0].startswith("/b/"), p.key)
        self.assertEqual(set(names), {"kernels", "npb", "parsec", "rodinia"})
        self.assertLessEqual({"bt", "cg", "ep", "ft", "is", "lu", "mg", "sp", "ua"}, names["npb"])
        self.assertLessEqual({"bfs", "leukocyte", "sradv1", "streamcluster"}, names["rodinia"])

    def test_npb_output(self) -> None:
        ep = next(p for p in describe.load(SUITES / "npb.toml") if p.name == "ep")
        good = " Time in seconds =                12.34\n Verification    =   SUCCESSFUL\n"
        self.assertRegex(good, ep.expect or "")
        self.assertNotRegex(good.replace("SUCC", "UNSUCC"), ep.expect or "")
        found = re.search(ep.time or "", good)
        self.assertEqual(found and found[1], "12.34")

    def test_rodinia_errors(self) -> None:
        bfs = next(p for p in describe.load(SUITES / "rodinia.toml") if p.name == "bfs")
        for bad in ("x\nError Reading graph file\n", "ERROR: 3 is wrong", "Usage: bfs <n>",
                    "The file was not opened"):  # fmt: skip
            self.assertRegex(bad, bfs.reject or "")
        for good in ("Accuracy: 1e-6, error 0.1", "Result stored in result.txt"):
            self.assertNotRegex(good, bfs.reject or "")

    def test_kernels_are_those_of_the_registry(self) -> None:
        wanted = set(kernels.load("all"))
        programs = describe.load(SUITES / "kernels.toml", ["class=S", "cg.class=W"])
        self.assertEqual({p.name for p in programs}, wanted)
        commands = {p.name: [p.fill(c, PLACES) for c in p.command] for p in programs}
        self.assertEqual(commands["cg"], ["/b/cg", "W"])
        self.assertEqual(commands["ep"], ["/b/ep", "S"])
        self.assertEqual(commands["bfs-uniform"], ["/b/bfs", "S", "--graph", "uniform"])


class Own(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "x.toml"

    def load(self, text: str, *settings: str) -> list[describe.Program]:
        self.path.write_text(text)
        return describe.load(self.path, settings)

    def test_values(self) -> None:
        text = (
            'values = { n = 3, m = "x" }\n'
            '[[program]]\nname = "a"\ncommand = ["{bin}/a", "{n}{m}"]\n'
            '[[program]]\nname = "b"\ncommand = ["{bin}/b", "{n}"]\nvalues = { n = 4 }\n'
        )
        for settings, expected in (
            ((), ["3x", "4"]),
            (("n=7",), ["7x", "7"]),
            (("b.n=9",), ["3x", "9"]),
            (("n=7", "b.n=9"), ["7x", "9"]),
        ):
            programs = self.load(text, *settings)
            self.assertEqual([p.fill(p.command[1], PLACES) for p in programs], expected)

    def test_wrong(self) -> None:
        head = '[[program]]\nname = "a"\n'
        command = 'command = ["{bin}/a"]\n'
        for text, says in (
            ("", "no program"),
            ("x = 1\n" + head + command, "unknown key x"),
            (head + command + "typo = 1\n", "unknown key typo"),
            (head, "command"),
            (head + command + "expect = '('\n", "expect"),
            (head + command + "time = 'Time'\n", "group"),
            (head + command + "limit = -1\n", "limit"),
            (head + command + "silent = 1\n", "silent"),
            (head + command + 'folder = "../up"\n', "leads out"),
            (head + command + 'links = { "/etc" = "x" }\n', "leads out"),
            (head + command + 'values = { bin = "x" }\n', "bin"),
            (head + command + head + command, "twice"),
            ("not toml", "x.toml"),
        ):
            with self.assertRaisesRegex(describe.Wrong, says, msg=text):
                self.load(text)
        with self.assertRaisesRegex(describe.Wrong, "NAME=VALUE"):
            self.load(head + command, "n")
        (program,) = self.load(head + 'command = ["{bin}/a", "{size}"]\n')
        with self.assertRaisesRegex(describe.Wrong, "size"):
            program.fill(program.command[1], PLACES)


class Configurations(unittest.TestCase):
    def test_parse(self) -> None:
        for text, name, env in (
            ("static@sb", "static@sb", {"OMP_SCHEDULE": "static", "GOMP_AMP_AFFINITY": "sb"}),
            ("static(SB)", "static@sb", {"OMP_SCHEDULE": "static", "GOMP_AMP_AFFINITY": "sb"}),
            ("AID-Static", "aid_static@bs",
             {"OMP_SCHEDULE": "aid_static", "GOMP_AMP_AFFINITY": "bs"}),
            ("aid_hybrid,80@4-7:0-3", "aid_hybrid,80@4-7:0-3",
             {"OMP_SCHEDULE": "aid_hybrid,80", "GOMP_AMP_AFFINITY": "4-7:0-3"}),
            ("unset@free", "unset@free", {}),
            ("aid_static+sf@bs", "aid_static+sf@bs",
             {"OMP_SCHEDULE": "aid_static", "GOMP_AMP_AFFINITY": "bs"}),
        ):  # fmt: skip
            found = config.parse(text, bare=True)
            self.assertEqual((found.name, found.environment()), (name, env))
            self.assertEqual(config.parse(found.name, bare=True), found)
            self.assertEqual(config.parse(config.title(found.name), bare=True), found)

    def test_wrong(self) -> None:
        for text in (
            "",
            "@bs",
            "static@",
            "static@big",
            "sta tic",
            "static+x@bs",
            "static,x",
            "4@bs",
        ):
            with self.assertRaises(ValueError, msg=text):
                config.parse(text, bare=True)

    def test_presets(self) -> None:
        paper = config.parse_all(["paper", "static@sb unset"])
        self.assertEqual([c.name for c in paper], [*config.PRESETS["paper"], "unset@bs"])
        for name in config.PRESETS:
            self.assertTrue(config.parse_all([name]))
