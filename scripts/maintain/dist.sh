#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dist.sh [COMMIT]: the source of COMMIT (HEAD) as $BUILD/dist/gomp-amp-VERSION.tar.xz,
# with its SHA-256 beside it, and a Spack repository whose recipe takes that file.
# Nothing but the commit and the tools' versions goes into its bytes.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/../build/lib.sh"
commit=${1:-HEAD}
git -C "$top" rev-parse -q --verify "$commit^{commit}" >/dev/null 2>&1 \
  || die "make dist takes what git tracks: there is no git, or no commit $commit"
git -C "$top" diff --quiet "$commit" -- \
  || say "note: the working tree differs from $commit, which is what is packed"
dist=$BUILD/dist
mkdir -p "$dist"
tmp=$(mktemp -d "$dist/tmp.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
when=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct "$commit")}
amp_version=$(git -C "$top" show "$commit:VERSION")
name=gomp-amp-$amp_version
mkdir "$tmp/$name"
git -C "$top" archive "$commit" | tar -C "$tmp/$name" -xf -
tar -C "$tmp" --sort=name --format=gnu --mtime="@$when" --owner=0 --group=0 \
    --numeric-owner --mode=u=rwX,go=rX -cf "$tmp/tar" "$name"
# One thread: with more the bytes depend on how many there are.
xz -6 -T1 -c "$tmp/tar" >"$tmp/$name.tar.xz"
sum=$(digest <"$tmp/$name.tar.xz")
mv "$tmp/$name.tar.xz" "$dist/"
printf '%s  %s\n' "$sum" "$name.tar.xz" >"$dist/$name.tar.xz.sha256"
spack=$dist/spack_repo/gomp_amp
rm -rf "$dist/spack_repo"
mkdir -p "$spack/packages/gomp_amp"
cp "$tmp/$name/packaging/spack/repo.yaml" "$spack/"
sed "s|@SHA256@|$sum|;s|@DIST@|file://$dist|;s|@VERSION@|$amp_version|" \
    "$tmp/$name/packaging/spack/package.py" >"$spack/packages/gomp_amp/package.py"
say "wrote ${dist#"$top"/}/$name.tar.xz ($(wc -c <"$dist/$name.tar.xz") bytes)"
