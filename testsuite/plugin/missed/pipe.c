/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#define N 4000
static int b[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<1;r++){
  static int fd[64][2]; char c=0; for(int t=0;t<64;t++) if(pipe(fd[t])) return 9;
  #pragma omp parallel
  {
    int t=omp_get_thread_num();
    if(t) { char c; if(read(fd[t][0],&c,1)!=1) b[0]=-1; }
    #pragma omp for nowait
    for(int i=0;i<N;i++) b[i]= i ? b[i-1]+1 : r;
    if(write(fd[t+1][1],&c,1)!=1) b[0]=-1;
  }
  for(int i=0;i<N;i++) bad+=b[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); return 0; }
