#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# try-gcc.sh PREFIX: a smoke test of a GCC that build-gcc.sh has installed.  In
# each language libgomp begins a loop without a schedule clause, the opt-out has
# the compiler divide it, and the program has the right result under every schedule.  Where a language's library is lacking (GCC_LIBRARIES=no)
# its programs are compiled only.  A quick one is run with $BUILD/stage's libgomp,
# or with the host's, which knows OpenMP's own schedules only.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# = 1 ] || die "usage: try-gcc.sh PREFIX"
prefix=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset OMP_SCHEDULE OMP_NUM_THREADS OMP_PROC_BIND GOMP_CPU_AFFINITY \
  LD_LIBRARY_PATH GOMP_AMP_TYPES GOMP_AMP_REPLACE
[ -f "$prefix/lib/gomp-amp-gcc" ] || die "$prefix holds no GCC of ours"
schedules='static static,3 dynamic,2 guided auto nonmonotonic:dynamic'
amp='aid_static aid_hybrid,80 aid_dynamic,1,5 ich steal binlpt'
if [ -f "$prefix/lib/gomp-amp-cc1/cc1" ]; then
  # $BUILD may be the repository's, or build-gcc.sh's folder in it.
  for d in "$stage" "${BUILD%/gcc-*}/stage"; do
    if [ -f "$d/lib/libgomp.so.1" ]; then
      LD_LIBRARY_PATH=$d/lib
      export LD_LIBRARY_PATH
      schedules="$schedules $amp"
      break
    fi
  done
else
  schedules="$schedules $amp"
fi

cat >"$tmp/t.c" <<'END'
#include <stdio.h>
int
main (void)
{
  static int a[1000];
  int i, bad = 0;
#pragma omp parallel for num_threads (4)
  for (i = 0; i < 1000; i++)
    a[i] += i;
  for (i = 0; i < 1000; i++)
    bad += a[i] != i;
  if (bad)
    printf ("%d wrong\n", bad);
  return bad != 0;
}
END
cp "$tmp/t.c" "$tmp/t.cc"
cat >"$tmp/t.f90" <<'END'
program t
  implicit none
  integer :: a(1000), i
  a = 0
  !$omp parallel do num_threads (4)
  do i = 1, 1000
    a(i) = a(i) + i
  end do
  !$omp end parallel do
  if (any (a /= [(i, i = 1, 1000)])) error stop
end program
END

# begun PROGRAM: libgomp begins its loop; the entry point says static to any other
# OpenMP library.
begun () { nm -u "$1" | grep -q GOMP_loop_static_start; }

for c in gcc:t.c g++:t.cc gfortran:t.f90; do
  cc=$prefix/bin/${c%:*}
  src=$tmp/${c#*:}
  [ -x "$cc" ] || continue
  links=yes
  case $c in
    g++:*) library=libstdc++.so ;;
    gfortran:*) library=libgfortran.so ;;
    *) library='' ;;
  esac
  if [ -n "$library" ] \
     && [ "$("$cc" "-print-file-name=$library")" = "$library" ]; then
    links=no
  fi
  # build OPTION...: $tmp/p, an object where nothing can be linked.
  build ()
  {
    if [ $links = yes ]; then
      "$cc" -O2 -fopenmp -o "$tmp/p" "$@" "$src"
    else
      "$cc" -O2 -fopenmp -c -o "$tmp/p" "$@" "$src"
    fi
  }
  works () { [ $links = no ] || timeout 60 "$tmp/p"; }
  build
  begun "$tmp/p" || die "${c%:*}: libgomp does not begin a loop without a schedule clause"
  for s in unset $schedules; do
    if [ "$s" = unset ]; then
      works || die "${c%:*}: a wrong result"
    else
      (OMP_SCHEDULE=$s; export OMP_SCHEDULE; works) >"$tmp/out" 2>&1 \
	|| { cat "$tmp/out"; die "${c%:*}: a wrong result under $s"; }
      [ ! -s "$tmp/out" ] || { cat "$tmp/out"; die "${c%:*}: $s"; }
    fi
  done
  build -fopenmp-default-schedule=static
  ! begun "$tmp/p" || die "${c%:*}: -fopenmp-default-schedule=static has no effect"
  works || die "${c%:*}: a wrong result under the opt-out"
  if "$cc" -fopenmp -fopenmp-default-schedule=dynamic -c -o "$tmp/o" "$src" \
     2>"$tmp/out" || ! grep -q 'runtime.*static' "$tmp/out"; then
    die "${c%:*}: -fopenmp-default-schedule=dynamic is not refused"
  fi
  build -flto
  works || die "${c%:*}: a wrong result with -flto"
  said="${said:-}${said:+, }${c%:*}"
  [ $links = yes ] || said="$said (not linked)"
done
[ -n "${said:-}" ] || die "no compiler in $prefix/bin"
say "$said: loops without a schedule clause obey OMP_SCHEDULE ($schedules)"
