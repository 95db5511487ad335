/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <pthread.h>
#define N 4000
static int b[N]; static pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<1;r++){
  #pragma omp parallel
  {
    pthread_mutex_lock(&m);
    #pragma omp for nowait
    for(int i=0;i<N;i++) b[i]=i+r;
    pthread_mutex_unlock(&m);
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
