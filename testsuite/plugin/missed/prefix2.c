/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],s[N],part[65];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  for(int i=0;i<N;i++) a[i]=i%13+1;
  #pragma omp parallel
  {
    int c=0;
    #pragma omp for
    for(int i=0;i<N;i++) c+=a[i];
    part[omp_get_thread_num()+1]=c;
  }
  #pragma omp parallel
  {
    int c=0;
    for(int t=1;t<=omp_get_thread_num();t++) c+=part[t];
    #pragma omp for
    for(int i=0;i<N;i++) { c+=a[i]; s[i]=c; }
  }
  int c=0; for(int i=0;i<N;i++) { c+=a[i]; bad+=s[i]!=c; }
 }
 puts(bad?"BAD":"OK"); return 0; }
