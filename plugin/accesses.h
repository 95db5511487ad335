/* What a function reads and writes, and what it has written before it reads.
   SPDX-License-Identifier: GPL-3.0-or-later

   A load is covered in a region if every way from the region's start to it
   writes the same bytes first.  Summaries say the same of functions that are
   called, for what their parameters lead to.  */

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
  /* Of calls: arguments that the address is made of, a bit each.  */
  unsigned made;
};

static function *body_of (tree fndecl, bool any = false);
static unsigned flags_of (tree fndecl);
static unsigned indirect_flags (tree type, unsigned n);
static unsigned handed_flags (gcall *s);

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
  /* B's; class C's.  */
  row<access> in (basic_block b)
  {
    return { all.data () + of_block[b->index].first,
	     all.data () + of_block[b->index].second };
  }
  std::vector<access *> of_class (int c);
  void cover (const std::vector<basic_block> &region, basic_block start);
  /* The same, and the effects of a whole function.  */
  void effects (summary &s);
  unsigned call_flags (gcall *s);
  /* True if A is in a loop that is divided, or a call that divides one.  */
  bool divided (const access &a)
  {
    gcall *c = dyn_cast <gcall *> (a.stmt);
    return (model.judged[a.bb->index]
	    || (c && (call_flags (c) & (F_DIVIDES | F_IDENTITY))));
  }
  /* More is made of the thread's number than when this was made.  */
  void number_again ();
  /* How many locks are held for sure before S.  */
  int locked_at (gimple *s);
  /* True if a lock may be held before S.  */
  bool may_hold (gimple *s);

private:
  std::map<int, std::vector<access *> > by_class;
  /* See flow, when that was made.  */
  unsigned merged;
  std::vector<int> locks;
  /* What the next call's accesses' addresses are made of.  */
  unsigned made;
  void may_use (gimple *s, int cls, place p, unsigned number, bool kept);
  int locks_behind (gimple *s, int n);
  bool is_caught (gcall *s);
  void find_locks ();
  void add (gimple *s, bool store, bool must, int cls, tree ref, place p,
	    unsigned number);
  void read_block (basic_block b);
  void read_statement (gimple *s);
  void read_call (gcall *s);
  void argument (gcall *s, unsigned i, bool load, bool store, bool must,
		 hwi size);
  void known_argument (gcall *s, unsigned i, const amp_known &k, bool store);
  void hand (gimple *s, int c, place p, unsigned number, bool kept,
	     bool deep_kept);
  void unknown_call (gcall *s);
  void apply (gcall *s, const effect &e);
  void find_adds ();
  friend class covering;
};

std::vector<access *>
accesses::of_class (int c)
{
  if (by_class.empty () || merged != model.merged)
    {
      by_class.clear ();
      merged = model.merged;
      for (access &a : all)
	by_class[model.find (a.cls)].push_back (&a);
    }
  return by_class[model.find (c)];
}

/* True if A loads a pointer that the thread's number selects: what is done by
   that is looked at.  */

static bool
leads_on (flow &f, const access &a)
{
  tree lhs = (!a.store && gimple_assign_load_p (a.stmt)
	      ? gimple_assign_lhs (a.stmt) : NULL_TREE);
  return (is_name (lhs) && POINTER_TYPE_P (TREE_TYPE (lhs))
	  && f.number_of (lhs));
}

void
accesses::add (gimple *s, bool store, bool must, int cls, tree ref, place p,
	       unsigned number)
{
  cls = model.find (cls);
  unsigned f = model.flags (cls);
  if (!(f & (C_OWN | C_TLS | C_OPEN)) && !number && !store)
    return;
  access a = { s, gimple_bb (s), store, must, false, ERROR_MARK, cls, ref, p,
	       number, locks[gimple_bb (s)->index] > 0, false, false, p.base,
	       made };
  all.push_back (a);
}

/* Argument I of S leads to memory that is loaded or stored.  SIZE: so many
   bytes, -1: all that is there.  */

void
accesses::argument (gcall *s, unsigned i, bool load, bool store, bool must,
		    hwi size)
{
  tree a = gimple_call_arg (s, i);
  if (!leads (a))
    return;
  place p = pointer_place (a);
  unsigned number = model.number_of (a);
  p.size = size;
  made = bit_of (i);
  int c = model.leads_to (a);
  if (load)
    add (s, false, true, c, NULL_TREE, p, number);
  if (store)
    add (s, true, must, c, NULL_TREE, p, number);
}

void
accesses::number_again ()
{
  all.clear ();
  by_class.clear ();
  for (basic_block b : blocks_of (model.fn))
    read_block (b);
  find_adds ();
}

/* S may load what is in class C, from P on, and store there unless it is
   KEPT.  */

void
accesses::may_use (gimple *s, int c, place p, unsigned number, bool kept)
{
  add (s, false, false, c, NULL_TREE, p, number);
  if (!kept)
    add (s, true, false, c, NULL_TREE, anywhere, number);
}

/* Where class C is: one variable, as a whole, or anywhere in it.  */

static place
whole (flow &f, int c)
{
  memory_class &m = f.at (c);
  hwi size = -1;
  if ((m.flags & (C_STATE | C_HEAP)) == C_OWN && m.variables.size () == 1
      && m.allocs.empty () && !m.parms)
    size = bytes (DECL_SIZE_UNIT (m.variables[0]));
  if (size < 0)
    return anywhere;
  place p = { m.variables[0], 0, size, true, 0 };
  return p;
}

/* The same of what is below, too, unless DEEP_KEPT.  */

void
accesses::hand (gimple *s, int c, place p, unsigned number, bool kept,
		bool deep_kept)
{
  may_use (s, c, p, number, kept);
  made = 0;
  for (int d : model.below (c))
    may_use (s, d, whole (model, d), 0, deep_kept);
}

/* True if const objects of TYPE may change: C++'s mutable, which the front end
   notes in the fields.  */

static bool
has_mutable (tree type)
{
  if (!RECORD_OR_UNION_TYPE_P (type) || !lang_GNU_CXX ())
    return false;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL
	&& (DECL_LANG_FLAG_0 (f)
	    || has_mutable (strip_array_types (TREE_TYPE (f)))))
      return true;
  return false;
}

/* S may do anything to what it gets.  */

void
accesses::unknown_call (gcall *s)
{
  int flags = gimple_call_flags (s);
  if (flags & ECF_CONST)
    return;
  if (tree chain = gimple_call_chain (s))
    hand (s, model.leads_to (chain), anywhere, 0, false, false);
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i), t = formal_of (s, i);
      made = bit_of (i);
      if (model.carries (a))
	for (int d : model.below (model.class_of (a)))
	  may_use (s, d, anywhere, 0, flags & ECF_PURE);
      if (!leads (a) || FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a))))
	continue;
      int f = gimple_call_arg_flags (s, i);
#if BUILDING_GCC_MAJOR >= 12
      bool kept = (f & EAF_NO_DIRECT_CLOBBER) != 0;
      bool deep_kept = (f & EAF_NO_INDIRECT_CLOBBER) != 0;
#else
      bool kept = (f & EAF_NOCLOBBER) != 0;
      bool deep_kept = kept && (f & EAF_DIRECT);
#endif
      if (flags & ECF_PURE)
	kept = deep_kept = true;
      /* Not where anything may be called: functions take their closure by
	 pointers to const.  */
      if (gimple_call_fndecl (s) && t && TYPE_READONLY (TREE_TYPE (t))
	  && !has_mutable (TREE_TYPE (t)))
	kept = true;
      int c = model.leads_to (a);
      unsigned number = model.number_of (a);
      memory_class &m = model.at (c);
      bool data = m.decl && is_called (m.decl, ".omp_data_o");
      /* Of a variable it can see no more than that.  */
      place p = pointer_place (a);
      p.offset = 0;
      p.size = (p.known && DECL_P (p.base) ? bytes (DECL_SIZE_UNIT (p.base))
		: -1);
      if (!data)
	hand (s, c, p.size < 0 ? anywhere : p, number, kept, deep_kept);
      else
	for (int d : model.below (c))
	  hand (s, d, anywhere, 0, deep_kept, deep_kept);
    }
}

/* S has effect E.  */

void
accesses::apply (gcall *s, const effect &e)
{
  tree a = (e.parm == CHAIN ? gimple_call_chain (s)
	    : e.parm < gimple_call_num_args (s) ? gimple_call_arg (s, e.parm)
	    : NULL_TREE);
  if (!a)
    return;
  if (model.class_of_argument (a) < 0)
    return;
  unsigned before = all.size ();
  unsigned number = model.number_of (a);
  made = e.made;
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
    for (int d : model.below (model.class_of_argument (a)))
      add (s, e.store, false, d, NULL_TREE, anywhere, 0);
  for (; before < all.size (); before++)
    {
      all[before].adds = e.adds;
      all[before].op = e.op;
      all[before].locked = e.locked;
    }
}

void
accesses::read_call (gcall *s)
{
  tree fd = gimple_call_fndecl (s);
  /* With the address of a nested function goes the frame around it.  */
  for (tree a : names_used (s))
    if (model.owns (a) && FUNC_OR_METHOD_TYPE_P (TREE_TYPE (TREE_TYPE (a))))
      hand (s, model.leads_to (a), anywhere, 0, false, false);
  if (is_ours (fd))
    {
      /* Another construct, which gets what it shares.  */
      if (is_construct (s))
	unknown_call (s);
      return;
    }
  const amp_known *k = amp_known_function (fd);
  if (is_atomic (s) && gimple_call_num_args (s) > 0)
    {
      unsigned from = all.size ();
      for (unsigned i = 0; i < gimple_call_num_args (s); i++)
	argument (s, i, true, true, false, -1);
      for (; from < all.size (); from++)
	{
	  all[from].atomic = true;
	  all[from].op = atomic_operation (s);
	  all[from].adds = (all[from].op != ERROR_MARK
			    && !gimple_call_lhs (s));
	}
      return;
    }
  if (gimple_call_internal_p (s))
    {
      if (gimple_call_internal_p (s, IFN_VA_ARG))
	argument (s, 0, true, true, false, -1);
      return;
    }
  if (!k)
    {
      const summary *sum = model.summary_of_call (s);
      if (!sum)
	unknown_call (s);
      else
	/* It loads what it has not written before, then it stores.  */
	for (int stores = 0; stores < 2; stores++)
	  for (const effect &e : sum->effects)
	    if (e.store == (stores != 0))
	      apply (s, e);
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
  unsigned bit = bit_of (i);
  hwi size = -1;
  tree a = gimple_call_arg (s, i);
  bool copies = k.kind == AMP_COPY || calls (s, "memset");
  if (copies && gimple_call_num_args (s) >= 3)
    size = bytes (gimple_call_arg (s, 2));
  else if (POINTER_TYPE_P (TREE_TYPE (a)) && (k.fills & bit))
    {
      /* Of the object that the function fills, not of the caller's array.  */
      tree f = formal_of (s, i);
      size = f ? bytes (TYPE_SIZE_UNIT (TREE_TYPE (f))) : -1;
      size = size > 1 ? size : -1;
    }
  /* How many bytes of memory are read; of a text no more than were
     written.  */
  hwi read = size;
  for (const char *n : { "memcpy", "memmove", "memcmp", "fwrite", "qsort" })
    if (size < 0 && calls (s, n))
      read = -2;
  bool sure = (!strstr (amp_name (callee (s)), "sscanf")
	       && (!calls (s, "snprintf")
		   || (CONSTANT_CLASS_P (gimple_call_arg (s, 1))
		       && !integer_zerop (gimple_call_arg (s, 1)))));
  if (!store && (k.reads & bit))
    argument (s, i, true, false, false, read);
  if (store && (k.keeps & bit))
    argument (s, i, true, true, false, MIN (read, -1));
  if (store && (k.fills & bit))
    argument (s, i, false, true, sure && (size >= 0 || !copies), size);
  /* A text has a first character.  */
  if (store && sure && i == 0
      && (calls (s, "sprintf") || calls (s, "snprintf")))
    argument (s, i, false, true, true, 1);
}

/* What S itself loads, or STORES.  */

static std::vector<tree>
operands_of (gimple *s, bool stores)
{
  auto note = [] (gimple *, tree, tree op, void *data)
    {
      ((std::vector<tree> *) data)->push_back (op);
      return false;
    };
  std::vector<tree> refs;
  walk_stmt_load_store_ops (s, &refs, stores ? NULL : +note,
			    stores ? +note : NULL);
  return refs;
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
  if (gimple_clobber_p (s))
    return;
  made = 0;
  if (gasm *a = dyn_cast <gasm *> (s))
    for (unsigned i = 0; i < gimple_asm_ninputs (a); i++)
      {
	tree t = TREE_VALUE (gimple_asm_input_op (a, i));
	if (gimple_vdef (s) && is_gimple_val (t) && leads (t))
	  hand (s, model.leads_to (t), pointer_place (t), model.number_of (t),
		false, false);
      }
  gcall *call = dyn_cast <gcall *> (s);
  for (int stores = 0; stores < 2; stores++)
    {
      if (stores && call)
	read_call (call);
      for (tree ref : operands_of (s, stores))
	{
	  tree base = get_base_address (ref);
	  if (base && !CONSTANT_CLASS_P (base) && TREE_CODE (base) != CONST_DECL
	      && !is_called (base, ".istart") && !is_called (base, ".iend"))
	    add (s, stores, !is_part_of_byte (ref), model.class_of (ref), ref,
		 place_of (ref), model.address_number (ref));
	}
    }
}

/* True if what call S throws, or longjmp in it, comes back to the function.  */

bool
accesses::is_caught (gcall *s)
{
  for (edge e : edges (gimple_bb (s)->succs))
    if ((e->flags & (EDGE_EH | EDGE_ABNORMAL))
	&& e->dest->index >= NUM_FIXED_BLOCKS && model.returns[e->dest->index])
      return true;
  return false;
}

/* What call S does besides memory.  */

unsigned
accesses::call_flags (gcall *s)
{
  tree fd = gimple_call_fndecl (s);
  if (gimple_call_internal_p (s))
    return 0;
  if (!fd)
    return F_UNKNOWN | indirect_flags (gimple_call_return_type (s),
				       gimple_call_num_args (s));
  if (const amp_known *k = amp_known_function (fd))
    switch (k->kind)
      {
      case AMP_IDENTITY:
	if (gimple_location (s) == UNKNOWN_LOCATION)
	  return F_ASKS | F_DIVIDES;
	return is_hint (s) ? 0 : F_ASKS | F_TEAM;
      case AMP_TEAM:
	return gimple_location (s) == UNKNOWN_LOCATION ? 0 : F_TEAM;
      case AMP_STATE:
	return F_TLS;
      case AMP_WAIT:
	return F_WAITS;
      case AMP_POLL:
	return F_POLLS;
      case AMP_LOCK:
	/* Another thread may be the one to unlock it.  */
	return F_LOCKS | (calls (s, "GOMP_", "") ? 0 : F_TEAM);
      case AMP_UNLOCK:
	return F_UNLOCKS;
      default:
	return (handed_flags (s)
		| (calls (s, "omp_in_parallel", "") ? F_TEAM : 0));
      }
  if (is_ours (fd))
    {
      /* The code of a construct, such as a task, is run meanwhile.  */
      const summary *sum = summary_of_construct (s, model.level);
      return ((sum ? sum->flags & (F_WAITS | F_TLS) : 0)
	      | (calls (s, "GOMP_loop_", "") ? F_DIVIDES : 0)
	      | (is_construct (s) ? F_TEAM : 0)
	      | (construct_asks (sum) ? F_IDENTITY : 0));
    }
  if (const summary *sum = model.summary_of_call (s))
    return sum->flags | (is_caught (s) ? sum->thrown : 0);
  /* A function that too many others call on the way from the loop.  */
  if (body_of (fd))
    return F_UNKNOWN | F_TLS;
  if (!DECL_WEAK (fd) && body_of (fd, true))
    return F_UNKNOWN | flags_of (fd);
  return handed_flags (s) | (gimple_call_flags (s) & (ECF_CONST | ECF_PURE)
			     || DECL_BUILT_IN_CLASS (fd) != NOT_BUILT_IN
			     ? 0 : F_UNKNOWN);
}

accesses::accesses (flow &f)
  : model (f), of_block (last_basic_block_for_fn (f.fn)),
    block_flags (last_basic_block_for_fn (f.fn), 0u), merged (0),
    locks (last_basic_block_for_fn (f.fn), 0), made (0)
{
  for (gimple *s : statements (f.fn))
    if (gcall *c = dyn_cast <gcall *> (s))
      block_flags[gimple_bb (s)->index] |= call_flags (c);
  find_locks ();
  number_again ();
}

void
accesses::read_block (basic_block b)
{
  of_block[b->index].first = all.size ();
  int held = locks[b->index];
  for (gimple *s : statements (b))
    {
      unsigned from = all.size ();
      read_statement (s);
      held = locks_behind (s, held);
      for (; from < all.size (); from++)
	all[from].locked |= held > 0;
    }
  of_block[b->index].second = all.size ();
}
