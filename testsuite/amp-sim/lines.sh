#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of what amp-sim has beside schedules: threads that the kernel places,
# weighted teams, tasks, and power.  Every outcome is computed by hand.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
cd "$tmp"
# shellcheck source=testsuite/amp-sim/lib
. "$here/lib"

# Placement.  Blocks of 120 and 120 on speeds 3 and 1: the fast core is idle at
# 40, looks are each 15: at 45 the other thread has done 45 of its 120, and what
# is left takes 25 on the fast core.
gts='-m 1x3+1x1 -n 2 -u 120 -S static'
# shellcheck disable=SC2086
{
  equal 'a thread goes to a faster core that is idle' \
    "$(value last_ns $gts --placement-ns 15)" 70
  equal 'and loses something by that' \
    "$(value last_ns $gts --placement-ns 15 --migration-ns 5)" 75
  equal 'a look that comes late' "$(value last_ns $gts --placement-ns 60)" 80
  equal 'no look before the end' "$(value last_ns $gts --placement-ns 121)" 120
  equal 'a core whose thread spins is not idle' \
    "$(value last_ns $gts --placement-ns 15 --spin-ns 20)" 80
  # The threads' cores are then exchanged; the second execution begins at 70, with
  # a look at 120 where the fast core has been idle since 110: thread 0 has done 50.
  equal 'looks go on' "$(value last_ns $gts --placement-ns 15 -k 2 | cut -c -6)" 73.333
}
# Blocks of 80 on 4, 2, 1, 1.  At 20 the third thread goes to the first core, having
# done 20, and is done at 35.  At 40 two cores are idle: the fourth thread, with 40
# left, goes to the faster one.
equal 'the fastest core first' \
  "$(value last_ns -m 1x4+1x2+2x1 -n 4 -u 80 -S static --placement-ns 20)" 50
# Before the loop thread 0 is on the fast core, 10; that is idle at 50, the look is
# at 60, and the loop ends at 83.3.  Thread 0 is on the slow core then, does 6.7 of its
# 30 there, and the rest from a look at 90 on.
printf '# serial 30\n# loop 0: 2 iterations at a\n120 x2\n# serial 30\n' >serial
equal 'thread 0 also moves outside of loops' \
  "$(value last_ns -m 1x3+1x1 -c serial -S static --placement-ns 15 | cut -c -6)" 97.777

# Weighted teams: 3 to 1 takes four threads, blocks of 25.
equal 'a weighted team' "$(value last_ns -m 1x3+1x1 -n 100 -u 1 -S weighted)" 25
equal 'its threads' "$(value grants -m 1x3+1x1 -n 100 -u 1 -S weighted)" 4
equal 'a thread a core where they are equal' \
  "$(value grants -m 3x2 -n 99 -S weighted)" 3

# Tasks.  As many as threads: as static.  Four tasks on 3 to 1: the fast core runs
# three at 33.3 each, the slow one one.
equal 'taskloop without a grain' \
  "$(value last_ns -m 1x3+1x1 -n 100 -u 1 -S tasks)" 50
equal 'twice as many' "$(value last_ns -m 1x3+1x1 -n 100 -u 1 -S tasks,2)" 25
equal 'no more than iterations' \
  "$(value grants -m 2x1 -n 5 -u 1 -S tasks,4)" 5
# Thread 0 makes tasks at 2, 4, 6, 8, with the queue to itself.  Thread 1 would
# take the first at 2, but the queue is in use till 4.  It takes it from 4 to 6, and
# thread 0 makes the third from 6 to 8 and the last from 8 to 10: ...
equal 'making and taking wait for each other' \
  "$(value last_ns -m 2x1 -n 2 -u 10 -S tasks,1 --task-ns 2)" 18
# One thread makes 3 and takes 3, 2 each, and runs 3 of 10.
equal 'what tasks cost' "$(value last_ns -m 1x1 -n 3 -u 10 -S tasks,3 --task-ns 2)" 42

# Two loops of 2 tasks: 10 and 30, then 30 and 10.  With a wait between them 60;
# where a task waits for its own number only, 40.
printf '# loop 0: 2 iterations at a\n10\n30\n# loop 1: 2 iterations at b\n30\n10\n' >chain
equal 'tasks wait for the loop before' "$(value last_ns -m 2x1 -c chain -S tasks)" 60
equal 'or for one of its tasks' \
  "$(value last_ns -m 2x1 -c chain -S tasks --depend same)" 40
equal 'or for those beside it as well' \
  "$(value last_ns -m 2x1 -c chain -S tasks --depend near)" 60
# Four tasks of 10, 10, 10, 40 and four of 10: on two threads the first loop is
# done at 50 (10 10, 10, 40 from 10).  The next loop's first needs tasks 1 and 2,
# its second 1 to 3, the others the fourth: thread 0 runs 10 to 20, then two from
# 20 to 40; the other two begin at 50.
printf '# loop 0: 4 iterations at a\n10 x3\n40\n# loop 1: 4 iterations at b\n10 x4\n' >near
equal 'neighbours' "$(value last_ns -m 2x1 -c near -S tasks,2 --depend near)" 60
equal 'no neighbours, no chain' \
  "$(value last_ns -m 2x1 -c near -S tasks,2 --depend all)" 70
equal 'work outside of loops is done by thread 0' \
  "$(value last_ns -m 2x1 -c serial -S tasks,1)" 180

# Power.  static on 3:1, 120 each: the fast core is busy for 40 ns at 3 W, and
# idle for 80 at 1 W; the slow one busy for 120 at 0.5 W: 260 nJ.
joules () { value joules "$@" | awk '{ printf "%.6g\n", $1 * 1e9 }'; }
# shellcheck disable=SC2086
{
  equal 'joules' "$(joules $gts --watts 3/3/1,0.5)" 260
  # The fast core spins for 20, is idle for 30, sleeps for 30.
  equal 'spinning, idle, asleep' \
    "$(joules $gts --watts 3/2/1/0.1,0.5 --spin-ns 20 --sleep-ns 30)" 253
  # 40 at 3 W, 5 idle, 25 at 3 W; the other 45 at 0.5 W and 25 at 0.1 W.
  equal 'joules of cores, not of threads' \
    "$(joules $gts --placement-ns 15 --watts 3/3/1,0.5/0.5/0.1)" 225
  equal 'watts' "$(value watts $gts --watts 3/3/1,0.5 | cut -c -6)" 2.1666
  equal 'energy times time' \
    "$(value edp $gts --watts 3/3/1,0.5 | awk '{ printf "%.6g\n", $1 * 1e15 }')" 31.2
  equal 'of all executions' "$(joules $gts --watts 3/3/1,0.5 -k 3)" 780
}
# 20 of thread 0 alone at 3 W, the other idle at 0.1 W; the loop as above.
equal 'outside of loops the others are idle' \
  "$(joules -m 1x3+1x1 -c serial -S static --watts 3/3/1,0.5/0.5/0.1)" 322
equal 'tasks draw power as well' \
  "$(joules -m 1x3+1x1 -n 100 -u 1 -S tasks,2 --watts 3/3/1,0.5/0.5/0.1)" 87.5

for list in '' 1 1,2,3 1/2/3/4/5,1 x,1 1,-1 '1, 2' 1e7,1; do
  wrong 2 '--watts ' -m 1x2+1x1 --watts "$list"
done
wrong 2 "depend 'none'" -m 1x1 --depend none
wrong 2 'not with --sb' -m 1x1 --sb --placement-ns 5
wrong 2 'not with --placement-ns' -m 1x1 --placement-ns 5 -S tasks
wrong 2 'not with --placement-ns' -m 1x1 --placement-ns 5 -S weighted
wrong 2 'tasks .0' -m 1x1 -S tasks,0
wrong 2 'no picture' -m 1x1 -S tasks --gantt a.svg

finish
