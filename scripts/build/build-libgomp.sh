#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-libgomp.sh: configures and builds the patched libgomp alone against
# the host's compiler, or TARGET's, and installs it into $BUILD/libgomp-inst.
set -eu
# shellcheck source=scripts/build/lib.sh
. "$(dirname "$0")/lib.sh"
locked "$@"
find_compilers
find_build_compiler
tree=$BUILD/patched/gcc-$version
# libgomp looks for its companions in ../../<triplet>: hence the name.
obj=$BUILD/obj/$triplet/libgomp
inst=$BUILD/libgomp-inst
cflags=${CFLAGS:--g -O2}
# Before GCC 12 configure knows no --disable-werror.
[ "$major" -ge 12 ] || cflags="$cflags -Wno-error"

set -- --disable-multilib --disable-werror \
  --build="$build_triplet" --host="$triplet" --target="$triplet" \
  --with-gcc-major-version-only --prefix=/ --libdir=/lib
# As the host's libgomp: CET marks are lost for a program as a whole when one
# of its libraries has none.
# shellcheck disable=SC2086
if $host_cc -v 2>&1 </dev/null | grep -q -e '--enable-cet'; then
  set -- "$@" --enable-cet
fi
# Where the host's libgomp looks for plugins of devices, ours does, for those: they are
# of one version of their interface, hence of one major version of GCC.  The compiler
# says nvptx-none:amdgcn-amdhsa.
# shellcheck disable=SC2086
devices=$($host_cc -v 2>&1 </dev/null | sed -n 's/^OFFLOAD_TARGET_NAMES=//p' | tr : ,)
if [ -n "$devices" ] && [ "${host_version%%.*}" = "$major" ]; then
  set -- "$@" --enable-offload-targets="$devices" --enable-offload-defaulted \
    --without-cuda-driver
fi

key=$({ echo "$@"; echo "$host_cc $host_cxx $host_fc $cflags $tree"
	# shellcheck disable=SC2086
	$host_cc -v 2>&1 </dev/null
	files_digest "$0" "$tree/libgomp/configure" \
		     "$tree/libgomp/configure.tgt"; } | digest)
if ! { fresh configured "$key" && [ -f "$obj/Makefile" ]; }; then
  rm -rf "$BUILD/obj"
  mkdir -p "$obj"
  conf ()
  {
    cd "$obj"
    # A Fortran compiler that does not exist makes configure leave it out.  The
    # code that idle threads wait in outlives the plug-in that brought it.
    env LDFLAGS=-Wl,-z,nodelete CC="$host_cc" CXX="$host_cxx" \
	GFORTRAN="${host_fc:-no}" FC="${host_fc:-no}" CFLAGS="$cflags" CXXFLAGS="$cflags" \
	FCFLAGS="$cflags" CONFIG_SHELL=/bin/sh MAKEINFO=missing \
	/bin/sh "$tree/libgomp/configure" "$@"
  }
  logged configure "configuring libgomp $version for $triplet with $host_cc" \
	 conf "$@"
  stamp configured "$key"
fi

# The makefiles are libtool's: a make that called us must not reach in.  The plugins for
# devices are not built.
make_it ()
{
  env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES \
    make -C "$obj" toolexeclib_LTLIBRARIES=libgomp.la "$@"
}
compile () { make_it -j "$J" all; }
fortran_modules ()
{
  [ -z "$host_fc" ] || [ -f "$obj/omp_lib.mod" ]
}

# The makefiles always find something to do, so their inputs are compared.
built=$({ echo "$key"
	  cd "$tree"
	  find include config libgomp -name testsuite -prune -o -type f \
	       -exec sha256sum {} + | sort; } | digest)
if fresh libgomp "$built" && [ -d "$inst" ]; then
  exit 0
fi
logged libgomp "building libgomp $version" compile
fortran_modules \
  || die "libgomp was built without its Fortran modules; see $logs/configure.log"

put ()
{
  rm -rf "$inst.tmp"
  mkdir -p "$inst.tmp"
  make_it DESTDIR="$inst.tmp" toolexeclibdir=/lib \
    fincludedir=/lib/gomp-amp/finclude libsubincludedir=/lib/gomp-amp/include \
    install-exec install-nodist_toolexeclibHEADERS \
    install-nodist_libsubincludeHEADERS install-nodist_fincludeHEADERS \
    install-data
  rm -f "$inst.tmp"/lib/*.la
  rm -rf "$inst.tmp/share"
}
logged libgomp-install "installing libgomp $version into ${inst#"$top"/}" put
replace "$inst.tmp" "$inst"
stamp libgomp "$built"
