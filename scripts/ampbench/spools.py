# SPDX-License-Identifier: GPL-3.0-or-later
"""The spools of GOMP_AMP_TRACE, converted by amp-trace."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SUFFIX = ".spool"


def convert(tool: Path, out: Path, form: str = "") -> bool:
    """Make OUT of OUT's name with SUFFIX added, which goes; False if there is none."""
    spool = out.with_name(out.name + SUFFIX)
    if not spool.is_file():
        return False
    command = [str(tool), *(["--to", form] if form else []), str(spool), str(out)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
    spool.unlink()
    return out.is_file()
