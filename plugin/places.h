/* SPDX-License-Identifier: GPL-3.0-or-later

   Where references and pointers lead, as far as the code at hand says.  */

typedef HOST_WIDE_INT hwi;

/* True if T is a variable whose name begins with NAME.  */

static bool
is_called (tree t, const char *name)
{
  return (VAR_P (t) && DECL_NAME (t)
	  && begins_with (IDENTIFIER_POINTER (DECL_NAME (t)), name));
}

/* Where a reference leads: BASE, a variable or an SSA pointer, and bytes.  */
struct place
{
  tree base;
  hwi offset, size;
  bool known;
  /* Not known: how many bytes from OFFSET on it is in, as an array has bounds;
     0 if that is not known either.  */
  hwi span;
};

static const place anywhere = { NULL_TREE, 0, -1, false, 0 };

/* The names that the address of REF, if there is one, is made of.  */

static std::vector<tree>
indices (tree ref)
{
  std::vector<tree> names;
  auto add = [&] (tree t)
    {
      if (is_name (t))
	names.push_back (t);
    };
  if (!ref)
    return names;
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF || TREE_CODE (ref) == ARRAY_RANGE_REF)
      add (TREE_OPERAND (ref, 1));
  if (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == TARGET_MEM_REF)
    for (int i = 0; i < TREE_OPERAND_LENGTH (ref); i++)
      add (TREE_OPERAND (ref, i));
  return names;
}

/* How many bytes SIZE is; -1 if that is not known.  */

static hwi
bytes (tree size)
{
  return tree_fits_shwi_p (size) ? tree_to_shwi (size) : -1;
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
  place r = { p, 0, -1, true, 0 };
  for (int n = 0; n < 32; n++)
    {
      gimple *s = set_by (r.base);
      tree_code code = code_of (s);
      tree from = code == ERROR_MARK ? r.base : gimple_assign_rhs1 (s);
      bool plus = (code == POINTER_PLUS_EXPR
		   && TREE_CODE (gimple_assign_rhs2 (s)) == INTEGER_CST);
      if (TREE_CODE (from) == ADDR_EXPR && code != POINTER_PLUS_EXPR)
	{
	  poly_int64 more;
	  hwi m;
	  tree b = get_addr_base_and_unit_offset (TREE_OPERAND (from, 0),
						  &more);
	  if (!b || !more.is_constant (&m))
	    {
	      r.known = is_name (r.base);
	      return r;
	    }
	  r.offset += m;
	  r.base = b;
	  if (TREE_CODE (b) != MEM_REF)
	    return r;
	  r.offset += mem_ref_bytes (b);
	  from = TREE_OPERAND (b, 0);
	}
      else if (plus)
	r.offset += TREE_INT_CST_LOW (gimple_assign_rhs2 (s));
      else if ((code != SSA_NAME && !CONVERT_EXPR_CODE_P (code))
	       || !is_name (from) || !POINTER_TYPE_P (TREE_TYPE (from)))
	return r;
      r.base = from;
    }
  return r;
}

/* Where REF leads.  */

static place
place_of (tree ref)
{
  place r = anywhere;
  hwi off, size;
  bool reverse;
  r.base = get_ref_base_and_extent_hwi (ref, &off, &size, &reverse);
  r.known = r.base != NULL_TREE;
  if (r.known)
    {
      r.offset = off / BITS_PER_UNIT;
      r.size = (off % BITS_PER_UNIT + size + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
    }
  else
    {
      poly_int64 from, one, most;
      get_ref_base_and_extent (ref, &from, &one, &most, &reverse);
      r.base = get_base_address (ref);
      r.size = bytes (TYPE_SIZE_UNIT (TREE_TYPE (ref)));
      if (from.is_constant (&off) && most.is_constant (&size) && size > 0
	  && off >= 0 && off % BITS_PER_UNIT == 0)
	{
	  r.offset = off / BITS_PER_UNIT;
	  r.span = (size + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
	}
    }
  if (r.base && TREE_CODE (r.base) == MEM_REF)
    {
      place p = pointer_place (TREE_OPERAND (r.base, 0));
      r.offset += mem_ref_bytes (r.base) + p.offset;
      r.base = p.base;
      r.known &= p.known;
      r.span = p.known ? r.span : 0;
    }
  else if (!r.base || !DECL_P (r.base))
    {
      r.span = 0;
      r.known &= r.base && TREE_CODE (r.base) != TARGET_MEM_REF;
    }
  return r;
}
