/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int b[N];struct st{int tmp,k;};
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  #pragma omp parallel
  {
    struct st s; s.k=omp_get_thread_num()*(N/omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) { s.tmp=i; b[s.k++]=s.tmp+r; }
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
