#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# patch-source.sh: assembles $BUILD/patched/gcc-VERSION: the source, the
# series of its range, gcc-patches/*/libgomp, and our files of libgomp/.  With
# WHOLE=yes (get-source.sh) also the series gcc-patches/*/gcc and its files.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
locked "$@"
find_cc
src=$BUILD/src/gcc-$version
dest=$BUILD/patched/gcc-$version
tmp=$dest.tmp
WHOLE=${WHOLE:-no}
parts=libgomp
[ "$WHOLE" = no ] || parts='libgomp gcc'

list=
for part in $parts; do
  for p in $(series_of "$patches/$part" "$version"); do
    [ -f "$p" ] || die "$patches/$part/series names ${p##*/}, which is not there"
    # Distributions with freedoms of their own leave GCC's manual out.
    if no_manual "$src" "$p"; then
      continue
    fi
    list="$list $p"
  done
done
# shellcheck disable=SC2086 # no blanks in the names: lib.sh refuses them
key=$({ cat "$stamps/source"; files_digest "$0" $list; } | digest)

# ours TREE: bring our files there; those that are equal keep their times, so
# that make rebuilds no more than it has to.
ours ()
{
  for f in "$top"/libgomp/*/*.[ch]; do
    [ -f "$f" ] || continue
    cmp -s "$f" "$1/libgomp/${f##*/}" || cp "$f" "$1/libgomp/${f##*/}"
  done
  if [ "$WHOLE" != no ]; then
    # How plugin and patched compiler decide about a loop.
    mkdir -p "$1/gcc/plugin/rules"
    for f in "$top"/plugin/*.h "$top"/plugin/rules/*.h; do
      ours_to=$1/gcc/${f#"$top"/}
      cmp -s "$f" "$ours_to" || cp "$f" "$ours_to"
    done
  fi
  # A file of ours that is gone must not linger.
  if [ -f "$1/.ours" ]; then
    while read -r f; do
      set -- "$1" "$top"/libgomp/*/"$f"
      [ -f "$2" ] || rm -f "$1/libgomp/$f"
    done <"$1/.ours"
  fi
  for f in "$top"/libgomp/*/*.[ch]; do
    [ ! -f "$f" ] || printf '%s\n' "${f##*/}"
  done >"$1/.ours"
}

# refuse PATCH: it does not apply; which hunks do not, and what to do.
refuse ()
{
  find "$tmp" -name '*.rej' | while read -r f; do
    f=${f#"$tmp"/}
    echo "what does not apply to ${f%.rej}:"
    grep -e '^@@' -e '^[-+]' "$tmp/$f" | sed -n '3,12p'
  done
  echo "GCC $version is in the range of ${patches#"$top"/}, but $1 does not" \
       "apply to its source; make port carries it over (docs/develop/gcc.md)"
  return 1
}

if ! { fresh patched "$key" && [ -d "$dest" ]; }; then
  apply ()
  {
    rm -rf "$tmp"
    mkdir -p "$BUILD/patched"
    # Links, since the whole is large: patch and cmp do not write into files.
    if [ "$WHOLE" = no ] || ! cp -pRl "$src" "$tmp"; then
      rm -rf "$tmp"
      cp -pR "$src" "$tmp"
    fi
    for p in $list; do
      echo "-- $p"
      # The manual changes with every release; a compiler does without.
      case $p in
	*-doc-*)
	  patch -s -d "$tmp" -p1 --fuzz=0 --dry-run <"$p" || continue ;;
      esac
      patch -d "$tmp" -p1 --fuzz=0 --no-backup-if-mismatch <"$p" || refuse "$p"
    done
    # Generated files (configure, Makefile.in) must look newer than what they
    # come from, or make would run autotools.
    for f in aclocal.m4 configure config.h.in Makefile.in; do
      sleep 0.02
      touch "$tmp/libgomp/$f" "$tmp/libgomp/testsuite/$f" 2>/dev/null || :
      [ -f "$src/libgomp/testsuite/$f" ] || rm -f "$tmp/libgomp/testsuite/$f"
    done
    # Files that come out as they were keep their times.
    if [ -d "$dest" ]; then
      (cd "$tmp" && find gcc libgomp -type f -newer "$src/.complete") \
	| while read -r f; do
	    if cmp -s "$tmp/$f" "$dest/$f"; then
	      touch -r "$dest/$f" "$tmp/$f"
	    fi
	  done
    fi
  }
  logged patch "patching $([ "$WHOLE" = no ] && echo libgomp || echo GCC) $version" \
	 apply
  ours "$tmp"
  replace "$tmp" "$dest"
  stamp patched "$key"
else
  ours "$dest"
fi
