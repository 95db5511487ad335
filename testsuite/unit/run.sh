#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unit tests, and a short run of the parsers' fuzz target.
# AMP_FUZZ_SECONDS: how long (6); AMP_FUZZ_SEED: from where (1).
# What build.sh sets and reads, shellcheck does not see.
# shellcheck disable=SC1091,SC2034,SC2154
set -eu
LC_ALL=C
export LC_ALL
suite=unit
. "$(dirname "$0")/build.sh"

port='-DAMP_PORT_HEADER="unit-port.h"'
seconds=${AMP_FUZZ_SECONDS:-6}
seed=${AMP_FUZZ_SEED:-1}
sanitize='-fsanitize=address,undefined -fno-sanitize-recover=all'

build "$out/unit" "$src/unit.c" -O2 "$port" -Wno-format-truncation -lm
count 60 "$out/unit"
build "$out/topology" "$src/topology.c" -O2 -lm
count 120 "$out/topology"
# shellcheck disable=SC2086
if build "$out/unit-san" "$src/unit.c" -O1 "$port" $sanitize -lm 2>"$out/log"; then
  count 100 "$out/unit-san"
  # shellcheck disable=SC2086
  build "$out/topology-san" "$src/topology.c" -O1 $sanitize -lm
  count 200 "$out/topology-san"
  build "$out/fuzz" "$src/fuzz.c" -O1 "$port" $sanitize -Wno-unused-function
  count $((seconds + 30)) "$out/fuzz" "$seconds" "$seed"
else
  skip "no sanitizers: $(head -n 1 "$out/log")"
fi

# libFuzzer finds its way by itself, where clang is installed with it.
if command -v clang >/dev/null 2>&1 \
  && clang -std=gnu11 -g -O1 -w -I"$src" -I"$core" "$port" -DAMP_LIBFUZZER \
    -fsanitize=fuzzer,address,undefined -o "$out/libfuzzer" "$src/fuzz.c" 2>"$out/log"; then
  if timeout $((seconds + 60)) "$out/libfuzzer" -max_total_time="$seconds" -seed="$seed" \
    -artifact_prefix="$out/" >"$out/log" 2>&1; then
    pass
  else
    tail -n 30 "$out/log"
    fail "libFuzzer found something"
  fi
else
  skip "no clang with libFuzzer; the plain driver has run"
fi

# Defects that must be seen: defect NAME FILE SED-SCRIPT.
defect () {
  name=$1
  mutate "$out/defect" "$2" "$3" || return 0
  core=$out/defect
  case $2 in
  amp-topology.c|amp-sysfs.c|amp-detect.c|amp-cpuid.c) test=topology.c ;;
  *) test=unit.c ;;
  esac
  build "$out/unit-defect" "$src/$test" -O0 -w -DUNIT_STOP "$port" -lm
  core=$top/libgomp
  if timeout $((60 * ${SLOW:-1})) "$out/unit-defect" >"$out/log" 2>&1; then
    fail "a defect is not seen: $name"
  else
    echo "seen: $name ($(grep -m 1 FAIL "$out/log" || echo crash))"
    pass
  fi
}
defect 'huge numbers wrap' amp-options.c 's/huge = v > INT_MAX/huge = false/'
defect 'space is not skipped' amp-options.c 's/while (amp_space_p (\*s))/while (0)/'
defect 'the check is not called' amp-options.c 's/named.ops->check != NULL)/0)/'
defect 'CPUs twice' amp-topology.c 's/t->type\[cpu\] != AMP_NO_TYPE)/0)/'
defect 'a type too many' amp-topology.c 's/if (type == AMP_TOPOLOGY_TYPES)/if (type == AMP_TOPOLOGY_TYPES + 1)/'
defect 'like capacities are types' amp-detect.c 's/r->cpu\[i\].rank == r->cpu\[0\].rank; i++/0; i++/'
defect 'low-power cores are not told' amp-detect.c 's/if (ring && role/if (0 \&\& role/'
defect 'no third-level cache, yet E' amp-detect.c 's/ok && ring && i < r->n/0/'
defect 'bound for ever' amp-detect.c 's/s->cpuid (AMP_CPUID_DONE, 0, 0, reg);//'
defect 'the mask is forgotten' amp-cpuid.c 's/sched_setaffinity (0, CPU_ALLOC_SIZE/(void) (0, CPU_ALLOC_SIZE/'
defect 'a tree and the machine' amp-sysfs.c 's/s->sys, "%s", root);/&s->cpuid = cpuid;/'
defect 'every AMD is mixed' amp-detect.c 's/(reg\[0\] >> 30 & 1$/(1/'
defect 'guests are asked' amp-detect.c 's/reg\[2\] >> 31$/0/'
defect 'servers read files' amp-detect.c 's/if (x86 == AMP_X86_ALIKE)/if (0)/'
defect 'frequency before make' amp-detect.c 's/if (!amp_little_core_p (implementer, part))/if (1)/'
defect 'siblings like cores' amp-topology.c 's/&& t->turn\[t->order\[i\]\] == turn/\&\& turn == 0/'
defect 'low-power cores early' amp-topology.c 's/!= (pass == !slowest_first)/!= (pass != !slowest_first)/'
defect 'big takes all' amp-topology.c 's/    last = 0;/    last = t->types - 1;/'
defect 'a limit below 0' amp-sysfs.c 's/quota > 0 && period > 0 ?/period != 0 ?/'
defect 'shares without bound' amp-aid.c 's/share >= (double) loop->n)/0)/'
defect 'rules twice' amp-options.c 's/^  if (schedule->kind != 0)/  if (0)/'
defect 'modifiers in rules' amp-options.c 's/schedule->modifier != 0 || schedule->kind <= AMP_KIND_AUTO/0/'
defect 'half a replacement' amp-options.c 's/^	  memset (replace, 0, .*/;/'
defect 'static by anything' amp-options.c 's/(schedule == &replace\[AMP_KIND_STATIC\]/(0/'
defect 'rules are cut' amp-options.c 's/^  if (length == sizeof value - 1)/  if (0)/'
defect 'a plan for a crowd' amp-plan.c 's/if (setup->crowded)/if (0)/'
defect 'guesses are believed' amp-plan.c 's/setup->lane_type == NULL || setup->guess/setup->lane_type == NULL/'
defect 'guesses before what was seen' amp-plan.c 's/if (seen != 0)/if (0)/'
defect 'plans of uneven loops' amp-plan.c 's/uneven, AMP_RELAXED) != 0/uneven, AMP_RELAXED) > 1/'
defect 'noise is a difference' amp-plan.c 's/alike = setup->observed_types/alike = 0/'
defect 'a plan without SF' amp-plan.c 's/|| !(sf\[type\] > 0.0)/|| 0/'
defect 'the last time is all' amp-site.c 's/weight = 1.0 .*;/weight = 1.0;/'
defect 'changes are noise' amp-site.c 's/steady = false;/steady = true;/'
defect 'noise is a change' amp-site.c 's/drift = drift > 0 ? drift + 1 : 1;/drift++;/; s/^	    drift = 0;/	    ;/'
defect 'who has moved counts' amp-site.c 's/if (ticks == 0)/if (0)/'
defect 'observed always' amp-site.c 's/AMP_RELAXED)) == 0);/AMP_RELAXED)) >= 0);/'
defect 'any choice will do' amp-auto.c 's/&& mean <= best \*/\&\& best <= 1e30 */'
defect 'searches do not end' amp-auto.c 's/AMP_STORE (&site->settled, choice + 1u, AMP_RELAXED);//'
defect 'searches without a budget' amp-auto.c 's/<= budget /<= 1e30 + budget /'
defect 'settled for ever' amp-auto.c 's/odd ? strange + 1 : 0/0 * odd/; s/strange + odd >=/0 >=/'

finish
