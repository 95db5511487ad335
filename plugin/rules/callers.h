/* SPDX-License-Identifier: GPL-3.0-or-later

   What a function's callers hand it.  */

static void hand_parameters (flow &f, int depth);

/* The calls of FNDECL's function in this file, and those through pointers that
   may be; none of a region's.  */

static std::vector<cgraph_edge *>
calls_of (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl), *n;
  std::vector<cgraph_edge *> calls;
  if (!node || is_outlined (fndecl))
    return calls;
  for (cgraph_node *k : names_of (node))
    for (cgraph_edge *e = k->callers; e; e = e->next_caller)
      if (e->call_stmt)
	calls.push_back (e);
  if (is_called_through (node))
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (n)
      for (cgraph_edge *e = n->indirect_calls; e; e = e->next_callee)
	if (e->call_stmt
	    && fits (node, TREE_TYPE (gimple_call_fntype (e->call_stmt)),
		     gimple_call_num_args (e->call_stmt)))
	  calls.push_back (e);
  return calls;
}

/* The functions that call others, while the file is judged.  */
static std::map<function *, accesses *> views;

/* FN as its callers hand it over; NULL if it cannot be looked at.  */

static accesses *
view_of (function *fn, int depth)
{
  if (!fn || !fn->cfg || !gimple_in_ssa_p (fn))
    return NULL;
  std::map<function *, accesses *>::iterator i = views.find (fn);
  if (i != views.end ())
    return i->second;
  if (in_function::busy ().count (fn))
    return NULL;
  in_function now (fn);
  flow *f = new flow (fn, 0);
  hand_parameters (*f, depth);
  f->spread ();
  for (gimple *s : statements (fn))
    if (calls (s, "GOMP_loop_", "_next"))
      for (basic_block b : blocks_of (gimple_bb (s)->loop_father))
	f->judged[b->index] = true;
  return views[fn] = new accesses (*f);
}

/* The function that E's call stands in.  */

static accesses *
view_of_caller (cgraph_edge *e, int depth)
{
  return (e->call_stmt && gimple_bb (e->call_stmt)
	  ? view_of (DECL_STRUCT_FUNCTION (e->caller->decl), depth) : NULL);
}

/* True if A's function finds what it left where its thread's number, or a
   thread-local variable, leads.  */

static bool
keeps_for_thread (accesses &a)
{
  auto of_thread = [&] (const access &x)
    {
      return ((a.model.flags (x.cls) & C_TLS)
	      || ((x.number & N_USER) && !(a.model.flags (x.cls) & C_OWN)));
    };
  for (access &x : a.all)
    if (x.store && !x.adds && of_thread (x))
      for (access *y : a.of_class (x.cls))
	if (!y->store && !y->adds && of_thread (*y))
	  return true;
  return false;
}

/* The module that FNDECL is a procedure of; empty if of none.  */

static std::string
module_of (tree fndecl)
{
  std::string name = amp_name (fndecl);
  size_t end = name.find ("_MOD_");
  return end == std::string::npos ? "" : name.substr (0, end);
}

/* Who, of what this file calls and has not, may name its procedures of modules:
   what is in no module, 1; what is in a submodule of one of these, which may
   name private ones, too, 2.  No module uses one that uses it.  */

static unsigned
modules_are_used ()
{
  unsigned by = 0;
  std::set<std::string> here;
  cgraph_node *n;
  for (function *fn : functions ())
    here.insert (module_of (fn->decl));
  FOR_EACH_FUNCTION (n)
    {
      std::string module = module_of (n->decl);
      bool library = (is_ours (n->decl) || amp_known_function (n->decl)
		      || DECL_BUILT_IN_CLASS (n->decl) != NOT_BUILT_IN
		      || begins_with (amp_name (n->decl), "_"));
      if (!n->has_gimple_body_p () && here.count (module) && !module.empty ())
	by |= 2;
      else if (!n->has_gimple_body_p () && module.empty () && !library)
	by |= 1;
    }
  return by;
}

/* True if a function that is not known may call one of this file that keeps
   something for the thread.  */

static bool
may_be_called_back ()
{
  static bool known, keeps;
  if (known)
    return keeps;
  known = true;
  unsigned by = modules_are_used ();
  for (function *fn : functions ())
    {
      cgraph_node *node = cgraph_node::get (fn->decl);
      bool asks = false;
      if (node && (is_called_through (node)
		   || (TREE_PUBLIC (fn->decl) && !DECL_COMDAT (fn->decl)
		       && !MAIN_NAME_P (DECL_NAME (fn->decl))
		       && ((by & 2) || module_of (fn->decl).empty ()
			   /* Private ones are hidden from GCC 16 on.  */
			   || (by && (DECL_VISIBILITY (fn->decl)
				      != VISIBILITY_HIDDEN))))))
	for (gimple *s : statements (fn))
	  {
	    asks |= kind_of_call (s) == AMP_IDENTITY && !is_hint (s);
	    for (int stores = 0; stores < 2 && !asks; stores++)
	      for (tree ref : operands_of (s, stores))
		{
		  tree base = get_base_address (ref);
		  asks |= base && VAR_P (base) && DECL_THREAD_LOCAL_P (base);
		}
	  }
      if (accesses *a = asks ? view_of (fn, 1) : NULL)
	keeps |= keeps_for_thread (*a);
    }
  return keeps;
}

static void
forget_callers ()
{
  for (std::pair<function *const, accesses *> &v : views)
    {
      flow *f = &v.second->model;
      delete v.second;
      delete f;
    }
  views.clear ();
}

/* What argument I of S, a call of F's function in A's, leads to; CHAIN: the
   frame around both, which a call through a pointer does not name.  */

static void
hand_argument (flow &f, accesses &a, gcall *s, unsigned i)
{
  flow &g = a.model;
  tree t = i == CHAIN ? gimple_call_chain (s) : gimple_call_arg (s, i);
  flow::handed h = { t ? g.number_of (t) : 0, 0, !t, !t, !t, !t };
  int c = t ? g.class_of_argument (t) : -1;
  if (t && leads (t))
    {
      h.own = (g.flags (c) & C_OWN) != 0;
      h.held = h.own ? g.at (c).number : 0;
    }
  std::vector<int> own = c < 0 ? std::vector<int> () : g.below (c);
  for (int b : own)
    h.own_below |= (g.flags (b) & C_OWN) != 0;
  if (c >= 0)
    own.push_back (c);
  for (int b : own)
    if (g.flags (b) & C_OWN)
      {
	h.read |= (g.flags (b) & C_READ) != 0;
	h.left |= (g.flags (b) & C_LEFT) != 0;
	for (access *x : a.of_class (b))
	  if (x->stmt != s || !callee (s))
	    {
	      h.read |= !x->store && !x->adds;
	      h.left |= x->store && a.divided (*x);
	    }
      }
  f.hand_over (i, h);
  /* One object may be several parameters'.  */
  for (unsigned j = 0; t && leads (t) && i != CHAIN && j < i; j++)
    if (leads (gimple_call_arg (s, j))
	&& g.same (g.leads_to (gimple_call_arg (s, j)), c))
      f.hand_together (i, j);
}

/* What the callers of F's function hand it.  */

static void
hand_parameters (flow &f, int depth)
{
  if (f.outlined)
    return;
  /* The compiler's stack has room for so many callers of callers.  */
  const int most = 200;
  for (cgraph_edge *e : calls_of (f.fn->decl))
    if (accesses *a = depth < most ? view_of_caller (e, depth + 1) : NULL)
      {
	for (unsigned i = 0; i < gimple_call_num_args (e->call_stmt); i++)
	  hand_argument (f, *a, e->call_stmt, i);
	if (f.fn->static_chain_decl)
	  hand_argument (f, *a, e->call_stmt, CHAIN);
      }
    else if (depth == most || in_function::busy ().count
			       (DECL_STRUCT_FUNCTION (e->caller->decl)))
      /* Further ones, and those around a recursive call, may do anything.  */
      for (int i = list_length (DECL_ARGUMENTS (f.fn->decl)) - 1; i >= 0; i--)
	f.hand_over (i, { 0, 0, true, true, true, true });
}

/* True if class C is used in LOOPS alone, by each of them uniformly; by OTHERS,
   too, or several, in such a way that none finds what another has left.  */

static bool
used_uniformly (accesses &acc, const std::vector<judged_loop *> &loops, int c,
		bool others)
{
  std::set<judged_loop *> users;
  for (access *a : acc.of_class (c))
    {
      judged_loop *in = NULL;
      for (judged_loop *l : loops)
	if (l->chunks && l->in (a->bb))
	  in = l;
      if (!in)
	return false;
      users.insert (in);
    }
  for (judged_loop *l : users)
    {
      unsigned &k = l->uniformly[acc.model.find (c)];
      if (!k)
	{
	  uniform u (*l, c);
	  k = 4 + (u.good && !l->by_team) + 2 * (!u.early && !u.plain);
	}
      if (!(k & 1) || ((others || users.size () > 1) && !(k & 2)))
	return false;
    }
  return true;
}

static std::vector<gcall *> find_starts (function *fn);

/* True if FN uses what its parameter P leads to in its loops alone, by each
   uniformly.  */

static bool
uses_as_scratch (function *fn, unsigned p)
{
  static std::map<std::pair<function *, unsigned>, bool> known;
  auto k = known.insert (std::make_pair (std::make_pair (fn, p), false));
  if (!k.second || in_function::busy ().count (fn))
    return k.first->second;
  in_function now (fn);
  flow f (fn, 0);
  hand_parameters (f, 0);
  f.spread ();
  accesses a (f);
  std::vector<judged_loop *> loops;
  std::map<tree, std::vector<gcall *> > nexts = find_nexts (fn);
  for (gcall *s : find_starts (fn))
    loops.push_back (new judged_loop (f, a, s, nexts[start_variable (s)]));
  tree d = parameter (fn, p);
  int c = d && POINTER_TYPE_P (TREE_TYPE (d)) ? f.class_of_parm (d) : -1;
  bool good = (c >= 0 && !is_hidden (f, c) && f.at (c).parms == bit_of (p)
	       && (f.flags (c) & (C_OPEN | C_TLS | C_SHARED)) == C_OPEN
	       && used_uniformly (a, loops, c, true));
  for (judged_loop *l : loops)
    delete l;
  return k.first->second = good;
}

/* True if all callers of F's function hand it, as its parameter of the bit
   PARMS, what functions use as scratch alone, and this one once.  */

static bool
handed_scratch (flow &f, unsigned parms)
{
  cgraph_node *node = cgraph_node::get (f.fn->decl);
  if (!node || TREE_PUBLIC (f.fn->decl) || is_called_through (node)
      || pow2p_hwi (parms) != true)
    return false;
  for (cgraph_edge *e : calls_of (f.fn->decl))
    {
      unsigned p = exact_log2 (parms);
      accesses *a = view_of_caller (e, 1);
      tree t = a && p < 31 ? gimple_call_arg (e->call_stmt, p) : NULL_TREE;
      if (!t || !leads (t))
	return false;
      flow &g = a->model;
      int c = g.leads_to (t);
      if ((g.flags (c) & C_STATE) != C_OWN || g.at (c).number || g.at (c).parms
	  || is_hidden (g, c))
	return false;
      for (access *x : a->of_class (c))
	{
	  tree fd = callee (x->stmt);
	  function *fn = fd ? DECL_STRUCT_FUNCTION (fd) : NULL;
	  if (!fn || !fn->cfg || g.runs_again (x->stmt, c))
	    return false;
	  for (unsigned i = 0; i < gimple_call_num_args (x->stmt); i++)
	    {
	      tree y = gimple_call_arg (x->stmt, i);
	      if (leads (y) && g.same (g.leads_to (y), c)
		  && !(fn == f.fn ? i == p : uses_as_scratch (fn, i)))
		return false;
	    }
	}
    }
  return true;
}
