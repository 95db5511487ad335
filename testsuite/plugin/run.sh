#!/bin/sh
# Test the GCC plugin against the host compiler and the stock libgomp.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   run.sh [BUILD_STAGE]
#
# tests BUILD_STAGE/lib/gomp-amp/gomp_amp_plugin.so, or a fresh build without
# one.  CC, CXX, FC name the compilers (gcc, g++, gfortran).
#
# Each source says what is expected of it: `amp: DECISION', or `amp: DECISION or static'
# where the other is no failure, on the line of
# every worksharing directive, and `calls:' with every loop entry point of
# libgomp that it calls, no more and no less.  Each program checks its own
# results.
# shellcheck disable=SC2317,SC2329 # functions are called through prints
set -eu
# shellcheck source=testsuite/plugin/lib.sh
. "$(dirname "$0")/lib.sh"
make_plugin "${1:-}"

# Fortran has neither templates nor macros: there, each loop comes once.
unique ()
{
  case $1 in
    *.f90) sort ;;
    *) sort -u ;;
  esac
}

# try SOURCE OPTION...: compile it, compare decisions and calls, run it.
try ()
{
  src=$1
  file=$(fit "$1")
  shift
  what="$src $*"
  cc=$(compiler_of "$src")
  if ! command -v "$cc" >/dev/null; then
    skip "$what: no $cc"
    return 0
  fi
  rm -f dump prog
  if ! "$cc" -specs="$specs" "$@" -fopenmp -foffload=disable -w \
      "$arg-dump=dump" "$file" -o prog >log 2>&1 </dev/null; then
    fail "$what: does not compile" log
    return 0
  fi

  wanted "$file" >marks
  unique "$src" <marks >want
  given "$src" marks <dump | unique "$src" >got
  for f in want got; do
    awk 'NR == FNR { if (/ or static$/) either[$1]; next }
	 !($1 in either) || (FILENAME == "got" && !/ (converted|static: [a-z ]*)$/)' marks $f >$f.only
    mv $f.only $f
  done
  same "$what: decisions"

  sed -n 's/.*calls: //p' "$file" | tr -d '*/' | tr -s ' ' '\n' \
    | grep . | sort -u >want || :
  loop_calls prog | grep -v '^GOMP_loop_end' >got || :
  same "$what: entry points"

  "$cc" "$@" -fopenmp -foffload=disable -w "$file" -o plain </dev/null
  export OMP_NUM_THREADS=4
  "$limited" 60 ./plain >want
  for schedule in unset static static,1 dynamic,3 guided; do
    export OMP_SCHEDULE=$schedule
    [ $schedule != unset ] || unset OMP_SCHEDULE
    "$limited" 60 ./prog >got 2>&1 || echo "status $?" >>got
    same "$what: OMP_SCHEDULE $schedule"
  done
  unset OMP_SCHEDULE OMP_NUM_THREADS
}

for source in runtime.c static.c explicit.c forms.cc loops.f90; do
  for level in -O0 -O2; do
    try $source $level -DBY_THREAD=0
  done
done
for source in runtime.c forms.cc loops.f90; do
  try $source -O3 -flto -DBY_THREAD=0
done
try acc.c -O2 -fopenacc

# holds WHAT COMMAND...: it succeeds.
holds () { what=$1; shift; if "$@" >log 2>&1; then pass "$what"; else fail "$what" log; fi; }

# says WHAT PATTERN COMMAND...: the command fails and prints the pattern.
says ()
{
  what=$1 pattern=$2
  shift 2
  if "$@" >log 2>&1 </dev/null; then
    fail "$what: accepted"
  elif grep -q "$pattern" log; then
    pass "$what"
  else
    fail "$what: says" log
  fi
}

# prints WHAT TEXT COMMAND...: the command succeeds and prints TEXT only.
prints ()
{
  what=$1 text=$2
  shift 2
  if got=$("$@" 2>&1 </dev/null); then
    equals "$what" "$got" "$text"
  else
    fail "$what: fails: $got"
  fi
}

amp_cc () { "$CC" -specs="$specs" "$@"; }

task_schedule ()
{
  sed -n 's/.*GOMP_loop_start ([^,]*, [^,]*, [^,]*, \([^,]*\),.*/\1/p' \
    tree | sort -u
}

# mapping OPTION...: which thread ran what, under OMP_SCHEDULE=static,1, which only
# the portable form takes on a stock libgomp.
mapping ()
{
  amp_cc -O2 -fopenmp "$arg-portable" "$@" "$here/mapping.c" -o "$tmp/prog" \
    && OMP_SCHEDULE=static,1 "$limited" 60 "$tmp/prog"
}

robin=0101010101010101 blocks=0000000011111111
prints "the loop obeys OMP_SCHEDULE" $robin mapping
prints "opt-out" $blocks mapping $default=static
prints "explicit default" $robin mapping $default=runtime
prints "the last default counts" $robin \
  mapping $default=static $default=runtime
prints "opt-out, LTO" $blocks mapping -flto $default=static
prints "opt-out, plugin argument" $blocks mapping $arg-default=static
without_specs ()
{
  "$CC" -O2 -fopenmp -fplugin="$plugin" "$arg-portable" "$here/mapping.c" -o "$tmp/prog" \
    && OMP_SCHEDULE=static,1 "$limited" 60 "$tmp/prog"
}
prints "-fplugin without the specs" $robin without_specs
equals "the portable form" "$(loop_calls prog | tr '\n' ' ')" \
  'GOMP_loop_end_nowait GOMP_loop_nonmonotonic_runtime_next GOMP_loop_nonmonotonic_runtime_start '
# Any libgomp deals such a loop as static does, whatever the environment says.
elsewhere ()
{
  amp_cc -O2 -fopenmp "$@" "$here/mapping.c" -o "$tmp/prog"
  "$limited" 60 "$tmp/prog"
  OMP_SCHEDULE=static,1 "$limited" 60 "$tmp/prog"
  OMP_SCHEDULE=dynamic "$limited" 60 "$tmp/prog"
}
for option in -O0 -O2 -flto $default=free $default=steady; do
  prints "on a stock libgomp, $option" "$blocks
$blocks
$blocks" elsewhere "$option"
done

# The opt-out is one file's affair, and is seen in the dump.
rm -f dump
amp_cc -O2 -fopenmp -c $arg-dump=dump $default=static "$here/daxpy.c"
amp_cc -O2 -fopenmp -c $arg-dump=dump "$here/mapping.c"
prints "opt-out, dump; one dump of two files" \
  'daxpy.c static: opted out
daxpy.c static: opted out
mapping.c ascending; calls unknown functions' \
  sed 's|.*/\([a-z]*\.c\):[0-9]*:|\1|' dump
dump_stderr ()
{
  amp_cc -fopenmp -c "$arg-dump=-" "$here/mapping.c" 2>&1 >/dev/null \
    | sed 's|.*/mapping.c:[0-9]*: ||'
}
prints "dump on standard error" 'ascending; calls unknown functions' dump_stderr

says "unknown default" "valid are 'runtime', 'static', 'free' and 'steady'" \
  amp_cc -fopenmp -c $default=dynamic "$here/mapping.c"
says "empty default" "valid are 'runtime', 'static', 'free' and 'steady'" \
  amp_cc -fopenmp -c $arg-default "$here/mapping.c"
says "unknown argument" "valid are 'default', 'dump', 'portable', 'replace-static', 'reproducible' and 'warn'" \
  amp_cc -fopenmp -c $arg-what=1 "$here/mapping.c"
says "dump without a name" "needs a file name" \
  amp_cc -fopenmp -c $arg-dump "$here/mapping.c"
says "dump that cannot be written" "cannot open 'none/dump'" \
  amp_cc -fopenmp -c $arg-dump=none/dump "$here/mapping.c"

# plugins OPTION...: how many compilers and the like would load the plugin.
plugins ()
{
  amp_cc "$@" "$here/mapping.c" -o x '-###' 2>&1 \
    | grep -c '/cc1 .*fplugin=[^ ]*gomp_amp_plugin.so' || true
}
prints "with -fopenmp" 1 plugins -fopenmp
prints "without -fopenmp" 0 plugins
prints "with -fno-openmp" 0 plugins -fopenmp -fno-openmp
prints "with -fno-openmp and -fopenmp" 1 plugins -fno-openmp -fopenmp
prints "with -fopenmp-simd" 0 plugins -fopenmp-simd
prints "opt-out without -fopenmp" 0 plugins $default=static $arg-dump=-

# -fplugin given by hand, where -fopenmp is not: nothing may change.
for option in -fopenmp-simd -O2; do
  "$CC" -O2 $option -fplugin="$plugin" -c "$here/daxpy.c" -o with.o
  "$CC" -O2 $option -c "$here/daxpy.c" -o without.o
  prints "$option and -fplugin alone: same code" '' cmp with.o without.o
done

# What another library may replace is seen all the same.
cat >pic.c <<'END'
static _Thread_local int kept;
int __attribute__ ((noinline)) next (int x) { return kept += x; }
int __attribute__ ((noinline)) cube (int x) { return x * x * x; }
void fill (int *a, int *b)
{
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    a[i] = next (i);
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    b[i] = cube (i);
}
END
decided_pic ()
{
  amp_cc -O2 -fPIC -fopenmp "$arg-dump=-" -c pic.c -o pic.o 2>&1 | sed 's/^[^ ]* //; s/[:;].*//' | sort
}
prints "functions that may be replaced" 'ascending
static' decided_pic

# Preprocessing only, and every language's own compiler.
holds "preprocess only" amp_cc -fopenmp $default=static -E "$here/mapping.c" -o mapping.i
preprocessed ()
{
  amp_cc -O2 -fopenmp "$arg-portable" mapping.i -o prog \
    && OMP_SCHEDULE=static,1 "$limited" 60 ./prog
}
prints "preprocessed source" $robin preprocessed
holds "dependencies only" amp_cc -fopenmp $default=static -M "$here/mapping.c"
echo nop >nop.S
holds "assembler with preprocessor" amp_cc -fopenmp $default=static -c nop.S -o nop.o
two_steps ()
{
  amp_cc -fopenmp -O2 -flto "$arg-portable" -c "$here/mapping.c" -o lto.o \
    && amp_cc -fopenmp -O2 -flto lto.o -o prog && OMP_SCHEDULE=static,1 ./prog \
    && "$CC" -fopenmp -O2 -flto lto.o -o prog && OMP_SCHEDULE=static,1 ./prog
}
prints "LTO in two steps, linked with and without the specs" "$robin
$robin" two_steps

version=$("$CXX" -dumpfullversion)
amp_cc -fopenmp -v --help -c "$here/mapping.c" >help 2>&1 || :
holds "the version" grep "gomp_amp_plugin: gomp-amp plugin for GCC $version" help
holds "--help" grep 'default=runtime|static|free|steady' help

# Reports name a loop by the call that begins it, which has the decision's line.
cat >where.c <<'END'
int a[1000];
int main (void)
{
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 1000; i++)
      a[i] = i;
#pragma omp for
    for (int i = 0; i < 1000; i++)
      a[i]++;
  }
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i]++;
}
END
cat >where.f90 <<'END'
integer :: i, a(1000)
!$omp parallel
!$omp do
do i = 1, 1000
  a(i) = i
end do
!$omp end parallel
!$omp parallel do
do i = 1, 1000
  a(i) = a(i) + 1
end do
end
END
begun_at ()
{
  "$(compiler_of "$1")" -specs="$specs" -w -g -O2 -fopenmp "$arg-dump=where" "$1" -o prog
  sed 's/:[^:]*$//' where
  rm where
  objdump -d prog | sed -n 's/^ *\([0-9a-f]*\):.*<GOMP_loop_static_start@plt>$/\1/p' | addr2line -se prog
}
prints "the lines of C's loops" 'where.c:6
where.c:9
where.c:13
where.c:6
where.c:9
where.c:13' begun_at where.c
if command -v "$FC" >/dev/null; then
  prints "the lines of Fortran's loops" 'where.f90:3
where.f90:8
where.f90:3
where.f90:8' begun_at where.f90
else
  skip "the lines of Fortran's loops: no $FC"
fi

# Task reductions have one entry point for all schedules: its fourth argument, 1
# for static, as monotonic as GCC makes it.
amp_cc -fopenmp -w -foffload=disable -S -fdump-tree-ssa=tree \
  "$here/runtime.c" -o /dev/null
prints "task reductions: the schedule passed" 2147483649 task_schedule
rm -f tree

# The plugin adds calls, and no other difference, to what is vectorised.
vectorised ()
{
  "$CC" "$@" -O3 -fopenmp -fopt-info-vec-optimized -c "$here/daxpy.c" \
    -o daxpy.o 2>&1 | grep -o 'daxpy.c:[0-9]*:.*loop vectorized.*' | sort -u
}
vectorised | awk '{ print } END { exit NR < 2 }' >want
vectorised -specs="$specs" >got
same "inner loops are vectorised alike"
holds "and call libgomp" sh -c 'nm -u daxpy.o | grep loop_static_start'

# Loops that are given back: each thread does what it does in gcc's.
"$CXX" -O2 -w -fopenmp -DBY_THREAD=1 "$here/forms.cc" -o plain
for option in -O0 -O2 '-O3 -flto'; do
  # shellcheck disable=SC2086 # options
  "$CXX" -specs="$specs" -w -fopenmp $option -DBY_THREAD=1 "$here/forms.cc" -o prog
  for threads in 1 2 3 7; do
    export OMP_NUM_THREADS=$threads
    "$limited" 60 ./plain >want
    "$limited" 60 ./prog >got || :
    same "given back, $option, $threads threads"
  done
  unset OMP_NUM_THREADS
done
# And it takes as many instructions, within 3 %.
instructions ()
{
  OMP_NUM_THREADS=1 "$limited" 120 valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    "$@" 2>&1 | sed -n 's/.*Collected : //p'
}
for option in -O0 -O2 -O3; do
  if ! command -v valgrind >/dev/null; then
    skip "what they cost, $option: no valgrind"
    continue
  fi
  "$CC" $option -fopenmp "$here/back.c" -o plain
  amp_cc $option -fopenmp "$here/back.c" -o prog
  for which in inside combined says others; do
    # At first our library takes the time of regions that any team suits.
    count=40
    [ $which != says ] || count=400
    w=$(instructions ./plain $count $which) g=$(instructions ./prog $count $which)
    w0=$(instructions ./plain 0 $which) g0=$(instructions ./prog 0 $which)
    if [ $(((g - g0) * 100)) -le $(((w - w0) * 103)) ]; then
      pass "what they cost, $option, $which"
    else
      fail "what they cost, $option, $which: $((g - g0)) instructions, gcc's take $((w - w0))"
    fi
  done
done

# A plugin that was built for another compiler, claimed and (if one is there)
# real; between 14 and 15 GCC's own functions changed, so that it cannot load it.
make -s -C "$top/plugin" CXX="$CXX" OUT="$tmp/old/lib/gomp-amp" \
  CPPFLAGS="-DGOMP_AMP_BASEVER='\"4.5.6\"'"
says "version mismatch: names both versions" \
  "built for GCC 4.5.6.* but GCC $("$CC" -dumpfullversion).* is loading it" \
  env AMP_GCC_HOME="$tmp/old" "$CC" -specs="$specs" -fopenmp -c "$here/mapping.c"
says "version mismatch: what to do" "compile with GCC 4.5.6, or build gomp-amp" \
  env AMP_GCC_HOME="$tmp/old" "$CC" -specs="$specs" -fopenmp -c "$here/mapping.c"
found=
for other in gcc-8 gcc-9 gcc-10 gcc-11 gcc-12 gcc-13 gcc-14 gcc-15 gcc-16; do
  if command -v $other >/dev/null \
     && [ "$($other -dumpfullversion)" != "$("$CC" -dumpfullversion)" ]; then
    found=1
    says "version mismatch: $other" \
      "GCC $($other -dumpfullversion).* is loading\|undefined symbol" \
      $other -specs="$specs" -fopenmp -c "$here/mapping.c"
  fi
done
[ -n "$found" ] || skip "version mismatch: no other GCC is installed"

finish
