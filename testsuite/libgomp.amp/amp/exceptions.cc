/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
// Exceptions thrown and caught within an iteration, and out of functions that
// loops call; objects are destroyed as often as they are made.
// { amp-calls GOMP_loop_static_start }

#include <stdexcept>
#include <string>
#include "amp-test.h"

static long alive;

struct counted
{
  counted () { __atomic_fetch_add (&alive, 1, __ATOMIC_RELAXED); }
  counted (const counted &) : counted () { }
  ~counted () { __atomic_fetch_sub (&alive, 1, __ATOMIC_RELAXED); }
};

static void
perhaps (long i)
{
  counted here;
  if (i % 3 == 0)
    throw std::runtime_error (std::to_string (i));
  if (i % 5 == 0)
    throw i;
}

int
main ()
{
  for (int t = 1; t <= 4; t++)
    {
      long thrown = 0, numbers = 0, n = 300;
      counted seed;
      amp_cover_begin ();
#pragma omp parallel num_threads (t)
      {
#pragma omp for reduction (+: thrown, numbers) firstprivate (seed)
	for (long i = 0; i < n; i++)
	  {
	    counted inside;
	    try
	      {
		amp_visit (i);
		perhaps (i);
	      }
	    catch (const std::runtime_error &e)
	      {
		CHECK (std::stol (e.what ()) == i);
		thrown++;
	      }
	    catch (long x)
	      {
		CHECK (x == i);
		numbers++;
	      }
	  }
	/* Out of the region, caught within the thread.  */
	try
	  {
	    if (omp_get_thread_num () == 0)
	      throw 1;
	  }
	catch (int)
	  {
	  }
#pragma omp for schedule (runtime)
	for (long i = 0; i < n; i++)
	  amp_visit (n + i);
      }
      CHECK (amp_covered (2 * n));
      CHECK (thrown == 100);
      CHECK (numbers == 40);
      CHECK (alive == 1);
    }
  return AMP_RESULT;
}
