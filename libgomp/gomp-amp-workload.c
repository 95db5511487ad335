/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the program says about its loops' workload, for binlpt: loops that
   it has registered, each with the cost of its iterations.  Included by
   gomp-amp.c.

   omp_set_workload makes a loop the current task's: the second parameter of
   its run-sched-var, which tasks and teams inherit, is the loop's number + 1
   while the first is binlpt's.  Workloads are counted references, since one
   may be replaced while another team begins a loop with it.  */

struct gomp_amp_workload
{
  unsigned refs;
  unsigned n;
  unsigned cost[];
};

struct gomp_amp_named_loop
{
  char *name;			/* NULL: this entry is free.  */
  struct gomp_amp_workload *workload;
  bool reported;		/* That a workload was of another length.  */
};

/* Under gomp_amp_named_lock.  */
static struct gomp_amp_named_loop *gomp_amp_named;
static unsigned gomp_amp_nnamed;
static gomp_mutex_t gomp_amp_named_lock;

/* The calling thread's last omp_set_workload, as a number + 1: for when it
   chooses binlpt after that.  */
#if defined HAVE_TLS || defined USE_EMUTLS
static __thread unsigned gomp_amp_named_current;
#else
static unsigned gomp_amp_named_current;
#endif

static void
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

/* The workload of loop NUMBER - 1 for a loop of N iterations, to be returned
   by gomp_amp_return_workload; or NULL.  */

static struct gomp_amp_workload *
gomp_amp_find_workload (unsigned number, unsigned long long n)
{
  struct gomp_amp_workload *workload = NULL;
  unsigned length = 0;
  char name[64] = "";

  if (number == 0)
    return NULL;
  gomp_mutex_lock (&gomp_amp_named_lock);
  if (number <= gomp_amp_nnamed)
    {
      struct gomp_amp_named_loop *loop = &gomp_amp_named[number - 1];

      workload = loop->workload;
      if (workload != NULL && workload->n != n)
	{
	  if (!loop->reported)
	    {
	      length = workload->n;
	      strncpy (name, loop->name, sizeof name - 1);
	      loop->reported = true;
	    }
	  workload = NULL;
	}
      if (workload != NULL)
	workload->refs++;
    }
  gomp_mutex_unlock (&gomp_amp_named_lock);
  if (length != 0)
    gomp_error ("The workload of loop '%s' is of %u iterations, but the loop "
		"has %llu; it is ignored", name, length, n);
  return workload;
}

static void
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

      gomp_amp_named = gomp_realloc (gomp_amp_named,
				     more * sizeof *gomp_amp_named);
      memset (gomp_amp_named + gomp_amp_nnamed, 0,
	      (more - gomp_amp_nnamed) * sizeof *gomp_amp_named);
      gomp_amp_nnamed = more;
    }
  gomp_amp_named[i].name = gomp_malloc (strlen (name) + 1);
  strcpy (gomp_amp_named[i].name, name);
  gomp_amp_named[i].workload = NULL;
  gomp_amp_named[i].reported = false;
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

  gomp_mutex_lock (&gomp_amp_named_lock);
  loop = gomp_amp_named_loop (loop_id);
  if (loop != NULL)
    {
      gomp_amp_put_workload (loop->workload);
      loop->workload = NULL;
      free (loop->name);
      loop->name = NULL;
    }
  gomp_mutex_unlock (&gomp_amp_named_lock);
  if (loop == NULL)
    gomp_amp_unknown_loop ("omp_loop_unregister", loop_id);
}

void
omp_set_workload (unsigned loop_id, unsigned *tasks, unsigned ntasks,
		  bool override)
{
  struct gomp_amp_workload *workload = NULL;
  struct gomp_amp_named_loop *loop;
  struct gomp_task_icv *icv;
  bool keep;

  gomp_mutex_lock (&gomp_amp_named_lock);
  loop = gomp_amp_named_loop (loop_id);
  keep = loop != NULL && !override && loop->workload != NULL
    && loop->workload->n == ntasks;
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
	  gomp_amp_put_workload (loop->workload);
	  loop->workload = workload;
	  loop->reported = false;
	}
      else
	gomp_amp_put_workload (workload);
      gomp_mutex_unlock (&gomp_amp_named_lock);
    }
  gomp_amp_named_current = loop_id + 1;
  icv = gomp_icv (true);
  if ((int) (icv->run_sched_var & ~GFS_MONOTONIC) == omp_sched_binlpt)
    icv->run_sched_param2 = loop_id + 1;
}
