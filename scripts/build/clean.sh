#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clean.sh clean|distclean
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
case ${1:-} in
  clean)
    for f in "$BUILD"/* ; do
      case ${f##*/} in
	# A GCC takes most of an hour.
	src|dl|patched-tree*|stamp|gcc-*) ;;
	*) rm -rf "$f" ;;
      esac
    done
    for f in "$stamps"/*; do
      case ${f##*/} in
	source) ;;
	*) rm -f "$f" ;;
      esac
    done ;;
  distclean)
    # Commits that are in no patch file yet would be lost.
    if { [ -d "$BUILD/patched-tree" ] || [ -d "$BUILD/patched-tree-gcc" ]; } \
       && ! "$top/scripts/maintain/refresh.sh" --check
    then
      die "build/patched-tree* differs from gcc-patches/: make refresh, or" \
	  "remove it yourself"
    fi
    rm -rf "$BUILD" ;;
  *) die "usage: clean.sh clean|distclean" ;;
esac
