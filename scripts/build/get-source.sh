#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# get-source.sh: brings the part of GCC's source that libgomp needs, and the
# files of the compiler that we patch, to $BUILD/src/gcc-VERSION; with WHOLE=yes
# all that a C, C++ and Fortran compiler is built from.  From, in this order:
# GCC_SRC (a folder or a tarball); the distribution's gcc-N-source package;
# GNU_MIRROR, checked against gcc-patches/*/releases.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
locked "$@"
find_cc
GNU_MIRROR=${GNU_MIRROR:-https://ftp.gnu.org/gnu}
dest=$BUILD/src/gcc-$version
tmp=$dest.tmp

# What is taken, seen from GCC's top folder: libgomp, what its build and its
# test suite reach for outside, and the licences.
parts='libgomp include config contrib/make_sunver.pl
contrib/check_GNU_style.py contrib/check_GNU_style_lib.py
gcc/BASE-VER gcc/DATESTAMP gcc/DEV-PHASE gcc/testsuite/lib
gcc/omp-expand.c gcc/omp-expand.cc gcc/omp-low.c gcc/omp-low.cc
gcc/c-family/c.opt gcc/c-family/c-pragma.c gcc/c-family/c-pragma.cc
gcc/fortran/lang.opt gcc/lto/lang.opt gcc/doc/invoke.texi
gcc/common.opt gcc/opt-functions.awk gcc/opt-gather.awk gcc/opt-read.awk gcc/optc-gen.awk
gcc/opth-gen.awk
libgcc/gthr.h libgcc/gthr-posix.h libgcc/gthr-single.h
COPYING3 COPYING.RUNTIME
ar-lib compile config.guess config.rpath config.sub depcomp install-sh
libtool-ldflags libtool.m4 ltgcc.m4 ltmain.sh ltoptions.m4 ltsugar.m4
ltversion.m4 lt~obsolete.m4 missing mkinstalldirs multilib.am test-driver
config-ml.in symlink-tree move-if-change'
what=libgomp
if [ "${WHOLE:-no}" != no ]; then
  parts='*'
  what=GCC
fi
# What the whole does not need: other languages and their run-time libraries.
# D and Rust stay: genhooks reads their target hooks whatever the languages.
unwanted='gcc/ada gcc/go gcc/m2 gcc/testsuite/ada gcc/testsuite/gdc.test
gcc/testsuite/gnat.dg gcc/testsuite/go.test gcc/testsuite/rust gnattools gotools
libada libffi libgm2 libgo libphobos'

# The distribution's own fixes to libgomp's sources, so that the drop-in
# library lacks none that the host's has: Debian's git-updates.diff (the later
# commits of GCC's release branch).  Packaging patches are left alone.
fixes=

# The release's SHA-512, empty where it is not known.
sum=$(awk -v v="$version" '$1 == v && $2 != "-" { print $2 }' "$patches/releases")

where=
if [ -n "${GCC_SRC:-}" ]; then
  [ -e "$GCC_SRC" ] || die "GCC_SRC=$GCC_SRC does not exist"
  where=$GCC_SRC
else
  where=$(package_source "$major") || where=
  case ${where##*/} in
    "gcc-$version"*) ;;
    *) where= ;;
  esac
  # FIXES=no is for tests: the release without the fixes.
  if [ -n "$where" ] && [ "${FIXES:-yes}" != no ] \
     && [ -f "/usr/src/gcc-$major/patches/git-updates.diff" ]; then
    fixes=/usr/src/gcc-$major/patches/git-updates.diff
  fi
fi

if [ -n "$where" ] && [ -d "$where" ]; then
  # shellcheck disable=SC2046
  id="$where $(cd "$where" \
	       && find libgomp $(ls -d gcc/omp-* gcc/c-family/c.opt \
				 gcc/fortran/lang.opt 2>/dev/null) -type f \
	       -exec sha256sum {} + | LC_ALL=C sort | digest)"
elif [ -n "$where" ]; then
  id="$where $(stat -c '%s %Y' "$where")"
else
  id="gnu $sum"
fi
key=$(printf '%s\n' "$id" "$parts" "$(files_digest "$0" ${fixes:+"$fixes"})" \
      | digest)
if fresh source "$key" && [ -f "$dest/.complete" ]; then
  exit 0
fi
rm -rf "$tmp"
mkdir -p "$tmp"

download ()
{
  [ -n "$sum" ] \
    || die "no pinned hash for GCC $version in ${patches#"$top"/}/releases: not" \
	   "downloading it; install gcc-$major-source, or set GCC_SRC"
  name=gcc-$version.tar.xz
  where=$BUILD/dl/$name
  url=$GNU_MIRROR/gcc/gcc-$version/$name
  mkdir -p "$BUILD/dl"
  check () { echo "$sum  $where" | sha512sum -c --status; }
  if ! { [ -f "$where" ] && check; }; then
    fetch ()
    {
      if command -v curl >/dev/null 2>&1; then
	curl -fL --retry 3 -C - -o "$where.part" "$url"
      elif command -v wget >/dev/null 2>&1; then
	wget -c -O "$where.part" "$url"
      else
	python3 -c '
import shutil, sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as r:
    with open(sys.argv[2], "wb") as f:
        shutil.copyfileobj(r, f)' "$url" "$where.part"
      fi
    }
    logged download "downloading $url" fetch
    mv "$where.part" "$where"
    check || { rm -f "$where"; die "$url: SHA-512 differs from ${patches#"$top"/}/releases"; }
  fi
}

unpack ()
{
  # The top folder's name is the tarball's first component.
  first=$(tar -tf "$where" 2>/dev/null | sed -n '1{s|^\./||;s|/.*||;p;q;}') \
    || :
  [ -n "$first" ] || { echo "$where: not a tarball"; return 1; }
  set --
  if [ "$parts" = '*' ]; then
    for p in $unwanted; do
      set -- "$@" --exclude="$first/$p"
    done
    set -- "$@" "$first"
  else
    for p in $parts; do
      set -- "$@" "$first/$p"
    done
  fi
  # Not every version has every part; what matters is checked below.
  tar -C "$tmp" --no-same-owner -xf "$where" "$@" 2>"$tmp/.tar" || :
  grep -v 'Not found in archive\|Exiting with failure' "$tmp/.tar" || :
  rm -f "$tmp/.tar"
  find "$tmp/$first" -mindepth 1 -maxdepth 1 -exec mv {} "$tmp/" \;
  rmdir "$tmp/$first"
}

copy_tree ()
{
  if [ "$parts" = '*' ]; then
    set --
    for p in $unwanted; do
      set -- "$@" --exclude="./$p"
    done
    tar -C "$where" --exclude=./.git "$@" -cf - . | tar -C "$tmp" -xf -
    return
  fi
  for p in $parts; do
    [ -e "$where/$p" ] || continue
    mkdir -p "$tmp/$(dirname "$p")"
    cp -pR "$where/$p" "$tmp/$p"
  done
}

apply_fixes ()
{
  awk '/^--- /{ keep = $2 ~ /\/libgomp\/[^\/]*\.[ch]$/ }
       /^diff |^Index: |^new file mode /{ keep = 0 }
       keep' "$fixes" >"$tmp/.fixes"
  patch -d "$tmp" -p2 --fuzz=0 --no-backup-if-mismatch <"$tmp/.fixes"
  rm -f "$tmp/.fixes"
}

if [ -z "$where" ]; then
  download
fi
if [ -d "$where" ]; then
  logged source "copying $what $version from $where" copy_tree
else
  logged source "unpacking $what $version from $where" unpack
fi
for p in libgomp/configure libgomp/loop.c include/gomp-constants.h \
	 config/futex.m4 gcc/BASE-VER ltmain.sh config.sub \
	 $([ "$what" = libgomp ] || echo configure gcc/configure libcpp/configure)
do
  [ -f "$tmp/$p" ] || die "$where: $p is missing from the source"
done
got=$(cat "$tmp/gcc/BASE-VER")
[ "$got" = "$version" ] \
  || die "$where is GCC $got, wanted is $version (GCC_VERSION=$got takes it)"
if [ -n "$fixes" ]; then
  logged source-fixes "applying the distribution's fixes to libgomp" \
	 apply_fixes
fi
: >"$tmp/.complete"
replace "$tmp" "$dest"
stamp source "$key"
