// Back onto the constraints after a step: Newton in the kinetic metric with the factor at hand (numerics 1).

#include <algorithm>
#include <cmath>

#include "simulate/numeric.hpp"

namespace dalembert {
namespace {

constexpr double rounding = 1e-15;  // a change of this part of a coordinate's size is no change
constexpr double settled = 1e-9;    // from here one more Newton step leaves nothing but rounding
constexpr double slow = 0.3;        // a contraction worse than this wants a fresh factor
constexpr double stalled = 1e-10;   // below it, no more progress means rounding (sizes may be floors)
constexpr int most_iterations = 20;

double relative_size(std::span<const double> change, std::span<const double> sizes) {
  double largest = 0;
  for (std::size_t i = 0; i < change.size(); ++i) {
    if (change[i] == 0) continue;
    largest = std::max(largest, sizes[i] > 0 ? std::abs(change[i]) / sizes[i] : 1.0);
    if (!std::isfinite(change[i])) return change[i];
  }
  return largest;
}

}  // namespace

void Numeric::displacement(const double* y, const double* du, double* dq) {
  if (rates_are_velocities_) {
    std::copy_n(du, q_count(), dq);
    return;
  }
  set_inputs(inputs_[0], y);
  rates_(inputs_.data(), rates_values_.data());
  std::fill_n(dq, q_count(), 0.0);
  for (std::size_t k = 0; k < kinematics_.size(); ++k) {
    dq[kinematics_[k].first] += rates_values_[q_count() + k] * du[kinematics_[k].second];
  }
}

bool Numeric::project_q(double t, double* y, std::span<const double> sizes, double& moved) {
  double last = 1e300;
  bool fresh = true;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    set_inputs(t, y);
    constraints_(inputs_.data(), residuals_.data());
    metric_.correct(residuals_.data(), change_u_.data());
    displacement(y, change_u_.data(), change_q_.data());
    const double size = relative_size(change_q_, sizes.first(q_count()));
    if (!std::isfinite(size)) return false;
    if (size <= rounding) return true;
    if (size > slow * last) {
      if (last < stalled) return true;
      if (fresh || !factor(t, y) || metric_.smallest_pivot() == 0) return false;
      fresh = true;
      continue;
    }
    for (std::size_t i = 0; i < q_count(); ++i) y[i] += change_q_[i];
    moved += size;
    if (fresh && size < settled) return true;
    last = size;
    fresh = false;
  }
  return false;
}

bool Numeric::project_u(double t, double* y, std::span<const double> sizes, double& moved) {
  double last = 1e300;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    set_inputs(t, y);
    constraints_(inputs_.data(), residuals_.data());
    metric_.correct(residuals_.data() + all_row_count(), change_u_.data());
    const double size = relative_size(change_u_, sizes.subspan(q_count(), u_count()));
    if (!std::isfinite(size)) return false;
    if (size <= rounding) return true;
    if (size > slow * last) {
      if (last < stalled) return true;
      if (iteration > 3 || !factor(t, y) || metric_.smallest_pivot() == 0) return false;
      continue;
    }
    for (std::size_t i = 0; i < u_count(); ++i) y[q_count() + i] += change_u_[i];
    moved += size;
    if (size < settled) return true;  // linear in u: what is left is the factor's age times this
    last = size;
  }
  return false;
}

Projection Numeric::project(double t, double* y, std::span<const double> sizes) {
  Projection result;
  if (!held_.empty() && !held_.project(t, y, sizes.first(q_count()), result.moved)) return result;
  if (active_.empty()) return {true, result.moved};
  if (metric_.smallest_pivot() == 0) return result;
  result.ok = project_q(t, y, sizes, result.moved) &&
              (held_.empty() || held_.project(t, y, sizes.first(q_count()), result.moved)) &&
              project_u(t, y, sizes, result.moved);
  return result;
}

}  // namespace dalembert
