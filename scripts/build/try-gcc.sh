#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try-gcc.sh PREFIX: a smoke test of a GCC that build-gcc.sh has installed.  In each language
# it decides about loops as testsuite/rules wants, and their results are right under drawn
# divisions; the opt-out has the compiler divide them, and -flto leaves the results as they
# are.  Where a language's library is lacking (GCC_LIBRARIES=no) nothing is linked.  Programs
# of a quick one run on $BUILD/stage's libgomp, or on the host's, which draws no divisions.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# = 1 ] || die "usage: try-gcc.sh PREFIX"
prefix=$1
rules=$top/testsuite/rules
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
said=''
[ -f "$prefix/lib/gomp-amp-gcc" ] || die "$prefix holds no GCC of ours"
# $BUILD may be the repository's, or build-gcc.sh's folder in it.
[ -d "$stage" ] || stage=${BUILD%/gcc-*}/stage
"$prefix/bin/gcc" -O1 -fopenmp -c "$rules/main.c" -o "$tmp/main.o"

for name in gcc g++ gfortran; do
  case $name in
    gcc) suffix=c library='' options='' ;;
    g++) suffix=cc library=libstdc++.so options=-std=gnu++17 ;;
    gfortran) suffix=f90 library=libgfortran.so options="-ffree-line-length-none -J$tmp" ;;
  esac
  cc=$prefix/bin/$name source=$rules/uniform.$suffix decide=''
  [ -x "$cc" ] || continue
  if [ -n "$library" ] && [ "$("$cc" "-print-file-name=$library")" = "$library" ]; then
    decide=--decide
    # Without the library there are no headers, either.
    [ "$name" != g++ ] || { said="$said, g++ not tried: no libstdc++"; continue; }
  fi
  COMPILER=$prefix "$rules/run" $decide --stage="$stage" "$rules/decided.$suffix" "$source" \
    >"$tmp/out" 2>&1 \
    || { cat "$tmp/out"; die "$name: wrong decisions or results"; }
  # build OPTION...: $tmp/p.
  build ()
  {
    # shellcheck disable=SC2086 # words
    "$cc" -O2 -fopenmp -w -fwrapv $options -I"$rules" -o "$tmp/p" "$@" "$source" 2>"$tmp/out"
  }
  build -c -fopenmp-default-schedule=static
  ! nm -u "$tmp/p" | grep -q GOMP_loop_static_start \
    || die "$name: -fopenmp-default-schedule=static has no effect"
  if build -c -fopenmp-default-schedule=dynamic || ! grep -q 'runtime.*static' "$tmp/out"; then
    die "$name: -fopenmp-default-schedule=dynamic is not refused"
  fi
  for lto in -fno-lto -flto; do
    [ -z "$decide" ] || break
    build $lto "$tmp/main.o" || { cat "$tmp/out"; die "$name: $lto"; }
    OMP_NUM_THREADS=4 timeout 60 "$tmp/p" >"$tmp/out" || die "$name: $lto: status $?"
    # The linker's order is not the cases'.
    cut -d ' ' -f 2- "$tmp/out" | sort >"$tmp/results$lto"
  done
  [ -n "$decide" ] || cmp "$tmp/results-fno-lto" "$tmp/results-flto" || die "$name: -flto changes results"
  said="$said${said:+, }$name${decide:+ (not linked)}"
done
[ -n "$said" ] || die "no compiler in $prefix/bin"
say "$said: decisions about loops and what they compute are right"
