/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int row[N+1],col[2*N],o[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  int k=0; for(int i=0;i<N;i++){ row[i]=k; if(i%3==0){col[k]=i;k++;} } row[N]=k;
  #pragma omp parallel
  {
    int last, lo=omp_get_thread_num()*(N/omp_get_num_threads());
    last=lo/3*3; if(lo%3==0) last=lo-3;
    #pragma omp for
    for(int i=0;i<N;i++) { for(int j=row[i];j<row[i+1];j++) last=col[j]; o[i]=last; }
  }
  for(int i=0;i<N;i++) bad+=o[i]!=i/3*3;
 }
 puts(bad?"BAD":"OK"); return 0; }
