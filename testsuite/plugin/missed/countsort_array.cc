// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>
#include <cstdio>
#include <omp.h>
#include <array>

int main(){ const int N=4000; int bad=0; std::vector<int> out(N);
 for(int r=0;r<50;r++){
  std::vector<int> a(N),ref; const int K=16;
  for(int i=0;i<N;i++) a[i]=(i*7+i/13)%K+K*i;
  for(int k=0;k<K;k++) for(int i=0;i<N;i++) if(a[i]%K==k) ref.push_back(a[i]);
  std::vector<std::vector<int>> cnt;
  #pragma omp parallel
  {
    int t=omp_get_thread_num(),p=omp_get_num_threads();
    std::array<int,16> h{};
    #pragma omp single
    cnt.resize(p);
    #pragma omp for
    for(int i=0;i<N;i++) h[a[i]%K]++;
    cnt[t].assign(h.begin(),h.end());
    #pragma omp barrier
    std::array<int,16> pos;
    int s=0;
    for(int k=0;k<K;k++) for(int u=0;u<p;u++) { if(u==t) pos[k]=s; s+=cnt[u][k]; }
    #pragma omp for
    for(int i=0;i<N;i++) out[pos[a[i]%K]++]=a[i];
  }
  bad+= out!=ref;
 }
 puts(bad?"BAD":"OK"); }
