#pragma once
// Eigenvalues of symmetric matrices.

#include <vector>

#include "base/matrix_view.hpp"

namespace dalembert {

struct SymmetricEigen {
  bool ok = true;               ///< the matrix is finite and the iteration converged; else both lists are empty
  std::vector<double> values;   ///< ascending
  std::vector<double> vectors;  ///< of unit length, one after the other
};

/// Of a square matrix, of which the lower triangle is read.
SymmetricEigen find_eigenvalues(MatrixView matrix);

}  // namespace dalembert
