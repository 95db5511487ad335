#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# loops-file.sh: GOMP_AMP_LOOPS and GOMP_AMP_TRACE=sf:FILE.  Loops' names are learnt from the
# library; then files give them schedules and speeds.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
two_cpus
types=$fast:$slow
cd "$tmp"
cat >kinds.c <<'END'
/* Loops told apart by their trip counts: runtime, monotonic:runtime, dynamic, ordered.  */
int
main (void)
{
  static int count[1004];
  for (int k = 0; k < 5; k++)
#pragma omp parallel num_threads (2)
    {
#pragma omp for schedule (runtime)
      for (int i = 0; i < 1000; i++)
	count[i]++;
#pragma omp for schedule (monotonic:runtime)
      for (int i = 0; i < 1001; i++)
	count[i]++;
#pragma omp for schedule (dynamic, 7)
      for (int i = 0; i < 1002; i++)
	count[i]++;
#pragma omp for schedule (runtime) ordered
      for (int i = 0; i < 1003; i++)
	{
#pragma omp ordered
	  count[i]++;
	}
    }
  for (int i = 0; i < 1000; i++)
    if (count[i] != 20)
      return 1;
  return 0;
}
END
cat >begins.c <<'END'
/* Prints where thread 1 begins, in each of seven executions of a loop by two threads.  */
#include "amp-test.h"
static long first[2];
int
main (int argc, char **argv)
{
  unsigned threads = argc > 1 ? atoi (argv[1]) : 2;
  for (int k = 0; k < 7; k++)
    {
      amp_meet_begin ();
#pragma omp parallel for num_threads (threads) schedule (runtime)
      for (long i = 0; i < 1000; i++)
	if (amp_meet (threads))
	  first[omp_get_thread_num ()] = i;
      if (threads == 2)
	printf ("%ld\n", first[1]);
    }
  return 0;
}
END
for p in kinds begins; do
  "$stage/bin/amp-gcc" -fopenmp -O2 -Wall -Wno-unknown-pragmas -I "$top/testsuite/libgomp.amp/amp" \
    $p.c -o $p
done

# ran WANT SCHEDULE [WORDS]: with SCHEDULE for all loops the report says these of them, - where
# it has none; it says WORDS, or nothing, of the file.
names=
ran ()
{
  : >file
  for name in $names none+0x1; do
    echo "$name $2" >>file
  done
  OMP_SCHEDULE=reference GOMP_AMP_LOOPS=file GOMP_AMP_REPORT=1 "$limited" 60 ./kinds >said 2>&1 \
    || bad "$2: status $?"
  got=
  for n in 1000 1001 1002 1003; do
    now=$(sed -n "s/.*: 2 threads, $n iterations.*, \([a-z_]*\)[^,]*, SF.*/\1/p" said)
    got="$got ${now:--}"
  done
  [ "$got" = " $1" ] || bad "$2:$got, not $1: $(cat said)"
  grep LOOPS said | grep -v -e "${3:-^$}" && bad "$2: $(cat said)"
  [ -z "${3-}" ] || grep -q -e "$3" said || bad "$2 says no $3"
}
ran 'reference reference dynamic -' reference .
names=$(sed -n 's/^libgomp: loop \([^:]*\): 2 threads, 100[0-3] iter.*/\1/p' said)
[ "$(echo "$names" | wc -l)" -ge 3 ] || bad "names: $(cat said)"
ran 'aid_static aid_static aid_static -' aid_static
ran 'guided guided guided -' guided,5
ran 'static static static -' static
ran 'steal reference steal -' steal,2 ':[123]: iterations of program+0x'
ran 'auto auto auto -' auto

# The record: one loop, so many iterations in all.
OMP_NUM_THREADS=1 OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:record ./begins 1 >said 2>&1
[ ! -s said ] || bad "recording says $(cat said)"
awk 'NR == 1 && $1 ~ /^program\+0x/ && $2 > 0 && $3 == 7000 && NF == 3 { good = 1 }
     END { exit !(good && NR == 1) }' record || bad "record: $(cat record)"
name=$(cut -d ' ' -f 1 record)
# A team of two is not recorded; a file that cannot be written is told.
rm record
OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:record ./begins >/dev/null
{ [ -e record ] && [ ! -s record ]; } || bad "a team of two: $(cat record)"
got=$(OMP_SCHEDULE=aid_static GOMP_AMP_TRACE="sf:$tmp/absent/x" ./begins 1 2>&1)
[ "$got" = "
libgomp: GOMP_AMP_TRACE: cannot write $tmp/absent/x: No such file or directory" ] || bad "$got"

# begins EVER TEXT [WORDS]: with a file of TEXT, where @ is the loop, thread 1 always begins at
# 750, or, where EVER is not `ever', not always; the library says WORDS of the file's line, if any.
begins ()
{
  printf '%b' "$2" | sed "s/@/$name/" >file
  [ -n "$2" ] || rm file
  OMP_SCHEDULE=aid_static GOMP_AMP_AFFINITY=1 GOMP_AMP_TYPES=$types GOMP_AMP_LOOPS=file \
    "$limited" 60 "${4:-./begins}" >got 2>said || bad "$2: status $?"
  if [ "$1" = ever ]; then want=7; else want='[0-6]'; fi
  if [ "$(wc -l <got)" != 7 ] || ! { grep -c -x 750 got || :; } | grep -q -x "$want"; then
    bad "$2: begins at $(tr '\n' ' ' <got)"
  fi
  if [ -z "${3-}" ]; then
    [ ! -s said ] || bad "$2 says $(cat said)"
  elif [ "$(cat said)" != "
libgomp: $3" ]; then
    bad "$2 says $(cat said)"
  fi
}
rest='; the rest of the file is ignored'
numbers='needs 2 decimal numbers from 0.016 to 64, one per core type, fastest type first, as in 3,1'
begins ever '@ 3,1\n'
begins ever '# a comment\n\n \t\n  @\t 6,2  # that is 3\n'
begins ever '@ 3\n'
begins ever 'other+0x1 1,5\n@ 3,1\nprogram+0x1 2,1'
# What comes before the wrong line counts.
begins ever '@ 3,1\nnonsense\n' \
  "GOMP_AMP_LOOPS: file:2: OBJECT+0xOFFSET is expected, as GOMP_AMP_REPORT has it$rest"
begins never '@\n' "GOMP_AMP_LOOPS: file:1: a schedule or numbers are expected$rest"
begins never '#\n@ steal ich\n@ 3,1\n' \
  "GOMP_AMP_LOOPS: file:2: one schedule and one list of numbers are expected$rest"
begins never '@ monotonic:steal\n' \
  "GOMP_AMP_LOOPS: file:1: a schedule without a modifier is expected$rest"
begins never '@ 3,1,1\n' "GOMP_AMP_LOOPS: file:1: '3,1,1': $numbers$rest"
begins never '@ 0,1\n' "GOMP_AMP_LOOPS: file:1: '0,1': $numbers$rest"
begins never ' '
# A schedule of one loop, with and without numbers for it.
begins never '@ static\n'
begins never '@ 3,1 static\n'
begins ever '@ aid_static 3,1\n'
begins never '' "Invalid value for environment variable GOMP_AMP_LOOPS: cannot read file: No such \
file or directory; it is ignored"

# A program with the rights of another user reads and writes no file that it is told.
mkdir -p tree
n=0
for cpu in $(usable_cpus); do
  mkdir -p "tree/devices/system/cpu/cpu$cpu"
  n=$((n + 1))
  echo $((n % 2 ? 1024 : 512)) >"tree/devices/system/cpu/cpu$cpu/cpu_capacity"
done
cat >types.c <<'END'
#include <omp_amp.h>
#include <sys/auxv.h>
int
main (void)
{
  return 100 * (getauxval (AT_SECURE) != 0) + gomp_amp_get_num_core_types ();
}
END
"$stage/bin/amp-gcc" -fopenmp types.c -o types
plain=0
./types || plain=$?
exits 2 env GOMP_AMP_DEBUG=sysfs="$tmp/tree" ./types
chmod 755 "$tmp"
cp begins begins-su
cp types types-su
if ! chown 65534 begins-su types-su 2>/dev/null || ! chmod 4755 begins-su types-su \
    || { secure=0; ./types-su || secure=$?; [ "$secure" -lt 100 ]; }; then
  [ "$rc" != 0 ] || { echo "set-user-ID programs cannot be made, or do not run here"; exit 77; }
  exit "$rc"
fi
exits $((100 + plain)) ./types-su
exits $((100 + plain)) env GOMP_AMP_DEBUG=sysfs="$tmp/tree" ./types-su
begins never '@ 3,1\n' '' ./begins-su
rm -f record
OMP_NUM_THREADS=1 OMP_SCHEDULE=aid_static GOMP_AMP_TRACE=sf:record ./begins-su 1 >said 2>&1
[ ! -s said ] || bad "a set-user-ID program says $(cat said)"
[ ! -e record ] || bad "a set-user-ID program writes"
exit "$rc"
