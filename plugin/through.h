/* SPDX-License-Identifier: GPL-3.0-or-later

   What calls through pointers may call.  */

/* NODE and its other names.  */

static std::vector<cgraph_node *>
names_of (cgraph_node *node)
{
  std::vector<cgraph_node *> all;
  node->call_for_symbol_thunks_and_aliases ([] (cgraph_node *n, void *to)
    {
      ((std::vector<cgraph_node *> *) to)->push_back (n);
      return false;
    }, &all, true);
  return all;
}

/* True if calls through pointers may be NODE's.  */

static bool
is_called_through (cgraph_node *node)
{
  bool taken = DECL_VIRTUAL_P (node->decl);
  for (cgraph_node *n : names_of (node))
    taken |= n->address_taken;
  return taken && !is_outlined (node->decl);
}

/* True if a call of N arguments that returns a TYPE, which is void where nobody
   asks, may be one of NODE.  */

static bool
fits (cgraph_node *node, tree type, unsigned n)
{
  unsigned has = list_length (DECL_ARGUMENTS (node->decl));
  return ((has == n || (has < n && stdarg_p (TREE_TYPE (node->decl))))
	  && (VOID_TYPE_P (type)
	      || types_compatible_p (TREE_TYPE (TREE_TYPE (node->decl)),
				     type)));
}

/* What FNDECL, which is called, does besides memory.  */

static unsigned
flags_of (tree fndecl)
{
  const amp_known *k = amp_known_function (fndecl);
  if (k && k->kind == AMP_IDENTITY)
    return F_IDENTITY;
  const summary *sum = summary_of (fndecl, 1, true);
  return (sum ? ((sum->flags | sum->thrown)
		 & (F_WAITS | F_POLLS | F_IDENTITY | F_TLS | F_DIVIDES))
		| ((sum->number & ~N_PICKED) | sum->noted ? F_IDENTITY : 0)
	  : 0);
}

/* What functions of this file that a call of N arguments through a pointer,
   which returns a TYPE, may be of do besides memory.  */

static unsigned
indirect_flags (tree type, unsigned n)
{
  static std::map<std::pair<tree, unsigned>, unsigned> all;
  std::pair<tree, unsigned> key (TYPE_MAIN_VARIANT (type), n);
  std::map<std::pair<tree, unsigned>, unsigned>::iterator i = all.find (key);
  if (i != all.end ())
    return i->second;
  all[key] = 0;
  unsigned flags = 0;
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    {
      const amp_known *k = amp_known_function (node->decl);
      if (k && k->kind == AMP_IDENTITY && node->address_taken)
	flags |= F_IDENTITY;
    }
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (is_called_through (node) && fits (node, type, n))
      flags |= flags_of (node->decl);
  return all[key] = flags;
}

/* What functions of this file do that S, whose callee is not here, gets.  */

static unsigned
handed_flags (gcall *s)
{
  unsigned flags = 0;
  for (unsigned i = 0; i < gimple_call_num_args (s); i++)
    {
      tree a = gimple_call_arg (s, i);
      tree type = POINTER_TYPE_P (TREE_TYPE (a)) ? TREE_TYPE (TREE_TYPE (a))
						 : TREE_TYPE (a);
      if (!FUNC_OR_METHOD_TYPE_P (type))
	continue;
      if (TREE_CODE (a) == ADDR_EXPR)
	flags |= flags_of (TREE_OPERAND (a, 0));
      else if (is_name (a))
	flags |= indirect_flags (TREE_TYPE (type),
				 list_length (TYPE_ARG_TYPES (type)) - 1);
    }
  return flags;
}
