/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int b[N];static int next[64];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  #pragma omp parallel
  {
    int t=omp_get_thread_num(); next[t]=t*(N/omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) { int k;
      #pragma omp atomic capture
      k=next[t]++;
      b[k]=i+r; }
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
