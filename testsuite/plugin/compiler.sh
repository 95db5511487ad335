#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compiler.sh: a patched GCC (make gcc) and the plugin decide alike for every
# loop, and call the same entry points, under both defaults.  The sources are
# this suite's and the benchmarks'; with AMP_CORPUS=gcc libgomp.amp's and GCC's own
# libgomp tests too.  COMPILER names the prefix of a patched GCC; without it
# those that `make gcc' has installed are tried.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
case ${BUILD:=build} in
  /*) ;;
  *) BUILD=$top/$BUILD ;;
esac
unset OMP_SCHEDULE GCC_EXEC_PREFIX COMPILER_PATH
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d "${TMPDIR:-/tmp}/gomp-amp-compiler.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0 skipped=0
pass () { passed=$((passed + 1)); [ -z "${V:-}" ] || echo "PASS: $1"; }
fail () { failed=$((failed + 1)); echo "FAIL: $1"; shift; [ $# = 0 ] || cat "$@"; }

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
  find "$here" "$top/benchmarks" -type f \
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

# calls OBJECT: the loop entry points that it calls.
calls () { nm -u "$1" | sed -n 's/^ *U \(GOMP_[a-z_]*loop[a-z_]*\).*/\1/p' | sort -u; }

arg=-fplugin-arg-gomp_amp_plugin
# decisions: of a dump, one line per loop.
decisions ()
{
  grep -E '^[^ ]*:[0-9]+: (runtime|static|explicit) [a-z0-9-]+(;.*)?$' "$1" || :
}

# compare SOURCE
compare ()
{
  case $1 in
    *.c) lang=c ;;
    *.cc|*.cpp|*.C) lang=c++ ;;
    *) lang=fortran ;;
  esac
  if [ "$lang" = fortran ] && [ ! -x "$prefix/bin/gfortran" ]; then
    return 0
  fi
  name=${1#"$top"/}
  rm -f "$tmp"/plugin.* "$tmp"/patch.*
  set -- "$1" -O1 -fopenmp -foffload=disable -w -c -I"$top/libgomp/runtime" \
    -I"$top/benchmarks/kernels/common"
  [ "$lang" != fortran ] || set -- "$@" -J"$tmp"
  : >"$tmp/plugin.dump"
  : >"$tmp/patch.dump"
  got_plugin=yes got_patch=yes
  with_plugin "$lang" "$@" $arg-default=runtime $arg-dump="$tmp/plugin.dump" \
    -o "$tmp/plugin.o" >"$tmp/plugin.log" 2>&1 </dev/null || got_plugin=no
  # GCC 8 takes a hyphen in the dump's name for the next option of the dump.
  (cd "$tmp" \
   && with_patch "$lang" "$@" -fdump-tree-omplower-details=patch.dump \
	-o "$tmp/patch.o") >"$tmp/patch.log" 2>&1 </dev/null || got_patch=no
  if [ $got_plugin != $got_patch ]; then
    fail "$name: plugin compiles it: $got_plugin, patch: $got_patch" \
      "$tmp/plugin.log" "$tmp/patch.log"
    return 0
  fi
  # Newer than the compiler, or in need of modules and folders.
  if [ $got_plugin = no ]; then
    uncompiled=$((uncompiled + 1))
    return 0
  fi
  decisions "$tmp/plugin.dump" | sort >"$tmp/plugin.loops"
  decisions "$tmp/patch.dump" | sort >"$tmp/patch.loops"
  n=$(wc -l <"$tmp/plugin.loops")
  loops=$((loops + n))
  if [ "$n" = 0 ] && [ ! -s "$tmp/patch.loops" ]; then
    return 0
  fi
  calls "$tmp/plugin.o" >>"$tmp/plugin.loops"
  calls "$tmp/patch.o" >>"$tmp/patch.loops"
  if diff "$tmp/plugin.loops" "$tmp/patch.loops" >"$tmp/diff"; then
    pass "$name: $n loops"
  else
    fail "$name: plugin (<) and patch (>) differ" "$tmp/diff"
  fi
  # schedule(static) that may be replaced.
  : >"$tmp/plugin.dump"
  : >"$tmp/patch.dump"
  with_plugin "$lang" "$@" $arg-default=runtime $arg-replace-static \
    $arg-dump="$tmp/plugin.dump" -o "$tmp/plugin.o" >"$tmp/log" 2>&1 </dev/null
  (cd "$tmp" \
   && with_patch "$lang" "$@" -fopenmp-replace-static \
	-fdump-tree-omplower-details=patch.dump -o "$tmp/patch.o") \
    >"$tmp/log" 2>&1 </dev/null
  decisions "$tmp/plugin.dump" | sort >"$tmp/plugin.loops"
  decisions "$tmp/patch.dump" | sort >"$tmp/patch.loops"
  replaceable=$((replaceable + $(grep -c 'explicit replaceable' "$tmp/plugin.loops" || :)))
  calls "$tmp/plugin.o" >>"$tmp/plugin.loops"
  calls "$tmp/patch.o" >>"$tmp/patch.loops"
  if diff "$tmp/plugin.loops" "$tmp/patch.loops" >"$tmp/diff"; then
    pass "$name: replace-static"
  else
    fail "$name, replace-static: plugin (<) and patch (>) differ" "$tmp/diff"
  fi
  # The opt-out.
  with_plugin "$lang" "$@" $arg-default=static -o "$tmp/plugin.o" \
    >"$tmp/log" 2>&1 </dev/null
  with_patch "$lang" "$@" -fopenmp-default-schedule=static -o "$tmp/patch.o" \
    >"$tmp/log" 2>&1 </dev/null
  calls "$tmp/plugin.o" >"$tmp/plugin.calls"
  calls "$tmp/patch.o" >"$tmp/patch.calls"
  if diff "$tmp/plugin.calls" "$tmp/patch.calls" >"$tmp/diff"; then
    pass "$name: opt-out"
  else
    fail "$name, opt-out: plugin (<) and patch (>) differ" "$tmp/diff"
  fi
}

for prefix in $prefixes; do
  prefix=$(cd "$prefix" && pwd)
  version=$("$prefix/bin/gcc" -dumpfullversion)
  if [ -x "$prefix/lib/gomp-amp-cc1/cc1" ]; then
    # Against the host's compiler, which it stands in for.
    plain_cc=${CC:-gcc} plain_cxx=${CXX:-g++} plain_fc=${FC:-gfortran}
    alone=
  else
    # Against itself: with the opt-out the patch leaves to the plugin what has
    # no clause.
    plain_cc=$prefix/bin/gcc plain_cxx=$prefix/bin/g++
    plain_fc=$prefix/bin/gfortran
    alone=-fopenmp-default-schedule=static
  fi
  headers=$("$plain_cxx" -print-file-name=plugin)/include
  if ! [ -f "$headers/gcc-plugin.h" ]; then
    echo "skip: GCC $version: no plugin headers"
    skipped=$((skipped + 1))
    continue
  fi
  # By the compiler that has built the patched one.
  make -s -C "$top/plugin" CXX="${CXX:-g++}" \
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
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
