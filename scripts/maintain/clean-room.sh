#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# clean-room.sh [SUITE [TARGET...]]: what a newcomer sees.  In a new room of SUITE
# (bookworm) with git and make alone the repository's HEAD is cloned, and make
# TARGET... (check) is run.  `promises' in place of targets: make demo, then a C
# program, numpy and R under amp-run --compare, and the wheel, if it is in
# build/wheel, in a virtual environment.  Takes about 2 GB; the room stays.
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
git -C "$top" log -1 --format="$room: $*, at %h %s"
clone=/root/gomp-amp
if [ "$*" != promises ]; then
  in_room make -C $clone "$@"
  exit
fi
in_room make -C $clone demo
ls "$room/$clone"/build/bench/demo/*.png
install_in_room python3-numpy python3-venv r-base-core
in_room sh -ec "PATH=$clone/build/stage/bin:\$PATH $clone/packaging/three-programs"
for wheel in "$top"/build/wheel/*"$(uname -m)".whl; do
  [ -f "$wheel" ] || { echo "no wheel: packaging/wheel/build makes one"; exit 1; }
  cp "$wheel" "$room/root/"
  in_room sh -ec "python3 -m venv --system-site-packages /root/venv
    /root/venv/bin/pip -q install /root/${wheel##*/}
    PATH=/root/venv/bin:\$PATH
    echo \"the wheel: \$(command -v amp-run)\"
    $clone/packaging/three-programs"
done
