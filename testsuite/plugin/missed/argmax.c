/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <omp.h>
#include <stdio.h>
#include <string.h>
#define N 4000
static double a[N];
int main(int argc,char**argv){ int bad=0;
 for(int r=0;r<200;r++){
  for(int i=0;i<N;i++) a[i]=(i*7)%50;
  int first=0; for(int i=0;i<N;i++) if(a[i]>a[first]) first=i;
  double gm=-1; int gi=N;
  #pragma omp parallel
  {
    double m=-1; int mi=N;
    #pragma omp for nowait
    for(int i=0;i<N;i++) { if (a[i]>m) { m=a[i]; mi=i; } }
    #pragma omp critical
    if (m>gm || (m==gm && mi<gi)) gm=m, gi=mi;
  }
  bad+=gi!=first;
 }
 puts(bad?"BAD":"OK"); return 0; }
