# SPDX-License-Identifier: GPL-3.0-or-later
"""One module for each command, or a few that are alike: its options, and what it does."""
