/* Rule `registers': flags, such as logical reductions.
   SPDX-License-Identifier: GPL-3.0-or-later

   A flag is 0 or 1.  It begins as one of them, and once an iteration has set it
   to the other, none sets it back.  Nothing but the flag depends on it, so that
   it tells in the end if any iteration, run by itself, would set it.  Behind
   the loop it becomes a part of one shared value.  That this is the same
   however often a part is put in, and that a flag which was not set adds
   nothing, is tried: the code is interpreted for all values.  */

class flag
{
public:
  flag (judged_loop &l, gphi *p)
    : loop (l), phi (p), sink (NULL)
  {}
  /* True if it is one, with NAMES, of what it becomes in the loop.  */
  bool good ()
  {
    return find () && all_set () && only_itself () && merges ();
  }
  std::set<tree> names;

private:
  judged_loop &loop;
  gphi *phi;
  /* Conditions on it: in the loop, and behind.  */
  std::set<gcond *> tests, behind;
  int first;
  /* What puts it into the shared value.  */
  gimple *sink;
  /* While code is interpreted: registers' values, what the flag is, what was
     found in the shared place, and which blocks have been run.  */
  std::map<tree, tree> values;
  int is, was;
  std::set<basic_block> run;

  bool find ();
  bool is_unset_at (edge e);
  bool all_set ();
  bool only_itself ();
  bool follow ();
  bool put_in (gimple *s);
  bool loads_place (gimple *s);
  /* What the sink stores, and where, by a pointer if it is a call.  */
  tree stored () const
  {
    return (is_gimple_call (sink) ? gimple_call_arg (sink, 2)
	    : gimple_assign_rhs1 (sink));
  }
  tree where () const
  {
    return (is_gimple_call (sink) ? gimple_call_arg (sink, 0)
	    : gimple_assign_lhs (sink));
  }
  tree value (tree t);
  edge next (basic_block b);
  int merge (basic_block b, int out, int part);
  bool is_for_all (basic_block from);
  bool merges ();
};

/* The number that V is a copy of; -1 if of none.  */

static int
number_in (tree v)
{
  gimple *s;
  while ((s = set_by (v))
	 && (code_of (s) == SSA_NAME || code_of (s) == INTEGER_CST
	     || CONVERT_EXPR_CODE_P (code_of (s))))
    v = gimple_assign_rhs1 (s);
  return (TREE_CODE (v) == INTEGER_CST && tree_fits_shwi_p (v)
	  && tree_to_shwi (v) >= 0 && tree_to_shwi (v) < 256
	  ? tree_to_shwi (v) : -1);
}

/* True if S makes of a truth value the same.  */

static bool
keeps_truth (gimple *s)
{
  return (code_of (s) == SSA_NAME || CONVERT_EXPR_CODE_P (code_of (s))
	  || (code_of (s) == NE_EXPR
	      && integer_zerop (gimple_assign_rhs2 (s))));
}

/* The truth value that T is a copy of.  */

static tree
same_truth (tree t)
{
  while (is_name (t) && keeps_truth (set_by (t)))
    t = gimple_assign_rhs1 (set_by (t));
  return t;
}

/* True if T is 0 or 1.  */

static bool
is_truth (tree t)
{
  gimple *s;
  while ((s = set_by (t)) && (code_of (s) == SSA_NAME
			      || CONVERT_EXPR_CODE_P (code_of (s)))
	 && TREE_CODE (TREE_TYPE (t)) != BOOLEAN_TYPE)
    t = gimple_assign_rhs1 (s);
  int k = number_in (t);
  return (k == 0 || k == 1 || TREE_CODE (TREE_TYPE (t)) == BOOLEAN_TYPE
	  || (s && TREE_CODE_CLASS (code_of (s)) == tcc_comparison));
}

/* True if S makes of N, a flag that begins as FIRST, one that stays set.  */

static bool
keeps_set (gimple *s, tree n, int first)
{
  if (code_of (s) != (first ? BIT_AND_EXPR : BIT_IOR_EXPR))
    return keeps_truth (s);
  return is_truth (gimple_assign_rhs1 (s) == n ? gimple_assign_rhs2 (s)
					       : gimple_assign_rhs1 (s));
}

/* Find the names, forward and, from what PHIs get, back.  */

bool
flag::find ()
{
  worklist<tree> todo;
  first = -1;
  for (phi_value v : values_of (phi))
    if (!loop.in (v.from->src))
      {
	if (first >= 0 && first != number_in (v.value))
	  return false;
	first = number_in (v.value);
      }
  todo.add (gimple_phi_result (phi));
  for (tree n; todo.next (&n); )
    {
      gimple *d = SSA_NAME_DEF_STMT (n);
      if (gphi *p = dyn_cast <gphi *> (d))
	for (phi_value v : values_of (p))
	  {
	    tree t = same_truth (v.value);
	    if (number_in (v.value) < 0 && is_name (t)
		&& gimple_code (set_by (t)) == GIMPLE_PHI
		&& loop.in (gimple_bb (set_by (t))))
	      todo.add (t);
	  }
      for (gimple *s : uses (n))
	if (is_gimple_debug (s) || !loop.in (gimple_bb (s)))
	  continue;
	else if (name_set_by (s)
		 && (gimple_code (s) == GIMPLE_PHI || keeps_set (s, n, first)))
	  todo.add (name_set_by (s));
	else if (gcond *c = dyn_cast <gcond *> (s))
	  tests.insert (c);
	else
	  return false;
    }
  names.swap (todo.seen);
  return (first == 0 || first == 1) && names.size () < 64;
}

/* True if who comes by E has found that the flag is not set.  */

bool
flag::is_unset_at (edge e)
{
  while (e)
    {
      basic_block b = e->src;
      gcond *c = test_of (b);
      int k = c ? number_in (gimple_cond_rhs (c)) : -1;
      if (c && names.count (gimple_cond_lhs (c)) && (k == 0 || k == 1)
	  && (gimple_cond_code (c) == EQ_EXPR
	      || gimple_cond_code (c) == NE_EXPR))
	{
	  bool equal = ((gimple_cond_code (c) == EQ_EXPR)
			== ((e->flags & EDGE_TRUE_VALUE) != 0));
	  if ((k == first) == equal)
	    return true;
	}
      while (b && !single_pred_p (b))
	b = get_immediate_dominator (CDI_DOMINATORS, b);
      e = b && loop.in (b) ? single_pred_edge (b) : NULL;
    }
  return false;
}

/* True if what it gets in the loop sets it or, if it may not, comes where it is
   not set.  */

bool
flag::all_set ()
{
  for (tree n : names)
    if (gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (n)))
      for (phi_value v : values_of (p))
	{
	  bool same = (names.count (same_truth (v.value))
		       || (p == phi && !loop.in (v.from->src)));
	  if (!same && number_in (v.value) != 1 - first
	      && !(is_truth (v.value) && is_unset_at (v.from)))
	    return false;
	}
  return true;
}

/* The blocks that C decides whether they run.  */

static std::vector<basic_block>
decided_by (gcond *c)
{
  basic_block at = gimple_bb (c);
  basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS, at);
  worklist<basic_block> todo;
  std::vector<basic_block> all;
  for (edge e : edges (at->succs))
    todo.add (e->dest);
  for (basic_block b; todo.next (&b); )
    if (b != join && b->index >= NUM_FIXED_BLOCKS)
      {
	all.push_back (b);
	for (edge e : edges (b->succs))
	  todo.add (e->dest);
      }
  return all;
}

/* True if a register that C decides on is used elsewhere, such as by which turn
   a loop was left, but for what PHIs in NAMES make of it at the end.  */

static bool
leaks (gcond *c, const std::set<tree> &names)
{
  std::set<basic_block> in;
  for (basic_block b : decided_by (c))
    in.insert (b);
  for (basic_block b : in)
    for (gimple *s : statements (std::vector<basic_block> (1, b), true))
      {
	def_operand_p def;
	ssa_op_iter i;
	std::vector<tree> set;
	if (gimple_code (s) == GIMPLE_PHI)
	  set.push_back (gimple_phi_result (s));
	else
	  FOR_EACH_SSA_DEF_OPERAND (def, s, i, SSA_OP_DEF)
	    set.push_back (DEF_FROM_PTR (def));
	for (tree t : set)
	  for (gimple *u : uses (t))
	    if (!is_gimple_debug (u) && !in.count (gimple_bb (u))
		&& !(gimple_code (u) == GIMPLE_PHI
		     && names.count (gimple_phi_result (u))))
	      return true;
      }
  return false;
}

/* True if C, in LOOP, decides on more than what NAMES are.  */

static bool
governs (judged_loop &loop, gcond *c, const std::set<tree> &names)
{
  basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS,
					      gimple_bb (c));
  if (!join || !loop.in (join) || leaks (c, names))
    return true;
  std::set<basic_block> from { gimple_bb (c) };
  for (basic_block b : decided_by (c))
    {
      from.insert (b);
      for (gimple *s : statements (b))
	if (gimple_vdef (s))
	  return true;
    }
  for (gphi *p : phis (join))
    {
      tree one = NULL_TREE;
      for (phi_value v : values_of (p))
	if (from.count (v.from->src) && !names.count (gimple_phi_result (p)))
	  {
	    if (one && !operand_equal_p (one, v.value, 0))
	      return true;
	    one = v.value;
	  }
    }
  return false;
}

/* True if nothing else in the loop depends on it.  */

bool
flag::only_itself ()
{
  for (gcond *c : tests)
    if (governs (loop, c, names))
      return false;
  return true;
}

/* True if S, behind the loop, puts the flag into the shared place, which other
   threads cannot reach at the same time: it becomes the sink.  */

bool
flag::put_in (gimple *s)
{
  gcall *c = dyn_cast <gcall *> (s);
  bool swaps = c && gimple_call_internal_p (c, IFN_ATOMIC_COMPARE_EXCHANGE);
  bool stores = (gimple_assign_single_p (s) && gimple_store_p (s)
		 && loop.acc.locked_at (s) > 0);
  if ((!swaps && !stores) || (sink && sink != s))
    return false;
  sink = s;
  return true;
}

/* Follow what is made of the flag behind the loop, by conditions, too.  */

bool
flag::follow ()
{
  worklist<tree> todo;
  for (tree n : names)
    todo.add (n);
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      {
	basic_block b = gimple_bb (s);
	if (loop.in (b) || is_gimple_debug (s))
	  continue;
	if (gcond *c = dyn_cast <gcond *> (s))
	  {
	    basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS, b);
	    behind.insert (c);
	    if (!join)
	      return false;
	    for (gphi *p : phis (join))
	      if (differs (p))
		todo.add (gimple_phi_result (p));
	    for (basic_block d : decided_by (c))
	      for (gimple *t : statements (d))
		if (gimple_vdef (t) && !put_in (t))
		  return false;
	  }
	else if (name_set_by (s) && !is_gimple_call (s))
	  todo.add (name_set_by (s));
	else if (is_gimple_call (s)
		 ? gimple_call_num_args (s) < 3 || gimple_call_arg (s, 2) != n
		   || !put_in (s) : !put_in (s))
	  return false;
      }
  for (gcond *c : behind)
    if (leaks (c, todo.seen))
      return false;
  return sink != NULL;
}

/* True if S loads from the shared place.  */

bool
flag::loads_place (gimple *s)
{
  if (!gimple_bb (s) || loop.in (gimple_bb (s)))
    return false;
  if (gcall *c = dyn_cast <gcall *> (s))
    return (calls (c, "__atomic_load_", "") && is_gimple_call (sink)
	    && operand_equal_p (gimple_call_arg (c, 0), where (), 0));
  return (gimple_assign_load_p (s) && !is_gimple_call (sink)
	  && operand_equal_p (gimple_assign_rhs1 (s), where (), 0));
}

/* What T is now; NULL_TREE if that is not known.  */

tree
flag::value (tree t)
{
  if (!is_name (t))
    return is_gimple_min_invariant (t) ? t : NULL_TREE;
  std::map<tree, tree>::iterator i = values.find (t);
  if (i != values.end ())
    return i->second;
  gimple *s = set_by (t);
  tree type = TREE_TYPE (t), v = NULL_TREE;
  if (names.count (t))
    v = build_int_cst (type, is);
  else if (loads_place (s))
    v = build_int_cst (type, was);
  else if (gphi *p = dyn_cast <gphi *> (s))
    {
      /* What the loop has left.  */
      bool all = gimple_bb (s) && !loop.in (gimple_bb (s));
      for (phi_value x : values_of (p))
	all = all && (names.count (x.value)
		      || (!loop.in (x.from->src)
			  && number_in (x.value) == first));
      v = all ? build_int_cst (type, is) : NULL_TREE;
    }
  else if (is_gimple_assign (s) && !gimple_vuse (s))
    {
      tree a = value (gimple_assign_rhs1 (s));
      tree b = (gimple_num_ops (s) == 3 ? value (gimple_assign_rhs2 (s))
		: NULL_TREE);
      if (a && gimple_num_ops (s) == 2)
	v = (code_of (s) == SSA_NAME || TREE_CODE_CLASS (code_of (s))
	     == tcc_constant ? a : fold_unary (code_of (s), type, a));
      else if (a && b)
	v = fold_binary (code_of (s), type, a, b);
    }
  v = v && TREE_CODE (v) == INTEGER_CST ? v : NULL_TREE;
  return values[t] = v;
}

/* Where control goes from B; NULL if that is not known.  */

edge
flag::next (basic_block b)
{
  gcond *c = test_of (b);
  if (!c)
    return single_succ_p (b) ? single_succ_edge (b) : NULL;
  tree x = value (gimple_cond_lhs (c)), y = value (gimple_cond_rhs (c));
  tree v = (x && y ? fold_binary (gimple_cond_code (c), boolean_type_node, x, y)
	    : NULL_TREE);
  if (!v || TREE_CODE (v) != INTEGER_CST)
    return NULL;
  for (edge e : edges (b->succs))
    if (((e->flags & EDGE_TRUE_VALUE) != 0) == !integer_zerop (v))
      return e;
  return NULL;
}

/* What is in the shared place at the end if OUT was there, and the flag is
   PART; code is run from B on, up to where that ends.  -1 if it is not
   known.  */

int
flag::merge (basic_block b, int out, int part)
{
  basic_block end = get_immediate_dominator (CDI_POST_DOMINATORS,
					     gimple_bb (sink));
  values.clear ();
  was = out;
  is = part;
  for (int n = 0; b && n < 64; n++)
    {
      run.insert (b);
      if (b == gimple_bb (sink))
	{
	  tree v = value (stored ());
	  return v ? number_in (v) : -1;
	}
      edge e = next (b);
      if (!e)
	return -1;
      std::map<tree, tree> set;
      for (gphi *p : phis (e->dest))
	set[gimple_phi_result (p)] = value (PHI_ARG_DEF_FROM_EDGE (p, e));
      for (std::pair<const tree, tree> &x : set)
	values[x.first] = x.second;
      b = e->dest == end ? NULL : e->dest;
    }
  return b ? -1 : out;
}

/* True if all threads come to FROM, which puts their flags together, in a place
   that is no thread's own, and that nobody looks at before all have.  */

bool
flag::is_for_all (basic_block from)
{
  flow &f = loop.model;
  tree to = where ();
  int c = is_gimple_call (sink) ? f.leads_to (to) : f.class_of (to);
  unsigned number = (is_gimple_call (sink) ? f.number_of (to)
					   : f.address_number (to));
  if (!dominated_by_p (CDI_POST_DOMINATORS, gimple_bb (loop.start), from)
      || (f.flags (c) & (C_OWN | C_TLS)) || number)
    return false;
  gimple *load = NULL;
  for (access *a : loop.acc.of_class (c))
    if (a->stmt != sink && loop.runs_behind (a->bb)
	&& (!a->ref || is_gimple_call (sink) || refs_may_alias_p (a->ref, to)))
      {
	if ((load && load != a->stmt) || !loads_place (a->stmt))
	  return false;
	load = a->stmt;
      }
  return true;
}

/* True if parts are put together alike however many there are.  */

bool
flag::merges ()
{
  if (!follow ())
    return false;
  basic_block from = gimple_bb (sink);
  for (gcond *c : behind)
    from = nearest_common_dominator (CDI_DOMINATORS, from, gimple_bb (c));
  for (gimple *s : statements (loop.model.order))
    if (loads_place (s))
      from = nearest_common_dominator (CDI_DOMINATORS, from, gimple_bb (s));
  if (loop.in (from) || !is_for_all (from))
    return false;
  int set = 1 - first, all[3];
  bool truth = TREE_CODE (TREE_TYPE (stored ())) == BOOLEAN_TYPE;
  for (int out = 0; out < (truth ? 2 : 3); out++)
    {
      int none = merge (from, out, first);
      all[out] = merge (from, out, set);
      if (out < 2 && (none != out || all[out] < 0 || all[out] > 1))
	return false;
      /* What is true, but not 1.  */
      if (out == 2 && (all[2] != all[1] || (none != 2 && none != 1)))
	return false;
    }
  for (gcond *c : behind)
    if (!run.count (gimple_bb (c)))
      return false;
  return all[all[0]] == all[0] && all[all[1]] == all[1];
}
