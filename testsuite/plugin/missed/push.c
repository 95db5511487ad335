/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static int out[N]; struct list{int n; int a[N];};
static void push(struct list*l,int v){ l->a[l->n++]=v; }
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<100;r++){
  #pragma omp parallel
  {
    struct list l; l.n=0;
    int p=omp_get_num_threads(), t=omp_get_thread_num();
    #pragma omp for
    for(int i=0;i<N;i++) push(&l,i*3);
    memcpy(out+t*(N/p),l.a,sizeof(int)*(N/p));
  }
  for(int i=0;i<N;i++) bad+=out[i]!=3*i;
 }
 puts(bad?"BAD":"OK"); return 0; }
