#include "simulate/march/crossing.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {
namespace {

constexpr double near_part = 0.5;    // of the largest pivot so far: from here stages are projected
constexpr double good_part = 0.25;   // a knot to come back to
constexpr double beside_part = 0.2;  // of the pivot at the step's start: the end is too close to be a knot
constexpr double stuck_part = 1e-5;  // of the step there: shorter ones get nowhere
// Steps over the instant fail by rounding where a rocker has no mass: of 200 motions of such a linkage 21 got
// stuck with 8 returns, 12 with 16, 4 with 32, 2 with 64.
constexpr int most_returns = 64;
constexpr double shortest_part = 0.28;  // of the step at the good knot, after the last return

}  // namespace

Crossing::Crossing(Course& course) : course_(course), ahead_(course.system().size()), bend_(course.system().q_count()) {
  good_.y.resize(ahead_.size());
  good_.slope.resize(ahead_.size());
}

void Crossing::begin() {
  begin_rows();
  good_.known = false;
}

void Crossing::begin_before(double h) {
  begin();
  pivot_ = end_pivot_ = course_.pivot_ahead(course_.t(), course_.state().data());
  set_reference(pivot_ / good_part);
  falls_ = true;
  note_good(h);
}

/// The knot is one to come back to.
void Crossing::note_good(double h) {
  good_.known = true;
  good_.t = course_.t();
  good_.h = h;
  good_.pivot = pivot_;
  std::copy(course_.state().begin(), course_.state().end(), good_.y.begin());
  std::copy(course_.slope().begin(), course_.slope().end(), good_.slope.begin());
  const auto choice = course_.evaluator().choice();
  good_.choice.assign(choice.begin(), choice.end());
}

void Crossing::begin_rows() {
  pivot_ = end_pivot_ = course_.pivot();
  set_reference(pivot_);
}

void Crossing::set_reference(double pivot) {
  reference_ = pivot;
  course_.set_best_pivot(pivot);
}

bool Crossing::is_near() const { return course_.may_lose_rank() && pivot_ < near_part * reference_; }

bool Crossing::ends_beside() const {
  return course_.may_lose_rank() && end_pivot_ < beside_part * std::min(pivot_, reference_);
}

/// The smallest pivot at the state extrapolated by x with velocity and acceleration.
double Crossing::pivot_ahead(double x) {
  ++looks_;
  const auto y = course_.state(), k = course_.slope();
  const std::size_t q = course_.system().q_count(), u = course_.system().u_count();
  std::copy(y.begin(), y.end(), ahead_.begin());
  for (std::size_t i = 0; i < q; ++i) ahead_[i] += x * (k[i] + x / 2 * bend_[i]);
  for (std::size_t i = 0; i < u; ++i) ahead_[q + i] += x * k[q + i];
  return course_.pivot_ahead(course_.t() + x, ahead_.data());
}

/// q'' at the knot; of quasi-velocities by how the rates change on a short part of the step.
void Crossing::find_bend(double h) {
  constexpr double part = 1e-4;
  const auto y = course_.state(), k = course_.slope();
  const std::size_t q = course_.system().q_count(), u = course_.system().u_count();
  if (!course_.system().is_quasi()) {
    std::fill(bend_.begin(), bend_.end(), 0.0);
    if (q == u) std::copy_n(k.begin() + static_cast<std::ptrdiff_t>(q), q, bend_.begin());
    return;
  }
  for (std::size_t i = 0; i < q + u; ++i) ahead_[i] = y[i] + part * h * k[i];
  course_.evaluator().evaluate_rates(course_.t() + part * h, ahead_.data(), bend_.data());
  for (std::size_t i = 0; i < q; ++i) bend_[i] = (bend_[i] - k[i]) / (part * h);
}

/// How far ahead the pivot vanishes, if it does within twice the step.
std::optional<double> Crossing::distance(double h) {
  constexpr int samples = 24;
  const double spacing = 2 * h / samples;
  find_bend(h);
  double best = pivot_;
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
  if (std::min(p1, p2) > 0.1 * pivot_) return std::nullopt;
  return (a + b) / 2;
}

double Crossing::plan(double h) {
  crosses_ = false;
  if (!is_near() || !falls_) return h;
  const std::optional<double> far = distance(h);
  if (!far || *far > 1.25 * h) return h;
  const auto [from, to] = course_.method().largest_gap();
  const double centre = (from + to) / 2;
  if (*far <= centre * h) {
    crosses_ = true;
    return *far / centre;
  }
  return *far - 0.8 * centre * h;
}

void Crossing::watch(double h) {
  if (!course_.may_lose_rank()) return;
  falls_ = end_pivot_ < pivot_;
  pivot_ = end_pivot_;
  if (course_.selection()->dropped().empty()) set_reference(std::max(reference_, pivot_));
  if (pivot_ < good_part * reference_) return;
  note_good(h);
  if (pivot_ > near_part * reference_) returns_ = 0;
}

std::optional<double> Crossing::go_back(double h) {
  if (!is_near() || !good_.known || returns_ >= most_returns) return std::nullopt;
  // A step over the instant that fails from a poor knot fails by its noise, and nearer there is more of it.
  const bool is_noise = crosses_ && pivot_ < good_part * reference_;
  if (!is_noise && !(h < stuck_part * good_.h)) return std::nullopt;
  ++returns_;
  course_.go_back(good_.t, good_.y, good_.slope, good_.choice);
  pivot_ = good_.pivot;
  falls_ = true;
  return good_.h * (1 - (1 - shortest_part) * returns_ / most_returns);
}

}  // namespace dalembert
