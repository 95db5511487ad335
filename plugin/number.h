/* SPDX-License-Identifier: GPL-3.0-or-later

   What is made of the thread's number.  */

void
flow::mark (tree name, unsigned what)
{
  if (!is_name (name))
    return;
  unsigned &n = number[SSA_NAME_VERSION (name)];
  changed |= (n | what) != n;
  n |= what;
}

void
flow::mark_memory (int c, unsigned what)
{
  memory_class &m = at (c);
  changed |= (m.number | what) != m.number;
  m.number |= what;
}

unsigned
flow::address_number (tree ref)
{
  unsigned n = 0;
  for (tree t : indices (ref))
    n |= number_of (t);
  return n;
}

/* What OP, an operand that is no memory, or its parts are made of.  */

unsigned
flow::parts_number (tree op)
{
  unsigned n = 0, i;
  tree part;
  while (handled_component_p (op))
    op = TREE_OPERAND (op, 0);
  if (TREE_CODE (op) == CONSTRUCTOR)
    FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (op), i, part)
      n |= number_of (part);
  return n | number_of (op);
}

/* What is made of the number if X and Y are found to be equal: an address of
   the thread's own, or one that callers hand over, and what others see.  */

unsigned
flow::owner_told (tree x, tree y)
{
  unsigned picked = summed ? N_PICKED : N_USER, n = 0;
  for (int k = 0; k < 2; k++, std::swap (x, y))
    {
      gimple *s = set_by (y);
      while (s && CONVERT_EXPR_CODE_P (code_of (s)))
	s = set_by (gimple_assign_rhs1 (s));
      tree at = (!s ? NULL_TREE
		 : gimple_assign_load_p (s) ? gimple_assign_rhs1 (s)
		 : is_gimple_call (s) && is_atomic (as_a <gcall *> (s))
		   && gimple_call_num_args (s) > 0
		 ? gimple_call_arg (s, 0) : NULL_TREE);
      if (!at || !may_lead (x))
	continue;
      int c = leads_to (x);
      int d = is_gimple_call (s) ? leads_to (at) : class_of (at);
      bool own = ((flags (c) & C_OWN)
		  || (summed && is_name (x) && SSA_NAME_IS_DEFAULT_DEF (x)));
      if (own && !(flags (d) & C_OWN))
	n |= picked;
    }
  return n;
}

/* What S, a condition or a switch, asks for is made of.  */

unsigned
flow::asked_by (gimple *s)
{
  if (!s)
    return 0;
  if (gcond *c = dyn_cast <gcond *> (s))
    {
      tree x = gimple_cond_lhs (c), y = gimple_cond_rhs (c);
      tree_code code = gimple_cond_code (c);
      return (integer_zerop (y) ? number_of (x)
	      : told_by (x) | told_by (y)
		| (code == EQ_EXPR || code == NE_EXPR ? owner_told (x, y) : 0));
    }
  gswitch *w = dyn_cast <gswitch *> (s);
  return w ? number_of (gimple_switch_index (w)) : 0;
}

void
flow::spread_phi (gphi *p)
{
  unsigned what = 0;
  if (differs (p))
    for (phi_value v : values_of (p))
      what |= chosen[v.from->src->index] | asked_by (last_of (v.from->src));
  for (phi_value v : values_of (p))
    what |= number_of (v.value);
  mark (gimple_phi_result (p), what);
}

/* Memory of the thread's own that those arguments of S lead to, a bit each,
   holds what is made of WHAT.  */

void
flow::mark_arguments (gcall *s, unsigned which, unsigned what)
{
  unsigned i = 0;
  for (tree a : arguments (s))
    if ((which & bit_of (i++)) && owns (a))
      mark_memory (leads_to (a), what);
}

/* What the thread's own memory of class C, and below it, holds.  */

unsigned
flow::own_number (int c)
{
  unsigned n = at (c).number;
  for (int b : below (c))
    if (flags (b) & C_OWN)
      n |= at (b).number;
  return n;
}

/* What the code of a construct does that S begins, in a function at LEVEL; NULL
   if S begins none, or that is not known.  */

static const summary *
summary_of_construct (gimple *s, unsigned level)
{
  tree fd = code_of_construct (s);
  return fd ? summary_of (fd, level + 1) : NULL;
}

/* True if a construct's code, which does R, depends on the thread.  */

static bool
construct_asks (const summary *r)
{
  return r && ((r->flags & (F_IDENTITY | F_TLS)) || r->noted || r->tickets);
}

/* The code of the construct that S begins may store what it gets, and the
   thread's number, in all that is shared with it.  */

void
flow::spread_construct (gcall *s, unsigned in)
{
  unsigned what = in;
  if (construct_asks (summary_of_construct (s, level)))
    what |= N_USER;
  std::vector<int> shared;
  for (tree a : arguments (s))
    if (owns (a))
      {
	what |= own_number (leads_to (a));
	shared.push_back (leads_to (a));
	for (int b : below (leads_to (a)))
	  if (flags (b) & C_OWN)
	    shared.push_back (b);
      }
  for (int b : shared)
    mark_memory (b, what);
}

void
flow::spread_call (gcall *s, unsigned in)
{
  const amp_known *k = amp_known_function (callee (s));
  if (is_ours (callee (s)) && !k)
    {
      if (is_construct (s))
	spread_construct (s, in);
      return;
    }
  const summary *r = k ? NULL : summary_of_call (s);
  bool before = !judged[gimple_bb (s)->index];
  unsigned what = r ? r->number & ~(N_TICKET | N_PICKED) : 0;
  bool own = before;
  for (tree a : arguments (s))
    own |= owns (a);
  if (r && own && (r->number & N_PICKED))
    what |= summed ? N_PICKED : N_USER;
  /* What a number selects is judged where it is read, if that is known.  */
  unsigned selected = 0;
  if (kind_of_call (s) == AMP_IDENTITY && !is_hint (s))
    what = gimple_location (s) == UNKNOWN_LOCATION ? N_MADE : N_USER;
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      (POINTER_TYPE_P (TREE_TYPE (a)) ? selected : what) |= number_of (a);
      if (k && before && (k->reads & bit_of (i)) && leads (a)
	  && ((number_of (a) & N_USER) || (flags (leads_to (a)) & C_TLS)))
	what |= summed ? N_PICKED : N_USER;
      int c = kind_of_call (s) != AMP_FREE ? class_of_argument (a) : -1;
      if (c >= 0 && (flags (c) & C_OWN))
	what |= own_number (c);
      if (c >= 0 && before && (flags (c) & C_TLS))
	what |= summed ? N_PICKED : N_USER;
    }
  if (gimple_call_chain (s) && owns (gimple_call_chain (s)))
    what |= own_number (leads_to (gimple_call_chain (s)));
  /* A function may note the number in what it gets.  */
  if (r && r->noted)
    mark_arguments (s, r->noted, N_USER);
  if (r && r->tickets && before)
    mark_arguments (s, r->tickets, summed ? N_TICKET : N_USER);
  if (k)
    mark_arguments (s, k->fills | k->keeps, what | in);
  tree lhs = gimple_call_lhs (s);
  if (r && r->held && is_name (lhs) && owns (lhs))
    mark_memory (leads_to (lhs), r->held);
  else if (r && r->held && lhs && carries (lhs))
    for (int b : below (class_of (lhs)))
      if (flags (b) & C_OWN)
	mark_memory (b, r->held);
  what |= selected;
  if (!k && (what | in))
    mark_arguments (s, ~0u, what | in);
  set (s, lhs, what, in);
}

/* S, in a block that IN chose, sets LHS to what is made of WHAT.  */

void
flow::set (gimple *s, tree lhs, unsigned what, unsigned in)
{
  if (is_name (lhs))
    mark (lhs, what);
  else if (lhs && (what | in) && !gimple_clobber_p (s)
	   && (flags (class_of (lhs)) & C_OWN))
    mark_memory (class_of (lhs), what | in);
}

void
flow::spread_stmt (gimple *s)
{
  unsigned what = 0, in = chosen[gimple_bb (s)->index];
  if (gcall *c = dyn_cast <gcall *> (s))
    {
      spread_call (c, in);
      return;
    }
  tree lhs = gimple_get_lhs (s);
  if (gimple_assign_load_p (s))
    {
      tree rhs = gimple_assign_rhs1 (s);
      int c = class_of (rhs);
      bool leads = !lhs || POINTER_TYPE_P (TREE_TYPE (lhs));
      /* What a number selects, or each thread has of its own, is another value
	 for each thread.  What iterations read there is judged by itself, but
	 for what leads on.  */
      if (leads || (flags (c) & C_OWN))
	what = address_number (rhs);
      else if (!judged[gimple_bb (s)->index]
	       && ((address_number (rhs) & N_USER) || (flags (c) & C_TLS)))
	what = summed ? N_PICKED : N_USER;
      if (flags (c) & C_OWN)
	what |= at (c).number;
    }
  else if (gasm *a = dyn_cast <gasm *> (s))
    {
      for (unsigned i = 0; i < gimple_asm_ninputs (a); i++)
	{
	  tree x = TREE_VALUE (gimple_asm_input_op (a, i));
	  int c = is_name (x) || TREE_CODE (x) == ADDR_EXPR
		  ? (owns (x) ? leads_to (x) : -1)
		  : get_base_address (x) ? class_of (x) : -1;
	  what |= number_of (x);
	  if (c >= 0 && (flags (c) & C_OWN))
	    what |= own_number (c);
	}
      for (unsigned i = 0; i < gimple_asm_noutputs (a); i++)
	set (s, TREE_VALUE (gimple_asm_output_op (a, i)), what, in);
    }
  else if (is_gimple_assign (s))
    for (unsigned i = 1; i < gimple_num_ops (s); i++)
      if (tree op = gimple_op (s, i))
	{
	  if (i == 2 && (code_of (s) == EQ_EXPR || code_of (s) == NE_EXPR))
	    what |= owner_told (gimple_op (s, 1), op);
	  what |= (TREE_CODE (op) == ADDR_EXPR
		   ? address_number (TREE_OPERAND (op, 0)) : parts_number (op));
	  if (lhs && !POINTER_TYPE_P (TREE_TYPE (lhs)))
	    what |= told_by (op);
	}
  set (s, lhs, what, in);
}

void
flow::hand_over (unsigned parm, const handed &h)
{
  tree d = parameter (fn, parm);
  if (!d)
    return;
  tree name = ssa_default_def (fn, d);
  int c = class_of_parm (d);
  if (name)
    mark (name, h.value);
  else if (h.value)
    mark_memory (class_of_base (d), h.value);
  unsigned more = (C_OWN | C_VALUE | (h.read ? C_READ : 0)
		   | (h.left ? C_LEFT : 0));
  if (c >= 0 && h.own_below)
    for (int b : below (c))
      at (b).flags |= more;
  if (c >= 0 && POINTER_TYPE_P (TREE_TYPE (d)))
    {
      memory_class &m = at (c);
      m.number |= h.held;
      if (h.own)
	{
	  m.flags |= more;
	  asks |= h.held != 0;
	}
    }
  asks |= h.value != 0;
}

/* PARM and OTHER may be one.  */

void
flow::hand_together (unsigned parm, unsigned other)
{
  tree d = parameter (fn, parm), e = parameter (fn, other);
  if (d && e && POINTER_TYPE_P (TREE_TYPE (d))
      && POINTER_TYPE_P (TREE_TYPE (e))
      && class_of_parm (d) >= 0 && class_of_parm (e) >= 0)
    unify (class_of_parm (d), class_of_parm (e));
}

void
flow::leave (tree lhs, unsigned what)
{
  if (is_name (lhs))
    mark (lhs, what);
  else
    mark_memory (class_of (lhs), what);
  asks = true;
}

void
flow::leave_memory (gimple *s, int c)
{
  tree lhs = gimple_get_lhs (s);
  const amp_known *k = amp_known_function (callee (s));
  asks = true;
  for (unsigned i = 0; is_gimple_call (s) && i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      if (owns (a) && !same (leads_to (a), c)
	  && (!k || ((k->fills | k->keeps) & bit_of (i))))
	mark_memory (leads_to (a), N_LEFT);
    }
  if (lhs && (is_name (lhs) || !same (class_of (lhs), c)))
    set (s, lhs, N_LEFT, 0);
}

/* True if a way from D leads to the function's end, and past B.  What does not
   return, as after a failed assertion, never ends.  */

static bool
goes_past (basic_block d, basic_block b)
{
  worklist<basic_block> todo;
  todo.add (d);
  for (basic_block n; todo.next (&n); )
    {
      if (n->index == EXIT_BLOCK)
	return true;
      for (edge e : edges (n->succs))
	if (e->dest != b && !(e->flags & EDGE_FAKE))
	  todo.add (e->dest);
    }
  return false;
}

/* Go on until nothing new is made of the number.  */

void
flow::spread ()
{
  do
    {
      changed = false;
      for (basic_block b : order)
	{
	  /* Chosen as its immediate dominator is, or by what that asks.  */
	  basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
	  if (d && d != ENTRY_BLOCK_PTR_FOR_FN (fn))
	    {
	      unsigned in = chosen[d->index] | chosen[b->index];
	      if (!dominated_by_p (CDI_POST_DOMINATORS, d, b))
		{
		  unsigned asked = asked_by (last_of (d));
		  if ((asked & ~in) && goes_past (d, b))
		    in |= asked;
		}
	      changed |= in != chosen[b->index];
	      chosen[b->index] = in;
	    }
	  for (gphi *p : phis (b))
	    spread_phi (p);
	  for (gimple *s : statements (b))
	    spread_stmt (s);
	}
    }
  while (changed);
}
