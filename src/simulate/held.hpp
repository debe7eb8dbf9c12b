#pragma once
// Positions back onto geometric constraints whose velocities a frame has left out: the velocities need no projection.

#include <dalembert/mechanics/equations.hpp>

#include "simulate/kernel.hpp"

namespace dalembert {

class Held {
 public:
  Held() = default;
  Held(const Equations& equations, std::span<const Expr> parameters, std::span<const double> values);

  bool empty() const { return rows_ == 0; }
  /// The least change of q in units of `sizes` that meets the constraints; adds its size to `moved`. Rows that depend
  /// on others are met with them or not at all. False where it does not converge.
  bool project(double t, double* q, std::span<const double> sizes, double& moved);

 private:
  void evaluate(double t, const double* q);
  bool solve(std::span<const double> sizes);

  std::size_t rows_ = 0, columns_ = 0;
  Kernel kernel_;
  std::vector<std::pair<std::size_t, std::size_t>> pattern_;  // (row, column) of the Jacobian's entries
  std::vector<double> inputs_, values_, slope_, gram_, right_, change_;
};

}  // namespace dalembert
