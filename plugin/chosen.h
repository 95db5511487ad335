/* Loads through pointers of which one is chosen.
   SPDX-License-Identifier: GPL-3.0-or-later

   std::max (a, b) returns a reference: what loads through it may load either,
   so a variable of which a greatest value is kept stays in memory, in one class
   with what it is compared with.  Here what was compared is chosen, and the
   variable may become a register, which the rules understand.  GCC's later pass
   phiprop does so where all addresses are known.  */

/* True if A and B are one place for sure.  */

static bool
same_reference (tree a, tree b)
{
  place p = place_of (a), q = place_of (b);
  return (operand_equal_p (a, b, OEP_ADDRESS_OF)
	  || (p.known && q.known && p.base == q.base && p.offset == q.offset));
}

/* What REF, of TYPE, has while memory is as USE says: a value that was stored,
   or that a load has set of which F is true; NULL_TREE if none is found.  */

template <typename F> static tree
value_of (tree ref, tree type, tree use, F f)
{
  for (int n = 0; n < 16; n++)
    {
      for (gimple *l : uses (use))
	if (gimple_bb (l) && gimple_assign_load_p (l) && name_set_by (l)
	    && types_compatible_p (TREE_TYPE (name_set_by (l)), type)
	    && same_reference (gimple_assign_rhs1 (l), ref) && f (l))
	  return name_set_by (l);
      gimple *d = SSA_NAME_DEF_STMT (use);
      if (gimple_assign_single_p (d) && gimple_vdef (d)
	  && same_reference (gimple_assign_lhs (d), ref))
	return (is_gimple_val (gimple_assign_rhs1 (d))
		&& types_compatible_p (TREE_TYPE (gimple_assign_lhs (d)), type)
		? gimple_assign_rhs1 (d) : NULL_TREE);
      if (!gimple_vuse (d) || stmt_may_clobber_ref_p (d, ref))
	return NULL_TREE;
      use = gimple_vuse (d);
    }
  return NULL_TREE;
}

/* One name for all that have T's value: where that is a copy, or is loaded more
   than once.  */

static tree
same_value (tree t)
{
  while (code_of (set_by (t)) == SSA_NAME)
    t = gimple_assign_rhs1 (set_by (t));
  gimple *s = set_by (t);
  if (!s || !gimple_assign_load_p (s) || gimple_has_volatile_ops (s))
    return t;
  tree v = value_of (gimple_assign_rhs1 (s), TREE_TYPE (t), gimple_vuse (s),
		     [] (gimple *)
    {
      return true;
    });
  return v ? v : t;
}

/* Virtual operand USE, which holds behind E, before that.  */

static tree
memory_at (edge e, tree use)
{
  gimple *d = SSA_NAME_DEF_STMT (use);
  return (gimple_code (d) == GIMPLE_PHI && gimple_bb (d) == e->dest
	  ? PHI_ARG_DEF_FROM_EDGE (as_a <gphi *> (d), e) : use);
}

/* The load by which alone P, a choice of pointers, is used: in its block,
   before that writes memory; NULL if there is none.  */

static gassign *
only_load (gphi *p)
{
  tree pointer = gimple_phi_result (p);
  bool variable = false;
  for (phi_value v : values_of (p))
    {
      if (v.from->flags & (EDGE_ABNORMAL | EDGE_EH))
	return NULL;
      variable |= (TREE_CODE (v.value) == ADDR_EXPR
		   || code_of (set_by (v.value)) == ADDR_EXPR);
    }
  use_operand_p u;
  gimple *s;
  if (!POINTER_TYPE_P (TREE_TYPE (pointer)) || !variable
      || !single_imm_use (pointer, &u, &s) || gimple_bb (s) != gimple_bb (p)
      || !gimple_assign_load_p (s) || !name_set_by (s)
      || gimple_has_volatile_ops (s) || lookup_stmt_eh_lp (s) != 0)
    return NULL;
  tree ref = gimple_assign_rhs1 (s), use = gimple_vuse (s);
  gimple *d = use ? SSA_NAME_DEF_STMT (use) : NULL;
  if (!d || TREE_CODE (ref) != MEM_REF || TREE_OPERAND (ref, 0) != pointer
      || !integer_zerop (TREE_OPERAND (ref, 1))
      || (gimple_bb (d) == gimple_bb (p) && gimple_code (d) != GIMPLE_PHI))
    return NULL;
  return as_a <gassign *> (s);
}

/* What S would load through POINTER.  */

static tree
target (gassign *s, tree pointer)
{
  tree ref = gimple_assign_rhs1 (s), p = pointer;
  if (code_of (set_by (p)) == ADDR_EXPR)
    p = gimple_assign_rhs1 (set_by (p));
  if (TREE_CODE (p) == ADDR_EXPR
      && types_compatible_p (TREE_TYPE (TREE_OPERAND (p, 0)), TREE_TYPE (ref)))
    return unshare_expr (TREE_OPERAND (p, 0));
  return build2 (MEM_REF, TREE_TYPE (ref), unshare_expr (pointer),
		 TREE_OPERAND (ref, 1));
}

/* Choose of P's values, in place of S, if all have been loaded before.  */

static void
load_early (gphi *p, gassign *s)
{
  tree to = gimple_assign_lhs (s);
  std::vector<std::pair<edge, tree> > values;
  for (phi_value v : values_of (p))
    {
      tree t = value_of (target (s, v.value), TREE_TYPE (to),
			 memory_at (v.from, gimple_vuse (s)), [&] (gimple *l)
	{
	  return (l != s && dominated_by_p (CDI_DOMINATORS, v.from->src,
					    gimple_bb (l)));
	});
      if (!t)
	return;
      values.push_back (std::make_pair (v.from, t));
    }
  gimple_stmt_iterator g = gsi_for_stmt (s);
  gsi_remove (&g, true);
  gphi *n = create_phi_node (to, gimple_bb (p));
  for (std::pair<edge, tree> &v : values)
    add_phi_arg (n, v.second, v.first, UNKNOWN_LOCATION);
  gphi_iterator i = gsi_for_phi (p);
  remove_phi_node (&i, true);
}

/* Do so in FN; variables that only these addresses kept in memory become
   registers.  */

static void
load_where_chosen (function *fn)
{
  std::vector<std::pair<gphi *, gassign *> > found;
  push_cfun (fn);
  calculate_dominance_info (CDI_DOMINATORS);
  for (basic_block b : blocks_of (fn))
    for (gphi *p : phis (b))
      if (gassign *s = only_load (p))
	found.push_back (std::make_pair (p, s));
  for (std::pair<gphi *, gassign *> &f : found)
    load_early (f.first, f.second);
  if (!found.empty ())
    {
      update_ssa (TODO_update_ssa);
      execute_update_addresses_taken ();
      update_ssa (TODO_update_ssa);
    }
  free_dominance_info (CDI_DOMINATORS);
  pop_cfun ();
}
