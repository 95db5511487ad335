#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All interleavings of small loops under weak memory: see README.md.
# AMP_MODEL_STATES: how many states of one configuration are looked at (4000)
# before the rest of it is sampled by AMP_MODEL_WALKS random executions (400).
# What build.sh sets and reads, shellcheck does not see.
# shellcheck disable=SC1091,SC2034,SC2154
set -eu
LC_ALL=C
export LC_ALL
suite=model
. "$(dirname "$0")/../unit/build.sh"

port='-DAMP_PORT_HEADER="model-port.h"'
states=${AMP_MODEL_STATES:-4000}
walks=${AMP_MODEL_WALKS:-400}

build "$out/model" "$src/model.c" -O2 "$port"
count 3600 "$out/model" --states "$states" --walks "$walks" --verbose >"$out/configurations"
# A violation, where there is one, and what could not be explored to the end.
sed -n -e '/^FAIL/,/explored\|^FAIL/p' -e '/bounded by/p' -e '/^[0-9]* configurations/p' \
  "$out/configurations" | head -n 400

# The explorer must see each of these defects.
defect () {
  name=$1
  shift
  build "$out/model-defect" "$src/model.c" -O2 -w "$port" "$@"
  if timeout $((120 * ${SLOW:-1})) "$out/model-defect" --small --states 20000 --walks 2000 >"$out/log" 2>&1; then
    fail "the explorer does not see a defect: $name"
  elif grep -q '^FAIL' "$out/log"; then
    echo "seen: $name ($(grep -m 1 '^FAIL' "$out/log"))"
    pass
  else
    tail -n 5 "$out/log"
    fail "no verdict about a defect: $name"
  fi
}
defect_in () {
  name=$1
  mutate "$out/defect" "$2" "$3" || return 0
  core=$out/defect
  shift 3
  defect "$name" "$@"
  core=$top/libgomp
}
defect 'the phase is opened by a relaxed store' -DMODEL_RELEASE=MODEL_RELAXED
defect 'the phase is loaded relaxed' -DMODEL_ACQUIRE=MODEL_RELAXED
defect 'lanes arrive relaxed' -DMODEL_ACQ_REL=MODEL_RELAXED
defect 'lanes arrive without release' -DMODEL_ACQ_REL=MODEL_ACQ
defect 'lanes arrive without acquire' -DMODEL_ACQ_REL=MODEL_REL
defect 'fetch-and-add is a load and a store' -DMODEL_TORN_ADD
defect_in 'the phase is opened before the sums are reset' amp-aid.c \
  's/^  amp_set_shares (loop, sf, lanes_of, unit);/AMP_STORE (\&loop->phase, AMP_LOAD (\&loop->phase, AMP_RELAXED) + 1, AMP_RELEASE);&/'
defect_in 'arrived is not reset' amp-aid.c 's/AMP_STORE (&loop->arrived, 0, AMP_RELAXED);//'
defect_in 'a lane arrives before it has added' amp-aid.c \
  's/^      AMP_FETCH_ADD (&sum->ticks, ticks, AMP_RELAXED);/if (AMP_FETCH_ADD (\&loop->arrived, 1, AMP_ACQ_REL) + 1 == loop->lanes) return true; &/
   s/return (AMP_FETCH_ADD (&loop->arrived, 1, AMP_ACQ_REL) + 1/return (0/'
defect_in 'lanes report relaxed' amp-core.c \
  's/if (AMP_FETCH_ADD (&loop->finished, 1, AMP_ACQ_REL)/if (AMP_FETCH_ADD (\&loop->finished, 1, AMP_RELAXED)/'
defect_in 'a lane does not report what it ran' amp-core.c \
  's/^  AMP_STORE (&report->run, lane->run, AMP_RELAXED);//'
defect_in 'a lane takes a share of a phase twice' amp-aid-dynamic.c 's/^  lane->phase = phase;//'
defect_in 'compare-and-swap stores what was seen before' amp-core.c \
  's/while (!AMP_CAS (&loop->next, &begin,/while (AMP_STORE (\&loop->next, begin + (want < left ? want : left), AMP_RELAXED), 0 \&\& !AMP_CAS (\&loop->next, \&begin,/'
# Queues.
defect_in 'a thief stores instead of comparing' amp-steal.c \
  's/if (AMP_CAS (p, &word, amp_queue_word (loop, all.front, range->front),/AMP_STORE (p, amp_queue_word (loop, all.front, range->front), AMP_RELAXED); if ((1 || (int)/'
defect_in 'an owner believes what it saw before it popped' amp-steal.c \
  's/uint64_t back = word & AMP_UNIT_MASK;/uint64_t back = word ? range->back : 0;/'
defect_in 'touch does not compare' amp-steal.c \
  's/(void) AMP_CAS (p, &word, \(.*\),$/AMP_STORE (p, \1,/'
defect_in 'a lane pushes although its queue is not empty' amp-steal.c \
  's/__builtin_expect (len != 0, 1)/len > 1/'
defect_in 'what an earlier loop left counts' amp-steal.c \
  's/return ((word ^ loop->tag) >> AMP_TAG_SHIFT) == 0;/return true;/'
defect_in 'the last ordinal is taken by a load and a store' amp-steal.c \
  's/|| AMP_FETCH_ADD (&loop->next, 1, AMP_RELAXED) != 0)/|| (AMP_STORE (\&loop->next, 1, AMP_RELAXED), 0))/'
defect_in 'what a thief does not run at once is lost' amp-ich.c 's/amp_push (loop, lane, &rest);//'
defect_in 'binlpt robs half but runs one chunk' amp-binlpt.c \
  's/amp_search (loop, lane, true,/amp_search (loop, lane, false,/'

finish
