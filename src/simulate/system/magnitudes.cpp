#include "simulate/system/magnitudes.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {
constexpr double part = 1e-3;  // what is below it beside the others is idle: rounding, or about to move
}

Magnitudes::Magnitudes(const CompiledSystem& system)
    : system_(system), roots_(system.u_count(), 0.0), forces_(system.u_count(), 0.0), values_(system.classes.size(), 0.0), trial_(system.classes.size(), 0.0) {
  Index most = 0;
  for (Index c : system.classes) most = std::max(most, c);
  of_class_.assign(most + 1, 0.0);
  trial_class_ = of_class_;
  const std::size_t own = system.is_aligned() ? system.u_count() : system.q_count();
  for (std::size_t i = 0; i < own; ++i)
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

void Magnitudes::spread(std::span<double> values) const {
  double fall = 0;
  if (system_.is_aligned()) {
    equal_energy(values, 0);
    for (std::size_t i = 0; i < forces_.size(); ++i) fall = std::max(fall, std::sqrt(forces_[i] * values[i]));
  }
  equal_energy(values.subspan(system_.q_count()), fall);
}

void Magnitudes::equal_energy(std::span<double> values, double most) const {
  for (std::size_t j = 0; j < roots_.size(); ++j) most = std::max(most, roots_[j] * values[j]);
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (roots_[i] > 0) values[i] = std::max(values[i], part * most / roots_[i]);
}

}  // namespace dalembert
