# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/bench is made of: running, recording, judging."""
