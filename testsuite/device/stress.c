/* SPDX-License-Identifier: GPL-3.0-or-later

   Real threads on the schedule for cores and devices, for ThreadSanitizer: every
   iteration writes a plain word, so that one run twice is a race, and what is
   given back is written by others than the one that gave it back.

     stress [LOOPS]

   The last line is "N passed, N failed, N skipped".  */

#include "amp-core.c"
#include "amp-device-sched.c"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CORES 3
#define DEVICES 2
#define N 3000

static struct amp_loop *loop;
static struct amp_device_plan plan;
static struct amp_device_memory memory[DEVICES];
static int fails[DEVICES];
static unsigned cell[N];
static pthread_barrier_t barrier;

static void
work (const struct amp_chunk *chunk)
{
  for (uint64_t i = chunk->begin; i < chunk->end; i++)
    cell[i]++;
}

static void
run_lane (unsigned id)
{
  struct amp_lane *lane = amp_loop_lane (loop, id);
  unsigned d = amp_device_number (loop, id), number = 0;
  struct amp_chunk chunk;

  amp_loop_enter (loop, lane, 0);
  for (int again = 0; again < 2; again++)
    {
      while (amp_loop_take_or_end (loop, lane, &chunk))
	if (d < DEVICES && ++number == (unsigned) fails[d])
	  {
	    /* What was done in part is done again.  */
	    chunk.end -= (chunk.end - chunk.begin) / 2;
	    work (&chunk);
	    for (uint64_t i = chunk.begin; i < chunk.end; i++)
	      cell[i] = 0;
	    chunk.end = chunk.begin + lane->timed;
	    amp_device_give_back (loop, lane, chunk);
	  }
	else
	  work (&chunk);
      amp_device_again (lane);
    }
}

static void *
thread_main (void *data)
{
  unsigned id = *(unsigned *) data;

  for (;;)
    {
      pthread_barrier_wait (&barrier);
      if (loop == NULL)
	return NULL;
      run_lane (id);
      pthread_barrier_wait (&barrier);
    }
}

int
main (int argc, char **argv)
{
  unsigned loops = argc > 1 ? (unsigned) atoi (argv[1]) : 300, i, k, wrong = 0;
  unsigned ids[CORES + DEVICES];
  pthread_t threads[CORES + DEVICES];
  struct amp_loop *block
    = aligned_alloc (AMP_LINE, amp_loop_size (CORES + DEVICES, 1 + DEVICES));
  struct amp_setup setup;

  amp_loop_format (block, CORES + DEVICES, 1 + DEVICES);
  loop = block;
  memset (&setup, 0, sizeof setup);
  setup.n = N;
  setup.lanes = CORES + DEVICES;
  setup.types = 1 + DEVICES;
  setup.min_ticks = 1000;
  setup.extra = &plan;
  plan.devices = DEVICES;
  for (i = 0; i < DEVICES; i++)
    plan.device[i] = (struct amp_device_of) { 8, 64, &memory[i] };
  pthread_barrier_init (&barrier, NULL, CORES + DEVICES + 1);
  for (i = 0; i < CORES + DEVICES; i++)
    {
      ids[i] = i;
      pthread_create (&threads[i], NULL, thread_main, &ids[i]);
    }
  for (k = 0; k < loops; k++)
    {
      plan.kind = k % 3;
      plan.percent = k % 101;
      for (i = 0; i < DEVICES; i++)
	fails[i] = (int) (k / 3 + i) % 4;
      memset (cell, 0, sizeof cell);
      amp_loop_init (loop, &amp_device_ops, &setup);
      pthread_barrier_wait (&barrier);
      pthread_barrier_wait (&barrier);
      for (i = 0; i < N; i++)
	wrong += cell[i] != 1;
    }
  loop = NULL;
  pthread_barrier_wait (&barrier);
  for (i = 0; i < CORES + DEVICES; i++)
    pthread_join (threads[i], NULL);
  if (wrong != 0)
    printf ("FAIL: %u iterations not once\n", wrong);
  printf ("%u passed, %u failed, 0 skipped\n", wrong == 0, wrong != 0);
  return wrong != 0;
}
