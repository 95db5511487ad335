// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <algorithm>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  #pragma omp parallel
  {
    static int next[64]; next[omp_get_thread_num()]=omp_get_thread_num()*(N/omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) std::for_each(&i,&i+1,[&](int v){ out[next[omp_get_thread_num()]++]=v+r; });
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
