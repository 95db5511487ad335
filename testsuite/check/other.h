/* SPDX-License-Identifier: GPL-3.0-or-later  */

#define N 1000

/* Iteration I of N belongs into the block that static would give to the
   calling thread.  */
extern void put_into_block (int i, int n);
/* How many did not.  */
extern long lost (void);

extern int number_of_thread (void);

/* Iteration I comes after I - 1, or it is the thread's first one.  */
extern void follow (int i);
extern long gaps (void);

/* Iteration I does not come before one that the thread has run.  */
extern void ascend (int i);
extern long steps_back (void);

/* A value for I that only the calling thread can read again.  */
extern void keep (int i);
extern long kept (int i);

/* The first iteration of each block of static waits for the others'.  */
extern void meet (int i, int n);
