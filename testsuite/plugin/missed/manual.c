/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],b[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<200;r++){
  for(int i=0;i<N;i++) a[i]=-5, b[i]=-1;
  #pragma omp parallel
  {
    int t=omp_get_thread_num(), q=N/omp_get_num_threads();
    for(int i=t*q;i<(t+1)*q;i++) a[i]=i+r;
    #pragma omp for
    for(int i=0;i<N;i++) b[i]=a[i]+1;
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r+1;
 }
 puts(bad?"BAD":"OK"); return 0; }
