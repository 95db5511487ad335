/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the programs over ranks share: options, rounds, and the line of JSON that
   scripts/bench reads.  A program is run several rounds, each the whole of it,
   so that what libamp-mpi remembers of its loops shows.  */

#ifndef AMP_RANKS_H
#define AMP_RANKS_H

#include "../kernels/common/bench.h"

#include "amp_mpi.h"

#include <stdint.h>

extern int ranks_size, ranks_rank;
extern char ranks_class;
/* From --schedule, --chunk and --percent.  */
extern struct amp_mpi_options ranks_loop;
/* --damage: a result is to be falsified, for tests.  */
extern bool ranks_damage;

/* MPI_Init, and the options; VALID as bench_parse has it.  */
extern void ranks_begin (int argc, char **argv, const char *name,
			 const char *valid);

/* amp_mpi_for as loop SITE, on all ranks, or the end of the program.  */
extern void ranks_for (int64_t n, int site, amp_mpi_body *body,
		       amp_mpi_body *fetch);

/* Run ROUND as often as --rounds says, with barriers between, and note how long
   each took the rank that it took longest.  */
extern void ranks_rounds (void (*round) (void));

/* MPI_Finalize, and on rank 0 bench_report; VERIFIED counts there only.  Returns
   the exit status.  The seconds are the median of the last three rounds, of
   fewer that of all but the first, unless there is but one.  */
extern int ranks_end (bool verified);

/* Zeroed memory, or the end of the program.  */
extern void *ranks_allocate (size_t count, size_t size);

#endif /* AMP_RANKS_H */
