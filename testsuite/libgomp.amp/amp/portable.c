/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Loops without a clause in the form that any libgomp from GCC 9 on takes from
   OMP_SCHEDULE; those of constant bounds are combined with their construct.  */
/* { amp-options -fplugin-arg-gomp_amp_plugin-portable } */
/* { amp-calls GOMP_loop_nonmonotonic_runtime_start GOMP_loop_ull_nonmonotonic_runtime_start } */

#include "combined.c"
