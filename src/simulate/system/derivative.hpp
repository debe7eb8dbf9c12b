#pragma once
// dy/dt of a system while one selection of rows acts.

#include "simulate/system/evaluator.hpp"

namespace dalembert {

class Derivative {
 public:
  Derivative(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection);

  /// Not a number where it does not exist. Straight-line code where there is some, else factor and solve.
  void operator()(double t, const double* y, double* dy);
  /// By factor and solve; leaves the evaluation, its factor and the multipliers to be looked at.
  void by_factor(double t, const double* y, double* dy);
  /// The same, but for the factor where the system needs none: no row acts, so there are neither pivots nor
  /// multipliers.
  void with_parts(double t, const double* y, double* dy);
  const Evaluation& evaluation() const { return at_; }
  const Factor& factor() const { return factor_; }
  std::span<const double> multipliers() const { return multipliers_; }

  /// After other numbers were chosen for the velocities.
  void renew_choice();
  std::size_t evaluations() const { return evaluations_; }
  /// Of the straight-line code; zero where there is none.
  std::size_t instruction_count() const { return fast_.instruction_count(); }

 private:
  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  BoundKernel fast_;
  std::vector<double> multipliers_, inputs_;
  std::size_t evaluations_ = 0;
};

}  // namespace dalembert
