#pragma once
// Forces that balance at rest: h - A^T lambda = 0 with f = 0, and b = 0 of differential rows, over (q, lambda, p).

#include "simulate/system/kernel.hpp"
#include "study/continuation.hpp"

namespace dalembert {

class Balance {
 public:
  /// Equations by multipliers without contacts; `inputs`: parameters, by index.
  Balance(const Equations& of, std::span<const std::size_t> inputs);

  void set_parameters(std::span<const double> values) { kernel_.set_parameters(values); }
  std::size_t size() const { return n_; }
  std::size_t row_count() const { return rows_; }
  /// x: q, then lambda. Residuals: n forces, then one a row; slopes over q, lambda, and inputs if there are any.
  CurveValues evaluate(std::span<const double> x);
  /// The residuals, then the slopes entry by entry as places() has them. Theirs until the next call.
  std::span<const double> evaluate_entries(std::span<const double> x);
  struct Place {
    std::size_t row, column;
  };
  const std::vector<Place>& places() const { return places_; }
  /// The multipliers that balance best at q.
  std::vector<double> guess_multipliers(std::span<const double> q);

 private:
  std::size_t n_, rows_, inputs_;
  std::vector<Place> places_;
  BoundKernel kernel_;
  std::vector<double> values_;
};

}  // namespace dalembert
