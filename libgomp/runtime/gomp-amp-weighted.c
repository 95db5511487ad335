/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams: what GOMP_AMP_TEAM asks for, and how fast the CPUs are.  See
   gomp-amp-crew.h.  */

#include "gomp-amp-glue.h"

#ifdef GOMP_AMP_CREWS

/* For the time that gomp_amp_settle_team takes.  */
static gomp_mutex_t gomp_amp_settle_lock;

/* Steps at most, where 3 ms are 400 of a fast CPU.  */
#define GOMP_AMP_CALIBRATE_STEPS 4000

/* How fast the CPU is that the calling thread is bound to, in steps of some
   arithmetic per nanosecond of its own time, which other programs do not
   change; 0 if the clock does not tell.  */

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
  while (now >= begun && now - begun < nanoseconds
	 && steps < GOMP_AMP_CALIBRATE_STEPS);
  return now > begun ? (double) steps / (double) (now - begun) : 0.0;
}

/* Store how fast each type is in SPEED: what the user says; or what a file says
   of the program's loops, as if they took equally long; or what the system
   says.  False if nothing tells the CPUs apart but a measurement.  */

static bool
gomp_amp_type_speeds (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned type;

  for (type = 0; type < t->types; type++)
    if (gomp_amp_sf != NULL)
      speed[type] = gomp_amp_sf[type];
    else if (gomp_amp_know_sf)
      speed[type] = gomp_amp_file_speed (type);
    else if (t->capacity[type] != 0)
      speed[type] = t->capacity[type];
    else
      return false;
  return true;
}

/* The same by a measurement here.  False if that fails.  */

static bool
gomp_amp_measure_types (double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  cpu_set_t *mine = gomp_alloca (gomp_cpuset_size);
  unsigned type, i;
  bool works = true;

  CPU_ZERO_S (gomp_cpuset_size, mine);
  if (pthread_getaffinity_np (pthread_self (), gomp_cpuset_size, mine) != 0)
    return false;
  for (type = 0; type < t->types && works; type++)
    {
      for (i = 0; t->type[t->order[i]] != type; i++)
	;
      gomp_amp_bind (t->order[i]);
      /* The first part lets the clock rise.  */
      gomp_amp_calibrate (1000000);
      speed[type] = gomp_amp_calibrate (2000000);
      works = speed[type] > 0.0;
    }
  gomp_amp_set_affinity (mine);
  return works;
}

/* CPUs of each type are as fast as SPEED says.  */

static void
gomp_amp_begin_placing (const double speed[AMP_TOPOLOGY_TYPES])
{
  const struct amp_topology *t = &gomp_amp_topology;
  unsigned short order[AMP_MAX_CPUS], cpu[AMP_MAX_CPUS];
  unsigned i, size;

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
  if (!gomp_amp_weighted.size_given)
    {
      if (gomp_global_icv.dyn_var && size > gomp_available_cpus)
	size = gomp_available_cpus;
      if (size > gomp_global_icv.thread_limit_var)
	size = gomp_global_icv.thread_limit_var;
      gomp_global_icv.nthreads_var = size;
    }
  gomp_amp_weighted.places_teams = true;
  /* Its threads are equally fast, so for the core's loops all CPUs are.  */
  gomp_amp_forget_types ();
}

/* A thread that has no ICVs of its own yet asks for them: the first one
   measures how fast CPUs are, if that is what is missing, before anybody can
   know how many threads a team will have.  So a process without teams measures
   nothing.  */

void
gomp_amp_settle_team (void)
{
  double speed[AMP_TOPOLOGY_TYPES];

  if (__builtin_expect (!__atomic_load_n (&gomp_amp_weighted.unsettled,
					  MEMMODEL_ACQUIRE), 1))
    return;
  gomp_mutex_lock (&gomp_amp_settle_lock);
  if (gomp_amp_weighted.unsettled)
    {
      if (gomp_amp_measure_types (speed))
	gomp_amp_begin_placing (speed);
      __atomic_store_n (&gomp_amp_weighted.unsettled, false, MEMMODEL_RELEASE);
    }
  gomp_mutex_unlock (&gomp_amp_settle_lock);
}

static const char *
gomp_amp_read_team (const char *value, char message[AMP_MESSAGE_MAX])
{
  return (value != NULL
	  ? amp_parse_team (value, &gomp_amp_weighted.most, message) : NULL);
}

static void
gomp_amp_show_team (const char *name __attribute__ ((unused)))
{
  if (gomp_amp_weighted.most == 0)
    fputs ("OFF", stderr);
  else
    fprintf (stderr, "WEIGHTED,%u", gomp_amp_weighted.most);
}

static void
gomp_amp_init_team (void)
{
  const struct amp_topology *t = &gomp_amp_topology;
  double speed[AMP_TOPOLOGY_TYPES];
  double quota;

  if (gomp_amp_weighted.most == 0)
    return;
  if (gomp_amp_placed || gomp_places_list != NULL)
    {
      gomp_error ("GOMP_AMP_TEAM does not place threads, because "
		  "OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY or "
		  "GOMP_AMP_AFFINITY is set");
      gomp_amp_weighted.most = 0;
      return;
    }
  if (gomp_cpusetp == NULL || t->norder < 2 || t->types < 2)
    return;
  gomp_amp_weighted.all = gomp_malloc (gomp_cpuset_size);
  memcpy (gomp_amp_weighted.all, gomp_cpusetp, gomp_cpuset_size);
  gomp_amp_weighted.size_given = gomp_amp_num_threads_p ();
  quota = amp_read_quota (&gomp_amp_source);
  gomp_amp_weighted.may_spin = !(quota > 0.0 && quota < t->norder);
  gomp_mutex_init (&gomp_amp_settle_lock);
  if (gomp_amp_type_speeds (speed))
    gomp_amp_begin_placing (speed);
  else
    gomp_amp_weighted.unsettled = true;
}

static void
gomp_amp_display_team (void)
{
  unsigned short *cpu;
  unsigned i;

  gomp_amp_settle_team ();
  /* From GCC 13 on OMP_NUM_THREADS is shown as the user gave it.  */
  fprintf (stderr, "  [host] threads of a team = '%lu'\n",
	   gomp_global_icv.nthreads_var);
  if (gomp_amp_weighted.most == 0)
    return;
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

#else

void
gomp_amp_settle_team (void)
{
}

#endif
