#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# GOMP_AMP_TRACE, GOMP_AMP_RECORD, and what amp-run --report makes of
# GOMP_AMP_REPORT.
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
  OMP_SCHEDULE=$schedule GOMP_AMP_TRACE=t.json ./loops >out 2>&1 || fail "$schedule ran" "$(cat out)"
  judged "chunks of $schedule" json t.json 2 loops=15 "$@"
  OMP_SCHEDULE=$schedule GOMP_AMP_TRACE=t.prv ./loops >out 2>&1 || fail "$schedule ran" "$(cat out)"
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
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=many.json ./loops many
judged 'more chunks than buffers hold' json many.json 2 loops=1
OMP_SCHEDULE=dynamic,1 GOMP_AMP_TRACE=nested.json ./loops nested
judged 'nested teams' json nested.json 64 loops=9
OMP_SCHEDULE=dynamic,1 OMP_CANCELLATION=true GOMP_AMP_TRACE=cancel.json ./loops cancel
judged 'cancelled loops' json cancel.json 2 cancelled loops=2

# A child that is forked has no part in it.
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=fork.json GOMP_AMP_RECORD=fork.costs ./loops fork
judged 'a forked child' json fork.json 2 loops=10
# A process that runs no loop leaves the file alone; %p is its number.
echo old >none.json
GOMP_AMP_TRACE=none.json ./loops none
if [ "$(cat none.json)" = old ]; then pass 'no loop, no file'; else fail 'no loop, no file'; fi
# Bash or dash, $$ is the process that exec turns into the program.
OMP_SCHEDULE=dynamic sh -c 'echo $$ >pid; GOMP_AMP_TRACE=p%p.json exec ./loops'
judged 'the number of the process' json "p$(cat pid).json" 2
if ls ./*.json.* >/dev/null 2>&1; then fail 'nothing else is left' "$(ls)"; else pass 'nothing else is left'; fi

# says NAME PATTERN: what the run before said.
says ()
{
  if grep -Eq "$2" err; then pass "$1"; else fail "$1" "$(cat err)"; fi
}
OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=absent/t.json ./loops 2>err
says 'a file that cannot be written' '^libgomp: GOMP_AMP_TRACE: cannot write absent/t.json: '
if [ -w /dev/full ]; then
  ln -s /dev/full full.prv
  OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=full.prv ./loops 2>err
  says 'a full disk' '^libgomp: GOMP_AMP_TRACE: cannot write all of full.prv: '
fi

"$prefix/bin/amp-run" -q -s dynamic --trace=run.json ./loops
judged 'amp-run --trace' json run.json 2 loops=15

# Recordings: one thread.
OMP_NUM_THREADS=1 OMP_SCHEDULE=aid_static GOMP_AMP_RECORD=r.costs ./loops
judged 'a recording' costs r.costs
if [ -x "$prefix/bin/amp-sim" ]; then
  "$prefix/bin/amp-sim" -m 2x2+2x1 -c r.costs -g 10 -S static,aid_dynamic --json >sim 2>err || :
  if grep -q '"loops":15,"iterations":20004,' sim; then
    pass 'amp-sim replays it'
  else
    fail 'amp-sim replays it' "$(cat sim err)"
  fi
fi
OMP_SCHEDULE=aid_static GOMP_AMP_RECORD=two.costs ./loops
if [ ! -e two.costs ]; then pass 'teams are not recorded'; else fail 'teams are not recorded'; fi

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
  OMP_SCHEDULE=dynamic GOMP_AMP_TRACE=s.json GOMP_AMP_RECORD=s.costs \
    GOMP_AMP_REPORT=./s.report ./secure 2>err || :
  if ls s.json s.costs s.report >/dev/null 2>&1; then
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
