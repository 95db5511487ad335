/* What a function reads and writes, and what it has written before it reads.
   SPDX-License-Identifier: GPL-3.0-or-later

   A load is covered in a region if every way from the region's start to it
   writes the same bytes first.  Summaries say the same of functions that are
   called, for what their parameters lead to.  */

#ifndef GOMP_AMP_ACCESSES_H
#define GOMP_AMP_ACCESSES_H 1

namespace amp
{

struct access
{
  gimple *stmt;
  basic_block bb;
  bool store;
  /* A store that is made for sure; false for what a callee may do.  */
  bool must;
  /* x = x op e, and nothing else becomes of x.  */
  bool adds;
  tree_code op;
  int cls;
  /* NULL for calls.  */
  tree ref;
  /* Without a base: anything in the class.  */
  place where;
  unsigned number;
  bool locked, covered;
  /* One atomic access: never to memory of a thread's own.  */
  bool atomic;
  /* The base in the code, where covering has made another of it.  */
  tree pointer;
};

/* What a function does to memory that parameter PARM leads to, directly (DEPTH
   0) or by pointers there.  */
struct effect
{
  unsigned parm, depth;
  hwi offset, size;
  bool store, must, adds;
  tree_code op;
};

enum
{
  F_IDENTITY = 1, F_BY_NUMBER = 2, F_TLS = 4, F_WAITS = 8, F_POLLS = 16,
  F_UNKNOWN = 32, F_LOCKS = 64, F_UNLOCKS = 128,
  /* Asks for the number itself.  */
  F_ASKS = 256
};

struct summary : stored
{
  unsigned flags;
  bool ready;
  std::vector<effect> effects;
  void add (const effect &e);
  returned ret;
};

static unsigned indirect_flags (gcall *s);

class accesses
{
public:
  explicit accesses (flow &f);
  flow &model;
  std::vector<access> all;
  /* Of each block, by index: its first access; one more at the end.  */
  std::vector<std::pair<unsigned, unsigned> > of_block;
  /* What the calls of each block do, see F_*.  */
  std::vector<unsigned> block_flags;
  void cover (const std::vector<basic_block> &region, basic_block start);
  /* The same, and the effects of a whole function.  */
  void effects (summary &s);
  unsigned call_flags (gcall *s);
  /* More is made of the thread's number than when this was made.  */
  void number_again ();
  /* How many locks are held for sure before S.  */
  int locked_at (gimple *s);

private:
  std::vector<int> locks;
  void find_locks ();
  void add (gimple *s, bool store, bool must, int cls, tree ref, place p,
	    unsigned number);
  void read_block (basic_block b);
  void read_statement (gimple *s);
  void read_call (gcall *s);
  void argument (gcall *s, unsigned i, bool load, bool store, bool must,
		 hwi size);
  void known_argument (gcall *s, unsigned i, const amp_known &k, bool store);
  void unknown_call (gcall *s);
  void apply (gcall *s, const effect &e);
  void apply (gcall *s, const summary &sum);
  void find_adds ();
  friend class covering;
};

/* Numbers from LOW to HIGH, if KNOWN, and SCALE times SYM if that is not NULL.  They
   are counters of loop OF alone if that is not NULL, and of some if MIXED.  */

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
  if (e && flow_bb_inside_loop_p (l, at) && !dominated_by_p (CDI_DOMINATORS, e->src, at)
      && dominated_by_p (CDI_DOMINATORS, at, e->src) && turns > 0)
    turns--;
  hwi first = tree_to_shwi (iv.base);
  hwi last = first + tree_to_shwi (iv.step) * turns;
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
      if (!b && x.known && x.sym
	  && TYPE_PRECISION (TREE_TYPE (t)) >= TYPE_PRECISION (TREE_TYPE (a)))
	return x;
      if (!b && x.known
	  && (x.low >= 0 || TYPE_UNSIGNED (TREE_TYPE (t)) <= TYPE_UNSIGNED (TREE_TYPE (a)))
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

/* The part of ROOT, a variable or what a pointer leads to, that a reference lies
   in.  */

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

/* Find REF's, in block IN, for R, to which REF's bytes are added.  False if it is
   not known.  */

static bool
reach_of (tree ref, basic_block in, reach *r)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    {
      range at = make_range (1, 0);
      if (TREE_CODE (ref) == ARRAY_REF)
	{
	  range i = range_of (TREE_OPERAND (ref, 1), in);
	  tree low = array_ref_low_bound (ref), size = array_ref_element_size (ref);
	  if (i.known && tree_fits_shwi_p (low) && tree_fits_shwi_p (size)
	      && tree_to_shwi (size) < (1 << 20))
	    at = make_range ((i.low - tree_to_shwi (low)) * tree_to_shwi (size),
			     (i.high - tree_to_shwi (low)) * tree_to_shwi (size));
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
		   && !(CONVERT_EXPR_CODE_P (code) && TREE_CODE (address) == SSA_NAME
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

/* Where access A lies.  Without a root if that is not known.  */

static reach
reach_of_access (const access &a)
{
  reach none = { NULL_TREE, make_range (0, 0) }, r = none;
  if (!a.ref || a.where.size < 0)
    return none;
  r.bytes.high = a.where.size;
  return reach_of (a.ref, a.bb, &r) ? r : none;
}

/* Places of which it is found out where they are written for sure.  */

class covering
{
public:
  covering (accesses &a, const std::vector<basic_block> &r, basic_block start);
  ~covering ();
  void run (bool with_stores);
  /* At the ends of the function.  */
  bool at_exit (int spot);
  int spot_at (unsigned access)
  {
    std::map<unsigned, unsigned>::iterator i = spot_of.find (access);
    return i == spot_of.end () ? -1 : (int) i->second;
  }
  /* What loops have filled when the function ends.  */
  std::vector<access> filled ();

private:
  accesses &acc;
  const std::vector<basic_block> &region;
  basic_block start;
  struct spot
  {
    int cls;
    tree ref;
    place where;
    std::vector<tree> names;
    class loop *in;
    reach part;
  };
  std::vector<spot> spots;
  /* A store that a loop repeats, or a load.  */
  struct walk
  {
    class loop *l;
    tree n;
    /* Once more than the latch.  */
    bool more;
    /* As data references see it, one after another.  */
    bool walks;
    innermost_loop_behavior b;
    unsigned i;
    /* What it has filled when the loop ends, and the spot for that.  */
    access filled;
    int spot;
  };
  std::vector<walk> stores, loads;
  std::map<int, std::vector<unsigned> > by_class;
  /* What a name that is set again makes unknown: a spot; COUNT and more: what
     covers it whatever its index is; twice COUNT and more: what a loop has
     filled.  */
  std::map<tree, std::vector<unsigned> > by_name;
  unsigned count;
  std::map<unsigned, unsigned> spot_of;
  std::map<std::pair<int, int>, std::vector<unsigned> > on_edge;
  std::vector<sbitmap> out;
  std::vector<bool> inside;
  /* Where accesses lie, from the first one of the region on.  */
  std::map<unsigned, reach> parts;
  /* What stands for pointers plus symbols.  */
  std::vector<std::pair<tree, hwi> > sums;
  void plant (reach *r);
  /* What stands for pointers that are loaded from one place again and again.  */
  std::vector<tree> tokens;
  std::map<int, std::vector<place> > written;
  tree stable (tree base);
  bool writes (int cls, const place &p);
  const reach *part_of (unsigned i)
  {
    std::map<unsigned, reach>::iterator p = parts.find (i);
    return p == parts.end () ? NULL : &p->second;
  }
  void find_tokens ();
  void note (unsigned i);
  /* How a store covers a place: not; while names keep their values; as long as
     the base does; whatever is set again.  */
  enum kind { NOT, NAMES, BASE, PART };
  kind covers (const access &s, const reach *part, const spot &l);
  void depends (tree t, unsigned spot);
  void find_walks (bool with_stores);
  void fills ();
  void transfer (basic_block b, sbitmap now, bool final);
  void begin (basic_block b, sbitmap now);
};

void
accesses::add (gimple *s, bool store, bool must, int cls, tree ref, place p,
	       unsigned number)
{
  cls = model.find (cls);
  unsigned f = model.flags (cls);
  if (!(f & (C_OWN | C_TLS | C_OPEN)) && !number && !store)
    return;
  access a = { s, gimple_bb (s), store, must, false, ERROR_MARK, cls, ref, p,
	       number, locks[gimple_bb (s)->index] > 0, false, false, p.base };
  all.push_back (a);
}

/* Argument I of S leads to memory that is loaded or stored.  SIZE: so many
   bytes, -1: all that is there.  */

void
accesses::argument (gcall *s, unsigned i, bool load, bool store, bool must,
		    hwi size)
{
  tree a = gimple_call_arg (s, i);
  if (!POINTER_TYPE_P (TREE_TYPE (a)) || TREE_CODE (a) == INTEGER_CST)
    return;
  place p = pointer_place (a);
  unsigned number = model.number_of (a);
  if (TREE_CODE (a) == ADDR_EXPR)
    number |= model.address_number (TREE_OPERAND (a, 0));
  p.size = size;
  int c = model.leads_to (a);
  if (load)
    add (s, false, true, c, NULL_TREE, p, number);
  if (store)
    add (s, true, must, c, NULL_TREE, p, number);
}

void
accesses::number_again ()
{
  std::vector<access> before;
  before.swap (all);
  basic_block b;
  FOR_EACH_BB_FN (b, model.fn)
    read_block (b);
  find_adds ();
}

/* S may do anything to what it gets.  */

void
accesses::unknown_call (gcall *s)
{
  int flags = gimple_call_flags (s);
  place any = { NULL_TREE, 0, -1, false };
  if (flags & ECF_CONST)
    return;
  tree fd = gimple_call_fndecl (s);
  tree type = fd ? TREE_TYPE (fd) : gimple_call_fntype (s);
  tree parm = type ? TYPE_ARG_TYPES (type) : NULL_TREE;
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      tree t = parm ? TREE_VALUE (parm) : NULL_TREE;
      parm = parm ? TREE_CHAIN (parm) : NULL_TREE;
      if (model.carries (a))
	for (int d : model.below (model.class_of (a)))
	  {
	    add (s, false, false, d, NULL_TREE, any, 0);
	    if (!(flags & ECF_PURE))
	      add (s, true, false, d, NULL_TREE, any, 0);
	  }
      if (!POINTER_TYPE_P (TREE_TYPE (a)) || TREE_CODE (a) == INTEGER_CST
	  || FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a))))
	continue;
      int f = gimple_call_arg_flags (s, i);
#if BUILDING_GCC_MAJOR >= 12
      bool kept = (f & EAF_NO_DIRECT_CLOBBER) != 0;
      bool deep_kept = (f & EAF_NO_INDIRECT_CLOBBER) != 0;
#else
      bool kept = (f & EAF_NOCLOBBER) != 0, deep_kept = kept && (f & EAF_DIRECT);
#endif
      if (flags & ECF_PURE)
	kept = deep_kept = true;
      if (t && POINTER_TYPE_P (t) && TYPE_READONLY (TREE_TYPE (t)))
	kept = true;
      int c = model.leads_to (a);
      unsigned number = model.number_of (a);
      if (TREE_CODE (a) == ADDR_EXPR)
	number |= model.address_number (TREE_OPERAND (a, 0));
      memory_class &m = model.at (c);
      bool data = (m.decl && DECL_NAME (m.decl)
		   && !strncmp (IDENTIFIER_POINTER (DECL_NAME (m.decl)),
				".omp_data_o", 11));
      /* Of a variable it can see no more than that.  */
      place p = pointer_place (a);
      if (p.known && DECL_P (p.base) && DECL_SIZE_UNIT (p.base)
	  && tree_fits_shwi_p (DECL_SIZE_UNIT (p.base)))
	{
	  p.offset = 0;
	  p.size = tree_to_shwi (DECL_SIZE_UNIT (p.base));
	}
      else
	p = any;
      if (!data)
	add (s, false, false, c, NULL_TREE, p, number);
      if (!kept && !data)
	add (s, true, false, c, NULL_TREE, any, number);
      for (int d : model.below (c))
	{
	  add (s, false, false, d, NULL_TREE, any, 0);
	  if (!deep_kept)
	    add (s, true, false, d, NULL_TREE, any, 0);
	}
    }
}

/* S has effect E.  */

void
accesses::apply (gcall *s, const effect &e)
{
  if (e.parm >= gimple_call_num_args (s))
    return;
  tree a = gimple_call_arg (s, e.parm);
  bool by_value = model.carries (a);
  if (!POINTER_TYPE_P (TREE_TYPE (a)) && !by_value)
    return;
  unsigned before = all.size ();
  unsigned number = model.number_of (a);
  if (TREE_CODE (a) == ADDR_EXPR)
    number |= model.address_number (TREE_OPERAND (a, 0));
  if (e.depth == 0)
    {
      place p = pointer_place (a);
      p.known &= e.size >= 0;
      p.offset += e.offset;
      p.size = e.size;
      if (e.size < 0)
	p.base = NULL_TREE;
      add (s, e.store, e.must && p.known, model.leads_to (a), NULL_TREE, p,
	   number);
    }
  else
    {
      place any = { NULL_TREE, 0, -1, false };
      for (int d : model.below (by_value ? model.class_of (a)
					 : model.leads_to (a)))
	add (s, e.store, false, d, NULL_TREE, any, 0);
    }
  for (; before < all.size (); before++)
    {
      all[before].adds = e.adds;
      all[before].op = e.op;
    }
}

/* S does what SUM says: it loads what it has not written before, then it
   stores.  */

void
accesses::apply (gcall *s, const summary &sum)
{
  for (int stores = 0; stores < 2; stores++)
    for (const effect &e : sum.effects)
      if (e.store == (stores != 0))
	apply (s, e);
}

void
accesses::read_call (gcall *s)
{
  tree fd = gimple_call_fndecl (s);
  if (fd && is_ours (fd))
    {
      /* Another construct, which gets what it shares.  */
      const char *n = amp_name (fd);
      if (!strcmp (n, "GOMP_task") || !strncmp (n, "GOMP_taskloop", 13)
	  || !strncmp (n, "GOMP_parallel", 13) || !strncmp (n, "GOMP_target", 11)
	  || !strncmp (n, "GOMP_teams", 10))
	unknown_call (s);
      return;
    }
  const amp_known *k = fd ? amp_known_function (fd) : NULL;
  if (is_atomic (s) && gimple_call_num_args (s) > 0)
    {
      unsigned from = all.size ();
      for (unsigned i = 0; i < gimple_call_num_args (s); i++)
	argument (s, i, true, true, false, -1);
      for (; from < all.size (); from++)
	{
	  all[from].atomic = true;
	  if (!gimple_call_lhs (s))
	    {
	      all[from].adds = true;
	      all[from].op = PLUS_EXPR;
	    }
	}
      return;
    }
  if (gimple_call_internal_p (s))
    return;
  if (!k)
    {
      const summary *sum = fd ? summary_of (fd, model.level + 1) : NULL;
      if (sum)
	apply (s, *sum);
      else
	unknown_call (s);
      return;
    }
  for (int stores = 0; stores < 2; stores++)
    for (unsigned i = 0; i < gimple_call_num_args (s); i++)
      known_argument (s, i, *k, stores != 0);
}

/* Argument I of S, which calls K: what is loaded, or what is stored.  */

void
accesses::known_argument (gcall *s, unsigned i, const amp_known &k, bool store)
{
  unsigned bit = i < 31 ? 1u << i : 1u << 31;
  hwi size = -1;
  tree a = gimple_call_arg (s, i);
  bool copies = k.kind == AMP_COPY || !strcmp (k.name, "memset");
  if (copies && gimple_call_num_args (s) == 3)
    {
      if (tree_fits_shwi_p (gimple_call_arg (s, 2)))
	size = tree_to_shwi (gimple_call_arg (s, 2));
    }
  else if (POINTER_TYPE_P (TREE_TYPE (a)) && (k.fills & bit))
    {
      tree sz = TYPE_SIZE_UNIT (TREE_TYPE (TREE_TYPE (a)));
      if (sz && tree_fits_shwi_p (sz) && tree_to_shwi (sz) > 1)
	size = tree_to_shwi (sz);
    }
  if (!store && (k.reads & bit))
    argument (s, i, true, false, false, size);
  if (store && (k.keeps & bit))
    argument (s, i, true, true, false, -1);
  if (store && (k.fills & bit))
    argument (s, i, false, true, size >= 0 || !copies, size);
}

static bool
load_callback (gimple *s, tree, tree op, void *data)
{
  std::vector<std::pair<tree, bool> > *v
    = (std::vector<std::pair<tree, bool> > *) data;
  (void) s;
  v->push_back (std::make_pair (op, false));
  return false;
}

static bool
store_callback (gimple *s, tree, tree op, void *data)
{
  std::vector<std::pair<tree, bool> > *v
    = (std::vector<std::pair<tree, bool> > *) data;
  (void) s;
  v->push_back (std::make_pair (op, true));
  return false;
}

/* A bit-field's other bits keep their values.  */

static bool
is_part_of_byte (tree ref)
{
  if (TREE_CODE (ref) == BIT_FIELD_REF)
    return true;
  return (TREE_CODE (ref) == COMPONENT_REF
	  && DECL_BIT_FIELD (TREE_OPERAND (ref, 1)));
}

void
accesses::read_statement (gimple *s)
{
  if (is_gimple_debug (s) || gimple_clobber_p (s))
    return;
  std::vector<std::pair<tree, bool> > refs;
  walk_stmt_load_store_ops (s, &refs, load_callback, store_callback);
  gcall *call = dyn_cast <gcall *> (s);
  for (int stores = 0; stores < 2; stores++)
    {
      if (stores && call)
	read_call (call);
      for (std::pair<tree, bool> &r : refs)
	{
	  tree base = get_base_address (r.first);
	  if (r.second != (stores != 0) || !base || CONSTANT_CLASS_P (base)
	      || TREE_CODE (base) == CONST_DECL)
	    continue;
	  if (VAR_P (base) && DECL_NAME (base)
	      && (!strncmp (IDENTIFIER_POINTER (DECL_NAME (base)), ".istart", 7)
		  || !strncmp (IDENTIFIER_POINTER (DECL_NAME (base)), ".iend", 5)))
	    continue;
	  add (s, stores, !is_part_of_byte (r.first), model.class_of (r.first),
	       r.first, place_of (r.first), model.address_number (r.first));
	}
    }
}

/* The load that value V is made of by operations of one kind, which is *OP; NULL
   if there is none of REF, or what it loads is used otherwise.  */

static gimple *
added_load (tree v, tree ref, tree_code *op)
{
  for (int n = 0; n < 8 && TREE_CODE (v) == SSA_NAME; n++)
    {
      gimple *d = SSA_NAME_DEF_STMT (v);
      if (!is_gimple_assign (d) || !has_single_use (v))
	return NULL;
      if (gimple_assign_load_p (d))
	return operand_equal_p (gimple_assign_rhs1 (d), ref, 0) ? d : NULL;
      tree_code c = gimple_assign_rhs_code (d);
      tree a = gimple_assign_rhs1 (d), b = gimple_assign_rhs2 (d);
      if (CONVERT_EXPR_CODE_P (c))
	{
	  v = a;
	  continue;
	}
      tree_code kind = c == MINUS_EXPR ? PLUS_EXPR : c;
      if (kind != PLUS_EXPR && kind != MULT_EXPR && kind != BIT_IOR_EXPR
	  && kind != BIT_AND_EXPR && kind != BIT_XOR_EXPR && kind != MIN_EXPR
	  && kind != MAX_EXPR)
	return NULL;
      if (*op != ERROR_MARK && *op != kind)
	return NULL;
      *op = kind;
      tree_code ignored = kind;
      if (gimple *l = added_load (a, ref, &ignored))
	return l;
      if (c == MINUS_EXPR)
	return NULL;
      v = b;
    }
  return NULL;
}

/* True if nothing else but S depends on what its block is entered for.  */

static bool
alone_in_branch (gimple *s)
{
  basic_block b = gimple_bb (s);
  if (!single_succ_p (b))
    return false;
  edge in = single_pred_edge (b), out = single_succ_edge (b);
  edge around = find_edge (in->src, out->dest);
  if (!around)
    return false;
  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g); gsi_next (&g))
    if (gsi_stmt (g) != s && !is_gimple_debug (gsi_stmt (g))
	&& gimple_vdef (gsi_stmt (g)))
      return false;
  for (gphi_iterator p = gsi_start_phis (out->dest); !gsi_end_p (p);
       gsi_next (&p))
    if (!virtual_operand_p (gimple_phi_result (p.phi ()))
	&& !operand_equal_p (PHI_ARG_DEF_FROM_EDGE (p.phi (), out),
			     PHI_ARG_DEF_FROM_EDGE (p.phi (), around), 0))
      return false;
  return true;
}

/* The load of what S stores to, if S is run where that is smaller, or larger,
   than what S stores.  */

static gimple *
compared_load (gimple *s)
{
  basic_block b = gimple_bb (s);
  if (!single_pred_p (b) || !alone_in_branch (s))
    return NULL;
  gimple *c = gsi_stmt (gsi_last_nondebug_bb (single_pred (b)));
  if (!c || gimple_code (c) != GIMPLE_COND)
    return NULL;
  tree_code code = gimple_cond_code (c);
  if (code != LT_EXPR && code != GT_EXPR && code != LE_EXPR && code != GE_EXPR)
    return NULL;
  for (int i = 0; i < 2; i++)
    {
      tree old = i ? gimple_cond_lhs (c) : gimple_cond_rhs (c);
      tree other = i ? gimple_cond_rhs (c) : gimple_cond_lhs (c);
      if (TREE_CODE (old) == SSA_NAME && has_single_use (old)
	  && gimple_assign_load_p (SSA_NAME_DEF_STMT (old))
	  && operand_equal_p (gimple_assign_rhs1 (SSA_NAME_DEF_STMT (old)),
			      gimple_assign_lhs (s), 0)
	  && operand_equal_p (other, gimple_assign_rhs1 (s), 0))
	return SSA_NAME_DEF_STMT (old);
    }
  return NULL;
}

void
accesses::find_adds ()
{
  std::map<gimple *, std::pair<gimple *, tree_code> > pairs;
  for (access &a : all)
    if (a.store && a.ref && gimple_assign_single_p (a.stmt))
      {
	tree_code op = ERROR_MARK;
	gimple *l = added_load (gimple_assign_rhs1 (a.stmt), a.ref, &op);
	if (!l && (l = compared_load (a.stmt)))
	  op = MIN_EXPR;
	if (l && gimple_vuse (l) == gimple_vuse (a.stmt))
	  {
	    pairs[l] = std::make_pair (a.stmt, op);
	    pairs[a.stmt] = std::make_pair (l, op);
	  }
      }
  for (access &a : all)
    if (a.ref && pairs.count (a.stmt))
      {
	a.adds = true;
	a.op = pairs[a.stmt].second;
      }
}

/* How many locks are held at least where each block begins; those that a block
   takes hold in all of it.  */

void
accesses::find_locks ()
{
  basic_block b;
  bool any = false;
  FOR_EACH_BB_FN (b, model.fn)
    any |= (block_flags[b->index] & (F_LOCKS | F_UNLOCKS)) != 0;
  if (!any)
    return;
  std::vector<int> end (locks.size (), 99);
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (model.fn));
  int n = pre_and_rev_post_order_compute_fn (model.fn, NULL, order, false);
  bool changed = true;
  for (int round = 0; changed && round < 16; round++)
    {
      changed = false;
      for (int i = 0; i < n; i++)
	{
	  b = BASIC_BLOCK_FOR_FN (model.fn, order[i]);
	  int in = 99;
	  edge e;
	  edge_iterator ei;
	  FOR_EACH_EDGE (e, ei, b->preds)
	    in = MIN (in, e->src == ENTRY_BLOCK_PTR_FOR_FN (model.fn)
			  ? 0 : end[e->src->index]);
	  int now = in, low = in;
	  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	       gsi_next (&g))
	    if (gcall *c = dyn_cast <gcall *> (gsi_stmt (g)))
	      {
		unsigned f = call_flags (c);
		if (f & F_LOCKS)
		  now = MIN (now + 1, 50);
		if (f & F_UNLOCKS)
		  now = MAX (now - 1, 0);
	      }
	  locks[b->index] = low;
	  if (now != end[b->index])
	    {
	      end[b->index] = now;
	      changed = true;
	    }
	}
    }
  XDELETEVEC (order);
}

int
accesses::locked_at (gimple *s)
{
  int n = locks[gimple_bb (s)->index];
  for (gimple_stmt_iterator g = gsi_start_bb (gimple_bb (s));
       !gsi_end_p (g) && gsi_stmt (g) != s; gsi_next (&g))
    if (gcall *c = dyn_cast <gcall *> (gsi_stmt (g)))
      {
	unsigned f = call_flags (c);
	n += ((f & F_LOCKS) != 0) - ((f & F_UNLOCKS) != 0);
      }
  return n;
}

/* What call S does besides memory.  */

unsigned
accesses::call_flags (gcall *s)
{
  tree fd = gimple_call_fndecl (s);
  if (gimple_call_internal_p (s))
    return 0;
  if (!fd)
    return F_UNKNOWN | indirect_flags (s);
  if (const amp_known *k = amp_known_function (fd))
    switch (k->kind)
      {
      case AMP_IDENTITY:
	return (gimple_call_num_args (s) == 1
		&& TREE_CODE (gimple_call_arg (s, 0)) == INTEGER_CST
		? 0 : F_ASKS);
      case AMP_WAIT:
	return F_WAITS;
      case AMP_POLL:
	return F_POLLS;
      case AMP_LOCK:
	return F_LOCKS;
      case AMP_UNLOCK:
	return F_UNLOCKS;
      default:
	return 0;
      }
  if (is_ours (fd))
    {
      /* A task is run meanwhile.  */
      tree t = (!strncmp (amp_name (fd), "GOMP_task", 9)
		&& gimple_call_num_args (s) > 4 ? gimple_call_arg (s, 0)
						: NULL_TREE);
      const summary *sum = (t && TREE_CODE (t) == ADDR_EXPR
			    ? summary_of (TREE_OPERAND (t, 0), model.level + 1)
			    : NULL);
      return sum ? sum->flags & F_WAITS : 0;
    }
  if (const summary *sum = summary_of (fd, model.level + 1))
    return sum->flags;
  return (gimple_call_flags (s) & (ECF_CONST | ECF_PURE)
	  || fndecl_built_in_p (fd) ? 0 : F_UNKNOWN);
}

accesses::accesses (flow &f)
  : model (f), of_block (last_basic_block_for_fn (f.fn)),
    block_flags (last_basic_block_for_fn (f.fn), 0u),
    locks (last_basic_block_for_fn (f.fn), 0)
{
  basic_block b;
  FOR_EACH_BB_FN (b, f.fn)
    for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g); gsi_next (&g))
      if (gcall *c = dyn_cast <gcall *> (gsi_stmt (g)))
	block_flags[b->index] |= call_flags (c);
  find_locks ();
  FOR_EACH_BB_FN (b, f.fn)
    read_block (b);
  find_adds ();
}

void
accesses::read_block (basic_block b)
{
  of_block[b->index].first = all.size ();
  bool locked = locks[b->index] > 0;
  int depth = locks[b->index];
  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
       gsi_next (&g))
    {
      unsigned from = all.size ();
      read_statement (gsi_stmt (g));
      if (gcall *c = dyn_cast <gcall *> (gsi_stmt (g)))
	{
	  unsigned fl = call_flags (c);
	  depth += (fl & F_LOCKS) ? 1 : 0;
	  depth -= (fl & F_UNLOCKS) ? 1 : 0;
	  locked = depth > 0;
	}
      for (; from < all.size (); from++)
	all[from].locked = locked;
    }
  of_block[b->index].second = all.size ();
}

/* Covering.  */

covering::covering (accesses &a, const std::vector<basic_block> &r,
		    basic_block s)
  : acc (a), region (r), start (s), count (0),
    out (last_basic_block_for_fn (a.model.fn), (sbitmap) NULL),
    inside (last_basic_block_for_fn (a.model.fn), false)
{
  for (basic_block b : region)
    inside[b->index] = true;
}

covering::~covering ()
{
  for (sbitmap b : out)
    if (b)
      sbitmap_free (b);
}

/* Access I is a place to know about.  */

void
covering::note (unsigned i)
{
  access &a = acc.all[i];
  std::vector<unsigned> &same = by_class[a.cls];
  for (unsigned j : same)
    {
      spot &s = spots[j];
      if (s.where.base == a.where.base && s.where.known == a.where.known
	  && s.where.offset == a.where.offset && s.where.size == a.where.size
	  && s.in == a.bb->loop_father
	  && (a.where.known || (a.ref && s.ref && operand_equal_p (a.ref, s.ref, 0))))
	{
	  spot_of[i] = j;
	  return;
	}
      if (same.size () > 256)
	return;
    }
  spot s = { a.cls, a.ref, a.where, std::vector<tree> (), a.bb->loop_father,
	     reach_of_access (a) };
  plant (&s.part);
  if (a.ref && !a.where.known)
    each_index (a.ref, [&] (tree t) { s.names.push_back (t); });
  else if (a.where.base && TREE_CODE (a.where.base) == SSA_NAME)
    s.names.push_back (a.where.base);
  spot_of[i] = spots.size ();
  same.push_back (spots.size ());
  spots.push_back (s);
}

/* How store S writes all of L.  */

covering::kind
covering::covers (const access &s, const reach *part, const spot &l)
{
  if (!s.must || !s.where.base || !l.where.base)
    return NOT;
  if (s.where.known && s.where.base == l.where.base)
    {
      /* Everything that is there.  */
      if (s.where.size < 0)
	return s.where.offset <= l.where.offset ? BASE : NOT;
      if (l.where.known && l.where.size >= 0 && s.where.offset <= l.where.offset
	  && s.where.offset + s.where.size >= l.where.offset + l.where.size)
	return BASE;
      /* All of a variable.  */
      if (DECL_P (l.where.base) && s.where.offset == 0
	  && DECL_SIZE_UNIT (l.where.base)
	  && tree_fits_shwi_p (DECL_SIZE_UNIT (l.where.base))
	  && s.where.size >= tree_to_shwi (DECL_SIZE_UNIT (l.where.base)))
	return BASE;
    }
  if (s.where.known && s.where.base == l.part.root
      && s.where.offset <= l.part.bytes.low
      && s.where.offset + s.where.size >= l.part.bytes.high)
    return PART;
  if (part && part->root && part->root == l.part.root && !part->bytes.mixed
      && part->bytes.high - part->bytes.low == s.where.size
      && part->bytes.low <= l.part.bytes.low
      && part->bytes.high >= l.part.bytes.high)
    return PART;
  return (s.ref && l.ref && !s.where.known && !l.where.known
	  && operand_equal_p (s.ref, l.ref, 0) ? NAMES : NOT);
}

static bool
behaves (tree ref, class loop *l, gimple *s, innermost_loop_behavior *b)
{
#if BUILDING_GCC_MAJOR >= 9
  return opt_result (dr_analyze_innermost (b, ref, l, s));
#else
  (void) s;
  return dr_analyze_innermost (b, ref, l);
#endif
}

/* How often a statement in BB of loop L runs: *LATCH if once more than the
   latch.  */

static tree
counted (class loop *l, basic_block bb, bool *more)
{
  edge e = single_exit (l);
  if (!e || !l->latch || !dominated_by_p (CDI_DOMINATORS, l->latch, bb))
    return NULL_TREE;
  tree n = number_of_latch_executions (l);
  if (!n || n == chrec_dont_know)
    return NULL_TREE;
  *more = dominated_by_p (CDI_DOMINATORS, e->src, bb);
  return n;
}

static tree
name_callback (tree *tp, int *, void *data)
{
  if (TREE_CODE (*tp) == SSA_NAME)
    ((std::vector<tree> *) data)->push_back (*tp);
  return NULL_TREE;
}

/* What covers SPOT is made of T.  */

void
covering::depends (tree t, unsigned spot)
{
  std::vector<tree> names;
  if (TREE_CODE (t) == TREE_LIST)
    {
      depends (TREE_PURPOSE (t), spot);
      t = TREE_VALUE (t);
    }
  walk_tree (&t, name_callback, &names, NULL);
  for (tree n : names)
    by_name[n].push_back (spot + 2 * count);
}

/* Find the accesses that inner loops repeat.  */

void
covering::find_walks (bool with_stores)
{
  unsigned tries = 0;
  for (basic_block bb : region)
    {
      class loop *l = bb->loop_father;
      if (!l || l == start->loop_father || !inside[l->header->index])
	continue;
      for (unsigned i = acc.of_block[bb->index].first;
	   i < acc.of_block[bb->index].second; i++)
	{
	  access &a = acc.all[i];
	  if (!a.ref || (!a.store && !spot_of.count (i)) || ++tries > 400
	      || (a.store && !with_stores && !by_class.count (a.cls)))
	    continue;
	  walk w;
	  w.l = l;
	  w.i = i;
	  w.more = false;
	  w.n = counted (l, bb, &w.more);
	  w.filled = a;
	  w.filled.must = false;
	  w.spot = -1;
	  if (!w.n || a.where.size <= 0 || (a.store && (!a.must || a.adds)))
	    continue;
	  w.walks = (behaves (a.ref, l, a.stmt, &w.b)
		     && TREE_CODE (w.b.step) == INTEGER_CST
		     && (TREE_INT_CST_LOW (w.b.step)
			 == (unsigned HOST_WIDE_INT) a.where.size));
	  hwi last = (tree_fits_shwi_p (w.n) ? tree_to_shwi (w.n) + w.more : -1);
	  reach r = reach_of_access (a);
	  plant (&r);
	  place p = { r.root, r.bytes.low, last * a.where.size, true };
	  if (r.root && r.bytes.of == l && !r.bytes.mixed)
	    p.known = r.bytes.high - r.bytes.low == p.size;
	  else if (!w.walks)
	    continue;
	  else if (integer_zerop (w.b.offset) && TREE_CODE (w.b.init) == INTEGER_CST)
	    {
	      p = pointer_place (w.b.base_address);
	      p.offset += (hwi) TREE_INT_CST_LOW (w.b.init);
	      p.size = last * a.where.size;
	    }
	  else
	    p.known = false;
	  if (a.store && last > 0 && p.known)
	    {
	      w.filled.where = p;
	      w.filled.ref = NULL_TREE;
	      w.filled.must = true;
	      if (with_stores)
		{
		  spot s = { a.cls, NULL_TREE, p, std::vector<tree> (), l,
			     { NULL_TREE, make_range (0, 0) } };
		  w.spot = spots.size ();
		  by_class[a.cls].push_back (w.spot);
		  spots.push_back (s);
		}
	    }
	  (a.store ? stores : loads).push_back (w);
	}
    }
}

/* Loops that write elements one after another have written all of them when
   they end.  */

void
covering::fills ()
{
  for (walk &s : stores)
    {
      edge e = single_exit (s.l);
      std::vector<unsigned> &got
	= on_edge[std::make_pair (e->src->index, e->dest->index)];
      const access &a = acc.all[s.i];
      if (s.filled.must)
	for (unsigned j : by_class[a.cls])
	  if (covers (s.filled, NULL, spots[j]))
	    {
	      got.push_back (j);
	      depends (s.filled.where.base, j);
	    }
      for (walk &l : loads)
	if (acc.all[l.i].cls == a.cls && l.l != s.l && l.walks && s.walks
	    && operand_equal_p (l.b.base_address, s.b.base_address, 0)
	    && operand_equal_p (l.b.offset, s.b.offset, 0)
	    && operand_equal_p (l.b.init, s.b.init, 0)
	    && operand_equal_p (l.n, s.n, 0) && (s.more || !l.more)
	    && acc.all[l.i].where.size == a.where.size)
	  {
	    got.push_back (spot_of[l.i]);
	    depends (s.b.base_address, spot_of[l.i]);
	    depends (s.b.offset, spot_of[l.i]);
	    depends (s.n, spot_of[l.i]);
	  }
    }
}

void
covering::begin (basic_block b, sbitmap now)
{
  edge e;
  edge_iterator ei;
  bool first = true;
  if (b == start)
    {
      bitmap_clear (now);
      return;
    }
  bitmap_ones (now);
  FOR_EACH_EDGE (e, ei, b->preds)
    {
      if (!inside[e->src->index])
	{
	  bitmap_clear (now);
	  return;
	}
      first = false;
      std::map<std::pair<int, int>, std::vector<unsigned> >::iterator g
	= on_edge.find (std::make_pair (e->src->index, b->index));
      if (g == on_edge.end ())
	bitmap_and (now, now, out[e->src->index]);
      else
	{
	  auto_sbitmap both (3 * count);
	  bitmap_copy (both, out[e->src->index]);
	  for (unsigned j : g->second)
	    bitmap_set_bit (both, j + 2 * count);
	  bitmap_and (now, now, both);
	}
    }
  if (first)
    bitmap_clear (now);
}

/* NOW becomes what holds at the end of B.  FINAL: tell the loads.  */

void
covering::transfer (basic_block b, sbitmap now, bool final)
{
  /* What a name selects is another place when the name is set again; but not
     what a whole loop has filled.  */
  unsigned i = acc.of_block[b->index].first;
  unsigned end = acc.of_block[b->index].second;
  for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p); gsi_next (&p))
    {
      std::map<tree, std::vector<unsigned> >::iterator n
	= by_name.find (gimple_phi_result (p.phi ()));
      if (n != by_name.end ())
	for (unsigned j : n->second)
	  bitmap_clear_bit (now, j);
    }
  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g); gsi_next (&g))
    {
      gimple *s = gsi_stmt (g);
      for (; i < end && acc.all[i].stmt == s; i++)
	{
	  access &a = acc.all[i];
	  if (!a.store)
	    {
	      std::map<unsigned, unsigned>::iterator l = spot_of.find (i);
	      if (final && l != spot_of.end ())
		a.covered = (bitmap_bit_p (now, l->second)
			     || bitmap_bit_p (now, l->second + count)
			     || bitmap_bit_p (now, l->second + 2 * count));
	    }
	  /* A sum is not written anew.  */
	  else if (a.must && !a.adds)
	    {
	      std::map<int, std::vector<unsigned> >::iterator c
		= by_class.find (a.cls);
	      if (c != by_class.end ())
		for (unsigned j : c->second)
		  if (kind k = covers (a, part_of (i), spots[j]))
		    bitmap_set_bit (now, j + (k - NAMES) * count);
	    }
	}
      ssa_op_iter it;
      tree def;
      FOR_EACH_SSA_TREE_OPERAND (def, s, it, SSA_OP_DEF)
	{
	  std::map<tree, std::vector<unsigned> >::iterator n = by_name.find (def);
	  if (n != by_name.end ())
	    for (unsigned j : n->second)
	      bitmap_clear_bit (now, j);
	}
    }
}

/* True if a store in the region may change P, in class CLS.  */

bool
covering::writes (int cls, const place &p)
{
  for (const place &w : written[acc.model.find (cls)])
    if (!w.known || w.size < 0 || w.base != p.base
	|| (w.offset < p.offset + p.size && p.offset < w.offset + w.size))
      return true;
  return false;
}

/* What BASE, a pointer, can be replaced by: what is loaded from memory of the
   thread's own that nothing in the region writes is the same each time.  */

tree
covering::stable (tree base)
{
  if (!base || TREE_CODE (base) != SSA_NAME
      || !gimple_assign_load_p (SSA_NAME_DEF_STMT (base)))
    return base;
  gimple *s = SSA_NAME_DEF_STMT (base);
  tree ref = gimple_assign_rhs1 (s);
  place p = place_of (ref);
  int c = acc.model.class_of (ref);
  if (gimple_has_volatile_ops (s) || !gimple_bb (s)
      || !inside[gimple_bb (s)->index] || !p.known || p.size < 0)
    return base;
  /* A variable of the thread's own, or what the region got.  */
  bool own = DECL_P (p.base) && (acc.model.flags (c) & C_OWN);
  bool got = (acc.model.outlined && TREE_CODE (p.base) == SSA_NAME
	      && SSA_NAME_IS_DEFAULT_DEF (p.base));
  if (!(own || got) || writes (c, p))
    return base;
  for (tree t : tokens)
    {
      place q = place_of (t);
      if (q.base == p.base && q.offset == p.offset && q.size == p.size)
	return t;
    }
  if (tokens.size () < 64)
    tokens.push_back (ref);
  return tokens.back () == ref ? ref : base;
}

/* R's root becomes what it is known by in the region.  */

void
covering::plant (reach *r)
{
  r->root = stable (r->root);
  if (!r->root || !r->bytes.sym)
    return;
  for (std::pair<tree, hwi> &t : sums)
    if (TREE_PURPOSE (t.first) == r->root && TREE_VALUE (t.first) == r->bytes.sym
	&& t.second == r->bytes.scale)
      {
	r->root = t.first;
	return;
      }
  tree root = r->root;
  r->root = NULL_TREE;
  if (sums.size () >= 64)
    return;
  r->root = tree_cons (root, r->bytes.sym, NULL_TREE);
  sums.push_back (std::make_pair (r->root, r->bytes.scale));
}

void
covering::find_tokens ()
{
  for (int stores = 1; stores >= 0; stores--)
    for (basic_block b : region)
      for (unsigned i = acc.of_block[b->index].first;
	   i < acc.of_block[b->index].second; i++)
	{
	  access &a = acc.all[i];
	  if (!stores)
	    {
	      a.where.base = stable (a.pointer);
	      if (!a.store || !a.must || !a.where.known || a.where.size <= 0
		  || !a.pointer || TREE_CODE (a.pointer) != SSA_NAME)
		continue;
	      reach r = { NULL_TREE, make_range (a.where.offset,
						 a.where.offset + a.where.size) };
	      reach_of_pointer (a.pointer, a.bb, &r);
	      plant (&r);
	      parts[i] = r;
	    }
	  else if (a.store)
	    {
	      place p = a.where;
	      p.base = a.pointer;
	      written[acc.model.find (a.cls)].push_back (p);
	    }
	}
}

void
covering::run (bool with_stores)
{
  find_tokens ();
  for (basic_block b : region)
    for (unsigned i = acc.of_block[b->index].first;
	 i < acc.of_block[b->index].second; i++)
      {
	access &a = acc.all[i];
	a.covered = false;
	if (a.where.base && (!a.store || (with_stores && a.where.known && a.must)))
	  note (i);
      }
  find_walks (with_stores);
  count = spots.size ();
  if (!count || count > 4096)
    return;
  for (unsigned j = 0; j < count; j++)
    {
      for (tree t : spots[j].names)
	by_name[t].push_back (j);
      tree base = spots[j].where.base;
      if (TREE_CODE (base) == SSA_NAME)
	by_name[base].push_back (j + count);
      if (spots[j].part.root)
	depends (spots[j].part.root, j);
    }
  fills ();
  for (basic_block b : region)
    {
      out[b->index] = sbitmap_alloc (3 * count);
      bitmap_ones (out[b->index]);
    }
  auto_sbitmap now (3 * count);
  bool changed = true;
  for (int round = 0; changed && round < 64; round++)
    {
      changed = false;
      for (basic_block b : region)
	{
	  begin (b, now);
	  transfer (b, now, false);
	  if (!bitmap_equal_p (now, out[b->index]))
	    {
	      bitmap_copy (out[b->index], now);
	      changed = true;
	    }
	}
    }
  if (changed)
    {
      count = 5000;
      return;
    }
  for (basic_block b : region)
    {
      begin (b, now);
      transfer (b, now, true);
    }
}

bool
covering::at_exit (int spot)
{
  if (spot < 0 || count > 4096)
    return false;
  edge e;
  edge_iterator ei;
  bool all = true, any = false;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (acc.model.fn)->preds)
    {
      any = true;
      all &= (out[e->src->index]
	      && (bitmap_bit_p (out[e->src->index], spot + count)
		  || bitmap_bit_p (out[e->src->index], spot + 2 * count)));
    }
  return any && all;
}

std::vector<access>
covering::filled ()
{
  std::vector<access> v;
  for (walk &w : stores)
    if (at_exit (w.spot))
      v.push_back (w.filled);
  return v;
}

void
accesses::cover (const std::vector<basic_block> &region, basic_block start)
{
  covering c (*this, region, start);
  c.run (false);
}

/* The effect of A on what parameter PARM leads to at DEPTH.  */

static effect
effect_of (const access &a, unsigned parm, unsigned depth)
{
  effect e = { parm, depth, 0, -1, a.store, false, a.adds, a.op };
  reach r = { a.where.base, make_range (a.where.offset,
					a.where.offset + a.where.size) };
  if (!a.where.known || a.where.size < 0
      || !(r.root && TREE_CODE (r.root) == SSA_NAME
	   && SSA_NAME_IS_DEFAULT_DEF (r.root)))
    r = reach_of_access (a);
  if (depth == 0 && r.root && !r.bytes.sym && TREE_CODE (r.root) == SSA_NAME
      && SSA_NAME_IS_DEFAULT_DEF (r.root))
    {
      e.offset = r.bytes.low;
      e.size = r.bytes.high - r.bytes.low;
      e.must = a.store && a.must && a.where.known && a.where.base == r.root;
    }
  return e;
}

void
summary::add (const effect &e)
{
  for (effect &x : effects)
    if (x.parm == e.parm && x.depth == e.depth && x.offset == e.offset
	&& x.size == e.size && x.store == e.store && x.adds == e.adds)
      {
	x.must |= e.must;
	return;
      }
  effects.push_back (e);
}

/* The effects of the whole function on what its parameters lead to.  */

void
accesses::effects (summary &s)
{
  std::vector<basic_block> region;
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (model.fn));
  int n = pre_and_rev_post_order_compute_fn (model.fn, NULL, order, false);
  for (int i = 0; i < n; i++)
    region.push_back (BASIC_BLOCK_FOR_FN (model.fn, order[i]));
  XDELETEVEC (order);
  if (region.empty ())
    return;
  covering c (*this, region, region[0]);
  c.run (true);
  std::map<int, std::vector<std::pair<unsigned, unsigned> > > roots;
  unsigned p = 0;
  for (tree d = DECL_ARGUMENTS (model.fn->decl); d; d = DECL_CHAIN (d), p++)
    if (model.class_of_parm (d) >= 0)
      {
	int k = model.find (model.class_of_parm (d));
	if (POINTER_TYPE_P (TREE_TYPE (d)))
	  roots[k].push_back (std::make_pair (p, 0u));
	for (int b : model.below (k))
	  roots[b].push_back (std::make_pair (p, 1u));
      }
  std::vector<access> what (all);
  for (access &a : what)
    if (a.store && a.must)
      a.must = c.at_exit (c.spot_at (&a - &what[0]));
  for (access &a : c.filled ())
    what.push_back (a);
  for (access &a : what)
    {
      unsigned f = model.flags (a.cls);
      if (f & C_TLS)
	s.flags |= F_TLS;
      std::map<int, std::vector<std::pair<unsigned, unsigned> > >::iterator r
	= roots.find (model.find (a.cls));
      if (a.number & N_USER)
	s.flags |= a.adds ? F_BY_NUMBER : F_IDENTITY;
      if (r == roots.end () || (!a.store && a.covered)
	  || (a.locked && !(f & C_OWN)))
	continue;
      for (std::pair<unsigned, unsigned> &root : r->second)
	s.add (effect_of (a, root.first, root.second));
    }
  /* Too many to tell apart.  */
  if (s.effects.size () > 48)
    {
      std::vector<effect> few;
      for (effect &x : s.effects)
	{
	  effect e = { x.parm, x.depth, 0, -1, x.store, false, false, ERROR_MARK };
	  bool same = false;
	  for (effect &y : few)
	    same |= (y.parm == e.parm && y.depth == e.depth
		     && y.store == e.store);
	  if (!same)
	    few.push_back (e);
	}
      s.effects.swap (few);
    }
}

} // namespace amp

#endif
