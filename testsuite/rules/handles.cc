// What libraries give each thread, in C++.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <array>
#include <atomic>
#include <new>
#include <vector>
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

// How many parts there are says a container, or an atomic object; another
// container of that type says nothing.

__attribute__ ((always_inline)) static inline int
part (int i, int n, int parts)
{
  int q = n / parts, r = n % parts;
  return i < r * (q + 1) ? i / (q + 1) : r + (i - r * (q + 1)) / (q ? q : 1);
}

__attribute__ ((always_inline)) static inline u64
go_up (u64 &s, int i)
{
  s = s ? s + 2 * i - 1 : (u64) i * i + 1;
  return s;
}

CASE (parts_in_a_vector)
{
  std::vector<u64> all (omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, all.size ())], i);
}

CASE (parts_told_by_an_element)
{
  std::vector<int> told;
  u64 all[THREADS] = {};
  told.push_back (omp_get_max_threads ());
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, told[0])], i);
}

CASE (parts_told_by_a_size)
{
  std::vector<int> told;
  u64 all[THREADS] = {};
  told.assign (omp_get_max_threads (), 1);
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, told.size ())], i);
}

static __attribute__ ((noinline)) void
by_parts (std::vector<u64> &all, int n)
{
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, all.size ())], i);
}

CASE (parts_by_reference)
{
  std::vector<u64> all (omp_get_max_threads ());
  by_parts (all, n);
}

CASE (parts_told_by_an_atomic_object)
{
  static std::atomic<int> parts;
  u64 all[THREADS] = {};
  parts = omp_get_max_threads ();
#pragma omp parallel for // amp: static
  for (int i = 0; i < n; i++)
    out0[i] = go_up (all[part (i, n, parts)], i);
}

CASE (beside_parts_in_a_vector)
{
  std::vector<u64> sums (omp_get_max_threads ()), columns (n);
  for (int i = 0; i < n; i++)
    columns.at (i) = in[i & 63] % n;
  sums.push_back (columns[0]);
#pragma omp parallel for // amp: any or static at -O0
  for (int i = 0; i < n; i++)
    out0[i] = columns[i] != (u64) i && (u64) i < columns.size () ? in[i & 63]
							     : 1;
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
