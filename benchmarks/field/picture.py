# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a picture of waves and noise, as PPM: picture.py FILE WIDTH HEIGHT."""

import math
import random
import sys
from pathlib import Path


def main() -> None:
    width, height = int(sys.argv[2]), int(sys.argv[3])
    noise = random.Random(8).randbytes(3 * width * height)
    across = [round(60 * math.sin(x / 23)) for x in range(width)]
    rows = bytearray(noise)
    for y in range(height):
        down = 128 + round(60 * math.cos(y / 31))
        for x in range(width):
            at = 3 * (y * width + x)
            rows[at] = (down + across[x]) & 255
    Path(sys.argv[1]).write_bytes(b"P6 %d %d 255\n" % (width, height) + rows)


if __name__ == "__main__":
    main()
