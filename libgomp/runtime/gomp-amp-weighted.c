/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams: what GOMP_AMP_TEAM asks for, and how fast the CPUs are.  See
   gomp-amp-crew.h.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

/* How fast the CPU is that the calling thread is bound to, in steps of some
   arithmetic per nanosecond of its own time, which other programs do not
   change.  */

static double
gomp_amp_calibrate (uint64_t nanoseconds)
{
  uint64_t begun = amp_cpu_ticks (), now, steps = 0, x = 1;
  double y = 1.0;
  unsigned i;

  do
    {
      for (i = 0; i < 5000; i++)
	{
	  x = x * UINT64_C (6364136223846793005) + 1442695040888963407;
	  y = y * 0.999 + (double) (x >> 40);
	}
      __asm__ volatile ("" : : "g" (x), "g" (&y) : "memory");
      steps++;
      now = amp_cpu_ticks ();
    }
  while (now - begun < nanoseconds);
  return (double) steps / (double) (now - begun);
}

/* Store how fast each type is in SPEED: what the user says; or what a file says
   of the program's loops, as if they took equally long; or what the system
   says; or what is measured here.  False if nothing tells the CPUs apart.  */

static bool
gomp_amp_type_speeds (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned type, i;
  bool known = true;

  if (t->types < 2)
    return false;
  for (type = 0; type < t->types; type++)
    known = known && t->capacity[type] != 0;
  for (type = 0; type < t->types; type++)
    if (gomp_amp_sf != NULL)
      speed[type] = gomp_amp_sf[type];
    else if (gomp_amp_nknown_sf != 0)
      {
	double time = 0.0;

	for (i = 0; i < gomp_amp_nknown_sf; i++)
	  time += 1.0 / gomp_amp_known_sf[i].sf[type];
	speed[type] = gomp_amp_nknown_sf / time;
      }
    else if (known)
      speed[type] = t->capacity[type];
    else
      {
	for (i = 0; t->type[t->order[i]] != type; i++)
	  ;
	gomp_amp_bind (t->order[i]);
	/* The first part lets the clock rise.  */
	gomp_amp_calibrate (1000000);
	speed[type] = gomp_amp_calibrate (2000000);
      }
  if (gomp_amp_sf == NULL && gomp_amp_nknown_sf == 0 && !known)
    gomp_amp_set_affinity (gomp_amp_weighted.all);
  return true;
}

static void
gomp_amp_init_team (bool placed)
{
  const char *value = gomp_amp_getenv ("GOMP_AMP_TEAM");
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned short order[AMP_MAX_CPUS], cpu[AMP_MAX_CPUS];
  double speed[AMP_TOPOLOGY_TYPES];
  double quota;
  char message[AMP_MESSAGE_MAX];
  unsigned i, size;

  if (value == NULL)
    return;
  if (amp_parse_team (value, &gomp_amp_weighted.most, message) != NULL)
    {
      gomp_error ("Invalid value for environment variable GOMP_AMP_TEAM: %s; "
		  "it is ignored", message);
      return;
    }
  if (gomp_amp_weighted.most == 0)
    return;
  if (placed || gomp_places_list != NULL)
    {
      gomp_error ("GOMP_AMP_TEAM does not place threads, because "
		  "OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY or "
		  "GOMP_AMP_AFFINITY is set");
      gomp_amp_weighted.most = 0;
      return;
    }
  if (gomp_cpusetp == NULL || t->norder < 2)
    return;
  gomp_amp_weighted.all = gomp_malloc (gomp_cpuset_size);
  memcpy (gomp_amp_weighted.all, gomp_cpusetp, gomp_cpuset_size);
  if (!gomp_amp_type_speeds (speed))
    return;
  gomp_amp_place_order (false, order);
  gomp_amp_weighted.ncpus = t->norder;
  gomp_amp_weighted.cpu
    = gomp_malloc (t->norder * sizeof *gomp_amp_weighted.cpu);
  gomp_amp_weighted.speed
    = gomp_malloc (t->norder * sizeof *gomp_amp_weighted.speed);
  gomp_amp_weighted.load
    = gomp_malloc_cleared (t->norder * sizeof *gomp_amp_weighted.load);
  for (i = 0; i < t->norder; i++)
    {
      gomp_amp_weighted.cpu[i] = order[i];
      gomp_amp_weighted.speed[i] = speed[t->type[order[i]]];
    }
  size = amp_place_team_size (gomp_amp_weighted.speed, t->norder,
			      gomp_amp_weighted.most, gomp_amp_weighted.load);
  gomp_amp_weighted.size = size;
  /* Alike to within the slack.  */
  if (amp_place_plain (gomp_amp_weighted.speed, t->norder, size, cpu,
		       gomp_amp_weighted.load))
    return;
  if (!gomp_amp_num_threads_p ())
    {
      if (gomp_global_icv.dyn_var && size > gomp_available_cpus)
	size = gomp_available_cpus;
      if (size > gomp_global_icv.thread_limit_var)
	size = gomp_global_icv.thread_limit_var;
      gomp_global_icv.nthreads_var = size;
    }
  quota = amp_read_quota (&gomp_amp_source);
  gomp_amp_weighted.may_spin = !(quota > 0.0 && quota < t->norder);
  pthread_atfork (NULL, NULL, gomp_amp_crews_after_fork);
  gomp_amp_weighted.places_teams = true;
  /* Its threads are equally fast, so for the core's loops all CPUs are.  */
  gomp_amp_forget_types ();
}

static void
gomp_amp_display_team (void)
{
  unsigned short *cpu;
  unsigned i;

  /* From GCC 13 on OMP_NUM_THREADS is shown as the user gave it.  */
  fprintf (stderr, "  [host] threads of a team = '%lu'\n",
	   gomp_global_icv.nthreads_var);
  if (gomp_amp_weighted.most == 0)
    {
      fputs ("  GOMP_AMP_TEAM = 'OFF'\n", stderr);
      return;
    }
  fprintf (stderr, "  GOMP_AMP_TEAM = 'WEIGHTED,%u'\n", gomp_amp_weighted.most);
  if (!gomp_amp_weighted.places_teams)
    {
      fputs ("  [host] weighted teams: none, CPUs are as fast as each other or "
	     "nothing is known of them\n", stderr);
      return;
    }
  cpu = gomp_malloc (gomp_amp_weighted.size * sizeof *cpu);
  amp_place_threads (gomp_amp_weighted.speed, gomp_amp_weighted.ncpus,
		     gomp_amp_weighted.size, cpu, gomp_amp_weighted.load);
  free (cpu);
  fprintf (stderr, "  [host] weighted team of %u =", gomp_amp_weighted.size);
  for (i = 0; i < gomp_amp_weighted.ncpus; i++)
    fprintf (stderr, "%s %u on CPU %u", i == 0 ? "" : ",",
	     gomp_amp_weighted.load[i], gomp_amp_weighted.cpu[i]);
  fputc ('\n', stderr);
}

#endif
