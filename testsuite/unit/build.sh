# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# For the run of unit, sim, model, tsan and sysfs, which source it: how the host's
# compiler builds a test.  Sets suite, src, core and out.

. "$(dirname "$0")/../common.sh"
suite=${here##*/}
src=$here
core=$top/libgomp
out=$BUILD/test/$suite
mkdir -p "$out"
CC=${CC:-gcc}
warnings='-std=gnu11 -g -Wall -Wextra -Wno-missing-field-initializers -ffp-contract=off'

# build OUTPUT SOURCE FLAG...: with the core's folder $core; AMP_TEST_CFLAGS come last.
build () {
  build_to=$1
  build_from=$2
  shift 2
  # shellcheck disable=SC2046,SC2086 # several words
  $CC $warnings -I"$src" $(rooms "$core") -o "$build_to" "$build_from" "$@" ${AMP_TEST_CFLAGS-}
}

# count LIMIT COMMAND...: run it and add what its last line says; if it says
# nothing, or ends badly although it says that nothing failed, it failed.
count () {
  limit=$1
  shift
  status=0
  "$limited" "$limit" "$@" >"$out/log" 2>&1 || status=$?
  counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' \
    "$out/log")
  if [ -z "$counts" ]; then
    tail -n 40 "$out/log"
    fail "$* ended with status $status"
    return
  fi
  sed '$d' "$out/log"
  # shellcheck disable=SC2086
  set -- $counts "$*"
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
  if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
    fail "$4 ended with status $status"
  fi
}
