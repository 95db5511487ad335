#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of amp-emulate.  AMP_EMULATE names another one than is in build/stage.
# What is checked is behaviour and CPU-time accounting, never speed.
# Exit status: 0 passed, 1 failed.
# shellcheck disable=SC2317,SC2329  # functions are called through wait_for
set -eu

# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
pid=
trap 'test -z "$pid" || kill -KILL "$pid" 2>/dev/null || :; rm -rf "$tmp"' EXIT
chmod 755 "$tmp"

AMP_EMULATE=${AMP_EMULATE:-$stage/bin/amp-emulate}

status () {
  set +e
  "$limited" 60 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
  code=$?
  set -e
}

# said NAME STATUS PATTERN: with it the command ended, and it said what PATTERN matches.
said () {
  if [ "$code" -eq "$2" ] && grep -q -e "$3" "$tmp/err"; then
    pass "$1"
  else
    fail "$1" "status $code, $(cat "$tmp/err")"
  fi
}

# within NAME GOT LOW HIGH [DETAIL]
within () {
  if [ -n "$2" ] && [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
    pass "$1 ($2)"
  else
    fail "$1" "$2 is not within $3 to $4${5:+; $5}"
  fi
}

# wait_for COMMAND...: until it succeeds, a minute at most.
wait_for () {
  n=0
  while ! "$@" 2>/dev/null; do
    n=$((n + 1))
    test "$n" -lt 1200 || return 1
    sleep 0.05
  done
}

# State letter of process $1, nothing if it is gone.
state () { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 1; }
gone () { case $(state "$1") in ''|Z) return 0 ;; *) return 1 ;; esac; }

allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
cpus=$(echo "$allowed" | tr ',' '\n' | awk -F- '
  { for (c = $1; c <= (NF > 1 ? $2 : $1); c++) print c }')
first=$(echo "$cpus" | head -n 1)
last=$(echo "$cpus" | tail -n 1)

# record NAME: what is asserted on standard input of $tmp/record, as r, with the last CPU.
record () {
  if ! command -v python3 >/dev/null; then
    skip "$1" "no python3"
    return 0
  fi
  { echo 'import json, sys'
    echo 'r, last = json.load(open(sys.argv[1], encoding="ascii")), int(sys.argv[2])'
    cat; } >"$tmp/record.py"
  check "$1" python3 "$tmp/record.py" "$tmp/record" "$last"
}

# Arguments.  refused NAME PATTERN ARGS...: exit 2 and a message with PATTERN.
refused () {
  name=$1 pattern=$2
  shift 2
  status "$AMP_EMULATE" "$@"
  said "refused: $name" 2 "$pattern"
}
refused "nothing to slow" "give --slow CPUS=RATIO.*$allowed" -- true
refused "no command" "no command: give it after --" --slow "$last=2"
refused "unknown option" "unrecognized option .--bogus" --bogus -- true
refused "unknown letter" "invalid option -- .Z" -Z -- true
refused "missing argument" "requires an argument" --slow
refused "CPU list" "is not CPUS\[=RATIO\]" --slow x=2 -- true
refused "reversed range" "is not CPUS\[=RATIO\]" --slow 3-1=2 -- true
refused "empty list" "is not CPUS\[=RATIO\]" --slow "" -- true
refused "trailing comma" "is not CPUS\[=RATIO\]" --slow "$last,=2" -- true
refused "non-ASCII list" "is not CPUS\[=RATIO\]" --slow "¹=2" -- true
refused "huge CPU" "is not CPUS\[=RATIO\]" --slow 99999999999=2 -- true
refused "CPU out of the mask" "these may: $allowed" --slow 8191=2 -- true
refused "CPU twice" "given twice" --slow "$last=2" --slow "$last=3" -- true
for ratio in "" 0 0.5 -1 nan inf 1e2 101 2x 0x2; do
  refused "ratio '$ratio'" "number from 1 to 100" --slow "$last=$ratio" -- true
done
for period in "" 99us 11ms 1s 1msx -1 99; do
  refused "period '$period'" "from 100us to 10ms" --period "$period" \
    --slow "$last=2" -- true
done
for change in "" "$last=2" "0:$last=2" "x:$last=2"; do
  refused "change '$change'" "is not SECONDS:CPUS" --change-at "$change" -- true
done
refused "seed" "whole number from 0" --seed 1x --slow "$last=2" -- true
refused "overhead" "microseconds from 0 to 1000" --overhead 1001 \
  --slow "$last=2" -- true
refused "reference out of the mask" "these may: $allowed" --reference 8191 \
  --slow "$last=2" -- true
refused "slowed reference" "itself slowed" --reference "$last" \
  --slow "$last=2" -- true
refused "verify-only with a command" "takes no command" --verify-only \
  --slow "$last=2" -- true
refused "strict without verifying" "exclude each other" --strict --no-verify \
  --slow "$last=2" -- true
refused "unwritable record" "cannot write" --json "$tmp/absent/x" \
  --slow "$last=2" -- true

runtime=$(cat /proc/sys/kernel/sched_rt_runtime_us 2>/dev/null || echo -1)
if [ "$runtime" -ge 0 ] && [ "$runtime" -lt 990000 ]; then
  refused "ratio above the real-time share" "is not reachable: .*below" \
    --slow "$last=100" -- true
else
  skip "refused: ratio above the real-time share" "real time is not limited"
fi

status "$AMP_EMULATE" --help
equal "--help status" "$code" 0
status "$AMP_EMULATE" --version
equal "--version" "$code $(cut -d ' ' -f 1 "$tmp/out")" "0 amp-emulate"

# Refusal for want of a right.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  cp "$AMP_EMULATE" "$tmp/unprivileged"
  chmod 755 "$tmp/unprivileged"
  rm -f "$tmp/ran"
  status setpriv --reuid=65534 --regid=65534 --clear-groups \
    --inh-caps=-all --bounding-set=-all -- \
    "$tmp/unprivileged" --slow "$last=2" -- touch "$tmp/ran"
  for text in 'SCHED_FIFO is not permitted' 'CAP_SYS_NICE: missing' \
    'RLIMIT_RTPRIO' 'ulimit -r' 'cap-add SYS_NICE' 'setcap'; do
    said "unprivileged: says $text" 2 "$text"
  done
  equal "unprivileged: command not run" "$(ls "$tmp/ran" 2>/dev/null || :)" ""
  if prlimit --rtprio=1:1 true 2>/dev/null; then
    status prlimit --rtprio=1:1 setpriv --reuid=65534 --regid=65534 \
      --clear-groups --inh-caps=-all --bounding-set=-all -- \
      "$tmp/unprivileged" --overhead 20 --no-verify --slow "$last=2" -- true
    equal "unprivileged with ulimit -r 1: status" "$code" 0
  else
    skip "unprivileged with ulimit -r 1" "the limit cannot be raised here"
  fi
  if setpriv --inh-caps=+sys_nice --ambient-caps=+sys_nice true 2>/dev/null
  then
    status setpriv --reuid=65534 --regid=65534 --clear-groups \
      --inh-caps=-all,+sys_nice --ambient-caps=-all,+sys_nice -- \
      "$tmp/unprivileged" --overhead 20 --no-verify --slow "$last=2" -- true
    equal "unprivileged with CAP_SYS_NICE: status" "$code" 0
  else
    skip "unprivileged with CAP_SYS_NICE" "the capability cannot be passed on"
  fi
else
  skip "unprivileged" "needs root and setpriv"
fi

# shellcheck source=testsuite/emulate/signals.sh
. "$here/signals.sh"

# Everything from here on needs the right.
status "$AMP_EMULATE" --overhead 20 --no-verify --slow "$last=2" -- true
if [ "$code" -eq 2 ] && grep -q 'SCHED_FIFO is not permitted' "$tmp/err"; then
  skip "everything that needs SCHED_FIFO" "$(head -n 1 "$tmp/err")"
  finish 0
fi
equal "status of true" "$code" 0

# A fast start: no measurement.
emulate () { status "$AMP_EMULATE" --overhead 20 --no-verify "$@"; }

emulate --slow "$last=2" -- sh -c 'exit 37'
equal "status of the command" "$code" 37
for sig in TERM:143 KILL:137 SEGV:139 INT:130; do
  wanted=${sig#*:} sig=${sig%:*}
  # shellcheck disable=SC2016
  emulate --slow "$last=2" -- sh -c 'ulimit -c 0; kill -'"$sig"' $$; sleep 5'
  equal "status of a command killed by $sig" "$code" "$wanted"
done
emulate --slow "$last=2" -- "$tmp/absent/command"
equal "status of a missing command" "$code" 127
emulate --slow "$last=2" -- /etc/passwd
equal "status of a file that is no program" "$code" 126

# What the command inherits.  Fields 40 and 41 of stat are rt_priority, policy.
# Signals 32 and 33 are the C library's own and no program's to keep.
# shellcheck disable=SC2016
probe='sed "s/.*) //" /proc/self/stat | cut -d " " -f 38,39
  grep -E "^(SigBlk|Cpus_allowed_list):" /proc/self/status
  set -- $(grep ^SigIgn: /proc/self/status)
  echo "SigIgn: $((0x$2 & ~0x180000000))"
  ls /proc/self/fd | wc -l
  nice; pwd'
sh -c "$probe" >"$tmp/direct" </dev/null 2>"$tmp/err"
emulate --json "$tmp/record" --slow "$last=2" -- sh -c "$probe"
equal "inherits policy, masks, files, niceness" "$(cat "$tmp/out")" \
  "$(cat "$tmp/direct")"
equal "is an ordinary thread" "$(head -n 1 "$tmp/out")" "0 0"
if command -v chrt >/dev/null; then
  status chrt -f 5 "$AMP_EMULATE" --overhead 20 --no-verify \
    --slow "$last=2" -- sh -c "$probe"
  equal "is an ordinary thread under chrt" "$(head -n 1 "$tmp/out")" "0 0"
else
  skip "is an ordinary thread under chrt" "no chrt"
fi

# types WHAT WANTED CPUS OPTION...: GOMP_AMP_TYPES on these CPUs.
types () {
  name=$1 wanted=$2 on=$3
  shift 3
  # shellcheck disable=SC2016,SC2086 # no setting or one
  status taskset -c "$on" env $setting "$AMP_EMULATE" --overhead 20 --no-verify "$@" -- \
    sh -c 'printf %s "$GOMP_AMP_TYPES"'
  # Two CPUs are 0-1 or 0,2.
  equal "types: $name" "$(tr - , <"$tmp/out")" "$(echo "$wanted" | tr - ,)"
}
setting=
types "all slowed alike" "$allowed" "$allowed" --slow "$allowed=2"
types "ratio 1" "$allowed" "$allowed" --slow "$last=1"
types "own mask only" "$last" "$last" --slow "$last=2"
if [ "$first" != "$last" ]; then
  types "two" "$first:$last" "$first,$last" --slow "$last=2"
  types "both slowed, fastest first" "$last:$first" "$first,$last" --slow "$first=3" \
    --slow "$last=2"
  setting=GOMP_AMP_TYPES=mine types "overridden" "$first:$last" "$first,$last" --slow "$last=2"
  status taskset -c "$first" "$AMP_EMULATE" --slow "$last=2" -- true
  equal "a CPU outside the mask is refused" "$code" 2
else
  skip "types: two" "one CPU"
fi
setting=GOMP_AMP_TYPES=mine types "--keep-types" mine "$allowed" --keep-types --slow "$last=2"
if [ "$(echo "$cpus" | wc -l)" -ge 4 ]; then
  # shellcheck disable=SC2046
  set -- $(echo "$cpus" | head -n 4)
  setting=
  types "three" "$1,$2:$3:$4" "$1,$2,$3,$4" --slow "$3=2" --slow "$4=3"
else
  skip "types: three" "fewer than 4 CPUs"
fi

# Signals.
# start ARGS...: amp-emulate in the background around a shell that notes what it
# receives.  $pid is amp-emulate, $child the command.
# shellcheck disable=SC2016
noter='for s in TERM HUP USR1 USR2; do trap "echo $s >>$1/got; exit 40" $s; done
  echo $$ >"$1/child"
  while :; do sleep 0.05; done'
start () {
  rm -f "$tmp/child" "$tmp/got"
  "$AMP_EMULATE" --overhead 20 --no-verify "$@" \
    >"$tmp/out" 2>"$tmp/err" </dev/null &
  pid=$!
  wait_for test -s "$tmp/child" || fail "start" "$(cat "$tmp/err")"
  child=$(cat "$tmp/child")
}
reap () {
  set +e
  wait "$pid" 2>/dev/null
  code=$?
  set -e
  pid=
}
for sig in TERM HUP USR1 USR2; do
  start --slow "$last=2" -- sh -c "$noter" sh "$tmp"
  kill "-$sig" "$pid"
  reap
  equal "$sig is passed on" "$code $(cat "$tmp/got" 2>/dev/null)" "40 $sig"
done

# shellcheck disable=SC2016
sleeper='echo $$ >"$1/child"; exec sleep 60'
start --slow "$last=2" -- sh -c "$sleeper" sh "$tmp"
kill -TERM "$pid"
reap
equal "a command that dies of TERM" "$code" 143

start --slow "$last=2" -- sh -c "$sleeper" sh "$tmp"
wait_for test "$(state "$pid")" = S
# both NAME LETTER SIGNAL: after it the states of both processes are LETTER.
in_state () { test "$(state "$pid")$(state "$child")" = "$1$1"; }
both () {
  kill "-$3" "$pid"
  wait_for in_state "$2" || :
  equal "$1" "$(state "$pid") $(state "$child")" "$2 $2"
}
both "TSTP stops both" T TSTP
both "CONT continues both" S CONT
kill -TERM "$pid"
reap
equal "TERM after CONT" "$code" 143

# Nothing stays behind.
start --slow "$allowed=2" -- sh -c "$sleeper" sh "$tmp"
thieves=$(cat /proc/"$pid"/task/*/comm | grep -c '^amp-thief/' || :)
equal "one thief a slowed CPU" "$thieves" "$(echo "$cpus" | wc -l | tr -d ' ')"
tasks=$(ls "/proc/$pid/task")
bad=0
for t in $tasks; do
  policy=$(sed 's/.*) //' "/proc/$pid/task/$t/stat" | cut -d ' ' -f 39)
  case $(cat "/proc/$pid/task/$t/comm") in
    amp-thief/*) [ "$policy" -eq 1 ] || bad=1 ;;
    *) [ "$policy" -eq 0 ] || bad=1 ;;
  esac
done
equal "thieves are SCHED_FIFO, nothing else is" "$bad" 0
kill -KILL "$pid"
reap
if wait_for gone "$child"; then
  pass "KILL: the command ends too"
else
  fail "KILL: the command ends too" "$(state "$child")"
  kill -KILL "$child"
fi
left=0
for t in $tasks; do
  [ ! -d "/proc/$t" ] || left=1
done
equal "KILL: no thread is left" "$left" 0
left=$(cat /proc/[0-9]*/task/[0-9]*/comm 2>/dev/null | grep -c "^amp-thief/" ||
  :)
others=$(pgrep -c -x amp-emulate 2>/dev/null || :)
if [ "${others:-0}" -gt 0 ]; then
  skip "no thief on the machine" "another amp-emulate is running"
else
  equal "no thief on the machine" "$left" 0
fi

# The thief takes its share: CPU time over wall time of the thief's thread, by the kernel's
# account; the median of short windows, for the host may stop the machine in some.  Generous
# bands: the kernel charges part of what the switches cost to one side or the other.
share () {
  python3 - "$pid" "$1" <<'PY'
import pathlib, statistics, sys, time
tasks = pathlib.Path("/proc", sys.argv[1], "task").iterdir()
thief = next(t for t in tasks if (t / "comm").read_text() == f"amp-thief/{sys.argv[2]}\n")

def look() -> "tuple[int, int]":
    while True:
        before = time.monotonic_ns()
        used = int((thief / "schedstat").read_text().split()[0])
        after = time.monotonic_ns()
        if after - before < 500000:
            return used, before

shares, last = [], look()
for _ in range(31):
    time.sleep(0.05)
    now = look()
    shares.append(100 * (now[0] - last[0]) / (now[1] - last[1]))
    last = now
print(int(statistics.median(shares)))
PY
}
# shares WHAT CPU LOW HIGH: of the amp-emulate that runs.
shares () { within "share $1, %" "$(share "$2")" "$3" "$4"; }
# one_share WHAT LOW HIGH OPTION...: of the last CPU.
one_share () {
  name=$1 low=$2 high=$3
  shift 3
  start "$@" -- sh -c "$sleeper" sh "$tmp"
  sleep 0.3
  shares "$name" "$last" "$low" "$high"
  kill -TERM "$pid"
  reap
}
one_share "at ratio 2" 30 60 --slow "$last=2"
one_share "at ratio 5" 55 90 --slow "$last=5"
one_share "with --jitter" 45 80 --jitter --slow "$last=3"
one_share "at ratio 1" 0 2 --slow "$last=1"
if [ "$first" != "$last" ]; then
  start --slow "$last=3" --change-at "0.1:$first=3" -- sh -c "$sleeper" sh "$tmp"
  sleep 0.3
  shares "after a change, slow CPU" "$first" 45 80
  shares "after a change, free CPU" "$last" 0 2
  kill -TERM "$pid"
  reap
  one_share "after a change to none" 0 2 --slow "$last=3" --change-at 0.1:none
else
  skip "share after a change" "one CPU"
fi

# Measured runs: what is said, and what is recorded.
status "$AMP_EMULATE" --slow "$last=2" --json "$tmp/record" -- \
  sh -c 'exit 3' sh 'a "quoted" \ argument' "$(printf 'tab\there \303\244')"
equal "measured run: status" "$code" 3
lines=$(grep -c -E "^amp-emulate: CPU $last: asked 2.00, reached [0-9.]+ \(period 1 ms(, after the command)?\)\$" "$tmp/err" || :)
equal "measured run: one line before, one after" "$lines" 2
record "the record" <<'PY'
assert r["tool"] == "amp-emulate" and r["period_ns"] == 1000000
assert r["method"] == "thief" and "thefts" not in r
assert r["exit_status"] == 3 and r["wall_seconds"] > 0
assert r["command"][4] == 'a "quoted" \\ argument', r["command"]
assert r["command"][5].startswith("tab\there "), r["command"]
(phase,) = r["phases"]
(cpu,) = phase["cpus"]
assert cpu["cpu"] == last and cpu["asked"] == 2
assert cpu["spin_ns"] == 500000 - cpu["overhead_ns"]
for when in ("reached_before", "reached_after"):
    m = cpu[when]
    assert m["windows"] > 0 and 0 < m["q1"] <= m["median"] <= m["q3"], m
(thief,) = r["thieves"]
assert thief["cpu"] == last and thief["periods"] > 100
assert r["machine"]["release"] and r["machine"]["cpus_allowed"]
PY
status "$AMP_EMULATE" --slow "$allowed=2" --calibrate --json "$tmp/record"
equal "all CPUs slowed: compared with themselves" \
  "$code $(grep -c '"reference_cpu": null' "$tmp/record")" "0 1"
equal "all CPUs slowed: a line each" "$(grep -c ' asked 2.00' "$tmp/err")" \
  "$(echo "$cpus" | wc -l | tr -d ' ')"
emulate --quiet --slow "$last=2" -- true
equal "--quiet" "$code$(grep -v 'another amp-emulate' "$tmp/err")" 0
start --slow "$last=2" -- sh -c "$sleeper" sh "$tmp"
emulate --slow "$last=2" -- true
kill -TERM "$pid"
reap
equal "a second amp-emulate on the CPU warns" \
  "$(grep -c "another amp-emulate is slowing CPU $last" "$tmp/err" || :)" 1
# An overhead far too high leaves the thief far too little: it must be noticed.
rm -f "$tmp/ran"
status "$AMP_EMULATE" --overhead 600 --strict --slow "$last=3" -- \
  touch "$tmp/ran"
said "--strict: warned" 3 'warning: CPU .* off by'
equal "--strict: command not run" "$(ls "$tmp/ran" 2>/dev/null || :)" ""
status "$AMP_EMULATE" --overhead 600 --slow "$last=3" -- touch "$tmp/ran"
equal "off without --strict: the command runs" \
  "$code $(grep -c 'do not trust' "$tmp/err" | sed 's/[1-9]/some/') $(ls "$tmp/ran")" \
  "0 some $tmp/ran"

finish 0
