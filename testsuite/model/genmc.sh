# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
# For `run', which sources it: GenMC, built in the folder $GENMC with the LLVM whose clang
# and opt are at hand, looks at the loops below, for each of which genmc.c says what the
# words mean.  GENMC_OPTIONS: for it, such as -imm.  GENMC_LIMIT: seconds a loop (300); one
# that takes longer counts as skipped.  `--only SCHEDULE': its loops alone.

only=
[ "${1-}" != --small ] || shift
[ "${1-}" != --only ] || only=$2

# What GenMC's interpreter does not know is given other names (genmc.c has the functions),
# and the optimiser leaves fewer steps, without forming what it does not know either.  All is
# inlined: it takes a frame that comes again for freed memory.
translate () # WORD...
{
  # shellcheck disable=SC2046
  clang -g -Xclang -disable-O0-optnone -w -ffp-contract=off -I"$src" $(rooms "$core") \
    -I"$GENMC/include" -D__CONFIG_GENMC_INODE_DATA_SIZE=64 "$@" -S -emit-llvm "$src/genmc.c" -o - \
    | sed -e 's/noinline //' -e 's/@amp_make_chunk\((i64 noundef 0, i64 noundef 0)\)/@no_chunk\1/' \
    | opt -S -inline-threshold=10000 \
      -passes='function(sroa),cgscc(inline),function(sroa,early-cse,simplifycfg,gvn,dse),globaldce' \
    | sed -e '/^declare.*@llvm\.mem/d' -e 's/@llvm\.memset[.p0i8]*\.i64/@set_words/' \
      -e 's/@llvm\.memcpy[.p0i8]*\.i64/@copy_words/'
}

while read -r schedule words; do
  case ${only:-$schedule} in "$schedule") ;; *) continue ;; esac
  what="$schedule $words"
  set -- -DTYPES=2 "-DOPS=amp_$schedule"
  for w in $words; do set -- "$@" "-D$w"; done
  for w in ${AMP_TEST_CFLAGS-}; do case $w in -D*) set -- "$@" "$w" ;; esac; done
  translate "$@" >"$tmp/loop.ll"
  status=0
  # shellcheck disable=SC2086
  timeout "${GENMC_LIMIT:-300}" "$GENMC/genmc" -disable-estimation -disable-warn-on-unfreed-memory \
    -disable-loop-jump-threading -disable-mm-detector ${GENMC_OPTIONS-} -input-from-bitcode-file "$tmp/loop.ll" \
    >"$tmp/said" 2>&1 || status=$?
  sum=$(sed -n 's/^Number of complete executions explored: //p' "$tmp/said")
  if [ "$status" = 124 ]; then
    skip "$what" "no end within ${GENMC_LIMIT:-300} s"
  elif [ "$status" = 0 ] && grep -q '^No errors were detected' "$tmp/said"; then
    pass "$what: $sum executions, all of them"
  else
    fail "$what" "$(grep -E '^(Error|ERROR|LLVM)|violation:' "$tmp/said" | tr '\n' ' ')"
    # One is enough.
    finish
  fi
done <<end
reference PARAMS=1 N=3 TYPE=0,1
reference PARAMS=1 N=3 TYPE=0,1 CAS
aid_static PARAMS=0 N=3 TYPE=0,1 SF=2,1 OBSERVED
aid_hybrid PARAMS=50 N=4 TYPE=0,0 SF=2,1 ASTRAY
aid_dynamic PARAMS=1,1 N=4 TYPE=0,1
cluster_dynamic PARAMS=1 N=4 TYPE=0,1
cluster_dynamic PARAMS=1 N=5 TYPE=0,1 CLUSTER=0
hetprobe PARAMS=50 N=4 TYPE=0,1 OBSERVED
binlpt PARAMS=0 N=7 TYPE=0,1 FROZEN
ich PARAMS=0 N=7 TYPE=0,1 FROZEN
steal PARAMS=2 N=5 TYPE=0,1 STOPS
binlpt PARAMS=0 N=3 TYPE=0,1
steal PARAMS=1 N=4 TYPE=0,1
steal PARAMS=1 N=3 TYPE=0,1,1 FROZEN
steal PARAMS=1 N=3 TYPE=0,1 SF=2,1
ich PARAMS=0 N=2 TYPE=0,1
feedback PARAMS=0 N=3 TYPE=0,1
feedback PARAMS=0 N=2 TYPE=0,1 OBSERVED
aid_static PARAMS=0 N=3 TYPE=0,1
aid_static PARAMS=0 N=2 TYPE=0,1 CLOCKS=1
aid_hybrid PARAMS=50 N=3 TYPE=0,1
aid_hybrid PARAMS=50 N=4 TYPE=0,1 SF=2,1
aid_dynamic PARAMS=1,1 N=3 TYPE=0,1 CAS
aid_dynamic PARAMS=1,1 N=3 TYPE=0,1 MIGRATES
aid_dynamic PARAMS=0,0 N=3 TYPE=0,1
aid_dynamic PARAMS=1,2 N=5 TYPE=0,1
hetprobe_i PARAMS=50,25 N=4 TYPE=0,1
end
finish
