/* Marks that say in which iteration something was last seen.
   SPDX-License-Identifier: GPL-3.0-or-later

   `if (mark[c] != i) mark[c] = i, ...': iterations store nothing there but
   their own number, and compare what they find with it alone.  What an earlier
   iteration left is another number, whichever that was.  That the marks begin
   with no iteration's number, but maybe the first's, is assumed.  */

/* The iterator of LOOP, if T is that, maybe widened; NULL_TREE otherwise.  */

static tree
iterator_itself (judged_loop &loop, tree t)
{
  for (int n = 0; n < 8 && is_name (t); n++)
    {
      gimple *s = SSA_NAME_DEF_STMT (t);
      affine_iv iv;
      if (gphi *p = dyn_cast <gphi *> (s))
	{
	  class loop *l = gimple_bb (p)->loop_father;
	  return (loop.in (gimple_bb (p)) && l->header == gimple_bb (p)
		  && loop.iterates (l) && !loop.turns (l)
		  && loop.made_of_iterator (t) == I_FINE
		  && simple_iv (l, l, t, &iv, false)
		  && TREE_CODE (iv.step) == INTEGER_CST
		  && !integer_zerop (iv.step) ? t : NULL_TREE);
	}
      if (!CONVERT_EXPR_CODE_P (code_of (s))
	  || !is_name (gimple_assign_rhs1 (s))
	  || (TYPE_PRECISION (TREE_TYPE (t))
	      < TYPE_PRECISION (TREE_TYPE (gimple_assign_rhs1 (s)))))
	return NULL_TREE;
      t = gimple_assign_rhs1 (s);
    }
  return NULL_TREE;
}

/* True if NAME is only compared with I, for being equal.  */

static bool
only_equal (judged_loop &loop, tree name, tree i)
{
  for (gimple *s : uses (name))
    {
      if (CONVERT_EXPR_CODE_P (code_of (s))
	  && (TYPE_PRECISION (TREE_TYPE (gimple_assign_lhs (s)))
	      >= TYPE_PRECISION (TREE_TYPE (name))))
	{
	  if (!only_equal (loop, gimple_assign_lhs (s), i))
	    return false;
	  continue;
	}
      bool cond = gimple_code (s) == GIMPLE_COND;
      tree_code code = cond ? gimple_cond_code (s) : code_of (s);
      if (code != EQ_EXPR && code != NE_EXPR)
	return false;
      tree x = gimple_op (s, cond ? 0 : 1), y = gimple_op (s, cond ? 1 : 2);
      if (iterator_itself (loop, x == name ? y : x) != i)
	return false;
    }
  return true;
}

/* True if class C, which LOADS and STORES of LOOP belong to, is nothing but
   such marks.  */

static bool
are_stamps (judged_loop &loop, int c, const std::vector<access *> &loads,
	    const std::vector<access *> &stores)
{
  flow &f = loop.model;
  tree i = NULL_TREE;
  bool read = false;
  if ((f.flags (c) & (C_OWN | C_TLS | C_OPEN | C_SHARED)) != C_OWN
      || f.at (c).number || f.at (c).parms || loop_depth (loop.chunks) > 1)
    return false;
  for (access *s : stores)
    {
      tree t = (s->ref && gimple_assign_single_p (s->stmt)
		? iterator_itself (loop, gimple_assign_rhs1 (s->stmt))
		: NULL_TREE);
      if (!t || (i && i != t))
	return false;
      i = t;
    }
  for (access *l : loads)
    if (!l->covered)
      {
	read = true;
	if (!gimple_assign_load_p (l->stmt) || !name_set_by (l->stmt)
	    || !only_equal (loop, gimple_assign_lhs (l->stmt), i))
	  return false;
      }
  for (access *a : loop.acc.of_class (c))
    if (!loop.in (a->bb))
      {
	bool constant
	  = (calls (a->stmt, "memset")
	     || (a->ref && gimple_assign_single_p (a->stmt)
		 && is_gimple_min_invariant (gimple_assign_rhs1 (a->stmt))));
	if (!a->store || !constant || loop.runs_behind (a->bb))
	  return false;
      }
  return i && read;
}
