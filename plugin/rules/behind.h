/* SPDX-License-Identifier: GPL-3.0-or-later

   What becomes of values that a loop leaves in registers.  */

/* What the iterator becomes behind the loop.  */

static const std::set<tree> &
find_finals (judged_loop &loop)
{
  worklist<tree> todo;
  if (loop.finals_known)
    return loop.finals;
  loop.finals_known = true;
  /* What is compared with the end of the chunk is the iterator, which becomes
     that.  */
  for (basic_block b : loop.blocks)
    {
      gcond *c = test_of (b);
      if (!c)
	continue;
      tree x = gimple_cond_lhs (c), y = gimple_cond_rhs (c);
      if (loop.made_of_iterator (x) == I_END)
	std::swap (x, y);
      if (loop.made_of_iterator (y) != I_END)
	continue;
      for (tree v : { x, y })
	while (is_name (v) && todo.add (v)
	       && (CONVERT_EXPR_CODE_P (code_of (set_by (v)))
		   || code_of (set_by (v)) == SSA_NAME))
	  v = gimple_assign_rhs1 (set_by (v));
    }
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      {
	tree lhs = gimple_code (s) == GIMPLE_COND ? n : name_set_by (s);
	if ((!loop.in (gimple_bb (s))
	     || (lhs && loop.made_of_iterator (lhs) == I_END)
	     || (gimple_code (s) == GIMPLE_PHI
		 && gimple_bb (s)->loop_father == loop.chunks))
	    && lhs && !is_gimple_call (s))
	  {
	    loop.finals.insert (lhs);
	    todo.add (lhs);
	  }
      }
  return loop.finals;
}

/* True if B is run by the thread alone that ran the last iteration of LOOP.  */

static bool
in_last (judged_loop &loop, basic_block b)
{
  const std::set<tree> &finals = find_finals (loop);
  for (int n = 0; b && n < 64; n++)
    {
      basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
      if (!d || loop.in (d) || d == gimple_bb (loop.start))
	return false;
      gcond *c = test_of (d);
      if (c && (finals.count (gimple_cond_lhs (c))
		|| finals.count (gimple_cond_rhs (c)))
	  && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	{
	  tree_code code = gimple_cond_code (c);
	  bool end = code == EQ_EXPR || code == GE_EXPR || code == LE_EXPR;
	  for (edge e : edges (d->succs))
	    if ((e->flags & (end ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE))
		&& dominated_by_p (CDI_DOMINATORS, b, e->dest)
		&& single_pred_p (e->dest))
	      return true;
	  return false;
	}
      b = d;
    }
  return false;
}

/* What code behind LOOP, under a lock, loads from the place of REF.  */

static std::vector<tree>
loaded_in_turn (judged_loop &loop, tree ref)
{
  std::vector<tree> found;
  flow &f = loop.model;
  for (gimple *s : statements (f.fn))
    if (gimple_assign_load_p (s) && name_set_by (s)
	&& !loop.in (gimple_bb (s)) && loop.acc.locked_at (s) > 0
	&& f.same (f.class_of (gimple_assign_rhs1 (s)), f.class_of (ref))
	&& key_of (NULL, gimple_assign_rhs1 (s)) == key_of (NULL, ref))
      found.push_back (gimple_assign_lhs (s));
  return found;
}

/* True if S, under a lock, adds to what is there, and nobody who is not
   through looks at that.  */

static bool
adds_in_turn (judged_loop &loop, gimple *s)
{
  flow &f = loop.model;
  tree to = gimple_store_p (s) ? gimple_get_lhs (s) : NULL_TREE;
  worklist<tree> todo;
  bool adds = false, all = to && gimple_assign_single_p (s);
  for (tree t : all ? loaded_in_turn (loop, to) : std::vector<tree> ())
    todo.add (t);
  for (tree n; todo.next (&n); )
    for (gimple *u : uses (n))
      if (name_set_by (u) && is_gimple_assign (u))
	todo.add (gimple_assign_lhs (u));
      else if (is_gimple_assign (u) && gimple_store_p (u)
	       && f.same (f.class_of (gimple_get_lhs (u)), f.class_of (to)))
	adds |= u == s;
      else
	all = false;
  return all && adds;
}

/* True if C, an atomic access, adds, and nothing is made of what it finds.  */

static bool
adds_blindly (gcall *c)
{
  bool found = gimple_call_lhs (c) != NULL_TREE;
  return (atomic_operation (c) != ERROR_MARK ? !found
	  : gimple_call_internal_p (c) || calls (c, "__sync_", "")
	    || calls (c, "__atomic_compare_", ""));
}

/* OP, or that which parts of a difference are put together by.  */

static tree_code
joining (tree_code op)
{
  return op == MINUS_EXPR || op == POINTER_PLUS_EXPR ? PLUS_EXPR : op;
}

/* True if T, which is used behind LOOP, is the same for all threads.  */

static bool
is_everybodys (judged_loop &loop, tree t, int depth = 0)
{
  if (!is_name (t))
    return is_gimple_min_invariant (t);
  gimple *d = set_by (t);
  if (loop.model.number_of (t) & N_USER)
    return false;
  if (!gimple_bb (d) || dominated_by_p (CDI_DOMINATORS, gimple_bb (loop.start),
					gimple_bb (d)))
    return true;
  if (depth > 8 || loop.in (gimple_bb (d)))
    return false;
  if (gimple_assign_load_p (d))
    {
      int c = loop.model.class_of (gimple_assign_rhs1 (d));
      for (access *a : loop.acc.of_class (c))
	if (a->store && loop.runs_behind (a->bb))
	  return false;
      return !(loop.model.flags (c) & (C_OWN | C_TLS));
    }
  bool pure = (is_gimple_call (d)
	       && (gimple_call_flags (d) & ECF_CONST));
  if (!is_gimple_assign (d) && !pure)
    return false;
  for (tree n : names_used (d))
    if (!is_everybodys (loop, n, depth + 1))
      return false;
  return true;
}

/* True if what S makes of NAME, a part of a sum by OP, is a part of the sum of
   the same: whether parts are put together before or behind S is one.  */

static bool
keeps_sum (judged_loop &loop, gimple *s, tree name, tree_code op)
{
  tree_code code = code_of (s);
  tree to = result_of (s);
  if (gimple_code (s) == GIMPLE_PHI || code == SSA_NAME || code == FLOAT_EXPR
      || code == COMPLEX_EXPR || code == REALPART_EXPR || code == IMAGPART_EXPR
      || (code == BIT_FIELD_REF && VECTOR_TYPE_P (TREE_TYPE (name)))
      || joining (code) == joining (op))
    return true;
  if (CONVERT_EXPR_CODE_P (code))
    {
      unsigned bits = TYPE_PRECISION (TREE_TYPE (to));
      return (!INTEGRAL_TYPE_P (TREE_TYPE (to))
	      || bits >= TYPE_PRECISION (TREE_TYPE (name))
	      || bits >= TYPE_PRECISION (integer_type_node));
    }
  /* As the bits that an atomic exchange takes.  */
  if (code == VIEW_CONVERT_EXPR)
    {
      for (gimple *u : uses (to))
	if (!is_gimple_call (u) || !is_atomic (as_a <gcall *> (u)))
	  return false;
      return true;
    }
  if (code == NEGATE_EXPR)
    return joining (op) == PLUS_EXPR;
  if (joining (op) != PLUS_EXPR || !gimple_assign_rhs2 (s))
    return false;
  tree other = gimple_assign_rhs1 (s) == name ? gimple_assign_rhs2 (s)
					      : gimple_assign_rhs1 (s);
  return (other != name && is_everybodys (loop, other)
	  && (code == MULT_EXPR
	      || (gimple_assign_rhs1 (s) == name
		  && (code == RDIV_EXPR || code == LSHIFT_EXPR))));
}

/* True if T is made of the thread's number, which code asks for.  */

static bool
is_made_of_number (tree t)
{
  worklist<tree> todo;
  todo.add (t);
  while (todo.next (&t))
    {
      gimple *s = set_by (t);
      if (s && kind_of_call (s) == AMP_IDENTITY && !is_hint (s))
	return true;
      if (s && gimple_code (s) == GIMPLE_PHI)
	for (phi_value v : values_of (as_a <gphi *> (s)))
	  todo.add (v.value);
      else if (s && is_gimple_assign (s) && !gimple_assign_load_p (s))
	for (tree n : names_used (s))
	  todo.add (n);
    }
  return false;
}

/* True if the thread's number decides if S, behind LOOP, is run.  */

static bool
by_number_alone (judged_loop &loop, gimple *s)
{
  for (basic_block b = gimple_bb (s); b && b != gimple_bb (loop.start); )
    {
      basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
      if (d && !loop.in (d) && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	for (tree t : asked_at (d))
	  if (is_made_of_number (t))
	    return true;
      b = d;
    }
  return false;
}

/* True if NAME goes into what threads put together, and nowhere else: under a
   lock, in one atomic update, by SUM, or, if that is ERROR_MARK, by comparison;
   if BY_NUMBER, into what the thread's number selects, too.  *BY_PLACE: it
   selects what is used, or is what the last iteration leaves.  */

static bool
merged (judged_loop &loop, tree name, std::set<tree> &seen, bool *by_place,
	tree_code sum, bool by_number)
{
  if (!seen.insert (name).second)
    return true;
  bool all = true;
  for (gimple *s : uses (name))
    {
      if (loop.in (gimple_bb (s)))
	continue;
      bool locked = false, by_some = by_number_alone (loop, s);
      for (access &a : loop.acc.in (gimple_bb (s)))
	locked |= a.locked;
      tree lhs = result_of (s);
      bool address = (gimple_assign_load_p (s) || in_last (loop, gimple_bb (s))
		      || code_of (s) == POINTER_PLUS_EXPR);
      for (tree t : indices (lhs))
	address |= t == name && !is_name (lhs);
      *by_place |= address;
      all &= !address;
      if (gcall *c = dyn_cast <gcall *> (s))
	{
	  *by_place |= (kind_of_call (s) == AMP_ALLOC
			|| kind_of_call (s) == AMP_REALLOC);
	  tree_code op = is_atomic (c) ? atomic_operation (c) : ERROR_MARK;
	  all &= (is_atomic (c) && !by_some
		  && (!sum || (adds_blindly (c)
			       && (op == ERROR_MARK
				   || joining (op) == joining (sum)))));
	}
      else if (is_name (lhs))
	all &= ((!sum || keeps_sum (loop, s, name, sum))
		&& merged (loop, lhs, seen, by_place, sum, by_number));
      else if (gimple_code (s) == GIMPLE_COND ? !sum
	       : locked && !by_some && (!sum || adds_in_turn (loop, s)))
	continue;
      else if (gimple_store_p (s) && by_number
	       && (loop.model.address_number (lhs) & N_USER))
	name_fraction (lhs, false, loop.summed);
      else
	all = false;
    }
  return all;
}

/* The condition that is made of S's result, which goes nowhere else, and of
   others'.  */

static gcond *
condition_of (gimple *s)
{
  use_operand_p use;
  while (is_gimple_assign (s))
    {
      if (!single_imm_use (gimple_assign_lhs (s), &use, &s))
	return NULL;
      tree_code code = code_of (s);
      if (is_gimple_assign (s) && code != BIT_AND_EXPR && code != BIT_IOR_EXPR
	  && code != BIT_NOT_EXPR)
	return NULL;
    }
  return dyn_cast <gcond *> (s);
}

/* True if what C, which tests S's result or is S itself, chooses for NAME is to
   store NAME in what S compares it with, the smaller or the larger one as WAY
   says, or, if that is ERROR_MARK, to store constants.  */

static bool
chooses_same (judged_loop &loop, gimple *s, gcond *c, tree name, tree_code way)
{
  unsigned first = is_gimple_assign (s);
  bool last = gimple_op (s, first) != name;
  tree other = gimple_op (s, first + !last);
  gimple *load = set_by (other);
  if (way && !(load && gimple_assign_load_p (load)))
    return false;
  basic_block at = gimple_bb (c);
  /* What an inner loop stores may be parts that threads have divided.  */
  if (!way && !flow_loop_nested_p (at->loop_father, loop.chunks))
    return false;
  bool not_so = c != s && gimple_cond_code (c) == EQ_EXPR;
  /* NAME is stored, or chosen, on the way that E is the last edge of.  */
  auto same_way = [&] (edge e)
    {
      if (e->src != at && single_pred_p (e->src))
	e = single_pred_edge (e->src);
      return (!way || e->src != at
	      || (extreme (gimple_expr_code (s), last, e) == way) != not_so);
    };
  basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS, at);
  for (basic_block b = first_dom_son (CDI_DOMINATORS, at); b;
       b = next_dom_son (CDI_DOMINATORS, b))
    {
      if (b == join)
	continue;
      if (first_dom_son (CDI_DOMINATORS, b) && !way)
	return false;
      for (gimple *s : statements (b))
	{
	  if (!gimple_vdef (s) || gimple_code (s) == GIMPLE_ASM)
	    continue;
	  if (gcall *call = dyn_cast <gcall *> (s))
	    {
	      if (!(loop.acc.call_flags (call) & F_LOCKING))
		return false;
	      continue;
	    }
	  if (!gimple_assign_single_p (s))
	    return false;
	  tree v = gimple_assign_rhs1 (s);
	  if (way ? same_value (v) == same_value (name)
		    && !(operand_equal_p (gimple_assign_lhs (s),
					  gimple_assign_rhs1 (load), 0)
			 && (!single_pred_p (b)
			     || same_way (single_pred_edge (b))))
	      : !is_gimple_min_invariant (v))
	    return false;
	}
    }
  if (join)
    for (gphi *p : phis (join))
      for (phi_value v : values_of (p))
	if (!way || (same_value (v.value) == same_value (name)
		     ? !same_way (v.from)
		     : same_value (v.value) != same_value (other)))
	  return false;
  return true;
}

static bool
folds (judged_loop &loop, tree name, tree_code way, std::set<tree> &seen)
{
  if (!seen.insert (name).second)
    return true;
  for (gimple *s : uses (name))
    {
      if (loop.in (gimple_bb (s)))
	continue;
      tree lhs = result_of (s);
      tree_code code = code_of (s), op = operation (s);
      if (gimple_code (s) == GIMPLE_COND
	  || TREE_CODE_CLASS (code) == tcc_comparison)
	{
	  gcond *c = condition_of (s);
	  if (by_number_alone (loop, s))
	    return false;
	  if ((c && chooses_same (loop, s, c, name, way))
	      || (is_gimple_assign (s) && chooses_p (s)))
	    continue;
	  return false;
	}
      if (is_gimple_call (s) && is_atomic (as_a <gcall *> (s)))
	{
	  op = atomic_operation (as_a <gcall *> (s));
	  if (by_number_alone (loop, s))
	    return false;
	  if (op == ERROR_MARK
	      || (!way && (op == BIT_IOR_EXPR || op == BIT_AND_EXPR)))
	    continue;
	  return false;
	}
      bool same = (gimple_code (s) == GIMPLE_PHI
		   || (way ? op == way : op == MIN_EXPR || op == MAX_EXPR
					 || op == BIT_IOR_EXPR)
		   || CONVERT_EXPR_CODE_P (code) || code == VIEW_CONVERT_EXPR
		   || code == SSA_NAME);
      if (same && is_name (lhs))
	{
	  if (!folds (loop, lhs, way, seen))
	    return false;
	  continue;
	}
      /* Under a lock, into what it was compared with, not one place after
	 another; or noted by number.  */
      if (!gimple_assign_single_p (s) || !gimple_store_p (s)
	  || gimple_assign_rhs1 (s) != name)
	return false;
      bool locked = (loop.acc.locked_at (s) > 0
		     && !by_number_alone (loop, s));
      /* A pointer loaded under the lock is no place of the thread's.  */
      bool numbered = false;
      for (tree t : indices (lhs))
	numbered |= ((loop.model.number_of (t) & N_USER)
		     && !(locked && leads (t) && set_by (t)
			  && gimple_assign_load_p (set_by (t))));
      if (way ? locked == numbered : !locked)
	return false;
    }
  return true;
}

/* True if threads without an iteration hand on something else than what C was
   before the loop.  */

static bool
tells_idle (judged_loop &loop, const carried &c)
{
  auto before = [&] (tree t)
    {
      bool same = c.values.count (t) != 0;
      for (phi_value x : values_of (c.phi))
	same |= !loop.in (x.from->src) && operand_equal_p (x.value, t, 0);
      return same;
    };
  for (tree w : c.values)
    for (gimple *s : uses (w))
      if (gimple_code (s) == GIMPLE_PHI && !loop.in (gimple_bb (s)))
	for (phi_value x : values_of (as_a <gphi *> (s)))
	  if (!before (x.value))
	    return true;
  return false;
}
