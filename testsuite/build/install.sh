#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh: an installation works, also after it was moved; installing again
# replaces it, and uninstalling removes it and nothing else.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
cd "$tmp"

PREFIX=$tmp/opt/amp
export PREFIX
mkdir -p "$PREFIX/bin"
echo mine >"$PREFIX/bin/mine"
"$top/scripts/build/install.sh" install >log || { cat log; exit 1; }
cat >t.c <<'END'
#include <stdio.h>
int
main (void)
{
  int n = 0;
#pragma omp parallel for reduction(+:n)
  for (int i = 0; i <= 100; i++)
    n += i;
  printf ("%d\n", n);
  return 0;
}
END
# works PREFIX
works ()
{
  "$1/bin/amp-gcc" -fopenmp t.c -o t || bad "$1: amp-gcc: status $?"
  ldd ./t | grep -q "libgomp.so.1 => $1/lib/" || bad "$1: not its library"
  [ "$(./t)" = 5050 ] || bad "$1: the program's result"
  readelf -W --dyn-syms t | grep -q GOMP_loop_static_start || bad "$1: no plugin"
  "$1/bin/amp-run" -q -s static ./t >/dev/null || bad "$1: amp-run: status $?"
}
works "$PREFIX"
case $BUILD in
  /*) stage=$BUILD/stage ;;
  *) stage=$top/$BUILD/stage ;;
esac
grep -rlI "$stage" "$PREFIX" | grep -v '\.f90$' >named || :
[ ! -s named ] || bad "files that name the build folder: $(cat named)"
cc=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$PREFIX/bin/amp-gcc")
AMP_GCC_HOME=$PREFIX AMP_GCC_BOARD=$PREFIX \
  "$cc" -specs="$PREFIX/lib/gomp-amp/gomp-amp.specs" -fopenmp t.c -o specs
ldd ./specs | grep -q "libgomp.so.1 => $PREFIX/lib/" || bad "the specs file"

mv opt/amp "moved"
works "$tmp/moved"
mv moved 'a b'
! 'a b/bin/amp-gcc' t.c 2>log || bad "amp-gcc works at a path with a blank"
grep -q 'in no folder with blanks' log || bad "a path with a blank: $(cat log)"
mv 'a b' opt/amp

# A file of an older version goes away; a stranger's stays.
echo old >"$PREFIX/share/old-file"
echo share/old-file >>"$PREFIX/lib/gomp-amp/manifest"
"$top/scripts/build/install.sh" install >log || { cat log; exit 1; }
[ ! -e "$PREFIX/share/old-file" ] || bad "an older version's file is still there"
works "$PREFIX"
"$top/scripts/build/install.sh" uninstall >log || { cat log; bad "uninstall"; }
[ "$(find opt)" = "$(printf '%s\n' opt opt/amp opt/amp/bin opt/amp/bin/mine)" ] \
  || bad "after uninstall: $(find opt)"
! "$top/scripts/build/install.sh" uninstall >log 2>&1 || bad "uninstalled twice"

DESTDIR=$tmp/dest PREFIX=/usr/local/amp "$top/scripts/build/install.sh" install >log
[ -x dest/usr/local/amp/bin/amp-gcc ] || bad "DESTDIR"
! grep -rlI "$tmp\|$stage" dest | grep -v '\.f90$' || bad "these files name DESTDIR"
for prefix in relative "$tmp/a:b" "$tmp/a b"; do
  for what in install check; do
    ! PREFIX=$prefix "$top/scripts/build/install.sh" $what >log 2>&1 || bad "PREFIX=$prefix: $what"
  done
done
for prefix in / /usr /usr/local/; do
  ! DESTDIR=$tmp/system PREFIX=$prefix "$top/scripts/build/install.sh" install >log 2>&1 \
    || bad "the system's $prefix is taken"
done
exit $rc
