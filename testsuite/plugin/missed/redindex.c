/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int out[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  int k=0;
  #pragma omp parallel
  {
    int p=omp_get_num_threads(), t=omp_get_thread_num(); int buf[N];
    #pragma omp for reduction(+:k)
    for(int i=0;i<N;i++) buf[k++]=i*3;
    memcpy(out+t*(N/p),buf,sizeof(int)*(N/p));
  }
  for(int i=0;i<N;i++) bad+=out[i]!=3*i;
 }
 puts(bad?"BAD":"OK"); return 0; }
