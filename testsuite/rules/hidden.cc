// State of a thread's own in objects of classes, where it is hard to see.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <functional>
#include "rules.h"

CASE (closure_kept)
{
#pragma omp parallel
  {
    u64 a = 0;
    bool begun = false;
    struct { u64 a, begun; } s = { a, begun };
    std::function<u64 (int)> f = [s] (int i) mutable
      {
	s.a = s.begun ? s.a + 2 * i - 1 : (u64) i * i;
	s.begun = 1;
	return s.a;
      };
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out0[i] = f (i);
  }
}

CASE (closure_of_none)
LOOP (/* amp: any */ auto f = [] (int i) { return in[i & 63] * 3; },
      out0[i] = f (i);)

struct line
{
  virtual ~line () { }
  virtual u64 at (int i) const = 0;
};

struct squares : line
{
  mutable u64 a = 0, begun = 0;
  u64 at (int i) const override
  {
    a = begun ? a + 2 * i - 1 : (u64) i * i;
    begun = 1;
    return a;
  }
};

struct plain : line
{
  u64 at (int i) const override { return i; }
};

static line *__attribute__ ((noipa))
new_line (int what)
{
  return what ? (line *) new squares : new plain;
}

CASE (const_and_virtual)
{
#pragma omp parallel
  {
    line *l = new_line (n > 0);
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out0[i] = l->at (i);
    delete l;
  }
}

struct noted
{
  mutable u64 a = 0, begun = 0;
  u64 at (int i) const;
};

u64 __attribute__ ((noipa))
noted::at (int i) const
{
  a = begun ? a + 2 * i - 1 : (u64) i * i;
  begun = 1;
  return a;
}

CASE (const_and_mutable)
LOOP (/* amp: static */ noted s,
      out0[i] = s.at (i);)

struct fixed
{
  u64 a;
  u64 at (int i) const;
};

u64 __attribute__ ((noipa))
fixed::at (int i) const
{
  return a * i;
}

CASE (const_indeed)
LOOP (/* amp: converted */ fixed s = { 3 },
      out0[i] = s.at (i);)
