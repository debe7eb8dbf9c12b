#pragma once
// Solvers that principles bring of their own, on dense matrices. None shares anything with the Gram matrix route
// (metric.hpp) or with another of them: their agreement is a check.

#include <cstddef>
#include <string>
#include <vector>

namespace dalembert {

/// M u' + bias = A^T lambda, A u' + drift = 0.
struct DenseSystem {
  std::size_t size = 0, rows = 0;
  std::vector<double> mass, bias;       ///< size x size, full; size
  std::vector<double> jacobian, drift;  ///< rows x size; rows
};

struct DenseMotion {
  bool ok = false;  ///< the motion is determined and the rows agree with each other
  std::vector<double> acceleration;
  std::vector<double> multipliers;  ///< of least norm where rows depend on each other
};

using DenseSolver = DenseMotion (*)(const DenseSystem&);

/// The minimum of u'.M u' + 2 u'.bias under A u' + drift = 0 (Gauss's principle), by its Karush-Kuhn-Tucker system.
DenseMotion minimise_constraint(const DenseSystem& system);

/// The same by Spain's projector: rows orthonormal in the kinetic metric. Wants M positive definite.
DenseMotion project_motion(const DenseSystem& system);

/// The solver of equations derived by this principle; null: the Gram matrix route.
DenseSolver dense_solver(const std::string& by);

/// Beyond so many unknowns these routes would take minutes.
constexpr std::size_t largest_dense_system = 600;

}  // namespace dalembert
