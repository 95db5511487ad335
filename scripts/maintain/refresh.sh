#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# refresh.sh [--check]: writes gcc-patches/RANGE/libgomp anew from the commits of
# $BUILD/patched-tree, and gcc-patches/RANGE/gcc from those of
# $BUILD/patched-tree-gcc.  A patch whose hunks are the same keeps its bytes,
# whatever lines they are at; those for other versions of the range stay.  With
# --check it only says, by its status, whether that would change anything.
set -eu
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
mode=${1:-}

# merge_series OLD NEW VERSION: the lines of NEW, with the ranges that OLD gives
# them, and in their old places those of OLD that do not hold for VERSION.
merge_series ()
{
  sed 's/#.*//' "$1" | while read -r ms_patch ms_range; do
    [ -n "$ms_patch" ] || continue
    if within "$3" "$ms_range"; then ms_held=1; else ms_held=0; fi
    printf '%s %s %s\n' "$ms_held" "$ms_patch" "$ms_range"
  done >"$2.old"
  awk 'NR == FNR { held[NR] = $1; name[NR] = $2; n = NR
		   line[NR] = $2 ($3 != "" ? " " $3 : "")
		   if ($1) range[$2] = $3; next }
       function others() { while (at < n && !held[at + 1]) print line[++at] }
       { others()
	 print $1 ($1 in range && range[$1] != "" ? " " range[$1] : "")
	 if (at < n) at++ }
       END { for (at++; at <= n; at++) if (!held[at]) print line[at] }' \
    "$2.old" "$2"
  rm "$2.old"
}

# refresh PART TREE
refresh ()
{
  tree=$2
  version=$(cat "$tree/.git/gomp-amp-version")
  patches=$(patches_for "$version")/$1
  if [ -n "$(git -C "$tree" status --porcelain)" ]; then
    git -C "$tree" status --short >&2
    die "${tree#"$top"/} has changes that are not committed"
  fi
  new=$BUILD/refresh.tmp
  series_files "$tree" "$new"
  for p in "$new"/*.patch; do
    old=$patches/${p##*/}
    if [ -f "$old" ] && [ "$(hunks "$p")" = "$(hunks "$old")" ]; then
      cp "$old" "$p"
    fi
  done
  # Patches of the manual that the tree's source lacks stay as they are.
  for p in $(series_of "$patches" "$version"); do
    if no_manual "$tree" "$p"; then
      cp "$p" "$new/"
      printf '%s\n' "${p##*/}" >>"$new/series"
    fi
  done
  merge_series "$patches/series" "$new/series" "$version" >"$new/merged"
  mv "$new/merged" "$new/series"
  while read -r p range; do
    within "$version" "$range" || cp "$patches/$p" "$new/"
  done <"$new/series"
  if diff -r -q "$new" "$patches" >/dev/null; then
    rm -rf "$new"
    [ "$mode" = --check ] || say "${patches#"$top"/} is up to date"
    return 0
  fi
  if [ "$mode" = --check ]; then
    rm -rf "$new"
    exit 1
  fi
  replace "$new" "$patches"
  say "${patches#"$top"/}: $(wc -l <"$patches/series") patches written"
}

found=no
for part in libgomp: gcc:-gcc; do
  dir=$BUILD/patched-tree${part#*:}
  [ -d "$dir/.git" ] || continue
  found=yes
  refresh "${part%:*}" "$dir"
done
[ "$found" = yes ] || die "there is no patched tree: make patched-tree"
