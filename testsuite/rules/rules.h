/* SPDX-License-Identifier: GPL-3.0-or-later

   What the programs of this suite share.  Each is linked with main.c, which
   runs its cases one after the other and prints what they leave in out0 to
   total.  Values are unsigned 64-bit integers.  Functions come in three forms:
   _in is inlined, _out is not, _far is in another file.  */

#ifndef RULES_H
#define RULES_H 1

#include <omp.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long u64;
struct record { u64 a, b, c[4]; };

#ifdef __cplusplus
extern "C" {
#endif

enum { SLOTS = 512, THREADS = 64 };
/* Random numbers, read only.  */
extern const u64 table[128];
/* An iteration's slots; and a thread's, of which the second is for sums.  */
extern u64 out0[SLOTS], out1[SLOTS], out2[SLOTS], tail[THREADS], sums[THREADS];
extern u64 total;

extern void rules_add (const char *name, void (*) (int));
extern int rules_run (void);

u64 mix_far (u64, u64);
void put_far (u64 *, u64);
u64 get_far (const u64 *);
void add_far (u64 *, u64);
u64 draw_far (u64 *);
void fill_far (u64 *, u64);
u64 sum_far (const u64 *);
void record_put_far (struct record *, u64);
u64 record_get_far (const struct record *);
void region_far (void (*) (struct record *, int), int);
u64 *slots_far (void);
void set_back_far (void (*) (int));
void call_back_far (int);
u64 ask_far (int (*) (void));
void number_far (int *);
void numbered_far (void (*) (int, int), int);
struct counter { int n, l[4]; };
struct counter *mine_far (void);
struct stream { u64 *state; };
void open_far (struct stream *);
u64 next_far (const struct stream *);
struct stream *stream_far (void);
extern int team_size;
void link_far (int, u64 *);
void links_far_ (const int *, const int *, u64 *);
struct numbered { int number, more; };
void open_numbered_far (struct numbered *);
u64 next_numbered_far (const struct numbered *);
void open_number_far (int *);
u64 next_number_far (const int *);
void keep_far (u64 *);
u64 kept_far (u64);
struct counter *found_far (int);
u64 *inner_far (struct record *);
int who_far (void) __attribute__ ((pure));
struct member { int number; };
const struct member *member_far (void);
int begins_far (int, int);
void take_far (void);
struct point { double x, y; };
void point_put_far (struct point *, u64);
u64 point_get_far (const struct point *);

#ifdef __cplusplus
}
#endif

#define HELPERS(FORM, FORMED)						\
  FORM u64 FORMED (mix) (u64 a, u64 b) { return (a ^ b >> 3) * 2654435761u; } \
  FORM void FORMED (put) (u64 *s, u64 a) { *s = a; }			\
  FORM u64 FORMED (get) (const u64 *s) { return *s * 3; }		\
  FORM void FORMED (add) (u64 *s, u64 a) { *s += a; }			\
  FORM u64 FORMED (draw) (u64 *s) { return *s = *s * 69069 + 1; }	\
  FORM void FORMED (fill) (u64 *w, u64 a)				\
  { for (int k = 0; k < 8; k++) w[k] = a + k; }				\
  FORM u64 FORMED (sum) (const u64 *w)					\
  { u64 s = 0; for (int k = 0; k < 8; k++) s = s * 5 + w[k]; return s; } \
  FORM void FORMED (spread) (u64 *w, u64 a, int m)			\
  { for (int k = 0; k < m; k++) w[(k * 5 + 3) % m] = a + k; }		\
  FORM u64 FORMED (gather) (const u64 *w, int m)			\
  { u64 s = 0; for (int k = 0; k < m; k++) s = s * 5 + w[k]; return s; } \
  FORM void FORMED (record_put) (struct record *s, u64 a)		\
  { s->a = a; s->b = a >> 2; for (int k = 0; k < 4; k++) s->c[k] = a ^ k; } \
  FORM u64 FORMED (record_get) (const struct record *s)			\
  { return s->a + s->b * 7 + s->c[1] + s->c[3] * 3; }
#define INLINED(NAME) NAME##_in
#define OUTLINED(NAME) NAME##_out
#define FAR(NAME) NAME##_far

#ifndef RULES_MAIN
HELPERS (static inline __attribute__ ((unused)), INLINED)
HELPERS (static __attribute__ ((noinline, unused)), OUTLINED)

static const u64 *const in = table;

static inline struct record
make (u64 a, u64 b)
{
  struct record s = { a, b, { a, b, 3, 4 } };
  return s;
}

static inline u64
who_in (u64 a)
{
  return a ^ omp_get_thread_num ();
}

static __attribute__ ((noinline, unused)) u64
who_out (u64 a)
{
  return a + omp_get_thread_num ();
}

#ifdef __cplusplus
class Gen
{
  u64 x = 1;
public:
  Gen () {}
  explicit Gen (u64 v) : x (v) {}
  void set (u64 v) { x = v; }
  u64 get () const { return x * 3; }
  void add (u64 v) { x += v; }
  u64 next () { return x = x * 69069 + 1; }
};
#endif
#endif

/* A function that main.c calls, with a number of iterations.  */
#define CASE(NAME)							\
  static void NAME (int);						\
  static __attribute__ ((constructor)) void				\
  add_##NAME (void) { rules_add (#NAME, NAME); }			\
  static void NAME (int n)

/* What such a function may be: a loop in whose iterations a thread runs what follows
   OWN, which declares what is the thread's own.  */
#define LOOP(OWN, ...)							\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      OWN;								\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	{								\
	  __VA_ARGS__							\
	}								\
    }									\
  }

/* What one loop has put in PLACE another one reads from OTHER, by which that is
   known, too.  */
#define HANDED_ON(PLACE, OTHER, ...)					\
  {									\
    _Pragma ("omp parallel")						\
    {									\
      __VA_ARGS__;							\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	PLACE = in[i & 63];						\
      _Pragma ("omp for")						\
      for (int i = 0; i < n; i++)					\
	out0[i] = OTHER + 1;						\
    }									\
  }

/* A function that calls B, and is no copy of it.  */
#define FARTHER(A, B)							\
  static void __attribute__ ((noinline)) A (int n) { B (n); sums[63] += 0; }

#endif /* RULES_H */
