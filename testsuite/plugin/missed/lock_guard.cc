// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <mutex>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<1;r++){
  static std::mutex m;
  #pragma omp parallel
  {
    std::lock_guard<std::mutex> g(m);
    #pragma omp for nowait
    for(int i=0;i<N;i++) out[i]=i+r;
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
