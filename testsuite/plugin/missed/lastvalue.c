/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],d[N],ends[65];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  for(int i=0;i<N;i++) a[i]=i*i%1001;
  #pragma omp parallel
  {
    int t=omp_get_thread_num(), last=0;
    #pragma omp for
    for(int i=0;i<N;i++) { a[i]+=r; last=a[i]; }
    ends[t+1]=last;
    #pragma omp barrier
    int prev=t?ends[t]:0;
    #pragma omp for
    for(int i=0;i<N;i++) { d[i]=a[i]-prev; prev=a[i]; }
  }
  for(int i=0;i<N;i++) bad+=d[i]!=a[i]-(i?a[i-1]:0);
 }
 puts(bad?"BAD":"OK"); return 0; }
