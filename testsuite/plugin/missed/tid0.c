/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],b[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<200;r++){
  for(int i=0;i<N;i++) a[i]=r, b[i]=-1;
  #pragma omp parallel
  {
    if (omp_get_thread_num()==0) { for (volatile int k=0;k<2000;k++); a[0]=1000+r; }
    #pragma omp for
    for(int i=0;i<N;i++) b[i]=a[i]+1;
  }
  bad+=b[0]!=1001+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
