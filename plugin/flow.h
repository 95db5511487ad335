/* What a function's pointers lead to, and what is made of the thread's number.
   SPDX-License-Identifier: GPL-3.0-or-later

   Memory falls into classes (Steensgaard): two pointers that may be equal lead
   to one class.  A class is the thread's own, shared, or of unknown ownership
   (what a caller or another file hands over).  Values of a class's memory that
   are pointers lead to its deep classes, one for each constant offset.  */

#ifndef GOMP_AMP_FLOW_H
#define GOMP_AMP_FLOW_H 1

namespace amp
{

typedef HOST_WIDE_INT hwi;
static const hwi ANY = HOST_WIDE_INT_MIN;

enum
{
  C_SHARED = 1,
  /* A variable of this call, or allocated by it.  */
  C_OWN = 2,
  /* Who has it is not known: a parameter's, another file's.  */
  C_OPEN = 4,
  C_TLS = 8,
  C_HEAP = 16,
  /* Has a value from the beginning.  */
  C_VALUE = 32,
  /* A variable; one of several.  */
  C_VARIABLE = 64,
  C_SEVERAL = 128,
  /* A caller's, who reads it.  */
  C_READ = 256
};

/* Of values: made of the thread's number by the program, by the compiler for a
   static loop, left by a worksharing loop.  */
enum { N_USER = 1, N_MADE = 2, N_LEFT = 4 };

struct memory_class
{
  int parent;
  unsigned flags;
  /* Parameters, a bit each, that lead here directly.  */
  unsigned parms;
  /* What its values are made of, see N_*.  */
  unsigned number;
  tree decl;
  /* All that allocate it.  */
  std::vector<gimple *> allocs;
  std::vector<std::pair<hwi, int> > deep;
};

/* Where a reference leads: BASE, a variable or an SSA pointer, and bytes.  */
struct place
{
  tree base;
  hwi offset, size;
  bool known;
};

static inline bool
is_outlined (tree fndecl)
{
  return strstr (amp_name (fndecl), "_omp_fn.") != NULL;
}

static inline bool
is_ours (tree call_decl)
{
  return strncmp (amp_name (call_decl), "GOMP_", 5) == 0;
}

/* Call F with each SSA name that the address of REF is made of.  */

template <typename F>
static void
each_index (tree ref, F f)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF || TREE_CODE (ref) == ARRAY_RANGE_REF)
      {
	if (TREE_CODE (TREE_OPERAND (ref, 1)) == SSA_NAME)
	  f (TREE_OPERAND (ref, 1));
      }
  if (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == TARGET_MEM_REF)
    for (int i = 0; i < TREE_OPERAND_LENGTH (ref); i++)
      {
	tree t = TREE_OPERAND (ref, i);
	if (t && TREE_CODE (t) == SSA_NAME)
	  f (t);
	else if (t && i == 0 && TREE_CODE (t) == ADDR_EXPR)
	  each_index (TREE_OPERAND (t, 0), f);
      }
}

/* The constant that MEM_REF adds.  */

static hwi
mem_ref_bytes (tree ref)
{
  return (hwi) TREE_INT_CST_LOW (TREE_OPERAND (ref, 1));
}

/* The variable or pointer that pointer P is at a constant distance from.  */

static place
pointer_place (tree p)
{
  place r = { p, 0, -1, true };
  for (int n = 0; n < 32; n++)
    {
      if (TREE_CODE (r.base) == ADDR_EXPR)
	{
	  poly_int64 more;
	  tree b = get_addr_base_and_unit_offset (TREE_OPERAND (r.base, 0),
						  &more);
	  hwi m;
	  if (!b || !more.is_constant (&m))
	    {
	      b = get_base_address (TREE_OPERAND (r.base, 0));
	      m = 0;
	      r.known = false;
	    }
	  r.offset += m;
	  if (b && TREE_CODE (b) == MEM_REF)
	    {
	      r.offset += mem_ref_bytes (b);
	      r.base = TREE_OPERAND (b, 0);
	      continue;
	    }
	  r.base = b ? b : r.base;
	  return r;
	}
      if (TREE_CODE (r.base) != SSA_NAME
	  || !is_gimple_assign (SSA_NAME_DEF_STMT (r.base)))
	return r;
      gimple *def = SSA_NAME_DEF_STMT (r.base);
      tree_code code = gimple_assign_rhs_code (def);
      tree rhs = gimple_assign_rhs1 (def);
      if (code == POINTER_PLUS_EXPR && TREE_CODE (rhs) == SSA_NAME
	  && TREE_CODE (gimple_assign_rhs2 (def)) == INTEGER_CST)
	r.offset += TREE_INT_CST_LOW (gimple_assign_rhs2 (def));
      else if (!((code == SSA_NAME || CONVERT_EXPR_CODE_P (code))
		 && TREE_CODE (rhs) == SSA_NAME
		 && POINTER_TYPE_P (TREE_TYPE (rhs)))
	       && !(code == ADDR_EXPR
		    && get_base_address (TREE_OPERAND (rhs, 0))))
	return r;
      if (code == ADDR_EXPR)
	{
	  poly_int64 more;
	  if (!get_addr_base_and_unit_offset (TREE_OPERAND (rhs, 0), &more))
	    return r;
	}
      r.base = rhs;
    }
  return r;
}

/* Where REF leads.  */

static place
place_of (tree ref)
{
  place r = { NULL_TREE, 0, -1, false };
  hwi off, size;
  bool reverse;
  tree base = get_ref_base_and_extent_hwi (ref, &off, &size, &reverse);
  if (!base)
    {
      base = get_base_address (ref);
      if (base && TREE_CODE (base) == MEM_REF)
	{
	  place p = pointer_place (TREE_OPERAND (base, 0));
	  r.base = p.base;
	}
      else
	r.base = base;
      tree sz = TYPE_SIZE_UNIT (TREE_TYPE (ref));
      if (sz && tree_fits_shwi_p (sz))
	r.size = tree_to_shwi (sz);
      return r;
    }
  r.offset = off / BITS_PER_UNIT;
  r.size = (off % BITS_PER_UNIT + size + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
  r.base = base;
  r.known = true;
  if (TREE_CODE (base) == MEM_REF)
    {
      place p = pointer_place (TREE_OPERAND (base, 0));
      r.offset += mem_ref_bytes (base) + p.offset;
      r.base = p.base;
      r.known = p.known;
    }
  else if (TREE_CODE (base) == TARGET_MEM_REF)
    r.known = false;
  return r;
}

struct summary;

/* The model of one function.  */

class flow
{
public:
  explicit flow (function *f, unsigned level);
  function *fn;
  unsigned level;
  bool outlined;
  /* Made of the thread's number, by SSA version.  */
  std::vector<unsigned> number;
  /* Blocks that threads of some numbers alone run, by index.  */
  std::vector<unsigned> chosen;
  bool asks;

  int find (int c);
  int unify (int a, int b);
  int leads_to (tree pointer);
  int class_of_base (tree base);
  int class_of (tree ref);
  /* What parameter P leads to; P itself if it is an object that holds pointers;
     -1 if neither.  */
  int class_of_parm (tree p);
  int deep (int c, hwi offset);
  memory_class &at (int c) { return classes[find (c)]; }
  unsigned flags (int c) { return at (c).flags; }
  /* All classes that pointers in C lead to, at any depth, without C.  */
  std::vector<int> below (int c);
  bool right_below (int c, int d);
  unsigned number_of (tree t)
  {
    return TREE_CODE (t) == SSA_NAME ? number[SSA_NAME_VERSION (t)] : 0;
  }
  unsigned address_number (tree ref);
  /* What argument A leads to; A itself if it is an object that holds pointers; -1 if
     neither.  */
  int class_of_argument (tree a)
  {
    return (carries (a) ? class_of (a)
	    : POINTER_TYPE_P (TREE_TYPE (a)) && TREE_CODE (a) != INTEGER_CST
	    ? leads_to (a) : -1);
  }
  /* True if T is an object that holds pointers.  */
  bool carries (tree t)
  {
    return (TREE_CODE (t) != SSA_NAME && AGGREGATE_TYPE_P (TREE_TYPE (t))
	    && get_base_address (t) && holds_pointers (TREE_TYPE (t)));
  }
  /* What callers hand over: values made of the number; memory of their own, or
     that holds what is made of it.  */
  struct handed
  {
    /* See N_*: of the value, of what it leads to.  */
    unsigned value, held;
    /* Memory of the caller's thread, and what that holds pointers to; callers
       read it, too.  */
    bool own, own_below, read;
  };
  void hand_over (unsigned parm, const handed &h);
  /* Values that worksharing loops leave are made of those.  */
  void leave (tree name, unsigned what);
  void spread ();
  std::vector<memory_class> classes;

private:
  std::vector<int> points;
  std::map<tree, int> decls;
  bool changed;

  void some_deep (int c)
  {
    if (at (c).deep.empty ())
      deep (c, ANY);
  }
  int fresh (unsigned flags, gimple *alloc = NULL, tree decl = NULL_TREE);
  void collapse (int c);
  void merge_below (int c);
  void constrain (gimple *s);
  void constrain_call (gcall *s);
  void assign_value (int c, hwi offset, tree value);
  void finish ();
  void mark (tree name, unsigned what);
  void mark_memory (int c, unsigned what);
  void spread_stmt (gimple *s);
  void spread_phi (gphi *p);
  bool holds_pointers (tree type, int depth = 0);
  unsigned parm_bit (tree parm);
};

/* What is known of a function that is called; NULL if its body is not here.  */
static const summary *summary_of (tree fndecl, unsigned level);

/* Where the pointer that a call returns leads, for summaries.  */
struct returned
{
  unsigned parms, below, number;
  /* Parameters that lead to where the call notes the thread's number.  */
  unsigned noted;
  bool own, shared, open;
};
static const returned *returned_by (tree fndecl, unsigned level);
/* By parameter, what pointers a function stores in memory that it leads to: other
   parameters, a bit each; such as those lead to; what the function allocates.
   DEEPER: not right there, or such as are returned.  */
struct stored
{
  std::vector<unsigned> stores, shares;
  std::vector<bool> stores_own, stores_deeper;
};
static const stored *stored_by (tree fndecl, unsigned level);

int
flow::fresh (unsigned flags, gimple *alloc, tree decl)
{
  memory_class c = { (int) classes.size (), flags, 0, 0, decl,
		     std::vector<gimple *> (),
		     std::vector<std::pair<hwi, int> > () };
  if (alloc)
    c.allocs.push_back (alloc);
  classes.push_back (c);
  return c.parent;
}

int
flow::find (int c)
{
  while (classes[c].parent != c)
    c = classes[c].parent = classes[classes[c].parent].parent;
  return c;
}

int
flow::unify (int a, int b)
{
  std::vector<std::pair<int, int> > work (1, std::make_pair (a, b));
  while (!work.empty ())
    {
      int x = find (work.back ().first), y = find (work.back ().second);
      work.pop_back ();
      if (x == y)
	continue;
      memory_class &to = classes[x], &from = classes[y];
      from.parent = x;
      if (to.flags & from.flags & C_VARIABLE)
	to.flags |= C_SEVERAL;
      if ((from.flags & C_VARIABLE) && !(to.flags & C_VARIABLE))
	to.decl = from.decl;
      to.flags |= from.flags;
      to.parms |= from.parms;
      to.number |= from.number;
      if (!to.decl)
	to.decl = from.decl;
      to.allocs.insert (to.allocs.end (), from.allocs.begin (),
			from.allocs.end ());
      std::vector<std::pair<hwi, int> > d;
      d.swap (from.deep);
      for (std::pair<hwi, int> &p : d)
	{
	  bool any = p.first == ANY, done = false;
	  for (std::pair<hwi, int> &q : to.deep)
	    if (any || q.first == ANY || q.first == p.first)
	      {
		work.push_back (std::make_pair (q.second, p.second));
		if (any)
		  q.first = ANY;
		done = true;
	      }
	  if (!done)
	    to.deep.push_back (p);
	}
      if (to.deep.size () > 16)
	for (std::pair<hwi, int> &q : to.deep)
	  {
	    work.push_back (std::make_pair (to.deep[0].second, q.second));
	    q.first = ANY;
	  }
      if (!to.deep.empty () && to.deep[0].first == ANY)
	to.deep.resize (1);
    }
  return find (a);
}

int
flow::deep (int c, hwi offset)
{
  c = find (c);
  std::vector<std::pair<hwi, int> > &d = classes[c].deep;
  if (!d.empty () && (d[0].first == ANY || offset == ANY))
    {
      collapse (c);
      return find (classes[find (c)].deep[0].second);
    }
  for (std::pair<hwi, int> &p : d)
    if (p.first == offset)
      return find (p.second);
  int n = fresh (0);
  classes[find (c)].deep.push_back (std::make_pair (offset, n));
  return n;
}

void
flow::collapse (int c)
{
  c = find (c);
  for (unsigned i = 1; i < classes[c].deep.size (); i++)
    unify (classes[c].deep[0].second, classes[c].deep[i].second);
  c = find (c);
  if (!classes[c].deep.empty ())
    {
      classes[c].deep[0].first = ANY;
      classes[c].deep.resize (1);
    }
}

unsigned
flow::parm_bit (tree parm)
{
  unsigned n = 0;
  for (tree p = DECL_ARGUMENTS (fn->decl); p; p = DECL_CHAIN (p), n++)
    if (p == parm)
      return n < 31 ? 1u << n : 1u << 31;
  return 0;
}

int
flow::class_of_base (tree base)
{
  if (TREE_CODE (base) == SSA_NAME)
    return leads_to (base);
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF)
    return leads_to (TREE_OPERAND (base, 0));
  if (!DECL_P (base))
    return fresh (C_SHARED);
  std::map<tree, int>::iterator i = decls.find (base);
  if (i != decls.end ())
    return find (i->second);
  unsigned f = C_SHARED;
  if (VAR_P (base) && DECL_THREAD_LOCAL_P (base))
    f = C_TLS | C_VALUE;
  else if (!is_global_var (base) && TREE_CODE (base) != CONST_DECL)
    f = C_OWN | (TREE_CODE (base) == PARM_DECL ? C_VALUE : 0);
  int c = fresh (f | C_VARIABLE, NULL, base);
  decls[base] = c;
  return c;
}

int
flow::class_of (tree ref)
{
  tree base = get_base_address (ref);
  return base ? class_of_base (base) : fresh (C_SHARED);
}

/* The class that POINTER, a value, leads to.  */

int
flow::leads_to (tree pointer)
{
  if (TREE_CODE (pointer) == ADDR_EXPR)
    return class_of (TREE_OPERAND (pointer, 0));
  if (TREE_CODE (pointer) != SSA_NAME)
    return fresh (C_SHARED);
  int &c = points[SSA_NAME_VERSION (pointer)];
  if (c >= 0)
    return find (c);
  tree var = SSA_NAME_VAR (pointer);
  if (SSA_NAME_IS_DEFAULT_DEF (pointer) && var
      && TREE_CODE (var) == PARM_DECL)
    {
      int n = fresh (outlined ? C_SHARED : C_OPEN);
      classes[n].parms = outlined ? 0 : parm_bit (var);
      classes[n].decl = var;
      points[SSA_NAME_VERSION (pointer)] = n;
      return n;
    }
  int n = fresh (0, NULL, var);
  points[SSA_NAME_VERSION (pointer)] = n;
  return n;
}

int
flow::class_of_parm (tree p)
{
  if (carries (p))
    return class_of_base (p);
  if (!POINTER_TYPE_P (TREE_TYPE (p)))
    return -1;
  if (TREE_ADDRESSABLE (p))
    return deep (class_of_base (p), 0);
  tree name = ssa_default_def (fn, p);
  return name ? leads_to (name) : -1;
}

/* True if values of TYPE hold pointers.  */

bool
flow::holds_pointers (tree type, int depth)
{
  if (POINTER_TYPE_P (type))
    return true;
  if (TREE_CODE (type) == ARRAY_TYPE)
    return holds_pointers (TREE_TYPE (type), depth);
  if (!RECORD_OR_UNION_TYPE_P (type))
    return INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) >= POINTER_SIZE;
  if (depth > 4)
    return true;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL && holds_pointers (TREE_TYPE (f), depth + 1))
      return true;
  return false;
}

void
flow::assign_value (int c, hwi offset, tree value)
{
  if (TREE_CODE (value) == ADDR_EXPR
      || (TREE_CODE (value) == SSA_NAME && POINTER_TYPE_P (TREE_TYPE (value))))
    unify (deep (c, offset), leads_to (value));
}

void
flow::constrain_call (gcall *s)
{
  tree lhs = gimple_call_lhs (s), fd = gimple_call_fndecl (s);
  bool pointer = (lhs && TREE_CODE (lhs) == SSA_NAME
		  && POINTER_TYPE_P (TREE_TYPE (lhs)));
  unsigned n = gimple_call_num_args (s);
  if (gimple_call_internal_p (s) || (fd && is_ours (fd)
				     && strcmp (amp_name (fd), "GOMP_alloc")))
    return;
  const amp_known *k = fd ? amp_known_function (fd) : NULL;
  if (fd && !strcmp (amp_name (fd), "posix_memalign") && n == 3)
    {
      unify (deep (leads_to (gimple_call_arg (s, 0)), 0),
	     fresh (C_OWN | C_HEAP, s));
      return;
    }
  if (k)
    {
      if (k->kind == AMP_COPY && n >= 2)
	{
	  int a = leads_to (gimple_call_arg (s, 0));
	  int b = leads_to (gimple_call_arg (s, 1));
	  unify (deep (a, ANY), deep (b, ANY));
	}
      if (!pointer)
	return;
      if (k->kind == AMP_ALLOC)
	unify (leads_to (lhs),
	       fresh (C_OWN | C_HEAP
		      | (strcmp (k->name, "calloc") ? 0 : C_VALUE), s));
      else if (k->kind == AMP_REALLOC)
	{
	  unify (leads_to (lhs), leads_to (gimple_call_arg (s, 0)));
	  unify (leads_to (lhs), fresh (C_OWN | C_HEAP, s));
	}
      else if ((k->fills | k->keeps) & 1)
	unify (leads_to (lhs), leads_to (gimple_call_arg (s, 0)));
      else
	unify (leads_to (lhs),
	       fresh (k->kind == AMP_IDENTITY ? C_TLS | C_VALUE : C_OPEN, s));
      return;
    }
  const returned *r = fd ? returned_by (fd, level + 1) : NULL;
  const stored *st = r ? stored_by (fd, level + 1) : NULL;
  /* Objects that are handed over and returned by value.  */
  if (lhs && carries (lhs))
    unify (deep (class_of (lhs), ANY), fresh (C_OPEN, s));
  if (!(gimple_call_flags (s) & ECF_CONST))
    for (unsigned i = 0; i < n; i++)
      {
	tree a = gimple_call_arg (s, i);
	bool by_value = carries (a);
	if (by_value)
	  some_deep (class_of (a));
	if (lhs && carries (lhs) && (by_value || POINTER_TYPE_P (TREE_TYPE (a))))
	  unify (deep (class_of (lhs), ANY),
		 by_value ? deep (class_of (a), ANY) : leads_to (a));
	if (by_value && pointer && !r)
	  unify (leads_to (lhs), deep (class_of (a), ANY));
	for (unsigned j = 0; j < n && !r; j++)
	  {
	    tree b = gimple_call_arg (s, j);
	    if (by_value && j != i && POINTER_TYPE_P (TREE_TYPE (b))
		&& TREE_CODE (b) != INTEGER_CST)
	      unify (deep (leads_to (b), ANY), deep (class_of (a), ANY));
	  }
      }
  if (r)
    {
      for (unsigned i = 0; i < n && i < 31; i++)
	{
	  int c = class_of_argument (gimple_call_arg (s, i));
	  if (c < 0 || i >= st->stores.size ())
	    continue;
	  if (st->stores_deeper[i])
	    merge_below (c);
	  for (unsigned j = 0; j < n && j < st->stores.size (); j++)
	    {
	      tree b = gimple_call_arg (s, j);
	      int d = class_of_argument (b);
	      if (d >= 0 && (st->shares[i] >> j & 1))
		{
		  if (st->stores_deeper[j])
		    merge_below (d);
		  unify (deep (c, ANY), deep (d, ANY));
		}
	      if ((st->stores[i] >> j & 1) && POINTER_TYPE_P (TREE_TYPE (b)))
		unify (deep (c, ANY), leads_to (b));
	    }
	  if (st->stores_own[i])
	    unify (deep (c, ANY), fresh (C_OWN | C_HEAP, s));
	  if (pointer && (r->parms >> i & 1))
	    unify (leads_to (lhs), c);
	  if (pointer && (r->below >> i & 1))
	    unify (leads_to (lhs), deep (c, ANY));
	}
      if (pointer && r->own)
	unify (leads_to (lhs), fresh (C_OWN | C_HEAP, s));
      if (pointer && r->open)
	unify (leads_to (lhs), fresh (C_OPEN, s));
      if (pointer && r->shared)
	unify (leads_to (lhs), fresh (C_SHARED, s));
      return;
    }
  /* Unknown: what it gets may be kept in what it gets, and be returned.  */
  int all = -1;
  for (unsigned i = 0; i < n; i++)
    {
      tree a = gimple_call_arg (s, i);
      if (!POINTER_TYPE_P (TREE_TYPE (a)) || TREE_CODE (a) == INTEGER_CST
	  || FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a))))
	continue;
      int c = leads_to (a);
      if (pointer)
	unify (leads_to (lhs), c);
      if (!(gimple_call_flags (s) & (ECF_CONST | ECF_PURE)))
	{
	  int d = deep (c, ANY);
	  all = all < 0 ? d : unify (all, d);
	}
    }
  if (all >= 0)
    unify (all, fresh (C_OPEN, s));
  if (pointer)
    {
      bool mine = gimple_call_flags (s) & ECF_MALLOC;
      unify (leads_to (lhs), fresh (mine ? C_OWN | C_HEAP | C_VALUE : C_OPEN, s));
      if (all >= 0)
	unify (leads_to (lhs), all);
    }
}

void
flow::constrain (gimple *s)
{
  if (gcall *c = dyn_cast <gcall *> (s))
    {
      constrain_call (c);
      return;
    }
  if (!is_gimple_assign (s) || gimple_clobber_p (s))
    return;
  tree lhs = gimple_assign_lhs (s), rhs = gimple_assign_rhs1 (s);
  tree_code code = gimple_assign_rhs_code (s);
  if (TREE_CODE (lhs) != SSA_NAME)
    {
      place p = place_of (lhs);
      hwi off = p.known ? p.offset : ANY;
      if (is_gimple_val (rhs))
	assign_value (class_of (lhs), off, rhs);
      else if (gimple_assign_single_p (s) && holds_pointers (TREE_TYPE (lhs))
	       && TREE_CODE (rhs) != CONSTRUCTOR && get_base_address (rhs)
	       && !CONSTANT_CLASS_P (rhs))
	{
	  place q = place_of (rhs);
	  int from = class_of (rhs), to = class_of (lhs);
	  if (POINTER_TYPE_P (TREE_TYPE (lhs)) && q.known)
	    unify (deep (to, off), deep (from, q.offset));
	  else
	    unify (deep (to, ANY), deep (from, ANY));
	}
      return;
    }
  if (!POINTER_TYPE_P (TREE_TYPE (lhs))
      && !(INTEGRAL_TYPE_P (TREE_TYPE (lhs))
	   && TYPE_PRECISION (TREE_TYPE (lhs)) == POINTER_SIZE
	   && (CONVERT_EXPR_CODE_P (code) || code == BIT_AND_EXPR)
	   && TREE_CODE (rhs) == SSA_NAME
	   && (POINTER_TYPE_P (TREE_TYPE (rhs))
	       || points[SSA_NAME_VERSION (rhs)] >= 0)))
    return;
  if (gimple_assign_load_p (s))
    {
      place p = place_of (rhs);
      unify (leads_to (lhs), deep (class_of (rhs), p.known ? p.offset : ANY));
    }
  else
    for (unsigned i = 1; i < gimple_num_ops (s); i++)
      {
	tree op = gimple_op (s, i);
	if (op && i == 1 && TREE_CODE (op) == ADDR_EXPR)
	  unify (leads_to (lhs), leads_to (op));
	else if (op && TREE_CODE (op) == SSA_NAME
		 && (POINTER_TYPE_P (TREE_TYPE (op)) || i == 1))
	  unify (leads_to (lhs), leads_to (op));
	else if (op && i > 1 && TREE_CODE (op) == ADDR_EXPR)
	  unify (leads_to (lhs), leads_to (op));
      }
}

/* What lies behind shared or unknown memory is so, too.  */

void
flow::finish ()
{
  bool again = true;
  for (int round = 0; again && round < 64; round++)
    {
      again = false;
      for (unsigned i = 0; i < classes.size (); i++)
	if (find (i) == (int) i)
	  for (unsigned j = 0; j < classes[i].deep.size (); j++)
	    {
	      unsigned f = classes[i].flags;
	      tree decl = classes[i].decl;
	      bool parm = (f & C_VARIABLE) && decl && TREE_CODE (decl) == PARM_DECL;
	      unsigned add = ((f & (C_OPEN | C_TLS)) || parm ? C_OPEN
			      : f & C_SHARED ? C_SHARED : 0);
	      memory_class &d = at (classes[i].deep[j].second);
	      if ((d.flags & (C_OWN | C_OPEN | C_TLS | C_SHARED)) == 0 && add)
		{
		  d.flags |= add;
		  again = true;
		}
	    }
    }
}

std::vector<int>
flow::below (int c)
{
  std::vector<int> out;
  std::vector<int> work (1, find (c));
  std::set<int> seen;
  while (!work.empty () && out.size () < 64)
    {
      int x = work.back ();
      work.pop_back ();
      for (std::pair<hwi, int> &p : classes[x].deep)
	{
	  int d = find (p.second);
	  if (seen.insert (d).second)
	    {
	      out.push_back (d);
	      work.push_back (d);
	    }
	}
    }
  return out;
}

/* True if pointers in C lead to D.  */

bool
flow::right_below (int c, int d)
{
  for (std::pair<hwi, int> &p : at (c).deep)
    if (find (p.second) == find (d))
      return true;
  return false;
}

/* All that pointers in C lead to becomes one class.  */

void
flow::merge_below (int c)
{
  int d = deep (c, ANY);
  for (int b : below (c))
    unify (d, b);
}

/* The thread's number.  */

void
flow::mark (tree name, unsigned what)
{
  if (TREE_CODE (name) != SSA_NAME)
    return;
  unsigned &n = number[SSA_NAME_VERSION (name)];
  if ((n | what) != n)
    {
      n |= what;
      changed = true;
    }
}

void
flow::mark_memory (int c, unsigned what)
{
  memory_class &m = at (c);
  if ((m.number | what) != m.number)
    {
      m.number |= what;
      changed = true;
    }
}

unsigned
flow::address_number (tree ref)
{
  unsigned n = 0;
  each_index (ref, [&] (tree t) { n |= number[SSA_NAME_VERSION (t)]; });
  return n;
}

void
flow::spread_phi (gphi *p)
{
  tree res = gimple_phi_result (p);
  if (virtual_operand_p (res))
    return;
  unsigned what = 0;
  bool differ = false;
  for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
    {
      tree a = gimple_phi_arg_def (p, i);
      what |= number_of (a);
      differ |= !operand_equal_p (a, gimple_phi_arg_def (p, 0), 0);
    }
  if (differ)
    for (unsigned i = 0; i < gimple_phi_num_args (p); i++)
      {
	basic_block b = gimple_phi_arg_edge (p, i)->src;
	what |= chosen[b->index];
	gimple *last = gsi_stmt (gsi_last_nondebug_bb (b));
	if (last && gimple_code (last) == GIMPLE_COND)
	  what |= (number_of (gimple_cond_lhs (last))
		   | number_of (gimple_cond_rhs (last)));
	else if (last && gimple_code (last) == GIMPLE_SWITCH)
	  what |= number_of (gimple_switch_index (as_a <gswitch *> (last)));
      }
  mark (res, what);
}

void
flow::spread_stmt (gimple *s)
{
  unsigned what = 0, in = chosen[gimple_bb (s)->index];
  tree lhs = gimple_get_lhs (s);
  if (gcall *c = dyn_cast <gcall *> (s))
    {
      tree fd = gimple_call_fndecl (c);
      const amp_known *k = fd ? amp_known_function (fd) : NULL;
      const returned *r = NULL;
      if (fd && is_ours (fd) && !k)
	return;
      if (k && k->kind == AMP_IDENTITY)
	{
	  what = (gimple_location (s) == UNKNOWN_LOCATION ? N_MADE : N_USER);
	  /* A hint to libgomp.  */
	  if (gimple_call_num_args (s) == 1
	      && TREE_CODE (gimple_call_arg (s, 0)) == INTEGER_CST)
	    what = 0;
	}
      else if (!k && fd && (r = returned_by (fd, level + 1)))
	what = r->number;
      for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	{
	  what |= number_of (gimple_call_arg (c, i));
	  /* A function may note the number in what it gets.  */
	  tree a = gimple_call_arg (c, i);
	  if (POINTER_TYPE_P (TREE_TYPE (a)) && !(k && k->kind == AMP_FREE)
	      && TREE_CODE (a) != INTEGER_CST)
	    {
	      int m = leads_to (a);
	      if (flags (m) & C_OWN)
		what |= at (m).number;
	    }
	}
      if (r && r->noted)
	for (unsigned i = 0; i < gimple_call_num_args (c) && i < 31; i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if ((r->noted >> i & 1) && POINTER_TYPE_P (TREE_TYPE (a))
		&& (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), N_USER);
	  }
      if (r && (what | in))
	for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if (POINTER_TYPE_P (TREE_TYPE (a)) && (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), what | in);
	  }
      if (!r && !k && (what | in))
	for (unsigned i = 0; i < gimple_call_num_args (c); i++)
	  {
	    tree a = gimple_call_arg (c, i);
	    if (POINTER_TYPE_P (TREE_TYPE (a)) && TREE_CODE (a) != INTEGER_CST
		&& (flags (leads_to (a)) & C_OWN))
	      mark_memory (leads_to (a), what | in);
	  }
    }
  else if (gimple_assign_load_p (s))
    {
      tree rhs = gimple_assign_rhs1 (s);
      int c = class_of (rhs);
      what = address_number (rhs);
      /* What a number selects is another's for each thread if it leads on.  */
      if (lhs && !POINTER_TYPE_P (TREE_TYPE (lhs)) && !(flags (c) & C_OWN))
	what = 0;
      if (flags (c) & C_OWN)
	what |= at (c).number;
    }
  else if (is_gimple_assign (s))
    for (unsigned i = 1; i < gimple_num_ops (s); i++)
      {
	tree op = gimple_op (s, i);
	if (op && TREE_CODE (op) == SSA_NAME)
	  what |= number_of (op);
	else if (op && TREE_CODE (op) == ADDR_EXPR)
	  what |= address_number (TREE_OPERAND (op, 0));
      }
  if (!lhs)
    return;
  if (TREE_CODE (lhs) == SSA_NAME)
    mark (lhs, what);
  else if ((what | in) && !gimple_clobber_p (s))
    {
      int c = class_of (lhs);
      if (flags (c) & C_OWN)
	mark_memory (c, what | in);
    }
}

void
flow::hand_over (unsigned parm, const handed &h)
{
  tree d = DECL_ARGUMENTS (fn->decl);
  for (; d && parm > 0; parm--)
    d = DECL_CHAIN (d);
  if (!d)
    return;
  tree name = ssa_default_def (fn, d);
  int c = class_of_parm (d);
  if (name)
    mark (name, h.value);
  else if (h.value)
    mark_memory (class_of_base (d), h.value);
  if (c >= 0 && h.own_below)
    for (int b : below (c))
      at (b).flags |= C_OWN | C_VALUE;
  if (c >= 0 && POINTER_TYPE_P (TREE_TYPE (d)))
    {
      memory_class &m = at (c);
      m.number |= h.held;
      if (h.own)
	m.flags |= C_OWN | C_VALUE | (h.read ? C_READ : 0);
      if (h.own)
	asks |= h.held != 0;
    }
  asks |= h.value != 0;
}

void
flow::leave (tree name, unsigned what)
{
  mark (name, what);
  asks = true;
}

/* Go on until nothing new is made of the number.  */

void
flow::spread ()
{
  basic_block b;
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (fn));
  int n = pre_and_rev_post_order_compute_fn (fn, NULL, order, false);
  for (int round = 0; round < 32; round++)
    {
      changed = false;
      for (int i = 0; i < n; i++)
	{
	  b = BASIC_BLOCK_FOR_FN (fn, order[i]);
	  /* Chosen as its immediate dominator is, or by what that asks.  */
	  basic_block d = get_immediate_dominator (CDI_DOMINATORS, b);
	  if (d && d != ENTRY_BLOCK_PTR_FOR_FN (fn)
	      && !dominated_by_p (CDI_POST_DOMINATORS, d, b))
	    {
	      unsigned in = chosen[d->index];
	      gimple *last = gsi_stmt (gsi_last_nondebug_bb (d));
	      if (last && gimple_code (last) == GIMPLE_COND)
		in |= (number_of (gimple_cond_lhs (last))
		       | number_of (gimple_cond_rhs (last)));
	      else if (last && gimple_code (last) == GIMPLE_SWITCH)
		in |= number_of (gimple_switch_index (as_a <gswitch *> (last)));
	      if ((in | chosen[b->index]) != chosen[b->index])
		{
		  chosen[b->index] |= in;
		  changed = true;
		}
	    }
	  else if (d && d != ENTRY_BLOCK_PTR_FOR_FN (fn)
		   && (chosen[d->index] | chosen[b->index]) != chosen[b->index])
	    {
	      chosen[b->index] |= chosen[d->index];
	      changed = true;
	    }
	  for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p); gsi_next (&p))
	    spread_phi (p.phi ());
	  for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	       gsi_next (&g))
	    if (!is_gimple_debug (gsi_stmt (g)))
	      spread_stmt (gsi_stmt (g));
	}
      if (!changed)
	break;
    }
  XDELETEVEC (order);
}

flow::flow (function *f, unsigned l)
  : fn (f), level (l), outlined (is_outlined (f->decl)),
    number (SSANAMES (f)->length (), 0u),
    chosen (last_basic_block_for_fn (f), 0u), asks (false),
    points (SSANAMES (f)->length (), -1), changed (false)
{
  basic_block b;
  FOR_EACH_BB_FN (b, fn)
    {
      for (gphi_iterator p = gsi_start_phis (b); !gsi_end_p (p); gsi_next (&p))
	{
	  tree res = gimple_phi_result (p.phi ());
	  if (!virtual_operand_p (res) && POINTER_TYPE_P (TREE_TYPE (res)))
	    for (unsigned i = 0; i < gimple_phi_num_args (p.phi ()); i++)
	      {
		tree a = gimple_phi_arg_def (p.phi (), i);
		if (TREE_CODE (a) == SSA_NAME || TREE_CODE (a) == ADDR_EXPR)
		  unify (leads_to (res), leads_to (a));
	      }
	}
      for (gimple_stmt_iterator g = gsi_start_bb (b); !gsi_end_p (g);
	   gsi_next (&g))
	{
	  gimple *s = gsi_stmt (g);
	  if (is_gimple_debug (s))
	    continue;
	  constrain (s);
	  tree fd = is_gimple_call (s) ? gimple_call_fndecl (s) : NULL_TREE;
	  if (fd)
	    {
	      const amp_known *k = amp_known_function (fd);
	      const returned *r = k ? NULL : returned_by (fd, level + 1);
	      asks |= ((k && k->kind == AMP_IDENTITY)
		       || (r && (r->number | r->noted)));
	    }
	}
    }
  /* Parameters in memory.  */
  for (tree p = DECL_ARGUMENTS (fn->decl); p && !outlined; p = DECL_CHAIN (p))
    if (carries (p))
      {
	int c = class_of_base (p);
	some_deep (c);
	for (std::pair<hwi, int> &d : at (c).deep)
	  at (d.second).flags |= C_OPEN;
      }
    else if (POINTER_TYPE_P (TREE_TYPE (p)) && TREE_ADDRESSABLE (p))
      {
	memory_class &m = at (deep (class_of_base (p), 0));
	m.flags |= C_OPEN;
	m.parms |= parm_bit (p);
      }
  finish ();
}

} // namespace amp

#endif
