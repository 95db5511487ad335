/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 400
static int done[N],b[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<5;r++){
  for(int i=0;i<N;i++) done[i]=0;
  #pragma omp parallel
  {
    int q=N/omp_get_num_threads();
    #pragma omp for
    for(int i=0;i<N;i++) {
      if (i+q<N) { while(__sync_fetch_and_add(&done[i+q],0)==0); }   /* the same step of a neighbour's block */
      b[i]=i;
      __sync_fetch_and_add(&done[i],1);
    }
  }

 }
 puts(bad?"BAD":"OK"); return 0; }
