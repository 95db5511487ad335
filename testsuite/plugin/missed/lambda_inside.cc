// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  #pragma omp parallel
  {
    int k=omp_get_thread_num()*(N/omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) { auto put=[&](int v){ out[k++]=v; }; put(i+r); }
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
