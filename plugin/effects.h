/* SPDX-License-Identifier: GPL-3.0-or-later

   What a function does.  */

/* What a function does to memory that parameter PARM leads to, directly (DEPTH
   0) or by pointers there.  CHAIN: the frame of the function around it.  */

static const unsigned CHAIN = 1000;

/* FN's parameter I; NULL_TREE if it has none.  */

static tree
parameter (function *fn, unsigned i)
{
  tree d = DECL_ARGUMENTS (fn->decl);
  for (; d && i > 0 && i != CHAIN; i--)
    d = DECL_CHAIN (d);
  return i == CHAIN ? fn->static_chain_decl : d;
}

struct effect
{
  unsigned parm, depth;
  hwi offset, size;
  bool store, must, adds, locked;
  tree_code op;
  /* Parameters that its address is made of, a bit each.  */
  unsigned made;
};

enum
{
  F_IDENTITY = 1, F_BY_NUMBER = 2, F_TLS = 4, F_WAITS = 8, F_POLLS = 16,
  F_UNKNOWN = 32, F_LOCKS = 64, F_UNLOCKS = 128, F_LOCKING = 64 | 128,
  /* Asks for the number itself; divides a loop; sets errno.  */
  F_ASKS = 256, F_DIVIDES = 512, F_ERRNO = 1024,
  /* The program asks for the team, or begins a region or a task.  */
  F_TEAM = 2048,
  /* Takes and releases locks, and may return with one.  */
  F_HOLDS = 4096
};

/* What a function of the file does.  */

struct summary
{
  unsigned flags;
  /* What it does, and what it calls, on ways that never return: that counts
     where an exception is caught.  */
  unsigned thrown;
  /* All is known; another definition may take its place; it is called again on
     the way; it uses what it polls.  */
  bool ready, replaceable, again, tells;
  /* The first function of those that call each other with it, as far as that is
     known, by how many had been begun before; -1u if all is known.  */
  unsigned first;
  /* It uses the thread's number behind its last barrier; it has one on all
     ways.  */
  bool trails, barred;
  std::vector<effect> effects;
  void add (const effect &e);
  /* Where the pointer leads that it returns, or those in the object that it
     returns: where these parameters do, what lies below them, memory of its own
     (DEEPER: below that, too), shared, or unknown.  NUMBER: see N_*, of any
     value.  */
  unsigned parms, below, number;
  bool own, own_deeper, shared, open;
  /* What it allocates has a value when it returns; it holds what is made of the
     number, see N_*.  */
  bool value;
  unsigned held;
  /* Pointers that it returns may lead inside of objects.  */
  bool inner;
  /* Parameters that lead, or have below them, to objects that hold pointers it
     does not tell apart, a bit each.  */
  unsigned flat, flat_below;
  /* Parameters that lead to where it notes the thread's number, or what threads
     find one after another.  */
  unsigned noted, tickets;
  /* By parameter, what pointers it stores in memory that it leads to: other
     parameters, a bit each; such as those lead to; what it allocates.  DEEPER:
     not right there, or such as are returned.  */
  std::vector<unsigned> stores, shares;
  std::vector<bool> stores_own, stores_deeper;
};

static const summary *summary_of_construct (gimple *s,
					    unsigned level);
static bool construct_asks (const summary *r);

/* NULL if FNDECL's body is not here.  */
static const summary *summary_of (tree fndecl, unsigned level,
				  bool any = false);
