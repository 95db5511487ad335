#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deps.sh [build] [check] [patches] [bench] [cross]: makes sure that what these jobs need is
# there.  As root on Debian or Ubuntu it installs the missing packages with
# apt; elsewhere it prints one line that names them and fails.  Some
# packages are wanted, not needed: the style checker's, the peers of the benches,
# matplotlib.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"

missing=
wanted=
# need PROGRAM PACKAGE
need () { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }

# The newest supported compiler that apt would install.
apt_major ()
{
  for am_v in $(supported_majors); do
    if apt-cache show "gcc-$am_v" >/dev/null 2>&1; then
      printf '%s\n' "$am_v"
      return 0
    fi
  done
  supported_majors | sed -n 1p
}

# cross_packages: the compilers for TARGET.
cross_packages ()
{
  host_cc=
  for cp_try in "${CC:-}" "$TARGET-gcc" \
	        $(supported_majors | sed "s/^/$TARGET-gcc-/"); do
    if [ -n "$cp_try" ] && command -v "$cp_try" >/dev/null 2>&1; then
      host_cc=$cp_try
      break
    fi
  done
  if [ -n "$host_cc" ]; then
    find_cc
  else
    # That of the same version as the machine's own, else the newest.
    major=$(full_version gcc) || major=
    major=${major%%.*}
    supported_majors | grep -qx "$major" || major=$(apt_major)
  fi
  # In names of packages, unlike in triplets, there is no underscore.
  cp_name=$(printf '%s\n' "$TARGET" | tr _ -)
  case $host_cc in
    *-gcc) cp_n='' cp_c='' ;;
    *) cp_n=-$major cp_c=-$major ;;
  esac
  need "${host_cc:-$TARGET-gcc-$major}" "gcc$cp_n-$cp_name"
  need "${CXX:-$TARGET-g++$cp_c}" "g++$cp_n-$cp_name"
  [ "${FC:-}" = none ] \
    || need "${FC:-$TARGET-gfortran$cp_c}" "gfortran$cp_n-$cp_name"
  [ -f "/usr/lib/gcc-cross/$TARGET/$major/plugin/include/gcc-plugin.h" ] \
    || plugin_headers >/dev/null \
    || wanted="$wanted gcc-$major-plugin-dev-$cp_name"
  need g++ g++
}

# absent_gcc: is CC a supported gcc-N that is not there?  Sets major.
absent_gcc ()
{
  major=${CC:-}
  major=${major#gcc-}
  [ "gcc-$major" = "${CC:-}" ] && ! command -v "$CC" >/dev/null 2>&1 \
    && supported_majors | grep -qx "$major"
}

cross_deps ()
{
  need qemu-aarch64 qemu-user
  check_deps
}

build_deps ()
{
  need make make
  need patch patch
  need xz xz-utils
  need python3 python3
  need flock util-linux
  need ar binutils
  [ -f /usr/include/stdio.h ] || missing="$missing libc6-dev"
  # N: the suffix of the packages; empty for the distribution's default.
  if [ -n "$TARGET" ]; then
    cross_packages
  elif absent_gcc; then
    # Its packages are named as it is.
    host_cc=$CC
    missing="$missing gcc-$major g++-$major"
    [ "${FC:-}" = none ] || missing="$missing gfortran-$major"
  elif [ -n "${CC:-}" ] || command -v gcc >/dev/null 2>&1; then
    find_cc
    need "$host_cc" "gcc-$major"
    gxx=${CXX:-$(printf '%s\n' "$host_cc" | sed 's/\(.*\)gcc/\1g++/')}
    gfc=${FC:-$(printf '%s\n' "$host_cc" | sed 's/\(.*\)gcc/\1gfortran/')}
    case $host_cc in
      *-"$major") n=-$major ;;
      *) n= ;;
    esac
    need "$gxx" "g++$n"
    [ "$gfc" = none ] || need "$gfc" "gfortran$n"
  else
    # Nothing there yet: the distribution's own.
    major=$(apt-cache policy gcc 2>/dev/null \
	    | sed -n 's/^ *Candidate: [0-9]*:\([0-9]*\).*/\1/p')
    [ -n "$major" ] || major=$(apt_major)
    missing="$missing gcc g++ gfortran"
  fi
  if [ -n "$TARGET" ]; then
    :
  elif ! [ -d "/usr/lib/gcc/${triplet:-$(uname -m)-linux-gnu}/$major/plugin/include" ] \
     && ! plugin_headers >/dev/null && [ "${PLUGIN_HEADERS:-}" != none ]
  then
    # Without it the library alone is of use.
    wanted="$wanted gcc-$major-plugin-dev"
  fi
  if [ -z "${GCC_SRC:-}" ] && [ ! -f "$BUILD/src/gcc-${version:-}/.complete" ] \
     && ! ls "/usr/src/gcc-$major"/gcc-*.tar.* >/dev/null 2>&1 \
     && command -v apt-get >/dev/null 2>&1; then
    missing="$missing gcc-$major-source"
  fi
}

check_deps ()
{
  need runtest dejagnu
  need readelf binutils
  need python3 python3
  need git git
  # Else the tests of what measures are skipped, and those of plots.
  python3 -c 'import pytest' 2>/dev/null \
    || /usr/bin/python3 -c 'import pytest' 2>/dev/null \
    || wanted="$wanted python3-pytest"
  python3 -c 'import matplotlib' 2>/dev/null \
    || /usr/bin/python3 -c 'import matplotlib' 2>/dev/null \
    || wanted="$wanted python3-matplotlib"
  # Else libamp-device's helper for OpenCL is not tested.
  [ -n "$(ls /etc/OpenCL/vendors 2>/dev/null)" ] || wanted="$wanted pocl-opencl-icd"
  # Else libamp-mpi is not tested, or with one MPI only.
  if ! command -v mpicc >/dev/null 2>&1; then
    wanted="$wanted libopenmpi-dev openmpi-bin libmpich-dev mpich"
  elif command -v mpicc.openmpi >/dev/null 2>&1; then
    command -v mpicc.mpich >/dev/null 2>&1 || wanted="$wanted libmpich-dev mpich"
  fi
  # Else some ways to another libgomp are not tested.
  command -v cmake >/dev/null 2>&1 || wanted="$wanted cmake"
  command -v patchelf >/dev/null 2>&1 || wanted="$wanted patchelf"
  # Else what is written in C and sh is not held against its style.
  command -v shellcheck >/dev/null 2>&1 || wanted="$wanted shellcheck"
  patches_deps
}

patches_deps ()
{
  need git git
  python3 -c 'import unidiff, termcolor' 2>/dev/null \
    || /usr/bin/python3 -c 'import unidiff, termcolor' 2>/dev/null \
    || wanted="$wanted python3-unidiff python3-termcolor"
}

bench_deps ()
{
  # LLVM's OpenMP run-time library, a peer in the tables.
  ls /usr/lib/*/libomp.so.5 /usr/lib/llvm-*/lib/libomp.so* >/dev/null 2>&1 \
    || wanted="$wanted libomp5"
}

host_cc=gcc
for group in "${@:-build}"; do
  case $group in
    build|check|patches|bench|cross) "${group}_deps" ;;
    *) die "deps.sh: no such group: $group (build, check, patches, bench, cross)" ;;
  esac
done
# shellcheck disable=SC2086 # a list of packages
missing=$(printf '%s\n' $missing | sort -u | tr '\n' ' ')
missing=${missing% }
wanted=${wanted# }
all=${missing:+$missing }$wanted
[ -n "${all% }" ] || exit 0

line="apt-get install --no-install-recommends ${all% }"
id=
[ ! -r /etc/os-release ] \
  || id=$(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}")
case " $id " in
  *\ debian\ *|*\ ubuntu\ *) apt=yes ;;
  *) apt=no ;;
esac
if [ "$apt" = yes ] && [ "$(id -u)" = 0 ] && [ "${APT:-yes}" != no ]; then
  install_packages ()
  {
    DEBIAN_FRONTEND=noninteractive
    export DEBIAN_FRONTEND
    # The lists may be absent or older than the mirror.
    # shellcheck disable=SC2086 # a list of packages
    { apt-get -q -y --no-install-recommends install "$@" \
	|| { apt-get -q update \
	     && apt-get -q -y --no-install-recommends install "$@"; }; }
  }
  if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    logged deps "installing $missing" install_packages $missing
  fi
  if [ -n "$wanted" ]; then
    mkdir -p "$logs"
    # shellcheck disable=SC2086
    install_packages $wanted >"$logs/deps-wanted.log" 2>&1 </dev/null \
      || say "not to be had, going on without: $wanted"
  fi
elif [ -n "$missing" ]; then
  die "missing packages; as root: $line"
else
  say "would be of use: $line"
fi
