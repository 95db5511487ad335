/* Rule `beside': what a loop adds up, where another loop relies on it.
   SPDX-License-Identifier: GPL-3.0-or-later

   What is summed up by the thread's number is the count of what the thread does
   in another loop, if that one is static and uses it.  So are pieces that a
   thread puts together: another loop may have noted whose they are.  */

/* What the file's code reads by the thread's number: names, and where.  */
static std::map<std::string, location_t> read_by_number;

/* Where code reads by number what V sums up by it.  */

static location_t
summed_is_read (const verdict &v)
{
  if (read_by_number.empty () || v.summed.empty ())
    return UNKNOWN_LOCATION;
  if (read_by_number.count ("") || v.summed.count (""))
    return read_by_number.begin ()->second;
  for (const std::string &name : v.summed)
    if (read_by_number.count (name))
      return read_by_number[name];
  return UNKNOWN_LOCATION;
}

/* An iteration that reads what it has not set asks what iterations of another
   loop have stored: that may say where a block begins, if that loop is
   static.  */

static void
judge_unset (std::vector<verdict> &all)
{
  /* The first of these loops that stores there.  */
  std::map<std::string, const verdict *> marked;
  for (const verdict &w : all)
    if (w.found.rule == R_REGISTERS || w.found.rule == R_MEMORY)
      for (const std::string &name : w.marked)
	if (!name.empty ())
	  marked.insert (std::make_pair (name, &w));
  for (verdict &v : all)
    {
      const verdict *w = NULL;
      for (const std::string &name : v.asked)
	if (marked.count (name) && (!w || marked[name] < w))
	  w = marked[name];
      if (!w || v.found.rule != R_NONE)
	continue;
      v.found.rule = R_BESIDE;
      v.found.how = "asks what a static loop has noted";
      v.found.at = candidates[v.id].at;
      v.found.other = candidates[w->id].at;
    }
}

static void
judge_beside (std::vector<verdict> &all)
{
  /* Loops that are static for state of the thread, for its number.  What those
     that say so read is in read_by_number.  */
  const verdict *state = NULL, *number = NULL;
  for (verdict &v : all)
    {
      if (candidates[v.id].kept)
	continue;
      if (v.found.rule == R_IDENTITY)
	number = &v;
      if (v.found.rule == R_IDENTITY || v.found.rule == R_REGISTERS
	  || v.found.rule == R_MEMORY)
	state = &v;
    }
  for (verdict &v : all)
    {
      if (v.found.rule != R_NONE)
	continue;
      const verdict *fellow = NULL;
      for (verdict &w : all)
	if (v.appends && w.fndecl == v.fndecl && w.found.rule != R_NONE)
	  fellow = &w;
      if (fellow)
	v.found.at = candidates[fellow->id].at;
      else if (v.counts && state)
	v.found.at = candidates[state->id].at;
      else if (v.counts && !read_by_number.empty ())
	v.found.at = read_by_number.begin ()->second;
      else if (v.shown)
	v.found.at = candidates[v.id].at;
      else if ((!v.summed.empty () || v.appends) && number)
	v.found.at = candidates[number->id].at;
      else if (summed_is_read (v) != UNKNOWN_LOCATION)
	v.found.at = summed_is_read (v);
      else
	continue;
      v.found.rule = R_BESIDE;
      v.found.how = "adds up what code beside it uses by thread";
    }
}
