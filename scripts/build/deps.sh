#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deps.sh [--install] [build] [check] [patches] [bench] [cross]: is there what these jobs
# need?  If not, prints one line that names the packages and fails; with --install, as
# root on Debian or Ubuntu, it says so and installs them with apt.  check: what
# testsuite/suites says of TESTS, or of all.  Some packages are wanted, not needed: the
# style checker's, the peers of the benches, matplotlib.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"

missing=
wanted=
# need PROGRAM PACKAGE
need () { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
# want MODULES PACKAGE...: Python's, in one of those that scripts find.
want ()
{
  wa_modules=$1
  shift
  python3 -c "import $wa_modules" 2>/dev/null || /usr/bin/python3 -c "import $wa_modules" 2>/dev/null \
    || wanted="$wanted $*"
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

# Python is new enough, or will be; what measures reads TOML.
python_deps ()
{
  pd_is=$(python3 --version 2>/dev/null || apt-cache policy python3 2>/dev/null | sed -n 's/^ *Candidate:/Python/p')
  case $pd_is in
    'Python 3.'[0-8].*)
      die "tests and demo need Python 3.9 or later; python3 is $pd_is: put a newer one first in PATH, by that name" ;;
  esac
  command -v python3 >/dev/null 2>&1 || { missing="$missing python3"; return 0; }
  # Before 3.11 Python has no tomllib; python3-toml does not read arrays of tables.
  python3 -c 'import tomllib' 2>/dev/null || python3 -c 'import tomli' 2>/dev/null && return 0
  modules=tomli
  python3 -m pip --version >/dev/null 2>&1 || missing="$missing python3-pip"
}

check_deps ()
{
  need python3 python3
  need git git
  [ -n "${CC:-}" ] || need gcc gcc
  [ -f /usr/include/stdio.h ] || missing="$missing libc6-dev"
  # shellcheck disable=SC2013 # words
  for cd_need in $(awk -v tests="${TESTS:-}" '
      BEGIN { n = split (tests, test); for (i = 1; i <= n; i++) chosen[test[i]] }
      /^#/ { next }
      n == 0 || $1 in chosen { for (i = 3; i <= NF; i++) needs[$i]; delete chosen[$1] }
      # Of one that is not in the table nothing is known.
      END { for (t in chosen) needs["stage"]; for (w in needs) print w }' \
      "$top/testsuite/suites" | sort); do
    case $cd_need in
      alone) ;;
      stage) build_deps ;;
      dejagnu) command -v runtest >/dev/null 2>&1 || wanted="$wanted dejagnu" ;;
      toml) python_deps ;;
      pytest)
	want pytest python3-pytest
	want matplotlib python3-matplotlib ;;
      opencl)
	[ -n "$(ls /etc/OpenCL/vendors 2>/dev/null)" ] || wanted="$wanted pocl-opencl-icd" ;;
      # Else libamp-mpi is not tested, or with one MPI only.
      mpi)
	if ! command -v mpicc >/dev/null 2>&1; then
	  wanted="$wanted libopenmpi-dev openmpi-bin libmpich-dev mpich"
	elif command -v mpicc.openmpi >/dev/null 2>&1; then
	  command -v mpicc.mpich >/dev/null 2>&1 || wanted="$wanted libmpich-dev mpich"
	fi ;;
      # Ways to another libgomp.
      cmake)
	command -v cmake >/dev/null 2>&1 || wanted="$wanted cmake"
	command -v patchelf >/dev/null 2>&1 || wanted="$wanted patchelf" ;;
      style)
	command -v shellcheck >/dev/null 2>&1 || wanted="$wanted shellcheck"
	patches_deps ;;
      *) die "testsuite/suites: '$cd_need' is nothing that deps.sh knows" ;;
    esac
  done
}

patches_deps ()
{
  need git git
  want 'unidiff, termcolor' python3-unidiff python3-termcolor
}

bench_deps ()
{
  python_deps
  want matplotlib python3-matplotlib
  # LLVM's OpenMP run-time library, a peer in the tables.
  ls /usr/lib/*/libomp.so.5 /usr/lib/llvm-*/lib/libomp.so* >/dev/null 2>&1 \
    || wanted="$wanted libomp5"
}

modules=
install=no
[ "${1-}" != --install ] || { install=yes; shift; }
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
# shellcheck disable=SC2086
wanted=$(printf '%s\n' $wanted | sort -u | tr '\n' ' ')
wanted=${wanted% }
all=${missing:+$missing }$wanted
all=${all% }
[ -n "$all$modules" ] || exit 0

line="${all:+apt-get install --no-install-recommends $all}${modules:+${all:+; }python3 -m pip install $modules}"
id=
[ ! -r /etc/os-release ] \
  || id=$(. /etc/os-release && echo "${ID:-} ${ID_LIKE:-}")
case " $id " in
  *\ debian\ *|*\ ubuntu\ *) apt=yes ;;
  *) apt=no ;;
esac
if [ "$apt" = yes ] && [ "$(id -u)" = 0 ] && [ $install = yes ] && [ "${APT:-yes}" != no ]; then
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
    # What a Python lacks that was not there shows now.
    case " $missing " in *\ python3\ *) exec "$0" --install "$@" ;; esac
  fi
  [ -z "$modules" ] || logged deps "installing $modules by pip" python3 -m pip install -q "$modules"
  if [ -n "$wanted" ]; then
    mkdir -p "$logs"
    say "installing $wanted"
    # shellcheck disable=SC2086
    install_packages $wanted >"$logs/deps-wanted.log" 2>&1 </dev/null \
      || say "not to be had, going on without: $wanted"
  fi
elif [ -n "$missing$modules" ]; then
  die "missing packages; as root: make deps, or $line"
else
  say "would be of use: $line"
fi
