/* Rule `identity': an iteration uses what one beside it stores.
   SPDX-License-Identifier: GPL-3.0-or-later

   With a thread for each iteration that is a race, unless what guards it knows
   where blocks begin.  Where that is known from does not matter, then.

   Addresses are sums of products of values.  Two of them are compared if they
   differ by so many steps of the iterator, whatever else they are made of; what
   cannot be compared is taken to be different, but in a file that makes parts
   by the number of threads: there, what data select may be the part's.  */

/* How much of each product, the empty one for numbers.  */
typedef std::map<std::vector<tree>, hwi> products;

static products
sum_of (products a, const products &b, hwi times)
{
  for (auto &p : b)
    if (!(a[p.first] += (hwi) ((unsigned HOST_WIDE_INT) p.second * times)))
      a.erase (p.first);
  return a;
}

static products
product_of (const products &a, const products &b)
{
  products r;
  for (auto &x : a)
    for (auto &y : b)
      {
	std::vector<tree> names (x.first);
	names.insert (names.end (), y.first.begin (), y.first.end ());
	std::sort (names.begin (), names.end ());
	r = sum_of (r, { { names, x.second } }, y.second);
      }
  return r;
}

/* True if A is N and nothing else.  */

static bool
is_number (const products &a, hwi *n)
{
  *n = a.empty () ? 0 : a.begin ()->second;
  return a.empty () || (a.size () == 1 && a.begin ()->first.empty ());
}

/* Addresses in L, the loop over LOOP's iterations.  */

class addresses
{
public:
  judged_loop *loop;
  /* NULL if it is another one.  */
  class loop *l;
  void enter (judged_loop &of, class loop *in)
  {
    loop = &of;
    l = in != of.chunks && of.iterates (in) ? in : NULL;
  }
  products of (tree t);
  products of_reference (tree ref, hwi *size);
  bool step (const products &p, products *more);

private:
  std::map<tree, products> known;
  std::map<std::tuple<tree, hwi, hwi>, tree> loaded;
  products make (tree t, tree_code code, tree a, tree b);
  tree value (tree name);
  bool steady (tree t, int depth = 0);
};

/* One name for what is loaded from one place.  */

tree
addresses::value (tree name)
{
  gimple *s = set_by (name);
  if (!s || !gimple_assign_load_p (s))
    return name;
  place p = place_of (gimple_assign_rhs1 (s));
  if (!p.known || p.base == name)
    return name;
  return loaded.insert ({ std::make_tuple (value (p.base), p.offset, p.size),
			  name }).first->second;
}

/* T, which CODE makes of A and B.  */

products
addresses::make (tree t, tree_code code, tree a, tree b)
{
  hwi n;
  switch (code)
    {
    case PLUS_EXPR: case POINTER_PLUS_EXPR:
      return sum_of (of (a), of (b), 1);
    case MINUS_EXPR: case POINTER_DIFF_EXPR:
      return sum_of (of (a), of (b), -1);
    case NEGATE_EXPR:
      return sum_of ({}, of (a), -1);
    case MULT_EXPR:
      return product_of (of (a), of (b));
    case LSHIFT_EXPR:
      if (tree_fits_uhwi_p (b) && tree_to_uhwi (b) < 32)
	return sum_of ({}, of (a), (hwi) 1 << tree_to_uhwi (b));
      break;
    case ADDR_EXPR:
      return of_reference (TREE_OPERAND (a, 0), &n);
    CASE_CONVERT: case SSA_NAME:
      if (INTEGRAL_TYPE_P (TREE_TYPE (a)) || POINTER_TYPE_P (TREE_TYPE (a)))
	return of (a);
      break;
    default:
      break;
    }
  return { { { is_name (t) ? value (t) : t }, 1 } };
}

products
addresses::of (tree t)
{
  if (TREE_CODE (t) == INTEGER_CST)
    return sum_of ({}, { { {}, 1 } },
		   sext_hwi (TREE_INT_CST_LOW (t),
			     TYPE_PRECISION (TREE_TYPE (t))));
  if (TREE_CODE (t) == ADDR_EXPR)
    return make (t, ADDR_EXPR, t, NULL_TREE);
  if (!is_name (t))
    return make (t, TREE_CODE (t), EXPR_P (t) ? TREE_OPERAND (t, 0) : NULL_TREE,
		 BINARY_CLASS_P (t) ? TREE_OPERAND (t, 1) : NULL_TREE);
  if (known.count (t))
    return known[t];
  gimple *s = set_by (t);
  products p = make (t, ERROR_MARK, NULL_TREE, NULL_TREE);
  if (code_of (s) != ERROR_MARK && !gimple_assign_load_p (s))
    {
      products q = make (t, code_of (s), gimple_assign_rhs1 (s),
			 gimple_assign_rhs2 (s));
      p = q.size () < 12 ? q : p;
    }
  return known[t] = p;
}

/* REF's address and size.  */

products
addresses::of_reference (tree ref, hwi *size)
{
  poly_int64 bits, bit;
  tree offset;
  machine_mode mode;
  int u, r, v;
  hwi n;
  tree base = get_inner_reference (ref, &bits, &bit, &offset, &mode, &u, &r,
				   &v);
  *size = bits.is_constant (&n) && n > 0 ? CEIL (n, BITS_PER_UNIT) : 1;
  products p = { { { base }, 1 } };
  if (TREE_CODE (base) == MEM_REF)
    p = sum_of (of (TREE_OPERAND (base, 0)), { { {}, 1 } },
		mem_ref_bytes (base));
  if (bit.is_constant (&n))
    p = sum_of (p, { { {}, 1 } }, n >> LOG2_BITS_PER_UNIT);
  return offset ? sum_of (p, of (offset), 1) : p;
}

/* True if T is the same in all iterations, or goes the same way in them.  */

bool
addresses::steady (tree t, int depth)
{
  gimple *s = set_by (t);
  if (!s || !gimple_bb (s) || !flow_bb_inside_loop_p (l, gimple_bb (s)))
    return true;
  if (depth > 8)
    return false;
  class loop *m = gimple_bb (s)->loop_father;
  if (gphi *p = dyn_cast <gphi *> (s))
    {
      for (phi_value v : values_of (p))
	if (!flow_bb_inside_loop_p (m, v.from->src)
	    && !steady (v.value, depth + 1))
	  return false;
      return m != l && m->header == gimple_bb (s);
    }
  for (tree n : names_used (s))
    if (!steady (n, depth + 1))
      return false;
  return true;
}

/* True if P is MORE in the next iteration.  */

bool
addresses::step (const products &p, products *more)
{
  more->clear ();
  for (auto &term : p)
    {
      products by = { { {}, term.second } };
      bool moves = false;
      for (tree n : term.first)
	{
	  affine_iv iv;
	  gimple *s = set_by (n);
	  if (!s || gimple_code (s) != GIMPLE_PHI || gimple_bb (s) != l->header)
	    {
	      if (!steady (n))
		return false;
	      by = product_of (by, { { { n }, 1 } });
	    }
	  else if (moves || !(loop->made_of_iterator (n) & I_FINE)
		   || !simple_iv (l, l, n, &iv, true))
	    return false;
	  else
	    {
	      by = product_of (by, of (iv.step));
	      moves = true;
	    }
	}
      if (moves)
	*more = sum_of (*more, by, 1);
    }
  return true;
}

/* What an iteration loads or stores; where, as far as that is KNOWN.  */

struct moving
{
  gimple *s;
  bool store, known;
  int cls;
  tree ref;
  hwi size;
  products at, step;
};

/* True if a condition on a remainder keeps X and Y from both running in
   iterations that are N apart.  */

static bool
takes_turns (addresses &in, const moving &x, const moving &y, hwi n)
{
  for (basic_block b = gimple_bb (x.s); b != in.l->header;
       b = get_immediate_dominator (CDI_DOMINATORS, b))
    {
      gcond *c = single_pred_p (b) ? test_of (single_pred (b)) : NULL;
      tree test = c ? gimple_cond_lhs (c) : NULL_TREE;
      tree to = c ? gimple_cond_rhs (c) : NULL_TREE;
      if (c && !in.loop->made_of_iterator (test))
	std::swap (test, to);
      gimple *s = set_by (test);
      if (!s || !dominated_by_p (CDI_DOMINATORS, gimple_bb (y.s), b)
	  || (code_of (s) != TRUNC_MOD_EXPR && code_of (s) != BIT_AND_EXPR)
	  || !tree_fits_shwi_p (gimple_assign_rhs2 (s)))
	continue;
      hwi m = tree_to_shwi (gimple_assign_rhs2 (s)), by;
      m += code_of (s) == BIT_AND_EXPR;
      if (m < 2 || (code_of (s) == BIT_AND_EXPR && !pow2p_hwi (m)))
	continue;
      bool same = ((gimple_cond_code (c) == EQ_EXPR)
		   == ((single_pred_edge (b)->flags & EDGE_TRUE_VALUE) != 0));
      products more;
      if ((gimple_cond_code (c) == EQ_EXPR || gimple_cond_code (c) == NE_EXPR)
	  && (same || (m == 2 && integer_zerop (to)))
	  && !in.loop->made_of_iterator (to)
	  && in.step (in.of (gimple_assign_rhs1 (s)), &more)
	  && is_number (more, &by) && (by * n) % m != 0)
	return true;
    }
  return false;
}

/* True if data, or a remainder, decide if S is run.  */

static bool
is_guarded (addresses &in, gimple *s)
{
  for (basic_block b = gimple_bb (s); b != in.l->header; )
    {
      basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
      bool ends = false;
      for (edge e : edges (d->succs))
	ends |= loop_exit_edge_p (d->loop_father, e);
      if (!ends && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	for (tree t : asked_at (d))
	  if (in.loop->made_of_iterator (t) & (I_DATA | I_MOD | I_DIV))
	    return true;
      b = d;
    }
  return false;
}

/* True if Y stores some of X in another iteration, not too far to be meant.
   Where PARTS are made by threads any distance may be, and X, if data decide
   whether it is read, may be what it cannot be compared with.  */

static bool
meet (addresses &in, const moving &x, const moving &y, bool parts)
{
  const hwi far = parts ? FAR : 16;
  if (!x.known || !y.known)
    return (!x.store && x.s != y.s && is_guarded (in, x.s)
	    && !(x.ref && y.ref && operand_equal_p (x.ref, y.ref, 0)));
  if (x.step != y.step)
    return false;
  products apart = sum_of (x.at, y.at, -1);
  hwi by, d, low = -far, high = far;
  /* Steps that are no number: only as many as make a number of the rest.  */
  if (!is_number (x.step, &by))
    {
      low = high = apart[x.step.rbegin ()->first] / x.step.rbegin ()->second;
      apart = sum_of (apart, x.step, -low);
      by = 0;
    }
  if (low < -far || high > far || !is_number (apart, &d))
    return false;
  /* No others are near enough.  */
  if (by)
    {
      hwi near = MAX (x.size, y.size) / absu_hwi (by) + 1;
      low = MAX (low, d / by - near);
      high = MIN (high, d / by + near);
    }
  for (hwi n = low; n <= high; n++)
    {
      hwi e = (hwi) (d - (unsigned HOST_WIDE_INT) n * by);
      if (n && e < y.size && -e < x.size && !takes_turns (in, x, y, n))
	return true;
    }
  return false;
}

static void
judge_neighbours (judged_loop &loop)
{
  std::map<class loop *, addresses> in;
  std::map<class loop *, std::vector<moving> > all;
  bool parts = makes_parts ();
  for (basic_block b : loop.blocks)
    {
      class loop *l = b->loop_father;
      while (l != loop.chunks && loop_outer (l) != loop.chunks)
	l = loop_outer (l);
      if (!in.count (l))
	in[l].enter (loop, l);
      auto add = [&] (moving m, bool moves)
	{
	  m.known = in[l].step (m.at, &m.step);
	  if (all[l].size () <= 200 && !loop.acc.locked_at (m.s)
	      && !(loop.model.flags (m.cls) & (C_OWN | C_TLS))
	      && (m.known ? !m.step.empty () : parts && moves))
	    all[l].push_back (m);
	};
      for (gimple *s : statements (b))
	for (int store = 0; store < 2 && in[l].l; store++)
	  for (tree ref : operands_of (s, store))
	    {
	      moving m = { s, store != 0, true, loop.model.class_of (ref), ref,
			   0, {}, {} };
	      m.at = in[l].of_reference (ref, &m.size);
	      add (m, loop.address_iterator (ref) != 0);
	    }
      /* What a call may read, and what it stores, where its arguments lead.  */
      auto add_call = [&] (gimple *s, bool store, int c)
	{
	  for (tree t : arguments (s))
	    if (leads (t) && loop.made_of_iterator (t)
		&& (c < 0 || loop.model.same (loop.model.leads_to (t), c)))
	      add ({ s, store, true, loop.model.leads_to (t), NULL_TREE, 1,
		     in[l].of (t), {} }, true);
	};
      for (gimple *s : statements (b))
	if (parts && in[l].l && is_gimple_call (s)
	    && !is_atomic (as_a <gcall *> (s)))
	  add_call (s, false, -1);
      for (access &a : loop.acc.in (b))
	if (parts && in[l].l && a.store && !a.ref && !a.atomic)
	  add_call (a.stmt, true, a.cls);
    }
  for (auto &one : all)
    for (moving &x : one.second)
      for (moving &y : one.second)
	if (y.store && loop.model.same (x.cls, y.cls)
	    && meet (in[one.first], x, y, parts))
	  {
	    loop.fail (R_IDENTITY, "is what an iteration beside stores", x.s,
		       x.ref ? get_base_address (x.ref) : NULL_TREE);
	    return;
	  }
}

/* True if X, loaded by a pointer that data say, may be what Y stores: the same
   field of such a record.  */

static bool
is_linked (judged_loop &loop, tree x, tree y)
{
  tree base = get_base_address (x);
  return (TREE_CODE (x) == COMPONENT_REF && TREE_CODE (y) == COMPONENT_REF
	  && TREE_OPERAND (x, 1) == TREE_OPERAND (y, 1) && base
	  && TREE_CODE (base) == MEM_REF
	  && loop.made_of_iterator (TREE_OPERAND (base, 0)) == I_DATA);
}

/* True if T is made of what is loaded, where the iterator says, not of a
   counter that goes on from there.  */

static bool
is_picked (judged_loop &loop, tree t)
{
  worklist<tree> todo;
  todo.add (t);
  for (tree n; todo.next (&n); )
    {
      gimple *s = set_by (n);
      if (!s || !is_gimple_assign (s) || !loop.in (gimple_bb (s)))
	continue;
      if (gimple_assign_load_p (s))
	{
	  int c = loop.model.class_of (gimple_assign_rhs1 (s));
	  if ((loop.made_of_iterator (n) & I_DATA)
	      && !(loop.model.flags (c) & C_OWN))
	    return true;
	}
      else
	for (tree m : names_used (s))
	  todo.add (m);
    }
  return false;
}

/* Find fault with what LOOP stores in what all share, and loads at a place that
   data say.  */

static void
judge_met_by_data (judged_loop &loop)
{
  struct met { gimple *s; tree ref; };
  std::map<int, std::vector<met> > stores, loads;
  auto picked = [&] (tree ref)
    {
      bool any = (loop.address_iterator (ref) & ~I_FEW) == I_MOD;
      for (tree t : indices (ref))
	any |= is_picked (loop, t);
      return any;
    };
  for (basic_block b : loop.blocks)
    for (gimple *s : statements (b))
      for (int store = 0; store < 2; store++)
	for (tree ref : operands_of (s, store))
	  {
	    int c = loop.model.find (loop.model.class_of (ref));
	    if (!(loop.model.flags (c) & (C_OWN | C_TLS))
		&& !(loop.model.address_number (ref) & N_USER)
		&& !loop.acc.locked_at (s))
	      (store ? stores : loads)[c].push_back ({ s, ref });
	  }
  auto may_meet = [&] (tree x, tree y, bool same)
    {
      return (!same ? is_linked (loop, y, x)
	      : operand_equal_p (x, y, 0) ? picked (x)
	      : (loop.address_iterator (y) & I_DATA) != 0);
    };
  for (auto &one : stores)
    for (met &x : one.second)
      for (auto &other : loads)
	for (met &y : other.second)
	  if (may_meet (x.ref, y.ref, one.first == other.first))
	    {
	      loop.fail (R_IDENTITY, "is stored, and read where data say; the"
			 " file makes parts by threads", y.s,
			 get_base_address (y.ref), x.s);
	      return;
	    }
  for (basic_block b : loop.blocks)
    for (access &a : loop.acc.in (b))
      if (a.store && !a.ref && !a.atomic && !a.locked
	  && !(loop.model.flags (a.cls) & (C_OWN | C_TLS)))
	for (tree t : arguments (a.stmt))
	  if (leads (t) && is_picked (loop, t)
	      && loop.model.same (loop.model.leads_to (t), a.cls))
	    {
	      loop.fail (R_IDENTITY, "is changed where data say; the file makes"
			 " parts by threads", a.stmt);
	      return;
	    }
}
