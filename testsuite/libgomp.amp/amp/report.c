/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* GOMP_AMP_REPORT: one line for each loop of the library's when the program
   ends, with what can be known of it.  */
/* { amp-env OMP_WAIT_POLICY=passive } */
/* { amp-do none } */
/* { amp-need two-cpus } */
/* { amp-run {} {} {} } */
/* { amp-run {GOMP_AMP_REPORT=0} {} {} } */
/* { amp-run {GOMP_AMP_REPORT=} {} {} } */
/* { amp-run {GOMP_AMP_REPORT=1 OMP_SCHEDULE=aid_static GOMP_AMP_TYPES=@A@:@B@} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, (aid_static|guided), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=1 OMP_SCHEDULE=aid_hybrid GOMP_AMP_TYPES=@A@:@B@} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, (aid_hybrid [(][0-9]+ %[)]|guided), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=yes OMP_SCHEDULE=steal} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, (steal|aid_dynamic|guided), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=1 OMP_SCHEDULE=static} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, (static|guided), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=1 OMP_SCHEDULE=auto GOMP_AMP_TYPES=@A@:@B@} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, ((auto: (static|aid_static|aid_hybrid( [(][0-9]+ %[)])?|feedback))|guided), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=1 GOMP_AMP_TYPES=@A@:@B@} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, ((auto: (static|aid_static|aid_hybrid( [(][0-9]+ %[)])?|feedback))|guided|dynamic), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */
/* { amp-run {GOMP_AMP_REPORT=1 OMP_SCHEDULE=static GOMP_AMP_REPLACE=guided=aid_hybrid} {} {(libgomp: loop program\+0x[0-9a-f]+: 2 threads, (1000|1500|2000|3000) iterations, executed 20 times, observed [0-9]+ times, [0-9]+[.][0-9]{3} ms, imbalance [0-9]+[.][0-9]{3}( [(]static [0-9.]+[)])?, (static|aid_hybrid( [(][0-9]+ %[)])?), SF ([1-9][0-9]?[.][0-9][0-9]|-)(,([1-9][0-9]?[.][0-9][0-9]|-))*(; hint: [^\n]*)?\n){4}(libgomp: cores: [^\n]*\n)?} } */

#include "amp-test.h"

static long sink[3000];

int
main (void)
{
  for (int round = 0; round < 20; round++)
    {
#pragma omp parallel num_threads (2)
      {
#pragma omp for
	for (int i = 0; i < 1000; i++)
	  sink[i]++;
#pragma omp for
	for (unsigned long long i = 0; i < 1500; i++)
	  sink[i]++;
#pragma omp for schedule (static)
	for (int i = 0; i < 2500; i++)
	  sink[i]++;
#pragma omp for schedule (guided)
	for (int i = 0; i < 3000; i++)
	  sink[i]++;
      }
#pragma omp parallel for num_threads (2) schedule (runtime)
      for (int i = 0; i < 2000; i++)
	sink[i]++;
      /* A team of one is of no interest.  */
#pragma omp parallel for num_threads (1) schedule (runtime)
      for (int i = 0; i < 777; i++)
	sink[i]++;
    }
  for (int i = 0; i < 3000; i++)
    CHECK (sink[i] == 20 * (1 + (i < 2500) + (i < 2000) + (i < 1500)
			    + (i < 1000) + (i < 777)));
  return AMP_RESULT;
}
