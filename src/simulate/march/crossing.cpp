// Through configurations where the constraints lose rank for an instant (numerics 3). On its branch the motion is
// smooth there; only states off it, and the very instant, cannot be evaluated. So the instant is predicted and put into
// the largest gap between the stages of one step, whose stages are projected; where that fails, the march goes back to
// the last knot that was well conditioned and comes again with other steps.

#include <algorithm>
#include <cmath>

#include "simulate/run.hpp"

namespace dalembert {
namespace {

constexpr double gap_centre = 0.4667;  // between the stages at 1/3 and 3/5
constexpr double near_part = 0.5;      // of the largest pivot so far: from here stages are projected
constexpr double good_part = 0.25;     // a knot to come back to
constexpr int most_returns = 8;

}  // namespace

bool Run::is_near_singular() const { return !numeric_.active_rows().empty() && pivot_ < near_part * reference_pivot_; }

/// The smallest pivot at the state extrapolated by x with velocity and acceleration.
double Run::pivot_ahead(double x) {
  const auto y = method_.start(), k = method_.start_derivative();
  const std::size_t q = numeric_.q_count(), u = numeric_.u_count();
  std::vector<double>& ahead = inside_;
  ahead.assign(y.begin(), y.end());
  for (std::size_t i = 0; i < q; ++i) ahead[i] += x * k[i] + (q == u ? x * x / 2 * k[q + i] : 0);
  for (std::size_t i = 0; i < u; ++i) ahead[q + i] += x * k[q + i];
  return numeric_.factor(t_ + x, ahead.data()) ? numeric_.metric().smallest_pivot() : 0;
}

/// How far ahead the pivot vanishes, if it does within twice the step.
std::optional<double> Run::distance_to_singular(double h) {
  constexpr int samples = 24;
  const double now = pivot_, spacing = 2 * h / samples;
  double best = now;
  int at = 0;
  for (int k = 1; k <= samples; ++k) {
    const double pivot = pivot_ahead(k * spacing);
    if (pivot < best) {
      best = pivot;
      at = k;
    }
  }
  if (at == 0 || at == samples) return std::nullopt;
  constexpr double golden = 0.6180339887498949;
  double a = (at - 1) * spacing, b = (at + 1) * spacing;
  double x1 = b - golden * (b - a), x2 = a + golden * (b - a);
  double p1 = pivot_ahead(x1), p2 = pivot_ahead(x2);
  for (int k = 0; k < 24; ++k) {
    if (p1 < p2) {
      b = x2;
      x2 = x1;
      p2 = p1;
      p1 = pivot_ahead(x1 = b - golden * (b - a));
    } else {
      a = x1;
      x1 = x2;
      p1 = p2;
      p2 = pivot_ahead(x2 = a + golden * (b - a));
    }
  }
  if (std::min(p1, p2) > 0.1 * now) return std::nullopt;
  return (a + b) / 2;
}

/// The step to take where the controller allows `h`.
double Run::plan_step(double h) {
  crosses_ = false;
  if (!is_near_singular() || !pivot_falls_) return h;
  const std::optional<double> distance = distance_to_singular(h);
  if (!distance || *distance > 1.25 * h) return h;
  if (*distance <= gap_centre * h) {
    crosses_ = true;
    return *distance / gap_centre;
  }
  return *distance - 0.8 * gap_centre * h;
}

/// Books the pivot of the knot just reached.
void Run::watch_pivot() {
  if (numeric_.active_rows().empty()) return;
  pivot_falls_ = knot_pivot_ < pivot_;
  pivot_ = knot_pivot_;
  if (rank_.dropped.empty()) reference_pivot_ = std::max(reference_pivot_, pivot_);
  if (pivot_ < good_part * reference_pivot_) return;
  good_.t = t_;
  good_.h = h_;
  good_.y.assign(method_.start().begin(), method_.start().end());
  good_.k.assign(method_.start_derivative().begin(), method_.start_derivative().end());
  good_.pivot = pivot_;
  if (pivot_ > near_part * reference_pivot_) returns_ = 0;
}

/// Stuck near a singular configuration: back to the last good knot, a little otherwise. False if that was tried enough.
bool Run::return_to_good_knot() {
  if (!is_near_singular() || good_.y.empty() || returns_ >= most_returns) return false;
  if (!(h_ < 1e-5 * good_.h)) return false;
  ++returns_;
  t_ = good_.t;
  h_ = good_.h * (1 - 0.09 * returns_);
  std::copy(good_.y.begin(), good_.y.end(), method_.start().begin());
  std::copy(good_.k.begin(), good_.k.end(), method_.start_derivative().begin());
  pivot_ = good_.pivot;
  pivot_falls_ = true;
  return true;
}

/// Do the constraints that depend on others here stop doing so nearby? Then this is no redundancy but a singular
/// configuration.
bool is_singular_start(Numeric& numeric, double t, const std::vector<double>& start, const RankDecision& rank,
                       std::span<const double> sizes) {
  constexpr double small = 1e-4;
  if (rank.dropped.empty()) return false;
  std::vector<double> y = start, change(numeric.u_count()), along(numeric.all_row_count(), 0.0), dq(numeric.q_count());
  for (std::size_t i = 0; i < change.size(); ++i) {
    change[i] = small * (i < sizes.size() ? sizes[i] : 1) * std::sin(1.0 + 1.7 * static_cast<double>(i));
  }
  numeric.factor(t, y.data());
  std::size_t k = 0;
  for (std::size_t r = 0; r < numeric.all_row_count(); ++r) {
    for (const Entry& entry : numeric.row(r).jacobian) {
      along[r] += numeric.jacobian()[k++] * change[entry.column];
    }
  }
  std::vector<double> tangent(numeric.u_count());
  numeric.metric().correct(along.data(), tangent.data());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] += tangent[i];
  numeric.displacement(y.data(), change.data(), dq.data());
  for (std::size_t i = 0; i < dq.size(); ++i) y[i] += dq[i];
  bool singular = false;
  if (numeric.factor(t, y.data()) && numeric.project(t, y.data(), sizes).ok) {
    singular = decide_rank(numeric, t, y.data()).kept.size() > rank.kept.size();
  }
  numeric.metric().select(rank.kept);
  numeric.factor(t, start.data());
  return singular;
}

}  // namespace dalembert
