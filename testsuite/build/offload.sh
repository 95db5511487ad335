#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# offload.sh: our library looks for the same plugins of devices as the host's, as far as
# the compiler offloads to them: the host's library may be of a later GCC. Where
# the compiler for a device is installed (Debian: gcc-12-offload-nvptx), a region for one
# loads them as with the host's, and is right.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
prefix=${PREFIX_UNDER_TEST:-$BUILD/stage}
gcc=$prefix/bin/amp-gcc
host=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$gcc")
stock=$(dirname "$("$host" -print-file-name=libgomp.so.1)")
cd "$tmp"

cat >region.c <<'END'
#include <omp.h>
#include <stdio.h>
int
main (void)
{
  long sum = 0;
#pragma omp target teams distribute parallel for reduction (+:sum) map (tofrom: sum)
  for (int i = 0; i < 100000; i++)
    sum += i;
  printf ("%d %ld\n", omp_get_num_devices (), sum);
  return 0;
}
END

targets=$("$host" -v 2>&1 </dev/null | sed -n 's/^OFFLOAD_TARGET_NAMES=//p' | tr : ' ')
# Of lines, those of these plugins, and the program's.
ours_too ()
{
  grep -E "libgomp-plugin-($(echo "$targets" | sed 's/-[^ ]*//g;s/amdgcn/gcn/;s/ /|/g'))\$|^[0-9]" || :
}

# plugins LIBRARY PROGRAM: which are looked for, and which are found.
plugins ()
{
  LD_LIBRARY_PATH=$1 LD_DEBUG=files "$2" 2>log >said || { echo "$2 fails with $1"; return; }
  sed -n 's/.*file=\(libgomp-plugin-[a-z]*\).* \[0\];.*/\1/p' log | sort -u
  sed -n 's/.*calling init: .*\/\(libgomp-plugin-[a-z]*\).*/found \1/p' log | sort -u
  cat said
}

# alike OPTION...: with the host's library and ours.
alike ()
{
  "$gcc" -fopenmp "$@" region.c -o region || { bad "not compiled: $*"; return; }
  plugins "$stock" ./region | ours_too >host
  plugins "$prefix/lib" ./region >ours
  cmp -s host ours || { bad "not as with the host's ($*):"; diff host ours || :; }
  grep -q ' 4999950000$' ours || bad "the sum is wrong ($*): $(cat ours)"
}

alike -foffload=disable
[ -n "$targets" ] \
  || { [ "$rc" -eq 0 ] || exit 1; echo "skip: $host does not offload"; exit 77; }
grep -q libgomp-plugin ours || bad "no plugin is looked for"
for target in $targets; do
  if "$host" -fopenmp -foffload="$target" region.c -o try 2>log; then
    alike -foffload="$target"
    echo "$target: $(tr '\n' ' ' <ours)"
  else
    echo "$target: not tried: $(head -n 1 log)"
  fi
done
exit "$rc"
