#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-run --check: programs that rely on the division of static, and such as do
# not.
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX_UNDER_TEST:-$here/../../build/stage}
prefix=$(cd "$prefix" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
passed=0 failed=0 skipped=0
pass () { passed=$((passed + 1)); echo "PASS: $1"; }
fail () { failed=$((failed + 1)); echo "FAIL: $1"; [ $# -lt 2 ] || echo "  $2"; }
skip () { skipped=$((skipped + 1)); echo "SKIP: $1: $2"; }
end () { echo "$passed passed, $failed failed, $skipped skipped"; [ "$failed" = 0 ]; }
command -v python3 >/dev/null || { skip check 'no python3'; end; exit; }
cc=$prefix/bin/amp-gcc

"$cc" -O1 -g -fopenmp "$here/loops.c" "$here/other.c" -o loops
"$cc" -O1 -g -fopenmp -fPIC -shared "$here/library.c" "$here/other.c" -o libuses.so
"$cc" -O1 -g -fopenmp "$here/uses.c" -L. -luses -Wl,-rpath,"$tmp" -o uses
mkdir empty
cd empty
export OMP_NUM_THREADS=4

# check STATUS PROGRAM ARGUMENT...: a check that is to end with STATUS.
options=
check ()
{
  want=$1
  name="$2 ${3-}"
  shift
  status=0
  # shellcheck disable=SC2086 # several words
  "$prefix/bin/amp-run" --check --runs 4 --slowdown 1 $options -- "$@" \
    >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
  name=${name##*/}
  if [ "$status" = "$want" ]; then
    pass "$name: status $want"
  else
    fail "$name: status $want" "$status: $(cat "$tmp/out" "$tmp/err")"
  fi
}
# says WHAT PATTERN: what the check before said.
says ()
{
  if grep -Eq -- "$2" "$tmp/out" "$tmp/err"; then
    pass "$name: $1"
  else
    fail "$name: $1" "no $2 in $(cat "$tmp/out")"
  fi
}
# line FILE MARK: its number.
line () { grep -n -- "$2" "$here/$1" | cut -d : -f 1; }
# loop FILE MARK MINDS: that loop was named, at its head or the pragma.
loop ()
{
  number=$(line "$1" "$2")
  if command -v addr2line >/dev/null; then
    says "the loop in line $number" "^  [^ ]*\\+0x[0-9a-f]+ \\([^ ]*/$1:($number|$((number - 1)))\\): minds $3\$"
  else
    skip "$name: the loop in line $number" 'no addr2line'
  fi
}

check 0 ../loops none
says 'a verdict' '^amp-run --check: nothing found in 4 runs; 1 loop checked$'
check 0 ../loops explicit
says 'no loop to check' '^amp-run --check: nothing to check: no loop '
check 125 ../loops wrong
says 'it fails' 'the program ended with status 3 under static'
check 125 ../loops random
check 0 ../loops noise
says 'what is noise' '^note: standard output: [0-9]+ of [0-9]+ parts are noise'

check 1 ../loops one
loop loops.c '/\* one \*/' 'any other division'
says 'one alone' '^amp-run --check: FOUND: 1 loop relies on the division of static$'
# What it says helps.
static=$(sed -n 's/^ *GOMP_AMP_STATIC=//p' "$tmp/out")
again ()
{
  GOMP_AMP_CHECK=seed=1 GOMP_AMP_STATIC=$1 ../loops one | head -n 1
}
if [ "$(again "$static")" = 'lost 0' ] && [ "$(again program+0x1)" != 'lost 0' ]; then
  pass "$name: GOMP_AMP_STATIC makes it right"
else
  fail "$name: GOMP_AMP_STATIC makes it right" "$static: $(again "$static")"
fi
check 1 ../loops crowded
loop loops.c '/\* crowded \*/' 'any other division'
check 1 ../loops order
says 'the division' 'minds only divisions that are not contiguous$'
options="--json $tmp/json" check 1 ../loops two
loop loops.c '/\* two, first \*/' 'any other division'
loop loops.c '/\* two, second \*/' 'any other division'
says 'two, of four' '^what must stay static, of 4 loops:$'
says 'two together' '^amp-run --check: FOUND: 2 loops rely on the division of static$'
if python3 - "$tmp/json" <<'PY'
import json, sys
found = json.load(open(sys.argv[1]))
assert found["status"] == 1 and found["loops_seen"] == 4 and found["certain"]
assert [x["minds"] for x in found["loops"]] == ["any", "any"]
assert found["static"] == ",".join(x["place"] for x in found["loops"])
PY
then pass "$name: --json"; else fail "$name: --json" "$(cat "$tmp/json")"; fi
check 1 ../loops race
loop loops.c '/\* race, first \*/' 'any other division'
loop loops.c '/\* race, second \*/' 'any other division'
says 'two of three' '^what must stay static, of 3 loops:$'
says 'two race' '^amp-run --check: FOUND: 2 loops rely on the division of static$'
check 1 ../uses
loop library.c '/\* library \*/' 'any other division'
says 'the library' 'GOMP_AMP_STATIC=libuses.so\+0x'
check 1 ../loops crash
says 'the crash' ': was ended by signal SIGABRT$'
check 1 ../loops status
says 'the status' ': ended with status 9$'
options='--limit 2' check 1 ../loops hang
says 'the hang' ': did not end within '
says 'one of two' '^what must stay static, of 2 loops:$'
check 1 ../loops rotated
says 'lines in any order' ": the lines like 'iteration # by #'\$"

check 0 ../loops float
options='--tolerance 0,0' check 1 ../loops float
options='--ignore ^lost' check 0 ../loops one

# Files: one that is new each time, in a folder that is new, and one that grows.
mkdir "$tmp/work" "$tmp/work/deeper"
cd "$tmp/work"
# written NAME: does the program leave the folder as it was?
written ()
{
  says 'which file' ': new/out.txt: line 2: '
  if [ "$(cat log; ls -A . deeper)" = "$(printf '%s\n' before .: deeper log '' deeper:)" ]; then
    pass "$name: the folder as it was"
  else
    fail "$name: the folder as it was" "$(cat log; ls -A . deeper)"
  fi
}
echo before >log
options='--output new --output log' check 1 ../loops file
written
check 1 ../loops file
written
mkdir "$tmp/process"
cd "$tmp/process"
check 0 ../loops process "$tmp/names"
if [ "$(wc -l <"$tmp/names")" -ge 8 ] && [ "$(ls)" = "$(sort "$tmp/names")" ]; then
  pass "$name: files whose name is new each time are left alone"
else
  fail "$name: files whose name is new each time are left alone" "$(cat "$tmp/names"; ls)"
fi
cd "$tmp/work"

# A file as input is read each time.
echo first >"$tmp/text"
name='input'
if "$prefix/bin/amp-run" --check --runs 1 ../loops input <"$tmp/text" >"$tmp/out" 2>&1 \
    && "$prefix/bin/amp-run" --check --runs 1 --json "$tmp/json" ../loops input \
      <"$tmp/text" >/dev/null 2>&1; then
  says 'a file is read each time' 'nothing found'
else
  fail 'input' "$(cat "$tmp/out")"
fi

# Ended from outside.
name=interrupted
: >"$tmp/err"
"$prefix/bin/amp-run" --check -- ../loops long >"$tmp/out" 2>"$tmp/err" &
until grep -q 'held up' "$tmp/err"; do
  kill -0 $! || break
  sleep 0.1
done
kill -TERM $!
status=0
wait $! || status=$?
says 'what is known' 'interrupted; so far: nothing found'
if [ "$status" = 130 ] && [ "$(cat log)" = before ]; then
  pass "$name: files are back"
else
  fail "$name: files are back" "$status: $(cat log)"
fi

# usage WHAT OPTION...: that is wrong.
usage ()
{
  name=$1
  shift
  status=0
  # shellcheck disable=SC2086 # a setting, or none
  env $setting "$prefix/bin/amp-run" "$@" ../loops none >"$tmp/out" 2>"$tmp/err" || status=$?
  if [ "$status" = 2 ] && [ "$(wc -l <"$tmp/err")" = 1 ]; then
    pass "usage: $name"
  else
    fail "usage: $name" "$status: $(cat "$tmp/err")"
  fi
}
setting=
usage 'no run' --check --runs 0
usage 'no number' --check --seed=x
usage 'a pattern' --check --ignore '('
usage 'without --check' --runs 3
usage 'with a schedule' --check -s dynamic
usage 'with a report' --report --check
usage 'with --measure-sf' --check --measure-sf f
mkdir "$tmp/bin"
for tool in readlink sh; do
  ln -s "$(command -v "$tool")" "$tmp/bin/$tool"
done
setting=PATH=$tmp/bin usage 'no python3' --check
if grep -q 'needs python3' "$tmp/err"; then pass "$name: said"; else fail "$name: said"; fi

cd ../empty
if "$prefix/bin/amp-gfortran" -O1 -g -fopenmp -c "$here/loops.f90" -o ../fortran.o 2>/dev/null \
    && "$cc" -O1 -g -fopenmp -c "$here/other.c" -o ../other.o \
    && "$prefix/bin/amp-gfortran" -fopenmp ../fortran.o ../other.o -o ../fortran; then
  check 1 ../fortran
  loop loops.f90 '! Fortran' 'any other division'
else
  skip Fortran 'no gfortran'
fi
end
