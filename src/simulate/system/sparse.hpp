#pragma once
// The solvers of dense.hpp for systems that are mostly zeros: by entries, at a cost that grows with their number.

#include <cstdint>

#include "simulate/system/dense.hpp"

namespace dalembert {

/// Unknowns from which on elimination by entries is the cheaper one.
inline constexpr std::size_t least_sparse = 200;

struct MatrixEntry {
  std::uint32_t row, column;
  double value;
};

/// As a DenseSystem, without the zeros.
struct SparseSystem {
  std::size_t size = 0, rows = 0;
  std::vector<MatrixEntry> mass;  ///< lower triangle
  std::vector<double> bias;
  std::vector<MatrixEntry> jacobian;
  std::vector<double> drift;
};

SolvedMotion minimise_constraint(const SparseSystem& system);

/// Wants independent rows beside a positive definite M; otherwise it is not solved.
SolvedMotion project_motion(const SparseSystem& system);

}  // namespace dalembert
