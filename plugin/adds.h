/* SPDX-License-Identifier: GPL-3.0-or-later

   Pairs of a load and a store that make x = x op e.  */

/* The load that value V is made of by operations of one kind, which is *OP;
   NULL if there is none of REF, or what it loads is used otherwise.  */

static gimple *
added_load (tree v, tree ref, tree_code *op)
{
  bool narrowed = false;
  for (int n = 0; n < 8 && TREE_CODE (v) == SSA_NAME; n++)
    {
      gimple *d = SSA_NAME_DEF_STMT (v);
      if (!is_gimple_assign (d) || !has_single_use (v))
	return NULL;
      if (gimple_assign_load_p (d))
	return operand_equal_p (gimple_assign_rhs1 (d), ref, 0) ? d : NULL;
      tree_code c = gimple_assign_rhs_code (d);
      tree a = gimple_assign_rhs1 (d), b = gimple_assign_rhs2 (d);
      if (CONVERT_EXPR_CODE_P (c))
	{
	  if (TYPE_PRECISION (TREE_TYPE (v)) < TYPE_PRECISION (TREE_TYPE (a)))
	    narrowed = true;
	  v = a;
	  continue;
	}
      tree_code kind = c == MINUS_EXPR ? PLUS_EXPR : c;
      if (kind != PLUS_EXPR && kind != MULT_EXPR && kind != BIT_IOR_EXPR
	  && kind != BIT_AND_EXPR && kind != BIT_XOR_EXPR && kind != MIN_EXPR
	  && kind != MAX_EXPR)
	return NULL;
      if ((*op != ERROR_MARK && *op != kind)
	  || (narrowed && (kind == MIN_EXPR || kind == MAX_EXPR)))
	return NULL;
      *op = kind;
      tree_code ignored = kind;
      if (gimple *l = added_load (a, ref, &ignored))
	return l;
      if (c == MINUS_EXPR)
	return NULL;
      v = b;
    }
  return NULL;
}

/* True if nothing else but S depends on what its block is entered for.  */

static bool
alone_in_branch (gimple *s)
{
  basic_block b = gimple_bb (s);
  if (!single_succ_p (b))
    return false;
  edge in = single_pred_edge (b), out = single_succ_edge (b);
  edge around = find_edge (in->src, out->dest);
  if (!around)
    return false;
  for (gimple *t : statements (b))
    if (t != s && !is_gimple_debug (t)
	&& gimple_vdef (t))
      return false;
  for (gphi *p : phis (out->dest))
    if (!virtual_operand_p (gimple_phi_result (p))
	&& !operand_equal_p (PHI_ARG_DEF_FROM_EDGE (p, out),
			     PHI_ARG_DEF_FROM_EDGE (p, around), 0))
      return false;
  return true;
}

/* What becomes of X by `if (X CODE OTHER) X = OTHER', or, if not FIRST, by `if
   (OTHER CODE X)'; E is taken for it.  */

static tree_code
extreme (tree_code code, bool first, edge e)
{
  bool less = code == LT_EXPR || code == LE_EXPR;
  return (less == first) == !(e->flags & EDGE_FALSE_VALUE) ? MAX_EXPR
							    : MIN_EXPR;
}

/* The load of what S stores to, if S is run where that is smaller, or larger,
   than what S stores: *OP.  */

static gimple *
compared_load (gimple *s, tree_code *op)
{
  basic_block b = gimple_bb (s);
  if (!single_pred_p (b) || !alone_in_branch (s))
    return NULL;
  gimple *c = gsi_stmt (gsi_last_nondebug_bb (single_pred (b)));
  if (!c || gimple_code (c) != GIMPLE_COND)
    return NULL;
  tree_code code = gimple_cond_code (c);
  if (code != LT_EXPR && code != GT_EXPR && code != LE_EXPR && code != GE_EXPR)
    return NULL;
  for (int i = 0; i < 2; i++)
    {
      tree old = i ? gimple_cond_lhs (c) : gimple_cond_rhs (c);
      tree other = i ? gimple_cond_rhs (c) : gimple_cond_lhs (c);
      if (TREE_CODE (old) == SSA_NAME && has_single_use (old)
	  && gimple_assign_load_p (SSA_NAME_DEF_STMT (old))
	  && operand_equal_p (gimple_assign_rhs1 (SSA_NAME_DEF_STMT (old)),
			      gimple_assign_lhs (s), 0)
	  && operand_equal_p (other, gimple_assign_rhs1 (s), 0))
	{
	  *op = extreme (code, i, single_pred_edge (b));
	  return SSA_NAME_DEF_STMT (old);
	}
    }
  return NULL;
}

/* The load of what S stores to, if S stores the smaller, or the larger, one of
   that and another value, *OP, and nothing else depends on which it is.  */

static gimple *
chosen_load (gimple *s, tree_code *op)
{
  tree v = gimple_assign_rhs1 (s);
  gphi *p = set_by (v) ? dyn_cast <gphi *> (set_by (v)) : NULL;
  if (!p || gimple_phi_num_args (p) != 2 || !has_single_use (v))
    return NULL;
  gcond *c = test_of (get_immediate_dominator (CDI_DOMINATORS, gimple_bb (p)));
  if (!c || gimple_cond_code (c) == EQ_EXPR || gimple_cond_code (c) == NE_EXPR)
    return NULL;
  for (gphi *q : phis (gimple_bb (p)))
    if (q != p && differs (q))
      return NULL;
  for (phi_value x : values_of (p))
    if (x.from->src != gimple_bb (c))
      {
	if (!single_pred_p (x.from->src)
	    || single_pred (x.from->src) != gimple_bb (c))
	  return NULL;
	for (gimple *t : statements (x.from->src))
	  if (gimple_vdef (t))
	    return NULL;
      }
  for (int i = 0; i < 2; i++)
    {
      tree old = gimple_phi_arg_def (p, i), o = gimple_phi_arg_def (p, !i);
      tree a = same_value (gimple_cond_lhs (c));
      tree b = same_value (gimple_cond_rhs (c));
      gimple *l = set_by (old);
      if (l && gimple_assign_load_p (l) && num_imm_uses (old) <= 2
	  && same_reference (gimple_assign_rhs1 (l), gimple_assign_lhs (s))
	  && ((a == same_value (old) && b == same_value (o))
	      || (a == same_value (o) && b == same_value (old))))
	{
	  edge e = gimple_phi_arg_edge (p, !i);
	  if (e->src != gimple_bb (c))
	    e = single_pred_edge (e->src);
	  *op = extreme (gimple_cond_code (c), a == same_value (old), e);
	  return l;
	}
    }
  return NULL;
}

void
accesses::find_adds ()
{
  std::map<gimple *, std::pair<gimple *, tree_code> > pairs;
  for (access &a : all)
    if (a.store && a.ref && gimple_assign_single_p (a.stmt))
      {
	tree_code op = ERROR_MARK;
	gimple *l = added_load (gimple_assign_rhs1 (a.stmt), a.ref, &op);
	if (!l)
	  l = compared_load (a.stmt, &op);
	if (!l)
	  l = chosen_load (a.stmt, &op);
	if (l && gimple_vuse (l) == gimple_vuse (a.stmt))
	  {
	    pairs[l] = std::make_pair (a.stmt, op);
	    pairs[a.stmt] = std::make_pair (l, op);
	  }
      }
  for (access &a : all)
    if (a.ref && pairs.count (a.stmt))
      {
	a.adds = true;
	a.op = pairs[a.stmt].second;
      }
}
