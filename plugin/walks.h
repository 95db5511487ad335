/* SPDX-License-Identifier: GPL-3.0-or-later

   What inner loops fill, and what they read one after another.  */

/* What covers SPOT is made of T.  */

void
covering::depends (tree t, unsigned spot)
{
  for (tree n : names_in (t))
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
      bool inner = (l && l != start->loop_father
		    && inside[l->header->index]);
      for (access &a : acc.in (bb))
	{
	  unsigned i = &a - &acc.all[0];
	  if (!a.ref && a.store && !a.must && a.where.size < 0)
	    {
	      walk w = { NULL, false, std::vector<box> (1), i, a, -1, {} };
	      if (find_block (a, &w.boxes[0]))
		stores.push_back (w);
	    }
	  if (!a.ref || !inner || (!a.store && !spot_of.count (i))
	      || ++tries > 400
	      || (a.store && !with_stores && !by_class.count (a.cls)))
	    continue;
	  if (a.where.size <= 0 || (a.store && (!a.must || a.adds)))
	    continue;
	  walk w;
	  find_boxes (a, l, start->loop_father, &w.boxes);
	  w.l = l;
	  w.i = i;
	  bool more = false;
	  tree n = repeats (l, bb, a.store, &more) ? turns_of (l) : NULL_TREE;
	  w.filled = a;
	  w.filled.must = false;
	  w.spot = -1;
	  if (!n && w.boxes.empty ())
	    continue;
	  const box *one = w.boxes.empty () ? NULL : &w.boxes[0];
	  w.walks = (one && one->sides.size () == 1
		     && tree_fits_uhwi_p (one->sides[0].step)
		     && ((hwi) tree_to_uhwi (one->sides[0].step)
			 == a.where.size));
	  hwi last = n && tree_fits_shwi_p (n) ? tree_to_shwi (n) + more : -1;
	  reach r = reach_of_access (a);
	  plant (&r);
	  place p = { r.root, r.bytes.low, last * a.where.size, true, 0 };
	  if (r.root && r.bytes.of == l && !r.bytes.mixed)
	    p.known = r.bytes.high - r.bytes.low == p.size;
	  else if (w.walks && integer_zerop (one->var))
	    p = { one->root, one->init, last * a.where.size, true, 0 };
	  else if (one)
	    p = { NULL_TREE, 0, -1, false, 0 };
	  else
	    continue;
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

/* Loops that write elements one after another have written all of them when
   they end; with those before, where these have been.  */

void
covering::fills ()
{
  for (walk &s : stores)
    {
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
		on_edge[single_exit (s.l)].push_back (follower (j, before));
		depends (s.filled.where.base, j + count);
	      }
	  for (walk &l : loads)
	    if (acc.all[l.i].cls == a.cls
		&& (!s.l || acc.all[l.i].where.size == a.where.size))
	      {
		if (n == 0)
		  match (s, l);
		else if (s.walks && l.walks)
		  match_behind (s, l, n, before);
	      }
	}
    }
}
