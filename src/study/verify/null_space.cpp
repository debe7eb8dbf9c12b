#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "base/tolerances.hpp"
#include "study/verify/verify.hpp"

// M u' + h = A^T lambda, A u' + gamma = 0 by an orthonormal basis Z of ker A (theory 1.3): u' = p + Z y with A p =
// -gamma and (Z^T M Z) y = -Z^T (M p + h). Dense, by A^T P = Q R with column pivots, in coordinates scaled so that M
// has unit diagonal and the rows of A have unit length. Shares nothing with the Gram matrix route of the simulate
// stage, nor with base/linear_algebra.hpp, on which that route stands.

namespace dalembert {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

struct Values2 {
  Matrix value, error;
};

Values2 to_matrix(const std::vector<Tracked>& entries, std::size_t rows, std::size_t columns) {
  auto r = static_cast<Eigen::Index>(rows), c = static_cast<Eigen::Index>(columns);
  Values2 result{Matrix(r, c), Matrix(r, c)};
  for (Eigen::Index i = 0; i < r; ++i)
    for (Eigen::Index j = 0; j < c; ++j) {
      const Tracked& entry = entries[static_cast<std::size_t>(i * c + j)];
      result.value(i, j) = entry.value;
      result.error(i, j) = entry.error;
    }
  return result;
}

/// Scales so that M has unit diagonal (massless coordinates: the size of their columns in A) and A unit rows.
struct Scaling {
  Vector coordinate, row;

  Scaling(const Matrix& mass, const Matrix& jacobian) : coordinate(mass.rows()), row(jacobian.rows()) {
    double largest = mass.diagonal().cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < mass.rows(); ++i) {
      double size = mass(i, i) > tolerance::cancelled * largest ? std::sqrt(mass(i, i)) : 0;
      if (size == 0 && jacobian.rows() > 0) size = jacobian.col(i).cwiseAbs().maxCoeff();
      coordinate(i) = size > 0 ? 1 / size : 1;
    }
    for (Eigen::Index r = 0; r < jacobian.rows(); ++r) {
      double length = jacobian.row(r).transpose().cwiseProduct(coordinate).norm();
      row(r) = length > 0 ? 1 / length : 1;
    }
  }
};

/// Condition of M, mended by A^T A where M alone is singular (theory 1.4): what its factorisation loses.
double mass_condition(const Matrix& mass, const Matrix& jacobian) {
  auto norm = [](const Matrix& matrix) { return matrix.cwiseAbs().rowwise().sum().maxCoeff(); };
  auto condition = [&](const Matrix& matrix) { return norm(matrix) * norm(matrix.partialPivLu().inverse()); };
  double plain = condition(mass);
  return plain < 1e10 ? plain : condition(mass + jacobian.transpose() * jacobian);
}

/// A^T P = Q R, R = [R11 R12; 0 0], and what follows for rows and multipliers as written.
struct RowFactor {
  Eigen::Index rank = 0;
  bool decided = true;
  std::vector<Eigen::Index> order;  ///< rows in the order of the pivots
  Matrix range, kernel;             ///< Q1 and Z
  Matrix triangle;                  ///< R11
  Matrix least;  ///< takes multipliers of the first rows in order to those of least norm, all as written

  RowFactor(const Matrix& A, const Vector& row_scale) {
    const Eigen::Index n = A.cols(), m = A.rows();
    kernel = Matrix::Identity(n, n);
    if (m == 0) return;
    Eigen::ColPivHouseholderQR<Matrix> qr(A.transpose());
    Matrix R = qr.matrixQR().triangularView<Eigen::Upper>(), Q = qr.householderQ();
    for (Eigen::Index i = 0; i < std::min(n, m); ++i) {
      double part = std::abs(R(i, i) / R(0, 0));
      decided = decided && (part <= tolerance::dependent || part >= tolerance::independent);
      rank += part >= tolerance::independent ? 1 : 0;
    }
    const auto& permutation = qr.colsPermutation().indices();
    order.assign(permutation.data(), permutation.data() + m);
    range = Q.leftCols(rank);
    kernel = Q.rightCols(n - rank);
    triangle = R.topLeftCorner(rank, rank);
    make_least(R.topRightCorner(rank, m - rank), row_scale);
  }

  /// Multipliers of A^T lambda = load, the basic solution on the first rows in order.
  Vector basic(const Vector& load) const {
    return triangle.triangularView<Eigen::Upper>().solve(range.transpose() * load);
  }

 private:
  /// The null space of A^T is spanned by [-R11^-1 R12; 1]; its part is taken off in the user's scaling.
  void make_least(const Matrix& rest, const Vector& row_scale) {
    const Eigen::Index m = row_scale.size();
    Matrix place = Matrix::Zero(m, m);  // pivot order -> as written
    for (Eigen::Index i = 0; i < m; ++i)
      place(order[static_cast<std::size_t>(i)], i) = row_scale(order[static_cast<std::size_t>(i)]);
    least = place.leftCols(rank);
    if (rank == m) return;
    Matrix null(m, m - rank);
    null << -triangle.triangularView<Eigen::Upper>().solve(rest), Matrix::Identity(m - rank, m - rank);
    Matrix basis = Eigen::HouseholderQR<Matrix>(place * null).householderQ() * Matrix::Identity(m, m - rank);
    least -= basis * (basis.transpose() * least).eval();
  }
};

std::vector<double> to_vector(const Vector& vector) { return {vector.data(), vector.data() + vector.size()}; }

}  // namespace

std::optional<NullSpaceSolution> solve_by_null_space(const Matrices& matrices) {
  const std::size_t n = matrices.n, m = matrices.rows;
  if (n == 0) {  // nothing moves: a frame of which every velocity vanishes
    const std::vector<double> none(m, 0.0);
    return NullSpaceSolution{{}, none, {}, none, 0};
  }
  Values2 mass = to_matrix(matrices.mass, n, n), jacobian = to_matrix(matrices.jacobian, m, n);
  Values2 bias = to_matrix(matrices.bias, n, 1), drift = to_matrix(matrices.drift, m, 1);
  if (!mass.value.allFinite() || !bias.value.allFinite() || !jacobian.value.allFinite() || !drift.value.allFinite())
    return std::nullopt;
  Scaling scaling(mass.value, jacobian.value);
  const auto d = scaling.coordinate.asDiagonal(), s = scaling.row.asDiagonal();
  Matrix M = d * mass.value * d, A = s * jacobian.value * d;
  Vector h = d * bias.value.col(0), g = s * drift.value.col(0);

  RowFactor factor(A, scaling.row);
  if (!factor.decided) return std::nullopt;
  const Matrix& Z = factor.kernel;
  const Eigen::Index rank = factor.rank;
  Vector p = Vector::Zero(h.size()), kept(rank);
  for (Eigen::Index i = 0; i < rank; ++i) kept(i) = g(factor.order[static_cast<std::size_t>(i)]);
  if (rank > 0) p = -factor.range * factor.triangle.transpose().triangularView<Eigen::Lower>().solve(kept);
  Vector a = p, basic(rank);
  if (Z.cols() > 0) {
    Eigen::LLT<Matrix> inner(Z.transpose() * M * Z);
    if (inner.info() != Eigen::Success) return std::nullopt;
    a -= Z * inner.solve(Z.transpose() * (M * p + h));
  }
  if (rank > 0) basic = factor.basic(M * a + h);

  // Bound: with K = [M -A^T; A 0] of the independent rows and x = (u', lambda), an error of the data dK, dr and of a
  // solver that is backward stable but for the factorisation of M (whence its condition) gives
  // |dx| <= |K^-1| (|dr| + |dK| |x|).
  const Eigen::Index size = h.size(), total = size + rank;
  Matrix K = Matrix::Zero(total, total), dK = K;
  Vector x(total), r(total), dr(total);
  K.topLeftCorner(size, size) = M;
  dK.topLeftCorner(size, size) = d * mass.error * d;
  x << a, basic;
  r << h, kept;
  dr.head(size) = d * bias.error.col(0);
  for (Eigen::Index i = 0; i < rank; ++i) {
    const Eigen::Index row = factor.order[static_cast<std::size_t>(i)];
    K.row(size + i).head(size) = A.row(row);
    dK.row(size + i).head(size) = scaling.row(row) * (jacobian.error.row(row) * d);
    dr(size + i) = scaling.row(row) * drift.error(row, 0);
  }
  K.topRightCorner(size, rank) = -K.bottomLeftCorner(rank, size).transpose();
  dK.topRightCorner(size, rank) = dK.bottomLeftCorner(rank, size).transpose();
  double solver = tolerance::epsilon * static_cast<double>(n + m) * (1 + mass_condition(M, A));
  // Solvers mix the components, so their own errors are taken alike for all; so is the rounding of the sum p + Z y.
  double mixed = solver * (K.cwiseAbs() * x.cwiseAbs() + r.cwiseAbs()).maxCoeff();
  Vector error = dr + dK * x.cwiseAbs() + Vector::Constant(total, mixed);
  Vector bound = 4 * (K.partialPivLu().inverse().cwiseAbs() * error);
  bound.head(size).array() += solver * a.cwiseAbs().maxCoeff();
  if (rank > 0) bound.tail(rank).array() += solver * basic.cwiseAbs().maxCoeff();

  NullSpaceSolution solution;
  solution.rank = static_cast<std::size_t>(rank);
  solution.acceleration = to_vector(d * a);
  solution.multipliers = to_vector(factor.least * basic);
  solution.acceleration_bound = to_vector(d * bound.head(size));
  solution.multiplier_bound = to_vector(factor.least.cwiseAbs() * bound.tail(rank));
  return solution;
}

std::vector<double> bound_multipliers(const Matrices& matrices, std::span<const Tracked> acceleration,
                                      std::span<const double> multipliers) {
  const std::size_t n = matrices.n, m = matrices.rows;
  if (n == 0) return std::vector<double>(m, 0.0);
  Values2 mass = to_matrix(matrices.mass, n, n), jacobian = to_matrix(matrices.jacobian, m, n);
  Scaling scaling(mass.value, jacobian.value);
  auto size = static_cast<Eigen::Index>(n), rows = static_cast<Eigen::Index>(m);
  Vector a(size), da(size), lambda(rows);
  for (Eigen::Index i = 0; i < size; ++i) {
    a(i) = acceleration[static_cast<std::size_t>(i)].value;
    da(i) = acceleration[static_cast<std::size_t>(i)].error;
  }
  for (Eigen::Index r = 0; r < rows; ++r) lambda(r) = std::abs(multipliers[static_cast<std::size_t>(r)]);
  Values2 bias = to_matrix(matrices.bias, n, 1);
  Vector sum = mass.value.cwiseAbs() * a.cwiseAbs() + bias.value.cwiseAbs().col(0) +
               jacobian.value.cwiseAbs().transpose() * lambda;
  Vector load = bias.error.col(0) + mass.error * a.cwiseAbs() + mass.value.cwiseAbs() * da +
                jacobian.error.transpose() * lambda + tolerance::epsilon * static_cast<double>(n + m) * sum;
  RowFactor factor(scaling.row.asDiagonal() * jacobian.value * scaling.coordinate.asDiagonal(), scaling.row);
  if (factor.rank == 0) return std::vector<double>(m, 0.0);
  Matrix inverse = factor.triangle.triangularView<Eigen::Upper>().solve(factor.range.transpose());
  Vector basic = 4 * (inverse.cwiseAbs() * (scaling.coordinate.asDiagonal() * load));
  return to_vector(factor.least.cwiseAbs() * basic);
}

}  // namespace dalembert
