/* SPDX-License-Identifier: GPL-3.0-or-later

   Whose memory is, as far as a loop shows.  */

/* True if an address that is made of the iterator as MADE says is the same in
   many iterations.  */

static inline bool
one_place (unsigned made)
{
  return made == 0 || made == (I_MOD | I_FEW);
}

/* True if S is a call of a function that is not known, before LOOP.  */

static bool
gives (judged_loop &loop, gimple *s)
{
  gcall *c = dyn_cast <gcall *> (s);
  return (c && gimple_bb (s) && !loop.in (gimple_bb (s))
	  && (loop.acc.call_flags (c) & F_UNKNOWN));
}

/* True if such a function has filled C, which is the thread's own.  */

static bool
is_given (judged_loop &loop, int c)
{
  for (access *x : loop.acc.of_class (c))
    if (x->store && (loop.model.flags (c) & C_OWN) && gives (loop, x->stmt))
      return true;
  return false;
}

/* True if V, a value or an object, is what such a function gave the thread: a
   file's number, a stream's.  */

static bool
is_handle (judged_loop &loop, tree v)
{
  worklist<tree> todo;
  todo.add (v);
  while (todo.next (&v))
    {
      gimple *s = set_by (v);
      if (s && gives (loop, s))
	return true;
      tree from = !s ? v : gimple_assign_load_p (s) ? gimple_assign_rhs1 (s)
						    : NULL_TREE;
      tree base = from ? get_base_address (from) : NULL_TREE;
      if (base && (DECL_P (base) || TREE_CODE (base) == MEM_REF))
	{
	  if (is_given (loop, loop.model.class_of (from)))
	    return true;
	  if (TREE_CODE (base) == MEM_REF && is_name (TREE_OPERAND (base, 0)))
	    todo.add (TREE_OPERAND (base, 0));
	}
      else if (s && (gimple_code (s) == GIMPLE_PHI || gimple_assign_single_p (s)
		     || CONVERT_EXPR_CODE_P (code_of (s))))
	for (tree t : names_used (s))
	  todo.add (t);
    }
  return false;
}

/* True if one of NAMES is made of what another file hands LOOP's function.  */

static bool
made_of_parameter (judged_loop &loop, const std::vector<tree> &names)
{
  worklist<tree> todo;
  tree fndecl = loop.model.fn->decl;
  cgraph_node *node = cgraph_node::get (fndecl);
  if (loop.model.outlined
      || !(TREE_PUBLIC (fndecl) || (node && is_called_through (node))))
    return false;
  for (tree t : names)
    todo.add (t);
  for (tree n; todo.next (&n); )
    {
      tree v = is_name (n) && SSA_NAME_IS_DEFAULT_DEF (n) ? SSA_NAME_VAR (n)
							   : NULL_TREE;
      if (v && TREE_CODE (v) == PARM_DECL)
	return true;
      if (set_by (n))
	for (tree t : names_used (set_by (n)))
	  todo.add (t);
    }
  return false;
}

/* True if one of NAMES is made of what may be another for each thread: another
   file knows.  */

static bool
may_be_threads (judged_loop &loop, const std::vector<tree> &names)
{
  for (tree t : names)
    if (is_handle (loop, t))
      return true;
  return made_of_parameter (loop, names);
}

/* True if A counts, without a lock, where data say, what another file hands
   over: two iterations may meet there, unless it is the thread's own.  */

static bool
counts_by_data (judged_loop &loop, const access &a)
{
  return (a.adds && !a.locked && !a.atomic
	  && INTEGRAL_TYPE_P (TREE_TYPE (a.ref))
	  && (loop.address_iterator (a.ref) & I_DATA)
	  && made_of_parameter (loop, indices (a.ref)));
}

/* True if A's memory is or may be the thread's own.  */

static bool
own (judged_loop &loop, const access &a)
{
  unsigned f = loop.model.flags (a.cls);
  if (f & (C_OWN | C_TLS))
    return true;
  if (a.number)
    return true;
  /* One place for all iterations: if what selects it is not another thread's,
     too, there is a race.  */
  if ((f & C_SHARED) && a.ref && !a.locked && !a.atomic
      && one_place (loop.address_iterator (a.ref))
      && may_be_threads (loop, indices (a.ref)))
    return true;
  if (!(f & C_OPEN) || (f & C_SHARED))
    return false;
  /* Of unknown ownership.  What is summed up under a lock is put together;
     what each iteration has its own place in is shared.  */
  if ((a.locked || a.atomic) && a.adds)
    return false;
  if (a.ref)
    return (one_place (loop.address_iterator (a.ref))
	    || counts_by_data (loop, a));
  unsigned made = a.made;
  for (unsigned i = 0; made && i < gimple_call_num_args (a.stmt); i++)
    if ((made & bit_of (i))
	&& !one_place (loop.made_of_iterator (gimple_call_arg (a.stmt, i))))
      made = 0;
  return made != 0;
}

/* True if each iteration has a DECL of its own, a variable of the thread's: its
   scope ends in the loop, and what is outside does not know it.  */

static bool
ends_here (judged_loop &loop, tree decl)
{
  bool ends = false;
  for (const std::pair<basic_block, bool> &m : loop.model.mentions_of (decl))
    {
      if (!loop.in (m.first))
	return false;
      ends |= m.second;
    }
  return ends;
}

static bool
allocated_here (judged_loop &loop, int c)
{
  memory_class &m = loop.model.at (c);
  /* What another file's function returns may be asked for in the iteration.  */
  if ((m.flags & C_TLS) || ((m.flags & C_SHARED) && (m.flags & C_VALUE))
      || ((m.flags & C_OPEN) && (m.parms || m.allocs.empty ())))
    return false;
  for (gimple *s : m.allocs)
    if (!loop.in (gimple_bb (s)))
      return false;
  for (tree v : m.variables)
    if (!is_global_var (v) && !ends_here (loop, v))
      return false;
  return (!m.allocs.empty ()
	  || (!m.variables.empty () && (m.flags & C_OWN)));
}
