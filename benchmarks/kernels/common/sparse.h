/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrices and graphs in compressed rows: generators.

   The matrices have the structure of those of the iCh paper's
   table 1 (row lengths, their spread, and where the columns lie), at any
   size.  Equal arguments give equal matrices everywhere.  */

#ifndef AMP_SPARSE_H
#define AMP_SPARSE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Row I's entries are number START[I] to START[I + 1] - 1, by ascending
   column, each column once.  VALUE is null for a graph.  */
struct sparse
{
  long rows, columns;
  long *start;
  int32_t *column;
  double *value;
};

/* Row lengths: least, most, mean and variance.  */
struct sparse_shape
{
  long least, most;
  double mean, variance;
};
struct sparse_shape sparse_describe (const struct sparse *m);

/* Undirected graphs of N vertices; every edge is in both rows.  A vertex draws
   how many edges it begins (uniform: 1 .. 2 * MEAN - 1; scale-free: k with
   probability in proportion to k^-EXPONENT, LEAST <= k <= n / 4) and the other
   ends uniformly.  */
struct sparse sparse_uniform_graph (long n, long mean, uint64_t seed);
struct sparse sparse_scale_free_graph (long n, long least, double exponent,
				       uint64_t seed);

/* Square matrices of about N rows, by name; the values, in [-1, 1), follow
   from seed, row and column.
     circuit  neighbours near the diagonal, and a few rails that touch up to
	      40 % of all nodes (FullChip)
     web      R-MAT, 0.57 0.19 0.19 0.05: hubs among the first rows
	      (arabic-2005, uk-2005, wb-edu)
     road     a thinned-out grid: 2 to 3 entries a row (road_usa)
     kmer     chains with few branches, numbered at random (kmer_V1r)
     mesh     a triangulated plane: about 6 entries a row (delaunay_n23)
   No start array means that there is no such structure.  */
struct sparse sparse_generate (const char *structure, long n, uint64_t seed);

/* The names of the structures, ended by null.  */
extern const char *const sparse_structures[];

#ifdef __cplusplus
}
#endif

#endif /* AMP_SPARSE_H */
