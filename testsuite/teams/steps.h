/* SPDX-License-Identifier: GPL-3.0-or-later

   Included before anything else in those of libgomp's sources that are tested
   here: each of their atomic operations is a point where steps.c may let another
   thread go on.  What is pointed to is named by the function that it is in.  */

#ifndef STEPS_H
#define STEPS_H 1

#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include <pthread.h>

extern void steps_step (const volatile void *address, const char *function);
extern void steps_wait (int *address, int value, const char *function);
extern void steps_wake (int *address, int count);
extern int steps_create (pthread_t *thread, const pthread_attr_t *attr,
			 void *(*function) (void *), void *data);
extern int steps_join (pthread_t thread, void **result);
extern void steps_free (void *p);

#ifndef STEPS_OWN

# define pthread_create steps_create
# define pthread_join steps_join
# define gomp_aligned_free steps_free

# define __atomic_load_n(P, O) \
  (steps_step (P, __func__), __atomic_load_n (P, O))
# define __atomic_store_n(P, V, O) \
  (steps_step (P, __func__), __atomic_store_n (P, V, O))
# define __atomic_exchange_n(P, V, O) \
  (steps_step (P, __func__), __atomic_exchange_n (P, V, O))
# define __atomic_compare_exchange_n(P, E, V, W, S, F) \
  (steps_step (P, __func__), __atomic_compare_exchange_n (P, E, V, W, S, F))
# define __atomic_add_fetch(P, V, O) \
  (steps_step (P, __func__), __atomic_add_fetch (P, V, O))
# define __atomic_sub_fetch(P, V, O) \
  (steps_step (P, __func__), __atomic_sub_fetch (P, V, O))
# define __atomic_fetch_add(P, V, O) \
  (steps_step (P, __func__), __atomic_fetch_add (P, V, O))
# define __atomic_fetch_sub(P, V, O) \
  (steps_step (P, __func__), __atomic_fetch_sub (P, V, O))
# define __atomic_fetch_xor(P, V, O) \
  (steps_step (P, __func__), __atomic_fetch_xor (P, V, O))

#endif

#endif
