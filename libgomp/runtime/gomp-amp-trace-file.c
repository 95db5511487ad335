/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The glue's spools.  Each thread collects its events in a buffer of its own.
   A buffer that is full, or whose thread ends, is appended to the file; only
   that takes a lock.  So a process that is killed loses what was in its
   buffers, and no more.  */

#include "gomp-amp-glue.h"
#include "gomp-amp-trace-file.h"
#include <link.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* NAME, from the allocator, with the process's number for %p.  */

static char *
gomp_amp_expand_name (char *name)
{
  const char *at = strstr (name, "%p");
  size_t size = strlen (name) + 20;
  char *copy;

  if (at == NULL)
    return name;
  copy = gomp_malloc (size);
  snprintf (copy, size, "%.*s%ld%s", (int) (at - name), name,
	    (long) getpid (), at + 2);
  free (name);
  return copy;
}

/* What goes wrong is said once: nothing is written after that.  */

static void
gomp_amp_spool_fail (struct gomp_amp_spool *spool, int error,
		     const char *what)
{
  spool->error = error;
  gomp_error ("GOMP_AMP_TRACE: %s %s: %s", what, spool->file,
	      strerror (error));
}

/* Is SPOOL's descriptor still its own?  A program that becomes a daemon may
   have closed it, and have got its number for a file of its own.  */

static bool
gomp_amp_spool_kept_p (struct gomp_amp_spool *spool)
{
  struct stat st;

  return (fstat (spool->fd, &st) == 0 && st.st_dev == spool->device
	  && st.st_ino == spool->inode);
}

/* Close what is SPOOL's own.  */

static void
gomp_amp_spool_close_file (struct gomp_amp_spool *spool)
{
  if (spool->fd >= 0 && gomp_amp_spool_kept_p (spool))
    close (spool->fd);
  spool->fd = -1;
}

/* Append the COUNT parts of IOV, whole records, to SPOOL.  */

static void
gomp_amp_spool_append (struct gomp_amp_spool *spool, struct iovec *iov,
		       int count)
{
  uint64_t size = 0;
  int i, error;

  for (i = 0; i < count; i++)
    size += iov[i].iov_len;
  if (spool->error != 0)
    return;
  if (!gomp_amp_spool_kept_p (spool))
    {
      gomp_amp_spool_fail (spool, EBADF, "the program has closed");
      spool->fd = -1;
      return;
    }
  error = gomp_amp_write (spool->fd, iov, count);
  if (error != 0)
    {
      gomp_amp_spool_fail (spool, error, "cannot write all of");
      /* A record is there or it is not.  */
      error = ftruncate (spool->fd, spool->bytes);
      return;
    }
  spool->bytes += size;
}

/* Append a record with TAG, of SIZE bytes at BODY, of thread number THREAD.  */

static void
gomp_amp_spool_put (struct gomp_amp_spool *spool, enum gomp_amp_spool_tag tag,
		    unsigned thread, const void *body, size_t size)
{
  struct gomp_amp_spool_record record
    = { tag, thread, size, amp_ticks (), gomp_amp_monotonic () };
  struct iovec iov[2] = { { &record, sizeof record }, { (void *) body, size } };

  gomp_amp_spool_append (spool, iov, size != 0 ? 2 : 1);
}

/* A list of objects that is being made.  */

struct gomp_amp_object_list
{
  struct gomp_amp_spool *spool;
  char *text;
  size_t used, room;
};

static int
gomp_amp_list_object (struct dl_phdr_info *info, size_t size, void *data)
{
  struct gomp_amp_object_list *list = data;
  struct gomp_amp_spool *spool = list->spool;
  size_t most = strlen (info->dlpi_name) + 100;
  unsigned i;

  if (list->used == 0
      && size >= offsetof (struct dl_phdr_info, dlpi_subs)
		 + sizeof info->dlpi_subs)
    {
      if (spool->adds == info->dlpi_adds && spool->subs == info->dlpi_subs)
	return 1;
      spool->adds = info->dlpi_adds;
      spool->subs = info->dlpi_subs;
    }
  for (i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
	uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

	if (list->room - list->used < most)
	  {
	    list->room = 2 * list->room + most;
	    list->text = gomp_realloc (list->text, list->room);
	  }
	/* The first object is the program, which has no name here.  */
	list->used
	  += snprintf (list->text + list->used, most, "%jx %jx %jx %s\n",
		       (uintmax_t) info->dlpi_addr, (uintmax_t) begin,
		       (uintmax_t) (begin + info->dlpi_phdr[i].p_memsz),
		       *info->dlpi_name != '\0' ? info->dlpi_name : "program");
      }
  return 0;
}

/* Tell SPOOL what is loaded, if that has changed.  */

static void
gomp_amp_spool_objects (struct gomp_amp_spool *spool)
{
  struct gomp_amp_object_list list = { spool, NULL, 0, 0 };

  dl_iterate_phdr (gomp_amp_list_object, &list);
  if (list.used != 0)
    gomp_amp_spool_put (spool, GOMP_AMP_SPOOL_OBJECTS, 0, list.text, list.used);
  free (list.text);
}

static void
gomp_amp_spool_info (struct gomp_amp_spool *spool)
{
  size_t size = 4096 + 24 * gomp_amp_topology.norder;
  char *text = gomp_malloc (size);
  size_t used = snprintf (text, size, "program %.255s\ntypes %u\n",
			  program_invocation_short_name, gomp_amp_types);
  unsigned i;

  for (i = 0; i < gomp_amp_topology.norder; i++)
    {
      unsigned cpu = gomp_amp_topology.order[i];

      used += snprintf (text + used, size - used, "cpu %u %u\n", cpu,
			gomp_amp_topology.type[cpu]);
    }
  for (i = 1; i < GOMP_AMP_RECORDED; i++)
    if (*gomp_amp_kind_name (i) != '?')
      used += snprintf (text + used, size - used, "schedule %u %s\n", i,
			gomp_amp_kind_name (i));
  gomp_amp_spool_put (spool, GOMP_AMP_SPOOL_INFO, 0, text, used);
  free (text);
}

/* Open SPOOL's file and begin it.  Two processes that wrote into one file would
   leave nothing that can be read.  */

static void
gomp_amp_spool_open (struct gomp_amp_spool *spool)
{
  struct gomp_amp_spool_head head
    = { GOMP_AMP_SPOOL_MAGIC, 0x01020304, GOMP_AMP_SPOOL_VERSION,
	sizeof (struct gomp_amp_event), getpid (), gomp_amp_begun_ticks,
	gomp_amp_begun_ns, 0 };
  struct iovec iov = { &head, sizeof head };
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  struct stat st;

  head.seconds
    = time (NULL) - (gomp_amp_monotonic () - gomp_amp_begun_ns) / 1000000000;
  spool->fd = gomp_amp_open (spool->file, 0);
  if (spool->fd < 0 || fstat (spool->fd, &st) != 0)
    {
      gomp_amp_spool_fail (spool, errno, "cannot write");
      return;
    }
  spool->device = st.st_dev;
  spool->inode = st.st_ino;
  if (fcntl (spool->fd, F_SETLK, &lock) != 0
      && (errno == EAGAIN || errno == EACCES))
    {
      gomp_amp_spool_fail (spool, EBUSY, "another process, which %p in the "
			   "name would tell apart, is writing");
      return;
    }
  if (S_ISREG (st.st_mode) && ftruncate (spool->fd, 0) != 0)
    {
      gomp_amp_spool_fail (spool, errno, "cannot write");
      return;
    }
  gomp_amp_spool_append (spool, &iov, 1);
  gomp_amp_spool_info (spool);
}

/* Append what T has collected to its spool, whose lock is held.  */

static void
gomp_amp_spool_take (const struct gomp_amp_tracer *t, unsigned count)
{
  struct gomp_amp_spool *spool = t->spool;

  if (spool->error != 0)
    return;
  if (spool->fd < 0)
    gomp_amp_spool_open (spool);
  gomp_amp_spool_objects (spool);
  gomp_amp_spool_put (spool, GOMP_AMP_SPOOL_EVENTS, t->number, t->events,
		      count * sizeof *t->events);
}

/* Take SPOOL's lock, for no longer than a file may keep the process waiting;
   false if the calling thread holds it, which a signal has interrupted, or
   another one does that does not get on.  */

static bool
gomp_amp_spool_lock (struct gomp_amp_spool *spool)
{
  struct timespec until;

  if (pthread_mutex_trylock (&spool->lock) == 0)
    return true;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_sec += 2 * GOMP_AMP_PATIENCE / 1000;
  return pthread_mutex_timedlock (&spool->lock, &until) == 0;
}

/* Empty the buffer of T.  */

GOMP_AMP_PART void __attribute__ ((noinline))
gomp_amp_flush_events (struct gomp_amp_tracer *t)
{
  struct gomp_amp_spool *spool = t->spool;
  struct gomp_amp_held held = gomp_amp_hold ();

  if (gomp_amp_spool_lock (spool))
    {
      /* A child of fork must not write into its parent's file.  */
      if (!spool->closed && getpid () == gomp_amp_pid)
	gomp_amp_spool_take (t, t->count);
      /* Who closes the spool reads this buffer under the same lock; from then
	 on nothing is added.  */
      if (!spool->closed)
	__atomic_store_n (&t->count, 0, __ATOMIC_RELAXED);
      pthread_mutex_unlock (&spool->lock);
    }
  gomp_amp_hold_end (held);
}

/* Another key's destructor may run a loop after this one: it gets a new
   tracer.  */

static void
gomp_amp_end_tracer (void *data)
{
  struct gomp_amp_tracer *t = data, **p;
  struct gomp_amp_spool *spool = t->spool;
  struct gomp_amp_held held = gomp_amp_hold ();
  bool ours = false;

  if (t->count != 0)
    gomp_amp_flush_events (t);
  if (gomp_amp_spool_lock (spool))
    {
      ours = !spool->closed;
      for (p = &spool->tracers; ours && *p != NULL; p = &(*p)->next)
	if (*p == t)
	  {
	    *p = t->next;
	    break;
	  }
      pthread_mutex_unlock (&spool->lock);
    }
  if (ours)
    {
      free (t->events);
      free (t);
    }
  gomp_amp_hold_end (held);
}

GOMP_AMP_PART struct gomp_amp_tracer * __attribute__ ((noinline))
gomp_amp_new_tracer (struct gomp_amp_spool *spool)
{
  struct gomp_amp_tracer *t = gomp_malloc_cleared (sizeof *t);

  t->spool = spool;
  /* Let the pages be there before something is timed.  */
  t->events = malloc (GOMP_AMP_EVENTS * sizeof *t->events);
  if (t->events != NULL)
    memset (t->events, 0, GOMP_AMP_EVENTS * sizeof *t->events);
  if (gomp_amp_spool_lock (spool))
    {
      t->number = spool->ntracers++;
      t->next = spool->tracers;
      spool->tracers = t;
      pthread_mutex_unlock (&spool->lock);
    }
  pthread_setspecific (spool->key, t);
  return t;
}

static void
gomp_amp_init_spool_lock (struct gomp_amp_spool *spool)
{
  pthread_mutexattr_t attr;

  pthread_mutexattr_init (&attr);
  pthread_mutexattr_settype (&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init (&spool->lock, &attr);
  pthread_mutexattr_destroy (&attr);
}

GOMP_AMP_PART bool
gomp_amp_spool_init (struct gomp_amp_spool *spool, enum gomp_amp_record what)
{
  char *file = gomp_amp_record_file[what];

  gomp_amp_init_spool_lock (spool);
  spool->fd = -1;
  if (file == NULL
      || pthread_key_create (&spool->key, gomp_amp_end_tracer) != 0)
    return false;
  spool->file = gomp_amp_expand_name (file);
  return true;
}

/* Where the process ran no loop, as a shell that starts the program
   does, the file is left alone.  A name that ends in .spool says that its user
   knows what is in the file.  Where the lock cannot be had, a thread is in the
   middle of a record, which will never be whole: amp-trace says so.  */

GOMP_AMP_PART void
gomp_amp_spool_close (struct gomp_amp_spool *spool)
{
  struct gomp_amp_tracer *t;
  size_t length;

  if (spool->file == NULL || !gomp_amp_spool_lock (spool))
    return;
  spool->closed = true;
  for (t = spool->tracers; t != NULL; t = t->next)
    {
      unsigned count = __atomic_load_n (&t->count, __ATOMIC_ACQUIRE);

      if (t->events != NULL && count != 0)
	gomp_amp_spool_take (t, count);
    }
  if (spool->fd >= 0 && spool->error == 0)
    gomp_amp_spool_put (spool, GOMP_AMP_SPOOL_END, 0, NULL, 0);
  if (spool->fd >= 0 && spool->error == 0)
    {
      length = strlen (spool->file);
      if (length < 6 || strcmp (spool->file + length - 6, ".spool") != 0)
	gomp_error ("GOMP_AMP_TRACE: %s is a raw trace; amp-trace %s shows and "
		    "converts it", spool->file, spool->file);
    }
  gomp_amp_spool_close_file (spool);
  pthread_mutex_unlock (&spool->lock);
}

GOMP_AMP_PART void
gomp_amp_spool_after_fork (struct gomp_amp_spool *spool)
{
  if (spool->file == NULL)
    return;
  gomp_amp_init_spool_lock (spool);
  spool->closed = true;
  gomp_amp_spool_close_file (spool);
}
