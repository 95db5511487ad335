/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int a[N],b[N];
#pragma omp declare target
void fill(int *x,int r){
  #pragma omp for nowait
  for(int i=0;i<N;i++){ for(volatile int k=0;k<20;k++); x[i]=i+r; }
}
#pragma omp end declare target
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  for(int i=0;i<N;i++) a[i]=-5;
  #pragma omp parallel
  {
    fill(a,r);
    #pragma omp for
    for(int i=0;i<N;i++) b[i]=a[i]+1;
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r+1;
 }
 puts(bad?"BAD":"OK"); return 0; }
