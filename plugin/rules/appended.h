/* Vectors that iterations append to, and that threads put together behind the
   loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   With a thread for each iteration each has what that has appended, and they
   put these pieces into one shared vector under a lock, in any order: so any
   order of the pieces is right (A1).  Under a division a thread's vector is a
   row of pieces, and to put it in as a whole is to put these in one by one.  So
   nothing else may be done with it: it is empty when the loop begins, and that
   runs once in its life; iterations append, and read none of it; and each
   thread inserts all of it, once, and does nothing else while it holds the
   lock, for which it has waited for nobody.  Copies of elements run no code of
   the program's.  Code behind may count on pieces that ascend, as the threads'
   own blocks do.  */

/* True if FNDECL, a vector's member with a name, is of one with the library's
   own allocator: what comes before its name ends with SaI, the type, and E.  */

static bool
allocates_plainly (tree fndecl)
{
  const char *n = amp_name (fndecl);
  std::string name = IDENTIFIER_POINTER (DECL_NAME (fndecl));
  const char *end = strstr (n, ("E" + std::to_string (name.size ()) + name)
			       .c_str ());
  std::string of (n, end ? end - n : 0);
  size_t at = of.rfind ("SaI");
  return (at != std::string::npos && at + 5 <= of.size ()
	  && of[of.size () - 1] == 'E'
	  && (of[at + 3] == 'S' ? of[of.size () - 2] == '_'
				  && of.find ('E', at) == of.size () - 1
	      : at + 5 == of.size ()));
}

/* What objects of TYPE, vectors, hold; NULL_TREE if they are none.  */

static tree
element_type (tree type)
{
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL)
      {
	if (DECL_NAME (f)
	    && !strcmp (IDENTIFIER_POINTER (DECL_NAME (f)), "_M_start"))
	  return TREE_TYPE (TREE_TYPE (f));
	tree e = (RECORD_OR_UNION_TYPE_P (TREE_TYPE (f))
		  ? element_type (TREE_TYPE (f)) : NULL_TREE);
	if (e)
	  return e;
      }
  return NULL_TREE;
}

/* True if to make an object of TYPE runs no code of the program's.  */

static bool
is_simple (tree type)
{
  if (!RECORD_OR_UNION_TYPE_P (type))
    return INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type)
	   || POINTER_TYPE_P (type);
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  tree in = name && DECL_P (name) ? DECL_CONTEXT (name) : NULL_TREE;
  if (!in || !DECL_NAME (name) || TREE_CODE (in) != NAMESPACE_DECL
      || !DECL_NAME (in) || strcmp (IDENTIFIER_POINTER (DECL_NAME (in)), "std")
      || strcmp (IDENTIFIER_POINTER (DECL_NAME (name)), "pair"))
    return false;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL && DECL_NAME (f)
	&& !is_simple (TREE_TYPE (f)))
      return false;
  return true;
}

/* True if FNDECL is a member NAME of the library's vectors.  */

static bool
is_member (tree fndecl, const char *name)
{
  tree type = DECL_CONTEXT (fndecl);
  const char *n = amp_name (fndecl);
  return ((begins_with (n, "_ZNSt") || begins_with (n, "_ZNKSt"))
	  && DECL_NAME (fndecl) && type && TYPE_P (type)
	  && is_container (type, "vector")
	  && !strcmp (IDENTIFIER_POINTER (DECL_NAME (fndecl)), name));
}

/* True if FNDECL appends to a vector, and runs no code of the program's.  */

static bool
appends (tree fndecl)
{
  bool emplaces = is_member (fndecl, "emplace_back");
  if (!emplaces && !is_member (fndecl, "push_back"))
    return false;
  tree element = element_type (DECL_CONTEXT (fndecl));
  bool simple = element && is_simple (element);
  for (tree t = TYPE_ARG_TYPES (TREE_TYPE (fndecl)); t; t = TREE_CHAIN (t))
    if (TREE_CODE (TREE_VALUE (t)) == REFERENCE_TYPE)
      simple = simple && is_simple (TREE_TYPE (TREE_VALUE (t)));
  return (element && allocates_plainly (fndecl) && !TREE_ADDRESSABLE (element)
	  && (!emplaces || simple));
}

/* True if FNDECL inserts what is between two iterators.  */

static bool
inserts_range (tree fndecl)
{
  if (!is_member (fndecl, "insert"))
    return false;
  std::vector<tree> types;
  for (tree t = TYPE_ARG_TYPES (TREE_TYPE (fndecl)); t; t = TREE_CHAIN (t))
    types.push_back (TREE_VALUE (t));
  tree it = types.size () >= 4 && types[2] == types[3] ? types[2] : NULL_TREE;
  tree name = it && RECORD_OR_UNION_TYPE_P (it) ? TYPE_NAME (it) : NULL_TREE;
  if (!name || !DECL_P (name) || !DECL_NAME (name))
    return false;
  const char *n = IDENTIFIER_POINTER (DECL_NAME (name));
  if (strcmp (n, "__normal_iterator") && strcmp (n, "move_iterator"))
    return false;
  /* Its elements are copied, not converted.  */
  while (it && RECORD_OR_UNION_TYPE_P (it))
    {
      tree f = TYPE_FIELDS (it);
      while (f && TREE_CODE (f) != FIELD_DECL)
	f = DECL_CHAIN (f);
      it = f ? TREE_TYPE (f) : NULL_TREE;
    }
  tree element = element_type (DECL_CONTEXT (fndecl));
  return (it && element && POINTER_TYPE_P (it)
	  && TYPE_MAIN_VARIANT (TREE_TYPE (it)) == TYPE_MAIN_VARIANT (element)
	  && allocates_plainly (fndecl));
}

static bool
begins_at (tree fndecl)
{
  return is_member (fndecl, "begin") || is_member (fndecl, "cbegin");
}

static bool
begins_or_ends (tree fndecl)
{
  return (begins_at (fndecl) || is_member (fndecl, "end")
	  || is_member (fndecl, "cend"));
}

static bool
sizes (tree fndecl)
{
  return is_member (fndecl, "size");
}

/* True if S sees to room for what is put in.  */

static bool
reserves (gimple *s)
{
  if (callee (s) && is_member (callee (s), "reserve"))
    return true;
  if (code_of (s) != PLUS_EXPR)
    return false;
  for (gimple *u : uses (gimple_assign_lhs (s)))
    if (!callee (u) || !is_member (callee (u), "reserve"))
      return false;
  return true;
}

/* True if FNDECL makes a vector without elements, or a part of it, or sees to
   its room, or ends it.  */

static bool
makes_or_ends (tree fndecl)
{
  const char *n = amp_name (fndecl);
  size_t len = strlen (n);
  return (is_library (fndecl)
	  && ((len > 4 && !strcmp (n + len - 2, "Ev")
	       && (n[len - 4] == 'D' || n[len - 4] == 'C'))
	      || is_member (fndecl, "reserve")));
}

/* True if FNDECL copies an iterator, or makes it move.  */

static bool
copies_iterator (tree fndecl)
{
  return ((begins_with (amp_name (fndecl), "_ZN9__gnu_cxx17__normal_iteratorI")
	   && VOID_TYPE_P (TREE_TYPE (TREE_TYPE (fndecl))))
	  || begins_with (amp_name (fndecl), "_ZSt18make_move_iteratorI"));
}

/* A vector of the thread's own, class C, whose elements are class D.  */

class appended
{
public:
  appended (judged_loop &l, int head, int elements)
    : loop (l), c (head), d (elements), firsts (0), lasts (0)
  {}
  bool good (const std::set<int> &all);

private:
  judged_loop &loop;
  int c, d;
  /* In the section that puts it in: reads of its begin and of its end, and
     where all are put that it puts in.  */
  int firsts, lasts;
  std::vector<tree> targets;
  std::set<gimple *> section;

  bool is_its (int k)
  {
    return loop.model.same (k, c) || loop.model.same (k, d);
  }
  bool appends_alone (const access &a);
  bool makes_or_ends_it (const access &a);
  bool find_section ();
  bool waits_for_nobody (gimple *lock);
  bool only_copies (gimple *s);
  bool is_beside (gimple *s);
  bool is_everyones (tree t);
  bool are_two (tree x, tree y);
  bool puts_in (gimple *s);
};

/* True if A, in the loop, is of what appends to it something else.  */

bool
appended::appends_alone (const access &a)
{
  if (!part_of (a.stmt, appends))
    return false;
  bool head = loop.model.same (a.cls, c);
  if (a.ref)
    return (head ? a.where.known && a.where.offset >= POINTER_SIZE_UNITS
	    : a.store);
  if (!callee (a.stmt) || !is_library (callee (a.stmt)))
    return false;
  unsigned n = 0;
  bool whole = (appends (callee (a.stmt))
		|| begins_with (IDENTIFIER_POINTER (DECL_NAME
						    (callee (a.stmt))),
				"_M_realloc_"));
  for (tree t : arguments (a.stmt))
    if (n++ == 0 ? whole && !loop.model.same (loop.model.leads_to (t), c)
	: whole && leads (t) && is_its (loop.model.leads_to (t)))
      return false;
  return whole || (!head && a.store);
}

/* True if a thread that has left the loop waits for no other one until it gets
   LOCK, and holds none then.  */

bool
appended::waits_for_nobody (gimple *lock)
{
  if (loop.acc.may_hold (lock))
    return false;
  basic_block at = gimple_bb (lock);
  for (basic_block b : loop.model.order)
    if (loop.runs_behind (b)
	&& (b == at || !dominated_by_p (CDI_DOMINATORS, b, at)))
      for (gimple *s : statements (b))
	{
	  if (s == lock)
	    break;
	  if (gimple_code (s) == GIMPLE_ASM
	      || (gimple_has_volatile_ops (s) && !gimple_clobber_p (s)))
	    return false;
	  /* Callers hold none of these.  */
	  bool locks = (calls (s, "GOMP_critical_", "")
			|| calls (s, "GOMP_atomic_", ""));
	  if (is_gimple_call (s) && !calls (s, "GOMP_loop_end", "")
	      && !(gimple_call_flags (s) & ECF_CONST)
	      && !(locks && b->loop_father == at->loop_father))
	    return false;
	}
  return true;
}

/* Find the code behind the loop that puts it in, from where a lock is taken to
   where it is released.  True if there is one, which all threads run.  */

bool
appended::find_section ()
{
  for (gimple *lock : statements (loop.model.order))
    {
      if (kind_of_call (lock) != AMP_LOCK || loop.in (gimple_bb (lock))
	  || (gimple_bb (lock)->loop_father
	      != gimple_bb (loop.start)->loop_father)
	  || !dominated_by_p (CDI_POST_DOMINATORS, gimple_bb (loop.start),
			      gimple_bb (lock)))
	continue;
      std::set<gimple *> all;
      bool uses_it = false;
      worklist<basic_block> todo;
      todo.add (gimple_bb (lock));
      for (basic_block b; todo.next (&b); )
	{
	  bool held = b != gimple_bb (lock);
	  for (gimple *s : statements (b))
	    {
	      if (s == lock)
		held = true;
	      else if (held && kind_of_call (s) == AMP_UNLOCK)
		held = false;
	      else if (held)
		all.insert (s);
	    }
	  if (held)
	    for (edge e : edges (b->succs))
	      todo.add (e->dest);
	}
      for (access &a : loop.acc.all)
	uses_it |= all.count (a.stmt) && is_its (a.cls);
      if (uses_it && (!section.empty () || !waits_for_nobody (lock)))
	return false;
      if (uses_it)
	section.swap (all);
    }
  return !section.empty ();
}

/* True if S, in the program's own code, makes nothing new.  */

bool
appended::only_copies (gimple *s)
{
  if (gimple_clobber_p (s) || gimple_code (s) == GIMPLE_NOP
      || gimple_code (s) == GIMPLE_LABEL || is_gimple_debug (s))
    return true;
  if (!gimple_assign_single_p (s) && !CONVERT_EXPR_CODE_P (code_of (s)))
    return false;
  tree to = gimple_store_p (s) ? get_base_address (gimple_get_lhs (s))
			       : NULL_TREE;
  if (to && TREE_CODE (to) == MEM_REF
      && TREE_CODE (TREE_OPERAND (to, 0)) == ADDR_EXPR)
    to = get_base_address (TREE_OPERAND (TREE_OPERAND (to, 0), 0));
  return (!to || (VAR_P (to) && !is_global_var (to)
		  && is_iterator (loop.model.at (loop.model.class_of (to)))));
}

/* True if T, an address, is the same for all threads: what the region has been
   told of, or a global variable.  */

bool
appended::is_everyones (tree t)
{
  flow &m = loop.model;
  for (int n = 0; n < 8; n++)
    {
      tree ref = TREE_CODE (t) == ADDR_EXPR ? TREE_OPERAND (t, 0) : NULL_TREE;
      gimple *s = set_by (t);
      if (s && !gimple_bb (s))
	return is_outlined (m.fn->decl) && SSA_NAME_IS_DEFAULT_DEF (t);
      if (s && gimple_assign_single_p (s))
	ref = gimple_assign_rhs1 (s);
      else if (s && CONVERT_EXPR_CODE_P (code_of (s)))
	{
	  t = gimple_assign_rhs1 (s);
	  continue;
	}
      if (!ref)
	return false;
      if (s && gimple_assign_load_p (s))
	for (access *a : loop.acc.of_class (m.class_of (ref)))
	  if (a->store && (!a->ref || refs_may_alias_p (a->ref, ref)))
	    return false;
      if (TREE_CODE (ref) == ADDR_EXPR)
	ref = TREE_OPERAND (ref, 0);
      while (TREE_CODE (ref) == COMPONENT_REF)
	ref = TREE_OPERAND (ref, 0);
      if (VAR_P (ref))
	return is_global_var (ref) && !DECL_THREAD_LOCAL_P (ref);
      if (TREE_CODE (ref) != MEM_REF && !is_name (ref))
	return false;
      t = is_name (ref) ? ref : TREE_OPERAND (ref, 0);
    }
  return false;
}

/* True if X and Y, which is_everyones holds for, are two objects for sure: two
   variables of the file, two that the region shares and that whoever begins it
   has, or two parts of one.  */

bool
appended::are_two (tree x, tree y)
{
  place p = pointer_place (x), q = pointer_place (y);
  if (p.known && q.known && p.offset != q.offset)
    return true;
  std::string name[2];
  for (int n = 0; n < 2; n++, x = y)
    {
      while (set_by (x) && gimple_assign_ssa_name_copy_p (set_by (x)))
	x = gimple_assign_rhs1 (set_by (x));
      gimple *s = set_by (x);
      tree f = (s && gimple_assign_load_p (s) ? gimple_assign_rhs1 (s)
		: TREE_CODE (x) == ADDR_EXPR ? TREE_OPERAND (x, 0) : NULL_TREE);
      bool variable = f && VAR_P (f) && TREE_CODE (x) == ADDR_EXPR;
      if (!f || !(variable || TREE_CODE (f) == COMPONENT_REF))
	return false;
      name[n] = key_of (NULL, f);
      if (variable)
	continue;
      for (function *fn : functions ())
	for (gimple *t : statements (fn))
	  for (tree to : operands_of (t, true))
	    if (key_of (NULL, to) == name[n])
	      {
		tree v = (gimple_assign_single_p (t) ? gimple_assign_rhs1 (t)
			  : NULL_TREE);
		v = v && TREE_CODE (v) == ADDR_EXPR ? TREE_OPERAND (v, 0) : v;
		if (!v || !VAR_P (v) || !DECL_NAME (v)
		    || DECL_NAME (v) != DECL_NAME (TREE_OPERAND (f, 1)))
		  return false;
	      }
    }
  return !name[0].empty () && !name[1].empty () && name[0] != name[1];
}

/* True if S, in the section, has nothing to do with vectors, such as a sum that
   the same lock protects.  */

bool
appended::is_beside (gimple *s)
{
  if (is_gimple_call (s) || gimple_code (s) == GIMPLE_ASM
      || gimple_has_volatile_ops (s))
    return false;
  for (tree n : names_used (s))
    if (section.count (set_by (n)) && !is_beside (set_by (n)))
      return false;
  flow &m = loop.model;
  for (int stores = 0; stores < 2; stores++)
    for (tree ref : operands_of (s, stores))
      {
	int k = m.class_of (ref);
	bool related = is_its (k) || is_iterator (m.at (k));
	for (tree t : targets)
	  related |= m.same (m.leads_to (t), k);
	if (related)
	  return false;
      }
  return !part_of (s, is_library);
}

/* True if S is of code that puts the vector in.  */

bool
appended::puts_in (gimple *s)
{
  tree f = callee (s);
  if (f && inserts_range (f))
    {
      flow &m = loop.model;
      tree out = gimple_call_arg (s, 0);
      int to = m.leads_to (out);
      if (is_its (to) || !is_everyones (out)
	  || !dominated_by_p (CDI_POST_DOMINATORS, gimple_bb (loop.start),
			      gimple_bb (s)))
	return false;
      /* Into one, each piece would come before, or behind, its fellow.  */
      for (tree t : targets)
	if (!are_two (t, out))
	  return false;
      targets.push_back (out);
      for (gimple *t : statements (m.order))
	if (loop.runs_behind (gimple_bb (t)) && !section.count (t))
	  {
	    if (is_gimple_call (t) && !is_of_library (t)
		&& (calls_far (t) || code_of_construct (t)
		    || (callee (t) && body_of (callee (t)))))
	      return false;
	    for (int stores = 0; stores < 2; stores++)
	      for (tree ref : operands_of (t, stores))
		if (m.same (m.class_of (ref), to))
		  return false;
	    for (tree a : arguments (t))
	      if (leads (a) && m.same (m.leads_to (a), to))
		return false;
	  }
      return true;
    }
  if (part_of (s, sizes) && name_set_by (s) && !gimple_assign_load_p (s))
    {
      for (gimple *u : uses (name_set_by (s)))
	if (!part_of (u, sizes) && !reserves (u))
	  return false;
      return true;
    }
  if (f)
    return begins_or_ends (f) || copies_iterator (f) || reserves (s);
  return (!is_gimple_call (s)
	  && (part_of (s, begins_or_ends) || part_of (s, copies_iterator)
	      || only_copies (s) || reserves (s) || is_beside (s)));
}

/* True if A, outside of the loop and of the section, makes it or ends it.  */

bool
appended::makes_or_ends_it (const access &a)
{
  if (part_of (a.stmt, makes_or_ends))
    return true;
  tree v = gimple_assign_single_p (a.stmt) ? gimple_assign_rhs1 (a.stmt)
					   : NULL_TREE;
  return (v && TREE_CODE (v) == CONSTRUCTOR && !CONSTRUCTOR_NELTS (v)
	  && !loop.runs_behind (a.bb));
}

/* True if the vector, one of ALL that iterations append to, is put in with all
   of these that are where it is: one piece is what an iteration appends to
   each.  */

bool
appended::good (const std::set<int> &all)
{
  if (loop.model.runs_again (loop.start, c) || !find_section ())
    return false;
  for (access &a : loop.acc.all)
    if (is_its (a.cls) && !section.count (a.stmt)
	&& !(loop.in (a.bb) ? appends_alone (a)
	     : makes_or_ends_it (a)))
      return false;
  for (int rest = 0; rest < 2; rest++)
    for (gimple *s : section)
      if ((callee (s) && inserts_range (callee (s))) != rest && !puts_in (s))
	return false;
  for (access &a : loop.acc.all)
    if (section.count (a.stmt) && is_its (a.cls))
      {
	tree f = callee (a.stmt);
	if (reserves (a.stmt) || (f && (inserts_range (f) || sizes (f))))
	  continue;
	bool first = (f ? begins_at (f)
		      : a.where.known && a.where.offset == 0);
	if (!loop.model.same (a.cls, c) || a.store)
	  return false;
	/* What is found for its size may be used again.  */
	int n = f != NULL_TREE;
	if (!f && name_set_by (a.stmt))
	  for (gimple *u : uses (name_set_by (a.stmt)))
	    n += !part_of (u, sizes);
	(first ? firsts : lasts) += n;
      }
  std::set<int> here;
  for (access &a : loop.acc.all)
    if (section.count (a.stmt) && all.count (loop.model.find (a.cls)))
      here.insert (loop.model.find (a.cls));
  /* Several are put in at the end: pieces that go with each other keep their
     places.  */
  unsigned begins = 0;
  for (gimple *s : section)
    if (callee (s) ? begins_at (callee (s))
	: gimple_assign_load_p (s) && part_of (s, begins_at)
	  && place_of (gimple_assign_rhs1 (s)).offset == 0)
      begins++;
  return (firsts == 1 && lasts == 1 && targets.size () == here.size ()
	  && (here.size () == 1 || begins <= here.size ()));
}

/* True if C is one vector of the thread's, whose elements are its, too.  */

static bool
is_own_vector (flow &f, int c)
{
  memory_class &m = f.at (c);
  return (m.variables.size () == 1 && !m.parms && VAR_P (m.decl)
	  && is_container (TREE_TYPE (m.decl), "vector") && !m.deep.empty ()
	  && (m.flags & (C_OWN | C_TLS | C_SHARED | C_OPEN)) == C_OWN
	  && (f.flags (f.deep (c, ANY)) & C_OWN));
}

/* The classes of LOOP that such vectors are.  */

static std::set<int>
find_appended (judged_loop &loop)
{
  flow &f = loop.model;
  std::set<int> all, found;
  for (gimple *s : statements (loop.blocks))
    if (callee (s) && is_library (callee (s)) && part_of (s, appends)
	&& gimple_call_num_args (s) && leads (gimple_call_arg (s, 0))
	&& is_own_vector (f, f.leads_to (gimple_call_arg (s, 0))))
      all.insert (f.find (f.leads_to (gimple_call_arg (s, 0))));
  for (int c : all)
    if (appended (loop, c, f.deep (c, ANY)).good (all))
      {
	loop.ascending = loop.appends = true;
	found.insert (c);
	found.insert (f.find (f.deep (c, ANY)));
      }
  return found;
}
