/* Rule `identity': the thread's number in the loop, or in what it uses.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is made of the number may select memory, which is then the thread's own
   and judged so, and nothing else.  Nor may threads have written or read by
   their number, without a barrier since, what the loop uses: static may give
   them the same iterations.  */

/* The loop compares or divides its iterator by what is made of the number of
   threads: it may find out in whose block an iteration is.  */

static void
judge_team (judged_loop &loop)
{
  const std::set<tree> &team = kept_team.in (loop.model.fn);
  const unsigned made = I_FINE | I_DIV | I_MOD;
  /* Made of both.  */
  std::set<tree> both;
  if (team.empty ())
    return;
  for (gimple *s : statements (loop.blocks))
    {
      tree x = NULL_TREE, y = NULL_TREE;
      bool cond = gimple_code (s) == GIMPLE_COND;
      tree lhs = is_gimple_assign (s) ? gimple_assign_lhs (s) : NULL_TREE;
      if (cond || (lhs && gimple_assign_rhs_class (s) == GIMPLE_BINARY_RHS))
	{
	  x = gimple_op (s, !cond);
	  y = gimple_op (s, 1 + !cond);
	}
      tree_code op = code_of (s);
      bool finds = (op != PLUS_EXPR && op != MULT_EXPR
		    && op != POINTER_PLUS_EXPR);
      for (int k = 0; k < 2 && x; k++, std::swap (x, y))
	if (finds && both.count (x))
	  loop.fail (R_IDENTITY, "is made of the number of threads and"
		     " compared, or divided", s, x);
	else if (team.count (x) && (loop.made_of_iterator (y) & made))
	  {
	    if (finds)
	      loop.fail (R_IDENTITY, "is compared with what the number of"
			 " threads gives", s, y);
	    both.insert (lhs);
	  }
      for (unsigned i = 1; lhs && i < gimple_num_ops (s); i++)
	if (gimple_op (s, i) && both.count (gimple_op (s, i)))
	  both.insert (lhs);
    }
}

/* Calls, of all functions, that end loops whose nowait may be given back.  */
static std::set<gimple *> loose_ends;

/* True if all threads have come when S, in code at LEVEL, has ended.  */

static bool
is_barrier (gimple *s, unsigned level)
{
  if (loose_ends.count (s))
    return false;
  if (calls (s, "GOMP_barrier") || calls (s, "GOMP_barrier_cancel")
      || calls (s, "GOMP_loop_end") || calls (s, "GOMP_loop_end_cancel")
      || calls (s, "GOMP_sections_end"))
    return true;
  const summary *sum = callee (s) ? summary_of (callee (s), level + 1) : NULL;
  return sum && sum->barred;
}

/* True if call S, which does what SUM says, reads what was made of the number
   from what its argument I leads to.  */

static bool
reads_number (flow &f, gcall *s, unsigned i, const summary *sum)
{
  int c = f.class_of_argument (gimple_call_arg (s, i));
  if (c < 0)
    return false;
  bool holds = (f.flags (c) & C_OWN) && (f.at (c).number & N_USER);
  for (int b : f.below (c))
    holds |= (f.flags (b) & C_OWN) && (f.at (b).number & N_USER);
  bool reads = !sum || f.carries (gimple_call_arg (s, i));
  if (holds && sum)
    for (const effect &e : sum->effects)
      reads |= e.parm == i && !e.store && !e.adds;
  return holds && reads;
}

/* S puts the number into what the loop sums up in a register.  */

static bool
sums_number (judged_loop &loop, gimple *s)
{
  tree lhs = result_of (s);
  if (!lhs || !loop.closed.count (lhs))
    return false;
  std::vector<tree> in;
  if (gphi *p = dyn_cast <gphi *> (s))
    {
      for (phi_value v : values_of (p))
	if (loop.in (v.from->src))
	  in.push_back (v.value);
    }
  else
    in = names_used (s);
  for (tree t : in)
    if (!loop.closed.count (t) && loop.model.number_of (t))
      return true;
  return false;
}

/* Call C, in the loop, uses the number otherwise than to select memory.  */

static bool
call_uses_number (judged_loop &loop, gcall *c)
{
  flow &f = loop.model;
  tree fd = callee (c);
  const amp_known *k = amp_known_function (fd);
  unsigned fl = loop.acc.call_flags (c);
  tree lhs = gimple_call_lhs (c);
  if (k && k->kind == AMP_IDENTITY && lhs && !is_name (lhs)
      && !(f.flags (f.class_of (lhs)) & C_OWN))
    return true;
  if ((fl & F_IDENTITY) && !(k && k->kind == AMP_IDENTITY))
    return true;
  if (fl & F_BY_NUMBER)
    loop.summed.insert ("");
  if (gimple_call_fn (c) && f.number_of (gimple_call_fn (c)))
    return true;
  const summary *sum = f.summary_of_call (c);
  for (unsigned i = 0; i < gimple_call_num_args (c); i++)
    {
      tree a = gimple_call_arg (c, i);
      bool pointer = POINTER_TYPE_P (TREE_TYPE (a));
      if (tells_whose (loop, a) && call_stores (loop, c, i, sum))
	return true;
      if (!gimple_call_internal_p (c) && !k && !(fd && is_atomic (c))
	  && (!is_ours (fd) || is_construct (c)) && reads_number (f, c, i, sum))
	return true;
      bool place = ((is_atomic (c) && i == 0) || (sum && pointer)
		    || (k && (k->fills | k->reads | k->keeps) && pointer)
		    || (k && k->kind == AMP_FREE));
      if (f.number_of (a) && !place)
	return true;
    }
  tree chain = gimple_call_chain (c);
  int d = chain ? f.class_of_argument (chain) : -1;
  if (d >= 0 && (f.flags (d) & C_OWN) && (f.own_number (d) & N_USER))
    {
      if (!sum)
	return true;
      for (const effect &e : sum->effects)
	if (e.parm == CHAIN && !e.store && !e.adds)
	  return true;
    }
  return false;
}

/* S, in the loop, does.  */

static bool
uses_number (judged_loop &loop, gimple *s)
{
  flow &f = loop.model;
  if (gcond *c = dyn_cast <gcond *> (s))
    return (!loop.closed.count (gimple_cond_lhs (c))
	    && !loop.closed.count (gimple_cond_rhs (c)) && f.asked_by (s));
  if (gimple_code (s) == GIMPLE_SWITCH)
    return f.asked_by (s);
  if (gcall *c = dyn_cast <gcall *> (s))
    return call_uses_number (loop, c);
  if (gimple_assign_single_p (s) && gimple_store_p (s))
    {
      tree v = gimple_assign_rhs1 (s);
      return ((f.number_of (v) || tells_whose (loop, v)
	       || (!is_gimple_val (v) && f.at (f.class_of (v)).number))
	      && !(f.flags (f.class_of (gimple_assign_lhs (s))) & C_OWN));
    }
  return sums_number (loop, s);
}

/* What a loop uses.  */

struct used_place
{
  int cls;
  place where;
  bool operator< (const used_place &o) const
  {
    const place &p = where, &q = o.where;
    return (std::tie (cls, p.base, p.offset, p.size, p.known)
	    < std::tie (o.cls, q.base, q.offset, q.size, q.known));
  }
};

/* True if U and A, which F's code accesses, may be the same memory.  */

static bool
may_alias (flow &f, const used_place &u, const access &a)
{
  int c = u.cls, d = a.cls;
  if (u.where.known && a.where.known && u.where.base == a.pointer
      && u.where.size >= 0 && a.where.size >= 0
      && (u.where.offset + u.where.size <= a.where.offset
	  || a.where.offset + a.where.size <= u.where.offset))
    return false;
  if (f.same (c, d))
    return true;
  if (is_got (f, u.where.base) != is_got (f, a.pointer))
    return false;
  tree x = f.at (c).decl, y = f.at (d).decl;
  bool vx = (f.flags (c) & C_VARIABLE) && x && VAR_P (x);
  bool vy = (f.flags (d) & C_VARIABLE) && y && VAR_P (y);
  if (vx && vy)
    return false;
  return !((vx && !TREE_ADDRESSABLE (x)) || (vy && !TREE_ADDRESSABLE (y)));
}

/* True if S, a call, gets memory of the thread's own that holds what is made of
   its number, such as an array's descriptor.  */

static bool
hands_held_number (accesses &a, gimple *s)
{
  for (tree t : arguments (s))
    {
      int c = a.model.class_of_argument (t);
      if (c >= 0 && (a.model.flags (c) & C_OWN)
	  && (a.model.own_number (c) & N_USER))
	return true;
    }
  return false;
}

/* True if S hands the thread's number to code that may use it to select
   memory.  */

static bool
hands_number (accesses &a, gimple *s)
{
  gcall *c = dyn_cast <gcall *> (s);
  tree fd = callee (s);
  if (!c || gimple_call_internal_p (c) || is_message (c) || is_atomic (c)
      || (fd && (is_ours (fd) || amp_known_function (fd)))
      || (gimple_call_flags (c) & (ECF_CONST | ECF_PURE)))
    return false;
  for (tree t : arguments (c))
    if (a.model.number_of (t) & N_USER)
      return true;
  if (hands_held_number (a, s))
    return true;
  const summary *sum = fd ? summary_of (fd, a.model.level + 1) : NULL;
  return (sum ? sum->trails
	  : (a.call_flags (c) & (F_IDENTITY | F_BY_NUMBER)) != 0);
}

/* True if VISIT says so of a statement of F's function that may run before
   FROM, if BACK, or behind it without a barrier in between.  *OUT becomes true
   if the function begins or ends on such a way.  */

template <typename V> static bool
without_barrier (flow &f, gimple *from, bool back, V visit, bool *out)
{
  auto step = [back] (gimple_stmt_iterator *g)
    {
      if (back)
	gsi_prev (g);
      else
	gsi_next (g);
    };
  gimple_stmt_iterator first = gsi_for_stmt (from);
  step (&first);
  std::vector<std::pair<basic_block, gimple_stmt_iterator> > work
    (1, std::make_pair (gimple_bb (from), first));
  std::set<int> seen;
  while (!work.empty ())
    {
      basic_block b = work.back ().first;
      gimple_stmt_iterator g = work.back ().second;
      work.pop_back ();
      bool stopped = false;
      for (; !gsi_end_p (g) && !stopped; step (&g))
	{
	  stopped = is_barrier (gsi_stmt (g), f.level);
	  if (!is_gimple_debug (gsi_stmt (g)) && !is_message (gsi_stmt (g))
	      && visit (gsi_stmt (g)))
	    return true;
	}
      if (stopped)
	continue;
      for (edge e : edges (back ? b->preds : b->succs))
	{
	  basic_block to = back ? e->src : e->dest;
	  if (to->index < NUM_FIXED_BLOCKS)
	    *out = true;
	  else if (seen.insert (to->index).second)
	    work.push_back (std::make_pair (to, back ? gsi_last_bb (to)
						     : gsi_start_bb (to)));
	}
    }
  return false;
}

/* The accesses of A's to shared memory by number that S makes.  */

static std::vector<access *>
shared_by_number (accesses &a, gimple *s)
{
  std::vector<access *> found;
  bool held = hands_held_number (a, s);
  for (access &x : a.in (gimple_bb (s)))
    if (x.stmt == s && !(a.model.flags (x.cls) & C_OWN)
	&& (held || (x.number & (N_USER | N_LEFT | N_PICKED))
	    || (x.store && (a.model.chosen[x.bb->index] & N_USER))))
      found.push_back (&x);
  return found;
}

/* Functions before whose calls nothing does so.  */
static std::set<tree> unnumbered;

/* True if a statement before FROM, the loop's beginning in A's function,
   without a barrier in between, here or in a caller, uses shared memory by
   number.  */

static bool
number_on_way (accesses &a, gimple *from)
{
  worklist<tree> callers;
  auto ask = [&] (accesses &in, gimple *s)
    {
      bool out = false, found = without_barrier (in.model, s, true,
						 [&] (gimple *t)
	{
	  return (hands_number (in, t)
		  || (s != from && !shared_by_number (in, t).empty ()));
	}, &out);
      if (out)
	callers.add (in.model.fn->decl);
      return found;
    };
  if (ask (a, from))
    return true;
  std::vector<tree> met;
  for (tree fndecl; callers.next (&fndecl); )
    {
      if (unnumbered.count (fndecl))
	continue;
      met.push_back (fndecl);
      for (cgraph_edge *e : calls_of (fndecl))
	if (accesses *in = view_of_caller (e, 1))
	  if (ask (*in, e->call_stmt))
	    return true;
    }
  unnumbered.insert (met.begin (), met.end ());
  return false;
}

/* Find SUM's `trails' and `barred' for A's function.  */

static void
find_trail (accesses &a, summary &sum)
{
  auto uses = [&] (gimple *s)
    {
      return (hands_number (a, s)
	      || (a.model.asks && !shared_by_number (a, s).empty ()));
    };
  bool open = false;
  for (edge e : edges (EXIT_BLOCK_PTR_FOR_FN (a.model.fn)->preds))
    {
      gimple *last = gsi_stmt (gsi_last_bb (e->src));
      sum.trails |= !last || without_barrier (a.model, last, true, uses, &open);
    }
  sum.barred = !open && !sum.trails;
}

/* What LOOP uses, but for what the number selects.  */

static std::set<used_place>
places_used (judged_loop &loop)
{
  flow &f = loop.model;
  std::set<used_place> used;
  for (gimple *s : statements (loop.blocks))
    {
      for (int stores = 0; stores < 2; stores++)
	for (tree ref : operands_of (s, stores))
	  if (get_base_address (ref) && !(f.address_number (ref) & N_USER))
	    used.insert ({ f.find (f.class_of (ref)), place_of (ref) });
      for (tree a : arguments (s))
	if (leads (a) && !(f.number_of (a) & N_USER))
	  {
	    used_place u = { f.find (f.leads_to (a)), pointer_place (a) };
	    u.where.known = false;
	    used.insert (u);
	  }
      if (function *to = called_by (s))
	for (auto &p : uses_of (to))
	  for (int c : classes_of (f, as_a <gcall *> (s), to, p.first))
	    used.insert ({ f.find (c), anywhere });
    }
  return used;
}

/* What threads did by their number, without a barrier since, to memory that the
   loop uses.  */

static void
number_before (judged_loop &loop)
{
  flow &f = loop.model;
  if (number_on_way (loop.acc, loop.start))
    loop.fail (R_IDENTITY, "follows code that gets the thread's number,"
	       " without a barrier", loop.start);
  if (!f.asks)
    return;
  std::set<used_place> used = places_used (loop);
  bool out;
  without_barrier (f, loop.start, true, [&] (gimple *s)
    {
      for (access *x : shared_by_number (loop.acc, s))
	{
	  /* Other files' functions use what they may see.  */
	  bool met = false;
	  for (tree v : f.at (x->cls).variables)
	    met |= loop.unknown_calls && is_global_var (v) && TREE_PUBLIC (v);
	  for (const used_place &u : used)
	    met |= may_alias (f, u, *x);
	  if (met)
	    loop.fail (R_IDENTITY, "is used by number before the loop, without"
		       " a barrier", s, x->where.base);
	}
      return loop.found.rule != R_NONE;
    }, &out);
}

/* The loop reads where threads have noted their numbers, for each iteration, or
   makes one of the number of threads, and reads and writes what that selects:
   static may give an iteration to the thread that it gave it before.  */

static void
judge_notes (judged_loop &loop)
{
  flow &f = loop.model;
  worklist<tree> todo;
  if (kept_numbers.empty () && kept_team.empty ())
    return;
  for (tree t : kept_team.in (f.fn))
    if (loop.made_of_iterator (t) && is_gimple_call (SSA_NAME_DEF_STMT (t)))
      todo.add (t);
  for (gimple *s : statements (loop.blocks))
    if (gimple_assign_load_p (s) && name_set_by (s)
	&& loop.address_iterator (gimple_assign_rhs1 (s))
	&& !(f.flags (f.class_of (gimple_assign_rhs1 (s))) & C_OWN)
	&& (kept_numbers.keeps (f.fn, gimple_assign_rhs1 (s))
	    || kept_team.keeps (f.fn, gimple_assign_rhs1 (s))))
      todo.add (name_set_by (s));
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      if (name_set_by (s) && !is_gimple_call (s) && !gimple_assign_load_p (s))
	todo.add (name_set_by (s));
  std::set<int> read;
  auto meet = [&] (gimple *s, int c, bool store)
    {
      if (loop.acc.locked_at (s) > 0 || (f.flags (c) & C_OWN))
	return;
      if (!store)
	read.insert (f.find (c));
      else if (read.count (f.find (c)))
	loop.fail (R_IDENTITY, "is selected by a number that a thread has"
		   " noted", s, f.at (c).decl);
    };
  for (int stores = 0; stores < 2 && !todo.seen.empty (); stores++)
    for (gimple *s : statements (loop.blocks))
      {
	gcall *c = dyn_cast <gcall *> (s);
	for (tree a : arguments (s))
	  if (todo.seen.count (a) && leads (a) && !is_atomic (c)
	      && !amp_known_function (callee (c))
	      && !(loop.acc.call_flags (c) & F_LOCKING))
	    meet (s, f.leads_to (a), stores);
	for (tree ref : operands_of (s, stores))
	  for (tree t : indices (ref))
	    if (todo.seen.count (t))
	      meet (s, f.class_of (ref), stores);
      }
}

/* True if code behind LOOP reads errno as that leaves it.  */

static bool
errno_is_read_behind (judged_loop &loop)
{
  for (gimple *s : statements (loop.model.order))
    if (!loop.in (gimple_bb (s)) && (errno_flags (s) & F_TLS)
	&& loop.runs_behind (gimple_bb (s)))
      return true;
  return false;
}

/* True if S, in F's code, calls by name what is not known, or what does.  What
   another library may replace is known.  */

static bool
runs_unknown (flow &f, gimple *s)
{
  tree fd = callee (s);
  const summary *sum = fd ? summary_of (fd, f.level + 1, true) : NULL;
  return fd && (!sum || (sum->flags & F_UNKNOWN));
}

static void
judge_identity (judged_loop &loop)
{
  judge_team (loop);
  judge_neighbours (loop);
  if (makes_parts ())
    {
      judge_met_by_data (loop);
      judge_called (loop);
    }
  judge_notes (loop);
  judge_handles (loop);
  judge_registered (loop);
  bool asks = loop.model.asks;
  for (basic_block b : loop.blocks)
    for (gphi *p : phis (b))
      if (asks && sums_number (loop, p))
	loop.fail (R_IDENTITY, "sums up the thread's number", p,
		   gimple_phi_result (p));
  for (gimple *s : statements (loop.blocks))
    {
      gcall *c = dyn_cast <gcall *> (s);
      unsigned fl = errno_flags (s) | (c ? loop.acc.call_flags (c) : 0);
      if ((fl & F_TLS) || ((fl & F_ERRNO) && errno_is_read_behind (loop)))
	loop.fail (R_MEMORY, "uses what each thread has of its own", s,
		   callee (s));
      if ((fl & F_UNKNOWN) && runs_unknown (loop.model, s)
	  && may_be_called_back ())
	loop.fail (R_MEMORY, "may call what keeps something for each thread",
		   c, callee (c));
      if (!asks && (fl & F_IDENTITY))
	loop.fail (R_IDENTITY, "asks for the thread's number", c, callee (c));
      if ((asks || c || gimple_store_p (s)) && uses_number (loop, s))
	loop.fail (R_IDENTITY, "uses the thread's number, or what another"
		   " loop left", s);
    }
  number_before (loop);
}
