/* SPDX-License-Identifier: GPL-3.0-or-later

   What each thread has of the library and of its processor.  */

/* True if REF is errno.  */

static bool
is_errno (tree ref)
{
  tree r = ref ? get_base_address (ref) : NULL_TREE;
  return (r && TREE_CODE (r) == MEM_REF
	  && kind_of_call (set_by (TREE_OPERAND (r, 0))) == AMP_ERRNO);
}

/* What S does to errno: it sets it, or reads what was there where the function
   or the iteration begins, or what a loop has left; or to the processor: what
   is volatile.  */

static unsigned
errno_flags (gimple *s)
{
  if (gasm *x = dyn_cast <gasm *> (s))
    return (gimple_asm_volatile_p (x) && *gimple_asm_string (x) ? F_TLS : 0);
  if (gimple_store_p (s) && is_errno (gimple_get_lhs (s)))
    return F_ERRNO;
  if (!gimple_assign_load_p (s) || !is_errno (gimple_assign_rhs1 (s)))
    return 0;
  gimple_stmt_iterator g = gsi_for_stmt (s);
  for (basic_block b = gimple_bb (s); ; g = gsi_last_bb (b))
    {
      for (; !gsi_end_p (g); gsi_prev (&g))
	if (calls (gsi_stmt (g), "GOMP_loop_", ""))
	  return F_TLS;
	else if (gimple_store_p (gsi_stmt (g))
		 && is_errno (gimple_get_lhs (gsi_stmt (g))))
	  return 0;
      b = get_immediate_dominator (CDI_DOMINATORS, b);
      if (!b || b->index < NUM_FIXED_BLOCKS)
	return F_TLS;
    }
}
