/* SPDX-License-Identifier: GPL-3.0-or-later

   In place of libgomp's futex.h.  */

static inline void
futex_wait (int *addr, int val)
{
  seed_futex_wait (addr, val);
}

static inline void
futex_wake (int *addr, int count)
{
  seed_futex_wake (addr, count);
}

static inline void
cpu_relax (void)
{
}
