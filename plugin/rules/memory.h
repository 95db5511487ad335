/* Rule `memory': what is carried in memory of the thread's own.
   SPDX-License-Identifier: GPL-3.0-or-later

   In a program without races no iteration reads what another writes to memory
   that threads share.  So only memory matters that each thread has of its own:
   variables of the region's function, what it allocates, thread-local
   variables, what the thread's number selects, and, where ownership is not
   known, what does not vary with the iteration.  A load there is harmless if
   - the iteration has written the same bytes before (covered);
   - no iteration writes them, and no other loop of the region does;
   - the object has no value when the loop begins (then a program that needs one
     is wrong with as many threads as iterations);
   - it is part of x = x op e.
   What is written in the loop and read behind it is handed on.  */

/* What a loop does to one class of memory.  NUMBER: the thread's number selects
   it.  */

struct object
{
  std::vector<access *> loads, stores;
  bool number;
};

/* True if pointer A, an argument in LOOP, leads to what the iteration has for
   itself: a variable of it, or what a known function gave it.  */

static bool
is_iterations (judged_loop &loop, tree a)
{
  for (tree_code c; (c = code_of (set_by (a))) == SSA_NAME || c == ADDR_EXPR
		    || CONVERT_EXPR_CODE_P (c);)
    a = gimple_assign_rhs1 (set_by (a));
  tree d = (TREE_CODE (a) == ADDR_EXPR ? get_base_address (TREE_OPERAND (a, 0))
	    : NULL_TREE);
  if (d)
    return VAR_P (d) && !is_global_var (d) && ends_here (loop, d);
  gimple *s = set_by (a);
  return callee (s) && loop.in (gimple_bb (s))
	 && amp_known_function (callee (s));
}

/* True if S, an unknown call in LOOP, returns a pointer without being told of
   the iteration, and no function without a result gets that, as what releases
   it does.  */

static bool
finds (judged_loop &loop, gimple *s)
{
  tree lhs = name_set_by (s);
  gcall *c = dyn_cast <gcall *> (s);
  if (!c || !lhs || !POINTER_TYPE_P (TREE_TYPE (lhs)) || is_of_library (s)
      || !(loop.acc.call_flags (c) & F_UNKNOWN))
    return false;
  for (tree a : arguments (c))
    if (loop.made_of_iterator (a) || is_iterations (loop, a))
      return false;
  for (gimple *u : uses (lhs))
    if (is_gimple_call (u) && gimple_call_num_args (u) == 1
	&& VOID_TYPE_P (gimple_call_return_type (as_a <gcall *> (u))))
      return false;
  return true;
}

/* True if C's memory begins to exist in each iteration.  */

static bool
made_here (judged_loop &loop, const std::map<int, object> &objects, int c)
{
  if (!allocated_here (loop, c))
    return false;
  /* Memory that all share may be among it, but none that a number selects.  */
  if (loop.model.flags (c) & C_SHARED)
    for (int i = 0; i < 2; i++)
      for (access *a : i ? objects.at (c).stores : objects.at (c).loads)
	if (a->number)
	  return false;
  /* Nor what another file's function gave without being told of the iteration,
     if the loop looks at it before it is written.  */
  bool looked_at = false;
  for (access *l : objects.at (c).loads)
    looked_at |= !l->covered;
  if (looked_at && !objects.at (c).stores.empty ())
    for (gimple *s : loop.model.at (c).allocs)
      if (finds (loop, s))
	return false;
  /* ... and is not kept by what stays and is read before it is written.  */
  for (const std::pair<const int, object> &i : objects)
    {
      bool read = false;
      for (access *l : i.second.loads)
	read |= !l->covered;
      if (read && !allocated_here (loop, i.first))
	for (int b : loop.model.below (i.first))
	  if (loop.model.same (b, c))
	    return false;
    }
  return true;
}

/* True if C's memory may have been written when the loop begins.  */

static bool
has_value (judged_loop &loop, int c)
{
  memory_class &m = loop.model.at (c);
  if ((m.flags & (C_TLS | C_OPEN | C_SHARED | C_VALUE)) || !(m.flags & C_OWN)
      || m.number || loop.by_team || loop.model.runs_again (loop.start, c))
    return true;
  for (access *a : loop.acc.of_class (c))
    if (a->store && !loop.in (a->bb))
      return true;
  return false;
}

static bool
overlap (const access &a, const access &b)
{
  if (a.where.base && b.where.base && a.where.base != b.where.base
      && DECL_P (a.where.base) && DECL_P (b.where.base))
    return false;
  if (!a.where.known || !b.where.known || a.where.size < 0 || b.where.size < 0
      || !a.where.base || a.where.base != b.where.base)
    return true;
  return (a.where.offset < b.where.offset + b.where.size
	  && b.where.offset < a.where.offset + a.where.size);
}

/* True if nothing becomes of the pointer that A loads but that it is freed.  */

static bool
frees_alone (const access &a)
{
  if (callee (a.stmt) && destroys (a.stmt))
    return true;
  if (!gimple_assign_load_p (a.stmt) || !name_set_by (a.stmt))
    return false;
  worklist<tree> todo;
  todo.add (gimple_assign_lhs (a.stmt));
  bool freed = false;
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      if (kind_of_call (s) == AMP_FREE)
	freed = true;
      else if (name_set_by (s) && !gimple_vuse (s) && !is_gimple_call (s))
	todo.add (name_set_by (s));
      else if (gimple_code (s) != GIMPLE_COND)
	return false;
  return freed;
}

/* True if all that is done to A's part of O is x = x op e, with one op.  */

static bool
only_added (const access &a, const object &o)
{
  if (!a.adds)
    return false;
  for (int i = 0; i < 2; i++)
    for (access *b : i ? o.stores : o.loads)
      if (overlap (a, *b)
	  && (b->adds ? b->op != a.op : b->store || !b->covered))
	return false;
  return true;
}

/* True if O is written with one constant alone, and never read.  */

static bool
one_constant (object &o)
{
  tree one = NULL_TREE;
  for (access *a : o.stores)
    {
      if (!a->ref || !gimple_assign_single_p (a->stmt))
	return false;
      tree v = gimple_assign_rhs1 (a->stmt);
      if (!is_gimple_min_invariant (v) || (one && !operand_equal_p (one, v, 0))
	  || !a->where.known)
	return false;
      one = v;
    }
  return one != NULL_TREE;
}

/* True if A reads behind the loop what that may have left.  */

static bool
reads_behind (judged_loop &loop, access *a)
{
  return !a->store && !loop.in (a->bb) && loop.runs_behind (a->bb);
}

/* Memory of O, which threads select, or whose it is not known, is written.  */

static void
handed_to_others (judged_loop &loop, int c, object &o)
{
  for (access *a : loop.acc.of_class (c))
    if (reads_behind (loop, a) && a->number && !a->covered
	&& !loop.killed_behind (*a))
      {
	loop.fail (R_IDENTITY, "is written by an iteration and read behind"
		   " the loop", a->stmt, a->where.base, o.stores[0]->stmt);
	return;
      }
  /* Who reads it is not known.  Memory that each iteration fills and reads is
     scratch.  */
  for (access *s : o.stores)
    {
      bool read = s->adds;
      for (access *l : o.loads)
	read |= overlap (*l, *s);
      if (read)
	continue;
      if (s->ref)
	loop.fail (s->number ? R_IDENTITY : R_MEMORY,
		   "of the thread's own keeps what its last iteration wrote",
		   s->stmt, s->where.base);
      return;
    }
}

/* True if others may get at C, memory of the thread's own: what leads there is
   theirs, too, or is returned.  */

static bool
given_away (flow &f, int c)
{
  for (unsigned k = 0; k < f.classes.size (); k++)
    if (f.find (k) == (int) k && !(f.flags (k) & C_OWN) && f.right_below (k, c))
      return true;
  for (edge e : edges (EXIT_BLOCK_PTR_FOR_FN (f.fn)->preds))
    if (greturn *r = dyn_cast <greturn *> (last_of (e->src)))
      if (tree v = gimple_return_retval (r))
	if (leads (v) && f.same (f.leads_to (v), c))
	  return true;
  return false;
}

/* What O's stores leave is read behind the loop.  The last iteration may have
   left all of what had no value before.  */

static void
handed_on (judged_loop &loop, int c, object &o)
{
  if (loop.model.flags (c) & C_READ)
    loop.fail (R_MEMORY, "is written by an iteration and read by a caller",
	       o.stores[0]->stmt, loop.model.at (c).decl);
  if (!(loop.model.flags (c) & C_OWN) || given_away (loop.model, c))
    handed_to_others (loop, c, o);
  if (!(loop.model.flags (c) & C_OWN))
    return;
  for (access *a : loop.acc.of_class (c))
    {
      if (!reads_behind (loop, a) || a->covered)
	continue;
      bool hit = false;
      for (access *s : o.stores)
	hit |= overlap (*s, *a);
      if (!hit || frees_alone (*a))
	continue;
      bool last = in_last (loop, a->bb);
      for (access *s : loop.acc.of_class (c))
	last &= !(s->store && overlap (*s, *a) && !loop.in (s->bb)
		     && dominated_by_p (CDI_DOMINATORS, gimple_bb (loop.start),
					s->bb));
      if (last)
	loop.ascending = true;
      else if (!loop.killed_behind (*a))
	loop.fail (R_MEMORY, "is written by an iteration and read behind"
		   " the loop", a->stmt, a->where.base, o.stores[0]->stmt);
    }
}

/* True if ALL says so of the registers that C is read into behind the loop, but
   to free what they lead to, or where SKIP says so; callers do not read C.  */

template <typename S, typename A> static bool
reads_are (judged_loop &loop, int c, S skip, A all)
{
  if (!(loop.model.flags (c) & C_OWN) || loop.model.at (c).parms)
    return false;
  for (access *a : loop.acc.of_class (c))
    if (reads_behind (loop, a) && !frees_alone (*a) && !skip (*a))
      {
	tree lhs = gimple_assign_load_p (a->stmt) ? name_set_by (a->stmt)
						  : NULL_TREE;
	if (!lhs || !all (lhs))
	  return false;
      }
  return true;
}

/* True if what is read of C behind the loop goes into what has the same value
   under any division: what store EXTREME left, or, if that is NULL, a
   constant.  */

static bool
all_fold (judged_loop &loop, int c, const access *extreme)
{
  return reads_are (loop, c, [&] (access &a)
    {
      return ((extreme && !overlap (*extreme, a)) || loop.killed_behind (a));
    }, [&] (tree t)
    {
      std::set<tree> seen;
      return folds (loop, t, extreme ? extreme->op : ERROR_MARK, seen);
    });
}

/* True if what is read of O, which is class C, behind the loop is put together
   with what other threads have.  */

static bool
all_merged (judged_loop &loop, int c, const object &o)
{
  bool by_place = false, by_number = true, given = given_away (loop.model, c);
  tree_code sum = ERROR_MARK;
  std::set<tree> seen;
  for (access *s : o.stores)
    by_number &= (s->op != MIN_EXPR && s->op != MAX_EXPR && s->ref
		  && SCALAR_FLOAT_TYPE_P (TREE_TYPE (s->ref))
		  && gimple_assign_single_p (s->stmt)
		  && !(loop.made_of_iterator (gimple_assign_rhs1 (s->stmt))
		       & I_FINE));
  if (given && !by_number)
    return false;
  return reads_are (loop, c, [&] (access &a)
    {
      bool hit = false, one = true;
      sum = ERROR_MARK;
      for (access *s : o.stores)
	if (overlap (*s, a))
	  {
	    bool is_sum = s->op != MIN_EXPR && s->op != MAX_EXPR;
	    one &= !hit || sum == (is_sum ? s->op : ERROR_MARK);
	    sum = is_sum ? s->op : ERROR_MARK;
	    hit = true;
	  }
      sum = one ? sum : MAX_TREE_CODES;
      return a.adds || !hit;
    }, [&] (tree t)
    {
      return (merged (loop, t, seen, &by_place, sum, by_number)
	      && !by_place);
    });
}

/* Find fault with what O, a part of class C, is summed up to.  */

static void
judge_sums (judged_loop &loop, int c, const object &o)
{
  memory_class &m = loop.model.at (c);
  bool merged = !o.number && all_merged (loop, c, o);
  for (access *a : o.stores)
    {
      if (!o.number && (m.number & N_USER))
	loop.fail (R_IDENTITY, "is made of the thread's number", a->stmt,
		   a->where.base);
      if (a->ref && SCALAR_FLOAT_TYPE_P (TREE_TYPE (a->ref)))
	loop.sums = true;
      if (!o.number && (a->op == MIN_EXPR || a->op == MAX_EXPR)
	  && !all_fold (loop, c, a))
	loop.fail (R_MEMORY, "is what some of the thread's iterations found,"
		   " and is used behind the loop", a->stmt, a->where.base);
      /* Such as the greatest iterator.  */
      if (!merged && a->ref && gimple_assign_single_p (a->stmt)
	  && (a->op == MIN_EXPR || a->op == MAX_EXPR)
	  && (loop.made_of_iterator (gimple_assign_rhs1 (a->stmt)) & I_FINE))
	loop.fail (R_IDENTITY, "says how far the thread's iterations reach",
		   a->stmt, a->where.base);
      tree at = a->ref ? a->ref : a->pointer;
      if (o.number)
	name_fraction (at, false, loop.summed);
      bool whole = !(a->ref && SCALAR_FLOAT_TYPE_P (TREE_TYPE (at)));
      if (!o.number && !merged)
	loop.fail (R_MEMORY, "is made by the thread's iterations alone, and is"
		   " used behind the loop", a->stmt, a->where.base);
      if (o.number && whole)
	{
	  loop.counts = true;
	  loop.shown |= seen_elsewhere (loop.model, at);
	}
    }
}

/* Find fault with load L of O, which is class C.  */

static void
judge_load (judged_loop &loop, int c, const object &o, access *l, bool value)
{
  memory_class &m = loop.model.at (c);
  if (!value && !o.stores.empty ())
    loop.may_be_unset ();
  for (access *s : o.stores)
    if (value && overlap (*l, *s))
      {
	if (!l->ref && s->stmt == l->stmt)
	  loop.fail (R_MEMORY, "is handed to code that is not known",
		     l->stmt, m.decl ? m.decl : l->where.base);
	else
	  loop.fail (l->number ? R_IDENTITY : R_MEMORY,
		     "is read before the iteration writes it; an earlier"
		     " iteration may have", l->stmt,
		     l->where.base ? l->where.base : m.decl, s->stmt);
	return;
      }
  if (l->number && !leads_on (loop.model, *l))
    loop.fail (R_IDENTITY, "is selected by the thread's number", l->stmt,
	       l->where.base);
  else if (m.number && l->ref)
    loop.fail (R_IDENTITY, "is made of the thread's number", l->stmt,
	       l->where.base);
  if (m.flags & C_LEFT)
    loop.fail (R_MEMORY, "holds what iterations of another loop left",
	       l->stmt, l->where.base);
  for (access *a : loop.acc.of_class (c))
    if (loop.found.rule == R_NONE && a->store && (m.flags & C_OWN)
	&& !loop.in (a->bb) && overlap (*l, *a)
	&& loop.acc.divided (*a))
      loop.fail (R_MEMORY, "holds what iterations of another loop left",
		 l->stmt, l->where.base, a->stmt);
}

static bool used_uniformly (accesses &acc,
			    const std::vector<judged_loop *> &loops, int c,
			    bool others);
static bool handed_scratch (flow &f, unsigned parms);

/* True if C is used in judged loops alone, by each uniformly.  */

static bool
scratch (judged_loop &loop, int c)
{
  memory_class &m = loop.model.at (c);
  if (m.number || is_hidden (loop.model, c))
    return false;
  if ((m.flags & C_STATE) == C_OWN)
    return used_uniformly (loop.acc, *loop.all, c, false);
  return ((m.flags & (C_OPEN | C_TLS | C_SHARED)) == C_OPEN
	  && used_uniformly (loop.acc, *loop.all, c, true)
	  && handed_scratch (loop.model, m.parms));
}

/* Find fault with ALL, which is class C.  */

static void
object_of (judged_loop &loop, std::map<int, object> &objects, int c)
{
  memory_class &m = loop.model.at (c);
  object &all = objects[c];
  if (m.flags & C_TLS)
    {
      access *a = all.loads.empty () ? all.stores[0] : all.loads[0];
      loop.fail (R_MEMORY, "is thread-local", a->stmt, m.decl);
      return;
    }
  if (made_here (loop, objects, c))
    return;
  object o, sums;
  o.number = sums.number = all.number;
  for (access *a : all.loads)
    (only_added (*a, all) ? sums : o).loads.push_back (a);
  for (access *a : all.stores)
    (only_added (*a, all) ? sums : o).stores.push_back (a);
  if (!sums.stores.empty ())
    judge_sums (loop, c, sums);
  else if (are_stamps (loop, c, o.loads, o.stores))
    {
      loop.ascending = true;
      return;
    }
  bool value = has_value (loop, c);
  finding was = loop.found;
  rule before = was.rule;
  for (access *l : o.loads)
    if (!l->covered && loop.found.rule == before)
      judge_load (loop, c, o, l, value);
  if (!o.stores.empty () && loop.found.rule == before
      && !(one_constant (o) && all_fold (loop, c, NULL)))
    handed_on (loop, c, o);
  if (before == R_NONE && loop.found.rule == R_MEMORY && sums.stores.empty ()
      && scratch (loop, c))
    loop.found = was;
}

/* Iterations that follow one another write one place: they must be one
   thread's.  */

static void
words (judged_loop &loop)
{
  /* Bits of std::vector<bool> where library functions are not inlined.  */
  for (gimple *s : statements (loop.blocks))
    if (calls (s, "_ZNSt14_Bit_referenceaS", "")
	|| calls (s, "_ZNSt14_Bit_reference4flip", ""))
      {
	int c = loop.model.leads_to (gimple_call_arg (s, 0));
	bool own = !loop.model.below (c).empty ();
	for (int d : loop.model.below (c))
	  own &= (loop.model.flags (d) & (C_OWN | C_OPEN)) == C_OWN;
	if (!own)
	  loop.fail (R_MEMORY, "bits of one word may be several iterations'",
		     s);
      }
  for (basic_block b : loop.blocks)
    for (access &a : loop.acc.in (b))
      {
	if (!a.store || !a.ref || a.locked
	    || (loop.model.flags (a.cls) & (C_OWN | C_TLS)))
	  continue;
	unsigned made = loop.address_iterator (a.ref);
	tree_code code = (gimple_assign_single_p (a.stmt)
			  ? code_of (set_by (gimple_assign_rhs1 (a.stmt)))
			  : ERROR_MARK);
	bool bits = (code == BIT_IOR_EXPR || code == BIT_AND_EXPR
		     || code == BIT_XOR_EXPR);
	if (made == I_DIV || ((made & I_DIV) && bits
			      && !(made & (I_FINE | I_DATA))))
	  loop.fail (R_MEMORY, "is one place for several iterations in a row",
		     a.stmt, a.where.base);
      }
}

/* True if A, of unknown ownership, counts what its place was used for so far,
   and goes by it: k = next[data]++.  Shared, each place would count one.  */

static bool
counts_on (judged_loop &loop, const access &a)
{
  tree k = name_set_by (a.stmt);
  if (!gimple_assign_load_p (a.stmt) || !k || a.adds || a.locked
      || (loop.model.flags (a.cls) & (C_OPEN | C_SHARED)) != C_OPEN
      || (loop.address_iterator (gimple_assign_rhs1 (a.stmt)) & I_FINE))
    return false;
  /* Copies; and, in the second round, what is one more.  */
  worklist<tree> copies, more;
  copies.add (k);
  for (int counted = 0; counted < 2; counted++)
    for (tree n; (counted ? more : copies).next (&n); )
      for (gimple *s : uses (n))
	if (code_of (s) == PLUS_EXPR && !counted
	    && TREE_CODE (gimple_assign_rhs2 (s)) == INTEGER_CST)
	  more.add (gimple_assign_lhs (s));
	else if (name_set_by (s) && (gimple_assign_copy_p (s)
				     || CONVERT_EXPR_CODE_P (code_of (s))))
	  (counted ? more : copies).add (name_set_by (s));
	else if (tree to = counted && gimple_store_p (s) ? gimple_get_lhs (s)
							 : NULL_TREE)
	  if (loop.model.same (loop.model.class_of (to), a.cls))
	    return true;
  return false;
}

static void
judge_memory (judged_loop &loop)
{
  std::map<int, object> objects;
  std::set<int> counted;
  for (basic_block b : loop.blocks)
    for (access &a : loop.acc.in (b))
      if (counts_on (loop, a))
	counted.insert (loop.model.find (a.cls));
  for (basic_block b : loop.blocks)
    for (access &a : loop.acc.in (b))
      {
	if (!own (loop, a) && !counted.count (loop.model.find (a.cls)))
	  continue;
	object &o = objects[loop.model.find (a.cls)];
	o.number |= a.number && !(loop.model.flags (a.cls) & C_OWN);
	(a.store ? o.stores : o.loads).push_back (&a);
      }
  std::set<int> lists = find_appended (loop);
  for (std::pair<const int, object> &i : objects)
    if (!lists.count (i.first))
      object_of (loop, objects, i.first);
  words (loop);
}
