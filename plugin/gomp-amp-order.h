/* Loops whose iterations a thread may run in any order, descending too.
   SPDX-License-Identifier: GPL-3.0-or-later

   Those that touch no memory of the thread's own but scalars that each
   iteration writes before it reads them, nobody after the loop, and call
   nothing but functions of numbers.  What carries nothing under any ascending
   division may do so under others: the first of equal maxima, for one.

   Part of plugin and patched compilers, and C++98.  */

#ifndef GOMP_AMP_ORDER_H
#define GOMP_AMP_ORDER_H 1

/* True if STMT is of a kind that keeps nothing but in what it refers to.  */

bool
gomp_amp_region::orderless_statement (gimple *stmt) const
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      return !gimple_has_volatile_ops (stmt);
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
    case GIMPLE_PREDICT:
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
      return true;
    case GIMPLE_CALL:
      {
	if (gimple_call_internal_p (stmt))
	  return false;
	gcall *call = as_a <gcall *> (stmt);
	tree fndecl = gimple_call_fndecl (call);
	if (!fndecl || gomp_amp_builtin (fndecl) == END_BUILTINS)
	  return false;
	for (unsigned i = 0; i < gimple_call_num_args (call); i++)
	  {
	    tree type = TREE_TYPE (gimple_call_arg (call, i));
	    if (!INTEGRAL_TYPE_P (type) && !FLOAT_TYPE_P (type))
	      return false;
	  }
	/* Some set errno.  */
	return ((gimple_call_flags (call) & (ECF_CONST | ECF_PURE))
		|| FLOAT_TYPE_P (gimple_call_return_type (call)));
      }
    default:
      return false;
    }
}

/* True if LOOP, the current one, is such a loop.  */

bool
gomp_amp_region::orderless (const gomp_amp_loop &loop)
{
  /* A function's parameters may point to what is its caller's thread's.  */
  if (!construct || gimple_code (construct) != GIMPLE_OMP_PARALLEL
      || loop.sync.found || loop.beside_sync || loop.number.found
      || loop.number_alone || loop.before.found || loop.tls.found
      || loop.carried.found || loop.unknown.found || loop.accumulates)
    return false;
  for (unsigned i = from; i < to; i++)
    if (!orderless_statement (code[i]))
      return false;

  hash_set<tree> seen, own;
  for (unsigned k = 0; k < gimple_omp_for_collapse (loop.stmt); k++)
    own.add (gimple_omp_for_index (loop.stmt, k));
  for (int of = 0; of < 2; of++)
    for (tree c = of ? own_clauses () : gimple_omp_for_clauses (loop.stmt); c;
	 c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	{
	  /* What the program itself reduces may have its own idea of
	     equals.  */
	  if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c)
	      || !DECL_P (OMP_CLAUSE_DECL (c))
	      || !gomp_amp_is_scalar (OMP_CLAUSE_DECL (c), NULL_TREE))
	    return false;
	  own.add (OMP_CLAUSE_DECL (c));
	}
      else if (!of && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR)
	return false;

  unsigned last = to < code.length () ? first_ref[to] : refs.length ();
  for (unsigned r = from < code.length () ? first_ref[from] : last; r < last;
       r++)
    {
      tree decl = refs[r].decl;
      if (seen.add (decl) || !DECL_P (decl) || own.contains (decl))
	continue;
      bool loops_own = false;
      for (tree c = gimple_omp_for_clauses (loop.stmt); !loops_own && c;
	   c = OMP_CLAUSE_CHAIN (c))
	loops_own = ((OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE
		      || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
		      || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
		     && OMP_CLAUSE_DECL (c) == decl);
      if (!is_private (decl) && !loops_own)
	continue;
      bool written = defs.get (decl) != NULL;
      if (DECL_HAS_VALUE_EXPR_P (decl) || TREE_ADDRESSABLE (decl)
	  || !gomp_amp_is_scalar (decl, NULL_TREE)
	  || (written && exposed (decl, NULL_TREE, true)))
	return false;
      if (temporary (decl) && written)
	continue;
      if (written && !loops_own && left_behind (decl, NULL_TREE, loop.end))
	return false;
      if (!POINTER_TYPE_P (TREE_TYPE (decl)))
	continue;
      /* Only what came into the region: there it led to what all share.  */
      bool came = false;
      for (tree c = own_clauses (); !came && c; c = OMP_CLAUSE_CHAIN (c))
	came = (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE
		&& OMP_CLAUSE_DECL (c) == decl);
      for (unsigned k = 0; came && k < refs.length (); k++)
	came = refs[k].decl != decl || refs[k].kind == GOMP_AMP_USE;
      if (!came)
	return false;
    }
  return true;
}

#endif
