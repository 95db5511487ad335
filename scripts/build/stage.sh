#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# stage.sh: builds the plugin, the tools and the wrappers, and assembles
# $BUILD/stage, the prefix that `make install` copies.  With TARGET, that prefix is
# for the other machine and holds what runs there; the wrappers around the cross
# compiler, the plugin in it and what they compile and link with are in
# $BUILD/cross.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
locked "$@"
find_compilers
find_build_compiler
inst=$BUILD/libgomp-inst
tmp=$stage.tmp
# Where the wrappers and the plugin go.
home=$stage
[ -z "$TARGET" ] || home=$BUILD/cross

# made NAME KEY FILE WHAT: unless $BUILD/NAME is from KEY and has FILE, build_NAME builds it anew,
# in $BUILD/NAME.tmp.
made ()
{
  if fresh "$1" "$2" && [ -e "$BUILD/$1/$3" ]; then
    return 0
  fi
  rm -rf "$BUILD/$1.tmp"
  logged "$1" "$4" "build_$1"
  replace "$BUILD/$1.tmp" "$BUILD/$1"
  stamp "$1" "$2"
}

# own_make WORD...: a make for which variables of the one that called us do not count.
own_make () { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u CFLAGS -u CXXFLAGS -u FFLAGS make "$@"; }

# The plugin, with its specs file; where the compiler has no headers for one, what
# stands in for it.
plugin=$BUILD/plugin
headers=$(plugin_headers) || headers=
key=$({ echo "$host_cxx $build_cxx $host_version $headers"
	  files_digest "$top"/plugin/* "$top"/plugin/rules/*; } | digest)
if [ -z "$headers" ]; then
  say "GCC $host_version has no headers for plugins (packages" \
      "gcc-$major-plugin-dev, gcc-plugin-devel):" \
      "building without. Loops without a schedule clause stay static; the library" \
      "serves schedule(runtime), GOMP_AMP_REPLACE and amp-run --weighted"
  rm -rf "$plugin"
  mkdir -p "$plugin"
  cat "$top/plugin/gomp-amp.specs" "$top/plugin/without.specs" \
      >"$plugin/gomp-amp.specs"
else
  build_plugin ()
  {
    own_make -C "$top/plugin" CXX="$build_cxx" plugin_headers="$headers" OUT="$plugin.tmp"
    cp "$top/plugin/gomp-amp.specs" "$plugin.tmp/"
  }
  made plugin "$key" gomp_amp_plugin.so "building the plugin for GCC $host_version"
fi

# The tools in C.
tools_key=$({ echo "$host_cc $host_version $amp_version"
	      files_digest "$top"/tools/*/*.[ch] "$top"/libgomp/*/*.[ch]; } \
	      | digest)
build_tools ()
{
  mkdir -p "$BUILD/tools.tmp"
  compile ()
  {
    echo "-- $1"
    compile_to=$BUILD/tools.tmp/$1
    shift
    # shellcheck disable=SC2086 # CC may be several words
    $host_cc -std=gnu11 -O2 -g -Wall -pthread -DAMP_VERSION="\"$amp_version\"" \
      -o "$compile_to" "$@"
  }
  cd "$top/tools"
  # shellcheck disable=SC2046 # a list of files
  compile amp-emulate $(find amp-emulate -name '*.c' ! -name preload.c) -lm -lrt
  compile libamp-slow.so -shared -fPIC -fvisibility=hidden amp-emulate/slow.c \
    amp-emulate/preload.c -ldl -lrt
  compile amp-run amp-run/*.c -lm
  compile gomp-amp-guard.o -g0 -fPIC -c amp-gcc/gomp-amp-guard.c
  # One unit each, with the core's files, whose symbols are static.
  for name in amp-info amp-sim; do
    # shellcheck disable=SC2086
    compile $name $core_rooms -I$name $name/$name.c -lm
  done
}
made tools "$tools_key" amp-run "building the tools"

# asked LIBRARY: is it, of libraries/, asked for by LIBRARIES, or was it before?
asked ()
{
  case " ${LIBRARIES:-} " in
    *" $1 "*) return 0 ;;
  esac
  [ -d "$BUILD/$1" ]
}

# The library for loops over the ranks of MPI.
mpicc=
! asked mpi || find_mpi
mpi=$BUILD/mpi
rooms=$top/libraries/libamp-mpi
if [ -z "$mpicc" ]; then
  rm -rf "$mpi"
  case " ${LIBRARIES:-} " in
    *" mpi "*) die "${MPICC:-mpicc} compiles no MPI" ;;
  esac
else
  # shellcheck disable=SC2086 # MPICC may be several words
  mpi_key=$({ echo "$mpicc $mpifc $host_version $($mpicc -show 2>&1)"
	      files_digest "$rooms"/*; } | digest)
  build_mpi () { own_make -C "$rooms" MPICC="$mpicc" MPIFC="${mpifc:-none}" OUT="$mpi.tmp"; }
  made mpi "$mpi_key" libamp-mpi.a "building libamp-mpi with $mpicc"
fi

# The library for loops on cores and devices.
device=$BUILD/device
device_rooms=$top/libraries/libamp-device
device_stamp=
if asked device; then
  device_stamp=$stamps/device
  device_key=$({ echo "$host_cc $host_fc $host_version"
	       files_digest "$device_rooms"/* "$top"/libgomp/*/*.[ch]; } \
	       | digest)
  build_device ()
  {
    own_make -C "$device_rooms" CC="$host_cc" FC="${host_fc:-none}" LIBGOMP="$inst/lib" OUT="$device.tmp"
  }
  made device "$device_key" libamp-device.so.0 "building libamp-device"
fi

# Scripts among the tools, and where they go.
scripts='amp-trace/amp-trace:bin
  amp-info/amp-capture:libexec/gomp-amp amp-check/amp-check.py:libexec/gomp-amp
  amp-check/amp_compare.py:libexec/gomp-amp amp-check/amp_files.py:libexec/gomp-amp
  amp-run/amp-measure.py:libexec/gomp-amp amp-run/amp_places.py:libexec/gomp-amp
  amp-run/amp_look.py:libexec/gomp-amp amp-run/amp-compare.py:libexec/gomp-amp'
# shellcheck disable=SC2046,SC2086
key=$({ cat "$stamps/tools" $device_stamp
	[ -z "$mpicc" ] || cat "$stamps/mpi"
	echo "$stage $amp_version $host_cc $host_cxx $host_fc ${TARGET:+$PREFIX}"
	find "$inst" "$plugin" -type f -exec sha256sum {} + | sort
	files_digest "$0" "$top/tools/amp-gcc/amp-gcc.in" \
		     $(for f in $scripts; do echo "$top/tools/${f%:*}"; done) \
		     "$top"/libgomp/runtime/omp_amp* "$top"/docs/man/* \
		     "$top"/packaging/pkgconfig/* "$top"/packaging/modulefile/* \
		     "$top"/packaging/completion/*
	ls "$top/docs/man"; } | digest)
if fresh stage "$key" && [ -d "$stage" ] && [ -d "$home" ]; then
  exit 0
fi

# wrapper NAME COMPILER OVERRIDE: into $into/bin.
wrapper ()
{
  path=$(command -v "$2")
  # Caches of compilers look at what the wrapper holds.
  plugin_id=$(cat "$plugin"/* | digest | cut -c -16)
  sed -e "s|@NAME@|$1|g" -e "s|@AMP_VERSION@|$amp_version|g" \
      -e "s|@COMPILER@|$path|g" -e "s|@OVERRIDE@|$3|g" \
      -e "s|@GCC_VERSION@|$host_version|g" \
      -e "s|@PLUGIN_ID@|$plugin_id|g" -e "s|@BOARD@|$board|g" \
      "$top/tools/amp-gcc/amp-gcc.in" >"$into/bin/$1"
  chmod 755 "$into/bin/$1"
}

# compilers FOLDER BOARD PREFIX: what compiles and links programs.
compilers ()
{
  into=$1
  board=$2
  mkdir -p "$into/bin" "$into/lib/gomp-amp"
  cp "$plugin"/* "$BUILD/tools/gomp-amp-guard.o" "$into/lib/gomp-amp/"
  wrapper "$3amp-gcc" "$host_cc" AMP_CC
  wrapper "$3amp-g++" "$host_cxx" AMP_CXX
  [ -z "$host_fc" ] || wrapper "$3amp-gfortran" "$host_fc" AMP_FC
  # CMake takes these for archives of what -flto has compiled.
  for tool in ar nm ranlib; do
    path=$(command -v "$host_cc" | sed "s/\(.*\)gcc/\1gcc-$tool/")
    [ ! -x "$path" ] || ln -s "$path" "$into/bin/$3amp-gcc-$tool"
  done
}

# headers FOLDER
headers ()
{
  mkdir -p "$1/include"
  for f in "$top"/libgomp/runtime/omp_amp*; do
    [ ! -f "$f" ] || cp "$f" "$1/include/"
  done
}

rm -rf "$tmp"
mkdir -p "$tmp/bin" "$tmp/lib/gomp-amp" "$tmp/include" "$tmp/share/man/man1" \
	 "$tmp/share/man/man7"
cp -R "$inst/." "$tmp/"
if [ -z "$TARGET" ]; then
  # shellcheck disable=SC2016 # expanded by the wrapper
  compilers "$tmp" '$AMP_GCC_HOME' ''
else
  rm -rf "$home.tmp"
  mkdir -p "$home.tmp"
  cp -R "$inst/." "$home.tmp/"
  compilers "$home.tmp" "\${AMP_BOARD_PREFIX:-$PREFIX}" "$TARGET-"
  headers "$home.tmp"
  replace "$home.tmp" "$home"
fi
mkdir -p "$tmp/libexec/gomp-amp"
for f in "$BUILD"/tools/*; do
  case $f in
    *.so) cp "$f" "$tmp/lib/gomp-amp/" ;;
    *.o) ;;
    *) [ ! -f "$f" ] || cp "$f" "$tmp/bin/" ;;
  esac
done
for f in $scripts; do
  to=${f%:*}
  to=${to##*/}
  case $to in
    # A module keeps its name.
    *_*) ;;
    *) to=${to%.py} ;;
  esac
  to=$tmp/${f#*:}/$to
  sed "s|@AMP_VERSION@|$amp_version|g" "$top/tools/${f%:*}" >"$to"
  chmod 755 "$to"
done
headers "$tmp"
# A line .\" $ COMMAND of a page becomes what that command prints, where it runs
# here.
for f in "$top"/docs/man/*.[17]; do
  COLUMNS=80 awk -v bin="$tmp/bin/" '
    !/^\.\\" \$ / { print; next }
    {
      command = substr ($0, 7)
      n = 0
      while ((bin command " 2>/dev/null" | getline line) > 0)
	{
	  n++
	  gsub (/\\/, "\\e", line)
	  gsub (/-/, "\\-", line)
	  print (line ~ /^[.\47]/ ? "\\&" : "") line
	}
      if (n == 0)
	print command " lists them."
    }' "$f" >"$tmp/share/man/man${f##*.}/${f##*/}"
done
for name in amp-g++ amp-gfortran amp-gcc-ar amp-gcc-nm amp-gcc-ranlib; do
  ln -s amp-gcc.1 "$tmp/share/man/man1/$name.1"
done
mkdir -p "$tmp/lib/pkgconfig" "$tmp/share/modulefiles" \
	 "$tmp/share/bash-completion/completions"
sed "s|@AMP_VERSION@|$amp_version|g" "$top/packaging/pkgconfig/gomp-amp.pc" \
    >"$tmp/lib/pkgconfig/gomp-amp.pc"
cp "$top/packaging/modulefile/gomp-amp" "$tmp/share/modulefiles/"
cp "$top/packaging/valgrind/gomp-amp.supp" "$tmp/lib/gomp-amp/"
# bash looks for a file of the command's name.
cp "$top/packaging/completion/gomp-amp" "$tmp/share/bash-completion/completions/"
for f in "$tmp"/bin/amp-*; do
  ln -s gomp-amp "$tmp/share/bash-completion/completions/${f##*/}"
done
# libamp_device FOLDER
libamp_device ()
{
  cp "$device/libamp-device.so.0" "$1/lib/"
  ln -s libamp-device.so.0 "$1/lib/libamp-device.so"
  cp "$device_rooms/amp_device.h" "$1/include/"
  [ -z "$host_fc" ] || cp "$device/amp_device.mod" "$1/include/"
}
if [ -n "$device_stamp" ]; then
  libamp_device "$tmp"
  [ -z "$TARGET" ] || libamp_device "$home"
  mkdir -p "$tmp/share/man/man3"
  cp "$top/docs/man/amp_device.3" "$tmp/share/man/man3/"
  sed "s|@AMP_VERSION@|$amp_version|g" "$top/packaging/pkgconfig/amp-device.pc" \
      >"$tmp/lib/pkgconfig/amp-device.pc"
fi
if [ -n "$mpicc" ]; then
  cp "$mpi/libamp-mpi.a" "$tmp/lib/"
  cp "$rooms/amp_mpi.h" "$tmp/include/"
  [ -z "$mpifc" ] || cp "$mpi/amp_mpi.mod" "$tmp/include/"
  mkdir -p "$tmp/share/man/man3"
  cp "$top/docs/man/amp_mpi_for.3" "$tmp/share/man/man3/"
  for name in amp_mpi_allgather amp_mpi_moving; do
    ln -s amp_mpi_for.3 "$tmp/share/man/man3/$name.3"
  done
  sed "s|@AMP_VERSION@|$amp_version|g" "$top/packaging/pkgconfig/amp-mpi.pc" \
      >"$tmp/lib/pkgconfig/amp-mpi.pc"
fi
printf '%s\n' "gomp-amp $amp_version, libgomp of GCC $version, for GCC" \
  "$host_version ($triplet)" | tr '\n' ' ' >"$tmp/lib/gomp-amp/VERSION"
replace "$tmp" "$stage"
stamp stage "$key"
say "assembled ${stage#"$top"/} (GCC $version${TARGET:+, $TARGET})"
[ -z "$TARGET" ] \
  || say "cross compilers: ${home#"$top"/}/bin/$TARGET-amp-gcc and so on"
