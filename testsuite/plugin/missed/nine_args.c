/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int b[N];__attribute__((noinline)) static void put(int *o,int p1,int p2,int p3,int p4,int p5,int p6,int v,int *k){ o[(*k)++]=v+p1+p2+p3+p4+p5+p6; }
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  #pragma omp parallel
  {
    int k=omp_get_thread_num()*(N/omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) put(b,0,0,0,0,0,r,i,&k);
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
