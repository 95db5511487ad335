# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Rooms: folders that hold a minimal Debian or Ubuntu, for packages to be built and tried in.
# For root, with debootstrap, a mirror and the distribution's keys.  What is mounted for a command in a room
# goes with the command: nothing is left mounted, however it ends.

# Who sources this begins with what --help says.
case ${1:-} in
  -h | --help) sed -n '3,/^set/s/^# //p' "$0"; exit ;;
esac

rooms=${ROOMS:-/var/tmp/gomp-amp-rooms}
# MIRROR: else the distribution's own.

# can_make SUITE: ends the script where there can be no room of it.
can_make ()
{
  if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null 2>&1; then
    echo "rooms are for root, with debootstrap (apt-get install debootstrap)" >&2
    exit 77
  fi
  if [ ! -f "${DEBOOTSTRAP_DIR:-/usr/share/debootstrap}/scripts/$1" ]; then
    echo "debootstrap knows no suite '$1'; it knows bookworm, trixie, noble and others" >&2
    exit 2
  fi
}

# new_room SUITE NAME: set room to a new one in $rooms/SUITE-NAME.
new_room ()
{
  can_make "$1"
  nr_base=$rooms/$1-base
  mkdir -p "$rooms"
  if [ ! -f "$nr_base/.complete" ]; then
    rm -rf --one-file-system "$nr_base"
    # Ubuntu has GCC's source in universe; Debian has none, which is ignored.
    debootstrap --variant=minbase --components=main,universe "$1" "$nr_base" \
      ${MIRROR:+"$MIRROR"} >"$nr_base.log" 2>&1 \
      || { tail "$nr_base.log" >&2; exit 1; }
    # The way to the mirror is the host's.
    cp /etc/resolv.conf /etc/hosts "$nr_base/etc/"
    for nr_file in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf.d/99*; do
      [ ! -f "$nr_file" ] || cp "$nr_file" "$nr_base/etc/apt/apt.conf.d/"
    done
    : >"$nr_base/.complete"
  fi
  room=$rooms/$1-$2
  rm -rf --one-file-system "$room"
  cp -a --reflink=auto "$nr_base" "$room"
  rm -f "$room/.complete"
  [ ! -f "${PIP_CERT:-}" ] || cp "$PIP_CERT" "$room/etc/pip-cert.pem"
  in_room apt-get -q update
}

# in_room COMMAND...: as root in $room, with the environment of a login.
in_room ()
{
  # shellcheck disable=SC2016 # expanded within
  unshare --mount ${no_network:+--net} /bin/sh -ec '
    room=$1
    shift
    # To be a root, for what mounts something within, it has to be a mount.
    mount --bind "$room" "$room"
    mount -t proc proc "$room/proc"
    mount --rbind /sys "$room/sys"
    mount --rbind /dev "$room/dev"
    exec chroot "$room" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      ${PIP_CERT:+PIP_CERT=/etc/pip-cert.pem} ${http_proxy:+http_proxy="$http_proxy"} \
      ${https_proxy:+https_proxy="$https_proxy"} "$@"' room "$room" "$@"
}

# install_in_room PACKAGE...
install_in_room () { in_room apt-get -q -y --no-install-recommends install "$@"; }
