/* SPDX-License-Identifier: GPL-3.0-or-later

   In place of libgomp's futex.h: sleep and wake by steps.c.  */

static inline void
futex_wait (int *addr, int val)
{
  steps_wait (addr, val, __func__);
}

static inline void
futex_wake (int *addr, int count)
{
  steps_wake (addr, count);
}

static inline void
cpu_relax (void)
{
}
