/* SPDX-License-Identifier: GPL-3.0-or-later

   amp-info --calibrate: what hetprobe has to know of the machine.  As figure 5
   of Lyerly et al., "libHetMP: OpenMP across heterogeneous-ISA CPUs": one
   cluster writes pages, another takes them over, with more and more operations
   for each byte, until that costs hardly more than data of its own.  And what a
   page fault costs.  Included by amp-info.c.  */

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#define CALIBRATE_BYTES (4u << 20)
#define CALIBRATE_ROUNDS 7
/* Of the throughput that data of the own cluster allow: then it pays.  */
#define CALIBRATE_PAYS 0.9
#define CALIBRATE_MOST 4096

static double
calibrate_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return 1e9 * (double) t.tv_sec + (double) t.tv_nsec;
}

static int
calibrate_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
calibrate_bind (unsigned cluster)
{
  cpu_set_t *set = CPU_ALLOC (AMP_MAX_CPUS);
  size_t size = CPU_ALLOC_SIZE (AMP_MAX_CPUS);
  unsigned short cpus[AMP_MAX_CPUS];

  if (set == NULL || clustered (cluster, cpus) == 0)
    exit (1);
  CPU_ZERO_S (size, set);
  CPU_SET_S (cpus[0], size, set);
  if (sched_setaffinity (0, size, set) != 0)
    {
      fprintf (stderr, "amp-info: cannot bind to CPU %u: %s\n", cpus[0],
	       strerror (errno));
      exit (1);
    }
  CPU_FREE (set);
}

static void *
calibrate_map (size_t size, int sharing)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
		  sharing | MAP_ANONYMOUS, -1, 0);

  if (p == MAP_FAILED)
    {
      fprintf (stderr, "amp-info: no memory: %s\n", strerror (errno));
      exit (1);
    }
  return p;
}

/* What the first touch of a page costs, beyond a further one.  */

static double
calibrate_fault (void)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE), i;
  double took[CALIBRATE_ROUNDS];

  for (unsigned round = 0; round < CALIBRATE_ROUNDS; round++)
    {
      volatile char *p = calibrate_map (CALIBRATE_BYTES, MAP_PRIVATE);
      double first, again;

      /* One fault a page.  */
      madvise ((void *) p, CALIBRATE_BYTES, MADV_NOHUGEPAGE);
      first = calibrate_ns ();
      for (i = 0; i < CALIBRATE_BYTES; i += page)
	p[i] = 1;
      again = calibrate_ns ();
      first = again - first;
      for (i = 0; i < CALIBRATE_BYTES; i += page)
	p[i] = 2;
      again = calibrate_ns () - again;
      took[round] = (first - again) * (double) page / CALIBRATE_BYTES;
      munmap ((void *) p, CALIBRATE_BYTES);
    }
  qsort (took, CALIBRATE_ROUNDS, sizeof *took, calibrate_compare);
  return took[CALIBRATE_ROUNDS / 2];
}

/* Work on all bytes of P with OPERATIONS for each; nanoseconds.  */

static double
calibrate_work (uint64_t *p, unsigned operations)
{
  double begun = calibrate_ns ();
  uint64_t sum = 0;

  for (size_t i = 0; i < CALIBRATE_BYTES / sizeof *p; i++)
    {
      uint64_t x = p[i];

      /* One multiplication, one addition.  */
      for (unsigned k = 0; k < operations * sizeof *p / 2; k++)
	x = x * UINT64_C (6364136223846793005) + k;
      sum += x;
      p[i] = x;
    }
  __asm__ volatile ("" : : "r" (sum));
  return calibrate_ns () - begun;
}

/* The throughput with OPERATIONS a byte on what cluster 0 has written, as a
   part of that on what the calling process has, which is on another cluster's
   CPU.  TURN: whose turn it is, 1 the writer's.  */

static double
calibrate_share (uint64_t *data, int *turn, unsigned operations)
{
  double part[CALIBRATE_ROUNDS];

  for (unsigned round = 0; round < CALIBRATE_ROUNDS; round++)
    {
      double theirs;

      __atomic_store_n (turn, 1, __ATOMIC_RELEASE);
      while (__atomic_load_n (turn, __ATOMIC_ACQUIRE) == 1)
	sched_yield ();
      theirs = calibrate_work (data, operations);
      part[round] = calibrate_work (data, operations) / theirs;
    }
  qsort (part, CALIBRATE_ROUNDS, sizeof *part, calibrate_compare);
  return part[CALIBRATE_ROUNDS / 2];
}

/* Print the figure; the least number of operations a byte that pays, or 0.  */

static unsigned
calibrate_figure (void)
{
  uint64_t *data = calibrate_map (CALIBRATE_BYTES, MAP_SHARED);
  int *turn = calibrate_map (sizeof *turn, MAP_SHARED);
  unsigned operations, pays = 0;
  pid_t writer = fork ();

  if (writer < 0)
    {
      fprintf (stderr, "amp-info: cannot start a process: %s\n",
	       strerror (errno));
      exit (1);
    }
  if (writer == 0)
    {
      pid_t parent = getppid ();

      calibrate_bind (0);
      for (;;)
	{
	  while (__atomic_load_n (turn, __ATOMIC_ACQUIRE) == 0)
	    if (getppid () != parent)
	      _exit (0);
	    else
	      sched_yield ();
	  if (*turn == 2)
	    _exit (0);
	  calibrate_work (data, 1);
	  __atomic_store_n (turn, 0, __ATOMIC_RELEASE);
	}
    }
  calibrate_work (data, 1);
  puts ("operations a byte   share of the throughput");
  for (operations = 1; operations <= CALIBRATE_MOST && pays == 0;
       operations *= 4)
    {
      double share = calibrate_share (data, turn, operations);

      printf ("%17u   %.2f\n", operations, share);
      if (share >= CALIBRATE_PAYS)
	pays = operations;
    }
  __atomic_store_n (turn, 2, __ATOMIC_RELEASE);
  waitpid (writer, NULL, 0);
  munmap (data, CALIBRATE_BYTES);
  munmap (turn, sizeof *turn);
  return pays;
}

static int
calibrate_lost (const char *file)
{
  fprintf (stderr, "amp-info: %s: %s\n", file, strerror (errno));
  return 1;
}

/* Write what was found to FILE, or where the library looks for it.  */

static int
calibrate (const char *file)
{
  char name[PATH_MAX], *slash;
  double fault;
  unsigned pays;
  FILE *f;

  if (clusters.count == 1)
    {
      puts ("There is one cluster: nothing to calibrate.  GOMP_AMP_CLUSTERS "
	    "names others.");
      return 0;
    }
  if (file == NULL && !amp_costs_file (name, sizeof name, getenv))
    {
      fputs ("amp-info: neither XDG_CONFIG_HOME nor HOME is set; name a "
	     "file\n", stderr);
      return 1;
    }
  if (file == NULL)
    {
      file = name;
      slash = strrchr (name, '/');
      *slash = '\0';
      mkdir (name, 0777);
      *slash = '/';
    }
  /* Measured in vain is what cannot be written.  */
  f = fopen (file, "a");
  if (f == NULL || fclose (f) != 0)
    return calibrate_lost (file);
  calibrate_bind (1);
  pays = calibrate_figure ();
  fault = calibrate_fault ();
  if (pays != 0)
    printf ("another cluster's data pay from %u operations a byte on\n", pays);
  else
    puts ("another cluster's data never pay");
  printf ("a page fault costs %.0f ns\n", fault);
  f = fopen (file, "w");
  if (f != NULL)
    fprintf (f, "# amp-info --calibrate: what hetprobe of gomp-amp goes by\n"
	     "# operations a byte that pay: %u\nfault_ns=%.0f\n", pays,
	     fault > 1.0 ? fault : 1.0);
  if (f == NULL || fclose (f) != 0)
    return calibrate_lost (file);
  printf ("written to %s\n", file);
  return 0;
}
