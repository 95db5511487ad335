#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# GOMP_AMP_TRACE, GOMP_AMP_RECORD, what amp-trace makes of their spools, and
# what amp-run --report makes of GOMP_AMP_REPORT.
set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
prefix=${PREFIX_UNDER_TEST:-$here/../../build/stage}
prefix=$(cd "$prefix" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
passed=0 failed=0 skipped=0
pass () { passed=$((passed + 1)); echo "PASS: $1"; }
fail () { failed=$((failed + 1)); echo "FAIL: $1"; [ $# -lt 2 ] || echo "  $2"; }
skip () { skipped=$((skipped + 1)); echo "SKIP: $1: $2"; }
end () { echo "$passed passed, $failed failed, $skipped skipped"; [ "$failed" = 0 ]; }
command -v python3 >/dev/null || { skip traces 'no python3'; end; exit; }
cpus=$(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2])')
types=${cpus% *}:${cpus#* }

"$prefix/bin/amp-gcc" -O1 -g -fopenmp "$here/loops.c" -o loops
unset GOMP_AMP_AFFINITY GOMP_AMP_REPLACE OMP_SCHEDULE OMP_PLACES OMP_PROC_BIND
export OMP_WAIT_POLICY=passive OMP_DYNAMIC=false OMP_NUM_THREADS=2

# convert SPOOL OUT: amp-trace makes OUT of it.
convert ()
{
  "$prefix/bin/amp-trace" "$@" >said 2>&1 || fail "amp-trace $*" "status $?: $(cat said)"
}

# judged NAME FORM FILE ARGUMENT...: FILE is in order.
judged ()
{
  name=$1
  shift
  if said=$(python3 "$here/judge.py" "$@" 2>&1); then
    pass "$name"
  else
    fail "$name" "$said"
  fi
}

# trace SCHEDULE FLAG...: all loops of one run, in both forms.
trace ()
{
  schedule=$1
  shift
  rm -f t.*
  OMP_SCHEDULE=$schedule GOMP_AMP_TRACE=t.spool ./loops >out 2>&1 || fail "$schedule ran" "$(cat out)"
  [ ! -s out ] || fail "$schedule says nothing" "$(cat out)"
  convert t.spool t.json
  judged "chunks of $schedule" json t.json 2 loops=15 "$@"
  convert t.spool t.prv
  judged "Paraver's of $schedule" prv t.prv 2
}
for s in static static,5 dynamic guided,3 steal ich binlpt auto; do
  trace "$s" chunk schedule=dynamic schedule=guided
done
if [ "${types#*:}" != "${types%:*}" ]; then
  export GOMP_AMP_TYPES="$types" GOMP_AMP_AFFINITY=1
  trace aid_static,1 aid sampling schedule=aid_static
  trace aid_hybrid,50,1 aid tail schedule=aid_hybrid
  trace aid_dynamic,1,5 sampling schedule=aid_dynamic
  trace auto
  GOMP_AMP_SF=2,1 trace aid_static aid block
  unset GOMP_AMP_TYPES GOMP_AMP_AFFINITY
else
  skip 'phases of AID' 'one usable CPU'
fi

# More events than a buffer holds, nested teams, cancelled loops.
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=many.spool ./loops many
convert many.spool many.json
judged 'more chunks than buffers hold' json many.json 2 loops=1
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=nested.spool ./loops nested
convert nested.spool nested.json
judged 'nested teams' json nested.json 64 loops=9
OMP_SCHEDULE=dynamic,1 OMP_CANCELLATION=true GOMP_AMP_TRACE=cancel.spool ./loops cancel
convert cancel.spool cancel.json
judged 'cancelled loops' json cancel.json 2 cancelled loops=2

# A child that is forked has no part in it.
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=fork.spool GOMP_AMP_RECORD=fork-record.spool ./loops fork
convert fork.spool fork.json
judged 'a forked child' json fork.json 2 loops=10
if [ ! -e fork-record.spool ]; then pass "a child's loops"; else fail "a child's loops"; fi
# A process that runs no loop leaves the file alone; %p is its number.
echo old >none.spool
GOMP_AMP_TRACE=none.spool ./loops none
if [ "$(cat none.spool)" = old ]; then pass 'no loop, no file'; else fail 'no loop, no file'; fi
# Bash or dash, $$ is the process that exec turns into the program.
OMP_SCHEDULE=dynamic sh -c 'echo $$ >pid; GOMP_AMP_TRACE=p%p.spool exec ./loops'
convert "p$(cat pid).spool" p.json
judged 'the number of the process' json p.json 2
if ls ./*.new >/dev/null 2>&1; then fail 'nothing else is left' "$(ls)"; else pass 'nothing else is left'; fi

# says NAME PATTERN: what the run before said.
says ()
{
  if grep -Eq "$2" err; then pass "$1"; else fail "$1" "$(cat err)"; fi
}
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=absent/t.spool ./loops 2>err
says 'a file that cannot be written' '^libgomp: GOMP_AMP_TRACE: cannot write absent/t.spool: '
if [ -w /dev/full ]; then
  ln -s /dev/full full.spool
  OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=full.spool ./loops 2>err
  says 'a full disk' '^libgomp: GOMP_AMP_TRACE: cannot write all of full.spool: '
fi

# Who names the file otherwise is told what it is; it may be converted in place.
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=bare.json ./loops 2>err
says 'what a file of another name is' \
  '^libgomp: GOMP_AMP_TRACE: bare.json is a raw spool; amp-trace bare.json shows and converts it$'
convert bare.json bare.json
judged 'in place' json bare.json 2 loops=15

# What was written before a process is killed is there, whole buffers of 8192.
status=0
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=killed.spool ./loops killed 2>err || status=$?
if [ "$status" = 137 ]; then pass 'a process is killed'; else fail 'a process is killed' "$status"; fi
status=0
"$prefix/bin/amp-trace" killed.spool killed.json 2>err || status=$?
chunks=$(grep -c '"ph":"[Xi]"' killed.json) || :
if [ "$status" = 3 ] && [ "$chunks" -gt 0 ] && [ $((chunks % 8192)) = 0 ]; then
  pass 'its chunks'
else
  fail 'its chunks' "status $status, $chunks chunks"
fi
says 'and what is said of it' '^amp-trace: killed.spool: its process was killed or left it incomplete'

# Two processes do not write one file.
mkfifo hold
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=held.spool ./loops waits <hold &
exec 3>hold
for _ in 1 2 3 4 5 6 7 8 9 10; do
  [ ! -s held.spool ] || break
  sleep 0.5
done
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=held.spool ./loops 2>err
exec 3>&-
wait
says 'two processes with one file' \
  '^libgomp: GOMP_AMP_TRACE: another process, which %p in the name would tell apart, is writing held.spool'
convert held.spool held.json
judged 'the file of the first' json held.json 2 loops=1

# refused NAME STATUS PATTERN: what amp-trace says of refused.spool.
refused ()
{
  status=0
  "$prefix/bin/amp-trace" refused.spool refused.json >out 2>err || status=$?
  if [ "$status" = "$2" ] && grep -Eq "^amp-trace: refused.spool: $3" err; then
    pass "$1"
  else
    fail "$1" "status $status: $(cat out err)"
  fi
}
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=t.spool ./loops
: >refused.spool
refused 'an empty file' 1 'empty'
cp t.json refused.spool
refused 'a file of something else' 1 'no spool of GOMP_AMP_TRACE'
head -c 20 t.spool >refused.spool
refused 'a part of its head' 1 'a spool that ends in its head'
head -c 48 t.spool >refused.spool
refused 'its head alone' 1 'holds no chunk'
head -c -100 t.spool >refused.spool
refused 'its end is gone' 3 'its process was killed or left it incomplete'
{ head -c 12 t.spool; printf '\377\0\0\0'; tail -c +17 t.spool; } >refused.spool
refused 'another version' 1 'a spool of version 255; this amp-trace reads version 1'
{ head -c 48 t.spool; printf '\0\0\0\0'; tail -c +53 t.spool; } >refused.spool
refused 'a damaged record' 1 'damaged at byte 48'
cp t.spool refused.spool
status=0
"$prefix/bin/amp-trace" refused.spool refused.txt 2>err || status=$?
if [ "$status" = 2 ]; then pass 'an ending that tells no form'; else fail 'an ending that tells no form' "$status"; fi
status=0
"$prefix/bin/amp-trace" t.spool t.costs 2>err || status=$?
if [ "$status" = 1 ] && [ ! -e t.costs ]; then pass 'a trace is no recording'; else fail 'a trace is no recording' "$status"; fi
"$prefix/bin/amp-trace" t.spool >out
if grep -Eq '^loop program\+0x[0-9a-f]+: 2 threads, dynamic, executed 3 times, 9000 iterations, 9000 chunks, imbalance ' out \
    && [ "$(awk '/^loop/ { n = $9 } /^ +[01]/ && n == 9000 { sum += $4 } END { print sum }' out)" = 9000 ]; then
  pass 'a table'
else
  fail 'a table' "$(cat out)"
fi

# amp-run converts when the program ends.
"$prefix/bin/amp-run" -q -s dynamic --trace=run.json ./loops 2>err
judged 'amp-run --trace' json run.json 2 loops=15
if [ ! -s err ]; then pass 'and says nothing'; else fail 'and says nothing' "$(cat err)"; fi
"$prefix/bin/amp-run" -q -s dynamic --report --trace run.prv ./loops 2>err
judged 'Paraver, with a report' prv run.prv 2
says 'and the report' '^libgomp: loop program'
"$prefix/bin/amp-run" -q -s dynamic --trace run-%p.trace sh -c './loops; ./loops; exit 3' && status=0 || status=$?
set -- run-*.trace
if [ $# = 2 ] && [ "$status" = 3 ]; then pass 'two processes'; else fail 'two processes' "$status: $*"; fi
judged 'each has its trace' json "$1" 2 loops=15
"$prefix/bin/amp-run" -q -s dynamic --trace run.spool ./loops
convert run.spool run.json
judged 'amp-run --trace with a spool' json run.json 2 loops=15
status=0
"$prefix/bin/amp-run" -q -s dynamic --trace absent/run.json ./loops 2>err || status=$?
if [ "$status" = 2 ]; then pass 'a folder that is not there'; else fail 'a folder that is not there' "$status"; fi
set -- .amp-run.*
if [ ! -e "$1" ]; then pass 'its folders are gone'; else fail 'its folders are gone' "$*"; fi

# Recordings: one thread.
OMP_NUM_THREADS=1 OMP_SCHEDULE=aid_static GOMP_AMP_RECORD=r.spool ./loops
convert r.spool r.costs
judged 'a recording' costs r.costs
if [ -x "$prefix/bin/amp-sim" ]; then
  "$prefix/bin/amp-sim" -m 2x2+2x1 -c r.costs -g 10 -S static,aid_dynamic --json >sim 2>err || :
  if grep -q '"loops":15,"iterations":20004,' sim; then
    pass 'amp-sim replays it'
  else
    fail 'amp-sim replays it' "$(cat sim err)"
  fi
fi
OMP_SCHEDULE=aid_static GOMP_AMP_RECORD=two.spool ./loops
if [ ! -e two.spool ]; then pass 'teams are not recorded'; else fail 'teams are not recorded'; fi

# The report, with lines of the source.
line=$(grep -n 'for (int i = 0; i < 3000; i++)' "$here/loops.c" | cut -d : -f 1)
"$prefix/bin/amp-run" -q -s static --report ./loops 2>err
says 'a report' '^libgomp: loop program\+0x[0-9a-f]+.*: 2 threads, 3000 iterations, executed 3 times, observed 3 times, [0-9.]+ ms, imbalance [0-9.]+, static, SF '
if command -v addr2line >/dev/null; then
  says 'and its line of the source' "^libgomp: loop program\\+0x[0-9a-f]+ \\([^ ]*loops.c:($line|$((line - 1)))\\): 2 threads, 3000 "
else
  skip 'and its line of the source' 'no addr2line'
fi
status=0
"$prefix/bin/amp-run" -q -s static --report sh -c 'exit 7' 2>err || status=$?
if [ "$status" = 7 ]; then pass 'the status of the program'; else fail 'the status of the program' "$status"; fi

# Set-user-ID programs name no files.
if [ "$(id -u)" = 0 ] && cp loops secure && chown 65534 secure && chmod 4755 secure \
    && chmod 711 . && chown 65534 . ; then
  if ! OMP_DISPLAY_ENV=verbose ./secure none 2>&1 | grep -q GOMP_AMP; then
    skip 'set-user-ID programs' 'they do not find our library here'
    end
    exit
  fi
  OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=s.trace GOMP_AMP_RECORD=s.record \
    GOMP_AMP_REPORT=./s.report ./secure 2>err || :
  if ls s.trace s.record s.report >/dev/null 2>&1; then
    if [ "$(stat -f -c %T . 2>/dev/null)" = nosuid ]; then
      skip 'set-user-ID programs' 'nosuid'
    else
      fail 'set-user-ID programs name no files' "$(ls)"
    fi
  else
    pass 'set-user-ID programs name no files'
  fi
else
  skip 'set-user-ID programs' 'needs root'
fi
end
