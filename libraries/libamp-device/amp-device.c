/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   amp_device_for: the team, the lanes, and what happens at the end.

   The calling thread opens a parallel region, whose threads are the cores'
   lanes; the devices' lanes are served by host threads (host.c).  Who finds
   nothing left sleeps until all devices are through with their last chunks: one
   of these may be given back, and then all do it.  */

#include "amp-core.c"
#include "amp-device-sched.c"
#include <omp.h>
#include <stdlib.h>
#include "device.h"

/* Below this many nanoseconds a chunk of a core's is not worth its grant: some
   100,000 cycles, as the paper has it for TBB.  */
#define SHORT_NS 50000

/* Unless told otherwise.  */
#define LEAST 64

static __thread struct amp_device_result last_result;

void
amp_device_init_options (struct amp_device_options *options)
{
  memset (options, 0, sizeof *options);
  options->place = AMP_DEVICE_FREE;
}

void
amp_device_get_result (struct amp_device_result *result)
{
  *result = last_result;
}

/* The range's ORDINAL-th iteration; a range may be longer than int64_t's
   largest value.  */

static int64_t
chunk_bound (const struct run *run, uint64_t ordinal)
{
  return (int64_t) ((uint64_t) run->begin + ordinal);
}

/* Run chunks of LANE by the cores' body until nothing is left, and no device
   works that could give something back.  */

static void
serve_core (struct run *run, struct amp_lane *lane)
{
  struct amp_loop *loop = run->loop;
  uint64_t scheduling = 0, chunks = 0, asked;
  struct amp_chunk chunk;
  unsigned seen = 0;

  asked = now_ns ();
  for (;;)
    {
      while (amp_loop_take_or_end (loop, lane, &chunk))
	{
	  int64_t begin = chunk_bound (run, chunk.begin);
	  int64_t end = chunk_bound (run, chunk.end);
	  uint64_t got = now_ns ();

	  scheduling += got - asked;
	  chunks++;
	  run->cores_body (begin, end, run->data);
	  asked = now_ns ();
	  if (tracing)
	    trace_chunk (run, lane->id, begin, end, got, got, asked, NULL);
	}
      pthread_mutex_lock (&run->lock);
      while (run->working != 0 && run->returned == seen)
	pthread_cond_wait (&run->changed, &run->lock);
      if (run->returned == seen)
	break;
      seen = run->returned;
      pthread_mutex_unlock (&run->lock);
      amp_device_again (lane);
      asked = now_ns ();
    }
  run->sums.cores_scheduling += scheduling;
  run->sums.cores_chunks += chunks;
  pthread_mutex_unlock (&run->lock);
}

/* The paper's figure 4: scheduling from TC1 to TC2, then the body until TC3, of
   which CALL tells what it knows.  The share of the body's time that does not
   depend on the chunk's size, or 0.  */

static double
add_times (struct sums *sums, uint64_t tc1, uint64_t tc2, uint64_t tc3,
	   const struct amp_device_call *call)
{
  const uint64_t *tg = call->time;
  uint64_t dispatch;

  sums->scheduling += tc2 - tc1;
  sums->busy += tc3 - tc2;
  if (tg[4] == 0 || tg[4] - tg[0] > tc3 - tc2 || tg[1] < tg[0]
      || tg[2] < tg[1] || tg[3] < tg[2] || tg[4] < tg[3])
    {
      sums->untold++;
      return 0.0;
    }
  dispatch = tc3 - tc2 - (tg[4] - tg[0]);
  sums->to_device += tg[1] - tg[0];
  sums->launch += tg[2] - tg[1];
  sums->kernel += tg[3] - tg[2];
  sums->from_device += tg[4] - tg[3];
  sums->dispatch += dispatch;
  return ((double) (tg[2] - tg[1] + dispatch)
	  / (double) (tc3 - tc2 != 0 ? tc3 - tc2 : 1));
}

static void
add_sums (struct sums *to, const struct sums *from)
{
  const uint64_t *f = (const uint64_t *) from;
  uint64_t *t = (uint64_t *) to;

  for (unsigned i = 0; i < sizeof *to / sizeof *t; i++)
    t[i] += f[i];
}

/* The device of number D is through, with all its chunks if ERROR is 0.  */

static void
leave_device (struct run *run, const struct sums *sums, int error)
{
  pthread_mutex_lock (&run->lock);
  add_sums (&run->sums, sums);
  run->working--;
  if (error != 0)
    {
      run->returned++;
      if (run->error == 0)
	run->error = error;
    }
  pthread_cond_broadcast (&run->changed);
  pthread_mutex_unlock (&run->lock);
}

void
serve_device (struct run *run, unsigned d)
{
  struct amp_lane *lane = amp_loop_lane (run->loop, run->cores + d);
  struct sums sums;
  struct amp_chunk chunk;
  uint64_t tc1, tc2, tc3;
  int error = 0;

  memset (&sums, 0, sizeof sums);
  amp_loop_enter (run->loop, lane, 1 + d);
  tc1 = now_ns ();
  while (error == 0 && amp_loop_take_or_end (run->loop, lane, &chunk))
    {
      struct amp_device_call call = { .device = (int) d };
      int64_t begin = chunk_bound (run, chunk.begin);
      int64_t end = chunk_bound (run, chunk.end);

      tc2 = now_ns ();
      error = run->device_body (begin, end, run->data, &call);
      tc3 = now_ns ();
      if (error != 0)
	break;
      sums.chunks++;
      sums.on_devices += chunk.end - chunk.begin;
      amp_device_tell (lane, add_times (&sums, tc1, tc2, tc3, &call));
      if (tracing)
	trace_chunk (run, lane->id, begin, end, tc1, tc2, tc3, &call);
      tc1 = now_ns ();
    }
  if (error == 0)
    sums.scheduling += now_ns () - tc1;
  else
    {
      amp_device_give_back (run->loop, lane, chunk);
      complain ("%s: error %d in a chunk of %ju iterations, which the cores "
		"do instead; it gets no more in this loop",
		run->options.name[d] != NULL ? run->options.name[d] : "device",
		error, (uintmax_t) (chunk.end - chunk.begin));
    }
  leave_device (run, &sums, error);
  if (error != 0)
    serve_core (run, lane);
}

/* How many threads the cores get.  Where the host threads are counted among
   them, the calling thread remains in any case.  */

static unsigned
core_threads (const struct run *run, unsigned devices)
{
  int threads = omp_get_max_threads ();

  if (!run->options.beside)
    threads -= (int) devices;
  return threads < 1 ? 1 : threads > 4096 ? 4096 : (unsigned) threads;
}

/* What RUN's options say of its plan.  */

static void
make_plan (struct run *run, unsigned devices)
{
  const struct amp_device_options *o = &run->options;
  static struct amp_device_memory none[AMP_DEVICE_MAX];
  struct amp_device_plan *plan = &run->plan;

  plan->devices = devices;
  plan->percent = o->percent < 0 ? 0 : o->percent > 100 ? 100 : o->percent;
  plan->kind = (o->policy == AMP_DEVICE_DYNAMIC ? AMP_DEVICE_IS_DYNAMIC
		: o->policy == AMP_DEVICE_BULK
		  || o->policy == AMP_DEVICE_ORACLE ? AMP_DEVICE_IS_BULK
		: AMP_DEVICE_IS_ADAPTIVE);
  if (o->policy == AMP_DEVICE_ORACLE && run->site != NULL)
    plan->percent = oracle_percent (run->site);
  for (unsigned d = 0; d < devices; d++)
    {
      struct amp_device_of *device = &plan->device[d];

      device->least = o->least[d] > 0 ? o->least[d] : LEAST;
      device->chunk = o->chunk[d] > 0 ? (uint64_t) o->chunk[d] : device->least;
      /* Without a site nothing is remembered; one memory for all of these,
	 each device's by its one host thread.  */
      device->memory = run->site != NULL ? &run->site->memory[d] : &none[d];
      if (run->site == NULL)
	memset (device->memory, 0, sizeof *device->memory);
    }
}

/* The devices of RUN come in from number 0 on; those that do not, as they are
   in another loop, have no part in this one.  They see nothing of it before it
   is begun, which is published to them by RUN's lock.  */

static unsigned
enter_devices (struct run *run, unsigned devices)
{
  unsigned d;

  for (d = 0; d < devices; d++)
    if (!host_enter (d, run))
      break;
  return d;
}

/* The end of RUN, of N iterations: what is told of it.  */

static void
finish (struct run *run, uint64_t n, bool whole)
{
  struct amp_device_result *r = &last_result;
  uint64_t took = now_ns () - run->began;
  const struct sums *s = &run->sums;

  r->iterations = n;
  r->on_devices = s->on_devices;
  r->chunks = s->chunks;
  r->percent = run->plan.percent;
  r->chunk = run->plan.device[0].chunk;
  if (run->plan.kind == AMP_DEVICE_IS_ADAPTIVE && run->plan.devices != 0)
    r->chunk = run->plan.device[0].memory->search.size;
  r->total = took;
  r->scheduling = s->scheduling;
  r->to_device = s->to_device;
  r->launch = s->launch;
  r->kernel = s->kernel;
  r->from_device = s->from_device;
  r->dispatch = s->dispatch;
  r->cores_scheduling = s->cores_scheduling;
  r->cores_chunks = s->cores_chunks;
  if (run->site != NULL)
    site_add (run, n, took, whole);
}

static void
run_cores (struct run *run)
{
#pragma omp parallel num_threads (run->cores)
  {
    struct amp_lane *lane
      = amp_loop_lane (run->loop, (unsigned) omp_get_thread_num ());

    amp_loop_enter (run->loop, lane, 0);
    serve_core (run, lane);
  }
}

/* The number of devices that are wanted.  */

static unsigned
wanted_devices (const struct run *run)
{
  int devices = run->options.devices > 0 ? run->options.devices : 1;

  if (run->device_body == NULL || run->options.policy == AMP_DEVICE_OFF)
    return 0;
  return devices > AMP_DEVICE_MAX ? AMP_DEVICE_MAX : (unsigned) devices;
}

int
amp_device_for (int64_t begin, int64_t end, amp_device_cores cores,
		amp_device_body device, void *data,
		const struct amp_device_options *options)
{
  static uint64_t executions;
  struct run run;
  struct amp_setup setup;
  unsigned wanted, devices;

  if (begin >= end)
    {
      memset (&last_result, 0, sizeof last_result);
      return 0;
    }
  memset (&run, 0, sizeof run);
  pthread_mutex_init (&run.lock, NULL);
  pthread_cond_init (&run.changed, NULL);
  run.began = now_ns ();
  run.begin = begin;
  run.cores_body = cores;
  run.device_body = device;
  run.data = data;
  run.number = __atomic_add_fetch (&executions, 1, __ATOMIC_RELAXED);
  if (options != NULL)
    run.options = *options;
  else
    amp_device_init_options (&run.options);
  environment_options (&run.options);
  wanted = wanted_devices (&run);
  /* Until the loop is begun, below, host threads wait for this lock.  */
  pthread_mutex_lock (&run.lock);
  run.working = run.hosts = devices = enter_devices (&run, wanted);
  run.cores = core_threads (&run, devices);
  memset (&setup, 0, sizeof setup);
  setup.n = (uint64_t) end - (uint64_t) begin;
  run.site = find_site (__builtin_return_address (0), cores, run.cores,
			devices, setup.n);
  make_plan (&run, devices);
  setup.lanes = run.cores + devices;
  setup.types = 1 + devices;
  setup.min_ticks = SHORT_NS;
  setup.extra = &run.plan;
  run.loop = aligned_alloc (AMP_LINE, amp_loop_size (setup.lanes,
						     setup.types));
  if (run.loop == NULL)
    abort ();
  amp_loop_format (run.loop, setup.lanes, setup.types);
  amp_loop_init (run.loop, &amp_device_ops, &setup);
  pthread_mutex_unlock (&run.lock);
  run_cores (&run);
  pthread_mutex_lock (&run.lock);
  while (run.hosts != 0)
    pthread_cond_wait (&run.changed, &run.lock);
  pthread_mutex_unlock (&run.lock);
  finish (&run, setup.n, devices == wanted);
  free (run.loop);
  pthread_cond_destroy (&run.changed);
  pthread_mutex_destroy (&run.lock);
  return run.error;
}
