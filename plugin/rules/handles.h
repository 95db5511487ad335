/* SPDX-License-Identifier: GPL-3.0-or-later

   Objects of the thread's own that functions of other files have filled:
   handles, and what they may have kept.  */

/* True if C, or what it leads to, is an object of the thread's own that a
   function that is not known has filled.  */

static bool
holds_handle (judged_loop &loop, int c)
{
  std::vector<int> all = loop.model.below (c);
  all.push_back (c);
  for (int k : all)
    if (is_given (loop, k))
      return true;
  return false;
}

/* True if S tells Fortran's library of a unit whose number another file hands
   over.  */

static bool
is_unit_of_parameter (judged_loop &loop, gimple *s)
{
  return (is_field (gimple_get_lhs (s), "unit")
	  && made_of_parameter (loop, { gimple_assign_rhs1 (s) }));
}

/* True if V, an argument, may be a handle: a number, an object, a pointer to
   what others know.  */

static bool
may_be_handle (tree v)
{
  tree type = TREE_TYPE (v);
  return (!POINTER_TYPE_P (type)
	  || (TREE_CODE (v) != ADDR_EXPR
	      && (VOID_TYPE_P (TREE_TYPE (type))
		  || RECORD_OR_UNION_TYPE_P (TREE_TYPE (type)))));
}

/* True if objects of TYPE are, or hold, whole numbers or text.  */

static bool
holds_numbers (tree type)
{
  bool any = INTEGRAL_TYPE_P (type = strip_array_types (type));
  if (RECORD_OR_UNION_TYPE_P (type))
    for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
      any |= TREE_CODE (f) == FIELD_DECL && holds_numbers (TREE_TYPE (f));
  return any;
}

/* True if OBJECT, of class C, is a handle that functions get by its address: it
   holds pointers, or whole numbers or text that the loop leaves alone.  */

static bool
is_handed_by_address (judged_loop &loop, tree object, int c)
{
  tree type = TREE_TYPE (object);
  if (loop.model.carries (object))
    return !is_container (type);
  for (access *x : loop.acc.of_class (c))
    if (x->store && loop.in (x->bb))
      return false;
  tree base = get_base_address (object);
  return base && VAR_P (base) && holds_numbers (type);
}

/* Memory of the thread's own that a function which is not known got before
   LOOP, and that nobody has looked at: another call may use it.  */

static void
judge_registered (judged_loop &loop)
{
  flow &f = loop.model;
  for (unsigned k = 0; loop.unknown_calls && k < f.classes.size (); k++)
    if (f.find (k) == (int) k && (f.flags (k) & C_OWN)
	&& !(f.at (k).decl && is_called (f.at (k).decl, ".omp")))
      {
	bool given = false, used = false;
	for (access *x : loop.acc.of_class (k))
	  {
	    given |= (x->store && !x->ref && gives (loop, x->stmt)
		      && dominated_by_p (CDI_DOMINATORS, gimple_bb (loop.start),
					 x->bb));
	    used |= (loop.in (x->bb)
		     || (!x->store && x->ref && !loop.runs_behind (x->bb)));
	  }
	if (given && !used)
	  loop.fail (R_MEMORY, "was given to what may have kept it", loop.start,
		     f.at (k).decl);
      }
}

/* Functions that are not known get handles of the thread's own.  */

static void
judge_handles (judged_loop &loop)
{
  static const char how[] = "is a file or the like of the thread's own";
  std::set<int> handed;
  for (gimple *s : statements (loop.blocks))
    if (gcall *c = dyn_cast <gcall *> (s))
      for (tree v : arguments (c))
	if (loop.acc.call_flags (c) & F_UNKNOWN)
	  {
	    if (may_be_handle (v) && is_handle (loop, v))
	      loop.fail (R_MEMORY, how, c, v);
	    if (TREE_CODE (v) != ADDR_EXPR)
	      continue;
	    int to = loop.model.leads_to (v);
	    tree object = TREE_OPERAND (v, 0);
	    handed.insert (loop.model.find (to));
	    if (is_handed_by_address (loop, object, to)
		&& holds_handle (loop, to))
	      loop.fail (R_MEMORY, how, c, v);
	  }
  for (basic_block b : loop.blocks)
    for (access &x : loop.acc.in (b))
      if (x.store && gimple_assign_single_p (x.stmt)
	  && handed.count (loop.model.find (x.cls))
	  && (is_handle (loop, gimple_assign_rhs1 (x.stmt))
	      || is_unit_of_parameter (loop, x.stmt)))
	loop.fail (R_MEMORY, how, x.stmt, gimple_assign_rhs1 (x.stmt));
}
