/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Weighted teams (GOMP_AMP_TEAM): what the parts that are about them share, and
   what they have for others.

   A team of the outermost level whose first thread has the process's own mask
   gets a crew: which CPU each of its threads is on, and for each CPU a group of
   those that share it.  gomp-amp-team-place.c says what the environment asks
   for, how fast the CPUs are and which of them a thread is bound to,
   gomp-amp-team-wait.c how a group waits.  amp-place.c says where threads
   go.  */

#ifndef GOMP_AMP_TEAM_WAIT_H
#define GOMP_AMP_TEAM_WAIT_H 1

#ifdef GOMP_AMP_CREWS

#include "wait.h"
#include "amp-place.c"

struct gomp_amp_meeting
{
  unsigned arrived;
  unsigned word;
};

struct gomp_amp_group
{
  /* Inside of a region; and at its end.  */
  struct gomp_amp_meeting barrier, end;
  /* Where the team's first thread waits at the region's end.  */
  unsigned first_word;
  /* Threads that are at the dock.  */
  unsigned docked;
  /* Threads in all, and whether the team's first one is among them.  */
  unsigned size;
  bool has_first;
} __attribute__ ((aligned (AMP_LINE)));

struct gomp_amp_crew
{
  unsigned users;		/* See gomp-amp-team-wait.c.  */
  unsigned nthreads;
  unsigned short *group_of;	/* By thread number.  */
  unsigned helpers;		/* Sleepers that are out for tasks.  */
  bool may_have_tasks;		/* ... to call them for.  */
  bool at_dock;			/* Its threads are, or go there.  */
  bool own_masks;		/* The program has bound threads of it.  */
  struct gomp_amp_group group[];	/* By index of the CPU.  */
};

/* Written by the constructor, or, if the CPUs are to be timed first, by
   gomp_amp_settle_team.  */

GOMP_AMP_PART struct
{
  bool unsettled;		/* The CPUs are to be timed.  */
  bool places_teams;
  bool size_given;		/* By OMP_NUM_THREADS.  */
  bool may_spin;		/* No quota of CPU time is in force.  */
  unsigned most;		/* GOMP_AMP_TEAM's number; 0: not asked for.  */
  unsigned size;		/* Threads where nothing else is said.  */
  unsigned ncpus;
  unsigned short *cpu;		/* In the order of placement.  */
  double *speed;		/* Of each.  */
  unsigned *load;		/* Threads on each, in a team of `size'.  */
  cpu_set_t *all;		/* The process's mask.  */
} gomp_amp_weighted;

/* gomp-amp-team-wait.c.  */

/* TEAM comes from the allocator, and goes.  */
GOMP_AMP_PART void gomp_amp_new_crew (struct gomp_team *team);
GOMP_AMP_PART_INLINE void gomp_amp_free_crew (struct gomp_team *team);

static inline struct gomp_amp_group *
gomp_amp_group (struct gomp_amp_crew *crew, unsigned thread)
{
  return &crew->group[crew->group_of[thread]];
}

/* Do threads of G meet before the team's barriers?  */

static inline bool
gomp_amp_meets_p (const struct gomp_amp_group *g)
{
  return g->size > 1 && !gomp_cancel_var;
}

/* gomp-amp-team-place.c.  */

/* For the handler of fork, in the child.  */
GOMP_AMP_PART void gomp_amp_crews_after_fork (void);

/* May the calling thread be put on a CPU?  */

enum gomp_amp_root
{
  GOMP_AMP_ROOT_NEW,		/* Has begun no team yet.  */
  GOMP_AMP_ROOT_OURS,		/* May be put on a CPU.  */
  GOMP_AMP_ROOT_OWN		/* Somebody else has bound it.  */
};

GOMP_AMP_PART __thread enum gomp_amp_root gomp_amp_root;

GOMP_AMP_PART void gomp_amp_set_affinity (const cpu_set_t *set);
GOMP_AMP_PART bool gomp_amp_unconfined_p (pthread_t thread);
GOMP_AMP_PART void gomp_amp_bind (unsigned cpu);
GOMP_AMP_PART_INLINE void
gomp_amp_sit (const struct gomp_amp_group *g, unsigned nthreads, bool alone);
/* The calling thread is number THREAD of a team with CREW, or none.  */
GOMP_AMP_PART void
gomp_amp_sit_in (struct gomp_amp_crew *crew, unsigned thread);

/* The calling thread, TEAM's first, begins and ends its region.  */
GOMP_AMP_PART_INLINE void gomp_amp_take_seat (struct gomp_team *team);
GOMP_AMP_PART_INLINE void gomp_amp_leave_seat (struct gomp_team *team);

/* gomp-amp-team-place.c.  */

/* After all else that the environment says.  */
GOMP_AMP_PART void gomp_amp_init_team (void);
GOMP_AMP_PART const char *
gomp_amp_read_team (const char *value, char message[AMP_MESSAGE_MAX]);
GOMP_AMP_PART void gomp_amp_show_team (const char *name);
GOMP_AMP_PART void gomp_amp_display_team (void);

#else

static inline void
gomp_amp_crews_after_fork (void)
{
}

static void
gomp_amp_new_crew (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_free_crew (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_take_seat (struct gomp_team *team __attribute__ ((unused)))
{
}

static inline void
gomp_amp_leave_seat (struct gomp_team *team __attribute__ ((unused)))
{
}

static const char *
gomp_amp_read_team (const char *value,
		   char message[AMP_MESSAGE_MAX] __attribute__ ((unused)))
{
  return value != NULL ? "not available in this version" : NULL;
}

static void
gomp_amp_show_team (const char *name __attribute__ ((unused)))
{
}

static inline void
gomp_amp_init_team (void)
{
}

static void
gomp_amp_display_team (void)
{
}

#endif

#endif
