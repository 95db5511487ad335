#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [STAGE [PATTERN]]: run the DejaGnu suite libgomp.amp against the prefix
# STAGE (build/stage).  PATTERN selects source files, as in loop*.c.  Prints
# failures, and as the last line the sum.  Logs: build/check-libgomp.amp.
# AMP_SCHEDULES: the rows of the table, instead of all.
set -eu
unset OMP_SCHEDULE OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND GOMP_CPU_AFFINITY \
  OMP_DYNAMIC OMP_NESTED OMP_THREAD_LIMIT OMP_WAIT_POLICY GOMP_SPINCOUNT \
  OMP_DISPLAY_ENV GOMP_AMP_AFFINITY GOMP_AMP_TYPES GOMP_AMP_SF GOMP_AMP_SYSFS GOMP_AMP_CORES \
  GOMP_AMP GOMP_AMP_CHECK GOMP_AMP_REPRODUCIBLE GOMP_AMP_STATIC GOMP_AMP_REPLACE GOMP_AMP_REPORT GOMP_AMP_RECORD \
  GOMP_AMP_RECORD_SF GOMP_AMP_TRACE GOMP_AMP_TEAM OMP_CANCELLATION RELY_ONLY RELY_ROUNDS OMP_NUM_TEAMS OMP_TEAMS_THREAD_LIMIT \
  LD_LIBRARY_PATH LD_PRELOAD
LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
build=${BUILD:-build}
case $build in
  /*) ;;
  *) build=$top/$build ;;
esac
stage=$(cd "${1:-$build/stage}" && pwd)
pattern=${2:-}
out=$build/check-libgomp.amp

if ! command -v runtest >/dev/null; then
  echo "runtest is missing: install dejagnu"
  echo "0 passed, 0 failed, 1 skipped"
  exit 77
fi
if [ ! -x "$stage/bin/amp-gcc" ]; then
  echo "no $stage/bin/amp-gcc: run make first"
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
rm -rf "$out"
mkdir -p "$out/tmp"

# The CPUs that this process may use, one word each.
cpus=$(awk '/^Cpus_allowed_list:/ {
  n = split ($2, range, ",")
  for (i = 1; i <= n; i++)
    {
      if (split (range[i], end, "-") == 1)
	end[2] = end[1]
      for (c = end[1]; c <= end[2]; c++)
	printf "%d ", c
    }
}' /proc/self/status)
no_fortran=0
[ -x "$stage/bin/amp-gfortran" ] || no_fortran=1

schedules='unset aid_static aid_hybrid aid_hybrid,80 aid_dynamic,1,5 aid_static,3'
schedules="$schedules aid_dynamic reference,2 steal,2 ich ich,1,2 binlpt auto"

cat >"$out/site.exp" <<END
set srcdir "$here"
set objdir "$out"
set tmpdir "$out/tmp"
set tool amp
set amp_stage "$stage"
set amp_cpus [list $cpus]
set amp_no_fortran $no_fortran
set amp_schedules [list ${AMP_SCHEDULES:-$schedules}]
END
cd "$out"

runtest --tool amp ${pattern:+libgomp.amp.exp="$pattern"} >runtest.log 2>&1 \
  </dev/null || true
if [ ! -f amp.sum ]; then
  cat runtest.log
  echo "0 passed, 1 failed, 0 skipped"
  exit 1
fi
grep -E '^(FAIL|XPASS|UNRESOLVED|UNSUPPORTED|UNTESTED|ERROR|WARNING)' amp.sum || true
# An ERROR is a defect of the suite itself; it must not pass unseen.
awk '/^PASS:/ { passed++ }
     /^(FAIL|XPASS|UNRESOLVED|ERROR|KFAIL):/ { failed++ }
     /^(UNSUPPORTED|UNTESTED):/ { skipped++ }
     END { if (passed + failed == 0) failed = 1
	   printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	   exit failed != 0 }' amp.sum
