#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [STAGE]: does what the texts say agree with the code?  Uses the
# programs and the library of the prefix STAGE (build/stage) if they are there.
# Prints failures and skips, and as the last line the sum.
set -eu
LC_ALL=C.UTF-8
export LC_ALL
exec python3 "$(dirname "$0")/check.py" "$@"
