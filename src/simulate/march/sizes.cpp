#include "simulate/march/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double roundings = 16;         // how many of them a step's error estimate may add up
constexpr double least_part = 1e-3;      // of what the others reach with the same energy
constexpr double rounding_part = 1e-14;  // the same times the tolerance is never below this

}  // namespace

Sizes::Sizes(const CompiledSystem& system, double tolerance)
    : system_(system),
      tolerance_(tolerance),
      part_(std::clamp(rounding_part / tolerance, least_part, 1.0)),
      low_(system.classes.size(), std::numeric_limits<double>::infinity()),
      high_(system.classes.size(), -std::numeric_limits<double>::infinity()),
      weights_(system.u_count(), 0.0),
      scale_(system.classes.size()),
      noise_(system.classes.size()),
      trembling_(system.u_count(), 0.0),
      carried_(system.q_count(), 0.0) {}

void Sizes::include(const double* y, double h) {
  const std::size_t q = system_.q_count();
  for (std::size_t i = 0; i < low_.size(); ++i) {
    low_[i] = std::min(low_[i], i < q ? y[i] : -std::abs(y[i]));
    high_[i] = std::max(high_[i], i < q ? y[i] : std::abs(y[i]));
  }
  if (h > 0) last_step_ = h;
}

void Sizes::measure_noise(const Evaluation& at, std::span<const double> acceleration,
                          std::span<const double> multipliers, const Worse& worse) {
  std::vector<double>& sum = trembling_;
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = std::abs(at.bias()[i]);
  const auto& entries = system_.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto [i, j] = entries[k];
    sum[i] += std::abs(at.mass()[k] * acceleration[j]);
    if (i != j) sum[j] += std::abs(at.mass()[k] * acceleration[i]);
    if (i == j) weights_[i] = std::sqrt(std::max(at.mass()[k], 0.0));
  }
  const RowPattern& rows = system_.pattern->rows;
  double held = 0;  // the largest force of a row, in the kinetic metric
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    if (multipliers[r] == 0) continue;
    for (Index e = rows.begin[r]; e < rows.begin[r + 1]; ++e) {
      const double force = std::abs(at.jacobian()[e] * multipliers[r]), weight = weights_[rows.column[e]];
      sum[rows.column[e]] += force;
      if (weight > 0) held = std::max(held, force / weight);
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = epsilon * (weights_[i] > 0 ? sum[i] / (weights_[i] * weights_[i]) : std::abs(acceleration[i]));
  if (rows.rows() > 0) spread_noise(acceleration, worse.accelerations, worse.multipliers * held);
}

/// Constraints hand on what is rounding in one coordinate's acceleration, as it is or by the curvature of the path.
void Sizes::spread_noise(std::span<const double> acceleration, double worse, double held) {
  const std::size_t q = system_.q_count();
  std::vector<double> larger(weights_.size());
  double most = 0;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    const double range = system_.is_aligned() ? high_[j] - low_[j] : 0, speed = high_[q + j];
    const double bend = range > 0 ? speed * speed / range : 0;
    larger[j] = std::max(std::abs(acceleration[j]), bend);
    most = std::max(most, weights_[j] * larger[j]);
  }
  const Kinds kinds = system_.is_aligned() ? largest_of_kind(larger) : Kinds{};
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (weights_[i] > 0)
      trembling_[i] = std::max(trembling_[i], epsilon * std::max(worse * most, held) / weights_[i]);
    else if (system_.is_aligned())
      trembling_[i] = std::max(trembling_[i], epsilon * worse * kinds.of(system_.classes[i]));
  }
}

/// |N| times the noise of u', where q' = N u + n0.
void Sizes::carry_noise(SystemEvaluator& evaluator, double t, std::span<const double> y) {
  std::vector<double> one(system_.u_count(), 0.0), moved(system_.q_count());
  std::fill(carried_.begin(), carried_.end(), 0.0);
  for (std::size_t j = 0; j < one.size(); ++j) {
    one[j] = trembling_[j];
    evaluator.displace(t, y.data(), one.data(), moved.data());
    for (std::size_t i = 0; i < moved.size(); ++i) carried_[i] += std::abs(moved[i]);
    one[j] = 0;
  }
}

/// What is only carried along, as the action is, comes after the coordinates that move, and has neither a kind nor a
/// speed.
std::size_t Sizes::own_count() const { return system_.is_aligned() ? system_.u_count() : system_.q_count(); }

/// Lengths and angles among themselves, one as the other by the largest length.
Sizes::Kinds Sizes::largest_of_kind(std::span<const double> values) const {
  double far = 0, length = 0, turn = 0;
  for (std::size_t i = 0; i < own_count(); ++i) {
    const bool is_length = system_.classes[i] == 0;
    (is_length ? far : turn) = std::max(is_length ? far : turn, values[i]);
    if (is_length) length = std::max({length, std::abs(low_[i]), std::abs(high_[i])});
  }
  return {std::max(far, turn * length), std::max(turn, length > 0 ? far / length : 0)};
}

/// Where no inertia belongs to a coordinate.
void Sizes::bound_by_kind(std::span<double> values) const {
  const Kinds kinds = largest_of_kind(values);
  for (std::size_t i = 0; i < own_count(); ++i)
    if (!system_.is_aligned() || weights_[i] == 0)
      values[i] = std::max(values[i], part_ * kinds.of(system_.classes[i]));
}

void Sizes::judge(const double* start, const double* end, double h) {
  const std::size_t q = system_.q_count();
  const double pace = last_step_ > 0 ? std::max(last_step_ / h, 1.0) : 1.0;
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const double covered =
        i < q ? std::max(high_[i], end[i]) - std::min(low_[i], end[i]) : std::max(high_[i], std::abs(end[i]));
    scale_[i] = std::max(covered, pace * std::abs(end[i] - start[i]));
    noise_[i] = epsilon * std::max(std::abs(start[i]), std::abs(end[i]));
  }
  const std::span<double> speeds = std::span(scale_).subspan(q);
  if (system_.is_aligned()) raise_by_energy(weights_, scale_, part_);
  bound_by_kind(scale_);
  raise_by_energy(weights_, speeds, part_);
  if (system_.is_aligned()) bound_by_kind(speeds);
  for (std::size_t i = 0; i < trembling_.size(); ++i) {
    noise_[q + i] += h * trembling_[i];
    if (system_.is_aligned()) noise_[i] += h * h * trembling_[i];
  }
  for (std::size_t i = 0; i < carried_.size(); ++i) noise_[i] += h * h * carried_[i];
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    scale_[i] *= tolerance_;
    noise_[i] *= roundings;
  }
}

bool Sizes::is_noise(std::span<const double> from, const double* to) const {
  for (std::size_t i = 0; i < noise_.size(); ++i)
    if (!(std::abs(to[i] - from[i]) <= noise_[i])) return false;
  return true;
}

}  // namespace dalembert
