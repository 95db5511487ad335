# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/run-suite and scripts/report: programs that somebody else has built."""
