#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# modulefile.sh: the modulefile sets what leads to the installation it lies in, by
# itself and by links to it.  A Tcl interpreter stands in for the module command.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
command -v tclsh >/dev/null || { echo "no tclsh"; exit 77; }
[ -d "$stage/share/modulefiles" ] || { echo "no $stage: run make first"; exit 77; }
stage=$(readlink -f "$stage")
amp_version=$(cat "$top/VERSION")
mkdir "$tmp/gomp-amp"
ln -s "$stage/share/modulefiles/gomp-amp" "$tmp/first"
ln -s ../first "$tmp/gomp-amp/$amp_version"
cat >"$tmp/load.tcl" <<'T'
proc module-whatis {text} {}
proc conflict {name} {}
proc prepend-path {name value} { puts "$name $value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
T
for file in "$stage/share/modulefiles/gomp-amp" "$tmp/gomp-amp/$amp_version"; do
  tclsh "$tmp/load.tcl" "$file" >"$tmp/set"
  while read -r name value; do
    case $name:$value in
      PATH:"$stage/bin"|MANPATH:"$stage/share/man") ;;
      PKG_CONFIG_PATH:"$stage/lib/pkgconfig") ;;
      *) bad "$file: $name $value" ;;
    esac
    [ -d "$value" ] || { echo "FAIL: $file: $name: there is no $value"; rc=1; }
  done <"$tmp/set"
  [ "$(wc -l <"$tmp/set")" = 3 ] || { echo "FAIL: $file sets"; cat "$tmp/set"; rc=1; }
done
head -n 1 "$stage/share/modulefiles/gomp-amp" | grep -q '^#%Module' || rc=1
exit $rc
