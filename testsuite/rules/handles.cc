// What libraries give each thread, in C++.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <array>
#include <atomic>
#include <new>
#include "rules.h"

static inline u64
go_on (record &s, int i)
{
  s.a = s.b ? s.a + 2 * i - 1 : (u64) i * i;
  s.b = 1;
  return s.a;
}

// An object in bytes, which is found there again.

class Arena
{
  alignas (record) unsigned char room[sizeof (record)];
public:
  Arena () { new (room) record (); }
  record &top () { return *std::launder (reinterpret_cast<record *> (room)); }
};

CASE (laundered)
LOOP (/* amp: static */ Arena a, out0[i] = go_on (a.top (), i);)

CASE (laundered_anew)
LOOP (/* amp: any */ Arena a,
      record &r = a.top ();
      r.a = i;
      out0[i] = r.a;)

// A constructor with a loop; it has several names.

class Field
{
  std::array<u64, SLOTS> v;
public:
  explicit Field (int n);
  void apply (int n);
};

__attribute__ ((noinline)) Field::Field (int n)
{
  v.fill (0);
#pragma omp for // amp: static
  for (int i = 0; i < n; i++)
    v[i] = in[i & 63] * 3;
}

__attribute__ ((noinline)) void
Field::apply (int n)
{
#pragma omp for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = v[i] + 1;
}

CASE (constructed)
{
#pragma omp parallel
  {
    Field f (n);
    f.apply (n);
  }
}

// The program has an operator new of its own.

__attribute__ ((noinline)) void *
operator new (std::size_t n)
{
  return calloc (1, n);
}

void
operator delete (void *p) noexcept
{
  free (p);
}

CASE (new_and_clear)
LOOP (/* amp: static */ record *s = static_cast<record *> (operator new (sizeof *s)),
      out0[i] = go_on (*s, i);)

// Parts as static has them, of a class that is told how many.

class Parted
{
  int n, parts;
  record all[THREADS];
public:
  Parted (int n, int parts);
  __attribute__ ((noinline)) record &
  of (int i)
  {
    int q = n / parts, r = n % parts;
    return all[i < r * (q + 1) ? i / (q + 1)
	       : r + (i - r * (q + 1)) / (q ? q : 1)];
  }
};

__attribute__ ((noinline)) Parted::Parted (int n, int parts)
  : n (n), parts (parts), all ()
{
}

CASE (parts_of_a_class)
{
  Parted p (n, omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_on (p.of (i), i);
}

// Who it was is noted: by an address, stored at once, or by a count.

static std::atomic<const record *> by[SLOTS];
static std::atomic<int> numbers;
static int numbered[SLOTS];

struct Member
{
  int number;
  __attribute__ ((noinline)) Member () : number (numbers++) {}
};

CASE (noted_at_once)
{
#pragma omp parallel
  {
    record own;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      by[i] = &own;
  }
}

CASE (noted_by_count)
{
#pragma omp parallel
  {
    Member own;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      numbered[i] = own.number;
#pragma omp for // amp: static
    for (int i = 0; i < n; i++)
      out0[i] = numbered[i] == own.number ? in[i & 63] : 1;
  }
}
