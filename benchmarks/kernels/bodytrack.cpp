// SPDX-License-Identifier: GPL-3.0-or-later
// A particle filter that follows a walking body through the images of four
// cameras, on the theme of PARSEC's bodytrack, written from Deutscher and Reid
// (Articulated body motion capture by stochastic search, International Journal
// of Computer Vision 61, 2005): an annealed filter, whose layers weigh the
// particles by how well the body's limbs lie within the silhouettes and along
// the edges that the cameras see, first loosely, then ever more strictly.
//
// For each frame and camera there are four loops over the rows or columns of
// the image; for each layer one over the particles that weighs them and one
// that draws and scatters them.  Random numbers belong to a particle: all
// particles and estimates are compared bit for bit with a serial run, and the
// estimates must be close to the body.

#include "common/app.h"
#include "common/each.h"
#include "common/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace
{

struct Problem
{
  char klass;
  int frames;
  int particles;
  int width, height; // of an image
};

constexpr Problem problems[] = {
  { 'S', 2, 300, 160, 120 },
  { 'W', 4, 1000, 240, 180 },
  { 'A', 10, 2400, 320, 240 },
  { 'B', 30, 6000, 480, 360 },
};

constexpr int cameras = 4;
constexpr int layers = 5;
constexpr double survival = 0.5; // of particles, from layer to layer
// By how many metres the joints may be off on average, over all frames.
constexpr double tolerance = 0.15;

struct Vector
{
  double x, y, z;
};

Vector
operator+ (Vector a, Vector b)
{
  return { a.x + b.x, a.y + b.y, a.z + b.z };
}

Vector
operator- (Vector a, Vector b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

Vector
operator* (double s, Vector a)
{
  return { s * a.x, s * a.y, s * a.z };
}

// What a pose consists of: metres and radians.
enum
{
  X, Y, Z, YAW, LEAN, HIP_L, HIP_R, KNEE_L, KNEE_R, SHOULDER_L, SHOULDER_R,
  SPREAD_L, SPREAD_R, ELBOW_L, ELBOW_R, ANGLES
};

using Pose = std::array<double, ANGLES>;

// How far each may move in a frame.
constexpr Pose scatter
  = { 0.05, 0.05, 0.02, 0.08, 0.04, 0.15, 0.15, 0.15, 0.15, 0.15, 0.15, 0.05,
      0.05, 0.12, 0.12 };

// A limb: a cylinder with round ends.
struct Limb
{
  Vector a, b;
  double radius;
};

constexpr int limbs = 10;
using Body = std::array<Limb, limbs>;

Body
make_body (const Pose &p)
{
  const double c = std::cos (p[YAW]), s = std::sin (p[YAW]);
  // Forward and to the left, as the body sees it; up is z.
  const Vector forward{ c, s, 0 }, left{ -s, c, 0 }, up{ 0, 0, 1 };
  const Vector root{ p[X], p[Y], p[Z] };
  const auto swing = [&] (double angle) {
    return std::sin (angle) * forward - std::cos (angle) * up;
  };
  const Vector spine = std::sin (p[LEAN]) * forward + std::cos (p[LEAN]) * up;
  const Vector neck = root + 0.50 * spine;
  Body body;
  body[0] = { root, neck, 0.15 };
  body[1] = { neck + 0.12 * spine, neck + 0.24 * spine, 0.09 };
  for (int side = 0; side < 2; side++)
    {
      const double out = side ? -1 : 1;
      const Vector shoulder = neck + (0.20 * out) * left;
      const double spread = p[SPREAD_L + side];
      const auto arm = [&] (double angle) {
	return std::cos (spread) * swing (angle)
	       + (out * std::sin (spread)) * left;
      };
      const Vector elbow = shoulder + 0.30 * arm (p[SHOULDER_L + side]);
      const Vector hand
	= elbow + 0.28 * arm (p[SHOULDER_L + side] + p[ELBOW_L + side]);
      body[2 + side] = { shoulder, elbow, 0.05 };
      body[4 + side] = { elbow, hand, 0.04 };
      const Vector hip = root + (0.10 * out) * left;
      const Vector knee = hip + 0.45 * swing (p[HIP_L + side]);
      const Vector foot
	= knee + 0.45 * swing (p[HIP_L + side] - p[KNEE_L + side]);
      body[6 + side] = { hip, knee, 0.08 };
      body[8 + side] = { knee, foot, 0.06 };
    }
  return body;
}

// A body that walks, as of FRAME.
Pose
true_pose (int frame)
{
  const double step
    = 0.35 * frame + 6 * random_fraction (random_at (app_seed, 0));
  const double turn = 0.03 * frame;
  Pose p{};
  p[X] = -0.3 + 0.05 * frame * std::cos (turn);
  p[Y] = 0.05 * frame * std::sin (turn) - 0.1;
  p[Z] = 0.95 + 0.02 * std::cos (2 * step);
  p[YAW] = turn;
  p[LEAN] = 0.06;
  for (int side = 0; side < 2; side++)
    {
      const double phase = std::sin (side ? -step : step);
      p[HIP_L + side] = 0.45 * phase;
      p[KNEE_L + side] = 0.35 + 0.3 * std::cos (side ? -step : step);
      p[SHOULDER_L + side] = -0.4 * phase;
      p[SPREAD_L + side] = 0.15;
      p[ELBOW_L + side] = 0.4;
    }
  return p;
}

struct Pixel
{
  double x, y;
};

// On a circle of four metres around the middle, at the height of the hip.
class Camera
{
public:
  Camera (int number, int width, int height)
    : cos_ (std::cos (angle (number))), sin_ (std::sin (angle (number))),
      focus_ (1.4 * height), x_ (0.5 * width), y_ (0.5 * height)
  {
  }

  // SCALE: pixels a metre there.
  Pixel
  see (Vector v, double &scale) const
  {
    const double depth = 4 - (cos_ * v.x + sin_ * v.y);
    scale = focus_ / std::max (depth, 0.5);
    return { x_ + scale * (cos_ * v.y - sin_ * v.x), y_ - scale * (v.z - 1) };
  }

private:
  static double
  angle (int number)
  {
    return 0.4 + 2 * 3.14159265358979323846 * number / cameras;
  }

  double cos_, sin_, focus_, x_, y_;
};

template <typename T> class Image
{
public:
  Image (int width, int height)
    : width (width), height (height),
      pixel_ (static_cast<std::size_t> (width) * height)
  {
  }
  T &at (long x, long y) { return pixel_[y * width + x]; }
  const T &at (long x, long y) const { return pixel_[y * width + x]; }
  // What is next to the border goes on beyond it.
  T
  near (long x, long y) const
  {
    return at (std::clamp (x, 0L, width - 1L), std::clamp (y, 0L, height - 1L));
  }
  // Beyond the border there is nothing.
  T
  around (Pixel p) const
  {
    const double x = p.x + 0.5, y = p.y + 0.5;
    return x >= 0 && x < width && y >= 0 && y < height
	   ? at (static_cast<long> (x), static_cast<long> (y))
	   : T{};
  }
  const int width, height;

private:
  std::vector<T> pixel_;
};

using Picture = Image<std::uint8_t>;

// What CAMERA sees of BODY before a dark wall: each limb in a grey of its own,
// under noise.
Picture
take_picture (const Body &body, const Camera &camera, std::uint64_t noise,
	      int width, int height)
{
  Picture picture (width, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      picture.at (x, y)
	= static_cast<std::uint8_t> (40 * random_fraction (random_at (
	  app_seed, (noise << 32) + static_cast<unsigned> (y * width + x))));
  for (int k = 0; k < limbs; k++)
    {
      double scale_a, scale_b;
      const Pixel a = camera.see (body[k].a, scale_a),
		  b = camera.see (body[k].b, scale_b);
      const double dx = b.x - a.x, dy = b.y - a.y;
      const double square = std::max (dx * dx + dy * dy, 1e-9);
      const double widest = body[k].radius * std::max (scale_a, scale_b);
      const auto within = [&] (double at, int most) {
	return std::clamp (std::lround (at), 0L, static_cast<long> (most));
      };
      const long top = within (std::min (a.y, b.y) - widest, height);
      const long end = within (std::max (a.y, b.y) + widest + 1, height);
      const long from = within (std::min (a.x, b.x) - widest, width);
      const long to = within (std::max (a.x, b.x) + widest + 1, width);
      for (long y = top; y < end; y++)
	for (long x = from; x < to; x++)
	  {
	    const double t = std::clamp (
	      ((static_cast<double> (x) - a.x) * dx
	       + (static_cast<double> (y) - a.y) * dy) / square, 0.0, 1.0);
	    const double far = std::hypot (static_cast<double> (x) - a.x - t * dx,
					   static_cast<double> (y) - a.y - t * dy);
	    if (far <= body[k].radius * (scale_a + t * (scale_b - scale_a)))
	      picture.at (x, y)
		= static_cast<std::uint8_t> (picture.at (x, y) + 100 + 10 * k);
	  }
    }
  return picture;
}

// What the filter makes of a picture: 1 within the silhouette, and how close an
// edge of it is.
struct View
{
  View (int width, int height)
    : inside (width, height), edge (width, height), scratch (width, height)
  {
  }

  void
  look (const Picture &picture, bool parallel)
  {
    const int width = picture.width, height = picture.height;
    each (parallel, height, [&] (long y) {
      for (int x = 0; x < width; x++)
	inside.at (x, y) = picture.at (x, y) >= 70 ? 1.0f : 0.0f;
    });
    each (parallel, height, [&] (long y) {
      for (int x = 0; x < width; x++)
	{
	  const float here = inside.at (x, y);
	  edge.at (x, y) = here > 0
			       && (inside.near (x - 1, y) < here
				   || inside.near (x + 1, y) < here
				   || inside.near (x, y - 1) < here
				   || inside.near (x, y + 1) < here)
			     ? 1.0f
			     : 0.0f;
	}
    });
    // A Gaussian of 1.5 pixels, along rows and then along columns, scaled so
    // that a straight edge has about 1.
    static constexpr float gauss[]
      = { 1.0f, 0.8007f, 0.4111f, 0.1353f, 0.0286f };
    each (parallel, height, [&] (long y) {
      for (int x = 0; x < width; x++)
	{
	  float sum = gauss[0] * edge.at (x, y);
	  for (int k = 1; k < 5; k++)
	    sum += gauss[k] * (edge.near (x - k, y) + edge.near (x + k, y));
	  scratch.at (x, y) = sum;
	}
    });
    each (parallel, width, [&] (long x) {
      for (int y = 0; y < height; y++)
	{
	  float sum = gauss[0] * scratch.at (x, y);
	  for (int k = 1; k < 5; k++)
	    sum += gauss[k]
		   * (scratch.near (x, y - k) + scratch.near (x, y + k));
	  edge.at (x, y) = std::min (sum / 3.75f, 1.0f);
	}
    });
  }

  Image<float> inside, edge, scratch;
};

// How badly POSE agrees with what the cameras see: 0 to 2.
double
disagreement (const Pose &pose, const std::vector<Camera> &camera,
	      const std::vector<View> &view)
{
  constexpr int along = 12;
  constexpr double across[] = { -0.7, -0.35, 0, 0.35, 0.7 };
  const Body body = make_body (pose);
  double off_edge = 0, outside = 0;
  long edges = 0, insides = 0;
  for (int c = 0; c < cameras; c++)
    for (const Limb &limb : body)
      {
	double scale_a, scale_b;
	const Pixel a = camera[c].see (limb.a, scale_a),
		    b = camera[c].see (limb.b, scale_b);
	const double dx = b.x - a.x, dy = b.y - a.y;
	const double length = std::hypot (dx, dy);
	// A limb that points at the camera has no sides.
	if (length < 2)
	  continue;
	for (int k = 0; k <= along; k++)
	  {
	    const double t = static_cast<double> (k) / along;
	    const double radius
	      = limb.radius * (scale_a + t * (scale_b - scale_a));
	    const Pixel m{ a.x + t * dx, a.y + t * dy };
	    const Pixel out{ -dy / length * radius, dx / length * radius };
	    const auto beside = [&] (double by) {
	      return Pixel{ m.x + by * out.x, m.y + by * out.y };
	    };
	    for (const double by : { -1.0, 1.0 })
	      {
		const double e = 1 - view[c].edge.around (beside (by));
		off_edge += e * e;
		edges++;
	      }
	    for (const double by : across)
	      {
		outside += 1 - view[c].inside.around (beside (by));
		insides++;
	      }
	  }
      }
  return off_edge / static_cast<double> (std::max (edges, 1L))
	 + outside / static_cast<double> (std::max (insides, 1L));
}

class Filter
{
public:
  Filter (const Problem &p, bool parallel)
    : parallel_ (parallel), n_ (p.particles),
      views_ (2, std::vector<View> (cameras, View (p.width, p.height))),
      particle_ (n_, true_pose (0)),
      next_ (n_), error_ (n_), weight_ (n_)
  {
    for (int c = 0; c < cameras; c++)
      camera_.emplace_back (c, p.width, p.height);
  }

  // The estimate of the pose.
  Pose
  step (int frame, const std::vector<Picture> &picture)
  {
    for (int c = 0; c < cameras; c++)
      views_[0][c].look (picture[c], parallel_);
    spread_out (frame, 0);
    Pose mean{};
    for (int layer = 1; layer <= layers; layer++)
      {
	each (parallel_, n_, [&] (long i) {
	  error_[i] = disagreement (particle_[i], camera_, views_[0]);
	});
	settle (frame, layer, mean);
	spread_out (frame, layer);
      }
    return mean;
  }

#ifdef TASKS
  // The same as tasks, to be waited for: a camera's picture is a task, as are
  // blocks of particles, and what lies between two loops over these.  So the
  // pictures of a frame are looked at while the frame before is weighed.
  void
  step_tasks (int frame, const std::vector<Picture> &picture, Pose &mean)
  {
    const int half = frame % 2;
    char *const seen = &seen_[half * cameras], *const phase = &phase_;
    for (int c = 0; c < cameras; c++)
      {
	View *const view = &views_[half][c];
	const Picture *const from = &picture[c];
#pragma omp task firstprivate (view, from) depend (out : *(seen + c))
	view->look (*from, false);
      }
    spread_tasks (frame, 0);
    const long tasks = app_tasks (n_);
    for (int layer = 1; layer <= layers; layer++)
      {
	for (long k = 0; k < tasks; k++)
	  {
	    static_assert (cameras == 4, "each camera's picture is waited for");
#pragma omp task firstprivate (k, half) depend (in : *phase) \
  depend (in : *seen, *(seen + 1), *(seen + 2), *(seen + 3))
	    for (long i = app_task_begin (n_, tasks, k);
		 i < app_task_begin (n_, tasks, k + 1); i++)
	      error_[i] = disagreement (particle_[i], camera_, views_[half]);
	  }
	Pose *const to = &mean;
#pragma omp task firstprivate (frame, layer, to) depend (inout : *phase)
	settle (frame, layer, *to);
	spread_tasks (frame, layer);
      }
    each_loops += 4 * cameras + 2 * layers + 1;
  }
#endif

  const std::vector<Pose> &particles () const { return particle_; }

private:
  // What follows the weighing of LAYER; MEAN grows by the last layer's.
  void
  settle (int frame, int layer, Pose &mean)
  {
    weigh ();
    if (layer == layers)
      for (long i = 0; i < n_; i++)
	for (int a = 0; a < ANGLES; a++)
	  mean[a] += weight_[i] * particle_[i][a];
    choose (random_fraction (
      random_at (app_seed + 7, frame * (layers + 1) + layer)));
  }

  // By how much particles are scattered; not at all after the last layer.
  static double
  spread_of (int layer)
  {
    double spread = 1;
    for (int k = 0; k < layer; k++)
      spread *= 0.6;
    return layer < layers ? spread : 0;
  }

  // Particle I becomes what was chosen for it, scattered.
  void
  spread_one (long i, int frame, int layer, double spread)
  {
    const Pose &from = particle_[layer == 0 ? i : chosen_[i]];
    const std::uint64_t index
      = (static_cast<std::uint64_t> (frame) * (layers + 1) + layer) * n_ + i;
    for (int a = 0; a < ANGLES; a++)
      next_[i][a] = spread > 0 ? from[a]
				   + spread * scatter[a]
				       * random_normal_at (~app_seed, index * ANGLES + a)
			       : from[a];
  }

  void
  spread_out (int frame, int layer)
  {
    const double spread = spread_of (layer);
    each (parallel_, n_,
	  [&] (long i) { spread_one (i, frame, layer, spread); });
    particle_.swap (next_);
  }

#ifdef TASKS
  void
  spread_tasks (int frame, int layer)
  {
    const double spread = spread_of (layer);
    const long tasks = app_tasks (n_);
    char *const phase = &phase_;
    for (long k = 0; k < tasks; k++)
      {
#pragma omp task firstprivate (k, frame, layer, spread) depend (in : *phase)
	for (long i = app_task_begin (n_, tasks, k);
	     i < app_task_begin (n_, tasks, k + 1); i++)
	  spread_one (i, frame, layer, spread);
      }
#pragma omp task depend (inout : *phase)
    particle_.swap (next_);
  }
#endif

  // Weights exp (-beta error), beta so that the survival rate comes out.
  void
  weigh ()
  {
    const double best = *std::min_element (error_.begin (), error_.end ());
    double low = 0, high = 1e4;
    for (int k = 0; k < 18; k++)
      {
	const double beta = (low + high) / 2;
	double sum = 0, squares = 0;
	for (const double e : error_)
	  {
	    const double w = std::exp (-beta * (e - best));
	    sum += w;
	    squares += w * w;
	  }
	(sum * sum > survival * static_cast<double> (n_) * squares ? low : high)
	  = beta;
      }
    double sum = 0;
    for (long i = 0; i < n_; i++)
      sum += weight_[i] = std::exp (-low * (error_[i] - best));
    for (double &w : weight_)
      w /= sum;
  }

  // Systematic resampling.
  void
  choose (double u)
  {
    chosen_.resize (n_);
    double sum = weight_[0];
    for (long i = 0, k = 0; i < n_; i++)
      {
	while (k < n_ - 1
	       && sum < (u + static_cast<double> (i)) / static_cast<double> (n_))
	  sum += weight_[++k];
	chosen_[i] = k;
      }
  }

  const bool parallel_;
  const long n_;
  std::vector<Camera> camera_;
  // As tasks, of the odd and the even frames.
  std::vector<std::vector<View>> views_;
#ifdef TASKS
  char seen_[2 * cameras] = {}, phase_ = 0; // what dependences name
#endif
  std::vector<Pose> particle_, next_;
  std::vector<double> error_, weight_;
  std::vector<long> chosen_;
};

// How far the limbs' ends are apart on average.
double
apart (const Pose &p, const Pose &q)
{
  const Body a = make_body (p), b = make_body (q);
  double sum = 0;
  for (int k = 0; k < limbs; k++)
    for (const Vector d : { a[k].a - b[k].a, a[k].b - b[k].b })
      sum += std::sqrt (d.x * d.x + d.y * d.y + d.z * d.z);
  return sum / (2 * limbs);
}

bool
same (const Pose &p, const Pose &q)
{
  return std::memcmp (p.data (), q.data (), sizeof p) == 0;
}

} // namespace

int
main (int argc, char **argv)
{
  const Problem *p = BENCH_PROBLEM ("bodytrack", "SWAB", app_seed_help,
				    app_seed_option);
  std::vector<std::vector<Picture>> film (p->frames + 1);
  for (int f = 1; f <= p->frames; f++)
    for (int c = 0; c < cameras; c++)
      film[f].push_back (
	take_picture (make_body (true_pose (f)),
		      Camera (c, p->width, p->height),
		      static_cast<std::uint64_t> (f) * cameras + c + 1,
		      p->width, p->height));
  const int threads = bench_threads ();

#ifdef TASKS
  const auto track_tasks = [&] (Filter &filter) {
    std::vector<Pose> estimate (p->frames, Pose{});
#pragma omp parallel
#pragma omp single
    for (int f = 1; f <= p->frames; f++)
      filter.step_tasks (f, film[f], estimate[f - 1]);
    return estimate;
  };
#endif
  const auto track = [&] (Filter &filter) {
    std::vector<Pose> estimate;
    for (int f = 1; f <= p->frames; f++)
      estimate.push_back (filter.step (f, film[f]));
    return estimate;
  };
  Filter filter (*p, true), serial (*p, false);
  const double start = bench_seconds ();
#ifdef TASKS
  auto estimate = track_tasks (filter);
#else
  auto estimate = track (filter);
#endif
  const double seconds = bench_seconds () - start;

  const auto right = track (serial);
  if (app_damage)
    estimate[0][YAW] = std::nextafter (estimate[0][YAW], 9.0);
  long wrong = 0;
  double off = 0;
  for (int f = 0; f < p->frames; f++)
    {
      wrong += !same (estimate[f], right[f]);
      off += apart (right[f], true_pose (f + 1)) / p->frames;
    }
  for (long i = 0; i < p->particles; i++)
    wrong += !same (filter.particles ()[i], serial.particles ()[i]);
  return bench_finish ("bodytrack", p->klass, seconds,
		       wrong == 0 && off <= tolerance, threads, each_loops,
		       "\"seed\":%llu,\"wrong\":%ld,\"frames\":%d,\"particles\":%d,"
		       "\"off\":%.4f",
		       static_cast<unsigned long long> (app_seed), wrong,
		       p->frames, p->particles, off);
}
