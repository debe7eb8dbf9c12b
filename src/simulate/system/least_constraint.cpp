#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"
#include "simulate/system/dense.hpp"

// [M  A^T; A  0] (u'; -lambda) = (-bias; -drift) as it stands, by elimination with full pivoting. Where rows depend on
// each other the system is singular in the multipliers only: its kernel is taken off them. Large systems are mostly
// zeros, and are eliminated as such where they turn out to be clearly regular.

namespace dalembert {
namespace {

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// Unit diagonal of M, rows of A of unit length; massless coordinates by the size of their columns in A.
Vector scales(const Matrix& mass, const Matrix& jacobian) {
  const Eigen::Index n = mass.rows(), m = jacobian.rows();
  Vector scale = Vector::Ones(n + m);
  const double largest = n > 0 ? mass.diagonal().cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double size = mass(i, i) > 1e-14 * largest ? std::sqrt(mass(i, i)) : 0;
    if (size == 0 && m > 0) size = jacobian.col(i).cwiseAbs().maxCoeff();
    if (size > 0) scale(i) = 1 / size;
  }
  for (Eigen::Index r = 0; r < m; ++r) {
    const double length = jacobian.row(r).transpose().cwiseProduct(scale.head(n)).norm();
    if (length > 0) scale(n + r) = 1 / length;
  }
  return scale;
}

/// The multipliers without their part in the span of the columns.
void take_off(const Matrix& kernel, Vector& multipliers) {
  Matrix basis = kernel;
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j) basis.col(k) -= basis.col(j).dot(basis.col(k)) * basis.col(j);
    basis.col(k).normalize();
    multipliers -= basis.col(k).dot(multipliers) * basis.col(k);
  }
}

bool is_solved(const Matrix& kkt, const Vector& right, const Vector& x) {
  const double size = (kkt.cwiseAbs() * x.cwiseAbs()).maxCoeff() + right.cwiseAbs().maxCoeff();
  return (right - kkt * x).cwiseAbs().maxCoeff() <= tolerance::consistent * size;
}

/// By sparse elimination; empty where the matrix may be singular. How near it is to that, inverse iteration tells: each
/// step brings the vector nearer to the direction that the matrix shortens most.
Vector solve_sparse(const Matrix& kkt, const Vector& right) {
  // Rows of nothing: Eigen's elimination does not end on a matrix that is almost empty.
  if ((kkt.cwiseAbs().colwise().maxCoeff().array() == 0).any()) return {};
  constexpr int steps = 3;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  Eigen::SparseMatrix<double> sparse = kkt.sparseView();
  sparse.makeCompressed();
  lu.compute(sparse);
  if (lu.info() != Eigen::Success) return {};
  Vector direction = Vector::Ones(kkt.rows()).normalized();
  for (Eigen::Index i = 1; i < direction.size(); i += 2) direction(i) *= -0.5;  // not one that symmetry singles out
  for (int step = 0; step < steps; ++step) {
    const Vector next = lu.solve(direction);
    const double growth = next.norm();
    if (!(growth < 1 / tolerance::dependent)) return {};
    direction = next / growth;
  }
  Vector x = lu.solve(right);
  x += lu.solve(right - sparse * x);
  return is_solved(kkt, right, x) ? x : Vector{};
}

}  // namespace

DenseMotion minimise_constraint(const DenseSystem& system) {
  const auto n = static_cast<Eigen::Index>(system.size), m = static_cast<Eigen::Index>(system.rows);
  const Matrix mass = Eigen::Map<const RowMajor>(system.mass.data(), n, n);
  const Matrix jacobian = Eigen::Map<const RowMajor>(system.jacobian.data(), m, n);
  const Vector scale = scales(mass, jacobian);
  Matrix kkt = Matrix::Zero(n + m, n + m);
  kkt.topLeftCorner(n, n) = mass;
  kkt.bottomLeftCorner(m, n) = jacobian;
  kkt.topRightCorner(n, m) = jacobian.transpose();
  kkt = scale.asDiagonal() * kkt * scale.asDiagonal();
  Vector right(n + m);
  right << -Eigen::Map<const Vector>(system.bias.data(), n), -Eigen::Map<const Vector>(system.drift.data(), m);
  right = right.cwiseProduct(scale);
  if (!kkt.allFinite() || !right.allFinite() || n == 0) return {};

  constexpr Eigen::Index large = 200;
  if (n + m >= large)
    if (Vector x = solve_sparse(kkt, right); x.size() > 0) {
      x = x.cwiseProduct(scale);
      const Vector multipliers = -x.tail(m);
      return {true, {x.data(), x.data() + n}, {multipliers.data(), multipliers.data() + m}};
    }
  spend_work(0.1 * std::pow(static_cast<double>(n + m), 3));  // a nanosecond an operation
  Eigen::FullPivLU<Matrix> lu(kkt);
  lu.setThreshold(tolerance::vanishing_pivot);
  Vector x = lu.solve(right);
  x += lu.solve(right - kkt * x);
  if (!is_solved(kkt, right, x)) return {};
  x = x.cwiseProduct(scale);
  Vector multipliers = -x.tail(m);
  if (lu.rank() < n + m) {
    const Matrix kernel = lu.kernel();
    if (kernel.topRows(n).cwiseAbs().maxCoeff() > std::sqrt(tolerance::vanishing_pivot) * kernel.cwiseAbs().maxCoeff())
      return {};
    take_off(scale.tail(m).asDiagonal() * kernel.bottomRows(m), multipliers);
  }
  return {true, {x.data(), x.data() + n}, {multipliers.data(), multipliers.data() + m}};
}

}  // namespace dalembert
