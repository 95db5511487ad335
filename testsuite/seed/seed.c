/* SPDX-License-Identifier: GPL-3.0-or-later

   libgomp as a whole, from a seed.

   Its sources are compiled for ThreadSanitizer, whose functions are here: each
   access to memory is a step, before which another thread may go on.  Threads
   are contexts of one thread of the system, so that only one runs; futexes,
   threads, their keys and masks, clocks, and the allocator are here, too, and
   all that is left open is drawn from the seed: who is next, who is woken,
   which CPU a thread is on, and when a wait ends for no reason.  So a seed says
   all of a run.  The interleavings are sequentially consistent; weaker orders
   are ../tsan's and ../model's matter.

   What is drawn.  Threads change at random steps, in one run after two, in
   another after a thousand.  Nearly all defects of waits come from one thread
   that is late at one place, while the others get far; random changes do not
   do that, and a place that is drawn among steps (as PCT does) is nearly always
   one in a hot loop.  So a run also draws some places of the code, each with
   the same probability however often it is passed, and holds threads up there,
   until nobody else can go on or for as long as another draw says.

   A run is bad if threads wait and nobody can wake them; if it takes too many
   steps; if it accesses memory that was freed, that was never allocated, or
   that was the stack of a thread that is gone; if the case says so; or if, when
   all threads are gone, libgomp's count of them is wrong.

     seed [-v] [-k] [CASE] [FIRST [COUNT]]

   Each seed has a case, a setting (environment) and a process of its own; with
   CASE those of other cases are passed over.  -v: says which threads go on, and
   where.  Says what the first bad run was, -k: what all were, and ends with 1
   then.  */

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

extern unsigned long gomp_managed_threads;

#define MAX_THREADS 256
#define MAX_KEYS 16
#define MAX_OWN 1024
#define STACK (128 << 10)
#define ARENA (64 << 20)
#define MAX_STEPS 4000000
#define CPUS 4
#define PC __builtin_return_address (0)

static const char *const settings[][4] = {
  { "GOMP_AMP_TEAM=weighted", "GOMP_AMP_SF=2.5", "OMP_WAIT_POLICY=passive" },
  { "GOMP_AMP_TEAM=weighted", "GOMP_AMP_SF=3,1", "GOMP_SPINCOUNT=20" },
  { "GOMP_AMP_TEAM=weighted", "GOMP_AMP_SF=3", "OMP_CANCELLATION=true" },
  { "GOMP_SPINCOUNT=20" },
  { "GOMP_AMP_AFFINITY=1", "OMP_CANCELLATION=true", "OMP_WAIT_POLICY=passive" }
};
#define NSETTINGS (sizeof settings / sizeof settings[0])

enum state { RUNNABLE, SLEEPS, HELD_UP, GONE };

static struct thread
{
  enum state state;
  bool begun;
  int *address;			/* It sleeps there.  */
  const void *pc;		/* ... and it is here.  */
  uint64_t until;		/* It is held up.  */
  uint64_t mask;		/* Its CPUs.  */
  jmp_buf context;
  void *(*function) (void *);
  void *data;
  void *key[MAX_KEYS];
  locale_t locale;
  char own[MAX_OWN];
} threads[MAX_THREADS];

/* Of each thread: libgomp's variable for it, and at the other end its stack.  */
static char stacks[MAX_THREADS][STACK] __attribute__ ((aligned (64)));

enum { NO_BLOCK, LIVE, FREED };
static char arena[ARENA] __attribute__ ((aligned (4096)));
static unsigned char shadow[ARENA / 16];
static size_t arena_used;

extern char __start_seed_own[], __stop_seed_own[];
static char own_at_first[MAX_OWN];

static unsigned nthreads = 1, nkeys, one_in, holds, hold_one_in;
static int self = -1;
static uint64_t rng, now, left, place_salt, place_limit;
static bool plain_too, trace, keep_on;
static void (*key_end[MAX_KEYS]) (void *);
static void (*after_fork) (void);
static const struct seed_case *what;

unsigned
seed_draw (unsigned n)
{
  rng ^= rng << 13;
  rng ^= rng >> 7;
  rng ^= rng << 17;
  return (rng >> 20) % n;
}

void
seed_fail (const char *format, ...)
{
  va_list args;

  self = -1;
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("\n");
  fflush (stdout);
  _exit (1);
}

/* Threads.  */

static void
say (const char *verb, const void *pc)
{
  int me = self;

  self = -1;
  printf ("%ju: thread %d %s at %p\n", (uintmax_t) now, me, verb, pc);
  self = me;
}

/* Nobody can go on: all threads are gone, or have to be.  */

static void
finish (void)
{
  unsigned i, waiting = 0;

  for (i = 0; i < nthreads; i++)
    if (threads[i].state != GONE)
      {
	printf ("thread %u waits at %p\n", i, threads[i].pc);
	waiting++;
      }
  if (waiting != 0)
    seed_fail ("nobody can go on");
  if (gomp_managed_threads != 1)
    seed_fail ("libgomp counts %lu threads too many",
	       gomp_managed_threads - 1);
  if (trace)
    printf ("%ju steps, %u threads, %zu bytes\n", (uintmax_t) now, nthreads,
	    arena_used);
  fflush (stdout);
  _exit (0);
}

static void begin (void);

/* Thread SELF begins.  */

static void
start (void)
{
  ucontext_t context;

  getcontext (&context);
  context.uc_stack.ss_sp = stacks[self] + STACK / 8;
  context.uc_stack.ss_size = STACK - STACK / 8;
  context.uc_link = NULL;
  makecontext (&context, begin, 0);
  setcontext (&context);
}

/* Thread NEXT goes on.  */

static void
go_on (int next)
{
  int me = self;
  size_t own = __stop_seed_own - __start_seed_own;

  if (next == me)
    return;
  memcpy (threads[me].own, __start_seed_own, own);
  memcpy (__start_seed_own, threads[next].own, own);
  self = next;
  if (_setjmp (threads[me].context) != 0)
    return;
  if (threads[next].begun)
    longjmp (threads[next].context, 1);
  start ();
}

/* The calling thread cannot go on, or need not: the next one.  */

static void
hand_over (const void *pc)
{
  unsigned i, n = 0, which;
  uint64_t first = UINT64_MAX;

  for (i = 0; i < nthreads; i++)
    {
      if (threads[i].state == HELD_UP && threads[i].until <= now)
	threads[i].state = RUNNABLE;
      n += threads[i].state == RUNNABLE;
    }
  if (n == 0)
    {
      for (i = 0; i < nthreads; i++)
	if (threads[i].state == HELD_UP && threads[i].until < first)
	  first = threads[which = i].until;
      if (first == UINT64_MAX)
	{
	  finish ();
	}
      threads[which].state = RUNNABLE;
      i = which;
    }
  else
    {
      which = seed_draw (n);
      for (i = 0; threads[i].state != RUNNABLE || which-- != 0; i++)
	;
    }
  left = 1 + seed_draw (2 * one_in - 1);
  if (trace && (int) i != self)
    say (threads[self].state == GONE ? "is gone" : "stops", pc);
  go_on (i);
}

static void
check_address (const volatile void *address, const void *pc)
{
  uintptr_t off = (uintptr_t) address - (uintptr_t) arena;

  if (off < ARENA)
    {
      if (shadow[off / 16] != LIVE)
	seed_fail ("memory that %s is used at %p",
		   shadow[off / 16] == FREED ? "was freed" : "nobody has", pc);
      return;
    }
  off = (uintptr_t) address - (uintptr_t) stacks;
  if (off < sizeof stacks && threads[off / STACK].state == GONE)
    seed_fail ("memory of a thread that is gone is used at %p", pc);
}

static bool
hold_up_p (const void *pc)
{
  uint32_t h = ((uintptr_t) pc ^ place_salt) * UINT64_C (0x9e3779b97f4a7c15)
	       >> 32;

  return h < place_limit && holds != 0 && seed_draw (hold_one_in) == 0;
}

static inline void
step (const volatile void *address, const void *pc, bool is_plain)
{
  if (self < 0)
    return;
  if (address != NULL)
    check_address (address, pc);
  if (is_plain && !plain_too)
    return;
  if (++now > MAX_STEPS)
    seed_fail ("no end after %ju steps", (uintmax_t) now);
  if (hold_up_p (pc))
    {
      holds--;
      threads[self].state = HELD_UP;
      threads[self].until = now + (seed_draw (2) == 0 ? MAX_STEPS / 4
				   : 1U << seed_draw (14));
      if (trace)
	say ("is held up", pc);
    }
  else if (--left != 0)
    return;
  hand_over (pc);
  if (address != NULL)
    check_address (address, pc);
}

void
seed_waits (void)
{
  /* Who is waited for may be held up.  */
  if (seed_draw (200) == 0)
    for (unsigned i = 0; i < nthreads; i++)
      threads[i].until = 0;
  if (++now > MAX_STEPS)
    seed_fail ("no end after %ju steps", (uintmax_t) now);
  hand_over (PC);
}

static void
sleep_at (int *address, const void *pc)
{
  threads[self].address = address;
  threads[self].pc = pc;
  threads[self].state = SLEEPS;
  hand_over (pc);
}

void
seed_futex_wait (int *address, int value)
{
  const void *pc = PC;

  step (address, pc, false);
  if (*address == value && seed_draw (64) != 0)
    sleep_at (address, pc);
}

static void
wake (const int *address, int count)
{
  unsigned i, first = seed_draw (nthreads);

  for (i = 0; i < nthreads && count > 0; i++)
    {
      struct thread *t = &threads[(first + i) % nthreads];

      if (t->state == SLEEPS && t->address == address)
	{
	  t->state = RUNNABLE;
	  count--;
	}
    }
}

void
seed_futex_wake (int *address, int count)
{
  step (NULL, PC, false);
  wake (address, count);
}

void *
seed_thread (void)
{
  return stacks[self < 0 ? 0 : self];
}

void
pthread_exit (void *result)
{
  unsigned i, again;

  (void) result;
  for (again = 0; again < 4; again++)
    for (i = 0; i < nkeys; i++)
      {
	void *value = threads[self].key[i];

	threads[self].key[i] = NULL;
	if (value != NULL && key_end[i] != NULL)
	  key_end[i] (value);
      }
  threads[self].state = GONE;
  wake ((int *) &threads[self].state, INT_MAX);
  hand_over (PC);
  __builtin_unreachable ();
}

static void
begin (void)
{
  struct thread *t = &threads[self];

  t->begun = true;
  pthread_exit (t->function (t->data));
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attr,
		void *(*function) (void *), void *data)
{
  struct thread *t = &threads[nthreads];
  cpu_set_t set;

  if (nthreads == MAX_THREADS)
    seed_fail ("more than %u threads", nthreads);
  memcpy (t->own, own_at_first, sizeof t->own);
  t->function = function;
  t->data = data;
  t->mask = self < 0 ? (1 << CPUS) - 1 : threads[self].mask;
  /* All bits: the attribute has none.  */
  if (attr != NULL && pthread_attr_getaffinity_np (attr, sizeof set, &set) == 0
      && set.__bits[0] != (__cpu_mask) -1)
    t->mask = set.__bits[0] & ((1 << CPUS) - 1);
  *thread = (pthread_t) stacks[nthreads++];
  step (NULL, PC, false);
  return 0;
}

pthread_t
pthread_self (void)
{
  return (pthread_t) seed_thread ();
}

static struct thread *
thread_of (pthread_t thread)
{
  return &threads[((char *) thread - stacks[0]) / STACK];
}

int
pthread_join (pthread_t thread, void **result)
{
  (void) result;
  while (thread_of (thread)->state != GONE)
    sleep_at ((int *) &thread_of (thread)->state, PC);
  return 0;
}

int
pthread_detach (pthread_t thread)
{
  (void) thread;
  return 0;
}

int
pthread_key_create (pthread_key_t *key, void (*end) (void *))
{
  if (nkeys == MAX_KEYS)
    return EAGAIN;
  key_end[nkeys] = end;
  *key = nkeys++;
  return 0;
}

int
pthread_key_delete (pthread_key_t key)
{
  key_end[key] = NULL;
  return 0;
}

void *
pthread_getspecific (pthread_key_t key)
{
  return threads[self < 0 ? 0 : self].key[key];
}

int
pthread_setspecific (pthread_key_t key, const void *value)
{
  threads[self < 0 ? 0 : self].key[key] = (void *) value;
  return 0;
}

int
pthread_atfork (void (*prepare) (void), void (*parent) (void),
		void (*child) (void))
{
  if (prepare != NULL || parent != NULL || after_fork != NULL)
    abort ();
  after_fork = child;
  return 0;
}

static void
child_ends (void *function)
{
  ((void (*) (void)) function) ();
  self = -1;
  fflush (stdout);
  _exit (0);
}

void
seed_fork (void (*function) (void))
{
  int me = self, status;
  pid_t pid;

  fflush (stdout);
  pid = fork ();
  if (pid == 0)
    {
      for (unsigned i = 0; i < nthreads; i++)
	if ((int) i != me)
	  threads[i].state = GONE;
      alarm (60);
      if (trace)
	say ("is a child", PC);
      if (after_fork != NULL)
	after_fork ();
      child_ends (function);
    }
  if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
    seed_fail ("status %x of a child", pid < 0 ? -1 : status);
}

/* The locale is always C's.  */

locale_t
uselocale (locale_t locale)
{
  struct thread *t = &threads[self < 0 ? 0 : self];
  locale_t before = t->locale != NULL ? t->locale : LC_GLOBAL_LOCALE;

  if (locale != NULL)
    t->locale = locale;
  return before;
}

/* CPUs and clocks.  */

static unsigned
cpus (size_t size, cpu_set_t *set, uint64_t mask)
{
  memset (set, 0, size);
  memcpy (set, &mask, size < sizeof mask ? size : sizeof mask);
  return 0;
}

int
pthread_getaffinity_np (pthread_t thread, size_t size, cpu_set_t *set)
{
  step (NULL, PC, false);
  return cpus (size, set, thread_of (thread)->mask);
}

int
pthread_setaffinity_np (pthread_t thread, size_t size, const cpu_set_t *set)
{
  uint64_t mask = 0;

  step (NULL, PC, false);
  memcpy (&mask, set, size < sizeof mask ? size : sizeof mask);
  if ((mask &= (1 << CPUS) - 1) == 0)
    return EINVAL;
  thread_of (thread)->mask = mask;
  return 0;
}

int
sched_getcpu (void)
{
  unsigned cpu;

  do
    cpu = seed_draw (CPUS);
  while ((threads[self < 0 ? 0 : self].mask >> cpu & 1) == 0);
  return cpu;
}

long
sysconf (int name)
{
  return name == _SC_PAGESIZE ? 4096 : name == _SC_CLK_TCK ? 100 : CPUS;
}

int
clock_gettime (clockid_t clock, struct timespec *ts)
{
  uint64_t ns = UINT64_C (1000000000) + 20 * now;

  (void) clock;
  ts->tv_sec = ns / 1000000000;
  ts->tv_nsec = ns % 1000000000;
  return 0;
}

int
nanosleep (const struct timespec *time, struct timespec *remaining)
{
  (void) time;
  (void) remaining;
  step (NULL, PC, false);
  return 0;
}

/* Memory.  No block is used twice, so that each access to one that was freed is
   seen.  A granule before each has its size.  */

void *
memalign (size_t alignment, size_t size)
{
  size_t at;

  if (alignment < 16)
    alignment = 16;
  at = (arena_used + 16 + alignment - 1) & -alignment;
  if (size > ARENA / 2 || at + size > ARENA)
    return NULL;
  arena_used = (at + size + 15) & -16;
  memcpy (arena + at - 16, &size, sizeof size);
  memset (shadow + at / 16, LIVE, (size + 15) / 16);
  memset (arena + at, 0xa5, size);
  return arena + at;
}

static size_t
size_of (void *p)
{
  size_t size;

  memcpy (&size, (char *) p - 16, sizeof size);
  return size;
}

void
free (void *p)
{
  if (p == NULL)
    return;
  step (p, PC, false);
  memset (shadow + ((char *) p - arena) / 16, FREED, (size_of (p) + 15) / 16);
}

void *
malloc (size_t size)
{
  return memalign (16, size);
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

int
posix_memalign (void **p, size_t alignment, size_t size)
{
  *p = memalign (alignment, size);
  return *p != NULL ? 0 : ENOMEM;
}

void *
calloc (size_t n, size_t size)
{
  void *p = memalign (16, n * size);

  return p != NULL ? memset (p, 0, n * size) : NULL;
}

void *
realloc (void *old, size_t size)
{
  void *p = memalign (16, size);

  if (p != NULL && old != NULL)
    {
      memcpy (p, old, size < size_of (old) ? size : size_of (old));
      free (old);
    }
  return p;
}

/* What compiled code calls.  */

void __tsan_init (void) { }
void __tsan_func_entry (void *pc) { (void) pc; }
void __tsan_func_exit (void) { }
void __tsan_vptr_update (void **p, void *v) { (void) v; step (p, PC, true); }
void __tsan_read_range (void *p, size_t n) { (void) n; step (p, PC, true); }
void __tsan_write_range (void *p, size_t n) { (void) n; step (p, PC, true); }

#define ACCESS(NAME) void __tsan_##NAME (void *p) { step (p, PC, true); }
#define ACCESSES(SIZE) \
  ACCESS (read##SIZE) ACCESS (write##SIZE) \
  ACCESS (unaligned_read##SIZE) ACCESS (unaligned_write##SIZE) \
  ACCESS (volatile_read##SIZE) ACCESS (volatile_write##SIZE)
ACCESSES (1)
ACCESSES (2)
ACCESSES (4)
ACCESSES (8)
ACCESSES (16)

void __tsan_atomic_thread_fence (int o) { (void) o; step (NULL, PC, false); }
void __tsan_atomic_signal_fence (int o) { (void) o; }

#define UPDATE(BITS, NAME, FUNCTION)					\
uint##BITS##_t								\
__tsan_atomic##BITS##_##NAME (uint##BITS##_t *p, uint##BITS##_t v, int o) \
{									\
  (void) o;								\
  step (p, PC, false);							\
  return FUNCTION (p, v, __ATOMIC_SEQ_CST);				\
}
#define COMPARE(BITS, NAME, FAILS)					\
bool									\
__tsan_atomic##BITS##_compare_exchange_##NAME (uint##BITS##_t *p,	\
					       uint##BITS##_t *e,	\
					       uint##BITS##_t v, int o,	\
					       int f)			\
{									\
  (void) o;								\
  (void) f;								\
  step (p, PC, false);							\
  if (FAILS)								\
    {									\
      *e = *p;								\
      return false;							\
    }									\
  return __atomic_compare_exchange_n (p, e, v, false, __ATOMIC_SEQ_CST, \
				      __ATOMIC_SEQ_CST);		\
}
#define ATOMICS(BITS)							\
uint##BITS##_t								\
__tsan_atomic##BITS##_load (uint##BITS##_t *p, int o)			\
{									\
  (void) o;								\
  step (p, PC, false);							\
  return *p;								\
}									\
void									\
__tsan_atomic##BITS##_store (uint##BITS##_t *p, uint##BITS##_t v, int o) \
{									\
  (void) o;								\
  step (p, PC, false);							\
  *p = v;								\
}									\
UPDATE (BITS, exchange, __atomic_exchange_n)				\
UPDATE (BITS, fetch_add, __atomic_fetch_add)				\
UPDATE (BITS, fetch_sub, __atomic_fetch_sub)				\
UPDATE (BITS, fetch_and, __atomic_fetch_and)				\
UPDATE (BITS, fetch_or, __atomic_fetch_or)				\
UPDATE (BITS, fetch_xor, __atomic_fetch_xor)				\
COMPARE (BITS, strong, false)						\
COMPARE (BITS, weak, self >= 0 && seed_draw (16) == 0)
ATOMICS (8)
ATOMICS (16)
ATOMICS (32)
ATOMICS (64)

/* Runs.  */

static void __attribute__ ((constructor (101)))
keep_own (void)
{
  if (__stop_seed_own - __start_seed_own > MAX_OWN)
    abort ();
  memcpy (own_at_first, __start_seed_own, __stop_seed_own - __start_seed_own);
  threads[0].mask = (1 << CPUS) - 1;
}

static void *
root (void *number)
{
  what->run ((uintptr_t) number);
  return NULL;
}

static void
one_run (uint64_t seed)
{
  static const unsigned rates[] = { 2, 5, 20, 100, 1000, 10000 };
  pthread_t thread;
  unsigned i, roots;

  rng = seed * UINT64_C (0x9e3779b97f4a7c15) | 1;
  seed_draw (2);
  one_in = rates[seed_draw (sizeof rates / sizeof rates[0])];
  left = 1 + seed_draw (2 * one_in - 1);
  plain_too = seed_draw (2);
  place_salt = rng;
  place_limit = UINT32_MAX >> (2 + seed_draw (8));
  holds = seed_draw (8);
  hold_one_in = 1 << 2 * seed_draw (4);
  roots = what->least + seed_draw (what->most - what->least + 1);
  /* The first one is the initial thread.  */
  threads[0].function = root;
  for (i = 1; i < roots; i++)
    pthread_create (&thread, NULL, root, (void *) (uintptr_t) i);
  alarm (60);
  self = 0;
  start ();
}

/* Seeds from FIRST on, COUNT of them, those of SETTING.  */

static int
runs (unsigned setting, const char *name, uint64_t first, uint64_t count)
{
  uint64_t seed;
  unsigned done = 0;
  int bad = 0;

  for (seed = first; seed - first < count && (bad == 0 || keep_on); seed++)
    {
      pid_t pid;
      int status;

      what = &seed_cases[seed / NSETTINGS % seed_ncases];
      if (seed % NSETTINGS != setting
	  || (name != NULL && strcmp (what->name, name) != 0))
	continue;
      pid = fork ();
      if (pid == 0)
	one_run (seed);
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 2;
      done++;
      if (status != 0)
	{
	  if (WIFSIGNALED (status))
	    printf ("signal %d\n", WTERMSIG (status));
	  printf ("FAIL: seed %ju: %s", (uintmax_t) seed, what->name);
	  for (unsigned i = 0; i < 4 && settings[setting][i] != NULL; i++)
	    printf (" %s", settings[setting][i]);
	  printf ("\n");
	  bad = 1;
	}
    }
  if (done != 0)
    printf ("%u runs with %s\n", done, settings[setting][0]);
  return bad;
}

int
main (int argc, char **argv)
{
  const char *chosen = getenv ("SEED_SETTING"), *name = NULL;
  uint64_t first = 0, count;
  int i = 1, status = 0, bad = 0;

  for (; i < argc && argv[i][0] == '-'; i++)
    if (argv[i][1] == 'v')
      trace = true;
    else
      keep_on = true;
  if (i < argc && (argv[i][0] < '0' || argv[i][0] > '9'))
    name = argv[i++];
  if (i < argc)
    first = strtoull (argv[i++], NULL, 10);
  setvbuf (stdout, NULL, _IOLBF, 0);
  count = i < argc ? strtoull (argv[i], NULL, 10) : 1;
  if (chosen != NULL)
    return runs (atoi (chosen), name, first, count);
  /* The library has read the environment, so each setting needs a process.  */
  for (unsigned s = 0; s < NSETTINGS && (bad == 0 || keep_on); s++)
    {
      pid_t pid = fork ();

      if (pid == 0)
	{
	  static char number[32];

	  snprintf (number, sizeof number, "SEED_SETTING=%u", s);
	  putenv (number);
	  putenv ((char *) "GOMP_AMP_TYPES=0-1:2-3");
	  putenv ((char *) "GOMP_AMP_DEBUG=sysfs=/nowhere");
	  for (i = 0; i < 4 && settings[s][i] != NULL; i++)
	    putenv ((char *) settings[s][i]);
	  execv ("/proc/self/exe", argv);
	  _exit (2);
	}
      if (pid < 0 || waitpid (pid, &status, 0) != pid)
	return 2;
      bad |= status != 0;
    }
  return bad;
}
