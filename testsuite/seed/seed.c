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
   a few times or always, until nobody else can go on or for as long as another
   draw says.

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
#include <sys/resource.h>
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
  { "GOMP_AMP_TEAM=weighted", "GOMP_AMP_SF=3", "OMP_CANCELLATION=true",
    "GOMP_SPINCOUNT=20" },
  { "GOMP_AMP_DEBUG=sysfs=/nowhere,verdicts", "GOMP_SPINCOUNT=20" },
  { "GOMP_AMP_DEBUG=sysfs=/nowhere,seed=5", "GOMP_SPINCOUNT=20" },
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

static struct thread *
me (void)
{
  return &threads[self < 0 ? 0 : self];
}

static void
say (const char *verb, const void *pc)
{
  if (trace)
    printf ("%ju: thread %d %s at %p\n", (uintmax_t) now, self, verb, pc);
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
  printf (trace ? "%ju steps, %u threads\n" : "", (uintmax_t) now, nthreads);
  fflush (stdout);
  _exit (0);
}

/* The calling thread begins.  */

static void
begin (void)
{
  me ()->begun = true;
  pthread_exit (me ()->function (me ()->data));
}

/* Thread NEXT goes on in place of the calling one, unless that is nobody.  */

static void
go_on (int next)
{
  size_t own = __stop_seed_own - __start_seed_own;
  ucontext_t context;

  if (self >= 0)
    {
      memcpy (me ()->own, __start_seed_own, own);
      memcpy (__start_seed_own, threads[next].own, own);
      if (_setjmp (me ()->context) != 0)
	return;
    }
  self = next;
  if (me ()->begun)
    longjmp (me ()->context, 1);
  getcontext (&context);
  context.uc_stack.ss_sp = stacks[self] + STACK / 8;
  context.uc_stack.ss_size = STACK - STACK / 8;
  context.uc_link = NULL;
  makecontext (&context, begin, 0);
  setcontext (&context);
}

/* The calling thread cannot go on, or need not: the next one.  */

static void
hand_over (const void *pc)
{
  unsigned next, n = 0, which, held = nthreads;

  for (next = 0; next < nthreads; next++)
    {
      struct thread *t = &threads[next];

      if (t->state == HELD_UP && t->until <= now)
	t->state = RUNNABLE;
      n += t->state == RUNNABLE;
      if (t->state == HELD_UP
	  && (held == nthreads || t->until < threads[held].until))
	held = next;
    }
  if (n == 0 && held == nthreads)
    finish ();
  if (n == 0)
    threads[next = held].state = RUNNABLE;
  else
    {
      which = seed_draw (n);
      for (next = 0; threads[next].state != RUNNABLE || which-- != 0; next++)
	;
    }
  left = 1 + seed_draw (2 * one_in - 1);
  if ((int) next == self)
    return;
  say (me ()->state == GONE ? "is gone" : "stops", pc);
  go_on (next);
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

static void
count_step (void)
{
  if (++now > MAX_STEPS)
    seed_fail ("no end after %ju steps", (uintmax_t) now);
}

static inline void
step (const volatile void *address, const void *pc, bool is_plain)
{
  uint32_t place;

  if (self < 0)
    return;
  check_address (address, pc);
  if (is_plain && !plain_too)
    return;
  count_step ();
  place = ((uintptr_t) pc ^ place_salt) * UINT64_C (0x9e3779b97f4a7c15) >> 32;
  if (place < place_limit && holds != 0 && seed_draw (hold_one_in) == 0)
    {
      holds--;
      me ()->state = HELD_UP;
      me ()->until = now + (seed_draw (2) == 0 ? MAX_STEPS / 4
			    : 1U << seed_draw (14));
      say ("is held up", pc);
    }
  else if (--left != 0)
    return;
  hand_over (pc);
  check_address (address, pc);
}

void
seed_waits (void)
{
  count_step ();
  /* Who is waited for may be held up.  */
  if (seed_draw (200) == 0)
    for (unsigned i = 0; i < nthreads; i++)
      threads[i].until = 0;
  hand_over (PC);
}

static void
sleep_at (int *address, const void *pc)
{
  me ()->address = address;
  me ()->pc = pc;
  me ()->state = SLEEPS;
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
  return stacks[me () - threads];
}

void
pthread_exit (void *result)
{
  for (unsigned i = 0; i < 4 * nkeys; i++)
    {
      void *value = me ()->key[i % nkeys];

      me ()->key[i % nkeys] = NULL;
      if (value != NULL && key_end[i % nkeys] != NULL)
	key_end[i % nkeys] (value);
    }
  me ()->state = GONE;
  wake ((int *) &me ()->state, INT_MAX);
  hand_over (PC);
  __builtin_unreachable ();
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
  t->mask = me ()->mask;
  /* All bits: the attribute has none.  */
  if (attr != NULL && pthread_attr_getaffinity_np (attr, sizeof set, &set) == 0
      && set.__bits[0] != (__cpu_mask) -1)
    t->mask = set.__bits[0] & ((1 << CPUS) - 1);
  *thread = (pthread_t) stacks[nthreads++];
  step (NULL, PC, false);
  return 0;
}

pthread_t pthread_self (void) { return (pthread_t) seed_thread (); }

static struct thread *
thread_of (pthread_t thread)
{
  return &threads[((char *) thread - stacks[0]) / STACK];
}

int
pthread_join (pthread_t thread, void **result)
{
  while (thread_of (thread)->state != GONE)
    sleep_at ((int *) &thread_of (thread)->state, PC);
  return 0;
}

int pthread_detach (pthread_t thread) { return 0; }

int
pthread_key_create (pthread_key_t *key, void (*end) (void *))
{
  key_end[nkeys] = end;
  *key = nkeys++;
  return 0;
}

int pthread_key_delete (pthread_key_t key) { return key_end[key] = NULL, 0; }
void *pthread_getspecific (pthread_key_t key) { return me ()->key[key]; }

int
pthread_setspecific (pthread_key_t key, const void *value)
{
  me ()->key[key] = (void *) value;
  return 0;
}

int
pthread_atfork (void (*prepare) (void), void (*parent) (void),
		void (*child) (void))
{
  after_fork = child;
  return 0;
}

void
seed_fork (void (*function) (void))
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      for (unsigned i = 0; i < nthreads; i++)
	if ((int) i != self)
	  threads[i].state = GONE;
      say ("is a child", PC);
      after_fork ();
      function ();
      fflush (stdout);
      _exit (0);
    }
  if (pid < 0 || waitpid (pid, &status, 0) != pid || status != 0)
    seed_fail ("status %x of a child", pid < 0 ? -1 : status);
}

/* The locale is always C's.  */

locale_t
uselocale (locale_t locale)
{
  locale_t before = me ()->locale;

  if (locale != NULL)
    me ()->locale = locale;
  return before != NULL ? before : LC_GLOBAL_LOCALE;
}

/* CPUs and clocks.  */

int
pthread_getaffinity_np (pthread_t thread, size_t size, cpu_set_t *set)
{
  step (NULL, PC, false);
  memset (set, 0, size);
  set->__bits[0] = thread_of (thread)->mask;
  return 0;
}

int
pthread_setaffinity_np (pthread_t thread, size_t size, const cpu_set_t *set)
{
  step (NULL, PC, false);
  thread_of (thread)->mask = set->__bits[0] & ((1 << CPUS) - 1);
  return thread_of (thread)->mask != 0 ? 0 : EINVAL;
}

int
sched_getcpu (void)
{
  unsigned cpu;

  do
    cpu = seed_draw (CPUS);
  while ((me ()->mask >> cpu & 1) == 0);
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

  ts->tv_sec = ns / 1000000000;
  ts->tv_nsec = ns % 1000000000;
  return 0;
}

int
nanosleep (const struct timespec *time, struct timespec *remaining)
{
  return step (NULL, PC, false), 0;
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
  return *(size_t *) ((char *) p - 16);
}

void
free (void *p)
{
  if (p == NULL)
    return;
  step (p, PC, false);
  memset (shadow + ((char *) p - arena) / 16, FREED, (size_of (p) + 15) / 16);
}

void *malloc (size_t size) { return memalign (16, size); }
void *aligned_alloc (size_t to, size_t size) { return memalign (to, size); }

int
posix_memalign (void **p, size_t alignment, size_t size)
{
  *p = memalign (alignment, size);
  return *p != NULL ? 0 : ENOMEM;
}

void *
calloc (size_t n, size_t size)
{
  void *p = malloc (n * size);

  return p != NULL ? memset (p, 0, n * size) : NULL;
}

void *
realloc (void *old, size_t size)
{
  void *p = malloc (size);

  if (p != NULL && old != NULL)
    memcpy (p, old, size < size_of (old) ? size : size_of (old));
  free (old);
  return p;
}

/* What compiled code calls.  */

void __tsan_init (void) { }
void __tsan_func_entry (void *pc) { }
void __tsan_func_exit (void) { }
void __tsan_read_range (void *p, size_t n) { step (p, PC, true); }
void __tsan_write_range (void *p, size_t n) { step (p, PC, true); }

#define ACCESS(NAME) void __tsan_##NAME (void *p) { step (p, PC, true); }
#define ACCESSES(SIZE) \
  ACCESS (read##SIZE) ACCESS (write##SIZE) \
  ACCESS (unaligned_read##SIZE) ACCESS (unaligned_write##SIZE)
ACCESSES (1) ACCESSES (2) ACCESSES (4) ACCESSES (8) ACCESSES (16)

void __tsan_atomic_thread_fence (int o) { step (NULL, PC, false); }
void __tsan_atomic_signal_fence (int o) { }

#define UPDATE(TYPE, NAME, NEW)						\
  TYPE NAME (TYPE *p, TYPE v, int order)				\
  {									\
    TYPE old;								\
    step (p, PC, false);						\
    old = *p;								\
    *p = NEW;								\
    return old;								\
  }
#define COMPARE(TYPE, NAME, FAILS)					\
  bool NAME (TYPE *p, TYPE *expected, TYPE v, int order, int other)	\
  {									\
    step (p, PC, false);						\
    if (*p != *expected || (FAILS))					\
      {									\
	*expected = *p;							\
	return false;							\
      }									\
    *p = v;								\
    return true;							\
  }
#define ATOMICS(TYPE, NAME)						\
  TYPE NAME##load (TYPE *p, int order) { step (p, PC, false); return *p; } \
  UPDATE (TYPE, NAME##store, v)						\
  UPDATE (TYPE, NAME##exchange, v)					\
  UPDATE (TYPE, NAME##fetch_add, old + v)				\
  UPDATE (TYPE, NAME##fetch_sub, old - v)				\
  UPDATE (TYPE, NAME##fetch_and, old & v)				\
  UPDATE (TYPE, NAME##fetch_or, old | v)				\
  UPDATE (TYPE, NAME##fetch_xor, old ^ v)				\
  COMPARE (TYPE, NAME##compare_exchange_strong, false)			\
  COMPARE (TYPE, NAME##compare_exchange_weak, self >= 0 && !seed_draw (16))
ATOMICS (uint8_t, __tsan_atomic8_)
ATOMICS (uint16_t, __tsan_atomic16_)
ATOMICS (uint32_t, __tsan_atomic32_)
ATOMICS (uint64_t, __tsan_atomic64_)

/* Runs.  */

static void __attribute__ ((constructor (101)))
keep_own (void)
{
  if (__stop_seed_own - __start_seed_own > MAX_OWN)
    abort ();
  memcpy (own_at_first, __start_seed_own, __stop_seed_own - __start_seed_own);
  threads[0].mask = (1 << CPUS) - 1;
}

static void *root (void *n) { return what->run ((uintptr_t) n), NULL; }

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
  holds = seed_draw (2) == 0 ? seed_draw (8) : MAX_STEPS;
  hold_one_in = 1 << 2 * seed_draw (4);
  roots = what->least + seed_draw (what->most - what->least + 1);
  /* The first one is the initial thread.  */
  threads[0].function = root;
  for (i = 1; i < roots; i++)
    pthread_create (&thread, NULL, root, (void *) (uintptr_t) i);
  setrlimit (RLIMIT_CPU, &(struct rlimit) { 30, 30 });
  go_on (0);
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
