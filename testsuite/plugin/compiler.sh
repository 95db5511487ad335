#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compiler.sh: a patched GCC (make gcc) and the plugin decide alike for every
# loop, and call the same entry points, under both defaults.  The sources are
# this suite's and the benchmarks'; with AMP_CORPUS=gcc libgomp.amp's and GCC's own
# libgomp tests too.  COMPILER names the prefix of a patched GCC; without it
# those that `make gcc' has installed are tried.
set -eu
# shellcheck source=testsuite/plugin/lib.sh
. "$(dirname "$0")/lib.sh"

# A prefix may be gone since.
prefixes=${COMPILER:-}
if [ -z "$prefixes" ]; then
  for f in "$BUILD"/gcc-*/prefix-*; do
    [ -f "$f" ] || continue
    p=$(cat "$f")
    [ ! -x "$p/bin/gcc" ] || prefixes="$prefixes $p"
  done
fi
if [ -z "$prefixes" ]; then
  echo "skip: there is no patched compiler (make gcc, or COMPILER=PREFIX)"
  exit 77
fi

# sources: all of them, one a line.
sources ()
{
  find "$here" "$top/testsuite/rules" "$top/benchmarks" -type f \
       \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.[fF]90' \)
  [ "${AMP_CORPUS:-}" = gcc ] || return 0
  find "$top/testsuite/libgomp.amp/amp" -type f \
       \( -name '*.c' -o -name '*.cc' -o -name '*.f90' \)
  for d in "$BUILD"/src/gcc-*/libgomp/testsuite; do
    find "$d/libgomp.c" "$d/libgomp.c++" "$d/libgomp.c-c++-common" \
	 "$d/libgomp.fortran" -type f \
	 \( -name '*.c' -o -name '*.C' -o -name '*.f90' \)
  done
}

# with_plugin LANGUAGE ARG...: a compiler that decides by the plugin alone.
with_plugin ()
{
  wp=$1
  shift
  # shellcheck disable=SC2086 # none or one
  case $wp in
    c) "$plain_cc" $alone -fplugin="$plugin" "$@" ;;
    c++) "$plain_cxx" $alone -fplugin="$plugin" "$@" ;;
    fortran) "$plain_fc" $alone -fplugin="$plugin" "$@" ;;
  esac
}

with_patch ()
{
  wp=$1
  shift
  case $wp in
    c) "$prefix/bin/gcc" "$@" ;;
    c++) "$prefix/bin/g++" "$@" ;;
    fortran) "$prefix/bin/gfortran" "$@" ;;
  esac
}

# loops_and_calls FROM OBJECT DUMP: of a dump one line per loop to FROM.loops, with the
# entry points after them.
loops_and_calls ()
{
  grep -E '^[^ ]*:[0-9]+: (runtime|static|explicit) [a-z0-9-]+(;.*)?$' "$3" \
    | sort >"$1.loops" || :
  loop_calls "$2" | cat "$1.loops" - >"$1.all"
}

# both PLUGIN-OPTIONS PATCH-OPTIONS ARG...: compile by each, to plugin.* and patch.*; sets
# got_plugin and got_patch.
both ()
{
  by_plugin=$1 by_patch=$2
  shift 2
  rm -f plugin.* patch.*
  : >plugin.dump
  : >patch.dump
  got_plugin=yes got_patch=yes
  # shellcheck disable=SC2086 # several options
  with_plugin "$lang" "$@" $by_plugin $arg-dump=plugin.dump \
    -o plugin.o >plugin.log 2>&1 </dev/null || got_plugin=no
  # GCC 8 takes a hyphen in the dump's name for the next option of the dump.
  # shellcheck disable=SC2086
  with_patch "$lang" "$@" $by_patch -fdump-tree-omplower-details=patch.dump \
    -o patch.o >patch.log 2>&1 </dev/null || got_patch=no
  [ $got_plugin$got_patch = yesyes ] || return 0
  loops_and_calls plugin plugin.o plugin.dump
  loops_and_calls patch patch.o patch.dump
}

# alike WHAT: what both has found.
alike ()
{
  if [ $got_plugin$got_patch = yesyes ] && diff plugin.all patch.all >differ; then
    pass "$1"
  else
    fail "$1: plugin (<) and patch (>) differ" differ
  fi
}

# compare SOURCE
compare ()
{
  lang=$(language_of "$1")
  if [ "$lang" = fortran ] && [ ! -x "$prefix/bin/gfortran" ]; then
    return 0
  fi
  name=${1#"$top"/}
  set -- "$1" -O1 -fopenmp -foffload=disable -w -c -I"$top/libgomp/runtime" \
    -I"$top/benchmarks/kernels/common" -I"$top/testsuite/rules"
  [ "$lang" != fortran ] || set -- "$@" -J"$tmp"
  both "$arg-default=runtime" '' "$@"
  if [ $got_plugin != $got_patch ]; then
    fail "$name: plugin compiles it: $got_plugin, patch: $got_patch" plugin.log patch.log
    return 0
  fi
  # Newer than the compiler, or in need of modules and folders.
  if [ $got_plugin = no ]; then
    uncompiled=$((uncompiled + 1))
    return 0
  fi
  n=$(wc -l <plugin.loops)
  loops=$((loops + n))
  if [ "$n" = 0 ] && [ ! -s patch.loops ]; then
    return 0
  fi
  alike "$name: $n loops"
  # schedule(static) that may be replaced.
  both "$arg-default=runtime $arg-replace-static" -fopenmp-replace-static "$@"
  alike "$name: replace-static"
  replaceable=$((replaceable + $(grep -c 'explicit replaceable' plugin.loops || :)))
  # The opt-out, of which the calls say enough: the patch leaves its dump to the plugin.
  both "$arg-default=static" "$default=static" "$@"
  loop_calls plugin.o >plugin.all
  loop_calls patch.o >patch.all
  alike "$name: opt-out"
}

for prefix in $prefixes; do
  prefix=$(cd "$prefix" && pwd)
  version=$("$prefix/bin/gcc" -dumpfullversion)
  if [ -x "$prefix/lib/gomp-amp-cc1/cc1" ]; then
    # Against the host's compiler, which it stands in for.
    plain_cc=$CC plain_cxx=$CXX plain_fc=$FC
    alone=
  else
    # Against itself: with the opt-out the patch leaves to the plugin what has
    # no clause.
    plain_cc=$prefix/bin/gcc plain_cxx=$prefix/bin/g++
    plain_fc=$prefix/bin/gfortran
    alone=$default=static
  fi
  headers=$("$plain_cxx" -print-file-name=plugin)/include
  if ! [ -f "$headers/gcc-plugin.h" ]; then
    skip "GCC $version: no plugin headers"
    continue
  fi
  # By the compiler that has built the patched one.
  make -s -C "$top/plugin" CXX="$CXX" \
    plugin_headers="$headers" OUT="$tmp/plugin-$version" >"$tmp/log" 2>&1 || {
      fail "GCC $version: the plugin is not built" "$tmp/log"
      continue
    }
  plugin=$tmp/plugin-$version/gomp_amp_plugin.so
  loops=0 uncompiled=0 replaceable=0
  sources | sort >"$tmp/sources"
  while read -r source; do
    compare "$source"
  done <"$tmp/sources"
  echo "GCC $version: $loops loops, $uncompiled sources that it does not compile"
  # A comparison of nothing proves nothing.  Without libstdc++ no source in C++
  # is compiled.
  if [ "$loops" -ge 50 ] && [ "$replaceable" -ge 20 ]; then
    pass "GCC $version: enough loops"
  else
    fail "GCC $version: only $loops loops were compared, $replaceable replaceable"
  fi
done
finish
