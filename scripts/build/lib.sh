# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # what is set here is used elsewhere
# What the build scripts share.  A script sources this file first; the
# Makefile hands its variables on in the environment.

LC_ALL=C
export LC_ALL
top=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=${BUILD:-build}
case $BUILD in
  /*) ;;
  *) BUILD=$top/$BUILD ;;
esac
for lib_path in "$top" "$BUILD"; do
  case $lib_path in
    *[[:space:]\'\"\\]*)
      echo "gomp-amp: libtool cannot build in a path with blanks or quotes; move what is in '$lib_path'" >&2
      exit 1 ;;
  esac
done
# A triplet: build for another machine, by its cross compiler.
TARGET=${TARGET:-}
V=${V:-0}
J=${J:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}
amp_version=$(cat "$top/VERSION")
PREFIX=${PREFIX:-/opt/gomp-amp}
stamps=$BUILD/stamp
logs=$BUILD/log
stage=$BUILD/stage
# Where the core and what it is given are found by tools and tests.
core_rooms="-I$top/libgomp/core -I$top/libgomp/sched -I$top/libgomp/machine"

say () { printf '%s\n' "gomp-amp: $*"; }
die () { printf '%s\n' "gomp-amp: $*" >&2; exit 1; }

# run CMD...: show the command when V=1, then run it.
run ()
{
  [ "$V" = 0 ] || printf '+ %s\n' "$*"
  "$@"
}

# logged NAME WHAT CMD...: a long stage.  Says what it does, and afterwards how
# long it took; the output is in $logs/NAME.log, and on the terminal with V=1.
# The last lines are shown when it fails.  A function stops at its first command
# that fails, provided that `logged` itself is not part of a condition.
logged ()
{
  logged_log=$logs/$1.log
  logged_what=$2
  shift 2
  mkdir -p "$logs"
  say "$logged_what (log: ${logged_log#"$top"/})"
  logged_t0=$(date +%s)
  # Not in a condition: there, set -e has no effect within the command.
  set +e
  if [ "$V" = 0 ]; then
    (set -e; "$@") >"$logged_log" 2>&1 </dev/null
    logged_rc=$?
  else
    printf '+ %s\n' "$*"
    { (set -e; "$@") 2>&1 </dev/null; echo $? >"$logged_log.rc"; } \
      | tee "$logged_log"
    logged_rc=$(cat "$logged_log.rc")
    rm -f "$logged_log.rc"
  fi
  set -e
  if [ "$logged_rc" != 0 ]; then
    tail -n 25 "$logged_log" >&2
    die "failed: $logged_what; see $logged_log"
  fi
  say "  done in $(($(date +%s) - logged_t0)) s"
}

# digest: one hash of what is read.
digest () { sha256sum | cut -d ' ' -f 1; }

# files_digest FILE...: one hash of the contents; a file that is absent counts
# as such.
files_digest ()
{
  for fd_file; do
    if [ -f "$fd_file" ]; then
      sha256sum <"$fd_file"
    else
      echo absent
    fi
    printf '%s\n' "${fd_file##*/}"
  done | digest
}

# fresh STAMP DIGEST: is the stage that wrote STAMP up to date?
fresh () { [ -f "$stamps/$1" ] && [ "$(cat "$stamps/$1")" = "$2" ]; }

# stamp STAMP DIGEST: the stage is complete.
stamp ()
{
  mkdir -p "$stamps"
  printf '%s\n' "$2" >"$stamps/$1.tmp"
  mv "$stamps/$1.tmp" "$stamps/$1"
}

# replace NEW OLD: put the folder NEW in OLD's place.
replace ()
{
  rm -rf "$2.old"
  [ ! -e "$2" ] || mv "$2" "$2.old"
  mv "$1" "$2"
  rm -rf "$2.old"
}

# locked: one build at a time in a build folder.  Re-runs the script under the
# lock unless a caller holds it.
locked ()
{
  if [ -z "${AMP_BUILD_LOCKED:-}" ]; then
    mkdir -p "$BUILD"
    if command -v flock >/dev/null 2>&1; then
      AMP_BUILD_LOCKED=1
      export AMP_BUILD_LOCKED
      exec flock -w 3600 "$BUILD/.lock" "$0" "$@"
    fi
  fi
}

# within VERSION RANGE: is VERSION's major in RANGE, as 12, 12-14, 13- (empty: any)?
within ()
{
  wi_low=${2%-*}
  wi_high=${2#*-}
  case ${1%%.*} in
    ''|*[!0-9]*) return 1 ;;
  esac
  [ "${1%%.*}" -ge "${wi_low:-0}" ] && [ "${1%%.*}" -le "${wi_high:-999}" ]
}

# ranges: the folders of gcc-patches, oldest first: 8, 9-16.
ranges ()
{
  for ra_dir in "$top"/gcc-patches/*/libgomp/series; do
    [ ! -f "$ra_dir" ] || printf '%s\n' "$ra_dir"
  done | sed 's|/libgomp/series$||;s|.*/||' | sort -n
}

# patches_for VERSION: the folder of patches that serves it; fails if none does.
# SERVED_AS: the range, for a version that none is known to serve yet (make port).
patches_for ()
{
  if [ -n "${SERVED_AS:-}" ]; then
    printf '%s\n' "$top/gcc-patches/$SERVED_AS"
    return 0
  fi
  for pf_range in $(ranges); do
    if within "$1" "$pf_range"; then
      printf '%s\n' "$top/gcc-patches/$pf_range"
      return 0
    fi
  done
  return 1
}

# supported_majors: newest first.
supported_majors ()
{
  for sm_range in $(ranges); do
    seq "${sm_range%-*}" "${sm_range#*-}"
  done | sort -nr
}

# series_of FOLDER VERSION: the patches of FOLDER/series that hold for VERSION.  A
# line there is the name of a file, and a range of majors if it is not for all.
series_of ()
{
  [ -f "$1/series" ] || return 0
  sed 's/#.*//' "$1/series" | while read -r so_patch so_range; do
    if [ -n "$so_patch" ] && within "$2" "$so_range"; then
      printf '%s\n' "$1/$so_patch"
    fi
  done
}

# no_manual TREE PATCH: is PATCH one for GCC's manual, which TREE lacks?
no_manual ()
{
  case $2 in
    *-doc-*) ! grep -q fopenmp-simd "$1/gcc/doc/invoke.texi" 2>/dev/null ;;
    *) return 1 ;;
  esac
}

# Before GCC 7 there is no -dumpfullversion.
full_version ()
{
  # shellcheck disable=SC2086 # CC may be several words, as in make.
  $1 -dumpfullversion 2>/dev/null </dev/null || $1 -dumpversion 2>/dev/null </dev/null
}

is_gcc ()
{
  # shellcheck disable=SC2086
  $1 -v 2>&1 </dev/null | grep -q '^gcc version '
}

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

# unserved WHY: end, and say which compilers are served and how to get one.
unserved ()
{
  un_get='install one of them, with its C++ and Fortran, and say CC=gcc-N'
  if [ -n "$TARGET" ]; then
    un_get="install one of them, and say CC=$TARGET-gcc-N"
  elif command -v apt-cache >/dev/null 2>&1; then
    un_major=$(apt_major)
    un_get="apt-get install gcc-$un_major g++-$un_major gfortran-$un_major, and say CC=gcc-$un_major"
  fi
  die "$1; supported: $(supported_majors | tr '\n' ' ')-- $un_get" \
      "(make port carries the patches to others)"
}

# release_of VERSION: of what a branch gives between two releases (15.2.1), the
# release before.
release_of ()
{
  case $1 in
    *.[1-9]*.0|*.0.*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "${1%.*}.0" ;;
  esac
}

# package_source MAJOR: the tarball of the distribution's gcc-MAJOR-source.
# USE_PACKAGE=no is for tests.
package_source ()
{
  for ps_file in "/usr/src/gcc-$1/gcc-$1".*.*.tar.*; do
    if [ -f "$ps_file" ] && [ "${USE_PACKAGE:-yes}" != no ]; then
      printf '%s\n' "$ps_file"
      return 0
    fi
  done
  return 1
}

# source_version VERSION: the version of the source for a compiler of VERSION:
# that of GCC_SRC or of the package, as far as their names tell, else VERSION's
# release.
source_version ()
{
  if [ -f "${GCC_SRC:-}/gcc/BASE-VER" ]; then
    cat "$GCC_SRC/gcc/BASE-VER"
    return 0
  fi
  sv_file=${GCC_SRC:-$(package_source "${1%%.*}")} || sv_file=
  sv_version=$(printf '%s\n' "${sv_file##*/}" \
	       | sed -n 's/^gcc-\([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p')
  printf '%s\n' "${sv_version:-$(release_of "$1")}"
}

# find_compilers: set host_cc, host_cxx, host_fc (host_fc may be empty),
# host_version (the compiler's), version (the source's), patches (the folder that
# serves it) and triplet (that of the machine for which they compile).
# Without CC: the first of gcc and gcc-N, N supported; with TARGET, the first of
# TARGET-gcc and TARGET-gcc-N.
find_compilers ()
{
  find_cc
  fc_name=${host_cc##*/}
  fc_dir=${host_cc%"$fc_name"}
  case $fc_name in
    *gcc*) fc_pre=${fc_name%gcc*} fc_post=${fc_name##*gcc} ;;
    *) fc_pre='' fc_post='' ;;
  esac
  host_cxx=${CXX:-$fc_dir${fc_pre}g++$fc_post}
  host_fc=${FC:-$fc_dir${fc_pre}gfortran$fc_post}
  [ "$(full_version "$host_cxx")" = "$host_version" ] \
    || die "the C++ compiler $host_cxx is absent or not GCC $host_version" \
	   "(set CXX)"
  case ${host_fc} in
    none) host_fc='' ;;
    *)
      [ "$(full_version "$host_fc")" = "$host_version" ] \
	|| die "the Fortran compiler $host_fc is absent or not GCC" \
	       "$host_version (set FC, or FC=none to build without Fortran)"
      # libgomp's configure drops the Fortran modules for a bare name.
      host_fc=$(command -v "$host_fc") ;;
  esac
}

find_cc ()
{
  host_cc=
  if [ -n "${CC:-}" ]; then
    # A launcher in front (ccache gcc) is of no use here.
    case $CC in
      ccache\ *|distcc\ *) CC=${CC#* } ;;
    esac
    host_cc=$CC
    if ! { host_version=$(full_version "$CC") && is_gcc "$CC"; }; then
      unserved "CC=$CC is not a GCC that runs"
    fi
  else
    fc_gcc=${TARGET:+$TARGET-}gcc
    for fc_try in "$fc_gcc" \
		  $(supported_majors | sed "s/^/$fc_gcc-/")
    do
      fc_version=$(full_version "$fc_try") || continue
      if ! is_gcc "$fc_try"; then
	fc_seen="${fc_seen:-} $fc_try, which is $($fc_try -v 2>&1 </dev/null | sed q)"
	continue
      fi
      fc_seen="${fc_seen:-} $fc_try=$fc_version"
      if patches_for "${GCC_VERSION:-$fc_version}" >/dev/null; then
	host_cc=$fc_try
	host_version=$fc_version
	break
      fi
    done
  fi
  version=${GCC_VERSION:-}
  if [ -z "$version" ] && [ -n "${host_version:-}" ]; then
    version=$(source_version "$host_version")
  fi
  patches=$(patches_for "$version") \
    || unserved "no patches for GCC ${version:-here (found:${fc_seen:- no ${fc_gcc:-gcc}})}"
  [ -n "$host_cc" ] || die "no gcc found; run scripts/build/deps.sh build"
  # The plugin and the wrappers are for a compiler of the libgomp's own major
  # version; LIBGOMP_ONLY=yes is for what makes none.
  if [ "${version%%.*}" != "${host_version%%.*}" ] \
     && [ "${LIBGOMP_ONLY:-no}" != yes ]; then
    die "GCC_VERSION=$version does not fit the compiler ($host_version): the" \
	"major versions differ; make libgomp builds the library alone"
  fi
  major=${version%%.*}
  triplet=$($host_cc -dumpmachine)
  [ -z "$TARGET" ] || [ "$triplet" = "$TARGET" ] \
    || die "$host_cc compiles for $triplet, not for TARGET=$TARGET"
}

# plugin_headers: where the headers are that a plugin of host_cc is compiled with;
# fails if there are none.  PLUGIN_HEADERS names another folder, or none.
plugin_headers ()
{
  ph_dir=${PLUGIN_HEADERS:-$($host_cc -print-file-name=plugin 2>/dev/null)/include}
  [ -f "$ph_dir/gcc-plugin.h" ] && printf '%s\n' "$ph_dir"
}

# find_build_compiler: set build_cxx, a compiler for the machine at hand, and
# build_triplet.  What runs inside a cross compiler, the plugin, is made by it.
find_build_compiler ()
{
  if [ -z "$TARGET" ]; then
    build_cxx=$host_cxx
    build_triplet=$triplet
    return 0
  fi
  build_cxx=
  for fb_try in "${CXX_FOR_BUILD:-}" g++ "g++-$major"; do
    if [ -n "$fb_try" ] && full_version "$fb_try" >/dev/null; then
      build_cxx=$fb_try
      break
    fi
  done
  [ -n "$build_cxx" ] \
    || die "no g++ for this machine, which the plugin needs (CXX_FOR_BUILD=)"
  build_triplet=$($build_cxx -dumpmachine)
}

# find_mpi: set mpicc, the compiler of an MPI, and mpifc, which compiles its module
# mpi_f08; empty where there is none, none is asked for (MPICC=none), or programs are
# for another machine.  After find_compilers.
find_mpi ()
{
  mpicc=${MPICC:-mpicc}
  mpifc=${MPIFC:-$(printf '%s\n' "$mpicc" | sed 's/\(.*\)mpicc/\1mpifort/')}
  mkdir -p "$BUILD"
  echo '#include <mpi.h>' >"$BUILD/mpi-try.c"
  echo 'use mpi_f08; end' >"$BUILD/mpi-try.f90"
  # shellcheck disable=SC2086 # MPICC may be several words
  if [ -n "$TARGET" ] || [ "$mpicc" = none ] \
     || ! $mpicc -c "$BUILD/mpi-try.c" -o "$BUILD/mpi-try.o" 2>/dev/null; then
    mpicc='' mpifc=''
  elif [ -z "$host_fc" ] \
     || ! $mpifc -c "$BUILD/mpi-try.f90" -o "$BUILD/mpi-try.o" 2>/dev/null; then
    mpifc=''
  fi
  rm -f "$BUILD"/mpi-try.*
}
