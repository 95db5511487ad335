/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The process around the loops, of which the glue owns nothing: what a child of
   fork finds, files that are named in the environment, output, and how many
   threads are at work.

   A fork waits for nobody and is told nothing before it happens: it may come
   from a handler of signals, in a thread that holds one of the glue's locks, or
   beside one that writes a trace.  So the child alone puts things right.  Its
   locks are free, and what they guard is as it was at some moment in the middle
   of an update: lists are begun anew, and what has to be kept is changed in an
   order in which every moment will do.

   Files are written by system calls, without the allocator and stdio, whose
   locks a thread may hold that is interrupted by a signal and ends the process
   in its handler; and no signal comes of it (SIGXFSZ, SIGPIPE), nor does a pipe
   that nobody reads hold the program up for ever.  */

#include "gomp-amp-glue.h"
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* Threads at work.  */

GOMP_AMP_PART unsigned gomp_amp_running __attribute__ ((aligned (AMP_LINE)));

/* What the calling thread has added to it, as the first one of teams.  */
static GOMP_AMP_THREAD unsigned gomp_amp_added;
static GOMP_AMP_THREAD bool gomp_amp_added_known;
static pthread_key_t gomp_amp_added_key;
static bool gomp_amp_added_has_key;

/* A thread ends, whose ADDED that is; if it was cancelled in a region, that
   region never ends.  */

static void
gomp_amp_forget_added (void *added)
{
  __atomic_fetch_sub (&gomp_amp_running, *(unsigned *) added, __ATOMIC_RELAXED);
  *(unsigned *) added = 0;
  gomp_amp_added_known = false;
}

GOMP_AMP_PART void
gomp_amp_count_running (unsigned nthreads)
{
  __atomic_fetch_add (&gomp_amp_running, nthreads, __ATOMIC_RELAXED);
  gomp_amp_added += nthreads;
  if (__builtin_expect (!gomp_amp_added_known, 0) && gomp_amp_added_has_key)
    gomp_amp_added_known
      = pthread_setspecific (gomp_amp_added_key, &gomp_amp_added) == 0;
}

GOMP_AMP_PART void
gomp_amp_discount_running (unsigned nthreads)
{
  /* A child of fork begins with none.  */
  if (nthreads > gomp_amp_added)
    nthreads = gomp_amp_added;
  __atomic_fetch_sub (&gomp_amp_running, nthreads, __ATOMIC_RELAXED);
  gomp_amp_added -= nthreads;
}

/* Fork.  */

static void
gomp_amp_after_fork (void)
{
  gomp_amp_running = gomp_amp_added = 0;
#if AMP_LOCKED
  gomp_mutex_init (&gomp_amp_site_lock);
#endif
  gomp_amp_pool_after_fork ();
  gomp_mutex_init (&gomp_amp_clusters_lock);
  gomp_mutex_init (&gomp_amp_named_lock);
  gomp_amp_counters_after_fork ();
  gomp_amp_spools_after_fork ();
  gomp_amp_mask_after_fork ();
  gomp_amp_crews_after_fork ();
}

GOMP_AMP_PART void
gomp_amp_init_process (void)
{
#ifdef HAVE_TLS
  gomp_amp_added_has_key
    = pthread_key_create (&gomp_amp_added_key, gomp_amp_forget_added) == 0;
#endif
  pthread_atfork (NULL, NULL, gomp_amp_after_fork);
}

/* The library is about to be unloaded: threads that end later must not call
   it.  */

GOMP_AMP_PART void
gomp_amp_end_process (void)
{
  if (gomp_amp_added_has_key)
    pthread_key_delete (gomp_amp_added_key);
  gomp_amp_added_has_key = false;
}

/* Files.  */

GOMP_AMP_PART char *
gomp_amp_copy (const char *text)
{
  return strcpy (gomp_malloc (strlen (text) + 1), text);
}

GOMP_AMP_PART char *
gomp_amp_file_name (const char *name, size_t length)
{
  char *folder = *name != '/' ? getcwd (NULL, 0) : NULL, *copy;

  if (length == 0)
    {
      free (folder);
      return NULL;
    }
  copy = gomp_malloc ((folder != NULL ? strlen (folder) : 0) + length + 2);
  *copy = '\0';
  if (folder != NULL && strcmp (folder, "/") != 0)
    strcpy (copy, folder);
  if (folder != NULL)
    strcat (copy, "/");
  strncat (copy, name, length);
  free (folder);
  return copy;
}

GOMP_AMP_PART int
gomp_amp_open (const char *name, int flags)
{
  int fd = open (name, (flags | O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY
			| O_NONBLOCK), 0666);

  if (fd >= 0 && fd <= STDERR_FILENO)
    {
      int high = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      int error = errno;

      close (fd);
      errno = error;
      fd = high;
    }
  return fd;
}

/* writev that raises no signal.  */

static ssize_t
gomp_amp_writev (int fd, const struct iovec *iov, int count)
{
  static const struct timespec none;
  sigset_t raised, before, pending;
  ssize_t n;
  int error;

  sigemptyset (&raised);
  sigaddset (&raised, SIGPIPE);
  sigaddset (&raised, SIGXFSZ);
  if (pthread_sigmask (SIG_BLOCK, &raised, &before) != 0)
    return -1;
  sigpending (&pending);
  n = writev (fd, iov, count);
  error = errno;
  if (n < 0 && (error == EPIPE || error == EFBIG))
    {
      /* What is pending for another reason stays so.  */
      if (sigismember (&pending, SIGPIPE))
	sigdelset (&raised, SIGPIPE);
      if (sigismember (&pending, SIGXFSZ))
	sigdelset (&raised, SIGXFSZ);
      while (sigtimedwait (&raised, NULL, &none) < 0 && errno == EINTR)
	continue;
    }
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}

GOMP_AMP_PART int
gomp_amp_write (int fd, struct iovec *iov, int count)
{
  while (count != 0)
    {
      ssize_t n = gomp_amp_writev (fd, iov, count);

      if (n < 0 && errno == EAGAIN)
	{
	  struct pollfd ready = { .fd = fd, .events = POLLOUT };

	  n = poll (&ready, 1, GOMP_AMP_PATIENCE);
	  if (n == 0)
	    return EAGAIN;
	  if (n > 0)
	    continue;
	}
      if (n < 0 && errno == EINTR)
	continue;
      if (n < 0)
	return errno;
      if (n == 0 && iov->iov_len != 0)
	return ENOSPC;
      for (; count != 0 && (size_t) n >= iov->iov_len; count--)
	n -= iov++->iov_len;
      if (n > 0)
	{
	  iov->iov_base = (char *) iov->iov_base + n;
	  iov->iov_len -= n;
	}
    }
  return 0;
}

GOMP_AMP_PART void
gomp_amp_say (const char *format, ...)
{
  char text[2048] = "\nlibgomp: ";
  const size_t head = strlen (text);
  struct iovec iov = { text, sizeof text };
  struct gomp_amp_held held = gomp_amp_hold ();
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (text + head, sizeof text - head, format, args);
  va_end (args);
  if (n >= 0 && head + n < sizeof text)
    iov.iov_len = head + n + 1;
  text[iov.iov_len - 1] = '\n';
  gomp_amp_write (STDERR_FILENO, &iov, 1);
  gomp_amp_hold_end (held);
}

/* Text.  */

static void
gomp_amp_flush (struct gomp_amp_out *out)
{
  struct iovec iov = { out->text, out->used };

  if (out->used != 0 && out->error == 0)
    out->error = gomp_amp_write (out->fd, &iov, 1);
  out->used = 0;
}

GOMP_AMP_PART void
gomp_amp_print (struct gomp_amp_out *out, const char *format, ...)
{
  unsigned tries;

  for (tries = 0; tries < 2; tries++)
    {
      size_t room = sizeof out->text - out->used;
      va_list args;
      int n;

      va_start (args, format);
      n = vsnprintf (out->text + out->used, room, format, args);
      va_end (args);
      if (n < 0)
	return;
      if ((size_t) n < room)
	{
	  out->used += n;
	  break;
	}
      if (out->used == 0)
	{
	  out->used = room - 1;
	  break;
	}
      gomp_amp_flush (out);
    }
  /* Whole lines, as other processes may append theirs.  */
  if (out->used > sizeof out->text / 2 && out->text[out->used - 1] == '\n')
    gomp_amp_flush (out);
}

GOMP_AMP_PART void
gomp_amp_out_open (struct gomp_amp_out *out, const char *variable,
		   const char *file)
{
  out->variable = variable;
  out->file = file;
  out->used = 0;
  out->error = 0;
  out->fd = file != NULL ? gomp_amp_open (file, O_APPEND) : STDERR_FILENO;
  if (out->fd < 0)
    {
      /* There amp-run's files are, as long as it runs, for its own user.  */
      if (strncmp (file, "/proc/", 6) != 0)
	gomp_error ("%s: cannot write %s: %s", variable, file,
		    strerror (errno));
      out->fd = STDERR_FILENO;
      out->file = NULL;
    }
}

GOMP_AMP_PART void
gomp_amp_out_close (struct gomp_amp_out *out)
{
  gomp_amp_flush (out);
  if (out->file == NULL)
    return;
  if (close (out->fd) != 0 && out->error == 0)
    out->error = errno;
  if (out->error != 0)
    gomp_error ("%s: cannot write %s: %s", out->variable, out->file,
		strerror (out->error));
}

GOMP_AMP_PART locale_t
gomp_amp_enter_c_locale (void)
{
  locale_t c = newlocale (LC_ALL_MASK, "C", (locale_t) 0);

  return c != (locale_t) 0 ? uselocale (c) : (locale_t) 0;
}

GOMP_AMP_PART void
gomp_amp_leave_c_locale (locale_t before)
{
  if (before != (locale_t) 0)
    freelocale (uselocale (before));
}

/* Waits and files are places where a thread may be cancelled, and a thread that
   is cancelled there keeps what it holds; errno is the program's.  */

GOMP_AMP_PART struct gomp_amp_held
gomp_amp_hold (void)
{
  struct gomp_amp_held held = { PTHREAD_CANCEL_ENABLE, errno };

  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &held.cancel);
  return held;
}

GOMP_AMP_PART void
gomp_amp_hold_end (struct gomp_amp_held held)
{
  pthread_setcancelstate (held.cancel, NULL);
  errno = held.error;
}
