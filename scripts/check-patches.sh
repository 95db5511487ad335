#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-patches.sh: every series applies without fuzz to every source at hand;
# writing it again gives the same files; every patch has a header; the hooks
# stay below LIMIT changed lines and change no file of ours, which are the same
# for all versions; our files keep to the GNU style.  GCC_SRCS: folders with the
# source of versions other than the compiler's.
set -eu
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=scripts/git.sh
. "$(dirname "$0")/git.sh"
locked "$@"
LIMIT=${LIMIT:-300}
find_cc
tmp=$BUILD/check-patches
rm -rf "$tmp"
mkdir -p "$tmp"
rc=0
bad () { say "FAIL: $*"; rc=1; }

# series VERSION: set patches, and look at the files themselves.
series ()
{
  patches=$top/gcc-patches/$1/libgomp
  for p in "$patches"/*.patch; do
    [ -f "$p" ] || continue
    grep -qxF "${p##*/}" "$patches/series" \
      || bad "${p##*/} is not in gcc-patches/$1/libgomp/series"
  done
  for p in $(patches_of "$patches"); do
    # Subject, blank line, reason, ---
    awk '/^Subject:/ { s = 1 } /^---$/ { exit } s && /^$/ { b = 1; next }
	 b && NF { n++ } END { exit !n }' "$p" \
      || bad "$1: ${p##*/}: the header gives no reason"
    ! grep -E '^\+\+\+ b/libgomp/(amp|gomp-amp|omp_amp)' "$p" \
      || bad "$1: ${p##*/} changes a file of ours"
  done
}

# try WHAT SOURCE
try ()
{
  # Not in a condition: there, set -e has no effect.
  set +e
  (set -e; series_tree "$2" "$patches" "$tmp/tree") >"$tmp/log" 2>&1
  try_rc=$?
  set -e
  if [ "$try_rc" != 0 ]; then
    cat "$tmp/log"
    bad "$1: the series does not apply"
    return 0
  fi
  # patch(1), which the build uses, must agree.
  cp -pR "$2" "$tmp/patch"
  for p in $(patches_of "$patches"); do
    patch -s -d "$tmp/patch" -p1 --fuzz=0 --no-backup-if-mismatch <"$p" \
      || bad "$1: ${p##*/} does not apply with patch --fuzz=0"
  done
  diff -r -q -x .git -x .complete "$tmp/tree" "$tmp/patch" \
    || bad "$1: git and patch come to different trees"
  rm -rf "$tmp/patch"
  series_files "$tmp/tree" "$tmp/again"
  diff -r -u "$patches" "$tmp/again" >"$tmp/diff" || {
    head -n 20 "$tmp/diff"
    bad "$1: written again, the patches differ (make patched-tree refresh)"
  }
  n=$(git -C "$tmp/tree" diff --numstat --no-renames base HEAD \
	  -- ':!*.texi' ':!*ChangeLog*' ':!libgomp/testsuite' \
	| awk '{ n += $1 + $2 } END { print n + 0 }')
  say "$1: $n changed lines (limit $LIMIT)"
  [ "$n" -le "$LIMIT" ] || bad "$1: more than $LIMIT changed lines"
}

series "$version"
try "GCC $version" "$BUILD/src/gcc-$version"
if [ -z "${GCC_SRC:-}" ]; then
  # The release without the distribution's fixes.
  if (FIXES=no BUILD=$tmp/pristine GOMP_AMP_LOCKED=1 \
      "$top/scripts/get-source.sh") >"$tmp/log" 2>&1; then
    try "GCC $version as released" "$tmp/pristine/src/gcc-$version"
  else
    cat "$tmp/log"
    bad "cannot get the released source"
  fi
fi

for v in $(supported_versions); do
  [ "$v" != "$version" ] || continue
  series "$v"
  found=
  for f in ${GCC_SRCS:-} "$BUILD"/*/src/gcc-"$v"; do
    if [ -f "$f/gcc/BASE-VER" ] && [ "$(cat "$f/gcc/BASE-VER")" = "$v" ]; then
      found=$f
      break
    fi
  done
  if [ -z "$found" ]; then
    say "GCC $v: no source at hand, its series was not applied (GCC_SRCS=)"
  elif (GCC_SRC=$found GCC_VERSION=$v BUILD=$tmp/other GOMP_AMP_LOCKED=1 \
	LIBGOMP_ONLY=yes "$top/scripts/get-source.sh") >"$tmp/log" 2>&1; then
    try "GCC $v" "$tmp/other/src/gcc-$v"
  else
    cat "$tmp/log"
    bad "GCC $v: cannot take the source from $found"
  fi
done

# The style checker wants two Python modules; any python3 that has them does.
checker=$BUILD/src/gcc-$version/contrib/check_GNU_style.py
python=
for p in python3 /usr/bin/python3; do
  if "$p" -c 'import unidiff, termcolor' 2>/dev/null; then
    python=$p
    break
  fi
done
if [ -z "$python" ]; then
  say "style not checked: apt-get install python3-unidiff python3-termcolor"
else
  # style WHAT DIFF: the checker takes one-line remarks without a full stop,
  # function-like macros, initials and O(n) for errors.
  style ()
  {
    [ -s "$2" ] || return 0
    "$python" "$checker" -f stdio "$2" >"$tmp/style" || :
    grep -v -e '^===' -e '^$' -e '/\* SPDX-' -e '/\* FALLTHRU \*/' \
	 -e ':# *endif */\*' -e ':# *define [A-Z_]*(' -e ' [A-Z]\.[^ ]*[A-Z]\. ' -e 'schedule(' -e ' \[, ' \
	 -e '[ (]O(' "$tmp/style" >"$tmp/style.bad" || return 0
    cat "$tmp/style.bad"
    bad "the style of $1"
  }
  (cd "$top" && for f in libgomp/*.[ch]; do
     [ ! -f "$f" ] || git diff --no-index --no-color /dev/null "$f" || :
   done) >"$tmp/ours.diff"
  style 'libgomp/*.[ch]' "$tmp/ours.diff"
  for v in $(supported_versions); do
    patches_of "$top/gcc-patches/$v/libgomp" | xargs cat /dev/null \
      >"$tmp/patches.diff"
    style "the patches for $v" "$tmp/patches.diff"
  done
fi
rm -rf "$tmp"
[ "$rc" != 0 ] || say "the patches are in order"
exit $rc
