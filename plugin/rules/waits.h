/* Rule `waits': an iteration that may wait for another thread's.
   SPDX-License-Identifier: GPL-3.0-or-later

   An inner loop waits if it reads what other threads may change, and nothing
   counts it out.  Locks must be released by the iteration that takes them.
   Where a loop loses its nowait, threads must not wait for each other around it
   either.  */

/* True if C, a compare and swap, may expect something else than what was found
   there: tried again with that, it waits for nobody.  */

static bool
expects_other (accesses &a, gcall *c)
{
  flow &f = a.model;
  int target = f.leads_to (gimple_call_arg (c, 0));
  tree t = gimple_call_arg (c, 1);
  worklist<tree> todo;
  std::set<int> kept;
  bool other = false;
  auto look = [&] (tree v)
    {
      other |= !is_name (v);
      todo.add (v);
    };
  auto look_in = [&] (int own)
    {
      if (!kept.insert (f.find (own)).second)
	return;
      for (access &x : a.all)
	if (x.store && f.same (x.cls, own) && gimple_assign_single_p (x.stmt))
	  look (gimple_assign_rhs1 (x.stmt));
    };
  if (gimple_call_internal_p (c) || calls (c, "__sync_", ""))
    look (t);
  else if (TREE_CODE (t) == ADDR_EXPR)
    look_in (f.leads_to (t));
  else
    return true;
  for (; !other && todo.next (&t); )
    {
      gimple *s = set_by (t);
      gcall *x = s ? dyn_cast <gcall *> (s) : NULL;
      int own = (s && gimple_assign_load_p (s)
		 ? f.class_of (gimple_assign_rhs1 (s)) : -1);
      if (x && is_atomic (x))
	other = !f.same (f.leads_to (gimple_call_arg (x, 0)), target);
      else if (own >= 0 && (f.flags (own) & C_OWN))
	look_in (own);
      else if (own >= 0)
	other = !f.same (own, target);
      else if (gphi *p = s ? dyn_cast <gphi *> (s) : NULL)
	for (phi_value v : values_of (p))
	  look (v.value);
      else if (s && (gimple_assign_single_p (s)
		     || CONVERT_EXPR_CODE_P (code_of (s))))
	for (tree n : names_used (s))
	  look (n);
      else
	other = true;
    }
  return other;
}

/* True if S reads what another thread may change meanwhile.  */

static bool
polls (accesses &a, gimple *s)
{
  if (gimple_clobber_p (s))
    return false;
  if (gasm *x = dyn_cast <gasm *> (s))
    return gimple_asm_volatile_p (x);
  gcall *c = dyn_cast <gcall *> (s);
  if (!c)
    {
      /* A volatile variable of its own changes by itself alone.  */
      tree r = gimple_assign_load_p (s) ? gimple_assign_rhs1 (s) : NULL_TREE;
      tree base = r ? get_base_address (r) : NULL_TREE;
      return (r && gimple_has_volatile_ops (s)
	      && !(base && VAR_P (base) && !is_global_var (base)));
    }
  if (a.call_flags (c) & (F_POLLS | F_LOCKS))
    return true;
  if (gimple_call_internal_p (c))
    return (gimple_call_internal_p (c, IFN_ATOMIC_COMPARE_EXCHANGE)
	    && expects_other (a, c));
  const char *n = amp_name (callee (c));
  if (!is_atomic (c))
    return false;
  if (strstr (n, "compare") && gimple_call_num_args (c) > 1)
    return expects_other (a, c);
  return !strstr (n, "_store") && !strstr (n, "lock_release");
}

static bool
polled_in (accesses &a, class loop *l)
{
  for (gimple *s : statements (blocks_of (l)))
    if (polls (a, s))
      return true;
  return false;
}

/* True if T changes with each turn of L.  */

static bool
steps (class loop *l, tree t)
{
  affine_iv iv;
  return (is_name (t) && simple_iv (l, l, t, &iv, true)
	  && !integer_zerop (iv.step));
}

/* True if L goes on by C, whose edge E leaves it, only while a counter has not
   come to a limit, whatever that is meanwhile.  */

static bool
has_limit (class loop *l, edge e, gcond *c)
{
  tree_code stay = gimple_cond_code (c);
  if (e->flags & EDGE_TRUE_VALUE)
    stay = invert_tree_comparison (stay, false);
  for (int i = 0; i < 2; i++, stay = swap_tree_comparison (stay))
    {
      affine_iv iv;
      tree t = i ? gimple_cond_rhs (c) : gimple_cond_lhs (c);
      if (is_name (t) && INTEGRAL_TYPE_P (TREE_TYPE (t))
	  && simple_iv (l, l, t, &iv, true)
	  && TREE_CODE (iv.step) == INTEGER_CST && !integer_zerop (iv.step)
	  /* It meets the limit before it wraps.  */
	  && (iv.no_overflow || TREE_CODE (i ? gimple_cond_lhs (c)
					   : gimple_cond_rhs (c)) == INTEGER_CST
	      || ((stay == LT_EXPR || stay == GT_EXPR)
		  && (integer_onep (iv.step) || integer_minus_onep (iv.step))))
	  && (tree_int_cst_sign_bit (iv.step)
	      ? stay == GT_EXPR || stay == GE_EXPR
	      : stay == LT_EXPR || stay == LE_EXPR))
	return true;
    }
  return false;
}

/* True if the load S may find something else each time that L turns.  */

static bool
found_anew (accesses &a, class loop *l, gimple *s)
{
  tree ref = gimple_assign_rhs1 (s);
  if (polls (a, s))
    return true;
  if (a.model.flags (a.model.class_of (ref)) & C_OWN)
    return false;
  bool varies = false;
  for (tree t : indices (ref))
    if (basic_block b = gimple_bb (SSA_NAME_DEF_STMT (t)))
      varies |= flow_bb_inside_loop_p (l, b);
  return (!varies && polled_in (a, l)) || a.locked_at (s) > 0;
}

/* True if a call in L that polls stores to class C; what is stored there
   otherwise is added to VALUES.  */

static bool
stored_by_poll (accesses &a, class loop *l, int c, worklist<tree> &values)
{
  bool found = false;
  for (basic_block b : blocks_of (l))
    for (access &x : a.in (b))
      if (x.store && a.model.same (x.cls, c))
	{
	  if (is_gimple_call (x.stmt))
	    found |= polls (a, x.stmt);
	  else if (gimple_assign_single_p (x.stmt)
		   && is_name (gimple_assign_rhs1 (x.stmt)))
	    values.add (gimple_assign_rhs1 (x.stmt));
	}
  return found;
}

/* True if D, in L, polls; what it is made of is added to TODO.  */

static bool
made_by_poll (accesses &a, class loop *l, gimple *d, worklist<tree> &todo)
{
  /* What is called through a pointer may look at anything.  */
  if (gimple_code (d) == GIMPLE_ASM
      || (is_gimple_call (d) && !gimple_call_internal_p (d) && !callee (d))
      || (is_gimple_call (d) && polls (a, d)))
    return true;
  if (gimple_assign_load_p (d))
    {
      int c = a.model.class_of (gimple_assign_rhs1 (d));
      if (((a.model.flags (c) & C_OWN) && stored_by_poll (a, l, c, todo))
	  || found_anew (a, l, d))
	return true;
    }
  for (tree u : names_used (d))
    todo.add (u);
  return false;
}

/* True if whether L ends depends on what is polled in it.  */

static bool
ends_by_poll (accesses &a, class loop *l, const std::vector<edge> &exits)
{
  worklist<tree> todo;
  auto ask = [&] (basic_block b)
    {
      if (flow_bb_inside_loop_p (l, b))
	for (tree t : asked_at (b))
	  todo.add (t);
    };
  for (edge e : exits)
    ask (e->src);
  for (tree n; todo.next (&n); )
    {
      gimple *d = SSA_NAME_DEF_STMT (n);
      if (!gimple_bb (d) || !flow_bb_inside_loop_p (l, gimple_bb (d)))
	continue;
      if (gphi *p = dyn_cast <gphi *> (d))
	{
	  /* What decides which value it gets.  */
	  basic_block at = gimple_bb (p);
	  basic_block top = get_immediate_dominator (CDI_DOMINATORS, at);
	  worklist<basic_block> back;
	  for (phi_value v : values_of (p))
	    {
	      if (is_name (v.value))
		todo.add (v.value);
	      back.add (v.from->src);
	    }
	  for (basic_block b; back.next (&b); )
	    {
	      ask (b);
	      if (b != top && at->loop_father->header != at)
		for (edge e : edges (b->preds))
		  back.add (e->src);
	    }
	}
      else if (made_by_poll (a, l, d, todo))
	return true;
    }
  return false;
}

/* True if L does nothing but look at the same places, or sleep.  */

static bool
only_polls (accesses &a, class loop *l)
{
  bool polled = false;
  affine_iv iv;
  for (gimple *s : statements (blocks_of (l)))
    {
      bool looks = polls (a, s);
      polled |= looks;
      if (!looks && gimple_vuse (s)
	  && !(is_gimple_call (s) && gimple_call_num_args (s) == 0))
	return false;
      std::vector<tree> made;
      for (tree ref : operands_of (s, false))
	for (tree n : indices (ref))
	  made.push_back (n);
      for (tree t : arguments (s))
	for (tree n : TREE_CODE (t) == ADDR_EXPR
		      ? indices (TREE_OPERAND (t, 0))
		      : std::vector<tree> (leads (t), t))
	  made.push_back (n);
      for (tree t : made)
	if (is_name (t) && (!simple_iv (l, l, t, &iv, true)
			    || !integer_zerop (iv.step)))
	  return false;
    }
  return polled;
}

/* True if the inner loop L may wait.  */

static bool
waits_in (accesses &a, class loop *l)
{
  std::vector<edge> exits;
  bool counted = false;
  for (basic_block b : blocks_of (l))
    for (edge e : edges (b->succs))
      if (!flow_bb_inside_loop_p (l, e->dest))
	exits.push_back (e);
  for (edge e : exits)
    {
      class tree_niter_desc d;
      gcond *c = test_of (e->src);
      if (l->latch && dominated_by_p (CDI_DOMINATORS, l->latch, e->src) && c
	  && (has_limit (l, e, c)
	      || ((steps (l, gimple_cond_lhs (c))
		   || steps (l, gimple_cond_rhs (c)))
		  && number_of_iterations_exit (l, e, &d, false, false))))
	counted = true;
    }
  return ((!counted || (exits.size () > 1 && only_polls (a, l)))
	  && (exits.empty () || ends_by_poll (a, l, exits)));
}

/* True if B belongs to a loop that is entered at several places, and looks at
   what others change.  */

static bool
polls_on_entry (accesses &a, basic_block b)
{
  for (gimple *s : statements (b))
    if ((b->flags & BB_IRREDUCIBLE_LOOP) && polls (a, s))
      return true;
  return false;
}

/* True if A and B are made alike.  */

static bool
made_alike (tree a, tree b, int depth)
{
  if (operand_equal_p (a, b, 0))
    return true;
  if (depth > 8 || TREE_CODE (a) != TREE_CODE (b))
    return false;
  if (TREE_CODE (a) == ADDR_EXPR || handled_component_p (a)
      || TREE_CODE (a) == MEM_REF)
    {
      for (int i = 0; i < TREE_OPERAND_LENGTH (a); i++)
	{
	  tree x = TREE_OPERAND (a, i), y = TREE_OPERAND (b, i);
	  if (x != y && !(x && y && made_alike (x, y, depth + 1)))
	    return false;
	}
      return true;
    }
  gimple *p = set_by (a), *q = set_by (b);
  if (!p || !is_gimple_assign (p) || code_of (p) != code_of (q))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (p); i++)
    if (gimple_op (p, i) && !made_alike (gimple_op (p, i), gimple_op (q, i),
					 depth + 1))
      return false;
  return true;
}

/* True if LOOP's iteration may have taken a lock before it comes to R.  */

static bool
has_taken (judged_loop &loop, gcall *r)
{
  worklist<basic_block> back;
  back.add (gimple_bb (r));
  for (basic_block b; back.next (&b); )
    {
      for (gimple *s : statements (b))
	if (gcall *c = dyn_cast <gcall *> (s))
	  {
	    if (c == r)
	      break;
	    if (loop.acc.call_flags (c) & F_LOCKS)
	      return true;
	  }
      if (!loop.begins (b))
	for (edge e : edges (b->preds))
	  back.add (e->src);
    }
  return false;
}

/* Locks that the loop takes and does not release, or the other way.  */

static void
judge_locks (judged_loop &loop)
{
  std::vector<gcall *> taken, released;
  for (gimple *s : statements (loop.blocks))
    if (gcall *c = dyn_cast <gcall *> (s))
      {
	unsigned fl = loop.acc.call_flags (c);
	if (fl & F_LOCKS)
	  taken.push_back (c);
	if (fl & F_UNLOCKS)
	  released.push_back (c);
      }
  if (taken.empty () != released.empty ())
    {
      loop.fail (R_WAITS, "holds a lock beyond the iteration",
		 taken.empty () ? released[0] : taken[0]);
      return;
    }
  for (gcall *r : released)
    {
      bool found = gimple_call_num_args (r) == 0;
      for (gcall *t : taken)
	if (gimple_call_num_args (t) > 0 && gimple_call_num_args (r) > 0)
	  {
	    tree x = gimple_call_arg (t, 0), y = gimple_call_arg (r, 0);
	    found |= (made_alike (x, y, 0)
		      || (POINTER_TYPE_P (TREE_TYPE (x))
			  && POINTER_TYPE_P (TREE_TYPE (y))
			  && !loop.made_of_iterator (x)
			  && !loop.made_of_iterator (y)
			  && loop.model.same (loop.model.leads_to (x),
					      loop.model.leads_to (y))));
	  }
      if (!found || (kind_of_call (r) == AMP_UNLOCK && !has_taken (loop, r)))
	loop.fail (R_WAITS, "releases a lock that it has not taken", r);
    }
  if (!taken.empty () && loop.acc.locked_at (loop.nexts[0])
      && !loop.acc.locked_at (loop.start))
    loop.fail (R_WAITS, "holds a lock beyond the iteration", taken[0]);
}

/* Where A's code outside of judged LOOPS may wait: calls, and the ends of the
   blocks of loops that wait.  */

static std::set<gimple *>
waits_around (accesses &a, const std::vector<judged_loop *> &loops)
{
  std::set<gimple *> waits;
  for (gimple *s : statements (a.model.fn))
    if (gcall *c = dyn_cast <gcall *> (s))
      if (!a.model.judged[gimple_bb (s)->index])
	{
	  unsigned flags = a.call_flags (c);
	  unsigned number = a.model.chosen[gimple_bb (s)->index];
	  for (tree t : arguments (c))
	    number |= a.model.number_of (t);
	  if ((flags & F_WAITS) || ((flags & F_UNKNOWN) && (number & N_USER)))
	    waits.insert (c);
	}
  std::set<class loop *> around;
  for (judged_loop *j : loops)
    for (class loop *l = j->chunks; l && around.insert (l).second;)
      l = loop_outer (l);
  for (unsigned k = 1; k < number_of_loops (a.model.fn); k++)
    if (class loop *l = get_loop (a.model.fn, k))
      {
	if (around.count (l) || a.model.judged[l->header->index]
	    || !waits_in (a, l))
	  continue;
	for (basic_block b : blocks_of (l))
	  if (gimple *s = last_of (b))
	    waits.insert (s);
      }
  return waits;
}

/* True if threads may come from FROM, the beginning of a loop, to where they
   wait, or from there to it, without a barrier.  *OUT: or to the function's
   ends.  */

static bool
waits_near (flow &f, gimple *from, bool back,
	    const std::set<gimple *> &waits, bool *out)
{
  return without_barrier (f, from, back, [&] (gimple *s)
    {
      return waits.count (s) != 0;
    }, out);
}

/* Functions whose callers do neither.  */
static std::set<tree> calm;

/* True if a function that calls FNDECL, or a caller of that, may wait, or may
   hold a lock.  */

static bool
waiting_callers (tree fndecl)
{
  worklist<tree> todo;
  std::vector<tree> met;
  todo.add (fndecl);
  while (todo.next (&fndecl))
    {
      if (calm.count (fndecl))
	continue;
      met.push_back (fndecl);
      for (cgraph_edge *e : calls_of (fndecl))
	{
	  const summary *s = summary_of (e->caller->decl, 0);
	  accesses *a = view_of_caller (e, 1);
	  /* A function on the way that calls itself is not looked at.  */
	  if ((s && (s->flags & F_WAITS)) || !a || a->may_hold (e->call_stmt))
	    return true;
	  todo.add (e->caller->decl);
	}
    }
  calm.insert (met.begin (), met.end ());
  return false;
}

/* True if threads may wait for each other around LOOP: a barrier at its end
   would hold up those that are waited for.  */

static bool
may_wait_around (judged_loop &loop, const std::set<gimple *> &waits)
{
  bool out = false;
  if (!loop.chunks
      || waits_near (loop.model, loop.start, true, waits, &out)
      || waits_near (loop.model, loop.nexts[0], false, waits, &out))
    return true;
  /* Functions that are not known, on both sides, may let one thread go after
     the other.  */
  bool ends = false;
  auto unknown = [&] (gimple *s)
    {
      gcall *c = dyn_cast <gcall *> (s);
      return c && (loop.acc.call_flags (c) & F_UNKNOWN);
    };
  return ((without_barrier (loop.model, loop.start, true, unknown, &ends)
	   && without_barrier (loop.model, loop.nexts[0], false, unknown,
			       &ends))
	  || (out && waiting_callers (loop.model.fn->decl)));
}

static void
judge_waits (judged_loop &loop)
{
  for (gimple *s : statements (loop.blocks))
    if (gcall *c = dyn_cast <gcall *> (s))
      {
	unsigned flags = loop.acc.call_flags (c);
	if (flags & F_WAITS)
	  loop.fail (R_WAITS, "may wait for another thread", c, callee (c));
	if (calls (c, "__sync_synchronize")
	    || calls (c, "__atomic_thread_fence"))
	  loop.fail (R_WAITS, "orders what threads write", c);
	loop.unknown_calls += (flags & F_UNKNOWN) != 0;
      }
  std::map<int, class loop *> inner;
  for (basic_block b : loop.blocks)
    {
      if (polls_on_entry (loop.acc, b))
	loop.fail (R_WAITS, "may wait for another thread", last_of (b));
      if (b->loop_father->header == b && b->loop_father != loop.chunks)
	inner[b->loop_father->num] = b->loop_father;
    }
  for (std::pair<const int, class loop *> &i : inner)
    if (loop.iterates (i.second)
	? loop.turns (i.second) && polled_in (loop.acc, i.second)
	: waits_in (loop.acc, i.second))
      loop.fail (R_WAITS, "may wait for another thread",
		 last_of (i.second->header));
  judge_locks (loop);
}
