#pragma once
// The next step from the errors of the last two: the textbook's h err^(-1/p) with a memory (Hairer, Wanner II, IV.2,
// "PI control"), so that fewer steps are rejected.

#include <algorithm>
#include <cmath>

namespace dalembert {

class StepControl {
 public:
  explicit StepControl(double order) : exponent_(1 / order) {}

  /// After a step h was rejected: what to multiply it with.
  double reject(double error) {
    rejected_ = true;
    return std::isfinite(error) ? std::clamp(safety * std::pow(error, -exponent_), smallest, 1.0) : failed;
  }
  /// After it was accepted.
  double accept(double error) {
    const double bounded = std::max(error, least);
    const double factor = safety * std::pow(bounded, -(exponent_ - 0.2 * memory)) *
                          (last_error_ > 0 ? std::pow(last_error_, memory) : 1.0);
    last_error_ = std::max(bounded, 1e-4);
    const double most = rejected_ ? 1.0 : largest;
    rejected_ = false;
    return std::clamp(factor, smallest, most);
  }
  /// The motion starts again: no trend.
  void restart() { last_error_ = 0; }

 private:
  static constexpr double memory = 0.04, safety = 0.95, smallest = 1.0 / 3, largest = 6, failed = 0.25, least = 1e-10;
  double exponent_;
  double last_error_ = 0;
  bool rejected_ = false;
};

}  // namespace dalembert
