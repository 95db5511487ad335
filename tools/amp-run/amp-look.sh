# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034 # what amp-run has set, and uses
# amp-run's look at a program and at the machine: which OpenMP library the program will use,
# what its loops are like, and what would help it.

# facts: what --static-info prints; advice: what is to be said before a run.
facts=
advice=
fact () { facts="$facts$*
"; }
advise () { advice="$advice$*
"; }

# What is found.  kind: elf; python; script, any other; closed, if our library cannot get in.
# library: gomp, if it is or may be GCC's; other; none.  imports: functions of OpenMP that the
# program and its libraries call, one a line.
kind=elf
library=gomp
imports=

is_elf () { [ "$(dd if="$1" bs=4 count=1 2>/dev/null | tr -d '\177\0')" = ELF ]; }

# omp_imports FILE...
omp_imports ()
{
  for oi_file; do
    LC_ALL=C readelf -W --dyn-syms "$oi_file" 2>/dev/null
  done | awk '$7 == "UND" && $8 ~ /^(GOMP_|omp_)/ { sub(/@.*/, "", $8); print $8 }' | sort -u
}

# calls PATTERN: does it call such?  By names of loops that begin, not of their next chunks.
calls () { printf '%s\n' "$imports" | grep -v '_next$' | grep -Eq "$1"; }

# python_of FILE: the interpreter, if FILE is Python or, if it is not $elf, a script of it.
python_of ()
{
  case ${1##*/} in
    python|python[0-9]*|pypy|pypy[0-9]*)
      case ${1##*/} in
	*-config) ;;
	*) printf '%s\n' "$1"
	   return 0 ;;
      esac ;;
  esac
  [ "$elf" = no ] || return 0
  # shellcheck disable=SC2046 # words
  set -- $(head -c 200 "$1" 2>/dev/null | sed -n '1s/^#!//p' | tr -d '\0')
  [ $# -gt 0 ] || return 0
  if [ "${1##*/}" = env ]; then
    shift
    [ "${1-}" != -S ] || shift
  fi
  case ${1-} in
    *python*|*pypy*) command -v "$1" || : ;;
  esac
}

# look_at_python INTERPRETER: what its packages bring.
look_at_python ()
{
  kind=python
  found=$("$1" -B "$prefix/libexec/gomp-amp/amp_look.py" 2>/dev/null </dev/null) || found=
  own=$(printf '%s\n' "$found" | sed -n 's/^own //p')
  other=$(printf '%s\n' "$found" | sed -n 's/^foreign //p')
  fact "kind: Python; which packages it will load is not known"
  if [ -n "$own" ] && [ -z "$other" ]; then
    preload=yes
    fact "OpenMP library: packages have their own ($own); ours by LD_PRELOAD"
  elif [ "$preload" = yes ]; then
    fact "OpenMP library: ours by LD_PRELOAD"
  elif [ -n "$own" ]; then
    fact "OpenMP library: packages have their own ($own), which ours does not replace"
    advise "packages here have libgomp and ${other##*/} ($other), which must not mix with ours;" \
	   "if ${program##*/} does not load that, say --preload"
  elif [ -n "$other" ]; then
    library=other
    fact "OpenMP library: $other, not libgomp; the system's libgomp.so.1, if loaded, is ours"
    advise "packages here have ${other##*/}, not GCC's libgomp ($other): our library has no effect on" \
	   "what uses it"
  else
    fact "OpenMP library: the system's libgomp.so.1, if it loads that; ours by LD_LIBRARY_PATH"
  fi
}

# look_at_objects: $objects, as the dynamic linker lists them; false if ours will not serve.
look_at_objects ()
{
  gomp=
  other=
  own=
  while read -r lo_name lo_arrow lo_path lo_rest; do
    [ "$lo_arrow" = '=>' ] || continue
    case $lo_name in
      libgomp.so.1) gomp=$lo_path ;;
      libomp*|libiomp*) other=${other:-$lo_name} ;;
      # Wheels and bundles give theirs a name of its own.
      libgomp-*) own=${own:-$lo_name} ;;
    esac
  done <<EOF
$objects
EOF
  case $gomp in
    '')
      if [ -n "$other" ]; then
	library=other
	[ "$preload" = no ] \
	  || die "--preload: $program uses $other; two OpenMP libraries would mix"
	fact "OpenMP library: $other, not libgomp"
	advise "$program uses $other, not GCC's libgomp: our library has no" \
	       "effect; build it with gcc or amp-gcc"
	return 1
      fi
      if [ -z "$own" ]; then
	library=none
	fact "OpenMP library: none linked (it may load one when it runs)"
	[ "$preload" = yes ] \
	  || advise "$program is not linked with libgomp: nothing changes" \
		    "unless it loads something that is; --preload for what" \
		    "brings a libgomp of its own"
	return 1
      fi
      preload=yes
      fact "OpenMP library: $own, its own; ours by LD_PRELOAD" ;;
    "$lib"/*) fact "OpenMP library: libgomp.so.1, ours by LD_LIBRARY_PATH" ;;
    *)
      if [ "$(readlink -f "$gomp")" = "$(readlink -f "$lib/libgomp.so.1")" ]
      then
	fact "OpenMP library: libgomp.so.1, ours by the program's own path"
      else
	preload=yes
	fact "OpenMP library: libgomp.so.1, ours by LD_PRELOAD; the program's" \
	     "RPATH names $gomp"
      fi ;;
  esac
  [ -z "$other" ] \
    || advise "$program has two OpenMP libraries, libgomp and $other"
}

look_at_program ()
{
  fact "program: $program"
  elf=no
  ! is_elf "$program" || elf=yes
  python=$(python_of "$program")
  if [ -n "$python" ]; then
    look_at_python "$python"
    return 0
  fi
  if [ "$elf" = no ]; then
    kind=script
    fact "kind: not an ELF program (a script, say); what it starts inherits the settings"
    return 0
  fi
  if [ -u "$program" ] || [ -g "$program" ]; then
    kind=closed
    advise "$program is set-uid or set-gid: the dynamic linker will ignore our library"
  fi
  if ! command -v readelf >/dev/null 2>&1; then
    fact "kind: unknown (no readelf: apt-get install binutils)"
    return 0
  fi
  linker=$(LC_ALL=C readelf -lW "$program" 2>/dev/null \
	   | sed -n 's/.*\[Requesting program interpreter: \(.*\)]$/\1/p')
  if [ -z "$linker" ]; then
    kind=closed
    fact "kind: static; another libgomp cannot be put in"
    advise "$program is linked statically: it keeps the libgomp it has, if" \
	   "any; link it again without -static, or with amp-gcc -static"
    return 0
  fi
  objects=$(LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
	    "$linker" --list "$program" 2>/dev/null) || objects=
  look_at_objects || return 0
  # What follows is for advice, and reading many objects takes a while.
  case $mode:$help_it:$quiet:$doing in
    info:*|*:yes:*:*|*:*:no:|*:*:no:OMP_SCHEDULE|*:*:no:-s|*:*:no:--schedule) ;;
    *) return 0 ;;
  esac
  set -- "$program"
  for object in $(printf '%s\n' "$objects" \
		  | sed -n 's/^.* => \(\/[^ ]*\) .*/\1/p'); do
    case ${object##*/} in
      libgomp.so*|libgomp-*|libc.so*|libm.so*|libpthread.so*|libstdc++.so*|libgcc_s.so*) ;;
      *) set -- "$@" "$object" ;;
    esac
  done
  imports=$(omp_imports "$@") || imports=
  yes_if calls '(loop|ull)_nonmonotonic_runtime'
  fact "loops without a schedule clause that take OMP_SCHEDULE: $answer"
  yes_if calls "$by_runtime"
  fact "loops with schedule(runtime): $answer"
  yes_if calls "$by_chunks"
  fact "loops with schedule(dynamic) or schedule(guided): $answer"
  yes_if calls '^omp_get_thread_num$'
  fact "static loops, or work divided by thread number: $answer"
}

by_runtime='(loop|ull|ordered|doacross)(_maybe_nonmonotonic)?_runtime'
by_chunks='(loop|ull)(_nonmonotonic)?_(dynamic|guided)'
yes_if () { if "$@"; then answer=yes; else answer=no; fi; }

# no_choice: says so, if there is no loop that a schedule could act on.
no_choice ()
{
  [ "$kind$library" = elfgomp ] && [ -n "$imports" ] || return 0
  calls 'runtime|^GOMP_loop(_ull)?_start$' \
    || advise "$program has no loop whose schedule is chosen when it runs:" \
	      "OMP_SCHEDULE has no effect; compile it with amp-gcc (amp-g++," \
	      "amp-gfortran) or write schedule(runtime)"
}

# fast_cpus: $threads, how many of the fastest type there are.
fast_cpus ()
{
  fc_rest=${machine#*'"cpus": ['}
  fc_rest=${fc_rest%%]*}
  threads=1
  while [ "$fc_rest" != "${fc_rest#*,}" ]; do
    fc_rest=${fc_rest#*,}
    threads=$((threads + 1))
  done
}

# look_at_machine: $machine, a text that tells it from others, and $types of cores that a
# program may use.
machine=
look_at_machine ()
{
  [ -z "$machine" ] || return 0
  # Without more processes than need be: a run waits for this.
  lm_text=$(with_settings "$prefix/bin/amp-info" --json) || :
  lm_rest=${lm_text#*'"quota": '}
  machine="${lm_text%%'"siblings"'*}${lm_rest%%,*}"
  types=0
  lm_rest=$machine
  while [ "$lm_rest" != "${lm_rest#*'"used": true'}" ]; do
    lm_rest=${lm_rest#*'"used": true'}
    types=$((types + 1))
  done
}

# also WORDS: one more in $list.
also () { list=${list:+$list, }$*; }

# consider: $help, the options that would help, and $why, or why there are none; $compile, what
# else would.
consider ()
{
  help=
  why=
  list=
  compile=
  case $kind$library$preload in
    # Said already.
    closed*|*other*) return 0 ;;
  esac
  look_at_machine
  if [ "$types" -lt 2 ]; then
    why='the CPUs are alike, as far as is known (amp-info says why): no schedule or team gains much'
    return 0
  fi
  case $kind$library$preload in
    elfnoneno) return 0 ;;
    script*)
      why='a script; what it starts gets what is set here, and amp-run before that program says more'
      return 0 ;;
    python*|elfnone*)
      also 'what it loads is not known'
      help=' --weighted=auto' ;;
    *)
      ! calls '(loop|ull)_nonmonotonic_runtime' || also 'loops that choose for themselves'
      if calls "$by_runtime"; then
	also 'schedule(runtime)'
	help=' --schedule=auto'
      fi
      if calls "$by_chunks"; then
	also 'dynamic or guided loops'
	calls '^omp_get_thread_num$' || help="$help --replace=dynamic=aid_dynamic,guided=ich"
      fi
      if calls '^omp_get_thread_num$'; then
	also 'static loops or work divided by thread number'
	help="$help --weighted=auto"
	calls runtime || compile=', or to compile it with amp-gcc'
      fi
      ! calls '^GOMP_task' || also tasks ;;
  esac
  why="${program##*/}: ${list:-no loops}; $types types of cores"
  [ -n "$help" ] || why="$why: nothing to set"
}
