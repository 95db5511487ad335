/* Rule `identity': functions that iterations call use what one beside stores.
   SPDX-License-Identifier: GPL-3.0-or-later

   As neighbours.h, in files that make parts by the number of threads, of what
   functions find by themselves: variables, arrays that they get as a whole.  */

/* What a function does to what threads may share: at a variable or where a
   parameter leads, or BELOW, where what is there leads.  */

typedef std::pair<tree, bool> shared_place;

struct shared_use
{
  std::vector<tree> loads, stores;
  /* Loads something else than it stores, or where data say.  */
  bool other;
};

typedef std::map<shared_place, shared_use> shared_uses;

/* By what C, a class of F, is known; none if it is the thread's own.  */

static std::vector<shared_place>
places_of (flow &f, int c)
{
  std::vector<shared_place> all;
  if (f.flags (c) & (C_OWN | C_TLS))
    return all;
  for (tree v : f.at (c).variables)
    if (is_global_var (v))
      all.push_back ({ v, false });
  unsigned n = list_length (DECL_ARGUMENTS (f.fn->decl));
  for (unsigned i = 0; i <= n; i++)
    {
      tree p = parameter (f.fn, i < n ? i : CHAIN);
      int k = p ? f.class_of_parm (p) : -1;
      if (k >= 0 && f.same (k, c))
	all.push_back ({ p, false });
      else if (k >= 0)
	for (int d : f.below (k))
	  if (f.same (d, c))
	    all.push_back ({ p, true });
    }
  for (unsigned k = 0; all.empty () && k < f.classes.size (); k++)
    if (f.find (k) == (int) k && f.right_below (k, c))
      for (tree v : f.at (k).variables)
	if (is_global_var (v))
	  all.push_back ({ v, true });
  return all;
}

/* The function that S calls, or its construct's, which may use what threads
   share; NULL if it is not known.  */

static function *
called_by (gimple *s)
{
  tree fd = code_of_construct (s);
  if (!fd && !is_of_library (s))
    fd = callee (s);
  return fd ? body_of (fd) : NULL;
}

/* What call S hands over as FN's parameter P, of a construct behind the
   function; NULL_TREE for variables.  */

static tree
handed_as (function *fn, gcall *s, tree p)
{
  if (p == fn->static_chain_decl)
    return gimple_call_chain (s);
  unsigned first = code_of_construct (s) != NULL_TREE;
  for (unsigned i = first; i < gimple_call_num_args (s); i++)
    if (parameter (fn, i - first) == p)
      return gimple_call_arg (s, i);
  return NULL_TREE;
}

/* The classes of F that P is where S calls FN.  */

static std::vector<int>
classes_of (flow &f, gcall *s, function *fn, const shared_place &p)
{
  tree t = handed_as (fn, s, p.first);
  int c = (t ? f.class_of_argument (t)
	   : is_global_var (p.first) ? f.class_of (p.first) : -1);
  if (c < 0)
    return {};
  /* What F's code does not know of is one.  */
  std::vector<int> below = p.second ? f.below (c) : std::vector<int> ();
  return below.empty () ? std::vector<int> (1, c) : below;
}

/* True if an element says which REF is.  */

static bool
is_selected (tree ref)
{
  worklist<tree> todo;
  for (tree t : indices (ref))
    todo.add (t);
  for (tree n; todo.next (&n); )
    {
      gimple *s = set_by (n);
      if (!s)
	continue;
      if (gimple_assign_load_p (s))
	{
	  place p = place_of (gimple_assign_rhs1 (s));
	  if (!p.known || (is_name (p.base)
			   && !SSA_NAME_IS_DEFAULT_DEF (p.base)))
	    return true;
	}
      else if (is_gimple_assign (s))
	for (tree m : names_used (s))
	  todo.add (m);
    }
  return false;
}

/* The variable, or parameter, that REF is a part of, or of what that leads to;
   NULL_TREE if of none.  */

static tree
whole_of (tree ref)
{
  place p = place_of (ref);
  return (p.known && (DECL_P (p.base)
		      || (is_name (p.base)
			  && SSA_NAME_IS_DEFAULT_DEF (p.base)))
	  ? p.base : NULL_TREE);
}

/* See what is OTHER of U.  Of references alike one is kept: calls hand them
   on.  */

static void
compare_uses (addresses &in, shared_use &u)
{
  /* Parts of one object are, and what has the same address.  */
  std::map<std::pair<tree, products>, tree> alike[2];
  hwi size;
  for (int store = 0; store < 2; store++)
    {
      std::vector<tree> &refs = store ? u.stores : u.loads;
      for (tree ref : refs)
	if (!u.other || alike[store].empty ())
	  {
	    tree whole = whole_of (ref);
	    alike[store].insert ({ { whole, whole ? products ()
				     : in.of_reference (ref, &size) }, ref });
	  }
      refs.clear ();
      for (auto &x : alike[store])
	refs.push_back (x.second);
    }
  for (auto &x : alike[1])
    for (auto &y : alike[0])
      if (!u.other)
	u.other = (x.first != y.first
		   || (!x.first.first && is_selected (x.second)));
}

static const shared_uses &
uses_of (function *fn)
{
  static std::map<function *, shared_uses> known;
  std::map<function *, shared_uses>::iterator i = known.find (fn);
  if (i != known.end ())
    return i->second;
  shared_uses &all = known[fn];
  in_function now (fn);
  flow f (fn, 0);
  f.spread ();
  accesses a (f);
  for (gimple *s : statements (fn))
    for (int store = 0; store < 2 && !a.locked_at (s); store++)
      for (tree ref : operands_of (s, store))
	for (const shared_place &p : places_of (f, f.class_of (ref)))
	  (store ? all[p].stores : all[p].loads).push_back (ref);
  for (gimple *s : statements (fn))
    if (function *to = called_by (s))
      for (auto &p : uses_of (to))
	for (int k : classes_of (f, as_a <gcall *> (s), to, p.first))
	  for (const shared_place &q : places_of (f, k))
	    {
	      const shared_use &v = p.second;
	      shared_use &u = all[q];
	      tree t = handed_as (to, as_a <gcall *> (s), p.first.first);
	      /* One element is handed over as one.  */
	      tree one = t && !p.first.second ? led_to (t) : NULL_TREE;
	      bool is_one = one && handled_component_p (one);
	      u.other |= v.other;
	      for (int store = 0; store < 2; store++)
		for (tree ref : store ? v.stores : v.loads)
		  (store ? u.stores : u.loads).push_back (is_one ? one : ref);
	    }
  addresses in;
  for (auto &p : all)
    compare_uses (in, p.second);
  return all;
}

/* Find fault with what LOOP's calls use of what others store.  Where the
   iterator says what they get, that is the iteration's as much as what it uses
   itself.  */

static void
judge_called (judged_loop &loop)
{
  flow &f = loop.model;
  std::map<int, unsigned> own;
  for (gimple *s : statements (loop.blocks))
    for (int store = 0; store < 2 && !loop.acc.locked_at (s); store++)
      for (tree ref : operands_of (s, store))
	if (loop.address_iterator (ref))
	  own[f.find (f.class_of (ref))] |= 1 << store;
  for (int round = 0; round < 2; round++)
    for (gimple *s : statements (loop.blocks))
      if (function *to = called_by (s))
	for (auto &p : uses_of (to))
	  for (int k : classes_of (f, as_a <gcall *> (s), to, p.first))
	    {
	      tree t = handed_as (to, as_a <gcall *> (s), p.first.first);
	      bool iterations = t && loop.made_of_iterator (t);
	      if ((f.flags (k) & (C_OWN | C_TLS)) || iterations != (round == 0))
		continue;
	      unsigned does = ((p.second.loads.empty () ? 0 : 1)
			       | (p.second.stores.empty () ? 0 : 2));
	      unsigned &does_itself = own[f.find (k)];
	      /* What an iteration's pointer leads to may be others', too.  */
	      bool picked = p.first.second && does == 3;
	      if (iterations && !picked)
		does_itself |= does;
	      else if (picked || p.second.other
		       || ((does & 1) && (does_itself & 2))
		       || ((does & 2) && (does_itself & 1)))
		{
		  loop.fail (R_IDENTITY, "may be what an iteration beside"
			     " stores; the file makes parts by threads", s,
			     p.first.first);
		  return;
		}
	    }
}
