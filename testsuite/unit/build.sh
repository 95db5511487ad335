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
warnings='-std=gnu11 -g -Wall -Wextra -ffp-contract=off'

# build OUTPUT SOURCE FLAG...: with the core's folder $core.
build () {
  build_to=$1
  build_from=$2
  shift 2
  # shellcheck disable=SC2046,SC2086 # several words
  $CC $warnings -I"$src" $(rooms "$core") -o "$build_to" "$build_from" "$@"
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

# together FUNCTION ARGUMENT...: the function in a process of its own, with a
# folder $out of its own; as many at a time as there are CPUs.  gather waits for
# all, and says and counts what they have, in their order.
jobs=$(nproc)
started=0
# shellcheck disable=SC2030 # the subshell's own, on purpose
together () {
  started=$((started + 1))
  rm -rf "$out/together/$started"
  mkdir -p "$out/together/$started"
  (
    passed=0 failed=0 skipped=0 out=$out/together/$started
    "$@"
    echo "$passed $failed $skipped" >"$out/counts"
  ) >"$out/together/$started/said" 2>&1 &
  [ $((started % jobs)) != 0 ] || wait
}
# shellcheck disable=SC2031 # not the subshell's
gather () {
  wait
  gathered=0
  while [ "$gathered" -lt "$started" ]; do
    gathered=$((gathered + 1))
    cat "$out/together/$gathered/said"
    if [ -f "$out/together/$gathered/counts" ]; then
      # shellcheck disable=SC2046 # three numbers
      set -- $(cat "$out/together/$gathered/counts")
      passed=$((passed + $1))
      failed=$((failed + $2))
      skipped=$((skipped + $3))
    else
      fail "this check ended early"
    fi
  done
  rm -rf "$out/together"
  started=0
}
