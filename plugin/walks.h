/* SPDX-License-Identifier: GPL-3.0-or-later

   What inner loops fill, and what they read one after another.  */

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

/* What covers SPOT is made of T.  */

void
covering::depends (tree t, unsigned spot)
{
  auto note = [] (tree *tp, int *, void *data)
    {
      if (is_name (*tp))
	((std::vector<tree> *) data)->push_back (*tp);
      return (tree) NULL_TREE;
    };
  std::vector<tree> names;
  if (TREE_CODE (t) == TREE_LIST)
    {
      depends (TREE_PURPOSE (t), spot);
      t = TREE_VALUE (t);
    }
  walk_tree (&t, note, &names, NULL);
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
      for (access &a : acc.in (bb))
	{
	  unsigned i = &a - &acc.all[0];
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
	  hwi last
	    = (tree_fits_shwi_p (w.n) ? tree_to_shwi (w.n) + w.more : -1);
	  reach r = reach_of_access (a);
	  plant (&r);
	  place p = { r.root, r.bytes.low, last * a.where.size, true, 0 };
	  if (r.root && r.bytes.of == l && !r.bytes.mixed)
	    p.known = r.bytes.high - r.bytes.low == p.size;
	  else if (!w.walks)
	    continue;
	  else if (integer_zerop (w.b.offset)
		   && TREE_CODE (w.b.init) == INTEGER_CST)
	    {
	      p = pointer_place (w.b.base_address);
	      p.offset += (hwi) TREE_INT_CST_LOW (w.b.init);
	      p.size = last * a.where.size;
	    }
	  else
	    p = { NULL_TREE, 0, -1, false, 0 };
	  if (a.store && last > 0 && p.known)
	    {
	      w.filled.where = p;
	      w.filled.ref = NULL_TREE;
	      w.filled.must = true;
	      if (with_stores)
		w.spot = note ({ a.cls, NULL_TREE, p, {}, l, {} });
	    }
	  p.size = a.where.size;
	  while (a.store && (w.walks || p.known) && p.base && p.offset >= p.size
		 && w.before.size () < 2)
	    {
	      p.known = true;
	      p.offset -= p.size;
	      w.before.push_back (note ({ a.cls, NULL_TREE, p, {}, l, {} }));
	    }
	  (a.store ? stores : loads).push_back (w);
	}
    }
}

/* True if A is B and N.  */

static bool
is_sum (tree a, tree b, hwi n)
{
  if (TREE_CODE (a) == INTEGER_CST && TREE_CODE (b) == INTEGER_CST)
    return wi::to_widest (a) == wi::to_widest (b) + n;
  tree type = TREE_TYPE (a);
  tree d = fold_build2 (MINUS_EXPR, type, a, fold_convert (type, b));
  return (TREE_CODE (d) == INTEGER_CST
	  && sext_hwi (TREE_INT_CST_LOW (d), TYPE_PRECISION (type)) == n);
}

/* Loops that write elements one after another have written all of them when
   they end; with those before, where these have been.  */

void
covering::fills ()
{
  for (walk &s : stores)
    {
      std::vector<follower> &got = on_edge[single_exit (s.l)];
      const access &a = acc.all[s.i];
      access more = s.filled;
      std::vector<unsigned> before;
      for (unsigned n = 0; n <= s.before.size (); n++)
	{
	  if (n > 0)
	    before.push_back (s.before[n - 1]);
	  more.where.offset = s.filled.where.offset - n * a.where.size;
	  more.where.size = s.filled.where.size + n * a.where.size;
	  for (unsigned j : by_class[a.cls])
	    if (s.filled.must && covers (more, NULL, spots[j]))
	      {
		got.push_back (follower (j, before));
		depends (s.filled.where.base, j + count);
	      }
	  for (walk &l : loads)
	    {
	      unsigned j = spot_of[l.i];
	      if (acc.all[l.i].cls != a.cls || !l.walks || !s.walks
		  || acc.all[l.i].where.size != a.where.size
		  || !operand_equal_p (l.b.base_address, s.b.base_address, 0)
		  || !operand_equal_p (l.b.offset, s.b.offset, 0)
		  || !is_sum (s.b.init, l.b.init, n * a.where.size))
		continue;
	      if (l.l == s.l && n > 0)
		last_turns.push_back (follower (j, before));
	      if (l.l == s.l || !is_sum (l.n, s.n, n) || (l.more && !s.more))
		continue;
	      got.push_back (follower (j, before));
	      depends (s.b.base_address, j + count);
	      depends (s.b.offset, j + count);
	      depends (s.n, j + count);
	    }
	}
    }
}
