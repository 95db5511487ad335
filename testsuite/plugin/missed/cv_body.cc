// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <mutex>
#include <condition_variable>

int main(){ const int N=400; int bad=0; std::vector<int> out(N);
 for(int r=0;r<3;r++){
  std::mutex m; std::condition_variable cv; std::vector<char> done(N);
  #pragma omp parallel
  {
    int q=N/omp_get_num_threads();
    #pragma omp for
    for(int i=0;i<N;i++) { std::unique_lock<std::mutex> l(m); if(i+q<N) cv.wait(l,[&]{return done[i+q]!=0;}); out[i]=i+r; done[i]=1; cv.notify_all(); }
  }
  for(int i=0;i<N;i++) bad+= out[i]!=i+r;
 }
 puts(bad?"BAD":"OK"); }
