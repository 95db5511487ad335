# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/bench and scripts/demo are made of: running, recording, judging."""
