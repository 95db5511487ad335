/* SPDX-License-Identifier: GPL-3.0-or-later

   Whether a region may be run by a team of any size.  */

/* True if S does nothing.  */

static bool
is_nothing (gimple *s)
{
  switch (gimple_code (s))
    {
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_LABEL:
    case GIMPLE_DEBUG:
      return true;
    case GIMPLE_ASSIGN:
      return gimple_clobber_p (s);
    default:
      return false;
    }
}

/* True if copies of T, a type, or of what it refers to, may be made by code of
   the program's.  */

static bool
is_constructed (tree t)
{
  while (TREE_CODE (t) == REFERENCE_TYPE || TREE_CODE (t) == ARRAY_TYPE)
    t = TREE_TYPE (t);
  return TREE_ADDRESSABLE (t) || TYPE_NEEDS_CONSTRUCTING (t);
}

class any_team
{
public:
  any_team ()
    : loops (false)
  {}
  bool suits (gimple *construct);

private:
  bool loops;
  /* What the region's own clauses put together of all threads.  */
  std::set<tree> reduced;
  bool all_suit (gimple_seq seq);
  bool suits_statement (gimple *s);
  bool suits_store (gimple *s);
};

/* False if one of CLAUSES asks for a team, or if each thread may run the
   program's code for it: a constructor, or what puts a reduction together.  */

static bool
suit_clauses (tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_COPYIN:
      case OMP_CLAUSE_NUM_THREADS:
      case OMP_CLAUSE_PROC_BIND:
	return false;
      case OMP_CLAUSE_REDUCTION:
	if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
	  return false;
	break;
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_COPYPRIVATE:
	if (is_constructed (TREE_TYPE (OMP_CLAUSE_DECL (c))))
	  return false;
	break;
      default:
	break;
      }
  return true;
}

/* True if what S stores is not put together with what other threads store.  */

bool
any_team::suits_store (gimple *s)
{
  tree lhs = gimple_get_lhs (s);
  tree base = lhs ? get_base_address (lhs) : NULL_TREE;
  return (!lhs || reduced.empty ()
	  || (base && DECL_P (base) && !reduced.count (base)));
}

/* False if S, which each thread of a region runs, does what tells how many
   there are.  What they write without a lock or an atomic operation does not,
   or the program has a race.  */

bool
any_team::suits_statement (gimple *s)
{
  if (is_nothing (s))
    return true;
  switch (gimple_code (s))
    {
    case GIMPLE_BIND:
      return all_suit (gimple_bind_body (as_a <gbind *> (s)));
    case GIMPLE_TRY:
      return (all_suit (gimple_try_eval (s))
	      && all_suit (gimple_try_cleanup (s)));
    case GIMPLE_ASSIGN:
      return !gimple_has_volatile_ops (s) && suits_store (s);
    case GIMPLE_COND:
    case GIMPLE_GOTO:
    case GIMPLE_SWITCH:
      return true;
    case GIMPLE_OMP_SINGLE:
      return suit_clauses (gimple_omp_single_clauses (s));
    case GIMPLE_CALL:
      return (gimple_call_builtin_p (s, BUILT_IN_GOMP_BARRIER)
	      || ((gimple_call_flags (s) & ECF_CONST)
		  && gimple_call_fndecl (s) && suits_store (s)));
    case GIMPLE_OMP_FOR:
      loops = true;
      return (gimple_omp_for_kind (s) == GF_OMP_FOR_KIND_FOR
	      && suit_clauses (gimple_omp_for_clauses (s))
	      && all_suit (gimple_omp_for_pre_body (s)));
    default:
      return false;
    }
}

bool
any_team::all_suit (gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    if (!suits_statement (gsi_stmt (i)))
      return false;
  return true;
}

/* True if the region of CONSTRUCT is nothing but loops and what all threads do
   alike, with as many of them as there are.  */

bool
any_team::suits (gimple *construct)
{
  tree clauses = gimple_omp_parallel_clauses (construct);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      {
	tree d = OMP_CLAUSE_DECL (c);
	/* A part of an array.  */
	while (EXPR_P (d))
	  d = TREE_OPERAND (d, 0);
	reduced.insert (d);
      }
  return (suit_clauses (clauses) && all_suit (gimple_omp_body (construct))
	  && loops);
}
