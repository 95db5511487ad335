// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <future>

int main(){ const int N=400; int bad=0; std::vector<int> out(N);
 for(int r=0;r<3;r++){
  std::vector<std::promise<void>> pr(N); 
  #pragma omp parallel
  {
    int q=N/omp_get_num_threads();
    #pragma omp for
    for(int i=0;i<N;i++) { if(i+q<N) pr[i+q].get_future().wait(); out[i]=i+r; pr[i].set_value(); }
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
