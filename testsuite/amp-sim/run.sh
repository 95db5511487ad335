#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of tools/amp-sim: outcomes that can be computed by hand, what a picture
# covers, wrong input.  AMP_SIM names the program under test; without it
# tools/amp-sim/amp-sim.c is compiled with ${CC:-gcc}, under AddressSanitizer and
# UndefinedBehaviorSanitizer if they are there.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
cd "$tmp"

# shellcheck source=testsuite/amp-sim/lib
. "$here/lib"

# By hand.  Two lanes, the first 3 times faster; an iteration takes 400 ns on it
# and 1200 ns on the other.  static gives 2 to each: 2400 ns.  dynamic: the fast
# one has done 3 when the slow one has done 1.
amp='-m 1x3+1x1 --unit 1200'
# shellcheck disable=SC2086
{
  equal 'static on 3:1' "$(value last_ns $amp -n 4 -S static)" 2400
  equal 'the ideal' "$(value ideal_ns $amp -n 4 -S static)" 1200
  equal 'efficiency' "$(value efficiency $amp -n 4 -S static)" 0.5
  # Ends at 800 and 2400, 1600 on average.
  equal 'imbalance' "$(value imbalance $amp -n 4 -S static)" 1.5
  equal 'dynamic on 3:1' \
    "$(value last_ns $amp -n 4 -S dynamic,1)" 1200
  equal 'grants of dynamic' "$(value grants $amp -n 7 -S dynamic,dynamic,3)" '7 3'
  # Lane 0 has the chunks 0-2 and 6-7, lane 1 has 3-5.
  equal 'static with a chunk' "$(value last_ns $amp -n 8 -S static,3)" 3600
  equal 'its grants' "$(value grants $amp -n 8 -S static,3)" 3
  # 8 left: 4 to lane 0 (until 1600); 4 left: 2 to lane 1 (until 2400); then 1
  # and 1 to lane 0 (until 2400).
  equal 'guided on 3:1' "$(value last_ns $amp -n 8 -S guided)" 2400
  equal 'its grants' "$(value grants $amp -n 8 -S guided)" 4
  # 7 left: 4; 3 left: 2; then 1.  Halves are rounded up.
  equal 'guided rounds up' "$(value grants $amp -n 7 -S guided)" 3
  # 4 to lane 0, 3 to lane 1 (until 3600), 1 to lane 0.
  equal 'guided with a least chunk' "$(value last_ns $amp -n 8 -S guided,3)" 3600
  equal 'its grants' "$(value grants $amp -n 8 -S guided,3)" 3
  equal 'aid_static that knows SF' \
    "$(value last_ns $amp -n 4000 --known-sf 3 -S aid_static)" 1200000
  equal 'and hands out one block a lane' \
    "$(value grants $amp -n 4000 --known-sf 3 -S aid_static)" 2
  equal 'told a wrong SF it halves the loop' \
    "$(value last_ns $amp -n 4000 --known-sf 1 -S aid_static)" 2400000
  equal 'a loop with an SF of its own' \
    "$(value last_ns $amp -n 4 --sf 1,1 -S static)" 2400
  equal 'on which the fast type is no faster' \
    "$(value efficiency $amp -n 4 --sf 1,1 -S static)" 1
}

# Two equal lanes, 4 iterations of 100 ns, 10 ns a grant, which wait for one
# another: lane 0 is granted at 10, 120 and (nothing) 230; lane 1 at 20, 130
# and 240.
equal 'grants cost and queue up' \
  "$(value last_ns -m 2x1 -n 4 --unit 100 --grant-ns 10 -S dynamic)" 240
equal 'static has no such costs' \
  "$(value last_ns -m 2x1 -n 4 --unit 100 --grant-ns 10 -S static)" 200
# One thread: 4 * (100 + 10) and a last grant that finds nothing; ours is
# served by static then.
equal 'a team of one' "$(value last_ns -m 1x1 -n 4 --unit 100 --grant-ns 10 \
  -S dynamic,aid_dynamic)" '450 400'

# Loads: with one lane the makespan is the work.
equal 'work: constant' "$(value last_ns -m 1x1 -n 64 -u 10 -S static)" 640
equal 'work: linear' "$(value last_ns -m 1x1 -n 64 -u 10 -l linear -S static)" 640
equal 'work: last-heavy' \
  "$(value last_ns -m 1x1 -n 64 -u 10 -l last-heavy -S static)" 1840
equal 'speed 0.5 takes twice as long' \
  "$(value last_ns -m 1x0.5 -n 64 -u 10 -S static)" 1280
# Linear, two equal lanes: the second half of the iterations costs 3/4.
equal 'linear is heavier at its end' \
  "$(value last_ns -m 2x1 -n 64 -u 10 -l linear -S static)" 480
equal 'increasing and decreasing mirror each other' \
  "$(value last_ns -m 1x1+1x1 -n 1000 -l increasing -S static)" \
  "$(value last_ns -m 1x1+1x1 -n 1000 -l decreasing -S static)"
about () {
  if awk -v x="$2" -v y="$3" -v p="$4" \
    'BEGIN { exit !(x > y * (1 - p) && x < y * (1 + p)) }'; then
    pass "$1"
  else
    fail "$1" "got '$2', wanted about $3"
  fi
}
about 'work: increasing' \
  "$(value last_ns -m 1x1 -n 10000 -u 10 -l increasing -S static)" 100000 0.001
about 'work: random' \
  "$(value last_ns -m 1x1 -n 10000 -u 10 -l random -S static)" 100000 0.03
about 'work: spikes' \
  "$(value last_ns -m 1x1 -n 100000 -u 10 -l spikes -S static)" 4109375 0.1
one=$(value last_ns -m 1x1 -n 100 -l random --seed 1 -S static)
two=$(value last_ns -m 1x1 -n 100 -l random --seed 2 -S static)
if [ "$one" != "$two" ]; then pass 'the seed'; else fail 'the seed' "$one twice"; fi

# Files of costs.
printf '# loop 0: 3 iterations\n1\n2.5\n3\n# loop 1: 0 iterations\n# loop 2: 2 iterations\n5\n\n5\n' >costs
equal 'several loops, one after the other' \
  "$(value last_ns -m 2x1 --costs costs -S static)" 8.5
equal 'how many' "$(value loops -m 2x1 --costs costs -S static)" 2
equal 'how many iterations' "$(value iterations -m 2x1 --costs costs -S static)" 5
equal 'the unit of the costs' \
  "$(value last_ns -m 2x1 --costs costs --unit 4 -S static)" 34
equal 'costs from the standard input' \
  "$(printf '7\n5\n' | value last_ns -m 1x1 --costs - -S static)" 12
equal 'costs of 0' "$(printf '0\n0\n' | value last_ns -m 2x1 -c - -S ich)" 0
equal 'and their efficiency' \
  "$(printf '0\n0\n' | value efficiency -m 2x1 -c - -S ich)" 1

equal 'iterations that ascend' \
  "$(value last_ns -m 2x2+2x1 -n 1000 -l random -S monotonic:ich -g 40)" \
  "$(value last_ns -m 2x2+2x1 -n 1000 -l random -S aid_dynamic -g 40)"

# Recordings: costs of several iterations, places with memories and speeds of
# their own, work between loops.
printf '# serial 100\n# loop 0: 6 iterations at a+0x1\n10 x4\n1\n2\n# serial 50\n# loop 1: 2 iterations at b+0x2\n7\n9\n' >record
equal 'a recording' "$(value last_ns -m 1x1 -c record -S static)" 209
equal 'its work on thread 0' "$(value serial_ns -m 2x1 -c record -S static)" 150
equal 'divided' "$(value last_ns -m 2x1 -c record -S static)" 189
equal 'thread 0 on the slowest core' \
  "$(value last_ns -m 1x2+1x1 --sb -c record -S static)" 187
equal 'its ideal' "$(value ideal_ns -m 2x1 -c record -S static)" 179.5
printf 'a+0x1 2,1 # fast\n' >speeds
equal 'speeds of a place' \
  "$(value last_ns -m 2x1+1x1 --sf ./speeds -c record -S static,1)" 183
equal 'costs of calls and of loops' \
  "$(value last_ns -m 2x1 -c record -S static --call-ns 5 --fork-ns 3)" 215
equal 'no atomic update without grants' \
  "$(value last_ns -m 2x1 -c record -S static --grant-ns 9)" 189
# A grant of dynamic,1 is one update, and one more finds that nothing is left.
# The first lane to ask has the line.
equal 'updates of a line that a core has' \
  "$(value last_ns -m 1x1 -n 9 -u 100 -S dynamic,1 -g 8 --own-ns 3)" 930
equal 'updates of a line that goes around, 11 ns each, 3 for the first' \
  "$(value last_ns -m 2x1 -n 8 -u 0 -S dynamic,1 -g 8 --own-ns 3)" 102
equal 'two updates before the line leaves, two in 11 ns' \
  "$(value last_ns -m 2x1 -n 8 -u 0 -S dynamic,1 -g 8 --own-ns 3 --hold-ns 4)" 50
equal 'the same with three lanes' \
  "$(value last_ns -m 3x1 -n 9 -u 0 -S dynamic,1 -g 8 --own-ns 3 --hold-ns 4)" 61
equal 'a line that another core has, and does not use' \
  "$(value last_ns -m 2x1 -n 9 -u 100 -S dynamic,1 -g 8 --own-ns 3 --hold-ns 4)" 558
equal 'updates do not overlap, though a fetch takes no time' \
  "$(value last_ns -m 2x1 -n 8 -u 0 -S dynamic,1 -g 0 --own-ns 3)" 30
# Both are at the end of their queues at 15 ns, and say so in one word.
equal 'updates of queues, each of which is its own line' \
  "$(value last_ns -m 2x1 -n 8 -u 0 -S steal -g 8 --own-ns 3)" 29
equal 'stopped cores' "$(value last_ns -m 1x2+1x1 -n 2 -u 1000 -S static --stopped 400)" 900
phases=$(for seed in 1 2 3 4 5 6 7 8 9; do
  value last_ns -m 1x2+1x1 -n 2 -u 1000 -S static --stopped 400 --arrival-ns 1 -s "$seed"
  echo
done | awk '$1 < 900 || $1 > 1101 { bad = 1 }
	    $1 > 920 { late = 1 }
	    $1 < 1080 { soon = 1 }
	    END { print NR, bad + 0, late + 0, soon + 0 }')
equal 'periods begin at random where threads come at random' "$phases" '9 0 1 1'
equal 'a stopped thread asks for nothing' \
  "$(value last_ns -m 1x2+1x1 --sb -n 1 -u 400 -k 2 -S dynamic,1 --stopped 400)" 200
equal 'threads in their order' "$(value last_ns -m 1x2+1x1 -n 1 -k 99 -S dynamic,1)" 500
late=$(value mean_ns -m 1x2+1x1 -n 1 -k 99 -S dynamic,1 --arrival-ns 8)
equal 'either may come first' \
  "$(awk -v x="$late" 'BEGIN { print (x > 650 && x < 850) }')" 1
# Of two places, one is known when it comes again, the other is not.
{
  printf '# loop 0: 10000 iterations at a+0x1\n100 x10000\n'
  printf '# loop 1: 10000 iterations at b+0x1\n100 x10000\n'
  printf '# loop 2: 10000 iterations at a+0x1\n100 x10000\n'
} >places
one=$(value grants -m 1x2+1x1 -c places -S aid_static)
two=$(sed 's/b+0x1/a+0x1/' places | value grants -m 1x2+1x1 -c - -S aid_static)
if [ "$two" -lt "$one" ]; then
  pass 'places have memories of their own'
else
  fail 'places have memories of their own' "$one and $two grants"
fi
equal 'what is true needs no sample' \
  "$(value grants -m 1x2+1x1 -c places -S aid_static --known-sf true)" 6

# What is remembered: the first execution samples, the second has one block a
# lane.
equal 'a known site has one block a lane' \
  "$(value grants -m 2x2+2x1 -n 10000 -k 2 -S aid_static)" 4
first=$(value first_ns -m 2x2+2x1 -n 10000 -k 2 -S aid_static)
equal 'the first execution is that of a single one' \
  "$(value last_ns -m 2x2+2x1 -n 10000 -S aid_static)" "$first"
last=$(value last_ns -m 2x2+2x1 -n 10000 -k 2 -S aid_static)
mean=$(value mean_ns -m 2x2+2x1 -n 10000 -k 2 -S aid_static)
equal 'the mean' "$mean" \
  "$(awk -v a="$first" -v b="$last" 'BEGIN { printf "%.15g", (a + b) / 2 }')"
sim -m 2x2+2x1 -k 3 -S static >table
if grep -Eq '^schedule +first ms +last ms +mean ms +efficiency' table; then
  pass 'the table of several executions'
else
  fail 'the table of several executions' "$(cat table)"
fi
equal 'what BinLPT is told' \
  "$(value efficiency -m 2x1 -n 1000 -l increasing --workload -S binlpt \
    | cut -c -4)" 0.99

# The same command, the same numbers; all schedules; 1 to 1024 lanes, 64 types.
types=$(awk 'BEGIN { for (i = 64; i > 0; i--)
  printf "1x%d%s", i, (i > 1 ? "+" : "") }')
for m in 1x1 1024x1 512x2.5+512x1 2x3+1x2+5x0.75 "$types"; do
  for l in constant linear increasing decreasing last-heavy random spikes; do
    if ! sim -m "$m" -l "$l" -n 3000 -k 2 --grant-ns 20 >one 2>err \
      || [ "$(grep -c . one)" -lt 15 ]; then
      fail "$m, $l" "$(cat err one)"
      continue 2
    fi
    if [ "$l" = random ]; then
      sim -m "$m" -l "$l" -n 3000 -k 2 --grant-ns 20 >two
      if ! cmp -s one two; then
        fail "$m: not the same again" "$(diff one two)"
        continue 2
      fi
    fi
    # No schedule is faster than the ideal, but for the rounding of times.
    if ! awk '/^[a-z_]+ .*[0-9]$/ && NF == 7 && $5 > 1.0001 { exit 1 }' one; then
      fail "$m, $l: faster than the ideal" "$(cat one)"
      continue 2
    fi
  done
  pass "all schedules and loads on $(printf %.20s "$m")"
done

# The same question has the same answer, but where the cost of grants is measured,
# which is said.
"$limited" 60 "$AMP_SIM" -m 2x1 -n 100 -S dynamic,1 >out
"$limited" 60 "$AMP_SIM" -m 2x1 -n 100 -S dynamic,1 >again
if grep -qx 'atomic update: 60 ns' out && cmp -s out again; then
  pass 'the same numbers each time'
else
  fail 'the same numbers each time' "$(diff out again) $(cat out)"
fi
"$limited" 60 "$AMP_SIM" -m 2x1 -n 100 -S static -g measure >out
if grep -Eq '^atomic update: [0-9.]+ ns \(measured here, [12] threads? on one word\)$' out
then
  pass 'the cost of grants is measured'
else
  fail 'the cost of grants is measured' "$(cat out)"
fi

# Pictures.
cat >wanted <<'END'
# thread, speed, time from 0 to 2.400 us
# = and -: a thread's chunks in turn; #: several; .: none

static: 2.400 us
   0        3 |=====================...........................................|
   1        1 |================================================================|

dynamic,1: 1.200 us
   0        3 |===========----------===========................................|
   1        1 |================================................................|
END
sim -m 1x3+1x1 -n 4 --unit 1200 -S static,dynamic,1 --gantt picture.txt >out
if diff wanted picture.txt; then
  pass 'a picture as text'
else
  fail 'a picture as text'
fi

if command -v python3 >/dev/null; then
  sim -m 2x2+2x1 -n 5000 -l random -k 2 --grant-ns 30 --gantt picture.svg \
    --json --kernel 'a "name"' --class A --round 3 >records
  if python3 "$here/judge.py" picture.svg records; then
    pass 'a picture covers the loop, and the records are well-formed'
  else
    fail 'a picture covers the loop, and the records are well-formed'
  fi
else
  skip 'pictures and records' 'no python3'
fi

wrong 2 'machine is missing'
for m in '' x 4 4x 0x1 -1x1 1.5x1 1x0 1x-1 1xinf 1xnan 1x0x1 1x1+ +1x1 1x1,1x1 \
  1e9x1 1x1e9 1025x1 1000x2+25x1 1x1+1x2 "1x64+$types"; do
  wrong 2 '--machine ' -m "$m"
done
for s in '' nonsense static,x dynamic,-1 aid_hybrid,101 static,,dynamic \
  'static;' monotonic:nonsense; do
  wrong 2 '--schedule ' -m 1x1 -S "$s"
done
wrong 2 "--n '0'" -m 1x1 -n 0
wrong 2 "--n '1.5'" -m 1x1 -n 1.5
wrong 2 "--n '1e9'" -m 1x1 -n 1e9
wrong 2 "--unit '-1'" -m 1x1 -u -1
wrong 2 "--grant-ns '1 '" -m 1x1 -g '1 '
wrong 2 "--executions '0'" -m 1x1 -k 0
wrong 2 "--load 'heavy'" -m 1x1 -l heavy
wrong 2 '--unit has their NS' -m 1x1 -l constant,0
wrong 2 "--sf '3,2,1'" -m 1x2+1x1 --sf 3,2,1
wrong 2 "--known-sf '0'" -m 1x2+1x1 --known-sf 0
wrong 2 "known-sf" -m 1x2+1x1 --known-sf truth
wrong 2 "stopped '0'" -m 1x1 --stopped 0
wrong 2 '--clusters 3: ' -m 2x2+2x1 --clusters 3
wrong 2 '--own-ns is missing' -m 2x1 --far-ns 900
wrong 2 'hold-ns 9 is longer than --grant-ns 8' -m 2x1 -n 9 -S dynamic -g 8 --own-ns 1 --hold-ns 9
wrong 2 '--sb has no picture' -m 1x1 --sb --gantt a.svg
wrong 1 'No such file' -m 1x1 --sf ./absent
printf 'a+0x1 fast\n' >bad
wrong 1 './bad:1' -m 1x2+1x1 --sf ./bad
wrong 2 "gantt 'a.png'" -m 1x1 --gantt a.png
wrong 2 'takes the place' -m 1x1 -c costs -n 5
wrong 2 "'more'" -m 1x1 more
wrong 1 'No such file' -m 1x1 -c absent
wrong 1 'directory' -m 1x1 -c .
wrong 1 '/dev/zero: a device' -m 1x1 -c /dev/zero
wrong 1 'No such file' -m 1x1 -n 4 --gantt absent/a.svg
wrong 1 'standard input: no costs' -m 1x1 -c -
wrong 1 'longer|more than' -m 1x1 -n 1000000 -u 1e12
wrong 1 'longer than can be' -m 1x1 -n 2500000 -g 1e9 -S dynamic
for text in '1\n-2\n' '1\nnan\n' '1\n1e999\n' '1\n0x10\n' '1\n2 3\n' '1\n2,5\n' \
  '1\nabc\n' '1\n2\0003\n' '1\n2 x\n' '1\n2 x0\n' '1\n2 x1.5\n' '1\n2x3\n'; do
  # shellcheck disable=SC2059
  printf "$text" >bad
  wrong 1 'bad:2: ' -m 1x1 -c bad
done
printf '# loop 0: 3 iterations\n1\n2\n' >bad
wrong 1 'has 2 costs, but its head says 3' -m 1x1 -c bad
printf '# loop 0: 1 iterations\n1\n2\n# loop 1: 1 iterations\n1\n' >bad
wrong 1 'before line 4 has 2 costs, but its head says 1' -m 1x1 -c bad
if [ -w /dev/full ]; then
  status=0
  sim -m 1x1 -n 4 >/dev/full 2>err || status=$?
  equal 'a full disk' "$status" 1
  ln -s /dev/full full.svg
  wrong_out=0
  sim -m 1x1 -n 4 --gantt full.svg >out 2>err || wrong_out=$?
  equal 'a full disk under a picture' "$wrong_out" 1
else
  skip 'a full disk' 'no /dev/full'
fi

finish
