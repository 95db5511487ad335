/* Memory of a thread's own that nests of loops fill, as far as numbers say that
   are known when the program runs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rules.h"
#define COMMA ,

/* How far W goes.  */
static long
side (int n)
{
  return 3 + (long) (in[n & 63] & 3);
}

#define SCRATCH(FILL, READ, LEFT)					\
  {									\
    long d = side (n);							\
    _Pragma ("omp parallel")						\
    {									\
      u64 *w = (u64 *) calloc (300, sizeof *w);				\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  u64 s = 0;							\
	  FILL;								\
	  READ;								\
	  out0[i] = s;							\
	  LEFT;								\
	}								\
      free (w);								\
    }									\
  }
#define TO(K, END) for (long K = 0; K < END; K++)

CASE (square)
SCRATCH (/* amp: any or static at -O0 */
	 TO (a, d) TO (b, d) w[a * d + b] = i + a * b,
	 TO (b, d) TO (a, d) s = s * 3 + w[a * d + b],)
CASE (square_with_gaps)
SCRATCH (/* amp: any or static at -O0 */
	 TO (a, d) TO (b, d) w[a * (d + 2) + b] = i + a * b,
	 TO (a, d) TO (b, d) s = s * 3 + w[a * (d + 2) + b],)
CASE (square_added_to)
SCRATCH (/* amp: any or static at -O0 */
	 TO (a, d) TO (b, d) w[a * d + b] = i,
	 TO (k, 3) TO (a, d) TO (b, d) s += w[a * d + b] += k,)
CASE (square_and_a_row)
SCRATCH (/* amp: static */
	 TO (a, d) TO (b, d) w[a * d + b] = i + a * b,
	 TO (a, d + 1) TO (b, d) s = s * 3 + w[a * d + b],
	 w[d * d] = i)
CASE (square_of_another_width)
SCRATCH (/* amp: static */
	 TO (a, d) TO (b, d) w[a * d + b] = i + a * b,
	 TO (a, d) TO (b, d) s = s * 3 + w[a * (d + 1) + b],
	 w[d * d] = i)
CASE (triangle)
SCRATCH (/* amp: static */
	 TO (a, d) TO (b, a) w[a * d + b] = i + a * b,
	 TO (a, d) TO (b, d) s = s * 3 + w[a * d + b],
	 w[0] = i)
CASE (square_in_part)
SCRATCH (/* amp: static */
	 TO (a, d) TO (b, d) if (in[a] & 1) w[a * d + b] = i + a * b,
	 TO (a, d) TO (b, d) s = s * 3 + w[a * d + b],
	 w[0] = i)
CASE (square_left_early)
SCRATCH (/* amp: static */
	 TO (a, d) { if (in[i & 63] & 1) break; TO (b, d) w[a * d + b] = i; },
	 TO (a, d) TO (b, d) s = s * 3 + w[a * d + b],
	 w[0] = i)
CASE (square_at_times)
SCRATCH (/* amp: static */
	 TO (k, (i & 1)) TO (a, d) TO (b, d) w[a * d + b] = i,
	 TO (a, d) TO (b, d) s = s * 3 + w[a * d + b],
	 w[0] = i)
CASE (square_of_the_turn)
SCRATCH (/* amp: any or static at -O0 */
	 TO (k, 3) { TO (a, d) w[k * d + a] = i;
		     TO (a, d) s = s * 3 + w[k * d + a]; },,)
CASE (square_of_the_next_turn)
SCRATCH (/* amp: static */
	 TO (k, 3) { TO (a, d) w[k * d + a] = i;
		     TO (a, d) s = s * 3 + w[k * d + d + a]; },,)
CASE (least_of_two_bounds)
SCRATCH (/* amp: any or static at -O0 */
	 TO (a, (d < 5 ? d : 5)) w[a] = i + a,
	 TO (a, (d < 5 ? d : 5)) s = s * 3 + w[a],)
CASE (line_and_its_neighbours)
SCRATCH (/* amp: any or static at -O0 */
	 TO (a, d) w[a] = i + a,
	 for (long a = 1; a < d - 1; a++) s = s * 3 + w[a - 1] - w[a + 1],)
CASE (line_and_beyond)
SCRATCH (/* amp: static */
	 TO (a, d) w[a] = i + a,
	 TO (a, d) s = s * 3 + w[a + 1],
	 w[d] = i)
CASE (line_but_its_last)
SCRATCH (/* amp: static */
	 TO (a, d - 1) w[a] = i + a,
	 TO (a, d) s = s * 3 + w[a],
	 w[d - 1] = i)
CASE (line_and_before)
SCRATCH (/* amp: static */
	 for (long a = 1; a < d; a++) w[a] = i + a,
	 TO (a, d - 1) s = s * 3 + w[a],
	 w[0] = i)
CASE (line_whose_bound_wraps)
SCRATCH (/* amp: static */
	 unsigned char u = d + 248;
	 for (unsigned char k = 0; k < (unsigned char) (u + 8); k++) w[k] = i,
	 for (unsigned char k = 0; k < u; k++) s = s * 3 + w[k],
	 w[200] = i)
CASE (line_read_in_a_test)
SCRATCH (/* amp: static */
	 TO (k, d - 8) w[k] = i,
	 for (long k = 0; s += w[k] COMMA k < d - 9; k++) s++,
	 w[0] = i)
CASE (block_cleared)
SCRATCH (/* amp: any or static at -O0 */
	 memset (w, 0, d * sizeof *w),
	 TO (k, 3) TO (a, d) s += w[a] += i,)
CASE (block_cleared_in_part)
SCRATCH (/* amp: static */
	 memset (w, 0, (d - 1) * sizeof *w),
	 TO (k, 3) TO (a, d) s += w[a] += i,)
CASE (block_cleared_behind)
SCRATCH (/* amp: static */
	 memset (w + 1, 0, d * sizeof *w),
	 TO (k, 3) TO (a, d) s += w[a] += i,)
CASE (block_copied)
SCRATCH (/* amp: any or static at -O0 */
	 memcpy (w, in + (i & 7), d * sizeof *w),
	 TO (a, d) s = s * 3 + w[a],)

/* The pointer and the bound are in memory that others may know, too.  */
struct scratch { u64 *data; long used; };

static u64 __attribute__ ((noinline))
filled (struct scratch *w, int i)
{
  u64 s = 0;
  TO (a, w->used) w->data[a] = i + a;
  TO (a, w->used) s = s * 3 + w->data[a];
  return s;
}

static u64 __attribute__ ((noinline))
moved (struct scratch *w, u64 **p, int i)
{
  u64 s = 0;
  TO (a, w->used) w->data[a] = i + a;
  *p += 1;
  TO (a, w->used) s = s * 3 + w->data[a];
  return s;
}

static u64 __attribute__ ((noinline))
grown (struct scratch *w, long *p, int i)
{
  u64 s = 0;
  TO (a, w->used) w->data[a] = i + a;
  *p += 1;
  TO (a, w->used) s = s * 3 + w->data[a];
  return s;
}

#define HANDED(BEFORE, CALL, LEFT)					\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      struct scratch w = { (u64 *) calloc (128, sizeof (u64)), side (n) }; \
      u64 *all = w.data;						\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  BEFORE;							\
	  out0[i] = CALL;						\
	  LEFT;								\
	}								\
      free (all);							\
    }									\
  }

CASE (filled_by_a_function)
HANDED (/* amp: any or static at -O0 */, filled (&w, i),)
CASE (moved_meanwhile)
HANDED (/* amp: static */ w.data = all, moved (&w, &w.data, i), all[6] = i)
CASE (grown_meanwhile)
HANDED (/* amp: static */ w.used = 3, grown (&w, &w.used, i), all[3] = i)

/* A slice by thread.  */
CASE (slices)
{
  long d = side (n);
  u64 *all = (u64 *) calloc (THREADS, d * d * sizeof *all);
#pragma omp parallel
  {
    u64 *w = all + omp_get_thread_num () * d * d;
#pragma omp for /* amp: any or static at -O0 */
    for (int i = 0; i < n; i++)
      {
	TO (a, d) TO (b, d) w[a * d + b] = i + b;
	TO (a, d) TO (b, d) out0[i] = out0[i] * 3 + w[a * d + b];
      }
  }
  free (all);
}
