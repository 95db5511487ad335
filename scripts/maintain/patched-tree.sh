#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# patched-tree.sh: makes $BUILD/patched-tree, a git tree of libgomp's source
# with the series of patches as commits above the tag "base".  Our own files
# are links into libgomp/ of this repository, which git ignores there.  The
# compiler's series has a tree of its own, $BUILD/patched-tree-gcc, which holds
# the patched files and few others: enough to edit, not to build.
set -eu
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
locked "$@"
find_cc
tree=$BUILD/patched-tree
command -v git >/dev/null 2>&1 || die "git is missing; as root: apt-get install git"

if [ -d "$tree" ] || [ -d "$tree-gcc" ]; then
  "$top/scripts/maintain/refresh.sh" --check \
    || die "build/patched-tree* holds changes: make refresh, or remove it"
fi
# tree_of PART TREE
tree_of ()
{
  series_tree "$BUILD/src/gcc-$version" "$patches/$1" "$2.tmp" "$version"
  for f in $3; do
    [ -e "$f" ] || continue
    ln -s "$f" "$2.tmp/$1/${f##*/}"
    echo "/$1/${f##*/}" >>"$2.tmp/.git/info/exclude"
  done
  printf '%s\n' "$version" >"$2.tmp/.git/gomp-amp-version"
  replace "$2.tmp" "$2"
  say "${2#"$top"/}: $(git -C "$2" rev-list --count base..) commits above base"
}
tree_of libgomp "$tree" "$(echo "$top"/libgomp/*/*.[ch])"
if [ -n "$(series_of "$patches/gcc" "$version")" ]; then
  if [ -f "$BUILD/src/gcc-$version/gcc/c-family/c.opt" ]; then
    tree_of gcc "$tree-gcc" "$top/plugin"
  else
    say "this source holds no compiler: no ${tree#"$top"/}-gcc"
  fi
fi
