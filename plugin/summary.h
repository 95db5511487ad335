/* SPDX-License-Identifier: GPL-3.0-or-later

   What functions of this file do, found out once for each.  */

/* The compiler's analyses of FN, while this lives.  */

class in_function
{
public:
  explicit in_function (function *fn)
  {
    again = scev_initialized_p ();
    if (again)
      scev_finalize ();
    busy ().insert (fn);
    push_cfun (fn);
    /* A region's blocks have the numbers of the function that it is from.  */
    if (last_basic_block_for_fn (fn) > 2 * n_basic_blocks_for_fn (fn))
      compact_blocks ();
    loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    calculate_dominance_info (CDI_DOMINATORS);
    calculate_dominance_info (CDI_POST_DOMINATORS);
    scev_initialize ();
  }
  ~in_function ()
  {
    scev_finalize ();
    loop_optimizer_finalize ();
    free_dominance_info (CDI_DOMINATORS);
    free_dominance_info (CDI_POST_DOMINATORS);
    busy ().erase (cfun);
    pop_cfun ();
    if (again)
      scev_initialize ();
  }
  /* Functions that are being looked at.  */
  static std::set<function *> &busy ()
  {
    static std::set<function *> s;
    return s;
  }

private:
  /* Scalar evolution was on for the function before.  */
  bool again;
};

static bool waits_in (accesses &a, class loop *l);
static bool polls_on_entry (accesses &a, basic_block b);
static bool polls (accesses &a, gimple *s);
static void find_trail (accesses &a, summary &sum);

/* The effect of A on what parameter PARM leads to at DEPTH.  */

static effect
effect_of (const access &a, unsigned parm, unsigned depth)
{
  effect e = { parm, depth, 0, -1, a.store, false, a.adds, a.locked, a.op,
	       a.made | (parm == CHAIN ? 0 : bit_of (parm)) };
  reach r = { a.where.base, make_range (a.where.offset,
					a.where.offset + a.where.size) };
  if (!a.where.known || a.where.size < 0
      || !(r.root && TREE_CODE (r.root) == SSA_NAME
	   && SSA_NAME_IS_DEFAULT_DEF (r.root)))
    r = reach_of_access (a);
  if ((!r.root || r.bytes.sym) && a.where.span > 0)
    r = { a.where.base, make_range (a.where.offset,
				    a.where.offset + a.where.span) };
  if (depth == 0 && r.root && !r.bytes.sym && TREE_CODE (r.root) == SSA_NAME
      && SSA_NAME_IS_DEFAULT_DEF (r.root))
    {
      e.offset = r.bytes.low;
      e.size = r.bytes.high - r.bytes.low;
      e.must = a.store && a.must && a.where.known && a.where.base == r.root;
    }
  return e;
}

void
summary::add (const effect &e)
{
  for (effect &x : effects)
    if (x.parm == e.parm && x.depth == e.depth && x.offset == e.offset
	&& x.size == e.size && x.store == e.store && x.adds == e.adds
	&& x.locked == e.locked && x.op == e.op)
      {
	x.must |= e.must;
	x.made &= e.made;
	return;
      }
  effects.push_back (e);
}

/* Parameters, a bit each, that values of F's function are made of, by SSA
   version.  */

static std::vector<unsigned>
made_of_parms (flow &f)
{
  std::vector<unsigned> made (SSANAMES (f.fn)->length (), 0u);
  unsigned p = 0;
  for (tree d = DECL_ARGUMENTS (f.fn->decl); d; d = DECL_CHAIN (d), p++)
    if (tree name = ssa_default_def (f.fn, d))
      made[SSA_NAME_VERSION (name)] = bit_of (p);
  for (bool changed = true; changed; )
    {
      changed = false;
      for (gimple *s : statements (f.order, true))
	if (tree lhs = name_set_by (s))
	  {
	    unsigned &m = made[SSA_NAME_VERSION (lhs)], before = m;
	    for (tree t : names_used (s))
	      m |= made[SSA_NAME_VERSION (t)];
	    changed |= m != before;
	  }
    }
  return made;
}

/* The effects of the whole function on what its parameters lead to.  */

void
accesses::effects (summary &s)
{
  std::map<int, std::vector<std::pair<unsigned, unsigned> > > roots;
  unsigned n = list_length (DECL_ARGUMENTS (model.fn->decl));
  for (unsigned p = 0; p <= n; p++)
    {
      unsigned i = p < n ? p : CHAIN;
      tree parm = parameter (model.fn, i);
      int c = parm ? model.class_of_parm (parm) : -1;
      if (c < 0)
	continue;
      if (POINTER_TYPE_P (TREE_TYPE (parm)))
	roots[model.find (c)].push_back (std::make_pair (i, 0u));
      for (int b : model.below (c))
	roots[b].push_back (std::make_pair (i, 1u));
    }
  std::vector<access> what (all);
  if (!roots.empty () && !model.order.empty ())
    {
      covering c (*this, model.order, model.order[0]);
      c.run (true);
      what = all;
      for (access &a : what)
	if (a.store && a.must)
	  a.must = c.at_exit (c.spot_at (&a - &what[0]));
      for (access &a : c.filled ())
	what.push_back (a);
    }
  std::vector<unsigned> made = made_of_parms (model);
  for (access &a : what)
    {
      unsigned f = model.flags (a.cls), arguments = a.made;
      a.made = 0;
      auto add = [&] (tree t)
	{
	  a.made |= is_name (t) ? made[SSA_NAME_VERSION (t)] : 0;
	};
      for (tree t : indices (a.ref))
	add (t);
      for (unsigned i = 0; arguments && i < gimple_call_num_args (a.stmt); i++)
	if (arguments & bit_of (i))
	  add (gimple_call_arg (a.stmt, i));
      if (f & C_TLS)
	s.flags |= F_TLS;
      if ((a.number & N_USER) && !leads_on (model, a))
	s.flags |= a.adds ? F_BY_NUMBER : F_IDENTITY;
      if (a.store || !a.covered)
	for (std::pair<unsigned, unsigned> &root : roots[model.find (a.cls)])
	  s.add (effect_of (a, root.first, root.second));
    }
  /* Too many to tell apart.  */
  if (s.effects.size () > 48)
    {
      std::vector<effect> all;
      all.swap (s.effects);
      for (effect &x : all)
	s.add ({ x.parm, x.depth, 0, -1, x.store, false, false, x.locked,
		 ERROR_MARK, x.made });
    }
}

/* FNDECL's function, if its body is here, in SSA form, and what will run, or
   ANY.  */

static function *
body_of (tree fndecl, bool any)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  if (!node || (!any && node->get_availability () <= AVAIL_INTERPOSABLE))
    return NULL;
  node = node->ultimate_alias_target ();
  function *f = node ? DECL_STRUCT_FUNCTION (node->decl) : NULL;
  return (f && !in_function::busy ().count (f) && f->cfg && f->gimple_df
	  && gimple_in_ssa_p (f) ? f : NULL);
}

/* Which of PARMS lead to C, and *BELOW: below which it lies, a bit each.  */

static unsigned
leading_to (flow &f, const std::vector<int> &parms, int c, unsigned *below)
{
  unsigned here = 0;
  *below = 0;
  for (unsigned j = 0; j < parms.size (); j++)
    if (parms[j] >= 0)
      {
	if (f.same (parms[j], c))
	  here |= bit_of (j);
	for (int d : f.below (parms[j]))
	  if (f.same (d, c))
	    *below |= bit_of (j);
      }
  return here;
}

/* Which pointers the function stores in what PARMS lead to.  */

static void
find_stored (flow &f, const std::vector<int> &parms, summary &s)
{
  for (int p : parms)
    {
      unsigned m = 0, shared = 0, same = 0, below;
      bool own = false, deeper = false;
      if (p >= 0)
	same = leading_to (f, parms, p, &below);
      for (int b : p < 0 ? std::vector<int> () : f.below (p))
	{
	  unsigned here = leading_to (f, parms, b, &below);
	  bool o = (f.flags (b) & C_OWN) != 0;
	  own |= o;
	  m |= here;
	  shared |= below & (~same | bit_of (31));
	  if (f.is_flat (b))
	    s.flat_below |= bit_of (s.shares.size ());
	  deeper |= ((o || here || (below & ~same))
		     && (!f.right_below (p, b) || f.right_below (b, b)));
	}
      s.stores.push_back (m);
      s.shares.push_back (shared);
      if (p >= 0 && f.is_flat (p))
	s.flat |= bit_of (s.shares.size () - 1);
      s.stores_own.push_back (own);
      s.stores_deeper.push_back (deeper);
    }
}

/* What the value V is that the function returns.  */

static void
find_returned (flow &f, const std::vector<int> &parms, tree v, summary &s)
{
  s.number |= f.number_of (v);
  if (TREE_CODE (v) == RESULT_DECL || VAR_P (v))
    s.number |= f.at (f.class_of_base (v)).number;
  bool object = f.carries (v);
  if (!object && !POINTER_TYPE_P (TREE_TYPE (v)))
    return;
  int top = object ? f.class_of (v) : f.leads_to (v);
  std::vector<int> all (1, top);
  if (object || DECL_BY_REFERENCE (DECL_RESULT (f.fn->decl)))
    all = f.below (top);
  s.inner |= !object && offset_of (pointer_place (v)) != 0;
  for (int c : all)
    {
      unsigned fl = f.flags (c);
      s.inner |= f.is_flat (c);
      unsigned below, here = leading_to (f, parms, c, &below);
      below &= ~here;
      s.parms |= here;
      s.below |= below;
      for (unsigned i = 0; i < parms.size (); i++)
	if ((below & bit_of (i)) && !f.right_below (parms[i], c))
	  s.stores_deeper[i] = true;
      /* A thread-local variable is another for each thread.  */
      if (fl & C_TLS)
	s.number |= N_USER;
      s.own |= (fl & C_OWN) != 0;
      s.held |= fl & C_OWN ? f.own_number (c) & N_USER : 0;
      s.open |= (fl & C_OPEN) && !here && !below;
      s.shared |= (fl & (C_SHARED | C_TLS)) != 0;
      s.own_deeper |= s.own && f.right_below (c, c);
      for (int b : f.below (c))
	s.own_deeper |= (f.flags (b) & C_OWN) != 0;
    }
}

static void
find_returns (flow &f, summary &s)
{
  std::vector<int> parms;
  for (tree d = DECL_ARGUMENTS (f.fn->decl); d; d = DECL_CHAIN (d))
    parms.push_back (f.class_of_parm (d));
  find_stored (f, parms, s);
  for (edge e : edges (EXIT_BLOCK_PTR_FOR_FN (f.fn)->preds))
    {
      gimple *last = last_of (e->src);
      greturn *r = last ? dyn_cast <greturn *> (last) : NULL;
      tree v = r ? gimple_return_retval (r) : NULL_TREE;
      if (!v)
	continue;
      s.number |= f.chosen[e->src->index];
      find_returned (f, parms, v, s);
    }
}

/* Parameters of F's function, a bit each, that lead to C, or to what that lies
   below; none of a construct's.  */

static unsigned
parms_above (flow &f, int c)
{
  std::vector<int> parms;
  unsigned below;
  for (tree d = DECL_ARGUMENTS (f.fn->decl); d && !f.outlined;
       d = DECL_CHAIN (d))
    parms.push_back (f.class_of_parm (d));
  unsigned here = leading_to (f, parms, c, &below);
  return f.at (c).parms | here | below;
}

/* True if S, in a function that asks for the thread's number, does something by
   it.  */

static bool
find_identity (flow &f, gimple *s, summary &sum)
{
  bool uses = gimple_code (s) == GIMPLE_COND && (f.asked_by (s) & N_USER);
  const summary *r = f.summary_of_call (s);
  for (unsigned k = 0; r && k < gimple_call_num_args (s); k++)
    {
      tree a = gimple_call_arg (s, k);
      if (!((r->tickets | r->noted) & bit_of (k)) || !leads (a))
	continue;
      unsigned above = parms_above (f, f.leads_to (a));
      sum.tickets |= r->tickets & bit_of (k) ? above : 0;
      sum.noted |= r->noted & bit_of (k) ? above : 0;
    }
  unsigned made = (gimple_assign_single_p (s) && gimple_store_p (s)
		   ? f.number_of (gimple_assign_rhs1 (s)) : 0);
  if (made & (N_TICKET | N_USER))
    {
      int c = f.class_of (gimple_assign_lhs (s));
      unsigned above = parms_above (f, c);
      sum.tickets |= made & N_TICKET ? above : 0;
      sum.noted |= made & N_USER ? above : 0;
      uses |= (made & N_USER) && !(f.flags (c) & C_OWN);
    }
  for (tree a : arguments (s))
    uses |= (f.number_of (a) & N_USER) != 0;
  return uses;
}

/* What the function of F does besides memory: into S.  */

static void
find_flags (flow &f, accesses &a, summary &s)
{
  unsigned lock = 0, locked = 0;
  auto add = [&] (basic_block b, unsigned more)
    {
      (f.returns[b->index] ? s.flags : s.thrown) |= more;
    };
  for (basic_block b : f.order)
    {
      unsigned fl = a.block_flags[b->index];
      add (b, fl & ~(F_LOCKING | F_HOLDS | F_ASKS));
      (f.returns[b->index] ? lock : locked) |= fl & (F_LOCKING | F_HOLDS);
    }
  if (locked)
    s.thrown |= F_HOLDS | F_POLLS;
  /* std::stoi and its like put back what they find.  */
  bool restores = strstr (amp_name (f.fn->decl), "9__gnu_cxx6__stoa") != NULL;
  for (gimple *t : statements (f.fn))
    {
      basic_block b = gimple_bb (t);
      if (const summary *r = f.summary_of_call (t))
	s.thrown |= r->thrown;
      if (!restores)
	add (b, errno_flags (t));
      if (polls (a, t))
	{
	  add (b, F_POLLS);
	  tree lhs = name_set_by (t);
	  s.tells |= lhs && !has_zero_uses (lhs);
	}
      if (f.asks && find_identity (f, t, s))
	add (b, F_IDENTITY);
    }
  for (basic_block b : f.order)
    if (polls_on_entry (a, b))
      add (b, F_WAITS);
  for (unsigned k = 1; k < number_of_loops (f.fn); k++)
    if (class loop *l = get_loop (f.fn, k))
      if (waits_in (a, l))
	add (l->header, F_WAITS);
  if (lock == F_LOCKS || lock == F_UNLOCKS)
    s.flags |= lock;
  else if (lock)
    for (edge e : edges (EXIT_BLOCK_PTR_FOR_FN (f.fn)->preds))
      if (a.may_hold (gsi_stmt (gsi_last_bb (e->src))))
	s.flags |= F_HOLDS;
}

/* Find if what A's function allocates has a value, and if what is made of the
   number of threads selects where it stores: one place a thread, maybe.  */

static void
find_values (accesses &a, summary &sum)
{
  std::set<tree> team;
  if (!is_library (a.model.fn->decl))
    team = kept_team.in (a.model.fn);
  for (memory_class &c : a.model.classes)
    sum.value |= (c.flags & (C_HEAP | C_VALUE)) == (C_HEAP | C_VALUE);
  for (access &x : a.all)
    {
      bool found = false;
      sum.value |= x.store && (a.model.flags (x.cls) & C_HEAP);
      if (!x.store || x.locked || x.atomic
	  || (a.model.flags (x.cls) & C_OWN))
	continue;
      for (tree t : indices (x.ref))
	found |= team.count (t) != 0;
      for (tree t : x.ref ? std::vector<tree> () : arguments (x.stmt))
	found |= leads (t) && team.count (t);
      if (found)
	sum.flags |= F_IDENTITY;
    }
}

/* Find what loops that are divided leave in A's function to the thread: it may
   return that.  */

static bool
mark_returned (accesses &a)
{
  flow &f = a.model;
  std::vector<bool> in (f.judged.size (), false);
  std::set<int> stored;
  bool any = false;
  for (gimple *s : statements (f.fn))
    if (calls (s, "GOMP_loop_", "_next"))
      for (basic_block b : blocks_of (gimple_bb (s)->loop_father))
	any = in[b->index] = true;
  if (!any)
    return false;
  for (gimple *s : statements (blocks_of (f.fn), true))
    if (in[gimple_bb (s)->index] && is_name (result_of (s)))
      for (gimple *u : uses (result_of (s)))
	if (!in[gimple_bb (u)->index] && !is_gimple_call (u)
	    && name_set_by (u))
	  f.leave (name_set_by (u), N_LEFT);
  for (access &x : a.all)
    if (x.store && in[x.bb->index] && (f.flags (x.cls) & C_OWN))
      stored.insert (f.find (x.cls));
  for (access &x : a.all)
    if (!x.store && !x.adds && !in[x.bb->index]
	&& stored.count (f.find (x.cls)))
      f.leave_memory (x.stmt, x.cls);
  return true;
}

static const summary *
summary_of (tree fndecl, unsigned level, bool any)
{
  static std::map<tree, summary *> all;
  /* Those whose callees may not be known yet; whose callee is asked for.  */
  static std::vector<summary *> begun;
  static summary *caller;
  std::map<tree, summary *>::iterator i = all.find (fndecl);
  function *fn = i == all.end () && level < 100 ? body_of (fndecl, any)
		 : NULL;
  bool replaceable = fn && !body_of (fndecl);
  if (fn)
    i = all.find (fndecl = fn->decl);
  if (i != all.end () && caller)
    {
      caller->first = MIN (caller->first, i->second->first);
      i->second->again |= !i->second->ready;
    }
  if (i != all.end () || !fn)
    return (i != all.end () && i->second->ready
	    && (any || !i->second->replaceable) ? i->second : NULL);
  summary *s = all[fndecl] = new summary (), *outer = caller;
  unsigned from = s->first = begun.size ();
  s->replaceable = replaceable;
  begun.push_back (s);
  caller = s;
  in_function now (fn);
  flow f (fn, level);
  f.summed = true;
  if (f.asks)
    f.spread ();
  accesses a (f);
  bool left = mark_returned (a);
  if (mark_tickets (f, a, N_TICKET) || left)
    {
      f.spread ();
      a.number_again ();
    }
  a.effects (*s);
  find_flags (f, a, *s);
  find_returns (f, *s);
  /* What longjmp finds is not followed.  */
  s->number |= returns_twice (fn) ? N_USER : 0;
  find_values (a, *s);
  find_trail (a, *s);
  s->ready = true;
  caller = outer;
  if (s->first < from)
    outer->first = MIN (outer->first, s->first);
  else
    {
      /* They call each other, or the one itself: a way to wait.  */
      for (unsigned j = from; j < begun.size (); j++)
	if (s->again && begun[j]->tells)
	  s->flags |= F_WAITS;
      for (; begun.size () > from; begun.pop_back ())
	{
	  begun.back ()->flags |= s->flags & ~F_LOCKING;
	  begun.back ()->thrown |= s->thrown;
	  begun.back ()->number |= s->number;
	  begun.back ()->first = -1u;
	}
    }
  return s;
}
