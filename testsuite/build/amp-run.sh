#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-run.sh: what amp-run sets, says and refuses.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
amp_run

cat >t.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main (int argc, char **argv)
{
  int n = 0;
  Dl_info info;
#pragma omp parallel for reduction(+:n) SCHEDULE
  for (int i = 0; i <= 100; i++)
    n += i;
  /* A function's address may be the program's own stub: ask the linker.  */
#ifdef STATIC
  return n != 5050;
#endif
  if (!dladdr (dlsym (RTLD_DEFAULT, "omp_get_schedule"), &info))
    return 3;
  printf ("%d %s", n, info.dli_fname);
  for (int i = 1; i < argc; i++)
    printf (" [%s]", argv[i]);
  putchar ('\n');
  return argc > 1 && strcmp (argv[1], "seven") == 0 ? 7 : 0;
}
END
"$cc" -fopenmp -DSCHEDULE='schedule(runtime)' t.c -o runtime -ldl
"$cc" -fopenmp -DSCHEDULE= t.c -o plain -ldl
"$cc" -fopenmp -DSCHEDULE='schedule(runtime)' -DSTATIC -static t.c -o static 2>/dev/null \
  || rm -f static
stock=$(dirname "$(readlink -f "$("$cc" -print-file-name=libgomp.so.1)")")
"$cc" -fopenmp -DSCHEDULE='schedule(runtime)' t.c -o rpath -ldl \
  -Wl,--disable-new-dtags "-Wl,-rpath,$stock"
echo 'int main (void) { return 0; }' >n.c
"$cc" n.c -o none

for p in runtime rpath; do
  got=$("$run" -s aid_dynamic,1,5 "./$p" 'a  b' '' "c'd" 2>err)
  [ "$got" = "5050 $prefix/lib/libgomp.so.1 [a  b] [] [c'd]" ] \
    || bad "$p: $got"
  [ ! -s err ] || bad "$p: it says: $(cat err)"
done
# A program that needs a later libgomp than ours runs with that.
mkdir later
echo 'int omp_later (void) { return 7; }' >later.c
echo 'OMP_9.9 { global: omp_later; };' >later.map
"$cc" -shared -fPIC -Wl,-soname,libgomp.so.1 -Wl,--version-script=later.map later.c -o later/libgomp.so.1
echo 'int omp_later (void); int main (void) { return omp_later () != 7; }' >l.c
"$cc" l.c -o by-path later/libgomp.so.1
"$cc" l.c -o by-rpath later/libgomp.so.1 -Wl,--disable-new-dtags,-rpath,"$tmp/later"
for p in by-path by-rpath; do
  LD_LIBRARY_PATH=later "$run" "./$p" 2>err || bad "a later libgomp, $p: $(cat err)"
  grep -q 'needs a later libgomp (OMP_9.9)' err || bad "a later libgomp, $p: $(cat err)"
done
# Without amp-run it is the stock one: so the test above can fail.
./runtime | grep -qv "$prefix" || bad "the program finds our library by itself"

exits 7 "$run" -q -s static -- ./runtime seven
exits 127 "$run" ./not-there
exits 126 "$run" ./t.c

# said WORDS CMD...: it says so, and it runs all the same.
said ()
{
  words=$1
  shift
  "$run" -s static "$@" >/dev/null 2>err || bad "$1: status $?"
  grep -q "$words" err || bad "$1: '$words' not in: $(cat err)"
  "$run" -q -s static "$@" >/dev/null 2>err || bad "$1 -q: status $?"
  [ ! -s err ] || bad "$1: -q still says $(cat err)"
}
said 'no loop whose schedule is chosen' ./plain

# Weighted teams are for programs that have none.
for option in --weighted --weighted=3; do
  "$run" "$option" ./plain >/dev/null 2>err || bad "$option: status $?"
  [ ! -s err ] || bad "$option says: $(cat err)"
done
[ "$("$run" --weighted=3 --dry-run ./plain | grep TEAM)" = GOMP_AMP_TEAM=weighted,3 ] \
  || bad '--weighted=3 sets something else'
[ "$("$run" --weighted --dry-run ./plain | grep TEAM)" = GOMP_AMP_TEAM=weighted ] \
  || bad '--weighted sets something else'
# The size of the team is a variable, too, where speeds make it larger and nobody gave one.
# shellcheck disable=SC2046 # one a word
two=$(set -- $(usable_cpus); [ $# -lt 2 ] || echo "$1:$2")
if [ -n "$two" ]; then
  unset OMP_NUM_THREADS
  size ()
  {
    taskset -c "$(echo "$two" | tr : ,)" "$run" --weighted --types "$two" "$@" --dry-run ./plain \
      | sed -n 's/^OMP_NUM_THREADS=//p'
  }
  [ "$(size --sf 2,1)" = 3 ] || bad "--weighted: threads on speeds 2,1: $(size --sf 2,1)"
  [ "$(size --sf 4,1)" = 5 ] || bad "--weighted: threads on speeds 4,1: $(size --sf 4,1)"
  # amp-info tells as many, each CPU's among them, as the library makes.
  for sf in 2,1 4,1 1.3,1; do
    info () { taskset -c "$cpus" env GOMP_AMP_TYPES="$two" GOMP_AMP_SF=$sf "$@"; }
    cpus=$(echo "$two" | tr : ,)
    told=$(info GOMP_AMP_TEAM=weighted "$prefix/bin/amp-info" \
      | sed -n 's/^ *CPU \([0-9]*\), .*: \([0-9]*\) thread.*/\2 on CPU \1/p' | paste -sd , | sed 's/,/, /')
    made=$(info GOMP_AMP_TEAM=weighted OMP_DISPLAY_ENV=verbose "$run" ./plain 2>&1 >/dev/null \
      | sed -n 's/.*weighted team of [0-9]* = //p')
    if [ -z "$told" ] || [ "$told" != "$made" ]; then
      bad "--weighted: amp-info says '$told', the library '$made'"
    fi
  done
  [ -z "$(size --sf 1,1)" ] || bad "--weighted: sets threads on equal CPUs"
  [ "$(size --sf 4,1 --threads 2)" = 2 ] || bad '--weighted: --threads 2 is lost'
  [ -z "$(OMP_NUM_THREADS=2 size --sf 4,1)" ] || bad '--weighted: overrides OMP_NUM_THREADS'
  taskset -c "$(echo "$two" | tr : ,)" "$run" -t "$two" --cores=big --dry-run ./plain | grep -qx OMP_NUM_THREADS=1 \
    || bad '--cores: programs that count CPUs themselves get too many threads'
fi
"$run" --weighted=0 ./plain >/dev/null 2>err && bad '--weighted=0 is accepted'
grep -q -e '--weighted=0: a number' err || bad "--weighted=0 says: $(cat err)"
said 'not linked with libgomp' ./none
[ "$("$run" --preload --dry-run ./none 2>err | grep LD_PRELOAD)" \
  = "LD_PRELOAD=$prefix/lib/libgomp.so.1" ] || bad '--preload sets nothing'
[ "$("$run" --dry-run ./none 2>/dev/null | grep -c LD_PRELOAD)" = 0 ] \
  || bad 'LD_PRELOAD without being asked'

# A program with a libgomp of another name, as wheels have it, gets ours.
for f in "$stock/libgomp.so.1" rpath; do
  sed 's/libgomp\.so\.1/libgomp-a.so/g' "$f" >"own-${f##*/}"
done
mkdir own
mv own-libgomp.so.1 own/libgomp-a.so
chmod +x own-rpath
status=0
got=$(LD_LIBRARY_PATH=$tmp/own ./own-rpath) || status=$?
case $status$got in
  0*/own/libgomp-a.so) ;;
  *) bad "a library by another name does not work at all: $got" ;;
esac
got=$(LD_LIBRARY_PATH=$tmp/own "$run" -s guided,3 ./own-rpath 2>err) || :
[ "$got" = "5050 $prefix/lib/libgomp.so.1" ] || bad "a libgomp of its own: $got"
[ ! -s err ] || bad "a libgomp of its own: it says $(cat err)"

# One on another OpenMP library is told so, and not mixed with ours.
echo 'int omp (void) { return 0; }' >o.c
echo 'int omp (void); int main (void) { return omp (); }' >p.c
"$cc" -shared -fPIC o.c -o libomp.so.5 -Wl,-soname,libomp.so.5
"$cc" p.c ./libomp.so.5 -o foreign "-Wl,-rpath,$tmp"
said 'our library has no effect' ./foreign
if command -v python3 >/dev/null; then
  "$run" --compare --runs 1 ./foreign >/dev/null 2>err
  grep -q 'our library has no effect' err || bad "--compare with libomp: $(cat err)"
fi
exits 2 "$run" --preload ./foreign
[ ! -f static ] || said 'linked statically' ./static
if "$prefix/bin/amp-gcc" -fopenmp -DSCHEDULE= -DSTATIC -static t.c -o ours 2>/dev/null; then
  "$run" --static-info ./ours >got
  grep -q "static, with gomp-amp's libgomp in it" got || bad "our static library: $(cat got)"
  grep -q 'link it again' got && bad "our static library: $(cat got)"
fi
if "$cc" -static n.c -o bare 2>/dev/null; then
  said 'has no OpenMP' ./bare
  "$run" --report ./bare >/dev/null 2>err
  grep -q "or another library\$" err || bad "--report of what is static: $(cat err)"
fi
printf '\177ELF\001\001\001' >narrow
head -c 200 /dev/zero >>narrow
chmod +x narrow
"$run" --static-info ./narrow | grep -q 'another word size' || bad "another word size"
# musl's dynamic linker would take our library and end.
"$cc" -fopenmp -DSCHEDULE= t.c -o musl -ldl -Wl,--dynamic-linker=/lib/ld-musl-none.so.1
for option in -v --preload; do
  "$run" "$option" --dry-run ./musl >got 2>err || bad "musl: status $?"
  grep -q LD_ got && bad "musl: $(cat got)"
done
"$run" -v --dry-run ./musl 2>&1 | grep -q 'another C library' || bad "musl: not said"
# Where a program cannot be read it runs all the same.
if [ "$(id -u)" = 0 ] && cp plain closed && chmod 711 closed . && command -v setpriv >/dev/null \
    && setpriv --reuid 65534 --clear-groups "$run" --version >/dev/null 2>&1; then
  got=$(setpriv --reuid 65534 --clear-groups "$run" ./closed 2>err) || bad "a program that cannot be read: status $?"
  [ "$got" = "5050 $prefix/lib/libgomp.so.1" ] || bad "a program that cannot be read: $got"
  grep -q 'cannot be read, so nothing is known of it' err || bad "a program that cannot be read: $(cat err)"
fi

exits 127 "$run" plain
grep -q 'not found in PATH; the one in this folder is ./plain' err || bad "not in PATH: $(cat err)"
: >app.py
"$run" app.py 2>err && bad 'a script that is no program'
grep -q 'amp-run python3 app.py' err || bad "a script that is no program: $(cat err)"

# What cannot be written is no success.
if [ -w /dev/full ]; then
  for words in 'amp-run --static-info ./runtime' 'amp-run -s auto --dry-run ./runtime' 'amp-info --json' \
      'amp-info -l' 'amp-info --capture'; do
    # shellcheck disable=SC2086 # several words
    "$prefix/bin/"$words >/dev/full 2>err && bad "$words, a full disk: status 0"
    grep -q 'cannot write the output' err || bad "$words, a full disk: $(cat err)"
  done
fi

# A loop may be named by its own line, or by its directive's.
if command -v objdump >/dev/null && command -v addr2line >/dev/null; then
  printf 'int main (void)\n{\n#pragma omp parallel for schedule (runtime)\n  for (int i = 0; i < 1000; i++)\n    ;\n}\n' >lines.c
  "$cc" -g -fopenmp lines.c -o lines
  for line in 3 4; do
    echo "lines.c:$line aid_static" >by-line
    "$run" -n 2 --loops by-line --report ./lines 2>err || bad "--loops by line: status $?"
    grep -q 'lines.c:.*aid_static' err || bad "--loops by line $line: $(cat err)"
  done
  echo 'lines.c:9 aid_static' >by-line
  "$run" --loops by-line ./lines 2>err || bad "--loops, no such line: status $?"
  grep -q 'lines.c:9: no such loop was found' err || bad "--loops, no such line: $(cat err)"
fi

# A wrong option is refused before the program starts.
refused ()
{
  words=$1
  shift
  exits 2 "$run" "$@" ./runtime
  [ ! -s out ] || bad "$*: the program ran"
  grep -q 'it is ignored' err && bad "$*: $(cat err)"
  grep -q -e "$words" err || bad "$*: '$words' not in: $(cat err)"
}
refused '--schedule=nonsense: valid are static' -s nonsense
refused "--schedule=aid_hybrid,101: aid_hybrid's percent must be" --schedule=aid_hybrid,101
refused '--schedule=aid_static,1x: ' -s 'aid_static,1x'
refused "--schedule=dynamic,-3: dynamic's chunk must be" -s dynamic,-3
refused 'Invalid value for chunk size' -s dynamic,x
refused "--replace=dynamic=quick: valid are" --replace dynamic=quick
refused '--loops: . is a folder' --loops .
mkfifo fifo
refused '--loops: fifo is no regular file' --loops fifo
printf '# one\nprogram+0x1 static\nprogram+0x2 stat\n' >bad.loops
refused "--loops: bad.loops:3: 'stat': valid are static" --loops bad.loops
refused '--trace: . is a folder' --trace .
refused '--threads=zero: whole numbers from 1 are expected' -n zero
refused '--affinity=nowhere: valid are' -a nowhere
refused '--types=x:y: ' -t 'x:y'
refused 'numbers of cores as in 4P+2E' -c 4x
refused '--cores leaves no CPU of this machine' -c c:eff99
refused '--cores=4000P asks for more cores than there are' -c 4000P
refused 'empty' -s ''
refused 'more than one line' -s 'static
EVIL=1'
refused 'unrecognized option' --bogus
refused "doesn't allow an argument" --dry-run=1
# What is wrong in the environment the program hears of.
for name in OMP_SCHEDULE GOMP_AMP_SF; do
  env $name=nonsense,3 "$run" -n 2 ./runtime >/dev/null 2>err || bad "$name of the environment: $(cat err)"
  grep -q "$name.*it is ignored" err || bad "$name of the environment: $(cat err)"
done
exits 2 "$run" ''
[ "$(cat err)" = 'amp-run: the name of the program is empty' ] || bad "no name: $(cat err)"
exits 2 "$run" -s

if [ -n "$two" ]; then
  "$run" --dry-run --schedule=aid_static,2 -n 2 -t "$two" --sf 3,1 ./runtime >got
  for w in OMP_SCHEDULE=aid_static,2 OMP_NUM_THREADS=2 GOMP_AMP_TYPES="$two" \
	   GOMP_AMP_SF=3,1 "LD_LIBRARY_PATH=$prefix/lib"; do
    grep -qx "$w" got || bad "--dry-run lacks $w"
  done
fi
"$run" --dry-run --cores '1 P + 1 c:eff0' ./runtime | grep -qx 'GOMP_AMP_CORES=1 P + 1 c:eff0' || bad "--cores"
# Exactly this is what a program gets.
"$run" -q -s aid_static,2 -n 2 env >got
for w in OMP_SCHEDULE=aid_static,2 OMP_NUM_THREADS=2; do
  grep -qx "$w" got || bad "the environment lacks $w"
done
"$run" --static-info ./runtime | grep -qx 'loops with schedule(runtime): yes' \
  || bad "--static-info ./runtime"
"$run" --static-info ./plain | grep -qx 'loops with schedule(runtime): no' \
  || bad "--static-info ./plain"
"$run" --static-info ./rpath | grep -q 'LD_PRELOAD' || bad "--static-info ./rpath"
"$run" --version | grep -q '^amp-run (gomp-amp) [0-9]' || bad "--version"
exit $rc
