/* What a function's pointers lead to, and what is made of the thread's number.
   SPDX-License-Identifier: GPL-3.0-or-later

   Memory falls into classes (Steensgaard): two pointers that may be equal lead
   to one class.  A class is the thread's own, shared, or of unknown ownership
   (what a caller or another file hands over).  Values of a class's memory that
   are pointers lead to its deep classes, one for each constant offset.  */

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
  C_VARIABLE = 64,
  /* A caller's, who reads it; what iterations of another function's loop
     left.  */
  C_READ = 256, C_LEFT = 512,
  /* Of memory without a value C_OWN alone.  */
  C_STATE = C_SHARED | C_OWN | C_OPEN | C_TLS | C_VALUE | C_READ | C_LEFT
};

/* Of values: made of the thread's number by the program, by the compiler for a
   static loop, left by a worksharing loop; found by one thread after another,
   such as a ticket; found by number in a function that is summed up.  */
enum { N_USER = 1, N_MADE = 2, N_LEFT = 4, N_TICKET = 8, N_PICKED = 16 };

struct memory_class
{
  int parent;
  unsigned flags;
  /* Parameters, a bit each, that lead here directly.  */
  unsigned parms;
  /* What its values are made of, see N_*.  */
  unsigned number;
  tree decl;
  /* All that allocate it; all variables that it is.  */
  std::vector<gimple *> allocs;
  std::vector<tree> variables;
  std::vector<std::pair<hwi, int> > deep;
};

static inline bool
is_outlined (tree fndecl)
{
  return strstr (amp_name (fndecl), "_omp_fn.") != NULL;
}

static inline bool
is_ours (tree call_decl)
{
  return begins_with (amp_name (call_decl), "GOMP_");
}

/* The model of one function.  */

class flow
{
public:
  explicit flow (function *f, unsigned level);
  function *fn;
  unsigned level;
  bool outlined, summed;
  /* Its blocks, see in_order, and where each stands there, by index.  */
  std::vector<basic_block> order;
  std::vector<unsigned> rank;
  /* Blocks that a way leads from to its end, by index.  */
  std::vector<bool> returns;
  /* Blocks of loops that are judged, by index.  */
  std::vector<bool> judged;
  /* How often classes have become one.  */
  unsigned merged;
  /* Made of the thread's number, by SSA version.  */
  std::vector<unsigned> number;
  /* Blocks that threads of some numbers alone run, by index.  */
  std::vector<unsigned> chosen;
  bool asks;

  int find (int c);
  bool same (int c, int d)
  {
    return find (c) == find (d);
  }
  int unify (int a, int b);
  int leads_to (tree pointer);
  int class_of_base (tree base);
  int class_of (tree ref);
  /* What parameter P leads to; P itself if it is an object that holds pointers;
     -1 if neither.  */
  int class_of_parm (tree p);
  unsigned parm_bit (tree parm);
  int deep (int c, hwi offset);
  memory_class &at (int c)
  {
    return classes[find (c)];
  }
  unsigned flags (int c)
  {
    return at (c).flags;
  }
  /* All classes that pointers in C lead to, at any depth, without C.  */
  std::vector<int> below (int c);
  bool right_below (int c, int d);
  bool is_flat (int c);
  unsigned number_of (tree t)
  {
    return TREE_CODE (t) == SSA_NAME ? number[SSA_NAME_VERSION (t)] : 0;
  }
  unsigned address_number (tree ref);
  unsigned parts_number (tree op);
  unsigned own_number (int c);
  unsigned owner_told (tree x, tree y);
  /* The same if T is looked at as a number: the address of a thread-local
     variable is another for each thread.  */
  unsigned told_by (tree t)
  {
    return (number_of (t)
	    | (may_lead (t) && (flags (leads_to (t)) & C_TLS) ? N_USER : 0));
  }
  /* What argument A leads to; A itself if it is an object that holds pointers;
     -1 if neither.  */
  int class_of_argument (tree a)
  {
    return (carries (a) ? class_of (a)
	    : leads (a) ? leads_to (a) : -1);
  }
  /* True if T is an address, a pointer, or a number that one was made.  */
  bool may_lead (tree t)
  {
    return (TREE_CODE (t) == ADDR_EXPR
	    || (is_name (t) && (POINTER_TYPE_P (TREE_TYPE (t))
				|| points[SSA_NAME_VERSION (t)] >= 0)));
  }
  /* True if T is a pointer to memory of the thread's own.  */
  bool owns (tree t)
  {
    return leads (t) && (flags (leads_to (t)) & C_OWN);
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
       read it, too; see C_LEFT.  */
    bool own, own_below, read, left;
  };
  void hand_over (unsigned parm, const handed &h);
  void hand_together (unsigned parm, unsigned other);
  /* Values that worksharing loops leave are made of those.  */
  void leave (tree lhs, unsigned what);
  /* S, outside of these, reads what they left in class C.  */
  void leave_memory (gimple *s, int c);
  void spread ();
  unsigned asked_by (gimple *s);
  std::vector<memory_class> classes;
  /* What S's callee does; NULL if its body is not here.  */
  /* Of further arguments, which va_arg finds, nothing is known.  */
  const summary *summary_of_call (gimple *s)
  {
    tree fd = callee (s);
    const summary *r = fd ? summary_of (fd, level + 1) : NULL;
    unsigned known = (r && stdarg_p (TREE_TYPE (fd))
		      ? list_length (TYPE_ARG_TYPES (TREE_TYPE (fd))) : -1u);
    for (unsigned i = known; i < gimple_call_num_args (s); i++)
      if (class_of_argument (gimple_call_arg (s, i)) >= 0)
	return NULL;
    return r;
  }

  /* Where the function mentions DECL, but on ways on which it never returns;
     true: where DECL's scope ends.  */
  typedef std::vector<std::pair<basic_block, bool> > mentions;
  const mentions &mentions_of (tree decl);
  bool runs_again (gimple *s, int c);

private:
  std::map<tree, mentions> mentioned;
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
  void constrain_known (gcall *s, const amp_known &k);
  void constrain_summed (gcall *s, const summary &r);
  void constrain_atomic (gcall *s);
  void constrain_internal (gcall *s);
  void constrain_unknown (gcall *s);
  void constrain_call (gcall *s);
  void keep (tree pointer);
  void find_origins (int c, tree number);
  void assign_value (int c, hwi offset, tree value);
  void share_single ();
  void finish ();
  void mark (tree name, unsigned what);
  void mark_memory (int c, unsigned what);
  void mark_arguments (gcall *s, unsigned which, unsigned what);
  void spread_construct (gcall *s, unsigned in);
  void spread_call (gcall *s, unsigned in);
  void set (gimple *s, tree lhs, unsigned what, unsigned in);
  void spread_stmt (gimple *s);
  void spread_phi (gphi *p);
  bool holds_pointers (tree type, int depth = 0);
};

int
flow::fresh (unsigned flags, gimple *alloc, tree decl)
{
  memory_class c = { (int) classes.size (), flags, 0, 0, decl,
		     std::vector<gimple *> (), std::vector<tree> (),
		     std::vector<std::pair<hwi, int> > () };
  if (alloc)
    c.allocs.push_back (alloc);
  if (flags & C_VARIABLE)
    c.variables.push_back (decl);
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
  worklist<std::pair<int, int> > todo;
  todo.add (std::make_pair (a, b));
  for (std::pair<int, int> now; todo.next (&now); )
    {
      int x = find (now.first), y = find (now.second);
      if (x == y)
	continue;
      memory_class &to = classes[x], &from = classes[y];
      from.parent = x;
      merged++;
      if ((from.flags & C_VARIABLE) && !(to.flags & C_VARIABLE))
	to.decl = from.decl;
      to.flags |= from.flags;
      to.parms |= from.parms;
      to.number |= from.number;
      if (!to.decl)
	to.decl = from.decl;
      to.allocs.insert (to.allocs.end (), from.allocs.begin (),
			from.allocs.end ());
      to.variables.insert (to.variables.end (), from.variables.begin (),
			   from.variables.end ());
      std::vector<std::pair<hwi, int> > d;
      d.swap (from.deep);
      d.insert (d.begin (), to.deep.begin (), to.deep.end ());
      to.deep.clear ();
      bool any = false;
      for (std::pair<hwi, int> &p : d)
	any |= p.first == ANY;
      /* One for each offset; one for all if one is, or there are too many.  */
      std::map<hwi, int> first;
      for (std::pair<hwi, int> &p : d)
	{
	  hwi offset = any || d.size () > 32 ? ANY : p.first;
	  if (!first.insert (std::make_pair (offset, p.second)).second)
	    todo.add (std::make_pair (first[offset], p.second));
	  else
	    to.deep.push_back (std::make_pair (offset, p.second));
	}
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
      return bit_of (n);
  return 0;
}

/* True if BASE is a thread-local variable that counts as the function's.  */
static bool is_scratch (tree base);

int
flow::class_of_base (tree base)
{
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF)
    return leads_to (TREE_OPERAND (base, 0));
  if (!DECL_P (base))
    return fresh (C_SHARED);
  std::map<tree, int>::iterator i = decls.find (base);
  if (i != decls.end ())
    return find (i->second);
  unsigned f = C_SHARED;
  if (is_scratch (base))
    f = C_OWN;
  else if (VAR_P (base) && DECL_THREAD_LOCAL_P (base))
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
    return (holds_pointers (TREE_TYPE (type), depth)
	    /* Room for anything.  */
	    || TYPE_MAIN_VARIANT (TREE_TYPE (type)) == unsigned_char_type_node);
  if (!RECORD_OR_UNION_TYPE_P (type))
    return INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) >= POINTER_SIZE;
  if (depth > 4)
    return true;
  for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
    if (TREE_CODE (f) == FIELD_DECL
	&& holds_pointers (TREE_TYPE (f), depth + 1))
      return true;
  return false;
}

/* What lies behind shared or unknown memory, or a thread-local pointer, is so,
   too.  */

void
flow::finish ()
{
  bool again = true;
  while (again)
    {
      again = false;
      for (memory_class &c : classes)
	if (&c == &at (c.parent))
	  for (std::pair<hwi, int> &p : c.deep)
	    {
	      bool parm = ((c.flags & C_VARIABLE) && c.decl
			   && TREE_CODE (c.decl) == PARM_DECL);
	      unsigned add = ((c.flags & C_OPEN) || parm ? C_OPEN
			      : c.flags & C_SHARED ? C_SHARED : 0);
	      memory_class &d = at (p.second);
	      /* Its own memory each thread has filled as it pleased.  */
	      bool own = (d.flags & C_OWN) != 0;
	      if ((c.flags & C_TLS) && !(own ? d.number & N_USER
					 : d.flags & C_TLS))
		{
		  if (own)
		    d.number |= N_USER;
		  else
		    d.flags |= C_TLS | C_VALUE;
		  again = true;
		}
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
  worklist<int> todo;
  std::vector<int> out;
  int x = find (c);
  do
    for (std::pair<hwi, int> &p : classes[x].deep)
      if (todo.add (find (p.second)))
	out.push_back (find (p.second));
  while (out.size () <= 64 && todo.next (&x));
  /* Too many to tell apart.  */
  if (out.size () > 64)
    {
      for (int b : out)
	unify (out[0], b);
      return below (c);
    }
  return out;
}

flow::flow (function *f, unsigned l)
  : fn (f), level (l), outlined (is_outlined (f->decl)),
    summed (false), order (in_order (f)),
    rank (last_basic_block_for_fn (f), 0u), returns (returning (f, order)),
    judged (last_basic_block_for_fn (f), false), merged (0),
    number (SSANAMES (f)->length (), 0u),
    chosen (last_basic_block_for_fn (f), 0u), asks (false),
    points (SSANAMES (f)->length (), -1), changed (false)
{
  for (unsigned i = 0; i < order.size (); i++)
    rank[order[i]->index] = i;
  for (gimple *s : statements (fn, true))
    {
      constrain (s);
      const amp_known *k = amp_known_function (callee (s));
      const summary *r = k ? NULL : summary_of_call (s);
      bool cond = gimple_code (s) == GIMPLE_COND;
      tree_code code = cond ? gimple_cond_code (s) : code_of (s);
      tree x = (code == EQ_EXPR || code == NE_EXPR
		? gimple_op (s, !cond) : NULL_TREE);
      asks |= ((x && may_lead (x))
	       || (k && k->kind == AMP_IDENTITY && !is_hint (s))
	       || (r && (r->number | r->noted | r->tickets | r->held))
	       || construct_asks (summary_of_construct (s, l))
	       || (gimple_assign_load_p (s)
		   && (flags (class_of (gimple_assign_rhs1 (s))) & C_TLS)));
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
  tree chain = fn->static_chain_decl;
  if (tree name = chain ? ssa_default_def (fn, chain) : NULL_TREE)
    at (leads_to (name)).flags |= C_OPEN;
  finish ();
  share_single ();
  finish ();
  for (memory_class &c : classes)
    asks |= (c.flags & C_TLS) != 0;
}
