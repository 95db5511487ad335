/* Which worksharing loops take their schedule from OMP_SCHEDULE.
   SPDX-License-Identifier: GPL-3.0-or-later

   The one place that decides whether a loop without a schedule clause is
   compiled as schedule(nonmonotonic:runtime), and that gives it the clause.
   The plugin and the patched compilers (gcc/omp-low) include this very file,
   so that both decide alike for every loop.  It must be asked before
   omplower, when all clauses are still the user's.  It is compiled by
   whatever builds GCC 8 and later, hence C++98.

   README.md lists the reasons in prose.  */

#ifndef GOMP_AMP_DECIDE_H
#define GOMP_AMP_DECIDE_H 1

#include "bversion.h"

/* Why a loop is treated as it is.  Keep gomp_amp_reasons in step.  */

enum gomp_amp_reason
{
  GOMP_AMP_NO_SCHEDULE,		/* The only one that means runtime.  */
  GOMP_AMP_SCHEDULE,
  GOMP_AMP_OPTED_OUT,
  GOMP_AMP_OFFLOADED,
  GOMP_AMP_ORDERED,
  GOMP_AMP_LOOP_CONSTRUCT,
  GOMP_AMP_ORDER,
  GOMP_AMP_INSCAN,
  GOMP_AMP_NON_RECTANGULAR,
  GOMP_AMP_LASTPRIVATE_CONDITIONAL,
  GOMP_AMP_WIDE_ITERATOR,
  GOMP_AMP_UNSIGNED_DOWN,
  GOMP_AMP_NOT_WORKSHARING,
  GOMP_AMP_REASONS
};

struct gomp_amp_reason_name
{
  /* "runtime", "static" or "explicit"; NULL for what is no worksharing loop
     and never listed.  */
  const char *decision;
  const char *reason;
};

static const struct gomp_amp_reason_name gomp_amp_reasons[] =
{
  { "runtime", "no-schedule-clause" },
  { "explicit", "schedule-clause" },
  { "static", "opted-out" },
  { "static", "offloaded" },
  { "static", "ordered" },
  { "static", "loop-construct" },
  { "static", "order-clause" },
  { "static", "inscan-reduction" },
  { "static", "non-rectangular" },
  { "static", "lastprivate-conditional" },
  { "static", "iterator-above-64-bits" },
  { "static", "narrow-unsigned-down" },
  { NULL, "not-worksharing" },
};

/* One name for each reason.  */
STATIC_ASSERT (sizeof gomp_amp_reasons / sizeof gomp_amp_reasons[0]
	       == GOMP_AMP_REASONS);

/* True if dimension I of LOOP counts down.  */

static inline bool
gomp_amp_counts_down (gimple *loop, unsigned i)
{
  switch (gimple_omp_for_cond (loop, i))
    {
    case GT_EXPR:
    case GE_EXPR:
      return true;
    case NE_EXPR:
      /* The step is then a constant, 1 or -1, in the iterator's type: an
	 unsigned -1 is the only one of the two that is not one.  */
      {
	tree incr = gimple_omp_for_incr (loop, i);
	tree step = TREE_OPERAND (incr, 1);
	return (TREE_CODE (incr) == MINUS_EXPR) == integer_onep (step);
      }
    default:
      return false;
    }
}

/* Decide about LOOP, a GIMPLE_OMP_FOR.  OFFLOADED: it lies in a target region
   or in a declare target function.  OPT_OUT: the user asked for static
   (-fopenmp-default-schedule=static).  */

static enum gomp_amp_reason
gomp_amp_decide (gimple *loop, bool offloaded, bool opt_out)
{
  if (gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_FOR)
    return GOMP_AMP_NOT_WORKSHARING;

  tree clauses = gimple_omp_for_clauses (loop);
  enum gomp_amp_reason reason = GOMP_AMP_NO_SCHEDULE;

  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_SCHEDULE:
	return GOMP_AMP_SCHEDULE;
      case OMP_CLAUSE_ORDERED:
	/* Ordered and doacross loops have no nonmonotonic entry points, and
	   share the runtime ones with loops that asked for them.  */
	reason = GOMP_AMP_ORDERED;
	break;
#if BUILDING_GCC_MAJOR >= 10
      case OMP_CLAUSE_BIND:
	/* The loop construct, whose order(concurrent) is implied: it may be
	   turned into something else than a worksharing loop.  */
	reason = GOMP_AMP_LOOP_CONSTRUCT;
	break;
      case OMP_CLAUSE_ORDER:
	/* Reproducible: two such loops run each iteration on the same
	   thread, which only static promises.  */
	if (reason == GOMP_AMP_NO_SCHEDULE)
	  reason = GOMP_AMP_ORDER;
	break;
      case OMP_CLAUSE_REDUCTION:
	/* Scans are lowered to two passes over one static partition.  */
	if (OMP_CLAUSE_REDUCTION_INSCAN (c) && reason == GOMP_AMP_NO_SCHEDULE)
	  reason = GOMP_AMP_INSCAN;
	break;
      case OMP_CLAUSE_LASTPRIVATE:
	/* Gimplification has sized _condtemp_ for the static iterator.  */
	if (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (c)
	    && reason == GOMP_AMP_NO_SCHEDULE)
	  reason = GOMP_AMP_LASTPRIVATE_CONDITIONAL;
	break;
#endif
      default:
	break;
      }

  if (offloaded)
    return GOMP_AMP_OFFLOADED;
  if (reason != GOMP_AMP_NO_SCHEDULE)
    return reason;

  unsigned dims = gimple_omp_for_collapse (loop);
  for (unsigned i = 0; i < dims; i++)
    {
      tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
      if (TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	  || TREE_CODE (gimple_omp_for_final (loop, i)) == TREE_VEC)
	return GOMP_AMP_NON_RECTANGULAR;
      /* libgomp counts in 64 bits; static loops count in the iterator's own
	 type.  */
      if (TYPE_PRECISION (type)
	  > TYPE_PRECISION (long_long_unsigned_type_node))
	return GOMP_AMP_WIDE_ITERATOR;
      /* GCC converts the step to libgomp's type by way of the unsigned one,
	 so that -1 comes out as 4294967295 and no iteration is run.  A
	 collapsed nest is passed as a count with step 1 and is not
	 concerned.  */
      if (dims == 1
	  && TREE_CODE (type) == INTEGER_TYPE
	  && TYPE_UNSIGNED (type)
	  && (TYPE_PRECISION (type)
	      < TYPE_PRECISION (long_long_unsigned_type_node))
	  && gomp_amp_counts_down (loop, i))
	return GOMP_AMP_UNSIGNED_DOWN;
    }

  return opt_out ? GOMP_AMP_OPTED_OUT : GOMP_AMP_NO_SCHEDULE;
}

/* What one walk over a function knows.  */

struct gomp_amp_walk
{
  bool offloaded;
  bool opt_out;
  FILE *dump;
};

/* Callback of walk_gimple_seq: decide about each loop and apply it.  */

static tree
gomp_amp_visit (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  gomp_amp_walk *walk = (gomp_amp_walk *) wi->info;

  if (is_gimple_omp (stmt) && is_gimple_omp_offloaded (stmt)
      && !walk->offloaded)
    {
      walk->offloaded = true;
      walk_gimple_seq (gimple_omp_body (stmt), gomp_amp_visit, NULL, wi);
      walk->offloaded = false;
      *handled = true;
      return NULL_TREE;
    }

  if (gimple_code (stmt) != GIMPLE_OMP_FOR)
    return NULL_TREE;

  gomp_amp_reason why = gomp_amp_decide (stmt, walk->offloaded, walk->opt_out);
  const gomp_amp_reason_name *name = &gomp_amp_reasons[why];
  if (walk->dump && name->decision)
    {
      /* A line is written at once, so that compilers running in parallel may
	 share the file.  */
      expanded_location at = expand_location (gimple_location (stmt));
      fprintf (walk->dump, "%s:%d: %s %s\n", at.file ? at.file : "<unknown>",
	       at.line, name->decision, name->reason);
      fflush (walk->dump);
    }
  if (why == GOMP_AMP_NO_SCHEDULE)
    {
      int kind = OMP_CLAUSE_SCHEDULE_RUNTIME;
#if BUILDING_GCC_MAJOR >= 9
      /* Tells libgomp that nobody wrote schedule(runtime), which would come
	 out as maybe_nonmonotonic.  */
      kind |= OMP_CLAUSE_SCHEDULE_NONMONOTONIC;
#endif
      tree c = build_omp_clause (gimple_location (stmt), OMP_CLAUSE_SCHEDULE);
      OMP_CLAUSE_SCHEDULE_KIND (c) = (omp_clause_schedule_kind) kind;
      OMP_CLAUSE_CHAIN (c) = gimple_omp_for_clauses (stmt);
      gimple_omp_for_set_clauses (stmt, c);
    }
  return NULL_TREE;
}

/* Give the worksharing loops of FNDECL, whose body is BODY, their schedule.
   OPT_OUT: as above.  DUMP: NULL, or where to append one line per loop.  */

static void
gomp_amp_default_schedules (tree fndecl, gimple_seq body, bool opt_out,
			    FILE *dump)
{
  gomp_amp_walk walk;
  walk.offloaded = lookup_attribute ("omp declare target",
				     DECL_ATTRIBUTES (fndecl)) != NULL;
  walk.opt_out = opt_out;
  walk.dump = dump;
  walk_stmt_info wi;
  memset (&wi, 0, sizeof wi);
  wi.info = &walk;
  walk_gimple_seq (body, gomp_amp_visit, NULL, &wi);
}

#endif
