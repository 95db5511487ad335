#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real threads on the scheduler core, under ThreadSanitizer.
# AMP_TSAN_SECONDS: how long (10); AMP_TSAN_SEED: from where (1).
# What build.sh sets and reads, shellcheck does not see.
# shellcheck disable=SC1091,SC2034,SC2154
set -eu
LC_ALL=C
export LC_ALL
suite=tsan
. "$(dirname "$0")/../unit/build.sh"

port='-DAMP_PORT_HEADER="tsan-port.h"'
seconds=${AMP_TSAN_SECONDS:-10}
seed=${AMP_TSAN_SEED:-1}
TSAN_OPTIONS=halt_on_error=1:exitcode=66
export TSAN_OPTIONS

# Without the sanitizer: real interleavings at full speed.
build "$out/stress" "$src/stress.c" -O2 "$port" -pthread
count $((seconds + 60)) "$out/stress" "$seconds" "$seed"

build_tsan () {
  to=$1
  shift
  build "$to" "$src/stress.c" -O1 "$port" -pthread -fsanitize=thread "$@"
}
echo 'int main (void) { return 0; }' >"$out/try.c"
if ! $CC -fsanitize=thread -o "$out/try" "$out/try.c" 2>"$out/log" || ! "$out/try" >>"$out/log" 2>&1
then
  skip "no ThreadSanitizer: $(head -n 1 "$out/log")"
  finish
  exit
fi
build_tsan "$out/stress-tsan"
count $((2 * seconds + 120)) "$out/stress-tsan" "$seconds" "$seed"
# The same with tags of queues that recur after 7 loops.
build_tsan "$out/stress-tags" -DAMP_TAG_BITS=3
count $((2 * seconds + 120)) "$out/stress-tags" "$((seconds / 2))" "$((seed + 1))"

# A defect that it must report: stores that are not atomic.
build_tsan "$out/stress-defect" -DSTRESS_PLAIN_STORE
if timeout $((120 * ${SLOW:-1})) "$out/stress-defect" 4 "$seed" >"$out/log" 2>&1; then
  fail 'ThreadSanitizer does not report plain stores'
elif grep -q 'WARNING: ThreadSanitizer: data race' "$out/log"; then
  echo 'seen: plain stores'
  pass
else
  tail -n 20 "$out/log"
  fail 'no report, yet a failure'
fi
finish
