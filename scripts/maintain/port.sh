#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# port.sh: carries the series of patches for GCC FROM to GCC TO, by a three-way
# merge onto TO's own source, and writes gcc-patches/TO/libgomp.  Where that
# conflicts it stops; the merge is then finished by hand in $BUILD/TO/port, and
# port.sh, run again, goes on.
#   FROM, TO: versions, as 12.2.0.  GCC_SRC: TO's source, a folder or a tarball
#   (else as for a build); FROM_SRC: FROM's.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../build/lib.sh"
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
{ [ -n "${FROM:-}" ] && [ -n "${TO:-}" ]; } \
  || die "usage: make port FROM=VERSION TO=VERSION [GCC_SRC=...] [FROM_SRC=...]"
for v in "$FROM" "$TO"; do
  case $v in
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) die "$v: not a full version, as 12.2.0" ;;
  esac
done
locked "$@"
command -v git >/dev/null 2>&1 || die "git is missing; as root: apt-get install git"
LIMIT=${LIMIT:-300}
old=$top/gcc-patches/$FROM/libgomp
new=$top/gcc-patches/$TO/libgomp
work=$BUILD/$TO
tree=$work/port
[ -s "$old/series" ] || die "there is no series for GCC $FROM; there is one for" \
			    "$(supported_versions | tr '\n' ' ')"
[ ! -s "$new/series" ] || die "there is a series for GCC $TO already; to change" \
  "it: make patched-tree GCC_VERSION=$TO BUILD=build/$TO"
mkdir -p "$work"

# source_of VERSION GCC_SRC FIXES: bring it to $BUILD/VERSION/src.
source_of ()
{
  GCC_VERSION=$1 GCC_SRC=$2 BUILD=$BUILD/$1 GOMP_AMP_LOCKED='' TARGET='' \
    LIBGOMP_ONLY=yes FIXES=$3 "$top/scripts/build/get-source.sh"
}

# begin: $tree, TO's source with FROM's commits upon it as far as they go.
begin ()
{
  if [ -f "$BUILD/src/gcc-$FROM/.complete" ] && [ -z "${FROM_SRC:-}" ]; then
    from_source=$BUILD/src/gcc-$FROM
  else
    source_of "$FROM" "${FROM_SRC:-}" yes
    from_source=$BUILD/$FROM/src/gcc-$FROM
  fi
  # What the build scripts know a version by.
  if [ ! -f "$new/series" ]; then
    mkdir -p "$new"
    : >"$new/series"
  fi
  source_of "$TO" "${GCC_SRC:-}" yes
  series_tree "$from_source" "$old" "$work/port-from"
  series_tree "$work/src/gcc-$TO" "$new" "$tree.tmp"
  git -C "$tree.tmp" fetch -q --no-tags "$work/port-from" gomp-amp:from
  range=$(git -C "$work/port-from" rev-parse base)..from
  rm -rf "$work/port-from"
  git -C "$tree.tmp" config user.name gomp-amp
  git -C "$tree.tmp" config user.email gomp-amp@localhost
  git -C "$tree.tmp" config merge.conflictStyle diff3
  replace "$tree.tmp" "$tree"
  git -C "$tree" cherry-pick "$range" >"$work/port.log" 2>&1 || :
}

[ -d "$tree/.git" ] || begin
if [ -n "$(git -C "$tree" status --porcelain --untracked-files=no)" ]; then
  git -C "$tree" status --short --untracked-files=no >&2
  die "the merge is not complete. In ${tree#"$top"/}: edit the files marked UU," \
      "git add them, git cherry-pick --continue; then make port again." \
      "To begin anew, remove that folder"
fi
{ [ ! -e "$tree/.git/CHERRY_PICK_HEAD" ] && [ ! -d "$tree/.git/sequencer" ]; } \
  || die "in ${tree#"$top"/}: git cherry-pick --continue; then make port again"
got=$(git -C "$tree" rev-list --count base..HEAD)
want=$(patches_of "$old" | wc -l)
[ "$got" != 0 ] || die "no commit came over; see ${work#"$top"/}/port.log"
[ "$got" = "$want" ] \
  || say "note: $want patches before, $got now (${work#"$top"/}/port.log)"

series_files "$tree" "$work/port.series"
# Written again from themselves the patches must be the same.
series_tree "$work/src/gcc-$TO" "$work/port.series" "$work/port.check"
series_files "$work/port.check" "$work/port.again"
diff -r "$work/port.series" "$work/port.again" \
  || die "the patches, applied and written again, differ"
lines=$(git -C "$tree" diff --numstat --no-renames base HEAD \
	    -- ':!*.texi' ':!*ChangeLog*' ':!libgomp/testsuite' \
	  | awk '{ n += $1 + $2 } END { print n + 0 }')
[ "$lines" -le "$LIMIT" ] || die "$lines changed lines; the limit is $LIMIT"
replace "$work/port.series" "$new"
say "gcc-patches/$TO/libgomp: $(wc -l <"$new/series") patches," \
    "$lines changed lines"

# What no conflict shows: lines that choose by a schedule, or make a work
# share, and that FROM does not have.
places ()
{
  (cd "$1/libgomp" && grep -n \
     -e 'run_sched_var' -e 'switch (.*sched' -e 'struct gomp_work_share [*]\{0,1\}ws' \
     -e 'sizeof (struct gomp_work_share)' -e 'alias ("[Gg][Oo][Mm][Pp]_.*loop' \
     ./*.c) | sed 's|^\./\([^:]*\):\([0-9]*\):[[:blank:]]*|\1\t\2\t|'
}
for f in "$BUILD/src/gcc-$FROM" "$BUILD/$FROM/src/gcc-$FROM"; do
  if [ -d "$f" ]; then
    places "$f" >"$work/port.old"
    places "$work/src/gcc-$TO" >"$work/port.new"
    awk -F '\t' 'NR == FNR { old[$1 FS $3]++; next }
	old[$1 FS $3]-- <= 0 { printf "  %s:%s: %s\n", $1, $2, $3 }' \
      "$work/port.old" "$work/port.new" >"$work/port.places"
    if [ -s "$work/port.places" ]; then
      say "look at these places, which are new since GCC $FROM (docs/develop/porting.md):"
      cat "$work/port.places"
    fi
    break
  fi
done
rm -rf "$work"/port.* "$tree"
[ -f "$top/gcc-patches/$TO/source.sha512" ] \
  || say "to do: gcc-patches/$TO/source.sha512, the line of the release's" \
	 "sha512.sum (docs/develop/porting.md)"
say "next: make libgomp GCC_VERSION=$TO BUILD=build/$TO && make check TESTS=versions"
