// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  std::vector<int> all;
  #pragma omp parallel
  {
    std::vector<int> mine;
    #pragma omp for nowait
    for(int i=0;i<N;i++) if(i%3) mine.push_back(i);
    #pragma omp for schedule(static) ordered
    for(int t=0;t<omp_get_num_threads();t++){
      #pragma omp ordered
      all.insert(all.end(),mine.begin(),mine.end());
    }
  }
  int k=0; for(int i=0;i<N;i++) if(i%3) bad+= all[k++]!=i;
 }
 puts(bad?"BAD":"OK"); }
