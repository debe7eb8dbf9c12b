#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"
#include "simulate/system/sparse.hpp"

// [M  A^T; A  0] (u'; -lambda) = (-bias; -drift) as it stands, by elimination with full pivoting. Where rows depend on
// each other the system is singular in the multipliers only: its kernel is taken off them. Large systems are mostly
// zeros, and are eliminated as such where they turn out to be clearly regular.

namespace dalembert {
namespace {

using Matrix = Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

/// Unit diagonal of M, rows of A of unit length; massless coordinates by the size of their columns in A.
Vector scales(const SparseSystem& system) {
  const auto n = static_cast<Eigen::Index>(system.size), m = static_cast<Eigen::Index>(system.rows);
  Vector diagonal = Vector::Zero(n), column = Vector::Zero(n), length = Vector::Zero(m), scale = Vector::Ones(n + m);
  for (const MatrixEntry& entry : system.mass)
    if (entry.row == entry.column) diagonal(entry.row) = entry.value;
  for (const MatrixEntry& entry : system.jacobian)
    column(entry.column) = std::max(column(entry.column), std::abs(entry.value));
  const double largest = n > 0 ? diagonal.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double size = diagonal(i) > 1e-14 * largest ? std::sqrt(diagonal(i)) : column(i);
    if (size > 0) scale(i) = 1 / size;
  }
  for (const MatrixEntry& entry : system.jacobian) {
    const double scaled = entry.value * scale(entry.column);
    length(entry.row) += scaled * scaled;
  }
  for (Eigen::Index r = 0; r < m; ++r)
    if (length(r) > 0) scale(n + r) = 1 / std::sqrt(length(r));
  return scale;
}

/// The whole matrix with rows and columns scaled.
Sparse make_kkt(const SparseSystem& system, const Vector& scale) {
  const auto n = static_cast<int>(system.size), size = static_cast<int>(scale.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * (system.mass.size() + system.jacobian.size()));
  const auto add = [&](int i, int j, double value) {
    const double scaled = scale(i) * value * scale(j);
    entries.emplace_back(i, j, scaled);
    if (i != j) entries.emplace_back(j, i, scaled);
  };
  for (const MatrixEntry& entry : system.mass)
    add(static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
  for (const MatrixEntry& entry : system.jacobian)
    add(n + static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
  Sparse kkt(size, size);
  kkt.setFromTriplets(entries.begin(), entries.end());
  kkt.prune([](int, int, double value) { return value != 0; });
  return kkt;
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

bool is_solved(const Sparse& kkt, const Vector& right, const Vector& x) {
  const Vector terms = kkt.cwiseAbs() * x.cwiseAbs();
  const double size = terms.maxCoeff() + right.cwiseAbs().maxCoeff();
  return (right - kkt * x).cwiseAbs().maxCoeff() <= tolerance::consistent * size;
}

/// By sparse elimination; empty where the matrix may be singular. How near it is to that, inverse iteration tells: each
/// step brings the vector nearer to the direction that the matrix shortens most.
Vector solve_sparse(const Sparse& kkt, const Vector& right) {
  for (Eigen::Index j = 0; j < kkt.cols(); ++j)  // Eigen's elimination does not end on a matrix that is almost empty
    if (!Sparse::InnerIterator(kkt, j)) return {};
  constexpr int steps = 3;
  Eigen::SparseLU<Sparse> lu;
  lu.compute(kkt);
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
  x += lu.solve(right - kkt * x);
  return is_solved(kkt, right, x) ? x : Vector{};
}

/// (u'; -lambda) scaled back.
SolvedMotion to_motion(const Vector& solution, const Vector& scale, Eigen::Index n) {
  const Vector x = solution.cwiseProduct(scale), multipliers = -x.tail(x.size() - n);
  return {true, {x.data(), x.data() + n}, {multipliers.data(), multipliers.data() + multipliers.size()}};
}

SolvedMotion solve_full(const Sparse& kkt, const Vector& right, const Vector& scale, Eigen::Index n) {
  const Eigen::Index size = kkt.rows();
  spend_work(0.1 * std::pow(static_cast<double>(size), 3));  // a nanosecond an operation
  const Matrix full(kkt);
  Eigen::FullPivLU<Matrix> lu(full);
  lu.setThreshold(tolerance::vanishing_pivot);
  Vector x = lu.solve(right);
  x += lu.solve(right - full * x);
  if (!is_solved(kkt, right, x)) return {};
  SolvedMotion motion = to_motion(x, scale, n);
  if (lu.rank() == size) return motion;
  const Matrix kernel = lu.kernel();
  if (kernel.topRows(n).cwiseAbs().maxCoeff() > std::sqrt(tolerance::vanishing_pivot) * kernel.cwiseAbs().maxCoeff())
    return {};
  const Eigen::Index m = size - n;
  Vector multipliers = Eigen::Map<const Vector>(motion.multipliers.data(), m);
  take_off(scale.tail(m).asDiagonal() * kernel.bottomRows(m), multipliers);
  motion.multipliers.assign(multipliers.data(), multipliers.data() + m);
  return motion;
}

SparseSystem without_zeros(const DenseSystem& system) {
  SparseSystem sparse{system.size, system.rows, {}, system.bias, {}, system.drift};
  for (std::uint32_t i = 0; i < system.size; ++i)
    for (std::uint32_t j = 0; j <= i; ++j)
      if (const double value = system.mass[i * system.size + j]; value != 0) sparse.mass.push_back({i, j, value});
  for (std::uint32_t r = 0; r < system.rows; ++r)
    for (std::uint32_t j = 0; j < system.size; ++j)
      if (const double value = system.jacobian[r * system.size + j]; value != 0)
        sparse.jacobian.push_back({r, j, value});
  return sparse;
}

}  // namespace

SolvedMotion minimise_constraint(const DenseSystem& system) { return minimise_constraint(without_zeros(system)); }

SolvedMotion minimise_constraint(const SparseSystem& system) {
  const auto n = static_cast<Eigen::Index>(system.size), m = static_cast<Eigen::Index>(system.rows);
  const Vector scale = scales(system);
  Vector right(n + m);
  right << -Eigen::Map<const Vector>(system.bias.data(), n), -Eigen::Map<const Vector>(system.drift.data(), m);
  right = right.cwiseProduct(scale);
  const Sparse kkt = make_kkt(system, scale);
  if (n == 0 || !right.allFinite() || !std::isfinite(kkt.sum())) return {};
  if (system.size + system.rows >= least_sparse)
    if (const Vector x = solve_sparse(kkt, right); x.size() > 0) return to_motion(x, scale, n);
  return solve_full(kkt, right, scale, n);
}

}  // namespace dalembert
