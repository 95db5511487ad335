#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dist.sh: make dist holds what git tracks and nothing else, gives the same bytes to
# whoever makes it, and what it holds is patched without git.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../../scripts/build/lib.sh"
git -C "$top" rev-parse -q --verify HEAD >/dev/null 2>&1 \
  || { echo "no git checkout"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rc=0
bad () { echo "FAIL: $*"; rc=1; }
unset SOURCE_DATE_EPOCH
name=gomp-amp-$(git -C "$top" show HEAD:VERSION)
dist () { BUILD=$tmp/$1 "$top/scripts/maintain/dist.sh" >"$tmp/log" || { cat "$tmp/log"; exit 1; }; }
dist one
(umask 077; TZ=Asia/Tokyo XZ_DEFAULTS=-T2; export TZ XZ_DEFAULTS; dist two)
cmp "$tmp/one/dist/$name.tar.xz" "$tmp/two/dist/$name.tar.xz" || bad "the bytes differ"
(cd "$tmp/one/dist" && sha256sum --quiet -c "$name.tar.xz.sha256") || bad "the digest"
tar -tvf "$tmp/one/dist/$name.tar.xz" >"$tmp/list"
[ -z "$(awk '$2 != "0/0" || $1 !~ /^.rw.r-.r-.$/' "$tmp/list")" ] \
  || bad "owners or modes: $(awk '$2 != "0/0" || $1 !~ /^.rw.r-.r-.$/' "$tmp/list" | head)"
mkdir "$tmp/src"
tar -C "$tmp/src" -xf "$tmp/one/dist/$name.tar.xz"
(cd "$tmp/src/$name" && find . ! -type d | sed 's|^\./||' | sort) >"$tmp/there"
git -C "$top" ls-tree -r --name-only HEAD | sort >"$tmp/tracked"
diff "$tmp/tracked" "$tmp/there" || bad "not what git tracks"
spack=$tmp/one/dist/spack_repo/gomp_amp/packages/gomp_amp/package.py
grep -q "sha256=\"$(sha256sum <"$tmp/one/dist/$name.tar.xz" | cut -d ' ' -f 1)\"" "$spack" \
  || bad "Spack's recipe has not the tarball's digest"
grep '@[A-Z0-9]*@"' "$spack" && bad "Spack's recipe has places that were not filled in"

# The first stages, git out of reach; that of the compiler's source is at hand.
find_cc
if [ -d "$BUILD/src/gcc-$version" ]; then
  mkdir "$tmp/bin"
  printf '#!/bin/sh\necho "git $*" >>%s\nexit 127\n' "$tmp/asked" >"$tmp/bin/git"
  chmod +x "$tmp/bin/git"
  for stage in get-source patch-source; do
    env -u AMP_BUILD_LOCKED PATH="$tmp/bin:$PATH" BUILD="$tmp/build" \
	GCC_SRC="$BUILD/src/gcc-$version" \
	"$tmp/src/$name/scripts/build/$stage.sh" >"$tmp/log" 2>&1 \
      || { cat "$tmp/log"; bad "$stage.sh: status $?"; }
  done
  [ ! -f "$tmp/asked" ] || bad "they ask git: $(cat "$tmp/asked")"
  grep -q gomp_amp "$tmp/build/patched/gcc-$version/libgomp/loop.c" \
    || bad "the source is not patched"
  cmp "$top/libgomp/runtime/omp_amp.h" "$tmp/build/patched/gcc-$version/libgomp/omp_amp.h" \
    || bad "our files are not there"
else
  echo "not built yet: the stages are not tried"
fi
exit $rc
