#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pkgconfig.sh: what pkg-config says lets a plain GCC compile a program that uses
# omp_amp.h and link it with our library, also where the installation was moved to.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../../scripts/build/lib.sh"
command -v pkg-config >/dev/null || { echo "no pkg-config"; exit 77; }
[ -d "$stage/lib/pkgconfig" ] || { echo "no $stage: run make first"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
find_cc
cp -R "$stage" "$tmp/moved"
cat >"$tmp/t.c" <<'C'
#include <omp_amp.h>
int
main (void)
{
  return gomp_amp_get_num_core_types () < 1;
}
C
unset PKG_CONFIG_PATH PKG_CONFIG_LIBDIR
for prefix in "$stage" "$tmp/moved"; do
  PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig
  export PKG_CONFIG_LIBDIR
  [ "$(pkg-config --modversion gomp-amp)" = "$amp_version" ]
  # shellcheck disable=SC2046 # lists of options
  $host_cc -fopenmp $(pkg-config --cflags gomp-amp) "$tmp/t.c" -o "$tmp/t" \
    $(pkg-config --libs gomp-amp)
  ldd "$tmp/t" >"$tmp/ldd"
  found=$(sed -n 's/.*libgomp.so.1 => \([^ ]*\).*/\1/p' "$tmp/ldd")
  [ "$(readlink -f "$found")" = "$(readlink -f "$prefix/lib/libgomp.so.1")" ]
  "$tmp/t"
done
