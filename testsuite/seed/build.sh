# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC1091,SC2034,SC2154
# For runs that build libgomp, or parts of it, from the patched source in
# their own way; after ../unit/build.sh, with CC.

# find_libgomp: sets libgomp_src, libgomp_obj, libgomp_names (its sources), libgomp_flags and
# libgomp_path, where sources are looked for.  False if libgomp has not been built here by this compiler's machine.
find_libgomp ()
{
  for libgomp_obj in "$BUILD"/obj/*/libgomp; do
    [ -f "$libgomp_obj/Makefile" ] || return 1
  done
  libgomp_src=$(sed -n 's/^srcdir = //p' "$libgomp_obj/Makefile")
  [ -f "$libgomp_src/team.c" ] || return 1
  libgomp_path=
  # shellcheck disable=SC2013 # words
  for libgomp_dir in $(sed -n 's/^config_path = //p' "$libgomp_obj/Makefile"); do
    libgomp_path="$libgomp_path $libgomp_src/config/$libgomp_dir"
  done
  libgomp_path="$libgomp_path $libgomp_src"
  # All but a Fortran module.
  libgomp_names=$(cd "$libgomp_obj" && ls ./*.lo)
  libgomp_names=$(echo "$libgomp_names" | sed -e 's,^\./,,' -e 's/\.lo$//' -e '/^openacc$/d')
  libgomp_flags="-DHAVE_CONFIG_H -I$libgomp_obj"
  for libgomp_dir in $libgomp_path; do
    libgomp_flags="$libgomp_flags -I$libgomp_dir"
  done
  libgomp_flags="$libgomp_flags -I$libgomp_src/../include -pthread -w"
  libgomp_flags="$libgomp_flags -ftls-model=initial-exec -DUSING_INITIAL_EXEC_TLS"
}

# libgomp_objects FOLDER NAME... -- FLAG...: compiles the sources NAME, which may be in
# FOLDER, into FOLDER.
libgomp_objects ()
{
  objects_to=$1
  objects_names=
  shift
  while [ "$1" != -- ]; do
    objects_names="$objects_names $1"
    shift
  done
  shift
  for name in $objects_names; do
    for libgomp_dir in "$objects_to" $libgomp_path; do
      [ ! -f "$libgomp_dir/$name.c" ] || break
    done
    echo "$CC -I$objects_to $* $libgomp_flags" \
      "-c $libgomp_dir/$name.c -o $objects_to/$name.o"
  done >"$objects_to/commands"
  xargs -P "$(nproc)" -I '{}' sh -c '{}' <"$objects_to/commands"
}
