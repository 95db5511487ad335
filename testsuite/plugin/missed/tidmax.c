/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],s[N],part[65];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  for(int i=0;i<N;i++) a[i]=i+(i*17)%101;
  #pragma omp parallel
  {
    int t=omp_get_thread_num(); part[t]=-1;
    #pragma omp for
    for(int i=0;i<N;i++) part[t]= part[t]>a[i] ? part[t] : a[i];
    int m=-1;
    for(int u=0;u<t;u++) if(part[u]>m) m=part[u];
    #pragma omp for
    for(int i=0;i<N;i++) { if (a[i]>m) m=a[i]; s[i]=m; }
  }
  int m=-1; for(int i=0;i<N;i++) { if(a[i]>m) m=a[i]; bad+=s[i]!=m; }
 }
 puts(bad?"BAD":"OK"); return 0; }
