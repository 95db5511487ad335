# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of amp-emulate --method=signal; read by run.sh, whose functions it uses.
# How much of its CPU time a thread loses is by that thread's own clock, so
# other processes on the machine do not matter.
# shellcheck shell=sh
# shellcheck disable=SC2154  # variables of run.sh

refused "method" "neither thief nor signal" --method=x --slow "$last=2" -- true

${CC:-gcc} -O1 -Wall -Wextra -Werror -pthread -o "$tmp/gaps" "$here/gaps.c"
signals () {
  status "$AMP_EMULATE" --method=signal --overhead 10 --no-verify "$@"
}

# What it printed, if it ended well; else its status.
ended_well () {
  got=$(cat "$tmp/out")
  [ "$code" -eq 0 ] || got=-$code
}

# share_of NAME LOW HIGH ARGS...: what gaps prints, within LOW and HIGH percent.
share_of () {
  name=$1 low=$2 high=$3
  shift 3
  signals "$@"
  ended_well
  within "signals: $name, %" "$got" "$low" "$high" "$(cat "$tmp/err")"
}
for how in main thread fork exec; do
  share_of "share at ratio 3, $how" 58 74 --slow "$last=3" -- \
    "$tmp/gaps" "$last" $how
done
signals --slow "$last=2" --json "$tmp/record" -- "$tmp/gaps" "$last" main
thefts=$(sed -n 's/.*"thefts": \([0-9]*\).*/\1/p' "$tmp/record")
within "signals: thefts in the record, in 0.3 s of periods of 1 ms" "${thefts:-0}" 100 100000
share_of "share at ratio 5" 74 86 --slow "$last=5" -- "$tmp/gaps" "$last" main
share_of "share at ratio 3, then 5" 74 86 --slow "$last=3" \
  --change-at "0.01:$last=5" -- "$tmp/gaps" "$last" main 1
share_of "share with --jitter" 58 74 --jitter --slow "$last=3" -- \
  "$tmp/gaps" "$last" main
share_of "share at ratio 1" 0 10 --slow "$last=1" -- "$tmp/gaps" "$last" main
share_of "share after a change to none" 0 20 --slow "$last=3" \
  --change-at 0.2:none -- "$tmp/gaps" "$last" main 2
share_of "share after a change" 58 74 --slow "$last=1" \
  --change-at "0.01:$last=3" -- "$tmp/gaps" "$last" main 1
if [ "$first" != "$last" ]; then
  share_of "share on another CPU" 0 10 --slow "$last=3" -- \
    "$tmp/gaps" "$first" thread
else
  skip "signals: share on another CPU" "one CPU"
fi
# Each 4 ms is 75 times in 0.3 s; each slice would be 900.
signals --slow "$last=3" -- "$tmp/gaps" "$last" idle
ended_well
within "signals: a thread that sleeps is left alone, times in 0.3 s" "$got" 0 200
signals --slow "$last=3" -- "$tmp/gaps" "$last" exits
if [ "$code" -ne 0 ] || [ -n "$(cat "$tmp/out")" ]; then
  equal "signals: threads that have ended have no timers" \
    "$code $(cat "$tmp/out")" "0 1"
else
  skip "signals: threads that have ended have no timers" \
    "the kernel does not tell"
fi

# What the command gets, and what is said.
# shellcheck disable=SC2016
signals --slow "$last=2" -- sh -c 'echo "$LD_PRELOAD"; exit 37'
equal "signals: status of the command" "$code" 37
equal "signals: the library" "$(basename "$(cat "$tmp/out")")" libamp-slow.so
# shellcheck disable=SC2016
status env LD_PRELOAD=libm.so.6 "$AMP_EMULATE" --method=signal --overhead 10 \
  --no-verify --slow "$last=2" -- sh -c 'echo "$LD_PRELOAD"'
equal "signals: LD_PRELOAD keeps what it had" "$(cut -d : -f 2 "$tmp/out")" \
  libm.so.6
status env AMP_EMULATE_TABLE="$tmp/nonexistent" \
  LD_PRELOAD="$(cut -d : -f 1 "$tmp/out")" true
equal "signals: without its table the library says so" \
  "$code $(grep -c 'nonexistent.*at full speed' "$tmp/err" || :)" "0 1"
echo 'int main (void) { return 0; }' >"$tmp/static.c"
if ${CC:-gcc} -static -o "$tmp/static" "$tmp/static.c" 2>/dev/null; then
  signals --slow "$last=2" -- "$tmp/static"
  equal "signals: a statically linked program is warned about" \
    "$code $(grep -c 'did not load libamp-slow.so' "$tmp/err" || :)" "0 1"
else
  skip "signals: a statically linked program is warned about" "no static libc"
fi
signals --slow "$last=2" -- "$tmp/absent/command"
equal "signals: a missing command is not said to run" \
  "$code $(grep -c 'full speed' "$tmp/err" || :)" "127 0"
mkdir -p "$tmp/alone"
cp "$AMP_EMULATE" "$tmp/alone/amp-emulate"
status "$tmp/alone/amp-emulate" --method=signal --slow "$last=2" -- true
equal "signals: without the library nothing runs" \
  "$code $(grep -c 'libamp-slow.so is neither in' "$tmp/err" || :)" "2 1"

# Measured, as anyone.
library=$(dirname "$AMP_EMULATE")/../lib/gomp-amp/libamp-slow.so
cp "$library" "$tmp/alone/"
chmod 755 "$tmp/alone" "$tmp/alone/"*
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
  : >"$tmp/record"
  chmod 666 "$tmp/record"
  status setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
    --bounding-set=-all -- "$tmp/alone/amp-emulate" --method=signal \
    --slow "$last=2" --json "$tmp/record" -- sh -c 'exit 3'
  lines=$(grep -c -E "^amp-emulate: CPU $last: asked 2.00, reached [0-9.]+ \(period 1 ms, by signals(, after the command)?\)\$" "$tmp/err" || :)
  equal "signals: measured, without rights" "$code $lines" "3 2"
else
  status "$tmp/alone/amp-emulate" --method=signal --slow "$last=2" \
    --json "$tmp/record" -- sh -c 'exit 3'
  equal "signals: measured" "$code" 3
fi
check_record ()
{
  record "signals: the record$1" <<'PY'
assert r["method"] == "signal" and r["thieves"] == []
assert r["processes"] == 1 and r["thefts"] < 1000, r
for cpu in r["phases"][0]["cpus"]:
    assert cpu["spin_ns"] == 500000 - cpu["overhead_ns"], cpu
    assert -50000 < cpu["overhead_ns"] < 400000, cpu
    for when in ("reached_before", "reached_after"):
        # By the thread's own clock, so that only a wrong account is off.
        assert cpu[when]["windows"] > 0 and 1.7 < cpu[when]["median"] < 2.3, cpu
PY
}
check_record ""
status "$AMP_EMULATE" --method=signal --slow "$allowed=2" \
  --json "$tmp/record" -- true
equal "signals: all CPUs slowed: compared with themselves" \
  "$code $(grep -c '"reference_cpu": null' "$tmp/record")" "0 1"
check_record ", all CPUs slowed"
