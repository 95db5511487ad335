// SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
// As order-marker.c, with a container for each thread, in teams of 2 to 4.
// { amp-env OMP_WAIT_POLICY=passive }
// { amp-do rows }
// { amp-without {shuffled, descending} }
// { amp-run {GOMP_AMP_TYPES=@A@:@B@ GOMP_AMP_SF=3,1} {60} {} }
// { amp-run {} {60} {} }

#include <algorithm>
#include <cstdlib>
#include <vector>
#include "amp-test.h"

namespace {

const int rows = 600;

struct matrix
{
  std::vector<int> end { 0 }, column;
};

matrix
make ()
{
  matrix a;

  for (int i = 0; i < rows; i++)
    {
      for (int k = 0; k < 2 + i * 7 % 22; k++)
	a.column.push_back ((i + k * k) % rows);
      a.end.push_back (a.column.size ());
    }
  return a;
}

// The square of A in two passes: how long its rows are, and what is in them.

matrix
square (const matrix &a, unsigned threads)
{
  matrix c;

  c.end.resize (rows + 1);
#pragma omp parallel num_threads (threads)
  {
    std::vector<int> marker (rows, -1);

#pragma omp for
    for (int i = 0; i < rows; i++)
      {
	int count = 0;

	for (int j = a.end[i]; j < a.end[i + 1]; j++)
	  for (int k = a.end[a.column[j]]; k < a.end[a.column[j] + 1]; k++)
	    if (marker[a.column[k]] < i)
	      {
		marker[a.column[k]] = i;
		count++;
	      }
	c.end[i + 1] = count;
      }
  }
  for (int i = 0; i < rows; i++)
    c.end[i + 1] += c.end[i];
  c.column.assign (c.end[rows], -1);
#pragma omp parallel num_threads (threads)
  {
    std::vector<int> marker (rows, -1);

#pragma omp for
    for (int i = 0; i < rows; i++)
      {
	int begin = c.end[i], end = begin;

	for (int j = a.end[i]; j < a.end[i + 1]; j++)
	  for (int k = a.end[a.column[j]]; k < a.end[a.column[j] + 1]; k++)
	    if (marker[a.column[k]] < begin)
	      {
		marker[a.column[k]] = end;
		if (end < c.end[rows])
		  c.column[end] = a.column[k];
		end++;
	      }
      }
  }
  return c;
}

}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? std::atoi (argv[1]) : 3;
  matrix a = make (), right = square (a, 1);

  for (int k = 0; k < rounds; k++)
    for (unsigned t = 2; t <= 4; t++)
      {
	matrix c = square (a, t);

	CHECK (c.end == right.end);
	CHECK (c.column == right.column);
      }
  return AMP_RESULT;
}
