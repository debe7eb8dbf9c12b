#include "base/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

namespace dalembert {

SymmetricEigen find_eigenvalues(MatrixView matrix) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  assert(matrix.rows == matrix.columns);
  SymmetricEigen result;
  if (matrix.values.empty()) return result;  // Eigen's iteration wants at least one entry
  for (std::size_t i = 0; i < matrix.rows; ++i)
    if (!is_finite(matrix.row(i).first(i + 1))) return {false, {}, {}};
  const auto size = static_cast<Eigen::Index>(matrix.rows);
  spend_work(std::pow(static_cast<double>(size), 3));  // nine operations of a nanosecond (Golub and Van Loan, 8.3)
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::Map<const RowMajor>(matrix.values.data(), size, size));
  if (solver.info() != Eigen::Success) return {false, {}, {}};
  result.values.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  result.vectors.assign(solver.eigenvectors().data(), solver.eigenvectors().data() + size * size);
  return result;
}

}  // namespace dalembert
