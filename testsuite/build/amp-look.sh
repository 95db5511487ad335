#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-look.sh: what amp-run finds out about a program, what it advises and does of itself.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
unset PYTHONPATH 2>/dev/null || :
two_cpus
amp_run
types=$fast:$slow
alike=$fast,$slow
XDG_CACHE_HOME=$tmp
export XDG_CACHE_HOME

cat >t.c <<'END2'
#include <omp.h>
#include <stdio.h>
int
main (void)
{
  int n = 0;
#ifdef TASKS
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 3; i++)
#pragma omp task shared (n)
#pragma omp atomic
    n += i;
#else
# pragma omp parallel for SCHEDULE reduction(+:n)
  for (int i = 0; i < 3; i++)
    n += i;
# ifdef MORE
#  pragma omp parallel for schedule (static) reduction(+:n)
  for (int i = 0; i < 3; i++)
    n -= i;
# endif
#endif
  puts ("done");
  return 0;
}
END2
# program NAME COMPILER OPTION...
program ()
{
  name=$1
  shift
  "$@" -O2 -fopenmp t.c -o "$name" || bad "cannot compile $name"
}
program static "$cc" -DSCHEDULE='schedule(static)'
program dynamic "$cc" -DSCHEDULE='schedule(dynamic)'
program guided "$cc" -DSCHEDULE='schedule(guided,2)'
program runtime "$cc" -DSCHEDULE='schedule(runtime)'
program both "$cc" -DSCHEDULE='schedule(runtime)' -DMORE
program mixed "$cc" -DSCHEDULE='schedule(dynamic)' -DMORE
program tasks "$cc" -DTASKS
clauseless=yes
grep -q 'fplugin' "$prefix/lib/gomp-amp/gomp-amp.specs" || clauseless=no
[ -f "$prefix/lib/gomp-amp/gomp_amp_plugin.so" ] || clauseless=no
[ "$clauseless" = no ] || program clauseless "$prefix/bin/amp-gcc" -DSCHEDULE=

# advised WORDS HELP PROGRAM: without options it runs, and one line says what it is and what may help.
advised ()
{
  words=$1
  help=$2
  shift 2
  [ "$(GOMP_AMP_TYPES=$types "$run" "$@" 2>err)" = "done" ] || bad "$*: it does not run"
  grep -q -e "$words" err || bad "$*: no '$words' in: $(cat err)"
  if [ -n "$help" ]; then
    grep -q -e "; what may help: $help" err || bad "$*: no '$help' in: $(cat err)"
  else
    grep -q 'may help' err && bad "$*: advice where there is none: $(cat err)"
  fi
  [ "$(grep -c '' err)" = 1 ] || bad "$*: not one line: $(cat err)"
  for quiet in "$run -q" "$silent"; do
    GOMP_AMP_TYPES=$types $quiet "$@" >/dev/null 2>err
    [ ! -s err ] || bad "$quiet $*: it says $(cat err)"
  done
}
learns='--auto, which learns from some runs'
advised 'static: static loops or work divided by thread number' "$learns, or to compile it with amp-gcc\$" ./static
advised 'dynamic or guided loops' "$learns\$" ./dynamic
advised 'dynamic or guided loops' "$learns\$" ./guided
advised 'schedule(runtime) loops, by speed here (OMP_SCHEDULE=auto)$' '' ./runtime
advised 'OMP_SCHEDULE=auto), static loops' "$learns\$" ./both
advised 'dynamic or guided loops, static loops' "$learns" ./mixed
advised 'tasks: tasks$' '' ./tasks
[ "$clauseless" = no ] || advised 'clauseless: loops divided by speed$' '' ./clauseless
# On a terminal it is said without being asked for.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  GOMP_AMP_TYPES=$types script -qec "$silent ./static" /dev/null </dev/null >got
  grep -q 'what may help' got || bad "a terminal: $(cat got)"
fi
# Other options say what is to be done.
GOMP_AMP_TYPES=$types "$run" --weighted ./static >/dev/null 2>err
[ ! -s err ] || bad "--weighted says $(cat err)"
GOMP_AMP_TYPES=$types OMP_SCHEDULE=static "$run" ./runtime >/dev/null 2>err
[ ! -s err ] || bad "OMP_SCHEDULE says $(cat err)"
# CPUs that are alike.
GOMP_AMP_TYPES=$alike "$run" ./static >/dev/null 2>err
grep -q '^amp-run: the CPUs are alike' err || bad "alike: $(cat err)"
[ "$(grep -c '' err)" = 1 ] || bad "alike: $(cat err)"

# What the program may see is left alone: what it sets and asks for, and, without --auto, its team.
sets ()
{
  want=$1
  shift
  got=$(GOMP_AMP_TYPES=$types "$run" -q --dry-run "$@" | grep '^OMP_\|^GOMP_') || :
  [ "$got" = "$want" ] || bad "$*: it sets $got, not $want"
}
sets OMP_SCHEDULE=auto ./runtime
for p in static dynamic mixed tasks script; do
  printf '#!/bin/sh\necho done\n' >script
  chmod +x script
  sets '' ./$p
done
sed 's/puts ("done")/&; omp_sched_t s; int k; omp_get_schedule (\&s, \&k)/' t.c >asks.c
"$cc" -fopenmp -DSCHEDULE='schedule(runtime)' asks.c -o asks
sets '' ./asks
advised 'schedule(runtime) loops, for which it chooses$' '' ./asks
sets OMP_SCHEDULE=auto --auto ./runtime
sets '' --auto ./tasks
GOMP_AMP_TYPES=$types "$run" --auto --dry-run ./tasks 2>&1 | grep -q -e '--auto: there is nothing to choose' \
  || bad '--auto ./tasks: something to choose'

# Scripts start other programs.
printf '#!/bin/sh\necho done\n' >script
chmod +x script
advised 'a script; what it starts' '' ./script

# Launchers that set LD_LIBRARY_PATH: ours serves all the same, but not beside another OpenMP.
stock=$(dirname "$(readlink -f "$("$cc" -print-file-name=libgomp.so.1)")")
cat >where.c <<'END2'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int
main (void)
{
  Dl_info info;
  int n = 0;
#pragma omp parallel
  n |= 1;
  puts (dladdr (dlsym (RTLD_DEFAULT, "omp_get_schedule"), &info) ? info.dli_fname : "none");
  return !n;
}
END2
mkdir -p app/bin app/etc app/lib
"$cc" -fopenmp where.c -o app/bin/where -ldl
cat >app/bin/R <<END2
#!/bin/sh
HOME_DIR=$tmp/app
if false; then HOME_DIR=/absent; fi
. "\${HOME_DIR}/etc\${ARCH}/paths"
exec "\${HOME_DIR}/bin/where"
END2
echo "export LD_LIBRARY_PATH=$stock:\$LD_LIBRARY_PATH" >app/etc/paths
# shellcheck disable=SC2016 # for that script
printf '#!/bin/sh\n. "$(dirname "$0")/../etc/paths"\nexec "$(dirname "$0")/where"\n' >app/bin/near
printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec app/bin/where\n' "$stock" >app/bin/direct
printf '#!/bin/sh\nexec app/bin/near\n' >app/bin/shim
printf '#!/usr/bin/env %s\n' "$tmp/app/bin/Rscript" >app/bin/script
cat >r.c <<'END2'
#include <unistd.h>
int main (void) { return execl ("app/bin/R", "R", (char *) 0); }
END2
"$cc" r.c -o app/bin/Rscript
chmod +x app/bin/*
for name in R near direct shim Rscript script; do
  app/bin/$name | grep -qx "$stock/libgomp.so.1.*" || bad "$name: $(app/bin/$name)"
  "$run" -q app/bin/$name >got 2>err
  grep -qx "$prefix/lib/libgomp.so.1" got || bad "$name: another library serves: $(cat got err)"
  "$run" --static-info app/bin/$name | grep -q 'LD_PRELOAD, for it sets LD_LIBRARY_PATH' || bad "--static-info $name"
done
: >app/lib/libiomp5.so
"$run" app/bin/R >got 2>err
grep -q "app/bin/R sets LD_LIBRARY_PATH.*must not meet $tmp/app/lib/libiomp5.so" err || bad "near libiomp5: $(cat err)"
grep -qx "$stock/libgomp.so.1.*" got || bad "near libiomp5: $(cat got)"
"$run" --report app/bin/R >got 2>err
grep -q 'nothing to report: no process of it ended on our library; .* --preload' err || bad "--report: $(cat err)"
"$run" --report ./static >got 2>err
grep -q 'nothing to report: of its 1 parallel regions no loop entered' err || bad "--report: static loops: $(cat err)"
OMP_NUM_THREADS=1 "$run" --report ./static >got 2>err
grep -q 'nothing to report: no parallel region of several threads ran' err || bad "--report: one thread: $(cat err)"

# Python.  A package that brings a libgomp of another name; it says who serves it.
python=$(command -v python3) || { echo "no python3: its part is left out"; exit $rc; }
mkdir -p site/pack.libs site/pack other/lib
cat >own.c <<'END2'
void
GOMP_parallel (void (*fn) (void *), void *data, unsigned n, unsigned flags)
{
  (void) n;
  (void) flags;
  fn (data);
}
int omp_get_max_threads (void) { return 77; }
END2
echo 'GOMP_4.0 { GOMP_parallel; }; OMP_1.0 { omp_get_max_threads; };' >own.map
"$cc" -shared -fPIC own.c -o site/pack.libs/libgomp-abc123.so.1.0.0 -Wl,-soname,libgomp-abc123.so.1.0.0 \
  -Wl,--version-script=own.map
cat >pack.c <<'END2'
int omp_get_max_threads (void);
int
threads (void)
{
  int n = 0;
#pragma omp parallel
#pragma omp atomic
  n++;
  return n > 0 ? omp_get_max_threads () : -1;
}
END2
"$cc" -O2 -fopenmp -fPIC -c pack.c
# shellcheck disable=SC2016 # the dynamic linker's
"$cc" -shared pack.o -o site/pack/_pack.so site/pack.libs/libgomp-abc123.so.1.0.0 \
  '-Wl,-rpath,$ORIGIN/../pack.libs'
cat >site/pack/__init__.py <<'END2'
import ctypes, os
lib = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "_pack.so"))
END2
cat >app.py <<'END2'
#!/usr/bin/env python3
import pack
print(pack.lib.threads())
END2
chmod +x app.py
PYTHONPATH=$tmp/site
export PYTHONPATH
"$python" app.py | grep -qx 77 || bad "the package does not work at all"
for command in "$python app.py" ./app.py; do
  # shellcheck disable=SC2086 # words
  [ "$("$run" -q -n 3 $command)" = 3 ] || bad "$command: the package's own libgomp serves"
done
"$run" --static-info "$python" >got
grep -q "packages have their own ($tmp/site/pack.libs/libgomp-abc123.so.1.0.0); ours by LD_PRELOAD" got \
  || bad "--static-info: $(cat got)"
GOMP_AMP_TYPES=$types "$run" "$python" app.py >/dev/null 2>err
grep -q 'what may help: --auto.*, or --weighted, if more threads than CPUs suit it$' err || bad "Python: $(cat err)"

# With another OpenMP library beside, ours is not put in unasked.
echo 'int omp (void) { return 0; }' >o.c
"$cc" -shared -fPIC o.c -o other/lib/libiomp5.so
mkdir site/pack/lib
cp other/lib/libiomp5.so site/pack/lib/
"$run" -n 3 "$python" app.py >got 2>err
grep -qx 77 got || bad "with libiomp5 beside: $(cat got)"
grep -q 'libiomp5.so ('"$tmp/site/pack/lib/libiomp5.so"'), which must not mix' err || bad "with libiomp5: $(cat err)"
[ "$("$run" -q --preload -n 3 "$python" app.py)" = 3 ] || bad "--preload"
# What was loaded later is told in a report; what was linked, at once.
"$run" -q --preload --report "$python" -c "import ctypes; ctypes.CDLL('$tmp/other/lib/libiomp5.so')" >got 2>&1
grep -qx "libgomp: $tmp/other/lib/libiomp5.so is loaded, too; regions that use it are not ours" got \
  || bad "--report with libiomp5: $(cat got)"
"$run" -q --preload --report "$python" -c 1 >got 2>&1
[ ! -s got ] || bad "--report without: $(cat got)"
echo 'int omp (void); int main (void) { return omp (); }' >p.c
"$cc" -shared -fPIC o.c -o libomp.so.5 -Wl,-soname,libomp.so.5
"$cc" p.c ./libomp.so.5 -o foreign "-Wl,-rpath,$tmp"
"$run" -q --preload sh -c ./foreign >got 2>&1
grep -q "This program uses $tmp/libomp.so.5, and LD_PRELOAD puts libgomp" got || bad "a child with libomp: $(cat got)"
# Alone it is named; also where it goes by libgomp's name.
rm -r site/pack.libs
"$run" -n 3 "$python" -c 'print(1)' >got 2>err || bad "libiomp5: status $?"
grep -q "packages here have libiomp5.so, not GCC's libgomp" err || bad "libiomp5: $(cat err)"
[ "$(grep -c '' err)" = 1 ] || bad "libiomp5: $(cat err)"
mv site/pack/lib/libiomp5.so site/pack/lib/libomp.so
ln -s libomp.so site/pack/lib/libgomp.so.1
"$run" --static-info "$python" >got
grep -q 'libomp.so, not libgomp' got || bad "libomp by libgomp's name: $(cat got)"
rm -r site/pack
# Nothing is put in where there is nothing.
[ "$("$run" -q --dry-run "$python" | grep -c LD_PRELOAD)" = 0 ] || bad "LD_PRELOAD for nothing"
exit $rc
