/* SPDX-License-Identifier: GPL-3.0-or-later

   Runs a program's cases, from number RULES_FROM on, and prints of each round
   the case's number, name and sum.  No loop of this file is divided.  */

#define RULES_MAIN 1
#include <stdio.h>
#include "rules.h"

HELPERS (, FAR)

const u64 table[128] = {
  0x62b51a03, 0xb7ef0494, 0x0f279826, 0xcf39ba31, 0x5134431f, 0xa6cc8df6,
  0x3568610e, 0x80cf8b04, 0xa2005e44, 0xe5c46eed, 0xc489e45e, 0x956cbdec,
  0x28c40336, 0xd66b5ba3, 0x5767aec2, 0xd308bdf8, 0xf450cf25, 0xb9e75374,
  0x827bff54, 0x7e6c6a06, 0x6e7f7bd9, 0x93ab0700, 0xe3416778, 0x02f2ec6d,
  0x8fa1ba1f, 0x21a0c467, 0xa2603da2, 0xbc1ec0f6, 0xe17ce0c9, 0x896cdc83,
  0x0d7289b3, 0x44579add, 0x07ac99c2, 0x8465b3ac, 0x2d54d1b0, 0x7e5d80a7,
  0xb2e1760b, 0x05bb07dc, 0xa27e8815, 0xb3c24ed3, 0x0b737704, 0xd291da97,
  0x59ca6ca2, 0x2d5ce3c6, 0x5299c76e, 0x8e9e93bd, 0xe39850a3, 0xfd11d2a3,
  0x0a817a05, 0x610cc4d4, 0x9f2ff933, 0x63421ca7, 0x9cfe97f1, 0x51d9dde5,
  0x3d1567be, 0xa0cc01c0, 0x2d3e8cfa, 0x4d4ac5e5, 0x9f705003, 0x92d2f6ae,
  0x1f426492, 0xd9ea4f5d, 0x7c51d89c, 0xa11bce41, 0xf75e42ba, 0x0651ce9b,
  0x9ede6ba8, 0x9a72022c, 0x314718a4, 0x6f8b8425, 0xb629f5d3, 0xf8af99ac,
  0x70a474a7, 0x603fe7e2, 0x184bcbef, 0x357d48bd, 0x30e06566, 0x035ba2e6,
  0xbcaf3c07, 0x37d7a293, 0xe29b1385, 0x5c0dd533, 0xe347f9aa, 0xed27df89,
  0x82b750f3, 0x6dd27553, 0xa8161dbd, 0xfc8127a8, 0xc17a9f6f, 0xbaecb178,
  0x7d175d96, 0xc58bf4ad, 0xb618bd3d, 0x7541ad20, 0xe0a40530, 0x2c300b3c,
  0x37744da0, 0x00c1512e, 0xe9eef76b, 0x2706b2c6, 0xfc02ef17, 0xd1add5c6,
  0x85ba5371, 0xe0a07b5c, 0x9c0af250, 0x6d5b3959, 0x0db47d25, 0x9c02c2a0,
  0x36828cec, 0xbcb5e1ab, 0x02a791d6, 0xa341b6ef, 0x7c68854e, 0x91cf8791,
  0xe9d57ef8, 0xd840fc74, 0xa8284451, 0xba016281, 0x9e849f70, 0x68a97487,
  0x90b272ff, 0xc204f2de, 0x4c62b475, 0xed47f7c4, 0x3e7228eb, 0x5a47b11f,
  0x38c9697c, 0x55a50d16
};

/* Fortran's descriptors of arrays begin with a pointer to the first element;
   all here have eight.  */

void
mix_section_far_ (u64 **w, const u64 *a)
{
  int k;
  for (k = 0; k < 8; k++)
    (*w)[k] = (*w)[k] * 31 + *a;
}

u64
sum_section_far_ (u64 **w)
{
  return sum_far (*w);
}

u64
listed_far_ (u64 **list, const u64 *a)
{
  if (*list == NULL)
    *list = calloc (8, sizeof **list);
  return (*list)[*a % 8] += *a;
}
u64 out0[SLOTS], out1[SLOTS], out2[SLOTS], tail[THREADS], sums[THREADS], total;

static struct { const char *name; void (*run) (int); } cases[1024];
static int count;

void
rules_add (const char *name, void (*run) (int))
{
  cases[count].name = name;
  cases[count++].run = run;
}

static u64
result (void)
{
  u64 h = 0;
  for (int i = 0; i < SLOTS; i++)
    h = h * 31 + (out0[i] ^ out1[i] * 5 ^ out2[i] * 11);
  for (int i = 0; i < THREADS; i++)
    h = h * 31 + tail[i];
  for (int i = 0; i < THREADS; i++)
    total += sums[i];
  return h ^ total * 7;
}

int
rules_run (void)
{
  /* Iterations of the rounds: for each thread many, for some none.  */
  static const int rounds[] = { 41, 6, 97 };
  const char *from = getenv ("RULES_FROM");
  for (int c = from ? atoi (from) : 0; c < count; c++)
    for (int t = 0; t < 3; t++)
      {
	memset (out0, 0, sizeof out0);
	memset (out1, 0, sizeof out1);
	memset (out2, 0, sizeof out2);
	memset (tail, 0, sizeof tail);
	memset (sums, 0, sizeof sums);
	total = 0;
	cases[c].run (rounds[t]);
	printf ("%d %s %llx\n", c, cases[c].name, result ());
	fflush (stdout);
      }
  return 0;
}

/* A region whose threads each have a record of their own.  */

void
region_far (void (*run) (struct record *, int), int n)
{
#pragma omp parallel
  {
    struct record s = { 0 };
    run (&s, n);
#pragma omp atomic
    total += s.a;
  }
}

u64 *
slots_far (void)
{
  return out2;
}

static void (*back) (int);

void
set_back_far (void (*run) (int))
{
  back = run;
}

void
call_back_far (int i)
{
  back (i);
}

/* A Fortran program has a main of its own.  */
int __attribute__ ((weak))
main (void)
{
  return rules_run ();
}

u64
ask_far (int (*f) (void))
{
  return f ();
}

void
number_far (int *me)
{
  *me = omp_get_thread_num ();
}

/* A region that tells a function who runs it.  */

void
numbered_far (void (*run) (int, int), int n)
{
#pragma omp parallel
  run (omp_get_thread_num (), n);
}

/* What each thread has here.  */

struct counter *
mine_far (void)
{
  static struct counter all[THREADS];
  return &all[omp_get_thread_num ()];
}

void
open_far (struct stream *s)
{
  static u64 all[THREADS];
  s->state = &all[omp_get_thread_num ()];
  *s->state = 7;
}

u64
next_far (const struct stream *s)
{
  return *s->state = *s->state * 69069 + 1;
}

void
point_put_far (struct point *p, u64 a)
{
  p->x = a * 2;
  p->y = a * 3;
}

u64
point_get_far (const struct point *p)
{
  return (u64) (p->x + p->y);
}

/* What each thread has here: a stream, by a pointer, or by number; memory that
   it was given; counters; its number.  */

static u64 streams[THREADS];

struct stream *
stream_far (void)
{
  static struct stream all[THREADS];
  open_far (&all[omp_get_thread_num ()]);
  return &all[omp_get_thread_num ()];
}

void
open_number_far (int *id)
{
  *id = omp_get_thread_num ();
  streams[*id] = 5;
}

u64
next_number_far (const int *id)
{
  return streams[*id] = streams[*id] * 69069 + 1;
}

void
open_numbered_far (struct numbered *s)
{
  open_number_far (&s->number);
}

u64
next_numbered_far (const struct numbered *s)
{
  return next_number_far (&s->number);
}

/* Each element's place: the one before it in its thread's part, or itself.  */

void
links_far_ (const int *n, const int *team, u64 *before)
{
  int i = 0, t, end;
  for (t = 0; t < *team; t++)
    for (end = i + *n / *team + (t < *n % *team), before[i] = i; i < end; i++)
      before[i + 1] = i;
}

int team_size;

void
link_far (int n, u64 *before)
{
  links_far_ (&n, &team_size, before);
}

static _Thread_local u64 *kept;

void
keep_far (u64 *p)
{
  kept = p;
}

u64
kept_far (u64 a)
{
  return *kept = *kept * 3 + a;
}

struct counter *
found_far (int which)
{
  static struct counter all[THREADS][2];
  return &all[omp_get_thread_num ()][which & 1];
}

u64 *
inner_far (struct record *s)
{
  return s->c;
}

int
who_far (void)
{
  return omp_get_thread_num ();
}

const struct member *
member_far (void)
{
  static struct member all[THREADS];
  struct member *m = &all[omp_get_thread_num ()];
  m->number = omp_get_thread_num ();
  return m;
}

/* True if I begins one of static's blocks of N iterations.  */

int
begins_far (int i, int n)
{
  int threads = omp_get_max_threads (), q = n / threads, r = n % threads;
  return (i < r * (q + 1) ? i % (q + 1) : (i - r * (q + 1)) % (q ? q : 1)) == 0;
}

void
take_far (void)
{
}
