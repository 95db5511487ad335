#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rules.sh: which loops stay static because of what they rely on, which lose
# their nowait, and where libgomp gets a hint; in C, C++ and Fortran.
#
# Programs are compiled by the plugin built here, and run on the stock libgomp.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
plugin_src=$here/../../plugin
CC=${CC:-gcc} CXX=${CXX:-g++} FC=${FC:-gfortran}
unset OMP_SCHEDULE OMP_NUM_THREADS GOMP_CPU_AFFINITY LD_LIBRARY_PATH LD_PRELOAD
export LC_ALL=C

tmp=$(mktemp -d "${TMPDIR:-/tmp}/gomp-amp-rules.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp"
passed=0 failed=0 skipped=0
pass () { passed=$((passed + 1)); [ -z "${V:-}" ] || echo "PASS: $1"; }
fail () { failed=$((failed + 1)); echo "FAIL: $1"; shift; [ $# = 0 ] || cat "$@"; }
skip () { skipped=$((skipped + 1)); echo "SKIP: $1"; }
summary ()
{
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
}

if ! command -v "$CXX" >/dev/null \
   || ! [ -f "$("$CXX" -print-file-name=plugin)/include/gcc-plugin.h" ]; then
  skip "no plugin headers for $CXX"
  summary
  exit 77
fi
AMP_GCC_HOME=$tmp/home AMP_GCC_BOARD=$tmp/none
export AMP_GCC_HOME AMP_GCC_BOARD
make -s -C "$plugin_src" CXX="$CXX" OUT="$AMP_GCC_HOME/lib/gomp-amp"
specs=$plugin_src/gomp-amp.specs
arg=-fplugin-arg-gomp_amp_plugin

# amp SOURCE OPTION...: compile SOURCE with the plugin.
amp ()
{
  case $1 in
    *.c) amp_cc=$CC ;;
    *.cc) amp_cc=$CXX ;;
    *) amp_cc=$FC ;;
  esac
  "$amp_cc" -specs="$specs" -fopenmp -w "$@" </dev/null
}

# wanted SOURCE: what its comments say, as `line decision reason [barrier] [sums]'.
wanted ()
{
  awk '{ n = split ($0, part, "amp: ")
	 for (i = 2; i <= n; i++)
	   { sub (/ *\*\/.*/, "", part[i]); sub (/ *$/, "", part[i])
	     print NR, part[i] } }' "$1"
}

# given SOURCE MARKS: the dump on standard input in that form, with the
# directives' lines.
given ()
{
  sed 's/; line [^;]*//; s/; barrier instead of nowait/ barrier/
       s/; sums/ sums/; s/; bound/ bound/; s/; calls.*//; s/^.*:\([0-9]*\): /\1 /' \
    | case $1 in
	*.c) cat ;;
	*) awk 'NR == FNR { line[n++] = $1; next }
		{ for (i = n - 1; i > 0 && line[i] > $1; i--) ;
		  $1 = line[i]; print }' "$2" - ;;
      esac
}

# decide SOURCE OPTION...: compare all decisions.
decide ()
{
  src=$1
  shift
  what="$src $*"
  case $src in
    *.f90) command -v "$FC" >/dev/null || { skip "$what: no $FC"; return 0; } ;;
  esac
  rm -f dump
  if ! amp "$here/$src" "$@" -c $arg-dump=dump -o o.o >log 2>&1; then
    fail "$what: does not compile" log
    return 0
  fi
  wanted "$here/$src" >marks
  sort -u marks >want
  given "$src" marks <dump | sort -u >got
  if [ -s want ] && cmp -s want got; then
    pass "$what: decisions"
  else
    diff want got >log || :
    fail "$what: decisions" log
  fi
}
for source in rules.c rules.cc rules.f90; do
  decide $source -O0
  decide $source -O2
  decide $source -O2 -flto
  decide $source -O1 -g
done

# The file's options.  count DECISION REASON OPTION...: how often rules.c has it.
count ()
{
  word=$1
  shift
  rm -f dump
  amp "$here/rules.c" "$@" -c $arg-dump=dump -o o.o
  grep -c ": $word\(;.*\)*\$" dump || :
}
equals ()
{
  if [ "$2" = "$3" ]; then
    pass "$1"
  else
    fail "$1: \`$2' instead of \`$3'"
  fi
}
more () { if [ "$2" -gt "$3" ]; then pass "$1"; else fail "$1: $2, at most $3"; fi; }

default=-fopenmp-default-schedule
equals "free: nothing hand-synchronised stays static" \
  "$(count 'static hand-sync' $default=free)" 0
equals "free: nothing carried stays static" \
  "$(count 'static carried-state' $default=free)" 0
more "free: they are listed so" "$(count 'runtime free' $default=free)" 20
more "steady" "$(count 'runtime steady' $default=steady)" 40
equals "steady: a pragma may still say static" \
  "$(count 'static opted-out' $default=steady)" 2
more "static" "$(count 'static opted-out' $default=static)" 40
equals "static: a pragma may still say free" \
  "$(count 'runtime free' $default=static)" 1
equals "reproducible: sums stay static" \
  "$(count 'static reproducible-sum' -fopenmp-reproducible)" 5
equals "replace-static: the pragma's loops, and asked's that is beside none" \
  "$(count 'explicit replaceable' -fopenmp-replace-static)" \
  "$(($(count 'explicit replaceable') + 2))"
equals "replace-static: not beside sums that are to be reproducible" \
  "$(count 'explicit replaceable' -fopenmp-replace-static -fopenmp-reproducible)" \
  "$(($(count 'explicit replaceable') - 2))"
equals "not reproducible" "$(count 'static reproducible-sum')" 0

# Warnings.
amp "$here/rules.c" -Wopenmp-static-assumption -Wno-all -c -o o.o >log 2>&1 || :
equals "-w silences the warnings" "$(grep -c 'relies on the static' log || :)" 0
warned ()
{
  "$CC" -specs="$specs" -fopenmp "$@" -c "$here/rules.c" -o o.o 2>&1 </dev/null \
    | grep -c 'warning: this loop relies on the static schedule' || :
}
rm -f dump
amp "$here/rules.c" -c $arg-dump=dump -o o.o
equals "-Wopenmp-static-assumption: one for each rule's loop" \
  "$(warned -Wopenmp-static-assumption)" \
  "$(grep 'static ' dump | grep -vc 'opted-out\|ordered')"
equals "no warnings unless asked" "$(warned -Wall -Wextra)" 0

# shape NAME TEXT WANT OPTION...: the region in TEXT as it is lowered.  P is
# a parallel construct, F a worksharing loop (n: nowait) with its schedule, M a
# master construct, H a hint, B a barrier.
shape ()
{
  what=$1 want=$3
  printf '%s\n' "$2" >shape.c
  shift 3
  rm -f tree
  if ! amp shape.c "$@" -O1 -S -fdump-tree-omplower=tree -o /dev/null \
      >log 2>&1; then
    fail "$what: does not compile" log
    return 0
  fi
  got=$(sed -n 's/.*GOMP_cancellation_point (\([0-9]*\)).*/H\1/p
	s/.*#pragma omp parallel.*/P/p
	s/.*#pragma omp mas.*/M/p
	s/.*GOMP_barrier.*/B/p
	s/.*#pragma omp for\(.*\)/F\1/p' tree \
	| sed 's/^F.* nowait.*schedule(\([a-z:]*\).*/Fn:\1/
	       s/^F.*schedule(\([a-z:]*\).* nowait.*/Fn:\1/
	       s/^F.*schedule(\([a-z:]*\).*/F:\1/
	       s/^F .*nowait.*/Fn/; s/^F .*/F/' \
	| tr '\n' ' ')
  equals "$what" "${got% }" "$want"
}
r=nonmonotonic:runtime
head='extern double a[1000], s; extern int n; int f (int);'
shape "a loop in the middle waits, the last one need not" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i]++;
} }" "P F:$r Fn:$r"
shape "a loop that is followed by code waits" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
f (1);
} }" "P F:$r"
shape "an orphaned loop waits" "$head
void g (void) {
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
}" "F:$r"
shape "a loop in a loop waits" "$head
void g (void) {
#pragma omp parallel
for (int k = 0; k < n; k++)
{
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
} }" "P F:$r"
# The front end itself gives a combined loop its nowait.
shape "a combined loop has no second barrier" "$head
void g (void) {
#pragma omp parallel for
for (int i = 0; i < n; i++) a[i] = 1;
}" "P Fn:$r"
shape "steady loops keep nowait" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
f (1);
} }" "P H512 Fn:$r" $default=steady
shape "a note after static nowait loops, not after the last or with a barrier" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(static, 4) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(auto) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(dynamic) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(static)
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) a[i] = 1;
} }" "P Fn:static H256 Fn:static H256 F:$r Fn:dynamic F:static Fn:static"
shape "a note of their own after loops that may be replaced" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(static)
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) a[i] = 1;
} }" "P Fn:nonmonotonic:dynamic H2048 F:nonmonotonic:dynamic F:$r Fn:nonmonotonic:dynamic" -fopenmp-replace-static
shape "a note after loops of opted-out files" "$head
void g (void) {
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = 1;
}" "Fn H256" $default=static
shape "a note after loops that stay static" "$head
extern __thread int t;
void g (void) {
#pragma omp for nowait
for (int i = 0; i < n; i++) a[i] = t;
#pragma omp for ordered nowait
for (int i = 0; i < n; i++) a[i] = 1;
}" "Fn H256 Fn H256"
shape "a note after master, not at the end" "$head
void g (void) {
#pragma omp parallel
{
#pragma omp master
a[0] = 1;
#pragma omp for
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp single nowait
a[0] = 1;
#pragma omp sections nowait
{ a[0] = 1; }
#pragma omp barrier
#pragma omp master
a[0] = 1;
} }" "P M H256 F:$r B M"
shape "sums" "$head
void g (void) {
#pragma omp parallel
{
double mine = 0;
int count = 0;
#pragma omp for reduction(+: s) nowait
for (int i = 0; i < n; i++) s += a[i];
#pragma omp for
for (int i = 0; i < n; i++) mine += a[i];
#pragma omp for
for (int i = 0; i < n; i++) count += i;
#pragma omp for reduction(max: s)
for (int i = 0; i < n; i++) s = s > a[i] ? s : a[i];
a[0] += mine + count;
} }" "P H1024 F:$r H1024 F:$r F:$r F:$r"
shape "a combined loop's hint is in the region" "$head
void g (void) {
#pragma omp parallel for reduction(+: s)
for (int i = 0; i < 100; i++) s += a[i];
}" "P H1024 Fn:$r"
shape "steady and sums" "$head
void g (void) {
#pragma gomp_amp steady
#pragma omp parallel for reduction(+: s)
for (int i = 0; i < n; i++) s += a[i];
}" "P H1536 Fn:$r"
shape "an explicit nonmonotonic:runtime is told apart" "$head
void g (void) {
#pragma omp for schedule(nonmonotonic: runtime)
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp for schedule(monotonic: runtime)
for (int i = 0; i < n; i++) a[i] = 1;
}" "F:runtime F:monotonic:runtime"
shape "nothing in offloaded code" "$head
#pragma omp declare target
void g (void) {
#pragma omp for schedule(static) nowait
for (int i = 0; i < n; i++) a[i] = 1;
#pragma omp master
f (1);
f (2);
}
#pragma omp end declare target" "Fn:static M" -foffload=disable
shape "OpenACC is left alone" "$head
void g (void) {
#pragma acc parallel loop
for (int i = 0; i < n; i++) a[i] = 1;
}" "" -fopenacc -foffload=disable

# A loop of constant bounds with a hint must not begin before its threads are
# there.
printf '%s\n' "$head
void g (void) {
#pragma gomp_amp steady
#pragma omp parallel for
for (int i = 0; i < 100; i++) a[i] = 2;
}
void h (void) {
#pragma omp parallel for
for (int i = 0; i < 100; i++) a[i] = 1;
}" >bounds.c
amp bounds.c -O2 -c -o o.o
equals "entry points of constant bounds" \
  "$(nm -u o.o | sed -n 's/.* \(GOMP_[a-z_]*\)$/\1/p' | grep -v end | tr '\n' ' ')" \
  "GOMP_cancellation_point GOMP_loop_nonmonotonic_runtime_next GOMP_loop_nonmonotonic_runtime_start GOMP_parallel GOMP_parallel_loop_nonmonotonic_runtime "

# Hints do no harm on a stock libgomp, with real cancellation in the same file.
cat >run.c <<'END'
#include <stdio.h>
enum { N = 1000 };
double a[N], b[N], total;
int main (void)
{
  int bad = 0;
  for (int round = 0; round < 50; round++)
    {
      int stopped = 0;
      double sum = 0;
#pragma omp parallel num_threads(4) reduction(+: sum)
      {
#pragma omp for schedule(static) nowait
	for (int i = 0; i < N; i++)
	  a[i] = i;
#pragma omp master
	total = 0;
#pragma omp barrier
#pragma omp for nowait
	for (int i = 0; i < N; i++)
	  b[i] = a[i] + 1;
#pragma omp for nowait
	for (int i = 0; i < N; i++)
	  sum += b[i] - a[i];
#pragma omp for
	for (int i = 0; i < N; i++)
	  {
	    if (i % 10 == 0)
	      {
#pragma omp atomic write
		stopped = 1;
#pragma omp cancel for
	      }
#pragma omp cancellation point for
	  }
      }
      bad += sum != N || !stopped;
    }
  return bad;
}
END
for flags in -O0 -O2 '-O2 -flto' "-O2 $default=steady" "-O2 $default=static" \
  '-O0 -fopenmp-replace-static' '-O2 -flto -fopenmp-replace-static'; do
  # shellcheck disable=SC2086 # options
  if amp run.c $flags -o prog >log 2>&1 && nm -u prog | grep -q GOMP_cancellation_point
  then
    for cancel in false true; do
      schedules='static dynamic,3 guided'
      # Only our library has steady loops divided alike.
      case $flags in *steady) schedules=static ;; esac
      for schedule in $schedules; do
	if OMP_CANCELLATION=$cancel OMP_SCHEDULE=$schedule timeout 60 ./prog; then
	  pass "run $flags, cancellation $cancel, $schedule"
	else
	  fail "run $flags, cancellation $cancel, $schedule: status $?"
	fi
      done
    done
  else
    fail "run $flags: does not compile, or gives no hint" log
  fi
done

# On a libgomp that replaces nothing, loops that may be replaced are divided as
# GCC itself divides them.
for flags in -O0 -O2 '-O3 -flto' '-O2 -m32'; do
  # shellcheck disable=SC2086 # options
  if ! "$CC" $flags -fopenmp "$here/blocks.c" -o plain >log 2>&1 </dev/null; then
    case $flags in
      *-m32) skip "blocks $flags: cannot be linked here"; continue ;;
    esac
    fail "blocks $flags: does not compile" log
    continue
  fi
  # shellcheck disable=SC2086
  amp "$here/blocks.c" $flags -fopenmp-replace-static -o prog
  equals "blocks $flags: entry points" "$(nm -u prog \
    | sed -n 's/.* \(GOMP_[a-z_]*loop[a-z_]*\).*/\1/p' | grep -v end | sort -u | tr '\n' ' ')" \
    "GOMP_loop_nonmonotonic_dynamic_next GOMP_loop_nonmonotonic_dynamic_start GOMP_loop_nonmonotonic_runtime_next GOMP_loop_start GOMP_loop_ull_nonmonotonic_runtime_next GOMP_loop_ull_start "
  for schedule in unset static,1 dynamic; do
    export OMP_SCHEDULE=$schedule
    [ $schedule != unset ] || unset OMP_SCHEDULE
    ./plain >want && ./prog >got
    if [ "$(wc -l <want)" -gt 50 ] && cmp -s want got; then
      pass "blocks $flags, $schedule"
    else
      diff want got >log || :
      fail "blocks $flags, $schedule" log
    fi
  done
  unset OMP_SCHEDULE
done
summary
