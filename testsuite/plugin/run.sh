#!/bin/sh
# Test the GCC plugin against the host compiler and the stock libgomp.
# SPDX-License-Identifier: GPL-3.0-or-later
#
#   run.sh [BUILD_STAGE]
#
# tests BUILD_STAGE/lib/gomp-amp/gomp_amp_plugin.so, or a fresh build without
# one.  CC, CXX, FC name the compilers (gcc, g++, gfortran).
#
# Each source says what is expected of it: `amp: DECISION REASON' on the line of
# every worksharing directive, and `calls:' with every loop entry point of
# libgomp that it calls, no more and no less.  Each program checks its own
# results.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
plugin_src=$here/../../plugin
CC=${CC:-gcc} CXX=${CXX:-g++} FC=${FC:-gfortran}
unset OMP_SCHEDULE OMP_NUM_THREADS GOMP_CPU_AFFINITY LD_LIBRARY_PATH LD_PRELOAD
export LC_ALL=C

tmp=$(mktemp -d "${TMPDIR:-/tmp}/gomp-amp-plugin.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
stage=
[ $# = 0 ] || stage=$(cd "$1" && pwd)
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

# A home without a library, so that programs get the stock libgomp.
AMP_GCC_HOME=$tmp/home AMP_GCC_BOARD=$tmp/none
export AMP_GCC_HOME AMP_GCC_BOARD
plugin_dir=$AMP_GCC_HOME/lib/gomp-amp
mkdir -p "$plugin_dir"
if [ -n "$stage" ]; then
  cp "$stage/lib/gomp-amp/gomp_amp_plugin.so" "$plugin_dir/"
else
  make -s -C "$plugin_src" CXX="$CXX" OUT="$plugin_dir"
fi
plugin=$plugin_dir/gomp_amp_plugin.so
specs=$plugin_src/gomp-amp.specs
arg=-fplugin-arg-gomp_amp_plugin

compiler_of ()
{
  case $1 in
    *.c) echo "$CC" ;;
    *.cc) echo "$CXX" ;;
    *) echo "$FC" ;;
  esac
}

# loop_calls PROGRAM: the loop entry points it calls, one a line.
loop_calls ()
{
  nm -u "$1" | sed -n 's/^ *U \(GOMP_[a-z_]*loop[a-z_]*\).*/\1/p' \
    | grep -v '^GOMP_loop_end' | sort -u || true
}

# decisions_of SOURCE: what its comments expect, as `line decision reason'.
decisions_of ()
{
  awk '{ n = split ($0, part, "amp: ")
	 for (i = 2; i <= n; i++)
	   { split (part[i], word, " "); print NR, word[1], word[2] } }' "$1"
}

# by_directive SOURCE WANT: a dump on standard input, with the directives' lines.
# The C front end gives a loop the line of its directive, C++ that or the for
# statement's, Fortran one up to the end of the body.
by_directive ()
{
  sed 's/;.*//; s/^.*:\([0-9]*\): /\1 /' | case $1 in
    *.c) cat ;;
    *) awk 'NR == FNR { line[n++] = $1; next }
	    { for (i = n - 1; i > 0 && line[i] > $1; i--) ;
	      $1 = line[i]; print }' "$2" - ;;
  esac
}

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
  shift
  what="$src $*"
  cc=$(compiler_of "$src")
  if ! command -v "$cc" >/dev/null; then
    skip "$what: no $cc"
    return 0
  fi
  rm -f "$tmp/dump" "$tmp/prog"
  if ! "$cc" -specs="$specs" "$@" -fopenmp -foffload=disable -w \
      "$arg-dump=$tmp/dump" "$here/$src" -o "$tmp/prog" \
      >"$tmp/log" 2>&1 </dev/null; then
    fail "$what: does not compile" "$tmp/log"
    return 0
  fi

  decisions_of "$here/$src" >"$tmp/marks"
  unique "$src" <"$tmp/marks" >"$tmp/want"
  by_directive "$src" "$tmp/marks" <"$tmp/dump" | unique "$src" >"$tmp/got"
  if [ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/got"; then
    pass "$what: decisions"
  else
    diff "$tmp/want" "$tmp/got" >"$tmp/log" || true
    fail "$what: decisions" "$tmp/log"
  fi

  sed -n 's/.*calls: //p' "$here/$src" | tr -d '*/' | tr -s ' ' '\n' \
    | grep . | sort -u >"$tmp/want" || true
  loop_calls "$tmp/prog" >"$tmp/got"
  if [ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/got"; then
    pass "$what: entry points"
  else
    diff "$tmp/want" "$tmp/got" >"$tmp/log" || true
    fail "$what: entry points" "$tmp/log"
  fi

  for schedule in unset static static,1 dynamic,3 guided; do
    if [ $schedule = unset ]; then
      unset OMP_SCHEDULE
    else
      export OMP_SCHEDULE=$schedule
    fi
    if OMP_NUM_THREADS=4 timeout 60 "$tmp/prog" >"$tmp/log" 2>&1; then
      pass "$what: OMP_SCHEDULE $schedule"
    else
      fail "$what: OMP_SCHEDULE $schedule, status $?" "$tmp/log"
    fi
  done
  unset OMP_SCHEDULE
}


for source in runtime.c static.c explicit.c iterators.cc loops.f90; do
  for level in -O0 -O2; do
    try $source $level
  done
done
for source in runtime.c iterators.cc loops.f90; do
  try $source -O3 -flto
done
try acc.c -O2 -fopenacc

# says WHAT PATTERN COMMAND...: the command fails and prints the pattern.
says ()
{
  what=$1 pattern=$2
  shift 2
  if "$@" >"$tmp/log" 2>&1 </dev/null; then
    fail "$what: accepted"
  elif grep -q "$pattern" "$tmp/log"; then
    pass "$what"
  else
    fail "$what: says" "$tmp/log"
  fi
}

# prints WHAT TEXT COMMAND...: the command succeeds and prints TEXT only.
prints ()
{
  what=$1 text=$2
  shift 2
  if got=$("$@" 2>&1 </dev/null) && [ "$got" = "$text" ]; then
    pass "$what"
  else
    fail "$what: \`$got' instead of \`$text'"
  fi
}

amp_cc () { "$CC" -specs="$specs" "$@"; }

task_schedule ()
{
  sed -n 's/.*GOMP_loop_start ([^,]*, [^,]*, [^,]*, \([^,]*\),.*/\1/p' \
    tree | sort -u
}

# mapping OPTION...: which thread ran what, under OMP_SCHEDULE=static,1.
mapping ()
{
  amp_cc -O2 -fopenmp "$@" "$here/mapping.c" -o "$tmp/prog" \
    && OMP_SCHEDULE=static,1 timeout 60 "$tmp/prog"
}

robin=0101010101010101 blocks=0000000011111111
default=-fopenmp-default-schedule
prints "the loop obeys OMP_SCHEDULE" $robin mapping
prints "opt-out" $blocks mapping $default=static
prints "explicit default" $robin mapping $default=runtime
prints "the last default counts" $robin \
  mapping $default=static $default=runtime
prints "opt-out, LTO" $blocks mapping -flto $default=static
prints "opt-out, plugin argument" $blocks mapping $arg-default=static
without_specs ()
{
  "$CC" -O2 -fopenmp -fplugin="$plugin" "$here/mapping.c" -o "$tmp/prog" \
    && OMP_SCHEDULE=static,1 timeout 60 "$tmp/prog"
}
prints "-fplugin without the specs" $robin without_specs

# The opt-out is one file's affair, and is seen in the dump.
rm -f dump
amp_cc -O2 -fopenmp -c $arg-dump=dump $default=static "$here/daxpy.c"
amp_cc -O2 -fopenmp -c $arg-dump=dump "$here/mapping.c"
prints "opt-out, dump; one dump of two files" \
  'daxpy.c static opted-out
daxpy.c static opted-out
mapping.c runtime no-schedule-clause' \
  sed 's|.*/\([a-z]*\.c\):[0-9]*:|\1|' dump
dump_stderr ()
{
  amp_cc -fopenmp -c $arg-dump=- "$here/mapping.c" 2>&1 >/dev/null \
    | sed 's|.*/mapping.c:[0-9]*: ||'
}
prints "dump on standard error" 'runtime no-schedule-clause' dump_stderr

says "unknown default" "valid are 'runtime', 'static', 'free' and 'steady'" \
  amp_cc -fopenmp -c $default=dynamic "$here/mapping.c"
says "empty default" "valid are 'runtime', 'static', 'free' and 'steady'" \
  amp_cc -fopenmp -c $arg-default "$here/mapping.c"
says "unknown argument" "valid are 'default', 'dump', 'replace-static', 'reproducible' and 'warn'" \
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

# Preprocessing only, and every language's own compiler.
if amp_cc -fopenmp $default=static -E "$here/mapping.c" >mapping.i; then
  pass "preprocess only"
else
  fail "preprocess only"
fi
preprocessed ()
{
  amp_cc -O2 -fopenmp mapping.i -o prog \
    && OMP_SCHEDULE=static,1 timeout 60 ./prog
}
prints "preprocessed source" $robin preprocessed
if amp_cc -fopenmp $default=static -M "$here/mapping.c" >/dev/null; then
  pass "dependencies only"
else
  fail "dependencies only"
fi
if echo 'nop' | amp_cc -fopenmp $default=static -x assembler-with-cpp -c - \
     -o nop.o; then
  pass "assembler with preprocessor"
else
  fail "assembler with preprocessor"
fi
if amp_cc -fopenmp -O2 -flto -c "$here/mapping.c" -o lto.o \
   && amp_cc -fopenmp -O2 -flto lto.o -o prog \
   && [ "$(OMP_SCHEDULE=static,1 ./prog)" = $robin ] \
   && "$CC" -fopenmp -O2 -flto lto.o -o prog \
   && [ "$(OMP_SCHEDULE=static,1 ./prog)" = $robin ]; then
  pass "LTO in two steps, linked with and without the specs"
else
  fail "LTO in two steps"
fi

version=$("$CXX" -dumpfullversion)
amp_cc -fopenmp -v --help -c "$here/mapping.c" >log 2>&1 || true
if grep -q "gomp_amp_plugin: gomp-amp plugin for GCC $version" log \
   && grep -q 'default=runtime|static|free|steady' log; then
  pass "--help and version"
else
  fail "--help and version"
fi

# Task reductions have no entry point of their own for runtime: the schedule is
# GOMP_loop_start's fourth argument, and 4 (GFS_AUTO) without the monotonic bit
# is what nonmonotonic:runtime looks like there; 0 would be an explicit one.
amp_cc -fopenmp -w -foffload=disable -S -fdump-tree-ompexp=tree \
  "$here/runtime.c" -o /dev/null
prints "task reductions: the schedule passed" '4' task_schedule
rm -f tree

# The plugin adds calls, and no other difference, to what is vectorised.
vectorised ()
{
  "$CC" "$@" -O3 -fopenmp -fopt-info-vec-optimized -c "$here/daxpy.c" \
    -o daxpy.o 2>&1 | grep -o 'daxpy.c:[0-9]*:.*loop vectorized.*' | sort -u
}
vectorised >"$tmp/want"
vectorised -specs="$specs" >"$tmp/got"
if [ "$(wc -l <"$tmp/want")" -ge 2 ] && cmp -s "$tmp/want" "$tmp/got" \
   && nm -u daxpy.o | grep -q nonmonotonic_runtime_start; then
  pass "inner loops are vectorised alike"
else
  diff "$tmp/want" "$tmp/got" >"$tmp/log" || true
  fail "inner loops are vectorised alike" "$tmp/log"
fi

# A plugin that was built for another compiler, claimed and (if one is there)
# real.
make -s -C "$plugin_src" CXX="$CXX" OUT="$tmp/old/lib/gomp-amp" \
  CPPFLAGS="-DGOMP_AMP_BASEVER='\"4.5.6\"'"
says "version mismatch: names both versions" \
  "built for GCC 4.5.6.* but GCC $("$CC" -dumpfullversion).* is loading it" \
  env AMP_GCC_HOME="$tmp/old" "$CC" -specs="$specs" -fopenmp -c "$here/mapping.c"
says "version mismatch: what to do" "compile with GCC 4.5.6, or build gomp-amp" \
  env AMP_GCC_HOME="$tmp/old" "$CC" -specs="$specs" -fopenmp -c "$here/mapping.c"
found=
for other in gcc-8 gcc-9 gcc-10 gcc-11 gcc-12 gcc-13 gcc-14; do
  if command -v $other >/dev/null \
     && [ "$($other -dumpfullversion)" != "$("$CC" -dumpfullversion)" ]; then
    found=1
    says "version mismatch: $other" "GCC $($other -dumpfullversion).* is loading" \
      $other -specs="$specs" -fopenmp -c "$here/mapping.c"
  fi
done
[ -n "$found" ] || skip "version mismatch: no other GCC is installed"

summary
