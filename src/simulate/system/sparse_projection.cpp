#include <Eigen/SparseCholesky>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"
#include "simulate/system/sparse.hpp"

// Spain's projector on entries. With P M P^T = L L^T and w = L^T P u' the rows are X^T = A P^T L^-T. R of the Gram
// matrix X^T X = R^T R makes them orthonormal, Q = X R^-1 (Spain 1940, (2): C = R^-T), which nobody needs to write out:
// the free acceleration z = -L^-1 P bias gives theta = -R^-T (drift + X^T z), w = z + Q theta (6), and R lambda =
// theta. A second pass takes what rounding has left of the rows, for the condition of X was squared.

namespace dalembert {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

Sparse make_matrix(std::size_t rows, std::size_t columns, const std::vector<MatrixEntry>& entries) {
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (const MatrixEntry& entry : entries)
    triplets.emplace_back(static_cast<int>(entry.row), static_cast<int>(entry.column), entry.value);
  Sparse matrix(static_cast<int>(rows), static_cast<int>(columns));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

/// No row is shorter than `dependent` of its length, once those before it are taken out.
bool is_independent(const Eigen::SimplicialLLT<Sparse>& gram, const Sparse& matrix) {
  const Vector pivots = Sparse(gram.matrixL()).diagonal(), squares = gram.permutationP() * Vector(matrix.diagonal());
  return (pivots.array() > tolerance::dependent * squares.array().sqrt()).all();
}

}  // namespace

SolvedMotion project_motion(const SparseSystem& system) {
  const auto n = static_cast<Eigen::Index>(system.size), m = static_cast<Eigen::Index>(system.rows);
  spend_work(static_cast<double>(system.mass.size() + system.jacobian.size()));
  const Eigen::SimplicialLLT<Sparse> mass(make_matrix(system.size, system.size, system.mass));
  if (mass.info() != Eigen::Success) return {};
  const Vector bias = Eigen::Map<const Vector>(system.bias.data(), n);
  const Vector drift = Eigen::Map<const Vector>(system.drift.data(), m);
  Vector w = mass.matrixL().solve(-(mass.permutationP() * bias));
  Vector multipliers = Vector::Zero(m);
  if (m > 0) {
    Sparse x = mass.permutationP() * Sparse(make_matrix(system.rows, system.size, system.jacobian).transpose());
    mass.matrixL().solveInPlace(x);
    const Sparse square = x.transpose() * x;
    const Eigen::SimplicialLLT<Sparse> gram(square);
    if (gram.info() != Eigen::Success || !is_independent(gram, square)) return {};
    for (int pass = 0; pass < 2; ++pass) {
      const Vector left = -drift - x.transpose() * w;
      const Vector theta = gram.matrixL().solve(gram.permutationP() * left);
      const Vector more = gram.permutationPinv() * Vector(gram.matrixU().solve(theta));
      multipliers += more;
      w += x * more;
    }
  }
  const Vector a = mass.permutationPinv() * Vector(mass.matrixU().solve(w));
  if (!a.allFinite() || !multipliers.allFinite()) return {};
  return {true, {a.data(), a.data() + n}, {multipliers.data(), multipliers.data() + m}};
}

}  // namespace dalembert
