#pragma once
// Solvers that principles bring of their own, on dense matrices. None shares anything with the Gram matrix route
// (factor.hpp) or with another of them: their agreement is a check.

#include <cstddef>
#include <vector>

namespace dalembert {

/// M u' + bias = A^T lambda, A u' + drift = 0.
struct DenseSystem {
  std::size_t size = 0, rows = 0;
  std::vector<double> mass, bias;       ///< size x size, full; size
  std::vector<double> jacobian, drift;  ///< rows x size; rows
};

struct SolvedMotion {
  bool ok = false;  ///< the motion is determined and the rows agree with each other
  std::vector<double> acceleration;
  std::vector<double> multipliers;  ///< of least norm where rows depend on each other
};

/// The minimum of u'.M u' + 2 u'.bias under A u' + drift = 0 (Gauss's principle), by its Karush-Kuhn-Tucker system.
SolvedMotion minimise_constraint(const DenseSystem& system);

/// The same by Spain's projector: rows orthonormal in the kinetic metric. Wants M positive definite.
SolvedMotion project_motion(const DenseSystem& system);

}  // namespace dalembert
