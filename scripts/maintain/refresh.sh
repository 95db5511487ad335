#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# refresh.sh [--check]: writes gcc-patches/VERSION/libgomp anew from the
# commits of $BUILD/patched-tree, and gcc-patches/VERSION/gcc from those of
# $BUILD/patched-tree-gcc.  With --check it only says, by its status, whether
# that would change anything.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../build/lib.sh"
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
mode=${1:-}

# refresh PART TREE
refresh ()
{
  tree=$2
  version=$(cat "$tree/.git/gomp-amp-version")
  patches=$top/gcc-patches/$version/$1
  if [ -n "$(git -C "$tree" status --porcelain)" ]; then
    git -C "$tree" status --short >&2
    die "${tree#"$top"/} has changes that are not committed"
  fi
  series_files "$tree" "$BUILD/refresh.tmp"
  # Patches of the manual that the tree's source lacks stay as they are.
  for p in $(patches_of "$patches"); do
    if no_manual "$tree" "$p"; then
      cp "$p" "$BUILD/refresh.tmp/"
      printf '%s\n' "${p##*/}" >>"$BUILD/refresh.tmp/series"
    fi
  done
  if diff -r -q "$BUILD/refresh.tmp" "$patches" >/dev/null; then
    rm -rf "$BUILD/refresh.tmp"
    [ "$mode" = --check ] || say "gcc-patches/$version/$1 is up to date"
    return 0
  fi
  if [ "$mode" = --check ]; then
    rm -rf "$BUILD/refresh.tmp"
    exit 1
  fi
  replace "$BUILD/refresh.tmp" "$patches"
  say "gcc-patches/$version/$1: $(wc -l <"$patches/series") patches written"
}

found=no
for part in libgomp: gcc:-gcc; do
  dir=$BUILD/patched-tree${part#*:}
  [ -d "$dir/.git" ] || continue
  found=yes
  refresh "${part%:*}" "$dir"
done
[ "$found" = yes ] || die "there is no patched tree: make patched-tree"
