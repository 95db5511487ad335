/* SPDX-License-Identifier: GPL-3.0-or-later

   Iterators of classes, which omp-lower advances by what the loop does.  */

/* The PHIs that C's goes through, which must stand where turns begin or end.
   False if others are among them.  */

static bool
turn_phis (judged_loop &loop, const carried &c, std::set<tree> &phis)
{
  worklist<tree> todo;
  todo.add (gimple_phi_result (c.phi));
  for (tree v; todo.next (&v); )
    {
      gimple *p = SSA_NAME_DEF_STMT (v);
      basic_block b = gimple_bb (p);
      if (gimple_phi_num_args (p) > 1 && b->loop_father->header != b)
	return false;
      for (gimple *s : uses (v))
	if (gimple_code (s) == GIMPLE_PHI && loop.in (gimple_bb (s)))
	  todo.add (gimple_phi_result (s));
    }
  phis = todo.seen;
  return true;
}

/* What the PHIs get in the loop from elsewhere: one value, or NULL_TREE.  */

static tree
set_to (judged_loop &loop, const std::set<tree> &phis)
{
  tree one = NULL_TREE;
  for (tree v : phis)
    for (phi_value x : values_of (as_a <gphi *> (SSA_NAME_DEF_STMT (v))))
      {
	tree a = x.value;
	if (!loop.in (x.from->src))
	  continue;
	/* Copies at the exit of the loop over iterations.  */
	while (!phis.count (a) && is_name (a)
	       && gimple_code (SSA_NAME_DEF_STMT (a)) == GIMPLE_PHI
	       && gimple_phi_num_args (SSA_NAME_DEF_STMT (a)) == 1)
	  a = gimple_phi_arg_def (SSA_NAME_DEF_STMT (a), 0);
	if (phis.count (a))
	  continue;
	if (!is_name (a) || (one && one != a))
	  return NULL_TREE;
	one = a;
      }
  return one;
}

/* True if X goes with the iterator, as omp-lower makes it of iterators of
   classes: x += (i - LAST) * step; LAST = i.  */

static bool
follows (judged_loop &loop, const carried &x, const carried &last)
{
  std::set<tree> lasts, xs, offsets;
  if (!turn_phis (loop, last, lasts) || !turn_phis (loop, x, xs))
    return false;
  tree i = set_to (loop, lasts), sum = set_to (loop, xs);
  if (!i || !sum || loop.made_of_iterator (i) != I_FINE)
    return false;
  std::vector<tree> work (lasts.begin (), lasts.end ());
  for (unsigned k = 0; k < work.size (); k++)
    for (gimple *s : uses (work[k]))
      {
	if (!loop.in (gimple_bb (s)) || gimple_code (s) == GIMPLE_PHI)
	  continue;
	if (!is_gimple_assign (s) || gimple_vuse (s))
	  return false;
	tree_code code = gimple_assign_rhs_code (s);
	tree lhs = gimple_assign_lhs (s), by = gimple_assign_rhs2 (s);
	bool first = lasts.count (work[k]);
	bool scaled = (CONVERT_EXPR_CODE_P (code)
		       || ((code == MULT_EXPR || code == LSHIFT_EXPR)
			   && TREE_CODE (by) == INTEGER_CST));
	if (first ? (code == MINUS_EXPR && gimple_assign_rhs1 (s) == i
		     && by == work[k]) : scaled)
	  {
	    if (offsets.insert (lhs).second)
	      work.push_back (lhs);
	  }
	else if (first || lhs != sum)
	  return false;
      }
  gimple *add = SSA_NAME_DEF_STMT (sum);
  if (code_of (add) != POINTER_PLUS_EXPR && code_of (add) != PLUS_EXPR)
    return false;
  tree a = gimple_assign_rhs1 (add), b = gimple_assign_rhs2 (add);
  if (xs.count (b))
    std::swap (a, b);
  if (!xs.count (a) || !offsets.count (b))
    return false;
  for (tree v : xs)
    for (gimple *s : uses (v))
      if (s != add && gimple_code (s) != GIMPLE_PHI && loop.in (gimple_bb (s)))
	return false;
  return true;
}
