# SPDX-License-Identifier: GPL-3.0-or-later
"""TOML, by the first of its readers that is there; Python has one from 3.11 on."""

from __future__ import annotations

from importlib import import_module
from typing import Any

READERS = ("tomllib", "tomli", "toml")


def tables(text: str) -> dict[str, Any]:
    """What TEXT says; a ValueError where it is not TOML."""
    for name in READERS:
        try:
            reader = import_module(name)
        except ModuleNotFoundError:
            continue
        found: dict[str, Any] = reader.loads(text)
        return found
    raise SystemExit("needs Python 3.11, or apt-get install python3-toml, or pip install tomli")
