#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# without-plugin.sh: where GCC has no headers for plugins there is a library and a
# compiler that links with it, and the user is told.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
unset AMP_CC AMP_CXX AMP_FC MAKEFLAGS MAKELEVEL 2>/dev/null || :

# All but the last stage is there already.
mkdir "$tmp/build"
cp -R "$BUILD/libgomp-inst" "$BUILD/tools" "$BUILD/stamp" "$tmp/build/"
(cd "$top" && BUILD="$tmp/build" PLUGIN_HEADERS=none scripts/build/stage.sh) \
  >"$tmp/log" 2>&1 || { bad "it is not built"; cat "$tmp/log"; exit 1; }
grep -q 'gcc-[0-9]*-plugin-dev.*stay static' "$tmp/log" \
  || { bad "nobody is told"; cat "$tmp/log"; }
gcc=$tmp/build/stage/bin/amp-gcc
"$gcc" --amp-help | grep -q 'built without the plugin' || bad "--amp-help is silent"

cat >"$tmp/sum.c" <<'END'
#include <stdio.h>
int
main (void)
{
  long sum = 0;
#pragma omp parallel for reduction (+:sum)
  for (int i = 0; i < 100; i++)
    sum += i;
#pragma omp parallel for schedule (runtime) reduction (+:sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  printf ("%ld\n", sum);
}
END
"$gcc" -O1 -fopenmp -fopenmp-default-schedule=static "$tmp/sum.c" -o "$tmp/sum" \
  || bad "it does not compile"
[ "$(OMP_NUM_THREADS=2 OMP_SCHEDULE=aid_static GOMP_AMP_REPORT=1 "$tmp/sum" 2>"$tmp/report")" = 9900 ] \
  || bad "a wrong sum"
grep -q aid_static "$tmp/report" || { bad "not our library"; cat "$tmp/report"; }

# What only the plugin can do is refused.
for option in -fopenmp-default-schedule=free -fopenmp-replace-static; do
  if "$gcc" -fopenmp "$option" -c "$tmp/sum.c" -o "$tmp/sum.o" 2>"$tmp/log"; then
    bad "$option is taken"
  fi
  grep -q -e "${option%=*} needs the plugin" "$tmp/log" \
    || { bad "$option: no reason given"; cat "$tmp/log"; }
done
exit $rc
