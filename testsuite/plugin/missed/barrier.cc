// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <barrier>

int main(){ const int N=400; int bad=0; std::vector<int> out(N);
 for(int r=0;r<3;r++){
  static std::barrier<> *bar=nullptr;
  #pragma omp parallel
  {
    #pragma omp single
    bar=new std::barrier<>(omp_get_num_threads());
    #pragma omp for
    for(int i=0;i<N;i++) { out[i]=i+r; bar->arrive_and_wait(); }
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
