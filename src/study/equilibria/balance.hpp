#pragma once
// Forces that balance at rest: h - A^T lambda = 0 with f = 0, and b = 0 of differential rows, over (q, lambda, p).

#include "study/continuation.hpp"
#include "study/linearize/terms.hpp"

namespace dalembert {

class Balance {
 public:
  /// Equations by multipliers without contacts; `inputs` as of Terms.
  Balance(const Equations& equations, std::span<const std::size_t> inputs);

  void set_parameters(std::span<const double> values) { terms_.set_parameters(values); }
  std::size_t size() const { return terms_.size(); }
  std::size_t row_count() const { return terms_.row_count(); }
  /// x: q, then lambda. Residuals: n forces, then one a row; slopes over q, lambda, and inputs if there are any.
  CurveValues evaluate(std::span<const double> x);
  /// The multipliers that balance best at q.
  std::vector<double> guess_multipliers(std::span<const double> q);

 private:
  Terms terms_;
  std::size_t inputs_;
};

}  // namespace dalembert
