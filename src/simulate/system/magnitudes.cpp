#include "simulate/system/magnitudes.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

namespace {
constexpr double part = 1e-3;  // what is below it beside the others is idle: rounding, or about to move
}

Magnitudes::Magnitudes(const CompiledSystem& system)
    : system_(system), roots_(system.u_count(), 0.0), values_(system.classes.size(), 0.0) {
  Index most = 0;
  for (Index c : system.classes) most = std::max(most, c);
  of_class_.assign(most + 1, 0.0);
  for (std::size_t i = 0; i < system.q_count(); ++i)
    if (system.classes[i] != 0) of_class_[system.classes[i]] = 1;
  for (const Impulse& impulse : system.equations().impulses) of_class_[system.classes[impulse.coordinate]] = 0;
}

void Magnitudes::set_inertias(const Evaluation& at) {
  const auto& entries = system_.pattern->mass;
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].first == entries[k].second) roots_[entries[k].first] = std::sqrt(std::max(at.mass()[k], 0.0));
}

void Magnitudes::include(const double* y) {
  const std::vector<Index>& classes = system_.classes;
  for (std::size_t i = 0; i < classes.size(); ++i)
    of_class_[classes[i]] = std::max(of_class_[classes[i]], std::abs(y[i]));
  for (std::size_t i = 0; i < classes.size(); ++i) values_[i] = of_class_[classes[i]];
  if (system_.rates_are_velocities) equal_energy(0);
  equal_energy(system_.q_count());
}

void Magnitudes::equal_energy(std::size_t first) {
  double most = 0;
  for (std::size_t j = 0; j < roots_.size(); ++j) most = std::max(most, roots_[j] * values_[first + j]);
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (roots_[i] > 0) values_[first + i] = std::max(values_[first + i], part * most / roots_[i]);
}

}  // namespace dalembert
