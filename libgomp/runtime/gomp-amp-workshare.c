/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's blocks, and what hangs on teams.

   A block holds one loop of the core; it belongs to a work share.

   The work shares inside struct gomp_team keep theirs as long as the team
   structure lives, so that loop after loop no allocator is called; those in
   chunks that libgomp adds when many nowait loops are under way take theirs
   from the pool and return it in gomp_fini_work_share.  No thread is in a
   loop whose work share is being finished or reused, which is why a block
   may be reformatted then.  */

#include "gomp-amp-glue.h"

/* So many sites' plans are kept with a block: those of a region with as many
   loops do not displace each other.  */
#define GOMP_AMP_PLANS 64

#define GOMP_AMP_CLASSES 17

static struct gomp_amp_block *gomp_amp_pool[GOMP_AMP_CLASSES];
static gomp_mutex_t gomp_amp_pool_lock;

GOMP_AMP_PART void
gomp_amp_init_pool (void)
{
  gomp_mutex_init (&gomp_amp_pool_lock);
#if AMP_LOCKED
  gomp_mutex_init (&gomp_amp_site_lock);
#endif
}

GOMP_AMP_PART void
gomp_amp_pool_after_fork (void)
{
  gomp_mutex_init (&gomp_amp_pool_lock);
  memset (gomp_amp_pool, 0, sizeof gomp_amp_pool);
}

/* Where BLOCK keeps the plans of those sites of which NUMBER is one: until a
   site has been observed again its blocks stay the same, and as nobody writes
   them the lanes have them in their caches.  */

GOMP_AMP_PART struct amp_plan *
gomp_amp_block_plan (struct gomp_amp_block *block, unsigned number)
{
  return (struct amp_plan *)
    (block->plans + number % GOMP_AMP_PLANS * block->plan_size);
}

/* NULL: there is no memory for one.  */

static struct gomp_amp_block *
gomp_amp_get_block (unsigned lanes)
{
  struct gomp_amp_block *block;
  uint64_t generation;
  unsigned i, class = 0;

  while ((1U << class) < lanes)
    class++;
  gomp_mutex_lock (&gomp_amp_pool_lock);
  block = gomp_amp_pool[class];
  if (block != NULL)
    gomp_amp_pool[class] = block->next;
  gomp_mutex_unlock (&gomp_amp_pool_lock);
  if (block == NULL)
    {
      size_t size = amp_loop_size (1U << class, gomp_amp_types);
      size_t plan_size = amp_plan_size (1U << class, gomp_amp_types);

      block = gomp_amp_alloc (AMP_ROUND_LINE (sizeof *block) + size
			      + GOMP_AMP_PLANS * plan_size);
      if (block == NULL)
	return NULL;
      block->plans = (char *) gomp_amp_block_loop (block) + size;
      block->plan_size = plan_size;
      block->class = class;
      block->uses = 0;
      block->extra = NULL;
      block->extra_size = 0;
      for (i = 0; i < GOMP_AMP_PLANS; i++)
	gomp_amp_block_plan (block, i)->site = NULL;
    }
  /* A trace knows a loop by its block and generation.  */
  generation = block->uses != 0 ? gomp_amp_block_loop (block)->generation : 0;
  amp_loop_format (gomp_amp_block_loop (block), lanes, gomp_amp_types);
  gomp_amp_block_loop (block)->generation = generation;
  return block;
}

static void
gomp_amp_put_block (struct gomp_amp_block *block)
{
  gomp_mutex_lock (&gomp_amp_pool_lock);
  block->next = gomp_amp_pool[block->class];
  gomp_amp_pool[block->class] = block;
  gomp_mutex_unlock (&gomp_amp_pool_lock);
}

/* The block of WS, which TEAM runs, or NULL.  */

GOMP_AMP_PART struct gomp_amp_block *
gomp_amp_block_of (struct gomp_work_share *ws, struct gomp_team *team,
		   unsigned lanes)
{
  struct gomp_amp_block *block = ws->amp;

  if (block == NULL)
    {
      block = gomp_amp_get_block (lanes);
      if (block == NULL)
	return NULL;
      block->from_pool = (team == NULL
			  || ((uintptr_t) ws - (uintptr_t) team->work_shares
			      >= sizeof team->work_shares));
      ws->amp = block;
    }
  block->uses++;
  return block;
}

/* SIZE bytes that live as long as BLOCK: 8 zeros first, or what was left in
   them.  Only binlpt asks for any.  */

GOMP_AMP_PART void *
gomp_amp_get_extra (struct gomp_amp_block *block, size_t size)
{
  if (size > block->extra_size)
    {
      free (block->extra);
      block->extra = gomp_malloc (size);
      block->extra_size = size;
      *(uint64_t *) block->extra = 0;
    }
  return block->extra;
}

#define GOMP_AMP_TEAM_SHARES(TEAM) \
  (sizeof (TEAM)->work_shares / sizeof (TEAM)->work_shares[0])

void
gomp_amp_new_team (struct gomp_team *team)
{
  unsigned i;

  team->amp = NULL;
  memset (&team->amp_agreed, 0, sizeof team->amp_agreed);
  gomp_amp_new_crew (team);
  for (i = 0; i < GOMP_AMP_TEAM_SHARES (team); i++)
    team->work_shares[i].amp = NULL;
}

void
gomp_amp_free_team (struct gomp_team *team)
{
  unsigned i;

  for (i = 0; i < GOMP_AMP_TEAM_SHARES (team); i++)
    if (team->work_shares[i].amp != NULL)
      gomp_amp_put_block (team->work_shares[i].amp);
  if (team->amp != NULL)
    {
      for (i = 0; i < GOMP_AMP_STEADY; i++)
	free (team->amp->plan[i]);
      free (team->amp);
    }
  gomp_amp_free_crew (team);
}

/* How many threads a team of NTHREADS, larger than one, adds to those that are
   at work, where OUTER's thread starts it.  */

static inline unsigned
gomp_amp_added_by (const struct gomp_team *outer, unsigned nthreads)
{
  return outer != NULL && outer->nthreads > 1 ? nthreads - 1 : nthreads;
}

void
gomp_amp_start_team (struct gomp_thread *thr, struct gomp_team *team)
{
  if (team->amp != NULL)
    {
      team->amp->nplans = 0;
      team->amp->blocks_bound = false;
      team->amp->region++;
    }
  gomp_amp_begin_agreeing (team);
  if (team->nthreads > 1)
    gomp_amp_count_running (gomp_amp_added_by (thr->ts.team, team->nthreads));
  gomp_amp_enter_region (thr);
  gomp_amp_take_seat (team);
  gomp_amp_region_begins (thr, team);
}

void
gomp_amp_end_team (struct gomp_thread *thr, struct gomp_team *team)
{
  gomp_amp_region_ends (thr, team);
  gomp_amp_leave_seat (team);
  gomp_amp_leave_region (thr);
  if (team->nthreads > 1)
    gomp_amp_discount_running (gomp_amp_added_by (thr->ts.team,
						  team->nthreads));
}

/* Are more threads at work than there are CPUs, TEAM's included?  Threads that
   wait in a pool for the next team are not at work.  */

GOMP_AMP_PART bool
gomp_amp_crowded_p (struct gomp_team *team, unsigned lanes)
{
  unsigned running = __atomic_load_n (&gomp_amp_running, __ATOMIC_RELAXED);

  if (team != gomp_thread ()->ts.team)
    running += gomp_amp_added_by (gomp_thread ()->ts.team, lanes);
  return lanes > gomp_available_cpus || running > gomp_available_cpus;
}

void
gomp_amp_fini_work_share (struct gomp_work_share *ws)
{
  if (ws->amp->from_pool)
    {
      gomp_amp_put_block (ws->amp);
      ws->amp = NULL;
    }
}
