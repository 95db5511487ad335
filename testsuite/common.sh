# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # what is set here is used elsewhere
# For the drivers of suites, which source it: where things are, a folder that goes
# away again, and counting.

LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
case ${BUILD:=build} in
  /*) ;;
  *) BUILD=$top/$BUILD ;;
esac
export BUILD
stage=${PREFIX_UNDER_TEST:-$BUILD/stage}
slow=${SLOW:-1}
limited=$top/testsuite/limited
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT
# Stopped because it takes too long: what has been counted counts.
trap 'fail stopped; finish' TERM

# What the shell that runs the tests has set is not the tests' business.
for variable in $(env | sed -n 's/^\(G\?OMP_[A-Z_]*\)=.*/\1/p') LD_LIBRARY_PATH LD_PRELOAD; do
  unset "$variable"
done

# In a test of its own, which ends with `exit $rc'.
rc=0
bad () { echo "FAIL: $*"; rc=1; }
# exits STATUS COMMAND...: it ends so; what it writes is in the files out and err.
exits ()
{
  exits_wanted=$1 exits_status=0
  shift
  "$@" >out 2>err || exits_status=$?
  [ "$exits_status" = "$exits_wanted" ] || bad "$*: status $exits_status: $(cat out err)"
}

# In a suite, which ends with `finish'.
passed=0 failed=0 skipped=0
pass () { passed=$((passed + 1)); [ -z "${1-}" ] || echo "PASS: $1"; }
fail () { failed=$((failed + 1)); echo "FAIL: $1${2:+: $2}"; }
skip () { skipped=$((skipped + 1)); echo "SKIP: $1${2:+: $2}"; }
finish ()
{
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] || exit 1
  [ "$passed" != 0 ] || exit 77
  exit 0
}

# rooms FOLDER: options by which the core is found in FOLDER, in rooms or all
# together, and the simulator's engine.
rooms ()
{
  for room in '' /core /sched /machine; do
    printf '%s\n' "-I$1$room"
  done
  printf '%s\n' "-I$top/tools/amp-sim"
}

# usable_cpus: the CPUs that this process may use.
usable_cpus () { python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))'; }

# two_cpus: sets fast and slow to the first two of them; where there is but one, the script
# is a skip.
two_cpus ()
{
  # shellcheck disable=SC2046 # words
  set -- $(usable_cpus)
  [ $# -ge 2 ] || { echo "one CPU"; exit 77; }
  # shellcheck disable=SC2034 # for who sources this
  fast=$1 slow=$2
}

# amp_run: what tests of amp-run begin with.  Goes to $tmp; sets prefix, cc to the compiler that
# amp-gcc serves, silent to amp-run, and run to one that gives hints, though the standard error is
# no terminal.
amp_run ()
{
  prefix=$stage silent=$stage/bin/amp-run run=$tmp/run
  cc=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$prefix/bin/amp-gcc")
  cd "$tmp" || exit
  printf '#!/bin/sh\nexec "%s" -v "$@"\n' "$silent" >run
  chmod +x run
}

# equal WHAT GOT WANTED
equal ()
{
  if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "got '$2', wanted '$3'"; fi
}

# check WHAT COMMAND...: passes; its status 77 is a skip.
check ()
{
  check_what=$1
  shift
  check_rc=0
  "$@" >"$tmp/log" 2>&1 || check_rc=$?
  case $check_rc in
    0) pass ;;
    77) skip "$check_what" "$(head -n 1 "$tmp/log")" ;;
    *) fail "$check_what"
       tail -n 30 "$tmp/log" ;;
  esac
}

# sanitizes LIST: programs with these sanitizers are made here, and run, wherever the kernel puts
# them; else that is a skip.
sanitizes ()
{
  echo 'int main (void) { return 0; }' >"$tmp/try.c"
  ${CC:-gcc} -fsanitize="$1" -pthread -o "$tmp/try" "$tmp/try.c" >"$tmp/log" 2>&1 || rm -f "$tmp/try"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    "$tmp/try" >>"$tmp/log" 2>&1 || { skip "sanitizers $1" "$(head -n 1 "$tmp/log")"; return 1; }
  done
}
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

# part NAME: a line for those since the last one.
part_before='0 0 0'
part ()
{
  part_name=$1
  # shellcheck disable=SC2086 # three numbers
  set -- $part_before
  echo "$part_name: $((passed - $1)) pass, $((failed - $2)) fail, $((skipped - $3)) skip"
  part_before="$passed $failed $skipped"
}

# programs NAME STAGE PATTERN SCHEDULES: libgomp.amp on another prefix; counts.
programs ()
{
  rm -rf "$tmp/programs"
  mkdir -p "$tmp/programs"
  BUILD=$tmp/programs AMP_SCHEDULES=$4 "$top/testsuite/libgomp.amp/run" "$2" "$3" \
    >"$tmp/log" 2>&1 || :
  programs_log=$BUILD/log/$1.log
  programs_sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$tmp/log") \
    || programs_sum='0 passed, 1 failed, 0 skipped'
  # shellcheck disable=SC2086
  set -- $programs_sum
  if [ "$3" != 0 ]; then
    cat "$tmp/log"
    mkdir -p "$BUILD/log"
    cp "$tmp/programs/check-libgomp.amp/amp.log" "$programs_log" 2>/dev/null \
      || cp "$tmp/log" "$programs_log"
  fi
  passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + $5))
}

# defined LIBRARY: NAME@VERSION TYPE of what it defines.
defined ()
{
  readelf -W --dyn-syms "$1" \
    | awk '$7 ~ /^[0-9]+$/ && $8 ~ /@/ { sub(/@@/, "@", $8); print $8, $4 }' \
    | sort -u
}
