/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static double a[N],pm[64]; static int pi[64];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<200;r++){
  for(int i=0;i<N;i++) a[i]=(i*7)%50;
  int first=0; for(int i=0;i<N;i++) if(a[i]>a[first]) first=i;
  int p=0;
  #pragma omp parallel
  {
    double m=-1; int mi=-1, t=omp_get_thread_num();
    #pragma omp for
    for(int i=0;i<N;i++) { if (a[i]>m) { m=a[i]; mi=i; } }
    pm[t]=m; pi[t]=mi;
    #pragma omp single
    p=omp_get_num_threads();
  }
  int w=0; for(int t=1;t<p;t++) if(pm[t]>pm[w]) w=t;
  bad+=pi[w]!=first;
 }
 puts(bad?"BAD":"OK"); return 0; }
