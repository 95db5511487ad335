#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-auto.sh: what amp-run --auto tries, remembers and forgets.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
two_cpus
amp_run
GOMP_AMP_TYPES=$fast:$slow
GOMP_AMP_SF=4,1
XDG_CACHE_HOME=$tmp/cache
export GOMP_AMP_TYPES GOMP_AMP_SF XDG_CACHE_HOME
mkdir cache

# A program that says which form it runs in, and what the library would of its regions.
cat >app.c <<'END2'
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
of (const char *name)
{
  return getenv (name) ? getenv (name) : "";
}

int
main (int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "", *team = of ("GOMP_AMP_TEAM"), *form = "?";
  char line[99];
  const char *file = strstr (of ("GOMP_AMP_TRACE"), "regions:");
  FILE *f = file ? fopen (file + 8, "a") : NULL;
  if (f != NULL)
    {
      fprintf (f, "%s\n", of ("REGIONS"));
      fclose (f);
    }
  if (*of ("GOMP_AMP_REPLACE"))
    form = *team || *of ("GOMP_AMP_CORES") ? "?" : "replace";
  else if (!strcmp (of ("GOMP_AMP_CORES"), "big"))
    form = *team ? "?" : "big";
  else if (!strcmp (of ("GOMP_AMP_SF"), "4,1"))
    form = strcmp (team, "weighted") ? *team ? "?" : "stock" : "weighted";
  printf ("%s %s\n", form, of ("OMP_NUM_THREADS"));
  if (!strcmp (of ("SAYS"), form))
    puts (of ("SAYS"));
  fflush (stdout);
  if (!strcmp (word, "wait"))
    {
      f = fopen ("ready", "w");
      fputs ("\n", f);
      fclose (f);
      f = fopen ("go", "r");
      fgets (line, sizeof line, f);
    }
  if (argc > 50)
    {
#pragma omp parallel for
      for (int i = 0; i < argc; i++)
	argv[i] = NULL;
    }
  if (!strcmp (of ("FAILS"), form))
    return 3;
  if (!strcmp (of ("CRASHES"), form))
    abort ();
  if (!strcmp (word, "kill"))
    raise (SIGTERM);
  return omp_get_max_threads () == 0;
}
END2
"$cc" -fopenmp app.c -o app
REGIONS='100 5.0 2' && export REGIONS
forget () { rm -rf cache/gomp-amp; }
# gets WHAT [WORD...]: the program's next run with WORD... prints WHAT.
gets ()
{
  want=$1
  shift
  status=0
  got=$("$run" --auto ./app "$@" 2>err) || status=$?
  [ "$got" = "$want" ] || bad "$*: '$got', not '$want'"
}
# The one file of what is remembered, and its first section.
memory () { echo cache/gomp-amp/auto-*; }
section () { awk '$1 == "time" { print $2, $3; exit }' "$(memory)"; }
# remembered STOCK WEIGHTED BIG [REPLACE]: as if these times had been seen; empty: none.
remembered ()
{
  id=$(section)
  sed -n '1,/^program /p;/^work /p' "$(memory)" >new
  for pair in stock="$1" weighted="$2" big="$3" replace="${4-}"; do
    [ -z "${pair#*=}" ] || echo "time $id ${pair%%=*} ${pair#*=}" >>new
  done
  cat new >"$(memory)"
}
# after WANT STOCK WEIGHTED BIG [REPLACE]: what the next run gets then.
after () { wanted=$1; shift; remembered "$@"; gets "$wanted"; }

# CPUs that are alike: nothing to choose from, nothing kept.
got=$(env -u GOMP_AMP_SF GOMP_AMP_TYPES="$fast,$slow" "$run" --auto sh -c 'env | grep GOMP_AMP_' 2>err)
[ "$got" = "GOMP_AMP_TYPES=$fast,$slow" ] || bad "CPUs that are alike: $got"
grep -q 'CPUs are alike' err || bad "CPUs that are alike: $(cat err)"
[ -z "$(ls cache)" ] || bad "CPUs that are alike: something is kept"

# The first three runs are one of each form.
gets 'stock '
grep -q 'a first run, with one thread a CPU' err || bad "first run: $(cat err)"
gets 'weighted 5'
grep -q 'to find out about a weighted team' err || bad "second run: $(cat err)"
gets 'big 1'
sed -n '1s/^gomp-amp verdicts 3$/&/p;2s/^version /&/p;3s/^program [0-9]* [0-9.]* \//&/p' "$(memory)" \
  | grep -c . | grep -qx 3 || bad "its first lines: $(cat "$(memory)")"
grep -c "^time $(section) \(stock\|weighted\|big\) [0-9]*\.[0-9]\{6\}\$" "$(memory)" | grep -qx 3 \
  || bad "three times: $(cat "$(memory)")"

# What took least time is used.  One time is enough where the others are far away.
after 'stock ' 1.0 0.5 0.8
after 'weighted 5' '1.0 1.0' 0.5 0.8
[ ! -s err ] || bad "what is settled is told again: $(cat err)"
after 'stock ' 1.0 2.0 3.0
after 'big 1' '3.0 3.0' 2.0 1.0
# Of those that are near, what was tried least; then the least one.
after 'weighted 5' '1.0 1.1 1.2' 1.05 3.0
after 'weighted 5' '1.0 1.1 1.2' '1.05 1.04' 3.0
after 'stock ' '1.0 1.1 1.2' '1.5 1.04 1.05' 3.0
[ ! -s err ] || bad "settled by three times each: $(cat err)"
after 'weighted 5' '1.5 1.1 1.2' '1.5 1.04 1.05' 3.0
after 'stock ' 1.0 1.4 3.0
after 'weighted 5' '1.0 1.0' 1.4 3.0
after 'stock ' '1.0 1.0' '1.4 1.4' 3.0
[ ! -s err ] || bad "settled by two times each: $(cat err)"
# The last three times are kept.
after 'stock ' '3.0 3.0 3.0' 6.0 6.0
grep -q "^time $(section) stock [0-9.]* 3.000000 3.000000\$" "$(memory)" \
  || bad "the newest time comes first: $(cat "$(memory)")"
# It says when it has found out.
after 'big 1' '100 100' 100 ''
grep -q 'from now on the fast CPUs only: one thread a CPU 100.000 s' err || bad "verdict: $(cat err)"
remembered '100 100' 100 ''
"$run" -q --auto ./app >/dev/null 2>err
[ ! -s err ] || bad "-q says: $(cat err)"
remembered '3 3' 2 1
"$run" --auto --static-info ./app 2>/dev/null >got
grep -q 'one thread a CPU 3.000 s, a weighted team 2.000 s, the fast CPUs only 1.000 s' got \
  || bad "--static-info: $(cat got)"
grep -qx 'next run: the fast CPUs only' got || bad "--static-info: $(cat got)"
"$run" --auto --dry-run ./app >got 2>/dev/null
grep -qx GOMP_AMP_CORES=big got || bad "--dry-run: $(cat got)"

# What else it was started with is another matter, as is another folder.
gets 'stock ' other
mkdir else
[ "$(cd else && "$run" -q --auto ../app)" = 'stock ' ] || bad "another folder"
[ "$(OMP_NUM_THREADS=3 "$run" -q --auto ./app)" = 'stock 3' ] || bad "another variable"
[ "$(OMP_NUM_THREADS=3 "$run" -q --auto ./app)" = 'weighted 3' ] || bad "a given number"
gets 'big 1'
[ "$(GOMP_AMP_REPORT=0 "$run" -q --auto ./app)" = 'big 1' ] || bad "GOMP_AMP_REPORT"

# Over runs with other arguments: what is fastest for each amount of work.
cat >batch.py <<'END2'
"""batch.py FORM SECONDS KIND FILE...: runs of ./app on FILEs under --auto, whose work is their
size.  A run takes SECONDS[form] for each 1000 bytes, and a tenth more or less; KIND "noise": up to 30 times.
Prints the forms that were used; one run alone is said to be the first."""
import os, random, subprocess, sys
run, seconds, kind, *files = sys.argv[1:]
times = dict(zip(("stock", "weighted", "big", "replace"), map(float, seconds.split(","))))
draw = random.Random(1)
used, first = [], 0
for name in files:
    asked = subprocess.run([run, "-q", "--auto", "--dry-run", "./app", name], stdout=subprocess.PIPE).stdout.decode()
    form = next((f for f, mark in (("weighted", "GOMP_AMP_TEAM"), ("big", "GOMP_AMP_CORES"),
        ("replace", "GOMP_AMP_REPLACE")) if mark + "=" in asked), "stock")
    t = times[form] * os.path.getsize(name) / 1000 * draw.uniform(0.95, 1.05)
    if kind == "noise":
        t *= draw.lognormvariate(0, 1.2)
    env = dict(os.environ, REGIONS=f"1 {t} 2")
    done = subprocess.run([run, "--auto", "./app", name], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.split()[0] == form, (done, asked)
    used.append(form)
    first += "a first run" in done.stderr
assert first == 1, first
print(*used)
END2
mkdir pictures
n=0
while [ $n -lt 30 ]; do
  # From 1000 to 400,000 bytes, in any order.
  head -c $((1000 + (n * 7919 % 31) * (n * 7919 % 31) * 450)) /dev/zero >pictures/$n.x
  n=$((n + 1))
done
# batch SECONDS KIND: what the last ten of 30 runs used, when all of them are the same.
batch ()
{
  forget
  python3 batch.py "$run" "$1" "$2" pictures/* >used || bad "batch $1: status $?"
  cut -d ' ' -f 21- used | tr ' ' '\n' | sort -u | paste -sd ' '
}
if command -v python3 >/dev/null 2>&1; then
  for form in stock weighted big; do
    case $form in stock) times=1,2,3 ;; weighted) times=2,1,3 ;; big) times=2,3,1.5 ;; esac
    [ "$(batch "$times" work)" = $form ] || bad "a batch, $times: $(cat used)"
  done
  [ "$(batch 1,0.85,1.1 work)" = weighted ] || bad "a batch, 15 %: $(cat used)"
  # What cannot be told apart is left as it is.
  python3 - "$(batch 1,1,1 noise; cat used)" <<'END2' || bad "a batch that tells nothing: $(cat used)"
import sys
sys.exit(sys.argv[1].split().count("stock") < 8)
END2
fi
# A program that waits for its user: sessions that differ in length go by the time for a region.
forget
for REGIONS in '100 1.0 2' '1000 20.0 2' '10 0.05 2' '3000 30.0 2' '50 1.0 2' '2000 10.0 2' '100 1.0 2' '10 0.2 2' '100 0.5 2'; do
  "$run" -q --auto ./app >got
  cat got
done >used
REGIONS='700 3.5 2'
gets 'big 1'
gets 'big 1'
grep -q '^work .* 100 1 ' "$(memory)" || bad "sessions: $(cat "$(memory)")"
REGIONS='100 5.0 2'

# Chunks by speed are tried where there are chunks, and nothing else where nothing else would help.
sed 's/#pragma omp parallel for/& schedule(dynamic)/;s/= NULL;/= 0;/' app.c >chunks.c
cp app kept
"$cc" -fopenmp chunks.c -o app
forget
gets 'stock '
gets 'replace '
after 'replace ' '3 3' '' '' 1
[ ! -s err ] || bad "chunks by speed: $(cat err)"
mv kept app

# Another program, machine or version: as if nothing had been seen.
forget
gets 'stock '
after 'big 1' '3 3' 2 1
touch -d '2001-02-03' app
gets 'stock '
after 'big 1' '3 3' 2 1
for edit in '1s/.$/1/' '2s/$/0/' 's/^time [^ ]*/time 0123456789abcdef/'; do
  remembered '3 3' 2 1
  sed -i "$edit" "$(memory)"
  gets 'stock '
done
for wrong in 'time 1 zz stock 1' 'time 1 1 stock' 'time 1 1 fast 1' 'time 1 1 stock -1' 'time 1 1 stock 1 2 3 4' \
	     'something' "$(head -c 3000 /dev/zero | tr '\0' x)"; do
  remembered '3 3' 2 1
  printf '%s\n' "$wrong" >>"$(memory)"
  gets 'stock '
done
# A script, where the program is an interpreter.
if command -v python3 >/dev/null 2>&1; then
  forget
  for name in one two; do
    cat >$name.py <<'END2'
import os
print(os.environ.get("GOMP_AMP_CORES"), os.environ.get("GOMP_AMP_TEAM"))
with open(os.environ["GOMP_AMP_TRACE"].split(":")[1], "a") as f:
    print(os.environ["REGIONS"], file=f)
END2
    "$run" -q --auto python3 $name.py >/dev/null
  done
  [ "$(echo cache/gomp-amp/auto-* | wc -w)" = 2 ] || bad "two scripts: $(ls cache/gomp-amp)"
  [ "$("$run" -q --auto python3 one.py)" = 'big None' ] || bad "a script's second run"
  echo >>one.py
  [ "$("$run" -q --auto python3 one.py)" = 'None None' ] || bad "a script that has changed"
fi

# Time in regions counts; a run that did nothing there teaches nothing.
forget
gets 'stock '
grep -q "^time $(section) stock 5.000000\$" "$(memory)" || bad "time in regions: $(cat "$(memory)")"
for REGIONS in '0 0.0 0' '1 0.000001 2'; do
  forget
  gets 'stock '
  grep -q 'nothing learnt, .* parallel region' err || bad "$REGIONS: $(cat err)"
  gets 'stock '
  grep -qs '^time' cache/gomp-amp/auto-* && bad "$REGIONS: remembered"
done
REGIONS='1 0.000001 2
1 100 2'
gets 'stock '
gets 'weighted 5'
# A form under which it has no regions is left out, whatever the arguments.
forget
gets 'stock ' 1
gets 'weighted 5' 1
REGIONS='0 0.0 0'
gets 'big 1' 1
grep -q 'the fast CPUs only is not used any more: its time cannot be told' err || bad "no regions: $(cat err)"
REGIONS='100 5.0 2'
for n in 2 3 4 5 6 7 8 9; do
  "$run" -q --auto ./app $n | grep -q big && bad "no regions: the form is tried with $n"
done
# Of one that is not on our library neither.
forget
"$run" --auto sh -c 'exit 0' 2>err
grep -q 'nothing learnt, no process of it ended on our library; --preload' err || bad "another library: $(cat err)"
REGIONS='1000000 5.0 2'
gets 'stock '
gets 'big 1'
grep -q '^skip .* weighted short-regions$' "$(memory)" || bad "short: $(cat "$(memory)")"
REGIONS='100 5.0 2'

# Failures are no times; a form that fails where one thread a CPU does not is left out at once.
forget
FAILS=stock && export FAILS
gets 'stock '
[ "$status" = 3 ] || bad "the program's status 3 became $status"
gets 'stock '
gets 'stock '
grep -q '^time' "$(memory)" && bad "a failure's time: $(cat "$(memory)")"
unset FAILS
for how in FAILS CRASHES; do
  forget
  gets 'stock '
  eval "$how=weighted && export $how"
  gets 'weighted 5'
  grep -q 'a weighted team is not used any more: it \(ended with status 3\|crashed\)' err || bad "$how: $(cat err)"
  gets 'big 1'
  unset $how
done
forget
exits 143 "$run" -q --auto ./app kill
grep -qs '^[tf]' "$(memory)" && bad "a killed run is remembered: $(cat "$(memory)")"

# --verify: each form twice, and none that prints something else.
# verifies WHAT: as gets.
verifies ()
{
  got=$("$run" --verify --auto ./app 2>err) || bad "--verify: status $?"
  [ "${got%%
*}" = "$1" ] || bad "--verify: '$got', not '$1'"
}
sed 's/printf ("%s %s.*/fputs (form, stderr);/' app.c >silent.c
"$cc" -fopenmp silent.c -o app
forget
for form in stock stock weighted weighted big big; do
  "$run" -q --verify --auto ./app 2>err || bad "--verify: status $?"
  [ "$(cat err)" = $form ] || bad "--verify: $(cat err), not $form"
done
SAYS=weighted && export SAYS
forget
for form in stock stock weighted; do
  "$run" --verify --auto ./app >got 2>err || bad "--verify: status $?"
done
grep -qx weighted got || bad "--verify: what it prints is lost"
grep -q 'a weighted team is not used any more: it printed something else' err || bad "--verify: $(cat err)"
unset SAYS
"$run" -q --verify --auto ./app 2>err
[ "$(cat err)" = big ] || bad "--verify: $(cat err) after another output"
"$cc" -fopenmp app.c -o app
# Two runs of one form that print different things.
forget
verifies 'stock '
id=$(section)
sed -i "s/^prints.*/prints $id stock 0000000000000007/" "$(memory)"
verifies 'stock '
grep -q 'cannot be verified' err || bad "another output each time: $(cat err)"
verifies 'stock '

# No more threads than CPUs where the program may go by their number.
forget
sed 's/omp_get_max_threads () == 0/omp_get_num_procs () == 0/' app.c >asks.c
cp app kept
"$cc" -fopenmp asks.c -o app
gets 'stock '
grep -q 'no more threads than CPUs, as it asks how many CPUs there are (omp_get_num_procs)' err || bad "asks: $(cat err)"
gets 'big 1'
after 'big 1' '3 3' 1 2
[ "$("$run" -q --weighted ./app)" = 'weighted 5' ] || bad "--weighted by name"
# Nor fewer, where it would go by all of them; what is not known is left alone, too.
# asks REASON CODE [OPTION...]: no form is tried.
asks ()
{
  reason=$1
  { echo '#include <unistd.h>'; sed "s/omp_get_max_threads () == 0/$2/" app.c; } >asks.c
  shift 2
  "$cc" -fopenmp asks.c -o app "$@" || bad "$reason: cannot compile"
  for _ in 1 2 3; do
    gets 'stock '
    "$run" --auto ./app >got 2>>err || bad "$reason: --auto: status $?"
    grep -qx 'stock ' got || bad "$reason: --auto: $(cat got)"
  done
  grep -q "$reason" err || bad "$reason: $(cat err)"
}
asks 'as it asks how many CPUs there are (sysconf)' 'sysconf (84) == 0'
asks 'as it asks how many CPUs there are (/proc/cpuinfo)' 'fopen ("\/proc\/cpuinfo", "r") == 0'
cp app.c kept.c
sed 's/omp_get_max_threads () == 0/asks () == 0 + 0 * omp_get_max_threads ()/;s/^int$/int asks (void);\n&/' app.c >main.c
echo 'int get_nprocs (void); int asks (void) { return get_nprocs (); }' >part.c
"$cc" -shared -fPIC part.c -o libpart.so
cp main.c app.c
asks 'get_nprocs in libpart.so' 'x' ./libpart.so "-Wl,-rpath,$tmp"
cp kept.c app.c
mv kept app
forget

# Signals reach the program.
mkfifo ready go
"$run" -q --auto ./app wait >out 2>&1 &
pid=$!
read -r _ <ready
kill -TERM $pid
exits 143 wait $pid

# Two at a time: neither is gone by.
forget
"$run" -q --auto ./app wait >out 2>&1 &
pid=$!
read -r _ <ready
gets 'stock '
echo >go
wait $pid
grep -qs '^time' "$(memory)" && bad "two at a time: $(cat "$(memory)")"
gets 'stock '
grep -q '^time' "$(memory)" || bad "one at a time: $(cat "$(memory)")"

# With a report the form is used, and the run not remembered.
forget
gets 'stock '
"$run" -q --report --auto ./app >got 2>&1
grep -qx 'weighted 5' got || bad "--report: $(cat got)"
gets 'weighted 5'

# Nothing can be kept: it runs all the same.
XDG_CACHE_HOME=/dev/null "$run" --auto ./app >got 2>err || bad "no cache folder: status $?"
grep -qx 'stock ' got || bad "no cache folder: $(cat got)"
grep -q 'cannot remember anything' err || bad "no cache folder: $(cat err)"
# A relative one does not count.
got=$(HOME=$tmp/home XDG_CACHE_HOME=cache "$run" -q --auto ./app 2>err) || :
grep -q "$tmp/home/.cache/gomp-amp: No such file" err || bad "a relative cache folder: $(cat err)"
mkdir home
HOME=$tmp/home XDG_CACHE_HOME='' "$run" -q --auto ./app >got 2>err
[ -n "$(ls home/.cache/gomp-amp/auto-*)" ] || bad "\$HOME/.cache: $(cat err)"

# Threads that are placed otherwise.
for option in '-a 1' '-c big' '-s static'; do
  # shellcheck disable=SC2086 # two words
  exits 2 "$run" --auto $option ./app
  grep -q 'exclude each other' err || bad "$option: $(cat err)"
done
for variable in OMP_PROC_BIND=true GOMP_AMP_CORES=big; do
  env $variable "$run" --auto ./app >got 2>err
  grep -q "because ${variable%=*} is set" err || bad "$variable: $(cat err)"
done
exit $rc
