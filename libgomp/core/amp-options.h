/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Parsing of OMP_SCHEDULE and GOMP_AMP_*.  Pure functions: text in, value or
   message out.  */

#ifndef AMP_OPTIONS_H
#define AMP_OPTIONS_H 1

#include "amp.h"

/* A message that says what is wrong with a value and what is valid.  */
#define AMP_MESSAGE_MAX 400

/* The kinds that OpenMP defines, as in omp_sched_t.  */
enum { AMP_KIND_STATIC = 1, AMP_KIND_DYNAMIC, AMP_KIND_GUIDED, AMP_KIND_AUTO };

struct amp_schedule
{
  int kind;
  int modifier;		/* 1 monotonic, -1 nonmonotonic, 0 neither.  */
  struct amp_params params;
};

/* Parse TEXT by the grammar
     [(monotonic|nonmonotonic):]name[,number[,number]]
   case-insensitive, `-' and `_' alike, white space around every token.
   NULL if it is valid, else MESSAGE, which is then filled in.  */
static const char *amp_parse_schedule (const char *text,
				       struct amp_schedule *schedule,
				       char message[AMP_MESSAGE_MAX]);

/* Parse GOMP_AMP_REPLACE's TEXT by the grammar
     (static=aid_static|dynamic=schedule|guided=schedule)[;...]
   where a schedule is one of the core's, by the grammar above without a
   modifier, and a comma may stand for a semicolon.  REPLACE has the schedule
   for each of libgomp's kinds, static to guided.  What is not named gets
   kind 0.  NULL, or MESSAGE and kind 0 for all.  */
static const char *amp_parse_replace (const char *text,
				      struct amp_schedule
					replace[AMP_KIND_GUIDED + 1],
				      char message[AMP_MESSAGE_MAX])
  __attribute__ ((unused));

/* How GOMP_AMP_AFFINITY binds.  */
enum amp_affinity
{
  AMP_AFFINITY_OFF,
  AMP_AFFINITY_BS,	/* Big cores to the low thread numbers.  */
  AMP_AFFINITY_SB	/* Small cores to the low thread numbers.  */
};

/* Parse GOMP_AMP_AFFINITY's TEXT.  NULL or MESSAGE.  */
static const char *amp_parse_affinity (const char *text,
				       enum amp_affinity *affinity,
				       char message[AMP_MESSAGE_MAX]);

/* Parse GOMP_AMP_SF: one positive decimal number per core type, fastest type
   first, separated by commas; with two types the second may be left out and
   is then 1.  Stores them in SF[0 .. TYPES-1], scaled such that the least
   is 1.  NULL or MESSAGE.  */
static const char *amp_parse_sf (const char *text, unsigned types, double *sf,
				 char message[AMP_MESSAGE_MAX]);

/* What GOMP_AMP_ENERGY asks for.  */
enum amp_goal_kind { AMP_GOAL_TIME, AMP_GOAL_ENERGY, AMP_GOAL_EDP };

/* Parse GOMP_AMP_ENERGY: time, energy or edp, and BUSY[/IDLE] for each core
   type, fastest type first, all separated by commas: decimal numbers, IDLE at
   most BUSY and 0 if left out.  NULL or MESSAGE.  */
AMP_API const char *amp_parse_energy (const char *text, unsigned types,
				     enum amp_goal_kind *goal, double *busy,
				     double *idle,
				     char message[AMP_MESSAGE_MAX]);

/* Threads a CPU in a weighted team, where the user names no other limit; and
   the greatest that may be named.  */
#define AMP_TEAM_MOST 4
#define AMP_TEAM_LIMIT 64

/* Parse GOMP_AMP_TEAM: off, or weighted[,most threads a CPU].  *MOST becomes
   0 for off.  NULL or MESSAGE.  */
AMP_API const char *amp_parse_team (const char *text, unsigned *most,
				   char message[AMP_MESSAGE_MAX]);

#endif
