#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulations of the scheduler core.  AMP_SIM_RUNS: how many random loops
# (1000000); AMP_SIM_SEED: the first seed (1).  `run.sh --update' writes the
# golden simulations anew.
# What build.sh sets and reads, shellcheck does not see.
# shellcheck disable=SC1091,SC2034,SC2154
set -eu
LC_ALL=C
export LC_ALL
suite=sim
. "$(dirname "$0")/../unit/build.sh"

port='-DAMP_PORT_HEADER="sim-port.h"'
runs=${AMP_SIM_RUNS:-1000000}
seed=${AMP_SIM_SEED:-1}

build "$out/sim" "$src/sim.c" -O2 "$port"
if [ "${1-}" = --update ]; then
  exec "$out/sim" --golden "$src/golden" --update
fi
count 60 "$out/sim" --known
count 60 "$out/sim" --golden "$src/golden"
count $((120 + runs / 5000)) "$out/sim" --seed "$seed" --runs "$runs"
count 60 "$out/sim" --table

if build "$out/sim-san" "$src/sim.c" -O1 "$port" -fsanitize=address,undefined \
  -fno-sanitize-recover=all 2>"$out/log"; then
  count 60 "$out/sim-san" --known
  count 120 "$out/sim-san" --seed "$seed" --runs $((runs < 20000 ? runs : 20000))
else
  skip "no AddressSanitizer: $(head -n 1 "$out/log")"
fi

# Each of these defects must be seen by one of the checks, or they check
# nothing.
defect () {
  name=$1
  mutate "$out/defect" "$2" "$3" || return 0
  core=$out/defect
  build "$out/sim-defect" "$src/sim.c" -O1 -w "$port"
  core=$top/libgomp
  for how in --known "--seed 1 --runs 30000"; do
    # shellcheck disable=SC2086
    if ! timeout 60 "$out/sim-defect" $how >"$out/log" 2>&1; then
      echo "seen: $name ($(grep -m 1 'FAIL' "$out/log" || echo crash))"
      pass
      return 0
    fi
  done
  fail "a defect is not seen: $name"
}
defect 'a chunk runs over the end' amp-core.c 's/if (want > left)/if (0)/'
defect 'compare-and-swap wraps' amp-core.c 's/(want < left ? want : left)/want/'
defect 'no bound on overshooting' amp-core.c 's/UINT64_MAX \/ (loop->lanes + 1u)/UINT64_MAX/'
defect 'blocks overlap' amp-core.c 's/(i < r ? i : r)/r/'
defect 'a lane is not reset' amp-core.c 's/^  lane->run = 0;//'
defect 'a type is not clamped' amp-core.c 's/type < loop->types ? type : loop->types - 1u/type/'
defect 'what has run is not deducted' amp-aid-static.c 's/share - lane->run/share/'
defect 'SF inverted' amp-aid.c 's/slowest \/ sf\[j\]/sf[j] \/ slowest/'
defect 'SF not smoothed' amp-aid.c 's/smooth \* amp_clamp_sf (old) + (1.0 - smooth)/1.5/'
defect 'sums are not reset' amp-aid.c 's/AMP_STORE (&sums\[j\].ticks, 0, AMP_RELAXED);//'
defect 'a share is reserved' amp-aid-static.c 's/lane->state = AMP_ST_DRAIN;/lane->state = AMP_ST_DONE;/'
defect 'false, then true' amp-reference.c 's/lane->state != AMP_ST_DONE/loop->next % 97 != 96/'

finish
