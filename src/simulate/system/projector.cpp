#include "simulate/system/projector.hpp"

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"

namespace dalembert {
namespace {

constexpr double slow = 0.3;  // a contraction worse than this wants a fresh factor
constexpr int most_projections = 20;

double relative_size(std::span<const double> change, std::span<const double> magnitudes) {
  double largest = 0;
  for (std::size_t i = 0; i < change.size(); ++i) {
    if (change[i] == 0) continue;
    largest = std::max(largest, magnitudes[i] > 0 ? std::abs(change[i]) / magnitudes[i] : 1.0);
    if (!std::isfinite(change[i])) return change[i];
  }
  return largest;
}

}  // namespace

Projector::Projector(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection)
    : evaluator_(evaluator),
      at_(evaluator.system()),
      factor_(std::move(selection)),
      positions_(evaluator),
      position_(evaluator.system().all_row_count()),
      velocity_(evaluator.system().all_row_count()),
      change_u_(evaluator.system().u_count()),
      change_q_(evaluator.system().q_count()) {}

bool Projector::factor(double t, const double* y, std::span<const double> reference) {
  return evaluator_.evaluate(t, y, at_) && factor_.factor(at_.mass().data(), at_.jacobian().data(), reference);
}

void Projector::evaluate_residuals(double t, const double* y) {
  if (!is_current_) evaluator_.evaluate_constraints(t, y, position_.data(), velocity_.data());
  is_current_ = true;
}

/// Whether a kept row is off by its position: those on velocities alone never are.
bool Projector::has_kept_position() const {
  return std::ranges::any_of(factor_.selection().kept(), [this](Index r) { return position_[r] != 0; });
}

bool Projector::project_q(double t, double* y, std::span<const double> magnitudes, double& moved) {
  const std::size_t q = change_q_.size();
  double last = 1e300;
  bool fresh = true;
  for (int iteration = 0; iteration < most_projections; ++iteration) {
    evaluate_residuals(t, y);
    if (!has_kept_position()) return true;
    factor_.correct(position_.data(), change_u_.data());
    evaluator_.displace(t, y, change_u_.data(), change_q_.data());
    const double size = relative_size(change_q_, magnitudes.first(q));
    if (!std::isfinite(size)) return false;
    if (size <= tolerance::unchanged) return true;
    if (size > slow * last) {
      if (last < tolerance::stalled) return true;
      if (fresh || !factor(t, y) || factor_.smallest_pivot() == 0) return false;
      fresh = true;
      continue;
    }
    for (std::size_t i = 0; i < q; ++i) y[i] += change_q_[i];
    is_current_ = false;
    moved += size;
    if (fresh && size < tolerance::settled) return true;
    last = size;
    fresh = false;
  }
  return false;
}

bool Projector::project_u(double t, double* y, std::span<const double> magnitudes, double& moved) {
  const std::size_t q = change_q_.size(), u = change_u_.size();
  double last = 1e300;
  for (int iteration = 0; iteration < most_projections; ++iteration) {
    evaluate_residuals(t, y);
    factor_.correct(velocity_.data(), change_u_.data());
    const double size = relative_size(change_u_, magnitudes.subspan(q, u));
    if (!std::isfinite(size)) return false;
    if (size <= tolerance::unchanged) return true;
    if (size > slow * last) {
      if (last < tolerance::stalled) return true;
      if (iteration > 3 || !factor(t, y) || factor_.smallest_pivot() == 0) return false;
      continue;
    }
    for (std::size_t i = 0; i < u; ++i) y[q + i] += change_u_[i];
    is_current_ = false;
    moved += size;
    if (size < tolerance::settled) return true;  // linear in u: what is left is the factor's age times this
    last = size;
  }
  return false;
}

Projection Projector::project(double t, double* y, std::span<const double> magnitudes) {
  Projection result;
  const std::span<const double> places = magnitudes.first(change_q_.size());
  if (positions_ && !positions_.project(t, y, places, result.moved)) return result;
  if (factor_.selection().active().empty()) return {true, result.moved};
  if (factor_.smallest_pivot() == 0) return result;
  is_current_ = false;
  if (!project_q(t, y, magnitudes, result.moved)) return result;
  if (positions_) {
    if (!positions_.project(t, y, places, result.moved)) return result;
    is_current_ = false;
  }
  result.ok = project_u(t, y, magnitudes, result.moved);
  return result;
}

}  // namespace dalembert
