/* The loop whose vectorisation must not depend on the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later  */

void
daxpy (long n, double a, const double *restrict x, double *restrict y)
{
#pragma omp parallel for /* amp: converted */
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}

void
daxpy_simd (long n, double a, const double *x, double *y)
{
#pragma omp parallel for simd /* amp: converted */
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}
