#pragma once
// Positions back onto geometric constraints whose velocities a frame has left out: the velocities need no projection.

#include "simulate/system/evaluator.hpp"

namespace dalembert {

class Positions {
 public:
  explicit Positions(SystemEvaluator& evaluator);

  /// There are such constraints.
  explicit operator bool() const { return rows_ > 0; }
  /// The least change of q in units of `magnitudes` that meets the constraints; adds its size to `moved`. Rows that depend
  /// on others are met with them or not at all. False where it does not converge.
  bool project(double t, double* q, std::span<const double> magnitudes, double& moved);

 private:
  void evaluate(double t, const double* q);
  bool solve(std::span<const double> magnitudes);

  SystemEvaluator& evaluator_;
  std::size_t rows_, columns_;
  std::vector<double> inputs_, values_, slope_, gram_, right_, change_;
};

}  // namespace dalembert
