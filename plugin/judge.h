/* The loops that are judged, and what is found out about them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A candidate is begun by GOMP_loop_*_start with a chunk that no program has,
   which tells it apart.  What omp-expand makes of it are two nested loops: the
   outer one runs once a chunk, the inner one once an iteration; what is carried
   from an iteration to another is carried around the outer one.  */

enum rule { R_NONE, R_REGISTERS, R_MEMORY, R_IDENTITY, R_WAITS, R_BESIDE,
	    R_SUM, R_FORM, R_RULES };

/* How a value is made of the loop's iterator.  FEW: by a constant modulus.  */
enum { I_FINE = 1, I_DIV = 2, I_MOD = 4, I_END = 8, I_DATA = 16, I_FEW = 32 };

struct finding
{
  enum rule rule;
  location_t at, other;
  tree what;
  const char *how;
};

/* What is remembered of a judged loop.  */

struct verdict
{
  tree fndecl;
  gcall *start;
  int id;
  bool form, ull;
  finding found;
  /* Iterations of a thread must ascend.  */
  bool ascending;
  /* Adds up floating-point numbers; whole numbers by the thread's number, which
     other files may see.  Appends to vectors of the thread's.  */
  bool sums, counts, shown, appends;
  /* By name, see name_memory: what says if an iteration may read what it has
     not set; what iterations store to; what is summed up by number.  */
  std::set<std::string> asked, marked, summed;
  unsigned unknown_calls;
};

/* One candidate's code in one function.  */

class judged_loop : public verdict
{
public:
  judged_loop (flow &f, accesses &a, gcall *start,
	       const std::vector<gcall *> &nexts);
  flow &model;
  accesses &acc;
  /* The calls for another chunk.  */
  std::vector<gcall *> nexts;
  class loop *chunks;
  std::vector<basic_block> blocks;
  /* All of its function.  */
  const std::vector<judged_loop *> *all;
  /* By class: see used_uniformly.  */
  std::map<int, unsigned> uniformly;

  /* What it does depends on how many threads there are.  */
  bool by_team;

  bool in (basic_block b) const
  {
    return (b->loop_father == chunks
	    || flow_loop_nested_p (chunks, b->loop_father));
  }
  unsigned made_of_iterator (tree t) const
  {
    return (TREE_CODE (t) == SSA_NAME
	    ? iterator[SSA_NAME_VERSION (t)] : 0);
  }
  unsigned address_iterator (tree ref);
  /* True if what the loop leaves is written anew before A, behind it.  */
  bool killed_behind (const access &a);
  bool iterates (class loop *l);
  /* True if B is where an iteration, or a chunk, begins.  */
  bool begins (basic_block b)
  {
    class loop *l = b->loop_father;
    return l->header == b && (l == chunks || iterates (l));
  }
  /* True if B may run after the loop.  */
  bool runs_behind (basic_block b);
  bool ends_in (basic_block b);
  bool turns (class loop *l);
  /* Names of values that only one operation makes.  */
  std::set<tree> closed;
  /* What the iterator becomes behind the loop, once that is asked for.  */
  std::set<tree> finals;
  bool finals_known;
  /* Names of values that are such as were there before the loop.  */
  std::set<tree> kept;
  void fail (enum rule r, const char *how, gimple *s, tree what = NULL_TREE,
	     gimple *other = NULL);
  void may_be_unset ();
  void judge ();

private:
  std::vector<bool> killed, behind;
  std::vector<unsigned> iterator;
  std::map<int, unsigned> iterator_memory;
  unsigned makes_of_iterator (gimple *s);
  void find_iterator ();
  bool asks_team ();
};

/* The values that B sets in registers.  */

static std::vector<tree>
values_set_in (basic_block b)
{
  std::vector<tree> defs;
  for (gphi *p : phis (b))
    defs.push_back (gimple_phi_result (p));
  for (gimple *s : statements (b))
    {
      ssa_op_iter it;
      tree d;
      FOR_EACH_SSA_TREE_OPERAND (d, s, it, SSA_OP_DEF)
	defs.push_back (d);
    }
  return defs;
}

/* The variable or member that T is, or is a part of, or is loaded from, if the
   program has a name for it.  */

static tree
user_variable (tree t, int depth = 0)
{
  if (t && VAR_P (t) && DECL_HAS_DEBUG_EXPR_P (t))
    t = get_base_address (DECL_DEBUG_EXPR (t));
  if (!t || depth > 7)
    return NULL_TREE;
  if (DECL_P (t))
    return (DECL_NAME (t) && !DECL_ARTIFICIAL (t)
	    && !strchr (IDENTIFIER_POINTER (DECL_NAME (t)), '.')
	    ? t : NULL_TREE);
  if (is_name (t))
    {
      tree v = user_variable (SSA_NAME_VAR (t), depth + 1);
      gimple *s = set_by (t);
      if (gphi *p = dyn_cast <gphi *> (s))
	for (phi_value x : values_of (p))
	  v = v ? v : user_variable (x.value, depth + 3);
      else if (!v && (gimple_assign_load_p (s) || gimple_assign_copy_p (s)
		      || code_of (s) == ADDR_EXPR
		      || code_of (s) == POINTER_PLUS_EXPR
		      || CONVERT_EXPR_CODE_P (code_of (s))))
	v = user_variable (gimple_assign_rhs1 (s), depth + 1);
      return v;
    }
  if (TREE_CODE (t) == ADDR_EXPR)
    t = TREE_OPERAND (t, 0);
  tree member = NULL_TREE, at = t;
  for (; handled_component_p (at); at = TREE_OPERAND (at, 0))
    if (TREE_CODE (at) == COMPONENT_REF)
      member = TREE_OPERAND (at, 1);
  if (TREE_CODE (at) == MEM_REF)
    at = TREE_OPERAND (at, 0);
  else if (at == t && !DECL_P (at))
    return NULL_TREE;
  tree v = user_variable (at, depth + 1);
  return v ? v : user_variable (member, depth + 1);
}

/* Where the program has S, as far as that is known.  */

static location_t
place_of (gimple *s)
{
  gphi *p = s ? dyn_cast <gphi *> (s) : NULL;
  location_t at = s ? gimple_location (s) : UNKNOWN_LOCATION;
  for (unsigned i = 0; p && i < gimple_phi_num_args (p); i++)
    {
      if (LOCATION_LOCUS (at) == UNKNOWN_LOCATION)
	at = gimple_phi_arg_location (p, i);
      gimple *d = set_by (gimple_phi_arg_def (p, i));
      if (LOCATION_LOCUS (at) == UNKNOWN_LOCATION && d)
	at = gimple_location (d);
    }
  return at;
}

void
judged_loop::fail (enum rule r, const char *how, gimple *s, tree what,
		   gimple *other)
{
  if (found.rule != R_NONE)
    return;
  found.rule = r;
  found.how = how;
  found.at = place_of (s);
  if (LOCATION_LOCUS (found.at) == UNKNOWN_LOCATION && what)
    found.at = place_of (set_by (what));
  found.other = place_of (other);
  found.what = user_variable (what);
}

unsigned
judged_loop::address_iterator (tree ref)
{
  unsigned n = 0;
  for (tree t : indices (ref))
    n |= made_of_iterator (t);
  return n;
}

/* What S's result is made of.  */

unsigned
judged_loop::makes_of_iterator (gimple *s)
{
  unsigned n = 0;
  tree r = gimple_assign_load_p (s) ? gimple_assign_rhs1 (s) : NULL_TREE;
  if (gphi *p = dyn_cast <gphi *> (s))
    for (phi_value v : values_of (p))
      n |= made_of_iterator (v.value);
  else if (r && is_called (r, ".istart"))
    n = I_FINE;
  else if (r && is_called (r, ".iend"))
    n = I_END;
  else if (r)
    {
      int c = model.class_of (r);
      n = address_iterator (r) ? I_DATA : 0;
      if (model.flags (c) & C_OWN)
	n |= iterator_memory[model.find (c)];
    }
  else
    for (unsigned i = 1; i < gimple_num_ops (s); i++)
      if (tree op = gimple_op (s, i))
	n |= (TREE_CODE (op) == ADDR_EXPR
	      ? address_iterator (TREE_OPERAND (op, 0))
	      : made_of_iterator (op));
  switch (code_of (s))
    {
    case TRUNC_DIV_EXPR: case FLOOR_DIV_EXPR: case RSHIFT_EXPR:
    case CEIL_DIV_EXPR: case ROUND_DIV_EXPR:
      return n & ~I_DATA ? (unsigned) I_DIV : n;
    case TRUNC_MOD_EXPR: case FLOOR_MOD_EXPR: case BIT_AND_EXPR:
      return (!(n & ~I_DATA) ? n
	      : CONSTANT_CLASS_P (gimple_op (s, 2)) ? I_MOD | I_FEW : I_MOD);
    default:
      /* Each iteration finds another.  */
      return (is_gimple_call (s) && is_atomic (as_a <gcall *> (s))
	      ? n | I_DATA : n);
    }
}

/* What the values in the loop are made of.  */

void
judged_loop::find_iterator ()
{
  iterator.assign (SSANAMES (model.fn)->length (), 0u);
  for (bool changed = true; changed; )
    {
      changed = false;
      for (gimple *s : statements (blocks, true))
	{
	  tree lhs = result_of (s);
	  unsigned n = lhs ? makes_of_iterator (s) : 0;
	  if (!n || (!is_name (lhs)
		     && !(model.flags (model.class_of (lhs)) & C_OWN)))
	    continue;
	  unsigned &v = (is_name (lhs) ? iterator[SSA_NAME_VERSION (lhs)]
			 : iterator_memory[model.find (model.class_of (lhs))]);
	  changed |= (v | n) != v;
	  v |= n;
	}
    }
}

bool
judged_loop::asks_team ()
{
  bool found = false;
  for (kept_values *k : { &kept_team, &kept_numbers })
    {
      const std::set<tree> &told = k->in (model.fn);
      for (basic_block b : blocks)
	for (tree t : asked_at (b))
	  found |= told.count (t) != 0;
    }
  return found;
}

bool
judged_loop::runs_behind (basic_block b)
{
  if (behind.empty ())
    {
      behind.assign (last_basic_block_for_fn (model.fn), false);
      worklist<basic_block> todo;
      todo.add (gimple_bb (nexts[0]));
      for (basic_block now; todo.next (&now); )
	for (edge e : edges (now->succs))
	  if (!in (e->dest) && todo.add (e->dest))
	    behind[e->dest->index] = true;
    }
  return behind[b->index];
}

/* True if the program ends, in an iteration, on each way from B.  */

bool
judged_loop::ends_in (basic_block b)
{
  worklist<basic_block> todo;
  todo.add (b);
  while (todo.next (&b))
    {
      if (b->index < NUM_FIXED_BLOCKS || in (b) || runs_behind (b))
	return false;
      for (edge e : edges (b->succs))
	todo.add (e->dest);
    }
  return true;
}

bool
judged_loop::killed_behind (const access &a)
{
  /* So much work for all loops of a function.  */
  static function *of;
  static unsigned work;
  if (of != model.fn)
    work = 0;
  of = model.fn;
  if (killed.empty ())
    {
      killed.assign (acc.all.size (), false);
      work += model.order.size ();
      std::vector<basic_block> region;
      for (basic_block b : model.order)
	if (work < 100000 && runs_behind (b) && !in (b))
	  region.push_back (b);
      if (!region.empty ())
	{
	  std::vector<access> kept (acc.all);
	  acc.cover (region, region[0]);
	  killed.resize (acc.all.size ());
	  for (basic_block b : region)
	    for (access &a : acc.in (b))
	      killed[&a - &acc.all[0]] = a.covered;
	  for (access &a : acc.all)
	    a.covered = false;
	  std::copy (kept.begin (), kept.end (), acc.all.begin ());
	}
    }
  /* Not, if it has been found since.  */
  size_t at = &a - &acc.all[0];
  return at < killed.size () && killed[at];
}

/* True if L, in the loop over chunks, is the loop over iterations.  */

bool
judged_loop::iterates (class loop *l)
{
  for (basic_block b : blocks)
    {
      gcond *c = test_of (b);
      if (c && (b->loop_father == l || b->loop_father == chunks)
	  && ((made_of_iterator (gimple_cond_lhs (c))
	       | made_of_iterator (gimple_cond_rhs (c))) & I_END))
	for (edge e : edges (b->succs))
	  if (e->dest == l->header || b->loop_father == l)
	    return loop_outer (l) == chunks;
    }
  return false;
}

/* True if L, the loop over iterations, may come back to its head with the same
   iterator: then another loop has the same head.  */

bool
judged_loop::turns (class loop *l)
{
  for (gphi *p : phis (l->header))
    {
      tree res = gimple_phi_result (p);
      if (!(made_of_iterator (res) & I_FINE))
	continue;
      worklist<gphi *> todo;
      todo.add (p);
      while (todo.next (&p))
	for (phi_value v : values_of (p))
	  {
	    gimple *s = set_by (v.value);
	    if (v.value == res)
	      return true;
	    if (s && gimple_code (s) == GIMPLE_PHI && in (gimple_bb (s)))
	      todo.add (as_a <gphi *> (s));
	  }
    }
  return false;
}

/* Where the call S stores the beginning of a chunk.  */

static tree
start_variable (gimple *s)
{
  for (tree a : arguments (s))
    if (TREE_CODE (a) == ADDR_EXPR
	&& is_called (TREE_OPERAND (a, 0), ".istart"))
      return TREE_OPERAND (a, 0);
  return NULL_TREE;
}

/* The calls for further chunks in FN, by where they store their beginnings.  */

static std::map<tree, std::vector<gcall *> >
find_nexts (function *fn)
{
  std::map<tree, std::vector<gcall *> > nexts;
  for (gimple *s : statements (fn))
    if (calls (s, "GOMP_loop_", "_dynamic_next"))
      nexts[start_variable (s)].push_back (as_a <gcall *> (s));
  return nexts;
}

judged_loop::judged_loop (flow &f, accesses &a, gcall *s,
			  const std::vector<gcall *> &n)
  : verdict (), model (f), acc (a), nexts (n), chunks (NULL), all (NULL),
    finals_known (false)
{
  fndecl = f.fn->decl;
  start = s;
  ull = calls (s, "GOMP_loop_ull_", "_start");
  found.at = found.other = UNKNOWN_LOCATION;
  found.how = "";
  if (nexts.size () != 1)
    return;
  chunks = gimple_bb (nexts[0])->loop_father;
  form = (chunks && loop_depth (chunks) > 0
	  && dominated_by_p (CDI_DOMINATORS, chunks->header, gimple_bb (start))
	  && !in (gimple_bb (start)));
  if (!form)
    {
      chunks = NULL;
      return;
    }
  blocks = blocks_of (chunks);
  std::sort (blocks.begin (), blocks.end (), [&] (basic_block x, basic_block y)
	     { return f.rank[x->index] < f.rank[y->index]; });
  for (basic_block b : blocks)
    f.judged[b->index] = true;
  find_iterator ();
  by_team = asks_team ();
}

/* True if V, which LOOP stores where others may see it, leads to what is the
   thread's own beyond the iteration, or holds its number or a pointer to such:
   that tells whose iteration it was.  */

static bool
tells_whose (judged_loop &loop, tree v)
{
  flow &f = loop.model;
  if (!f.may_lead (v))
    return false;
  auto tells = [&] (memory_class &m)
    {
      bool kept = m.parms || m.allocs.empty () || (m.number & N_USER);
      for (gimple *s : m.allocs)
	kept |= !loop.in (gimple_bb (s));
      return (m.flags & C_TLS) || ((m.flags & C_OWN) && kept);
    };
  int c = f.leads_to (v);
  bool found = tells (f.at (c));
  if (f.flags (c) & C_OWN)
    for (int d : f.below (c))
      found |= tells (f.at (d));
  return found;
}

/* True if call C, in LOOP, which does what SUM says, stores its argument I
   where others may see it, or compares it there.  */

static bool
call_stores (judged_loop &loop, gcall *c, unsigned i, const summary *sum)
{
  flow &f = loop.model;
  /* Where the value is that it compares, not the value.  */
  bool at = !gimple_call_internal_p (c) && i == 1
	    && strstr (amp_name (callee (c)), "compare");
  if (is_atomic (c))
    return (i > 0 && !at && leads (gimple_call_arg (c, 0))
	    && !(f.flags (f.leads_to (gimple_call_arg (c, 0))) & C_OWN));
  bool stores = false;
  for (unsigned j = 0; sum && j < sum->stores.size ()
		       && j < gimple_call_num_args (c); j++)
    {
      int to = f.class_of_argument (gimple_call_arg (c, j));
      stores |= (to >= 0 && (sum->stores[j] & bit_of (i))
		 && !(f.flags (to) & C_OWN));
    }
  return stores;
}
