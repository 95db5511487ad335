/* SPDX-License-Identifier: GPL-3.0-or-later

   What nests of inner loops go through, whose bounds need not be known.  */

/* True if a statement in BB of loop L runs as often as its latch, or *MORE,
   once more; one that is no STORE may do so less often.  */

static bool
repeats (class loop *l, basic_block bb, bool store, bool *more)
{
  edge e = single_exit (l);
  if (!e || !l->latch
      || (store && !dominated_by_p (CDI_DOMINATORS, l->latch, bb)))
    return false;
  *more = (store ? dominated_by_p (CDI_DOMINATORS, e->src, bb)
	   : bb == e->src || !dominated_by_p (CDI_DOMINATORS, bb, e->src));
  return true;
}

/* How often the latch of L runs; NULL if that is not known.  */

static tree
turns_of (class loop *l)
{
  tree n = number_of_latch_executions (l);
  return n && n != chrec_dont_know ? n : NULL_TREE;
}

/* T as a sizetype, with which its parts are computed, where they may be.  */

static tree
to_size (tree t)
{
  tree type = TREE_TYPE (t);
  STRIP_NOPS (t);
  tree_code code = TREE_CODE (t);
  if (TYPE_PRECISION (TREE_TYPE (t)) == TYPE_PRECISION (sizetype)
      && (code == PLUS_EXPR || code == MINUS_EXPR || code == MULT_EXPR))
    return fold_build2 (code, sizetype, to_size (TREE_OPERAND (t, 0)),
			to_size (TREE_OPERAND (t, 1)));
  return fold_convert (sizetype, fold_convert (type, t));
}

static tree
sum_of (tree a, tree b)
{
  return (integer_zerop (a) ? b : integer_zerop (b) ? a
	  : fold_build2 (PLUS_EXPR, sizetype, a, b));
}

/* Add to *OFF how far REF is from *ROOT, a variable or what a pointer leads to.
   False if that is not known.  */

static bool
split_address (tree ref, tree *root, tree *off)
{
  poly_int64 size, at;
  tree more;
  machine_mode mode;
  int is_unsigned, reverse, is_volatile;
  for (int n = 0; n < 16; n++)
    {
      tree base = get_inner_reference (ref, &size, &at, &more, &mode,
				       &is_unsigned, &reverse, &is_volatile);
      hwi bits;
      if (!at.is_constant (&bits) || bits % BITS_PER_UNIT != 0)
	return false;
      if (more)
	*off = sum_of (*off, to_size (more));
      *off = sum_of (*off, size_int (bits / BITS_PER_UNIT));
      *root = base;
      if (DECL_P (base))
	return true;
      if (TREE_CODE (base) != MEM_REF)
	return false;
      *off = sum_of (*off, size_int (mem_ref_bytes (base)));
      tree p = TREE_OPERAND (base, 0);
      while (TREE_CODE (p) != ADDR_EXPR)
	{
	  *root = p;
	  gimple *s = set_by (p);
	  if (!s || !is_gimple_assign (s))
	    return is_name (p);
	  tree_code code = gimple_assign_rhs_code (s);
	  p = gimple_assign_rhs1 (s);
	  if (code == POINTER_PLUS_EXPR)
	    *off = sum_of (*off, gimple_assign_rhs2 (s));
	  else if (code != ADDR_EXPR
		   && !((code == SSA_NAME || CONVERT_EXPR_CODE_P (code))
			&& is_name (p) && POINTER_TYPE_P (TREE_TYPE (p))))
	    return true;
	}
      ref = TREE_OPERAND (p, 0);
    }
  return false;
}

/* T, made of what is the same in the whole region, or in loop L, if any; NULL
   if it is not.  */

tree
covering::fixed (class loop *l, tree t, int depth)
{
  if (CONSTANT_CLASS_P (t))
    return t;
  t = stable (t);
  gimple *s = set_by (t);
  if (!s)
    return t;
  if (is_gimple_assign (s) && !gimple_assign_load_p (s) && depth < 8)
    {
      tree_code code = gimple_assign_rhs_code (s);
      tree x = fixed (l, gimple_assign_rhs1 (s), depth + 1);
      tree y = gimple_assign_rhs2 (s);
      y = y ? fixed (l, y, depth + 1) : y;
      switch (x ? get_gimple_rhs_class (code) : GIMPLE_INVALID_RHS)
	{
	case GIMPLE_SINGLE_RHS:
	  if (code == SSA_NAME)
	    return x;
	  break;
	case GIMPLE_UNARY_RHS:
	  return fold_build1 (code, TREE_TYPE (t), x);
	case GIMPLE_BINARY_RHS:
	  if (y)
	    return fold_build2 (code, TREE_TYPE (t), x, y);
	  break;
	default:
	  break;
	}
    }
  return l && gimple_bb (s) && flow_bb_inside_loop_p (l, gimple_bb (s))
	 ? NULL_TREE : t;
}

/* How far L, which begins with its test, counts: into *D, or false.  */

bool
covering::find_bound (class loop *l, box::side *d)
{
  edge e = single_exit (l);
  gcond *c = e && e->src == l->header ? dyn_cast <gcond *> (last_of (e->src))
				       : NULL;
  if (!c)
    return false;
  tree_code code = gimple_cond_code (c);
  tree p = gimple_cond_lhs (c), to = gimple_cond_rhs (c);
  if (e->flags & EDGE_TRUE_VALUE)
    code = invert_tree_comparison (code, false);
  affine_iv iv;
  auto counts = [&] ()
    {
      return (is_name (p) && simple_iv (l, l, p, &iv, false)
	      && integer_onep (iv.step));
    };
  if (!counts ())
    {
      std::swap (p, to);
      code = swap_tree_comparison (code);
      if (!counts ())
	return false;
    }
  tree type = TREE_TYPE (p);
  if (!INTEGRAL_TYPE_P (type)
      || (code != LT_EXPR && code != LE_EXPR && code != NE_EXPR)
      || !(to = fixed (l, to, 0)))
    return false;
  to = fold_convert (type, to);
  if (code == LE_EXPR)
    to = fold_build2 (PLUS_EXPR, type, to, build_one_cst (type));
  tree from = fold_convert (type, iv.base);
  tree end = code == NE_EXPR ? to : fold_build2 (MAX_EXPR, type, to, from);
  d->n = fold_build2 (MINUS_EXPR, type, end, from);
  if (tree_fits_shwi_p (from))
    {
      d->from = tree_to_shwi (from);
      d->to = to;
    }
  return true;
}

/* True if T is the same in each turn of L.  */

bool
covering::is_steady (class loop *l, tree t)
{
  for (tree n : names_in (t))
    if (gimple_bb (set_by (n))
	&& flow_bb_inside_loop_p (l, gimple_bb (set_by (n))))
      return false;
  return true;
}

/* The names that T is made of, but for those that stand for stable ones.  */

std::vector<tree>
covering::names_in (tree t)
{
  typedef std::pair<covering *, std::vector<tree> > found;
  found all (this, std::vector<tree> ());
  if (TREE_CODE (t) == TREE_LIST)
    {
      all.second = names_in (TREE_PURPOSE (t));
      t = TREE_VALUE (t);
    }
  walk_tree (&t, [] (tree *tp, int *walk, void *data)
    {
      found *f = (found *) data;
      for (std::pair<tree, place> &k : f->first->tokens)
	if (k.first == *tp)
	  *walk = 0;
      if (is_name (*tp))
	f->second.push_back (*tp);
      return (tree) NULL_TREE;
    }, &all, NULL);
  return all.second;
}

/* The places that A, a store or load in loop L, goes through while L and loops
   around it run, as far as TOP.  */

void
covering::find_boxes (const access &a, class loop *l, class loop *top,
		      std::vector<box> *boxes)
{
  box x = { NULL_TREE, size_zero_node, 0, {}, NULL, NULL_TREE };
  if (!split_address (a.ref, &x.root, &x.var))
    return;
  x.root = stable (x.root);
  basic_block bb = a.bb;
  for (; l != top && loop_outer (l); bb = l->header, l = loop_outer (l))
    {
      box::side d = { size_zero_node, NULL_TREE, false, 0, NULL_TREE };
      if (!repeats (l, bb, a.store, &d.more)
	  || (!find_bound (l, &d) && !(d.n = turns_of (l))))
	return;
      d.n = to_size (d.n);
      affine_iv iv;
      if (is_name (x.root) && !is_steady (l, x.root))
	{
	  /* A pointer that steps on.  */
	  if (!simple_iv (l, l, x.root, &iv, true))
	    return;
	  d.step = to_size (iv.step);
	  tree p = iv.base;
	  STRIP_NOPS (p);
	  if (TREE_CODE (p) == POINTER_PLUS_EXPR)
	    {
	      x.var = sum_of (x.var, to_size (TREE_OPERAND (p, 1)));
	      p = TREE_OPERAND (p, 0);
	      STRIP_NOPS (p);
	    }
	  tree off = size_zero_node;
	  if (!POINTER_TYPE_P (TREE_TYPE (p))
	      || !split_address (build_simple_mem_ref (p), &x.root, &off))
	    return;
	  x.root = stable (x.root);
	  x.var = sum_of (x.var, off);
	}
      if (!simple_iv (l, l, x.var, &iv, true))
	return;
      d.step = sum_of (d.step, to_size (iv.step));
      tree init;
      split_constant_offset (to_size (iv.base), &x.var, &init);
      x.var = to_size (x.var);
      x.init += (hwi) TREE_INT_CST_LOW (init);
      for (box::side &y : x.sides)
	if (!is_steady (l, y.step) || !is_steady (l, y.n))
	  return;
      if (!integer_zerop (d.step))
	x.sides.push_back (d);
      else if (a.store)
	return;
      x.out = l;
      boxes->push_back (x);
    }
}

/* What A, a call, fills: *X; false if that is not known.  */

bool
covering::find_block (const access &a, box *x)
{
  *x = { NULL_TREE, size_zero_node, 0, {}, NULL, NULL_TREE };
  gcall *c = dyn_cast <gcall *> (a.stmt);
  if (!c || !(calls (c, "memset") || calls (c, "memcpy")
	      || calls (c, "memmove")) || gimple_call_num_args (c) != 3)
    return false;
  tree p = gimple_call_arg (c, 0);
  x->bytes = fixed (NULL, gimple_call_arg (c, 2), 0);
  if (!x->bytes || !split_address (build_simple_mem_ref (p), &x->root, &x->var))
    return false;
  x->root = stable (x->root);
  tree init;
  split_constant_offset (x->var, &x->var, &init);
  x->var = to_size (x->var);
  x->init = (hwi) TREE_INT_CST_LOW (init);
  x->bytes = to_size (x->bytes);
  return true;
}

/* True if A is B and N.  */

static bool
is_sum (tree a, tree b, hwi n)
{
  if (TREE_CODE (a) == INTEGER_CST && TREE_CODE (b) == INTEGER_CST)
    return wi::to_widest (a) == wi::to_widest (b) + n;
  tree type = TREE_TYPE (a);
  tree d = fold_build2 (MINUS_EXPR, type, a, fold_convert (type, b));
  return (TREE_CODE (d) == INTEGER_CST
	  && sext_hwi (TREE_INT_CST_LOW (d), TYPE_PRECISION (type)) == n);
}

/* True if A is at least B and N, as neither wraps.  */

static bool
is_above (tree a, tree b, hwi n)
{
  tree type = TREE_TYPE (a);
  if (!types_compatible_p (type, TREE_TYPE (b)))
    return false;
  if (operand_equal_p (a, b, 0))
    return n <= 0;
  if (!(TYPE_PRECISION (type) == TYPE_PRECISION (sizetype)
	|| (TYPE_OVERFLOW_UNDEFINED (type)
	    && TYPE_PRECISION (type) >= TYPE_PRECISION (integer_type_node))))
    return false;
  hwi by = 0;
  for (int k = 0; k < 2; k++)
    for (tree &t = k ? b : a;
	 (TREE_CODE (t) == PLUS_EXPR || TREE_CODE (t) == MINUS_EXPR)
	 && TREE_CODE (TREE_OPERAND (t, 1)) == INTEGER_CST;
	 t = TREE_OPERAND (t, 0))
      {
	hwi c = sext_hwi (TREE_INT_CST_LOW (TREE_OPERAND (t, 1)),
			  TYPE_PRECISION (type));
	by += (TREE_CODE (t) == MINUS_EXPR) == k ? c : -c;
      }
  if (TREE_CODE (a) == INTEGER_CST && TREE_CODE (b) == INTEGER_CST)
    return wi::to_widest (a) + by >= wi::to_widest (b) + n;
  return operand_equal_p (a, b, 0) && by >= n;
}

/* True if store's box X has all of load's Y, whose start is DELTA bytes behind;
   one side may be shorter.  */

static bool
has_sides (const box &x, const box &y, hwi delta)
{
  std::vector<bool> met (x.sides.size (), false);
  bool odd = false;
  for (const box::side &d : y.sides)
    {
      unsigned k = 0;
      while (k < met.size ()
	     && (met[k] || !operand_equal_p (x.sides[k].step, d.step, 0)))
	k++;
      if (k == met.size ())
	return false;
      met[k] = true;
      const box::side &s = x.sides[k];
      if (is_sum (d.n, s.n, 0) && (s.more || !d.more))
	continue;
      hwi step = tree_fits_shwi_p (d.step) ? tree_to_shwi (d.step) : 0;
      if (odd || !s.to || !d.to || d.more || step <= 0 || delta < 0
	  || delta % step != 0
	  || !is_above (s.to, d.to, delta / step - d.from + s.from))
	return false;
      odd = true;
    }
  return x.sides.size () == y.sides.size () && (odd || delta == 0);
}

/* True if X, a call's, has all of load's Y of SIZE bytes each, whose start is
   DELTA bytes behind.  */

static bool
has_block (const box &x, const box &y, hwi size, hwi delta)
{
  if (y.sides.size () != 1 || delta < 0)
    return false;
  const box::side &d = y.sides[0];
  tree all = to_size (d.to ? d.to : d.n), each = size_int (size);
  all = fold_build2 (MULT_EXPR, sizetype, all, each);
  hwi more = delta - d.from * size;
  return (!d.more && tree_fits_shwi_p (d.step) && tree_to_shwi (d.step) == size
	  && (is_above (x.bytes, all, more)
	      || (more <= 0 && operand_equal_p (x.bytes, all, 0))));
}

/* Store S covers load L.  */

void
covering::match (const walk &s, const walk &l)
{
  unsigned j = spot_of[l.i];
  hwi size = acc.all[l.i].where.size;
  for (const box &x : s.boxes)
    for (const box &y : l.boxes)
      {
	if (x.root != y.root || !operand_equal_p (x.var, y.var, 0)
	    || (x.out && flow_bb_inside_loop_p (x.out, acc.all[l.i].bb))
	    || !(x.bytes ? has_block (x, y, size, y.init - x.init)
		 : has_sides (x, y, y.init - x.init)))
	  continue;
	if (x.bytes)
	  by_call[s.i].push_back (j);
	else
	  on_edge[single_exit (x.out)].push_back (follower (j, {}));
	std::vector<tree> made_of = { x.root, x.var };
	if (x.bytes)
	  made_of.push_back (x.bytes);
	for (const box::side &d : x.sides)
	  made_of.insert (made_of.end (), { d.step, d.n });
	for (tree t : made_of)
	  depends (t, j + count);
      }
}

/* Store S covers load L, which begins N elements in front of it, where these,
   BEFORE, are covered.  */

void
covering::match_behind (const walk &s, const walk &l, hwi n,
			const std::vector<unsigned> &before)
{
  const box &x = s.boxes[0], &y = l.boxes[0];
  const box::side &c = x.sides[0], &d = y.sides[0];
  unsigned j = spot_of[l.i];
  if (x.root != y.root || !operand_equal_p (x.var, y.var, 0)
      || x.init != y.init + n * acc.all[s.i].where.size)
    return;
  if (l.l == s.l)
    last_turns.push_back (follower (j, before));
  else if ((is_sum (d.n, c.n, n) && (c.more || !d.more))
	   || (c.to && d.to && !d.more
	       && is_above (c.to, d.to, c.from - d.from - n)))
    {
      on_edge[single_exit (s.l)].push_back (follower (j, before));
      for (tree t : { x.root, x.var, c.n })
	depends (t, j + count);
    }
}
