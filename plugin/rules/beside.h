/* Rule `beside': what a loop adds up, where another loop relies on it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A sum over a thread's iterations that is put together with the other threads'
   is the same under every division.  One that a thread goes on to use is the
   count of what it does in another loop, if that one is static; so is what is
   summed up by number, where another loop uses the number.  */

/* What is remembered of a judged loop.  */

struct verdict
{
  tree fndecl;
  gcall *start;
  int id;
  bool form, ull;
  finding found;
  bool ascending, sums, accumulates, for_callers;
  std::set<tree> summed;
  unsigned unknown_calls;
};

/* What the file's code reads by the thread's number: names, and where.  */
static std::map<tree, location_t> read_by_number;

/* Where code reads by number what V sums up by it.  */

static location_t
summed_is_read (const verdict &v)
{
  if (read_by_number.empty () || v.summed.empty ())
    return UNKNOWN_LOCATION;
  if (read_by_number.count (NULL_TREE) || v.summed.count (NULL_TREE))
    return read_by_number.begin ()->second;
  for (tree t : v.summed)
    if (read_by_number.count (t))
      return read_by_number[t];
  return UNKNOWN_LOCATION;
}

/* The function of the source that FNDECL is made of.  */

static std::string
family (tree fndecl)
{
  std::string s = amp_name (fndecl);
  return s.substr (0, s.find ("._omp_fn."));
}

static bool
has_state (const verdict &v)
{
  return (v.found.rule == R_REGISTERS || v.found.rule == R_MEMORY
	  || v.found.rule == R_IDENTITY);
}

static void
judge_beside (std::vector<verdict> &all,
	      const std::map<std::string, location_t> &numbered)
{
  std::map<std::string, location_t> state;
  bool any_number = false, any_state = false;
  location_t where = UNKNOWN_LOCATION, state_at = UNKNOWN_LOCATION;
  for (verdict &v : all)
    {
      if (has_state (v))
	{
	  state[family (v.fndecl)] = state_at = candidates[v.id].at;
	  any_state = true;
	}
      if (v.found.rule == R_IDENTITY)
	{
	  any_number = true;
	  where = candidates[v.id].at;
	}
    }
  for (verdict &v : all)
    {
      if (v.found.rule != R_NONE)
	continue;
      std::map<std::string, location_t>::const_iterator s
	= state.find (family (v.fndecl));
      std::map<std::string, location_t>::const_iterator n
	= numbered.find (family (v.fndecl));
      if (v.accumulates && s != state.end ())
	v.found.at = s->second;
      else if (v.for_callers && any_state)
	v.found.at = state_at;
      else if (v.accumulates && n != numbered.end ())
	v.found.at = n->second;
      else if (!v.summed.empty () && any_number)
	v.found.at = where;
      else if (summed_is_read (v) != UNKNOWN_LOCATION)
	v.found.at = summed_is_read (v);
      else
	continue;
      v.found.rule = R_BESIDE;
      v.found.how = "adds up what code beside it uses by thread";
    }
}
