#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-gcc.sh: fetches, patches, builds and installs GCC itself: the compilers
# for C, C++ and Fortran with the option -fopenmp-default-schedule, and our
# libgomp.  With QUICK=1 the compilers proper alone, which then serve the host's
# driver of the same version.  Each stage is done once; what was interrupted
# goes on where it was.  All of it is in $BUILD/gcc-VERSION.
#
#   GCC_VERSION  the release (the host compiler's)
#   GCC_SRC      its source, a folder or a tarball
#   PREFIX       where it goes (/opt/gomp-amp/gcc-VERSION); DESTDIR in front
#   GCC_CFLAGS   what the compiler itself is compiled with (-O2 -g0)
#   GCC_CONFIGURE  further options for configure
#   GCC_LIBRARIES  no: neither libstdc++ nor libgfortran
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
LIBGOMP_ONLY=yes
WHOLE=yes
export LIBGOMP_ONLY WHOLE
QUICK=${QUICK:-0}
GCC_LIBRARIES=${GCC_LIBRARIES:-yes}
find_compilers
[ -n "$(series_of "$patches/gcc" "$version")" ] \
  || die "there is no compiler patch for GCC $version (${patches#"$top"/}/gcc)"
if [ "$QUICK" != 0 ] && [ "$version" != "$host_version" ]; then
  die "QUICK=1 serves the driver of GCC $version, but $host_cc is" \
      "$host_version; without it the whole GCC is built"
fi
# Of its own, so that `make' can go on beside it.
# The lock has the script run again.
[ -n "${AMP_GCC_BUILD:-}" ] || AMP_GCC_BUILD=$BUILD/gcc-$version
export AMP_GCC_BUILD
BUILD=$AMP_GCC_BUILD
stamps=$BUILD/stamp
logs=$BUILD/log
export BUILD
GCC_VERSION=$version
export GCC_VERSION
locked "$@"

prefix=${PREFIX:-/opt/gomp-amp/gcc-$version}
case $prefix in
  /*) ;;
  *) die "PREFIX=$prefix must be an absolute path" ;;
esac
cflags=${GCC_CFLAGS:--O2 -g0}
tree=$BUILD/patched/gcc-$version
mode=full goal=all put=full
minutes=40
if [ "$QUICK" != 0 ]; then
  mode=quick goal=all-gcc put=quick minutes=25
elif [ "$GCC_LIBRARIES" = no ]; then
  mode=lean minutes=25
  goal='all-gcc maybe-all-lto-plugin all-target-libgcc all-target-libgomp'
fi
obj=$BUILD/obj-$mode
inst=$BUILD/inst-$mode
final=${DESTDIR:-}$prefix
marker=lib/gomp-amp-gcc
began=$(date +%s)

# A folder that somebody else filled stays as it is.
if [ -d "$final" ] && [ ! -f "$final/$marker" ] \
   && [ -n "$(ls -A "$final")" ]; then
  die "$final exists and is no GCC of ours: choose another PREFIX"
fi

# asks HEADER: does the host's compiler find it?
asks ()
{
  printf '#include <%s>\n' "$1" | $host_cc -E -x c - >/dev/null 2>&1
}
for h in gmp.h mpfr.h mpc.h; do
  asks "$h" || lacking="${lacking:-} $h"
done
[ -z "${lacking:-}" ] \
  || die "missing headers:$lacking; as root:" \
	 "apt-get install libgmp-dev libmpfr-dev libmpc-dev"

say "GCC $version for $triplet, $mode: on two CPUs expect about" \
    "$minutes minutes the first time; it may be interrupted"
"$top/scripts/build/get-source.sh"
if [ ! -f "$tree/gcc/gengtype-lex.c" ] && [ ! -f "$tree/gcc/gengtype-lex.cc" ] \
   && [ ! -f "$BUILD/src/gcc-$version/gcc/gengtype-lex.c" ] \
   && [ ! -f "$BUILD/src/gcc-$version/gcc/gengtype-lex.cc" ] \
   && ! command -v flex >/dev/null 2>&1; then
  die "this source holds no generated scanners; as root: apt-get install flex"
fi
"$top/scripts/build/patch-source.sh"

set -- --build="$triplet" --host="$triplet" --target="$triplet" \
  --disable-bootstrap --disable-multilib --disable-nls --disable-werror \
  --enable-checking=release --with-gcc-major-version-only
set -- "$@" "--enable-languages=c,c++,${host_fc:+fortran,}lto"
# Debian's folders for libraries and headers.
[ -z "$($host_cc -print-multiarch)" ] || set -- "$@" --enable-multiarch
! asks zlib.h || set -- "$@" --with-system-zlib
# shellcheck disable=SC2086
if $host_cc -v 2>&1 </dev/null | grep -q -e '--enable-default-pie'; then
  set -- "$@" --enable-default-pie
fi
# Their run-time libraries do not compile against today's C library.
if [ "$major" -lt 10 ]; then
  set -- "$@" --disable-libsanitizer --disable-libmpx --disable-libitm \
    --disable-libvtv --disable-libcilkrts
fi
if [ "$QUICK" != 0 ]; then
  # Where the host's compiler looks for its headers.
  cc1=$($host_cc -print-prog-name=cc1)
  set -- "$@" --prefix="${cc1%/lib*/gcc*}"
else
  set -- "$@" --prefix="$prefix"
fi
# shellcheck disable=SC2086 # a list of options
set -- "$@" ${GCC_CONFIGURE:-}

unmade () { env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES "$@"; }
key=$({ echo "$@" "$cflags"
	# shellcheck disable=SC2086
	$host_cc -v 2>&1 </dev/null
	files_digest "$tree/configure" "$tree/gcc/configure"; } | digest)
if ! { fresh "configured-$mode" "$key" && [ -f "$obj/Makefile" ]; }; then
  conf ()
  {
    rm -rf "$obj"
    mkdir -p "$obj"
    cd "$obj"
    env CC="$host_cc" CXX="$host_cxx" CFLAGS="$cflags" CXXFLAGS="$cflags" \
	CFLAGS_FOR_TARGET='-O2 -g' CXXFLAGS_FOR_TARGET='-O2 -g' \
	FCFLAGS_FOR_TARGET='-O2 -g' MAKEINFO=missing \
	/bin/sh "$tree/configure" "$@"
    unmade make configure-gcc
    # Where the manual was left out of the source, its part that is made from
    # the code cannot be compared: take it as done, whenever.
    if [ "$(wc -l <"$tree/gcc/doc/tm.texi.in")" -lt 10 ]; then
      touch -d 2037-01-01 gcc/s-tm-texi
    fi
  }
  logged "configure-$mode" "configuring GCC $version" conf "$@"
  stamp "configured-$mode" "$key"
fi

# make finds out by itself what is left to do.
built=$({ echo "$key"
	  cat "$stamps/patched"
	  files_digest "$0" "$top"/libgomp/*/*.[ch] \
		       "$top"/plugin/*.h "$top"/plugin/rules/*.h; } | digest)
# shellcheck disable=SC2086 # a list of goals
compile () { unmade make -C "$obj" -j "$J" $goal; }
if ! fresh "built-$mode" "$built"; then
  logged "build-$mode" "building GCC $version ($goal, $J jobs)" compile
  stamp "built-$mode" "$built"
fi

# The whole: as GCC installs itself, and programs find their libgomp.
put_full ()
{
  rm -rf "$inst.tmp"
  # shellcheck disable=SC2046 # a list of goals
  unmade make -C "$obj" DESTDIR="$inst.tmp" \
    $(echo "$goal" | sed 's/^all$/install/; s/all-/install-/g')
  for f in "$inst.tmp$prefix"/lib*/libgomp.spec; do
    libdir=${f%/libgomp.spec}
    libdir=${libdir#"$inst.tmp"}
    sed "s|^\*link_gomp: .*|& $libdir/gomp-amp-guard.o %{!static:%{!static-pie:-rpath $libdir}}|" \
      "$f" >"$f.new"
    if cmp -s "$f" "$f.new"; then echo "$f: not understood"; return 1; fi
    mv "$f.new" "$f"
    $host_cc -O2 -fPIC -c "$top/tools/amp-gcc/gomp-amp-guard.c" -o "${f%/*}/gomp-amp-guard.o"
  done
  mkdir -p "$inst.tmp$prefix/lib" "$inst.tmp$prefix/include"
  for f in "$top"/libgomp/runtime/omp_amp*; do
    [ ! -f "$f" ] || cp "$f" "$inst.tmp$prefix/include/"
  done
}

# includes COMPILER LANGUAGE: the folders in which it looks for headers.
includes ()
{
  "$@" -E -v -x "$includes_language" /dev/null 2>&1 >/dev/null \
    | sed -n '/^#include </,/^End of search/s/^ //p' \
    | while read -r d; do (cd "$d" && pwd -P); done
}

# The quick one: the compilers proper, and wrappers that have the host's driver
# take them.
put_quick ()
{
  q=$inst.tmp$prefix
  rm -rf "$inst.tmp"
  mkdir -p "$q/bin" "$q/lib/gomp-amp-cc1"
  for f in cc1 cc1plus f951 lto1; do
    [ ! -x "$obj/gcc/$f" ] || cp "$obj/gcc/$f" "$q/lib/gomp-amp-cc1/"
  done
  strip "$q"/lib/gomp-amp-cc1/*
  # The driver refuses options that it does not know unless a specs file does.
  # A file called specs would replace all that the driver has, libgcc_s among it.
  printf '%s\n' '*cc1:' \
    '+ %{fopenmp-default-schedule=*} %{fopenmp-reproducible} %{fno-openmp-reproducible} %{fopenmp-replace-static} %{fno-openmp-replace-static} %{Wopenmp-static-assumption} %{Wno-openmp-static-assumption} %{Werror=openmp-static-assumption}' '' \
    >"$q/lib/gomp-amp-cc1/gomp-amp.specs"
  for w in gcc:$host_cc:c g++:$host_cxx:c++ ${host_fc:+gfortran:$host_fc:c}; do
    name=${w%%:*}
    includes_language=${w##*:}
    w=${w#*:}
    compiler=$(command -v "${w%:*}")
    # What a distribution has added to the compiler's own list.
    includes "$compiler" >"$inst.host"
    includes "$compiler" -B"$q/lib/gomp-amp-cc1" >"$inst.ours"
    extra=$(grep -vxF -f "$inst.ours" "$inst.host" \
	    | sed "s/.*/ -isystem '&'/" | tr -d '\n') || :
    rm -f "$inst.host" "$inst.ours"
    # gcc compiles C++, too.
    if [ "$name" = g++ ] && [ -n "$extra" ]; then
      printf '%s\n' '*cc1plus:' "+$extra" '' | tr -d "'" \
	>>"$q/lib/gomp-amp-cc1/gomp-amp.specs"
      extra=
    fi
    {
      # REUSE-IgnoreStart
      printf '%s\n' '#!/bin/sh' '# SPDX-License-Identifier: GPL-3.0-or-later' \
	"# $name of GCC $version, with the compilers proper of gomp-amp." \
	"exec '$compiler' -B'$prefix/lib/gomp-amp-cc1' \\" \
	"  -specs='$prefix/lib/gomp-amp-cc1/gomp-amp.specs'$extra \"\$@\""
      # REUSE-IgnoreEnd
    } >"$q/bin/$name"
    chmod 755 "$q/bin/$name"
  done
}

put ()
{
  "put_$put"
  printf '%s\n' "GCC $version of gomp-amp $amp_version ($triplet, $mode)" \
    >"$inst.tmp$prefix/$marker"
  mkdir -p "${final%/*}"
  rm -rf "$final.tmp"
  cp -pR "$inst.tmp$prefix" "$final.tmp"
  replace "$final.tmp" "$final"
  rm -rf "$inst.tmp"
}
installed=$(printf '%s\n' "$built" "$final" | digest)
if ! { fresh "installed-$mode" "$installed" && [ -f "$final/$marker" ]; }; then
  logged "install-$mode" "installing it into $final" put
  stamp "installed-$mode" "$installed"
  # For the tests.
  printf '%s\n' "$prefix" >"$BUILD/prefix-$mode"
fi
if [ -n "${DESTDIR:-}" ]; then
  say "not tried, since it runs in $prefix only"
else
  "$top/scripts/build/try-gcc.sh" "$prefix"
fi
say "GCC $version is in $final ($(($(date +%s) - began)) s in all)"
