#include "study/linearize/thin.hpp"

#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/tolerances.hpp"

namespace dalembert::thin {
namespace {

using Eigen::Index;

/// Smaller ones are full: looking for zeros costs what leaving them out would save.
constexpr Index smallest = 200;
/// Zeros are worth leaving out where no more than this part of the work is left: a dense product takes a quarter of a
/// sparse one's time for each of its terms.
constexpr double part_left = 0.125;

double count_entries(const MatrixXd& a) { return static_cast<double>((a.array() != 0).count()); }

bool is_thin(const MatrixXd& a) {
  return a.rows() >= smallest && count_entries(a) <= part_left * static_cast<double>(a.size());
}

SparseMatrix to_sparse(const MatrixXd& a) { return a.sparseView(0, 0); }

/// Terms of sums, half a nanosecond each where they stand side by side.
void spend_full(double terms) { spend_work(0.05 * terms); }
void spend_thin(double terms) { spend_work(0.2 * terms); }
double cube(Index n) { return std::pow(static_cast<double>(n), 3); }

/// 1 / (|A| |A^-1|) in the norm of columns, the second by Hager's ascent (Higham, algorithm 15.1); 1 of no rows.
double estimate_rcond(const SparseMatrix& a, Eigen::SparseLU<SparseMatrix>& lu) {
  const Index n = a.rows();
  VectorXd x = VectorXd::Constant(n, 1 / static_cast<double>(n));
  double inverse = 0, size = 0;
  for (Index j = 0; j < n; ++j) size = std::max(size, a.col(j).cwiseAbs().sum());
  constexpr int most = 5;
  for (int k = 0; k < most; ++k) {
    const VectorXd y = lu.solve(x);
    const double grown = y.lpNorm<1>();
    if (!std::isfinite(grown)) return 0;
    if (grown <= inverse) break;
    inverse = grown;
    const VectorXd signs = (y.array() < 0).select(VectorXd::Constant(n, -1), VectorXd::Ones(n));
    const VectorXd slope = lu.transpose().solve(signs);
    Index steepest = 0;
    if (!(slope.cwiseAbs().maxCoeff(&steepest) > slope.dot(x))) break;
    x = VectorXd::Unit(n, steepest);
  }
  return inverse > 0 && size > 0 ? 1 / (inverse * size) : 0;
}

}  // namespace

MatrixXd multiply(const MatrixXd& a, const MatrixXd& b) {
  const double full = static_cast<double>(a.size()) * static_cast<double>(b.cols());
  if (full < cube(smallest)) {
    spend_full(full);
    return a * b;
  }
  const double by_a = count_entries(a) * static_cast<double>(b.cols()),
               by_b = count_entries(b) * static_cast<double>(a.rows());
  if (std::min(by_a, by_b) > part_left * full) {
    spend_full(full);
    return a * b;
  }
  spend_thin(std::min(by_a, by_b));
  return by_a <= by_b ? MatrixXd(to_sparse(a) * b) : MatrixXd(a * to_sparse(b));
}

void Lu::compute(const MatrixXd& a) {
  if (a.allFinite() && is_thin(a)) {
    const SparseMatrix sparse = to_sparse(a);
    thin_ = std::make_unique<Eigen::SparseLU<SparseMatrix>>(sparse);
    rcond_ = thin_->info() == Eigen::Success ? estimate_rcond(sparse, *thin_) : 0;
    if (thin_->info() == Eigen::Success) spend_thin(static_cast<double>(thin_->nnzL() + thin_->nnzU()));
    return;
  }
  spend_full(cube(a.rows()) / 3);
  full_.compute(a);
  rcond_ = a.allFinite() ? full_.rcond() : 0;
}

MatrixXd Lu::solve(const MatrixXd& right) const {
  if (right.size() == 0) return right;
  if (thin_ == nullptr) {
    spend_full(static_cast<double>(right.size()) * static_cast<double>(right.rows()));
    return full_.solve(right);
  }
  spend_thin(static_cast<double>(thin_->nnzL() + thin_->nnzU()) * static_cast<double>(right.cols()));
  return thin_->solve(right);
}

MatrixXd Lu::solve_transposed(const MatrixXd& right) const {
  if (right.size() == 0) return right;
  if (thin_ == nullptr) {
    spend_full(static_cast<double>(right.size()) * static_cast<double>(right.rows()));
    return full_.transpose().solve(right);
  }
  spend_thin(static_cast<double>(thin_->nnzL() + thin_->nnzU()) * static_cast<double>(right.cols()));
  return thin_->transpose().solve(right);
}

Cholesky::Cholesky(const MatrixXd& a) {
  if (is_thin(a)) {
    if (!a.allFinite()) return;
    thin_ = std::make_unique<Eigen::SimplicialLLT<SparseMatrix>>(to_sparse(a));
    ok_ = thin_->info() == Eigen::Success;
    return;
  }
  spend_full(cube(a.rows()) / 6);
  full_.compute(a);
  ok_ = full_.info() == Eigen::Success;
}

MatrixXd Cholesky::solve(const MatrixXd& right) const {
  if (right.size() == 0) return right;
  if (thin_ != nullptr) {
    const SparseMatrix factor = thin_->matrixL();
    spend_thin(2 * static_cast<double>(factor.nonZeros()) * static_cast<double>(right.cols()));
    return thin_->solve(right);
  }
  if (right.rows() >= smallest && right.isZero(0)) return right;
  spend_full(static_cast<double>(right.size()) * static_cast<double>(right.rows()));
  return full_.solve(right);
}

bool are_clearly_independent(const MatrixXd& rows) {
  if (!rows.allFinite() || !is_thin(rows)) return false;
  using InOrder = Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;
  const SparseMatrix sparse = to_sparse(rows), gram = sparse * sparse.transpose();
  const InOrder factor(gram);
  if (factor.info() != Eigen::Success) return false;
  const SparseMatrix lower = factor.matrixL();
  spend_thin(static_cast<double>(lower.nonZeros()));
  // A pivot is the row's distance to the span of those before it: what Gram and Schmidt would find.
  return lower.diagonal().minCoeff() > tolerance::independent;
}

}  // namespace dalembert::thin
