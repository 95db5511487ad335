/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Weighted teams: how many threads there are where the program does not say, and
   on which CPU each is.  Between regions the first thread may run anywhere, and
   so may its children and those of threads in a region.  */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-env GOMP_AMP_TEAM=weighted } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=2} {@A@ @B@} {team of 3: 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_SF=2} {@B@ @A@} {team of 3: 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4} {@A@ @B@} {team of 5: 1 1 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1.5} {@A@ @B@} {team of 5: 1 0 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1.5 GOMP_AMP_TEAM=weighted,2} {@A@ @B@} {team of 3: 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_CANCELLATION=true} {@A@ @B@} {team of 5: 1 1 1 0 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_NUM_THREADS=2} {@A@ @B@} {team of 2: 1 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_NUM_THREADS=7} {@A@ @B@} {team of 7: 1 1 1 0 1 1 1\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_THREAD_LIMIT=4} {@A@ @B@} {team of 4: 1 1 1 0\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_DYNAMIC=true} {@A@ @B@ dynamic} {fewer\n} } */
/* Equal CPUs, nothing known, or nothing of ours: nobody is bound.  */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=1.01} {@A@ @B@ stock} {stock\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@,@B@} {@A@ @B@ stock} {stock\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 GOMP_AMP_TEAM=off} {@A@ @B@ stock} {stock\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 GOMP_AMP=off} {@A@ @B@ stock} {stock\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_PROC_BIND=false} {@A@ @B@ stock} {\nlibgomp: GOMP_AMP_TEAM does not place threads[^\n]*\nstock\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 OMP_PLACES=threads} {@A@ @B@ places} {\nlibgomp: GOMP_AMP_TEAM does not place threads[^\n]*\nplaces\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 GOMP_AMP_AFFINITY=1} {@A@ @B@ places} {\nlibgomp: GOMP_AMP_TEAM does not place threads[^\n]*\nplaces\n} } */
/* { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=4 GOMP_AMP_TEAM=weighted,0} {@A@ @B@ stock} {\nlibgomp: Invalid value for environment variable GOMP_AMP_TEAM: 'weighted,0': [^\n]*\nstock\n} } */

#define _GNU_SOURCE 1
#include "amp-test.h"

static cpu_set_t all;

/* May the calling thread use the CPUs, PROCS, that the process may?  */

static int
free_p (int procs)
{
  return amp_has_mask (&all) && omp_get_num_procs () == procs;
}

int
main (int argc, char **argv)
{
  int a, b, threads = omp_get_max_threads (), procs, round, t, where[64];

  if (argc < 3)
    return 2;
  a = atoi (argv[1]);
  b = atoi (argv[2]);
  all = amp_mask ();
  procs = CPU_COUNT (&all);
  if (argc > 3 && strcmp (argv[3], "places") == 0)
    {
      CHECK (threads != 5);
      puts (argv[3]);
      return AMP_RESULT;
    }
  if (argc > 3 && strcmp (argv[3], "stock") == 0)
    {
      CHECK (threads == procs);
#pragma omp parallel num_threads (5)
      CHECK (amp_has_mask (&all));
      puts (argv[3]);
      return AMP_RESULT;
    }
  if (argc > 3)
    {
      CHECK (threads <= procs);
#pragma omp parallel
      CHECK (omp_get_num_threads () <= procs);
      puts ("fewer");
      return AMP_RESULT;
    }
  CHECK (threads <= 64);
  for (round = 0; round < 5; round++)
    {
      int seen = 0;
      FILE *f;

#pragma omp parallel reduction (+:seen)
      {
	int me = omp_get_thread_num (), here = amp_bound_to ();

	seen = 1;
	CHECK (omp_get_num_threads () == threads);
	CHECK (omp_get_num_procs () == procs);
	/* The first thread of a short region may move.  */
	if (me == 0 && here == -1)
	  here = round == 0 ? -1 : where[0];
	if (round > 0)
	  CHECK (here == where[me]);
	where[me] = here;
	if (me == round % threads)
	  CHECK (amp_in_child (free_p, procs));
	usleep (2000);
      }
      CHECK (seen == threads);
      CHECK (free_p (procs));
      CHECK (amp_in_child (free_p, procs));
      f = popen ("unset OMP_NUM_THREADS OMP_THREAD_LIMIT; exec nproc", "r");
      CHECK (f != NULL && fscanf (f, "%d", &t) == 1 && t == procs);
      if (f != NULL)
	pclose (f);
    }
  printf ("team of %d:", threads);
  for (t = 0; t < threads; t++)
    {
      CHECK (where[t] == a || where[t] == b);
      printf (" %d", where[t] == a);
    }
  printf ("\n");
  return AMP_RESULT;
}
