#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh install|uninstall|check: copies $BUILD/stage to $DESTDIR$PREFIX, or
# removes what such a copy put there, or says whether PREFIX can be.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
PREFIX=${PREFIX:-/opt/gomp-amp}
case $PREFIX in
  /*) ;;
  *) die "PREFIX=$PREFIX: must be an absolute path" ;;
esac
case $PREFIX in
  *[[:space:]\'\"\\\|,:\;\$]*) die "PREFIX=$PREFIX: no blanks, quotes, commas, colons or dollars" ;;
esac
dest=${DESTDIR:-}$PREFIX
manifest=lib/gomp-amp/manifest

case ${1:-} in
  install | check)
    case ${PREFIX%/} in
      '' | /usr | /usr/local)
	die "PREFIX=$PREFIX: all programs of the system would find our libgomp" \
	    "there; take a folder of its own, as /opt/gomp-amp or /usr/lib/gomp-amp" ;;
    esac
    [ "$1" = install ] || exit 0
    [ -d "$stage" ] || die "nothing to install: run make first"
    mkdir -p "$dest"
    # An older installation's files must not stay behind.
    [ ! -f "$dest/$manifest" ] || "$0" uninstall quietly
    mkdir -p "$dest"
    (cd "$stage" && find . -type d) | while read -r d; do
      mkdir -p "$dest/$d"
    done
    (cd "$stage" && find . ! -type d) | while read -r f; do
      # To a new inode: a program may be running on the old one.
      cp -P "$stage/$f" "$dest/$f.tmp$$"
      mv -f "$dest/$f.tmp$$" "$dest/$f"
    done
    (cd "$stage" && find . ! -type d | sed 's|^\./||' | sort
     echo "$manifest") >"$dest/$manifest"
    say "installed in $dest"
    if grep -qsx "$PREFIX/lib" /etc/ld.so.conf /etc/ld.so.conf.d/*; then
      say "note: $PREFIX/lib is in the system's library path; ldconfig would" \
	  "make every OpenMP program use this libgomp"
    fi ;;
  uninstall)
    [ -f "$dest/$manifest" ] || die "no installation of gomp-amp in $dest"
    # With the folders that become empty.
    sort -r "$dest/$manifest" | while read -r f; do
      rm -f "$dest/$f"
      while f=${f%/*}; rmdir "$dest/$f" 2>/dev/null; do
	continue
      done
    done
    rmdir "$dest" 2>/dev/null || :
    [ "${2:-}" = quietly ] || say "removed from $dest" ;;
  *) die "usage: install.sh install|uninstall|check" ;;
esac
