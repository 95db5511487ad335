/* What the bodies of loops, regions and local functions do.
   SPDX-License-Identifier: GPL-3.0-or-later

   Facts about code before omplower, for gomp-amp-decide.h: synchronisation by
   hand, thread-local variables, thread numbers, and which private variables
   keep a value from one iteration to the next.  Functions that are called
   have been lowered already or not, as the compiler's queue has it: their
   bodies are GENERIC, high GIMPLE or a control flow graph.  Like
   gomp-amp-decide.h, part of plugin and patched compilers, and C++98.  */

#ifndef GOMP_AMP_BODY_H
#define GOMP_AMP_BODY_H 1

#include "tree-iterator.h"
#include "cfganal.h"

/* Bounds on the work for one function; beyond them code is unknown.  */
enum
{
  GOMP_AMP_MAX_DEPTH = 5,	/* Of calls looked into.  */
  GOMP_AMP_MAX_CALLEES = 400,
  GOMP_AMP_MAX_PARAMS = 32,
  GOMP_AMP_RESOLVE = 8		/* Of temporaries looked through.  */
};

enum gomp_amp_fact_kind
{
  GOMP_AMP_SYNC,		/* Waits for or publishes to other threads.  */
  GOMP_AMP_READ,		/* Atomic or volatile.  */
  GOMP_AMP_SWAP,		/* Atomic, and what is written is not made of
				   what is read.  */
  GOMP_AMP_SPIN,		/* That until it succeeds: a spin lock's.  */
  GOMP_AMP_UPDATE,		/* Atomic, made of what is read, which it may
				   give back.  */
  GOMP_AMP_CLEAR,		/* An atomic store: its release.  */
  GOMP_AMP_SPUN,		/* Both.  */
  GOMP_AMP_LOCK,
  GOMP_AMP_UNLOCK,
  GOMP_AMP_TLS,
  GOMP_AMP_NUMBER,		/* Asks for the thread number.  */
  GOMP_AMP_BLOCKS,		/* A system call or message that may wait.  */
  GOMP_AMP_CALL			/* Of unknown code.  */
};

/* How a statement concerns a variable, in the order in which it does.  */

enum gomp_amp_ref_kind
{
  GOMP_AMP_USE,
  GOMP_AMP_DEF,			/* All of it is written, or enough.  */
  GOMP_AMP_PART,		/* Some of it is written.  */
  GOMP_AMP_STREAM,		/* A callee reads and writes it, and gives
				   something else back.  */
  GOMP_AMP_LIST,		/* A callee stores where it says, and moves
				   on.  */
  GOMP_AMP_LOOK,		/* Unknown code, or its class, looks at it, */
  GOMP_AMP_STEP,		/* or may change it bit by bit.  */
  GOMP_AMP_ADD,			/* A callee adds to it, or the like.  */
  /* What is behind it is read, or written, and not itself; a way there is
     asked for.  */
  GOMP_AMP_READ_BEHIND,
  GOMP_AMP_WRITE_BEHIND,
  GOMP_AMP_WAY,
  GOMP_AMP_NOTHING
};

/* POS counts what was seen of the code, in its order.  */

struct gomp_amp_fact
{
  enum gomp_amp_fact_kind kind;
  unsigned pos;
  location_t at;
  tree what;
};

struct gomp_amp_jump
{
  tree label;
  unsigned pos;
  bool always;
};

/* A test of what was read from an atomic or volatile object, which goes to
   LABEL or ends the block FROM, or, without either, ends the loop around
   it.  With NAME, it is one if that variable turns out to hold what was read:
   code that comes later may write it for the next time.  */

struct gomp_amp_test
{
  unsigned pos;
  location_t at;
  tree label;
  basic_block from;
  tree name;
};

/* What a loop reads again each time: nothing, what a spin lock is made of, or
   more.  */

struct gomp_amp_polled
{
  bool again, more;
  tree object;

  gomp_amp_polled () : again (false), more (false), object (NULL_TREE) {}

  void
  add (const gomp_amp_fact &fact)
  {
    again = true;
    more |= fact.kind != GOMP_AMP_SWAP;
    object = fact.what;
  }
};

/* True if FACT is that something is read that other threads may change.  */

static inline bool
gomp_amp_is_read (const gomp_amp_fact &fact)
{
  return (fact.kind == GOMP_AMP_READ || fact.kind == GOMP_AMP_SWAP
	  || fact.kind == GOMP_AMP_UPDATE);
}

/* From FIRST to LAST and back to FIRST.  */

struct gomp_amp_range
{
  unsigned first, last;
};

/* What a function does to what a parameter points to.  */

enum
{
  GOMP_AMP_SEEN = 1,
  GOMP_AMP_READS_FIRST = 2,
  GOMP_AMP_WRITES = 4,
  GOMP_AMP_APPENDS = 8,		/* Puts something at a list's end.  */
  GOMP_AMP_SELECTS = 16,	/* What it changes selects memory.  */
  GOMP_AMP_LOOKS = 32,		/* It asks the C++ library about it.  */
  GOMP_AMP_STEPS = 64,		/* It has that change it bit by bit.  */
  GOMP_AMP_DECIDES = 128	/* What is there decides what it becomes.  */
};

struct gomp_amp_callee
{
  bool known;
  /* A bit for each kind of fact.  */
  unsigned facts;
  /* Being read; calls itself meanwhile.  */
  bool open, recursive;
  unsigned char param[GOMP_AMP_MAX_PARAMS];

  bool
  does (enum gomp_amp_fact_kind kind) const
  {
    return (facts >> kind) & 1;
  }
};

struct gomp_amp_context
{
  hash_map<tree, gomp_amp_callee *> callees;
  auto_vec<gomp_amp_callee *> made;
  /* What is done with what parameters, or fields of closures, point to; for
     the second with any number in it.  */
  hash_map<tree, unsigned> uses, any_uses;
  /* What calling an object of a class runs.  */
  hash_map<tree, tree> closures;
  unsigned visited;

  gomp_amp_context () : visited (0) {}
  ~gomp_amp_context ();
};

gomp_amp_context::~gomp_amp_context ()
{
  for (unsigned i = 0; i < made.length (); i++)
    XDELETE (made[i]);
}

/* True if T is a variable, or a value that the compiler has named.  */

static inline bool
gomp_amp_is_name (const_tree t)
{
  return DECL_P (t) || TREE_CODE (t) == SSA_NAME;
}

/* The name of FNDECL in the source, without __builtin_; "" if it has none.  */

static const char *
gomp_amp_name (const_tree fndecl)
{
  if (!DECL_NAME (fndecl))
    return "";
  const char *name = IDENTIFIER_POINTER (DECL_NAME (fndecl));
  if (strncmp (name, "__builtin_", 10) == 0)
    name += 10;
  return name;
}

/* True if NAME is one of the words of LIST, which a blank ends each.  */

static bool
gomp_amp_listed (const char *name, const char *list)
{
  size_t n = strlen (name);
  if (n == 0)
    return false;
  for (const char *p = list; (p = strstr (p, name)); p++)
    if ((p == list || p[-1] == ' ') && p[n] == ' ')
      return true;
  return false;
}

/* True if FNDECL, called with LEVEL as its first argument, gives a thread's
   number.  Levels below zero are hints for libgomp.  */

static bool
gomp_amp_is_thread_num (tree fndecl, tree level)
{
  const char *name = gomp_amp_name (fndecl);
  return (gomp_amp_listed (name, "omp_get_thread_num pthread_self "
				 "thrd_current gettid ")
	  || (strcmp (name, "omp_get_ancestor_thread_num") == 0
	      && !(level && TREE_CODE (level) == INTEGER_CST
		   && tree_int_cst_sgn (level) < 0)));
}

/* The code of the builtin that FNDECL is, or END_BUILTINS.  */

static enum built_in_function
gomp_amp_builtin (tree fndecl)
{
  if (fndecl && DECL_BUILT_IN_CLASS (fndecl) == BUILT_IN_NORMAL)
    return DECL_FUNCTION_CODE (fndecl);
  return END_BUILTINS;
}

/* True if DECL is a member of namespace std or __gnu_cxx, at any depth.  */

static bool
gomp_amp_in_std (const_tree decl)
{
  const_tree outer = NULL_TREE;
  for (const_tree c = DECL_CONTEXT (decl); c; )
    {
      if (TREE_CODE (c) == NAMESPACE_DECL)
	outer = c;
      if (TYPE_P (c))
	c = TYPE_CONTEXT (c);
      else if (DECL_P (c) && TREE_CODE (c) != TRANSLATION_UNIT_DECL)
	c = DECL_CONTEXT (c);
      else
	break;
    }
  if (!outer || !DECL_NAME (outer))
    return false;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (outer));
  return strcmp (name, "std") == 0 || strcmp (name, "__gnu_cxx") == 0;
}

/* The name of the class that DECL is a member of, or "".  */

static const char *
gomp_amp_class_name (const_tree type)
{
  if (!type || !RECORD_OR_UNION_TYPE_P (type))
    return "";
  const_tree name = TYPE_NAME (type);
  if (name && TREE_CODE (name) == TYPE_DECL)
    name = DECL_NAME (name);
  return name ? IDENTIFIER_POINTER (name) : "";
}

/* True if TYPE is one of the random number engines of the C++ library.  */

static bool
gomp_amp_is_engine (const_tree type)
{
  const char *name = gomp_amp_class_name (type);
  const char *part = strstr (name, "_engine");
  return part && TYPE_NAME (type) && TREE_CODE (TYPE_NAME (type)) == TYPE_DECL
	 && gomp_amp_in_std (TYPE_NAME (type));
}

/* True if FNDECL reads an atomic object: std::atomic's load or conversion.  */

static bool
gomp_amp_is_std_load (tree fndecl)
{
  if (gomp_amp_in_std (fndecl)
      && gomp_amp_listed (gomp_amp_name (fndecl),
			  "atomic_load atomic_load_explicit "))
    return true;
  if (!DECL_CONTEXT (fndecl) || !TYPE_P (DECL_CONTEXT (fndecl)))
    return false;
  const char *name = gomp_amp_class_name (DECL_CONTEXT (fndecl));
  while (*name == '_')
    name++;
  if (strncmp (name, "atomic", 6) != 0)
    return false;
  const char *fn = gomp_amp_name (fndecl);
  return (strcmp (fn, "load") == 0 || strcmp (fn, "test") == 0
	  || strcmp (fn, "wait") == 0 || strncmp (fn, "operator ", 9) == 0
	  || strncmp (fn, "__conv_op", 9) == 0);
}

/* A wrapper that the C++ front end makes for a thread_local variable.  */

static bool
gomp_amp_is_tls_wrapper (tree fndecl)
{
  if (!DECL_ARTIFICIAL (fndecl) || !HAS_DECL_ASSEMBLER_NAME_P (fndecl)
      || !DECL_ASSEMBLER_NAME_SET_P (fndecl))
    return false;
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  return strncmp (name, "_ZTW", 4) == 0;
}

/* Functions that advance what their first argument points to and return or
   store another value: random numbers.  */
static const char gomp_amp_streams[]
  = "rand_r erand48 nrand48 jrand48 drand48_r erand48_r lrand48_r nrand48_r "
    "mrand48_r jrand48_r random_r ";
static const char gomp_amp_locks[]
  = "omp_set_lock omp_set_nest_lock omp_test_lock omp_test_nest_lock "
    "pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock "
    "pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_spin_lock "
    "pthread_spin_trylock mtx_lock mtx_trylock mtx_timedlock ";
static const char gomp_amp_unlocks[]
  = "omp_unset_lock omp_unset_nest_lock pthread_mutex_unlock "
    "pthread_rwlock_unlock pthread_spin_unlock mtx_unlock ";
static const char gomp_amp_waits[]
  = "pthread_barrier_wait pthread_cond_wait pthread_cond_timedwait "
    "sem_wait sem_timedwait cnd_wait cnd_timedwait futex omp_fulfill_event ";
/* Classes of the C++ library: whose objects hold a lock while they live; that
   are locks; whose functions wait.  */
static const char gomp_amp_guards[]
  = "lock_guard unique_lock scoped_lock shared_lock ";
static const char gomp_amp_mutexes[]
  = "mutex timed_mutex recursive_mutex recursive_timed_mutex shared_mutex "
    "shared_timed_mutex ";
static const char gomp_amp_waiters[]
  = "condition_variable condition_variable_any future shared_future "
    "__basic_future barrier latch counting_semaphore ";

/* Functions that give all that their arguments point to a value, if they may
   write to that; and those that give one to what their first argument points
   to.  */
static const char gomp_amp_writers[]
  = "scanf fscanf sscanf vsscanf frexp modf remquo sincos frexpf modff "
    "sincosf lgamma_r clock_gettime gettimeofday localtime_r gmtime_r time "
    "strtod strtof strtol strtoul strtoll strtoull ";
static const char gomp_amp_first_writers[]
  = "memset memcpy memmove strcpy strncpy stpcpy sprintf snprintf vsprintf "
    "vsnprintf fgets fread strftime free fclose ";

/* Calls that wait for another process or thread to send something.  */
static const char gomp_amp_receives[]
  = "read readv recv recvfrom recvmsg recvmmsg accept accept4 poll ppoll "
    "select pselect epoll_wait epoll_pwait msgrcv mq_receive "
    "mq_timedreceive sigwait sigwaitinfo sigsuspend pause wait waitpid "
    "pthread_join getc fgetc fgets fread getline fscanf ";
/* Functions of the C++ library that append to their first argument, classes
   that keep what is appended in order, and classes that append when they are
   assigned to.  */
static const char gomp_amp_append_names[]
  = "push_back emplace_back push_front emplace_front append insert emplace "
    "push operator+= operator<< write put insert_range append_range ";
static const char gomp_amp_lists[]
  = "vector deque list forward_list basic_string queue stack "
    "basic_ostringstream basic_stringstream basic_ofstream basic_fstream "
    "basic_ostream basic_osyncstream ";
static const char gomp_amp_inserters[]
  = "back_insert_iterator front_insert_iterator insert_iterator "
    "ostream_iterator ostreambuf_iterator ";
/* Functions of the C++ library that give their first argument a value of its
   own, those of them that make a list anew, and those that lead to elements of
   it.  */
static const char gomp_amp_definers[]
  = "clear assign resize operator= reset str fill swap seed ";
static const char gomp_amp_renewers[] = "clear assign operator= reset str ";
static const char gomp_amp_ways[]
  = "operator[] at begin end rbegin rend cbegin cend crbegin crend data "
    "reserve operator* operator-> get c_str operator() ";

/* Its classes that are added up, and those that keep what is put into them in
   no order or in their own.  */
static const char gomp_amp_summands[] = "complex valarray duration ";
static const char gomp_amp_sets[]
  = "set multiset map multimap unordered_set unordered_multiset "
    "unordered_map unordered_multimap priority_queue ";

/* The type of what argument ARG of FNDECL points to; NULL if it is not declared
   or no pointer.  */

static tree
gomp_amp_pointee_type (tree fndecl, unsigned arg)
{
  tree args = TYPE_ARG_TYPES (TREE_TYPE (fndecl));
  for (; args && arg > 0; arg--)
    args = TREE_CHAIN (args);
  return (args && POINTER_TYPE_P (TREE_VALUE (args))
	  ? TREE_TYPE (TREE_VALUE (args)) : NULL_TREE);
}

/* What FNDECL, a function of the C++ library, does to the object that its first
   argument points to: GOMP_AMP_LOOKS, GOMP_AMP_STEPS, or 0 if it gives it a
   value or leads to elements.  */

static unsigned
gomp_amp_std_use (tree fndecl)
{
  const char *name = gomp_amp_name (fndecl);
  if (DECL_CXX_CONSTRUCTOR_P (fndecl) || DECL_CXX_DESTRUCTOR_P (fndecl)
      || gomp_amp_listed (name, gomp_amp_definers)
      || gomp_amp_listed (name, gomp_amp_ways))
    return 0;
  /* Members, operators that stand outside of their class, and functions that
     move an iterator or a stream on.  */
  if (!(DECL_CONTEXT (fndecl) && TYPE_P (DECL_CONTEXT (fndecl)))
      && strncmp (name, "operator", strlen ("operator")) != 0
      && !gomp_amp_listed (name, "advance getline "))
    return 0;
  tree type = gomp_amp_pointee_type (fndecl, 0);
  return (!type ? 0 : TYPE_READONLY (type) ? GOMP_AMP_LOOKS : GOMP_AMP_STEPS);
}

/* True if FNDECL, a function of the C++ library, puts something at the end of
   the object of class TYPE that its first argument points to.  */

static bool
gomp_amp_is_append (tree fndecl, const_tree type)
{
  const char *name = gomp_amp_name (fndecl);
  const char *of = gomp_amp_class_name (type);
  return (gomp_amp_in_std (fndecl)
	  && (gomp_amp_listed (of, gomp_amp_lists)
	      ? gomp_amp_listed (name, gomp_amp_append_names)
	      : (gomp_amp_listed (of, gomp_amp_inserters)
		 && gomp_amp_listed (name, "operator= operator++ "))));
}

/* True if FNDECL moves the iterator of the C++ library, of class TYPE, that its
   first argument points to.  */

static bool
gomp_amp_is_step (tree fndecl, const_tree type)
{
  const char *of = gomp_amp_class_name (type);
  return (gomp_amp_in_std (fndecl) && strstr (of, "iterator")
	  && !gomp_amp_listed (of, gomp_amp_inserters)
	  && gomp_amp_listed (gomp_amp_name (fndecl),
			      "operator++ operator-- operator+= operator-= "));
}

/* The class of the object that ARG, of a call, is or points to, or NULL.  */

static tree
gomp_amp_class_of (tree arg)
{
  tree type = TREE_TYPE (arg);
  if (TREE_CODE (arg) == ADDR_EXPR)
    type = TREE_TYPE (TREE_OPERAND (arg, 0));
  else if (POINTER_TYPE_P (type))
    type = TREE_TYPE (type);
  return RECORD_OR_UNION_TYPE_P (type) ? TYPE_MAIN_VARIANT (type) : NULL_TREE;
}

/* The function that calling an object of class TYPE runs, if that is made by a
   lambda expression; or NULL.  */

static tree
gomp_amp_closure_call (gomp_amp_context &ctx, tree type)
{
  const char *name = gomp_amp_class_name (type);
  if (strncmp (name, "<lambda", 7) != 0 && strncmp (name, "._anon", 6) != 0
      && !strstr (name, "lambda"))
    return NULL_TREE;
  tree *known = ctx.closures.get (type);
  if (known)
    return *known;
  tree found = NULL_TREE;
  const size_t word = strlen ("operator");
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (DECL_CONTEXT (node->decl)
	&& TYPE_P (DECL_CONTEXT (node->decl))
	&& TYPE_MAIN_VARIANT (DECL_CONTEXT (node->decl)) == type
	&& strncmp (gomp_amp_name (node->decl), "operator", word) == 0
	&& gomp_amp_name (node->decl)[word] == '(')
      {
	found = node->decl;
	break;
      }
  ctx.closures.put (type, found);
  return found;
}

/* What FNDECL does to other threads, a function of the C++ library;
   GOMP_AMP_CALL: nothing, or it is none.  */

static enum gomp_amp_fact_kind
gomp_amp_std_sync (tree fndecl)
{
  if (!DECL_CONTEXT (fndecl) || !TYPE_P (DECL_CONTEXT (fndecl))
      || !gomp_amp_in_std (fndecl))
    return GOMP_AMP_CALL;
  const char *type = gomp_amp_class_name (DECL_CONTEXT (fndecl));
  const char *fn = gomp_amp_name (fndecl);
  bool guard = gomp_amp_listed (type, gomp_amp_guards);
  if (guard && DECL_CXX_CONSTRUCTOR_P (fndecl))
    return GOMP_AMP_LOCK;
  if (guard && DECL_CXX_DESTRUCTOR_P (fndecl))
    return GOMP_AMP_UNLOCK;
  if (guard || gomp_amp_listed (type, gomp_amp_mutexes))
    return (strncmp (fn, "unlock", 6) == 0 ? GOMP_AMP_UNLOCK
	    : strncmp (fn, "lock", 4) == 0 || strncmp (fn, "try_lock", 8) == 0
	    ? GOMP_AMP_LOCK : GOMP_AMP_CALL);
  if (gomp_amp_listed (type, gomp_amp_waiters)
      && (strstr (fn, "wait") || strcmp (fn, "get") == 0
	  || strcmp (fn, "acquire") == 0))
    return GOMP_AMP_SYNC;
  return GOMP_AMP_CALL;
}

/* How FNDECL, whose code is not known, uses what its argument ARG points
   to.  */

static enum gomp_amp_ref_kind
gomp_amp_unknown_use (tree fndecl, unsigned arg)
{
  if (!fndecl)
    return GOMP_AMP_STEP;
  if (DECL_CXX_CONSTRUCTOR_P (fndecl) || DECL_CXX_DESTRUCTOR_P (fndecl)
      || strncmp (gomp_amp_name (fndecl), "operator delete", 15) == 0)
    return arg == 0 ? GOMP_AMP_DEF : GOMP_AMP_LOOK;
  const char *name = gomp_amp_name (fndecl);
  if (strncmp (name, "__atomic_fetch_", 15) == 0
      || strncmp (name, "__sync_fetch_", 13) == 0)
    return GOMP_AMP_ADD;
  if (strncmp (name, "_gfortran_transfer_", 19) == 0)
    return strstr (name, "_write") ? GOMP_AMP_LOOK : GOMP_AMP_DEF;
  tree type = gomp_amp_pointee_type (fndecl, arg);
  if (type && TYPE_READONLY (type))
    return GOMP_AMP_LOOK;
  if (gomp_amp_listed (name, gomp_amp_writers)
      || (arg == 0 && gomp_amp_listed (name, gomp_amp_first_writers)))
    return GOMP_AMP_DEF;
  tree spec = lookup_attribute ("fn spec",
				TYPE_ATTRIBUTES (TREE_TYPE (fndecl)));
  if (spec)
    {
      /* Fortran's intent (in): one letter or two an argument, after what is
	 said of the result.  */
      tree text = TREE_VALUE (TREE_VALUE (spec));
      const char *p = TREE_STRING_POINTER (text);
      unsigned step = BUILDING_GCC_MAJOR >= 11 ? 2 : 1;
      unsigned at = step * (arg + 1);
      if (at < (unsigned) TREE_STRING_LENGTH (text)
	  && (p[at] == 'r' || p[at] == 'R'))
	return GOMP_AMP_LOOK;
    }
  return GOMP_AMP_STEP;
}

/* Reads code in order and notes facts.  One object reads one body.  */

class gomp_amp_reader
{
public:
  gomp_amp_reader (gomp_amp_context &context, unsigned level)
    : pos (0), at (UNKNOWN_LOCATION), shared (NULL), critical (false),
      locks (0),
      target (NULL_TREE), target_beside (false), of (NULL_TREE),
      ctx (context), depth (level), reads (0), after_test (0)
  {
    memset (param, 0, sizeof param);
  }

  auto_vec<gomp_amp_fact> facts;
  auto_vec<gomp_amp_range> loops;
  unsigned pos;
  location_t at;
  /* Automatic variables of which volatile ones count: a region's shared
     ones.  */
  hash_set<tree> *shared;
  /* Within a critical construct, which flushes; locks that are held.  */
  bool critical;
  int locks;
  unsigned char param[GOMP_AMP_MAX_PARAMS];
  /* If given: where this function is called, and whether that is in one region
     with synchronisation by hand, and which.  */
  tree target;
  auto_vec<unsigned> target_calls;
  bool target_beside;
  gomp_amp_fact found_beside;

  void read_function (tree fndecl);
  void read_task (gimple_seq seq);
  void judge_target ();
  void read_statement (gimple *stmt, gimple *next);
  void close (const vec<unsigned> *constructs);

private:
  tree of;
  gomp_amp_context &ctx;
  unsigned depth;
  hash_map<tree, unsigned> labels;
  auto_vec<gomp_amp_jump> gotos;
  hash_map<tree, int> aliases;
  hash_set<tree> shared_exprs;
  /* How often an atomic or volatile object was read, variables that hold what
     was read, and where that is tested.  */
  unsigned reads;
  hash_set<tree> watched;
  auto_vec<gomp_amp_test> tests;
  auto_vec<unsigned> first_of_block, last_of_block;
  /* So many statements may still belong to the last such test: && and || set a
     variable where they lead to.  */
  unsigned after_test;

  void note (enum gomp_amp_fact_kind kind, tree what);
  void note_wait (const gomp_amp_test &end, const gomp_amp_polled &polled);
  void rvalue (tree *tp);
  void lvalue (tree t);
  void variable (tree decl, bool read);
  void call (tree fndecl, unsigned nargs, tree *args);
  void adopt (const gomp_amp_callee *callee, tree fndecl, tree object);
  void touch (tree pointer, bool write);
  int param_of (tree pointer);
  void body_of_seq (gimple_seq seq);
  void jump (tree label, bool always = false);
  void take (gomp_amp_reader &region);
  bool reads_flag (tree *tp);
  bool is_others (tree t);
  void test (tree label, basic_block from, tree name = NULL_TREE);
  void natural_loop (edge back);
  void tests_in (tree arm);

  static tree visit (tree *tp, int *walk_subtrees, void *data);
};

static const gomp_amp_callee *gomp_amp_look (gomp_amp_context &ctx,
					     tree fndecl, unsigned depth);

/* What FNDECL does if its code is known, or NULL.  Functions of the C++ library
   are known by name.  */

static const gomp_amp_callee *
gomp_amp_code (gomp_amp_context &ctx, tree fndecl, unsigned depth)
{
  if (!fndecl || gomp_amp_in_std (fndecl))
    return NULL;
  const gomp_amp_callee *callee = gomp_amp_look (ctx, fndecl, depth);
  return callee && callee->known ? callee : NULL;
}

/* What FNDECL does to what its argument ARG points to, as GOMP_AMP_SEEN and so
   on.  What is not known writes first.  */

static unsigned
gomp_amp_effect (gomp_amp_context &ctx, tree fndecl, unsigned arg,
		 unsigned depth)
{
  const unsigned defines = GOMP_AMP_SEEN | GOMP_AMP_WRITES;
  if (!fndecl)
    return defines;
  if (arg == 0 && gomp_amp_listed (gomp_amp_name (fndecl), gomp_amp_streams))
    return defines | GOMP_AMP_READS_FIRST;
  if (gomp_amp_in_std (fndecl))
    {
      const char *name = gomp_amp_name (fndecl);
      if (strcmp (name, "max") == 0 || strcmp (name, "min") == 0)
	return GOMP_AMP_SEEN | GOMP_AMP_READS_FIRST;
      if (arg == 0 && strcmp (name, "exchange") == 0)
	return defines | GOMP_AMP_READS_FIRST;
      tree type = gomp_amp_pointee_type (fndecl, arg);
      if (type && gomp_amp_is_engine (TYPE_MAIN_VARIANT (type))
	  && !DECL_CXX_CONSTRUCTOR_P (fndecl)
	  && !gomp_amp_listed (name, gomp_amp_definers))
	return defines | GOMP_AMP_READS_FIRST;
      return defines;
    }
  const gomp_amp_callee *callee = gomp_amp_code (ctx, fndecl, depth);
  if (!callee)
    return defines;
  if (arg >= GOMP_AMP_MAX_PARAMS)
    return defines | GOMP_AMP_READS_FIRST;
  return callee->param[arg];
}

void
gomp_amp_reader::note (enum gomp_amp_fact_kind kind, tree what)
{
  gomp_amp_fact fact = { kind, pos, at, what };
  reads += gomp_amp_is_read (fact);
  locks += (kind == GOMP_AMP_LOCK) - (kind == GOMP_AMP_UNLOCK && locks > 0);
  facts.safe_push (fact);
}

/* A loop that the test END ends waits for what it has POLLED.  */

void
gomp_amp_reader::note_wait (const gomp_amp_test &end,
			    const gomp_amp_polled &polled)
{
  pos = end.pos;
  at = end.at;
  if (polled.more)
    note (GOMP_AMP_SYNC, NULL_TREE);
  else
    note (GOMP_AMP_SPIN, polled.object);
}

void
gomp_amp_reader::jump (tree label, bool always)
{
  if (!label || TREE_CODE (label) != LABEL_DECL)
    return;
  gomp_amp_jump to = { label, pos, always };
  gotos.safe_push (to);
}

void
gomp_amp_reader::test (tree label, basic_block from, tree name)
{
  gomp_amp_test t = { pos, at, label, from, name };
  tests.safe_push (t);
}

static tree
gomp_amp_find_in (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (gomp_amp_is_name (*tp) && ((hash_set<tree> *) data)->contains (*tp))
    return *tp;
  return NULL_TREE;
}

/* Read *TP.  True if that is made of an atomic or volatile object.  */

bool
gomp_amp_reader::reads_flag (tree *tp)
{
  unsigned before = reads;
  rvalue (tp);
  return (reads > before
	  || (*tp && watched.elements () > 0
	      && walk_tree (tp, gomp_amp_find_in, &watched, NULL)));
}

static tree
gomp_amp_find_goto (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (TREE_CODE (*tp) == GOTO_EXPR)
    ((vec<tree> *) data)->safe_push (GOTO_DESTINATION (*tp));
  else if (TREE_CODE (*tp) == RETURN_EXPR)
    ((vec<tree> *) data)->safe_push (NULL_TREE);
  return NULL_TREE;
}

/* Note where ARM, which a test leads to, goes.  */

void
gomp_amp_reader::tests_in (tree arm)
{
  vec<tree> labels = vNULL;
  if (arm)
    walk_tree (&arm, gomp_amp_find_goto, &labels, NULL);
  for (unsigned i = 0; i < labels.length (); i++)
    test (labels[i], NULL);
  labels.release ();
}

/* Which parameter of the function POINTER points into, or -1.  */

int
gomp_amp_reader::param_of (tree pointer)
{
  for (int i = 0; pointer && i < 2 * GOMP_AMP_RESOLVE; i++)
    switch (TREE_CODE (pointer))
      {
      CASE_CONVERT:
      case POINTER_PLUS_EXPR:
      case SAVE_EXPR:
      case NON_LVALUE_EXPR:
	pointer = TREE_OPERAND (pointer, 0);
	break;
      case ADDR_EXPR:
	pointer = TREE_OPERAND (pointer, 0);
	while (handled_component_p (pointer))
	  pointer = TREE_OPERAND (pointer, 0);
	if (TREE_CODE (pointer) != MEM_REF
	    && TREE_CODE (pointer) != INDIRECT_REF)
	  return -1;
	pointer = TREE_OPERAND (pointer, 0);
	break;
      case PARM_DECL:
	if (of)
	  {
	    int n = 0;
	    for (tree p = DECL_ARGUMENTS (of); p; p = DECL_CHAIN (p), n++)
	      if (p == pointer)
		return n < GOMP_AMP_MAX_PARAMS ? n : -1;
	  }
	return -1;
      case VAR_DECL:
      case SSA_NAME:
	{
	  int *n = aliases.get (pointer);
	  return n ? *n : -1;
	}
      default:
	return -1;
      }
  return -1;
}

void
gomp_amp_reader::touch (tree pointer, bool write)
{
  int n = param_of (pointer);
  if (n < 0)
    return;
  if (!(param[n] & GOMP_AMP_SEEN) && !write)
    param[n] |= GOMP_AMP_READS_FIRST;
  param[n] |= GOMP_AMP_SEEN | (write ? GOMP_AMP_WRITES : 0);
}

/* DECL is read, or written.  */

void
gomp_amp_reader::variable (tree decl, bool read)
{
  if (!VAR_P (decl))
    return;
  if (DECL_HAS_VALUE_EXPR_P (decl))
    {
      /* A member of a Fortran common block.  */
      tree base = get_base_address (DECL_VALUE_EXPR (decl));
      if (base && base != decl && VAR_P (base) && DECL_THREAD_LOCAL_P (base))
	note (GOMP_AMP_TLS, decl);
      return;
    }
  if (DECL_THREAD_LOCAL_P (decl))
    note (GOMP_AMP_TLS, decl);
  if (read && TREE_THIS_VOLATILE (decl)
      && (TREE_STATIC (decl) || DECL_EXTERNAL (decl)
	  || (shared && shared->contains (decl))))
    note (GOMP_AMP_READ, decl);
}

/* T is written.  */

void
gomp_amp_reader::lvalue (tree t)
{
  while (handled_component_p (t) || TREE_CODE (t) == REALPART_EXPR
	 || TREE_CODE (t) == IMAGPART_EXPR)
    {
      if (TREE_CODE (t) == ARRAY_REF || TREE_CODE (t) == ARRAY_RANGE_REF)
	rvalue (&TREE_OPERAND (t, 1));
      t = TREE_OPERAND (t, 0);
    }
  if (TREE_CODE (t) == MEM_REF || TREE_CODE (t) == INDIRECT_REF
      || TREE_CODE (t) == TARGET_MEM_REF)
    {
      rvalue (&TREE_OPERAND (t, 0));
      touch (TREE_OPERAND (t, 0), true);
    }
  else if (VAR_P (t) && of && DECL_HAS_VALUE_EXPR_P (t))
    {
      variable (t, false);
      lvalue (unshare_expr (DECL_VALUE_EXPR (t)));
    }
  else if (DECL_P (t))
    variable (t, false);
  else
    rvalue (&t);
}

/* For a builtin's CODE: all sizes of an operation, all forms of an update.  */
#define WITHIN(op) (code >= BUILT_IN_##op##_N && code <= BUILT_IN_##op##_16)
#define ANY_OF(op) \
  (WITHIN (SYNC_FETCH_AND_##op) || WITHIN (SYNC_##op##_AND_FETCH) \
   || WITHIN (ATOMIC_FETCH_##op) || WITHIN (ATOMIC_##op##_FETCH))

/* The kinds of atomic updates that make what they store of what they find.  */

static bool
gomp_amp_is_update (tree fndecl, enum built_in_function code, unsigned nargs,
		    tree *args)
{
  if (ANY_OF (ADD) || ANY_OF (SUB) || ANY_OF (AND) || ANY_OF (OR)
      || ANY_OF (XOR) || ANY_OF (NAND))
    return true;
  return (gomp_amp_in_std (fndecl) && nargs > 0 && args[0]
	  && gomp_amp_listed (gomp_amp_name (fndecl),
			      "fetch_add fetch_sub fetch_and fetch_or "
			      "fetch_xor operator++ operator-- operator+= "
			      "operator-= operator&= operator|= operator^= ")
	  && strstr (gomp_amp_class_name (gomp_amp_class_of (args[0])),
		     "atomic"));
}

/* True if FNDECL, whose builtin's code is CODE, is an atomic update that with
   these arguments leaves its object as it is: a read.  */

static bool
gomp_amp_is_still (tree fndecl, enum built_in_function code, unsigned nargs,
		   tree *args)
{
  if (nargs < 2 || !args[1])
    return false;
  if (gomp_amp_in_std (fndecl)
      && gomp_amp_listed (gomp_amp_name (fndecl),
			  "fetch_add fetch_sub fetch_or fetch_xor "))
    return integer_zerop (args[1]);
  if (ANY_OF (ADD) || ANY_OF (SUB) || ANY_OF (OR) || ANY_OF (XOR))
    return integer_zerop (args[1]);
  if (WITHIN (SYNC_BOOL_COMPARE_AND_SWAP) || WITHIN (SYNC_VAL_COMPARE_AND_SWAP))
    return nargs > 2 && args[2] && operand_equal_p (args[1], args[2], 0);
  return false;
}

/* True if FNDECL, whose builtin's code is CODE, exchanges an atomic object for
   a value that is not made of it, as spin locks do.  */

static bool
gomp_amp_is_swap (tree fndecl, enum built_in_function code, unsigned nargs,
		  tree *args)
{
  if (WITHIN (SYNC_LOCK_TEST_AND_SET) || WITHIN (ATOMIC_EXCHANGE)
      || code == BUILT_IN_ATOMIC_TEST_AND_SET)
    return true;
  /* From one constant to another.  */
  if (WITHIN (SYNC_BOOL_COMPARE_AND_SWAP) || WITHIN (SYNC_VAL_COMPARE_AND_SWAP))
    return nargs > 1 && args[1] && TREE_CODE (args[1]) == INTEGER_CST;
  const char *name = gomp_amp_name (fndecl);
  return (strcmp (name, "atomic_flag_test_and_set") == 0
	  || (gomp_amp_in_std (fndecl)
	      && gomp_amp_listed (name, "test_and_set exchange atomic_exchange "
					"atomic_exchange_explicit "
					"atomic_flag_test_and_set ")
	      && nargs > 0
	      && strstr (gomp_amp_class_name (gomp_amp_class_of (args[0])),
			 "atomic")));
}

/* True if FNDECL, whose builtin's code is CODE, stores to an atomic object.  */

static bool
gomp_amp_is_clear (tree fndecl, enum built_in_function code, unsigned nargs,
		   tree *args)
{
  if (WITHIN (SYNC_LOCK_RELEASE) || WITHIN (ATOMIC_STORE)
      || code == BUILT_IN_ATOMIC_CLEAR)
    return true;
  const char *name = gomp_amp_name (fndecl);
  return (strcmp (name, "atomic_flag_clear") == 0
	  || (gomp_amp_in_std (fndecl)
	      && gomp_amp_listed (name, "clear store operator= ")
	      && nargs > 0
	      && strstr (gomp_amp_class_name (gomp_amp_class_of (args[0])),
			 "atomic")));
}

#undef ANY_OF
#undef WITHIN

/* A call of FNDECL, NULL_TREE if it is not known.  */

void
gomp_amp_reader::call (tree fndecl, unsigned nargs, tree *args)
{
  if (!fndecl)
    {
      note (GOMP_AMP_CALL, NULL_TREE);
      return;
    }
  const char *name = gomp_amp_name (fndecl);
  enum built_in_function code = gomp_amp_builtin (fndecl);
  const gomp_amp_callee *callee = NULL;
  enum gomp_amp_fact_kind sync;

  if (fndecl == target)
    target_calls.safe_push (pos);

  if (code == BUILT_IN_SYNC_SYNCHRONIZE || code == BUILT_IN_ATOMIC_THREAD_FENCE)
    note (GOMP_AMP_SYNC, fndecl);
  else if (code >= BUILT_IN_ATOMIC_LOAD && code <= BUILT_IN_ATOMIC_LOAD_16)
    {
      /* Not the guard of a static variable's initialisation.  */
      tree object = nargs ? args[0] : NULL_TREE;
      if (object)
	STRIP_NOPS (object);
      if (object && TREE_CODE (object) == ADDR_EXPR)
	object = get_base_address (TREE_OPERAND (object, 0));
      if (!object || !VAR_P (object) || !TREE_STATIC (object)
	  || !DECL_ARTIFICIAL (object))
	note (GOMP_AMP_READ, fndecl);
    }
  else if (gomp_amp_is_still (fndecl, code, nargs, args))
    note (GOMP_AMP_READ, fndecl);
  else if (gomp_amp_is_swap (fndecl, code, nargs, args))
    note (GOMP_AMP_SWAP, nargs ? args[0] : NULL_TREE);
  else if (gomp_amp_is_clear (fndecl, code, nargs, args))
    note (GOMP_AMP_CLEAR, nargs ? args[0] : NULL_TREE);
  else if (gomp_amp_is_update (fndecl, code, nargs, args))
    note (GOMP_AMP_UPDATE, args[0]);
  else if (gomp_amp_is_thread_num (fndecl, nargs ? args[0] : NULL_TREE))
    note (GOMP_AMP_NUMBER, fndecl);
  else if (gomp_amp_listed (name, gomp_amp_locks))
    note (GOMP_AMP_LOCK, nargs ? args[0] : NULL_TREE);
  else if (gomp_amp_listed (name, gomp_amp_unlocks))
    note (GOMP_AMP_UNLOCK, nargs ? args[0] : NULL_TREE);
  else if (gomp_amp_listed (name, gomp_amp_waits))
    note (GOMP_AMP_SYNC, fndecl);
  else if ((sync = gomp_amp_std_sync (fndecl)) != GOMP_AMP_CALL)
    note (sync, sync == GOMP_AMP_SYNC ? fndecl : nargs ? args[0] : NULL_TREE);
  else if (gomp_amp_is_std_load (fndecl)
	   || strcmp (name, "sem_trywait") == 0)
    note (GOMP_AMP_READ, fndecl);
  else if (gomp_amp_is_tls_wrapper (fndecl))
    note (GOMP_AMP_TLS, fndecl);
  else if (code == END_BUILTINS
	   && DECL_BUILT_IN_CLASS (fndecl) == NOT_BUILT_IN
	   && !gomp_amp_in_std (fndecl)
	   && strncmp (name, "omp_", 4) != 0
	   && strncmp (name, "_gfortran_", 10) != 0)
    {
      callee = gomp_amp_look (ctx, fndecl, depth + 1);
      if (!callee || !callee->known)
	note (GOMP_AMP_CALL, fndecl);
      else
	adopt (callee, fndecl, nargs ? args[0] : integer_zero_node);
    }
  else if (gomp_amp_in_std (fndecl))
    /* It may call what it is given.  */
    for (unsigned i = 0; i < nargs; i++)
      {
	tree type = args[i] ? gomp_amp_class_of (args[i]) : NULL_TREE;
	tree fn = type ? gomp_amp_closure_call (ctx, type) : NULL_TREE;
	callee = fn ? gomp_amp_look (ctx, fn, depth + 1) : NULL;
	if (callee && callee->known)
	  adopt (callee, fn, NULL_TREE);
      }
  /* Whether known or not: a builtin, or another file's.  */
  if (DECL_EXTERNAL (fndecl)
      && !(DECL_CONTEXT (fndecl) && TYPE_P (DECL_CONTEXT (fndecl)))
      && (gomp_amp_listed (name, gomp_amp_receives)
	  || strncasecmp (name, "mpi_", 4) == 0))
    note (GOMP_AMP_BLOCKS, fndecl);
  if (!of)
    return;
  for (unsigned i = 0; i < nargs; i++)
    {
      int n = (args[i] && POINTER_TYPE_P (TREE_TYPE (args[i]))
	       ? param_of (args[i]) : -1);
      if (n < 0)
	continue;
      unsigned effect = gomp_amp_effect (ctx, fndecl, i, depth + 1);
      if (!gomp_amp_in_std (fndecl) && !(callee && callee->known)
	  && !(param[n] & GOMP_AMP_SEEN)
	  && gomp_amp_unknown_use (fndecl, i) == GOMP_AMP_STEP)
	effect |= GOMP_AMP_STEPS;
      if (effect & GOMP_AMP_READS_FIRST)
	touch (args[i], false);
      if (effect & GOMP_AMP_WRITES)
	touch (args[i], true);
      param[n] |= effect & GOMP_AMP_APPENDS;
      if (i == 0 && gomp_amp_is_append (fndecl, gomp_amp_class_of (args[i])))
	param[n] |= GOMP_AMP_APPENDS;
      param[n]
	|= (i == 0 && gomp_amp_in_std (fndecl) ? gomp_amp_std_use (fndecl)
	    : effect & (GOMP_AMP_LOOKS | GOMP_AMP_STEPS));
    }
}

/* What CALLEE, FNDECL's, does is done here; with the spin lock OBJECT, if with
   any.  */

void
gomp_amp_reader::adopt (const gomp_amp_callee *callee, tree fndecl,
			tree object)
{
  for (int kind = 0; kind < GOMP_AMP_CALL; kind++)
    if (callee->does ((enum gomp_amp_fact_kind) kind))
      note ((enum gomp_amp_fact_kind) kind,
	    kind == GOMP_AMP_SPIN || kind == GOMP_AMP_CLEAR
	    || kind == GOMP_AMP_LOCK || kind == GOMP_AMP_UNLOCK
	    ? object : fndecl);
}

/* Callback of walk_tree: *TP is read.  */

tree
gomp_amp_reader::visit (tree *tp, int *walk_subtrees, void *data)
{
  gomp_amp_reader *r = (gomp_amp_reader *) data;
  tree t = *tp;

  r->pos += r->of != NULL_TREE;
  if (TYPE_P (t))
    {
      *walk_subtrees = 0;
      return NULL_TREE;
    }
  if (EXPR_P (t) && EXPR_HAS_LOCATION (t))
    r->at = EXPR_LOCATION (t);
  switch (TREE_CODE (t))
    {
    case VAR_DECL:
      r->variable (t, true);
      /* What a lambda expression has captured.  */
      if (r->of && DECL_HAS_VALUE_EXPR_P (t) && !DECL_IN_CONSTANT_POOL (t))
	{
	  tree value = unshare_expr (DECL_VALUE_EXPR (t));
	  r->rvalue (&value);
	}
      break;
    case SAVE_EXPR:
      /* Its value is computed once.  */
      if (r->shared_exprs.add (t))
	*walk_subtrees = 0;
      break;
    case MODIFY_EXPR:
    case INIT_EXPR:
      if (r->reads_flag (&TREE_OPERAND (t, 1))
	  && VAR_P (TREE_OPERAND (t, 0)))
	r->watched.add (TREE_OPERAND (t, 0));
      else if (r->locks > 0 && VAR_P (TREE_OPERAND (t, 0)))
	{
	  tree from = TREE_OPERAND (t, 1);
	  if (TREE_CODE (from) == NE_EXPR || TREE_CODE (from) == EQ_EXPR)
	    from = TREE_OPERAND (from, 0);
	  if (r->is_others (from))
	    {
	      r->note (GOMP_AMP_READ, NULL_TREE);
	      r->watched.add (TREE_OPERAND (t, 0));
	    }
	}
      r->lvalue (TREE_OPERAND (t, 0));
      if (r->of && VAR_P (TREE_OPERAND (t, 0)))
	{
	  int n = (POINTER_TYPE_P (TREE_TYPE (TREE_OPERAND (t, 1)))
		   ? r->param_of (TREE_OPERAND (t, 1)) : -1);
	  if (n >= 0)
	    r->aliases.put (TREE_OPERAND (t, 0), n);
	}
      *walk_subtrees = 0;
      break;
    case PREINCREMENT_EXPR:
    case PREDECREMENT_EXPR:
    case POSTINCREMENT_EXPR:
    case POSTDECREMENT_EXPR:
      r->rvalue (&TREE_OPERAND (t, 0));
      r->lvalue (TREE_OPERAND (t, 0));
      *walk_subtrees = 0;
      break;
    case ADDR_EXPR:
      {
	tree ref = TREE_OPERAND (t, 0);
	for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
	  if (TREE_CODE (ref) == ARRAY_REF)
	    r->rvalue (&TREE_OPERAND (ref, 1));
	if (TREE_CODE (ref) == MEM_REF || TREE_CODE (ref) == INDIRECT_REF)
	  r->rvalue (&TREE_OPERAND (ref, 0));
	else if (DECL_P (ref))
	  r->variable (ref, false);
	else
	  r->rvalue (&ref);
	*walk_subtrees = 0;
	break;
      }
    case INDIRECT_REF:
    case MEM_REF:
      r->touch (TREE_OPERAND (t, 0), false);
      /* Fall through.  */
    case COMPONENT_REF:
    case ARRAY_REF:
      if (TREE_THIS_VOLATILE (t))
	{
	  tree base = get_base_address (t);
	  if (!base || !VAR_P (base)
	      || (!TREE_THIS_VOLATILE (base)
		  && (TREE_STATIC (base) || DECL_EXTERNAL (base)
		      || (r->shared && r->shared->contains (base)))))
	    r->note (GOMP_AMP_READ, NULL_TREE);
	}
      break;
    case CALL_EXPR:
      {
	auto_vec<tree, 8> args;
	for (int i = 0; i < call_expr_nargs (t); i++)
	  {
	    args.safe_push (CALL_EXPR_ARG (t, i));
	    r->rvalue (&CALL_EXPR_ARG (t, i));
	  }
	if (CALL_EXPR_FN (t))
	  {
	    tree fndecl = get_callee_fndecl (t);
	    if (!fndecl)
	      r->rvalue (&CALL_EXPR_FN (t));
	    r->call (fndecl, args.length (), args.address ());
	  }
	*walk_subtrees = 0;
	break;
      }
    case COND_EXPR:
      if (r->reads_flag (&TREE_OPERAND (t, 0)))
	{
	  r->tests_in (TREE_OPERAND (t, 1));
	  r->tests_in (TREE_OPERAND (t, 2));
	}
      r->rvalue (&TREE_OPERAND (t, 1));
      r->rvalue (&TREE_OPERAND (t, 2));
      *walk_subtrees = 0;
      break;
    case EXIT_EXPR:
      if (r->reads_flag (&TREE_OPERAND (t, 0)))
	r->test (NULL_TREE, NULL);
      *walk_subtrees = 0;
      break;
    case LABEL_EXPR:
      r->labels.put (LABEL_EXPR_LABEL (t), r->pos);
      *walk_subtrees = 0;
      break;
    case GOTO_EXPR:
      r->jump (GOTO_DESTINATION (t));
      *walk_subtrees = 0;
      break;
    case LOOP_EXPR:
      {
	gomp_amp_range range = { r->pos, 0 };
	r->rvalue (&LOOP_EXPR_BODY (t));
	range.last = r->pos;
	r->loops.safe_push (range);
	*walk_subtrees = 0;
	break;
      }
    case BIND_EXPR:
      for (tree v = BIND_EXPR_VARS (t); v; v = DECL_CHAIN (v))
	if (VAR_P (v) && !TREE_STATIC (v) && !DECL_EXTERNAL (v)
	    && DECL_INITIAL (v))
	  {
	    if (r->reads_flag (&DECL_INITIAL (v)))
	      r->watched.add (v);
	    int n = (POINTER_TYPE_P (TREE_TYPE (v))
		     ? r->param_of (DECL_INITIAL (v)) : -1);
	    if (n >= 0)
	      r->aliases.put (v, n);
	  }
      r->rvalue (&BIND_EXPR_BODY (t));
      *walk_subtrees = 0;
      break;
    case DECL_EXPR:
      *walk_subtrees = 0;
      break;
    case OMP_ATOMIC_READ:
      r->note (GOMP_AMP_READ, NULL_TREE);
      break;
    case OMP_ATOMIC_CAPTURE_OLD:
    case OMP_ATOMIC_CAPTURE_NEW:
      r->note (GOMP_AMP_UPDATE, NULL_TREE);
      break;
    case OMP_PARALLEL:
    case OMP_TASK:
    case OMP_TARGET:
    case OMP_TEAMS:
      /* Their own threads' business; with a flow graph it is a function of
	 its own by now.  */
      if (r->target && TREE_CODE (t) == OMP_PARALLEL)
	{
	  gomp_amp_reader region (r->ctx, r->depth);
	  region.target = r->target;
	  region.of = r->of;
	  region.rvalue (&OMP_PARALLEL_BODY (t));
	  r->take (region);
	}
      if (!r->target || TREE_CODE (t) == OMP_PARALLEL)
	*walk_subtrees = 0;
      break;
    default:
      break;
    }
  return NULL_TREE;
}

void
gomp_amp_reader::rvalue (tree *tp)
{
  if (*tp)
    walk_tree (tp, visit, this, NULL);
}

/* True if T is an object that other threads may write.  */

bool
gomp_amp_reader::is_others (tree t)
{
  if (!DECL_P (t) && !handled_component_p (t) && TREE_CODE (t) != MEM_REF
      && TREE_CODE (t) != INDIRECT_REF)
    return false;
  tree base = get_base_address (t);
  return (base && !TREE_READONLY (t)
	  && (!VAR_P (base) || TREE_STATIC (base) || DECL_EXTERNAL (base)
	      || (shared && shared->contains (base)))
	  && TREE_CODE (base) != PARM_DECL);
}

/* STMT, a simple statement or the head of a construct, followed by NEXT.  */

void
gomp_amp_reader::read_statement (gimple *stmt, gimple *next)
{
  if (gimple_has_location (stmt))
    at = gimple_location (stmt);
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      {
	if (gimple_clobber_p (stmt))
	  break;
	bool flag = false;
	for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	  if (gimple_op (stmt, i))
	    {
	      tree op = gimple_op (stmt, i);
	      flag |= reads_flag (&op);
	    }
	tree lhs = gimple_assign_lhs (stmt);
	if ((critical || locks > 0) && is_others (gimple_assign_rhs1 (stmt)))
	  {
	    note (GOMP_AMP_READ, NULL_TREE);
	    flag = true;
	  }
	if (after_test > 0)
	  {
	    after_test--;
	    flag |= (CONSTANT_CLASS_P (gimple_assign_rhs1 (stmt))
		     && DECL_P (lhs) && DECL_ARTIFICIAL (lhs));
	  }
	if (flag && gomp_amp_is_name (lhs))
	  watched.add (lhs);
	lvalue (lhs);
	if (of && gomp_amp_is_name (lhs) && POINTER_TYPE_P (TREE_TYPE (lhs)))
	  {
	    int n = param_of (gimple_assign_rhs1 (stmt));
	    if (n >= 0)
	      aliases.put (lhs, n);
	  }
	break;
      }
    case GIMPLE_CALL:
      {
	auto_vec<tree, 8> args;
	unsigned before = reads;
	for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
	  {
	    tree arg = gimple_call_arg (stmt, i);
	    args.safe_push (arg);
	    rvalue (&arg);
	  }
	if (!gimple_call_internal_p (stmt))
	  {
	    tree fndecl = gimple_call_fndecl (stmt);
	    enum built_in_function code = gomp_amp_builtin (fndecl);
	    if (code == BUILT_IN_GOMP_CRITICAL_START
		|| code == BUILT_IN_GOMP_CRITICAL_NAME_START)
	      critical = true;
	    else if (code == BUILT_IN_GOMP_CRITICAL_END
		     || code == BUILT_IN_GOMP_CRITICAL_NAME_END)
	      critical = false;
	    call (fndecl, args.length (), args.address ());
	  }
	if (gimple_call_lhs (stmt))
	  {
	    if (reads > before && gomp_amp_is_name (gimple_call_lhs (stmt)))
	      watched.add (gimple_call_lhs (stmt));
	    lvalue (gimple_call_lhs (stmt));
	  }
	break;
      }
    case GIMPLE_LABEL:
      labels.put (gimple_label_label (as_a <glabel *> (stmt)), pos);
      break;
    case GIMPLE_GOTO:
      jump (gimple_goto_dest (stmt), true);
      break;
    case GIMPLE_COND:
      {
	gcond *cond = as_a <gcond *> (stmt);
	tree lhs = gimple_cond_lhs (cond), rhs = gimple_cond_rhs (cond);
	bool flag = reads_flag (&lhs);
	flag |= reads_flag (&rhs);
	for (int i = 0; i < 2; i++)
	  {
	    tree label = i ? gimple_cond_false_label (cond)
			   : gimple_cond_true_label (cond);
	    jump (label);
	    tree name = gomp_amp_is_name (lhs) ? lhs : rhs;
	    if (label && (flag || gomp_amp_is_name (name)))
	      test (label, NULL, flag ? NULL_TREE : name);
	  }
	if (flag)
	  after_test = 4;
	/* With a flow graph edges stand for labels.  */
	if (flag && gimple_bb (stmt))
	  test (NULL_TREE, gimple_bb (stmt));
	break;
      }
    case GIMPLE_SWITCH:
      {
	gswitch *s = as_a <gswitch *> (stmt);
	tree index = gimple_switch_index (s);
	bool flag = reads_flag (&index);
	for (unsigned i = 0; i < gimple_switch_num_labels (s); i++)
	  {
	    tree label = CASE_LABEL (gimple_switch_label (s, i));
	    jump (label);
	    if (flag)
	      test (label, NULL);
	  }
	if (flag && gimple_bb (stmt))
	  test (NULL_TREE, gimple_bb (stmt));
	break;
      }
    case GIMPLE_RETURN:
      for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
	{
	  tree op = gimple_op (stmt, i);
	  if (op && TREE_CODE (op) != LABEL_DECL
	      && TREE_CODE (op) != CASE_LABEL_EXPR)
	    rvalue (&op);
	}
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      {
	gomp_atomic_load *load = as_a <gomp_atomic_load *> (stmt);
	if (next && gimple_code (next) == GIMPLE_OMP_ATOMIC_STORE
	    && (gimple_omp_atomic_store_val (as_a <gomp_atomic_store *> (next))
		== gimple_omp_atomic_load_lhs (load)))
	  {
	    note (GOMP_AMP_READ, NULL_TREE);
	    watched.add (gimple_omp_atomic_load_lhs (load));
	  }
	else if (next && gimple_code (next) == GIMPLE_OMP_ATOMIC_STORE
		 && gimple_omp_atomic_need_value_p (stmt)
		 && (TREE_CODE (gimple_omp_atomic_store_val
				(as_a<gomp_atomic_store *> (next)))
		     == INTEGER_CST))
	  {
	    note (GOMP_AMP_SWAP, gimple_omp_atomic_load_rhs (load));
	    watched.add (gimple_omp_atomic_load_lhs (load));
	  }
	else if (gimple_omp_atomic_need_value_p (stmt))
	  {
	    note (GOMP_AMP_UPDATE, gimple_omp_atomic_load_rhs (load));
	    watched.add (gimple_omp_atomic_load_lhs (load));
	  }
	break;
      }
    case GIMPLE_OMP_ATOMIC_STORE:
      {
	tree stored = (gimple_omp_atomic_store_val
		       (as_a <gomp_atomic_store *> (stmt)));
	if (gimple_omp_atomic_need_value_p (stmt) && gomp_amp_is_name (stored))
	  {
	    note (GOMP_AMP_UPDATE, NULL_TREE);
	    watched.add (stored);
	  }
	break;
      }
    default:
      break;
    }
}

/* SEQ and all below it, apart from what other threads run.  */

void
gomp_amp_reader::body_of_seq (gimple_seq seq)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      gimple_stmt_iterator n = i;
      gsi_next (&n);
      pos++;
      switch (gimple_code (stmt))
	{
	case GIMPLE_BIND:
	  body_of_seq (gimple_bind_body (as_a <gbind *> (stmt)));
	  break;
	case GIMPLE_TRY:
	  body_of_seq (gimple_try_eval (stmt));
	  body_of_seq (gimple_try_cleanup (stmt));
	  break;
	case GIMPLE_CATCH:
	  body_of_seq (gimple_catch_handler (as_a <gcatch *> (stmt)));
	  break;
	case GIMPLE_EH_FILTER:
	  body_of_seq (gimple_eh_filter_failure (stmt));
	  break;
	case GIMPLE_OMP_PARALLEL:
	  if (target)
	    {
	      gomp_amp_reader region (ctx, depth);
	      region.target = target;
	      region.of = of;
	      region.body_of_seq (gimple_omp_body (stmt));
	      take (region);
	    }
	  break;
	case GIMPLE_OMP_TASK:
	case GIMPLE_OMP_TARGET:
	case GIMPLE_OMP_TEAMS:
	  if (target)
	    body_of_seq (gimple_omp_body (stmt));
	  break;
	default:
	  read_statement (stmt, gsi_end_p (n) ? NULL : gsi_stmt (n));
	  if (is_gimple_omp (stmt) && gimple_has_substatements (stmt))
	    {
	      bool outer = critical;
	      critical |= gimple_code (stmt) == GIMPLE_OMP_CRITICAL;
	      body_of_seq (gimple_omp_body (stmt));
	      critical = outer;
	    }
	  break;
	}
    }
}

/* The loop of a flow graph that the edge BACK closes: does it end by what is
   read in it again and again?  */

void
gomp_amp_reader::natural_loop (edge back)
{
  auto_vec<bool> in;
  auto_vec<basic_block> work;
  in.safe_grow_cleared (first_of_block.length ());
  in[back->dest->index] = true;
  work.safe_push (back->src);
  while (!work.is_empty ())
    {
      basic_block bb = work.pop ();
      if (bb->index < NUM_FIXED_BLOCKS || in[bb->index])
	continue;
      in[bb->index] = true;
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, bb->preds)
	work.safe_push (e->src);
    }
  gomp_amp_polled polled;
  for (unsigned i = 0; i < facts.length (); i++)
    for (unsigned j = NUM_FIXED_BLOCKS;
	 gomp_amp_is_read (facts[i]) && j < in.length (); j++)
      if (in[j] && first_of_block[j] <= facts[i].pos
	  && facts[i].pos <= last_of_block[j])
	polled.add (facts[i]);
  for (unsigned i = 0; polled.again && i < tests.length (); i++)
    if (tests[i].from && in[tests[i].from->index])
      {
	edge e;
	edge_iterator ei;
	FOR_EACH_EDGE (e, ei, tests[i].from->succs)
	  if (e->dest->index < NUM_FIXED_BLOCKS || !in[e->dest->index])
	    {
	      note_wait (tests[i], polled);
	      return;
	    }
      }
}

/* The body of FNDECL, whatever it is made of.  */

void
gomp_amp_reader::read_function (tree fndecl)
{
  function *fn = DECL_STRUCT_FUNCTION (fndecl);
  of = fndecl;
  if (fn && fn->cfg)
    {
      basic_block bb;
      auto_vec<edge> back;
      first_of_block.safe_grow_cleared (last_basic_block_for_fn (fn) + 1);
      last_of_block.safe_grow_cleared (last_basic_block_for_fn (fn) + 1);
      FOR_EACH_BB_FN (bb, fn)
	{
	  first_of_block[bb->index] = ++pos;
	  for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	       gsi_next (&i))
	    {
	      pos++;
	      read_statement (gsi_stmt (i), NULL);
	    }
	  last_of_block[bb->index] = pos;
	  edge e;
	  edge_iterator ei;
	  FOR_EACH_EDGE (e, ei, bb->succs)
	    if (e->dest->index >= NUM_FIXED_BLOCKS
		&& first_of_block[e->dest->index] != 0)
	      back.safe_push (e);
	}
      for (unsigned i = 0; i < back.length (); i++)
	natural_loop (back[i]);
    }
  else if (gimple_body (fndecl))
    body_of_seq (gimple_body (fndecl));
  else
    rvalue (&DECL_SAVED_TREE (fndecl));
  close (NULL);
}

/* SEQ, which another thread may run.  */

void
gomp_amp_reader::read_task (gimple_seq seq)
{
  body_of_seq (seq);
  close (NULL);
}

static int
gomp_amp_earlier (const void *a, const void *b)
{
  const gomp_amp_fact *x = (const gomp_amp_fact *) a;
  const gomp_amp_fact *y = (const gomp_amp_fact *) b;
  return (x->pos != y->pos ? (x->pos < y->pos ? -1 : 1)
	  : (int) x->kind - (int) y->kind);
}

/* All has been read: find out which jumps lead back, and whether what was read
   decides when such a loop ends, which is a wait.  A loop around one of
   CONSTRUCTS is none.  */

void
gomp_amp_reader::close (const vec<unsigned> *constructs)
{
  for (unsigned i = 0; i < gotos.length (); i++)
    {
      unsigned *to = labels.get (gotos[i].label);
      if (to && *to <= gotos[i].pos)
	{
	  gomp_amp_range range = { *to, gotos[i].pos };
	  loops.safe_push (range);
	}
    }
  for (unsigned i = 0; i < tests.length (); i++)
    {
      const gomp_amp_test &t = tests[i];
      unsigned to = ~0U;
      if (t.name && !watched.contains (t.name))
	continue;
      if (t.label)
	{
	  unsigned *l = labels.get (t.label);
	  if (l)
	    to = *l;
	  /* Where nothing is done but to go on.  */
	  for (unsigned k = 0; l && k < gotos.length (); k++)
	    if (gotos[k].always && gotos[k].pos == to + 1
		&& (l = labels.get (gotos[k].label)))
	      {
		to = *l;
		break;
	      }
	}
      else if (t.from)
	continue;
      for (unsigned j = 0; j < loops.length (); j++)
	{
	  bool wait = (loops[j].first <= t.pos && t.pos <= loops[j].last
		       && (to < loops[j].first || to > loops[j].last));
	  /* Only if it is read again each time.  */
	  gomp_amp_polled polled;
	  for (unsigned k = 0; wait && k < facts.length (); k++)
	    if (gomp_amp_is_read (facts[k]) && loops[j].first <= facts[k].pos
		&& facts[k].pos <= loops[j].last)
	      polled.add (facts[k]);
	  wait &= polled.again;
	  for (unsigned k = 0; wait && constructs && k < constructs->length ();
	       k++)
	    wait = !(loops[j].first <= (*constructs)[k]
		     && (*constructs)[k] <= loops[j].last);
	  if (!wait)
	    continue;
	  note_wait (t, polled);
	  break;
	}
    }
  /* In the order of the code.  */
  facts.qsort (gomp_amp_earlier);
}

/* True if RELEASE lets go of what LOCK has taken.  */

static bool
gomp_amp_partners (const gomp_amp_fact &lock, const gomp_amp_fact &release,
		   bool (*same) (tree, tree, void *), void *data)
{
  return ((release.kind == GOMP_AMP_UNLOCK) == (lock.kind == GOMP_AMP_LOCK)
	  && release.what && lock.what
	  && same (release.what, lock.what, data));
}

/* A lock that is released again by the code that follows keeps others out of
   what stands between and orders nothing: forget it.  Not if it is held around
   one of CONSTRUCTS.  */

static void
gomp_amp_pair_locks (vec<gomp_amp_fact> &facts,
		     const vec<unsigned> *constructs,
		     bool (*same) (tree, tree, void *), void *data)
{
  auto_vec<unsigned> held, let_go;
  auto_vec<unsigned> paired;
  for (unsigned i = 0; i < facts.length (); i++)
    if (facts[i].kind == GOMP_AMP_LOCK || facts[i].kind == GOMP_AMP_SPIN)
      held.safe_push (i);
    else if (facts[i].kind == GOMP_AMP_UNLOCK
	     || facts[i].kind == GOMP_AMP_CLEAR)
      {
	/* Its partner; where branches let go of one lock several times, that
	   which an earlier one had.  */
	unsigned n = held.length ();
	bool again = false;
	while (n > 0 && !gomp_amp_partners (facts[held[n - 1]], facts[i], same,
					    data))
	  n--;
	if (n == 0)
	  {
	    n = let_go.length ();
	    again = true;
	    while (n > 0 && !gomp_amp_partners (facts[let_go[n - 1]], facts[i],
						same, data))
	      n--;
	    if (n == 0)
	      continue;
	  }
	unsigned first = again ? let_go[n - 1] : held[n - 1];
	bool around = false;
	for (unsigned k = 0; constructs && k < constructs->length (); k++)
	  around |= (facts[first].pos < (*constructs)[k]
		     && (*constructs)[k] < facts[i].pos);
	if (!again)
	  held.ordered_remove (n - 1);
	if (around)
	  continue;
	if (!again)
	  {
	    let_go.safe_push (first);
	    paired.safe_push (first);
	  }
	paired.safe_push (i);
      }
  for (unsigned i = 0; i < paired.length (); i++)
    {
      facts[paired[i]].kind = (facts[paired[i]].kind == GOMP_AMP_SPIN
			       ? GOMP_AMP_SPUN : GOMP_AMP_CALL);
      facts[paired[i]].what = error_mark_node;
    }
}

static bool
gomp_amp_same_tree (tree a, tree b, void *)
{
  return operand_equal_p (a, b, 0);
}

/* The function whose body FNDECL runs: the C++ front end makes constructors in
   several names.  */

static tree
gomp_amp_body_of (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  if (node && node->alias && node->analyzed)
    return node->ultimate_alias_target ()->decl;
  return fndecl;
}

/* What FNDECL does, or NULL if there is no time to look.  */

static const gomp_amp_callee *
gomp_amp_look (gomp_amp_context &ctx, tree fndecl, unsigned depth)
{
  fndecl = gomp_amp_body_of (fndecl);
  gomp_amp_callee **known = ctx.callees.get (fndecl);
  if (known)
    {
      (*known)->recursive |= (*known)->open;
      return *known;
    }
  if (depth > GOMP_AMP_MAX_DEPTH || ctx.visited >= GOMP_AMP_MAX_CALLEES)
    return NULL;
  gomp_amp_callee *callee = XCNEW (gomp_amp_callee);
  /* Recursion finds it, and finds it unknown.  */
  ctx.callees.put (fndecl, callee);
  ctx.made.safe_push (callee);
  ctx.visited++;

  function *fn = DECL_STRUCT_FUNCTION (fndecl);
  if (!(fn && fn->cfg) && !gimple_body (fndecl)
      && (!DECL_SAVED_TREE (fndecl)
	  || DECL_SAVED_TREE (fndecl) == error_mark_node))
    return callee;

  gomp_amp_reader reader (ctx, depth);
  callee->open = true;
  reader.read_function (fndecl);
  callee->open = false;
  gomp_amp_pair_locks (reader.facts, NULL, gomp_amp_same_tree, NULL);
  callee->known = true;
  memcpy (callee->param, reader.param, sizeof callee->param);
  for (unsigned i = 0; i < reader.facts.length (); i++)
    switch (reader.facts[i].kind)
      {
      case GOMP_AMP_CALL:
	break;
      case GOMP_AMP_SWAP:
	callee->facts |= 1U << GOMP_AMP_READ;
	break;
      default:
	callee->facts |= 1U << reader.facts[i].kind;
      }
  /* Again and again until what is read lets it end.  */
  if (callee->recursive && callee->does (GOMP_AMP_READ))
    callee->facts |= 1U << GOMP_AMP_SYNC;
  return callee;
}

/* All has been read: is the target called beside synchronisation?  */

void
gomp_amp_reader::judge_target ()
{
  if (target_beside)
    return;
  gomp_amp_pair_locks (facts, &target_calls, gomp_amp_same_tree, NULL);
  for (unsigned i = 0; i < facts.length (); i++)
    if (!target_calls.is_empty ()
	&& (facts[i].kind == GOMP_AMP_SYNC || facts[i].kind == GOMP_AMP_LOCK
	    || facts[i].kind == GOMP_AMP_SPIN
	    || facts[i].kind == GOMP_AMP_UNLOCK))
      {
	found_beside = facts[i];
	target_beside = true;
	return;
      }
}

/* REGION, a parallel one, has been read.  */

void
gomp_amp_reader::take (gomp_amp_reader &region)
{
  region.close (NULL);
  region.judge_target ();
  if (region.target_beside && !target_beside)
    {
      found_beside = region.found_beside;
      target_beside = true;
    }
}

/* Calls of one function are looked for; of what gives the thread number, if
   that is NULL.  */

struct gomp_amp_sought
{
  tree fndecl;
  bool found;

  bool
  is (tree callee) const
  {
    return (callee && (fndecl ? callee == fndecl
		       : gomp_amp_is_thread_num (callee, NULL_TREE)));
  }
};

static tree
gomp_amp_find_call (tree *tp, int *walk_subtrees, void *data)
{
  gomp_amp_sought *sought = (gomp_amp_sought *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (TREE_CODE (*tp) == CALL_EXPR
	   && sought->is (get_callee_fndecl (*tp)))
    sought->found = true;
  return sought->found ? *tp : NULL_TREE;
}

static tree
gomp_amp_find_gimple_call (gimple_stmt_iterator *gsi, bool *handled,
			   walk_stmt_info *wi)
{
  gomp_amp_sought *sought = (gomp_amp_sought *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  *handled = !gimple_has_substatements (stmt);
  if (is_gimple_call (stmt) && !gimple_call_internal_p (stmt)
      && sought->is (gimple_call_fndecl (stmt)))
    sought->found = true;
  return NULL_TREE;
}

/* True if the body of CALLER, parallel regions included, calls FNDECL, or, if
   that is NULL, asks for the thread number.  */

static bool
gomp_amp_calls (tree caller, tree fndecl)
{
  gomp_amp_sought sought = { fndecl, false };
  walk_stmt_info wi;
  memset (&wi, 0, sizeof wi);
  wi.info = &sought;
  function *fn = DECL_STRUCT_FUNCTION (caller);
  if (fn && fn->cfg)
    {
      basic_block bb;
      FOR_EACH_BB_FN (bb, fn)
	for (gimple_stmt_iterator i = gsi_start_bb (bb); !gsi_end_p (i);
	     gsi_next (&i))
	  {
	    bool handled;
	    gomp_amp_find_gimple_call (&i, &handled, &wi);
	  }
    }
  else if (gimple_body (caller))
    walk_gimple_seq (gimple_body (caller), gomp_amp_find_gimple_call, NULL,
		     &wi);
  else if (DECL_SAVED_TREE (caller))
    walk_tree_without_duplicates (&DECL_SAVED_TREE (caller),
				  gomp_amp_find_call, &sought);
  return sought.found;
}

/* True if a function of this file that calls FNDECL asks for the thread number,
   or one that calls that.  */

static bool
gomp_amp_callers_ask (tree fndecl, unsigned depth)
{
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION (node)
    if (node->decl != fndecl && !node->alias && !gomp_amp_in_std (node->decl)
	&& gomp_amp_calls (node->decl, fndecl)
	&& (gomp_amp_calls (node->decl, NULL_TREE)
	    || (depth < 3 && gomp_amp_callers_ask (node->decl, depth + 1))))
      return true;
  return false;
}

/* True if a function of this file that calls FNDECL synchronises threads by
   hand, or one that calls that; AT and WHAT then say where.  */

static bool
gomp_amp_callers_sync (gomp_amp_context &ctx, tree fndecl, unsigned depth,
		       location_t *at, tree *what)
{
  cgraph_node *node;
  if (depth > 3)
    return false;
  FOR_EACH_DEFINED_FUNCTION (node)
    {
      tree caller = node->decl;
      if (caller == fndecl || node->alias || gomp_amp_in_std (caller)
	  || !gomp_amp_calls (caller, fndecl))
	continue;
      gomp_amp_reader reader (ctx, 0);
      reader.target = fndecl;
      reader.read_function (caller);
      reader.judge_target ();
      if (reader.target_beside)
	{
	  *at = reader.found_beside.at;
	  *what = reader.found_beside.what;
	  return true;
	}
      if (gomp_amp_callers_sync (ctx, caller, depth + 1, at, what))
	return true;
    }
  return false;
}

#endif
