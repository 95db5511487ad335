/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stream is cut into chunks, those that were there before are left out, the
   others are compressed and written in order: the stages of PARSEC's dedup, as
   Bienia describes them (Benchmarking Modern Multiprocessors, 2011).

   A chunk ends where a rolling sum of its bytes says so, so that an insertion
   moves no other boundary.  Chunks are told apart by a hash and then byte by
   byte.  Compression is by references to what was in the chunk before (Lempel
   and Ziv, IEEE Transactions on Information Theory 23, 1977), found through a
   table of three bytes' last places, the best of several candidates.

   As loops: portions of the stream, of which each stage is a loop over chunks or
   serial.  As tasks each chunk goes from stage to stage by itself.  What is
   written is compared with a serial run's, bit for bit, and read back.  */

#include "common/app.h"
#include "common/random.h"

#include <stdlib.h>
#include <string.h>

static const struct problem
{
  char klass;
  long bytes;
} problems[] = {
  { 'S', 1 << 20 },
  { 'W', 24 << 20 },
  { 'A', 128 << 20 },
  { 'B', 512 << 20 },
};

enum
{
  LEAST = 1024,		/* Bytes of a chunk, but the last.  */
  MOST = 16384,
  MASK = 4095,		/* One byte in so many ends a chunk.  */
  PORTION = 192,	/* Chunks.  */
  TABLE = 1 << 13,
  TRIES = 16,
  NEAREST = 3,		/* Bytes of a reference at least ... */
  LONGEST = 66		/* ... and at most.  */
};

struct chunk
{
  const unsigned char *from;
  long size;
  uint64_t hash;
  long first;		/* The number of the first chunk like it.  */
  unsigned char *packed;
  long packed_size;
};

/* The stream, and what becomes of it.  */
struct stream
{
  const unsigned char *bytes;
  long size;
  struct chunk *chunk;
  long chunks;
  long *slot, slots;	/* Hash table: number of a chunk plus 1.  */
  unsigned char *out;
  long written;
  char finds, writes;	/* What tasks' dependences name.  */
};

/* Pieces of several kinds, most of which come again and again.  */

static void
make_bytes (unsigned char *bytes, long size)
{
  struct random_stream r = random_start (app_seed);
  long at = 0;
  while (at < size)
    {
      uint64_t piece = random_below (&r, 3) ? random_below (&r, 60)
		       : random_bits (&r) | 1024;
      struct random_stream of = random_start (app_seed ^ piece * RANDOM_STEP);
      long length = 3000 + (long) random_below (&of, 30000);
      unsigned letters = 4 + (unsigned) random_below (&of, 60);
      for (long i = 0; i < length && at < size; i++, at++)
	/* Now and then something that was there before.  */
	if (i > 300 && random_below (&of, 16) == 0)
	  {
	    long back = 1 + (long) random_below (&of, 300);
	    for (int k = 0; k < 24 && i < length && at < size; k++, i++, at++)
	      bytes[at] = bytes[at - back];
	    at--;
	    i--;
	  }
	else
	  bytes[at] = (unsigned char) (32 + random_below (&of, letters));
    }
}

/* Stage 1, serial: where the chunk that begins at FROM ends.  */

static long
chunk_end (const struct stream *s, long from)
{
  uint64_t sum = 0;
  long last = s->size - from < MOST ? s->size : from + MOST;
  for (long i = from; i < last; i++)
    {
      sum = (sum << 1) + random_mix (s->bytes[i]);
      if (i - from + 1 >= LEAST && (sum >> 32 & MASK) == 0)
	return i + 1;
    }
  return last;
}

static void
next_chunk (struct stream *s, long *from)
{
  struct chunk *c = &s->chunk[s->chunks++];
  long end = chunk_end (s, *from);
  c->from = s->bytes + *from;
  c->size = end - *from;
  *from = end;
}

/* Stage 2.  */

static void
hash_chunk (struct chunk *c)
{
  c->hash = app_hash (1, c->from, c->size);
}

/* Stage 3, in order: is chunk number I new?  */

static void
find_chunk (struct stream *s, long i)
{
  struct chunk *c = &s->chunk[i];
  long at = (long) (c->hash % (uint64_t) s->slots);
  for (; s->slot[at]; at = (at + 1) % s->slots)
    {
      const struct chunk *o = &s->chunk[s->slot[at] - 1];
      if (o->hash == c->hash && o->size == c->size
	  && !memcmp (o->from, c->from, c->size))
	{
	  c->first = s->slot[at] - 1;
	  return;
	}
    }
  s->slot[at] = i + 1;
  c->first = i;
}

/* Stage 4, for new chunks.  Of each byte: literal, or a reference of two bytes'
   distance and one of length, told apart by a bit each in front of eight.  */

static void
pack_chunk (struct chunk *c)
{
  const unsigned char *b = c->from;
  int last[TABLE], before[MOST];
  unsigned char *out = app_allocate (c->size + c->size / 8 + 2, 1);
  long n = 0, flags = 0;
  memset (last, -1, sizeof last);
  for (long i = 0, items = 0; i < c->size; items++)
    {
      long best = 0, back = 0, to;
      if (items % 8 == 0)
	out[flags = n++] = 0;
      if (i + NEAREST <= c->size)
	{
	  unsigned key = (b[i] * 2654435761u ^ b[i + 1] * 40503u
			  ^ b[i + 2] * 2246822519u) % TABLE;
	  long at = last[key];
	  for (int k = 0; k < TRIES && at >= 0; k++, at = before[at])
	    {
	      long same = 0;
	      while (i + same < c->size && same < LONGEST
		     && b[at + same] == b[i + same])
		same++;
	      if (same > best)
		{
		  best = same;
		  back = i - at;
		}
	    }
	  before[i] = last[key];
	  last[key] = (int) i;
	}
      if (best >= NEAREST)
	{
	  out[flags] |= (unsigned char) (1 << items % 8);
	  out[n++] = (unsigned char) back;
	  out[n++] = (unsigned char) (back >> 8);
	  out[n++] = (unsigned char) best;
	  to = i + best;
	}
      else
	{
	  out[n++] = b[i];
	  to = i + 1;
	}
      for (i++; i < to; i++)
	if (i + NEAREST <= c->size)
	  {
	    unsigned key = (b[i] * 2654435761u ^ b[i + 1] * 40503u
			    ^ b[i + 2] * 2246822519u) % TABLE;
	    before[i] = last[key];
	    last[key] = (int) i;
	  }
    }
  c->packed = out;
  c->packed_size = n;
}

/* Stage 5, in order.  */

static void
put (struct stream *s, const void *from, long size)
{
  memcpy (s->out + s->written, from, size);
  s->written += size;
}

static void
write_chunk (struct stream *s, long i)
{
  struct chunk *c = &s->chunk[i];
  put (s, &c->first, sizeof c->first);
  if (c->first != i)
    return;
  put (s, &c->size, sizeof c->size);
  put (s, &c->packed_size, sizeof c->packed_size);
  put (s, c->packed, c->packed_size);
  free (c->packed);
  c->packed = NULL;
}

static void
pack_if_new (struct stream *s, long i)
{
  if (s->chunk[i].first == i)
    pack_chunk (&s->chunk[i]);
}

/* Each chunk by itself.  Two of its stages are in order: who finds and who writes
   waits for the chunk before.  */

#ifdef TASKS
static long
run_parallel (struct stream *s)
{
  struct chunk *chunk = s->chunk;
#pragma omp parallel
#pragma omp single
  for (long from = 0; from < s->size;)
    {
      long i = s->chunks;
      next_chunk (s, &from);
#pragma omp task firstprivate (i) depend (out : chunk[i])
      hash_chunk (&chunk[i]);
#pragma omp task firstprivate (i) depend (inout : chunk[i], s->finds)
      find_chunk (s, i);
#pragma omp task firstprivate (i) depend (inout : chunk[i])
      pack_if_new (s, i);
#pragma omp task firstprivate (i) depend (inout : chunk[i], s->writes)
      write_chunk (s, i);
    }
  return s->chunks;
}
#else
/* In front of a loop of N iterations.  */
# ifdef TASKLOOP
#  define STAGE(n) \
  APP_PRAGMA (omp parallel) \
  APP_PRAGMA (omp single) \
  APP_PRAGMA (omp taskloop num_tasks (app_tasks (n)))
# else
#  define STAGE(n) APP_PRAGMA (omp parallel for)
# endif

static long
run_parallel (struct stream *s)
{
  long loops = 0;
  for (long from = 0; from < s->size; loops += 2)
    {
      long first = s->chunks;
      while (s->chunks < first + PORTION && from < s->size)
	next_chunk (s, &from);
      long end = s->chunks;
      STAGE (end - first)
      for (long i = first; i < end; i++)
	hash_chunk (&s->chunk[i]);
      for (long i = first; i < end; i++)
	find_chunk (s, i);
      STAGE (end - first)
      for (long i = first; i < end; i++)
	pack_if_new (s, i);
      for (long i = first; i < end; i++)
	write_chunk (s, i);
    }
  return loops;
}
#endif

static void
run_serial (struct stream *s)
{
  for (long from = 0; from < s->size;)
    {
      long i = s->chunks;
      next_chunk (s, &from);
      hash_chunk (&s->chunk[i]);
      find_chunk (s, i);
      pack_if_new (s, i);
      write_chunk (s, i);
    }
}

static struct stream
make_stream (const unsigned char *bytes, long size)
{
  struct stream s = { .bytes = bytes, .size = size };
  long most = size / LEAST + 1;
  s.chunk = app_allocate (most, sizeof *s.chunk);
  s.slots = 2 * most + 1;
  s.slot = app_allocate (s.slots, sizeof *s.slot);
  s.out = app_allocate (size + size / 8 + most * 32, 1);
  return s;
}

/* The chunk packed at IN, SIZE bytes, to TO; false if it is not of as many bytes
   as PACKED says.  */

static bool
unpack_chunk (unsigned char *to, long size, const unsigned char *in,
	      long packed)
{
  const unsigned char *end = in + packed;
  long n = 0;
  unsigned flags = 0;
  for (long items = 0; n < size && in < end; items++)
    {
      if (items % 8 == 0)
	flags = *in++;
      if (flags >> items % 8 & 1)
	{
	  long back = in[0] | in[1] << 8, length = in[2];
	  in += 3;
	  if (back == 0 || back > n || length > size - n)
	    return false;
	  for (; length > 0; length--, n++)
	    to[n] = to[n - back];
	}
      else
	to[n++] = *in++;
    }
  return n == size && in == end;
}

/* Does what S has written give its bytes again?  */

static bool
reads_back (const struct stream *s)
{
  unsigned char *copy = app_allocate (s->size, 1);
  long *begin = app_allocate (s->chunks, sizeof *begin);
  long at = 0, n = 0;
  bool good = true;
  for (long i = 0; i < s->chunks && good; i++)
    {
      long first, size, packed;
      memcpy (&first, s->out + at, sizeof first);
      at += sizeof first;
      begin[i] = n;
      if (first == i)
	{
	  memcpy (&size, s->out + at, sizeof size);
	  memcpy (&packed, s->out + at + sizeof size, sizeof packed);
	  at += sizeof size + sizeof packed;
	  good = (size <= s->size - n && packed <= s->written - at
		  && unpack_chunk (copy + n, size, s->out + at, packed));
	  at += packed;
	}
      else
	{
	  size = begin[first + 1] - begin[first];
	  good = first < i && size <= s->size - n;
	  if (good)
	    memcpy (copy + n, copy + begin[first], size);
	}
      n += size;
      /* Chunk 0 is new, so that of others the next begins behind them.  */
      if (i + 1 < s->chunks)
	begin[i + 1] = n;
    }
  good = good && n == s->size && at == s->written
	 && !memcmp (copy, s->bytes, s->size);
  free (copy);
  free (begin);
  return good;
}

int
main (int argc, char **argv)
{
  const struct problem *p = BENCH_PROBLEM ("pipeline", "SWAB", app_seed_help,
					   app_seed_option);
  unsigned char *bytes = app_allocate (p->bytes, 1);
  make_bytes (bytes, p->bytes);
  struct stream s = make_stream (bytes, p->bytes);
  struct stream right = make_stream (bytes, p->bytes);
  int threads = bench_threads ();

  double start = bench_seconds ();
  long loops = run_parallel (&s);
  double seconds = bench_seconds () - start;

  run_serial (&right);
  if (app_damage)
    s.out[s.written / 2] ^= 1;
  long new = 0;
  for (long i = 0; i < right.chunks; i++)
    new += right.chunk[i].first == i;
  bool good = (s.written == right.written
	       && !memcmp (s.out, right.out, s.written) && reads_back (&right));
  return bench_finish ("pipeline", p->klass, seconds, good, threads, loops,
		       "\"seed\":%llu,\"bytes\":%ld,"
		       "\"chunks\":%ld,\"new\":%ld,\"written\":%ld",
		       (unsigned long long) app_seed, p->bytes, right.chunks,
		       new, right.written);
}
