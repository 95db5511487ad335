#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# port.sh: carries libgomp's series of patches to GCC TO.  Where the series of the
# nearest range applies to its source without fuzz, that range is extended to it.
# Where not, the series is merged with the changes since GCC FROM, three-way; if
# that conflicts it stops; the merge is then finished by hand in $BUILD/TO/port,
# and port.sh, run again, goes on.  It writes gcc-patches/N/libgomp, or, where TO
# is in a range already, $BUILD/TO/series, for patches of their own there.
#   FROM, TO: versions, as 14.2.0; FROM: the newest release of the range.
#   GCC_SRC: TO's source, a folder or a tarball (else as for a build); FROM_SRC:
#   FROM's.
set -eu
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
[ -n "${TO:-}" ] \
  || die "usage: make port TO=VERSION [GCC_SRC=...] [FROM=VERSION] [FROM_SRC=...]"
locked "$@"
command -v git >/dev/null 2>&1 || die "git is missing; as root: apt-get install git"
LIMIT=${LIMIT:-300}

# The range: TO's own, else the newest before it, else the oldest.
range=
if old=$(patches_for "$TO"); then
  range=${old##*/}
  served=yes
else
  served=no
  for r in $(ranges); do
    if [ -z "$range" ] || [ "${r#*-}" -lt "${TO%%.*}" ]; then
      range=$r
    fi
  done
  old=$top/gcc-patches/$range
fi
FROM=${FROM:-$(awk '/^[0-9]/ { v = $1 } END { print v }' "$old/releases")}
for v in "$FROM" "$TO"; do
  case $v in
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) die "$v: not a full version, as 14.2.0" ;;
  esac
done
old=$(patches_for "$FROM") || die "there are no patches for GCC $FROM"
range=${old##*/}
work=$BUILD/$TO
tree=$work/port
new=$top/gcc-patches/${TO%%.*}/libgomp
[ "$served" = no ] || new=$work/series
mkdir -p "$work"

# source_of VERSION GCC_SRC: bring it to $BUILD/VERSION/src.  SERVED_AS: the build
# scripts know no version that no range serves.
source_of ()
{
  GCC_VERSION=$1 GCC_SRC=$2 BUILD=$BUILD/$1 AMP_BUILD_LOCKED='' TARGET='' \
    SERVED_AS=$range LIBGOMP_ONLY=yes "$top/scripts/build/get-source.sh"
}

# applies: does the range's series apply to TO's source as it is?
applies ()
{
  rm -rf "$work/port-try"
  cp -pR "$work/src/gcc-$TO" "$work/port-try"
  for p in $(series_of "$old/libgomp" "$TO"); do
    patch -s -d "$work/port-try" -p1 --fuzz=0 <"$p" || return 1
  done
}

# extended: RANGE with TO's major in it.
extended ()
{
  ex_low=${range%-*} ex_high=${range#*-} ex_to=${TO%%.*}
  [ "$ex_to" -ge "$ex_low" ] || ex_low=$ex_to
  [ "$ex_to" -le "$ex_high" ] || ex_high=$ex_to
  echo "$ex_low-$ex_high"
}

# begin: $tree, TO's source with FROM's commits upon it as far as they go.
begin ()
{
  if [ -f "$BUILD/src/gcc-$FROM/.complete" ] && [ -z "${FROM_SRC:-}" ]; then
    from_source=$BUILD/src/gcc-$FROM
  else
    source_of "$FROM" "${FROM_SRC:-}"
    from_source=$BUILD/$FROM/src/gcc-$FROM
  fi
  series_tree "$from_source" "$old/libgomp" "$work/port-from" "$FROM"
  mkdir -p "$work/port-none"
  : >"$work/port-none/series"
  series_tree "$work/src/gcc-$TO" "$work/port-none" "$tree.tmp" "$TO"
  rm -r "$work/port-none"
  git -C "$tree.tmp" fetch -q --no-tags "$work/port-from" gomp-amp:from
  commits=$(git -C "$work/port-from" rev-parse base)..from
  cp "$work/port-from/.git/gomp-amp-names" "$tree.tmp/.git/"
  rm -rf "$work/port-from"
  git -C "$tree.tmp" config user.name gomp-amp
  git -C "$tree.tmp" config user.email gomp-amp@localhost
  git -C "$tree.tmp" config merge.conflictStyle diff3
  replace "$tree.tmp" "$tree"
  git -C "$tree" cherry-pick "$commits" >"$work/port.log" 2>&1 || :
}

# What no conflict shows: lines that choose by a schedule, or make a work
# share, and that FROM does not have.
places ()
{
  (cd "$1/libgomp" && grep -n \
     -e 'run_sched_var' -e 'switch (.*sched' -e 'struct gomp_work_share [*]\{0,1\}ws' \
     -e 'sizeof (struct gomp_work_share)' -e 'alias ("[Gg][Oo][Mm][Pp]_.*loop' \
     ./*.c) | sed 's|^\./\([^:]*\):\([0-9]*\):[[:blank:]]*|\1\t\2\t|'
}
show_places ()
{
  for f in "$BUILD/src/gcc-$FROM" "$BUILD/$FROM/src/gcc-$FROM" "${FROM_SRC:-}"; do
    [ -f "$f/libgomp/loop.c" ] || continue
    places "$f" >"$work/port.old"
    places "$work/src/gcc-$TO" >"$work/port.new"
    awk -F '\t' 'NR == FNR { old[$1 FS $3]++; next }
	old[$1 FS $3]-- <= 0 { printf "  %s:%s: %s\n", $1, $2, $3 }' \
      "$work/port.old" "$work/port.new" >"$work/port.places"
    if [ -s "$work/port.places" ]; then
      say "look at these places, which are new since GCC $FROM (docs/develop/gcc.md):"
      cat "$work/port.places"
    fi
    return 0
  done
}

if [ ! -d "$tree/.git" ]; then
  source_of "$TO" "${GCC_SRC:-}"
  if applies >"$work/port.log" 2>&1; then
    rm -rf "$work/port-try"
    show_places
    rm -f "$work"/port.*
    if [ "$served" = yes ]; then
      say "gcc-patches/$range serves GCC $TO as it is"
    else
      mv "$old" "$top/gcc-patches/$(extended)"
      old=$top/gcc-patches/$(extended)
      say "gcc-patches/$range applies to GCC $TO; it is ${old##*/} now"
    fi
    grep -q "^$TO " "$old/releases" || echo "$TO -" >>"$old/releases"
    say "next: make libgomp GCC_VERSION=$TO BUILD=build/$TO && make check TESTS=versions"
    exit 0
  fi
  rm -rf "$work/port-try"
  begin
fi
if [ -n "$(git -C "$tree" status --porcelain --untracked-files=no)" ]; then
  git -C "$tree" status --short --untracked-files=no >&2
  die "the merge is not complete. In ${tree#"$top"/}: edit the files marked UU," \
      "git add them, git cherry-pick --continue; then make port again." \
      "To begin anew, remove that folder"
fi
{ [ ! -e "$tree/.git/CHERRY_PICK_HEAD" ] && [ ! -d "$tree/.git/sequencer" ]; } \
  || die "in ${tree#"$top"/}: git cherry-pick --continue; then make port again"
got=$(git -C "$tree" rev-list --count base..HEAD)
want=$(series_of "$old/libgomp" "$FROM" | wc -l)
[ "$got" != 0 ] || die "no commit came over; see ${work#"$top"/}/port.log"
[ "$got" = "$want" ] \
  || say "note: $want patches before, $got now (${work#"$top"/}/port.log)"

series_files "$tree" "$work/port.series"
# Written again from themselves the patches must be the same.
series_tree "$work/src/gcc-$TO" "$work/port.series" "$work/port.check" "$TO"
series_files "$work/port.check" "$work/port.again"
diff -r "$work/port.series" "$work/port.again" \
  || die "the patches, applied and written again, differ"
lines=$(git -C "$tree" diff --numstat --no-renames base HEAD \
	    -- ':!*.texi' ':!*ChangeLog*' ':!libgomp/testsuite' \
	  | awk '{ n += $1 + $2 } END { print n + 0 }')
[ "$lines" -le "$LIMIT" ] || die "$lines changed lines; the limit is $LIMIT"
for p in "$work"/port.series/*.patch; do
  if [ "$(hunks "$p")" != "$(hunks "$old/libgomp/${p##*/}" 2>/dev/null)" ]; then
    say "not as for GCC $FROM: ${p##*/}"
  fi
done
mkdir -p "${new%/*}"
replace "$work/port.series" "$new"
[ "$served" = yes ] || [ -f "${new%/*}/releases" ] \
  || { sed -n '/^#/p' "$old/releases"; echo "$TO -"; } >"${new%/*}/releases"
say "${new#"$top"/}: $(wc -l <"$new/series") patches, $lines changed lines"
show_places
rm -rf "$work"/port.* "$tree"
if [ "$served" = yes ]; then
  say "next: copy what is not as before to gcc-patches/$range/libgomp, under a" \
      "subject of its own, and give both their majors in its series"
else
  say "next: make libgomp GCC_VERSION=$TO BUILD=build/$TO && make check TESTS=versions"
fi
