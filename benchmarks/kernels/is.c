/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NPB IS, written from its specification (NAS technical report RNR-94-007,
   section 2.3.5, with the class parameters and the published ranks of the later
   NPB reports): ten times, two keys are changed and all keys are ranked; at the
   end the keys are sorted by their ranks.

   Keys are ranked in buckets, four loops an iteration.  They are cut into
   fixed blocks, so that what a block counts and where it writes is independent
   of who does it: no loop assumes that it maps blocks to threads as another
   did.  The keys are sums of four uniform numbers, so that the buckets in the
   middle are the fullest.  */

#include "common/app.h"
#include "common/npb.h"

#include <stdint.h>
#include <stdlib.h>

enum { ITERATIONS = 10, TESTS = 5 };

/* In iteration I key number INDEX[K] has rank
   RANK[K] + SHIFT[K] + SLOPE[K] * I, as NPB publishes it for each class.  */
static const struct problem
{
  char klass;
  int keys_log2, range_log2;
  int32_t index[TESTS], rank[TESTS];
  int shift[TESTS], slope[TESTS];
} problems[] = {
  { 'S', 16, 11, { 48427, 17148, 23627, 62548, 4431 },
    { 0, 18, 346, 64917, 65463 }, { 0, 0, 0, 0, 0 }, { 1, 1, 1, -1, -1 } },
  { 'W', 20, 16, { 357773, 934767, 875723, 898999, 404505 },
    { 1249, 11698, 1039987, 1043896, 1048018 }, { -2, -2, 0, 0, 0 },
    { 1, 1, -1, -1, -1 } },
  { 'A', 23, 19, { 2112377, 662041, 5336171, 3642833, 4250760 },
    { 104, 17523, 123928, 8288932, 8388264 }, { -1, -1, -1, 1, 1 },
    { 1, 1, 1, -1, -1 } },
  { 'B', 25, 21, { 41869, 812306, 5102857, 18232239, 26860214 },
    { 33422937, 10244, 59149, 33135281, 99 }, { 0, 0, 0, 0, 0 },
    { -1, 1, 1, -1, 1 } },
};

enum { BUCKETS_LOG2 = 10, BUCKETS = 1 << BUCKETS_LOG2, BLOCKS = 256 };

static long keys, range, loops;
static int bucket_shift;
static int32_t *key, *bucketed, *rank_of;

/* What BLOCK has of each bucket; then where it puts the next one.  */
static int32_t (*place)[BUCKETS];
static int32_t bucket_start[BUCKETS + 1];

static inline long
block_start (long block)
{
  return keys / BLOCKS * block;
}

static void
count_block (long block)
{
  for (int b = 0; b < BUCKETS; b++)
    place[block][b] = 0;
  for (long i = block_start (block); i < block_start (block + 1); i++)
    place[block][key[i] >> bucket_shift]++;
}

/* Turns the counts of a bucket into places within it.  */

static void
place_bucket (long bucket)
{
  int32_t sum = 0;
  for (int block = 0; block < BLOCKS; block++)
    {
      int32_t count = place[block][bucket];
      place[block][bucket] = sum;
      sum += count;
    }
  bucket_start[bucket + 1] = sum;
}

static void
scatter_block (long block)
{
  for (long i = block_start (block); i < block_start (block + 1); i++)
    {
      int bucket = key[i] >> bucket_shift;
      bucketed[bucket_start[bucket] + place[block][bucket]++] = key[i];
    }
}

/* The rank of each key value in BUCKET: how many keys are less.  */

static void
rank_bucket (long bucket)
{
  int32_t low = (int32_t) bucket << bucket_shift;
  int32_t width = 1 << bucket_shift, sum = bucket_start[bucket];
  for (int32_t k = low; k < low + width; k++)
    rank_of[k] = 0;
  for (long i = bucket_start[bucket]; i < bucket_start[bucket + 1]; i++)
    rank_of[bucketed[i]]++;
  for (int32_t k = low; k < low + width; k++)
    {
      int32_t count = rank_of[k];
      rank_of[k] = sum;
      sum += count;
    }
}

static void
rank_keys (int iteration)
{
  key[iteration] = iteration;
  key[iteration + ITERATIONS] = (int32_t) range - iteration;
  bucket_start[0] = 0;
#pragma omp parallel
  {
#pragma omp for
    for (long block = 0; block < BLOCKS; block++)
      count_block (block);
#pragma omp for
    for (long bucket = 0; bucket < BUCKETS; bucket++)
      place_bucket (bucket);
#pragma omp single
    for (int bucket = 0; bucket < BUCKETS; bucket++)
      bucket_start[bucket + 1] += bucket_start[bucket];
#pragma omp for
    for (long block = 0; block < BLOCKS; block++)
      scatter_block (block);
#pragma omp for
    for (long bucket = 0; bucket < BUCKETS; bucket++)
      rank_bucket (bucket);
  }
  loops += 4;
}

static void
make_keys (void)
{
#pragma omp parallel for
  for (long block = 0; block < BLOCKS; block++)
    {
      uint64_t x = npb_jump (NPB_SEED, 4 * block_start (block));
      for (long i = block_start (block); i < block_start (block + 1); i++)
	{
	  double sum = npb_next (&x);
	  for (int k = 1; k < 4; k++)
	    sum += npb_next (&x);
	  key[i] = (int32_t) ((double) (range / 4) * sum);
	}
    }
}

/* How many of the published ranks are missed.  */

static int
missed (const struct problem *p, int iteration)
{
  int wrong = 0;
  for (int k = 0; k < TESTS; k++)
    wrong += (rank_of[key[p->index[k]]]
	      != p->rank[k] + p->shift[k] + p->slope[k] * iteration);
  return wrong;
}

/* NPB's full verification, and more: how many ranks differ from those of a
   serial count, and how many neighbours are out of order when the keys are
   sorted by these ranks.  Destroys the ranks.  */

static long
verify_all (void)
{
  int32_t *count = app_allocate (range, sizeof *count), sum = 0;
  long wrong = 0;
  for (long i = 0; i < keys; i++)
    count[key[i]]++;
  for (long k = 0; k < range; k++)
    {
      wrong += rank_of[k] != sum;
      sum += count[k];
    }
  free (count);
  if (wrong)
    return wrong;
  for (long i = 0; i < keys; i++)
    bucketed[rank_of[key[i]]++] = key[i];
  for (long i = 1; i < keys; i++)
    wrong += bucketed[i - 1] > bucketed[i];
  return wrong;
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("is", "SWAB", NULL,
					   app_damage_option);
  keys = 1L << p->keys_log2;
  range = 1L << p->range_log2;
  bucket_shift = p->range_log2 - BUCKETS_LOG2;
  key = app_allocate (keys, sizeof *key);
  bucketed = app_allocate (keys, sizeof *bucketed);
  rank_of = app_allocate (range, sizeof *rank_of);
  place = app_allocate (BLOCKS, sizeof *place);
  int threads = bench_threads ();
  make_keys ();

  /* The untimed iteration that NPB prescribes.  */
  rank_keys (1);
  loops = 0;
  int partial = 0;
  double start = bench_seconds ();
  for (int iteration = 1; iteration <= ITERATIONS; iteration++)
    {
      rank_keys (iteration);
      partial += missed (p, iteration);
    }
  double seconds = bench_seconds () - start;

  if (app_damage)
    rank_of[range / 2]++;
  long wrong = verify_all ();
  return bench_finish ("is", p->klass, seconds, wrong == 0 && partial == 0,
		       threads, loops,
		       "\"wrong\":%ld,\"missed\":%d,\"keys\":%ld,"
		       "\"range\":%ld",
		       wrong, partial, keys, range);
}
