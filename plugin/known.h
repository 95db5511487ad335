/* What functions of well-known libraries do, as far as the judgement asks.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function is known by the name that the assembler sees; those of omp_lib by
   C's.  One that is not listed and has no body here is unknown.  Arguments are
   masks, bit 0 the first: FILLS are written in full before they are read, READS
   are read only, KEEPS are read and written (a stream's state).  Pointers that
   are in no mask are not followed.  */

enum amp_known_kind
{
  AMP_PLAIN,
  /* Says who asks; how many threads there are; waits for others; is asked again
     and again.  */
  AMP_IDENTITY, AMP_TEAM, AMP_WAIT, AMP_POLL,
  /* Reads or changes what the library, the system or the processor has for each
     thread; says where errno is.  */
  AMP_STATE, AMP_ERRNO,
  AMP_LOCK, AMP_UNLOCK, AMP_ALLOC, AMP_REALLOC, AMP_FREE, AMP_COPY, AMP_CANCEL
};

struct amp_known
{
  enum amp_known_kind kind;
  unsigned fills, reads, keeps;
  const char *names;
};

static const struct amp_known amp_known_functions[] =
{
  { AMP_IDENTITY, 0, 0, 0,
    "omp_get_thread_num omp_get_place_num pthread_self thrd_current "
    "sched_getcpu gettid pthread_getspecific tss_get "
    "_ZNSt11this_thread6get_idEv __emutls_get_address "
    "__h_errno_location __res_state "
    "__cxa_get_globals __cxa_get_globals_fast "
    "__builtin_thread_pointer __builtin_frame_address" },
  { AMP_IDENTITY, 0, 1, 0, "omp_get_ancestor_thread_num" },
  { AMP_IDENTITY, 3, 0, 0, "getcpu" },
  { AMP_IDENTITY, 1, 4, 0, "omp_capture_affinity" },
  { AMP_WAIT, 0, 0, 0,
    "syscall pthread_cond_wait pthread_cond_timedwait pthread_barrier_wait "
    "sem_wait sem_timedwait cnd_wait cnd_timedwait futex omp_fulfill_event "
    "_ZNSt6thread4joinEv pause "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE "
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chr"
    "ono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE" },
  { AMP_WAIT, 2, 0, 0,
    "pthread_join read recv recvfrom accept epoll_wait msgrcv mq_receive "
    "eventfd_read waitpid" },
  { AMP_WAIT, 0, 0, 1, "poll ppoll" },
  { AMP_WAIT, 0, 0, 14, "select pselect" },
  { AMP_WAIT, 2, 1, 0, "sigwait sigwaitinfo" },
  { AMP_WAIT, 2, 5, 0, "sigtimedwait" },
  { AMP_WAIT, 1, 0, 0, "wait" },
  { AMP_TEAM, 0, 0, 0,
    "omp_get_num_threads omp_get_max_threads omp_get_num_procs "
    "omp_get_thread_limit omp_get_team_size" },
  { AMP_POLL, 0, 0, 0,
    "usleep sleep sched_yield thrd_yield pthread_yield sem_trywait kill "
    "omp_test_lock pthread_mutex_trylock "
    "pthread_spin_trylock mtx_trylock" },
  { AMP_POLL, 0, 1, 2, "nanosleep thrd_sleep" },
  { AMP_POLL, 2, 0, 0, "sem_getvalue" },
  { AMP_POLL, 0, 0, 1, "omp_test_nest_lock" },
  { AMP_STATE, 0, 0, ~0u,
    "feclearexcept feraiseexcept fetestexcept fegetexceptflag fesetexceptflag "
    "fegetround fesetround fegetenv feholdexcept fesetenv feupdateenv "
    "feenableexcept fedisableexcept fegetexcept fegetmode fesetmode "
    "__builtin_ia32_ldmxcsr __builtin_ia32_stmxcsr "
    "__builtin_ia32_fnstenv __builtin_ia32_fldenv __builtin_ia32_fnstsw "
    "__builtin_ia32_fxsave __builtin_ia32_fxsave64 "
    "__builtin_ia32_fxrstor __builtin_ia32_fxrstor64 "
    "__builtin_ia32_xsave __builtin_ia32_xsave64 "
    "__builtin_ia32_xrstor __builtin_ia32_xrstor64 "
    "__builtin_ia32_fnclex __builtin_ia32_rdpkru __builtin_ia32_wrpkru "
    "__builtin_ia32_rdfsbase32 __builtin_ia32_rdfsbase64 "
    "__builtin_ia32_wrfsbase32 __builtin_ia32_wrfsbase64 "
    "__builtin_ia32_rdgsbase32 __builtin_ia32_rdgsbase64 "
    "__builtin_ia32_wrgsbase32 __builtin_ia32_wrgsbase64 "
    "__builtin_aarch64_get_fpcr __builtin_aarch64_set_fpcr "
    "__builtin_aarch64_get_fpsr __builtin_aarch64_set_fpsr "
    "__builtin_aarch64_get_fpcr64 __builtin_aarch64_set_fpcr64 "
    "__builtin_aarch64_get_fpsr64 __builtin_aarch64_set_fpsr64 "
    "__builtin_arm_get_fpscr __builtin_arm_set_fpscr "
    "__builtin_riscv_frflags __builtin_riscv_fsflags "
    "__ieee_exceptions_MOD_ieee_get_flag __ieee_exceptions_MOD_ieee_set_flag "
    "__ieee_exceptions_MOD_ieee_get_status "
    "__ieee_exceptions_MOD_ieee_set_status "
    "__ieee_exceptions_MOD_ieee_get_halting_mode "
    "__ieee_exceptions_MOD_ieee_set_halting_mode "
    "__ieee_arithmetic_MOD_ieee_get_rounding_mode "
    "__ieee_arithmetic_MOD_ieee_set_rounding_mode "
    "__ieee_arithmetic_MOD_ieee_get_underflow_mode "
    "__ieee_arithmetic_MOD_ieee_set_underflow_mode "
    "omp_set_num_threads omp_set_dynamic omp_set_nested omp_set_schedule "
    "omp_set_max_active_levels omp_set_default_allocator "
    "omp_set_default_device omp_get_default_device omp_get_default_allocator "
    "omp_get_schedule "
    "uselocale pthread_sigmask sigprocmask sigpending sigaltstack "
    "pthread_setspecific tss_set pthread_setcancelstate pthread_setcanceltype "
    "setfsuid setfsgid getpriority setpriority nice sched_getscheduler "
    "sched_setscheduler sched_getparam sched_setparam sched_getaffinity "
    "sched_setaffinity pthread_getaffinity_np pthread_setaffinity_np "
    "pthread_getschedparam pthread_setschedparam pthread_setschedprio "
    "pthread_getname_np pthread_setname_np unshare setns arch_prctl "
    "personality pkey_get pkey_set "
    "dlerror prctl _gfortran_random_r4 _gfortran_random_r8 _gfortran_random_r10 "
    "_gfortran_random_r16 _gfortran_arandom_r4 _gfortran_arandom_r8 "
    "_gfortran_arandom_r10 _gfortran_arandom_r16 "
    "_gfortran_random_seed_i4 _gfortran_random_seed_i8 "
    "_gfortran_ierrno_i4 _gfortran_ierrno_i8" },
  { AMP_ERRNO, 0, 0, 0, "__errno_location __error" },
  { AMP_LOCK, 0, 0, 0,
    "_ZNSt10_Sp_lockerC1EPKv _ZNSt10_Sp_lockerC1EPKvS1_ flock lockf "
    "GOMP_critical_start GOMP_critical_name_start GOMP_atomic_start "
    "omp_set_lock omp_set_nest_lock pthread_mutex_lock "
    "pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_spin_lock "
    "mtx_lock flockfile mtx_timedlock pthread_mutex_timedlock "
    "pthread_mutex_clocklock pthread_rwlock_timedrdlock "
    "pthread_rwlock_timedwrlock pthread_rwlock_clockrdlock "
    "pthread_rwlock_clockwrlock" },
  { AMP_UNLOCK, 0, 0, 0,
    "_ZNSt10_Sp_lockerD1Ev GOMP_critical_end GOMP_critical_name_end "
    "GOMP_atomic_end omp_unset_lock omp_unset_nest_lock "
    "pthread_mutex_unlock pthread_rwlock_unlock pthread_spin_unlock "
    "mtx_unlock funlockfile" },
  { AMP_ALLOC, 0, 0, 0,
    "malloc calloc aligned_alloc memalign _mm_malloc omp_alloc alloca "
    "__builtin_alloca_with_align __builtin_alloca_with_align_and_max "
    "GOMP_alloc _Znwm _Znam _Znwj _Znaj _ZnwmSt11align_val_t "
    "_ZnwmRKSt9nothrow_t __cxa_allocate_exception" },
  { AMP_ALLOC, 0, 1, 0, "strdup mmap mmap64" },
  { AMP_REALLOC, 0, 0, 0, "realloc" },
  { AMP_FREE, 0, 0, 0,
    "free GOMP_free omp_free _mm_free _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm "
    "_ZdlPvmSt11align_val_t" },
  { AMP_COPY, 1, 2, 0, "memcpy memmove strcpy strncpy" },
  { AMP_CANCEL, 0, 0, 0, "GOMP_cancellation_point GOMP_cancel" },
  { AMP_PLAIN, 0, 0, 0,
    "fftw_plan_with_nthreads fftwf_plan_with_nthreads MKL_Set_Num_Threads "
    "openblas_set_num_threads goto_set_num_threads "
    "__builtin_stack_restore __builtin_stack_save putchar abort exit "
    "_ZSt17__throw_bad_allocv _ZSt28__throw_bad_array_new_lengthv "
    "_gfortran_stop_numeric rand random lrand48 mrand48 drand48 "
    "omp_get_wtime omp_in_parallel GOMP_barrier GOMP_taskwait "
    "__cxa_guard_acquire __cxa_guard_release __cxa_begin_catch "
    "__cxa_end_catch _ZSt9terminatev __builtin_dynamic_object_size "
    "__builtin_object_size" },
  { AMP_PLAIN, 1, 0, 0, "memset time posix_memalign" },
  { AMP_PLAIN, 0, 3, 0, "memcmp strcmp strncmp" },
  { AMP_PLAIN, 0, 1, 0,
    "strlen puts atoi atof getenv _ZSt20__throw_length_errorPKc "
    "_ZSt20__throw_out_of_rangePKc _ZSt24__throw_out_of_range_fmtPKcz "
    "_gfortran_stop_string _gfortran_error_stop_string "
    "dfftw_plan_with_nthreads_ sfftw_plan_with_nthreads_ "
    "mkl_set_num_threads_ openblas_set_num_threads_" },
  { AMP_PLAIN, 0, 2, 1, "strcat" },
  { AMP_PLAIN, 0, 0, 1, "qsort rand_r erand48 nrand48 jrand48" },
  { AMP_PLAIN, 0, 2, 0, "_gfortran_string_len_trim" },
  { AMP_PLAIN, 0, 10, 0, "_gfortran_compare_string" },
  { AMP_PLAIN, 2, 40, 0, "_gfortran_concat_string" },
  { AMP_PLAIN, 3, 8, 0, "_gfortran_string_trim" },
  { AMP_PLAIN, 6, 0, 0, "sincos sincosf" },
  { AMP_PLAIN, 2, 0, 0, "frexp modf modff lgamma_r clock_gettime" },
  { AMP_PLAIN, 4, 0, 0, "remquo" },
  { AMP_PLAIN, 3, 0, 0, "gettimeofday" },
  { AMP_PLAIN, 0, 2, 5, "strtok_r" },
  { AMP_PLAIN, 0, ~0u, 0,
    "printf _gfortran_runtime_error _gfortran_runtime_error_at "
    "_gfortran_os_error_at" },
  { AMP_PLAIN, 0, ~1u, 1, "fprintf" },
  { AMP_PLAIN, 0, 1, 2, "fputs" },
  { AMP_PLAIN, 0, 0, 2, "fputc" },
  { AMP_PLAIN, 0, 1, 8, "fwrite" },
  { AMP_PLAIN, 1, ~1u, 0, "sprintf snprintf" },
  { AMP_PLAIN, ~3u, 3, 0, "sscanf" },
  { AMP_PLAIN, 2, 1, 0, "strtol strtoul strtoll strtoull strtod" },
  { AMP_PLAIN, 0, 7, 0, "__assert_fail" },
  { AMP_PLAIN, 0, 13, 0, "_ZSt21__glibcxx_assert_failPKciS0_S0_" },
};

/* The name of DECL, a function, in assembler, without a leading `*'; of a weak
   reference, as libstdc++ has to POSIX threads where these are a library of
   their own, that of what it refers to.  */

static const char *
amp_name (tree decl)
{
  tree alias = (decl && lookup_attribute ("weakref", DECL_ATTRIBUTES (decl))
		? lookup_attribute ("alias", DECL_ATTRIBUTES (decl))
		: NULL_TREE);
  if (alias && TREE_VALUE (alias))
    return TREE_STRING_POINTER (TREE_VALUE (TREE_VALUE (alias)));
  if (!decl || !HAS_DECL_ASSEMBLER_NAME_P (decl)
      || !DECL_ASSEMBLER_NAME_SET_P (decl))
    return decl && DECL_NAME (decl) ? IDENTIFIER_POINTER (DECL_NAME (decl))
				    : "";
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl));
  name += *name == '*';
  /* What _FORTIFY_SOURCE puts in a function's place.  */
  size_t n = strlen (name);
  return (n > 6 && !strncmp (name, "__", 2) && !strcmp (name + n - 4, "_chk")
	  ? IDENTIFIER_POINTER (get_identifier_with_length (name + 2, n - 6))
	  : name);
}

static inline bool
begins_with (const char *s, const char *with)
{
  return !strncmp (s, with, strlen (with));
}

/* True if S calls a function whose name begins with BEGIN and ends with
   END.  */

static bool
calls (gimple *s, const char *begin, const char *end)
{
  const char *n = amp_name (callee (s));
  size_t len = strlen (n), e = strlen (end);
  return (*n && begins_with (n, begin) && len >= e
	  && !strcmp (n + len - e, end));
}

/* True if S calls NAME.  */

static inline bool
calls (gimple *s, const char *name)
{
  return !strcmp (amp_name (callee (s)), name);
}

/* True if S begins a construct whose code is another function.  */

static bool
is_construct (gimple *s)
{
  return (calls (s, "GOMP_task") || calls (s, "GOMP_taskloop", "")
	  || calls (s, "GOMP_parallel", "") || calls (s, "GOMP_target", "")
	  || calls (s, "GOMP_teams", ""));
}

/* That function; NULL_TREE if S begins none.  */

static tree
code_of_construct (gimple *s)
{
  if (is_construct (s))
    for (tree a : arguments (s))
      if (TREE_CODE (a) == ADDR_EXPR
	  && TREE_CODE (TREE_OPERAND (a, 0)) == FUNCTION_DECL)
	return TREE_OPERAND (a, 0);
  return NULL_TREE;
}

/* True if S tells libgomp something: see GOMP_AMP_HINT_*.  */

static bool
is_hint (gimple *s)
{
  return (calls (s, "omp_get_ancestor_thread_num")
	  && gimple_call_num_args (s) == 1
	  && TREE_CODE (gimple_call_arg (s, 0)) == INTEGER_CST
	  && tree_int_cst_sgn (gimple_call_arg (s, 0)) < 0);
}

/* True if REF is a field of that NAME.  */

static bool
is_field (tree ref, const char *name)
{
  return (TREE_CODE (ref) == COMPONENT_REF && DECL_NAME (TREE_OPERAND (ref, 1))
	  && id_equal (DECL_NAME (TREE_OPERAND (ref, 1)), name));
}

/* True if UNIT, what Fortran's library is told of one, is text in memory.  */

static bool
is_text (tree unit)
{
  static std::map<tree, std::set<tree> > all;
  tree fndecl = DECL_CONTEXT (unit);
  bool known = (!fndecl || TREE_CODE (fndecl) != FUNCTION_DECL
		|| all.count (fndecl) != 0);
  std::set<tree> &texts = all[fndecl];
  if (!known)
    for (gimple *s : statements (DECL_STRUCT_FUNCTION (fndecl)))
      for (tree l = gimple_get_lhs (s); l && handled_component_p (l);
	   l = TREE_OPERAND (l, 0))
	if (is_field (l, "internal_unit"))
	  texts.insert (get_base_address (l));
  return texts.count (unit) != 0;
}

/* True if S writes a part of a message, not to text in memory.  */

static bool
is_message (gimple *s)
{
  bool fortran = (calls (s, "_gfortran_st_write", "")
		  || calls (s, "_gfortran_transfer_", "_write"));
  bool message = fortran;
  for (const char *b : { "_ZNSo", "_ZStls", "_ZSt4endl",
			 "_ZSt16__ostream_insert" })
    message |= calls (s, b, "");
  if (!message || !gimple_call_num_args (s))
    return false;
  /* What writes to a stream returns it.  */
  tree to = gimple_call_arg (s, 0);
  for (gimple *d; ((d = set_by (to)) && is_gimple_call (d)
		   && gimple_call_num_args (d)); )
    to = gimple_call_arg (d, 0);
  tree d = TREE_CODE (to) == ADDR_EXPR ? TREE_OPERAND (to, 0) : NULL_TREE;
  return d && VAR_P (d) && (fortran ? !is_text (d) : DECL_EXTERNAL (d));
}

/* True if S is one atomic access.  */

static bool
is_atomic (gcall *s)
{
  return (gimple_call_internal_p (s)
	  ? begins_with (internal_fn_name (gimple_call_internal_fn (s)),
			 "ATOMIC")
	  : calls (s, "__atomic_", "") || calls (s, "__sync_", ""));
}

/* An order of words, which a blank ends.  */

static bool
word_less (const char *a, const char *b)
{
  for (; *a == *b && *a && *a != ' '; a++)
    b++;
  return (*a == ' ' ? 0 : *a) < (*b == ' ' ? 0 : *b);
}

/* The row of DECL, or NULL.  The C library has names of its own for what newer
   standards have changed a little.  */

static const amp_known *
amp_known_function (tree decl)
{
  static std::map<const char *, const amp_known *,
		  bool (*) (const char *, const char *)> rows (word_less);
  if (rows.empty ())
    for (const amp_known &k : amp_known_functions)
      for (const char *p = k.names; *p; p += strspn (p, " "))
	{
	  rows[p] = &k;
	  p += strcspn (p, " ");
	}
  const char *name = amp_name (decl);
  /* The program may have one of its own of that name.  */
  if (!decl || ((*name != '_' || begins_with (name, "_Zn"))
		&& DECL_STRUCT_FUNCTION (decl)
		&& !DECL_EXTERNAL (decl)))
    return NULL;
  if (begins_with (name, "__isoc99_") || begins_with (name, "__isoc23_"))
    name += strlen ("__isoc99_");
  /* Fortran's names of OpenMP's, for both sizes of whole numbers.  */
  std::string c (name);
  for (const char *end : { "_", "_8" })
    {
      size_t n = strlen (end), all = c.size ();
      if (begins_with (name, "omp_") && all > n && !c.compare (all - n, n, end))
	c.resize (all - n);
    }
  auto i = rows.find (c.c_str ());
  return i == rows.end () ? NULL : i->second;
}

/* The kind of known function that S calls; AMP_PLAIN for all else.  */

static inline amp_known_kind
kind_of_call (gimple *s)
{
  const amp_known *k = amp_known_function (callee (s));
  return k ? k->kind : AMP_PLAIN;
}

/* What S, an atomic access, makes of what was there and another value.  */

static tree_code
atomic_operation (gcall *s)
{
  const char *n = amp_name (callee (s));
  return (strstr (n, "add") || strstr (n, "sub") ? PLUS_EXPR
	  : !begins_with (n, "__atomic_") ? ERROR_MARK
	  : strstr (n, "_or") ? BIT_IOR_EXPR : strstr (n, "_xor") ? BIT_XOR_EXPR
	  : strstr (n, "_and") ? BIT_AND_EXPR : ERROR_MARK);
}
