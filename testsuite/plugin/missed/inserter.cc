// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <iterator>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  std::vector<std::vector<int>> lists(64);
  #pragma omp parallel
  {
    std::vector<int> v; auto it=std::back_inserter(v);
    #pragma omp for
    for(int i=0;i<N;i++) *it++=i+r;
    lists[omp_get_thread_num()]=v;
  }
  std::vector<int> all; for(auto&l:lists) all.insert(all.end(),l.begin(),l.end());
  for(int i=0;i<N;i++) bad+= all[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
