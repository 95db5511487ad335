/* SPDX-License-Identifier: GPL-3.0-or-later

   loops CASE: loops that rely on the division of static, and such as do not.
   What makes them do so is in other.c, so that the compiler cannot see it.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/stat.h>
#include <omp.h>

#include "other.h"

static long a[N], b[N];

/* Whoever runs an iteration, the result is the same.  */

static void
harmless (void)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] += 2 * i;
}

static long
sum (const long *x)
{
  long total = 0;

  for (int i = 0; i < N; i++)
    total += x[i];
  return total;
}

/* A thread's buffer has room for its own block.  */

static long
one (void)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++) /* one */
    put_into_block (i, N);
  return lost ();
}

/* More threads than CPUs, beside loops of fewer.  */

static long
crowded (void)
{
#pragma omp parallel for num_threads (4 * omp_get_num_procs ())
  for (int i = 0; i < N; i++) /* crowded */
    put_into_block (i, N);
  return lost ();
}

static long
in_order (void)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    follow (i);
  return gaps ();
}

static long
ascending (void)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++) /* ascending */
    ascend (i);
  return steps_back ();
}

/* The same where the source says that it needs that.  */

static long
monotonic (void)
{
#pragma omp parallel for schedule (monotonic: runtime)
  for (int i = 0; i < N; i++)
    ascend (i);
  return steps_back ();
}

/* How often the program has been run, as FILE counts.  */

static int
nth_run (const char *file)
{
  FILE *f = fopen (file, "a");
  long n;

  if (f == NULL)
    exit (1);
  fputc ('.', f);
  n = ftell (f);
  fclose (f);
  return n;
}

/* A thread's second loop reads what its first has left.  */

static void
two (void)
{
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; i++) /* two, first */
      keep (i);
#pragma omp for
    for (int i = 0; i < N; i++)
      a[i] += 2 * i;
#pragma omp for
    for (int i = 0; i < N; i++) /* two, second */
      b[i] = kept (i);
  }
}

/* The second loop does not wait for the first.  */

static void
race (void)
{
#pragma omp parallel
  for (int r = 0; r < 8; r++)
    {
#pragma omp for schedule (runtime) nowait
      for (int i = 0; i < N; i++) /* race, first */
	a[i] = i + r;
#pragma omp for schedule (runtime)
      for (int i = 0; i < N; i++) /* race, second */
	b[i] += 2 * a[i];
    }
}

static void
together (void)
{
#pragma omp parallel for
  for (int i = 0; i < 16; i++)
    meet (i, 16);
}

static void
print_unordered (void)
{
#pragma omp parallel for
  for (int i = 0; i < 40; i++)
    printf ("iteration %d is %d\n", i, 3 * i);
}

/* Lines that begin anywhere, of which none is noise by itself.  */

static void
print_rotated (long from)
{
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    a[i] = number_of_thread ();
  for (int i = 0; i < N; i++)
    printf ("iteration %ld by %ld\n", (i + from) % N, a[(i + from) % N]);
}

static double
floating (void)
{
  double total = 0.0;

#pragma omp parallel for reduction (+ : total)
  for (int i = 1; i <= 100000; i++)
    total += 1.0 / i;
  return total;
}

static void
explicit_dynamic (void)
{
#pragma omp parallel for schedule (dynamic, 3)
  for (int i = 0; i < N; i++)
    a[i] += 2 * i;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  struct timespec now;
  FILE *f;

  clock_gettime (CLOCK_REALTIME, &now);
  if (strcmp (what, "none") == 0)
    harmless ();
  else if (strcmp (what, "one") == 0)
    {
      harmless ();
      printf ("lost %ld\n", one ());
    }
  else if (strcmp (what, "crowded") == 0)
    {
      omp_set_num_threads (2);
      harmless ();
      printf ("lost %ld\n", crowded ());
    }
  else if (strcmp (what, "order") == 0)
    printf ("gaps %ld\n", in_order ());
  else if (strcmp (what, "ascending") == 0)
    {
      harmless ();
      printf ("back %ld\n", ascending ());
    }
  else if (strcmp (what, "monotonic") == 0)
    printf ("back %ld\n", monotonic ());
  else if (strcmp (what, "mixed") == 0)
    {
      harmless ();
      printf ("lost %ld, back %ld\n", one (), ascending ());
    }
  else if (strcmp (what, "times") == 0)
    /* As long as another division makes it.  */
    printf ("took %ld ms\nTime in seconds = %ld.5\nat 09:%02ld, 3 MB/s\n",
	    one (), lost (), lost () % 60);
  else if (strcmp (what, "rare") == 0)
    {
      /* Late, and seldom, whoever divides.  */
      int n = nth_run (argv[2]);
      harmless ();
      printf ("%d waited\n", n > 4 && n % 3 == 0);
    }
  else if (strcmp (what, "rows") == 0)
    {
      int n = nth_run (argv[2]);
      harmless ();
      for (int i = 0; i < 20; i++)
	printf ("row %d: %.2f\n", i, (n + i) % 40 == 2 ? 0.5 : 0.25);
    }
  else if (strcmp (what, "names") == 0)
    printf ("file /tmp/x%lxy: %ld lost\n", now.tv_nsec, one ());
  else if (strcmp (what, "two") == 0)
    {
      harmless ();
      two ();
      printf ("%ld\n", sum (b));
    }
  else if (strcmp (what, "race") == 0)
    {
      harmless ();
      race ();
      printf ("%ld\n", sum (b));
    }
  else if (strcmp (what, "crash") == 0)
    {
      if (one () != 0)
	abort ();
    }
  else if (strcmp (what, "status") == 0)
    return one () != 0 ? 9 : 0;
  else if (strcmp (what, "hang") == 0)
    {
      harmless ();
      together ();
    }
  else if (strcmp (what, "noise") == 0)
    {
      /* It is long only if threads are held up.  */
      double began = omp_get_wtime ();
      for (int i = 0; i < 5; i++)
	harmless ();
      printf ("%.0f hundredths\n", 100.0 * (omp_get_wtime () - began));
      printf ("at %p, %ld.%09ld s\nprocess %ld\n", malloc (100000000),
	      (long) now.tv_sec, now.tv_nsec, (long) getpid ());
      fprintf (stderr, "took %ld\n", now.tv_nsec);
      print_unordered ();
    }
  else if (strcmp (what, "rotated") == 0)
    print_rotated (now.tv_nsec / 1000 % N);
  else if (strcmp (what, "float") == 0)
    printf ("%.17g\n", floating ());
  else if (strcmp (what, "file") == 0)
    {
      /* Fails if it is there.  */
      if (mkdir ("new", 0777) != 0 || (f = fopen ("new/out.txt", "w")) == NULL)
	return 1;
      fprintf (f, "%ld\n%ld lost\n", now.tv_nsec, one ());
      fclose (f);
      if ((f = fopen ("log", "a")) == NULL)
	return 1;
      fprintf (f, "once more\n");
      fclose (f);
    }
  else if (strcmp (what, "sparse") == 0)
    {
      long n = one ();
      if ((f = fopen ("big", "w")) == NULL
	  || ftruncate (fileno (f), 1L << 36) != 0
	  || pwrite (fileno (f), &n, sizeof n, 1L << 35) != sizeof n)
	return 1;
      fclose (f);
    }
  else if (strcmp (what, "result") == 0)
    {
      if ((f = fopen ("result", "w")) == NULL)
	return 1;
      fprintf (f, "%ld lost\n", one ());
      fclose (f);
    }
  else if (strcmp (what, "explicit") == 0)
    explicit_dynamic ();
  else if (strcmp (what, "random") == 0)
    {
      harmless ();
      printf ("%ld\n", now.tv_nsec);
      return 0;
    }
  else if (strcmp (what, "input") == 0)
    {
      char line[100];

      harmless ();
      if (fgets (line, sizeof line, stdin) == NULL)
	return 4;
      printf ("%s", line);
    }
  else if (strcmp (what, "process") == 0)
    {
      char name[20];

      harmless ();
      snprintf (name, sizeof name, "p%ld", (long) getpid ());
      if ((f = fopen (name, "w")) == NULL)
	return 1;
      fclose (f);
      if ((f = fopen (argv[2], "a")) == NULL)
	return 1;
      fprintf (f, "%s\n", name);
      fclose (f);
    }
  else if (strcmp (what, "long") == 0)
    {
      harmless ();
      if ((f = fopen ("log", "w")) == NULL)
	return 1;
      fclose (f);
      sleep (1);
    }
  else
    return 3;
  printf ("%ld\n", sum (a));
  return 0;
}
