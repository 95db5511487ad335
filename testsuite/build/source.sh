#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# source.sh: where the source comes from, and what is refused: GCC_SRC as a
# folder and as a tarball, a mirror with a right, a wrong and no hash, another
# version, a series that does not apply; stages that are interrupted.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"

# A repository with scripts and patches alone, which may be spoilt.
mkdir "$tmp/repo"
cp -R "$top/VERSION" "$top/scripts" "$top/gcc-patches" "$top/libgomp" "$top/plugin" \
  "$tmp/repo/"
cd "$tmp/repo"
src=
for d in "$BUILD"/src/gcc-*.*[0-9]; do
  [ ! -f "$d/.complete" ] || src=$d
done
[ -n "$src" ] || { echo "skip: no source in $BUILD/src"; exit 77; }
version=${src##*/gcc-}
major=${version%%.*}
patches=
for d in gcc-patches/*; do
  if [ "$major" -ge "$(echo "${d##*/}" | sed 's/-.*//')" ] \
     && [ "$major" -le "${d##*[-/]}" ]; then
    patches=$d
  fi
done
cc=$(sed -n "s/^compiler='\(.*\)'/\1/p" "$BUILD/stage/bin/amp-gcc")
BUILD=$tmp/build
APT=no
CC=$cc
GCC_VERSION=$version
export BUILD APT CC GCC_VERSION
unset GCC_SRC GNU_MIRROR CXX FC 2>/dev/null || :

# refused WORDS CMD...
refused ()
{
  words=$1
  shift
  if "$@" >log 2>&1; then
    bad "$*: not refused"
  fi
  grep -q -e "$words" log || { bad "$*: '$words' is not said:"; cat log; }
}
# got WHAT CMD...: the source is there and complete afterwards.
got ()
{
  what=$1
  shift
  "$@" >log 2>&1 || { bad "$what: status $?"; cat log; }
  cmp -s "$src/libgomp/loop.c" "$BUILD/src/gcc-$version/libgomp/loop.c" \
    || bad "$what: not the source"
  [ ! -e "$BUILD/src/gcc-$version.tmp" ] || bad "$what: leaves its work behind"
}

got "GCC_SRC, a folder" env GCC_SRC="$src" scripts/build/get-source.sh
touch -d 2001-01-01 "$BUILD/src/gcc-$version/.complete"
GCC_SRC=$src scripts/build/get-source.sh
[ -z "$(find "$BUILD/src/gcc-$version/.complete" -newermt 2001-02-01)" ] \
  || bad "the source was copied again without a reason"
scripts/build/patch-source.sh >log 2>&1 || { cat log; bad "patching"; }
[ -f "$BUILD/patched/gcc-$version/libgomp/loop.c" ] || bad "no patched tree"
if [ -s "$patches/libgomp/series" ]; then
  ! cmp -s "$src/libgomp/libgomp.h" \
      "$BUILD/patched/gcc-$version/libgomp/libgomp.h" || bad "nothing patched"
fi

# Only our file is exchanged, and a file that is gone goes.
marker=$BUILD/patched/gcc-$version/libgomp/loop.c
touch -d 2001-01-01 "$marker"
echo '/* x */' >libgomp/runtime/zz-new.c
scripts/build/patch-source.sh >log 2>&1
[ -f "$BUILD/patched/gcc-$version/libgomp/zz-new.c" ] || bad "a new file of ours"
rm libgomp/runtime/zz-new.c
scripts/build/patch-source.sh >log 2>&1
[ ! -f "$BUILD/patched/gcc-$version/libgomp/zz-new.c" ] || bad "a removed file"
[ -z "$(find "$marker" -newermt 2001-02-01)" ] || bad "patched anew for nothing"

# A series that does not apply, and one that names what is not there, leave
# the old tree in place.
cp "$patches/libgomp/series" series.good
cat >"$patches/libgomp/9999-bad.patch" <<'END'
--- a/libgomp/loop.c
+++ b/libgomp/loop.c
@@ -1,3 +1,3 @@
 this is
-not in
+in
 that file
END
echo 9999-bad.patch >>"$patches/libgomp/series"
refused 'failed: patching' scripts/build/patch-source.sh
grep -q '^-not in$' log || { bad "the hunk that fails is not shown"; cat log; }
[ -f "$marker" ] || bad "the patched tree was lost"
refused 'failed: patching' env V=1 scripts/build/patch-source.sh
rm "$patches/libgomp/9999-bad.patch"
refused 'not there' scripts/build/patch-source.sh
cp series.good "$patches/libgomp/series"

# Lines for other versions are passed over, and those for this one are not.
echo "0009-absent.patch $((major + 1))-" >>"$patches/libgomp/series"
scripts/build/patch-source.sh >log 2>&1 || { cat log; bad "a line for others"; }
echo "0009-absent.patch $((major - 1))-$major" >>"$patches/libgomp/series"
refused 'not there' scripts/build/patch-source.sh
cp series.good "$patches/libgomp/series"

# Any release of a range is taken, by its own name, and one of none is not.
mkdir "$tmp/point"
cp -R "$src/." "$tmp/point"
for v in "$major.99.0" 7.1.0; do
  echo "$v" >"$tmp/point/gcc/BASE-VER"
  if [ "$v" = 7.1.0 ]; then
    refused 'no patches for GCC 7.1.0' env -u GCC_VERSION GCC_SRC="$tmp/point" \
      BUILD="$tmp/point-build" scripts/build/get-source.sh
    continue
  fi
  for step in get patch; do
    env -u GCC_VERSION GCC_SRC="$tmp/point" BUILD="$tmp/point-build" \
      "scripts/build/$step-source.sh" >log 2>&1 || { cat log; bad "$v: $step"; }
  done
  [ -f "$tmp/point-build/patched/gcc-$v/libgomp/loop.c" ] || bad "$v: not patched"
done

# A tarball, in a folder's place in the archive that tar writes with ./ too.
rm -rf "$BUILD"
mkdir "$tmp/tar"
cp -R "$src" "$tmp/tar/gcc-$version"
mkdir -p "$tmp/mirror/gcc/gcc-$version"
tarball=$tmp/mirror/gcc/gcc-$version/gcc-$version.tar.xz
tar -C "$tmp/tar" -cf - "gcc-$version" | xz -0 >"$tarball"
got "GCC_SRC, a tarball" env GCC_SRC="$tarball" scripts/build/get-source.sh
refused 'does not exist' env GCC_SRC="$tmp/nowhere" scripts/build/get-source.sh
echo 1.0.0 >"$tmp/tar/gcc-$version/gcc/BASE-VER"
refused 'is GCC 1.0.0' env GCC_SRC="$tmp/tar/gcc-$version" scripts/build/get-source.sh
echo junk >"$tmp/junk.tar"
refused 'not a tarball' env GCC_SRC="$tmp/junk.tar" scripts/build/get-source.sh

# The mirror; only where the distribution's package does not come first.
GNU_MIRROR=file://$tmp/mirror
USE_PACKAGE=no
export GNU_MIRROR USE_PACKAGE
rm -rf "$BUILD"
releases=$patches/releases
pin () { sed -i "/^$version /d" "$releases"; echo "$version $1" >>"$releases"; }
pin 0123456789abcdef
refused 'SHA-512 differs' scripts/build/get-source.sh
[ ! -e "$BUILD/dl/gcc-$version.tar.xz" ] || bad "the bad download was kept"
pin "$(sha512sum <"$tarball" | cut -d ' ' -f 1)"
got "the mirror" scripts/build/get-source.sh
pin -
rm -rf "$BUILD"
refused 'no pinned hash' scripts/build/get-source.sh

# An unsupported compiler.
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$1" != -v ] || echo "gcc version 7.5.0" >&2\necho 7.5.0\n' \
  >"$tmp/gcc-7"
chmod +x "$tmp/gcc-7"
refused "supported: .*$major" \
  env -u GCC_VERSION CC="$tmp/gcc-7" scripts/build/get-source.sh
# None is served: what to install is said first, and nothing has been installed.
mkdir "$tmp/bin"
for tool in awk cat cut date dirname env flock getconf grep head id mkdir sed seq sh \
	    sha256sum sort tr uname; do
  ln -s "$(command -v $tool)" "$tmp/bin/"
done
cat >"$tmp/bin/apt-cache" <<'END'
#!/bin/sh
[ "$*" != 'policy python3' ] || echo '  Candidate: 3.8.2-0ubuntu2'
[ "$*" = 'show gcc-14' ]
END
cat >"$tmp/bin/apt-get" <<'END'
#!/bin/sh
echo installing
END
chmod +x "$tmp/bin/apt-cache" "$tmp/bin/apt-get"
# Packages are installed where that is asked for, and named elsewhere.
refused 'missing packages; as root: make deps, or apt-get install .* git' \
  env PATH="$tmp/bin" scripts/build/deps.sh patches
refused 'need Python 3.9 or later; python3 is Python 3.8.2' \
  env APT=yes PATH="$tmp/bin" scripts/build/deps.sh --install bench
# shellcheck disable=SC1091 # the system's
if [ "$(id -u)" = 0 ] && (. /etc/os-release && case " $ID ${ID_LIKE-} " in
     *\ debian\ *|*\ ubuntu\ *) ;; *) exit 1 ;; esac); then
  if ! env APT=yes PATH="$tmp/bin" scripts/build/deps.sh --install patches >log 2>&1 \
     || ! grep -q 'installing git' log; then
    bad 'nothing is installed'
    cat log
  fi
fi
# stands_in FULLVERSION VERSION NAME: a gcc that says so.
stands_in ()
{
  cat >"$tmp/bin/gcc" <<END
#!/bin/sh
case \$* in
  -dumpfullversion) $1 ;;
  -dumpversion) echo $2 ;;
  -v) echo "$3" >&2 ;;
  *) exit 1 ;;
esac
END
  chmod +x "$tmp/bin/gcc"
  refused "^gomp-amp: no patches for GCC .*$4.*apt-get install gcc-14 g++-14 gfortran-14, and say CC=gcc-14" \
    env -u GCC_VERSION -u CC APT=yes PATH="$tmp/bin" scripts/build/deps.sh --install build
  [ "$(wc -l <log)" = 1 ] || { bad "$3: more is said"; cat log; }
}
stands_in 'exit 1' 5.4.0 'gcc version 5.4.0 20160609' 'gcc=5.4.0'
stands_in 'echo 7.5.0' 7 'gcc version 7.5.0' 'gcc=7.5.0'
stands_in 'echo 17.1.0' 17 'gcc version 17.1.0' 'gcc=17.1.0'
stands_in 'exit 1' 4.2.1 'Debian clang version 14.0.6' 'which is Debian clang version 14.0.6'
refused 'major versions differ' env CC="$tmp/gcc-7" scripts/build/get-source.sh
refused 'is not a GCC' env CC=/bin/true scripts/build/get-source.sh
exit $rc
