/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The opt-out of a run; and where all cores are known to be alike there is
   nothing to opt out of.  */
/* { amp-do none } */
/* { amp-run {OMP_SCHEDULE=static} {} {} } */
/* { amp-run {OMP_SCHEDULE=static GOMP_AMP_TYPES=@A@:@B@} {} {} } */
/* { amp-run {OMP_SCHEDULE=static GOMP_AMP_TYPES=@B@:@A@ GOMP_AMP_AFFINITY=1} {} {} } */
/* { amp-run {GOMP_AMP_TYPES=@A@,@B@} {} {} } */

#include "nowait-mapping-part.c"
