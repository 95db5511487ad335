/* Rule `registers': what is carried in registers from iteration to iteration.
   SPDX-License-Identifier: GPL-3.0-or-later

   Registers carry what the PHIs at the head of the loop over chunks say, and
   nothing else.  A PHI is harmless if
   - it has no value when the loop begins: then an iteration that reads it
     before it sets it would read nothing with as many threads as iterations;
   - its values are closed under one associative and commutative operation and
     go nowhere else in the loop; or under minimum or maximum by comparison,
     with companions that change where the extreme does;
   - it is set to one constant and not read;
   - it gets constants alone that it was found to be equal to, and so keeps the
     value that it had before;
   - all iterations set it before they read it, or leave it alone: unchanged.h.
   What else is set in the loop and used behind it is handed on, but for what
   the last iteration leaves (lastprivate).  */

enum carried_kind { SUM, EXTREME, COMPANION, CONSTANT, HARMLESS, BAD };

/* What a PHI at the head of the loop over chunks carries.  */

struct carried
{
  gphi *phi;
  enum carried_kind kind;
  std::set<tree> values;
  gimple *bad;
  tree_code op;
  bool iterators, compared;
  /* What it is compared with.  */
  std::multimap<tree, gcond *> tests;
};

/* True if V is one of NAMES, or a constant that is used only where one of them
   was found to be equal to it.  */

static bool
is_one_of (phi_value v, const std::set<tree> &names)
{
  bool found = names.count (v.value) != 0;
  basic_block b = v.from->src;
  if (!is_gimple_min_invariant (v.value)
      || SCALAR_FLOAT_TYPE_P (TREE_TYPE (v.value)))
    return found;
  for (; b && !found; b = get_immediate_dominator (CDI_DOMINATORS, b))
    {
      edge e = single_pred_p (b) ? single_pred_edge (b) : NULL;
      gimple *s = e ? test_of (e->src) : NULL, *t = s;
      if (!s)
	continue;
      /* A comparison may be widened, and expected.  */
      if (gimple_expr_code (s) == NE_EXPR && integer_zerop (gimple_op (s, 1)))
	for (t = set_by (gimple_op (s, 0));
	     t && (CONVERT_EXPR_CODE_P (code_of (t))
		   || gimple_call_internal_p (t, IFN_BUILTIN_EXPECT));)
	  t = set_by (is_gimple_call (t) ? gimple_call_arg (t, 0)
					 : gimple_assign_rhs1 (t));
      unsigned first = TREE_CODE_CLASS (code_of (t)) == tcc_comparison;
      s = first ? t : s;
      found = (gimple_expr_code (s) == (e->flags & EDGE_TRUE_VALUE
					? EQ_EXPR : NE_EXPR)
	       && names.count (gimple_op (s, first))
	       && operand_equal_p (gimple_op (s, first + 1), v.value, 0));
    }
  return found;
}

/* Find values that are such as were there before LOOP.  */

static void
find_kept (judged_loop &loop)
{
  for (gphi *p : phis (loop.chunks->header))
    {
      tree n, before = NULL_TREE;
      for (phi_value v : values_of (p))
	before = loop.in (v.from->src) ? before : v.value;
      worklist<tree> same;
      same.add (before);
      same.add (gimple_phi_result (p));
      while (same.next (&n))
	for (gimple *s : uses (is_name (n) ? n : gimple_phi_result (p)))
	  if (gphi *q = dyn_cast <gphi *> (s))
	    for (phi_value v : values_of (q))
	      if (loop.in (v.from->src))
		same.add (gimple_phi_result (q));
      bool all = true;
      for (tree t : same.seen)
	if (t != before)
	  for (phi_value v : values_of (as_a <gphi *> (SSA_NAME_DEF_STMT (t))))
	    all = all && is_one_of (v, same.seen);
      same.seen.erase (before);
      if (all)
	loop.kept.insert (same.seen.begin (), same.seen.end ());
    }
}

/* True if T has no value: a variable that nobody set.  */

static bool
empty (judged_loop &loop, tree t)
{
  worklist<tree> todo;
  todo.add (t);
  while (todo.next (&t))
    {
      if (!is_name (t))
	return false;
      if (SSA_NAME_IS_DEFAULT_DEF (t))
	{
	  if (!SSA_NAME_VAR (t) || !VAR_P (SSA_NAME_VAR (t)))
	    return false;
	  continue;
	}
      gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (t));
      if (!p || loop.in (gimple_bb (p)))
	return false;
      for (phi_value v : values_of (p))
	todo.add (v.value);
    }
  return true;
}

/* The less or the greater one of two values, if S chooses between what it
   compares.  From GCC 13 on a statement does, before it an edge.  */

static tree_code
choice (gassign *s)
{
  tree a = gimple_assign_rhs2 (s), b = gimple_assign_rhs3 (s);
  gassign *d = safe_dyn_cast <gassign *> (set_by (gimple_assign_rhs1 (s)));
  tree_code test = d ? gimple_assign_rhs_code (d) : ERROR_MARK;
  bool less = test == LT_EXPR || test == LE_EXPR;

  if (!less && test != GT_EXPR && test != GE_EXPR)
    return ERROR_MARK;
  if (operand_equal_p (gimple_assign_rhs1 (d), b, 0)
      && operand_equal_p (gimple_assign_rhs2 (d), a, 0))
    less = !less;
  else if (!operand_equal_p (gimple_assign_rhs1 (d), a, 0)
	   || !operand_equal_p (gimple_assign_rhs2 (d), b, 0))
    return ERROR_MARK;
  return less ? MIN_EXPR : MAX_EXPR;
}

/* The associative and commutative operation that S is.  */

static tree_code
operation (gimple *s)
{
  if (gcall *c = dyn_cast <gcall *> (s))
    switch (gimple_call_combined_fn (c))
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
  switch (code_of (s))
    {
    case PLUS_EXPR: case MINUS_EXPR:
      return PLUS_EXPR;
    case MULT_EXPR: case MIN_EXPR: case MAX_EXPR: case BIT_AND_EXPR:
    case BIT_IOR_EXPR: case BIT_XOR_EXPR:
      return code_of (s);
    case COND_EXPR:
      return choice (as_a <gassign *> (s));
    default:
      return ERROR_MARK;
    }
}

/* True if what S compares decides which of both is chosen, and nothing
   else.  */

static bool
chooses_p (gimple *s)
{
  for (gimple *u : uses (gimple_assign_lhs (s)))
    if (!is_gimple_debug (u)
	&& (code_of (u) != COND_EXPR
	    || choice (as_a <gassign *> (u)) == ERROR_MARK))
      return false;
  return true;
}

/* False if V is converted from another type, whose values have another order
   there.  */

static bool
keeps_order (tree v)
{
  gimple *s = SSA_NAME_DEF_STMT (v);
  tree to = TREE_TYPE (v), from = to;
  if (CONVERT_EXPR_CODE_P (code_of (s)))
    from = TREE_TYPE (gimple_assign_rhs1 (s));
  if (!INTEGRAL_TYPE_P (from) || !INTEGRAL_TYPE_P (to))
    return true;
  unsigned more = TYPE_PRECISION (to) - TYPE_PRECISION (from);
  return (TYPE_PRECISION (to) >= TYPE_PRECISION (from)
	  && (TYPE_UNSIGNED (from) == TYPE_UNSIGNED (to)
	      || (TYPE_UNSIGNED (from) && more)));
}

/* True if V, a value of what is summed up to SUM, has fewer digits.  */

static bool
cuts (tree sum, tree v)
{
  return (INTEGRAL_TYPE_P (TREE_TYPE (v)) && INTEGRAL_TYPE_P (TREE_TYPE (sum))
	  && TYPE_PRECISION (TREE_TYPE (v)) < TYPE_PRECISION (TREE_TYPE (sum)));
}

/* S, in the loop, makes of N, one of C's values, another of them, which goes to
   TODO, or tests it; else it is bad.  */

static void
close_over (judged_loop &loop, carried &c, gimple *s, tree n,
	    worklist<tree> &todo)
{
  tree lhs = NULL_TREE, a = NULL_TREE, b = NULL_TREE;
  tree_code op = operation (s), test = ERROR_MARK, code = code_of (s);
  if (gimple_code (s) == GIMPLE_PHI)
    lhs = gimple_phi_result (s);
  else if (gcond *k = dyn_cast <gcond *> (s))
    {
      test = gimple_cond_code (k);
      a = gimple_cond_lhs (k);
      b = gimple_cond_rhs (k);
    }
  else if (is_gimple_call (s) && op != ERROR_MARK)
    {
      lhs = gimple_call_lhs (s);
      a = gimple_call_arg (s, 0);
      b = gimple_call_arg (s, 1);
    }
  else if (is_gimple_assign (s) && is_name (gimple_assign_lhs (s)))
    {
      lhs = gimple_assign_lhs (s);
      a = gimple_assign_rhs1 (s);
      b = gimple_assign_rhs2 (s);
      if (code == COND_EXPR)
	{
	  a = b;
	  b = gimple_assign_rhs3 (s);
	}
      if (TREE_CODE_CLASS (code) == tcc_comparison)
	{
	  if (chooses_p (s))
	    return;
	  test = code;
	  lhs = NULL_TREE;
	}
      /* But for a flag that is widened.  */
      else if (!CONVERT_EXPR_CODE_P (code) && code != SSA_NAME
	       && (op == ERROR_MARK || (code == MINUS_EXPR && b == n)))
	c.bad = s;
    }
  else
    c.bad = s;
  tree o = a == n ? b : a;
  if (o && (op != ERROR_MARK || test != ERROR_MARK))
    c.iterators |= (loop.made_of_iterator (o) & I_FINE) != 0;
  if (lhs && op != ERROR_MARK)
    {
      if ((a == n && b == n) || c.values.count (o)
	  || (c.op != ERROR_MARK && c.op != op))
	c.bad = s;
      c.op = op;
    }
  if (test != ERROR_MARK)
    {
      c.compared = true;
      if (gcond *k = dyn_cast <gcond *> (s))
	c.tests.insert (std::make_pair (same_value (o), k));
      else
	c.bad = s;
      if (test == EQ_EXPR || test == NE_EXPR || c.values.count (o))
	c.bad = s;
    }
  if (lhs && c.values.insert (lhs).second)
    todo.add (lhs);
}

/* Call F with each value that C gets in the loop from elsewhere, until that
   says false, and the PHI.  True if it never does.  */

template <typename F> static bool
each_new (judged_loop &loop, const carried &c, F f)
{
  for (tree v : c.values)
    if (gphi *p = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (v)))
      for (phi_value x : values_of (p))
	if (loop.in (x.from->src) && !c.values.count (x.value) && !f (x, p))
	  return false;
  return true;
}

/* MIN_EXPR if who comes by E has found in K that the value it is compared with
   is smaller, MAX_EXPR if larger, ERROR_MARK otherwise.  */

static tree_code
found_by (edge e, gcond *k, tree value)
{
  tree_code code = gimple_cond_code (k);
  for (int n = 0; n < 8 && e->src != gimple_bb (k); n++)
    {
      if (!single_pred_p (e->src))
	return ERROR_MARK;
      e = single_pred_edge (e->src);
    }
  if (e->src != gimple_bb (k)
      || (code != LT_EXPR && code != LE_EXPR && code != GT_EXPR
	  && code != GE_EXPR))
    return ERROR_MARK;
  return extreme (code, same_value (gimple_cond_lhs (k)) != value, e);
}

/* MIN_EXPR if C takes what it is compared with, always where that is smaller,
   MAX_EXPR if always where it is larger, ERROR_MARK otherwise.  */

static tree_code
one_direction (judged_loop &loop, const carried &c)
{
  tree_code way = ERROR_MARK;
  return each_new (loop, c, [&] (phi_value v, gphi *)
    {
      tree_code found = ERROR_MARK;
      tree value = same_value (v.value);
      for (const std::pair<const tree, gcond *> &t : c.tests)
	if (!found && t.first == value)
	  found = found_by (v.from, t.second, value);
      bool same = found && (!way || way == found);
      way = found;
      return same;
    }) ? way : ERROR_MARK;
}

static bool
one_constant (judged_loop &loop, const carried &c)
{
  tree one = NULL_TREE;
  return each_new (loop, c, [&] (phi_value v, gphi *)
    {
      bool same = (is_gimple_min_invariant (v.value)
		   && (!one || operand_equal_p (one, v.value, 0)));
      one = v.value;
      return same;
    });
}

/* True if B runs when a chunk's iterations have ended: what follows there is
   the compiler's, for lastprivate.  */

static bool
ends_chunk (judged_loop &loop, basic_block b)
{
  for (class loop *l = loop.chunks->inner; l; l = l->next)
    if (!flow_bb_inside_loop_p (l, b)
	&& dominated_by_p (CDI_DOMINATORS, b, l->header) && loop.iterates (l))
      return true;
  return false;
}

/* True if an iteration may read what PHI P carries where it has set nothing on
   any way: with as many threads as iterations that would be no value, so it is
   asked first who begins a block.  */

static bool
read_unset (judged_loop &loop, gphi *p)
{
  worklist<tree> todo;
  todo.add (gimple_phi_result (p));
  for (tree n; todo.next (&n); )
    for (gimple *s : uses (n))
      if (loop.in (gimple_bb (s)) && !ends_chunk (loop, gimple_bb (s)))
	{
	  gphi *q = dyn_cast <gphi *> (s);
	  if (!q)
	    return true;
	  bool carried = true;
	  for (phi_value v : values_of (q))
	    carried &= todo.seen.count (v.value) != 0;
	  if (carried || loop.begins (gimple_bb (q)))
	    todo.add (gimple_phi_result (q));
	}
  return false;
}

/* Find all values that C's PHI becomes in the loop, and what they are.  */

static void
close (judged_loop &loop, carried &c)
{
  worklist<tree> todo;
  tree n = gimple_phi_result (c.phi);
  todo.add (n);
  c.values.insert (n);
  while (!c.bad && todo.next (&n))
    for (gimple *s : uses (n))
      if (!c.bad && loop.in (gimple_bb (s)))
	close_over (loop, c, s, n, todo);
  bool kept = false, no_value = !loop.by_team;
  for (phi_value v : values_of (c.phi))
    if (loop.in (v.from->src))
      kept |= c.values.count (v.value);
    else
      no_value &= empty (loop, v.value);
  for (tree v : c.values)
    if (c.op == MIN_EXPR || c.op == MAX_EXPR || c.compared
	? !keeps_order (v) : cuts (gimple_phi_result (c.phi), v))
      c.bad = SSA_NAME_DEF_STMT (v);
  /* A sum that other values are put into.  */
  if (c.op != ERROR_MARK)
    each_new (loop, c, [&] (phi_value, gphi *p)
      {
	c.bad = p;
	return true;
      });
  if (no_value)
    loop.may_be_unset ();
  no_value = no_value && !read_unset (loop, c.phi);
  if (no_value || loop.kept.count (gimple_phi_result (c.phi)))
    c.kind = HARMLESS;
  else if (c.bad || !kept || (c.op != ERROR_MARK && c.compared))
    c.kind = BAD;
  else if (c.op == MIN_EXPR || c.op == MAX_EXPR)
    c.kind = EXTREME;
  else if (c.op != ERROR_MARK)
    c.kind = SUM;
  else if (c.compared)
    c.kind = (c.op = one_direction (loop, c)) ? EXTREME : BAD;
  else
    c.kind = one_constant (loop, c) ? CONSTANT : COMPANION;
}

/* True if K, which compares C with VALUE, decides if it is asked again, or if
   another value is taken: x > m && y > m makes y no extreme.  */

static bool
hides (judged_loop &loop, const carried &c, gcond *k, tree value)
{
  std::set<basic_block> under;
  for (basic_block b : decided_by (k))
    under.insert (b);
  return (under.count (gimple_bb (k))
	  || !each_new (loop, c, [&] (phi_value v, gphi *)
    {
      return (same_value (v.value) == value
	      || (v.from->src != gimple_bb (k) && !under.count (v.from->src)));
    }));
}

/* True if C changes where EXTREME does, and only there.  */

static bool
beside (judged_loop &loop, const carried &c, const carried &extreme)
{
  for (tree v : c.values)
    if (gimple_code (SSA_NAME_DEF_STMT (v)) != GIMPLE_PHI)
      return false;
  return each_new (loop, c, [&] (phi_value v, gphi *p)
    {
      for (tree w : extreme.values)
	if (gphi *q = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (w)))
	  if (gimple_bb (q) == gimple_bb (p)
	      && !extreme.values.count (gimple_phi_arg_def (q,
							    v.from->dest_idx)))
	    return true;
      return false;
    });
}

/* True if more depends on what C is compared with than C and, of ALL, its
   companions, or, if OTHERS, other extremes.  */

static bool
governs_more (judged_loop &loop, const std::vector<carried> &all,
	      const carried &c, bool others)
{
  std::set<tree> known;
  for (const carried &e : all)
    if (&e == &c || (others && e.kind == EXTREME)
	|| (e.kind == COMPANION && beside (loop, e, c)))
      known.insert (e.values.begin (), e.values.end ());
  for (const std::pair<const tree, gcond *> &t : c.tests)
    if (governs (loop, t.second, known))
      return true;
  return false;
}

/* True if E is taken where C is not.  */

static bool
is_otherwise (judged_loop &loop, const carried &e, const carried &c)
{
  bool otherwise = true;
  for (const std::pair<const tree, gcond *> &t : c.tests)
    for (edge out : edges (gimple_bb (t.second)->succs))
      if (found_by (out, t.second, t.first) == c.op
	  && single_pred_p (out->dest))
	{
	  for (tree v : e.values)
	    if (gimple *s = set_by (v))
	      otherwise &= (gimple_code (s) == GIMPLE_PHI || !gimple_bb (s)
			    || !dominated_by_p (CDI_DOMINATORS, gimple_bb (s),
						out->dest));
	  otherwise &= each_new (loop, e, [&] (phi_value v, gphi *)
	    {
	      return !dominated_by_p (CDI_DOMINATORS, v.from->src, out->dest);
	    });
	}
  return otherwise;
}

/* True if what finds a new extreme C does more than to take it.  It may decide
   if another one is looked for, as in `if (x < low) low = x; else if (x > high)
   high = x;'.  In what follows in the order of iterations, the more of them a
   thread has run, the more of high is taken: between what as many threads as
   iterations take and what one takes, which are equal (A1).  */

static bool
new_extreme_acts (judged_loop &loop, const std::vector<carried> &all,
		  const carried &c)
{
  for (const std::pair<const tree, gcond *> &t : c.tests)
    if (hides (loop, c, t.second, t.first))
      return true;
  if (!governs_more (loop, all, c, false))
    return false;
  unsigned extremes = 1;
  for (const carried &e : all)
    if (e.kind == EXTREME && &e != &c)
      {
	extremes++;
	for (const carried &o : all)
	  if (o.kind == COMPANION && beside (loop, o, e))
	    return true;
	if (governs_more (loop, all, e, false) || !is_otherwise (loop, e, c))
	  return true;
      }
  loop.ascending = true;
  return extremes != 2 || governs_more (loop, all, c, true);
}
