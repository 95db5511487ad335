/* SPDX-License-Identifier: GPL-3.0-or-later

   What is made of the thread's number.  */

#ifndef GOMP_AMP_NUMBER_H
#define GOMP_AMP_NUMBER_H 1

namespace amp
{

void
flow::mark (tree name, unsigned what)
{
  if (TREE_CODE (name) != SSA_NAME)
    return;
  unsigned &n = number[SSA_NAME_VERSION (name)];
  if ((n | what) != n)
    {
      n |= what;
      changed = true;
    }
}

void
flow::mark_memory (int c, unsigned what)
{
  memory_class &m = at (c);
  if ((m.number | what) != m.number)
    {
      m.number |= what;
      changed = true;
    }
}

unsigned
flow::address_number (tree ref)
{
  unsigned n = 0;
  each_index (ref, [&] (tree t)
    {
      n |= number[SSA_NAME_VERSION (t)];
    });
  return n;
}

void
flow::spread_phi (gphi *p)
{
  tree res = gimple_phi_result (p);
  if (virtual_operand_p (res))
    return;
  unsigned what = 0;
  bool differ = false;
  for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
    {
      tree a = gimple_phi_arg_def (p, i);
      what |= number_of (a);
      differ |= !operand_equal_p (a, gimple_phi_arg_def (p, 0), 0);
    }
  if (differ)
    for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
      {
	basic_block b = gimple_phi_arg_edge (p, i)->src;
	what |= chosen[b->index];
	gimple *last = gsi_stmt (gsi_last_nondebug_bb (b));
	if (last && gimple_code (last) == GIMPLE_COND)
	  what |= (number_of (gimple_cond_lhs (last))
		   | number_of (gimple_cond_rhs (last)));
	else if (last && gimple_code (last) == GIMPLE_SWITCH)
	  what |= number_of (gimple_switch_index (as_a <gswitch *> (last)));
      }
  mark (res, what);
}

void
flow::spread_stmt (gimple *s)
{
  unsigned what = 0, in = chosen[gimple_bb (s)->index];
  tree lhs = gimple_get_lhs (s);
  if (gcall *c = dyn_cast <gcall *> (s))
    {
      tree fd = gimple_call_fndecl (c);
      const amp_known *k = fd ? amp_known_function (fd) : NULL;
      const returned *r = NULL;
      if (fd && is_ours (fd) && !k)
	return;
      if (k && k->kind == AMP_IDENTITY)
	{
	  what = (gimple_location (s) == UNKNOWN_LOCATION ? N_MADE : N_USER);
	  /* A hint to libgomp.  */
	  if (gimple_call_num_args (s) == 1
	      && TREE_CODE (gimple_call_arg (s, 0)) == INTEGER_CST)
	    what = 0;
	}
      else if (!k && fd && (r = returned_by (fd, level + 1)))
	what = r->number & ~N_TICKET;
      for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	{
	  what |= number_of (gimple_call_arg (c, i));
	  /* A function may note the number in what it gets.  */
	  tree a = gimple_call_arg (c, i);
	  if (POINTER_TYPE_P (TREE_TYPE (a)) && !(k && k->kind == AMP_FREE)
	      && TREE_CODE (a) != INTEGER_CST)
	    {
	      int m = leads_to (a);
	      if (flags (m) & C_OWN)
		what |= at (m).number;
	    }
	}
      if (r && r->noted)
	for (unsigned i = 0; i < gimple_call_num_args (c) && i < 31; i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if ((r->noted >> i & 1) && POINTER_TYPE_P (TREE_TYPE (a))
		&& (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), N_USER);
	  }
      if (r && (what | in))
	for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if (POINTER_TYPE_P (TREE_TYPE (a))
		&& (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), what | in);
	  }
      if (!r && !k && (what | in))
	for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if (POINTER_TYPE_P (TREE_TYPE (a)) && TREE_CODE (a) != INTEGER_CST
		&& (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), what | in);
	  }
    }
  else if (gimple_assign_load_p (s))
    {
      tree rhs = gimple_assign_rhs1 (s);
      int c = class_of (rhs);
      what = address_number (rhs);
      /* What a number selects is another's for each thread if it leads on.  */
      if (lhs && !POINTER_TYPE_P (TREE_TYPE (lhs)) && !(flags (c) & C_OWN))
	what = 0;
      if (flags (c) & C_OWN)
	what |= at (c).number;
    }
  else if (is_gimple_assign (s))
    for (unsigned i = 1; i < gimple_num_ops (s); i++)
      {
	tree op = gimple_op (s, i);
	if (op && TREE_CODE (op) == SSA_NAME)
	  what |= number_of (op);
	else if (op && TREE_CODE (op) == ADDR_EXPR)
	  what |= address_number (TREE_OPERAND (op, 0));
      }
  if (!lhs)
    return;
  if (TREE_CODE (lhs) == SSA_NAME)
    mark (lhs, what);
  else if ((what | in) && !gimple_clobber_p (s))
    {
      int c = class_of (lhs);
      if (flags (c) & C_OWN)
	mark_memory (c, what | in);
    }
}

void
flow::hand_over (unsigned parm, const handed &h)
{
  tree d = DECL_ARGUMENTS (fn->decl);
  for (; d && parm > 0; parm--)
    d = DECL_CHAIN (d);
  if (!d)
    return;
  tree name = ssa_default_def (fn, d);
  int c = class_of_parm (d);
  if (name)
    mark (name, h.value);
  else if (h.value)
    mark_memory (class_of_base (d), h.value);
  if (c >= 0 && h.own_below)
    for (int b : below (c))
      at (b).flags |= C_OWN | C_VALUE;
  if (c >= 0 && POINTER_TYPE_P (TREE_TYPE (d)))
    {
      memory_class &m = at (c);
      m.number |= h.held;
      if (h.own)
	m.flags |= C_OWN | C_VALUE | (h.read ? C_READ : 0);
      if (h.own)
	asks |= h.held != 0;
    }
  asks |= h.value != 0;
}

void
flow::leave (tree name, unsigned what)
{
  mark (name, what);
  asks = true;
}

/* Go on until nothing new is made of the number.  */

void
flow::spread ()
{
  basic_block b;
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (fn));
  int n = pre_and_rev_post_order_compute_fn (fn, NULL, order, false);
  do
    {
      changed = false;
      for (int i = 0; i < n; i++)
	{
	  b = BASIC_BLOCK_FOR_FN (fn, order[i]);
	  /* Chosen as its immediate dominator is, or by what that asks.  */
	  basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
	  if (d && d != ENTRY_BLOCK_PTR_FOR_FN (fn)
	      && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	    {
	      unsigned in = chosen[d->index];
	      gimple *last = gsi_stmt (gsi_last_nondebug_bb (d));
	      if (last && gimple_code (last) == GIMPLE_COND)
		in |= (number_of (gimple_cond_lhs (last))
		       | number_of (gimple_cond_rhs (last)));
	      else if (last && gimple_code (last) == GIMPLE_SWITCH)
		in |= number_of (gimple_switch_index (as_a <gswitch *> (last)));
	      if ((in | chosen[b->index]) != chosen[b->index])
		{
		  chosen[b->index] |= in;
		  changed = true;
		}
	    }
	  else if (d && d != ENTRY_BLOCK_PTR_FOR_FN (fn)
		   && (chosen[d->index] | chosen[b->index]) != chosen[b->index])
	    {
	      chosen[b->index] |= chosen[d->index];
	      changed = true;
	    }
	  for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p);
	       gsi_next (&p))
	    spread_phi (p.phi ());
	  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	       gsi_next (&g))
	    if (!is_gimple_debug (gsi_stmt (g)))
	      spread_stmt (gsi_stmt (g));
	}
    }
  while (changed);
  XDELETEVEC (order);
}

} // namespace amp

#endif
