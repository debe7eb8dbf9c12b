#include <Eigen/LU>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"
#include "simulate/system/dense.hpp"

// [M  A^T; A  0] (u'; -lambda) = (-bias; -drift) as it stands, by elimination with full pivoting. Where rows depend on
// each other the system is singular in the multipliers only: its kernel is taken off them.

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

}  // namespace

DenseMotion minimise_constraint(const DenseSystem& system) {
  const auto n = static_cast<Eigen::Index>(system.size), m = static_cast<Eigen::Index>(system.rows);
  spend_work(0.1 * std::pow(static_cast<double>(n + m), 3));  // a nanosecond an operation
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

  Eigen::FullPivLU<Matrix> lu(kkt);
  lu.setThreshold(tolerance::vanishing_pivot);
  Vector x = lu.solve(right);
  x += lu.solve(right - kkt * x);
  const double size = (kkt.cwiseAbs() * x.cwiseAbs()).maxCoeff() + right.cwiseAbs().maxCoeff();
  if (!((right - kkt * x).cwiseAbs().maxCoeff() <= tolerance::consistent * size)) return {};
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
