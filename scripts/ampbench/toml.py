# SPDX-License-Identifier: GPL-3.0-or-later
"""TOML, by what this Python has for it: boards and Debian 11 have no tomllib."""

from __future__ import annotations

import importlib
from typing import Any


def loads(text: str) -> dict[str, Any]:
    """The document TEXT."""
    for name in "tomllib", "tomli":
        try:
            reader = importlib.import_module(name)
        except ImportError:
            continue
        return dict(reader.loads(text))
    raise SystemExit("bench: Python before 3.11 needs the module tomli: python3 -m pip install tomli")
