/* SPDX-License-Identifier: GPL-3.0-or-later

   The numbers that an index may be, and the bytes a reference may lie in.  */

/* Numbers from LOW to HIGH, if KNOWN, and SCALE times SYM if that is not NULL.
   They are counters of loop OF alone if that is not NULL, and of some if
   MIXED.  */

struct range
{
  bool known;
  hwi low, high;
  class loop *of;
  bool mixed;
  tree sym;
  hwi scale;
};

static const hwi FAR = (hwi) 1 << 40;

static range
make_range (hwi low, hwi high)
{
  range r = { low <= high && low > -FAR && high < FAR, low, high, NULL, false,
	      NULL_TREE, 0 };
  return r;
}

static void
blend (range *r, const range &more)
{
  r->mixed |= more.mixed || (r->of && more.of);
  r->of = r->of ? r->of : more.of;
  if (r->sym && more.sym)
    r->known = false;
  else if (more.sym)
    {
      r->sym = more.sym;
      r->scale = more.scale;
    }
}

/* Whatever T is.  */

static range
symbol (tree t)
{
  range r = make_range (0, 0);
  r.sym = t;
  r.scale = 1;
  return r;
}

/* The numbers that NAME, a loop's counter, goes through in block AT.  */

static range
counter_range (tree name, basic_block at)
{
  range none = make_range (1, 0);
  basic_block b = gimple_bb (SSA_NAME_DEF_STMT (name));
  class loop *l = b ? b->loop_father : NULL;
  affine_iv iv;
  if (!l || loop_depth (l) == 0 || !simple_iv (l, l, name, &iv, false)
      || !tree_fits_shwi_p (iv.base) || !tree_fits_shwi_p (iv.step))
    return none;
  tree n = number_of_latch_executions (l);
  if (!n || !tree_fits_shwi_p (n) || tree_to_shwi (n) > (1 << 20)
      || absu_hwi (tree_to_shwi (iv.step)) > (1 << 16))
    return none;
  /* Behind the test, one turn less.  */
  edge e = single_exit (l);
  hwi turns = tree_to_shwi (n);
  if (e && flow_bb_inside_loop_p (l, at)
      && !dominated_by_p (CDI_DOMINATORS, e->src, at)
      && dominated_by_p (CDI_DOMINATORS, at, e->src) && turns > 0)
    turns--;
  hwi first = tree_to_shwi (iv.base);
  hwi last = first + tree_to_shwi (iv.step) * turns;
  /* Not one that comes round.  */
  if (!int_fits_type_p (build_int_cst (long_long_integer_type_node, last),
			TREE_TYPE (name)))
    return none;
  range r = make_range (MIN (first, last), MAX (first, last));
  r.of = l;
  return r;
}

/* The numbers that T may be in block AT.  */

static range
range_of (tree t, basic_block at, int depth = 0)
{
  range none = make_range (1, 0);
  if (tree_fits_shwi_p (t))
    return make_range (tree_to_shwi (t), tree_to_shwi (t));
  if (TREE_CODE (t) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (t)))
    return none;
  if (depth > 8)
    return symbol (t);
  gimple *s = SSA_NAME_DEF_STMT (t);
  if (is_gimple_assign (s))
    {
      tree_code code = gimple_assign_rhs_code (s);
      tree a = gimple_assign_rhs1 (s), b = gimple_assign_rhs2 (s);
      range x = none, y = none;
      if (b || CONVERT_EXPR_CODE_P (code) || code == SSA_NAME)
	x = range_of (a, at, depth + 1);
      if (b)
	y = range_of (b, at, depth + 1);
      bool number = y.known && !y.sym && y.low == y.high;
      if (code == BIT_AND_EXPR && number && y.low >= 0)
	return make_range (0, y.low);
      if (code == TRUNC_MOD_EXPR && number && y.low > 0)
	return make_range (TYPE_UNSIGNED (TREE_TYPE (t))
			   || (x.known && !x.sym && x.low >= 0) ? 0 : 1 - y.low,
			   y.low - 1);
      if (b && (x.sym || y.sym) && code != PLUS_EXPR
	  && !(code == MULT_EXPR && number))
	return symbol (t);
      blend (&x, y);
      if (!b && x.known
	  && (x.sym || x.low >= 0
	      || TYPE_UNSIGNED (TREE_TYPE (t)) <= TYPE_UNSIGNED (TREE_TYPE (a)))
	  && TYPE_PRECISION (TREE_TYPE (t)) >= TYPE_PRECISION (TREE_TYPE (a)))
	return x;
      range r = none;
      if (x.known && y.known && code == PLUS_EXPR)
	r = make_range (x.low + y.low, x.high + y.high);
      else if (x.known && y.known && code == MINUS_EXPR)
	r = make_range (x.low - y.high, x.high - y.low);
      else if (x.known && y.known && y.low == y.high && y.low >= 0
	       && y.low < (1 << 20) && x.high < (1 << 20) && x.low > -(1 << 20)
	       && code == MULT_EXPR)
	r = make_range (x.low * y.low, x.high * y.low);
      else if (x.known && x.low >= 0 && y.known && y.low == y.high && y.low >= 0
	       && y.low < 62 && code == RSHIFT_EXPR)
	{
	  r = make_range (x.low >> y.low, x.high >> y.low);
	  r.mixed = true;
	}
      if (r.known)
	{
	  blend (&r, x);
	  if (code == MULT_EXPR)
	    r.scale *= y.low;
	  return r.known ? r : symbol (t);
	}
    }
  range r = counter_range (t, at);
  return r.known ? r : symbol (t);
}

/* The part of ROOT, a variable or what a pointer leads to, that a reference
   lies in.  */

struct reach
{
  tree root;
  range bytes;
  void add (const range &more)
  {
    bytes.low += more.low;
    bytes.high += more.high;
    blend (&bytes, more);
  }
};

static void reach_of_pointer (tree p, basic_block at, reach *r);

/* Find REF's, in block IN, for R, to which REF's bytes are added.  False if it
   is not known.  */

static bool
reach_of (tree ref, basic_block in, reach *r)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    {
      range at = make_range (1, 0);
      if (TREE_CODE (ref) == ARRAY_REF)
	{
	  range i = range_of (TREE_OPERAND (ref, 1), in);
	  tree low = array_ref_low_bound (ref);
	  tree size = array_ref_element_size (ref);
	  if (i.known && tree_fits_shwi_p (low) && tree_fits_shwi_p (size)
	      && tree_to_shwi (size) < (1 << 20))
	    at = make_range ((i.low - tree_to_shwi (low)) * tree_to_shwi (size),
			     (i.high - tree_to_shwi (low))
			     * tree_to_shwi (size));
	  blend (&at, i);
	  at.scale *= tree_fits_shwi_p (size) ? tree_to_shwi (size) : 1;
	}
      else if (TREE_CODE (ref) == COMPONENT_REF
	       && !DECL_BIT_FIELD (TREE_OPERAND (ref, 1))
	       && tree_fits_shwi_p (byte_position (TREE_OPERAND (ref, 1))))
	{
	  hwi n = tree_to_shwi (byte_position (TREE_OPERAND (ref, 1)));
	  at = make_range (n, n);
	}
      else if (TREE_CODE (ref) == VIEW_CONVERT_EXPR
	       || TREE_CODE (ref) == REALPART_EXPR)
	at = make_range (0, 0);
      if (!at.known)
	return false;
      r->add (at);
      if (!r->bytes.known)
	return false;
    }
  if (DECL_P (ref))
    {
      r->root = ref;
      return true;
    }
  if (TREE_CODE (ref) != MEM_REF)
    return false;
  r->add (make_range (mem_ref_bytes (ref), mem_ref_bytes (ref)));
  reach_of_pointer (TREE_OPERAND (ref, 0), in, r);
  return true;
}

/* R lies where P leads to.  */

static void
reach_of_pointer (tree p, basic_block at, reach *r)
{
  for (int n = 0; n < 16; n++)
    {
      r->root = p;
      reach more = *r;
      tree address = p;
      if (TREE_CODE (p) == SSA_NAME && is_gimple_assign (SSA_NAME_DEF_STMT (p)))
	{
	  gimple *s = SSA_NAME_DEF_STMT (p);
	  tree_code code = gimple_assign_rhs_code (s);
	  address = gimple_assign_rhs1 (s);
	  if (code == POINTER_PLUS_EXPR)
	    {
	      range d = range_of (gimple_assign_rhs2 (s), at);
	      if (!d.known)
		return;
	      more.add (d);
	      if (!more.bytes.known)
		return;
	    }
	  else if (code != ADDR_EXPR && code != SSA_NAME
		   && !(CONVERT_EXPR_CODE_P (code)
			&& TREE_CODE (address) == SSA_NAME
			&& POINTER_TYPE_P (TREE_TYPE (address))))
	    return;
	}
      else if (TREE_CODE (p) != ADDR_EXPR)
	return;
      if (TREE_CODE (address) == ADDR_EXPR)
	{
	  if (reach_of (TREE_OPERAND (address, 0), at, &more))
	    *r = more;
	  return;
	}
      *r = more;
      p = address;
    }
}
