# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # what is set here is used elsewhere
# What this suite's drivers share.  They work in $tmp.
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
# The others are named as CC is: gcc-15, g++-15.
CC=${CC:-gcc}
named () { printf '%s\n' "$CC" | sed "s/\(.*\)gcc/\1$1/"; }
CXX=${CXX:-$(named g++)} FC=${FC:-$(named gfortran)}
unset OMP_SCHEDULE OMP_NUM_THREADS GOMP_CPU_AFFINITY LD_LIBRARY_PATH LD_PRELOAD \
  GCC_EXEC_PREFIX COMPILER_PATH
arg=-fplugin-arg-gomp_amp_plugin
default=-fopenmp-default-schedule
specs=$top/plugin/gomp-amp.specs
cd "$tmp" || exit

pass () { passed=$((passed + 1)); [ -z "${V:-}" ] || echo "PASS: $1"; }
# fail WHAT [FILE...]: the files say why.
fail () { failed=$((failed + 1)); echo "FAIL: $1"; shift; [ $# = 0 ] || cat "$@"; }
equals () { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1: \`$2' instead of \`$3'"; fi; }

# same WHAT: the files got and want, and there is something in them.
same ()
{
  if [ -s want ] && cmp -s want got; then
    pass "$1"
  else
    diff want got >log || :
    fail "$1" log
  fi
}

# make_plugin [STAGE]: a home with a plugin, STAGE's or built here, and no library, so
# that programs get the stock libgomp.
make_plugin ()
{
  if ! command -v "$CXX" >/dev/null \
     || ! [ -f "$("$CXX" -print-file-name=plugin)/include/gcc-plugin.h" ]; then
    skip "no plugin headers for $CXX"
    finish
  fi
  AMP_GCC_HOME=$tmp/home AMP_GCC_BOARD=$tmp/none
  export AMP_GCC_HOME AMP_GCC_BOARD
  plugin=$AMP_GCC_HOME/lib/gomp-amp/gomp_amp_plugin.so
  if [ -n "${1:-}" ]; then
    mkdir -p "${plugin%/*}"
    cp "$1/lib/gomp-amp/gomp_amp_plugin.so" "$plugin"
  else
    make -s -C "$top/plugin" CXX="$CXX" OUT="${plugin%/*}"
  fi
}

# language_of SOURCE
language_of ()
{
  case $1 in
    *.c) echo c ;;
    *.cc|*.cpp|*.C) echo c++ ;;
    *) echo fortran ;;
  esac
}

# compiler_of SOURCE
compiler_of ()
{
  case $(language_of "$1") in
    c) echo "$CC" ;;
    c++) echo "$CXX" ;;
    *) echo "$FC" ;;
  esac
}

# fit SOURCE: a copy of this suite's, without what is for later compilers than CC:
# from a line with `#if __GNUC__ >= N' to one with `#endif'.  Prints its name.
fit ()
{
  mkdir -p "$tmp/fit"
  awk -v version="$("$CC" -dumpversion)" '
	/#if __GNUC__ >= / { off = $NF + 0 > version + 0; $0 = "" }
	/#endif/ { off = 0; $0 = "" }
	{ print off ? "" : $0 }' "$here/$1" >"$tmp/fit/$1"
  cp "$here/check.h" "$tmp/fit/"
  printf '%s\n' "$tmp/fit/$1"
}

# loop_calls OBJECT: the loop entry points it calls, one a line.
loop_calls () { nm -u "$1" | sed -n 's/^ *U \(GOMP_[a-z_]*loop[a-z_]*\).*/\1/p' | sort -u; }

# wanted SOURCE: what its comments say, as `line decision'.
wanted ()
{
  awk '{ n = split ($0, part, "amp: ")
	 for (i = 2; i <= n; i++)
	   { sub (/ *\*\/.*/, "", part[i]); sub (/ *$/, "", part[i])
	     print NR, part[i] } }' "$1"
}

# given SOURCE MARKS: the dump on standard input in that form, with the directives'
# lines, which are in MARKS.  The C front end gives a loop the line of its directive,
# C++ that or the for statement's, Fortran one up to the end of the body.
given ()
{
  sed 's/;.*//; s/^.*:\([0-9]*\): /\1 /; s/ any order$/ converted/; s/ ascending$/ converted/
       s/\(static: [^:]*\):.*/\1/' \
    | case $1 in
	*.c) cat ;;
	*) awk 'NR == FNR { line[n++] = $1; next }
		{ for (i = n - 1; i > 0 && line[i] > $1; i--) ;
		  $1 = line[i]; print }' "$2" - ;;
      esac
}
