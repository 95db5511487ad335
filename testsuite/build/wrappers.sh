#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# wrappers.sh: amp-gcc and its kin pass on what they are given, and add what
# they promise, only where they promise it.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
prefix=$stage
bin=$prefix/bin
real=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$bin/amp-gcc")
cd "$tmp"
unset AMP_CC AMP_CXX AMP_FC 2>/dev/null || :

# A compiler that prints its arguments, one a line, in brackets; it passes as
# the real one when asked for its version.
cat >"$tmp/fake gcc" <<END
#!/bin/sh
[ "\$*" != -dumpfullversion ] || exec $real -dumpfullversion
printf '[%s]\n' "\$@"
END
chmod +x "$tmp/fake gcc"
fake () { AMP_CC="$tmp/fake gcc" "$bin/amp-gcc" "$@"; }

# same WHAT ARG...: the arguments arrive as they are, behind the specs file.
same ()
{
  what=$1
  shift
  fake "$@" >got
  printf '[%s]\n' "-specs=$prefix/lib/gomp-amp/gomp-amp.specs" "$@" >want
  cmp -s want got || { bad "$what: arguments changed"; diff want got || :; }
}
# shellcheck disable=SC2016
same "no OpenMP" -c 'a b.c' -D'X="a b"' '-DY=$HOME' -o 'o "u" t'
same "an empty argument" -c a.c ''
same "questions" -print-file-name=libgomp.so
same "the version" --version
same "-v alone" -v -fopenmp
same "no input" -fopenmp -o x
same "a newline" -c 'a
b.c'
same "compile" -O2 -fopenmp -c "it's.c" -D'A=\"q\"' -o x.o
same "link" -fopenmp x.o 'y z.o' -lm -o x

# A variable that names the wrapper itself, as one of make's may: no endless chain.
timeout -s KILL 20 env AMP_CC="$bin/amp-gcc" "$bin/amp-gcc" --version >got \
  || bad "AMP_CC naming the wrapper"
# What the specs file makes of it: the commands that the driver would run.
: >a.c
: >a.o
: >a.f90
# drives WHAT WORDS ARG...: of ARGs it makes words that are +WORDS, and none that hold
# -WORDS; they stay in $words, one a line.
drives ()
{
  what=$1 wanted=$2
  shift 2
  said=$("$bin/amp-gcc" -### "$@" 2>&1) || bad "$what: status $?"
  case $said in
    *': error: '*) bad "$what: $said" ;;
  esac
  # What the driver repeats in variables is no command.
  words=$(printf '%s\n' "$said" | grep '^ ' | tr ' ' '\n' | tr -d '"')
  for word in $wanted; do
    case $word in
      +*) printf '%s\n' "$words" | grep -q -x -e "${word#+}" || bad "$what: no ${word#+}" ;;
      -*) ! printf '%s\n' "$words" | grep -q -e "${word#-}" || bad "$what: has ${word#-}" ;;
    esac
  done
}
# picked WHAT GOT WANTED
picked () { [ "$2" = "$3" ] || bad "$1: $words"; }
ours=$prefix/lib/gomp-amp
plugin=+-fplugin=$ours/gomp_amp_plugin.so
library=+-L$prefix/lib
arg=-fplugin-arg-gomp_amp_plugin
default=-fopenmp-default-schedule
drives "no OpenMP" "-$prefix" -c a.c
drives "no OpenMP, link" "-$prefix" a.c -o a
drives "compile" "$plugin +$ours/include -rpath -finclude" -fopenmp -c a.c
drives "compile and link" "$plugin +-rpath +--enable-new-dtags $library" -fopenmp a.c -o a
drives "folders" '' -fopenmp -isystem mine -c a.c
picked "the program's own folders come first" \
  "$(printf '%s\n' "$words" | sed -n '/^-isystem$/{n;p;}' | tr '\n' ' ')" \
  "mine $prefix/include $ours/include "
drives "libraries" '' -fopenmp -Lmine a.c -o a
picked "our library comes first" \
  "$(printf '%s\n' "$words" | grep -x -e -Lmine -e "${library#+}" | tr '\n' ' ')" \
  "${library#+} -Lmine "
drives "preprocess" "-fplugin -rpath" -fopenmp -E a.c
drives "dependencies" "-fplugin" -fopenmp -M a.c
drives "static link" "-rpath $library" -fopenmp -static a.o
drives "no final link" "-rpath" -fopenmp -r a.o
for o in -fopenacc -ftree-parallelize-loops=2 -lgomp; do
  drives "$o" "$library +-rpath" a.o $o
  drives "$o, compile" "-$prefix" -c a.c $o
done
drives "-fno-openmp last" "-fplugin -rpath" -fopenmp -fno-openmp a.c
drives "default-schedule=static" "+$arg-default=static -openmp-default-schedule" \
  -fopenmp $default=static -c a.c
drives "defaults" '' -fopenmp $default=static $default=runtime -c a.c
picked "the last one counts" "$(printf '%s\n' "$words" | grep -e -default= | tail -n 1)" \
  "$arg-default=runtime"
drives "two arguments" "+$arg-reproducible +$arg-warn" \
  -fopenmp -fopenmp-reproducible -Wopenmp-static-assumption -c a.c
drives "an argument" "+$arg-replace-static -^-fopenmp-replace-static" \
  -fopenmp -fopenmp-replace-static -c a.c
drives "taken back" "-$arg" -fopenmp -fopenmp-reproducible -Wopenmp-static-assumption \
  -fno-openmp-reproducible -fopenmp-replace-static -fno-openmp-replace-static \
  -Wno-openmp-static-assumption -c a.c
drives "without -fopenmp" "-gomp_amp" \
  -c a.c $default=static -fopenmp-reproducible -Wopenmp-static-assumption
echo "-fopenmp $default=free -O2 'a.c'" >resp
drives "response file" "$plugin +$arg-default=free" @resp -c
[ ! -x "$bin/amp-gfortran" ] \
  || drives "Fortran" "+-I$ours/finclude" -fopenmp -c a.f90
! "$bin/amp-gcc" -fopenmp -fopenmp-default-schedule=dynamic -c a.c 2>err \
  || bad "-fopenmp-default-schedule=dynamic is taken"
grep -q 'valid are .*runtime' err || bad "no message on a bad default: $(cat err)"
"$bin/amp-gcc" --amp-help | grep -q -e '-fopenmp-default-schedule=static' \
  || bad "--amp-help"
version=$(cat "$top/VERSION")
"$bin/amp-gcc" --amp-version | grep -q -F "(gomp-amp) $version, for GCC" \
  || bad "--amp-version"
for tool in amp-run amp-info amp-emulate amp-sim amp-trace; do
  "$bin/$tool" --version | grep -q -x -F "$tool (gomp-amp) $version" \
    || bad "$tool --version: $("$bin/$tool" --version)"
done

# Another version is refused with a message that says both.
printf '#!/bin/sh\necho 1.2.3\n' >other
chmod +x other
if AMP_CC=$tmp/other "$bin/amp-gcc" -c a.c 2>err; then
  bad "a compiler of another version is taken"
fi
grep -q '1\.2\.3' err || bad "the message on another version: $(cat err)"
[ "$("$bin/amp-gcc" -dumpfullversion)" = "$("$real" -dumpfullversion)" ] \
  || bad "-dumpfullversion"

# For real.
cat >t.c <<'END'
#include <omp.h>
#include <omp_amp.h>
#include <stdio.h>
int
main (void)
{
  int n = 0;
#pragma omp parallel for reduction(+:n)
  for (int i = 0; i <= N; i++)
    n += i;
  printf ("%d\n", n);
  return 0;
}
END
cat >t.cc <<'END'
#include <cstdio>
#include <omp_amp.h>
int
main ()
{
  long n = 0;
#pragma omp parallel for reduction(+:n)
  for (unsigned long i = 0; i <= 100; i++)
    n += i;
  std::printf ("%ld\n", n);
}
END
cat >t.f90 <<'END'
program t
  use omp_lib
  implicit none
  integer :: i, n
  n = 0
  !$omp parallel do reduction(+:n)
  do i = 1, 100
    n = n + i
  end do
  if (omp_get_max_threads () < 1) error stop
  print '(i0)', n
end program t
END
# check FILE: runs, on our library, and its loop takes OMP_SCHEDULE.
check ()
{
  got=$(OMP_SCHEDULE=aid_dynamic,1,5 "$limited" 60 "./$1") || bad "$1: status $?"
  [ "$got" = 5050 ] || bad "$1 prints '$got'"
}
dynamic ()
{
  check "$1"
  ldd "./$1" | grep -q "libgomp.so.1 => $prefix/lib/" || bad "$1: not our library"
  readelf -d "$1" | grep -q 'RUNPATH.*'"$prefix/lib" || bad "$1: no RUNPATH"
  readelf -W --dyn-syms "$1" | grep -q 'GOMP_loop_static_start' \
    || bad "$1: its loop has no run-time schedule"
}
# try NAME CMD...
try ()
{
  try_name=$1
  shift
  if "$@" -o "$try_name" >log 2>&1; then
    return 0
  fi
  cat log
  bad "$*"
  return 1
}
for o in -O0 -O2 '-O2 -flto'; do
  # shellcheck disable=SC2086 # several options
  {
    ! try c "$bin/amp-gcc" $o -fopenmp -DN=100 t.c || dynamic c
    ! try cxx "$bin/amp-g++" $o -fopenmp t.cc || dynamic cxx
    if [ -x "$bin/amp-gfortran" ]; then
      ! try f "$bin/amp-gfortran" $o -fopenmp t.f90 || dynamic f
    fi
  }
done
! try s "$bin/amp-gcc" -static -fopenmp -DN=100 t.c || check s
if nm s | grep -q ' [TtDdBb] .*gomp_amp_\|GOMP_AMP\|omp_amp_'; then :; else
  bad "the static program does not hold our libgomp.a"
fi
if try d "$bin/amp-gcc" -fopenmp-default-schedule=static -fopenmp -DN=100 t.c
then
  check d
  ! readelf -W --dyn-syms d | grep -q 'GOMP_.*_runtime' \
    || bad "-fopenmp-default-schedule=static leaves run-time schedules"
fi
# A plain file and a dependency file must name nothing of ours by accident.
"$bin/amp-gcc" -fopenmp -DN=100 -MMD -c t.c -o t.o
[ "$(tr -d '\\\n' <t.d | tr -s ' ')" = "t.o: t.c" ] || bad "-MMD: $(cat t.d)"
# Through a link in another folder.
mkdir else
ln -s "$bin/amp-gcc" else/cc
! try l else/cc -fopenmp -DN=100 t.c || dynamic l
# In a pipe.
echo 'int main (void) { return 0; }' | "$bin/amp-gcc" -fopenmp -x c - -o p \
  || bad "source from a pipe"
# LD_LIBRARY_PATH still wins.
stock=$("$real" -print-file-name=libgomp.so.1)
if [ -f "$stock" ]; then
  LD_LIBRARY_PATH=$(dirname "$(readlink -f "$stock")") ldd ./c \
    | grep -q "libgomp.so.1 => $prefix" && bad "RUNPATH beats LD_LIBRARY_PATH"
fi
exit $rc
