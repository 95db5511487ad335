/* SPDX-License-Identifier: GPL-3.0-or-later

   All interleavings of small loops of the schedule for cores and devices, by
   ../model's explorer.

     interleave [--states N] [--walks N] [--verbose]

   The last line is "N passed, N failed, N skipped".  */

#define main model_main
#include "../model/model.c"
#undef main
#include "amp-device-sched.c"

static struct amp_device_plan plan;
/* The devices' memories, and how many chunks each has been given.  */
static struct
{
  struct amp_device_memory memory[2];
  uint64_t given[2];
} words;
/* Which chunk of a device is not done, from 1; 0: all are.  */
static unsigned failing;

static bool
gives_back (unsigned id, struct amp_lane *lane, struct amp_chunk chunk)
{
  struct amp_device_lane *own = amp_lane_own (lane);
  unsigned d = amp_device_number (block, id);

  if (!own->is_device || ++words.given[d] != failing)
    return false;
  amp_device_give_back (block, lane, chunk);
  return true;
}

static const struct
{
  unsigned n, cores, devices, percent, chunk;
  enum amp_device_kind kind;
} shapes[] = {
  { 1, 1, 1, 0, 2, AMP_DEVICE_IS_DYNAMIC },
  { 4, 1, 1, 0, 2, AMP_DEVICE_IS_DYNAMIC },
  { 7, 2, 1, 0, 3, AMP_DEVICE_IS_DYNAMIC },
  { 5, 1, 2, 0, 2, AMP_DEVICE_IS_DYNAMIC },
  { 6, 1, 1, 0, 0, AMP_DEVICE_IS_ADAPTIVE },
  { 8, 2, 1, 0, 0, AMP_DEVICE_IS_ADAPTIVE },
  { 4, 1, 1, 50, 0, AMP_DEVICE_IS_BULK },
  { 3, 1, 1, 100, 0, AMP_DEVICE_IS_BULK },
  { 6, 2, 1, 60, 0, AMP_DEVICE_IS_BULK },
  { 6, 1, 2, 70, 0, AMP_DEVICE_IS_BULK }
};

static void
explore_shape (unsigned s, unsigned variant, size_t states, uint64_t walks)
{
  struct config c;

  memset (&c, 0, sizeof c);
  c.ops = &amp_device_ops;
  c.n = shapes[s].n;
  c.lanes = shapes[s].cores + shapes[s].devices;
  c.types = 1 + shapes[s].devices;
  c.cas = variant & 1;
  memset (&plan, 0, sizeof plan);
  plan.kind = shapes[s].kind;
  plan.devices = shapes[s].devices;
  plan.percent = shapes[s].percent;
  for (unsigned d = 0; d < plan.devices; d++)
    {
      c.type[shapes[s].cores + d] = 1 + d;
      plan.device[d].least = 1;
      plan.device[d].chunk = shapes[s].chunk;
      plan.device[d].memory = &words.memory[d];
    }
  /* No device fails, its first chunk, its second; or the last lane, a device,
     never comes.  */
  failing = variant / 2 < 3 ? variant / 2 : 0;
  c.frozen = variant / 2 == 3;
  beside.gives_back = gives_back;
  beside.again = amp_device_again;
  explore (&c, states, walks);
}

int
main (int argc, char **argv)
{
  size_t states = 20000;
  uint64_t walks = 400;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--states") == 0 && i + 1 < argc)
      states = strtoull (argv[++i], NULL, 10);
    else if (strcmp (argv[i], "--walks") == 0 && i + 1 < argc)
      walks = strtoull (argv[++i], NULL, 10);
    else if (strcmp (argv[i], "--verbose") == 0)
      verbose = true;
    else
      {
	fprintf (stderr, "interleave: what is '%s'?\n", argv[i]);
	return 2;
      }
  beside.extra = &plan;
  beside.words = (uint64_t *) &words;
  beside.nwords = sizeof words / sizeof (uint64_t);
  for (unsigned s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (unsigned variant = 0;
	 /* Blocks of bulk are reserved.  */
	 variant < (shapes[s].kind == AMP_DEVICE_IS_BULK ? 6 : 8)
	 && failed == 0; variant++)
      explore_shape (s, variant, states, walks);
  printf ("%u configurations, %u of them not to the end\n", passed + failed,
	  bounded);
  printf ("%u passed, %u failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
