#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-patches.sh: every series, of libgomp and of the compiler, applies without
# fuzz to every source at hand; writing it again gives the same files; every
# patch has a header; the hooks have at most LIMIT changed lines (LIMIT_GCC: the
# compiler's) and change no file of ours, which are the same for all versions;
# GCC's own reader takes our options; the patches keep to the GNU style.
# GCC_SRCS: folders with the source of versions other than the compiler's.
# A hunk may be at other lines than its patch says.
set -eu
# shellcheck source=scripts/maintain/git.sh
. "$(dirname "$0")/git.sh"
# shellcheck source=scripts/maintain/style.sh
. "$(dirname "$0")/style.sh"
locked "$@"
LIMIT=${LIMIT:-300}
LIMIT_GCC=${LIMIT_GCC:-150}
find_cc
tmp=$BUILD/check-patches
rm -rf "$tmp"
mkdir -p "$tmp"
rc=0
bad () { say "FAIL: $*"; rc=1; }

# series VERSION PART: set series, limit and what, and look at the files
# themselves.
series ()
{
  series=$(patches_for "$1")/$2
  limit=$LIMIT
  what=libgomp
  if [ "$2" = gcc ]; then
    limit=$LIMIT_GCC
    what='the compiler'
  fi
  for p in "$series"/*.patch; do
    [ -f "$p" ] || continue
    grep -q "^${p##*/}\( \|\$\)" "$series/series" \
      || bad "${p##*/} is not in ${series#"$top"/}/series"
  done
  for p in $(series_of "$series" "$1"); do
    # Subject, blank line, reason, ---
    awk '/^Subject:/ { s = 1 } /^---$/ { exit } s && /^$/ { b = 1; next }
	 b && NF { n++ } END { exit !n }' "$p" \
      || bad "$1: ${p##*/}: the header gives no reason"
    ! grep -E '^\+\+\+ b/(libgomp|gcc)/(amp|gomp-amp|omp_amp)' "$p" \
      || bad "$1: ${p##*/} changes a file of ours"
  done
}

# changes TREE: the number of changed lines that count.  What a later GCC has by
# itself, the patches with the number 0, is no hook.
changes ()
{
  ch_ported=$(grep -c '^0000-' "$1/.git/gomp-amp-names") || :
  ch_from=$({ git -C "$1" rev-parse base; git -C "$1" rev-list --reverse base..; } \
	    | sed -n "$((ch_ported + 1))p")
  git -C "$1" diff --numstat --no-renames "$ch_from" HEAD \
      -- ':!*.texi' ':!*ChangeLog*' ':!libgomp/testsuite' \
    | awk '{ n += $1 + $2 } END { print n + 0 }'
}

# try WHAT VERSION SOURCE
try ()
{
  # Not in a condition: there, set -e has no effect.
  set +e
  (set -e; series_tree "$3" "$series" "$tmp/tree" "$2") >"$tmp/log" 2>&1
  try_rc=$?
  set -e
  if [ "$try_rc" != 0 ]; then
    cat "$tmp/log"
    bad "$1: the series of $what does not apply"
    return 0
  fi
  # patch(1), which the build uses, must agree.
  cp -pR "$3" "$tmp/patch"
  left=
  rm -rf "$tmp/want"
  mkdir "$tmp/want"
  for p in $(series_of "$series" "$2"); do
    # What could not be applied cannot be written again.
    if no_manual "$3" "$p"; then
      left=$left${left:+ }${p##*/}
      continue
    fi
    hunks "$p" >"$tmp/want/${p##*/}"
    patch -s -d "$tmp/patch" -p1 --fuzz=0 --no-backup-if-mismatch <"$p" \
      || bad "$1: ${p##*/} does not apply with patch --fuzz=0"
  done
  [ -z "$left" ] \
    || say "$1: this source lacks GCC's manual, not applied: $left"
  diff -r -q -x .git -x .complete "$tmp/tree" "$tmp/patch" \
    || bad "$1: git and patch come to different trees"
  rm -rf "$tmp/patch"
  series_files "$tmp/tree" "$tmp/again"
  rm "$tmp/again/series"
  for p in "$tmp"/again/*.patch; do
    hunks "$p" >"$p.new"
    mv "$p.new" "$p"
  done
  diff -r -u "$tmp/want" "$tmp/again" >"$tmp/diff" || {
    head -n 20 "$tmp/diff"
    bad "$1: written again, the patches of $what differ" \
	"(make patched-tree refresh)"
  }
  n=$(changes "$tmp/tree")
  say "$1: $what: $n changed lines (limit $limit)"
  [ "$n" -le "$limit" ] || bad "$1: more than $limit changed lines"
}

# options WHAT: what GCC's own awk makes of the option files of $tmp/tree has our
# options, and nothing that it reports as wrong.
options ()
{
  opt=$tmp/opt
  rm -rf "$opt"
  mkdir -p "$opt"
  if ! (cd "$tmp/tree/gcc" \
	&& awk -f opt-functions.awk -f opt-gather.awk common.opt c-family/c.opt \
	       fortran/lang.opt lto/lang.opt >"$opt/list" \
	&& awk -f opt-functions.awk -f opt-read.awk -f opth-gen.awk \
	       <"$opt/list" >"$opt/options.h" \
	&& awk -f opt-functions.awk -f opt-read.awk -f optc-gen.awk \
	       -v header_name='config.h system.h' <"$opt/list" \
	       >"$opt/options.c") >"$tmp/log" 2>&1; then
    cat "$tmp/log"
    bad "$1: the option files cannot be read"
  elif grep '^#error' "$opt/options.h" "$opt/options.c"; then
    bad "$1: the option files have errors"
  else
    for f in options.h:OPT_fopenmp_default_schedule_ \
	     options.h:flag_openmp_default_schedule \
	     options.h:flag_openmp_reproducible \
	     options.h:OPT_Wopenmp_static_assumption \
	     options.c:'"-fopenmp-default-schedule="'; do
      grep -q -e "${f#*:}" "$opt/${f%%:*}" \
	|| bad "$1: ${f#*:} does not come out of the option files"
    done
  fi
}

# parts WHAT VERSION SOURCE: both series.
parts ()
{
  series "$2" libgomp
  try "$1" "$2" "$3"
  [ -n "$(series_of "$(patches_for "$2")/gcc" "$2")" ] || return 0
  series "$2" gcc
  if [ ! -f "$3/gcc/c-family/c.opt" ]; then
    say "$1: no source of the compiler at hand, its series was not applied"
  else
    try "$1" "$2" "$3"
    options "$1"
  fi
}

parts "GCC $version" "$version" "$BUILD/src/gcc-$version"
tried=" $version "
if [ -z "${GCC_SRC:-}" ]; then
  # The release without the distribution's fixes.
  if (FIXES=no BUILD=$tmp/pristine AMP_BUILD_LOCKED=1 \
      "$top/scripts/build/get-source.sh") >"$tmp/log" 2>&1; then
    parts "GCC $version as released" "$version" \
	  "$tmp/pristine/src/gcc-$version"
  else
    cat "$tmp/log"
    bad "cannot get the released source"
  fi
fi

for f in ${GCC_SRCS:-} "$BUILD"/*/src/gcc-*[0-9]; do
  [ -f "$f/gcc/BASE-VER" ] || continue
  v=$(cat "$f/gcc/BASE-VER")
  case $tried in
    *" $v "*) continue ;;
  esac
  tried="$tried$v "
  if (GCC_SRC=$f GCC_VERSION=$v BUILD=$tmp/other AMP_BUILD_LOCKED=1 \
      LIBGOMP_ONLY=yes "$top/scripts/build/get-source.sh") >"$tmp/log" 2>&1; then
    parts "GCC $v" "$v" "$tmp/other/src/gcc-$v"
  else
    cat "$tmp/log"
    bad "GCC $v: cannot take the source from $f"
  fi
done
for range in $(ranges); do
  while read -r v _; do
    case $v in
      ''|\#*) continue ;;
    esac
    case $tried in
      *" $v "*) ;;
      *) say "GCC $v: no source at hand, its series was not applied (GCC_SRCS=)" ;;
    esac
  done <"$top/gcc-patches/$range/releases"
done

find_style_checker
if [ -n "$style_missing" ]; then
  say "style not checked: $style_missing"
else
  for f in "$top"/gcc-patches/*/*/series; do
    cat "${f%/series}"/*.patch >"$tmp/patches.diff"
    gnu_style "$tmp/patches.diff" || bad "the style of the patches in ${f%/series}"
  done
fi
rm -rf "$tmp"
[ "$rc" != 0 ] || say "the patches are in order"
exit $rc
