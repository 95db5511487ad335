/* SPDX-License-Identifier: GPL-3.0-or-later

   Values that threads find one after another, each another one.  */

/* True if NAME, or what is made of it, selects memory.  */

static bool
selects (tree name)
{
  bool found = false;
  worklist<tree> todo;
  todo.add (name);
  while (todo.next (&name))
    for (gimple *s : uses (name))
      {
	for (int stores = 0; stores < 2; stores++)
	  for (tree ref : operands_of (s, stores))
	    for (tree t : indices (ref))
	      found |= t == name;
	for (tree a : arguments (s))
	  {
	    found |= a == name && POINTER_TYPE_P (TREE_TYPE (a));
	    if (TREE_CODE (a) == ADDR_EXPR)
	      for (tree t : indices (TREE_OPERAND (a, 0)))
		found |= t == name;
	  }
	if (is_gimple_assign (s) && !gimple_vuse (s) && name_set_by (s))
	  todo.add (name_set_by (s));
      }
  return found;
}

/* Mark as WHAT the values that F's threads find one after another outside of
   judged loops, each another: under a lock, by atomic operations, as sections
   or chunks of another loop; and what a function that is not known makes of
   nothing, in judged loops, too, if it selects memory.  True if there are
   any.  */

static bool
mark_tickets (flow &f, accesses &a, unsigned what)
{
  bool any = false;
  for (gimple *s : statements (f.fn))
    {
      tree lhs = gimple_get_lhs (s);
      bool ticket = false, judged = f.judged[gimple_bb (s)->index];
      gcall *c = dyn_cast <gcall *> (s);
      const summary *r = f.summary_of_call (s);
      if (lhs && !is_name (lhs) && !judged && r && (r->number & N_TICKET)
	  && (f.flags (f.class_of (lhs)) & C_OWN))
	{
	  f.leave (lhs, what);
	  any = true;
	}
      if (!is_name (lhs) || (judged && !c))
	continue;
      if (c)
	{
	  tree fd = callee (c);
	  ticket = (!r && gimple_call_num_args (c) == 0
		    && INTEGRAL_TYPE_P (TREE_TYPE (lhs))
		    && !gimple_call_internal_p (c)
		    && !(fd && (is_ours (fd) || amp_known_function (fd)
				|| DECL_BUILT_IN_CLASS (fd) != NOT_BUILT_IN))
		    && (!judged || selects (lhs)));
	  ticket |= (!judged
		     && (is_atomic (c) || (r && (r->number & N_TICKET))
			 || kind_of_call (c) == AMP_POLL
			 || kind_of_call (c) == AMP_WAIT
			 || calls (c, "GOMP_sections_", "start")
			 || calls (c, "GOMP_sections_", "next")));
	}
      else if (gimple_assign_load_p (s))
	{
	  tree r = gimple_assign_rhs1 (s);
	  ticket = (is_called (r, ".istart") || is_called (r, ".iend")
		    || (!(f.flags (f.class_of (r)) & C_OWN)
			&& a.locked_at (s) > 0));
	}
      if (ticket)
	f.leave (lhs, what);
      any |= ticket;
    }
  return any;
}
