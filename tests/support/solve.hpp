#pragma once

#include <optional>
#include <vector>

#include "base/elimination.hpp"

namespace dalembert::testing_support {

/// m x = b; empty where the least pivot is not above `least`.
inline std::optional<std::vector<double>> solve(const std::vector<std::vector<double>>& m, std::vector<double> b,
                                                double least = 0) {
  std::vector<double> matrix;
  for (const std::vector<double>& row : m) matrix.insert(matrix.end(), row.begin(), row.end());
  const EliminationReport report = solve_square(matrix, b.size(), b);
  if (!report || !(report.least > least)) return std::nullopt;
  return b;
}

}  // namespace dalembert::testing_support
