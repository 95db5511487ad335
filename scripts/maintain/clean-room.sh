#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clean-room.sh [DIR [TARGET...]]: what a newcomer sees.  Makes a minimal
# Debian 12 (SUITE=trixie: 13) in DIR (/var/tmp/gomp-amp-clean) with debootstrap, adds git and
# make, clones the repository's HEAD there and runs make TARGET... (check).
# Root only; takes about 1.5 GB.  A DIR made before is used again, with a new
# clone; NEW=1 makes it anew.  Needs a mirror that the host's apt reaches.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
root=${1:-/var/tmp/gomp-amp-clean}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- check
mirror=${MIRROR:-http://deb.debian.org/debian}

if [ "$(id -u)" != 0 ]; then
  echo "clean-room.sh: must be root, for debootstrap and chroot" >&2
  exit 77
fi
command -v debootstrap >/dev/null 2>&1 \
  || { echo "clean-room.sh: apt-get install debootstrap" >&2; exit 77; }

unmount ()
{
  for m in dev/pts dev/shm dev proc sys; do
    # More than once, where a run was killed.
    while mountpoint -q "$root/$m" && umount "$root/$m"; do :; done
  done
}
trap unmount EXIT
trap 'exit 130' INT TERM
unmount
if [ "${NEW:-0}" != 0 ] && [ -f "$root/.gomp-amp-clean-room" ]; then
  # Nothing of the host may be mounted below what is removed.
  if mount | grep -q " on $root/"; then
    echo "clean-room.sh: still mounted below $root" >&2
    exit 1
  fi
  rm -rf "$root"
fi
if [ ! -f "$root/.gomp-amp-clean-room" ]; then
  if [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then
    echo "clean-room.sh: $root exists and is not ours" >&2
    exit 1
  fi
  debootstrap --variant=minbase "${SUITE:-bookworm}" "$root" "$mirror"
  : >"$root/.gomp-amp-clean-room"
fi
# The way to the mirror is the host's.
cp /etc/resolv.conf /etc/hosts "$root/etc/"
for f in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/99*; do
  [ ! -f "$f" ] || cp "$f" "$root/etc/apt/apt.conf.d/"
done
if [ -d /usr/local/share/ca-certificates ]; then
  mkdir -p "$root/usr/local/share"
  cp -R /usr/local/share/ca-certificates "$root/usr/local/share/"
fi
mount -t proc proc "$root/proc" 2>/dev/null || mount --bind /proc "$root/proc"
mount --bind /sys "$root/sys"
mount --bind /dev "$root/dev"
mount --bind /dev/shm "$root/dev/shm" 2>/dev/null || :
# DejaGnu's expect needs pseudo-terminals.
mount --bind /dev/pts "$root/dev/pts" 2>/dev/null || :

in_room ()
{
  chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${http_proxy:+http_proxy="$http_proxy"} \
    ${https_proxy:+https_proxy="$https_proxy"} "$@"
}
in_room apt-get -q update
in_room env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
  --no-install-recommends install git make
! in_room gcc --version >/dev/null 2>&1 || echo "note: gcc is there already"
rm -rf "$root/root/gomp-amp" "$root/root/gomp-amp.bundle"
git -C "$top" bundle create -q "$root/root/gomp-amp.bundle" HEAD
in_room git clone -q /root/gomp-amp.bundle /root/gomp-amp
git -C "$top" log -1 --format='clean room: make, at %h %s'
in_room make -C /root/gomp-amp "$@"
