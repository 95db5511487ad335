# SPDX-License-Identifier: GPL-3.0-or-later
"""FFTW's OpenMP library, three-dimensional transforms in place: fft.py SIZE REPEATS."""

import ctypes
import sys
import time

import numpy

FORWARD, BACKWARD, ESTIMATE = -1, 1, 1 << 6


def main() -> None:
    size, repeats = int(sys.argv[1]), int(sys.argv[2])
    library = ctypes.CDLL("libfftw3_omp.so.3", mode=ctypes.RTLD_GLOBAL)
    plain = ctypes.CDLL("libfftw3.so.3", mode=ctypes.RTLD_GLOBAL)
    plain.fftw_plan_dft_3d.restype = ctypes.c_void_p
    if not library.fftw_init_threads():
        sys.exit("fftw_init_threads failed")
    # What programs on FFTW do: as many as OpenMP says.
    library.fftw_plan_with_nthreads(ctypes.CDLL("libgomp.so.1").omp_get_max_threads())
    random = numpy.random.default_rng(3)
    data = random.random((size, size, size)) + 1j * random.random((size, size, size))
    place = ctypes.c_void_p(data.ctypes.data)
    there, back = (
        ctypes.c_void_p(plain.fftw_plan_dft_3d(size, size, size, place, place, way, ESTIMATE))
        for way in (FORWARD, BACKWARD)
    )
    found = []
    begin = time.perf_counter()
    for _ in range(repeats):
        plain.fftw_execute(there)
        found = [abs(data[0, 0, 0]), abs(data[1, 2, 3]), abs(data[-1, -1, -1])]
        plain.fftw_execute(back)
        data /= size**3
    seconds = time.perf_counter() - begin
    print("result:", *found, abs(data).sum())
    print("seconds:", seconds)


if __name__ == "__main__":
    main()
