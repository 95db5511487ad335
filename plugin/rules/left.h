/* SPDX-License-Identifier: GPL-3.0-or-later

   What a loop leaves in registers, and what becomes of that.  */

/* Find fault with what C becomes behind the loop.  */

static void
judge_behind (judged_loop &loop, const carried &c)
{
  tree v = gimple_phi_result (c.phi);
  std::set<tree> met, seen;
  if (tells_idle (loop, c))
    loop.fail (R_REGISTERS, "is handed on by threads that have an iteration",
	       c.phi, v);
  if (c.kind == EXTREME || c.kind == CONSTANT)
    for (tree w : c.values)
      if (!folds (loop, w, c.kind == EXTREME ? c.op : ERROR_MARK, met))
	loop.fail (R_REGISTERS, "is what some of the thread's iterations"
		   " found, and is used behind the loop", c.phi, v);
  if (c.kind == CONSTANT)
    return;
  bool by_place = false, all_merged = true;
  bool by_number = (c.kind == SUM && !c.iterators
		    && SCALAR_FLOAT_TYPE_P (TREE_TYPE (v)));
  for (tree w : c.values)
    all_merged &= merged (loop, w, seen, &by_place,
			  c.kind == SUM ? c.op : ERROR_MARK, by_number);
  if ((by_place && (c.kind != SUM || c.iterators))
      || (!all_merged && (c.iterators || c.kind == COMPANION)))
    loop.fail (R_REGISTERS, "says how far the thread's iterations reach",
	       c.phi, v);
  else if (by_place || !all_merged)
    loop.fail (R_REGISTERS, "is made by the thread's iterations alone, and is"
	       " used behind the loop", c.phi, v);
}

/* True if nothing is made of T but copies.  */

static bool
is_dead (tree t)
{
  worklist<tree> todo;
  todo.add (t);
  while (todo.next (&t))
    for (gimple *s : uses (t))
      if (name_set_by (s) && (gimple_code (s) == GIMPLE_PHI
			      || code_of (s) == SSA_NAME))
	todo.add (name_set_by (s));
      else if (!is_gimple_debug (s))
	return false;
  return true;
}

/* True if S stores what LOOP's function hands back to who began the region, and
   nobody looks at that, but to begin with what is there before the loop.  */

static bool
is_handed_back_for_nothing (judged_loop &loop, gimple *s)
{
  /* By name: fields may be declared for both sides.  */
  static std::map<std::string,
		  std::vector<std::pair<function *, gimple *> > > reads;
  static bool known;
  tree to = gimple_assign_single_p (s) ? gimple_assign_lhs (s) : NULL_TREE;
  if (!to || TREE_CODE (to) != COMPONENT_REF
      || !begins_with (key_of (NULL, to).c_str (), ".omp_data"))
    return false;
  if (!known)
    for (function *fn : functions ())
      for (gimple *t : statements (fn))
	for (tree ref : operands_of (t, false))
	  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
	    if (TREE_CODE (ref) == COMPONENT_REF)
	      reads[key_of (NULL, ref)].push_back ({ fn, t });
  known = true;
  for (auto &r : reads[key_of (NULL, to)])
    if (!(gimple_assign_load_p (r.second) && name_set_by (r.second)
	  && is_dead (name_set_by (r.second)))
	&& !(r.first == loop.model.fn
	     && !loop.runs_behind (gimple_bb (r.second))
	     && dominated_by_p (CDI_DOMINATORS, gimple_bb (loop.start),
				gimple_bb (r.second))))
      return false;
  return true;
}

/* True if what NAMES become behind the loop is handed back by the thread that
   ran the last iteration, and not used; or, if LAST, used by that one.  */

static bool
is_lost (judged_loop &loop, const std::set<tree> &names, bool last)
{
  worklist<tree> todo;
  for (tree v : names)
    todo.add (v);
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      if (gimple_code (s) == GIMPLE_PHI && !loop.in (gimple_bb (s)))
	todo.add (gimple_phi_result (s));
      else if (!loop.in (gimple_bb (s)) && !is_gimple_debug (s)
	       && !(last && in_last (loop, gimple_bb (s)))
	       && !is_handed_back_for_nothing (loop, s))
	return false;
  return true;
}

/* Values of one kind that threads with an iteration alone have at E, which
   leaves the loop.  */

static void
hand_on_constants (judged_loop &loop, edge e)
{
  for (gphi *p : phis (e->dest))
    {
      tree v = PHI_ARG_DEF_FROM_EDGE (p, e), res = gimple_phi_result (p);
      gimple *d = set_by (v);
      std::set<tree> seen;
      if (!(d && gimple_bb (d) && loop.in (gimple_bb (d))) && differs (p)
	  && !loop.kept.count (res) && !folds (loop, res, ERROR_MARK, seen)
	  && !is_lost (loop, { res }, true))
	loop.fail (R_REGISTERS, "is set by an iteration and used behind"
		   " the loop", p, res);
    }
}

/* What D, which is set in the loop, is behind it.  */

static void
hand_on (judged_loop &loop, tree d)
{
  const std::set<tree> &finals = find_finals (loop);
  worklist<tree> todo;
  todo.add (d);
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      {
	basic_block b = gimple_bb (s);
	bool in = loop.in (b) || loop.ends_in (b);
	if (in || in_last (loop, b) || is_handed_back_for_nothing (loop, s))
	  loop.ascending |= !in;
	else if (gimple_code (s) == GIMPLE_PHI
		 || (is_gimple_assign (s) && finals.count (n)
		     && is_name (gimple_assign_lhs (s))))
	  todo.add (result_of (s));
	else if (gimple_code (s) != GIMPLE_COND || !finals.count (n))
	  loop.fail (R_REGISTERS, "is set by an iteration and used"
		     " behind the loop", s, d, SSA_NAME_DEF_STMT (d));
      }
}

/* What is set in the loop and used behind it.  */

static void
hand_on (judged_loop &loop)
{
  for (basic_block b : loop.blocks)
    {
      for (edge out : edges (b->succs))
	if (!loop.in (out->dest))
	  hand_on_constants (loop, out);
      for (tree d : values_set_in (b))
	if (!loop.closed.count (d) && !loop.kept.count (d))
	  hand_on (loop, d);
    }
}

/* True if BASE is what F's region's threads got: only that leads there.  */

static bool
is_got (flow &f, tree base)
{
  return (f.outlined && is_name (base)
	  && SSA_NAME_IS_DEFAULT_DEF (base) && SSA_NAME_VAR (base)
	  && TREE_CODE (SSA_NAME_VAR (base)) == PARM_DECL);
}

/* True if the file's code hands on where D is, a variable of the file.  */

static bool
is_handed_on (tree d)
{
  symtab_node *node = symtab_node::get (d);
  ipa_ref *r;
  for (unsigned i = 0; node && node->iterate_referring (i, r); i++)
    if (r->use == IPA_REF_ADDR
	&& !(r->stmt && amp_known_function (callee (r->stmt))))
      return true;
  return false;
}

/* True if other files may see what is at REF, a reference or a pointer, in F's
   function: it is global, came by a parameter, or is returned.  */

static bool
seen_elsewhere (flow &f, tree ref)
{
  cgraph_node *node;
  for (int n = 0; n < 16 && ref; n++)
    {
      tree base = is_name (ref) ? ref : get_base_address (ref);
      tree top = ref;
      while (handled_component_p (top)
	     && handled_component_p (TREE_OPERAND (top, 0)))
	top = TREE_OPERAND (top, 0);
      if (base && DECL_P (base))
	return (TREE_CODE (base) == PARM_DECL || TREE_PUBLIC (base)
		|| (TREE_STATIC (base) && is_handed_on (base)));
      if (base && TREE_CODE (base) == MEM_REF)
	base = TREE_OPERAND (base, 0);
      gimple *s;
      while ((s = set_by (base)) && is_gimple_assign (s)
	     && !gimple_assign_load_p (s) && is_name (gimple_assign_rhs1 (s)))
	base = gimple_assign_rhs1 (s);
      if (is_got (f, base) && TREE_CODE (top) == COMPONENT_REF)
	{
	  tree name = DECL_NAME (TREE_OPERAND (top, 1));
	  auto named = [name] (tree d)
	    {
	      return d && DECL_P (d) && name && DECL_NAME (d) == name;
	    };
	  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
	    if (family (f.fn->decl) == amp_name (node->decl))
	      {
		function *fn = DECL_STRUCT_FUNCTION (node->decl);
		for (tree p = DECL_ARGUMENTS (fn->decl); p; p = DECL_CHAIN (p))
		  if (named (p))
		    return true;
		if (aggregate_value_p (DECL_RESULT (node->decl), node->decl))
		  return true;
		for (gimple *s : statements (fn))
		  if (greturn *r = dyn_cast <greturn *> (s))
		    for (tree v = gimple_return_retval (r); v;)
		      {
			if (named (is_name (v) ? SSA_NAME_VAR (v) : v))
			  return true;
			gimple *d = set_by (v);
			v = (d && gimple_assign_single_p (d)
			     ? gimple_assign_rhs1 (d) : NULL_TREE);
		      }
	      }
	  return false;
	}
      if (base && is_name (base) && SSA_NAME_IS_DEFAULT_DEF (base))
	return SSA_NAME_VAR (base) && TREE_CODE (SSA_NAME_VAR (base))
				      == PARM_DECL;
      ref = (base && TREE_CODE (base) == ADDR_EXPR ? TREE_OPERAND (base, 0)
	     : s && is_gimple_assign (s) ? gimple_assign_rhs1 (s)
	     : s && is_of_library (s) && gimple_call_num_args (s)
	     ? gimple_call_arg (s, 0) : NULL_TREE);
      if (ref && TREE_CODE (ref) == ADDR_EXPR)
	ref = TREE_OPERAND (ref, 0);
    }
  return false;
}

static void
judge_registers (judged_loop &loop)
{
  std::vector<carried> all;
  /* One, where it is needed.  */
  std::vector<uniform> ways;
  for (gphi *p : phis (loop.chunks->header))
    {
      carried c = carried ();
      c.phi = p;
      c.op = ERROR_MARK;
      close (loop, c);
      if (c.kind == BAD)
	{
	  if (ways.empty ())
	    ways.emplace_back (loop, -1);
	  if (unchanged (loop, ways[0], p).good)
	    c.kind = HARMLESS;
	}
      if ((c.kind == COMPANION || c.kind == CONSTANT)
	  && is_lost (loop, c.values, false))
	c.kind = HARMLESS;
      flag f (loop, p);
      if (c.kind != HARMLESS && c.kind != EXTREME && f.good ())
	{
	  loop.closed.insert (f.names.begin (), f.names.end ());
	  c.kind = HARMLESS;
	}
      all.push_back (c);
    }
  for (unsigned i = 0; i < all.size () && all.size () < 32; i++)
    for (unsigned k = 0; k < all.size (); k++)
      if (i != k && all[i].kind != HARMLESS && follows (loop, all[i], all[k]))
	all[i].kind = all[k].kind = HARMLESS;
  for (carried &c : all)
    {
      tree v = gimple_phi_result (c.phi);
      if (c.kind == HARMLESS)
	continue;
      loop.closed.insert (c.values.begin (), c.values.end ());
      bool found = c.kind != COMPANION;
      /* It hands on what an earlier iteration left in another one.  */
      for (carried &e : all)
	if (&e != &c && e.kind != HARMLESS
	    && e.values.count (gimple_phi_result (c.phi)))
	  c.kind = BAD;
      for (carried &e : all)
	found |= e.kind == EXTREME && beside (loop, c, e);
      loop.ascending |= c.kind == COMPANION;
      if (!found || (c.kind == EXTREME && new_extreme_acts (loop, all, c)))
	c.kind = BAD;
      if (c.kind == BAD)
	{
	  loop.fail (R_REGISTERS, "is read before the iteration sets it",
		     c.bad, v);
	  continue;
	}
      loop.sums |= c.kind == SUM && SCALAR_FLOAT_TYPE_P (TREE_TYPE (v));
      judge_behind (loop, c);
    }
  hand_on (loop);
}
