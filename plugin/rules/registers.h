/* Rule `registers': what is carried in registers from iteration to iteration.
   SPDX-License-Identifier: GPL-3.0-or-later

   Registers carry what the PHIs at the head of the loop over chunks say, and
   nothing else.  A PHI is harmless if
   - it has no value when the loop begins: then an iteration that reads it
     before it sets it would read nothing with as many threads as iterations;
   - its values are closed under one associative and commutative operation and
     go nowhere else in the loop; or under minimum or maximum by comparison,
     with companions that change where the extreme does;
   - it is set to one constant and not read.
   What else is set in the loop and used behind it is handed on, but for what
   the last iteration leaves (lastprivate).  */

class registers
{
public:
  explicit registers (judged_loop &j) : loop (j), last_known (false)
  {
  }
  void judge ();
  bool last_only (basic_block b)
  {
    return in_last (b);
  }
  /* True if NAME goes into what threads put together, and nowhere else; if it
     is no SUM, comparisons tell no more of it.  */
  bool merged (tree name, std::set<tree> &seen, bool *by_place, bool sum);
  /* True if NAME, an extreme or a constant that says that something was found,
     goes behind the loop into what has the same value under any division.  */
  bool folds (tree name, bool extreme, std::set<tree> &seen);

private:
  enum kind { SUM, EXTREME, COMPANION, CONSTANT, EMPTY, BAD };
  struct carried
  {
    gphi *phi;
    enum kind kind;
    std::set<tree> values;
    gimple *bad;
    tree_code op;
    bool iterators;
    /* What it is compared with.  */
    std::map<tree, gimple *> tests;
  };
  judged_loop &loop;
  std::vector<carried> all;
  std::set<tree> closed;
  std::set<tree> finals;
  bool last_known;

  bool chooses_same (gimple *s, gcond *c, tree name, bool extreme);
  void close (carried &c);
  bool empty (tree t, std::set<tree> &seen);
  bool beside (const carried &c, const carried &extreme);
  bool one_constant (const carried &c);
  void hand_on ();
  void hand_on_constants (edge e);
  bool one_direction (const carried &c);
  bool governs (const carried &c);
  bool turn_phis (const carried &c, std::set<tree> &phis);
  tree set_to (const std::set<tree> &phis);
  bool follows (const carried &x, const carried &last);
  void find_finals ();
  bool in_last (basic_block b);
};

/* True if T has no value: a variable that nobody set.  */

bool
registers::empty (tree t, std::set<tree> &seen)
{
  if (TREE_CODE (t) != SSA_NAME || !seen.insert (t).second)
    return TREE_CODE (t) == SSA_NAME;
  if (SSA_NAME_IS_DEFAULT_DEF (t))
    return SSA_NAME_VAR (t) && VAR_P (SSA_NAME_VAR (t));
  gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (t));
  if (!p || loop.in (gimple_bb (p)))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
    if (!empty (gimple_phi_arg_def (p, i), seen))
      return false;
  return true;
}

static tree_code
operation (gimple *s)
{
  if (is_gimple_call (s))
    switch (gimple_call_combined_fn (s))
      {
      case CFN_FMAX: case CFN_BUILT_IN_FMAX: case CFN_BUILT_IN_FMAXF:
      case CFN_BUILT_IN_FMAXL:
	return MAX_EXPR;
      case CFN_FMIN: case CFN_BUILT_IN_FMIN: case CFN_BUILT_IN_FMINF:
      case CFN_BUILT_IN_FMINL:
	return MIN_EXPR;
      default:
	return ERROR_MARK;
      }
  switch (gimple_assign_rhs_code (s))
    {
    case PLUS_EXPR: case MINUS_EXPR:
      return PLUS_EXPR;
    case MULT_EXPR: case MIN_EXPR: case MAX_EXPR: case BIT_AND_EXPR:
    case BIT_IOR_EXPR: case BIT_XOR_EXPR:
      return gimple_assign_rhs_code (s);
    default:
      return ERROR_MARK;
    }
}

/* Find all values that C's PHI becomes in the loop, and what they are.  */

void
registers::close (carried &c)
{
  std::vector<tree> work (1, gimple_phi_result (c.phi));
  c.values.insert (work[0]);
  c.op = ERROR_MARK;
  c.iterators = false;
  c.bad = NULL;
  bool compared = false;
  while (!work.empty () && !c.bad)
    {
      tree n = work.back ();
      work.pop_back ();
      for (gimple *s : uses (n))
	{
	  if (c.bad || is_gimple_debug (s) || !loop.in (gimple_bb (s)))
	    continue;
	  tree lhs = NULL_TREE, a = NULL_TREE, b = NULL_TREE;
	  tree_code op = ERROR_MARK, test = ERROR_MARK;
	  if (gphi *p = dyn_cast <gphi *> (s))
	    lhs = gimple_phi_result (p);
	  else if (gcond *k = dyn_cast <gcond *> (s))
	    {
	      test = gimple_cond_code (k);
	      a = gimple_cond_lhs (k);
	      b = gimple_cond_rhs (k);
	    }
	  else if (is_gimple_call (s) && operation (s) != ERROR_MARK)
	    {
	      op = operation (s);
	      lhs = gimple_call_lhs (s);
	      a = gimple_call_arg (s, 0);
	      b = gimple_call_arg (s, 1);
	    }
	  else if (is_gimple_assign (s)
		   && TREE_CODE (gimple_assign_lhs (s)) == SSA_NAME)
	    {
	      tree_code code = gimple_assign_rhs_code (s);
	      lhs = gimple_assign_lhs (s);
	      a = gimple_assign_rhs1 (s);
	      b = gimple_assign_rhs2 (s);
	      if (CONVERT_EXPR_CODE_P (code) || code == SSA_NAME)
		/* A flag that is widened.  */;
	      else if (TREE_CODE_CLASS (code) == tcc_comparison)
		{
		  test = code;
		  lhs = NULL_TREE;
		}
	      else if ((op = operation (s)) == ERROR_MARK
		       || (code == MINUS_EXPR && b == n))
		c.bad = s;
	    }
	  else
	    c.bad = s;
	  if (op != ERROR_MARK)
	    {
	      tree o = a == n ? b : a;
	      if ((a == n && b == n) || c.values.count (o)
		  || (c.op != ERROR_MARK && c.op != op))
		c.bad = s;
	      c.op = op;
	      c.iterators |= (loop.made_of_iterator (o) & I_FINE) != 0;
	    }
	  if (test != ERROR_MARK)
	    {
	      tree o = a == n ? b : a;
	      compared = true;
	      c.iterators |= (loop.made_of_iterator (o) & I_FINE) != 0;
	      if (gimple_code (s) == GIMPLE_COND)
		c.tests[o] = s;
	      else
		c.bad = s;
	      if (test == EQ_EXPR || test == NE_EXPR || c.values.count (o))
		c.bad = s;
	    }
	  if (lhs && c.values.insert (lhs).second)
	    work.push_back (lhs);
	}
    }
  bool kept = false;
  for (unsigned i = 0; i < gimple_phi_num_args (c.phi); i++)
    if (loop.in (gimple_phi_arg_edge (c.phi, i)->src))
      {
	tree a = gimple_phi_arg_def (c.phi, i);
	kept |= TREE_CODE (a) == SSA_NAME && c.values.count (a);
      }
  std::set<tree> seen;
  bool no_value = true;
  for (unsigned i = 0; i < gimple_phi_num_args (c.phi); i++)
    if (!loop.in (gimple_phi_arg_edge (c.phi, i)->src))
      no_value &= empty (gimple_phi_arg_def (c.phi, i), seen);
  /* A sum that other values are put into.  */
  if (c.op != ERROR_MARK || compared)
    for (tree v : c.values)
      if (gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (v)))
	for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
	  {
	    tree a = gimple_phi_arg_def (p, i);
	    if (c.op != ERROR_MARK && loop.in (gimple_phi_arg_edge (p, i)->src)
		&& !(TREE_CODE (a) == SSA_NAME && c.values.count (a)))
	      c.bad = p;
	  }
  if (no_value)
    c.kind = EMPTY;
  else if (c.bad || !kept || (c.op != ERROR_MARK && compared))
    c.kind = BAD;
  else if (c.op == MIN_EXPR || c.op == MAX_EXPR)
    c.kind = EXTREME;
  else if (c.op != ERROR_MARK)
    c.kind = SUM;
  else if (compared)
    c.kind = one_direction (c) ? EXTREME : BAD;
  else
    c.kind = one_constant (c) ? CONSTANT : COMPANION;
}

/* True if C takes what it is compared with, always where that is smaller or
   always where it is larger.  */

bool
registers::one_direction (const carried &c)
{
  int way = 0;
  for (tree v : c.values)
    if (gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (v)))
      for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
	{
	  tree a = gimple_phi_arg_def (p, i);
	  edge e = gimple_phi_arg_edge (p, i);
	  if (!loop.in (e->src)
	      || (TREE_CODE (a) == SSA_NAME && c.values.count (a)))
	    continue;
	  std::map<tree, gimple *>::const_iterator t = c.tests.find (a);
	  if (t == c.tests.end ())
	    return false;
	  gcond *k = as_a <gcond *> (t->second);
	  for (int n = 0; n < 8 && e->src != gimple_bb (k); n++)
	    {
	      if (!single_pred_p (e->src))
		return false;
	      e = single_pred_edge (e->src);
	    }
	  if (e->src != gimple_bb (k))
	    return false;
	  bool less = (gimple_cond_code (k) == LT_EXPR
		       || gimple_cond_code (k) == LE_EXPR);
	  if (!less && gimple_cond_code (k) != GT_EXPR
	      && gimple_cond_code (k) != GE_EXPR)
	    return false;
	  less ^= gimple_cond_lhs (k) == a;
	  less ^= (e->flags & EDGE_FALSE_VALUE) != 0;
	  if (way && way != (less ? 1 : 2))
	    return false;
	  way = less ? 1 : 2;
	}
  return way != 0;
}

bool
registers::one_constant (const carried &c)
{
  tree one = NULL_TREE;
  for (tree v : c.values)
    if (gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (v)))
      for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
	{
	  tree a = gimple_phi_arg_def (p, i);
	  if (!loop.in (gimple_phi_arg_edge (p, i)->src)
	      || (TREE_CODE (a) == SSA_NAME && c.values.count (a)))
	    continue;
	  if (!is_gimple_min_invariant (a)
	      || (one && !operand_equal_p (one, a, 0)))
	    return false;
	  one = a;
	}
  return true;
}

/* True if more depends on what C is compared with than C and its companions: an
   iteration does something if it finds a new extreme.  */

bool
registers::governs (const carried &c)
{
  std::set<tree> known;
  for (carried &e : all)
    if (e.kind == EXTREME || e.kind == COMPANION)
      known.insert (e.values.begin (), e.values.end ());
  for (const std::pair<const tree, gimple *> &t : c.tests)
    {
      basic_block at = gimple_bb (t.second);
      basic_block join = get_immediate_dominator (CDI_POST_DOMINATORS, at);
      for (basic_block b : loop.blocks)
	{
	  bool under = (b != at && dominated_by_p (CDI_DOMINATORS, b, at)
			&& !dominated_by_p (CDI_POST_DOMINATORS, at, b));
	  if (!under && b != join)
	    continue;
	  for (gphi *p : phis (b))
	    {
	      tree res = gimple_phi_result (p);
	      bool differ = false;
	      for (unsigned i = 1; i < gimple_phi_num_args (p); i++)
		differ |= !operand_equal_p (gimple_phi_arg_def (p, 0),
					    gimple_phi_arg_def (p, i),
					    0);
	      if (differ && !virtual_operand_p (res) && !known.count (res))
		return true;
	    }
	  for (gimple_stmt_iterator g = gsi_start_bb (b);
	       under && !gsi_end_p (g); gsi_next (&g))
	    if (!is_gimple_debug (gsi_stmt (g)) && gimple_vdef (gsi_stmt (g)))
	      return true;
	}
    }
  return false;
}

/* True if C changes where EXTREME does, and only there.  */

bool
registers::beside (const carried &c, const carried &extreme)
{
  for (tree v : c.values)
    {
      gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (v));
      if (!p)
	return false;
      for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
	{
	  tree a = gimple_phi_arg_def (p, i);
	  edge e = gimple_phi_arg_edge (p, i);
	  if (!loop.in (e->src)
	      || (TREE_CODE (a) == SSA_NAME && c.values.count (a)))
	    continue;
	  bool same = false;
	  for (tree w : extreme.values)
	    if (gphi *q = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (w)))
	      if (gimple_bb (q) == gimple_bb (p))
		{
		  tree b = gimple_phi_arg_def (q, e->dest_idx);
		  same |= !(TREE_CODE (b) == SSA_NAME
			    && extreme.values.count (b));
		}
	  if (!same)
	    return false;
	}
    }
  return true;
}

/* What the iterator becomes behind the loop.  */

void
registers::find_finals ()
{
  if (last_known)
    return;
  last_known = true;
  std::vector<tree> work;
  /* What is compared with the end of the chunk is the iterator, which becomes
     that.  */
  for (basic_block b : loop.blocks)
    {
      gimple *last = gsi_stmt (gsi_last_nondebug_bb (b));
      gcond *c = last ? dyn_cast <gcond *> (last) : NULL;
      if (!c)
	continue;
      tree x = gimple_cond_lhs (c), y = gimple_cond_rhs (c);
      if (loop.made_of_iterator (x) == I_END)
	std::swap (x, y);
      if (loop.made_of_iterator (y) != I_END)
	continue;
      work.push_back (y);
      for (; TREE_CODE (x) == SSA_NAME;
	   x = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (x)))
	{
	  work.push_back (x);
	  if (!is_gimple_assign (SSA_NAME_DEF_STMT (x))
	      || !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code
				       (SSA_NAME_DEF_STMT (x))))
	    break;
	}
    }
  while (!work.empty ())
    {
      tree n = work.back ();
      work.pop_back ();
      for (gimple *s : uses (n))
	{
	  if (is_gimple_debug (s)
	      || (loop.in (gimple_bb (s))
		  && !(gimple_code (s) == GIMPLE_PHI
		       && gimple_bb (s)->loop_father == loop.chunks)))
	    continue;
	  tree lhs = NULL_TREE;
	  if (gimple_code (s) == GIMPLE_PHI)
	    lhs = gimple_phi_result (s);
	  else if (is_gimple_assign (s))
	    lhs = gimple_assign_lhs (s);
	  else if (gimple_code (s) == GIMPLE_COND)
	    lhs = n;
	  if (lhs && TREE_CODE (lhs) == SSA_NAME && finals.insert (lhs).second)
	    work.push_back (lhs);
	}
    }
}

/* True if B is run by the thread alone that ran the last iteration.  */

bool
registers::in_last (basic_block b)
{
  find_finals ();
  for (int n = 0; b && n < 64; n++)
    {
      basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
      if (!d || loop.in (d) || d == gimple_bb (loop.start))
	return false;
      gimple *last = gsi_stmt (gsi_last_nondebug_bb (d));
      gcond *c = last ? dyn_cast <gcond *> (last) : NULL;
      if (c && (finals.count (gimple_cond_lhs (c))
		|| finals.count (gimple_cond_rhs (c)))
	  && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	return true;
      b = d;
    }
  return false;
}

void
registers::judge ()
{
  for (gphi *p : phis (loop.chunks->header))
    if (!virtual_operand_p (gimple_phi_result (p)))
      {
	carried c;
	c.phi = p;
	close (c);
	all.push_back (c);
      }
  for (unsigned i = 0; i < all.size () && all.size () < 32; i++)
    for (unsigned k = 0; k < all.size (); k++)
      if (i != k && all[i].kind != EMPTY && follows (all[i], all[k]))
	all[i].kind = all[k].kind = EMPTY;
  for (carried &c : all)
    {
      tree v = gimple_phi_result (c.phi);
      if (c.kind == EMPTY)
	continue;
      closed.insert (c.values.begin (), c.values.end ());
      loop.closed.insert (c.values.begin (), c.values.end ());
      if (c.kind == COMPANION)
	{
	  bool found = false;
	  for (carried &e : all)
	    found |= e.kind == EXTREME && beside (c, e);
	  if (!found)
	    c.kind = BAD;
	  loop.ascending = true;
	}
      if (c.kind == EXTREME && governs (c))
	c.kind = BAD;
      if (c.kind == BAD)
	loop.fail (R_REGISTERS, "is read before the iteration sets it",
		   c.bad, v);
      if (c.kind == SUM && SCALAR_FLOAT_TYPE_P (TREE_TYPE (v)))
	loop.sums = true;
      if (c.kind == BAD)
	continue;
      std::set<tree> met;
      if (c.kind == EXTREME || c.kind == CONSTANT)
	for (tree w : c.values)
	  if (!folds (w, c.kind == EXTREME, met))
	    {
	      loop.fail (R_REGISTERS, "is what some of the thread's iterations"
			 " found, and is used behind the loop", c.phi, v);
	      break;
	    }
      if (c.kind == CONSTANT)
	continue;
      bool by_place = false, all_merged = true;
      std::set<tree> seen;
      for (tree w : c.values)
	all_merged &= merged (w, seen, &by_place, c.kind == SUM);
      if (by_place && (c.kind != SUM || c.iterators))
	loop.fail (R_REGISTERS, "says how far the thread's iterations reach",
		   c.phi, v);
      else if (by_place)
	loop.fail (R_REGISTERS, "is a sum of the thread's iterations that"
		   " selects a place", c.phi, v);
      if (!all_merged && (c.iterators || c.kind == COMPANION))
	loop.fail (R_REGISTERS, "says how far the thread's iterations reach",
		   c.phi, v);
      loop.accumulates |= !all_merged;
    }
  hand_on ();
}
