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
runs=${AMP_SIM_RUNS:-500000}
seed=${AMP_SIM_SEED:-1}

build "$out/sim" "$src/sim.c" -O2 "$port"
if [ "${1-}" = --update ]; then
  exec "$out/sim" --golden "$src/golden" --update
fi
count 60 "$out/sim" --known
count 60 "$out/sim" --golden "$src/golden"
count $((120 + runs / 5000)) "$out/sim" --seed "$seed" --runs "$runs"
count 60 "$out/sim" --table
# Tags that recur after 3 loops.
build "$out/sim-tags" "$src/sim.c" -O2 "$port" -DAMP_TAG_BITS=2
count $((120 + runs / 20000)) "$out/sim-tags" --seed "$seed" --runs $((runs / 4))

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
  shift 3
  build "$out/sim-defect" "$src/sim.c" -O1 -w "$port" "$@"
  core=$top/libgomp
  for how in --known "--seed 1 --runs 30000"; do
    # shellcheck disable=SC2086
    if ! timeout $((60 * ${SLOW:-1})) "$out/sim-defect" $how >"$out/log" 2>&1; then
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
defect 'SF not smoothed' amp-aid.c 's/smooth \* old + (1.0 - smooth)/1.5/'
defect 'sums are not reset' amp-aid.c 's/AMP_STORE (&sums\[j\].ticks, 0, AMP_RELAXED);//'
defect 'a share is reserved' amp-aid-static.c 's/lane->state = AMP_ST_DRAIN;/lane->state = AMP_ST_DONE;/'
defect 'false, then true' amp-reference.c 's/lane->state == AMP_ST_DONE/loop->next % 97 == 96/'
defect 'a thief leaves what it took' amp-steal.c \
  's/amp_queue_word (loop, all.front, range->front)/amp_queue_word (loop, all.front, range->back)/'
defect 'the rest of what was stolen is lost' amp-steal.c 's/amp_push (loop, lane, &rest);//'
defect 'a word of an earlier loop counts' amp-steal.c \
  's/return ((word ^ loop->tag) >> AMP_TAG_SHIFT) == 0;/return word >> AMP_TAG_SHIFT != 0;/'
defect 'words are not cleared when tags recur' amp-steal.c \
  's/^      amp_clear_queues (loop);//' -DAMP_TAG_BITS=2
defect 'the last unit is not cut' amp-steal.c 's/range->back == loop->units/0/'
defect 'queues are not in proportion to SF' amp-plan.c 's/sum \* unit + round/(i + (round > 0.0)) * ((double) whole \/ lanes) + round/'
defect 'a search passes a lane by' amp-steal.c \
  's/i < lanes; i++, v = v + 1/i + 1 < lanes; i++, v = v + 1/'
defect 'another cluster first' amp-steal.c 's/(cluster\[v\] != /(cluster[v] == /'
defect 'more after the last ordinal' amp-steal.c \
  's/^  if (!amp_search (.*/  struct amp_chunk last = amp_take_last (loop, lane); if (amp_chunk_p (last)) { lane->state = AMP_ST_WAIT; return last; } &/'
defect 'the last ordinal is in a queue as well' amp-steal.c 's/? loop->n - 1 :/? loop->n :/'
defect 'low and high exchanged' amp-ich.c 's/^  if (k < low)$/  if (k > high)/'
defect 'mu is read too seldom' amp-ich.c 's/|| high > k + wait//'
defect 'a lane far ahead waits too long' amp-ich.c 's/^    wait = (k - low) \/ 2;/    wait = 4 * (k - low);/'
defect 'a thief keeps its own k' amp-ich.c 's/^  stats.k = ((k < AMP_ICH_K_MASK.*/  stats.k = k;/'
defect 'a thief keeps its own d' amp-ich.c 's/(before.d + other.d) \/ 2/before.d/'
defect 'd is not bounded' amp-ich.c 's/d \/ 2 < 2 ? 2/d \/ 2 < 1 ? 1/'
defect 'a slow lane takes what everyone waits for' amp-ich.c 's/^  loop->paced = (/  loop->paced = (0 \&\& /'
defect 'nobody sees what a lane has run' amp-ich.c 's/^  uint64_t more = mine - lane->told;/  uint64_t more = 0;/'
defect 'the sum of k is not kept' amp-ich.c 's/^  uint64_t more = now->k - before->k;/  uint64_t more = 0;/'
defect 'what is left counts as everyone alike' amp-ich.c 's/left \* mine \/ (AMP_ICH_PARTS \* sum)/left \/ (AMP_ICH_PARTS * loop->lanes)/'
defect 'a grant passes by what is due' amp-ich.c 's/^  count = ((lane->span - above)/  count = (64 * (lane->span - above)/'
defect 'SF does not count' amp-ich.c 's/65536.0 \/ sf/65536.0/'
defect 'the smallest chunk first' amp-binlpt.c \
  's/return (plan->load\[a\] > plan->load\[b\]/return (plan->load[a] < plan->load[b]/'
defect 'not to the least loaded lane' amp-binlpt.c 's/^      amp_binlpt_sift (.*//'
defect 'a chunk is never stolen' amp-binlpt.c 's/!amp_search (loop, lane, true, &range, &victim)/1/'
defect 'a round is cut to the whole loop' amp-aid.c 's/loop->n : UINT64_MAX/loop->n : loop->n/'
defect 'nobody retires' amp-aid.c 's/AMP_STORE (&pace\[j\].spare, (uint64_t) spare/AMP_STORE (\&pace[j].spare, 0/'
defect 'lanes retire for those that are late' amp-aid.c 's/AMP_LOAD (&loop->present, AMP_RELAXED) != loop->lanes/0/'
defect 'all lanes retire' amp-aid.c 's/ + 1 >= loop->lanes)/ + 1 > 65536)/'
defect 'the pool never grows' amp-site.c 's/imbalance > AMP_SITE_POOL_FAILED/0/'
defect 'the first pool stays' amp-site.c 's/^#define AMP_SITE_POOL_ADVANCE 0.25/#define AMP_SITE_POOL_ADVANCE 0.0/'
defect 'the pool never shrinks' amp-site.c 's/^#define AMP_SITE_POOL_RETURN 0.0625/#define AMP_SITE_POOL_RETURN 0.0/'
defect 'a percentage that was given is changed' amp-aid-hybrid.c 's/loop->adapts = share == 0/loop->adapts = 1/'
defect 'what a site says is believed' amp-aid-hybrid.c 's/ || (loop->adapts \&\& share > AMP_SITE_SHARE)//'
defect 'trials of balanced loops' amp-auto.c 's/^#define AMP_AUTO_BALANCED_RISK 1.0/#define AMP_AUTO_BALANCED_RISK 0.25/'
defect 'no trials of unbalanced loops' amp-auto.c 's/^#define AMP_AUTO_RISK 0.25/#define AMP_AUTO_RISK 1.0/'
defect 'no pool after a move' amp-site.c 's/AMP_STORE (&site->moved, AMP_SITE_MOVED, AMP_RELAXED);//'

finish
