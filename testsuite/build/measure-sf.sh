#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# measure-sf.sh: amp-run --measure-sf, and the options that set GOMP_AMP_* for a program that
# plain gcc compiled.  Of the speeds only their form is checked.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
two_cpus
two=$fast:$slow
cd "$tmp"
cat >t.c <<'END'
/* t STATUS [FILE]: two places of one name, one whose schedule is the program's, and one that
   only a run before FILE is there reaches.  */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
static long sink[4000];
int
main (int argc, char **argv)
{
  int c;
  FILE *f;
  printf ("%d threads,", omp_get_max_threads ());
  while ((c = getchar ()) != EOF && c != '\n')
    putchar (c);
  putchar ('\n');
  for (int round = 0; round < 50; round++)
    {
#pragma omp parallel for schedule (runtime)
      for (long i = 0; i < 4000 >> round % 3; i++)
	sink[i]++;
#pragma omp parallel
#pragma omp for schedule (dynamic, 100)
      for (unsigned long long u = 0; u < 4000; u++)
	sink[u]++;
    }
  if (argc > 2 && (f = fopen (argv[2], "r")) == NULL)
    {
#pragma omp parallel for schedule (runtime)
      for (long i = 0; i < 1000; i++)
	sink[i]++;
      f = fopen (argv[2], "w");
    }
  return argc > 1 ? atoi (argv[1]) : 0;
}
END
"$stage/bin/amp-gcc" -fopenmp -fopenmp-default-schedule=static t.c -o t

# run STATUS WORDS OPTION...: amp-run ends so, and says WORDS, if any; its output is the file out.
# What stands before options in $before is in front of it, words in $arguments behind the program.
before='' arguments=''
run ()
{
  want=$1 words=$2 status=0
  shift 2
  # shellcheck disable=SC2086 # words
  $before "$stage/bin/amp-run" "$@" -- ./t $arguments >out 2>&1 <"${input:-/dev/null}" || status=$?
  [ "$status" = "$want" ] || bad "$*: status $status: $(cat out)"
  grep -q -F -e "$words" out || bad "$*: no '$words': $(cat out)"
}
# good FILE LOOPS COMMENTS: it has speeds of LOOPS loops, the least 1, then so many comments.
good ()
{
  awk -v loops="$2" -v comments="$3" '
    /^#.*not run on every type/ { tail++; next }
    /^#/ { head++; next }
    { seen++; split ($2, sf, ",")
      good += (NF == 2 && $1 ~ /^program\+0x/ && $2 ~ /^[0-9.]+,[0-9.]+$/ && sf[1] >= 1 &&
	       sf[2] >= 1 && sf[1] <= 64 && sf[2] <= 64 && (sf[1] == 1 || sf[2] == 1)) }
    END { exit head != 4 || seen != loops || good != loops || tail + 0 != comments }' "$1" \
    || bad "$1: $(cat "$1")"
}

# Both runs read the input from its beginning.
echo hello >in
input=in
run 0 'a.sf: 1 loop; use it with --loops' -t "$two" --measure-sf a.sf
input=
for words in 'core type 0 of 2: one thread on CPU ' 'core type 1 of 2: one thread on CPU '; do
  grep -q "$words" out || bad "no '$words': $(cat out)"
done
[ "$(grep -c -x '1 threads,hello' out)" = 2 ] || bad "not two runs on the input: $(cat out)"
good a.sf 1 0
# With what --replace adds, whatever the environment says, over a file that exists; a place that
# only the first run knows is a comment.
arguments='0 once'
before='env OMP_SCHEDULE=static OMP_NUM_THREADS=7 GOMP_AMP_SF=9 GOMP_AMP_AFFINITY=1'
run 0 'a.sf: 2 loops' -t "$two" --replace dynamic=aid_dynamic --measure-sf=./a.sf
before='' arguments=''
good a.sf 2 1
# The library takes the file.
run 0 ': 2 threads, 4000 iterations, executed ' -t "$two" -s aid_static -n 2 \
  --replace dynamic=aid_static --report --loops a.sf
grep -q '^2 threads,$' out || bad "threads: $(cat out)"
! grep ignored out || bad 'the file is ignored'
# A run that fails leaves no file, and its status.
arguments=5
run 5 'the program ended with status 5; b.sf is not written' -t "$two" --measure-sf b.sf
arguments=

# What is refused, before anything runs.
[ "$(usable_cpus | wc -w)" != 2 ] \
  || run 2 'there is one type of cores' -t "$(echo "$two" | tr : ,)" --measure-sf b.sf
run 2 "cannot write $tmp/absent/b.sf" -t "$two" --measure-sf "$tmp/absent/b.sf"
run 2 'it is a folder' -t "$two" --measure-sf .
mkfifo fifo
run 2 'cannot write fifo: it is no regular file' -t "$two" --measure-sf fifo
run 2 '--measure-sf and --threads exclude each other' --measure-sf b.sf -n 2
run 2 '--measure-sf and --dry-run exclude each other' --dry-run --measure-sf b.sf
run 2 '--measure-sf: the value is empty' --measure-sf=
run 2 --replace --replace dynamic=quick
run 2 --cores --cores large
run 2 'cannot read ./missing' --loops ./missing
! grep 'threads,' out || bad 'it runs all the same'
[ ! -e b.sf ] || bad 'b.sf is written'

# What is passed on.
run 0 GOMP_AMP_CORES=big --dry-run -c big --replace guided=ich,20 --report
for words in GOMP_AMP_REPLACE=guided=ich,20 GOMP_AMP_REPORT=1; do
  grep -q -x "$words" out || bad "no $words: $(cat out)"
done
# On emulated slow cores, where they can be had.
before="$stage/bin/amp-emulate --no-verify --slow ${two#*:}=3 --"
if $before true 2>/dev/null; then
  run 0 '' -q --measure-sf c.sf
  good c.sf 1 0
fi
exit "$rc"
