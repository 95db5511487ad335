// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <mutex>
#include <condition_variable>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<1;r++){
  static std::mutex m; static std::condition_variable cv; int done=0;
  #pragma omp parallel
  {
    int t=omp_get_thread_num();
    if (t) { std::unique_lock<std::mutex> l(m); cv.wait(l,[&]{return done>=t;}); }
    #pragma omp for nowait
    for(int i=0;i<N;i++) out[i]= i ? out[i-1]+1 : r;   // in turns: right under static
    { std::lock_guard<std::mutex> l(m); done++; }
    cv.notify_all();
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
