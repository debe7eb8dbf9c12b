#include "simulate/system/magnitudes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {

namespace {
constexpr double idle_part = 1e-3;  // what is below it beside the others is idle: rounding, or about to move
}

void raise_by_energy(std::span<const double> weights, std::span<double> values, double part, double most) {
  for (std::size_t j = 0; j < weights.size(); ++j) most = std::max(most, weights[j] * values[j]);
  // What is clearly above the least needs no division: the margin is more than product and quotient round.
  constexpr double margin = 1 + 4 * std::numeric_limits<double>::epsilon();
  const double least = part * most, clear = margin * least;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0 && !(weights[i] * values[i] > clear)) values[i] = std::max(values[i], least / weights[i]);
}

Magnitudes::Magnitudes(const CompiledSystem& system)
    : system_(system),
      roots_(system.u_count(), 0.0),
      forces_(system.u_count(), 0.0),
      values_(system.classes.size(), 0.0),
      trial_(system.classes.size(), 0.0) {
  Index most = 0;
  for (Index c : system.classes) most = std::max(most, c);
  of_class_.assign(most + 1, 0.0);
  trial_class_ = of_class_;
  for (std::size_t i = 0; i < system.own_count(); ++i)
    if (system.classes[i] != 0) of_class_[system.classes[i]] = 1;
}

void Magnitudes::set_inertias(const Evaluation& at) {
  const auto& entries = system_.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].first == entries[k].second) roots_[entries[k].first] = std::sqrt(std::max(at.mass()[k], 0.0));
  for (std::size_t i = 0; i < forces_.size(); ++i) forces_[i] = std::max(forces_[i], std::abs(at.bias()[i]));
}

void Magnitudes::include(const double* y) {
  const std::vector<Index>& classes = system_.classes;
  for (std::size_t i = 0; i < classes.size(); ++i)
    of_class_[classes[i]] = std::max(of_class_[classes[i]], std::abs(y[i]));
  for (std::size_t i = 0; i < classes.size(); ++i) values_[i] = of_class_[classes[i]];
  spread(values_);
}

std::span<const double> Magnitudes::with(const double* y) {
  const std::vector<Index>& classes = system_.classes;
  std::copy(of_class_.begin(), of_class_.end(), trial_class_.begin());
  for (std::size_t i = 0; i < classes.size(); ++i)
    trial_class_[classes[i]] = std::max(trial_class_[classes[i]], std::abs(y[i]));
  for (std::size_t i = 0; i < classes.size(); ++i) trial_[i] = trial_class_[classes[i]];
  spread(trial_);
  return trial_;
}

void Magnitudes::set_ways(SystemEvaluator& evaluator, double t, const double* y) {
  std::vector<double> one(system_.u_count(), 0.0), moved(system_.q_count());
  ways_.assign(one.size(), 0.0);
  for (std::size_t j = 0; j < one.size(); ++j) {
    one[j] = 1;
    evaluator.displace(t, y, one.data(), moved.data());
    one[j] = 0;
    double way = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < moved.size(); ++i)
      if (moved[i] != 0) way = std::min(way, values_[i] / std::abs(moved[i]));
    if (std::isfinite(way)) ways_[j] = way;
  }
  spread(values_);
}

void Magnitudes::spread(std::span<double> values) const {
  if (system_.is_aligned()) raise_by_energy(roots_, values, idle_part);
  const std::span<const double> ways = system_.is_aligned() ? values : std::span<const double>(ways_);
  double fall = 0;
  for (std::size_t i = 0; i < std::min(forces_.size(), ways.size()); ++i) fall = std::max(fall, forces_[i] * ways[i]);
  raise_by_energy(roots_, values.subspan(system_.q_count()), idle_part, std::sqrt(fall));
}

std::vector<double> find_reach(SystemEvaluator& evaluator, double t, const double* y,
                               std::span<const double> magnitudes) {
  const CompiledSystem& system = evaluator.system();
  const std::size_t q = system.q_count();
  std::vector<double> reach(magnitudes.begin(), magnitudes.end()), rates(q);
  Evaluation at(system);
  if (!evaluator.evaluate(t, y, at)) return reach;
  double momentum = 0, force = 0;
  for (const double bias : at.bias()) force = std::max(force, std::abs(bias));
  const auto& entries = system.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].first == entries[k].second)
      momentum = std::max(momentum, std::abs(at.mass()[k] * y[q + entries[k].first]));
  const double time = force > 0 && momentum > 0 ? momentum / force : 1;
  evaluator.evaluate_rates(t, y, rates.data());
  for (std::size_t i = 0; i < q; ++i)
    if (!(reach[i] > 0)) reach[i] = time * std::abs(rates[i]);
  const double farthest = q > 0 ? *std::max_element(reach.begin(), reach.begin() + std::ssize(rates)) : 0;
  for (std::size_t i = 0; i < q; ++i)
    if (!(reach[i] > 0)) reach[i] = farthest > 0 ? farthest : 1;
  return reach;
}

}  // namespace dalembert
