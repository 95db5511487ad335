/* SPDX-License-Identifier: GPL-3.0-or-later

   What statements make of where pointers lead, and which variables they
   mention.  */

/* Where P lies in its class's objects, ANY if that is not known: only from
   memory, a call, a choice or a caller come pointers to where these begin.  */

static hwi
offset_of (const place &p)
{
  gimple *s = set_by (p.base);
  bool made = s && is_gimple_assign (s) && !gimple_assign_load_p (s);
  return p.known && !made ? p.offset : ANY;
}

/* True if pointers in C lead to D.  */

bool
flow::right_below (int c, int d)
{
  for (std::pair<hwi, int> &p : at (c).deep)
    if (find (p.second) == find (d))
      return true;
  return false;
}

/* All that pointers in C lead to becomes one class.  */

void
flow::merge_below (int c)
{
  int d = deep (c, ANY);
  for (int b : below (c))
    unify (d, b);
  unify (deep (d, ANY), d);
}

/* POINTER gets where its offset is lost: where it leads inside of objects, what
   these hold is not told apart.  */

void
flow::keep (tree pointer)
{
  if (offset_of (pointer_place (pointer)) != 0)
    deep (leads_to (pointer), ANY);
}

/* True if what C's objects hold is not told apart by offset.  */

bool
flow::is_flat (int c)
{
  std::set<int> met;
  for (std::pair<hwi, int> &p : at (c).deep)
    if (p.first == ANY || !met.insert (find (p.second)).second)
      return true;
  return false;
}

void
flow::assign_value (int c, hwi offset, tree value)
{
  if (may_lead (value))
    {
      unify (deep (c, offset), leads_to (value));
      keep (value);
    }
}

/* S calls K.  */

void
flow::constrain_known (gcall *s, const amp_known &k)
{
  tree lhs = gimple_call_lhs (s);
  if (k.kind == AMP_COPY && gimple_call_num_args (s) >= 2)
    unify (deep (leads_to (gimple_call_arg (s, 0)), ANY),
	   deep (leads_to (gimple_call_arg (s, 1)), ANY));
  if (calls (s, "qsort"))
    deep (leads_to (gimple_call_arg (s, 0)), ANY);
  /* It leaves there where it has come in what it reads.  */
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    if (((k.fills | k.keeps) & bit_of (i)) && formal_of (s, i)
	&& POINTER_TYPE_P (TREE_TYPE (formal_of (s, i))))
      {
	int c = deep (leads_to (gimple_call_arg (s, i)), ANY);
	unify (c, leads_to (gimple_call_arg (s, 0)));
	deep (c, ANY);
      }
  if (!is_name (lhs) || !POINTER_TYPE_P (TREE_TYPE (lhs)))
    return;
  int c = leads_to (lhs);
  if (k.kind == AMP_ALLOC)
    unify (c, fresh (C_OWN | C_HEAP
		     | (k.reads || calls (s, "calloc") ? C_VALUE : 0), s));
  else if (k.kind == AMP_REALLOC)
    unify (unify (c, leads_to (gimple_call_arg (s, 0))),
	   fresh (C_OWN | C_HEAP, s));
  else if (((k.fills | k.keeps) & 1) && gimple_call_num_args (s))
    {
      unify (c, leads_to (gimple_call_arg (s, 0)));
      deep (c, ANY);
    }
  else
    unify (c, fresh (k.kind == AMP_IDENTITY ? C_TLS | C_VALUE
		     : k.kind == AMP_ERRNO ? C_SHARED : C_OPEN, s));
}

/* True if one thread alone goes by E: it got a single construct, or has the
   number that master asks for.  */

static bool
is_for_one (edge e)
{
  gcond *c = test_of (e->src);
  if (!c || TREE_CODE (gimple_cond_rhs (c)) != INTEGER_CST)
    return false;
  gimple *s = set_by (gimple_cond_lhs (c));
  bool equal = ((gimple_cond_code (c) == EQ_EXPR)
		== ((e->flags & EDGE_TRUE_VALUE) != 0));
  return (calls (s, "GOMP_single_start")
	  ? equal == !integer_zerop (gimple_cond_rhs (c))
	  : equal && calls (s, "omp_get_thread_num"));
}

/* The block that one thread alone runs where S is; NULL if all do.  */

static basic_block
single_of (gimple *s)
{
  for (basic_block b = gimple_bb (s); b;
       b = get_immediate_dominator (CDI_DOMINATORS, b))
    if (single_pred_p (b) && is_for_one (single_pred_edge (b)))
      return b;
  return NULL;
}

/* True if the pointer that S, which one thread runs, allocates is known there
   alone.  */

static bool
is_for_all (gimple *s)
{
  basic_block b = single_of (s);
  worklist<tree> todo;
  if (b && name_set_by (s))
    todo.add (name_set_by (s));
  for (tree n; b && todo.next (&n); )
    for (gimple *u : uses (n))
      if (!dominated_by_p (CDI_DOMINATORS, gimple_bb (u), b))
	return false;
      else if (name_set_by (u) && (gimple_code (u) == GIMPLE_PHI
				   || !gimple_vuse (u)))
	todo.add (name_set_by (u));
  return b && name_set_by (s);
}

/* What one thread allocates, and others find in shared memory, is shared.  */

void
flow::share_single ()
{
  for (unsigned k = 0; k < classes.size (); k++)
    {
      memory_class &m = classes[k];
      if (find (k) != (int) k || m.allocs.empty () || !m.variables.empty ()
	  || (m.flags & C_STATE & ~C_VALUE) != C_OWN)
	continue;
      bool all = true, shared = false;
      for (gimple *s : m.allocs)
	all &= is_for_all (s);
      for (unsigned j = 0; all && j < classes.size (); j++)
	if (find (j) == (int) j && right_below (j, k))
	  {
	    shared |= (flags (j) & C_SHARED) != 0;
	    all &= !(flags (j) & (C_OWN | C_TLS | C_OPEN));
	  }
      if (!all || !shared)
	continue;
      m.flags = C_SHARED;
      m.allocs.clear ();
    }
}

/* S calls a function that does R.  */

void
flow::constrain_summed (gcall *s, const summary &r)
{
  tree lhs = gimple_call_lhs (s);
  int to = (is_name (lhs) && POINTER_TYPE_P (TREE_TYPE (lhs)) ? leads_to (lhs)
	    : lhs && carries (lhs) ? deep (class_of (lhs), ANY) : -1);
  unsigned heap = C_OWN | C_HEAP | (r.value ? C_VALUE : 0);
  unsigned n = MIN (gimple_call_num_args (s), (unsigned) r.stores.size ());
  for (const effect &e : r.effects)
    if (e.depth > 0 && e.parm < gimple_call_num_args (s)
	&& class_of_argument (gimple_call_arg (s, e.parm)) >= 0)
      some_deep (class_of_argument (gimple_call_arg (s, e.parm)));
  for (unsigned i = 0; i < n; i++)
    {
      int c = class_of_argument (gimple_call_arg (s, i));
      if (c < 0)
	continue;
      if (r.flat & bit_of (i))
	deep (c, ANY);
      if (r.flat_below & bit_of (i))
	for (int b : below (c))
	  deep (b, ANY);
      if (r.stores_deeper[i])
	merge_below (c);
      for (unsigned j = 0; j < n; j++)
	{
	  tree b = gimple_call_arg (s, j);
	  int d = class_of_argument (b);
	  if (d >= 0 && (r.shares[i] & bit_of (j)))
	    {
	      if (r.stores_deeper[j])
		merge_below (d);
	      unify (deep (c, ANY), deep (d, ANY));
	    }
	  if ((r.stores[i] & bit_of (j)) && POINTER_TYPE_P (TREE_TYPE (b)))
	    unify (deep (c, ANY), leads_to (b));
	}
      if (r.stores_own[i])
	unify (deep (c, ANY), fresh (heap, s));
      if (to >= 0 && (r.parms & bit_of (i)))
	unify (to, c);
      if (to >= 0 && (r.below & bit_of (i)))
	unify (to, deep (c, ANY));
    }
  if (to < 0)
    return;
  if (r.own)
    unify (to, fresh (heap, s));
  if (r.own_deeper)
    {
      unify (deep (to, ANY), fresh (heap, s));
      merge_below (to);
    }
  if (r.open)
    {
      unify (to, fresh (C_OPEN, s));
      for (tree a : arguments (s))
	if (may_lead (a) && !leads (a))
	  unify (to, leads_to (a));
    }
  if (r.shared)
    unify (to, fresh (C_SHARED, s));
  if (r.inner)
    deep (to, ANY);
}

/* S, an atomic operation, stores its arguments, or what they lead to, and gets
   what was there.  */

void
flow::constrain_atomic (gcall *s)
{
  tree lhs = gimple_call_lhs (s), at = gimple_call_arg (s, 0);
  place p = pointer_place (at);
  int c = leads_to (at);
  hwi off = offset_of (p);
  for (unsigned i = 1; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      assign_value (c, off, a);
      /* Where the value is, not the value.  */
      if (leads (a))
	unify (deep (c, off), deep (leads_to (a), ANY));
    }
  if (is_name (lhs) && POINTER_TYPE_P (TREE_TYPE (lhs)))
    unify (leads_to (lhs), deep (c, off));
}

/* True if argument I of S is the descriptor of an array whose place S neither
   changes nor keeps: a Fortran dummy that is not a pointer, nor a target.  An
   allocatable one may get a new place, which is its own.  */

static bool
is_looked_at (gcall *s, unsigned i)
{
  tree a = gimple_call_arg (s, i);
  tree t = POINTER_TYPE_P (TREE_TYPE (a)) ? TREE_TYPE (TREE_TYPE (a))
					  : NULL_TREE;
  if (!t || TREE_CODE (t) != RECORD_TYPE)
    return false;
  const char *names[] = { "data", "offset", "dtype" };
  tree f = TYPE_FIELDS (t);
  for (const char *n : names)
    {
      if (!f || !DECL_NAME (f) || !id_equal (DECL_NAME (f), n))
	return false;
      f = DECL_CHAIN (f);
    }
  int flags = gimple_call_arg_flags (s, i);
#if BUILDING_GCC_MAJOR >= 12
  const int stays = EAF_NO_DIRECT_ESCAPE | EAF_NO_INDIRECT_ESCAPE;
#else
  const int stays = EAF_NOESCAPE;
#endif
  return (flags & stays) == stays;
}

/* S calls what is not known: what it gets, by pointers and in objects, may be
   kept in what it gets, and be returned.  */

void
flow::constrain_unknown (gcall *s)
{
  tree lhs = gimple_call_lhs (s);
  bool pointer = is_name (lhs) && POINTER_TYPE_P (TREE_TYPE (lhs));
  int to = (pointer ? leads_to (lhs)
	    : lhs && carries (lhs) ? deep (class_of (lhs), ANY) : -1);
  int all = -1, flags = gimple_call_flags (s);
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      bool object = carries (a);
      /* Functions are put in objects alone.  */
      if (!object
	  && (!leads (a) || (FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a)))
			     && (pointer || to < 0))))
	continue;
      int c = object ? deep (class_of (a), ANY) : leads_to (a);
      if (!object && is_looked_at (s, i))
	c = deep (c, offset_of (pointer_place (a)));
      if (to >= 0)
	unify (to, c);
      if (to >= 0 && !object)
	deep (c, ANY);
      if (!(flags & (ECF_CONST | ECF_PURE)))
	{
	  int d = object ? c : deep (c, ANY);
	  all = all < 0 ? d : unify (all, d);
	  for (int b : below (c))
	    unify (deep (b, ANY), all);
	}
    }
  if (all >= 0)
    unify (all, fresh (C_OPEN, s));
  if (to < 0)
    return;
  unify (to, fresh (pointer && (flags & ECF_MALLOC)
		    ? C_OWN | C_HEAP | C_VALUE : C_OPEN, s));
  if (all >= 0)
    unify (to, all);
}

/* S, which the compiler knows by itself, returns the pointer that it gets, or a
   further argument of this function, which callers have not been asked for.  */

void
flow::constrain_internal (gcall *s)
{
  tree lhs = gimple_call_lhs (s);
  if (!is_name (lhs) || !POINTER_TYPE_P (TREE_TYPE (lhs)))
    return;
  if (gimple_call_internal_p (s, IFN_VA_ARG))
    {
      int c = unify (leads_to (lhs), fresh (C_STATE & ~(C_SHARED | C_TLS), s));
      unify (deep (c, ANY), c);
    }
  for (tree a : arguments (s))
    if (!gimple_call_internal_p (s, IFN_VA_ARG) && leads (a))
      unify (leads_to (lhs), leads_to (a));
}

void
flow::constrain_call (gcall *s)
{
  tree fd = gimple_call_fndecl (s);
  if (gimple_call_internal_p (s))
    constrain_internal (s);
  if (is_construct (s))
    constrain_unknown (s);
  /* A nested function may be called that sets the frame around it.  */
  for (tree a : names_used (s))
    if (owns (a) && FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a))))
      unify (deep (leads_to (a), ANY), fresh (C_OWN | C_OPEN | C_VALUE));
  if (gimple_call_internal_p (s) || (is_ours (fd) && !calls (s, "GOMP_alloc")))
    return;
  if (calls (s, "posix_memalign") && gimple_call_num_args (s) == 3)
    unify (deep (leads_to (gimple_call_arg (s, 0)),
		 offset_of (pointer_place (gimple_call_arg (s, 0)))),
	   fresh (C_OWN | C_HEAP, s));
  else if (is_atomic (s) && gimple_call_num_args (s) > 0
	   && leads (gimple_call_arg (s, 0)))
    constrain_atomic (s);
  else if (const amp_known *k = amp_known_function (fd))
    constrain_known (s, *k);
  else
    {
      for (tree a : arguments (s))
	if (carries (a))
	  some_deep (class_of (a));
      if (const summary *r = summary_of_call (s))
	constrain_summed (s, *r);
      else
	constrain_unknown (s);
    }
}

/* A pointer that leads to C is made of NUMBER: it may be what was stored where
   that is loaded, or what a function got; or it is from elsewhere.  */

void
flow::find_origins (int c, tree number)
{
  worklist<tree> todo;
  todo.add (number);
  unify (c, fresh (C_OPEN));
  for (tree n; todo.next (&n); )
    {
      gimple *s = SSA_NAME_DEF_STMT (n);
      if (may_lead (n))
	unify (c, leads_to (n));
      if (gimple_assign_load_p (s))
	unify (c, deep (class_of (gimple_assign_rhs1 (s)),
			offset_of (place_of (gimple_assign_rhs1 (s)))));
      for (tree a : arguments (s))
	if (class_of_argument (a) >= 0)
	  unify (c, class_of_argument (a));
      if (!gimple_assign_load_p (s))
	for (tree u : names_used (s))
	  todo.add (u);
    }
  deep (c, ANY);
}

/* True if REF is bytes that memcpy copies, inlined, which may be pointers.  */

static bool
is_copied (tree ref)
{
  tree size = TYPE_SIZE (TREE_TYPE (ref));
  return (TREE_CODE (ref) == MEM_REF && size
	  && TYPE_REF_CAN_ALIAS_ALL (TREE_TYPE (TREE_OPERAND (ref, 1)))
	  && (!tree_fits_shwi_p (size) || tree_to_shwi (size) >= POINTER_SIZE));
}

void
flow::constrain (gimple *s)
{
  if (gcall *c = dyn_cast <gcall *> (s))
    {
      constrain_call (c);
      return;
    }
  if (gphi *p = dyn_cast <gphi *> (s))
    for (phi_value v : values_of (p))
      if (may_lead (v.value))
	{
	  unify (leads_to (gimple_phi_result (p)), leads_to (v.value));
	  keep (v.value);
	}
  if (gasm *a = dyn_cast <gasm *> (s))
    for (unsigned i = 0; i < gimple_asm_noutputs (a); i++)
      {
	tree out = TREE_VALUE (gimple_asm_output_op (a, i));
	if (!POINTER_TYPE_P (TREE_TYPE (out)))
	  continue;
	int to = is_name (out) ? leads_to (out) : deep (class_of (out), ANY);
	unify (to, fresh (C_OPEN));
	for (unsigned k = 0; k < gimple_asm_ninputs (a); k++)
	  if (leads (TREE_VALUE (gimple_asm_input_op (a, k))))
	    unify (to, leads_to (TREE_VALUE (gimple_asm_input_op (a, k))));
      }
  if (!is_gimple_assign (s) || gimple_clobber_p (s))
    return;
  tree lhs = gimple_assign_lhs (s), rhs = gimple_assign_rhs1 (s);
  tree_code code = gimple_assign_rhs_code (s);
  if (TREE_CODE (lhs) != SSA_NAME)
    {
      place p = place_of (lhs);
      hwi off = is_copied (lhs) ? ANY : offset_of (p);
      if (is_gimple_val (rhs) && is_gimple_reg_type (TREE_TYPE (rhs)))
	assign_value (class_of (lhs), off, rhs);
      else if (gimple_assign_single_p (s)
	       && (holds_pointers (TREE_TYPE (lhs)) || is_copied (lhs)
		   || is_copied (rhs))
	       && TREE_CODE (rhs) != CONSTRUCTOR && get_base_address (rhs)
	       && !CONSTANT_CLASS_P (rhs))
	{
	  place q = place_of (rhs);
	  int from = class_of (rhs), to = class_of (lhs);
	  if (POINTER_TYPE_P (TREE_TYPE (lhs)))
	    unify (deep (to, off), deep (from, offset_of (q)));
	  else
	    unify (deep (to, ANY), deep (from, ANY));
	}
      return;
    }
  bool pointer = POINTER_TYPE_P (TREE_TYPE (lhs));
  if (gimple_assign_load_p (s))
    {
      place p = place_of (rhs);
      if (pointer || is_copied (rhs))
	unify (leads_to (lhs),
	       deep (class_of (rhs),
		     is_copied (rhs) ? ANY : offset_of (p)));
      return;
    }
  if (!pointer && (!INTEGRAL_TYPE_P (TREE_TYPE (lhs))
		   || TYPE_PRECISION (TREE_TYPE (lhs)) < POINTER_SIZE
		   || TREE_CODE_CLASS (code) == tcc_comparison
		   || code == MULT_EXPR || code == POINTER_DIFF_EXPR))
    return;
  for (unsigned i = 1; i < gimple_num_ops (s); i++)
    {
      tree op = gimple_op (s, i);
      if (!op || (i > 1 && code == MINUS_EXPR))
	continue;
      while (handled_component_p (op))
	op = TREE_OPERAND (op, 0);
      if (may_lead (op))
	unify (leads_to (lhs), leads_to (op));
      else if (pointer && is_name (op) && code != POINTER_PLUS_EXPR)
	find_origins (leads_to (lhs), op);
    }
}

const flow::mentions &
flow::mentions_of (tree decl)
{
  if (mentioned.empty ())
    {
      auto note = [] (gimple *, tree base, tree, void *data)
	{
	  ((std::set<tree> *) data)->insert (base);
	  return false;
	};
      for (gimple *s : statements (order, true))
	{
	  std::set<tree> met;
	  walk_stmt_load_store_addr_ops (s, &met, note, note, note);
	  for (tree t : met)
	    if (DECL_P (t) && returns[gimple_bb (s)->index])
	      mentioned[t].push_back (std::make_pair
				      (gimple_bb (s),
				       gimple_clobber_p (s)
				       && gimple_assign_lhs (s) == t));
	}
      mentioned[NULL_TREE];
    }
  return mentioned[decl];
}

/* True if S may run again before C, if that is a variable, has ended.  */

bool
flow::runs_again (gimple *s, int c)
{
  std::set<basic_block> born;
  if (at (c).variables.size () == 1 && at (c).allocs.empty ())
    for (const std::pair<basic_block, bool> &m : mentions_of (at (c).decl))
      if (m.second)
	born.insert (m.first);
  worklist<basic_block> todo;
  todo.add (gimple_bb (s));
  for (basic_block b; todo.next (&b); )
    for (edge e : edges (b->succs))
      if (e->dest == gimple_bb (s))
	return true;
      else if (!born.count (e->dest))
	todo.add (e->dest);
  return false;
}

/* True if pointers in memory lead to C, too.  */

static bool
is_hidden (flow &f, int c)
{
  for (unsigned k = 0; k < f.classes.size (); k++)
    if (f.find (k) == (int) k && f.right_below (k, c))
      return true;
  return false;
}
