# SPDX-License-Identifier: GPL-3.0-or-later
"""Random OpenMP programs in C, C++ and Fortran.

A program is a function with one parallel region of one to three loops without a schedule clause
and a state of each thread: scalars, structs, arrays, pointers, heap, slices of shared arrays,
thread-local variables, containers.  Iterations write slots of their own, so that there is no race
under static's division, and the program's sum is the same in each such run.  Whether a loop
minds another division is left to chance: a state may be filled anew by each iteration (in many
ways), be added to, be carried from one iteration to the next, or be filled under a condition.
No index leaves its array and no loop runs for ever, whatever is carried.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

Lines = list[str]
MASK = 7  # Arrays of a thread have as many elements and one.


def indented(lines: Lines) -> Lines:
    return ["  " + line for line in lines]


class C:
    """How C writes things.  Values are unsigned 64-bit integers."""

    name, suffix = "c", ".c"
    forms = ("_in", "_out", "_far")  # Of helpers: inlined, not inlined, in another file.
    kinds = [
        "scalar",
        "double",
        "array",
        "struct",
        "pointer",
        "heap",
        "slice",
        "tls",
        "tls_array",
        "part",
    ]

    def num(self, value: int) -> str:
        return f"{value}ul"

    def xor(self, a: str, b: str) -> str:
        return f"({a} ^ {b})"

    def mask(self, a: str, m: int) -> str:
        return f"({a} & {m}ul)"

    def shift(self, a: str, n: int) -> str:
        return f"({a} >> {n})"

    def at(self, array: str, index: str) -> str:
        return f"{array}[{index}]"

    def part(self, struct: str, name: str) -> str:
        return f"{struct}.{name}"

    def real(self, a: str) -> str:
        return f"(double) {self.mask(a, 1023)}"

    def whole(self, a: str) -> str:
        return f"(u64) {a}"

    def ref(self, a: str) -> str:
        pointed = re.fullmatch(r"\(?\*(\w+)\)?", a)
        return pointed[1] if pointed else f"&{a}"

    def equal(self, a: str, b: str) -> str:
        return f"{a} == {b}"

    def more(self, a: str, b: str) -> str:
        return f"{a} > {b}"

    def set(self, place: str, value: str) -> Lines:
        return [f"{place} = {value};"]

    def when(self, condition: str, yes: Lines, no: Lines | None = None) -> Lines:
        other = ["else {", *indented(no), "}"] if no else []
        return [f"if ({condition}) {{", *indented(yes), "}", *other]

    def cases(self, value: str, arms: list[Lines], default: Lines | None) -> Lines:
        text: Lines = [f"switch ({value}) {{"]
        for i, arm in enumerate(arms):
            text += [f"case {i}:", *indented(arm), "  break;"]
        if default:
            text += ["default:", *indented(default), "  break;"]
        return [*text, "}"]

    def count(self, k: str, low: str, high: str, body: Lines) -> Lines:
        """For K from LOW to before HIGH."""
        return [f"for (int {k} = {low}; {k} < {high}; {k}++) {{", *indented(body), "}"]

    def index(self, k: str) -> str:
        return f"(u64) ({k})"

    def call(self, name: str, *args: str) -> Lines:
        return [f"{name} ({', '.join(args)});"]

    def skip(self) -> Lines:
        return ["continue;"]

    def pragma(self, text: str, body: Lines) -> Lines:
        return [f"#pragma omp {text}", "{", *indented(body), "}"]

    def loop(self, text: str, head: Head, body: Lines) -> Lines:
        return [f"#pragma omp {text}{head.clause}", *head.c, "{", *indented(body), "}"]

    def copied(self, array: str, source: str) -> Lines:
        return [f"memcpy ({array}, in + {self.mask(source, 7)}, sizeof (u64[8]));"]

    def zeroed(self, array: str) -> Lines:
        return [f"memset ({array}, 0, sizeof (u64[8]));"]


class Cxx(C):
    name, suffix = "c++", ".cc"
    kinds = [*C.kinds, "vector", "vector", "object", "lambda"]

    def copied(self, array: str, source: str) -> Lines:
        return [f"std::copy_n (in + {self.mask(source, 7)}, 8, &{array}[0]);"]

    def zeroed(self, array: str) -> Lines:
        return [f"std::fill_n (&{array}[0], 8, 0ul);"]


class Fortran(C):
    name, suffix = "fortran", ".f90"
    forms = ("_in", "_in", "_far")
    kinds = ["scalar", "double", "array", "struct", "heap", "slice", "tls", "tls_array", "part"]

    def num(self, value: int) -> str:
        return f"{value}_8"

    def xor(self, a: str, b: str) -> str:
        return f"ieor({a}, {b})"

    def mask(self, a: str, m: int) -> str:
        return f"iand({a}, {m}_8)"

    def shift(self, a: str, n: int) -> str:
        return f"shiftr({a}, {n})"

    def at(self, array: str, index: str) -> str:
        return array.replace(":", index) if ":" in array else f"{array}({index})"

    def part(self, struct: str, name: str) -> str:
        return f"{struct}%{name}"

    def real(self, a: str) -> str:
        return f"real({self.mask(a, 1023)}, 8)"

    def whole(self, a: str) -> str:
        return f"int({a}, 8)"

    def ref(self, a: str) -> str:
        return a

    def set(self, place: str, value: str) -> Lines:
        return [f"{place} = {value}"]

    def when(self, condition: str, yes: Lines, no: Lines | None = None) -> Lines:
        other = ["else", *indented(no)] if no else []
        return [f"if ({condition}) then", *indented(yes), *other, "end if"]

    def cases(self, value: str, arms: list[Lines], default: Lines | None) -> Lines:
        text: Lines = [f"select case ({value})"]
        for i, arm in enumerate(arms):
            text += [f"case ({i})", *indented(arm)]
        if default:
            text += ["case default", *indented(default)]
        return [*text, "end select"]

    def count(self, k: str, low: str, high: str, body: Lines) -> Lines:
        return [f"do {k} = {low}, {high} - 1", *indented(body), "end do"]

    def index(self, k: str) -> str:
        return f"int({k}, 8)"

    def call(self, name: str, *args: str) -> Lines:
        return [f"call {name}({', '.join(args)})"]

    def skip(self) -> Lines:
        return ["cycle"]

    def pragma(self, text: str, body: Lines) -> Lines:
        end = text.split(" private")[0].split(" first")[0].split(" reduction")[0]
        return [f"!$omp {text}", *indented(body), f"!$omp end {end}"]

    def loop(self, text: str, head: Head, body: Lines) -> Lines:
        nowait = " nowait" in text
        text = text.replace(" nowait", "").replace("for", "do")
        end = "parallel do" if text.startswith("parallel") else "do" + " nowait" * nowait
        return [
            f"!$omp {text}{head.clause}",
            *head.fortran,
            *indented(body),
            *["end do"] * len(head.fortran),
            f"!$omp end {end}",
        ]

    def copied(self, array: str, source: str) -> Lines:
        return [f"{array} = in({self.mask(source, 7)}:{self.mask(source, 7)} + 7)"]

    def zeroed(self, array: str) -> Lines:
        return [f"{array} = 0"]


@dataclass
class Head:
    """How a loop counts, and the number of an iteration's slot."""

    c: Lines
    fortran: Lines
    slot: str
    clause: str = ""


HEADS = [
    Head(["for (int i = 0; i < n; i++)"], ["do i = 0, n - 1"], "i"),
    Head(["for (int i = 0; i < n; i++)"], ["do i = 0, n - 1"], "i"),
    Head(["for (int i = n - 1; i >= 0; i--)"], ["do i = n - 1, 0, -1"], "i"),
    Head(["for (int i = 1; i <= n; i += 3)"], ["do i = 1, n, 3"], "i"),
    Head(["for (long i = 0; i < n; i++)"], ["do i = 0, n - 1"], "i"),
    Head(["for (unsigned i = 2; i < n + 2u; i++)"], ["do i = 2, n + 1"], "i"),
    Head(
        ["for (int i = 0; i < n / 4; i++)", "  for (int j = 0; j < 4; j++)"],
        ["do i = 0, n / 4 - 1", "do j = 0, 3"],
        "i * 4 + j",
        " collapse(2)",
    ),
]


@dataclass
class State:
    """Something of a thread's own.  PLACE is where it is declared and how it gets to the loops:
    block (of the region), private and firstprivate (clauses of the region), loop (firstprivate
    of each loop), parameter (of a function that has the loop)."""

    kind: str
    name: str  # As declared.
    place: str
    at: str = ""  # As seen in a loop.
    bare: bool = False  # It gets no value but by loops.

    @property
    def is_array(self) -> bool:
        return self.kind in ("array", "heap", "slice", "tls_array", "vector")


class Program:
    """One program; L says in which language."""

    def __init__(self, language: C, seed: str, number: int) -> None:
        self.w, self.number = language, number
        self.random = random.Random(f"{seed}/{number}")
        self.fortran = isinstance(language, Fortran)
        self.counters = 0
        self.states: list[State] = []
        self.i = ""

    # Values.

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, *ways: Callable[[], Lines]) -> Lines:
        return self.random.choice(ways)()

    def value(self, deep: int = 2) -> str:
        """What depends on the iteration and on nothing of the thread's own."""
        w, r = self.w, self.random
        if deep == 0 or self.chance(0.25):
            return r.choice(
                [
                    self.i,
                    self.i,
                    w.num(r.randrange(1, 99)),
                    "r",
                    "r",
                    w.at("in", w.mask(self.i, 63)),
                    w.at("in", w.mask(f"({self.i} + {w.num(r.randrange(9))})", 63)),
                ]
            )
        a, b = self.value(deep - 1), self.value(deep - 1)
        return r.choice(
            [
                f"({a} + {b})",
                f"({a} + {b})",
                f"({a} * {w.num(r.randrange(3, 99))})",
                w.xor(a, b),
                w.shift(a, r.randrange(1, 9)),
                self.pure(a, b),
            ]
        )

    def pure(self, a: str, b: str) -> str:
        return f"{self.helper('mix')} ({a}, {b})"

    def helper(self, name: str) -> str:
        """One of the helpers, in one of its forms."""
        return name + self.random.choice(self.w.forms)

    def near(self, name: str) -> str:
        return name + self.random.choice(self.w.forms[:2])

    def condition(self) -> str:
        w, r = self.w, self.random
        m = r.choice([1, 1, 3, 7])
        # The same for all iterations, or not.
        e = w.at("in", str(r.randrange(64))) if self.chance(0.2) else self.value(1)
        return r.choice(
            [
                w.equal(w.mask(e, m), w.num(r.randrange(m + 1))),
                w.more(w.mask(e, 15), w.num(r.randrange(1, 14))),
            ]
        )

    def counter(self) -> str:
        self.counters += 1
        return f"k{self.counters}"

    def mixed(self, e: str) -> Lines:
        """The iteration's result takes E in."""
        w = self.w
        return self.w.set(
            "r", self.random.choice([w.xor("r", e), f"(r * {w.num(31)} + {e})", f"(r + {e})"])
        )

    # States: filled anew, read, added to, carried on, and filled under a condition.

    def fill(self, s: State) -> Lines:
        """S gets a value that no earlier iteration can be seen in."""
        w, r, a = self.w, self.random, s.at
        e, f = self.value(), self.value()
        c = self.condition()

        def over(low: str, high: str) -> Lines:
            k = self.counter()
            return w.count(
                k,
                low,
                high,
                w.set(w.at(a, k), f"({e} + {w.index(k)} * {w.num(r.randrange(1, 9))})"),
            )

        if s.kind in ("scalar", "tls", "part", "lambda"):
            ways: list[Callable[[], Lines]] = [
                lambda: w.set(a, e),
                lambda: w.set(a, e),
                lambda: w.when(c, w.set(a, e), w.set(a, f)),
                lambda: w.cases(w.mask(e, 3), [w.set(a, f), w.set(a, e)], w.set(a, w.num(7))),
                lambda: w.call(self.helper("put"), w.ref(a), e),
                lambda: [*w.set(a, e), *w.when(c, w.set(a, f"({a} + {f})"))],
                lambda: [
                    *w.set(a, w.num(0)),
                    *(
                        w.count(
                            k := self.counter(),
                            "0",
                            "5",
                            w.set(a, f"({a} * {w.num(3)} + {w.index(k)} + {e})"),
                        )
                    ),
                ],
            ]
            if not self.fortran:
                ways.append(lambda: ["{", f"  u64 *q = {w.ref(a)};", f"  *q = {e};", "}"])
            return r.choice(ways)()
        if s.kind == "double":
            return self.pick(
                lambda: w.set(a, w.real(e)),
                lambda: w.when(c, w.set(a, w.real(e)), w.set(a, w.real(f))),
            )
        if s.kind == "struct":
            parts = [
                *w.set(w.part(a, "a"), e),
                *w.set(w.part(a, "b"), f),
                *w.count(
                    k := self.counter(),
                    "0",
                    "4",
                    w.set(w.at(w.part(a, "c"), k), f"({e} + {w.index(k)})"),
                ),
            ]
            if self.fortran:
                whole = w.set(a, f"record({e}, {f}, {w.num(3)})")
            else:
                whole = w.set(a, f"make ({e}, {f})")
            return self.pick(
                lambda: parts,
                lambda: parts,
                lambda: whole,
                lambda: w.call(self.helper("record_put"), w.ref(a), e),
                lambda: w.when(c, whole, parts),
            )
        if s.kind == "pointer":
            k = self.counter()
            return self.pick(
                lambda: [f"{a} = {s.name}_of + {w.mask(e, MASK)};", f"*{a} = {f};"],
                lambda: [
                    f"{a} = {s.name}_of;",
                    *w.count(
                        k,
                        "0",
                        "8",
                        [
                            f"*{a} = {e} + {k};",
                            f"{a} = {a} == {s.name}_of + 7 ? {s.name}_of : {a} + 1;",
                        ],
                    ),
                ],
            )
        if s.kind == "object":
            return self.pick(lambda: [f"{a} = Gen ({e});"], lambda: [f"{a}.set ({e});"])
        ways = [
            lambda: over("0", "8"),
            lambda: over("0", "8"),
            lambda: [*over("0", "3"), *over("3", "8")],
            lambda: [x for k in range(8) for x in w.set(w.at(a, str(k)), e if k % 2 else f)],
            lambda: w.when(c, over("0", "8"), w.zeroed(a)),
            lambda: [*w.zeroed(a), *w.when(c, over("2", "5"))],
            lambda: w.copied(a, e),
            lambda: w.call(
                self.helper("fill"), w.ref(w.at(a, "0")) if s.kind == "vector" else a, e
            ),
        ]
        if s.kind == "vector":
            ways += [
                lambda: [f"{a}.assign (8, {e});"],
                lambda: [
                    f"{a}.clear ();",
                    *w.count(k := self.counter(), "0", "8", [f"{a}.push_back ({e} + {k});"]),
                ],
                lambda: [f"{a} = std::vector<u64> (8, {e});"],
                lambda: [f"for (auto &x : {a})", f"  x = {e};"],
                lambda: [f"std::iota ({a}.begin (), {a}.end (), {e});"],
            ]
        return r.choice(ways)()

    def read(self, s: State) -> Lines:
        w, a = self.w, s.at
        e = self.value(1)
        if s.kind in ("scalar", "tls", "part", "lambda"):
            return self.pick(
                lambda: self.mixed(a),
                lambda: self.mixed(a),
                lambda: self.mixed(f"{self.helper('get')} ({w.ref(a)})"),
                lambda: w.when(w.equal(w.mask(a, 1), w.num(1)), self.mixed(e)),
            )
        if s.kind == "double":
            return self.mixed(w.whole(a))
        if s.kind == "struct":
            return self.pick(
                lambda: self.mixed(w.xor(w.part(a, "a"), w.part(a, "b"))),
                lambda: self.mixed(w.at(w.part(a, "c"), w.mask(e, 3))),
                lambda: self.mixed(f"{self.helper('record_get')} ({w.ref(a)})"),
            )
        if s.kind == "pointer":
            return self.mixed(f"*{a}")
        if s.kind == "object":
            return self.mixed(self.random.choice([f"{a}.next ()", f"{a}.get ()"]))
        k = self.counter()
        first = w.ref(w.at(a, "0")) if s.kind == "vector" else a
        return self.pick(
            lambda: self.mixed(w.at(a, w.mask(e, MASK))),
            lambda: w.count(k, "0", "8", self.mixed(w.at(a, k))),
            lambda: self.mixed(f"{self.helper('sum')} ({first})"),
        )

    def add(self, s: State) -> Lines:
        """What commutes: nothing of S is seen but by what is added next."""
        w, a = self.w, s.at
        e = self.value()
        if s.kind == "double":
            return w.set(a, f"({a} + {w.real(e)})")
        if s.kind == "struct":
            a = self.random.choice([w.part(a, "a"), w.at(w.part(a, "c"), w.mask(e, 3))])
        elif s.kind == "pointer":
            a = f"*{a}"
        elif s.kind == "object":
            return [f"{a}.add ({e});"]
        elif s.is_array:
            a = w.at(a, w.mask(e, MASK))
        return self.pick(
            lambda: w.set(a, f"({a} + {e})"),
            lambda: w.set(a, f"({a} + {e})"),
            lambda: w.call(self.helper("add"), w.ref(a), e),
            lambda: w.when(self.condition(), w.set(a, f"({a} + {e})")),
        )

    def carry(self, s: State) -> Lines:
        """What earlier iterations left in S is used."""
        w, a = self.w, s.at
        e, f = self.value(), self.value(1)
        if s.kind == "double":
            return [*self.mixed(w.whole(a)), *w.set(a, w.real(e))]
        if s.kind == "object":
            return self.pick(
                lambda: self.mixed(f"{a}.next ()"),
                lambda: [*self.mixed(f"{a}.get ()"), f"{a}.set ({e});"],
            )
        if s.kind == "pointer":
            step = f"{a} = {a} == {s.name}_of + 7 ? {s.name}_of : {a} + 1;"
            return self.pick(
                lambda: [*self.mixed(f"*{a}"), step],
                lambda: [step, f"*{a} = {e};", *self.mixed(f"{s.name}_of[{w.mask(f, MASK)}]")],
                lambda: [*self.mixed(f"(u64) ({a} - {s.name}_of)"), step],
                lambda: [*self.mixed(f"*{a}"), f"*{a} = {e};"],
            )
        if s.kind == "struct":
            one, two = w.part(a, "a"), w.part(a, "b")
            return self.pick(
                lambda: [*self.mixed(two), *w.set(two, one), *w.set(one, e)],
                lambda: [
                    *self.mixed(w.at(w.part(a, "c"), w.mask(f, 3))),
                    *w.set(w.at(w.part(a, "c"), w.mask(e, 3)), e),
                ],
                lambda: [*self.mixed(one), *w.call(self.helper("record_put"), w.ref(a), e)],
            )
        if s.is_array:
            k = self.counter()
            ways = [
                lambda: [
                    *w.set(w.at(a, w.mask(e, MASK)), e),
                    *self.mixed(w.at(a, w.mask(f, MASK))),
                ],
                lambda: [
                    *w.count(k, "1", "8", w.set(w.at(a, f"{k} - 1"), w.at(a, k))),
                    *w.set(w.at(a, "7"), e),
                    *self.mixed(w.at(a, "0")),
                ],
                lambda: [
                    *w.count(k, "0", "7", w.set(w.at(a, k), e)),
                    *self.mixed(w.at(a, "7")),
                    *w.set(w.at(a, "7"), f),
                ],
                lambda: [
                    *self.mixed(w.at(a, "2")),
                    *w.set(w.at(a, "2"), w.at(a, "1")),
                    *w.set(w.at(a, "1"), e),
                ],
            ]
            if s.kind == "vector":
                ways.append(lambda: [f"{a}.push_back ({e});", *self.mixed(f"{a}.size ()")])
                ways.append(
                    lambda: [
                        f"std::rotate ({a}.begin (), {a}.begin () + 1, {a}.end ());",
                        *self.mixed(f"{a}.front ()"),
                    ]
                )
            return self.random.choice(ways)()
        return self.pick(
            lambda: [*self.mixed(a), *w.set(a, e)],
            lambda: [*w.set(a, f"({a} * {w.num(69069)} + {w.num(1)})"), *self.mixed(a)],
            lambda: [*w.set(a, f"({a} + {w.num(1)})"), *self.mixed(a)],
            lambda: [
                *w.when(self.condition(), w.set(a, w.num(0))),
                *w.set(a, f"({a} + {e})"),
                *self.mixed(a),
            ],
            lambda: self.mixed(f"{self.helper('draw')} ({w.ref(a)})"),
            lambda: w.when(
                w.more(w.mask(e, 255), a), [*w.set(a, w.mask(e, 255)), *self.mixed(self.i)]
            ),
            lambda: [*self.mixed(a), *w.call(self.helper("put"), w.ref(a), e)],
            lambda: [
                *w.set(a, w.xor(a, w.num(1))),
                *w.when(w.equal(w.mask(a, 1), w.num(1)), self.mixed(e)),
            ],
        )

    def maybe(self, s: State) -> Lines:
        """S is filled on some paths, or in part, and read on all."""
        w, a = self.w, s.at
        c = self.condition()
        read = self.read(s)
        ways = [
            lambda: [*w.when(c, self.fill(s)), *read],
            lambda: [*w.cases(w.mask(self.value(1), 3), [self.fill(s), self.fill(s)], None), *read],
            lambda: [*w.when(c, w.skip()), *self.read(s), *self.fill(s)],
        ]
        if s.is_array:
            k, e = self.counter(), self.value()
            ways.append(
                lambda: [
                    *w.count(
                        k,
                        "0",
                        f"3 + int({w.mask(e, 7)})" if self.fortran else f"3 + (int) {w.mask(e, 7)}",
                        w.set(w.at(a, w.mask(w.index(k), MASK)), e),
                    ),
                    *read,
                ]
            )
        return self.random.choice(ways)()

    def scratch(self, s: State, near: bool) -> Lines:
        """S, which has no value, is filled up to a length that is not told; NEAR: or in part, or
        on some paths, and has what the iteration before left."""
        w, a, e, length = self.w, s.at, self.value(), "(n / 512 + 8)"
        k, i = self.counter(), self.counter()
        place = f"mod({k} * 3, {length})" if self.fortran else f"{k} * 3 % {length}"
        less = f"1 + int({w.mask(e, 3)})" if self.fortran else f"1 + (int) {w.mask(e, 3)}"

        def fill(upto: str) -> Lines:
            return self.pick(
                lambda: w.call(self.near("spread"), a, e, upto),
                lambda: w.count(k, "0", upto, w.set(w.at(a, place), f"({e} + {w.index(k)})")),
            )

        read = self.pick(
            lambda: self.mixed(f"{self.near('gather')} ({a}, {length})"),
            lambda: w.count(i, "0", length, self.mixed(w.at(a, i))),
        )
        if not near:
            return [*fill(length), *read]
        return [
            *self.pick(
                lambda: w.when(self.condition(), fill(length)),
                lambda: fill(less),
                lambda: self.mixed(w.at(a, w.mask(e, MASK))),
                lambda: w.set(w.at(a, w.mask(e, MASK)), e),
                lambda: w.set(w.at(a, "0"), e),
                lambda: w.when(w.equal(w.mask(w.at(a, "1"), 1), w.num(1)), fill(length)),
            ),
            *read,
        ]

    # The program.

    def start(self, s: State) -> Lines:
        """S gets a value, the same one in each thread."""
        w, name = self.w, self.seen(s)
        value = w.num(self.random.randrange(99))
        if s.kind == "pointer":
            return [f"for (int k = 0; k < 8; k++) {s.name}_of[k] = k;", f"{name} = {s.name}_of;"]
        if s.is_array:
            made: Lines = []
            if s.kind == "heap" and self.fortran:
                made = [f"allocate ({name}(0:7))"]
            elif s.kind == "heap":
                made = w.set(name, "(u64 *) malloc (sizeof (u64[8]))")
            elif s.kind == "vector":
                made = [f"{name}.resize (8);"]
            return [
                *made,
                *w.count("k0", "0", "8", w.set(w.at(name, "k0"), f"({value} + {w.index('k0')})")),
            ]
        if s.kind == "struct":
            return w.set(
                name, f"record({value}, {value}, {value})" if self.fortran else f"make ({value}, 5)"
            )
        if s.kind == "object":
            return [f"{name} = Gen ({value});"]
        return w.set(name, w.real(value) if s.kind == "double" else value)

    def seen(self, s: State) -> str:
        """How S is named in the region."""
        if s.kind == "part":
            return self.w.at(f"{s.name}_of", "me")
        if s.kind == "slice":
            return f"{s.name}_of(:, me)" if self.fortran else f"{s.name}_of[me]"
        return s.name

    def declaration(self, s: State) -> Lines:
        name = s.name
        if self.fortran:
            return [
                {
                    "scalar": "integer(8) :: {}",
                    "double": "real(8) :: {}",
                    "struct": "type(record) :: {}",
                    "array": "integer(8) :: {}(0:7)",
                    "heap": "integer(8), allocatable :: {}(:)",
                    "tls": "integer(8), save :: {}",
                    "tls_array": "integer(8), save :: {}(0:7)",
                    "slice": "integer(8), save :: {}_of(0:7, 0:63)",
                    "part": "integer(8), save :: {}_of(0:63)",
                }[s.kind].format(name)
            ]
        text = {
            "scalar": "u64 {};",
            "lambda": "u64 {};",
            "double": "double {};",
            "array": "u64 {}[8];",
            "struct": "struct record {};",
            "heap": "u64 *{};",
            "pointer": "u64 {0}_of[8], *{0};",
            "vector": "std::vector<u64> {} (8);",
            "object": "Gen {};",
            "tls": "static __thread u64 {};",
            "tls_array": "static __thread u64 {}[8];",
            "slice": "static u64 {}_of[64][8];",
            "part": "static u64 {}_of[64];",
        }[s.kind].format(name)
        return [text]

    def parameter(self, s: State) -> tuple[str, str, str]:
        """S as a parameter of a function: declaration, argument, and its name there."""
        if s.kind in ("tls", "tls_array", "slice", "part"):
            return "", "", s.at
        if self.fortran:
            text = (
                self.declaration(s)[0].replace(", allocatable :: ", " :: ").replace("(:)", "(0:7)")
            )
            return text.replace(" :: ", ", intent (inout) :: "), s.name, s.name
        if s.kind in ("array", "heap"):
            return f"u64 *{s.name}", s.name, s.name
        kind = {
            "scalar": "u64",
            "double": "double",
            "struct": "struct record",
            "object": "Gen",
            "vector": "std::vector<u64>",
        }[s.kind]
        return f"{kind} *{s.name}", f"&{s.name}", f"(*{s.name})"

    def body(self, m: int, head: Head) -> Lines:
        """Of loop M."""
        w, r = self.w, self.random
        self.i = w.index(head.slot)
        text: Lines = w.set(
            "r" if self.fortran else "u64 r", f"({self.i} * {w.num(17)} + {w.num(m)})"
        )
        if m > 0 and self.chance(0.6):
            slot = head.slot
            if not self.nowait and self.chance(0.4):
                slot = f"iand({slot} + 5, 511)" if self.fortran else f"(({slot}) + 5) & 511"
            text += self.mixed(w.at(f"out{m - 1}", slot))
        parts: list[Lines] = []
        for s in self.states:
            how = self.uses[m, s.name]
            if s.bare and how != "none":
                text += self.scratch(s, how == "near")
            if s.bare or how == "none":
                continue
            if how == "fill":
                part = [
                    *self.fill(s),
                    *[x for _ in range(r.randrange(3)) for x in self.add(s)],
                    *self.read(s),
                ]
            elif how == "add":
                part = [x for _ in range(r.randrange(1, 3)) for x in self.add(s)]
            else:
                part = {"look": self.read, "carry": self.carry, "maybe": self.maybe}[how](s)
            wrap = r.random()
            if wrap < 0.12:
                part = (
                    w.when(self.condition(), part)
                    if "continue;" not in str(part) and "cycle" not in part
                    else part
                )
            elif wrap < 0.2 and how != "maybe":
                part = w.count(self.counter(), "0", "2", part)
            parts.append(part)
        if self.identity and m == self.random.randrange(self.loops):
            parts.append(self.asks())
        if self.reduction:
            e = self.value()
            parts.append(
                w.when(w.more(w.mask(e, 4095), "red"), w.set("red", w.mask(e, 4095)))
                if self.reduction == "max"
                else w.set("red", f"(red + {e})")
            )
            if not self.clean and self.chance(0.2):
                parts.append(self.mixed("red"))
        r.shuffle(parts)
        if self.last and m == 0:
            # An iteration may be skipped.
            text += w.set("last", "r")
        for part in parts:
            text += part
        if self.last and m == 0:
            text += w.set("last", "r")
        return [*text, *w.set(w.at(f"out{m}", head.slot), "r")]

    def asks(self) -> Lines:
        """The thread's number or block matters."""
        w = self.w
        if self.combined:
            return self.mixed(f"{self.near('who')} ({self.i})")
        return self.pick(
            lambda: self.mixed("int(me, 8)" if self.fortran else "me"),
            lambda: self.mixed(f"{self.near('who')} ({self.i})"),
            lambda: w.when(
                w.equal(self.i, "int(me * n / np, 8)" if self.fortran else "(u64) (me * n / np)"),
                self.mixed(w.num(9)),
            ),
            lambda: [*self.mixed(w.at("tail", "me")), *w.set(w.at("tail", "me"), self.value(1))],
            lambda: w.set(w.at("sums", "me"), f"({w.at('sums', 'me')} + {self.value(1)})"),
        )

    def text(self) -> Lines:
        w, r, number = self.w, self.random, self.number
        self.clean = self.chance(0.45)
        self.loops = r.choice([1, 1, 2, 2, 3])
        combined = self.combined = self.chance(0.25)
        orphan = not combined and self.chance(0.2)
        kinds = [
            k
            for k in w.kinds
            if not (orphan and k in ("pointer", "lambda"))
            and not (
                combined and k in ("pointer", "lambda", "heap", "tls", "tls_array", "slice", "part")
            )
        ]
        if combined:
            self.loops = 1
        for j in range(r.randrange(1, 4)):
            kind = r.choice(kinds)
            if kind in ("tls", "tls_array", "slice", "part"):
                place = "file"
            elif combined:
                # A private vector has no elements before somebody makes some.
                place = r.choice(
                    ["firstprivate", "firstprivate", "private"][: 2 if kind == "vector" else 3]
                )
            elif kind in ("pointer", "lambda", "heap"):
                place = "block"
            else:
                place = r.choice(["block", "block", "private", "firstprivate", "loop"])
            if self.fortran and place == "block":
                place = "private"
            if orphan and place == "loop":
                place = "private"
            s = State(kind, f"s{number}_{j}" if place == "file" else f"s{j}", place)
            s.at = self.seen(s)
            s.bare = kind == "array" and place in ("block", "private") and self.chance(0.6)
            s.bare &= not combined
            self.states.append(s)
        self.identity = not self.clean and self.chance(0.25)
        self.reduction = r.choice(["", "", "", "+", "max"])
        self.last = not orphan and self.chance(0.1)
        one_head = self.chance(0.75) or any(s.bare for s in self.states)
        heads = (
            [r.choice(HEADS)] * self.loops
            if one_head
            else [r.choice(HEADS) for _ in range(self.loops)]
        )
        self.nowait = one_head and not combined and self.chance(0.3)
        # How each loop uses each state: what is clean minds no division.
        self.uses: dict[tuple[int, str], str] = {}
        for s in self.states:
            usual = r.choice(["fill", "fill", "add", "look"])
            if combined and s.place == "private":
                usual = "fill"
            for m in range(self.loops):
                use = r.choice([usual, usual, "none"]) if m else usual
                if not self.clean and not (combined and s.place == "private"):
                    use = r.choice([use, use, use, "carry", "maybe", "add", "look", "fill"])
                if s.bare:
                    use = r.choice(["scratch", "scratch", "none", "near"]) if m else "scratch"
                    use = "scratch" if self.clean and use == "near" else use
                self.uses[m, s.name] = use
        # Loops.
        functions: Lines = []
        inner: Lines = []
        for m, head in enumerate(heads):
            clauses = ""
            of_loop = [s.name for s in self.states if s.place == "loop"]
            if of_loop:
                clauses += f" firstprivate({', '.join(of_loop)})"
            if combined:
                for place in ("private", "firstprivate"):
                    names = [s.name for s in self.states if s.place == place]
                    names += ["r"] if place == "private" and self.fortran else []
                    clauses += f" {place}({', '.join(names)})" if names else ""
            if self.reduction and combined:
                clauses += f" reduction({self.reduction}:red)"
            if self.last and m == 0:
                clauses += " lastprivate(last)"
            if self.nowait and m < self.loops - 1:
                clauses += " nowait"
            parameters = [self.parameter(s) for s in self.states] if orphan else []
            if orphan:
                for s, p in zip(self.states, parameters):
                    s.at = p[2]
            loop = w.loop(
                ("parallel for" if combined else "for") + clauses, head, self.body(m, head)
            )
            if orphan:
                loop = self.function(functions, m, [p[:2] for p in parameters if p[0]], loop)
            if m and not self.nowait and self.chance(0.1):
                loop = [*w.pragma("single", w.set("total", f"(total + {w.num(m)})")), *loop]
            inner += loop
        if not combined and self.chance(0.2):
            inner = w.count("t", "0", "3", inner)
        return self.whole(combined, functions, inner)

    def function(
        self, functions: Lines, m: int, parameters: list[tuple[str, str]], loop: Lines
    ) -> Lines:
        """LOOP in a function of its own; its call."""
        name = f"loop{self.number}_{m}"
        extra = (
            [("u64 &red" if self.w.name == "c++" else "u64 *red", "red")] if self.reduction else []
        )
        text = "\n".join(loop)
        if self.fortran:
            more = [("integer(8), intent (inout) :: red", "red")] if self.reduction else []
            arguments = [("integer, value :: n, me, np", "n, me, np"), *parameters, *more]
            functions += [
                f"subroutine {name}({', '.join(a for _, a in arguments)})",
                *[d for d, _ in arguments],
                "integer :: i, j, " + ", ".join(f"k{k}" for k in range(self.counters + 1)),
                "integer(8) :: r",
                *loop,
                f"end subroutine {name}",
            ]
            return [f"call {name}({', '.join(a for _, a in arguments)})"]
        if self.reduction:
            if self.w.name == "c":
                text = text.replace("red", "(*red)")
            extra = [(extra[0][0], "red" if self.w.name == "c++" else "&red")]
        arguments = [("int n", "n"), ("int me", "me"), ("int np", "np"), *parameters, *extra]
        functions += [
            f"static void {self.random.choice(['__attribute__((noinline))', ''])}",
            f"{name} ({', '.join(d for d, _ in arguments)})",
            "{",
            *indented(text.split("\n")),
            "}",
        ]
        return [f"{name} ({', '.join(a for _, a in arguments)});"]

    def whole(self, combined: bool, functions: Lines, inner: Lines) -> Lines:
        w, r, number, states = self.w, self.random, self.number, self.states
        declare = [
            x
            for s in states
            if s.place != "file" and s.place != "block"
            for x in self.declaration(s)
        ]
        block = [x for s in states if s.place == "block" for x in self.declaration(s)]
        for s in states:
            if s.kind == "lambda":
                block.append(f"auto {s.name}_set = [&] (u64 v) {{ {s.name} = v; }};")
        on_file = [x for s in states if s.place == "file" for x in self.declaration(s)]
        if self.fortran:
            on_file += [
                f"!$omp threadprivate({s.name})" for s in states if s.kind in ("tls", "tls_array")
            ]
        outside = [x for s in states if s.place in ("firstprivate", "loop") for x in self.start(s)]
        inside = (
            [
                x
                for s in states
                if s.place in ("private", "block", "file") and not s.bare
                for x in self.start(s)
            ]
            if not combined
            else []
        )
        after: Lines = []
        if not combined:
            for s in states:
                if s.place == "loop" or s.bare:
                    continue
                how = {self.uses[m, s.name] for m in range(self.loops)}
                s.at, self.i = self.seen(s), w.num(1)
                value = {
                    "scalar": s.at,
                    "lambda": s.at,
                    "tls": s.at,
                    "part": s.at,
                    "double": w.whole(s.at),
                    "struct": w.part(s.at, "a"),
                    "pointer": f"*{s.at}",
                    "object": f"{s.at}.get ()",
                }.get(s.kind) or w.at(s.at, "3")
                # What is added up is so for the sum of all threads' sums.
                if how <= {"add", "none"}:
                    after += r.choice(
                        [
                            w.pragma("critical", w.set("total", f"(total + {value})")),
                            w.set(w.at("sums", "me"), f"({w.at('sums', 'me')} + {value})"),
                        ]
                    )
                elif not self.clean and self.chance(0.3):
                    after += w.set(w.at("tail", "me"), f"({w.at('tail', 'me')} + {value})")
                if s.kind == "heap" and not self.fortran:
                    after += [f"free ({s.name});"]
                if s.kind == "heap" and self.fortran and s.place == "private":
                    after += [f"deallocate ({s.name})"]
        clauses = ""
        for place in ("private", "firstprivate"):
            names = [s.name for s in states if s.place == place]
            if place == "private" and self.fortran:
                names += ["me", "np", "r"]
            clauses += f" {place}({', '.join(names)})" if names else ""
        if self.reduction:
            clauses += f" reduction({self.reduction}:red)"
        numbers = {"me": "omp_get_thread_num ()", "np": "omp_get_num_threads ()"}
        used = " ".join([*block, *inside, *inner, *after])
        region: Lines = (
            [f"me = {numbers['me']}", f"np = {numbers['np']}"]
            if self.fortran
            else [
                f"const int {v} = {f};" for v, f in numbers.items() if re.search(rf"\b{v}\b", used)
            ]
        )
        region += [*block, *inside, *inner, *after]
        text = inner if combined else w.pragma("parallel" + clauses, region)
        k = ", ".join(f"k{k}" for k in range(self.counters + 1))
        if self.fortran:
            return [
                *[f"@{x}" for x in on_file],
                *functions,
                f"subroutine case{number}(n)",
                "integer, value :: n",
                *indented(
                    [
                        f"integer :: i, j, t, me, np, {k}",
                        "integer(8) :: r, red, last",
                        *declare,
                        "red = 0",
                        "last = 0",
                        "me = 0",
                        "np = 1",
                        *outside,
                        *text,
                        "total = total + red * 3 + last",
                    ]
                ),
                f"end subroutine case{number}",
            ]
        return [
            *on_file,
            *functions,
            f"CASE (case{number})",
            "{",
            *indented(
                ["u64 red = 0, last = 0;", *declare, *outside, *text, "total += red * 3 + last;"]
            ),
            "}",
        ]
