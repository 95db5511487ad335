/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   CPUID on a CPU of choice: the machine's amp_cpuid_fn.  AMP_CPUID is that
   function, or NULL on other architectures.  Called by one thread, before
   there are others.  */

#include <sched.h>
#include "amp-topology.h"

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>

#define AMP_CPUID amp_cpuid

/* The mask of the calling thread before it was first bound, or NULL.  */
static cpu_set_t *amp_cpuid_saved;

/* Bind the calling thread to CPU.  */

static bool
amp_cpuid_bind (unsigned cpu)
{
  size_t size = CPU_ALLOC_SIZE (AMP_MAX_CPUS);
  cpu_set_t *set;
  bool ok;

  if (amp_cpuid_saved == NULL)
    {
      amp_cpuid_saved = CPU_ALLOC (AMP_MAX_CPUS);
      if (amp_cpuid_saved == NULL)
	return false;
      if (sched_getaffinity (0, size, amp_cpuid_saved) != 0)
	{
	  CPU_FREE (amp_cpuid_saved);
	  amp_cpuid_saved = NULL;
	  return false;
	}
    }
  set = CPU_ALLOC (AMP_MAX_CPUS);
  if (set == NULL)
    return false;
  CPU_ZERO_S (size, set);
  CPU_SET_S (cpu, size, set);
  ok = sched_setaffinity (0, size, set) == 0;
  CPU_FREE (set);
  return ok;
}

static bool
amp_cpuid (int cpu, unsigned leaf, unsigned sub, unsigned reg[4])
{
  static int bound = AMP_CPUID_HERE;
  unsigned a, b, c, d;

  if (cpu == AMP_CPUID_DONE)
    {
      if (amp_cpuid_saved != NULL)
	{
	  sched_setaffinity (0, CPU_ALLOC_SIZE (AMP_MAX_CPUS),
			     amp_cpuid_saved);
	  CPU_FREE (amp_cpuid_saved);
	  amp_cpuid_saved = NULL;
	}
      bound = AMP_CPUID_HERE;
      return true;
    }
  if (cpu != AMP_CPUID_HERE && cpu != bound)
    {
      if (!amp_cpuid_bind (cpu))
	return false;
      bound = cpu;
    }
  /* Every processor that has the instruction has more leaves than 0.  */
  if (leaf == 0 && __get_cpuid_max (0, NULL) == 0)
    return false;
  __cpuid_count (leaf, sub, a, b, c, d);
  reg[0] = a;
  reg[1] = b;
  reg[2] = c;
  reg[3] = d;
  return true;
}

#else
# define AMP_CPUID NULL
#endif
