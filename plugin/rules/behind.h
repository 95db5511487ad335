/* SPDX-License-Identifier: GPL-3.0-or-later

   What becomes of values that a loop leaves in registers.  */

/* True if NAME goes into what threads put together, and nowhere else: under a
   lock, in one atomic update, or, if it is no SUM, by comparison.  */

bool
registers::merged (tree name, std::set<tree> &seen, bool *by_place, bool sum)
{
  if (!seen.insert (name).second)
    return true;
  bool all = true;
  for (gimple *s : uses (name))
    {
      if (is_gimple_debug (s) || loop.in (gimple_bb (s)))
	continue;
      bool locked = false;
      for (access &a : loop.acc.in (gimple_bb (s)))
	locked |= a.locked;
      tree lhs = gimple_get_lhs (s);
      if (gimple_code (s) == GIMPLE_PHI)
	lhs = gimple_phi_result (s);
      bool address = false;
      if (lhs && TREE_CODE (lhs) != SSA_NAME)
	each_index (lhs, [&] (tree t)
	  {
	    address |= t == name;
	  });
      if (gimple_assign_load_p (s))
	address = true;
      if (is_gimple_assign (s)
	  && gimple_assign_rhs_code (s) == POINTER_PLUS_EXPR)
	address = true;
      *by_place |= address;
      all &= !address;
      if (lhs && TREE_CODE (lhs) == SSA_NAME
	  && (gimple_code (s) == GIMPLE_PHI || is_gimple_assign (s)))
	all &= merged (lhs, seen, by_place, sum);
      else if (is_gimple_call (s))
	{
	  tree fd = gimple_call_fndecl (s);
	  const amp_known *k = fd ? amp_known_function (fd) : NULL;
	  *by_place |= k && (k->kind == AMP_ALLOC || k->kind == AMP_REALLOC);
	  all &= is_atomic (as_a <gcall *> (s));
	}
      else if (gimple_code (s) == GIMPLE_COND ? sum : !locked)
	all = false;
    }
  return all;
}

/* True if what C, which tests S's result or is S itself, chooses for NAME is to
   store NAME in what S compares it with, or, if not EXTREME, to store
   constants.  */

bool
registers::chooses_same (gimple *s, gcond *c, tree name, bool extreme)
{
  unsigned first = is_gimple_assign (s) ? 1 : 0;
  tree other = gimple_op (s, first) == name ? gimple_op (s, first + 1)
					    : gimple_op (s, first);
  gimple *load
    = TREE_CODE (other) == SSA_NAME ? SSA_NAME_DEF_STMT (other) : NULL;
  if (extreme && !(load && gimple_assign_load_p (load)))
    return false;
  basic_block at = gimple_bb (c);
  basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS, at);
  for (basic_block b = first_dom_son (CDI_DOMINATORS, at); b;
       b = next_dom_son (CDI_DOMINATORS, b))
    {
      if (b == join)
	continue;
      if (first_dom_son (CDI_DOMINATORS, b) && !extreme)
	return false;
      for (gimple *s : statements (b))
	{
	  if (is_gimple_debug (s) || !gimple_vdef (s)
	      || gimple_code (s) == GIMPLE_ASM)
	    continue;
	  if (gcall *call = dyn_cast <gcall *> (s))
	    {
	      if (!(loop.acc.call_flags (call) & (F_LOCKS | F_UNLOCKS)))
		return false;
	      continue;
	    }
	  if (!gimple_assign_single_p (s))
	    return false;
	  tree v = gimple_assign_rhs1 (s);
	  if (extreme ? v == name
			&& !operand_equal_p (gimple_assign_lhs (s),
					     gimple_assign_rhs1 (load), 0)
	      : !is_gimple_min_invariant (v))
	    return false;
	}
    }
  for (gphi_iterator p = gsi_start_phis (join); join && !gsi_end_p (p);
       gsi_next (&p))
    if (!virtual_operand_p (gimple_phi_result (p.phi ())))
      return false;
  return true;
}

/* The condition that S's result goes into, and nothing else does.  */

static gcond *
condition_of (gimple *s, int depth)
{
  if (gimple_code (s) == GIMPLE_COND)
    return as_a <gcond *> (s);
  use_operand_p use;
  gimple *to;
  if (!is_gimple_assign (s) || depth > 4
      || !single_imm_use (gimple_assign_lhs (s), &use, &to))
    return NULL;
  tree_code code
    = is_gimple_assign (to) ? gimple_assign_rhs_code (to) : ERROR_MARK;
  return (gimple_code (to) == GIMPLE_COND || code == BIT_AND_EXPR
	  || code == BIT_IOR_EXPR || code == BIT_NOT_EXPR
	  ? condition_of (to, depth + 1) : NULL);
}

bool
registers::folds (tree name, bool extreme, std::set<tree> &seen)
{
  if (!seen.insert (name).second)
    return true;
  for (gimple *s : uses (name))
    {
      if (is_gimple_debug (s) || loop.in (gimple_bb (s)))
	continue;
      tree lhs = (gimple_code (s) == GIMPLE_PHI ? gimple_phi_result (s)
		  : gimple_get_lhs (s));
      if (gimple_code (s) == GIMPLE_COND
	  || (is_gimple_assign (s)
	      && (TREE_CODE_CLASS (gimple_assign_rhs_code (s))
		  == tcc_comparison)))
	{
	  gcond *c = condition_of (s, 0);
	  if (!c || !chooses_same (s, c, name, extreme))
	    return false;
	  continue;
	}
      if (is_gimple_call (s) && is_atomic (as_a <gcall *> (s)))
	continue;
      tree_code op = (is_gimple_call (s) || is_gimple_assign (s) ? operation (s)
		      : ERROR_MARK);
      bool same = (gimple_code (s) == GIMPLE_PHI || op == MIN_EXPR
		   || op == MAX_EXPR || (!extreme && op == BIT_IOR_EXPR)
		   || (is_gimple_assign (s)
		       && (CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (s))
			   || gimple_assign_rhs_code (s) == VIEW_CONVERT_EXPR
			   || gimple_assign_rhs_code (s) == SSA_NAME)));
      if (same && lhs && TREE_CODE (lhs) == SSA_NAME)
	{
	  if (!folds (lhs, extreme, seen))
	    return false;
	  continue;
	}
      /* Under a lock, into what it was compared with; or noted by number.  */
      if (!gimple_assign_single_p (s) || !gimple_store_p (s)
	  || gimple_assign_rhs1 (s) != name)
	return false;
      bool locked = loop.acc.locked_at (s) > 0;
      if (!locked && !(extreme && (loop.model.address_number (lhs) & N_USER)))
	return false;
    }
  return true;
}

/* Values of one kind that threads with an iteration alone have at E, which
   leaves the loop.  */

void
registers::hand_on_constants (edge e)
{
  for (gphi *p : phis (e->dest))
    {
      tree v = PHI_ARG_DEF_FROM_EDGE (p, e);
      tree res = gimple_phi_result (p);
      if (virtual_operand_p (res)
	  || (TREE_CODE (v) == SSA_NAME && gimple_bb (SSA_NAME_DEF_STMT (v))
	      && loop.in (gimple_bb (SSA_NAME_DEF_STMT (v)))))
	continue;
      bool differ = false;
      for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
	differ |= !operand_equal_p (v, gimple_phi_arg_def (p, i), 0);
      std::set<tree> seen;
      if (differ && !folds (res, false, seen))
	loop.fail (R_REGISTERS, "is set by an iteration and used behind"
		   " the loop", p, res);
    }
}

/* What is set in the loop and used behind it.  */

void
registers::hand_on ()
{
  for (basic_block b : loop.blocks)
    {
      edge out;
      edge_iterator oi;
      FOR_EACH_EDGE (out, oi, b->succs)
	if (!loop.in (out->dest))
	  hand_on_constants (out);
      for (tree d : values_set_in (b))
	{
	  if (closed.count (d))
	    continue;
	  std::vector<tree> work (1, d);
	  std::set<tree> seen;
	  while (!work.empty ())
	    {
	      tree n = work.back ();
	      work.pop_back ();
	      if (!seen.insert (n).second)
		continue;
	      for (gimple *s : uses (n))
		{
		  if (is_gimple_debug (s) || loop.in (gimple_bb (s))
		      || in_last (gimple_bb (s)))
		    {
		      loop.ascending |= !loop.in (gimple_bb (s));
		      continue;
		    }
		  if (gimple_code (s) == GIMPLE_PHI)
		    work.push_back (gimple_phi_result (s));
		  else if (is_gimple_assign (s) && finals.count (n)
			   && TREE_CODE (gimple_assign_lhs (s)) == SSA_NAME)
		    work.push_back (gimple_assign_lhs (s));
		  else if (gimple_code (s) != GIMPLE_COND || !finals.count (n))
		    loop.fail (R_REGISTERS, "is set by an iteration and used"
			       " behind the loop", s, d,
			       SSA_NAME_DEF_STMT (d));
		}
	    }
	}
    }
}
