// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <sstream>
#include <string>

int main(){ const int N=2000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<20;r++){
  std::ostringstream ref; for(int i=0;i<N;i++) ref<<i<<'\n';
  std::vector<std::string> text(64);
  #pragma omp parallel
  {
    std::ostringstream s;
    #pragma omp for
    for(int i=0;i<N;i++) s<<i<<'\n';
    text[omp_get_thread_num()]=s.str();
  }
  std::string all; for(auto&t:text) all+=t;
  bad+= all!=ref.str();
 }
 puts(bad?"BAD":"OK"); }
