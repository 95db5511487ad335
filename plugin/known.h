/* What functions of well-known libraries do, as far as the judgement asks.
   SPDX-License-Identifier: GPL-3.0-or-later

   One row a function, by the name that the assembler sees.  A function that is
   not listed and has no body here is unknown.  Arguments are masks, bit 0 the
   first: FILLS are written in full before they are read, READS are read only,
   KEEPS are read and written (a stream's state).  Pointers that are in no mask
   are not followed.  */

#ifndef GOMP_AMP_KNOWN_H
#define GOMP_AMP_KNOWN_H 1

enum amp_known_kind
{
  AMP_PLAIN, AMP_IDENTITY, AMP_WAIT, AMP_LOCK, AMP_UNLOCK, AMP_ALLOC,
  AMP_REALLOC, AMP_FREE, AMP_COPY, AMP_POLL, AMP_CANCEL
};

struct amp_known
{
  const char *name;
  enum amp_known_kind kind;
  unsigned fills, reads, keeps;
};

static const struct amp_known amp_known_functions[] =
{
  /* Who asks.  */
  { "omp_get_thread_num", AMP_IDENTITY, 0, 0, 0 },
  { "omp_get_thread_num_", AMP_IDENTITY, 0, 0, 0 },
  { "omp_get_ancestor_thread_num", AMP_IDENTITY, 0, 0, 0 },
  { "omp_get_ancestor_thread_num_", AMP_IDENTITY, 0, 1, 0 },
  { "omp_get_place_num", AMP_IDENTITY, 0, 0, 0 },
  { "omp_get_place_num_", AMP_IDENTITY, 0, 0, 0 },
  { "pthread_self", AMP_IDENTITY, 0, 0, 0 },
  { "thrd_current", AMP_IDENTITY, 0, 0, 0 },
  { "sched_getcpu", AMP_IDENTITY, 0, 0, 0 },
  { "gettid", AMP_IDENTITY, 0, 0, 0 },
  { "syscall", AMP_WAIT, 0, 0, 0 },
  { "getcpu", AMP_IDENTITY, 3, 0, 0 },
  { "pthread_getspecific", AMP_IDENTITY, 0, 0, 0 },
  { "tss_get", AMP_IDENTITY, 0, 0, 0 },
  { "_ZNSt11this_thread6get_idEv", AMP_IDENTITY, 0, 0, 0 },
  { "__emutls_get_address", AMP_IDENTITY, 0, 0, 0 },
  /* Who waits for others.  */
  { "pthread_cond_wait", AMP_WAIT, 0, 0, 0 },
  { "pthread_cond_timedwait", AMP_WAIT, 0, 0, 0 },
  { "pthread_barrier_wait", AMP_WAIT, 0, 0, 0 },
  { "pthread_join", AMP_WAIT, 2, 0, 0 },
  { "sem_wait", AMP_WAIT, 0, 0, 0 },
  { "sem_timedwait", AMP_WAIT, 0, 0, 0 },
  { "cnd_wait", AMP_WAIT, 0, 0, 0 },
  { "cnd_timedwait", AMP_WAIT, 0, 0, 0 },
  { "futex", AMP_WAIT, 0, 0, 0 },
  { "omp_fulfill_event", AMP_WAIT, 0, 0, 0 },
  { "_ZNSt6thread4joinEv", AMP_WAIT, 0, 0, 0 },
  { "_ZNSt10_Sp_lockerC1EPKv", AMP_LOCK, 0, 0, 0 },
  { "_ZNSt10_Sp_lockerC1EPKvS1_", AMP_LOCK, 0, 0, 0 },
  { "_ZNSt10_Sp_lockerD1Ev", AMP_UNLOCK, 0, 0, 0 },
  { "read", AMP_WAIT, 2, 0, 0 },
  { "recv", AMP_WAIT, 2, 0, 0 },
  { "recvfrom", AMP_WAIT, 2, 0, 0 },
  { "accept", AMP_WAIT, 2, 0, 0 },
  { "poll", AMP_WAIT, 0, 0, 1 },
  { "select", AMP_WAIT, 0, 0, 14 },
  { "epoll_wait", AMP_WAIT, 2, 0, 0 },
  { "msgrcv", AMP_WAIT, 2, 0, 0 },
  { "mq_receive", AMP_WAIT, 2, 0, 0 },
  { "sigwait", AMP_WAIT, 2, 1, 0 },
  { "eventfd_read", AMP_WAIT, 2, 0, 0 },
  { "sigtimedwait", AMP_WAIT, 2, 5, 0 },
  { "sigwaitinfo", AMP_WAIT, 2, 1, 0 },
  { "ppoll", AMP_WAIT, 0, 0, 1 },
  { "pselect", AMP_WAIT, 0, 0, 14 },
  { "flock", AMP_LOCK, 0, 0, 0 },
  { "lockf", AMP_LOCK, 0, 0, 0 },
  { "pause", AMP_WAIT, 0, 0, 0 },
  { "wait", AMP_WAIT, 1, 0, 0 },
  { "waitpid", AMP_WAIT, 2, 0, 0 },
  { "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
    AMP_WAIT, 0, 0, 0 },
  { "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjb"
    "NSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
    AMP_WAIT, 0, 0, 0 },
  /* Who is asked again and again.  */
  { "usleep", AMP_POLL, 0, 0, 0 },
  { "sleep", AMP_POLL, 0, 0, 0 },
  { "nanosleep", AMP_POLL, 2, 1, 0 },
  { "sched_yield", AMP_POLL, 0, 0, 0 },
  { "thrd_yield", AMP_POLL, 0, 0, 0 },
  { "thrd_sleep", AMP_POLL, 2, 1, 0 },
  { "pthread_yield", AMP_POLL, 0, 0, 0 },
  { "sem_trywait", AMP_POLL, 0, 0, 0 },
  { "sem_getvalue", AMP_POLL, 2, 0, 0 },
  { "kill", AMP_POLL, 0, 0, 0 },
  /* Locks.  */
  { "GOMP_critical_start", AMP_LOCK, 0, 0, 0 },
  { "GOMP_critical_name_start", AMP_LOCK, 0, 0, 0 },
  { "GOMP_atomic_start", AMP_LOCK, 0, 0, 0 },
  { "omp_set_lock", AMP_LOCK, 0, 0, 0 },
  { "omp_set_nest_lock", AMP_LOCK, 0, 0, 0 },
  { "omp_set_lock_", AMP_LOCK, 0, 0, 0 },
  { "omp_set_nest_lock_", AMP_LOCK, 0, 0, 0 },
  { "pthread_mutex_lock", AMP_LOCK, 0, 0, 0 },
  { "pthread_rwlock_rdlock", AMP_LOCK, 0, 0, 0 },
  { "pthread_rwlock_wrlock", AMP_LOCK, 0, 0, 0 },
  { "pthread_spin_lock", AMP_LOCK, 0, 0, 0 },
  { "mtx_lock", AMP_LOCK, 0, 0, 0 },
  { "GOMP_critical_end", AMP_UNLOCK, 0, 0, 0 },
  { "GOMP_critical_name_end", AMP_UNLOCK, 0, 0, 0 },
  { "GOMP_atomic_end", AMP_UNLOCK, 0, 0, 0 },
  { "omp_unset_lock", AMP_UNLOCK, 0, 0, 0 },
  { "omp_unset_nest_lock", AMP_UNLOCK, 0, 0, 0 },
  { "omp_unset_lock_", AMP_UNLOCK, 0, 0, 0 },
  { "omp_unset_nest_lock_", AMP_UNLOCK, 0, 0, 0 },
  { "pthread_mutex_unlock", AMP_UNLOCK, 0, 0, 0 },
  { "pthread_rwlock_unlock", AMP_UNLOCK, 0, 0, 0 },
  { "pthread_spin_unlock", AMP_UNLOCK, 0, 0, 0 },
  { "mtx_unlock", AMP_UNLOCK, 0, 0, 0 },
  { "omp_test_lock", AMP_POLL, 0, 0, 0 },
  { "omp_test_nest_lock", AMP_POLL, 0, 0, 0 },
  { "omp_test_lock_", AMP_POLL, 0, 0, 0 },
  { "pthread_mutex_trylock", AMP_POLL, 0, 0, 0 },
  { "pthread_spin_trylock", AMP_POLL, 0, 0, 0 },
  { "mtx_trylock", AMP_POLL, 0, 0, 0 },
  /* Memory.  */
  { "malloc", AMP_ALLOC, 0, 0, 0 },
  { "calloc", AMP_ALLOC, 0, 0, 0 },
  { "aligned_alloc", AMP_ALLOC, 0, 0, 0 },
  { "memalign", AMP_ALLOC, 0, 0, 0 },
  { "_mm_malloc", AMP_ALLOC, 0, 0, 0 },
  { "omp_alloc", AMP_ALLOC, 0, 0, 0 },
  { "alloca", AMP_ALLOC, 0, 0, 0 },
  { "__builtin_alloca_with_align", AMP_ALLOC, 0, 0, 0 },
  { "__builtin_alloca_with_align_and_max", AMP_ALLOC, 0, 0, 0 },
  { "GOMP_alloc", AMP_ALLOC, 0, 0, 0 },
  { "strdup", AMP_ALLOC, 0, 1, 0 },
  { "_Znwm", AMP_ALLOC, 0, 0, 0 },
  { "_Znam", AMP_ALLOC, 0, 0, 0 },
  { "_Znwj", AMP_ALLOC, 0, 0, 0 },
  { "_Znaj", AMP_ALLOC, 0, 0, 0 },
  { "_ZnwmSt11align_val_t", AMP_ALLOC, 0, 0, 0 },
  { "_ZnwmRKSt9nothrow_t", AMP_ALLOC, 0, 0, 0 },
  { "__cxa_allocate_exception", AMP_ALLOC, 0, 0, 0 },
  { "realloc", AMP_REALLOC, 0, 0, 0 },
  { "free", AMP_FREE, 0, 0, 0 },
  { "GOMP_free", AMP_FREE, 0, 0, 0 },
  { "omp_free", AMP_FREE, 0, 0, 0 },
  { "_mm_free", AMP_FREE, 0, 0, 0 },
  { "_ZdlPv", AMP_FREE, 0, 0, 0 },
  { "_ZdaPv", AMP_FREE, 0, 0, 0 },
  { "_ZdlPvm", AMP_FREE, 0, 0, 0 },
  { "_ZdaPvm", AMP_FREE, 0, 0, 0 },
  { "_ZdlPvmSt11align_val_t", AMP_FREE, 0, 0, 0 },
  { "__builtin_stack_restore", AMP_PLAIN, 0, 0, 0 },
  { "__builtin_stack_save", AMP_PLAIN, 0, 0, 0 },
  { "memcpy", AMP_COPY, 1, 2, 0 },
  { "memmove", AMP_COPY, 1, 2, 0 },
  { "memset", AMP_PLAIN, 1, 0, 0 },
  { "memcmp", AMP_PLAIN, 0, 3, 0 },
  { "strlen", AMP_PLAIN, 0, 1, 0 },
  { "strcmp", AMP_PLAIN, 0, 3, 0 },
  { "strncmp", AMP_PLAIN, 0, 3, 0 },
  { "strcpy", AMP_COPY, 1, 2, 0 },
  { "strncpy", AMP_COPY, 1, 2, 0 },
  { "strcat", AMP_PLAIN, 0, 2, 1 },
  { "qsort", AMP_PLAIN, 0, 0, 1 },
  { "_gfortran_string_len_trim", AMP_PLAIN, 0, 2, 0 },
  { "_gfortran_compare_string", AMP_PLAIN, 0, 10, 0 },
  { "_gfortran_concat_string", AMP_PLAIN, 2, 40, 0 },
  { "_gfortran_string_trim", AMP_PLAIN, 3, 8, 0 },
  /* Mathematics that writes.  */
  { "sincos", AMP_PLAIN, 6, 0, 0 },
  { "sincosf", AMP_PLAIN, 6, 0, 0 },
  { "frexp", AMP_PLAIN, 2, 0, 0 },
  { "modf", AMP_PLAIN, 2, 0, 0 },
  { "modff", AMP_PLAIN, 2, 0, 0 },
  { "remquo", AMP_PLAIN, 4, 0, 0 },
  { "lgamma_r", AMP_PLAIN, 2, 0, 0 },
  { "clock_gettime", AMP_PLAIN, 2, 0, 0 },
  { "gettimeofday", AMP_PLAIN, 3, 0, 0 },
  { "time", AMP_PLAIN, 1, 0, 0 },
  /* Streams of random numbers.  */
  { "rand_r", AMP_PLAIN, 0, 0, 1 },
  { "erand48", AMP_PLAIN, 0, 0, 1 },
  { "nrand48", AMP_PLAIN, 0, 0, 1 },
  { "jrand48", AMP_PLAIN, 0, 0, 1 },
  { "strtok_r", AMP_PLAIN, 0, 2, 5 },
  /* Text.  */
  { "printf", AMP_PLAIN, 0, ~0u, 0 },
  { "puts", AMP_PLAIN, 0, 1, 0 },
  { "putchar", AMP_PLAIN, 0, 0, 0 },
  { "fprintf", AMP_PLAIN, 0, ~1u, 1 },
  { "fputs", AMP_PLAIN, 0, 1, 2 },
  { "fputc", AMP_PLAIN, 0, 0, 2 },
  { "fwrite", AMP_PLAIN, 0, 1, 8 },
  { "sprintf", AMP_PLAIN, 1, ~1u, 0 },
  { "snprintf", AMP_PLAIN, 1, ~1u, 0 },
  { "sscanf", AMP_PLAIN, ~3u, 3, 0 },
  { "strtol", AMP_PLAIN, 2, 1, 0 },
  { "strtod", AMP_PLAIN, 2, 1, 0 },
  { "atoi", AMP_PLAIN, 0, 1, 0 },
  { "atof", AMP_PLAIN, 0, 1, 0 },
  { "abort", AMP_PLAIN, 0, 0, 0 },
  { "exit", AMP_PLAIN, 0, 0, 0 },
  { "__assert_fail", AMP_PLAIN, 0, 7, 0 },
  { "_ZSt17__throw_bad_allocv", AMP_PLAIN, 0, 0, 0 },
  { "_ZSt20__throw_length_errorPKc", AMP_PLAIN, 0, 1, 0 },
  { "_ZSt20__throw_out_of_rangePKc", AMP_PLAIN, 0, 1, 0 },
  { "_ZSt24__throw_out_of_range_fmtPKcz", AMP_PLAIN, 0, 1, 0 },
  { "_ZSt28__throw_bad_array_new_lengthv", AMP_PLAIN, 0, 0, 0 },
  { "_gfortran_runtime_error", AMP_PLAIN, 0, ~0u, 0 },
  { "_gfortran_runtime_error_at", AMP_PLAIN, 0, ~0u, 0 },
  { "_gfortran_os_error_at", AMP_PLAIN, 0, ~0u, 0 },
  { "_gfortran_stop_string", AMP_PLAIN, 0, 1, 0 },
  { "_gfortran_error_stop_string", AMP_PLAIN, 0, 1, 0 },
  { "_gfortran_stop_numeric", AMP_PLAIN, 0, 0, 0 },
  /* The team.  */
  { "omp_get_num_threads", AMP_PLAIN, 0, 0, 0 },
  { "omp_get_num_threads_", AMP_PLAIN, 0, 0, 0 },
  { "omp_get_max_threads", AMP_PLAIN, 0, 0, 0 },
  { "omp_get_max_threads_", AMP_PLAIN, 0, 0, 0 },
  { "omp_get_wtime", AMP_PLAIN, 0, 0, 0 },
  { "omp_get_wtime_", AMP_PLAIN, 0, 0, 0 },
  { "omp_in_parallel", AMP_PLAIN, 0, 0, 0 },
  { "omp_in_parallel_", AMP_PLAIN, 0, 0, 0 },
  { "GOMP_cancellation_point", AMP_CANCEL, 0, 0, 0 },
  { "GOMP_cancel", AMP_CANCEL, 0, 0, 0 },
  { "GOMP_barrier", AMP_PLAIN, 0, 0, 0 },
  { "GOMP_taskwait", AMP_PLAIN, 0, 0, 0 },
  { "__cxa_guard_acquire", AMP_PLAIN, 0, 0, 0 },
  { "__cxa_guard_release", AMP_PLAIN, 0, 0, 0 },
  { "__cxa_begin_catch", AMP_PLAIN, 0, 0, 0 },
  { "__cxa_end_catch", AMP_PLAIN, 0, 0, 0 },
  { "_ZSt9terminatev", AMP_PLAIN, 0, 0, 0 },
};

/* The name of DECL, a function, in assembler, without a leading `*'.  */

static const char *
amp_name (tree decl)
{
  if (!decl || !HAS_DECL_ASSEMBLER_NAME_P (decl)
      || !DECL_ASSEMBLER_NAME_SET_P (decl))
    return decl && DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl))
				    : "";
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));
  return name + (*name == '*');
}

/* True if S writes a part of a message; to text in memory, too.  */

static bool
is_message (gimple *s)
{
  static const char *const names[]
    = { "_gfortran_st_write", "_gfortran_transfer_", "_ZNSo", "_ZStls",
	"_ZSt4endl", "_ZSt16__ostream_insert" };
  const char *n = is_gimple_call (s) ? amp_name (gimple_call_fndecl (s)) : "";
  for (const char *b : names)
    if (!strncmp (n, b, strlen (b)))
      return true;
  return false;
}

/* True if S is one atomic access.  */

static bool
is_atomic (gcall *s)
{
  if (gimple_call_internal_p (s))
    return !strncmp (internal_fn_name (gimple_call_internal_fn (s)), "ATOMIC",
		     6);
  const char *n = amp_name (gimple_call_fndecl (s));
  return !strncmp (n, "__atomic_", 9) || !strncmp (n, "__sync_", 7);
}

/* The row of DECL, or NULL.  */

static const amp_known *
amp_known_function (tree decl)
{
  static std::map<std::string, const amp_known *> rows;
  if (rows.empty ())
    for (const amp_known &k : amp_known_functions)
      rows[k.name] = &k;
  std::map<std::string, const amp_known *>::const_iterator i
    = rows.find (amp_name (decl));
  return i == rows.end () ? NULL : i->second;
}

#endif
