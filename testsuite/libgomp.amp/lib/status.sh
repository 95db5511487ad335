#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# status.sh COMMAND...: run COMMAND, then print its exit status on a line of its
# own.
"$@"
status=$?
printf '\namp-status %d\n' "$status"
exit "$status"
