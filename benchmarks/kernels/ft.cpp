// SPDX-License-Identifier: GPL-3.0-or-later
// NPB FT, written from its specification (NAS technical report RNR-94-007,
// section 2.3.3, with the class parameters and published checksums of the later
// NPB reports): a three-dimensional diffusion equation, solved by a Fourier
// transform forth, and one back for each of several times.
//
// All loops are worksharing loops without a schedule clause, over the planes of
// the grid.  A transform takes a few lines of a plane at a time into a tile and
// back, whichever dimension they run along.  Tiles are arrays of each thread's,
// as in NPB.

#include "common/app.h"
#include "common/npb.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace
{

// std::complex multiplies with care for infinities, which costs too much here.
struct Complex
{
  double re, im;
};

inline Complex
operator+ (Complex a, Complex b)
{
  return { a.re + b.re, a.im + b.im };
}

inline Complex
operator- (Complex a, Complex b)
{
  return { a.re - b.re, a.im - b.im };
}

inline Complex
operator* (Complex a, Complex b)
{
  return { a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re };
}

struct Problem
{
  char klass;
  int nx, ny, nz;
  std::vector<std::complex<double>> checksums; // as NPB publishes them
};

const Problem problems[] = {
  { 'S', 64, 64, 64,
    { { 5.546087004964e2, 4.845363331978e2 },
      { 5.546385409189e2, 4.865304269511e2 },
      { 5.546148406171e2, 4.883910722336e2 },
      { 5.545423607415e2, 4.901273169046e2 },
      { 5.544255039624e2, 4.917475857993e2 },
      { 5.542683411902e2, 4.932597244941e2 } } },
  { 'W', 128, 128, 32,
    { { 5.673612178944e2, 5.293246849175e2 },
      { 5.631436885271e2, 5.282149986629e2 },
      { 5.594024089970e2, 5.270996558037e2 },
      { 5.560698047020e2, 5.260027904925e2 },
      { 5.530898991250e2, 5.249400845633e2 },
      { 5.504159734538e2, 5.239212247086e2 } } },
  { 'A', 256, 256, 128,
    { { 5.046735008193e2, 5.114047905510e2 },
      { 5.059412319734e2, 5.098809666433e2 },
      { 5.069376896287e2, 5.098144042213e2 },
      { 5.077892868474e2, 5.101336130759e2 },
      { 5.085233095391e2, 5.104914655194e2 },
      { 5.091487099959e2, 5.107917842803e2 } } },
  { 'B', 512, 256, 256,
    { { 5.177643571579e2, 5.077803458597e2 },
      { 5.154521291263e2, 5.088249431599e2 },
      { 5.146409228649e2, 5.096208912659e2 },
      { 5.142378756213e2, 5.101023387619e2 },
      { 5.139626667737e2, 5.103976610617e2 },
      { 5.137423460082e2, 5.105948019802e2 },
      { 5.135547056878e2, 5.107404165783e2 },
      { 5.133910925466e2, 5.108576573661e2 },
      { 5.132470705390e2, 5.109577278523e2 },
      { 5.131197729984e2, 5.110460304483e2 },
      { 5.130070319283e2, 5.111252433800e2 },
      { 5.129070537032e2, 5.111968077718e2 },
      { 5.128182883502e2, 5.112616233064e2 },
      { 5.127393733383e2, 5.113203605551e2 },
      { 5.126691062020e2, 5.113735928093e2 },
      { 5.126064276004e2, 5.114218460548e2 },
      { 5.125504076570e2, 5.114656139760e2 },
      { 5.125002331720e2, 5.115053595966e2 },
      { 5.124551951846e2, 5.115415130407e2 },
      { 5.124146770029e2, 5.115744692211e2 } } },
};

constexpr double tolerance = 1e-12;
constexpr double pi = 3.14159265358979323846;
constexpr double alpha = 1e-6;
constexpr int lanes = 8; // lines in a tile
constexpr int longest = 512;

// Transforms of one length.  SIGN is -1 forth, +1 back (without the division).
class Transform
{
public:
  Transform (int n, int sign) : n_ (n), root_ (n / 2)
  {
    for (int k = 0; k < n / 2; k++)
      root_[k]
	= { std::cos (2 * pi * k / n), sign * std::sin (2 * pi * k / n) };
  }

  // A tile: element K of line L is number K * lanes + L.  B is scratch.
  // Stockham's form, which needs no reordering.
  void
  run (Complex *a, Complex *b) const
  {
    for (int stride = 1; stride < n_; stride *= 4)
      {
	pass (stride, a, b);
	if (stride * 2 == n_)
	  {
	    std::copy (b, b + static_cast<long> (n_) * lanes, a);
	    break;
	  }
	pass (stride * 2, b, a);
      }
  }

private:
  void
  pass (int stride, const Complex *from, Complex *to) const
  {
    const int half = n_ / 2 / stride;
    for (int j = 0; j < half; j++)
      {
	const Complex w = root_[static_cast<std::size_t> (j) * stride];
	const Complex *low = from + static_cast<long> (j) * stride * lanes;
	const Complex *high = low + static_cast<long> (half) * stride * lanes;
	Complex *out = to + 2L * j * stride * lanes;
	for (int k = 0; k < stride * lanes; k++)
	  {
	    const Complex sum = low[k] + high[k];
	    const Complex difference = low[k] - high[k];
	    out[k] = sum;
	    out[k + stride * lanes] = w * difference;
	  }
      }
  }

  int n_;
  std::vector<Complex> root_;
};

class Solver
{
public:
  explicit Solver (const Problem &p)
    : nx_ (p.nx), ny_ (p.ny), nz_ (p.nz), start_ (cells ()), now_ (cells ())
  {
  }

  std::vector<std::complex<double>> solve (int times);
  long loops () const { return loops_; }

private:
  std::size_t
  cells () const
  {
    return static_cast<std::size_t> (nx_) * ny_ * nz_;
  }

  void initial_values ();
  void transform (std::vector<Complex> &u, int sign);
  void evolve (int time);
  std::complex<double> checksum ();

  // Transforms LANES lines of N elements STRIDE apart; the lines begin
  // DISTANCE apart at LINE.
  static void
  lines (const Transform &t, Complex *line, int n, long stride, long distance,
	 Complex *tile, Complex *scratch)
  {
    for (int k = 0; k < n; k++)
      for (int l = 0; l < lanes; l++)
	tile[k * lanes + l] = line[k * stride + l * distance];
    t.run (tile, scratch);
    for (int k = 0; k < n; k++)
      for (int l = 0; l < lanes; l++)
	line[k * stride + l * distance] = tile[k * lanes + l];
  }

  long nx_, ny_, nz_;
  std::vector<Complex> start_; // the transform of the initial values
  std::vector<Complex> now_;
  long loops_ = 0;
};

void
Solver::initial_values ()
{
#pragma omp parallel for
  for (long z = 0; z < nz_; z++)
    {
      std::uint64_t x = npb_jump (NPB_SEED, 2 * nx_ * ny_ * z);
      for (long i = z * nx_ * ny_; i < (z + 1) * nx_ * ny_; i++)
	{
	  start_[i].re = npb_next (&x);
	  start_[i].im = npb_next (&x);
	}
    }
  loops_++;
}

void
Solver::transform (std::vector<Complex> &u, int sign)
{
  const Transform tx (nx_, sign), ty (ny_, sign), tz (nz_, sign);
#pragma omp parallel
  {
    Complex a[longest * lanes], b[longest * lanes];
#pragma omp for
    for (long z = 0; z < nz_; z++)
      for (long y = 0; y < ny_; y += lanes)
	lines (tx, &u[(z * ny_ + y) * nx_], nx_, 1, nx_, a, b);
#pragma omp for
    for (long z = 0; z < nz_; z++)
      for (long x = 0; x < nx_; x += lanes)
	lines (ty, &u[z * ny_ * nx_ + x], ny_, nx_, 1, a, b);
#pragma omp for
    for (long y = 0; y < ny_; y++)
      for (long x = 0; x < nx_; x += lanes)
	lines (tz, &u[y * nx_ + x], nz_, ny_ * nx_, 1, a, b);
  }
  loops_ += 3;
}

// exp (-4 alpha pi^2 k^2 TIME) for the wave numbers k of N points.
std::vector<double>
decay (long n, int time)
{
  std::vector<double> f (n);
  for (long i = 0; i < n; i++)
    {
      const double k = static_cast<double> (i < n / 2 ? i : i - n);
      f[i] = std::exp (-4 * alpha * pi * pi * k * k * time);
    }
  return f;
}

void
Solver::evolve (int time)
{
  const std::vector<double> fx = decay (nx_, time), fy = decay (ny_, time),
			    fz = decay (nz_, time);
#pragma omp parallel for
  for (long z = 0; z < nz_; z++)
    for (long y = 0; y < ny_; y++)
      {
	const long row = (z * ny_ + y) * nx_;
	const double f = fy[y] * fz[z];
	for (long x = 0; x < nx_; x++)
	  {
	    now_[row + x].re = start_[row + x].re * (fx[x] * f);
	    now_[row + x].im = start_[row + x].im * (fx[x] * f);
	  }
      }
  loops_++;
}

std::complex<double>
Solver::checksum ()
{
  double re = 0, im = 0;
#pragma omp parallel for reduction(+ : re, im)
  for (long j = 1; j <= 1024; j++)
    {
      const Complex &c
	= now_[(5 * j % nz_ * ny_ + 3 * j % ny_) * nx_ + j % nx_];
      re += c.re;
      im += c.im;
    }
  loops_++;
  return { re / static_cast<double> (cells ()),
	   im / static_cast<double> (cells ()) };
}

std::vector<std::complex<double>>
Solver::solve (int times)
{
  std::vector<std::complex<double>> sums;
  loops_ = 0;
  initial_values ();
  transform (start_, -1);
  for (int time = 1; time <= times; time++)
    {
      evolve (time);
      transform (now_, 1);
      sums.push_back (checksum ());
    }
  return sums;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p = BENCH_PROBLEM ("ft", "SWAB", nullptr, app_damage_option);
  const int threads = bench_threads ();
  Solver solver (*p);
  // NPB's untimed run, which touches all memory.
  solver.solve (1);

  const double start = bench_seconds ();
  auto sums = solver.solve (static_cast<int> (p->checksums.size ()));
  const double seconds = bench_seconds () - start;

  if (app_damage)
    sums.back () *= 1 + 1e-11;
  double worst = 0;
  bool verified = true;
  for (std::size_t t = 0; t < sums.size (); t++)
    {
      const double error
	= std::abs (sums[t] - p->checksums[t]) / std::abs (p->checksums[t]);
      // Written so that a NaN fails.
      verified = verified && error <= tolerance;
      worst = std::max (worst, error);
    }
  return bench_finish ("ft", p->klass, seconds, verified, threads,
		       solver.loops (),
		       "\"error\":%.2e,\"nx\":%d,\"ny\":%d,\"nz\":%d", worst,
		       p->nx, p->ny, p->nz);
}
