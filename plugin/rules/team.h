/* SPDX-License-Identifier: GPL-3.0-or-later

   What is made of how many threads there are, or of their numbers, and kept in
   memory that all share.

   With one thread an iteration such values are others: that a program is right
   then says nothing of what a loop does by them.  Memory is known by what the
   program calls it: a variable, a structure's field, a region's shared
   variable.  An object of C++'s library is one such place, and a call of the
   library's puts what it gets into what it may store to.  */

/* The function of the source that FNDECL is made of.  */

static std::string
family (tree fndecl)
{
  std::string s = amp_name (fndecl);
  return s.substr (0, s.find ("._omp_fn."));
}

/* The function that S calls, as it is defined: it may have other names.  */

static tree
defined_callee (gimple *s)
{
  tree fd = callee (s);
  cgraph_node *node = fd ? cgraph_node::get (fd) : NULL;
  return node ? node->ultimate_alias_target ()->decl : fd;
}

static std::string key_of (function *fn, tree ref, bool named = false);
static bool is_library (tree fndecl);
static bool is_plain (tree type);
static bool is_handed_on (tree d);

/* True if S calls a function of the library.  */

static bool
is_of_library (gimple *s)
{
  gcall *c = dyn_cast <gcall *> (s);
  return c && ((callee (c) && is_library (defined_callee (c)))
	       || is_atomic (c));
}

/* What A, an argument, leads to.  */

static tree
led_to (tree a)
{
  if (code_of (set_by (a)) == ADDR_EXPR)
    a = gimple_assign_rhs1 (set_by (a));
  return TREE_CODE (a) == ADDR_EXPR ? TREE_OPERAND (a, 0) : a;
}

class kept_values
{
public:
  explicit kept_values (enum amp_known_kind k)
    : kind (k), of (NULL)
  {}
  /* Look at the whole file.  */
  void find ();
  /* FN's values of the kind.  */
  const std::set<tree> &in (function *fn);
  bool empty () const { return keys.empty (); }
  /* True if memory that REF, in FN, names keeps such values.  */
  bool keeps (function *fn, tree ref)
  {
    return keys.count (key_of (fn, ref)) || keys.count (key_of (NULL, ref));
  }

private:
  enum amp_known_kind kind;
  std::set<std::string> keys;
  /* The last function asked for.  */
  function *of;
  std::set<tree> values;
  tree told (gimple *s);
  void add (function *fn, tree ref)
  {
    for (const std::string &key : { key_of (fn, ref), key_of (NULL, ref) })
      if (!key.empty ())
	keys.insert (key);
  }
  bool leads (function *fn, gimple *s);
  /* Note that what S, a call in FN, may store to keeps such values.  */
  void add_all (function *fn, gimple *s)
  {
    tree type = gimple_call_fntype (s);
    bool method = type && TREE_CODE (type) == METHOD_TYPE;
    for (unsigned i = 0; i < gimple_call_num_args (s); i++)
      {
	tree t = (type ? formal_of (s, i) : TREE_TYPE (gimple_call_arg (s, i)));
	if (t && POINTER_TYPE_P (t) && !TYPE_READONLY (TREE_TYPE (t))
	    && (!method || i == 0 || TREE_CODE (t) == REFERENCE_TYPE))
	  add (fn, led_to (gimple_call_arg (s, i)));
      }
  }
  bool asked (basic_block b) const;
  bool chosen (basic_block b) const;
  bool marks (basic_block b, tree ref) const;
  void keep (function *fn);
  void keep (function *fn, gimple *s);
};

static kept_values kept_team (AMP_TEAM), kept_numbers (AMP_IDENTITY);

/* True if F is a part of an object of the library's, or all that a class has of
   another one.  */

static bool
is_part (tree f)
{
  return (!DECL_NAME (f)
	  || begins_with (IDENTIFIER_POINTER (DECL_NAME (f)), "_M_"));
}

/* True if T is a variable of one function.  */

static bool
is_local (tree t)
{
  return t && (TREE_CODE (t) == PARM_DECL || TREE_CODE (t) == RESULT_DECL
	       || (VAR_P (t) && !is_global_var (t)));
}

/* What REF, a reference in FN's code, a pointer to such, a parameter or a
   function, is known by; empty if by nothing.  A region's variables are known
   by the function of the source; and, FN is NULL, by the region, which may be
   begun by others.  NAMED: in all functions alike, where variables of one
   have no name, and regions' but their own.  */

static std::string
key_of (function *fn, tree ref, bool named)
{
  for (int n = 0; n < 16 && ref; n++)
    {
      while (handled_component_p (ref) && TREE_CODE (ref) != COMPONENT_REF)
	ref = TREE_OPERAND (ref, 0);
      if (TREE_CODE (ref) == COMPONENT_REF)
	{
	  tree f = TREE_OPERAND (ref, 1), t = TYPE_NAME (DECL_CONTEXT (f));
	  const char *of = t && DECL_P (t) && DECL_NAME (t)
			   ? IDENTIFIER_POINTER (DECL_NAME (t)) : "";
	  if (named && is_local (get_base_address (ref)))
	    return "";
	  if (is_part (f))
	    {
	      ref = TREE_OPERAND (ref, 0);
	      continue;
	    }
	  if (!begins_with (of, ".omp_data"))
	    return std::to_string (DECL_UID (f));
	  return (DECL_NAME (f) ? (named ? "" : fn ? family (fn->decl) : of)
				  + ":" + IDENTIFIER_POINTER (DECL_NAME (f))
		  : "");
	}
      if (DECL_P (ref))
	return named && is_local (ref) ? "" : std::to_string (DECL_UID (ref));
      if (TREE_CODE (ref) != MEM_REF && !is_name (ref))
	return "";
      tree base = is_name (ref) ? ref : TREE_OPERAND (ref, 0);
      gimple *s;
      while ((s = set_by (base)) && is_gimple_assign (s)
	     && !gimple_assign_load_p (s)
	     && POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (s))))
	base = gimple_assign_rhs1 (s);
      ref = (TREE_CODE (base) == ADDR_EXPR ? TREE_OPERAND (base, 0)
	     : s && gimple_assign_load_p (s) ? gimple_assign_rhs1 (s)
	     : s && is_of_library (s) && gimple_call_num_args (s)
	     ? led_to (gimple_call_arg (s, 0))
	     : is_name (base) && SSA_NAME_IS_DEFAULT_DEF (base)
	     ? SSA_NAME_VAR (base) : NULL_TREE);
    }
  return "";
}

/* Add to NAMES what the memory at REF, a reference or a pointer, is called: it,
   and the variable that it is a part of; "" if that is not known.  */

static void
name_memory (tree ref, std::set<std::string> &names)
{
  tree base = !ref || is_name (ref) ? NULL_TREE : get_base_address (ref);
  names.insert (key_of (NULL, ref, true));
  if (base && DECL_P (base))
    names.insert (key_of (NULL, base, true));
}

/* The same of a fraction that the thread's number selects, and what it may be
   met as elsewhere: what a pointer leads to may be all of its type that
   pointers may lead to.  Of two that share a name READ is true for one.  */

static void
name_fraction (tree ref, bool read, std::set<std::string> &names)
{
  name_memory (ref, names);
  if (!ref || (is_name (ref) && !POINTER_TYPE_P (TREE_TYPE (ref))))
    return;
  tree base = is_name (ref) ? NULL_TREE : get_base_address (ref);
  tree type = is_name (ref) ? TREE_TYPE (TREE_TYPE (ref)) : TREE_TYPE (ref);
  bool variable = base && DECL_P (base);
  if (!SCALAR_FLOAT_TYPE_P (type)
      || (variable && !TREE_PUBLIC (base)
	  && !(is_local (base) ? TREE_ADDRESSABLE (base)
	       : is_handed_on (base))))
    return;
  for (bool other : { false, true })
    if (!variable || other == read)
      names.insert ((other ? "@" : "*")
		    + std::string (GET_MODE_NAME (TYPE_MODE (type))));
}

/* The number of threads that S, a call, asks for.  */

tree
kept_values::told (gimple *s)
{
  unsigned i = (kind != AMP_TEAM ? 99 : calls (s, "GOMP_parallel", "") ? 2
		: calls (s, "omp_set_num_threads", "") ? 0 : 99);
  tree t = (is_gimple_call (s) && i < gimple_call_num_args (s)
	    ? gimple_call_arg (s, i) : NULL_TREE);
  while (CONVERT_EXPR_CODE_P (code_of (set_by (t)))
	 || code_of (set_by (t)) == SSA_NAME)
    t = gimple_assign_rhs1 (set_by (t));
  return is_name (t) ? t : NULL_TREE;
}

const std::set<tree> &
kept_values::in (function *fn)
{
  if (of == fn)
    return values;
  of = fn;
  values.clear ();
  worklist<tree> todo;
  for (tree p = DECL_ARGUMENTS (fn->decl); p; p = DECL_CHAIN (p))
    if (keeps (fn, p) && !POINTER_TYPE_P (TREE_TYPE (p))
	&& ssa_default_def (fn, p))
      todo.add (ssa_default_def (fn, p));
  for (gimple *s : statements (fn))
    {
      if (name_set_by (s)
	  && (is_gimple_call (s)
	      ? ((kind_of_call (s) == kind
		  && gimple_location (s) != UNKNOWN_LOCATION)
		 || (callee (s) && keeps (fn, defined_callee (s)))
		 || (is_of_library (s) && leads (fn, s)))
	      : (gimple_assign_load_p (s)
		 && keeps (fn, gimple_assign_rhs1 (s)))))
	todo.add (name_set_by (s));
      if (tree t = told (s))
	todo.add (t);
    }
  for (unsigned known = 0; known < todo.seen.size ();)
    {
      for (tree n; todo.next (&n); )
	for (gimple *s : uses (n))
	  if (name_set_by (s) && !gimple_assign_load_p (s)
	      && (!is_gimple_call (s) || is_of_library (s)
		  || !(callee (s) && body_of (callee (s)))))
	    todo.add (name_set_by (s));
      known = todo.seen.size ();
      values = todo.seen;
      /* What they choose; fractions count nothing.  */
      for (basic_block b : blocks_of (fn))
	if (!(b->loop_father && b->loop_father->header == b))
	  for (gphi *p : phis (b))
	    for (phi_value v : values_of (p))
	      if (differs (p)
		  && !SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_phi_result (p)))
		  && (asked (v.from->src) || chosen (v.from->src)))
		todo.add (gimple_phi_result (p));
    }
  return values;
}

/* True if S, a call in FN, gets what leads to such values.  */

bool
kept_values::leads (function *fn, gimple *s)
{
  for (tree a : arguments (s))
    if (POINTER_TYPE_P (TREE_TYPE (a)) && keeps (fn, led_to (a)))
      return true;
  return false;
}

/* True if B ends with a question for such values.  */

bool
kept_values::asked (basic_block b) const
{
  gcond *c = test_of (b);
  return c && (values.count (gimple_cond_lhs (c))
	       || values.count (gimple_cond_rhs (c)));
}

/* True if such a question decides if B is run.  */

bool
kept_values::chosen (basic_block b) const
{
  return single_pred_p (b) && asked (single_pred (b));
}

/* True if a constant that is stored in REF, in B, marks a place by such
   questions.  One variable marks nothing where the question is only whether a
   loop goes on.  */

bool
kept_values::marks (basic_block b, tree ref) const
{
  if (!chosen (b))
    return false;
  basic_block p = single_pred (b);
  if (!b->loop_father || p != b->loop_father->header)
    return true;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) != COMPONENT_REF)
      return true;
  return !DECL_P (ref);
}

/* Note what FN keeps.  */

void
kept_values::keep (function *fn)
{
  bool library = is_library (fn->decl);
  /* What a callee keeps where its parameter leads, or gets there; what a region
     gets by its address.  */
  for (gimple *s : statements (fn))
    {
      tree v = gimple_assign_single_p (s) ? gimple_assign_rhs1 (s) : NULL_TREE;
      if (v && POINTER_TYPE_P (TREE_TYPE (v)) && gimple_store_p (s)
	  && keeps (fn, led_to (v)))
	add (fn, gimple_assign_lhs (s));
      if (v && POINTER_TYPE_P (TREE_TYPE (v)) && gimple_store_p (s)
	  && begins_with (key_of (NULL, gimple_assign_lhs (s)).c_str (),
			  ".omp_data")
	  && keeps (fn, gimple_assign_lhs (s)))
	add (fn, led_to (v));
      tree p = callee (s) ? DECL_ARGUMENTS (defined_callee (s)) : NULL_TREE;
      for (unsigned i = 0; p && i < gimple_call_num_args (s);
	   i++, p = DECL_CHAIN (p))
	{
	  tree o = led_to (gimple_call_arg (s, i));
	  if (!is_of_library (s) && !is_name (o) && keeps (NULL, p))
	    add (fn, o);
	  if (!is_name (o) && keeps (fn, o)
	      && (INTEGRAL_TYPE_P (TREE_TYPE (o))
		  || (RECORD_OR_UNION_TYPE_P (TREE_TYPE (o))
		      && is_plain (TREE_TYPE (o)))))
	    add (NULL, p);
	}
      if (is_of_library (s) && !library && leads (fn, s))
	add_all (fn, s);
    }
  of = NULL;
  if (in (fn).empty ())
    return;
  for (gimple *s : statements (fn))
    if (!library || callee (s))
      keep (fn, s);
}

/* Note what S, in FN, keeps of its values.  */

void
kept_values::keep (function *fn, gimple *s)
{
  tree t = told (s);
  gimple *d = set_by (t);
  if (d && gimple_assign_load_p (d))
    add (fn, gimple_assign_rhs1 (d));
  else if (t && SSA_NAME_IS_DEFAULT_DEF (t) && SSA_NAME_VAR (t))
    add (fn, SSA_NAME_VAR (t));
  if (gimple_assign_single_p (s) && gimple_store_p (s))
    {
      /* A mark, here or at such a place, says where that is.  */
      tree v = gimple_assign_rhs1 (s);
      bool kept = (values.count (v)
		   || marks (gimple_bb (s), gimple_assign_lhs (s)));
      for (tree t : indices (gimple_assign_lhs (s)))
	kept |= values.count (t) != 0;
      if (values.count (v)
	  || (kept && TREE_CODE (v) == INTEGER_CST && !integer_zerop (v)))
	add (fn, gimple_assign_lhs (s));
    }
  else if (greturn *r = dyn_cast <greturn *> (s))
    {
      if (values.count (gimple_return_retval (r)))
	add (fn, fn->decl);
    }
  else if (is_gimple_call (s))
    {
      tree p = callee (s) ? DECL_ARGUMENTS (defined_callee (s)) : NULL_TREE;
      for (unsigned i = 0; i < gimple_call_num_args (s); i++)
	{
	  if (values.count (gimple_call_arg (s, i)))
	    {
	      if (p)
		add (fn, p);
	      if (is_of_library (s) && !is_library (fn->decl))
		add_all (fn, s);
	    }
	  p = p ? DECL_CHAIN (p) : p;
	}
    }
}

void
kept_values::find ()
{
  cgraph_node *node;
  bool asked = false, more = true;
  keys.clear ();
  FOR_EACH_FUNCTION (node)
    {
      const amp_known *k = amp_known_function (node->decl);
      asked |= ((k && k->kind == kind)
		|| !strcmp (amp_name (node->decl), "omp_set_num_threads")
		|| begins_with (amp_name (node->decl), "GOMP_parallel"));
    }
  for (int round = 0; asked && more && round < 64; round++)
    {
      size_t before = keys.size ();
      for (function *fn : functions ())
	keep (fn);
      more = keys.size () > before;
    }
  of = NULL;
}

/* True if S calls what is in another file.  */

static bool
calls_far (gimple *s)
{
  tree fd = callee (s);
  return (is_gimple_call (s) && !gimple_call_internal_p (s) && !is_ours (fd)
	  && !amp_known_function (fd) && !(fd && body_of (fd)));
}

/* True if S hands what it gets to another file, which may do anything by it but
   write it.  */

static bool
hands_far (gimple *s)
{
  return (calls_far (s) && !is_message (s) && !calls (s, "_ZNSo", "")
	  && !calls (s, "_ZStls", ""));
}

/* True if S makes parts by V, a number of threads or a thread's: it divides by
   it, multiplies what is no constant, counts up to it, stores it where others
   may be stored, too, or hands it to a function that is not known.  */

static bool
makes_parts (function *fn, gimple *s, tree v)
{
  tree_code code = code_of (s);
  basic_block b = gimple_bb (s);
  if (gimple_code (s) == GIMPLE_COND)
    {
      for (edge e : edges (b->succs))
	if (b->loop_father && loop_outer (b->loop_father)
	    && !flow_bb_inside_loop_p (b->loop_father, e->dest))
	  return true;
      return false;
    }
  if (is_gimple_call (s))
    return hands_far (s);
  if (code == TRUNC_DIV_EXPR || code == TRUNC_MOD_EXPR)
    return gimple_assign_rhs2 (s) == v;
  if (code == MULT_EXPR)
    return is_name (gimple_assign_rhs2 (s));
  bool is_store = (gimple_assign_single_p (s) && gimple_store_p (s)
		   && gimple_assign_rhs1 (s) == v);
  tree to = is_store ? gimple_assign_lhs (s) : NULL_TREE;
  tree object = to;
  while (object && TREE_CODE (object) == COMPONENT_REF)
    object = TREE_OPERAND (object, 0);
  /* Fields of one object have keys.  */
  if (!object || (object != to && TREE_CODE (object) == MEM_REF
		  && (code_of (set_by (TREE_OPERAND (object, 0)))
		      != POINTER_PLUS_EXPR)))
    return false;
  if (!DECL_P (object))
    return !begins_with (key_of (NULL, to).c_str (), ".omp_data");
  if (is_global_var (object)
      && (TREE_PUBLIC (object) || DECL_EXTERNAL (object)))
    return true;
  for (gimple *t : statements (fn))
    if (hands_far (t))
      for (tree a : arguments (t))
	if (TREE_CODE (a) == ADDR_EXPR
	    && get_base_address (TREE_OPERAND (a, 0)) == object)
	  return true;
  return false;
}

/* True if V leads to what the thread that runs S, in FN, has of its own: a
   variable, or what it got in the region before the loop that S is in.  */

static bool
is_of_thread (function *fn, gimple *s, tree v)
{
  class loop *l = gimple_bb (s)->loop_father;
  worklist<tree> todo;
  todo.add (v);
  while (todo.next (&v))
    {
      gimple *d = set_by (v);
      tree object = get_base_address (led_to (v));
      if (object && VAR_P (object)
	  && (DECL_THREAD_LOCAL_P (object) || is_local (object)))
	return true;
      if (!d || !gimple_bb (d))
	continue;
      if (gimple_assign_load_p (d))
	{
	  tree at = get_base_address (gimple_assign_rhs1 (d));
	  if (at && VAR_P (at) && DECL_THREAD_LOCAL_P (at))
	    return true;
	}
      else if (gimple_code (d) == GIMPLE_PHI)
	for (phi_value w : values_of (as_a <gphi *> (d)))
	  todo.add (w.value);
      else if (is_gimple_assign (d)
	       && is_name (gimple_assign_rhs1 (d))
	       && (gimple_num_ops (d) < 3
		   || is_gimple_min_invariant (gimple_assign_rhs2 (d))))
	todo.add (gimple_assign_rhs1 (d));
      else if (is_gimple_call (d) && is_outlined (fn->decl)
	       && l && loop_outer (l)
	       && !flow_bb_inside_loop_p (l, gimple_bb (d)))
	return true;
    }
  return false;
}

/* True if S, in FN, notes an address of the thread's own where others may see
   it.  */

static bool
notes_address (function *fn, gimple *s)
{
  tree v = gimple_assign_single_p (s) ? gimple_assign_rhs1 (s) : NULL_TREE;
  if (!v || !gimple_store_p (s) || !POINTER_TYPE_P (TREE_TYPE (v))
      || is_local (get_base_address (gimple_assign_lhs (s))))
    return false;
  return is_of_thread (fn, s, v);
}

/* True if FNDECL is the library's and makes a text of a number.  */

static bool
makes_text (tree fndecl)
{
  const char *n = amp_name (fndecl);
  return (is_library (fndecl)
	  && (strstr (n, "9to_stringE") || strstr (n, "to_chars")));
}

/* True if the file's code makes parts, or notes whose an iteration was.  */

static bool
makes_parts ()
{
  static int known;
  if (known)
    return known > 1;
  known = 1;
  for (function *fn : functions ())
    for (gimple *s : statements (fn))
      if (notes_address (fn, s))
	{
	  known = 2;
	  return true;
	}
  for (function *fn : functions ())
    for (kept_values *k : { &kept_team, &kept_numbers })
      for (tree v : makes_text (fn->decl) ? std::set<tree> () : k->in (fn))
	for (gimple *s : uses (v))
	  if (makes_parts (fn, s, v))
	    {
	      known = 2;
	      return true;
	    }
  return false;
}
