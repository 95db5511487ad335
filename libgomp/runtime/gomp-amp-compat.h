/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What differs between the versions of libgomp, told by their own macros.
   Included by gomp-amp.h.  */

#ifndef GOMP_AMP_COMPAT_H
#define GOMP_AMP_COMPAT_H 1

#include "gomp-constants.h"

/* No entry points of their own for nonmonotonic runtime loops, and no
   gomp_aligned_alloc.  Task reductions came with the same version.  */
#ifndef GOMP_TASK_FLAG_REDUCTION
# define GOMP_AMP_BEFORE_GCC_9 1
#endif

/* What ends gomp_team_start's arguments where there are no task reductions.  */
#ifdef GOMP_AMP_BEFORE_GCC_9
# define GOMP_AMP_NO_TASKGROUP
#else
# define GOMP_AMP_NO_TASKGROUP , NULL
#endif

#ifdef GOMP_AMP_BEFORE_GCC_9
static inline void *
gomp_aligned_alloc (size_t alignment, size_t size)
{
  void *ret;

  if (posix_memalign (&ret, alignment, size) != 0)
    gomp_fatal ("Out of memory allocating %lu bytes", (unsigned long) size);
  return ret;
}

static inline void
gomp_aligned_free (void *ptr)
{
  free (ptr);
}
#endif

#endif
