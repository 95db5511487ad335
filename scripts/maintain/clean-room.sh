#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clean-room.sh [SUITE [TARGET...]]: what a newcomer sees.  In a new room of SUITE
# (bookworm) with git and make alone the repository's HEAD is cloned, and make
# TARGET... (check) is run.  Takes about 1.5 GB; the room stays.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=packaging/room.sh
. "$top/packaging/room.sh"
suite=${1:-bookworm}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- check
new_room "$suite" clean
install_in_room git make
! in_room gcc --version >/dev/null 2>&1 || echo "note: gcc is there already"
git -C "$top" bundle create -q "$room/root/gomp-amp.bundle" HEAD
in_room git clone -q /root/gomp-amp.bundle /root/gomp-amp
git -C "$top" log -1 --format="$room: make $*, at %h %s"
in_room make -C /root/gomp-amp "$@"
