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

# The plugin.
plugin=$BUILD/plugin
key=$({ echo "$host_cxx $build_cxx $host_version"
	  files_digest "$top"/plugin/*; } | digest)
if ! { fresh plugin "$key" && [ -f "$plugin/gomp_amp_plugin.so" ]; }; then
  build_plugin ()
  {
    rm -rf "$plugin.tmp"
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u CXXFLAGS \
	make -C "$top/plugin" CXX="$build_cxx" \
	plugin_headers="$($host_cxx -print-file-name=plugin)/include" \
	OUT="$plugin.tmp"
  }
  logged plugin "building the plugin for GCC $host_version" build_plugin
  replace "$plugin.tmp" "$plugin"
  stamp plugin "$key"
fi

# The tools in C.
tools_key=$({ echo "$host_cc $host_version $amp_version"
	      files_digest "$top"/tools/*/*.[ch] "$top"/libgomp/*/*.[ch]; } \
	      | digest)
if ! { fresh tools "$tools_key" && [ -d "$BUILD/tools" ]; }; then
  build_tools ()
  {
    rm -rf "$BUILD/tools.tmp"
    mkdir -p "$BUILD/tools.tmp"
    for name in amp-emulate amp-info amp-sim; do
      echo "-- $name"
      # shellcheck disable=SC2086 # CC may be several words
      $host_cc -std=gnu11 -O2 -g -Wall -pthread $core_rooms -I"$top/tools/$name" \
	-DAMP_VERSION="\"$amp_version\"" -o "$BUILD/tools.tmp/$name" \
	"$top/tools/$name/$name.c" -lm
    done
    # shellcheck disable=SC2086
    $host_cc -std=gnu11 -O2 -g -Wall -pthread -shared -fPIC \
      -o "$BUILD/tools.tmp/libamp-slow.so" "$top/tools/amp-emulate/preload.c" -ldl
  }
  logged tools "building the tools" build_tools
  replace "$BUILD/tools.tmp" "$BUILD/tools"
  stamp tools "$tools_key"
fi

# Scripts among the tools: executable, without a dot in the name.
scripts="$top/tools/amp-capture/amp-capture $top/tools/amp-run/amp-run"
# shellcheck disable=SC2086
key=$({ cat "$stamps/tools"
	echo "$stage $amp_version $host_cc $host_cxx $host_fc ${TARGET:+$PREFIX}"
	find "$inst" "$plugin" -type f -exec sha256sum {} + | sort
	files_digest "$0" "$top/tools/amp-gcc/amp-gcc.in" "$top/plugin/gomp-amp.specs" $scripts "$top"/tools/*/*.py \
		     "$top"/libgomp/runtime/omp_amp* "$top"/docs/man/*
	ls "$top/docs/man"; } | digest)
if fresh stage "$key" && [ -d "$stage" ] && [ -d "$home" ]; then
  exit 0
fi

# wrapper NAME COMPILER OVERRIDE: into $into/bin.
wrapper ()
{
  path=$(command -v "$2")
  # Caches of compilers look at what the wrapper holds.
  plugin_id=$(cat "$plugin/gomp_amp_plugin.so" "$top/plugin/gomp-amp.specs" | digest | cut -c -16)
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
  cp "$plugin/gomp_amp_plugin.so" "$top/plugin/gomp-amp.specs" "$into/lib/gomp-amp/"
  wrapper "$3amp-gcc" "$host_cc" AMP_CC
  wrapper "$3amp-g++" "$host_cxx" AMP_CXX
  [ -z "$host_fc" ] || wrapper "$3amp-gfortran" "$host_fc" AMP_FC
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
for f in "$BUILD"/tools/*; do
  case $f in
    *.so) cp "$f" "$tmp/lib/gomp-amp/" ;;
    *) [ ! -f "$f" ] || cp "$f" "$tmp/bin/" ;;
  esac
done
for f in $scripts; do
  sed "s|@AMP_VERSION@|$amp_version|g" "$f" >"$tmp/bin/${f##*/}"
  chmod 755 "$tmp/bin/${f##*/}"
done
# What amp-run calls.
mkdir -p "$tmp/libexec/gomp-amp"
cp "$top/tools/amp-check/amp-check.py" "$tmp/libexec/gomp-amp/amp-check"
chmod 755 "$tmp/libexec/gomp-amp/amp-check"
headers "$tmp"
for s in 1 7; do
  for f in "$top"/docs/man/*."$s"; do
    [ ! -f "$f" ] || cp "$f" "$tmp/share/man/man$s/"
  done
done
for name in amp-g++ amp-gfortran; do
  ln -s amp-gcc.1 "$tmp/share/man/man1/$name.1"
done
printf '%s\n' "gomp-amp $amp_version, libgomp of GCC $version, for GCC" \
  "$host_version ($triplet)" | tr '\n' ' ' >"$tmp/lib/gomp-amp/VERSION"
replace "$tmp" "$stage"
stamp stage "$key"
say "assembled ${stage#"$top"/} (GCC $version${TARGET:+, $TARGET})"
[ -z "$TARGET" ] \
  || say "cross compilers: ${home#"$top"/}/bin/$TARGET-amp-gcc and so on"
