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
      if (i+q<N) { for(int d=0;!d;) {
        #pragma omp critical
        d=done[i+q];
      } }   /* the same step of a neighbour's block */
      b[i]=i;
      
      #pragma omp critical
      done[i]=1;
    }
  }

 }
 puts(bad?"BAD":"OK"); return 0; }
