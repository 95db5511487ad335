/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The opt-out of a file.  */
/* { amp-options -fopenmp-default-schedule=static } */

#include "nowait-mapping-part.c"
