#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# symbols.sh: our libgomp.so.1 has every versioned symbol of the host's, of
# the same kind, and beyond them those of symbols.list.  A symbol that has been released stays (docs/develop/abi.md).
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
prefix=$stage
ours=$prefix/lib/libgomp.so.1
cc=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$prefix/bin/amp-gcc")
stock=$("$cc" -print-file-name=libgomp.so.1)
case $stock in
  /*) ;;
  *) echo "skip: the host has no libgomp.so.1"; exit 77 ;;
esac

defined "$stock" >"$tmp/stock"
defined "$ours" >"$tmp/ours"
n=$(wc -l <"$tmp/stock")
# A tool that printed nothing must not pass for equality.
[ "$n" -ge 100 ] || { echo "only $n symbols found in $stock"; exit 1; }

rc=0
# The host's may be of a later GCC (Ubuntu); the compiler's archive is not.
archive=$("$cc" -print-file-name=libgomp.a)
[ -f "$archive" ] || archive=$stock
nm -g --defined-only "$archive" 2>/dev/null | awk 'NF == 3 { print $3 }' >"$tmp/names"
[ -s "$tmp/names" ] || sed 's/@.*//' "$tmp/stock" >"$tmp/names"
comm -23 "$tmp/stock" "$tmp/ours" | awk -F @ 'NR == FNR { has[$1]; next } $1 in has' "$tmp/names" - >"$tmp/lost"
if [ -s "$tmp/lost" ]; then
  echo "symbols of $stock that ours lacks:"
  cat "$tmp/lost"
  rc=1
fi
comm -13 "$tmp/stock" "$tmp/ours" | sed 's/^/libgomp.so.1 /' >"$tmp/new"
list=$(dirname "$0")/symbols.list
grep '^libgomp' "$list" >"$tmp/recorded"
if ! sort "$tmp/new" | diff "$tmp/recorded" - >"$tmp/diff"; then
  echo "symbols that are not recorded in symbols.list (>), or gone (<):"
  cat "$tmp/diff"
  rc=1
fi
echo "$n symbols of $stock, $(wc -l <"$tmp/ours") of ours"

needs () { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort; }
soname () { readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'; }
[ "$(soname "$ours")" = "$(soname "$stock")" ] \
  || { echo "SONAME differs: $(soname "$ours")"; rc=1; }
needs "$stock" >"$tmp/needs-stock"
needs "$ours" >"$tmp/needs-ours"
comm -13 "$tmp/needs-stock" "$tmp/needs-ours" >"$tmp/needs-new"
[ ! -s "$tmp/needs-new" ] \
  || { echo "ours needs further libraries:"; cat "$tmp/needs-new"; rc=1; }
marks () { readelf -n "$1" | grep -o 'x86 feature: .*' || :; }
[ "$(marks "$ours")" = "$(marks "$stock")" ] \
  || { echo "CET marks differ: '$(marks "$ours")', stock '$(marks "$stock")'"; rc=1; }
exit $rc
