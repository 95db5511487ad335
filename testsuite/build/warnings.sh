#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# warnings.sh: GCC builds its libraries with -Wall -Werror, and so must ours be
# possible to, with weighted teams and where a version's hooks for them are absent.
# Each part of the runtime compiles by itself, and together they lack nothing of each other.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
set -- "$BUILD"/obj/*/libgomp/Makefile
obj=${1%/Makefile}
# What its makefile compiles with, but for words that are libtool's.
# shellcheck disable=SC2016 # a makefile expands it
command=$(printf 'include Makefile\nshow:\n\t@echo $(COMPILE)\n' \
	  | make -s --no-print-directory -C "$obj" -f - show \
	  | sed 's/ -Wc,[^ ]*//g')
source=$(sed -n 's/^abs_srcdir = //p' "$obj/Makefile")/work.c
rc=0
for flags in '' -DGOMP_AMP_NO_CREWS; do
  (cd "$obj" && eval "$command -O2 -Werror $flags -S -o /dev/null $source") \
    || { echo "FAIL: warnings ${flags:+with $flags}"; rc=1; }
done
for part in "$top"/libgomp/runtime/gomp-amp-*.c; do
  name=${part##*/}
  (cd "$obj" && eval "$command -fcommon -O0 -Werror -Wno-unused-function -Wno-unused-variable \
    -c $part -o $tmp/${name%.c}.o") || bad "$name does not compile by itself"
done
ld -r -z muldefs -o "$tmp/all" "$tmp"/*.o
! nm -u "$tmp/all" | grep ' gomp_amp_' || bad 'no part has these'
# So do the tools, of which some are one unit.
cd "$top/tools"
for unit in amp-emulate/*.c amp-run/*.c amp-info/amp-info.c amp-sim/amp-sim.c; do
  ${CC:-gcc} -std=gnu11 -O2 -Wall -Wextra -Werror -DAMP_VERSION='""' -I"$top/libgomp/core" \
    -I"$top/libgomp/sched" -I"$top/libgomp/machine" -I"${unit%/*}" -c "$unit" -o /dev/null \
    || bad "$unit has warnings"
done
exit $rc
