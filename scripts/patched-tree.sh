#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# patched-tree.sh: makes $BUILD/patched-tree, a git tree of libgomp's source
# with the series of patches as commits above the tag "base".  Our own files
# are links into libgomp/ of this repository, which git ignores there.
set -eu
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/git.sh
. "$(dirname "$0")/git.sh"
locked "$@"
find_cc
tree=$BUILD/patched-tree
command -v git >/dev/null 2>&1 || die "git is missing; as root: apt-get install git"

if [ -d "$tree" ]; then
  "$top/scripts/refresh.sh" --check \
    || die "build/patched-tree holds changes: make refresh, or remove it"
fi
series_tree "$BUILD/src/gcc-$version" \
	    "$top/gcc-patches/$version/libgomp" "$tree.tmp"
for f in "$top"/libgomp/*.[ch]; do
  [ -f "$f" ] || continue
  ln -s "$f" "$tree.tmp/libgomp/${f##*/}"
  echo "/libgomp/${f##*/}" >>"$tree.tmp/.git/info/exclude"
done
printf '%s\n' "$version" >"$tree.tmp/.git/gomp-amp-version"
replace "$tree.tmp" "$tree"
say "${tree#"$top"/}: $(git -C "$tree" rev-list --count base..) commits above base"
