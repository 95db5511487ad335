#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# refresh.sh [--check]: writes gcc-patches/VERSION/libgomp anew from the
# commits of $BUILD/patched-tree.  With --check it only says, by its status,
# whether that would change anything.
set -eu
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/git.sh
. "$(dirname "$0")/git.sh"
tree=$BUILD/patched-tree
[ -d "$tree/.git" ] || die "there is no patched tree: make patched-tree"
version=$(cat "$tree/.git/gomp-amp-version")
patches=$top/gcc-patches/$version/libgomp
if [ -n "$(git -C "$tree" status --porcelain)" ]; then
  git -C "$tree" status --short >&2
  die "build/patched-tree has changes that are not committed"
fi
series_files "$tree" "$BUILD/refresh.tmp"
if diff -r -q "$BUILD/refresh.tmp" "$patches" >/dev/null; then
  rm -rf "$BUILD/refresh.tmp"
  [ "${1:-}" = --check ] || say "gcc-patches/$version/libgomp is up to date"
  exit 0
fi
if [ "${1:-}" = --check ]; then
  rm -rf "$BUILD/refresh.tmp"
  exit 1
fi
replace "$BUILD/refresh.tmp" "$patches"
say "gcc-patches/$version/libgomp: $(wc -l <"$patches/series") patches written"
