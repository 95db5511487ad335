#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# amp-compare.sh: amp-run --compare runs a program in each form as it should be, and says what
# the times say.
set -eu
# shellcheck source=testsuite/common.sh
. "$(dirname "$0")/../common.sh"
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
two_cpus
amp_run
run=$silent types=$fast:$slow alike=$fast,$slow

# What amp-run takes for seconds is what the forms that have run are to take: no machine's load
# makes it more.
mkdir clock
cat >clock/sitecustomize.py <<'END2'
import subprocess, time  # That one keeps the clock.
def monotonic():
    try:
        forms = open("forms").read().split()
    except OSError:
        return 0.0
    return sum({"plain": 2.0, "fast": 1.0, "weighted": 6.0, "ours": 0.1}[f] for f in forms)
time.monotonic = monotonic
END2
# amp-run has Python's variables ignored: this Python does not.
mkdir bin
# shellcheck disable=SC2016 # for that script
printf '%s\n' '#!/bin/sh' 'case $1 in -E*) shift ;; esac' "exec '$(command -v python3)' \"\$@\"" >bin/python3
chmod +x bin/python3
export PYTHONPATH="$tmp/clock" PATH="$tmp/bin:$PATH"
# It says what it read.
cat >app.py <<'END2'
import os, sys, time
text = sys.stdin.read()
team, off = os.environ.get("GOMP_AMP_TEAM"), os.environ.get("GOMP_AMP") == "off"
ours = os.environ.get("LD_LIBRARY_PATH", "") != ""
alone = len(os.sched_getaffinity(0)) == 1
form = "fast" if off and alone else "plain" if off else "weighted" if team else "ours"
if ours == off:
    sys.exit("the library and the form differ")
with open("forms", "a") as f:
    f.write(form + "\n")
print(len(text), sys.argv[1:], time.time(), "seconds")
if form == sys.argv[-1]:
    print("another result")
    sys.exit(int(sys.argv[1]))
END2
# compare [OPTION...] -- ARGUMENT...
compare () { GOMP_AMP_TYPES=$types "$run" --compare "$@" >out 2>err; }
says () { grep -Eq -- "$1" out || bad "no '$1' in: $(cat out err)"; }

echo 12345 >input
compare --runs 4 --json found.json python3 app.py 0 'a  b' <input || bad "status $?: $(cat err)"
says '^ours is 20\.00 times as fast as plain \(20\.00 to 20\.00\)$'
says '^fast is 2\.00 times as fast as plain'
says '^ours is 10\.00 times as fast as the fast CPUs alone'
says 'with 88 % confidence'
grep -q 'prints something else' out && bad "the same output is another: $(cat out)"
[ "$(sort forms | uniq -c | tr -s ' \n' ' ')" = ' 5 fast 5 ours 5 plain ' ] || bad "runs: $(sort forms | uniq -c)"
[ "$(sed -n '4,15p' forms | paste -d, - - - | sort -u | wc -l)" -gt 1 ] || bad "always in one order"
python3 - <<'END2' || bad "JSON: $(cat found.json)"
import json
d = json.load(open("found.json"))
f = d["forms"]
assert d["rounds"] == 4 and all(len(f[n]["seconds"]) == 4 for n in ("plain", "ours", "fast"))
assert f["plain"]["cpus"] is None and len(f["fast"]["cpus"]) == 1
assert d["times_as_fast"]["ours"]["low"] > 1 and d["program"][-1] == "a  b"
END2

# What is asked for; what is slower; what a pipe gives.
rm forms
# shellcheck disable=SC2002 # a pipe
cat input | GOMP_AMP_TYPES=$types "$run" --compare=weighted --runs 4 python3 app.py 0 >out 2>err || bad "status $?"
says '^weighted takes 3\.00 times as long as plain'
says '^  weighted .*GOMP_AMP_TEAM=weighted'
[ "$(sort -u forms | paste -sd ' ')" = 'plain weighted' ] || bad "--compare=weighted: $(cat forms)"
# Another result, another status.
compare --runs 1 python3 app.py 0 ours </dev/null || bad "status $?"
says '^ours: .* in too few rounds to be sure$'
says '^ours prints something else than plain'
compare --runs 1 python3 app.py 3 ours </dev/null || bad "status $?"
grep -q 'ours: the program ends with status 3' err || bad "a status: $(cat err)"
grep -q '^ours is' out && bad "a form that fails is judged: $(cat out)"
PYTHONIOENCODING=utf-8:strict compare --runs 1 python3 app.py 0 "$(printf '\377')" </dev/null \
  || bad "no text: status $?: $(cat err)"
# Who ends amp-run ends the program.
# shellcheck disable=SC2016 # for that shell
"$run" --compare sh -c 'echo $$ >pid; exec sleep 31415' >out 2>err &
pid=$!
until [ -s pid ] || ! kill -0 $pid 2>/dev/null; do sleep 0.2; done
kill -TERM $pid
status=0
wait $pid || status=$?
[ "$status" = 130 ] || bad "TERM: status $status: $(cat err)"
! grep -qs 31415 "/proc/$(cat pid)/cmdline" || bad "TERM: the program lives"
# CPUs that are alike.
GOMP_AMP_TYPES=$alike "$run" --compare --runs 1 python3 app.py 0 </dev/null >out 2>err || bad "alike: status $?"
says '^the CPUs are alike: there are no fast ones'
for wrong in --compare=some '--compare --auto' '--compare --report' '--compare --check' '--check --compare' '--dry-run --compare' '--compare --runs=-1' '--compare --runs 0' \
	     '--compare --runs x' '--compare --json /dev/null/file' '--runs=3' '--compare --copy'; do
  # shellcheck disable=SC2086 # words
  exits 2 "$run" $wrong touch ran
  [ ! -e ran ] || bad "$wrong: the program has run"
  grep -q -v '^amp-run: ' err && bad "$wrong: $(cat err)"
done
# A full disk is said in a line, not by a traceback.
for what in --compare --check; do
  status=0
  GOMP_AMP_TYPES=$types "$run" $what --runs 1 python3 app.py 0 </dev/null >/dev/full 2>err || status=$?
  [ "$status" = 2 ] || bad "$what: a full disk: status $status"
  [ "$(grep -c 'cannot write' err),$(grep -vc '^amp-run: ' err)" = 1,0 ] || bad "$what: a full disk: $(cat err)"
done
# shellcheck disable=SC2016 # for that shell
exits 125 "$run" --compare sh -c 'kill -ABRT $$'
[ "$(tail -n 1 err)" = 'amp-run: --compare: nothing to compare' ] || bad "a crash: $(cat err)"
exits 127 "$run" --compare ./absent
exit $rc
