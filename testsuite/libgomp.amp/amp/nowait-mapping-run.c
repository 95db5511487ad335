/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The opt-out of a run.  */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=static} {} {} } */
/* { amp-run {OMP_SCHEDULE=static GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {OMP_SCHEDULE=static GOMP_AMP_AFFINITY=@B@:@A@} {} {} } */
/* { amp-run {} {} {} } */

#include "nowait-mapping-part.c"
