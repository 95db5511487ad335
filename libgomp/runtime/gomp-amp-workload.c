/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the program says about its loops' workload, for binlpt: loops that
   it has registered, each with the cost of its iterations.

   omp_set_workload is about the next loop that the current task runs by
   binlpt, whoever of its team begins it: each call draws a ticket, which is
   kept in the task's ICVs, and so is inherited by tasks and teams.  The first
   loop of that length that comes with the ticket takes it: its site is the
   registered loop's from then on.  Whoever comes with a ticket that has been
   taken has only what its site has.  Workloads are counted references, since
   one may be replaced while another team begins a loop with it.

   A child of fork keeps what was registered, as it was when its parent forked,
   though another thread may have been changing it: pointers are stored when
   what they point to is whole, and before what they pointed to is freed.  */

#include "gomp-amp-glue.h"

struct gomp_amp_named_loop
{
  char *name;			/* NULL: this entry is free.  */
  struct gomp_amp_workload *workload;
  unsigned ticket;		/* Of the last omp_set_workload; 0: taken.  */
  const struct amp_site *site;	/* Whose loop this is, or NULL.  */
  bool reported;		/* That a workload was of another length.  */
};

/* Under gomp_amp_named_lock.  */
static struct gomp_amp_named_loop *gomp_amp_named;
static unsigned gomp_amp_nnamed, gomp_amp_last_ticket;
static uint64_t gomp_amp_workloads;	/* That there were.  */

GOMP_AMP_PART void
gomp_amp_init_named (void)
{
  gomp_mutex_init (&gomp_amp_named_lock);
}

/* Under the lock.  */

static void
gomp_amp_put_workload (struct gomp_amp_workload *workload)
{
  if (workload != NULL && --workload->refs == 0)
    free (workload);
}

/* ... LOOP has WORKLOAD from now on.  */

static void
gomp_amp_set_workload (struct gomp_amp_named_loop *loop,
		       struct gomp_amp_workload *workload)
{
  struct gomp_amp_workload *old = loop->workload;

  __atomic_store_n (&loop->workload, workload, __ATOMIC_RELEASE);
  gomp_amp_put_workload (old);
}

/* Under the lock: the entry whose ticket is TICKET, if that is not 0, or else
   that of SITE, if that is not NULL; or NULL.  */

static struct gomp_amp_named_loop *
gomp_amp_loop_of (unsigned ticket, const struct amp_site *site)
{
  struct gomp_amp_named_loop *loop;

  for (loop = gomp_amp_named; loop < gomp_amp_named + gomp_amp_nnamed; loop++)
    if (loop->name != NULL
	&& (ticket != 0 ? loop->ticket == ticket
	    : site != NULL && loop->site == site))
      return loop;
  return NULL;
}

/* Under the lock: does LOOP's workload fit N iterations?  If not, and that has
   not been reported yet, *LENGTH and NAME are for the report.  */

static bool
gomp_amp_fits (struct gomp_amp_named_loop *loop, unsigned long long n,
	       unsigned *length, char name[64])
{
  if (loop->workload == NULL || loop->workload->n == n)
    return true;
  if (!loop->reported)
    {
      *length = loop->workload->n;
      strncpy (name, loop->name, 63);
      loop->reported = true;
    }
  return false;
}

/* The workload for a loop of N iterations at SITE, which may be NULL, that is
   begun by a task with TICKET; to be returned by gomp_amp_return_workload.  Or
   NULL.  */

GOMP_AMP_PART struct gomp_amp_workload *
gomp_amp_find_workload (unsigned ticket, const struct amp_site *site,
			unsigned long long n)
{
  struct gomp_amp_workload *workload = NULL;
  struct gomp_amp_named_loop *loop, *old;
  unsigned length = 0;
  char name[64] = "";

  /* A program that has no workloads is not to pay for them.  */
  if (__atomic_load_n (&gomp_amp_nnamed, __ATOMIC_RELAXED) == 0)
    return NULL;
  gomp_mutex_lock (&gomp_amp_named_lock);
  loop = ticket != 0 ? gomp_amp_loop_of (ticket, NULL) : NULL;
  /* The ticket stays for a loop of that length.  */
  if (loop != NULL && !gomp_amp_fits (loop, n, &length, name))
    loop = NULL;
  old = gomp_amp_loop_of (0, site);
  if (old != NULL && old != loop
      && (loop != NULL || !gomp_amp_fits (old, n, &length, name)))
    {
      old->site = NULL;
      old = NULL;
    }
  if (loop == NULL)
    loop = old;
  else if (site != NULL)
    {
      loop->site = site;
      loop->ticket = 0;
    }
  if (loop != NULL && loop->workload != NULL)
    {
      workload = loop->workload;
      workload->refs++;
    }
  gomp_mutex_unlock (&gomp_amp_named_lock);
  if (length != 0)
    gomp_error ("The workload of loop '%s' is of %u iterations, but the loop "
		"has %llu; it is ignored", name, length, n);
  return workload;
}

GOMP_AMP_PART void
gomp_amp_return_workload (struct gomp_amp_workload *workload)
{
  if (workload == NULL)
    return;
  gomp_mutex_lock (&gomp_amp_named_lock);
  gomp_amp_put_workload (workload);
  gomp_mutex_unlock (&gomp_amp_named_lock);
}

unsigned
omp_loop_register (const char *name)
{
  unsigned i;

  if (name == NULL)
    name = "";
  gomp_mutex_lock (&gomp_amp_named_lock);
  for (i = 0; i < gomp_amp_nnamed && gomp_amp_named[i].name != NULL; i++)
    continue;
  if (i == gomp_amp_nnamed)
    {
      unsigned more = gomp_amp_nnamed ? 2 * gomp_amp_nnamed : 8;
      struct gomp_amp_named_loop *old = gomp_amp_named;
      struct gomp_amp_named_loop *larger
	= gomp_malloc_cleared (more * sizeof *larger);

      if (old != NULL)
	memcpy (larger, old, gomp_amp_nnamed * sizeof *larger);
      /* In this order: see the head.  */
      __atomic_store_n (&gomp_amp_named, larger, __ATOMIC_RELEASE);
      __atomic_store_n (&gomp_amp_nnamed, more, __ATOMIC_RELEASE);
      free (old);
    }
  gomp_amp_named[i].workload = NULL;
  gomp_amp_named[i].ticket = 0;
  gomp_amp_named[i].site = NULL;
  gomp_amp_named[i].reported = false;
  __atomic_store_n (&gomp_amp_named[i].name, gomp_amp_copy (name),
		    __ATOMIC_RELEASE);
  gomp_mutex_unlock (&gomp_amp_named_lock);
  return i;
}

/* Under the lock: entry of LOOP_ID, or NULL.  */

static struct gomp_amp_named_loop *
gomp_amp_named_loop (unsigned loop_id)
{
  if (loop_id < gomp_amp_nnamed && gomp_amp_named[loop_id].name != NULL)
    return &gomp_amp_named[loop_id];
  return NULL;
}

static void
gomp_amp_unknown_loop (const char *function, unsigned loop_id)
{
  static bool reported;

  if (!__atomic_exchange_n (&reported, true, __ATOMIC_RELAXED))
    gomp_error ("%s: no loop has the number %u; the call is ignored",
		function, loop_id);
}

void
omp_loop_unregister (unsigned loop_id)
{
  struct gomp_amp_named_loop *loop;
  char *name;

  gomp_mutex_lock (&gomp_amp_named_lock);
  loop = gomp_amp_named_loop (loop_id);
  if (loop != NULL)
    {
      gomp_amp_set_workload (loop, NULL);
      name = loop->name;
      __atomic_store_n (&loop->name, NULL, __ATOMIC_RELEASE);
      free (name);
    }
  gomp_mutex_unlock (&gomp_amp_named_lock);
  if (loop == NULL)
    gomp_amp_unknown_loop ("omp_loop_unregister", loop_id);
}

/* Under the lock: a number that no other entry has, for LOOP.  Tickets recur
   after 2^31 calls; a task that still bears an old one by then gets a workload
   of the right length, if any.  */

static unsigned
gomp_amp_draw_ticket (struct gomp_amp_named_loop *loop)
{
  gomp_amp_last_ticket = gomp_amp_last_ticket % INT_MAX + 1;
  return loop->ticket = gomp_amp_last_ticket;
}

void
omp_set_workload (unsigned loop_id, unsigned *tasks, unsigned ntasks,
		  bool override)
{
  struct gomp_amp_workload *workload = NULL;
  struct gomp_amp_named_loop *loop;
  unsigned ticket = 0;
  bool keep;

  gomp_mutex_lock (&gomp_amp_named_lock);
  loop = gomp_amp_named_loop (loop_id);
  keep = loop != NULL && !override && loop->workload != NULL
    && loop->workload->n == ntasks;
  if (keep)
    ticket = gomp_amp_draw_ticket (loop);
  gomp_mutex_unlock (&gomp_amp_named_lock);
  if (loop == NULL)
    {
      gomp_amp_unknown_loop ("omp_set_workload", loop_id);
      return;
    }
  if (!keep)
    {
      /* Copied outside of the lock, since it may be long.  */
      if (tasks != NULL && ntasks != 0)
	{
	  workload = malloc (sizeof *workload
			     + (size_t) ntasks * sizeof *tasks);
	  if (workload != NULL)
	    {
	      workload->refs = 1;
	      workload->n = ntasks;
	      memcpy (workload->cost, tasks, (size_t) ntasks * sizeof *tasks);
	    }
	}
      gomp_mutex_lock (&gomp_amp_named_lock);
      /* It may have moved, or be gone.  */
      loop = gomp_amp_named_loop (loop_id);
      if (loop != NULL)
	{
	  if (workload != NULL)
	    workload->number = ++gomp_amp_workloads;
	  gomp_amp_set_workload (loop, workload);
	  loop->reported = false;
	  ticket = gomp_amp_draw_ticket (loop);
	}
      else
	gomp_amp_put_workload (workload);
      gomp_mutex_unlock (&gomp_amp_named_lock);
    }
  gomp_icv (true)->workload_ticket = ticket;
}
