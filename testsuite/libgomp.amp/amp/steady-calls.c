/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* In the steady state a loop makes no system call.  A seccomp filter sends
   every call of every thread to a signal handler, which counts it and makes it;
   the handler's own calls are known by a sixth argument.  Only futex may be called,
   to wake as often as by GCC's own dynamic: each barrier's last thread does it,
   even if the others spin.  How often threads sleep is not counted: where the
   system has put both on one CPU they do.  */
/* The loops take their schedule at run time although their bodies watch the
   threads.  */
/* { amp-options -fopenmp-default-schedule=free } */
/* A trace is written while the loops run; and thread 0, for which the other
   waits, may be dealt nothing where divisions are shuffled.  Where verdicts turn, a
   work share may have its first loop of the core, and so its memory, late.  */
/* hetprobe asks the kernel for page faults.  */
/* { amp-without trace shuffled {shuffled, descending} verdicts {hetprobe, two types} {hetprobe_i, two types} } */
/* { amp-env OMP_WAIT_POLICY=active GOMP_SPINCOUNT=infinity } */
/* { amp-need two-cpus } */

#define _GNU_SOURCE 1
#include "amp-test.h"

#if defined __x86_64__ && defined __linux__

#include <errno.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define MAGIC 0x5eccac11

static unsigned long calls, futexes;
static int last_call;

static void
on_call (int sig, siginfo_t *info, void *context)
{
  ucontext_t *uc = context;
  greg_t *r = uc->uc_mcontext.gregs;
  long ret;
  register long r10 __asm__ ("r10") = r[REG_R10];
  register long r8 __asm__ ("r8") = r[REG_R8];
  register long r9 __asm__ ("r9") = MAGIC;

  (void) sig;
  if (info->si_syscall == SYS_futex)
    __atomic_fetch_add (&futexes, (r[REG_RSI] & FUTEX_CMD_MASK) == FUTEX_WAKE,
			__ATOMIC_RELAXED);
  else
    {
      __atomic_fetch_add (&calls, 1, __ATOMIC_RELAXED);
      last_call = info->si_syscall;
    }
  __asm__ volatile ("syscall" : "=a" (ret)
		    : "0" ((long) info->si_syscall), "D" (r[REG_RDI]),
		      "S" (r[REG_RSI]), "d" (r[REG_RDX]), "r" (r10), "r" (r8),
		      "r" (r9)
		    : "rcx", "r11", "memory");
  r[REG_RAX] = ret;
}

static int
count_calls (void)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 4, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 3, 0),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
	      offsetof (struct seccomp_data, args[5])),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, MAGIC, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
  };
  struct sock_fprog program = { sizeof filter / sizeof filter[0], filter };
  struct sigaction action;

  memset (&action, 0, sizeof action);
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  return (sigaction (SIGSYS, &action, NULL) == 0
	  && prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
	  && syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		      SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
}

static int sink[256];
static int entered;

/* Two threads that enter a loop at once also call futex: one waits for what the
   other sets up.  With INORDER the second thread comes when the first is in.  */

static void
before (int inorder, int loop)
{
  if (inorder && omp_get_thread_num () != 0)
    while (__atomic_load_n (&entered, __ATOMIC_ACQUIRE) < loop)
      ;
}

static void
inside (int loop)
{
  if (omp_get_thread_num () == 0)
    __atomic_store_n (&entered, loop, __ATOMIC_RELEASE);
}

static void
loops (int rounds, int inorder)
{
  entered = 0;
#pragma omp parallel num_threads (2)
  for (int r = 0; r < rounds; r++)
    {
      before (inorder, 3 * r + 1);
#pragma omp for
      for (long i = 0; i < 256; i++)
	{
	  inside (3 * r + 1);
	  sink[i]++;
	}
      inside (3 * r + 1);
      before (inorder, 3 * r + 2);
#pragma omp for nowait
      for (unsigned long long u = 0; u < 256; u++)
	{
	  inside (3 * r + 2);
	  sink[u]++;
	}
      inside (3 * r + 2);
      before (inorder, 3 * r + 3);
#pragma omp for schedule (runtime)
      for (long i = 255; i >= 0; i--)
	{
	  inside (3 * r + 3);
	  sink[i]++;
	}
      inside (3 * r + 3);
    }
#pragma omp parallel for num_threads (2)
  for (int i = 0; i < 256; i++)
    sink[i]++;
}

#define ROUNDS 100
/* A team's start may wake or not; what a loop calls comes ROUNDS times.  */
#define SLACK (ROUNDS / 10)

static unsigned long
count_futexes (void)
{
  futexes = 0;
  loops (ROUNDS, 1);
  return futexes;
}

int
main (void)
{
  omp_sched_t kind;
  int chunk;
  unsigned long ours = 0, stock = 0;

  loops (20, 0);
  if (!count_calls ())
    {
      printf ("no seccomp filter can be set here: %s\n", strerror (errno));
      return 77;
    }
  getppid ();
  CHECK (calls == 1);	/* The counter counts.  */
  loops (20, 0);
  calls = 0;
  /* Two barriers a round, whose last thread wakes the others.  A thread that the
     system stops for long makes others wait: the least of some trials counts.  */
  for (int trial = 0; trial < 20 && (trial == 0 || ours > stock + SLACK);
       trial++)
    {
      unsigned long n = count_futexes ();
      if (trial == 0 || n < ours)
	ours = n;
      omp_get_schedule (&kind, &chunk);
      omp_set_schedule (omp_sched_dynamic, 8);
      n = count_futexes ();
      omp_set_schedule (kind, chunk);
      if (trial == 0 || n < stock)
	stock = n;
    }
  CHECK (calls == 0);
  if (calls != 0)
    fprintf (stderr, "%lu calls, the last is %d\n", calls, last_call);
  CHECK (stock >= 2 * ROUNDS);
  CHECK (ours <= stock + SLACK);
  if (ours > stock + SLACK)
    fprintf (stderr, "futex: %lu, dynamic %lu\n", ours, stock);
  return AMP_RESULT;
}

#else

int
main (void)
{
  printf ("only on x86-64 Linux\n");
  return 77;
}

#endif
