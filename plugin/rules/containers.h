/* Containers of C++'s library that each iteration empties or fills first.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is read of a container has been put there since it was emptied: more
   would be undefined.  So what an iteration reads of a variable of the thread's
   own that it empties first, and of the memory that this has for its elements,
   is covered.  What elements lead to is not the container's.  Hash tables are
   none of these: their order depends on what they held before.  */

/* True if a container of TYPE is the library's alone: its allocator and what
   compares its keys have no state.  */

static bool
is_plain (tree type)
{
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL)
      {
	const char *n = DECL_NAME (f) ? IDENTIFIER_POINTER (DECL_NAME (f))
				      : "_M_";
	bool object = RECORD_OR_UNION_TYPE_P (TREE_TYPE (f));
	tree g = object ? TYPE_FIELDS (TREE_TYPE (f)) : f;
	while (g && TREE_CODE (g) != FIELD_DECL)
	  g = DECL_CHAIN (g);
	if (!begins_with (n, "_M_") || (object && !is_plain (TREE_TYPE (f)))
	    || (g && !strcmp (n, "_M_key_compare")))
	  return false;
      }
  return true;
}

/* True if objects of TYPE are such containers, ONE if that is not NULL.  */

static bool
is_container (tree type, const char *one = NULL)
{
  tree name = TYPE_NAME (TYPE_MAIN_VARIANT (type));
  if (name && DECL_P (name))
    name = DECL_NAME (name);
  if (!RECORD_OR_UNION_TYPE_P (type) || !name || !is_plain (type))
    return false;
  for (const char *n : { "vector", "basic_string", "map", "set", "multimap",
			 "multiset", "list" })
    if (!strcmp (IDENTIFIER_POINTER (name), n) && (!one || !strcmp (n, one)))
      return true;
  return false;
}

/* True if FNDECL leaves its object without what that held before.  */

static bool
empties (tree fndecl)
{
  const char *n = amp_name (fndecl), *e = strstr (n, "E5clearEv");
  tree type = DECL_CONTEXT (fndecl);
  return (((e && !e[9]) || strstr (n, "E6assignEmRK"))
	  && begins_with (n, "_ZNSt") && type && TYPE_P (type)
	  && is_container (type));
}

/* The part of S's function that was inlined for a function for which F holds;
   or S, if it calls one.  */

template <typename F>
static const void *
part_of (gimple *s, F f)
{
  if (callee (s) && f (callee (s)))
    return s;
  for (tree b = gimple_block (s); b && TREE_CODE (b) == BLOCK;
       b = BLOCK_SUPERCONTEXT (b))
    if (inlined_function_outer_scope_p (b)
	&& TREE_CODE (BLOCK_ABSTRACT_ORIGIN (b)) == FUNCTION_DECL
	&& f (BLOCK_ABSTRACT_ORIGIN (b)))
      return b;
  return NULL;
}

static bool
is_library (tree fndecl)
{
  const char *n = amp_name (fndecl);
  return (begins_with (n, "_ZNSt") || begins_with (n, "_ZSt")
	  || begins_with (n, "_ZN9__gnu_cxx"));
}

/* True if C is a variable that is one pointer, such as an iterator.  */

static bool
is_iterator (const memory_class &m)
{
  if (m.variables.size () != 1)
    return false;
  tree type = TREE_TYPE (m.decl);
  while (RECORD_OR_UNION_TYPE_P (type))
    {
      tree one = NULL_TREE;
      for (tree d = TYPE_FIELDS (type); d; d = DECL_CHAIN (d))
	if (TREE_CODE (d) == FIELD_DECL)
	  {
	    if (one)
	      return false;
	    one = d;
	  }
      if (!one)
	return false;
      type = TREE_TYPE (one);
    }
  return POINTER_TYPE_P (type);
}

/* True if S destroys a container of the library's, whose elements need no code
   of their own.  */

static bool
destroys (gimple *s)
{
  const char *n = amp_name (gimple_call_fndecl (s));
  size_t len = strlen (n);
  if (!is_library (gimple_call_fndecl (s)) || len < 4 || n[len - 4] != 'D'
      || strcmp (n + len - 2, "Ev"))
    return false;
  const char *v = strstr (n, "6vectorI");
  return (v ? v[8] >= 'a' && v[8] <= 'z'
	    : (begins_with (n + 5, "7__cxx1112basic_stringI")
	       || begins_with (n + 5, "12_Vector_baseI")));
}

/* The class of the elements of C's, if that is one variable, a container, and
   no other leads to them; -1 otherwise.  */

static int
elements_of (flow &f, int c)
{
  memory_class &m = f.at (c);
  if (m.variables.size () != 1 || !(m.flags & C_OWN) || m.parms
      || !VAR_P (m.decl) || !is_container (TREE_TYPE (m.decl))
      || (m.flags & (C_TLS | C_SHARED | C_OPEN))
      || m.deep.empty ())
    return -1;
  int d = f.deep (c, ANY);
  memory_class &e = f.at (d);
  if (e.parms || (e.flags & (C_VARIABLE | C_TLS | C_SHARED)) || f.find (c) == d)
    return -1;
  for (gimple *s : e.allocs)
    if (!part_of (s, is_library))
      return -1;
  for (unsigned k = 0; k < f.classes.size (); k++)
    if (f.find (k) == (int) k && f.find (c) != (int) k && d != (int) k
	&& !is_iterator (f.classes[k]) && f.right_below (k, d))
      return -1;
  return d;
}

/* Mark as covered what LOOP reads of containers of class C that S, first of its
   PART, empties in each iteration; or, without a part, whose elements inner
   loop FILL, which S ends, writes.  */

static void
cover_container (judged_loop &loop, gimple *s, const void *part, int c,
		 class loop *fill = NULL)
{
  accesses &a = loop.acc;
  basic_block at = gimple_bb (s);
  int d = elements_of (loop.model, c);
  if (d < 0 || at->loop_father == loop.chunks)
    return;
  std::vector<access *> read;
  for (basic_block b : loop.blocks)
    {
      bool behind = b != at && dominated_by_p (CDI_DOMINATORS, b, at);
      unsigned i = a.of_block[b->index].first;
      for (gimple *t : statements (b))
	{
	  bool here = ((behind && !(fill && flow_bb_inside_loop_p (fill, b)))
		       || t == s || (part && part_of (t, empties) == part));
	  for (; i < a.of_block[b->index].second && a.all[i].stmt == t; i++)
	    {
	      access &x = a.all[i];
	      int k = loop.model.find (x.cls);
	      if ((k != loop.model.find (c) && k != d)
		  || (!part && (x.store ? k == d : k != d)))
		continue;
	      if (!here || (!part && x.store))
		return;
	      if (!x.store)
		read.push_back (&x);
	    }
	  behind |= t == s;
	}
    }
  for (access *x : read)
    x->covered = true;
}

/* The vector that FROM and TO begin and end.  */

static tree
vector_of (tree from, tree to)
{
  gimple *s = set_by (from), *t = set_by (to);
  if (!s || !t || !gimple_assign_load_p (s) || !gimple_assign_load_p (t))
    return NULL_TREE;
  place p = place_of (gimple_assign_rhs1 (s));
  place q = place_of (gimple_assign_rhs1 (t));
  return (p.known && q.known && p.base && VAR_P (p.base) && p.base == q.base
	  && p.offset == 0 && q.offset == POINTER_SIZE_UNITS
	  && is_container (TREE_TYPE (p.base), "vector") ? p.base : NULL_TREE);
}

/* The vector that L writes all elements of.  */

static tree
filled_vector (accesses &a, class loop *l)
{
  edge e = single_exit (l);
  gimple *c = e && e->src == l->header ? last_of (e->src) : NULL;
  if (!c || gimple_code (c) != GIMPLE_COND
      || gimple_cond_code (c) != ((e->flags & EDGE_TRUE_VALUE) ? EQ_EXPR
							       : NE_EXPR))
    return NULL_TREE;
  tree p = gimple_cond_lhs (c), to = gimple_cond_rhs (c);
  if (is_name (p) && expr_invariant_in_loop_p (l, p))
    std::swap (p, to);
  affine_iv iv;
  if (!is_name (p) || !is_name (to) || !simple_iv (l, l, p, &iv, false)
      || !is_name (iv.base))
    return NULL_TREE;
  for (basic_block b : blocks_of (l))
    for (access &x : a.in (b))
      if (x.store && x.must && x.ref && x.pointer == p && x.where.known
	  && x.where.offset == 0 && tree_fits_shwi_p (iv.step)
	  && tree_to_shwi (iv.step) == x.where.size
	  && dominated_by_p (CDI_DOMINATORS, l->latch, b))
	return vector_of (iv.base, to);
  return NULL_TREE;
}

static void
cover_containers (judged_loop &loop)
{
  for (basic_block b : loop.blocks)
    if (b->loop_father->header == b && b->loop_father != loop.chunks)
      if (tree v = filled_vector (loop.acc, b->loop_father))
	cover_container (loop, last_of (b), NULL, loop.model.class_of (v),
			 b->loop_father);
  std::set<const void *> seen;
  for (gimple *s : statements (loop.blocks))
    {
      bool load = gimple_assign_load_p (s);
      const void *part = (load || !arguments (s).empty ()
			  ? part_of (s, empties) : NULL);
      if (!part || !seen.insert (part).second)
	continue;
      tree what = load ? gimple_assign_rhs1 (s) : gimple_call_arg (s, 0);
      if (load || POINTER_TYPE_P (TREE_TYPE (what)))
	cover_container (loop, s, part, load ? loop.model.class_of (what)
					      : loop.model.leads_to (what));
    }
}
