# SPDX-License-Identifier: GPL-3.0-or-later
"""numpy on whichever BLAS is there: blas.py SIZE REPEATS."""

import sys
import time

import numpy


def main() -> None:
    size, repeats = int(sys.argv[1]), int(sys.argv[2])
    random = numpy.random.default_rng(20)
    a, b = random.random((size, size)), random.random((size, size))
    c = a @ b
    begin = time.perf_counter()
    for _ in range(repeats):
        c = a @ b
    seconds = time.perf_counter() - begin
    print("result:", c.sum(), c[0, 0], c[-1, -1], c.trace())
    print("seconds:", seconds)


if __name__ == "__main__":
    main()
