# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# For the run of unit, sim, model and tsan, which source it after setting
# `suite': where things are, and how the host's compiler builds a test.
# shellcheck disable=SC2154
# Sets top, src, core and out; total_passed and so on are summed by `count'.

top=$(cd "$(dirname "$0")/../.." && pwd)
src=$top/testsuite/$suite
core=$top/libgomp
out=${BUILD:-$top/build}
case $out in
/*) ;;
*) out=$top/$out ;;
esac
out=$out/test/$suite
mkdir -p "$out"
CC=${CC:-gcc}
warnings='-std=gnu11 -g -Wall -Wextra -ffp-contract=off'
total_passed=0
total_failed=0
total_skipped=0

# rooms: options by which the core and the simulator's engine are found.
rooms () {
  for room in "" /core /sched /machine; do
    printf '%s\n' "-I$core$room"
  done
  printf '%s\n' "-I$top/tools/amp-sim"
}

# build OUTPUT SOURCE FLAG...: with the core's folder $core.
build () {
  build_to=$1
  build_from=$2
  shift 2
  # shellcheck disable=SC2046,SC2086 # several words
  $CC $warnings -I"$src" $(rooms) -o "$build_to" "$build_from" "$@"
}

pass () {
  total_passed=$((total_passed + 1))
}

fail () {
  echo "FAIL: $suite: $*"
  total_failed=$((total_failed + 1))
}

skip () {
  echo "SKIP: $suite: $*"
  total_skipped=$((total_skipped + 1))
}

# count LIMIT COMMAND...: run it and add what its last line says; if it says
# nothing, or ends badly although it says that nothing failed, it failed.
count () {
  limit=$1
  shift
  status=0
  timeout $((limit * ${SLOW:-1})) "$@" >"$out/log" 2>&1 || status=$?
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
  total_passed=$((total_passed + $1))
  total_failed=$((total_failed + $2))
  total_skipped=$((total_skipped + $3))
  if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
    fail "$4 ended with status $status"
  fi
}

# mutate FOLDER FILE SED-SCRIPT: a copy of the core in FOLDER with a defect.
mutate () {
  rm -rf "$1"
  mkdir -p "$1"
  cp "$top"/libgomp/*/amp*.[ch] "$1"
  cp "$1/$2" "$1/$2.right"
  sed "$3" "$1/$2.right" >"$1/$2"
  if cmp -s "$1/$2" "$1/$2.right"; then
    fail "the defect '$3' does not apply to $2 any more"
    return 1
  fi
}

finish () {
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
  [ "$total_failed" -eq 0 ]
}
