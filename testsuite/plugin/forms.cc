// C++ loops of all forms.  With -DBY_THREAD=1, not 0, bodies use the thread's number: loops are given back to
// static, and what each thread does must be what it does in gcc's.
// SPDX-License-Identifier: GPL-3.0-or-later
// calls: GOMP_loop_static_start GOMP_loop_static_next
// calls: GOMP_loop_ull_static_start GOMP_loop_ull_static_next
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
#include <vector>
#include <list>
#include <deque>
#include <string>
static unsigned char got[1 << 16];
static int me() { return BY_THREAD ? omp_get_thread_num() : 0; }
static void show(const char *what) {
  unsigned h = 5381;
  for (unsigned i = 0; i < sizeof got; i++) h = h * 33 + got[i], got[i] = 0;
  printf("%s %x\n", what, h);
}
#define M(k) (got[(unsigned)(k) & 65535] += 1 + me())
template <typename T> void up(T a, T b, T s, const char *w) {
  T base = a;
#pragma omp parallel for // amp: converted
  for (T i = a; i < b; i += s) M(i - base);
  show(w);
#pragma omp parallel for // amp: converted
  for (T i = a; i <= b; i += s) M(i - base);
  show(w);
}
template <typename T> void down(T a, T b, T s, const char *w) {
  T base = b;
#pragma omp parallel for // amp: converted  amp: static: narrow unsigned iterator counts down
  for (T i = a; i > b; i -= s) M(i - base);
  show(w);
#pragma omp parallel for // amp: converted  amp: static: narrow unsigned iterator counts down
  for (T i = a; i >= b; i -= s) M(i - base);
  show(w);
}
template <typename T> void ne(T a, T b, const char *w) {
  T base = a;
#pragma omp parallel for // amp: converted
  for (T i = a; i != b; ++i) M(i - base);
  show(w);
#pragma omp parallel for // amp: converted  amp: static: narrow unsigned iterator counts down
  for (T i = b; i != a; --i) M(b - i);
  show(w);
}
#define ALL(T,lo,hi) up<T>(lo,hi,1,#T); up<T>(lo,hi,3,#T); up<T>(lo,hi,7,#T); down<T>(hi,lo,1,#T); down<T>(hi,lo,5,#T); ne<T>(lo,hi,#T); up<T>(hi,lo,1,#T); down<T>(lo,hi,1,#T); up<T>(lo,lo,1,#T)
struct S {
  int k, n; std::vector<int> v;
  void run(const char *w) {
#pragma omp parallel for firstprivate(k) // amp: converted or static
    for (int i = 0; i < n; i++) { k++; v[i] = k * 2 + i; }
    for (int i = 0; i < n; i++) got[i] = v[i];
    show(w);
  }
};
template <int C> struct Q { template <typename I> static void go(I b, I e) {
#pragma omp parallel
  {
    int c = 0;
#pragma omp for // amp: converted or static
    for (I p = b; p < e; p += C) { c++; *p = c; }
  }
  unsigned j = 0; for (I p = b; p != e; ++p, ++j) got[j & 65535] = *p;
  show("iterator");
} };
struct Made {
  int n;
  Made(int m) : n(m) {
    #pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++) M(i);
  }
  ~Made() {
    #pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++) M(i + 1);
  }
};
int main() {
  ALL(signed char, -40, 60); ALL(unsigned char, 2, 240); ALL(short, -300, 500); ALL(unsigned short, 10, 2000);
  ALL(int, -1000, 1000); ALL(unsigned, 10, 4000); ALL(long, -1000, 1000); ALL(unsigned long, 10, 5000);
  ALL(long long, -1000, 2000); ALL(unsigned long long, 7, 3000);
  up<int>(INT_MIN, INT_MIN + 900, 2, "min"); down<int>(INT_MAX - 10, INT_MAX - 900, 2, "max");
  up<long>(LONG_MIN, LONG_MIN + 900, 2, "lmin"); down<long>(LONG_MAX - 10, LONG_MAX - 900, 2, "lmax");
  up<unsigned long>(ULONG_MAX - 4000, ULONG_MAX - 10, 3, "ulmax"); down<unsigned long>(ULONG_MAX - 10, ULONG_MAX - 4000, 3, "ulmax");
  up<unsigned>(UINT_MAX - 4000, UINT_MAX - 10, 3, "umax"); 
  for (int n = 0; n < 12; n++) up<int>(0, n, 1, "few"), up<long>(0, n, 2, "few");
  int n = 77, m = 13;
  #pragma omp parallel for collapse(2) // amp: converted
  for (int i = 0; i < n; i++) for (long j = m; j > 0; j -= 2) M(i * 20 + j);
  show("collapse");
  #pragma omp parallel for collapse(3) // amp: converted
  for (int i = 0; i < n; i++) for (unsigned j = 0; j < (unsigned) m; j += 2) for (unsigned long long k = 5; k > 1; k--) M(i * 200 + j * 10 + k);
  show("collapse3");
  #pragma omp parallel for collapse(2) // amp: converted
  for (int i = 0; i < 0; i++) for (int j = 0; j < m; j++) M(0);
  show("collapse0");
  int last = -1, k = 5, c = 0; long l = 3;
  #pragma omp parallel for lastprivate(last) firstprivate(c) // amp: converted or static
  for (int i = 0; i < n; i++) { c++; last = c; }
  printf("last %d\n", last);
  #pragma omp parallel for lastprivate(last) firstprivate(c) linear(l: 3) // amp: converted or static
  for (int i = 0; i < n; i++) { c++; last = c; got[i] = l; l += 3; M(i); }
  printf("last %d linear %ld\n", last, l); show("linear");
  #pragma omp parallel for lastprivate(k) // amp: converted or static
  for (k = 0; k < n; k += 3) M(k);
  printf("k %d\n", k); show("k");
  #pragma omp parallel for collapse(2) lastprivate(last, k) firstprivate(c) // amp: converted or static
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { k = i * j; last = ++c; }
  printf("%d %d\n", last, k);
  long sum = 0; double d = 0; int mx = 0;
  #pragma omp parallel for reduction(+: sum) reduction(max: mx) reduction(+: d) // amp: converted or static
  for (int i = 0; i < n; i++) { sum += i * (1 + me()); mx = mx > i * me() ? mx : i * me(); d += .1 * me(); }
  printf("%ld %d %g\n", sum, mx, d);
  #pragma omp parallel
  {
    int q = 0;
    #pragma omp for nowait // amp: converted or static
    for (int i = 0; i < n; i++) { q++; got[i] += q; }
    #pragma omp for nowait // amp: converted or static
    for (int i = 0; i < n; i++) { q++; got[i] += q; }
    #pragma omp for // amp: converted or static
    for (int i = n; i > 0; i--) { q++; got[i + 1000] += q; }
    #pragma omp single
    got[40000] = 1;
    #pragma omp for nowait // amp: converted or static
    for (int i = 0; i < n; i++) { q++; got[i + 2000] += q; }
    if (q < 0) got[0]++;
  }
  show("nowait");
  #pragma omp parallel for simd // amp: converted
  for (int i = 0; i < n; i++) M(i);
  show("simd");
  #pragma omp teams distribute parallel for num_teams(1) // amp: converted
  for (int i = 0; i < n; i++) M(i);
  show("tdpf");
  #pragma omp teams distribute parallel for num_teams(1) collapse(2) dist_schedule(static, 10) // amp: converted
  for (int i = 0; i < n; i++) for (int j = m; j > 0; j--) M(i * 20 + j);
  show("tdpf2");
  #pragma omp parallel for num_threads(3) // amp: converted
  for (int i = 0; i < 8; i++)
    #pragma omp parallel for num_threads(2) // amp: converted
    for (int j = 0; j < n; j++) got[i * 100 + j] += 1 + me();
  show("nested");
  S s; s.k = 3; s.n = n; s.v.resize(n); s.run("member");
  std::vector<int> v(301); std::deque<int> q(97);
  Q<1>::go(v.begin(), v.end()); Q<3>::go(v.begin(), v.end()); Q<2>::go(q.begin(), q.end()); Q<1>::go(v.rbegin(), v.rend()); Q<4>::go(&v[0], &v[300]);
  #pragma omp parallel for // amp: converted or static
  for (int &x : v) x = me();
  for (int i = 0; i < 301; i++) got[i] = v[i];
  show("range");
  auto f = [&](int z) {
    #pragma omp parallel for // amp: converted
    for (int i = 0; i < z; i++) M(i + k);
  };
  f(50); f(0); show("lambda");
  try {
    #pragma omp parallel
    {
      std::string t;
      #pragma omp for // amp: converted or static
      for (int i = 0; i < n; i++) { t += 'x'; try { if (t.size() % 3 == 0) throw 1; got[i] += t.size(); } catch (int e) { got[i] += e + me(); } }
    }
  } catch (...) {}
  show("throw");
  int cancelled = 0;
  #pragma omp parallel
  {
    int q = 0;
    #pragma omp for // amp: converted or static
    for (int i = 0; i < n; i++) { q++; got[i] += q; if (q > 1000) {
    #pragma omp cancel for
    } }
    #pragma omp atomic
    cancelled += q;
  }
  show("cancel"); printf("%d\n", cancelled);
  int *p = new int[1000];
  #pragma omp parallel for // amp: converted
  for (int *x = p + 999; x >= p; x -= 3) M(x - p);
  show("pointer");
  #pragma omp parallel for // amp: converted
  for (int *x = p; x != p + 1000; x++) M(x - p);
  show("pointer");
  #pragma omp parallel
  {
    for (int r = 0; r < 3; r++) {
      #pragma omp for // amp: converted
      for (int i = 0; i < n; i++) { if (i % 3 == r) continue; M(i); }
    }
  }
  show("repeat");
  { Made made(n); }
  show("constructor, destructor");
  auto generic = [](auto z) {
    #pragma omp parallel for simd // amp: converted
    for (decltype(z) i = 0; i < z; i++) M(i);
  };
  generic(n); generic(77ull); show("generic");
  const std::deque<int> dq(97, 5);
  auto at = dq.cbegin();
  #pragma omp parallel for lastprivate(at) // amp: converted or static
  for (auto it = dq.cbegin(); it < dq.cend(); it += 3) { M(it - dq.cbegin()); at = it; }
  printf("%d\n", (int) (at - dq.cbegin())); show("last iterator");
  #pragma omp parallel for collapse(2) // amp: converted or static
  for (auto a = v.begin(); a < v.end(); a++) for (auto b = dq.end(); b > dq.begin(); b--) M((a - v.begin()) * 97 + (b - dq.begin()));
  show("iterators, collapse");
  #pragma omp teams distribute parallel for num_teams(1) // amp: converted or static
  for (auto it = v.begin(); it < v.end(); it++) M(it - v.begin());
  show("iterators, tdpf");
  int plain[] = { 3, 1, 2 }, other[] = { 0, 7, 5 };
  #pragma omp parallel for // amp: converted
  for (int x : plain) M(x);
  #pragma omp parallel for collapse(2) // amp: converted or static
  for (auto x : plain) for (auto y : other) M(x * 10 + y);
  show("ranges");
  try { throw 1; } catch (int) {
    #pragma omp parallel for // amp: converted
    for (int i = 0; i < n; i++) M(i);
  }
  show("catch");
}
