#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# status.sh SECONDS COMMAND...: run COMMAND for at most SECONDS of CPU time, then
# print its exit status on a line of its own.
# shellcheck disable=SC3045 # dash, bash and busybox have it
ulimit -t "$1"
shift
"$@"
status=$?
printf '\namp-status %d\n' "$status"
exit "$status"
