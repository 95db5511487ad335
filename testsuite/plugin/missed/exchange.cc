// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <utility>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  std::vector<int> a(N); for(int i=0;i<N;i++) a[i]=i*i%1001;
  #pragma omp parallel
  {
    int lo=omp_get_thread_num()*(N/omp_get_num_threads()), prev=lo?a[lo-1]:0;
    #pragma omp for
    for(int i=0;i<N;i++) out[i]=a[i]-std::exchange(prev,a[i]);
  }
  for(int i=0;i<N;i++) bad+= out[i]!=a[i]-(i?a[i-1]:0);
 }
 puts(bad?"BAD":"OK"); }
