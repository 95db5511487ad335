/* All that decides about loops: GCC's headers that it needs, and our own.
   SPDX-License-Identifier: GPL-3.0-or-later

   For the plugin and for a patched compiler, after tree.h, and with standard.h
   before everything.  */

#ifndef GOMP_AMP_DECIDE_ALL_H
#define GOMP_AMP_DECIDE_ALL_H 1

#include "bversion.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "tree-pass.h"
#include "context.h"
#include "diagnostic-core.h"
#include "stringpool.h"
#include "attribs.h"
#include "langhooks.h"
#include "alias.h"
#include "fold-const.h"
#include "cfg.h"
#include "cgraph.h"
#include "gimplify.h"
#if __has_include ("gomp-constants.h")
# include "omp-general.h"
#else
/* GCC 8 installs the header without what it includes.  */
extern tree omp_find_clause (tree clauses, enum omp_clause_code kind);
#endif
#include "ssa.h"
#include "internal-fn.h"
#include "tree-pretty-print.h"
#include "tree-dfa.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "cfgloop.h"
#include "cfganal.h"
#include "tree-into-ssa.h"
#include "tree-ssa.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-niter.h"
#include "tree-data-ref.h"
#include "alloc-pool.h"
#include "gimplify-me.h"
#include "tree-ssa-loop.h"
#include "symbol-summary.h"
#if __has_include ("ipa-cp.h")
# include "sreal.h"
# include "ipa-cp.h"
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "tree-eh.h"
#include "tree-ssa-operands.h"

#include "clauses.h"

namespace amp
{

#include "code.h"
#include "known.h"
#include "places.h"
#include "chosen.h"
#include "effects.h"
#include "flow.h"
#include "points.h"
#include "number.h"
#include "state.h"
#include "accesses.h"
#include "locks.h"
#include "adds.h"
#include "ranges.h"
#include "covering.h"
#include "boxes.h"
#include "walks.h"
#include "rules/team.h"
#include "tickets.h"
#include "summary.h"
#include "scratch.h"
#include "through.h"
#include "judge.h"
#include "any-team.h"
#include "before.h"
#include "rules/flags.h"
#include "rules/registers.h"
#include "rules/iterators.h"
#include "rules/uniform.h"
#include "rules/unchanged.h"
#include "rules/behind.h"
#include "rules/left.h"
#include "rules/containers.h"
#include "rules/appended.h"
#include "rules/stamps.h"
#include "rules/whose.h"
#include "rules/memory.h"
#include "rules/callers.h"
#include "rules/neighbours.h"
#include "rules/called.h"
#include "rules/handles.h"
#include "rules/identity.h"
#include "rules/waits.h"
#include "after.h"
#include "rules/beside.h"
#include "report.h"
#include "pass.h"

} // namespace amp

#endif
